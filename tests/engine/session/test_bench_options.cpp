// SPDX-License-Identifier: GPL-3.0-or-later
// `attn bench`: its rows and the filter of them, Python peers that fail or hang, files that cannot
// be written, and what it says of a busy machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/measure/busy_machine.h"
#include "tests/engine/session/attn_program.h"

namespace attn {
namespace {

using test::attn_program;
using test::ProgramResult;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<std::string> rows_of(const std::string& filter) {
  const ProgramResult result =
      attn_program({"bench", "--threads", "1", "--list", "--filter", filter});
  EXPECT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  return rows;
}

void expect_refused(const std::vector<std::string>& more, const std::string& words) {
  std::vector<std::string> all = {"bench", "--threads", "1", "--list"};
  all.insert(all.end(), more.begin(), more.end());
  const ProgramResult result = attn_program(all);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(words));
}

TEST(BenchOptions, EveryRowHasANameOfItsOwn) {
  std::vector<std::string> rows = rows_of(".");
  std::ranges::sort(rows);
  const auto twice = std::ranges::adjacent_find(rows);
  EXPECT_TRUE(twice == rows.end()) << *twice;
}

TEST(BenchOptions, FilterTakesAnExpression) {
  const std::vector<std::string> writes = rows_of("cache_write");
  ASSERT_GT(writes.size(), 3u);
  EXPECT_THAT(writes, testing::Each(HasSubstr("cache_write")));
  EXPECT_EQ(rows_of("^cache_write"), writes);
  EXPECT_EQ(rows_of("^cache_.*rite/.*/T1$"), writes);
  EXPECT_EQ(rows_of("^" + writes[1] + "$"), std::vector<std::string>{writes[1]});
  const std::vector<std::string> two = rows_of("^(" + writes[0] + "|" + writes[2] + ")$");
  EXPECT_EQ(two, (std::vector<std::string>{writes[0], writes[2]}));
  expect_refused({"--filter", "^write"}, "no benchmark matches");
  const std::string chunk = "prefill/unified/f32/causal/S512+1536/H8/KV8/D128/BS16/T1";
  EXPECT_EQ(rows_of(chunk), std::vector<std::string>{chunk});
  expect_refused({"--filter", ""}, "the value is empty at attn bench --filter");
  for (const char* broken : {"(", "a)(", "[z-a]", "[", "a\\"})
    expect_refused({"--filter", broken}, "the expression is not understood: ");
  expect_refused({"--filter", "a", "--filter", "b"}, "option given twice at attn bench --filter");
  expect_refused({"--json", ""}, "the value is empty at attn bench --json");
  expect_refused({"--filter"}, "the value is missing at attn bench --filter");
}

// A backtracking matcher could run without end or crash.
TEST(BenchOptions, NoFilterTakesForEver) {
  const auto repeated = [](const std::string& part, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += part;
    return all;
  };
  expect_refused({"--filter", repeated(".*a", 50)}, "no benchmark matches");
  expect_refused({"--filter", repeated("((a*)*)*", 16) + "!"}, "no benchmark matches");
  expect_refused({"--filter", "(((" + repeated("a*", 46) + ")+)+)+!"}, "no benchmark matches");
  expect_refused({"--filter", "(((" + repeated("a|", 2450) + "b)+)+)+!"}, "no benchmark matches");
  expect_refused({"--filter", repeated("a*", 51)}, "repeats too much");
  expect_refused({"--filter", "1" + std::string(40, '+')}, "repeats a repetition");
  expect_refused({"--filter", std::string(5001, 'a')}, "the expression is too long");
  expect_refused({"--filter", "((((1)+)+)+)+"}, "nested too deeply");
  expect_refused({"--filter", "(a{1,200}){1,200}"}, "counts repetitions");
  expect_refused({"--filter", "(a*)\\1"}, "refers back");
  EXPECT_GT(rows_of("prefill[{]?[\\1]?[]*+(?]?/").size(), 10u);  // plain characters, in brackets
}

TEST(BenchProgram, AMissingProgramIsNamedWithItsPlaceAndItsRemedy) {
  const test::TemporaryFolder folder;
  const fs::path alone = folder.path() / "attn";
  fs::copy_file(ATTN_PROGRAM, alone);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"bench"}, {"bench", "--list"}, {"bench", "--threads", "1", "--list"}}) {
    const ProgramResult result = attn_program(words, "", alone.string());
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "attn: the program attn-bench, which `attn bench` starts, is missing: it was looked "
              "for in " +
                  fs::canonical(folder.path()).string() +
                  ", and `./workbench build --all` in the folder of the sources makes it in "
                  "build/release/bin\n");
  }
}

