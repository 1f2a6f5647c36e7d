// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_masks.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/models/words/sentence_words.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

struct MaskWords {
  Q_DECLARE_TR_FUNCTIONS(Step)
};

constexpr int64_t kMostRows = 256;  // most rows of a picture
constexpr double kSeen = 0.75;      // largest share of the accent colour in a seen key
constexpr double kLeastShade = 2;   // px: least width of an ALiBi shade
constexpr double kLeastTile = 4;    // px; smaller tiles have no edges

QString form_words(const PlannedMask& mask) {
  switch (mask.form) {
    case MaskForm::kFlag:
      return MaskWords::tr("flag: an argument of the call");
    case MaskForm::kDense:
      return MaskWords::tr("dense: a tensor that the kernel reads");
    case MaskForm::kPerTile:
      break;
  }
  return mask.tiles.empty() ? MaskWords::tr("per row: the kernel works it out for each row")
                            : MaskWords::tr("per tile: the kernel works it out for each tile");
}

QString reuse_words(const PlannedMask& mask, size_t layers) {
  if (!mask.kept) return MaskWords::tr("Nothing is kept for later layers.");
  if (layers == 1) return MaskWords::tr("No other layer can use it.");
  return counted(static_cast<int64_t>(layers) - 1,
                 MaskWords::tr("The first layer builds it, 1 other layer uses it again."),
                 MaskWords::tr("The first layer builds it, %1 other layers use it again."));
}

// Pairs of a query and a key: all, those in visited tiles, and those that are seen.
struct Pairs {
  int64_t all = 0, visited = 0, seen = 0;
};

void add_pairs(const PlannedMask& mask, int64_t head, Pairs& pairs) {
  const BlockDiagonalRule& rule = *mask.rule;
  pairs.all += rule.num_queries() * rule.num_keys();
  for (const MaskTile& tile : mask.tiles)
    if (mask.visits(head, tile)) pairs.visited += tile.rows * tile.keys;
  for (int64_t query = 0; query < rule.num_queries(); ++query)
    for (const KeySpan& run : mask.seen(head, query)) pairs.seen += run.end - run.begin;
}

bool is_encoder(const StepFacts::Layers& layers) {
  return layers.config.attn_type == AttentionType::kEncoder;
}

// -1: the mask has no row for the token.
int64_t row_of(const StepScene& scene, const PlannedMask& mask, int64_t request, int64_t position,
               bool of_encoder) {
  const auto sequence = scene.sequence_of(request);
  if (!sequence || position < 0) return -1;
  const int64_t s = *sequence - mask.first_sequence;
  if (s < 0 || s >= mask.sequences) return -1;
  const int64_t row = position - (of_encoder ? 0 : scene.context_len(*sequence));
  if (row < 0 || row >= mask.rule->queries().lens[static_cast<size_t>(s)]) return -1;
  return mask.rule->queries().starts[static_cast<size_t>(s)] + row;
}

class MaskPicture {
 public:
  // of_encoder: the rows are the encoder's tokens.
  MaskPicture(QPainter& painter, const StepScene& scene, const PlannedMask& mask, const QRectF& box,
              bool of_encoder)
      : p_(painter),
        colors_(scene.look.colors),
        scene_(scene),
        mask_(mask),
        rule_(*mask.rule),
        box_(box),
        of_encoder_(of_encoder) {
    for (const MaskTile& tile : mask.tiles)
      if (mask.visits(scene.head, tile)) tiles_.push_back(tile);
    if (mask.slopes.empty()) return;
    alibi_head_ = std::clamp<int64_t>(scene.head, 0, std::ssize(mask.slopes) - 1);
    least_ = least_value();
    const double cell = box.width() / static_cast<double>(rule_.num_keys());
    shade_keys_ = std::max<int64_t>(1, std::lround(std::ceil(kLeastShade / cell)));
  }

