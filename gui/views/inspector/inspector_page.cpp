// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_page.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <QTextOption>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

using Kind = InspectorItem::Kind;

// A Flow without a painter only measures.
class Flow {
 public:
  Flow(QPainter* painter, double width)
      : p_(painter), theme_(Theme::instance()), colors_(theme_.colors()) {
    left_ = theme_.px(12);
    right_ = std::max(left_ + 60.0, width - theme_.px(12));
    y_ = theme_.px(10);
  }

  double height() const { return y_ + theme_.px(12); }
  const std::vector<double>& ends() const { return ends_; }  // lower edges of the items

  void page(const InspectorContent& content) {
    if (!content.empty)
      text(content.title, theme_.font(TextRole::kTitle, QFont::DemiBold), colors_.text, left_,
           right_);
    y_ += theme_.px(4);
    Kind last = Kind::kNote;
    for (const InspectorItem& item : content.items) {
      const bool chain_ends = last == Kind::kChain && item.kind != last;
      if (((last == Kind::kFormula || last == Kind::kBar) && item.kind != last) || chain_ends)
        y_ += theme_.px(4);
      draw(item);
      ends_.push_back(y_);
      last = item.kind;
    }
  }

 private:
  void draw(const InspectorItem& item) {
    switch (item.kind) {
      case Kind::kHeading:
        y_ += theme_.px(10);
        if (p_) p_->fillRect(QRectF(left_, y_, right_ - left_, 1), colors_.line);
        y_ += theme_.px(8);
        text(item.text, theme_.font(TextRole::kBody, QFont::DemiBold), colors_.text, left_, right_);
        y_ += theme_.px(4);
        break;
      case Kind::kRow:
        row(item);
        break;
      case Kind::kFormula:
        text(item.text, theme_.mono(TextRole::kSmall), colors_.text, left_, right_, theme_.px(14));
        y_ += theme_.px(4);
        break;
      case Kind::kBar:
        bar(item);
        break;
      case Kind::kVector:
        vector(item);
        break;
      case Kind::kChain:
      case Kind::kChainHead:
        chain(item);
        break;
      case Kind::kTokens:
        tokens(item);
        break;
      case Kind::kNote:
        y_ += theme_.px(4);
        text(item.text, theme_.font(), colors_.muted, left_, right_);
        y_ += theme_.px(4);
        break;
    }
  }

