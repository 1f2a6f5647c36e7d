// SPDX-License-Identifier: GPL-3.0-or-later
// The Perfetto trace of a run has the spans, instants, counters and fields of its Chrome trace.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "engine/core/files/json.h"
#include "engine/session/report/report.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

// The fields of a protobuf message: numbers and texts by field number, in order.
struct Fields {
  std::multimap<uint64_t, uint64_t> numbers;
  std::multimap<uint64_t, std::string> texts;

  explicit Fields(std::string_view bytes) {
    const auto varint = [&] {
      uint64_t value = 0;
      for (int shift = 0;; shift += 7) {
        if (bytes.empty() || shift > 63) throw std::runtime_error("a number does not end");
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= uint64_t{byte & 0x7Fu} << shift;
        if (!(byte & 0x80)) return value;
      }
    };
    while (!bytes.empty()) {
      const uint64_t key = varint();
      if ((key & 7) == 0) {
        numbers.emplace(key >> 3, varint());
      } else if ((key & 7) == 2) {
        const uint64_t length = varint();
        if (length > bytes.size()) throw std::runtime_error("a text does not end");
        texts.emplace(key >> 3, bytes.substr(0, length));
        bytes.remove_prefix(length);
      } else {
        throw std::runtime_error("unknown wire type");
      }
    }
  }
  uint64_t number(uint64_t field) const {
    const auto at = numbers.find(field);
    return at == numbers.end() ? 0 : at->second;
  }
  std::string text(uint64_t field) const {
    const auto at = texts.find(field);
    return at == texts.end() ? "" : at->second;
  }
};

// Thread, begin, duration (-1: an instant), category, name, fields as text.
using Entry = std::tuple<std::string, int64_t, int64_t, std::string, std::string, std::string>;
struct Told {
  std::vector<Entry> entries;
  std::map<std::string, std::vector<std::pair<int64_t, int64_t>>> counters;  // time, value
};

Told decoded(const std::string& bytes) {
  Told told;
  std::map<uint64_t, std::string> names[4], tracks;
  struct Open {
    int64_t begin;
    std::string category, name, fields;
  };
  std::map<uint64_t, std::vector<Open>> open;
  // The begins and ends of a track are in order of time.
  std::map<uint64_t, int64_t> last;
  const Fields trace(bytes);
  EXPECT_EQ(trace.texts.size(), trace.texts.count(1));
  bool first = true;
  for (const auto& [field, text] : trace.texts) {
    const Fields packet(text);
    EXPECT_EQ(packet.number(10), 1u);
    EXPECT_EQ(packet.number(13), first ? 3u : 2u);
    first = false;
    if (const std::string interned = packet.text(12); !interned.empty())
      for (const auto& [kind, entry] : Fields(interned).texts) {
        const Fields name(entry);
        EXPECT_TRUE(names[kind].emplace(name.number(1), name.text(2)).second);
      }
    if (const std::string track = packet.text(60); !track.empty()) {
      const Fields fields(track);
      EXPECT_FALSE(tracks.contains(fields.number(1)));
      tracks[fields.number(1)] = fields.text(2);
    }
    if (packet.text(11).empty()) continue;
    const Fields event(packet.text(11));
    const uint64_t track = event.number(11);
    EXPECT_TRUE(tracks.contains(track));
    const auto at = static_cast<int64_t>(packet.number(8));
    if (event.number(9) == 4) {
      told.counters[tracks[track]].emplace_back(at, static_cast<int64_t>(event.number(30)));
      continue;
    }
    if (event.number(9) == 2) {
      if (open[track].empty()) throw std::runtime_error("an end without a beginning");
      const Open span = open[track].back();
      open[track].pop_back();
      EXPECT_GE(at, last[track]);
      last[track] = at;
      told.entries.emplace_back(tracks[track], span.begin, at - span.begin, span.category,
                                span.name, span.fields);
      continue;
    }
    std::string fields;
    for (const auto& [key, value] : event.texts) {
      if (key != 4) continue;
      const Fields one(value);
      const auto name = names[3].find(one.number(1));
      if (name == names[3].end()) throw std::runtime_error("a name that was not told");
      fields += name->second + "=" +
                (one.texts.contains(6) ? one.text(6)
                                       : std::to_string(static_cast<int64_t>(one.number(4)))) +
                ";";
    }
    const std::string category = names[1].at(event.number(3)), name = names[2].at(event.number(10));
    if (event.number(9) == 1) {
      EXPECT_GE(at, last[track]);
      last[track] = at;
      open[track].push_back({at, category, name, fields});
    } else {
      told.entries.emplace_back(tracks[track], at, -1, category, name, fields);
    }
  }
  for (const auto& [track, spans] : open) EXPECT_TRUE(spans.empty()) << tracks[track];
  std::ranges::sort(told.entries);
  return told;
}

