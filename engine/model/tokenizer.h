// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizer: `tokenizer.json` of the Llama kind: BPE with byte fallback, normaliser
// Prepend/Replace, pre-tokenizer Metaspace, decoder Replace/ByteFallback/Fuse/Strip/Metaspace, a
// template that adds special tokens. Ids equal those of the `tokenizers` library. What is not of
// this kind is refused by name (kNotSupported); a broken file is kBadInput with its JSON path. Any
// thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/model/bpe.h"

namespace attn {

// A token matched in the text before the model sees it: "<s>".
struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;      // left out by decode
  bool normalized = false;   // matched after the normaliser, not before
  bool strip_left = false;   // takes the white space before it
  bool strip_right = false;  // and after it
};

// Finds added tokens in text: the leftmost, and of those the longest. They are found first and
// take white space after that, so a token that begins in the white space of another is not lost.
class AddedTokenMatcher {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const { return nodes_.size() == 1; }
  // Calls on_text(piece) and on_token(id) from left to right; empty pieces are left out.
  template <class OnText, class OnToken>
  void split(std::string_view text, OnText&& on_text, OnToken&& on_token) const {
    size_t begin = 0;  // of the text that no token has taken
    Match match;
    for (size_t from = 0; next(text, from, match); from = match.end) {
      const size_t left = match.strip_left ? space_begin(text, begin, match.begin) : match.begin;
      if (begin < left) on_text(text.substr(begin, left - begin));
      on_token(match.id);
      begin = match.end;
      if (!match.strip_right) continue;
      // White space that an earlier token has walked through is not walked through again.
      if (begin > match.space_end) match.space_end = space_end(text, begin);
      begin = match.space_end;
    }
    if (begin < text.size()) on_text(text.substr(begin));
  }

 private:
  struct Match {
    size_t begin = 0, end = 0;
    int32_t id = -1;
    bool strip_left = false, strip_right = false;
    size_t space_end = 0;  // of the white space that a token has taken on its right
  };
  struct Node {
    std::unordered_map<char, uint32_t> children;
    int32_t token = -1;
    bool strip_left = false, strip_right = false;
  };
  bool next(std::string_view text, size_t from, Match& match) const;
  static size_t space_begin(std::string_view text, size_t low, size_t end);
  static size_t space_end(std::string_view text, size_t begin);
  std::vector<Node> nodes_{1};  // [0] is the root
};

// Spaces become visible marks, and a mark may go in front of a text.
struct Metaspace {
  enum class Prepend { kAlways, kFirst, kNever };  // kFirst: where the whole text begins
  Prepend prepend = Prepend::kAlways;
  std::string mark;   // one character, "\u2581" as a rule
  bool split = true;  // each mark begins a word of its own
};

class Tokenizer {
 public:
  static Tokenizer load(const std::filesystem::path& file);
  // The tokenizer of a Hugging Face folder: its tokenizer.json, or what the class LlamaTokenizer of
  // transformers 5 makes of it where the folder names that class.
  static Tokenizer load_folder(const std::filesystem::path& folder);
  static Tokenizer parse(std::string_view json, const std::string& where);

  int64_t vocab_size() const { return static_cast<int64_t>(pieces_.size()); }
  // Without the tokens that were only added to it.
  int64_t model_vocab_size() const { return static_cast<int64_t>(model_.ids.size()); }
  // Bytes that are not UTF-8 become byte tokens. With special tokens: the template's, "<s>" in
  // front.
  std::vector<int32_t> encode(std::string_view text, bool add_special_tokens = true) const;
  // Ids outside the vocabulary give no text.
  std::string decode(std::span<const int32_t> tokens, bool skip_special_tokens = true) const;
  // The text a token contributes, for labels: leading spaces, newline and tab kept, other
  // unprintable bytes as <0xHH>.
  std::string token_text(int32_t token) const;

  const std::string& piece(int32_t token) const {
    return pieces_[static_cast<size_t>(token)];
  }  // as in the file
  std::optional<int32_t> find(std::string_view piece) const;
  bool is_special(int32_t token) const;

 private:
  friend class TokenizerParser;
  struct NormalizeStep {
    bool is_prepend = false;  // else replace
    std::string pattern, content;
  };
  struct DecodeStep {
    enum class Kind { kReplace, kByteFallback, kFuse, kStrip, kMetaspace } kind = Kind::kFuse;
    std::string pattern, content;  // kStrip: content is one character; kMetaspace: the mark, " "
    int64_t start = 0, stop = 0;   // kStrip: how many at each end
    bool drops_first = false;      // kMetaspace: the marks of the first part become nothing
  };

  // Normalisers, decoders: sequences inside sequences. Each takes two levels of the file, which is
  // read deeper than that, so that too many of them are told as what they are.
  static constexpr int kMaxSequences = 32, kMaxDepth = 4 * kMaxSequences;
  static Tokenizer from_json(const nlohmann::json& document, const std::string& where);
  std::string normalize(std::string_view text) const;
  void encode_piece(std::string_view piece, bool is_first, std::vector<int32_t>& ids) const;
  void apply(const DecodeStep& step, std::vector<std::string>& parts) const;

  std::vector<std::string> pieces_;  // [id]
  std::vector<bool> special_;        // [id]
  BpeModel model_;
  TokenIds added_ids_;
  std::vector<NormalizeStep> normalize_;
  std::optional<Metaspace> metaspace_;
  std::vector<DecodeStep> decode_;
  bool has_decoder_ = false;
  std::vector<int32_t> template_before_, template_after_;
  AddedTokenMatcher raw_matcher_, normalized_matcher_;
};

}  // namespace attn
