// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizer: reads a `tokenizer.json` of the Llama kind: BPE with byte fallback, normaliser
// Prepend/Replace, pre-tokenizer Metaspace, decoder Replace/ByteFallback/Fuse/Strip/Metaspace, and
// a template that adds special tokens. Ids equal those of the `tokenizers` library. Any other part
// is refused by its name (kNotSupported); a broken file is kBadInput with the JSON path. Any
// thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/files/json.h"
#include "engine/model/tokenizer/bpe.h"

namespace attn {

// A token matched in the text before the model sees it: "<s>".
struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;      // decode can leave it out
  bool normalized = false;   // matched in the text after the normaliser, not before it
  bool strip_left = false;   // takes the white space before it
  bool strip_right = false;  // takes the white space after it
};

// Finds added tokens in text: the leftmost, and of those that begin there the longest. White space
// that a token takes on its right is still searched for the next token, so a token that begins in
// it is not lost.
class AddedTokenMatcher {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const { return nodes_.size() == 1; }
  // Calls on_text(piece) and on_token(id) from left to right; empty pieces are left out.
  template <class OnText, class OnToken>
  void split(std::string_view text, OnText&& on_text, OnToken&& on_token) const {
    size_t begin = 0;  // where the text that no token has taken yet begins
    Match match;
    for (size_t from = 0; next(text, from, match); from = match.end) {
      const size_t left = match.strip_left ? space_begin(text, begin, match.begin) : match.begin;
      if (begin < left) on_text(text.substr(begin, left - begin));
      on_token(match.id);
      begin = match.end;
      if (!match.strip_right) continue;
      // White space that was already scanned for an earlier token is not scanned again.
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
    size_t space_end = 0;  // end of the white space that a token has taken on its right
  };
  // Children of a node are a list from `child` on, linked by `sibling`; 0 ends it.
  struct Node {
    uint32_t child = 0, sibling = 0;
    int32_t token = -1;
    char byte = 0;
    bool strip_left = false, strip_right = false;
  };
  uint32_t child_of(uint32_t node, char byte) const;  // 0: none
  bool next(std::string_view text, size_t from, Match& match) const;
  static size_t space_begin(std::string_view text, size_t low, size_t end);
  static size_t space_end(std::string_view text, size_t begin);
  std::vector<Node> nodes_{1};  // [0] is the root
};

// A pre-tokenizer that replaces spaces by a visible mark and may put one in front of a text.
struct Metaspace {
  enum class Prepend { kAlways, kFirst, kNever };  // kFirst: only at the start of the whole text
  Prepend prepend = Prepend::kAlways;
  std::string mark;   // one character, "\u2581" as a rule
  bool split = true;  // each mark begins a new word
};

class Tokenizer {
 public:
  static Tokenizer load(const std::filesystem::path& file);
  // Reads the tokenizer.json of a Hugging Face folder. Where the folder names the class
  // LlamaTokenizer, the tokenizer is the one that this class of transformers 5 makes of the file.
  static Tokenizer load_folder(const std::filesystem::path& folder);
  static Tokenizer parse(std::string_view json, const std::string& where);

  int64_t vocab_size() const { return static_cast<int64_t>(pieces_.size()); }
  // Tokens of the model's own vocabulary, without those that were only added to it.
  int64_t model_vocab_size() const { return static_cast<int64_t>(model_.ids.size()); }
  // Bytes that are not UTF-8 become byte tokens where the model has byte fallback.
  // add_special_tokens adds those of the template, such as "<s>" in front. Throws Error(kBadInput)
  // for a text of more than 2^28 bytes. It and the next two throw the same where the replacements
  // of tokenizer.json make a text more than 16 times as long.
  std::vector<int32_t> encode(std::string_view text, bool add_special_tokens = true) const;
  // Ids outside the vocabulary give no text.
  std::string decode(std::span<const int32_t> tokens, bool skip_special_tokens = true) const;
  // The text a token contributes, for labels: leading spaces, newline and tab kept, the bytes of
  // other control characters and of what is not UTF-8 as <0xHH>. An id outside the vocabulary:
  // <ID>.
  std::string token_text(int32_t token) const;

  // The text of a token as it is in the file.
  const std::string& piece(int32_t token) const { return pieces_[static_cast<size_t>(token)]; }
  std::optional<int32_t> find(std::string_view piece) const;
  bool is_special(int32_t token) const;

 private:
  friend class TokenizerParser;
  struct NormalizeStep {
    bool is_prepend = false;  // true: prepend; false: replace
    std::string pattern, content;
  };
  struct DecodeStep {
    enum class Kind { kReplace, kByteFallback, kFuse, kStrip, kMetaspace } kind = Kind::kFuse;
    std::string pattern, content;  // kStrip: content is one character; kMetaspace: the mark and " "
    int64_t start = 0, stop = 0;   // kStrip: the most characters to take off at each end
    bool drops_first = false;      // kMetaspace: marks of the first part are deleted
  };

  // How deep the Sequences of a normaliser, decoder or post-processor may be nested. Each takes two
  // levels of JSON. JSON is read to a greater depth, so that too many Sequences get their own
  // error.
  static constexpr int kMaxSequences = 32;
  // The vocabulary is kept twice: as text by id, and as id by text.
  static constexpr JsonLimits kLimits{.max_depth = 4 * kMaxSequences, .bytes_per_value = 256};
  static Tokenizer from_json(const nlohmann::json& document, const std::string& where);
  std::string normalize(std::string_view text) const;
  void encode_piece(std::string_view piece, bool is_first, std::vector<int32_t>& ids) const;
  // most: bytes of all parts together.
  void apply(const DecodeStep& step, std::vector<std::string>& parts, size_t most) const;

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
