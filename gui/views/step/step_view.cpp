// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_view.h"

#include <algorithm>
#include <cmath>

#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/step/step_tables.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

bool has_ended(const EngineSnapshot& snapshot) {
  return snapshot.steps && !snapshot.steps->empty() && snapshot.steps->back().step >= snapshot.step;
}

}  // namespace

StepView::StepView(const ViewContext& context, QWidget* parent)
    : View(context, parent), header_(new PanelHeader(tr("Step"), this)), canvas_(new StepCanvas) {
  stack(header_, canvas_, canvas_);
  setAccessibleName(title());
  connect_canvas();
  connect(&bridge(), &EngineBridge::run_started, this, &StepView::changed);
  on_shown([this] { changed(); });
  connect(&bridge(), &EngineBridge::gate_changed, this, &StepView::changed);
  connect(&selection(), &Selection::shown_changed, this, &StepView::changed);
  connect(&selection(), &Selection::changed, this, &StepView::changed);
  connect(&selection(), &Selection::pointed_changed, this,
          [this] { canvas_->set_pointed(selection().pointed()); });
  connect(&Theme::instance(), &Theme::changed, this, &StepView::changed);
}

// The position of the key that is pointed at in a mask; -1: a key of another sequence, or cross
// attention.
int64_t StepView::key_of_mask(const StepPlace& place) const {
  const StepMask shown = step_masks(*scene().facts)[static_cast<size_t>(place.mask)];
  const auto s = static_cast<size_t>(place.sequence - shown.mask->first_sequence);
  const SeqLenInfo& keys = shown.mask->rule->keys();
  const int64_t key = place.mask_key - keys.starts[s];
  const bool own = shown.layers->config.attn_type != AttentionType::kEncoderDecoder;
  return own && key >= 0 && key < keys.lens[s] ? key : -1;
}

void StepView::connect_canvas() {
  connect(canvas_, &StepCanvas::run_asked, &bridge(), &EngineBridge::run);
  connect(canvas_, &StepCanvas::pointed, this, [this](const StepPlace& place) {
    const bool own = place.kind == StepPlace::Kind::kToken;
    if (!own && place.kind != StepPlace::Kind::kEncoderToken) return selection().point({});
    // A row of an encoder's mask is a query.
    const bool of_encoder = !own && place.mask >= 0;
    selection().point({.request = scene().sequences[static_cast<size_t>(place.sequence)].request,
                       .query = own          ? scene().context_len(place.sequence) + place.index
                                : of_encoder ? place.index
                                             : -1,
                       .key = place.mask >= 0 ? key_of_mask(place)
                              : own           ? -1
                                              : place.index,
                       .of_encoder = !own,
                       .query_of_encoder = of_encoder});
  });
  connect(canvas_, &StepCanvas::chosen, this, [this](const SelectionState& state) {
    revealed_ = state;  // it was chosen in the canvas, so it is in sight
    selection().select(state);
  });
  connect(canvas_, &StepCanvas::cleared, &selection(), &Selection::clear);
  connect(canvas_, &StepCanvas::head_step_asked, this, [this](int step) { step_head(0, step); });
  connect(canvas_, &StepCanvas::layer_step_asked, this, [this](int step) { step_head(step, 0); });
}

void StepView::changed() {
  if (isVisible()) refresh();
}

void StepView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

// Reads the facts of the step, unless the step has ended and its facts have been read: they do not
// change then. Also reads the layout of the cache of another scenario than before.
void StepView::read_facts(const EngineSnapshot& snapshot) const {
  const bool known = facts_ && facts_run_ == snapshot.run && has_ended(snapshot) &&
                     facts_->batch.step == snapshot.step;
  if (!known) facts_ = step_facts(snapshot);
  facts_run_ = snapshot.run;
  if (cache_of_ == snapshot.scenario) return;
  cache_ = cache_map_of(snapshot);
  cache_of_ = snapshot.scenario;
}

