// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/block_facts.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "gui/theme/theme.h"
#include "gui/widgets/ticks.h"
#include "gui/widgets/token_label.h"

namespace attn::gui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Blocks", text);
}

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kTooltipTokens = 32;  // texts listed in a tooltip at most

bool valid(const EngineSnapshot& snapshot, int64_t block) {
  return block >= 0 && block < static_cast<int64_t>(snapshot.blocks.size());
}

void add_block(BlockHighlight& highlight, int32_t block) {
  if (std::find(highlight.blocks.begin(), highlight.blocks.end(), block) == highlight.blocks.end())
    highlight.blocks.push_back(block);
}

// The physical block of a token position, -1 when the request holds none there.
int32_t block_of(const RequestView& request, int64_t position, int64_t block_size) {
  const int64_t logical = position / std::max<int64_t>(1, block_size);
  if (position < 0 || logical >= static_cast<int64_t>(request.blocks.size())) return -1;
  return request.blocks[static_cast<size_t>(logical)];
}

void add_positions(BlockHighlight& highlight, const RequestView& request, int64_t first,
                   int64_t count, int64_t block_size) {
  if (first < 0 || count < 1) return;
  const int64_t step = std::max<int64_t>(1, block_size);
  for (int64_t logical = first / step; logical <= (first + count - 1) / step; ++logical) {
    const int32_t block = block_of(request, logical * step, step);
    if (block < 0) break;
    add_block(highlight, block);
  }
}

// The blocks that a step's queries lie in: what it wrote, over all its tiles. Events of several
// lanes are not in order of time, so all are looked at.
void add_step(BlockHighlight& highlight, const EngineSnapshot& snapshot, const TraceEvent& step,
              const std::vector<TraceEvent>& events) {
  std::set<std::pair<uint32_t, uint32_t>> done;  // request, first query
  for (const TraceEvent& event : events) {
    if (event.kind != EventKind::kTile || event.begin_ns < step.begin_ns ||
        event.begin_ns > step.begin_ns + step.duration_ns)
      continue;
    const TileEvent tile = unpack_tile(event);
    if (!done.emplace(tile.request, tile.q_begin).second) continue;
    if (const RequestView* request = request_by_id(snapshot, tile.request))
      add_positions(highlight, *request, tile.q_begin, tile.q_count, snapshot.block_size);
  }
}

}  // namespace

QString text_of(BlockColorBy by) {
  switch (by) {
    case BlockColorBy::kOwner:
      return tr("Owner");
    case BlockColorBy::kRefCount:
      return tr("References");
    case BlockColorBy::kAge:
      return tr("Age");
    case BlockColorBy::kLastRead:
      return tr("Last read");
  }
  return {};
}

QString explanation_of(BlockColorBy by) {
  switch (by) {
    case BlockColorBy::kOwner:
      return tr("Each request has its own colour.");
    case BlockColorBy::kRefCount:
      return tr("How many block tables hold the block.");
    case BlockColorBy::kAge:
      return tr("Engine steps since the block was taken from the free list.");
    case BlockColorBy::kLastRead:
      return tr("Engine steps since attention last read the block.");
  }
  return {};
}

double BlockFigures::waste_percent() const {
  return reserved_slots > 0
             ? 100.0 * static_cast<double>(wasted_slots()) / static_cast<double>(reserved_slots)
             : 0;
}

BlockFigures figures_of(const EngineSnapshot& snapshot) {
  BlockFigures figures;
  figures.total = static_cast<int64_t>(snapshot.blocks.size());
  for (const BlockView& block : snapshot.blocks) {
    if (block.ref_count <= 0) continue;
    ++figures.used;
    figures.reserved_slots += snapshot.block_size;
    figures.filled_slots += block.filled;
  }
  figures.free = figures.total - figures.used;
  figures.total_bytes = snapshot.cache_bytes;
  figures.head_size = snapshot.source.head_size;
  figures.cache_head_size = snapshot.cache_head_size;
  figures.bytes_per_block = figures.total > 0 ? snapshot.cache_bytes / figures.total : 0;
  figures.used_bytes = figures.bytes_per_block * figures.used;
  return figures;
}