  // Lines after the first are indented by `indent`.
  void text(const QString& words, const QFont& font, const QColor& color, double left, double right,
            double indent = 0) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    QTextLayout layout(words, font);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
      const double hang = line.textStart() > 0 ? indent : 0;
      line.setLineWidth(std::max(8.0, right - left - hang));
      line.setPosition(QPointF(hang, y));
      y += std::ceil(line.height());
    }
    layout.endLayout();
    if (p_) {
      p_->setPen(color);
      layout.draw(p_, QPointF(left, y_));
    }
    y_ += y;
  }

  QFont font_of(const QString& value) const {
    const QChar first = value.isEmpty() ? QChar() : value.front();
    const bool number = first.isDigit() || QStringLiteral("-−“+").contains(first);
    return number ? theme_.mono() : theme_.font();
  }

  void row(const InspectorItem& item) {
    const double split =
        left_ + std::min(static_cast<double>(theme_.px(104)), (right_ - left_) * 0.4);
    const double top = y_;
    text(item.name, theme_.font(), colors_.muted, left_, split - theme_.px(8));
    const double name_bottom = y_;
    y_ = top;
    text(item.text, font_of(item.text), colors_.text, split, right_);
    y_ = std::max(y_, name_bottom) + theme_.px(3);
  }

  TokenLabelStyle label_style() const {
    return {theme_.mono(TextRole::kSmall), colors_.text, colors_.muted, Qt::AlignLeft, false};
  }

  void bar(const InspectorItem& item) {
    const QFont numbers = theme_.mono(TextRole::kSmall);
    const QFontMetricsF metrics(numbers);
    const double line = metrics.height() + theme_.px(3);
    const double position = text_width(numbers, QStringLiteral("00000"));
    const double token = std::min((right_ - left_) * 0.28, static_cast<double>(theme_.px(110)));
    const double number = text_width(numbers, QStringLiteral("0.000000"));
    if (p_) {
      p_->setFont(numbers);
      p_->setPen(colors_.muted);
      p_->drawText(QRectF(left_, y_, position - theme_.px(6), line),
                   Qt::AlignRight | Qt::AlignVCenter, item.name);
      paint_token(*p_, QRectF(left_ + position, y_, token, line), item.token, label_style());
      const double bar_left = left_ + position + token + theme_.px(6);
      const QRectF track(bar_left, y_ + line * 0.25,
                         std::max(8.0, right_ - number - theme_.px(6) - bar_left), line * 0.5);
      p_->fillRect(track, colors_.line);
      p_->fillRect(
          QRectF(track.left(), track.top(),
                 track.width() * (std::isnan(item.value) ? 0 : std::clamp(item.value, 0.0, 1.0)),
                 track.height()),
          colors_.accent);
      p_->setPen(colors_.text);
      p_->drawText(QRectF(right_ - number, y_, number, line), Qt::AlignRight | Qt::AlignVCenter,
                   item.text);
    }
    y_ += line;
  }

  // Draws one line if there is room, else the name above its numbers. If the numbers do not fit
  // either, everything is wrapped text.
  void chain(const InspectorItem& item) {
    constexpr int kColumns = 4;
    const QFont numbers = theme_.mono(TextRole::kSmall);
    const QFontMetricsF metrics(numbers);
    const bool head = item.kind == Kind::kChainHead;
    const double line = metrics.height() + theme_.px(3);
    const double column = text_width(numbers, QStringLiteral("-0.0000")) + theme_.px(4);
    const double position = text_width(numbers, QStringLiteral("00000"));
    const double columns_left = right_ - kColumns * column;
    if (columns_left < left_) {
      QStringList parts{item.name + QLatin1Char(' ') + item.token.shown};
      parts += item.cells;
      text(parts.join(QStringLiteral("  ")), numbers, head ? colors_.muted : colors_.text, left_,
           right_, theme_.px(14));
      return;
    }
    const bool one_line = columns_left - left_ >= position + theme_.px(24);
    const bool named = !item.token.shown.isEmpty();
    const double name_right = one_line ? columns_left - theme_.px(4) : right_;
    if (p_) {
      p_->setFont(numbers);
      p_->setPen(colors_.muted);
      if (named) {
        p_->drawText(QRectF(left_, y_, position - theme_.px(6), line),
                     Qt::AlignRight | Qt::AlignVCenter, item.name);
        paint_token(*p_, QRectF(left_ + position, y_, name_right - left_ - position, line),
                    item.token, label_style());
      } else {
        p_->drawText(QRectF(left_, y_, name_right - left_, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(item.name, Qt::ElideRight, name_right - left_));
      }
    }
    if (!one_line) y_ += line;
    if (p_) {
      p_->setPen(head ? colors_.muted : colors_.text);
      for (int i = 0; i < std::min<int>(kColumns, static_cast<int>(item.cells.size())); ++i)
        p_->drawText(QRectF(columns_left + i * column, y_, column, line),
                     Qt::AlignRight | Qt::AlignVCenter, item.cells[i]);
    }
    y_ += line;
  }

  void tokens(const InspectorItem& item) {
    const QFontMetricsF metrics(theme_.mono(TextRole::kSmall));
    const double line = metrics.height() + theme_.px(3);
    const double split =
        left_ + std::min((right_ - left_) * 0.62, static_cast<double>(theme_.px(150)));
    if (p_) {
      p_->setFont(theme_.font(TextRole::kSmall));
      p_->setPen(colors_.muted);
      p_->drawText(QRectF(left_, y_, split - left_, line), Qt::AlignLeft | Qt::AlignVCenter,
                   item.name);
      paint_token(*p_, QRectF(split, y_, right_ - split, line), item.token, label_style());
    }
    y_ += line;
  }

  void vector(const InspectorItem& item) {
    if (item.numbers.empty()) return;
    float low = 0, high = 0;
    int not_finite = 0;
    for (float value : item.numbers) {
      if (!std::isfinite(value)) {
        ++not_finite;
        continue;
      }
      low = std::min(low, value);
      high = std::max(high, value);
    }
    QString range = QStringLiteral("%1 … %2").arg(format_number(low, 3), format_number(high, 3));
    if (not_finite > 0) range = QObject::tr("%1 NaN or infinite").arg(not_finite);
    const QFont small = theme_.font(TextRole::kSmall);
    const QFontMetricsF metrics(small);
    const double range_width = text_width(small, range) + theme_.px(8);
    const bool one_line = text_width(small, item.name) + range_width < right_ - left_;
    const double top = y_;
    text(item.name, small, colors_.muted, left_, right_);
    const double name_bottom = y_;
    if (one_line) y_ = top;
    if (p_) {
      p_->setFont(small);
      p_->setPen(colors_.muted);
      p_->drawText(QRectF(left_, y_, right_ - left_, metrics.height()),
                   Qt::AlignRight | Qt::AlignVCenter, range);
    }
    y_ = std::max(name_bottom, y_ + metrics.height()) + theme_.px(2);
    const double height = theme_.px(36), span = std::max(1e-12, static_cast<double>(high) - low);
    const double zero = y_ + height * high / span,
                 width = (right_ - left_) / static_cast<double>(item.numbers.size());
    if (p_) {
      for (size_t i = 0; i < item.numbers.size(); ++i) {
        const double value = item.numbers[i], size = height * value / span,
                     left = left_ + static_cast<double>(i) * width;
        if (!std::isfinite(value)) {
          p_->fillRect(QRectF(left, y_, std::max(1.0, width - 1), height), colors_.not_a_number);
          continue;
        }
        p_->fillRect(
            QRectF(left, value >= 0 ? zero - size : zero, std::max(1.0, width - 1), std::abs(size)),
            value >= 0 ? colors_.accent : colors_.warning);
      }
      p_->fillRect(QRectF(left_, zero, right_ - left_, 1), colors_.muted);
    }
    y_ += height + theme_.px(10);
  }

  QPainter* p_;
  const Theme& theme_;
  const ThemeColors& colors_;
  double left_ = 0, right_ = 0, y_ = 0;
  std::vector<double> ends_;
};

}  // namespace

