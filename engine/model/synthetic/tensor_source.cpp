// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/synthetic/tensor_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/files/npy.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/not_finite.h"
#include "engine/model/synthetic/stored_bias.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLayer = "{layer}";
constexpr size_t kMostTokenBytes = size_t{16} << 20;
constexpr int64_t kReadRowsPerTask = 64;

enum Role { kQuery, kKey, kValue };
constexpr std::array kRoles = {"query", "key", "value"};
constexpr std::array<std::array<const char*, 4>, 3> kNames = {
    {{"query", "q", "query_states", "query_layer"},
     {"key", "k", "key_states", "key_layer"},
     {"value", "v", "value_states", "value_layer"}}};

struct Operand {
  std::string where;           // "qkv.safetensors, query.0"
  std::optional<DType> dtype;  // none: a type that is not read
  std::string dtype_name;
  Shape shape;
  std::function<Tensor()> read;
};
using Layer = std::array<Operand, 3>;  // index: Role

// Lengths of the axes of an operand. Missing axes have length 1.
struct Axes {
  int64_t sequences = 1, heads = 1, tokens = 1, size = 1;
  bool operator==(const Axes&) const = default;
};

std::string axes_text(TensorLayout layout) {
  return layout == TensorLayout::kHeadsFirst
             ? "[tokens, head size], [heads, tokens, head size] or [sequences, heads, tokens, head "
               "size]"
             : "[tokens, head size], [tokens, heads, head size] or [sequences, tokens, heads, head "
               "size]";
}

Axes axes_of(const Operand& operand, TensorLayout layout) {
  const Shape& shape = operand.shape;
  if (shape.size() < 2 || shape.size() > 4)
    throw_bad_input({"tensor has the wrong number of axes", operand.where, to_string(shape),
                     axes_text(layout), ""});
  Axes axes;
  const auto from_end = [&](size_t i) { return shape.size() >= i ? shape[shape.size() - i] : 1; };
  axes.size = from_end(1);
  axes.sequences = from_end(4);
  const bool heads_first = layout == TensorLayout::kHeadsFirst || shape.size() == 2;
  axes.tokens = from_end(heads_first ? 2 : 3);
  axes.heads = shape.size() == 2 ? 1 : from_end(heads_first ? 3 : 2);
  return axes;
}

// Opens the files and finds the operands of every layer: in the safetensors file of the
// specification, under the names of kNames, or in the .npy files of the specification.
class Files {
 public:
  Files(const TensorSpec& spec, const fs::path& folder, const std::string& where)
      : spec_(spec), folder_(folder), where_(where) {
    if (!spec.file.empty())
      open_safetensors();
    else
      open_npy();
    for (const Layer& layer : layers_)
      for (const Operand& operand : layer)
        if (operand.dtype != DType::kF32 && operand.dtype != DType::kF16 &&
            operand.dtype != DType::kBF16 && operand.dtype != DType::kF64)
          throw_bad_input({"elements are not floating-point numbers", operand.where,
                           operand.dtype_name, "f32, f16, bf16 or f64",
                           "Save it as 32-bit floats"});
  }

  const std::vector<Layer>& layers() const { return layers_; }
  std::string said(const std::string& name) const {
    return file_ ? std::string(said_of_run(file_->metadata(), name)) : "";
  }
  // The relative bias that a report's file has for a layer.
  std::optional<StoredBias> stored_bias(int64_t layer, int64_t heads) const {
    return is_of_run() ? find_stored_bias(*file_, layer, heads) : std::nullopt;
  }
  RelativeBias read_bias(int64_t layer, int64_t heads) const {
    const auto stored = stored_bias(layer, heads);
    return stored ? read_stored_bias(*file_, *stored) : RelativeBias();
  }

 private:
  fs::path found(const std::string& name) const { return folder_ / name; }
  bool is_of_run() const { return !said("axes").empty(); }

