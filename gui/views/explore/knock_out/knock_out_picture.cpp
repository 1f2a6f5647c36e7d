// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/knock_out/knock_out_picture.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

struct KnockOutWords {
  Q_DECLARE_TR_FUNCTIONS(KnockOut)
};

QString why_tail() {
  return KnockOutWords::tr(
      "Grey tokens are not compared: the changed request writes its own answer, and where the "
      "answers part, the tokens are no longer the same.");
}

double height_of(const QFont& font, const QString& text, double width) {
  return QFontMetricsF(font)
      .boundingRect(QRectF(0, 0, width, 10000), Qt::AlignLeft | Qt::TextWordWrap, text)
      .height();
}

}  // namespace

struct KnockOutPicture::Layout {
  double label = 0, cell = 0, line = 0, row = 0;
  QRectF heads, list, answers, result, caption, text, legend, tail, bars_title, bars;
  std::vector<QString> said, captions, legends, answered, bars_said;
  std::vector<std::vector<QString>> entries;
  WordFlow before, after, flow;
  double half = 0;
  QRectF head(int64_t layer, int64_t of_head) const {
    return {heads.left() + label + cell * static_cast<double>(of_head),
            heads.top() + cell * static_cast<double>(layer), cell, cell};
  }
  QRectF entry(int64_t index) const {
    double above = 0;
    for (int64_t i = 0; i < index && i < std::ssize(entries); ++i)
      above += static_cast<double>(entries[static_cast<size_t>(i)].size());
    const double lines = index < std::ssize(entries)
                             ? static_cast<double>(entries[static_cast<size_t>(index)].size())
                             : 1;
    return {list.left(), list.top() + row * above, list.width(), row * lines};
  }
  QRectF bar(int64_t index) const {
    return {bars.left(), bars.top() + row * static_cast<double>(index + 1), bars.width(), row};
  }
};

KnockOutPicture::KnockOutPicture(PictureFrame frame, KnockOutScene scene)
    : ExplorePicture(std::move(frame)), scene_(std::move(scene)) {}

