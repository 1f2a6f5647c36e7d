// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_canvas.h"

#include <QTimer>
#include <algorithm>
#include <climits>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kLiveWindowNs = 10e9;     // longest time shown while live
constexpr double kMaxPixelsPerNs = 5;      // 200 ns across 1000 pixels
constexpr double kHitSlack = 3;            // px: how far from a bar the pointer may be
constexpr int kMarkHitSlack = 6;           // px at 100%: how far from a mark the pointer may be
constexpr size_t kScanPerTurn = 1u << 20;  // events compared per turn
// Spans that a search looks at per turn.
constexpr uint64_t kLookPerTurn = 1u << 16;

constexpr int kLeastWidth = 480;  // px at 100%

double legend_room(double width) {
  return width - Theme::instance().px(16);
}

const std::vector<TraceEvent>& no_events() {
  static const std::vector<TraceEvent> none;
  return none;
}

}  // namespace

TimelineCanvas::TimelineCanvas(Selection& selection, QWidget* parent)
    : Canvas(tr("Timeline"), parent), selection_(selection), events_(&no_events()) {
  axis_.max_scale = kMaxPixelsPerNs;
  connect(&selection_, &Selection::changed, this, &TimelineCanvas::selection_changed);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    key_ = {};
    refresh_axis();
    update();
  });
  update_empty_state();
}

void TimelineCanvas::reset() {
  model_.clear();
  matches_.clear();
  matches_scanned_ = 0;
  search_.restart();
  searched_all_ = true;
  events_ = &no_events();
  scroll_ = 0;
  range_.reset();
  range_lane_ = -1;
  scene_.cursor.reset();
  set_live(true);
  refresh_axis();
  update_empty_state();
  emit emptied();
  emit summary_changed();
  emit search_changed();
}

void TimelineCanvas::set_events(const std::vector<TraceEvent>& all, size_t from) {
  events_ = &all;
  if (from < all.size())
    model_.append({all.data() + from, all.size() - from}, static_cast<uint32_t>(from));
  scan_matches();
  if (search_.active() && !looks_later_) look_on();
  refresh_axis();
  update_empty_state();
  emit summary_changed();
}

void TimelineCanvas::set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  const bool is_new = !model_.snapshot() != !snapshot ||
                      (snapshot && snapshot->blocks.size() != model_.snapshot()->blocks.size());
  model_.set_snapshot(std::move(snapshot));
  if (is_new) selection_changed();
  refresh_axis();
  update_empty_state();
}

void TimelineCanvas::set_notes(std::vector<StepNote> notes) {
  notes_ = std::move(notes);
  update();
}

void TimelineCanvas::update_empty_state() {
  const bool waiting =
      model_.empty() && model_.snapshot() && model_.snapshot()->phase == EnginePhase::kPaused;
  show_run_button(waiting && height() > Theme::instance().px(120));
  update();
}

void TimelineCanvas::refresh_axis() {
  const double gutter = gutter_width(model_, width());
  scene_.layout = TimelineLayout::make(QRectF(rect()), static_cast<int>(model_.lanes().size()),
                                       gutter, scroll_, has_device_strip(model_));
  scroll_ = scene_.layout.scroll;
  axis_.set_pixels(scene_.layout.lanes.width());
  axis_.set_content(0, std::max(1000.0, static_cast<double>(model_.run_end_ns()) * 1.01));
  follow();
  update();
}

void TimelineCanvas::follow() {
  if (!live_ || measuring_ || panning_) return;
  if (axis_.length() <= kLiveWindowNs) {
    axis_.fit();
  } else {
    axis_.show(axis_.end - kLiveWindowNs, axis_.end);
  }
}

void TimelineCanvas::set_live(bool live) {
  if (live == live_) return;
  live_ = live;
  follow();
  update();
  emit live_changed(live_);
}

std::vector<double> TimelineCanvas::place() const {
  if (live_) return {};
  return {axis_.offset, axis_.scale, scroll_};
}

void TimelineCanvas::go_to_place(const std::vector<double>& place) {
  if (place.size() != 3) return set_live(true);
  set_live(false);
  axis_.go(place[0], place[1]);
  scroll_to(place[2]);
  update();
}

