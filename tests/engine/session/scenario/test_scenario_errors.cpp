// SPDX-License-Identifier: GPL-3.0-or-later
// How scenarios are refused: most cases change one value of a good file and list what the message
// contains.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "engine/core/error.h"
#include "engine/session/scenario/scenario.h"

namespace attn {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const char* kModel =
    R"({"version": 1, "title": "t", "description": "d", "seed": 1, "source": {"model": "tiny"},
  "requests": [{"prompt": "Hi"}, {"name": "b", "prompt": "Ho", "max_tokens": 4}],
  "engine": {"block_size": 8}, "view": {"layer": 1}})";
const char* kSynthetic =
    R"({"version": 1, "source": {"synthetic": {"kind": "needle", "num_layers": 2, "num_heads": 4,
  "num_kv_heads": 2, "max_model_len": 64}}, "requests": [{"prompt_tokens": 20}], "view": {"layer": 1, "head": 3}})";

const char* kCross =
    R"({"version": 1, "source": {"synthetic": {"kind": "alignment", "max_model_len": 64}},
  "attention": {"type": "encoder_decoder"}, "requests": [{"prompt_tokens": 2, "encoder_tokens": 20}],
  "engine": {"block_size": 8}})";

struct BadCase {
  const char* name;
  const char* base;
  const char* pointer;  // JSON pointer to the value that is replaced, added or removed
  std::string value;    // JSON text; "" removes it
  const char* where;    // path after "bad.json, "
  const char* found;    // the whole text of the error's part `found`
  const char* allowed;
  const char* advice = "";
};

void PrintTo(const BadCase& bad, std::ostream* out) {
  *out << bad.name;
}

std::string bad_text(const BadCase& bad) {
  Json root = Json::parse(bad.base);
  const Json::json_pointer pointer(bad.pointer);
  if (bad.value.empty()) {
    root[pointer.parent_pointer()].erase(pointer.back());
  } else {
    root[pointer] = Json::parse(bad.value);
  }
  return root.dump();
}

class ScenarioRefusal : public testing::TestWithParam<BadCase> {};

TEST_P(ScenarioRefusal, SaysWhereFoundAllowed) {
  const BadCase& bad = GetParam();
  ASSERT_NO_THROW(parse_scenario(bad.base, "good.json"));
  const std::string text = bad_text(bad);
  try {
    parse_scenario(text, "bad.json");
    FAIL() << "accepted " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.parts().where, std::string("bad.json, ") + bad.where);
    EXPECT_EQ(error.parts().found, bad.found);
    EXPECT_THAT(error.parts().allowed, HasSubstr(bad.allowed));
    EXPECT_THAT(error.parts().advice, HasSubstr(bad.advice));
    EXPECT_FALSE(error.parts().what.empty());
  }
}

std::string text_of(size_t bytes) {
  return "\"" + std::string(bytes, 'a') + "\"";
}

