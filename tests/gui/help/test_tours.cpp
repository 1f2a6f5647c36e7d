// SPDX-License-Identifier: GPL-3.0-or-later
// The tours of the views ("What am I looking at?"): their stops, and how a tour begins and ends.
#include <QMenu>
#include <cmath>
#include <numeric>

#include "backends/register_all.h"
#include "engine/explore/rollout.h"
#include "engine/session/record/head_reader.h"
#include "gui/app/commands/view_menu.h"
#include "gui/app/language.h"
#include "gui/app/view_registry.h"
#include "gui/models/explore/inside.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/circuits/circuits_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/explore/attribution/attribution_view.h"
#include "gui/views/explore/lens/lens_view.h"
#include "gui/views/explore/next_token/next_token_view.h"
#include "gui/views/explore/patching/patching_view.h"
#include "gui/views/rotary/rotary_view.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/view_stage.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int kPastStep = 3;
// This environment variable names a folder for a picture of the window at each stop.
constexpr const char* kPictures = "ATTN_TOUR_PICTURES";

Scenario tour_scenario() {
  Scenario scenario = deterministic("first-look", 5);
  scenario.engine.enable_prefix_caching = true;
  scenario.requests.push_back(scenario.requests.front());
  scenario.requests.back().name = "Tim";
  return scenario;
}

// A part of a stop's title, and numbers that its text must contain.
struct Expected {
  const char* title;
  QStringList numbers;
};

QString digits(double value, int count = 4) {
  return format_number(value, count);
}

}  // namespace

