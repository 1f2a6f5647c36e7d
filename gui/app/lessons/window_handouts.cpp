// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/window_handouts.h"

#include <QCoreApplication>
#include <utility>

#include "gui/app/language.h"
#include "gui/theme/file_dialogs.h"

namespace attn::gui {

WindowHandouts::WindowHandouts(QMainWindow& window, MessageBar& messages, QObject* parent)
    : QObject(parent),
      window_(window),
      messages_(messages),
      program_(QCoreApplication::applicationFilePath()) {}

WindowHandouts::~WindowHandouts() {
  if (!process_) return;
  process_->disconnect(this);
  process_->kill();
  process_->waitForFinished();
}

void WindowHandouts::ask(const QString& lesson, const QString& id, bool teacher) {
  const QString file = ask_save_file(
      &window_, teacher ? tr("Save the teacher's copy") : tr("Save the hand-out"),
      FileKind::kHandOut, teacher ? id + QStringLiteral("-teacher") : id, {QStringLiteral("pdf")});
  if (!file.isEmpty()) write(lesson, file, teacher);
}

void WindowHandouts::write(const QString& lesson, const QString& out, bool teacher) {
  if (process_)
    return messages_.show_message(
        MessageKind::kError, tr("A hand-out is being written. Ask again when it is done."), out);
  QStringList words{QStringLiteral("handout"),    lesson,
                    QStringLiteral("--out"),      out,
                    QStringLiteral("--language"), program_language()};
  if (teacher) words.append(QStringLiteral("--teacher"));
  process_ = new QProcess(this);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  process_->setProcessEnvironment(environment);
  connect(process_, &QProcess::errorOccurred, this, [this, out](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(out, process_->errorString());
  });
  connect(process_, &QProcess::finished, this, [this, out](int code, QProcess::ExitStatus status) {
    const QString said = QString::fromUtf8(process_->readAllStandardError()).trimmed();
    if (status == QProcess::NormalExit && code == 0) return ended(out, {});
    ended(out, said.isEmpty() ? tr("the program that writes it has ended too early") : said);
  });
  messages_.show_message(MessageKind::kInfo, tr("Writing %1…").arg(out), out);
  process_->start(program_, words);
}

void WindowHandouts::ended(const QString& out, const QString& trouble) {
  std::exchange(process_, nullptr)->deleteLater();
  if (trouble.isEmpty())
    messages_.show_message(MessageKind::kInfo, tr("Saved %1.").arg(out), out);
  else
    messages_.show_message(MessageKind::kError, tr("The hand-out was not written: %1").arg(trouble),
                           out);
}

}  // namespace attn::gui

#include "moc_window_handouts.cpp"
