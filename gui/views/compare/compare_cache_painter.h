// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a comparison with and without a cache: the table of sums and, beside or below it, two
// pictures of one request. The first has a column per step, and in it the rows that the step
// computed: the new ones with a cache, all of them without. The second has the pairs of one step as
// a square [query, key]. What the cache saves is pale. The screen and the exported files share
// this. GUI thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <algorithm>
#include <optional>
#include <vector>

#include "gui/views/compare/compare_cache_model.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// What both runs computed of one request in the same step. Null: that run computed nothing of it,
// for example because the request had ended.
struct CacheStepRows {
  uint32_t step = 0;
  const ComputedRows *with = nullptr, *without = nullptr;
  int64_t end() const {
    return std::max(with ? with->end : int64_t{0}, without ? without->end : int64_t{0});
  }
};
// Points into the result. Steps in which the request had no rows are left out.
std::vector<CacheStepRows> cache_steps_of(const CacheCompareResult& result, uint32_t request);

struct CompareCacheScene {
  const CompareCacheModel* model = nullptr;
  size_t answer = 0;                  // index of the request that the pictures show
  int64_t layer = 0;                  // whose mask the second picture shows
  std::vector<CacheStepRows> steps;   // of that request
  std::optional<size_t> chosen_step;  // index into `steps`; none: the last
  QString note;                       // a warning above the table
  int row = -1;                       // of the keyboard cursor
  bool focused = false;

  size_t shown_step() const {
    return std::min(chosen_step.value_or(steps.size()), steps.empty() ? 0 : steps.size() - 1);
  }
};

struct CompareCacheLayout {
  QRectF bounds, summary, note;
  double names = 0;  // width of the row names; in a narrow table they stand above the numbers
  double head_top = 0, head_height = 0;
  std::vector<QRectF> rows;          // full width of the table
  std::vector<double> name_heights;  // of the names above the numbers of each row; else 0
  QRectF columns[2];                 // each from its head to the last row
  QRectF legend[2];
  QRectF steps_words, steps;  // words above the picture; its cells
  QRectF square_words, square;
  double height = 0;  // height of everything, px

  QRectF cell(size_t row, size_t column) const {
    const QRectF& area = rows[row];
    return {columns[column].left(), area.top() + name_heights[row], columns[column].width(),
            area.height() - name_heights[row]};
  }
};

// The pictures are to the right of the table if there is room, else below it. What does not fit
// makes layout.height larger than bounds.
CompareCacheLayout lay_out_cache(const CompareCacheScene& scene, const QRectF& bounds,
                                 const PictureLook& look);
void paint_compare_cache(QPainter& painter, const CompareCacheScene& scene,
                         const CompareCacheLayout& layout, const PictureLook& look);
// Index of the step whose column is at a point.
std::optional<size_t> cache_step_at(const CompareCacheScene& scene,
                                    const CompareCacheLayout& layout, const QPointF& point);
// "Step 12: with a cache 1 row and 45 pairs per head, without 45 rows and 1,035 pairs."
QString cache_step_sentence(const CompareCacheScene& scene, size_t step);

}  // namespace attn::gui
