// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/unfinished.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <random>
#include <string_view>

#include "engine/core/files/folder_names.h"

namespace attn {
namespace {

constexpr std::string_view kUnfinished = ".unfinished-";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr size_t kRandomLetters = 3, kCheckLetters = 3;
constexpr size_t kEnding = kUnfinished.size() + kRandomLetters + kCheckLetters;
constexpr int kMostTries = 100;

std::string_view stem_of(const std::string& name) {
  return std::string_view(name).substr(0, NAME_MAX - kEnding);
}

// The last letters are a check of `of` and `letters`. So a name that someone else gave to a file,
// such as NAME.unfinished-backup, is hardly ever taken for one of ours.
std::string name_with(const std::string& of, std::string_view letters) {
  // FNV-1a, not XXH64 as elsewhere: killed writers of earlier versions left names with this check,
  // and with another one nobody would remove what they left.
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::string_view part : {std::string_view(of), letters})
    for (const char byte : part) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  std::string name(stem_of(of));
  name += kUnfinished;
  name += letters;
  hash >>= 32;
  for (size_t i = 0; i < kCheckLetters; ++i, hash /= kLetters.size())
    name += kLetters[hash % kLetters.size()];
  return name;
}

std::string random_name(const std::string& of) {
  std::random_device random;
  std::string letters;
  for (size_t i = 0; i < kRandomLetters; ++i) letters += kLetters[random() % kLetters.size()];
  return name_with(of, letters);
}

// Locks a new file or folder. False: another program may have taken it for one that was left.
bool lock_new(int fd) {
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  // Where the file system has no locks, other programs cannot lock it either, and do not remove it.
  if (!locked && errno != EWOULDBLOCK) return true;
  struct stat status {};
  return locked && ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

template <class Make>
Descriptor make_unfinished(const std::filesystem::path& folder, const std::string& name,
                           std::filesystem::path& path, Make&& make) {
  int failure = EAGAIN;
  for (int turn = 0; turn < kMostTries; ++turn) {
    path = folder / random_name(name);
    Descriptor made(make(path.c_str()));
    failure = made ? EAGAIN : errno;
    if (!made && errno != EEXIST && errno != ENOENT) return made;
    if (made && lock_new(made.get())) return made;
    if (!made && ::access(folder.c_str(), F_OK) != 0) return made;
  }
  errno = failure;
  return Descriptor();
}

// kind: S_IFREG or S_IFDIR.
void remove_left(const std::filesystem::path& folder, const std::string& name, mode_t kind,
                 const std::function<void(const std::filesystem::path&)>& remove) {
  for_each_name(folder, [&](const char* entry) {
    if (!is_unfinished(entry, name)) return;
    const std::filesystem::path path = folder / entry;
    const Descriptor left(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (left && ::fstat(left.get(), &status) == 0 && (status.st_mode & S_IFMT) == kind &&
        ::flock(left.get(), LOCK_EX | LOCK_NB) == 0)
      remove(path);
  });
}

bool has_folders(const std::filesystem::path& folder) {
  bool found = false;
  const std::error_code failed = for_each_name(folder, [&](const char* entry) {
    struct stat status {};
    if (::lstat((folder / entry).c_str(), &status) != 0 || S_ISDIR(status.st_mode)) found = true;
  });
  return failed || found;
}

}  // namespace

void Descriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

bool is_unfinished(const std::string& name, const std::string& of) {
  const size_t stem = stem_of(of).size();
  if (name.size() != stem + kEnding) return false;
  const std::string letters = name.substr(stem + kUnfinished.size(), kRandomLetters);
  return letters.find_first_not_of(kLetters) == std::string::npos && name == name_with(of, letters);
}

std::filesystem::path unfinished_path(const std::filesystem::path& place) {
  return place.parent_path() / random_name(place.filename().string());
}

Descriptor make_unfinished_file(const std::filesystem::path& folder, const std::string& name,
                                mode_t mode, std::filesystem::path& path) {
  return make_unfinished(folder, name, path, [mode](const char* file) {
    return ::open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  });
}

Descriptor make_unfinished_folder(const std::filesystem::path& folder, const std::string& name,
                                  std::filesystem::path& path) {
  return make_unfinished(folder, name, path, [](const char* made) {
    if (::mkdir(made, 0777) != 0) return -1;
    return ::open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  });
}

void remove_unfinished_files(const std::filesystem::path& folder, const std::string& name) {
  remove_left(folder, name, S_IFREG, [](const auto& file) { ::unlink(file.c_str()); });
}

void remove_unfinished_folders(const std::filesystem::path& folder, const std::string& name) {
  remove_left(folder, name, S_IFDIR, [](const auto& left) {
    if (!has_folders(left)) remove_flat_folder(left);
  });
}

void remove_flat_folder(const std::filesystem::path& folder) {
  for_each_name(folder, [&](const char* entry) { ::unlink((folder / entry).c_str()); });
  ::rmdir(folder.c_str());
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) (void)::fsync(opened.get());
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace attn
