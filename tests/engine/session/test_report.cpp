// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/rng.h"
#include "engine/kernels/tiles/instruction_set.h"
#include "engine/session/page/run_page.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/shipped_scenario.h"

namespace attn {
namespace {

using Row = std::vector<std::string>;

// Parses CSV with the quotes of RFC 4180 and lines that end with LF, independently of the writer.
std::vector<Row> parse_csv(const std::string& text) {
  std::vector<Row> rows(1);
  rows.back().emplace_back();
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        rows.back().back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        rows.back().back() += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.emplace_back();
      rows.back().emplace_back();
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

size_t column(const Row& header, const std::string& name) {
  const auto found = std::ranges::find(header, name);
  EXPECT_NE(found, header.end()) << name;
  return static_cast<size_t>(found - header.begin());
}

float parse_float(const std::string& text) {
  float value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(code == std::errc{} && end == text.data() + text.size()) << text;
  return value;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct Finished {
  explicit Finished(Scenario scenario) : recorder(num_workers(scenario)) {
    EngineOptions options;
    options.recorder = &recorder;
    engine = std::make_unique<Engine>(scenario, options);
    engine->run_to_end();
    recorder.drain();
    shot = engine->snapshot(EnginePhase::kFinished);
    inputs.snapshot = &shot;
    inputs.events = recorder.sorted();
    inputs.messages = recorder.messages();
    inputs.counts = recorder.counts();
  }
  Recorder recorder;
  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
  ReportInputs inputs;
};

Scenario nasty_scenario() {
  Scenario scenario = test::model_scenario(
      {"Once upon a time, \"Lily\" said <b>hi</b> & ran.", "=1+1, the dog"}, 6);
  scenario.title = "</title><script>alert(1)</script>";
  scenario.description = "a \"quoted\" & <odd> text";
  scenario.requests[0].name = "=cmd|' /C calc'!A0";
  scenario.requests[1].name = "two, \"three\"\nfour";
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

TEST(Report, FloatsReadBackBitEqual) {
  Rng rng(11);
  for (int i = 0; i < 100000; ++i) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(rng.next()));
    if (std::isnan(value)) continue;
    ASSERT_EQ(std::bit_cast<uint32_t>(parse_float(format_float(value))),
              std::bit_cast<uint32_t>(value));
  }
}

TEST(Report, CellsAreQuotedAndDefused) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
  for (const char* formula : {"=1", "+1", "-1", "@x", "\tx"})
    EXPECT_EQ(csv_cell(formula), "\"'" + std::string(formula) + "\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(Report, HeatmapReadsBackBitEqual) {
  const Finished run(
      test::model_scenario({"Once upon a time, there was a little girl named Lily."}, 10));
  const RequestView& request = run.shot.requests[0];
  const int64_t rows = request.attention->num_rows();
  const auto csv = parse_csv(heatmap_csv(request, 2, 3));
  ASSERT_EQ(csv.size(), static_cast<size_t>(rows) + 1);
  std::vector<float> weights(static_cast<size_t>(rows * rows));
  request.attention->weights(2, 3, 0, rows, 0, rows, weights.data());
  for (int64_t q = 0; q < rows; ++q) {
    const Row& row = csv[static_cast<size_t>(q) + 1];
    ASSERT_EQ(row.size(), static_cast<size_t>(rows) + 3);
    EXPECT_EQ(row[0], std::to_string(q));
    EXPECT_EQ(parse_float(row[2]), request.attention->lse(2, 3, q));
    for (int64_t k = 0; k < rows; ++k)
      ASSERT_EQ(std::bit_cast<uint32_t>(parse_float(row[static_cast<size_t>(k) + 3])),
                std::bit_cast<uint32_t>(weights[static_cast<size_t>(q * rows + k)]));
  }
}

std::vector<float> floats_of(const std::string& base64) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  const std::string signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(signs.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

TEST(RunPage, HoldsTheNumbersOfTheRunBitForBit) {
  const Finished run(test::model_scenario({"Once upon a time, there was a dog."}, 5));
  const std::string data = run_page_data({.snapshot = &run.shot, .events = &run.inputs.events});
  const auto page = nlohmann::json::parse(data);
  const RequestView& request = run.shot.requests[0];
  const int64_t rows = request.attention->num_rows();
  const std::vector<float> kept = floats_of(page["requests"][0]["layers"][2]["heads"][3]);
  ASSERT_EQ(kept.size(), static_cast<size_t>(rows * (rows + 1) / 2));
  std::vector<float> row(static_cast<size_t>(rows));
  for (int64_t q = 0, at = 0; q < rows; ++q) {
    request.attention->weights(2, 3, q, 1, 0, q + 1, row.data());
    for (int64_t k = 0; k <= q; ++k, ++at)
      ASSERT_EQ(std::bit_cast<uint32_t>(kept[static_cast<size_t>(at)]),
                std::bit_cast<uint32_t>(row[static_cast<size_t>(k)]));
  }
  EXPECT_EQ(page["requests"][0]["tokens"].size(), request.tokens->size());
  const auto spans = std::ranges::count_if(
      run.inputs.events, [](const TraceEvent& event) { return is_span(event.kind); });
  EXPECT_EQ(page["events"].size(), static_cast<size_t>(spans));
}

TEST(RunPage, HasTheColoursOfTheScenario) {
  Scenario scenario = test::model_scenario({"Once upon a time."}, 1);
  const auto colors_of = [&scenario] {
    const Finished run(scenario);
    return nlohmann::json::parse(run_page_data({.snapshot = &run.shot}))["colors"];
  };
  const auto plain = colors_of();
  EXPECT_EQ(plain["map"], "cividis");
  EXPECT_EQ(plain["scale"], "linear");
  EXPECT_EQ(plain["low"], 0);
  EXPECT_EQ(plain["high"], 1);
  const std::string table = plain["table"];
  ASSERT_EQ(table.size(), 256u * 6);
  EXPECT_EQ(table.substr(6 * 69, 6), "48516b");
  EXPECT_EQ(table.substr(0, 6), "00224d");
  EXPECT_EQ(table.substr(6 * 255), "fde737");
  scenario.view.color_map = "grey";
  scenario.view.scale = "log";
  const auto other = colors_of();
  EXPECT_EQ(other["map"], "grey");
  EXPECT_EQ(other["low"], 1e-4);
  EXPECT_EQ(std::string(other["table"]).substr(0, 6), "0a0a0a");
}

TEST(RunPage, HasTheLayersOfAnEncoder) {
  const Finished run(test::shipped_virtual("encoder-layers"));
  const auto page =
      nlohmann::json::parse(run_page_data({.snapshot = &run.shot, .events = &run.inputs.events}));
  EXPECT_EQ(page["encoderLayers"], 2);
  EXPECT_EQ(page["notes"].size(), 0u);
  for (size_t request = 0; request < 2; ++request) {
    const RequestView& view = run.shot.requests[request];
    const auto tokens = static_cast<size_t>(std::ssize(*view.encoder_tokens));
    for (const int64_t layer : {0, 1}) {
      const auto& of_layer = page["requests"][request]["layers"][static_cast<size_t>(layer)];
      EXPECT_EQ(of_layer["rows"], tokens);
      EXPECT_EQ(of_layer["keys"], tokens);
      EXPECT_EQ(of_layer["triangle"], false);
      std::vector<float> expected(tokens * tokens);
      const auto count = static_cast<int64_t>(tokens);
      view.at(layer).attention->weights(layer, 3, 0, count, 0, count, expected.data());
      EXPECT_EQ(floats_of(of_layer["heads"][3]), expected);
    }
    EXPECT_EQ(page["requests"][request]["layers"][2]["rows"], view.attention->num_rows());
  }
}

TEST(RunPage, TextsOfARunAreTextAndNothingIsLoaded) {
  const Finished run(nasty_scenario());
  const std::string page = run_page_html({.snapshot = &run.shot, .events = &run.inputs.events});
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("<script>alert")));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("<b>hi")));
  EXPECT_THAT(page, testing::HasSubstr("&lt;script&gt;alert"));
  for (const char* outside : {"http:", "https:", "src=", "href=", "@import", "url("})
    EXPECT_THAT(page, testing::Not(testing::HasSubstr(outside)));
  const EngineSnapshot nothing;
  EXPECT_THROW((void)run_page_data({.snapshot = &nothing}), Error);
}

