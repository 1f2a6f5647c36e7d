// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/tokenizer_parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/core/utf8.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/steps/read_steps.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

constexpr size_t kMaxTemplateTokens = 4096;  // of the post-processor; a pair counts as one
constexpr double kMemoryOfPieceByte = 64;
// The most bytes of all added tokens together. Each byte may need a node of the matcher.
constexpr size_t kMaxAddedBytes = size_t{1} << 20;

// Computes a score anew from its decimal digits where they are few enough, as a whole number
// divided by a power of ten. The result may differ from `value` in the last bit.
double score_of(double value) {
  const std::string shortest = fmt::format("{}", value);
  const size_t point = shortest.find('.');
  if (!std::isfinite(value) || point == std::string::npos ||
      shortest.find('e') != std::string::npos)
    return value;
  std::string whole = shortest;
  whole.erase(point, 1);
  const bool is_negative = whole.starts_with('-');
  if (is_negative) whole.erase(0, 1);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
  const size_t places = shortest.size() - point - 1;
  if (error != std::errc{} || end != whole.data() + whole.size() || places > 22) return value;
  double power = 1;
  for (size_t i = 0; i < places; ++i) power *= 10;  // exact up to 10^22
  const double magnitude = static_cast<double>(number) / power;
  return is_negative ? -magnitude : magnitude;
}

// The ids and merges of the file are checked here, not when texts are encoded or decoded.
class TokenizerParser {
 public:
  TokenizerParser(const nlohmann::json& document, const std::string& where)
      : root_(document, where) {}

  TokenizerParts parse() {
    root_.expect_object();
    read_model(root_["model"]);
    read_added_tokens();
    check_dense();
    finish_model(root_["model"]);
    if (root_.has("normalizer")) result_.normalizer = read_normalizer(root_["normalizer"]);
    if (root_.has("pre_tokenizer"))
      result_.pre_tokenizer = read_pre_tokenizer(root_["pre_tokenizer"]);
    if (root_.has("post_processor")) read_post_processor(root_["post_processor"], 0);
    if (root_.has("decoder")) result_.decoder = read_decoder(root_["decoder"]);
    // "truncation" and "padding" are not read: they are the caller's choice.
    build_matchers();
    return std::move(result_);
  }

 private:
  static std::string kind_of(const JsonAt& at) {
    return at.has("type") ? quote_text(at["type"].text()) : "no type";
  }

  // Reads the kind of the model and its vocabulary. finish_model() reads the rest.
  void read_model(const JsonAt& model) {
    model.expect_object();
    type_ = kind_of_model(model);
    const JsonAt vocab = model["vocab"];
    id_limit_ = vocab.size() + (root_.has("added_tokens") ? root_["added_tokens"].size() : 0);
    result_.model_ids.reserve(vocab.size());
    if (type_ == "Unigram")
      read_scored_vocabulary(vocab);
    else
      read_vocabulary(vocab);
    result_.model_vocab_size =
        static_cast<int64_t>(type_ == "Unigram" ? result_.pieces.size() : result_.model_ids.size());
  }

  // Old files have no "type". What they have besides the vocabulary tells their kind.
  static std::string kind_of_model(const JsonAt& model) {
    std::string type = model.has("type")                       ? model["type"].text()
                       : model.has("merges")                   ? "BPE"
                       : model.has("max_input_chars_per_word") ? "WordPiece"
                       : model.has("unk_id")                   ? "Unigram"
                                                               : "";
    if (type != "BPE" && type != "WordPiece" && type != "Unigram" && type != "WordLevel")
      model.not_supported("tokenizer model is not supported", kind_of(model),
                          "\"BPE\", \"WordPiece\", \"Unigram\", \"WordLevel\"");
    return type;
  }