QString figures_text(const BlockFigures& f, bool brief) {
  const QString waste = format_number(f.waste_percent(), 3);
  QString padded;
  if (f.cache_head_size > f.head_size && f.head_size > 0) {
    const QString factor =
        format_number(static_cast<double>(f.cache_head_size) / static_cast<double>(f.head_size), 3);
    padded = brief ? tr("; padded × %1").arg(factor)
                   : tr("; heads of %1 kept as %2: cache × %3")
                         .arg(f.head_size)
                         .arg(f.cache_head_size)
                         .arg(factor);
  }
  if (brief)
    return tr("%1 of %2 used, waste %3%").arg(format_count(f.used), format_count(f.total), waste) +
           padded;
  return tr("%1 of %2 blocks used, %3 of %4; waste %5 of %6 slots (%7%)")
             .arg(format_count(f.used), format_count(f.total),
                  format_bytes(static_cast<double>(f.used_bytes)),
                  format_bytes(static_cast<double>(f.total_bytes)), format_count(f.wasted_slots()),
                  format_count(f.reserved_slots), waste) +
         padded;
}

QString figures_explanation(const BlockFigures& f) {
  return tr("<qt><b>Used</b>: %1 of %2 blocks; %3 are free. A block takes %4 in all layers, so the "
            "used ones hold %5 of %6."
            "<br><b>Waste</b>: slots that a request reserved but has not filled: %7 of %8. Only "
            "the last block of a "
            "request can have them, so small blocks waste less.</qt>")
      .arg(format_count(f.used), format_count(f.total), format_count(f.free),
           format_bytes(static_cast<double>(f.bytes_per_block)),
           format_bytes(static_cast<double>(f.used_bytes)),
           format_bytes(static_cast<double>(f.total_bytes)), format_count(f.wasted_slots()),
           format_count(f.reserved_slots));
}

std::vector<int> table_order(const EngineSnapshot& snapshot) {
  std::vector<int> order;
  const auto add = [&](auto&& belongs) {
    for (size_t i = 0; i < snapshot.requests.size(); ++i)
      if (belongs(snapshot.requests[i])) order.push_back(static_cast<int>(i));
  };
  add([](const RequestView& r) { return !r.blocks.empty(); });
  add([](const RequestView& r) { return r.blocks.empty() && !is_finished(r.state); });
  add([](const RequestView& r) { return r.blocks.empty() && is_finished(r.state); });
  return order;
}

const RequestView* request_by_id(const EngineSnapshot& snapshot, int64_t request) {
  // Ids count from 0 in order of arrival, so the place is nearly always known.
  const auto guess = static_cast<size_t>(std::max<int64_t>(0, request));
  if (guess < snapshot.requests.size() &&
      static_cast<int64_t>(snapshot.requests[guess].id) == request)
    return &snapshot.requests[guess];
  for (const RequestView& r : snapshot.requests)
    if (static_cast<int64_t>(r.id) == request) return &r;
  return nullptr;
}

QString request_label(const EngineSnapshot& snapshot, int64_t request) {
  const RequestView* view = request_by_id(snapshot, request);
  if (view && !view->name.empty()) return QString::fromStdString(view->name);
  return tr("request %1").arg(request);
}

BlockColoring BlockColoring::make(BlockColorBy by, const EngineSnapshot& snapshot) {
  BlockColoring coloring;
  coloring.by = by;
  coloring.low = by == BlockColorBy::kRefCount ? 1 : 0;
  double highest = coloring.low;
  if (by != BlockColorBy::kOwner) {
    for (const BlockView& block : snapshot.blocks) {
      if (block.ref_count <= 0) continue;
      const double value = coloring.value(block, snapshot.step);
      if (value > highest) highest = value;
    }
  }
  coloring.high = std::max(highest, coloring.low + 1);
  return coloring;
}

