// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/block_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gui/models/event_words.h"
#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/block_moves.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kTooltipTokens = 32;

void add_place(BlockHighlight& highlight, int64_t place) {
  const auto block = static_cast<int32_t>(place);
  if (std::find(highlight.blocks.begin(), highlight.blocks.end(), block) == highlight.blocks.end())
    highlight.blocks.push_back(block);
}

void add_positions(BlockHighlight& highlight, const EngineSnapshot& snapshot,
                   const RequestView& request, TableKind kind, int64_t first, int64_t count) {
  if (first < 0 || count < 1) return;
  const int64_t step = std::max<int64_t>(1, snapshot.block_size);
  const int64_t last = std::min((first + count - 1) / step,
                                static_cast<int64_t>(request.table(kind).held().size()) - 1);
  for (int64_t logical = first / step; logical <= last; ++logical)
    if (const int64_t place = table_place(snapshot, request, kind, logical); place >= 0)
      add_place(highlight, place);
}

// Adds the blocks of the requests' own tokens that were queries in the step.
void add_step(BlockHighlight& highlight, const EngineSnapshot& snapshot,
              const std::vector<TileEvent>& tiles) {
  for (const TileEvent& tile : tiles)
    if (const RequestView* request = request_by_id(snapshot, tile.request))
      add_positions(highlight, snapshot, *request, TableKind::kOwn, tile.q_begin, tile.q_count);
}

const PrefixView* prefix_of(const EngineSnapshot& snapshot, int64_t block) {
  if (!snapshot.prefixes) return nullptr;
  const auto found = std::ranges::find(*snapshot.prefixes, block, &PrefixView::block);
  return found == snapshot.prefixes->end() ? nullptr : &*found;
}

// Such as "copied from block 3".
QString move_sentence(const EngineSnapshot& snapshot, const BlockMoved& move, int64_t place) {
  const bool arrives = move.to == place;
  const QString other = block_name(snapshot, arrives ? move.from : move.to).toLower();
  switch (move.kind) {
    case BlockMoved::Kind::kCopy:
      return arrives ? tr("copied from %1").arg(other) : tr("copied to %1").arg(other);
    case BlockMoved::Kind::kSwapOut:
    case BlockMoved::Kind::kSwapIn:
      return arrives ? tr("moved here from %1").arg(other) : tr("moved to %1").arg(other);
  }
  return {};
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
    case BlockColorBy::kHashState:
      return tr("Hash state");
    case BlockColorBy::kReader:
      return tr("Last reader");
  }
  return {};
}

QString explanation_of(BlockColorBy by) {
  switch (by) {
    case BlockColorBy::kOwner:
      return tr("A request that holds the block; several may share it.");
    case BlockColorBy::kRefCount:
      return tr("How many block tables name the block.");
    case BlockColorBy::kAge:
      return tr("Number of engine steps since the block was allocated.");
    case BlockColorBy::kLastRead:
      return tr("Number of engine steps since attention last read the block.");
    case BlockColorBy::kHashState:
      return tr(
          "Whether all slots of the block are filled, and whether the prefix cache can find it.");
    case BlockColorBy::kReader:
      return tr("The worker of the last recorded attention tile with keys of the block.");
  }
  return {};
}

HashState hash_state_of(const BlockView& block, int64_t block_size) {
  if (block.hashed) return HashState::kHashed;
  return block.filled >= block_size ? HashState::kFull : HashState::kPartial;
}

QString text_of(HashState state) {
  switch (state) {
    case HashState::kPartial:
      return tr("not full");
    case HashState::kFull:
      return tr("full, not found by its prefix");
    case HashState::kHashed:
      return tr("full, found by its prefix");
  }
  return {};
}

std::vector<TableRow> table_order(const EngineSnapshot& snapshot) {
  std::vector<TableRow> order;
  const auto add = [&](auto&& belongs) {
    for (size_t i = 0; i < snapshot.requests.size(); ++i) {
      const RequestView& request = snapshot.requests[i];
      if (!belongs(request)) continue;
      const auto before = order.size();
      for (const TableKind kind : kTableKinds)
        if (!request.table(kind).held().empty()) order.push_back({static_cast<int>(i), kind});
      if (order.size() == before) order.push_back({static_cast<int>(i), TableKind::kOwn});
    }
  };
  const auto has_none = [](const RequestView& r) { return !r.on_device() && !r.in_swap(); };
  add([](const RequestView& r) { return r.on_device(); });
  add([](const RequestView& r) { return r.in_swap(); });
  add([&](const RequestView& r) { return has_none(r) && !is_finished(r.state); });
  add([&](const RequestView& r) { return has_none(r) && is_finished(r.state); });
  return order;
}

