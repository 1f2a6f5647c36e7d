// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_view.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/core/error.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/heatmap/figure/heads_figure.h"
#include "gui/views/attention/heatmap/heatmap_mark.h"
#include "gui/views/attention/heatmap/heatmap_place.h"
#include "gui/views/attention/heatmap/heatmap_text.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/views/attention/weight_look.h"
#include "gui/views/attention/written/written_lengths.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/request/request_box.h"

namespace attn::gui {
namespace {

constexpr std::chrono::milliseconds kSwitchWait{
    8};  // how long to wait for the tiles of a newly shown head, to avoid flicker

}  // namespace

HeatmapView::HeatmapView(const ViewContext& context, QWidget* parent)
    : View(context, parent), header_(new HeatmapHeader(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);  // paintEvent() fills the whole widget
  setMinimumSize(320, 200);
  setAccessibleName(title());
  scene_.look = PictureLook::read();
  transform_ = heatmap_transform(0, 0, true);
  connect_header();
  show_choices();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(header_);
  column->addStretch(1);
  connect(add_interventions_line(*this, bridge(), selection()), &InterventionsLine::resized, this,
          &HeatmapView::relayout);

  connect(&bridge(), &EngineBridge::run_started, this, &HeatmapView::run_started);
  connect(&bridge(), &EngineBridge::snapshot_changed, this, &HeatmapView::read_snapshot);
  connect(&bridge(), &EngineBridge::attention_changed, this, &HeatmapView::read_attention);
  connect(&selection(), &Selection::changed, this, &HeatmapView::read_selection);
  connect(&selection(), &Selection::pointed_changed, this, [this] {
    mark_pointed(selection().pointed(), request(), scene_);
    update();
  });
  connect(&selection(), &Selection::shown_changed, this, &HeatmapView::read_shown);
  on_shown([this] {
    if (shown() && header_->list_requests(shown()->requests))
      header_->show_head(static_cast<uint32_t>(shown_request_), scene_);
    if (read_past()) read_attention();
  });
  connect(&tiles_, &HeatmapTiles::arrived, this, [this] {
    cells_dirty_ = true;
    refresh_tooltip();
    update();
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    scene_.read_look();
    fit_controls();
    relayout();
  });
  read_snapshot();
}

void HeatmapView::connect_header() {
  connect(header_, &HeatmapHeader::request_chosen, this, [this](int64_t request) {
    selection().show(request, selection().shown_layer(), selection().shown_head());
  });
  connect(header_, &HeatmapHeader::layer_chosen, this,
          [this](int layer) { show_head(layer, scene_.head.head); });
  connect(header_, &HeatmapHeader::head_chosen, this,
          [this](int head) { show_head(scene_.head.layer, head); });
  connect(header_, &HeatmapHeader::other_chosen, this, [this](const HeadId& other) {
    set_combination({scene_.head.combine.kind, other});
  });
  connect(header_, &HeatmapHeader::combine_chosen, this, &HeatmapView::choose_combination);
  connect(header_, &HeatmapHeader::keep_chosen, this, &HeatmapView::set_keep);
  connect(header_, &HeatmapHeader::quantity_chosen, this, &HeatmapView::set_quantity);
  connect(header_, &HeatmapHeader::color_map_chosen, this, &HeatmapView::set_color_map);
  connect(header_, &HeatmapHeader::scale_chosen, this, &HeatmapView::set_scale);
  connect(header_, &HeatmapHeader::difference_range_chosen, this,
          &HeatmapView::set_difference_range);
  connect(header_, &HeatmapHeader::reduce_chosen, this, &HeatmapView::set_reduce);
}

const RequestView* HeatmapView::request() const {
  return shown_request(bridge(), selection());
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
  empty.head.quantity = scene_.head.quantity;
  scene_ = empty;
  shown_request_ = -1;
  header_->list_requests({});
  transform_ = heatmap_transform(0, 0, true);
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
  }
  header_->list_requests(shown()->requests);
  scene_.num_layers = snapshot->source.num_layers;
  scene_.num_heads = snapshot->source.num_heads;
  scene_.num_kv_heads = snapshot->source.num_kv_heads;
  scene_.block_size = snapshot->block_size;
  read_shown();
}

