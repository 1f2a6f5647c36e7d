// SPDX-License-Identifier: GPL-3.0-or-later
// Switches on the seeded faults of the kernels (engine/kernels/fault.h) and of the metadata
// (engine/attention/fault.h) one by one. A fault of the kernels is noticed if an output or a
// log-sum-exp differs from the reference or masks are built twice in a step; a fault of the
// metadata is noticed in a flag.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <string>

#include "backends/register_all.h"
#include "engine/attention/fault.h"
#include "engine/kernels/fault.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

struct Work {
  std::shared_ptr<const AttentionCase> work;
  const AttentionBackend* backend = nullptr;
  std::shared_ptr<const RunResult> expected;
  BiasList left_over;
};

CaseSpec base(int64_t heads, int64_t kv_heads, int64_t head_size) {
  CaseSpec spec;
  spec.config = make_config(heads, kv_heads, head_size);
  spec.config.extended = true;  // allows prompts with cached tokens
  spec.sequences = {{17, 0, 1}, {130, 0, 2}, {9, 300, 3}};
  return spec;
}

CaseSpec decodes(CaseSpec spec) {
  spec.is_prefill = false;
  spec.sequences = {{1, 5, 1}, {1, 599, 2}, {1, 1300, 3}};
  return spec;
}

void add_both(std::vector<CaseSpec>& specs, const CaseSpec& spec) {
  specs.push_back(spec);
  specs.push_back(decodes(spec));
}

std::vector<CaseSpec> make_specs() {
  std::vector<CaseSpec> specs;
  add_both(specs, base(4, 2, 64));
  CaseSpec wide = base(6, 2, 128);
  wide.query_factor = 4;
  add_both(specs, wide);
  CaseSpec steep = base(4, 2, 64);
  steep.config.scale = 40;
  steep.sequences.clear();
  for (uint64_t i = 0; i < 12; ++i) steep.sequences.push_back({1, 0, i});
  specs.push_back(steep);
  for (const DType dtype : {DType::kBF16, DType::kF16}) {
    CaseSpec narrow = base(4, 2, 64);
    narrow.dtype = dtype;
    add_both(specs, narrow);
  }
  CaseSpec fast = base(4, 2, 64);
  fast.dtype = DType::kBF16;
  fast.config.backend_options["exactness"] = "fast";
  add_both(specs, fast);
  CaseSpec window = base(4, 2, 64);
  window.config.sliding_window = 16;
  add_both(specs, window);
  CaseSpec alibi = base(4, 2, 64);
  alibi.config.alibi_slopes = std::vector<float>{.5f, .25f, .125f, .0625f};
  add_both(specs, alibi);
  CaseSpec relative = base(4, 2, 64);
  relative.config.relative_bias = random_relative_bias(4, 40, 10);
  add_both(specs, relative);
  for (const char* kernel : {"flash", "math"})
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      CaseSpec masks = base(4, 2, 64);
      masks.config.backend_options["sdpa_kernel"] = kernel;
      masks.dtype = dtype;
      masks.sequences = {{17, 0, 1}, {130, 0, 2}, {9, 0, 3}};
      specs.push_back(masks);
      masks.config.alibi_slopes = alibi.config.alibi_slopes;
      specs.push_back(masks);
      masks.config.alibi_slopes.reset();
      masks.config.sliding_window = 16;
      specs.push_back(masks);
    }
  CaseSpec cap = base(4, 2, 64);
  cap.config.logits_soft_cap = 3.0f;
  cap.query_factor = 4;
  add_both(specs, cap);
  CaseSpec sinks = base(4, 2, 64);
  sinks.config.sinks = std::vector<float>{0, 2, 5, 9};
  add_both(specs, sinks);
  for (const DType cache : {DType::kF8E4M3, DType::kF8E5M2}) {
    CaseSpec fp8 = base(4, 2, 64);
    fp8.cache_dtype = cache;
    fp8.scales.k_scale = 0.5f;
    fp8.scales.v_scale = 0.125f;
    add_both(specs, fp8);
  }
  CaseSpec int8 = base(4, 2, 64);
  int8.cache_dtype = DType::kI8;
  int8.scales.k_head_scales = {0.03125f, 0.0625f};
  int8.scales.v_head_scales = {0.0625f, 0.125f};
  add_both(specs, int8);
  CaseSpec sparse = base(4, 2, 64);
  sparse.config.blocksparse = BlockSparse{2, 3, 16, 1};
  add_both(specs, sparse);
  CaseSpec bias = base(4, 2, 64);
  bias.dense_bias_heads = 4;
  specs.push_back(bias);
  CaseSpec cross = base(4, 2, 64);
  cross.config.attn_type = AttentionType::kEncoderDecoder;
  cross.sequences = {{3, 0, 1, 37}, {2, 5, 2, 0}};
  specs.push_back(cross);
  CaseSpec encoder = base(4, 2, 64);  // no mask and no cache
  encoder.config.attn_type = AttentionType::kEncoder;
  encoder.sequences = {{17, 0, 1}, {130, 0, 2}, {9, 0, 3}};
  specs.push_back(encoder);
  return specs;
}

