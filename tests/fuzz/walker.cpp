// SPDX-License-Identifier: GPL-3.0-or-later
// The walker (walk.h) that uses each session file as the programs do without a window
// (behind_session.h).
#include <optional>

#include "engine/core/error.h"
#include "tests/fuzz/behind_session.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/walk.h"

int main(int argc, char** argv) {
  using namespace attn;
  return fuzz::walk(argc, argv, [](const std::filesystem::path& file) {
    std::optional<Session> session;
    try {
      session = load_session(file);
    } catch (const Error&) {
      return false;
    }
    fuzz::use_session(*session, fuzz::scratch_folder() / "again.attn-session");
    return true;
  });
}
