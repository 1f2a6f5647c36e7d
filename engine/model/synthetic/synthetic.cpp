// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/synthetic/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/rng.h"

namespace attn {
namespace {

constexpr int64_t kMostWords = int64_t{1} << 17;  // different words in prompts
// Most tokens that can be generated; an alignment source has one more. Their codes are compared
// with the attention output for each row of logits.
constexpr int64_t kMostGenerated = 4096;
constexpr int64_t kMadeRowsPerTask = 16, kTokensPerTask = 256;
constexpr float kNoise = 0.15f;         // noise of a key, relative to the key's length
constexpr double kAlignedWidth = 0.75;  // deviation of the bell curve of an alignment, in tokens
constexpr float kLogitGain = 12.0f;     // logit of a token whose code is the attention output

uint64_t mix(uint64_t x) {  // splitmix64's finaliser
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// The purpose of a random draw; every purpose has its own random stream.
enum class Stream : uint64_t { kQuery = 1, kKey, kValue, kDirection, kKeyNoise, kOrder };

// What a query head of an alignment source does, by its number modulo 4.
enum class AlignedHead { kAligned, kContext, kFirst, kUniform };
AlignedHead aligned_head(int64_t head) {
  return static_cast<AlignedHead>(head % 4);
}

// The quantile p of the standard normal distribution, p in (0, 1), by bisection.
double gaussian_quantile(double p) {
  double low = -10, high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < p ? low : high) = middle;
  }
  return low;
}

class SyntheticSource : public Source {
 public:
  SyntheticSource(const SyntheticSpec& spec, uint64_t seed) : spec_(spec), seed_(seed) {
    check();
    const bool repeats = spec.kind == SyntheticKind::kInduction;
    shape_ = {.name = fmt::format("synthetic {}", kind_name()),
              .num_layers = spec.num_calls(),
              .num_heads = spec.num_heads,
              .num_kv_heads = spec.num_kv_heads,
              .head_size = spec.head_size,
              .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(spec.head_size))),
              .vocab_size =
                  std::clamp<int64_t>(repeats ? spec.period : spec.max_model_len, 1, kMostWords),
              .max_model_len = spec.max_model_len,
              .max_encoder_len = spec.max_model_len};
    num_words_ = shape_.vocab_size;
    if (aligns()) ++shape_.vocab_size;  // one more for the start token "<s>"
    num_generated_ = std::min(shape_.vocab_size, kMostGenerated + (aligns() ? 1 : 0));
    if (spec.kind == SyntheticKind::kAlternating)
      for (int64_t layer = 0; layer < spec.num_layers; ++layer)
        shape_.calls.push_back({.label = fmt::format("L{}", layer),
                                .sliding_window = layer % 2 == 0 ? spec.period : 0});
    if (has_two_calls()) {
      for (int64_t layer = 0; layer < spec.num_encoder_layers; ++layer)
        shape_.calls.push_back(
            {.label = fmt::format("L{} encoder", layer), .type = AttentionType::kEncoder});
      for (int64_t layer = 0; layer < spec.num_layers; ++layer) {
        shape_.calls.push_back(
            {.label = fmt::format("L{} self", layer), .type = AttentionType::kDecoder});
        shape_.calls.push_back(
            {.label = fmt::format("L{} cross", layer), .type = AttentionType::kEncoderDecoder});
      }
    }
    // q = k = length * code gives the score scale * length^2 * D = 2 * sharpness.
    length_ = static_cast<float>(
        std::sqrt(2 * spec.sharpness / std::sqrt(static_cast<double>(spec.head_size))));
    // The spectrum of the bell curve is itself a bell curve, of deviation 1 / width. The
    // frequencies are the middles of equal shares of its positive half.
    const double width = aligns() ? kAlignedWidth : 0.75 * static_cast<double>(spec.period);
    const int64_t half = spec.head_size / 2;
    for (int64_t i = 0; i < half; ++i)
      frequency_.push_back(
          gaussian_quantile(0.5 + (static_cast<double>(i) + 0.5) / static_cast<double>(half) / 2) /
          width);
  }

  const SourceShape& shape() const override { return shape_; }
  std::vector<int32_t> encode(std::string_view text) const override;
  std::vector<int32_t> prompt_ids(int64_t request, int64_t tokens,
                                  int64_t encoder_tokens) const override;
  std::vector<int32_t> encoder_ids(int64_t request, int64_t tokens) const override;
  std::string token_text(int32_t token) const override {
    if (token >= shape_.vocab_size) return fmt::format("src{}", token - shape_.vocab_size);
    if (token == num_words_) return "<s>";
    return fmt::format("{}{}", aligns() ? "tgt" : "k", token);
  }
  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens)
      text += fmt::format("{}{}", text.empty() ? "" : " ", token_text(token));
    return text;
  }
  std::vector<int32_t> stop_tokens() const override { return {}; }

  bool begin_step(const StepTokens& tokens, const Execution& execution) override;
  bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
           const Execution& execution) override;
  bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) override;
  bool end_step(Tensor& logits, const Execution& execution) override;

 private:
  const char* kind_name() const {
    switch (spec_.kind) {
      case SyntheticKind::kRandom:
        return "random";
      case SyntheticKind::kLocal:
        return "local";
      case SyntheticKind::kInduction:
        return "induction";
      case SyntheticKind::kNeedle:
        return "needle";
      case SyntheticKind::kAlignment:
        return "alignment";
      case SyntheticKind::kAlternating:
        return "alternating";
      case SyntheticKind::kEncoderDecoder:
        break;
    }
    return "encoder_decoder";
  }
  bool has_two_calls() const { return spec_.kind == SyntheticKind::kEncoderDecoder; }
  void check() const;
  bool aligns() const { return spec_.kind == SyntheticKind::kAlignment; }
  int64_t aligned_word(int64_t row, int64_t words) const;
  uint64_t hash(Stream stream, int64_t layer, int64_t head, int64_t item) const {
    uint64_t state = mix(seed_ + 0x9e3779b97f4a7c15u);
    for (const uint64_t word : {static_cast<uint64_t>(stream), static_cast<uint64_t>(layer),
                                static_cast<uint64_t>(head), static_cast<uint64_t>(item)})
      state = mix(state ^ (word + 1) * 0x9e3779b97f4a7c15u);
    return state;
  }
  // to [D] += factor * code; the code is a vector of +1 and -1 drawn from `state`.
  void add_code(uint64_t state, float factor, float* to) const {
    for (int64_t i = 0; i < spec_.head_size; i += 64) {
      const uint64_t bits = mix(state + static_cast<uint64_t>(i));
      for (int64_t j = i; j < std::min(spec_.head_size, i + 64); ++j)
        to[j] += bits >> (j - i) & 1 ? factor : -factor;
    }
  }
  void add_normal(uint64_t state, float factor, float* to) const {
    Rng rng(state);
    for (int64_t i = 0; i < spec_.head_size; ++i) to[i] += factor * rng.normal();
  }
  // Adds a wave around `centre` to `to` [D]. For an even D the score (scale * dot product) of two
  // waves is 2 * sharpness * share * share' * mean over the frequencies of cos(frequency *
  // difference of the centres).
  void add_wave(double centre, float* to, double share = 1) const {
    const auto half = static_cast<int64_t>(frequency_.size());
    const float length = length_ * std::numbers::sqrt2_v<float> * static_cast<float>(share);
    for (int64_t i = 0; i < half; ++i) {
      const double angle = frequency_[static_cast<size_t>(i)] * centre;
      to[i] += length * static_cast<float>(std::cos(angle));
      to[i + half] += length * static_cast<float>(std::sin(angle));
    }
  }
  void make_query(int64_t layer, int64_t head, int64_t position, int64_t token, int64_t encoder_len,
                  float* to) const;
  void keep_states(const Tensor& out);
  void make_key(int64_t layer, int64_t kv_head, int64_t position, int64_t token, float* to) const;

  // [E, Hkv, D] states of the step's encoder tokens after the layer of the encoder that was
  // computed last. Empty before the first one, and where the encoder has no layers.
  std::vector<float> states_;
  SyntheticSpec spec_;
  uint64_t seed_;
  SourceShape shape_;
  int64_t num_generated_ = 0;      // tokens from this one on are never generated
  int64_t num_words_ = 0;          // without "<s>"; word w of an encoder is token vocab_size + w
  float length_ = 0;               // size of each number of a code in a query or key
  std::vector<double> frequency_;  // [D/2] radians per token, for local and alignment
  StepTokens step_;
  // [logit rows, Hkv, D]: the last layer's attention output, summed over the query heads of each KV
  // head.
  std::vector<float> brought_;
};