  void open_safetensors() {
    const fs::path path = found(spec_.file);
    auto file = std::make_shared<SafetensorsFile>(SafetensorsFile::open(path));
    file_ = file;
    const auto named = [&](int role, const std::string& suffix) -> const TensorEntry* {
      for (const char* name : kNames[static_cast<size_t>(role)])
        if (const TensorEntry* entry = file->find(name + suffix)) return entry;
      return nullptr;
    };
    const auto any = [&](const std::string& suffix) {
      return named(kQuery, suffix) || named(kKey, suffix) || named(kValue, suffix);
    };
    const bool single = any("");
    if (single && any(".0"))
      throw_bad_input({"it is not clear which tensors are meant", path.filename().string(),
                       "names with and without a number",
                       "query, key, value, or query.0, query.1, ...", ""});
    for (int64_t number = 0; number == 0 || (!single && any(fmt::format(".{}", number)));
         ++number) {
      check_layer_number(number);
      const std::string suffix = single ? "" : fmt::format(".{}", number);
      Layer layer;
      for (const int role : {kQuery, kKey, kValue}) {
        const TensorEntry* entry = named(role, suffix);
        if (!entry) refuse_missing(*file, path, kRoles[static_cast<size_t>(role)] + suffix);
        layer[static_cast<size_t>(role)] = {
            .where = fmt::format("{}, {}", path.filename().string(), entry->name),
            .dtype = entry->dtype,
            .dtype_name = entry->dtype_name,
            .shape = entry->shape,
            .read = [file, entry] { return file->read(*entry); }};
      }
      layers_.push_back(std::move(layer));
    }
  }

  [[noreturn]] static void refuse_missing(const SafetensorsFile& file, const fs::path& path,
                                          const std::string& name) {
    std::string names;
    for (size_t i = 0; i < file.tensors().size() && i < 8; ++i)
      names += (i ? ", " : "") + quote_text(file.tensors()[i].name);
    if (file.tensors().size() > 8) names += ", ...";
    throw_bad_input({"tensor is missing", path.filename().string(),
                     names.empty() ? "no tensors" : names,
                     fmt::format("{} (query, key, value, or q, k, v, or query_states, key_states, "
                                 "value_states; with .0, .1, ... for layers)",
                                 name),
                     "Save the tensors under these names"});
  }

  static void check_layer_number(int64_t number) {
    if (number >= kMostLayers)
      throw_bad_input({"too many layers", fmt::format("layer {}", number),
                       fmt::format("more than {}", kMostLayers),
                       fmt::format("at most {}", kMostLayers), ""});
  }

  void open_npy() {
    const std::array<const std::string*, 3> names = {&spec_.query, &spec_.key, &spec_.value};
    const bool several = spec_.query.find(kLayer) != std::string::npos;
    for (const int role : {kKey, kValue})
      if ((names[static_cast<size_t>(role)]->find(kLayer) != std::string::npos) != several)
        throw_bad_input({"{layer} is missing in some of the names", where_,
                         fmt::format("query {}, {} {}", quote_text(spec_.query),
                                     kRoles[static_cast<size_t>(role)],
                                     quote_text(*names[static_cast<size_t>(role)])),
                         "{layer} in all three, or in none", ""});
    std::error_code failure;
    for (int64_t number = 0;
         number == 0 || (several && fs::exists(found(name_of_layer(spec_.query, number)), failure));
         ++number) {
      check_layer_number(number);
      Layer layer;
      for (const int role : {kQuery, kKey, kValue}) {
        const auto r = static_cast<size_t>(role);
        const fs::path path = found(name_of_layer(*names[r], number));
        auto file = std::make_shared<NpyFile>(NpyFile::open(path));
        layer[r] = {.where = path.filename().string(),
                    .dtype = file->dtype(),
                    .dtype_name = file->dtype_name(),
                    .shape = file->shape(),
                    .read = [file] { return file->read(); }};
      }
      layers_.push_back(std::move(layer));
    }
  }

  const TensorSpec& spec_;
  const fs::path& folder_;
  const std::string& where_;
  std::vector<Layer> layers_;
  std::shared_ptr<const SafetensorsFile> file_;  // null: .npy files
};

void refuse_axis(const Operand& operand, const char* axis, int64_t found, int64_t wanted,
                 const std::string& as, const std::string& advice = "") {
  throw_bad_input({fmt::format("{} do not fit", axis), operand.where,
                   fmt::format("{} in {}", found, to_string(operand.shape)),
                   fmt::format("{}, as in {}", wanted, as), advice});
}

