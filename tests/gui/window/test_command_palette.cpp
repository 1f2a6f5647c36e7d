// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: how names and descriptions are matched, and its use in the real window.
#include <QAccessible>
#include <QSet>
#include <algorithm>

#include "backends/register_all.h"
#include "gui/app/commands/command_palette.h"
#include "gui/app/commands/fuzzy_match.h"
#include "gui/app/view_registry.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

CommandPalette* open_palette(MainWindow& window) {
  QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
  return window.findChild<CommandPalette*>();
}

void command(MainWindow& window, const QString& typed) {
  CommandPalette* palette = open_palette(window);
  QVERIFY(palette);
  QTest::keyClicks(palette->line(), typed);
  QTest::keyClick(palette->line(), Qt::Key_Return);
  QTest::qWait(1);
}

void collect(const QMenu& menu, QStringList& texts) {
  for (QAction* action : menu.actions()) {
    if (action->menu()) {
      collect(*action->menu(), texts);
    } else if (!action->isSeparator()) {
      texts.append(action->text());
    }
  }
}

}  // namespace

class TestCommandPalette : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_text_percent(100);
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  void letters_in_order_match() {
    QVERIFY(fuzzy_match(QString(), QStringLiteral("View"))->score == 0);
    QVERIFY(!fuzzy_match(QStringLiteral("ve"), QStringLiteral("even")) == false);
    QVERIFY(!fuzzy_match(QStringLiteral("nv"), QStringLiteral("view nothing")));
    const auto heads = fuzzy_match(QStringLiteral("VH"), QStringLiteral("View › Heads"));
    QVERIFY(heads);
    QVERIFY(heads->positions == (std::vector<int>{0, 7}));
    const auto score = [](const char* typed, const char* name) {
      const auto match = fuzzy_match(QString::fromUtf8(typed), QString::fromUtf8(name));
      return match ? match->score : -1;
    };
    QVERIFY(score("png", "Export › Heatmap › PNG…") > score("png", "Copy the picture, not grey"));
    QVERIFY(score("tiles", "View › Tiles") > score("tiles", "Time of files"));
    QVERIFY(score("heads", "View › Heads") > score("heads", "View › Heads and more"));
    QVERIFY(score("full speed", "Pace › Full speed") > score("full speed", "View › Full screen"));
    const auto step = fuzzy_match(QStringLiteral("st"), QStringLiteral("sept step"));
    QVERIFY(step && step->positions == (std::vector<int>{5, 6}));
  }

  void descriptions_are_found() {
    PaletteContent content;
    for (const auto& [name, meaning] : std::initializer_list<std::pair<const char*, const char*>>{
             {"Copy more trees, elm, up, to", ""},
             {"Full house", "The last request is Preempted and waits."},
             {"Preempt", ""}}) {
      Command command;
      command.name = QString::fromLatin1(name);
      command.meaning = QString::fromLatin1(meaning);
      content.commands.push_back(command);
    }
    QStringList names;
    for (const FoundCommand& one : find_commands(content, QStringLiteral("preempt")))
      names.append(one.command.name);
    QCOMPARE(names, (QStringList{QStringLiteral("Preempt"), QStringLiteral("Full house"),
                                 QStringLiteral("Copy more trees, elm, up, to")}));
    // Two letters are too few to search meanings, so "Full house" is not found.
    QVERIFY(find_commands(content, QStringLiteral("em")).size() == 2);
  }

  void lessons_are_found_by_words_of_their_titles() {
    PaletteContent content;
    for (const char* title : {"9 The block table", "10 Blocks", "7 Why a KV cache"}) {
      Command command;
      command.name = QStringLiteral("Lessons › The cache › ") + QLatin1String(title);
      command.is_content = true;
      content.commands.push_back(command);
    }
    const auto found = find_commands(content, QStringLiteral("lesson cache"));
    QCOMPARE(found.size(), size_t{3});
    QVERIFY(found.front().command.name.endsWith(QStringLiteral("Why a KV cache")));
    Workbench w(synthetic_scenario(8, 2));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    CommandPalette* palette = open_palette(*w.window);
    QTest::keyClicks(palette->line(), QStringLiteral("presenter"));
    QVERIFY(palette->found().rowCount() > 0);
    QVERIFY(palette->found().at(0).name.endsWith(QStringLiteral("Presenter")));
    palette->close();
  }

  void commands_come_before_what_is_opened() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    CommandPalette* palette = open_palette(*w.window);
    for (const auto& [typed, name] : {std::pair{"start again", "Start again"},
                                      {"restart", "Start again"},
                                      {"german", "Deutsch"},
                                      {"language", "Language"}}) {
      palette->line()->clear();
      QTest::keyClicks(palette->line(), QLatin1String(typed));
      const QString first = palette->found().at(0).name;
      QVERIFY2(first.contains(QLatin1String(name)), qPrintable(first));
    }
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    QTest::qWait(1);
    const auto run = w.bridge.snapshot();
    command(*w.window, QStringLiteral("start again"));
    QTRY_VERIFY(w.bridge.snapshot() != run);
  }

  void fields_of_the_workload_get_the_focus() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    auto* panel = qobject_cast<QDockWidget*>(w.window->workload()->parentWidget());
    for (const char* typed : {"block size", "batch budget", "max_num_seqs", "priority"}) {
      panel->hide();
      command(*w.window, QLatin1String(typed));
      const auto* line = qobject_cast<QLineEdit*>(w.window->focusWidget());
      QVERIFY2(line && line->hasFocus(), typed);
      QVERIFY2(w.window->workload()->isAncestorOf(line), typed);
      const QString wanted = QString::fromLatin1(typed) == QLatin1String("max_num_seqs")
                                 ? QStringLiteral("max sequences")
                                 : QLatin1String(typed);
      QVERIFY2(line->accessibleName().startsWith(wanted, Qt::CaseInsensitive),
               qPrintable(line->accessibleName()));
      QCOMPARE(line->selectedText(), line->text());
      QTRY_COMPARE(line->visibleRegion().boundingRect(), line->rect());
    }
    // A field that does not matter, as the scale of a cache that is not quantised, is left out.
    CommandPalette* palette = open_palette(*w.window);
    QTest::keyClicks(palette->line(), QStringLiteral("k_scale"));
    for (int i = 0; i < palette->found().rowCount(); ++i)
      QVERIFY(!palette->found().at(i).name.endsWith(QStringLiteral("Key scale")));
  }

  void every_action_of_the_window_is_there_once() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    CommandPalette* palette = open_palette(*w.window);
    QVERIFY(palette);
    QSet<QString> names;
    QStringList ends;
    for (int i = 0; i < palette->found().rowCount(); ++i) {
      const Command& one = palette->found().at(i);
      QVERIFY2(!names.contains(one.name), qPrintable(one.name));
      names.insert(one.name);
      ends.append(one.name.section(QStringLiteral(" › "), -1));
      QVERIFY(one.run);
    }
    QStringList wanted;
    for (const QAction* action : w.window->actions().all)
      if (action != w.window->actions().palette && action != w.window->actions().export_menu)
        wanted.append(action->text());
    for (const QMenu* menu : w.window->run_bar()->findChildren<QMenu*>()) collect(*menu, wanted);
    for (const char* text :
         {"First look", "Full speed", "Tile", "PNG…", "Teach", "Whole report…", "Dark", "150%"})
      wanted.append(QString::fromUtf8(text));
    for (const BackendChoice& backend : w.control.backend_choices())
      wanted.append(backend.display_name);
    for (const QString& text : wanted)
      QVERIFY2(ends.contains(text),
               qPrintable(text + QStringLiteral(" in ") + ends.join(QLatin1Char('|'))));
    QVERIFY(names.size() > 80);
    for (const ViewEntry& entry : view_registry())
      QVERIFY2(names.contains(QStringLiteral("Export › %1 › PNG…").arg(entry.title)),
               qPrintable(entry.title));
  }

  // PALLAS takes heads of 128, 256, ... numbers; these have 32.
  void a_backend_that_needs_head_padding_gets_it() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    command(*w.window, QStringLiteral("backend pallas"));
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(w.control.scenario().engine.backend, std::string("pallas"));
    QVERIFY(w.control.scenario().engine.pad_head_size);
    const QString told = w.window->message_bar()->texts().join(QLatin1Char('\n'));
    const QString padded = QStringLiteral("Heads are padded with zeros to 128");
    QVERIFY2(told.contains(padded), qPrintable(told));
    // The user has set nothing: the backend and the head size are named, and no option is.
    QVERIFY2(told.contains(QStringLiteral("because PALLAS does not take heads of 32.")),
             qPrintable(told));
    QVERIFY2(!told.contains(QStringLiteral("pad_head_size")), qPrintable(told));
    // The next run with this setting has the remark, too, but it is no message again.
    const uint64_t run = w.bridge.snapshot()->run;
    QVERIFY(w.control.start());
    QTRY_VERIFY(w.bridge.snapshot()->run > run && w.control.has_ended());
    const std::vector<std::string> remarks = w.bridge.messages();
    QVERIFY(std::ranges::any_of(remarks, [&](const std::string& remark) {
      return QString::fromStdString(remark).startsWith(padded);
    }));
    QVERIFY(!w.window->message_bar()->texts().join(QLatin1Char('\n')).contains(padded));
  }

  void keys_find_and_run() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QWidget* before = w.window->view("blocks")->focusProxy();
    before->setFocus();
    CommandPalette* palette = open_palette(*w.window);
    QVERIFY(palette->line()->hasFocus());
    QTest::keyClicks(palette->line(), QStringLiteral("n ?"));
    QCOMPARE(palette->line()->text(), QStringLiteral("n ?"));
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    QTest::qWait(1);
    QVERIFY(!w.window->findChild<CommandPalette*>());
    QCOMPARE(w.window->focusWidget(), before);

    command(*w.window, QStringLiteral("view tiles"));
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("tiles"));
    QVERIFY(w.window->view("tiles")->focusProxy()->hasFocus());
    command(*w.window, QStringLiteral("pace full"));
    QCOMPARE(w.bridge.pace(), 0.0);
    command(*w.window, QStringLiteral("step by tile"));
    QVERIFY(w.window->run_bar()->unit() == Granularity::kTile);
    command(*w.window, QStringLiteral("layout teach"));
    QCOMPARE(w.window->layouts().current(), QStringLiteral("teach"));
    command(*w.window, QStringLiteral("explore"));
    command(*w.window, QStringLiteral("appearance light"));
    QVERIFY(!Theme::instance().is_dark());
    command(*w.window, QStringLiteral("text 150"));
    QCOMPARE(Theme::instance().text_percent(), 150);
    command(*w.window, QStringLiteral("scenario sliding"));
    QVERIFY(QString::fromStdString(w.control.scenario().title).contains(QStringLiteral("indow")) ||
            w.control.file() == QStringLiteral("sliding-window"));

    palette = open_palette(*w.window);
    QVERIFY(palette->found().at(0).name.contains(QStringLiteral("Sliding window")));
    QVERIFY(palette->found().at(1).name.contains(QStringLiteral("150%")));
    QVERIFY(palette->found().at(2).name.contains(QStringLiteral("Light")));
    QVERIFY(palette->found().at(2).is_on);
    QTest::keyClick(palette->line(), Qt::Key_Up);
    QCOMPARE(palette->list()->currentIndex().row(), palette->found().rowCount() - 1);
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentIndex().row(), 0);
    QTest::keyClick(palette->line(), Qt::Key_PageDown);
    QVERIFY(palette->list()->currentIndex().row() > 4);
  }

  void the_mouse_runs_and_closes() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    CommandPalette* palette = open_palette(*w.window);
    QTest::keyClicks(palette->line(), QStringLiteral("view metrics"));
    const QRect row = palette->list()->visualRect(palette->found().index(0, 0));
    QTest::mouseClick(palette->list()->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("metrics"));
    QTest::qWait(1);
    QVERIFY(!w.window->findChild<CommandPalette*>());
    palette = open_palette(*w.window);
    QTest::mouseClick(palette, Qt::LeftButton, {}, QPoint(3, palette->height() - 3));
    QTest::qWait(1);
    QVERIFY(!w.window->findChild<CommandPalette*>());
  }

  void places_are_gone_to() {
    Workbench w(synthetic_scenario(40, 6));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    command(*w.window, QStringLiteral("step 3"));
    QVERIFY(!w.window->cursor().is_live());
    QCOMPARE(w.window->cursor().step(), 3u);
    command(*w.window, QStringLiteral("block 40"));
    QVERIFY(w.selection.state().kind == SelectionKind::kBlock);
    QCOMPARE(w.selection.state().block, int64_t{40});
    command(*w.window, QStringLiteral("Token 5"));
    QVERIFY(w.selection.state().kind == SelectionKind::kToken);
    QCOMPARE(w.selection.state().query, int64_t{5});
    command(*w.window, QStringLiteral("head 3"));
    QCOMPARE(w.selection.shown_head(), int64_t{3});
    command(*w.window, QStringLiteral("layer 1"));
    QCOMPARE(w.selection.shown_layer(), int64_t{1});
    command(*w.window, QStringLiteral("request 0"));
    QCOMPARE(w.selection.shown_request(), int64_t{0});

    const SelectionState before = w.selection.state();
    CommandPalette* palette = open_palette(*w.window);
    for (const auto& [typed, says] : {std::pair{"block 128", "0 to 127"},
                                      {"step 99", "1 to"},
                                      {"block", "0 to 127"},
                                      {"request 7", "0 to 0"}}) {
      palette->line()->clear();
      QTest::keyClicks(palette->line(), QLatin1String(typed));
      const Command& first = palette->found().at(0);
      QVERIFY2(first.refusal.contains(QLatin1String(says)), qPrintable(first.refusal));
      QTest::keyClick(palette->line(), Qt::Key_Return);
      QVERIFY(palette->isVisible());
    }
    QVERIFY(w.selection.state() == before);
  }

  void an_open_palette_follows_the_run() {
    Workbench w(synthetic_scenario(40, 6));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start(true));
    QVERIFY(wait_until_stands(w.bridge));
    w.bridge.step(Granularity::kStep);
    QVERIFY(wait_until_stands(w.bridge));
    CommandPalette* palette = open_palette(*w.window);
    QTest::keyClicks(palette->line(), QStringLiteral("step 3"));
    QVERIFY(!palette->found().at(0).refusal.isEmpty());
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QVERIFY(palette->isVisible());
    w.bridge.run();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTRY_VERIFY(palette->found().at(0).refusal.isEmpty());
    QCOMPARE(palette->line()->text(), QStringLiteral("step 3"));
    QCOMPARE(palette->list()->currentIndex().row(), 0);
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QCOMPARE(w.window->cursor().step(), 3u);
  }

  void what_cannot_be_done_says_why() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    CommandPalette* palette = open_palette(*w.window);
    for (const char* typed : {"go back", "go forward", "export compare png", "smaller text"}) {
      palette->line()->clear();
      QTest::keyClicks(palette->line(), QLatin1String(typed));
      const Command& first = palette->found().at(0);
      QVERIFY2(first.refusal.size() > 10, qPrintable(first.name));
      QTest::keyClick(palette->line(), Qt::Key_Return);
      QVERIFY(palette->isVisible());
      QVERIFY(palette->line()->accessibleDescription().contains(first.refusal));
    }
    QVERIFY(!palette->list()->accessibleName().isEmpty());
    palette->line()->clear();
    QTest::keyClicks(palette->line(), QStringLiteral("qqqqqq"));
    QCOMPARE(palette->found().rowCount(), 0);
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QVERIFY(palette->isVisible());
  }
};

ATTN_QT_TEST(test_command_palette, attn::gui::test::run<TestCommandPalette>)
#include "test_command_palette.moc"
