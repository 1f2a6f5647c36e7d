// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/events_view.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/views/events/rows/events_csv.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr int kTypingMs = 200;          // ms from the last key until the filter is applied
constexpr int kRefreshMs = 16;          // ms, about a frame
constexpr int kRowsOfPicture = 40;      // rows in a picture of a view that is hidden
constexpr qsizetype kCompleteFrom = 2;  // letters that a term must have to be completed

QString count_of(uint64_t value) {
  return format_count(static_cast<int64_t>(value));
}

void set_color(QLabel* label, const QColor& color) {
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, color);
  label->setPalette(palette);
}

}  // namespace

EventsView::EventsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      has_bridge_(context.bridge != nullptr),
      rows_(new EventRows(this)),
      header_(new PanelHeader(tr("Events"), this)),
      line_(new QLineEdit),
      kinds_button_(new QToolButton),
      only_(new QToolButton),
      show_(new QToolButton),
      follow_(new QToolButton),
      kinds_(new KindMenu(this)),
      notice_(new QLabel),
      table_(new EventsTable(*rows_)),
      cursor_(context.cursor) {
  stack(header_, build_content(), table_);
  build_header();
  typing_.setSingleShot(true);
  typing_.setInterval(kTypingMs);
  soon_.setSingleShot(true);
  soon_.setInterval(kRefreshMs);
  connect(&typing_, &QTimer::timeout, this, &EventsView::take_filter);
  connect(&soon_, &QTimer::timeout, this, &EventsView::show_rows);
  connect(rows_, &EventRows::changed, this, [this] {
    if (isVisible() && !soon_.isActive()) soon_.start();
  });
  connect(rows_, &EventRows::progressed, this, &EventsView::show_state);
  connect(rows_, &EventRows::found, this, [this](qint64 event) {
    const auto row = event < 0 ? std::nullopt : rows_->row_of(static_cast<uint32_t>(event));
    if (!row) return say(tr("The table has no row for what is selected."), false);
    say({}, false);
    table_->set_current_row(static_cast<int64_t>(*row));
  });
  connect(table_, &EventsTable::opened, this, &EventsView::jump_to);
  connect(table_, &EventsTable::order_asked, this, [this](EventOrder order) {
    rows_->set_order(order);
    show_state();
  });
  connect(table_, &EventsTable::find_asked, this, &EventsView::show_selected);
  const auto ask_filter = [this] {
    line_->setFocus(Qt::ShortcutFocusReason);
    line_->selectAll();
  };
  connect(table_, &EventsTable::filter_asked, this, ask_filter);
  auto* find = new QShortcut(QKeySequence::Find, this);
  find->setContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QShortcut::activated, this, ask_filter);
  connect(&selection(), &Selection::changed, this, &EventsView::selection_changed);
  connect(&selection(), &Selection::shown_changed, this, &EventsView::selection_changed);
  connect(&Theme::instance(), &Theme::changed, this, &EventsView::restyle);
  restyle();
  if (!context.bridge) return;
  table_->model().set_names(
      [this](int64_t id) { return shown() ? request_name(*shown(), id) : QString::number(id); });
  follow_engine(*context.bridge);
}

void EventsView::build_header() {
  set_up_tool(show_, Icon::kFit, tr("Show what is selected"),
              tr("Go to the next row of what is selected (S)"));
  set_up_switch(follow_, tr("Follow"), tr("Follow the newest event"),
                tr("Keep the newest event in view while the rows are sorted by number (L). "
                   "Scrolling away switches this off."));
  header_->add_control(follow_);
  header_->add_control(show_);
  connect(show_, &QToolButton::clicked, this, &EventsView::show_selected);
  connect(follow_, &QToolButton::toggled, table_, &EventsTable::set_follows);
  connect(table_, &EventsTable::follows_changed, follow_, &QToolButton::setChecked);
}

