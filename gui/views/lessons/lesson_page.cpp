// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/lesson_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>

#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {

LessonPage::LessonPage(LessonPlayer& player, EngineBridge& bridge, Selection& selection,
                       TimeCursor& cursor, QWidget* parent)
    : QWidget(parent),
      player_(player),
      bridge_(bridge),
      selection_(selection),
      cursor_(cursor),
      scroll_(new QScrollArea),
      note_(new LessonText(TextRole::kBody, this)),
      trouble_(new LessonText(TextRole::kBody, this)),
      back_(new QToolButton),
      hint_(new QToolButton),
      skip_(new QToolButton),
      primary_(new QPushButton) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (LessonText* text : {note_, trouble_}) text->hide();
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setBackgroundRole(QPalette::Base);
  scroll_->setAccessibleName(tr("Text of the lesson"));
  scroll_->setFocusPolicy(Qt::StrongFocus);
  column->addWidget(scroll_, 1);
  build_footer(column);
  // Larger letters of the presenter and the new width of the panel come later than the step.
  const QScrollBar* bar = scroll_->verticalScrollBar();
  connect(bar, &QScrollBar::rangeChanged, this, [this] {
    if (begins_) show_question();
  });
  connect(bar, &QScrollBar::actionTriggered, this, [this] { begins_ = false; });
  // When the window closes, the page can be resized after the player is gone.
  connect(&player, &QObject::destroyed, this, [this] { begins_ = false; });
  connect(&player, &LessonPlayer::arrived, this, &LessonPage::build_step);
  connect(&player, &LessonPlayer::changed, this, &LessonPage::refresh);
}

void LessonPage::build_footer(QVBoxLayout* column) {
  auto* footer = new QWidget;
  auto* row = new QHBoxLayout(footer);
  row->setContentsMargins(12, 8, 12, 12);
  row->setSpacing(6);
  const auto tool = [&](QToolButton* button, const QString& text, const QString& name,
                        const QString& tip) {
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
  };
  tool(back_, {}, tr("Step before"), tr("Go back to the step before."));
  back_->setIcon(icon(Icon::kBack));
  tool(hint_, tr("Hint"), tr("Hint"), tr("Show the next hint."));
  tool(skip_, tr("Show me"), tr("Show me the answer"),
       tr("Go on without an answer of your own. The task does not count as right."));
  row->addStretch(1);
  primary_->setDefault(true);
  row->addWidget(primary_);
  column->addWidget(footer);
  connect(back_, &QToolButton::clicked, this, [this] {
    if (player_.can_go_back()) player_.go_to(player_.walk().step() - 1);
  });
  connect(hint_, &QToolButton::clicked, &player_, &LessonPlayer::open_hint);
  connect(skip_, &QToolButton::clicked, &player_, &LessonPlayer::skip);
  connect(primary_, &QPushButton::clicked, this, &LessonPage::go_on);
  primary_->installEventFilter(this);
}

void LessonPage::set_presenting(bool presenting) {
  if (presenting == presenting_) return;
  presenting_ = presenting;
  if (player_.is_on()) build_step();
}

void LessonPage::build_step() {
  if (!player_.is_on()) return;
  blocks_.clear();
  focused_ = 0;
  focused_next_ = false;
  note_->setParent(nullptr);
  trouble_->setParent(nullptr);
  content_ = new QWidget;
  content_->setAutoFillBackground(true);
  content_->setBackgroundRole(QPalette::Base);
  column_ = new QVBoxLayout(content_);
  column_->setContentsMargins(12, 12, 12, 12);
  column_->setSpacing(Theme::instance().px(12));
  auto* lesson = new LessonText(TextRole::kSmall);
  lesson->set_plain(QString::fromStdString(player_.lesson().about.title));
  column_->addWidget(lesson);
  auto* title = new LessonText(presenting_ ? TextRole::kLarge : TextRole::kTitle);
  title->set_plain(QString::fromStdString(player_.step().title), true);
  column_->addWidget(title);
  auto* text = new LessonText;
  text->set_markdown(player_.filled(player_.step().text));
  column_->addWidget(text);
  column_->addWidget(trouble_);
  column_->addWidget(note_);
  column_->addStretch(1);
  scroll_->setWidget(content_);
  scroll_->verticalScrollBar()->setValue(0);
  begins_ = presenting_;
  refresh();
}

void LessonPage::add_blocks() {
  bool added = false;
  if (!blocks_.empty() && blocks_.size() < player_.num_shown()) begins_ = false;
  while (blocks_.size() < player_.num_shown()) {
    auto* block =
        new TaskBlock(player_, bridge_, selection_, cursor_, blocks_.size(), presenting_, content_);
    connect(block, &TaskBlock::answer_changed, this, [this, block] {
      begins_ = false;
      refresh_footer();
      // With a board for a class's counts the page does not scroll, to keep the button under the
      // pointer.
      if (!block->board()) scroll_->ensureWidgetVisible(block);
    });
    column_->insertWidget(column_->indexOf(trouble_), block);
    block->show();
    blocks_.push_back(block);
    added = true;
  }
  if (added && (blocks_.size() > 1 || presenting_))
    QTimer::singleShot(0, this, &LessonPage::show_newest);
}

