// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/next_token/next_token_picture.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/models/text.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kLeastLog = -8;   // nats; darkest colour of the text
constexpr double kMostRank = 100;  // rank of the darkest colour
constexpr int kLeastBar = 80;      // px at 100%, of the longest bar beside its token and numbers

struct NextTokenWords {
  Q_DECLARE_TR_FUNCTIONS(NextToken)
};

}  // namespace

struct NextTokenPicture::Layout {
  WordFlow flow;
  double line = 0;
  QRectF text, legend, heading, columns, bars, strip, draw;
  double row = 0;  // height of a bar
  double label = 0, number = 0;
  std::vector<QString> said, drawn;
  QRectF bar_of(size_t index) const {
    return {bars.left(), bars.top() + row * static_cast<double>(index), bars.width(), row};
  }
};

NextTokenPicture::NextTokenPicture(PictureFrame frame, NextTokenScene scene)
    : ExplorePicture(std::move(frame)), scene_(std::move(scene)) {}

NextTokenPicture::Layout NextTokenPicture::lay_out(double width) const {
  Layout at;
  const PictureLook& l = look();
  // Tokens of an encoder may have no spaces, so a gap is put between words.
  at.flow.begin(frame().words, width, scene_.is_encoder ? l.px(6) : 0);
  at.flow.show(scene_.tokens);
  at.line = words_line_height(frame().words);
  at.text = QRectF(0, 0, width, at.line * static_cast<double>(at.flow.lines()));
  at.legend = QRectF(0, at.text.bottom() + l.px(4), width,
                     l.px(frame().in_file && width < l.px(480) ? 44 : 22));
  at.said = lines_of(l.title_bold, heading(), width);
  at.heading = QRectF(0, at.legend.bottom() + l.px(12), width,
                      l.px(24) * static_cast<double>(at.said.size()));
  at.columns = QRectF(0, at.heading.bottom(), width, l.px(18));
  at.row = l.px(22);
  at.label = std::min<double>(l.px(150), width / 4);
  // The width of each of the three numbers beside a bar; in a file at most a sixth of the width.
  at.number = frame().in_file ? std::min<double>(l.px(104), width / 6) : l.px(104);
  // In a narrow window the bars keep some width: first the numbers give way, then the tokens.
  if (const double room = width - l.px(18 + kLeastBar); !frame().in_file) {
    at.number = std::clamp<double>((room - at.label) / 3, l.px(58), at.number);
    at.label =
        std::clamp<double>(room - 3 * at.number, std::min<double>(l.px(48), at.label), at.label);
  }
  at.bars = QRectF(0, at.columns.bottom() + l.px(2), width,
                   at.row * static_cast<double>(scene_.data->next.choices.size()));
  at.strip = QRectF(0, at.bars.bottom() + l.px(34), width, l.px(26));
  at.drawn = lines_of(l.small, draw_words(), width);
  at.draw = QRectF(0, at.strip.bottom() + l.px(4), width,
                   l.px(frame().in_file ? 18 : 22) * static_cast<double>(at.drawn.size()));
  return at;
}

double NextTokenPicture::content_height(double width) const {
  return lay_out(width).draw.bottom();
}

const PastToken* NextTokenPicture::past_at(int64_t position) const {
  const auto& past = scene_.data->past;
  const int64_t place = scene_.is_encoder ? position : position - 1;
  return place >= 0 && place < std::ssize(past) ? &past[static_cast<size_t>(place)] : nullptr;
}

// The higher the log-probability, or the lower the rank, the brighter is the colour.
QColor NextTokenPicture::color_of(const PastToken& past) const {
  const double share = scene_.color == PastColor::kLogProbability
                           ? 1 - past.log_probability / kLeastLog
                           : 1 - std::log1p(static_cast<double>(past.rank)) / std::log1p(kMostRank);
  const auto index = static_cast<size_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
  return QColor::fromRgb(color_table(ColorMapId::kCividis)[index]);
}

