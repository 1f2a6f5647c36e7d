// SPDX-License-Identifier: GPL-3.0-or-later
// FilePath: the path of a file with the bytes that the system uses for it. A QString cannot hold
// bytes that are not UTF-8, so the path is kept as a std::filesystem::path. Any thread.
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
  // As text, for example for a message. Bytes that are not UTF-8 become U+FFFD characters.
  QString shown() const { return QString::fromStdString(path_.string()); }

 private:
  std::filesystem::path path_;
};

}  // namespace attn::gui
