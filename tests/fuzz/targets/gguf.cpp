// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `gguf`: a GGUF file is read as a container and, where no problem is found, loaded
// as a model whose tokenizer is used.
#include <algorithm>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/model/files/gguf.h"
#include "engine/model/load_model.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

constexpr int64_t kMostModelMemory = int64_t{64} << 20;  // bytes

bool run_gguf(std::string_view bytes) {
  static ScratchFile input(scratch_folder() / "input.gguf");
  input.put(bytes);
  const std::filesystem::path& file = input.path();
  try {
    const GgufFile gguf = GgufFile::open(file);
    for (const GgufValue& value : gguf.metadata().values()) GgufMetadata::shown(value);
    for (const GgufTensor& tensor : gguf.tensors())
      if (tensor.type->is_read()) gguf.read(tensor);
    const ModelCheck check = check_model(file, kMostModelMemory);
    if (!check.problems.empty()) {
      check.problems.error();
      return true;  // the container is good
    }
    const std::unique_ptr<Model> model = load_model(file, {}, {}, 1);
    const std::vector<int32_t> ids = model->encode("ab a");
    model->decode(ids);
    for (const int32_t id : ids) model->token_text(id);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The files that gguf-py wrote.
std::vector<Seed> gguf_seeds() {
  std::vector<Seed> seeds;
  const auto folder = std::filesystem::path(ATTN_SOURCE_DIR) / "tests/golden/gguf";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".gguf")
      seeds.push_back({entry.path().stem().string(), test::read_bytes(entry.path())});
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

// Changes begin within the first kHeaderBytes bytes: in most seeds, most bytes after them are
// weights.
std::string change_gguf(std::string_view bytes, Random& random) {
  std::string changed(bytes);
  if (changed.empty()) return changed;
  constexpr size_t kHeaderBytes = 3000;
  const size_t at = below(random, std::min(changed.size(), kHeaderBytes));
  constexpr uint64_t kNumbers[] = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, ~uint64_t{0}, ~uint64_t{0} / 2};
  if (below(random, 2) == 0) {
    changed[at] = static_cast<char>(below(random, 256));
    return changed;
  }
  const uint64_t number = kNumbers[below(random, std::size(kNumbers))];
  const size_t size = below(random, 2) == 0 ? 4 : 8;
  for (size_t i = 0; i < size && at + i < changed.size(); ++i)
    changed[at + i] = static_cast<char>(number >> (8 * i));
  return changed;
}

}  // namespace

const Target kGgufTarget = {"gguf", run_gguf, change_gguf, gguf_seeds};

}  // namespace attn::fuzz
