// SPDX-License-Identifier: GPL-3.0-or-later
// Into which folders a report is written, and what is kept or removed of the files there.
#include "engine/session/report/report_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/outputs/output_support.h"

namespace attn {
namespace {

using test::export_report;
using test::message_of;
using test::NoWriteFaults;
using test::run_of;
using test::TemporaryFolder;
using test::tree_of;
using test::write_bytes;
using test::write_faults;
using testing::AllOf;
using testing::HasSubstr;
using Kind = ReportPlace::Kind;

class ReportFolders : public ::testing::Test {
 protected:
  ReportFolders() : out_(folder_.path() / "out") {}
  std::map<std::string, std::string> report(const test::SavedRun& run) const {
    export_report(folder_.path() / "of its own", run);
    auto tree = tree_of(folder_.path() / "of its own");
    std::filesystem::remove_all(folder_.path() / "of its own");
    return tree;
  }
  std::vector<std::string> beside() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename().string());
    return names;
  }

  const NoWriteFaults end_;
  const TemporaryFolder folder_;
  const std::filesystem::path out_;
  const test::SavedRun one_ = run_of(1), two_ = run_of(3);
};

TEST_F(ReportFolders, NothingAnEmptyFolderAndAnOlderReportAreReplaced) {
  EXPECT_EQ(look_at_report_place(out_).kind, Kind::kNothing);
  export_report(out_ / "deep" / "deeper", one_);
  EXPECT_EQ(tree_of(out_ / "deep" / "deeper"), report(one_));
  std::filesystem::remove_all(out_);
  std::filesystem::create_directory(out_);
  ASSERT_EQ(::chmod(out_.c_str(), 0700), 0);
  EXPECT_EQ(look_at_report_place(out_).kind, Kind::kEmpty);
  export_report(out_, two_);
  EXPECT_EQ(tree_of(out_), report(two_));
  EXPECT_EQ(look_at_report_place(out_).kind, Kind::kReport);
  export_report(out_, one_);
  EXPECT_EQ(tree_of(out_), report(one_));
  struct stat info {};
  ASSERT_EQ(::stat(out_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  EXPECT_EQ(beside(), std::vector<std::string>{"out"});
}

TEST_F(ReportFolders, AFolderThatHoldsSomethingElseIsRefused) {
  export_report(out_, one_);
  const auto refused = [&](const char* found) {
    const auto before = tree_of(folder_.path());
    EXPECT_EQ(look_at_report_place(out_).kind, Kind::kOthers);
    const std::string message = message_of([&] { export_report(out_, two_); });
    EXPECT_THAT(message, HasSubstr("the folder for the report holds something else at --export " +
                                   out_.string() + ": found " + found));
    EXPECT_THAT(message, HasSubstr("--force"));
    EXPECT_EQ(tree_of(folder_.path()), before);
  };
  write_bytes(out_ / "notes.txt", "mine");
  refused("notes.txt,");
  std::filesystem::create_directory(out_ / "more");
  refused("more, notes.txt,");
  std::filesystem::remove_all(out_ / "more");
  std::filesystem::remove(out_ / "notes.txt");
  std::string table = test::read_bytes(out_ / "steps.csv");
  table.back() = ' ';
  write_bytes(out_ / "steps.csv", table);
  refused("steps.csv,");
  std::filesystem::remove(out_ / "manifest.json");
  refused("block_table.csv, blocks.csv, heatmap-request0-layer0-head0.csv and ");
  std::filesystem::remove_all(out_);
  std::filesystem::create_directory(out_);
  write_bytes(out_ / "manifest.json", R"({"program": "another one", "files": []})");
  refused("manifest.json,");
}

TEST_F(ReportFolders, AReportOfWhichFilesAreMissingIsReplaced) {
  export_report(out_, two_);
  std::filesystem::remove(out_ / "steps.csv");
  export_report(out_, one_);
  EXPECT_EQ(tree_of(out_), report(one_));
}

TEST_F(ReportFolders, FiguresOfAnotherReportAreKept) {
  const auto refusal = [&](std::string_view title, const std::set<std::string>& figures) {
    return message_of([&] { refuse_other_report("--export", out_, title, figures); });
  };
  EXPECT_EQ(refusal("One", {}), "");
  std::filesystem::create_directory(out_);
  write_bytes(out_ / "rotary.png", "picture");
  write_bytes(out_ / "manifest.json", R"({"program": "Attention Workbench", "title": "One", "files":
      [{"name": "rotary.png", "bytes": 7, "xxh64": "0"}, {"name": "gone.pdf", "bytes": 7, "xxh64": "0"},
       {"name": "steps.csv", "bytes": 7, "xxh64": "0"}]})");
  EXPECT_EQ(refusal("One", {"rotary.png", "heads.png"}), "");
  EXPECT_THAT(refusal("One", {"heads.png"}), HasSubstr("found rotary.png,"));
  EXPECT_THAT(refusal("Two", {"rotary.png"}),
              AllOf(HasSubstr("found one of the scenario `One`"), HasSubstr("--force")));
}

TEST_F(ReportFolders, WithForceOtherFilesStay) {
  export_report(out_, two_);
  write_bytes(out_ / "notes.txt", "mine");
  write_bytes(out_ / "steps.csv", "changed");
  std::filesystem::create_directory(out_ / "more");
  export_report(out_, one_, true);
  auto expected = report(one_);
  expected["notes.txt"] = "mine";
  expected["more/"];
  EXPECT_EQ(tree_of(out_), expected);
  std::filesystem::remove(out_ / "steps.csv");
  std::filesystem::create_directory(out_ / "steps.csv");
  const auto before = tree_of(folder_.path());
  EXPECT_THAT(message_of([&] { export_report(out_, two_, true); }),
              HasSubstr("a folder has the name of a file of the report"));
  EXPECT_EQ(tree_of(folder_.path()), before);
}

TEST_F(ReportFolders, AnInputInTheFolderIsRefusedEvenWithForce) {
  export_report(out_, one_);
  std::filesystem::create_symlink(out_ / "scenario.json", folder_.path() / "link.json");
  std::filesystem::create_directory_symlink(out_, folder_.path() / "way");
  for (const auto& input :
       {out_ / "scenario.json", folder_.path() / "link.json", folder_.path() / "way" / "any"})
    for (const bool keep : {false, true}) {
      const std::filesystem::path inputs[] = {input};
      EXPECT_THAT(message_of([&] { check_report_folder("--export", out_, keep, inputs); }),
                  HasSubstr("--export could replace an input file"));
    }
  const std::filesystem::path outside[] = {folder_.path() / "scenario.json"};
  check_report_folder("--export", out_, false, outside);
}

TEST_F(ReportFolders, TheCurrentFolderStaysTheSameFolder) {
  std::filesystem::create_directory(out_);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(out_);
  export_report(".", two_);
  export_report("../out/", one_);
  EXPECT_EQ(tree_of("."), report(one_));
  std::filesystem::current_path(before);
  EXPECT_EQ(beside(), std::vector<std::string>{"out"});
}

TEST_F(ReportFolders, AFileSystemWithoutExchangeMovesTheFiles) {
  export_report(out_, two_);
  write_faults.no_exchange = true;
  export_report(out_, one_);
  EXPECT_EQ(tree_of(out_), report(one_));
  EXPECT_EQ(beside(), std::vector<std::string>{"out"});
}

TEST_F(ReportFolders, ALinkToAFolderStays) {
  std::filesystem::create_directory(out_);
  std::filesystem::create_directory_symlink("out", folder_.path() / "link");
  export_report(folder_.path() / "link", two_);
  export_report(folder_.path() / "link", one_);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.path() / "link"));
  EXPECT_EQ(tree_of(out_), report(one_));
}

