// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_content.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/views/inspector/inspector_chain.h"
#include "gui/views/inspector/inspector_free_block.h"
#include "gui/views/inspector/inspector_row.h"
#include "gui/views/inspector/inspector_span.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

constexpr size_t kMostRead = 8;  // most entries of a list of weights

const TokenView* token_at(const RequestView& request, int64_t position) {
  if (!request.tokens || position < 0 || position >= static_cast<int64_t>(request.tokens->size()))
    return nullptr;
  return &(*request.tokens)[static_cast<size_t>(position)];
}

const TokenView* key_at(const RequestView& request, TableKind kind, int64_t position) {
  const auto& keys = request.tokens_in(kind);
  return keys && position >= 0 && position < static_cast<int64_t>(keys->size())
             ? &(*keys)[static_cast<size_t>(position)]
             : nullptr;
}

TableKind kind_read_by(const EngineSnapshot& snapshot, int64_t layer) {
  return snapshot.rules && snapshot.rules->of(layer).cross ? TableKind::kCross : TableKind::kOwn;
}

bool caches_own(const EngineSnapshot& snapshot) {
  return !snapshot.rules || std::ranges::any_of(snapshot.rules->list(), [](const WeightRule& rule) {
    return !rule.cross && !rule.encoder;
  });
}

QString named(const TokenView* token, int64_t position) {
  return token ? QStringLiteral("%1 %2").arg(position).arg(quoted_token(token->text))
               : QString::number(position);
}
QString named_token(const RequestView& request, int64_t position) {
  return named(token_at(request, position), position);
}

// "2 (0..5)"
QString index_of(int64_t index, int64_t count) {
  return tr("%1 (0..%2)").arg(index).arg(count - 1);
}

// The record of a restored snapshot may hold later rows than the snapshot.
int64_t num_rows(const EngineSnapshot& snapshot, const RequestView& request) {
  const int64_t rows = request.attention->num_rows();
  return snapshot.restored ? std::min(rows, request.num_computed) : rows;
}

bool row_done(const EngineSnapshot& snapshot, const RequestView& request, int64_t layer,
              int64_t head, int64_t query) {
  return query < num_rows(snapshot, request) && request.attention->row_done(layer, head, query);
}

QString not_computed(const EngineSnapshot& snapshot, const RequestView& request, int64_t query) {
  if (query < tokens_without_query(snapshot, request))
    return tr("Not computed: the token is %1.").arg(given_words());
  return snapshot.restored ? tr("Not computed at step %1.").arg(snapshot.step)
                           : tr("Not computed.");
}

void add_place(InspectorContent& out, const EngineSnapshot& snapshot, const RequestView& request,
               TableKind kind, int64_t position) {
  const BlockTableView& table = request.table(kind);
  const std::vector<int32_t>& blocks = table.held();
  const int64_t size = snapshot.block_size;
  const auto logical = size > 0 ? static_cast<size_t>(position / size) : 0;
  if (size <= 0 || logical >= blocks.size()) {
    out.row(tr("block"),
            is_finished(request.state) ? tr("none: the request has ended") : tr("none now"));
    return;
  }
  const int64_t block = blocks[logical];
  if (block < 0) {
    out.row(tr("block"), tr("given back: it left the sliding window"));
    return;
  }
  if (!table.swap_blocks.empty()) {
    out.row(tr("block"), tr("host block %1").arg(block));
    return;
  }
  out.row(tr("block"), (kind == TableKind::kCross && !request.own_table.blocks.empty()
                            ? tr("%1 (number %2 in the table of the encoder's tokens)")
                            : tr("%1 (number %2 in the table of the sequence)"))
                           .arg(block)
                           .arg(logical));
  out.row(tr("slot"), tr("%1 = %2 × %3 + %4")
                          .arg(block * size + position % size)
                          .arg(block)
                          .arg(size)
                          .arg(position % size));
}

void add_bars(InspectorContent& out, const RequestView& request,
              const std::vector<std::pair<int64_t, float>>& weights, TableKind kind) {
  for (const auto& [position, weight] : weights) {
    const TokenView* token = key_at(request, kind, position);
    out.items.push_back({InspectorItem::Kind::kBar,
                         QString::number(position),
                         QLocale().toString(weight, 'f', 6),
                         token ? token_text(token->text) : TokenText{},
                         weight,
                         {}});
  }
}

