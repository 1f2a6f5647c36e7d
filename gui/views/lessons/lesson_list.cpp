// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/lesson_list.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/lesson/format/parse_lesson.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"
#include "gui/views/lessons/lesson_text.h"

namespace attn::gui {
namespace {

constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

}  // namespace

std::vector<LessonEntry> shipped_lesson_entries(const QString& language) {
  std::vector<LessonEntry> entries;
  static const QRegularExpression number(QStringLiteral("^0*(\\d+)-"));
  try {
    for (const auto& file : lesson::shipped_lessons(language.toStdString())) {
      LessonEntry entry;
      entry.file = QString::fromStdString(file.string());
      const QString stem = QString::fromStdString(file.stem().string());
      entry.number = number.match(stem).captured(1);
      entry.title = stem;
      const lesson::ParsedLesson parsed = lesson::read_lesson(file);
      entry.mistakes = static_cast<int>(parsed.mistakes.size());
      if (parsed.lesson) {
        entry.progress = progress_name(parsed.lesson->about);
        entry.id = QString::fromStdString(parsed.lesson->about.id);
        entry.title = QString::fromStdString(parsed.lesson->about.title);
        entry.part = QString::fromStdString(parsed.lesson->about.part);
        entry.minutes = std::max(1, static_cast<int>(std::lround(parsed.lesson->minutes())));
      }
      entries.push_back(std::move(entry));
    }
  } catch (const std::exception&) {
    // Shipped data may be missing.
  }
  return entries;
}

QString state_words(const LessonEntry& entry, const SavedLesson& saved) {
  if (entry.mistakes > 0) return LessonList::tr("the file has mistakes");
  const QString time = entry.minutes == 1 ? LessonList::tr("about 1 minute")
                                          : LessonList::tr("about %1 minutes").arg(entry.minutes);
  // A lesson that was done keeps its best result in the list while it is taken anew.
  if (saved.was_done()) {
    const SavedLesson best = saved.with_best();
    const QString done = LessonList::tr("%1, done: %2 of %3 right at first")
                             .arg(time)
                             .arg(best.best_right)
                             .arg(best.best_tasks);
    if (saved.is_done() || saved.answered == 0) return done;
    return LessonList::tr("%1; now %2 of %3 answered")
        .arg(done)
        .arg(saved.answered)
        .arg(saved.tasks);
  }
  if (saved.answered > 0)
    return LessonList::tr("%1, %2 of %3 answered").arg(time).arg(saved.answered).arg(saved.tasks);
  return time;
}

class LessonList::Button : public QAbstractButton {
 public:
  Button(const LessonEntry& entry, QWidget* parent) : QAbstractButton(parent), entry_(entry) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setText(entry.title);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
      updateGeometry();
      update();
    });
  }
  QAction *again = nullptr, *results = nullptr;
  void set_state(const QString& state, bool done) {
    state_ = state;
    done_ = done;
    const QString name = entry_.number.isEmpty()
                             ? entry_.title
                             : QStringLiteral("%1. %2").arg(entry_.number, entry_.title);
    setAccessibleName(name);
    setAccessibleDescription(state);
    updateGeometry();
    update();
  }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override {
    const Texts texts = layout(width);
    return texts.state.bottom() + Theme::instance().px(7);
  }
  QSize sizeHint() const override {
    const int width = Theme::instance().px(260);
    return {width, heightForWidth(width)};
  }
  QSize minimumSizeHint() const override {
    return {Theme::instance().px(120), Theme::instance().px(32)};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.line, hasFocus() ? 2 : 1));
    painter.setBrush(isDown()       ? mix(colors.raised, colors.text, 0.12)
                     : underMouse() ? mix(colors.raised, colors.text, 0.06)
                                    : colors.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    const Texts texts = layout(width());
    painter.setPen(colors.text);
    painter.setFont(theme.font(TextRole::kBody, QFont::DemiBold));
    painter.drawText(QRect(0, texts.title.top(), texts.title.left() - theme.px(8), height()),
                     Qt::AlignRight | Qt::AlignTop, entry_.number);
    painter.drawText(texts.title, kWrapped, entry_.title);
    painter.setFont(theme.font(TextRole::kSmall));
    painter.setPen(colors.muted);
    painter.drawText(texts.state, kWrapped, state_);
    if (!done_) return;
    const int side = theme.px(16);
    painter.drawPixmap(width() - side - theme.px(8), texts.title.top(),
                       icon_pixmap(Icon::kCheck, side, colors.good, devicePixelRatioF()));
  }

 private:
  struct Texts {
    QRect title, state;
  };
  Texts layout(int width) const {
    const Theme& theme = Theme::instance();
    const int left = theme.px(36), top = theme.px(7);
    const QRect room(left, top, std::max(theme.px(60), width - left - theme.px(28)), 100000);
    const QFontMetrics bold(theme.font(TextRole::kBody, QFont::DemiBold));
    const QFontMetrics small(theme.font(TextRole::kSmall));
    Texts texts;
    texts.title = bold.boundingRect(room, kWrapped, entry_.title);
    texts.title.setWidth(room.width());
    QRect below = room;
    below.moveTop(texts.title.bottom() + theme.px(2));
    texts.state = small.boundingRect(below, kWrapped, state_);
    texts.state.setWidth(room.width());
    return texts;
  }
  LessonEntry entry_;
  QString state_;
  bool done_ = false;
};

