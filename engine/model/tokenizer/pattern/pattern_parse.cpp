// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a Pattern from its text: first a tree of its parts, then the instructions for each part.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/pattern/pattern.h"
#include "engine/model/tokenizer/pattern/pattern_set.h"

namespace attn {
namespace {

constexpr size_t kMostInstructions = 10'000;
constexpr int kMostGroups = 32;     // nested
constexpr int kMostRepeats = 1000;  // the largest number in a repetition such as {2,9}
constexpr int kUnlimited = -1;
constexpr size_t kMostBytes = 16'384;

struct PatternPart {
  enum class Kind { kNothing, kChar, kSet, kSequence, kOneOf, kRepeat, kLook, kAtomic, kAnchor };
  enum class Style { kGreedy, kLazy, kPossessive };
  Kind kind = Kind::kNothing;
  int32_t value = 0;  // kChar: code point, kSet: index of the set, kAnchor: an Anchor
  int least = 0, most = 0;
  Style style = Style::kGreedy;
  bool is_negated = false, is_behind = false;  // kLook
  std::vector<PatternPart> parts;
  size_t at = 0;  // byte of the pattern
};

bool can_be_empty(const PatternPart& part) {
  switch (part.kind) {
    case PatternPart::Kind::kChar:
    case PatternPart::Kind::kSet:
      return false;
    case PatternPart::Kind::kSequence:
    case PatternPart::Kind::kAtomic:
      return std::all_of(part.parts.begin(), part.parts.end(), can_be_empty);
    case PatternPart::Kind::kOneOf:
      return std::any_of(part.parts.begin(), part.parts.end(), can_be_empty);
    case PatternPart::Kind::kRepeat:
      return part.least == 0 || can_be_empty(part.parts[0]);
    default:
      return true;
  }
}

// How many characters the part takes, where this is the same for all matches and not too many.
std::optional<int32_t> characters_of(const PatternPart& part) {
  switch (part.kind) {
    case PatternPart::Kind::kChar:
    case PatternPart::Kind::kSet:
      return 1;
    case PatternPart::Kind::kSequence:
    case PatternPart::Kind::kAtomic: {
      int32_t sum = 0;
      for (const PatternPart& item : part.parts) {
        const auto count = characters_of(item);
        if (!count || sum > kMostRepeats) return std::nullopt;
        sum += *count;
      }
      return sum;
    }
    case PatternPart::Kind::kOneOf: {
      const auto first = characters_of(part.parts[0]);
      for (const PatternPart& item : part.parts)
        if (characters_of(item) != first) return std::nullopt;
      return first;
    }
    case PatternPart::Kind::kRepeat: {
      const auto count = characters_of(part.parts[0]);
      if (!count || part.least != part.most || *count > kMostRepeats) return std::nullopt;
      return *count * part.least;
    }
    default:
      return 0;
  }
}

}  // namespace

class PatternParser {
 public:
  PatternParser(std::string_view source, Pattern& pattern)
      : source_{source, 0}, pattern_(pattern) {}

  PatternPart parse() {
    PatternPart all = read_alternatives(0);
    if (!source_.is_over())
      throw PatternError(true, "a bracket is closed that is not open", source_.at);
    return all;
  }
  int32_t word_set() {
    if (pattern_.word_set_ < 0) {
      pattern_.word_set_ = static_cast<int>(pattern_.sets_.size());
      pattern_.sets_.emplace_back(word_characters(), false);
    }
    return pattern_.word_set_;
  }

 private:
  struct Options {
    bool ignores_case = false, dot_takes_newline = false, is_extended = false;
  };

  PatternPart read_alternatives(int depth) {
    if (depth > kMostGroups)
      throw PatternError(false, fmt::format("more than {} nested groups", kMostGroups), source_.at);
    const Options outer = options_;
    PatternPart all{.kind = PatternPart::Kind::kOneOf, .value = 0, .parts = {}, .at = source_.at};
    do {
      all.parts.push_back(read_sequence(depth));
    } while (source_.skip("|"));
    options_ = outer;
    return all.parts.size() == 1 ? std::move(all.parts[0]) : all;
  }

  PatternPart read_sequence(int depth) {
    PatternPart sequence{
        .kind = PatternPart::Kind::kSequence, .value = 0, .parts = {}, .at = source_.at};
    while (!source_.is_over() && !source_.starts_with("|") && !source_.starts_with(")")) {
      if (options_.is_extended && skip_blank()) continue;
      if (source_.skip("(?#")) {
        const size_t end = source_.text.find(')', source_.at);
        if (end == std::string_view::npos)
          throw PatternError(true, "a comment is not closed", source_.at);
        source_.at = end + 1;
        continue;
      }
      PatternPart item = read_item(depth);
      while (read_repeat(item)) {
      }
      sequence.parts.push_back(std::move(item));
    }
    return sequence;
  }

