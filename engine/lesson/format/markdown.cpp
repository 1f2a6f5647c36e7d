// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <utility>

#include "engine/core/files/json.h"

namespace attn::lesson {
namespace {

constexpr unsigned kFlags = MD_FLAG_TABLES;

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
}

// Names of entities that a person would write into a lesson.
constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"amp", "&"},       {"lt", "<"},    {"gt", ">"},      {"quot", "\""},  {"apos", "'"},
    {"nbsp", "\u00a0"}, {"ndash", "–"}, {"mdash", "—"},   {"hellip", "…"}, {"middot", "·"},
    {"bull", "•"},      {"times", "×"}, {"divide", "÷"},  {"minus", "−"},  {"plusmn", "±"},
    {"le", "≤"},        {"ge", "≥"},    {"ne", "≠"},      {"asymp", "≈"},  {"infin", "∞"},
    {"sum", "∑"},       {"radic", "√"}, {"larr", "←"},    {"uarr", "↑"},   {"rarr", "→"},
    {"darr", "↓"},      {"harr", "↔"},  {"lsquo", "‘"},   {"rsquo", "’"},  {"sbquo", "‚"},
    {"ldquo", "“"},     {"rdquo", "”"}, {"bdquo", "„"},   {"laquo", "«"},  {"raquo", "»"},
    {"deg", "°"},       {"sup2", "²"},  {"sup3", "³"},    {"frac12", "½"}, {"micro", "µ"},
    {"sect", "§"},      {"copy", "©"},  {"euro", "€"},    {"alpha", "α"},  {"beta", "β"},
    {"gamma", "γ"},     {"delta", "δ"}, {"epsilon", "ε"}, {"theta", "θ"},  {"lambda", "λ"},
    {"mu", "μ"},        {"pi", "π"},    {"sigma", "σ"},   {"phi", "φ"},    {"omega", "ω"},
    {"Delta", "Δ"},     {"Sigma", "Σ"}, {"Auml", "Ä"},    {"Ouml", "Ö"},   {"Uuml", "Ü"},
    {"auml", "ä"},      {"ouml", "ö"},  {"uuml", "ü"},    {"szlig", "ß"},  {"eacute", "é"}};

void append_utf8(std::string& out, uint32_t code) {
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
  const auto more = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    more(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    more(6);
    more(0);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    more(12);
    more(6);
    more(0);
  }
}

// entity: as md4c gives it, from & to ;.
void append_entity(std::string& out, std::string_view entity) {
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.starts_with('#')) {
    const bool is_hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const std::string_view digits = name.substr(is_hex ? 2 : 1);
    uint32_t code = 0;  // md4c allows at most 7 digits, so the number fits
    std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
    return append_utf8(out, code);
  }
  const auto* named =
      std::ranges::find(kNamed, name, &std::pair<std::string_view, std::string_view>::first);
  out += named == std::end(kNamed) ? entity : named->second;
}

std::string element_of(MD_BLOCKTYPE type, void* detail) {
  switch (type) {
    case MD_BLOCK_QUOTE:
      return "blockquote";
    case MD_BLOCK_UL:
      return "ul";
    case MD_BLOCK_OL:
      return "ol";
    case MD_BLOCK_LI:
      return "li";
    case MD_BLOCK_H:
      return fmt::format("h{}", static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
    case MD_BLOCK_CODE:
      return "pre";
    case MD_BLOCK_P:
      return "p";
    case MD_BLOCK_TABLE:
      return "table";
    case MD_BLOCK_TR:
      return "tr";
    case MD_BLOCK_TH:
      return "th";
    case MD_BLOCK_TD:
      return "td";
    default:
      return "";
  }
}
std::string element_of(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM:
      return "em";
    case MD_SPAN_STRONG:
      return "strong";
    case MD_SPAN_CODE:
      return "code";
    default:
      return "";
  }
}

struct Html {
  std::string out;

  int enter(MD_BLOCKTYPE type, void* detail) {
    if (type == MD_BLOCK_HR) out += "<hr>";
    if (const std::string element = element_of(type, detail); !element.empty())
      out += '<' + element + '>';
    return 0;
  }
  int leave(MD_BLOCKTYPE type, void* detail) {
    if (const std::string element = element_of(type, detail); !element.empty())
      out += "</" + element + ">\n";
    return 0;
  }
  int enter(MD_SPANTYPE type, void*) {
    if (const std::string element = element_of(type); !element.empty()) out += '<' + element + '>';
    return 0;
  }
  int leave(MD_SPANTYPE type, void*) {
    if (const std::string element = element_of(type); !element.empty()) out += "</" + element + '>';
    return 0;
  }
  int text(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_BR)
      out += "<br>";
    else if (type == MD_TEXT_SOFTBR)
      out += '\n';
    else if (type == MD_TEXT_ENTITY)
      out += text;  // "&amp;", as in HTML
    else
      append_escaped(out, text);
    return 0;
  }
};

