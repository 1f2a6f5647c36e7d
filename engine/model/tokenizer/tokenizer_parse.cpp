// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a Tokenizer from tokenizer.json. Every id and merge is checked here, so that encode and
// decode need not check them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/core/utf8.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {
namespace {

constexpr size_t kMaxPatternBytes = 4096;
constexpr size_t kMaxSteps = 1024;           // of a normaliser or decoder, in all its Sequences
constexpr size_t kMaxTemplateTokens = 4096;  // that the post-processor adds to a text
// Bytes of all added tokens together. Each byte may need a node of the matcher.
constexpr size_t kMaxAddedBytes = size_t{1} << 20;

}  // namespace

class TokenizerParser {
 public:
  TokenizerParser(const nlohmann::json& document, const std::string& where)
      : root_(document, where) {}

  Tokenizer parse() {
    root_.expect_object();
    read_model(root_["model"]);
    read_added_tokens();
    check_dense();
    read_merges(root_["model"]["merges"]);
    if (root_.has("normalizer")) read_normalizer(root_["normalizer"], 0);
    if (root_.has("pre_tokenizer")) read_pre_tokenizer(root_["pre_tokenizer"]);
    if (root_.has("post_processor")) read_post_processor(root_["post_processor"], 0);
    if (root_.has("decoder")) {
      result_.has_decoder_ = true;
      read_decoder(root_["decoder"], 0);
    }
    // "truncation" and "padding" are not read: they are the caller's choice, as in transformers.
    build_matchers();
    return std::move(result_);
  }

 private:
  static std::string kind_of(const JsonAt& at) {
    return at.has("type") ? quote_text(at["type"].text()) : "no type";
  }

  void read_model(const JsonAt& model) {
    model.expect_object();
    // Old files have no "type"; of the models only BPE has merges.
    if (model.has("type") ? model["type"].text() != "BPE" : !model.has("merges"))
      model.not_supported("tokenizer model is not supported", kind_of(model), "\"BPE\"");
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
      if (model.has(key) && !model[key].text().empty())
        model[key].not_supported("tokenizer option is not supported", model[key].shown(), "null");
    if (model.has("dropout") && model["dropout"].number(0, 1) != 0)
      model["dropout"].not_supported("tokenizer option is not supported", model["dropout"].shown(),
                                     "null");
    const auto flag = [&](const char* key) { return model.has(key) && model[key].boolean(); };
    result_.model_.byte_fallback = flag("byte_fallback");
    result_.model_.fuse_unknown = flag("fuse_unk");
    result_.model_.ignore_merges = flag("ignore_merges");

    const JsonAt vocab = model["vocab"];
    vocab.expect_object();
    id_limit_ = vocab.size() + (root_.has("added_tokens") ? root_["added_tokens"].size() : 0);
    result_.model_.ids.reserve(vocab.size());
    for (const auto& [piece, value] : vocab.json().items()) {
      const bool is_whole = value.is_number_unsigned() &&
                            value.get<uint64_t>() < static_cast<uint64_t>(kMostVocabulary);
      if (!is_whole)
        vocab[piece].refuse("token id is not valid", vocab[piece].shown(),
                            fmt::format("0 to {}", kMostVocabulary - 1));
      take_id(value.get<int32_t>(), piece, [&, &name = piece] { return vocab[name]; });
      result_.model_.ids.emplace(piece, value.get<int32_t>());
    }
    result_.model_.byte_tokens.fill(-1);
    for (int byte = 0; byte < 256; ++byte)
      if (const auto id = result_.model_.ids.find(fmt::format("<0x{:02X}>", byte));
          id != result_.model_.ids.end())
        result_.model_.byte_tokens[static_cast<size_t>(byte)] = id->second;
    if (model.has("unk_token")) {
      const auto id = result_.model_.ids.find(model["unk_token"].text());
      if (id == result_.model_.ids.end())
        model["unk_token"].refuse("unknown-token is not in the vocabulary",
                                  model["unk_token"].shown(), "a token of $.model.vocab");
      result_.model_.unknown = id->second;
    }
  }

