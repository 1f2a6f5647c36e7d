// SPDX-License-Identifier: GPL-3.0-or-later
// PointsScene: the data of a picture of queries and keys as points: the plane of one head, the row
// of the shown query, and what is pointed at. Any thread.
#pragma once

#include <QColor>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/query_key_plane.h"
#include "engine/session/run/snapshot.h"
#include "gui/models/selection.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct PointsWish {
  std::shared_ptr<const AttentionRecord> record;
  int64_t layer = 0, head = 0;
  int64_t rows = 0;  // queries at positions below this one
  int moved = 0;     // percent of the way from the middle of the keys to that of the queries
  bool operator==(const PointsWish&) const = default;
};

struct PointsData {
  HeadPoints points;
  std::vector<double> shift;  // [D] added to every key
  QueryKeyPlane plane;
  double error = 0;  // reconstruction_error()
};
// Null: no row is computed.
std::shared_ptr<const PointsData> points_data(const PointsWish& wish);

struct PointsRow {
  int64_t query = -1;
  std::vector<float> weights;  // [num_keys]; 0 for a masked key
  ShiftCheck check;
};

struct PointPlace {
  bool key = false;
  int64_t position = -1;
  bool operator==(const PointPlace&) const = default;
};

struct PointsScene {
  PictureLook look;
  QColor query_color, key_color;
  int64_t request = -1;  // -1: none is shown
  QString request_name;
  int64_t layer = 0, head = 0;
  bool cross = false;       // the keys are those of `encoder_tokens`
  bool of_encoder = false;  // `tokens` are the encoder's
  std::shared_ptr<const std::vector<TokenView>> tokens, encoder_tokens;
  std::optional<uint32_t> past_step;
  std::shared_ptr<const PointsData> data;  // null: there are no points yet
  std::shared_ptr<const PointsRow> row;    // null: there are no points
  int moved = 0;                           // how far the keys are moved, percent
  QString refusal;                         // why keys cannot move; empty: they can
  bool selected = false;                   // the shown query is selected
  int64_t key = -1;                        // the selected key
  PointedState pointed;
  bool caption = false;    // true: the picture is for an export
  bool title = true;       // false: an export without its title
  QString own_title = {};  // in an export in place of the sentence; empty: the sentence

  bool is_empty() const { return !data; }
  int64_t first() const { return data ? data->points.first : 0; }
  int64_t rows_end() const { return data ? first() + data->points.rows() : 0; }
  int64_t num_keys() const { return data ? data->points.num_keys() : 0; }
  // The coordinate along axis 0 (across) or 1 (up); 0 if the plane has no such axis.
  double coordinate(const PointPlace& place, int64_t axis) const;
  const TokenView* token(const PointPlace& place) const;  // null: unknown
  double weight(int64_t key) const;  // the weight that the shown query gives to the key
};

QString point_tooltip(const PointsScene& scene, const PointPlace& place);
QString points_sentence(const PointsScene& scene);
// own_title or the sentence.
QString points_title(const PointsScene& scene);
std::vector<QString> points_facts(const PointsScene& scene);
std::string points_csv(const PointsScene& scene);

}  // namespace attn::gui
