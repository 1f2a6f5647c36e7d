// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QShortcut>
#include <algorithm>

#include "engine/session/report/report.h"
#include "gui/models/notes.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

class Legend : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    TimelinePainter::paint_legend(painter, QRectF(rect()));
  }
};

QString legend_explanation() {
  QString text = QStringLiteral("<qt>");
  for (int i = 0; i < kSpanClasses; ++i)
    text += explanation_of(static_cast<SpanClass>(i)).toHtmlEscaped() + QStringLiteral("<br>");
  return text + QStringLiteral("</qt>");
}

}  // namespace

TimelineView::TimelineView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      has_bridge_(context.bridge != nullptr),
      header_(new PanelHeader(tr("Timeline"), this)),
      legend_(new Legend(this)),
      live_(new QToolButton(this)),
      fit_(new QToolButton(this)),
      body_(new QWidget(this)),
      grid_(new QGridLayout(body_)),
      search_bar_(new SearchBar(body_)),
      canvas_(new TimelineCanvas(*context.selection, body_)),
      sums_(new RangePanel(body_)),
      minimap_(new Minimap(*canvas_, body_)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(0);
  grid_->setRowStretch(1, 1);
  grid_->setColumnStretch(0, 1);
  grid_->addWidget(search_bar_, 0, 0, 1, 2);
  grid_->addWidget(canvas_, 1, 0);
  grid_->addWidget(sums_, 1, 1);
  grid_->addWidget(minimap_, 3, 0, 1, 2);
  stack(header_, body_, canvas_);

  legend_->setToolTip(legend_explanation());
  legend_->setAccessibleName(tr("Legend of the timeline"));
  set_up_switch(live_, tr("Follow"), tr("Follow the newest time"),
                tr("Scroll along with the run (L). Zooming or panning switches this off."));
  set_up_tool(fit_, Icon::kFit, tr("Show all of the run"), tr("Show all (Home)"));
  header_->add_control(legend_);
  header_->add_control(live_);
  header_->add_control(fit_);

  connect(live_, &QToolButton::toggled, canvas_, &TimelineCanvas::set_live);
  connect(canvas_, &TimelineCanvas::live_changed, live_, &QToolButton::setChecked);
  connect(fit_, &QToolButton::clicked, canvas_, &TimelineCanvas::fit_all);
  connect(canvas_, &TimelineCanvas::summary_changed, this, &TimelineView::arrange_header);
  connect(canvas_, &TimelineCanvas::summary_changed, this, &TimelineView::arrange_body);
  connect(&Theme::instance(), &Theme::changed, this, &TimelineView::arrange_header);
  connect(&Theme::instance(), &Theme::changed, this, &TimelineView::arrange_body);
  connect(sums_, &RangePanel::zoom_asked, canvas_, &TimelineCanvas::fit);
  connect(sums_, &RangePanel::copy_asked, this, &TimelineView::copy_sums);
  connect(sums_, &RangePanel::clear_asked, canvas_, &TimelineCanvas::clear_range);
  connect(sums_, &RangePanel::fold_asked, this, [this](bool folded) {
    folds_sums_ = folded;
    arrange_body();
  });
  make_actions();
  make_search();
  arrange_header();
  arrange_body();

  if (!has_bridge_) return;
  EngineBridge* engine = context.bridge;
  connect(engine, &EngineBridge::run_started, canvas_, &TimelineCanvas::reset);
  connect(engine, &EngineBridge::events_appended, this, [this, engine](qint64 from, qint64) {
    // The snapshot first: it has the names of new requests.
    if (engine->snapshot()) canvas_->set_snapshot(engine->snapshot());
    canvas_->set_events(engine->events(), static_cast<size_t>(from));
  });
  connect(engine, &EngineBridge::snapshot_changed, this,
          [this, engine] { canvas_->set_snapshot(engine->snapshot()); });
  if (TimeCursor* cursor = context.cursor) {
    connect(canvas_, &TimelineCanvas::time_asked, cursor, &TimeCursor::go_to_time);
    connect(cursor, &TimeCursor::moved, this, &TimelineView::show_cursor);
  }
  if (const Notes* notes = context.notes) {
    connect(notes, &Notes::changed, canvas_, [this, notes] { canvas_->set_notes(notes->all()); });
    canvas_->set_notes(notes->all());
  }
  connect(canvas_, &TimelineCanvas::run_asked, engine, &EngineBridge::run);
  if (engine->snapshot()) canvas_->set_snapshot(engine->snapshot());
  if (!engine->events().empty()) canvas_->set_events(engine->events(), 0);
}