const BadCase kBadCases[] = {
    // Version, unknown keys, title, description, seed
    {"version_missing", kModel, "/version", "", "$.version", "no such key", "1", "Add \"version\""},
    {"version_newer", kModel, "/version", "2", "$.version", "2", "1", "newer version"},
    {"version_zero", kModel, "/version", "0", "$.version", "0", "1"},
    {"version_text", kModel, "/version", "\"1\"", "$.version", "\"1\"", "an integer, 1"},
    {"version_fraction", kModel, "/version", "1.0", "$.version", "1.0", "an integer, 1"},
    {"unknown_key", kModel, "/sed", "1", "$.sed", "\"sed\"", "version, title, description, seed",
     "`seed`"},
    {"unknown_key_far", kModel, "/zzzzzzzz", "1", "$.zzzzzzzz", "\"zzzzzzzz\"",
     "source, requests, arrivals, attention, engine, view"},
    {"title_number", kModel, "/title", "3", "$.title", "3", "a text"},
    {"title_long", kModel, "/title", text_of(201), "$.title", "201 bytes",
     "one line of 0 to 200 bytes"},
    {"title_two_lines", kModel, "/title", "\"a\\nb\"", "$.title", "byte 0x0A", "one line"},
    {"description_long", kModel, "/description", text_of(4001), "$.description", "4001 bytes",
     "0 to 4000 bytes"},
    {"description_nul", kModel, "/description", "\"a\\u0000b\"", "$.description", "byte 0x00",
     "bytes of UTF-8"},
    {"seed_negative", kModel, "/seed", "-1", "$.seed", "-1", "0 to 18446744073709551615"},
    {"seed_too_large", kModel, "/seed", "18446744073709551616", "$.seed", "1.8446744073709552e+19",
     "0 to 1844"},
    {"seed_fraction", kModel, "/seed", "0.5", "$.seed", "0.5", "an integer"},
    // Source
    {"source_missing", kModel, "/source", "", "$.source", "no such key", "{\"model\": NAME}"},
    {"source_text", kModel, "/source", "\"tiny\"", "$.source", "\"tiny\"", "an object"},
    {"source_empty", kModel, "/source", "{}", "$.source",
     "neither `model` nor `synthetic` nor `tensors`", "\"synthetic\""},
    {"source_both", kModel, "/source", R"({"model": "a", "synthetic": {"kind": "random"}})",
     "$.source", "`model` and `synthetic`", "or"},
    {"source_unknown", kModel, "/source", R"({"modle": "a"})", "$.source.modle", "\"modle\"",
     "model, synthetic", "`model`"},
    {"model_empty", kModel, "/source/model", "\"\"", "$.source.model", "\"\"",
     "a bundled name or a folder"},
    {"model_number", kModel, "/source/model", "5", "$.source.model", "5", "a text"},
    {"model_control", kModel, "/source/model", "\"a\\tb\"", "$.source.model", "byte 0x09",
     "one line"},
    {"model_long", kModel, "/source/model", text_of(4097), "$.source.model", "4097 bytes",
     "1 to 4096 bytes"},
    {"synthetic_list", kSynthetic, "/source/synthetic", "[]", "$.source.synthetic", "an empty list",
     "an object"},
    {"kind_missing", kSynthetic, "/source/synthetic/kind", "", "$.source.synthetic.kind",
     "no such key", "random, local, induction, needle"},
    {"kind_unknown", kSynthetic, "/source/synthetic/kind", "\"nedle\"", "$.source.synthetic.kind",
     "\"nedle\"", "random, local, induction, needle", "`needle`"},
    {"kind_number", kSynthetic, "/source/synthetic/kind", "1", "$.source.synthetic.kind", "1",
     "random, local"},
    {"synthetic_key", kSynthetic, "/source/synthetic/head_dim", "64", "$.source.synthetic.head_dim",
     "\"head_dim\"", "head_size"},
    {"num_layers_zero", kSynthetic, "/source/synthetic/num_layers", "0",
     "$.source.synthetic.num_layers", "0", "1 to 254 layers"},
    {"num_heads_many", kSynthetic, "/source/synthetic/num_heads", "256",
     "$.source.synthetic.num_heads", "256", "1 to 255 query heads"},
    {"kv_heads_uneven", kSynthetic, "/source/synthetic/num_kv_heads", "3",
     "$.source.synthetic.num_kv_heads", "4 query heads, 3 KV heads", "a divisor of num_heads"},
    {"head_size_large", kSynthetic, "/source/synthetic/head_size", "1025",
     "$.source.synthetic.head_size", "1025", "1 to 1024 elements"},
    {"max_model_len_one", kSynthetic, "/source/synthetic/max_model_len", "1",
     "$.source.synthetic.max_model_len", "1", "2 to 1048576 tokens"},
    {"period_zero", kSynthetic, "/source/synthetic/period", "0", "$.source.synthetic.period", "0",
     "1 to 1048576 tokens"},
    {"needle_past_end", kSynthetic, "/source/synthetic/needle_position", "64",
     "$.source.synthetic.needle_position", "64", "0 to 63 (max_model_len - 1)"},
    {"sharpness_negative", kSynthetic, "/source/synthetic/sharpness", "-0.5",
     "$.source.synthetic.sharpness", "-0.5", "0 to 100"},
    {"sharpness_text", kSynthetic, "/source/synthetic/sharpness", "\"4\"",
     "$.source.synthetic.sharpness", "\"4\"", "a number, 0 to 100"},
    // Requests
    {"requests_missing", kModel, "/requests", "", "$.requests", "no such key", "a list"},
    {"requests_object", kModel, "/requests", "{\"a\": 1}", "$.requests", "an object", "a list"},
    {"requests_none", kModel, "/requests", "[]", "$.requests", "0", "1 to 4096 requests"},
    {"request_text", kModel, "/requests/1", "\"Hi\"", "$.requests[1]", "\"Hi\"", "an object"},
    {"request_key", kModel, "/requests/1/max_token", "4", "$.requests[1].max_token",
     "\"max_token\"", "max_tokens", "`max_tokens`"},
    {"prompt_missing", kModel, "/requests/1/prompt", "", "$.requests[1].prompt", "", "",
     "Type the text"},
    {"prompt_null", kModel, "/requests/0/prompt", "null", "$.requests[0].prompt", "null", "a text"},
    {"prompt_long", kModel, "/requests/0/prompt", text_of(1048577), "$.requests[0].prompt",
     "1048577 bytes", "0 to 1048576 bytes"},
    {"prompt_nul", kModel, "/requests/0/prompt", "\"a\\u0000\"", "$.requests[0].prompt",
     "byte 0x00", "UTF-8"},
    {"model_prompt_tokens", kModel, "/requests/0/prompt_tokens", "7", "$.requests[0].prompt_tokens",
     "7", "no prompt_tokens", "Remove it"},
    {"synthetic_prompt", kSynthetic, "/requests/0/prompt", "\"Hi\"", "$.requests[0].prompt",
     "\"Hi\"", "no prompt", "prompt_tokens"},
    {"synthetic_no_length", kSynthetic, "/requests/0/prompt_tokens", "",
     "$.requests[0].prompt_tokens", "0", "1 to 1048576 tokens"},
    {"heads_twice", kModel, "/requests/0/interventions",
     R"([{"kind": "head", "layer": 4, "head": 2}, {"kind": "head", "layer": 4, "head": 3},
         {"kind": "head", "layer": 4, "head": 2, "with": "mean"}])",
     "$.requests[0].interventions[2]",
     "head 4.2 at its mean, and in $.requests[0].interventions[0] head 4.2 off", "once"},
    {"edges_twice", kModel, "/requests/0/interventions",
     R"([{"kind": "edge", "layer": 1, "head": 1, "query": 6, "key": 4},
         {"kind": "edge", "layer": 1, "head": 1, "query": 6, "key": 4}])",
     "$.requests[0].interventions[1]",
     "edge 1.1: query 6 does not read key 4, and in $.requests[0].interventions[0] edge 1.1: query "
     "6 does not read key 4",
     "once"},
    {"prompt_tokens_negative", kSynthetic, "/requests/0/prompt_tokens", "-1",
     "$.requests[0].prompt_tokens", "-1", "1 to 1048576 tokens"},
    {"name_long", kModel, "/requests/0/name", text_of(101), "$.requests[0].name", "101 bytes",
     "0 to 100 bytes"},
    {"max_tokens_zero", kModel, "/requests/1/max_tokens", "0", "$.requests[1].max_tokens", "0",
     "1 to 1048576 tokens"},
    {"max_tokens_huge", kModel, "/requests/1/max_tokens", "18446744073709551615",
     "$.requests[1].max_tokens", "18446744073709551615", "1 to 1048576 tokens"},
    {"temperature_high", kModel, "/requests/0/temperature", "100.5", "$.requests[0].temperature",
     "100.5", "0 to 100"},
    {"temperature_text", kModel, "/requests/0/temperature", "\"hot\"", "$.requests[0].temperature",
     "\"hot\"", "a number"},
    {"top_k_negative", kModel, "/requests/0/top_k", "-1", "$.requests[0].top_k", "-1",
     "0 to 1048576 tokens"},
    {"top_p_zero", kModel, "/requests/0/top_p", "0", "$.requests[0].top_p", "0", "above 0 to 1"},
    {"top_p_high", kModel, "/requests/0/top_p", "1.5", "$.requests[0].top_p", "1.5",
     "above 0 to 1"},
    {"request_seed", kModel, "/requests/0/seed", "-5", "$.requests[0].seed", "-5", "0 to 1844"},
    // Attention
    {"attention_list", kModel, "/attention", "[]", "$.attention", "an empty list", "an object"},
    {"attention_key", kModel, "/attention", R"({"sliding_windw": 8})", "$.attention.sliding_windw",
     "\"sliding_windw\"", "type, sliding_window, logits_soft_cap, alibi, sinks, blocksparse",
     "`sliding_window`"},
    {"attention_top_key", kModel, "/atention", "{}", "$.atention", "\"atention\"", "attention",
     "`attention`"},
    {"type_unknown", kSynthetic, "/attention", R"({"type": "encoder"})", "$.attention.type",
     "\"encoder\"", "decoder, encoder_only, encoder_decoder", "`decoder`"},
    {"type_number", kSynthetic, "/attention", R"({"type": 1})", "$.attention.type", "1",
     "decoder, encoder_only"},
    {"decoder_prompt_of_decoder", kModel, "/requests/0/decoder_prompt", R"("One day")",
     "$.requests[0].decoder_prompt", "\"One day\"",
     "no decoder_prompt, or a model with the attention type \"encoder_decoder\""},
    {"encoder_tokens_without", kSynthetic, "/requests/0/encoder_tokens", "8",
     "$.requests[0].encoder_tokens", "8", "0, or the attention type \"encoder_decoder\""},
    {"encoder_tokens_missing", kSynthetic, "/attention", R"({"type": "encoder_decoder"})",
     "$.requests[0].encoder_tokens", "0", "1 to 1048576 tokens"},
    {"encoder_tokens_negative", kCross, "/requests/0/encoder_tokens", "-1",
     "$.requests[0].encoder_tokens", "-1", "0 to 1048576 tokens"},
    {"encoder_tokens_long", kCross, "/requests/0/encoder_tokens", "65",
     "$.requests[0].encoder_tokens", "65", "1 to 64 tokens (max_model_len)"},
    {"cross_window", kCross, "/attention/sliding_window", "8", "$.attention.sliding_window", "8",
     "0 with the type \"encoder_decoder\""},
    {"cross_alibi", kCross, "/attention/alibi", "true", "$.attention.alibi", "true",
     "false with the type \"encoder_decoder\""},
    {"cross_blocksparse", kCross, "/attention/blocksparse", "{}", "$.attention.blocksparse",
     "an object", "no blocksparse with the type \"encoder_decoder\""},
    {"blocksparse_list", kModel, "/attention", R"({"blocksparse": [2, 8]})",
     "$.attention.blocksparse", "a list", "an object"},
    {"blocksparse_key", kModel, "/attention", R"({"blocksparse": {"local_block": 2}})",
     "$.attention.blocksparse.local_block", "\"local_block\"",
     "local_blocks, vert_stride, block_size, head_sliding_step", "`local_blocks`"},
    {"blocksparse_no_blocks", kModel, "/attention", R"({"blocksparse": {"local_blocks": 0}})",
     "$.attention.blocksparse.local_blocks", "0", "1 to 1048576 blocks"},
    {"blocksparse_step", kModel, "/attention", R"({"blocksparse": {"head_sliding_step": -1}})",
     "$.attention.blocksparse.head_sliding_step", "-1", "0 to 1048576 blocks per head"},
    {"cross_chunked", kCross, "/engine/policy", "\"chunked_prefill\"", "$.engine.policy",
     "\"chunked_prefill\"", "\"prefill_first\""},
    {"cross_prefix_caching", kCross, "/engine/enable_prefix_caching", "true",
     "$.engine.enable_prefix_caching", "true", "false"},
    {"alignment_of_decoder", kSynthetic, "/source/synthetic/kind", "\"alignment\"",
     "$.attention.type", "\"decoder\"", "\"encoder_decoder\""},
    {"window_negative", kModel, "/attention", R"({"sliding_window": -1})",
     "$.attention.sliding_window", "-1", "0 to 1048576 tokens (0: none)"},
    {"window_large", kModel, "/attention", R"({"sliding_window": 1048577})",
     "$.attention.sliding_window", "1048577", "0 to 1048576 tokens (0: none)"},
    {"window_fraction", kModel, "/attention", R"({"sliding_window": 8.5})",
     "$.attention.sliding_window", "8.5", "an integer, 0 to 1048576 tokens"},
    {"cap_negative", kModel, "/attention", R"({"logits_soft_cap": -30})",
     "$.attention.logits_soft_cap", "-30", "0 to 1000000"},
    {"cap_tiny", kModel, "/attention", R"({"logits_soft_cap": 0.0001})",
     "$.attention.logits_soft_cap", "0.0001", "0 (none), or 0.001 to 1000000"},
    {"cap_text", kModel, "/attention", R"({"logits_soft_cap": "30"})",
     "$.attention.logits_soft_cap", "\"30\"", "a number, 0 to 1000000"},
    {"alibi_number", kSynthetic, "/attention", R"({"alibi": 1})", "$.attention.alibi", "1",
     "true, false"},
    {"alibi_of_model", kModel, "/attention", R"({"alibi": true})", "$.attention.alibi", "true",
     "false, or another source"},
    {"sinks_text", kSynthetic, "/attention", R"({"sinks": "1"})", "$.attention.sinks", "\"1\"",
     "a list of numbers"},
    {"sinks_of_text", kSynthetic, "/attention", R"({"sinks": [1, "2", 3, 4]})",
     "$.attention.sinks[1]", "\"2\"", "a number, -1000 to 1000"},
    {"sink_large", kSynthetic, "/attention", R"({"sinks": 1001})", "$.attention.sinks[0]", "1001",
     "-1000 to 1000"},
    {"sinks_count", kSynthetic, "/attention", R"({"sinks": [1, 2, 3]})", "$.attention.sinks",
     "3 sinks", "4, one per query head, or one for all of them"},
    // Engine
    {"engine_list", kModel, "/engine", "[1]", "$.engine", "a list", "an object"},
    {"engine_key", kModel, "/engine/blok_size", "8", "$.engine.blok_size", "\"blok_size\"",
     "block_size", "Did you mean `block_size`?"},
    {"odd_key", kModel, "/engine/a b", "8", "$.engine[\"a b\"]", "\"a b\"", "block_size"},
    {"backend_empty", kModel, "/engine/backend", "\"\"", "$.engine.backend", "\"\"",
     "1 to 64 bytes"},
    {"backend_list", kModel, "/engine/backend", "[]", "$.engine.backend", "an empty list",
     "a text"},
    {"sdpa_kernel", kModel, "/engine/sdpa_kernel", "\"flsh\"", "$.engine.sdpa_kernel", "\"flsh\"",
     "auto, math, flash", "`flash`"},
    {"block_size_zero", kModel, "/engine/block_size", "0", "$.engine.block_size", "0",
     "1 to 256 tokens per block"},
    {"block_size_large", kModel, "/engine/block_size", "257", "$.engine.block_size", "257",
     "1 to 256 tokens per block"},
    {"block_size_fraction", kModel, "/engine/block_size", "16.5", "$.engine.block_size", "16.5",
     "an integer, 1 to 256 tokens per block"},
    {"block_size_text", kModel, "/engine/block_size", "\"16\"", "$.engine.block_size", "\"16\"",
     "an integer"},
    {"num_blocks_zero", kModel, "/engine/num_blocks", "0", "$.engine.num_blocks", "0",
     "1 to 1048576 blocks"},
    {"num_blocks_large", kModel, "/engine/num_blocks", "1048577", "$.engine.num_blocks", "1048577",
     "1 to 1048576 blocks"},
    {"batched_tokens", kModel, "/engine/max_num_batched_tokens", "0",
     "$.engine.max_num_batched_tokens", "0", "1 to 1048576 tokens per step"},
    {"policy_near", kModel, "/engine/policy", "\"chunked_prefil\"", "$.engine.policy",
     "\"chunked_prefil\"", "prefill_first, chunked_prefill", "`chunked_prefill`"},
    {"preemption_unknown", kModel, "/engine/preemption", "\"drop\"", "$.engine.preemption",
     "\"drop\"", "recompute, swap"},
    {"swap_without_pool", kModel, "/engine/preemption", "\"swap\"", "$.engine.num_swap_blocks", "0",
     "1 to 1048576 blocks", "recompute"},
    {"swap_blocks_negative", kModel, "/engine/num_swap_blocks", "-1", "$.engine.num_swap_blocks",
     "-1", "0 to 1048576 blocks"},
    {"prefix_caching_number", kModel, "/engine/enable_prefix_caching", "1",
     "$.engine.enable_prefix_caching", "1", "true, false"},
    {"watermark_whole", kModel, "/engine/watermark", "1", "$.engine.watermark", "1",
     "0 to 0.99 of the blocks"},
    {"samples_zero", kModel, "/requests/0/n", "0", "$.requests[0].n", "0", "1 to 64 sequences"},
    {"samples_many", kModel, "/requests/0/n", "17", "$.requests[0].n", "17",
     "1 to 16 (max_num_seqs)", "Raise max_num_seqs to 17"},
    {"beams_many", kModel, "/requests/0/beam_width", "65", "$.requests[0].beam_width", "65",
     "1 to 64 beams"},
    {"arrival_not_listed", kModel, "/requests/0/arrival_s", "1.5", "$.requests[0].arrival_s", "1.5",
     "listed"},
    {"arrival_before", kModel, "/requests/0/arrival_s", "-1", "$.requests[0].arrival_s", "-1",
     "0 to 1000000 seconds"},
    {"arrivals_kind", kModel, "/arrivals/kind", "\"poison\"", "$.arrivals.kind", "\"poison\"",
     "all_at_once, listed, poisson", "`poisson`"},
    {"arrival_rate", kModel, "/arrivals/rate_per_s", "0", "$.arrivals.rate_per_s", "0",
     "0.01 to 1000000 requests per second"},
    {"arrivals_list", kModel, "/arrivals", "[]", "$.arrivals", "an empty list", "an object"},
    {"num_seqs", kModel, "/engine/max_num_seqs", "4097", "$.engine.max_num_seqs", "4097",
     "1 to 4096 sequences"},
    {"cache_dtype", kModel, "/engine/kv_cache_dtype", "\"fp32\"", "$.engine.kv_cache_dtype",
     "\"fp32\"", "auto, f32, bf16", "`f32`"},
    {"k_scale_zero", kModel, "/engine/k_scale", "0", "$.engine.k_scale", "0", "1e-30 to 1e+30"},
    {"v_scale_text", kModel, "/engine/v_scale", "\"1\"", "$.engine.v_scale", "\"1\"", "a number"},
    {"k_scale_of_f32", kModel, "/engine/k_scale", "2", "$.engine.k_scale",
     "2 with kv_cache_dtype auto", "1, or kv_cache_dtype fp8"},
    {"v_scale_key", kModel, "/engine/v_scal", "2", "$.engine.v_scal", "\"v_scal\"", "v_scale",
     "`v_scale`"},
    {"head_scales_of_f32", kModel, "/engine/k_head_scales", "[1, 2]", "$.engine.k_head_scales",
     "2 scales with kv_cache_dtype auto", "an empty list, or kv_cache_dtype int8"},
    {"head_scales_number", kModel, "/engine/v_head_scales", "1", "$.engine.v_head_scales", "1",
     "a list of numbers"},
    {"head_scales_text", kModel, "/engine/v_head_scales", "[1, \"2\"]", "$.engine.v_head_scales[1]",
     "\"2\"", "a number"},
    {"head_scales_zero", kModel, "/engine/v_head_scales", "[1, 0]", "$.engine.v_head_scales[1]",
     "0", "1e-30 to 1e+30"},
    {"head_scales_count", kSynthetic, "/engine",
     R"({"kv_cache_dtype": "int8", "k_head_scales": [1, 2, 3]})", "$.engine.k_head_scales",
     "3 scales", "2, one per KV head"},
    {"pad_head_size", kModel, "/engine/pad_head_size", "64", "$.engine.pad_head_size", "64",
     "true, false"},
    {"captured_plan", kModel, "/engine/use_captured_plan", "\"yes\"", "$.engine.use_captured_plan",
     "\"yes\"", "true, false"},
    {"captured_plan_key", kModel, "/engine/use_captured_plans", "true",
     "$.engine.use_captured_plans", "\"use_captured_plans\"", "use_captured_plan",
     "`use_captured_plan`"},
    {"tpu", kModel, "/engine/tpu", "\"v5\"", "$.engine.tpu", "\"v5\"", "v4, v5e, v5p, v6e", "`v"},
    {"tpu_too_old", kModel, "/engine/tpu", "\"v3\"", "$.engine.tpu", "\"v3\"", "v4, v5e, v5p, v6e"},
    {"threads", kModel, "/engine/threads", "-1", "$.engine.threads", "-1", "0 to 254 threads"},
    {"clock", kModel, "/engine/clock", "\"virtul\"", "$.engine.clock", "\"virtul\"",
     "real, virtual", "`virtual`"},
    {"extended", kModel, "/engine/extended", "1", "$.engine.extended", "1", "true, false"},
    // View
    {"view_key", kModel, "/view/colour_map", "\"grey\"", "$.view.colour_map", "\"colour_map\"",
     "color_map", "`color_map`"},
    {"view_layer", kModel, "/view/layer", "-1", "$.view.layer", "-1", "0 to 253"},
    {"view_head", kModel, "/view/head", "255", "$.view.head", "255", "0 to 254"},
    {"view_layer_of_source", kSynthetic, "/view/layer", "2", "$.view.layer", "2", "0 to 1"},
    {"view_head_of_source", kSynthetic, "/view/head", "4", "$.view.head", "4", "0 to 3"},
    {"pace_negative", kModel, "/view/pace_tiles_per_s", "-1", "$.view.pace_tiles_per_s", "-1",
     "0 to 1000000 tiles per second"},
    {"pace_too_slow", kModel, "/view/pace_tiles_per_s", "0.009", "$.view.pace_tiles_per_s", "0.009",
     "0.01 to 1000000 tiles per second"},
    {"color_map", kModel, "/view/color_map", "\"jet\"", "$.view.color_map", "\"jet\"",
     "cividis, viridis, magma, grey"},
    {"scale", kModel, "/view/scale", "\"lin\"", "$.view.scale", "\"lin\"", "linear, log"},
    {"view_null", kModel, "/view", "null", "$.view", "null", "an object"},
};

