// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/bf16_unit.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#if ATTN_HAS_BF16_UNITS
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/tiles/bf16_unit.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
// In Highway, better targets have smaller numbers.
bool HasAvx512() {
  return HWY_TARGET <= HWY_AVX3;
}
}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(HasAvx512);

struct Found {
  bool dot_products = false, matrix = false;
  Bf16Unit fastest = Bf16Unit::kNone;
};

Found find_units() {
  Found found;
#if ATTN_HAS_BF16_UNITS
  const char* asked = std::getenv("ATTN_BF16_UNIT");
  if (asked && std::string_view(asked) == "off") return found;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
  constexpr unsigned kF = 1u << 16, kBw = 1u << 30, kVl = 1u << 31;  // bits of ebx: AVX-512
  constexpr unsigned kVbmi = 1u << 1;                                // bit of ecx: VBMI
  constexpr unsigned kMatrixBf16 = 1u << 22, kTile = 1u << 24;       // bits of edx: AMX
  if ((b & kF) == 0 || (b & kBw) == 0 || (b & kVl) == 0 || (c & kVbmi) == 0) return found;
  // Linux hands out the 8 KiB of tile state only to a process that asks (ARCH_REQ_XCOMP_PERM).
  constexpr long kAskPermission = 0x1023, kTileData = 18;
  found.matrix = (d & kMatrixBf16) != 0 && (d & kTile) != 0 &&
                 syscall(SYS_arch_prctl, kAskPermission, kTileData) == 0;
  constexpr unsigned kDotBf16 = 1u << 5;  // bit of eax in sub-leaf 1: AVX-512 BF16
  const bool has_dot = __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & kDotBf16) != 0;
  const bool is_amd = __get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx;
  found.dot_products = has_dot && is_amd;
  if (found.matrix)
    found.fastest = Bf16Unit::kMatrix;
  else if (found.dot_products)
    found.fastest = Bf16Unit::kDotProducts;
#endif
  return found;
}

const Found& found_units() {
  static const Found found = find_units();
  return found;
}

constexpr int kFastest = -1;
std::atomic<int> asked_unit{kFastest};  // kFastest or a Bf16Unit

}  // namespace

bool has_bf16_unit(Bf16Unit unit) {
  if (unit == Bf16Unit::kNone) return true;
  const bool found = unit == Bf16Unit::kMatrix ? found_units().matrix : found_units().dot_products;
  return found && HWY_DYNAMIC_DISPATCH(HasAvx512)();
}

Bf16Unit bf16_unit() {
  const int asked = asked_unit.load(std::memory_order_relaxed);
  const Bf16Unit unit = asked == kFastest ? found_units().fastest : static_cast<Bf16Unit>(asked);
  return has_bf16_unit(unit) ? unit : Bf16Unit::kNone;
}

UseBf16Unit::UseBf16Unit(Bf16Unit unit) : before_(asked_unit.exchange(static_cast<int>(unit))) {}

UseBf16Unit::~UseBf16Unit() {
  asked_unit.store(before_);
}

#if ATTN_HAS_BF16_UNITS
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
#if ATTN_HAS_BF16_UNITS
  static constexpr TileConfig config;
  if (wanted_) asm volatile("ldtilecfg %0" ::"m"(config));
#endif
}

// Releases the tile state, which a thread switch would have to save.
MatrixSession::~MatrixSession() {
#if ATTN_HAS_BF16_UNITS
  if (wanted_) asm volatile("tilerelease");
#endif
}

SubnormalsAreZero::SubnormalsAreZero() {
#if ATTN_HAS_BF16_UNITS
  constexpr unsigned kOperandsAndResults = 0x8040;
  before_ = _mm_getcsr();
  _mm_setcsr(before_ | kOperandsAndResults);
#endif
}

SubnormalsAreZero::~SubnormalsAreZero() {
#if ATTN_HAS_BF16_UNITS
  _mm_setcsr(before_);
#endif
}

}  // namespace attn
#endif  // HWY_ONCE