TensorShapes checked_shapes(const std::vector<Layer>& layers, TensorLayout layout, bool is_cross) {
  TensorShapes shapes;
  for (const Layer& layer : layers) {
    const Axes query = axes_of(layer[kQuery], layout), key = axes_of(layer[kKey], layout),
               value = axes_of(layer[kValue], layout);
    if (shapes.layers == 0) {
      const auto in_range = [&](const char* axis, const Operand& operand, int64_t length,
                                int64_t most, const char* advice) {
        if (length < 1 || length > most)
          throw_bad_input({fmt::format("number of {} is out of range", axis), operand.where,
                           fmt::format("{} in {}", length, to_string(operand.shape)),
                           fmt::format("1 to {}, axes as {}", most, axes_text(layout)), advice});
      };
      const char* other = layout == TensorLayout::kHeadsFirst
                              ? "Use the layout \"tokens_first\" if tokens come before heads"
                              : "Use the layout \"heads_first\" if heads come before tokens";
      in_range("query heads", layer[kQuery], query.heads, kMostHeads, other);
      in_range("KV heads", layer[kKey], key.heads, kMostHeads, other);
      in_range("tokens", layer[kQuery], query.tokens, kMostTokens, other);
      if (is_cross || query.tokens == 1)
        in_range("tokens", layer[kKey], key.tokens, kMostTokens, other);
      in_range("sequences", layer[kQuery], query.sequences, kMostRequests, "");
      in_range("elements of a head", layer[kQuery], query.size, kMostHeadSize, "");
      if (query.heads % key.heads != 0)
        throw_bad_input({"the number of KV heads does not divide the number of query heads",
                         layer[kKey].where,
                         fmt::format("{} query heads, {} KV heads", query.heads, key.heads),
                         "a number of KV heads that divides the query heads", other});
      // the only query is that of the last token
      const bool is_last = !is_cross && query.tokens == 1;
      shapes = {.layers = 0,
                .sequences = query.sequences,
                .num_heads = query.heads,
                .num_kv_heads = key.heads,
                .tokens = is_last ? key.tokens : query.tokens,
                .queries = query.tokens,
                .key_tokens = is_cross || is_last ? key.tokens : query.tokens,
                .head_size = query.size,
                .bytes = 0};
    }
    const std::string first = layers[0][kQuery].where, first_key = layers[0][kKey].where;
    const auto same = [&](const Operand& operand, const Axes& axes, int64_t heads, int64_t tokens,
                          const std::string& as) {
      if (axes.heads != heads) refuse_axis(operand, "heads", axes.heads, heads, as);
      if (axes.sequences != shapes.sequences)
        refuse_axis(operand, "sequences", axes.sequences, shapes.sequences, first);
      if (axes.size != shapes.head_size)
        refuse_axis(operand, "elements of a head", axes.size, shapes.head_size, first);
      if (axes.tokens != tokens)
        refuse_axis(operand, "tokens", axes.tokens, tokens, as,
                    is_cross ? "In cross attention all layers need the same number of tokens, and "
                               "every key needs a value"
                             : "Every token needs a query, a key and a value; only if there is a "
                               "single query may it be that of the last token alone. If the keys "
                               "belong to an encoder, choose the attention type encoder_decoder");
    };
    const auto key_place = [&](const Axes& axes) {
      return axes.heads != shapes.num_kv_heads || is_cross || shapes.queries < shapes.tokens
                 ? first_key
                 : first;
    };
    same(layer[kQuery], query, shapes.num_heads, shapes.queries, first);
    same(layer[kKey], key, shapes.num_kv_heads, shapes.key_tokens, key_place(key));
    same(layer[kValue], value, shapes.num_kv_heads, shapes.key_tokens, key_place(value));
    ++shapes.layers;
  }
  // In cross attention the ids of the encoder's tokens come after those of the decoder's tokens.
  const int64_t rows = shapes.sequences * (shapes.tokens + (is_cross ? shapes.key_tokens : 0));
  if (rows > std::numeric_limits<int32_t>::max() - 1)
    throw_bad_input({"too many tokens", layers[0][kQuery].where, fmt::format("{}", rows),
                     "fewer than 2^31 in all sequences", ""});
  for (const Layer& layer : layers)
    for (const Operand& operand : layer) shapes.bytes += element_count(operand.shape) * 4;
  return shapes;
}