  bool skip_blank() {
    const char c = source_.text[source_.at];
    if (c == '#') {
      source_.at = std::min(source_.text.find('\n', source_.at), source_.text.size());
      return true;
    }
    if (c != ' ' && (c < '\t' || c > '\r')) return false;
    ++source_.at;
    return true;
  }

  PatternPart set_part(PatternSet set, size_t at) {
    if (pattern_.sets_.size() >= kMostInstructions) refuse_size(at);
    pattern_.sets_.emplace_back(set.set, set.takes_invalid);
    return {.kind = PatternPart::Kind::kSet,
            .value = static_cast<int32_t>(pattern_.sets_.size() - 1),
            .parts = {},
            .at = at};
  }

  PatternPart char_part(int32_t code, size_t at) {
    if (options_.ignores_case) {
      PatternSet set{.set = icu::UnicodeSet(code, code)};
      if (!add_case(set.set))
        throw PatternError(false, "a letter that has several letters in another case", at);
      if (set.set.size() > 1) return set_part(std::move(set), at);
    }
    return {.kind = PatternPart::Kind::kChar, .value = code, .parts = {}, .at = at};
  }

  PatternPart anchor(Pattern::Anchor kind, size_t at) {
    if (kind == Pattern::Anchor::kWordEdge || kind == Pattern::Anchor::kNoWordEdge) word_set();
    return {.kind = PatternPart::Kind::kAnchor,
            .value = static_cast<int32_t>(kind),
            .parts = {},
            .at = at};
  }

  PatternPart read_item(int depth) {
    const size_t at = source_.at;
    if (source_.skip("(")) return read_group(depth, at);
    if (source_.skip("[")) return set_part(read_bracket_set(source_, options_.ignores_case), at);
    if (source_.skip("^")) return anchor(Pattern::Anchor::kLineBegin, at);
    if (source_.skip("$")) return anchor(Pattern::Anchor::kLineEnd, at);
    if (source_.skip(".")) {
      PatternSet all{.set = icu::UnicodeSet(0, 0x10ffff), .takes_invalid = true};
      if (!options_.dot_takes_newline) all.set.remove(UChar32{'\n'});
      return set_part(std::move(all), at);
    }
    if (source_.starts_with("*") || source_.starts_with("+") || source_.starts_with("?"))
      throw PatternError(true, "nothing stands before a repetition", at);
    if (!source_.skip("\\")) return char_part(source_.take(), at);
    if (source_.skip("A")) return anchor(Pattern::Anchor::kTextBegin, at);
    if (source_.skip("z")) return anchor(Pattern::Anchor::kTextEnd, at);
    if (source_.skip("Z")) return anchor(Pattern::Anchor::kTextEndOrLastNewline, at);
    if (source_.skip("b")) return anchor(Pattern::Anchor::kWordEdge, at);
    if (source_.skip("B")) return anchor(Pattern::Anchor::kNoWordEdge, at);
    PatternSet set;
    if (read_escaped_set(source_, set, false)) {
      if (options_.ignores_case) add_case(set.set);
      return set_part(std::move(set), at);
    }
    return char_part(read_escaped_char(source_), at);
  }

  // Reads a group whose opening bracket is read already.
  PatternPart read_group(int depth, size_t at) {
    PatternPart look{.kind = PatternPart::Kind::kLook, .value = 0, .parts = {}, .at = at};
    if (source_.skip("?=") || source_.skip("?!")) {
      look.is_negated = source_.text[source_.at - 1] == '!';
    } else if (source_.skip("?<=") || source_.skip("?<!")) {
      look.is_behind = true;
      look.is_negated = source_.text[source_.at - 1] == '!';
    } else if (source_.skip("?>")) {
      look.kind = PatternPart::Kind::kAtomic;
    } else if (source_.skip("?:")) {
      return close(read_alternatives(depth + 1), at);
    } else if (source_.skip("?")) {
      return read_options(depth, at);
    } else {
      return close(read_alternatives(depth + 1), at);
    }
    look.parts.push_back(close(read_alternatives(depth + 1), at));
    if (look.is_behind) check_behind(look);
    return look;
  }

  PatternPart close(PatternPart part, size_t at) {
    if (!source_.skip(")")) throw PatternError(true, "a bracket is not closed", at);
    return part;
  }