TEST(Report, EveryColumnOfRequestsIsInTheFormatManual) {
  std::ifstream in(std::string(ATTN_SOURCE_DIR) + "/docs/formats.md");
  const std::string manual{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::string columns = requests_csv({});
  columns.pop_back();  // removes the newline
  for (size_t at = 0; (at = columns.find(',', at)) != std::string::npos; at += 2)
    columns.insert(at + 1, " ");
  EXPECT_NE(manual.find("`" + columns + "`"), std::string::npos) << columns;
}

TEST(Report, TablesHoldTheRun) {
  const Finished run(nasty_scenario());
  const auto requests = parse_csv(requests_csv(run.shot));
  ASSERT_EQ(requests.size(), 3u);
  for (const Row& row : requests) ASSERT_EQ(row.size(), requests[0].size());
  EXPECT_EQ(requests[1][column(requests[0], "name")], "'" + run.shot.requests[0].name);
  EXPECT_EQ(requests[2][column(requests[0], "name")], run.shot.requests[1].name);
  const RequestTimes& times = run.shot.requests[0].times;
  EXPECT_EQ(requests[1][column(requests[0], "queued_ns")], std::to_string(times.queued_ns));
  EXPECT_DOUBLE_EQ(std::stod(requests[1][column(requests[0], "ttft_ms")]),
                   1e-6 * static_cast<double>(*times.first_token_ns - times.queued_ns));
  EXPECT_DOUBLE_EQ(std::stod(requests[1][column(requests[0], "tpot_ms")]),
                   1e-6 * static_cast<double>(times.token_ns.back() - times.token_ns.front()) /
                       static_cast<double>(times.token_ns.size() - 1));
  const auto steps = parse_csv(steps_csv(run.shot));
  ASSERT_EQ(steps.size(), run.shot.steps->size() + 1);
  EXPECT_EQ(steps.back()[column(steps[0], "end_ns")],
            std::to_string(run.shot.steps->back().end_ns));
  const auto table = parse_csv(block_table_csv(run.shot));
  EXPECT_EQ(table.size(), run.shot.blocks.size() + 1);
  const auto timeline = parse_csv(timeline_csv(run.inputs.events));
  ASSERT_EQ(timeline.size(), run.inputs.events.size() + 1);
  const size_t kind = column(timeline[0], "kind"), head = column(timeline[0], "head"),
               q = column(timeline[0], "q_begin");
  for (size_t i = 0; i < run.inputs.events.size(); ++i) {
    const TraceEvent& event = run.inputs.events[i];
    const Row& row = timeline[i + 1];
    ASSERT_EQ(row.size(), timeline[0].size());
    ASSERT_EQ(row[0], std::to_string(event.begin_ns));
    ASSERT_EQ(row[1], std::to_string(event.duration_ns));
    ASSERT_EQ(row[kind], name_of(event.kind));
    if (event.kind != EventKind::kTile) continue;
    ASSERT_EQ(row[head], std::to_string(unpack_tile(event).head));
    ASSERT_EQ(row[q], std::to_string(unpack_tile(event).q_begin));
  }
  for (const TraceEvent& event : run.inputs.events)
    for (const EventField& field : fields_of(event))
      ASSERT_NE(std::ranges::find(timeline[0], field.name), timeline[0].end()) << field.name;
  size_t kernels = 0, blocks = 0;
  for (const TraceEvent& event : run.inputs.events) {
    kernels += event.kind == EventKind::kKernel;
    blocks += event.kind == EventKind::kBlockAllocated || event.kind == EventKind::kBlockFreed;
  }
  EXPECT_EQ(parse_csv(kernels_csv(run.inputs.events)).size(), kernels + 1);
  EXPECT_EQ(parse_csv(blocks_csv(run.shot, run.inputs.events)).size(), blocks + 1);
}

TEST(Report, RowsOfATaskAreThoseOfItsKernel) {
  const Finished run(nasty_scenario());
  const auto timeline = parse_csv(timeline_csv(run.inputs.events));
  const auto cell = [&](const Row& row, const char* name) {
    return row[column(timeline[0], name)];
  };
  const auto call = [&](const Row& row) {
    return cell(row, "step") + " " + cell(row, "layer") + " " + cell(row, "kernel");
  };
  std::map<std::string, std::set<std::string>> tokens;  // the same kernel can run twice
  for (const Row& row : timeline)
    if (cell(row, "kind") == "kernel") tokens[call(row)].insert(cell(row, "tokens"));
  size_t several = 0;
  for (const Row& row : timeline) {
    if (cell(row, "kind") != "task" || !tokens.contains(call(row))) continue;
    EXPECT_TRUE(tokens.at(call(row)).contains(cell(row, "rows"))) << call(row);
    several += cell(row, "task") != "0";
  }
  EXPECT_GT(several, 0u);
}

TEST(Report, OnlyRecomputedRequestsLoseTokens) {
  std::vector<TraceEvent> events(2);
  for (TraceEvent& event : events) {
    event.kind = EventKind::kRequestPreempted;
    event.c = 7;
  }
  events[1].d = 1;
  const auto table = parse_csv(timeline_csv(events));
  const size_t lost = column(table[0], "lost_tokens"), how = column(table[0], "how");
  EXPECT_EQ(table[1][lost], "7");
  EXPECT_EQ(table[1][how], "recompute");
  EXPECT_EQ(table[2][lost], "0");
  EXPECT_EQ(table[2][how], "swap");
}

TEST(Report, TraceIsValidAndComplete) {
  Finished run(nasty_scenario());
  run.inputs.messages = {"a \"warning\""};
  TraceEvent warning;
  warning.kind = EventKind::kWarning;
  run.inputs.events.push_back(warning);
  const auto json =
      parse_json(trace_json(run.shot, run.inputs.events, run.inputs.messages), "trace.json");
  size_t spans = 0, instants = 0, counters = 0, lanes = 0;
  bool warned = false;
  for (const auto& event : json["traceEvents"]) {
    const std::string ph = event["ph"];
    spans += ph == "X" && event["pid"] == 1;
    instants += ph == "i";
    counters += ph == "C";
    lanes += ph == "M" && event["name"] == "thread_name" && event["pid"] == 1;
    if (ph == "X") {
      EXPECT_GE(event["dur"].get<double>(), 0);
      EXPECT_GE(event["ts"].get<double>(), 0);
    }
    if (event["name"] == "warning") warned = event["args"]["message"] == "a \"warning\"";
  }
  EXPECT_EQ(spans + instants, run.inputs.events.size());
  EXPECT_EQ(counters, 2 * run.shot.steps->size());
  EXPECT_EQ(lanes, static_cast<size_t>(run.shot.num_lanes));
  EXPECT_TRUE(warned);
}

TEST(Report, TraceShowsTheStatesOfARequest) {
  Scenario scenario = test::model_scenario({"Once upon a time", "Tom and his dog", "The"}, 40);
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 20;
  scenario.engine.clock = ClockKind::kVirtual;
  const Finished run(scenario);
  const auto json = parse_json(trace_json(run.shot, run.inputs.events), "trace.json");
  std::map<int, std::vector<std::pair<double, double>>> spans;  // by request: begin, end, us
  int preempted = 0;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] != "X" || event["pid"] != 2) continue;
    const double begin = event["ts"];
    spans[event["tid"]].emplace_back(begin, begin + event["dur"].get<double>());
    preempted += event["name"] == "PREEMPTED";
  }
  int64_t preemptions = 0;
  for (const RequestView& request : run.shot.requests) {
    preemptions += request.num_preemptions;
    const auto& states = spans[static_cast<int>(request.id)];
    ASSERT_GE(states.size(), 3u);
    EXPECT_NEAR(states.back().second, 1e-3 * static_cast<double>(*request.times.finished_ns), 1e-2);
    for (size_t i = 1; i < states.size(); ++i)
      EXPECT_NEAR(states[i].first, states[i - 1].second, 1e-2);
  }
  EXPECT_GT(preemptions, 0);
  EXPECT_EQ(preempted, preemptions);
}