// At most kMostRead pairs of (position, weight), largest first. first: position of weights[0].
std::vector<std::pair<int64_t, float>> largest(const std::vector<float>& weights, int64_t first) {
  std::vector<std::pair<int64_t, float>> all;
  for (size_t i = 0; i < weights.size(); ++i)
    if (weights[i] >= 0) all.emplace_back(first + static_cast<int64_t>(i), weights[i]);
  const size_t keep = std::min(kMostRead, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(keep), all.end(),
                    [](const auto& a, const auto& b) {
                      return a.second != b.second ? a.second > b.second : a.first < b.first;
                    });
  all.resize(keep);
  return all;
}

void add_score(InspectorContent& out, const WeightOperands& cell, const WeightRule& rule,
               const SelectionState& s) {
  const double scaled = static_cast<double>(cell.scale) * cell.dot;
  QString score = tr("scale × q·k");
  if (cell.soft_cap > 0) {
    const double cap = cell.soft_cap;
    score = tr("capped");
    out.formula(tr("capped = cap × tanh(scale × q·k ÷ cap) = %1 × tanh(%2 ÷ %1) = %3")
                    .arg(number(cap), number(scaled), number(cap * std::tanh(scaled / cap))));
  }
  if (!rule.alibi_slopes.empty()) {
    score += tr(" + bias");
    out.formula(tr("bias = slope × (key − query) = %1 × (%2 − %3) = %4")
                    .arg(number(rule.slope(s.head)))
                    .arg(s.key)
                    .arg(s.query)
                    .arg(number(cell.bias)));
  }
  if (!rule.relative_bias.empty()) {
    score += tr(" + bias");
    out.formula(tr("bias = bias[key − query] = bias[%1 − %2] = %3")
                    .arg(s.key)
                    .arg(s.query)
                    .arg(number(cell.bias)));
  }
  out.formula(tr("score = %1 = %2").arg(score, number(cell.score)));
}

void add_operands(InspectorContent& out, const WeightOperands& cell, const WeightRule& rule,
                  const SelectionState& s, KeySpan keys) {
  out.heading(tr("How the weight is computed"));
  out.formula(tr("q·k = %1").arg(number(cell.dot)));
  const double side = static_cast<double>(cell.query.size());
  const bool usual = side > 0 && std::abs(cell.scale - 1 / std::sqrt(side)) < 1e-6;
  out.formula(usual ? tr("scale = 1/√%1 = %2").arg(cell.query.size()).arg(number(cell.scale))
                    : tr("scale = %1").arg(number(cell.scale)));
  add_score(out, cell, rule, s);
  const bool has_sink = !rule.sinks.empty();
  const QString sum = has_sink ? tr("log (Σ exp(score) + exp(sink))") : tr("log Σ exp(score)");
  out.formula(keys.end > keys.begin ? tr("lse = %1, keys %2..%3 = %4")
                                          .arg(sum)
                                          .arg(keys.begin)
                                          .arg(keys.end - 1)
                                          .arg(number(cell.lse))
                                    : tr("lse = %1 = %2").arg(sum, number(cell.lse)));
  out.formula(tr("weight = exp(score − lse) = exp(%1) = %2")
                  .arg(number(static_cast<double>(cell.score) - cell.lse), number(cell.weight)));
  if (!has_sink) return;
  const double sink = rule.sink(s.head);
  out.formula(tr("weight of the sink = exp(sink − lse) = exp(%1 − %2) = %3")
                  .arg(number(sink), number(cell.lse), number(std::exp(sink - cell.lse))));
}

QString cache_dtype(const EngineSnapshot& snapshot) {
  if (!snapshot.scenario) return {};
  const QString name = QString::fromStdString(snapshot.scenario->engine.kv_cache_dtype);
  const int64_t numbers = numbers_in_cache(snapshot);
  if (name != QStringLiteral("auto") || numbers <= 0) return name;
  return snapshot.cache_bytes == 4 * numbers ? tr("f32 (auto)") : name;
}

