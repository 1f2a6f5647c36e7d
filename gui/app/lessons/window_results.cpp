// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/window_results.h"

#include <QInputDialog>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "gui/models/file_path.h"
#include "gui/theme/file_dialogs.h"

namespace attn::gui {

WindowResults::WindowResults(QMainWindow& window, MessageBar& messages,
                             const LessonProgress& progress, QObject* parent)
    : QObject(parent), window_(window), messages_(messages), progress_(progress) {
  connect(&loader_, &LessonLoader::loaded, this, [this](const std::shared_ptr<lesson::Walk>& walk) {
    tell(wanted_.file, write(wanted_.file, *walk, counts_, wanted_.learner));
  });
  connect(&loader_, &LessonLoader::failed, this,
          [this](const QStringList& reasons) { tell(wanted_.file, reasons.value(0)); });
}

void WindowResults::ask(const LessonPlayer& player) {
  const QString name = ask_name(name_);
  if (name.isEmpty()) return;
  name_ = name;
  const QString file = ask_file(player.lesson().about.id, name);
  if (!file.isEmpty()) tell(file, write(file, player.walk(), player.class_counts(), name));
}

void WindowResults::ask_kept(const QString& lesson) {
  std::string id;
  try {
    const lesson::ParsedLesson parsed = lesson::read_lesson(FilePath(lesson).path());
    if (parsed.lesson) id = parsed.lesson->about.id;
  } catch (const std::exception& error) {
    return tell(lesson, QString::fromUtf8(message_of(error)));
  }
  const QString name = ask_name({});
  if (name.isEmpty()) return;
  const QString file = ask_file(id, name);
  if (!file.isEmpty()) write_kept(lesson, file, name);
}

void WindowResults::write_kept(const QString& lesson, const QString& file, const QString& learner) {
  try {
    const lesson::ParsedLesson parsed = lesson::read_lesson(FilePath(lesson).path());
    const SavedLesson saved =
        parsed.lesson ? progress_.of(progress_name(parsed.lesson->about)) : SavedLesson{};
    if (!parsed.lesson || saved.hash != QString::fromStdString(parsed.lesson->hash))
      return tell(file, tr("The lesson has changed since it was taken, so the answers to it cannot "
                           "be saved."));
    wanted_ = {.learner = learner, .file = file};
    counts_ = class_counts_of(saved.answers);
    loader_.load(parsed.lesson, saved.answers);
  } catch (const std::exception& error) {
    return tell(file, QString::fromUtf8(message_of(error)));
  }
  messages_.show_message(MessageKind::kInfo, tr("Writing %1…").arg(file), file);
}

QString WindowResults::write(const QString& file, const lesson::Walk& walk,
                             const lesson::ClassCounts& counts, const QString& learner) {
  const lesson::Participant who{.name = learner.toStdString(), .program = ATTN_VERSION};
  try {
    write_file_atomically(FilePath(file).path(), lesson::results_csv(walk.records(who, counts)));
  } catch (const std::exception& error) {
    return QString::fromUtf8(message_of(error));
  }
  return {};
}

QString WindowResults::ask_name(const QString& proposed) {
  const QString message = QStringLiteral("lesson");
  bool given = false;
  QString name = QInputDialog::getText(&window_, tr("Save the results"),
                                       tr("Your name, or the number that your teacher gave you:"),
                                       QLineEdit::Normal, proposed, &given)
                     .trimmed();
  if (!given) return {};
  if (name.isEmpty())
    messages_.show_message(MessageKind::kWarning,
                           tr("Nothing was saved, because the results need a name or a number."),
                           message);
  else
    messages_.withdraw(message);
  return name;
}

QString WindowResults::ask_file(const std::string& lesson_id, const QString& learner) {
  const QString proposed =
      QString::fromStdString(lesson::results_file_name(lesson_id, learner.toStdString()));
  return ask_save_file(&window_, tr("Save the results"), FileKind::kResults, proposed.chopped(4),
                       {QStringLiteral("csv")});
}

void WindowResults::tell(const QString& file, const QString& trouble) {
  messages_.show_message(trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
                         trouble.isEmpty() ? tr("Saved %1.").arg(file) : trouble, file);
}

}  // namespace attn::gui

#include "moc_window_results.cpp"