QWidget* EventsView::build_content() {
  line_->setPlaceholderText(tr("Filter: words, or step:10..20 kind:tile duration:>50us"));
  line_->setClearButtonEnabled(true);
  line_->setTextMargins(6, 0, 4, 0);
  line_->setAccessibleName(tr("Filter of the events"));
  line_->setToolTip(
      tr("<qt>A word is searched in kind, lane and details. A term asks for the value of a "
         "field:<br><b>kind:tile</b>, or the beginning of a name, <b>kind:block</b>; "
         "<b>lane:engine</b>, <b>lane:worker1</b><br><b>step:10..20</b>, <b>layer:2</b>, "
         "<b>request:Lily</b> or <b>request:0</b>, <b>block:17</b>, "
         "<b>number:&gt;1000</b><br><b>duration:&gt;50us</b>, "
         "<b>time:1ms..2.5ms</b> with ns, us, ms or s<br>The table shows the events for which all "
         "words and terms hold. Of several values, as in <b>request:1,3</b>, one must hold. Ctrl+F "
         "goes here, Esc clears the filter.</qt>"));
  line_->installEventFilter(this);
  connect(line_, &QLineEdit::textEdited, this, &EventsView::propose_end);
  connect(line_, &QLineEdit::textChanged, this, [this] { typing_.start(); });

  kinds_button_->setMenu(kinds_);
  kinds_button_->setPopupMode(QToolButton::InstantPopup);
  kinds_button_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  kinds_button_->setAutoRaise(true);
  kinds_button_->setToolTip(tr("The kinds of events that are shown"));
  connect(kinds_, &KindMenu::chosen, this, &EventsView::take_filter);

  set_up_switch(only_, tr("Only selected"), tr("Only events of what is selected"),
                tr("Show only events of what is selected in any view; if nothing is selected, "
                   "those of the shown request."));
  only_->setChecked(false);
  connect(only_, &QToolButton::toggled, this, &EventsView::take_filter);

  notice_->setTextFormat(Qt::PlainText);
  notice_->setWordWrap(true);
  notice_->hide();

  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  // The table is added first, so that it is first in the order of Tab.
  column->addWidget(table_, 1);
  auto* across = new QHBoxLayout;
  across->setContentsMargins(8, 4, 8, 4);
  across->setSpacing(4);
  column->insertLayout(0, across);
  line_->setMinimumWidth(40);
  across->addWidget(line_, 1);
  across->addWidget(kinds_button_);
  across->addWidget(only_);
  column->insertWidget(1, notice_);
  return content;
}

void EventsView::follow_engine(EngineBridge& bridge) {
  connect(&bridge, &EngineBridge::run_started, this, [this, &bridge] {
    rows_->start(bridge.recorder());
    take_filter();
    show_rows();
  });
  connect(&bridge, &EngineBridge::events_appended, this, [this](qint64, qint64 to) {
    if (past_step()) rows_->show_first(events_shown());
    rows_->append(static_cast<uint64_t>(to));
    // The filter may name a request that is new.
    if (wrong_ && !typing_.isActive()) take_filter();
    // An empty table says why it is empty, and the reason may have changed.
    if (rows_->size() == 0 && isVisible() && !soon_.isActive()) soon_.start();
  });
  if (cursor_) connect(cursor_, &TimeCursor::moved, this, &EventsView::show_moment_of_cursor);
  connect(&bridge, &EngineBridge::gate_changed, this, &EventsView::show_state);
  rows_->start(bridge.recorder());
  if (past_step()) rows_->show_first(events_shown());
  rows_->append(bridge.events().size());
}

void EventsView::show_moment_of_cursor() {
  rows_->show_first(past_step() ? events_shown() : UINT64_MAX);
  selection_changed();
  show_rows();
}

QString EventsView::set_filter(const QString& text) {
  proposed_ = false;
  line_->setText(text);
  take_filter();
  return wrong_ ? notice() : QString();
}

void EventsView::show_recorder(std::shared_ptr<const Recorder> recorder, uint64_t total) {
  rows_->start(std::move(recorder));
  rows_->append(total);
  show_rows();
}

void EventsView::restyle() {
  table_->restyle();
  notice_->setFont(Theme::instance().font(TextRole::kSmall));
  notice_->setContentsMargins(Theme::instance().px(12), 0, Theme::instance().px(12),
                              Theme::instance().px(4));
  say(notice_->text(), wrong_);
  show_state();
}

// --- filter ---

// The text of the line without a proposal of propose_end().
QString EventsView::typed() const {
  return has_proposal() ? edited_ : line_->text();
}

