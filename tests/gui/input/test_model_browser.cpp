// SPDX-License-Identifier: GPL-3.0-or-later
// The list of models.
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "backends/register_all.h"
#include "gui/views/workload/scenario_form.h"
#include "gui/views/workload/workload_panel.h"
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
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTRY_VERIFY(!open);
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
    QTRY_VERIFY(!again.is_searching());
    QVERIFY(line_of(lines, QStringLiteral("owner/small")));  // still in the cache
  }

  void a_model_takes_the_place_of_the_one_of_the_scenario() {
    Workbench w(load_scenario(find_scenario("many-users")), true);
    const Scenario before = w.control.scenario();
    w.window->findChild<WorkloadPanel*>()->form()->models_wanted();
    QTRY_VERIFY(w.window->models().browser());
    ModelBrowser& browser = *w.window->models().browser();
    QTRY_VERIFY(!browser.is_searching());
    auto& list = *browser.findChild<QTreeWidget*>();
    list.setCurrentItem(line_of(list, QStringLiteral("owner/small")));
    QVERIFY(button(browser, "Use")->isEnabled());
    button(browser, "Use")->click();
    QTRY_VERIFY(!w.window->models().browser());
    const Scenario& now = w.control.scenario();
    QVERIFY(QString::fromStdString(now.source.model).endsWith(QStringLiteral("12ab")));
    QCOMPARE(now.requests.size(), before.requests.size());
    QCOMPARE(now.requests.front().prompt, before.requests.front().prompt);

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

  void closing_ends_the_search() {
    Workbench w(synthetic_scenario(8, 1), true);
    w.window->actions().models->trigger();
    const QPointer<ModelBrowser> browser = w.window->models().browser();
    QVERIFY(browser);
    browser->close();
    QTRY_VERIFY(!browser);
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
