// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/points/points_view.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr int kQueryColor = 2, kKeyColor = 0;  // category colours

}  // namespace

PointsView::PointsView(const ViewContext& context, QWidget* parent)
    : HeadView(context, tr("Points"), parent),
      slider_name_(new QLabel(tr("move keys"))),
      slider_(new QSlider(Qt::Horizontal)),
      canvas_(new PointsCanvas),
      planes_(
          this, [](const PointsWish& wish, const std::atomic<bool>&) { return points_data(wish); },
          [this] { changed(); }) {
  build_header();
  connect_canvas();
  follow(canvas_, {slider_name_, slider_}, {slider_name_});
  add_interventions_line(*this, bridge(), selection());
}

void PointsView::build_header() {
  slider_->setRange(0, 100);
  slider_->setFixedWidth(Theme::instance().px(110));
  slider_->setAccessibleName(tr("How far all keys are moved towards the queries, in percent"));
  slider_->setToolTip(
      tr("Move all keys by one vector, towards the middle of the queries; the weights change only "
         "by rounding ([ and ], M)"));
  slider_name_->setBuddy(slider_);
  connect(slider_, &QSlider::valueChanged, this, &PointsView::changed);
}

void PointsView::connect_canvas() {
  connect(canvas_, &PointsCanvas::pointed, this, [this](bool key, qint64 position) {
    if (position < 0) return selection().point({});
    const int64_t query = key && scene().row ? scene().row->query : -1;
    selection().point({.request = scene().request,
                       .query = key ? query : position,
                       .key = key ? position : -1,
                       .of_encoder = key && (scene().cross || scene().of_encoder),
                       .query_of_encoder = scene().of_encoder});
  });
  connect(canvas_, &PointsCanvas::chosen, this, &PointsView::choose_point);
  connect(canvas_, &PointsCanvas::cleared, &selection(), &Selection::clear);
  connect(canvas_, &PointsCanvas::move_asked, this,
          [this](int percent) { slider_->setValue(slider_->value() + percent); });
  connect(canvas_, &PointsCanvas::move_toggled, this,
          [this] { slider_->setValue(slider_->value() == 0 ? 100 : 0); });
  connect(&selection(), &Selection::pointed_changed, this,
          [this] { canvas_->set_pointed(pointed_here()); });
}

void PointsView::choose_point(bool key, int64_t position) {
  if (!key && !scene().of_encoder)
    return selection().select(
        {.kind = SelectionKind::kToken, .request = scene().request, .query = position});
  if (key && !scene().row) return;
  // A query of an encoder is no token of the request, so a cell is selected.
  const int64_t other = scene().key >= 0 ? scene().key : position;
  selection().select({.kind = SelectionKind::kCell,
                      .request = scene().request,
                      .layer = scene().layer,
                      .head = scene().head,
                      .query = key ? scene().row->query : position,
                      .key = key ? position : other});
}

PointedState PointsView::pointed_here() const {
  const PointedState& pointed = selection().pointed();
  return scene().request >= 0 && pointed.request == scene().request &&
                 (pointed.query < 0 || pointed.query_of_encoder == scene().of_encoder)
             ? pointed
             : PointedState();
}

std::optional<PointsWish> PointsView::wish() const {
  const Head head = shown_head();
  if (!head.record) return std::nullopt;
  int64_t rows = std::min(head.rows, head.record->num_rows());
  while (rows > 0 && !head.record->row_done(head.layer, head.head, rows - 1)) --rows;
  if (rows == 0) return std::nullopt;
  const bool can_move = shift_refusal(head.record->shape().rules.of(head.layer)).empty();
  return PointsWish{.record = head.record,
                    .layer = head.layer,
                    .head = head.head,
                    .rows = rows,
                    .moved = can_move ? slider_->value() : 0};
}

// The row of the selected query, or else the last one.
std::shared_ptr<const PointsRow> PointsView::row_of(const PointsScene& scene, const Head& head,
                                                    const RequestView& request) const {
  const SelectionState& state = selection().state();
  const bool selected = (state.kind == SelectionKind::kCell ||
                         (state.kind == SelectionKind::kToken && !scene.of_encoder)) &&
                        state.request == static_cast<int64_t>(request.id) &&
                        state.query >= scene.first() && state.query < scene.rows_end();
  const int64_t query = selected ? state.query : scene.rows_end() - 1;
  if (row_ && row_of_ == scene.data && row_->query == query) return row_;
  auto row = std::make_shared<PointsRow>();
  row->query = query;
  row->weights.resize(static_cast<size_t>(scene.num_keys()));
  head.record->weights(head.layer, head.head, query, 1, 0, scene.num_keys(), row->weights.data());
  row->check = check_shift(*head.record, head.layer, head.head, scene.data->points, query,
                           scene.data->shift);
  row_of_ = scene.data;
  return row_ = std::move(row);
}

