// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/attention/backend.h"
#include "engine/cli/backend_options.h"
#include "engine/cli/commands.h"
#include "engine/command_line/options.h"
#include "engine/core/limits.h"
#include "engine/core/program/standard_streams.h"

namespace attn::cli {
namespace {

const std::vector<std::string> kTypes = {"DECODER", "ENCODER", "ENCODER_ONLY", "ENCODER_DECODER"};

CommandSpec backends_spec() {
  CommandSpec spec{"attn backends",
                   "Lists the attention backends. For a configuration it says which backends can "
                   "run it, and why the others cannot.",
                   {},
                   {{"--head-size", "N", "elements per head"},
                    {"--num-heads", "N", "query heads; default 8"},
                    {"--num-kv-heads", "N", "KV heads; default: as many as query heads"},
                    {"--kv-cache-dtype", "NAME", "auto, f32, bf16, fp8, ...; default auto"},
                    {"--attn-type", "TYPE",
                     "DECODER, ENCODER, ENCODER_ONLY or ENCODER_DECODER; default DECODER"},
                    {"--sliding-window", "N", "tokens"},
                    {"--logits-soft-cap", "X", "cap of the scores"},
                    {"--alibi", "", "with ALiBi slopes"},
                    {"--blocksparse", "", "block-sparse attention"},
                    {"--sinks", "", "with attention sinks"},
                    {"--pad-head-size", "",
                     "if the backend lacks the head size: pad with zeros to the next that it has"},
                    {"--extended", "",
                     "allow what the original refuses, where the kernels here can compute it"}},
                   "The exit code is 3 when a configuration was given and no backend can run it."};
  const std::vector<OptionSpec> own = backend_option_specs(OptionValues::kAll);
  spec.options.insert(spec.options.end(), own.begin(), own.end());
  return spec;
}

AttentionConfig config_of(const Options& options) {
  AttentionConfig config;
  config.head_size = options.integer("--head-size", 64, 1, kMostHeadSize);
  config.num_heads = options.integer("--num-heads", 8, 1, kMostHeads);
  config.num_kv_heads = options.integer("--num-kv-heads", config.num_heads, 1, kMostHeads);
  config.scale = 1.0f / std::sqrt(static_cast<float>(config.head_size));
  set_cache_dtype(config, options.text("--kv-cache-dtype").value_or("auto"), DType::kF32,
                  "--kv-cache-dtype");
  config.attn_type = *attention_type_from_name(options.choice("--attn-type", "DECODER", kTypes));
  if (options.has("--sliding-window"))
    config.sliding_window = options.integer("--sliding-window", 0, 1, kMostPositions);
  if (options.has("--logits-soft-cap"))
    config.logits_soft_cap = static_cast<float>(options.number("--logits-soft-cap", 0, 1e-6, 1e6));
  if (options.has("--alibi")) {
    // The values of the slopes do not matter here.
    config.alibi_slopes.emplace(static_cast<size_t>(config.num_heads), 0.5f);
  }
  if (options.has("--blocksparse")) config.blocksparse = BlockSparse{};
  if (options.has("--sinks")) config.sinks.emplace(static_cast<size_t>(config.num_heads), 0.0f);
  config.backend_options = chosen_backend_options(options, OptionValues::kAll);
  config.pad_head_size = options.has("--pad-head-size");
  config.extended = options.has("--extended");
  validate(config);
  return config;
}

std::string head_sizes(const AttentionBackend& backend) {
  const auto sizes = backend.supported_head_sizes();
  return sizes.empty() ? "any" : fmt::format("{}", fmt::join(sizes, ", "));
}

std::string names_of(const std::vector<DType>& dtypes) {
  std::vector<std::string_view> names;
  for (const DType dtype : dtypes) names.push_back(name_of(dtype));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string cache_words(const std::vector<DType>& dtypes) {
  std::vector<const char*> words;
  for (const char* word : {"f32", "bf16", "f16", "fp8_e4m3", "fp8_e5m2", "int8"}) {
    AttentionConfig config;
    set_cache_dtype(config, word, DType::kF32, "--kv-cache-dtype");
    if (std::ranges::find(dtypes, config.kv_cache_dtype) != dtypes.end()) words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

int command_backends(const Words& words) {
  const Options options(backends_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(backends_spec()));
    return 0;
  }
  const AttentionConfig config = config_of(options);
  bool any = false;
  for (const AttentionBackend* backend : registered_backends()) {
    print_out("{} ({})\n  {}\n", backend->name(), backend->display_name(), backend->description());
    const BackendCapabilities capabilities = backend->capabilities();
    print_out("  head sizes     {}\n  types          {}\n  cache types    {}\n",
              head_sizes(*backend), names_of(capabilities.dtypes),
              cache_words(capabilities.cache_dtypes));
    print_out("  mixed batches  {}\n  swaps blocks   {}\n",
              capabilities.mixed_batches ? "yes" : "when extended",
              capabilities.swap ? "yes" : "no");
    if (!words.empty()) {
      const auto reasons = backend->not_supported_reasons(config);
      any = any || reasons.empty();
      print_out("  this setup     {}\n", reasons.empty() ? "can run" : "cannot run:");
      for (const std::string& reason : reasons) print_out("    - {}\n", reason);
    }
    print_out("\n");
  }
  return words.empty() || any ? 0 : 3;
}

}  // namespace attn::cli