  // Gives the token `id` the text `piece`. at() returns the place in the file; only errors call it.
  template <class At>
  void take_id(int32_t id, const std::string& piece, At&& at) {
    const auto index = static_cast<size_t>(id);
    // Dense ids are smaller than the number of tokens in the file. The check also bounds the
    // memory.
    if (index >= id_limit_)
      at().refuse("token ids are not dense", fmt::format("{}", id),
                  fmt::format("0 to {}, each once", id_limit_ - 1));
    if (index >= taken_.size()) {
      taken_.resize(index + 1);
      result_.pieces_.resize(index + 1);
    }
    if (taken_[index])
      at().refuse("two tokens have the same id",
                  fmt::format("{} for {} and {}", id, quote_text(result_.pieces_[index]),
                              quote_text(piece)),
                  "each id once");
    taken_[index] = true;
    result_.pieces_[index] = piece;
  }

  void read_added_tokens() {
    if (!root_.has("added_tokens")) return;
    const JsonAt list = root_["added_tokens"];
    list.expect_array();
    for (size_t i = 0; i < list.size(); ++i) {
      const JsonAt at = list.item(i);
      const auto flag = [&](const char* key) { return at.has(key) && at[key].boolean(); };
      AddedToken token;
      token.id = static_cast<int32_t>(at["id"].whole(0, kMostVocabulary - 1));
      token.content = at["content"].text();
      token.special = flag("special");
      token.normalized = at.has("normalized") ? at["normalized"].boolean() : !token.special;
      token.strip_left = flag("lstrip");
      token.strip_right = flag("rstrip");
      if (flag("single_word"))
        at["single_word"].not_supported("added token option is not supported", "true", "false");
      if (token.content.empty() || token.content.size() > kMaxPatternBytes)
        at["content"].refuse("added token has no usable text", at["content"].shown(),
                             fmt::format("1 to {} bytes", kMaxPatternBytes));
      if (!result_.added_ids_.emplace(token.content, token.id).second)
        at["content"].refuse("added token is there twice", at["content"].shown(), "each once");
      const auto known = result_.model_.ids.find(token.content);
      if (known == result_.model_.ids.end())
        take_id(token.id, token.content, [&] { return at["id"]; });
      else if (known->second != token.id)
        at["id"].refuse("added token has another id in the vocabulary", at["id"].shown(),
                        fmt::format("{}", known->second));
      added_.push_back(std::move(token));
    }
  }

  void check_dense() {
    const auto gap = std::find(taken_.begin(), taken_.end(), false);
    if (gap != taken_.end())
      root_["model"]["vocab"].refuse("token ids are not dense",
                                     fmt::format("no token {}", gap - taken_.begin()),
                                     fmt::format("0 to {}, each once", taken_.size() - 1));
    result_.special_.assign(taken_.size(), false);
    for (const AddedToken& token : added_)
      if (token.special) result_.special_[static_cast<size_t>(token.id)] = true;
  }