void add_rounding(InspectorContent& out, const EngineSnapshot& snapshot, int64_t layer,
                  int64_t head) {
  if (!snapshot.rounding) return;
  const HeadRounding& rounding = *snapshot.rounding;
  const SourceShape& shape = snapshot.source;
  if (layer < 0 || layer >= shape.num_layers || head < 0 || head >= shape.num_heads) return;
  const int64_t kv_head = head / std::max<int64_t>(1, shape.num_heads / rounding.num_kv_heads);
  const auto at = static_cast<size_t>(layer * rounding.num_kv_heads + kv_head);
  const auto add = [&](const QString& label, const std::vector<RoundingCounts>& counts) {
    const RoundingCounts &here = counts[at], all = sum_of(counts);
    out.row(label, tr("%1 of %2 numbers in KV head %3 of this layer (%4 became 0); %5 of %6 in all "
                      "heads of all layers")
                       .arg(format_count(here.saturated), format_count(here.nonzero()))
                       .arg(kv_head)
                       .arg(format_count(here.vanished), format_count(all.saturated),
                            format_count(all.nonzero())));
  };
  add(tr("saturated keys"), rounding.keys);
  add(tr("saturated values"), rounding.values);
  if (snapshot.restored) out.note(tr("Saturated numbers are counted up to the newest step."));
}

void add_score_facts(InspectorContent& out, const EngineSnapshot& snapshot, const WeightRule& rule,
                     const SelectionState& s) {
  out.row(tr("mask"), mask_names(rule) +
                          (rule.sees(s.head, s.query, s.key) ? tr(", visible") : tr(", masked")));
  if (rule.sliding_window > 0 && rule.window_of(s.query) == 0) {
    out.row(tr("window"), tr("%1, but with ALiBi this backend ignores it in this prompt")
                              .arg(counted(rule.sliding_window, tr("1 token"), tr("%1 tokens"))));
  } else if (rule.sliding_window > 0) {
    const KeySpan keys = rule.span(s.query, s.query + 1);
    out.row(tr("window"), tr("%1: query %2 sees keys from %3 on")
                              .arg(counted(rule.sliding_window, tr("1 token"), tr("%1 tokens")))
                              .arg(s.query)
                              .arg(keys.begin));
  }
  const float slope = rule.slope(s.head);
  if (rule.soft_cap > 0) out.row(tr("soft cap"), number(rule.soft_cap));
  if (!rule.sinks.empty())
    out.row(tr("sink"),
            tr("%1: an additional logit in the row's softmax").arg(number(rule.sink(s.head))));
  QString bias = tr("none");
  if (slope != 0) bias = tr("ALiBi: %1 × (%2 − %3)").arg(number(slope)).arg(s.key).arg(s.query);
  if (!rule.relative_bias.empty())
    bias = tr("%1: the model's number for this head and the distance key − query = %2")
               .arg(number(rule.bias(s.head, s.query, s.key)))
               .arg(s.key - s.query);
  out.row(tr("bias"), bias);
  if (rule.encoder) return;  // a layer of the encoder has no cache
  if (const QString dtype = cache_dtype(snapshot); !dtype.isEmpty())
    out.row(tr("cache dtype"), dtype);
  add_rounding(out, snapshot, s.layer, s.head);
}