// Whether the end of the line is a proposal that the person has neither taken nor unselected.
bool EventsView::has_proposal() const {
  return proposed_ && line_->selectionStart() == edited_.size() &&
         line_->text().startsWith(edited_);
}

// May append a proposal for the last term, selected so that the next key replaces it.
void EventsView::propose_end(const QString& edited) {
  const bool grew = edited.size() > edited_.size() && edited.startsWith(edited_);
  edited_ = edited;
  proposed_ = false;
  const QString term = edited.section(QLatin1Char(' '), -1);
  if (!grew || term.size() < kCompleteFrom || line_->cursorPosition() < edited.size()) return;
  const QStringList full = completions_of(edited);
  if (full.isEmpty()) return;
  const QString rest = full.front().mid(term.size());
  line_->setText(edited + rest);
  line_->setSelection(static_cast<int>(edited.size()), static_cast<int>(rest.size()));
  proposed_ = true;
}

void EventsView::take_filter() {
  typing_.stop();
  QString problem;
  EventFilter filter = EventFilter::parse(typed(), problem, names_in_run());
  say(problem, !problem.isEmpty());
  kinds_button_->setText(kinds_->summary());
  kinds_button_->setAccessibleName(tr("Kinds of events: %1").arg(kinds_->summary()));
  if (!problem.isEmpty()) return;  // the rows stay as they are
  filter.set_kinds(kinds_->kinds());
  if (only_->isChecked()) filter.set_selected(selected_events());
  rows_->set_filter(std::move(filter));
  show_state();
}

// Returns a function that finds the requests with a name or, if there is none, those whose names
// begin so. Null: no run is shown.
EventFilter::Named EventsView::names_in_run() const {
  const auto shot = has_bridge_ ? shown() : nullptr;
  if (!shot) return {};
  return [shot](const QString& name) {
    std::vector<int64_t> exact, begin;
    for (const RequestView& request : shot->requests) {
      const QString whole = request_name(*shot, request.id);
      if (whole.compare(name, Qt::CaseInsensitive) == 0) exact.push_back(request.id);
      if (whole.startsWith(name, Qt::CaseInsensitive)) begin.push_back(request.id);
    }
    return exact.empty() ? begin : exact;
  };
}

QString EventsView::filter_words() const {
  QStringList words;
  if (!typed().isEmpty()) words += typed();
  if (!kinds_->kinds().all()) words += kinds_->summary();
  if (only_->isChecked()) words += tr("only what is selected");
  return words.join(QStringLiteral(" · "));
}

void EventsView::say(const QString& sentence, bool wrong) {
  wrong_ = wrong;
  const ThemeColors& colors = Theme::instance().colors();
  set_color(notice_, wrong ? colors.bad : colors.muted);
  notice_->setText(sentence);
  notice_->setVisible(!sentence.isEmpty());
  line_->setAccessibleDescription(sentence);
}

// --- what is shown ---

void EventsView::show_rows() {
  soon_.stop();
  if (rows_->total() == 0)
    table_->set_empty_words(tr("No events yet"),
                            tr("Steps, kernels, tiles, requests and block changes of the run "
                               "become rows here. Press Space to run."));
  else if (rows_->pending())
    table_->set_empty_words(tr("Looking"), {});
  else
    table_->set_empty_words(tr("No event fits the filter"),
                            tr("Press Ctrl+F to go to the filter, and Esc there to clear it. The "
                               "chosen kinds and “Only selected” may hide events too."));
  table_->refresh();
  show_state();
}

QString EventsView::count_words() const {
  const uint64_t size = rows_->size(), total = rows_->total();
  const QString events = total == 1 ? tr("1 event") : tr("%1 events").arg(count_of(total));
  return size == total ? events : tr("%1 of %2").arg(count_of(size), events);
}

QString EventsView::clock_words() const {
  return has_bridge_ && bridge().snapshot() && bridge().snapshot()->modelled_time
             ? QStringLiteral(" · ") + tr("times are modelled")
             : QString();
}

QString EventsView::step_words() const {
  const std::optional<uint32_t> step = has_bridge_ ? past_step() : std::nullopt;
  return step ? QStringLiteral(" · ") + tr("until step %1").arg(*step) : QString();
}

