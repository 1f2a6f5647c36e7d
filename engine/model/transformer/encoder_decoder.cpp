// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/transformer/encoder_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/model/layers/embedding.h"
#include "engine/model/layers/norm.h"
#include "engine/model/layers/rows.h"

namespace attn {
namespace {

// --- the shape for the engine ---

// Zeros stand for the numbers of a relative bias until they are read.
RelativeBias empty_bias(const EncoderDecoderSpec& spec, bool of_encoder) {
  if (spec.buckets == 0) return {};
  const int64_t before = spec.max_distance, after = of_encoder ? before : 0;
  return {before, after,
          std::vector<float>(static_cast<size_t>(spec.heads.heads * (before + 1 + after)))};
}

SourceShape shape_of(const EncoderDecoderSpec& spec) {
  const float scale =
      spec.scale != 0 ? spec.scale
                      : static_cast<float>(1.0 / std::sqrt(static_cast<double>(spec.heads.size)));
  SourceShape shape{.name = "",
                    .num_layers = spec.encoder.layers.size + 2 * spec.decoder.layers.size,
                    .num_heads = spec.heads.heads,
                    .num_kv_heads = spec.heads.kv_heads,
                    .head_size = spec.heads.size,
                    .scale = scale,
                    .vocab_size = spec.vocabulary.size,
                    .max_model_len = spec.max_model_len,
                    .max_encoder_len = spec.max_model_len};
  const auto add = [&](std::string label, AttentionType type, RelativeBias bias) {
    shape.calls.push_back(
        {.label = std::move(label), .type = type, .relative_bias = std::move(bias)});
  };
  const RelativeBias of_encoder = empty_bias(spec, true), of_decoder = empty_bias(spec, false);
  for (int64_t i = 0; i < spec.encoder.layers.size; ++i)
    add(fmt::format("L{} encoder", i), AttentionType::kEncoder, of_encoder);
  for (int64_t i = 0; i < spec.decoder.layers.size; ++i) {
    add(fmt::format("L{} self", i), AttentionType::kDecoder, of_decoder);
    add(fmt::format("L{} cross", i), AttentionType::kEncoderDecoder, {});
  }
  return shape;
}

// --- the network ---

struct AttentionLayer {
  std::unique_ptr<Norm> norm;     // C
  Linear query, key, value, out;  // C -> H*D three times, H*D -> C
};

struct StackLayer {
  AttentionLayer self, cross;      // cross: of the decoder
  std::unique_ptr<Norm> mlp_norm;  // C
  Linear up, down;                 // C -> F, gated C -> 2F; F -> C
};

// The encoder or the decoder, and its rows of the step.
struct Stack {
  Embedding positions;  // [positions, C]
  std::unique_ptr<Norm> embedding_norm, final_norm;
  std::vector<StackLayer> layers;
  std::vector<float> x;  // [rows, C]
  int64_t rows = 0;
};

class EncoderDecoder : public Model {
 public:
  explicit EncoderDecoder(EncoderDecoderSpec spec)
      : Model(shape_of(spec)), spec_(std::move(spec)), width_(spec_.width.size) {
    set_decoder_start(spec_.start_token);
  }

  void take_weights(TensorReader& reader) override;
  bool begin_step(const StepTokens& tokens, const Execution& execution) override;
  bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
           const Execution& execution) override;
  bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) override;
  bool end_step(Tensor& logits, const Execution& execution) override;
  Network network() const override;
  bool read_out(const float* x, std::span<const int64_t> rows, Tensor& logits,
                const Execution& execution) override;

 private:
  std::unique_ptr<Norm> take_norm(TensorReader& reader, const std::string& name) const;
  void take_attention(TensorReader& reader, const std::string& at, const AttentionNames& names,
                      AttentionLayer& layer) const;
  void take_stack(TensorReader& reader, const StackSpec& spec, Stack& stack) const;
  void take_relative_bias(TensorReader& reader, bool of_encoder);

