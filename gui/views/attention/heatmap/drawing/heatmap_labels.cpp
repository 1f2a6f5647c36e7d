// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/drawing/heatmap_labels.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

// The labels of one side of the matrix: rows (horizontal text) or columns (vertical text).
class Side {
 public:
  Side(QPainter& painter, const HeatmapPicture& picture, bool rows)
      : p_(painter),
        in_(picture),
        rows_(rows),
        axis_(rows ? picture.transform.y : picture.transform.x),
        area_(rows ? picture.layout.row_labels : picture.layout.column_labels) {
    const PictureLook& look = picture.scene.look;
    style_.font = look.mono;
    style_.color = look.colors.text;
    style_.faint = look.colors.muted;
    style_.turned = !rows;
    const QFontMetricsF metrics(style_.font);
    line_ = metrics.ascent() + metrics.descent();
    digits_ = text_width(style_.font, QString::number(std::max<int64_t>(0, count() - 1)));
    every_ = label_every(axis_.scale, picture.layout.label_pitch);
  }

  void paint() {
    const HeatmapScene& scene = in_.scene;
    const auto first = static_cast<int64_t>(std::floor(axis_.visible_begin())) / every_ * every_;
    const auto last = std::min(count(), static_cast<int64_t>(std::ceil(axis_.visible_end())));
    p_.save();
    p_.setClipRect(clip());
    p_.setFont(style_.font);
    const int64_t hover = rows_ ? scene.hover_query : scene.hover_key;
    // The label under the pointer and those of the selection have priority: other labels that would
    // touch them are left out. Where the two would touch, that under the pointer stays.
    for (int64_t i = first; i < last; i += every_)
      if (!touches(i, hover, hover + 1) && !touches(i, mark_begin(), mark_end())) label(i, false);
    for (int64_t i = mark_begin(); i < std::min(mark_end(), mark_begin() + 64); ++i) {
      if ((i - mark_begin()) % every_ == 0 && !touches(i, hover, hover + 1)) label(i, true);
    }
    if (hover >= 0) label(hover, true);
    p_.restore();
  }

 private:
  int64_t count() const { return rows_ ? in_.scene.rows() : in_.scene.columns(); }
  int64_t mark_begin() const {
    const HeatmapMark& mark = in_.scene.mark;
    if (mark.kind == HeatmapMark::Kind::kNone ||
        (rows_ && mark.kind == HeatmapMark::Kind::kColumns))
      return 0;
    return rows_ ? mark.query : mark.key;
  }
  int64_t mark_end() const {
    const HeatmapMark& mark = in_.scene.mark;
    if (mark.kind == HeatmapMark::Kind::kNone ||
        (rows_ && mark.kind == HeatmapMark::Kind::kColumns))
      return 0;
    return rows_ ? mark.query_end : mark.key_end;
  }
  bool touches(int64_t i, int64_t begin, int64_t end) const {
    if (begin < 0 || begin >= end) return false;
    const double room = line_ / axis_.scale;  // cells
    return static_cast<double>(i) > static_cast<double>(begin) - room &&
           static_cast<double>(i) < static_cast<double>(end - 1) + room;
  }

  QRectF clip() const {
    // The label of a partly visible cell may reach half a line past the edge.
    return rows_ ? area_.adjusted(0, -line_ / 2, 0, line_ / 2)
                 : area_.adjusted(-line_ / 2, 0, line_ / 2, 0);
  }

