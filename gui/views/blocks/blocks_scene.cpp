// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/blocks_scene.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_legend.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

int64_t digits(int64_t value) {
  return static_cast<int64_t>(std::to_string(std::max<int64_t>(0, value)).size());
}

// At most this many names are measured, to save time.
constexpr size_t kMeasured = 48;
// px at 100%. In the window the prefix tree is beside the other parts, or below them if the width
// is less than kThreeColumns and the height at least kTreeBelow.
constexpr double kThreeColumns = 1000, kTreeBelow = 300;
constexpr int kSlotStrip = 48;  // px at 100%, for the slots of a block

double cell_at_fit(int64_t num_blocks, const QSizeF& size) {
  if (size.width() < 1 || size.height() < 1) return 0;
  const int64_t columns = best_columns(num_blocks, size.width(), size.height());
  const int64_t rows = (num_blocks + columns - 1) / std::max<int64_t>(1, columns);
  return std::min(size.width() / static_cast<double>(columns),
                  size.height() / static_cast<double>(std::max<int64_t>(1, rows)));
}

// Places both pools in `area`, side by side or one above the other, whichever makes the smaller
// cell larger.
void place_pools(BlocksScene& scene, const QRectF& area) {
  const Theme& theme = Theme::instance();
  const auto device = static_cast<double>(scene.snapshot->blocks.size()),
             host = static_cast<double>(scene.snapshot->swap_blocks.size());
  const double part = std::clamp(device / (device + host), 0.2, 0.8);
  const double title = theme.px(16), gap = theme.px(16);
  const double height = std::max(0.0, area.height() - title);
  const QSizeF beside_a((area.width() - gap) * part, height),
      beside_b((area.width() - gap) * (1 - part), height);
  const double stacked = std::max(0.0, height - title - theme.px(8));
  const QSizeF above(area.width(), stacked * part), below(area.width(), stacked * (1 - part));
  const auto least_cell = [&](const QSizeF& a, const QSizeF& b) {
    return std::min(cell_at_fit(static_cast<int64_t>(device), a),
                    cell_at_fit(static_cast<int64_t>(host), b));
  };
  const bool beside = least_cell(beside_a, beside_b) >= least_cell(above, below);
  scene.device_title =
      QRectF(area.left(), area.top(), beside ? beside_a.width() : area.width(), title);
  scene.grid.set_area(QRectF(scene.device_title.bottomLeft(), beside ? beside_a : above));
  // If the device pool is not zoomed, the host pool begins where its cells end.
  const bool fits = scene.grid.is_fit() && device > 0;
  const QRectF used = scene.grid.area();
  const QRectF last = scene.grid.rect_of(static_cast<int64_t>(device) - 1),
               row = scene.grid.rect_of(scene.grid.columns() - 1);
  if (beside) {
    const double left = (fits ? std::min(used.right(), row.right()) : used.right()) + gap;
    scene.host_title = QRectF(left, area.top(), area.right() - left, title);
  } else {
    const double top =
        (fits ? std::min(used.bottom(), last.bottom()) : used.bottom()) + theme.px(8);
    scene.host_title = QRectF(area.left(), top, area.width(), title);
  }
  scene.host.set_area(QRectF(
      scene.host_title.bottomLeft(),
      QPointF(area.right(),
              beside ? area.bottom()
                     : std::min(area.bottom(), scene.host_title.bottom() + below.height()))));
}

// The right edge of the cells; the areas of the grids may be wider.
double right_of_grids(const BlocksScene& scene) {
  double right = scene.grid.rect_of(scene.grid.columns() - 1).right();
  if (scene.has_host())
    right = std::max(right, scene.host.rect_of(scene.host.columns() - 1).right());
  return right;
}