TEST(Report, PageIsEscaped) {
  Finished run(nasty_scenario());
  run.inputs.pictures = {"heat map\".png"};
  run.inputs.messages = {"<img src=x onerror=alert(1)>"};
  const std::string page = index_html(run.inputs);
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("<script")));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("<img src=x")));
  EXPECT_THAT(page, testing::HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, testing::HasSubstr("heat%20map%22.png"));
  EXPECT_THAT(page, testing::HasSubstr("modelled"));
}

// The chart of the cache reaches up to the blocks that requests can hold.
TEST(Report, TheNullBlockIsNoPartOfTheCacheUse) {
  Finished run(nasty_scenario());
  const auto blocks = static_cast<int64_t>(run.shot.blocks.size());
  const auto chart = [&] {
    const std::string page = index_html(run.inputs);
    const size_t begin = page.find("<h2>KV blocks in use");
    return page.substr(begin, page.find("</svg>", begin) - begin);
  };
  auto steps = *run.shot.steps;
  for (StepRecord& step : steps) step.used_blocks = blocks - 1;  // full, but for the null block
  run.shot.steps = std::make_shared<const std::vector<StepRecord>>(steps);
  const auto top = [](int64_t number) {
    return "y=\"19\" text-anchor=\"end\">" + std::to_string(number) + "</text>";
  };
  EXPECT_THAT(chart(), testing::HasSubstr(top(blocks)));
  EXPECT_THAT(chart(), testing::Not(testing::HasSubstr("points=\"60.0,15.0 ")));
  run.shot.has_null_block = true;
  EXPECT_THAT(chart(), testing::HasSubstr(top(blocks - 1)));
  EXPECT_THAT(chart(), testing::HasSubstr("points=\"60.0,15.0 "));
}