  void read_vocabulary(const JsonAt& vocab) {
    vocab.expect_object();
    for (const auto& [piece, value] : vocab.json().items()) {
      const bool is_whole = value.is_number_unsigned() &&
                            value.get<uint64_t>() < static_cast<uint64_t>(kMostVocabulary);
      if (!is_whole)
        vocab[piece].refuse("token id is not valid", vocab[piece].shown(),
                            fmt::format("0 to {}", kMostVocabulary - 1));
      take_id(value.get<int32_t>(), piece, [&, &name = piece] { return vocab[name]; });
      result_.model_ids.emplace(piece, value.get<int32_t>());
    }
  }

  // A list of [piece, score]; the place in it is the id.
  void read_scored_vocabulary(const JsonAt& vocab) {
    vocab.expect_array();
    if (vocab.size() > static_cast<size_t>(kMostVocabulary))
      vocab.refuse("too many tokens", fmt::format("{}", vocab.size()),
                   fmt::format("at most {}", kMostVocabulary));
    scores_.reserve(vocab.size());
    for (size_t i = 0; i < vocab.size(); ++i) {
      const nlohmann::json& entry = vocab.json()[i];
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
        vocab.item(i).refuse("token has no text and score", vocab.item(i).shown(),
                             "[text, number]");
      const auto& piece = entry[0].get_ref<const std::string&>();
      if (piece.size() > kMostPieceBytes)
        vocab.item(i).refuse("token is too long", fmt::format("{} bytes", piece.size()),
                             fmt::format("at most {} bytes", kMostPieceBytes));
      const auto id = static_cast<int32_t>(i);
      take_id(id, piece, [&] { return vocab.item(i); });
      result_.model_ids.insert_or_assign(piece, id);  // of equal pieces the last one counts
      scores_.push_back(score_of(entry[1].get<double>()));
    }
  }

  void finish_model(const JsonAt& model) {
    if (type_ == "BPE")
      result_.model = read_bpe(model);
    else if (type_ == "WordPiece")
      result_.model = read_word_piece(model);
    else if (type_ == "Unigram")
      result_.model = read_unigram(model);
    else
      result_.model = WordLevelModel{.unknown = unknown_token(model)};
  }

  BpeModel read_bpe(const JsonAt& model) {
    BpeModel bpe;
    if (model.has("dropout") && model["dropout"].number(0, 1) != 0)
      model["dropout"].not_supported("tokenizer option is not supported", model["dropout"].shown(),
                                     "null");
    const auto flag = [&](const char* key) { return model.has(key) && model[key].boolean(); };
    bpe.byte_fallback = flag("byte_fallback");
    bpe.fuse_unknown = flag("fuse_unk");
    bpe.ignore_merges = flag("ignore_merges");
    const auto affix = [&](const char* key) {
      if (!model.has(key)) return std::string();
      if (model[key].text().size() > kMaxPatternBytes)
        model[key].refuse("text is too long", fmt::format("{} bytes", model[key].text().size()),
                          fmt::format("at most {} bytes", kMaxPatternBytes));
      return model[key].text();
    };
    bpe.prefix = affix("continuing_subword_prefix");
    bpe.suffix = affix("end_of_word_suffix");
    bpe.byte_tokens = byte_tokens();
    if (model.has("unk_token")) bpe.unknown = unknown_token(model);
    read_merges(model["merges"], bpe);
    return bpe;
  }

  // Checks that memory suffices for the trees of WordPiece and Unigram, which may need a node for
  // each byte of a token.
  void ask_for_trees(const JsonAt& model) const {
    double bytes = 0;
    for (const auto& [piece, id] : result_.model_ids) bytes += static_cast<double>(piece.size());
    ask_memory({.bytes = kMemoryOfPieceByte * bytes,
                .what = "vocabulary does not fit in memory",
                .where = model["vocab"].place(),
                .found = fmt::format("{} bytes of tokens x {}", bytes, kMemoryOfPieceByte),
                .advice = ""});
  }

