// SPDX-License-Identifier: GPL-3.0-or-later
// The program fuzz_replay, which runs the fuzz targets without libFuzzer, for any compiler.
//
//   fuzz_replay write TARGET FOLDER   writes the seeds of the target to FOLDER
//   fuzz_replay seeds [CHANGES]       runs the seeds of all targets, and CHANGES changes of each
//   fuzz_replay TARGET FILE...        runs files, and all files of folders
//   fuzz_replay search SECONDS SEED FOLDER [TARGET...]
//                                     runs random changes of the seeds; keeps findings in FOLDER
//                                     (search.h)
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/fuzz/search.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

namespace fs = std::filesystem;

void write_seeds(const Target& target, const fs::path& folder) {
  fs::create_directories(folder);
  for (const Seed& seed : target.seeds()) test::write_bytes(folder / seed.name, seed.bytes);
}

void run_seeds(uint64_t changes) {
  for (const Target& target : targets()) {
    Random random(1);
    uint64_t count = 0;
    for (const Seed& seed : target.seeds()) {
      if (!target.run(seed.bytes))
        throw std::logic_error(fmt::format("{}: the seed {} is refused", target.name, seed.name));
      for (uint64_t i = 0; i < changes; ++i) target.run(target.change(seed.bytes, random));
      count += 1 + changes;
    }
    fmt::print("{}: {} inputs\n", target.name, count);
  }
}

void run_files(const Target& target, const fs::path& path) {
  if (!fs::is_directory(path)) {
    fmt::print("{}: {}\n", path.string(), target.run(test::read_bytes(path)) ? "taken" : "refused");
    return;
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) target.run(test::read_bytes(entry.path()));
}

int main(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "write" && words.size() == 3 && find_target(words[1])) {
    write_seeds(*find_target(words[1]), words[2]);
  } else if (what == "seeds") {
    run_seeds(words.size() > 1 ? std::strtoull(words[1].c_str(), nullptr, 10) : 0);
  } else if (what == "search" && words.size() >= 4) {
    std::vector<const Target*> wanted;
    for (size_t i = 4; i < words.size(); ++i)
      if (!wanted.emplace_back(find_target(words[i])))
        throw std::logic_error("there is no target " + words[i]);
    if (wanted.empty())
      for (const Target& target : targets()) wanted.push_back(&target);
    return search(wanted, std::strtod(words[1].c_str(), nullptr),
                  std::strtoull(words[2].c_str(), nullptr, 10), words[3]);
  } else if (const Target* target = find_target(what)) {
    for (size_t i = 1; i < words.size(); ++i) run_files(*target, words[i]);
  } else {
    fmt::print(
        "Usage: fuzz_replay write TARGET FOLDER | seeds [CHANGES] | TARGET FILE... |\n"
        "       search SECONDS SEED FOLDER [TARGET...]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace attn::fuzz

int main(int argc, char** argv) {
  return attn::fuzz::main({argv + 1, argv + argc});
}
