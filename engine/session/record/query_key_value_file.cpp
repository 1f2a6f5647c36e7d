// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/query_key_value_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/json_writer.h"
#include "engine/core/memory.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/synthetic/stored_bias.h"
#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/intervene/intervention.h"
#include "engine/session/record/attention_record.h"

namespace attn {
namespace {

struct Rows {
  int64_t first = 0, count = 0;
  int64_t end() const { return first + count; }
};

// The first rows without a gap that are computed in all of these layers, for all heads.
Rows rows_done(const AttentionRecord& record, const std::vector<int64_t>& layers) {
  const auto done = [&](int64_t row) {
    return std::ranges::all_of(layers, [&](int64_t layer) {
      for (int64_t head = 0; head < record.shape().num_heads; ++head)
        if (!record.row_done(layer, head, row)) return false;
      return true;
    });
  };
  Rows rows;
  while (rows.first < record.num_rows() && !done(rows.first)) ++rows.first;
  while (rows.end() < record.num_rows() && done(rows.end())) ++rows.count;
  return rows;
}

std::string json_list(const std::vector<std::string>& texts) {
  JsonWriter json;
  json.value(texts);
  return std::move(json).take();
}

std::string token_list(const std::shared_ptr<const std::vector<TokenView>>& tokens, Rows rows) {
  std::vector<std::string> texts;
  for (int64_t i = rows.first; tokens && i < std::min<int64_t>(rows.end(), std::ssize(*tokens));
       ++i)
    texts.push_back((*tokens)[static_cast<size_t>(i)].text.str());
  return json_list(texts);
}

// The rule as text, without the scale, the numbers of a relative bias and the places of cut edges;
// stored_run() reads it back. Empty: there is only the causal mask.
std::string rule_text(const WeightRule& rule) {
  std::vector<std::string> parts;
  if (!rule.causal) parts.emplace_back("a query sees all keys");
  if (rule.sliding_window > 0)
    parts.push_back(fmt::format("window of {}{}", rule.sliding_window,
                                rule.rows_without_window > 0
                                    ? fmt::format(" from row {} on", rule.rows_without_window)
                                    : ""));
  if (rule.soft_cap != 0) parts.push_back(fmt::format("soft cap {}", rule.soft_cap));
  if (!rule.alibi_slopes.empty())
    parts.push_back(fmt::format("ALiBi slopes {}", fmt::join(rule.alibi_slopes, " ")));
  if (!rule.relative_bias.empty()) parts.emplace_back("relative bias");
  if (!rule.sinks.empty()) parts.push_back(fmt::format("sinks {}", fmt::join(rule.sinks, " ")));
  if (const auto& sparse = rule.blocksparse)
    parts.push_back(fmt::format(
        "block-sparse block_size {} local_blocks {} vert_stride {} head_sliding_step {}",
        sparse->block_size, sparse->local_blocks, sparse->vert_stride, sparse->head_sliding_step));
  if (!rule.cuts.empty()) parts.emplace_back("cut edges");
  return fmt::format("{}", fmt::join(parts, ", "));
}

[[noreturn]] void throw_missing(const RequestView& request, const std::string& what) {
  throw Error::not_supported({fmt::format(
      "The queries, keys and values of {} cannot be written: {}.", request.name, what)});
}

}  // namespace

void write_query_key_value(const std::filesystem::path& file, const RequestView& of,
                           int64_t layer) {
  const RequestView& request = of.at(layer);
  if (!request.attention) throw_missing(of, "nothing of it was computed");
  const AttentionRecord& record = *request.attention;
  const AttentionRecord::Shape& shape = record.shape();
  const std::vector<int64_t> layers = shape.rules.layers_like(layer, shape.num_layers);
  const Rows rows = rows_done(record, layers);
  if (rows.count == 0)
    throw_missing(of,
                  "none of its rows is computed in all layers; a request that waits, or that was "
                  "preempted and is to be computed again, has none");
  const bool cross = record.is_cross(layer);
  const int64_t keys = cross ? shape.encoder_keys : rows.end(), size = shape.head_size;
  int64_t bias_numbers = 0;
  for (const int64_t at : layers)
    if (const RelativeBias& bias = shape.rules.of(at).relative_bias; !bias.empty())
      bias_numbers += std::ssize(bias.values());
  const double bytes =
      4.0 * (static_cast<double>(bias_numbers) +
             static_cast<double>(size) * static_cast<double>(layers.size()) *
                 static_cast<double>(shape.num_heads * rows.count + 2 * shape.num_kv_heads * keys));
  ask_memory({.bytes = 2 * bytes,
              .what = "the queries, keys and values do not fit in memory",
              .where = file.string(),
              .found = bytes_text(2 * bytes),
              .advice = ""});
  std::list<Tensor> tensors;
  std::vector<NamedTensor> named;
  std::map<std::string, std::string> about{
      {"axes", std::string(kAxesOfRun)},
      {"request", std::to_string(of.id)},
      {"name", of.name},
      {"layers", fmt::format("{}", fmt::join(layers, ", "))},
      {"scale", fmt::format("{}", shape.scale)},
      {"first_row", std::to_string(rows.first)},
      {"query_tokens", token_list(request.tokens, rows)},
      {"key_tokens", token_list(cross ? request.encoder_tokens : request.tokens, {0, keys})}};
  const int64_t group = shape.num_heads / shape.num_kv_heads;
  for (size_t i = 0; i < layers.size(); ++i) {
    const auto add = [&](const char* name, int64_t heads, int64_t count, int64_t every,
                         const auto& read) {
      Tensor& tensor = tensors.emplace_back(DType::kF32, Shape{heads, count, size});
      named.push_back({fmt::format("{}.{}", name, i), &tensor});
      for (int64_t head = 0; head < heads; ++head)
        if (!read(head * every, count, tensor.data<float>() + head * count * size))
          throw_missing(of, fmt::format("the run has no {} of layer {}", name, layers[i]));
    };
    const int64_t at = layers[i];
    add("query", shape.num_heads, rows.count, 1, [&](int64_t head, int64_t count, float* to) {
      return record.queries(at, head, rows.first, count, to);
    });
    add("key", shape.num_kv_heads, keys, group, [&](int64_t head, int64_t count, float* to) {
      return record.keys(at, head, 0, count, to);
    });
    add("value", shape.num_kv_heads, keys, group, [&](int64_t head, int64_t count, float* to) {
      return record.values(at, head, 0, count, to);
    });
    const WeightRule& rule = shape.rules.of(at);
    if (const std::string text = rule_text(rule); !text.empty())
      about[fmt::format("rule.{}", i)] = text;
    if (!rule.relative_bias.empty()) {
      const auto number = static_cast<int64_t>(i);
      named.push_back(
          {stored_bias_name(number), &tensors.emplace_back(tensor_of(rule.relative_bias))});
      about[first_distance_name(number)] = std::to_string(-rule.relative_bias.before());
    }
  }
  std::vector<std::string> changed;
  for (const Intervention& what : of.interventions) changed.push_back(text_of(what));
  if (!changed.empty()) about["interventions"] = json_list(changed);
  write_safetensors(file, named, about);
}

}  // namespace attn