  WordPieceModel read_word_piece(const JsonAt& model) {
    WordPieceModel words;
    words.unknown = unknown_token(model);
    words.most_characters =
        static_cast<size_t>(model["max_input_chars_per_word"].whole(0, INT32_MAX));
    const std::string prefix = model["continuing_subword_prefix"].text();
    std::vector<std::pair<std::string_view, int32_t>> whole, continued;
    for (const auto& [piece, id] : result_.model_ids) {
      if (piece.size() > kMostPieceBytes)
        model["vocab"][piece].refuse("token is too long", fmt::format("{} bytes", piece.size()),
                                     fmt::format("at most {} bytes", kMostPieceBytes));
      whole.emplace_back(piece, id);
      if (piece.starts_with(prefix))
        continued.emplace_back(std::string_view(piece).substr(prefix.size()), id);
    }
    ask_for_trees(model);
    words.pieces = PieceTrie(std::move(whole));
    words.continued = PieceTrie(std::move(continued));
    return words;
  }

  UnigramModel read_unigram(const JsonAt& model) {
    UnigramModel unigram;
    std::vector<std::pair<std::string_view, int32_t>> pieces;
    for (const auto& [piece, id] : result_.model_ids) pieces.emplace_back(piece, id);
    ask_for_trees(model);
    unigram.trie = PieceTrie(std::move(pieces));
    unigram.scores = std::move(scores_);
    unigram.least_score = unigram.scores.empty()
                              ? 0
                              : *std::min_element(unigram.scores.begin(), unigram.scores.end());
    if (model.has("unk_id"))
      unigram.unknown =
          static_cast<int32_t>(model["unk_id"].whole(0, result_.model_vocab_size - 1));
    unigram.byte_fallback = model.has("byte_fallback") && model["byte_fallback"].boolean();
    unigram.byte_tokens = byte_tokens();
    return unigram;
  }

  std::array<int32_t, 256> byte_tokens() const {
    std::array<int32_t, 256> tokens;
    tokens.fill(-1);
    for (size_t byte = 0; byte < tokens.size(); ++byte)
      if (const auto id = result_.model_ids.find(fmt::format("<0x{:02X}>", byte));
          id != result_.model_ids.end())
        tokens[byte] = id->second;
    return tokens;
  }

  int32_t unknown_token(const JsonAt& model) const {
    const JsonAt named = model["unk_token"];
    const auto id = result_.model_ids.find(named.text());
    if (id == result_.model_ids.end())
      named.refuse("unk_token is not in the vocabulary", named.shown(), "a token of $.model.vocab");
    return id->second;
  }

  // Gives the token `id` the text `piece`. at() returns the place in the file; only errors call it.
  template <class At>
  void take_id(int32_t id, const std::string& piece, At&& at) {
    const auto index = static_cast<size_t>(id);
    // This check also bounds the memory.
    if (index >= id_limit_)
      at().refuse("token ids are not dense", fmt::format("{}", id),
                  fmt::format("0 to {}, each once", id_limit_ - 1));
    if (index >= taken_.size()) {
      taken_.resize(index + 1);
      result_.pieces.resize(index + 1);
    }
    if (taken_[index])
      at().refuse(
          "two tokens have the same id",
          fmt::format("{} for {} and {}", id, quote_text(result_.pieces[index]), quote_text(piece)),
          "each id once");
    taken_[index] = true;
    result_.pieces[index] = piece;
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
      token.single_word = flag("single_word");
      if (token.content.empty() || token.content.size() > kMaxPatternBytes)
        at["content"].refuse("added token has no usable text", at["content"].shown(),
                             fmt::format("1 to {} bytes", kMaxPatternBytes));
      if (!result_.added_ids.emplace(token.content, token.id).second)
        at["content"].refuse("added token is there twice", at["content"].shown(), "each once");
      const auto known = result_.model_ids.find(token.content);
      if (known == result_.model_ids.end())
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
    result_.special.assign(taken_.size(), false);
    for (const AddedToken& token : added_)
      if (token.special) result_.special[static_cast<size_t>(token.id)] = true;
  }

