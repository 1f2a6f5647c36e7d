// SPDX-License-Identifier: GPL-3.0-or-later
// Element types that the kernels do not read themselves go through f32: f16 queries and outputs as
// whole tensors, 8-bit caches sequence by sequence. The kernels compute in f32 in any case, so the
// bits are those of a kernel that reads the type. Engine thread.
#pragma once

#include <deque>

#include "engine/core/tensor.h"
#include "engine/kernels/kv_source.h"

namespace attn {

// Whether the kernels take queries, or keys and values, of this type.
bool kernels_take_query(DType dtype);
bool kernels_read_cache(DType dtype);

// A query and an output as the kernels take them: the tensors themselves, or f32 copies whose
// output is rounded into the real one by finish().
class WidenedQuery {
 public:
  WidenedQuery(const Tensor& query, Tensor& out);
  const Tensor* query() const { return widened_ ? &query_copy_ : &query_; }
  Tensor* out() { return widened_ ? &out_copy_ : &out_; }
  // Rows [first, first + count) of the first axis.
  void finish(int64_t first, int64_t count);

 private:
  const Tensor& query_;
  Tensor& out_;
  bool widened_;
  Tensor query_copy_, out_copy_;
};

// Rows 0 .. tokens - 1 of a cached sequence, decoded; lives until clear().
class WidenedCache {
 public:
  void clear() { rows_.clear(); }
  KvSource decode(const KvSource& source, int64_t tokens, int64_t num_kv_heads, int64_t head_size);

 private:
  std::deque<Tensor> rows_;
};

}  // namespace attn
