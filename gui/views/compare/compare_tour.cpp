// SPDX-License-Identifier: GPL-3.0-or-later
// CompareView::tour(): the stops of "What am I looking at?".
#include "gui/views/compare/compare_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

std::optional<size_t> row_of(const CompareModel& model, CompareModel::Quantity quantity) {
  for (size_t row = 0; row < model.rows().size(); ++row)
    if (model.rows()[row].quantity == quantity) return row;
  return std::nullopt;
}

}  // namespace

void CompareView::add_backend_stops(Tour& tour) const {
  const CompareResult& result = *model_.result();
  const CompareLayout& layout = canvas_->canvas_layout();
  QStringList names;
  for (const CompareColumn& column : result.columns)
    names += QString::fromStdString(column.display_name);
  tour.stop(*pages_, tr("The same work, computed in several ways"),
            tr("A column is a backend, or a backend with one value of an option: %1. The "
               "backends that ran got the same queries, keys and values in %2 steps with %3 "
               "tokens.")
                .arg(names.join(QStringLiteral(", ")), format_count(result.steps),
                     format_count(result.tokens)));
  const auto at = std::ranges::find_if(result.columns, [](const CompareColumn& column) {
    return column.ran() && !column.is_baseline;
  });
  if (at == result.columns.end()) return;
  const auto column = static_cast<size_t>(at - result.columns.begin());
  const QString name = QString::fromStdString(at->display_name);
  if (const auto row = row_of(model_, CompareModel::Quantity::kOutAbs))
    tour.stop(
        *canvas_, layout.cell(*row, column), tr("How far apart"),
        tr("The largest difference of an output of %1 from %2 is %3, among %4 numbers. Rounding "
           "alone can cause small differences.")
            .arg(name, QString::fromStdString(result.baseline),
                 CompareModel::difference_text(at->out.max_abs), format_count(at->out.compared)));
  if (const auto row = row_of(model_, CompareModel::Quantity::kOutside))
    tour.stop(*canvas_, layout.cell(*row, column), tr("Near enough?"),
              tr("Number of outputs of %2 outside the tolerance: %1. 0 means that the results "
                 "agree with the baseline within the tolerance.")
                  .arg(format_count(at->out.outside), name));
  if (const auto row = row_of(model_, CompareModel::Quantity::kTime))
    tour.stop(*canvas_, layout.cell(*row, column), tr("How long it took"),
              tr("%1 took %2 for %3 attention calls. %4")
                  .arg(name, format_duration_ns(static_cast<double>(at->total.ns)),
                       format_count(at->calls),
                       result.modelled_time ? tr("The time comes from a cost model.")
                       : result.repetitions > 1
                           ? tr("The time is the median of %1 runs measured on this computer.")
                                 .arg(result.repetitions)
                           : tr("The time was measured on this computer.")));
  if (const auto row = row_of(model_, CompareModel::Quantity::kTiles); row && at->tiles > 0)
    tour.stop(*canvas_, layout.rows[*row], tr("How it was cut"),
              tr("Backends cut the work into tiles of their own sizes: %1 needed %2.")
                  .arg(name, format_count(at->tiles)));
  if (column < layout.maps.size() && column < canvas_->scene().maps.size())
    tour.stop(*canvas_, layout.maps[column], tr("Where they differ"),
              tr("The map shows the differences cell by cell for one request. The colours go up "
                 "to the largest difference of the map, %1.")
                  .arg(CompareModel::difference_text(
                      static_cast<double>(canvas_->scene().maps[column].max_abs))));
}

void CompareView::add_cache_stops(Tour& tour) const {
  const CacheCompareResult& result = *cache_model_.result();
  const CompareCacheLayout& layout = cache_canvas_->canvas_layout();
  const auto percent = [](int64_t part, int64_t whole) {
    return format_number(
        whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0, 3);
  };
  tour.stop(*pages_, tr("With and without a cache"),
            tr("The scenario was run twice: with the KV cache, and without it, where each of %1 "
               "steps computes its sequences from the beginning. The text should be the same.")
                .arg(format_count(static_cast<int64_t>(result.without_cache.steps.size()))));
  tour.stop(
      *cache_canvas_, layout.columns[0].united(layout.columns[1]), tr("What it costs"),
      tr("With the cache %1 rows went through the model, without it %2. The pairs of query and "
         "key are %3 and %4: the cache leaves %5% of them.")
          .arg(format_count(result.with_cache.tokens), format_count(result.without_cache.tokens),
               format_count(result.with_cache.pairs), format_count(result.without_cache.pairs),
               percent(result.with_cache.pairs, result.without_cache.pairs)));
  tour.stop(*cache_canvas_, layout.steps, tr("Step by step"),
            tr("A column shows which rows of one request a step computed. The step computed the "
               "pale part only without the cache."));
  tour.stop(*cache_canvas_, layout.square, tr("The pairs of one step"),
            tr("A cell is a query and a key of the chosen step. Cells in the strong colour were "
               "computed in both runs in this step, pale ones only without the cache."));
}

Tour CompareView::tour() const {
  Tour tour(*this);
  if (!has_result()) {
    tour.nothing(job_.state() != CompareJob::State::kIdle
                     ? tr("The comparison is being computed. The tour begins when it is done.")
                     : tr("Nothing has been compared yet. Press Compare in the header to run the "
                          "scenario again, by several backends or with and without a cache."));
    return tour;
  }
  if (what() == What::kCache)
    add_cache_stops(tour);
  else
    add_backend_stops(tour);
  tour.stop(*what_, tr("What is compared"),
            tr("Choose what is compared: backends, or the run with and without a cache. The run in "
               "the other views stays as it is."));
  return tour;
}

}  // namespace attn::gui
