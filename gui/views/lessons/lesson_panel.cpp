// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/lesson_panel.h"

#include <QFileInfo>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {

LessonPanel::LessonPanel(LessonPlayer& player, const LessonProgress& progress, EngineBridge& bridge,
                         Selection& selection, TimeCursor& cursor, QWidget* parent)
    : QWidget(parent),
      player_(player),
      header_(new PanelHeader(tr("Lessons"), this)),
      presenter_(new QToolButton),
      handout_(new QToolButton),
      results_(new QToolButton),
      close_(new QToolButton),
      stack_(new QStackedWidget),
      list_(new LessonList(progress)),
      page_(new LessonPage(player, bridge, selection, cursor)) {
  set_up_switch(presenter_, tr("Presenter"), tr("Presenter"),
                tr("For a class: questions in large letters; you enter how many give each answer, "
                   "and bars show it."));
  presenter_->setChecked(false);
  set_up_tool(results_, Icon::kSave, tr("Save the results"),
              tr("Save the answers to this lesson as a table (CSV)."));
  build_handout_menu();
  set_up_tool(close_, Icon::kClose, tr("Leave the lesson"),
              tr("Leave the lessons; the run from before comes back."));
  for (QToolButton* control : {presenter_, handout_, results_, close_})
    header_->add_control(control);
  stack_->addWidget(list_);
  stack_->addWidget(busy_page_ = build_busy());
  stack_->addWidget(build_mistakes());
  stack_->addWidget(page_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(header_);
  column->addWidget(stack_, 1);
  connect(list_, &LessonList::chosen, this, &LessonPanel::chosen);
  connect(page_, &LessonPage::leave_asked, this, &LessonPanel::leave_asked);
  connect(close_, &QToolButton::clicked, this, &LessonPanel::leave_asked);
  connect(results_, &QToolButton::clicked, this, &LessonPanel::results_asked);
  connect(presenter_, &QToolButton::toggled, this, [this](bool on) {
    page_->set_presenting(on);
    emit presenting_changed(on);
  });
  connect(&player, &LessonPlayer::arrived, this, &LessonPanel::show_lesson);
  connect(&player, &LessonPlayer::changed, this, &LessonPanel::refresh_header);
  connect(&Theme::instance(), &Theme::changed, this, &LessonPanel::restyle);
  restyle();
  refresh_header();
}

QString LessonPanel::handout_words(bool teacher) {
  return LessonList::handout_words(teacher);
}

QString LessonPanel::handout_meaning(bool teacher) {
  return teacher ? tr("Write the lesson as a PDF file to print, with the answers, hints and "
                      "explanations")
                 : tr("Write the lesson as a PDF file to print, with boxes for the answers");
}

void LessonPanel::build_handout_menu() {
  set_up_tool(handout_, Icon::kExport, tr("Hand-out"),
              tr("The lesson on paper: for learners, or with the answers."));
  handout_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(handout_);
  menu->setToolTipsVisible(true);
  for (const bool teacher : {false, true}) {
    QAction* action = menu->addAction(handout_words(teacher), this,
                                      [this, teacher] { emit handout_asked(teacher); });
    action->setToolTip(handout_meaning(teacher));
  }
  handout_->setMenu(menu);
}

QWidget* LessonPanel::build_busy() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  busy_text_ = new LessonText;
  busy_ = new QProgressBar;
  busy_->setTextVisible(false);
  busy_->setAccessibleName(tr("Runs of the lesson that have been computed"));
  auto* cancel = new QPushButton(tr("Cancel"));
  connect(cancel, &QPushButton::clicked, this, &LessonPanel::leave_asked);
  column->addWidget(busy_text_);
  column->addWidget(busy_);
  column->addWidget(cancel, 0, Qt::AlignLeft);
  column->addStretch(1);
  return page;
}

QWidget* LessonPanel::build_mistakes() {
  mistakes_ = new QScrollArea;
  mistakes_->setWidgetResizable(true);
  mistakes_->setFrameShape(QFrame::NoFrame);
  mistakes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  mistakes_->setBackgroundRole(QPalette::Base);
  mistakes_->setAccessibleName(tr("Mistakes of the lesson"));
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  mistakes_column_ = new QVBoxLayout(content);
  mistakes_column_->setContentsMargins(12, 12, 12, 12);
  mistakes_column_->setSpacing(10);
  mistakes_title_ = new LessonText(TextRole::kTitle);
  mistakes_column_->addWidget(mistakes_title_);
  again_ = new QPushButton(tr("Try again"));
  again_->setToolTip(tr("Open the file again once you have changed it."));
  connect(again_, &QPushButton::clicked, this, [this] { emit chosen(mistaken_file_); });
  mistakes_column_->addWidget(again_, 0, Qt::AlignLeft);
  mistakes_column_->addStretch(1);
  mistakes_->setWidget(content);
  return mistakes_;
}