InspectorContent inspect_cell(const EngineSnapshot& snapshot, const RequestView& request,
                              const SelectionState& s) {
  InspectorContent out;
  out.row(tr("request"), QString::fromStdString(request.name));
  const bool of_encoder = snapshot.source.is_encoder(s.layer);
  out.row(of_encoder ? tr("query (encoder)") : tr("query"), named_token(request, s.query));
  const TableKind kind = kind_read_by(snapshot, s.layer);
  out.row(of_encoder || kind == TableKind::kCross ? tr("key (encoder)") : tr("key"),
          named(key_at(request, kind, s.key), s.key));
  out.row(of_encoder ? tr("encoder layer") : tr("layer"),
          index_of(s.layer, snapshot.source.num_layers));
  const int64_t group = std::max<int64_t>(
      1, snapshot.source.num_heads / std::max<int64_t>(1, snapshot.source.num_kv_heads));
  out.row(tr("head"), index_of(s.head, snapshot.source.num_heads));
  const QString kv_head = index_of(s.head / group, snapshot.source.num_kv_heads);
  out.row(tr("KV head"),
          group > 1 ? tr("%1, shared by %2 heads").arg(kv_head).arg(group) : kv_head);
  const WeightRule plain;
  const WeightRule& rule = request.attention ? request.attention->shape().rules.of(s.layer)
                           : snapshot.rules  ? snapshot.rules->of(s.layer)
                                             : plain;
  out.title = (rule.sees(s.head, s.query, s.key) ? tr("Cell: query %1 reads key %2")
                                                 : tr("Cell: query %1, key %2"))
                  .arg(s.query)
                  .arg(s.key);
  add_score_facts(out, snapshot, rule, s);
  if (!request.attention) {
    out.note(tr("Not computed: the request has not been scheduled."));
    return out;
  }
  WeightOperands cell = request.attention->operands(s.layer, s.head, s.query, s.key);
  cell.computed = cell.computed && row_done(snapshot, request, s.layer, s.head, s.query);
  if (!rule.sees(s.head, s.query, s.key)) {
    out.row(tr("weight"), cell.computed ? QStringLiteral("0") : tr("0, if its row is computed"));
    out.note(tr("Masked: %1. The score counts as −∞, so the weight is 0.")
                 .arg(masked_because(rule, s.head, s.query, s.key)));
    return out;
  }
  if (!cell.computed) {
    out.note(snapshot.restored || s.query < tokens_without_query(snapshot, request)
                 ? not_computed(snapshot, request, s.query)
                 : tr("Not computed. The numbers appear if a kernel computes this row."));
    add_place(out, snapshot, request, kind, s.key);
    return out;
  }
  out.row(tr("weight"), number(cell.weight));
  add_operands(out, cell, rule, s, rule.span(s.query, request.attention->num_keys(s.layer)));
  const auto row = add_cell_chain(out, request, s);
  out.heading(tr("Where the key lies"));
  if (snapshot.restored) {
    add_place(out, snapshot, request, kind, s.key);
  } else if (cell.block >= 0) {
    out.row(tr("block"), QString::number(cell.block));
    out.row(tr("slot"), QString::number(cell.slot));
  } else if (request.attention->shape().keeps_keys) {
    out.note(
        tr("The key is in no cache, because an encoder needs its keys for one step only. The "
           "numbers come from the copy that the program keeps."));
  } else {
    out.note(
        tr("The request holds no block of the cache with this key now. The numbers come from the "
           "copy that the program keeps."));
  }
  out.row(tr("backend"), QString::fromStdString(snapshot.backend_name));
  add_cell_vectors(out, cell, row);
  return out;
}

