// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the machine had other work while rows were measured: limits and ratios to them are then
// not reliable.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace attn::bench {

class BusyMachine {
 public:
  // load: mean number of threads that ran or waited for a processor in the minute before the rows;
  // nullopt: it is not known.
  BusyMachine(std::optional<double> load, int processors) : load_(load), processors_(processors) {}

  // Adds a limit that a row has measured. kind: whatever makes limits comparable, for example
  // "reading, 2 threads".
  void add_limit(const std::string& kind, double limit);

  // A sentence for the end of the table and for the context of the JSON file. Empty: nothing points
  // to other work.
  std::string words() const;

  // How far the smallest limit of a kind may lie below the largest, as a share of the largest.
  static constexpr double kSpread = 1.0 / 3;

 private:
  struct Range {
    double least = 0, most = 0;
  };
  std::optional<double> load_;
  int processors_;
  std::map<std::string, Range> limits_;
};

std::optional<double> load_of_last_minute();

}  // namespace attn::bench