void EventsView::show_state() {
  QString text = rows_->total() > 0 ? count_words() + step_words() + clock_words() : QString();
  if (rows_->pending() && rows_->work() != EventRows::Work::kNone) {
    const auto percent = static_cast<int>(std::floor(rows_->fraction() * 100));
    text += QStringLiteral(" · ") + (rows_->work() == EventRows::Work::kSorting
                                         ? tr("sorting %1%").arg(percent)
                                         : tr("filtering %1%").arg(percent));
  }
  if (has_bridge_ && !past_step())  // the bridge counts the dropped events of the whole run
    if (const uint64_t dropped = bridge().trace_counts().dropped; dropped > 0)
      text += QStringLiteral(" · ") + tr("%1 dropped").arg(count_of(dropped));
  const bool in_order = rows_->order().column == EventColumn::kNumber;
  follow_->setEnabled(in_order);
  show_->setEnabled(rows_->total() > 0);
  table_->view().setAccessibleDescription(text);
  const Theme& theme = Theme::instance();
  const int fixed =
      QFontMetrics(theme.font(TextRole::kBody, QFont::DemiBold)).horizontalAdvance(title()) +
      follow_->sizeHint().width() + show_->sizeHint().width() + theme.px(72);
  header_->set_detail(QFontMetrics(theme.font(TextRole::kSmall))
                          .elidedText(text, Qt::ElideRight, std::max(0, width() - fixed)));
}

void EventsView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  show_state();
}

void EventsView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  show_rows();
}

bool EventsView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != line_) return View::eventFilter(watched, event);
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
    return View::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  // Esc is a key of the filter line, not of the window.
  if (event->type() == QEvent::ShortcutOverride) {
    if (key == Qt::Key_Escape) event->accept();
    return key == Qt::Key_Escape;
  }
  switch (key) {
    case Qt::Key_Escape:
      if (line_->text().isEmpty()) table_->setFocus();
      line_->clear();
      take_filter();
      return true;
    case Qt::Key_Tab:
      if (!has_proposal()) return false;
      [[fallthrough]];
    case Qt::Key_Return:
    case Qt::Key_Enter: {
      const bool accepts = key == Qt::Key_Tab;
      if (proposed_ && !accepts) line_->setText(typed());
      proposed_ = false;
      line_->end(false);
      take_filter();
      return true;
    }
    case Qt::Key_Down:
      take_filter();
      table_->setFocus();
      return true;
    default:
      return false;
  }
}

// --- the selection ---

int64_t EventsView::selected_event() const {
  const SelectionState& state = selection().state();
  const bool is_one = state.kind == SelectionKind::kSpan && state.event >= 0 &&
                      static_cast<uint64_t>(state.event) < rows_->total();
  return is_one ? state.event : -1;
}

SelectedEvents EventsView::selected_events() const {
  const int64_t index = selected_event();
  const TraceEvent span = index >= 0 ? rows_->event_of(static_cast<uint32_t>(index)) : TraceEvent{};
  return SelectedEvents(selection().state(), selection().shown_request(),
                        index >= 0 ? &span : nullptr, has_bridge_ ? shown().get() : nullptr);
}

void EventsView::selection_changed() {
  table_->set_marked_event(selected_event());
  if (only_->isChecked() && !jumping_) take_filter();
}

void EventsView::show_selected() {
  if (const int64_t event = selected_event(); event >= 0) {
    const auto row = rows_->row_of(static_cast<uint32_t>(event));
    if (!row) return say(tr("The table has no row for the selected span."), false);
    say({}, false);
    return table_->set_current_row(static_cast<int64_t>(*row));
  }
  if (rows_->size() == 0) return;
  const int64_t from = table_->current_row();
  rows_->find(selected_events(), from >= 0 ? static_cast<uint64_t>(from) : rows_->size() - 1);
}

SelectionState EventsView::state_of(const TraceEvent& event, uint32_t index) const {
  SelectionState state;
  state.request = request_of(event);
  if (const int64_t block = block_of(event); block >= 0) {
    state.kind = SelectionKind::kBlock;
    state.block = block;
  } else {
    state.kind = SelectionKind::kSpan;
    state.event = index;
    if (event.layer != kNoLayer) state.layer = event.layer;
    if (event.kind == EventKind::kTile) state.head = unpack_tile(event).head;
  }
  return state;
}

