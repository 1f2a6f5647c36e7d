// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/command_palette.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/app/commands/fuzzy_match.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kRows = 10;         // rows shown at once, if the window is high enough
constexpr int kRecentBonus = 60;  // added to the score of the command that was used last
constexpr qsizetype kMostRecent = 12;
constexpr int kRefresh_ms = 200;
constexpr qsizetype kFewestOfWord = 3;  // letters to be typed before meaning and words are searched

int row_height() {
  return Theme::instance().px(28);
}

class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {100, row_height()};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Theme& theme = Theme::instance();
    const ThemeColors& c = theme.colors();
    const bool current = option.state & QStyle::State_Selected;
    const bool refused = !index.data(CommandList::kRefusal).toString().isEmpty();
    const int pad = theme.px(10), mark = theme.px(16);
    painter->save();
    painter->fillRect(option.rect, c.raised);
    if (current) {
      QColor ground = c.accent;
      ground.setAlphaF(0.16F);
      painter->fillRect(option.rect, ground);
      painter->fillRect(option.rect.x(), option.rect.y(), theme.px(3), option.rect.height(),
                        c.accent);
    }
    QRect rest = option.rect.adjusted(pad, 0, -pad, 0);
    if (index.data(CommandList::kIsOn).toBool())
      painter->drawPixmap(
          rest.x(), rest.center().y() - mark / 2,
          icon_pixmap(Icon::kCheck, mark, c.text, painter->device()->devicePixelRatioF()));
    rest.setLeft(rest.left() + mark + theme.px(6));
    const QString right =
        refused ? CommandPalette::tr("not now") : index.data(CommandList::kKeys).toString();
    if (!right.isEmpty()) {
      painter->setFont(refused ? theme.font(TextRole::kSmall) : theme.mono(TextRole::kSmall));
      painter->setPen(c.muted);
      painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter, right);
      rest.setRight(rest.right() - painter->fontMetrics().horizontalAdvance(right) - pad);
    }
    draw_name(*painter, rest, index, refused ? c.muted : c.text);
    painter->restore();
  }

 private:
  static void draw_name(QPainter& painter, const QRect& rect, const QModelIndex& index,
                        const QColor& color) {
    const Theme& theme = Theme::instance();
    const QFontMetrics metrics(theme.font());
    const QString whole = index.data(Qt::DisplayRole).toString();
    const QString text = metrics.elidedText(whole, Qt::ElideRight, rect.width());
    QList<QTextLayout::FormatRange> formats;
    for (const QVariant& at : index.data(CommandList::kMarked).toList()) {
      QTextLayout::FormatRange range;
      range.start = at.toInt();
      range.length = 1;
      range.format.setForeground(theme.colors().accent);
      range.format.setFontUnderline(true);
      if (range.start < text.size()) formats.append(range);
    }
    QTextLayout layout(text, theme.font());
    layout.setFormats(formats);
    layout.beginLayout();
    layout.createLine().setLineWidth(rect.width() + 1);
    layout.endLayout();
    painter.setPen(color);
    layout.draw(&painter,
                QPointF(rect.x(), rect.center().y() + 1 - layout.boundingRect().height() / 2));
  }
};

// The score of a command whose meaning or further words contain the typed text. 0: neither contains
// it, or too few letters were typed.
int meaning_score(const Command& command, const QString& typed) {
  constexpr int kPerLetter = 50;
  const QString wanted = typed.simplified();
  const QString& words = command.words;
  return wanted.size() >= kFewestOfWord && (command.meaning.contains(wanted, Qt::CaseInsensitive) ||
                                            words.contains(wanted, Qt::CaseInsensitive))
             ? kPerLetter * static_cast<int>(wanted.size())
             : 0;
}

bool begins_word(const QString& text, const QString& typed) {
  for (qsizetype at = text.indexOf(typed, 0, Qt::CaseInsensitive); at >= 0;
       at = text.indexOf(typed, at + 1, Qt::CaseInsensitive))
    if (at == 0 || !text[at - 1].isLetterOrNumber()) return true;
  return false;
}

// For each typed word that begins a word of the last part of a name, such as the title of a lesson
// in a part of the course. 0 for commands that are no content, and if one word was typed.
int title_bonus(const Command& command, const QString& typed) {
  constexpr int kPerWord = 160;
  const QStringList words = typed.simplified().split(QLatin1Char(' '));
  if (!command.is_content || words.size() < 2) return 0;
  const QString title = command.name.section(QStringLiteral(" › "), -1);
  return kPerWord * static_cast<int>(std::ranges::count_if(words, [&](const QString& word) {
           return word.size() >= kFewestOfWord && begins_word(title, word);
         }));
}

// Whether the typed text begins a word of the command's name or further words. False for content
// and for fewer than kFewestOfWord letters.
bool is_meant(const Command& command, const QString& typed) {
  const QString wanted = typed.simplified();
  return !command.is_content && wanted.size() >= kFewestOfWord &&
         (begins_word(command.name, wanted) || begins_word(command.words, wanted));
}

}  // namespace

