// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/decoder.h"

#include <fmt/format.h>
#include <unicode/utf8.h>

#include <array>

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/steps/characters.h"

namespace attn {
namespace {

constexpr const char* kReplacement = "\ufffd";

// Joins runs of byte tokens into text. A run that as a whole is not UTF-8 gives one U+FFFD per
// byte.
std::vector<std::string> join_bytes(std::vector<std::string> parts) {
  std::vector<std::string> out;
  std::string bytes;
  const auto flush = [&] {
    if (bytes.empty()) return;
    if (is_utf8(bytes))
      out.push_back(bytes);
    else
      out.insert(out.end(), bytes.size(), kReplacement);
    bytes.clear();
  };
  for (std::string& part : parts) {
    if (const int byte = byte_of_piece(part); byte >= 0) {
      bytes += static_cast<char>(byte);
    } else {
      flush();
      out.push_back(std::move(part));
    }
  }
  flush();
  return out;
}

void strip(std::string& text, const std::string& character, int64_t start, int64_t stop) {
  size_t begin = 0, end = text.size();
  const size_t step = character.size();
  for (; start > 0 && end - begin >= step && text.compare(begin, step, character) == 0; --start)
    begin += step;
  for (; stop > 0 && end - begin >= step && text.compare(end - step, step, character) == 0; --stop)
    end -= step;
  text = text.substr(begin, end - begin);
}

// The bytes that the characters of a byte-level token stand for; the token itself where one of
// them stands for none.
std::string bytes_of(const std::string& part) {
  std::string bytes;
  for (std::string_view rest = part; !rest.empty(); rest.remove_prefix(first_char(rest).bytes)) {
    const int byte = byte_of_char(first_char(rest).code);
    if (byte < 0) return part;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// The bytes as UTF-8, with U+FFFD for each part that is not, as U8_NEXT of ICU cuts it.
std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  const auto size = static_cast<int32_t>(bytes.size());
  for (int32_t at = 0; at < size;) {
    const int32_t begin = at;
    UChar32 code = 0;
    U8_NEXT(data, at, size, code);
    if (code < 0)
      text += kReplacement;
    else
      text.append(bytes, static_cast<size_t>(begin), static_cast<size_t>(at - begin));
  }
  return text;
}

void clean_up(std::string& text, size_t most) {
  struct Change {
    const char *from, *to;
  };
  static constexpr std::array<Change, 11> kChanges = {{{" .", "."},
                                                       {" ?", "?"},
                                                       {" !", "!"},
                                                       {" ,", ","},
                                                       {" ' ", "'"},
                                                       {" n't", "n't"},
                                                       {" 'm", "'m"},
                                                       {" do not", " don't"},
                                                       {" 's", "'s"},
                                                       {" 've", "'ve"},
                                                       {" 're", "'re"}}};
  SearchText search;
  size_t first = 0;
  for (const Change& change : kChanges) {
    search.literal = change.from;
    replace_all(text, search, change.to, most, first);
  }
}

void apply(const Decoder::Step& step, std::vector<std::string>& parts, size_t most) {
  using Kind = Decoder::Kind;
  const auto replace = [&](std::string& part, const std::string& content) {
    size_t first = 0;
    replace_all(part, step.search, content, most, first);
    check_growth(part.size(), most);
    most -= part.size();
  };
  switch (step.kind) {
    case Kind::kReplace:
      for (std::string& part : parts) replace(part, step.content);
      return;
    case Kind::kByteFallback:
      parts = join_bytes(std::move(parts));
      return;
    case Kind::kFuse: {
      std::string joined;
      for (const std::string& part : parts) joined += part;
      parts.assign(1, std::move(joined));
      return;
    }
    case Kind::kStrip:
      for (std::string& part : parts) strip(part, step.content, step.start, step.stop);
      return;
    case Kind::kMetaspace:
      for (size_t i = 0; i < parts.size(); ++i)
        replace(parts[i], i == 0 && step.drops_first ? "" : step.content);
      return;
    case Kind::kByteLevel: {
      std::string bytes;
      for (const std::string& part : parts) bytes += bytes_of(part);
      parts.assign(1, valid_utf8(bytes));
      return;
    }
    case Kind::kWordPiece:
      for (size_t i = 0; i < parts.size(); ++i) {
        std::string& part = parts[i];
        if (i > 0 && !step.content.empty() && part.starts_with(step.content))
          part.erase(0, step.content.size());
        else if (i > 0 && !step.content.empty())
          part.insert(0, " ");
        if (step.cleans_up) clean_up(part, most);
        check_growth(part.size(), most);
        most -= part.size();
      }
      return;
    case Kind::kBpe:
      for (size_t i = 0; i < parts.size(); ++i) replace(parts[i], i + 1 == parts.size() ? "" : " ");
      return;
  }
}

}  // namespace

int byte_of_piece(std::string_view piece) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return -1;
  const int high = digit(piece[3]), low = digit(piece[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

std::string Decoder::join(std::vector<std::string> parts) const {
  size_t bytes = 0;
  for (const std::string& part : parts) bytes += part.size();
  for (const Step& step : steps) apply(step, parts, most_bytes(bytes) + parts.size());
  return fmt::format("{}", fmt::join(parts, is_there ? "" : " "));
}

std::string Decoder::label(std::string part) const {
  const size_t most = most_bytes(part.size());
  size_t first = 0;
  for (const Step& step : steps) {
    if (step.kind == Kind::kReplace || step.kind == Kind::kMetaspace)
      replace_all(part, step.search, step.content, most, first);
    else if (step.kind == Kind::kBpe)
      replace_all(part, step.search, " ", most, first);
    else if (step.kind == Kind::kByteLevel)
      part = bytes_of(part);
  }
  if (const int byte = byte_of_piece(part); byte >= 0) part.assign(1, static_cast<char>(byte));
  return part;
}

}  // namespace attn
