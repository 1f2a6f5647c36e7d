// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <span>

#include "engine/cli/commands.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/memory.h"
#include "engine/core/program/standard_streams.h"
#include "engine/model/files/gguf.h"
#include "engine/model/files/npy.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/describe.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "engine/model/tokenizer/tokenizer_parse.h"
#include "engine/session/history/step_history.h"
#include "engine/session/report/report.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/attention_rule.h"
#include "engine/session/scenario/scenario.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "engine/session/session_file/session_file.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

CommandSpec inspect_spec() {
  return {
      "attn inspect",
      "Prints what is in a GGUF, safetensors or .npy file, a tokenizer, scenario, session or model "
      "folder.",
      {{"FILE", "a file, a model folder, or the name of a bundled model or scenario"}},
      {},
      "For a model folder or a GGUF file it says whether the model can run here, and if it cannot, "
      "the\nreasons.\nExit code: 0 when at least one backend can run it, 1 when there is no "
      "permission to read it, 2 when\na file is invalid or missing or the model is too large, "
      "3 when something is not supported."};
}

std::string size_text(uint64_t bytes) {
  return bytes_text(static_cast<double>(bytes));
}

// Text of a file for the terminal: unprintable characters are escaped, long texts are cut.
std::string shown(std::string_view text) {
  return quote_text(text, 200);
}

// For each name of an element type: the number of elements and of bytes.
using TypeSums = std::map<std::string, std::pair<int64_t, uint64_t>>;
void print_sums(const TypeSums& by_type) {
  for (const auto& [type, sum] : by_type)
    print_out("  {:<7} {} elements, {}\n", type, sum.first, size_text(sum.second));
}

void inspect_safetensors(const fs::path& path, bool list) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  TypeSums by_type;
  uint64_t bytes = 0;
  for (const TensorEntry& entry : file.tensors()) {
    auto& [elements, size] = by_type[entry.dtype_name];
    elements += element_count(entry.shape);
    size += entry.end - entry.begin;
    bytes += entry.end - entry.begin;
  }
  print_out("{}: safetensors, {} tensors, {}\n", path.filename().string(), file.tensors().size(),
            size_text(bytes));
  print_sums(by_type);
  if (!list) return;
  if (!file.metadata().empty()) print_out("metadata:\n");
  for (const auto& [key, value] : file.metadata())
    print_out("  {} = {}\n", shown(key), shown(value));
  print_out("tensors:\n");
  for (const TensorEntry& entry : file.tensors())
    print_out("  {:<5} {:<22} {}\n", entry.dtype_name, to_string(entry.shape), shown(entry.name));
}

void print_gguf(const fs::path& path) {
  const GgufFile file = GgufFile::open(path);
  TypeSums by_type;
  uint64_t bytes = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    auto& [elements, size] = by_type[tensor.type->name];
    elements += element_count(tensor.shape);
    size += tensor.bytes;
    bytes += tensor.bytes;
  }
  print_out(
      "{}: GGUF, version {}, {}, {}{}\n", path.filename().string(), file.version(),
      counted(file.tensors().size(), "tensor", "tensors"), size_text(bytes),
      file.file_names().size() > 1 ? fmt::format(" in {} files", file.file_names().size()) : "");
  print_sums(by_type);
  print_out("metadata:\n");
  for (const GgufValue& value : file.metadata().values())
    print_out("  {} = {}\n", escape_unprintable(value.key), GgufMetadata::shown(value));
  print_out("tensors:\n");
  for (const GgufTensor& tensor : file.tensors())
    print_out("  {:<7} {:<22} {}\n", tensor.type->name, to_string(tensor.shape),
              shown(tensor.name));
}

void inspect_npy(const fs::path& path) {
  const NpyFile file = NpyFile::open(path);
  print_out("{}: NumPy array, {} {}, {} elements{}\n", path.filename().string(), file.dtype_name(),
            to_string(file.shape()), element_count(file.shape()),
            file.is_fortran_order() ? ", Fortran order (the first axis changes fastest)" : "");
}

