// SPDX-License-Identifier: GPL-3.0-or-later
// The real window without a display: runs, messages, keys, panels, fields, reports and settings.
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRandomGenerator>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QXmlStreamReader>
#include <bit>
#include <cmath>

#include "backends/register_all.h"
#include "engine/session/report/report.h"
#include "gui/app/bars/pace.h"
#include "gui/app/commands/key_list.h"
#include "gui/app/report/run_report.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct WindowWorkbench : Workbench {
  using Workbench::Workbench;
  HeatmapView& heatmap() { return *window->view<HeatmapView>(); }
  const AttentionRecord& record() { return *bridge.snapshot()->requests.front().attention; }
};

Scenario first_look(int64_t max_tokens) {
  Scenario scenario = load_scenario(find_scenario("first-look"));
  scenario.requests.front().max_tokens = max_tokens;
  scenario.engine.threads = 1;
  scenario.engine.num_blocks = 128;
  scenario.view.pace_tiles_per_s = 0;
  return scenario;
}

}  // namespace

class TestWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
  }
  void init() { fail_on_warnings(); }

  void run_pause_step_select_export() {
    Scenario scenario = first_look(200);
    scenario.view.pace_tiles_per_s = 2000;  // so that the run does not end before Space
    WindowWorkbench w(scenario);
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(QTest::qWaitFor(
        [&] { return w.bridge.snapshot() && w.bridge.snapshot()->generated_tokens >= 32; }, 60000));

    // Space pauses the run.
    QTest::keyClick(w.window.get(), Qt::Key_Space);
    QVERIFY(wait_until_stands(w.bridge));
    QVERIFY(!w.control.has_ended());

    for (QToolButton* button : w.window->run_bar()->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Tile")) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(w.window->run_bar()->unit() == Granularity::kTile);
    for (int step = 1; step <= 6; ++step) {
      const int64_t tiles = count_events(w.bridge, EventKind::kTile);
      QTest::keyClick(w.window.get(), Qt::Key_N);
      QTRY_VERIFY(count_events(w.bridge, EventKind::kTile) > tiles);
    }
    QTest::qWait(500);
    QVERIFY(wait_until_stands(w.bridge));

    select_a_cell(w);
    if (QTest::currentTestFailed()) return;

    QTest::keyClick(w.window.get(), Qt::Key_Space);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(w.bridge.snapshot()->generated_tokens >= 32);
    const TraceCounts counts = w.bridge.trace_counts();
    QCOMPARE(counts.pushed, counts.recorded + counts.dropped);
    QCOMPARE(counts.dropped, uint64_t{0});
    QCOMPARE(w.bridge.events().size(), size_t(counts.recorded));

    export_everything(w);
  }

  void random_cells_equal_engine_memory() {
    WindowWorkbench w(first_look(32));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const AttentionRecord& record = w.record();
    const AttentionRecord::Shape shape = record.shape();
    QRandomGenerator random(7);
    int compared = 0, nonzero = 0;
    while (compared < 1000) {
      const int64_t layer = random.bounded(static_cast<int>(shape.num_layers));
      const int64_t head = random.bounded(static_cast<int>(shape.num_heads));
      w.selection.show(0, layer, head);
      // Tiles of the heatmap are computed on another thread, so the test waits for the last row.
      int64_t last = record.num_rows() - 1;
      while (last > 0 && !record.row_done(layer, head, last)) --last;
      QVERIFY2(last >= 40, qPrintable(QString::number(last)));
      QVERIFY(
          QTest::qWaitFor([&] { return !std::isnan(w.heatmap().shown_value(last, 0)); }, 60000));
      for (int i = 0; i < 20; ++i, ++compared) {
        const int64_t query = random.bounded(static_cast<int>(record.num_rows()));
        const int64_t key = random.bounded(static_cast<int>(record.num_rows()));
        float engine = 0;
        record.weights(layer, head, query, 1, key, 1, &engine);
        const float shown = w.heatmap().shown_value(query, key);
        QVERIFY2(std::bit_cast<uint32_t>(shown) == std::bit_cast<uint32_t>(engine),
                 qPrintable(
                     QStringLiteral(
                         "layer %1 head %2 query %3 key %4: shown %5, engine %6; last row %7 of %8")
                         .arg(layer)
                         .arg(head)
                         .arg(query)
                         .arg(key)
                         .arg(shown)
                         .arg(engine)
                         .arg(last)
                         .arg(record.num_rows())));
        nonzero += engine > 0;
      }
    }
    QVERIFY2(nonzero > 200, qPrintable(QString::number(nonzero)));
  }

  void full_speed_with_all_views_loses_nothing() {
    WindowWorkbench w(load_scenario(find_scenario("many-users")));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    Scenario scenario = w.control.scenario();
    scenario.view.pace_tiles_per_s = 0;
    w.control.edit(scenario);
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished, 120000));
    const TraceCounts counts = w.bridge.trace_counts();
    QCOMPARE(counts.pushed, counts.recorded + counts.dropped);
    QCOMPARE(counts.dropped, uint64_t{0});
    QVERIFY(QTest::qWaitFor([&] { return !w.bridge.timer_active(); }, 60000));
  }

  void quit_at_any_phase() {
    for (int wait_ms : {0, 5, 20, 60, 150, 400}) {
      Scenario scenario = first_look(64);
      scenario.view.pace_tiles_per_s = wait_ms < 60 ? 1 : 0;
      WindowWorkbench w(scenario);
      w.control.start();
      QTest::qWait(wait_ms);
      w.bridge.set_pace(1);
      w.window->close();
      QVERIFY2(w.bridge.runner().wait_finished(std::chrono::seconds(60)),
               qPrintable(QString::number(wait_ms)));
    }
  }

  void bad_scenario_dropped_on_the_window() {
    WindowWorkbench w(first_look(8));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const uint64_t run = w.bridge.snapshot()->run;
    const QString file = folder_.filePath(QStringLiteral("bad.json"));
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({"version": 1, "engine": {"blok_size": 16}})");
    out.close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(w.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(w.window.get(), &drop);
    QTRY_VERIFY_WITH_TIMEOUT(!w.window->message_bar()->text().isEmpty(), 60000);
    QVERIFY(w.window->message_bar()->isVisible());
    w.bridge.tick();
    QCOMPARE(w.bridge.snapshot()->run, run);
  }

  void typed_prompt_runs() {
    WindowWorkbench w(first_look(4));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const uint64_t run = w.bridge.snapshot()->run;
    auto* prompt = w.window->workload()->findChild<QPlainTextEdit*>();
    QVERIFY(prompt);
    prompt->setFocus();
    prompt->selectAll();
    QTest::keyClicks(
        prompt,
        QStringLiteral("The dog ran to the park"));  // spaces are text here and do not run or pause
    QCOMPARE(QString::fromStdString(w.control.scenario().requests.front().prompt),
             QStringLiteral("The dog ran to the park"));
    QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor(
        [&] { return w.bridge.snapshot()->run != run && w.control.has_ended(); }, 60000));
    QString text;
    for (const TokenView& token : *w.bridge.snapshot()->requests.front().tokens)
      text += QString::fromStdString(token.text);
    QVERIFY2(text.contains(QStringLiteral("dog")), qPrintable(text));
  }

  void keys_list_and_panels() {
    WindowWorkbench w(first_look(4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QWidget* before = w.window->workload()->findChild<QPlainTextEdit*>();
    before->setFocus();
    w.window->actions().keys->trigger();
    auto* list = w.window->findChild<KeyList*>();
    QVERIFY(list);
    QVERIFY(list->sections().size() >= 4);
    QTest::keyClick(list, Qt::Key_Escape);
    QTest::qWait(1);
    QVERIFY(!w.window->findChild<KeyList*>());
    QCOMPARE(w.window->focusWidget(), before);
    const auto is_panel = [](const QDockWidget* dock) {
      return dock->objectName() != QStringLiteral("lessons");
    };
    for (QDockWidget* dock : w.window->findChildren<QDockWidget*>()) {
      QCOMPARE(dock->isVisible(), is_panel(dock));
      if (dock->features() & QDockWidget::DockWidgetClosable) dock->close();
    }
    w.window->reset_layout();
    for (QDockWidget* dock : w.window->findChildren<QDockWidget*>())
      QVERIFY2(dock->isVisible() == is_panel(dock), qPrintable(dock->objectName()));
  }

  void keys_list_cuts_nothing() {
    WindowWorkbench w(first_look(4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    for (int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      w.window->actions().keys->trigger();
      auto* list = w.window->findChild<KeyList*>();
      QVERIFY(list);
      QTest::qWait(20);
      const auto* scroll = list->findChild<QScrollArea*>();
      QVERIFY(w.window->rect().contains(scroll->geometry()));
      QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
      for (const QLabel* text : list->findChildren<QLabel*>()) {
        const QRect needed = text->fontMetrics().boundingRect(
            QRect(0, 0, text->width(), 10000), Qt::TextWordWrap | Qt::AlignLeft, text->text());
        QVERIFY2(needed.width() <= text->width() + 1 && needed.height() <= text->height() + 1,
                 qPrintable(QStringLiteral("%1% %2").arg(percent).arg(text->text())));
      }
      if (qEnvironmentVariableIsSet("ATTN_KEEP_PICTURES"))
        w.window->grab().save(QStringLiteral("%1/keys-%2.png")
                                  .arg(qEnvironmentVariable("ATTN_KEEP_PICTURES"))
                                  .arg(percent));
      QTest::keyClick(list, Qt::Key_X);
      QTest::qWait(1);
    }
    Theme::instance().set_text_percent(100);
  }

  void an_explanation_is_no_warning() {
    WindowWorkbench w(first_look(4));
    std::vector<MessageKind> kinds;
    connect(&w.control, &RunControl::message, this, [&](MessageKind kind, const QString& text) {
      if (text.startsWith(QStringLiteral("Cross attention: "))) kinds.push_back(kind);
    });
    QVERIFY(w.control.open(QStringLiteral("cross-attention")));
    QVERIFY(w.control.start(true));
    QTRY_COMPARE(kinds.size(), size_t{1});
    QVERIFY(kinds.front() == MessageKind::kInfo);
    w.bridge.cancel();
  }

  void messages_are_shown_together() {
    QWidget window;
    window.resize(1280, 720);
    MessageBar bar(&window, *new QWidget(&window));
    bar.show_message(MessageKind::kWarning, QStringLiteral("NaN in the tensors"));
    bar.show_message(MessageKind::kInfo, QStringLiteral("The run of A was replaced."));
    QCOMPARE(bar.texts(), (QStringList{QStringLiteral("The run of A was replaced."),
                                       QStringLiteral("NaN in the tensors")}));
    for (const MessageRow* row : bar.findChildren<MessageRow*>().first(2))
      QVERIFY(row->isVisibleTo(&window));
    for (int i = 0; i < 9; ++i) bar.show_message(MessageKind::kWarning, QString::number(i));
    QCOMPARE(bar.texts().size(), static_cast<qsizetype>(MessageBar::kMostShown));
    QCOMPARE(bar.count(), 11);
  }

  void messages_wait_for_each_other() {
    QWidget window;
    MessageBar bar(&window, *new QWidget(&window));
    bar.show_message(MessageKind::kError, QStringLiteral("<b>broken</b>"), QStringLiteral("a"));
    bar.show_message(MessageKind::kWarning, QStringLiteral("odd"));
    QCOMPARE(bar.text(), QStringLiteral("<b>broken</b>"));
    QCOMPARE(bar.findChildren<QLabel*>().at(1)->textFormat(), Qt::PlainText);
    bar.show_message(MessageKind::kInfo, QStringLiteral("wrote b"), QStringLiteral("b"));
    QCOMPARE(bar.text(), QStringLiteral("wrote b"));
    QCOMPARE(bar.count(), 3);
    bar.close_shown();
    QCOMPARE(bar.text(), QStringLiteral("<b>broken</b>"));
    bar.show_message(MessageKind::kInfo, QStringLiteral("wrote a"), QStringLiteral("a"));
    QCOMPARE(bar.text(), QStringLiteral("wrote a"));
    bar.close_shown();
    QCOMPARE(bar.text(), QStringLiteral("odd"));
    bar.close_shown();
    QVERIFY(bar.isHidden());
  }

  void requests_table_shows_and_follows() {
    WindowWorkbench w(load_scenario(find_scenario("many-users")));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(QTest::qWaitFor(
        [&] { return w.bridge.snapshot() && w.bridge.snapshot()->requests.size() >= 6; }, 60000));
    QTableView* table = w.window->workload()->table();
    const auto rows_seen = [&] {
      return table->viewport()->height() / table->verticalHeader()->defaultSectionSize();
    };
    QVERIFY(table->model()->rowCount() >= 4);
    QVERIFY2(rows_seen() >= 4, qPrintable(QString::number(rows_seen())));
    w.selection.show(3, 0, 0);
    QCOMPARE(table->currentIndex().row(), 3);
    QCOMPARE(w.selection.shown_request(), int64_t{3});
    w.window->resize(1920, 1080);
    w.window->reset_layout();
    QTest::qWait(50);
    QCOMPARE(rows_seen(), std::min(8, table->model()->rowCount()));
  }

  void the_table_of_requests_fills_its_panel() {
    WindowWorkbench w(first_look(1));
    const QTableView* table = w.window->workload()->table();
    w.window->resize(1920, 1080);
    QTest::qWait(50);
    for (const int percent : {100, 150, 100}) {
      Theme::instance().set_text_percent(percent);
      QTest::qWait(50);
      QVERIFY(table->horizontalHeader()->length() >= table->viewport()->width());
    }
  }

  void saving_proposes_the_name_of_a_scenario() {
    WindowWorkbench w(first_look(1));
    QVERIFY(w.control.open(QStringLiteral("many-users")));
    QStringList proposed;
    QTimer::singleShot(0, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      proposed = dialog->selectedFiles();
      dialog->reject();
    });
    w.window->actions().save->trigger();
    QCOMPARE(proposed.size(), 1);
    QCOMPARE(QFileInfo(proposed.front()).fileName(), QStringLiteral("many-users.attn.json"));
  }

  void switching_the_source_keeps_the_prompts() {
    ScenarioForm form(RunControl::bundled_models());
    const Scenario before = load_scenario(find_scenario("many-users"));
    form.show_scenario(before, 1);
    QComboBox* source = nullptr;
    for (QComboBox* box : form.findChildren<QComboBox*>())
      if (box->findData(QStringLiteral("synthetic")) >= 0) source = box;
    QVERIFY(source);
    for (const char* kind : {"synthetic", "model"}) {
      source->setCurrentIndex(source->findData(QLatin1String(kind)));
      emit source->activated(source->currentIndex());
      form.show_scenario(form.scenario(), 1);
    }
    QVERIFY(form.scenario() == before);
    for (NumberEdit* edit : form.findChildren<NumberEdit*>()) {
      if (!edit->accessibleName().startsWith(QStringLiteral("Seed"))) continue;
      edit->setText(QStringLiteral("-5"));
      emit edit->value_edited();
      QVERIFY(edit->trouble().contains(QStringLiteral("-5")));
      QCOMPARE(edit->text(), QStringLiteral("-5"));
    }
    QVERIFY(form.scenario() == before);
  }

  void attention_fields_make_the_scenario() {
    ScenarioForm form(RunControl::bundled_models());
    const Scenario before = load_scenario(find_scenario("synthetic-needle"));
    form.show_scenario(before, 0);
    const auto field_at = [&](const char* path) -> Field* {
      for (Field* field : form.findChildren<Field*>())
        if (field->path() == path) return field;
      return nullptr;
    };
    const auto type = [&](const char* path, const QString& text) {
      auto* edit = qobject_cast<NumberEdit*>(field_at(path)->editor());
      edit->setText(text);
      emit edit->value_edited();
      form.show_scenario(form.scenario(), 0);
    };
    const auto choose = [&](const char* path, const char* value) {
      auto* box = qobject_cast<QComboBox*>(field_at(path)->editor());
      box->setCurrentIndex(box->findData(QLatin1String(value)));
      QVERIFY(box->currentIndex() >= 0);
      emit box->activated(box->currentIndex());
      form.show_scenario(form.scenario(), 0);
    };
    Scenario expected = before;
    type("$.attention.sliding_window", QStringLiteral("8"));
    expected.attention.sliding_window = 8;
    type("$.attention.logits_soft_cap", QStringLiteral("2.5"));
    expected.attention.logits_soft_cap = 2.5;
    choose("$.attention.alibi", "on");
    expected.attention.alibi = true;
    QVERIFY(!field_at("$.attention.sinks[]")->isVisibleTo(&form));
    choose("$.attention.sinks", "on");
    QVERIFY(field_at("$.attention.sinks[]")->isVisibleTo(&form));
    type("$.attention.sinks[]", QStringLiteral("-1.5"));
    expected.attention.sinks = {-1.5};
    QVERIFY(form.scenario() == expected);
    QVERIFY(!field_at("$.attention.blocksparse.local_blocks")->isVisibleTo(&form));
    choose("$.attention.blocksparse", "on");
    expected.attention.blocksparse = {
        .local_blocks = 1, .vert_stride = 4, .block_size = 8, .head_sliding_step = 0};
    QVERIFY(form.scenario() == expected);
    QVERIFY(field_at("$.attention.blocksparse.local_blocks")->isVisibleTo(&form));
    type("$.attention.blocksparse.local_blocks", QStringLiteral("0"));
    QVERIFY(form.mark_problems(expected));
    QVERIFY(field_at("$.attention.blocksparse.local_blocks")->has_problem());
    type("$.attention.blocksparse.local_blocks", QStringLiteral("2"));
    type("$.attention.blocksparse.block_size", QStringLiteral("4"));
    type("$.attention.blocksparse.vert_stride", QStringLiteral("3"));
    type("$.attention.blocksparse.head_sliding_step", QStringLiteral("1"));
    expected.attention.blocksparse = {
        .local_blocks = 2, .vert_stride = 3, .block_size = 4, .head_sliding_step = 1};
    QVERIFY(form.scenario() == expected);
    choose("$.attention.type", "encoder_only");
    expected.attention.type = AttentionType::kEncoderOnly;
    for (ScenarioRequest& request : expected.requests) request.max_tokens = 1;
    QVERIFY(form.scenario() == expected);
    validate(form.scenario());
    QVERIFY(!field_at("$.requests[].max_tokens")->isVisibleTo(&form));
    type("$.attention.sinks[]", QStringLiteral("2000"));
    QVERIFY(form.mark_problems(expected));
    QVERIFY(field_at("$.attention.sinks[]")->has_problem());
    choose("$.source", "model");
    QVERIFY(form.scenario().attention.type == AttentionType::kDecoder);
    QVERIFY(!form.scenario().attention.alibi);
    QVERIFY(form.scenario().requests[0].max_tokens > 1);
    QVERIFY(!field_at("$.attention.type")->isVisibleTo(&form));
    QVERIFY(field_at("$.attention.sliding_window")->isVisibleTo(&form));
    for (Field* field : form.findChildren<Field*>())
      if (field->path().starts_with("$.attention")) QVERIFY(!field->toolTip().isEmpty());
  }

  void a_report_of_a_live_run_is_cut() {
    EngineBridge bridge;
    bridge.start(synthetic_scenario(64, 40), true);
    QVERIFY(wait_until_stands(bridge));
    bridge.step(Granularity::kStep);
    QVERIFY(wait_until_stands(bridge));
    const RunReport report = collect_report(bridge);
    bridge.run();
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    const QString folder = folder_.filePath(QStringLiteral("live"));
    QDir().mkpath(folder);
    write_numbers(report, folder);
    QFile timeline(QDir(folder).filePath(QStringLiteral("timeline.csv")));
    QVERIFY(timeline.open(QIODevice::ReadOnly));
    QCOMPARE(uint64_t(timeline.readAll().count('\n')) - 1, report.recorded);
    QVERIFY(report.recorded < bridge.events().size());
  }

  void fits_1280x720() {
    WindowWorkbench w(first_look(4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QCOMPARE(w.window->size(), QSize(1280, 720));
    QVERIFY2(
        w.window->minimumSizeHint().width() <= 1280 && w.window->minimumSizeHint().height() <= 720,
        qPrintable(QStringLiteral("%1 x %2")
                       .arg(w.window->minimumSizeHint().width())
                       .arg(w.window->minimumSizeHint().height())));
    for (const QWidget* child :
         w.window->run_bar()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
      if (!child->isVisible()) continue;
      const QRect place = child->geometry();
      QVERIFY2(place.right() <= w.window->run_bar()->width(), qPrintable(child->accessibleName()));
    }
    for (QAction* action : w.window->run_bar()->actions())
      if (QWidget* control = w.window->run_bar()->widgetForAction(action))
        QCOMPARE(control->isVisible(), control != w.window->run_bar()->more_button());
  }

  void window_state_is_kept() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
    const auto blocks_dock = [](WindowWorkbench& w) {
      return w.window->findChild<QDockWidget*>(QStringLiteral("blocks"));
    };
    {
      WindowWorkbench w(first_look(4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QVERIFY(blocks_dock(w)->isVisible());
      blocks_dock(w)->hide();
      Theme::instance().set_text_percent(125);
      Theme::instance().set_reduce_motion(true);
      w.window->run_bar()->set_unit(Granularity::kTile);
      w.window->close();
    }
    Theme::instance().set_text_percent(100);
    Theme::instance().set_reduce_motion(false);
    {
      WindowWorkbench w(first_look(4), true);
      QVERIFY(!blocks_dock(w)->isVisible());
      QCOMPARE(Theme::instance().text_percent(), 125);
      QVERIFY(Theme::instance().reduce_motion());
      QVERIFY(w.window->run_bar()->unit() == Granularity::kTile);
      QSettings().setValue(QStringLiteral("window/version"), 999);
    }
    Theme::instance().set_text_percent(100);
    Theme::instance().set_reduce_motion(false);
    WindowWorkbench w(first_look(4), true);
    QVERIFY(blocks_dock(w)->isVisible());
    QCOMPARE(Theme::instance().text_percent(), 100);
  }

  void pace_slider() {
    QCOMPARE(pace_at(0), 1.0);
    QCOMPARE(pace_at(kPaceSteps - 1), kFastestPace);
    QCOMPARE(pace_at(kPaceSteps), 0.0);
    for (int position = 0; position <= kPaceSteps; ++position)
      QCOMPARE(position_of(pace_at(position)), position);
    QCOMPARE(position_of(0), kPaceSteps);
    QCOMPARE(pace_text(0), QStringLiteral("Full speed"));
    WindowWorkbench w(first_look(4));
    w.window->run_bar()->pace_slider()->setValue(0);
    QCOMPARE(w.bridge.pace(), 1.0);
    w.window->run_bar()->pace_slider()->setValue(kPaceSteps);
    QCOMPARE(w.bridge.pace(), 0.0);
  }

 private:
  void select_a_cell(WindowWorkbench& w) {
    HeatmapView& heatmap = w.heatmap();
    QVERIFY(heatmap.isVisible());
    heatmap.fit();
    QTest::qWait(50);
    const QImage blocks_before = w.window->view("blocks")->grab().toImage();
    const QImage inspector_before = w.window->inspector()->grab().toImage();
    const int64_t query = w.record().num_rows() / 2, key = 1;
    QTest::mouseClick(&heatmap, Qt::LeftButton, {}, heatmap.rect_of(query, key).center().toPoint());
    const SelectionState state = w.selection.state();
    QVERIFY(state.kind == SelectionKind::kCell);
    QCOMPARE(state.query, query);
    QCOMPARE(state.key, key);
    QTest::qWait(50);
    QVERIFY(w.window->inspector()->grab().toImage() != inspector_before);
    QVERIFY(w.window->view("blocks")->grab().toImage() != blocks_before);
    QTest::keyClick(w.window.get(), Qt::Key_Escape);
    QVERIFY(w.selection.state().kind == SelectionKind::kNothing);
  }

  void export_everything(WindowWorkbench& w) {
    for (gui::View* view : w.window->views()) {
      for (const char* format : {"png", "svg", "csv"}) {
        const QString file = folder_.filePath(
            QStringLiteral("%1.%2").arg(view->export_name(), QLatin1String(format)));
        QSignalSpy written(w.window.get(), &MainWindow::export_finished);
        w.window->export_view(*view, QLatin1String(format), file);
        QCOMPARE(written.count(), 0);
        QVERIFY(written.wait(60000));
        QVERIFY2(written.front().at(1).toBool(), qPrintable(w.window->message_bar()->text()));
        check_file(*view, format, file);
      }
    }
    QSignalSpy refused(w.window.get(), &MainWindow::export_finished);
    w.window->export_view(*w.window->view("heatmap"), QStringLiteral("png"),
                          QStringLiteral("/no/such/folder/a.png"));
    QVERIFY(refused.wait(60000));
    QVERIFY(!refused.front().at(1).toBool());
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("/no/such/folder/a.png")));

    QSignalSpy reported(w.window.get(), &MainWindow::report_finished);
    const QString report = folder_.filePath(QStringLiteral("report"));
    w.window->export_report(report);
    QVERIFY(reported.count() > 0 || reported.wait(60000));
    QVERIFY(reported.front().front().toBool());
    for (const char* name :
         {"index.html", "manifest.json", "trace.json", "requests.csv", "steps.csv", "blocks.csv",
          "kernels.csv", "heatmap.png", "heatmap.svg", "heatmap.pdf", "timeline.png"}) {
      const QFileInfo info(QDir(report).filePath(QLatin1String(name)));
      QVERIFY2(info.size() > 0, name);
    }
  }

  static void check_file(gui::View& view, const char* format, const QString& file) {
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QByteArray bytes = in.readAll();
    if (qstrcmp(format, "png") == 0) {
      const QImage image = QImage::fromData(bytes);
      QCOMPARE(image.size(), view.export_size() * 2);
      QSet<QRgb> colours;
      for (int y = 0; y < image.height(); y += 7)
        for (int x = 0; x < image.width(); x += 7) colours.insert(image.pixel(x, y));
      QVERIFY2(colours.size() > 8, qPrintable(QString::number(colours.size())));
    } else if (qstrcmp(format, "svg") == 0) {
      int texts = 0;
      QXmlStreamReader xml(bytes);
      while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement &&
            xml.name() == QStringLiteral("text"))
          ++texts;
      QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
      QVERIFY2(texts > 3, qPrintable(QString::number(texts)));
    } else {
      QCOMPARE(bytes, view.csv());
      QVERIFY(bytes.count('\n') >= 2);
    }
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_window, attn::gui::test::run<TestWindow>)
#include "test_window.moc"
