// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/utf8.h"

namespace attn {
namespace {

constexpr size_t kMaxTextBytes = size_t{1} << 28;

}  // namespace

void Tokenizer::encode_piece(std::string_view piece, size_t first,
                             std::vector<int32_t>& ids) const {
  const PreTokenizer::Pieces words = parts_.pre_tokenizer.split(piece, first);
  const std::string_view text = words.text;
  for (const PreTokenizer::Piece& word : words.list)
    std::visit(
        [&](const auto& model) {
          model.encode(text.substr(word.begin, word.end - word.begin), parts_.model_ids, ids);
        },
        parts_.model);
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, bool add_special_tokens) const {
  if (text.size() > kMaxTextBytes)
    throw_bad_input({"text is too long", "tokenizer", fmt::format("{} bytes", text.size()),
                     fmt::format("at most {} bytes", kMaxTextBytes), ""});
  std::vector<int32_t> ids;
  if (add_special_tokens) ids = parts_.template_before;
  const auto on_token = [&](int32_t id) { ids.push_back(id); };
  const auto on_raw = [&](std::string_view raw) {
    std::string normal(raw);
    size_t first = raw.data() == text.data() ? first_char(raw).bytes : 0;
    parts_.normalizer.apply(normal, first);
    const auto on_normal = [&](std::string_view piece) {
      const auto begin = static_cast<size_t>(piece.data() - normal.data());
      encode_piece(piece, first > begin ? first - begin : 0, ids);
    };
    parts_.normalized_matcher.split(normal, on_normal, on_token);
  };
  parts_.raw_matcher.split(text, on_raw, on_token);
  if (add_special_tokens)
    ids.insert(ids.end(), parts_.template_after.begin(), parts_.template_after.end());
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> tokens, bool skip_special_tokens) const {
  std::vector<std::string> parts;
  parts.reserve(tokens.size());
  for (const int32_t token : tokens) {
    if (token < 0 || token >= vocab_size()) continue;
    const auto normal = parts_.normal_pieces.find(token);
    // A token whose text the normaliser changed is not left out as a special token.
    if (normal != parts_.normal_pieces.end())
      parts.push_back(normal->second);
    else if (!skip_special_tokens || !is_special(token))
      parts.push_back(piece(token));
  }
  return parts_.decoder.join(std::move(parts));
}

std::string Tokenizer::token_text(int32_t token) const {
  if (token < 0 || token >= vocab_size()) return fmt::format("<{}>", token);
  if (is_special(token)) return piece(token);
  const std::string text = parts_.decoder.label(piece(token));
  std::string shown;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Char next = first_char(rest);
    const bool is_white = next.code == '\n' || next.code == '\t';
    const bool is_printable = next.code >= 0 && (is_white || !u_isISOControl(next.code));
    for (const char byte : rest.substr(0, next.bytes))
      shown += is_printable ? std::string(1, byte)
                            : fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte));
    rest.remove_prefix(next.bytes);
  }
  return shown;
}

std::optional<int32_t> Tokenizer::find(std::string_view piece) const {
  if (const auto added = parts_.added_ids.find(piece); added != parts_.added_ids.end())
    return added->second;
  if (const auto known = parts_.model_ids.find(piece); known != parts_.model_ids.end())
    return known->second;
  return std::nullopt;
}

bool Tokenizer::is_special(int32_t token) const {
  return token >= 0 && token < vocab_size() && parts_.special[static_cast<size_t>(token)];
}

}  // namespace attn
