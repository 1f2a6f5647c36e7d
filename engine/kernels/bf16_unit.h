// SPDX-License-Identifier: GPL-3.0-or-later
// The units of the processor that multiply bf16 numbers, and which of them the kernels use for
// S = Q K^T of bf16 queries: the matrix unit (Intel AMX, matrix_tiles.h) or dot products of pairs
// (AVX-512 BF16, dot_tiles.h). Each has its own order of additions, which fixes the output bits.
#pragma once

#include "engine/core/dtype.h"

// Whether they are compiled in.
#if defined(__x86_64__) && defined(__linux__)
#define ATTN_HAS_BF16_UNITS 1
#else
#define ATTN_HAS_BF16_UNITS 0
#endif

namespace attn {

enum class Bf16Unit : uint8_t { kNone, kDotProducts, kMatrix };

// Whether this process may use it; dot products: on AMD's processors. kNone is always there; the
// others are not where the instruction set was restricted below AVX-512 for a test, or with
// ATTN_BF16_UNIT=off in the environment. Any thread.
bool has_bf16_unit(Bf16Unit unit);

// The one that the kernels use: the matrix unit where there is one, dot products on AMD's
// processors. Measured on AMD's family 25, they are twice as fast as multiply-adds of f32; Intel's
// take two cycles for one, and multiply-adds are as fast. Any thread.
Bf16Unit bf16_unit();

// Whether the kernels multiply keys that are stored so in the unit. bf16 must hold them exactly,
// and a decode must be able to add in the same order at no cost, which leaves fp8 out (up to a
// sixth slower) and int8 without a matrix unit.
inline bool takes_keys(Bf16Unit unit, DType keys) {
  return (unit != Bf16Unit::kNone && keys == DType::kBF16) ||
         (unit == Bf16Unit::kMatrix && keys == DType::kI8);
}

// As long as it lives bf16_unit() is `unit`, or kNone where that is not there; for comparisons. One
// within the other, not side by side, and not while a kernel runs.
class UseBf16Unit {
 public:
  explicit UseBf16Unit(Bf16Unit unit);
  ~UseBf16Unit();
  UseBf16Unit(const UseBf16Unit&) = delete;
  UseBf16Unit& operator=(const UseBf16Unit&) = delete;

 private:
  int before_;
};

// As long as it lives the calling thread may multiply in the matrix unit.
class MatrixSession {
 public:
  explicit MatrixSession(bool wanted);
  ~MatrixSession();
  MatrixSession(const MatrixSession&) = delete;
  MatrixSession& operator=(const MatrixSession&) = delete;

 private:
  [[maybe_unused]] bool wanted_;
};

// As long as it lives numbers below 2^-126 count as 0 for the calling thread, as they do in the
// units.
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
