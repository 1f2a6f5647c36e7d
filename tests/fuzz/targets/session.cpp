// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "engine/core/error.h"
#include "tests/fuzz/behind_session.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/session_seeds.h"
#include "tests/fuzz/session_values.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

bool run_session(std::string_view bytes) {
  register_all_backends();
  static ScratchFile input(scratch_folder() / "input.attn-session");
  input.put(bytes);
  std::optional<Session> session;
  try {
    session = load_session(input.path());
  } catch (const Error&) {
    return false;
  }
  use_session(*session, scratch_folder() / "again.attn-session");
  return true;
}

// Whether the file has all its chunks, so that it can be taken apart.
bool has_chunks(std::string_view bytes) {
  if (bytes.size() < kSessionHeaderBytes || !bytes.starts_with(kSessionMagic)) return false;
  const uint64_t count = test::number_in(bytes, 12, 4);
  if (count < single_chunks(test::number_in(bytes, 8, 4)) ||
      count > (bytes.size() - kSessionHeaderBytes) / kSessionEntryBytes)
    return false;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = kSessionHeaderBytes + i * kSessionEntryBytes;
    const uint64_t offset = test::number_in(bytes, at + 8, 8),
                   size = test::number_in(bytes, at + 16, 8);
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
  }
  return true;
}

std::string change_bytes(std::string_view bytes, Random& random) {
  test::Chunks chunks(bytes);
  std::string& part = chunks.parts[below(random, chunks.parts.size())].second;
  if (part.empty()) return chunks.whole();
  const size_t at = below(random, part.size()),
               size = 1 + below(random, std::min<size_t>(32, part.size() - at));
  switch (below(random, 3)) {
    case 0:
      part[at] = static_cast<char>(random());
      break;
    case 1:
      part.erase(at, size);
      break;
    default:
      part.insert(at, part.substr(at, size));
  }
  return chunks.whole();
}

// Changes a byte of the header or of the chunk table and renews their checksum; or writes the file
// with the number of some version.
std::string change_container(std::string_view bytes, Random& random) {
  if (below(random, 2) == 0) {
    test::Chunks chunks(bytes);
    chunks.version = 1 + below(random, kSessionVersion);
    return chunks.whole();
  }
  std::string changed(bytes);
  const size_t end = kSessionHeaderBytes + test::number_in(bytes, 12, 4) * kSessionEntryBytes;
  changed[8 + below(random, end - 8)] = static_cast<char>(random());
  test::seal_table(changed);
  return changed;
}

std::string change_session(std::string_view bytes, Random& random) {
  if (!has_chunks(bytes)) return std::string(bytes);
  if (below(random, 16) == 0) return change_container(bytes, random);
  if (below(random, 3) == 0) return change_bytes(bytes, random);
  // Kept between calls, because finding the values means loading the file.
  static std::string changed_last;
  static std::unique_ptr<SessionChanger> changer;
  if (!changer || changed_last != bytes) {
    // The offsets of the values are those of a file without holes.
    const std::string whole = test::Chunks(bytes).whole();
    changer = std::make_unique<SessionChanger>(whole, scratch_folder() / "values.attn-session");
    changed_last = bytes;
  }
  return changer->change(random).bytes;
}

std::vector<Seed> session_seed_list() {
  std::vector<Seed> list;
  for (SessionSeed& seed : session_seeds())
    list.push_back({std::move(seed.name), std::move(seed.bytes)});
  return list;
}

}  // namespace

const Target kSessionTarget = {"session", run_session, change_session, session_seed_list};

}  // namespace attn::fuzz
