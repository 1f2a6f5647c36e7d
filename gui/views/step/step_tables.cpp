// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/session/report/report.h"
#include "engine/trace/event.h"

namespace attn::gui {

namespace {

std::string reasons_of(const PlannedCall& call) {
  std::string all;
  for (const Sentence& reason : call.reasons) all += (all.empty() ? "" : " ") + english(reason);
  return all;
}

}  // namespace

std::string step_calls_csv(const StepScene& scene) {
  std::string out = "step,type,layers,call,kernel,first_sequence,sequences,rows,padding,reasons\n";
  if (scene.is_empty()) return out;
  for (const StepFacts::Layers& layers : scene.facts->layers)
    for (size_t i = 0; i < layers.calls.size(); ++i) {
      const PlannedCall& call = layers.calls[i];
      out += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", scene.facts->batch.step,
                         name_of(layers.config.attn_type), fmt::join(layers.layers, " "), i,
                         name_of(call.kernel), call.first_sequence, call.sequences, call.rows,
                         call.padding, csv_cell(reasons_of(call)));
    }
  return out;
}

std::string step_cache_csv(const StepScene& scene) {
  std::string out =
      "step,sequence,request,part,row,position,slot,block,offset,kv_head,half,byte,dtype,"
      "block_stride,head_stride,token_stride,chunk,chunk_stride\n";
  if (scene.is_empty() || !scene.cache) return out;
  const CacheMap& map = *scene.cache;
  const auto add = [&](const StepPlace& place, int64_t row, int64_t position) {
    const CacheElement element{scene.slot(place), scene.element.head, 0};
    if (element.slot < 0) return;
    for (const auto& [half, name] :
         {std::pair{CacheHalf::kKey, "key"}, {CacheHalf::kValue, "value"}}) {
      const KvSource& strides = map.half(half);
      const int64_t size = map.element_bytes();
      out += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", scene.facts->batch.step,
          place.sequence, scene.sequences[static_cast<size_t>(place.sequence)].request,
          place.kind == StepPlace::Kind::kToken ? "own" : "encoder", row, position, element.slot,
          element.slot / map.block_size, element.slot % map.block_size, element.head, name,
          map.byte_of(half, element), cache_dtype_name(map.dtype), strides.block_stride * size,
          strides.head_stride * size, strides.token_stride * size, strides.chunk,
          strides.chunk_stride * size);
    }
  };
  int64_t encoder_row = 0;
  for (int64_t s = 0; s < scene.num_sequences(); ++s) {
    for (int64_t i = 0; i < scene.query_len(s); ++i)
      add({StepPlace::Kind::kToken, s, i}, scene.first_row(s) + i, scene.context_len(s) + i);
    for (int64_t i = 0; i < scene.encoder_tokens(s); ++i)
      add({StepPlace::Kind::kEncoderToken, s, i}, encoder_row++, i);
  }
  return out;
}

}  // namespace attn::gui
