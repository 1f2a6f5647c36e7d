// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/core/error.h"

namespace attn {
namespace {

constexpr const char* kNoPermission = "no permission to read it";

std::string reason_of(const std::filesystem::path& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: {
      struct stat link {};
      return ::lstat(path.c_str(), &link) == 0 ? "a symbolic link that leads nowhere"
                                               : "nothing there";
    }
    case ELOOP:
      return "symbolic links that lead in a circle";
    case EACCES:
    case EPERM:
      return kNoPermission;
    case ENAMETOOLONG:
      return "a name that is too long";
    default:
      return std::strerror(error);
  }
}

const char* kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

bool has_entry(const std::filesystem::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 ||
         (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG);
}

std::string found_at(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return reason_of(path, errno);
  if (S_ISREG(info.st_mode) && ::access(path.c_str(), R_OK) != 0) return reason_of(path, errno);
  return kind_of(info.st_mode);
}

std::string why_no_folder(const std::filesystem::path& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) return reason_of(folder, errno);
  if (!S_ISDIR(info.st_mode)) return kind_of(info.st_mode);
  if (::access(folder.c_str(), X_OK) == 0) return "";
  const std::string reason = reason_of(folder, errno);
  return reason == kNoPermission ? "no permission to enter it" : reason;
}

bool is_forbidden(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return errno == EACCES || errno == EPERM;
  const int wanted = S_ISDIR(info.st_mode) ? X_OK : R_OK;
  return ::access(path.c_str(), wanted) != 0 && (errno == EACCES || errno == EPERM);
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::absolute(path, failed);
  if (failed)
    throw Error(ErrorCode::kFailed,
                {"the current folder is unknown", path.string(), failed.message(),
                 "an absolute path", "Change to a folder that exists"});
  return whole;
}

}  // namespace attn
