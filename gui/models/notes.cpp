// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/notes.h"

#include <algorithm>
#include <utility>

namespace attn::gui {
namespace {

template <class List>
auto place_of(List& notes, uint32_t step) {
  return std::ranges::lower_bound(notes, step, {}, &StepNote::step);
}

}  // namespace

Notes::Notes(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
  connect(&bridge, &EngineBridge::run_started, this, &Notes::begin_run);
  begin_run();
}

void Notes::begin_run() {
  const std::shared_ptr<const Recorder> run = bridge_.recorder();
  if (now_.run.lock()) earlier_.push_back(std::move(now_));
  now_ = {};
  std::erase_if(earlier_, [](const OfRun& one) { return one.run.expired(); });
  const auto known =
      std::ranges::find_if(earlier_, [&run](const OfRun& one) { return one.run.lock() == run; });
  if (run && known != earlier_.end()) {
    now_ = std::move(*known);
    earlier_.erase(known);
  } else if (const auto session = bridge_.session()) {
    now_.notes = now_.kept = session->notes;
  }
  now_.run = run;
  emit changed();
}

QString Notes::text(uint32_t step) const {
  const auto note = place_of(now_.notes, step);
  return note != now_.notes.end() && note->step == step ? QString::fromStdString(note->text)
                                                        : QString();
}

QString Notes::refusal_of(uint32_t step, const QString& text) const {
  const auto& snapshot = bridge_.snapshot();
  const auto ended =
      static_cast<int64_t>(snapshot && snapshot->steps ? snapshot->steps->size() : 0);
  if (step < 1 || int64_t{step} > ended) return tr("This step of the run has not ended.");
  if (text.isEmpty()) return {};
  if (const qsizetype bytes = text.toUtf8().size(); bytes > static_cast<qsizetype>(kMostNoteBytes))
    return tr("The note has %1 bytes. It may have up to %2.").arg(bytes).arg(kMostNoteBytes);
  if (now_.notes.size() >= kMostNotes && this->text(step).isEmpty())
    return tr("The run has %1 notes, and may not have more. Remove one first.").arg(kMostNotes);
  return {};
}

bool Notes::write(uint32_t step, const QString& text) {
  if (!refusal_of(step, text).isEmpty()) return false;
  Edit edit{step, this->text(step).toStdString(), text.toStdString()};
  if (edit.before == edit.after) return true;
  set(step, edit.after);
  now_.undo.push_back(std::move(edit));
  now_.redo.clear();
  emit changed();
  return true;
}

void Notes::set(uint32_t step, const std::string& text) {
  auto note = place_of(now_.notes, step);
  const bool there = note != now_.notes.end() && note->step == step;
  if (text.empty()) {
    if (there) now_.notes.erase(note);
  } else if (there) {
    note->text = text;
  } else {
    now_.notes.insert(note, {step, text});
  }
}

std::optional<uint32_t> Notes::neighbour(uint32_t step, int direction) const {
  const std::vector<StepNote>& notes = now_.notes;
  if (direction > 0) {
    const auto next = place_of(notes, step + 1);
    return next == notes.end() ? std::nullopt : std::optional(next->step);
  }
  const auto here = place_of(notes, step);
  return here == notes.begin() ? std::nullopt : std::optional(std::prev(here)->step);
}

uint32_t Notes::undo() {
  Edit edit = std::move(now_.undo.back());
  now_.undo.pop_back();
  set(edit.step, edit.before);
  const uint32_t step = edit.step;
  now_.redo.push_back(std::move(edit));
  emit changed();
  return step;
}

uint32_t Notes::redo() {
  Edit edit = std::move(now_.redo.back());
  now_.redo.pop_back();
  set(edit.step, edit.after);
  const uint32_t step = edit.step;
  now_.undo.push_back(std::move(edit));
  emit changed();
  return step;
}

}  // namespace attn::gui

#include "moc_notes.cpp"
