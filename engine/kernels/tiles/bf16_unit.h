// SPDX-License-Identifier: GPL-3.0-or-later
// The units of the processor that multiply bf16 numbers, and which of them the kernels use: the
// matrix unit (Intel AMX, matrix_tiles.h) or dot products of pairs (AVX-512 BF16, dot_tiles.h).
// Each has its own order of additions, which fixes the output bits.
#pragma once

#include "engine/core/dtype.h"

// Whether the code for the processor's bf16 units is compiled in.
#if defined(__x86_64__) && defined(__linux__)
#define ATTN_HAS_BF16_UNITS 1
#else
#define ATTN_HAS_BF16_UNITS 0
#endif

namespace attn {

enum class Bf16Unit : uint8_t { kNone, kDotProducts, kMatrix };

// Whether this process can use `unit`; true for kNone. Both units need AVX-512 and are refused with
// ATTN_BF16_UNIT=off in the environment. Dot products are used on AMD's processors only. Any
// thread.
bool has_bf16_unit(Bf16Unit unit);

// The unit that the kernels use: the one of UseBf16Unit, else the matrix unit or dot products, the
// first that has_bf16_unit(), else kNone. Any thread.
Bf16Unit bf16_unit();

// Whether the kernels multiply keys of this stored dtype in the unit: bf16 in both units, int8 in
// the matrix unit.
inline bool takes_keys(Bf16Unit unit, DType keys) {
  return (unit != Bf16Unit::kNone && keys == DType::kBF16) ||
         (unit == Bf16Unit::kMatrix && keys == DType::kI8);
}

// While an object of this class is the newest, bf16_unit() returns its `unit`, or kNone if this
// process cannot use that. The setting is global: objects may be nested, but threads must not make
// them side by side, and no kernel may be running.
class UseBf16Unit {
 public:
  explicit UseBf16Unit(Bf16Unit unit);
  ~UseBf16Unit();
  UseBf16Unit(const UseBf16Unit&) = delete;
  UseBf16Unit& operator=(const UseBf16Unit&) = delete;

 private:
  int before_;
};

// While an object of this class lives, the calling thread may multiply in the matrix unit (if
// `wanted`).
class MatrixSession {
 public:
  explicit MatrixSession(bool wanted);
  ~MatrixSession();
  MatrixSession(const MatrixSession&) = delete;
  MatrixSession& operator=(const MatrixSession&) = delete;

 private:
  [[maybe_unused]] bool wanted_;
};

// While an object of this class lives, f32 numbers of a magnitude below 2^-126 count as 0 for the
// calling thread, as in the bf16 units. No effect where ATTN_HAS_BF16_UNITS is 0.
class SubnormalsAreZero {
 public:
  SubnormalsAreZero();
  ~SubnormalsAreZero();
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;

 private:
  [[maybe_unused]] unsigned before_ = 0;
};

}  // namespace attn