KnockOutPicture::Layout KnockOutPicture::lay_out(double width) const {
  const PictureLook& l = look();
  Layout at;
  at.row = l.px(22);
  at.label = l.px(28);
  const auto heads = static_cast<double>(std::max<int64_t>(1, scene_.heads));
  at.cell = std::clamp((width * 0.6 - at.label) / heads, static_cast<double>(l.px(8)),
                       static_cast<double>(l.px(26)));
  at.said = lines_of(
      l.small,
      frame().in_file ? KnockOutWords::tr("Heads (layer down, head across)")
                      : KnockOutWords::tr("Heads (layer down, head across): click to switch off"),
      width);
  if (!scene_.note.isEmpty() && !frame().in_file)
    for (const QString& line : lines_of(l.small, scene_.note, width)) at.said.push_back(line);
  at.heads = QRectF(0, l.px(18) * static_cast<double>(at.said.size()) + l.px(2),
                    at.label + at.cell * heads, at.cell * static_cast<double>(scene_.layers));
  const bool below = frame().in_file && width < l.px(480);
  const double left = below ? 0 : at.heads.right() + l.px(24);
  at.list = QRectF(left, below ? at.heads.bottom() + l.px(6) : at.heads.top(),
                   std::max(0.0, width - left), 0);
  double lines = 0;
  for (size_t i = 0; i < scene_.list.size(); ++i) {
    at.entries.push_back(lines_of(l.small, entry_text(i), at.list.width() - l.px(16)));
    lines += static_cast<double>(at.entries.back().size());
  }
  at.list.setHeight(at.row * std::max(1.0, lines));
  double y = std::max(at.heads.bottom(), at.list.bottom()) + l.px(12);
  at.line = words_line_height(frame().words);
  at.half = (width - l.px(24)) / 2;
  at.answers = QRectF(0, y, width, 0);
  if (scene_.data && !scene_.is_encoder) {
    at.before.begin(frame().words, at.half, 0);
    at.before.show(scene_.answer_before);
    at.after.begin(frame().words, at.half, 0);
    at.after.show(scene_.answer_after);
    at.answers.setHeight(
        at.row + at.line * static_cast<double>(std::max(at.before.lines(), at.after.lines())));
    at.answered = lines_of(l.small, answer_words(), width);
    at.result =
        QRectF(0, at.answers.bottom(), width, at.row * static_cast<double>(at.answered.size()));
    y = at.result.bottom() + l.px(10);
  } else {
    at.answers.setHeight(at.row * 2);
    y = at.answers.bottom();
  }
  if (scene_.data) {
    at.captions = lines_of(
        l.small_bold,
        scene_.is_encoder
            ? KnockOutWords::tr("How much the distribution in the place of a token changes")
            : KnockOutWords::tr("The same tokens: how much the distribution after a token changes"),
        width);
    at.legends =
        lines_of(l.small,
                 KnockOutWords::tr("Kullback-Leibler divergence from 0 (pale) to %1 nats (strong)")
                     .arg(format_number(most_divergence(), 3)),
                 width);
  }
  at.caption = QRectF(0, y, width, at.row * static_cast<double>(at.captions.size()));
  // Tokens of an encoder may have no spaces, so a gap is put between words.
  at.flow.begin(frame().words, width, scene_.is_encoder ? l.px(6) : 0);
  if (scene_.data) at.flow.show(scene_.tokens);
  at.text = QRectF(0, at.caption.bottom(), width, at.line * static_cast<double>(at.flow.lines()));
  at.legend =
      QRectF(0, at.text.bottom() + l.px(4), width, at.row * static_cast<double>(at.legends.size()));
  at.tail =
      QRectF(0, at.legend.bottom(), width, has_tail() ? height_of(l.small, why_tail(), width) : 0);
  const size_t bars = scene_.bars && scene_.data ? scene_.bars->bars.size() + 1 : 0;
  double top = at.tail.bottom() + l.px(8);
  // The title is in the line of the columns' names; in a file, above it if it does not fit there.
  if (bars > 0) {
    const double room = width - l.px(170);
    at.bars_said = lines_of(l.small_bold, bars_title(), room);
    const bool above = at.bars_said.size() > 1;
    if (above) at.bars_said = lines_of(l.small_bold, bars_title(), width);
    const auto more = static_cast<double>(above ? at.bars_said.size() : 0);
    at.bars_title = QRectF(0, top, more > 0 ? width : room, at.row * std::max(1.0, more));
    top += at.row * more;
  }
  at.bars = QRectF(0, top, width, at.row * static_cast<double>(bars));
  return at;
}

double KnockOutPicture::content_height(double width) const {
  return lay_out(width).bars.bottom() + look().px(4);
}

const Intervention* KnockOutPicture::at_head(int64_t layer, int64_t head) const {
  for (const Intervention& what : scene_.list)
    if (what.kind != InterventionKind::kResidual && what.layer == layer && what.head == head)
      return &what;
  return nullptr;
}

const WhatIfRow* KnockOutPicture::row_at(int64_t position) const {
  if (!scene_.data || position < 0 || position >= std::ssize(scene_.data->result.rows) ||
      position >= scene_.rows)
    return nullptr;
  return &scene_.data->result.rows[static_cast<size_t>(position)];
}

bool KnockOutPicture::has_tail() const {
  return scene_.data && std::ssize(scene_.data->result.rows) < scene_.rows;
}

double KnockOutPicture::most_divergence() const {
  double most = 1e-12;
  for (const WhatIfRow& row : scene_.data->result.rows) most = std::max(most, row.divergence);
  return most;
}

