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

// Each replacement may double a text, so 28 of them would make a byte of it 256 MiB. A tokenizer
// that is meant to be used makes texts at most 3 or 4 times as long.
constexpr size_t kMaxGrowth = 16, kMaxMore = 4096;

size_t most_bytes(size_t text) {
  return text * kMaxGrowth + kMaxMore;
}

[[noreturn]] void refuse_growth() {
  throw_bad_input({"replacements make a text too long", "tokenizer",
                   fmt::format("a text that becomes more than {} times as long", kMaxGrowth),
                   fmt::format("{} times its bytes, and {} more", kMaxGrowth, kMaxMore),
                   "Correct the normaliser or the decoder of tokenizer.json"});
}

// most: bytes of the result.
void replace_all(std::string& text, const std::string& pattern, const std::string& content,
                 size_t most) {
  size_t at = text.find(pattern);
  if (at == std::string::npos) return;
  std::string out;
  out.reserve(std::min(most, text.size() + text.size() / 2));
  size_t copied = 0;
  for (; at != std::string::npos; at = text.find(pattern, copied)) {
    out.append(text, copied, at - copied).append(content);
    copied = at + pattern.size();
    if (out.size() > most) refuse_growth();
  }
  out.append(text, copied);
  if (out.size() > most) refuse_growth();
  text = std::move(out);
}