void TimelineView::make_actions() {
  const auto add = [this](const QString& text, const QString& meaning, auto&& run) {
    auto* action = new QAction(text, this);
    action->setToolTip(meaning);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
  };
  const auto set_edge = [this](bool begin) {
    canvas_->set_range_edge(begin, menu_time_.value_or(canvas_->time_of_edge(begin)));
    menu_time_.reset();
  };
  find_ = add(tr("Find in the timeline…"), tr("Mark the spans that match typed words (Ctrl+F)"),
              [this] { search_bar_->open(); });
  begin_range_ = add(tr("Begin the range here"), tr("Let the range of time begin here ([)"),
                     [set_edge] { set_edge(true); });
  end_range_ = add(tr("End the range here"), tr("Let the range of time end here (])"),
                   [set_edge] { set_edge(false); });
  zoom_range_ = add(tr("Zoom to the range"), tr("Show the selected range of time (Enter)"),
                    [this] { canvas_->fit(); });
  copy_range_ = add(tr("Copy the sums of the range"),
                    tr("Copy events, times and tokens of the selected range by class, as CSV"),
                    [this] { copy_sums(); });
  clear_range_ = add(tr("Clear the range"), tr("Select no range of time (Esc)"),
                     [this] { canvas_->clear_range(); });
}

void TimelineView::make_search() {
  const auto add_keys = [this](const QKeySequence& keys, auto&& run) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, run);
  };
  const auto go = [this](int direction) {
    if (canvas_->search().active())
      canvas_->go_to_match(direction);
    else
      search_bar_->open();
  };
  search_bar_->hide();
  add_keys(QKeySequence::Find, [this] { search_bar_->open(); });
  add_keys(Qt::Key_F3, [go] { go(1); });
  add_keys(Qt::SHIFT | Qt::Key_F3, [go] { go(-1); });
  connect(search_bar_, &SearchBar::text_changed, canvas_, &TimelineCanvas::find);
  connect(search_bar_, &SearchBar::next_asked, canvas_, &TimelineCanvas::go_to_match);
  connect(search_bar_, &SearchBar::closed, canvas_, [this] { canvas_->setFocus(); });
  connect(canvas_, &TimelineCanvas::search_left, search_bar_, &SearchBar::close_bar);
  connect(canvas_, &TimelineCanvas::search_changed, this, &TimelineView::show_search_state);
  connect(canvas_, &TimelineCanvas::summary_changed, this, &TimelineView::show_search_state);
  show_search_state();
}

void TimelineView::show_search_state() {
  const TimelineSearch& search = canvas_->search();
  if (!search.active()) return search_bar_->show_state({}, false);
  const TimelineModel& model = canvas_->model();
  const auto count = static_cast<int64_t>(search.count(model));
  const bool done = canvas_->searched_all();
  if (count == 0 && done) return search_bar_->show_state(tr("no match"), true);
  QString words = tr("%1 found").arg(format_count(count));
  if (const auto match = canvas_->current_match())
    words = tr("%1 of %2")
                .arg(format_count(static_cast<int64_t>(search.rank(model, *match)) + 1),
                     format_count(count));
  search_bar_->show_state(done ? words : words + QStringLiteral(" …"), false);
}

