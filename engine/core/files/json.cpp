// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/json.h"

#include <fmt/format.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/core/utf8.h"

namespace attn {
namespace {

using Json = nlohmann::json;

// "line 3, column 14 (byte 52)": lines and columns from 1, columns in characters, bytes from 0.
std::string place_in(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t end = before.rfind('\n');  // end of the line before
  const std::string_view same_line = before.substr(end == std::string_view::npos ? 0 : end + 1);
  const auto column = 1 + std::ranges::count_if(same_line, [](char c) { return !U8_IS_TRAIL(c); });
  return fmt::format("line {}, column {} (byte {})", line, column, byte);
}

struct Fault {
  size_t byte;
  std::string found, allowed, advice;
};

constexpr const char* kValue =
    "a value: a number, a text in double quotes, true, false, null, [ or {";

// reason: the library's message after "invalid string: ".
Fault string_fault(std::string_view text, size_t byte, std::string_view reason) {
  const auto code = byte < text.size() ? static_cast<unsigned char>(text[byte]) : 0;
  const auto starts = [&](std::string_view word) { return reason.starts_with(word); };
  if (starts("missing closing quote"))
    return {byte, "a text without its end", "a closing double quote", ""};
  if (starts("control character"))
    return {byte, fmt::format("the byte {:02X} in a text", code),
            fmt::format("\\u{:04X}, or another escape for it", code), ""};
  if (starts("surrogate"))
    return {byte, "half of a pair of \\u escapes",
            "\\uD800 to \\uDBFF with \\uDC00 to \\uDFFF behind it", ""};
  if (starts("'\\u'")) return {byte, "\\u without its digits", "\\u and 4 hex digits", ""};
  if (starts("forbidden"))
    return {byte, "a backslash that begins no escape", "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
            ""};
  // Finds the start of the malformed character. The library may have stopped at a later byte of it.
  size_t begin = 0;
  for (Utf8Char at{}; begin < text.size(); begin += at.bytes) {
    at = first_char(text.substr(begin));
    if (at.code < 0) break;
  }
  if (begin == text.size()) begin = byte;
  return {begin,
          fmt::format("bytes that are not UTF-8, among them {:02X}",
                      begin < text.size() ? static_cast<unsigned char>(text[begin]) : 0),
          "UTF-8", ""};
}

// byte: where the library stopped. token: what it read last. message: the text of its exception,
// "[json.exception...] parse error at line 1, column 5: syntax error while parsing X - REASON".
Fault fault_of(std::string_view text, size_t byte, std::string_view token,
               std::string_view message) {
  constexpr std::string_view kSyntax = "syntax error ",
                             kString = "invalid string: ", kUnexpected = "unexpected ",
                             kExpected = "; expected ";
  const size_t syntax = message.find(kSyntax);
  if (syntax != std::string_view::npos) message.remove_prefix(syntax);
  const size_t dash = message.find("- ");
  const std::string_view context = message.substr(0, dash);
  std::string_view reason = dash == std::string_view::npos ? message : message.substr(dash + 2);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return {byte, text.empty() ? "an empty text" : "blanks only", kValue, ""};
  if (reason.starts_with(kString)) return string_fault(text, byte, reason.substr(kString.size()));
  if (reason.starts_with("invalid number"))
    // The token may end with a byte that is not part of the number.
    return {byte,
            fmt::format("the number {}",
                        escape_unprintable(token.substr(
                            0, std::min<size_t>(30, token.find_first_not_of("+-.0123456789eE"))))),
            "a number such as 0, -1.5 or 2e10", ""};

  const bool in_object = context.find("object") != std::string_view::npos;
  std::string allowed = kValue;
  if (context.find("key") != std::string_view::npos) {
    allowed = "a key in double quotes";
  } else if (context.find("separator") != std::string_view::npos) {
    allowed = "`:` and a value";
  } else if (in_object) {
    allowed = "`,` or `}`";
  } else if (context.find("array") != std::string_view::npos) {
    allowed = "`,` or `]`";
  } else if (reason.find("; expected end of input") != std::string_view::npos) {
    allowed = "the end of the text";
  }
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string found;
  const size_t expected = reason.find(kExpected);
  const std::string_view name =
      reason.starts_with(kUnexpected)
          ? reason.substr(kUnexpected.size(), expected == std::string_view::npos
                                                  ? expected
                                                  : expected - kUnexpected.size())
          : std::string_view();
  if (name == "end of input") {
    byte = text.size();
    found = "the end of the text";
  } else if (name == "string literal" && token.size() >= 2) {
    byte = byte + 1 >= token.size() ? byte + 1 - token.size() : byte;
    found = quote_text(token.substr(1, token.size() - 2));
  } else if (name == "number literal") {
    byte = byte + 1 >= token.size() ? byte + 1 - token.size() : byte;
    found = std::string(token.substr(0, 30));
  } else {
    // A punctuation mark or a word. The library may have read only a part of the word.
    size_t at = std::min(byte, text.size() - 1);
    if (at > 0 && token.size() > 1 && !is_word(text[at]) && is_word(text[at - 1]) && name.empty())
      --at;
    size_t begin = at, end = at;
    while (end < text.size() && end < at + 30 && is_word(text[end])) ++end;
    while (begin > 0 && end > at && is_word(text[begin - 1])) --begin;
    if (end == at) end = at + first_char(text.substr(at)).bytes;
    byte = begin;
    found = fmt::format("`{}`", escape_unprintable(text.substr(begin, end - begin)));
  }
  const size_t before =
      byte == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", byte - 1);
  const bool after_comma = before != std::string_view::npos && text[before] == ',';
  const bool closes = found == "`}`" || found == "`]`";
  return {byte, std::move(found), std::move(allowed),
          after_comma && closes ? "Remove the comma before it" : ""};
}

// Builds the value. Unlike the library's builder it refuses duplicate keys and too much depth.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  // each: as in parse_json_members(); null: the whole tree is kept.
  StrictBuilder(std::string_view text, std::string_view where, const JsonLimits& limits,
                const JsonMember* each)
      : text_(text), where_(where), limits_(limits), each_(each) {}

