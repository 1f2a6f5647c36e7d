// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/paths.h"

namespace attn {
namespace {

constexpr size_t kMostAtOnce = size_t{1} << 30;
constexpr mode_t kModeBits = 0777;

// A file without a name, locked where the system can. No descriptor if it cannot be made.
Descriptor open_without_name(const std::filesystem::path& folder, mode_t mode) {
  if (::access("/proc/self/fd", X_OK) != 0) return Descriptor();
  Descriptor fd(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  // The lock is on the file, so it still holds when the file gets an unfinished name.
  if (fd) (void)::flock(fd.get(), LOCK_EX | LOCK_NB);
  return fd;
}

std::string link_to(int fd) {
  return fmt::format("/proc/self/fd/{}", fd);
}

// Returns 0, or the errno of what failed.
int write_all(int fd, const char* bytes, size_t size, uint64_t offset) {
  while (size > 0) {
    const ssize_t done =
        ::pwrite(fd, bytes, std::min(size, kMostAtOnce), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : ENOSPC;
    bytes += done;
    size -= static_cast<size_t>(done);
    offset += static_cast<uint64_t>(done);
  }
  return 0;
}

}  // namespace

void throw_write_error(const std::filesystem::path& file, int code) {
  const bool takes_no_files = code == ENOENT && has_entry(folder_of(file));
  throw Error(
      ErrorCode::kFailed,
      {takes_no_files ? "cannot write the file, because its folder takes no new files"
                      : "cannot write the file",
       file.string(), takes_no_files ? "" : std::strerror(code), "",
       code == ENAMETOOLONG ? "Choose a shorter name."
                            : "Choose a folder in which you may write and that has free space."});
}

WholeFile::WholeFile(const std::filesystem::path& file) : file_(output_file(file)) {
  struct stat old {};
  if (::lstat(file_.c_str(), &old) == 0) {
    replaces_ = S_ISREG(old.st_mode);
    if (replaces_) mode_ = old.st_mode & kModeBits;
  } else if (errno == ENAMETOOLONG) {
    throw_write_error(file_, errno);
  }
  const std::filesystem::path folder = folder_of(file_);
  remove_unfinished_files(folder, file_.filename().string());
  fd_ = open_without_name(folder, mode_);
  if (!fd_) fd_ = make_unfinished_file(folder, file_.filename().string(), mode_, unfinished_);
  if (!fd_) {
    unfinished_.clear();
    throw_write_error(file_, errno);
  }
}

WholeFile::~WholeFile() {
  if (fd_ && !unfinished_.empty()) ::unlink(unfinished_.c_str());
}

void WholeFile::give_up(int code) {
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
  fd_.close();
  throw_write_error(file_, code);
}

void WholeFile::write(std::string_view bytes) {
  write_at(bytes, end_);
  end_ += bytes.size();
}

void WholeFile::write_at(std::string_view bytes, uint64_t offset) {
  if (const int code = write_all(fd_.get(), bytes.data(), bytes.size(), offset); code != 0)
    give_up(code);
}

void WholeFile::take_unfinished_name() {
  for (;;) {
    unfinished_ = folder_of(file_) / unfinished_path(file_).filename();
    if (::linkat(AT_FDCWD, link_to(fd_.get()).c_str(), AT_FDCWD, unfinished_.c_str(),
                 AT_SYMLINK_FOLLOW) == 0)
      return;
    if (errno != EEXIST) break;
  }
  unfinished_.clear();
  copy_to_named_file();
}

void WholeFile::copy_to_named_file() {
  const Descriptor from = std::move(fd_);
  fd_ = make_unfinished_file(folder_of(file_), file_.filename().string(), mode_, unfinished_);
  if (!fd_) {
    unfinished_.clear();
    throw_write_error(file_, errno);
  }
  std::vector<char> piece(size_t{1} << 20);
  for (uint64_t at = 0;;) {
    const ssize_t got = ::pread(from.get(), piece.data(), piece.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) give_up(errno);
    if (got == 0) break;
    const int code = write_all(fd_.get(), piece.data(), static_cast<size_t>(got), at);
    if (code != 0) give_up(code);
    at += static_cast<uint64_t>(got);
  }
  if (replaces_ && ::fchmod(fd_.get(), mode_) != 0) give_up(errno);
  if (::fsync(fd_.get()) != 0) give_up(errno);
}

void WholeFile::commit() {
  // Gives the new file the permission bits of the old one; the umask may have removed some.
  if (replaces_ && ::fchmod(fd_.get(), mode_) != 0) give_up(errno);
  if (::fsync(fd_.get()) != 0) give_up(errno);
  if (unfinished_.empty()) take_unfinished_name();
  // Renamed before close() releases the lock: without a lock it could be removed as unfinished.
  if (::rename(unfinished_.c_str(), file_.c_str()) != 0) give_up(errno);
  unfinished_.clear();
  fd_.close();
  sync_folder(folder_of(file_));
}

void write_file_atomically(const std::filesystem::path& file, std::string_view bytes) {
  WholeFile out(file);
  out.write(bytes);
  out.commit();
}

}  // namespace attn
