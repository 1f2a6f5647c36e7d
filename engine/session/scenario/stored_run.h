// SPDX-License-Identifier: GPL-3.0-or-later
// What a report's file of queries, keys and values (write_query_key_value()) says of its run in its
// metadata, as settings of a scenario. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/scenario/scenario.h"

namespace attn {

struct StoredRun {
  double scale = 0;    // as TensorSpec::scale
  std::string layers;  // numbers that the layers had in the run: "3, 5"; printable, not too long
  // The settings that hold for all layers and that a scenario can have. The type is that of cross
  // attention if queries and keys differ in number (except for a single causal query), or if every
  // query sees all keys and they belong to different tokens.
  ScenarioAttention attention;
  // Some layers have a relative bias, which the source of tensors takes from the file.
  bool has_relative_bias = false;
  // What a scenario cannot have, a part of a sentence each: "window of 12 in layers 0, 2". Long
  // parts are cut short, and of many the last is "5 more".
  std::vector<std::string> lost;
};

// nullopt: the file is no such file. Throws what SafetensorsFile::open() throws.
std::optional<StoredRun> stored_run(const std::filesystem::path& file);

}  // namespace attn
