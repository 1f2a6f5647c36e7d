// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_view.h"

#include <QFontMetrics>
#include <algorithm>

#include "engine/session/report/report.h"
#include "gui/models/notes.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_text.h"

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
      canvas_(new TimelineCanvas(*context.selection, this)) {
  stack(header_, canvas_, canvas_);

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
  connect(&Theme::instance(), &Theme::changed, this, &TimelineView::arrange_header);
  arrange_header();

  if (!has_bridge_) return;
  EngineBridge* engine = context.bridge;
  connect(engine, &EngineBridge::run_started, canvas_, &TimelineCanvas::reset);
  connect(engine, &EngineBridge::events_appended, this, [this, engine](qint64 from, qint64) {
    // The snapshot first: it has the exact times of long steps and the names of new requests.
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

// Title, summary, legend, controls: the summary is cut and the legend goes when there is no room;
// the title stays.
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
}

std::vector<KeyHelp> TimelineView::key_help() const {
  return {
      {tr("Ctrl+wheel, W, S, +, -"), tr("Zoom at the pointer, in and out")},
      {tr("Shift+wheel, A, D, middle-drag"), tr("Pan")},
      {tr("Wheel, Page up, Page down"), tr("Scroll the lanes")},
      {tr("Left-drag"),
       tr("Measure a range: its length, the number of spans in it and the sum of their times")},
      {tr("Click"), tr("Select a span")},
      {tr("Drag on the ruler"), tr("Move the time cursor: the views show that step")},
      {tr("Left, Right (, and .)"), tr("Previous or next span of the lane")},
      {tr("Up, Down"), tr("Span in the lane above or below")},
      {tr("Double-click, F, Enter"), tr("Fit the range, the span or what is selected elsewhere")},
      {tr("Home"), tr("Show all")},
      {tr("L"), tr("Follow the newest time")},
      {tr("Esc"), tr("Clear range, then selection")}};
}

void TimelineView::paint_content(QPainter& painter, const QRectF& bounds) {
  canvas_->paint_all(painter, bounds);
}

QSize TimelineView::export_size() const {
  return canvas_->full_size();
}

std::function<QByteArray()> TimelineView::table() const {
  const std::vector<TraceEvent>& all = has_bridge_ ? bridge().events() : own_events_;
  const size_t count = has_bridge_ ? events_shown() : all.size();
  return [events = std::vector<TraceEvent>(all.begin(),
                                           all.begin() + static_cast<ptrdiff_t>(count))]() mutable {
    ask_for_table(events.size());
    // The order of the report files: by begin, then lane, then order of recording.
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
              "Time goes to the right. A bar is a piece of work, and its row says who did it."),
          .place = ViewPlace::kBottom,
          .in_every_run = true,
          .run_order = 3,
          .make = make_view<TimelineView>};
}

}  // namespace attn::gui

#include "moc_timeline_view.cpp"
