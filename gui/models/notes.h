// SPDX-License-Identifier: GPL-3.0-or-later
// Notes: the user's notes on steps of the shown run. Each run has its own notes; when an earlier
// run is shown again, its notes are there again. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

class Notes : public QObject {
  Q_OBJECT
 public:
  explicit Notes(EngineBridge& bridge, QObject* parent = nullptr);

  const std::vector<StepNote>& all() const { return now_.notes; }  // in the order of their steps
  QString text(uint32_t step) const;                               // empty: the step has no note
  // Why the text cannot be the note of the step; empty: it can. An empty text removes the note.
  QString refusal_of(uint32_t step, const QString& text) const;
  // An empty text removes the note. Returns false if refusal_of() has a reason; then nothing
  // changes.
  bool write(uint32_t step, const QString& text);
  // The nearest step with a note after `step` (direction > 0) or before it (direction < 0).
  std::optional<uint32_t> neighbour(uint32_t step, int direction) const;

  bool can_undo() const { return !now_.undo.empty(); }
  bool can_redo() const { return !now_.redo.empty(); }
  // undo() only if can_undo(), redo() only if can_redo(). They return the step whose note changed.
  uint32_t undo();
  uint32_t redo();

  // Whether the run has notes, and they differ from its notes when they were last saved, read from
  // a file or given up, if they were. Notes are given up if the user does not want them saved.
  bool has_unsaved() const { return now_.notes != now_.kept && !now_.notes.empty(); }
  void set_saved(const std::vector<StepNote>& notes) { now_.kept = notes; }
  void give_up() { now_.kept = now_.notes; }

 signals:
  void changed();

 private:
  struct Edit {
    uint32_t step = 0;
    std::string before, after;
  };
  struct OfRun {
    std::weak_ptr<const Recorder> run;
    std::vector<StepNote> notes, kept;  // kept: when last saved, read or given up; else empty
    std::vector<Edit> undo, redo;
  };
  void begin_run();
  void set(uint32_t step, const std::string& text);

  EngineBridge& bridge_;
  OfRun now_;
  std::vector<OfRun> earlier_;
};

}  // namespace attn::gui
