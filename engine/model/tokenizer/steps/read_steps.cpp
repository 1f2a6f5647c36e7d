// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/read_steps.h"

#include <fmt/format.h>

#include "engine/core/files/json.h"
#include "engine/core/utf8.h"

namespace attn {
namespace {

constexpr size_t kMaxSteps = 1024;  // of a normaliser, pre-tokenizer or decoder, in all Sequences

void check_steps(const JsonAt& at, size_t steps) {
  if (steps >= kMaxSteps)
    at.refuse("too many steps", fmt::format("more than {}", kMaxSteps),
              fmt::format("at most {}", kMaxSteps));
}

bool flag(const JsonAt& at, const char* key, bool otherwise) {
  return at.has(key) ? at[key].boolean() : otherwise;
}

std::string one_character(const JsonAt& at) {
  const std::string& text = at.text();
  if (text.empty() || first_char(text).bytes != text.size())
    at.refuse("not one character", at.shown(), "one character");
  return text;
}

std::string short_text(const JsonAt& at, const char* what) {
  const std::string& text = at.text();
  if (text.size() > kMaxPatternBytes)
    at.refuse(fmt::format("{} is too long", what), fmt::format("{} bytes", text.size()),
              fmt::format("at most {} bytes", kMaxPatternBytes));
  return text;
}

SearchText read_search(const JsonAt& at) {
  SearchText search;
  if (at.has("String")) {
    search.literal = at["String"].text();
    if (search.literal.empty() || search.literal.size() > kMaxPatternBytes)
      at["String"].refuse("pattern has no usable length",
                          fmt::format("{} bytes", search.literal.size()),
                          fmt::format("1 to {} bytes", kMaxPatternBytes));
    return search;
  }
  if (!at.has("Regex")) at.refuse("pattern is not valid", at.shown(), "String or Regex");
  const JsonAt regex = at["Regex"];
  try {
    search.pattern = Pattern(regex.text());
  } catch (const PatternError& error) {
    const std::string found = fmt::format("{}, at byte {}", error.what(), error.at());
    if (error.is_broken())
      regex.refuse("regular expression is not valid", found, "one as Oniguruma reads it");
    regex.not_supported("regular expression is not supported", found,
                        "characters, sets, groups, alternatives, repetitions, looking around");
  }
  return search;
}

class NormalizerReader {
 public:
  Normalizer result;

  void read(const JsonAt& at, int depth) {
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    if (type == "Sequence")
      return for_each_in_sequence(at, "normalizers", depth,
                                  [&](const JsonAt& item, int inner) { read(item, inner); });
    check_steps(at, result.steps.size());
    result.steps.push_back(read_step(at, kind, type));
  }

