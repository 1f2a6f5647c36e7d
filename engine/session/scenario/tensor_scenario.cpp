// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/tensor_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/find_models.h"
#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/scenario/model_scenario.h"
#include "engine/session/scenario/other_file.h"
#include "engine/session/scenario/stored_run.h"
#include "engine/session/session_file/session_file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRoles = {"query", "key", "value"};
constexpr const char* kWantedFiles =
    "one .safetensors file, or .npy files for query, key and value (q.npy, k.npy, v.npy)";

// A run of letters or of digits in a name: "layer3_key" has layer, 3 and key.
struct Word {
  size_t begin = 0, end = 0;
  bool is_number = false;
};
std::vector<Word> words_of(const std::string& name) {
  std::vector<Word> words;
  for (size_t i = 0; i < name.size();) {
    const auto kind = [&](size_t at) {
      const auto c = static_cast<unsigned char>(name[at]);
      return std::isdigit(c) ? 2 : std::isalpha(c) ? 1 : 0;
    };
    const size_t begin = i;
    const int first = kind(i);
    while (i < name.size() && kind(i) == first) ++i;
    if (first > 0) words.push_back({begin, i, first == 2});
  }
  return words;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// The number of the layer in a name: the one after "layer", or the only number. Null: there is no
// such number, or "{layer}" cannot stand for it, as for 007.
const Word* number_of_layer(const std::string& stem, const std::vector<Word>& words) {
  const Word* found = nullptr;
  int numbers = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].is_number) continue;
    const bool named =
        i > 0 &&
        lower(stem.substr(words[i - 1].begin, words[i - 1].end - words[i - 1].begin)) == "layer";
    ++numbers;
    found = &words[i];
    if (named) {
      numbers = 1;
      break;
    }
  }
  if (numbers != 1) return nullptr;
  const std::string digits = stem.substr(found->begin, found->end - found->begin);
  return digits.size() > 9 || std::to_string(std::stoll(digits)) != digits ? nullptr : found;
}

// What a file's name says: its role and its layer.
struct Named {
  int role = -1;        // -1: none or several
  int64_t number = -1;  // of the layer; -1: none
  std::string pattern;  // "q_{layer}.npy"
  std::string family;   // "*_{layer}": the files of a set have the same family
};

Named named(const fs::path& file) {
  const std::string name = file.filename().string(), stem = file.stem().string();
  const std::vector<Word> words = words_of(stem);
  Named result;
  result.pattern = name;
  const Word* role = nullptr;
  int roles = 0;
  for (const Word& word : words) {
    if (word.is_number) continue;
    const std::string text = lower(stem.substr(word.begin, word.end - word.begin));
    for (size_t r = 0; r < kRoles.size(); ++r) {
      const std::string whole = kRoles[r];
      const bool plural = text == (r == 0 ? "queries" : whole + "s");
      if (text != whole && text != whole.substr(0, 1) && !plural) continue;
      role = &word;
      result.role = static_cast<int>(r);
      ++roles;
    }
  }
  if (roles != 1) {
    result.role = -1;
    return result;
  }
  const Word* number = number_of_layer(stem, words);
  result.family = stem;
  // The later part is replaced first, so the earlier one keeps its place.
  const auto put_number = [&] {
    const size_t length = number->end - number->begin;
    result.number = std::stoll(stem.substr(number->begin, length));
    result.pattern.replace(number->begin, length, "{layer}");
    result.family.replace(number->begin, length, "{layer}");
  };
  if (number && number->begin > role->begin) put_number();
  result.family.replace(role->begin, role->end - role->begin, "*");
  if (number && number->begin < role->begin) put_number();
  return result;
}

bool has_extension(const fs::path& file, std::string_view wanted) {
  return lower(file.extension().string()) == wanted;
}

