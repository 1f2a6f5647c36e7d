// SPDX-License-Identifier: GPL-3.0-or-later
// Output files that are written whole or not at all: their modes, links to them, and what killed
// writers leave.
#include "engine/core/files/whole_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "tests/engine/outputs/output_support.h"

namespace attn {
namespace {

using test::message_of;
using test::NoWriteFaults;
using test::TemporaryFolder;
using test::tree_of;
using test::write_faults;
using testing::HasSubstr;
using Tree = std::map<std::string, std::string>;

mode_t mode_of(const std::filesystem::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

class WholeFiles : public ::testing::TestWithParam<bool> {
 protected:
  WholeFiles() { write_faults.no_nameless_files = GetParam(); }
  std::filesystem::path in(const char* name) const { return folder_.path() / name; }

  const NoWriteFaults end_;
  const TemporaryFolder folder_;
};

TEST_P(WholeFiles, ANewFileHasTheModeOfTheUmask) {
  for (const mode_t mask : {0022, 0077, 0002, 0027}) {
    const mode_t before = ::umask(mask);
    write_file_atomically(in("a"), "1");
    ::umask(before);
    EXPECT_EQ(mode_of(in("a")), 0666u & ~mask);
    std::filesystem::remove(in("a"));
  }
}

TEST_P(WholeFiles, AReplacedFileKeepsItsMode) {
  for (const mode_t mode : {0600, 0640, 0666, 0444}) {
    write_file_atomically(in("a"), "1");
    ASSERT_EQ(::chmod(in("a").c_str(), mode), 0);
    write_file_atomically(in("a"), "2");
    EXPECT_EQ(mode_of(in("a")), mode);
    EXPECT_EQ(tree_of(folder_.path()), (Tree{{"a", "2"}}));
  }
}

TEST_P(WholeFiles, APrivateSessionStaysPrivate) {
  const test::SavedRun run = test::run_of(1);
  run.save(in("a.attn-session"));
  ASSERT_EQ(::chmod(in("a.attn-session").c_str(), 0600), 0);
  run.save(in("a.attn-session"));
  EXPECT_EQ(mode_of(in("a.attn-session")), 0600u);
}

TEST_P(WholeFiles, ALinkStaysAndItsFileIsReplaced) {
  write_file_atomically(in("a"), "1");
  std::filesystem::create_symlink("a", in("link"));
  write_file_atomically(in("link"), "2");
  EXPECT_TRUE(std::filesystem::is_symlink(in("link")));
  EXPECT_EQ(tree_of(folder_.path())["a"], "2");
}

TEST_P(WholeFiles, WithoutCommitNothingIsLeft) {
  write_file_atomically(in("a"), "1");
  {
    WholeFile file(in("a"));
    file.write("half");
  }
  EXPECT_EQ(tree_of(folder_.path()), (Tree{{"a", "1"}}));
}

TEST_P(WholeFiles, TheNextWriterRemovesWhatAKilledOneLeft) {
  const std::string left = "a.unfinished-abcl46", alive = "a.unfinished-abdhx6",
                    of_another = "b.unfinished-abchvo", named = "a.unfinished-backup";
  for (const std::string& name : {left, alive, of_another, named})
    test::write_bytes(folder_.path() / name, "x");
  const int writer = ::open((folder_.path() / alive).c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(writer, LOCK_EX | LOCK_NB), 0);
  write_file_atomically(in("a"), "1");
  EXPECT_EQ(tree_of(folder_.path()),
            (Tree{{"a", "1"}, {alive, "x"}, {of_another, "x"}, {named, "x"}}));
  ::close(writer);
  write_file_atomically(in("a"), "1");
  EXPECT_EQ(tree_of(folder_.path()), (Tree{{"a", "1"}, {of_another, "x"}, {named, "x"}}));
}

TEST_P(WholeFiles, TheLongestNameCanBeUsed) {
  const std::string name(NAME_MAX, 'n');
  check_output_place("--out", folder_.path() / name);
  write_file_atomically(folder_.path() / name, "1");
  write_file_atomically(folder_.path() / name, "2");
  EXPECT_EQ(tree_of(folder_.path()), (Tree{{name, "2"}}));
  const std::string found =
      message_of([&] { check_output_place("--out", folder_.path() / (name + "n")); });
  EXPECT_THAT(found, HasSubstr("the name of an output is too long at --out: found a name of 256"));
  EXPECT_THAT(found, HasSubstr("names of at most 255 bytes"));
}

INSTANTIATE_TEST_SUITE_P(Ways, WholeFiles, testing::Values(false, true));

TEST(WholeFile, AFileThatCanGetNoNameIsCopied) {
  const NoWriteFaults end;
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "a", "1");
  // Open, write, mode, sync: the fifth call is the link.
  write_faults = {.fail_at = 4, .error = EPERM};
  write_file_atomically(folder.path() / "a", std::string(3 << 20, 'x'));
  EXPECT_GT(write_faults.calls, 6);
  EXPECT_EQ(tree_of(folder.path()), (Tree{{"a", std::string(3 << 20, 'x')}}));
}

}  // namespace
}  // namespace attn
