// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/op_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <system_error>
#include <type_traits>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/files/safetensors.h"

namespace attn::cli {
namespace {

const std::vector<std::string> kTensors = {"query",
                                           "key",
                                           "value",
                                           "slot_mapping",
                                           "block_tables",
                                           "seq_lens",
                                           "query_lens",
                                           "key_cache",
                                           "value_cache",
                                           "k_scale",
                                           "v_scale",
                                           "alibi_slopes",
                                           "attn_bias",
                                           "sinks",
                                           "encoder_seq_lens",
                                           "cross_slot_mapping",
                                           "cross_block_tables"};
constexpr const char* kSparseKeys[] = {"blocksparse_local_blocks", "blocksparse_vert_stride",
                                       "blocksparse_block_size", "blocksparse_head_sliding_step"};
std::vector<std::string> known_keys() {
  std::vector<std::string> keys = {
      "backend",        "attn_type",         "num_kv_heads",   "scale",           "block_size",
      "sliding_window", "logits_soft_cap",   "kv_cache_dtype", "k_scale",         "v_scale",
      "num_prefills",   "use_captured_plan", "extended",       "chunked_prefill", "pad_head_size"};
  keys.insert(keys.end(), std::begin(kSparseKeys), std::end(kSparseKeys));
  for (const BackendOption& option : backend_options()) keys.push_back(option.name);
  return keys;
}
// Whether a key is about the file and not the call.
bool is_note(std::string_view key) {
  return key == "name" || key == "description" || key == "generator" || key == "format" ||
         key.ends_with("_version") || key.starts_with("expect_") || key.starts_with("note_");
}

class CaseReader {
 public:
  CaseReader(const std::filesystem::path& path)
      : name_(path.filename().string()), file_(SafetensorsFile::open(path)) {}

  OpCase read(const std::optional<std::string>& backend);

 private:
  void check_names() const;
  std::string at(std::string_view tensor) const {
    return fmt::format("{}, tensor `{}`", name_, tensor);
  }
  std::string key_at(std::string_view key) const {
    return fmt::format("{}, __metadata__.{}", name_, key);
  }
  const std::string* text(const std::string& key) const;
  template <class Number>
  std::optional<Number> number(const std::string& key, Number min, Number max) const;
  bool boolean(const std::string& key) const;

  std::optional<Tensor> optional_tensor(std::string_view tensor, int rank,
                                        std::vector<DType> dtypes) const;
  Tensor tensor(std::string_view tensor_name, int rank, std::vector<DType> dtypes) const;
  void expect_shape(std::string_view tensor_name, const Tensor& found, const Shape& wanted) const;

  void read_operands(OpCase& result);
  void read_config(OpCase& result);
  void read_blocksparse(OpCase& result);
  void read_scales(OpCase& result);
  void read_cache(OpCase& result);
  void read_metadata(OpCase& result);
  void read_lengths(OpCase& result);
  int64_t default_prefills(const OpCase& result, int64_t least) const;
  void read_tables(OpCase& result);
  void read_encoder(OpCase& result);
  void read_bias(OpCase& result);
  void check_cache_is_there(const OpCase& result) const;
  void check_slots(const OpCase& result) const;
  std::vector<std::string> unused_inputs(const OpCase& result) const;

