// SPDX-License-Identifier: GPL-3.0-or-later
// BlocksView::tour(): the stops of "What am I looking at?".
#include <algorithm>

#include "gui/models/words/request_words.h"
#include "gui/views/blocks/block_figures.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

QString percent_of(int64_t part, int64_t whole) {
  return format_number(
      whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0, 3);
}

int64_t first_held(const BlocksScene& scene) {
  for (size_t row = 0; row < scene.order.size(); ++row) {
    const RequestView& request = request_of(*scene.snapshot, scene.order[row]);
    if (!request.table(scene.order[row].kind).blocks.empty()) return static_cast<int64_t>(row);
  }
  return -1;
}

}  // namespace

Tour BlocksView::tour() const {
  Tour tour(*this);
  const BlocksScene& scene = canvas_->scene();
  if (!scene.snapshot || scene.snapshot->blocks.empty()) {
    tour.nothing(
        tr("There is no cache to show. Open a scenario that generates text, and press Space."));
    return tour;
  }
  const EngineSnapshot& snapshot = *scene.snapshot;
  const BlockFigures figures = figures_of(snapshot);
  if (scene.grid_shown())
    tour.stop(*canvas_, scene.grid.area(), tr("The cache as blocks"),
              tr("The cache has %1 blocks of %2 slots; a slot is for the keys and values of one "
                 "token. After step %3, %4 blocks are in use: %5% of those that requests can hold.")
                  .arg(format_count(figures.total), format_count(figures.block_size),
                       format_count(snapshot.step), format_count(figures.used),
                       percent_of(figures.used, figures.usable)));

  if (const int64_t row = first_held(scene); row >= 0) {
    const TableRow& entry = scene.order[static_cast<size_t>(row)];
    const std::vector<int32_t>& table = request_of(snapshot, entry).table(entry.kind).blocks;
    const QString name = table_label(snapshot, entry);
    const int64_t last = static_cast<int64_t>(table.size()) - 1;
    const int64_t place = table[static_cast<size_t>(last)];
    // Blocks that left the sliding window are not counted.
    const int64_t held = std::ranges::count_if(table, [&snapshot](int32_t block) {
      return block >= 0 && !is_null_block(snapshot, block);
    });
    if (scene.show_tables)
      tour.stop(*canvas_, scene.tables.row_rect(row) & scene.tables.area, tr("A block table"),
                tr("“%1” holds %2. The number in cell j of its table is the physical block of its "
                   "logical block j.")
                    .arg(name, counted(held, tr("1 block"), tr("%1 blocks"))));
    if (place >= 0 && !is_null_block(snapshot, place)) {
      const BlockView& block = snapshot.blocks[static_cast<size_t>(place)];
      if (scene.grid_shown())
        tour.stop(*canvas_, scene.grid.rect_of(place) & scene.grid.area(), tr("One block"),
                  tr("This is block %1, the last of “%2”: %3 of its %4 slots are filled. The "
                     "block was taken in step %5. Click the block to select it.")
                      .arg(format_count(place), name, format_count(block.filled),
                           format_count(figures.block_size), format_count(block.allocated_step)));
      if (scene.show_tables)
        tour.stop(
            *canvas_, scene.tables.cell_rect(row, last) & scene.tables.body(), tr("Empty slots"),
            tr("The last block of a sequence may have empty slots. Of the %1 slots of the blocks "
               "in use %2 are empty, %3%.")
                .arg(format_count(figures.reserved_slots), format_count(figures.wasted_slots()),
                     format_number(figures.waste_percent(), 3)));
    }
  }
  const auto is_free = [&](const BlockView& block) {
    return block.ref_count == 0 && !block.is_cached() &&
           !is_null_block(snapshot, &block - snapshot.blocks.data());
  };
  if (const auto free = std::ranges::find_if(snapshot.blocks, is_free);
      free != snapshot.blocks.end() && scene.grid_shown())
    tour.stop(*canvas_, scene.grid.rect_of(free - snapshot.blocks.begin()) & scene.grid.area(),
              tr("A free block"),
              tr("%1 blocks are free. A request can take them when it needs room for more tokens.")
                  .arg(format_count(figures.free)));
  if (scene.tree_shown() && !scene.tree.nodes().empty())
    tour.stop(*canvas_, scene.prefixes.area(), tr("Known beginnings"),
              tr("The tree shows the beginnings of sequences that the cache knows. A prompt that "
                 "begins in the same way can use the cached blocks again. Blocks that are kept "
                 "only for that: %1. Blocks that sharing saves now: %2.")
                  .arg(format_count(figures.cached), format_count(figures.saved_blocks())));
  if (scene.has_host() && scene.grid_shown())
    tour.stop(*canvas_, scene.host.area(), tr("The swap pool"),
              tr("Requests that were swapped out keep their keys and values here, in the memory of "
                 "the host: %1 of %2 blocks are in use.")
                  .arg(format_count(figures.host_used), format_count(figures.host_total)));
  if (!scene.legend.isEmpty())
    tour.stop(*canvas_, scene.legend, tr("What the colours say"),
              tr("Colours show: %1. %2 Another meaning can be chosen in the header.")
                  .arg(text_of(scene.coloring.by), explanation_of(scene.coloring.by)));
  return tour;
}

}  // namespace attn::gui