  void add_sinusoid(int64_t position, float* to) const;
  bool embed(Stack& stack, std::span<const int32_t> ids, std::span<const int32_t> positions,
             const Execution& execution);
  // The rows that attention or an MLP reads: normed, or as they are where norms follow sums. Null:
  // cancelled.
  const float* input_of(const Stack& stack, const Norm* norm, const Execution& execution);
  // To be called after the output of attention or an MLP was added: computes the norm of the sum,
  // where norms follow sums.
  bool end_branch(Stack& stack, const Norm* norm, const Execution& execution) const;
  bool mlp(Stack& stack, const StackLayer& layer, const Execution& execution);

  // The stack, the layer and the attention to which an attention call belongs.
  struct Call {
    Stack* stack;
    StackLayer* layer;
    AttentionLayer* attention;
    bool cross, last;  // last: an MLP follows it
  };
  Call call(int64_t index);

  EncoderDecoderSpec spec_;
  int64_t width_ = 0;    // C
  Embedding embedding_;  // [V, C]
  Linear head_;          // C -> V
  Stack encoder_, decoder_;

  // The step being computed.
  StepTokens step_;
  std::vector<float> states_;          // [E, C]: what cross attention reads
  std::vector<float> normed_;          // [rows, C]
  std::vector<float> up_, activated_;  // [rows, F] or [rows, 2F], [rows, F]
};

// --- weights ---

std::unique_ptr<Norm> EncoderDecoder::take_norm(TensorReader& reader,
                                                const std::string& name) const {
  if (name.empty()) return nullptr;
  std::unique_ptr<Norm> norm;
  if (spec_.uses_layer_norm)
    norm = std::make_unique<LayerNorm>(spec_.norm_epsilon);
  else
    norm = std::make_unique<RmsNorm>(spec_.norm_epsilon);
  norm->take(reader, name, spec_.width);
  return norm;
}

void EncoderDecoder::take_attention(TensorReader& reader, const std::string& at,
                                    const AttentionNames& names, AttentionLayer& layer) const {
  const Axis all{fmt::format("{} * {}", spec_.heads_key, spec_.size_key),
                 spec_.heads.heads * spec_.heads.size};
  const LinearOptions options{WeightOrder::kOutIn, spec_.has_bias};
  layer.query.take(reader, spec_.width, {{at + names.query, all}}, options);
  layer.key.take(reader, spec_.width, {{at + names.key, all}}, options);
  layer.value.take(reader, spec_.width, {{at + names.value, all}}, options);
  layer.out.take(reader, all, {{at + names.out, spec_.width}}, options);
  layer.norm = take_norm(reader, at + names.norm);
}

void EncoderDecoder::take_stack(TensorReader& reader, const StackSpec& spec, Stack& stack) const {
  reader.layers(spec.prefix, spec.layers);
  if (spec_.positions == PositionKind::kLearned)
    stack.positions.take(reader, spec.positions,
                         {"max_position_embeddings", spec_.max_model_len + spec_.position_offset},
                         spec_.width);
  stack.embedding_norm = take_norm(reader, spec.embedding_norm);
  stack.final_norm = take_norm(reader, spec.final_norm);
  stack.layers.reserve(static_cast<size_t>(spec.layers.size));  // the reader points into it
  for (int64_t i = 0; i < spec.layers.size; ++i) {
    const std::string at = fmt::format("{}{}.", spec.prefix, i);
    StackLayer& layer = stack.layers.emplace_back();
    take_attention(reader, at, spec.self, layer.self);
    if (!spec.cross.query.empty()) take_attention(reader, at, spec.cross, layer.cross);
    layer.mlp_norm = take_norm(reader, at + spec.mlp_norm);
    const LinearOptions options{WeightOrder::kOutIn, spec_.has_bias};
    std::vector<LinearPart> parts;
    for (const std::string& name : spec.up) parts.push_back({at + name, spec.inner});
    layer.up.take(reader, spec_.width, parts, options);
    layer.down.take(reader, spec.inner, {{at + spec.down, spec_.width}}, options);
  }
}