QString table_label(const EngineSnapshot& snapshot, const TableRow& row) {
  const RequestView& request = request_of(snapshot, row);
  const QString name = request_name(snapshot, request.id);
  const bool has_both = !request.own_table.held().empty() && !request.cross_table.held().empty();
  return has_both && row.kind == TableKind::kCross ? tr("%1, encoder").arg(name) : name;
}

BlockColoring BlockColoring::make(BlockColorBy by, const EngineSnapshot& snapshot,
                                  const ReaderLog* readers) {
  BlockColoring coloring;
  coloring.by = by;
  coloring.readers = readers;
  coloring.block_size = std::max<int64_t>(1, snapshot.block_size);
  coloring.low = by == BlockColorBy::kRefCount ? 1 : 0;
  double highest = coloring.low;
  if (by == BlockColorBy::kHashState) {
    highest = static_cast<double>(HashState::kHashed);
  } else if (coloring.is_ramp()) {
    for (const BlockView& block : snapshot.blocks) {
      if (block.ref_count <= 0) continue;
      const double value = coloring.value(block, snapshot.step);
      if (value > highest) highest = value;
    }
  }
  coloring.high = std::max(highest, coloring.low + 1);
  return coloring;
}

double BlockColoring::value(const BlockView& block, uint32_t step, int64_t place) const {
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
    case BlockColorBy::kHashState:
      return static_cast<double>(hash_state_of(block, block_size));
    case BlockColorBy::kReader: {
      const BlockReader reader = readers ? readers->of(place) : BlockReader{};
      return reader.is_known() ? static_cast<double>(reader.worker()) : kNever;
    }
  }
  return kNever;
}

QColor BlockColoring::color(const BlockView& block, uint32_t step, int64_t place) const {
  const Theme& theme = Theme::instance();
  if (by == BlockColorBy::kOwner) return theme.category(block.owner);
  const double v = value(block, step, place);
  if (std::isnan(v)) return theme.colors().muted;
  if (by == BlockColorBy::kReader) return theme.category(static_cast<int64_t>(v));
  if (by == BlockColorBy::kHashState) return color_of_state(hash_state_of(block, block_size));
  const ColorScale scale{ColorScale::Kind::kLinear, low, high};
  // Small ages are bright.
  const int index = by == BlockColorBy::kRefCount ? scale.index(v) : 255 - scale.index(v);
  return QColor::fromRgb(color_table(map)[static_cast<size_t>(index)]);
}

// The colours of the three states are far apart on the map.
QColor BlockColoring::color_of_state(HashState state) const {
  constexpr std::array<size_t, 3> kPlaces{56, 144, 240};
  return QColor::fromRgb(color_table(map)[kPlaces[static_cast<size_t>(state)]]);
}

QBrush BlockColoring::brush(const BlockView& block, uint32_t step, int64_t place) const {
  if (by == BlockColorBy::kOwner) return Theme::instance().category_brush(block.owner);
  if (by == BlockColorBy::kReader)
    if (const double v = value(block, step, place); !std::isnan(v))
      return Theme::instance().category_brush(static_cast<int64_t>(v));
  return color(block, step, place);
}

QColor BlockColoring::edge(const BlockView& block, uint32_t step, int64_t place) const {
  const Theme& theme = Theme::instance();
  if (by == BlockColorBy::kOwner) {
    const auto owner = static_cast<size_t>(std::max(0, block.owner));
    if (edges_on_ != theme.colors().surface) {
      owner_edges_.clear();
      edges_on_ = theme.colors().surface;
    }
    if (owner >= owner_edges_.size()) owner_edges_.resize(owner + 1);
    if (!owner_edges_[owner].isValid()) owner_edges_[owner] = theme.category_edge(block.owner);
    return owner_edges_[owner];
  }
  const QColor inside = color(block, step, place);
  const QColor& text = theme.colors().text;
  const auto channel = [](int x, int y) { return (3 * x + y) / 4; };
  return {channel(inside.red(), text.red()), channel(inside.green(), text.green()),
          channel(inside.blue(), text.blue())};
}

