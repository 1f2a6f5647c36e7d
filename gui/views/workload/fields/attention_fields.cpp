// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the form about attention.
#include "engine/core/limits.h"
#include "gui/models/text.h"
#include "gui/views/workload/scenario_form.h"

namespace attn::gui {
namespace {

int64_t whole_number(double value) {
  return static_cast<int64_t>(value);
}

// The blocks are small, to mask something in a short prompt too.
constexpr BlockSparse kFirstBlocks{
    .local_blocks = 1, .vert_stride = 4, .block_size = 8, .head_sliding_step = 0};

}  // namespace

// The ranges in the texts must agree with validate().
void ScenarioForm::build_attention(QVBoxLayout* layout) {
  heading(layout, tr("Attention"));
  no_text_only_.push_back(choice(
      layout, tr("Type"),
      tr("Decoder: a token can see itself and the tokens before it. Encoder: a token can also see "
         "the tokens after it; there is no KV cache, and no text is generated. Cross: in cross "
         "attention the tokens of the decoder see the tokens of an encoder, whose keys and values "
         "are in the cache."),
      "$.attention.type",
      {{tr("Decoder"), "decoder"},
       {tr("Encoder"), "encoder_only"},
       {tr("Cross"), "encoder_decoder"}},
      [](const Scenario& s) {
        switch (s.attention.type) {
          case AttentionType::kEncoderOnly:
            return std::string("encoder_only");
          case AttentionType::kEncoderDecoder:
            return std::string("encoder_decoder");
          default:
            return std::string("decoder");
        }
      },
      [](Scenario& s, const std::string& v) {
        set_attention_type(s, v == "encoder_only"      ? AttentionType::kEncoderOnly
                              : v == "encoder_decoder" ? AttentionType::kEncoderDecoder
                                                       : AttentionType::kDecoder);
      }));
  Field* window = number(
      layout, tr("Window"), tr("0 none"),
      tr("Sliding window of N tokens: of the tokens before it a token sees at most the last N − 1, "
         "unless the backend ignores the window. 1 to %1 tokens; 0: no window. Layers for which "
         "the model has its own setting keep it.")
          .arg(kMostTokens),
      "$.attention.sliding_window", true,
      [](const Scenario& s) { return double(s.attention.sliding_window); },
      [](Scenario& s, double v) { s.attention.sliding_window = whole_number(v); });
  // An alternating source has windows of its own.
  conditional_.push_back({window, [](const Scenario& s, const ScenarioRequest&) {
                            return !s.source.synthetic ||
                                   s.source.synthetic->kind != SyntheticKind::kAlternating;
                          }});
  number(
      layout, tr("Soft cap"), tr("0 none"),
      tr("A score becomes cap × tanh(score ÷ cap), which lies between −cap and cap; ALiBi is added "
         "after that. torch_sdpa and xformers refuse a soft cap, or ignore it if Extended is on; "
         "pallas refuses it. 0.001 to 1000000; 0 switches it off."),
      "$.attention.logits_soft_cap", false,
      [](const Scenario& s) { return s.attention.logits_soft_cap; },
      [](Scenario& s, double v) { s.attention.logits_soft_cap = v; });
  no_text_only_.push_back(choice(
      layout, tr("ALiBi"),
      tr("Attention with linear biases: slope × (key − query), the difference of their positions, "
         "is added to every score. Every head has its own slope."),
      "$.attention.alibi", {{tr("off"), "off"}, {tr("on"), "on"}},
      [](const Scenario& s) { return std::string(s.attention.alibi ? "on" : "off"); },
      [](Scenario& s, const std::string& v) { s.attention.alibi = v == "on"; }));
  choice(
      layout, tr("Sink"),
      tr("A sink adds one logit without a key to the softmax of a row. The weight that the sink "
         "takes goes to no token."),
      "$.attention.sinks", {{tr("off"), "off"}, {tr("on"), "on"}},
      [](const Scenario& s) { return std::string(s.attention.sinks.empty() ? "off" : "on"); },
      [](Scenario& s, const std::string& v) {
        s.attention.sinks.clear();
        if (v == "on") s.attention.sinks.push_back(0);
      });
  sink_ = number(
      layout, tr("Sink logit"), tr("all heads"),
      tr("The logit of the sink, −1000 to 1000. A number typed here applies to all heads. A "
         "scenario file can give every head its own."),
      "$.attention.sinks[]", false,
      [](const Scenario& s) { return s.attention.sinks.empty() ? 0.0 : s.attention.sinks.front(); },
      [](Scenario& s, double v) {
        if (!s.attention.sinks.empty()) s.attention.sinks = {v};
      });
  build_blocksparse(layout);
}

void ScenarioForm::build_blocksparse(QVBoxLayout* layout) {
  choice(
      layout, tr("Block-sparse"),
      tr("Keys are taken in blocks. A query sees the last blocks up to its own and, of those "
         "before them, only every n-th one. unified and reference compute it; torch_sdpa, xformers "
         "and pallas refuse it. Not for cross attention."),
      "$.attention.blocksparse", {{tr("off"), "off"}, {tr("on"), "on"}},
      [](const Scenario& s) { return std::string(s.attention.blocksparse ? "on" : "off"); },
      [](Scenario& s, const std::string& v) {
        s.attention.blocksparse.reset();
        if (v == "on") s.attention.blocksparse = kFirstBlocks;
      });
  const auto part = [&](const QString& name, const QString& unit, const QString& meaning,
                        const char* path, int64_t BlockSparse::*member) {
    Field* field = number(
        layout, name, unit, meaning, path, true,
        [member](const Scenario& s) {
          return double(s.attention.blocksparse.value_or(kFirstBlocks).*member);
        },
        [member](Scenario& s, double v) {
          if (s.attention.blocksparse) (*s.attention.blocksparse).*member = whole_number(v);
        });
    conditional_.push_back({field, [](const Scenario& s, const ScenarioRequest&) {
                              return s.attention.blocksparse.has_value();
                            }});
  };
  part(tr("Sparse block"), tr("tokens"),
       tr("Tokens in a block of block-sparse attention; the block size of the cache can differ. 1 "
          "to %1.")
           .arg(kMostTokens),
       "$.attention.blocksparse.block_size", &BlockSparse::block_size);
  part(tr("Local blocks"), {},
       tr("A query sees up to this many of the last blocks, its own among them, and every n-th one "
          "before. 1 to %1.")
           .arg(kMostTokens),
       "$.attention.blocksparse.local_blocks", &BlockSparse::local_blocks);
  part(tr("Vertical stride"), tr("blocks"),
       tr("Of the blocks before the local ones a query sees every n-th: in head 0 block n − 1, 2n "
          "− 1 and so on. 1 to %1; 1 means all.")
           .arg(kMostTokens),
       "$.attention.blocksparse.vert_stride", &BlockSparse::vert_stride);
  part(tr("Head step"), tr("blocks"),
       tr("Moves the stripes by this many blocks from one head to the next. 0 to %1; 0 means that "
          "all heads have the same stripes.")
           .arg(kMostTokens),
       "$.attention.blocksparse.head_sliding_step", &BlockSparse::head_sliding_step);
}

}  // namespace attn::gui
