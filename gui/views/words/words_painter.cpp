// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/words/words_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kTint[] = {0.13, 0.26};  // share of the hue at even and at odd tokens
constexpr double kStrongest = 0.8;        // share of the accent colour at the largest weight
constexpr double kCorner = 3;             // px

QColor hue_of(const WordsScene& scene, const WordPlace& place) {
  const ThemeColors& colors = scene.look.colors;
  if (place.of_encoder) return colors.muted;
  return scene.is_generated(place) ? colors.decode : colors.prefill;
}

class WordsPicture {
  Q_DECLARE_TR_FUNCTIONS(Words)
 public:
  WordsPicture(QPainter& painter, const WordsScene& scene, const WordsLayout& layout,
               const WordsParts& parts, double top)
      : p_(painter),
        scene_(scene),
        look_(scene.look),
        colors_(scene.look.colors),
        layout_(layout),
        parts_(parts),
        top_(top),
        metrics_(scene.font) {}

  void title();
  void text();
  void legend();

 private:
  void lines(bool of_encoder);
  void caption(bool of_encoder);
  void token(const WordPlace& place, const WordPiece& piece, const QRectF& box);
  void ink(const QRectF& box, const TokenText& text, const WordPiece& piece, const QColor& color,
           const QColor& faint);
  void mark(const WordPlace& place, const QRectF& box);
  void caret();
  bool entry(double width);
  void swatch(const QString& text, bool generated, bool of_encoder);
  void frame_entry(const QString& text, const QPen& pen, const QColor& fill);
  void weights_entry();

  QPainter& p_;
  const WordsScene& scene_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const WordsLayout& layout_;
  const WordsParts& parts_;
  double top_;
  QFontMetricsF metrics_;
  double x_ = 0;  // x of the next legend entry
};

void WordsPicture::title() {
  if (parts_.title.isEmpty()) return;
  QString text = tr("%1: %2").arg(scene_.request_name, words_sentence(scene_));
  if (scene_.past_step) text += tr(", at step %1").arg(*scene_.past_step);
  if (top_ > 0) text += tr(" (the end of the text)");
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  draw_line(p_, parts_.title, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.title_bold, text, parts_.title.width()));
}

void WordsPicture::text() {
  p_.save();
  p_.setClipRect(parts_.text.adjusted(-2, 0, 2, 0), Qt::IntersectClip);
  p_.translate(parts_.text.left(), parts_.text.top() - top_);
  for (const bool of_encoder : {true, false}) {
    caption(of_encoder);
    lines(of_encoder);
  }
  caret();
  p_.restore();
}

void WordsPicture::caption(bool of_encoder) {
  if (!layout_.has_captions()) return;
  const double high = layout_.line_height();
  const QRectF room(0, layout_.top_of(of_encoder) - high, parts_.text.width(), high);
  p_.setFont(look_.small_bold);
  p_.setPen(colors_.muted);
  draw_line(p_, room, Qt::AlignLeft | Qt::AlignVCenter,
            of_encoder ? tr("The encoder reads") : tr("The decoder reads and writes"));
}

void WordsPicture::lines(bool of_encoder) {
  const WordFlow& flow = layout_.flow(of_encoder);
  const double high = layout_.line_height(), from = top_ - layout_.top_of(of_encoder);
  const auto first = std::max<int64_t>(0, static_cast<int64_t>(std::floor(from / high)));
  const auto end =
      std::min(flow.lines(), static_cast<int64_t>(std::ceil((from + parts_.text.height()) / high)));
  for (int64_t line = first; line < end; ++line)
    for (const WordPiece& piece : flow.line(line))
      token({of_encoder, piece.token}, piece, layout_.rect_of(of_encoder, piece, line));
}

void WordsPicture::token(const WordPlace& place, const WordPiece& piece, const QRectF& whole) {
  const TokenText text = token_text(scene_.token(place)->text);
  const QRectF box = whole.adjusted(0, 2, 0, -2);
  const bool selected = place == scene_.query;
  const QColor ground = selected ? colors_.accent : word_ground(scene_, place);
  p_.setPen(Qt::NoPen);
  p_.setBrush(ground);
  if (scene_.told_apart || selected)
    p_.drawRoundedRect(box, kCorner, kCorner);
  else
    p_.drawRect(box);
  const double thick = look_.line(scene_.is_generated(place) ? 2 : 1);
  if (scene_.is_generated(place) || scene_.weights)
    p_.fillRect(
        QRectF(box.left(), box.bottom() - thick, box.width() - (scene_.told_apart ? 1 : 0), thick),
        hue_of(scene_, place));
  const bool plain = !selected && !scene_.weights;
  const QColor color = plain ? colors_.text : look_.text_on(ground);
  ink(box, text, piece, color, plain ? colors_.muted : mix(ground, color, 0.85));
  mark(place, box);
}