// The element whose place is shown, in the KV head of the shown head: that of the selected token's
// key (in the encoder's table for a cell of an encoder's layer), or else that of the first slot
// that the step writes.
CacheElement StepView::shown_element(const StepScene& scene, const EngineSnapshot& snapshot) const {
  CacheElement element;
  const int64_t group = std::max<int64_t>(
      1, snapshot.source.num_heads / std::max<int64_t>(1, scene.cache->num_kv_heads));
  element.head =
      std::clamp<int64_t>(selection().shown_head() / group, 0, scene.cache->num_kv_heads - 1);
  const AttentionMetadata& metadata = scene.metadata();
  int64_t slot = -1;
  const SelectionState& state = scene.selected;
  const bool of_token = state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell;
  if (const auto s = of_token ? scene.sequence_of(state.request) : std::nullopt) {
    const TableKind kind = scene.selects_rows(true) ? TableKind::kCross : TableKind::kOwn;
    const auto table = scene.table(*s, kind);
    const int64_t end = kind == TableKind::kOwn ? scene.seq_len(*s) : scene.keys_after(*s, kind);
    const int64_t logical = state.query / scene.block_size;
    if (state.query >= 0 && state.query < end && logical < std::ssize(table) &&
        table[static_cast<size_t>(logical)] >= 0)
      slot = int64_t{table[static_cast<size_t>(logical)]} * scene.block_size +
             state.query % scene.block_size;
  }
  const auto first_of = [&slot](const std::vector<int64_t>& entries) {
    if (slot >= 0) return;
    const auto at = std::ranges::find_if(entries, [](int64_t one) { return one >= 0; });
    if (at != entries.end()) slot = *at;
  };
  first_of(metadata.slot_mapping);
  if (metadata.cross_slot_mapping) first_of(*metadata.cross_slot_mapping);
  element.slot = std::clamp<int64_t>(slot, 0, scene.cache->num_blocks * scene.block_size - 1);
  return element;
}

StepScene StepView::make_scene() const {
  StepScene scene;
  scene.look = PictureLook::read();
  const std::shared_ptr<const EngineSnapshot> snapshot = moment_ ? moment_ : shown();
  if (!snapshot) return scene;
  read_facts(*snapshot);
  if (!facts_) return scene;
  scene.facts = facts_;
  scene.backend = QString::fromStdString(snapshot->backend_name);
  scene.block_size = snapshot->block_size;
  scene.keeps_cache = snapshot->scenario->attention.type != AttentionType::kEncoderOnly;
  scene.has_null_block = snapshot->has_null_block;
  scene.under_way = !has_ended(*snapshot);
  for (const PlannedSequence& planned : facts_->batch.sequences) {
    StepScene::Sequence& sequence = scene.sequences.emplace_back();
    sequence.request = planned.request;
    if (const RequestView* request = request_by_id(*snapshot, planned.request)) {
      sequence.name = QString::fromStdString(request->name);
      sequence.tokens = request->tokens;
      sequence.encoder_tokens = request->encoder_tokens;
      sequence.given = tokens_without_query(*snapshot, *request);
    }
  }
  // Padding is shown at a prefill that is alone in its call.
  for (const PlannedCall& call : facts_->layers.front().calls)
    if (call.sequences == 1 && call.padding > 0 &&
        call.first_sequence < scene.metadata().num_prefills)
      scene.sequences[static_cast<size_t>(call.first_sequence)].padding = call.padding;
  scene.layer = selection().shown_layer();
  scene.head = selection().shown_head();
  scene.selected = selection().state();
  scene.pointed = selection().pointed();
  scene.cache = cache_;
  if (scene.cache) scene.element = shown_element(scene, *snapshot);
  return scene;
}

void StepView::refresh() {
  StepScene scene = make_scene();
  const bool paused = bridge().gate_state() == RunGate::State::kPaused;
  canvas_->set_waiting(
      tr("No step to show"),
      past_step() ? tr("Step %1 computed nothing.").arg(*past_step())
                  : tr("What the backend is called with appears here when a step is planned."),
      paused && !past_step());
  header_->set_detail(scene.is_empty()  ? QString()
                      : scene.under_way ? tr("step %1, under way").arg(scene.facts->batch.step)
                                        : tr("step %1").arg(scene.facts->batch.step));
  canvas_->set_scene(std::move(scene));
  if (!(revealed_ == selection().state())) {
    // It was selected elsewhere, so the view scrolls to it.
    revealed_ = selection().state();
    const StepScene& now = canvas_->scene();
    const bool of_token =
        revealed_.kind == SelectionKind::kToken || revealed_.kind == SelectionKind::kCell;
    if (const auto s = of_token ? now.sequence_of(revealed_.request) : std::nullopt) {
      const bool of_encoder = now.selects_rows(true);
      const int64_t index = revealed_.query - (of_encoder ? 0 : now.context_len(*s));
      const int64_t count = of_encoder ? now.encoder_tokens(*s) : now.query_len(*s);
      if (index >= 0 && index < count)
        canvas_->reveal(
            {of_encoder ? StepPlace::Kind::kEncoderToken : StepPlace::Kind::kToken, *s, index});
    }
  }
  describe();
}