void TimelineCanvas::fit_all() {
  set_live(false);
  axis_.fit();
  update();
}

void TimelineCanvas::fit() {
  std::optional<TimeRange> target = shown_range();
  if (!target) {
    if (const auto span = selected_span()) {
      target = TimeRange{span->begin_ns, span->end_ns};
    } else {
      target = matched_range();
    }
  }
  if (!target) return fit_all();
  set_live(false);
  axis_.show(static_cast<double>(target->begin_ns),
             static_cast<double>(std::max(target->end_ns, target->begin_ns + 1)),
             axis_.pixels * 0.05);
  update();
}

std::optional<TimeRange> TimelineCanvas::matched_range() const {
  std::optional<TimeRange> all;
  for (const auto& [lane, spans] : matches_) {
    // Assumes that the spans of a lane in matches_ are in order of time.
    if (spans.size() == 0 || spans.span(0).begin_ns >= model_.until_ns()) continue;
    const uint64_t begin = spans.span(0).begin_ns,
                   end = std::min(spans.span(spans.size() - 1).end_ns, model_.until_ns());
    all = all ? TimeRange{std::min(all->begin_ns, begin), std::max(all->end_ns, end)}
              : TimeRange{begin, end};
  }
  return all;
}

void TimelineCanvas::zoom(double factor) {
  set_live(false);
  axis_.zoom_at(axis_.pixels / 2, factor);
  update();
}

void TimelineCanvas::set_past(std::shared_ptr<const EngineSnapshot> past) {
  if (past && (!past->steps || past->steps->empty())) past.reset();
  scene_.cursor.reset();
  if (past) {
    const StepRecord& step = past->steps->back();
    scene_.cursor = TimeRange{step.begin_ns, step.end_ns};
    scene_.cursor_step = step.step;
  }
  const size_t lanes = model_.lanes().size();
  model_.set_past(std::move(past));
  if (model_.lanes().size() != lanes) range_lane_ = -1;  // lanes are renumbered
  // At another step a selected block may hold other tokens.
  if (EventMatcher(selection_.state(), model_.snapshot().get()) != matcher_) match_anew();
  if (search_.active() && !looks_later_) look_on();  // lanes may be new
  refresh_axis();
  emit summary_changed();
  emit search_changed();
}

void TimelineCanvas::show_time(double begin_ns, double end_ns) {
  set_live(false);
  axis_.show(begin_ns, end_ns);
  update();
}

void TimelineCanvas::scroll_to(double scroll) {
  scene_.layout = TimelineLayout::make(QRectF(rect()), static_cast<int>(model_.lanes().size()),
                                       scene_.layout.gutter, scroll, has_device_strip(model_));
  scroll_ = scene_.layout.scroll;
  update();
}

void TimelineCanvas::pan_to_lane(int lane) {
  const TimelineLayout& layout = scene_.layout;
  const double top = lane * layout.pitch(), bottom = top + layout.pitch();
  if (top < scroll_) scroll_to(top);
  if (bottom > scroll_ + layout.lanes.height()) scroll_to(bottom - layout.lanes.height());
}

uint64_t TimelineCanvas::time_at(double x) const {
  const double time = axis_.to_content(std::clamp(plot_x(x), 0.0, axis_.pixels));
  return static_cast<uint64_t>(std::clamp(time, 0.0, std::max(0.0, axis_.end)));
}

const TimelineLayout& TimelineCanvas::layout_now() {
  return scene_.layout;
}

const TimelineScene& TimelineCanvas::scene_now() {
  update_scene();
  return scene_;
}

// --- spans ---

TimelineCanvas::Hit TimelineCanvas::hit(const QPointF& position) {
  update_scene();
  Hit found;
  found.lane = scene_.layout.lane_at(position.y());
  if (found.lane < 0 || plot_x(position.x()) < 0) return found;
  const LaneGeometry& lane = scene_.lanes[static_cast<size_t>(found.lane)];
  const bool marks = model_.lanes()[static_cast<size_t>(found.lane)]->kind == LaneKind::kMarks;
  const int bar =
      bar_at(lane, plot_x(position.x()), marks ? Theme::instance().px(kMarkHitSlack) : kHitSlack);
  if (bar < 0) return found;
  found.bar = lane.bars[static_cast<size_t>(bar)];
  found.found = true;
  return found;
}