[[noreturn]] void throw_unreadable(const fs::path& folder, const std::string& found) {
  throw Error(ErrorCode::kFailed, {"folder cannot be read", folder.string(), found, kWantedFiles,
                                   "Give this user the rights to read and enter it, and to enter "
                                   "every folder above it"});
}

std::vector<fs::path> npy_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  const std::error_code failure = for_each_name(folder, [&](const char* name) {
    if (has_extension(name, ".npy")) files.push_back(folder / name);
  });
  if (failure) throw_unreadable(folder, failure.message());
  std::ranges::sort(files);
  return files;
}

TensorSpec safetensors_file(std::string file) {
  TensorSpec spec;
  spec.file = std::move(file);
  return spec;
}
TensorSpec npy_files(std::string query, std::string key, std::string value) {
  TensorSpec spec;
  spec.query = std::move(query);
  spec.key = std::move(key);
  spec.value = std::move(value);
  return spec;
}

TensorSpec npy_spec(const std::vector<fs::path>& files, const std::string& where) {
  struct Family {
    std::array<std::string, 3> patterns, names;  // index: role
    bool layered = false;                        // a file has number 0
    bool several = false;                        // several files per role
  };
  std::map<std::string, Family> families;
  for (const fs::path& file : files) {
    const Named name = named(file);
    if (name.role < 0) continue;
    Family& family = families[name.family];
    const fs::path whole = absolute_path(file);
    family.several |= !family.names[static_cast<size_t>(name.role)].empty();
    family.names[static_cast<size_t>(name.role)] = whole.string();
    family.patterns[static_cast<size_t>(name.role)] = (whole.parent_path() / name.pattern).string();
    family.layered |= name.number == 0;
  }
  std::vector<const std::array<std::string, 3>*> whole;
  for (const auto& [name, family] : families) {
    if (family.several && !family.layered)
      throw_bad_input(
          {"the layers do not begin at 0", where, name, "files numbered 0, 1, ...", "Rename them"});
    if (std::ranges::none_of(family.names, &std::string::empty))
      whole.push_back(family.layered ? &family.patterns : &family.names);
  }
  if (whole.size() == 1) return npy_files((*whole[0])[0], (*whole[0])[1], (*whole[0])[2]);
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.filename().string());
  if (names.size() > 12) {
    names.resize(12);
    names.emplace_back("...");
  }
  throw_bad_input(
      {whole.empty() ? "query, key or value is missing"
                     : "there are several sets of query, key and value",
       where, names.empty() ? "no .npy files" : fmt::format("{}", fmt::join(names, ", ")),
       kWantedFiles, whole.empty() ? "Name the files like this" : "Choose the files of one set"});
}

// Throws an error that names the models in a folder; returns if there are none.
void refuse_models(const fs::path& folder) {
  constexpr int kMostFolders = 500;  // are searched, so that an error does not take long
  constexpr size_t kMostNamed = 8;
  int searched = 0;
  const std::vector<fs::path> models =
      find_models(folder, [&searched] { return ++searched <= kMostFolders; }).models;
  if (models.empty()) return;
  std::vector<std::string> names;
  for (const fs::path& model : models)
    if (names.size() < kMostNamed) names.push_back(model.lexically_relative(folder).string());
  if (models.size() > kMostNamed) names.emplace_back("...");
  throw_bad_input({"a folder of models is not a scenario", folder.string(),
                   fmt::format("{} and no .npy files: {}",
                               counted(static_cast<int64_t>(models.size()), "model", "models"),
                               fmt::join(names, ", ")),
                   fmt::format("one of the models, a scenario, or {}", kWantedFiles),
                   fmt::format("Open one model, for example {}", models.front().string())});
}