// Reads the labels of tokens, [B * L], from a list of B lists or from one list for all sequences.
std::vector<std::string> read_labels(const fs::path& file, int64_t sequences, int64_t tokens) {
  const std::string name = file.filename().string();
  nlohmann::json json = parse_json(read_text_file(file, kMostTokenBytes), name);
  const TakenApart apart(json);
  const auto list = [&](const nlohmann::json& value, const std::string& path, int64_t length,
                        const char* of) {
    if (!value.is_array())
      throw_bad_input({"labels are not a list", fmt::format("{}, {}", name, path),
                       value.type_name(), fmt::format("a list of {} {}", length, of), ""});
    if (value.size() != static_cast<size_t>(length))
      throw_bad_input({"the number of labels is wrong", fmt::format("{}, {}", name, path),
                       fmt::format("{} {}", value.size(), of), fmt::format("{}", length), ""});
  };
  const bool nested = json.is_array() && !json.empty() && json[0].is_array();
  if (nested) list(json, "$", sequences, "lists of texts");
  std::vector<std::string> labels;
  for (int64_t s = 0; s < sequences; ++s) {
    const std::string path = nested ? fmt::format("$[{}]", s) : "$";
    const nlohmann::json& texts = nested ? json[static_cast<size_t>(s)] : json;
    list(texts, path, tokens, "texts");
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i].is_string())
        throw_bad_input({"label is not a text", fmt::format("{}, {}[{}]", name, path, i),
                         texts[i].type_name(), "a text", ""});
      labels.push_back(texts[i].get<std::string>());
    }
  }
  return labels;
}

// Labels in the metadata of a file: a list of texts. Empty: there is none with this length, as in a
// file whose tensors were changed.
std::vector<std::string> labels_in(const std::string& text, int64_t tokens) {
  std::vector<std::string> labels;
  if (text.empty()) return labels;
  try {
    nlohmann::json json = parse_json(text, "labels");
    const TakenApart apart(json);
    if (!json.is_array() || std::ssize(json) != tokens) return labels;
    for (const nlohmann::json& label : json) {
      if (!label.is_string()) return {};
      labels.push_back(label.get<std::string>());
    }
  } catch (const Error&) {
    return {};
  }
  return labels;
}

// The text with the control characters of ASCII, except new lines and tabs, written as <0xHH>.
std::string printable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F)
      out += fmt::format("<0x{:02X}>", byte);
    else
      out += c;
  }
  return out;
}

// Reads an operand into f32 [B * L, H, D].
Tensor rows_of(const Operand& operand, TensorLayout layout) {
  const Axes axes = axes_of(operand, layout);
  const Tensor read = operand.read();
  Tensor wide = read.dtype() == DType::kF32 ? Tensor() : convert(read, DType::kF32);
  const Tensor& from = wide.empty() ? read : wide;
  Tensor to(DType::kF32, {axes.sequences * axes.tokens, axes.heads, axes.size});
  if (from.empty()) return to;
  if (layout == TensorLayout::kTokensFirst || axes.heads == 1) {
    std::memcpy(to.raw(), from.raw(), to.bytes());
    return to;
  }
  const float* in = from.data<float>();
  for (int64_t s = 0; s < axes.sequences; ++s)
    for (int64_t h = 0; h < axes.heads; ++h)
      for (int64_t t = 0; t < axes.tokens; ++t, in += axes.size)
        std::copy_n(in, axes.size,
                    to.data<float>() + ((s * axes.tokens + t) * axes.heads + h) * axes.size);
  return to;
}

