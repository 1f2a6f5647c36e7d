// SPDX-License-Identifier: GPL-3.0-or-later
// Each call with which an output is written is refused in turn, and the disk becomes full after
// various numbers of bytes: the old output or the new one is there, whole, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <numeric>

#include "engine/lesson/results/result.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/gguf/convert.h"
#include "engine/model/gguf/gguf_writer.h"
#include "engine/session/page/run_page.h"
#include "tests/engine/outputs/output_support.h"
#include "tests/support/tensor_files.h"

namespace attn {
namespace {

using test::export_report;
using test::message_of;
using test::NoWriteFaults;
using test::run_of;
using test::SavedRun;
using test::TemporaryFolder;
using test::tree_of;
using test::write_bytes;
using test::write_faults;
using Tree = std::map<std::string, std::string>;

void save_tensors(const std::filesystem::path& file, int64_t rows) {
  Tensor tensor(DType::kF32, {rows, 256});
  std::iota(tensor.data<float>(), tensor.data<float>() + tensor.size(), 0.0f);
  write_safetensors(file, {{"a", &tensor}, {"b", &tensor}}, {});
}

void save_gguf(const std::filesystem::path& file, int64_t rows) {
  GgufWriter writer;
  writer.text("general.name", "random");
  writer.tensor("a", {rows, 256}, written_type("q8_0"), [rows] {
    return test::random_tensor({rows, 256}, 1);
  });
  writer.write(file, [](double) { return true; });
}

// A kind of output. `prepare` fills the folder before the first write.
struct OutputCase {
  const char* name;
  std::function<void(const std::filesystem::path& folder, const SavedRun& run)> write;
  std::function<void(const std::filesystem::path& folder)> prepare = nullptr;
};

int64_t size_for(const SavedRun& run) {
  return static_cast<int64_t>(run.snapshot->steps->size());
}

void PrintTo(const OutputCase& output, std::ostream* out) {
  *out << output.name;
}

const OutputCase kOutputs[] = {
    {"table",
     [](const auto& folder, const SavedRun& run) {
       write_file_atomically(folder / "a.csv", requests_csv(*run.snapshot));
     }},
    {"tensors", [](const auto& folder,
                   const SavedRun& run) { save_tensors(folder / "a.safetensors", size_for(run)); }},
    {"gguf",
     [](const auto& folder, const SavedRun& run) { save_gguf(folder / "a.gguf", size_for(run)); }},
    {"session",
     [](const auto& folder, const SavedRun& run) { run.save(folder / "a.attn-session"); }},
    {"page",
     [](const auto& folder, const SavedRun& run) {
       write_file_atomically(folder / "a.html", run_page_html({.snapshot = run.snapshot.get()}));
     }},
    {"results_of_a_lesson",
     [](const auto& folder, const SavedRun& run) {
       lesson::ResultRecord record;
       record.participant = "Anna";
       record.tries = size_for(run);
       write_file_atomically(folder / "anna.csv", lesson::results_csv(std::vector(40, record)));
     }},
    {"class_table",
     [](const auto& folder, const SavedRun& run) {
       lesson::ClassTable table;
       table.tasks.resize(40);
       for (auto& task : table.tasks) task.answers = size_for(run);
       write_file_atomically(folder / "class.csv", lesson::class_csv(table));
     }},
    {"report", [](const auto& folder, const SavedRun& run) { export_report(folder / "out", run); }},
    {"report_beside_others",
     [](const auto& folder, const SavedRun& run) { export_report(folder / "out", run, true); },
     [](const auto& folder) {
       std::filesystem::create_directory(folder / "out");
       write_bytes(folder / "out" / "notes.txt", "mine");
     }},
};

class Faults : public ::testing::TestWithParam<OutputCase> {
 protected:
  Faults() {
    if (GetParam().prepare) GetParam().prepare(folder_.path());
    write(two_);
    new_ = tree_of(folder_.path());
    write(one_);
    old_ = tree_of(folder_.path());
  }
  void write(const SavedRun& run) { GetParam().write(folder_.path(), run); }
  void check(const std::string& message, const std::string& what) {
    const Tree tree = tree_of(folder_.path());
    ASSERT_TRUE(tree == (message.empty() ? new_ : old_)) << what << ": " << message;
  }

