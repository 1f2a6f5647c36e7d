// SPDX-License-Identifier: GPL-3.0-or-later
// Results of a learner as one CSV file, and the table of a class from many of them. The hash of a
// file shows an accidental change; it is no protection. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::lesson {

struct Lesson;

struct Participant {
  std::string name;     // as typed
  std::string program;  // version of the program
};

enum class RecordType {
  kParticipant,  // first record
  kPrediction,
  kObservation,
  kChange,
  kBuild,
  kCounted,       // an answer of a class, or a range of them, and how many gave it
  kCountedRange,  // the same for a row that is right in part (RowMark::kHolds)
};
std::string_view name_of(RecordType type);  // "participant", "prediction", ...

// A line of the file. Columns are named as the fields.
struct ResultRecord {
  RecordType record_type = RecordType::kParticipant;
  std::string participant;
  std::string lesson, language;
  int64_t lesson_version = 0;
  std::string lesson_hash;
  int64_t step = 0;       // from 1; 0: of the lesson as a whole
  std::string task;       // Task::name
  std::string quantity;   // of a goal: its conditions
  std::string predicted;  // first or counted answer, of a goal the last; empty: none or no settings
  std::string actual;     // the right answer
  // The first answer is right. Of a goal: it is reached, and its solution was not shown. Of a
  // counted answer or range: it is right, or right in part (RowMark::kHolds).
  bool correct = false;
  int64_t tries = 0;  // of a counted answer: how many of the class gave it
  int64_t hints = 0;
  double seconds = 0;
  std::string scenario_hash;  // of the step
  std::string program;        // version
  std::string hash;           // only in kParticipant
  bool operator==(const ResultRecord&) const = default;
};

// Cells that a spreadsheet would run as a formula are escaped (csv_cell()).
std::string results_csv(const std::vector<ResultRecord>& records);
// Reads what results_csv() wrote. origin: the file's name for messages. Throws Error(kBadInput) for
// wrong, missing or too many lines.
std::vector<ResultRecord> parse_results(std::string_view csv, std::string_view origin);
std::string results_hash(const std::vector<ResultRecord>& records);  // 16 hex digits
// "the-sink-Anna_K.csv". ASCII characters of the participant's name other than letters, digits and
// hyphens become `_`, and so do white space and control characters. A long name is cut.
std::string results_file_name(std::string_view lesson_id, std::string_view participant);

// The results of a class.
struct ClassTable {
  struct Task {
    std::string lesson, task, quantity, actual;
    std::string title, question;  // lesson and task in words; empty until name_tasks() sets them
    int64_t step = 0;
    // correct: in the end; at_first: those of them for which one try was enough. They differ for
    // goals only, because of a question the first answer counts.
    int64_t answers = 0, correct = 0, at_first = 0, skipped = 0;
    double mean_tries = 0;  // of a goal; of a question 1
    double mean_hints = 0, median_seconds = 0;
    struct Wrong {
      std::string answer;
      int64_t count = 0;
    };
    std::vector<Wrong> wrong;  // at most three
  };
  struct Learner {
    std::string name, lesson;
    int64_t answers = 0, correct = 0, at_first = 0;
    bool unchanged = true;  // the hash fits the answers
  };
  std::vector<Task> tasks;  // by lesson, step, task
  std::vector<Learner> learners;
  std::vector<std::string> notes;  // files left out or changed, answers counted in ranges
};
// Whether this is a .csv file with "record_type" in its first line, or a folder with .csv files and
// no config.json. Files in a folder are not opened.
bool may_be_results(const std::filesystem::path& file_or_folder);
// files: of results; a folder stands for its .csv files. A file that cannot be read becomes a note.
// go_on: is asked before each file; false: Error(kCancelled). Throws Error(kBadInput) if there are
// no results or too many files, Error(kFailed) for a folder that cannot be read.
ClassTable collect_results(
    const std::vector<std::filesystem::path>& files,
    const std::function<bool()>& go_on = [] { return true; });
std::string class_csv(const ClassTable& table);
std::string class_text(const ClassTable& table);  // for a terminal

}  // namespace attn::lesson
