// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_input.h"

#include <QAction>
#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "gui/views/attention/heatmap/figure/row_table.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kScrollStep = 48;   // px per notch of the wheel
constexpr double kDragDistance = 5;  // px that the mouse moves before a press becomes a drag

ColorMapId next_color_map(ColorMapId map) {
  const auto at = static_cast<size_t>(std::ranges::find(kColorMaps, map) - kColorMaps.begin());
  return kColorMaps[(at + 1) % kColorMaps.size()];
}

// Prepares the action of the context menu that copies the row as a table. It is hidden if there is
// no such table.
void offer_row(HeatmapView& view, int64_t query) {
  const QString name = QStringLiteral("copy_row");
  auto* action = view.findChild<QAction*>(name, Qt::FindDirectChildrenOnly);
  if (!action) {
    action = new QAction(HeatmapView::tr("Copy the row as a table"), &view);
    action->setObjectName(name);
    QObject::connect(action, &QAction::triggered, &view, [&view, action] {
      QGuiApplication::clipboard()->setText(row_table(view.scene(), action->data().toLongLong()));
    });
    view.addAction(action);
  }
  action->setData(static_cast<qlonglong>(query));
  action->setVisible(has_row_table(view.scene(), query));
}

}  // namespace

void HeatmapInput::wheel(const QWheelEvent& event) {
  const QPoint angle = event.angleDelta();
  if (event.modifiers() & Qt::ControlModifier)
    return view_.zoom_at(event.position(),
                         std::pow(kZoomStep, (angle.y() != 0 ? angle.y() : angle.x()) / 120.0));
  QPointF distance = event.pixelDelta().isNull() ? QPointF(angle) / 120.0 * kScrollStep
                                                 : QPointF(event.pixelDelta());
  if (event.modifiers() & Qt::ShiftModifier && distance.x() == 0) distance = {distance.y(), 0};
  view_.pan(distance);
}

void HeatmapInput::press(const QMouseEvent& event) {
  press_ = event.position();
  dragging_ = event.button();
  moved_ = false;
  if (event.button() == Qt::MiddleButton) view_.setCursor(Qt::ClosedHandCursor);
}

void HeatmapInput::move(const QMouseEvent& event) {
  const QPointF at = event.position();
  if (dragging_ == Qt::MiddleButton && event.buttons() & Qt::MiddleButton)
    return view_.pan(at - std::exchange(press_, at));
  if (dragging_ == Qt::LeftButton && event.buttons() & Qt::LeftButton) {
    const QRectF& cells = view_.canvas_layout().cells;
    moved_ = moved_ || (at - press_).manhattanLength() >= kDragDistance;
    rubber_band_ = moved_ && cells.contains(press_)
                       ? QRectF(press_, at).normalized().intersected(cells)
                       : QRectF();
    return view_.update();
  }
  view_.hover(at, event.globalPosition().toPoint());
}

void HeatmapInput::release(const QMouseEvent& event) {
  const Qt::MouseButton button = std::exchange(dragging_, Qt::NoButton);
  view_.unsetCursor();
  if (button != Qt::LeftButton || button != event.button()) return;
  const QRectF band = std::exchange(rubber_band_, QRectF());
  if (moved_) {
    view_.update();
    if (band.width() >= kDragDistance && band.height() >= kDragDistance) view_.show_area(band);
    return;
  }
  if (const auto cell = view_.cell_at(event.position()))
    view_.select_cell(*cell);
  else if (const auto token = view_.label_at(event.position()))
    view_.select_token(*token);
}

void HeatmapInput::double_click(const QMouseEvent& event) {
  dragging_ = Qt::NoButton;
  if (event.button() == Qt::LeftButton) view_.fit();
}

bool HeatmapInput::key(const QKeyEvent& event) {
  const Qt::KeyboardModifiers command =
      event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  return navigate(event) || (command == Qt::NoModifier && choose(event));
}

bool HeatmapInput::navigate(const QKeyEvent& event) {
  const CanvasAxis& rows = view_.transform().y;
  const auto page = std::max<int64_t>(1, static_cast<int64_t>(rows.pixels / rows.scale) - 1);
  const int64_t step = event.modifiers() & Qt::ControlModifier ? 10 : 1;
  switch (event.key()) {
    case Qt::Key_Left:
      return view_.move_cursor(0, -step), true;
    case Qt::Key_Right:
      return view_.move_cursor(0, step), true;
    case Qt::Key_Up:
      return view_.move_cursor(-step, 0), true;
    case Qt::Key_Down:
      return view_.move_cursor(step, 0), true;
    case Qt::Key_PageUp:
      return view_.move_cursor(-page, 0), true;
    case Qt::Key_PageDown:
      return view_.move_cursor(page, 0), true;
    case Qt::Key_F:
    case Qt::Key_Home:
      return view_.fit(), true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return view_.zoom(kZoomStep), true;
    case Qt::Key_Minus:
      return view_.zoom(1 / kZoomStep), true;
    default:
      return false;
  }
}

