// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys, tooltips and point_at() of the timeline, the range of time that is selected,
// and the places of the selection and of the shown request.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "gui/views/timeline/timeline_text.h"

namespace attn::gui {
namespace {

constexpr double kKeyPan = 0.15;  // part of the plot's width

}  // namespace

// --- the range ---

std::optional<TimeRange> TimelineCanvas::shown_range() const {
  return range_ ? part_before(*range_, model_.until_ns()) : std::nullopt;
}

void TimelineCanvas::set_range(const TimeRange& range) {
  range_ = range;
  update();
  emit summary_changed();
}

void TimelineCanvas::set_range_edge(bool begin, uint64_t time_ns) {
  const uint64_t newest = model_.end_ns() + 1;  // includes the newest time
  time_ns = std::min(time_ns, newest);
  const TimeRange old = range_.value_or(TimeRange{0, newest});
  const bool crosses = begin ? time_ns >= old.end_ns : time_ns <= old.begin_ns;
  const uint64_t other = crosses ? (begin ? newest : 0) : begin ? old.end_ns : old.begin_ns;
  set_range(range_between(time_ns, other));
}

uint64_t TimelineCanvas::time_of_edge(bool begin) const {
  if (scene_.hover_x >= 0 && scene_.hover_x <= axis_.pixels)
    return time_at(scene_.layout.gutter + scene_.hover_x);
  if (const auto span = selected_span()) return begin ? span->begin_ns : span->end_ns;
  if (scene_.cursor) return begin ? scene_.cursor->begin_ns : scene_.cursor->end_ns;
  return static_cast<uint64_t>(std::max(0.0, begin ? axis_.visible_begin() : axis_.visible_end()));
}

std::optional<uint64_t> TimelineCanvas::time_under(const QPointF& position) const {
  const bool on_plot = plot_x(position.x()) >= 0 && rect().contains(position.toPoint());
  return on_plot ? std::optional(time_at(position.x())) : std::nullopt;
}

void TimelineCanvas::clear_range() {
  range_.reset();
  range_lane_ = -1;
  update();
  emit summary_changed();
}

bool TimelineCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && (range_ || search_.active())) {
    event->accept();
    return true;
  }
  return Canvas::event(event);
}

// --- events ---