void HeatmapView::read_shown() {
  const RequestView* view = request();
  if (!view) return;
  const auto last = [](int64_t count) { return static_cast<int>(std::max<int64_t>(0, count - 1)); };
  const int64_t layer = std::clamp<int64_t>(selection().shown_layer(), 0, last(scene_.num_layers));
  const int64_t head = std::clamp<int64_t>(selection().shown_head(), 0, last(scene_.num_heads));
  HeadId& minus = scene_.head.combine.other;
  minus.layer = std::clamp<int64_t>(minus.layer, 0, last(scene_.num_layers));
  minus.head = std::clamp<int64_t>(minus.head, 0, last(scene_.num_heads));
  const bool other = scene_.head.record != view->attention || scene_.head.layer != layer ||
                     scene_.head.head != head;
  const bool other_request = shown_request_ != static_cast<int64_t>(view->id) ||
                             scene_.head.is_encoder() != (layer < view->num_encoder_layers);
  shown_request_ = view->id;
  scene_.request_name = QString::fromStdString(view->name);
  scene_.head.record = view->attention;
  scene_.head.expected = bridge().snapshot()->rules;
  scene_.head.expected_keys =
      view->encoder_tokens ? static_cast<int64_t>(view->encoder_tokens->size()) : 0;
  scene_.head.layer = layer;
  scene_.head.head = head;
  scene_.without_query = tokens_without_query(*bridge().snapshot(), *view);
  read_lengths(scene_.head, bridge().snapshot().get());
  minus.layer = scene_.head.layer_like(minus.layer, scene_.num_layers);
  scene_.read_blocks(*view);
  header_->show_head(view->id, scene_);
  const double widest = scene_.widest_label;
  scene_.read_tokens(*view, other_request);
  if (other_request) transform_ = heatmap_transform(0, 0, true);
  if (other_request) fit_controls();
  read_past();
  read_attention();
  // A longer label needs more room, also if the number of rows stays the same.
  if (scene_.widest_label != widest) relayout();
  read_selection();
  if (other) show_choices();
  if (other && isVisible() && scene_.head.record) {
    tiles_.wait(kSwitchWait);
    update_description();
  }
}

void HeatmapView::read_attention() {
  const RequestView* view = request();
  if (!view) return;
  // All rows of the prompt are shown from the start; a generated token gets its row when the record
  // has it.
  const int64_t computed = view->attention ? view->attention->num_rows() : 0;
  const int64_t rows = std::max(scene_.past ? std::min(computed, scene_.past->computed) : computed,
                                view->prompt_len);
  scene_.head.rows = rows;
  const auto length = static_cast<double>(rows), width = static_cast<double>(scene_.columns());
  if (tiles_.head() != scene_.head) {
    // A repaint is forced here, because no tile arrives if all tiles of this head are cached.
    wanted_.clear();
    cells_dirty_ = true;
  }
  tiles_.set_head(scene_.head);
  // After a change of the request the transform is empty, so the condition also holds if the number
  // of rows is the same.
  if (transform_.y.end != length || transform_.x.end != width || layout_.cells.isEmpty()) {
    transform_.set_content(0, width, 0, length);
    relayout();
    read_selection();
    return;
  }
  refresh_tooltip();
  want_tiles();
  update();
}

bool HeatmapView::read_past() {
  const bool was_past = scene_.past.has_value();
  scene_.past.reset();
  if (const std::optional<uint32_t> step = past_step()) {
    HeatmapPast past{*step};
    if (const RequestView* own = request_by_id(*shown(), shown_request_)) {
      const RequestView& view = own->at(scene_.head.layer);
      past.computed = view.num_computed;
      scene_.read_blocks(view);
    }
    for (const PlannedSequence& planned : shown()->plan.sequences)
      if (static_cast<int64_t>(planned.request) == shown_request_) {
        const bool own = !scene_.head.is_encoder();
        past.begin = own ? planned.context_len : 0;
        past.end = past.begin + (own ? planned.query_len : planned.is_prefill ? past.computed : 0);
        past.begin = std::max(past.begin, scene_.without_query);
      }
    scene_.past = past;
  } else if (!was_past) {
    return false;
  } else if (const RequestView* view = request()) {
    scene_.read_blocks(*view);
  }
  want_tiles();  // column sums include only the rows up to that step
  update_description();
  update();
  return true;
}