 private:
  static Normalizer::Step read_step(const JsonAt& at, const JsonAt& kind, const std::string& type) {
    using Kind = Normalizer::Kind;
    Normalizer::Step step;
    if (type == "NFC") {
      step.kind = Kind::kNfc;
    } else if (type == "NFD") {
      step.kind = Kind::kNfd;
    } else if (type == "NFKC") {
      step.kind = Kind::kNfkc;
    } else if (type == "NFKD") {
      step.kind = Kind::kNfkd;
    } else if (type == "Lowercase") {
      step.kind = Kind::kLowercase;
    } else if (type == "StripAccents") {
      step.kind = Kind::kStripAccents;
    } else if (type == "Nmt") {
      step.kind = Kind::kNmt;
    } else if (type == "ByteLevel") {
      step.kind = Kind::kByteLevel;
    } else if (type == "Strip") {
      step.kind = Kind::kStrip;
      step.left = at["strip_left"].boolean();
      step.right = at["strip_right"].boolean();
    } else if (type == "Prepend") {
      step.kind = Kind::kPrepend;
      step.content = short_text(at["prepend"], "text to prepend");
    } else if (type == "Replace") {
      step.kind = Kind::kReplace;
      step.search = read_search(at["pattern"]);
      step.content = short_text(at["content"], "replacement");
    } else if (type == "BertNormalizer") {
      step.kind = Kind::kBert;
      step.cleans = at["clean_text"].boolean();
      step.separates_chinese = at["handle_chinese_chars"].boolean();
      step.lowers_case = at["lowercase"].boolean();
      step.strips_accents = flag(at, "strip_accents", step.lowers_case);
    } else if (type == "Precompiled") {
      step.kind = Kind::kCharsmap;
      const JsonAt map = at["precompiled_charsmap"];
      const auto bytes = decode_base64(map.text());
      if (!bytes || !Charsmap::read(*bytes, step.charsmap))
        map.refuse("table of characters is not valid",
                   fmt::format("{} characters", map.text().size()),
                   "a table of SentencePiece in base64");
    } else {
      kind.not_supported("normalizer is not supported", quote_text(type),
                         "Sequence, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip, Prepend, "
                         "Replace, BertNormalizer, Precompiled, Nmt, ByteLevel");
    }
    return step;
  }
};

PreTokenizer::Step read_metaspace(const JsonAt& at) {
  PreTokenizer::Step step;
  step.kind = PreTokenizer::Kind::kMetaspace;
  step.mark = one_character(at["replacement"]);
  if (at.has("prepend_scheme")) {
    const JsonAt named = at["prepend_scheme"];
    const std::string& scheme = named.text();
    if (scheme == "first")
      step.prepend = PreTokenizer::Prepend::kFirst;
    else if (scheme == "never")
      step.prepend = PreTokenizer::Prepend::kNever;
    else if (scheme != "always")
      named.refuse("scheme is unknown", quote_text(scheme), "always, first, never");
  }
  // add_prefix_space, the older key, may be false only where prepend_scheme is "never".
  if (!flag(at, "add_prefix_space", true) && step.prepend != PreTokenizer::Prepend::kNever)
    at["add_prefix_space"].refuse("add_prefix_space contradicts prepend_scheme", "false",
                                  "true, or prepend_scheme \"never\"");
  step.splits = flag(at, "split", true);
  return step;
}

PreTokenizer::Behavior read_behavior(const JsonAt& at) {
  const std::string& name = at.text();
  if (name == "Removed") return PreTokenizer::Behavior::kRemoved;
  if (name == "Isolated") return PreTokenizer::Behavior::kIsolated;
  if (name == "MergedWithPrevious") return PreTokenizer::Behavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return PreTokenizer::Behavior::kMergedWithNext;
  if (name == "Contiguous") return PreTokenizer::Behavior::kContiguous;
  at.refuse("behavior is unknown", quote_text(name),
            "Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous");
}

class PreTokenizerReader {
 public:
  PreTokenizer result;

  void read(const JsonAt& at, int depth) {
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    if (type == "Sequence")
      return for_each_in_sequence(at, "pretokenizers", depth,
                                  [&](const JsonAt& item, int inner) { read(item, inner); });
    check_steps(at, result.steps.size());
    result.steps.push_back(read_step(at, kind, type));
  }

 private:
  static PreTokenizer::Step read_step(const JsonAt& at, const JsonAt& kind,
                                      const std::string& type) {
    using Kind = PreTokenizer::Kind;
    PreTokenizer::Step step;
    if (type == "ByteLevel") {
      step.kind = Kind::kByteLevel;
      step.adds_space = at["add_prefix_space"].boolean();
      step.splits = flag(at, "use_regex", true);
    } else if (type == "Split") {
      step.kind = Kind::kSplit;
      step.search = read_search(at["pattern"]);
      step.behavior = read_behavior(at["behavior"]);
      step.inverts = at["invert"].boolean();
    } else if (type == "Metaspace") {
      step = read_metaspace(at);
    } else if (type == "Whitespace") {
      step.kind = Kind::kWhitespace;
    } else if (type == "WhitespaceSplit") {
      step.kind = Kind::kWhitespaceSplit;
    } else if (type == "BertPreTokenizer") {
      step.kind = Kind::kBert;
    } else if (type == "Digits") {
      step.kind = Kind::kDigits;
      step.each_digit = at["individual_digits"].boolean();
    } else if (type == "Punctuation") {
      step.kind = Kind::kPunctuation;
      if (at.has("behavior")) step.behavior = read_behavior(at["behavior"]);
    } else if (type == "CharDelimiterSplit") {
      step.kind = Kind::kDelimiter;
      step.mark = one_character(at["delimiter"]);
    } else {
      kind.not_supported("pre-tokenizer is not supported", quote_text(type),
                         "Sequence, ByteLevel, Split, Metaspace, Whitespace, WhitespaceSplit, "
                         "BertPreTokenizer, Digits, Punctuation, CharDelimiterSplit");
    }
    return step;
  }
};

class DecoderReader {
 public:
  Decoder result;