const std::vector<TileEvent>& StepTiles::of(int64_t step_event,
                                            const std::vector<TraceEvent>& events,
                                            int64_t first_layer) {
  if (step_event != step_event_ || read_ > events.size()) {
    *this = {};
    step_event_ = step_event;
  }
  const TraceEvent& step = events[static_cast<size_t>(step_event)];
  // Events of several threads are not in order of time, so all are looked at.
  for (; read_ < events.size(); ++read_) {
    const TraceEvent& event = events[read_];
    if (event.kind != EventKind::kTile || event.layer < first_layer ||
        event.begin_ns < step.begin_ns || event.begin_ns > step.begin_ns + step.duration_ns)
      continue;
    const TileEvent tile = unpack_tile(event);
    if (seen_.emplace(tile.request, tile.q_begin).second) tiles_.push_back(tile);
  }
  return tiles_;
}

namespace {

BlockHighlight selected_highlight(const SelectionState& selection, int64_t shown_request,
                                  const EngineSnapshot& snapshot,
                                  const std::vector<TraceEvent>& events, StepTiles& step_tiles) {
  BlockHighlight highlight;
  highlight.request = shown_request;
  const int64_t block_size = snapshot.block_size;
  if (selection.kind == SelectionKind::kBlock) {
    const int64_t place = place_of_selection(snapshot, selection);
    if (place < 0) return highlight;
    const BlockView& block = view_at(snapshot, place);
    highlight.blocks = {static_cast<int32_t>(place)};
    highlight.primary = place;
    if (block.owner >= 0) {
      highlight.request = block.owner;
      highlight.first_token = block.logical * block_size;
      highlight.last_token = highlight.first_token + block.filled - 1;
    }
    return highlight;
  }
  // While a past step is shown, a span that begins after it lights up no blocks.
  const bool ends = snapshot.restored && snapshot.steps && !snapshot.steps->empty();
  const uint64_t until = ends ? snapshot.steps->back().end_ns : UINT64_MAX;
  const bool of_event = selection.kind == SelectionKind::kSpan && selection.event >= 0 &&
                        selection.event < static_cast<int64_t>(events.size()) &&
                        events[static_cast<size_t>(selection.event)].begin_ns < until;
  const TraceEvent* event = of_event ? &events[static_cast<size_t>(selection.event)] : nullptr;
  if (event && event->kind == EventKind::kStep) {
    add_step(highlight, snapshot,
             step_tiles.of(selection.event, events, snapshot.source.num_encoder_layers()));
    return highlight;
  }
  const RequestView* request = request_by_id(snapshot, selection.request);
  if (selection.kind == SelectionKind::kNothing || !request) return highlight;
  highlight.request = selection.request;
  // A layer of the encoder reads no block.
  const int64_t of_encoder = snapshot.source.num_encoder_layers();
  if (selection.kind == SelectionKind::kCell && selection.layer >= 0 &&
      selection.layer < of_encoder)
    return highlight;
  if (event && event->kind == EventKind::kTile && event->layer < of_encoder) return highlight;
  int64_t token = -1;
  TableKind kind = TableKind::kOwn;
  if (selection.kind == SelectionKind::kToken) token = selection.query;
  if (selection.kind == SelectionKind::kCell) {
    token = selection.key;
    kind = table_read_by(snapshot, selection.layer);
  }
  if (token >= 0) {
    add_positions(highlight, snapshot, *request, kind, token, 1);
    if (!highlight.blocks.empty()) {
      highlight.primary = highlight.blocks.front();
      highlight.first_token = highlight.last_token = token;
    }
    if (selection.kind == SelectionKind::kCell)
      add_positions(highlight, snapshot, *request, TableKind::kOwn, selection.query, 1);
  }
  if (event && event->kind == EventKind::kTile) {
    const TileEvent tile = unpack_tile(*event);
    add_positions(highlight, snapshot, *request, table_read_by(snapshot, event->layer),
                  tile.k_begin, tile.k_count);
  }
  return highlight;
}

}  // namespace

