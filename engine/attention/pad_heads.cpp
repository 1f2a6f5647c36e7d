// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/pad_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace attn {
namespace {

// The smallest size of the backend that is not below `head_size`; 0: none. `head_size` itself if
// the backend has no list of sizes.
int64_t next_head_size(const AttentionBackend& backend, int64_t head_size) {
  const auto sizes = backend.supported_head_sizes();
  if (sizes.empty()) return head_size;
  int64_t next = 0;
  for (const int64_t size : sizes)
    if (size >= head_size && (next == 0 || size < next)) next = size;
  return next;
}

class PaddedImpl final : public AttentionImpl {
 public:
  PaddedImpl(std::unique_ptr<AttentionImpl> impl, int64_t head_size, std::string warning)
      : impl_(std::move(impl)), head_size_(head_size), warning_(std::move(warning)) {}

  std::vector<std::string> warnings() const override {
    auto warnings = impl_->warnings();
    warnings.push_back(warning_);
    return warnings;
  }

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    AttentionInputs padded = inputs;
    padded.query = pad(*inputs.query, query_);
    if (inputs.key) padded.key = pad(*inputs.key, key_);
    if (inputs.value) padded.value = pad(*inputs.value, value_);
    AttentionOutputs wide = outputs;
    fit(*inputs.query, out_);
    wide.out = &out_;
    if (!impl_->forward(padded, metadata, wide, execution)) return false;
    copy_heads(out_, *outputs.out);
    return true;
  }

 private:
  // Gives `tensor` the shape of `like` with padded heads; its memory is kept between calls of one
  // shape.
  void fit(const Tensor& like, Tensor& tensor) const {
    const Shape shape{like.dim(0), like.dim(1), head_size_};
    if (tensor.dtype() != like.dtype() || tensor.shape() != shape)
      tensor = Tensor(like.dtype(), shape);
  }
  const Tensor* pad(const Tensor& from, Tensor& to) const {
    fit(from, to);
    copy_heads(from, to);
    return &to;
  }

  std::unique_ptr<AttentionImpl> impl_;
  int64_t head_size_;
  std::string warning_;
  Tensor query_, key_, value_, out_;
};

}  // namespace

int64_t cache_head_size(const AttentionBackend& backend, const AttentionConfig& config) {
  return config.pad_head_size ? next_head_size(backend, config.head_size) : config.head_size;
}

AttentionConfig padded_config(const AttentionBackend& backend, const AttentionConfig& config) {
  AttentionConfig padded = config;
  padded.head_size = cache_head_size(backend, config);
  padded.pad_head_size = false;
  return padded;
}

std::string padding_hint(const AttentionBackend& backend, const AttentionConfig& config) {
  const int64_t next = next_head_size(backend, config.head_size);
  if (next == 0 || next == config.head_size) return "";
  return fmt::format(
      " With the option pad_head_size (Head padding in the window), heads are padded with zeros to "
      "{}.",
      next);
}

std::string padded_heads_sentence(std::string_view backend, int64_t head_size,
                                  int64_t padded_head_size) {
  return fmt::format(
      "Heads are padded with zeros to {} elements, also in the cache, because {} does not take "
      "heads of {}. The output stays the same, so nothing needs to be done.",
      padded_head_size, backend, head_size);
}

std::string padded_cache_sentence(int64_t head_size, int64_t padded_head_size) {
  return fmt::format("The KV cache is {:.3g} times as large as it would be with heads of {}.",
                     static_cast<double>(padded_head_size) / static_cast<double>(head_size),
                     head_size);
}

std::unique_ptr<AttentionImpl> pad_heads(std::unique_ptr<AttentionImpl> padded,
                                         const AttentionBackend& backend,
                                         const AttentionConfig& config) {
  const int64_t head_size = cache_head_size(backend, config);
  return std::make_unique<PaddedImpl>(
      std::move(padded), head_size,
      padded_heads_sentence(backend.display_name(), config.head_size, head_size));
}

void copy_heads(const Tensor& source, Tensor& target) {
  const size_t bytes = size_of(source.dtype());
  const auto from = static_cast<size_t>(source.shape().back()) * bytes;
  const auto to = static_cast<size_t>(target.shape().back()) * bytes;
  const size_t heads = from > 0 ? source.bytes() / from : 0;
  const auto* read = static_cast<const std::byte*>(source.raw());
  auto* write = static_cast<std::byte*>(target.raw());
  for (size_t head = 0; head < heads; ++head, read += from, write += to) {
    std::memcpy(write, read, std::min(from, to));
    if (to > from) std::memset(write + from, 0, to - from);
  }
}

}  // namespace attn
