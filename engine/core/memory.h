// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory there is, and how much of it may be taken. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace attn {

// MemAvailable of the machine, or what the control groups of this process still allow if that is
// less. `root`: the folder that holds proc and sys; tests use another one.
int64_t available_memory_bytes(const std::filesystem::path& root = "/");
// kMemoryPercent of `available`: what a run, a model or a file may take.
int64_t allowed_memory_bytes(int64_t available);
// For messages: "70% of the 8.00 GiB that are available = 5.60 GiB".
std::string allowed_memory_text(int64_t available);
// "1.50 GiB", "12.25 MiB", "3.00 KiB", "17 bytes".
std::string bytes_text(double bytes);

}  // namespace attn