std::optional<TimelineCanvas::SpanRef> TimelineCanvas::span_of_event(uint32_t event) const {
  if (event >= events_->size()) return std::nullopt;
  const TimelineModel::Place place = model_.place_of(event, (*events_)[event]);
  const uint64_t until = model_.until_ns();
  if (place.lane >= 0) {
    const LodSpan& span =
        model_.lanes()[static_cast<size_t>(place.lane)]->spans.span(place.position);
    if (span.begin_ns >= until) return std::nullopt;
    return SpanRef{place.lane,
                   span.begin_ns,
                   std::min(span.end_ns, until),
                   event,
                   static_cast<SpanClass>(span.span_class),
                   span.end_ns > until};
  }
  for (size_t i = 0; i < model_.lanes().size(); ++i) {
    const auto& open = model_.lanes()[i]->open;
    if (open && open->event == event && open->begin_ns < until)
      return SpanRef{static_cast<int>(i),
                     open->begin_ns,
                     std::max(open->begin_ns, model_.end_ns()),
                     event,
                     open->span_class,
                     true};
  }
  return std::nullopt;
}

std::optional<TimelineCanvas::SpanRef> TimelineCanvas::selected_span() const {
  const SelectionState& state = selection_.state();
  if (state.kind != SelectionKind::kSpan || state.event < 0) return std::nullopt;
  return span_of_event(static_cast<uint32_t>(state.event));
}

SelectionState TimelineCanvas::state_of(const SpanRef& span) const {
  const TraceEvent& event = (*events_)[span.event];
  SelectionState state;
  state.kind = SelectionKind::kSpan;
  state.event = span.event;
  if (event.layer != kNoLayer) state.layer = event.layer;
  if (event.kind == EventKind::kTile) {
    const TileEvent tile = unpack_tile(event);
    state.request = tile.request;
    state.head = tile.head;
  } else if (model_.lanes()[static_cast<size_t>(span.lane)]->kind == LaneKind::kRequest) {
    state.request = event.a;
  }
  return state;
}

void TimelineCanvas::select_event(uint32_t event) {
  const std::optional<SpanRef> span = span_of_event(event);
  if (!span) return;
  select_span(*span);
  reveal(*span);  // the span may be out of sight
}

void TimelineCanvas::reveal(const SpanRef& span) {
  pan_to_lane(span.lane);
  const auto begin = static_cast<double>(span.begin_ns), end = static_cast<double>(span.end_ns);
  if (end > axis_.visible_begin() && begin < axis_.visible_end()) return;
  set_live(false);
  axis_.reveal(begin, std::min(end, begin + axis_.pixels / axis_.scale * 0.9), axis_.pixels * 0.05);
}

void TimelineCanvas::select_neighbour(int direction) {
  const std::optional<SpanRef> now = selected_span();
  if (!now) {
    for (size_t i = 0; i < model_.lanes().size(); ++i) {
      const LodIndex& spans = model_.lanes()[i]->spans;
      const auto middle =
          static_cast<uint64_t>(std::max(0.0, (axis_.visible_begin() + axis_.visible_end()) / 2));
      const auto position = spans.at(std::min(middle, model_.end_ns()), UINT64_MAX / 2);
      const auto first = position ? span_of_event(spans.span(*position).event) : std::nullopt;
      if (first) return select_span(*first);
    }
    return;
  }
  const TimelineLane& lane = *model_.lanes()[static_cast<size_t>(now->lane)];
  const auto position = lane.spans.find_event(now->event);
  int64_t next =
      (position ? static_cast<int64_t>(*position) : static_cast<int64_t>(lane.spans.size())) +
      direction;
  if (next < 0) return;
  uint32_t event = 0;
  if (next < static_cast<int64_t>(lane.spans.size())) {
    event = lane.spans.span(static_cast<uint64_t>(next)).event;
  } else if (lane.open && next == static_cast<int64_t>(lane.spans.size())) {
    event = lane.open->event;
  } else {
    return;
  }
  if (const auto span = span_of_event(event)) select_span(*span);
}