  ~StrictBuilder() override { take_apart(root_); }
  StrictBuilder(const StrictBuilder&) = delete;
  StrictBuilder& operator=(const StrictBuilder&) = delete;

  Json take() { return std::move(root_); }

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) refuse_number(text);
    return add(Json(value));
  }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Frame& frame = frames_.back();
    const auto [entry, is_new] = frame.container->get_ref<Json::object_t&>().try_emplace(name);
    if (!is_new)
      throw_bad_input({"duplicate key",
                       fmt::format("{}, {}{}", where_, path(frames_.size() - 1), path_step(name)),
                       fmt::format("{} again", quote_text(name)), "each key once",
                       "Remove one of the two"});
    frame.key = &entry->first;
    frame.slot = &entry->second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const Json::exception& error) override {
    if (error.id == 406) refuse_number(last_token);  // the number is out of the range of a double
    const Fault fault = fault_of(text_, position > 0 ? position - 1 : 0, last_token, error.what());
    throw_bad_input({"not valid JSON", fmt::format("{}, {}", where_, place_in(text_, fault.byte)),
                     fault.found, fault.allowed, fault.advice});
  }

 private:
  struct Frame {
    Json* container;
    Json* slot = nullptr;
    const std::string* key = nullptr;
  };

  std::string path(size_t frames) const {
    std::string text = "$";
    for (size_t i = 0; i < frames; ++i) {
      const Frame& frame = frames_[i];
      if (frame.key)
        text += path_step(*frame.key);
      else
        text += fmt::format("[{}]", frame.container->size() - 1);
    }
    return text;
  }

  Json* place(Json&& value) {
    if (each_ && frames_.size() > 1 && ++member_values_ > limits_.max_values)
      throw_bad_input({"JSON object has too many values in one of its members",
                       fmt::format("{}, {}", where_, path(1)),
                       fmt::format("more than {}", limits_.max_values),
                       fmt::format("at most {}", limits_.max_values), ""});
    if (frames_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Frame& frame = frames_.back();
    if (frame.container->is_array()) {
      auto& items = frame.container->get_ref<Json::array_t&>();
      items.push_back(std::move(value));
      return &items.back();
    }
    *frame.slot = std::move(value);
    return frame.slot;
  }
  bool add(Json&& value) {
    place(std::move(value));
    hand_over();
    return true;
  }
  // Gives a whole member of the outermost object to each_ and drops its value.
  void hand_over() {
    if (!each_ || frames_.size() != 1 || !frames_.front().key) return;
    (*each_)(*frames_.front().key, *frames_.front().slot);
    take_apart(*frames_.front().slot);
    *frames_.front().slot = nullptr;
    member_values_ = 0;
  }
  bool open(Json&& empty) {
    Json* container = place(std::move(empty));
    if (frames_.size() >= static_cast<size_t>(limits_.max_depth))
      throw_bad_input({"JSON is nested too deep",
                       fmt::format("{}, {}", where_, path(frames_.size())),
                       fmt::format("more than {} levels", limits_.max_depth),
                       fmt::format("at most {} levels", limits_.max_depth), ""});
    frames_.push_back({container});
    return true;
  }
  bool close() {
    frames_.pop_back();
    hand_over();
    return true;
  }
  [[noreturn]] void refuse_number(const std::string& text) {
    throw_bad_input({"number is out of range", fmt::format("{}, {}", where_, next_path()),
                     quote_text(text, 30), "a number that a 64-bit float can hold", ""});
  }
  std::string next_path() const {
    if (frames_.empty()) return "$";
    const Frame& frame = frames_.back();
    if (frame.key) return path(frames_.size());
    return path(frames_.size() - 1) + fmt::format("[{}]", frame.container->size());
  }

  std::string_view text_, where_;
  const JsonLimits& limits_;
  const JsonMember* each_;
  size_t member_values_ = 0;
  Json root_;
  std::vector<Frame> frames_;
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Edit distance in which swapping two neighbours is one edit (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

namespace {

void check_text(std::string_view text, std::string_view where, const JsonLimits& limits) {
  const auto refuse = [&](const char* what, size_t byte, std::string found, std::string allowed) {
    throw_bad_input({what, fmt::format("{}, {}", where, place_in(text, byte)), std::move(found),
                     std::move(allowed), ""});
  };
  if (text.size() > limits.max_bytes)
    refuse("JSON text is too long", 0, fmt::format("{} bytes", text.size()),
           fmt::format("at most {} bytes", limits.max_bytes));
  if (text.starts_with("\xef\xbb\xbf"))
    refuse("JSON text starts with a byte order mark", 0, "EF BB BF", "plain UTF-8");
  const auto starts = [&](std::string_view bytes) { return text.starts_with(bytes); };
  if (starts("\xff\xfe") || starts("\xfe\xff") ||
      (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0')))
    throw_bad_input({"JSON text is UTF-16", fmt::format("{}, byte 0", where),
                     fmt::format("{:02X} {:02X}", static_cast<unsigned char>(text[0]),
                                 static_cast<unsigned char>(text[1])),
                     "UTF-8", "Save it as UTF-8"});
  // The library's lexer takes a NUL as the end of the text.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos)
    refuse("JSON text holds a NUL", nul, "00", "text without NUL");
}

// An upper bound of the number of values in the text: each but the first comes after a comma or an
// opening bracket. Stops counting at `most` + 1; `at` becomes the byte after the last
// one read.
size_t count_values(std::string_view text, size_t most, size_t& at) {
  size_t values = 1;
  bool in_text = false;
  for (at = 0; at < text.size() && values <= most; ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == ',' || c == '[' || c == '{') {
      ++values;
    }
  }
  return values;
}

void ask_for_values(std::string_view text, std::string_view where, const JsonLimits& limits) {
  size_t byte = 0;
  const size_t values = count_values(text, limits.max_values, byte);
  if (values > limits.max_values)
    throw_bad_input({"JSON text has too many values",
                     fmt::format("{}, {}", where, place_in(text, byte)),
                     fmt::format("more than {}", limits.max_values),
                     fmt::format("at most {}", limits.max_values), ""});
  const double bytes = static_cast<double>(text.size()) +
                       static_cast<double>(values) * static_cast<double>(limits.bytes_per_value);
  if (bytes < static_cast<double>(kSmallNeed)) return;
  ask_memory({.bytes = bytes,
              .what = "JSON text does not fit in memory",
              .where = std::string(where),
              .found = fmt::format("{} of text + up to {} values x {} bytes = {}",
                                   bytes_text(static_cast<double>(text.size())), values,
                                   limits.bytes_per_value, bytes_text(bytes)),
              .advice = "Close other programs or use a smaller file"});
}

nlohmann::json read_strictly(std::string_view text, std::string_view where,
                             const JsonLimits& limits, const JsonMember* each) {
  try {
    StrictBuilder builder(text, where, limits, each);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kFailed, {"not enough memory for the JSON text", std::string(where),
                                     fmt::format("{} bytes", text.size()), "",
                                     "Close other programs or use a smaller file"});
  }
}

}  // namespace

// Recursive: parse_json() limits the depth.
void take_apart(nlohmann::json& value) noexcept {
  if (auto* items = value.get_ptr<Json::array_t*>()) {
    for (Json& item : *items) take_apart(item);
    items->clear();
  } else if (auto* members = value.get_ptr<Json::object_t*>()) {
    for (auto& [key, member] : *members) take_apart(member);
    members->clear();
  }
}

void replace_json(nlohmann::json& old, nlohmann::json&& value) noexcept {
  take_apart(old);
  old = std::move(value);
}

nlohmann::json parse_json(std::string_view text, std::string_view where, JsonLimits limits) {
  check_text(text, where, limits);
  ask_for_values(text, where, limits);
  return read_strictly(text, where, limits, nullptr);
}

void parse_json_members(std::string_view text, std::string_view where, JsonLimits limits,
                        const JsonMember& each) {
  check_text(text, where, limits);
  read_strictly(text, where, limits, &each);
}

namespace {

std::string printable(std::string_view text, const Utf8Char& character) {
  const std::string_view bytes = text.substr(0, character.bytes);
  if (character.code >= 0 && !controls_terminal(character.code)) return std::string(bytes);
  std::string out;
  for (const char wrong : bytes) out += fmt::format("\\x{:02X}", static_cast<unsigned char>(wrong));
  return out;
}

std::string escaped(std::string_view text, bool keeps_lines) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    const bool stays = keeps_lines && (text.front() == '\n' || text.front() == '\t');
    out += stays ? std::string(text.substr(0, 1)) : printable(text, next);
    text.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace

std::string quote_text(std::string_view text, size_t max_bytes) {
  std::string out(1, '"');
  const std::string_view shown = text.substr(0, whole_chars(text, max_bytes));
  return out + escape_unprintable(shown) + (shown.size() < text.size() ? "..." : "") + '"';
}

std::string escape_unprintable(std::string_view text) {
  return escaped(text, false);
}

std::string escape_unprintable_but_lines(std::string_view text) {
  return escaped(text, true);
}

std::string path_step(std::string_view key) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  if (!key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), is_plain))
    return fmt::format(".{}", key);
  return fmt::format("[{}]", quote_text(key, 120));
}

std::string nearest_match(std::string_view word, const std::vector<std::string>& allowed) {
  constexpr size_t kLongestWord = 128;  // edit distance is quadratic
  if (word.size() > kLongestWord) return "";
  const std::string wanted = lower(word);
  size_t best_distance = std::max<size_t>(1, wanted.size() / 3) + 1;
  std::string best;
  for (const std::string& candidate : allowed) {
    if (candidate.size() > kLongestWord) continue;
    const size_t distance = edit_distance(wanted, lower(candidate));
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace attn
