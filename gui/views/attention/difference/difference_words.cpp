// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_words.h"

#include <QStringList>
#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

QString cells_text(int64_t count) {
  return counted(count, tr("1 cell"), tr("%1 cells"));
}

QString changes_text(const PairSide& side) {
  return side.changes.isEmpty() ? tr("nothing") : side.changes.join(QStringLiteral("; "));
}

// “5 “cat””: a position with its token.
QString position_text(const PairTokens& here, const PairTokens& beside, int64_t position) {
  return (QString::number(position) + QLatin1Char(' ') + pair_token(here, beside, position))
      .trimmed();
}

QString numbers_sentence(const RunPair& pair, const DifferenceSums& sums, bool behind) {
  if (sums.compared == 0 && behind) return tr("The differences are being computed.");
  if (sums.compared == 0)
    return sums.not_numbers > 0 ? tr("No difference is a number.")
                                : tr("There is no cell for which both runs have a weight.");
  const QString cells = cells_text(sums.compared);
  if (sums.largest == 0)
    return tr("No difference: the weights of both runs are equal (%1 compared).").arg(cells);
  const QString query = position_text(pair.here.tokens, pair.beside.tokens, sums.query);
  const QString key = position_text(pair.here.key_tokens, pair.beside.key_tokens, sums.key);
  const QString largest = format_number(std::abs(static_cast<double>(sums.largest)));
  const QString mean = format_number(sums.mean());
  // A text of a token can have a % and a digit, so all values are put in at once.
  return sums.largest > 0
             ? tr("Largest |difference| %1, at query %2, key %3, where the weight in the window is "
                  "larger; mean |difference| %4 over %5 that both runs have.")
                   .arg(largest, query, key, mean, cells)
             : tr("Largest |difference| %1, at query %2, key %3, where the weight beside is "
                  "larger; "
                  "mean |difference| %4 over %5 that both runs have.")
                   .arg(largest, query, key, mean, cells);
}

// Why the run has no weight there; empty: it has one.
QString missing_in(const PairSide& side, int64_t query, int64_t key) {
  if (!side.has(query, key)) return tr("there is no such position");
  if (!side.head.sees(query, key))
    return tr("masked: %1").arg(masked_because(side.head.rule(), side.head.head, query, key));
  return weight_in(side, query, key) ? QString() : tr("not computed");
}

}  // namespace

QString pair_token(const PairTokens& here, const PairTokens& beside, int64_t position) {
  const TokenView* a = token_in(here, position);
  const TokenView* b = token_in(beside, position);
  if (!a && !b) return {};
  if (!a || !b || a->text == b->text) return quoted_token(a ? a->text : b->text);
  return quoted_token(a->text) + QStringLiteral(" / ") + quoted_token(b->text);
}

QString difference_title(const RunPair& pair) {
  return tr("%1: attention weights in the window minus those beside, layer %2, head %3")
      .arg(pair.here.request, layer_words(pair.layer(), pair.here.head.is_encoder()),
           QString::number(pair.head()));
}

QString difference_sentences(const DifferenceScene& scene, const DifferenceSums& sums,
                             bool behind) {
  const RunPair& pair = scene.pair;
  const PairSide &here = pair.here, &beside = pair.beside;
  QStringList said{numbers_sentence(pair, sums, behind)};
  if (behind && sums.compared > 0) said += tr("These numbers are of the cells read so far.");
  if (sums.not_numbers > 0)
    said += tr("Left out, because their difference is not a number: %1.")
                .arg(cells_text(sums.not_numbers));
  said +=
      tr("Difference = weight in the window (%1) − weight beside (%2).").arg(here.run, beside.run);
  if (!pair.by_name)
    said +=
        tr("Request “%1” is paired with “%2”, which has the same place in the list of requests.")
            .arg(here.request, beside.request);
  if (here.rows != beside.rows || scene.other_tokens > 0) {
    if (pair.by_name)
      said += tr("Request “%1” is paired with the request of the same name.").arg(here.request);
    said +=
        tr("Positions are compared, not words: %1 in the window, %2 beside, different tokens at "
           "%3.")
            .arg(counted(here.rows, tr("1 token"), tr("%1 tokens")),
                 counted(beside.rows, tr("1 token"), tr("%1 tokens")),
                 counted(scene.other_tokens, tr("1 position"), tr("%1 positions")));
  }
  if (!here.changes.isEmpty() || !beside.changes.isEmpty())
    said += tr("Changed inside the model: in the window %1, beside %2.")
                .arg(changes_text(here), changes_text(beside));
  if (here.past_step && beside.past_step)
    said += tr("After step %1 in the window and step %2 beside.")
                .arg(*here.past_step)
                .arg(*beside.past_step);
  return said.join(QLatin1Char(' '));
}

QString difference_cell_text(const RunPair& pair, int64_t query, int64_t key) {
  QStringList lines{tr("query %1, key %2")
                        .arg(position_text(pair.here.tokens, pair.beside.tokens, query),
                             position_text(pair.here.key_tokens, pair.beside.key_tokens, key))};
  const auto a = weight_in(pair.here, query, key), b = weight_in(pair.beside, query, key);
  const auto words = [&](const PairSide& side, const std::optional<float>& weight) {
    return weight ? tr("weight %1").arg(format_number(static_cast<double>(*weight), 5))
                  : missing_in(side, query, key);
  };
  lines += tr("in the window: %1").arg(words(pair.here, a));
  lines += tr("beside: %1").arg(words(pair.beside, b));
  lines += a && b ? tr("difference %1").arg(format_number(static_cast<double>(*a - *b), 5))
                  : tr("no difference, because not both runs have a weight");
  return lines.join(QLatin1Char('\n'));
}

QString difference_detail(int level) {
  if (level <= 0) return {};
  return tr("each dot: the largest difference, with its sign, of %1 × %1 cells")
      .arg(format_count(int64_t{1} << level));
}

}  // namespace attn::gui
