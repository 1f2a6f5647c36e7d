// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/matrix_unit.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hwy/highway.h"
#include "hwy/targets.h"

#if ATTN_HAS_AMX
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace attn {
namespace {

std::atomic<int> turned_off{0};

bool found_amx() {
#if ATTN_HAS_AMX
  const char* asked = std::getenv("ATTN_MATRIX_UNIT");
  if (asked && std::string_view(asked) == "off") return false;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24;             // edx
  constexpr unsigned kVbmi = 1u << 1;                                // ecx: byte permutations
  constexpr unsigned kF = 1u << 16, kBw = 1u << 30, kVl = 1u << 31;  // ebx: AVX-512
  if ((d & kBf16) == 0 || (d & kTile) == 0 || (c & kVbmi) == 0) return false;
  if ((b & kF) == 0 || (b & kBw) == 0 || (b & kVl) == 0) return false;
  // Linux hands out the 8 KiB of tile state only to a process that asks (ARCH_REQ_XCOMP_PERM).
  constexpr long kAskPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kAskPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

bool has_matrix_unit() {
  static const bool found = found_amx();
  return found && turned_off.load(std::memory_order_relaxed) == 0 &&
         (hwy::SupportedTargets() & int64_t{HWY_TARGETS} & int64_t{HWY_AVX3}) != 0;
}

WithoutMatrixUnit::WithoutMatrixUnit() {
  turned_off.fetch_add(1);
}
WithoutMatrixUnit::~WithoutMatrixUnit() {
  turned_off.fetch_sub(1);
}

#if ATTN_HAS_AMX
namespace {
// Operand of ldtilecfg: all eight tiles have 16 rows of 64 bytes.
struct alignas(64) TileConfig {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
}  // namespace
#endif

MatrixSession::MatrixSession(bool wanted) : wanted_(wanted) {
#if ATTN_HAS_AMX
  static constexpr TileConfig config;
  if (wanted_) asm volatile("ldtilecfg %0" ::"m"(config));
#endif
}

// Tiles in use make every switch of threads dearer.
MatrixSession::~MatrixSession() {
#if ATTN_HAS_AMX
  if (wanted_) asm volatile("tilerelease");
#endif
}

SubnormalsAreZero::SubnormalsAreZero() {
#if ATTN_HAS_AMX
  constexpr unsigned kOperandsAndResults = 0x8040;
  before_ = _mm_getcsr();
  _mm_setcsr(before_ | kOperandsAndResults);
#endif
}

SubnormalsAreZero::~SubnormalsAreZero() {
#if ATTN_HAS_AMX
  _mm_setcsr(before_);
#endif
}

}  // namespace attn
