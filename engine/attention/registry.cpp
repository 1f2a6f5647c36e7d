// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mutex>

#include "engine/attention/backend.h"
#include "engine/attention/layer_warnings.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<AttentionBackend>> backends;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

void register_backend(std::unique_ptr<AttentionBackend> backend) {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  for (const auto& known : all.backends)
    if (known->name() == backend->name()) return;
  all.backends.push_back(std::move(backend));
}

std::vector<const AttentionBackend*> registered_backends() {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  std::vector<const AttentionBackend*> result;
  for (const auto& backend : all.backends) result.push_back(backend.get());
  return result;
}

std::vector<BackendOption> backend_options() {
  std::vector<BackendOption> all;
  for (const AttentionBackend* backend : registered_backends())
    for (BackendOption& option : backend->options())
      if (std::ranges::find(all, option.name, &BackendOption::name) == all.end())
        all.push_back(std::move(option));
  return all;
}

void validate_options(const AttentionBackend& backend, const AttentionConfig& config) {
  for (const BackendOption& option : backend.options())
    if (!index_of(config.backend_options, option))
      throw_no_such_value(option, value_of(config.backend_options, option), option.name);
}

std::vector<std::string> warnings_of(const AttentionBackend& backend, const AttentionConfig& config,
                                     const AttentionImpl& impl) {
  std::vector<std::string> warnings = impl.warnings();
  const std::vector<BackendOption> own = backend.options();
  for (const BackendOption& option : backend_options())
    if (option.about == BackendOption::About::kKernel &&
        config.backend_options.contains(option.name) &&
        std::ranges::find(own, option.name, &BackendOption::name) == own.end())
      warnings.push_back(fmt::format("{} has no option {}: {} changes nothing here.",
                                     backend.display_name(), option.name,
                                     value_of(config.backend_options, option)));
  return warnings;
}

std::string modelled_time_name(std::string_view device) {
  std::string name = lower(device);
  std::ranges::replace(name, ' ', '_');
  return fmt::format("modelled_{}_us", name);
}

const AttentionBackend& backend_named(std::string_view name) {
  const std::string wanted = lower(name);
  std::vector<std::string> names;
  for (const AttentionBackend* backend : registered_backends()) {
    if (wanted == lower(backend->name()) || wanted == lower(backend->display_name()))
      return *backend;
    names.emplace_back(backend->name());
  }
  const std::string near = nearest_match(wanted, names);
  throw_bad_input({"no such backend", "backend", fmt::format("`{}`", name),
                   fmt::format("{}", fmt::join(names, ", ")),
                   near.empty() ? "" : fmt::format("Did you mean `{}`?", near)});
}

}  // namespace attn