  // Reads options: (?i), which count up to the end of the group, or (?i:...), a group of its own.
  PatternPart read_options(int depth, size_t at) {
    const Options outer = options_;
    bool value = true;
    for (; !source_.starts_with(":") && !source_.starts_with(")"); ++source_.at) {
      const int32_t letter = source_.peek();
      if (letter == '-')
        value = false;
      else if (letter == 'i')
        options_.ignores_case = value;
      else if (letter == 'm')
        options_.dot_takes_newline = value;
      else if (letter == 'x')
        options_.is_extended = value;
      else
        throw PatternError(letter < 0,
                           letter < 0 ? "a bracket is not closed" : "a group of this kind", at);
    }
    if (source_.skip(":")) {
      PatternPart group = close(read_alternatives(depth + 1), at);
      options_ = outer;
      return group;
    }
    // The options count for the rest of the group, with its alternatives.
    source_.skip(")");
    return read_alternatives(depth + 1);
  }

  static void check_behind(const PatternPart& look) {
    const auto check = [](const PatternPart& part) {
      if (!characters_of(part))
        throw PatternError(false, "looking behind over a number of characters that varies",
                           part.at);
    };
    const PatternPart& inner = look.parts[0];
    if (inner.kind == PatternPart::Kind::kOneOf)
      std::for_each(inner.parts.begin(), inner.parts.end(), check);
    else
      check(inner);
  }

  // Where a repetition such as + or {2} follows, turns `item` into the repetition of `item`.
  bool read_repeat(PatternPart& item) {
    const size_t at = source_.at;
    int least = 0, most = kUnlimited;
    bool has_number = false;
    if (source_.skip("*")) {
    } else if (source_.skip("+")) {
      least = 1;
    } else if (source_.skip("?")) {
      most = 1;
    } else if (read_numbers(least, most)) {
      has_number = true;
    } else {
      return false;
    }
    PatternPart::Style style = PatternPart::Style::kGreedy;
    if (source_.skip("?"))
      style = PatternPart::Style::kLazy;
    else if (!has_number && source_.skip("+"))  // {1,3}+ is a repetition of the repetition
      style = PatternPart::Style::kPossessive;
    if (most != 1 && can_be_empty(item))
      throw PatternError(false, "a repetition of what may be empty", at);
    PatternPart inner = std::move(item);
    item = {.kind = PatternPart::Kind::kRepeat,
            .value = 0,
            .least = least,
            .most = most,
            .style = style,
            .parts = {},
            .at = at};
    item.parts.push_back(std::move(inner));
    return true;
  }

  // Reads {2}, {2,}, {,3} or {2,3}; anything else in braces is text.
  bool read_numbers(int& least, int& most) {
    PatternText behind = source_;
    if (!behind.skip("{")) return false;
    const auto number = [&](int& value) {
      const size_t begin = behind.at;
      int64_t sum = 0;
      for (; !behind.is_over() && behind.text[behind.at] >= '0' && behind.text[behind.at] <= '9';
           ++behind.at)
        sum = std::min<int64_t>(sum * 10 + (behind.text[behind.at] - '0'), kMostRepeats + 1);
      if (sum > kMostRepeats)
        throw PatternError(false, fmt::format("more than {} repetitions", kMostRepeats), begin);
      value = static_cast<int>(sum);
      return behind.at > begin;
    };
    const bool has_least = number(least);
    bool has_most = has_least;
    if (behind.skip(","))
      has_most = number(most);
    else
      most = least;
    if (!behind.skip("}") || (!has_least && !has_most)) return false;
    if (!has_most) most = kUnlimited;
    if (most != kUnlimited && most < least)
      throw PatternError(false, "a repetition whose largest number is the smaller one", source_.at);
    source_ = behind;
    return true;
  }

  [[noreturn]] static void refuse_size(size_t at) {
    throw PatternError(false, fmt::format("more than {} steps", kMostInstructions), at);
  }

  PatternText source_;
  Pattern& pattern_;
  Options options_;
};

class PatternCompiler {
 public:
  explicit PatternCompiler(Pattern& pattern) : pattern_(pattern) {}

  void compile(const PatternPart& all) {
    add(all);
    emit({.op = Pattern::Op::kMatch});
  }

 private:
  using Op = Pattern::Op;

  uint32_t here() const { return static_cast<uint32_t>(pattern_.program_.size()); }

  uint32_t emit(Pattern::Instruction instruction) {
    if (pattern_.program_.size() >= kMostInstructions)
      throw PatternError(false, fmt::format("more than {} steps", kMostInstructions), at_);
    if (instruction.op == Op::kSplit || instruction.op == Op::kStar ||
        instruction.op == Op::kPossessiveStar)
      instruction.row = pattern_.rows_++;
    pattern_.program_.push_back(instruction);
    return here() - 1;
  }

  Pattern::Instruction& at(uint32_t pc) { return pattern_.program_[pc]; }

