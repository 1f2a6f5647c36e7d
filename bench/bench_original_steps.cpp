// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of steps that backends take because their originals in vLLM take them. A call with the
// step and a similar call without it run by turns; the counter ratio_to_off compares their times.
#include <fmt/format.h>

#include "bench/attention_bench.h"

namespace attn::bench {
namespace {

Call prompts(const std::string& backend, int64_t count, int64_t tokens, int64_t head_size,
             int threads) {
  Call call;
  call.backend = backend;
  set_lengths(call, count, tokens, 0);
  call.head_size = head_size;
  call.threads = threads;
  call.cached = false;
  return call;
}

void add_step(const std::string& name, const Call& with, const Call& without) {
  add_row(fmt::format("original_step/{}/T{}", name, with.threads), [=](benchmark::State& state) {
    AttentionBench step(with), plain(without);
    step.run();
    plain.run();
    measure_against(
        state, [&] { plain.run(); }, [&] { step.run(); }, with.threads);
  });
}

void add_mask_steps(const std::string& backend, bool alibi, int threads) {
  Call later = prompts(backend, 1, 2048, 64, threads);
  later.alibi = alibi;
  later.window = alibi ? 0 : 256;
  Call first = later, rule = later;
  first.builds_masks = true;
  rule.backend = "unified";
  const std::string mask = fmt::format("{}/{}_S2048", backend, alibi ? "alibi" : "window256");
  add_step(mask + "/build", first, later);
  add_step(mask + "/read", later, rule);
}

void register_steps(int threads) {
  add_mask_steps("torch_sdpa", true, threads);
  add_mask_steps("torch_sdpa", false, threads);
  add_mask_steps("xformers", true, threads);

  const Call flash = prompts("torch_sdpa", 1, 2048, 64, threads);
  Call math = flash;
  math.options["sdpa_kernel"] = "math";
  add_step("torch_sdpa/math_S2048/three_kernels", math, flash);

  // One attention call for each prompt, against one call for all.
  const Call calls = prompts("torch_sdpa", 64, 64, 64, threads);
  Call packed = calls;
  packed.backend = "unified";
  add_step("torch_sdpa/64xS64/call_per_sequence", calls, packed);
  Call alibi = prompts("xformers", 64, 64, 64, threads);
  const Call causal = alibi;
  alibi.alibi = true;
  add_step("xformers/alibi_64xS64/call_per_sequence", alibi, causal);

  // Prompts of 33 tokens are padded, those of 32 are not.
  add_step("pallas/64xS33/padding", prompts("pallas", 64, 33, 128, threads),
           prompts("pallas", 64, 32, 128, threads));

  // pallas copies pages before it reads them; unified reads them in place.
  Call pages;
  pages.backend = "pallas";
  pages.is_prefill = false;
  pages.threads = threads;
  set_lengths(pages, 8, 1, 4095);
  Call in_place = pages;
  in_place.backend = "unified";
  add_step("pallas/C4096_B8/page_fetch", pages, in_place);
}

}  // namespace

void register_original_steps(int threads) {
  for (const int t : thread_counts(threads)) register_steps(t);
  // With two threads, one worker copies pages for the other.
  Call core;
  core.backend = "pallas";
  core.is_prefill = false;
  core.num_heads = core.num_kv_heads = 1;
  core.threads = 2;
  set_lengths(core, 1, 1, 8191);
  Call alone = core;
  alone.threads = 1;
  add_step("pallas/C8192_H1/page_fetch_by_another_worker", core, alone);
}

}  // namespace attn::bench
