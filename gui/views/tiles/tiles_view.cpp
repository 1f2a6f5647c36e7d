// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/tiles/tiles_view.h"

#include <QSignalBlocker>
#include <algorithm>

#include "engine/kernels/decode/paged_decode.h"
#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/tiles/tiles_panel.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

uint64_t state_key(uint32_t request, int64_t layer, int64_t head, int64_t query) {
  return uint64_t{request} << 40 | static_cast<uint64_t>(layer & 0xff) << 32 |
         static_cast<uint64_t>(head & 0xff) << 24 | static_cast<uint64_t>(query & 0xffffff);
}

// The modelled time per layer of the tile's step; empty: the step has no record, or no device is
// modelled.
QString modelled_text(const EngineSnapshot& snapshot, uint64_t tile_end_ns) {
  if (snapshot.modelled_device.empty() || !snapshot.steps) return {};
  for (const StepRecord& step : *snapshot.steps) {
    if (tile_end_ns < step.begin_ns || tile_end_ns > step.end_ns) continue;
    const double layers = static_cast<double>(snapshot.source.num_layers);
    return TilesView::tr("step %1 on a %2, modelled: %3 per layer")
        .arg(step.step)
        .arg(text_of(snapshot.modelled_device),
             format_duration_ns(step.modelled_device_ns / layers, 4));
  }
  return {};
}

// How many tiles ended by the end of the step. tiles: sorted by end.
size_t tiles_until(const std::vector<TileMark>& tiles, const StepRecord& step) {
  return static_cast<size_t>(std::ranges::upper_bound(tiles, step.end_ns, {}, &TileMark::end_ns) -
                             tiles.begin());
}

// How many rows had been computed. After a preemption, which sets num_computed back, rows with
// tiles count too, but not the row of the newest generated token.
int64_t rows_then(const RequestView& then, const std::vector<TileMark>& tiles) {
  if (then.num_preemptions == 0) return then.num_computed;
  int64_t end = 0;
  for (const TileMark& mark : tiles)
    end = std::max<int64_t>(end, int64_t{mark.tile.q_begin} + mark.tile.q_count);
  const auto known = static_cast<int64_t>(then.tokens->size());
  return std::max(then.num_computed,
                  std::min(end, known > then.prompt_len ? known - 1 : then.prompt_len));
}

}  // namespace

TilesView::TilesView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      header_(new PanelHeader(tr("Tiles"), this)),
      layer_(new QSpinBox(this)),
      head_(new QSpinBox(this)),
      back_(new QToolButton(this)),
      forward_(new QToolButton(this)),
      live_(new QToolButton(this)),
      fit_(new QToolButton(this)),
      slider_(new QSlider(Qt::Horizontal, this)),
      canvas_(new TilesCanvas(this)) {
  stack(header_, canvas_, canvas_);
  build_header();

  EngineBridge* engine = context.bridge;
  connect(engine, &EngineBridge::run_started, this, &TilesView::run_started);
  connect(engine, &EngineBridge::events_appended, this, [this, engine](qint64 from, qint64) {
    history_.append(engine->events(), static_cast<size_t>(from));
    changed();
  });
  on_shown([this] { changed(); });
  // A moved cursor shows all tiles up to its step.
  if (context.cursor)
    connect(context.cursor, &TimeCursor::moved, this, [this] { live_now_ = true; });
  connect(engine, &EngineBridge::attention_changed, this, &TilesView::changed);
  connect(context.selection, &Selection::shown_changed, this, &TilesView::changed);
  connect(context.selection, &Selection::changed, this, &TilesView::changed);
  connect(&Theme::instance(), &Theme::changed, this, &TilesView::arrange_header);
  connect(canvas_, &TilesCanvas::run_asked, engine, &EngineBridge::run);
  connect(canvas_, &TilesCanvas::tile_step_asked, this, &TilesView::step_tile);
  connect(canvas_, &TilesCanvas::row_step_asked, this, &TilesView::step_row);
  connect(canvas_, &TilesCanvas::head_step_asked, this, [this](int step) {
    show_head(selection().shown_layer(), selection().shown_head() + step);
  });
  connect(canvas_, &TilesCanvas::layer_step_asked, this, [this](int step) {
    show_head(selection().shown_layer() + step, selection().shown_head());
  });
  connect(canvas_, &TilesCanvas::row_asked, this, &TilesView::select_row);
  if (!engine->events().empty()) history_.append(engine->events(), 0);
  refresh();
}

