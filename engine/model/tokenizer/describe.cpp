// SPDX-License-Identifier: GPL-3.0-or-later
// What a tokenizer is, in words.
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/files/json.h"
#include "engine/model/tokenizer/tokenizer.h"

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

std::string Tokenizer::kind() const {
  const auto has = [](const auto& steps, auto kind) {
    return std::any_of(steps.begin(), steps.end(),
                       [kind](const auto& step) { return step.kind == kind; });
  };
  if (const auto* bpe = std::get_if<BpeModel>(&model_)) {
    const bool is_byte_level = has(pre_tokenizer_.steps, PreTokenizer::Kind::kByteLevel) ||
                               has(normalizer_.steps, Normalizer::Kind::kByteLevel);
    return is_byte_level        ? "BPE, byte-level"
           : bpe->byte_fallback ? "BPE with byte fallback"
                                : "BPE";
  }
  if (const auto* pieces = std::get_if<PieceModel>(&model_))
    return fmt::format("SentencePiece, {}{}", pieces->is_bpe() ? "BPE" : "Unigram",
                       pieces->byte_fallback() ? " with byte fallback" : "");
  if (const auto* unigram = std::get_if<UnigramModel>(&model_))
    return unigram->byte_fallback ? "Unigram with byte fallback" : "Unigram";
  return std::holds_alternative<WordPieceModel>(model_) ? "WordPiece" : "WordLevel";
}

std::vector<std::string> Tokenizer::steps() const {
  const auto pieces = [&](const std::vector<int32_t>& ids) {
    std::string text;
    for (const int32_t id : ids) text.append(piece(id)).append(" ");
    return text;
  };
  std::string around = pieces(template_before_) + "TEXT";
  for (const int32_t id : template_after_) around.append(" ").append(piece(id));
  const auto* model = std::get_if<PieceModel>(&model_);
  return {"normalizer: " +
              (model ? escape_unprintable(model->normalizer()) : names_of(normalizer_.steps)),
          "pre-tokenizer: " + names_of(pre_tokenizer_.steps), "template: " + around,
          "decoder: " + names_of(decoder_.steps)};
}

}  // namespace attn
