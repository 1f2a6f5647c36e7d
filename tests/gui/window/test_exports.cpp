// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of the window and of `run`: files of views, reports, HTML pages, the log, and copies.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/session/history/step_history.h"
#include "engine/session/report/report.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/app/command_line.h"
#include "gui/app/commands/actions.h"
#include "gui/app/headless/headless.h"
#include "gui/app/window/figure_dialog.h"
#include "gui/bridge/log.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/explore/explore_view.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/text/ticks.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/view_stage.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QMenu* export_menu(const Workbench& w) {
  for (QMenu* menu : w.window->findChildren<QMenu*>())
    if (!menu->actions().isEmpty() &&
        menu->actions().front()->text() == QStringLiteral("Figure of the heatmap…"))
      return menu;
  return nullptr;
}

}  // namespace

class TestExports : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void the_figure_dialog_says_what_cannot_be() {
    EngineSnapshot snapshot;
    snapshot.source.num_layers = 2;
    snapshot.source.num_heads = 4;
    snapshot.requests.resize(2);
    snapshot.requests[0].id = 0;
    snapshot.requests[1].id = 1;
    snapshot.requests[1].interventions.resize(1);
    FigureDialog dialog(snapshot, {.request = 0, .colormap = {}}, nullptr);
    dialog.show();
    const auto box = [&](const char* name) {
      QComboBox* found = nullptr;
      for (auto* one : dialog.findChildren<QComboBox*>())
        if (one->accessibleName() == QLatin1String(name)) found = one;
      return found;
    };

    auto* width = dialog.findChild<QDoubleSpinBox*>();
    QVERIFY(width->accessibleName().contains(QStringLiteral("20 to 1000 mm")));
    width->setFocus();
    width->selectAll();
    QTest::keyClicks(width, QStringLiteral("5000"));
    QVERIFY2(width->text().startsWith(QStringLiteral("5000")), qPrintable(width->text()));
    width->interpretText();
    QCOMPARE(dialog.spec().width_mm, 1000.0);

    QCheckBox* layers = nullptr;
    for (auto* one : dialog.findChildren<QCheckBox*>())
      if (one->text() == QStringLiteral("All layers")) layers = one;
    QVERIFY(layers && !layers->isEnabled());
    QVERIFY(layers->toolTip().contains(QStringLiteral("all heads")));
    box("Head")->setCurrentIndex(4);
    QVERIFY(layers->isEnabled());
    QVERIFY(!layers->toolTip().contains(QStringLiteral("first")));

