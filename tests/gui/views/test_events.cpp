// SPDX-License-Identifier: GPL-3.0-or-later
// The table of events.
#include <QImage>
#include <QTemporaryDir>
#include <QThread>
#include <algorithm>
#include <cstring>
#include <set>

#include "backends/register_all.h"
#include "event_samples.h"
#include "gui/views/events/events_view.h"
#include "gui/views/events/rows/events_csv.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct EventsFixture {
  Selection selection;
  EventsView view{{nullptr, &selection}};
  std::shared_ptr<Recorder> recorder;

  explicit EventsFixture(const std::vector<TraceEvent>& events, QSize size = {1280, 640})
      : recorder(recorder_of(events)) {
    view.resize(size);
    view.show();
    view.show_recorder(recorder, recorder->size());
  }
  EventsTable& table() { return view.events(); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&table().view(), key, modifiers);
  }
  void type(const QString& text) {
    view.filter_line().setFocus();
    view.filter_line().clear();
    QTest::keyClicks(&view.filter_line(), text);
    QTest::keyClick(&view.filter_line(), Qt::Key_Return);
  }
};

struct Watched {
  Watched() {
    follow_runs(bridge, selection);
    view.resize(1280, 500);
    view.show();
  }
  void run() {
    bridge.start(synthetic_scenario(40, 12));
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QTRY_COMPARE(view.rows().total(), static_cast<uint64_t>(bridge.events().size()));
  }
  EngineBridge bridge;
  Selection selection;
  TimeCursor cursor{bridge};
  EventsView view{{&bridge, &selection, &cursor}};
};

}  // namespace