void KnockOutPicture::paint_heads(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  paint_lines(p, QRectF(0, 0, at.answers.width(), at.heads.top() - l.px(2)), at.said);
  for (int64_t layer = 0; layer < scene_.layers; ++layer) {
    const QRectF first = at.head(layer, 0);
    p.setFont(l.small);
    p.setPen(l.colors.muted);
    draw_line(p, QRectF(0, first.top(), at.label - l.px(6), at.cell),
              Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
    for (int64_t head = 0; head < scene_.heads; ++head) {
      const QRectF box = at.head(layer, head).adjusted(1, 1, -1, -1);
      const Intervention* what = at_head(layer, head);
      const QColor fill = what ? l.colors.warning : mix(l.colors.surface, l.colors.accent, 0.3);
      p.setPen(Qt::NoPen);
      p.setBrush(fill);
      p.drawRoundedRect(box, 3, 3);
      if (at.cell >= l.px(16)) {
        p.setFont(what ? l.small_bold : l.small);
        p.setPen(l.text_on(fill));
        draw_line(p, box, Qt::AlignCenter, QString::number(head));
      }
      if (what && what->kind == InterventionKind::kHead) {
        p.setPen(QPen(l.text_on(fill), l.line(1)));
        p.drawLine(box.bottomLeft(), box.topRight());
      }
      if (!(cursor == Spot{kHeads, layer, head})) continue;
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(l.colors.text, l.line(2)));
      p.drawRoundedRect(box, 3, 3);
    }
  }
  p.setFont(l.small);
  if (scene_.list.empty()) {
    p.setPen(l.colors.muted);
    draw_line(p, at.entry(0), Qt::AlignLeft | Qt::AlignVCenter,
              elided_text(l.small, KnockOutWords::tr("Nothing is changed."), at.list.width()));
  }
  for (size_t i = 0; i < scene_.list.size(); ++i) {
    const QRectF box = at.entry(static_cast<int64_t>(i));
    const bool here = cursor == Spot{kList, static_cast<int64_t>(i), 0};
    p.setPen(Qt::NoPen);
    p.setBrush(l.colors.warning);
    p.drawEllipse(QRectF(box.left(), box.top() + at.row / 2 - l.px(4), l.px(8), l.px(8)));
    p.setPen(here ? l.colors.accent : l.colors.text);
    paint_lines(p, box.adjusted(l.px(16), 0, 0, 0), at.entries[i]);
  }
}

QString KnockOutPicture::entry_text(size_t index) const {
  QString text = QString::fromStdString(text_of(scene_.list[index]));
  if (!scene_.data) return text;
  const auto& changes = scene_.data->list;
  const auto at =
      static_cast<size_t>(std::ranges::find(changes, scene_.list[index]) - changes.begin());
  if (at < scene_.data->result.changed_numbers.size())
    text += KnockOutWords::tr(" (%1 numbers changed)")
                .arg(format_count(scene_.data->result.changed_numbers[at]));
  return text;
}

QString KnockOutPicture::answer_words() const {
  const WhatIf& result = scene_.data->result;
  if (result.answer_before.empty()) return KnockOutWords::tr("There is no answer yet.");
  if (result.answer_after.empty())
    return KnockOutWords::tr(
        "A beam search is not repeated, so there is no new answer to compare.");
  const auto count = std::ssize(*scene_.answer_before);
  if (result.equal >= count)
    return KnockOutWords::tr("The answer is the same: all %1 tokens.").arg(count);
  if (result.equal == 0) return KnockOutWords::tr("The answers part at their first token.");
  if (result.equal == 1)
    return KnockOutWords::tr("The first of %1 tokens is the same; then the answers part.")
        .arg(count);
  return KnockOutWords::tr("The first %1 of %2 tokens are the same; then the answers part.")
      .arg(result.equal)
      .arg(count);
}

