// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers, texts and lists are stored in a chunk of a session file. PutBytes writes, TakeBytes
// reads and checks. For code that saves or loads sessions. Any thread.
//
//   whole number  its distance from the least allowed value, 7 bits a byte, the lowest first;
//                 the high bit is set in all bytes but the last
//   difference    2 * n, or -2 * n - 1 where n is negative, as a whole number
//   real number   its bits, little endian: 4 or 8 bytes
//   text          number of bytes, UTF-8
//   list          number of items, the items
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/limits.h"
#include "engine/scheduler/request.h"

namespace attn {

static_assert(std::endian::native == std::endian::little, "session files are copied as they are");

// Throws std::logic_error for a value that a session file cannot hold.
class PutBytes {
 public:
  static constexpr bool kReads = false;
  std::string bytes;

  template <class T>
  void number(const T& value, int64_t low, int64_t high, const char* name) {
    const auto whole = static_cast<int64_t>(value);
    if (whole < low || whole > high)
      throw std::logic_error(std::string(name) + " does not fit a session file");
    natural(static_cast<uint64_t>(whole) - static_cast<uint64_t>(low));
  }
  template <class T>
  void index(const T& value, int64_t count, const char* name) {
    number(value, 0, count - 1, name);
  }
  // For numbers of either sign that are mostly near 0; coded in the order 0, -1, 1, -2, ...
  void difference(int64_t value, const char*) {
    natural(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }
  void flag(bool value, const char*) { bytes += value ? '\1' : '\0'; }
  template <class T>
  void real(const T& value, const char* name) {
    if (!std::isfinite(value))
      throw std::logic_error(std::string(name) + " does not fit a session file");
    any_real(value, name);
  }
  template <class T>
  void any_real(const T& value, const char*) {
    raw(&value, sizeof value);
  }
  void text(const std::string& value, const char*) {
    natural(value.size());
    bytes += value;
  }
  template <class T, class Each>
  void list(const std::vector<T>& items, uint64_t most, const char* name, Each&& each) {
    if (items.size() > most)
      throw std::logic_error(std::string(name) + ": more than fit a session file");
    natural(items.size());
    for (const T& item : items) each(item);
  }
  template <class T, class Each>
  void maybe(const std::optional<T>& value, const char* name, Each&& each) {
    flag(value.has_value(), name);
    if (value) each(*value);
  }
  void natural(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
  void raw(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

// A value of a session file and where it stands, for tests/fuzz.
struct SessionValue {
  enum class Kind { kNumber, kNatural, kDifference, kFlag, kBytes };
  Kind kind = Kind::kBytes;
  const char* name = "";
  uint64_t offset = 0, size = 0;  // bytes of the file
  int64_t low = 0, high = 0;      // kNumber: what is allowed
};

// Reads `bytes`, which must outlive it. Throws Error(kBadInput), which names the file, the byte,
// the chunk and the value.
class TakeBytes {
 public:
  static constexpr bool kReads = true;

  // offset: where `bytes` begin in the file.
  TakeBytes(std::string_view bytes, std::string file, std::string chunk, uint64_t offset)
      : bytes_(bytes), file_(std::move(file)), chunk_(std::move(chunk)), offset_(offset) {}

  // Reads a number from `low` to `high`. Throws std::logic_error if low > high. Call index()
  // instead where a file can make the range empty.
  template <class T>
  void number(T& value, int64_t low, int64_t high, const char* name) {
    if (low > high) throw std::logic_error(std::string(name) + " has no number that is allowed");
    const size_t begin = at_;
    const uint64_t distance = untold_natural(name);
    tell(SessionValue::Kind::kNumber, name, low, high);
    if (distance > static_cast<uint64_t>(high) - static_cast<uint64_t>(low))
      refuse_number(begin, name, distance, low, high);
    value = static_cast<T>(static_cast<int64_t>(static_cast<uint64_t>(low) + distance));
  }
  // Reads an index into a list of `count` items. If count is 0, any index is refused.
  template <class T>
  void index(T& value, int64_t count, const char* name) {
    if (count < 1) refuse_index(name);
    number(value, 0, count - 1, name);
  }
  void difference(int64_t& value, const char* name) {
    const uint64_t coded = untold_natural(name);
    tell(SessionValue::Kind::kDifference, name);
    value = static_cast<int64_t>(coded >> 1 ^ (0 - (coded & 1)));
  }
  void flag(bool& value, const char* name);
  // Refuses infinities and NaN.
  template <class T>
  void real(T& value, const char* name) {
    const size_t begin = at_;
    raw(&value, sizeof value, name);
    if (!std::isfinite(value)) refuse_real(begin, name);
  }
  // Reads a real number that may be infinite or NaN, such as the log-probability of an impossible
  // beam.
  template <class T>
  void any_real(T& value, const char* name) {
    raw(&value, sizeof value, name);
  }
  void text(std::string& value, const char* name);
  // Makes the items one by one, so that a false length does not reserve memory.
  template <class T, class Each>
  void list(std::vector<T>& items, uint64_t most, const char* name, Each&& each) {
    const uint64_t count = length(most, name);
    items.clear();
    for (uint64_t i = 0; i < count; ++i) each(items.emplace_back());
    items.shrink_to_fit();
  }
  template <class T, class Each>
  void maybe(std::optional<T>& value, const char* name, Each&& each) {
    bool there = false;
    flag(there, name);
    value.reset();
    if (there) each(value.emplace());
  }
  uint64_t natural(const char* name);
  void raw(void* to, size_t size, const char* name);
  std::string_view raw(uint64_t size, const char* name);
  // Reads the number of items that follow. Refuses more than `most` or than the remaining bytes.
  uint64_t length(uint64_t most, const char* name);

  // Is told of values before they are checked; null: off. Set it while no file is read.
  static inline const std::function<void(const SessionValue&)>* watcher = nullptr;

  uint64_t remaining() const { return bytes_.size() - at_; }
  void expect_end() const;
  [[noreturn]] void refuse(std::string what, const char* name, std::string found,
                           std::string allowed) const;
  // The place of the value that was read last, as errors name it.
  std::string place(const char* name) const { return place_of(begin_, name); }

 private:
  uint64_t untold_natural(const char* name);
  void tell(SessionValue::Kind kind, const char* name, int64_t low = 0, int64_t high = 0) const {
    if (watcher) (*watcher)({kind, name, offset_ + begin_, at_ - begin_, low, high});
  }
  [[noreturn]] void refuse_index(const char* name);
  std::string place_of(size_t at, const char* name) const;
  [[noreturn]] void refuse_at(size_t at, std::string what, const char* name, std::string found,
                              std::string allowed) const;
  [[noreturn]] void refuse_number(size_t at, const char* name, uint64_t distance, int64_t low,
                                  int64_t high) const;
  [[noreturn]] void refuse_real(size_t at, const char* name) const;

  std::string_view bytes_;
  std::string file_, chunk_;
  uint64_t offset_;
  size_t at_ = 0, begin_ = 0;  // where the next value begins, and where the last one began
};

// Ranges that several chunks share.
inline constexpr int64_t kMostCount = int64_t{1} << 40;  // largest count of anything
inline constexpr int64_t kMostId = kMostPositions;       // also tokens of a request
inline constexpr int64_t kMostStep = std::numeric_limits<uint32_t>::max() - int64_t{1};
inline constexpr int64_t kMostTime = int64_t{1} << 62;  // ns

// Sizes of a run, against which values of its session file are checked.
struct SessionLimits {
  int64_t num_blocks = 0, num_swap_blocks = 0, block_size = 1;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0, head_size = 0;
  int64_t num_lanes = 1, num_steps = 0;
  bool has_encoder = false;                   // requests have encoder tokens
  bool caches_own = true, writes_own = true;  // as in Request
  bool has_prefixes = false;                  // there is a prefix tree
  std::vector<uint32_t> request_ids;          // ascending
  std::vector<int64_t> request_tokens;        // in the file's order
  std::vector<int64_t> prompt_tokens;         // in the file's order
  bool knows(uint32_t request) const;
  bool has_both_tables() const { return caches_own && has_encoder; }
  std::vector<TableKind> tables() const {
    std::vector<TableKind> kinds;
    if (caches_own) kinds.push_back(TableKind::kOwn);
    if (has_encoder) kinds.push_back(TableKind::kCross);
    return kinds;
  }
};

}  // namespace attn
