// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/stored_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>

#include "engine/attention/attention_bias.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/synthetic/stored_bias.h"
#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/scenario/scenario_fields.h"

namespace attn {
namespace {

constexpr double kLargestFactor = 1e6;  // largest TensorSpec::scale
// The most bytes and parts of a rule that is read. A rule with kMostHeads slopes and sinks is
// shorter, but a file of another program can have rules of any length, and their parts become a
// sentence.
constexpr size_t kMostRuleBytes = 65536, kMostRuleParts = 16;
constexpr size_t kMostShownBytes = 100;    // of a part that is shown in a sentence
constexpr size_t kMostLayersBytes = 1500;  // the numbers 0 to kMostLayers - 1 take 1,158

// A rule that is too long or has too many parts counts as one part, which sets nothing.
std::vector<std::string> parts_of(std::string_view rule) {
  if (rule.size() > kMostRuleBytes) return {fmt::format("a rule of {} bytes", rule.size())};
  std::vector<std::string> parts;
  for (size_t at = 0; at < rule.size();) {
    const size_t end = std::min(rule.find(", ", at), rule.size());
    parts.emplace_back(rule.substr(at, end - at));
    at = end + 2;
  }
  if (parts.size() > kMostRuleParts) return {fmt::format("a rule of {} parts", parts.size())};
  return parts;
}

std::string for_a_sentence(std::string_view text, size_t most) {
  return escape_unprintable(text.substr(0, most)) + (text.size() > most ? "..." : "");
}

// The numbers after `name`. Empty: the part begins otherwise or is too long, or not only finite
// numbers follow.
std::vector<double> numbers_after(std::string_view part, std::string_view name) {
  if (!part.starts_with(name) || part.size() > kMostRuleBytes) return {};
  std::istringstream words{std::string(part.substr(name.size()))};
  std::vector<double> numbers;
  for (std::string word; words >> word;) {
    double number = 0;
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(number)) return {};
    numbers.push_back(number);
  }
  return numbers;
}

bool whole_up_to(double number, int64_t most) {
  return number >= 1 && number <= static_cast<double>(most) && number == std::floor(number);
}

bool are_standard_slopes(const std::vector<double>& slopes, int64_t heads) {
  const std::vector<float> standard = standard_alibi_slopes(heads);
  return std::ranges::equal(slopes, standard, {}, [](double x) { return static_cast<float>(x); });
}

std::optional<BlockSparse> block_sparse(const std::string& part) {
  std::istringstream words(part);
  std::string name, size, local, stride, sliding;
  BlockSparse sparse;
  words >> name >> size >> sparse.block_size >> local >> sparse.local_blocks >> stride >>
      sparse.vert_stride >> sliding >> sparse.head_sliding_step;
  if (!words || name != "block-sparse" || size != "block_size" || local != "local_blocks" ||
      stride != "vert_stride" || sliding != "head_sliding_step" || words >> name)
    return std::nullopt;
  const auto in_range = [](int64_t number, int64_t least) {
    return number >= least && number <= kMostTokens;
  };
  if (!in_range(sparse.block_size, 1) || !in_range(sparse.local_blocks, 1) ||
      !in_range(sparse.vert_stride, 1) || !in_range(sparse.head_sliding_step, 0))
    return std::nullopt;
  return sparse;
}

// Sets what the part of a rule says. Returns false for what a scenario cannot have, and for what
// an earlier part has set.
bool set_part(const std::string& part, int64_t heads, ScenarioAttention& attention) {
  // Cross attention has no distances.
  const bool has_distances = attention.type != AttentionType::kEncoderDecoder;
  if (const auto window = numbers_after(part, "window of "); window.size() == 1) {
    if (!has_distances || attention.sliding_window > 0 || !whole_up_to(window[0], kMostTokens))
      return false;
    attention.sliding_window = static_cast<int64_t>(window[0]);
    return true;
  }
  if (const auto cap = numbers_after(part, "soft cap "); cap.size() == 1) {
    if (attention.logits_soft_cap > 0 || cap[0] < scenario_fields::kLeastSoftCap ||
        cap[0] > scenario_fields::kLargestSoftCap)
      return false;
    attention.logits_soft_cap = cap[0];
    return true;
  }
  if (const auto slopes = numbers_after(part, "ALiBi slopes "); !slopes.empty()) {
    if (!has_distances || attention.alibi || !are_standard_slopes(slopes, heads)) return false;
    attention.alibi = true;
    return true;
  }
  if (const auto sinks = numbers_after(part, "sinks "); std::ssize(sinks) == heads) {
    const auto too_large = [](double sink) {
      return std::abs(sink) > scenario_fields::kLargestSink;
    };
    if (!attention.sinks.empty() || std::ranges::any_of(sinks, too_large)) return false;
    attention.sinks = sinks;
    return true;
  }
  if (const auto sparse = block_sparse(part); sparse && has_distances && !attention.blocksparse) {
    attention.blocksparse = sparse;
    return true;
  }
  return false;
}

}  // namespace

