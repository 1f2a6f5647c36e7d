// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap_view.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/theme/theme.h"
#include "gui/widgets/ticks.h"

namespace attn::gui {

namespace {

constexpr std::chrono::milliseconds kSwitchWait{
    8};  // a head that is there at once does not flicker

void set_quietly(QSpinBox* box, int value, int maximum) {
  const QSignalBlocker blocker(box);
  box->setMaximum(std::max(0, maximum));
  box->setValue(value);
}

}  // namespace

HeatmapView::HeatmapView(const ViewContext& context, QWidget* parent) : View(context, parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);  // paintEvent() fills all of it
  setMinimumSize(360, 240);
  setAccessibleName(title());
  scene_.look = PictureLook::read();
  transform_ = heatmap_transform(0, 0);
  make_header();
  show_combination();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(header_);
  column->addStretch(1);

  connect(&bridge(), &EngineBridge::run_started, this, &HeatmapView::run_started);
  connect(&bridge(), &EngineBridge::snapshot_changed, this, &HeatmapView::read_snapshot);
  connect(&bridge(), &EngineBridge::attention_changed, this, &HeatmapView::read_attention);
  connect(&selection(), &Selection::changed, this, &HeatmapView::read_selection);
  connect(&selection(), &Selection::shown_changed, this, &HeatmapView::read_shown);
  on_shown([this] { read_past(); });
  connect(&tiles_, &HeatmapTiles::arrived, this, [this] {
    cells_dirty_ = true;
    update();
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    scene_.look = PictureLook::read();
    scene_.widest_label = widest_token(scene_.labels, scene_.look.mono);
    fit_controls();
    relayout();
  });
  read_snapshot();
}

const RequestView* HeatmapView::request() const {
  const auto& snapshot = bridge().snapshot();
  if (!snapshot || snapshot->requests.empty()) return nullptr;
  for (const RequestView& view : snapshot->requests)
    if (static_cast<int64_t>(view.id) == selection().shown_request()) return &view;
  return &snapshot->requests.front();
}

void HeatmapView::run_started() {
  tiles_.clear();
  wanted_.clear();
  wanted_for_ = {0, -1};
  cursor_ = {};
  HeatmapScene empty;
  empty.look = scene_.look;
  empty.map = scene_.map;
  empty.scale = scene_.scale;
  empty.reduce = scene_.reduce;
  empty.difference_range = scene_.difference_range;
  empty.keep = scene_.keep;
  empty.head.combine = scene_.head.combine;
  scene_ = empty;
  shown_request_ = -1;
  {
    const QSignalBlocker blocker(request_box_);
    request_box_->clear();
  }
  transform_ = heatmap_transform(0, 0);
  view_applied_ = false;
  relayout();
}

void HeatmapView::read_snapshot() {
  const auto& snapshot = bridge().snapshot();
  if (!snapshot) return;
  if (snapshot->run != seen_run_) {
    if (seen_run_ != 0) run_started();
    seen_run_ = snapshot->run;
  }
  if (!view_applied_ && snapshot->scenario && !snapshot->requests.empty()) {
    view_applied_ = true;
    const ScenarioView& view = snapshot->scenario->view;
    if (const auto map = color_map_from_name(view.color_map)) set_color_map(*map);
    if (const auto scale = color_scale_from_name(view.scale)) set_scale(*scale);
    selection().show(snapshot->requests.front().id, view.layer, view.head);
  }
  list_requests(snapshot->requests);
  scene_.num_layers = snapshot->source.num_layers;
  scene_.num_heads = snapshot->source.num_heads;
  scene_.num_kv_heads = snapshot->source.num_kv_heads;
  scene_.block_size = snapshot->block_size;
  read_shown();
}

void HeatmapView::list_requests(const std::vector<RequestView>& requests) {
  const auto is_listed = [this](const RequestView& view, int index) {
    return request_box_->itemData(index).toLongLong() == static_cast<qlonglong>(view.id) &&
           request_box_->itemText(index) == QString::fromStdString(view.name);
  };
  bool same = request_box_->count() == static_cast<int>(requests.size());
  for (int i = 0; same && i < request_box_->count(); ++i)
    same = is_listed(requests[static_cast<size_t>(i)], i);
  if (same) return;
  const QSignalBlocker blocker(request_box_);
  request_box_->clear();
  for (const RequestView& view : requests)
    request_box_->addItem(QString::fromStdString(view.name), static_cast<qlonglong>(view.id));
}

