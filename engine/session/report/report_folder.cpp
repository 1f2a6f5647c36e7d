// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/report/report_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/input_file.h"
#include "engine/core/files/json.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/paths.h"
#include "engine/core/files/whole_file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr size_t kMostManifestBytes = size_t{16} << 20;
constexpr size_t kMostNamed = 3;  // files that an error names
// Room in a path for the longest name of a report's file with the ending of an unfinished one.
constexpr size_t kLongestName = 128;

struct Vouched {
  uint64_t bytes = 0;
  std::string xxh64;
};

struct Manifest {
  std::string title;                     // of the scenario
  std::map<std::string, Vouched> files;  // those in its list, and the manifest itself
};

// The manifest of the folder. Empty: there is none of this program, or it cannot be read.
Manifest manifest_of(const fs::path& folder) {
  Manifest read;
  try {
    const InputFile file = InputFile::open(folder / kManifest, "a manifest");
    if (file.size() > kMostManifestBytes) return {};
    std::string text(static_cast<size_t>(file.size()), '\0');
    file.read(0, text.data(), text.size());
    nlohmann::json manifest =
        parse_json(text, kManifest, {.max_bytes = kMostManifestBytes, .max_depth = 16});
    const TakenApart apart(manifest);
    if (manifest.at("program") != "Attention Workbench") return {};
    read.title = manifest.value("title", "");
    for (const auto& entry : manifest.at("files"))
      read.files[entry.at("name").get<std::string>()] = {entry.at("bytes").get<uint64_t>(),
                                                         entry.at("xxh64").get<std::string>()};
  } catch (const Error&) {
    return {};
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  read.files[kManifest] = {};  // the manifest is not in its own list
  return read;
}

std::string hash_of(const fs::path& path) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  const InputFile file = InputFile::open(path, "a file of a report");
  const std::unique_ptr<XXH64_state_t, XXH_errorcode (*)(XXH64_state_t*)> state(XXH64_createState(),
                                                                                XXH64_freeState);
  if (!state) throw std::bad_alloc();
  XXH64_reset(state.get(), 0);
  std::string piece;
  for (uint64_t at = 0; at < file.size(); at += piece.size()) {
    piece.resize(static_cast<size_t>(std::min(kPiece, file.size() - at)));
    file.read(at, piece.data(), piece.size());
    XXH64_update(state.get(), piece.data(), piece.size());
  }
  return fmt::format("{:016x}", XXH64_digest(state.get()));
}

bool is_as_vouched(const fs::path& path, const Vouched& vouched, bool by_content) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  if (path.filename() == kManifest) return true;
  if (static_cast<uint64_t>(info.st_size) != vouched.bytes) return false;
  try {
    return !by_content || hash_of(path) == vouched.xxh64;
  } catch (const Error&) {
    return false;
  }
}

