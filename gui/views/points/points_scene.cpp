// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/points/points_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/session/report/report.h"
#include "gui/models/text.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

QString percent(double share) {
  return format_number(100 * share, 3) + QStringLiteral(" %");
}

}  // namespace

std::shared_ptr<const PointsData> points_data(const PointsWish& wish) {
  auto data = std::make_shared<PointsData>();
  data->points = head_points(*wish.record, wish.layer, wish.head, wish.rows);
  if (data->points.rows() == 0) return nullptr;
  data->shift = shift_to_queries(data->points, wish.moved / 100.0);
  data->plane =
      query_key_plane(data->points.queries, data->points.keys, data->points.size, data->shift);
  data->error = reconstruction_error(data->plane, data->points, data->shift);
  return data;
}

double PointsScene::coordinate(const PointPlace& place, int64_t axis) const {
  const QueryKeyPlane& plane = data->plane;
  if (axis >= plane.size) return 0;
  const int64_t at_row = place.key ? place.position : place.position - first();
  const auto at = static_cast<size_t>(at_row * plane.size + axis);
  return place.key ? plane.keys[at] : plane.queries[at];
}

const TokenView* PointsScene::token(const PointPlace& place) const {
  const auto& column = place.key && cross ? encoder_tokens : tokens;
  return column && place.position >= 0 && place.position < std::ssize(*column)
             ? &(*column)[static_cast<size_t>(place.position)]
             : nullptr;
}

double PointsScene::weight(int64_t key_position) const {
  if (!row || key_position < 0 || key_position >= std::ssize(row->weights)) return 0;
  return static_cast<double>(row->weights[static_cast<size_t>(key_position)]);
}

QString point_tooltip(const PointsScene& scene, const PointPlace& place) {
  const TokenView* token = scene.token(place);
  QString text = (place.key ? tr("key %1 %2") : tr("query %1 %2"))
                     .arg(place.position)
                     .arg(token ? quoted_token(token->text) : QString());
  if (place.key && scene.row)
    text += QLatin1Char('\n') + tr("weight %1, with which query %2 reads it")
                                    .arg(format_number(scene.weight(place.position)))
                                    .arg(scene.row->query);
  text += QLatin1Char('\n') + tr("at %1, %2")
                                  .arg(format_number(scene.coordinate(place, 0)),
                                       format_number(scene.coordinate(place, 1)));
  return text;
}

QString points_sentence(const PointsScene& scene) {
  QString text =
      tr("%1, layer %2, head %3: %4 and %5")
          .arg(scene.request_name)
          .arg(layer_words(scene.layer, scene.of_encoder))
          .arg(scene.head)
          .arg(counted(scene.rows_end() - scene.first(), tr("1 query"), tr("%1 queries")),
               counted(scene.num_keys(), tr("1 key"), tr("%1 keys")));
  if (scene.past_step) text += tr(", at step %1").arg(*scene.past_step);
  return text;
}

QString points_title(const PointsScene& scene) {
  return scene.own_title.isEmpty() ? points_sentence(scene) : scene.own_title;
}

std::vector<QString> points_facts(const PointsScene& scene) {
  std::vector<QString> facts;
  if (scene.is_empty()) return facts;
  const QueryKeyPlane& plane = scene.data->plane;
  const double across = plane.share(0), up = plane.size > 1 ? plane.share(1) : 0;
  facts.push_back(tr("The plane holds %1 of the variance (%2 across, %3 up). All %4 axes together "
                     "give every point back: residue %5.")
                      .arg(percent(across + up), percent(across), percent(up))
                      .arg(plane.size)
                      .arg(format_number(scene.data->error, 2)));
  if (!scene.refusal.isEmpty()) {
    facts.push_back(scene.refusal);
  } else if (scene.moved == 0 && !scene.caption) {
    facts.push_back(tr("Move all keys with the slider: the weights change only by rounding."));
  } else if (scene.moved != 0 && scene.row) {
    facts.push_back(tr("All keys are moved by a vector c, %1 % of the way to the middle of the "
                       "queries. The weights of query %2 change by at most %3; its log-sum-exp "
                       "changes by %4 = scale × q·c: residue %5.")
                        .arg(scene.moved)
                        .arg(scene.row->query)
                        .arg(format_number(scene.row->check.weight_change, 2),
                             format_number(scene.row->check.lse_growth),
                             format_number(scene.row->check.residue, 2)));
  }
  return facts;
}

std::string points_csv(const PointsScene& scene) {
  std::string out = "request,layer,head,kind,position,token,text,axis_0,axis_1,query,weight\n";
  const auto line = [&](const PointPlace& place) {
    const TokenView* token = scene.token(place);
    out += fmt::format("{},{},{},{},{},{},{},{},{},", scene.request, scene.layer, scene.head,
                       place.key ? "key" : "query", place.position, token ? token->id : -1,
                       csv_cell(token ? token->text.str() : ""), scene.coordinate(place, 0),
                       scene.coordinate(place, 1));
    if (place.key && scene.row)
      out += fmt::format("{},{}", scene.row->query, scene.weight(place.position));
    else
      out += ',';
    out += '\n';
  };
  for (int64_t query = scene.first(); query < scene.rows_end(); ++query) line({false, query});
  for (int64_t key = 0; key < scene.num_keys(); ++key) line({true, key});
  return out;
}

}  // namespace attn::gui