void HeatmapView::read_shown() {
  const RequestView* view = request();
  if (!view) return;
  const auto last = [](int64_t count) { return static_cast<int>(std::max<int64_t>(0, count - 1)); };
  const int64_t layer = std::clamp<int64_t>(selection().shown_layer(), 0, last(scene_.num_layers));
  const int64_t head = std::clamp<int64_t>(selection().shown_head(), 0, last(scene_.num_heads));
  set_quietly(layer_box_, static_cast<int>(layer), last(scene_.num_layers));
  set_quietly(head_box_, static_cast<int>(head), last(scene_.num_heads));
  const int index = request_box_->findData(static_cast<qlonglong>(view->id));
  if (index != request_box_->currentIndex()) {
    const QSignalBlocker blocker(request_box_);
    request_box_->setCurrentIndex(index);
  }
  HeadId& minus = scene_.head.combine.other;
  minus.layer = std::clamp<int64_t>(minus.layer, 0, last(scene_.num_layers));
  minus.head = std::clamp<int64_t>(minus.head, 0, last(scene_.num_heads));
  set_quietly(other_layer_box_, static_cast<int>(minus.layer), last(scene_.num_layers));
  set_quietly(other_head_box_, static_cast<int>(minus.head), last(scene_.num_heads));
  const bool other = scene_.head.record != view->attention || scene_.head.layer != layer ||
                     scene_.head.head != head;
  const bool other_request = shown_request_ != static_cast<int64_t>(view->id);
  shown_request_ = view->id;
  scene_.request_name = QString::fromStdString(view->name);
  scene_.blocks = view->blocks;
  scene_.head.record = view->attention;
  scene_.head.expected = bridge().snapshot()->rule;
  scene_.head.expected_keys =
      view->encoder_tokens ? static_cast<int64_t>(view->encoder_tokens->size()) : 0;
  scene_.head.layer = layer;
  scene_.head.head = head;
  const double widest = scene_.widest_label;
  if (scene_.encoder_tokens != view->encoder_tokens) {
    scene_.encoder_tokens = view->encoder_tokens;
    scene_.encoder_labels.clear();
    if (view->encoder_tokens)
      for (const TokenView& token : *view->encoder_tokens)
        scene_.encoder_labels.push_back(token_text(token.text));
    widest_encoder_label_ =
        scene_.encoder_labels.empty() ? 0 : widest_token(scene_.encoder_labels, scene_.look.mono);
    scene_.tokens = nullptr;  // measured anew below
  }
  if (scene_.tokens != view->tokens) {
    const bool grown = scene_.tokens && view->tokens && !other_request &&
                       view->tokens->size() >= scene_.labels.size();
    if (!grown) scene_.labels.clear();
    scene_.tokens = view->tokens;
    const size_t known = scene_.labels.size();
    for (size_t i = known; view->tokens && i < view->tokens->size(); ++i)
      scene_.labels.push_back(token_text((*view->tokens)[i].text));
    // A label is measured once: a long sequence grows by one token at a time.
    const double added = widest_token(std::span(scene_.labels).subspan(known), scene_.look.mono);
    scene_.widest_label =
        std::max(widest_encoder_label_, known > 0 ? std::max(scene_.widest_label, added) : added);
  }
  if (other_request) transform_ = heatmap_transform(0, 0);
  read_attention();
  // The rows may have come before the tokens: then nothing else makes room for a longer label.
  if (scene_.widest_label != widest) relayout();
  read_selection();
  read_past();
  if (other && isVisible() && scene_.head.record) {
    tiles_.wait(kSwitchWait);
    update_description();
  }
}