void NextTokenPicture::paint_text(QPainter& p, const Layout& at, const Spot& cursor) const {
  const QFontMetricsF metrics(frame().words);
  for (int64_t line = 0; line < at.flow.lines(); ++line)
    for (const WordPiece& piece : at.flow.line(line)) {
      const QRectF box(piece.x, at.line * static_cast<double>(line) + 2, piece.width - 1,
                       at.line - 4);
      const PastToken* past = past_at(piece.token);
      const QColor ground = past ? color_of(*past) : look().colors.surface;
      p.setPen(Qt::NoPen);
      p.setBrush(ground);
      p.drawRoundedRect(box, 3, 3);
      const TokenText text = token_text((*scene_.tokens)[static_cast<size_t>(piece.token)].text);
      p.setFont(frame().words);
      p.setPen(past ? look().text_on(ground) : look().colors.text);
      draw_line(p,
                QPointF(box.left(),
                        box.top() + (box.height() + metrics.ascent() - metrics.descent()) / 2),
                text.shown.mid(piece.begin, piece.end - piece.begin));
      const bool explained = piece.token == scene_.data->position;
      if (!explained && !(cursor == Spot{kText, piece.token, 0})) continue;
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(explained ? look().colors.accent : look().colors.text, look().line(2)));
      p.drawRoundedRect(box.adjusted(0, -1, 0, 1), 3, 3);
    }
}

void NextTokenPicture::paint_legend(QPainter& p, const Layout& at) const {
  const bool ranks = scene_.color == PastColor::kRank;
  p.setFont(look().small);
  p.setPen(look().colors.muted);
  const double bar = look().px(96), gap = look().px(6);
  const QString low =
      ranks ? NextTokenWords::tr("rank %1").arg(format_count(kMostRank))
            : NextTokenWords::tr("log-probability %1 nats").arg(QString::number(kLeastLog));
  const double begin = text_width(look().small, low) + gap;
  const double line_high = look().px(22);
  draw_line(p, QRectF(0, at.legend.top(), begin, line_high), Qt::AlignLeft | Qt::AlignVCenter, low);
  const QRectF box(begin, at.legend.top() + look().px(5), bar, line_high - look().px(10));
  for (int i = 0; i < 64; ++i)
    p.fillRect(
        QRectF(box.left() + box.width() * i / 64, box.top(), box.width() / 64 + 0.5, box.height()),
        QColor::fromRgb(color_table(ColorMapId::kCividis)[static_cast<size_t>(i * 4 + 2)]));
  const QString high = ranks ? NextTokenWords::tr("0: the most likely one of all tokens")
                             : NextTokenWords::tr("0: the model was sure of this token");
  const QRectF end(box.right() + gap, at.legend.top(), at.legend.right() - box.right() - gap,
                   line_high);
  if (at.legend.height() > look().px(22))
    draw_line(p, QRectF(0, at.legend.top() + look().px(22), at.legend.width(), look().px(20)),
              Qt::AlignRight | Qt::AlignVCenter, high);
  else
    draw_line(p, end, Qt::AlignLeft | Qt::AlignVCenter,
              elided_text(look().small, high, end.width()));
}

QString NextTokenPicture::heading() const {
  const auto& tokens = *scene_.tokens;
  const int64_t position = scene_.data->position;
  if (scene_.is_encoder)
    return (scene_.of_selection
                ? NextTokenWords::tr("What belongs at token %1, the selected one? The text has %2")
                : NextTokenWords::tr("What belongs at token %1? The text has %2"))
        .arg(position)
        .arg(quoted_token(tokens[static_cast<size_t>(position)].text));
  const QString before =
      quoted_token(tokens[static_cast<size_t>(std::min(position, std::ssize(tokens)) - 1)].text);
  if (scene_.actual < 0)
    return NextTokenWords::tr("What follows %1? Token %2").arg(before).arg(position);
  if (scene_.of_selection)
    return NextTokenWords::tr("What followed %1? Token %2, the selected one, is %3")
        .arg(before)
        .arg(position)
        .arg(quoted_token(tokens[static_cast<size_t>(position)].text));
  return NextTokenWords::tr("What followed %1? Token %2 is %3")
      .arg(before)
      .arg(position)
      .arg(quoted_token(tokens[static_cast<size_t>(position)].text));
}

