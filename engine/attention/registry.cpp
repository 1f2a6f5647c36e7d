// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cctype>
#include <mutex>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/json.h"

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
