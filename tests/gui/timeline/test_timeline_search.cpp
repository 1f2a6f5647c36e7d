// SPDX-License-Identifier: GPL-3.0-or-later
// The search of the timeline: terms, matches compared with a plain search, and keys.
#include "gui/views/timeline/timeline_text.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/timeline/timeline_stage.h"

using namespace attn;
using namespace attn::gui;
using attn::gui::test::RandomRun;
using attn::gui::test::TimelineStage;

namespace {

const char* const kSearchTexts[] = {"linear",
                                    "flash layer 1",
                                    "layer 1",
                                    "Lily",
                                    "lily 3 queued",
                                    "worker 0",
                                    "worker 0 linear layer 2",
                                    "step 7",
                                    "SCHEDULER",
                                    "decode",
                                    "request 4",
                                    "head 1",
                                    "preempted",
                                    "swapped",
                                    "7",
                                    "nothing like this",
                                    "engine steps",
                                    "plan step 12"};

QStringList texts_of_span(const RandomRun& run, const TimelineLane& lane, const LodSpan& span) {
  QStringList texts{lane_name(lane), text_of(static_cast<SpanClass>(span.span_class))};
  if (static_cast<SpanClass>(span.span_class) == SpanClass::kSwapped)
    texts << text_of(SpanClass::kPreempted);  // a request in the swap pool was preempted, too
  if (lane.kind == LaneKind::kRequest) return texts << QStringLiteral("request %1").arg(lane.id);
  const TraceEvent& event = run.events[span.event];
  texts << kind_words(event.kind);
  if (event.layer != kNoLayer) texts << QStringLiteral("layer %1").arg(event.layer);
  if (event.kind == EventKind::kTile) {
    const TileEvent tile = unpack_tile(event);
    texts << kernel_words(static_cast<uint32_t>(tile.kernel))
          << QStringLiteral("request %1").arg(tile.request)
          << QString::fromStdString(run.snapshot->requests[tile.request].name);
    for (uint32_t head = tile.head; head < tile.head + tile.heads; ++head)
      texts << QStringLiteral("head %1").arg(head);
  } else {
    texts << QStringLiteral("step %1").arg(step_of(event));
    if (event.kind != EventKind::kStep && event.kind != EventKind::kSchedule)
      texts << kernel_words(event.a);
  }
  return texts;
}

using SearchMatch = TimelineSearch::Match;

std::vector<SearchMatch> plain_matches(const RandomRun& run, const TimelineModel& model,
                                       const QString& text) {
  const QStringList terms = SearchTerms(text).terms();
  const auto fits = [&](const TimelineLane& lane, const LodSpan& span) {
    const QStringList texts = texts_of_span(run, lane, span);
    return std::ranges::all_of(terms, [&](const QString& term) {
      const QRegularExpression whole(
          QStringLiteral("(?<![0-9])%1(?![0-9])").arg(QRegularExpression::escape(term)),
          QRegularExpression::CaseInsensitiveOption);
      const bool has_number = term.front().isDigit() || term.back().isDigit();
      return std::ranges::any_of(texts, [&](const QString& one) {
        return has_number ? one.contains(whole) : one.contains(term, Qt::CaseInsensitive);
      });
    });
  };
  std::vector<SearchMatch> matches;
  for (size_t i = 0; i < model.lanes().size(); ++i) {
    const TimelineLane& lane = *model.lanes()[i];
    const auto take = [&](const LodSpan& span) {
      if (span.begin_ns < model.until_ns() && fits(lane, span))
        matches.push_back({span.begin_ns, static_cast<int>(i), span.event});
    };
    for (uint64_t at = 0; at < lane.spans.size(); ++at) take(lane.spans.span(at));
    if (lane.open)
      take({lane.open->begin_ns, lane.open->begin_ns, lane.open->event,
            static_cast<uint8_t>(lane.open->span_class)});
  }
  std::ranges::sort(matches);
  return matches;
}

}  // namespace

