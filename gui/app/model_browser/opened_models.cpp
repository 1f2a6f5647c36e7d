// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/model_browser/opened_models.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include "gui/app/window/checked_settings.h"

namespace attn::gui {
namespace {

constexpr qsizetype kLongestModelPath = 4096;  // characters; longer paths in settings are not read

}  // namespace

// The settings are read each time, because another window may have changed the list.
QStringList OpenedModels::read(const List& list) const {
  if (!keeps_) return list.paths;
  QStringList paths;
  read_checked([&](QSettings& settings) {
    paths = checked_list(settings.value(QLatin1String(list.key)).toStringList(), list.most,
                         kLongestModelPath);
  });
  return paths;
}

QString OpenedModels::whole_path(const QString& path) {
  return QDir::cleanPath(QFileInfo(path).absoluteFilePath());
}

QString OpenedModels::real_path(const QString& path) {
  const QString real = QFileInfo(path).canonicalFilePath();
  return real.isEmpty() ? whole_path(path) : real;
}

void OpenedModels::add(List& list, const QString& path) {
  const QString whole = whole_path(path);
  QStringList paths = read(list);
  if (!paths.isEmpty() && paths.front() == whole) return;
  const QString real = real_path(whole);
  paths.removeIf([&real](const QString& earlier) { return real_path(earlier) == real; });
  paths.prepend(whole);
  write(list, paths.mid(0, list.most));
}

void OpenedModels::forget(const QString& path) {
  for (List* list : {&models_, &folders_}) {
    QStringList paths = read(*list);
    if (paths.removeAll(path) > 0) write(*list, paths);
  }
}

void OpenedModels::write(List& list, const QStringList& paths) {
  list.paths = paths;
  if (keeps_) QSettings().setValue(QLatin1String(list.key), paths);
}

}  // namespace attn::gui