std::optional<StoredRun> stored_run(const std::filesystem::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  const TensorEntry *query = file.find("query.0"), *key = file.find("key.0");
  const auto said = [&](const std::string& name) { return said_of_run(file.metadata(), name); };
  if (said("axes").empty() || !query || !key || query->shape.size() != 3 ||
      key->shape.size() != 3 || query->shape[0] < 1 || query->shape[0] > kMostHeads)
    return std::nullopt;
  StoredRun run;
  run.layers = for_a_sentence(said("layers"), kMostLayersBytes);
  if (const auto scale = numbers_after(said("scale"), "");
      scale.size() == 1 && scale[0] > 0 && scale[0] <= kLargestFactor)
    run.scale = scale[0];
  int64_t layers = 0;
  std::map<std::string, std::vector<int64_t>> of_layers;  // part of a rule -> layers
  std::vector<std::string> parts;                         // in the order of the file
  // No source of tensors has more layers than kMostLayers.
  for (; layers < kMostLayers && file.find(fmt::format("query.{}", layers)); ++layers)
    for (const std::string& part : parts_of(said(fmt::format("rule.{}", layers)))) {
      if (!of_layers.contains(part)) parts.push_back(part);
      std::vector<int64_t>& with_part = of_layers[part];
      if (with_part.empty() || with_part.back() != layers) with_part.push_back(layers);
    }
  const auto in_all = [&](const std::string& part) {
    return std::ssize(of_layers[part]) == layers;
  };
  constexpr const char* kAllKeys = "a query sees all keys";
  const int64_t rows = query->shape[1], keys = key->shape[1];
  const bool all_keys = of_layers.contains(kAllKeys) && in_all(kAllKeys);
  if (all_keys) {
    run.attention.type = rows != keys || said("query_tokens") != said("key_tokens")
                             ? AttentionType::kEncoderDecoder
                             : AttentionType::kEncoderOnly;
  } else if (rows != keys && rows != 1) {
    // A source of tensors has a query for each token or for the last one.
    run.attention.type = AttentionType::kEncoderDecoder;
    run.lost.push_back(
        fmt::format("that the rows begin with position {} and see no later keys", keys - rows));
  }
  // The source of tensors takes these biases from the file.
  const auto has_bias = [&](int64_t layer) {
    return run.attention.type != AttentionType::kEncoderDecoder &&
           find_stored_bias(file, layer, query->shape[0]).has_value();
  };
  for (int64_t layer = 0; layer < layers; ++layer)
    run.has_relative_bias = run.has_relative_bias || has_bias(layer);
  for (const std::string& part : parts) {
    if (part == kAllKeys && all_keys) continue;
    if (part == "relative bias" && std::ranges::all_of(of_layers[part], has_bias)) continue;
    if (in_all(part) && set_part(part, query->shape[0], run.attention)) continue;
    const std::string told = for_a_sentence(part, kMostShownBytes);
    run.lost.push_back(in_all(part) ? told
                                    : fmt::format("{} in {} {}", told,
                                                  of_layers[part].size() == 1 ? "layer" : "layers",
                                                  fmt::join(of_layers[part], ", ")));
  }
  if (run.lost.size() > kMostRuleParts) {
    const size_t more = run.lost.size() - kMostRuleParts;
    run.lost.resize(kMostRuleParts);
    run.lost.push_back(fmt::format("{} more", more));
  }
  return run;
}

}  // namespace attn