  void read_merges(const JsonAt& merges) {
    merges.expect_array();
    const TokenIds& ids = result_.model_.ids;
    result_.model_.merges = MergeTable(merges.size());
    const auto id_of = [&](std::string_view piece, size_t rank) {
      const auto found = ids.find(piece);
      if (found == ids.end())
        merges.item(rank).refuse("merge of an unknown token", quote_text(piece),
                                 "tokens of $.model.vocab");
      return found->second;
    };
    std::string joined;
    for (size_t rank = 0; rank < merges.size(); ++rank) {
      const nlohmann::json& merge = merges.json()[rank];
      std::string_view left, right;
      if (merge.is_string()) {
        const std::string& text = merge.get_ref<const std::string&>();
        const size_t space = text.find(' ');
        if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos) {
          left = std::string_view(text).substr(0, space);
          right = std::string_view(text).substr(space + 1);
        }
      } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
                 merge[1].is_string()) {
        left = merge[0].get_ref<const std::string&>();
        right = merge[1].get_ref<const std::string&>();
      }
      if (left.empty() || right.empty())
        merges.item(rank).refuse("merge is not a pair", merges.item(rank).shown(),
                                 "\"left right\" or [left, right]");
      const int32_t left_id = id_of(left, rank), right_id = id_of(right, rank);
      joined.assign(left).append(right);
      result_.model_.merges.set(left_id, right_id,
                                {static_cast<uint32_t>(rank), id_of(joined, rank)});
    }
  }

  static void check_depth(const JsonAt& at, int depth) {
    if (depth >= Tokenizer::kMaxSequences)
      at.refuse("sequences are nested too deep",
                fmt::format("more than {}", Tokenizer::kMaxSequences),
                fmt::format("at most {}", Tokenizer::kMaxSequences));
  }

  static void check_steps(const JsonAt& at, size_t steps) {
    if (steps >= kMaxSteps)
      at.refuse("too many steps", fmt::format("more than {}", kMaxSteps),
                fmt::format("at most {}", kMaxSteps));
  }

  // Reads {"pattern": {"String": ...}, "content": ...} of a Replace.
  static void read_replace(const JsonAt& at, std::string& pattern, std::string& content) {
    const JsonAt from = at["pattern"];
    if (!from.has("String"))
      from.not_supported("pattern is not supported",
                         from.has("Regex") ? "a regular expression" : from.shown(),
                         "a plain string");
    pattern = from["String"].text();
    content = at["content"].text();
    if (pattern.empty() || pattern.size() > kMaxPatternBytes || content.size() > kMaxPatternBytes)
      at.refuse("pattern has no usable length",
                fmt::format("{} and {} bytes", pattern.size(), content.size()),
                fmt::format("1 to {} bytes", kMaxPatternBytes));
  }

  template <class Each>
  static void each_of(const JsonAt& at, const char* key, int depth, Each&& each) {
    check_depth(at, depth);
    const JsonAt list = at[key];
    list.expect_array();
    for (size_t i = 0; i < list.size(); ++i) each(list.item(i));
  }

  void read_normalizer(const JsonAt& at, int depth) {
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    Tokenizer::NormalizeStep step;
    if (type == "Sequence")
      return each_of(at, "normalizers", depth,
                     [&](const JsonAt& item) { read_normalizer(item, depth + 1); });
    check_steps(at, result_.normalize_.size());
    if (type == "Prepend") {
      step.is_prepend = true;
      step.content = at["prepend"].text();
      if (step.content.size() > kMaxPatternBytes)
        at["prepend"].refuse("text to prepend is too long",
                             fmt::format("{} bytes", step.content.size()),
                             fmt::format("at most {} bytes", kMaxPatternBytes));
    } else if (type == "Replace") {
      read_replace(at, step.pattern, step.content);
    } else {
      kind.not_supported("normalizer is not supported", quote_text(type),
                         "Sequence, Prepend, Replace");
    }
    result_.normalize_.push_back(std::move(step));
  }

  static Metaspace read_metaspace(const JsonAt& at) {
    Metaspace metaspace;
    metaspace.mark = at["replacement"].text();
    if (metaspace.mark.empty() || first_char(metaspace.mark).bytes != metaspace.mark.size())
      at["replacement"].refuse("not one character", at["replacement"].shown(), "one character");
    if (at.has("prepend_scheme")) {
      const JsonAt named = at["prepend_scheme"];
      const std::string& scheme = named.text();
      if (scheme == "first")
        metaspace.prepend = Metaspace::Prepend::kFirst;
      else if (scheme == "never")
        metaspace.prepend = Metaspace::Prepend::kNever;
      else if (scheme != "always")
        named.refuse("scheme is unknown", quote_text(scheme), "always, first, never");
    }
    // The older key; the library only checks that it does not contradict prepend_scheme.
    if (at.has("add_prefix_space") && !at["add_prefix_space"].boolean() &&
        metaspace.prepend != Metaspace::Prepend::kNever)
      at["add_prefix_space"].refuse("add_prefix_space contradicts prepend_scheme", "false",
                                    "true, or prepend_scheme \"never\"");
    if (at.has("split")) metaspace.split = at["split"].boolean();
    return metaspace;
  }

  void read_pre_tokenizer(const JsonAt& at) {
    at.expect_object();
    if (!at.has("type") || at["type"].text() != "Metaspace")
      at.not_supported("pre-tokenizer is not supported", kind_of(at), "null or Metaspace");
    result_.metaspace_ = read_metaspace(at);
  }

  void read_decoder(const JsonAt& at, int depth) {
    using Kind = Tokenizer::DecodeStep::Kind;
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    Tokenizer::DecodeStep step;
    if (type == "Sequence")
      return each_of(at, "decoders", depth,
                     [&](const JsonAt& item) { read_decoder(item, depth + 1); });
    check_steps(at, result_.decode_.size());
    if (type == "Replace") {
      step.kind = Kind::kReplace;
      read_replace(at, step.pattern, step.content);
    } else if (type == "ByteFallback") {
      step.kind = Kind::kByteFallback;
    } else if (type == "Fuse") {
      step.kind = Kind::kFuse;
    } else if (type == "Strip") {
      step.kind = Kind::kStrip;
      step.content = at["content"].text();
      step.start = at["start"].whole(0, INT32_MAX);
      step.stop = at["stop"].whole(0, INT32_MAX);
      if (step.content.empty() || first_char(step.content).bytes != step.content.size())
        at["content"].refuse("not one character", at["content"].shown(), "one character");
    } else if (type == "Metaspace") {
      const Metaspace metaspace = read_metaspace(at);
      step.kind = Kind::kMetaspace;
      step.pattern = metaspace.mark;
      step.content = " ";
      step.drops_first = metaspace.prepend != Metaspace::Prepend::kNever;
    } else {
      kind.not_supported("decoder is not supported", quote_text(type),
                         "Sequence, Replace, ByteFallback, Fuse, Strip, Metaspace");
    }
    result_.decode_.push_back(std::move(step));
  }

  void read_post_processor(const JsonAt& at, int depth) {
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    if (type == "Sequence")
      return each_of(at, "processors", depth,
                     [&](const JsonAt& item) { read_post_processor(item, depth + 1); });
    if (type != "TemplateProcessing")
      kind.not_supported("post-processor is not supported", quote_text(type),
                         "Sequence, TemplateProcessing");
    const JsonAt single = at["single"];
    single.expect_array();
    std::vector<int32_t> before, after;
    bool seen_text = false;
    for (size_t i = 0; i < single.size(); ++i) {
      const JsonAt item = single.item(i);
      if (item.has("Sequence")) {
        if (item["Sequence"]["id"].text() != "A" || seen_text)
          item.not_supported("template is not supported", "a second text", "one text, A");
        seen_text = true;
        continue;
      }
      const JsonAt ids = at["special_tokens"][item["SpecialToken"]["id"].text()]["ids"];
      ids.expect_array();
      // The template may name one list of ids very often.
      if (ids.size() > kMaxTemplateTokens - std::min(kMaxTemplateTokens, template_tokens_))
        item.refuse("template adds too many tokens",
                    fmt::format("more than {}", kMaxTemplateTokens),
                    fmt::format("at most {}", kMaxTemplateTokens));
      template_tokens_ += ids.size();
      for (size_t j = 0; j < ids.size(); ++j)
        (seen_text ? after : before)
            .push_back(static_cast<int32_t>(ids.item(j).whole(0, result_.vocab_size() - 1)));
    }
    if (!seen_text) single.refuse("template has no text", "no Sequence A", "one Sequence A");
    // The tokens of a later processor go around those of an earlier one.
    result_.template_before_.insert(result_.template_before_.begin(), before.begin(), before.end());
    result_.template_after_.insert(result_.template_after_.end(), after.begin(), after.end());
  }

  void build_matchers() {
    size_t bytes = 0;
    for (size_t i = 0; i < added_.size(); ++i) {
      const AddedToken& token = added_[i];
      const std::string text = token.normalized ? result_.normalize(token.content) : token.content;
      bytes += text.size();
      if (bytes > kMaxAddedBytes)
        root_["added_tokens"].item(i).refuse("added tokens are too long",
                                             fmt::format("more than {} bytes", kMaxAddedBytes),
                                             fmt::format("{} bytes in all", kMaxAddedBytes));
      (token.normalized ? result_.normalized_matcher_ : result_.raw_matcher_).add(text, token);
    }
  }

  JsonAt root_;
  Tokenizer result_;
  size_t id_limit_ = 0;  // number of tokens in the file
  size_t template_tokens_ = 0;
  std::vector<bool> taken_;  // [id]
  std::vector<AddedToken> added_;
};

Tokenizer Tokenizer::parse(std::string_view json, const std::string& where) {
  nlohmann::json document = parse_json(json, where, kLimits);
  const TakenApart apart(document);
  return from_json(document, where);
}

Tokenizer Tokenizer::from_json(const nlohmann::json& document, const std::string& where) {
  return TokenizerParser(document, where).parse();
}

Tokenizer Tokenizer::load(const std::filesystem::path& file) {
  return parse(read_text_file(file, JsonLimits{}.max_bytes), file.filename().string());
}

}  // namespace attn
