// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a class from the results of its learners. Declared in result.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/lesson/results/result.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/session/report/report.h"

namespace attn::lesson {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 10'000, kMostFileBytes = size_t{4} << 20, kMostWrong = 3;

bool is_csv(const fs::path& file) {
  return file.extension() == ".csv" || file.extension() == ".CSV";
}

// The given files, and the .csv files of given folders.
std::vector<fs::path> all_files(const std::vector<fs::path>& given) {
  std::vector<fs::path> files;
  for (const fs::path& path : given) {
    std::error_code failure;
    if (!fs::is_directory(path, failure)) {
      files.push_back(path);
      continue;
    }
    std::vector<fs::path> inside;
    failure = for_each_name(path, [&](const char* name) {
      if (is_csv(path / name)) inside.push_back(path / name);
    });
    if (failure)
      throw Error(ErrorCode::kFailed,
                  {"this folder cannot be read", path.string(), failure.message(), "", ""});
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  if (files.size() > kMostFiles)
    throw_bad_input({"there are too many files", "", fmt::format("{}", files.size()),
                     fmt::format("at most {}", kMostFiles), ""});
  return files;
}

struct Answers {
  ClassTable::Task task;
  std::map<std::string, int64_t> wrong;
  std::vector<double> seconds;
  int64_t hints = 0, tries = 0;
  int64_t tried = 0;    // learners who gave an answer
  int64_t records = 0;  // of learners
  bool has_ranges = false;
};

bool is_counted(const ResultRecord& record) {
  return record.record_type == RecordType::kCounted ||
         record.record_type == RecordType::kCountedRange;
}

bool is_right_at_first(const ResultRecord& record) {
  const bool is_goal =
      record.record_type == RecordType::kChange || record.record_type == RecordType::kBuild;
  return record.correct && (!is_goal || record.tries <= 1);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

class Collector {
 public:
  void add(const fs::path& file) {
    const std::string name = file.filename().string();
    std::vector<ResultRecord> records;
    try {
      records = parse_results(read_text_file(file, kMostFileBytes), name);
    } catch (const Error& error) {
      table_.notes.push_back(fmt::format("left out: {}", error.what()));
      return;
    }
    const ResultRecord& who = records.front();
    if (!seen_.insert({who.participant, who.lesson, who.hash}).second) {
      table_.notes.push_back(fmt::format("{}: the same results of {} were in another file", name,
                                         escape_unprintable(who.participant)));
      return;
    }
    ClassTable::Learner learner;
    learner.name = who.participant;
    learner.lesson = who.lesson;
    learner.unchanged = results_hash(records) == who.hash;
    if (!learner.unchanged)
      table_.notes.push_back(
          fmt::format("{}: the answers were changed after they were written", name));
    for (const ResultRecord& record : records) {
      if (record.record_type == RecordType::kParticipant) continue;
      take(record);
      const int64_t answers = is_counted(record) ? record.tries : 1;
      learner.answers += answers;
      if (record.correct) learner.correct += answers;
      if (is_right_at_first(record)) learner.at_first += answers;
    }
    table_.learners.push_back(std::move(learner));
  }

  ClassTable finish() {
    for (auto& [place, answers] : answers_) {
      ClassTable::Task& task = answers.task;
      const auto learners = static_cast<double>(answers.records);
      task.mean_hints = learners > 0 ? static_cast<double>(answers.hints) / learners : 0;
      task.mean_tries = answers.tried > 0 ? static_cast<double>(answers.tries) /
                                                static_cast<double>(answers.tried)
                                          : 0;
      task.median_seconds = median(std::move(answers.seconds));
      for (const auto& [answer, count] : answers.wrong) task.wrong.push_back({answer, count});
      std::ranges::stable_sort(task.wrong, std::ranges::greater{}, &ClassTable::Task::Wrong::count);
      if (task.wrong.size() > kMostWrong) task.wrong.resize(kMostWrong);
      if (answers.has_ranges)
        table_.notes.push_back(fmt::format(
            "{}, {}: answers of a class were counted in ranges of numbers; a range that holds a "
            "right number counts as right",
            escape_unprintable(task.lesson), escape_unprintable(task.task)));
      table_.tasks.push_back(std::move(task));
    }
    std::ranges::sort(table_.learners, {}, [](const ClassTable::Learner& learner) {
      return std::tie(learner.lesson, learner.name);
    });
    return std::move(table_);
  }

 private:
  void take(const ResultRecord& record) {
    Answers& answers = answers_[{record.lesson, record.step, record.task}];
    ClassTable::Task& task = answers.task;
    task.lesson = record.lesson;
    task.step = record.step;
    task.task = record.task;
    task.quantity = record.quantity;
    task.actual = record.actual;
    if (is_counted(record)) {
      task.answers += record.tries;
      if (record.correct) task.correct += record.tries;
      if (record.correct) task.at_first += record.tries;
      if (!record.correct && record.tries > 0) answers.wrong[record.predicted] += record.tries;
      answers.has_ranges = answers.has_ranges || record.record_type == RecordType::kCountedRange;
      return;
    }
    ++answers.records;
    answers.hints += record.hints;
    if (record.predicted.empty() && record.tries == 0) {
      ++task.skipped;
      return;
    }
    ++task.answers;
    task.correct += record.correct;
    task.at_first += is_right_at_first(record);
    ++answers.tried;
    answers.tries += record.tries;
    answers.seconds.push_back(record.seconds);
    if (!record.correct) ++answers.wrong[record.predicted];
  }

  ClassTable table_;
  std::map<std::tuple<std::string, int64_t, std::string>, Answers> answers_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
};

// Whether the first line of a table contains "record_type".
bool names_records(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  return std::getline(stream, line) && line.find("record_type") != std::string::npos;
}

// Rounded to six decimals: the mean of 7.362 and 7.364 is written as 7.363 and not with all the
// digits of its binary fraction.
std::string csv_number(double value) {
  return format_double(std::round(value * 1e6) / 1e6);
}

std::string percent(int64_t part, int64_t of) {
  return of > 0
             ? fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(of))
             : "-";
}

}  // namespace

bool may_be_results(const std::filesystem::path& file_or_folder) {
  std::error_code failure;
  if (!fs::is_directory(file_or_folder, failure))
    return is_csv(file_or_folder) && names_records(file_or_folder);
  if (has_entry(file_or_folder / "config.json")) return false;
  bool has_csv = false;
  for_each_name(file_or_folder,
                [&](const char* name) { has_csv = has_csv || is_csv(file_or_folder / name); });
  return has_csv;
}

ClassTable collect_results(const std::vector<std::filesystem::path>& files,
                           const std::function<bool()>& go_on) {
  Collector collector;
  for (const fs::path& file : all_files(files)) {
    if (!go_on())
      throw Error(ErrorCode::kCancelled, {"reading was cancelled", file.string(), "", "", ""});
    collector.add(file);
  }
  ClassTable table = collector.finish();
  if (table.learners.empty())
    throw_bad_input({"there are no results here", files.empty() ? "" : files.front().string(),
                     table.notes.empty()
                         ? "no .csv files"
                         : fmt::format("no file that can be read; {}", table.notes.front()),
                     "a folder with the CSV files that lessons write", ""});
  return table;
}

std::string class_csv(const ClassTable& table) {
  std::string csv =
      "lesson,step,task,quantity,actual,answers,right_at_first,correct,skipped,mean_tries,"
      "mean_hints,median_seconds";
  for (size_t i = 1; i <= kMostWrong; ++i) csv += fmt::format(",wrong_{0},wrong_{0}_count", i);
  csv += ",title,question\n";
  for (const ClassTable::Task& task : table.tasks) {
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", csv_cell(task.lesson), task.step,
                       csv_cell(task.task), csv_cell(task.quantity), csv_cell(task.actual),
                       task.answers, task.at_first, task.correct, task.skipped,
                       csv_number(task.mean_tries), csv_number(task.mean_hints),
                       csv_number(task.median_seconds));
    for (size_t i = 0; i < kMostWrong; ++i)
      csv += i < task.wrong.size()
                 ? fmt::format(",{},{}", csv_cell(task.wrong[i].answer), task.wrong[i].count)
                 : ",,";
    csv += fmt::format(",{},{}\n", csv_cell(task.title), csv_cell(task.question));
  }
  return csv;
}

std::string class_text(const ClassTable& table) {
  std::string text;
  std::string lesson;
  for (const ClassTable::Task& task : table.tasks) {
    if (task.lesson != lesson) text += fmt::format("{}\n", escape_unprintable(task.lesson));
    lesson = task.lesson;
    text +=
        fmt::format("  {:<18} {:>3} of {:>3} right at first ({})", escape_unprintable(task.task),
                    task.at_first, task.answers, percent(task.at_first, task.answers));
    if (task.correct != task.at_first) text += fmt::format(", {} in the end", task.correct);
    if (task.skipped > 0) text += fmt::format(", {} skipped", task.skipped);
    text += fmt::format("; right: {}\n", escape_unprintable(task.actual));
    for (const ClassTable::Task::Wrong& wrong : task.wrong)
      text += fmt::format("      {} x {}\n", wrong.count, escape_unprintable(wrong.answer));
  }
  return text;
}

}  // namespace attn::lesson
