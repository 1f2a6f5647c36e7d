// SPDX-License-Identifier: GPL-3.0-or-later
// PlaceInput: a cell, row, token, block, head, request or step that the learner chooses in a view
// or names by numbers. GUI thread.
#pragma once

#include <QLabel>
#include <QWidget>
#include <optional>
#include <vector>

#include "gui/models/lesson/lesson_places.h"
#include "gui/views/lessons/number_input.h"

namespace attn::gui {

class PlaceInput : public QWidget {
  Q_OBJECT
 public:
  PlaceInput(lesson::PlaceKind kind, EngineBridge& bridge, Selection& selection, TimeCursor& cursor,
             QWidget* parent = nullptr);
  std::optional<lesson::Place> place() const { return place_; }
  // "token 3 “·girl”"; empty: no place.
  QString words() const;
  void begin();  // focuses the first number
  void close();  // disables the fields
  bool is_open() const { return open_; }
  AnswerField* field(int index) const { return fields_[static_cast<size_t>(index)].box; }

 signals:
  void changed();

 private:
  struct Field {
    QLabel* name;
    AnswerField* box;
    int64_t most;  // the largest number
    int64_t lesson::Place::*field;
  };
  void build_fields();
  void take_selection();
  void take_numbers();
  void fill();
  void restyle();
  lesson::PlaceKind kind_;
  EngineBridge& bridge_;
  Selection& selection_;
  TimeCursor& cursor_;
  std::vector<Field> fields_;
  QLabel *how_, *meant_;
  RefusalLabel* refusal_;
  std::optional<lesson::Place> place_;
  bool open_ = true, filling_ = false;
};

}  // namespace attn::gui
