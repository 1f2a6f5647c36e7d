// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets/targets.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/target_list.h"

namespace attn::fuzz {

std::span<const Target> targets() {
  static const std::array<Target, 10> kTargets = {
      kSessionTarget,       kSafetensorsTarget, kWeightIndexTarget, kNpyTarget,
      kModelFolderTarget,   kScenarioTarget,    kLessonTarget,      kGgufTarget,
      kSentencePieceTarget, kTextsTarget};
  return kTargets;
}

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

const std::filesystem::path& scratch_folder() {
  // A folder in memory if there is one, because inputs of most targets are written to files.
  static const test::TemporaryFolder folder(std::filesystem::is_directory("/dev/shm") ? "/dev/shm"
                                                                                      : "/tmp");
  return folder.path();
}

ScratchFile::~ScratchFile() {
  if (fd_ >= 0) ::close(fd_);
}

void ScratchFile::put(std::string_view bytes) {
  if (fd_ < 0) fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const size_t most = std::min(bytes.size(), bytes_.size());
  const auto first = static_cast<size_t>(
      std::mismatch(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(most), bytes_.begin())
          .first -
      bytes.begin());
  size_t last = bytes.size();
  if (bytes.size() == bytes_.size())
    while (last > first && bytes[last - 1] == bytes_[last - 1]) --last;
  const auto size = static_cast<ssize_t>(last - first);
  if (fd_ < 0 ||
      (size > 0 &&
       ::pwrite(fd_, bytes.data() + first, last - first, static_cast<off_t>(first)) != size) ||
      (bytes.size() < bytes_.size() && ::ftruncate(fd_, static_cast<off_t>(bytes.size())) != 0))
    throw std::runtime_error("cannot write " + path_.string());
  bytes_.assign(bytes);
}

void ScratchFile::remove() {
  if (fd_ < 0) return;
  ::close(std::exchange(fd_, -1));
  bytes_.clear();
  std::filesystem::remove(path_);
}

bool is_one_of(std::string_view bytes, uint64_t count) {
  return XXH64(bytes.data(), bytes.size(), 17) % count == 0;
}

}  // namespace attn::fuzz