void TimelineCanvas::select_lane(int direction) {
  const std::optional<SpanRef> now = selected_span();
  if (!now) return select_neighbour(1);
  const uint64_t middle = now->begin_ns + (now->end_ns - now->begin_ns) / 2;
  for (int i = now->lane + direction; i >= 0 && i < static_cast<int>(model_.lanes().size());
       i += direction) {
    const TimelineLane& lane = *model_.lanes()[static_cast<size_t>(i)];
    std::optional<SpanRef> span;
    if (const auto position = lane.spans.at(middle, UINT64_MAX / 2)) {
      span = span_of_event(lane.spans.span(*position).event);
    } else if (lane.open) {
      span = span_of_event(lane.open->event);
    }
    if (!span) continue;
    select_span(*span);
    return;
  }
}

// --- what a selection lights up ---

void TimelineCanvas::selection_changed() {
  match_anew();
  if (selection_.state().kind == SelectionKind::kSpan) {
    if (const auto span = selected_span()) {
      reveal(*span);
      setAccessibleDescription(span_labels(*model_.lanes()[static_cast<size_t>(span->lane)],
                                           (*events_)[span->event], span->span_class,
                                           model_.snapshot().get())
                                   .value(0));
    }
  } else {
    setAccessibleDescription({});
  }
  update();
  emit summary_changed();
}

void TimelineCanvas::match_anew() {
  matcher_ = EventMatcher(selection_.state(), model_.snapshot().get());
  matches_.clear();
  matches_scanned_ = 0;
  ++matches_version_;
  const SelectionState& state = selection_.state();
  if (state.kind != SelectionKind::kSpan) return scan_matches();
  matches_scanned_ = events_->size();
  if (state.event >= 0 && state.event < static_cast<int64_t>(events_->size()))
    add_match(static_cast<uint32_t>(state.event));
}

void TimelineCanvas::scan_matches() {
  const SelectionKind kind = selection_.state().kind;
  if (!matcher_.active() || kind == SelectionKind::kSpan) return;
  const size_t stop = std::min(events_->size(), matches_scanned_ + kScanPerTurn);
  for (; matches_scanned_ < stop; ++matches_scanned_)
    if (matcher_.matches((*events_)[matches_scanned_], static_cast<uint32_t>(matches_scanned_)))
      add_match(static_cast<uint32_t>(matches_scanned_));
  if (stop < events_->size()) QTimer::singleShot(0, this, &TimelineCanvas::scan_matches);
}

void TimelineCanvas::add_match(uint32_t event) {
  const TimelineModel::Place place = model_.place_of(event, (*events_)[event]);
  if (place.lane < 0) return;
  const TimelineLane* lane = model_.lanes()[static_cast<size_t>(place.lane)];
  matches_[lane].append(lane->spans.span(place.position));
  ++matches_version_;
  update();
}

// --- search ---

void TimelineCanvas::find(const QString& text) {
  search_.set_text(text);
  searched_all_ = !search_.active();
  if (!looks_later_) look_on();
  update();
  emit search_changed();
}

void TimelineCanvas::look_on() {
  looks_later_ = false;
  const uint64_t version = search_.version();
  const bool was_done = searched_all_;
  searched_all_ = search_.look(model_, *events_, kLookPerTurn);
  if (!searched_all_) {
    looks_later_ = true;
    QTimer::singleShot(0, this, &TimelineCanvas::look_on);
  }
  if (version == search_.version() && was_done == searched_all_) return;
  update();
  emit search_changed();
}

std::optional<TimelineSearch::Match> TimelineCanvas::current_match() const {
  const std::optional<SpanRef> span = search_.active() ? selected_span() : std::nullopt;
  if (!span) return std::nullopt;
  const TimelineSearch::Match match{span->begin_ns, span->lane, span->event};
  return search_.holds(model_, match) ? std::optional(match) : std::nullopt;
}

void TimelineCanvas::go_to_match(int direction) {
  if (!search_.active()) return;
  TimelineSearch::Match from{static_cast<uint64_t>(std::max(0.0, axis_.visible_begin())), -1, 0};
  if (const auto span = selected_span()) from = {span->begin_ns, span->lane, span->event};
  auto match = search_.next(model_, from, direction);
  if (!match) {
    const TimelineSearch::Match before_all{0, -1, 0}, after_all{UINT64_MAX, INT_MAX, 0};
    match = search_.next(model_, direction > 0 ? before_all : after_all, direction);
  }
  if (match) select_event(match->event);
  emit search_changed();
}