TensorSpec spec_of(std::span<const fs::path> files) {
  if (files.empty()) throw_bad_input({"there are no files", "tensors", "none", kWantedFiles, ""});
  std::error_code failure;
  for (const fs::path& file : files)
    if (!fs::exists(file, failure))
      throw_bad_input({"file cannot be opened", file.string(), found_at(file), kWantedFiles, ""});
  const std::string where = files.size() == 1 ? files[0].string() : files[0].parent_path().string();
  if (files.size() == 1 && fs::is_directory(files[0], failure)) {
    if (const std::string found = why_no_folder(files[0]); !found.empty())
      throw_unreadable(files[0], found);
    const std::vector<fs::path> arrays = npy_files_in(files[0]);
    if (arrays.empty() && has_entry(files[0] / "config.json"))
      throw_bad_input(
          {"a model folder is not a scenario", where, "config.json and no .npy files",
           fmt::format("a scenario, or {}", kWantedFiles),
           fmt::format(
               "`attn generate --model {0} --prompt TEXT` generates text, `attn inspect {0}` shows "
               "what it contains. In the window open a scenario whose source is {{\"model\": {1}}}",
               where, quote_text(where, 4096))});
    if (arrays.empty()) refuse_models(files[0]);
    return npy_spec(arrays, where);
  }
  if (files.size() == 1 && has_extension(files[0], ".safetensors"))
    return safetensors_file(absolute_path(files[0]).string());
  for (const fs::path& file : files)
    if (!has_extension(file, ".npy"))
      throw_bad_input({"these files cannot be opened together", file.string(),
                       fmt::format("{} files", files.size()), kWantedFiles, ""});
  if (files.size() > 1) return npy_spec({files.begin(), files.end()}, where);
  // One file of a set: takes the files of the same family beside it.
  const Named wanted = named(files[0]);
  if (wanted.role < 0) return npy_spec({files[0]}, where);
  std::vector<fs::path> family;
  for (const fs::path& file : npy_files_in(absolute_path(files[0]).parent_path()))
    if (const Named name = named(file); name.role >= 0 && name.family == wanted.family)
      family.push_back(file);
  return npy_spec(family, where);
}

// The name of an opened folder, if it can be a title; else that of the file, with * for the layers.
std::string title_of(std::span<const fs::path> files, const std::string& where) {
  std::error_code failure;
  if (files.size() == 1 && fs::is_directory(files[0], failure)) {
    // "t/gqa/" and "." have their names one level higher.
    fs::path folder = absolute_path(files[0]).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    const std::string name = folder.filename().string();
    constexpr size_t kMostTitle = 200;
    if (!name.empty() && name.size() <= kMostTitle && escape_unprintable(name) == name) return name;
  }
  std::string title = where;
  if (const size_t at = where.find("{layer}"); at != std::string::npos) title.replace(at, 7, "*");
  return title;
}

// Tries what `wanted` leaves open: self attention before cross attention, each with heads first,
// then with tokens first. If nothing fits, throws the error for cross attention.
TensorShapes fitting_shapes(TensorSpec& spec, const std::string& where, bool& is_cross,
                            const TensorReading& wanted) {
  for (const bool cross : {false, true})
    for (const TensorLayout layout : {TensorLayout::kHeadsFirst, TensorLayout::kTokensFirst}) {
      if ((wanted.layout && layout != *wanted.layout) || (wanted.cross && !cross)) continue;
      spec.layout = layout;
      is_cross = cross;
      try {
        return read_tensor_shapes(spec, {}, where, cross);
      } catch (const Error&) {
      }
    }
  spec.layout = wanted.layout.value_or(TensorLayout::kHeadsFirst);
  is_cross = true;
  return read_tensor_shapes(spec, {}, where, is_cross);
}

