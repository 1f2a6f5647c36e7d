// SPDX-License-Identifier: GPL-3.0-or-later
// run_rows(): runs or lists the rows that a filter takes. Also Google Benchmark's reporters, with
// the rows' names as registered: without "/iterations:1/manual_time".
#pragma once

#include <benchmark/benchmark.h>

#include <sstream>
#include <string>
#include <vector>

#include "bench/measure/row_filter.h"

namespace attn::bench {

template <class Reporter>
class RowReporter : public Reporter {
 public:
  using Reporter::Reporter;
  // Leaves out the warning that the library was built as DEBUG: rows measure their time themselves.
  bool ReportContext(const benchmark::BenchmarkReporter::Context& context) override {
    std::ostream& errors = this->GetErrorStream();
    std::stringstream told;
    this->SetErrorStream(&told);
    const bool goes_on = Reporter::ReportContext(context);
    this->SetErrorStream(&errors);
    for (std::string line; std::getline(told, line);)
      if (line.find("Library was built as DEBUG") == std::string::npos) errors << line << '\n';
    return goes_on;
  }
  void ReportRuns(const std::vector<benchmark::BenchmarkReporter::Run>& reports) override {
    std::vector<benchmark::BenchmarkReporter::Run> runs = reports;
    for (auto& run : runs) {
      run.run_name.iterations.clear();
      run.run_name.time_type.clear();
    }
    Reporter::ReportRuns(runs);
  }
};

using JsonRows = RowReporter<benchmark::JSONReporter>;
using TableRows = RowReporter<benchmark::ConsoleReporter>;

// Runs the registered rows that fit the filter; with `list`, only prints their names. json: file
// for the results as well; empty: none. Throws Error(kBadInput) if no row fits, and Error if the
// file cannot be written.
void run_rows(const std::string& program, const RowFilter& filter, const std::string& json,
              bool list);

}  // namespace attn::bench