void LessonPage::show_newest() {
  if (blocks_.empty()) return;
  if (begins_) {
    column_->activate();
    return show_question();
  }
  content_->adjustSize();
  TaskBlock* newest = blocks_.back();
  const TaskBlock* told = nullptr;
  // The last told task after the predictions, or else the first told prediction.
  for (const TaskBlock* block : blocks_)
    if (!block->told().isEmpty() && (!told || block->task() >= player_.step().num_predictions()))
      told = block;
  const int top = told && told != newest ? std::min(told->y(), newest->y()) : newest->y();
  QScrollBar* bar = scroll_->verticalScrollBar();
  if (newest->geometry().bottom() > bar->value() + scroll_->viewport()->height())
    bar->setValue(std::min(top, std::max(0, content_->height() - scroll_->viewport()->height())));
}

// A class begins a step at the top of the page or, if the question does not fit there, at the top
// of the question.
void LessonPage::show_question() {
  if (!player_.is_on()) return;
  const TaskBlock* asked = asked_block();
  if (!asked) return;
  const int room = scroll_->viewport()->height();
  scroll_->verticalScrollBar()->setValue(asked->geometry().bottom() < room ? 0 : asked->y());
}

// Scrolls to the newest hint.
void LessonPage::show_hint() {
  const TaskBlock* open = open_block();
  if (!open || open->hints().empty()) return;
  content_->adjustSize();
  scroll_->ensureWidgetVisible(open->hints().back(), 0, Theme::instance().px(12));
}

void LessonPage::refresh() {
  if (!player_.is_on() || !column_) return;
  size_t told = 0, told_before = 0;
  const bool is_new = blocks_.empty();  // a step was entered
  for (const TaskBlock* block : blocks_) told_before += block->told().isEmpty() ? 0 : 1;
  add_blocks();
  const auto num_hints = [this] {
    size_t hints = 0;
    for (const TaskBlock* block : blocks_) hints += block->hints().size();
    return hints;
  };
  const size_t hints_before = num_hints();
  for (TaskBlock* block : blocks_) block->refresh();
  if (num_hints() > hints_before) QTimer::singleShot(0, this, &LessonPage::show_hint);
  for (const TaskBlock* block : blocks_) told += block->told().isEmpty() ? 0 : 1;
  if (!is_new && (told != told_before || num_hints() > hints_before)) begins_ = false;
  if (told != told_before) QTimer::singleShot(0, this, &LessonPage::show_newest);
  trouble_->set_plain(player_.trouble());
  note_->set_plain(note_text());
  refresh_footer();
  const size_t open = player_.open_task() ? *player_.open_task() + 1 : 0;
  if (open != 0 && open != focused_) {
    focused_ = open;
    focused_next_ = false;
    begin();
  } else if (open == 0 && !focused_next_) {
    focused_next_ = true;
    begin();
  }
}

LessonPage::Next LessonPage::next() const {
  using Run = LessonPlayer::Run;
  const Run run = player_.run();
  if (player_.is_trying()) return run == Run::kStopped ? Next::kRestore : Next::kWait;
  const TaskBlock* open = open_block();
  if (open && open->is_goal()) return Next::kTry;
  if (run == Run::kStopped || run == Run::kOther) return Next::kRestore;
  if (open) return open->board() ? Next::kReveal : Next::kCommit;
  if (run == Run::kRunning) return Next::kHurry;
  if (run != Run::kDone) return Next::kWait;
  if (asked_block()) return Next::kReveal;
  return player_.can_go_on() ? Next::kGoOn : Next::kLeave;
}

void LessonPage::refresh_footer() {
  if (!player_.is_on()) return;
  const Next what = next();
  const TaskBlock* open = open_block();
  struct Words {
    QString text, tip;
    bool enabled = true;
  };
  const Words words = [&]() -> Words {
    switch (what) {
      case Next::kCommit:
        return {tr("Commit"),
                open->task() + 1 < player_.step().num_predictions()
                    ? tr("Your answer becomes final; then the next question is asked. (Enter)")
                    : tr("Your answer becomes final; then the run shows the right one. (Enter)"),
                open->answer().has_value()};
      case Next::kReveal:
        return {tr("Reveal"),
                tr("End this question; the run's answer comes with bars for the class. (Enter)")};
      case Next::kTry:
        return {tr("Try"), tr("Run the scenario with these settings. (Enter)"),
                open->can_be_tried()};
      case Next::kHurry:
        return {tr("To the end"), tr("Compute the rest of the run at full speed. (Enter)")};
      case Next::kRestore:
        return {tr("Run the step again"), tr("Show the run of this step again. (Enter)")};
      case Next::kGoOn:
        return {tr("Next"), tr("Go to the next step. (Enter)")};
      case Next::kLeave:
        return {tr("Finish"), tr("Leave the lesson; the run from before comes back. (Enter)")};
      case Next::kWait:
        return {tr("Wait…"), tr("The run is being prepared."), false};
    }
    return {};
  }();
  if (was_ == Next::kHurry &&
      (what == Next::kGoOn || what == Next::kLeave || what == Next::kReveal))
    since_end_.start();
  was_ = what;
  primary_->setText(words.text);
  primary_->setToolTip(words.tip);
  primary_->setEnabled(words.enabled);
  back_->setEnabled(player_.can_go_back());
  hint_->setEnabled(player_.can_hint());
  skip_->setEnabled(open && (!player_.is_trying() || player_.run() == LessonPlayer::Run::kStopped));
}

