// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/rotary/rotary_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "engine/session/report/report.h"
#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {

double RotaryCell::residue() const {
  return std::abs(score.score() - run_score);
}

RotaryScore RotaryScene::shown() const {
  return looked_at ? cell->score.moved_to(static_cast<double>(*looked_at)) : cell->score;
}

const TokenView* RotaryScene::token(int64_t position) const {
  return tokens && position >= 0 && position < std::ssize(*tokens)
             ? &(*tokens)[static_cast<size_t>(position)]
             : nullptr;
}

QString rotary_sentence(const RotaryScene& scene) {
  const RotaryCell& cell = *scene.cell;
  const auto name = [&scene](int64_t position) {
    const TokenView* token = scene.token(position);
    return QString::number(position) +
           (token ? QLatin1Char(' ') + quoted_token(token->text) : QString());
  };
  QString text = tr("%1, layer %2, head %3: query %4, key %5, distance %6")
                     .arg(scene.request_name)
                     .arg(cell.layer)
                     .arg(cell.head)
                     .arg(name(cell.query), name(cell.key))
                     .arg(cell.query - cell.key);
  if (scene.past_step) text += tr(", at step %1").arg(*scene.past_step);
  return text;
}

QString rotary_title(const RotaryScene& scene) {
  return scene.own_title.isEmpty() ? rotary_sentence(scene) : scene.own_title;
}

std::vector<QString> rotary_facts(const RotaryScene& scene) {
  std::vector<QString> facts;
  if (scene.is_empty()) return facts;
  const RotaryCell& cell = *scene.cell;
  QString sum = tr("The sum of %1 pairs").arg(cell.score.pairs.size());
  if (cell.score.rest != 0) sum += tr(" and of what does not turn");
  facts.push_back(
      tr("%1 is %2; the score of the run, before a soft cap if there is one, is %3: residue %4. "
         "The curve passes through the sum at distance %5: residue %6. The weight of the cell is "
         "%7.")
          .arg(sum, format_number(cell.score.score()), format_number(cell.run_score),
               format_number(cell.residue(), 2))
          .arg(cell.query - cell.key)
          .arg(format_number(
                   std::abs(cell.score.at_distance(cell.score.distance) - cell.score.score()), 2),
               format_number(static_cast<double>(cell.weight))));
  if (scene.looked_at)
    facts.push_back(tr("The same content at distance %1 would have the score %2.")
                        .arg(*scene.looked_at)
                        .arg(format_number(scene.shown().score())));
  else if (!scene.caption)
    facts.push_back(tr("Point at the curve: the pairs turn to that distance."));
  return facts;
}

QString pair_tooltip(const RotaryScene& scene, int64_t pair) {
  const RotaryScore shown = scene.shown();
  const RotaryScore::Pair& of = shown.pairs[static_cast<size_t>(pair)];
  return tr("pair %1: one turn in %2 tokens\n|q| %3, |k| %4, angle %5°\nadds %6 to the score %7")
      .arg(pair)
      .arg(format_number(2 * std::numbers::pi / of.frequency), format_number(of.query_length),
           format_number(of.key_length), format_number(of.angle * 180 / std::numbers::pi, 3),
           format_number(of.part), format_number(shown.score()));
}

std::string rotary_csv(const RotaryScene& scene) {
  std::string out =
      "request,layer,head,query,key,kind,index,frequency,query_length,key_length,angle,value,"
      "query_text,key_text\n";
  if (scene.is_empty()) return out;
  const RotaryCell& cell = *scene.cell;
  const auto text = [&scene](int64_t position) {
    const TokenView* token = scene.token(position);
    return csv_cell(token ? token->text.str() : "");
  };
  const std::string place =
      fmt::format("{},{},{},{},{},", scene.request, cell.layer, cell.head, cell.query, cell.key);
  const std::string texts = text(cell.query) + ',' + text(cell.key);
  for (size_t p = 0; p < cell.score.pairs.size(); ++p) {
    const RotaryScore::Pair& pair = cell.score.pairs[p];
    out += fmt::format("{}pair,{},{},{},{},{},{},{}\n", place, p, pair.frequency, pair.query_length,
                       pair.key_length, pair.angle, pair.part, texts);
  }
  out += fmt::format("{}rest,,,,,,{},{}\n", place, cell.score.rest, texts);
  for (int64_t distance = 0; distance <= scene.longest; ++distance)
    out += fmt::format("{}distance,{},,,,,{},{}\n", place, distance,
                       cell.score.at_distance(static_cast<double>(distance)), texts);
  return out;
}

}  // namespace attn::gui