void HeatmapView::read_attention() {
  const RequestView* view = request();
  if (!view) return;
  // The prompt is known before it is computed; generated tokens get a row when they are.
  const int64_t rows =
      std::max(view->attention ? view->attention->num_rows() : 0, view->prompt_len);
  scene_.head.rows = rows;
  const auto length = static_cast<double>(rows), width = static_cast<double>(scene_.columns());
  if (tiles_.head() != scene_.head) {
    // Tiles of this head may be there already: then none arrives and asks for a new picture.
    wanted_.clear();
    cells_dirty_ = true;
  }
  tiles_.set_head(scene_.head);
  // Another request begins with an empty transform, whether it has other rows or as many.
  if (transform_.y.end != length || transform_.x.end != width || layout_.cells.isEmpty()) {
    transform_.set_content(0, width, 0, length);
    relayout();
    read_selection();
    return;
  }
  want_tiles();
  update();
}

void HeatmapView::read_past() {
  const bool was_past = scene_.past.has_value();
  scene_.past.reset();
  if (const std::optional<uint32_t> step = past_step()) {
    HeatmapPast past{*step};
    for (const RequestView& view : shown()->requests)
      if (static_cast<int64_t>(view.id) == shown_request_) {
        past.computed = view.num_computed;
        scene_.blocks = view.blocks;
      }
    for (const PlannedSequence& planned : shown()->plan.sequences)
      if (static_cast<int64_t>(planned.request) == shown_request_) {
        past.begin = planned.context_len;
        past.end = planned.context_len + planned.query_len;
      }
    scene_.past = past;
  } else if (!was_past) {
    return;
  } else if (const RequestView* view = request()) {
    scene_.blocks = view->blocks;
  }
  want_tiles();  // the sums of columns are those of that step
  update_description();
  update();
}

HeatmapMark HeatmapView::mark_of(const SelectionState& state) const {
  HeatmapMark mark;
  const RequestView* view = request();
  if (!view) return mark;
  const int64_t rows = scene_.rows();
  const bool ours = state.request == static_cast<int64_t>(view->id);
  switch (state.kind) {
    case SelectionKind::kNothing:
      break;
    case SelectionKind::kCell:
      if (ours && state.query >= 0 && state.query < rows && state.key >= 0 &&
          state.key < scene_.columns())
        mark = {
            HeatmapMark::Kind::kCell, state.query, state.query + 1, state.key, state.key + 1, {}};
      break;
    case SelectionKind::kToken:
      if (ours && state.query >= 0 && state.query < rows)
        mark = {HeatmapMark::Kind::kToken, state.query, state.query + 1, state.query,
                state.query + 1,           {}};
      if (!scene_.keys_are_tokens()) mark.key = mark.key_end = 0;  // it has no column
      break;
    case SelectionKind::kBlock: {
      const std::vector<int32_t>& table = state.in_host_pool ? view->swap_table : view->blocks;
      const auto found = std::find(table.begin(), table.end(), static_cast<int32_t>(state.block));
      if (found == table.end() || scene_.block_size <= 0) break;
      const int64_t first = (found - table.begin()) * scene_.block_size;
      if (first < scene_.columns())
        mark = {HeatmapMark::Kind::kColumns,
                0,
                rows,
                first,
                std::min(scene_.columns(), first + scene_.block_size),
                state.in_host_pool ? tr("keys in host block %1").arg(state.block)
                                   : tr("keys in block %1").arg(state.block)};
      break;
    }
    case SelectionKind::kSpan: {
      if (state.event < 0 || state.event >= static_cast<int64_t>(bridge().events().size())) break;
      const TraceEvent& event = bridge().events()[static_cast<size_t>(state.event)];
      if (event.kind != EventKind::kTile) break;
      const TileEvent tile = unpack_tile(event);
      if (tile.request != view->id || event.layer != scene_.head.layer ||
          tile.head != scene_.head.head)
        break;
      mark = {HeatmapMark::Kind::kRange,
              tile.q_begin,
              std::min<int64_t>(rows, tile.q_begin + tile.q_count),
              tile.k_begin,
              std::min<int64_t>(scene_.columns(), tile.k_begin + tile.k_count),
              tr("tile")};
      break;
    }
  }
  return mark;
}

