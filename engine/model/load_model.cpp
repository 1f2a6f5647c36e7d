// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/load_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/model/families/family.h"
#include "engine/model/families/unknown_type.h"
#include "engine/model/files/json_at.h"
#include "engine/model/files/weight_files.h"
#include "engine/model/find_models.h"
#include "engine/model/gguf/gguf_config.h"
#include "engine/model/gguf/gguf_tokenizer.h"
#include "engine/model/gguf/gguf_weights.h"
#include "engine/model/language_part.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostStopTokens = 256;
constexpr size_t kMostSuppressed = 10'000;  // most entries of suppress_tokens, and of bad_words_ids

// The family that the config's model_type names; without a model_type, the first family. Throws for
// an unknown one.
const Family& family_of(const JsonAt& root) {
  if (!root.has("model_type")) return families().front();
  const JsonAt type = root["model_type"];
  std::vector<std::string> known;
  for (const Family& family : families()) {
    if (std::ranges::find(family.model_types, type.text()) != family.model_types.end())
      return family;
    known.insert(known.end(), family.model_types.begin(), family.model_types.end());
  }
  std::ranges::copy(types_with_language_part(), std::back_inserter(known));
  refuse_type(root, known);
}

void refuse_quantised(const JsonAt& root) {
  if (root.has("quantization_config"))
    root["quantization_config"].not_supported(
        "quantised weights are not supported", "a quantization_config",
        "f64, f32, f16 or bf16 weights", "Use the model's unquantised weights");
}

std::vector<int32_t> stop_tokens_of(const JsonAt& root, int64_t vocab_size) {
  std::vector<int32_t> tokens;
  if (!root.has("eos_token_id")) return tokens;
  const JsonAt eos = root["eos_token_id"];
  const auto take = [&](const JsonAt& at) {
    const auto token = static_cast<int32_t>(at.whole(0, vocab_size - 1));
    if (std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
  };
  if (!eos.json().is_array()) take(eos);
  if (eos.json().is_array() && eos.size() > kMostStopTokens)
    eos.refuse("too many tokens that end a text", fmt::format("{}", eos.size()),
               fmt::format("at most {}", kMostStopTokens));
  for (size_t i = 0; eos.json().is_array() && i < eos.size(); ++i) take(eos.item(i));
  return tokens;
}

template <class Each>
void for_each_of(const JsonAt& root, const char* key, const Each& each) {
  if (!root.has(key)) return;
  const JsonAt list = root[key];
  list.expect_array();
  if (list.size() > kMostSuppressed)
    list.refuse("list is too long", fmt::format("{}", list.size()),
                fmt::format("at most {}", kMostSuppressed));
  for (size_t i = 0; i < list.size(); ++i) each(list.item(i));
}

// The tokens that are never generated: those in "suppress_tokens", and those in "bad_words_ids"
// that are a word by themselves and do not end a text.
std::vector<int32_t> suppressed_tokens_of(const JsonAt& root, int64_t vocab_size,
                                          const std::vector<int32_t>& stop_tokens) {
  std::set<int32_t> tokens;
  const auto id_of = [&](const JsonAt& at) {
    return static_cast<int32_t>(at.whole(0, vocab_size - 1));
  };
  for_each_of(root, "bad_words_ids", [&](const JsonAt& word) {
    word.expect_array();
    if (word.size() == 0) word.refuse("word has no tokens", "[]", "a list of token ids");
    if (word.size() != 1) return;
    const int32_t token = id_of(word.item(0));
    if (std::ranges::find(stop_tokens, token) == stop_tokens.end()) tokens.insert(token);
  });
  for_each_of(root, "suppress_tokens", [&](const JsonAt& at) { tokens.insert(id_of(at)); });
  return {tokens.begin(), tokens.end()};
}

// A sentence about those of these ignored keys that would change the tokens chosen; "": there are
// none.
std::string ignored_choices(const JsonAt& root, const char* file) {
  struct Key {
    const char* name;
    nlohmann::json without_effect;  // the value that changes nothing; null: there is none
  };
  static const Key keys[] = {{"forced_bos_token_id", {}},
                             {"forced_eos_token_id", {}},
                             {"forced_decoder_ids", {}},
                             {"begin_suppress_tokens", {}},
                             {"no_repeat_ngram_size", 0},
                             {"encoder_no_repeat_ngram_size", 0},
                             {"repetition_penalty", 1},
                             {"encoder_repetition_penalty", 1},
                             {"min_length", 0},
                             {"min_new_tokens", 0},
                             {"num_beams", 1}};
  std::vector<const char*> found;
  const auto has_several = [](const nlohmann::json& word) {
    return word.is_array() && word.size() > 1;
  };
  if (const char* key = "bad_words_ids";
      root.has(key) && std::ranges::any_of(root[key].json(), has_several))
    found.push_back("bad_words_ids of several tokens");
  for (const Key& key : keys) {
    if (!root.has(key.name)) continue;
    const JsonAt at = root[key.name];
    const nlohmann::json& value = at.json();
    if (value != key.without_effect && !(value.is_array() && value.empty()))
      found.push_back(key.name);
  }
  if (found.empty()) return "";
  return fmt::format("{} has {}, which {} ignored: tokens are chosen as if {} not there.", file,
                     fmt::join(found, ", "), found.size() == 1 ? "is" : "are",
                     found.size() == 1 ? "it were" : "they were");
}

std::string name_of_model(const fs::path& path) {
  std::error_code error;
  fs::path named = path.filename().empty() ? path.parent_path() : path;
  if (named.filename() == "." || named.filename() == "..")
    named = fs::weakly_canonical(named, error);
  if (named.extension() == ".gguf") return named.stem().string();
  const std::string label = model_label(named);  // may be owner/name
  return label.substr(label.rfind('/') + 1);
}

// Whether the path is a file that begins as GGUF files do, or whose name ends in .gguf.
bool is_gguf_path(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) &&
         (path.extension() == ".gguf" || GgufFile::is_gguf(path));
}

