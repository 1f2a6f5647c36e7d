// SPDX-License-Identifier: GPL-3.0-or-later
// What the window reads from its settings. The file of the settings may be damaged or edited, and
// Qt does not check what it reads back: QMainWindow::restoreState() crashes, or runs for minutes,
// when a count in its bytes is changed. So bytes are stored with a checksum, lists are cut to
// limits, and a lack of memory is no crash. GUI thread.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <functional>

namespace attn::gui {

// The bytes with a checksum in front, as they are stored.
QByteArray sealed(const QByteArray& bytes);
// The bytes that sealed() was given. Empty: the stored ones are not as sealed() wrote them.
QByteArray unsealed(const QByteArray& stored);

// The first `most` strings of a list, without those that are empty or longer than `longest`.
QStringList checked_list(const QStringList& list, qsizetype most, qsizetype longest);

// The folders of the file dialogs (last_folder()). They stand in the group at which `settings` is.
void read_last_folders(const QSettings& settings);
void write_last_folders(QSettings& settings);

// Calls read(settings). Returns false if a stored value asks for more memory than there is; Qt
// makes room for as many elements as the file says before it reads the first one.
bool read_checked(const std::function<void(QSettings&)>& read);

}  // namespace attn::gui
