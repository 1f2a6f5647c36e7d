// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/class_dialog.h"

#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/lesson/run/answer_key.h"
#include "gui/app/language.h"
#include "gui/models/file_path.h"
#include "gui/theme/file_dialogs.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// Limits of the table that keep its layout fast: the most rows, rows whose height fits their texts,
// letters of a text, and notes.
constexpr size_t kMostRows = 1000;
constexpr int kMostFittedRows = 100;
constexpr qsizetype kMostLetters = 300, kMostNotes = 20;

QString short_text(const std::string& text) {
  const QString whole = QString::fromStdString(text);
  return whole.size() <= kMostLetters ? whole : whole.left(kMostLetters) + QChar(0x2026);
}

}  // namespace

// Shared with the thread that reads.
struct ClassDialog::Reading {
  QStringList files;
  bool dropped_here = false;  // true: dropped on the dialog, which then shows the problem itself
  std::vector<std::filesystem::path> all;
  std::atomic<bool> cancelled{false};
  lesson::ClassTable table;
  QString trouble;
};

ClassDialog::ClassDialog(QWidget* parent)
    : QDialog(parent),
      shipped_(program_language().toStdString()),
      summary_(new QLabel),
      notes_(new QLabel),
      tasks_(new QTableWidget(0, 7)) {
  setWindowTitle(tr("Results of a class"));
  setAcceptDrops(true);
  const QSize wanted(Theme::instance().px(900), Theme::instance().px(480));
  resize(parent ? wanted.boundedTo(parent->window()->size()) : wanted);
  tasks_->setHorizontalHeaderLabels({tr("Lesson"), tr("Step"), tr("Task"), tr("Right answer"),
                                     tr("Right at first"), tr("In the end"),
                                     tr("Most frequent wrong answers")});
  tasks_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tasks_->setSelectionBehavior(QAbstractItemView::SelectRows);
  tasks_->setTabKeyNavigation(false);
  tasks_->setWordWrap(true);
  tasks_->setAlternatingRowColors(true);
  tasks_->setAccessibleName(tr("Tasks, with the most frequent wrong answers"));
  tasks_->verticalHeader()->hide();
  tasks_->horizontalHeader()->setResizeContentsPrecision(kMostFittedRows);
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
  thread_.setMaxThreadCount(1);
}

ClassDialog::~ClassDialog() {
  if (reading_) reading_->cancelled = true;
  if (is_reading()) emit given_up();
}

void ClassDialog::add(const QStringList& files) {
  take(files, false);
}

void ClassDialog::take(const QStringList& files, bool dropped_here) {
  auto reading = std::make_shared<Reading>();
  reading->files = files;
  reading->dropped_here = dropped_here;
  waiting_.push_back(std::move(reading));
  if (!reading_) read_next();
}

void ClassDialog::read_next() {
  if (waiting_.empty()) return;
  reading_ = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  reading_->all = files_;
  for (const QString& file : reading_->files) {
    const std::filesystem::path path = FilePath(file).path();
    if (std::ranges::find(reading_->all, path) == reading_->all.end())
      reading_->all.push_back(path);
  }
  thread_.start([this, reading = reading_] {
    try {
      reading->table =
          lesson::collect_results(reading->all, [&] { return !reading->cancelled.load(); });
    } catch (const std::exception& error) {
      reading->trouble = QString::fromUtf8(message_of(error));
    }
    QMetaObject::invokeMethod(
        this, [this] { finish(); }, Qt::QueuedConnection);
  });
}

void ClassDialog::finish() {
  const std::shared_ptr<Reading> read = std::exchange(reading_, nullptr);
  if (read->trouble.isEmpty()) {
    files_ = std::move(read->all);
    table_ = std::move(read->table);
    lesson::name_tasks(table_, shipped_);
    show_table();
  } else if (read->dropped_here) {
    notes_->setText(read->trouble);
    notes_->show();
  }
  if (!read->dropped_here) emit added(read->files, read->trouble);
  read_next();
}

// The right answer; of a goal one solution.
QString ClassDialog::right_words(const lesson::ClassTable::Task& row) {
  const lesson::Lesson* lesson = shipped_.find(row.lesson);
  const lesson::Task* task = lesson ? lesson::find_task(*lesson, row.task) : nullptr;
  const auto* goal = task ? std::get_if<lesson::Goal>(&task->form) : nullptr;
  if (!goal) return short_text(row.actual);
  return tr("For example: %1.")
      .arg(QString::fromStdString(lesson::solution_words(*goal, lesson->about.language)));
}

void ClassDialog::show_table() {
  const auto learners = static_cast<int64_t>(table_.learners.size());
  summary_->setText(tr("%1. More files and folders can be dropped here.")
                        .arg(counted(learners, tr("1 result"), tr("%1 results"))));
  tasks_->setRowCount(static_cast<int>(std::min(table_.tasks.size(), kMostRows)));
  for (int row = 0; row < tasks_->rowCount(); ++row) {
    const lesson::ClassTable::Task& task = table_.tasks[static_cast<size_t>(row)];
    QStringList wrong;
    for (const auto& one : task.wrong)
      wrong.append(tr("%1 × %2").arg(one.count).arg(short_text(one.answer)));
    const QString cells[] = {short_text(task.title),
                             QString::number(task.step),
                             short_text(task.question),
                             right_words(task),
                             tr("%1 of %2").arg(task.at_first).arg(task.answers),
                             tr("%1 of %2").arg(task.correct).arg(task.answers),
                             wrong.join(QLatin1Char('\n'))};
    for (int at = 0; at < static_cast<int>(std::size(cells)); ++at) {
      auto* item = new QTableWidgetItem(cells[at]);
      item->setToolTip(short_text(task.task + ": " + task.quantity));
      tasks_->setItem(row, at, item);
    }
  }
  tasks_->resizeColumnsToContents();
  // Long words are wrapped.
  for (const int column : {0, 2, 3})
    tasks_->setColumnWidth(column,
                           std::min(tasks_->columnWidth(column), Theme::instance().px(220)));
  const int fitted = std::min(tasks_->rowCount(), kMostFittedRows);
  for (int row = 0; row < fitted; ++row) tasks_->resizeRowToContents(row);
  QStringList notes;
  if (table_.tasks.size() > kMostRows)
    notes.append(tr("Only the first %1 of %2 tasks are listed. The saved table has all of them.")
                     .arg(kMostRows)
                     .arg(table_.tasks.size()));
  for (size_t i = 0; i < table_.notes.size(); ++i) {
    if (notes.size() >= kMostNotes) {
      notes.append(tr("And %1 more.").arg(table_.notes.size() - i));
      break;
    }
    notes.append(short_text(table_.notes[i]));
  }
  notes_->setText(notes.join(QLatin1Char('\n')));
  notes_->setVisible(!notes.isEmpty());
}

QString ClassDialog::write_csv(const QString& file) const {
  try {
    if (std::ranges::find(files_, FilePath(file).path()) != files_.end())
      return tr("%1 has results of the class and is not replaced. Choose another name.").arg(file);
    write_file_atomically(FilePath(file).path(), lesson::class_csv(table_));
    return {};
  } catch (const std::exception& error) {
    return QString::fromUtf8(message_of(error));
  }
}

void ClassDialog::ask_csv() {
  const QString file = ask_save_file(this, tr("Save the table"), FileKind::kResults,
                                     QStringLiteral("class"), {QStringLiteral("csv")});
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
  take(files, true);
}

}  // namespace attn::gui

#include "moc_class_dialog.cpp"