// What is read of a model's folder or file before the numbers of its weights. `model`, `tokenizer`
// and `reader` are empty where a problem does not allow them.
class OpenedModel {
 public:
  OpenedModel(const fs::path& path, int64_t available) : path_(path) {
    if (is_gguf_path(path_))
      open_file();
    else if (is_folder())
      open_folder();
    if (!model) return;
    check_vocabulary();
    if (weights_) check_weights(available);
  }
  OpenedModel(const OpenedModel&) = delete;  // `weights_` may refer to `file_`
  OpenedModel& operator=(const OpenedModel&) = delete;

  ModelCheck check;
  std::unique_ptr<Model> model;
  std::optional<Tokenizer> tokenizer;
  std::optional<TensorReader> reader;

 private:
  bool is_folder() {
    const std::string found = why_no_folder(path_);
    if (found.empty()) return true;
    const bool forbidden = is_forbidden(path_);
    check.problems.add({forbidden ? ErrorCode::kFailed : ErrorCode::kBadInput,
                        {forbidden          ? "model folder cannot be read"
                         : has_entry(path_) ? "this is not a model folder"
                                            : "model folder is missing",
                         path_.string(), found,
                         "a folder with config.json, model.safetensors and tokenizer.json, or a "
                         "GGUF file",
                         forbidden ? "Give this user the rights to read and enter it, and to enter "
                                     "every folder above it"
                                   : ""}});
    return false;
  }

  void open_folder() {
    read_configs();
    check.problems.holds([&] { tokenizer = tokenizer_of_folder(path_); });
    check.problems.holds(
        [&] { weights_ = std::make_unique<WeightFiles>(WeightFiles::open(path_)); });
    if (weights_ && is_part_) weights_ = std::make_unique<LanguageWeights>(std::move(weights_));
  }

  void open_file() {
    Problems& problems = check.problems;
    if (!problems.holds([&] { file_ = GgufFile::open(path_); })) return;
    const std::string& name = file_->metadata().file();
    problems.holds([&] { tokenizer = gguf_tokenizer(*file_); });
    const GgufArchitecture* architecture = nullptr;
    if (!problems.holds([&] { architecture = &architecture_of(*file_); })) return;
    Problems of_config;
    GgufConfig config = config_of(*file_, *architecture, of_config);
    const TakenApart apart(config.json);
    problems.add_all(of_config);
    if (!of_config.empty()) return;  // make_model() would report their consequences
    check.stop_tokens = std::move(config.stop_tokens);
    const JsonAt root(config.json, name + ", its metadata as config.json");
    make_model(root, root);
    weights_ = std::make_unique<GgufWeights>(*file_, *architecture, config.heads);
  }

  nlohmann::json document_of(const char* name) const {
    return parse_json(read_text_file(path_ / name, kMostConfigBytes), name,
                      {.max_bytes = kMostConfigBytes, .max_values = kMostConfigValues});
  }

  void read_configs() {
    const char* const main = "config.json";
    const char* const generation = "generation_config.json";
    Problems& problems = check.problems;
    nlohmann::json config;
    const TakenApart apart(config);
    if (!problems.holds([&] { config = document_of(main); })) return;
    const JsonAt whole(config, main);
    std::optional<std::string> part;  // a sentence, if only the language part is read
    if (!problems.holds([&] {
          whole.expect_object();
          part = complete_language_part(config, main);
        }))
      return;
    is_part_ = part.has_value();
    const JsonAt root = is_part_ ? whole["text_config"] : whole;
    make_model(root, whole);
    if (part) check.notes.push_back(*std::move(part));
    // Where there is a generation_config.json, it alone says how tokens are chosen and which ones
    // end a text, even when it names none.
    problems.holds([&] {
      nlohmann::json other;
      const TakenApart other_apart(other);
      const bool has_other = has_entry(path_ / generation);
      if (has_other) {
        other = document_of(generation);
        JsonAt(other, generation).expect_object();
      }
      if (!model) return;
      const JsonAt says = has_other ? JsonAt(other, generation) : root;
      const int64_t vocab_size = model->shape().vocab_size;
      if (std::string note = ignored_choices(says, has_other ? generation : main); !note.empty())
        check.notes.push_back(std::move(note));
      if (const char* key = "decoder_start_token_id"; model->decoder_start() && says.has(key))
        model->set_decoder_start(static_cast<int32_t>(says[key].whole(0, vocab_size - 1)));
      check.stop_tokens = stop_tokens_of(says, vocab_size);
      check.suppressed_tokens = suppressed_tokens_of(says, vocab_size, check.stop_tokens);
    });
  }

