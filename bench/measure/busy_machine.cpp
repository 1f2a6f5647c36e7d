// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/busy_machine.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>

namespace attn::bench {

void BusyMachine::add_limit(const std::string& kind, double limit) {
  const auto [at, is_new] = limits_.try_emplace(kind, Range{limit, limit});
  if (is_new) return;
  at->second.least = std::min(at->second.least, limit);
  at->second.most = std::max(at->second.most, limit);
}

std::string BusyMachine::words() const {
  std::string why;
  if (load_ && *load_ > processors_)
    why = fmt::format("the load of the minute before the rows was {:.1f} on {} processor{}", *load_,
                      processors_, processors_ == 1 ? "" : "s");
  const auto spread = [](const auto& entry) { return 1 - entry.second.least / entry.second.most; };
  const auto widest = std::ranges::max_element(limits_, {}, spread);
  if (widest != limits_.end() && spread(*widest) > kSpread)
    why += fmt::format("{}the limit of {} was {:.4g} in one row and {:.4g} in another",
                       why.empty() ? "" : ", and ", widest->first, widest->second.least,
                       widest->second.most);
  if (why.empty()) return {};
  return fmt::format(
      "The machine was busy or changed its speed: {}. Limits and ratios to them are not reliable; "
      "measure again when nothing else runs.",
      why);
}

std::optional<double> load_of_last_minute() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return std::nullopt;
  return load;
}

}  // namespace attn::bench