bool is_same_folder(int fd, const fs::path& path) {
  struct stat a {
  }, b{};
  return ::fstat(fd, &a) == 0 && ::lstat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

Descriptor open_folder(const fs::path& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Waits for other writers, if the file system has locks.
void lock(const Descriptor& folder) {
  while (::flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

bool is_mount_point(const fs::path& folder) {
  struct statx info {};
  if (::statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &info) == 0 &&
      (info.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0)
    return (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  struct stat own {
  }, above{};
  return ::lstat(folder.c_str(), &own) == 0 && ::stat((folder / "..").c_str(), &above) == 0 &&
         own.st_dev != above.st_dev;
}

// Whether `file`, or the target of `file` if it is a link, lies directly in the folder.
bool lies_in(const fs::path& file, const fs::path& folder) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file, failed);
  return fs::weakly_canonical(whole.parent_path(), failed) == folder ||
         fs::weakly_canonical(whole, failed).parent_path() == folder;
}

// The first names and the number of the others: "a.txt, b.txt, c.txt and 3 more".
std::string first_of(const std::vector<std::string>& names) {
  const auto named = std::min(kMostNamed, names.size());
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(named), ", "));
  if (named < names.size()) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

bool is_figure(const fs::path& name) {
  constexpr std::string_view kEndings[] = {".png", ".svg", ".pdf", ".npy", ".safetensors"};
  const std::string ending = name.extension().string();
  return std::ranges::find(kEndings, std::string_view(ending)) != std::end(kEndings);
}

bool is_current_folder(const fs::path& folder) {
  const Descriptor here(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return here && is_same_folder(here.get(), folder);
}

// For errors: the option and the folder. From a dialog, which names no option, the folder alone.
std::string named_by(std::string_view option, const fs::path& folder) {
  return option.starts_with("--") ? fmt::format("{} {}", option, folder.string()) : folder.string();
}

}  // namespace

std::string ReportPlace::others_text() const {
  return first_of(others);
}

ReportPlace look_at_report_place(const fs::path& folder, bool by_content) {
  ReportPlace place;
  std::vector<std::string> names;
  const std::error_code failed =
      for_each_name(folder, [&](const char* name) { names.emplace_back(name); });
  if (failed == std::errc::no_such_file_or_directory) return place;
  if (failed)
    throw Error(ErrorCode::kFailed,
                {"the folder of a report cannot be used", folder.string(), failed.message(),
                 "a folder in which you may read and write", "Choose another folder."});
  const std::string own_name = folder.filename().string();
  const std::map<std::string, Vouched> vouched = manifest_of(folder).files;
  for (const std::string& name : names) {
    const auto found = vouched.find(name);
    if (is_unfinished(name, own_name))
      place.in_use = true;
    else if (found != vouched.end() && is_as_vouched(folder / name, found->second, by_content))
      place.ours.push_back(name);
    else
      place.others.push_back(name);
  }
  std::ranges::sort(place.others);
  place.kind = !place.others.empty() ? ReportPlace::Kind::kOthers
               : place.ours.empty()  ? ReportPlace::Kind::kEmpty
                                     : ReportPlace::Kind::kReport;
  return place;
}

ReportFolder::ReportFolder(std::string_view option, const fs::path& folder, bool keep_others,
                           std::span<const fs::path> inputs)
    : option_(option), named_(folder), keep_others_(keep_others) {
  try {
    find_place(folder);
    refuse_inputs_inside(inputs);
    const std::string name = place_.filename().string();
    remove_unfinished_folders(place_.parent_path(), name);
    const Descriptor locked = lock_place();
    const ReportPlace found = look_at_report_place(place_);
    if (found.kind == ReportPlace::Kind::kOthers && !keep_others_) refuse(found);
    remove_unfinished_folders(place_, name);  // of killed writers
    inside_ = found.kind != ReportPlace::Kind::kNothing &&
              (found.kind == ReportPlace::Kind::kOthers || !can_be_exchanged());
    if (!inside_) work_ = WorkingFolder(place_.parent_path(), name);
    if (!work_ && found.kind != ReportPlace::Kind::kNothing) {
      inside_ = true;
      work_ = WorkingFolder(place_, name);
    }
    if (!work_) give_up(errno);
  } catch (...) {
    remove_made();
    throw;
  }
}

ReportFolder::~ReportFolder() {
  if (work_) remove_made();
}

void ReportFolder::remove_made() {
  work_.remove();
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) ::rmdir(made->c_str());
}

// Sets place_: an absolute path without links. Makes the folders above it that are missing.
void ReportFolder::find_place(const fs::path& folder) {
  fs::path wanted = absolute_path(folder);
  while (!wanted.has_filename() && wanted.has_relative_path()) wanted = wanted.parent_path();
  check_name_length(option_, wanted);
  if (wanted.native().size() + kLongestName >= PATH_MAX)
    throw_bad_input({"the path of a report is too long", option_,
                     fmt::format("{} bytes", wanted.native().size()),
                     fmt::format("less than {} bytes, with room for the names of its files",
                                 PATH_MAX - kLongestName),
                     "Choose a shorter path."});
  wanted = output_file(wanted);
  std::vector<fs::path> missing;
  std::error_code failed;
  for (fs::path above = wanted.parent_path(); !fs::exists(above, failed) && !failed;
       above = above.parent_path()) {
    check_name_length(option_, above);
    missing.push_back(above);
  }
  for (auto above = missing.rbegin(); above != missing.rend(); ++above) {
    if (::mkdir(above->c_str(), 0777) == 0)
      made_.push_back(*above);
    else if (errno != EEXIST)
      throw_write_error(*above, errno);
  }
  place_ = fs::canonical(wanted.parent_path(), failed);
  if (failed) throw_write_error(named_, failed.value());
  place_ /= wanted.filename();
  if (fs::exists(place_, failed)) place_ = fs::canonical(place_, failed);
  if (failed) throw_write_error(named_, failed.value());
  if (const std::string found = why_no_folder(place_); !found.empty() && found != "nothing there")
    throw Error(ErrorCode::kFailed,
                {"the folder of a report cannot be used", named_by(option_, named_), found,
                 "a folder in which you may write, or a new name", ""});
}

void ReportFolder::refuse_inputs_inside(std::span<const fs::path> inputs) const {
  for (const fs::path& input : inputs) {
    if (!lies_in(input, place_)) continue;
    throw_bad_input({fmt::format("{} could replace an input file", option_), named_.string(),
                     input.string() + " in it", "a folder in which no input lies",
                     "Choose another folder."});
  }
}

void ReportFolder::refuse(const ReportPlace& found) const {
  throw_bad_input(
      {"the folder for the report holds something else", named_by(option_, named_),
       found.others_text(), "a new or empty folder, or one with a report that was not changed",
       option_.starts_with("--") ? "Choose another folder, or write into this one with --force."
                                 : "Choose another folder."});
}

void ReportFolder::give_up(int code) const {
  throw_write_error(place_, code);
}

// Whether the folder at the place can be replaced by another one. The current folder is not
// replaced, because a shell in it would stay in the old one.
bool ReportFolder::can_be_exchanged() const {
  return !is_mount_point(place_) && !is_current_folder(place_);
}

void ReportFolder::fill(const std::function<void(const fs::path& work)>& write) {
  const std::string hidden = work_.path().string();
  try {
    write(work_.path());
    put_in_place();
  } catch (const Error& error) {
    if (!error.sentences().empty()) throw;
    ErrorParts parts = error.parts();
    const std::string shown = named_.string();
    for (std::string* text : {&parts.what, &parts.where, &parts.found})
      for (size_t at = text->find(hidden); at != std::string::npos;
           at = text->find(hidden, at + shown.size()))
        text->replace(at, hidden.size(), shown);
    throw Error(error.code(), std::move(parts));
  }
}

// The folder at the place, locked against other writers. Empty: there is none.
Descriptor ReportFolder::lock_place() const {
  for (;;) {
    Descriptor folder = open_folder(place_);
    if (!folder && errno != ENOENT) give_up(errno);
    if (!folder) return folder;
    lock(folder);
    // Another writer may have put its report in place before the lock was there.
    if (is_same_folder(folder.get(), place_)) return folder;
  }
}

void ReportFolder::put_in_place() {
  if (!work_.sync()) give_up(errno);
  for (;;) {
    const Descriptor old = lock_place();
    if (!old) {
      // rename() does not replace a folder that has files.
      if (work_.take_name(place_)) break;
      if (errno == ENOTEMPTY || errno == EEXIST) continue;  // another writer was faster
      give_up(errno);
    }
    put_over(old.get());
    break;
  }
  work_ = WorkingFolder();  // releases the lock
  sync_folder(place_.parent_path());
}

// old_folder: the folder that lies at the place of the report, locked.
void ReportFolder::put_over(int old_folder) {
  const ReportPlace found = look_at_report_place(place_);
  const bool others = found.kind == ReportPlace::Kind::kOthers;
  if (others && !keep_others_) refuse(found);
  if (!inside_ && !others && !found.in_use && can_be_exchanged()) {
    struct stat old {};
    if (::fstat(old_folder, &old) == 0) (void)::fchmod(work_.descriptor(), old.st_mode & 07777);
    if (found.kind == ReportPlace::Kind::kEmpty && work_.take_name(place_)) return;
    if (found.kind == ReportPlace::Kind::kReport && exchange()) return;
  }
  move_files(found);
}

bool ReportFolder::exchange() {
  const auto exchange = [this] {
    return ::renameat2(AT_FDCWD, work_.path().c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE);
  };
  if (exchange() != 0) return false;
  // Another program may have put a file into the old folder since it was looked at.
  const ReportPlace old = look_at_report_place(work_.path(), false);
  if (!old.others.empty()) {
    (void)exchange();
    refuse(old);
  }
  work_.remove();
  return true;
}

// Moves the files one by one. Old files go into a folder of their own and are put back when a file
// cannot be moved.
void ReportFolder::move_files(const ReportPlace& found) {
  std::vector<std::string> names;
  const std::error_code failed =
      for_each_name(work_.path(), [&](const char* name) { names.emplace_back(name); });
  for (const std::string& name : names) {
    std::error_code unknown;
    if (fs::is_directory(fs::symlink_status(place_ / name, unknown)))
      throw_bad_input({"a folder has the name of a file of the report", (named_ / name).string(),
                       "a folder", "another folder for " + option_, ""});
  }
  if (failed) give_up(failed.value());
  // A manifest says that the files belong together. So the old one goes first and the new one comes
  // last.
  const auto is_manifest = [](const std::string& name) { return name == kManifest; };
  std::partition(names.begin(), names.end(), std::not_fn(is_manifest));
  std::vector<std::string> old_names = found.ours;
  for (const std::string& name : found.others)
    if (std::ranges::find(names, name) != names.end()) old_names.push_back(name);
  std::partition(old_names.begin(), old_names.end(), is_manifest);

  fs::path old;
  const Descriptor old_folder = make_unfinished_folder(place_, place_.filename().string(), old);
  if (!old_folder) give_up(errno);
  std::vector<std::pair<fs::path, fs::path>> moved;
  const auto move = [&](const fs::path& from, const fs::path& to) {
    if (::rename(from.c_str(), to.c_str()) == 0) {
      moved.emplace_back(from, to);
      return;
    }
    const int code = errno;
    for (auto back = moved.rbegin(); back != moved.rend(); ++back)
      (void)::rename(back->second.c_str(), back->first.c_str());
    ::rmdir(old.c_str());
    give_up(code);
  };
  for (const std::string& name : old_names) move(place_ / name, old / name);
  for (const std::string& name : names) move(work_.path() / name, place_ / name);
  sync_folder(place_);
  remove_flat_folder(old);
  work_.remove();
}

void check_report_folder(std::string_view option, const fs::path& folder, bool keep_others,
                         std::span<const fs::path> inputs) {
  const ReportFolder probe(option, folder, keep_others, inputs);
}

void refuse_other_report(std::string_view option, const fs::path& folder, std::string_view title,
                         const std::set<std::string>& figures) {
  const Manifest older = manifest_of(folder);
  std::vector<std::string> lost;
  std::error_code unknown;
  for (const auto& [name, vouched] : older.files)
    if (is_figure(name) && !figures.contains(name) && fs::exists(folder / name, unknown))
      lost.push_back(name);
  const bool is_other = !older.files.empty() && older.title != title;
  if (!is_other && lost.empty()) return;
  const bool only_compare = !is_other && std::ranges::all_of(lost, [](const std::string& name) {
    return name.starts_with("compare");
  });
  const std::string advice =
      option.starts_with("--")
          ? "Choose a folder for each report, or replace this one with --force."
      : only_compare ? "Choose another folder, or compare this run again first."
                     : "Choose another folder, or delete this one first.";
  throw_bad_input({"the folder holds another report, which would be deleted",
                   named_by(option, folder),
                   !is_other             ? first_of(lost)
                   : older.title.empty() ? "one of another scenario"
                                         : fmt::format("one of the scenario `{}`", older.title),
                   "a new or empty folder, or one with a report of the same scenario and no other "
                   "figures",
                   advice});
}

void refuse_inside_report(std::string_view option, const fs::path& file,
                          std::string_view report_option, const fs::path& folder) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  const fs::path place = whole.has_filename() ? whole : whole.parent_path();
  const fs::path other = fs::weakly_canonical(fs::absolute(file, failed), failed);
  if ((other.has_filename() ? other : other.parent_path()) == place)
    throw_bad_input({fmt::format("{} and {} are the same", option, report_option),
                     std::string(option), file.string(),
                     fmt::format("a file outside of {}", folder.string()), ""});
  if (lies_in(file, place))
    throw_bad_input({fmt::format("{} lies in the folder of {}", option, report_option),
                     std::string(option), file.string(),
                     fmt::format("a file outside of {}", folder.string()),
                     "Keep the folder of a report for the report alone."});
}

}  // namespace attn
