// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/row_reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <sstream>

#include "bench/measure/measure.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/program/standard_streams.h"

namespace attn::bench {

namespace {

// The library writes its file while it measures: it would begin by emptying an older one, and a
// full disk would go unnoticed. So the rows are kept until the end.
class TableAndJson : public benchmark::BenchmarkReporter {
 public:
  TableAndJson() {
    file_.SetOutputStream(&text_);
    file_.SetErrorStream(&std::cerr);
  }
  bool ReportContext(const Context& context) override {
    const bool table = table_.ReportContext(context);
    return file_.ReportContext(context) && table;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    table_.ReportRuns(runs);
    file_.ReportRuns(runs);
  }
  void Finalize() override {
    table_.Finalize();
    file_.Finalize();
  }
  std::string json() const { return text_.str(); }

 private:
  std::ostringstream text_;
  TableRows table_{benchmark::ConsoleReporter::OO_None};
  JsonRows file_;
};

}  // namespace

void run_rows(const std::string& program, const RowFilter& filter, const std::string& json,
              bool list) {
  if (!json.empty()) check_output_place("--json", json);
  const std::vector<std::string> names = take_rows(filter);
  if (list) {
    print_out("{}\n", fmt::join(names, "\n"));
    return;
  }
  std::string name = program;
  char* argv[] = {name.data(), nullptr};
  int argc = 1;
  benchmark::Initialize(&argc, argv);
  if (json.empty()) {
    TableRows table(benchmark::ConsoleReporter::OO_None);
    benchmark::RunSpecifiedBenchmarks(&table);
  } else {
    TableAndJson both;
    benchmark::RunSpecifiedBenchmarks(&both);
    write_file_atomically(json, both.json());
  }
  benchmark::Shutdown();
}

}  // namespace attn::bench