void LessonPanel::show_list(std::vector<LessonEntry> entries) {
  list_->set_entries(std::move(entries));
  stack_->setCurrentWidget(list_);
  refresh_header();
  if (isVisible()) list_->begin();
}

void LessonPanel::show_busy(const QString& title) {
  busy_text_->set_plain(tr("Preparing %1: the runs of its steps are computed…").arg(title));
  busy_->setRange(0, 0);
  stack_->setCurrentWidget(busy_page_);
  refresh_header();
}

void LessonPanel::show_progress(int done, int all) {
  busy_->setRange(0, all);
  busy_->setValue(done);
}

void LessonPanel::show_mistakes(const QString& file, const QStringList& mistakes) {
  for (LessonText* line : mistake_lines_) line->deleteLater();
  mistake_lines_.clear();
  mistaken_file_ = file;
  const QString name = QFileInfo(file).fileName();
  mistakes_title_->set_plain(
      mistakes.size() == 1
          ? tr("%1 cannot be opened. It has one mistake:").arg(name)
          : tr("%1 cannot be opened. It has %2 mistakes:").arg(name).arg(mistakes.size()));
  constexpr qsizetype kMostShown = 20;
  QStringList shown = mistakes.mid(0, kMostShown);
  if (mistakes.size() > kMostShown)
    shown.append(tr("And %1 more.").arg(mistakes.size() - kMostShown));
  for (const QString& mistake : shown) {
    auto* line = new LessonText;
    line->set_plain(mistake);
    mistakes_column_->insertWidget(mistakes_column_->indexOf(again_), line);
    mistake_lines_.push_back(line);
  }
  stack_->setCurrentWidget(mistakes_);
  refresh_header();
}

QString LessonPanel::mistakes_text() const {
  if (stack_->currentWidget() != mistakes_) return {};
  QStringList all{mistakes_title_->plain()};
  for (const LessonText* line : mistake_lines_) all.append(line->plain());
  return all.join(QLatin1Char('\n'));
}

void LessonPanel::show_lesson() {
  stack_->setCurrentWidget(page_);
  refresh_header();
}

void LessonPanel::begin() {
  if (stack_->currentWidget() == list_)
    list_->begin();
  else if (stack_->currentWidget() == page_)
    page_->begin();
  else if (stack_->currentWidget() == mistakes_)
    again_->setFocus();
  else
    close_->setFocus();
}

void LessonPanel::refresh_header() {
  const bool taken = player_.is_on() && stack_->currentWidget() == page_;
  header_->set_title(taken ? tr("Lesson") : tr("Lessons"));
  header_->set_detail(
      taken ? tr("%1 of %2").arg(player_.walk().step() + 1).arg(player_.lesson().steps.size())
            : QString());
  presenter_->setVisible(taken);
  handout_->setVisible(taken);
  results_->setVisible(taken);
}

QSize LessonPanel::sizeHint() const {
  return {Theme::instance().px(340), Theme::instance().px(480)};
}

void LessonPanel::restyle() {
  setMinimumWidth(Theme::instance().px(240));
  busy_->setFixedHeight(Theme::instance().px(6));
}

void LessonPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::instance().colors().surface);
  painter.fillRect(0, 0, 1, height(), Theme::instance().colors().line);
}

std::vector<KeyHelp> lesson_key_help() {
  return {{LessonPanel::tr("Enter"),
           LessonPanel::tr("Press the main button, such as Commit, Try or Next")},
          {LessonPanel::tr("1 to 9"), LessonPanel::tr("Choose an answer: 1 is the first one")},
          {LessonPanel::tr("Up, Down"),
           LessonPanel::tr("Change a number; go to the answer above or below, or in the list of "
                           "lessons to another lesson")},
          {LessonPanel::tr("Tab"),
           LessonPanel::tr("Next field or button, such as Hint, Show me or Step before")}};
}

}  // namespace attn::gui

#include "moc_lesson_panel.cpp"
