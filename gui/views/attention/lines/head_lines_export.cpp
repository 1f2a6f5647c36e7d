// SPDX-License-Identifier: GPL-3.0-or-later
// The files that HeadLinesView exports: pictures and the table.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/session/record/head_reader.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/cell_quantity.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr int64_t kMostExported = 512;  // up to this many rows, an exported picture has all tokens

}  // namespace

void check_exported(int64_t first, int64_t last, int64_t rows) {
  if (last < rows && last - first < kMostExported) return;
  throw_bad_input({"the lines cannot show these positions", "--positions",
                   std::to_string(first) + ".." + std::to_string(last),
                   "positions from 0 to " + std::to_string(rows - 1) + ", at most " +
                       std::to_string(kMostExported) + " of them",
                   ""});
}

int64_t HeadLinesView::figure_positions() const {
  return make_scene().rows();
}

void HeadLinesView::paint_content(QPainter& painter, const QRectF& bounds) {
  drawing()(painter, bounds);
}

HeadLinesScene HeadLinesView::file_scene() const {
  HeadLinesScene scene = make_scene();
  scene.caption = true;
  scene.figure = figure();
  // Positions that were asked for, but have no row at the shown step, are left out.
  if (auto& asked = scene.figure.positions)
    asked->second = std::min(asked->second, scene.rows() - 1);
  if (scene.figure.positions && scene.figure.positions->first > scene.figure.positions->second)
    scene.figure.positions.reset();
  return scene;
}

// The part that an exported picture shows: the positions that were asked for; else all tokens if
// there are at most kMostExported rows; else at most kMostExported rows of what is on the screen,
// or the beginning of the sequence.
LineWindow HeadLinesView::exported_window(const HeadLinesScene& scene) const {
  if (const auto& asked = scene.figure.positions) {
    const int64_t first = asked->first, end = asked->second + 1;
    if (scene.keys_are_tokens()) return {first, end, first, end};
    return {first, end, 0, scene.keys()};
  }
  if (scene.rows() <= kMostExported) return {0, scene.rows(), 0, scene.keys()};
  LineWindow window = canvas_->window();
  if (window.q_end > scene.rows() || window.q_end <= window.q_begin) window = {0, 64, 0, 64};
  window.q_end = std::min(window.q_end, window.q_begin + kMostExported);
  return window;
}

std::function<void(QPainter&, const QRectF&)> HeadLinesView::drawing() const {
  HeadLinesScene scene = file_scene();
  scene.data = {};
  const LineWindow window = exported_window(scene);
  return [scene = std::move(scene), window](QPainter& painter, const QRectF& bounds) mutable {
    if (scene.rows() == 0) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("No attention has been computed."));
      return;
    }
    LinesWish wish{.base = scene.base, .heads = scene.heads, .lengths = scene.lengths};
    wish.q_begin = window.q_begin;
    wish.q_end = window.q_end;
    if (const auto chosen = scene.chosen())
      (chosen->side == LineSide::kQuery ? wish.row : wish.column) = chosen->position;
    wish.filter = scene.filter;
    auto read = std::make_shared<LineData>();
    read_lines(
        wish, [] { return false; }, *read);
    scene.data = std::move(read);
    CanvasAxis keys, queries;
    LinesShown shown;
    const auto lay_out = [&] {
      const HeadLinesLayout layout = layout_lines(scene, bounds);
      keys = lines_axis(scene.length(), layout.lines.height(), scene.look);
      keys.show(static_cast<double>(std::min(window.q_begin, window.k_begin)),
                static_cast<double>(std::max(window.q_end, window.k_end)));
      queries = queries_beside(keys, scene);
      shown = lines_of(scene, window_of(queries, keys, scene));
      return layout;
    };
    HeadLinesLayout layout = lay_out();
    // What the sentence says is known only now, and so is how many lines it needs.
    const int64_t lines = std::ssize(
        wrapped_lines(scene.look.small, footer_text(scene, shown), layout.footer.width()));
    if (std::exchange(scene.footer_lines, lines) != lines) layout = lay_out();
    paint_head_lines(painter, {scene, layout, queries, keys, shown});
  };
}

// The height that the labels of the queries need, px. Keys add to it only up to kKeysOnASheet.
int HeadLinesView::exported_height(const LineWindow& window) {
  constexpr int64_t kKeysOnASheet = 48;
  const int64_t keys = std::min(kKeysOnASheet, window.k_end - window.k_begin);
  const auto tokens =
      static_cast<double>(std::max({int64_t{12}, keys, window.q_end - window.q_begin}));
  return Theme::instance().px(std::min(17 * tokens, 15800.0));
}

QSize HeadLinesView::export_size() const {
  const Theme& theme = Theme::instance();
  return {theme.px(kExportedWidth), theme.px(110) + exported_height(exported_window(file_scene()))};
}

// A narrow picture is laid out anew, because letters that shrink with it cannot be read on paper.
QSize HeadLinesView::export_size_for(double width) const {
  HeadLinesScene scene = file_scene();
  const double wide =
      std::clamp<double>(width, scene.look.px(kNarrowestLines), scene.look.px(kExportedWidth));
  constexpr double kTrial = 4000;  // px
  const auto lay_out = [&] { return layout_lines(scene, QRectF(0, 0, wide, kTrial)); };
  // The numbers in the sentence are not known yet; here they are 0, so some room is added.
  const QString sentence = footer_text(scene, {}) + QStringLiteral(" 000 000");
  scene.footer_lines =
      std::ssize(wrapped_lines(scene.look.small, sentence, lay_out().footer.width()));
  const double beside = kTrial - lay_out().lines.height();
  return {static_cast<int>(std::lround(wide)),
          static_cast<int>(std::ceil(beside)) + exported_height(exported_window(scene))};
}

std::function<QByteArray()> HeadLinesView::table() const {
  const RequestView* view = shown_request(bridge(), selection());
  if (!view) return [] { return QByteArray(); };
  const HeadLinesScene scene = make_scene();
  return [copy = *view, scene] {
    if (scene.shows_weights())
      return QByteArray::fromStdString(
          head_lines_csv(copy, scene.base.layer, scene.heads, scene.filter, scene.rows()));
    LineData none;  // only its filter is used
    read_lines(
        {.base = scene.base,
         .heads = scene.heads,
         .lengths = scene.lengths,
         .filter = scene.filter},
        [] { return false; }, none);
    const LineNumbers numbers{
        std::string(word_of(scene.base.quantity)), [&](size_t head, std::span<float> row) {
          times_lengths(*scene.lengths[head], 1, 0, std::ssize(row), row.data());
        }};
    return QByteArray::fromStdString(
        head_lines_csv(copy, scene.base.layer, scene.heads, none.filter, scene.rows(), &numbers));
  };
}

}  // namespace attn::gui
