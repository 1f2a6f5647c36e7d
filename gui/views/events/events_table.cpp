// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/events_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>
#include <QWheelEvent>
#include <algorithm>
#include <limits>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kWheelStep = 120;  // eighths of a degree of one notch
constexpr int kWheelRows = 3;

}  // namespace

class EventsTable::Delegate : public QStyledItemDelegate {
 public:
  explicit Delegate(EventsTable& table) : QStyledItemDelegate(&table), table_(table) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const EventsLook& look = table_.look_;
    const auto& all = table_.model_->cells();
    if (static_cast<size_t>(index.row()) >= all.size()) return;
    const EventCells& cells = all[static_cast<size_t>(index.row())];
    const QRect rect = option.rect;
    if (option.state & QStyle::State_Selected) painter->fillRect(rect, look.chosen);
    painter->fillRect(rect.x(), rect.bottom(), rect.width(), 1, look.line);
    paint_text(*painter, rect, cells, static_cast<EventColumn>(index.column()));
    if (static_cast<int64_t>(cells.event) == table_.marked_ && rect.x() == 0)
      painter->fillRect(0, rect.y(), std::max(3, look.pad / 2), rect.height() - 1, look.accent);
    if ((option.state & QStyle::State_Selected) && index == table_.view_->currentIndex() &&
        table_.view_->hasFocus()) {
      painter->setPen(look.accent);
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(rect.adjusted(0, 0, -1, -2));
    }
  }

 private:
  void paint_text(QPainter& painter, const QRectF& rect, const EventCells& cells,
                  EventColumn column) const {
    const EventsLook& look = table_.look_;
    const QString& text = cells.texts[static_cast<size_t>(column)];
    if (text.isEmpty()) return;
    const QRectF room = rect.adjusted(look.pad, 0, -look.pad, 0);
    painter.setPen(look.color_of(cells, column));
    if (column == EventColumn::kDetails)
      table_.texts_.draw_text(painter, room, text);
    else if (!is_right_aligned(column))
      table_.texts_.draw_word(painter, room, text);
    else if (!table_.texts_.draw_number(painter, room, text))
      paint_cell(painter, rect, look, cells, column);
  }

  EventsTable& table_;
};

class EventsTable::Heading : public QHeaderView {
 public:
  explicit Heading(EventsTable& table) : QHeaderView(Qt::Horizontal, &table), table_(table) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setSectionsMovable(false);
  }

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    const EventsLook& look = table_.look_;
    painter->fillRect(rect, look.surface);
    painter->fillRect(rect.x(), rect.bottom(), rect.width(), 1, look.line);
    const EventOrder& order = table_.rows_.order();
    const auto column = static_cast<EventColumn>(section);
    paint_heading(*painter, rect, look, column,
                  column != order.column ? 0
                  : order.descending     ? -1
                                         : 1);
  }

 private:
  EventsTable& table_;
};

EventsTable::EventsTable(EventRows& rows, QWidget* parent)
    : QWidget(parent),
      rows_(rows),
      model_(new EventsModel(rows, this)),
      view_(new QTableView(this)),
      bar_(new QScrollBar(Qt::Vertical, this)) {
  auto* across = new QHBoxLayout(this);
  across->setContentsMargins(0, 0, 0, 0);
  across->setSpacing(0);
  across->addWidget(view_, 1);
  across->addWidget(bar_);
  view_->setModel(model_);
  view_->setItemDelegate(new Delegate(*this));
  view_->setHorizontalHeader(new Heading(*this));
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setShowGrid(false);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setSelectionMode(QAbstractItemView::SingleSelection);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view_->setTabKeyNavigation(false);
  view_->setWordWrap(false);
  view_->setAutoScroll(false);
  view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setAccessibleName(tr("Events"));
  bar_->setFocusPolicy(Qt::NoFocus);
  bar_->setAccessibleName(tr("Rows of the events"));
  view_->installEventFilter(this);
  view_->viewport()->installEventFilter(this);
  setFocusProxy(view_);

  connect(bar_, &QScrollBar::valueChanged, this, [this](int value) {
    if (!syncing_) scroll_to(static_cast<uint64_t>(value), true);
  });
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) {
            // Getting the keyboard focus does not choose a row.
            if (syncing_ || !now.isValid() || current_ < 0) return;
            current_ = static_cast<int64_t>(first_row()) + now.row();
            current_event_ = rows_.event_at(static_cast<uint64_t>(current_));
          });
  connect(view_, &QTableView::pressed, this,
          [this](const QModelIndex& at) { go_to(static_cast<int64_t>(first_row()) + at.row()); });
  connect(view_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
    emit opened(at.data(EventsModel::kEventRole).toUInt());
  });
  connect(view_->horizontalHeader(), &QHeaderView::sectionClicked, this, &EventsTable::sort_by);
  restyle();
}

int EventsTable::rows_in_sight() const {
  return std::max(0, view_->viewport()->height() / look_.row_height);
}

