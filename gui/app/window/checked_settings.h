// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that may be damaged or edited when they are read: bytes have a checksum, lists have
// limits. QMainWindow::restoreState() can crash on changed bytes. Also the last folders of file
// dialogs. GUI thread.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <functional>

namespace attn::gui {

// `bytes` with their checksum in front.
QByteArray sealed(const QByteArray& bytes);
// The bytes that sealed() was given; empty if `stored` is not from sealed().
QByteArray unsealed(const QByteArray& stored);

// The first `most` strings of a list that are not empty and not longer than `longest` characters.
QStringList checked_list(const QStringList& list, qsizetype most, qsizetype longest);

// Read and write the last folder of each kind of file dialog (last_folder()), in the current group
// of `settings`.
void read_last_folders(const QSettings& settings);
void write_last_folders(QSettings& settings);

// Calls read(settings). Returns false if it throws, as when a damaged value asks for too much
// memory.
bool read_checked(const std::function<void(QSettings&)>& read);

}  // namespace attn::gui
