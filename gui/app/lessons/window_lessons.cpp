// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/window_lessons.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "gui/app/language.h"
#include "gui/app/recovery/recovery.h"
#include "gui/app/view_registry.h"
#include "gui/models/file_path.h"
#include "gui/theme/file_dialogs.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

const QString kMessage = QStringLiteral("lesson");

bool asks_about_no_cache(const lesson::Step& step) {
  const auto is_about = [](const lesson::Expression& expression) {
    return std::ranges::any_of(expression.nodes, [](const lesson::Expression::Node& node) {
      return node.call.name == "tokens_without_cache";
    });
  };
  return std::ranges::any_of(step.tasks, [&](const lesson::Task& task) {
    if (const auto* number = std::get_if<lesson::NumberQuestion>(&task.form))
      return is_about(number->measure.expression);
    const auto* choice = std::get_if<lesson::ChoiceQuestion>(&task.form);
    return choice && choice->measure && is_about(*choice->measure);
  });
}

}  // namespace

WindowLessons::WindowLessons(const LessonTargets& targets)
    : targets_(targets),
      progress_(targets.keep),
      player_(targets.control, targets.selection, targets.cursor, progress_),
      handouts_(targets.window, targets.messages, this),
      results_(targets.window, targets.messages, progress_, this),
      panel_(new LessonPanel(player_, progress_, targets.control.bridge(), targets.selection,
                             targets.cursor)),
      dock_(new QDockWidget(tr("Lessons"), &targets.window)),
      spotlight_(new Spotlight(&targets.attention)),
      start_here_(new QAction(tr("Start here"), this)),
      again_(new QAction(tr("Begin the lesson again"), this)),
      leave_(new QAction(tr("Leave the lesson"), this)) {
  dock_->setObjectName(QStringLiteral("lessons"));
  dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock_->setTitleBarWidget(new QWidget);  // the panel has its own header
  dock_->setWidget(panel_);
  targets_.window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  targets_.window.addDockWidget(Qt::RightDockWidgetArea, dock_);
  dock_->hide();
  width_ = new LessonWidth(targets_.window, *dock_, targets_.attention, targets_.views);
  connect(&targets_.layouts, &WindowLayouts::sized, width_, [this] { width_->keep(); });
  targets_.messages.keep_free(*dock_);
  qApp->installEventFilter(this);
  for (const auto pointed : {&Selection::changed, &Selection::shown_changed})
    connect(&targets_.selection, pointed, this, &WindowLessons::place_pointed);
  connect(&targets_.cursor, &TimeCursor::moved, this, &WindowLessons::place_pointed);
  connect(targets_.actions.lessons, &QAction::triggered, this, &WindowLessons::show);
  connect(start_here_, &QAction::triggered, this, &WindowLessons::start_here);
  connect(again_, &QAction::triggered, this, qOverload<>(&WindowLessons::begin_again));
  connect(leave_, &QAction::triggered, this, &WindowLessons::leave);
  start_here_->setWhatsThis(
      tr("Open the first lesson that is not done; if all are done, lesson 1"));
  again_->setWhatsThis(
      tr("Go to the first step, and forget the answers and counts of this lesson; the list of "
         "lessons keeps its best result"));
  leave_->setWhatsThis(tr("Leave the lessons, and go back to the work from before"));
  connect(&targets_.menu, &QMenu::aboutToShow, this, &WindowLessons::refresh_menu);
  connect(panel_, &LessonPanel::chosen, this, [this](const QString& file) { open(file); });
  connect(panel_->list(), &LessonList::again_asked, this,
          qOverload<const QString&>(&WindowLessons::begin_again));
  connect(panel_->list(), &LessonList::results_asked, &results_, &WindowResults::ask_kept);
  connect(panel_->list(), &LessonList::handout_asked, this,
          [this](const QString& file, bool teacher) {
            const std::vector<LessonEntry>& all = panel_->list()->entries();
            const auto entry = std::ranges::find(all, file, &LessonEntry::file);
            if (entry != all.end()) handouts_.ask(file, entry->id, teacher);
          });
  connect(panel_, &LessonPanel::leave_asked, this, &WindowLessons::leave);
  connect(panel_, &LessonPanel::results_asked, this, &WindowLessons::ask_results);
  connect(panel_, &LessonPanel::handout_asked, this, &WindowLessons::ask_handout);
  connect(panel_, &LessonPanel::presenting_changed, this, [this](bool on) {
    Theme::instance().set_projector(on || targets_.layouts.current() == QLatin1String("teach"));
    // A class does not need the offer of unsaved work. Open recent and the next start have it.
    if (on) targets_.messages.withdraw(Recovery::kAction);
  });
  connect(&targets_.control, &RunControl::lesson_asked, this,
          [this](const QString& file) { open(file); });
  connect(&targets_.control, &RunControl::results_asked, this, &WindowLessons::take_results);
  connect(&loader_, &LessonLoader::progressed, panel_, &LessonPanel::show_progress);
  connect(&loader_, &LessonLoader::loaded, this, &WindowLessons::loaded);
  connect(&loader_, &LessonLoader::failed, this, [this](const QStringList& reasons) {
    panel_->show_mistakes(file_, reasons);
    panel_->begin();
    emit failed(reasons);
  });
  connect(&player_, &LessonPlayer::view_wanted, this, &WindowLessons::show_view);
  connect(&player_, &LessonPlayer::ring_wanted, this, &WindowLessons::ring);
  connect(&player_, &LessonPlayer::arrived, this, &WindowLessons::hide_panels);
  connect(&player_, &LessonPlayer::arrived, this, &WindowLessons::leave_job);
  connect(&player_, &LessonPlayer::changed, this, &WindowLessons::player_changed);
  // Queued: the panels know their new minimum sizes only in the next turn of the event loop.
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    if (is_open())
      QMetaObject::invokeMethod(
          width_, [this] { width_->place(); }, Qt::QueuedConnection);
  });
  // The end of the lesson brings the user's run back, so the message that offers this is withdrawn.
  // Undo does not lead to the run of the lesson, which is no work of the user.
  connect(&targets_.control.bridge(), &EngineBridge::run_started, this, [this] {
    if (quiet_ || player_.is_on()) targets_.messages.withdraw(QStringLiteral("run replaced"));
    if (std::exchange(quiet_, false)) targets_.control.forget_earlier();
  });
}

