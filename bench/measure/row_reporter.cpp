// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/row_reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <sstream>

#include "bench/measure/busy_machine.h"
#include "bench/measure/measure.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/program/standard_streams.h"

namespace attn::bench {

namespace {

// Writes the table and keeps the text of the JSON file in memory.
class TableAndJson : public benchmark::BenchmarkReporter {
 public:
  TableAndJson() : machine_(load_of_last_minute(), benchmark::CPUInfo::Get().num_cpus) {
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
    for (const Run& run : runs) add_limit(run);
  }
  void Finalize() override {
    table_.Finalize();
    file_.Finalize();
    if (const std::string words = machine_.words(); !words.empty())
      GetOutputStream() << '\n' << words << '\n';
  }
  // The warning is inserted into the context, which the library wrote before the first row.
  std::string json() const {
    std::string text = text_.str();
    constexpr std::string_view kContext = "\"context\": {";
    const std::string words = machine_.words();
    if (const size_t at = text.find(kContext); at != std::string::npos && !words.empty())
      text.insert(at + kContext.size(), fmt::format("\n    \"busy_machine\": \"{}\",", words));
    return text;
  }

 private:
  void add_limit(const Run& run) {
    const auto limit = run.counters.find("limit"), threads = run.counters.find("threads");
    if (limit == run.counters.end() || threads == run.counters.end()) return;
    std::string_view kind = run.report_label;
    if (kind.starts_with("of ")) kind.remove_prefix(3);
    machine_.add_limit(fmt::format("{}, threads {}", kind, threads->second.value),
                       limit->second.value);
  }

  BusyMachine machine_;
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
  TableAndJson both;
  benchmark::RunSpecifiedBenchmarks(&both);
  if (!json.empty()) write_file_atomically(json, both.json());
  benchmark::Shutdown();
}

}  // namespace attn::bench