uint64_t EventsTable::last_first() const {
  const auto fit = static_cast<uint64_t>(rows_in_sight());
  return rows_.size() > fit ? rows_.size() - fit : 0;
}

// --- what is in sight ---

void EventsTable::scroll_to(uint64_t first, bool by_user) {
  first = std::min(first, last_first());
  if (by_user && may_follow()) {
    const bool away = rows_.order().descending ? first > 0 : first < last_first();
    if (away) set_follows(false);
  }
  model_->set_window(first, rows_in_sight());
  widen();
  syncing_ = true;
  constexpr uint64_t kMostSteps = std::numeric_limits<int>::max();
  bar_->setPageStep(std::max(1, rows_in_sight()));
  bar_->setRange(0, static_cast<int>(std::min(last_first(), kMostSteps)));
  bar_->setValue(static_cast<int>(std::min(first, kMostSteps)));
  syncing_ = false;
  show_current();
  view_->viewport()->update();
}

void EventsTable::show_current() {
  syncing_ = true;
  const int64_t at = current_ - static_cast<int64_t>(first_row());
  QItemSelectionModel& chosen = *view_->selectionModel();
  if (current_ >= 0 && at >= 0 && at < model_->rowCount()) {
    const int column = std::max(0, view_->currentIndex().column());
    chosen.setCurrentIndex(model_->index(static_cast<int>(at), column),
                           QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  } else {
    chosen.clearSelection();
  }
  syncing_ = false;
}

void EventsTable::refresh() {
  const bool another = rows_.generation() != generation_;
  generation_ = rows_.generation();
  const std::vector<EventCells>& seen = model_->cells();
  std::optional<uint64_t> top;
  if (!another && !seen.empty()) top = rows_.row_of(seen.front().event);
  if (current_event_ >= 0) {
    const auto row = rows_.row_of(static_cast<uint32_t>(current_event_));
    current_ = row ? static_cast<int64_t>(*row) : -1;
    // If the rows were made anew, the chosen one comes into the middle, unless follows_ applies.
    if (another && row) {
      const auto half = static_cast<uint64_t>(rows_in_sight() / 2);
      top = *row > half ? *row - half : 0;
    }
    if (!row && rows_.total() <= static_cast<uint64_t>(current_event_)) current_event_ = -1;
  }
  uint64_t first = top.value_or(another ? 0 : first_row());
  if (follows_ && may_follow()) first = rows_.order().descending ? 0 : last_first();
  scroll_to(first, false);
  if (another) view_->horizontalHeader()->viewport()->update();
}

void EventsTable::set_follows(bool follows) {
  if (follows && may_follow()) scroll_to(rows_.order().descending ? 0 : last_first(), false);
  if (follows == follows_) return;
  follows_ = follows;
  emit follows_changed(follows);
}

void EventsTable::go_to(int64_t row) {
  if (rows_.size() == 0) return;
  row = std::clamp<int64_t>(row, 0, static_cast<int64_t>(rows_.size()) - 1);
  current_ = row;
  current_event_ = rows_.event_at(static_cast<uint64_t>(row));
  const auto at = static_cast<uint64_t>(row), fit = static_cast<uint64_t>(rows_in_sight());
  uint64_t first = first_row();
  if (at < first) first = at;
  if (fit > 0 && at >= first + fit) first = at - fit + 1;
  scroll_to(first, true);
}

void EventsTable::set_current_row(int64_t row) {
  if (row < 0) {
    current_ = current_event_ = -1;
    return show_current();
  }
  const auto at = static_cast<uint64_t>(row), fit = static_cast<uint64_t>(rows_in_sight());
  if (at < first_row() || at >= first_row() + fit) scroll_to(at > fit / 2 ? at - fit / 2 : 0, true);
  go_to(row);
}

void EventsTable::set_marked_event(int64_t event) {
  if (event == marked_) return;
  marked_ = event;
  view_->viewport()->update();
}

// --- keys and mouse ---

bool EventsTable::take_key(const QKeyEvent& event) {
  const int64_t page = std::max(1, rows_in_sight() - 1);
  const int64_t here = current_ >= 0 ? current_ : static_cast<int64_t>(first_row()) - 1;
  if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
  switch (event.key()) {
    case Qt::Key_Up:
      go_to(current_ >= 0 ? here - 1 : static_cast<int64_t>(first_row()));
      return true;
    case Qt::Key_Down:
      go_to(here + 1);
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (current_ >= 0) return false;  // QTableView moves to another column
      go_to(static_cast<int64_t>(first_row()));
      return true;
    case Qt::Key_PageUp:
      go_to(here - page);
      return true;
    case Qt::Key_PageDown:
      go_to(here + page);
      return true;
    case Qt::Key_Home:
      go_to(0);
      return true;
    case Qt::Key_End:
      go_to(static_cast<int64_t>(rows_.size()) - 1);
      if (may_follow() && !rows_.order().descending) set_follows(true);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ >= 0) emit opened(rows_.event_at(static_cast<uint64_t>(current_)));
      return true;
    case Qt::Key_L:
      set_follows(!follows_);
      return true;
    case Qt::Key_S:
      emit find_asked();
      return true;
    case Qt::Key_O:
      sort_by(std::max(0, view_->currentIndex().column()));
      return true;
    case Qt::Key_Slash:
      emit filter_asked();
      return true;
    default:
      return false;
  }
}