const std::vector<TraceEvent>& TimelineView::all_events() const {
  return has_bridge_ ? bridge().events() : own_events_;
}

std::optional<RangeSums> TimelineView::sums_now() const {
  const std::optional<TimeRange> range = canvas_->shown_range();
  if (!range) return std::nullopt;
  return range_sums(canvas_->model(), all_events(), *range);
}

void TimelineView::copy_sums() {
  if (const auto sums = sums_now())
    QGuiApplication::clipboard()->setText(QString::fromUtf8(range_csv(*sums)));
}

// In a low view first the map is hidden, then the table of sums folds into a line, then the line is
// hidden. A narrow view folds the table too. While the mouse draws a range, the table neither folds
// nor unfolds.
void TimelineView::arrange_body() {
  const Theme& theme = Theme::instance();
  const int room = height() - header_height();
  minimap_->setVisible(!canvas_->model().empty() && room >= theme.px(170));
  const bool has_range = canvas_->range().has_value(), shows = canvas_->shown_range().has_value();
  begin_range_->setEnabled(!canvas_->model().empty());
  end_range_->setEnabled(!canvas_->model().empty());
  for (QAction* action : {zoom_range_, copy_range_}) action->setEnabled(shows);
  clear_range_->setEnabled(has_range);
  if (!canvas_->dragging_range()) {
    const bool can_unfold = width() >= 2 * sums_->table_width() && room >= theme.px(130);
    const bool folded = !can_unfold || folds_sums_;
    if (folded != sums_->folded()) {
      grid_->removeWidget(sums_);
      if (folded)
        grid_->addWidget(sums_, 2, 0, 1, 2);
      else
        grid_->addWidget(sums_, 1, 1);
    }
    sums_->set_folded(folded, can_unfold);
    sums_->setMinimumWidth(folded ? 0 : sums_->table_width());
    sums_->setVisible(has_range && room >= theme.px(100));
  }
  if (!sums_->isHidden()) sums_->show_sums(sums_now());
}

QSize TimelineView::minimumSizeHint() const {
  const QSize rows = canvas_->minimumSizeHint();
  return {rows.width(), header_height() + rows.height()};
}

// 0 if the header is outside the view.
int TimelineView::header_height() const {
  return isAncestorOf(header_) ? header_->minimumSizeHint().height() : 0;
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
  menu_time_ = event->reason() == QContextMenuEvent::Keyboard
                   ? std::nullopt
                   : canvas_->time_under(canvas_->mapFrom(this, event->pos()));
  View::contextMenuEvent(event);
}

std::vector<ViewCommand> TimelineView::commands() {
  std::vector<ViewCommand> commands;
  for (QAction* action : actions()) {
    if (!action->isEnabled()) continue;
    commands.push_back({.name = tr("Timeline › %1").arg(action->text()),
                        .meaning = action->toolTip(),
                        .run = [this, action] {
                          menu_time_.reset();
                          action->trigger();
                        }});
  }
  return commands;
}

QString TimelineView::table_name() const {
  return canvas_->shown_range() ? QStringLiteral("timeline_range") : export_name();
}

void TimelineView::show_cursor() {
  canvas_->set_past(past_step() ? shown() : nullptr);
}

void TimelineView::show_run(std::shared_ptr<const EngineSnapshot> snapshot,
                            const std::vector<TraceEvent>& more_events) {
  const size_t from = own_events_.size();
  own_events_.insert(own_events_.end(), more_events.begin(), more_events.end());
  canvas_->set_snapshot(std::move(snapshot));
  canvas_->set_events(own_events_, from);
}

