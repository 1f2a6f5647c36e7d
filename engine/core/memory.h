// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory is available, how much of it may be taken, and the check that refuses more. Any
// thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace attn {

// In bytes: MemAvailable of the machine, or less if the control groups or the limits of this
// process (`ulimit -v`, `ulimit -d`) leave less. `root`: the folder that holds proc and sys.
int64_t available_memory_bytes(const std::filesystem::path& root = "/");
// kMemoryPercent of `available`.
int64_t allowed_memory_bytes(int64_t available);
// For messages: "70% of the 8.00 GiB that are available = 5.60 GiB".
std::string allowed_memory_text(int64_t available);
// "1.50 GiB", "12.25 MiB", "3.00 KiB", "17 bytes".
std::string bytes_text(double bytes);

// How much memory is wanted, and the parts of the message if it is too much.
struct MemoryNeed {
  double bytes = 0;
  std::string what;    // "the model does not fit in memory"
  std::string where;   // "$.requests", "model.safetensors"
  std::string found;   // how the bytes are computed; empty: the bytes alone
  std::string advice;  // "Use a smaller model"
};
// Throws Error(kBadInput) with the arithmetic if `need` is more than the allowed share of
// `available`.
void ask_memory(const MemoryNeed& need, int64_t available);
// The same check against available_memory_bytes(). A need below kSmallNeed is not checked.
void ask_memory(const MemoryNeed& need);
inline constexpr int64_t kSmallNeed = int64_t{8} << 20;

}  // namespace attn
