// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/attention_fields.h"

#include <algorithm>

#include "engine/core/limits.h"
#include "gui/models/text.h"
#include "gui/views/workload/fields/backend_answers.h"

namespace attn::gui {
namespace {

// The blocks are small, to mask something in a short prompt too.
constexpr BlockSparse kFirstBlocks{
    .local_blocks = 1, .vert_stride = 4, .block_size = 8, .head_sliding_step = 0};

// FieldSpec::matters of what a model's own files say.
bool reads_no_text(const Scenario& s, const ScenarioRequest&) {
  return !s.source.reads_text();
}

FieldSpec type_field() {
  FieldSpec spec{
      .name = tr("Type"),
      .unit = {},
      .meaning = tr(
          "Decoder: a token can see itself and the tokens before it. Encoder: a token can also see "
          "the tokens after it; there is no KV cache, and no text is generated. Cross: in cross "
          "attention the tokens of the decoder see the tokens of an encoder, whose keys and values "
          "are in the cache."),
      .path = "$.attention.type"};
  spec.options = {{tr("Decoder"), "decoder"},
                  {tr("Encoder"), "encoder_only"},
                  {tr("Cross"), "encoder_decoder"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    switch (s.attention.type) {
      case AttentionType::kEncoderOnly:
        return std::string("encoder_only");
      case AttentionType::kEncoderDecoder:
        return std::string("encoder_decoder");
      default:
        return std::string("decoder");
    }
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    set_attention_type(s, v == "encoder_only"      ? AttentionType::kEncoderOnly
                          : v == "encoder_decoder" ? AttentionType::kEncoderDecoder
                                                   : AttentionType::kDecoder);
  };
  spec.matters = reads_no_text;
  return spec;
}

// The ranges in the texts must agree with validate().
FieldSpec window_field() {
  FieldSpec spec{
      .name = tr("Window"),
      .unit = tr("0 none"),
      .meaning =
          tr("Sliding window of N tokens: of the tokens before it a token sees at most the last N "
             "− 1, unless the backend ignores the window. 1 to %1 tokens; 0: no window. Layers for "
             "which the model has its own setting keep it.")
              .arg(kMostTokens),
      .path = "$.attention.sliding_window"};
  spec.number = [](const Scenario& s, const ScenarioRequest&) {
    return static_cast<double>(s.attention.sliding_window);
  };
  spec.set_number = [](Scenario& s, ScenarioRequest&, double v) {
    s.attention.sliding_window = static_cast<int64_t>(v);
  };
  // An alternating source has windows of its own.
  spec.matters = [](const Scenario& s, const ScenarioRequest&) {
    return !s.source.synthetic || s.source.synthetic->kind != SyntheticKind::kAlternating;
  };
  return spec;
}

FieldSpec soft_cap_field() {
  const QStringList meaning{
      tr("A score becomes cap × tanh(score ÷ cap), which lies between −cap and cap; ALiBi is added "
         "after that."),
      words_on([](AttentionConfig& config) { config.logits_soft_cap = 30.0f; },
               &BackendCapabilities::ignores_soft_cap),
      tr("0.001 to 1000000; 0 switches it off.")};
  FieldSpec spec{.name = tr("Soft cap"),
                 .unit = tr("0 none"),
                 .meaning = meaning.join(u' '),
                 .path = "$.attention.logits_soft_cap",
                 .whole = false};
  spec.number = [](const Scenario& s, const ScenarioRequest&) {
    return s.attention.logits_soft_cap;
  };
  spec.set_number = [](Scenario& s, ScenarioRequest&, double v) {
    s.attention.logits_soft_cap = v;
  };
  return spec;
}

FieldSpec alibi_field() {
  FieldSpec spec{
      .name = tr("ALiBi"),
      .unit = {},
      .meaning = tr("Attention with linear biases: slope × (key − query), the difference of their "
                    "positions, is added to every score. Every head has its own slope."),
      .path = "$.attention.alibi"};
  spec.options = {{tr("off"), "off"}, {tr("on"), "on"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.attention.alibi ? "on" : "off");
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    s.attention.alibi = v == "on";
  };
  spec.matters = reads_no_text;
  return spec;
}

FieldSpec sink_field() {
  FieldSpec spec{.name = tr("Sink"),
                 .unit = {},
                 .meaning = tr("A sink adds one logit without a key to the softmax of a row. The "
                               "weight that the sink takes goes to no token."),
                 .path = "$.attention.sinks"};
  spec.options = {{tr("off"), "off"}, {tr("on"), "on"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.attention.sinks.empty() ? "off" : "on");
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    s.attention.sinks.clear();
    if (v == "on") s.attention.sinks.push_back(0);
  };
  return spec;
}

FieldSpec sink_logit_field() {
  FieldSpec spec{
      .name = tr("Sink logit"),
      .unit = tr("all heads"),
      .meaning = tr("The logit of the sink, −1000 to 1000. A number typed here applies to all "
                    "heads. A scenario file can give every head its own."),
      .path = "$.attention.sinks[]",
      .whole = false};
  spec.number = [](const Scenario& s, const ScenarioRequest&) {
    return s.attention.sinks.empty() ? 0.0 : s.attention.sinks.front();
  };
  spec.set_number = [](Scenario& s, ScenarioRequest&, double v) {
    if (!s.attention.sinks.empty()) s.attention.sinks = {v};
  };
  spec.matters = [](const Scenario& s, const ScenarioRequest&) {
    return !s.attention.sinks.empty();
  };
  return spec;
}

FieldSpec block_sparse_field() {
  const QStringList meaning{
      tr("Keys are taken in blocks. A query sees the last blocks up to its own and, of those "
         "before them, only every n-th one."),
      words_on([](AttentionConfig& config) { config.blocksparse = kFirstBlocks; }),
      tr("Not for cross attention.")};
  FieldSpec spec{.name = tr("Block-sparse"),
                 .unit = {},
                 .meaning = meaning.join(u' '),
                 .path = "$.attention.blocksparse"};
  spec.options = {{tr("off"), "off"}, {tr("on"), "on"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.attention.blocksparse ? "on" : "off");
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    s.attention.blocksparse.reset();
    if (v == "on") s.attention.blocksparse = kFirstBlocks;
  };
  return spec;
}

FieldSpec block_sparse_number(const QString& name, const QString& unit, const QString& meaning,
                              const char* path, int64_t BlockSparse::*member) {
  FieldSpec spec{.name = name, .unit = unit, .meaning = meaning, .path = path};
  spec.number = [member](const Scenario& s, const ScenarioRequest&) {
    return static_cast<double>(s.attention.blocksparse.value_or(kFirstBlocks).*member);
  };
  spec.set_number = [member](Scenario& s, ScenarioRequest&, double v) {
    if (s.attention.blocksparse) (*s.attention.blocksparse).*member = static_cast<int64_t>(v);
  };
  spec.matters = [](const Scenario& s, const ScenarioRequest&) {
    return s.attention.blocksparse.has_value();
  };
  return spec;
}

}  // namespace

std::vector<FieldSpec> attention_fields() {
  return {
      type_field(),
      window_field(),
      soft_cap_field(),
      alibi_field(),
      sink_field(),
      sink_logit_field(),
      block_sparse_field(),
      block_sparse_number(
          tr("Sparse block"), tr("tokens"),
          tr("Tokens in a block of block-sparse attention; the block size of the cache can differ. "
             "1 to %1.")
              .arg(kMostTokens),
          "$.attention.blocksparse.block_size", &BlockSparse::block_size),
      block_sparse_number(
          tr("Local blocks"), {},
          tr("A query sees up to this many of the last blocks, its own among them, and every n-th "
             "one before. 1 to %1.")
              .arg(kMostTokens),
          "$.attention.blocksparse.local_blocks", &BlockSparse::local_blocks),
      block_sparse_number(
          tr("Vertical stride"), tr("blocks"),
          tr("Of the blocks before the local ones a query sees every n-th: in head 0 block n − 1, "
             "2n − 1 and so on. 1 to %1; 1 means all.")
              .arg(kMostTokens),
          "$.attention.blocksparse.vert_stride", &BlockSparse::vert_stride),
      block_sparse_number(
          tr("Head step"), tr("blocks"),
          tr("Moves the stripes by this many blocks from one head to the next. 0 to %1; 0 means "
             "that all heads have the same stripes.")
              .arg(kMostTokens),
          "$.attention.blocksparse.head_sliding_step", &BlockSparse::head_sliding_step)};
}

void set_attention_type(Scenario& scenario, AttentionType type) {
  if (scenario.attention.type == type) return;
  const bool decoded = scenario.attention.type != AttentionType::kEncoderOnly;
  const bool decodes = type != AttentionType::kEncoderOnly;
  const bool cross = type == AttentionType::kEncoderDecoder;
  scenario.attention.type = type;
  for (ScenarioRequest& request : scenario.requests) {
    if (decodes != decoded) request.max_tokens = decodes ? ScenarioRequest{}.max_tokens : 1;
    const bool counts = cross && !scenario.source.reads_text();
    request.encoder_tokens = counts ? std::max<int64_t>(1, request.prompt_tokens) : 0;
    if (!cross) request.decoder_prompt.clear();
  }
  if (auto& tensors = scenario.source.tensors; tensors && !cross) tensors->key_tokens.clear();
  if (auto& synthetic = scenario.source.synthetic) {
    const bool fits = synthetic->kind == SyntheticKind::kAlignment ||
                              synthetic->kind == SyntheticKind::kEncoderDecoder
                          ? cross
                      : synthetic->kind == SyntheticKind::kAlternating ? decodes && !cross
                                                                       : true;
    if (!fits) synthetic->kind = SyntheticKind::kRandom;
    if (!cross) synthetic->num_encoder_layers = 0;
  }
}

}  // namespace attn::gui
