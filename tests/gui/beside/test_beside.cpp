// SPDX-License-Identifier: GPL-3.0-or-later
// The panel that shows another run, or a saved one, beside the run in the window.
#include <QMenu>
#include <QTemporaryDir>
#include <algorithm>

#include "backends/register_all.h"
#include "gui/app/beside/run_numbers.h"
#include "gui/theme/panel_header.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/metrics/metrics_board.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario named(const char* title, int64_t prompt, int64_t output) {
  Scenario scenario = synthetic_scenario(prompt, output);
  scenario.title = title;
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

// A window with a finished run that has replaced another one.
struct TwoRuns {
  TwoRuns() : w(named("Short", 12, 3)) {
    w.control.start();
    ended = wait_until_phase(w.bridge, EnginePhase::kFinished);
    w.control.edit(named("Long", 20, 6));
    w.control.start();
    ended = ended && wait_until_phase(w.bridge, EnginePhase::kFinished);
    w.window->show();
  }
  bool show_earlier() {
    QTest::keyClick(w.window.get(), Qt::Key_B, Qt::ControlModifier);
    return panel().run() && QTest::qWaitFor([this] {
             return panel().run()->snapshot() != nullptr &&
                    !panel().run()->snapshot()->requests.empty();
           });
  }
  bool shows_both() {
    return ended && QTest::qWaitForWindowExposed(w.window.get()) && show_earlier();
  }
  BesidePanel& panel() { return w.window->beside(); }
  QString title() { return panel().findChild<PanelHeader*>()->title(); }
  QString cell(const QString& name, int column) {
    QTableWidget& table = *panel().numbers();
    for (int row = 0; row < table.rowCount(); ++row)
      if (table.item(row, 0)->text() == name) return table.item(row, column)->text();
    return {};
  }
  QString steps(int column) { return cell(QStringLiteral("Steps"), column); }
  Workbench w;
  bool ended = false;
};

}  // namespace

