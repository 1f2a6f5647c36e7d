// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/working_folder.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/engine/outputs/output_support.h"

namespace attn {
namespace {

using test::TemporaryFolder;
using test::tree_of;
using test::write_bytes;

class WorkingFolders : public ::testing::Test {
 protected:
  std::string names() {
    std::string all;
    for (const auto& [name, bytes] : tree_of(folder_.path())) all += name + ' ';
    return all;
  }
  TemporaryFolder folder_;
  const std::filesystem::path out_ = folder_.path() / "out";
};

TEST_F(WorkingFolders, TakesItsNameAsAWhole) {
  WorkingFolder made = WorkingFolder::beside(out_);
  ASSERT_TRUE(made);
  EXPECT_TRUE(is_unfinished(made.path().filename().string(), "out"));
  write_bytes(made.path() / "a", "x");
  EXPECT_FALSE(std::filesystem::exists(out_));
  EXPECT_TRUE(made.sync() && made.take_name(out_));
  EXPECT_FALSE(made);
  made.remove();
  EXPECT_EQ(tree_of(out_), (std::map<std::string, std::string>{{"a", "x"}}));
}

TEST_F(WorkingFolders, WithoutANameItGoesWithItsFiles) {
  {
    const WorkingFolder made = WorkingFolder::beside(out_);
    write_bytes(made.path() / "a", "x");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(WorkingFolders, AFolderWithFilesIsNotReplaced) {
  std::filesystem::create_directory(out_);
  write_bytes(out_ / "old", "y");
  {
    WorkingFolder made = WorkingFolder::beside(out_);
    EXPECT_FALSE(made.take_name(out_));
    EXPECT_TRUE(made);
  }
  EXPECT_EQ(names(), "out/ out/old ");
}

TEST_F(WorkingFolders, ThoseOfKilledWritersGoAndThatOfAWriterStays) {
  const auto left = folder_.path() / "out.unfinished-abcial";
  std::filesystem::create_directory(left);
  const WorkingFolder first = WorkingFolder::beside(out_), second = WorkingFolder::beside(out_);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(first.path()) && std::filesystem::exists(second.path()));
}

TEST_F(WorkingFolders, NoFolderIsMadeWhereNothingIs) {
  const WorkingFolder made(folder_.path() / "nowhere", "out");
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(made);
}

}  // namespace
}  // namespace attn