// The values of the last token of the first two prompts are NaN: no earlier row may notice them.
AttentionCase with_unseen_nan() {
  AttentionCase c = make_case(base(4, 2, 64));
  const int64_t row = c.value.dim(1) * c.value.dim(2);
  for (const int64_t token : {16, 146})
    std::fill_n(c.value.data<float>() + token * row, row, std::numeric_limits<float>::quiet_NaN());
  return c;
}

// A batch of torch_sdpa on which layers of another configuration have left their masks.
Work with_masks_of_other_layers() {
  const AttentionBackend& backend = backend_named("torch_sdpa");
  CaseSpec spec = base(4, 2, 64);
  spec.sequences = {{17, 0, 1}, {30, 0, 2}};
  spec.config.alibi_slopes = std::vector<float>{1, .5f, .25f, .125f};
  const AttentionCase other = make_case(spec);
  run_case(other, backend);
  spec.config.alibi_slopes = std::vector<float>{.125f, .25f, .5f, 1};
  auto c = std::make_shared<AttentionCase>(make_case(spec));
  return {c, &backend, std::make_shared<RunResult>(reference_of(*c, backend)),
          *other.metadata.prefill_metadata()->attn_bias_for(AttentionType::kDecoder)};
}

// A block table so wide that pallas computes the decodes in two calls.
AttentionCase with_wide_table() {
  constexpr int64_t kWidth = 25000;  // 5 sequences fit in scalar memory
  CaseSpec spec = decodes(base(2, 1, 128));
  for (uint64_t i = 0; i < 4; ++i) spec.sequences.push_back({1, 20 + static_cast<int64_t>(i), i});
  AttentionCase c = make_case(spec);
  AttentionMetadata wide = c.metadata;
  wide.max_blocks_per_seq = kWidth;
  wide.block_tables.assign(static_cast<size_t>(wide.num_seqs() * kWidth), -1);
  for (int64_t s = 0; s < wide.num_seqs(); ++s)
    std::ranges::copy(c.metadata.block_table(s), wide.block_tables.begin() + s * kWidth);
  c.metadata = wide;
  return c;
}

std::vector<Work> make_works() {
  std::vector<std::shared_ptr<const AttentionCase>> cases;
  for (const CaseSpec& spec : make_specs())
    cases.push_back(std::make_shared<AttentionCase>(make_case(spec)));
  cases.push_back(std::make_shared<AttentionCase>(with_unseen_nan()));
  cases.push_back(std::make_shared<AttentionCase>(with_wide_table()));
  std::vector<Work> works{with_masks_of_other_layers()};
  for (const auto& work : cases) {
    const AttentionCase& c = *work;
    for (const char* name : {"unified", "torch_sdpa", "xformers", "pallas"}) {
      const AttentionBackend& backend = backend_named(name);
      if (backend.name() == "xformers" && !c.spec.config.alibi_slopes &&
          c.spec.config.attn_type != AttentionType::kEncoder &&
          !(c.spec.is_prefill && c.spec.config.head_size == 128))
        continue;
      // Of these backends only unified applies a soft cap.
      if (c.spec.config.logits_soft_cap && backend.name() != "unified") continue;
      if (!backend.not_supported_reasons(c.spec.config).empty()) continue;
      if (!batch_not_supported_reasons(backend, c.spec.config, c.metadata).empty()) continue;
      if (c.spec.cache_dtype == DType::kI8 && backend.name() != "unified") continue;
      works.push_back({work, &backend, std::make_shared<RunResult>(reference_of(c, backend)), {}});
    }
  }
  return works;
}