InspectorContent inspect_token(const EngineSnapshot& snapshot, const RequestView& request,
                               int64_t position, int64_t layer, int64_t head) {
  InspectorContent out;
  out.title = tr("Token %1").arg(named_token(request, position));
  out.row(tr("request"), QString::fromStdString(request.name));
  out.row(tr("position"), QString::number(position));
  if (const TokenView* token = token_at(request, position)) {
    out.row(tr("text"), quoted_token(token->text));
    out.row(tr("id"), QString::number(token->id));
  }
  out.row(tr("comes from"),
          position < request.prompt_len ? tr("the prompt") : tr("what was generated"));
  if (request.attention && request.attention->shape().keeps_keys)
    out.row(tr("block"), tr("none: an encoder keeps no cache"));
  else if (!caches_own(snapshot))
    out.row(tr("block"), tr("none: the blocks hold the keys of the encoder"));
  else
    add_place(out, snapshot, request, TableKind::kOwn, position);
  const bool of_encoder = snapshot.source.is_encoder(layer);
  out.heading(tr("Reads most (layer %1, head %2)").arg(layer_words(layer, of_encoder)).arg(head));
  if (of_encoder) {
    out.note(tr("Layer %1 is one of the encoder: its queries and keys are the encoder's tokens, "
                "so this token neither reads nor is read there.")
                 .arg(layer));
    return out;
  }
  if (!request.attention || !row_done(snapshot, request, layer, head, position)) {
    out.note(not_computed(snapshot, request, position));
    return out;
  }
  const WeightRule& rule = request.attention->shape().rules.of(layer);
  const KeySpan seen = rule.span(position, request.attention->num_keys(layer));
  std::vector<float> row(static_cast<size_t>(seen.end - seen.begin));
  request.attention->weights(layer, head, position, 1, seen.begin, seen.end - seen.begin,
                             row.data());
  const auto top = largest(row, seen.begin);
  add_bars(out, request, top, rule.cross ? TableKind::kCross : TableKind::kOwn);
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  const double shown = std::accumulate(
      top.begin(), top.end(), 0.0, [](double total, const auto& it) { return total + it.second; });
  out.row(tr("these"),
          tr("%1 of %2, together %3")
              .arg(format_count(static_cast<int64_t>(top.size())),
                   counted(static_cast<int64_t>(row.size()), tr("1 key"), tr("%1 keys")),
                   number(shown)));
  out.row(tr("row sum"), number(sum));
  const float lse = request.attention->lse(layer, head, position);
  if (!rule.sinks.empty())
    out.row(tr("sink"), tr("%1, takes %2 of the row")
                            .arg(number(rule.sink(head)), number(std::exp(rule.sink(head) - lse))));
  out.row(tr("lse"), number(lse));
  add_row(out, snapshot, request,
          {.kind = SelectionKind::kToken, .layer = layer, .head = head, .query = position}, seen,
          row, cache_dtype(snapshot));
  add_row_chain(out, request,
                {.kind = SelectionKind::kToken, .layer = layer, .head = head, .query = position},
                top, rule.cross ? TableKind::kCross : TableKind::kOwn);

  if (rule.cross) return out;  // no query of this layer reads this token
  out.heading(tr("Is read most by"));
  const int64_t first = rule.causal ? position + 1 : 0;
  const int64_t readers = num_rows(snapshot, request) - first;
  if (readers <= 0) {
    out.note(tr("No later token has been computed."));
    return out;
  }
  std::vector<float> column(static_cast<size_t>(readers));
  request.attention->weights(layer, head, first, readers, position, 1, column.data());
  add_bars(out, request, largest(column, first), TableKind::kOwn);
  return out;
}

// The requests that hold the block, the owner first, as far as they have room.
QString holder_names(const EngineSnapshot& snapshot, const BlockView& block, int64_t index,
                     bool on_host) {
  constexpr qsizetype kMostNames = 4;
  QStringList names{request_name(snapshot, block.owner)};
  for (const RequestView& request : snapshot.requests) {
    const BlockTableView& view = request.table(block.table());
    const bool holds = std::ranges::count(on_host ? view.swap_blocks : view.blocks, index) > 0;
    if (holds && static_cast<int64_t>(request.id) != block.owner)
      names << request_name(snapshot, request.id);
  }
  const QString first = names.first(std::min(names.size(), kMostNames)).join(QStringLiteral(", "));
  if (names.size() <= kMostNames) return first;
  return first + QLatin1Char(' ') + tr("and %1 more").arg(names.size() - kMostNames);
}

