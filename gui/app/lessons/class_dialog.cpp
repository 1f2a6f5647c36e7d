// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/class_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "gui/models/file_path.h"
#include "gui/theme/save_dialog.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

bool is_csv(const QString& file) {
  return file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
}

QString text_of(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

ClassDialog::ClassDialog(QWidget* parent)
    : QDialog(parent), summary_(new QLabel), notes_(new QLabel), tasks_(new QTableWidget(0, 6)) {
  setWindowTitle(tr("Results of a class"));
  setAcceptDrops(true);
  resize(Theme::instance().px(900), Theme::instance().px(480));
  tasks_->setHorizontalHeaderLabels({tr("Lesson"), tr("Step"), tr("Task"), tr("Right answer"),
                                     tr("Right"), tr("Most frequent wrong answers")});
  tasks_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tasks_->setSelectionBehavior(QAbstractItemView::SelectRows);
  tasks_->setTabKeyNavigation(false);
  tasks_->setWordWrap(true);
  tasks_->setAlternatingRowColors(true);
  tasks_->setAccessibleName(tr("Tasks, with the most frequent wrong answers"));
  tasks_->verticalHeader()->hide();
  tasks_->horizontalHeader()->setStretchLastSection(true);
  notes_->setWordWrap(true);
  notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* save = buttons->addButton(tr("Save the table…"), QDialogButtonBox::ActionRole);
  connect(save, &QPushButton::clicked, this, &ClassDialog::ask_csv);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary_);
  column->addWidget(tasks_, 1);
  column->addWidget(notes_);
  column->addWidget(buttons);
}

bool ClassDialog::are_results(const QStringList& files) {
  return !files.isEmpty() && std::ranges::all_of(files, [](const QString& file) {
    if (!QFileInfo(file).isDir()) return is_csv(file);
    const QStringList names = QDir(file).entryList(QDir::Files);
    return std::ranges::any_of(names, is_csv) && !names.contains(QStringLiteral("config.json"));
  });
}

QString ClassDialog::add(const QStringList& files) {
  std::vector<std::filesystem::path> all = files_;
  for (const QString& file : files) {
    const std::filesystem::path path = FilePath(file).path();
    if (std::ranges::find(all, path) == all.end()) all.push_back(path);
  }
  try {
    table_ = lesson::collect_results(all);
  } catch (const std::exception& error) {
    return QString::fromUtf8(message_of(error));
  }
  files_ = std::move(all);
  show_table();
  return {};
}

void ClassDialog::show_table() {
  const auto learners = static_cast<int64_t>(table_.learners.size());
  summary_->setText(tr("%1. More files and folders can be dropped here.")
                        .arg(counted(learners, tr("1 result"), tr("%1 results"))));
  tasks_->setRowCount(static_cast<int>(table_.tasks.size()));
  for (int row = 0; row < tasks_->rowCount(); ++row) {
    const lesson::ClassTable::Task& task = table_.tasks[static_cast<size_t>(row)];
    QStringList wrong;
    for (const auto& one : task.wrong)
      wrong.append(tr("%1 × %2").arg(one.count).arg(text_of(one.answer)));
    const QString cells[] = {text_of(task.lesson),
                             QString::number(task.step),
                             text_of(task.task),
                             text_of(task.actual),
                             tr("%1 of %2").arg(task.correct).arg(task.answers),
                             wrong.join(QLatin1Char('\n'))};
    for (int at = 0; at < static_cast<int>(std::size(cells)); ++at) {
      auto* item = new QTableWidgetItem(cells[at]);
      item->setToolTip(text_of(task.quantity));
      tasks_->setItem(row, at, item);
    }
  }
  tasks_->resizeColumnsToContents();
  tasks_->resizeRowsToContents();
  QStringList notes;
  for (const std::string& note : table_.notes) notes.append(text_of(note));
  notes_->setText(notes.join(QLatin1Char('\n')));
  notes_->setVisible(!notes.isEmpty());
}

QString ClassDialog::write_csv(const QString& file) const {
  try {
    if (std::ranges::find(files_, FilePath(file).path()) != files_.end())
      return tr("%1 is the result of a learner, and stays as it is. Choose another name.")
          .arg(file);
    write_file_atomically(FilePath(file).path(), lesson::class_csv(table_));
    return {};
  } catch (const std::exception& error) {
    return QString::fromUtf8(message_of(error));
  }
}

void ClassDialog::ask_csv() {
  const QString file =
      ask_save_file(this, tr("Save the table"), QStringLiteral("class"), QStringLiteral("csv"));
  if (file.isEmpty()) return;
  const QString trouble = write_csv(file);
  notes_->setText(trouble.isEmpty() ? tr("Saved %1.").arg(file) : trouble);
  notes_->show();
}

void ClassDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void ClassDialog::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  if (const QString trouble = add(files); !trouble.isEmpty()) {
    notes_->setText(trouble);
    notes_->show();
  }
}

}  // namespace attn::gui

#include "moc_class_dialog.cpp"
