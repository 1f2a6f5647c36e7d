// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/engine_fields.h"

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/attention/types.h"
#include "gui/models/text.h"
#include "gui/views/workload/cache_note.h"

namespace attn::gui {
namespace {

// "fp8" is another name of "fp8_e4m3".
std::string shown_name(const std::string& name) {
  const auto dtype = cache_dtype_from_name(name);
  return dtype ? std::string(cache_dtype_name(*dtype)) : name;
}

void choose_cache_dtype(Scenario& scenario, const std::string& name) {
  scenario.engine.kv_cache_dtype = name;
  // The check refuses scales that would have no effect.
  if (!has_quantised_cache(scenario)) scenario.engine.k_scale = scenario.engine.v_scale = 1;
  if (name != "int8") {
    scenario.engine.k_head_scales.clear();
    scenario.engine.v_head_scales.clear();
  }
}

FieldSpec cache_dtype_field() {
  FieldSpec spec{
      .name = tr("Cache dtype"),
      .unit = {},
      .meaning =
          tr("Element type of keys and values in the cache. auto means the type in which the model "
             "computes. fp8 and int8 keep a number divided by a scale, rounded to 8 bits."),
      .path = "$.engine.kv_cache_dtype"};
  for (const std::string& name : cache_dtype_names())
    if (shown_name(name) == name) spec.options.emplace_back(text_of(name), name);
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return shown_name(s.engine.kv_cache_dtype);
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    choose_cache_dtype(s, v);
  };
  return spec;
}

FieldSpec scale_field(const QString& name, const QString& meaning, const char* path,
                      double ScenarioEngine::*member) {
  FieldSpec spec = number_field(name, tr("1 none"), meaning, path, member);
  spec.matters = [](const Scenario& s, const ScenarioRequest&) { return has_quantised_cache(s); };
  return spec;
}

}  // namespace

std::vector<FieldSpec> engine_fields() {
  return {
      number_field(
          tr("Block size"), tr("tokens"),
          tr("A block is a piece of cache memory for the keys and values of this many tokens."),
          "$.engine.block_size", &ScenarioEngine::block_size),
      number_field(tr("Blocks"), {}, tr("Number of blocks of the whole cache."),
                   "$.engine.num_blocks", &ScenarioEngine::num_blocks),
      number_field(tr("Batch budget"), tr("tokens"),
                   tr("The largest number of tokens that one engine step may compute "
                      "(max_num_batched_tokens)."),
                   "$.engine.max_num_batched_tokens", &ScenarioEngine::max_num_batched_tokens),
      number_field(
          tr("Max sequences"), {},
          tr("The largest number of sequences that may run at the same time (max_num_seqs)."),
          "$.engine.max_num_seqs", &ScenarioEngine::max_num_seqs),
      number_field(tr("Threads"), tr("0 all"),
                   tr("Number of worker threads. 0 means one for each hardware thread, or 2 with "
                      "the virtual clock."),
                   "$.engine.threads", &ScenarioEngine::threads),
      cache_dtype_field(),
      scale_field(tr("Key scale"),
                  tr("What a stored key is multiplied by when it is read. With int8 a scenario "
                     "file can give every KV head its own (k_head_scales)."),
                  "$.engine.k_scale", &ScenarioEngine::k_scale),
      scale_field(tr("Value scale"),
                  tr("What a stored value is multiplied by when it is read. With int8 a scenario "
                     "file can give every KV head its own (v_head_scales)."),
                  "$.engine.v_scale", &ScenarioEngine::v_scale)};
}

}  // namespace attn::gui
