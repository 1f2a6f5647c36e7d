// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/output_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "engine/core/error.h"

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

}  // namespace
}  // namespace attn
