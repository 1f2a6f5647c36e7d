// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "gui/views/attention/cell_quantity.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/row_cut.h"

namespace attn::gui {
namespace {

void check_quantity(const ViewChoices& choices) {
  if (choices.quantity.empty()) return;
  for (const auto& [option, value] :
       {std::pair("--combine", choices.combine), std::pair("--keep", choices.keep)})
    if (!value.empty())
      throw_bad_input({"these two options exclude each other in the heatmap", "--quantity",
                       std::string("--quantity and ") + option, "one of them",
                       "Means, differences and kept cells are of weights."});
}

}  // namespace

ViewEntry heatmap_entry() {
  return {
      .name = "heatmap",
      .title = HeatmapView::tr("Heatmap"),
      .keys = QKeySequence(Qt::CTRL | Qt::Key_1),
      .group = ViewGroup::kAttention,
      .meaning = HeatmapView::tr("Show the heatmap"),
      .look_at = HeatmapView::tr(
          "A row is a token that reads; its large weights show which tokens it reads most."),
      .document = "heatmap.md",
      .at_start = AtStart::kNothing,
      .in_every_run = true,
      .run_order = 1,
      .options = {{.name = "--combine",
                   .fits = can_read<combination_from_word>,
                   .allowed = "head, layer-mean, mean, minus:LAYER,HEAD, minus-layer:LAYER"},
                  {.name = "--keep",
                   .fits = can_read<keep_from_word>,
                   .allowed = "1% to 99% of each row, or the least magnitude, above 0 up to 1"},
                  {.name = "--quantity",
                   .fits = can_read<quantity_from_word>,
                   .allowed = "weight, score, exp, written_value, written_output"},
                  {"--title"},
                  {"--no-title"},
                  {"--no-legend"},
                  {"--no-sums"},
                  {"--arrays"}},
      .check = check_quantity,
      .exports = {.figure = HeatmapView::tr("Figure of the heatmap…"),
                  .arrays = ArraysExport{HeatmapView::tr("Weights of layers and heads…"),
                                         HeatmapView::tr("Export the weights of layers and heads"),
                                         QStringLiteral("weights")}},
      .make = make_view<HeatmapView>};
}

}  // namespace attn::gui
