// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>

#include "engine/session/report/report.h"

namespace attn {
namespace {

using Out = std::back_insert_iterator<std::string>;

template <class Number>
std::string shortest(Number value) {
  std::array<char, 64> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string optional_ns(const std::optional<uint64_t>& time) {
  return time ? fmt::format("{}", *time) : "";
}

// Milliseconds with six decimals. Empty: a time is missing, or `to` is before `from`.
std::string ms_between(std::optional<uint64_t> from, std::optional<uint64_t> to) {
  if (!from || !to || *to < *from) return "";
  return fmt::format("{}.{:06}", (*to - *from) / 1000000, (*to - *from) % 1000000);
}

std::string layer_cell(const TraceEvent& event) {
  return event.layer == kNoLayer ? "" : fmt::format("{}", event.layer);
}

// Cells with the rule of a row: first and last visible key, window, ALiBi slope, soft cap, sink.
// Empty where the rule has no such part.
std::string rule_cells(const WeightRule& rule, int64_t head, int64_t query, KeySpan seen) {
  std::string cells = seen.empty() ? ",," : fmt::format(",{},{}", seen.begin, seen.end - 1);
  const auto cell = [&](bool there, const std::string& text) {
    cells += ',' + (there ? text : "");
  };
  const int64_t window = rule.window_of(query);
  cell(window > 0, fmt::format("{}", window));
  cell(!rule.alibi_slopes.empty(), shortest(rule.slope(head)));
  cell(rule.soft_cap > 0, shortest(rule.soft_cap));
  cell(!rule.sinks.empty(), shortest(rule.sink(head)));
  return cells;
}

// Field names of fields_of(), in the order of the columns of timeline.csv.
constexpr std::array<std::string_view, 41> kFieldColumns = {
    "step",           "request",       "kernel",    "head",       "q_begin",       "q_count",
    "k_begin",        "k_count",       "tasks",     "task",       "tokens",        "rows",
    "prefill_tokens", "decode_tokens", "sequences", "waiting",    "running",       "free_blocks",
    "block",          "logical_block", "position",  "token_id",   "prompt_tokens", "lost_tokens",
    "state",          "message",       "call",      "calls",      "first_page",    "pages",
    "kv_head",        "keys",          "bytes",     "batch_size", "padding_rows",  "how",
    "parent",         "cached_tokens", "ref_count", "from_block", "swap_block"};
constexpr std::array<std::string_view, 7> kBlockColumns = {
    "block", "request", "logical_block", "free_blocks", "ref_count", "from_block", "swap_block"};

// The cells of one event, each after a comma; empty where the event has no such field.
void append_fields(std::string& csv, std::span<const std::string_view> columns,
                   const TraceEvent& event) {
  const std::vector<EventField> fields = fields_of(event);
  for (const std::string_view column : columns) {
    csv += ',';
    for (const EventField& field : fields) {
      if (field.name != column) continue;
      if (field.text.empty()) {
        fmt::format_to(Out(csv), "{}", field.number);
      } else {
        csv += field.text;
      }
    }
  }
}

}  // namespace

std::string format_float(float value) {
  return shortest(value);
}
std::string format_double(double value) {
  return shortest(value);
}

std::string csv_cell(std::string_view text) {
  // A leading apostrophe keeps spreadsheets from running the cell as a formula.
  const bool formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = formula ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string requests_csv(const EngineSnapshot& snapshot) {
  std::string csv =
      "request,name,state,prompt_tokens,generated_tokens,preemptions,queued_ns,scheduled_ns,first_"
      "token_ns,finished_ns,"
      "queue_ms,ttft_ms,tpot_ms,e2e_ms,prompt_text,output_text,reason,parent_request,sample_index,"
      "beam_rank,cached_tokens,paused_ms\n";
  for (const RequestView& request : snapshot.requests) {
    const RequestTimes& times = request.times;
    const size_t generated = times.token_ns.size();
    const auto& mean = request.metrics.tpot_ns;
    const std::string tpot = mean ? format_double(1e-6 * *mean) : "";
    fmt::format_to(Out(csv), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", request.id,
                   csv_cell(request.name), name_of(request.state), request.prompt_len, generated,
                   request.num_preemptions, times.queued_ns, optional_ns(times.scheduled_ns),
                   optional_ns(times.first_token_ns), optional_ns(times.finished_ns),
                   ms_between(times.queued_ns, times.scheduled_ns),
                   ms_between(times.queued_ns, times.first_token_ns), tpot,
                   ms_between(times.queued_ns, times.finished_ns),
                   request.prompt_text ? csv_cell(*request.prompt_text) : "",
                   request.output_text ? csv_cell(*request.output_text) : "",
                   csv_cell(request.ignored_reason));
    fmt::format_to(
        Out(csv), ",{},{},{},{},{}\n", request.parent ? fmt::format("{}", *request.parent) : "",
        request.sample_index, request.beam_rank ? fmt::format("{}", *request.beam_rank) : "",
        request.num_cached, format_double(1e-6 * static_cast<double>(request.metrics.paused_ns)));
  }
  return csv;
}

std::string steps_csv(const EngineSnapshot& snapshot) {
  std::string csv =
      "step,begin_ns,end_ns,duration_ns,prefill_tokens,decode_tokens,sequences,waiting_requests,"
      "running_requests,"
      "free_blocks,used_blocks,preemptions,schedule_ns,attention_ns,plan_ns,captured_rows,"
      "swapped_requests,cached_blocks,swap_blocks_used,copied_blocks,swapped_out_blocks,"
      "swapped_in_blocks,queried_tokens,hit_tokens,evicted_blocks,copy_ns,swap_ns,wasted_slots,"
      "saved_blocks";
  if (!snapshot.modelled_device.empty()) csv += ',' + modelled_time_name(snapshot.modelled_device);
  csv += '\n';
  if (!snapshot.steps) return csv;
  for (const StepRecord& step : *snapshot.steps) {
    fmt::format_to(Out(csv), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", step.step,
                   step.begin_ns, step.end_ns, step.end_ns - step.begin_ns, step.prefill_tokens,
                   step.decode_tokens, step.sequences, step.waiting, step.running, step.free_blocks,
                   step.used_blocks, step.preemptions, step.schedule_ns, step.attention_ns,
                   step.plan_ns, step.captured_rows);
    fmt::format_to(Out(csv), ",{},{},{},{},{},{},{},{},{},{},{},{},{}", step.swapped,
                   step.cached_blocks, step.swap_blocks_used, step.copied_blocks,
                   step.swapped_out_blocks, step.swapped_in_blocks, step.queried_tokens,
                   step.hit_tokens, step.evicted_blocks, step.copy_ns, step.swap_ns,
                   step.wasted_slots, step.saved_blocks);
    if (!snapshot.modelled_device.empty())
      csv += ',' + format_double(1e-3 * step.modelled_device_ns);
    csv += '\n';
  }
  return csv;
}

void write_blocks_csv(const std::vector<TraceEvent>& events, Pieces& out) {
  std::string& csv = out.text();
  csv +=
      "time_ns,event,block,request,logical_block,free_blocks_after,ref_count,from_block,swap_"
      "block\n";
  for (const TraceEvent& event : events) {
    if (!is_block_event(event.kind)) continue;
    fmt::format_to(Out(csv), "{},{}", event.begin_ns, name_of(event.kind));
    append_fields(csv, kBlockColumns, event);
    csv += '\n';
    out.end_row();
  }
}

std::string blocks_csv(const EngineSnapshot&, const std::vector<TraceEvent>& events) {
  Pieces out;
  write_blocks_csv(events, out);
  return std::move(out).whole();
}

std::string prefix_hits_csv(const std::vector<TraceEvent>& events) {
  std::string csv = "time_ns,step,request,cached_tokens,prompt_tokens\n";
  for (const TraceEvent& event : events)
    if (event.kind == EventKind::kPrefixHit)
      fmt::format_to(Out(csv), "{},{},{},{},{}\n", event.begin_ns, event.d, event.a, event.b,
                     event.c);
  return csv;
}

namespace {

bool has_both_tables(const EngineSnapshot& snapshot) {
  return std::ranges::any_of(snapshot.requests, [](const RequestView& request) {
    return !request.own_table.held().empty() && !request.cross_table.held().empty();
  });
}

void append_block_rows(std::string& csv, const EngineSnapshot& snapshot,
                       const std::vector<BlockView>& blocks, std::string_view pool, bool kinds) {
  for (size_t i = 0; i < blocks.size(); ++i) {
    const BlockView& block = blocks[i];
    const bool owned = block.owner >= 0;
    fmt::format_to(Out(csv), "{},{},{},{},{},{},{},{},{},{},{},{}", i,
                   owned ? fmt::format("{}", block.owner) : "",
                   owned ? fmt::format("{}", block.logical) : "",
                   owned ? fmt::format("{}", block.logical * snapshot.block_size) : "",
                   block.filled, snapshot.block_size, block.ref_count, block.allocated_step,
                   block.last_read_step, block.last_write_step, block.hashed ? 1 : 0, pool);
    if (kinds) csv += !owned ? "," : block.cross ? ",cross" : ",own";
    csv += '\n';
  }
}

}  // namespace

std::string block_table_csv(const EngineSnapshot& snapshot) {
  std::string csv =
      "block,owner_request,logical_block,first_position_tokens,filled_slots,block_size_slots,ref_"
      "count,allocated_step,last_read_step,last_write_step,hashed,pool";
  const bool kinds = has_both_tables(snapshot);
  csv += kinds ? ",table\n" : "\n";
  append_block_rows(csv, snapshot, snapshot.blocks, "device", kinds);
  append_block_rows(csv, snapshot, snapshot.swap_blocks, "swap", kinds);
  return csv;
}

void write_kernels_csv(const std::vector<TraceEvent>& events, Pieces& out) {
  std::string& csv = out.text();
  csv += "begin_ns,duration_ns,kernel,attention,layer,step,tasks,tokens,padding_rows\n";
  // The latest padding event, until its kernel follows. An older session file may have one event
  // for several calls of one sequence each; then the padding rows are left empty.
  TraceEvent padding;
  bool has_padding = false;
  for (const TraceEvent& event : events) {
    if (event.kind == EventKind::kPadding) {
      padding = event;
      has_padding = true;
    }
    if (event.kind != EventKind::kKernel) continue;
    const auto kernel = static_cast<KernelId>(event.a);
    std::string padding_rows = "0";
    if (has_padding && padding.a == event.a) {
      const bool is_of_one_call = !kernel_facts(kernel).one_sequence || padding.d == 1;
      padding_rows = is_of_one_call ? fmt::format("{}", padding.c) : "";
      has_padding = !is_of_one_call;
    }
    fmt::format_to(Out(csv), "{},{},{},{},{},{},{},{},{}\n", event.begin_ns, event.duration_ns,
                   name_of(kernel), kernel_facts(kernel).attention ? 1 : 0, layer_cell(event),
                   event.b, event.c, event.d, padding_rows);
    out.end_row();
  }
}

std::string kernels_csv(const std::vector<TraceEvent>& events) {
  Pieces out;
  write_kernels_csv(events, out);
  return std::move(out).whole();
}

void write_timeline_csv(const std::vector<TraceEvent>& events, Pieces& out) {
  std::string& csv = out.text();
  csv += "begin_ns,duration_ns,kind,lane,layer";
  for (const std::string_view column : kFieldColumns) (csv += ',') += column;
  csv += '\n';
  for (const TraceEvent& event : events) {
    fmt::format_to(Out(csv), "{},{},{},{},{}", event.begin_ns, event.duration_ns,
                   name_of(event.kind), event.lane, layer_cell(event));
    append_fields(csv, kFieldColumns, event);
    csv += '\n';
    out.end_row();
  }
}

std::string timeline_csv(const std::vector<TraceEvent>& events) {
  Pieces out;
  write_timeline_csv(events, out);
  return std::move(out).whole();
}

void write_heatmap_csv(const RequestView& own, int64_t layer, int64_t head, int64_t max_rows,
                       Pieces& out) {
  const RequestView& request = own.at(layer);
  std::string& csv = out.text();
  csv += "query_position,query_token,lse";
  const int64_t rows = std::min(max_rows, request.attention ? request.attention->num_rows() : 0);
  const int64_t keys = request.attention ? request.attention->num_keys(layer) : 0;
  for (int64_t k = 0; k < keys; ++k) fmt::format_to(Out(csv), ",weight_key_{}", k);
  const WeightRule rule =
      request.attention ? request.attention->shape().rules.of(layer) : WeightRule{};
  if (!rule.is_plain()) csv += ",first_key,last_key,sliding_window,alibi_slope,soft_cap,sink";
  csv += '\n';
  std::vector<float> weights(static_cast<size_t>(keys));
  for (int64_t q = 0; q < rows; ++q) {
    request.attention->weights(layer, head, q, 1, 0, keys, weights.data());
    const bool named = request.tokens && static_cast<size_t>(q) < request.tokens->size();
    const bool done = request.attention->row_done(layer, head, q);
    fmt::format_to(Out(csv), "{},{},{}", q,
                   named ? csv_cell((*request.tokens)[static_cast<size_t>(q)].text) : "",
                   done ? format_float(request.attention->lse(layer, head, q)) : "");
    for (const float weight : weights) {
      csv += ',';
      if (done) csv += format_float(weight);
    }
    if (!rule.is_plain()) csv += rule_cells(rule, head, q, rule.span(q, keys));
    csv += '\n';
    out.end_row();
  }
}

std::string rounding_csv(const HeadRounding& rounding) {
  std::string csv = "layer,kv_head,part,nonzero,saturated,became_zero\n";
  for (size_t i = 0; i < rounding.keys.size(); ++i)
    for (const bool is_key : {true, false}) {
      const RoundingCounts& counts = is_key ? rounding.keys[i] : rounding.values[i];
      const auto at = static_cast<int64_t>(i);
      fmt::format_to(Out(csv), "{},{},{},{},{},{}\n", at / rounding.num_kv_heads,
                     at % rounding.num_kv_heads, is_key ? "keys" : "values", counts.nonzero(),
                     counts.saturated, counts.vanished);
    }
  return csv;
}

std::string heatmap_csv(const RequestView& request, int64_t layer, int64_t head, int64_t max_rows) {
  Pieces out;
  write_heatmap_csv(request, layer, head, max_rows, out);
  return std::move(out).whole();
}

}  // namespace attn
