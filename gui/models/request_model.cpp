// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/request_model.h"

#include <QLocale>
#include <algorithm>
#include <iterator>

#include "gui/models/plain_tooltip.h"

namespace attn::gui {

RequestModel::RequestModel(RunControl& control, QObject* parent)
    : QAbstractTableModel(parent), control_(control) {
  connect(&control, &RunControl::scenario_changed, this, &RequestModel::refresh);
  connect(&control, &RunControl::additions_changed, this, &RequestModel::refresh);
  connect(&control.bridge(), &EngineBridge::run_started, this, &RequestModel::refresh);
  connect(&control.bridge(), &EngineBridge::snapshot_changed, this, &RequestModel::refresh);
  refresh();
}

void RequestModel::follow(TimeCursor& cursor) {
  cursor_ = &cursor;
  connect(&cursor, &TimeCursor::changed, this, &RequestModel::refresh);
  refresh();
}

int RequestModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RequestModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QVariant RequestModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case kName:
          return row.addition ? QStringLiteral("+ ") + row.name : row.name;
        case kState:
          if (row.state == RequestState::kFinishedLengthCapped && !row.note.isEmpty())
            return tr("Cut short");
          return row.state      ? row.state_words
                 : row.joining  ? tr("Next step")
                 : row.addition ? tr("Later")
                                : tr("Planned");
        case kPrompt:
          // 0: the tokens of the prompt are not counted before the request is in the run
          return row.prompt > 0 ? QLocale().toString(row.prompt) : QStringLiteral("–");
        case kGenerated:
          return QLocale().toString(row.generated);
        case kBlocks:
          return QLocale().toString(row.blocks);
        default:
          return {};
      }
    case Qt::ToolTipRole:
      if (row.addition) return plain_tooltip(addition_words(row));
      if (!row.note.isEmpty()) return plain_tooltip(row.note);
      if (row.state) return row.state_explanation;
      return row.joining ? tr("The request joins the queue before the next step.")
                         : tr("At the shown step the request is not in the run. A new run of the "
                              "scenario computes it.");
    case Qt::AccessibleTextRole:
      return row.addition && index.column() == kName ? tr("%1, added to the run").arg(row.name)
                                                     : QVariant();
    case Qt::TextAlignmentRole:
      return index.column() >= kPrompt ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                                       : QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    case kRequestRole:
      return QVariant::fromValue<qint64>(row.request);
    case kStateRole:
      return row.state ? static_cast<int>(*row.state) : -1;
    default:
      return {};
  }
}

QString RequestModel::addition_words(const Row& row) {
  const QString state = !row.note.isEmpty() ? row.note
                        : row.state         ? row.state_explanation
                        : row.joining ? tr("The request joins the queue before the next step.")
                                      : tr("At the shown step the request is not in the run yet.");
  return tr("“%1” was added to this run, and not to the scenario: a new run does not compute it.")
             .arg(row.name) +
         QLatin1Char('\n') + state;
}

QVariant RequestModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  if (role == Qt::TextAlignmentRole)
    return section >= kPrompt ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                              : QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::DisplayRole) {
    switch (section) {
      case kName:
        return tr("Request");
      case kState:
        return tr("State");
      case kPrompt:
        return tr("Prompt");
      case kGenerated:
        return tr("New");
      case kBlocks:
        return tr("Blocks");
    }
  }
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case kName:
        return tr("A request is one prompt and the tokens that are generated from it.");
      case kState:
        return tr("The state of the request in the scheduler at the shown step.");
      case kPrompt:
        return tr(
            "Length of the prompt in tokens. For an encoder-decoder model: the number of tokens "
            "with which the decoder begins.");
      case kGenerated:
        return tr("Number of tokens generated up to the shown step.");
      case kBlocks:
        return tr("Number of cache blocks that the request holds at the shown step.");
    }
  }
  return {};
}

int64_t RequestModel::request_at(int row) const {
  return row >= 0 && row < rowCount() ? rows_[static_cast<size_t>(row)].request : -1;
}

int RequestModel::row_of(int64_t request) const {
  if (request < 0) return -1;  // rows whose request is not in the run have -1, too
  for (size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row].request == request) return static_cast<int>(row);
  return -1;
}

bool RequestModel::is_addition(int row) const {
  return row >= 0 && row < rowCount() && rows_[static_cast<size_t>(row)].addition;
}

RequestModel::Row RequestModel::row_for(int index) const {
  const ScenarioRequest& draft = control_.scenario().requests[static_cast<size_t>(index)];
  Row row;
  row.name = draft.name.empty() ? tr("request %1").arg(index) : QString::fromStdString(draft.name);
  row.prompt = draft.prompt_tokens;
  row.joining = control_.is_joining(index);
  show_state(row, control_.live_id(index));
  return row;
}

RequestModel::Row RequestModel::row_for(const RunControl::Addition& addition) const {
  Row row;
  row.addition = true;
  row.name = QString::fromStdString(addition.name);
  row.joining = addition.id < 0;
  show_state(row, addition.id);
  return row;
}

// Fills in what the request with this id has at the shown step, if it is in the run then.
void RequestModel::show_state(Row& row, int64_t id) const {
  const auto& moment = snapshot();
  if (id < 0 || !moment) return;
  for (const RequestView& view : moment->requests) {
    if (static_cast<int64_t>(view.id) != id) continue;
    const auto tokens = view.tokens ? static_cast<qint64>(view.tokens->size()) : view.prompt_len;
    row.request = id;
    row.name = QString::fromStdString(view.name);
    row.note = reason_of(*moment, view);
    row.state = view.state;
    row.state_words = state_words(view);
    row.state_explanation = state_explanation(view);
    row.prompt = view.prompt_len;
    row.generated = std::max<qint64>(0, tokens - view.prompt_len);
    for (const TableKind kind : kTableKinds)  // blocks that left the window (-1) do not count
      row.blocks +=
          std::ranges::count_if(view.table(kind).blocks, [](int32_t b) { return b >= 0; });
    break;
  }
}

void RequestModel::refresh() {
  std::vector<Row> fresh;
  for (int i = 0; i < static_cast<int>(control_.scenario().requests.size()); ++i)
    fresh.push_back(row_for(i));
  for (const RunControl::Addition& addition : control_.additions_to_run())
    fresh.push_back(row_for(addition));
  const auto count = static_cast<int>(fresh.size());
  const int known = rowCount();
  if (count < known) {
    beginRemoveRows({}, count, known - 1);
    rows_.resize(static_cast<size_t>(count));
    endRemoveRows();
  }
  for (int i = 0; i < std::min(count, known); ++i) {
    const auto at = static_cast<size_t>(i);
    if (rows_[at] == fresh[at]) continue;
    rows_[at] = std::move(fresh[at]);
    emit dataChanged(index(i, 0), index(i, kColumnCount - 1));
  }
  if (count > known) {
    beginInsertRows({}, known, count - 1);
    rows_.insert(rows_.end(), std::make_move_iterator(fresh.begin() + known),
                 std::make_move_iterator(fresh.end()));
    endInsertRows();
  }
}

}  // namespace attn::gui

#include "moc_request_model.cpp"
