// SPDX-License-Identifier: GPL-3.0-or-later
// Values of options that are more than a word or a number. Error(kBadInput) names the option. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/command_line/options.h"

namespace attn::gui {

// Two whole numbers in [least, most], such as "1280x720" or "12,3"; nullopt: not given.
std::optional<std::pair<int, int>> pair_of(const Options& options, const char* option, char between,
                                           int64_t least, int64_t most);
// --positions, such as "10..20".
std::optional<std::pair<int64_t, int64_t>> positions_of(const Options& options);
// The names in a list of backends, as the registry writes them.
std::vector<std::string> backends_of(const std::string& text);
std::vector<int> heads_of(const std::string& text);
// --head or --layer, a number or `all`; nullopt for `all` and if not given.
std::optional<int> number_or_all(const Options& options, const char* option, const char* thing);
bool ends_in_png(const std::string& file);
bool ends_in_pdf(const std::string& file);
bool is_figure_file(const std::string& file);

}  // namespace attn::gui
