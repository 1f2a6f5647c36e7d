// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/core/error.h"
#include "engine/core/files/paths.h"
#include "engine/core/files/whole_file.h"

namespace attn {
namespace {

class OutputFile : public ::testing::Test {
 protected:
  OutputFile() {
    std::string name = (std::filesystem::temp_directory_path() / "attn-output.XXXXXX").string();
    folder_ = std::filesystem::canonical(mkdtemp(name.data()));
  }
  ~OutputFile() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(OutputFile, NewAndOldFilesAreTheirOwnPlace) {
  EXPECT_EQ(output_file(folder_ / "new"), folder_ / "new");
  std::ofstream(folder_ / "old") << "x";
  EXPECT_EQ(output_file(folder_ / "old"), folder_ / "old");
}

TEST_F(OutputFile, ALinkLeadsToItsFile) {
  std::ofstream(folder_ / "old") << "x";
  std::filesystem::create_symlink("old", folder_ / "link");
  EXPECT_EQ(output_file(folder_ / "link"), folder_ / "old");
  std::filesystem::create_symlink("not-yet", folder_ / "early");
  EXPECT_EQ(output_file(folder_ / "early"), folder_ / "not-yet");
  std::filesystem::create_symlink("round", folder_ / "round");
  EXPECT_THROW(output_file(folder_ / "round"), Error);
}

TEST_F(OutputFile, NothingButAFileIsReplaced) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", folder_ / "link");
  for (const std::filesystem::path& file :
       {pipe, folder_ / "link", std::filesystem::path("/dev/null")}) {
    try {
      output_file(file);
      FAIL() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    }
  }
}

TEST_F(OutputFile, ItsPlaceIsTriedBeforehand) {
  EXPECT_NO_THROW(check_output_place("--out", folder_ / "new"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  const auto code = [](const std::filesystem::path& file) {
    try {
      check_output_place("--out", file);
    } catch (const Error& error) {
      return error.exit_code();
    }
    return 0;
  };
  EXPECT_EQ(code(folder_), 2);
  EXPECT_EQ(code(folder_ / "no" / "new"), 1);
  EXPECT_EQ(code("/proc/new"), 1);
}

TEST_F(OutputFile, APathThatIsTooLongIsRefusedForItsLength) {
  std::filesystem::path file = folder_;
  while (file.native().size() < PATH_MAX) file /= std::string(100, 'n');
  const std::filesystem::path relative = file.lexically_relative(folder_);
  for (const auto& check : {check_output_place, make_folder_of})
    for (const std::filesystem::path& path : {file, relative}) {
      try {
        check("--out", path);
        FAIL() << path;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadInput);
        EXPECT_THAT(error.what(), testing::HasSubstr("the name of an output is too long at --out"));
      }
    }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(OutputFile, AFolderThatTakesNoFilesIsNamed) {
  try {
    write_file_atomically("/proc/run.attn-session", "x");
    FAIL() << "it was written";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("/proc/run.attn-session"), text.npos) << text;
    EXPECT_EQ(text.find("temporarily"), text.npos) << text;
    EXPECT_NE(text.find("Choose a folder in which you may write"), text.npos) << text;
  }
}

TEST_F(OutputFile, WhatStandsAtAPathIsSaid) {
  std::ofstream(folder_ / "file") << "x";
  std::filesystem::create_symlink("nowhere", folder_ / "dangling");
  std::filesystem::create_symlink("round", folder_ / "round");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const auto at = [&](const char* name) { return found_at(folder_ / name); };
  EXPECT_EQ(at("file"), "a file");
  EXPECT_EQ(at("."), "a folder");
  EXPECT_EQ(at("pipe"), "a pipe");
  EXPECT_EQ(at("none"), "nothing there");
  EXPECT_EQ(at("file/none"), "nothing there");
  EXPECT_EQ(at("dangling"), "a symbolic link that leads nowhere");
  EXPECT_EQ(at("round"), "symbolic links that lead in a circle");
  EXPECT_EQ(found_at("/dev/null"), "a device");
  EXPECT_TRUE(has_entry(folder_ / "dangling") && has_entry(folder_ / "round"));
  EXPECT_FALSE(has_entry(folder_ / "none") || has_entry(folder_ / "file/none"));
  EXPECT_EQ(why_no_folder(folder_), "");
  EXPECT_EQ(why_no_folder(folder_ / "file"), "a file");
}

TEST_F(OutputFile, FortyLinksAreFollowedAndNoMore) {
  std::ofstream(folder_ / "0") << "x";
  for (int i = 1; i <= 41; ++i)
    std::filesystem::create_symlink(std::to_string(i - 1), folder_ / std::to_string(i));
  EXPECT_EQ(output_file(folder_ / "40"), folder_ / "0");
  EXPECT_THROW(output_file(folder_ / "41"), Error);
}

TEST_F(OutputFile, WhatMayNotBeReadIsSaid) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  std::ofstream(folder_ / "file") << "x";
  std::filesystem::permissions(folder_ / "file", std::filesystem::perms::none);
  EXPECT_EQ(found_at(folder_ / "file"), "no permission to read it");
  EXPECT_TRUE(is_forbidden(folder_ / "file"));
  std::filesystem::create_directory(folder_ / "closed");
  std::filesystem::permissions(folder_ / "closed", std::filesystem::perms::none);
  EXPECT_EQ(why_no_folder(folder_ / "closed"), "no permission to enter it");
  EXPECT_EQ(found_at(folder_ / "closed/file"), "no permission to read it");
  EXPECT_TRUE(has_entry(folder_ / "closed/file"));
  EXPECT_THROW(check_output_place("--out", folder_ / "closed/new"), Error);
  std::filesystem::permissions(folder_ / "closed", std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace attn