double BlockColoring::value(const BlockView& block, uint32_t step) const {
  switch (by) {
    case BlockColorBy::kOwner:
      return static_cast<double>(block.owner);
    case BlockColorBy::kRefCount:
      return static_cast<double>(block.ref_count);
    case BlockColorBy::kAge:
      return step >= block.allocated_step ? static_cast<double>(step - block.allocated_step) : 0;
    case BlockColorBy::kLastRead:
      if (block.last_read_step == 0) return kNever;
      return step >= block.last_read_step ? static_cast<double>(step - block.last_read_step) : 0;
  }
  return kNever;
}

QColor BlockColoring::color(const BlockView& block, uint32_t step) const {
  if (by == BlockColorBy::kOwner) return Theme::instance().category(block.owner);
  const double v = value(block, step);
  if (std::isnan(v)) return Theme::instance().colors().muted;
  const ColorScale scale{ColorScale::Kind::kLinear, low, high};
  // The newest is the brightest: what happens now catches the eye.
  const int index = by == BlockColorBy::kRefCount ? scale.index(v) : 255 - scale.index(v);
  return QColor::fromRgb(color_table(map)[static_cast<size_t>(index)]);
}

QBrush BlockColoring::brush(const BlockView& block, uint32_t step) const {
  if (by == BlockColorBy::kOwner) return Theme::instance().category_brush(block.owner);
  return color(block, step);
}

BlockHighlight highlight_of(const SelectionState& selection, int64_t shown_request,
                            const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events) {
  BlockHighlight highlight;
  highlight.request = shown_request;
  const int64_t block_size = snapshot.block_size;
  if (selection.kind == SelectionKind::kBlock) {
    if (!valid(snapshot, selection.block)) return highlight;
    const BlockView& block = snapshot.blocks[static_cast<size_t>(selection.block)];
    highlight.blocks = {static_cast<int32_t>(selection.block)};
    highlight.primary = selection.block;
    if (block.owner >= 0) {
      highlight.request = block.owner;
      highlight.first_token = block.logical * block_size;
      highlight.last_token = highlight.first_token + block.filled - 1;
    }
    return highlight;
  }
  const bool of_event = selection.kind == SelectionKind::kSpan && selection.event >= 0 &&
                        selection.event < static_cast<int64_t>(events.size());
  const TraceEvent* event = of_event ? &events[static_cast<size_t>(selection.event)] : nullptr;
  if (event && event->kind == EventKind::kStep) {
    add_step(highlight, snapshot, *event, events);
    return highlight;
  }
  const RequestView* request = request_by_id(snapshot, selection.request);
  if (selection.kind == SelectionKind::kNothing || !request) return highlight;
  highlight.request = selection.request;
  int64_t token = -1;
  if (selection.kind == SelectionKind::kToken) token = selection.query;
  if (selection.kind == SelectionKind::kCell) token = selection.key;
  if (token >= 0) {
    add_positions(highlight, *request, token, 1, block_size);
    if (!highlight.blocks.empty()) {
      highlight.primary = highlight.blocks.front();
      highlight.first_token = highlight.last_token = token;
    }
    if (selection.kind == SelectionKind::kCell)
      add_positions(highlight, *request, selection.query, 1, block_size);
  }
  if (event && event->kind == EventKind::kTile) {
    const TileEvent tile = unpack_tile(*event);
    add_positions(highlight, *request, tile.k_begin, tile.k_count, block_size);
  }
  return highlight;
}

const std::string* BlockTokens::text(int64_t slot) const {
  if (!owner || !owner->tokens || slot < 0 || slot >= filled) return nullptr;
  const int64_t position = first + slot;
  if (position >= static_cast<int64_t>(owner->tokens->size())) return nullptr;
  return &(*owner->tokens)[static_cast<size_t>(position)].text;
}