void TilesView::build_header() {
  const auto spin = [this](QSpinBox* box, const QString& name, auto&& show) {
    box->setPrefix(name + QLatin1Char(' '));
    box->setAccessibleName(name);
    connect(box, &QSpinBox::valueChanged, this, show);
    header_->add_control(box);
  };
  spin(layer_, tr("layer"), [this](int layer) { show_head(layer, selection().shown_head()); });
  spin(head_, tr("head"), [this](int head) { show_head(selection().shown_layer(), head); });
  set_up_tool(back_, Icon::kChevronLeft, tr("Previous tile"), tr("Back by one tile (Left)"));
  set_up_tool(forward_, Icon::kChevronRight, tr("Next tile"), tr("Forward by one tile (Right)"));
  set_up_tool(fit_, Icon::kFit, tr("Show all tiles"), tr("Show all tiles (Home)"));
  set_up_switch(live_, tr("Follow"), tr("Follow the newest tile"),
                tr("Follow the newest tile (L)"));
  slider_->setAccessibleName(tr("Tile"));
  slider_->setToolTip(tr("The last tile that is drawn; drag to draw fewer or more"));
  slider_->setFocusPolicy(Qt::StrongFocus);
  connect(back_, &QToolButton::clicked, this, [this] { step_tile(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { step_tile(1); });
  connect(live_, &QToolButton::toggled, this, &TilesView::set_live);
  connect(fit_, &QToolButton::clicked, canvas_, &TilesCanvas::fit);
  connect(slider_, &QSlider::valueChanged, this,
          [this](int value) { show_tiles(static_cast<size_t>(value)); });
  for (QWidget* control : std::initializer_list<QWidget*>{back_, slider_, forward_, live_, fit_})
    header_->add_control(control);
  arrange_header();
}

void TilesView::arrange_header() {
  const QFontMetrics metrics(Theme::instance().font());
  for (QSpinBox* box : {layer_, head_})
    box->setFixedWidth(metrics.horizontalAdvance(box->prefix() + QStringLiteral("000")) +
                       Theme::instance().px(40));
  const Theme& theme = Theme::instance();
  slider_->setMinimumWidth(theme.px(40));
  slider_->setMaximumWidth(theme.px(320));
  slider_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  for (QSpinBox* box : {layer_, head_}) box->setVisible(width() >= theme.px(540));
}

void TilesView::run_started() {
  history_.clear();
  states_.clear();
  states_read_ = 0;
  live_now_ = true;
  changed();
}

void TilesView::changed() {
  stale_ = true;
  const int64_t request = selection().shown_request();
  if (request >= 0)
    bridge().runner().row_states().watch(static_cast<uint32_t>(request),
                                         static_cast<int>(selection().shown_layer()),
                                         static_cast<int>(selection().shown_head()));
  if (isVisible()) refresh();
}

void TilesView::read_states() {
  RowStateLog& log = bridge().runner().row_states();
  if (const uint64_t generation = log.generation(); generation != states_generation_) {
    states_generation_ = generation;
    states_.clear();
    states_read_ = 0;
  }
  std::vector<RowStateEvent> fresh;
  states_read_ = log.read(states_read_, fresh);
  for (const RowStateEvent& state : fresh)
    states_[state_key(state.request, state.layer, state.head, state.query)].push_back(state);
}

// The selected row, or else the last row of the current tile; -1: none.
int64_t TilesView::shown_row(const TilesScene& scene) const {
  const SelectionState& state = selection().state();
  const bool row = state.kind == SelectionKind::kCell ||
                   (state.kind == SelectionKind::kToken && !scene.rule.encoder);
  if (row && state.request == selection().shown_request() && state.query >= 0 &&
      state.query < scene.seq_len)
    return state.query;
  const TileMark* current = scene.current();
  if (!current) return -1;
  return std::min<int64_t>(int64_t{current->tile.q_begin} + current->tile.q_count, scene.seq_len) -
         1;
}

void TilesView::fill_row(TilesScene& scene, const RequestView& request,
                         const std::vector<TileMark>& all) const {
  scene.row = shown_row(scene);
  if (scene.row < 0) return;
  const int64_t layer = selection().shown_layer(), head = selection().shown_head();
  const auto states = states_.find(state_key(request.id, layer, head, scene.row));
  scene.softmax =
      row_softmax(all, scene.shown, scene.row,
                  states == states_.end() ? std::vector<RowStateEvent>{} : states->second,
                  request.attention.get(), layer, head);
  scene.lse_known = request.attention && request.attention->row_done(layer, head, scene.row);
  if (scene.lse_known) scene.lse = request.attention->lse(layer, head, scene.row);
}

std::vector<TileMark> TilesView::tiles_shown() const {
  std::vector<TileMark> tiles = history_.tiles(static_cast<uint32_t>(selection().shown_request()),
                                               selection().shown_layer(), selection().shown_head());
  if (const StepRecord* step = past_record()) tiles.resize(tiles_until(tiles, *step));
  return tiles;
}

const StepRecord* TilesView::past_record() const {
  return past_step() && shown()->steps && !shown()->steps->empty() ? &shown()->steps->back()
                                                                   : nullptr;
}

void TilesView::refresh() {
  stale_ = false;
  const auto& snapshot = shown();
  const StepRecord* past = past_record();
  const int64_t layer = selection().shown_layer(), head = selection().shown_head();
  TilesScene scene;
  const RequestView* request =
      snapshot ? request_by_id(*snapshot, selection().shown_request()) : nullptr;
  if (request) request = &request->at(layer);
  if (request && snapshot->source.num_heads > 0) {
    read_states();
    const std::vector<TileMark> all = history_.tiles(request->id, layer, head);
    scene.tiles = all;
    if (past) {
      scene.past_step = past->step;
      scene.tiles.resize(tiles_until(all, *past));
      scene.step_first = static_cast<size_t>(
          std::ranges::lower_bound(scene.tiles, past->begin_ns, {}, &TileMark::begin_ns) -
          scene.tiles.begin());
    }
    const int64_t group = snapshot->source.num_heads / snapshot->source.num_kv_heads;
    scene.fetches = history_.fetches(request->id, layer, head / group);
    scene.live = live_now_ && !past;
    scene.shown = live_now_ ? scene.tiles.size() : std::min(at_, scene.tiles.size());
    scene.request = QString::fromStdString(request->name);
    scene.head = head;
    if (request->attention)
      scene.rule = request->attention->shape().rules.of(layer);
    else if (snapshot->rules)
      scene.rule = snapshot->rules->of(layer);
    scene.place = tr("layer %1, head %2").arg(layer_words(layer, scene.rule.encoder)).arg(head);
    const bool cached = !request->attention || !request->attention->shape().keeps_keys;
    scene.block_size = cached ? snapshot->block_size : 0;
    const bool cross = scene.rule.cross;
    scene.blocks = request->table(cross ? TableKind::kCross : TableKind::kOwn).blocks;
    scene.prompt_len = request->prompt_len;
    scene.without_query = tokens_without_query(*snapshot, *request);
    scene.seq_len = request->attention ? request->attention->num_rows() : 0;
    if (past) scene.seq_len = std::min(scene.seq_len, rows_then(*request, scene.tiles));
    if (cross && request->encoder_tokens)
      scene.encoder_len = static_cast<int64_t>(request->encoder_tokens->size());
    scene.rows = scene.seq_len;
    scene.keys = scene.seq_len > 0 ? scene.key_len() : 0;
    for (const TileMark& mark : scene.tiles) {
      scene.rows = std::max<int64_t>(scene.rows, int64_t{mark.tile.q_begin} + mark.tile.q_count);
      scene.keys = std::max<int64_t>(scene.keys, int64_t{mark.tile.k_begin} + mark.tile.k_count);
    }
    scene.row_done.assign(static_cast<size_t>(scene.rows), true);
    for (int64_t row = 0; row < scene.seq_len; ++row)
      scene.row_done[static_cast<size_t>(row)] = request->attention->row_done(layer, head, row);
    for (const TokenView& token : *request->tokens) scene.tokens.push_back(token.text);
    if (const TileMark* current = scene.current()) {
      scene.partition = kernel_facts(current->tile.kernel).partitions ? kPartition : 0;
      scene.modelled = modelled_text(*snapshot, current->end_ns);
      for (const SplitMark& split : history_.splits())
        if (split.kernel == current->tile.kernel && split.end_ns <= current->end_ns)
          scene.split = split;
    }
    fill_row(scene, *request, all);
    scene.one_tile_rows = rows_have_one_tile(scene);
    const QSignalBlocker quiet_layer(layer_), quiet_head(head_);
    layer_->setRange(0, static_cast<int>(snapshot->source.num_layers) - 1);
    head_->setRange(0, static_cast<int>(snapshot->source.num_heads) - 1);
    layer_->setPrefix((scene.rule.encoder ? tr("encoder layer") : tr("layer")) + QLatin1Char(' '));
    layer_->setValue(static_cast<int>(layer));
    head_->setValue(static_cast<int>(head));
  }
  const QSignalBlocker quiet_slider(slider_), quiet_live(live_);
  slider_->setRange(0, static_cast<int>(scene.tiles.size()));
  slider_->setValue(static_cast<int>(scene.shown));
  live_->setChecked(live_now_);
  back_->setEnabled(scene.shown > 0);
  forward_->setEnabled(!live_now_);
  const bool paused = bridge().gate_state() == RunGate::State::kPaused;
  canvas_->set_waiting(
      past ? tr("At step %1 nothing of this sequence had been computed.").arg(past->step)
           : tr("The tiles of the shown head appear here when they have been computed."),
      scene.rows == 0 && paused && !past);
  canvas_->set_scene(std::move(scene));
}

void TilesView::show_tiles(size_t count) {
  at_ = std::min(count, tiles_shown().size());
  live_now_ = false;
  refresh();
}

void TilesView::set_live(bool live) {
  if (!live && live_now_) at_ = canvas_->scene().tiles.size();
  live_now_ = live;
  refresh();
}

// Past the newest tile, and for step 0, the view follows again.
void TilesView::step_tile(int step) {
  const size_t now = canvas_->scene().shown, all = canvas_->scene().tiles.size();
  if (step == 0 || (step > 0 && now >= all)) return set_live(true);
  show_tiles(step > 0 ? now + 1 : std::max<size_t>(now, 1) - 1);
}

void TilesView::step_row(int step) {
  const TilesScene& scene = canvas_->scene();
  if (scene.seq_len == 0) return;
  const int64_t row = std::clamp<int64_t>(scene.row + step, 0, scene.seq_len - 1);
  select_row(row, -1);
}

// key -1 selects the token of the row. A row of the encoder's layers is no token of the request, so
// its cell with key 0 is selected.
void TilesView::select_row(int64_t query, int64_t key) {
  if (key < 0 && canvas_->scene().rule.encoder) key = 0;
  selection().select({.kind = key >= 0 ? SelectionKind::kCell : SelectionKind::kToken,
                      .request = selection().shown_request(),
                      .layer = selection().shown_layer(),
                      .head = selection().shown_head(),
                      .query = query,
                      .key = key});
}

void TilesView::show_head(int64_t layer, int64_t head) {
  if (const auto& snapshot = bridge().snapshot())
    selection().show_head(layer, head, snapshot->source.num_layers, snapshot->source.num_heads);
}

void TilesView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  if (stale_) refresh();
}

void TilesView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  arrange_header();
}

