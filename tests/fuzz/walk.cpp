// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/walk.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>

#include "tests/engine/session/session_support.h"
#include "tests/fuzz/session_seeds.h"
#include "tests/fuzz/session_values.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

struct Plan {
  uint64_t files = 10000, seed = 1, chain = 3;
  std::filesystem::path keep;
};

struct Tally {
  uint64_t tried = 0, accepted = 0, findings = 0;
};

class Walker {
 public:
  Walker(const Plan& plan, const std::filesystem::path& folder, const UseFile& use)
      : plan_(plan),
        use_(use),
        file_(folder / "changed.attn-session"),
        scratch_(folder / "again.attn-session") {}

  // Walks from one seed. Returns how many files were tried, accepted, and ended with an exception.
  Tally walk(const SessionSeed& seed, uint64_t files, Random& random) {
    Tally tally;
    uint64_t links = 0;
    auto changer = std::make_unique<SessionChanger>(seed.bytes, scratch_);
    if (!changer->is_accepted()) throw std::logic_error("the seed " + seed.name + " is refused");
    while (tally.tried < files) {
      if (links >= plan_.chain) {
        links = 0;
        changer = std::make_unique<SessionChanger>(seed.bytes, scratch_);
      }
      const SessionChanger::Change change = changer->change(random);
      if (!try_file(change, seed.name, tally) || below(random, 4) != 0) continue;
      changer = std::make_unique<SessionChanger>(change.bytes, scratch_);
      ++links;
    }
    return tally;
  }

 private:
  bool try_file(const SessionChanger::Change& change, const std::string& seed, Tally& tally) {
    ++tally.tried;
    test::write_bytes(file_, change.bytes);
    try {
      const bool accepted = use_(file_);
      tally.accepted += accepted ? 1 : 0;
      return accepted;
    } catch (const std::exception& error) {
      found(change, seed, tally, error.what());
    }
    return false;
  }
  // Prints and keeps no more than three findings with the same message.
  void found(const SessionChanger::Change& change, const std::string& seed, Tally& tally,
             const std::string& what) {
    ++tally.findings;
    if (kept_[what]++ > 2) return;
    const auto copy = plan_.keep / fmt::format("finding-{}-{}.attn-session", seed, tally.tried);
    if (!plan_.keep.empty()) test::write_bytes(copy, change.bytes);
    fmt::print("FOUND in {}: {}\n  changed: {}\n  {}\n", seed, what, change.what, copy.string());
    std::fflush(stdout);
  }

  const Plan& plan_;
  const UseFile& use_;
  std::filesystem::path file_, scratch_;
  std::map<std::string, int> kept_;
};

int walk_seeds(const Plan& plan, const UseFile& use) {
  const test::TemporaryFolder own;
  const std::filesystem::path folder = plan.keep.empty() ? own.path() : plan.keep;
  std::filesystem::create_directories(folder);
  Walker walker(plan, folder, use);
  Random random(plan.seed);
  const std::vector<SessionSeed> seeds = session_seeds();
  Tally all;
  for (const SessionSeed& seed : seeds) {
    const Tally tally = walker.walk(seed, plan.files / seeds.size(), random);
    fmt::print("{:<24} {:>6} bytes, {:>8} files, {:>8} accepted, {} findings\n", seed.name,
               seed.bytes.size(), tally.tried, tally.accepted, tally.findings);
    std::fflush(stdout);
    all.tried += tally.tried;
    all.accepted += tally.accepted;
    all.findings += tally.findings;
  }
  fmt::print("walker: {} files, {} accepted, {} findings\n", all.tried, all.accepted, all.findings);
  return all.findings == 0 ? 0 : 1;
}

}  // namespace

int walk(int argc, char** argv, const UseFile& use) {
  Plan plan;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--files") plan.files = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--seed") plan.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--chain") plan.chain = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--keep") plan.keep = argv[i + 1];
  }
  return walk_seeds(plan, use);
}

}  // namespace attn::fuzz