void KnockOutPicture::paint_answers(QPainter& p, const Layout& at) const {
  const PictureLook& l = look();
  const double right = at.half + l.px(24);
  p.setFont(l.small_bold);
  p.setPen(l.colors.text);
  draw_line(p, QRectF(0, at.answers.top(), at.half, at.row), Qt::AlignLeft | Qt::AlignVCenter,
            KnockOutWords::tr("The answer as it was"));
  draw_line(p, QRectF(right, at.answers.top(), at.half, at.row), Qt::AlignLeft | Qt::AlignVCenter,
            KnockOutWords::tr("The answer now"));
  const QFontMetricsF metrics(frame().words);
  const auto paint = [&](const WordFlow& flow, const Tokens& tokens, double x0, const QColor& hue) {
    for (int64_t line = 0; line < flow.lines(); ++line)
      for (const WordPiece& piece : flow.line(line)) {
        const QRectF box(x0 + piece.x,
                         at.answers.top() + at.row + at.line * static_cast<double>(line) + 2,
                         piece.width - 1, at.line - 4);
        const bool differs = piece.token >= scene_.data->result.equal;
        const QColor ground = mix(l.colors.surface, hue, differs ? 0.55 : 0.12);
        p.setPen(Qt::NoPen);
        p.setBrush(ground);
        p.drawRoundedRect(box, 3, 3);
        const TokenText text = token_text((*tokens)[static_cast<size_t>(piece.token)].text);
        p.setFont(frame().words);
        p.setPen(differs ? l.text_on(ground) : l.colors.text);
        draw_line(p,
                  QPointF(box.left(),
                          box.top() + (box.height() + metrics.ascent() - metrics.descent()) / 2),
                  text.shown.mid(piece.begin, piece.end - piece.begin));
      }
  };
  paint(at.before, scene_.answer_before, 0, l.colors.decode);
  paint(at.after, scene_.answer_after, right, l.colors.warning);
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  paint_lines(p, at.result, at.answered);
}

void KnockOutPicture::paint_text(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  p.setFont(l.small_bold);
  p.setPen(l.colors.text);
  paint_lines(p, at.caption, at.captions);
  const double most = most_divergence();
  const QFontMetricsF metrics(frame().words);
  for (int64_t line = 0; line < at.flow.lines(); ++line)
    for (const WordPiece& piece : at.flow.line(line)) {
      const QRectF box(piece.x, at.text.top() + at.line * static_cast<double>(line) + 2,
                       piece.width - 1, at.line - 4);
      const WhatIfRow* row = row_at(piece.token);
      const QColor ground = row ? mix(l.colors.surface, l.colors.warning,
                                      0.8 * std::sqrt(std::max(0.0, row->divergence) / most))
                                : l.colors.surface;
      p.setPen(Qt::NoPen);
      p.setBrush(ground);
      p.drawRoundedRect(box, 3, 3);
      const TokenText text = token_text((*scene_.tokens)[static_cast<size_t>(piece.token)].text);
      p.setFont(frame().words);
      p.setPen(row ? l.text_on(ground) : l.colors.muted);
      draw_line(p,
                QPointF(box.left(),
                        box.top() + (box.height() + metrics.ascent() - metrics.descent()) / 2),
                text.shown.mid(piece.begin, piece.end - piece.begin));
      const bool shown = scene_.bars && scene_.bars->row == piece.token;
      if (!shown && !(cursor == Spot{kText, piece.token, 0})) continue;
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(l.colors.accent, l.line(2)));
      p.drawRoundedRect(box, 3, 3);
    }
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  paint_lines(p, at.legend, at.legends);
  if (has_tail()) p.drawText(at.tail, Qt::AlignLeft | Qt::TextWordWrap, why_tail());
}

// Names the place by the position of the token that follows, as the view Next token does. For a
// decoder that view shows the distribution before the selected token, and this one that after it.
QString KnockOutPicture::bars_title() const {
  const int64_t row = scene_.bars->row;
  const QString text = quoted_token((*scene_.tokens)[static_cast<size_t>(row)].text);
  if (scene_.is_encoder)
    return (scene_.of_selection
                ? KnockOutWords::tr("What belongs in the place of the selected token %1, %2")
                : KnockOutWords::tr("What belongs in the place of token %1, %2"))
        .arg(row)
        .arg(text);
  return scene_.of_selection
             ? KnockOutWords::tr("What follows %1, the selected token %2? Token %3")
                   .arg(text)
                   .arg(row)
                   .arg(row + 1)
             : KnockOutWords::tr("What follows %1? Token %2").arg(text).arg(row + 1);
}