void HeatmapView::read_selection() {
  const SelectionState& state = selection().state();
  const RequestView* view = request();
  scene_.mark = view ? mark_of(state, scene_, *view, bridge().events()) : HeatmapMark();
  mark_pointed(selection().pointed(), view, scene_);
  if (scene_.mark.kind == HeatmapMark::Kind::kCell) {
    const Cell cell{state.query, state.key};
    if (!(cell == cursor_)) {
      cursor_ = cell;
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
  const int top = header_->height() + interventions_line_height(*this);
  const QRectF body(0, top, width(), std::max(1, height() - top));
  layout_ = layout_heatmap(scene_, body, true);
  transform_.y.covered = covered_cells();
  transform_.set_viewport(layout_.cells.width(), layout_.cells.height());
  view_changed();
}

// At most half of the area, so that a message over a low view leaves room for rows.
double HeatmapView::covered_cells() const {
  const QRectF& cells = layout_.cells;
  return std::clamp(cells.bottom() - (height() - covered_below()), 0.0, cells.height() / 2);
}

void HeatmapView::view_changed() {
  const int level = level_for(transform_, devicePixelRatioF());
  if (level != level_) {
    level_ = level;
    fit_controls();
  }
  cells_dirty_ = true;
  refresh_tooltip();
  want_tiles();
  update();
}

void HeatmapView::want_tiles() {
  if (!isVisible() || !scene_.head.record) return;
  std::vector<TileKey> keys = picture_tiles(scene_, layout_, transform_, level_);
  if (scene_.hover_key >= 0)
    for (const TileKey& key : tooltip_tiles(scene_))
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
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
        scene_.past ? tr("After step %1 this sequence had no computed rows.").arg(scene_.past->step)
                    : tr("Attention weights appear here while a request is computed. Press Run."));
    return;
  }
  scene_.score_range = tiles_.score_range(scene_.scored_rows());
  tiles_.set_scale(scene_.shown_scale());
  tiles_.set_keep(scene_.keep);
  const bool slow = scene_.head.combine.kind != Combine::kHead || !scene_.shows_weights();
  scene_.behind = slow ? tiles_.behind() : 0;
  const HeatmapPicture picture{scene_, layout_, transform_, tiles_, level_};
  if (cells_dirty_ || cells_.devicePixelRatio() != devicePixelRatioF()) {
    cells_ = heatmap_cells(picture, devicePixelRatioF());
    cells_dirty_ = false;
  }
  scene_.focus = hasFocus();
  paint_heatmap(painter, picture, &cells_);
  if (const QRectF& band = input_.rubber_band(); !band.isEmpty()) {
    QColor fill = colors.accent;
    fill.setAlpha(50);
    painter.setPen(QPen(colors.accent, Theme::instance().line(1)));
    painter.setBrush(fill);
    painter.drawRect(band);
  }
}

void HeatmapView::resizeEvent(QResizeEvent*) {
  fit_controls();
  relayout();
}

void HeatmapView::showEvent(QShowEvent*) {
  relayout();
  read_snapshot();
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
  if (input_.key(*event)) return event->accept();
  View::keyPressEvent(event);
}

// --- what is shown, in numbers and words ---

float HeatmapView::shown_value(int64_t query, int64_t key) const {
  constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
  if (!scene_.head.record || query < 0 || scene_.came_later(query) || key < 0 ||
      query >= scene_.rows() || key >= scene_.columns())
    return kNothing;
  const TileKey tile{0, Reduce::kMax, query / kTileSide, key / kTileSide};
  if (!tiles_.find(tile)) tiles_.compute_now({tile});
  const float value = tiles_.find(tile)->at(query % kTileSide, key % kTileSide);
  if (value == kMaskedCell)
    return scene_.shows_weights() && scene_.head.row_done(query) ? 0.0f : kNothing;
  return value == kNotComputedCell ? kNothing : value;
}

double HeatmapView::shown_row_sum(int64_t query) const {
  return heatmap_row_sum(scene_, tiles_, query);
}

double HeatmapView::shown_column_sum(int64_t key) const {
  return heatmap_column_sum(scene_, tiles_, key);
}

QString HeatmapView::cell_text(int64_t query, int64_t key) const {
  return heatmap_cell_text(scene_, tiles_, query, key);
}

