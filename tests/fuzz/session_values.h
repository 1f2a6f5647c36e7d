// SPDX-License-Identifier: GPL-3.0-or-later
// Changes session files so that they stay well formed: one value, or one value of a JSON text, is
// replaced, and all checksums are made again. The reader itself tells where its values stand.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/session_file/session_bytes.h"
#include "engine/session/session_file/session_file.h"
#include "tests/fuzz/json_change.h"

namespace attn::fuzz {

// Reads a file with load_session() and lists the values in the order in which they were read. If
// the file is refused, the list ends at the error.
struct ReadValues {
  std::vector<SessionValue> values;
  std::optional<Session> session;  // none: it was refused
};
ReadValues read_values(const std::filesystem::path& file);

// Makes changed copies of a session file. In a copy one value is replaced.
class SessionChanger {
 public:
  // Writes `bytes` to `scratch` to read the values from there.
  SessionChanger(std::string bytes, const std::filesystem::path& scratch);

  struct Change {
    std::string bytes;  // the new file
    std::string what;   // what was changed, in words
  };
  Change change(Random& random) const;
  bool is_accepted() const { return is_accepted_; }

 private:
  // Values of one name and kind in one kind of chunk. To change a value, change() draws a group
  // first, then a value of it.
  using Group = std::vector<SessionValue>;
  Change change_text(Random& random) const;

  std::string bytes_;
  std::vector<Group> groups_;
  bool is_accepted_ = false;
};

}  // namespace attn::fuzz