class TensorSource : public Source {
 public:
  TensorSource(const TensorSpec& spec, const TensorShapes& shapes, bool is_cross, std::string name,
               std::vector<std::string> labels, std::vector<std::string> key_labels,
               std::vector<std::array<Tensor, 3>> layers, std::vector<RelativeBias> biases)
      : layers_(std::move(layers)),
        labels_(std::move(labels)),
        key_labels_(std::move(key_labels)),
        tokens_(shapes.tokens),
        rows_(shapes.sequences * shapes.tokens),
        key_tokens_(shapes.key_tokens),
        first_query_(shapes.tokens - shapes.queries) {
    shape_ = {
        .name = std::move(name),
        .num_layers = shapes.layers,
        .num_heads = shapes.num_heads,
        .num_kv_heads = shapes.num_kv_heads,
        .head_size = shapes.head_size,
        .scale = static_cast<float>(
            spec.scale > 0 ? spec.scale : 1.0 / std::sqrt(static_cast<double>(shapes.head_size))),
        .vocab_size = rows_ + 1,
        .max_model_len = shapes.tokens + 1,  // one more for the end token
        .max_encoder_len = is_cross ? shapes.key_tokens : 0,
        .first_query = first_query_};
    if (std::ranges::all_of(biases, &RelativeBias::empty)) return;
    for (size_t layer = 0; layer < biases.size(); ++layer)
      shape_.calls.push_back(
          {.label = fmt::format("L{}", layer), .relative_bias = std::move(biases[layer])});
  }

  const SourceShape& shape() const override { return shape_; }
  std::vector<std::string> notes() const override;
  std::vector<int32_t> encode(std::string_view text) const override {
    throw_bad_input({"a source of tensors does not read text", "prompt", quote_text(text),
                     "prompt_tokens", ""});
  }
  std::vector<int32_t> prompt_ids(int64_t request, int64_t tokens,
                                  int64_t encoder_tokens) const override;
  std::vector<int32_t> encoder_ids(int64_t request, int64_t tokens) const override;
  std::string token_text(int32_t token) const override {
    if (token == rows_) return "<end>";
    if (token > rows_) {
      const int64_t row = token - first_key();
      return key_labels_.empty() ? fmt::format("src{}", row % key_tokens_)
                                 : printable(key_labels_[static_cast<size_t>(row)]);
    }
    return labels_.empty() ? fmt::format("t{}", token % tokens_)
                           : printable(labels_[static_cast<size_t>(token)]);
  }
  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens) {
      if (labels_.empty() && !text.empty()) text += ' ';
      text += token_text(token);
    }
    return text;
  }
  std::vector<int32_t> stop_tokens() const override { return {static_cast<int32_t>(rows_)}; }

  bool begin_step(const StepTokens& tokens, const Execution& /*execution*/) override {
    step_ = tokens;
    return true;
  }
  bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
           const Execution& execution) override;
  bool attention_output(int64_t /*layer*/, const Tensor& /*out*/,
                        const Execution& execution) override {
    return !(execution.gate && execution.gate->cancelled());
  }
  bool end_step(Tensor& logits, const Execution& execution) override;

 private:
  void check_sequence(int64_t request) const;
  int64_t first_key() const { return rows_ + 1; }  // id of the encoder's first token

  // [layer][Role]: f32 [rows, H or Hkv, D]
  std::vector<std::array<Tensor, 3>> layers_;
  std::vector<std::string> labels_;      // [B * L], or empty
  std::vector<std::string> key_labels_;  // labels of the encoder's tokens, or empty
  int64_t tokens_, rows_;                // tokens of one sequence; of all sequences
  int64_t key_tokens_;                   // tokens of one sequence that have keys
  int64_t first_query_;                  // position of a sequence's first token with a query
  SourceShape shape_;
  StepTokens step_;
};

void TensorSource::check_sequence(int64_t request) const {
  const int64_t sequences = rows_ / tokens_;
  if (request >= sequences)
    throw_bad_input({"the tensors have too few sequences", fmt::format("request {}", request),
                     fmt::format("{} sequences", sequences),
                     fmt::format("at least {}, one for each request", request + 1),
                     "Use at most as many requests as the tensors have sequences"});
}

std::vector<int32_t> TensorSource::encoder_ids(int64_t request, int64_t tokens) const {
  check_sequence(request);
  if (tokens < 1 || tokens > shape_.max_encoder_len)
    throw_bad_input({"encoder_tokens is out of range", fmt::format("request {}", request),
                     fmt::format("{}", tokens),
                     fmt::format("1 to {}, the keys of the tensors", shape_.max_encoder_len), ""});
  std::vector<int32_t> ids(static_cast<size_t>(tokens));
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(first_key() + request * key_tokens_ + static_cast<int64_t>(i));
  return ids;
}

