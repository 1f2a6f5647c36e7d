// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/padding/padded_rows.h"

#include <algorithm>
#include <cstring>

#include "engine/kernels/fault.h"

namespace attn::backends::pallas {
namespace {

size_t row_bytes(const Tensor& tensor) {
  return static_cast<size_t>(tensor.dim(1) * tensor.dim(2)) * size_of(tensor.dtype());
}

// Makes `tensor` [rows, heads, D], with the heads, D and dtype of `like`, unless it is so already.
void reshape(Tensor& tensor, const Tensor& like, int64_t rows) {
  const Shape shape{rows, like.dim(1), like.dim(2)};
  if (tensor.shape() != shape || tensor.dtype() != like.dtype())
    tensor = Tensor(like.dtype(), shape);
}

void pad(const Tensor& from, const AttentionMetadata& batch, const PaddedPrefills& padded,
         Tensor& to) {
  reshape(to, from, padded.rows());
  const size_t bytes = row_bytes(from);
  const auto* source = static_cast<const std::byte*>(from.raw());
  auto* target = static_cast<std::byte*>(to.raw());
  for (int64_t s = 0; s < batch.num_prefills; ++s) {
    const auto rows = static_cast<size_t>(batch.query_len(s));
    const auto first = static_cast<size_t>(batch.query_start_loc[static_cast<size_t>(s)]);
    std::byte* place =
        target + static_cast<size_t>(padded.start_loc[static_cast<size_t>(s)]) * bytes;
    // Not memcpy(): a batch without tokens has null pointers.
    std::byte* end = std::copy_n(source + first * bytes, rows * bytes, place);
    std::fill_n(end, (static_cast<size_t>(padded.rows_of(s)) - rows) * bytes, std::byte{0});
  }
}

}  // namespace

void PaddedRows::take(const AttentionInputs& inputs, const AttentionMetadata& batch,
                      const PaddedPrefills& padded) {
  pad(*inputs.query, batch, padded, query_);
  pad(*inputs.key, batch, padded, key_);
  pad(*inputs.value, batch, padded, value_);
  reshape(out_, *inputs.query, padded.rows());
  const Shape rows_and_heads{padded.rows(), inputs.query->dim(1)};
  if (lse_.shape() != rows_and_heads) lse_ = Tensor(DType::kF32, rows_and_heads);
}

void PaddedRows::give(const AttentionMetadata& batch, const PaddedPrefills& padded, Tensor& to,
                      float* lse_to) const {
  const size_t bytes = row_bytes(out_);
  const auto heads = static_cast<size_t>(out_.dim(1));
  for (int64_t s = 0; s < batch.num_prefills; ++s) {
    const auto rows = static_cast<size_t>(batch.query_len(s));
    if (rows == 0) continue;  // a batch without tokens has null pointers
    const auto first = static_cast<size_t>(batch.query_start_loc[static_cast<size_t>(s)]);
    auto place = static_cast<size_t>(padded.start_loc[static_cast<size_t>(s)]);
    if (ATTN_FAULT(kPaddingNotCut)) place = first;
    std::memcpy(static_cast<std::byte*>(to.raw()) + first * bytes,
                static_cast<const std::byte*>(out_.raw()) + place * bytes, rows * bytes);
    std::memcpy(lse_to + first * heads, lse_.data<float>() + place * heads,
                rows * heads * sizeof(float));
  }
}

}  // namespace attn::backends::pallas
