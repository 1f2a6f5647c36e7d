// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the table of events: filters, orders, growth during a run, and the steps of events.
#include <QAbstractItemModelTester>
#include <algorithm>
#include <random>

#include "event_samples.h"
#include "gui/views/events/events_model.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestEventRows : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  // --- filter ---

  void every_term_finds_what_a_plain_loop_finds_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"",
                             "tile",
                             "TILE",
                             "flash",
                             "prefill flash_prefill",
                             "worker",
                             "worker 1",
                             "block",
                             "swap",
                             "given",
                             "heads",
                             "head",
                             "17",
                             "1234",
                             "0",
                             "9",
                             "00",
                             "05",
                             "199",
                             "0..",
                             "cache",
                             "full",
                             "waits",
                             "äther",
                             "Äther",
                             "none",
                             "pool block",
                             "engine step",
                             "kind:tile",
                             "kind:block",
                             "kind:request,warning",
                             "kind:block_freed,step",
                             "lane:engine",
                             "lane:worker1",
                             "lane:worker0,worker2",
                             "lane:worker",
                             "request:3",
                             "request:1,3",
                             "request:2..4",
                             "block:5",
                             "block:>6",
                             "layer:2",
                             "layer:0..1",
                             "step:3",
                             "step:2..5",
                             "step:<4",
                             "step:>=7",
                             "step:>1e19",
                             "number:10..20",
                             "number:<=5",
                             "duration:>50us",
                             "duration:<=20us",
                             "duration:10us..0.03ms",
                             "duration:>40",
                             "time:3ms..4ms",
                             "time:>2.5",
                             "time:..1ms",
                             "time:1ms..",
                             "kind:tile request:3 lane:worker1",
                             "step:2..9 kind:tile duration:>50us flash",
                             "block:3 freed",
                             "kind:tile kind:step",
                             "step:>2 step:<6",
                             "step:3,5,7 step:4..6",
                             "step:3 step:5"})
      QTest::newRow(*text ? text : "nothing") << QString::fromUtf8(text);
  }

  void every_term_finds_what_a_plain_loop_finds() {
    QFETCH(QString, text);
    static const Plain plain(random_events(4000, 1));
    static const auto recorder = recorder_of(plain.events);
    EventRows rows;
    rows.start(recorder);
    rows.append(recorder->size());
    rows.set_filter(filter_of(text));
    QVERIFY(settle(rows));
    const auto one_holds = [&](const QString& term, const TraceEvent& event, size_t i) {
      const QString field = term.section(QLatin1Char(':'), 0, 0),
                    value = term.section(QLatin1Char(':'), 1);
      if (value.isEmpty()) return plain.kind_lane_details(i).contains(term.toLower());
      const std::string_view name = name_of(event.kind);
      const auto any = [&](auto&& holds) {
        for (const QString& part : value.split(QLatin1Char(',')))
          if (holds(part)) return true;
        return false;
      };
      if (field == QStringLiteral("kind"))
        return any([&](const QString& part) {
          const QString full = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
          for (size_t k = 0; k < kEventKinds; ++k)
            if (part.toStdString() == name_of(static_cast<EventKind>(k))) return full == part;
          return full.startsWith(part);
        });
      if (field == QStringLiteral("lane"))
        return any([&](const QString& part) {
          return part == QStringLiteral("worker")
                     ? event.lane > 0
                     : lane_words(event.lane).remove(QLatin1Char(' ')) == part;
        });
      std::vector<double> values;
      double unit = 1;
      if (field == QStringLiteral("number")) values = {static_cast<double>(i + 1)};
      if (field == QStringLiteral("time"))
        values = {static_cast<double>(event.begin_ns)}, unit = 1e6;
      if (field == QStringLiteral("duration") && is_span(event.kind))
        values = {static_cast<double>(event.duration_ns)};
      if (field == QStringLiteral("duration")) unit = 1e3;
      if (field == QStringLiteral("step")) values = {static_cast<double>(plain.steps[i])};
      if (field == QStringLiteral("layer") && event.layer != kNoLayer)
        values = {static_cast<double>(event.layer)};
      if (field == QStringLiteral("request")) values = {static_cast<double>(request_of(event))};
      if (field == QStringLiteral("block")) {
        values = {static_cast<double>(block_of(event))};
        if (event.kind == EventKind::kBlockCopied) values.push_back(event.d);
      }
      const auto number = [&](QString part) {
        double factor = unit;
        for (const auto& [suffix, size] : {std::pair{"us", 1e3}, std::pair{"ms", 1e6}})
          if (part.endsWith(QLatin1String(suffix))) {
            factor = size;
            part.chop(2);
          }
        return part.toDouble() * factor;
      };
      return any([&](const QString& part) {
        for (const double v : values) {
          if (v < 0) continue;
          const qsizetype dots = part.indexOf(QStringLiteral(".."));
          bool in = false;
          if (dots >= 0)
            in = (dots == 0 || v >= number(part.left(dots))) &&
                 (dots + 2 == part.size() || v <= number(part.mid(dots + 2)));
          else if (part.startsWith(QStringLiteral(">=")))
            in = v >= number(part.mid(2));
          else if (part.startsWith(QStringLiteral("<=")))
            in = v <= number(part.mid(2));
          else if (part.startsWith(QLatin1Char('>')))
            in = v > number(part.mid(1));
          else if (part.startsWith(QLatin1Char('<')))
            in = v < number(part.mid(1));
          else
            in = v == number(part);
          if (in) return true;
        }
        return false;
      });
    };
    const QStringList terms = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const std::vector<uint32_t> expected = plain.rows([&](const TraceEvent& event, size_t i) {
      return std::ranges::all_of(terms,
                                 [&](const QString& term) { return one_holds(term, event, i); });
    });
    QCOMPARE(rows.size(), static_cast<uint64_t>(expected.size()));
    QVERIFY(rows_of(rows) == expected);
    QCOMPARE(expected.empty(), text == QStringLiteral("kind:tile kind:step") ||
                                   text == QStringLiteral("step:3 step:5") ||
                                   text == QStringLiteral("step:>1e19") ||
                                   text == QStringLiteral("none"));
  }

  // --- order ---

  void sorts_by_every_column_as_a_plain_sort_data() {
    QTest::addColumn<int>("column");
    for (int i = 0; i < kEventColumns; ++i)
      QTest::newRow(qPrintable(column_title(static_cast<EventColumn>(i)))) << i;
  }

  void sorts_by_every_column_as_a_plain_sort() {
    QFETCH(int, column);
    static const Plain plain(random_events(3000, 4));
    static const auto recorder = recorder_of(plain.events);
    using Value = std::vector<std::pair<double, std::string>>;
    const auto number = [](double v) { return Value{{v, ""}}; };
    const auto value_of = [&](uint32_t i) -> Value {
      const TraceEvent& event = plain.events[i];
      switch (static_cast<EventColumn>(column)) {
        case EventColumn::kNumber:
          return number(i);
        case EventColumn::kTime:
          return {{static_cast<double>(event.begin_ns), ""}, {event.lane, ""}};
        case EventColumn::kDuration:
          return number(is_span(event.kind) ? static_cast<double>(event.duration_ns) : -1);
        case EventColumn::kKind:
          return {{0, kind_words(event.kind).toStdString()}};
        case EventColumn::kLane:
          return number(event.lane);
        case EventColumn::kStep:
          return number(static_cast<double>(plain.steps[i]));
        case EventColumn::kLayer:
          return number(event.layer == kNoLayer ? -1 : event.layer);
        case EventColumn::kRequest:
          return number(static_cast<double>(request_of(event)));
        case EventColumn::kBlock:
          return number(static_cast<double>(block_of(event)));
        default:
          break;
      }
      TraceEvent kind;
      kind.kind = event.kind;
      std::string names;
      Value value;
      for (const EventFact& fact : facts_of(kind))
        if (fact.value > FactValue::kBlock) names += std::string(fact.name) + "\n";
      value.emplace_back(0, names);
      for (const EventFact& fact : facts_of(event)) {
        if (fact.value <= FactValue::kBlock) continue;
        if (fact.value == FactValue::kKernel)
          value.emplace_back(0, kernel_stem(static_cast<uint32_t>(fact.number)));
        else if (fact.value == FactValue::kText)
          value.emplace_back(0, std::string(fact.text));
        else if (fact.value == FactValue::kMessage)
          value.emplace_back(0, plain.messages[static_cast<size_t>(fact.number)]);
        else
          value.emplace_back(
              static_cast<double>(fact.number) * 1e6 +
                  static_cast<double>(fact.value == FactValue::kRange ? fact.count : 0),
              "");
      }
      return value;
    };
    for (const char* text : {"", "kind:tile,block request:1..4"}) {
      EventRows rows;
      rows.set_filter(filter_of(QString::fromUtf8(text)));
      rows.start(recorder);
      rows.append(recorder->size());
      QVERIFY(settle(rows));
      std::vector<uint32_t> expected = rows_of(rows);
      for (const bool descending : {false, true}) {
        rows.set_order({static_cast<EventColumn>(column), descending});
        QVERIFY(settle(rows));
        std::ranges::sort(expected);
        std::ranges::stable_sort(expected, [&](uint32_t a, uint32_t b) {
          return descending ? value_of(b) < value_of(a) : value_of(a) < value_of(b);
        });
        QVERIFY(rows_of(rows) == expected);
        for (uint64_t row = 0; row < rows.size(); row += 97)
          QVERIFY(rows.row_of(rows.event_at(row)) == row);
      }
    }
  }

  // --- live ---

  void rows_grow_with_the_run_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    const int number = static_cast<int>(EventColumn::kNumber);
    QTest::newRow("all") << QString() << number << false;
    QTest::newRow("all, newest first") << QString() << number << true;
    QTest::newRow("tiles") << QStringLiteral("kind:tile") << number << false;
    QTest::newRow("a step") << QStringLiteral("step:3..6 kind:tile,block") << number << false;
    QTest::newRow("no step") << QStringLiteral("step:>4 worker") << number << true;
    QTest::newRow("by duration") << QString() << static_cast<int>(EventColumn::kDuration) << true;
    QTest::newRow("by step") << QStringLiteral("kind:tile") << static_cast<int>(EventColumn::kStep)
                             << false;
    QTest::newRow("by details") << QStringLiteral("block")
                                << static_cast<int>(EventColumn::kDetails) << false;
  }

  void rows_grow_with_the_run() {
    QFETCH(QString, text);
    QFETCH(int, column);
    QFETCH(bool, descending);
    const EventOrder order{static_cast<EventColumn>(column), descending};
    std::vector<TraceEvent> events = random_events(1500, 5);
    const auto recorder = recorder_of(events);
    EventRows rows;
    rows.start(recorder);
    rows.set_filter(filter_of(text));
    rows.set_order(order);
    EventsModel model(rows);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    connect(&rows, &EventRows::changed, &model, [&] { model.set_window(rows.size() / 2, 20); });
    std::mt19937 random(6);
    for (uint64_t to = 0; to < events.size();) {
      to = std::min<uint64_t>(events.size(), to + 1 + random() % 300);
      rows.append(to);
      if (random() % 2) QTest::qWait(1);
    }
    EventRows whole;
    whole.set_filter(filter_of(text));
    whole.set_order(order);
    whole.start(recorder);
    whole.append(recorder->size());
    QVERIFY(settle(whole));
    QTRY_VERIFY_WITH_TIMEOUT(rows.complete() && rows_of(rows) == rows_of(whole), 60000);
    QVERIFY(whole.size() > 0);
    QCOMPARE(model.rowCount(),
             static_cast<int>(std::min<uint64_t>(20, rows.size() - rows.size() / 2)));
  }

  void events_of_the_running_step() {
    std::vector<TraceEvent> events = random_events(400, 7);
    const Plain plain(events);
    StepTimes times;
    size_t near = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      times.take(events[i], static_cast<uint32_t>(i));
      const EventStep now = times.step_at(events[i], static_cast<uint32_t>(i), near);
      if (now.certain) QCOMPARE(now.step, plain.steps[i]);
    }
    for (size_t i = 0; i < events.size(); ++i) {
      const EventStep at_end = times.step_at(events[i], static_cast<uint32_t>(i), near);
      QCOMPARE(at_end.step, plain.steps[i]);
    }
  }

  // On the virtual clock a step begins in the nanosecond in which the step before it ends.
  void events_between_two_steps_of_the_virtual_clock() {
    const auto event = [](EventKind kind, uint8_t lane, uint64_t begin, uint64_t duration,
                          uint32_t a) {
      TraceEvent made;
      made.kind = kind;
      made.lane = lane;
      made.begin_ns = begin;
      made.duration_ns = duration;
      made.a = a;
      return made;
    };
    const std::vector<TraceEvent> events{event(EventKind::kBlockAllocated, 0, 0, 0, 7),
                                         event(EventKind::kSchedule, 0, 0, 10, 1),
                                         event(EventKind::kTile, 1, 10, 90, 0),
                                         event(EventKind::kBlockFreed, 0, 100, 0, 7),
                                         event(EventKind::kStep, 0, 0, 100, 1),
                                         event(EventKind::kBlockAllocated, 0, 100, 0, 8),
                                         event(EventKind::kSchedule, 0, 100, 10, 2),
                                         event(EventKind::kTile, 1, 110, 90, 0),
                                         event(EventKind::kBlockFreed, 0, 200, 0, 8),
                                         event(EventKind::kStep, 0, 100, 100, 2),
                                         event(EventKind::kBlockFreed, 0, 200, 0, 9)};
    const std::vector<int64_t> expected{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, -1};
    StepTimes times;
    for (uint32_t i = 0; i < events.size(); ++i) times.take(events[i], i);
    size_t near = 0;
    for (uint32_t i = 0; i < events.size(); ++i) {
      QCOMPARE(times.step_at(events[i], i, near).step, expected[i]);
      QCOMPARE(times.step_at(events[i], i, near).certain, expected[i] >= 0);
    }
  }
};

ATTN_QT_TEST(test_event_rows, attn::gui::test::run<TestEventRows>)
#include "test_event_rows.moc"