class TestBeside : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
  }
  void init() { fail_on_warnings(); }

  void without_an_earlier_run_it_says_so() {
    Workbench w(named("Only", 8, 2));
    w.control.start();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QTest::keyClick(w.window.get(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!w.window->beside().run() && w.window->beside().isHidden());
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("no earlier run")));
  }

  void the_run_before_has_its_own_numbers_and_views() {
    TwoRuns f;
    QVERIFY(f.shows_both());
    QVERIFY(f.panel().isVisible());
    QTRY_COMPARE(f.steps(1), QStringLiteral("6"));
    QTRY_COMPARE(f.steps(2), QStringLiteral("3"));
    QCOMPARE(f.steps(3), QStringLiteral("+3 (×2.00)"));
    QCOMPARE(f.cell(QStringLiteral("Prefill tokens computed"), 3), QStringLiteral("+8 (×1.67)"));
    QCOMPARE(f.cell(QStringLiteral("Preemptions"), 3), QStringLiteral("same"));
    auto* heatmap = qobject_cast<HeatmapView*>(f.panel().view("heatmap"));
    QVERIFY(heatmap);
    QTRY_COMPARE(heatmap->rows(), int64_t{14});
    QTRY_COMPARE(f.w.window->view<HeatmapView>()->rows(), int64_t{25});
    QCOMPARE(f.panel().tabs()->currentWidget(), f.panel().view("heatmap"));
    QTRY_VERIFY(std::abs(f.panel().width() - f.w.window->attention_tabs()->width()) < 40);
    f.w.window->show_attention(f.w.window->view("words"));
    QCOMPARE(f.panel().tabs()->currentWidget(), f.panel().view("words"));
    auto* numbers = f.panel().findChild<QToolButton*>(QStringLiteral("show_numbers"));
    QVERIFY(numbers && numbers->isVisible());
    QTest::mouseClick(numbers, Qt::LeftButton);
    QCOMPARE(f.panel().tabs()->currentWidget(), f.panel().numbers());
    // In a narrow table no difference is cut.
    const QTableWidget& table = *f.panel().numbers();
    f.panel().resize(330, f.panel().height());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    f.panel().layout()->activate();
    QTRY_VERIFY(table.columnViewportPosition(3) + table.columnWidth(3) <=
                table.viewport()->width());
    for (int row = 0; row < table.rowCount(); ++row) {
      const QString number = table.item(row, 3)->text().section(QStringLiteral(" ("), 0, 0);
      QVERIFY2(QFontMetrics(table.font()).horizontalAdvance(number) < table.columnWidth(3),
               qPrintable(number));
    }
    QTest::keyClick(f.w.window.get(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!f.panel().run() && f.panel().isHidden());
  }

  void undo_swaps_the_columns() {
    TwoRuns f;
    QVERIFY(f.shows_both());
    QTRY_COMPARE(f.steps(2), QStringLiteral("3"));
    QVERIFY(f.title().contains(QStringLiteral("the run before")));
    f.w.control.go_back();
    QTRY_COMPARE(f.steps(1), QStringLiteral("3"));
    QTRY_COMPARE(f.steps(2), QStringLiteral("6"));
    QVERIFY(f.title().contains(QStringLiteral("the newer run")));
    f.w.control.go_back();
    QTRY_COMPARE(f.steps(1), QStringLiteral("6"));
    QTRY_COMPARE(f.steps(2), QStringLiteral("3"));
    QVERIFY(f.title().contains(QStringLiteral("the run before")));
  }

  void the_run_before_follows_new_runs() {
    TwoRuns f;
    QVERIFY(f.shows_both());
    f.panel().tabs()->setCurrentWidget(f.panel().numbers());
    f.w.control.edit(named("Third", 10, 4));
    QVERIFY(f.w.control.start());
    QVERIFY(wait_until_phase(f.w.bridge, EnginePhase::kFinished));
    QTRY_COMPARE(f.steps(1), QStringLiteral("4"));
    QTRY_COMPARE(f.steps(2), QStringLiteral("6"));
    QCOMPARE(f.panel().tabs()->currentWidget(), f.panel().numbers());
    Scenario measured = named("Fourth", 10, 5);
    measured.engine.clock = ClockKind::kReal;
    f.w.control.edit(measured);
    QVERIFY(f.w.control.start());
    QVERIFY(wait_until_phase(f.w.bridge, EnginePhase::kFinished));
    QTRY_COMPARE(f.steps(1), QStringLiteral("5"));
    QTRY_COMPARE(f.steps(2), QStringLiteral("4"));
    QVERIFY(f.title().contains(QStringLiteral("the run before")));
    // Measured times and modelled ones have no difference.
    QTRY_COMPARE(f.panel().numbers()->horizontalHeaderItem(2)->text(),
                 QStringLiteral("Beside, modelled"));
    QCOMPARE(f.steps(3), QStringLiteral("+1 (×1.25)"));
    for (const char* name : {"Time", "Time in attention", "Generated per second"}) {
      const QString of = QString::fromLatin1(name);
      QVERIFY(f.cell(of, 1) != QStringLiteral("–") && f.cell(of, 2) != QStringLiteral("–"));
      QCOMPARE(f.cell(of, 3), QStringLiteral("–"));
    }
  }

  void different_prompts_are_told() {
    Scenario scenario = load_scenario(find_scenario("first-look"));
    scenario.view.pace_tiles_per_s = 0;
    Workbench w(scenario);
    const auto run_prompt = [&](const char* prompt) {
      Scenario own = w.control.scenario();
      own.requests.front().prompt = prompt;
      own.requests.front().max_tokens = 2;
      w.control.edit(own);
      return w.control.start() && wait_until_phase(w.bridge, EnginePhase::kFinished);
    };
    QVERIFY(run_prompt("Tom had a red ball."));
    QVERIFY(run_prompt("Lily saw a big dog."));
    QTest::keyClick(w.window.get(), Qt::Key_B, Qt::ControlModifier);
    BesidePanel& panel = w.window->beside();
    QVERIFY(panel.run());
    QTRY_VERIFY(panel.numbers_text().contains(
        QStringLiteral("Prompt\tLily saw a big dog.\tTom had a red ball.\t–\n")));
    QVERIFY(
        panel.findChild<PanelHeader*>()->toolTip().contains(QStringLiteral("Tom had a red ball.")));
    QVERIFY(run_prompt("Lily saw a big dog."));
    QTRY_VERIFY(panel.run() && panel.run()->snapshot() &&
                panel.numbers_text().contains(QStringLiteral("\nSteps\t")) &&
                !panel.numbers_text().contains(QStringLiteral("Prompt\t")));
  }

  void prompts_that_begin_alike_show_what_differs() {
    Scenario scenario = load_scenario(find_scenario("first-look"));
    scenario.view.pace_tiles_per_s = 0;
    Workbench w(scenario);
    const char* const kEarlier = "The cat sat on the mat.";
    const char* const kNow = "The cat sat on the hat.";
    for (const char* prompt : {kEarlier, kNow}) {
      Scenario own = w.control.scenario();
      own.requests.front().prompt = prompt;
      own.requests.front().max_tokens = 2;
      w.control.edit(own);
      QVERIFY(w.control.start() && wait_until_phase(w.bridge, EnginePhase::kFinished));
    }
    QTest::keyClick(w.window.get(), Qt::Key_B, Qt::ControlModifier);
    BesidePanel& panel = w.window->beside();
    QVERIFY(panel.run());
    QTRY_VERIFY(panel.numbers_text().contains(
        QStringLiteral("Prompt\t%1\t%2\t–\n").arg(QLatin1String(kNow), QLatin1String(kEarlier))));
    const QTableWidget& table = *panel.numbers();
    QCOMPARE(table.item(0, 1)->text(), QStringLiteral("…hat."));
    QCOMPARE(table.item(0, 2)->text(), QStringLiteral("…mat."));
    QVERIFY(table.item(0, 1)->toolTip().contains(QLatin1String(kNow)));
  }

  void settings_that_differ_have_rows() {
    Scenario scenario = named("Plain", 12, 3);
    scenario.engine.max_num_batched_tokens = 512;
    Workbench w(scenario);
    w.control.start();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    scenario.engine.backend = "xformers";
    scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
    scenario.engine.block_size = 8;
    scenario.engine.max_num_batched_tokens = 256;
    w.control.edit(scenario);
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::keyClick(w.window.get(), Qt::Key_B, Qt::ControlModifier);
    BesidePanel& panel = w.window->beside();
    QVERIFY(panel.run());
    QTRY_VERIFY(panel.numbers_text().contains(QStringLiteral("\nSteps\t")));
    const QString text = panel.numbers_text();
    QVERIFY2(text.section(QLatin1Char('\n'), 1, 1).startsWith(QStringLiteral("Backend\t")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("\nBlock size\t8\t16\t–\n")) &&
                 text.count(QStringLiteral("\nBlock size\t")) == 1 &&
                 text.contains(QStringLiteral("\nBatch budget\t256\t512\t–\n")) &&
                 text.contains(QStringLiteral("\nPolicy\tchunked prefill\tprefill first\t–\n")),
             qPrintable(text));
    QVERIFY(!text.contains(QStringLiteral("Preemption\t")));
    QVERIFY(text.indexOf(QStringLiteral("\nPolicy\t")) < text.indexOf(QStringLiteral("\nSteps\t")));
  }

  void a_narrow_column_shortens_no_words() {
    Scenario scenario = load_scenario(find_scenario("full-house"));
    scenario.engine.clock = ClockKind::kVirtual;
    scenario.view.pace_tiles_per_s = 0;
    Workbench w(scenario);
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    MetricsModel model;
    model.update(w.bridge.snapshot());
    QStringList shortened;
    for (const int percent : {100, 150})
      for (const double width : {300.0, 340.0, 400.0, 480.0}) {
        Theme::instance().set_text_percent(percent);
        const PictureLook look = PictureLook::read();
        const MetricsGrid grid(width * percent / 100, 400, look);
        for (const bool by_time : {false, true}) {
          MetricsCharts charts;
          const MetricsRange range{0, model.size() - 1, by_time};
          const MetricsBoard board{model, charts, grid, range, model.size() - 1, false, {}};
          for (int i = 0; i < kCharts; ++i) {
            const auto kind = static_cast<ChartKind>(i);
            TextRecorder recorder(QSize(2000, 4000));
            QPainter painter(&recorder);
            charts.set_size(grid.chart(kind).size());
            charts.fill(kind, model, range);
            painter.save();
            painter.translate(grid.chart(kind).topLeft());
            charts.draw(kind, painter);
            painter.restore();
            board.overlay(painter, kind);
            painter.end();
            for (const DrawnText& text : recorder.texts()) {
              const bool outside = text.ink.right() > grid.cell(kind).right() + 1 ||
                                   text.ink.left() < grid.cell(kind).left() - 1;
              if (text.text.contains(QChar(0x2026)) || text.text.endsWith(QStringLiteral("...")) ||
                  outside)
                shortened << QStringLiteral("%1 at %2 px, %3%: %4")
                                 .arg(title_of(kind))
                                 .arg(width)
                                 .arg(percent)
                                 .arg(text.text);
            }
          }
        }
      }
    Theme::instance().set_text_percent(100);
    shortened.removeDuplicates();
    QVERIFY2(shortened.isEmpty(), qPrintable(shortened.join(QLatin1Char('\n'))));
  }

  void the_header_of_a_narrow_column_is_not_cut() {
    PanelHeader header(QStringLiteral("Beside: the run before"));
    header.set_detail(QStringLiteral("XFORMERS, step 8 of 20: Full house: preemption by swapping"));
    for (int width = 220; width <= 800; width += 20) {
      header.resize(width, header.height());
      TextRecorder recorder(header.size());
      header.render(&recorder);
      QVERIFY2(recorder.cut().isEmpty(), qPrintable(recorder.cut().join(QLatin1Char('\n'))));
    }
    TwoRuns f;
    QVERIFY(f.ended && f.show_earlier());
    auto* of_panel = f.panel().findChild<PanelHeader*>({}, Qt::FindDirectChildrenOnly);
    QTRY_VERIFY(of_panel->toolTip().startsWith(QStringLiteral("TORCH_SDPA, step ")));
    // With large text the buttons that have no room leave. The one that closes the run stays.
    Theme::instance().set_text_percent(150);
    for (const int width : {260, 330, 400, 470}) {
      f.panel().resize(width, f.panel().height());
      QCoreApplication::sendPostedEvents(of_panel, QEvent::LayoutRequest);
      of_panel->layout()->activate();
      QCOMPARE(of_panel->width(), width);
      bool closes = false;
      for (const QToolButton* button : of_panel->findChildren<QToolButton*>()) {
        if (button->isHidden()) continue;
        closes |= button->accessibleName() == QStringLiteral("Close the run beside");
        QVERIFY2(
            button->geometry().right() < width && button->width() >= button->sizeHint().width(),
            qPrintable(QStringLiteral("%1 at %2").arg(button->accessibleName()).arg(width)));
      }
      QVERIFY(closes);
    }
    Theme::instance().set_text_percent(100);
  }

  void one_time_cursor() {
    TwoRuns f;
    QVERIFY(f.ended && f.show_earlier());
    TimeCursor& here = f.w.window->cursor();
    TimeCursor& beside = f.panel().run()->context().cursor;
    here.go_to(2);
    QCOMPARE(beside.step(), 2u);
    QTRY_COMPARE(f.steps(2), QStringLiteral("2"));
    QCOMPARE(f.steps(3), QStringLiteral("same"));
    here.go_to(5);
    QCOMPARE(beside.step(), 3u);
    QCOMPARE(here.step(), 5u);
    beside.go_to(1);
    QCOMPARE(here.step(), 1u);
    here.go_live();
    QVERIFY(beside.is_live());
  }

  void one_selection_as_far_as_both_have_it() {
    TwoRuns f;
    QVERIFY(f.ended && f.show_earlier());
    Selection& here = f.w.selection;
    Selection& beside = f.panel().run()->context().selection;
    const int64_t request = f.w.bridge.snapshot()->requests.front().id;
    const auto cell = [&](int64_t query, int64_t key) {
      return SelectionState{.kind = SelectionKind::kCell,
                            .request = request,
                            .layer = 0,
                            .head = 1,
                            .query = query,
                            .key = key};
    };
    here.select(cell(9, 4));
    QCOMPARE(beside.state(), cell(9, 4));
    QCOMPARE(beside.shown_head(), int64_t{1});
    here.select(cell(22, 4));
    QCOMPARE(beside.state(), SelectionState{});
    beside.select(cell(3, 2));
    QCOMPARE(here.state(), cell(3, 2));
    here.point({.request = request, .query = 5});
    QCOMPARE(beside.pointed().query, int64_t{5});
    here.clear();
    QCOMPARE(beside.state(), SelectionState{});
    here.show(request, 0, 1);
    QTest::keyClick(f.w.window.get(), Qt::Key_B, Qt::ControlModifier);
    here.select(cell(8, 3));
    QVERIFY(f.show_earlier());
    QCOMPARE(here.state(), cell(8, 3));
    QTRY_COMPARE(f.panel().run()->context().selection.state(), cell(8, 3));
  }

  void a_session_is_read_from_its_file() {
    const QString file = folder_.filePath(QStringLiteral("kept.attn-session"));
    TwoRuns f;
    QVERIFY(f.ended);
    QSignalSpy saved(&f.w.window->session(), &WindowSession::saved);
    f.w.window->session().save(file);
    QTRY_COMPARE(saved.count(), 1);
    const uint64_t run = f.w.bridge.snapshot()->run;
    f.w.window->session().read_beside(file);
    QTRY_VERIFY(f.panel().run() && f.panel().run()->snapshot());
    QTRY_COMPARE(f.steps(3), QStringLiteral("same"));
    QCOMPARE(f.w.bridge.snapshot()->run, run);
    QVERIFY(f.panel().numbers_text().startsWith(
        QStringLiteral("Number\tIn the window\tBeside\tWindow − beside\nSteps\t6\t6\tsame\n")));
    f.w.window->message_bar()->close_shown();
    f.w.window->session().read_beside(folder_.filePath(QStringLiteral("none.attn-session")));
    QTRY_VERIFY(f.w.window->message_bar()->text().contains(QStringLiteral("none.attn-session")));
    QVERIFY(f.panel().run());
    f.w.window.reset();
  }

  void waste_is_that_of_the_steps() {
    EngineBridge bridge;
    Scenario scenario = synthetic_scenario(12, 9);
    scenario.engine.block_size = 8;
    bridge.start(scenario, false);
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    int64_t wasted = 0, in_use = 0;
    for (const StepRecord& step : *bridge.snapshot()->steps) {
      wasted += step.wasted_slots;
      in_use += step.used_blocks * 8;
    }
    QVERIFY(wasted > 0 && wasted < in_use);
    const auto numbers = run_numbers(*bridge.snapshot());
    const auto value = [&](const char* name) {
      const auto found = std::ranges::find(numbers, tr(name), &RunNumber::name);
      return found == numbers.end() ? -1.0 : found->value.value_or(-1.0);
    };
    QCOMPARE(value("Block size"), 8.0);
    QCOMPARE(value("Waste"), 100.0 * static_cast<double>(wasted) / static_cast<double>(in_use));
  }

  void differences_are_those_of_the_numbers() {
    const auto text = [](double value) { return QString::number(value); };
    const auto number = [&](std::optional<double> value) {
      return RunNumber{QStringLiteral("n"), QString(), value, text};
    };
    QCOMPARE(difference_text(number(6), number(4)), QStringLiteral("+2 (×1.50)"));
    QCOMPARE(difference_text(number(3), number(6)), QStringLiteral("−3 (×0.50)"));
    QCOMPARE(difference_text(number(3), number(0)), QStringLiteral("+3"));
    QCOMPARE(difference_text(number(3), number(3)), QStringLiteral("same"));
    QCOMPARE(difference_text(number({}), number(3)), QStringLiteral("–"));
  }

 private:
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_beside, attn::gui::test::run<TestBeside>)
#include "test_beside.moc"
