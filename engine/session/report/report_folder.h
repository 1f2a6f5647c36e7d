// SPDX-License-Identifier: GPL-3.0-or-later
// ReportFolder: the folder of a report holds one whole run, or no manifest. A report is written
// into a working folder beside its place (unfinished.h) and put in place in one step: where there
// is nothing, by a rename; where an older report lies, by an exchange, after which the older one is
// removed. Of several processes that export to one place the last one wins, as a whole. A report
// that cannot be written leaves the older one as it was.
//
// Files of others are not touched: a folder that holds anything but a report whose files are as its
// manifest says is refused, unless `keep_others` asks to write beside them. Then, and where the
// folder itself cannot be exchanged (a mount point, the current folder, a parent folder in which
// this user may not write, a file system without exchange), the files are moved one by one: first
// the old manifest goes, then the other files of the older report; the new manifest comes last. If
// one cannot be moved, all are put back. A process that is killed in between leaves a folder
// without a manifest, which says that it is no report.
//
// Any thread; each object is used by one thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files/unfinished.h"

namespace attn {

// What lies where a report is to go.
struct ReportPlace {
  enum class Kind {
    kNothing,
    kEmpty,   // a folder
    kReport,  // a report of this program, and nothing else; some of its files may be missing
    kOthers   // something else, perhaps beside the files of a report
  };
  Kind kind = Kind::kNothing;
  std::vector<std::string> ours;    // files that are as the manifest says, and the manifest
  std::vector<std::string> others;  // everything else, sorted
  bool in_use = false;              // another writer works inside
  std::string others_text() const;  // "a.txt, b.txt, c.txt and 3 more"
};
// by_content: the files of a report are compared with the hashes of its manifest, else only with
// its names and sizes. Throws Error(kFailed) if the folder cannot be read.
ReportPlace look_at_report_place(const std::filesystem::path& folder, bool by_content = true);

class ReportFolder {
 public:
  // option: for errors, "--export". inputs: files that the program reads; none may lie in the
  // folder. Folders above it are made if needed. Throws Error(kBadInput) if the folder holds
  // something that is not of a report and keep_others is false, if it holds an input, or if its
  // name is too long; Error(kFailed) with the path if it cannot be written.
  ReportFolder(std::string_view option, const std::filesystem::path& folder, bool keep_others,
               std::span<const std::filesystem::path> inputs = {});
  ~ReportFolder();  // without put_in_place() everything is as it was
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  // Where the files of the report are to be written.
  const std::filesystem::path& work() const { return work_; }
  // The place, with links followed.
  const std::filesystem::path& place() const { return place_; }
  // Calls write(work()) and puts the result in place. Errors name the place instead of work().
  void fill(const std::function<void(const std::filesystem::path& work)>& write);
  // Throws Error as the constructor does, if what lies at the place has changed since.
  void put_in_place();

 private:
  void find_place(const std::filesystem::path& folder);
  void refuse_inputs_inside(std::span<const std::filesystem::path> inputs) const;
  [[noreturn]] void refuse(const ReportPlace& found) const;
  bool can_be_exchanged() const;
  Descriptor lock_place() const;
  void put_over(int old_folder);
  bool exchange();
  void move_files(const ReportPlace& found);
  [[noreturn]] void give_up(int code) const;

  std::string option_;
  std::filesystem::path named_, place_, work_;
  std::vector<std::filesystem::path> made_;  // folders above the place, from the outermost
  bool keep_others_, inside_ = false;        // inside_: work_ lies in the place
  Descriptor work_folder_;                   // holds the lock
  bool done_ = false;
};

// For a program that writes a report at its end: throws at once what ReportFolder would throw.
void check_report_folder(std::string_view option, const std::filesystem::path& folder,
                         bool keep_others, std::span<const std::filesystem::path> inputs = {});
// An older report is deleted when a new one takes its place. Error(kBadInput) if the one in
// `folder` is of a scenario with another title, or has figures (pictures, arrays) that the new one,
// which has `figures`, will not have.
void refuse_other_report(std::string_view option, const std::filesystem::path& folder,
                         std::string_view title, const std::set<std::string>& figures);
// For a program that writes a report into `folder` and another output, `file`: Error(kBadInput) if
// that is in the folder.
void refuse_inside_report(std::string_view option, const std::filesystem::path& file,
                          std::string_view report_option, const std::filesystem::path& folder);

}  // namespace attn
