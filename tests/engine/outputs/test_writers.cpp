// SPDX-License-Identifier: GPL-3.0-or-later
// Writers that are killed, and several that write to one place: no part of an output is taken for a
// whole one, and outputs are not mixed. ATTN_KILLS is the number of kills of a test, 60 by default.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <system_error>
#include <thread>
#include <type_traits>

#include "engine/model/gguf/convert.h"
#include "tests/engine/outputs/output_support.h"

namespace attn {
namespace {

using test::export_report;
using test::run_of;
using test::SavedRun;
using test::TemporaryFolder;
using test::tree_of;
using test::write_bytes;
using Clock = std::chrono::steady_clock;
using Tree = std::map<std::string, std::string>;

int number_of_kills() {
  const char* asked = std::getenv("ATTN_KILLS");
  return asked ? std::max(1, std::atoi(asked)) : 60;
}

// What a writing process has done, seen by the test that kills it.
struct Progress {
  std::atomic<int> written = 0;       // outputs that are whole
  std::atomic<uint64_t> last_us = 0;  // what the last of them took
};

class SharedProgress {
 public:
  SharedProgress()
      : memory_(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    progress_ = new (memory_) Progress;
  }
  ~SharedProgress() { munmap(memory_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  Progress* operator->() const { return progress_; }

 private:
  void* memory_;
  Progress* progress_;
};

pid_t write_for_ever(const std::function<void(int turn)>& write, SharedProgress& progress) {
  progress->written = 0;
  const pid_t child = fork();
  if (child != 0) return child;
  for (int turn = 0;; ++turn) {
    const auto begin = Clock::now();
    write(turn);
    progress->last_us = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
    ++progress->written;
  }
}

// Starts `kills` processes that write the outputs of `one` and `two` by turns, kills each with
// SIGKILL or SIGTERM at a random moment of its first, second or third output, and calls check()
// after it. Every second process begins with `one`. The process tells when an output is whole, so
// that a slow machine kills as late as a fast one.
template <class Of>
void kill_at_random(const std::type_identity_t<std::function<void(const Of&)>>& write,
                    const Of& one, const Of& two, int kills,
                    const std::function<void(int)>& check) {
  write(one);
  SharedProgress progress;
  std::mt19937_64 random(17);
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    const pid_t child = write_for_ever(
        [&](int turn) { write((kill_number + turn) % 2 == 0 ? two : one); }, progress);
    ASSERT_GE(child, 0);
    int status = 0;
    const int whole = static_cast<int>(random() % 3);
    while (progress->written < whole && waitpid(child, &status, WNOHANG) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    ASSERT_GE(progress->written, whole) << "it ended by itself: " << status;
    std::this_thread::sleep_for(
        std::chrono::microseconds(random() % (progress->last_us.load() + 1)));
    kill(child, kill_number % 4 < 2 ? SIGKILL : SIGTERM);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    ASSERT_NO_FATAL_FAILURE(check(kill_number));
  }
}

std::string names_of(const Tree& tree) {
  std::string names;
  for (const auto& [name, bytes] : tree) names += name + " ";
  return names;
}

class Kills : public ::testing::Test {
 protected:
  Kills() {
    for (const SavedRun* run : {&one_, &two_}) {
      export_report(folder_.path() / "whole", *run);
      whole_.push_back(tree_of(folder_.path() / "whole"));
    }
    std::filesystem::remove_all(folder_.path() / "whole");
  }
  int which(const Tree& tree) const { return tree == whole_[0] ? 0 : tree == whole_[1] ? 1 : -1; }

  const TemporaryFolder folder_;
  const std::filesystem::path out_ = folder_.path() / "out";
  const SavedRun one_ = run_of(1), two_ = run_of(3);
  std::vector<Tree> whole_;
};

TEST_F(Kills, AReportIsTheOldOneOrTheNewOne) {
  int found[2] = {0, 0};
  kill_at_random([&](const SavedRun& run) { export_report(out_, run); }, one_, two_,
                 number_of_kills(),
                 [&](int number) {
                   const int run = which(tree_of(out_));
                   ASSERT_GE(run, 0) << number << ": " << names_of(tree_of(out_));
                   ++found[run];
                 });
  EXPECT_GT(found[0], 0);
  EXPECT_GT(found[1], 0);
  export_report(out_, one_);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Kills, AReportBesideOtherFilesIsWholeOrHasNoManifest) {
  std::filesystem::create_directory(out_);
  write_bytes(out_ / "notes.txt", "mine");
  int whole = 0;
  kill_at_random([&](const SavedRun& run) { export_report(out_, run, true); }, one_, two_,
                 number_of_kills(),
                 [&](int number) {
                   Tree tree = tree_of(out_);
                   ASSERT_EQ(tree["notes.txt"], "mine") << number;
                   tree.erase("notes.txt");
                   std::erase_if(tree, [](const auto& file) {
                     return file.first.find(".unfinished-") != std::string::npos;
                   });
                   if (!tree.contains("manifest.json")) return;
                   ASSERT_GE(which(tree), 0) << number << ": " << names_of(tree);
                   ++whole;
                 });
  EXPECT_GT(whole, 0);
  export_report(out_, one_, true);
  Tree expected = whole_[0];
  expected["notes.txt"] = "mine";
  EXPECT_EQ(tree_of(out_), expected);
}

TEST_F(Kills, ASessionIsTheOldOneOrTheNewOne) {
  const auto file = folder_.path() / "a.attn-session";
  two_.save(file);
  const std::string two = test::read_bytes(file);
  one_.save(file);
  const std::string one = test::read_bytes(file);
  kill_at_random([&](const SavedRun& run) { run.save(file); }, one_, two_, number_of_kills(),
                 [&](int number) {
                   const std::string bytes = test::read_bytes(file);
                   ASSERT_TRUE(bytes == one || bytes == two) << number << ": " << bytes.size();
                 });
  one_.save(file);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Kills, AGgufFileIsTheOldOneOrTheNewOne) {
  const auto from = folder_.path() / "from.gguf", to = folder_.path() / "to.gguf";
  std::filesystem::copy_file(ATTN_SOURCE_DIR "/tests/golden/gguf/llama.gguf", from);
  const std::string input = test::read_bytes(from);
  const WrittenType one = written_type("q8_0"), two = written_type("f16");
  std::vector<std::string> whole;
  for (const WrittenType& type : {one, two}) {
    convert_to_gguf(from, to, type);
    whole.push_back(test::read_bytes(to));
  }
  int found[2] = {0, 0};
  kill_at_random([&](const WrittenType& type) { convert_to_gguf(from, to, type); }, one, two,
                 number_of_kills(),
                 [&](int number) {
                   const std::string bytes = test::read_bytes(to);
                   ASSERT_TRUE(bytes == whole[0] || bytes == whole[1])
                       << number << ": " << bytes.size();
                   ++found[bytes == whole[1]];
                   ASSERT_EQ(test::read_bytes(from), input) << number;
                 });
  EXPECT_GT(found[0], 0);
  EXPECT_GT(found[1], 0);
  convert_to_gguf(from, to, one);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(Kills, AModelFolderIsWholeOrNotThere) {
  const auto from = folder_.path() / "from.gguf", to = folder_.path() / "to",
             done = folder_.path() / "done";
  std::filesystem::copy_file(ATTN_SOURCE_DIR "/tests/golden/gguf/llama.gguf", from);
  const std::string input = test::read_bytes(from);
  const WrittenType one = written_type("f32"), two = written_type("f16");
  std::vector<Tree> whole;
  for (const WrittenType& type : {one, two}) {
    convert_to_folder(from, to, type);
    whole.push_back(tree_of(to));
    std::filesystem::remove_all(to);
  }
  kill_at_random(
      [&](const WrittenType& type) {
        convert_to_folder(from, to, type);
        std::filesystem::remove_all(done);
        std::filesystem::rename(to, done);
      },
      one, two, number_of_kills(),
      [&](int number) {
        ASSERT_EQ(test::read_bytes(from), input) << number;
        if (!std::filesystem::exists(to)) return;
        const Tree tree = tree_of(to);
        ASSERT_TRUE(tree == whole[0] || tree == whole[1]) << number << ": " << names_of(tree);
        std::filesystem::remove_all(to);
      });
  convert_to_folder(from, to, one);
  EXPECT_EQ(tree_of(to), whole[0]);
  std::filesystem::remove_all(done);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(Kills, SeveralWritersNeverMixTheirRuns) {
  constexpr int kTurns = 12;
  const SavedRun three = run_of(2);
  export_report(folder_.path() / "whole", three);
  whole_.push_back(tree_of(folder_.path() / "whole"));
  std::filesystem::remove_all(folder_.path() / "whole");
  const SavedRun* const runs[] = {&one_, &two_, &three};
  std::vector<pid_t> writers;
  for (const SavedRun* run : runs) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int failed = 0;
      for (int turn = 0; turn < kTurns; ++turn)
        failed += !test::message_of([&] { export_report(out_, *run); }).empty();
      _exit(failed);
    }
    writers.push_back(child);
  }
  size_t running = writers.size();
  int looks = 0;
  while (running > 0) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended > 0) {
      EXPECT_EQ(status, 0);
      --running;
    }
    const Descriptor folder(::open(out_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder) continue;
    Tree tree;
    bool gone = false;
    const std::filesystem::path here = "/proc/self/fd/" + std::to_string(folder.get());
    for (const auto& [name, bytes] : whole_[1]) {
      gone = gone || !std::filesystem::exists(here / name);
      tree[name] = test::read_bytes(here / name);
    }
    if (gone || !std::filesystem::exists(here / "manifest.json")) continue;
    bool known = false;
    for (const Tree& whole : whole_) known = known || tree == whole;
    const bool going =
        std::ranges::any_of(tree, [](const auto& file) { return file.second.empty(); });
    EXPECT_TRUE(known || going) << names_of(tree);
    looks += known;
  }
  EXPECT_GT(looks, 0);
  const Tree last = tree_of(out_);
  EXPECT_TRUE(std::ranges::any_of(whole_, [&](const Tree& whole) { return whole == last; }));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

}  // namespace
}  // namespace attn