// The table gives a number to each bucket and head; the calls get one for each distance and head.
void EncoderDecoder::take_relative_bias(TensorReader& reader, bool of_encoder) {
  const StackSpec& stack = of_encoder ? spec_.encoder : spec_.decoder;
  const std::string name = stack.relative_bias + ".weight";
  const auto set = [this, of_encoder, name](const Tensor& tensor) {
    const std::vector<float> table = f32_values(tensor);
    if (const auto bad =
            std::ranges::find_if(table, [](float value) { return !std::isfinite(value); });
        bad != table.end())
      throw_bad_input({"a number of the relative position bias is not finite", name,
                       fmt::format("{}", *bad), "finite numbers", ""});
    const int64_t heads = spec_.heads.heads, before = spec_.max_distance,
                  after = of_encoder ? before : 0;
    std::vector<float> values;
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t distance = -before; distance <= after; ++distance)
        values.push_back(table[static_cast<size_t>(
            relative_bucket(distance, of_encoder, spec_.buckets, spec_.max_distance) * heads +
            head)]);
    const RelativeBias bias(before, after, std::move(values));
    for (AttentionCall& call : shape_.calls)
      if (call.type == (of_encoder ? AttentionType::kEncoder : AttentionType::kDecoder))
        call.relative_bias = bias;
  };
  reader.take(
      name,
      {{"relative_attention_num_buckets", spec_.buckets}, {spec_.heads_key, spec_.heads.heads}},
      set);
}

void EncoderDecoder::take_weights(TensorReader& reader) {
  for (const std::string& ending : spec_.ignored) reader.ignore(ending);
  has_own_head_ = take_embeddings(reader, {spec_.embedding, spec_.head}, spec_.vocabulary,
                                  spec_.width, spec_.tie_embeddings, embedding_, head_);
  if (!spec_.logits_bias.empty() && reader.has(spec_.logits_bias))
    reader.take(spec_.logits_bias, {{"1", 1}, spec_.vocabulary}, [this](const Tensor& bias) {
      const std::vector<float> values = f32_values(bias);
      Tensor flat(DType::kF32, {spec_.vocabulary.size});
      std::ranges::copy(values, flat.data<float>());
      head_.set_bias(0, flat);
    });
  take_stack(reader, spec_.encoder, encoder_);
  take_stack(reader, spec_.decoder, decoder_);
  if (spec_.buckets == 0) return;
  take_relative_bias(reader, true);
  take_relative_bias(reader, false);
}

// --- a step ---

// Adds the sines of a position to the first half of a row, and its cosines to the second half.
void EncoderDecoder::add_sinusoid(int64_t position, float* to) const {
  if (spec_.positions == PositionKind::kSinusoidalToEnd) {
    // In f32 as transformers computes it. With an odd width the last number stays.
    const int64_t half = width_ / 2;
    const auto step = static_cast<float>(-std::log(10000.0) / static_cast<double>(half - 1));
    for (int64_t i = 0; i < half; ++i) {
      const float angle = static_cast<float>(position) * std::exp(static_cast<float>(i) * step);
      to[i] += std::sin(angle);
      to[half + i] += std::cos(angle);
    }
    return;
  }
  const int64_t half = (width_ + 1) / 2;
  for (int64_t i = 0; i < width_; ++i) {
    const int64_t pair = i < half ? i : i - half;
    const double angle =
        static_cast<double>(position) /
        std::pow(10000.0, 2.0 * static_cast<double>(pair) / static_cast<double>(width_));
    to[i] += static_cast<float>(i < half ? std::sin(angle) : std::cos(angle));
  }
}