WindowLessons::~WindowLessons() = default;

const std::vector<LessonEntry>& WindowLessons::entries() {
  if (!entries_read_) entries_ = shipped_lesson_entries(program_language());
  entries_read_ = true;
  return entries_;
}

// --- the menu ---

void WindowLessons::refresh_menu() {
  QMenu& menu = targets_.menu;
  menu.clear();
  for (QMenu* part : menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
    part->deleteLater();
  menu.setToolTipsVisible(true);
  menu.addAction(start_here_);
  refuse(*start_here_, entries().empty() ? tr("no lessons are installed") : QString());
  menu.addAction(targets_.actions.lessons);
  menu.addSeparator();
  QMenu* part = nullptr;
  for (const LessonEntry& entry : entries()) {
    if (!part || part->title() != entry.part)
      part = menu.addMenu(entry.part.isEmpty() ? tr("All lessons") : entry.part);
    QString text =
        entry.number.isEmpty() ? entry.title : tr("%1 %2").arg(entry.number, entry.title);
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction* action = part->addAction(text, this, [this, file = entry.file] { open(file); });
    const SavedLesson saved = progress_.of(entry.progress);
    action->setToolTip(state_words(entry, saved));
    action->setWhatsThis(state_words(entry, saved));
    action->setCheckable(true);
    action->setChecked(saved.was_done());
  }
  menu.addSeparator();
  QAction* file = menu.addAction(tr("Open a lesson file…"), this, [this] {
    const QString name = ask_open_file(&targets_.window, tr("Open a lesson"), FileKind::kLesson,
                                       tr("Lessons (*.md);;All files (*)"));
    if (!name.isEmpty()) open(name);
  });
  file->setWhatsThis(tr("Open a lesson from a file"));
  QAction* results = menu.addAction(tr("Results of a class…"), this, [this] {
    const QString folder = ask_open_folder(
        &targets_.window, tr("The folder with the results of the learners"), FileKind::kResults);
    if (!folder.isEmpty()) take_results({folder});
  });
  results->setWhatsThis(tr("Show how a class answered: right answers and frequent wrong ones"));
  const QString no_lesson = player_.is_on() ? QString() : tr("no lesson is open");
  for (const bool teacher : {false, true}) {
    QAction* handout = menu.addAction(LessonPanel::handout_words(teacher), this,
                                      [this, teacher] { ask_handout(teacher); });
    handout->setWhatsThis(LessonPanel::handout_meaning(teacher));
    refuse(*handout, no_lesson);
  }
  QAction* save = menu.addAction(tr("Save the results…"), this, &WindowLessons::ask_results);
  save->setWhatsThis(tr("Save the answers to this lesson as a table (CSV)."));
  refuse(*save, no_lesson);
  QToolButton* switched = panel_->presenter_button();
  QAction* presenter = menu.addAction(tr("Presenter"), switched, &QToolButton::toggle);
  presenter->setWhatsThis(switched->toolTip());
  presenter->setCheckable(true);
  presenter->setChecked(switched->isChecked());
  refuse(*presenter, no_lesson);
  menu.addAction(again_);
  refuse(*again_, no_lesson);
  menu.addAction(leave_);
  refuse(*leave_, is_open() ? QString() : tr("no lesson is open"));
}

void WindowLessons::start_here() {
  if (entries().empty()) return;
  const auto next = std::ranges::find_if(entries(), [this](const LessonEntry& entry) {
    return entry.mistakes == 0 && !progress_.of(entry.progress).was_done();
  });
  open((next == entries().end() ? entries().front() : *next).file);
}

void WindowLessons::offer_start() {
  // may_offer() comes first, because entries() reads the lessons.
  if (!progress_.may_offer() || entries().empty()) return;
  progress_.note_offer();
  targets_.messages.offer(
      MessageKind::kInfo,
      tr("New here? The first lesson takes about %1 minutes.").arg(entries().front().minutes),
      *start_here_, QStringLiteral("start here"), Leaves::kWhenAnswered);
}

void WindowLessons::take_results(const QStringList& files) {
  if (!class_dialog_) {
    class_dialog_ = new ClassDialog(&targets_.window);
    class_dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(class_dialog_, &ClassDialog::added, this, &WindowLessons::results_read);
    connect(class_dialog_, &ClassDialog::given_up, &targets_.control, &RunControl::asked_ended);
  }
  class_dialog_->add(files);
}

void WindowLessons::results_read(const QStringList& files, const QString& trouble) {
  if (!trouble.isEmpty())
    targets_.messages.show_message(MessageKind::kError, trouble,
                                   kMessage + QLatin1Char(' ') + files.front());
  if (!class_dialog_->is_empty()) {
    class_dialog_->show();
    class_dialog_->raise();
  } else if (!class_dialog_->is_reading()) {
    class_dialog_->deleteLater();
    class_dialog_ = nullptr;
  }
  targets_.control.asked_ended();
}

// --- coming and going ---

void WindowLessons::enter() {
  if (is_open()) return;
  targets_.messages.withdraw(QStringLiteral("start here"));
  // If the user's work from before an earlier lesson is still being given back, it is kept for this
  // lesson.
  if (work_)
    disconnect(work_.get(), &UserWork::given_back, this, nullptr);
  else
    work_ = std::make_unique<UserWork>(targets_.control, targets_.session);
  made_wide_ = !targets_.layouts.is_wide();
  targets_.layouts.set_wide(true);
  dock_->show();
  width_->place();
}

void WindowLessons::show() {
  enter();
  if (player_.is_on() || is_busy()) return panel_->begin();
  entries_read_ = false;
  panel_->show_list(entries());
}

void WindowLessons::open(const QString& name_or_file, std::optional<size_t> step) {
  lesson::ParsedLesson parsed;
  QString file = name_or_file;
  try {
    const std::filesystem::path path = lesson::find_lesson(FilePath(name_or_file).path().string(),
                                                           program_language().toStdString());
    file = FilePath(path).shown();
    parsed = lesson::read_lesson(path);
  } catch (const std::exception& error) {
    return targets_.messages.show_message(MessageKind::kError, QString::fromUtf8(message_of(error)),
                                          kMessage + QLatin1Char(' ') + name_or_file);
  }
  if (!parsed.lesson) {
    QStringList mistakes;
    for (const lesson::Mistake& mistake : parsed.mistakes)
      mistakes.append(QString::fromUtf8(mistake.error(parsed.origin).what()));
    return tell_mistakes(file, mistakes);
  }
  targets_.messages.withdraw(kMessage);
  loader_.cancel();
  ran_ = ran_ || player_.has_run();
  if (player_.is_on()) player_.end();
  enter();
  wanted_step_ = step;
  file_ = file;
  panel_->show_busy(QString::fromStdString(parsed.lesson->about.title));
  const QString kept_as = progress_name(parsed.lesson->about);
  const SavedLesson saved = progress_.of(kept_as);
  const bool same = saved.hash == QString::fromStdString(parsed.lesson->hash);
  // The result of a lesson that was done is kept until the learner answers anew. Other progress of
  // a lesson that has changed is forgotten.
  const bool resumes = same && !saved.is_done();
  if (!same && !saved.is_done()) progress_.forget_answers(kept_as);
  if (resumes && !step) wanted_step_ = static_cast<size_t>(saved.step);
  loader_.load(parsed.lesson, resumes ? saved.answers : QJsonObject());
}

// The panel lists all mistakes, unless a lesson is on or being loaded.
void WindowLessons::tell_mistakes(const QString& file, const QStringList& mistakes) {
  const QString first = mistakes.value(0);
  targets_.messages.show_message(MessageKind::kError,
                                 mistakes.size() == 1
                                     ? tr("This lesson has a mistake. %1").arg(first)
                                     : tr("This lesson has %1 mistakes. The first: %2")
                                           .arg(QString::number(mistakes.size()), first),
                                 kMessage + QLatin1Char(' ') + file);
  if (player_.is_on() || loader_.is_loading()) return;
  enter();
  // Later, so that this function returns before the panel is filled.
  QTimer::singleShot(0, panel_, [this, file, mistakes] {
    if (player_.is_on() || loader_.is_loading()) return;
    panel_->show_mistakes(file, mistakes);
    panel_->begin();
  });
}

void WindowLessons::loaded(const std::shared_ptr<lesson::Walk>& walk) {
  if (!may_begin()) return leave();
  results_.forget_name();
  player_.begin(walk, wanted_step_);
}

// If the run is too large to be kept during a lesson, asks the user first.
bool WindowLessons::may_begin() {
  if (!work_ || work_->can_be_kept()) return true;
  QMessageBox box(QMessageBox::Question, tr("Lessons"),
                  tr("The run that is shown is too large to be kept during a lesson."),
                  QMessageBox::Cancel, &targets_.window);
  box.setInformativeText(
      tr("The scenario of the run is kept. A saved session keeps the whole run."));
  const QAbstractButton* save = box.addButton(tr("Save session…"), QMessageBox::AcceptRole);
  const QAbstractButton* go_on =
      box.addButton(tr("Go on without saving"), QMessageBox::DestructiveRole);
  box.exec();
  if (box.clickedButton() == save) targets_.session.ask_save();
  return box.clickedButton() == go_on;
}

void WindowLessons::leave() {
  if (!is_open()) return;
  loader_.cancel();
  const bool ran = std::exchange(ran_, false) || player_.has_run();
  player_.end();
  ring(false, {});
  panel_->presenter_button()->setChecked(false);
  dock_->hide();
  hide_panels();
  if (made_wide_) targets_.layouts.set_wide(false);
  if (QWidget* view = targets_.attention.currentWidget()) view->setFocus();
  if (!work_ || !ran) {
    work_.reset();
    // With --lesson the window has started no run.
    if (!targets_.control.has_begun() && !targets_.session.is_busy()) targets_.control.start();
    emit left();
    return;
  }
  quiet_ = true;
  connect(work_.get(), &UserWork::given_back, this, [this](bool was_running) {
    work_.release()->deleteLater();
    if (was_running)
      targets_.messages.show_message(MessageKind::kInfo,
                                     tr("Your run is back, as far as it had been computed. Press "
                                        "Space to run it from the beginning."),
                                     kMessage);
    emit left();
  });
  work_->give_back();
}

void WindowLessons::begin_again() {
  if (!player_.is_on()) return;
  results_.forget_name();
  player_.begin_again();
}

void WindowLessons::begin_again(const QString& file) {
  const std::vector<LessonEntry>& all = panel_->list()->entries();
  const auto entry = std::ranges::find(all, file, &LessonEntry::file);
  if (entry != all.end()) progress_.forget_answers(entry->progress);
  open(file);
}

bool WindowLessons::is_busy() const {
  return loader_.is_loading() ||
         (player_.is_on() && (player_.run() == LessonPlayer::Run::kLoading ||
                              player_.run() == LessonPlayer::Run::kRunning));
}

// --- what the lesson shows ---

View* WindowLessons::view(const QString& name) const {
  const auto at = std::ranges::find_if(
      targets_.views, [&](const View* view) { return view->objectName() == name; });
  return at == targets_.views.end() ? nullptr : *at;
}

void WindowLessons::show_view(const QString& name) {
  View* shown = view(name);
  if (!shown) return;
  if (targets_.attention.indexOf(shown) >= 0) return targets_.attention.setCurrentWidget(shown);
  auto* dock = qobject_cast<QDockWidget*>(shown->parentWidget());
  if (!dock) return;
  if (!dock->isHidden()) return;  // the user may have chosen its size
  dock->show();
  dock->raise();
  if (!targets_.layouts.is_wide()) return;
  // Queued: the panel gets its place in the window in the next turn of the event loop.
  QMetaObject::invokeMethod(
      width_, [this] { width_->place(); }, Qt::QueuedConnection);
  const int height = targets_.window.height();
  targets_.window.resizeDocks({dock}, {height * 42 / 100}, Qt::Vertical);
}

void WindowLessons::hide_panels() {
  if (!targets_.layouts.is_wide()) return;
  for (const View* one : targets_.views)
    if (auto* dock = qobject_cast<QDockWidget*>(one->parentWidget());
        dock && player_.is_on() && !player_.uses_view(one->objectName()))
      dock->hide();
}

// A view with a job shows what its job made of another run, so it does not stay in front of a step
// that begins with a panel such as Blocks. The tab of an earlier step comes back, or the first tab.
void WindowLessons::leave_job() {
  const QWidget* front = targets_.attention.currentWidget();
  const ViewEntry* entry = front ? find_view(front->objectName().toStdString()) : nullptr;
  if (!entry || !entry->job) return;
  int tab = 0;
  const lesson::Walk& walk = player_.walk();
  for (size_t step = 0; step <= walk.step(); ++step) {
    View* named = view(QString::fromStdString(walk.lesson().steps[step].view));
    const int at = named ? targets_.attention.indexOf(named) : -1;
    if (at >= 0) tab = at;
  }
  targets_.attention.setCurrentIndex(tab);
}

void WindowLessons::ring(bool on, const QString& name) {
  View* where =
      name.isEmpty() ? qobject_cast<View*>(targets_.attention.currentWidget()) : view(name);
  spotlight_->show_on(on ? where : nullptr);
  // Queued, because the view may get another size first.
  if (on && where) QTimer::singleShot(0, where, &View::reveal_selection);
  if (name.isEmpty() || !where || player_.run() != LessonPlayer::Run::kDone) return;
  // A view such as Compare shows nothing before its job is started.
  ViewChoices choices;
  choices.compare = kCompareWords[asks_about_no_cache(player_.step()) ? 1 : 0];
  where->refresh_job(choices);
}

// While the lesson waits for a prediction, Run, Next and runs that views start are refused.
void WindowLessons::player_changed() {
  const bool waits = player_.is_on() && player_.run() == LessonPlayer::Run::kWaiting;
  const QString why = waits ? tr("the lesson first asks what you expect") : QString();
  for (QAction* action : {targets_.actions.run, targets_.actions.step})
    if (refusal_of(*action) != why || action->isEnabled() != why.isEmpty()) refuse(*action, why);
  for (View* view : targets_.views) view->refuse_runs(why);
}

// --- keys ---

// Whether a view has the keyboard focus, and not a field, list or button in it.
bool WindowLessons::is_in_view() const {
  const QWidget* focused = targets_.window.focusWidget();
  if (!focused || qobject_cast<const QLineEdit*>(focused) ||
      qobject_cast<const QAbstractSpinBox*>(focused) || qobject_cast<const QComboBox*>(focused) ||
      qobject_cast<const QAbstractButton*>(focused) ||
      qobject_cast<const QAbstractItemView*>(focused))
    return false;
  return std::ranges::any_of(targets_.views, [&](const View* view) {
    return view == focused || view->isAncestorOf(focused);
  });
}

void WindowLessons::place_pointed() {
  pointed_ = player_.is_on() && is_in_view();
}

bool WindowLessons::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && player_.is_on() && is_open() && is_in_view() &&
      take_key(watched, *static_cast<QKeyEvent*>(event)))
    return true;
  return QObject::eventFilter(watched, event);
}

// Keys that a view does not use reach the window, which gives them to the lesson. Most views use
// Enter themselves. But an Enter right after a place was chosen in a view commits this place as the
// answer.
bool WindowLessons::take_key(QObject* watched, const QKeyEvent& event) {
  if (watched == &targets_.window) return panel_->page()->take_key(event);
  if (watched != targets_.window.focusWidget()) return false;
  const bool enter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  const bool plain = (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  return std::exchange(pointed_, false) && enter && plain && panel_->page()->commit_place();
}

// --- results ---

void WindowLessons::ask_results() {
  if (player_.keeps_result())
    results_.ask_kept(file_);
  else if (player_.is_on())
    results_.ask(player_);
}

void WindowLessons::ask_handout(bool teacher) {
  if (player_.is_on())
    handouts_.ask(file_, QString::fromStdString(player_.lesson().about.id), teacher);
}

QString WindowLessons::write_results(const QString& file, const QString& learner) const {
  if (!player_.is_on()) return tr("No lesson is open.");
  return WindowResults::write(file, player_.walk(), player_.class_counts(), learner);
}

}  // namespace attn::gui

#include "moc_window_lessons.cpp"