  void read_merges(const JsonAt& merges, BpeModel& bpe) {
    merges.expect_array();
    const TokenIds& ids = result_.model_ids;
    bpe.merges = MergeTable(merges.size());
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
      if (!right.starts_with(bpe.prefix))
        merges.item(rank).refuse("merge has a right half without the prefix", quote_text(right),
                                 fmt::format("{} in front", quote_text(bpe.prefix)));
      joined.assign(left).append(right.substr(bpe.prefix.size()));
      const int32_t token = id_of(joined, rank);
      bpe.merges.set(left_id, right_id, {static_cast<uint32_t>(rank), token});
      bpe.joints.add(left_id, right_id, token);
    }
    bpe.joints.finish();
  }

  void read_post_processor(const JsonAt& at, int depth) {
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    if (type == "Sequence")
      return for_each_in_sequence(at, "processors", depth, [&](const JsonAt& item, int inner) {
        read_post_processor(item, inner);
      });
    if (type == "ByteLevel") return;  // changes offsets only
    if (type == "BertProcessing" || type == "RobertaProcessing")
      return read_pair_of_tokens(at["cls"], at["sep"]);
    if (type != "TemplateProcessing")
      kind.not_supported(
          "post-processor is not supported", quote_text(type),
          "Sequence, TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel");
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
            .push_back(static_cast<int32_t>(ids.item(j).whole(0, last_id())));
    }
    if (!seen_text) single.refuse("template has no text", "no Sequence A", "one Sequence A");
    add_around(before, after);
  }

  // Reads two pairs such as ["[CLS]", 101]: the token before a text and the token behind it.
  void read_pair_of_tokens(const JsonAt& before, const JsonAt& after) {
    if (++template_tokens_ > kMaxTemplateTokens)
      before.refuse("template adds too many tokens",
                    fmt::format("more than {}", kMaxTemplateTokens),
                    fmt::format("at most {}", kMaxTemplateTokens));
    const auto id_of = [&](const JsonAt& at) {
      at.expect_array();
      if (at.size() != 2) at.refuse("not a token with its id", at.shown(), "[text, id]");
      return static_cast<int32_t>(at.item(1).whole(0, last_id()));
    };
    add_around({id_of(before)}, {id_of(after)});
  }

  int64_t last_id() const { return static_cast<int64_t>(result_.pieces.size()) - 1; }

  // The tokens of a later processor go around those of an earlier one.
  void add_around(const std::vector<int32_t>& before, const std::vector<int32_t>& after) {
    result_.template_before.insert(result_.template_before.begin(), before.begin(), before.end());
    result_.template_after.insert(result_.template_after.end(), after.begin(), after.end());
  }

  void build_matchers() {
    size_t bytes = 0;
    for (size_t i = 0; i < added_.size(); ++i) {
      const AddedToken& token = added_[i];
      std::string text = token.content;
      if (token.normalized) {
        size_t first = 0;
        result_.normalizer.apply(text, first);
        if (text != token.content) result_.normal_pieces[token.id] = text;
      }
      bytes += text.size();
      if (bytes > kMaxAddedBytes)
        root_["added_tokens"].item(i).refuse("added tokens are too long",
                                             fmt::format("more than {} bytes", kMaxAddedBytes),
                                             fmt::format("{} bytes in all", kMaxAddedBytes));
      (token.normalized ? result_.normalized_matcher : result_.raw_matcher).add(text, token);
    }
  }

  JsonAt root_;
  TokenizerParts result_;
  size_t id_limit_ = 0;  // tokens of the vocabulary and added ones; one in both counts twice
  size_t template_tokens_ = 0;
  std::string type_;            // of the model
  std::vector<double> scores_;  // [id], of a Unigram model
  std::vector<bool> taken_;     // [id]
  std::vector<AddedToken> added_;
};

}  // namespace

Tokenizer parse_tokenizer(std::string_view json, const std::string& where) {
  nlohmann::json document = parse_json(json, where, kTokenizerLimits);
  const TakenApart apart(document);
  return tokenizer_from_json(document, where);
}

Tokenizer tokenizer_from_json(const nlohmann::json& document, const std::string& where) {
  return Tokenizer(TokenizerParser(document, where).parse());
}

Tokenizer load_tokenizer_json(const std::filesystem::path& file) {
  return parse_tokenizer(read_text_file(file, JsonLimits{}.max_bytes), file.filename().string());
}

}  // namespace attn