void WordsPicture::ink(const QRectF& box, const TokenText& text, const WordPiece& piece,
                       const QColor& color, const QColor& faint) {
  p_.setFont(scene_.font);
  const double baseline = box.top() + (box.height() + metrics_.ascent() - metrics_.descent()) / 2;
  double x = box.left();
  for (int begin = piece.begin; begin < piece.end;) {
    const bool is_faint = text.faint[static_cast<size_t>(begin)];
    int end = begin + 1;
    while (end < piece.end && text.faint[static_cast<size_t>(end)] == is_faint) ++end;
    const QString run = text.shown.mid(begin, end - begin);
    p_.setPen(is_faint ? faint : color);
    draw_line(p_, QPointF(x, baseline), run);
    x += text_width(scene_.font, run);
    begin = end;
  }
}

void WordsPicture::mark(const WordPlace& place, const QRectF& box) {
  const auto frame = [&](const QColor& color, double width, Qt::PenStyle style) {
    p_.setPen(QPen(color, look_.line(width), style));
    p_.setBrush(Qt::NoBrush);
    p_.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
  };
  if (place == scene_.key)
    frame(place == scene_.query ? look_.text_on(colors_.accent) : colors_.accent, 2, Qt::SolidLine);
  if (scene_.first.token >= 0 && place.of_encoder == scene_.first.of_encoder &&
      place.token >= scene_.first.token && place.token <= scene_.last.token)
    frame(colors_.accent, 1, Qt::SolidLine);
  const PointedState& at = scene_.pointed;
  if (at.key == place.token && at.of_encoder == place.of_encoder)
    frame(colors_.text, 1, Qt::DashLine);
  if (at.query == place.token && at.query_of_encoder == place.of_encoder)
    frame(colors_.text, 1, Qt::SolidLine);
}

void WordsPicture::caret() {
  if (!scene_.writing || scene_.caption) return;
  const QRectF at = layout_.caret();
  p_.fillRect(QRectF(at.left() + 2, at.top() + 3, std::max(2.0, look_.line(2)), at.height() - 6),
              colors_.accent);
}

bool WordsPicture::entry(double width) {
  return x_ + width <= parts_.legend.right();
}