std::map<std::string, std::string> report_of(const Scenario& scenario) {
  const test::TemporaryFolder folder;
  const Finished run(scenario);
  std::map<std::string, std::string> files;
  for (const std::string& name : write_report(folder.path() / "deep" / "report", run.inputs))
    files[name] = read_file(folder.path() / "deep" / "report" / name);
  size_t there = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "deep" / "report")) {
    ++there;
    EXPECT_TRUE(files.contains(entry.path().filename().string())) << entry.path();
  }
  EXPECT_EQ(there, files.size());
  return files;
}

TEST(Report, VirtualClockGivesTheSameBytesTwice) {
  const auto first = report_of(nasty_scenario()), second = report_of(nasty_scenario());
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [name, bytes] : first) EXPECT_EQ(bytes, second.at(name)) << name;
  for (const char* name : {"requests.csv", "steps.csv", "blocks.csv", "kernels.csv", "trace.json",
                           "index.html", "manifest.json"})
    EXPECT_TRUE(first.contains(name)) << name;
}

TEST(Report, ManifestNamesEveryFileWithItsHash) {
  const auto files = report_of(nasty_scenario());
  const auto manifest = parse_json(files.at("manifest.json"), "manifest.json");
  EXPECT_EQ(manifest["clock"], "virtual");
  EXPECT_EQ(manifest["modelled"], true);
  EXPECT_EQ(manifest["isa"], instruction_set());
  EXPECT_FALSE(manifest.contains("written_utc"));
  EXPECT_EQ(manifest["scenario_hash"], scenario_hash(nasty_scenario()));
  EXPECT_EQ(manifest["files"].size(), files.size() - 1);
  for (const auto& file : manifest["files"]) {
    const std::string& bytes = files.at(file["name"]);
    EXPECT_EQ(file["bytes"], bytes.size());
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016lx",
                  static_cast<unsigned long>(XXH64(bytes.data(), bytes.size(), 0)));
    EXPECT_EQ(file["xxh64"], hash);
  }
  Scenario real = nasty_scenario();
  real.engine.clock = ClockKind::kReal;
  EXPECT_TRUE(
      parse_json(report_of(real).at("manifest.json"), "manifest.json").contains("written_utc"));
}

