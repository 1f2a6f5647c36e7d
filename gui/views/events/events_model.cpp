// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/events_model.h"

#include <QLocale>
#include <algorithm>
#include <iterator>

#include "gui/models/plain_tooltip.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// A fixed number of decimals, so that the decimal points line up.
QString fixed(uint64_t ns, double unit_ns, int decimals) {
  return QLocale().toString(static_cast<double>(ns) / unit_ns, 'f', decimals);
}

QString or_nothing(int64_t value) {
  return value < 0 ? QString() : QString::number(value);
}

}  // namespace

QString column_title(EventColumn column) {
  switch (column) {
    case EventColumn::kNumber:
      return EventsModel::tr("#");
    case EventColumn::kTime:
      return EventsModel::tr("time, ms");
    case EventColumn::kDuration:
      return EventsModel::tr("duration, µs");
    case EventColumn::kKind:
      return EventsModel::tr("kind");
    case EventColumn::kLane:
      return EventsModel::tr("lane");
    case EventColumn::kStep:
      return EventsModel::tr("step");
    case EventColumn::kLayer:
      return EventsModel::tr("layer");
    case EventColumn::kRequest:
      return EventsModel::tr("request");
    case EventColumn::kBlock:
      return EventsModel::tr("block");
    case EventColumn::kDetails:
      return EventsModel::tr("details");
    case EventColumn::kCount:
      break;
  }
  return {};
}

QString column_meaning(EventColumn column) {
  switch (column) {
    case EventColumn::kNumber:
      return EventsModel::tr(
          "Place of the event in the list of recorded events; numbers of different threads do not "
          "tell which event was first.");
    case EventColumn::kTime:
      return EventsModel::tr(
          "Begin of the event, in milliseconds on the run's clock. A pause does not count.");
    case EventColumn::kDuration:
      return EventsModel::tr("Duration of a span in microseconds; a moment has none.");
    case EventColumn::kKind:
      return EventsModel::tr("What happened; filter by the kind with kind:tile, for example.");
    case EventColumn::kLane:
      return EventsModel::tr("The thread: the engine's thread or a worker.");
    case EventColumn::kStep:
      return EventsModel::tr("The engine step of the event; empty if the event is in no step.");
    case EventColumn::kLayer:
      return EventsModel::tr("The attention layer, from 0.");
    case EventColumn::kRequest:
      return EventsModel::tr(
          "The request that the event is about; filter by its name or number with request:Lily or "
          "request:0, for example.");
    case EventColumn::kBlock:
      return EventsModel::tr("The cache block that the event is about.");
    case EventColumn::kDetails:
      return EventsModel::tr(
          "What else the event says, such as its kernel, its keys or its bytes.");
    case EventColumn::kCount:
      break;
  }
  return {};
}

bool is_right_aligned(EventColumn column) {
  switch (column) {
    case EventColumn::kKind:
    case EventColumn::kLane:
    case EventColumn::kRequest:
    case EventColumn::kDetails:
      return false;
    default:
      return true;
  }
}

EventCells cells_of(const TraceEvent& event, uint32_t index, int64_t step,
                    std::span<const std::string> messages, const RequestNames& names) {
  EventCells cells;
  const auto at = [&cells](EventColumn column) -> QString& {
    return cells.texts[static_cast<size_t>(column)];
  };
  cells.event = index;
  cells.warning = event.kind == EventKind::kWarning;
  at(EventColumn::kNumber) = format_count(int64_t{index} + 1);
  at(EventColumn::kTime) = fixed(event.begin_ns, 1e6, 6);
  if (is_span(event.kind)) at(EventColumn::kDuration) = fixed(event.duration_ns, 1e3, 3);
  at(EventColumn::kKind) = kind_words(event.kind);
  at(EventColumn::kLane) = lane_words(event.lane);
  at(EventColumn::kStep) = or_nothing(step);
  if (event.layer != kNoLayer) at(EventColumn::kLayer) = QString::number(event.layer);
  const int64_t request = request_of(event);
  at(EventColumn::kRequest) = request >= 0 && names ? names(request) : or_nothing(request);
  at(EventColumn::kBlock) = or_nothing(block_of(event));
  at(EventColumn::kDetails) = details_words(event, messages, names);
  return cells;
}

EventsModel::EventsModel(EventRows& rows, QObject* parent)
    : QAbstractTableModel(parent), rows_(rows) {}

int EventsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(cells_.size());
}

int EventsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kEventColumns;
}

QVariant EventsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const EventCells& cells = cells_[static_cast<size_t>(index.row())];
  const auto column = static_cast<EventColumn>(index.column());
  const QString& text = cells.texts[static_cast<size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignVCenter |
                              (is_right_aligned(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole: {
      if (text.isEmpty()) return {};
      // The tooltip has the whole row, because a narrow table leaves columns out.
      QString all;
      for (int i = 0; i < kEventColumns; ++i)
        if (const QString& cell = cells.texts[static_cast<size_t>(i)]; !cell.isEmpty())
          all += (all.isEmpty() ? QString() : QStringLiteral("\n")) +
                 QStringLiteral("%1: %2").arg(column_title(static_cast<EventColumn>(i)), cell);
      return plain_tooltip(all);
    }
    case Qt::AccessibleTextRole:
      return text.isEmpty() ? tr("no %1").arg(column_title(column))
                            : QStringLiteral("%1: %2").arg(column_title(column), text);
    case kEventRole:
      return cells.event;
    case kWarningRole:
      return cells.warning;
    default:
      return {};
  }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) {
    if (role != Qt::DisplayRole || section < 0 || section >= rowCount()) return {};
    return format_count(static_cast<int64_t>(first_) + section + 1);
  }
  if (section < 0 || section >= kEventColumns) return {};
  const auto column = static_cast<EventColumn>(section);
  if (role == Qt::DisplayRole) return column_title(column);
  if (role == Qt::ToolTipRole)
    return plain_tooltip(column_meaning(column) + QLatin1Char('\n') +
                         tr("Click to sort; click again to reverse the order."));
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(Qt::AlignVCenter |
                            (is_right_aligned(column) ? Qt::AlignRight : Qt::AlignLeft));
  return {};
}

std::vector<EventCells> EventsModel::read(uint64_t first, uint64_t count) const {
  std::vector<EventCells> cells;
  const uint64_t last = std::min(rows_.size(), first + count);
  for (uint64_t row = first; row < last; ++row) {
    const uint32_t index = rows_.event_at(row);
    const TraceEvent event = rows_.event_of(index);
    cells.push_back(
        cells_of(event, index, rows_.step_at(event, index), rows_.now().messages, names_));
  }
  return cells;
}

void EventsModel::set_window(uint64_t first, int most) {
  first_ = first;
  most_ = most;
  std::vector<EventCells> now = read(first, static_cast<uint64_t>(std::max(0, most)));
  const int before = rowCount(), after = static_cast<int>(now.size());
  const int kept = std::min(before, after);
  std::move(now.begin(), now.begin() + kept, cells_.begin());
  if (kept > 0) emit dataChanged(index(0, 0), index(kept - 1, kEventColumns - 1));
  if (after > before) {
    beginInsertRows({}, before, after - 1);
    std::move(now.begin() + kept, now.end(), std::back_inserter(cells_));
    endInsertRows();
  } else if (after < before) {
    beginRemoveRows({}, after, before - 1);
    cells_.resize(static_cast<size_t>(after));
    endRemoveRows();
  }
}

}  // namespace attn::gui

#include "moc_events_model.cpp"