void SyntheticSource::check() const {
  const auto refuse = [](const char* what, const char* where, std::string found,
                         const char* allowed) {
    throw_bad_input(
        {what, fmt::format("$.source.synthetic.{}", where), std::move(found), allowed, ""});
  };
  const auto positive = [&](const char* where, int64_t value) {
    if (value < 1) refuse("number is out of range", where, fmt::format("{}", value), "1 or more");
  };
  positive("num_layers", spec_.num_layers);
  if (spec_.num_encoder_layers < 0 || (spec_.num_encoder_layers > 0 && !has_two_calls()))
    refuse("number is out of range", "num_encoder_layers",
           fmt::format("{}", spec_.num_encoder_layers),
           "0, or with the kind encoder_decoder 1 or more");
  positive("num_heads", spec_.num_heads);
  positive("num_kv_heads", spec_.num_kv_heads);
  positive("head_size", spec_.head_size);
  positive("max_model_len", spec_.max_model_len);
  positive("period", spec_.period);
  if (spec_.num_heads % spec_.num_kv_heads != 0)
    refuse("the number of KV heads does not divide the number of query heads", "num_kv_heads",
           fmt::format("{}", spec_.num_kv_heads), "a number that divides num_heads");
  if (!(spec_.sharpness >= 0 && spec_.sharpness <= SyntheticSpec::kMostSharpness))
    refuse("number is out of range", "sharpness", fmt::format("{}", spec_.sharpness),
           fmt::format("0 to {}", SyntheticSpec::kMostSharpness).c_str());
  if ((spec_.kind == SyntheticKind::kLocal || aligns()) && spec_.head_size < 2)
    refuse("a band needs at least two numbers per head", "head_size",
           fmt::format("{}", spec_.head_size), "2 or more");
}