class TestTours : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    // With ATTN_LANGUAGE=de the tours are tested in German.
    use_language(*qApp, qEnvironmentVariable("ATTN_LANGUAGE"));
    bench_ = std::make_unique<Workbench>(tour_scenario());
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
  }
  void init() { fail_on_warnings(); }
  void cleanup() {
    window().tours().end();
    window().cursor().go_live();
    Theme::instance().set_text_percent(100);
    window().resize(1280, 720);
    window().layouts().apply(QStringLiteral("explore"));
  }
  void cleanupTestCase() { bench_.reset(); }

  void an_empty_view_says_why() {
    for (const ViewEntry& entry : view_registry()) {
      begin(entry.name);
      QVERIFY2(tours().is_on(), entry.name.c_str());
      const Tour tour = tours().view()->tour();
      QVERIFY2(tour.is_empty() && tour.stops().size() == 1, entry.name.c_str());
      QVERIFY2(tours().card().words().text.size() > 40, entry.name.c_str());
      QVERIFY(!tours().card().back_button()->isVisible());
      key(Qt::Key_Return);
      QVERIFY2(!tours().is_on() && !tours().card().isVisible(), entry.name.c_str());
    }
  }

  void run_everything() {
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    auto* compare = window().view<CompareView>();
    window().show_attention(compare);
    compare->toggle_job();
    QVERIFY(QTest::qWaitFor([&] { return compare->model().result() != nullptr; }, 60000));
    compare->wait_for_maps();
    window().inside().set_on(true);
    QVERIFY(QTest::qWaitFor([&] { return !window().inside().is_behind(); }, 60000));
  }

  void every_view_has_a_tour_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("past");
    for (const ViewEntry& entry : view_registry())
      for (const bool past : {false, true})
        QTest::addRow("%s%s", entry.name.c_str(), past ? ", past" : "")
            << QString::fromStdString(entry.name) << past;
  }
  void every_view_has_a_tour() {
    QFETCH(QString, name);
    QFETCH(bool, past);
    if (name == QLatin1String("timeline")) window().layouts().apply(QStringLiteral("systems"));
    if (past) window().cursor().go_to(kPastStep);
    const std::vector<TourStop> stops = walk(name.toStdString());
    QVERIFY2(stops.size() >= 3 && stops.size() <= 9, qPrintable(QString::number(stops.size())));
    static const QRegularExpression digit(QStringLiteral("\\d"));
    QVERIFY2(
        std::ranges::any_of(stops, [](const TourStop& stop) { return stop.text.contains(digit); }),
        qPrintable(name));
    for (const Expected& expected : expected_of(name.toStdString())) {
      const auto stop = std::ranges::find_if(
          stops, [&](const TourStop& one) { return one.title == QObject::tr(expected.title); });
      QVERIFY2(stop != stops.end(), expected.title);
      for (const QString& one : expected.numbers)
        QVERIFY2(stop->text.contains(one), qPrintable(one + QStringLiteral(" in: ") + stop->text));
    }
  }

  void in_every_layout_with_large_text() {
    window().resize(1024, 600);
    Theme::instance().set_text_percent(150);
    for (const char* layout : {"explore", "teach", "systems"}) {
      window().layouts().apply(QLatin1String(layout));
      QCoreApplication::processEvents();
      for (const ViewEntry& entry : view_registry())
        QVERIFY2(!walk(entry.name).empty(), entry.name.c_str());
    }
  }

  void it_begins_in_the_menus_and_by_a_key() {
    gui::View& view = *window().view("words");
    window().show_view(&view);
    QTest::keyClick(window().focusWidget(), Qt::Key_F1, Qt::ControlModifier);
    QCOMPARE(tours().view(), &view);
    QTest::keyClick(window().focusWidget(), Qt::Key_Escape);
    QVERIFY(!tours().is_on());
    QVERIFY(view.isAncestorOf(window().focusWidget()) || view.hasFocus());
    window().actions().tour->trigger();
    QCOMPARE(tours().view(), &view);
    view.setFocus();
    QTest::keyClick(window().focusWidget(), Qt::Key_Escape);
    QVERIFY(!tours().is_on());
    const auto help = window().run_bar()->help_button()->menu()->actions();
    QVERIFY(help.contains(window().actions().tour));
    emit view.menu_asked(view.rect().center());
    auto* menu = qobject_cast<ViewMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    menu->tour_entry()->trigger();
    menu->close();
    QCOMPARE(tours().view(), &view);
    QTest::mouseClick(tours().card().next_button(), Qt::LeftButton);
    QCOMPARE(tours().card().words().number, 2);
    QTest::mouseClick(tours().card().back_button(), Qt::LeftButton);
    QCOMPARE(tours().card().words().number, 1);
    QTest::mouseClick(tours().card().close_button(), Qt::LeftButton);
    QVERIFY(!tours().is_on());
  }

  void it_ends_with_its_view_and_with_its_run() {
    begin("lens");
    window().show_view(window().view("heatmap"));
    QTRY_VERIFY(!tours().is_on());
    begin("heatmap");
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    QVERIFY(!tours().is_on() && !tours().spotlight().isVisible());
    QVERIFY(window().message_bar()->texts().join(QString()).contains(
        MainWindow::tr("Attention heatmap")));
  }

 private:
  MainWindow& window() { return *bench_->window; }
  WindowTours& tours() { return window().tours(); }
  void key(int key) { QTest::keyClick(window().focusWidget(), static_cast<Qt::Key>(key)); }

  void begin(const std::string& name) {
    gui::View* view = window().view(name);
    window().show_view(view);
    QCoreApplication::processEvents();
    if (!QTest::qWaitFor([&] { return !view->is_behind(); }, 60000)) return;
    view->grab();  // some places are known only after painting
    tours().begin(*view);
  }

  // Walks through the tour by keyboard, and goes back by one stop once. Returns the stops; empty:
  // something was wrong.
  std::vector<TourStop> walk(const std::string& name) {
    begin(name);
    const auto has_begun = [&] { return tours().card().words().count > 1; };
    if (!tours().is_on() || !QTest::qWaitFor(has_begun, 60000)) return {};
    const auto before = std::tuple(bench_->bridge.snapshot()->run, window().cursor().step(),
                                   bench_->selection.state());
    std::vector<TourStop> seen;
    const int count = tours().card().words().count;
    for (int i = 0; i < count; ++i) {
      const TourCard::Words& words = tours().card().words();
      const QRect part = tours().spotlight().part();
      const gui::View& view = *tours().view();
      const QRect in_window = part.translated(view.mapTo(&window(), QPoint()));
      const QString what =
          QStringLiteral("%1 %2: %3").arg(QString::fromStdString(name), words.title, words.text);
      if (words.number != i + 1 || !tours().spotlight().isVisible() || part.isEmpty() ||
          !view.rect().contains(part) || !window().rect().contains(in_window) ||
          !window().rect().contains(tours().card().geometry()) || !is_whole(tours().card()) ||
          words.text.contains(QLatin1Char('%') + QString::number(1)) ||
          words.text.contains(QRegularExpression(QStringLiteral("\\bnan\\b")))) {
        qInfo() << "not in sight or not whole:" << what << part << tours().card().geometry();
        return {};
      }
      seen.push_back({words.title, words.text, part});
      if (const QString folder = qEnvironmentVariable(kPictures); !folder.isEmpty())
        window().grab().save(QStringLiteral("%1/%2-%3-%4-%5.png")
                                 .arg(folder, window().layouts().current(),
                                      QString::number(Theme::instance().text_percent()),
                                      QString::fromStdString(name), QString::number(i + 1)));
      if (i == 1) {
        key(Qt::Key_Left);
        key(Qt::Key_Right);
      }
      key(i % 2 == 0 ? Qt::Key_Right : Qt::Key_Return);
    }
    const auto after = std::tuple(bench_->bridge.snapshot()->run, window().cursor().step(),
                                  bench_->selection.state());
    if (tours().is_on() || before != after) {
      qInfo() << "not ended, or the run changed" << QString::fromStdString(name);
      return {};
    }
    return seen;
  }

  static bool is_whole(const TourCard& card) {
    for (const QLabel* label : card.findChildren<QLabel*>())
      if (label->height() < label->heightForWidth(label->width())) return false;
    for (const QPushButton* button : card.findChildren<QPushButton*>())
      if (button->isVisible() && button->width() < button->sizeHint().width()) return false;
    return true;
  }

  std::vector<Expected> expected_of(const std::string& name) {
    const EngineSnapshot& now = *window().cursor().snapshot();
    const RequestView& request = now.requests.front();
    const AttentionRecord& record = *request.attention;
    const int64_t layer = bench_->selection.shown_layer(), head = bench_->selection.shown_head();
    const int64_t query = request.num_computed - 1;
    const StepRecord& step = now.steps->back();
    std::vector<double> row;
    for (int64_t k = 0; k <= query; ++k)
      row.push_back(static_cast<double>(record.operands(layer, head, query, k).weight));
    const auto most = std::ranges::max_element(row);
    const QString most_key = QString::number(most - row.begin());
    const int64_t heads = int64_t{now.source.num_layers} * now.source.num_heads;
    const auto used = std::ranges::count_if(
        now.blocks, [](const BlockView& block) { return block.ref_count > 0; });
    static_cast<void>(step);
    if (name == "heatmap")
      return {{"One head of attention", {QString::number(layer), format_count(query + 1)}},
              {"A row reads",
               {QString::number(query), digits(std::accumulate(row.begin(), row.end(), 0.0))}},
              {"Its largest weight", {most_key, digits(*most * 100, 3) + QLatin1Char('%')}}};
    if (name == "lines") {
      double largest = 0;
      for (int64_t q = 0; q <= query; ++q)
        for (int64_t k = 0; k <= q; ++k)
          largest =
              std::max(largest, static_cast<double>(record.operands(layer, head, q, k).weight));
      return {{"A token that is read", {QString::number(head), digits(largest, 3)}}};
    }
    if (name == "heads") {
      double largest = 0;
      for (int64_t l = 0; l < now.source.num_layers; ++l)
        for (int64_t h = 0; h < now.source.num_heads; ++h) {
          HeadReading reading;
          read_head(
              record, l, h, query + 1, {}, [] { return false; }, reading);
          largest = std::max(largest, reading.scores.previous.value_or(0));
        }
      return {{"All heads at once", {format_count(heads)}},
              {"The head that reads the preceding token most",
               {score_text(largest, HeadScore::kPrevious, false)}}};
    }
    if (name == "tiles") {
      int64_t tiles = 0;
      for (size_t i = 0; i < window().cursor().num_events(); ++i)
        if (const TraceEvent& event = bench_->bridge.events()[i]; event.kind == EventKind::kTile) {
          const TileEvent tile = unpack_tile(event);
          tiles += tile.request == request.id && event.layer == layer &&
                   static_cast<int64_t>(tile.head) <= head &&
                   head < static_cast<int64_t>(tile.head + tile.heads);
        }
      return {{"How a kernel walks", {format_count(tiles)}}};
    }
    if (name == "compare") {
      const CompareResult& result = *window().view<CompareView>()->model().result();
      return {{"The same work, computed in several ways",
               {format_count(result.steps), format_count(result.tokens)}}};
    }
    if (name == "blocks")
      return {{"The cache as blocks",
               {format_count(static_cast<int64_t>(now.blocks.size())), format_count(used),
                format_count(now.step)}}};
    if (name == "timeline")
      return {{"The steps",
               {format_count(step.prefill_tokens), format_count(step.decode_tokens),
                format_duration_ns(static_cast<double>(step.end_ns - step.begin_ns))}}};
    if (name == "metrics")
      return {{"Reading prompts", {format_count(step.step), format_count(step.prefill_tokens)}},
              {"The cache", {format_count(step.used_blocks)}}};
    if (name == "events")
      return {{"Everything that happened",
               {format_count(static_cast<int64_t>(window().cursor().num_events()))}}};
    if (name == "words")
      return {{"The newest token", {QString::number(request.tokens->size() - 1)}},
              {"Where the model goes on", {QString::number(request.prompt_len)}}};
    if (name == "step") {
      const PlannedSequence& planned = now.plan.sequences.front();
      return {{"What the engine gives its backend",
               {format_count(step.step), format_count(step.prefill_tokens + step.decode_tokens)}},
              {"A new token", {format_count(planned.query_len)}}};
    }
    if (name == "next_token") {
      const NextTokenData& data = *window().view<NextTokenView>()->data();
      return {{"How the next token is chosen",
               {format_count(data.next.vocabulary), format_count(data.position)}}};
    }
    if (name == "lens") {
      const LensData& data = *window().view<LensView>()->data();
      const auto sites = static_cast<int64_t>(data.lens.sites.size());
      return {{"What the model would say, layer by layer",
               {format_count(query + 1), format_count(sites)}}};
    }
    if (name == "knock_out")
      return {{"How the answer changes without a head",
               {format_count(heads), QString::number(now.source.num_layers)}}};
    if (name == "attribution") {
      const Attribution& shares = window().view<AttributionView>()->data()->shares;
      double sum = shares.embed + shares.norm_bias + shares.output_bias;
      for (const auto* part : {&shares.heads, &shares.attention_biases, &shares.mlps})
        sum = std::accumulate(part->begin(), part->end(), sum);
      return {{"Who said it", {digits(sum)}}};
    }
    if (name == "points") return {{"The key that it reads most", {most_key, digits(*most, 3)}}};
    if (name == "rotary") {
      const RotaryCell& cell = *window().view<RotaryView>()->scene().cell;
      const WeightOperands operands = record.operands(layer, head, cell.query, cell.key);
      return {{"One score, taken apart", {digits(static_cast<double>(operands.score))}}};
    }
    if (name == "circuits") {
      const CircuitsScene& scene = window().view<CircuitsView>()->scene();
      return {{"Checked", {digits(scene.ov->part.circuit.trace)}}};
    }
    if (name == "rollout") {
      const Rollout all = rollout(record, query + 1);
      const double first =
          all.layers[static_cast<size_t>(layer)][static_cast<size_t>(query * all.rows)];
      return {{"The first token collects", {digits(100 * first, 3) + QLatin1Char('%')}}};
    }
    if (name == "patching") {
      const PatchEnds& ends = window().view<PatchingView>()->data()->ends;
      return {{"Which states carry the answer",
               {digits(100 * ends.clean.right_probability, 3),
                digits(100 * ends.corrupted.right_probability, 3)}}};
    }
    return {};
  }

  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_tours, attn::gui::test::run<TestTours>)

#include "test_tours.moc"