// The numbers are those of the row at `position`. The number of the column there comes first,
// except that of the column Request.
ViewPoint EventsView::point_at(const QPoint& position) {
  ViewPoint point;
  const QTableView& table = table_->view();
  const QModelIndex at = table.indexAt(table.viewport()->mapFrom(this, position));
  const std::vector<EventCells>& cells = table_->model().cells();
  if (!at.isValid() || static_cast<size_t>(at.row()) >= cells.size()) return point;
  const EventCells& row = cells[static_cast<size_t>(at.row())];
  if (row.event >= rows_->total()) return point;
  const TraceEvent event = rows_->event_of(row.event);
  QStringList words;
  for (int i = 0; i < kEventColumns; ++i) {
    const auto column = static_cast<EventColumn>(i);
    const QString& text = row.texts[static_cast<size_t>(i)];
    if (text.isEmpty()) continue;
    words << (column == EventColumn::kDetails || column == EventColumn::kKind
                  ? text
                  : QStringLiteral("%1 %2").arg(column_title(column), text));
    if (column == EventColumn::kRequest)
      point.numbers.push_back({column_title(column), QString::number(request_of(event))});
    if (!is_right_aligned(column) || !text.front().isDigit()) continue;
    const ViewPoint::Number number{column_title(column), QString(text).remove(QLatin1Char(','))};
    point.numbers.insert(i == at.column() ? point.numbers.begin() : point.numbers.end(), number);
  }
  point.text = words.join(QStringLiteral(", "));
  point.things.push_back(state_of(event, row.event));
  point.request = request_of(event);
  if (const int64_t step = rows_->step_at(event, row.event); step >= 0)
    point.step = static_cast<uint32_t>(step);
  return point;
}

std::optional<QPoint> EventsView::place_of_selection() {
  const QTableView& table = table_->view();
  const QRect row = table.visualRect(table.currentIndex());
  if (table_->current_row() < 0 || row.isEmpty()) return std::nullopt;
  return table.viewport()->mapTo(this, row.center());
}

std::optional<QRect> EventsView::row_of_selection() {
  const QTableView& table = table_->view();
  const QRect cell = table.visualRect(table.currentIndex());
  const QRect all = table.viewport()->rect();
  if (table_->current_row() < 0 || !all.intersects(cell)) return std::nullopt;
  return QRect(all.left(), cell.top(), all.width(), cell.height())
      .translated(table.viewport()->mapTo(this, QPoint()));
}

void EventsView::jump_to(uint32_t index) {
  if (index >= rows_->total()) return;
  const TraceEvent event = rows_->event_of(index);
  const SelectionState state = state_of(event, index);
  // selection_changed() must not filter anew.
  jumping_ = true;
  // The time cursor moves first, so that the selected thing is shown as it was then.
  if (cursor_) {
    const int64_t step = rows_->step_at(event, index);
    const StepHistory::Range steps = cursor_->range();
    if (step < 0)
      cursor_->go_to_time(event.begin_ns);
    else if (step > steps.last)
      cursor_->go_live();  // the step runs now
    else
      cursor_->go_to(static_cast<uint32_t>(step));
    if (step >= 0 && step < steps.first)
      say(tr("The history begins with step %1, so the views show that step.").arg(steps.first),
          false);
  }
  selection().select(state);
  jumping_ = false;
}

// --- pictures and tables ---

EventsSheet EventsView::sheet() const {
  EventsSheet sheet;
  sheet.look = table_->look();
  sheet.widths = table_->widths();
  const bool seen = isVisible() && table_->rows_in_sight() > 0;
  sheet.rows =
      table_->model().read(seen ? table_->first_row() : 0,
                           static_cast<uint64_t>(seen ? table_->rows_in_sight() : kRowsOfPicture));
  widen_for(sheet.rows, sheet.look, sheet.widths);
  sheet.order = rows_->order();
  // On the virtual clock a picture must not depend on which thread recorded first.
  sheet.numbered = clock_words().isEmpty();
  sheet.filter = filter_words();
  sheet.count = count_words() + step_words() + clock_words();
  sheet.empty = rows_->total() == 0 ? tr("No events yet.") : tr("No event fits the filter.");
  return sheet;
}