  // Sets the two instructions at which the kSplit at `pc` can go on: `into` begins a part, `past`
  // comes after it. `into` is tried first, but in a lazy repetition `past` is.
  void set_ways(uint32_t pc, uint32_t into, uint32_t past, PatternPart::Style style) {
    const bool is_lazy = style == PatternPart::Style::kLazy;
    at(pc).target = is_lazy ? past : into;
    at(pc).value = static_cast<int32_t>(is_lazy ? into : past);
  }

  void add(const PatternPart& part) {
    at_ = part.at;
    switch (part.kind) {
      case PatternPart::Kind::kNothing:
        return;
      case PatternPart::Kind::kChar:
        emit({.op = Op::kChar, .value = part.value});
        return;
      case PatternPart::Kind::kSet:
        emit({.op = Op::kSet, .value = part.value});
        return;
      case PatternPart::Kind::kAnchor:
        emit({.op = Op::kAnchor, .value = part.value});
        return;
      case PatternPart::Kind::kSequence:
        for (const PatternPart& item : part.parts) add(item);
        return;
      case PatternPart::Kind::kOneOf:
        add_one_of(part, false);
        return;
      case PatternPart::Kind::kRepeat:
        add_repeat(part);
        return;
      case PatternPart::Kind::kAtomic:
        enclose({.op = Op::kAtomic}, [&] { add(part.parts[0]); });
        return;
      case PatternPart::Kind::kLook:
        enclose({.op = Op::kLook, .value = part.is_negated}, [&] {
          const PatternPart& inner = part.parts[0];
          if (part.is_behind && inner.kind == PatternPart::Kind::kOneOf)
            add_one_of(inner, true);
          else
            add_from_behind(inner, part.is_behind);
        });
        return;
    }
  }

  void add_from_behind(const PatternPart& part, bool is_behind) {
    if (is_behind) emit({.op = Op::kBack, .value = *characters_of(part)});
    add(part);
  }

  void add_one_of(const PatternPart& part, bool is_behind) {
    std::vector<uint32_t> jumps;
    for (size_t i = 0; i + 1 < part.parts.size(); ++i) {
      const uint32_t split = emit({.op = Op::kSplit});
      add_from_behind(part.parts[i], is_behind);
      jumps.push_back(emit({.op = Op::kJump}));
      set_ways(split, split + 1, here(), PatternPart::Style::kGreedy);
    }
    add_from_behind(part.parts.back(), is_behind);
    for (const uint32_t jump : jumps) at(jump).target = here();
  }

  template <class Inside>
  void enclose(Pattern::Instruction around, Inside&& inside) {
    const uint32_t begin = emit(around);
    inside();
    emit({.op = Op::kMatch});
    at(begin).target = here();
  }

  void add_repeat(const PatternPart& part) {
    const PatternPart& inner = part.parts[0];
    const bool is_set = inner.kind == PatternPart::Kind::kSet && part.most == kUnlimited;
    if (part.style == PatternPart::Style::kPossessive && !is_set) {
      enclose({.op = Op::kAtomic}, [&] {
        PatternPart greedy = part;
        greedy.style = PatternPart::Style::kGreedy;
        add_repeat(greedy);
      });
      return;
    }
    for (int i = 0; i < part.least; ++i) add(inner);
    if (part.most != kUnlimited) {
      std::vector<uint32_t> splits;
      for (int i = part.least; i < part.most; ++i) {
        splits.push_back(emit({.op = Op::kSplit}));
        add(inner);
      }
      for (const uint32_t split : splits) set_ways(split, split + 1, here(), part.style);
    } else if (is_set && part.style != PatternPart::Style::kLazy) {
      emit({.op = part.style == PatternPart::Style::kPossessive ? Op::kPossessiveStar : Op::kStar,
            .value = inner.value});
    } else {
      const uint32_t split = emit({.op = Op::kSplit});
      add(inner);
      emit({.op = Op::kJump, .value = 0, .target = split});
      set_ways(split, split + 1, here(), part.style);
    }
  }

  Pattern& pattern_;
  size_t at_ = 0;
};

Pattern::Pattern(std::string_view source) {
  if (source.size() > kMostBytes)
    throw PatternError(false, fmt::format("more than {} bytes", kMostBytes), kMostBytes);
  PatternCompiler(*this).compile(PatternParser(source, *this).parse());
}

Pattern Pattern::literal(std::string_view text) {
  Pattern pattern;
  for (; !text.empty(); text.remove_prefix(first_char(text).bytes))
    pattern.program_.push_back({.op = Op::kChar, .value = first_char(text).code});
  pattern.program_.push_back({.op = Op::kMatch});
  return pattern;
}

}  // namespace attn
