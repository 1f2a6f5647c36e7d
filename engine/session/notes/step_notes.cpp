// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/notes/step_notes.h"

#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/utf8.h"
#include "engine/session/report/report.h"

namespace attn {

std::optional<NoteFault> fault_of_step(int64_t step, int64_t before, int64_t num_steps) {
  if (step < 1 || step > num_steps)
    return NoteFault{
        "the run has no such step, so it has no note", fmt::format("{}", step),
        num_steps > 0 ? fmt::format("1 to {}", num_steps) : "no note, because no step has ended"};
  if (step <= before)
    return NoteFault{"two notes have the same step, or the notes are not in order",
                     fmt::format("step {}", step), fmt::format("more than {}", before)};
  return std::nullopt;
}

std::optional<NoteFault> fault_of_text(std::string_view text) {
  if (text.empty() || text.size() > kMostNoteBytes)
    return NoteFault{text.empty() ? "note is empty" : "note is too long",
                     fmt::format("{} bytes", text.size()),
                     fmt::format("1 to {} bytes", kMostNoteBytes)};
  if (!is_utf8(text)) return NoteFault{"note is not UTF-8", "other bytes", "UTF-8"};
  return std::nullopt;
}

void check_notes(const std::vector<StepNote>& notes, int64_t num_steps, const std::string& where) {
  const auto refuse_if = [&where](const std::optional<NoteFault>& fault) {
    if (fault) throw_bad_input({fault->what, where, fault->found, fault->allowed, ""});
  };
  if (notes.size() > kMostNotes)
    refuse_if(NoteFault{"there are too many notes", fmt::format("{}", notes.size()),
                        fmt::format("at most {}", kMostNotes)});
  int64_t before = 0;
  for (const StepNote& note : notes) {
    refuse_if(fault_of_step(note.step, before, num_steps));
    refuse_if(fault_of_text(note.text));
    before = note.step;
  }
}

std::string notes_csv(const std::vector<StepNote>& notes) {
  std::string out = "step,text\n";
  for (const StepNote& note : notes) out += fmt::format("{},{}\n", note.step, csv_cell(note.text));
  return out;
}

}  // namespace attn