QString NextTokenPicture::cut_words(const TokenChoice& choice) const {
  switch (choice.cut) {
    case CutBy::kNothing:
      return {};
    case CutBy::kTemperature0:
      return NextTokenWords::tr("not the most likely one");
    case CutBy::kTopK:
      return NextTokenWords::tr("cut by top-k");
    case CutBy::kTopP:
      return NextTokenWords::tr("cut by top-p");
    case CutBy::kSuppressed:
      return NextTokenWords::tr("never sampled: the model's files rule it out");
  }
  return {};
}

void NextTokenPicture::paint_bars(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  const auto& choices = scene_.data->next.choices;
  p.setFont(l.title_bold);
  p.setPen(l.colors.text);
  paint_lines(p, at.heading, at.said);
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  const double numbers = 3 * at.number;
  const QString temperature = QString::number(scene_.temperature);
  const std::pair<QString, QString> names[] = {
      {NextTokenWords::tr("model"), NextTokenWords::tr("model")},
      {NextTokenWords::tr("temperature %1").arg(temperature),
       NextTokenWords::tr("T = %1").arg(temperature)},
      {NextTokenWords::tr("drawn with"), NextTokenWords::tr("drawn")}};
  const auto fitting = [&](const std::pair<QString, QString>& name) {
    const double room = at.number - 4;
    return text_width(l.small, name.first) <= room ? name.first
                                                   : elided_text(l.small, name.second, room);
  };
  for (int i = 0; i < (scene_.draws() ? 3 : 1); ++i)
    draw_line(p,
              QRectF(at.columns.right() - numbers + at.number * i, at.columns.top(), at.number,
                     at.columns.height()),
              Qt::AlignRight | Qt::AlignVCenter, fitting(names[i]));
  double most = 1e-9;
  for (const TokenChoice& choice : choices)
    most = std::max({most, choice.plain, scene_.draws() ? choice.probability : 0});
  for (size_t row = 0; row < choices.size(); ++row) {
    paint_bar(p, at, row, most);
    if (!(cursor == Spot{kBars, static_cast<int64_t>(row), 0})) continue;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(l.colors.accent, l.line(1)));
    p.drawRect(at.bar_of(row).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

// The tall pale bar is the probability of the model, the flat strong one that of the draw.
void NextTokenPicture::paint_bar(QPainter& p, const Layout& at, size_t row, double most) const {
  const PictureLook& l = look();
  const TokenChoice& choice = scene_.data->next.choices[row];
  const QRectF box = at.bar_of(row);
  const bool is_actual = choice.token == scene_.actual || (scene_.actual < 0 && scene_.draws() &&
                                                           choice.token == scene_.data->next.token);
  const bool is_cut = choice.cut != CutBy::kNothing && scene_.draws();
  p.setFont(l.mono);
  p.setPen(is_cut ? l.colors.muted : l.colors.text);
  const QString mark = is_actual ? QStringLiteral("▸") : QString();
  draw_line(p, QRectF(box.left(), box.top(), at.label, box.height()),
            Qt::AlignRight | Qt::AlignVCenter,
            elided_text(l.mono, mark + scene_.data->texts[row], at.label));
  const double left = at.label + l.px(10), room = box.width() - left - 3 * at.number - l.px(8);
  const double high = box.height() - l.px(6);
  const QColor hue = is_actual ? l.colors.decode : l.colors.accent;
  const QRectF plain(left, box.top() + l.px(3), std::max(1.0, room * choice.plain / most), high);
  p.fillRect(plain, mix(l.colors.surface, hue, 0.35));
  if (scene_.draws() && choice.probability > 0)
    p.fillRect(QRectF(left, box.top() + l.px(3) + high * 0.3,
                      std::max(1.0, room * choice.probability / most), high * 0.4),
               hue);
  if (is_cut && choice.cut != CutBy::kTemperature0) {
    p.setFont(l.small);
    p.setPen(l.colors.muted);
    const double begin = plain.right() + l.px(6), free = left + room - begin;
    draw_line(p, QRectF(begin, box.top(), free, box.height()), Qt::AlignLeft | Qt::AlignVCenter,
              elided_text(l.small, cut_words(choice), free));
  }
  const double values[] = {choice.plain, choice.tempered, choice.probability};
  p.setFont(l.mono);
  for (int i = 0; i < (scene_.draws() ? 3 : 1); ++i) {
    p.setPen(i == 2 && is_cut ? l.colors.muted : l.colors.text);
    draw_line(p, QRectF(box.right() - (3 - i) * at.number, box.top(), at.number, box.height()),
              Qt::AlignRight | Qt::AlignVCenter, format_probability(values[i]));
  }
}

QString NextTokenPicture::draw_words() const {
  const NextToken& next = scene_.data->next;
  if (scene_.is_beam)
    return NextTokenWords::tr(
        "Beam search draws nothing: it goes on with the most likely sequences.");
  if (scene_.is_encoder)
    return scene_.is_masked ? NextTokenWords::tr(
                                  "An encoder draws nothing. This token is hidden by a mask: the "
                                  "bars come from the other tokens.")
                            : NextTokenWords::tr(
                                  "An encoder draws nothing; it has read this token, and a mask "
                                  "in its place would hide it.");
  if (scene_.of_prompt())
    return NextTokenWords::tr("This token belongs to the prompt: it was given, not drawn.");
  const bool is_first_suppressed =
      !next.choices.empty() && next.choices.front().cut == CutBy::kSuppressed;
  if (scene_.temperature == 0)
    return (is_first_suppressed
                ? NextTokenWords::tr("Temperature 0 draws nothing: it takes the most likely token "
                                     "of those that may be taken, %1.")
                : NextTokenWords::tr(
                      "Temperature 0 draws nothing: it takes the most likely token, %1."))
        .arg(scene_.data->drawn_text);
  QString text = NextTokenWords::tr("The random number %1 falls on %2, which has %3 of the strip.")
                     .arg(QString::number(next.random, 'f', 4), scene_.data->drawn_text,
                          format_probability(next.drawn.probability));
  if (next.suppressed > 0)
    text += NextTokenWords::tr(" Tokens that are never sampled have %1.")
                .arg(format_probability(next.suppressed));
  if (next.cut_by_top_k > 0)
    text += NextTokenWords::tr(" top-k %1 cut %2 away.")
                .arg(scene_.top_k)
                .arg(format_probability(next.cut_by_top_k));
  if (next.cut_by_top_p > 0)
    text += NextTokenWords::tr(" top-p %1 cut %2 away.")
                .arg(QString::number(scene_.top_p), format_probability(next.cut_by_top_p));
  return text + NextTokenWords::tr(" %1 of %2 tokens can be drawn.")
                    .arg(format_count(next.candidates), format_count(next.vocabulary));
}

void NextTokenPicture::paint_strip(QPainter& p, const Layout& at) const {
  const PictureLook& l = look();
  const NextToken& next = scene_.data->next;
  const bool drawn = scene_.draws() && !scene_.of_prompt();
  if (scene_.draws()) {
    p.fillRect(at.strip, mix(l.colors.surface, l.colors.muted, 0.25));
    const auto part = [&](const TokenChoice& choice, const QString& text, int shade) {
      if (!(choice.end > choice.begin)) return;
      const bool hit = drawn && choice.token == next.token;
      const QRectF box(at.strip.left() + at.strip.width() * choice.begin, at.strip.top(),
                       at.strip.width() * (choice.end - choice.begin), at.strip.height());
      const QColor fill =
          hit ? l.colors.decode : mix(l.colors.surface, l.colors.accent, shade % 2 ? 0.3 : 0.5);
      p.fillRect(box.adjusted(0, 0, -1, 0), fill);
      if (text_width(l.small, text) + l.px(8) > box.width()) return;
      p.setFont(l.small);
      p.setPen(l.text_on(fill));
      draw_line(p, box, Qt::AlignCenter, text);
    };
    bool listed = false;
    for (size_t i = 0; i < next.choices.size(); ++i) {
      part(next.choices[i], scene_.data->texts[i], static_cast<int>(i));
      listed = listed || next.choices[i].token == next.token;
    }
    if (drawn && !listed) part(next.drawn, scene_.data->drawn_text, 0);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(l.colors.line, 1));
    p.drawRect(at.strip);
    if (drawn && scene_.temperature > 0) {
      const double x = at.strip.left() + at.strip.width() * next.random, up = l.px(8);
      p.setPen(QPen(l.colors.text, l.line(2)));
      p.drawLine(QPointF(x, at.strip.top() - up), QPointF(x, at.strip.bottom()));
      const QString text =
          NextTokenWords::tr("random number %1").arg(QString::number(next.random, 'f', 4));
      const double wide = text_width(l.small, text);
      p.setFont(l.small);
      draw_line(p,
                QRectF(std::clamp(x - wide / 2, at.strip.left(), at.strip.right() - wide),
                       at.strip.top() - up - l.px(18), wide + 2, l.px(18)),
                Qt::AlignLeft | Qt::AlignVCenter, text);
    }
  }
  p.setFont(l.small);
  p.setPen(l.colors.text);
  paint_lines(p, at.draw, at.drawn);
}

void NextTokenPicture::paint_content(QPainter& painter, double width, const Spot& cursor) const {
  const Layout at = lay_out(width);
  paint_text(painter, at, cursor);
  paint_legend(painter, at);
  paint_bars(painter, at, cursor);
  paint_strip(painter, at);
}

std::optional<Spot> NextTokenPicture::content_at(const QPointF& point, double width) const {
  const Layout at = lay_out(width);
  if (at.text.contains(point)) {
    const auto token = at.flow.token_at(static_cast<int64_t>(point.y() / at.line), point.x());
    return token ? std::optional(Spot{kText, *token, 0}) : std::nullopt;
  }
  const auto bar = static_cast<int64_t>((point.y() - at.bars.top()) / at.row);
  if (at.bars.contains(point) && bar < std::ssize(scene_.data->next.choices))
    return Spot{kBars, bar, 0};
  return std::nullopt;
}

QRectF NextTokenPicture::content_box(const Spot& spot, double width) const {
  const Layout at = lay_out(width);
  if (spot.part == kBars)
    return spot.row < std::ssize(scene_.data->next.choices)
               ? at.bar_of(static_cast<size_t>(spot.row))
               : QRectF();
  if (spot.row >= at.flow.tokens()) return {};
  const auto parts = at.flow.parts(spot.row);
  if (parts.empty()) return {};
  return {parts.front().x, at.line * static_cast<double>(at.flow.line_of(parts.front())),
          parts.front().width, at.line};
}

// Left and right go from token to token, up and down from bar to bar.
Spot NextTokenPicture::moved(const Spot& from, int columns, int rows) const {
  if (columns != 0) {
    const int64_t last = std::ssize(*scene_.tokens) - 1;
    const int64_t first = scene_.is_encoder ? 0 : std::min<int64_t>(1, last);
    return {kText, std::clamp(scene_.data->position + columns, first, last), 0};
  }
  const int64_t last = std::ssize(scene_.data->next.choices) - 1;
  if (from.part != kBars || !from.is_somewhere()) return {kBars, 0, 0};
  return {kBars, std::clamp<int64_t>(from.row + rows, 0, last), 0};
}

QString NextTokenPicture::words(const Spot& spot) const {
  QStringList lines;
  if (spot.part == kText) {
    lines += NextTokenWords::tr("token %1: %2")
                 .arg(spot.row)
                 .arg(quoted_token((*scene_.tokens)[static_cast<size_t>(spot.row)].text));
    if (const PastToken* past = past_at(spot.row)) {
      lines += NextTokenWords::tr("log-probability %1 nats, probability %2")
                   .arg(format_number(past->log_probability),
                        format_probability(std::exp(past->log_probability)));
      lines += past->rank == 0 ? NextTokenWords::tr("rank 0: it was the most likely one")
               : past->rank == 1
                   ? NextTokenWords::tr("rank 1: one token was likelier")
                   : NextTokenWords::tr("rank %1: %1 tokens were likelier").arg(past->rank);
    } else if (spot.row == 0) {
      lines += NextTokenWords::tr("it is the first token, so the model gave it no probability");
    }
    return lines.join(QLatin1Char('\n'));
  }
  const TokenChoice& choice = scene_.data->next.choices[static_cast<size_t>(spot.row)];
  lines += NextTokenWords::tr("%1, token id %2")
               .arg(scene_.data->texts[static_cast<size_t>(spot.row)])
               .arg(choice.token);
  lines +=
      NextTokenWords::tr("logit %1, probability of the model %2")
          .arg(format_number(static_cast<double>(choice.logit)), format_probability(choice.plain));
  if (scene_.draws()) {
    lines += NextTokenWords::tr("with temperature %1: %2")
                 .arg(QString::number(scene_.temperature), format_probability(choice.tempered));
    lines += choice.cut == CutBy::kNothing ? NextTokenWords::tr("drawn with probability %1")
                                                 .arg(format_probability(choice.probability))
                                           : cut_words(choice);
    lines += NextTokenWords::tr("Enter: go on from here with this token");
  }
  if (scene_.is_encoder)
    lines += NextTokenWords::tr("Enter: a new request with this token in the place");
  return lines.join(QLatin1Char('\n'));
}

std::vector<ViewPoint::Number> NextTokenPicture::numbers(const Spot& spot) const {
  if (spot.part == kText) {
    const PastToken* past = past_at(spot.row);
    if (!past) return {};
    return {{NextTokenWords::tr("log-probability"), exact_number(past->log_probability)},
            {NextTokenWords::tr("rank"), QString::number(past->rank)}};
  }
  const TokenChoice& choice = scene_.data->next.choices[static_cast<size_t>(spot.row)];
  std::vector<ViewPoint::Number> numbers{
      {NextTokenWords::tr("probability"), exact_number(choice.plain)},
      {NextTokenWords::tr("logit"), exact_number(choice.logit)}};
  if (scene_.draws())
    numbers.push_back(
        {NextTokenWords::tr("probability of the draw"), exact_number(choice.probability)});
  return numbers;
}

std::vector<SelectionState> NextTokenPicture::things(const Spot& spot) const {
  if (spot.part != kText) return {};
  return {{.kind = SelectionKind::kToken, .query = spot.row}};
}

std::shared_ptr<const Explanation> NextTokenPicture::explain(const Spot& spot) const {
  const auto number = [](double value) { return format_number(value, 7); };
  auto of = std::make_shared<Explanation>();
  of->origin =
      scene_.is_encoder
          ? NextTokenWords::tr(
                "The logits are the model's at this position. Its layers that guess hidden tokens "
                "compute them from the residual stream after the last layer.")
          : NextTokenWords::tr(
                "The logits are the model's at the position before this one: U norm(x), with x the "
                "residual stream after the last layer, norm the model's last norm and U its output "
                "embedding. A bias, factor or soft cap of the logits is applied where the model "
                "has one.");
  if (spot.part == kText) {
    const PastToken* past = past_at(spot.row);
    if (!past) return nullptr;
    of->title = NextTokenWords::tr("Next token: %1 at position %2")
                    .arg(quoted_token((*scene_.tokens)[static_cast<size_t>(spot.row)].text))
                    .arg(spot.row);
    of->meaning =
        scene_.is_encoder
            ? NextTokenWords::tr(
                  "How likely this token was in its place for the model, which has read all "
                  "tokens, also this one.")
            : NextTokenWords::tr(
                  "How likely this token was for the model, given those before it and before "
                  "temperature and cuts.");
    of->numbers = {{NextTokenWords::tr("log-probability, nats"), number(past->log_probability)},
                   {NextTokenWords::tr("probability"), number(std::exp(past->log_probability))},
                   {NextTokenWords::tr("tokens that were likelier"), QString::number(past->rank)}};
    of->formulas = {
        NextTokenWords::tr("log-probability = logit − log Σ exp(logits)"),
        QStringLiteral("exp(%1) = %2")
            .arg(number(past->log_probability), number(std::exp(past->log_probability)))};
    return of;
  }
  const TokenChoice& choice = scene_.data->next.choices[static_cast<size_t>(spot.row)];
  of->title = NextTokenWords::tr("Next token: %1 for position %2")
                  .arg(scene_.data->texts[static_cast<size_t>(spot.row)])
                  .arg(scene_.data->position);
  of->meaning =
      !scene_.draws()
          ? NextTokenWords::tr("The probability that the model gives this token in the place.")
          : NextTokenWords::tr(
                "The pale bar is the probability that the model gives this token; the strong one "
                "is that with which the sampler draws it.");
  of->numbers = {{NextTokenWords::tr("logit"), number(static_cast<double>(choice.logit))},
                 {NextTokenWords::tr("probability of the model"), number(choice.plain)}};
  // log Σ exp(logits), from a logit and its probability.
  const double log_sum = static_cast<double>(choice.logit) - std::log(choice.plain);
  of->formulas = {NextTokenWords::tr("probability = exp(logit − log Σ exp(logits))"),
                  QStringLiteral("= exp(%1 − %2) = %3")
                      .arg(number(static_cast<double>(choice.logit)), number(log_sum),
                           number(std::exp(static_cast<double>(choice.logit) - log_sum)))};
  if (!scene_.draws()) return of;
  of->numbers.push_back({NextTokenWords::tr("with the temperature"), number(choice.tempered)});
  of->numbers.push_back({NextTokenWords::tr("drawn with"), number(choice.probability)});
  if (choice.cut == CutBy::kNothing && choice.probability > 0)
    of->formulas += NextTokenWords::tr("drawn with = tempered ÷ what the cuts left: %1 ÷ %2 = %3")
                        .arg(number(choice.tempered), number(choice.tempered / choice.probability),
                             number(choice.probability));
  else
    of->formulas += cut_words(choice);
  return of;
}

QString NextTokenPicture::sentence() const {
  const auto& data = *scene_.data;
  return heading() +
         (data.next.choices.empty()
              ? QString()
              : NextTokenWords::tr(". The most likely token is %1 with %2. ")
                    .arg(data.texts.front(), format_probability(data.next.choices.front().plain))) +
         draw_words();
}

std::string NextTokenPicture::csv() const {
  std::string out =
      "part,position,token,text,logit,probability,tempered,drawn_with,cut,begin,end,"
      "log_probability,rank_from_0\n";
  const auto& data = *scene_.data;
  for (const PastToken& past : data.past) {
    if (past.position >= std::ssize(*scene_.tokens)) break;  // later than the shown step
    const TokenView& token = (*scene_.tokens)[static_cast<size_t>(past.position)];
    out += fmt::format("text,{},{},{},,,,,,,,{},{}\n", past.position, token.id,
                       csv_cell(token.text), past.log_probability, past.rank);
  }
  static constexpr const char* kCuts[] = {"", "temperature 0", "top_k", "top_p", "suppressed"};
  for (size_t i = 0; i < data.next.choices.size(); ++i) {
    const TokenChoice& choice = data.next.choices[i];
    out += fmt::format("choice,{},{},{},{},{},{},{},{},{},{},,\n", data.position, choice.token,
                       csv_cell(data.plain_texts[i]), choice.logit, choice.plain, choice.tempered,
                       choice.probability, kCuts[static_cast<int>(choice.cut)], choice.begin,
                       choice.end);
  }
  return out;
}

}  // namespace attn::gui
