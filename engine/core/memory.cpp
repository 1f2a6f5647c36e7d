// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/limits.h"

namespace attn {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

// The number of the first line "<key> <number> ..."; nullopt if there is none.
std::optional<int64_t> keyed_number(const std::filesystem::path& file, std::string_view key) {
  std::ifstream in(file);
  std::string word;
  int64_t value = 0;
  while (in >> word) {
    if (word == key) return in >> value ? std::optional(value) : std::nullopt;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

// The number that a file begins with; nullopt for other text, such as "max", and for missing files.
std::optional<int64_t> lone_number(const std::filesystem::path& file) {
  std::ifstream in(file);
  int64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

// What is left below the limit of one control group. Inactive file pages count as used but can be
// reclaimed, so they are added back.
int64_t group_headroom(const std::filesystem::path& folder, const char* limit_file,
                       const char* usage_file, const char* file_pages_key) {
  const auto limit = lone_number(folder / limit_file);
  if (!limit) return kUnlimited;
  const int64_t used = lone_number(folder / usage_file).value_or(0);
  const int64_t reclaimable = keyed_number(folder / "memory.stat", file_pages_key).value_or(0);
  return std::max<int64_t>(0, *limit - std::max<int64_t>(0, used - reclaimable));
}

// A group's limit also holds for the groups below it, so this takes the smallest headroom from
// `top` down to `top / group`.
int64_t lowest_headroom(const std::filesystem::path& top, const std::filesystem::path& group,
                        const char* limit_file, const char* usage_file,
                        const char* file_pages_key) {
  int64_t lowest = group_headroom(top, limit_file, usage_file, file_pages_key);
  std::filesystem::path folder = top;
  for (const auto& part : group.relative_path()) {
    if (part == "..") break;  // a group outside this namespace
    folder /= part;
    lowest = std::min(lowest, group_headroom(folder, limit_file, usage_file, file_pages_key));
  }
  return lowest;
}

// What the limit `limit` of /proc/self/limits still allows. used_key: the line of /proc/self/status
// that says, in KiB, how much of it this process already uses.
int64_t limit_headroom(const std::filesystem::path& root, std::string_view limit,
                       std::string_view used_key) {
  std::ifstream in(root / "proc/self/limits");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(limit)) continue;
    // The first number of the line is the soft limit; "unlimited" may stand in its place.
    int64_t most = 0;
    const char* const begin = line.data() + std::min(line.size(), limit.size());
    const char* const end = line.data() + line.size();
    const char* const digits = std::find_if(begin, end, [](char c) { return c != ' '; });
    if (std::from_chars(digits, end, most).ec != std::errc{}) return kUnlimited;
    const int64_t used = keyed_number(root / "proc/self/status", used_key).value_or(0);
    return std::max<int64_t>(0, most - std::min(used, kUnlimited / 1024) * 1024);
  }
  return kUnlimited;
}

int64_t control_group_headroom(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  int64_t lowest = kUnlimited;
  // Lines of /proc/self/cgroup are "id:controllers:/group"; version 2 has the line "0::/group".
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    const auto base = root / "sys/fs/cgroup";
    if (controllers == ",,") {
      lowest = std::min(
          lowest, lowest_headroom(base, group, "memory.max", "memory.current", "inactive_file"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      lowest = std::min(lowest, lowest_headroom(base / "memory", group, "memory.limit_in_bytes",
                                                "memory.usage_in_bytes", "total_inactive_file"));
    }
  }
  return lowest;
}

}  // namespace

int64_t available_memory_bytes(const std::filesystem::path& root) {
  const auto kib = keyed_number(root / "proc/meminfo", "MemAvailable:");
  const int64_t machine = kib && *kib < kUnlimited / 1024 ? *kib * 1024 : kUnlimited;
  return std::min({machine, control_group_headroom(root),
                   limit_headroom(root, "Max address space", "VmSize:"),
                   limit_headroom(root, "Max data size", "VmData:")});
}

int64_t allowed_memory_bytes(int64_t available) {
  return available / 100 * kMemoryPercent + available % 100 * kMemoryPercent / 100;
}

std::string allowed_memory_text(int64_t available) {
  return fmt::format("{}% of the {} that are available = {}", kMemoryPercent,
                     bytes_text(static_cast<double>(available)),
                     bytes_text(static_cast<double>(allowed_memory_bytes(available))));
}

std::string bytes_text(double bytes) {
  if (bytes >= 0x1p30) return fmt::format("{:.2f} GiB", bytes / 0x1p30);
  if (bytes >= 0x1p20) return fmt::format("{:.2f} MiB", bytes / 0x1p20);
  if (bytes >= 0x1p10) return fmt::format("{:.2f} KiB", bytes / 0x1p10);
  return fmt::format("{:.0f} bytes", bytes);
}

void ask_memory(const MemoryNeed& need, int64_t available) {
  if (need.bytes <= static_cast<double>(allowed_memory_bytes(available))) return;
  throw_bad_input({need.what, need.where, need.found.empty() ? bytes_text(need.bytes) : need.found,
                   allowed_memory_text(available), need.advice});
}

void ask_memory(const MemoryNeed& need) {
  if (need.bytes >= static_cast<double>(kSmallNeed)) ask_memory(need, available_memory_bytes());
}

}  // namespace attn
