// SPDX-License-Identifier: GPL-3.0-or-later
// StepLayout: where everything in a picture of a step lies. Tokens and blocks are wrapped into
// lines. Coordinates are those of the content: y 0 is its top. Any thread.
#pragma once

#include <QRectF>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "gui/views/step/step_masks.h"
#include "gui/views/step/step_scene.h"

namespace attn::gui {

struct StepText {
  QString text;
  QRectF box;
  bool heading = false;
};

// A row of cells, wrapped into lines.
struct StepStrip {
  double top = 0, cell_height = 0;
  int64_t columns = 0;  // number of cells in all lines; 0: the strip is empty
  int64_t first = 0;    // column of the first line in which the strip begins
};

struct StepRows {
  QRectF title, mark;  // mark: shows query_start_loc.
  StepStrip tokens, table, encoder, cross;
  QRectF table_label, encoder_label, cross_label;
};

// A piece of the cache, with a cell for each element.
struct StepBytes {
  CacheHalf half = CacheHalf::kKey;
  std::vector<CacheElement> elements;  // in order of bytes
  std::vector<CacheElement> read;      // one read of 16 bytes
  int64_t first_byte = 0;
  StepStrip cells;
};

class StepLayout {
 public:
  void arrange(const StepScene& scene, double width);

  double height() const { return height_; }
  double line() const { return line_; }  // height of a text line
  double cell() const { return cell_; }  // width of a cell
  int64_t columns() const { return columns_; }
  const std::vector<StepText>& texts() const { return texts_; }
  const std::vector<StepBytes>& bytes() const { return bytes_; }
  const std::vector<StepMaskPicture>& masks() const { return masks_; }
  double gutter() const { return gutter_; }

  // section: 0 the batch, 1 the attention layers by configuration, 2 the cache, 3 the masks.
  double section_top(int section) const { return sections_[static_cast<size_t>(section)]; }
  double top_of(int64_t sequence) const { return tops_[static_cast<size_t>(sequence)]; }
  StepRows rows_of(const StepScene& scene, int64_t sequence) const;
  // The sequences with a part between these y: [first, end).
  std::pair<int64_t, int64_t> sequences_in(double top, double bottom) const;
  QRectF cell_of(const StepStrip& strip, int64_t column) const;
  // Visits the cells of a sequence from the line at `top` to the line at `bottom`.
  void visit(const StepScene& scene, int64_t sequence, double top, double bottom,
             const std::function<void(const StepPlace&, const QRectF&)>& visit) const;
  QRectF rect_of(const StepScene& scene, const StepPlace& place) const;
  StepPlace at(const StepScene& scene, const QPointF& point) const;

 private:
  double add_numbers(const StepScene& scene, double y);
  double add_first_calls(const StepScene& scene, double y);
  double add_layers(const StepScene& scene, double y);
  double add_cache(const StepScene& scene, double y);
  double add_masks(const StepScene& scene, double y);
  double add_text(const PictureLook& look, const QString& text, double indent, double y,
                  bool heading = false);
  double add_strip(StepStrip& strip, int64_t columns, double high, double y) const;
  StepRows rows_from(const StepScene& scene, int64_t sequence, double y, double& end) const;

  double width_ = 0, height_ = 0, line_ = 1, cell_ = 1, gap_ = 0, gutter_ = 0;
  int64_t columns_ = 1;
  std::vector<StepText> texts_;
  std::vector<StepBytes> bytes_;
  std::vector<StepMaskPicture> masks_;
  std::vector<double> tops_;  // [sequences + 1]: y of each sequence's top, and of the end
  std::array<double, 4> sections_{};
};

}  // namespace attn::gui
