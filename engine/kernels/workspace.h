// SPDX-License-Identifier: GPL-3.0-or-later
// Workspace: scratch memory of kernels, kept between calls: a part for each worker and a part that
// all share. The engine thread asks for sizes before the workers start. A request for a larger part
// than before loses the contents of that part.
#pragma once

#include <vector>

#include "engine/core/tensor.h"

namespace attn {

class Workspace {
 public:
  // Makes each worker's part at least `floats` floats long. Parts are aligned to 64 bytes.
  void reserve_workers(int num_workers, size_t floats) {
    workers_.resize(static_cast<size_t>(num_workers));
    for (AlignedBuffer& buffer : workers_) grow(buffer, floats);
  }
  float* worker(int worker) {
    return reinterpret_cast<float*>(workers_[static_cast<size_t>(worker)].data());
  }
  // Returns the part that all workers share, at least `floats` floats long.
  float* shared(size_t floats) {
    grow(shared_, floats);
    return reinterpret_cast<float*>(shared_.data());
  }

 private:
  static void grow(AlignedBuffer& buffer, size_t floats) {
    if (buffer.size() < floats * sizeof(float)) buffer = AlignedBuffer(floats * sizeof(float));
  }
  std::vector<AlignedBuffer> workers_;
  AlignedBuffer shared_;
};

}  // namespace attn