LessonList::LessonList(const LessonProgress& progress, QWidget* parent)
    : QScrollArea(parent), progress_(progress) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setBackgroundRole(QPalette::Base);
  setAccessibleName(tr("Lessons"));
  connect(&progress, &LessonProgress::changed, this, &LessonList::refresh);
}

void LessonList::set_entries(std::vector<LessonEntry> entries) {
  entries_ = std::move(entries);
  buttons_.clear();
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(6);
  auto* intro = new LessonText;
  intro->set_plain(
      entries_.empty()
          ? tr("No lessons are installed. A lesson of your own can be opened with Open, or dropped "
               "on the window.")
          : tr("In a lesson you say what you expect; then the program computes it, and you "
               "compare."));
  column->addWidget(intro);
  QString part;
  for (const LessonEntry& entry : entries_) {
    if (entry.part != part && !entry.part.isEmpty()) {
      part = entry.part;
      auto* heading = new LessonText(TextRole::kTitle);
      heading->set_plain(part);
      column->addWidget(heading);
    }
    auto* button = new Button(entry, content);
    connect(button, &QAbstractButton::clicked, this,
            [this, file = entry.file] { emit chosen(file); });
    add_actions(*button, entry);
    column->addWidget(button);
    buttons_.push_back(button);
  }
  column->addStretch(1);
  setWidget(content);
  refresh();
}

void LessonList::add_actions(Button& button, const LessonEntry& entry) {
  const auto add = [&](const QString& text, const auto& asked) {
    auto* action = new QAction(text, &button);
    connect(action, &QAction::triggered, this, asked);
    button.addAction(action);
    return action;
  };
  const QString file = entry.file;
  button.again = add(tr("Begin again"), [this, file] { emit again_asked(file); });
  button.results = add(tr("Save the results…"), [this, file] { emit results_asked(file); });
  for (const bool teacher : {false, true})
    add(handout_words(teacher), [this, file, teacher] {
      emit handout_asked(file, teacher);
    })->setEnabled(entry.mistakes == 0);
  button.setContextMenuPolicy(Qt::ActionsContextMenu);
}

QString LessonList::handout_words(bool teacher) {
  return teacher ? tr("Teacher's copy (PDF)…") : tr("Hand-out for learners (PDF)…");
}

void LessonList::refresh() {
  for (size_t i = 0; i < buttons_.size(); ++i) {
    const SavedLesson saved = progress_.of(entries_[i].progress);
    buttons_[i]->set_state(state_words(entries_[i], saved), saved.was_done());
    buttons_[i]->again->setEnabled(!saved.hash.isEmpty());
    buttons_[i]->results->setEnabled(saved.is_done());
  }
}

QAbstractButton* LessonList::button(int index) const {
  return buttons_[static_cast<size_t>(index)];
}

void LessonList::begin() {
  for (size_t i = 0; i < buttons_.size(); ++i)
    if (!progress_.of(entries_[i].progress).was_done()) return buttons_[i]->setFocus();
  if (!buttons_.empty()) buttons_.front()->setFocus();
}

void LessonList::keyPressEvent(QKeyEvent* event) {
  const auto at = std::ranges::find_if(buttons_, [](const Button* one) { return one->hasFocus(); });
  const auto index = at - buttons_.begin();
  const auto last = static_cast<std::ptrdiff_t>(buttons_.size()) - 1;
  std::ptrdiff_t next = index;
  switch (event->key()) {
    case Qt::Key_Up:
      next = index - 1;
      break;
    case Qt::Key_Down:
      next = index + 1;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (at != buttons_.end()) return (*at)->click();
      break;
    default:
      break;
  }
  if (at == buttons_.end() || next == index) return QScrollArea::keyPressEvent(event);
  Button* to = buttons_[static_cast<size_t>(std::clamp<std::ptrdiff_t>(next, 0, last))];
  to->setFocus();
  ensureWidgetVisible(to);
}

}  // namespace attn::gui

#include "moc_lesson_list.cpp"