void EventsTable::sort_by(int section) {
  const EventOrder now = rows_.order();
  const auto column = static_cast<EventColumn>(section);
  emit order_asked({column, column == now.column && !now.descending});
}

bool EventsTable::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_ && event->type() == QEvent::KeyPress)
    return take_key(*static_cast<QKeyEvent*>(event));
  if (watched == view_ && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
    view_->viewport()->update();
  if (watched == view_->viewport() && event->type() == QEvent::Resize) {
    arrange();
    refresh();
  }
  if (watched == view_->viewport() && event->type() == QEvent::Wheel) {
    wheel_ -= static_cast<QWheelEvent*>(event)->angleDelta().y();
    const int rows = wheel_ / (kWheelStep / kWheelRows);
    wheel_ -= rows * (kWheelStep / kWheelRows);
    const auto first = static_cast<int64_t>(first_row()) + rows;
    if (rows != 0) scroll_to(static_cast<uint64_t>(std::max<int64_t>(0, first)), true);
    return true;
  }
  if (watched == view_->viewport() && event->type() == QEvent::Paint && rows_.size() == 0) {
    QPainter painter(view_->viewport());
    const Theme& theme = Theme::instance();
    const QRectF room = QRectF(view_->viewport()->rect()).adjusted(12, 0, -12, 0);
    painter.fillRect(view_->viewport()->rect(), look_.surface);
    painter.setFont(theme.font(TextRole::kTitle));
    painter.setPen(look_.ink);
    const double middle = room.height() / 2, gap = theme.px(4), title = theme.px(24);
    painter.drawText(QRectF(room.x(), middle - title - gap, room.width(), title), Qt::AlignCenter,
                     empty_title_);
    painter.setFont(theme.font());
    painter.setPen(look_.muted);
    painter.drawText(QRectF(room.x(), middle + gap, room.width(), std::max(title, middle - gap)),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, empty_sentence_);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

// --- sizes ---

// The columns of event numbers and times grow by powers of ten. widen_for() widens columns for the
// rows in sight.
void EventsTable::widen() {
  const uint64_t total = rows_.total();
  const uint64_t end_ns = total > 0 ? rows_.event_of(static_cast<uint32_t>(total - 1)).begin_ns : 0;
  const std::array<int, kEventColumns> before = widths_;
  if (total == 0) widths_ = {};
  if (widths_.back() == 0 || total > wide_total_ || end_ns > wide_end_ns_) {
    for (wide_total_ = 99999; wide_total_ < total;) wide_total_ = wide_total_ * 10 + 9;
    for (wide_end_ns_ = 10'000'000'000; wide_end_ns_ <= end_ns;) wide_end_ns_ *= 10;
    wide_end_ns_ -= 1;
    const std::array<int, kEventColumns> least = column_widths(look_, wide_total_, wide_end_ns_);
    for (size_t i = 0; i < least.size(); ++i) widths_[i] = std::max(widths_[i], least[i]);
  }
  widen_for(model_->cells(), look_, widths_);
  if (widths_ != before) arrange();
}

void EventsTable::arrange() {
  std::array<int, kEventColumns> wide = widths_;
  const int width = view_->viewport()->width();
  const std::vector<EventColumn> columns = fitting_columns(wide, width);
  QHeaderView& heading = *view_->horizontalHeader();
  int used = 0;
  for (int i = 0; i < kEventColumns; ++i) {
    const auto column = static_cast<EventColumn>(i);
    const bool shown = std::ranges::find(columns, column) != columns.end();
    view_->setColumnHidden(i, !shown);
    if (!shown) continue;
    const int size =
        column == EventColumn::kDetails ? std::max(40, width - used) : wide[static_cast<size_t>(i)];
    heading.resizeSection(i, size);
    used += size;
  }
}

void EventsTable::restyle() {
  look_ = EventsLook::now();
  texts_.set_fonts(look_.numbers, look_.text);
  widths_ = {};
  widen();
  view_->verticalHeader()->setMinimumSectionSize(1);
  view_->verticalHeader()->setDefaultSectionSize(look_.row_height);
  view_->horizontalHeader()->setMinimumSectionSize(1);
  view_->horizontalHeader()->setFixedHeight(look_.header_height);
  arrange();
  refresh();
}

void EventsTable::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void EventsTable::set_empty_words(const QString& title, const QString& sentence) {
  if (title == empty_title_ && sentence == empty_sentence_) return;
  empty_title_ = title;
  empty_sentence_ = sentence;
  view_->viewport()->update();
}

}  // namespace attn::gui

#include "moc_events_table.cpp"