  void paint() {
    ground();
    const auto rows =
        std::min<int64_t>({rule_.num_queries(), kMostRows,
                           std::max<int64_t>(1, static_cast<int64_t>(box_.height()))});
    for (int64_t i = 0; i < rows; ++i) row(i, rows);
    tile_edges();
    const PointedState& pointed = scene_.pointed;
    const SelectionState& selected = scene_.selected;
    int64_t at = pointed.query_of_encoder == of_encoder_ ? pointed.query : -1;
    if (of_encoder_ && at < 0 && pointed.of_encoder) at = pointed.key;
    mark(row_of(scene_, mask_, pointed.request, at, of_encoder_), colors_.text);
    if (scene_.selects_rows(of_encoder_))
      mark(row_of(scene_, mask_, selected.request, selected.query, of_encoder_), colors_.accent);
    p_.setPen(QPen(colors_.muted, scene_.look.line(1)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(box_.adjusted(0.5, 0.5, -0.5, -0.5));
  }

 private:
  double x(int64_t key) const {
    return box_.left() +
           box_.width() * static_cast<double>(key) / static_cast<double>(rule_.num_keys());
  }
  double y(int64_t query) const {
    return box_.top() +
           box_.height() * static_cast<double>(query) / static_cast<double>(rule_.num_queries());
  }
  QRectF box_of(const MaskTile& tile) const {
    return {QPointF(x(tile.key), y(tile.row)),
            QPointF(x(tile.key + tile.keys), y(tile.row + tile.rows))};
  }

  void ground() {
    const QColor visited = mix(colors_.surface, colors_.muted, 0.14);
    p_.fillRect(box_, colors_.surface);
    if (mask_.tiles.empty()) return;
    p_.fillRect(box_, QBrush(mix(colors_.surface, colors_.muted, 0.5), Qt::BDiagPattern));
    for (size_t i = 0; i < tiles_.size();) {
      MaskTile tiles = tiles_[i++];  // tiles side by side are filled as one
      while (i < tiles_.size() && tiles_[i].row == tiles.row &&
             tiles_[i].key == tiles.key + tiles.keys)
        tiles.keys += tiles_[i++].keys;
      p_.fillRect(box_of(tiles), visited);
    }
  }

  void tile_edges() {
    p_.setPen(QPen(mix(colors_.surface, colors_.muted, 0.6), scene_.look.line(1)));
    p_.setBrush(Qt::NoBrush);
    for (const MaskTile& tile : tiles_) {
      const QRectF edge = box_of(tile);
      if (edge.width() >= kLeastTile && edge.height() >= kLeastTile) p_.drawRect(edge);
    }
  }

  // A picture row shows the query in the middle of those that it stands for.
  void row(int64_t i, int64_t rows) {
    const int64_t first = i * rule_.num_queries() / rows;
    const int64_t end = (i + 1) * rule_.num_queries() / rows;
    const int64_t query = (first + end - 1) / 2;
    for (const KeySpan& run : mask_.seen(scene_.head, query)) fill_run(query, first, end, run);
  }

  // Fills a span of keys for the queries [first, end), shaded as for `query`.
  void fill_run(int64_t query, int64_t first, int64_t end, const KeySpan& span) {
    const auto fill = [&](int64_t begin, int64_t finish, double part) {
      p_.fillRect(QRectF(QPointF(x(begin), y(first)), QPointF(x(finish), y(end))),
                  mix(colors_.surface, colors_.accent, part));
    };
    if (mask_.slopes.empty()) return fill(span.begin, span.end, kSeen);
    const int64_t diagonal = rule_.diagonal(query);
    for (int64_t key = span.begin; key < span.end;) {
      // Strips are cut by distance, to give a distance one shade in all rows.
      const int64_t distance = diagonal - key;  // < 0: a later key
      const int64_t nearest = distance - (distance % shade_keys_ + shade_keys_) % shade_keys_;
      const int64_t finish = std::min(span.end, diagonal - nearest + 1);
      fill(key, finish, shade(nearest + shade_keys_ / 2));
      key = finish;
    }
  }

  // The share of the accent colour for a key at this distance before the query.
  double shade(int64_t distance) const {
    const double value = alibi_element(mask_.slopes[static_cast<size_t>(alibi_head_)],
                                       std::max<int64_t>(0, distance), 0, mask_.dtype);
    return least_ < 0 ? kSeen - 0.6 * std::min(1.0, value / least_) : kSeen;
  }

  // Over all sequences, the least value for the last query and the first key that it sees.
  double least_value() const {
    double least = 0;
    for (int64_t s = 0; s < rule_.queries().num_seqs(); ++s) {
      const auto i = static_cast<size_t>(s);
      if (rule_.queries().lens[i] == 0 || rule_.keys().lens[i] == 0) continue;
      const int64_t query = rule_.queries().starts[i] + rule_.queries().lens[i] - 1;
      const std::vector<KeySpan> runs = mask_.seen(alibi_head_, query);
      if (!runs.empty())
        least = std::min<double>(least, mask_.value(alibi_head_, query, runs.front().begin));
    }
    return least;
  }

  void mark(int64_t query, const QColor& color) {
    if (query < 0) return;
    const double high = std::max(scene_.look.line(1), y(query + 1) - y(query));
    p_.setPen(QPen(color, scene_.look.line(1)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(QRectF(box_.left(), y(query), box_.width(), high));
  }

  QPainter& p_;
  const ThemeColors& colors_;
  const StepScene& scene_;
  const PlannedMask& mask_;
  const BlockDiagonalRule& rule_;
  QRectF box_;
  bool of_encoder_;
  std::vector<MaskTile> tiles_;  // the tiles that are visited for the shown head
  // With ALiBi: the head, its least value, and how many keys share a shade.
  int64_t alibi_head_ = 0;
  double least_ = 0;
  int64_t shade_keys_ = 1;
};

}  // namespace

std::vector<StepMask> step_masks(const StepFacts& facts) {
  std::vector<StepMask> masks;
  for (const StepFacts::Layers& layers : facts.layers)
    for (const PlannedMask& mask : layers.masks) masks.push_back({&layers, &mask});
  return masks;
}

QStringList mask_sentences(const StepFacts::Layers& layers, int64_t head) {
  QStringList sentences;
  for (size_t first = 0; first < layers.masks.size();) {
    const PlannedMask& mask = layers.masks[first];
    size_t end = first;
    int64_t bytes = 0;
    Pairs pairs;
    bool said_tiles = true;
    while (end < layers.masks.size() && english(layers.masks[end].name) == english(mask.name)) {
      bytes += layers.masks[end].bytes;
      add_pairs(layers.masks[end], head, pairs);
      said_tiles = said_tiles && !layers.masks[end].tiles.empty();
      ++end;
    }
    QString text =
        MaskWords::tr("%1 (%2), %3, %4.")
            .arg(words_of(mask.name), form_words(mask),
                 counted(static_cast<int64_t>(end - first), MaskWords::tr("for one prompt"),
                         MaskWords::tr("%1 of them, each for one prompt")),
                 counted(bytes, MaskWords::tr("1 byte"), MaskWords::tr("%1 bytes")));
    text += QLatin1Char(' ') + reuse_words(mask, layers.layers.size());
    text += QLatin1Char(' ') + MaskWords::tr("Of %1 pairs of a query and a key %2 are seen")
                                   .arg(format_count(pairs.all), format_count(pairs.seen));
    text += said_tiles ? MaskWords::tr("; %1 lie in tiles that the kernel visits.")
                             .arg(format_count(pairs.visited))
                       : MaskWords::tr(". This backend has no tiles.");
    if (mask.blocksparse)
      text += QLatin1Char(' ') +
              MaskWords::tr(
                  "Block-sparse attention leaves out blocks of %1; these are the numbers "
                  "of head %2.")
                  .arg(counted(mask.blocksparse->block_size, MaskWords::tr("1 token"),
                               MaskWords::tr("%1 tokens")))
                  .arg(head);
    sentences += text;
    first = end;
  }
  return sentences;
}

QString mask_title(const PlannedMask& mask) {
  const QString size =
      QStringLiteral("%1 × %2").arg(mask.rule->num_queries()).arg(mask.rule->num_keys());
  return mask.sequences == 1 ? MaskWords::tr("sequence %1: %2").arg(mask.first_sequence).arg(size)
                             : MaskWords::tr("sequences %1–%2, packed: %3")
                                   .arg(mask.first_sequence)
                                   .arg(mask.first_sequence + mask.sequences - 1)
                                   .arg(size);
}

QSizeF mask_size(const PlannedMask& mask, double side) {
  const double rows = static_cast<double>(std::max<int64_t>(1, mask.rule->num_queries()));
  const double keys = static_cast<double>(std::max<int64_t>(1, mask.rule->num_keys()));
  const double longer = std::max(rows, keys), least = side / 8;
  return {std::max(least, side * keys / longer), std::max(least, side * rows / longer)};
}

StepPlace place_in_mask(const StepScene& scene, const StepMaskPicture& picture,
                        const QPointF& point) {
  const std::vector<StepMask> masks = step_masks(*scene.facts);
  const PlannedMask& mask = *masks[static_cast<size_t>(picture.mask)].mask;
  const auto at = [](double part, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(part * static_cast<double>(count)), 0,
                               count - 1);
  };
  const BlockDiagonalRule& rule = *mask.rule;
  if (rule.num_queries() == 0 || rule.num_keys() == 0) return {};
  const int64_t query =
      at((point.y() - picture.box.top()) / picture.box.height(), rule.num_queries());
  const int64_t s = rule.sequence_of(query);
  if (s < 0) return {};
  const bool of_encoder = is_encoder(*masks[static_cast<size_t>(picture.mask)].layers);
  StepPlace place{of_encoder ? StepPlace::Kind::kEncoderToken : StepPlace::Kind::kToken,
                  mask.first_sequence + s, query - rule.queries().starts[static_cast<size_t>(s)]};
  place.mask = picture.mask;
  place.mask_key = at((point.x() - picture.box.left()) / picture.box.width(), rule.num_keys());
  return place;
}

QString mask_words(const StepScene& scene, const StepPlace& place) {
  const std::vector<StepMask> masks = step_masks(*scene.facts);
  const PlannedMask& mask = *masks[static_cast<size_t>(place.mask)].mask;
  const BlockDiagonalRule& rule = *mask.rule;
  const int64_t row =
      rule.queries().starts[static_cast<size_t>(place.sequence - mask.first_sequence)] +
      place.index;
  const std::vector<KeySpan> runs = mask.seen(scene.head, row);
  const KeySpan span = runs.empty() ? KeySpan{0, 0} : KeySpan{runs.front().begin, runs.back().end};
  int64_t keys = 0;
  for (const KeySpan& run : runs) keys += run.end - run.begin;
  QString text = MaskWords::tr("%1, row %2 (0..%3): ")
                     .arg(words_of(mask.name))
                     .arg(row)
                     .arg(rule.num_queries() - 1);
  text += span.empty()      ? MaskWords::tr("it sees no key")
          : runs.size() > 1 ? MaskWords::tr("it sees %1 of the keys %2 to %3")
                                  .arg(keys)
                                  .arg(span.begin)
                                  .arg(span.end - 1)
          : span.end - span.begin == 1
              ? MaskWords::tr("it sees key %1").arg(span.begin)
              : MaskWords::tr("it sees keys %1 to %2").arg(span.begin).arg(span.end - 1);
  const bool seen = std::ranges::any_of(runs, [&](const KeySpan& run) {
    return run.begin <= place.mask_key && place.mask_key < run.end;
  });
  text += QLatin1Char('\n');
  if (!seen) {
    const bool visited = std::ranges::any_of(mask.tiles, [&](const MaskTile& tile) {
      return row >= tile.row && row < tile.row + tile.rows && place.mask_key >= tile.key &&
             place.mask_key < tile.key + tile.keys && mask.visits(scene.head, tile);
    });
    return text + (mask.tiles.empty() ? MaskWords::tr("key %1: masked; this backend has no tiles")
                   : visited ? MaskWords::tr("key %1: masked, in a tile that the kernel visits")
                             : MaskWords::tr("key %1: in no tile that the kernel visits"))
                      .arg(place.mask_key);
  }
  const int64_t heads = std::max<int64_t>(std::ssize(mask.slopes), mask.relative_bias.num_heads());
  const int64_t head = std::clamp<int64_t>(scene.head, 0, std::max<int64_t>(0, heads - 1));
  return text + MaskWords::tr("key %1: %2 is added to its score")
                    .arg(place.mask_key)
                    .arg(static_cast<double>(mask.value(head, row, place.mask_key)));
}

std::string mask_cells(const StepScene& scene, const StepPlace& place) {
  for (const auto& [layers, mask] : step_masks(*scene.facts)) {
    const int64_t s = place.sequence - mask->first_sequence;
    if (s < 0 || s >= mask->sequences ||
        is_encoder(*layers) != (place.kind == StepPlace::Kind::kEncoderToken) ||
        std::ranges::find(layers->layers, scene.layer) == layers->layers.end())
      continue;
    const BlockDiagonalRule& rule = *mask->rule;
    const int64_t first_key = rule.keys().starts[static_cast<size_t>(s)];
    const int64_t row = rule.queries().starts[static_cast<size_t>(s)] + place.index;
    if (place.index >= rule.queries().lens[static_cast<size_t>(s)]) continue;
    const KeySpan seen = rule.visible(row);
    std::string tiles = ",";
    KeySpan visited{rule.num_keys(), 0};
    // Tiles are sorted by row.
    auto tile = std::ranges::partition_point(
        mask->tiles, [row](const MaskTile& one) { return one.row + one.rows <= row; });
    for (; tile != mask->tiles.end() && tile->row <= row; ++tile) {
      if (!mask->visits(scene.head, *tile)) continue;
      visited.begin = std::min(visited.begin, tile->key);
      visited.end = std::max(visited.end, tile->key + tile->keys);
    }
    if (!visited.empty())
      tiles = fmt::format("{},{}", visited.begin - first_key, visited.end - first_key);
    return fmt::format("{},{},{},{},{},{}", csv_cell(english(mask->name)), name_of(mask->form),
                       mask->bytes, seen.empty() ? 0 : seen.begin - first_key,
                       seen.empty() ? 0 : seen.end - first_key, tiles);
  }
  return ",,,,,,";
}

void paint_mask(QPainter& painter, const StepScene& scene, const StepMaskPicture& picture) {
  const std::vector<StepMask> masks = step_masks(*scene.facts);
  const PlannedMask& mask = *masks[static_cast<size_t>(picture.mask)].mask;
  if (mask.rule->num_queries() == 0 || mask.rule->num_keys() == 0) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  const bool of_encoder = is_encoder(*masks[static_cast<size_t>(picture.mask)].layers);
  MaskPicture(painter, scene, mask, picture.box, of_encoder).paint();
  painter.restore();
}

}  // namespace attn::gui