  // `root`: the config of the network to make. `whole`: the whole config, of which `root` is a part
  // or all.
  void make_model(const JsonAt& root, const JsonAt& whole) {
    const Family* family = nullptr;
    const bool is_known = check.problems.holds([&] { family = &family_of(root); });
    const bool is_plain = check.problems.holds([&] {
      refuse_quantised(whole);
      refuse_quantised(root);
    });
    if (!is_known) return;
    check.type = root.has("model_type") ? root["model_type"].text() : family->model_types.front();
    ConfigReader config(root, check.type, check.problems);
    model = family->make(config);
    if (!is_plain) model = nullptr;  // the files of a quantised model have other tensors
    if (!model) return;
    model->set_name(name_of_model(path_));
    check.shape = model->shape();
    check.notes = config.notes();
  }

  // Only the tokenizer's vocabulary without added tokens must fit into the embedding. An added
  // token past vocab_size is refused later, when a prompt contains it.
  void check_vocabulary() {
    const int64_t vocab_size = check.shape.vocab_size;
    if (!tokenizer || tokenizer->model_vocab_size() <= vocab_size) return;
    const std::string name = file_ ? file_->metadata().file() : vocabulary_file(path_);
    check.problems.add({ErrorCode::kBadInput,
                        {file_ ? "vocabulary does not fit the embedding"
                               : fmt::format("{} does not fit config.json", name),
                         name, fmt::format("{} tokens", tokenizer->model_vocab_size()),
                         fmt::format("at most {}, the vocab_size", vocab_size), ""}});
  }

  void check_weights(int64_t available) {
    model->take_weights(reader.emplace(*weights_));
    check.has_own_head = model->has_own_head();
    check.stored_bytes = reader->stored_bytes();
    check.element_types = reader->element_types();
    check.notes.insert(check.notes.end(), reader->notes().begin(), reader->notes().end());
    if (std::string unused = reader->unused(); !unused.empty())
      check.notes.push_back(std::move(unused));
    Problems problems;
    reader->check(problems);
    check.problems.add_all(problems);
    if (!problems.empty()) return;
    check.num_parameters = reader->num_parameters();
    check.needed_bytes = reader->needed_bytes();
    check.problems.holds([&] {
      ask_memory({.bytes = static_cast<double>(check.needed_bytes),
                  .what = "the model does not fit in memory",
                  .where = check.shape.name,
                  .found = fmt::format("{} while it is loaded; its weights have {} in the files",
                                       bytes_text(static_cast<double>(check.needed_bytes)),
                                       bytes_text(static_cast<double>(check.stored_bytes))),
                  .advice = "Use a smaller model, or close other programs"},
                 available);
    });
  }

  fs::path path_;
  bool is_part_ = false;  // the language model of a model that also reads pictures
  std::optional<GgufFile> file_;
  std::unique_ptr<WeightSource> weights_;
};

}  // namespace

ModelCheck check_model(const fs::path& path, int64_t available) {
  return OpenedModel(path, available).check;
}

Tokenizer load_tokenizer(const fs::path& path) {
  if (is_gguf_path(path)) return gguf_tokenizer(GgufFile::open(path));
  return tokenizer_of_folder(path);
}

std::unique_ptr<Model> load_model(const fs::path& path, const std::function<bool(double)>& progress,
                                  const std::function<void(const Model&, int64_t)>& before_weights,
                                  int64_t most_threads) {
  OpenedModel opened(path, available_memory_bytes());
  opened.check.problems.throw_if_any();
  opened.model->set_facts({.tokenizer = *std::move(opened.tokenizer),
                           .stop_tokens = std::move(opened.check.stop_tokens),
                           .suppressed_tokens = std::move(opened.check.suppressed_tokens),
                           .notes = std::move(opened.check.notes),
                           .num_parameters = opened.reader->num_parameters()});
  if (before_weights) before_weights(*opened.model, opened.check.needed_bytes);
  if (std::string bad = opened.reader->read(progress, most_threads); !bad.empty())
    opened.model->add_note(std::move(bad));
  return std::move(opened.model);
}

}  // namespace attn