class TestTimelineSearch : public QObject {
  Q_OBJECT
 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void terms() {
    QCOMPARE(SearchTerms(QStringLiteral(" Flash  layer 3 worker 0 12")).terms(),
             QStringLiteral("flash,layer 3,worker 0,12").split(QLatin1Char(',')));
    const SearchTerms layer(QStringLiteral("layer 1"));
    QCOMPARE(layer.found_in(QStringLiteral("Layer 1")), uint64_t{1});
    QCOMPARE(layer.found_in(QStringLiteral("layer 12")), uint64_t{0});
    QVERIFY(SearchTerms(QStringLiteral("  ")).empty());
    const SearchTerms most(QStringLiteral("a ").repeated(80));
    QCOMPARE(most.terms().size(), 64);
    QCOMPARE(most.found_in(QStringLiteral("a")), most.all());
  }

  void finds_what_looking_at_every_span_finds() {
    size_t found_in_all = 0;
    for (uint32_t seed = 0; seed < 4; ++seed) {
      RandomRun run(seed);
      for (const char* text : kSearchTexts) {
        TimelineModel model;
        TimelineSearch search;
        search.set_text(QLatin1String(text));
        model.set_snapshot(run.snapshot);
        for (size_t from = 0; from < run.events.size();) {
          const size_t count = std::min(run.events.size() - from, size_t{1} + run.pick(200));
          model.append({run.events.data() + from, count}, static_cast<uint32_t>(from));
          from += count;
          for (int i = 0; i < 3; ++i) search.look(model, run.events, 1 + run.pick(40));
        }
        uint64_t seen = 0;
        while (!search.look(model, run.events, 16)) ++seen;
        std::vector<SearchMatch> want = plain_matches(run, model, QLatin1String(text));
        found_in_all += want.size();
        QCOMPARE(search.count(model), uint64_t{want.size()});
        SearchMatch at{0, -1, 0};
        for (size_t i = 0; i < want.size(); ++i) {
          const auto next = search.next(model, at, 1);
          QVERIFY(next && *next == want[i]);
          QVERIFY(search.holds(model, *next));
          QCOMPARE(search.rank(model, *next), uint64_t{i});
          at = *next;
        }
        QVERIFY(!search.next(model, at, 1));
        for (size_t i = want.size(); i-- > 1;) {
          const auto before = search.next(model, want[i], -1);
          QVERIFY(before && *before == want[i - 1]);
        }
        const size_t step = 1 + run.pick(40);
        model.set_past(run.after(step));
        want = plain_matches(run, model, QLatin1String(text));
        QCOMPARE(search.count(model), uint64_t{want.size()});
        const auto last = search.next(model, {UINT64_MAX, INT_MAX, 0}, -1);
        QCOMPARE(last.has_value(), !want.empty());
        if (last) QVERIFY(*last == want.back());
      }
    }
    QVERIFY(found_in_all > 1000);
  }

  void preempted_finds_the_swap_pool() {
    RandomRun run(1);
    TimelineModel model;
    model.set_snapshot(run.snapshot);
    model.append(run.events, 0);
    const auto count_of = [&](const char* text) {
      TimelineSearch search;
      search.set_text(QLatin1String(text));
      search.look(model, run.events, UINT64_MAX);
      return search.count(model);
    };
    uint64_t preempted = 0, swapped = 0;
    for (const TimelineLane* lane : model.lanes()) {
      const auto add = [&](SpanClass span) {
        preempted += span == SpanClass::kPreempted;
        swapped += span == SpanClass::kSwapped;
      };
      for (uint64_t at = 0; at < lane->spans.size(); ++at)
        add(static_cast<SpanClass>(lane->spans.span(at).span_class));
      if (lane->open) add(lane->open->span_class);
    }
    QVERIFY(preempted > 0 && swapped > 0);
    QCOMPARE(count_of("swapped"), swapped);
    QCOMPARE(count_of("preempted"), preempted + swapped);
  }

