// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/attention_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/attention/attention_bias.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"

namespace attn {
namespace {

std::string text_of(const ScenarioAttention& attention) {
  std::string text = attention.type == AttentionType::kEncoderOnly      ? "encoder only"
                     : attention.type == AttentionType::kEncoder        ? "encoder"
                     : attention.type == AttentionType::kEncoderDecoder ? "encoder-decoder (cross)"
                                                                        : "decoder";
  if (attention.sliding_window > 0)
    text += ", sliding window " + counted(attention.sliding_window, "token", "tokens");
  if (attention.logits_soft_cap > 0)
    text += fmt::format(", soft cap {}", attention.logits_soft_cap);
  if (attention.alibi) text += ", ALiBi";
  if (attention.sinks.size() == 1)
    text += fmt::format(", sinks {}", attention.sinks.front());
  else if (!attention.sinks.empty())
    text += fmt::format(", sinks {} by head", fmt::join(attention.sinks, " "));
  if (const auto& sparse = attention.blocksparse)
    text += fmt::format(
        ", block-sparse (block_size {}, local_blocks {}, vert_stride {}, head_sliding_step {})",
        sparse->block_size, sparse->local_blocks, sparse->vert_stride, sparse->head_sliding_step);
  return text;
}

// `attention` with the settings of the call in place of its own.
ScenarioAttention with(ScenarioAttention attention, const AttentionCall& call) {
  if (call.type) attention.type = *call.type;
  if (call.sliding_window) attention.sliding_window = *call.sliding_window;
  if (call.logits_soft_cap) attention.logits_soft_cap = static_cast<double>(*call.logits_soft_cap);
  if (call.alibi_slopes) attention.alibi = !call.alibi_slopes->empty();
  if (call.sinks) attention.sinks.assign(call.sinks->begin(), call.sinks->end());
  return attention;
}

}  // namespace

void set_attention(const ScenarioAttention& attention, const SourceShape& shape,
                   AttentionConfig& config) {
  config.attn_type = attention.type;
  if (attention.sliding_window > 0) config.sliding_window = attention.sliding_window;
  if (attention.logits_soft_cap > 0)
    config.logits_soft_cap = static_cast<float>(attention.logits_soft_cap);
  config.blocksparse = attention.blocksparse;
  if (attention.alibi) config.alibi_slopes = standard_alibi_slopes(shape.num_heads);
  if (attention.sinks.empty()) return;
  const auto heads = static_cast<size_t>(shape.num_heads);
  if (attention.sinks.size() == 1) {
    config.sinks.emplace(heads, static_cast<float>(attention.sinks.front()));
    return;
  }
  if (attention.sinks.size() != heads)
    throw_bad_input(
        {"the number of sinks is wrong", "$.attention.sinks",
         fmt::format("{} sinks", attention.sinks.size()),
         fmt::format("{}, one per query head of {}, or one for all of them, or an empty list",
                     heads, shape.name),
         ""});
  config.sinks.emplace(attention.sinks.begin(), attention.sinks.end());
}

void set_attention(const AttentionCall& call, AttentionConfig& config) {
  if (call.type) config.attn_type = *call.type;
  if (call.sliding_window) {
    config.sliding_window.reset();
    if (*call.sliding_window > 0) config.sliding_window = *call.sliding_window;
  }
  if (call.logits_soft_cap) {
    config.logits_soft_cap.reset();
    if (*call.logits_soft_cap > 0) config.logits_soft_cap = *call.logits_soft_cap;
  }
  const auto set_per_head = [](const auto& of_call, auto& of_config) {
    if (!of_call) return;
    of_config.reset();
    if (!of_call->empty()) of_config = of_call;
  };
  set_per_head(call.alibi_slopes, config.alibi_slopes);
  set_per_head(call.sinks, config.sinks);
  config.relative_bias = call.relative_bias;
}

WeightRule layer_rule(const AttentionBackend& backend, const AttentionConfig& config) {
  WeightRule rule = weight_rule(config);
  const BackendCapabilities capabilities = backend.capabilities();
  if (capabilities.ignores_soft_cap) rule.soft_cap = 0;
  if (capabilities.causal_masks && config.attn_type != AttentionType::kEncoderDecoder &&
      (config.alibi_slopes || config.sliding_window))
    rule.causal = true;
  return rule;
}

std::string attention_text(const ScenarioAttention& attention, const SourceShape& shape) {
  std::vector<std::string> texts;   // each once
  std::vector<std::string> labels;  // [texts] the layers with this text
  for (const AttentionCall& call : shape.calls) {
    std::string text = text_of(with(attention, call));
    if (!call.relative_bias.empty()) text += ", relative position bias";
    const auto known = std::ranges::find(texts, text);
    if (known == texts.end()) {
      texts.push_back(text);
      labels.push_back(call.label);
    } else {
      labels[static_cast<size_t>(known - texts.begin())] += ", " + call.label;
    }
  }
  if (texts.empty()) return text_of(attention);
  if (texts.size() == 1) return texts.front();
  std::string all;
  for (size_t i = 0; i < texts.size(); ++i)
    all += fmt::format("{}{}: {}", i == 0 ? "" : "; ", labels[i], texts[i]);
  return all;
}

std::vector<std::string> attention_warnings(const Scenario& scenario, bool caches_own) {
  const ScenarioAttention& attention = scenario.attention;
  std::vector<std::string> sentences;
  if (attention.type == AttentionType::kEncoderOnly) {
    sentences.emplace_back(
        "Encoder attention has no KV cache: the scheduler still reserves blocks, but nothing is "
        "written to them. Nothing is decoded: the only token of a request is sampled from the last "
        "row of its prompt.");
    if (scenario.engine.use_captured_plan)
      sentences.emplace_back("An encoder has no decode steps, so no plans are captured.");
  }
  if (attention.type == AttentionType::kEncoderDecoder && caches_own)
    sentences.emplace_back(
        "Self attention and cross attention: a request has two block tables. One holds the keys "
        "and values of its own tokens and grows with them. The other holds those of the encoder's "
        "tokens, which are written when the prompt is computed and then only read.");
  if (attention.type == AttentionType::kEncoderDecoder && !caches_own)
    sentences.emplace_back(
        "Cross attention: the tokens of a request read the tokens of its encoder. The keys and "
        "values of the encoder are written in the request's prefill and do not change. The blocks "
        "hold nothing else, so no block table grows, and no request is preempted.");
  if (!scenario.source.reads_text()) return sentences;
  std::vector<std::string> untrained;
  if (attention.sliding_window > 0)
    untrained.push_back(fmt::format("a sliding window of {} tokens", attention.sliding_window));
  if (attention.logits_soft_cap > 0)
    untrained.push_back(fmt::format("a soft cap of {}", attention.logits_soft_cap));
  if (!attention.sinks.empty()) untrained.emplace_back("these sinks");
  if (attention.blocksparse) untrained.emplace_back("block-sparse attention");
  if (!untrained.empty())
    sentences.push_back(fmt::format(
        "{} was not trained with {}, so it can generate another text here than it would without.",
        scenario.source.model, fmt::join(untrained, " or ")));
  return sentences;
}

}  // namespace attn