void inspect_tokenizer(const std::string& name, const Tokenizer& tokenizer) {
  print_out("{}: tokenizer, {} tokens\n", name, tokenizer.vocab_size());
  print_out("  {}\n", kind_of(tokenizer));
  for (const std::string& step : steps_of(tokenizer)) print_out("  {}\n", shown(step));
  int64_t special = 0;
  std::string names;
  for (int32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    if (!tokenizer.is_special(id)) continue;
    if (++special <= 8) names += fmt::format(" {}={}", shown(tokenizer.piece(id)), id);
  }
  print_out("  special: {}{}{}\n", special, special ? ":" : "", names);
}

void inspect_pieces(const fs::path& path) {
  const PieceFile file = PieceFile::open(path);
  print_out("{}: SentencePiece, {}, {}\n", path.filename().string(),
            file.is_bpe ? "BPE" : "Unigram", counted(file.pieces.size(), "piece", "pieces"));
  constexpr std::array kNames = {"normal", "unknown", "control", "user-defined", "unused", "byte"};
  std::array<size_t, kNames.size()> counts{};
  for (const PieceFile::Piece& piece : file.pieces) ++counts[static_cast<size_t>(piece.kind) - 1];
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) print_out("  {:<12} {}\n", kNames[i], counts[i]);
  print_out("  normalizer   {}\n", shown(file.normalizer));
  print_out("  spaces       {}, {}\n",
            file.removes_spaces ? "runs become one, none at the ends" : "all",
            !file.adds_space     ? "none added"
            : file.space_is_last ? "one added behind a text"
                                 : "one added in front of a text");
}

void inspect_scenario(const fs::path& path) {
  const Scenario scenario = load_scenario(path);
  print_out("{}: scenario {}\n", path.filename().string(), shown(scenario.title));
  if (!scenario.description.empty()) print_out("  {}\n", shown(scenario.description));
  print_out("  hash {}\n{}\n", scenario_hash(scenario), to_json(scenario));
}

void inspect_session(const fs::path& path) {
  const Session session = load_session(path);
  const EngineSnapshot& shot = *session.snapshot;
  std::error_code failure;  // ignored: the file has just been read
  print_out("{}: session, {}\n", path.filename().string(), size_text(fs::file_size(path, failure)));
  print_out("  scenario: {}, hash {}\n", shown(shot.scenario->title),
            scenario_hash(*shot.scenario));
  print_out("  source: {}, {}, {}, {}, head size {}\n", shown(shot.source.name),
            counted(shot.source.num_layers, "layer", "layers"),
            counted(shot.source.num_heads, "head", "heads"),
            counted(shot.source.num_kv_heads, "KV head", "KV heads"), shot.source.head_size);
  print_out("  backend: {}\n", shown(shot.backend_name));
  const uint64_t end_ns = shot.steps->empty() ? 0 : shot.steps->back().end_ns;
  print_out("  run: {}, {}, tokens generated: {}, {:.3f} ms{}\n", name_of(shot.phase),
            counted(shot.steps->size(), "step", "steps"), generated_text(shot),
            1e-6 * static_cast<double>(end_ns), shot.modelled_time ? " (modelled)" : "");
  const StepHistory::Range past = shot.history ? shot.history->range() : StepHistory::Range{};
  if (past.empty())
    print_out("  history: none\n");
  else
    print_out("  history: steps {} to {}\n", past.first, past.last);
  print_out("  events: {}, messages: {}, notes: {}\n", session.recorder->size(),
            session.recorder->messages().size(), session.notes.size());
  print_out("requests:\n");
  for (const RequestView& request : shot.requests)
    print_out("  {:>4} {:<24} {}, {} of the prompt{}\n", request.id, shown(request.name),
              counted(request.tokens->size(), "token", "tokens"), request.prompt_len,
              request.attention ? "" : ", not computed");
  std::map<std::string, std::pair<size_t, uint64_t>> chunks;
  for (const SessionChunk& chunk : session_chunks(path)) {
    auto& [count, bytes] = chunks[chunk.name];
    ++count;
    bytes += chunk.bytes;
  }
  print_out("chunks:\n");
  for (const auto& [name, sum] : chunks)
    print_out("  {:<9} {:>4} {}\n", name, sum.first, size_text(sum.second));
}

void inspect_config(const nlohmann::json& json) {
  print_out("config.json:\n");
  for (const auto& [key, value] : json.items())
    if (!value.is_null())
      print_out(
          "  {} = {}\n", shown(key),
          value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 200));
}

