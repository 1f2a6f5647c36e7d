// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/command_line_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/session/compare/compare.h"
#include "gui/app/command_line.h"

namespace attn::gui {

std::optional<int> whole(const Options& options, const char* option, int64_t least, int64_t most) {
  if (!options.has(option)) return std::nullopt;
  return static_cast<int>(options.integer(option, 0, least, most));
}

std::optional<std::pair<int, int>> pair_of(const Options& options, const char* option, char between,
                                           int64_t least, int64_t most) {
  const auto text = options.text(option);
  if (!text) return std::nullopt;
  const size_t cut = std::min(text->find(between), text->size() - 1);
  const auto a = whole_number(std::string_view(*text).substr(0, cut));
  const auto b = whole_number(std::string_view(*text).substr(cut + 1));
  if (a && b && *a >= least && *a <= most && *b >= least && *b <= most)
    return std::pair(static_cast<int>(*a), static_cast<int>(*b));
  throw_bad_input(
      {"the value of an option is not valid", option, "`" + *text + "`",
       fmt::format("two whole numbers from {} to {} with `{}` between them", least, most, between),
       ""});
}

std::string figure_kind(const std::string& file) {
  std::string end = std::filesystem::path(file).extension().string();
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end.empty() ? end : end.substr(1);
}

bool ends_in_png(const std::string& text) {
  return figure_kind(text) == "png";
}

bool ends_in_pdf(const std::string& text) {
  return figure_kind(text) == "pdf";
}

bool is_figure_file(const std::string& text) {
  constexpr std::array kKinds{"png", "svg", "pdf", "csv", "npy", "safetensors"};
  return std::ranges::find(kKinds, figure_kind(text)) != kKinds.end();
}

QString title_of(const Options& options) {
  const QString title = QString::fromStdString(options.text("--title").value_or("")).simplified();
  const bool given = options.has("--title");
  if (given && (title.isEmpty() || title.size() > kMostTitle))
    throw_bad_input(
        {"the title is empty or too long", "--title", fmt::format("{} characters", title.size()),
         fmt::format("1 to {} characters", kMostTitle), "--no-title leaves the title out."});
  return title;
}

std::vector<std::string> backends_of(const std::string& text) {
  constexpr const char* kOption = "--backends";
  std::vector<std::string> names;
  for (const std::string& word : comma_list(text)) {
    try {
      names.push_back(compared_backend(word).name());
    } catch (const Error& error) {
      ErrorParts parts = error.parts();
      parts.where = kOption;
      throw_bad_input(std::move(parts));
    }
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      throw_bad_input(
          {"a backend is named twice", kOption, "`" + word + "`", "each backend once", ""});
  }
  if (names.size() < kMinCompared || names.size() > kMaxCompared)
    throw_bad_input(
        {"this number of backends cannot be compared", kOption, "`" + text + "`",
         fmt::format("{} to {} names with `,` between them", kMinCompared, kMaxCompared), ""});
  return names;
}

std::vector<int> heads_of(const std::string& text) {
  constexpr int64_t kLast = kMostHeads - 1;
  std::vector<int> heads;
  for (const std::string& word : comma_list(text)) {
    const auto head = whole_number(word);
    if (!head || *head < 0 || *head > kLast)
      throw_bad_input({"this is not the number of a head", "--heads", "`" + word + "`",
                       fmt::format("0 to {}", kLast), ""});
    heads.push_back(static_cast<int>(*head));
  }
  return heads;
}

std::optional<int> number_or_all(const Options& options, const char* option, const char* thing) {
  const auto text = options.text(option);
  if (!text || *text == "all") return std::nullopt;
  const auto number = whole_number(*text);
  if (number && *number >= 0 && *number < kMostHeads) return static_cast<int>(*number);
  throw_bad_input({fmt::format("this is no number of a {}", thing), option, "`" + *text + "`",
                   fmt::format("0 to {}, or all", kMostHeads - 1), ""});
}

std::optional<std::pair<int64_t, int64_t>> positions_of(const Options& options) {
  const auto text = options.text("--positions");
  if (!text) return std::nullopt;
  const size_t dots = std::min(text->find(".."), text->size());
  const auto first = whole_number(text->substr(0, dots)),
             last = whole_number(text->substr(std::min(dots + 2, text->size())));
  if (first && last && *first >= 0 && *first <= *last && *last < kMostPositions)
    return std::pair(*first, *last);
  throw_bad_input({"the value of an option is not valid", "--positions", "`" + *text + "`",
                   "two positions from 0 with `..` between them, the smaller one first", ""});
}

ViewChoices choices_of(const CommandLine& line) {
  return {.for_files = line.mode == CommandLine::Mode::kRun,
          .backends = line.backends,
          .compare = line.compare,
          .metrics = line.metrics,
          .heads = line.heads,
          .rank = line.rank,
          .texts = line.texts,
          .filter = line.filter,
          .combine = line.combine,
          .keep = line.keep,
          .no_first_token = line.no_first_token,
          .quantity = line.quantity,
          .clean = line.prompt,
          .corrupted = line.corrupted,
          .positions = line.positions,
          .pair = line.pair,
          .position = line.position,
          .colormap = line.colormap};
}

void check_cell(const std::pair<int, int>& cell, int64_t rows, int64_t keys) {
  if (cell.first < rows && cell.second < keys) return;
  throw_bad_input(
      {"the run has not computed this cell", "--select",
       fmt::format("`{},{}`", cell.first, cell.second),
       rows <= 0      ? std::string("nothing: no token has been computed")
       : rows == keys ? fmt::format("query and key from 0 to {}", rows - 1)
                      : fmt::format("query from 0 to {}, key from 0 to {}", rows - 1, keys - 1),
       cell.second < keys || rows == keys ? "In a new run --tokens N can compute more tokens."
                                          : "The encoder has no more tokens."});
}

void check_step(int step, uint32_t first, uint32_t last) {
  const auto wanted = static_cast<uint32_t>(step);
  if (first <= wanted && wanted <= last) return;
  throw_bad_input(
      {"the run has no such step to show", "--step", fmt::format("{}", step),
       last >= first ? fmt::format("{} to {}", first, last) : "nothing: no step has ended", ""});
}

}  // namespace attn::gui