  void looks_at_so_many_spans_at_most() {
    RandomRun run(1);
    TimelineModel model;
    model.append(run.events, 0);
    TimelineSearch search;
    search.set_text(QStringLiteral("e"));
    uint64_t calls = 1;
    while (!search.look(model, run.events, 10)) ++calls;
    QVERIFY(calls >= model.num_spans() / 10);
  }

  void keys_go_through_the_matches() {
    TimelineStage s;
    SearchBar& bar = s.view.search_bar();
    QVERIFY(bar.isHidden());
    QTest::keyClick(&s.canvas, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(bar.isVisible() && bar.line().hasFocus());
    const QImage before = s.canvas.grab().toImage();
    QTest::keyClicks(&bar.line(), QStringLiteral("linear layer 2"));
    QTRY_VERIFY(s.canvas.searched_all());
    const auto want = plain_matches(s.run, s.canvas.model(), QStringLiteral("linear layer 2"));
    QVERIFY(want.size() > 3);
    const auto number = static_cast<int>(want.size());
    QCOMPARE(bar.state(), QStringLiteral("%1 found").arg(number));
    s.settle();
    QVERIFY(s.canvas.scene_now().searching && s.canvas.grab().toImage() != before);
    s.canvas.show_time(static_cast<double>(s.run.end_ns()) * 0.9,
                       static_cast<double>(s.run.end_ns()));
    const auto selected = [&] { return static_cast<uint32_t>(s.selection.state().event); };
    s.canvas.select_event(want[0].event);
    QCOMPARE(bar.state(), QStringLiteral("1 of %1").arg(number));
    QTest::keyClick(&bar.line(), Qt::Key_Return);
    QCOMPARE(selected(), want[1].event);
    QCOMPARE(bar.state(), QStringLiteral("2 of %1").arg(number));
    QTest::keyClick(&bar.line(), Qt::Key_F3);
    QCOMPARE(selected(), want[2].event);
    QTest::keyClick(&bar.line(), Qt::Key_F3, Qt::ShiftModifier);
    QTest::keyClick(&bar.line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(selected(), want[0].event);
    QTest::keyClick(&bar.line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(selected(), want.back().event);
    QVERIFY(static_cast<double>(want.back().begin_ns) <= s.canvas.axis().visible_end());
    QTest::keyClick(&bar.line(), Qt::Key_Return);
    QCOMPARE(selected(), want[0].event);
    QVERIFY(static_cast<double>(want[0].begin_ns) >= s.canvas.axis().visible_begin());
    QTest::keyClicks(&bar.line(), QStringLiteral(" zebra"));
    QTRY_COMPARE(bar.state(), QStringLiteral("no match"));
    QTest::keyClick(&bar.line(), Qt::Key_Escape);
    QVERIFY(bar.isHidden() && s.canvas.hasFocus() && !s.canvas.search().active());
    QVERIFY(!s.canvas.scene_now().searching);
  }

  void a_new_run_is_searched_too() {
    TimelineStage s;
    s.canvas.find(QStringLiteral("linear"));
    QTRY_VERIFY(s.canvas.searched_all());
    QVERIFY(s.canvas.search().count(s.canvas.model()) > 0);
    s.canvas.reset();
    QCOMPARE(s.canvas.search().count(s.canvas.model()), uint64_t{0});
    const RandomRun other(11);
    s.canvas.set_snapshot(other.snapshot);
    s.canvas.set_events(other.events, 0);
    QTRY_VERIFY(s.canvas.searched_all());
    QCOMPARE(s.canvas.search().count(s.canvas.model()),
             uint64_t{plain_matches(other, s.canvas.model(), QStringLiteral("linear")).size()});
  }
};

ATTN_QT_TEST(test_timeline_search, attn::gui::test::run<TestTimelineSearch>)
#include "test_timeline_search.moc"
