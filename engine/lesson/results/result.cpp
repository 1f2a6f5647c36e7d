// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/results/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/problems.h"
#include "engine/core/utf8.h"
#include "engine/session/report/report.h"

namespace attn::lesson {
namespace {

constexpr RecordType kRecordTypes[] = {RecordType::kParticipant, RecordType::kPrediction,
                                       RecordType::kObservation, RecordType::kChange,
                                       RecordType::kBuild,       RecordType::kCounted,
                                       RecordType::kCountedRange};
constexpr const char* kColumns[] = {
    "record_type", "participant", "lesson",   "language",      "lesson_version", "lesson_hash",
    "step",        "task",        "quantity", "predicted",     "actual",         "correct",
    "tries",       "hints",       "seconds",  "scenario_hash", "program",        "hash"};
constexpr size_t kMostRecords = 10'000;

// Doubles a leading apostrophe, because csv_cell() puts one before a formula.
std::string cell(const std::string& text) {
  return csv_cell(text.starts_with('\'') ? '\'' + text : text);
}

std::string line_of(const ResultRecord& record) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     name_of(record.record_type), cell(record.participant), cell(record.lesson),
                     cell(record.language), record.lesson_version, cell(record.lesson_hash),
                     record.step, cell(record.task), cell(record.quantity), cell(record.predicted),
                     cell(record.actual), record.correct ? 1 : 0, record.tries, record.hints,
                     format_double(record.seconds), cell(record.scenario_hash),
                     cell(record.program), cell(record.hash));
}

struct CsvRow {
  int line = 0;
  std::vector<std::string> cells;
};
// Cuts RFC 4180 text into rows of cells. Removes one apostrophe that begins a cell.
std::vector<CsvRow> csv_rows(std::string_view csv, std::string_view origin) {
  std::vector<CsvRow> rows;
  int line = 1;
  size_t at = 0;
  while (at < csv.size()) {
    CsvRow row;
    row.line = line;
    bool more = true;
    while (more) {
      std::string text;
      if (at < csv.size() && csv[at] == '"') {
        const int began = line;
        for (++at;; ++at) {
          if (at >= csv.size())
            throw_bad_input({"a cell has no closing quote",
                             fmt::format("{}, line {}", origin, began), quote_text(text),
                             "a double quote at its end", ""});
          if (csv[at] == '"') {
            if (at + 1 >= csv.size() || csv[at + 1] != '"') break;
            ++at;
          }
          if (csv[at] == '\n') ++line;
          text += csv[at];
        }
        ++at;
      }
      while (at < csv.size() && csv[at] != ',' && csv[at] != '\n') {
        if (csv[at] != '\r') text += csv[at];
        ++at;
      }
      if (text.starts_with('\'')) text.erase(0, 1);
      row.cells.push_back(std::move(text));
      more = at < csv.size() && csv[at] == ',';
      if (at < csv.size()) ++at;
    }
    ++line;
    if (row.cells.size() > 1 || !row.cells[0].empty()) rows.push_back(std::move(row));
    if (rows.size() > kMostRecords)
      throw_bad_input({"there are too many lines of results", std::string(origin),
                       fmt::format("more than {}", kMostRecords),
                       fmt::format("at most {}", kMostRecords), ""});
  }
  return rows;
}

class RowReader {
 public:
  RowReader(const CsvRow& row, std::string_view origin) : row_(row), origin_(origin) {}

  ResultRecord read() {
    if (row_.cells.size() != std::size(kColumns))
      refuse("the number of cells is wrong", fmt::format("{}", row_.cells.size()),
             fmt::format("{}", std::size(kColumns)));
    ResultRecord record;
    record.record_type = type();
    record.participant = text(1);
    record.lesson = text(2);
    record.language = text(3);
    record.lesson_version = integer(4);
    record.lesson_hash = text(5);
    record.step = integer(6);
    record.task = text(7);
    record.quantity = text(8);
    record.predicted = text(9);
    record.actual = text(10);
    record.correct = integer(11, 1) == 1;
    record.tries = integer(12);
    record.hints = integer(13);
    record.seconds = number(14);
    record.scenario_hash = text(15);
    record.program = text(16);
    record.hash = text(17);
    return record;
  }