BiasList masks_on(const Work& work) {
  const AttentionMetadata* prefills = work.work->metadata.prefill_metadata();
  const BiasList* masks =
      prefills ? prefills->attn_bias_for(work.work->spec.config.attn_type) : nullptr;
  return masks ? *masks : BiasList();
}

// Empty when the backend agrees with the reference, with two threads and then with one. The second
// run must take the masks that the first one left on the batch, unless left_over is set.
std::string disagreement(const Work& work) {
  if (const AttentionMetadata* prefills = work.work->metadata.prefill_metadata())
    prefills->forget_attn_biases();
  for (const int threads : {2, 1}) {
    if (!work.left_over.empty())
      work.work->metadata.prefill_metadata()->set_attn_bias(AttentionType::kDecoder,
                                                            work.left_over);
    const BiasList before = threads == 1 && work.left_over.empty() ? masks_on(work) : BiasList();
    const RunResult found = run_case(*work.work, *work.backend, {.threads = threads});
    if (!before.empty() && masks_on(work) != before)
      return std::string(work.backend->name()) + ", " + describe(work.work->spec) +
             ": masks built again for the second layer";
    std::string difference =
        compare(found.out, work.expected->out, tolerance_for(work.work->spec.dtype, 0));
    if (difference.empty()) difference = compare(found.lse, work.expected->lse, {1e-5, 1e-5});
    if (!difference.empty())
      return std::string(work.backend->name()) + ", " + describe(work.work->spec) + ": " +
             difference;
  }
  return "";
}

TEST(Mutants, EveryFaultIsNoticed) {
  register_all_backends();
  const std::vector<Work> works = make_works();
  ASSERT_GE(works.size(), 30u);
  for (const Work& work : works) ASSERT_EQ(disagreement(work), "");
  int killed = 0;
  for (const kernel_faults::NamedFault& seeded : kernel_faults::kFaults) {
    // The faulty code runs only where kernels use a bf16 unit.
    if (seeded.fault == kernel_faults::kValuePairsSwapped && bf16_unit() == Bf16Unit::kNone)
      continue;
    kernel_faults::seeded = seeded.fault;
    std::string seen;
    for (const Work& work : works)
      if (seen = disagreement(work); !seen.empty()) break;
    kernel_faults::seeded = kernel_faults::kNoFault;
    EXPECT_NE(seen, "") << seeded.name << " lives";
    killed += !seen.empty();
  }
  std::cout << killed << " of " << std::size(kernel_faults::kFaults) << " faults noticed, by "
            << works.size() << " calls\n";
  EXPECT_GE(std::size(kernel_faults::kFaults), 40u);
}

// Empty when the decode part of a batch with a captured plan asks for the plan and the prefill part
// does not.
std::string wrong_flag() {
  const std::vector<int32_t> table{0, 1};
  const std::vector<SequenceSlice> mixed{{0, 0, 3, true, table}, {1, 3, 1, false, table}};
  AttentionMetadata metadata = build_metadata(mixed, 16);
  metadata.use_captured_plan = true;
  if (!metadata.decode_metadata()->use_captured_plan) return "decodes without the captured plan";
  return metadata.prefill_metadata()->use_captured_plan ? "prefills ask for a captured plan" : "";
}

TEST(Mutants, EveryFaultOfTheMetadataIsNoticed) {
  ASSERT_EQ(wrong_flag(), "");
  for (const metadata_faults::NamedFault& fault : metadata_faults::kFaults) {
    metadata_faults::seeded = fault.fault;
    EXPECT_NE(wrong_flag(), "") << fault.name << " lives";
    metadata_faults::seeded = metadata_faults::kNoFault;
  }
}

}  // namespace
}  // namespace attn::testing
