// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the cells and columns of the table of events. EventsModel: the rows in sight, as an
// item model: a window on EventRows that is moved by scrolling. GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <vector>

#include "gui/views/events/rows/event_rows.h"

namespace attn::gui {

struct EventCells {
  std::array<QString, kEventColumns> texts;
  uint32_t event = 0;
  bool warning = false;
};

QString column_title(EventColumn column);  // "time, ms"
QString column_meaning(EventColumn column);
bool is_right_aligned(EventColumn column);
// An empty `names` shows requests by their numbers.
EventCells cells_of(const TraceEvent& event, uint32_t index, int64_t step,
                    std::span<const std::string> messages, const RequestNames& names);

class EventsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { kEventRole = Qt::UserRole + 1, kWarningRole };

  explicit EventsModel(EventRows& rows, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

  // Moves the window to rows [first, first + most) of EventRows, or to as many of them as there
  // are.
  void set_window(uint64_t first, int most);
  uint64_t first() const { return first_; }
  void set_names(RequestNames names) { names_ = std::move(names); }
  // Reads the same window again.
  void refresh() { set_window(first_, most_); }
  const std::vector<EventCells>& cells() const { return cells_; }
  // Reads rows outside the window, too.
  std::vector<EventCells> read(uint64_t first, uint64_t count) const;

 private:
  EventRows& rows_;
  RequestNames names_;
  uint64_t first_ = 0;
  int most_ = 0;
  std::vector<EventCells> cells_;
};

}  // namespace attn::gui
