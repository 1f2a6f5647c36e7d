// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/recent_menu.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include "gui/app/commands/actions.h"
#include "gui/app/window/checked_settings.h"
#include "gui/theme/file_dialogs.h"

namespace attn::gui {
namespace {

constexpr qsizetype kLongestPath = 4096;  // characters; longer paths in the settings are dropped

const QString& settings_key() {
  static const QString key = QStringLiteral("files/recent");
  return key;
}

// "~/runs" for a path below the home folder; other paths as they are.
QString short_path(const QString& file) {
  const QString home = QDir::homePath() + QLatin1Char('/');
  return QDir::toNativeSeparators(
      file.startsWith(home) ? QStringLiteral("~/") + file.mid(home.size()) : file);
}

// The text of an entry, with a digit as its key. An ampersand in a name is doubled, because a
// single one would mark a letter as the key.
QString entry_text(qsizetype place, const QString& file) {
  const QFileInfo info(file);
  const QString text = QStringLiteral("%1 – %2").arg(info.fileName(), short_path(info.path()));
  return QStringLiteral("&%1 %2")
      .arg((place + 1) % 10)
      .arg(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
}

}  // namespace

RecentMenu::RecentMenu(RunControl& control, bool keeps, QWidget* parent)
    : QMenu(tr("Open recent"), parent), control_(control), keeps_(keeps) {
  connect(this, &QMenu::aboutToShow, this, &RecentMenu::refresh);
  connect(&control, &RunControl::file_used, this, &RecentMenu::add);
  refresh();
}

// The settings are read each time, because another window may have changed the list.
QStringList RecentMenu::files() const {
  if (!keeps_) return files_;
  QStringList files;
  read_checked([&files](QSettings& settings) {
    files = checked_list(settings.value(settings_key()).toStringList(), kMost, kLongestPath);
  });
  return files;
}

void RecentMenu::add(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  set_work_folder(QFileInfo(path).path());
  QStringList list = files();
  list.removeAll(path);
  list.prepend(path);
  write(list.mid(0, kMost));
}

void RecentMenu::clear_files() {
  write({});
}

void RecentMenu::set_unsaved(const QList<QPointer<QAction>>& unsaved) {
  unsaved_ = unsaved;
  refresh();
}

void RecentMenu::write(const QStringList& files) {
  files_ = files;
  if (keeps_) QSettings().setValue(settings_key(), files);
}

void RecentMenu::refresh() {
  clear();
  for (QAction* action : unsaved_)
    if (action) addAction(action);
  if (!isEmpty()) addSeparator();
  const QStringList list = files();
  for (qsizetype i = 0; i < list.size(); ++i) {
    QAction* action =
        addAction(entry_text(i, list[i]), this, [this, file = list[i]] { open(file); });
    action->setWhatsThis(short_path(list[i]));
    action->setToolTip(short_path(list[i]));
    if (!QFileInfo(list[i]).isFile()) refuse(*action, tr("the file no longer exists"));
  }
  addSeparator();
  QAction* none = addAction(tr("Clear"), this, &RecentMenu::clear_files);
  none->setWhatsThis(tr("Take the files off this list; they are not deleted."));
  refuse(*none, list.isEmpty() ? tr("the list is empty") : QString());
}

void RecentMenu::open(const QString& file) {
  control_.open_later({file});
}

}  // namespace attn::gui

#include "moc_recent_menu.cpp"
