// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/transformer/transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/model/layers/embedding.h"
#include "engine/model/layers/rows.h"

namespace attn {
namespace {

// --- the shape for the engine ---

std::vector<AttentionCall> calls_of(const TransformerSpec& spec) {
  std::vector<AttentionCall> calls;
  if (spec.windows.empty() && spec.alibi_slopes.empty() && spec.soft_cap == 0 &&
      spec.type == AttentionType::kDecoder)
    return calls;
  for (int64_t i = 0; i < spec.layers.size; ++i) {
    AttentionCall call{.label = fmt::format("L{}", i)};
    if (spec.type != AttentionType::kDecoder) call.type = spec.type;
    if (!spec.windows.empty() && spec.windows[static_cast<size_t>(i)] > 0)
      call.sliding_window = spec.windows[static_cast<size_t>(i)];
    if (spec.soft_cap > 0) call.logits_soft_cap = spec.soft_cap;
    if (!spec.alibi_slopes.empty()) call.alibi_slopes = spec.alibi_slopes;
    calls.push_back(std::move(call));
  }
  return calls;
}

SourceShape shape_of(const TransformerSpec& spec) {
  const float scale =
      spec.scale != 0 ? spec.scale
                      : static_cast<float>(1.0 / std::sqrt(static_cast<double>(spec.heads.size)));
  return {.name = "",
          .num_layers = spec.layers.size,
          .num_heads = spec.heads.heads,
          .num_kv_heads = spec.heads.kv_heads,
          .head_size = spec.heads.size,
          .scale = scale,
          .vocab_size = spec.vocabulary.size,
          .max_model_len = spec.max_model_len,
          .calls = calls_of(spec)};
}

std::unique_ptr<Norm> make_norm(const TransformerSpec& spec) {
  if (spec.uses_layer_norm)
    return std::make_unique<LayerNorm>(spec.norm_epsilon, spec.norm_has_bias);
  return std::make_unique<RmsNorm>(spec.norm_epsilon, spec.norm_offset);
}

// --- the network ---

// The norms around attention or an MLP; null: there is none.
struct LayerNorms {
  std::unique_ptr<Norm> before, after, sum;
};

struct TransformerLayer {
  LayerNorms attention_norms, mlp_norms;       // C
  Linear qkv;                                  // C -> H*D query, Hkv*D key, Hkv*D value
  std::unique_ptr<Norm> query_norm, key_norm;  // D, or H*D and Hkv*D
  Linear out;                                  // H*D -> C
  Linear up;                                   // C -> F; gated: F gate, F up
  Linear down;                                 // F -> C
  std::unique_ptr<Experts> experts;            // in place of up and down
};

// Rotary positions, and the angles of the step's rows. R numbers of a head are rotated.
struct Turn {
  Rotary rotary;
  std::vector<float> cosine, sine;  // [T, R/2]