std::vector<FoundCommand> find_commands(const PaletteContent& content, const QString& typed) {
  struct Ranked {
    FoundCommand found;
    bool is_meant;
    int score;
  };
  std::vector<Ranked> ranked;
  for (const Command& command : content.commands) {
    auto match = fuzzy_match(typed, command.name);
    const int by_meaning = meaning_score(command, typed);
    if (by_meaning > 0 && (!match || match->score < by_meaning)) match = FuzzyMatch{by_meaning, {}};
    if (!match) continue;
    const qsizetype age = content.recent.indexOf(command.name);
    const int bonus = title_bonus(command, typed) +
                      (age < 0 ? 0 : kRecentBonus - static_cast<int>(std::min(age, kMostRecent)));
    ranked.push_back(
        {{command, std::move(match->positions)}, is_meant(command, typed), match->score + bonus});
  }
  std::ranges::stable_sort(ranked, std::ranges::greater(),
                           [](const Ranked& one) { return std::pair(one.is_meant, one.score); });
  std::vector<FoundCommand> found;
  if (content.places)
    for (Command& place : content.places(typed.simplified()))
      found.push_back({std::move(place), {}});
  for (Ranked& one : ranked) found.push_back(std::move(one.found));
  return found;
}

void CommandList::show(std::vector<FoundCommand> found) {
  beginResetModel();
  found_ = std::move(found);
  endResetModel();
}

bool CommandList::looks_like(const std::vector<FoundCommand>& found) const {
  return std::ranges::equal(found_, found, [](const FoundCommand& a, const FoundCommand& b) {
    return a.command.name == b.command.name && a.command.meaning == b.command.meaning &&
           a.command.refusal == b.command.refusal && a.command.is_on == b.command.is_on;
  });
}

int CommandList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(found_.size());
}

QVariant CommandList::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const FoundCommand& found = found_[static_cast<size_t>(index.row())];
  const Command& command = found.command;
  switch (role) {
    case Qt::DisplayRole:
      return command.name;
    case kMarked: {
      QVariantList marked;
      for (const int at : found.marked) marked.append(at);
      return marked;
    }
    case kKeys:
      return command.keys;
    case kRefusal:
      return command.refusal;
    case kIsOn:
      return command.is_on;
    case Qt::AccessibleTextRole: {
      QStringList parts{command.name};
      if (command.is_on) parts.append(tr("on"));
      if (!command.keys.isEmpty()) parts.append(command.keys);
      if (!command.refusal.isEmpty()) parts.append(tr("not now: %1").arg(command.refusal));
      return parts.join(QStringLiteral(", "));
    }
    default:
      return {};
  }
}

