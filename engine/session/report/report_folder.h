// SPDX-License-Identifier: GPL-3.0-or-later
// ReportFolder: writes a report into a working folder and then puts it in place. A report that
// cannot be written leaves the older one as it was. A folder with other files is refused unless
// `keep_others` is set. Each object is used by one thread at a time.
//
// The folder is exchanged in one step if possible. The files are moved one by one if other files
// are kept or the folder cannot be exchanged, for example a mount point or the current folder. A
// process that is killed in between leaves a folder without a manifest.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files/working_folder.h"

namespace attn {

struct ReportPlace {
  enum class Kind {
    kNothing,
    kEmpty,   // a folder
    kReport,  // files of a report of this program, perhaps not all, and no others
    kOthers   // anything else
  };
  Kind kind = Kind::kNothing;
  std::vector<std::string> ours;    // unchanged files and the manifest
  std::vector<std::string> others;  // everything else but working folders, sorted
  bool in_use = false;              // it holds the working folder of a writer
  std::string others_text() const;  // "a.txt, b.txt, c.txt and 3 more"
};
// by_content: compares the files with the hashes of the manifest, not only with its names and
// sizes. Throws Error(kFailed) if the folder cannot be read.
ReportPlace look_at_report_place(const std::filesystem::path& folder, bool by_content = true);

class ReportFolder {
 public:
  // option: for errors, for example "--export". inputs: files that the program reads; none may lie
  // directly in the folder. Missing parent folders are made. Throws Error(kBadInput) for a folder
  // with other files unless keep_others is set, for such an input, or for a name or path that is
  // too long; Error(kFailed) with the path if it cannot be written.
  ReportFolder(std::string_view option, const std::filesystem::path& folder, bool keep_others,
               std::span<const std::filesystem::path> inputs = {});
  ~ReportFolder();  // undoes unfinished work
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  const std::filesystem::path& work() const { return work_.path(); }
  // The place, with links followed.
  const std::filesystem::path& place() const { return place_; }
  // Calls write(work()) and puts the result in place. Errors name the given folder, not work().
  void fill(const std::function<void(const std::filesystem::path& work)>& write);
  // Looks at the place again, which may have changed since the constructor. Throws Error.
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
  void remove_made();
  [[noreturn]] void give_up(int code) const;

  std::string option_;
  std::filesystem::path named_, place_;
  std::vector<std::filesystem::path> made_;  // made parents, outermost first
  bool keep_others_, inside_ = false;        // inside_: work_ is in place_
  WorkingFolder work_;
};

// Checks the folder as ReportFolder does, for a program that writes its report at the end.
void check_report_folder(std::string_view option, const std::filesystem::path& folder,
                         bool keep_others, std::span<const std::filesystem::path> inputs = {});
// Throws Error(kBadInput) if the report in `folder` is of a scenario with another title, or has
// figures that are not in `figures`, the figures of the new report.
void refuse_other_report(std::string_view option, const std::filesystem::path& folder,
                         std::string_view title, const std::set<std::string>& figures);
// Throws Error(kBadInput) if `file`, another output, is the folder of the report or directly in it.
void refuse_inside_report(std::string_view option, const std::filesystem::path& file,
                          std::string_view report_option, const std::filesystem::path& folder);

}  // namespace attn