bool HeatmapInput::choose(const QKeyEvent& event) {
  const HeatmapScene& scene = view_.scene();
  const HeatmapView::Cell cursor = view_.cursor_cell();
  const bool shift = event.modifiers() & Qt::ShiftModifier;
  switch (event.key()) {
    case Qt::Key_Greater:
    case Qt::Key_Colon:  // Shift+. of a German keyboard; Shift+, is ;
      return view_.show_head(scene.head.layer + 1, scene.head.head), true;
    case Qt::Key_Less:
    case Qt::Key_Semicolon:
      return view_.show_head(scene.head.layer - 1, scene.head.head), true;
    case Qt::Key_Period:
      return view_.show_head(scene.head.layer + (shift ? 1 : 0), scene.head.head + (shift ? 0 : 1)),
             true;
    case Qt::Key_Comma:
      return view_.show_head(scene.head.layer - (shift ? 1 : 0), scene.head.head - (shift ? 0 : 1)),
             true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor.query >= 0) view_.select_cell(cursor);
      return true;
    case Qt::Key_T:
      // In cross attention a column is a token of the encoder.
      if (!shift || scene.keys_are_tokens()) view_.select_token(shift ? cursor.key : cursor.query);
      return true;
    case Qt::Key_Escape:
      return view_.clear_selection(), true;
    case Qt::Key_C:
      return view_.set_color_map(next_color_map(scene.map)), true;
    case Qt::Key_V: {
      const auto kinds = static_cast<int>(std::size(kCombines));
      const int now = static_cast<int>(scene.head.combine.kind);
      return view_.choose_combination(kCombines[(now + (shift ? kinds - 1 : 1)) % kinds]), true;
    }
    case Qt::Key_S: {
      const auto count = static_cast<int>(std::size(kQuantities));
      const int now = static_cast<int>(scene.quantity());
      int next = now;
      do {
        next = (next + (shift ? count - 1 : 1)) % count;
      } while (!view_.refusal_of(kQuantities[next]).isEmpty());
      return view_.set_quantity(kQuantities[next]), true;
    }
    case Qt::Key_O:
      return view_.step_other(shift ? 1 : 0, shift ? 0 : 1), true;
    case Qt::Key_K: {
      const auto keeps = std::size(kKeeps);
      const auto now =
          static_cast<size_t>(std::ranges::find(kKeeps, scene.keep) - std::begin(kKeeps));
      // A Keep from the command line may not be in the list; then the first of the list follows.
      return view_.set_keep(kKeeps[now >= keeps ? 0 : (now + (shift ? keeps - 1 : 1)) % keeps]),
             true;
    }
    case Qt::Key_L:
      if (scene.quantity() == Quantity::kScore) return true;  // scores have one scale
      if (scene.head.combine.is_difference()) {
        const auto now = std::ranges::find(kDifferenceRanges, scene.difference_range);
        const auto next = static_cast<size_t>(now - std::begin(kDifferenceRanges)) + 1;
        return view_.set_difference_range(kDifferenceRanges[next % std::size(kDifferenceRanges)]),
               true;
      }
      return view_.set_scale(scene.scale.kind == ColorScale::Kind::kLinear
                                 ? ColorScale::Kind::kLog
                                 : ColorScale::Kind::kLinear),
             true;
    case Qt::Key_M:
      return view_.set_reduce(scene.reduce == Reduce::kMax ? Reduce::kMean : Reduce::kMax), true;
    default:
      return false;
  }
}