// Query [3, 20, 64] and key [2, 20, 64] fit only as cross attention with tokens first: 3 queries of
// 20 heads read 2 keys. More likely heads come first and a number of heads is wrong.
void refuse_odd_guess(const TensorSpec& spec, const TensorShapes& shapes, bool is_cross,
                      const std::string& where) {
  const int64_t heads = shapes.num_heads, queries = shapes.queries, keys = shapes.key_tokens;
  if (!is_cross || spec.layout != TensorLayout::kTokensFirst || heads != shapes.num_kv_heads ||
      heads <= std::max(queries, keys))
    return;
  throw_bad_input(
      {"the tensors do not fit with heads first", where,
       fmt::format("{} and {} of {}", counted(queries, "query head", "query heads"),
                   counted(keys, "KV head", "KV heads"), counted(heads, "token", "tokens")),
       "query heads that are a multiple of the KV heads",
       fmt::format("Correct the tensors. If tokens come first, so that {} of {} read {} of an "
                   "encoder, say so in a scenario file: \"layout\": \"tokens_first\" and "
                   "\"type\": \"encoder_decoder\"",
                   counted(queries, "query", "queries"), counted(heads, "head", "heads"),
                   counted(keys, "key", "keys"))});
}

// What the file of these tensors says of the run that wrote it.
std::optional<StoredRun> stored_run_of(const TensorSpec& spec, const fs::path& folder) {
  return spec.file.empty() ? std::nullopt : stored_run(folder / spec.file);
}

void set_stored(const StoredRun& stored, Scenario& scenario) {
  const ScenarioAttention& attention = stored.attention;
  scenario.source.tensors->scale = stored.scale;
  scenario.attention = attention;
  // The default backend has no soft cap, sinks, block-sparse attention or relative bias. It cannot
  // combine a window with ALiBi, and with either of them it masks later keys.
  const bool masks = attention.sliding_window > 0 || attention.alibi;
  if (attention.logits_soft_cap > 0 || !attention.sinks.empty() || attention.blocksparse ||
      stored.has_relative_bias || (attention.sliding_window > 0 && attention.alibi) ||
      (masks && attention.type == AttentionType::kEncoderOnly))
    scenario.engine.backend = "unified";
}

// Sentences on what a scenario cannot have of that run, and on the numbers that its layers had.
std::vector<std::string> losses_of(const StoredRun& stored, const std::string& title,
                                   int64_t layers) {
  std::vector<std::string> sentences;
  if (!stored.lost.empty())
    sentences.push_back(
        fmt::format("{} says of the run that wrote it what a scenario of tensors cannot have: {}. "
                    "So the weights here are not those of that run.",
                    title, fmt::join(stored.lost, "; ")));
  std::vector<int64_t> numbers;
  for (int64_t layer = 0; layer < layers; ++layer) numbers.push_back(layer);
  if (!stored.layers.empty() && stored.layers != fmt::format("{}", fmt::join(numbers, ", ")))
    sentences.push_back(fmt::format("The layers of {} are the layers {} of the run that wrote it.",
                                    title, stored.layers));
  return sentences;
}

// Blocks for whole sequences with their end tokens; in cross attention, for the encoder's keys.
int64_t blocks_for(const TensorShapes& shapes, int64_t block_size, bool is_cross) {
  const int64_t places = is_cross ? shapes.key_tokens - 1 : shapes.tokens;
  return shapes.sequences * (places / block_size + 1);
}

}  // namespace

bool is_tensor_file(const fs::path& file) {
  return has_extension(file, ".npy") || has_extension(file, ".safetensors");
}