void WordsPicture::swatch(const QString& text, bool generated, bool of_encoder) {
  const double side = look_.px(14), gap = look_.px(6);
  const double width = 2 * side + gap + text_width(look_.small, text);
  if (!entry(width)) return;
  const QColor hue = of_encoder ? colors_.muted : generated ? colors_.decode : colors_.prefill;
  const QRectF both(x_, parts_.legend.center().y() - side / 2, 2 * side, side);
  p_.setPen(Qt::NoPen);
  for (const int half : {0, 1})
    p_.fillRect(
        QRectF(both.left() + half * side, both.top(), side - 1, side),
        mix(colors_.surface, hue, scene_.weights ? 0 : kTint[scene_.told_apart ? half : 1]));
  const double thick = look_.line(generated ? 2 : 1);
  if (generated || scene_.weights)
    p_.fillRect(QRectF(both.left(), both.bottom() - thick, both.width(), thick), hue);
  p_.setPen(colors_.muted);
  draw_line(p_, QRectF(both.right() + gap, parts_.legend.top(), width, parts_.legend.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
  x_ += width + look_.px(16);
}

void WordsPicture::frame_entry(const QString& text, const QPen& pen, const QColor& fill) {
  const double side = look_.px(14), gap = look_.px(6);
  const double width = side + gap + text_width(look_.small, text);
  if (!entry(width)) return;
  p_.setPen(pen);
  p_.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  p_.drawRoundedRect(
      QRectF(x_ + 0.5, parts_.legend.center().y() - side / 2 + 0.5, side - 1, side - 1), kCorner,
      kCorner);
  p_.setPen(colors_.muted);
  draw_line(p_, QRectF(x_ + side + gap, parts_.legend.top(), width, parts_.legend.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
  x_ += width + look_.px(16);
}

void WordsPicture::weights_entry() {
  const RowWeights& weights = *scene_.weights;
  if (weights.has_nan())
    frame_entry(tr("weight NaN, layer %1, head %2")
                    .arg(layer_words(weights.layer, scene_.in_encoder))
                    .arg(weights.head),
                Qt::NoPen, colors_.not_a_number);
  if (weights.has_nan() && weights.largest <= 0) return;
  const QString text = tr("weight 0 to %1, layer %2, head %3")
                           .arg(format_number(weights.largest))
                           .arg(layer_words(weights.layer, scene_.in_encoder))
                           .arg(weights.head);
  const double long_side = look_.px(60), side = look_.px(14), gap = look_.px(6);
  const double width = long_side + gap + text_width(look_.small, text);
  if (!entry(width)) return;
  const QRectF bar(x_, parts_.legend.center().y() - side / 2, long_side, side);
  QLinearGradient ramp(bar.topLeft(), bar.topRight());
  ramp.setColorAt(0, colors_.surface);
  ramp.setColorAt(1, mix(colors_.surface, colors_.accent, kStrongest));
  p_.fillRect(bar, ramp);
  p_.setPen(QPen(colors_.line, 1));
  p_.setBrush(Qt::NoBrush);
  p_.drawRect(bar);
  p_.setPen(colors_.muted);
  draw_line(p_, QRectF(bar.right() + gap, parts_.legend.top(), width, parts_.legend.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
  x_ += width + look_.px(16);
}

void WordsPicture::legend() {
  if (parts_.legend.isEmpty()) return;
  x_ = parts_.legend.left();
  p_.setFont(look_.small);
  if (scene_.encoder_tokens) swatch(tr("read by the encoder"), false, true);
  swatch(counted(std::min(scene_.prompt_len, scene_.count(false)), tr("prompt, 1 token"),
                 tr("prompt, %1 tokens")),
         false, false);
  swatch(counted(scene_.generated(), tr("generated, 1 token"), tr("generated, %1 tokens")), true,
         false);
  if (scene_.weights) weights_entry();
  if (scene_.query.token >= 0)
    frame_entry(tr("query, token %1").arg(scene_.query.token), Qt::NoPen, colors_.accent);
  if (scene_.key.token >= 0)
    frame_entry(tr("key, token %1").arg(scene_.key.token), QPen(colors_.accent, look_.line(2)),
                QColor());
}

}  // namespace

WordsParts parts_of(const WordsScene& scene, const QRectF& bounds) {
  const double edge = scene.look.px(8), row = scene.look.px(24);
  WordsParts parts;
  parts.text = bounds.adjusted(edge, edge / 2, -edge, 0);
  if (scene.caption) {
    parts.title = QRectF(parts.text.left(), bounds.top() + edge, parts.text.width(), row);
    parts.text.setTop(parts.title.bottom() + edge / 2);
  }
  if (parts.text.height() < 3 * words_line_height(scene.font) + row) return parts;
  parts.legend = QRectF(parts.text.left(), bounds.bottom() - row, parts.text.width(), row);
  parts.text.setBottom(parts.legend.top() - 1);
  return parts;
}

QColor word_ground(const WordsScene& scene, const WordPlace& place) {
  const QColor& surface = scene.look.colors.surface;
  if (!scene.weights)
    return mix(surface, hue_of(scene, place), kTint[scene.told_apart ? place.token % 2 : 1]);
  const float* weight = scene.weights->at(place);
  if (weight && std::isnan(*weight)) return scene.look.colors.not_a_number;
  if (!weight || !(*weight > 0) || scene.weights->largest <= 0) return surface;
  return mix(surface, scene.look.colors.accent,
             kStrongest * std::min(1.0F, *weight / scene.weights->largest));
}

void paint_words(QPainter& painter, const WordsScene& scene, const WordsLayout& layout,
                 const WordsParts& parts, double top) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  WordsPicture picture(painter, scene, layout, parts, top);
  picture.title();
  picture.text();
  picture.legend();
  painter.restore();
}

}  // namespace attn::gui
