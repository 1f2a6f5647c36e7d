// SPDX-License-Identifier: GPL-3.0-or-later
// FilePath: the name of a file as the system has it. A QString cannot hold bytes that are not
// UTF-8, so a path from the command line is kept as a path. Any thread.
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
  // For a sentence. Bytes that are not UTF-8 are replaced by a mark.
  QString shown() const { return QString::fromStdString(path_.string()); }

 private:
  std::filesystem::path path_;
};

}  // namespace attn::gui
