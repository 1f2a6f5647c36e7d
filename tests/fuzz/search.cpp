// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/search.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

namespace fs = std::filesystem;

// At most so many changes of one input are run in a row. A target may keep what it found about its
// last input, such as the places of values.
constexpr int kChangesInARow = 64;
// At most so many changes are kept, one on top of the other, before the seed is changed again.
constexpr int kMostChain = 8;
constexpr size_t kMostBytes = size_t{1} << 20;  // the largest size of an input

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The input that is run now, in a mapped file, so that it is still there after a crash.
class CurrentInput {
 public:
  explicit CurrentInput(const fs::path& file)
      : fd_(::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    void* const at =
        fd_ < 0 || ::ftruncate(fd_, kMostBytes + 8) != 0
            ? MAP_FAILED
            : ::mmap(nullptr, kMostBytes + 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (at == MAP_FAILED) throw std::runtime_error("cannot write " + file.string());
    at_ = static_cast<char*>(at);
  }
  // Cuts the file to the bytes of the last input, so that fuzz_replay can read it. After a crash
  // this is not done: the file then has kMostBytes + 8 bytes, and the length of the input stands in
  // the last 8 of them.
  ~CurrentInput() {
    uint64_t size = 0;
    std::memcpy(&size, at_ + kMostBytes, 8);
    ::munmap(at_, kMostBytes + 8);
    (void)!::ftruncate(fd_, static_cast<off_t>(size));
    ::close(fd_);
  }
  CurrentInput(const CurrentInput&) = delete;
  CurrentInput& operator=(const CurrentInput&) = delete;

  void set(std::string_view bytes) {
    uint64_t before = 0;
    std::memcpy(&before, at_ + kMostBytes, 8);
    const uint64_t size = bytes.size();
    std::memcpy(at_, bytes.data(), size);
    if (before > size) std::memset(at_ + size, 0, before - size);
    std::memcpy(at_ + kMostBytes, &size, 8);
  }

 private:
  int fd_;
  char* at_ = nullptr;
};

// One seed, and the input that was made of it by a chain of changes.
struct Line {
  Seed seed;
  std::string now;
  int chain = 0;
  double seconds = 0;
};

class TargetSearch {
 public:
  TargetSearch(const Target& target, uint64_t seed, const fs::path& folder)
      : target_(target),
        random_(seed),
        folder_(folder),
        current_(folder / fmt::format("current-{}", target.name)) {
    for (Seed& each : target.seeds()) {
      if (!target.run(each.bytes))
        throw std::logic_error(fmt::format("{}: the seed {} is refused", target.name, each.name));
      std::string bytes = each.bytes;
      lines_.push_back({std::move(each), std::move(bytes)});
    }
  }

  // Runs up to kChangesInARow changes of the line that has had the least time. One of those
  // accepted may be the input that is changed next.
  void advance() {
    Line& line = *std::ranges::min_element(lines_, {}, &Line::seconds);
    const double begin = processor_seconds();
    std::string next;
    for (int i = 0; i < kChangesInARow; ++i) {
      std::string input = target_.change(line.now, random_);
      if (input.size() > kMostBytes) continue;
      if (run(input, line.seed.name) && below(random_, 8) == 0) next = std::move(input);
    }
    if (next.empty() || ++line.chain > kMostChain) {
      line.now = line.seed.bytes;
      line.chain = 0;
    } else {
      line.now = std::move(next);
    }
    const double took = processor_seconds() - begin;
    line.seconds += took;
    seconds_ += took;
  }

  double seconds() const { return seconds_; }
  uint64_t executions() const { return executions_; }
  uint64_t findings() const { return findings_; }
  void print() const {
    fmt::print("{:<13} {:>11} executions, {:>11} accepted, {:>7.0f} per second, {} findings\n",
               target_.name, executions_, accepted_,
               static_cast<double>(executions_) / std::max(seconds_, 1e-9), findings_);
    std::fflush(stdout);
  }

 private:
  bool run(const std::string& input, const std::string& seed) {
    ++executions_;
    current_.set(input);
    try {
      const bool accepted = target_.run(input);
      accepted_ += accepted ? 1 : 0;
      return accepted;
    } catch (const std::exception& error) {
      ++findings_;
      if (told_[error.what()]++ > 2) return false;
      const fs::path file = folder_ / fmt::format("finding-{}-{}", target_.name, executions_);
      test::write_bytes(file, input);
      fmt::print("FOUND {} in {}: {}\n  {}\n", target_.name, seed, error.what(), file.string());
      std::fflush(stdout);
    }
    return false;
  }

  const Target& target_;
  Random random_;
  fs::path folder_;
  CurrentInput current_;
  std::vector<Line> lines_;
  std::map<std::string, int> told_;
  uint64_t executions_ = 0, accepted_ = 0, findings_ = 0;
  double seconds_ = 0;
};

}  // namespace

int search(const std::vector<const Target*>& targets, double seconds, uint64_t seed,
           const fs::path& folder) {
  constexpr double kBetweenLines = 300;
  fs::create_directories(folder);
  std::vector<std::unique_ptr<TargetSearch>> searches;
  for (const Target* target : targets)
    searches.push_back(std::make_unique<TargetSearch>(*target, seed, folder));
  const double begin = processor_seconds();
  double told = begin, now = begin;
  const auto tell = [&] {
    uint64_t executions = 0, findings = 0;
    for (const auto& each : searches) {
      each->print();
      executions += each->executions();
      findings += each->findings();
    }
    fmt::print("search: {} executions, {} findings, {:.0f} s\n", executions, findings, now - begin);
    std::fflush(stdout);
    return findings;
  };
  while (now - begin < seconds) {
    (*std::ranges::min_element(searches, {}, [](const auto& each) {
      return each->seconds();
    }))->advance();
    now = processor_seconds();
    if (now - told < kBetweenLines) continue;
    told = now;
    tell();
  }
  return tell() == 0 ? 0 : 1;
}

}  // namespace attn::fuzz