void HeatmapView::update_description() {
  const QString text = heatmap_description(scene_, tiles_, level_);
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

void HeatmapView::paint_content(QPainter& painter, const QRectF& bounds) {
  drawing()(painter, bounds);
}

std::function<void(QPainter&, const QRectF&)> HeatmapView::drawing() const {
  return heatmap_drawing(file_scene());
}

std::function<QByteArray()> HeatmapView::table() const {
  const RequestView* view = request();
  if (!view) return [] { return QByteArray(); };
  return heatmap_table(*view, scene_);
}

// --- what the user, the command line and session files choose ---

void HeatmapView::set_color_map(ColorMapId map) {
  scene_.map = map;
  show_choices();
  cells_dirty_ = true;
  update();
}

void HeatmapView::set_scale(ColorScale::Kind kind) {
  scene_.scale = weight_scale(kind);
  show_choices();
  cells_dirty_ = true;
  update();
}

void HeatmapView::set_reduce(Reduce reduce) {
  scene_.reduce = reduce;
  show_choices();
  view_changed();
}

void HeatmapView::set_difference_range(double range) {
  scene_.difference_range = range;
  show_choices();
  cells_dirty_ = true;
  update();
}

void HeatmapView::set_combination(const Combination& combination) {
  show_choice(HeatmapChoice::of(scene_).with(combination));
}

void HeatmapView::set_keep(const Keep& keep) {
  show_choice(HeatmapChoice::of(scene_).with(keep));
}

QString HeatmapView::refusal_of(Quantity quantity) const {
  return refusal_of_quantity(quantity, scene_.head.layer, bridge().snapshot().get());
}

void HeatmapView::set_quantity(Quantity quantity) {
  show_choice(HeatmapChoice::of(scene_).with(quantity));
}

void HeatmapView::show_choice(const HeatmapChoice& choice) {
  take_choice(scene_, choice);
  cells_dirty_ = true;
  show_choices();
  read_shown();
  want_tiles();
  update_description();
  update();
}

void HeatmapView::choose_combination(Combine kind) {
  set_combination(combination_of_kind(scene_, kind));
}

void HeatmapView::step_other(int64_t layers, int64_t heads) {
  if (scene_.head.combine.is_difference())
    set_combination(combination_with_next(scene_, layers, heads));
}

std::vector<ViewCommand> HeatmapView::commands() {
  std::vector<ViewCommand> commands;
  for (const Quantity quantity : kQuantities)
    commands.push_back({.name = tr("Heatmap › %1").arg(name_of(quantity)),
                        .meaning = meaning_of(quantity),
                        .is_on = scene_.quantity() == quantity,
                        .run = [this, quantity] {
                          set_quantity(quantity);
                          emit view_asked(QStringLiteral("heatmap"));
                        }});
  return commands;
}

void HeatmapView::show_choices() {
  header_->show_choices(scene_, [this](Quantity quantity) { return refusal_of(quantity); });
  fit_controls();
}

void HeatmapView::fit_controls() {
  header_->fit_controls(width(), scene_.head, level_);
}

std::vector<double> HeatmapView::place() const {
  return place_numbers({transform_.place(), HeatmapChoice::of(scene_), scene_.difference_range});
}

void HeatmapView::go_to_place(const std::vector<double>& numbers) {
  const HeatmapPlace place =
      place_of(numbers, scene_.num_layers, scene_.num_heads, scene_.difference_range);
  scene_.difference_range = place.difference_range;
  show_choice(place.choice);
  transform_.go_to_place(place.canvas);
  view_changed();
}

// The combination, the Keep and the quantity are part of place().
QJsonObject HeatmapView::options() const {
  return look_options(scene_.map, scene_.scale.kind, scene_.reduce);
}

void HeatmapView::set_options(const QJsonObject& options) {
  const WeightLook look = look_of(options);
  if (look.map) set_color_map(*look.map);
  if (look.scale) set_scale(*look.scale);
  if (look.reduce) set_reduce(*look.reduce);
}

QString HeatmapView::left_out_of_arrays(int64_t layer) const {
  if (!scene_.head.record) return {};
  HeatmapScene scene = scene_;
  scene.head.layer = layer;
  const int64_t all = scene.head.record->shape().num_layers;
  QStringList layers;
  for (const int64_t alike : layers_alike(scene)) layers += QString::number(alike);
  if (layers.size() == all) return {};
  return tr("The file has the layers %1 of %2: those that read the same tokens as layer %3.")
      .arg(layers.join(QStringLiteral(", ")))
      .arg(all)
      .arg(layer);
}

void HeatmapView::choose(const ViewChoices& choices) {
  if (const auto combination = combination_from_word(choices.combine))
    set_combination(*combination);
  if (const auto keep = keep_from_word(choices.keep)) set_keep(*keep);
  if (const auto quantity = quantity_from_word(choices.quantity)) {
    if (const QString refusal = refusal_of(*quantity); !refusal.isEmpty())
      throw Error::not_supported({refusal.toStdString()});
    set_quantity(*quantity);
  }
  if (const auto map = color_map_from_name(choices.colormap)) set_color_map(*map);
}

void HeatmapView::fit() {
  transform_.fit();
  view_changed();
}

void HeatmapView::zoom(double factor) {
  transform_.zoom_center(factor);
  view_changed();
}

void HeatmapView::zoom_at(const QPointF& position, double factor) {
  transform_.zoom_at(position.x() - layout_.cells.left(), position.y() - layout_.cells.top(),
                     factor);
  view_changed();
}

void HeatmapView::pan(const QPointF& distance) {
  transform_.pan(distance.x(), distance.y());
  view_changed();
}

void HeatmapView::show_area(const QRectF& area) {
  const QRectF part = area.translated(-layout_.cells.topLeft());
  transform_.show(transform_.x.to_content(part.left()), transform_.x.to_content(part.right()),
                  transform_.y.to_content(part.top()), transform_.y.to_content(part.bottom()));
  view_changed();
}

void HeatmapView::hover(const QPointF& position, const QPoint& global) {
  const auto cell = cell_at(position);
  const Cell now = cell.value_or(Cell{});
  if (now.query == scene_.hover_query && now.key == scene_.hover_key) return;
  const bool of_encoder = scene_.head.is_encoder();
  selection().point(cell ? PointedState{shown_request_, now.query, now.key,
                                        of_encoder || !scene_.keys_are_tokens(), of_encoder}
                         : PointedState{});
  want_tiles();
  if (!cell) return tooltip_.hide();
  tooltip_.show(*cell, scene_, tiles_, level_, global);
}

void HeatmapView::select_cell(const Cell& cell) {
  const RequestView* view = request();
  if (!view) return;
  cursor_ = cell;
  SelectionState state;
  state.kind = SelectionKind::kCell;
  state.request = view->id;
  state.layer = scene_.head.layer;
  state.head = scene_.head.head;
  state.query = cell.query;
  state.key = cell.key;
  selection().select(state);
}

void HeatmapView::select_token(int64_t token) {
  const RequestView* view = request();
  if (!view || token < 0 || scene_.head.is_encoder()) return;
  SelectionState state;
  state.kind = SelectionKind::kToken;
  state.request = view->id;
  state.query = token;
  selection().select(state);
}

void HeatmapView::clear_selection() {
  selection().clear();
}

void HeatmapView::move_cursor(int64_t d_query, int64_t d_key) {
  const int64_t last = scene_.rows() - 1, last_key = scene_.columns() - 1;
  if (last < 0 || last_key < 0) return;
  Cell next{std::clamp<int64_t>(cursor_.query + d_query, 0, last),
            std::clamp<int64_t>(cursor_.key + d_key, 0, last_key)};
  if (cursor_.query < 0) {
    // The first arrow key starts at the last visible row, on the key of the same position.
    const auto row =
        std::min<int64_t>(last, static_cast<int64_t>(std::ceil(transform_.y.visible_end())) - 1);
    next = {row, std::min(row, last_key)};
  }
  select_cell(next);
  transform_.y.reveal(static_cast<double>(next.query), static_cast<double>(next.query + 1));
  transform_.x.reveal(static_cast<double>(next.key), static_cast<double>(next.key + 1));
  view_changed();
}

void HeatmapView::show_head(int64_t layer, int64_t head) {
  const RequestView* view = request();
  if (scene_.num_heads <= 0 || !view) return;
  if (head >= scene_.num_heads) head = 0, ++layer;
  if (head < 0) head = scene_.num_heads - 1, --layer;
  layer = (layer + scene_.num_layers) % scene_.num_layers;
  if (layer == scene_.head.layer && head == scene_.head.head) return;
  selection().show(view->id, layer, head);
}

}  // namespace attn::gui

#include "moc_heatmap_view.cpp"
