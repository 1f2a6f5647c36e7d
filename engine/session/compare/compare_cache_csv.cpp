// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/session/compare/compare_cache.h"
#include "engine/session/report/report.h"

namespace attn {
namespace {

// "0:17 1:403": the request and the id of each token that the step sampled.
std::string sampled_text(const CacheCompareStep& step) {
  std::string text;
  for (const auto& [request, token] : step.sampled)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", request, token);
  return text;
}

std::string rows_text(const CacheCompareStep& step) {
  std::string text;
  for (const ComputedRows& rows : step.rows)
    text +=
        fmt::format("{}{}:{}-{}", text.empty() ? "" : " ", rows.request, rows.first, rows.end - 1);
  return text;
}

}  // namespace

std::string compare_cache_csv(const CacheCompareResult& result) {
  std::string text =
      "cache,step,tokens,rows,pairs,pairs_per_layer_and_head,pairs_in_tiles,time_ns,attention_ns,"
      "clock,kv_bytes,sampled_tokens,max_logit_difference\n";
  const auto heads = static_cast<double>(std::max<int64_t>(1, result.heads()));
  const auto add = [&](const char* name, const CacheCompareRun& run, bool compared) {
    for (size_t i = 0; i < run.steps.size(); ++i) {
      const CacheCompareStep& step = run.steps[i];
      std::string difference;
      if (compared && i < result.logit_differences.size() &&
          !std::isnan(result.logit_differences[i]))
        difference = format_double(result.logit_differences[i]);
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name, step.step, step.tokens,
                          rows_text(step), step.pairs,
                          format_double(static_cast<double>(step.pairs) / heads), step.tile_pairs,
                          step.ns, step.attention_ns, result.modelled_time ? "virtual" : "real",
                          step.kv_bytes, sampled_text(step), difference);
    }
  };
  add("with", result.with_cache, false);
  add("without", result.without_cache, true);
  return text;
}

}  // namespace attn
