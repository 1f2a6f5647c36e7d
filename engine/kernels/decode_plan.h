// SPDX-License-Identifier: GPL-3.0-or-later
// DecodePlan: the integers of a decode batch, computed once as plain data: the tasks, and where the
// partial result of each (sequence, head, partition) lies.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/paged_decode.h"

namespace attn {

struct DecodePlan {
  struct Task {
    int64_t sequence = 0, head = 0, partition = 0;
  };
  const DecodeArgs* args = nullptr;
  KernelId kernel = KernelId::kPagedDecodeV1;
  int64_t width = 0;                   // head size padded to 16
  std::vector<int64_t> first_partial;  // [sequences] index of (head 0, partition 0)
  std::vector<Task> tasks;             // v1: partition is unused
  float* partials = nullptr;           // [.., kPartialHeader + width]: max, sum, output

  // A partial begins with 16 floats, of which the first two hold max and sum, so that its output
  // row is aligned.
  static constexpr int64_t kPartialHeader = 16;
  int64_t partitions(int64_t sequence) const {
    return (args->sequences[static_cast<size_t>(sequence)].seq_len + kPartition - 1) / kPartition;
  }
  float* partial(int64_t sequence, int64_t head, int64_t partition) const {
    return partials + (first_partial[static_cast<size_t>(sequence)] + head * partitions(sequence) +
                       partition) *
                          (kPartialHeader + width);
  }
};

}  // namespace attn