std::vector<int32_t> TensorSource::prompt_ids(int64_t request, int64_t tokens,
                                              int64_t /*encoder_tokens*/) const {
  check_sequence(request);
  const std::string where = fmt::format("request {}", request);
  if (tokens < 1 || tokens > tokens_)
    throw_bad_input({"prompt_tokens is out of range", where, fmt::format("{}", tokens),
                     fmt::format("1 to {}, the tokens of the tensors", tokens_), ""});
  std::vector<int32_t> ids(static_cast<size_t>(tokens));
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(request * tokens_ + static_cast<int64_t>(i));
  return ids;
}

// A note for each of query, key and value that holds NaN or infinity.
std::vector<std::string> TensorSource::notes() const {
  std::vector<std::string> notes;
  for (size_t role = 0; role < 3; ++role) {
    int64_t count = 0, size = 0;
    std::string first;
    for (size_t layer = 0; layer < layers_.size(); ++layer) {
      const Tensor& rows = layers_[layer][role];  // [B * L, heads, D]
      const int64_t at = first_not_finite(rows);
      size += rows.size();
      if (at < 0) continue;
      count += count_not_finite(rows);
      const int64_t row = at / (rows.dim(1) * rows.dim(2));
      const int64_t length = rows.dim(0) / (rows_ / tokens_);
      if (first.empty())
        first = fmt::format("layer {}, head {}, position {} of sequence {}", layer,
                            at / rows.dim(2) % rows.dim(1),
                            row % length + (role == kQuery ? first_query_ : 0), row / length);
    }
    if (count > 0)
      notes.push_back(fmt::format(
          "{} of the {} numbers of the {} are NaN or infinite as 32-bit floats, the first one in "
          "{}. The attention of rows that read them can be NaN or infinite too.",
          count, size, kRoles[role], first));
  }
  return notes;
}

bool TensorSource::qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
                       const Execution& execution) {
  const std::array<Tensor*, 3> to = {&query, &key, &value};
  const std::array<Tensor, 3>& from = layers_[static_cast<size_t>(layer)];
  const auto tokens = static_cast<int64_t>(step_.token_ids.size());
  const int64_t keys = step_.num_keys(shape_, 0);
  std::array<int64_t, 3> rows = {tokens, keys, keys}, width{};
  int64_t floats = 0, items = 0;
  for (size_t role = 0; role < 3; ++role) {
    const Shape shape = {rows[role], from[role].dim(1), from[role].dim(2)};
    if (to[role]->dtype() != DType::kF32 || to[role]->shape() != shape)
      *to[role] = Tensor(DType::kF32, shape);
    width[role] = shape[1] * shape[2];
    floats += width[role];
    items = std::max(items, rows[role]);
  }
  if (tokens == 0) return true;
  // The row of the files' tensors for a row of the step; -1: the token has no query.
  const auto source_row = [this](size_t role, size_t row) -> int64_t {
    if (role != kQuery && step_.has_encoder) return step_.encoder_ids[row] - first_key();
    const int64_t token = step_.token_ids[row];
    if (role != kQuery || first_query_ == 0) return token;
    const int64_t position = token % tokens_ - first_query_;
    return position < 0 ? -1 : token / tokens_ * (tokens_ - first_query_) + position;
  };
  const int64_t tasks = (items + kReadRowsPerTask - 1) / kReadRowsPerTask;
  return traced_parallel_for(
      execution, KernelId::kEmbed, tasks, tokens, 0,
      8.0 * static_cast<double>(floats * kReadRowsPerTask), [&](int64_t task, int /*worker*/) {
        for (size_t role = 0; role < 3; ++role)
          for (int64_t row = task * kReadRowsPerTask;
               row < std::min(rows[role], (task + 1) * kReadRowsPerTask); ++row) {
            const int64_t at = source_row(role, static_cast<size_t>(row));
            float* const out = to[role]->data<float>() + row * width[role];
            if (at < 0)
              std::fill_n(out, width[role], 0.0f);
            else
              std::copy_n(from[role].data<float>() + at * width[role], width[role], out);
          }
      });
}

