// SPDX-License-Identifier: GPL-3.0-or-later
// Notes: what a person writes about a step of a run. They do not affect the run. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct StepNote {
  uint32_t step = 0;  // from 1
  std::string text;   // 1 to kMostNoteBytes bytes
  bool operator==(const StepNote&) const = default;
};
inline constexpr size_t kMostNoteBytes = 4096;
inline constexpr size_t kMostNotes = 1000;  // per run

struct NoteFault {
  std::string what, found, allowed;
};
// What is wrong with the step of a note; nullopt: nothing. before: the step of the previous note,
// 0: none; steps must ascend. num_steps: steps of the run that have ended.
std::optional<NoteFault> fault_of_step(int64_t step, int64_t before, int64_t num_steps);
std::optional<NoteFault> fault_of_text(std::string_view text);
// Throws Error(kBadInput) for too many notes, or for the first with a fault. where: for the error.
void check_notes(const std::vector<StepNote>& notes, int64_t num_steps, const std::string& where);

std::string notes_csv(const std::vector<StepNote>& notes);

}  // namespace attn
