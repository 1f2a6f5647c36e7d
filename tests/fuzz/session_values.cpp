// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/session_values.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "engine/core/error.h"
#include "engine/session/session_file/session_events.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

using Kind = SessionValue::Kind;

std::string natural_bytes(uint64_t value) {
  PutBytes out;
  out.natural(value);
  return out.bytes;
}

uint64_t natural_in(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size() && i < 10; ++i)
    value |= (static_cast<uint64_t>(bytes[i]) & 0x7f) << (7 * i);
  return value;
}

uint64_t to_code(int64_t difference) {
  return static_cast<uint64_t>(difference) << 1 ^ static_cast<uint64_t>(difference >> 63);
}
int64_t from_code(uint64_t code) {
  return static_cast<int64_t>(code >> 1 ^ (0 - (code & 1)));
}

// An integer with a range (kNumber) is stored as its distance from `low`, the least value allowed.
// Returns a new distance, inside or outside of the range. `now` is the present one, `neighbour`
// that of another value.
uint64_t other_distance(Random& random, uint64_t now, uint64_t neighbour, int64_t low,
                        int64_t high) {
  const uint64_t most = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  switch (below(random, 10)) {
    case 0:
      return 0;
    case 1:
      return most;
    case 2:
      return ~uint64_t{0};  // this distance wraps around to low - 1
    case 3:
      return most + 1;
    case 4:
      return now + 1;
    case 5:
      return now - 1;
    case 6:
    case 7:
      return neighbour;
    case 8:
      return most == ~uint64_t{0} ? random() : random() % (most + 1);
    default:
      return std::min(most, uint64_t{1} << below(random, 64));
  }
}

// Overwrites a field of an event, or half of the 8-byte time at its start. A row state is as long
// as an event, but its fields lie elsewhere.
std::string other_record(Random& random, std::string bytes, std::string_view neighbour) {
  static constexpr std::pair<size_t, size_t> kFields[] = {{0, 8},  {8, 5},  {13, 1}, {14, 1},
                                                          {15, 1}, {16, 4}, {20, 4}, {24, 4},
                                                          {28, 4}, {0, 4},  {4, 4}};
  const auto [at, size] = kFields[below(random, std::size(kFields))];
  if (neighbour.size() == bytes.size() && below(random, 4) == 0)
    return bytes.replace(at, size, neighbour.substr(at, size));
  uint64_t now = 0;
  std::memcpy(&now, bytes.data() + at, size);
  const auto value = static_cast<uint64_t>(odd_number(random, static_cast<int64_t>(now)));
  std::memcpy(bytes.data() + at, &value, size);
  return bytes;
}

template <class Bits>
std::string raw_bytes(Bits bits) {
  return {reinterpret_cast<const char*>(&bits), sizeof bits};
}

std::string other_bytes(Random& random, std::string bytes, std::string_view neighbour) {
  if (bytes.size() == kEventBytes) return other_record(random, std::move(bytes), neighbour);
  if (below(random, 3) == 0 && neighbour.size() == bytes.size()) return std::string(neighbour);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (bytes.size() == 4) {
    static constexpr float kNumbers[] = {0.0f,   -0.0f,      1.0f,  -1.0f, 1e38f,    1e-45f,
                                         -1e38f, -kInfinity, 1e-3f, 64.0f, kInfinity};
    // 0x7fc0a77e as a log-sum-exp means that the row was not computed.
    static constexpr uint32_t kBits[] = {0x7fc0a77e, 0x7fc00000, 0xffffffff, 0x7f800001};
    return below(random, 3) ? raw_bytes(kNumbers[below(random, std::size(kNumbers))])
                            : raw_bytes(kBits[below(random, std::size(kBits))]);
  }
  if (bytes.size() == 8) {
    static constexpr double kNumbers[] = {0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, 1e18, 1e19};
    return raw_bytes(kNumbers[below(random, std::size(kNumbers))]);
  }
  if (!bytes.empty()) bytes[below(random, bytes.size())] = static_cast<char>(random());
  return bytes;
}

}  // namespace

ReadValues read_values(const std::filesystem::path& file) {
  ReadValues read;
  const std::function<void(const SessionValue&)> watch = [&read](const SessionValue& value) {
    read.values.push_back(value);
  };
  TakeBytes::watcher = &watch;
  try {
    read.session = load_session(file);
  } catch (const Error&) {
  } catch (...) {
    TakeBytes::watcher = nullptr;
    throw;
  }
  TakeBytes::watcher = nullptr;
  return read;
}

SessionChanger::SessionChanger(std::string bytes, const std::filesystem::path& scratch)
    : bytes_(std::move(bytes)) {
  test::write_bytes(scratch, bytes_);
  std::map<std::tuple<size_t, Kind, std::string>, Group> groups;
  const test::Chunks chunks(bytes_);
  const ReadValues read = read_values(scratch);
  is_accepted_ = read.session.has_value();
  for (const SessionValue& value : read.values) {
    if (value.size == 0) continue;
    const size_t chunk = std::min(kSingleChunks, chunks.at(value.offset).first);
    groups[{chunk, value.kind, value.name}].push_back(value);
  }
  for (auto& [name, group] : groups) groups_.push_back(std::move(group));
}

SessionChanger::Change SessionChanger::change_text(Random& random) const {
  test::Chunks chunks(bytes_);
  std::string& text = chunks.of(below(random, 3) == 0 ? ChunkKind::kView : ChunkKind::kScenario);
  JsonChange changed = change_json(text, random);
  text = std::move(changed.text);
  return {chunks.whole(), std::move(changed.what)};
}

SessionChanger::Change SessionChanger::change(Random& random) const {
  if (groups_.empty() || below(random, 12) == 0) return change_text(random);
  const Group& group = groups_[below(random, groups_.size())];
  const SessionValue& value = group[below(random, group.size())];
  const SessionValue& other = group[below(random, group.size())];
  const auto bytes_of = [this](const SessionValue& of) {
    return std::string_view(bytes_).substr(of.offset, of.size);
  };
  const std::string before(bytes_of(value));
  const uint64_t now = natural_in(before), neighbour = natural_in(bytes_of(other));
  std::string after;
  switch (value.kind) {
    case Kind::kNumber:
      after = natural_bytes(other_distance(random, now, neighbour, value.low, value.high));
      break;
    case Kind::kNatural:
      after = natural_bytes(
          below(random, 3) ? static_cast<uint64_t>(odd_number(random, static_cast<int64_t>(now)))
                           : neighbour);
      break;
    case Kind::kDifference:
      after =
          natural_bytes(below(random, 3) ? to_code(odd_number(random, from_code(now))) : neighbour);
      break;
    case Kind::kFlag:
      after = std::string(1, static_cast<char>(below(random, 8) == 0 ? 2 : now ^ 1));
      break;
    case Kind::kBytes:
      after = other_bytes(random, before, bytes_of(other));
      break;
  }
  test::Chunks chunks(bytes_);
  const auto [chunk, at] = chunks.at(value.offset);
  std::string& part = chunks.parts[chunk].second;
  part.replace(at, value.size, after);
  const auto hex = [](std::string_view bytes) {
    std::string text;
    for (const char c : bytes.substr(0, 32))
      fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<uint8_t>(c));
    return text;
  };
  return {chunks.whole(),
          fmt::format("{} of {}, byte {}: {} -> {}", value.name, chunks.parts[chunk].first.c_str(),
                      value.offset, hex(before), hex(after))};
}

}  // namespace attn::fuzz
