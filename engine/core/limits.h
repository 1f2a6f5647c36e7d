// SPDX-License-Identifier: GPL-3.0-or-later
// Limits that several parts of the program share, such as the most layers, tokens and requests.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

// A tile event stores layer, head and lane in 8 bits each, and positions in 24.
inline constexpr int64_t kMostLayers = 254;  // one value means "no layer"
inline constexpr int64_t kMostHeads = 255;   // query heads; also KV heads
inline constexpr int64_t kMostLanes = 255;
inline constexpr int64_t kMostWorkers = kMostLanes - 1;  // lane 0 is the engine's
inline constexpr int64_t kMostPositions = (int64_t{1} << 24) - 1;

inline constexpr int64_t kMostHeadSize = 1024;     // elements; also for padded heads
inline constexpr int64_t kMostTokens = 1'048'576;  // tokens, in settings and input files
inline constexpr int64_t kMostBlocks = 1'048'576;  // blocks of a pool
inline constexpr int64_t kMostBlockSize = 256;     // tokens of a block, in a run
inline constexpr int64_t kMostRequests = 4096;     // requests of a run; also sequences of a step
inline constexpr int64_t kMostVocabulary = 10'000'000;  // tokens of a vocabulary
inline constexpr int64_t kMostSamples = 64;             // samples, or beams, of one prompt
inline constexpr int64_t kMostExperts = 512;            // experts of a layer
inline constexpr int64_t kMostMapSide = 2048;  // rows, or keys, of a weight map kept or written
inline constexpr size_t kMostTensorAxes = 8;   // axes of a tensor in .npy and safetensors files
// Bytes of a piece of WordPiece, Unigram or SentencePiece.
inline constexpr size_t kMostPieceBytes = 1024;
// Limits for config.json and generation_config.json:
inline constexpr size_t kMostConfigBytes = size_t{4} << 20;  // bytes of one file
inline constexpr size_t kMostConfigValues = 100'000;         // values of one file

// Percent of the available memory that may be taken.
inline constexpr int64_t kMemoryPercent = 70;

}  // namespace attn
