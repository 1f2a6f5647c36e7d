// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a row of a sequence's dense mask as f32, and adds a bias. Included once per Highway target.
#if defined(ATTN_KERNELS_MASK_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_MASK_ROWS_INL_H_
#undef ATTN_KERNELS_MASK_ROWS_INL_H_
#else
#define ATTN_KERNELS_MASK_ROWS_INL_H_
#endif

#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

inline bool HasMask(const PrefillSequence& sequence) {
  return sequence.mask.first != nullptr && !ATTN_FAULT(kMaskNotRead);
}

// Writes the mask of keys [k, k + count) to `to` and adds `bias`, if not null. bias[0] belongs to
// key 0.
inline void LoadMask(const PrefillSequence& sequence, int64_t head, int64_t row, int64_t k,
                     int64_t count, const float* bias, float* to) {
  const DenseMaskRows& mask = sequence.mask;
  WithType(mask.dtype, [&]<class T>(T) HWY_ATTR {
    CopyAsFloat(reinterpret_cast<const T*>(mask.first) +
                    (ATTN_FAULT(kMaskOfFirstHead) ? 0 : head) * mask.head_stride +
                    (ATTN_FAULT(kMaskOneRowLate) && row > 0 ? row - 1 : row) * mask.row_stride + k,
                count, to);
  });
  if (bias)
    for (int64_t i = 0; i < count; ++i) to[i] += bias[k + i];
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