std::vector<int32_t> SyntheticSource::encode(std::string_view text) const {
  const std::string_view label = aligns() ? "tgt" : "k";
  std::vector<int32_t> tokens;
  while (true) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return tokens;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n"));
    int32_t token = -1;
    const char* const number = word.data() + std::min(word.size(), label.size());
    const auto [end, error] = std::from_chars(number, word.data() + word.size(), token);
    const bool is_label = word.size() > label.size() && word.starts_with(label) &&
                          error == std::errc() && end == word.data() + word.size();
    if (!is_label || token < 0 || token >= num_words_)
      throw_bad_input({"this is not a token of the synthetic source", "prompt", quote_text(word),
                       fmt::format("{0}0 to {0}{1}", label, num_words_ - 1), ""});
    tokens.push_back(token);
    text.remove_prefix(word.size());
  }
}

// Row `row` of the decoder writes the translation of one of the source's `words` words. Returns the
// number of that word; for rows past the last word, the last word.
int64_t SyntheticSource::aligned_word(int64_t row, int64_t words) const {
  if (row >= words) return std::max<int64_t>(0, words - 1);
  const int64_t first = row / spec_.period * spec_.period;
  const int64_t length = std::min(spec_.period, words - first);
  const auto turn =
      static_cast<int64_t>(hash(Stream::kOrder, 0, 0, first) % static_cast<uint64_t>(length));
  return first + (row - first + turn) % length;
}

