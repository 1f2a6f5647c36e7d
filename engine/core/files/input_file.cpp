// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/paths.h"

namespace attn {
namespace {

[[noreturn]] void throw_system(const char* what, const std::filesystem::path& file, int error) {
  const ErrorCode code =
      error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG
          ? ErrorCode::kBadInput
          : ErrorCode::kFailed;
  throw Error(code, {what, file.string(), std::strerror(error), "", ""});
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& file, const char* kind, int error) {
  const std::string found = found_at(file);
  if (found == "a file") throw_system("file cannot be opened", file, error);
  const bool is_link = found.find("link") != std::string::npos;
  throw Error(is_forbidden(file) ? ErrorCode::kFailed : ErrorCode::kBadInput,
              {"file cannot be opened", file.string(), found, kind,
               is_link              ? "Correct the link, or put the file in its place"
               : is_forbidden(file) ? "Give this user the rights to read it and to enter every "
                                      "folder above it"
                                    : ""});
}

}  // namespace

InputFile InputFile::open(const std::filesystem::path& file, const char* kind) {
  InputFile result;
  result.path_ = file;
  // O_NONBLOCK: opening a FIFO must not wait.
  result.fd_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (result.fd_ < 0) throw_unreadable(file, kind, errno);
  struct stat info {};
  if (::fstat(result.fd_, &info) != 0) throw_system("file cannot be read", file, errno);
  if (!S_ISREG(info.st_mode))
    throw_bad_input({"not a file", file.string(), found_at(file), kind, ""});
  result.size_ = static_cast<uint64_t>(info.st_size);
  return result;
}

void InputFile::read(uint64_t offset, void* to, uint64_t bytes) const {
  auto* out = static_cast<char*>(to);
  while (bytes > 0) {
    const size_t part = static_cast<size_t>(std::min<uint64_t>(bytes, uint64_t{1} << 30));
    const ssize_t got = ::pread(fd_, out, part, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system("file cannot be read", path_, errno);
    if (got == 0)
      throw_bad_input({"file became shorter while it was open",
                       fmt::format("{}, byte {}", path_.string(), offset), "end of file",
                       fmt::format("{} more bytes", bytes), "Open it again when it is complete"});
    out += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<uint64_t>(got);
  }
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace attn
