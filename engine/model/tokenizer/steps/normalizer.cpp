// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <algorithm>
#include <array>

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/steps/characters.h"

namespace attn {
namespace {

// Calls on_text(part) for the parts that are UTF-8 and on_byte(byte) for the other bytes.
template <class OnText, class OnByte>
void for_each_part(std::string_view text, OnText&& on_text, OnByte&& on_byte) {
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Char next = first_char(text.substr(at));
    if (next.code >= 0) {
      at += next.bytes;
      continue;
    }
    if (begin < at) on_text(text.substr(begin, at - begin));
    on_byte(text[at++]);
    begin = at;
  }
  if (begin < text.size()) on_text(text.substr(begin));
}

// Calls each(code, bytes, out) for each character, and with code < 0 for each byte that is not
// UTF-8. What it appends to `out` is the new text.
template <class Each>
void rewrite(std::string& text, Each&& each) {
  std::string out;
  out.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Char next = first_char(rest);
    each(next.code, rest.substr(0, next.bytes), out);
    rest.remove_prefix(next.bytes);
  }
  text = std::move(out);
}

// Characters younger than Unicode 9 stay as they are.
std::string unicode_form(std::string_view text, Normalizer::Kind kind) {
  static const icu::UnicodeSet known = [] {
    UErrorCode error = U_ZERO_ERROR;
    icu::UnicodeSet set(icu::UnicodeString(u"[:age=9.0:]"), error);
    set.freeze();
    return set;
  }();
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* form =
      kind == Normalizer::Kind::kNfc    ? icu::Normalizer2::getNFCInstance(error)
      : kind == Normalizer::Kind::kNfd  ? icu::Normalizer2::getNFDInstance(error)
      : kind == Normalizer::Kind::kNfkc ? icu::Normalizer2::getNFKCInstance(error)
                                        : icu::Normalizer2::getNFKDInstance(error);
  if (U_FAILURE(error)) return std::string(text);
  const icu::FilteredNormalizer2 filtered(*form, known);
  std::string out;
  for_each_part(
      text,
      [&](std::string_view part) {
        std::string normal;
        icu::StringByteSink<std::string> sink(&normal, static_cast<int32_t>(part.size()));
        filtered.normalizeUTF8(0, {part.data(), static_cast<int32_t>(part.size())}, sink, nullptr,
                               error);
        out += U_SUCCESS(error) ? std::string_view(normal) : part;
      },
      [&](char byte) { out += byte; });
  return out;
}

void lower_case(std::string& text) {
  rewrite(text, [](int32_t code, std::string_view bytes, std::string& out) {
    if (code < 0) {
      out += bytes;
    } else if (code == 0x130) {  // its lower case is two characters
      out += "i\u0307";
    } else {
      append_utf8(out, u_tolower(code));
    }
  });
}

template <class Keep>
void filter(std::string& text, size_t& first, Keep&& keep) {
  if (!text.empty() && !keep(first_char(text).code)) first = 0;
  rewrite(text, [&](int32_t code, std::string_view bytes, std::string& out) {
    if (keep(code)) out += bytes;
  });
}

void strip(std::string& text, size_t& first, const Normalizer::Step& step) {
  std::string_view rest = text;
  while (step.left && !rest.empty() && is_white_space(first_char(rest).code)) {
    rest.remove_prefix(first_char(rest).bytes);
    first = 0;
  }
  while (step.right && !rest.empty() && is_white_space(last_char(rest).code))
    rest.remove_suffix(last_char(rest).bytes);
  if (rest.size() < text.size()) text = std::string(rest);
}

void bert(std::string& text, size_t& first, const Normalizer::Step& step) {
  if (step.cleans) {
    filter(text, first,
           [](int32_t code) { return code != 0 && code != 0xfffd && !is_bert_control(code); });
    rewrite(text, [](int32_t code, std::string_view bytes, std::string& out) {
      out += is_white_space(code) ? std::string_view(" ") : bytes;
    });
  }
  if (step.separates_chinese)
    rewrite(text, [](int32_t code, std::string_view bytes, std::string& out) {
      const bool is_alone = is_chinese_ideograph(code);
      if (is_alone) out += ' ';
      out += bytes;
      if (is_alone) out += ' ';
    });
  if (step.strips_accents) {
    text = unicode_form(text, Normalizer::Kind::kNfd);
    filter(text, first, [](int32_t code) { return !is_nonspacing_mark(code); });
  }
  if (step.lowers_case) lower_case(text);
}

// Applies the rules that SentencePiece calls nmt.
void nmt(std::string& text, size_t& first) {
  const auto is_deleted = [](int32_t code) {
    return (code >= 1 && code <= 8) || code == 0xb || (code >= 0xe && code <= 0x1f) ||
           code == 0x7f || code == 0x8f || code == 0x9f;
  };
  const auto is_space = [](int32_t code) {
    return code == '\t' || code == '\n' || code == '\f' || code == '\r' || code == 0x1680 ||
           (code >= 0x200b && code <= 0x200f) || code == 0x2028 || code == 0x2029 ||
           code == 0x2581 || code == 0xfeff || code == 0xfffd;
  };
  filter(text, first, [&](int32_t code) { return !is_deleted(code); });
  rewrite(text, [&](int32_t code, std::string_view bytes, std::string& out) {
    out += is_space(code) ? std::string_view(" ") : bytes;
  });
}

void apply_step(const Normalizer::Step& step, std::string& text, size_t& first, size_t most) {
  using Kind = Normalizer::Kind;
  switch (step.kind) {
    case Kind::kNfc:
    case Kind::kNfd:
    case Kind::kNfkc:
    case Kind::kNfkd:
      text = unicode_form(text, step.kind);
      break;
    case Kind::kLowercase:
      lower_case(text);
      break;
    case Kind::kStripAccents:
      filter(text, first, [](int32_t code) { return !is_combining_mark(code); });
      break;
    case Kind::kStrip:
      strip(text, first, step);
      break;
    case Kind::kReplace:
      replace_all(text, step.search, step.content, most, first);
      return;
    case Kind::kPrepend:
      if (text.empty()) return;
      text.insert(0, step.content);
      if (first > 0) first += step.content.size();
      return;
    case Kind::kBert:
      bert(text, first, step);
      break;
    case Kind::kCharsmap: {
      std::string out;
      for_each_part(
          text, [&](std::string_view part) { out += step.charsmap.apply(part); },
          [&](char byte) { out += byte; });
      text = std::move(out);
      break;
    }
    case Kind::kNmt:
      nmt(text, first);
      break;
    case Kind::kByteLevel: {
      std::string out;
      out.reserve(text.size() * 2);
      for (const char c : text) append_utf8(out, char_of_byte(static_cast<unsigned char>(c)));
      text = std::move(out);
      break;
    }
  }
  // How many bytes come from the first character is not known here: the bytes of the first new
  // character are taken.
  if (first > 0) first = text.empty() ? 0 : first_char(text).bytes;
}

}  // namespace

void Normalizer::apply(std::string& text, size_t& first) const {
  const size_t most = most_bytes(text.size());
  for (const Step& step : steps) {
    apply_step(step, text, first, most);
    check_growth(text.size(), most);
  }
}

}  // namespace attn