Told told_by_json(const std::string& text) {
  Told told;
  const auto json = parse_json(text, "trace.json");
  std::map<std::pair<int, int>, std::string> threads;
  const auto ns = [](const nlohmann::json& micro) {
    return static_cast<int64_t>(std::llround(micro.get<double>() * 1000));
  };
  const auto text_of = [](const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const auto& event : json["traceEvents"]) {
    const std::string ph = event["ph"];
    if (ph == "M" && event["name"] == "thread_name")
      threads[{event["pid"], event["tid"]}] = event["args"]["name"];
    if (ph == "C")
      for (const auto& [name, value] : event["args"].items())
        told.counters[event["name"].get<std::string>() + ": " + name].emplace_back(
            ns(event["ts"]), value.get<int64_t>());
    if (ph != "X" && ph != "i") continue;
    std::vector<std::string> fields;
    for (const auto& [name, value] : event["args"].items())
      fields.push_back(name + "=" + text_of(value) + ";");
    told.entries.emplace_back(threads[{event["pid"], event["tid"]}], ns(event["ts"]),
                              ph == "X" ? ns(event["dur"]) : -1, event["cat"], event["name"], "");
    for (const std::string& field : fields) std::get<5>(told.entries.back()) += field;
  }
  return told;
}

void sort_fields(Told& told) {
  for (Entry& entry : told.entries) {
    std::string& text = std::get<5>(entry);
    std::vector<std::string> fields;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find(';', at);
      fields.push_back(text.substr(at, end - at + 1));
      at = end + 1;
    }
    std::ranges::sort(fields);
    text.clear();
    for (const std::string& field : fields) text += field;
  }
  std::ranges::sort(told.entries);
}

void expect_same(const Scenario& scenario) {
  Recorder recorder(num_workers(scenario));
  EngineOptions options;
  options.recorder = &recorder;
  Engine engine(scenario, options);
  engine.run_to_end();
  recorder.drain();
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  const std::vector<TraceEvent> events = recorder.sorted();
  const std::vector<std::string> messages = recorder.messages();
  Told perfetto = decoded(trace_perfetto(shot, events, messages)),
       chrome = told_by_json(trace_json(shot, events, messages));
  sort_fields(perfetto);
  sort_fields(chrome);
  ASSERT_GT(chrome.entries.size(), 100u);
  ASSERT_EQ(perfetto.entries.size(), chrome.entries.size());
  for (size_t i = 0; i < chrome.entries.size(); ++i)
    ASSERT_EQ(perfetto.entries[i], chrome.entries[i]);
  EXPECT_EQ(perfetto.counters, chrome.counters);
  EXPECT_EQ(chrome.counters.size(), 3u);
}

TEST(TracePerfetto, TellsWhatTheChromeTraceTells) {
  Scenario scenario = test::model_scenario({"Once upon a time", "Tom and his dog", "The"}, 40);
  scenario.requests[0].name = "a \"name\" of ünusual <kind>";
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 20;  // few enough for preemptions
  for (const ClockKind clock : {ClockKind::kVirtual, ClockKind::kReal}) {
    scenario.engine.clock = clock;
    expect_same(scenario);
  }
}

TEST(TracePerfetto, EveryShippedKindOfEvent) {
  for (const char* name : {"shared-prompt", "full-house-swap", "sliding-window", "samples"}) {
    SCOPED_TRACE(name);
    register_all_backends();
    Scenario scenario = load_scenario(find_scenario(name));
    scenario.engine.threads = 2;
    expect_same(scenario);
  }
}

}  // namespace
}  // namespace attn
