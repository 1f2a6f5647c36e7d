// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises the format of a file by its first bytes, for error messages. Any thread.
#pragma once

#include <string_view>

namespace attn {

struct FileFormat {
  const char* name;    // "GGUF"
  const char* advice;  // a sentence; Error::what() adds its full stop
};

// `head`: the beginning of a file, at least 32 bytes, or all of it where it is shorter. Returns the
// format that begins so; null where it is none of the known ones. safetensors has no magic number
// and is not recognised.
const FileFormat* format_of(std::string_view head);

}  // namespace attn
