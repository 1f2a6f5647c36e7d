// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizer: `tokenizer.json` of the Llama kind: BPE with byte fallback, normaliser
// Prepend/Replace, decoder Replace/ByteFallback/Fuse/Strip, a template that adds special tokens.
// Ids equal those of the `tokenizers` library. What is not of this kind is refused by name
// (kNotSupported); a broken file is kBadInput with its JSON path. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
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

// Finds added tokens in text: the leftmost, and of those the longest.
class AddedTokenMatcher {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const { return nodes_.size() == 1; }
  // Calls on_text(piece) and on_token(id) from left to right; empty pieces are left out.
  template <class OnText, class OnToken>
  void split(std::string_view text, OnText&& on_text, OnToken&& on_token) const {
    size_t begin = 0;
    for (Match match; next(text, begin, match); begin = match.end) {
      if (match.begin > begin) on_text(text.substr(begin, match.begin - begin));
      on_token(match.id);
    }
    if (begin < text.size()) on_text(text.substr(begin));
  }

 private:
  struct Match {
    size_t begin = 0, end = 0;
    int32_t id = -1;
  };
  struct Node {
    std::unordered_map<char, uint32_t> children;
    int32_t token = -1;
    bool strip_left = false, strip_right = false;
  };
  bool next(std::string_view text, size_t from, Match& match) const;
  std::vector<Node> nodes_{1};  // [0] is the root
};

class Tokenizer {
 public:
  static Tokenizer load(const std::filesystem::path& file);
  static Tokenizer parse(std::string_view json, const std::string& where);

  int64_t vocab_size() const { return static_cast<int64_t>(pieces_.size()); }
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
    enum class Kind { kReplace, kByteFallback, kFuse, kStrip } kind = Kind::kFuse;
    std::string pattern, content;  // kStrip: content is one character
    int64_t start = 0, stop = 0;   // kStrip: how many at each end
  };

  std::string normalize(std::string_view text) const;
  void apply(const DecodeStep& step, std::vector<std::string>& parts) const;

  std::vector<std::string> pieces_;  // [id]
  std::vector<bool> special_;        // [id]
  BpeModel model_;
  TokenIds added_ids_;
  std::vector<NormalizeStep> normalize_;
  std::vector<DecodeStep> decode_;
  bool has_decoder_ = false;
  std::vector<int32_t> template_before_, template_after_;
  AddedTokenMatcher raw_matcher_, normalized_matcher_;
};

}  // namespace attn