InspectorContent inspect_block(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                               const SelectionState& selected, int64_t layer, int64_t head) {
  InspectorContent out;
  const int64_t index = selected.block;
  const bool on_host = selected.in_host_pool;
  out.title = on_host ? tr("Host block %1").arg(index) : tr("Block %1").arg(index);
  const BlockView& block =
      (on_host ? snapshot.swap_blocks : snapshot.blocks)[static_cast<size_t>(index)];
  const auto step = [](uint32_t value) {
    return value == 0 ? tr("never") : tr("step %1").arg(value);
  };
  if (!on_host && is_null_block(snapshot, index)) {
    out.row(tr("state"), tr("null block"));
    out.note(
        tr("Block tables name this block in place of blocks that left the sliding window; no "
           "request gets it."));
    return out;
  }
  if (block.is_cached()) {
    out.row(tr("state"), tr("cached"));
    out.row(tr("filled"), tr("%1 of %2 slots").arg(block.filled).arg(snapshot.block_size));
    out.row(tr("last written"), step(block.last_write_step));
    out.row(tr("last read"), step(block.last_read_step));
    out.note(
        tr("No request holds this block. A prompt with the same tokens up to the block's end can "
           "use its content again, until the block is needed for other tokens."));
    return out;
  }
  if (block.owner < 0) {
    out.row(tr("state"), tr("free"));
    out.row(tr("slots"), format_count(snapshot.block_size));
    add_past_of_block(out, snapshot, events, index, on_host);
    out.note(tr("No request holds this block, and what is left in it is not read."));
    return out;
  }
  const RequestView* owner = request_by_id(snapshot, block.owner);
  out.row(block.ref_count > 1 ? tr("shared by") : tr("owner"),
          holder_names(snapshot, block, index, on_host));
  out.row(tr("logical block"), (block.cross ? tr("%1 in the table of the encoder's tokens")
                                            : tr("%1 in the table of the sequence"))
                                   .arg(block.logical));
  out.row(tr("references"), QString::number(block.ref_count));
  out.row(tr("filled"), tr("%1 of %2 slots").arg(block.filled).arg(snapshot.block_size));
  out.row(on_host ? tr("swapped out") : tr("taken"), step(block.allocated_step));
  if (!on_host) {
    out.row(tr("last written"), step(block.last_write_step));
    out.row(tr("last read"), step(block.last_read_step));
  }
  add_rounding(out, snapshot, layer, head);
  const int64_t first = int64_t{block.logical} * snapshot.block_size;
  if (!owner || block.logical < 0) return out;

  const bool layer_reads_it = kind_read_by(snapshot, layer) == block.table() &&
                              !(snapshot.rules && snapshot.rules->of(layer).encoder);
  if (owner->attention && block.filled > 0 && layer_reads_it) {
    int64_t last = num_rows(snapshot, *owner) - 1;
    while (last >= 0 && !owner->attention->row_done(layer, head, last)) --last;
    // Without a causal mask the row may also see keys after its own position.
    const bool later = !owner->attention->shape().rules.of(layer).causal;
    const int64_t keys =
        last < 0 ? 0 : std::min<int64_t>(block.filled, later ? block.filled : last + 1 - first);
    if (keys > 0) {
      std::vector<float> weights(static_cast<size_t>(keys));
      owner->attention->weights(layer, head, last, 1, first, keys, weights.data());
      out.row(tr("is read"),
              tr("by query %1, with weight %2 on the block's tokens together (layer %3, head %4)")
                  .arg(last)
                  .arg(number(std::accumulate(weights.begin(), weights.end(), 0.0)))
                  .arg(layer)
                  .arg(head));
    }
  }
  out.heading(tr("Tokens in it"));
  for (int64_t i = 0; i < block.filled; ++i) {
    const TokenView* token = key_at(*owner, block.table(), first + i);
    InspectorItem item;
    item.kind = InspectorItem::Kind::kTokens;
    item.name = tr("slot %1, position %2").arg(index * snapshot.block_size + i).arg(first + i);
    if (token) item.token = token_text(token->text);
    out.items.push_back(std::move(item));
  }
  if (block.filled == 0) out.note(tr("Allocated; nothing has been written."));
  return out;
}

InspectorContent nothing() {
  InspectorContent out;
  out.title = tr("Inspector");
  out.empty = true;
  out.note(tr("Click a cell, a token, a block or a span to see its numbers here."));
  return out;
}

InspectorContent gone(const QString& what) {
  InspectorContent out;
  out.title = tr("Inspector");
  out.note(what);
  return out;
}

InspectorContent with_changes(InspectorContent content, const RequestView& request) {
  const QStringList changes = interventions_of(request);
  if (changes.isEmpty()) return content;
  content.note(tr("This request is changed: %1.").arg(changes.join(QStringLiteral("; "))));
  std::rotate(content.items.begin(), content.items.end() - 1, content.items.end());
  return content;
}