void EventsView::paint_content(QPainter& painter, const QRectF& bounds) {
  paint_sheet(painter, bounds, sheet());
}

std::function<void(QPainter&, const QRectF&)> EventsView::drawing() const {
  return [sheet = sheet()](QPainter& painter, const QRectF& bounds) {
    paint_sheet(painter, bounds, sheet);
  };
}

QSize EventsView::export_size() const {
  return sheet_size(sheet());
}

std::function<QByteArray()> EventsView::table() const {
  return [rows = rows_->now()] {
    ask_for_table(static_cast<uint64_t>(rows.size()));
    return events_csv(rows);
  };
}

std::optional<View::LeftOut> EventsView::left_out_of_table() const {
  if (rows_->size() == rows_->total()) return {};
  const QString filter = filter_words(), fit = count_of(rows_->size()),
                all = count_of(rows_->total());
  return LeftOut{QStringLiteral("events.csv has only the events that fit the filter “%1”: %2 of %3")
                     .arg(filter, fit, all)
                     .toStdString(),
                 tr("events.csv has only the events that fit the filter “%1”: %2 of %3.")
                     .arg(filter, fit, all)};
}

void EventsView::fit() {
  rows_->set_order({});
  table_->set_current_row(rows_->size() > 0 ? 0 : -1);
}

std::vector<KeyHelp> EventsView::key_help() const {
  return {{tr("Up, Down, Page up, Page down, Home"), tr("Choose a row (Home: the first)")},
          {tr("Enter, double-click"), tr("Select the event or block of the row, and go to its "
                                         "step or time")},
          {tr("S"), tr("Go to the next row of what is selected")},
          {tr("Ctrl+F, /"), tr("Go to the filter. There Tab accepts the completion, Esc clears the "
                               "filter, Down goes to the rows")},
          {tr("Left, Right; O, click on a heading"),
           tr("Choose a column; sort by it; again: reverse the order")},
          {tr("L"), tr("Follow the newest event, or stop following it")},
          {tr("End"), tr("Go to the last row; if it is the newest event, follow it")}};
}

// Files have the events by time, because the order of recording depends on which thread was faster.
void EventsView::choose(const ViewChoices& choices) {
  if (choices.for_files) rows_->set_order({EventColumn::kTime, false});
  set_filter(QString::fromStdString(choices.filter));
  while (!rows_->complete()) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
}

namespace {

void check_filter(const ViewChoices& choices) {
  QString problem;
  EventFilter::parse(QString::fromStdString(choices.filter), problem);
  if (!problem.isEmpty())
    throw_bad_input({.what = "the filter has a mistake",
                     .where = "--filter",
                     .found = "`" + choices.filter + "`",
                     .allowed = "",
                     .advice = problem.toStdString()});
}

}  // namespace

ViewEntry events_entry() {
  return {.name = "events",
          .title = EventsView::tr("Events"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_7),
          .meaning = EventsView::tr("Show the table of recorded events"),
          .look_at = EventsView::tr("A row is one recorded event; Enter takes the views there."),
          .document = "events.md",
          .run_order = 9,
          .options = {{"--filter"}},
          .check = check_filter,
          .make = make_view<EventsView>};
}

QJsonObject EventsView::options() const {
  return {{QStringLiteral("filter"), line_->text()},
          {QStringLiteral("order"), static_cast<int>(rows_->order().column)},
          {QStringLiteral("descending"), rows_->order().descending}};
}

void EventsView::set_options(const QJsonObject& options) {
  const auto column = whole_option(options, "order", 0, kEventColumns - 1);
  const auto descending = flag_option(options, "descending");
  if (column && descending) rows_->set_order({static_cast<EventColumn>(*column), *descending});
  constexpr qsizetype kLongest = 1000;  // characters
  if (const QJsonValue filter = options.value(QLatin1String("filter"));
      filter.isString() && filter.toString().size() <= kLongest)
    set_filter(filter.toString());
}

}  // namespace attn::gui

#include "moc_events_view.cpp"