PointsScene PointsView::make_scene(std::shared_ptr<const PointsData> plane) const {
  PointsScene scene;
  scene.look = PictureLook::read();
  scene.query_color = Theme::instance().category_edge(kQueryColor);
  scene.key_color = Theme::instance().category_edge(kKeyColor);
  scene.past_step = past_step();
  const Head head = shown_head();
  if (!head.request) return scene;
  scene.request = head.request->id;
  scene.request_name = QString::fromStdString(head.request->name);
  scene.layer = head.layer;
  scene.head = head.head;
  scene.cross = head.record->is_cross(head.layer);
  scene.of_encoder = head.record->shape().of_encoder;
  scene.tokens = head.request->tokens;
  scene.encoder_tokens = head.request->encoder_tokens;
  scene.refusal = text_of(shift_refusal(head.record->shape().rules.of(head.layer)));
  scene.moved = scene.refusal.isEmpty() ? slider_->value() : 0;
  scene.data = std::move(plane);
  if (!scene.data) return scene;
  scene.row = row_of(scene, head, *head.request);
  const SelectionState& state = selection().state();
  scene.selected = (state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell) &&
                   state.request == scene.request && state.query == scene.row->query;
  if (scene.selected && state.kind == SelectionKind::kCell && state.key < scene.num_keys())
    scene.key = state.key;
  return scene;
}

void PointsView::refresh() {
  refresh_boxes();
  const auto wanted = wish();
  std::shared_ptr<const PointsData> plane;
  if (wanted) {
    planes_.want(*wanted);
    if (planes_.is_known(*wanted))
      plane = planes_.result();
    else if (!scene().is_empty() && scene().layer == wanted->layer &&
             scene().head == wanted->head && planes_.is_behind())
      return;  // keeps the old picture meanwhile
  } else {
    planes_.clear();
  }
  PointsScene next = make_scene(std::move(plane));
  slider_->setEnabled(next.refusal.isEmpty());
  const bool paused = bridge().gate_state() == RunGate::State::kPaused;
  canvas_->set_waiting(
      tr("No points yet"),
      next.past_step ? tr("Up to step %1 no row of this head was computed.").arg(*next.past_step)
      : planes_.is_behind() ? tr("The plane of this head is being computed.")
                            : tr("No row of the shown head has been computed yet."),
      paused && !next.past_step);
  canvas_->set_scene(std::move(next));
  canvas_->set_pointed(pointed_here());
  describe();
}

void PointsView::describe() {
  QString text = tr("No points yet");
  if (!scene().is_empty()) {
    text = points_sentence(scene()) + QLatin1Char('.');
    for (const QString& fact : points_facts(scene())) text += QLatin1Char(' ') + fact;
  }
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> PointsView::key_help() const {
  return {{tr("Point at a point"), tr("Mark it in other views; tooltip: token, weight, place")},
          {tr("Click a query"), tr("Select it and show its weights; again: clear the selection")},
          {tr("Click a key"), tr("Select the cell of the shown query and this key")},
          {tr("Left, Right"), tr("Select the query before, after")},
          {tr("Up, Down"), tr("Select the key with the next larger, smaller weight")},
          {tr("[ and ]"), tr("Move all keys back, towards the queries")},
          {tr("M"), tr("Move all keys until their middle is that of the queries, or back")},
          {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
          {tr("Esc"), tr("Clear the selection")},
          {tr("Ctrl+wheel, + and −"), tr("Zoom")},
          {tr("Wheel, Page up, Page down, middle drag"), tr("Move the picture up and down")},
          {tr("Double-click beside the points, F, Home"), tr("Show all points")}};
}

std::vector<ViewCommand> PointsView::commands() {
  return {{tr("Points › Keys where they are"), tr("Do not move the keys"), slider_->value() == 0,
           [this] { slider_->setValue(0); }},
          {tr("Points › Keys moved onto the queries"),
           tr("Move all keys by the vector from their middle to that of the queries"),
           slider_->value() == 100, [this] { slider_->setValue(100); }}};
}

PointsScene PointsView::exported() const {
  const auto wanted = wish();
  PointsScene scene = make_scene(wanted ? planes_.now(*wanted) : nullptr);
  scene.caption = true;
  scene.title = figure().title;
  scene.own_title = figure().own_title;
  return scene;
}

std::function<void(QPainter&, const QRectF&)> PointsView::drawing() const {
  return [scene = exported()](QPainter& painter, const QRectF& bounds) {
    if (scene.is_empty()) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("There are no points to show."));
      return;
    }
    const PointsParts parts = points_parts(scene, bounds);
    paint_points(painter, scene, parts, points_transform(scene, parts.plot));
  };
}

QSize PointsView::export_size() const {
  const Theme& theme = Theme::instance();
  return {theme.px(960), theme.px(640)};
}

QSize PointsView::export_size_for(double width) const {
  const double wide = std::max<double>(width, Theme::instance().px(480));
  return {static_cast<int>(std::ceil(wide)), static_cast<int>(std::ceil(wide * 0.8))};
}

std::function<QByteArray()> PointsView::table() const {
  return [scene = exported()] { return QByteArray::fromStdString(points_csv(scene)); };
}

QJsonObject PointsView::options() const {
  return {{QStringLiteral("moved"), slider_->value()}};
}

void PointsView::set_options(const QJsonObject& options) {
  if (const auto moved = whole_option(options, "moved", 0, 100)) slider_->setValue(*moved);
}

ViewEntry points_entry() {
  return {
      .name = "points",
      .title = PointsView::tr("Points"),
      .keys = QKeySequence(Qt::ALT | Qt::Key_5),
      .group = ViewGroup::kInside,
      .meaning = PointsView::tr("Show queries and keys of the shown head as points"),
      .look_at = PointsView::tr(
          "Where the slider can be moved, it moves all keys: the weights change only by rounding."),
      .document = "explore.md",
      .run_order = 20,
      .options = {{"--title"}, {"--no-title"}},
      .make = make_view<PointsView>};
}

}  // namespace attn::gui

#include "moc_points_view.cpp"