INSTANTIATE_TEST_SUITE_P(Cases, ScenarioRefusal, testing::ValuesIn(kBadCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// An encoder generates nothing.
TEST(ScenarioAttentionKeys, EncodersAskForOneToken) {
  const auto parse = [](const char* max_tokens) {
    Json root = Json::parse(kSynthetic);
    root["attention"] = {{"type", "encoder_only"}};
    if (*max_tokens) root["requests"][0]["max_tokens"] = Json::parse(max_tokens);
    return parse_scenario(root.dump(), "encoder.json");
  };
  EXPECT_EQ(parse("").requests[0].max_tokens, 1);
  EXPECT_EQ(parse("1"), parse(""));
  EXPECT_EQ(parse_scenario(to_json(parse("")), "again.json"), parse(""));
  try {
    parse("32");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.parts().where, "encoder.json, $.requests[0].max_tokens");
    EXPECT_EQ(error.parts().found, "32");
    EXPECT_THAT(error.parts().allowed,
                HasSubstr("1: one token is sampled from the last row of the prompt"));
  }
}

TEST(ScenarioAttentionKeys, OneSinkStandsForAll) {
  Json root = Json::parse(kSynthetic);
  root["attention"] = {{"sinks", 1.5}};
  const Scenario one = parse_scenario(root.dump(), "one.json");
  root["attention"] = {{"sinks", {1.5}}};
  EXPECT_EQ(parse_scenario(root.dump(), "list.json"), one);
  EXPECT_EQ(one.attention.sinks, std::vector<double>{1.5});
}

// The JSON reader has tests of its own; most of these texts check that it is used.
TEST(ScenarioText, StrictJsonIsRequired) {
  const std::string good = kModel;
  const std::string cases[] = {"",
                               "null",
                               "[]",
                               "\"scenario\"",
                               "{",
                               good + "x",
                               "\xEF\xBB\xBF" + good,
                               R"({"version": 1, "version": 1})",
                               R"({"version": 1e999})",
                               std::string(1000, '['),
                               "{\"version\": 1, \"title\": \"\xff\"}"};
  for (const std::string& text : cases) {
    try {
      parse_scenario(text, "bad.json");
      ADD_FAILURE() << "accepted " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      EXPECT_THAT(error.parts().where, HasSubstr("bad.json"));
    }
  }
}

TEST(ScenarioText, EveryPrefixOfAGoodFileIsRefusedCleanly) {
  const std::string good = kSynthetic;
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW(parse_scenario(good.substr(0, length), "cut.json"), Error) << length;
  }
}

