// SPDX-License-Identifier: GPL-3.0-or-later
// Formats that are not the one asked for, told by their first bytes. Any thread.
#pragma once

#include <string_view>

namespace attn {

struct FileFormat {
  const char* name;    // "GGUF"
  const char* advice;  // a sentence without its full stop
};

// The format that `head`, 32 bytes or what there are, is the beginning of; null: none that is
// known. safetensors has no mark of its own.
const FileFormat* format_of(std::string_view head);

}  // namespace attn