void measure(BlocksScene& scene, const QRectF& inside, const TableText& text, bool both) {
  const Theme& theme = Theme::instance();
  const QFontMetricsF mono(theme.mono(TextRole::kSmall));
  const EngineSnapshot* snapshot = scene.snapshot.get();
  TableLayout& tables = scene.tables;
  tables.num_rows = static_cast<int64_t>(scene.order.size());
  tables.longest = 0;
  for (const TableRow& row : scene.order)
    tables.longest =
        std::max(tables.longest, static_cast<int64_t>(table_of(*snapshot, row).size()));
  const int64_t largest =
      snapshot
          ? static_cast<int64_t>(std::max(snapshot->blocks.size(), snapshot->swap_blocks.size())) -
                1
          : 0;
  tables.header = theme.px(18);
  tables.row = theme.px(24);
  tables.gap = theme.px(2);
  tables.cell = std::max(theme.px(26) * 1.0,
                         std::ceil(static_cast<double>(digits(largest)) *
                                   text_width(theme.mono(TextRole::kSmall), QStringLiteral("0"))) +
                             theme.px(12));
  tables.gutter =
      std::ceil(std::min(text.names, inside.width() * (both ? 0.16 : 0.3) + theme.px(24)));
}

// Takes the tree's part away from `inside` and returns it; empty if the tree is not shown.
QRectF take_tree_room(const BlocksScene& scene, QRectF& inside) {
  if (!scene.tree_shown()) return {};
  QRectF room = inside;
  if (!scene.show_grid && !scene.show_tables) {
    inside.setWidth(0);
    return room;
  }
  const Theme& theme = Theme::instance();
  const double gap = theme.px(16);
  const bool below = scene.tree_below || (inside.width() < theme.px(kThreeColumns) &&
                                          inside.height() >= theme.px(kTreeBelow));
  const QSizeF full = PrefixLayout::full_size(scene.tree, theme.text_percent());
  if (below) {
    const double height = std::min(full.height(), inside.height() * 0.5);
    room.setTop(inside.bottom() - std::round(height));
    inside.setBottom(room.top() - gap);
  } else {
    const double width = std::clamp(full.width(), theme.px(200) * 1.0, inside.width() * 0.36);
    room.setLeft(inside.right() - std::round(width));
    inside.setRight(room.left() - gap);
  }
  return room;
}

}  // namespace

BlockGrid& BlocksScene::grid_of(int64_t place) {
  return snapshot && is_host_place(*snapshot, place) ? host : grid;
}

const BlockGrid& BlocksScene::grid_of(int64_t place) const {
  return const_cast<BlocksScene*>(this)->grid_of(place);
}

QRectF BlocksScene::rect_of(int64_t place) const {
  return grid_of(place).rect_of(snapshot ? number_at(*snapshot, place) : place);
}

QString pool_title(const EngineSnapshot& snapshot, bool host, bool brief) {
  const auto& pool = host ? snapshot.swap_blocks : snapshot.blocks;
  const auto used =
      std::ranges::count_if(pool, [](const BlockView& view) { return view.ref_count > 0; });
  const QString words = brief  ? host ? tr("Host: %1 of %2") : tr("Device: %1 of %2")
                         : host ? tr("Host pool (swap): %1 of %2 blocks used")
                               : tr("Device pool: %1 of %2 blocks used");
  return words.arg(format_count(used), format_count(static_cast<int64_t>(pool.size())));
}

QString why_no_blocks(const RequestView& request) {
  if (request.state == RequestState::kFinishedIgnored) return tr("refused, it never held a block");
  if (is_finished(request.state)) return tr("finished, holds no block");
  return is_preempted(request) ? tr("preempted, holds no block") : tr("waiting, holds no block");
}

TableText measure_tables(const EngineSnapshot& snapshot, const std::vector<TableRow>& order) {
  const Theme& theme = Theme::instance();
  TableText text;
  double widest = 0;
  for (size_t i = 0; i < std::min(kMeasured, order.size()); ++i) {
    const RequestView& request = request_of(snapshot, order[i]);
    widest =
        std::max(widest, text_width(theme.font(TextRole::kSmall), table_label(snapshot, order[i])));
    if (table_of(snapshot, order[i]).empty())
      text.sentences =
          std::max(text.sentences,
                   std::ceil(text_width(theme.font(TextRole::kSmall), why_no_blocks(request))) + 2);
  }
  text.tight_names = std::max(
      widest + theme.px(24), text_width(theme.font(TextRole::kSmall), tr("logical")) + theme.px(6));
  text.names = std::max(theme.px(40) * 1.0, widest) + theme.px(24);
  return text;
}