TEST(ScenarioText, AnyByteChangedIsAcceptedOrRefusedCleanly) {
  const std::string good = kModel;
  for (size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string text = good;
      text[at] = static_cast<char>(text[at] ^ (1 << bit));
      try {
        const Scenario scenario = parse_scenario(text, "flip.json");
        EXPECT_EQ(parse_scenario(to_json(scenario), "again.json"), scenario);
      } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
      }
    }
  }
}

// --- scenarios that are not read from a file ---

Scenario good_scenario() {
  return parse_scenario(kModel, "good.json");
}

std::string refused_at(const Scenario& scenario) {
  try {
    validate(scenario);
  } catch (const Error& error) {
    return error.parts().where;
  }
  return "accepted";
}

TEST(ValidateScenario, NamesThePathWithoutAFile) {
  EXPECT_EQ(refused_at(good_scenario()), "accepted");
  Scenario s = good_scenario();
  s.engine.block_size = 0;
  EXPECT_EQ(refused_at(s), "$.engine.block_size");
  s = good_scenario();
  s.version = 2;
  EXPECT_EQ(refused_at(s), "$.version");
  s = good_scenario();
  s.requests[1].sampling.top_p = std::nan("");
  EXPECT_EQ(refused_at(s), "$.requests[1].top_p");
  s = good_scenario();
  s.requests[0].sampling.temperature = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refused_at(s), "$.requests[0].temperature");
  s = good_scenario();
  s.requests[0].prompt.clear();
  EXPECT_EQ(refused_at(s), "$.requests[0].prompt");
  s = good_scenario();
  s.requests[0].prompt = "\xC3";
  EXPECT_EQ(refused_at(s), "$.requests[0].prompt");
  s = good_scenario();
  s.requests.clear();
  EXPECT_EQ(refused_at(s), "$.requests");
  s = good_scenario();
  s.source.synthetic.emplace();
  EXPECT_EQ(refused_at(s), "$.source");
  s = good_scenario();
  s.source.model.clear();
  EXPECT_EQ(refused_at(s), "$.source");
  s = good_scenario();
  s.view.color_map = "jet";
  EXPECT_EQ(refused_at(s), "$.view.color_map");
  s = good_scenario();
  s.engine.backend_options["sdpa_kernel"] = "fast";
  EXPECT_EQ(refused_at(s), "$.engine.sdpa_kernel");
  s = good_scenario();
  s.engine.backend_options["sdpa"] = "math";
  EXPECT_EQ(refused_at(s), "$.engine.sdpa");
}

// --- backend names ---

TEST(ScenarioBackend, UnknownNameIsRefusedWithItsPlace) {
  Scenario s = good_scenario();
  s.engine.backend = "torch_spda";
  EXPECT_EQ(refused_at(good_scenario()), "accepted");
  try {
    parse_scenario(to_json(s), "bad.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.parts().where, "bad.json, $.engine.backend");
    EXPECT_THAT(error.parts().found, HasSubstr("torch_spda"));
    EXPECT_THAT(error.parts().allowed, HasSubstr("torch_sdpa"));
    EXPECT_THAT(error.parts().allowed, HasSubstr("reference"));
    EXPECT_THAT(error.parts().advice, HasSubstr("`torch_sdpa`"));
  }
}

}  // namespace
}  // namespace attn
