// SPDX-License-Identifier: GPL-3.0-or-later
// Limits that several readers, checks and messages share, each number said once; docs/formats.md
// says the same to people.
#pragma once

#include <cstdint>

namespace attn {

// A trace event keeps layers, heads and lanes in 8 bits each, and numbers positions in 24.
inline constexpr int64_t kMostLayers = 254;  // one value means "no layer"
inline constexpr int64_t kMostHeads = 255;   // query heads; KV heads are not more
inline constexpr int64_t kMostLanes = 255;
inline constexpr int64_t kMostWorkers = kMostLanes - 1;  // lane 0 is the engine's
inline constexpr int64_t kMostPositions = (int64_t{1} << 24) - 1;

inline constexpr int64_t kMostHeadSize = 1024;     // elements; of a cache with padded heads too
inline constexpr int64_t kMostTokens = 1'048'576;  // of a scenario's texts, steps and windows
inline constexpr int64_t kMostBlocks = 1'048'576;  // of a pool
inline constexpr int64_t kMostBlockSize = 256;     // tokens
inline constexpr int64_t kMostRequests = 4096;     // and sequences of a step
inline constexpr int64_t kMostVocabulary = 10'000'000;  // tokens
inline constexpr int64_t kMostSamples = 64;             // of one prompt, and beams

// The share of the free memory that a run, a model or a file may take.
inline constexpr int64_t kMemoryPercent = 70;

}  // namespace attn
