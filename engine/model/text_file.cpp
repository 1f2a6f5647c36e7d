// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/text_file.h"

#include <fmt/format.h>

#include <fstream>

#include "engine/core/error.h"

namespace attn {

std::string read_text_file(const std::filesystem::path& file, size_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw_bad_input(
        {"file is missing", file.string(), error ? error.message() : "not a file", "a file", ""});
  const uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error)
    throw Error(ErrorCode::kFailed,
                {"file cannot be read", file.string(), error.message(), "", ""});
  if (bytes > max_bytes)
    throw_bad_input({"file is too long", file.string(), fmt::format("{} bytes", bytes),
                     fmt::format("at most {}", max_bytes), ""});
  std::ifstream in(file, std::ios::binary);
  std::string text(static_cast<size_t>(bytes), '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!in)
    throw Error(ErrorCode::kFailed,
                {"file cannot be read", file.string(), "an error while reading", "", ""});
  return text;
}

}  // namespace attn