class TestEvents : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void requests_have_their_names() {
    Watched w;
    Scenario scenario = synthetic_scenario(40, 12);
    ScenarioRequest other = scenario.requests[0];
    scenario.requests[0].name = "Lily";
    other.name = "Tom";
    scenario.requests.push_back(other);
    w.bridge.start(scenario);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTRY_COMPARE(w.view.rows().total(), static_cast<uint64_t>(w.bridge.events().size()));
    const auto column = static_cast<size_t>(EventColumn::kRequest);
    int named = 0;
    for (const EventCells& cells : w.view.events().model().read(0, w.view.rows().total())) {
      const int64_t id = request_of(w.bridge.events()[cells.event]);
      const QString wanted = id < 0    ? QString()
                             : id == 0 ? QStringLiteral("Lily")
                                       : QStringLiteral("Tom");
      QCOMPARE(cells.texts[column], wanted);
      named += id >= 0;
    }
    QVERIFY(named > 0);
    const auto expect = [&](const char* filter, int64_t id) {
      QCOMPARE(w.view.set_filter(QLatin1String(filter)), QString());
      QVERIFY(settle(w.view.rows()));
      QVERIFY(w.view.rows().size() > 0);
      for (const uint32_t row : rows_of(w.view.rows()))
        QCOMPARE(request_of(w.bridge.events()[row]), id);
    };
    expect("request:Lily", 0);
    expect("request:to", 1);
    expect("request:1", 1);
    const QString problem = w.view.set_filter(QStringLiteral("request:Ann"));
    QVERIFY2(problem.contains(QStringLiteral("begins with Ann")), qPrintable(problem));
  }

  void wrong_terms_say_what_is_allowed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("allowed");
    QTest::newRow("field") << QStringLiteral("colour:red") << QStringLiteral("duration");
    QTest::newRow("kind") << QStringLiteral("kind:tyle") << QStringLiteral("tile");
    QTest::newRow("no kind") << QStringLiteral("kind:") << QStringLiteral("tile");
    QTest::newRow("lane") << QStringLiteral("lane:gpu") << QStringLiteral("worker0");
    QTest::newRow("word") << QStringLiteral("step:abc") << QStringLiteral("step:10..20");
    QTest::newRow("nothing") << QStringLiteral("step:") << QStringLiteral("step:10..20");
    QTest::newRow("half") << QStringLiteral("layer:1.5") << QStringLiteral("whole number");
    QTest::newRow("negative") << QStringLiteral("block:-1") << QStringLiteral("block:3");
    QTest::newRow("backwards") << QStringLiteral("step:5..2") << QStringLiteral("step:10..20");
    QTest::newRow("unit") << QStringLiteral("duration:>5kg") << QStringLiteral("ns, us, ms and s");
    QTest::newRow("dots") << QStringLiteral("time:..") << QStringLiteral("ns, us, ms and s");
    QTest::newRow("list") << QStringLiteral("request:1,,2") << QStringLiteral("request:1,5");
  }

  void wrong_terms_say_what_is_allowed() {
    QFETCH(QString, text);
    QFETCH(QString, allowed);
    EventsFixture f(random_events(300, 2));
    f.type(QStringLiteral("kind:tile"));
    QVERIFY(settle(f.view.rows()));
    const uint64_t before = f.view.rows().size();
    QVERIFY(f.view.notice().isEmpty());
    f.type(text);
    QVERIFY2(f.view.notice().contains(allowed), qPrintable(f.view.notice()));
    QVERIFY(f.view.notice().endsWith(QLatin1Char('.')));
    QCOMPARE(f.view.filter_line().accessibleDescription(), f.view.notice());
    QVERIFY(settle(f.view.rows()));
    QCOMPARE(f.view.rows().size(), before);
    f.type(QStringLiteral("kind:step"));
    QVERIFY(f.view.notice().isEmpty());
  }

  void kinds_are_chosen_by_group_and_one_by_one() {
    const std::vector<TraceEvent> events = random_events(2000, 3);
    EventsFixture f(events);
    KindMenu& kinds = f.view.kinds();
    QCOMPARE(kinds.summary(), QStringLiteral("All kinds"));
    const auto expect = [&](auto&& holds) {
      if (!settle(f.view.rows())) return false;
      std::vector<uint32_t> expected;
      for (size_t i = 0; i < events.size(); ++i)
        if (holds(events[i].kind)) expected.push_back(static_cast<uint32_t>(i));
      return rows_of(f.view.rows()) == expected;
    };
    kinds.action_of(EventGroup::kBlocks)->trigger();  // hides events of blocks
    QVERIFY(expect([](EventKind kind) { return !is_block_event(kind); }));
    kinds.action_of(EventKind::kBlockFreed)->trigger();
    QVERIFY(expect(
        [](EventKind kind) { return !is_block_event(kind) || kind == EventKind::kBlockFreed; }));
    QVERIFY(!kinds.action_of(EventGroup::kBlocks)->isChecked());
    QVERIFY(kinds.summary().endsWith(QStringLiteral("of 31 kinds")));
    std::bitset<kEventKinds> only;
    only.set(static_cast<size_t>(EventKind::kWarning));
    kinds.set_kinds(only);
    QCOMPARE(kinds.summary(), QStringLiteral("Warnings"));
    QVERIFY(expect([](EventKind kind) { return kind == EventKind::kWarning; }));
    for (size_t i = 0; i < kEventKinds; ++i) QVERIFY(kinds.action_of(static_cast<EventKind>(i)));
  }

  // --- live ---

  void follows_a_run() {
    Watched f;
    EngineBridge& bridge = f.bridge;
    EventsView& view = f.view;
    QVERIFY(view.count_words().startsWith(QLatin1Char('0')));
    f.run();
    QVERIFY(view.rows().total() > 100);
    EventsTable& table = view.events();
    const auto last_in_sight = [&] {
      return table.first_row() + static_cast<uint64_t>(table.rows_in_sight()) == view.rows().size();
    };
    QTRY_VERIFY(last_in_sight());
    table.bar().setValue(table.bar().maximum() - 10);
    QVERIFY(!table.follows());
    const uint64_t first = table.first_row();
    ScenarioRequest more;
    more.name = "B";
    more.prompt_tokens = 20;
    more.max_tokens = 8;
    const uint64_t before = view.rows().total();
    bridge.add_request(more);
    QTRY_VERIFY(view.rows().total() > before + 20);
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QTest::qWait(50);
    QCOMPARE(table.first_row(), first);
    QTest::keyClick(&table.view(), Qt::Key_End);
    QVERIFY(table.follows());
    QVERIFY(last_in_sight());
    QCOMPARE(table.current_row(), static_cast<int64_t>(view.rows().size()) - 1);
    QTest::keyClick(&table.view(), Qt::Key_Up);
    QVERIFY(table.follows());
    QTest::keyClick(&table.view(), Qt::Key_PageUp);
    QTest::keyClick(&table.view(), Qt::Key_PageUp);
    QVERIFY(!table.follows());
    view.filter_line().setText(QStringLiteral("kind:token"));
    QTest::keyClick(&view.filter_line(), Qt::Key_Return);
    bridge.start(synthetic_scenario(10, 5));
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QTRY_COMPARE(view.rows().total(), static_cast<uint64_t>(bridge.events().size()));
    QTRY_COMPARE(view.rows().size(), uint64_t{5});
    QCOMPARE(count_events(bridge, EventKind::kTokenSampled), int64_t{5});
  }

  // --- jump and find ---

  void a_jump_takes_selection_and_cursor_along() {
    Watched f;
    f.run();
    EngineBridge& bridge = f.bridge;
    Selection& selection = f.selection;
    TimeCursor& cursor = f.cursor;
    EventsView& view = f.view;
    const auto& events = bridge.events();
    std::set<EventKind> seen;
    for (size_t i = 0; i < events.size(); ++i) {
      const TraceEvent& event = events[i];
      if (!seen.insert(event.kind).second && i % 37 != 0) continue;
      cursor.go_live();
      view.events().set_current_row(static_cast<int64_t>(i));
      QTest::keyClick(&view.events().view(), Qt::Key_Return);
      const SelectionState& state = selection.state();
      if (block_of(event) >= 0) {
        QCOMPARE(state.kind, SelectionKind::kBlock);
        QCOMPARE(state.block, block_of(event));
      } else {
        QCOMPARE(state.kind, SelectionKind::kSpan);
        QCOMPARE(state.event, static_cast<int64_t>(i));
        if (event.kind == EventKind::kTile) QCOMPARE(state.head, int64_t{unpack_tile(event).head});
        if (event.layer != kNoLayer) QCOMPARE(state.layer, int64_t{event.layer});
      }
      QCOMPARE(state.request, request_of(event));
      const int64_t step = view.rows().step_at(event, static_cast<uint32_t>(i));
      if (step >= 1) QCOMPARE(cursor.step(), static_cast<uint32_t>(step));
      QCOMPARE(view.rows().event_at(static_cast<uint64_t>(view.events().current_row())),
               static_cast<uint32_t>(i));
    }
    QVERIFY(seen.size() >= 8);
  }

  void ends_with_the_step_of_the_cursor() {
    Watched f;
    f.run();
    EngineBridge& bridge = f.bridge;
    TimeCursor& cursor = f.cursor;
    EventsView& view = f.view;
    const auto shown = [&] {
      std::vector<uint32_t> events = rows_of(view.rows());
      std::ranges::sort(events);
      return events;
    };
    for (const QString& filter :
         {QString(), QStringLiteral("kind:tile"), QStringLiteral("step:4..9")})
      for (const EventOrder order :
           {EventOrder{}, EventOrder{EventColumn::kNumber, true},
            EventOrder{EventColumn::kDuration, true}, EventOrder{EventColumn::kStep, false}}) {
        cursor.go_live();
        view.set_filter(filter);
        view.rows().set_order(order);
        QVERIFY(settle(view.rows()));
        const std::vector<uint32_t> all = shown();
        for (const uint32_t step : {9u, 3u, 11u, 1u, 6u}) {
          cursor.go_to(step);
          QVERIFY(view.rows().total() < bridge.events().size());
          for (const uint32_t event : shown()) QVERIFY(event < cursor.num_events());
          QVERIFY(settle(view.rows()));
          std::vector<uint32_t> expected = all;
          std::erase_if(expected, [&](uint32_t event) { return event >= cursor.num_events(); });
          QVERIFY(shown() == expected);
          for (const uint32_t event : expected)
            QVERIFY(view.rows().step_at(bridge.events()[event], event) <= int64_t{step});
        }
        cursor.go_live();
        QVERIFY(settle(view.rows()));
        QVERIFY(shown() == all);
      }
    cursor.go_to(5);
    QVERIFY2(view.events().view().accessibleDescription().contains(QStringLiteral("until step 5")),
             qPrintable(view.events().view().accessibleDescription()));
  }

  void the_selected_span_is_found() {
    const std::vector<TraceEvent> events = random_events(5000, 8);
    EventsFixture f(events);
    f.selection.select({.kind = SelectionKind::kSpan, .event = 1234});
    f.key(Qt::Key_S);
    QCOMPARE(f.table().current_row(), int64_t{1234});
    QVERIFY(f.table().first_row() <= 1234 &&
            f.table().first_row() + static_cast<uint64_t>(f.table().rows_in_sight()) > 1234);
    f.view.rows().set_order({EventColumn::kTime, true});
    QVERIFY(settle(f.view.rows()));
    f.selection.select({.kind = SelectionKind::kSpan, .event = 77});
    f.key(Qt::Key_S);
    QVERIFY(f.table().current_row() >= 0);
    QCOMPARE(f.view.rows().event_at(static_cast<uint64_t>(f.table().current_row())), 77u);
    f.view.rows().set_order({});
    const QString other = events[77].kind == EventKind::kTile ? QStringLiteral("kind:step")
                                                              : QStringLiteral("kind:tile");
    f.type(other);
    QVERIFY(settle(f.view.rows()));
    f.view.show_selected();
    QVERIFY(f.view.notice().contains(QStringLiteral("no row for the selected span")));
  }

  void events_of_a_block_are_found_one_after_the_other() {
    const std::vector<TraceEvent> events = random_events(5000, 9);
    EventsFixture f(events);
    f.selection.select({.kind = SelectionKind::kBlock, .block = 4});
    std::vector<int64_t> expected;
    for (size_t i = 0; i < events.size(); ++i)
      if (names_block(events[i], 4, false)) expected.push_back(static_cast<int64_t>(i));
    QVERIFY(expected.size() > 10);
    for (size_t i = 0; i < 5; ++i) {
      f.key(Qt::Key_S);
      QTRY_COMPARE(f.table().current_row(), expected[i]);
    }
    f.table().set_current_row(expected.back());
    f.key(Qt::Key_S);
    QTRY_COMPARE(f.table().current_row(), expected.front());
    f.view.only_button().click();
    QVERIFY(settle(f.view.rows()));
    QCOMPARE(f.view.rows().size(), static_cast<uint64_t>(expected.size()));
    f.table().set_current_row(3);
    f.key(Qt::Key_Return);
    QVERIFY(settle(f.view.rows()));
    QCOMPARE(f.view.rows().size(), static_cast<uint64_t>(expected.size()));
    f.selection.select({.kind = SelectionKind::kBlock, .block = 100000});
    QVERIFY(settle(f.view.rows()));
    QCOMPARE(f.view.rows().size(), uint64_t{0});
  }

  void only_what_happened_within_a_selected_span() {
    const std::vector<TraceEvent> events = random_events(3000, 10);
    EventsFixture f(events);
    const auto step = std::ranges::find_if(events, [](const TraceEvent& event) {
      return event.kind == EventKind::kStep && event.a == 5;
    });
    f.selection.select({.kind = SelectionKind::kSpan, .event = step - events.begin()});
    f.view.only_button().click();
    QVERIFY(settle(f.view.rows()));
    std::vector<uint32_t> expected;
    for (size_t i = 0; i < events.size(); ++i)
      if (events[i].begin_ns >= step->begin_ns &&
          events[i].begin_ns + events[i].duration_ns <= step->begin_ns + step->duration_ns)
        expected.push_back(static_cast<uint32_t>(i));
    QVERIFY(expected.size() > 3);
    QVERIFY(rows_of(f.view.rows()) == expected);
    f.selection.clear();
    f.selection.show(2, 0, 0);
    QVERIFY(settle(f.view.rows()));
    QVERIFY(f.view.rows().size() > 10);
    for (const uint32_t index : rows_of(f.view.rows()))
      QCOMPARE(request_of(events[index]), int64_t{2});
  }

  // --- keys, words, pictures ---

  void keys_reach_every_row_and_column() {
    EventsFixture f(random_events(3000, 11));
    const auto last = static_cast<int64_t>(f.view.rows().size()) - 1;
    f.table().view().setFocus();
    f.key(Qt::Key_Home);
    QCOMPARE(f.table().current_row(), int64_t{0});
    f.key(Qt::Key_Down);
    f.key(Qt::Key_Down);
    QCOMPARE(f.table().current_row(), int64_t{2});
    f.key(Qt::Key_PageDown);
    QCOMPARE(f.table().current_row(), int64_t{2 + f.table().rows_in_sight() - 1});
    f.key(Qt::Key_Up);
    f.key(Qt::Key_End);
    QCOMPARE(f.table().current_row(), last);
    f.key(Qt::Key_Home);
    for (int i = 0; i < 2; ++i) f.key(Qt::Key_Right);
    f.key(Qt::Key_O);
    QVERIFY(settle(f.view.rows()));
    QVERIFY((f.view.rows().order() == EventOrder{EventColumn::kDuration, false}));
    f.key(Qt::Key_O);
    QVERIFY(settle(f.view.rows()));
    QVERIFY((f.view.rows().order() == EventOrder{EventColumn::kDuration, true}));
    QTest::qWait(40);
    QCOMPARE(f.view.rows().event_at(static_cast<uint64_t>(f.table().current_row())), 0u);
    f.key(Qt::Key_Slash);
    QVERIFY(f.view.filter_line().hasFocus());
    QTest::keyClicks(&f.view.filter_line(), QStringLiteral("kind:ti"));
    QCOMPARE(f.view.filter_line().text(), QStringLiteral("kind:tile"));
    QTest::keyClick(&f.view.filter_line(), Qt::Key_Tab);
    QVERIFY(f.view.filter_line().hasFocus());
    QVERIFY(settle(f.view.rows()));
    const uint64_t tiles = f.view.rows().size();
    QVERIFY(tiles > 0 && tiles < static_cast<uint64_t>(last));
    QTest::keyClick(&f.view.filter_line(), Qt::Key_Down);
    QVERIFY(f.table().view().hasFocus());
    f.view.filter_line().setFocus();
    QTest::keyClick(&f.view.filter_line(), Qt::Key_Escape);
    QVERIFY(f.view.filter_line().text().isEmpty());
    QTest::keyClick(&f.view.filter_line(), Qt::Key_Escape);
    QVERIFY(f.table().view().hasFocus());
    QVERIFY(f.view.key_help().size() >= 6);
  }

  void a_proposal_does_not_filter() {
    EventsFixture f(random_events(1000, 12));
    f.view.filter_line().setFocus();
    QTest::keyClicks(&f.view.filter_line(), QStringLiteral("la"));
    QCOMPARE(f.view.filter_line().text(), QStringLiteral("lane:"));
    QTest::qWait(300);  // longer than the filter line waits for the next key
    QVERIFY2(f.view.notice().isEmpty(), qPrintable(f.view.notice()));
    QTest::keyClicks(&f.view.filter_line(), QStringLiteral("ne:engine"));
    QTest::keyClick(&f.view.filter_line(), Qt::Key_Return);
    QVERIFY(f.view.notice().isEmpty());
    QVERIFY(settle(f.view.rows()));
    QVERIFY(f.view.rows().size() < f.view.rows().total());
  }

  void a_proposal_that_was_taken_is_text() {
    EventsFixture f(random_events(1000, 12));
    f.view.filter_line().setFocus();
    QTest::keyClicks(&f.view.filter_line(), QStringLiteral("kind:ti"));
    const QString whole = f.view.filter_line().text();
    QVERIFY(whole.size() > 7);
    QTest::keyClick(&f.view.filter_line(), Qt::Key_End);
    QTest::keyClick(&f.view.filter_line(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&f.view.filter_line(), Qt::Key_Return);
    QCOMPARE(f.view.filter_line().text(), whole);
  }

  void count_and_empty_words() {
    Selection selection;
    EventsView empty({nullptr, &selection});
    empty.resize(700, 300);
    empty.show();
    QCOMPARE(empty.count_words(), QStringLiteral("0 events"));
    QImage image(empty.size(), QImage::Format_RGB32);
    empty.render(&image);
    EventsFixture f(random_events(12345, 13));
    QVERIFY(f.view.count_words().contains(QStringLiteral("12,3")));
    f.type(QStringLiteral("kind:warning"));
    QVERIFY(settle(f.view.rows()));
    QVERIFY(f.view.count_words().contains(QStringLiteral(" of 12,3")));
    f.type(QStringLiteral("nosuchword"));
    QVERIFY(settle(f.view.rows()));
    QVERIFY(f.view.count_words().startsWith(QStringLiteral("0 of 12,3")));
    QVERIFY(!f.table().view().accessibleName().isEmpty());
    QTRY_VERIFY(f.table().view().accessibleDescription().startsWith(QStringLiteral("0 of")));
  }

  void narrow_tables_leave_columns_out() {
    EventsFixture f(random_events(500, 14), {660, 300});
    QTableView& view = f.table().view();
    QVERIFY(view.isColumnHidden(static_cast<int>(EventColumn::kLane)));
    QVERIFY(!view.isColumnHidden(static_cast<int>(EventColumn::kDetails)));
    QVERIFY(view.columnWidth(static_cast<int>(EventColumn::kDetails)) >= 180);
    const QString tip = f.table().model().index(0, 1).data(Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QStringLiteral("lane: ")));
    f.view.resize(1400, 300);
    QTest::qWait(20);
    for (int i = 0; i < kEventColumns; ++i) QVERIFY(!view.isColumnHidden(i));
  }

  // --- files ---

  void csv_parses_back_to_what_was_recorded() {
    const std::vector<TraceEvent> events = random_events(6000, 15);
    EventsFixture f(events);
    const Plain plain(events);
    const auto check = [&](const std::vector<uint32_t>& expected) {
      const QList<QByteArray> lines = f.view.table()().split('\n');
      QCOMPARE(lines.front(),
               QByteArray("begin_ns,duration_ns,kind,lane,step,layer,request,block,details,a,"
                          "b,c,d"));
      QCOMPARE(lines.size(), static_cast<qsizetype>(expected.size()) + 2);
      QVERIFY(lines.back().isEmpty());
      for (size_t row = 0; row < expected.size(); ++row) {
        const QList<QByteArray> cells = lines[static_cast<qsizetype>(row) + 1].split(',');
        QCOMPARE(cells.size(), 13);
        const uint32_t i = expected[row];
        TraceEvent event;
        event.begin_ns = cells[0].toULongLong();
        event.duration_ns = cells[1].toULongLong();
        for (size_t kind = 0; kind < kEventKinds; ++kind)
          if (cells[2].toStdString() == name_of(static_cast<EventKind>(kind)))
            event.kind = static_cast<EventKind>(kind);
        event.lane = static_cast<uint8_t>(cells[3].toUInt());
        event.layer = cells[5].isEmpty() ? kNoLayer : static_cast<uint8_t>(cells[5].toUInt());
        event.a = cells[9].toUInt();
        event.b = cells[10].toUInt();
        event.c = cells[11].toUInt();
        event.d = cells[12].toUInt();
        QVERIFY(std::memcmp(&event, &events[i], sizeof event) == 0);
        QCOMPARE(cells[4].isEmpty() ? int64_t{-1} : cells[4].toLongLong(), plain.steps[i]);
        QCOMPARE(cells[6].isEmpty() ? int64_t{-1} : cells[6].toLongLong(), request_of(event));
        QCOMPARE(cells[7].isEmpty() ? int64_t{-1} : cells[7].toLongLong(), block_of(event));
      }
    };
    check(plain.rows([](const TraceEvent&, size_t) { return true; }));
    f.type(QStringLiteral("kind:tile duration:>50us"));
    f.view.rows().set_order({EventColumn::kDuration, true});
    QVERIFY(settle(f.view.rows()));
    std::vector<uint32_t> expected = plain.rows([](const TraceEvent& event, size_t) {
      return event.kind == EventKind::kTile && event.duration_ns > 50000;
    });
    std::ranges::stable_sort(expected, [&](uint32_t a, uint32_t b) {
      return events[a].duration_ns > events[b].duration_ns;
    });
    QVERIFY(expected.size() > 20);
    check(expected);
  }

  void pictures_show_the_rows_in_sight() {
    QTemporaryDir folder;
    EventsFixture f(random_events(5000, 16));
    f.type(QStringLiteral("kind:tile"));
    QVERIFY(settle(f.view.rows()));
    QTest::qWait(40);
    const QString svg = folder.filePath(QStringLiteral("events.svg"));
    QVERIFY(export_svg(f.view, svg).isEmpty());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    QVERIFY(text.contains(f.view.count_words()));
    QVERIFY(text.contains(QStringLiteral("kind:tile")));
    for (const EventCells& cells : f.table().model().cells())
      QVERIFY(text.contains(QStringLiteral(">") + cells.texts[1] + QStringLiteral("<")));
    QVERIFY(export_png(f.view, folder.filePath(QStringLiteral("events.png")), 1).isEmpty());
    QVERIFY(export_pdf(f.view, folder.filePath(QStringLiteral("events.pdf"))).isEmpty());
  }

  void long_durations_keep_their_digits() {
    QTemporaryDir folder;
    std::vector<TraceEvent> events = random_events(400, 18);
    const auto long_step = std::ranges::find_if(
        events, [](const TraceEvent& event) { return event.kind == EventKind::kStep; });
    const auto picture_of = [&](uint64_t duration_ns, const QString& text) {
      long_step->duration_ns = duration_ns;
      EventsFixture f(events, {1280, 240});
      f.type(QStringLiteral("kind:step"));
      if (!settle(f.view.rows())) return QImage();
      QTest::qWait(40);
      const auto width = [&] {
        return f.table().view().columnWidth(static_cast<int>(EventColumn::kDuration));
      };
      const int narrow = width();
      f.key(Qt::Key_Home);
      const int room = width() - 2 * f.table().look().pad;
      const double needed = QFontMetricsF(f.table().look().numbers).horizontalAdvance(text);
      [&] {
        const EventCells first = f.table().model().cells().front();
        QCOMPARE(first.texts[static_cast<size_t>(EventColumn::kDuration)], text);
        QVERIFY2(room > needed - 1, qPrintable(QStringLiteral("%1 of %2").arg(room).arg(needed)));
        QVERIFY(width() > narrow);
      }();
      f.view.hide();
      const QString file = folder.filePath(QStringLiteral("long.png"));
      if (!export_png(f.view, file, 2).isEmpty()) return QImage();
      return QImage(file);
    };
    const QImage fours = picture_of(411'111'111'111, QStringLiteral("411,111,111.111"));
    const QImage eights = picture_of(811'111'111'111, QStringLiteral("811,111,111.111"));
    QVERIFY(!fours.isNull());
    QCOMPARE(fours.size(), eights.size());
    QVERIFY(fours != eights);
  }

  // --- a million events ---

  void a_million_events_are_filtered_on_another_thread() {
    constexpr uint32_t kEvents = 1'000'000;
    auto recorder = std::make_shared<Recorder>(kWorkers, 1u << 15);
    const std::vector<TraceEvent> pattern = random_events(50'000, 17);
    std::vector<TraceEvent> events;
    const uint64_t length = pattern.back().begin_ns + 1'000'000;
    for (uint32_t i = 0; events.size() < kEvents; ++i) {
      TraceEvent event = pattern[i % pattern.size()];
      event.begin_ns += i / pattern.size() * length;
      // All events are on lane 0, so they stay in order of recording.
      event.lane = 0;
      events.push_back(event);
      recorder->push(event);
    }
    recorder->drain();
    Selection selection;
    EventsView view({nullptr, &selection});
    view.resize(1280, 640);
    view.show();
    view.show_recorder(recorder, recorder->size());
    QCOMPARE(view.rows().size(), uint64_t{kEvents});
    QTest::qWait(50);
    view.filter_line().setText(QStringLiteral("kind:tile request:2..4 duration:>30us flash"));
    view.rows().set_order({EventColumn::kDuration, true});
    QTest::keyClick(&view.filter_line(), Qt::Key_Return);
    QVERIFY(view.rows().pending());
    for (int i = 0; i < 60000 && view.rows().fraction() == 0; ++i) QThread::msleep(1);
    QVERIFY(view.rows().fraction() > 0);
    QVERIFY(view.rows().pending());
    QCOMPARE(view.rows().size(), uint64_t{kEvents});
    QVERIFY(settle(view.rows()));
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < events.size(); ++i) {
      if (events[i].kind != EventKind::kTile || events[i].duration_ns <= 30000) continue;
      const TileEvent tile = unpack_tile(events[i]);
      if (tile.request >= 2 && tile.request <= 4 && tile.kernel == KernelId::kFlashPrefill)
        expected.push_back(i);
    }
    std::ranges::stable_sort(expected, [&](uint32_t a, uint32_t b) {
      return events[a].duration_ns > events[b].duration_ns;
    });
    QVERIFY(expected.size() > 1000);
    QVERIFY(rows_of(view.rows()) == expected);
  }
};

ATTN_QT_TEST(test_events, attn::gui::test::run<TestEvents>)
#include "test_events.moc"
