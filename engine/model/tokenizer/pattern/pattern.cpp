// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/pattern/pattern.h"

#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/utf8.h"

namespace attn {
namespace {

// After kStepsWithoutNotes * (bytes of the text + 256) steps the search begins to note which
// instructions failed or matched at which places. kMostNotes: the most bits for each of the two.
constexpr size_t kStepsWithoutNotes = 48;
constexpr size_t kMostNotes = size_t{1} << 28;

[[noreturn]] void refuse_text(size_t bytes) {
  throw_bad_input({"splitting the text takes too many steps", "tokenizer",
                   fmt::format("a text of {} bytes, for which the pattern needs more steps", bytes),
                   "a text that the pattern can split in linear time",
                   "Shorten the text, or use a simpler pattern in tokenizer.json"});
}

// The character at `at`, which is before the end of the text.
Utf8Char char_at(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {byte, 1};
  return first_char(text.substr(at));
}

}  // namespace

PatternMatches::PatternMatches(const Pattern& pattern, std::string_view text)
    : pattern_(pattern), text_(text) {}

void PatternMatches::count_step(size_t steps) {
  steps_ += steps;
  const size_t bytes = text_.size() + 256;
  if (!takes_notes_ && steps_ > kStepsWithoutNotes * bytes) {
    if (pattern_.rows_ > kMostNotes / bytes) refuse_text(text_.size());
    fails_.assign(pattern_.rows_ * (text_.size() + 1), false);
    matches_.assign(fails_.size(), false);
    takes_notes_ = true;
  }
  // Even with notes, an atomic group that is tried again may take too many steps.
  if (steps_ > (2 * kStepsWithoutNotes + 8 * pattern_.program_.size()) * bytes)
    refuse_text(text_.size());
}

bool PatternMatches::next(size_t& begin, size_t& end) {
  while (from_ <= text_.size()) {
    size_t at = from_;
    if (!run(0, at, false)) {
      from_ += from_ < text_.size() ? char_at(text_, from_).bytes : 1;
      continue;
    }
    begin = from_;
    end = at;
    if (begin == end && end == last_end_) {
      from_ += from_ < text_.size() ? char_at(text_, from_).bytes : 1;
      continue;
    }
    from_ = last_end_ = end;
    return true;
  }
  return false;
}

// Whether the program from `pc` on matches at `at`. If so, sets `at` to the end of the match.
// is_look: only whether it matches is asked, not where the match ends.
bool PatternMatches::run(uint32_t pc, size_t& at, bool is_look) {
  const size_t frames = frames_.size(), visits = visits_.size();
  for (;;) {
    bool is_over = false;
    if (step(pc, at, is_over)) {
      if (!is_over) continue;
      finish(frames, visits, is_look);
      return true;
    }
    if (!go_back(pc, at, frames)) {
      visits_.resize(visits);
      return false;
    }
  }
}

// Runs one instruction at `at`. False: it does not match.
bool PatternMatches::step(uint32_t& pc, size_t& at, bool& is_over) {
  count_step(1);
  const Pattern::Instruction& op = pattern_.program_[pc];
  switch (op.op) {
    case Pattern::Op::kChar: {
      if (at == text_.size()) return false;
      const Utf8Char next = char_at(text_, at);
      if (next.code != op.value) return false;
      at += next.bytes;
      ++pc;
      return true;
    }
    case Pattern::Op::kSet:
      ++pc;
      return take(pattern_.sets_[static_cast<size_t>(op.value)], at);
    case Pattern::Op::kStar: {
      const CharSet& set = pattern_.sets_[static_cast<size_t>(op.value)];
      const Known known = enter(op.row, at);
      if (known != Known::kNothing) return is_over = known == Known::kMatches;
      const size_t low = at;
      if (takes_notes_) {  // character by character, so that each place is noted
        if (take(set, at))
          frames_.push_back({pc + 1, low, low});
        else
          ++pc;
        return true;
      }
      while (take(set, at)) {
      }
      count_step(at - low);
      ++pc;
      if (at > low) frames_.push_back({pc, at, low});
      return true;
    }
    case Pattern::Op::kPossessiveStar: {
      const Known known = enter(op.row, at);
      if (known != Known::kNothing) return is_over = known == Known::kMatches;
      if (!take(pattern_.sets_[static_cast<size_t>(op.value)], at)) ++pc;
      return true;
    }
    case Pattern::Op::kSplit: {
      const Known known = enter(op.row, at);
      if (known != Known::kNothing) return is_over = known == Known::kMatches;
      frames_.push_back({static_cast<uint32_t>(op.value), at, at});
      pc = op.target;
      return true;
    }
    case Pattern::Op::kJump:
      pc = op.target;
      return true;
    case Pattern::Op::kLook: {
      size_t place = at;
      const bool is_there = run(pc + 1, place, true);
      pc = op.target;
      return is_there == (op.value == 0);
    }
    case Pattern::Op::kAtomic: {
      const bool is_there = run(pc + 1, at, false);
      pc = op.target;
      return is_there;
    }
    case Pattern::Op::kBack:
      for (int32_t i = 0; i < op.value; ++i) {
        if (at == 0) return false;
        at -= last_char(text_.substr(0, at)).bytes;
      }
      ++pc;
      return true;
    case Pattern::Op::kAnchor:
      ++pc;
      return holds(static_cast<Pattern::Anchor>(op.value), at);
    case Pattern::Op::kMatch:
      is_over = true;
      return true;
  }
  return false;
}

// Goes back to the latest of the places where another way can be tried (frames_), except for the
// first `frames` of them. False: there is none.
bool PatternMatches::go_back(uint32_t& pc, size_t& at, size_t frames) {
  if (frames_.size() == frames) return false;
  const Frame frame = frames_.back();
  frames_.pop_back();
  forget_failed();
  pc = frame.pc;
  at = frame.at;
  if (at > frame.low) {
    at -= last_char(text_.substr(0, at)).bytes;
    if (at > frame.low) frames_.push_back({pc, at, frame.low});
  }
  return true;
}

// Drops the visits from which no other way is left to try: these instructions have failed for good,
// and their bits in fails_ stay set.
void PatternMatches::forget_failed() {
  while (!visits_.empty() && visits_.back().height > frames_.size()) visits_.pop_back();
}

// After a match: the instructions on the way to it have not failed, so their bits in fails_ are
// cleared. In a look-ahead or look-behind, their bits in matches_ are set.
void PatternMatches::finish(size_t frames, size_t visits, bool is_look) {
  for (size_t i = visits; i < visits_.size(); ++i) {
    fails_[visits_[i].bit] = false;
    if (is_look) matches_[visits_[i].bit] = true;
  }
  visits_.resize(visits);
  frames_.resize(frames);
}

PatternMatches::Known PatternMatches::enter(uint32_t row, size_t at) {
  if (!takes_notes_) return Known::kNothing;
  const size_t bit = row * (text_.size() + 1) + at;
  if (fails_[bit]) return Known::kFails;
  if (matches_[bit]) return Known::kMatches;
  fails_[bit] = true;
  visits_.push_back({frames_.size(), bit});
  return Known::kNothing;
}

bool PatternMatches::take(const CharSet& set, size_t& at) const {
  if (at == text_.size()) return false;
  const Utf8Char next = char_at(text_, at);
  if (!set.contains(next.code)) return false;
  at += next.bytes;
  return true;
}

bool PatternMatches::is_word_before(size_t at) const {
  return at > 0 && pattern_.sets_[static_cast<size_t>(pattern_.word_set_)].contains(
                       last_char(text_.substr(0, at)).code);
}

bool PatternMatches::is_word_after(size_t at) const {
  return at < text_.size() &&
         pattern_.sets_[static_cast<size_t>(pattern_.word_set_)].contains(char_at(text_, at).code);
}

bool PatternMatches::holds(Pattern::Anchor anchor, size_t at) const {
  const size_t size = text_.size();
  switch (anchor) {
    case Pattern::Anchor::kTextBegin:
      return at == 0;
    case Pattern::Anchor::kTextEnd:
      return at == size;
    case Pattern::Anchor::kTextEndOrLastNewline:
      return at == size || (at + 1 == size && text_[at] == '\n');
    case Pattern::Anchor::kLineBegin:
      return at == 0 || (text_[at - 1] == '\n' && at < size);
    case Pattern::Anchor::kLineEnd:
      return at == size || text_[at] == '\n';
    case Pattern::Anchor::kWordEdge:
      return is_word_before(at) != is_word_after(at);
    case Pattern::Anchor::kNoWordEdge:
      return is_word_before(at) == is_word_after(at);
  }
  return false;
}

}  // namespace attn
