// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions that are saved in one window and opened in another; also bad files, and the report of a
// saved run. The picture of Rotary and the view Circuits are not compared: they need the model.
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>
#include <fstream>

#include "backends/register_all.h"
#include "gui/app/headless/headless.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/tiles/tiles_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/session_files.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario busy_scenario() {
  Scenario scenario = synthetic_scenario(37, 9);
  for (int i = 1; i < 5; ++i) {
    scenario.requests.push_back(scenario.requests.front());
    scenario.requests.back().name = std::string(1, static_cast<char>('A' + i));
    scenario.requests.back().prompt_tokens = 30 + 6 * i;
  }
  scenario.requests[2].n = 2;
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 16;
  scenario.engine.num_swap_blocks = 16;
  scenario.engine.preemption = PreemptionMode::kSwap;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  return scenario;
}

struct Shown {
  std::vector<std::pair<QString, QImage>> pictures;
  std::vector<std::pair<QString, QByteArray>> tables;
};

Shown shown_in(MainWindow& window) {
  Shown shown;
  for (gui::View* view : window.views()) {
    if (view->export_name() == QLatin1String("circuits")) continue;  // shows no run
    shown.pictures.emplace_back(view->title(), prepare_image(*view, 1)());
    shown.tables.emplace_back(view->title(), prepare_table(*view)());
  }
  return shown;
}

void compare(const Shown& found, const Shown& expected, const char* when) {
  for (size_t i = 0; i < expected.tables.size(); ++i) {
    const QByteArray name = expected.tables[i].first.toUtf8() + ", " + when;
    QVERIFY2(!expected.tables[i].second.isEmpty(), name);
    QVERIFY2(found.tables[i].second == expected.tables[i].second, name);
    QVERIFY2(!expected.pictures[i].second.isNull(), name);
    if (name.startsWith("A score by rotary frequency")) continue;
    QVERIFY2(found.pictures[i].second == expected.pictures[i].second, name);
  }
}

void choose_things(Workbench& w) {
  MainWindow& window = *w.window;
  auto& heatmap = *window.view<HeatmapView>();
  heatmap.set_color_map(ColorMapId::kMagma);
  heatmap.set_scale(ColorScale::Kind::kLog);
  heatmap.set_combination({Combine::kHeadDifference, {1, 2}});
  heatmap.set_keep(Keep::share(90));
  window.view<HeadLinesView>()->set_filter({LineFilter::Kind::kTopMass, 0.75, true});
  window.view<HeadGridView>()->set_order(HeadScore::kPrevious);
  window.view<HeadGridView>()->set_relative(true);
  auto& events = *window.view<EventsView>();
  QVERIFY(events.set_filter(QStringLiteral("kind:request")).isEmpty());
  events.rows().set_order({EventColumn::kKind, true});
  auto& tiles = *window.view<TilesView>();
  w.selection.select(
      {.kind = SelectionKind::kCell, .request = 1, .layer = 1, .head = 3, .query = 20, .key = 4});
  window.view<HeadLinesView>()->set_heads({1, 3});
  tiles.refresh();
  tiles.show_tiles(1);
  heatmap.zoom(2);
  window.cursor().go_to(6);
  window.show_attention(window.view<HeadGridView>());
}

}  // namespace

