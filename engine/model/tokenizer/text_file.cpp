// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/text_file.h"

#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/files/input_file.h"

namespace attn {

std::string read_text_file(const std::filesystem::path& file, size_t max_bytes) {
  const InputFile input = InputFile::open(file, "a text file");
  if (input.size() > max_bytes)
    throw_bad_input({"file is too long", file.string(), fmt::format("{} bytes", input.size()),
                     fmt::format("{} bytes at most", max_bytes), ""});
  std::string text(static_cast<size_t>(input.size()), '\0');
  input.read(0, text.data(), input.size());
  return text;
}

}  // namespace attn
