// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_thumbs.h"

#include <algorithm>

namespace attn::gui {

namespace {

constexpr int64_t kMostBytes = int64_t{64} << 20;  // of all images that are kept

struct Painting {
  const ColorTable& table;
  const ColorScale& scale;
  QRgb to_come, not_a_number;

  QRgb color_of(float weight) const {
    if (weight == kMaskedCell) return 0;
    if (weight == kNotComputedCell) return to_come;
    if (weight >= 0) return table[static_cast<size_t>(scale.index(static_cast<double>(weight)))];
    return not_a_number;
  }
};

QImage paint(const WeightTileData& weights, QSize size, const Painting& painting) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  for (int r = 0; r < size.height(); ++r) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(r));
    for (int c = 0; c < size.width(); ++c) line[c] = painting.color_of(weights.at(r, c));
  }
  return image;
}

}  // namespace

const QImage& HeadThumbs::of(const HeadGridScene& scene, int64_t index) {
  static const QImage none;
  const QRgb to_come = scene.look.colors.raised.rgb(), nan = scene.look.colors.not_a_number.rgb();
  const ColorScale scale = scene.shown_scale();
  if (map_ != scene.map || scale_ != scale || to_come_ != to_come || not_a_number_ != nan) {
    thumbs_.clear();
    bytes_ = 0;
    map_ = scene.map;
    scale_ = scale;
    to_come_ = to_come;
    not_a_number_ = nan;
  }
  if (index < 0 || index >= static_cast<int64_t>(scene.summaries.size())) return none;
  const auto& summary = scene.summaries[static_cast<size_t>(index)];
  if (!summary || !summary->thumb) return none;
  if (summary->thumb_detail.quantity != scene.heads.quantity) return none;
  const int level = summary->thumb_detail.level;
  const auto entries = [&](int64_t cells) {
    return static_cast<int>(
        std::clamp<int64_t>((cells + (int64_t{1} << level) - 1) >> level, 1, kTileSide));
  };
  const QSize size(entries(scene.heads.head(index).columns()),
                   entries(scene.heads.head(index).rows));
  if (thumbs_.size() != scene.summaries.size()) {
    thumbs_.assign(scene.summaries.size(), {});
    bytes_ = 0;
  }
  Thumb& known = thumbs_[static_cast<size_t>(index)];
  if (known.weights == summary->thumb && known.image.size() == size) return known.image;
  bytes_ += 4 * int64_t{size.width()} * size.height() - known.image.sizeInBytes();
  if (bytes_ > kMostBytes) {
    for (Thumb& thumb : thumbs_) thumb = {};
    bytes_ = 4 * int64_t{size.width()} * size.height();
  }
  known = {summary->thumb,
           paint(*summary->thumb, size, {color_table(scene.map), scale, to_come, nan})};
  return known.image;
}

}  // namespace attn::gui