std::vector<KeyHelp> TilesView::key_help() const {
  return {{tr("Left, Right"), tr("Back and forward by one tile")},
          {tr("L, End"), tr("Follow the newest tile")},
          {tr("Up, Down, click"), tr("Choose the row whose softmax is shown")},
          {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
          {tr("Ctrl+wheel, + and −"), tr("Zoom at the pointer (wheel), at the middle (keys)")},
          {tr("Wheel, Shift+wheel, middle-drag"), tr("Pan")},
          {tr("Double-click, F, Home"), tr("Show everything")}};
}

void TilesView::paint_content(QPainter& painter, const QRectF& bounds) {
  if (stale_) refresh();
  canvas_->paint_all(painter, bounds);
}

QSize TilesView::export_size() const {
  const Theme& theme = Theme::instance();
  return {theme.px(1280), theme.px(640)};
}

QByteArray TilesView::csv() const {
  return QByteArray::fromStdString(tiles_csv(tiles_shown()));
}

ViewEntry tiles_entry() {
  return {.name = "tiles",
          .title = TilesView::tr("Tiles"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_4),
          .group = ViewGroup::kAttention,
          .meaning = TilesView::tr("Show the tiles of the kernel"),
          .look_at = TilesView::tr(
              "Go from tile to tile with Left and Right, and follow the softmax of a row."),
          .at_start = AtStart::kNothing,
          .run_order = 5,
          .make = make_view<TilesView>};
}

QJsonObject TilesView::options() const {
  QJsonObject options{{QStringLiteral("follow"), live_now_}};
  if (!live_now_) options[QStringLiteral("tiles")] = static_cast<qint64>(at_);
  return options;
}

void TilesView::set_options(const QJsonObject& options) {
  const auto follow = flag_option(options, "follow");
  const auto tiles = whole_option(options, "tiles", 0, std::numeric_limits<int>::max());
  if (follow && *follow) set_live(true);
  if (follow && !*follow && tiles) show_tiles(static_cast<size_t>(*tiles));
}

}  // namespace attn::gui

#include "moc_tiles_view.cpp"