TEST(Report, RealClockMovesOnlyTimes) {
  Scenario scenario = nasty_scenario();
  scenario.engine.clock = ClockKind::kReal;
  const auto first = report_of(scenario), second = report_of(scenario);
  for (const auto& [name, bytes] : first)
    if (name.starts_with("heatmap") || name == "block_table.csv" || name == "scenario.json") {
      EXPECT_EQ(bytes, second.at(name)) << name;
    }
  const auto a = parse_csv(first.at("requests.csv")), b = parse_csv(second.at("requests.csv"));
  const size_t text = column(a[0], "output_text");
  for (size_t i = 1; i < a.size(); ++i) EXPECT_EQ(a[i][text], b[i][text]);
}

TEST(Report, TextsAreTextsAndNotLabels) {
  Scenario scenario = nasty_scenario();
  scenario.requests[0].prompt = "Once\nupon a \xf0\x9f\x98\x80 time,";
  const Finished run(scenario);
  const auto table = parse_csv(requests_csv(run.shot));
  EXPECT_EQ(table[1][column(table[0], "prompt_text")], scenario.requests[0].prompt);
  const Source& source = run.engine->source();
  const auto& request = *run.engine->scheduler().requests()[0];
  std::vector<int32_t> all = request.prompt_ids;
  all.insert(all.end(), request.output_ids.begin(), request.output_ids.end());
  EXPECT_EQ(source.decode(request.prompt_ids) + *run.shot.requests[0].output_text,
            source.decode(all));
  EXPECT_THAT(index_html(run.inputs),
              testing::HasSubstr("Once\nupon a \xf0\x9f\x98\x80 time,<mark>"));
  EXPECT_THAT(index_html(run.inputs), testing::Not(testing::HasSubstr("&lt;0x0A&gt;")));
  EXPECT_THAT(index_html(run.inputs),
              testing::HasSubstr("At limit (<code>FINISHED_LENGTH_CAPPED</code>)"));
}