InspectorPage::InspectorPage(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    setMinimumHeight(heightForWidth(width()));
    update();
  });
}

void InspectorPage::set_content(InspectorContent content) {
  content_ = std::move(content);
  setAccessibleName(content_.title);
  setAccessibleDescription(content_.to_text());
  setMinimumHeight(heightForWidth(width()));
  updateGeometry();
  update();
}

QSize InspectorPage::sizeHint() const {
  return {Theme::instance().px(280), heightForWidth(std::max(width(), 120))};
}

int InspectorPage::heightForWidth(int width) const {
  Flow flow(nullptr, width);
  flow.page(content_);
  return static_cast<int>(std::ceil(flow.height()));
}

const InspectorItem* InspectorPage::item_at(const QPoint& position) const {
  Flow flow(nullptr, width());
  flow.page(content_);
  for (size_t i = 0; i < flow.ends().size(); ++i)
    if (position.y() < flow.ends()[i]) return &content_.items[i];
  return nullptr;
}

void InspectorPage::resizeEvent(QResizeEvent*) {
  setMinimumHeight(heightForWidth(width()));
}

void InspectorPage::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::instance().colors().surface);
  Flow(&painter, width()).page(content_);
}

}  // namespace attn::gui

#include "moc_inspector_page.cpp"