  const NoWriteFaults end_;
  const TemporaryFolder folder_;
  const SavedRun one_ = run_of(1), two_ = run_of(3);
  Tree old_, new_;
};

TEST_P(Faults, EveryCallInTurnIsRefused) {
  ASSERT_NE(old_, new_);
  for (const bool no_nameless_files : {false, true})
    for (const int error : {EIO, ENOSPC}) {
      int refused = 0, at = 0;
      do {
        write_faults = {.fail_at = at, .error = error, .no_nameless_files = no_nameless_files};
        const std::string message = message_of([&] { write(two_); });
        const bool came = write_faults.calls > at;
        write_faults = {};
        check(message, "call " + std::to_string(at));
        if (!message.empty()) {
          ++refused;
          EXPECT_THAT(message, testing::HasSubstr(std::strerror(error)));
          EXPECT_THAT(message, testing::HasSubstr(folder_.path().string()));
          EXPECT_THAT(message, testing::Not(testing::HasSubstr("unfinished")));
        }
        write(one_);
        if (!came) break;
        ++at;
      } while (true);
      EXPECT_GT(refused, 2);
    }
}

TEST_P(Faults, TheDiskBecomesFullAfterEveryNumberOfBytes) {
  int64_t all = 0;
  write_faults.bytes_left = int64_t{1} << 40;
  write(two_);
  all = (int64_t{1} << 40) - write_faults.bytes_left;
  write_faults = {};
  write(one_);
  const int64_t step = std::max<int64_t>(1, all / 97);
  for (int64_t bytes = 0; bytes < all; bytes += step) {
    write_faults = {.bytes_left = bytes};
    const std::string message = message_of([&] { write(two_); });
    write_faults = {};
    ASSERT_THAT(message, testing::HasSubstr(std::strerror(ENOSPC))) << bytes;
    check(message, std::to_string(bytes) + " bytes");
  }
}

INSTANTIATE_TEST_SUITE_P(Outputs, Faults, testing::ValuesIn(kOutputs),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(FaultsOfModels, EveryCallInTurnIsRefused) {
  const NoWriteFaults end;
  const TemporaryFolder folder;
  const std::filesystem::path to = folder.path() / "model",
                              from = ATTN_SOURCE_DIR "/tests/golden/gguf/llama.gguf";
  int at = 0, refused = 0;
  for (bool came = true; came; ++at) {
    write_faults = {.fail_at = at, .error = EIO};
    const std::string message =
        message_of([&] { convert_to_folder(from, to, written_type("f32")); });
    came = write_faults.calls > at;
    write_faults = {};
    if (!message.empty()) ++refused;
    EXPECT_EQ(std::filesystem::exists(to), message.empty()) << at << ": " << message;
    std::filesystem::remove_all(to);
  }
  EXPECT_GT(refused, 6);
}

TEST(FullDisk, ARealDiskOfEverySize) {
  const TemporaryFolder folder;
  const SavedRun one = run_of(1), two = run_of(3);
  export_report(folder.path() / "expected", two);
  const Tree expected = tree_of(folder.path() / "expected");
  constexpr int kNotAllowed = 77, kWrong = 1;
  const auto on_disk = [&](const std::filesystem::path& disk) {
    int refused = 0, written = 0;
    for (int pages = 1; written < 2 && pages < 400; pages += 3) {
      const std::string size = "size=" + std::to_string(pages * 4096);
      if (mount("tmpfs", disk.c_str(), "tmpfs", 0, size.c_str()) != 0) return kNotAllowed;
      const std::string first = message_of([&] { export_report(disk / "out", one); });
      const Tree old = tree_of(disk);
      const std::string second = message_of([&] { export_report(disk / "out", two); });
      const bool is_whole =
          second.empty() ? tree_of(disk / "out") == expected : tree_of(disk) == old;
      if (!is_whole || (!first.empty() && !old.empty())) return kWrong;
      second.empty() ? ++written : ++refused;
      if (umount(disk.c_str()) != 0) return kWrong;
    }
    return refused > 2 && written == 2 ? 0 : kWrong;
  };
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool allowed =
        unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    std::filesystem::create_directory(folder.path() / "disk");
    _exit(allowed ? on_disk(folder.path() / "disk") : kNotAllowed);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  if (WEXITSTATUS(status) == kNotAllowed)
    GTEST_SKIP() << "this user may not mount a file system (root may)";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace attn