void StepView::step_head(int layers, int heads) {
  if (const auto& snapshot = bridge().snapshot())
    selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                          snapshot->source.num_layers, snapshot->source.num_heads);
}

void StepView::describe() {
  const StepScene& now = canvas_->scene();
  const QString text = now.is_empty() ? tr("No step to show")
                                      : tr("Step %1 of %2: %3.")
                                            .arg(now.facts->batch.step)
                                            .arg(now.backend, step_sentence(now));
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> StepView::key_help() const {
  return {
      {tr("Point at a token or slot"), tr("Mark it in other views; tooltip: row, slot, block")},
      {tr("Point at a block"), tr("Mark its tokens; tooltip: its tokens, the part in use")},
      {tr("Click"), tr("Select the token or the block; again: clear the selection")},
      {tr("Left, Right"), tr("Select the token of the row before, after")},
      {tr("Esc"), tr("Clear the selection")},
      {tr("Point at a mask"), tr("Mark its query and key; tooltip: what the row sees")},
      {tr("B, T, C, M"), tr("Go to the batch, to the attention types, to the cache, to the masks")},
      {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
      {tr("Wheel, Up, Down, Page up, Page down, middle drag"), tr("Scroll")},
      {tr("Home, End"), tr("Go to the beginning, to the end")},
      {tr("Ctrl+wheel, + and −"), tr("Larger and smaller")},
      {tr("Double-click beside the cells, F"), tr("Usual size, from the beginning")}};
}

std::vector<ViewCommand> StepView::commands() {
  const auto go = [this](int section) {
    return [this, section] { canvas_->show_section(section); };
  };
  return {{tr("Step › Batch"), tr("Go to the sequences of the step"), false, go(0)},
          {tr("Step › Attention types and calls"),
           tr("Go to the lengths, tables and kernel calls of the attention types"), false, go(1)},
          {tr("Step › Cache"), tr("Go to where a key and a value lie in the cache"), false, go(2)},
          {tr("Step › Masks"), tr("Go to the masks of the prefills"), false, go(3)}};
}

std::function<void(QPainter&, const QRectF&)> StepView::drawing() const {
  StepScene scene = make_scene();
  scene.caption = true;
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
    if (scene.is_empty()) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("There is no step to show."));
      return;
    }
    const StepParts parts = parts_of(scene, bounds);
    StepLayout layout;
    layout.arrange(scene, parts.body.width());
    paint_step(painter, scene, layout, parts, 0);
  };
}

QSize StepView::export_size() const {
  return export_size_for(Theme::instance().px(kExportedWidth));
}

QSize StepView::export_size_for(double width) const {
  StepScene scene = make_scene();
  scene.caption = true;
  const int wide = static_cast<int>(std::lround(std::max(width, 320.0)));
  if (scene.is_empty()) return {wide, Theme::instance().px(200)};
  StepLayout layout;
  layout.arrange(scene, parts_of(scene, QRectF(0, 0, wide, kMostExportedHeight)).body.width());
  return {wide, static_cast<int>(std::min(whole_height(scene, layout), kMostExportedHeight))};
}

std::function<QByteArray()> StepView::table() const {
  return [scene = make_scene()] { return QByteArray::fromStdString(step_csv(scene)); };
}

std::vector<FurtherTable> StepView::further_tables() const {
  const auto write = [scene = std::make_shared<const StepScene>(make_scene())](auto* to_csv) {
    return [scene, to_csv] { return QByteArray::fromStdString(to_csv(*scene)); };
  };
  return {{QStringLiteral("step_calls"), tr("Kernel calls of a step"), write(step_calls_csv)},
          {QStringLiteral("step_cache"), tr("Cache addresses of a step"), write(step_cache_csv)}};
}

void StepView::show_moment(const std::shared_ptr<const EngineSnapshot>& snapshot,
                           const QString& /*caption*/) {
  moment_ = snapshot;
  facts_.reset();
}

void StepView::leave_moment() {
  moment_.reset();
  facts_.reset();
}

ViewEntry step_entry() {
  return {.name = "step",
          .title = StepView::tr("Step"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_9),
          .meaning = StepView::tr("Show what a step gives to the backend"),
          .look_at = StepView::tr("Each token of the batch stands above the slot that its key is "
                                  "written to, if the cache keeps it."),
          .document = "step.md",
          .run_order = 11,
          .make = make_view<StepView>};
}

}  // namespace attn::gui

#include "moc_step_view.cpp"