  void label(int64_t i, bool pointed_out) {
    const PictureLook& look = in_.scene.look;
    const double middle = axis_.to_pixel(static_cast<double>(i) + 0.5);
    const double along = rows_ ? area_.height() : area_.width();
    if (middle < -1 || middle > along + 1) return;
    const double gap = look.px(4), tick = look.px(3);
    QRectF whole =
        rows_
            ? QRectF(area_.left(), area_.top() + middle - line_ / 2, area_.width() - tick, line_)
            : QRectF(area_.left() + middle - line_ / 2, area_.top(), line_, area_.height() - tick);
    TokenLabelStyle style = style_;
    if (pointed_out) {
      p_.setPen(Qt::NoPen);
      p_.setBrush(look.colors.accent);
      p_.drawRoundedRect(whole, 3, 3);
      style.color = style.faint = look.text_on(look.colors.accent);
    } else if (every_ > 1) {
      p_.setPen(QPen(look.colors.muted, 1));
      const QPointF at = rows_ ? QPointF(area_.right(), area_.top() + middle)
                               : QPointF(area_.left() + middle, area_.bottom());
      p_.drawLine(at, rows_ ? at - QPointF(tick, 0) : at - QPointF(0, tick));
    }
    QRectF number = whole, token = whole;
    if (rows_) {
      number.setLeft(whole.right() - digits_ - gap / 2);
      number.setRight(whole.right() - gap / 2);
      token.setRight(number.left() - gap);
      token.setLeft(whole.left() + gap / 2);
    } else {
      number.setTop(whole.bottom() - digits_ - gap / 2);
      number.setBottom(whole.bottom() - gap / 2);
      token.setBottom(number.top() - gap);
      token.setTop(whole.top() + gap / 2);
    }
    TokenLabelStyle number_style = style;
    number_style.color = pointed_out ? style.color : style.faint;
    const QString digits = QString::number(i);
    if (rows_) {
      p_.setPen(number_style.color);
      NumberSigns::of(style.font).draw(p_, number, digits, Qt::AlignRight);
    } else {
      number_style.align = Qt::AlignLeft;
      paint_token(p_, number,
                  {digits, std::vector<bool>(static_cast<size_t>(digits.size()), false)},
                  number_style);
    }
    style.align = rows_ ? Qt::AlignRight : Qt::AlignLeft;
    const std::vector<TokenText>& labels = rows_ ? in_.scene.labels : in_.scene.key_labels();
    if (i < static_cast<int64_t>(labels.size()))
      paint_token(p_, token, labels[static_cast<size_t>(i)], style);
  }

  QPainter& p_;
  const HeatmapPicture& in_;
  bool rows_;
  const CanvasAxis& axis_;
  QRectF area_;
  TokenLabelStyle style_;
  double line_ = 0, digits_ = 0;
  int64_t every_ = 1;
};

QString fitting_name(const QFont& font, double room, std::initializer_list<QString> names) {
  for (const QString& name : names)
    if (text_width(font, name) <= room) return name;
  return *(names.end() - 1);
}

}  // namespace

void paint_heatmap_labels(QPainter& painter, const HeatmapPicture& picture, const QRectF& content) {
  const PictureLook& look = picture.scene.look;
  const HeatmapLayout& layout = picture.layout;
  painter.setFont(look.small);
  painter.setPen(look.colors.muted);
  const bool cross = !picture.scene.keys_are_tokens(), of_encoder = picture.scene.head.is_encoder(),
             keys_of_encoder = cross || of_encoder;
  const QString columns = fitting_name(
      look.small, content.width(),
      {keys_of_encoder ? QCoreApplication::translate("Heatmap", "encoder's token (key), is read →")
                       : QCoreApplication::translate("Heatmap", "key token, is read →"),
       keys_of_encoder ? QCoreApplication::translate("Heatmap", "encoder (key) →")
                       : QCoreApplication::translate("Heatmap", "key →"),
       QCoreApplication::translate("Heatmap", "key →")});
  const QString rows = fitting_name(
      look.small, content.height(),
      {of_encoder ? QCoreApplication::translate("Heatmap", "← encoder's token (query), reads")
       : cross    ? QCoreApplication::translate("Heatmap", "← decoder's token (query), reads")
                  : QCoreApplication::translate("Heatmap", "← query token, reads"),
       of_encoder ? QCoreApplication::translate("Heatmap", "← encoder (query)")
       : cross    ? QCoreApplication::translate("Heatmap", "← decoder (query)")
                  : QCoreApplication::translate("Heatmap", "← query"),
       QCoreApplication::translate("Heatmap", "← query")});
  draw_line(painter, layout.column_axis, Qt::AlignLeft | Qt::AlignVCenter, columns);
  painter.save();
  painter.translate(layout.row_axis.left(), content.bottom());
  painter.rotate(-90);
  const QRectF turned(0, 0, content.height(), layout.row_axis.width());
  draw_line(painter, turned, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, rows);
  painter.restore();
  Side(painter, picture, true).paint();
  Side(painter, picture, false).paint();
  // The label of the mark is drawn only if there is room beside the name of the axis.
  const QString& mark = picture.scene.mark.label;
  const double title = text_width(look.small, columns) + look.px(12);
  QRectF room = layout.column_axis;
  room.setRight(content.right());
  room.setLeft(room.left() + title);
  if (mark.isEmpty() || text_width(look.small_bold, mark) > room.width()) return;
  painter.setFont(look.small_bold);
  painter.setPen(look.colors.accent);
  draw_line(painter, room, Qt::AlignRight | Qt::AlignVCenter, mark);
}

}  // namespace attn::gui
