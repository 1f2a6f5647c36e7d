// SPDX-License-Identifier: GPL-3.0-or-later
// The scores of all heads over a set of texts. Engine thread; read_texts() and shipped_texts(): any
// thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/scores/head_scores.h"
#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"
#include "engine/trace/run_gate.h"

namespace attn {

inline constexpr int64_t kMostTexts = 1000;
inline constexpr int64_t kMostTextTokens = 512;    // of each text
inline constexpr int64_t kMostTextBytes = 65'536;  // of each text

struct TextScores {
  std::vector<HeadScores> heads;  // [layers * heads]
  int64_t texts = 0, tokens = 0;
  int64_t cut = 0;      // texts that were cut
  int64_t longest = 0;  // most tokens of a text; longer texts are cut
};

inline constexpr const char* kShippedTexts = "stories";
std::filesystem::path shipped_texts();
// The texts of a UTF-8 file: each line that is not blank is one. Throws as InputFile does, and
// Error(kBadInput) for a file that is not UTF-8, has a NUL or no text, or is beyond a limit.
std::vector<std::string> read_texts(const std::filesystem::path& file);

// Runs each text alone, with the attention and the backend of `settings`. A head's scores are over
// the rows of all texts together (engine/attention/scores/head_scores.h). progress: a share, after
// each text. nullopt: cancelled by the gate. Throws Error(kBadInput) for a source that is not a
// model or a text that cannot run, Error(kNotSupported) for a model with an encoder and a decoder.
std::optional<TextScores> score_texts(const Scenario& settings,
                                      const std::shared_ptr<Source>& source,
                                      const std::vector<std::string>& texts,
                                      const std::function<void(double)>& progress = {},
                                      RunGate* gate = nullptr);

}  // namespace attn
