// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/outputs/write_faults.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace attn::test {

WriteFaults write_faults;

namespace {

// Without TMPDIR the tests use a folder in memory, if there is one: fsync() on a disk takes long.
[[maybe_unused]] const bool in_memory =
    ::access("/dev/shm", W_OK) == 0 && ::setenv("TMPDIR", "/dev/shm", 0) == 0;

bool refused() {
  if (write_faults.calls++ != write_faults.fail_at) return false;
  errno = write_faults.error;
  return true;
}

}  // namespace

std::map<std::string, std::string> tree_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_directory()) {
      tree[name + "/"];
      continue;
    }
    std::ifstream in(entry.path(), std::ios::binary);
    tree[name] = {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  return tree;
}

}  // namespace attn::test

using attn::test::refused;
using attn::test::write_faults;

extern "C" {

int __real_open(const char* file, int flags, mode_t mode);
ssize_t __real_pwrite(int fd, const void* bytes, size_t size, off_t offset);
int __real_fsync(int fd);
int __real_fchmod(int fd, mode_t mode);
int __real_mkdir(const char* folder, mode_t mode);
int __real_rename(const char* from, const char* to);
int __real_renameat2(int from_folder, const char* from, int to_folder, const char* to,
                     unsigned flags);
int __real_linkat(int from_folder, const char* from, int to_folder, const char* to, int flags);

int __wrap_open(const char* file, int flags, ...) {
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (!nameless && (flags & O_CREAT) == 0) return __real_open(file, flags, 0);
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (nameless && write_faults.no_nameless_files) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return refused() ? -1 : __real_open(file, flags, mode);
}

ssize_t __wrap_pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  if (refused()) return -1;
  if (write_faults.bytes_left <= 0) {
    errno = ENOSPC;
    return -1;
  }
  const ssize_t done = __real_pwrite(
      fd, bytes, std::min(size, static_cast<size_t>(write_faults.bytes_left)), offset);
  if (done > 0 && write_faults.bytes_left != INT64_MAX) write_faults.bytes_left -= done;
  return done;
}

int __wrap_fsync(int fd) {
  return refused() ? -1 : __real_fsync(fd);
}
int __wrap_fchmod(int fd, mode_t mode) {
  return refused() ? -1 : __real_fchmod(fd, mode);
}
int __wrap_mkdir(const char* folder, mode_t mode) {
  return refused() ? -1 : __real_mkdir(folder, mode);
}
int __wrap_rename(const char* from, const char* to) {
  return refused() ? -1 : __real_rename(from, to);
}
int __wrap_linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return refused() ? -1 : __real_linkat(from_folder, from, to_folder, to, flags);
}
int __wrap_renameat2(int from_folder, const char* from, int to_folder, const char* to,
                     unsigned flags) {
  if (write_faults.no_exchange) {
    errno = EINVAL;
    return -1;
  }
  return refused() ? -1 : __real_renameat2(from_folder, from, to_folder, to, flags);
}

}  // extern "C"