  void read(const JsonAt& at, int depth) {
    const JsonAt kind = at["type"];
    const std::string& type = kind.text();
    if (type == "Sequence")
      return for_each_in_sequence(at, "decoders", depth,
                                  [&](const JsonAt& item, int inner) { read(item, inner); });
    check_steps(at, result.steps.size());
    result.steps.push_back(read_step(at, kind, type));
  }

 private:
  static Decoder::Step read_step(const JsonAt& at, const JsonAt& kind, const std::string& type) {
    using Kind = Decoder::Kind;
    Decoder::Step step;
    if (type == "Replace") {
      step.kind = Kind::kReplace;
      step.search = read_search(at["pattern"]);
      step.content = short_text(at["content"], "replacement");
    } else if (type == "ByteFallback") {
      step.kind = Kind::kByteFallback;
    } else if (type == "Fuse") {
      step.kind = Kind::kFuse;
    } else if (type == "ByteLevel") {
      step.kind = Kind::kByteLevel;
    } else if (type == "Strip") {
      step.kind = Kind::kStrip;
      step.content = one_character(at["content"]);
      step.start = at["start"].whole(0, INT32_MAX);
      step.stop = at["stop"].whole(0, INT32_MAX);
    } else if (type == "Metaspace") {
      const PreTokenizer::Step metaspace = read_metaspace(at);
      step.kind = Kind::kMetaspace;
      step.search.literal = metaspace.mark;
      step.content = " ";
      step.drops_first = metaspace.prepend != PreTokenizer::Prepend::kNever;
    } else if (type == "WordPiece") {
      step.kind = Kind::kWordPiece;
      step.content = short_text(at["prefix"], "prefix");
      step.cleans_up = at["cleanup"].boolean();
    } else if (type == "BPEDecoder") {
      step.kind = Kind::kBpe;
      step.search.literal = short_text(at["suffix"], "suffix");
      if (step.search.literal.empty())
        at["suffix"].not_supported("suffix is not supported", "\"\"", "at least one character");
    } else {
      kind.not_supported("decoder is not supported", quote_text(type),
                         "Sequence, Replace, ByteFallback, Fuse, ByteLevel, Strip, Metaspace, "
                         "WordPiece, BPEDecoder");
    }
    return step;
  }
};

}  // namespace

void check_depth(const JsonAt& at, int depth) {
  if (depth >= kMaxSequences)
    at.refuse("sequences are nested too deep", fmt::format("more than {}", kMaxSequences),
              fmt::format("at most {}", kMaxSequences));
}

Normalizer read_normalizer(const JsonAt& at) {
  NormalizerReader reader;
  reader.read(at, 0);
  return std::move(reader.result);
}

PreTokenizer read_pre_tokenizer(const JsonAt& at) {
  PreTokenizerReader reader;
  reader.read(at, 0);
  return std::move(reader.result);
}

Decoder read_decoder(const JsonAt& at) {
  DecoderReader reader;
  reader.result.is_there = true;
  reader.read(at, 0);
  return std::move(reader.result);
}

}  // namespace attn