TEST_F(ReportFolders, WhatCannotBeIsSaidAndLeavesNothing) {
  write_bytes(folder_.path() / "file", "x");
  const auto before = tree_of(folder_.path());
  const std::string longest(NAME_MAX, 'n');
  const std::pair<std::filesystem::path, std::string> cases[] = {
      {folder_.path() / "file", "found a file"},
      {folder_.path() / "file" / "out", "Not a directory"},
      {"/proc/out", "/proc/out"},
      {folder_.path() / (longest + "n"), "a name of 256 bytes"},
      {folder_.path() / (longest + "n") / "out", "a name of 256 bytes"},
      {"/dev/null", "a device"}};
  for (const auto& [place, says] : cases)
    EXPECT_THAT(message_of([&, to = place] { check_report_folder("--export", to, true); }),
                HasSubstr(says));
  check_report_folder("--export", folder_.path() / "new" / "deep" / longest, false);
  EXPECT_EQ(tree_of(folder_.path()), before);
  export_report(folder_.path() / longest, one_);
  EXPECT_EQ(tree_of(folder_.path() / longest), report(one_));
}

TEST_F(ReportFolders, AFolderWhoseParentIsClosedIsWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::create_directory(out_);
  std::filesystem::permissions(
      folder_.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  export_report(out_, two_);
  export_report(out_, one_);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(tree_of(out_), report(one_));
}

TEST_F(ReportFolders, FoldersThatKilledWritersLeftGo) {
  const auto left = folder_.path() / "out.unfinished-abcial";
  std::filesystem::create_directory(left);
  write_bytes(left / "steps.csv", "x");
  // Folders that killed writers leave hold no folders. One that holds some stays as it is, and so
  // does a folder whose name someone else has given.
  const auto other = folder_.path() / "out.unfinished-abdmhl",
             named = folder_.path() / "out.unfinished-backup";
  std::filesystem::create_directories(other / "folder");
  std::filesystem::create_directory(named);
  for (const auto& mine : {other / "mine", named / "mine"}) write_bytes(mine, "x");
  export_report(out_, one_);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(other / "folder"));
  EXPECT_TRUE(std::filesystem::exists(other / "mine"));
  EXPECT_TRUE(std::filesystem::exists(named / "mine"));
}

}  // namespace
}  // namespace attn