bool EncoderDecoder::embed(Stack& stack, std::span<const int32_t> ids,
                           std::span<const int32_t> positions, const Execution& execution) {
  stack.rows = static_cast<int64_t>(ids.size());
  make_room(stack.x, stack.rows * width_);
  if (stack.rows == 0) return true;
  const auto bytes = 8.0 * static_cast<double>(width_);
  if (!for_rows(execution, KernelId::kEmbed, stack.rows, static_cast<double>(width_), bytes,
                [&](int64_t row) {
                  const auto at = static_cast<size_t>(row);
                  float* to = stack.x.data() + row * width_;
                  embedding_.look_up(ids[at], to);
                  if (spec_.embedding_scale != 1) row_of(to, width_) *= spec_.embedding_scale;
                  if (spec_.positions == PositionKind::kLearned)
                    stack.positions.add(positions[at] + spec_.position_offset, to);
                  if (spec_.positions == PositionKind::kSinusoidal ||
                      spec_.positions == PositionKind::kSinusoidalToEnd)
                    add_sinusoid(positions[at] + spec_.position_offset, to);
                }))
    return false;
  return !stack.embedding_norm ||
         stack.embedding_norm->forward(stack.x.data(), stack.rows, stack.x.data(), execution);
}

bool EncoderDecoder::begin_step(const StepTokens& tokens, const Execution& execution) {
  check_step(tokens);
  step_ = tokens;
  if (!embed(encoder_, step_.encoder_ids, step_.encoder_positions, execution) ||
      !embed(decoder_, step_.token_ids, step_.positions, execution))
    return false;
  show(ResidualSite::kEmbed, 0, decoder_.x.data(), decoder_.rows, width_);
  return true;
}

EncoderDecoder::Call EncoderDecoder::call(int64_t index) {
  const int64_t of_encoder = spec_.encoder.layers.size;
  if (index < of_encoder) {
    StackLayer& layer = encoder_.layers[static_cast<size_t>(index)];
    return {&encoder_, &layer, &layer.self, false, true};
  }
  StackLayer& layer = decoder_.layers[static_cast<size_t>((index - of_encoder) / 2)];
  const bool cross = (index - of_encoder) % 2 == 1;
  return {&decoder_, &layer, cross ? &layer.cross : &layer.self, cross, cross};
}

const float* EncoderDecoder::input_of(const Stack& stack, const Norm* norm,
                                      const Execution& execution) {
  if (spec_.norm_after_sum) return stack.x.data();
  make_room(normed_, stack.rows * width_);
  return norm->forward(stack.x.data(), stack.rows, normed_.data(), execution) ? normed_.data()
                                                                              : nullptr;
}

bool EncoderDecoder::end_branch(Stack& stack, const Norm* norm, const Execution& execution) const {
  return !spec_.norm_after_sum ||
         norm->forward(stack.x.data(), stack.rows, stack.x.data(), execution);
}

bool EncoderDecoder::qkv(int64_t index, Tensor& query, Tensor& key, Tensor& value,
                         const Execution& execution) {
  const Call at = call(index);
  const Stack& stack = *at.stack;
  const int64_t heads = spec_.heads.heads, size = spec_.heads.size,
                keys = at.cross ? encoder_.rows : stack.rows;
  make_room(query, {stack.rows, heads, size});
  make_room(key, {keys, heads, size});
  make_room(value, {keys, heads, size});
  const float* input = input_of(stack, at.attention->norm.get(), execution);
  const auto project = [&](const Linear& linear, const float* x, int64_t rows, Tensor& to) {
    return rows == 0 ||
           linear.forward(x, rows, to.data<float>(), false, KernelId::kLinear, execution);
  };
  const float* read = at.cross ? states_.data() : input;
  return input && project(at.attention->query, input, stack.rows, query) &&
         project(at.attention->key, read, keys, key) &&
         project(at.attention->value, read, keys, value);
}

bool EncoderDecoder::mlp(Stack& stack, const StackLayer& layer, const Execution& execution) {
  const float* input = input_of(stack, layer.mlp_norm.get(), execution);
  const int64_t inner = layer.down.in();
  make_room(up_, stack.rows * layer.up.out());
  make_room(activated_, stack.rows * inner);
  return input &&
         layer.up.forward(input, stack.rows, up_.data(), false, KernelId::kLinear, execution) &&
         (spec_.gated ? activate_gated(spec_.activation, up_.data(), stack.rows, inner,
                                       activated_.data(), execution)
                      : activate(spec_.activation, up_.data(), stack.rows, inner, activated_.data(),
                                 execution)) &&
         layer.down.forward(activated_.data(), stack.rows, stack.x.data(), true, KernelId::kLinear,
                            execution) &&
         end_branch(stack, layer.mlp_norm.get(), execution);
}