// --- rectangles ---

void TimelineCanvas::build(TimelineScene& scene, int first, int last) {
  const auto& lanes = model_.lanes();
  scene.model = &model_;
  scene.events = events_;
  scene.lanes.assign(lanes.size(), {});
  scene.matches.assign(lanes.size(), {});
  scene.searching = search_.active();
  scene.found.assign(lanes.size(), {});
  for (int i = first; i < last; ++i) {
    const auto at = static_cast<size_t>(i);
    scene.lanes[at] = lane_geometry(*lanes[at], scene.axis, model_.end_ns(), model_.until_ns());
    if (const auto found = matches_.find(lanes[at]); found != matches_.end())
      scene.matches[at] = match_bars(found->second, scene.axis, model_.until_ns());
    const SelectionState& state = selection_.state();
    if (state.kind == SelectionKind::kSpan && lanes[at]->open &&
        lanes[at]->open->event == state.event && lanes[at]->open->begin_ns < model_.until_ns() &&
        !scene.lanes[at].bars.empty() && scene.lanes[at].bars.back().open)
      scene.matches[at].push_back(scene.lanes[at].bars.back());
    if (const LodIndex* found = search_.found_in(*lanes[at]))
      scene.found[at] = match_bars(*found, scene.axis, model_.until_ns());
    if (search_.finds_open(model_, *lanes[at]) && !scene.lanes[at].bars.empty() &&
        scene.lanes[at].bars.back().open)
      scene.found[at].push_back(scene.lanes[at].bars.back());
  }
  build_ruler_marks(scene);
  const EngineSnapshot* snapshot = model_.snapshot().get();
  scene.cache = strip_geometry(Strip::kCacheUse, snapshot, scene.axis);
  scene.rate = strip_geometry(Strip::kTokenRate, snapshot, scene.axis);
  if (has_device_strip(model_))
    scene.device = strip_geometry(Strip::kModelledDevice, snapshot, scene.axis);
  scene.range = shown_range();
  scene.range_lane = range_lane_;
  scene.selected_request = static_cast<int>(selection_.state().request);
}

// Spans in lanes out of sight have marks too.
void TimelineCanvas::build_ruler_marks(TimelineScene& scene) const {
  scene.ruler_marks.clear();
  for (const auto& [lane, spans] : matches_)
    for (const TimelineBar& bar : match_bars(spans, scene.axis, model_.until_ns()))
      scene.ruler_marks.push_back(bar);
  std::sort(scene.ruler_marks.begin(), scene.ruler_marks.end(),
            [](const TimelineBar& a, const TimelineBar& b) { return a.x < b.x; });
  // Marks that touch, or nearly do, become one.
  std::vector<TimelineBar> apart;
  for (const TimelineBar& bar : scene.ruler_marks) {
    if (!apart.empty() && bar.x <= apart.back().x + apart.back().width + 1) {
      apart.back().width = std::max(apart.back().width, bar.x + bar.width - apart.back().x);
    } else {
      apart.push_back(bar);
    }
  }
  scene.ruler_marks = std::move(apart);
  const std::optional<TimeRange> all = matched_range();
  scene.marks_before = all && static_cast<double>(all->begin_ns) < scene.axis.visible_begin();
  scene.marks_after = all && static_cast<double>(all->end_ns) > scene.axis.visible_end();
}

void TimelineCanvas::update_scene() {
  scene_.axis = axis_;
  const int first = scene_.layout.first_visible(), last = scene_.layout.last_visible();
  const GeometryKey key{axis_.offset,     axis_.scale,       axis_.pixels, model_.version(),
                        matches_version_, search_.version(), first,        last};
  scene_.range = shown_range();
  scene_.range_lane = range_lane_;
  if (key == key_ && scene_.model) return;
  key_ = key;
  ++geometry_builds_;
  build(scene_, first, last);
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (model_.empty() && model_.lanes().empty()) {
    paint_empty(painter, tr("Nothing has run yet"),
                tr("Requests, steps, kernels and tiles appear here as bars. Press Space to run."));
  } else {
    update_scene();
    painter_.paint(painter, scene_);
    paint_note_marks(painter, scene_.layout.ruler, note_marks_on(scene_.axis));
  }
  paint_focus(painter);
  if (builds_told_ == geometry_builds_) return;
  builds_told_ = geometry_builds_;
  emit scene_changed();
}

