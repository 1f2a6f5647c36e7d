// SPDX-License-Identifier: GPL-3.0-or-later
// OpenedModels: the models that were run before, the newest first, and the folders in which the
// user looked for models. Models that come with the program are not in the list. GUI thread.
#pragma once

#include <QStringList>

namespace attn::gui {

class OpenedModels {
 public:
  static constexpr qsizetype kMostModels = 50, kMostFolders = 20;

  // keeps: true: the lists are kept in the settings; false: in this object.
  explicit OpenedModels(bool keeps) : keeps_(keeps) {}

  QStringList models() const { return read(models_); }  // absolute paths
  QStringList folders() const { return read(folders_); }
  void add_model(const QString& path) { add(models_, path); }
  void add_folder(const QString& path) { add(folders_, path); }
  static QString whole_path(const QString& path);  // the absolute path, as the lists have it
  // The path without symbolic links, by which two paths of one model are known; if nothing is
  // there, whole_path().
  static QString real_path(const QString& path);
  // Removes the path of a model or a folder from the lists. The files stay.
  void forget(const QString& path);

 private:
  struct List {
    const char* key;  // in the settings
    qsizetype most;
    QStringList paths = {};  // the list, if the settings do not keep it
  };
  QStringList read(const List& list) const;
  void add(List& list, const QString& path);
  void write(List& list, const QStringList& paths);

  const bool keeps_;
  List models_{"models/opened", kMostModels}, folders_{"models/folders", kMostFolders};
};

}  // namespace attn::gui