TEST(Report, RowsThatAreNotComputedAreEmptyCells) {
  Finished run(test::model_scenario({"Once upon a time"}, 2));
  const RequestView& request = run.shot.requests[0];
  const_cast<AttentionRecord&>(*request.attention).forget_rows(2);
  const auto csv = parse_csv(heatmap_csv(request, 0, 0));
  EXPECT_NE(csv[2][2], "");
  EXPECT_NE(csv[2][3], "");
  for (size_t cell = 2; cell < csv[3].size(); ++cell) EXPECT_EQ(csv[3][cell], "");
}

TEST(Report, FilesOfTheViewsAreKeptAndLinked) {
  const test::TemporaryFolder folder;
  Finished run(nasty_scenario());
  const std::map<std::string, std::string> of_views = {{"heatmap.png", "png"},
                                                       {"heatmap.svg", "svg"},
                                                       {"heatmap.csv", "heat"},
                                                       {"blocks.png", "png 2"},
                                                       {"blocks.csv", block_table_csv(run.shot)},
                                                       {"timeline.png", "png 3"},
                                                       {"timeline.csv", "another cut"}};
  for (const auto& [name, bytes] : of_views) {
    write_file_atomically(folder.path() / name, bytes);
    run.inputs.pictures.push_back(name);
  }
  const auto names = write_report(folder.path(), run.inputs);
  EXPECT_EQ(read_file(folder.path() / "blocks.csv"), blocks_csv(run.shot, run.inputs.events));
  EXPECT_EQ(read_file(folder.path() / "block_table.csv"), block_table_csv(run.shot));
  EXPECT_EQ(read_file(folder.path() / "timeline.csv"), timeline_csv(run.inputs.events));
  EXPECT_EQ(read_file(folder.path() / "timeline-view.csv"), "another cut");
  EXPECT_EQ(read_file(folder.path() / "heatmap.csv"), "heat");
  const std::string page = read_file(folder.path() / "index.html");
  for (const char* link : {"heatmap.svg\">SVG", "heatmap.csv\">CSV", "block_table.csv\">CSV",
                           "timeline-view.csv\">CSV", "<img src=\"blocks.png\""})
    EXPECT_THAT(page, testing::HasSubstr(link));
  size_t images = 0;
  for (size_t at = page.find("<img"); at != std::string::npos; at = page.find("<img", at + 1))
    ++images;
  EXPECT_EQ(images, 3u);
  std::map<std::string, int> listed;
  const auto manifest = parse_json(read_file(folder.path() / "manifest.json"), "manifest.json");
  for (const auto& file : manifest["files"]) {
    const std::string name = file["name"];
    EXPECT_EQ(++listed[name], 1) << name;
    const std::string bytes = read_file(folder.path() / name);
    EXPECT_EQ(file["bytes"], bytes.size()) << name;
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016lx",
                  static_cast<unsigned long>(XXH64(bytes.data(), bytes.size(), 0)));
    EXPECT_EQ(file["xxh64"], hash) << name;
  }
  size_t there = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    there += entry.is_regular_file();
  EXPECT_EQ(there, names.size());
  EXPECT_EQ(there, listed.size() + 1);  // all but the manifest
}

