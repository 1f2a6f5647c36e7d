// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/blocks_picture.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

// px at 100%: margins; least width of a picture; least cell of pools beside tables; a further line
// of the legend.
constexpr int kFrame = 48, kLeastWidth = 480, kLeastCell = 28, kLegendLine = 16;
constexpr double kPoolsWidth = 1600;  // px; wanted width of the pools if none is given
constexpr double kUsualWidth = 640, kLeastHeight = 220, kMostSide = 8000;  // px

double columns_of(int64_t num_blocks) {
  const auto blocks = static_cast<double>(std::max<int64_t>(1, num_blocks));
  return std::min(blocks, std::exp2(std::round(std::log2(std::sqrt(2 * blocks)))));
}

// The size of the device pool and, if there is one, of the host pool below it.
QSizeF pools_in(const BlocksScene& scene, double width) {
  const Theme& theme = Theme::instance();
  const auto size_of = [&](int64_t num_blocks) {
    const double columns = columns_of(num_blocks);
    const double largest = BlockGrid::kLargestFitCell * theme.text_percent() / 100;
    const double cell = std::clamp(width / columns, 4.0, largest);
    const auto blocks = static_cast<double>(std::max<int64_t>(1, num_blocks));
    return QSizeF(cell * columns, cell * std::ceil(blocks / columns));
  };
  const QSizeF device = size_of(scene.grid.num_blocks());
  if (!scene.has_host()) return device;
  const QSizeF host = size_of(scene.host.num_blocks());
  return {std::max(device.width(), host.width()),
          device.height() + host.height() + theme.px(2 * 16 + 8)};
}

// The size of the prefix tree together with the gap above it.
QSizeF tree_size(const BlocksScene& scene) {
  PrefixTree all;
  all.set_snapshot(scene.snapshot);
  const Theme& theme = Theme::instance();
  return PrefixLayout::full_size(all, theme.text_percent()) + QSizeF(0, theme.px(16));
}

double title_width(const QString& caption) {
  const Theme& theme = Theme::instance();
  return QFontMetricsF(theme.font(TextRole::kTitle, QFont::DemiBold))
             .horizontalAdvance(tr("KV cache blocks")) +
         QFontMetricsF(theme.font()).horizontalAdvance(caption) + theme.px(16);
}

}  // namespace

BlocksPicture picture_of_blocks(const BlocksScene& scene, const QString& caption, bool with_tree,
                                std::optional<double> width) {
  const Theme& theme = Theme::instance();
  const double frame = theme.px(kFrame), gap = theme.px(16);
  const TableText text =
      scene.snapshot ? measure_tables(*scene.snapshot, scene.order) : TableText{};
  const double tables =
      text.names +
      std::max(text.sentences,
               static_cast<double>(std::max<int64_t>(4, scene.tables.longest)) * scene.tables.cell);
  const double tables_height = scene.tables.full_height() + theme.px(60);
  const QSizeF tree =
      with_tree && scene.snapshot && scene.snapshot->prefixes ? tree_size(scene) : QSizeF(0, 0);
  const auto picture = [&](double inner, double height) {
    const double whole = height + tree.height() + title_height_of_blocks() + frame;
    return QSize(static_cast<int>(std::ceil(std::min(inner + frame, kMostSide))),
                 static_cast<int>(std::ceil(std::clamp(whole, kLeastHeight, kMostSide))));
  };

  const double least = std::max({theme.px(kLeastWidth) - frame, title_width(caption), tree.width(),
                                 scene.show_tables ? tables : 0.0});
  const QSizeF pools = pools_in(scene, kPoolsWidth);
  double inner = std::max(least, kUsualWidth - frame), height = pools.height();
  if (scene.show_tables) {
    // As in arrange(): tables get 36% to 60% of the width, names about a sixth.
    inner = std::max({inner, (pools.width() + gap) / 0.64, tables / 0.6, text.names / 0.16,
                      scene.show_grid ? pools.width() + tables : tables});
    height = std::max(scene.show_grid ? pools.height() : 0.0, tables_height);
  } else {
    inner = std::max(inner, pools.width());
  }
  // A width of kMostSide or more counts as no given width.
  if (!width || *width >= kMostSide) return {.size = picture(inner, height)};
  const double given = std::max(*width - frame, least);
  if (given >= inner) return {.size = picture(given, height)};

  const double beside = given - std::max(tables, 0.36 * given) - 2 * gap;
  const bool below =
      scene.show_grid && scene.show_tables &&
      (tables > 0.6 * given || beside < columns_of(scene.grid.num_blocks()) * theme.px(kLeastCell));
  if (!scene.show_tables)
    height = pools_in(scene, given).height();
  else if (below)
    height = pools_in(scene, given).height() + gap + height_of_tables_below(scene);
  else if (scene.show_grid)
    height = std::max(pools_in(scene, beside).height(), tables_height);
  return {.size = picture(given, height + theme.px(kLegendLine)),
          .tables_below = below,
          .legend_lines = 2};
}

double title_height_of_blocks() {
  return Theme::instance().px(30);
}

}  // namespace attn::gui