  std::string name_;
  SafetensorsFile file_;
};

void CaseReader::check_names() const {
  for (const TensorEntry& entry : file_.tensors()) {
    if (std::ranges::find(kTensors, entry.name) != kTensors.end() ||
        entry.name.starts_with("expected."))
      continue;
    const std::string near = nearest_match(entry.name, kTensors);
    throw_bad_input({"unknown tensor", name_, fmt::format("`{}`", entry.name),
                     fmt::format("{}, expected.*", fmt::join(kTensors, ", ")),
                     near.empty() ? "" : fmt::format("Did you mean `{}`?", near)});
  }
  const std::vector<std::string> keys = known_keys();
  for (const auto& [key, value] : file_.metadata()) {
    if (std::ranges::find(keys, key) != keys.end() || is_note(key)) continue;
    const std::string near = nearest_match(key, keys);
    throw_bad_input({"unknown metadata key", name_, fmt::format("`{}`", key),
                     fmt::format("{}", fmt::join(keys, ", ")),
                     near.empty() ? "" : fmt::format("Did you mean `{}`?", near)});
  }
}

const std::string* CaseReader::text(const std::string& key) const {
  const auto found = file_.metadata().find(key);
  return found == file_.metadata().end() ? nullptr : &found->second;
}

template <class Number>
std::optional<Number> CaseReader::number(const std::string& key, Number min, Number max) const {
  const std::string* value = text(key);
  if (!value) return std::nullopt;
  Number result{};
  const auto [end, code] = std::from_chars(value->data(), value->data() + value->size(), result);
  const bool is_whole = end == value->data() + value->size();
  if constexpr (std::is_floating_point_v<Number>) {
    double wide = 0;
    if (min <= 0 && is_whole && code == std::errc::result_out_of_range &&
        std::from_chars(value->data(), end, wide).ec == std::errc{} && std::abs(wide) < 1)
      throw_bad_input({"value is too small for a 32-bit float", key_at(key),
                       fmt::format("`{}`", *value),
                       fmt::format("0, or a number from {} to {} that is at least {} away from 0",
                                   min, max, std::numeric_limits<Number>::denorm_min()),
                       ""});
  }
  if (code != std::errc{} || !is_whole || !(result >= min && result <= max))
    throw_bad_input({"value is not in range", key_at(key), fmt::format("`{}`", *value),
                     fmt::format("a {}number from {} to {}",
                                 std::is_integral_v<Number> ? "whole " : "", min, max),
                     ""});
  return result;
}

bool CaseReader::boolean(const std::string& key) const {
  const std::string* value = text(key);
  if (!value) return false;
  if (*value == "true" || *value == "1") return true;
  if (*value == "false" || *value == "0") return false;
  throw_bad_input({"value is not a truth value", key_at(key), fmt::format("`{}`", *value),
                   "true or false", ""});
}

std::optional<Tensor> CaseReader::optional_tensor(std::string_view tensor_name, int rank,
                                                  std::vector<DType> dtypes) const {
  const TensorEntry* entry = file_.find(tensor_name);
  if (!entry) return std::nullopt;
  if (static_cast<int>(entry->shape.size()) != rank)
    throw_bad_input({"tensor has the wrong rank", at(tensor_name), to_string(entry->shape),
                     fmt::format("{} axes", rank), ""});
  if (!entry->dtype || std::ranges::find(dtypes, *entry->dtype) == dtypes.end()) {
    std::vector<std::string_view> names;
    for (const DType dtype : dtypes) names.push_back(name_of(dtype));
    throw_bad_input({"tensor has the wrong type", at(tensor_name), entry->dtype_name,
                     fmt::format("{}", fmt::join(names, ", ")), ""});
  }
  return file_.read(*entry);
}

Tensor CaseReader::tensor(std::string_view tensor_name, int rank, std::vector<DType> dtypes) const {
  auto found = optional_tensor(tensor_name, rank, std::move(dtypes));
  if (!found)
    throw_bad_input(
        {"a tensor is missing", name_, "no such tensor", fmt::format("`{}`", tensor_name), ""});
  return std::move(*found);
}

void CaseReader::expect_shape(std::string_view tensor_name, const Tensor& found,
                              const Shape& wanted) const {
  if (found.shape() != wanted)
    throw_bad_input({"tensor has the wrong shape", at(tensor_name), to_string(found.shape()),
                     to_string(wanted), ""});
}

void CaseReader::read_operands(OpCase& result) {
  result.query = tensor("query", 3, {DType::kF32, DType::kBF16, DType::kF16});
  const std::vector<DType> same = {result.query.dtype()};
  auto key = optional_tensor("key", 3, same), value = optional_tensor("value", 3, same);
  if (key.has_value() != value.has_value())
    throw_bad_input({"key and value must be given together", name_,
                     key ? "key without value" : "value without key", "both or none", ""});
  if (!key) return;
  result.key = std::move(*key);
  result.value = std::move(*value);
  expect_shape("value", result.value, result.key.shape());
  if (result.key.dim(2) != result.query.dim(2))
    throw_bad_input({"head sizes differ", at("key"), fmt::format("{}", result.key.dim(2)),
                     fmt::format("{}, as in query", result.query.dim(2)), ""});
}

void CaseReader::read_config(OpCase& result) {
  AttentionConfig& config = result.config;
  config.num_heads = result.query.dim(1);
  config.head_size = result.query.dim(2);
  const int64_t heads_in_key = result.key.empty() ? config.num_heads : result.key.dim(1);
  config.num_kv_heads = number<int64_t>("num_kv_heads", 1, kMostHeads).value_or(heads_in_key);
  if (!result.key.empty() && config.num_kv_heads != heads_in_key)
    throw_bad_input({"number of KV heads differs", key_at("num_kv_heads"),
                     fmt::format("{}", config.num_kv_heads),
                     fmt::format("{}, as in key", heads_in_key), ""});
  config.scale =
      number<float>("scale", -1e6f, 1e6f)
          .value_or(1.0f / std::sqrt(static_cast<float>(std::max<int64_t>(1, config.head_size))));
  config.sliding_window = number<int64_t>("sliding_window", 1, kMostPositions);
  config.logits_soft_cap = number<float>("logits_soft_cap", 1e-6f, 1e6f);
  if (const std::string* name = text("attn_type")) {
    const auto type = attention_type_from_name(*name);
    if (!type)
      throw_bad_input({"no such attention type", key_at("attn_type"), fmt::format("`{}`", *name),
                       "DECODER, ENCODER, ENCODER_ONLY, ENCODER_DECODER", ""});
    config.attn_type = *type;
  }
  for (const BackendOption& option : backend_options()) {
    const std::string* value = text(option.name);
    if (!value) continue;
    choose(config.backend_options, option, *value);
    if (!index_of(config.backend_options, option))
      throw_no_such_value(option, *value, key_at(option.name));
  }
  config.extended = boolean("extended");
  config.chunked_prefill = boolean("chunked_prefill");
  config.pad_head_size = boolean("pad_head_size");
  const std::string* cache = text("kv_cache_dtype");
  set_cache_dtype(config, cache ? *cache : "auto", result.query.dtype(), key_at("kv_cache_dtype"));
  read_scales(result);
  read_blocksparse(result);
  if (auto slopes = optional_tensor("alibi_slopes", 1, {DType::kF32})) {
    expect_shape("alibi_slopes", *slopes, {config.num_heads});
    config.alibi_slopes.emplace(slopes->span<float>().begin(), slopes->span<float>().end());
  }
  if (auto sinks = optional_tensor("sinks", 1, {DType::kF32})) {
    expect_shape("sinks", *sinks, {config.num_heads});
    config.sinks.emplace(sinks->span<float>().begin(), sinks->span<float>().end());
  }
  validate(config);
}

// A scale is a number in the metadata, or a tensor with one per KV head.
void CaseReader::read_scales(OpCase& result) {
  const auto read = [&](const char* name, float& scale, std::vector<float>& head_scales) {
    const auto list = optional_tensor(name, 1, {DType::kF32});
    const auto one = number<float>(name, 1e-30f, 1e30f);
    if (list && one)
      throw_bad_input({"a scale is given twice", key_at(name), "a metadata key and a tensor",
                       "one of them", ""});
    scale = one.value_or(1.0f);
    if (!list) return;
    expect_shape(name, *list, {result.config.num_kv_heads});
    for (const float x : list->span<float>())
      if (!(x >= 1e-30f && x <= 1e30f))  // true for NaN
        throw_bad_input({"a scale is out of range", at(name), fmt::format("{}", x),
                         "a number from 1e-30 to 1e+30", ""});
    head_scales.assign(list->span<float>().begin(), list->span<float>().end());
  };
  read("k_scale", result.scales.k_scale, result.scales.k_head_scales);
  read("v_scale", result.scales.v_scale, result.scales.v_head_scales);
}

void CaseReader::read_blocksparse(OpCase& result) {
  BlockSparse sparse;
  int64_t* const fields[] = {&sparse.local_blocks, &sparse.vert_stride, &sparse.block_size,
                             &sparse.head_sliding_step};
  bool given = false;
  for (size_t i = 0; i < std::size(fields); ++i) {
    const int64_t least = fields[i] == &sparse.head_sliding_step ? 0 : 1;
    const auto value = number<int64_t>(kSparseKeys[i], least, kMostPositions);
    if (value) *fields[i] = *value;
    given = given || value.has_value();
  }
  if (given) result.config.blocksparse = sparse;
}

void CaseReader::read_cache(OpCase& result) {
  const std::vector<DType> types = {DType::kF32,    DType::kBF16,   DType::kF16,
                                    DType::kF8E4M3, DType::kF8E5M2, DType::kI8};
  auto keys = optional_tensor("key_cache", 4, types),
       values = optional_tensor("value_cache", 4, types);
  if (keys.has_value() != values.has_value())
    throw_bad_input({"key_cache and value_cache must be given together", name_, "one of them",
                     "both or none", ""});
  // The limit is above kMostBlockSize, which is the limit of runs.
  const auto block_size = number<int64_t>("block_size", 1, 1 << 20);
  result.block_size = block_size.value_or(16);
  if (!keys) return;
  for (const int axis : {0, 1})
    if (keys->dim(axis) < 1)
      throw_bad_input({"the cache has no slots", at("key_cache"), to_string(keys->shape()),
                       "[num_blocks, block_size, Hkv, D], all 1 or more",
                       "Leave key_cache and value_cache out when there is no cache."});
  result.num_blocks = keys->dim(0);
  result.block_size = block_size.value_or(keys->dim(1));
  for (const auto& [tensor_name, cache] :
       {std::pair{"key_cache", &*keys}, std::pair{"value_cache", &*values}}) {
    expect_shape(tensor_name, *cache,
                 {result.num_blocks, result.block_size, result.config.num_kv_heads,
                  result.config.head_size});
    if (cache->dtype() != result.config.kv_cache_dtype && cache->dtype() != DType::kF32)
      throw_bad_input(
          {"cache has the wrong type", at(tensor_name), std::string(name_of(cache->dtype())),
           fmt::format("{} by kv_cache_dtype {}, or f32", name_of(result.config.kv_cache_dtype),
                       result.config.kv_cache_dtype_name),
           ""});
  }
  result.key_cache = std::move(*keys);
  result.value_cache = std::move(*values);
}

// Number of prefills if the file does not give it. least: how many sequences there are up to the
// last one with a query length other than 1.
int64_t CaseReader::default_prefills(const OpCase& result, int64_t least) const {
  const AttentionMetadata& metadata = result.metadata;
  const int64_t seqs = metadata.num_seqs();
  const AttentionType type = result.config.attn_type;
  const bool cross = type == AttentionType::kEncoderDecoder;
  // A decode reads the cache. So without a cache, and for encoders, all sequences are prefills.
  if (result.num_blocks == 0 || (type != AttentionType::kDecoder && !cross)) return seqs;
  if (cross && !result.key.empty()) {
    // `key` holds the encoder tokens of the prefills, so its rows give their number.
    const auto lens = optional_tensor("encoder_seq_lens", 1, {DType::kI32});
    int64_t rows = 0, prefills = 0;
    for (; lens && prefills < std::min(seqs, lens->dim(0)) && rows < result.key.dim(0); ++prefills)
      rows += std::max(0, lens->data<int32_t>()[prefills]);
    return lens && rows == result.key.dim(0) ? std::max(prefills, least) : seqs;
  }
  // Prompts of one token after other prompts are prefills too.
  int64_t prefills = least;
  while (prefills > 0 && prefills < seqs &&
         metadata.context_lens[static_cast<size_t>(prefills)] == 0)
    ++prefills;
  return prefills;
}

void CaseReader::read_lengths(OpCase& result) {
  AttentionMetadata& metadata = result.metadata;
  const int64_t tokens = result.query.dim(0);
  const Tensor seq_lens = tensor("seq_lens", 1, {DType::kI32}),
               query_lens = tensor("query_lens", 1, {DType::kI32});
  const int64_t seqs = seq_lens.dim(0);
  expect_shape("query_lens", query_lens, {seqs});
  int64_t least_prefills = 0;
  int64_t row = 0;
  metadata.query_start_loc.push_back(0);
  for (int64_t s = 0; s < seqs; ++s) {
    const int32_t seq_len = seq_lens.data<int32_t>()[s], query_len = query_lens.data<int32_t>()[s];
    if (query_len < 0 || seq_len < query_len || seq_len > kMostPositions)
      throw_bad_input({"lengths contradict each other", fmt::format("{}, sequence {}", name_, s),
                       fmt::format("query_len {}, seq_len {}", query_len, seq_len),
                       fmt::format("0 <= query_len <= seq_len <= {}", kMostPositions), ""});
    if (query_len != 1) least_prefills = s + 1;
    row += query_len;
    metadata.seq_lens.push_back(seq_len);
    metadata.context_lens.push_back(seq_len - query_len);
    metadata.query_start_loc.push_back(static_cast<int32_t>(std::min<int64_t>(row, INT32_MAX)));
  }
  if (row != tokens)
    throw_bad_input({"the query lengths do not add up to the rows of query", at("query_lens"),
                     fmt::format("{} in all", row), fmt::format("{}, the rows of query", tokens),
                     ""});
  metadata.num_prefills =
      number<int64_t>("num_prefills", 0, seqs).value_or(default_prefills(result, least_prefills));
  if (metadata.num_prefills < least_prefills)
    throw_bad_input({"a decoding sequence has one token", key_at("num_prefills"),
                     fmt::format("{}", metadata.num_prefills),
                     fmt::format("{} or more", least_prefills), "Prefill sequences come first."});
  for (int64_t s = 0; s < seqs; ++s) {
    const auto i = static_cast<size_t>(s);
    metadata.max_query_len = std::max(metadata.max_query_len, metadata.query_len(s));
    if (s < metadata.num_prefills) {
      metadata.num_prefill_tokens += metadata.query_len(s);
      metadata.max_prefill_seq_len =
          std::max<int64_t>(metadata.max_prefill_seq_len, metadata.seq_lens[i]);
    } else {
      metadata.num_decode_tokens += 1;
      metadata.max_decode_seq_len =
          std::max<int64_t>(metadata.max_decode_seq_len, metadata.seq_lens[i]);
    }
  }
}

void CaseReader::read_tables(OpCase& result) {
  AttentionMetadata& metadata = result.metadata;
  const int64_t tokens = result.query.dim(0), seqs = metadata.num_seqs();
  if (auto slots = optional_tensor("slot_mapping", 1, {DType::kI64})) {
    expect_shape("slot_mapping", *slots, {tokens});
    metadata.slot_mapping.assign(slots->span<int64_t>().begin(), slots->span<int64_t>().end());
  } else if (result.num_blocks == 0 || result.config.attn_type != AttentionType::kDecoder) {
    metadata.slot_mapping.assign(static_cast<size_t>(tokens), kPaddingSlot);
  } else {
    throw_bad_input(
        {"a tensor is missing", name_, "a cache without slot_mapping", "`slot_mapping`", ""});
  }
  if (auto tables = optional_tensor("block_tables", 2, {DType::kI32})) {
    if (tables->dim(0) != seqs) expect_shape("block_tables", *tables, {seqs, tables->dim(1)});
    metadata.max_blocks_per_seq = tables->dim(1);
    metadata.block_tables.assign(tables->span<int32_t>().begin(), tables->span<int32_t>().end());
  }
}

// With the type ENCODER, encoder_seq_lens may be missing and is then query_lens.
void CaseReader::read_encoder(OpCase& result) {
  AttentionMetadata& metadata = result.metadata;
  const AttentionType type = result.config.attn_type;
  const int64_t seqs = metadata.num_seqs();
  const bool cross = type == AttentionType::kEncoderDecoder;
  for (const char* name : {"encoder_seq_lens", "cross_slot_mapping", "cross_block_tables"}) {
    if (!file_.find(name) || cross) continue;
    if (type == AttentionType::kEncoder && std::string_view(name) == "encoder_seq_lens") continue;
    throw_bad_input({"a tensor does not belong to this attention type", at(name),
                     fmt::format("attn_type {}", name_of(type)),
                     "ENCODER_DECODER, and encoder_seq_lens with ENCODER", ""});
  }
  if (auto lens = optional_tensor("encoder_seq_lens", 1, {DType::kI32})) {
    expect_shape("encoder_seq_lens", *lens, {seqs});
    metadata.encoder_seq_lens.emplace(lens->span<int32_t>().begin(), lens->span<int32_t>().end());
  } else if (type == AttentionType::kEncoder) {
    metadata.encoder_seq_lens.emplace();
    for (int64_t s = 0; s < seqs; ++s)
      metadata.encoder_seq_lens->push_back(static_cast<int32_t>(metadata.query_len(s)));
  }
  if (metadata.encoder_seq_lens) {
    const auto& lens = *metadata.encoder_seq_lens;
    metadata.max_encoder_seq_len = lens.empty() ? 0 : std::ranges::max(lens);
    metadata.num_encoder_tokens = 0;
    for (int64_t s = 0; s < (cross ? metadata.num_prefills : seqs); ++s)
      *metadata.num_encoder_tokens += lens[static_cast<size_t>(s)];
  }
  if (!cross) return;
  if (auto slots = optional_tensor("cross_slot_mapping", 1, {DType::kI64}))
    metadata.cross_slot_mapping.emplace(slots->span<int64_t>().begin(),
                                        slots->span<int64_t>().end());
  else if (result.num_blocks == 0 || result.key.empty())  // no key is written
    metadata.cross_slot_mapping.emplace(
        static_cast<size_t>(metadata.num_encoder_tokens.value_or(0)), kPaddingSlot);
  if (auto tables = optional_tensor("cross_block_tables", 2, {DType::kI32})) {
    if (tables->dim(0) != seqs) expect_shape("cross_block_tables", *tables, {seqs, tables->dim(1)});
    metadata.cross_block_tables.emplace(tables->span<int32_t>().begin(),
                                        tables->span<int32_t>().end());
  } else if (result.num_blocks == 0) {
    metadata.cross_block_tables.emplace();
  }
}

void CaseReader::read_bias(OpCase& result) {
  auto bias = optional_tensor("attn_bias", 3, {DType::kF32});
  if (!bias) return;
  const AttentionMetadata& metadata = result.metadata;
  const auto lens = metadata.seq_lens_for(result.config.attn_type).kv;
  const int32_t longest = lens.empty() ? 0 : std::ranges::max(lens);
  const int64_t heads = bias->dim(0);
  if ((heads != 1 && heads != result.config.num_heads) || bias->dim(1) != result.query.dim(0) ||
      bias->dim(2) < longest)
    throw_bad_input({"tensor has the wrong shape", at("attn_bias"), to_string(bias->shape()),
                     fmt::format("[1 or {}, {}, {} or more]: heads, rows of query, keys",
                                 result.config.num_heads, result.query.dim(0), longest),
                     ""});
  result.metadata.dense_bias = std::make_shared<const Tensor>(std::move(*bias));
}

void CaseReader::read_metadata(OpCase& result) {
  AttentionMetadata& metadata = result.metadata;
  read_lengths(result);
  metadata.use_captured_plan = boolean("use_captured_plan");
  read_tables(result);
  read_encoder(result);
  validate_for(result.config.attn_type, metadata, result.num_blocks, result.block_size);
  read_bias(result);
  if (result.num_blocks > 0 && result.config.attn_type == AttentionType::kDecoder) {
    validate(metadata, result.num_blocks, result.block_size);
    check_slots(result);
    return;
  }
  check_cache_is_there(result);
}

void CaseReader::check_cache_is_there(const OpCase& result) const {
  const AttentionMetadata& metadata = result.metadata;
  const AttentionType type = result.config.attn_type;
  if (type == AttentionType::kEncoderDecoder) {
    if (result.num_blocks == 0 && (result.key.empty() || metadata.num_decode_tokens > 0))
      throw_bad_input({"a cache is needed", name_,
                       "encoder tokens whose keys and values are not in the file",
                       "key_cache and value_cache", ""});
    return;
  }
  for (int64_t s = 0; s < metadata.num_seqs(); ++s) {
    const bool context = metadata.context_lens[static_cast<size_t>(s)] > 0;
    if (type != AttentionType::kDecoder && context)
      throw_bad_input({"an encoder cannot have cached tokens",
                       fmt::format("{}, sequence {}", name_, s), "seq_len above query_len",
                       "the same", ""});
    if (type == AttentionType::kDecoder && (s >= metadata.num_prefills || context))
      throw_bad_input({"a cache is needed", fmt::format("{}, sequence {}", name_, s),
                       context ? "tokens whose keys and values are not in the file"
                               : "a decode, which reads keys and values from a cache",
                       "key_cache and value_cache", ""});
  }
  if (result.num_blocks == 0 &&
      std::ranges::any_of(metadata.slot_mapping, [](int64_t slot) { return slot != kPaddingSlot; }))
    throw_bad_input(
        {"there is no cache to write to", at("slot_mapping"), "a slot", "-1 everywhere", ""});
}

// Checks that a token's slot is where its block table points. Lengths and tables were checked
// before.
void CaseReader::check_slots(const OpCase& result) const {
  const AttentionMetadata& metadata = result.metadata;
  for (int64_t s = 0; s < metadata.num_seqs(); ++s) {
    for (int64_t i = 0; i < metadata.query_len(s); ++i) {
      const int64_t position = metadata.context_lens[static_cast<size_t>(s)] + i;
      const int64_t row = metadata.query_start_loc[static_cast<size_t>(s)] + i;
      const auto logical = static_cast<size_t>(position / result.block_size);
      const int64_t wanted = int64_t{metadata.block_table(s)[logical]} * result.block_size +
                             position % result.block_size;
      const int64_t found = metadata.slot_mapping[static_cast<size_t>(row)];
      if (found == wanted) continue;
      throw_bad_input(
          {"slot_mapping and block_tables contradict each other",
           fmt::format("{}, slot_mapping[{}]", name_, row), fmt::format("slot {}", found),
           fmt::format("slot {}: position {} of sequence {} by block_tables[{}][{}] = {}", wanted,
                       position, s, s, logical, metadata.block_table(s)[logical]),
           ""});
    }
  }
}

std::vector<std::string> CaseReader::unused_inputs(const OpCase& result) const {
  std::vector<std::string> reasons;
  if ((result.scales.k_scale != 1.0f || result.scales.v_scale != 1.0f) &&
      !is_quantised(result.config.kv_cache_dtype))
    reasons.push_back(
        fmt::format("k_scale and v_scale have an effect only in quantised caches (fp8, int8); this "
                    "cache is {}.",
                    name_of(result.config.kv_cache_dtype)));
  if ((!result.scales.k_head_scales.empty() || !result.scales.v_head_scales.empty()) &&
      result.config.kv_cache_dtype != DType::kI8)
    reasons.push_back(
        fmt::format("Scales per KV head (the tensors k_scale and v_scale) are possible only in "
                    "int8 caches; this cache is {}.",
                    name_of(result.config.kv_cache_dtype)));
  if (result.metadata.use_captured_plan && result.metadata.num_prefills > 0)
    reasons.emplace_back(
        "A captured plan (use_captured_plan) is possible only for a batch of decodes; this batch "
        "has prefills.");
  return reasons;
}

OpCase CaseReader::read(const std::optional<std::string>& backend) {
  check_names();
  OpCase result;
  if (const std::string* name = text("backend")) result.backend = *name;
  if (backend) result.backend = *backend;
  read_operands(result);
  read_config(result);
  read_cache(result);
  if (!result.key.empty() && result.config.attn_type != AttentionType::kEncoderDecoder &&
      result.key.dim(0) != result.query.dim(0))
    expect_shape("key", result.key, {result.query.dim(0), result.key.dim(1), result.key.dim(2)});
  if (result.key.empty() && result.config.attn_type != AttentionType::kEncoderDecoder)
    throw_bad_input({"a tensor is missing", name_,
                     fmt::format("attention type {}", name_of(result.config.attn_type)),
                     "`key` and `value`", ""});
  read_metadata(result);
  if (!result.key.empty() && result.config.attn_type == AttentionType::kEncoderDecoder)
    expect_shape("key", result.key,
                 {*result.metadata.num_encoder_tokens, result.key.dim(1), result.key.dim(2)});
  std::vector<std::string> reasons = unused_inputs(result);
  if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
  return result;
}

}  // namespace

OpCase load_op_case(const std::filesystem::path& file, const std::optional<std::string>& backend) {
  try {
    return CaseReader(file).read(backend);
  } catch (const Error& error) {
    // The usual advice for an array names scenarios and weights, which are not what `op` reads.
    if (error.code() != ErrorCode::kBadInput || error.parts().found != "NumPy .npy") throw;
    ErrorParts parts = error.parts();
    parts.advice =
        "`attn op` reads one safetensors file that has the tensors of the call, such as query, "
        "key, value, seq_lens and query_lens (docs/formats.md); `attn run` reads .npy files";
    throw_bad_input(std::move(parts));
  }
}

}  // namespace attn::cli