void HeatmapView::read_selection() {
  const SelectionState& state = selection().state();
  scene_.mark = mark_of(state);
  if (scene_.mark.kind == HeatmapMark::Kind::kCell) {
    const Cell cell{state.query, state.key};
    if (!(cell == cursor_)) {
      cursor_ = cell;
      // Chosen elsewhere: bring it into view.
      transform_.y.reveal(static_cast<double>(cell.query), static_cast<double>(cell.query + 1));
      transform_.x.reveal(static_cast<double>(cell.key), static_cast<double>(cell.key + 1));
      view_changed();
    }
    scene_.cursor_query = scene_.cursor_key = -1;
  } else {
    scene_.cursor_query = cursor_.query;
    scene_.cursor_key = cursor_.key;
  }
  update_description();
  update();
}

void HeatmapView::relayout() {
  const QRectF body(0, header_->height(), width(), std::max(1, height() - header_->height()));
  layout_ = layout_heatmap(scene_, body);
  transform_.set_viewport(layout_.cells.width(), layout_.cells.height());
  view_changed();
}

void HeatmapView::view_changed() {
  const int level = level_for(transform_, devicePixelRatioF());
  if (level != level_) {
    level_ = level;
    fit_controls();
  }
  cells_dirty_ = true;
  want_tiles();
  update();
}

void HeatmapView::want_tiles() {
  if (!isVisible() || !scene_.head.record) return;
  const std::vector<TileKey> keys = picture_tiles(scene_, layout_, transform_, level_);
  const std::pair now{scene_.head.record->version(), scene_.head.rows};
  if (keys == wanted_ && now == wanted_for_ && tiles_.head() == scene_.head) return;
  wanted_ = keys;
  wanted_for_ = now;
  tiles_.set_head(scene_.head);
  tiles_.want(keys);
}

void HeatmapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColors& colors = scene_.look.colors;
  painter.fillRect(rect(), colors.surface);
  if (scene_.rows() <= 0) {
    painter.setPen(colors.muted);
    painter.setFont(scene_.look.title);
    const int inset = scene_.look.px(24);
    painter.drawText(
        rect().adjusted(inset, header_->height(), -inset, 0), Qt::AlignCenter | Qt::TextWordWrap,
        tr("Attention weights appear here while a request runs. Type a prompt and press Run."));
    return;
  }
  tiles_.set_scale(scene_.shown_scale());
  tiles_.set_keep(scene_.keep);
  // One head is there before anybody reads that it is being computed.
  const bool slow = scene_.head.combine.kind != Combine::kHead;
  scene_.behind = slow ? tiles_.behind() : 0;
  const HeatmapPicture picture{scene_, layout_, transform_, tiles_, level_};
  if (cells_dirty_ || cells_.devicePixelRatio() != devicePixelRatioF()) {
    cells_ = heatmap_cells(picture, devicePixelRatioF());
    cells_dirty_ = false;
  }
  scene_.focus = hasFocus();
  paint_heatmap(painter, picture, &cells_);
  if (!rubber_band_.isEmpty()) {
    QColor fill = colors.accent;
    fill.setAlpha(50);
    painter.setPen(QPen(colors.accent, Theme::instance().line(1)));
    painter.setBrush(fill);
    painter.drawRect(rubber_band_);
  }
}

float HeatmapView::shown_value(int64_t query, int64_t key) const {
  constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
  if (!scene_.head.record || query < 0 || scene_.came_later(query) || key < 0 ||
      query >= scene_.rows() || key >= scene_.columns())
    return kNothing;
  const TileKey tile{0, Reduce::kMax, query / kTileSide, key / kTileSide};
  if (!tiles_.find(tile)) tiles_.compute_now({tile});
  const float value = tiles_.find(tile)->at(query % kTileSide, key % kTileSide);
  if (value == kMaskedCell) return scene_.head.row_done(query) ? 0.0f : kNothing;
  return value == kNotComputedCell ? kNothing : value;
}

View* make_heatmap_view(const ViewContext& context, QWidget* parent) {
  return new HeatmapView(context, parent);
}

}  // namespace attn::gui

#include "moc_heatmap_view.cpp"