bool EncoderDecoder::attention_output(int64_t index, const Tensor& out,
                                      const Execution& execution) {
  const Call at = call(index);
  Stack& stack = *at.stack;
  if (!at.attention->out.forward(out.data<float>(), stack.rows, stack.x.data(), true,
                                 KernelId::kLinear, execution) ||
      !end_branch(stack, at.attention->norm.get(), execution))
    return false;
  const bool is_decoder = at.stack == &decoder_;
  if (is_decoder) show(ResidualSite::kMid, index, stack.x.data(), stack.rows, width_);
  if (at.last && !mlp(stack, *at.layer, execution)) return false;
  if (is_decoder) show(ResidualSite::kPost, index, stack.x.data(), stack.rows, width_);
  if (index + 1 != spec_.encoder.layers.size) return true;
  states_ = stack.x;
  return !stack.final_norm ||
         stack.final_norm->forward(stack.x.data(), stack.rows, states_.data(), execution);
}

bool EncoderDecoder::end_step(Tensor& logits, const Execution& execution) {
  return read_out(decoder_.x.data(), step_.logit_rows, logits, execution);
}

bool EncoderDecoder::read_out(const float* stream, std::span<const int64_t> of, Tensor& logits,
                              const Execution& execution) {
  const auto rows = static_cast<int64_t>(of.size());
  make_room(logits, {rows, spec_.vocabulary.size});
  make_room(normed_, rows * width_);
  if (decoder_.final_norm) {
    if (!decoder_.final_norm->forward(stream, of, normed_.data(), execution)) return false;
  } else {
    for (int64_t i = 0; i < rows; ++i)
      std::copy_n(stream + of[static_cast<size_t>(i)] * width_, width_,
                  normed_.data() + i * width_);
  }
  if (spec_.logit_scale != 1) row_of(normed_.data(), rows * width_) *= spec_.logit_scale;
  return rows == 0 || head_.forward(normed_.data(), rows, logits.data<float>(), false,
                                    KernelId::kLogits, execution);
}

Network EncoderDecoder::network() const {
  Network network;
  network.width = width_;
  network.heads = spec_.heads;
  network.vocab_size = spec_.vocabulary.size;
  for (const StackLayer& layer : encoder_.layers)
    network.layers.push_back({.out = &layer.self.out});
  for (const StackLayer& layer : decoder_.layers) {
    network.layers.push_back({.out = &layer.self.out, .has_mlp = false});
    network.layers.push_back({.out = &layer.cross.out});
  }
  network.embedding = &embedding_;
  network.final_norm = decoder_.final_norm.get();
  network.head = &head_;
  network.logit_scale = spec_.logit_scale;
  if (spec_.norm_after_sum) network.not_a_sum = std::string(kNormsAfterSums);
  return network;
}

}  // namespace

int64_t relative_bucket(int64_t distance, bool in_encoder, int64_t buckets, int64_t max_distance) {
  int64_t first = 0;
  if (in_encoder) {
    buckets /= 2;
    if (distance > 0) first = buckets;
  } else {
    distance = std::min<int64_t>(distance, 0);
  }
  const int64_t away = std::abs(distance), exact = buckets / 2;
  if (away < exact) return first + away;
  // In f32: near the edge of a bucket, f64 could give another one.
  const float share =
      std::log(static_cast<float>(away) / static_cast<float>(exact)) /
      static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
  const auto later = exact + static_cast<int64_t>(share * static_cast<float>(buckets - exact));
  return first + std::min(later, buckets - 1);
}

std::unique_ptr<Model> make_encoder_decoder(EncoderDecoderSpec spec) {
  return std::make_unique<EncoderDecoder>(std::move(spec));
}

}  // namespace attn
