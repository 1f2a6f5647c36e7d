// SPDX-License-Identifier: GPL-3.0-or-later
// Session files on the command line: `attn run` writes one, or makes the report of one; also what
// `attn inspect` tells of one, and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/session/attn_program.h"

namespace attn {
namespace {

using test::attn_program;
using test::read_file;
using Result = test::ProgramResult;
using testing::HasSubstr;

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(CliSession, TheReportOfASavedRunIsThatOfTheRun) {
  const test::TemporaryFolder folder;
  const std::string one = folder.path() / "1.attn-session", two = folder.path() / "2.attn-session";
  for (const std::string& file : {one, two}) {
    const Result result = attn_program({"run", "full-house-swap", "--clock", "virtual", "--session",
                                        file, "--export", folder.path() / "run"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("session in " + file));
  }
  EXPECT_TRUE(read_file(one) == read_file(two));
  const Result result = attn_program({"run", one, "--export", folder.path() / "saved"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto names = names_in(folder.path() / "run");
  EXPECT_EQ(names, names_in(folder.path() / "saved"));
  EXPECT_GT(names.size(), 10u);
  for (const std::string& name : names)
    EXPECT_TRUE(read_file(folder.path() / "run" / name) ==
                read_file(folder.path() / "saved" / name))
        << name;
}

// Both workers can compute partitions of the same row of a decode.
TEST(CliSession, WorkersInAnyOrderGiveTheSameFile) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "run.attn-session";
  std::string first;
  for (int run = 0; run < 6; ++run) {
    ASSERT_EQ(attn_program({"run", "torch-partitions", "--clock", "virtual", "--threads", "2",
                            "--session", file})
                  .code,
              0);
    if (run == 0) first = read_file(file);
    EXPECT_TRUE(read_file(file) == first) << run;
  }
}

TEST(CliSession, InspectTellsWhatIsInIt) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "a.attn-session";
  ASSERT_EQ(attn_program({"run", "shared-prompt", "--clock", "virtual", "--session", file}).code,
            0);
  const Result result = attn_program({"inspect", file});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* part :
       {"a.attn-session: session, ", "scenario: ", "backend: ", "run: finished, ",
        "history: steps 1 to ", "events: ", "requests:", "record "})
    EXPECT_THAT(result.out, HasSubstr(part));
}

TEST(CliSession, WhatCannotBeIsSaidBeforeTheRun) {
  const test::TemporaryFolder folder;
  Result result = attn_program({"run", "first-look", "--session", folder.path() / "a.bin"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("ends in .attn-session"));
  result = attn_program(
      {"run", "first-look", "--session", folder.path() / "no" / "such" / "a.attn-session"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("no/such"));
  result = attn_program({"run", "first-look", "--session", "/proc/a.attn-session"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("/proc"));
  const std::string file = folder.path() / "b.attn-session";
  result = attn_program({"run", file, "--export", folder.path() / "out"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("b.attn-session"));
  ASSERT_EQ(attn_program({"run", "synthetic-needle", "--session", file}).code, 0);
  for (const char* option : {"--backend", "--clock", "--threads", "--session"}) {
    result = attn_program({"run", file, option, "virtual"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(option));
  }
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(file, std::ios::binary) << bytes;
  result = attn_program({"inspect", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("checksum of a chunk is wrong"));
  EXPECT_THAT(result.err, HasSubstr("byte "));
}

TEST(CliSession, ARemovedCurrentFolderIsToldInWords) {
  const test::TemporaryFolder folder;
  const std::string gone = folder.path() / "gone", err = folder.path() / "err";
  std::filesystem::create_directory(gone);
  const std::string assets = test::shell_quote(std::string(ATTN_SOURCE_DIR) + "/assets"),
                    program = test::shell_quote(ATTN_PROGRAM);
  std::system(("cd " + gone + " && rmdir " + gone + " && ATTN_ASSETS=" + assets + " " + program +
               " run first-look --session a.attn-session 2>" + err)
                  .c_str());
  EXPECT_THAT(read_file(err), HasSubstr("the current folder is unknown at a.attn-session"));
}

}  // namespace
}  // namespace attn