class BenchPeers : public testing::Test {
 protected:
  std::string script(const char* name, const std::string& text, bool executable = true) const {
    const fs::path file = folder_.path() / name;
    std::ofstream(file) << text;
    fs::permissions(file, executable ? fs::perms::owner_all : fs::perms::owner_read);
    return file;
  }
  test::TemporaryFolder folder_;
};

TEST_F(BenchPeers, APythonThatCannotRunIsBadInputWithItsPath) {
  const auto refuse = [](const std::string& python, const std::string& found) {
    expect_refused({"--peer-python", python}, found);
    if (!python.empty()) expect_refused({"--peer-python", python}, "`" + python + "`");
  };
  const std::string none = folder_.path() / "python";
  refuse(none, "no such file");
  refuse(folder_.path(), "a folder");
  refuse("no-such-python-anywhere", "no such program in PATH");
  refuse("", "the value is empty at attn bench --peer-python");
  refuse(script("plain", "#!/bin/sh\n", false), "cannot be executed");
  refuse(script("garbage", "\x7f garbage"), "Exec format error");
  refuse(script("ends", "#!/bin/sh\nexit 0\n"), "ended without an answer");
  refuse(script("talks", "#!/bin/sh\necho hello\n"), "does not run attention_peer.py");
  const std::string sleeps = script("sleeps", "#!/bin/sh\nsleep 1000\n");
  expect_refused({"--peer-python", sleeps, "--peer-timeout", "1"}, "no answer within 1 s");
  expect_refused({"--peer-timeout", "0"}, "1 to 3600");
}

TEST(BenchOutputs, ABusyMachineIsTold) {
  bench::BusyMachine idle(1.9, 2);
  idle.add_limit("reading, threads 1", 12);
  idle.add_limit("reading, threads 1", 9);  // 25% less than 12: no warning
  idle.add_limit("reading, threads 2", 4);  // not compared with the limit for 1 thread
  EXPECT_EQ(idle.words(), "");
  idle.add_limit("reading, threads 1", 7.5);
  EXPECT_THAT(idle.words(),
              HasSubstr("the limit of reading, threads 1 was 7.5 in one row and 12 in another"));
  EXPECT_THAT(idle.words(), HasSubstr("not reliable"));
  EXPECT_EQ(bench::BusyMachine(std::nullopt, 2).words(), "");
  const std::string loaded = bench::BusyMachine(17.7, 2).words();
  EXPECT_THAT(loaded, HasSubstr("was 17.7 on 2 processors"));
  EXPECT_THAT(loaded, testing::Not(HasSubstr("the limit of")));
}

TEST(BenchOutputs, WhatCannotBeWrittenIsTold) {
  for (const char* option : {"--help", "--list"}) {
    const ProgramResult result = attn_program({"bench", option}, ">/dev/full");
    EXPECT_EQ(result.code, 1) << option;
    EXPECT_THAT(result.err, HasSubstr("attn: cannot write the output: No space left on device"));
  }
  expect_refused({"--json", std::string(300, 'n')}, "the name of an output is too long at --json");
  expect_refused({"--json", "/dev/full"}, "an output file can only replace an ordinary file");
}

TEST_F(BenchPeers, TheRowsDoNotReplaceTheScript) {
  const std::string file = script("peer.py", "mine");
  expect_refused({"--peer-script", file, "--json", file},
                 "--json and --peer-script name the same file");
  EXPECT_EQ(test::read_file(file), "mine");
}

TEST_F(BenchPeers, APeerThatHangsIsStopped) {
  const std::string hangs =
      script("hangs", "#!/bin/sh\necho '{\"torch\": \"0\"}'\nread line\nsleep 1000\n");
  const std::string json = folder_.path() / "rows.json";
  const ProgramResult result = attn_program(
      {"bench", "--threads", "1", "--min-time", "0", "--filter", "^prefill/.*torch/.*S512/.*/T1$",
       "--peer-python", hangs, "--peer-timeout", "1", "--json", json});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("torch gave no answer within 1 s; the peers were stopped"));
  EXPECT_THAT(test::read_file(json),
              HasSubstr("torch gave no answer within 1 s; the peers were stopped"));
  const ProgramResult ended =
      attn_program({"bench", "--threads", "1", "--min-time", "0", "--filter",
                    "^prefill/peer_torch/.*S512/.*/T1$", "--peer-python",
                    script("dies", "#!/bin/sh\necho '{\"torch\": \"0\"}'\nread line\n")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, testing::Not(HasSubstr("Library was built as DEBUG")));
  EXPECT_THAT(ended.out + ended.err,
              HasSubstr("the script of the peers ended while torch was asked"));
}

}  // namespace
}  // namespace attn