struct Plain {
  std::string out;

  void begin_line() {
    if (!out.empty() && out.back() != '\n') out += '\n';
  }
  int enter(MD_BLOCKTYPE type, void*) {
    if (type == MD_BLOCK_LI) {
      begin_line();
      out += "- ";
    } else if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_CODE) {
      if (!out.ends_with("- ")) begin_line();
    }
    return 0;
  }
  int leave(MD_BLOCKTYPE type, void*) {
    if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_CODE) {
      begin_line();
      out += '\n';
    } else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
      out += "  ";
    } else if (type == MD_BLOCK_TR) {
      begin_line();
    }
    return 0;
  }
  int enter(MD_SPANTYPE, void*) { return 0; }
  int leave(MD_SPANTYPE, void*) { return 0; }
  int text(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
      out += '\n';
    else if (type == MD_TEXT_ENTITY)
      append_entity(out, text);
    else
      out += text;
    return 0;
  }
};

// Finds the parts of Markdown that lessons do not have. A mistake gets the line of its own text, or
// of the text before it.
struct Finder {
  std::string_view source;
  std::vector<MarkdownMistake> found;
  size_t at = 0;

  void add(std::string what, std::string_view text) {
    const std::string_view before = source.substr(0, at);
    found.push_back({static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                     std::move(what), quote_text(text)});
  }
  int enter(MD_BLOCKTYPE type, void* detail) {
    if (type == MD_BLOCK_H && static_cast<MD_BLOCK_H_DETAIL*>(detail)->level < 3)
      add("a heading of this level does not belong into a text", "");
    return 0;
  }
  int leave(MD_BLOCKTYPE, void*) { return 0; }
  int enter(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_A) {
      const MD_ATTRIBUTE& to = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
      add("lessons have no links, because they must work without a network",
          std::string_view(to.text, to.size));
    } else if (type == MD_SPAN_IMG) {
      const MD_ATTRIBUTE& of = static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src;
      add("lessons have no pictures of their own, because a view shows the run",
          std::string_view(of.text, of.size));
    }
    return 0;
  }
  int leave(MD_SPANTYPE, void*) { return 0; }
  int text(MD_TEXTTYPE type, std::string_view text) {
    if (text.data() >= source.data() && text.data() <= source.data() + source.size())
      at = static_cast<size_t>(text.data() - source.data());
    if (type == MD_TEXT_HTML && text != "\n") add("lessons have no HTML", text);
    return 0;
  }
};

// Marks the bytes of code.
struct CodeFinder {
  std::string_view source;
  std::vector<bool> found;

  int enter(MD_BLOCKTYPE, void*) { return 0; }
  int leave(MD_BLOCKTYPE, void*) { return 0; }
  int enter(MD_SPANTYPE, void*) { return 0; }
  int leave(MD_SPANTYPE, void*) { return 0; }
  int text(MD_TEXTTYPE type, std::string_view text) {
    // md4c gives the line feeds of code as texts that are not part of `source`.
    const bool is_own = !std::less<>()(text.data(), source.data()) &&
                        std::less<>()(text.data(), source.data() + source.size());
    if (type == MD_TEXT_CODE && is_own)
      std::fill_n(found.begin() + (text.data() - source.data()), text.size(), true);
    return 0;
  }
};

template <class To>
void parse(std::string_view markdown, To& to) {
  MD_PARSER parser{};
  parser.flags = kFlags;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    return static_cast<To*>(data)->enter(type, detail);
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    return static_cast<To*>(data)->leave(type, detail);
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
    return static_cast<To*>(data)->enter(type, detail);
  };
  parser.leave_span = [](MD_SPANTYPE type, void* detail, void* data) {
    return static_cast<To*>(data)->leave(type, detail);
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    return static_cast<To*>(data)->text(type, std::string_view(text, size));
  };
  (void)md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &to);
}

}  // namespace

std::string markdown_to_html(std::string_view markdown) {
  Html html;
  parse(markdown, html);
  return std::move(html.out);
}

std::string markdown_to_plain(std::string_view markdown) {
  Plain plain;
  parse(markdown, plain);
  plain.out.resize(plain.out.find_last_not_of(" \n") + 1);
  return std::move(plain.out);
}

std::string markdown_escaped(std::string_view text) {
  std::string markdown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::ispunct(byte)) markdown += '\\';
    markdown += c == '\n' || c == '\r' ? ' ' : c;
  }
  return markdown;
}

std::vector<bool> bytes_in_code(std::string_view markdown) {
  CodeFinder finder{.source = markdown, .found = std::vector<bool>(markdown.size())};
  parse(markdown, finder);
  return std::move(finder.found);
}

std::vector<MarkdownMistake> markdown_mistakes(std::string_view markdown) {
  Finder finder{.source = markdown, .found = {}, .at = 0};
  parse(markdown, finder);
  return std::move(finder.found);
}

}  // namespace attn::lesson