std::string ids_text(std::span<const int32_t> ids) {
  constexpr size_t kMost = 8;
  const std::string first =
      fmt::format("token {}", fmt::join(ids.first(std::min(kMost, ids.size())), ", "));
  return ids.size() <= kMost ? first : fmt::format("{} and {} more", first, ids.size() - kMost);
}

// Prints whether the model can run, and if not, why. Returns the exit code.
int inspect_readiness(const fs::path& path) {
  const ModelCheck model = check_model(path, available_memory_bytes());
  const auto list = [](const char* title, const std::vector<std::string>& sentences) {
    if (sentences.empty()) return;
    print_out("{}\n", title);
    for (const std::string& sentence : sentences) print_out("  - {}\n", sentence);
  };
  if (!model.problems.empty()) {
    list("cannot run:", model.problems.sentences());
    list("notes:", model.notes);
    return model.problems.error().exit_code();
  }
  Scenario scenario;  // default settings, but for the lines below
  scenario.source.model = path.string();
  const AttentionType type = scenario.attention.type = model.shape.type_of_model();
  std::string able;
  std::vector<std::string> reasons;
  for (const AttentionBackend* backend : registered_backends()) {
    const auto refused = not_supported_reasons(*backend, layer_configs(scenario, model.shape));
    if (refused.empty())
      able += fmt::format("{}{}", able.empty() ? "" : ", ", backend->name());
    else
      reasons.insert(reasons.end(), refused.begin(), refused.end());
  }
  print_out("can run with the backends {}\n", able);
  print_out("  attention          {}\n", attention_text(scenario.attention, model.shape));
  if (type == AttentionType::kEncoderOnly)
    print_out("                     an encoder: in scenarios attention.type is \"encoder_only\"\n");
  if (type == AttentionType::kEncoderDecoder)
    print_out(
        "                     an encoder and a decoder: in scenarios attention.type is "
        "\"encoder_decoder\"\n");
  print_out("  memory to load it  {}\n", bytes_text(static_cast<double>(model.needed_bytes)));
  print_out("  output embedding   {}\n",
            model.has_own_head ? "its own" : "the same as the input's");
  print_out("  texts end with     {}\n",
            model.stop_tokens.empty()
                ? "no token of their own"
                : fmt::format("token {}", fmt::join(model.stop_tokens, ", ")));
  if (!model.suppressed_tokens.empty())
    print_out("  never generated    {}\n", ids_text(model.suppressed_tokens));
  list("not with other backends:", reasons);
  list("notes:", model.notes);
  return 0;
}

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  for_each_name(folder, [&](const char* name) {
    if (fs::path(name).extension() == extension) files.push_back(folder / name);
  });
  std::ranges::sort(files);
  return files;
}

// Prints the arrays of a folder, and whether they can run as queries, keys and values.
int inspect_arrays(const std::string& name, const fs::path& folder) {
  print_out("{}: folder of arrays\n", name);
  for (const fs::path& file : files_in(folder, ".npy")) inspect_npy(file);
  try {
    tensor_scenario(std::span(&folder, 1));
  } catch (const Error& error) {
    print_out("cannot run as queries, keys and values: {}\n", error.what());
    return error.exit_code();
  }
  print_out("can run as queries, keys and values\n");
  return 0;
}

// Prints what the manifest of a report says of its run. Returns false where there is no readable
// manifest of this program; other programs have a manifest.json, too.
bool inspect_report(const std::string& name, const fs::path& folder) {
  if (!has_entry(folder / "manifest.json")) return false;
  nlohmann::json json;
  const TakenApart apart(json);
  try {
    replace_json(json, parse_json(read_text_file(folder / "manifest.json", JsonLimits{}.max_bytes),
                                  "manifest.json"));
  } catch (const Error&) {
    return false;
  }
  const auto program = json.is_object() ? json.find("program") : json.end();
  if (program == json.end() || *program != "Attention Workbench") return false;
  print_out("{}: report of a run\n", name);
  for (const char* key : {"program", "version", "title", "source", "backend", "state"})
    if (json.contains(key) && json[key].is_string())
      print_out("  {}: {}\n", key, shown(json[key].get<std::string>()));
  if (has_entry(folder / "scenario.json"))
    print_out("`attn run scenario.json` in this folder runs it again\n");
  return true;
}

