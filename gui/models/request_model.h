// SPDX-License-Identifier: GPL-3.0-or-later
// RequestModel: the requests of the edited scenario as a table, with their states at the shown step
// of the run. The row of a request is its index in the scenario. After these rows come the requests
// that are only in the run (RunControl::additions_to_run()). GUI thread; no Widgets.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "gui/models/run_control.h"
#include "gui/models/time_cursor.h"
#include "gui/models/words/request_words.h"

namespace attn::gui {

class RequestModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kState, kPrompt, kGenerated, kBlocks, kColumnCount };
  enum Role { kRequestRole = Qt::UserRole + 1, kStateRole };

  explicit RequestModel(RunControl& control, QObject* parent = nullptr);
  void follow(TimeCursor& cursor);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;
  int64_t request_at(int row) const;  // id; -1: not in the run at the shown step, or no such row
  int row_of(int64_t request) const;  // -1: no row has it
  bool is_addition(int row) const;    // whether the request is only in the run

 private:
  void refresh();

  struct Row {
    int64_t request = -1;
    QString name, note, state_words, state_explanation;
    std::optional<RequestState> state;  // nullopt: at the shown step it is not in the run
    bool joining = false;               // true: sent to the run, and in no announced snapshot yet
    bool addition = false;
    qint64 prompt = 0, generated = 0, blocks = 0;
    bool operator==(const Row&) const = default;
  };
  Row row_for(int index) const;
  Row row_for(const RunControl::Addition& addition) const;
  static QString addition_words(const Row& row);
  void show_state(Row& row, int64_t id) const;

  const std::shared_ptr<const EngineSnapshot>& snapshot() const {
    return cursor_ ? cursor_->snapshot() : control_.bridge().snapshot();
  }

  RunControl& control_;
  TimeCursor* cursor_ = nullptr;
  std::vector<Row> rows_;
};

}  // namespace attn::gui