bool TensorSource::end_step(Tensor& logits, const Execution& execution) {
  const auto rows = static_cast<int64_t>(step_.logit_rows.size());
  logits = Tensor(DType::kF32, {rows, shape_.vocab_size});
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t token =
        step_.token_ids[static_cast<size_t>(step_.logit_rows[static_cast<size_t>(i)])];
    const int64_t next = (token + 1) % tokens_ == 0 ? rows_ : token + 1;
    logits.data<float>()[i * shape_.vocab_size + next] = 1;
  }
  return !(execution.gate && execution.gate->cancelled());
}

}  // namespace

std::string_view name_of(TensorLayout layout) {
  return layout == TensorLayout::kHeadsFirst ? "heads_first" : "tokens_first";
}

std::string name_of_layer(const std::string& name, int64_t layer) {
  std::string out = name;
  if (const size_t at = out.find(kLayer); at != std::string::npos)
    out.replace(at, kLayer.size(), std::to_string(layer));
  return out;
}

std::string_view said_of_run(const std::map<std::string, std::string>& metadata,
                             const std::string& name) {
  const auto axes = metadata.find("axes"), found = metadata.find(name);
  const bool is_of_run = axes != metadata.end() && axes->second == kAxesOfRun;
  return is_of_run && found != metadata.end() ? std::string_view(found->second) : "";
}

TensorShapes read_tensor_shapes(const TensorSpec& spec, const fs::path& folder,
                                const std::string& where, bool is_cross) {
  const Files files(spec, folder, where);
  TensorShapes shapes = checked_shapes(files.layers(), spec.layout, is_cross);
  for (int64_t layer = 0; layer < shapes.layers && !is_cross; ++layer)
    if (const auto bias = files.stored_bias(layer, shapes.num_heads))
      shapes.bytes += element_count(bias->entry->shape) * 4;
  return shapes;
}

std::unique_ptr<Source> load_tensor_source(const TensorSpec& spec, const fs::path& folder,
                                           const std::string& where, bool is_cross,
                                           const std::function<bool(double)>& progress) {
  const Files files(spec, folder, where);
  const TensorShapes shapes = checked_shapes(files.layers(), spec.layout, is_cross);
  std::vector<std::string> labels, key_labels;
  if (!spec.tokens.empty())
    labels = read_labels(folder / spec.tokens, shapes.sequences, shapes.tokens);
  if (!spec.key_tokens.empty())
    key_labels = read_labels(folder / spec.key_tokens, shapes.sequences, shapes.key_tokens);
  if (shapes.sequences == 1) {
    // Without cross attention the keys are those of all tokens, of which some may have no query.
    if (spec.tokens.empty())
      labels = labels_in(files.said(is_cross ? "query_tokens" : "key_tokens"), shapes.tokens);
    if (spec.key_tokens.empty() && is_cross)
      key_labels = labels_in(files.said("key_tokens"), shapes.key_tokens);
  }
  // Cross attention has no relative bias.
  std::vector<RelativeBias> biases;
  for (int64_t layer = 0; layer < shapes.layers && !is_cross; ++layer)
    biases.push_back(files.read_bias(layer, shapes.num_heads));
  std::vector<std::array<Tensor, 3>> layers;
  double done = 0;
  for (const Layer& layer : files.layers()) {
    auto& rows = layers.emplace_back();
    for (size_t role = 0; role < 3; ++role) {
      if (progress && !progress(done++ / static_cast<double>(3 * shapes.layers)))
        throw Error(ErrorCode::kCancelled,
                    {"loading was cancelled", layer[role].where, "", "", ""});
      rows[role] = rows_of(layer[role], spec.layout);
    }
  }
  const std::string name = fs::path(spec.file.empty() ? spec.query : spec.file).filename().string();
  return std::make_unique<TensorSource>(spec, shapes, is_cross, "tensors " + name,
                                        std::move(labels), std::move(key_labels), std::move(layers),
                                        std::move(biases));
}

}  // namespace attn