TEST(Report, SaysWhenTimesHoldWaiting) {
  Scenario scenario = nasty_scenario();
  Finished run(scenario);
  run.shot.modelled_time = false;
  EXPECT_EQ(parse_json(manifest_json(run.inputs), "m")["slowed_or_paused"], false);
  EXPECT_THAT(index_html(run.inputs), testing::Not(testing::HasSubstr(std::string(kWaitingNote))));
  run.shot.slowed_or_paused = true;
  EXPECT_EQ(parse_json(manifest_json(run.inputs), "m")["slowed_or_paused"], true);
  EXPECT_THAT(index_html(run.inputs), testing::HasSubstr(std::string(kWaitingNote)));
}

TEST(Report, SaysWhenModelledTimesHoldSmallerTiles) {
  Finished run(nasty_scenario());
  run.shot.modelled_time = true;
  auto manifest = parse_json(manifest_json(run.inputs), "m");
  EXPECT_FALSE(manifest.contains("slowed_or_paused"));
  EXPECT_THAT(index_html(run.inputs),
              testing::Not(testing::HasSubstr(std::string(kSmallerTilesNote))));
  run.shot.slowed_or_paused = true;
  manifest = parse_json(manifest_json(run.inputs), "m");
  EXPECT_EQ(manifest["slowed_or_paused"], true);
  EXPECT_EQ(manifest["times"], kSmallerTilesNote);
  EXPECT_THAT(index_html(run.inputs), testing::HasSubstr(std::string(kSmallerTilesNote)));
}

TEST(Report, FailedWritesLeaveTheOldFileAndSayWhere) {
  const test::TemporaryFolder folder;
  write_file_atomically(folder.path() / "a.txt", "first");
  write_file_atomically(folder.path() / "a.txt", "second");
  EXPECT_EQ(read_file(folder.path() / "a.txt"), "second");
  try {
    write_file_atomically(folder.path() / "none" / "a.txt", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailed);
    EXPECT_THAT(error.what(), testing::HasSubstr((folder.path() / "none" / "a.txt").string()));
  }
  std::filesystem::create_directories(folder.path() / "b.txt" / "full");
  EXPECT_THROW(write_file_atomically(folder.path() / "b.txt", "x"), Error);
  size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    entries += entry.exists();
  EXPECT_EQ(entries, 2u);
}

}  // namespace
}  // namespace attn
