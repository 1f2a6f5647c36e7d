// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/report/report.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>

#include "engine/core/error.h"
#include "engine/core/files/json_writer.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/kernels/tiles/instruction_set.h"

namespace attn {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

ReportFile file_in_manifest(const std::filesystem::path& folder, const std::string& name) {
  struct Free {
    void operator()(XXH64_state_t* state) const { XXH64_freeState(state); }
  };
  const std::unique_ptr<XXH64_state_t, Free> state(XXH64_createState());
  if (!state) throw std::bad_alloc();
  XXH64_reset(state.get(), 0);
  ReportFile result{.name = name};
  std::ifstream in(folder / name, std::ios::binary);
  std::vector<char> piece(size_t{1} << 18);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    const auto count = static_cast<size_t>(in.gcount());
    XXH64_update(state.get(), piece.data(), count);
    result.bytes += count;
  }
  result.xxh64 = XXH64_digest(state.get());
  return result;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Renames a view's file if the report needs its name for other content.
void move_view_file_aside(const std::filesystem::path& folder, const std::string& name,
                          std::string_view bytes, std::vector<std::string>& view_files) {
  const auto found = std::ranges::find(view_files, name);
  if (found == view_files.end() || read_file(folder / name) == bytes) return;
  const size_t dot = name.rfind('.');
  const std::string aside =
      name == "blocks.csv" ? "block_table.csv" : name.substr(0, dot) + "-view" + name.substr(dot);
  std::error_code failed;
  std::filesystem::rename(folder / name, folder / aside, failed);
  if (failed) throw_write_error(folder / aside, failed.value());
  *found = aside;
}

void write_rule(const WeightRule& rule, JsonWriter& json) {
  json.begin_object();
  json.put("masked", rule.causal ? "later keys" : "nothing");
  if (rule.sliding_window > 0) json.put("sliding_window_tokens", rule.sliding_window);
  if (rule.soft_cap > 0) json.put("logits_soft_cap", rule.soft_cap);
  if (!rule.alibi_slopes.empty()) json.put("alibi_slopes", rule.alibi_slopes);
  if (const RelativeBias& bias = rule.relative_bias; !bias.empty()) {
    json.key("relative_bias_by_distance").begin_object();
    json.put("from", -bias.before()).put("to", bias.after()).end_object();
  }
  if (!rule.sinks.empty()) json.put("sinks", rule.sinks);
  if (const auto& sparse = rule.blocksparse) {
    json.key("blocksparse").begin_object();
    json.put("local_blocks", sparse->local_blocks).put("vert_stride", sparse->vert_stride);
    json.put("block_size", sparse->block_size);
    json.put("head_sliding_step", sparse->head_sliding_step).end_object();
  }
  json.end_object();
}

void write_rules(const LayerRules& rules, JsonWriter& json) {
  json.key("attention");
  if (rules.are_one()) return write_rule(rules.of(0), json);
  json.begin_object().key("layers").begin_array();
  for (const WeightRule& rule : rules.list()) write_rule(rule, json);
  json.end_array().end_object();
}

}  // namespace

void write_file_atomically(const std::filesystem::path& name,
                           const std::function<void(Pieces&)>& write_to) {
  WholeFile file(name);
  Pieces pieces([&](std::string_view bytes) { file.write(bytes); });
  write_to(pieces);
  pieces.flush();
  file.commit();
}

std::string manifest_json(const ReportInputs& inputs, const std::vector<ReportFile>& files) {
  const EngineSnapshot& shot = *inputs.snapshot;
  JsonWriter json(2);
  json.begin_object();
  json.put("format", 1);
  json.put("program", "Attention Workbench");
  json.put("version", ATTN_VERSION);
  json.put("compiler", __VERSION__);
  json.put("isa", instruction_set());
  json.put("source", shot.source.name);
  json.put("backend", shot.backend_name);
  json.put("workers", shot.num_lanes - 1);
  if (shot.scenario) {
    json.put("title", shot.scenario->title);
    json.put("seed", shot.scenario->seed);
    json.put("scenario_hash", scenario_hash(*shot.scenario));
  }
  if (shot.rules) write_rules(*shot.rules, json);
  json.put("clock", shot.modelled_time ? "virtual" : "real");
  json.put("modelled", shot.modelled_time);
  if (!shot.modelled_time || shot.slowed_or_paused)
    json.put("slowed_or_paused", shot.slowed_or_paused);
  if (shot.slowed_or_paused)
    json.put("times", shot.modelled_time ? kSmallerTilesNote : kWaitingNote);
  if (!shot.modelled_time) json.put("written_utc", utc_now());
  json.put("state", name_of(shot.phase));
  json.put("engine_steps", shot.steps ? shot.steps->size() : 0);
  json.put("generated_tokens", shot.generated_tokens);
  json.key("events").begin_object();
  json.put("pushed", inputs.counts.pushed).put("recorded", inputs.counts.recorded);
  json.put("dropped", inputs.counts.dropped).end_object();
  json.put("messages", inputs.messages);
  json.key("files").begin_array();
  for (const ReportFile& file : files) {
    json.begin_object().put("name", file.name).put("bytes", file.bytes);
    json.put("xxh64", fmt::format("{:016x}", file.xxh64)).end_object();
  }
  json.end_array().end_object();
  return std::move(json).take() + "\n";
}