void TimelineCanvas::resizeEvent(QResizeEvent*) {
  refresh_axis();
  update_empty_state();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  if (event->button() == Qt::MiddleButton) {
    panning_ = true;
    set_live(false);
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton && !(event->modifiers() & Qt::ShiftModifier) &&
             scene_.layout.ruler.contains(event->position())) {
    on_ruler_ = true;
    const std::vector<NoteMark> marks = note_marks_on(axis_);
    const NoteMark* mark = note_mark_at(marks, plot_x(press_.x()));
    emit time_asked(mark ? mark->begin_ns : time_at(press_.x()));
  } else if (event->button() == Qt::LeftButton) {
    pressed_ = true;
    press_time_ns_ = time_at(press_.x());
  }
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (panning_) {
    axis_.pan(at.x() - press_.x());
    scroll_to(scroll_ - (at.y() - press_.y()));
    press_ = at;
    update();
    return;
  }
  if (on_ruler_) {
    emit time_asked(
        time_at(std::clamp(at.x(), scene_.layout.ruler.left(), scene_.layout.ruler.right())));
  }
  if (pressed_ && plot_x(press_.x()) >= 0 &&
      (measuring_ || std::abs(at.x() - press_.x()) >= kDragDistance)) {
    if (!measuring_) {
      measuring_ = true;
      set_live(false);
      range_lane_ = scene_.layout.lane_at(press_.y());
      // A drag that does not begin on a lane measures the engine's steps.
      for (size_t i = 0; range_lane_ < 0 && i < model_.lanes().size(); ++i)
        if (model_.lanes()[i]->kind == LaneKind::kSteps) range_lane_ = static_cast<int>(i);
    }
    set_range(range_between(press_time_ns_, time_at(at.x())));
  }
  scene_.hover_x = plot_x(at.x());
  update();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton && panning_) {
    panning_ = false;
    unsetCursor();
    return;
  }
  if (event->button() == Qt::LeftButton) on_ruler_ = false;
  if (event->button() != Qt::LeftButton || !pressed_) return;
  pressed_ = false;
  if (measuring_) {
    measuring_ = false;
    emit summary_changed();  // the range is whole now
    return;
  }
  const Hit found = hit(event->position());
  if (found.lane >= 0 && plot_x(event->position().x()) < 0) {
    const TimelineLane& lane = *model_.lanes()[static_cast<size_t>(found.lane)];
    if (lane.kind == LaneKind::kRequest)
      selection_.show(lane.id, selection_.shown_layer(), selection_.shown_head());
    return;
  }
  if (found.found && found.bar.event != LodIndex::kManyEvents) {
    if (const auto span = span_of_event(found.bar.event)) select_span(*span);
  } else if (found.found) {
    // The bar stands for several spans, so the view zooms in.
    set_live(false);
    axis_.zoom_at(plot_x(event->position().x()), 8);
    update();
  } else {
    clear_range();
  }
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = false;
  const Hit found = hit(event->position());
  if (found.found && found.bar.event != LodIndex::kManyEvents) {
    if (const auto span = span_of_event(found.bar.event)) {
      set_live(false);
      axis_.show(static_cast<double>(span->begin_ns),
                 static_cast<double>(std::max(span->end_ns, span->begin_ns + 1)),
                 axis_.pixels * 0.05);
      update();
      return;
    }
  }
  fit_all();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
  if (event->modifiers() & Qt::ControlModifier) {
    set_live(false);
    axis_.zoom_at(std::clamp(plot_x(event->position().x()), 0.0, axis_.pixels),
                  std::pow(kWheelZoom, notches));
  } else if ((event->modifiers() & Qt::ShiftModifier) || delta.x() != 0 ||
             scene_.layout.max_scroll() <= 0) {
    set_live(false);
    axis_.pan(notches * axis_.pixels * 0.1);
  } else {
    scroll_to(scroll_ - notches * 2 * scene_.layout.pitch());
  }
  update();
  event->accept();
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  const auto pan = [this](double part) {
    set_live(false);
    axis_.pan(part * axis_.pixels);
    update();
  };
  switch (event->key()) {
    case Qt::Key_Left:
      select_neighbour(-1);
      break;
    case Qt::Key_Right:
      select_neighbour(1);
      break;
    case Qt::Key_Comma:
      select_neighbour(-1);
      break;
    case Qt::Key_Period:
      select_neighbour(1);
      break;
    case Qt::Key_Up:
      select_lane(-1);
      break;
    case Qt::Key_Down:
      select_lane(1);
      break;
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(kKeyZoom);
      break;
    case Qt::Key_S:
    case Qt::Key_Minus:
      zoom(1 / kKeyZoom);
      break;
    case Qt::Key_A:
      pan(kKeyPan);
      break;
    case Qt::Key_D:
      pan(-kKeyPan);
      break;
    case Qt::Key_F:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      fit();
      break;
    case Qt::Key_Home:
      fit_all();
      break;
    case Qt::Key_L:
      set_live(!live_);
      break;
    case Qt::Key_PageUp:
      scroll_to(scroll_ - scene_.layout.lanes.height());
      break;
    case Qt::Key_PageDown:
      scroll_to(scroll_ + scene_.layout.lanes.height());
      break;
    case Qt::Key_BracketLeft:
      set_range_edge(true, time_of_edge(true));
      break;
    case Qt::Key_BracketRight:
      set_range_edge(false, time_of_edge(false));
      break;
    case Qt::Key_Escape:
      if (range_)
        clear_range();
      else if (search_.active())
        emit search_left();
      else
        selection_.clear();
      break;
    default:
      Canvas::keyPressEvent(event);
      return;
  }
  event->accept();
}

void TimelineCanvas::leaveEvent(QEvent*) {
  scene_.hover_x = -1;
  update();
}

QString TimelineCanvas::tooltip_at(const QPointF& position) {
  const TimelineLayout& layout = scene_.layout;
  const std::vector<NoteMark> marks = note_marks_on(axis_);
  if (const NoteMark* mark = note_mark_at(marks, plot_x(position.x()));
      mark && layout.ruler.contains(position))
    return mark->tooltip();
  if (layout.ruler.contains(position))
    return tr("Press or drag to move the time cursor: the views show the step at that time");
  if (layout.cache_strip.contains(position) || layout.device_strip.contains(position) ||
      layout.rate_strip.contains(position)) {
    const double time = axis_.to_content(plot_x(position.x()));
    if (time > static_cast<double>(model_.until_ns())) return {};
    const StepRecord* step = step_at(model_.snapshot().get(), time);
    return step ? step_tooltip(*step, *model_.snapshot()) : QString();
  }
  const Hit found = hit(position);
  if (found.lane < 0) return {};
  const TimelineLane& lane = *model_.lanes()[static_cast<size_t>(found.lane)];
  if (plot_x(position.x()) < 0)
    return lane_name(lane) + QStringLiteral("\n") + lane_explanation(lane);
  if (!found.found) return {};
  if (found.bar.event == LodIndex::kManyEvents)
    return merged_tooltip(lane, found.bar.count, found.bar.span_class,
                          static_cast<double>(found.bar.level) / TimelineBar::kFull);
  const std::optional<SpanRef> span = span_of_event(found.bar.event);
  if (!span) return {};
  SpanFacts facts;
  facts.lane = &lane;
  facts.event = &(*events_)[span->event];
  facts.span_class = span->span_class;
  facts.begin_ns = span->begin_ns;
  facts.end_ns = span->end_ns;
  facts.open = span->open;
  facts.modelled = model_.modelled_time();
  facts.snapshot = model_.snapshot().get();
  return span_tooltip(facts);
}

