// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_view.h"

#include "gui/models/words/scenario_words.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/difference/difference_table.h"
#include "gui/views/attention/difference/difference_words.h"
#include "gui/views/attention/heatmap/heatmap_mark.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/text/rule_words.h"

namespace attn::gui {
namespace {

constexpr int kBetweenLooks_ms = 50;

QString title_of_run(const EngineSnapshot* snapshot) {
  return snapshot && snapshot->scenario && !snapshot->scenario->title.empty()
             ? title_of(*snapshot->scenario)
             : DifferenceView::tr("untitled");
}

// For a run with a bridge.
ShownRun shown_run_of(const ViewContext& context) {
  ShownRun run;
  run.newest = context.bridge->snapshot();
  run.shown = context.cursor ? context.cursor->snapshot() : run.newest;
  if (context.cursor && !context.cursor->is_live()) run.past_step = context.cursor->step();
  run.name = title_of_run(run.newest.get());
  return run;
}

}  // namespace

DifferenceView::DifferenceView(const ViewContext& here, const ViewContext& beside,
                               const QString& run, QWidget* parent)
    : View(here, parent),
      beside_(beside),
      run_(run),
      header_(new PanelHeader(tr("Difference"), this)),
      canvas_(new DifferenceCanvas) {
  stack(header_, canvas_, canvas_);
  setAccessibleName(title());
  connect_canvas();
  follow_runs_of_both();
  if (here.cursor) connect(here.cursor, &TimeCursor::moved, this, &DifferenceView::refresh);
  connect(&selection(), &Selection::shown_changed, this, &DifferenceView::refresh);
  connect(&selection(), &Selection::changed, this, &DifferenceView::read_selection);
  connect(&selection(), &Selection::pointed_changed, this, &DifferenceView::read_pointed);
  connect(&Theme::instance(), &Theme::changed, this, &DifferenceView::refresh);
  later_.setSingleShot(true);
  later_.setInterval(kBetweenLooks_ms);
  connect(&later_, &QTimer::timeout, this, &DifferenceView::refresh);
}

void DifferenceView::connect_canvas() {
  connect(canvas_, &DifferenceCanvas::computed, this, &DifferenceView::describe);
  connect(canvas_, &DifferenceCanvas::chosen, this, [this](qint64 query, qint64 key) {
    const RunPair& shown_pair = canvas_->scene().pair;
    selection().select({.kind = SelectionKind::kCell,
                        .request = shown_pair.request,
                        .layer = shown_pair.layer(),
                        .head = shown_pair.head(),
                        .query = query,
                        .key = key});
  });
  connect(canvas_, &DifferenceCanvas::cleared, &selection(), &Selection::clear);
  connect(canvas_, &DifferenceCanvas::pointed, this, [this](qint64 query, qint64 key) {
    const DifferenceScene& scene = canvas_->scene();
    const bool of_encoder = scene.cells.head.is_encoder();
    selection().point(query < 0 || scene.is_empty() || !scene.pair.here.has(query, key)
                          ? PointedState{}
                          : PointedState{scene.pair.request, query, key,
                                         of_encoder || !scene.cells.keys_are_tokens(), of_encoder});
  });
  connect(canvas_, &DifferenceCanvas::head_step_asked, this,
          [this](int step) { step_head(0, step); });
  connect(canvas_, &DifferenceCanvas::layer_step_asked, this,
          [this](int step) { step_head(step, 0); });
}

void DifferenceView::follow_runs_of_both() {
  on_shown([this] { changed_soon(); });
  connect(&bridge(), &EngineBridge::run_started, this, [this] {
    if (!isVisible()) canvas_->set_scene({});  // else it would keep the memory of the replaced run
    changed_soon();
  });
  connect(&bridge(), &EngineBridge::attention_changed, this, &DifferenceView::changed_soon);
  if (!beside_.bridge) return;
  connect(beside_.bridge, &EngineBridge::snapshot_changed, this, &DifferenceView::changed_soon);
  connect(beside_.bridge, &EngineBridge::attention_changed, this, &DifferenceView::changed_soon);
  if (beside_.cursor)
    connect(beside_.cursor, &TimeCursor::changed, this, &DifferenceView::changed_soon);
}

RunPair DifferenceView::pair() const {
  if (!beside_.bridge) {
    RunPair none;
    none.refusal =
        tr("No second run is open. In the menu View, “The run before, beside” (Ctrl+B) opens the "
           "run before this one, and “Session beside…” (Ctrl+Shift+B) a saved one.");
    return none;
  }
  ShownRun here;
  here.newest = bridge().snapshot();
  here.shown = shown();
  here.past_step = past_step();
  here.name = title_of_run(here.newest.get());
  ShownRun beside = shown_run_of(beside_);
  if (!run_.isEmpty()) beside.name = QStringLiteral("%1: %2").arg(run_, beside.name);
  return pair_runs(here, beside, selection().shown_request(), selection().shown_layer(),
                   selection().shown_head());
}

void DifferenceView::changed_soon() {
  if (isVisible() && !later_.isActive()) later_.start();
}

void DifferenceView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

void DifferenceView::refresh() {
  if (!isVisible()) return;
  const RunPair now = pair();
  header_->set_detail(now.is_empty()
                          ? QString()
                          : tr("%1: layer %2, head %3")
                                .arg(now.here.request,
                                     layer_words(now.layer(), now.here.head.is_encoder()),
                                     QString::number(now.head())));
  canvas_->set_scene(difference_scene(now, &canvas_->scene()));
  read_selection();
  read_pointed();
  describe();
}

void DifferenceView::read_selection() {
  const DifferenceScene& scene = canvas_->scene();
  const RequestView* request = shown_request(bridge(), selection());
  HeatmapMark mark;
  if (request && !scene.is_empty())
    mark = mark_of(selection().state(), scene.cells, *request, bridge().events());
  canvas_->set_mark(mark);
}

void DifferenceView::read_pointed() {
  HeatmapScene marked;
  marked.head = canvas_->scene().cells.head;
  mark_pointed(selection().pointed(), shown_request(bridge(), selection()), marked);
  canvas_->set_pointed(marked.hover_query, marked.hover_key);
}

void DifferenceView::describe() {
  const QString text = canvas_->sentences();
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

void DifferenceView::step_head(int64_t layers, int64_t heads) {
  if (const auto& snapshot = bridge().snapshot())
    selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                          snapshot->source.num_layers, snapshot->source.num_heads);
}

std::vector<KeyHelp> DifferenceView::key_help() const {
  return {{tr("Click"), tr("Select a cell of the run in the window")},
          {tr("Arrows"), tr("Move the selected cell")},
          {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
          {tr("Esc"), tr("Clear the selection")},
          {tr("Ctrl+wheel, + and −"), tr("Zoom")},
          {tr("Wheel, Shift+wheel"), tr("Scroll up and down, sideways")},
          {tr("Middle drag"), tr("Pan")},
          {tr("Double-click, F, Home"), tr("Show everything")}};
}

// --- exports ---

DifferenceScene DifferenceView::exported() const {
  DifferenceScene scene = difference_scene(pair(), nullptr);
  scene.title = true;
  scene.cells.mark = canvas_->scene().cells.mark;
  return scene;
}

std::function<void(QPainter&, const QRectF&)> DifferenceView::drawing() const {
  return [scene = exported()](QPainter& painter, const QRectF& bounds) {
    paint_difference_file(painter, scene, bounds);
  };
}

QSize DifferenceView::export_size() const {
  return difference_size(exported());
}

QSize DifferenceView::export_size_for(double width) const {
  return difference_size(exported(), width);
}

std::function<QByteArray()> DifferenceView::table() const {
  return [of = pair()] { return difference_csv(of); };
}

PairEntry difference_pair() {
  return {.name = "difference",
          .title = DifferenceView::tr("Difference"),
          .look_at = DifferenceView::tr(
              "The attention weights of the shown head in the window minus those beside: which "
              "cells changed?"),
          .make = [](const ViewContext& here, const ViewContext& beside, const QString& run,
                     QWidget* parent) -> View* {
            return new DifferenceView(here, beside, run, parent);
          }};
}

}  // namespace attn::gui

#include "moc_difference_view.cpp"