class TestWindowSession : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString file(const char* name) const { return folder_.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void everything_is_as_it_was() {
    Shown shown;
    QJsonObject state;
    std::vector<Shown> steps;
    {
      Workbench w(busy_scenario());
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QVERIFY(w.control.start());
      QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
      QVERIFY(std::ranges::any_of(*w.bridge.snapshot()->steps, [](const StepRecord& step) {
        return step.swapped_out_blocks > 0;
      }));
      choose_things(w);
      QTest::qWait(300);
      shown = shown_in(*w.window);
      state = w.window->session().view_state();
      QVERIFY(save_from(w, file("lecture.attn-session")));
      QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("lecture.attn-session")));
      compare(shown_in(*w.window), shown, "after saving");
      for (const uint32_t step : {2u, 9u, 14u}) {
        w.window->cursor().go_to(step);
        QTest::qWait(200);
        steps.push_back(shown_in(*w.window));
      }
      w.window->cursor().go_live();
      QTest::qWait(200);
      steps.push_back(shown_in(*w.window));
    }
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(open_in(w, file("lecture.attn-session")));
    QTest::qWait(300);
    QVERIFY(w.bridge.session());
    QCOMPARE(w.window->session().view_state(), state);
    QCOMPARE(w.window->attention_tabs()->currentWidget(),
             static_cast<QWidget*>(w.window->view<HeadGridView>()));
    QCOMPARE(w.window->cursor().step(), 6u);
    QVERIFY(w.selection.state().kind == SelectionKind::kCell);
    QCOMPARE(w.selection.state().query, 20);
    QVERIFY(w.window->windowTitle().startsWith(QStringLiteral("lecture.attn-session")));
    QTest::qWait(200);
    QVERIFY2(w.window->status_line()->text().contains(QStringLiteral("Saved run")),
             qPrintable(w.window->status_line()->text()));
    compare(shown_in(*w.window), shown, "as saved");
    size_t i = 0;
    for (const uint32_t step : {2u, 9u, 14u}) {
      w.window->cursor().go_to(step);
      QTest::qWait(200);
      compare(shown_in(*w.window), steps[i++], "at a step");
    }
    w.window->cursor().go_live();
    QTest::qWait(200);
    compare(shown_in(*w.window), steps[i], "at the end");
    QVERIFY(save_from(w, file("again.attn-session")));
  }

  void the_shown_head_comes_back() {
    {
      Workbench w(synthetic_scenario(12, 2));
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QVERIFY(w.control.start());
      QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
      QTest::qWait(100);
      w.selection.show(0, 1, 1);
      QTest::qWait(100);
      w.selection.show(0, 1, 3);
      QTest::qWait(100);
      QVERIFY(save_from(w, file("head.attn-session")));
    }
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(open_in(w, file("head.attn-session")));
    QTest::qWait(300);
    QCOMPARE(w.selection.shown_layer(), int64_t{1});
    QCOMPARE(w.selection.shown_head(), int64_t{3});
  }

  void run_again_starts_the_scenario_that_is_inside() {
    {
      Workbench w(busy_scenario());
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QVERIFY(w.control.start());
      QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
      QVERIFY(save_from(w, file("a.attn-session")));
    }
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(open_in(w, file("a.attn-session")));
    QVERIFY(w.control.scenario() == busy_scenario());
    QVERIFY(!w.control.has_changes());
    QVERIFY(w.control.has_ended());
    for (int i = 0; i < 5; ++i) QCOMPARE(w.control.live_id(i), int64_t{i});
    const auto outputs = [&] {
      std::vector<std::string> texts;
      for (const RequestView& request : w.bridge.snapshot()->requests)
        texts.push_back(*request.output_text);
      return texts;
    };
    const auto saved = outputs();
    QVERIFY(!w.control.add_request(busy_scenario().requests.front()));
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("comes from a session file")) ||
            w.window->message_bar()->count() > 0);
    QTest::keyClick(w.window.get(), Qt::Key_N);
    QVERIFY(w.bridge.session());
    QVERIFY2(w.window->message_bar()->text().contains(QStringLiteral("Space runs its scenario")),
             qPrintable(w.window->message_bar()->text()));
    QTest::keyClick(w.window.get(), Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return !w.bridge.session(); }, 60000));
    QTRY_VERIFY(w.window->message_bar()->text().contains(QStringLiteral("was replaced")));
    QCOMPARE(w.window->message_bar()->offered()->text(), w.window->actions().undo->text());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(outputs() == saved);
    QCOMPARE(w.window->windowTitle(), QStringLiteral("Attention Workbench"));
  }

  void a_run_that_goes_on_is_saved_as_far_as_it_is() {
    Workbench w(synthetic_scenario(60, 40));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start(true));
    QVERIFY(wait_until_stands(w.bridge));
    for (int i = 0; i < 3; ++i) {
      w.control.step(Granularity::kStep);
      QTest::qWait(50);
      QVERIFY(wait_until_stands(w.bridge));
    }
    w.control.step(Granularity::kLayer);
    QTest::qWait(50);
    QVERIFY(wait_until_stands(w.bridge));
    QVERIFY(save_from(w, file("part.attn-session")));
    QVERIFY(wait_until_stands(w.bridge));
    const size_t steps = w.bridge.snapshot()->steps->size();
    QVERIFY(steps >= 3);
    w.bridge.run();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));

    QVERIFY(open_in(w, file("part.attn-session")));
    QCOMPARE(w.bridge.snapshot()->steps->size(), steps);
    QCOMPARE(w.window->cursor().range().last, static_cast<uint32_t>(steps));
    QVERIFY(w.control.has_ended());
  }

  void a_bad_file_is_told_and_changes_nothing() {
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const auto before = w.bridge.snapshot();
    {
      std::ofstream bad(file("bad.attn-session").toStdString(), std::ios::binary);
      bad << "ATTNSESS and then something else";
    }
    QVERIFY(!open_in(w, file("bad.attn-session")));
    QVERIFY2(w.window->message_bar()->text().contains(QStringLiteral("bad.attn-session")),
             qPrintable(w.window->message_bar()->text()));
    QCOMPARE(w.bridge.snapshot(), before);
    QVERIFY(!w.bridge.session());
    w.window->message_bar()->close_shown();
    QVERIFY(!w.control.open(file("none.attn-session")));
    QVERIFY(QTest::qWaitFor([&] { return !w.window->session().is_busy(); }, 60000));
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("none.attn-session")));
    QVERIFY(!save_from(w, QStringLiteral("/proc/no.attn-session")));
    QVERIFY(w.window->message_bar()->count() > 0);
  }

  void a_session_can_be_dropped_on_the_window() {
    {
      Workbench w(synthetic_scenario(20, 3));
      QVERIFY(w.control.start());
      QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
      QVERIFY(save_from(w, file("drop.attn-session")));
    }
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file("drop.attn-session"))});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(w.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(w.window.get(), &drop);
    QVERIFY(QTest::qWaitFor([&] { return w.bridge.session() && !w.window->session().is_busy(); },
                            60000));
    QCOMPARE(w.control.scenario().requests.front().prompt_tokens, int64_t{20});
  }

  void the_report_of_a_saved_run_is_that_of_the_run() {
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = "full-house-swap";
    line.clock = ClockKind::kVirtual;
    line.scale = 1;
    line.views = {"heatmap", "lines", "heads", "tiles", "blocks", "timeline", "metrics", "events"};
    line.export_folder = file("live").toStdString();
    line.session_file = file("report.attn-session").toStdString();
    run_and_export(line);
    line.scenario = std::exchange(line.session_file, {});
    line.clock.reset();
    line.export_folder = file("saved").toStdString();
    run_and_export(line);
    const QDir live(file("live")), saved(file("saved"));
    QCOMPARE(saved.entryList(QDir::Files), live.entryList(QDir::Files));
    QVERIFY(live.entryList(QDir::Files).size() > 30);
    for (const QString& name : live.entryList(QDir::Files)) {
      QFile a(live.filePath(name)), b(saved.filePath(name));
      QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
      QVERIFY2(a.readAll() == b.readAll(), qPrintable(name));
    }
    line.layer = 0;
    line.head = 1;
    line.views = {"heatmap"};
    line.export_folder = file("head").toStdString();
    run_and_export(line);
    const QStringList tables{QStringLiteral("heatmap-request0-layer*.csv")};
    QCOMPARE(QDir(file("head")).entryList(tables),
             QStringList{QStringLiteral("heatmap-request0-layer0-head1.csv")});
  }

  void a_strange_view_state_is_left_out() {
    Workbench w(busy_scenario());
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::qWait(50);
    WindowSession& session = w.window->session();
    const QJsonObject good = session.view_state();
    const QJsonArray numbers{-1e15, 1e15, 0, -7, 1e300, 5, 6, 7, 8};
    const std::vector<QJsonValue> values = {
        -1, 1e15, 3.5, QStringLiteral("x"), true, QJsonArray{1, 2}, QJsonObject{}, QJsonValue()};
    const auto strange = [&](const QJsonValue& value, qsizetype count) {
      QJsonObject views;
      QJsonArray place;
      for (qsizetype i = 0; i < count; ++i) place.append(numbers[i]);
      for (const QString& view : good.value(QLatin1String("views")).toObject().keys()) {
        QJsonObject options;
        for (const char* key :
             {"color_map",  "scale",    "reduce",       "order",    "score",         "relative",
              "heads",      "filter",   "least_weight", "top_mass", "without_first", "color_by",
              "grid",       "tables",   "prefixes",     "follow",   "tiles",         "axis",
              "descending", "backends", "told_apart",   "weights"})
          options.insert(QLatin1String(key), value);
        views.insert(view, QJsonObject{{QStringLiteral("place"), place},
                                       {QStringLiteral("options"), options}});
      }
      QJsonObject selected{{QStringLiteral("kind"), value}};
      for (const char* key : {"request", "layer", "head", "query", "key", "block", "event"})
        selected.insert(QLatin1String(key), value);
      return QJsonObject{
          {QStringLiteral("views"), views},    {QStringLiteral("selected"), selected},
          {QStringLiteral("shown"), selected}, {QStringLiteral("step"), value},
          {QStringLiteral("tab"), value},      {QStringLiteral("layout"), value},
          {QStringLiteral("wide"), value},     {QStringLiteral("hidden_panels"), value},
          {QStringLiteral("workload"), value}};
    };
    for (const QJsonValue& value : values)
      for (qsizetype count = 0; count <= numbers.size(); ++count) {
        session.show_view_state(strange(value, count));
        QApplication::processEvents();
        for (gui::View* view : w.window->views()) QVERIFY(!prepare_image(*view, 1)().isNull());
      }
    session.show_view_state(good);
    QTest::qWait(50);
    QCOMPARE(session.view_state().value(QLatin1String("tab")), good.value(QLatin1String("tab")));
  }
};

ATTN_QT_TEST(test_window_session, attn::gui::test::run<TestWindowSession>)
#include "test_window_session.moc"
