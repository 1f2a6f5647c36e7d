// SPDX-License-Identifier: GPL-3.0-or-later
// FilePath: the name of a file as the system has it. A QString keeps no bytes that are not UTF-8,
// so a name from the command line must not go through one. A QString and a path both convert to a
// FilePath. Any thread.
#pragma once

#include <QFile>
#include <QString>
#include <filesystem>
#include <string>
#include <utility>

namespace attn::gui {

class FilePath {
 public:
  FilePath(const QString& name) : path_(QFile::encodeName(name).toStdString()) {}
  FilePath(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  FilePath file(const QString& name) const { return path_ / FilePath(name).path_; }
  // For a sentence; bytes that are not UTF-8 are shown as a mark.
  QString shown() const { return QString::fromStdString(path_.string()); }

 private:
  std::filesystem::path path_;
};

}  // namespace attn::gui
