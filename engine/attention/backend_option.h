// SPDX-License-Identifier: GPL-3.0-or-later
// Choices that a backend leaves to its user, and the values chosen. Any thread; plain data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct BackendOption {
  enum class About {
    kKernel,  // which of its kernels the backend runs, or how they compute
    kDevice,  // which device it stands for
  };
  About about = About::kKernel;
  std::string name;                 // "sdpa_kernel": the key in files; --sdpa-kernel
  std::string noun;                 // "kernel", for messages such as "no such kernel"
  std::string title;                // "Prefill kernel": label of the field in the window
  std::string meaning;              // for users, in plain words
  std::vector<std::string> values;  // those that the backend can run
  std::string default_value;
  // Known values that the backend refuses.
  std::vector<std::string> refused = {};
};
// All values: first `refused`, then `values`.
std::vector<std::string> known_values(const BackendOption& option);

// Throws Error(kBadInput): "no such kernel", with the known values.
[[noreturn]] void throw_no_such_value(const BackendOption& option, std::string_view value,
                                      const std::string& where);

// The values that a user chose, by name of the option. An option that is not in the map has its
// default.
using BackendOptions = std::map<std::string, std::string, std::less<>>;

std::string_view value_of(const BackendOptions& chosen, const BackendOption& option);
// The index of value_of() in known_values(); nullopt: it is not one of them.
std::optional<size_t> index_of(const BackendOptions& chosen, const BackendOption& option);
// Sets the value of an option. The default leaves no entry, so that equal choices are equal maps.
void choose(BackendOptions& chosen, const BackendOption& option, std::string_view value);

}  // namespace attn
