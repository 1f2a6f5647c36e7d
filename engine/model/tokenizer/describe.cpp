// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/files/json.h"

namespace attn {
namespace {

const char* name_of(const Normalizer::Step& step) {
  using Kind = Normalizer::Kind;
  switch (step.kind) {
    case Kind::kNfc:
      return "NFC";
    case Kind::kNfd:
      return "NFD";
    case Kind::kNfkc:
      return "NFKC";
    case Kind::kNfkd:
      return "NFKD";
    case Kind::kLowercase:
      return "Lowercase";
    case Kind::kStripAccents:
      return "StripAccents";
    case Kind::kStrip:
      return "Strip";
    case Kind::kReplace:
      return "Replace";
    case Kind::kPrepend:
      return "Prepend";
    case Kind::kBert:
      return step.lowers_case ? "BertNormalizer (lower case)" : "BertNormalizer";
    case Kind::kCharsmap:
      return "Precompiled";
    case Kind::kNmt:
      return "Nmt";
    case Kind::kByteLevel:
      return "ByteLevel";
  }
  return "";
}

const char* name_of(const PreTokenizer::Step& step) {
  using Kind = PreTokenizer::Kind;
  switch (step.kind) {
    case Kind::kByteLevel:
      return step.splits ? "ByteLevel (GPT-2's pattern)" : "ByteLevel";
    case Kind::kSplit:
      return step.search.literal.empty() ? "Split (pattern)" : "Split";
    case Kind::kMetaspace:
      return "Metaspace";
    case Kind::kWhitespace:
      return "Whitespace";
    case Kind::kWhitespaceSplit:
      return "WhitespaceSplit";
    case Kind::kBert:
      return "BertPreTokenizer";
    case Kind::kDigits:
      return step.each_digit ? "Digits (each alone)" : "Digits";
    case Kind::kPunctuation:
      return "Punctuation";
    case Kind::kDelimiter:
      return "CharDelimiterSplit";
  }
  return "";
}

const char* name_of(const Decoder::Step& step) {
  using Kind = Decoder::Kind;
  switch (step.kind) {
    case Kind::kReplace:
      return "Replace";
    case Kind::kByteFallback:
      return "ByteFallback";
    case Kind::kFuse:
      return "Fuse";
    case Kind::kStrip:
      return "Strip";
    case Kind::kMetaspace:
      return "Metaspace";
    case Kind::kByteLevel:
      return "ByteLevel";
    case Kind::kWordPiece:
      return "WordPiece";
    case Kind::kBpe:
      return "BPEDecoder";
  }
  return "";
}

template <class Steps>
std::string names_of(const Steps& steps) {
  std::string names;
  for (const auto& step : steps) names.append(names.empty() ? "" : ", ").append(name_of(step));
  return names.empty() ? "none" : names;
}

}  // namespace

std::string kind_of(const Tokenizer& tokenizer) {
  const TokenizerParts& parts = tokenizer.parts();
  const auto has = [](const auto& steps, auto kind) {
    return std::any_of(steps.begin(), steps.end(),
                       [kind](const auto& step) { return step.kind == kind; });
  };
  if (const auto* bpe = std::get_if<BpeModel>(&parts.model)) {
    const bool is_byte_level = has(parts.pre_tokenizer.steps, PreTokenizer::Kind::kByteLevel) ||
                               has(parts.normalizer.steps, Normalizer::Kind::kByteLevel);
    return is_byte_level        ? "BPE, byte-level"
           : bpe->byte_fallback ? "BPE with byte fallback"
                                : "BPE";
  }
  if (const auto* pieces = std::get_if<PieceModel>(&parts.model))
    return fmt::format("SentencePiece, {}{}", pieces->is_bpe() ? "BPE" : "Unigram",
                       pieces->byte_fallback() ? " with byte fallback" : "");
  if (const auto* unigram = std::get_if<UnigramModel>(&parts.model))
    return unigram->byte_fallback ? "Unigram with byte fallback" : "Unigram";
  return std::holds_alternative<WordPieceModel>(parts.model) ? "WordPiece" : "WordLevel";
}

std::vector<std::string> steps_of(const Tokenizer& tokenizer) {
  const TokenizerParts& parts = tokenizer.parts();
  const auto pieces = [&](const std::vector<int32_t>& ids) {
    std::string text;
    for (const int32_t id : ids) text.append(tokenizer.piece(id)).append(" ");
    return text;
  };
  std::string around = pieces(parts.template_before) + "TEXT";
  for (const int32_t id : parts.template_after) around.append(" ").append(tokenizer.piece(id));
  const auto* model = std::get_if<PieceModel>(&parts.model);
  return {"normalizer: " +
              (model ? escape_unprintable(model->normalizer()) : names_of(parts.normalizer.steps)),
          "pre-tokenizer: " + names_of(parts.pre_tokenizer.steps), "template: " + around,
          "decoder: " + names_of(parts.decoder.steps)};
}

}  // namespace attn
