// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/backend_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/attention/backend.h"
#include "engine/core/print_error.h"

namespace attn::cli {
namespace {

std::string flag_of(const BackendOption& option) {
  std::string flag = "--" + option.name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::vector<std::string> allowed(const BackendOption& option, OptionValues values) {
  return values == OptionValues::kAll ? known_values(option) : option.values;
}

}  // namespace

std::vector<OptionSpec> backend_option_specs(OptionValues values) {
  std::vector<OptionSpec> specs;
  for (const AttentionBackend* backend : registered_backends())
    for (const BackendOption& option : backend->options()) {
      if (std::ranges::find(specs, flag_of(option), &OptionSpec::name) != specs.end()) continue;
      specs.push_back({flag_of(option), fmt::format("{}", fmt::join(allowed(option, values), "|")),
                       fmt::format("{} of {}; default {}", option.noun, backend->name(),
                                   option.default_value)});
    }
  return specs;
}

BackendOptions chosen_backend_options(const Options& options, OptionValues values) {
  BackendOptions chosen;
  for (const BackendOption& option : backend_options())
    choose(chosen, option,
           options.choice(flag_of(option), option.default_value, allowed(option, values)));
  return chosen;
}

void change_backend_options(const Options& options, BackendOptions& chosen) {
  for (const BackendOption& option : backend_options())
    if (const std::string flag = flag_of(option); options.has(flag))
      choose(chosen, option, options.choice(flag, "", allowed(option, OptionValues::kThatRun)));
}

void note_other_devices(const Options& options, const AttentionBackend& backend) {
  const std::vector<BackendOption> own = backend.options();
  for (const BackendOption& option : backend_options())
    if (option.about == BackendOption::About::kDevice && options.has(flag_of(option)) &&
        std::ranges::find(own, option.name, &BackendOption::name) == own.end())
      print_error("attn: note: {} has no option {}: {} changes nothing here.\n",
                  backend.display_name(), option.name, options.required_text(flag_of(option)));
}

void add_backend_options(CommandSpec& spec, const std::string& unless_given) {
  std::vector<OptionSpec> own = backend_option_specs(OptionValues::kThatRun);
  for (OptionSpec& option : own)
    if (!unless_given.empty())
      option.help = option.help.substr(0, option.help.find(';')) + "; " + unless_given;
  const auto backend = std::ranges::find(spec.options, "--backend", &OptionSpec::name);
  spec.options.insert(backend + 1, own.begin(), own.end());
}

}  // namespace attn::cli
