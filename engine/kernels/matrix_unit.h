// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix unit of the processor (Intel AMX), where there is one: whether the kernels multiply
// bf16 numbers with it (matrix_tiles.h).
#pragma once

#include "engine/core/dtype.h"

// Whether it is compiled in. clang knows no `#pragma GCC target`.
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define ATTN_HAS_AMX 1
#else
#define ATTN_HAS_AMX 0
#endif

namespace attn {

// Intel AMX with bf16, which the system lets this process use, beside AVX-512. False with
// ATTN_MATRIX_UNIT=off in the environment, and where the instruction set was restricted for a test.
// Any thread.
bool has_matrix_unit();

// Whether the unit multiplies keys that are stored so. fp8 would be exact, too, but a decode, which
// must add in the same order, would take up to a sixth longer.
inline bool in_matrix_unit(DType keys) {
  return keys == DType::kBF16 || keys == DType::kI8;
}

// Turns the matrix unit off as long as it lives, for comparisons. Not while a kernel runs.
class WithoutMatrixUnit {
 public:
  WithoutMatrixUnit();
  ~WithoutMatrixUnit();
  WithoutMatrixUnit(const WithoutMatrixUnit&) = delete;
  WithoutMatrixUnit& operator=(const WithoutMatrixUnit&) = delete;
};

// As long as it lives the calling thread may multiply in the unit.
class MatrixSession {
 public:
  explicit MatrixSession(bool wanted);
  ~MatrixSession();
  MatrixSession(const MatrixSession&) = delete;
  MatrixSession& operator=(const MatrixSession&) = delete;

 private:
  bool wanted_;
};

// As long as it lives numbers below 2^-126 count as 0 for the calling thread, as they do in the
// unit.
class SubnormalsAreZero {
 public:
  SubnormalsAreZero();
  ~SubnormalsAreZero();
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;

 private:
  unsigned before_ = 0;
};

}  // namespace attn
