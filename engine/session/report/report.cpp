// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/report/report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/kernels/tiles/instruction_set.h"

namespace attn {
namespace {

[[noreturn]] void throw_write_error(const std::filesystem::path& file, int code) {
  throw Error(ErrorCode::kFailed,
              {"cannot write the file", file.string(), std::strerror(code), "",
               "Choose a folder in which you may write and that has free space."});
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Renames a view's file whose name the report needs for a table with other content: the Blocks view
// writes the block table as blocks.csv.
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

// The rule by which the backend computes: a soft cap that it ignores is left out.
nlohmann::ordered_json attention_json(const WeightRule& rule) {
  nlohmann::ordered_json json;
  json["masked"] = rule.causal ? "later keys" : "nothing";
  if (rule.sliding_window > 0) json["sliding_window_tokens"] = rule.sliding_window;
  if (rule.soft_cap > 0) json["logits_soft_cap"] = rule.soft_cap;
  if (!rule.alibi_slopes.empty()) json["alibi_slopes"] = rule.alibi_slopes;
  if (!rule.sinks.empty()) json["sinks"] = rule.sinks;
  return json;
}

// One object for all layers, or one for each.
nlohmann::ordered_json attention_json(const LayerRules& rules) {
  if (rules.are_one()) return attention_json(rules.of(0));
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const WeightRule& rule : rules.list()) layers.push_back(attention_json(rule));
  return {{"layers", std::move(layers)}};
}

}  // namespace

void check_folder_is_writable(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw_write_error(folder, failed.value());
  std::string probe = (folder / ".writable.XXXXXX").string();
  const int fd = mkstemp(probe.data());
  if (fd < 0) throw_write_error(folder, errno);
  close(fd);
  unlink(probe.c_str());
}

void write_file_atomically(const std::filesystem::path& name, std::string_view bytes) {
  const std::filesystem::path file = output_file(name);
  std::string temporary = file.string() + ".XXXXXX";
  const int fd = mkstemp(temporary.data());
  if (fd < 0) throw_write_error(file, errno);
  const auto give_up = [&](int code) {
    close(fd);
    unlink(temporary.c_str());
    throw_write_error(file, code);
  };
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) give_up(errno);
    done += static_cast<size_t>(count);
  }
  if (fchmod(fd, 0644) != 0 || fsync(fd) != 0) give_up(errno);
  if (close(fd) != 0 || rename(temporary.c_str(), file.c_str()) != 0) {
    const int code = errno;
    unlink(temporary.c_str());
    throw_write_error(file, code);
  }
}

std::string manifest_json(const ReportInputs& inputs, const std::vector<ReportFile>& files) {
  using Json = nlohmann::ordered_json;
  const EngineSnapshot& shot = *inputs.snapshot;
  Json json;
  json["format"] = 1;
  json["program"] = "Attention Workbench";
  json["version"] = ATTN_VERSION;
  json["compiler"] = __VERSION__;
  json["isa"] = instruction_set();
  json["source"] = shot.source.name;
  json["backend"] = shot.backend_name;
  json["workers"] = shot.num_lanes - 1;
  if (shot.scenario) {
    json["title"] = shot.scenario->title;
    json["seed"] = shot.scenario->seed;
    json["scenario_hash"] = scenario_hash(*shot.scenario);
  }
  if (shot.rules) json["attention"] = attention_json(*shot.rules);
  json["clock"] = shot.modelled_time ? "virtual" : "real";
  json["modelled"] = shot.modelled_time;
  if (!shot.modelled_time) {
    json["slowed_or_paused"] = shot.slowed_or_paused;
    if (shot.slowed_or_paused) json["times"] = kWaitingNote;
  }
  if (!shot.modelled_time) json["written_utc"] = utc_now();
  json["state"] = name_of(shot.phase);
  json["engine_steps"] = shot.steps ? shot.steps->size() : 0;
  json["generated_tokens"] = shot.generated_tokens;
  json["events"] = {{"pushed", inputs.counts.pushed},
                    {"recorded", inputs.counts.recorded},
                    {"dropped", inputs.counts.dropped}};
  json["messages"] = inputs.messages;
  json["files"] = Json::array();
  for (const ReportFile& file : files)
    json["files"].push_back({{"name", file.name},
                             {"bytes", file.bytes},
                             {"xxh64", fmt::format("{:016x}", file.xxh64)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> write_report(const std::filesystem::path& folder,
                                      const ReportInputs& inputs_in) {
  if (!inputs_in.snapshot)
    throw Error(ErrorCode::kFailed, {"there is nothing to report", folder.string(), "no run",
                                     "a run", "Start a run first."});
  check_folder_is_writable(folder);
  std::error_code failed;
  ReportInputs inputs = inputs_in;
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
  write("requests.csv", requests_csv(shot));
  write("steps.csv", steps_csv(shot));
  write("blocks.csv", blocks_csv(shot, inputs.events));
  write("block_table.csv", block_table_csv(inputs.block_table ? *inputs.block_table : shot));
  write("prefix_hits.csv", prefix_hits_csv(inputs.events));
  write("kernels.csv", kernels_csv(inputs.events));
  write("timeline.csv", timeline_csv(inputs.events));
  write("trace.json", trace_json(shot, inputs.events, inputs.messages));
  write("trace.perfetto-trace", trace_perfetto(shot, inputs.events, inputs.messages));
  if (shot.scenario) write("scenario.json", to_json(*shot.scenario));
  const int64_t layer =
      shot.scenario ? std::min(shot.scenario->view.layer, shot.source.num_layers - 1) : 0;
  const int64_t head =
      shot.scenario ? std::min(shot.scenario->view.head, shot.source.num_heads - 1) : 0;
  for (const RequestView& request : shot.requests) {
    if (!request.attention) continue;
    const std::string name =
        fmt::format("heatmap-request{}-layer{}-head{}.csv", request.id, layer, head);
    const int64_t rows = request.attention->num_rows(), keys = request.attention->num_keys(layer);
    if (std::max(rows, keys) <= kMaxHeatmapRows) {
      write(name, heatmap_csv(request, layer, head));
    } else {
      inputs.messages.push_back(fmt::format(
          "{} was not written: it has {} rows and {} keys, and at most {} of each are written.",
          name, rows, keys, kMaxHeatmapRows));
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
  // Sizes and hashes of what is on disk, now that everything else is written.
  std::vector<ReportFile> files;
  for (const std::string& name : names) {
    const std::string bytes = read_file(folder / name);
    files.push_back({name, bytes.size(), XXH64(bytes.data(), bytes.size(), 0)});
  }
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