BlockHighlight highlight_of(const SelectionState& selection, int64_t shown_request,
                            const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                            StepTiles& step_tiles) {
  BlockHighlight highlight =
      selected_highlight(selection, shown_request, snapshot, events, step_tiles);
  highlight.shown = request_by_id(snapshot, shown_request) ? shown_request : highlight.request;
  return highlight;
}

int64_t place_of_pointed(const PointedState& pointed, const EngineSnapshot& snapshot) {
  const RequestView* request = request_by_id(snapshot, pointed.request);
  const int64_t token = pointed.key >= 0 ? pointed.key : pointed.query;
  if (!request || token < 0) return -1;
  BlockHighlight found;
  const bool of_encoder = pointed.key >= 0 ? pointed.of_encoder : pointed.query_of_encoder;
  add_positions(found, snapshot, *request, of_encoder ? TableKind::kCross : TableKind::kOwn, token,
                1);
  return found.blocks.empty() ? -1 : found.blocks.front();
}

const std::string* BlockTokens::text(int64_t slot) const {
  if (slot < 0 || slot >= filled) return nullptr;
  if (cached)
    return slot < static_cast<int64_t>(cached->size())
               ? &(*cached)[static_cast<size_t>(slot)].text.str()
               : nullptr;
  if (!owner || !owner->tokens_in(table)) return nullptr;
  const std::vector<TokenView>& tokens = *owner->tokens_in(table);
  const int64_t position = first + slot;
  return position < static_cast<int64_t>(tokens.size())
             ? &tokens[static_cast<size_t>(position)].text.str()
             : nullptr;
}

BlockTokens tokens_of(const EngineSnapshot& snapshot, int64_t place) {
  BlockTokens tokens;
  if (!is_place(snapshot, place)) return tokens;
  const BlockView& view = view_at(snapshot, place);
  if (view.is_cached()) {
    if (const PrefixView* prefix = prefix_of(snapshot, place)) {
      tokens.cached = prefix->tokens.get();
      tokens.first = int64_t{prefix->depth} * snapshot.block_size;
      tokens.filled = view.filled;
    }
    return tokens;
  }
  if (view.owner < 0) return tokens;
  tokens.owner = request_by_id(snapshot, view.owner);
  tokens.table = view.table();
  tokens.first = std::max<int64_t>(0, view.logical) * snapshot.block_size;
  tokens.filled = view.filled;
  return tokens;
}

std::vector<const RequestView*> holders_of(const EngineSnapshot& snapshot, int64_t place) {
  std::vector<const RequestView*> holders;
  const bool host = is_host_place(snapshot, place);
  const auto number = static_cast<int32_t>(number_at(snapshot, place));
  for (const RequestView& request : snapshot.requests) {
    const BlockTableView& view = request.table(view_at(snapshot, place).table());
    const std::vector<int32_t>& table = host ? view.swap_blocks : view.blocks;
    if (std::find(table.begin(), table.end(), number) != table.end()) holders.push_back(&request);
  }
  return holders;
}

QString block_name(const EngineSnapshot& snapshot, int64_t place) {
  const QString number = format_count(number_at(snapshot, place));
  return is_host_place(snapshot, place) ? tr("Host block %1").arg(number)
                                        : tr("Block %1").arg(number);
}

QString block_sentence(const EngineSnapshot& snapshot, int64_t place) {
  if (!is_place(snapshot, place)) return {};
  const BlockView& view = view_at(snapshot, place);
  const QString name = block_name(snapshot, place);
  if (is_null_block(snapshot, place)) return tr("%1, null block").arg(name);
  if (view.is_cached()) return tr("%1, cached prefix").arg(name);
  if (view.owner < 0) return tr("%1, free").arg(name);
  return tr("%1, %2, logical block %3, %4 of %5 slots filled")
      .arg(name, request_name(snapshot, view.owner))
      .arg(view.logical)
      .arg(view.filled)
      .arg(snapshot.block_size);
}

