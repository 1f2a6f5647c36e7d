// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/rotary/rotary_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/model/model.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/widgets/request/interventions_line.h"

namespace attn::gui {

RotaryView::RotaryView(const ViewContext& context, QWidget* parent)
    : HeadView(context, tr("Rotary"), parent), canvas_(new RotaryCanvas) {
  connect(canvas_, &RotaryCanvas::cell_step_asked, this, &RotaryView::step_cell);
  connect(canvas_, &RotaryCanvas::cleared, &selection(), &Selection::clear);
  connect(canvas_, &RotaryCanvas::looked, this, &RotaryView::changed);
  follow(canvas_);
  add_interventions_line(*this, bridge(), selection());
}

// The selected cell if the query sees its key; or else the key that the selected query, or the last
// computed one, reads most.
std::shared_ptr<const RotaryCell> RotaryView::cell_of(const Head& head, const Rotary& rotary,
                                                      bool& selected) const {
  const AttentionRecord& record = *head.record;
  const int64_t rows = std::min(head.rows, record.num_rows());
  const auto done = [&](int64_t row) {
    return row >= 0 && row < rows && record.row_done(head.layer, head.head, row);
  };
  const SelectionState& state = selection().state();
  const bool ours = (state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell) &&
                    state.request == static_cast<int64_t>(head.request->id) && done(state.query);
  auto cell = std::make_shared<RotaryCell>();
  cell->layer = head.layer;
  cell->head = head.head;
  cell->query = ours ? state.query : rows - 1;
  while (cell->query >= 0 && !done(cell->query)) --cell->query;
  if (cell->query < 0) return nullptr;
  selected = ours && state.kind == SelectionKind::kCell && state.key >= 0 && state.key < rows &&
             record.shape().rules.of(head.layer).sees(head.head, cell->query, state.key);
  cell->key = state.key;
  if (!selected) {
    std::vector<float> weights(static_cast<size_t>(cell->query + 1));
    record.weights(head.layer, head.head, cell->query, 1, 0, cell->query + 1, weights.data());
    cell->key = std::ranges::max_element(weights) - weights.begin();
  }
  const WeightOperands of = record.operands(head.layer, head.head, cell->query, cell->key);
  if (!of.computed || of.masked || of.key.empty() || of.query.empty()) return nullptr;
  cell->score = rotary_score(rotary, of.query, of.key, of.scale, cell->query - cell->key);
  cell->run_score = static_cast<double>(of.scale) * static_cast<double>(of.dot);
  cell->weight = of.weight;
  return cell;
}

QString RotaryView::refusal(const Head& head) const {
  if (!head.request) return {};
  const std::shared_ptr<const Model> model = this->model();
  if (!model)
    return bridge().session()
               ? tr("A recorded run has no model at first, and so no frequencies. If its source is "
                    "a model, press Look inside in a view such as Logit lens, or run it again.")
               : tr("This run has no model, and so no frequencies.");
  return text_of(rotary_refusal(model->network().layers.at(size_t(head.layer)).rotary,
                                head.record->shape().rules.of(head.layer)));
}

void RotaryView::throw_if_refused() const {
  if (const QString why = nothing_to_export(); !why.isEmpty())
    throw Error::not_supported({why.toStdString()});
}

RotaryScene RotaryView::make_scene() const {
  RotaryScene scene;
  scene.look = PictureLook::read();
  scene.past_step = past_step();
  const auto& snapshot = bridge().snapshot();
  const Head head = shown_head();
  if (!head.request || !snapshot) return scene;
  scene.request = head.request->id;
  scene.request_name = QString::fromStdString(head.request->name);
  scene.layer = head.layer;
  scene.head = head.head;
  scene.tokens = head.request->tokens;
  scene.refusal = refusal(head);
  if (!scene.refusal.isEmpty()) return scene;
  scene.cell = cell_of(head, *model()->network().layers[size_t(head.layer)].rotary, scene.selected);
  if (scene.cell)
    scene.longest = std::max<int64_t>(
        {scene.longest, head.rows - 1, (scene.cell->query - scene.cell->key) * 5 / 4});
  return scene;
}

void RotaryView::refresh() {
  refresh_boxes();
  RotaryScene next = make_scene();
  const bool refused = !next.refusal.isEmpty();
  const bool paused = bridge().gate_state() == RunGate::State::kPaused;
  canvas_->set_waiting(
      refused ? tr("No frequencies") : tr("No score yet"),
      refused          ? next.refusal
      : next.past_step ? tr("Up to step %1 no row of this head was computed.").arg(*next.past_step)
                       : tr("No row of the shown head has been computed yet."),
      paused && !refused && !next.past_step);
  canvas_->set_scene(std::move(next));
  describe();
}

void RotaryView::step_cell(int queries, int keys) {
  const Head head = shown_head();
  if (scene().is_empty() || !head.record) return;
  const RotaryCell& cell = *scene().cell;
  const int64_t rows = std::min(head.rows, head.record->num_rows());
  const int64_t query = std::clamp<int64_t>(cell.query + queries, 0, rows - 1);
  const int64_t key = std::clamp<int64_t>(cell.key + keys, 0, rows - 1);
  const bool sees = head.record->shape().rules.of(head.layer).sees(head.head, query, key);
  if (!sees || !head.record->row_done(head.layer, head.head, query)) return;
  selection().select({.kind = SelectionKind::kCell,
                      .request = scene().request,
                      .layer = cell.layer,
                      .head = cell.head,
                      .query = query,
                      .key = key});
}

void RotaryView::describe() {
  QString text = scene().refusal.isEmpty() ? tr("No score yet") : scene().refusal;
  if (!scene().is_empty()) {
    text = rotary_sentence(scene()) + QLatin1Char('.');
    for (const QString& fact : rotary_facts(scene())) text += QLatin1Char(' ') + fact;
  }
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> RotaryView::key_help() const {
  return {
      {tr("Point at a pair"), tr("Tooltip: how far it turns, its lengths, its part")},
      {tr("Point at the curve"), tr("Turn all pairs to that distance")},
      {tr("Click the curve"), tr("Stay at that distance; again: leave it")},
      {tr("[ and ], wheel"), tr("Look at a distance of one token less, one token more")},
      {tr("Left, Right, Up, Down"), tr("Select the key before, after; the query before, after")},
      {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
      {tr("Esc"), tr("Back to the true distance; clear the selection")},
      {tr("Ctrl+wheel, + and −"), tr("Draw the curve over fewer tokens, over more tokens")},
      {tr("Double-click, F, Home"),
       tr("Draw the curve in its usual length, and go back to the true distance")}};
}

std::function<void(QPainter&, const QRectF&)> RotaryView::drawing() const {
  RotaryScene scene = make_scene();
  scene.looked_at = canvas_->scene().looked_at;
  scene.caption = true;
  scene.title = figure().title;
  scene.own_title = figure().own_title;
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
    if (scene.is_empty()) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter | Qt::TextWordWrap,
                       scene.refusal.isEmpty() ? tr("There is no score to show.") : scene.refusal);
      return;
    }
    paint_rotary(painter, scene, rotary_parts(scene, bounds));
  };
}

QSize RotaryView::export_size() const {
  const Theme& theme = Theme::instance();
  return {theme.px(960), theme.px(560)};
}

QSize RotaryView::export_size_for(double width) const {
  const Theme& theme = Theme::instance();
  return {static_cast<int>(std::ceil(std::max<double>(width, theme.px(480)))), theme.px(560)};
}

std::function<QByteArray()> RotaryView::table() const {
  return [scene = make_scene()] { return QByteArray::fromStdString(rotary_csv(scene)); };
}

ViewEntry rotary_entry() {
  return {.name = "rotary",
          .title = RotaryView::tr("Rotary"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_6),
          .group = ViewGroup::kInside,
          .meaning = RotaryView::tr("Show the score of a cell by rotary frequency"),
          .look_at = RotaryView::tr(
              "Point at the curve: the pairs turn to that distance, and the bars follow."),
          .document = "explore.md",
          .run_order = 21,
          .options = {{"--title"}, {"--no-title"}},
          .make = make_view<RotaryView>};
}

}  // namespace attn::gui

#include "moc_rotary_view.cpp"
