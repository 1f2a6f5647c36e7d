// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a comparison with and without a cache: its table, the rows computed in each step,
// and the pairs of one step as a square [query, key]. GUI thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <algorithm>
#include <optional>
#include <vector>

#include "gui/views/compare/compare_cache_model.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// The rows of one request that each run computed in a step. Null: the run computed none.
struct CacheStepRows {
  uint32_t step = 0;
  const ComputedRows *with = nullptr, *without = nullptr;
  int64_t end() const {
    return std::max(with ? with->end : int64_t{0}, without ? without->end : int64_t{0});
  }
};
// The pointers point into `result`. A step is left out if neither run computed rows of the request.
std::vector<CacheStepRows> cache_steps_of(const CacheCompareResult& result, uint32_t request);

struct CompareCacheScene {
  const CompareCacheModel* model = nullptr;
  size_t answer = 0;                  // the shown request, an index into the result's answers
  int64_t layer = 0;                  // the layer whose mask the square shows
  std::vector<CacheStepRows> steps;   // the steps of the shown request
  std::optional<size_t> chosen_step;  // index into `steps`; nullopt: the last
  QString note;                       // a warning above the table
  int row = -1;                       // the row with the keyboard cursor; -1: none
  bool focused = false;

  size_t shown_step() const {
    return std::min(chosen_step.value_or(steps.size()), steps.empty() ? 0 : steps.size() - 1);
  }
};

struct CompareCacheLayout {
  QRectF bounds, summary, note;
  double names = 0;  // width of the row names, which are above the numbers in a narrow table
  double head_top = 0, head_height = 0;
  std::vector<QRectF> rows;          // full width of the table
  std::vector<double> name_heights;  // height of names above the numbers; 0: names are at the left
  QRectF columns[2];
  QRectF legend[2];
  QRectF steps_words, steps;  // caption and cells of the picture of steps
  QRectF square_words, square;
  double height = 0;  // height of everything, px

  QRectF cell(size_t row, size_t column) const {
    const QRectF& area = rows[row];
    return {columns[column].left(), area.top() + name_heights[row], columns[column].width(),
            area.height() - name_heights[row]};
  }
};

// The pictures are beside the table in wide bounds, else below it. layout.height may be larger than
// that of the bounds.
CompareCacheLayout lay_out_cache(const CompareCacheScene& scene, const QRectF& bounds,
                                 const PictureLook& look);
void paint_compare_cache(QPainter& painter, const CompareCacheScene& scene,
                         const CompareCacheLayout& layout, const PictureLook& look);
std::optional<size_t> cache_step_at(const CompareCacheScene& scene,
                                    const CompareCacheLayout& layout, const QPointF& point);
QString cache_step_sentence(const CompareCacheScene& scene, size_t step);

}  // namespace attn::gui
