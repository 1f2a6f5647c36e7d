// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/golden/golden_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "backends/register_all.h"
#include "engine/model/files/safetensors.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    names.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
  return {tensor.span<T>().begin(), tensor.span<T>().end()};
}

AttentionConfig read_config(const SafetensorsFile& file, const GoldenCase& c) {
  const auto& notes = file.metadata();
  AttentionConfig config =
      make_config(c.query.dim(1), std::stol(notes.at("num_kv_heads")), c.query.dim(2));
  config.scale = std::stof(notes.at("scale"));
  config.attn_type = attention_type_from_name(notes.at("attn_type")).value();
  config.kv_cache_dtype = c.query.dtype();
  if (notes.contains("sliding_window"))
    config.sliding_window = std::stol(notes.at("sliding_window"));
  if (notes.contains("logits_soft_cap"))
    config.logits_soft_cap = std::stof(notes.at("logits_soft_cap"));
  if (file.find("alibi_slopes")) config.alibi_slopes = values_of<float>(file.read("alibi_slopes"));
  if (file.find("sinks")) config.sinks = values_of<float>(file.read("sinks"));
  return config;
}

AttentionMetadata read_metadata(const SafetensorsFile& file, AttentionType type) {
  AttentionMetadata m;
  m.num_prefills = std::stol(file.metadata().at("num_prefills"));
  m.seq_lens = values_of<int32_t>(file.read("seq_lens"));
  m.slot_mapping = values_of<int64_t>(file.read("slot_mapping"));
  const auto query_lens = values_of<int32_t>(file.read("query_lens"));
  m.query_start_loc.push_back(0);
  for (size_t s = 0; s < query_lens.size(); ++s) {
    m.query_start_loc.push_back(m.query_start_loc.back() + query_lens[s]);
    m.context_lens.push_back(m.seq_lens[s] - query_lens[s]);
    m.max_query_len = std::max<int64_t>(m.max_query_len, query_lens[s]);
    const bool prefill = static_cast<int64_t>(s) < m.num_prefills;
    (prefill ? m.num_prefill_tokens : m.num_decode_tokens) += query_lens[s];
    int64_t& longest = prefill ? m.max_prefill_seq_len : m.max_decode_seq_len;
    longest = std::max<int64_t>(longest, m.seq_lens[s]);
  }
  if (file.find("block_tables")) {
    const Tensor tables = file.read("block_tables");
    m.block_tables = values_of<int32_t>(tables);
    m.max_blocks_per_seq = tables.dim(1);
  }
  if (file.find("attn_bias")) m.dense_bias = std::make_shared<Tensor>(file.read("attn_bias"));
  if (!file.find("encoder_seq_lens")) return m;
  m.encoder_seq_lens = values_of<int32_t>(file.read("encoder_seq_lens"));
  // Encoder tokens are computed for prefills only; in ENCODER attention every sequence is a
  // prefill.
  const auto with_encoder = type == AttentionType::kEncoder
                                ? m.encoder_seq_lens->end()
                                : m.encoder_seq_lens->begin() + m.num_prefills;
  m.num_encoder_tokens = std::accumulate(m.encoder_seq_lens->begin(), with_encoder, int64_t{0});
  m.max_encoder_seq_len = std::ranges::max(*m.encoder_seq_lens);
  if (type == AttentionType::kEncoder) return m;
  m.cross_slot_mapping = values_of<int64_t>(file.read("cross_slot_mapping"));
  m.cross_block_tables = values_of<int32_t>(file.read("cross_block_tables"));
  return m;
}

Tolerance golden_tolerance(DType dtype) {
  if (dtype == DType::kF16) return {1e-3, 1e-3};
  return tolerance_for(dtype, 0);
}

// Answers in 16 bits, and those with an exact answer beside them, are within the bound of the exact
// one, as ours is. So the two are within twice the bound of each other.
void expect_agreement(const GoldenCase& c, const GoldenOutputs& found) {
  const Tolerance bound = golden_tolerance(c.query.dtype());
  const bool rounded = !c.output_f64.empty() || c.output.dtype() != DType::kF32;
  const Tolerance twice{2 * bound.absolute, 2 * bound.relative};
  EXPECT_EQ(compare(found.out, c.output, rounded ? twice : bound), "");
  if (!c.output_f64.empty()) {
    EXPECT_EQ(compare(found.out, c.output_f64, bound), "");
  }
  EXPECT_EQ(compare(found.lse, c.lse, {1e-5, 1e-6}), "");
}

const AttentionBackend* registered(const std::string& name) {
  for (const AttentionBackend* backend : registered_backends())
    if (backend->name() == name) return backend;
  return nullptr;
}

}  // namespace

