// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that read the values of options, and tests of file names. For a value that is not
// valid, those that read throw Error(kBadInput), which names the option. Any thread.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/command_line/options.h"
#include "engine/core/error.h"

namespace attn::gui {

// A whole number in [least, most]; nullopt: the option is not given.
std::optional<int> whole(const Options& options, const char* option, int64_t least, int64_t most);
// Two whole numbers in [least, most] with the character `between` between them, such as "1280x720"
// or "12,3". nullopt: the option is not given.
std::optional<std::pair<int, int>> pair_of(const Options& options, const char* option, char between,
                                           int64_t least, int64_t most);
// The value of --positions, such as "10..20"; nullopt: the option is not given.
std::optional<std::pair<int64_t, int64_t>> positions_of(const Options& options);
// The value of --title in one line; empty: the option is not given.
QString title_of(const Options& options);
// The names of the backends in a comma-separated list, as the registry writes them.
std::vector<std::string> backends_of(const std::string& text);
std::vector<int> heads_of(const std::string& text);
// The number given with `option`, --head or --layer. nullopt: the option is not given, or its value
// is `all`. thing: "head" or "layer", for the error.
std::optional<int> number_or_all(const Options& options, const char* option, const char* thing);
// The value of the option; empty: the option is not given. Throws Error(kBadInput) if `fits`
// rejects the value.
std::string checked(const Options& options, const char* option, const auto& fits,
                    const char* problem, const std::string& allowed) {
  const auto text = options.text(option);
  if (!text || fits(*text)) return text.value_or("");
  throw_bad_input({problem, option, "`" + *text + "`", allowed, ""});
}
bool ends_in_png(const std::string& file);
bool ends_in_pdf(const std::string& file);
bool is_figure_file(const std::string& file);

}  // namespace attn::gui
