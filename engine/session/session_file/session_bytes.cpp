// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_file/session_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"

namespace attn {

std::string TakeBytes::place_of(size_t at, const char* name) const {
  return fmt::format("{}, byte {} ({}: {})", file_, offset_ + at, chunk_, name);
}

void TakeBytes::refuse_at(size_t at, std::string what, const char* name, std::string found,
                          std::string allowed) const {
  throw_bad_input({std::move(what), place_of(at, name), std::move(found), std::move(allowed), ""});
}

void TakeBytes::refuse(std::string what, const char* name, std::string found,
                       std::string allowed) const {
  refuse_at(begin_, std::move(what), name, std::move(found), std::move(allowed));
}

void TakeBytes::refuse_number(size_t at, const char* name, uint64_t distance, int64_t low,
                              int64_t high) const {
  // The number may not fit 64 bits, because the file holds its distance from `low`.
  int64_t value = 0;
  const bool fits = distance <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) &&
                    !__builtin_add_overflow(low, static_cast<int64_t>(distance), &value);
  refuse_at(at, "number is out of range", name,
            fits ? fmt::format("{}", value) : fmt::format("{} more than {}", distance, low),
            fmt::format("{} to {}", low, high));
}

void TakeBytes::refuse_real(size_t at, const char* name) const {
  refuse_at(at, "number is not finite", name, "infinity or NaN", "a finite number");
}

void TakeBytes::refuse_index(const char* name) {
  const uint64_t found = untold_natural(name);
  refuse("number is a place in a list that is empty", name, fmt::format("{}", found),
         "no number, because the run has none of these");
}

uint64_t TakeBytes::natural(const char* name) {
  const uint64_t value = untold_natural(name);
  tell(SessionValue::Kind::kNatural, name);
  return value;
}

uint64_t TakeBytes::untold_natural(const char* name) {
  begin_ = at_;
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at_ >= bytes_.size())
      refuse_at(begin_, "chunk ends inside a number", name,
                fmt::format("{} bytes", bytes_.size() - begin_), "the rest of the number");
    const auto byte = static_cast<uint8_t>(bytes_[at_++]);
    if (shift == 63 && byte > 1)
      refuse_at(begin_, "number is too large", name, "more than 64 bits", "at most 2^64 - 1");
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte & 0x80) continue;
    if (byte == 0 && shift > 0)
      refuse_at(begin_, "number is longer than it needs to be", name, "a last byte of 0",
                "the shortest form");
    return value;
  }
}

void TakeBytes::flag(bool& value, const char* name) {
  begin_ = at_;
  if (at_ >= bytes_.size())
    refuse_at(begin_, "chunk ends before a value", name, "nothing", "0 or 1");
  const auto byte = static_cast<uint8_t>(bytes_[at_++]);
  tell(SessionValue::Kind::kFlag, name);
  if (byte > 1)
    refuse_at(begin_, "value is neither 0 nor 1", name, fmt::format("{}", byte), "0 or 1");
  value = byte == 1;
}

std::string_view TakeBytes::raw(uint64_t size, const char* name) {
  begin_ = at_;
  if (size > remaining())
    refuse_at(begin_, "chunk ends inside a value", name, fmt::format("{} bytes left", remaining()),
              fmt::format("{} bytes", size));
  at_ += static_cast<size_t>(size);
  tell(SessionValue::Kind::kBytes, name);
  return bytes_.substr(begin_, static_cast<size_t>(size));
}

void TakeBytes::raw(void* to, size_t size, const char* name) {
  std::memcpy(to, raw(uint64_t{size}, name).data(), size);
}

void TakeBytes::text(std::string& value, const char* name) {
  const uint64_t size = natural(name);
  if (size > remaining())
    refuse("text ends past its chunk", name, fmt::format("{} bytes", size),
           fmt::format("at most {} bytes", remaining()));
  value = raw(size, name);
}

uint64_t TakeBytes::length(uint64_t most, const char* name) {
  const uint64_t count = natural(name);
  if (count > most || count > remaining())
    refuse("list is too long", name, fmt::format("{} items", count),
           fmt::format("at most {}", std::min<uint64_t>(most, remaining())));
  return count;
}

void TakeBytes::expect_end() const {
  if (remaining() > 0)
    refuse_at(at_, "chunk goes on after its last value", "end",
              fmt::format("{} more bytes", remaining()), "nothing");
}

bool SessionLimits::knows(uint32_t request) const {
  return std::ranges::binary_search(request_ids, request);
}

}  // namespace attn