    QComboBox* format = box("Format");
    const int npy = format->findData(QStringLiteral("npy"));
    const auto offered = [&] { return format->model()->flags(format->model()->index(npy, 0)); };
    format->setCurrentIndex(npy);
    QVERIFY(offered() & Qt::ItemIsEnabled);
    box("Request")->setCurrentIndex(1);
    QVERIFY(!(offered() & Qt::ItemIsEnabled));
    QVERIFY(format->itemText(npy).contains(QStringLiteral("changed request")));
    QCOMPARE(dialog.spec().format, QStringLiteral("safetensors"));
    box("Request")->setCurrentIndex(0);
    QVERIFY(offered() & Qt::ItemIsEnabled);
  }

  void a_pdf_is_one_page_of_the_views_size() {
    Workbench w(synthetic_scenario(40, 4));
    finish(w);
    for (gui::View* view : w.window->views()) {
      const QString name = view->export_name();
      const QByteArray bytes = written(w, *view, QStringLiteral("pdf"));
      QVERIFY2(bytes.startsWith("%PDF-"), qPrintable(name));
      const QString text = QString::fromLatin1(bytes);
      QCOMPARE(text.count(QRegularExpression(QStringLiteral("/Type /Page\\b"))), 1);
      const auto box =
          QRegularExpression(QStringLiteral(R"(/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\])"))
              .match(text);
      QVERIFY2(box.hasMatch(), qPrintable(name));
      QVERIFY(std::abs(box.captured(1).toDouble() - view->export_size().width() * 0.75) < 1);
      QVERIFY(std::abs(box.captured(2).toDouble() - view->export_size().height() * 0.75) < 1);
      QVERIFY2(text.contains(QStringLiteral("/Type /Font")), qPrintable(name));
      // JPEG would change the colours of cells.
      QVERIFY2(!text.contains(QStringLiteral("/DCTDecode")), qPrintable(name));
    }
  }

  void a_page_begins_with_what_is_shown() {
    Workbench w(synthetic_scenario(12, 4));
    finish(w);
    w.selection.show(0, 1, 1);
    w.window->cursor().go_to(2);
    for (const char* name : {"heatmap", "lines", "blocks", "timeline"}) {
      const QString page =
          QString::fromUtf8(written(w, *w.window->view(name), QStringLiteral("html")));
      QVERIFY2(page.contains(QStringLiteral("\"shown\":{\"view\":\"%1\",\"request\":0,\"layer\":1,"
                                            "\"head\":1,\"step\":2}")
                                 .arg(QLatin1String(name))),
               name);
    }
    Workbench idle(synthetic_scenario(12, 4));
    QSignalSpy refused(idle.window.get(), &MainWindow::export_finished);
    idle.window->export_view(*idle.window->view("heatmap"), QStringLiteral("html"),
                             folder_.filePath(QStringLiteral("none.html")));
    QCOMPARE(refused.count(), 1);
    QVERIFY(!refused.front().at(1).toBool());
  }

  void a_pdf_that_cannot_be_written_is_told() {
    Workbench w(synthetic_scenario(8, 1));
    finish(w);
    QSignalSpy refused(w.window.get(), &MainWindow::export_finished);
    w.window->export_view(*w.window->view("heatmap"), QStringLiteral("pdf"),
                          QStringLiteral("/no/such/folder/a.pdf"));
    QVERIFY(refused.wait(60000));
    QVERIFY(!refused.front().at(1).toBool());
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("/no/such/folder/a.pdf")));
  }

  void a_report_shows_blocks_in_use_and_has_all_tables() {
    Workbench w(synthetic_scenario(40, 4));
    finish(w);
    const QString folder = folder_.filePath(QStringLiteral("report"));
    QSignalSpy done(w.window.get(), &MainWindow::report_finished);
    w.window->export_report(folder);
    QVERIFY(done.count() > 0 || done.wait(60000));
    QVERIFY(done.front().front().toBool());
    const QDir report(folder);
    for (const gui::View* view : w.window->views())
      if (view->has_own_table())
        QVERIFY2(report.exists(view->table_name() + QStringLiteral(".csv")),
                 qPrintable(view->table_name()));
    for (const char* name : {"metrics.csv", "tiles.csv", "events.csv"})
      QVERIFY2(report.exists(QLatin1String(name)), name);
    const QString picture = QString::fromUtf8(read(report.filePath(QStringLiteral("blocks.svg"))));
    QVERIFY(picture.contains(QStringLiteral("most blocks in use")));
    const EngineSnapshot& now = *w.bridge.snapshot();
    const auto first = now.history->restore(now, 1);
    QCOMPARE(QString::fromUtf8(read(report.filePath(QStringLiteral("block_table.csv")))),
             QString::fromStdString(block_table_csv(*first)));
    QVERIFY(!w.window->view<BlocksView>()->canvas().scene().snapshot->requests[0].on_device());
  }

  void a_report_leaves_a_comparison_of_another_run_out() {
    Workbench w(synthetic_scenario(12, 2));
    finish(w);
    auto& compare = *w.window->view<CompareView>();
    compare.set_backends({"torch_sdpa", "reference"});
    compare.do_job("test");
    const auto report = [&](const char* name) {
      QSignalSpy done(w.window.get(), &MainWindow::report_finished);
      const QString folder = folder_.filePath(QLatin1String(name));
      w.window->export_report(folder);
      if (done.count() == 0) done.wait(60000);
      return folder;
    };
    QVERIFY(QFile::exists(report("own") + QStringLiteral("/compare.csv")));
    w.control.edit(synthetic_scenario(13, 2));
    finish(w);
    const QString other = report("other");
    QVERIFY(QFile::exists(other + QStringLiteral("/heads.csv")));
    QVERIFY(!QFile::exists(other + QStringLiteral("/compare.csv")));
    QString told;
    for (; w.window->message_bar()->count() > 0; w.window->message_bar()->close_shown())
      told += w.window->message_bar()->text();
    QVERIFY2(told.contains(QStringLiteral("The report has no comparison")), qPrintable(told));
    QVERIFY(read(other + QStringLiteral("/manifest.json")).contains("compare is left out"));
  }

  void a_report_says_that_its_events_are_filtered() {
    Workbench w(synthetic_scenario(12, 2));
    finish(w);
    auto& events = *w.window->view<EventsView>();
    const auto report = [&](const char* name) {
      QSignalSpy done(w.window.get(), &MainWindow::report_finished);
      const QString folder = folder_.filePath(QLatin1String(name));
      w.window->export_report(folder);
      if (done.count() == 0) done.wait(60000);
      return folder;
    };
    const auto told = [&] {
      QString all;
      for (; w.window->message_bar()->count() > 0; w.window->message_bar()->close_shown())
        all += w.window->message_bar()->text() + QLatin1Char('\n');
      return all;
    };
    QVERIFY(!read(report("all_events") + QStringLiteral("/manifest.json")).contains("the filter"));
    QVERIFY(!told().contains(QStringLiteral("the filter")));
    QVERIFY(events.set_filter(QStringLiteral("kind:step")).isEmpty());
    QTRY_VERIFY(events.rows().complete());
    const QString words =
        QStringLiteral("events.csv has only the events that fit the filter “kind:step”: %1 of %2")
            .arg(format_count(static_cast<int64_t>(events.rows().size())),
                 format_count(static_cast<int64_t>(events.rows().total())));
    QVERIFY(events.rows().size() < events.rows().total());
    const QString folder = report("some_events");
    const QString said = told();
    QVERIFY2(said.contains(words), qPrintable(said));
    for (const char* file : {"/index.html", "/manifest.json"})
      QVERIFY2(read(folder + QLatin1String(file)).contains(words.toUtf8()), file);
    QCOMPARE(read(folder + QStringLiteral("/events.csv")).count('\n'),
             static_cast<qsizetype>(events.rows().size()) + 1);
  }

  void the_page_of_the_run_is_in_the_menu() {
    Workbench w(synthetic_scenario(12, 2));
    finish(w);
    QMenu* exports = export_menu(w);
    QVERIFY(exports);
    QAction* command = nullptr;
    for (QAction* action : exports->actions())
      if (action->text() == QStringLiteral("Interactive page (HTML)…")) command = action;
    QVERIFY(command && command->isEnabled());
    QSignalSpy exported(w.window.get(), &MainWindow::export_finished);
    QString proposed;
    QTimer::singleShot(0, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      dialog->setDirectory(folder_.path());
      proposed = QFileInfo(dialog->selectedFiles().value(0)).fileName();
      QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                        Qt::LeftButton);
    });
    command->trigger();
    QCOMPARE(proposed, QStringLiteral("run.html"));
    QVERIFY(exported.count() == 1 || exported.wait(60000));
    QFile page(folder_.filePath(QStringLiteral("run.html")));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray html = page.readAll();
    QVERIFY(html.contains("\"shown\":{\"view\":\"heatmap\""));
    QByteArray table;
    for (const QRgb color : color_table(ColorMapId::kCividis))
      table += QByteArray::number(color & 0xffffffu, 16).rightJustified(6, '0');
    QVERIFY(html.contains("\"table\":\"" + table));
  }

  void a_grey_entry_says_why() {
    Workbench w(synthetic_scenario(12, 2));
    finish(w);
    QMenu* exports = export_menu(w);
    QVERIFY(exports && exports->toolTipsVisible());
    int grey = 0;
    for (const QAction* group : exports->actions()) {
      if (!group->menu()) continue;
      QVERIFY(group->menu()->toolTipsVisible());
      emit group->menu()->aboutToShow();
      for (const QAction* action : group->menu()->actions()) {
        if (action->isEnabled()) continue;
        ++grey;
        QVERIFY2(action->toolTip() == refusal_of(*action) && action->toolTip().size() > 10,
                 qPrintable(action->text()));
      }
    }
    QVERIFY(grey > 3);
  }

  // A menu that is higher than the screen gets two columns.
  void the_menu_has_one_column_in_a_low_window() {
    Workbench w(synthetic_scenario(12, 2));
    Theme::instance().set_projector(true);  // as in the layout Teach
    const auto restore = qScopeGuard([] {
      Theme::instance().set_projector(false);
      Theme::instance().set_text_percent(100);
    });
    for (const int percent : {100, 150}) {
      Theme::instance().set_text_percent(percent);
      QCoreApplication::processEvents();
      QMenu* exports = export_menu(w);
      QVERIFY(exports);
      size_t views = 0;
      QList<QMenu*> menus{exports};
      for (const QAction* group : exports->actions())
        if (group->menu()) {
          menus << group->menu();
          views += static_cast<size_t>(group->menu()->actions().size());
        }
      QCOMPARE(views, w.window->all_views().size());
      for (QMenu* menu : menus) {
        int height = 0;
        for (QAction* action : menu->actions()) height += menu->actionGeometry(action).height();
        QVERIFY2(
            height > 100 && height < 680,
            qPrintable(
                QStringLiteral("%1 at %2%: %3 px").arg(menu->title()).arg(percent).arg(height)));
      }
    }
  }

  void figures_of_another_run_are_not_replaced() {
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = "samples";
    line.scale = 1;
    line.views = {"blocks"};
    line.export_folder = folder_.filePath(QStringLiteral("figures")).toStdString();
    run_and_export(line);
    run_and_export(line);
    const auto refusal = [&] {
      try {
        run_and_export(line);
      } catch (const Error& error) {
        return error.exit_code() == 2 ? QString::fromUtf8(error.what()) : QString();
      }
      return QString();
    };
    line.views = {"timeline"};
    const QString lost = refusal();
    QVERIFY2(lost.contains(QStringLiteral("--export")) &&
                 lost.contains(QStringLiteral("blocks.pdf, blocks.png, blocks.svg")) &&
                 lost.contains(QStringLiteral("--force")),
             qPrintable(lost));
    line.views = {"blocks"};
    line.scenario = "first-look";
    const QString other = refusal();
    QVERIFY2(other.contains(QStringLiteral("one of ")), qPrintable(other));
    line.force = true;
    run_and_export(line);
  }

  void a_session_shows_what_its_window_did() {
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = folder_.filePath(QStringLiteral("choices.attn-session")).toStdString();
    EngineBridge bridge;
    Scenario scenario = load_scenario(find_scenario("first-look"));
    scenario.requests.resize(1);
    scenario.requests[0].max_tokens = 2;
    scenario.view.pace_tiles_per_s = 0;
    bridge.start(scenario);
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    bridge.runner().save(line.scenario, R"({"views": {"knock_out": {"options": {"changes":
        [{"kind": "head", "layer": 4, "head": 2, "with": "zero"}]}}}})",
                         {}, {}, [](std::exception_ptr) {});
    bridge.runner().wait_finished(std::chrono::minutes(1));
    line.scale = 1;
    line.views = {"knock_out", "circuits"};
    const QDir out(folder_.filePath(QStringLiteral("choices")));
    line.export_folder = out.path().toStdString();
    QCOMPARE(run_and_export(line), 0);
    QFile changed(out.filePath(QStringLiteral("knock_out.csv"))),
        circuits(out.filePath(QStringLiteral("circuits.csv")));
    QVERIFY(changed.open(QIODevice::ReadOnly) && circuits.open(QIODevice::ReadOnly));
    QVERIFY(changed.readAll().count('\n') > 2);
    QVERIFY(circuits.readAll().count('\n') > 2);
  }

  void a_model_without_a_lens_says_so_and_has_no_file_of_it() {
    const FamilyCase bert("bert_1");
    const QString file = folder_.filePath(QStringLiteral("encoder.json"));
    Scenario scenario = attn::model_scenario(bert.write());
    scenario.requests.front().prompt = "abba";
    write_file_atomically(file.toStdString(), to_json(scenario));
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = file.toStdString();
    line.scale = 1;
    line.views = {"lens"};
    const QDir out(folder_.filePath(QStringLiteral("no lens")));
    line.export_folder = out.path().toStdString();
    std::string why;
    try {
      run_and_export(line);
    } catch (const Error& error) {
      QCOMPARE(error.exit_code(), 3);
      why = error.what();
    }
    QVERIFY2(why.find("lens") != std::string::npos, why.c_str());
    QVERIFY(out.exists(QStringLiteral("index.html")));
    QVERIFY(out.entryList({QStringLiteral("lens.*")}).isEmpty());
  }

  // What it shows is computed for the export. A report does not wait for it.
  void a_view_that_was_not_opened_is_exported() {
    Scenario scenario = deterministic("first-look", 2);
    scenario.requests.resize(1);
    Workbench w(scenario);
    finish(w);
    gui::View &lens = *w.window->view("lens"), &rollout = *w.window->view("rollout");
    QVERIFY(lens.nothing_to_export().contains(QStringLiteral("Inside is off")));
    qobject_cast<ExploreView*>(w.window->view("next_token"))->inside_switch().setChecked(true);
    QTRY_VERIFY(lens.nothing_to_export().isEmpty() && rollout.nothing_to_export().isEmpty());
    QVERIFY(!lens.isVisible() && !lens.is_complete());
    QVERIFY(written(w, lens, QStringLiteral("csv")).count('\n') > 2);
    QVERIFY(!lens.isVisible() && lens.has_export());
    const std::vector<gui::View*> reported = w.window->views();
    QVERIFY(std::ranges::count(reported, &lens) == 1);
    QVERIFY(std::ranges::count(reported, &rollout) == 0);
  }

  void the_log_names_what_was_written() {
    Workbench w(synthetic_scenario(8, 1));
    finish(w);
    gui::View& heatmap = *w.window->view("heatmap");
    QVERIFY(!log_export().isDebugEnabled());
    QVERIFY(!written(w, heatmap, QStringLiteral("csv")).isEmpty());
    QLoggingCategory::setFilterRules(QStringLiteral("attn.export=true"));
    QVERIFY(log_export().isDebugEnabled() && !log_session().isDebugEnabled());
    QTest::ignoreMessage(QtDebugMsg, QRegularExpression(QStringLiteral("heatmap\\.csv written")));
    QVERIFY(!written(w, heatmap, QStringLiteral("csv")).isEmpty());
    QLoggingCategory::setFilterRules(QString());
  }

  void copies_are_those_of_the_files() {
    Workbench w(synthetic_scenario(40, 4));
    finish(w);
    gui::View& heatmap = *w.window->view("heatmap");
    const QByteArray png = written(w, heatmap, QStringLiteral("png"));
    QSignalSpy copied(w.window.get(), &MainWindow::copied);
    w.window->copy_table(heatmap);
    QVERIFY(copied.count() > 0 || copied.wait(60000));
    QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), heatmap.csv());
    copied.clear();
    QTest::keyClick(w.window.get(), Qt::Key_1, Qt::ControlModifier);
    QTest::keyClick(w.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(copied.count() > 0 || copied.wait(60000));
    QVERIFY(copied.front().front().toBool());
    const QImage picture = QGuiApplication::clipboard()->image();
    QCOMPARE(picture.size(), heatmap.export_size() * 2);
    QCOMPARE(picture.convertToFormat(QImage::Format_RGB32),
             QImage::fromData(png).convertToFormat(QImage::Format_RGB32));
    copied.clear();
    QTest::keyClick(w.window.get(), Qt::Key_4, Qt::ControlModifier);
    QTest::keyClick(w.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(copied.count() > 0 || copied.wait(60000));
    QCOMPARE(QGuiApplication::clipboard()->image().size(),
             static_cast<gui::View*>(w.window->view("tiles"))->export_size() * 2);
  }

 private:
  static void finish(Workbench& w) {
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::qWait(50);
  }

  static QByteArray read(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
  }

  QByteArray written(Workbench& w, gui::View& view, const QString& format) {
    const QString file = folder_.filePath(QStringLiteral("%1.%2").arg(view.export_name(), format));
    QSignalSpy done(w.window.get(), &MainWindow::export_finished);
    w.window->export_view(view, format, file);
    if (done.count() == 0 && !done.wait(60000)) return {};
    return read(file);
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_exports, attn::gui::test::run<TestExports>)
#include "test_exports.moc"