CommandPalette::CommandPalette(PaletteContent content, QWidget* window)
    : QWidget(window),
      content_(std::move(content)),
      panel_(new QWidget(this)),
      line_(new QLineEdit),
      list_(new QListView),
      about_(new QLabel),
      before_(window->focusWidget()) {
  setAttribute(Qt::WA_DeleteOnClose);
  setAccessibleName(tr("All commands"));
  const Theme& theme = Theme::instance();
  line_->setPlaceholderText(tr("A command, or step 17, block 40, request 2, token 5"));
  line_->setAccessibleName(tr("Command to find"));
  line_->setFont(theme.font(TextRole::kTitle));
  list_->setAccessibleName(tr("Commands found"));
  list_->setModel(&found_);
  list_->setItemDelegate(new CommandDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  about_->setTextFormat(Qt::PlainText);
  about_->setWordWrap(true);
  about_->setFont(theme.font(TextRole::kSmall));
  about_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  about_->setMinimumHeight(2 * about_->fontMetrics().lineSpacing() + theme.px(4));
  QPalette colors = palette();
  colors.setColor(QPalette::Window, theme.colors().raised);
  colors.setColor(QPalette::Base, theme.colors().raised);
  panel_->setPalette(colors);
  panel_->setAutoFillBackground(true);
  QPalette muted = colors;
  muted.setColor(QPalette::WindowText, theme.colors().muted);
  about_->setPalette(muted);
  auto* column = new QVBoxLayout(panel_);
  column->setContentsMargins(theme.px(8), theme.px(8), theme.px(8), theme.px(8));
  column->setSpacing(theme.px(6));
  column->addWidget(line_);
  column->addWidget(list_, 1);
  column->addWidget(about_);
  setGeometry(window->rect());
  lay_out();
  find({});
  later_.setSingleShot(true);
  later_.setInterval(kRefresh_ms);
  if (content_.read) connect(&later_, &QTimer::timeout, this, &CommandPalette::refresh);
  connect(line_, &QLineEdit::textEdited, this, &CommandPalette::find);
  connect(list_, &QListView::clicked, this, &CommandPalette::run_current);
  connect(list_, &QListView::entered, this,
          [this](const QModelIndex& index) { move_to(index.row()); });
  for (QObject* watched : {static_cast<QObject*>(window), static_cast<QObject*>(line_)})
    watched->installEventFilter(this);
  show();
  raise();
  line_->setFocus();
}

void CommandPalette::lay_out() {
  const Theme& theme = Theme::instance();
  const int gap = theme.px(24);
  const int wide = std::min(theme.px(620), width() - 2 * gap);
  const int around = panel_->sizeHint().height() - list_->sizeHint().height();
  const int high = std::min(around + kRows * row_height(), height() - 2 * gap);
  panel_->setGeometry((width() - wide) / 2, std::min(theme.px(56), (height() - high) / 2), wide,
                      high);
}

void CommandPalette::find(const QString& typed) {
  found_.show(find_commands(content_, typed));
  move_to(0);
}

void CommandPalette::refresh_soon() {
  if (!later_.isActive()) later_.start();
}

void CommandPalette::refresh() {
  content_.commands = content_.read();
  std::vector<FoundCommand> found = find_commands(content_, line_->text());
  if (found_.looks_like(found)) return;
  const QModelIndex before = list_->currentIndex();
  const QString name = before.data().toString();
  int row = before.row();
  const auto same = std::ranges::find_if(
      found, [&](const FoundCommand& one) { return one.command.name == name; });
  if (same != found.end()) row = static_cast<int>(same - found.begin());
  found_.show(std::move(found));
  move_to(row);
}

void CommandPalette::move_to(int row) {
  const int rows = found_.rowCount();
  if (rows > 0) {
    const QModelIndex index = found_.index(std::clamp(row, 0, rows - 1));
    list_->setCurrentIndex(index);
    list_->scrollTo(index);
  }
  tell_current();
}

void CommandPalette::tell_current() {
  const QModelIndex index = list_->currentIndex();
  const ThemeColors& colors = Theme::instance().colors();
  QPalette palette = about_->palette();
  palette.setColor(QPalette::WindowText, colors.muted);
  if (!index.isValid()) {
    about_->setText(tr("No command matches these letters."));
    line_->setAccessibleDescription(about_->text());
  } else {
    const Command& command = found_.at(index.row());
    if (!command.refusal.isEmpty()) palette.setColor(QPalette::WindowText, colors.warning);
    about_->setText(command.refusal.isEmpty() ? command.meaning
                                              : tr("Not now: %1").arg(command.refusal));
    line_->setAccessibleDescription(tr("%1; %2 of %3")
                                        .arg(index.data(Qt::AccessibleTextRole).toString())
                                        .arg(index.row() + 1)
                                        .arg(found_.rowCount()));
  }
  about_->setPalette(palette);
}

// A refused command is not run: the palette stays open and shows the reason.
void CommandPalette::run_current() {
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid()) return;
  const Command command = found_.at(index.row());
  if (!command.refusal.isEmpty() || !command.run) return;
  close();
  emit chosen(command.name);
  command.run();
}

bool CommandPalette::take_key(const QKeyEvent& event) {
  const int row = list_->currentIndex().row(), page = kRows - 1;
  switch (event.key()) {
    case Qt::Key_Up:
      return move_to(row > 0 ? row - 1 : found_.rowCount() - 1), true;
    case Qt::Key_Down:
      return move_to(row + 1 < found_.rowCount() ? row + 1 : 0), true;
    case Qt::Key_PageUp:
      return move_to(row - page), true;
    case Qt::Key_PageDown:
      return move_to(row + page), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return run_current(), true;
    case Qt::Key_Escape:
      return close(), true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;
    case Qt::Key_K:
      if (!(event.modifiers() & Qt::ControlModifier)) return false;
      return close(), true;
    default:
      return false;
  }
}

bool CommandPalette::event(QEvent* event) {
  // If the event is not accepted here, a shortcut of the window may take the key.
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == line_) {
    if (event->type() == QEvent::ShortcutOverride) {
      event->accept();
      return true;
    }
    if (event->type() == QEvent::KeyPress && take_key(*static_cast<QKeyEvent*>(event))) return true;
    if (event->type() == QEvent::FocusOut &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason) {
      // The focus is elsewhere now, so closeEvent() must not give it back.
      before_.clear();
      close();
    }
  } else if (event->type() == QEvent::Resize) {
    close();
  }
  return QWidget::eventFilter(watched, event);
}

void CommandPalette::mousePressEvent(QMouseEvent* event) {
  if (!panel_->geometry().contains(event->pos())) close();
}

void CommandPalette::closeEvent(QCloseEvent* event) {
  line_->removeEventFilter(this);
  if (before_) before_->setFocus();
  QWidget::closeEvent(event);
}

void CommandPalette::paintEvent(QPaintEvent*) {
  const ThemeColors& c = Theme::instance().colors();
  QPainter painter(this);
  QColor veil = c.background;
  veil.setAlpha(140);
  painter.fillRect(rect(), veil);
  painter.setPen(c.line);
  painter.drawRect(panel_->geometry().adjusted(-1, -1, 0, 0));
}

}  // namespace attn::gui

#include "moc_command_palette.cpp"
