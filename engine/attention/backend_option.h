// SPDX-License-Identifier: GPL-3.0-or-later
// What a backend leaves to its user, as data: files, command lines and the window offer the options
// of all backends by going through them, and say what is wrong in one way. Any thread; plain data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct BackendOption {
  // Kernel options stand before device options, in files and in the window.
  enum class About {
    kKernel,  // which of its kernels the backend runs
    kDevice,  // which device it stands for; offered where the backend is chosen
  };
  About about = About::kKernel;
  std::string name;                 // "sdpa_kernel": the key in files; --sdpa-kernel
  std::string noun;                 // "kernel": "no such kernel", "kernel of torch_sdpa"
  std::string title;                // "Prefill kernel": of the field in the window
  std::string meaning;              // one plain sentence
  std::vector<std::string> values;  // that it can run
  std::string default_value;
  // Of the original, but not to be run here: known where one asks why not (`attn op`, `attn
  // backends`), and answered by not_supported_reasons().
  std::vector<std::string> refused = {};
};
// All values, those that are refused first.
std::vector<std::string> known_values(const BackendOption& option);

// "no such kernel", with the known values. Error(kBadInput).
[[noreturn]] void throw_no_such_value(const BackendOption& option, std::string_view value,
                                      const std::string& where);

// What a user chose, by name of the option. An option that is not in it has its default.
using BackendOptions = std::map<std::string, std::string, std::less<>>;

std::string_view value_of(const BackendOptions& chosen, const BackendOption& option);
// The place of that value in known_values(); nullopt: it is none of them.
std::optional<size_t> index_of(const BackendOptions& chosen, const BackendOption& option);
// The default leaves no entry, so that equal choices are equal maps.
void choose(BackendOptions& chosen, const BackendOption& option, std::string_view value);

}  // namespace attn