// The byte of a token "<0xHH>"; nullopt for other tokens.
std::optional<char> byte_of(std::string_view piece) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return std::nullopt;
  const int high = digit(piece[3]), low = digit(piece[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Joins runs of byte tokens into text. A run that as a whole is not UTF-8 gives one U+FFFD per
// byte.
std::vector<std::string> join_bytes(const std::vector<std::string>& parts) {
  std::vector<std::string> out;
  std::string bytes;
  const auto flush = [&] {
    if (bytes.empty()) return;
    if (is_utf8(bytes)) {
      out.push_back(std::move(bytes));
    } else {
      std::string marks;
      for (size_t i = 0; i < bytes.size(); ++i) marks += "\xef\xbf\xbd";
      out.push_back(std::move(marks));
    }
    bytes.clear();
  };
  for (const std::string& part : parts) {
    if (const auto byte = byte_of(part)) {
      bytes += *byte;
    } else {
      flush();
      out.push_back(part);
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

}  // namespace

void AddedTokenMatcher::add(std::string_view pattern, const AddedToken& token) {
  uint32_t node = 0;
  for (const char c : pattern) {
    uint32_t child = child_of(node, c);
    if (child == 0) {
      child = static_cast<uint32_t>(nodes_.size());
      Node& fresh = nodes_.emplace_back();
      fresh.byte = c;
      fresh.sibling = nodes_[node].child;
      nodes_[node].child = child;
    }
    node = child;
  }
  nodes_[node].token = token.id;
  nodes_[node].strip_left = token.strip_left;
  nodes_[node].strip_right = token.strip_right;
}

uint32_t AddedTokenMatcher::child_of(uint32_t node, char byte) const {
  uint32_t child = nodes_[node].child;
  while (child != 0 && nodes_[child].byte != byte) child = nodes_[child].sibling;
  return child;
}

bool AddedTokenMatcher::next(std::string_view text, size_t from, Match& match) const {
  if (empty()) return false;
  for (size_t begin = from; begin < text.size(); ++begin) {
    const Node* found = nullptr;
    size_t end = begin;
    uint32_t node = 0;
    for (size_t i = begin; i < text.size(); ++i) {
      node = child_of(node, text[i]);
      if (node == 0) break;
      if (nodes_[node].token >= 0) {
        found = &nodes_[node];
        end = i + 1;
      }
    }
    if (!found) continue;
    match.begin = begin;
    match.end = end;
    match.id = found->token;
    match.strip_left = found->strip_left;
    match.strip_right = found->strip_right;
    return true;
  }
  return false;
}

// Start of the run of white space that ends at `end`, but not before `low`.
size_t AddedTokenMatcher::space_begin(std::string_view text, size_t low, size_t end) {
  while (end > low) {
    const Utf8Char last = last_char(text.substr(low, end - low));
    if (!is_white_space(last.code)) break;
    end -= last.bytes;
  }
  return end;
}

size_t AddedTokenMatcher::space_end(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    const Utf8Char next = first_char(text.substr(begin));
    if (!is_white_space(next.code)) break;
    begin += next.bytes;
  }
  return begin;
}

std::string Tokenizer::normalize(std::string_view text) const {
  const size_t most = most_bytes(text.size());
  std::string out(text);
  for (const NormalizeStep& step : normalize_) {
    if (!step.is_prepend)
      replace_all(out, step.pattern, step.content, most);
    else if (!out.empty())
      out.insert(0, step.content);
    if (out.size() > most) refuse_growth();
  }
  return out;
}

void Tokenizer::encode_piece(std::string_view piece, bool is_first,
                             std::vector<int32_t>& ids) const {
  if (!metaspace_) return model_.encode(piece, ids);
  std::string text(piece);
  const std::string& mark = metaspace_->mark;
  replace_all(text, " ", mark, most_bytes(text.size()));
  const bool is_wanted = metaspace_->prepend == Metaspace::Prepend::kAlways ||
                         (metaspace_->prepend == Metaspace::Prepend::kFirst && is_first);
  if (is_wanted && !text.starts_with(mark)) text.insert(0, mark);
  if (!metaspace_->split) return model_.encode(text, ids);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(mark, begin + 1), text.size());
    model_.encode(std::string_view(text).substr(begin, end - begin), ids);
    begin = end;
  }
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, bool add_special_tokens) const {
  if (text.size() > kMaxTextBytes)
    throw_bad_input({"text is too long", "tokenizer", fmt::format("{} bytes", text.size()),
                     fmt::format("at most {} bytes", kMaxTextBytes), ""});
  std::vector<int32_t> ids;
  if (add_special_tokens) ids = template_before_;
  const auto on_token = [&](int32_t id) { ids.push_back(id); };
  const auto on_raw = [&](std::string_view raw) {
    const std::string normalized = normalize(raw);
    const auto on_normalized = [&](std::string_view piece) {
      encode_piece(piece, raw.data() == text.data() && piece.data() == normalized.data(), ids);
    };
    normalized_matcher_.split(normalized, on_normalized, on_token);
  };
  raw_matcher_.split(text, on_raw, on_token);
  if (add_special_tokens) ids.insert(ids.end(), template_after_.begin(), template_after_.end());
  return ids;
}

void Tokenizer::apply(const DecodeStep& step, std::vector<std::string>& parts, size_t most) const {
  const auto replace = [&](std::string& part, const std::string& content) {
    replace_all(part, step.pattern, content, most);
    if (part.size() > most) refuse_growth();
    most -= part.size();
  };
  switch (step.kind) {
    case DecodeStep::Kind::kReplace:
      for (std::string& part : parts) replace(part, step.content);
      return;
    case DecodeStep::Kind::kByteFallback:
      parts = join_bytes(parts);
      return;
    case DecodeStep::Kind::kFuse: {
      std::string joined;
      for (const std::string& part : parts) joined += part;
      parts.assign(1, std::move(joined));
      return;
    }
    case DecodeStep::Kind::kStrip:
      for (std::string& part : parts) strip(part, step.content, step.start, step.stop);
      return;
    case DecodeStep::Kind::kMetaspace:
      for (size_t i = 0; i < parts.size(); ++i)
        replace(parts[i], i == 0 && step.drops_first ? "" : step.content);
      return;
  }
}

std::string Tokenizer::decode(std::span<const int32_t> tokens, bool skip_special_tokens) const {
  std::vector<std::string> parts;
  parts.reserve(tokens.size());
  for (const int32_t token : tokens)
    if (token >= 0 && token < vocab_size() && !(skip_special_tokens && is_special(token)))
      parts.push_back(piece(token));
  size_t bytes = 0;
  for (const std::string& part : parts) bytes += part.size();
  for (const DecodeStep& step : decode_) apply(step, parts, most_bytes(bytes));
  return fmt::format("{}", fmt::join(parts, has_decoder_ ? "" : " "));
}

std::string Tokenizer::token_text(int32_t token) const {
  if (token < 0 || token >= vocab_size()) return fmt::format("<{}>", token);
  if (is_special(token)) return piece(token);
  std::vector<std::string> parts{piece(token)};
  const size_t most = most_bytes(parts[0].size());
  for (const DecodeStep& step : decode_)
    if (step.kind == DecodeStep::Kind::kReplace || step.kind == DecodeStep::Kind::kMetaspace)
      replace_all(parts[0], step.pattern, step.content, most);
  if (const auto byte = byte_of(parts[0])) parts[0].assign(1, *byte);
  std::string shown;
  for (std::string_view rest = parts[0]; !rest.empty();) {
    const Utf8Char next = first_char(rest);
    const bool is_white = next.code == '\n' || next.code == '\t';  // views draw a mark for these
    const bool is_printable = next.code >= 0 && (is_white || !u_isISOControl(next.code));
    for (const char byte : rest.substr(0, next.bytes))
      shown += is_printable ? std::string(1, byte)
                            : fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte));
    rest.remove_prefix(next.bytes);
  }
  return shown;
}

std::optional<int32_t> Tokenizer::find(std::string_view piece) const {
  if (const auto added = added_ids_.find(piece); added != added_ids_.end()) return added->second;
  if (const auto known = model_.ids.find(piece); known != model_.ids.end()) return known->second;
  return std::nullopt;
}

bool Tokenizer::is_special(int32_t token) const {
  return token >= 0 && token < vocab_size() && special_[static_cast<size_t>(token)];
}

}  // namespace attn