  void make_room_for(int64_t rows) {
    make_room(cosine, rows * rotary.num_pairs());
    make_room(sine, rows * rotary.num_pairs());
  }
  void compute(int64_t row, int64_t position) {
    const int64_t half = rotary.num_pairs();
    if (half > 0) rotary.angles(position, cosine.data() + row * half, sine.data() + row * half);
  }
};

class Transformer : public Model {
 public:
  explicit Transformer(TransformerSpec spec)
      : Model(shape_of(spec)), spec_(std::move(spec)), width_(spec_.width.size) {
    if (spec_.rotary) turn_.rotary = Rotary(*spec_.rotary, spec_.max_model_len);
    if (spec_.local_rotary) local_turn_.rotary = Rotary(*spec_.local_rotary, spec_.max_model_len);
    embedding_width_ = spec_.embedding_width > 0 ? spec_.embedding_width : width_;
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
  // take_weights():
  std::unique_ptr<Norm> take_norm(TensorReader& reader, const std::string& at,
                                  const std::string& name) const;
  LayerNorms take_norms(TensorReader& reader, const std::string& at, const NormNames& names) const;
  void take_head(TensorReader& reader, const std::string& base);
  void take_attention(TensorReader& reader, const std::string& at, TransformerLayer& layer) const;
  void take_mlp(TensorReader& reader, const std::string& at, int64_t index,
                TransformerLayer& layer) const;

  // begin_step():
  void embed(int64_t row);

  // qkv():
  bool normalize_heads(const TransformerLayer& layer, const Execution& execution);

  // attention_output():
  bool mlp(TransformerLayer& layer, const float* x, float* to, bool add,
           const Execution& execution);
  // Adds the output of attention or of an MLP to the residual stream, with the norms `after` and
  // `sum` and the residual scale. compute(float* to, bool add) writes this output to `to` or adds
  // it there. False: cancelled.
  template <class Compute>
  bool add_branch(const LayerNorms& norms, const Execution& execution, Compute&& compute);

  // The rows that attention or an MLP reads: normed, or as they are where there is no norm
  // `before`. Null: cancelled.
  const float* input_of(const LayerNorms& norms, const Execution& execution) {
    if (!norms.before) return hidden_.data();
    make_room(normed_, num_rows() * width_);
    return norms.before->forward(hidden_.data(), num_rows(), normed_.data(), execution)
               ? normed_.data()
               : nullptr;
  }
  int64_t num_rows() const { return static_cast<int64_t>(step_.token_ids.size()); }
  // Null: the layer has no rotary positions.
  const Turn* turn_of(int64_t layer) const {
    if (!spec_.local_layers.empty() && spec_.local_layers[static_cast<size_t>(layer)])
      return spec_.local_rotary ? &local_turn_ : nullptr;
    return spec_.rotary ? &turn_ : nullptr;
  }

  TransformerSpec spec_;
  int64_t width_ = 0, embedding_width_ = 0;  // C, W
  Embedding embedding_, positions_, types_;  // [V, W], [positions, C], [types, C]
  Linear project_in_, project_out_;          // W -> C, C -> W
  std::unique_ptr<Norm> embedding_norm_, final_norm_;
  std::vector<TransformerLayer> layers_;
  Linear transform_;  // C -> C
  std::unique_ptr<Norm> transform_norm_;
  Linear head_;  // W -> V

  // The step being computed; T rows.
  StepTokens step_;
  std::vector<float> embedded_;         // [T, W]
  std::vector<float> hidden_, normed_;  // [T, C]
  std::vector<float> branch_;           // [T, C]
  Turn turn_, local_turn_;
  std::vector<float> qkv_;             // [T, (H + 2 Hkv) * D]
  std::vector<float> up_, activated_;  // [T, F] or [T, 2F], [T, F]
};

// --- weights ---

std::unique_ptr<Norm> Transformer::take_norm(TensorReader& reader, const std::string& at,
                                             const std::string& name) const {
  if (name.empty()) return nullptr;
  auto norm = make_norm(spec_);
  norm->take(reader, at + name, spec_.width);
  return norm;
}

LayerNorms Transformer::take_norms(TensorReader& reader, const std::string& at,
                                   const NormNames& names) const {
  return {take_norm(reader, at, names.before), take_norm(reader, at, names.after),
          take_norm(reader, at, names.sum)};
}

void Transformer::take_attention(TensorReader& reader, const std::string& at,
                                 TransformerLayer& layer) const {
  const HeadShape& heads = spec_.heads;
  const Axis query{fmt::format("{} * head_dim", spec_.heads_key), heads.heads * heads.size},
      kv{fmt::format("{} * head_dim", spec_.kv_heads_key), heads.kv_heads * heads.size},
      all{"queries, keys and values", heads.width()};
  std::vector<LinearPart> parts;
  if (spec_.qkv.names.size() == 1)
    parts = {{at + spec_.qkv.names[0], all,
              spec_.qkv_by_group ? runs_by_group(heads) : std::vector<OutputRun>{}}};
  else
    parts = {{at + spec_.qkv.names[0], query},
             {at + spec_.qkv.names[1], kv},
             {at + spec_.qkv.names[2], kv}};
  layer.qkv.take(reader, spec_.width, parts, {spec_.qkv.order, spec_.qkv.has_bias});
  if (spec_.query_key_norm != QueryKeyNorm::kNone) {
    const bool per_head = spec_.query_key_norm == QueryKeyNorm::kPerHead;
    const Axis size{"head_dim", heads.size};
    layer.query_norm = make_norm(spec_);
    layer.key_norm = make_norm(spec_);
    layer.query_norm->take(reader, at + "self_attn.q_norm", per_head ? size : query);
    layer.key_norm->take(reader, at + "self_attn.k_norm", per_head ? size : kv);
  }
  layer.out.take(reader, query, {{at + spec_.out.names[0], spec_.width}},
                 {spec_.out.order, spec_.out.has_bias});
}

void Transformer::take_mlp(TensorReader& reader, const std::string& at, int64_t index,
                           TransformerLayer& layer) const {
  const ExpertSpec& experts = spec_.experts;
  if (experts.count.size > 0 && experts.layers[static_cast<size_t>(index)]) {
    layer.experts = std::make_unique<Experts>();
    layer.experts->take(reader, at, spec_.width, experts, spec_.activation);
    return;
  }
  std::vector<LinearPart> parts;
  for (const std::string& name : spec_.up.names) parts.push_back({at + name, spec_.inner});
  if (spec_.gated && parts.size() == 1)
    parts[0].out = {"2 * " + spec_.inner.name, 2 * spec_.inner.size};
  layer.up.take(reader, spec_.width, parts, {spec_.up.order, spec_.up.has_bias});
  layer.down.take(reader, spec_.inner, {{at + spec_.down.names[0], spec_.width}},
                  {spec_.down.order, spec_.down.has_bias});
}

void Transformer::take_head(TensorReader& reader, const std::string& base) {
  const Axis width =
      spec_.embedding_width > 0 ? Axis{"word_embed_proj_dim", spec_.embedding_width} : spec_.width;
  const bool has_head = spec_.transform.empty() || reader.has(spec_.transform + ".weight");
  if (!has_head) {
    embedding_.take(reader, base + spec_.embedding, spec_.vocabulary, width);
    reader.note(
        "The files have no output layer for tokens, so there are no logits: all are 0, and the "
        "token that is sampled says nothing.");
    return;
  }
  has_own_head_ = take_embeddings(reader, {base + spec_.embedding, spec_.head}, spec_.vocabulary,
                                  width, spec_.tie_embeddings, embedding_, head_);
  const auto set_bias = [this](const Tensor& bias) { head_.set_bias(0, bias); };
  if (spec_.head_has_bias) reader.take(spec_.head + ".bias", {spec_.vocabulary}, set_bias);
  if (spec_.transform.empty()) return;
  transform_.take(reader, spec_.width, {{spec_.transform, spec_.width}},
                  {WeightOrder::kOutIn, true});
  transform_norm_ = take_norm(reader, "", spec_.transform_norm);
  const auto there = std::ranges::find_if(
      spec_.head_biases, [&](const std::string& name) { return reader.has(name); });
  reader.take(there == spec_.head_biases.end() ? spec_.head_biases.front() : *there,
              {spec_.vocabulary}, set_bias);
}

void Transformer::take_weights(TensorReader& reader) {
  // Files of a network without its head may leave `base` out of the names of tensors.
  const auto named = [&](const std::string& base) {
    return reader.has(base + spec_.embedding + ".weight");
  };
  const std::string base = named(spec_.base) || !named("") ? spec_.base : "";
  reader.layers(base + spec_.layer_prefix, spec_.layers);
  for (const std::string& ending : spec_.ignored) reader.ignore(ending);
  take_head(reader, base);
  if (!spec_.positions.empty())
    positions_.take(reader, base + spec_.positions,
                    {spec_.positions_key, spec_.max_model_len + spec_.position_offset},
                    spec_.width);
  if (!spec_.token_types.empty())
    types_.take(reader, base + spec_.token_types, {"type_vocab_size", spec_.num_types},
                spec_.width);
  const Axis outer{"word_embed_proj_dim", embedding_width_};
  if (!spec_.project_in.empty())
    project_in_.take(reader, outer, {{base + spec_.project_in, spec_.width}});
  if (!spec_.project_out.empty())
    project_out_.take(reader, spec_.width, {{base + spec_.project_out, outer}});
  embedding_norm_ = take_norm(reader, base, spec_.embedding_norm);
  final_norm_ = take_norm(reader, base, spec_.final_norm);
  layers_.reserve(static_cast<size_t>(spec_.layers.size));  // the reader keeps pointers into it
  for (int64_t i = 0; i < spec_.layers.size; ++i) {
    const std::string at = fmt::format("{}{}{}.", base, spec_.layer_prefix, i);
    TransformerLayer& layer = layers_.emplace_back();
    layer.attention_norms = take_norms(reader, at, spec_.attention_norms);
    layer.mlp_norms = take_norms(reader, at, spec_.mlp_norms);
    take_attention(reader, at, layer);
    take_mlp(reader, at, i, layer);
  }
}

// --- a step ---

// Looks up the embedding of a row's token, and computes the cosines and sines of its rotary
// position.
void Transformer::embed(int64_t row) {
  const auto at = static_cast<size_t>(row);
  float* to = project_in_.in() > 0 ? embedded_.data() + row * embedding_width_
                                   : hidden_.data() + row * width_;
  embedding_.look_up(step_.token_ids[at], to);
  if (spec_.embedding_scale != 1) row_of(to, embedding_width_) *= spec_.embedding_scale;
  turn_.compute(row, step_.positions[at]);
  local_turn_.compute(row, step_.positions[at]);
}

bool Transformer::begin_step(const StepTokens& tokens, const Execution& execution) {
  check_step(tokens);
  step_ = tokens;
  const int64_t rows = num_rows();
  const int64_t pairs = turn_.rotary.num_pairs() + local_turn_.rotary.num_pairs();
  make_room(hidden_, rows * width_);
  make_room(embedded_, project_in_.in() > 0 ? rows * embedding_width_ : 0);
  turn_.make_room_for(rows);
  local_turn_.make_room_for(rows);
  const double flops = 40.0 * static_cast<double>(pairs), bytes = 8.0 * static_cast<double>(width_);
  if (!for_rows(execution, KernelId::kEmbed, rows, flops, bytes, [&](int64_t row) { embed(row); }))
    return false;
  if (project_in_.in() > 0 && !project_in_.forward(embedded_.data(), rows, hidden_.data(), false,
                                                   KernelId::kLinear, execution))
    return false;
  const auto add_tables = [&](int64_t row) {
    float* to = hidden_.data() + row * width_;
    if (!spec_.token_types.empty()) types_.add(0, to);
    if (!spec_.positions.empty())
      positions_.add(step_.positions[static_cast<size_t>(row)] + spec_.position_offset, to);
  };
  if (!(spec_.positions.empty() && spec_.token_types.empty()) &&
      !for_rows(execution, KernelId::kEmbed, rows, static_cast<double>(width_), bytes, add_tables))
    return false;
  if (embedding_norm_ && !embedding_norm_->forward(hidden_.data(), rows, hidden_.data(), execution))
    return false;
  show(ResidualSite::kEmbed, 0, hidden_.data(), rows, width_);
  return true;
}

bool Transformer::normalize_heads(const TransformerLayer& layer, const Execution& execution) {
  const float clip = spec_.clip_qkv;
  if (clip == 0 && !layer.query_norm) return true;
  const HeadShape& heads = spec_.heads;
  const bool per_head = spec_.query_key_norm == QueryKeyNorm::kPerHead;
  const auto normalize = [&](const Norm& norm, float* x, int64_t count) {
    if (!per_head) return norm.normalize(x, x);
    for (int64_t head = 0; head < count; ++head)
      norm.normalize(x + head * heads.size, x + head * heads.size);
  };
  return for_rows(execution, KernelId::kNorm, num_rows(), 4.0 * static_cast<double>(heads.width()),
                  8.0 * static_cast<double>(heads.width()), [&](int64_t row) {
                    float* x = qkv_.data() + row * heads.width();
                    if (clip != 0)
                      row_of(x, heads.width()) = row_of(x, heads.width()).max(-clip).min(clip);
                    if (!layer.query_norm) return;
                    normalize(*layer.query_norm, x, heads.heads);
                    normalize(*layer.key_norm, x + heads.heads * heads.size, heads.kv_heads);
                  });
}

bool Transformer::qkv(int64_t layer_index, Tensor& query, Tensor& key, Tensor& value,
                      const Execution& execution) {
  const TransformerLayer& layer = layers_[static_cast<size_t>(layer_index)];
  const int64_t rows = num_rows();
  const Turn* turn = turn_of(layer_index);
  make_room(qkv_, rows * layer.qkv.out());
  const float* input = input_of(layer.attention_norms, execution);
  const bool finished =
      input && layer.qkv.forward(input, rows, qkv_.data(), false, KernelId::kLinear, execution) &&
      normalize_heads(layer, execution) &&
      split_heads(
          qkv_.data(), rows, spec_.heads,
          turn ? RowAngles{&turn->rotary, turn->cosine.data(), turn->sine.data()} : RowAngles{},
          query, key, value, execution);
  if (finished && spec_.scale_by_layer)
    for (float& x : query.span<float>()) x /= static_cast<float>(layer_index + 1);
  return finished;
}

bool Transformer::mlp(TransformerLayer& layer, const float* x, float* to, bool add,
                      const Execution& execution) {
  const int64_t rows = num_rows(), inner = spec_.inner.size;
  if (layer.experts) {
    if (!add) return layer.experts->forward(x, rows, to, execution);
    make_room(branch_, rows * width_);
    if (!layer.experts->forward(x, rows, branch_.data(), execution)) return false;
    row_of(to, rows * width_) += row_of(branch_.data(), rows * width_);
    return true;
  }
  make_room(up_, rows * layer.up.out());
  make_room(activated_, rows * inner);
  return layer.up.forward(x, rows, up_.data(), false, KernelId::kLinear, execution) &&
         (spec_.gated ? activate_gated(spec_.activation, up_.data(), rows, inner, activated_.data(),
                                       execution)
                      : activate(spec_.activation, up_.data(), rows, inner, activated_.data(),
                                 execution)) &&
         layer.down.forward(activated_.data(), rows, to, add, KernelId::kLinear, execution);
}

template <class Compute>
bool Transformer::add_branch(const LayerNorms& norms, const Execution& execution,
                             Compute&& compute) {
  const int64_t rows = num_rows(), count = rows * width_;
  if (!norms.after && spec_.residual_scale == 1) {
    if (!compute(hidden_.data(), true)) return false;
  } else {
    make_room(branch_, count);
    if (!compute(branch_.data(), false)) return false;
    if (norms.after && !norms.after->forward(branch_.data(), rows, branch_.data(), execution))
      return false;
    row_of(hidden_.data(), count) += row_of(branch_.data(), count) * spec_.residual_scale;
  }
  return !norms.sum || norms.sum->forward(hidden_.data(), rows, hidden_.data(), execution);
}

bool Transformer::attention_output(int64_t layer_index, const Tensor& out,
                                   const Execution& execution) {
  TransformerLayer& layer = layers_[static_cast<size_t>(layer_index)];
  const auto project = [&](float* to, bool add) {
    return layer.out.forward(out.data<float>(), num_rows(), to, add, KernelId::kLinear, execution);
  };
  const float* input = nullptr;
  const auto compute_mlp = [&](float* to, bool add) {
    return mlp(layer, input, to, add, execution);
  };
  if (spec_.parallel) {
    // The MLP reads the residual stream without the attention of this layer. Without a norm of its
    // own it reads the same rows as attention, which are still in normed_.
    input = layer.mlp_norms.before ? input_of(layer.mlp_norms, execution) : normed_.data();
    if (!input) return false;
  }
  if (!add_branch(layer.attention_norms, execution, project)) return false;
  show(ResidualSite::kMid, layer_index, hidden_.data(), num_rows(), width_);
  if (!spec_.parallel) input = input_of(layer.mlp_norms, execution);
  if (!input || !add_branch(layer.mlp_norms, execution, compute_mlp)) return false;
  show(ResidualSite::kPost, layer_index, hidden_.data(), num_rows(), width_);
  return true;
}

bool Transformer::end_step(Tensor& logits, const Execution& execution) {
  return read_out(hidden_.data(), step_.logit_rows, logits, execution);
}

bool Transformer::read_out(const float* stream, std::span<const int64_t> of, Tensor& logits,
                           const Execution& execution) {
  const auto rows = static_cast<int64_t>(of.size());
  const int64_t vocabulary = spec_.vocabulary.size;
  make_room(logits, {rows, vocabulary});
  if (head_.out() == 0) {
    std::ranges::fill(logits.span<float>(), 0.0f);
    return true;
  }
  make_room(normed_, rows * width_);
  if (final_norm_) {
    if (!final_norm_->forward(stream, of, normed_.data(), execution)) return false;
  } else {
    for (int64_t i = 0; i < rows; ++i)
      std::copy_n(stream + of[static_cast<size_t>(i)] * width_, width_,
                  normed_.data() + i * width_);
  }
  const float* x = normed_.data();
  if (project_out_.out() > 0) {
    make_room(embedded_, rows * embedding_width_);
    if (!project_out_.forward(x, rows, embedded_.data(), false, KernelId::kLinear, execution))
      return false;
    x = embedded_.data();
  }
  if (transform_.out() > 0) {
    make_room(branch_, rows * width_);
    if (!transform_.forward(x, rows, branch_.data(), false, KernelId::kLinear, execution) ||
        !activate(spec_.transform_activation, branch_.data(), rows, width_, branch_.data(),
                  execution) ||
        !transform_norm_->forward(branch_.data(), rows, branch_.data(), execution))
      return false;
    x = branch_.data();
  }
  float* to = logits.data<float>();
  if (!head_.forward(x, rows, to, false, KernelId::kLogits, execution)) return false;
  if (spec_.logit_scale != 1) row_of(to, rows * vocabulary) *= spec_.logit_scale;
  if (const float cap = spec_.logit_soft_cap; cap > 0)
    return for_rows(execution, KernelId::kLogits, rows, 20.0 * static_cast<double>(vocabulary),
                    8.0 * static_cast<double>(vocabulary), [&](int64_t row) {
                      for (float& x_i : std::span(to + row * vocabulary, vocabulary))
                        x_i = cap * std::tanh(x_i / cap);
                    });
  return true;
}

Network Transformer::network() const {
  Network network;
  network.width = width_;
  network.heads = spec_.heads;
  network.vocab_size = spec_.vocabulary.size;
  bool has_sum_norms = false;
  for (const TransformerLayer& layer : layers_) {
    const Turn* turn = turn_of(std::ssize(network.layers));
    network.layers.push_back({.qkv = &layer.qkv,
                              .out = &layer.out,
                              .before = layer.attention_norms.before.get(),
                              .after_attention = layer.attention_norms.after.get(),
                              .rotary = turn ? &turn->rotary : nullptr});
    has_sum_norms = has_sum_norms || layer.attention_norms.sum || layer.mlp_norms.sum;
  }
  network.embedding = &embedding_;
  network.final_norm = final_norm_.get();
  network.project = project_out_.out() > 0 ? &project_out_ : nullptr;
  network.head = &head_;
  network.logit_scale = spec_.logit_scale;
  network.logit_soft_cap = spec_.logit_soft_cap;
  network.residual_scale = spec_.residual_scale;
  if (spec_.query_key_norm != QueryKeyNorm::kNone)
    network.not_bilinear = "Its queries and keys have norms of their own.";
  else if (spec_.clip_qkv != 0)
    network.not_bilinear = "Its queries and keys are kept within a range.";
  if (head_.out() == 0)
    network.not_a_sum = "The files have no output layer for tokens, so there are no logits.";
  else if (has_sum_norms)
    network.not_a_sum = std::string(kNormsAfterSums);
  else if (transform_.out() > 0)
    network.not_a_sum =
        "A layer with an activation function stands between the residual stream and the logits.";
  return network;
}

}  // namespace

std::unique_ptr<Model> make_transformer(TransformerSpec spec) {
  return std::make_unique<Transformer>(std::move(spec));
}

}  // namespace attn
