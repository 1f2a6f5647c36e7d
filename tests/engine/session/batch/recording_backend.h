// SPDX-License-Identifier: GPL-3.0-or-later
// RecordingBackend: wraps a backend under another name and reports the layer and metadata of each
// forward().
#pragma once

#include <functional>
#include <string>

#include "engine/attention/backend.h"

namespace attn::test {

class RecordingBackend final : public AttentionBackend {
 public:
  using Heard = std::function<void(int layer, const AttentionMetadata& metadata)>;
  static Heard& heard() {
    static Heard one;
    return one;
  }
  static std::string name_for(std::string_view base) { return "recording_" + std::string(base); }

  explicit RecordingBackend(const AttentionBackend& base)
      : base_(base), name_(name_for(base.name())) {}
  std::string_view name() const override { return name_; }
  std::string_view display_name() const override { return name_; }
  std::string_view description() const override { return base_.description(); }
  std::vector<int64_t> supported_head_sizes() const override {
    return base_.supported_head_sizes();
  }
  BackendCapabilities capabilities() const override { return base_.capabilities(); }
  std::vector<BackendOption> options() const override { return base_.options(); }
  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    return base_.not_supported_reasons(config);
  }
  std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const override {
    return std::make_unique<Impl>(base_.make_impl(config));
  }
  std::unique_ptr<AttentionState> make_state() const override { return base_.make_state(); }
  std::unique_ptr<DeviceModel> device_model(const AttentionConfig& config) const override {
    return base_.device_model(config);
  }
  Shape kv_cache_shape(int64_t blocks, int64_t size, int64_t heads, int64_t width) const override {
    return base_.kv_cache_shape(blocks, size, heads, width);
  }
  void swap_blocks(const KvCacheView& src, const KvCacheView& dst,
                   std::span<const BlockPair> pairs) const override {
    base_.swap_blocks(src, dst, pairs);
  }
  void copy_blocks(std::span<const KvCacheView> caches,
                   std::span<const BlockPair> pairs) const override {
    base_.copy_blocks(caches, pairs);
  }
  bool reads_new_keys_from_cache(const NewKeys& keys) const override {
    return base_.reads_new_keys_from_cache(keys);
  }
  void read_keys(const KvCacheView& cache, std::span<const int64_t> places,
                 float* keys) const override {
    base_.read_keys(cache, places, keys);
  }
  void read_values(const KvCacheView& cache, std::span<const int64_t> places,
                   float* values) const override {
    base_.read_values(cache, places, values);
  }
  void write_rows(const KvCacheView& cache, std::span<const int64_t> places, const float* keys,
                  const float* values) const override {
    base_.write_rows(cache, places, keys, values);
  }

 private:
  class Impl final : public AttentionImpl {
   public:
    explicit Impl(std::unique_ptr<AttentionImpl> inner) : inner_(std::move(inner)) {}
    bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                 const AttentionOutputs& outputs, const Execution& execution) override {
      if (heard()) heard()(inputs.layer, metadata);
      return inner_->forward(inputs, metadata, outputs, execution);
    }
    std::vector<std::string> warnings() const override { return inner_->warnings(); }

   private:
    std::unique_ptr<AttentionImpl> inner_;
  };
  const AttentionBackend& base_;
  std::string name_;
};

inline const std::vector<std::string>& recorded_backends() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const AttentionBackend* backend : registered_backends()) all.emplace_back(backend->name());
    for (const std::string& name : all)
      register_backend(std::make_unique<RecordingBackend>(backend_named(name)));
    return all;
  }();
  return names;
}

}  // namespace attn::test
