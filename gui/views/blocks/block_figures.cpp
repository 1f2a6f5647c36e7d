// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/block_figures.h"

#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

QString bytes(int64_t count) {
  return format_bytes(static_cast<double>(count));
}

}  // namespace

double BlockFigures::waste_percent() const {
  return reserved_slots > 0
             ? 100.0 * static_cast<double>(wasted_slots()) / static_cast<double>(reserved_slots)
             : 0;
}

BlockFigures figures_of(const EngineSnapshot& snapshot) {
  BlockFigures figures;
  figures.total = static_cast<int64_t>(snapshot.blocks.size());
  figures.block_size = snapshot.block_size;
  for (const BlockView& block : snapshot.blocks) {
    if (block.is_cached()) ++figures.cached;
    if (block.ref_count <= 0) continue;
    ++figures.used;
    figures.filled_slots += block.filled;
    figures.table_entries += block.ref_count;
  }
  figures.reserved_slots = figures.used * snapshot.block_size;
  figures.usable = usable_blocks(snapshot);
  figures.free = figures.usable - figures.used;
  figures.head_size = snapshot.source.head_size;
  figures.cache_head_size = snapshot.cache_head_size;
  figures.bytes_per_block = figures.total > 0 ? snapshot.cache_bytes / figures.total : 0;
  figures.used_bytes = figures.bytes_per_block * figures.used;
  figures.usable_bytes = figures.bytes_per_block * figures.usable;
  figures.host_total = static_cast<int64_t>(snapshot.swap_blocks.size());
  for (const BlockView& block : snapshot.swap_blocks)
    if (block.ref_count > 0) ++figures.host_used;
  figures.max_model_len = snapshot.source.max_model_len;
  const int64_t longest =
      figures.block_size > 0 ? (figures.max_model_len + figures.block_size - 1) / figures.block_size
                             : 0;
  for (const RequestView& request : snapshot.requests) {
    if (request.on_device()) ++figures.holders;
    if (!request.own_table.blocks.empty()) figures.contiguous_blocks += longest;
    figures.contiguous_blocks += static_cast<int64_t>(request.cross_table.blocks.size());
  }
  return figures;
}

QString figures_text(const BlockFigures& f, bool brief) {
  const QString waste = format_number(f.waste_percent(), 3);
  QString more;
  if (f.saved_blocks() > 0)
    more += brief ? tr(", %1 saved").arg(format_count(f.saved_blocks()))
                  : counted(f.saved_blocks(), tr("; sharing saves 1 block"),
                            tr("; sharing saves %1 blocks"));
  if (f.cache_head_size > f.head_size && f.head_size > 0) {
    const QString factor =
        format_number(static_cast<double>(f.cache_head_size) / static_cast<double>(f.head_size), 3);
    more += brief ? tr("; padded × %1").arg(factor)
                  : tr("; head size %1 padded to %2: cache × %3")
                        .arg(f.head_size)
                        .arg(f.cache_head_size)
                        .arg(factor);
  }
  if (brief)
    return tr("%1 of %2 used, waste %3%").arg(format_count(f.used), format_count(f.usable), waste) +
           more;
  return tr("%1 of %2 blocks used, %3 of %4; waste %5 of %6 slots (%7%)")
             .arg(format_count(f.used), format_count(f.usable), bytes(f.used_bytes),
                  bytes(f.usable_bytes), format_count(f.wasted_slots()),
                  format_count(f.reserved_slots), waste) +
         more;
}

QString figures_explanation(const BlockFigures& f) {
  QString text = tr("<b>Used</b>: blocks that requests hold: %1 of %2; %3 are free. A block "
                    "takes %4 in all layers together, the used blocks %5 of %6.")
                     .arg(format_count(f.used), format_count(f.usable), format_count(f.free),
                          bytes(f.bytes_per_block), bytes(f.used_bytes), bytes(f.usable_bytes));
  const auto add = [&text](const QString& sentence) { text += QStringLiteral("<br>") + sentence; };
  if (f.usable < f.total)
    add(
        tr("<b>Null block</b>: block 0 stands in tables for blocks that left the sliding window. "
           "No request holds it, and it does not count here."));
  add(tr("<b>Waste</b> (internal fragmentation): empty slots in used blocks: %1 of %2 (%3%, %4).")
          .arg(format_count(f.wasted_slots()), format_count(f.reserved_slots),
               format_number(f.waste_percent(), 3), bytes(f.wasted_bytes())));
  add(tr("<b>Saved by sharing</b>: entries of the block tables minus the blocks that they name, "
         "without the null block: %1 - %2 = %3 blocks (%4).")
          .arg(format_count(f.table_entries), format_count(f.used), format_count(f.saved_blocks()),
               bytes(f.saved_blocks() * f.bytes_per_block)));
  add(tr("<b>Only cached</b>: free blocks whose keys and values a later request with the same "
         "prefix can use: %1 (%2).")
          .arg(format_count(f.cached), bytes(f.cached * f.bytes_per_block)));
  if (f.host_total > 0)
    add(tr("<b>Host pool</b>: blocks of host memory that hold the keys and values of swapped "
           "requests: %1 of %2.")
            .arg(format_count(f.host_used), format_count(f.host_total)));
  QString external =
      tr("<b>External fragmentation</b>: free memory that is too scattered to be used: 0, because "
         "any free block serves any request.");
  if (f.max_model_len > 0 && f.contiguous_blocks > 0)
    external +=
        QLatin1Char(' ') + tr("A cache without pages would reserve room for the longest "
                              "sequence, %1 tokens, and for the tokens of an encoder. For the "
                              "requests that hold blocks now (%2) that would be %3 blocks "
                              "instead of %4.")
                               .arg(format_count(f.max_model_len), format_count(f.holders),
                                    format_count(f.contiguous_blocks), format_count(f.used));
  add(external);
  return QStringLiteral("<qt>%1</qt>").arg(text);
}

}  // namespace attn::gui