int inspect_folder(const fs::path& folder) {
  // A path such as "models/name/" or "." does not end with the name of the folder, so the name is
  // taken from the whole path.
  std::error_code failure;
  const fs::path whole = fs::canonical(folder, failure);
  const std::string name = (failure ? folder : whole).filename().string();
  if (!has_entry(folder / "config.json") && !files_in(folder, ".npy").empty())
    return inspect_arrays(name, folder);
  if (!has_entry(folder / "config.json") && inspect_report(name, folder)) return 0;
  print_out("{}: {}\n", name, has_entry(folder / "config.json") ? "model folder" : "folder");
  // Errors are ignored here: inspect_readiness() names those that keep the model from running.
  const auto part = [](auto&& inspect) {
    try {
      inspect();
    } catch (const Error&) {
    }
  };
  part([&] {
    auto json =
        parse_json(read_text_file(folder / "config.json", JsonLimits{}.max_bytes), "config.json");
    const TakenApart apart(json);
    if (json.is_object()) inspect_config(json);
  });
  for (const fs::path& file : files_in(folder, ".safetensors"))
    part([&] { inspect_safetensors(file, false); });
  part([&] {
    const std::string file = vocabulary_file(folder);
    const bool is_json = file == "tokenizer.json";
    inspect_tokenizer(file,
                      is_json ? load_tokenizer_json(folder / file) : tokenizer_of_folder(folder));
  });
  return inspect_readiness(folder);
}

int inspect_gguf(const fs::path& path) {
  print_gguf(path);
  return inspect_readiness(path);
}

// An existing path, or else the shipped model or scenario of that name.
fs::path find(const std::string& name) {
  if (has_entry(name)) return name;
  if (name.find('/') != std::string::npos)
    throw_bad_input({"there is nothing to inspect", name, found_at(name),
                     "a file, a model folder, or the name of a bundled model or scenario", ""});
  const std::vector<std::string> models = shipped_models(), scenarios = shipped_scenarios();
  if (std::ranges::find(models, name) != models.end()) return find_model(name);
  if (std::ranges::find(scenarios, name) != scenarios.end()) return find_scenario(name);
  std::vector<std::string> both = models;
  both.insert(both.end(), scenarios.begin(), scenarios.end());
  const std::string stem = fs::path(name).stem().string(), near = nearest_match(stem, both);
  throw_bad_input(
      {"there is no file, model or scenario with this name", "attn inspect", quote_text(name),
       fmt::format("a file, a model folder, a bundled model ({}) or a bundled "
                   "scenario{}",
                   fmt::join(models, ", "),
                   near.empty() ? fmt::format(" ({})", fmt::join(scenarios, ", ")) : ""),
       near.empty()
           ? ""
           : fmt::format("Did you mean the {} `{}`?",
                         std::ranges::find(models, near) != models.end() ? "model" : "scenario",
                         near)});
}

}  // namespace

int command_inspect(const Words& words) {
  const Options options(inspect_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(inspect_spec()));
    return 0;
  }
  const fs::path path = find(options.required_text("FILE"));
  std::error_code failure;
  if (fs::is_directory(path, failure)) return inspect_folder(path);
  if (path.extension() == ".json") {
    // A tokenizer has a "model" with a vocabulary, a model's config its type or architectures.
    auto json = parse_json(read_text_file(path, JsonLimits{}.max_bytes), path.filename().string());
    const TakenApart apart(json);
    const bool tokenizer = json.is_object() && json.contains("model") &&
                           json["model"].is_object() && json["model"].contains("vocab");
    if (tokenizer) {
      inspect_tokenizer(path.filename().string(), load_tokenizer_json(path));
    } else if (json.is_object() &&
               (json.contains("model_type") || json.contains("architectures"))) {
      inspect_config(json);
    } else {
      inspect_scenario(path);
    }
  } else if (is_session_file(path)) {
    inspect_session(path);
  } else if (path.extension() == ".gguf" || GgufFile::is_gguf(path)) {
    return inspect_gguf(path);
  } else if (path.extension() == ".npy") {
    inspect_npy(path);
  } else if (path.extension() == ".spm" || path.extension() == ".model") {
    inspect_pieces(path);
  } else {
    inspect_safetensors(path, true);
  }
  return 0;
}

}  // namespace attn::cli
