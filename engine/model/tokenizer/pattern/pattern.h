// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions by which tokenizers split texts, with the meaning that they have in
// Oniguruma: the leftmost match, and of several alternatives the first one that leads to a match.
// Supported are characters, sets with ranges, nested sets, intersections and properties, groups,
// alternatives, repetitions (greedy, lazy, possessive), atomic groups, looking ahead, looking
// behind over a fixed number of characters, anchors, and the options i, m and x.
//
// Where a search takes many steps, it begins to note which places of the pattern cannot lead to a
// match from which places of the text. Any thread once built; a PatternMatches belongs to one
// thread.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/pattern/char_set.h"

namespace attn {

// Why a pattern cannot be used: broken, or with something that is not supported.
class PatternError : public std::exception {
 public:
  PatternError(bool is_broken, std::string reason, size_t at)
      : is_broken_(is_broken), reason_(std::move(reason)), at_(at) {}
  bool is_broken() const { return is_broken_; }
  const char* what() const noexcept override { return reason_.c_str(); }
  size_t at() const { return at_; }  // byte of the pattern

 private:
  bool is_broken_;
  std::string reason_;
  size_t at_;
};

class Pattern {
 public:
  // Throws PatternError.
  explicit Pattern(std::string_view source);
  static Pattern literal(std::string_view text);

 private:
  friend class PatternMatches;
  friend class PatternParser;
  friend class PatternCompiler;
  enum class Op : uint8_t {
    kChar,            // value: the code point
    kSet,             // value: index of the set
    kStar,            // as many characters of set `value` as possible, fewer if need be
    kPossessiveStar,  // the same, but never fewer
    kSplit,           // tries to go on at `target`, then at `value`
    kJump,            // goes on at `target`
    kLook,            // the instructions up to kMatch must match here (value 1: must not)
    kAtomic,          // the instructions up to kMatch; only their first match counts
    kBack,            // goes `value` characters back
    kAnchor,          // value: an Anchor
    kMatch,
  };
  enum class Anchor : int32_t {
    kTextBegin,
    kTextEnd,
    kTextEndOrLastNewline,
    kLineBegin,
    kLineEnd,
    kWordEdge,
    kNoWordEdge,
  };
  struct Instruction {
    Op op;
    int32_t value = 0;
    uint32_t target = 0;  // kSplit, kJump; kLook, kAtomic: where it goes on after the part
    uint32_t row = 0;     // kSplit, kStar, kPossessiveStar: its number among these
  };
  Pattern() = default;
  std::vector<Instruction> program_;
  std::vector<CharSet> sets_;
  uint32_t rows_ = 0;
  int word_set_ = -1;  // index of the set \w, where an anchor needs it
};

// The matches of a pattern in a text, from left to right, none of them overlapping another. An
// empty match does not follow another match immediately. `pattern` and `text` must outlive it.
class PatternMatches {
 public:
  PatternMatches(const Pattern& pattern, std::string_view text);
  // The next match: bytes [begin, end) of the text; false: there is none. Throws Error(kBadInput)
  // where the search takes too many steps.
  bool next(size_t& begin, size_t& end);

 private:
  // Where to go on when what was tried does not match. A frame with low < at stands for all places
  // before `at`, down to `low`.
  struct Frame {
    uint32_t pc;
    size_t at, low;
  };
  // An instruction that was reached at a place, when there were `height` frames. It has failed when
  // there are fewer.
  struct Visit {
    size_t height, bit;
  };
  enum class Known { kNothing, kFails, kMatches };

  bool run(uint32_t pc, size_t& at, bool is_look);
  bool step(uint32_t& pc, size_t& at, bool& is_over);
  bool go_back(uint32_t& pc, size_t& at, size_t frames);
  void forget_failed();
  void finish(size_t frames, size_t visits, bool is_look);
  Known enter(uint32_t row, size_t at);
  bool holds(Pattern::Anchor anchor, size_t at) const;
  bool is_word_before(size_t at) const;
  bool is_word_after(size_t at) const;
  void count_step(size_t steps);
  bool take(const CharSet& set, size_t& at) const;

  const Pattern& pattern_;
  std::string_view text_;
  size_t from_ = 0;
  size_t last_end_ = std::string_view::npos;  // end of the match before
  std::vector<Frame> frames_;
  size_t steps_ = 0;
  // Notes are taken once a search takes long: which instructions failed (or matched, in a
  // look-ahead or look-behind) at which place of the text, as bits [row x (bytes of text + 1) +
  // place].
  bool takes_notes_ = false;
  std::vector<bool> fails_, matches_;
  std::vector<Visit> visits_;
};

}  // namespace attn