GoldenCase load_golden_case(const std::filesystem::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  GoldenCase c;
  c.name = path.stem().string();
  c.backends = split_names(file.metadata().at("expect_backends"));
  c.block_size = std::stol(file.metadata().at("block_size"));
  c.query = file.read("query");
  if (file.find("key")) {
    c.key = file.read("key");
    c.value = file.read("value");
  }
  if (file.find("key_cache")) {
    c.key_cache = convert(file.read("key_cache"), DType::kF32);
    c.value_cache = convert(file.read("value_cache"), DType::kF32);
  }
  c.output = file.read("expected.output");
  if (file.find("expected.output_f64")) c.output_f64 = file.read("expected.output_f64");
  c.lse = file.read("expected.lse");
  c.config = read_config(file, c);
  c.metadata = read_metadata(file, c.config.attn_type);
  return c;
}

std::vector<std::filesystem::path> golden_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(ATTN_SOURCE_DIR "/tests/golden/" + folder))
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string refusal(const GoldenCase& c, const AttentionBackend& backend) {
  const BackendCapabilities can = backend.capabilities();
  if (std::ranges::find(can.dtypes, c.query.dtype()) == can.dtypes.end())
    return fmt::format("does not compute in {}", name_of(c.query.dtype()));
  for (int64_t s = 0; s < c.metadata.num_seqs(); ++s)
    if (backend.rows_without_window(c.config, c.metadata, s) > 0)
      return "ignores the window beside ALiBi, as its original does";
  auto reasons = backend.not_supported_reasons(c.config);
  if (reasons.empty()) reasons = batch_not_supported_reasons(backend, c.config, c.metadata);
  return fmt::format("{}", fmt::join(reasons, " "));
}

GoldenOutputs run_golden_case(const GoldenCase& c, const AttentionBackend& backend, Tensor* keys,
                              Tensor* values) {
  const AttentionConfig& config = c.config;
  Tensor storage;
  KvCacheView cache;
  std::vector<int64_t> slots;
  if (!c.key_cache.empty()) {
    const int64_t num_blocks = c.key_cache.dim(0);
    storage = Tensor(
        config.kv_cache_dtype,
        backend.kv_cache_shape(num_blocks, c.block_size, config.num_kv_heads, config.head_size));
    cache.storage = &storage;
    cache.num_blocks = num_blocks;
    cache.block_size = c.block_size;
    cache.num_kv_heads = config.num_kv_heads;
    cache.head_size = config.head_size;
    slots.resize(static_cast<size_t>(num_blocks * c.block_size));
    std::iota(slots.begin(), slots.end(), int64_t{0});
    backend.write_rows(cache, slots, c.key_cache.data<float>(), c.value_cache.data<float>());
  }
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  GoldenOutputs result;
  result.out = Tensor(c.query.dtype(), c.query.shape());
  result.lse = Tensor(DType::kF32, {c.query.dim(0), config.num_heads});
  AttentionInputs inputs;
  inputs.query = &c.query;
  inputs.key = c.key.empty() ? nullptr : &c.key;
  inputs.value = c.value.empty() ? nullptr : &c.value;
  inputs.kv_cache = cache;
  AttentionOutputs outputs;
  outputs.out = &result.out;
  outputs.lse = &result.lse;
  backend.make_impl(config)->forward(inputs, c.metadata, outputs, execution);
  if (keys && values && !c.key_cache.empty()) {
    *keys = Tensor(DType::kF32, c.key_cache.shape());
    *values = Tensor(DType::kF32, c.key_cache.shape());
    backend.read_keys(cache, slots, keys->data<float>());
    backend.read_values(cache, slots, values->data<float>());
  }
  return result;
}

FolderReport run_golden_folder(const std::string& folder) {
  register_all_backends();
  FolderReport report;
  std::map<std::string, double> largest;  // "backend dtype"
  for (const auto& path : golden_files(folder)) {
    ++report.files;
    GoldenCase c = load_golden_case(path);
    for (const std::string& name : c.backends) {
      const AttentionBackend* backend = registered(name);
      c.config.extended = name == "torch_sdpa";
      const std::string reason = backend ? refusal(c, *backend) : "is not registered";
      if (!reason.empty()) {
        ++report.not_run[name][reason];
        continue;
      }
      SCOPED_TRACE(fmt::format("{} {}", c.name, name));
      const GoldenOutputs found = run_golden_case(c, *backend);
      ++report.ran[name];
      expect_agreement(c, found);
      double& worst = largest[fmt::format("{} {}", name, name_of(c.query.dtype()))];
      worst = std::max(worst, largest_difference(found.out, c.output));
    }
  }
  for (const auto& [name, count] : report.ran)
    fmt::print("{}: {} ran {} of {} files\n", folder, name, count, report.files);
  for (const auto& [what, difference] : largest)
    fmt::print("{}: largest output difference, {}: {:.2g}\n", folder, what, difference);
  for (const auto& [name, reasons] : report.not_run)
    for (const auto& [reason, count] : reasons)
      fmt::print("{}: {} did not run {} files: {}\n", folder, name, count, reason);
  return report;
}

}  // namespace attn::testing