QSize TimelineCanvas::full_size(double width) const {
  const Theme& theme = Theme::instance();
  const int lanes = static_cast<int>(model_.lanes().size());
  const double wide = std::ceil(std::max<double>(width, theme.px(kLeastWidth)));
  const double around =
      TimelinePainter::title_height() + TimelinePainter::legend_height(legend_room(wide));
  return {
      static_cast<int>(wide),
      static_cast<int>(timeline_height(lanes, has_device_strip(model_)) + around) + theme.px(4)};
}

void TimelineCanvas::paint_all(QPainter& painter, const QRectF& bounds) {
  double part = bounds.height() / full_size(bounds.width()).height();
  // A wider picture that is scaled down may have its legend in fewer lines.
  const QSize wider = full_size(bounds.width() / part);
  if (const double larger = bounds.height() / wider.height();
      part < 1 && full_size(bounds.width() / larger).height() == wider.height())
    part = larger;
  if (part < 1 && part > 0) {
    painter.save();
    painter.translate(bounds.topLeft());
    painter.scale(part, part);
    paint_whole(painter, QRectF(QPointF(0, 0), bounds.size() / part));
    painter.restore();
  } else {
    paint_whole(painter, bounds);
  }
}

void TimelineCanvas::paint_whole(QPainter& painter, const QRectF& bounds) {
  const Theme& theme = Theme::instance();
  const double legend = TimelinePainter::legend_height(legend_room(bounds.width()));
  const double title = TimelinePainter::title_height();
  const QRectF plot = bounds.adjusted(0, title, 0, -legend);
  TimelineScene scene;
  const int lanes = static_cast<int>(model_.lanes().size());
  scene.layout = TimelineLayout::make(plot, lanes, gutter_width(model_, bounds.width()), 0,
                                      has_device_strip(model_));
  scene.axis = axis_;
  scene.axis.set_pixels(scene.layout.lanes.width());
  scene.cursor = scene_.cursor;
  scene.cursor_step = scene_.cursor_step;
  if (live_) {
    // In a picture of a past step, time ends shortly after that step.
    if (scene.cursor)
      scene.axis.set_content(0, std::max(1000.0, static_cast<double>(model_.end_ns()) * 1.01));
    scene.axis.fit();
  } else {
    scene.axis.show(axis_.visible_begin(), axis_.visible_end());
  }
  build(scene, scene.layout.first_visible(), scene.layout.last_visible());
  TimelinePainter own;
  own.paint(painter, scene);
  TimelinePainter::paint_title(painter, {bounds.left(), bounds.top(), bounds.width(), title});
  paint_note_marks(painter, scene.layout.ruler, note_marks_on(scene.axis));
  own.paint_legend(painter, QRectF(bounds.left() + theme.px(12), bounds.bottom() - legend,
                                   legend_room(bounds.width()), legend));
}

QString TimelineCanvas::summary() const {
  if (const auto range = shown_range(); range && range_lane_ >= 0) {
    const LodStatistics sum = model_.statistics(range_lane_, range->begin_ns, range->end_ns);
    const auto length = static_cast<double>(range->length_ns());
    return tr("%1 selected; %2: %3, sum %4, %5% of the range")
        .arg(format_duration_ns(length, 4),
             lane_name(*model_.lanes()[static_cast<size_t>(range_lane_)]),
             counted(static_cast<int64_t>(sum.count), tr("1 span"), tr("%1 spans")),
             format_duration_ns(static_cast<double>(sum.total_ns), 4),
             format_number(length > 0 ? 100.0 * static_cast<double>(sum.total_ns) / length : 0, 3));
  }
  if (model_.empty()) return {};
  return tr("%1 in %2")
      .arg(counted(static_cast<int64_t>(model_.num_spans()), tr("1 span"), tr("%1 spans")),
           format_duration_ns(static_cast<double>(model_.end_ns()), 4));
}

}  // namespace attn::gui

#include "moc_timeline_canvas.cpp"