InspectorContent inspect_selected(const InspectorInput& input) {
  const SelectionState& s = input.selection;
  if (!input.snapshot || s.kind == SelectionKind::kNothing) return nothing();
  const EngineSnapshot& snapshot = *input.snapshot;
  const auto in_range = [](int64_t value, int64_t count) { return value >= 0 && value < count; };
  const bool shown_head = in_range(input.shown_layer, snapshot.source.num_layers) &&
                          in_range(input.shown_head, snapshot.source.num_heads);
  const int64_t layer = shown_head ? input.shown_layer : 0,
                head = shown_head ? input.shown_head : 0;
  const RequestView* request = request_by_id(snapshot, s.request);
  switch (s.kind) {
    case SelectionKind::kCell:
      if (!request || !in_range(s.layer, snapshot.source.num_layers) ||
          !in_range(s.head, snapshot.source.num_heads))
        return gone(tr("The selected cell is not part of this run."));
      return with_changes(inspect_cell(snapshot, request->at(s.layer), s), *request);
    case SelectionKind::kToken:
      if (!request || s.query < 0) return gone(tr("The selected token is not part of this run."));
      return with_changes(inspect_token(snapshot, *request, s.query, layer, head), *request);
    case SelectionKind::kBlock:
      if (!in_range(s.block, static_cast<int64_t>(
                                 (s.in_host_pool ? snapshot.swap_blocks : snapshot.blocks).size())))
        return gone(tr("The selected block is not part of this run."));
      return inspect_block(snapshot, input.events, s, layer, head);
    case SelectionKind::kSpan:
      if (!in_range(s.event, static_cast<int64_t>(input.events.size())))
        return gone(snapshot.restored && s.event >= 0
                        ? tr("The selected span had not begun at step %1.").arg(snapshot.step)
                        : tr("The selected span is not part of this run."));
      return inspect_span(snapshot, input.events, static_cast<size_t>(s.event));
    case SelectionKind::kNothing:
      break;
  }
  return nothing();
}

}  // namespace

int64_t numbers_in_cache(const EngineSnapshot& snapshot) {
  const SourceShape& shape = snapshot.source;
  const int64_t layers = shape.num_layers - shape.num_encoder_layers();
  return 2 * layers * static_cast<int64_t>(snapshot.blocks.size()) * snapshot.block_size *
         shape.num_kv_heads * std::max(shape.head_size, snapshot.cache_head_size);
}

InspectorContent inspect(const InspectorInput& input) {
  InspectorContent selected = inspect_selected(input);
  if (!input.explained) return selected;
  const Explanation& number = *input.explained;
  InspectorContent out;
  out.title = number.title;
  out.note(number.meaning);
  for (const auto& [name, text] : number.numbers) out.row(name, text);
  if (!number.formulas.isEmpty()) out.heading(tr("How it is computed"));
  for (const QString& formula : number.formulas) out.formula(formula);
  if (!number.origin.isEmpty()) {
    out.heading(tr("Where it comes from"));
    out.note(number.origin);
  }
  if (selected.empty) return out;
  out.heading(selected.title);
  out.items.insert(out.items.end(), selected.items.begin(), selected.items.end());
  return out;
}

QString InspectorItem::to_text() const {
  switch (kind) {
    case Kind::kHeading:
    case Kind::kFormula:
    case Kind::kNote:
      return text;
    case Kind::kRow:
      return name + QStringLiteral(": ") + text;
    case Kind::kBar:
      return QStringLiteral("%1\t%2\t%3").arg(name, token.shown, text);
    case Kind::kChain:
    case Kind::kChainHead:
      return QStringLiteral("%1\t%2\t%3").arg(name, token.shown, cells.join(QLatin1Char('\t')));
    case Kind::kVector: {
      QString all = name + QLatin1Char(':');
      for (float number : numbers)
        all += QLatin1Char(' ') + QString::number(static_cast<double>(number), 'g', 9);
      return all;
    }
    case Kind::kTokens:
      return name + QStringLiteral(": ") + token.shown;
  }
  return {};
}

QString InspectorContent::to_text() const {
  QString text = title + QLatin1Char('\n');
  for (const InspectorItem& item : items) {
    if (item.kind == InspectorItem::Kind::kHeading) text += QLatin1Char('\n');
    if (item.kind == InspectorItem::Kind::kFormula) text += QStringLiteral("  ");
    text += item.to_text() + QLatin1Char('\n');
  }
  return text;
}

}  // namespace attn::gui