 private:
  [[noreturn]] void refuse(std::string what, std::string found, std::string allowed) const {
    throw_bad_input({std::move(what), fmt::format("{}, line {}", origin_, row_.line),
                     std::move(found), std::move(allowed), ""});
  }
  RecordType type() const {
    for (const RecordType each : kRecordTypes)
      if (row_.cells[0] == name_of(each)) return each;
    refuse("there is no such kind of record", quote_text(row_.cells[0]),
           "participant, prediction, observation, change, build, counted, counted_range");
  }
  const std::string& text(size_t column) const {
    const std::string& cell_text = row_.cells[column];
    if (cell_text.size() > 4000 || !is_utf8(cell_text))
      refuse(fmt::format("`{}` cannot be read", kColumns[column]), quote_text(cell_text),
             "up to 4000 bytes of UTF-8");
    return cell_text;
  }
  int64_t integer(size_t column, int64_t most = 1'000'000'000) const {
    const std::string& from = row_.cells[column];
    int64_t value = -1;
    const auto [end, trouble] = std::from_chars(from.data(), from.data() + from.size(), value);
    if (trouble != std::errc{} || end != from.data() + from.size() || value < 0 || value > most)
      refuse(fmt::format("`{}` is not a whole number in its range", kColumns[column]),
             quote_text(from), fmt::format("0 to {}", most));
    return value;
  }
  double number(size_t column) const {
    const std::string& from = row_.cells[column];
    double value = -1;
    const auto [end, trouble] = std::from_chars(from.data(), from.data() + from.size(), value);
    if (trouble != std::errc{} || end != from.data() + from.size() || !(value >= 0) ||
        !std::isfinite(value))
      refuse(fmt::format("`{}` is not a number in its range", kColumns[column]), quote_text(from),
             "0 or more seconds");
    return value;
  }

  const CsvRow& row_;
  std::string_view origin_;
};

}  // namespace

std::string_view name_of(RecordType type) {
  switch (type) {
    case RecordType::kParticipant:
      return "participant";
    case RecordType::kPrediction:
      return "prediction";
    case RecordType::kObservation:
      return "observation";
    case RecordType::kChange:
      return "change";
    case RecordType::kBuild:
      return "build";
    case RecordType::kCounted:
      return "counted";
    case RecordType::kCountedRange:
      return "counted_range";
  }
  return "";
}

std::string results_csv(const std::vector<ResultRecord>& records) {
  std::string csv = fmt::format("{}\n", fmt::join(kColumns, ","));
  for (const ResultRecord& record : records) csv += line_of(record);
  return csv;
}

std::vector<ResultRecord> parse_results(std::string_view csv, std::string_view origin) {
  if (csv.starts_with("\xEF\xBB\xBF")) csv.remove_prefix(3);
  const std::vector<CsvRow> rows = csv_rows(csv, origin);
  const auto is_heading = [](const CsvRow& row) {
    return std::ranges::equal(row.cells, kColumns,
                              [](const std::string& a, const char* b) { return a == b; });
  };
  if (rows.empty() || !is_heading(rows.front()))
    throw_bad_input({"these are not the results of a lesson", std::string(origin),
                     rows.empty()
                         ? "nothing"
                         : quote_text(fmt::format("{}", fmt::join(rows.front().cells, ","))),
                     fmt::format("a first line {}", fmt::join(kColumns, ",")), ""});
  Problems problems;
  std::vector<ResultRecord> records;
  for (size_t i = 1; i < rows.size(); ++i)
    problems.holds([&] { records.push_back(RowReader(rows[i], origin).read()); });
  problems.throw_if_any();
  if (records.empty() || records.front().record_type != RecordType::kParticipant)
    throw_bad_input({"the results do not say whose they are", std::string(origin),
                     "no record of the kind `participant` at the beginning",
                     "a participant, then the answers", ""});
  return records;
}

std::string results_hash(const std::vector<ResultRecord>& records) {
  std::string lines;
  for (const ResultRecord& record : records)
    if (record.record_type != RecordType::kParticipant) lines += line_of(record);
  return fmt::format("{:016x}", XXH64(lines.data(), lines.size(), 0));
}

std::string results_file_name(std::string_view lesson_id, std::string_view participant) {
  std::string name(lesson_id);
  name += '-';
  size_t letters = 0;
  while (!participant.empty() && letters < 60) {
    const Utf8Char next = first_char(participant);
    const std::string_view bytes = participant.substr(0, next.bytes);
    const bool plain = next.code > 0x7f
                           ? !is_white_space(next.code) && !controls_terminal(next.code)
                           : std::isalnum(next.code) != 0 || next.code == '-';
    name += plain ? std::string(bytes) : "_";
    letters += next.bytes;
    participant.remove_prefix(next.bytes);
  }
  return name + ".csv";
}

}  // namespace attn::lesson