namespace {

using Row = std::pair<QString, QString>;

QString step_text(uint32_t step) {
  return step == 0 ? tr("never") : tr("step %1").arg(step);
}

void add_owner_rows(std::vector<Row>& rows, const EngineSnapshot& snapshot, int64_t place) {
  const BlockView& view = view_at(snapshot, place);
  const bool host = is_host_place(snapshot, place);
  QString owners = request_name(snapshot, view.owner);
  if (view.ref_count > 1)
    for (const RequestView* request : holders_of(snapshot, place))
      if (static_cast<int64_t>(request->id) != view.owner)
        owners += QStringLiteral(", ") + request_name(snapshot, request->id);
  rows.emplace_back(view.ref_count > 1 ? tr("Shared by") : tr("Owner"), owners);
  rows.emplace_back(tr("Logical block"),
                    view.cross ? tr("%1 of the encoder").arg(format_count(view.logical))
                               : format_count(view.logical));
  rows.emplace_back(tr("Slots filled"), tr("%1 of %2").arg(view.filled).arg(snapshot.block_size));
  rows.emplace_back(tr("References"), format_count(view.ref_count));
  if (!host) rows.emplace_back(tr("Hash state"), text_of(hash_state_of(view, snapshot.block_size)));
  rows.emplace_back(host ? tr("Swapped out") : tr("Taken"), step_text(view.allocated_step));
}

void add_use_rows(std::vector<Row>& rows, const EngineSnapshot& snapshot, int64_t place,
                  const ReaderLog* readers) {
  const BlockView& view = view_at(snapshot, place);
  const bool free = view.owner < 0 && !view.is_cached();
  if (!is_host_place(snapshot, place) && !free) {
    rows.emplace_back(tr("Last read"), step_text(view.last_read_step));
    const BlockReader reader = readers ? readers->of(place) : BlockReader{};
    if (reader.is_known())
      rows.emplace_back(tr("Last reader"), tr("worker %1, for %2, layer %3, %4")
                                               .arg(reader.worker())
                                               .arg(request_name(snapshot, reader.request))
                                               .arg(reader.layer)
                                               .arg(head_words(reader.head, reader.heads)));
    rows.emplace_back(tr("Last written"), step_text(view.last_write_step));
  }
  for (const BlockMoved& move : moves_of(snapshot))
    if (move.from == place || move.to == place)
      rows.emplace_back(tr("In this step"), move_sentence(snapshot, move, place));
}

}  // namespace

QString block_tooltip(const EngineSnapshot& snapshot, int64_t place, const ReaderLog* readers) {
  if (!is_place(snapshot, place)) return {};
  const BlockView& view = view_at(snapshot, place);
  std::vector<Row> rows;
  QString title = block_name(snapshot, place);
  if (is_null_block(snapshot, place)) {
    title += tr(
        ": the null block; block tables name it in place of blocks that left the sliding window");
  } else if (view.is_cached()) {
    title += tr(": cached; a prompt with the same beginning can use it until it is evicted");
  } else if (view.owner < 0) {
    title += tr(": free");
  } else {
    add_owner_rows(rows, snapshot, place);
  }
  add_use_rows(rows, snapshot, place, readers);
  QString texts;
  const BlockTokens tokens = tokens_of(snapshot, place);
  if (tokens.filled > 0) {
    rows.emplace_back(tr("Tokens"), tr("%1 to %2")
                                        .arg(format_count(tokens.first),
                                             format_count(tokens.first + tokens.filled - 1)));
    for (int64_t slot = 0; slot < std::min(tokens.filled, kTooltipTokens); ++slot)
      if (const std::string* text = tokens.text(slot)) texts += token_text(*text).shown;
    if (tokens.filled > kTooltipTokens) texts += QStringLiteral("…");
  }
  QString html = QStringLiteral("<qt><b>%1</b><table cellspacing='0' cellpadding='1'>")
                     .arg(title.toHtmlEscaped());
  for (const auto& [name, value] : rows)
    html += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
  html += QStringLiteral("</table>");
  if (!texts.isEmpty())
    html += QStringLiteral("<p style='margin-top:4px'>%1</p>").arg(texts.toHtmlEscaped());
  return html + QStringLiteral("</qt>");
}

}  // namespace attn::gui