std::vector<std::string> write_report(const std::filesystem::path& folder, ReportInputs inputs) {
  if (!inputs.snapshot)
    throw Error(ErrorCode::kFailed, {"there is nothing to report", folder.string(), "no run",
                                     "a run", "Start a run first."});
  const auto events = static_cast<double>(inputs.events.size());
  ask_memory(
      {.bytes = events * static_cast<double>(kReportBytesPerEvent),
       .what = "the report does not fit in memory",
       .where = folder.string(),
       .found = fmt::format("{} events x {} bytes = {}", inputs.events.size(), kReportBytesPerEvent,
                            bytes_text(events * static_cast<double>(kReportBytesPerEvent))),
       .advice = "Close other programs, or run fewer requests or tokens"});
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw_write_error(folder, failed.value());
  const std::vector<TraceEvent>& list = inputs.events;
  const EngineSnapshot& shot = *inputs.snapshot;
  std::vector<std::string> names;
  const auto add_name = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  const auto write = [&](const std::string& name, const std::string& bytes) {
    move_view_file_aside(folder, name, bytes, inputs.pictures);
    write_file_atomically(folder / name, bytes);
    add_name(name);
  };
  const auto write_pieces = [&](const std::string& name, const std::function<void(Pieces&)>& make) {
    if (std::ranges::find(inputs.pictures, name) != inputs.pictures.end()) {
      Pieces whole;
      make(whole);
      write(name, std::move(whole).whole());
      return;
    }
    write_file_atomically(folder / name, make);
    add_name(name);
  };
  write("requests.csv", requests_csv(shot));
  write("steps.csv", steps_csv(shot));
  write_pieces("blocks.csv", [&](Pieces& out) { write_blocks_csv(list, out); });
  write("block_table.csv", block_table_csv(inputs.block_table ? *inputs.block_table : shot));
  write("prefix_hits.csv", prefix_hits_csv(list));
  if (!inputs.notes.empty()) write("notes.csv", notes_csv(inputs.notes));
  write_pieces("kernels.csv", [&](Pieces& out) { write_kernels_csv(list, out); });
  if (shot.rounding) write("cache_rounding.csv", rounding_csv(*shot.rounding));
  write_pieces("timeline.csv", [&](Pieces& out) { write_timeline_csv(list, out); });
  write_pieces("trace.json",
               [&](Pieces& out) { write_trace_json(shot, list, inputs.messages, out); });
  write_pieces("trace.perfetto-trace",
               [&](Pieces& out) { write_trace_perfetto(shot, list, inputs.messages, out); });
  if (shot.scenario) write("scenario.json", to_json(*shot.scenario));
  const ScenarioView view = shot.scenario ? shot.scenario->view : ScenarioView{};
  const int64_t layer =
      std::min<int64_t>(inputs.layer < 0 ? view.layer : inputs.layer, shot.source.num_layers - 1);
  const int64_t head =
      std::min<int64_t>(inputs.head < 0 ? view.head : inputs.head, shot.source.num_heads - 1);
  for (const RequestView& own : shot.requests) {
    const RequestView& request = own.at(layer);
    if (!request.attention) continue;
    const std::string name =
        fmt::format("heatmap-request{}-layer{}-head{}.csv", request.id, layer, head);
    const int64_t rows = request.attention->num_rows(), keys = request.attention->num_keys(layer);
    if (std::max(rows, keys) <= kMostMapSide) {
      write_pieces(name, [&](Pieces& out) { write_heatmap_csv(request, layer, head, rows, out); });
    } else {
      inputs.messages.push_back(
          fmt::format("{} was not written: it would have {} rows and {} keys, but at most {} of "
                      "each are written.",
                      name, rows, keys, kMostMapSide));
    }
  }
  for (const std::string& picture : inputs.pictures) {
    add_name(picture);
    for (const char* format : {".svg", ".pdf", ".csv", ".npy", ".safetensors"}) {
      const std::filesystem::path twin = std::filesystem::path(picture).replace_extension(format);
      if (std::filesystem::exists(folder / twin, failed)) add_name(twin.string());
    }
  }
  std::vector<std::string> linked = names;
  linked.emplace_back("manifest.json");
  write("index.html", index_html(inputs, linked));
  // The manifest is last: it holds the sizes and hashes of the files before it.
  std::vector<ReportFile> files;
  for (const std::string& name : names) files.push_back(file_in_manifest(folder, name));
  write("manifest.json", manifest_json(inputs, files));
  return names;
}

std::string generated_text(const EngineSnapshot& snapshot) {
  int64_t outputs = 0;
  for (const RequestView& request : snapshot.requests)
    if (request.tokens)
      outputs += static_cast<int64_t>(request.tokens->size()) - request.prompt_len;
  std::string text = fmt::format("{}", snapshot.generated_tokens);
  if (outputs != snapshot.generated_tokens)
    text += fmt::format(
        " (shared tokens count once; the outputs of all samples and beams together have {})",
        outputs);
  return text;
}

}  // namespace attn
