// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/checked_settings.h"

#include <QCryptographicHash>
#include <exception>

#include "gui/bridge/log.h"
#include "gui/theme/file_dialogs.h"

namespace attn::gui {
namespace {

QByteArray checksum(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

constexpr qsizetype kLongestFolder = 4096;  // characters; longer paths are cut

QString key_of(FileKind kind) {
  return QStringLiteral("last_folder_") + name_of(kind);
}

}  // namespace

void read_last_folders(const QSettings& settings) {
  for (const FileKind kind : kFileKinds)
    set_last_folder(kind, settings.value(key_of(kind)).toString().left(kLongestFolder));
}

void write_last_folders(QSettings& settings) {
  for (const FileKind kind : kFileKinds) settings.setValue(key_of(kind), last_folder(kind));
}

QByteArray sealed(const QByteArray& bytes) {
  return checksum(bytes) + bytes;
}

QByteArray unsealed(const QByteArray& stored) {
  const QByteArray bytes = stored.mid(QCryptographicHash::hashLength(QCryptographicHash::Sha256));
  return sealed(bytes) == stored ? bytes : QByteArray();
}

QStringList checked_list(const QStringList& list, qsizetype most, qsizetype longest) {
  QStringList checked;
  for (const QString& text : list) {
    if (checked.size() == most) break;
    if (!text.isEmpty() && text.size() <= longest) checked.append(text);
  }
  return checked;
}

bool read_checked(const std::function<void(QSettings&)>& read) {
  try {
    QSettings settings;
    read(settings);
    return true;
  } catch (const std::exception& error) {
    qCDebug(log_window) << "the settings cannot be read:" << error.what();
    return false;
  }
}

}  // namespace attn::gui