TaskBlock* LessonPage::open_block() const {
  const std::optional<size_t> open = player_.open_task();
  return open && *open < blocks_.size() ? blocks_[*open] : nullptr;
}

// The open block, or else the first one that a class is asked again.
TaskBlock* LessonPage::asked_block() const {
  if (TaskBlock* open = open_block()) return open;
  const auto again = std::ranges::find_if(blocks_, &TaskBlock::is_counting);
  return again == blocks_.end() ? nullptr : *again;
}

QString LessonPage::note_text() const {
  switch (player_.run()) {
    case LessonPlayer::Run::kLoading:
      return tr("The run of this step is being prepared…");
    case LessonPlayer::Run::kRunning:
      return tr("The run goes on…");
    case LessonPlayer::Run::kStopped:
      return tr("The run was stopped before its end.");
    case LessonPlayer::Run::kOther:
      return tr("Another run is shown, not that of this step.");
    case LessonPlayer::Run::kWaiting:
      return {};
    case LessonPlayer::Run::kDone:
      break;
  }
  if (!player_.is_finished()) return {};
  return tr("That is the end of the lesson. %1 of %2 tasks were right at first.")
      .arg(player_.walk().right_at_first())
      .arg(player_.lesson().num_tasks());
}

void LessonPage::go_on() {
  TaskBlock* open = open_block();
  switch (next()) {
    case Next::kCommit:
      if (const auto answer = open->answer()) player_.commit(*answer);
      return;
    case Next::kReveal:
      if (is_second_half_of_next()) return;
      if (open) return player_.skip();
      asked_block()->end_counting();
      refresh();
      return begin();
    case Next::kTry:
      if (!open->can_be_tried()) return;
      trouble_->set_plain(player_.try_settings(open->settings()));
      return;
    case Next::kHurry:
      was_ = Next::kWait;  // the button has asked for the end
      return player_.hurry();
    case Next::kRestore:
      return player_.restore_run();
    case Next::kGoOn:
      player_.go_to(player_.walk().step() + 1);
      since_next_.start();
      return;
    case Next::kLeave:
      emit leave_asked();
      return;
    case Next::kWait:
      return;
  }
}

// The main button ignores the second press of a double click and a late press, because they may
// mean its earlier action.
bool LessonPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == primary_ && event->type() == QEvent::MouseButtonDblClick) return true;
  if (watched == primary_ && event->type() == QEvent::MouseButtonPress && is_late_click())
    return true;
  return QWidget::eventFilter(watched, event);
}

// Whether "To the end" gave way to Next, Finish or Reveal less than kLateClick_ms ago.
bool LessonPage::is_late_click() const {
  return since_end_.isValid() && since_end_.elapsed() < kLateClick_ms;
}

// Whether Next was pressed less than kLateClick_ms ago and the asked task's board has no counts.
bool LessonPage::is_second_half_of_next() const {
  const TaskBlock* asked = asked_block();
  return since_next_.isValid() && since_next_.elapsed() < kLateClick_ms && asked &&
         asked->board() && asked->board()->total() == 0;
}

void LessonPage::begin() {
  if (TaskBlock* asked = asked_block())
    asked->begin();
  else
    primary_->setFocus();
}

bool LessonPage::take_enter(const QKeyEvent& event) {
  const bool enter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (!enter || (event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  if (primary_->isEnabled()) go_on();
  return true;
}

void LessonPage::keyPressEvent(QKeyEvent* event) {
  if (!take_enter(*event)) QWidget::keyPressEvent(event);
}

bool LessonPage::take_key(const QKeyEvent& event) {
  const TaskBlock* open = open_block();
  if (open && open->choice() && !open->board() && open->choice()->take_key(event)) return true;
  return take_enter(event);
}

bool LessonPage::commit_place() {
  const TaskBlock* open = open_block();
  if (!open || !open->place() || next() != Next::kCommit || !open->answer()) return false;
  go_on();
  return true;
}

}  // namespace attn::gui

#include "moc_lesson_page.cpp"