std::vector<int32_t> SyntheticSource::encoder_ids(int64_t request, int64_t tokens) const {
  if (tokens < 1 || tokens > shape_.max_encoder_len)
    throw_bad_input({"encoder_tokens is out of range", fmt::format("request {}", request),
                     fmt::format("{}", tokens),
                     fmt::format("1 to {} tokens (max_model_len)", shape_.max_encoder_len), ""});
  std::vector<int32_t> ids(static_cast<size_t>(tokens));
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(shape_.vocab_size + static_cast<int64_t>(i) % num_words_);
  return ids;
}

// The prompt of an alignment source is "<s>" and the beginning of the translation of what the
// encoder reads.
std::vector<int32_t> SyntheticSource::prompt_ids(int64_t request, int64_t tokens,
                                                 int64_t encoder_tokens) const {
  std::vector<int32_t> ids = Source::prompt_ids(request, tokens, encoder_tokens);
  if (!aligns()) return ids;
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(
        i == 0 ? num_words_
               : aligned_word(static_cast<int64_t>(i) - 1, encoder_tokens) % num_words_);
  return ids;
}

void SyntheticSource::make_query(int64_t layer, int64_t head, int64_t position, int64_t token,
                                 int64_t encoder_len, float* to) const {
  const int64_t kv_head = head / (spec_.num_heads / spec_.num_kv_heads);
  switch (spec_.kind) {
    case SyntheticKind::kAlternating:
    case SyntheticKind::kEncoderDecoder:
    case SyntheticKind::kRandom:  // |k| = sqrt(D): scores of deviation sharpness / 2
      return add_normal(
          hash(Stream::kQuery, layer, head, position) ^ mix(static_cast<uint64_t>(token)),
          static_cast<float>(spec_.sharpness / 2), to);
    case SyntheticKind::kLocal:
      return add_wave(static_cast<double>(position) - static_cast<double>(spec_.period) / 2, to);
    case SyntheticKind::kInduction:
      return add_code(hash(Stream::kDirection, layer, kv_head, token), length_, to);
    case SyntheticKind::kNeedle:
      return add_code(hash(Stream::kDirection, layer, kv_head, 0), length_, to);
    case SyntheticKind::kAlignment:
      break;
  }
  const int64_t word = aligned_word(position, encoder_len);
  switch (aligned_head(head)) {
    case AlignedHead::kAligned:
      return add_wave(static_cast<double>(word), to,
                      static_cast<double>(layer + 1) / static_cast<double>(spec_.num_layers));
    case AlignedHead::kContext:
      return add_wave(static_cast<double>(std::min(word + 1, encoder_len - 1)), to, 0.5);
    case AlignedHead::kFirst:
      return add_wave(0, to, 0.5);
    case AlignedHead::kUniform:
      return;
  }
}

void SyntheticSource::make_key(int64_t layer, int64_t kv_head, int64_t position, int64_t token,
                               float* to) const {
  switch (spec_.kind) {
    case SyntheticKind::kAlternating:
    case SyntheticKind::kEncoderDecoder:
    case SyntheticKind::kRandom:
      return add_normal(
          hash(Stream::kKey, layer, kv_head, position) ^ mix(static_cast<uint64_t>(token)), 1.0f,
          to);
    case SyntheticKind::kLocal:
      return add_wave(static_cast<double>(position), to);
    case SyntheticKind::kInduction: {
      // The key has the direction of token - 1 (for token 0, of the last one); at position 0 none.
      const int64_t before = (token + num_words_ - 1) % num_words_;
      if (position > 0) add_code(hash(Stream::kDirection, layer, kv_head, before), length_, to);
      break;
    }
    case SyntheticKind::kNeedle:
      if (position == spec_.needle_position)
        add_code(hash(Stream::kDirection, layer, kv_head, 0), length_, to);
      break;
    case SyntheticKind::kAlignment:
      add_wave(static_cast<double>(position), to);
      break;
  }
  add_code(hash(Stream::kKeyNoise, layer, kv_head, position), kNoise * length_, to);
}

