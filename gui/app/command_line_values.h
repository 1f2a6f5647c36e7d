// SPDX-License-Identifier: GPL-3.0-or-later
// Values of options of the command line that are more than a word or a number. What reads one
// throws Error(kBadInput), which names the option. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/command_line/options.h"

namespace attn::gui {

// Two whole numbers in [least, most], such as "1280x720" or "12,3".
std::optional<std::pair<int, int>> pair_of(const Options& options, const char* option, char between,
                                           int64_t least, int64_t most);
// --positions, such as "10..20".
std::optional<std::pair<int64_t, int64_t>> positions_of(const Options& options);
// The names in a list of backends, as the registry writes them; each once.
std::vector<std::string> backends_of(const std::string& text);
std::vector<int> heads_of(const std::string& text);
// --head or --layer, whose value is a number or `all`; nullopt for both `all` and nothing.
std::optional<int> number_or_all(const Options& options, const char* option, const char* thing);
bool ends_in_png(const std::string& file);
// Whether --figure can write a file of this name.
bool is_figure_file(const std::string& file);

}  // namespace attn::gui
