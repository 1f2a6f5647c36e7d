// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that libFuzzer calls, for one fuzz target. ATTN_FUZZ_TARGET names the target;
// run.sh shows how it is called.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/targets/targets.h"

namespace {

const attn::fuzz::Target& target() {
  static const attn::fuzz::Target* const found = [] {
    const char* name = std::getenv("ATTN_FUZZ_TARGET");
    const attn::fuzz::Target* wanted = attn::fuzz::find_target(name ? name : "");
    if (wanted) return wanted;
    std::fprintf(stderr, "ATTN_FUZZ_TARGET is none of:");
    for (const attn::fuzz::Target& each : attn::fuzz::targets())
      std::fprintf(stderr, " %s", each.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }();
  return *found;
}

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  attn::fuzz::Random random(seed);
  if (attn::fuzz::below(random, 2) == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string changed = target().change({reinterpret_cast<const char*>(data), size}, random);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