void fit(Tensor& tensor, const Shape& shape) {
  if (tensor.dtype() != DType::kF32 || tensor.shape() != shape)
    tensor = Tensor(DType::kF32, shape);
  else
    std::fill(tensor.span<float>().begin(), tensor.span<float>().end(), 0.0f);
}

bool SyntheticSource::begin_step(const StepTokens& tokens, const Execution& /*execution*/) {
  for (size_t row = 0; row < tokens.token_ids.size(); ++row) {
    if (tokens.token_ids[row] < 0 || tokens.token_ids[row] >= shape_.vocab_size)
      throw_bad_input({"token is not in the vocabulary", fmt::format("row {}", row),
                       fmt::format("{}", tokens.token_ids[row]),
                       fmt::format("0 to {}", shape_.vocab_size - 1), ""});
    if (tokens.positions[row] < 0 || tokens.positions[row] >= shape_.max_model_len)
      throw_bad_input({"position is past the source's context", fmt::format("row {}", row),
                       fmt::format("{}", tokens.positions[row]),
                       fmt::format("0 to {}", shape_.max_model_len - 1), ""});
  }
  step_ = tokens;
  states_.clear();
  return true;
}

bool SyntheticSource::qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
                          const Execution& execution) {
  const bool cross = step_.is_cross(shape_, layer), of_encoder = shape_.is_encoder(layer);
  const int64_t rows = step_.num_queries(shape_, layer), keys = step_.num_keys(shape_, layer);
  const int64_t heads = spec_.num_heads, kv_heads = spec_.num_kv_heads, size = spec_.head_size;
  fit(query, {rows, heads, size});
  fit(key, {keys, kv_heads, size});
  fit(value, {keys, kv_heads, size});
  if (rows == 0) return true;
  const int64_t items = std::max(rows, keys),
                tasks = (items + kMadeRowsPerTask - 1) / kMadeRowsPerTask;
  const double numbers =
      static_cast<double>((rows * heads + 2 * keys * kv_heads) * size) / static_cast<double>(tasks);
  const auto make_keys = [&](int64_t row) {
    const auto i = static_cast<size_t>(row);
    const bool encoder = cross || of_encoder;
    const int64_t word = encoder ? step_.encoder_ids[i] - shape_.vocab_size : step_.token_ids[i];
    const int64_t position = encoder ? step_.encoder_positions[i] : step_.positions[i];
    for (int64_t head = 0; head < kv_heads; ++head) {
      const int64_t at = (row * kv_heads + head) * size;
      make_key(layer, head, position, word, key.data<float>() + at);
      add_code(hash(Stream::kValue, layer, head, word), 1.0f, value.data<float>() + at);
      if (!encoder || states_.empty()) continue;
      for (int64_t d = 0; d < size; ++d) {
        key.data<float>()[at + d] += states_[static_cast<size_t>(at + d)];
        value.data<float>()[at + d] += states_[static_cast<size_t>(at + d)];
      }
    }
  };
  const auto make_queries = [&](int64_t row) {
    const auto i = static_cast<size_t>(row);
    const int64_t word = of_encoder ? step_.encoder_ids[i] - shape_.vocab_size : step_.token_ids[i];
    for (int64_t head = 0; head < heads; ++head)
      make_query(layer, head, of_encoder ? step_.encoder_positions[i] : step_.positions[i], word,
                 cross ? step_.encoder_lens[i] : 0,
                 query.data<float>() + (row * heads + head) * size);
  };
  return traced_parallel_for(execution, KernelId::kEmbed, tasks, rows, 4 * numbers, 4 * numbers,
                             [&](int64_t task, int /*worker*/) {
                               for (int64_t row = task * kMadeRowsPerTask;
                                    row < std::min(items, (task + 1) * kMadeRowsPerTask); ++row) {
                                 if (row < rows) make_queries(row);
                                 if (row < keys) make_keys(row);
                               }
                             });
}

