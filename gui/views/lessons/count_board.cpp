// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/count_board.h"

#include <QGridLayout>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/theme/icons.h"
#include "gui/theme/select_on_focus.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr qsizetype kMostLettersOfShort = 18, kMostBelowEachOther = 3;

}  // namespace

class CountBoard::Bar : public QWidget {
 public:
  explicit Bar(QWidget* parent) : QWidget(parent) {}
  void show_share(double share, Mark kind) {
    share_ = share;
    kind_ = kind;
    setVisible(true);
    update();
  }
  QSize sizeHint() const override { return {Theme::instance().px(120), Theme::instance().px(22)}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    QPainter painter(this);
    const int mark = theme.px(18);
    const QRect room(0, theme.px(3), std::max(0, width() - mark), height() - theme.px(6));
    const QRect part(room.x(), room.y(), static_cast<int>(room.width() * share_), room.height());
    painter.fillRect(room, colors.background);
    const QColor color = kind_ == Mark::kWrong ? colors.muted : colors.good;
    painter.fillRect(part, kind_ == Mark::kRight ? QBrush(color) : QBrush(color, Qt::BDiagPattern));
    painter.setPen(color);
    painter.drawRect(part.adjusted(0, 0, -1, -1));
    if (kind_ == Mark::kRight)
      painter.drawPixmap(width() - mark + 2, (height() - mark + 2) / 2,
                         icon_pixmap(Icon::kCheck, mark - 2, colors.good, devicePixelRatioF()));
  }

 private:
  double share_ = 0;
  Mark kind_ = Mark::kWrong;
};

CountBoard::CountBoard(QWidget* parent) : QWidget(parent), sum_(new QLabel(this)) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  sum_->setTextFormat(Qt::PlainText);
  connect(this, &CountBoard::changed, this, &CountBoard::refresh_sum);
  connect(&Theme::instance(), &Theme::changed, this, &CountBoard::refresh);
}

void CountBoard::set_answers(const QStringList& answers) {
  if (answers == answers_) return;
  answers_ = answers;
  revealed_ = false;
  for (const Row& row : rows_)
    for (QWidget* old : {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.field),
                         static_cast<QWidget*>(row.bar)}) {
      old->hide();
      old->deleteLater();
    }
  rows_.clear();
  auto* grid = static_cast<QGridLayout*>(layout());
  const bool are_short = std::ranges::all_of(
      answers, [](const QString& answer) { return answer.size() <= kMostLettersOfShort; });
  const int columns = are_short && answers.size() > kMostBelowEachOther ? 2 : 1;
  for (const int column : {0, 1}) grid->setColumnStretch(2 * column, column < columns ? 1 : 0);
  for (const QString& answer : answers) {
    const int at = static_cast<int>(rows_.size());
    const int line = 2 * (at / columns), left = 2 * (at % columns);
    Row row{new QLabel(answer, this), new QSpinBox(this), new Bar(this)};
    row.name->setWordWrap(true);
    row.name->setTextFormat(Qt::PlainText);
    row.field->setRange(0, kMostAnswers);
    row.field->setAccessibleName(tr("How many of the class answer %1").arg(answer));
    SelectOnFocus::teach(*row.field);
    row.bar->hide();
    grid->addWidget(row.name, line, left);
    grid->addWidget(row.field, line, left + 1);
    grid->addWidget(row.bar, line + 1, left, 1, 2);
    connect(row.field, &QSpinBox::valueChanged, this, &CountBoard::changed);
    rows_.push_back(row);
  }
  grid->addWidget(sum_, 2 * static_cast<int>(rows_.size()), 0, 1, 4);
  setFocusProxy(rows_.empty() ? nullptr : rows_.front().field);
  refresh();
}

void CountBoard::set_counts(const std::vector<int>& counts) {
  for (size_t i = 0; i < std::min(counts.size(), rows_.size()); ++i)
    rows_[i].field->setValue(counts[i]);
  refresh_sum();
}

std::vector<int> CountBoard::counts() const {
  std::vector<int> counts;
  for (const Row& row : rows_) counts.push_back(row.field->value());
  return counts;
}

int CountBoard::total() const {
  const std::vector<int> all = counts();
  return std::accumulate(all.begin(), all.end(), 0);
}

void CountBoard::reveal(const std::vector<Mark>& marks) {
  revealed_ = true;
  marks_ = marks;
  refresh();
}

QString CountBoard::words_of(int row) const {
  const QString said = tr("%1: %2 of %3").arg(answers_[row]).arg(field(row)->value()).arg(total());
  if (!revealed_ || mark_of(static_cast<size_t>(row)) == Mark::kWrong) return said;
  return mark_of(static_cast<size_t>(row)) == Mark::kRight
             ? tr("%1, correct").arg(said)
             : tr("%1, holds a right answer").arg(said);
}

void CountBoard::refresh() {
  const Theme& theme = Theme::instance();
  const int all = total();
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    row.name->setFont(theme.font());
    row.field->setFont(theme.mono());
    row.field->setMinimumWidth(theme.px(72));
    row.field->setEnabled(!revealed_);
    row.field->setVisible(!revealed_);
    row.bar->setVisible(revealed_);
    const Mark mark = revealed_ ? mark_of(i) : Mark::kWrong;
    QString name = answers_[static_cast<qsizetype>(i)];
    if (mark == Mark::kHolds) name = tr("%1, holds a right answer").arg(name);
    const int count = row.field->value();
    const double share = all > 0 ? static_cast<double>(count) / all : 0;
    // The field is hidden, so the name shows the count.
    if (revealed_) {
      QString counted = all > 0 ? tr("%1 (%2 %)").arg(count).arg(std::lround(100 * share))
                                : QString::number(count);
      counted.replace(QLatin1Char(' '), QChar(QChar::Nbsp));  // it stays on one line
      name = QStringLiteral("%1:  %2").arg(name, counted);
    }
    row.name->setText(name);
    if (!revealed_) continue;
    row.bar->show_share(share, mark);
    row.bar->setAccessibleName(words_of(static_cast<int>(i)));
  }
  sum_->setFont(theme.font(TextRole::kBody, QFont::DemiBold));
  refresh_sum();
  updateGeometry();
}

void CountBoard::refresh_sum() {
  sum_->setVisible(!rows_.empty());
  sum_->setText(tr("Answers in all: %1").arg(total()));
}

}  // namespace attn::gui

#include "moc_count_board.cpp"