void TimelineView::arrange_header() {
  const Theme& theme = Theme::instance();
  const QFontMetrics title_metrics(theme.font(TextRole::kBody, QFont::DemiBold));
  const QFontMetrics small(theme.font(TextRole::kSmall));
  const int fixed = title_metrics.horizontalAdvance(title()) + live_->sizeHint().width() +
                    fit_->sizeHint().width() + theme.px(56);
  const QString summary = canvas_->summary();
  const QString spoken = summary.isEmpty() ? tr("Nothing recorded yet") : summary;
  if (canvas_->accessibleDescription() != spoken) canvas_->setAccessibleDescription(spoken);
  int room = width() - fixed;
  const int legend = static_cast<int>(TimelinePainter::legend_width());
  const bool legend_fits = room - small.horizontalAdvance(summary) - theme.px(24) >= legend;
  legend_->setVisible(legend_fits);
  legend_->setFixedSize(legend, theme.px(24));
  if (legend_fits) room -= legend + theme.px(16);
  header_->set_detail(small.elidedText(summary, Qt::ElideRight, std::max(0, room - theme.px(16))));
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  arrange_header();
  arrange_body();
}

std::vector<KeyHelp> TimelineView::key_help() const {
  return {
      {tr("Ctrl+wheel, W, S, +, -"), tr("Zoom in and out")},
      {tr("Shift+wheel, A, D, middle-drag"), tr("Pan")},
      {tr("Wheel, Page up, Page down"), tr("Scroll the lanes")},
      {tr("Left-drag, Shift+drag"),
       tr("Select a range of time, and see sums for it; with Shift also on the ruler")},
      {tr("[, ]"), tr("Begin or end the range: at the pointer, else at the selected span, the time "
                      "cursor or the edge of what is visible")},
      {tr("Ctrl+F"), tr("Find: mark the spans that match typed words")},
      {tr("F3, Shift+F3"), tr("Next or previous match; in the line also Enter, Shift+Enter")},
      {tr("Drag on the map"), tr("Move the visible part, or one of its edges; a click goes there")},
      {tr("Click"), tr("Select a span")},
      {tr("Drag on the ruler"), tr("Move the time cursor: the views show that step")},
      {tr("Left, Right (, and .)"), tr("Previous or next span of the lane")},
      {tr("Up, Down"), tr("Span in the lane above or below")},
      {tr("Double-click, F, Enter"), tr("Fit the range, the span or what is selected elsewhere; "
                                        "double-click beside spans: the whole run")},
      {tr("Home"), tr("Show all")},
      {tr("L"), tr("Follow the newest time")},
      {tr("Esc"), tr("Clear the range, then the search, then the selection")}};
}

void TimelineView::paint_content(QPainter& painter, const QRectF& bounds) {
  canvas_->paint_all(painter, bounds);
}

QSize TimelineView::export_size() const {
  return canvas_->full_size();
}

QSize TimelineView::export_size_for(double width) const {
  return canvas_->full_size(width);
}

std::function<QByteArray()> TimelineView::table() const {
  if (const auto sums = sums_now()) return [csv = range_csv(*sums)] { return csv; };
  const std::vector<TraceEvent>& all = all_events();
  const size_t count = has_bridge_ ? events_shown() : all.size();
  return [events = std::vector<TraceEvent>(all.begin(),
                                           all.begin() + static_cast<ptrdiff_t>(count))]() mutable {
    ask_for_table(events.size());
    // Sorts by begin, then by lane, then by order of recording.
    std::stable_sort(events.begin(), events.end(), [](const TraceEvent& a, const TraceEvent& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.lane < b.lane;
    });
    return QByteArray::fromStdString(timeline_csv(events));
  };
}

ViewEntry timeline_entry() {
  return {.name = "timeline",
          .title = TimelineView::tr("Timeline"),
          .keys = {},
          .look_at = TimelineView::tr(
              "Time goes to the right. A bar is a state of a request or a piece of work; its row "
              "says whose."),
          .document = "timeline.md",
          .place = ViewPlace::kBottom,
          .in_every_run = true,
          .run_order = 3,
          .make = make_view<TimelineView>};
}

}  // namespace attn::gui

#include "moc_timeline_view.cpp"