ViewPoint TimelineCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const TimelineLayout& layout = scene_.layout;
  const StepRecord* step = nullptr;
  if (plot_x(position.x()) >= 0 && model_.snapshot())
    step = step_at(model_.snapshot().get(), axis_.to_content(plot_x(position.x())));
  if (step) point.step = step->step;
  const Hit found = hit(position);
  if (found.lane >= 0) {
    const TimelineLane& lane = *model_.lanes()[static_cast<size_t>(found.lane)];
    if (lane.kind == LaneKind::kRequest) point.request = lane.id;
  }
  if (found.found && found.bar.event != LodIndex::kManyEvents) {
    if (const auto span = span_of_event(found.bar.event)) {
      point.things.push_back(state_of(*span));
      point.numbers.push_back({tr("time, ns"), QString::number(span->end_ns - span->begin_ns)});
    }
  } else if (found.found) {
    point.numbers.push_back({tr("spans"), QString::number(found.bar.count)});
  } else if (step &&
             (layout.cache_strip.contains(position) || layout.rate_strip.contains(position) ||
              layout.device_strip.contains(position))) {
    point.numbers.push_back({tr("blocks used"), QString::number(step->used_blocks)});
    point.numbers.push_back(
        {tr("tokens of the step"), QString::number(step->prefill_tokens + step->decode_tokens)});
    point.numbers.push_back(
        {tr("time of the step, ns"), QString::number(step->end_ns - step->begin_ns)});
  }
  return point;
}

// Without a selected span this is the name of the shown request.
std::optional<QPointF> TimelineCanvas::place_of_selection() {
  const std::optional<SpanRef> span = selected_span();
  update_scene();
  const auto middle = [this](int lane) {
    return scene_.layout.lane_top(lane) + scene_.layout.lane_height / 2;
  };
  if (!span) {
    const int lane = shown_lane();
    if (lane < 0) return std::nullopt;
    return QPointF(Theme::instance().px(24), middle(lane));  // where the name begins
  }
  const double begin =
      std::clamp(axis_.to_pixel(static_cast<double>(span->begin_ns)), 0.0, axis_.pixels - 1);
  const double end =
      std::clamp(axis_.to_pixel(static_cast<double>(span->end_ns)), begin, axis_.pixels - 1);
  return QPointF(scene_.layout.gutter + (begin + end) / 2, middle(span->lane));
}

// The lane of the shown request; nullopt: a span is selected, or the lane is out of sight.
std::optional<QRectF> TimelineCanvas::row_of_selection() {
  if (selected_span()) return std::nullopt;
  update_scene();
  const int lane = shown_lane();
  if (lane < 0) return std::nullopt;
  const TimelineLayout& layout = scene_.layout;
  const QRectF row(layout.bounds.left(), layout.lane_top(lane), layout.bounds.width(),
                   layout.lane_height);
  return row.intersected({row.left(), layout.lanes.top(), row.width(), layout.lanes.height()});
}

void TimelineCanvas::reveal_selection() {
  if (const std::optional<SpanRef> span = selected_span()) return reveal(*span);
  if (const int lane = lane_of_request(selection_.shown_request()); lane >= 0) pan_to_lane(lane);
}

int TimelineCanvas::shown_lane() const {
  const int lane = lane_of_request(selection_.shown_request());
  return lane >= scene_.layout.first_visible() && lane < scene_.layout.last_visible() ? lane : -1;
}

// The lane of a request; -1: the request has none.
int TimelineCanvas::lane_of_request(int64_t request) const {
  const auto& lanes = model_.lanes();
  const auto at = std::ranges::find_if(lanes, [&](const auto& lane) {
    return lane->kind == LaneKind::kRequest && int64_t{lane->id} == request;
  });
  return at == lanes.end() ? -1 : static_cast<int>(at - lanes.begin());
}

}  // namespace attn::gui