BlockTokens tokens_of(const EngineSnapshot& snapshot, int64_t block) {
  BlockTokens tokens;
  if (!valid(snapshot, block)) return tokens;
  const BlockView& view = snapshot.blocks[static_cast<size_t>(block)];
  if (view.owner < 0) return tokens;
  tokens.owner = request_by_id(snapshot, view.owner);
  tokens.first = std::max<int64_t>(0, view.logical) * snapshot.block_size;
  tokens.filled = view.filled;
  return tokens;
}

QString block_sentence(const EngineSnapshot& snapshot, int64_t block) {
  if (!valid(snapshot, block)) return {};
  const BlockView& view = snapshot.blocks[static_cast<size_t>(block)];
  if (is_null_block(snapshot, block)) return tr("Block %1, null block").arg(block);
  if (view.is_cached()) return tr("Block %1, cached prefix").arg(block);
  if (view.owner < 0) return tr("Block %1, free").arg(block);
  return tr("Block %1, %2, logical block %3, %4 of %5 slots filled")
      .arg(block)
      .arg(request_label(snapshot, view.owner))
      .arg(view.logical)
      .arg(view.filled)
      .arg(snapshot.block_size);
}

QString block_tooltip(const EngineSnapshot& snapshot, int64_t block) {
  if (!valid(snapshot, block)) return {};
  const BlockView& view = snapshot.blocks[static_cast<size_t>(block)];
  QString rows;
  const auto add = [&rows](const QString& name, const QString& value) {
    rows += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
  };
  const auto step_text = [](uint32_t step) {
    return step == 0 ? tr("never") : tr("step %1").arg(step);
  };
  QString title = tr("Block %1").arg(format_count(block));
  if (is_null_block(snapshot, block)) {
    title += tr(": stands for blocks that left the window");
  } else if (view.is_cached()) {
    title += tr(": cached, found by its prefix until it is evicted");
  } else if (view.owner < 0) {
    title += tr(": free");
  } else {
    QString owners = request_label(snapshot, view.owner);
    if (view.ref_count > 1) {
      for (const RequestView& request : snapshot.requests) {
        const bool holds =
            std::find(request.blocks.begin(), request.blocks.end(), block) != request.blocks.end();
        if (holds && static_cast<int64_t>(request.id) != view.owner)
          owners += QStringLiteral(", ") + request_label(snapshot, request.id);
      }
    }
    add(view.ref_count > 1 ? tr("Shared by") : tr("Owner"), owners);
    add(tr("Logical block"), format_count(view.logical));
    add(tr("Slots filled"), tr("%1 of %2").arg(view.filled).arg(snapshot.block_size));
    add(tr("References"), format_count(view.ref_count));
    add(tr("Taken"), step_text(view.allocated_step));
  }
  add(tr("Last read"), step_text(view.last_read_step));
  add(tr("Last written"), step_text(view.last_write_step));
  QString texts;
  const BlockTokens tokens = tokens_of(snapshot, block);
  if (tokens.filled > 0) {
    add(tr("Tokens"),
        tr("%1 to %2")
            .arg(format_count(tokens.first), format_count(tokens.first + tokens.filled - 1)));
    for (int64_t slot = 0; slot < std::min(tokens.filled, kTooltipTokens); ++slot)
      if (const std::string* text = tokens.text(slot)) texts += token_text(*text).shown;
    if (tokens.filled > kTooltipTokens) texts += QStringLiteral("…");
  }
  QString html = QStringLiteral("<qt><b>%1</b><table cellspacing='0' cellpadding='1'>%2</table>")
                     .arg(title.toHtmlEscaped(), rows);
  if (!texts.isEmpty())
    html += QStringLiteral("<p style='margin-top:4px'>%1</p>").arg(texts.toHtmlEscaped());
  return html + QStringLiteral("</qt>");
}

}  // namespace attn::gui