double height_of_tables_below(const BlocksScene& scene) {
  const int strip = scene.highlight.primary >= 0 ? kSlotStrip : 0;
  return scene.tables.full_height() + Theme::instance().px(4 + strip);
}

void arrange(BlocksScene& scene, const QRectF& bounds, bool with_legend) {
  const Theme& theme = Theme::instance();
  const double pad = theme.px(8), gap = theme.px(16);
  scene.bounds = bounds;
  QRectF inside = bounds.adjusted(pad, pad, -pad, -pad);
  scene.legend = {};
  if (with_legend && inside.height() > theme.px(60)) {
    const double height = height_of_legend(lines_of_legend(scene, inside));
    scene.legend = QRectF(inside.left(), inside.bottom() - height, inside.width(), height);
    inside.setBottom(scene.legend.top() - theme.px(6));
  }
  const EngineSnapshot* snapshot = scene.snapshot.get();
  scene.prefixes.set_scale_of_text(theme.text_percent());
  scene.prefixes.set_area(take_tree_room(scene, inside));
  scene.prefixes.set_size(scene.tree.num_columns(), scene.tree.num_rows());

  // Side by side, the tables take what they need between 36% and 60% of the width. Below the grids
  // they take the height that they need.
  const bool below = scene.show_grid && scene.show_tables && scene.tables_below;
  const bool both = scene.show_grid && scene.show_tables && !below;
  TableLayout& tables = scene.tables;
  const TableText text = snapshot ? measure_tables(*snapshot, scene.order) : TableText{};
  measure(scene, inside, text, both);
  const double entries = std::max(
      text.sentences, static_cast<double>(std::max<int64_t>(tables.longest, 4)) * tables.cell);
  if (both && tables.gutter + entries > inside.width() * 0.6 + 1)
    tables.gutter = std::min(tables.gutter, std::ceil(text.tight_names));
  const double needed = tables.gutter + entries;
  const double share =
      both ? std::clamp(needed, inside.width() * 0.36, inside.width() * 0.6) : inside.width();
  const double tables_width = scene.show_tables ? share : 0;
  const double tables_height = below ? height_of_tables_below(scene) : inside.height();
  const double grid_width = !scene.grid_shown() ? 0
                            : below             ? inside.width()
                                                : inside.width() - tables_width - (both ? gap : 0);
  tables.area = QRectF(inside.right() - tables_width, inside.bottom() - tables_height, tables_width,
                       tables_height);
  const double slot_strip = theme.px(kSlotStrip);
  tables.slot_strip = scene.highlight.primary >= 0 &&
                              tables.area.height() >= tables.header + tables.row + slot_strip
                          ? slot_strip
                          : 0;
  tables.more =
      text_width(theme.mono(TextRole::kSmall), mark_of_more(tables.longest)) + theme.px(4);
  tables.clamp();
  const int64_t num_blocks = snapshot ? num_device_places(*snapshot) : 0;
  scene.grid.set_scale_of_text(theme.text_percent());
  scene.host.set_scale_of_text(theme.text_percent());
  scene.grid.set_num_blocks(num_blocks);
  scene.host.set_num_blocks(snapshot ? num_places(*snapshot) - num_blocks : 0);
  const QRectF pools(
      inside.left(), inside.top(), std::max(0.0, grid_width),
      below ? std::max(0.0, inside.height() - tables_height - gap) : inside.height());
  scene.device_title = scene.host_title = {};
  if (scene.has_host()) {
    place_pools(scene, pools);
  } else {
    scene.grid.set_area(pools);
    scene.host.set_area({});
  }
  // If the unzoomed grids need less than their part of the width, the tables begin nearer to them,
  // so that links are shorter.
  if (both && scene.grid.is_fit() && scene.host.is_fit() && num_blocks > 0) {
    tables.area.setLeft(std::min(tables.area.left(), right_of_grids(scene) + 2 * gap));
    tables.clamp();
    for (QRectF* title : {&scene.device_title, &scene.host_title})
      title->setRight(std::min(title->right(), tables.area.left() - theme.px(8)));
  }
}

}  // namespace attn::gui