std::optional<TensorShapes> other_reading(const Scenario& scenario) {
  if (!scenario.source.tensors) return std::nullopt;
  TensorSpec spec = *scenario.source.tensors;
  spec.layout = spec.layout == TensorLayout::kHeadsFirst ? TensorLayout::kTokensFirst
                                                         : TensorLayout::kHeadsFirst;
  const bool is_cross = scenario.attention.type == AttentionType::kEncoderDecoder;
  const fs::path folder = fs::path(scenario.origin.file).parent_path();
  try {
    if (stored_run_of(spec, folder)) return std::nullopt;  // the file says the order
    const TensorShapes now = read_tensor_shapes(*scenario.source.tensors, folder, "", is_cross);
    const TensorShapes other = read_tensor_shapes(spec, folder, "", is_cross);
    // Without an axis of heads, or with a single token, the other order is not likely.
    const bool no_axis = now.num_heads == 1 && other.num_heads == 1;
    return no_axis || other.tokens == 1 ? std::nullopt : std::optional(other);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_single_query(const Scenario& scenario) {
  if (!scenario.source.tensors) return false;
  const fs::path folder = fs::path(scenario.origin.file).parent_path();
  try {
    const TensorShapes shapes =
        read_tensor_shapes(*scenario.source.tensors, folder, "",
                           scenario.attention.type == AttentionType::kEncoderDecoder);
    return shapes.queries < shapes.tokens && !stored_run_of(*scenario.source.tensors, folder);
  } catch (const Error&) {
    return false;
  }
}

Scenario tensor_scenario(std::span<const fs::path> files, const TensorReading& reading) {
  TensorSpec spec = spec_of(files);
  const std::string where =
      fs::path(spec.file.empty() ? spec.query : spec.file).filename().string();
  const std::optional<StoredRun> stored = stored_run_of(spec, {});
  TensorReading wanted = reading;
  if (stored) {
    if (!wanted.layout) wanted.layout = TensorLayout::kHeadsFirst;
    wanted.cross = wanted.cross || stored->attention.type == AttentionType::kEncoderDecoder;
  }
  bool is_cross = false;
  const TensorShapes shapes = fitting_shapes(spec, where, is_cross, wanted);
  if (!wanted.layout && !wanted.cross) refuse_odd_guess(spec, shapes, is_cross, where);
  // With fewer queries than tokens there is one query, that of the last token.
  const bool decodes = shapes.queries < shapes.tokens;
  Scenario scenario;
  scenario.title = title_of(files, where);
  scenario.description = fmt::format(
      "{}, {}, {}, {} of {}, head size {}; axes {}.{}", counted(shapes.layers, "layer", "layers"),
      counted(shapes.num_heads, "query head", "query heads"),
      counted(shapes.num_kv_heads, "KV head", "KV heads"),
      counted(shapes.sequences, "sequence", "sequences"), counted(shapes.tokens, "token", "tokens"),
      shapes.head_size,
      spec.layout == TensorLayout::kHeadsFirst ? "heads before tokens" : "tokens before heads",
      is_cross && !stored
          ? fmt::format(
                " Each sequence has {} keys, another number than queries. They are taken as "
                "the keys of an encoder: cross attention, where every query sees every key.",
                shapes.key_tokens)
      : decodes ? " There is one query, that of the last token: a decode step. The rows of the "
                  "tokens before it are not known."
                : "");
  if (is_cross) scenario.attention.type = AttentionType::kEncoderDecoder;
  scenario.source.tensors = std::move(spec);
  if (stored) set_stored(*stored, scenario);
  for (int64_t s = 0; s < shapes.sequences; ++s) {
    ScenarioRequest request;
    if (shapes.sequences > 1) request.name = fmt::format("Sequence {}", s);
    request.prompt_tokens = decodes ? shapes.tokens - 1 : shapes.tokens;
    if (is_cross) request.encoder_tokens = shapes.key_tokens;
    request.max_tokens = decodes ? 2 : 1;  // the last token, and the end token after it
    scenario.requests.push_back(std::move(request));
  }
  ScenarioEngine& engine = scenario.engine;
  engine.num_blocks = blocks_for(shapes, engine.block_size, is_cross);
  if (scenario.attention.sliding_window > 0) ++engine.num_blocks;  // the null block
  engine.max_num_batched_tokens = std::max(engine.max_num_batched_tokens, shapes.tokens);
  engine.max_num_seqs =
      std::max(engine.max_num_seqs, std::min<int64_t>(shapes.sequences, kMostRequests));
  engine.pad_head_size = true;
  validate(scenario);
  return scenario;
}

std::vector<std::string> guesses_of(const Scenario& scenario) {
  if (!scenario.source.tensors || !scenario.origin.file.empty()) return {};
  const bool is_cross = scenario.attention.type == AttentionType::kEncoderDecoder;
  TensorSpec spec = *scenario.source.tensors;
  const TensorShapes shapes = read_tensor_shapes(spec, {}, scenario.title, is_cross);
  if (const auto stored = stored_run_of(spec, {}))
    return losses_of(*stored, scenario.title, shapes.layers);
  std::vector<std::string> guesses;
  if (spec.layout == TensorLayout::kHeadsFirst) {
    spec.layout = TensorLayout::kTokensFirst;
    try {
      const TensorShapes other = read_tensor_shapes(spec, {}, scenario.title, is_cross);
      const ScenarioEngine& engine = scenario.engine;
      // Two axes have no heads, so their order is known.
      if (shapes.num_heads > 1 || other.num_heads > 1)
        guesses.push_back(fmt::format(
            "{} does not say whether heads or tokens come first. It was read as {} and {}, heads "
            "first. If tokens come first, save this scenario and set $.source.tensors.layout to "
            "tokens_first{}.",
            scenario.title, counted(shapes.num_heads, "head", "heads"),
            counted(shapes.tokens, "token", "tokens"),
            is_cross ? ""
                     : fmt::format(", prompt_tokens of its requests to {} and $.engine.num_blocks "
                                   "to {}",
                                   other.tokens, blocks_for(other, engine.block_size, false))));
    } catch (const Error&) {
      // Only one order fits.
    }
  }
  if (shapes.queries < shapes.tokens)
    guesses.push_back(fmt::format(
        "{} has one query and {} in a sequence. It was read as a decode step: the query of the "
        "last token. If the keys are those of an encoder, save this scenario and set "
        "$.attention.type to encoder_decoder and in its requests prompt_tokens to 1, "
        "encoder_tokens to {} and max_tokens to 1.",
        scenario.title, counted(shapes.tokens, "key", "keys"), shapes.tokens));
  if (is_cross)
    guesses.push_back(fmt::format(
        "{} has {} and {} in a sequence. The keys were taken as those of an encoder: cross "
        "attention.",
        scenario.title, counted(shapes.tokens, "query", "queries"),
        counted(shapes.key_tokens, "key", "keys")));
  return guesses;
}

// Whether the file is one of a model, by its name and its folder.
static bool is_file_of_model(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure) || !is_model_path(fs::absolute(file).parent_path()))
    return false;
  const std::string name = file.filename().string();
  return name == "config.json" || name == "generation_config.json" ||
         name.starts_with("tokenizer") || name.ends_with(".index.json") ||
         (name.starts_with("model") && file.extension() == ".safetensors");
}

Scenario open_scenario(std::string_view name_or_file) {
  const fs::path file(name_or_file);
  std::error_code failure;
  if (is_session_file(file))
    throw_bad_input({"a session file is not a scenario", file.string(), "a saved run",
                     "a scenario, a model, or tensors",
                     "`attn run FILE --export DIR` writes its report, which contains its scenario "
                     "as scenario.json"});
  if (is_model_path(file)) return model_scenario(file);
  if (is_file_of_model(file)) return model_scenario(fs::absolute(file).parent_path());
  refuse_other_file(file);
  if (is_tensor_file(file) || (!name_or_file.empty() && fs::is_directory(file, failure)))
    return tensor_scenario({&file, 1});
  // A scenario comes before a model of its name.
  const auto scenarios = shipped_scenarios();
  if (is_shipped_model(name_or_file) &&
      std::ranges::find(scenarios, name_or_file) == scenarios.end())
    return model_scenario(find_model(name_or_file));
  return load_scenario(find_scenario(name_or_file, fmt::format("a bundled model ({}), or a file",
                                                               fmt::join(shipped_models(), ", "))));
}

}  // namespace attn
