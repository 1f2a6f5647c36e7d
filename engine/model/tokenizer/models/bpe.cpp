// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/models/bpe.h"

#include <algorithm>
#include <bit>

#include "engine/core/utf8.h"

namespace attn {

MergeTable::MergeTable(size_t expected)
    : slots_(std::bit_ceil(std::max<size_t>(16, expected * 2 + 1))) {}

size_t MergeTable::slot_of(uint64_t pair) const {
  const size_t mask = slots_.size() - 1;
  size_t at = static_cast<size_t>((pair * 0x9e3779b97f4a7c15u) >> 36) & mask;
  while (slots_[at].pair != kEmpty && slots_[at].pair != pair) at = (at + 1) & mask;
  return at;
}

void MergeTable::set(int32_t left, int32_t right, Merge merge) {
  if ((used_ + 1) * 2 > slots_.size()) grow();
  Slot& slot = slots_[slot_of(key(left, right))];
  used_ += slot.pair == kEmpty;
  slot = {key(left, right), merge};
}

void MergeTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.pair != kEmpty) slots_[slot_of(slot.pair)] = slot;
}

const MergeTable::Merge* MergeTable::find(int32_t left, int32_t right) const {
  const Slot& slot = slots_[slot_of(key(left, right))];
  return slot.pair == kEmpty ? nullptr : &slot.merge;
}

namespace {

// The symbols of a word are a doubly linked list in one array. A merge gives the left symbol the
// new token and drops the right one.
struct Symbol {
  int32_t token;  // -1: merged away
  int32_t previous, next;
};

struct Candidate {
  uint32_t rank;
  int32_t left;  // index of the left symbol
  int32_t token;
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

// Merges symbols [begin, end), which no merge joins with the symbols around them. candidates:
// scratch memory.
void merge_part(const MergeTable& merges, std::vector<Symbol>& symbols, size_t begin, size_t end,
                std::vector<Candidate>& candidates) {
  candidates.clear();
  for (size_t i = begin; i + 1 < end; ++i)
    if (const auto* merge = merges.find(symbols[i].token, symbols[i + 1].token))
      candidates.push_back({merge->rank, static_cast<int32_t>(i), merge->token});
  std::make_heap(candidates.begin(), candidates.end());

  const auto symbol = [&](int32_t index) -> Symbol& { return symbols[static_cast<size_t>(index)]; };
  const auto offer = [&](int32_t left) {
    if (left < 0 || symbol(left).next < 0) return;
    const auto* merge = merges.find(symbol(left).token, symbol(symbol(left).next).token);
    if (!merge) return;
    candidates.push_back({merge->rank, left, merge->token});
    std::push_heap(candidates.begin(), candidates.end());
  };
  while (!candidates.empty()) {
    const Candidate best = candidates.front();
    std::pop_heap(candidates.begin(), candidates.end());
    candidates.pop_back();
    Symbol& left = symbol(best.left);
    if (left.token < 0 || left.next < 0) continue;
    Symbol& right = symbol(left.next);
    // The pair may have changed since it was queued.
    const auto* merge = merges.find(left.token, right.token);
    if (!merge || merge->token != best.token) continue;
    left.token = best.token;
    left.next = right.next;
    right.token = -1;
    if (left.next >= 0) symbol(left.next).previous = best.left;
    offer(left.previous);
    offer(best.left);
  }
}

void merge_all(const MergeTable& merges, const MergeJoints& joints, std::vector<Symbol>& symbols) {
  std::vector<Candidate> candidates;
  for (size_t begin = 0, end = 1; begin < symbols.size(); ++end) {
    if (end < symbols.size() && joints.may_join(symbols[end - 1].token, symbols[end].token))
      continue;
    if (end - begin > 1) merge_part(merges, symbols, begin, end, candidates);
    begin = end;
  }
}

}  // namespace

void BpeModel::encode(std::string_view word, const TokenIds& ids, std::vector<int32_t>& out) const {
  if (ignore_merges)
    if (const auto whole = ids.find(word); whole != ids.end()) {
      out.push_back(whole->second);
      return;
    }
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  const auto add = [&](int32_t token) {
    const auto index = static_cast<int32_t>(symbols.size());
    symbols.push_back({token, index - 1, index + 1});
  };
  std::string marked;
  bool unknown_waits = false;
  for (size_t i = 0; i < word.size();) {
    std::string_view character = word.substr(i, first_char(word.substr(i)).bytes);
    const bool is_first = i == 0, is_last = i + character.size() == word.size();
    i += character.size();
    if ((!is_first && !prefix.empty()) || (is_last && !suffix.empty())) {
      marked.assign(is_first ? "" : prefix).append(character).append(is_last ? suffix : "");
      character = marked;
    }
    if (const auto known = ids.find(character); known != ids.end()) {
      if (unknown_waits) add(*unknown);
      unknown_waits = false;
      add(known->second);
      continue;
    }
    const auto byte_token = [&](char c) { return byte_tokens[static_cast<unsigned char>(c)]; };
    if (byte_fallback && std::all_of(character.begin(), character.end(),
                                     [&](char c) { return byte_token(c) >= 0; })) {
      for (const char c : character) add(byte_token(c));
      continue;
    }
    if (!unknown) continue;
    if (unknown_waits && !fuse_unknown) add(*unknown);
    unknown_waits = true;
  }
  if (unknown_waits) add(*unknown);
  if (symbols.empty()) return;
  symbols.back().next = -1;
  merge_all(merges, joints, symbols);
  for (int32_t i = 0; i >= 0; i = symbols[static_cast<size_t>(i)].next)
    out.push_back(symbols[static_cast<size_t>(i)].token);
}

}  // namespace attn
