// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for signs that the machine had other work, before or while rows were measured.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace attn::bench {

class BusyMachine {
 public:
  // load: the system's load average of the minute before the rows; nullopt: unknown.
  BusyMachine(std::optional<double> load, int processors) : load_(load), processors_(processors) {}

  // Adds a limit that a row has measured. Limits of the same `kind` are compared with each other.
  void add_limit(const std::string& kind, double limit);

  // A warning for the reader; empty if nothing points to other work.
  std::string words() const;

  // How far limits of a kind may differ without a warning, as a share of the largest.
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
