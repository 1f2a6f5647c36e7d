// SPDX-License-Identifier: GPL-3.0-or-later
// Help, hints of views, descriptions of scenarios, context menus, and problems told at fields.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTextBlock>
#include <QToolButton>

#include "backends/register_all.h"
#include "gui/app/commands/view_menu.h"
#include "gui/app/help/help_texts.h"
#include "gui/app/view_registry.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/workload/field.h"
#include "gui/views/workload/scenario_list.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestWhereAmI : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    bench_ = std::make_unique<Workbench>(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    auto* compare = window().view<CompareView>();
    window().show_attention(compare);
    compare->toggle_job();
    QVERIFY(QTest::qWaitFor([&] { return compare->model().result() != nullptr; }, 60000));
  }
  void init() { fail_on_warnings(); }
  void cleanup() {
    if (HelpPage* page = window().help().page()) {
      page->close();
      QTRY_VERIFY(!window().help().page());
    }
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    bench_->selection.clear();
    window().cursor().go_live();
    Theme::instance().set_text_percent(100);
    window().reset_layout();
  }
  void cleanupTestCase() { bench_.reset(); }

  void every_view_says_what_to_look_at() {
    for (const ViewEntry& entry : view_registry()) {
      QVERIFY2(entry.look_at.endsWith(QLatin1Char('.')) && entry.look_at.size() <= 110,
               entry.name.c_str());
      PanelHeader* header = header_of(*window().view(entry.name));
      QVERIFY2(header, entry.name.c_str());
      QCOMPARE(header->hint(), entry.look_at);
      QCOMPARE(header->accessibleDescription(), entry.look_at);
    }
    const QTabWidget* tabs = window().attention_tabs();
    for (int i = 0; i < tabs->count(); ++i)
      QCOMPARE(tabs->tabToolTip(i),
               find_view(tabs->widget(i)->objectName().toStdString())->look_at);
  }

  void the_line_is_never_cut_off() {
    for (const int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      PanelHeader header(QStringLiteral("Heatmap"));
      const int high = header.height();
      header.set_detail(QStringLiteral("layer 2, head 3"));
      header.set_hint(find_view("heatmap")->look_at);
      header.show();
      QCOMPARE(header.height(), high);
      bool whole = false, left_out = false;
      for (int width = 120; width <= 1600; width += 37) {
        header.resize(width, high);
        QCoreApplication::sendPostedEvents();
        TextRecorder recorder(header.size());
        header.render(&recorder);
        bool drawn = false;
        for (const DrawnText& text : recorder.texts()) {
          if (text.text != header.hint() && !text.text.endsWith(QChar(0x2026))) continue;
          drawn = true;
          whole = whole || text.text == header.hint();
          QVERIFY2(text.ink.width() - text.visible.width() < 2, qPrintable(text.text));
          QVERIFY(text.text.size() > 8);
        }
        left_out = left_out || !drawn;
      }
      QVERIFY(whole && left_out);
    }
  }

  void every_description_is_in_the_window() {
    const Scenario before = bench_->control.scenario();
    Description& about = *window().workload()->description();
    QMenu& menu = *window().run_bar()->scenario_menu();
    emit menu.aboutToShow();
    window().help().show_scenarios();
    const QString page = window().help().page()->text()->toPlainText();
    for (const std::string& shipped : shipped_scenarios()) {
      const QString name = QString::fromStdString(shipped);
      QFile file(QString::fromStdString((assets_folder() / "scenarios").string()) +
                 QLatin1Char('/') + name + QStringLiteral(".json"));
      QVERIFY2(file.open(QIODevice::ReadOnly), shipped.c_str());
      const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
      const QString description = json[QLatin1String("description")].toString();
      QCOMPARE(words_of_scenario(name), json[QLatin1String("title")].toString());
      QVERIFY2(!description.isEmpty(), shipped.c_str());
      QVERIFY2(bench_->control.open(name), shipped.c_str());
      QVERIFY2(!about.isHidden() && description.startsWith(about.shown()), shipped.c_str());
      if (!about.more_button()->isHidden()) {
        QVERIFY(about.shown() != description);
        about.more_button()->click();
      }
      QCOMPARE(about.shown(), description);
      QVERIFY2(page.contains(description), shipped.c_str());
      QList<QAction*> entries;
      for (const QAction* group : menu.actions())
        if (group->menu() && group->menu()->toolTipsVisible()) entries += group->menu()->actions();
      const auto entry = std::ranges::find_if(entries, [&](const QAction* action) {
        return action->text() == words_of_scenario(name);
      });
      QVERIFY2(entry != entries.end(), shipped.c_str());
      QCOMPARE((*entry)->whatsThis(), description);
      QVERIFY2(!(*entry)->toolTip().isEmpty() && menu.toolTipsVisible(), shipped.c_str());
    }
    bench_->control.edit(before);
    QVERIFY(about.isHidden());
  }

  // A name in italics that a reader would look for in the list is the title.
  void documents_call_scenarios_by_their_titles() {
    for (const char* document : {"README.md", "docs/manual.md", "docs/events.md"}) {
      QFile file(QStringLiteral(ATTN_SOURCE_DIR "/%1").arg(QLatin1String(document)));
      QVERIFY2(file.open(QIODevice::ReadOnly), document);
      const QString text = QString::fromUtf8(file.readAll()).simplified();
      for (const std::string& shipped : shipped_scenarios()) {
        const QString title = words_of_scenario(QString::fromStdString(shipped));
        QString of_file = QString::fromStdString(shipped).replace(u'-', u' ');
        of_file[0] = of_file[0].toUpper();
        for (const QString& other : {of_file, title.section(u':', 0, 0)})
          QVERIFY2(other == title || !text.contains(QStringLiteral("*%1*").arg(other)),
                   qPrintable(other));
      }
    }
  }

  void help_begins_with_the_window() {
    const QMenu& menu = *window().run_bar()->help_button()->menu();
    QCOMPARE(menu.actions().front(), window().actions().help);
    window().actions().help->trigger();
    QVERIFY(page_text().contains(QStringLiteral("What is this window")));
  }

  void f1_explains_what_is_under_the_pointer() {
    const auto explain = [&](const QWidget& widget, const QPoint& at) {
      activate();
      QCursor::setPos(widget.mapToGlobal(at));
      QTest::keyClick(&window(), Qt::Key_F1);
      return page_text();
    };
    const QToolButton& help = *window().run_bar()->help_button();
    QVERIFY(explain(help, help.rect().center()).contains(help.toolTip()));
    const auto fields = window().workload()->findChildren<Field*>();
    const auto field = std::ranges::find_if(fields, [](const Field* one) {
      return one->isVisible() && !one->toolTip().isEmpty() &&
             one->visibleRegion().boundingRect() == one->rect();
    });
    QVERIFY(field != fields.end());
    const QWidget& editor = *(*field)->editor();
    QVERIFY(explain(editor, editor.rect().center()).contains(editor.accessibleDescription()));
    QVERIFY(window().help().page()->text()->toHtml().contains(QStringLiteral("doc:window.md")));
    const QTabBar& tabs = *window().attention_tabs()->tabBar();
    QVERIFY(explain(tabs, tabs.tabRect(0).center()).contains(tabs.tabToolTip(0)));
    auto* heatmap = window().view<HeatmapView>();
    window().show_attention(heatmap);
    QTRY_VERIFY(!heatmap->is_behind());
    const QPoint cell = heatmap->rect().center();
    const QString page = explain(*heatmap, cell);
    QVERIFY(page.contains(find_view("heatmap")->look_at));
    QVERIFY(page.contains(heatmap->point_at(cell).text.section(QLatin1Char('\n'), 0, 0)));
    const auto* layer = heatmap->findChild<QSpinBox*>();
    QVERIFY(layer && layer->isVisible());
    explain(*layer, layer->rect().center());
    QVERIFY(window().help().page()->text()->toHtml().contains(QStringLiteral("view:heatmap")));
    activate();
    QCursor::setPos(window().mapToGlobal(QPoint(-500, -500)));
    QTest::keyClick(&window(), Qt::Key_F1);
    QVERIFY(page_text().contains(QStringLiteral("What is this window")));
  }

  void the_manual_has_its_pictures() {
    window().help().show_document(QStringLiteral("manual.md"));
    HelpPage& page = *window().help().page();
    const auto pictures = [&] {
      std::vector<QImage> found;
      const QTextDocument& text = *page.text()->document();
      for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
          if (const QTextImageFormat image = part.fragment().charFormat().toImageFormat();
              image.isValid())
            found.push_back(
                text.resource(QTextDocument::ImageResource, QUrl(image.name())).value<QImage>());
      return found;
    };
    QFile file(QString::fromStdString((assets_folder().parent_path() / "docs/manual.md").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString source = QString::fromUtf8(file.readAll());
    QCOMPARE(pictures().size(), static_cast<size_t>(source.count(QStringLiteral("!["))));
    const auto fit = [&] {
      return std::ranges::all_of(pictures(), [&](const QImage& picture) {
        return !picture.isNull() && picture.width() <= page.text()->viewport()->width() &&
               picture.width() > page.width() / 2;
      });
    };
    QVERIFY(fit());
    page.resize(page.width() - 200, page.height());
    QTRY_VERIFY(fit());
    QVERIFY(page_text().contains(QStringLiteral("Lines from the tokens that read")));
    QVERIFY(path_of_picture(QStringLiteral("images/../../README.md")).isEmpty());
    QVERIFY(path_of_picture(QStringLiteral("/etc/passwd")).isEmpty());
  }

  void help_works_without_a_network() {
    const QMenu& menu = *window().run_bar()->help_button()->menu();
    int opened = 0;
    const std::function<void(const QMenu&)> try_all = [&](const QMenu& of) {
      for (QAction* action : of.actions()) {
        if (action->isSeparator() || action == window().actions().keys ||
            action == window().actions().tour)
          continue;
        if (const QMenu* inner = action->menu()) {
          QVERIFY2(action->isEnabled() && !inner->isEmpty(), qPrintable(action->text()));
          try_all(*inner);
          continue;
        }
        action->trigger();
        HelpPage* page = window().help().page();
        QVERIFY2(page && page->isVisible(), qPrintable(action->text()));
        QVERIFY2(page->text()->toPlainText().size() > 100, qPrintable(action->text()));
        ++opened;
      }
    };
    try_all(menu);
    QVERIFY(opened >= 4 + static_cast<int>(view_registry().size() + help_documents().size()));
    QCOMPARE(help_documents().size(), size_t{15});
    window().help().show_program();
    const QString about = window().help().page()->text()->toPlainText();
    const auto* close = window().help().page()->findChild<QDialogButtonBox*>();
    QVERIFY(close && close->button(QDialogButtonBox::Close)->icon().isNull());
    QVERIFY(about.contains(QLatin1String(ATTN_VERSION)));
    QVERIFY(about.contains(QStringLiteral("GNU General Public License")));
    HelpPage& page = *window().help().page();
    emit page.followed(QStringLiteral("https://example.org/heatmap"));
    QCOMPARE(page.text()->toPlainText(), about);
    emit page.followed(QStringLiteral("block-table.md#swapping"));
    QVERIFY(page.text()->toPlainText() != about);
    page.back_button()->click();
    QCOMPARE(page.text()->toPlainText(), about);
    emit page.followed(QStringLiteral("doc:../CMakeLists.txt"));
    QCOMPARE(page.text()->toPlainText(), about);
    page.close();
    QTRY_VERIFY(!window().help().page());
  }

  void every_view_has_its_menu_data() {
    QTest::addColumn<QString>("name");
    // The source is not a model, so the views that explain one are empty.
    for (const ViewEntry& entry : view_registry())
      if (entry.document != std::string_view("explore.md"))
        QTest::addRow("%s", entry.name.c_str()) << QString::fromStdString(entry.name);
  }
  void every_view_has_its_menu() {
    QFETCH(QString, name);
    gui::View& view = *window().view(name.toStdString());
    window().show_view(&view);
    QTRY_VERIFY(view.isVisible() && !view.is_behind());
    QTest::qWait(50);
    view.grab();  // some places are known only after painting
    const bool follows = find_view(name.toStdString())->follows_selection;
    const std::optional<QPoint> at = something_in(view, follows);
    QVERIFY2(at, qPrintable(name));
    const ViewPoint point = view.point_at(*at);
    const bool leads = leads_somewhere(point);

    ViewMenu* menu = open_menu(view, *at);
    QVERIFY(menu);
    QVERIFY(menu->explain_entry()->isEnabled());
    QCOMPARE(menu->copy_entries().size(), point.numbers.size());
    for (size_t i = 0; i < point.numbers.size(); ++i) {
      const ViewPoint::Number& number = point.numbers[i];
      bool is_number = false;
      number.text.toDouble(&is_number);
      QVERIFY2(is_number, qPrintable(number.text));
      QVERIFY(menu->copy_entries()[i]->text().contains(number.name));
      menu->copy_entries()[i]->trigger();
      QCOMPARE(QGuiApplication::clipboard()->text(), number.text);
    }

    if (!point.things.empty()) QCOMPARE(menu->select_entries().size(), point.things.size());
    for (size_t i = 0; i < point.things.size(); ++i) {
      menu->select_entries()[i]->trigger();
      const SelectionState& state = bench_->selection.state();
      QCOMPARE(state.kind, point.things[i].kind);
      QCOMPARE(state.query, point.things[i].query);
      QCOMPARE(state.key, point.things[i].key);
      QCOMPARE(state.block, point.things[i].block);
      QCOMPARE(state.event, point.things[i].event);
      if (state.kind == SelectionKind::kCell || state.kind == SelectionKind::kToken)
        QVERIFY(state.request >= 0);
    }
    if (point.step) {
      QVERIFY(menu->step_entry());
      menu->step_entry()->trigger();
      QVERIFY(!window().cursor().is_live());
      QCOMPARE(window().cursor().step(), *point.step);
      window().cursor().go_live();
    }

    QMenu* exports = menu->export_menu();
    QCOMPARE(exports->title(), QStringLiteral("Export this view"));
    QVERIFY(exports->menuAction()->isEnabled() && exports->actions().size() >= 7);

    QCOMPARE(menu->open_menu()->menuAction()->isEnabled(), leads);
    for (QAction* open : menu->open_menu()->actions()) {
      if (!leads) break;
      gui::View* other = window().view(open->data().toString().toStdString());
      QVERIFY(other);
      QCOMPARE(open->isEnabled(), other != &view);
      if (other == &view) continue;
      window().show_view(&view);
      bench_->selection.clear();
      open->trigger();
      QTRY_VERIFY2(is_in_front(*other), qPrintable(open->text()));
      if (!point.things.empty())
        QCOMPARE(bench_->selection.state().kind, point.things.front().kind);
      if (point.head >= 0) QCOMPARE(bench_->selection.shown_head(), point.head);
      if (point.step) QCOMPARE(window().cursor().step(), *point.step);
      window().cursor().go_live();
    }

    menu->explain_entry()->trigger();
    const HelpPage* page = window().help().page();
    QVERIFY(page);
    const QString words = page->text()->toPlainText().simplified();
    QVERIFY(words.contains(find_view(name.toStdString())->look_at));
    QVERIFY2(words.contains(point.text.simplified()), qPrintable(words + point.text));
    menu->close();
  }

  void a_copied_weight_is_the_weight() {
    auto& heatmap = *window().view<HeatmapView>();
    window().show_attention(&heatmap);
    for (const auto& [query, key] : {std::pair{12, 3}, {20, 20}, {39, 0}}) {
      const QPoint at = heatmap.rect_of(query, key).center().toPoint();
      ViewMenu* menu = open_menu(heatmap, at);
      QVERIFY(menu);
      menu->copy_entries().front()->trigger();
      menu->close();
      QCOMPARE(QGuiApplication::clipboard()->text().toFloat(), heatmap.shown_value(query, key));
    }
    ViewMenu* menu = open_menu(heatmap, QPoint(2, heatmap.height() - 2));
    QVERIFY(menu && menu->copy_entries().empty() && menu->select_entries().empty());
    QVERIFY(!menu->open_menu()->menuAction()->isEnabled());
    menu->close();
  }

  void keys_open_the_menu_at_the_selection() {
    auto& heatmap = *window().view<HeatmapView>();
    activate();
    for (const bool menu_key : {false, true}) {
      window().show_attention(&heatmap);
      heatmap.select_cell({12, 3});
      QVERIFY(heatmap.place_of_selection());
      const QKeyCombination keys =
          menu_key ? QKeyCombination(Qt::Key_Menu) : Qt::SHIFT | Qt::Key_F10;
      QTest::keySequence(&window(), QKeySequence(keys));
      auto* menu = qobject_cast<ViewMenu*>(QApplication::activePopupWidget());
      QVERIFY2(menu, menu_key ? "Menu" : "Shift+F10");
      QVERIFY2(menu->point().text.startsWith(QStringLiteral("query 12")),
               qPrintable(menu->point().text));
      menu->close();
    }
    QTest::keySequence(&window(), QKeySequence(Qt::SHIFT | Qt::Key_F1));
    QVERIFY(window().help().page());
    QVERIFY(window().help().page()->text()->toPlainText().contains(QStringLiteral("query 12")));
    window().help().page()->close();
    activate();
    auto* field = window().view("events")->findChild<QLineEdit*>();
    window().show_attention(window().view("events"));
    field->setFocus();
    QTest::keySequence(&window(), QKeySequence(Qt::SHIFT | Qt::Key_F10));
    QWidget* popup = QApplication::activePopupWidget();
    QVERIFY(popup && !qobject_cast<ViewMenu*>(popup));
    popup->close();
  }

  void a_problem_at_its_field_is_a_sentence() {
    const Scenario before = bench_->control.scenario();
    Scenario scenario = before;
    scenario.engine.block_size = 0;
    bench_->control.edit(scenario);
    const QString words = bench_->control.problem_at_field();
    QVERIFY2(words.contains(QStringLiteral(". Found: 0. Allowed: ")), qPrintable(words));
    QVERIFY(bench_->control.problem().contains(QStringLiteral("$.engine.block_size")));
    QVERIFY2(!words.contains(QLatin1Char('$')) && words[0].isUpper(), qPrintable(words));
    const auto told = [&](const QString& part) {
      for (const QLabel* label : window().workload()->findChildren<QLabel*>())
        if (label->text().contains(part)) return label->text();
      return QString();
    };
    QVERIFY(!told(QStringLiteral(". Found: 0. Allowed: ")).isEmpty());
    scenario = before;
    scenario.requests[0].n = 10;
    scenario.engine.max_num_seqs = 4;
    bench_->control.edit(scenario);
    QCOMPARE(told(QStringLiteral("Found: 10")),
             QStringLiteral("Samples is larger than Max sequences. Found: 10. Allowed: 1 to 4 (Max "
                            "sequences). Raise Max sequences to 10 or more."));
    scenario = load_scenario(find_scenario("first-look"));
    scenario.requests[0].prompt.clear();
    bench_->control.edit(scenario);
    QCOMPARE(bench_->control.problem_at_field(),
             QStringLiteral("The prompt is empty. Type the text that the model continues."));
    bench_->control.edit(before);
    QVERIFY(bench_->control.problem_at_field().isEmpty());
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  // On the offscreen platform, closing another window does not make this one active again.
  void activate() const {
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
  }

  QString page_text() const {
    const HelpPage* page = window().help().page();
    return page && page->isVisible() ? page->text()->toPlainText() : QString();
  }

  bool is_in_front(gui::View& view) const {
    const QPoint middle = view.mapTo(&window(), view.rect().center());
    return view.isVisible() && view.isAncestorOf(window().childAt(middle));
  }

  // The header of a view is its child or, in a dock, often the title bar; null: it has none.
  static PanelHeader* header_of(const gui::View& view) {
    if (auto* own = view.findChild<PanelHeader*>(QString(), Qt::FindDirectChildrenOnly)) return own;
    const auto* dock = qobject_cast<QDockWidget*>(view.parentWidget());
    return dock ? qobject_cast<PanelHeader*>(dock->titleBarWidget()) : nullptr;
  }

  static bool leads_somewhere(const ViewPoint& point) {
    return !point.things.empty() || point.request >= 0 || point.head >= 0 || point.step;
  }

  static std::optional<QPoint> something_in(gui::View& view, bool leads) {
    for (int y = 3; y < view.height(); y += 6)
      for (int x = 3; x < view.width(); x += 6) {
        const ViewPoint point = view.point_at({x, y});
        const bool enough = leads_somewhere(point) || !leads;
        if (!point.text.isEmpty() && !point.numbers.empty() && enough) return QPoint(x, y);
      }
    return std::nullopt;
  }

  static ViewMenu* open_menu(gui::View& view, const QPoint& at) {
    QWidget* under = view.childAt(at);
    if (!under) under = &view;
    QContextMenuEvent event(QContextMenuEvent::Mouse, under->mapFrom(&view, at),
                            view.mapToGlobal(at));
    QApplication::sendEvent(under, &event);
    return qobject_cast<ViewMenu*>(QApplication::activePopupWidget());
  }

  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_where_am_i, attn::gui::test::run<TestWhereAmI>)
#include "test_where_am_i.moc"