ViewPoint HeatmapInput::point_at(const QPointF& position) const {
  ViewPoint point;
  const HeatmapScene& scene = view_.scene();
  const auto add_token = [&](int64_t token) {
    if (scene.head.is_encoder()) return;  // its rows are not tokens of the request
    point.things.push_back({.kind = SelectionKind::kToken, .query = token});
  };
  if (const auto cell = view_.cell_at(position)) {
    point.text = view_.cell_text(cell->query, cell->key);
    if (const float value = view_.shown_value(cell->query, cell->key); !std::isnan(value))
      point.numbers.push_back({quantity_of(scene.head), exact_number(value)});
    point.things.push_back({.kind = SelectionKind::kCell, .query = cell->query, .key = cell->key});
    add_token(cell->query);
    if (scene.keys_are_tokens() && cell->key != cell->query) add_token(cell->key);
  } else if (const auto token = view_.label_at(position)) {
    point.text = HeatmapView::tr("token %1").arg(*token);
    if (scene.tokens && *token < static_cast<int64_t>(scene.tokens->size()))
      point.text +=
          QLatin1Char(' ') + quoted_token((*scene.tokens)[static_cast<size_t>(*token)].text);
    point.numbers.push_back({HeatmapView::tr("position"), QString::number(*token)});
    add_token(*token);
  }
  offer_row(view_, !point.things.empty() ? point.things.front().query : -1);
  return point;
}

std::optional<QPoint> HeatmapInput::place_of_selection() const {
  const HeatmapMark& mark = view_.scene().mark;
  HeatmapView::Cell cell = view_.cursor_cell();
  if (mark.kind == HeatmapMark::Kind::kCell) cell = {mark.query, mark.key};
  if (mark.kind == HeatmapMark::Kind::kToken && mark.query >= 0) {
    const QRectF labels = view_.canvas_layout().row_labels;
    const QRectF row = view_.rect_of(mark.query, 0);
    const QPointF middle(labels.center().x(), row.center().y());
    return labels.contains(middle) ? std::optional(middle.toPoint()) : std::nullopt;
  }
  if (cell.query < 0 || cell.key < 0) return std::nullopt;
  const QRectF place = view_.rect_of(cell.query, cell.key).intersected(view_.canvas_layout().cells);
  return place.isEmpty() ? std::nullopt : std::optional(place.center().toPoint());
}

std::optional<QRect> HeatmapInput::row_of_selection() const {
  const HeatmapScene& scene = view_.scene();
  if (scene.mark.kind != HeatmapMark::Kind::kToken || !place_of_selection()) return std::nullopt;
  const HeatmapLayout& layout = view_.canvas_layout();
  const QRectF first = view_.rect_of(scene.mark.query, 0);
  const QRectF last = view_.rect_of(scene.mark.query, scene.columns() - 1);
  const QFontMetricsF label(scene.look.mono);
  const double height = std::max(first.height(), label.ascent() + label.descent());
  return QRectF(layout.row_labels.left(), first.center().y() - height / 2,
                std::min(last.right(), layout.cells.right()) - layout.row_labels.left(), height)
      .toAlignedRect();
}

std::vector<KeyHelp> HeatmapInput::key_help() {
  return {
      {HeatmapView::tr("Ctrl+wheel, + and −"),
       HeatmapView::tr("Zoom at the pointer (wheel), at the middle (keys)")},
      {HeatmapView::tr("Wheel, Shift+wheel"), HeatmapView::tr("Scroll up and down, sideways")},
      {HeatmapView::tr("Middle drag"), HeatmapView::tr("Pan")},
      {HeatmapView::tr("Drag"), HeatmapView::tr("Zoom to the dragged area")},
      {HeatmapView::tr("Double-click, F, Home"), HeatmapView::tr("Show everything")},
      {HeatmapView::tr("Click"), HeatmapView::tr("Select a cell, or a token by its label")},
      {HeatmapView::tr("Arrows, Page up, Page down"), HeatmapView::tr("Move the selected cell")},
      {HeatmapView::tr("Enter, Esc"),
       HeatmapView::tr("Select the cell at the cursor, clear the selection")},
      {HeatmapView::tr("T, Shift+T"),
       HeatmapView::tr("Select the token of the cell's row or, in self attention, of its column")},
      {HeatmapView::tr(". and ,"), HeatmapView::tr("Next and previous head; with Shift: layer")},
      {HeatmapView::tr("C, L, M"),
       HeatmapView::tr("Next colour map; linear or log scale, or the range of a difference; max or "
                       "mean of the cells of a dot")},
      {HeatmapView::tr("V, Shift+V"),
       HeatmapView::tr("Next and previous choice: one head, a mean or a difference")},
      {HeatmapView::tr("S, Shift+S"),
       HeatmapView::tr("Next and previous number for the cells, such as weight or score")},
      {HeatmapView::tr("O, Shift+O"),
       HeatmapView::tr("In a difference: subtract the next head, the next layer")},
      {HeatmapView::tr("K, Shift+K"),
       HeatmapView::tr("Next and previous choice of the cells that are kept")}};
}

}  // namespace attn::gui
