// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets/targets.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/target_list.h"

namespace attn::fuzz {

std::span<const Target> targets() {
  static const std::array<Target, 8> kTargets = {
      kSessionTarget,     kSafetensorsTarget, kWeightIndexTarget, kNpyTarget,
      kModelFolderTarget, kScenarioTarget,    kLessonTarget,      kGgufTarget};
  return kTargets;
}

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

const std::filesystem::path& scratch_folder() {
  // A folder in memory if there is one, because every input is written at least once.
  static const test::TemporaryFolder folder(std::filesystem::is_directory("/dev/shm") ? "/dev/shm"
                                                                                      : "/tmp");
  return folder.path();
}

}  // namespace attn::fuzz