// For each KV head, the state of an encoder token is the mean of the attention outputs of the query
// heads that read this KV head. The next layer of the encoder, or after the last one cross
// attention, adds it to its keys and values.
void SyntheticSource::keep_states(const Tensor& out) {
  const int64_t heads = spec_.num_heads, size = spec_.head_size, group = heads / spec_.num_kv_heads;
  states_.assign(static_cast<size_t>(out.dim(0) * spec_.num_kv_heads * size), 0.0f);
  for (int64_t row = 0; row < out.dim(0); ++row)
    for (int64_t head = 0; head < heads; ++head) {
      const float* from = out.data<float>() + (row * heads + head) * size;
      float* to = states_.data() + (row * spec_.num_kv_heads + head / group) * size;
      for (int64_t d = 0; d < size; ++d) to[d] += from[d] / static_cast<float>(group);
    }
}

bool SyntheticSource::attention_output(int64_t layer, const Tensor& out,
                                       const Execution& execution) {
  if (shape_.is_encoder(layer)) keep_states(out);
  if (layer + 1 < shape_.num_layers) return !(execution.gate && execution.gate->cancelled());
  const int64_t heads = spec_.num_heads, size = spec_.head_size, group = heads / spec_.num_kv_heads;
  brought_.assign(step_.logit_rows.size() * static_cast<size_t>(spec_.num_kv_heads * size), 0.0f);
  float* to = brought_.data();
  for (const int64_t row : step_.logit_rows) {
    const float* from = out.data<float>() + row * heads * size;
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t i = 0; i < size; ++i) to[head / group * size + i] += from[head * size + i];
    to += spec_.num_kv_heads * size;
  }
  return true;
}

bool SyntheticSource::end_step(Tensor& logits, const Execution& execution) {
  const auto rows = static_cast<int64_t>(step_.logit_rows.size());
  const int64_t vocab = shape_.vocab_size, width = spec_.num_kv_heads * spec_.head_size;
  fit(logits, {rows, vocab});
  if (rows == 0) return true;
  for (int64_t row = 0; row < rows; ++row)
    std::fill(logits.data<float>() + row * vocab + num_generated_,
              logits.data<float>() + (row + 1) * vocab, -std::numeric_limits<float>::infinity());
  const int64_t tasks = (num_generated_ + kTokensPerTask - 1) / kTokensPerTask;
  const double work = static_cast<double>(std::min(num_generated_, kTokensPerTask) * width);
  const float factor = kLogitGain / static_cast<float>(spec_.num_heads * spec_.head_size);
  return traced_parallel_for(
      execution, KernelId::kLogits, tasks, rows, 2 * work * static_cast<double>(rows), 4 * work,
      [&](int64_t task, int /*worker*/) {
        std::vector<float> code(static_cast<size_t>(width));
        for (int64_t token = task * kTokensPerTask;
             token < std::min(num_generated_, (task + 1) * kTokensPerTask); ++token) {
          std::fill(code.begin(), code.end(), 0.0f);
          for (int64_t head = 0; head < spec_.num_kv_heads; ++head)
            add_code(hash(Stream::kValue, shape_.num_layers - 1, head, token), factor,
                     code.data() + head * spec_.head_size);
          for (int64_t row = 0; row < rows; ++row) {
            float sum = 0;
            for (int64_t i = 0; i < width; ++i)
              sum += code[static_cast<size_t>(i)] * brought_[static_cast<size_t>(row * width + i)];
            logits.data<float>()[row * vocab + token] = sum;
          }
        }
      });
}

}  // namespace

std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec, uint64_t seed) {
  return std::make_unique<SyntheticSource>(spec, seed);
}

}  // namespace attn
