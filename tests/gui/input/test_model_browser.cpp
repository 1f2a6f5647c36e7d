// SPDX-License-Identifier: GPL-3.0-or-later
// The list of models: what it shows, how models are opened from it, and models that were run.
#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <atomic>
#include <new>

#include "backends/register_all.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/views/workload/field.h"
#include "tests/engine/model/families/llama_folder.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// The first line of a model with this name; null: none.
QTreeWidgetItem* line_of(const QTreeWidget& list, const QString& name) {
  for (QTreeWidgetItem* item : list.findItems(name, Qt::MatchExactly | Qt::MatchRecursive))
    if (item->parent()) return item;
  return nullptr;
}

QComboBox& model_box(const Workbench& w) {
  for (Field* field : w.window->findChildren<Field*>())
    if (field->path() == "$.source.model") return *qobject_cast<QComboBox*>(field->editor());
  qFatal("The form has no field for the model.");
}

QString path_of(const LlamaFolder& model) {
  return QString::fromStdString(model.path().string());
}

}  // namespace

class TestModelBrowser : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(home_.isValid());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home_.path());
    for (const char* name : {"HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME", "LLAMA_CACHE"})
      qunsetenv(name);
    qputenv("HOME", home_.path().toUtf8());
    fine_.write();
    const QString hub =
        home_.filePath(QStringLiteral(".cache/huggingface/hub/models--owner--small/snapshots"));
    QVERIFY(QDir().mkpath(hub));
    std::filesystem::rename(fine_.path(), (hub + QStringLiteral("/12ab")).toStdString());
  }
  void init() {
    fail_on_warnings();
    QSettings().clear();
  }

  void it_lists_what_runs_and_what_does_not() {
    const LlamaFolder broken;
    broken.write();
    QVERIFY(QFile::remove(QString::fromStdString((broken.path() / "config.json").string())));
    std::ofstream(broken.path() / "config.json") << R"({"model_type": "mamba"})";
    Workbench w(synthetic_scenario(8, 1), true);
    w.window->models().opened().add_folder(QString::fromStdString(broken.path().string()));
    ModelBrowser& browser = shown(w);
    const auto& list = *browser.findChild<QTreeWidget*>();
    const QTreeWidgetItem* bundled = line_of(list, QStringLiteral("tinystories-gqa"));
    QVERIFY(bundled);
    QCOMPARE(bundled->text(1), QStringLiteral("llama"));
    QCOMPARE(bundled->text(5), QStringLiteral("yes"));
    const QTreeWidgetItem* small = line_of(list, QStringLiteral("owner/small"));
    QVERIFY(small);
    QCOMPARE(small->text(3), QStringLiteral("F32"));
    QCOMPARE(small->text(5), QStringLiteral("yes"));
    QTreeWidgetItem* other =
        line_of(list, QString::fromStdString(broken.path().filename().string()));
    QVERIFY(other);
    QVERIFY(other->text(5).startsWith(QStringLiteral("no: ")));
    browser.findChild<QTreeWidget*>()->setCurrentItem(other);
    const QString about = browser.findChild<QPlainTextEdit*>()->toPlainText();
    QVERIFY2(about.contains(QStringLiteral("mamba")), qPrintable(about));
  }

  void a_model_is_found_by_its_name_and_run() {
    Workbench w(synthetic_scenario(8, 1), true);
    ModelBrowser& browser = shown(w);
    auto* filter = browser.findChild<QLineEdit*>();
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("owner"));
    auto& list = *browser.findChild<QTreeWidget*>();
    QVERIFY(line_of(list, QStringLiteral("tinystories-gqa"))->isHidden());
    QCOMPARE(list.currentItem(), line_of(list, QStringLiteral("owner/small")));
    const QPointer<ModelBrowser> open(&browser);
    QTest::keyClick(filter, Qt::Key_Return);
    QVERIFY(w.control.is_opening());  // a thread reads the model
    QTRY_VERIFY(!open);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(QString::fromStdString(w.control.scenario().source.model)
                .endsWith(QStringLiteral("snapshots/12ab")));
    QCOMPARE(w.window->models().opened().models().size(), 1);

    ModelBrowser& again = shown(w);
    auto& lines = *again.findChild<QTreeWidget*>();
    QCOMPARE(lines.topLevelItem(1)->text(0), QStringLiteral("Run before"));
    lines.setCurrentItem(lines.topLevelItem(1)->child(0));
    QVERIFY(button(again, "Remove")->isEnabled());
    button(again, "Remove")->click();
    QVERIFY(w.window->models().opened().models().isEmpty());
    QVERIFY(line_of(lines, QStringLiteral("owner/small")));  // still in the cache
  }

  void enter_opens_a_bundled_model_once() {
    Workbench w(synthetic_scenario(8, 1), true);
    ModelBrowser& browser = shown(w);
    auto& list = *browser.findChild<QTreeWidget*>();
    QCOMPARE(list.currentItem(), line_of(list, QStringLiteral("tinystories-gqa")));
    const QSignalSpy opens(&browser, &ModelBrowser::open_wanted);
    const QPointer<ModelBrowser> open(&browser);
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(opens.size(), 1);
    QTRY_VERIFY(!open);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    // The model comes with the program: it is not among those that were run, and the field has one
    // entry for it.
    QVERIFY(w.window->models().opened().models().isEmpty());
    const QComboBox& box = model_box(w);
    QCOMPARE(box.currentText(), QStringLiteral("tinystories-gqa"));
    QCOMPARE(box.count(), std::ssize(shipped_models()) + 1);
  }

  void a_double_click_opens_a_model_once() {
    Workbench w(synthetic_scenario(8, 1), true);
    ModelBrowser& browser = shown(w);
    auto& list = *browser.findChild<QTreeWidget*>();
    QTreeWidgetItem* line = line_of(list, QStringLiteral("owner/small"));
    list.scrollToItem(line);
    const QSignalSpy opens(&browser, &ModelBrowser::open_wanted);
    const QPointer<ModelBrowser> open(&browser);
    const QPoint at = list.visualItemRect(line).center();
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(opens.size(), 1);
    QTRY_VERIFY(!open);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
  }

  void a_model_takes_the_place_of_the_one_of_the_scenario() {
    Workbench w(load_scenario(find_scenario("many-users")), true);
    const Scenario before = w.control.scenario();
    QComboBox& box = model_box(w);
    const QString model_before = box.currentText();
    box.showPopup();
    QTest::keyClick(box.view(), Qt::Key_End);  // selects Other models…
    QTest::keyClick(box.view(), Qt::Key_Return);
    QTRY_VERIFY(w.window->models().browser());
    QCOMPARE(box.currentText(), model_before);
    QVERIFY(w.control.scenario() == before);
    ModelBrowser& browser = *w.window->models().browser();
    QTRY_VERIFY(!browser.is_searching());
    auto& list = *browser.findChild<QTreeWidget*>();
    list.setCurrentItem(line_of(list, QStringLiteral("owner/small")));
    QVERIFY(button(browser, "Use")->isEnabled());
    button(browser, "Use")->click();
    QVERIFY(w.control.scenario() == before);  // a thread reads the model
    QTRY_VERIFY(!w.window->models().browser());
    const Scenario& now = w.control.scenario();
    QVERIFY(QString::fromStdString(now.source.model).endsWith(QStringLiteral("12ab")));
    QCOMPARE(now.requests.size(), before.requests.size());
    QCOMPARE(now.requests.front().prompt, before.requests.front().prompt);
    QCOMPARE(box.currentText(), QStringLiteral("owner/small"));
    QVERIFY(box.currentData(Qt::ToolTipRole).toString().contains(QStringLiteral("12ab")));
    QCOMPARE(box.itemText(box.count() - 1), QStringLiteral("Other models…"));
    w.control.show_scenario(load_scenario(find_scenario("first-look")));
    QCOMPARE(box.findText(QStringLiteral("owner/small")), -1);
    QCOMPARE(box.itemText(box.count() - 1), QStringLiteral("Other models…"));

    w.control.edit(synthetic_scenario(8, 1));  // has no model
    QVERIFY(!button(shown(w), "Use")->isEnabled());
  }

  void the_list_of_run_models_has_limits_and_survives_damage() {
    OpenedModels opened(true);
    for (int i = 0; i < 60; ++i) opened.add_model(QStringLiteral("/m/%1").arg(i));
    QCOMPARE(opened.models().size(), OpenedModels::kMostModels);
    QCOMPARE(opened.models().front(), QStringLiteral("/m/59"));
    opened.add_model(QStringLiteral("/m/50"));
    QCOMPARE(OpenedModels(true).models().front(), QStringLiteral("/m/50"));
    QCOMPARE(opened.models().count(QStringLiteral("/m/50")), 1);
    QSettings().setValue(QStringLiteral("models/opened"),
                         QStringList({QString(), QString(5000, QLatin1Char('x'))}));
    QVERIFY(opened.models().isEmpty());
    OpenedModels unkept(false);
    unkept.add_model(QStringLiteral("/m/1"));
    QCOMPARE(unkept.models().size(), 1);
    QVERIFY(opened.models().isEmpty());
  }

  void models_that_were_loaded_here_are_remembered() {
    const QTemporaryDir folder;
    const LlamaFolder model, broken;
    model.write();
    const QString moved = folder.filePath(QStringLiteral("small"));
    std::filesystem::rename(model.path(), moved.toStdString());
    Scenario scenario = model_scenario(moved.toStdString());
    scenario.source.model = "./small";  // relative to the file of the scenario
    const std::string file = folder.filePath(QStringLiteral("a.json")).toStdString();
    std::ofstream(file) << to_json(scenario);
    Workbench w(load_scenario(file));
    OpenedModels& opened = w.window->models().opened();
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(opened.models(), QStringList{moved});

    // A recorded run may come from another machine, so its model is not listed as one that was run.
    opened.forget(moved);
    w.control.edit(synthetic_scenario(8, 1));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    w.control.go_back();
    QTRY_VERIFY(w.bridge.session());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(w.bridge.snapshot()->scenario->source.reads_text());
    QVERIFY(opened.models().isEmpty());

    // A model that cannot be loaded is not listed as one that was run.
    broken.write_json("config.json", {{"model_type", "mamba"}});
    scenario.source.model = broken.path().string();
    w.control.edit(scenario);
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFailed));
    QVERIFY(opened.models().isEmpty());
  }

  void a_model_that_comes_back_has_its_name_in_the_list_of_scenarios() {
    const LlamaFolder model;
    model.write();
    Workbench w(synthetic_scenario(8, 1));
    const QComboBox* scenarios = nullptr;
    for (const QComboBox* box : w.window->findChildren<QComboBox*>())
      if (box->accessibleName() == QLatin1String("Scenario")) scenarios = box;
    QVERIFY(scenarios);
    const auto open = [&](const QString& file) {
      return w.control.open(file) && w.control.start() &&
             wait_until_phase(w.bridge, EnginePhase::kFinished);
    };
    QVERIFY(open(QString::fromStdString(model.path().string())));
    const QString name = scenarios->currentText();
    QVERIFY(!name.isEmpty());
    const int entries = scenarios->count();
    QVERIFY(open(QStringLiteral("sliding-window")));
    QVERIFY(scenarios->currentText() != name);
    w.control.go_back();
    QTRY_VERIFY(w.bridge.session());
    QCOMPARE(scenarios->currentText(), name);
    QCOMPARE(scenarios->count(), entries);
  }

  void models_and_folders_come_and_go_without_a_new_search() {
    const LlamaFolder added;
    added.write();
    Workbench w(synthetic_scenario(8, 1), true);
    for (const char* path : {"/none/c", "/none/b", "/none/a"})
      w.window->models().opened().add_model(QLatin1String(path));
    ModelBrowser& browser = shown(w);
    auto& list = *browser.findChild<QTreeWidget*>();
    const QTreeWidgetItem* bundled = line_of(list, QStringLiteral("tinystories-gqa"));
    const auto remove = [&](const QString& name) {
      list.setCurrentItem(line_of(list, name));
      button(browser, "Remove")->click();
      return list.currentItem()->text(0);
    };
    QCOMPARE(remove(QStringLiteral("b")), QStringLiteral("c"));
    QCOMPARE(remove(QStringLiteral("c")), QStringLiteral("a"));
    const QString cache = list.topLevelItem(2)->text(0);
    QCOMPARE(remove(QStringLiteral("a")), cache);  // the group goes with its last line
    QVERIFY(!browser.is_searching());
    QCOMPARE(bundled->text(5), QStringLiteral("yes"));

    browser.look_into(path_of(added));
    QCOMPARE(list.currentItem(), list.topLevelItem(1));
    QCOMPARE(bundled->text(5), QStringLiteral("yes"));
    QTRY_VERIFY(!browser.is_searching());
    const QString name = QString::fromStdString(added.path().filename().string());
    QCOMPARE(line_of(list, name)->text(5), QStringLiteral("yes"));
    browser.look_into(path_of(added));  // the same folder again
    QTRY_VERIFY(!browser.is_searching());
    QCOMPARE(list.topLevelItem(1)->childCount(), 1);
    list.setCurrentItem(list.topLevelItem(1));
    button(browser, "Remove")->click();
    QVERIFY(!line_of(list, name));
    QCOMPARE(list.currentItem()->text(0), cache);
    QVERIFY(w.window->models().opened().folders().isEmpty());
  }

  void a_model_is_shown_once() {
    const LlamaFolder model;
    model.write();
    const QString path = path_of(model), link = home_.filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(path, link));
    Workbench w(synthetic_scenario(8, 1), true);
    OpenedModels& opened = w.window->models().opened();
    opened.add_model(path);
    opened.add_model(link);  // the same model by another path
    QCOMPARE(opened.models(), QStringList{link});
    ModelBrowser& browser = shown(w);
    browser.look_into(path);
    QTRY_VERIFY(!browser.is_searching());
    auto& list = *browser.findChild<QTreeWidget*>();
    QTreeWidgetItem *before = list.topLevelItem(1), *folder = list.topLevelItem(2);
    QCOMPARE(before->childCount(), 1);
    QVERIFY(!before->child(0)->isHidden());
    QCOMPARE(folder->childCount(), 1);
    QVERIFY(folder->child(0)->isHidden());
    QVERIFY2(folder->text(0).endsWith(QStringLiteral("1 model is listed above")),
             qPrintable(folder->text(0)));
    list.setCurrentItem(before->child(0));
    button(browser, "Remove")->click();
    QVERIFY(!folder->child(0)->isHidden());
    QVERIFY(!folder->text(0).contains(QStringLiteral("above")));
    QVERIFY(QFile::remove(link));
  }

  void an_edit_of_the_scenario_leaves_the_details() {
    Workbench w(synthetic_scenario(8, 1), true);
    const ModelBrowser& browser = shown(w);
    QVERIFY(!button(browser, "Use")->isEnabled());
    auto* details = browser.findChild<QPlainTextEdit*>();
    details->selectAll();
    const QString selected = details->textCursor().selectedText();
    QVERIFY(!selected.isEmpty());
    w.control.edit(load_scenario(find_scenario("first-look")));
    QVERIFY(button(browser, "Use")->isEnabled());
    QCOMPARE(details->textCursor().selectedText(), selected);
  }

  void closing_waits_for_no_model_and_ends_the_search() {
    QSemaphore go;
    std::atomic<int> begun = 0;
    {
      ModelSearch search({.find = find_models, .check = [&](const auto&, int64_t) {
                            ++begun;
                            go.acquire();
                            return ModelCheck{};
                          }});
      EngineBridge bridge;
      const RunControl control(bridge);
      OpenedModels opened(false);
      auto browser =
          std::make_unique<ModelBrowser>(control, opened, search, QStringList(), nullptr);
      QTRY_COMPARE(begun.load(), 1);
      browser.reset();
      QVERIFY(!search.is_going_on());
      go.release(1000);
    }
    QCOMPARE(begun.load(), 1);
  }

  void a_model_that_is_listed_twice_is_checked_once() {
    std::atomic<int> checks = 0;
    ModelSearch search({.find =
                            [](const auto&, const auto&) {
                              FoundModels found;
                              found.models = {"/m/a", "/m/b"};
                              return found;
                            },
                        .check =
                            [&](const auto&, int64_t) {
                              ++checks;
                              return ModelCheck{};
                            }});
    search.search({QStringLiteral("/m/b")}, {QStringLiteral("/m"), QStringLiteral("/n")});
    QTRY_VERIFY(!search.is_going_on());
    QCOMPARE(checks.load(), 2);
  }

  void a_folder_for_which_memory_is_short_is_told() {
    ModelSearch search(
        {.find = [](const auto&, const auto&) -> FoundModels { throw std::bad_alloc(); },
         .check = check_model});
    int64_t closed = 0;
    connect(&search, &ModelSearch::found, this,
            [&](const QString&, const FoundModels& found) { closed += found.closed_folders; });
    search.search({}, {QStringLiteral("/m")});
    QTRY_VERIFY(!search.is_going_on());
    QCOMPARE(closed, 1);
  }

 private:
  static ModelBrowser& shown(Workbench& w) {
    w.window->actions().models->trigger();
    ModelBrowser& browser = *w.window->models().browser();
    [&] { QTRY_VERIFY(!browser.is_searching()); }();
    return browser;
  }
  static QPushButton* button(const ModelBrowser& browser, const char* word) {
    for (QPushButton* one : browser.findChildren<QPushButton*>())
      if (one->text().contains(QLatin1String(word))) return one;
    return nullptr;
  }

  QTemporaryDir home_;
  LlamaFolder fine_;
};

ATTN_QT_TEST(test_model_browser, attn::gui::test::run<TestModelBrowser>)
#include "test_model_browser.moc"