void KnockOutPicture::paint_bars(QPainter& p, const Layout& at, const Spot& cursor) const {
  if (!scene_.bars || !scene_.data) return;
  const PictureLook& l = look();
  p.setFont(l.small_bold);
  p.setPen(l.colors.text);
  paint_lines(p, at.bars_title, at.bars_said);
  const double numbers = l.px(160), label = std::min<double>(l.px(150), at.bars.width() / 4);
  p.setFont(l.small_bold);
  p.setPen(l.colors.decode);
  draw_line(p, QRectF(at.bars.right() - numbers, at.bars.top(), numbers / 2, at.row),
            Qt::AlignRight | Qt::AlignVCenter, KnockOutWords::tr("was"));
  p.setPen(l.colors.warning);
  draw_line(p, QRectF(at.bars.right() - numbers / 2, at.bars.top(), numbers / 2, at.row),
            Qt::AlignRight | Qt::AlignVCenter, KnockOutWords::tr("is now"));
  double most = 1e-9;
  for (const KnockOutBar& bar : scene_.bars->bars) most = std::max({most, bar.before, bar.after});
  for (size_t i = 0; i < scene_.bars->bars.size(); ++i) {
    const KnockOutBar& bar = scene_.bars->bars[i];
    const QRectF box = at.bar(static_cast<int64_t>(i));
    p.setFont(l.mono);
    p.setPen(l.colors.text);
    draw_line(p, QRectF(0, box.top(), label, at.row), Qt::AlignRight | Qt::AlignVCenter,
              elided_text(l.mono, bar.text, label));
    const double left = label + l.px(10), room = box.width() - left - numbers - l.px(8);
    const double high = (at.row - l.px(6)) / 2;
    p.fillRect(QRectF(left, box.top() + l.px(3), std::max(1.0, room * bar.before / most), high),
               l.colors.decode);
    p.fillRect(
        QRectF(left, box.top() + l.px(3) + high, std::max(1.0, room * bar.after / most), high),
        l.colors.warning);
    draw_line(p, QRectF(box.right() - numbers, box.top(), numbers / 2, at.row),
              Qt::AlignRight | Qt::AlignVCenter, format_probability(bar.before));
    draw_line(p, QRectF(box.right() - numbers / 2, box.top(), numbers / 2, at.row),
              Qt::AlignRight | Qt::AlignVCenter, format_probability(bar.after));
    if (!(cursor == Spot{kBars, static_cast<int64_t>(i), 0})) continue;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(l.colors.accent, l.line(1)));
    p.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void KnockOutPicture::paint_content(QPainter& painter, double width, const Spot& cursor) const {
  const Layout at = lay_out(width);
  paint_heads(painter, at, cursor);
  if (scene_.data) {
    if (!scene_.is_encoder) paint_answers(painter, at);
    paint_text(painter, at, cursor);
    paint_bars(painter, at, cursor);
    return;
  }
  painter.setFont(look().small);
  painter.setPen(scene_.trouble.isEmpty() ? look().colors.muted : look().colors.bad);
  painter.drawText(at.answers, Qt::AlignLeft | Qt::TextWordWrap, why_no_data());
}

QString KnockOutPicture::why_no_data() const {
  if (!scene_.trouble.isEmpty()) return scene_.trouble;
  if (scene_.is_in_request)
    return KnockOutWords::tr(
        "The shown request has these changes already, so there is nothing more to change.");
  if (!scene_.list.empty()) return KnockOutWords::tr("Computing.");
  return scene_.is_encoder
             ? KnockOutWords::tr(
                   "Switch a head off to see how much the answer in the "
                   "place of each token changes.")
             : KnockOutWords::tr("Switch a head off to see how the answer changes without it.");
}

std::optional<Spot> KnockOutPicture::content_at(const QPointF& point, double width) const {
  const Layout at = lay_out(width);
  if (at.heads.contains(point) && point.x() >= at.heads.left() + at.label) {
    const auto layer = static_cast<int64_t>((point.y() - at.heads.top()) / at.cell),
               head = static_cast<int64_t>((point.x() - at.heads.left() - at.label) / at.cell);
    if (layer < scene_.layers && head < scene_.heads) return Spot{kHeads, layer, head};
  }
  if (at.list.contains(point) && !scene_.list.empty())
    for (int64_t i = 0; i < std::ssize(scene_.list); ++i)
      if (at.entry(i).contains(point)) return Spot{kList, i, 0};
  if (at.text.contains(point)) {
    const auto token =
        at.flow.token_at(static_cast<int64_t>((point.y() - at.text.top()) / at.line), point.x());
    return token ? std::optional(Spot{kText, *token, 0}) : std::nullopt;
  }
  const auto bar = static_cast<int64_t>(std::floor((point.y() - at.bars.top()) / at.row)) - 1;
  if (scene_.bars && at.bars.contains(point) && bar >= 0 && bar < std::ssize(scene_.bars->bars))
    return Spot{kBars, bar, 0};
  return std::nullopt;
}

QRectF KnockOutPicture::content_box(const Spot& spot, double width) const {
  const Layout at = lay_out(width);
  switch (spot.part) {
    case kHeads:
      return spot.row < scene_.layers && spot.column < scene_.heads ? at.head(spot.row, spot.column)
                                                                    : QRectF();
    case kList:
      return spot.row < std::ssize(scene_.list) ? at.entry(spot.row) : QRectF();
    case kBars:
      return scene_.bars && scene_.data && spot.row < std::ssize(scene_.bars->bars)
                 ? at.bar(spot.row)
                 : QRectF();
    default:
      break;
  }
  if (spot.row >= at.flow.tokens() || at.flow.parts(spot.row).empty()) return {};
  const WordPiece& piece = at.flow.parts(spot.row).front();
  return {piece.x, at.text.top() + at.line * static_cast<double>(at.flow.line_of(piece)),
          piece.width, at.line};
}

// The arrows move among the heads; below them, if there is data, left and right move in the text.
Spot KnockOutPicture::moved(const Spot& from, int columns, int rows) const {
  if (!from.is_somewhere()) return {kHeads, 0, 0};
  if (from.part == kHeads) {
    const bool leaves = from.row + rows >= scene_.layers && scene_.data;
    if (leaves) return {kText, scene_.bars ? scene_.bars->row : 0, 0};
    return {kHeads, std::clamp<int64_t>(from.row + rows, 0, scene_.layers - 1),
            std::clamp<int64_t>(from.column + columns, 0, scene_.heads - 1)};
  }
  if (rows < 0) return {kHeads, scene_.layers - 1, 0};
  const int64_t last = scene_.data ? std::ssize(scene_.data->result.rows) - 1 : 0;
  const int64_t now = from.part == kText ? from.row : 0;
  return {kText, std::clamp<int64_t>(now + columns, 0, std::max<int64_t>(0, last)), 0};
}

QString KnockOutPicture::words(const Spot& spot) const {
  const auto index = static_cast<size_t>(spot.row);
  if (spot.part == kHeads) {
    const Intervention* what = at_head(spot.row, spot.column);
    return what ? QString::fromStdString(text_of(*what))
                : KnockOutWords::tr("head %1.%2 works").arg(spot.row).arg(spot.column);
  }
  if (spot.part == kList)
    return KnockOutWords::tr("%1; click to take it back")
        .arg(QString::fromStdString(text_of(scene_.list[index])));
  if (spot.part == kBars) {
    const KnockOutBar& bar = scene_.bars->bars[index];
    return KnockOutWords::tr("%1: was %2, is now %3")
        .arg(bar.text, format_probability(bar.before), format_probability(bar.after));
  }
  QString text = KnockOutWords::tr("token %1: %2")
                     .arg(spot.row)
                     .arg(quoted_token((*scene_.tokens)[index].text));
  if (const WhatIfRow* row = row_at(spot.row))
    text +=
        (scene_.is_encoder
             ? KnockOutWords::tr("\nthe likeliest token in its place had probability %1 and now "
                                 "has %2\ndivergence %3 nats")
             : KnockOutWords::tr(
                   "\nthe token after it had probability %1 and now has %2\ndivergence %3 nats"))
            .arg(format_probability(row->before), format_probability(row->after),
                 format_number(row->divergence));
  else if (has_tail() && spot.row < scene_.rows)
    text += QLatin1Char('\n') + why_tail();
  return text;
}

std::vector<ViewPoint::Number> KnockOutPicture::numbers(const Spot& spot) const {
  if (spot.part == kBars) {
    const KnockOutBar& bar = scene_.bars->bars[static_cast<size_t>(spot.row)];
    return {{KnockOutWords::tr("probability now"), exact_number(bar.after)},
            {KnockOutWords::tr("probability before"), exact_number(bar.before)}};
  }
  const WhatIfRow* row = spot.part == kText ? row_at(spot.row) : nullptr;
  if (!row) return {};
  return {{KnockOutWords::tr("divergence"), exact_number(row->divergence)},
          {KnockOutWords::tr("probability now"), exact_number(row->after)},
          {KnockOutWords::tr("probability before"), exact_number(row->before)}};
}

std::vector<SelectionState> KnockOutPicture::things(const Spot& spot) const {
  if (spot.part != kText) return {};
  return {{.kind = SelectionKind::kToken, .query = spot.row}};
}

std::shared_ptr<const Explanation> KnockOutPicture::explain(const Spot& spot) const {
  const WhatIfRow* row = spot.part == kText ? row_at(spot.row) : nullptr;
  if (!row) return nullptr;
  const auto number = [](double value) { return format_number(value, 7); };
  QStringList off;
  for (const Intervention& what : scene_.list) off += QString::fromStdString(text_of(what));
  auto of = std::make_shared<Explanation>();
  of->title = (scene_.is_encoder ? KnockOutWords::tr("Knock-out: in the place of %1, position %2")
                                 : KnockOutWords::tr("Knock-out: after %1, for position %2"))
                  .arg(quoted_token((*scene_.tokens)[static_cast<size_t>(spot.row)].text))
                  .arg(scene_.is_encoder ? spot.row : spot.row + 1);
  of->meaning =
      scene_.is_encoder
          ? KnockOutWords::tr(
                "What the changes inside the model do to its answer in this place: the probability "
                "of the token that was the likeliest, and the divergence of the whole "
                "distribution.")
          : KnockOutWords::tr(
                "What the changes inside the model do to its answer after this token: the "
                "probability of the token that follows, and the divergence of the whole "
                "distribution.");
  of->numbers = {{KnockOutWords::tr("probability before"), number(row->before)},
                 {KnockOutWords::tr("probability now"), number(row->after)},
                 {KnockOutWords::tr("divergence, nats"), number(row->divergence)}};
  of->formulas = {KnockOutWords::tr("divergence = Σ p log(p ÷ q), p: before, q: now")};
  if (row->before > 0)
    of->formulas +=
        KnockOutWords::tr("now ÷ before = %1 ÷ %2 = %3")
            .arg(number(row->after), number(row->before), number(row->after / row->before));
  of->origin = KnockOutWords::tr("The same tokens are run twice: as they were, and with %1.")
                   .arg(off.join(QStringLiteral("; ")));
  return of;
}

QString KnockOutPicture::sentence() const {
  QStringList off;
  for (const Intervention& what : scene_.list) off += QString::fromStdString(text_of(what));
  const QString note = scene_.note.isEmpty() ? QString() : scene_.note + QLatin1Char(' ');
  if (off.isEmpty()) return note + KnockOutWords::tr("Nothing is changed.");
  return note + KnockOutWords::tr("Changed: %1.").arg(off.join(QStringLiteral("; "))) +
         QLatin1Char(' ') +
         (!scene_.data        ? why_no_data()
          : scene_.is_encoder ? QString()
                              : answer_words());
}

std::string KnockOutPicture::csv() const {
  std::string out =
      "interventions,position,token,text,next,before,after,divergence,best_before,best_after,"
      "next_text,best_before_text,best_after_text\n";
  if (!scene_.data) return out;
  const std::string list = csv_cell(frame().marks.join(QStringLiteral("; ")).toStdString());
  for (size_t i = 0; i < scene_.data->result.rows.size(); ++i) {
    const WhatIfRow& row = scene_.data->result.rows[i];
    const RowTexts& texts = scene_.data->texts[i];
    if (!row_at(row.position)) break;
    const TokenView& token = (*scene_.tokens)[static_cast<size_t>(row.position)];
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", list, row.position, token.id,
                       csv_cell(token.text), row.next, row.before, row.after, row.divergence,
                       row.best_before, row.best_after, csv_cell(texts.next),
                       csv_cell(texts.best_before), csv_cell(texts.best_after));
  }
  return out;
}

}  // namespace attn::gui
