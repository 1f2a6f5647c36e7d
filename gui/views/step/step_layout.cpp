// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_layout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/trace/event.h"
#include "gui/models/text.h"
#include "gui/models/words/sentence_words.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

using Kind = StepPlace::Kind;

struct LayoutWords {
  Q_DECLARE_TR_FUNCTIONS(Step)
};

constexpr int64_t kWide = 2;        // columns that the cell of the context or of padding takes
constexpr int64_t kMark = 4;        // least columns of the mark
constexpr int64_t kReadBytes = 16;  // bytes of one kernel read
constexpr int64_t kReads = 4;       // number of reads that are shown
constexpr double kMaskSide = 220;   // px at 100%, most for the longer side of a mask
constexpr size_t kMostMasks = 12;   // drawn per configuration of layers
constexpr double kLongBatch = 40;   // lines; a longer batch gets add_first_calls()

// "layers 0–3, 6"
QString layers_words(const std::vector<int64_t>& layers) {
  QStringList parts;
  for (size_t i = 0; i < layers.size();) {
    size_t end = i + 1;
    while (end < layers.size() && layers[end] == layers[end - 1] + 1) ++end;
    parts += end - i == 1 ? QString::number(layers[i])
                          : QStringLiteral("%1–%2").arg(layers[i]).arg(layers[end - 1]);
    i = end;
  }
  return (layers.size() == 1 ? LayoutWords::tr("layer %1") : LayoutWords::tr("layers %1"))
      .arg(parts.join(QStringLiteral(", ")));
}

QString sequences_words(int64_t first, int64_t count) {
  return count == 1 ? LayoutWords::tr("sequence %1").arg(first)
                    : LayoutWords::tr("sequences %1–%2").arg(first).arg(first + count - 1);
}

QString picked_words(const StepFacts::Picked& picked, AttentionType type) {
  QString text =
      LayoutWords::tr("%1, %2: query lengths %3, key lengths %4 (longest %5)")
          .arg(picked.is_prefill ? LayoutWords::tr("Prefill") : LayoutWords::tr("Decode"),
               sequences_words(picked.first_sequence, picked.sequences), text_of(picked.query_lens),
               text_of(picked.key_lens))
          .arg(picked.max_seq_len);
  if (type == AttentionType::kEncoderOnly)
    return text +
           LayoutWords::tr("; keys and values come from the call, no cache is read or written");
  if (picked.table.empty()) return text + LayoutWords::tr("; no table");
  return text + LayoutWords::tr("; table %1 [%2 × %3]")
                    .arg(text_of(picked.table))
                    .arg(picked.sequences)
                    .arg(picked.table_blocks);
}

QString call_words(const PlannedCall& call) {
  QString text =
      LayoutWords::tr("%1: %2, %3")
          .arg(text_of(name_of(call.kernel)), sequences_words(call.first_sequence, call.sequences),
               counted(call.rows, LayoutWords::tr("1 row"), LayoutWords::tr("%1 rows")));
  if (call.padding > 0) text += LayoutWords::tr(" (%1 of them padding)").arg(call.padding);
  return text;
}

int64_t columns_of_tokens(const StepScene& scene, int64_t sequence) {
  const auto s = static_cast<size_t>(sequence);
  return (scene.context_len(sequence) > 0 ? kWide : 0) + scene.query_len(sequence) +
         (scene.sequences[s].padding > 0 ? kWide : 0);
}

// The number of cells: one for each entry up to the last block, and one for all further entries if
// there are any.
int64_t columns_of_table(const StepScene& scene, int64_t sequence, TableKind kind) {
  const int64_t used = scene.used_entries(sequence, kind);
  const bool has_rest = used < static_cast<int64_t>(scene.table(sequence, kind).size());
  return used + (has_rest ? 1 : 0);
}

}  // namespace

// Wraps the text between words.
double StepLayout::add_text(const PictureLook& look, const QString& text, double indent, double y,
                            bool heading) {
  const QFont& font = heading ? look.title_bold : look.small;
  const double high = heading ? 1.3 * line_ : line_;
  const double room = std::max(cell_, width_ - indent);
  QString line;
  const auto put = [&] {
    texts_.push_back({line, QRectF(indent, y, room, high), heading});
    y += high;
    line.clear();
  };
  for (const QString& word : text.split(QLatin1Char(' '))) {
    const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
    if (!line.isEmpty() && text_width(font, longer) > room) {
      put();
      line = word;
    } else {
      line = longer;
    }
  }
  put();
  return y;
}

double StepLayout::add_numbers(const StepScene& scene, double y) {
  QStringList parts;
  for (const auto& [name, value] : step_numbers(scene))
    parts += name + QStringLiteral("\u00a0=\u00a0") +
             QString(value).replace(QLatin1Char(' '), QChar(0x00a0));
  return add_text(scene.look, parts.join(QStringLiteral("  ")), 0, y) + gap_;
}

// Adds, for each kernel, the first call that has reasons, with its first reason.
double StepLayout::add_first_calls(const StepScene& scene, double y) {
  std::vector<KernelId> told;
  for (const StepFacts::Layers& layers : scene.facts->layers)
    for (const PlannedCall& call : layers.calls) {
      if (call.reasons.empty() || std::ranges::find(told, call.kernel) != told.end()) continue;
      told.push_back(call.kernel);
      y = add_text(scene.look, call_words(call), 0, y);
      y = add_text(scene.look, words_of(call.reasons.front()), scene.look.px(14), y);
    }
  if (told.empty()) return y;
  return add_text(scene.look,
                  LayoutWords::tr("All calls stand below this long batch: press T to go there."), 0,
                  y) +
         gap_;
}

double StepLayout::add_layers(const StepScene& scene, double y) {
  const double indent = scene.look.px(14);
  sections_[1] = y;
  y = add_text(scene.look,
               LayoutWords::tr("What the attention layers take, and the calls they make"), 0, y,
               true);
  for (const StepFacts::Layers& layers : scene.facts->layers) {
    QString title = text_of(name_of(layers.config.attn_type)) + QStringLiteral(", ") +
                    layers_words(layers.layers);
    if (layers.config.sliding_window)
      title += LayoutWords::tr(", window of %1").arg(*layers.config.sliding_window);
    if (layers.config.blocksparse) title += LayoutWords::tr(", block-sparse");
    y = add_text(scene.look, title, 0, y);
    if (layers.picked.empty())
      y = add_text(scene.look,
                   LayoutWords::tr("Not called: the step brings no tokens to the encoder."), indent,
                   y);
    for (const StepFacts::Picked& picked : layers.picked)
      y = add_text(scene.look, picked_words(picked, layers.config.attn_type), indent, y);
    for (const PlannedCall& call : layers.calls) {
      y = add_text(scene.look, call_words(call), indent, y);
      for (const Sentence& reason : call.reasons)
        y = add_text(scene.look, words_of(reason), 2 * indent, y);
    }
    y += gap_ / 2;
  }
  return y + gap_;
}

double StepLayout::add_cache(const StepScene& scene, double y) {
  sections_[2] = y;
  if (!scene.cache) return y;
  const CacheMap& map = *scene.cache;
  y = add_text(scene.look, LayoutWords::tr("Where a key and a value lie in the cache"), 0, y, true);
  y = add_text(scene.look,
               LayoutWords::tr("The cache of one layer: %1 %2, %3 bytes. Keys begin at byte 0, "
                               "values at byte %4.")
                   .arg(text_of(to_string(map.shape)), text_of(cache_dtype_name(map.dtype)))
                   .arg(map.bytes)
                   .arg(map.value_byte),
               0, y);
  const CacheElement& at = scene.element;
  for (const CacheHalf half : {CacheHalf::kKey, CacheHalf::kValue}) {
    const KvSource& strides = map.half(half);
    const int64_t size = map.element_bytes();
    y = add_text(
        scene.look,
        LayoutWords::tr("%1 of slot %2 (block %3, offset %4), KV head %5, d 0: byte %6. Strides in "
                        "bytes: block %7, KV head %8, token %9")
                .arg(half == CacheHalf::kKey ? LayoutWords::tr("Key") : LayoutWords::tr("Value"))
                .arg(at.slot)
                .arg(at.slot / map.block_size)
                .arg(at.slot % map.block_size)
                .arg(at.head)
                .arg(map.byte_of(half, at))
                .arg(strides.block_stride * size)
                .arg(strides.head_stride * size)
                .arg(strides.token_stride * size) +
            (strides.chunk == map.head_size ? LayoutWords::tr("; all d side by side.")
             : strides.chunk == 1
                 ? LayoutWords::tr(", d %1.").arg(strides.chunk_stride * size)
                 : LayoutWords::tr("; %1 of d side by side, the next %1 after %2 bytes.")
                       .arg(strides.chunk)
                       .arg(strides.chunk_stride * size)),
        0, y + gap_ / 2);
    StepBytes bytes;
    bytes.half = half;
    bytes.elements = map.read_at(half, at, kReads * kReadBytes);
    if (bytes.elements.empty()) continue;
    bytes.first_byte = map.byte_of(half, bytes.elements.front());
    bytes.read = map.read_at(half, at, kReadBytes);
    QStringList names;
    const bool tokens_differ = bytes.read.front().slot != bytes.read.back().slot;
    for (const CacheElement& element : bytes.read)
      names += tokens_differ ? LayoutWords::tr("slot %1 d %2").arg(element.slot).arg(element.d)
                             : QString::number(element.d);
    y = add_text(scene.look,
                 tokens_differ ? LayoutWords::tr("One read of 16 bytes brings %1.")
                                     .arg(names.join(QStringLiteral(", ")))
                               : LayoutWords::tr("One read of 16 bytes brings d %1 of slot %2.")
                                     .arg(names.join(QStringLiteral(", ")))
                                     .arg(at.slot),
                 0, y);
    y = add_strip(bytes.cells, static_cast<int64_t>(bytes.elements.size()), 3 * line_, y);
    bytes_.push_back(std::move(bytes));
  }
  return y + gap_;
}

double StepLayout::add_masks(const StepScene& scene, double y) {
  sections_[3] = y;
  y = add_text(scene.look, LayoutWords::tr("The masks of the prefills"), 0, y, true);
  const std::vector<StepMask> masks = step_masks(*scene.facts);
  if (masks.empty()) {
    const bool left_out = std::ranges::any_of(
        scene.facts->layers, [](const auto& some) { return some.config.blocksparse.has_value(); });
    const QString why = scene.metadata().num_prefills > 0
                            ? LayoutWords::tr("The backend does not say which masks it uses.")
                        : left_out
                            ? LayoutWords::tr(
                                  "There is no prefill in this step. A decode has no mask: its "
                                  "kernel knows how many keys it reads and which blocks of keys "
                                  "a head leaves out.")
                            : LayoutWords::tr(
                                  "There is no prefill in this step. A decode has no mask: its "
                                  "kernel knows which keys it reads.");
    return add_text(scene.look, why, 0, y) + gap_;
  }
  QString legend = LayoutWords::tr(
      "Rows are queries, columns are keys. Filled: the key is seen; with ALiBi the paler, the more "
      "is subtracted from its score.");
  const auto says_tiles = [](const StepMask& one) { return !one.mask->tiles.empty(); };
  if (std::ranges::any_of(masks, says_tiles))
    legend += QLatin1Char(' ') +
              LayoutWords::tr(
                  "Grey: masked, in a tile that the kernel visits. Hatched: in no such tile.");
  if (!std::ranges::all_of(masks, says_tiles))
    legend += QLatin1Char(' ') +
              LayoutWords::tr(
                  "Plain: masked. This backend has no tiles: it computes one row after the other.");
  y = add_text(scene.look, legend, 0, y);
  const double side = std::min<double>(scene.look.px(kMaskSide), width_);
  for (size_t i = 0; i < masks.size();) {
    const StepFacts::Layers& layers = *masks[i].layers;
    y = add_text(scene.look,
                 text_of(name_of(layers.config.attn_type)) + QStringLiteral(", ") +
                     layers_words(layers.layers),
                 0, y + gap_ / 2);
    for (const QString& sentence : mask_sentences(layers, scene.head))
      y = add_text(scene.look, sentence, scene.look.px(14), y);
    double x = 0, bottom = y;
    for (size_t shown = 0; shown < layers.masks.size(); ++shown, ++i) {
      if (shown >= kMostMasks) continue;
      const QSizeF size = mask_size(*masks[i].mask, side);
      const double wide =
          std::max(size.width(), text_width(scene.look.small, mask_title(*masks[i].mask)));
      if (x > 0 && x + wide > width_) {
        x = 0;
        y = bottom + gap_;
      }
      masks_.push_back({static_cast<int64_t>(i), QRectF(x, y, wide, line_),
                        QRectF(QPointF(x, y + line_), size)});
      x += wide + gap_;
      bottom = std::max(bottom, y + line_ + size.height());
    }
    y = bottom;
    if (layers.masks.size() > kMostMasks)
      y = add_text(scene.look,
                   LayoutWords::tr("%1 more are not drawn; step.csv has those of the shown layer.")
                       .arg(layers.masks.size() - kMostMasks),
                   0, y);
  }
  return y + gap_;
}

double StepLayout::add_strip(StepStrip& strip, int64_t columns, double high, double y) const {
  strip.top = y;
  strip.cell_height = high;
  strip.columns = columns;
  const int64_t lines = (columns + columns_ - 1) / columns_;
  return y + static_cast<double>(lines) * (high + gap_ / 2);
}

StepRows StepLayout::rows_from(const StepScene& scene, int64_t sequence, double y,
                               double& end) const {
  StepRows rows;
  const auto line_at = [this](double top) { return QRectF(0, top, width_, line_); };
  rows.title = line_at(y);
  rows.mark = line_at(y + line_);
  const int64_t tokens = columns_of_tokens(scene, sequence);
  const int64_t table = columns_of_table(scene, sequence, TableKind::kOwn);
  y = add_strip(rows.tokens, tokens, 2 * line_, y + 2 * line_);
  const int64_t beside =
      std::max(tokens + 1, (scene.context_len(sequence) > 0 ? kWide : 0) + kMark);
  if (table > 0 && beside + table <= columns_) {
    rows.table = {rows.tokens.top, rows.tokens.cell_height, table, beside};
    const double x = cell_of(rows.table, 0).left();
    rows.table_label = rows.mark.adjusted(x, 0, 0, 0);
    rows.mark.setRight(x);
  } else if (table > 0) {
    rows.table_label = line_at(y).adjusted(gutter_, 0, 0, 0);
    y = add_strip(rows.table, table, 1.4 * line_, y + line_);
  }
  if (const int64_t columns = scene.encoder_tokens(sequence)) {
    rows.encoder_label = line_at(y).adjusted(gutter_, 0, 0, 0);
    y = add_strip(rows.encoder, columns, 2 * line_, y + line_);
  }
  if (const int64_t columns = columns_of_table(scene, sequence, TableKind::kCross)) {
    rows.cross_label = line_at(y).adjusted(gutter_, 0, 0, 0);
    y = add_strip(rows.cross, columns, 1.4 * line_, y + line_);
  }
  end = y + gap_;
  return rows;
}

StepRows StepLayout::rows_of(const StepScene& scene, int64_t sequence) const {
  double end = 0;
  return rows_from(scene, sequence, top_of(sequence), end);
}

void StepLayout::arrange(const StepScene& scene, double width) {
  texts_.clear();
  bytes_.clear();
  masks_.clear();
  tops_.assign(1, 0);
  width_ = width;
  height_ = 0;
  if (scene.is_empty()) return;
  const QFontMetricsF metrics(scene.look.mono);
  line_ = std::ceil(std::max(metrics.height(), QFontMetricsF(scene.look.small).height()) +
                    scene.look.px(2));
  gap_ = scene.look.px(8);
  cell_ = std::ceil(text_width(scene.look.mono, QStringLiteral("0000000")) + scene.look.px(6));
  gutter_ = std::ceil(text_width(scene.look.small, LayoutWords::tr("row %1").arg(8888)) + gap_);
  columns_ = std::max<int64_t>(kWide, static_cast<int64_t>((width - gutter_) / cell_));
  double y = add_numbers(scene, 0), end = y;
  for (int64_t s = 0; s < scene.num_sequences(); ++s) rows_from(scene, s, end, end);
  if (end - y > kLongBatch * line_) y = add_first_calls(scene, y);
  sections_[0] = y;
  tops_[0] = y;
  for (int64_t s = 0; s < scene.num_sequences(); ++s) {
    rows_from(scene, s, y, y);
    tops_.push_back(y);
  }
  y = add_text(scene.look,
               LayoutWords::tr("query_start_loc[%1] = %2: the end of the batch.")
                   .arg(scene.num_sequences())
                   .arg(scene.metadata().query_start_loc.back()),
               0, y) +
      gap_;
  y = add_layers(scene, y);
  y = add_cache(scene, y);
  height_ = add_masks(scene, y);
}

std::pair<int64_t, int64_t> StepLayout::sequences_in(double top, double bottom) const {
  const auto count = static_cast<int64_t>(tops_.size()) - 1;
  const auto first = std::ranges::upper_bound(tops_, top) - tops_.begin() - 1;
  const auto end = std::ranges::lower_bound(tops_, bottom) - tops_.begin();
  return {std::clamp<int64_t>(first, 0, count), std::clamp<int64_t>(end, 0, count)};
}

QRectF StepLayout::cell_of(const StepStrip& strip, int64_t column) const {
  const int64_t at = (strip.first + column) / columns_;
  return {gutter_ + static_cast<double>((strip.first + column) % columns_) * cell_,
          strip.top + static_cast<double>(at) * (strip.cell_height + gap_ / 2), cell_,
          strip.cell_height};
}

void StepLayout::visit(const StepScene& scene, int64_t sequence, double top, double bottom,
                       const std::function<void(const StepPlace&, const QRectF&)>& visit) const {
  const StepRows rows = rows_of(scene, sequence);
  const auto cells = [&](const StepStrip& strip, auto&& place_of) {
    if (strip.columns == 0) return;
    const double pitch = strip.cell_height + gap_ / 2;
    const auto first = std::max<int64_t>(0, static_cast<int64_t>((top - strip.top) / pitch));
    for (int64_t column = first * columns_; column < strip.columns; ++column) {
      const QRectF cell = cell_of(strip, column);
      if (cell.top() > bottom) break;
      const StepPlace place = place_of(column);
      if (!place.is_none()) visit(place, cell);
    }
  };
  const int64_t before = scene.context_len(sequence) > 0 ? kWide : 0;
  const int64_t queries = scene.query_len(sequence);
  cells(rows.tokens, [&](int64_t column) -> StepPlace {
    if (column < before) return {Kind::kContext, sequence, column};
    if (column < before + queries) return {Kind::kToken, sequence, column - before};
    return {Kind::kPadding, sequence, column - before - queries};
  });
  cells(rows.table, [&](int64_t column) { return StepPlace{Kind::kBlock, sequence, column}; });
  cells(rows.encoder, [&](int64_t column) {
    return StepPlace{Kind::kEncoderToken, sequence, column};
  });
  cells(rows.cross, [&](int64_t column) { return StepPlace{Kind::kCrossBlock, sequence, column}; });
}

QRectF StepLayout::rect_of(const StepScene& scene, const StepPlace& place) const {
  if (place.is_none() || place.sequence >= scene.num_sequences()) return {};
  const StepRows rows = rows_of(scene, place.sequence);
  const int64_t before = scene.context_len(place.sequence) > 0 ? kWide : 0;
  switch (place.kind) {
    case Kind::kContext:
      return cell_of(rows.tokens, 0) | cell_of(rows.tokens, kWide - 1);
    case Kind::kToken:
      return cell_of(rows.tokens, before + place.index);
    case Kind::kPadding: {
      const int64_t column = before + scene.query_len(place.sequence);
      const QRectF first = cell_of(rows.tokens, column);
      const QRectF last = cell_of(rows.tokens, column + kWide - 1);
      return first.top() == last.top() ? first | last : first;  // its columns can be on two lines
    }
    case Kind::kBlock:
      return cell_of(rows.table, place.index);
    case Kind::kEncoderToken:
      return cell_of(rows.encoder, place.index);
    case Kind::kCrossBlock:
      return cell_of(rows.cross, place.index);
    case Kind::kNone:
      break;
  }
  return {};
}

StepPlace StepLayout::at(const StepScene& scene, const QPointF& point) const {
  StepPlace found;
  if (scene.is_empty()) return found;
  const auto [first, end] = sequences_in(point.y(), point.y() + 1);
  for (int64_t s = first; s < end; ++s)
    visit(scene, s, point.y(), point.y(), [&](const StepPlace& place, const QRectF& cell) {
      if (cell.contains(point)) found = place;
    });
  if (found.kind == Kind::kContext || found.kind == Kind::kPadding) found.index = 0;
  for (const StepMaskPicture& picture : masks_)
    if (picture.box.contains(point)) return place_in_mask(scene, picture, point);
  return found;
}

}  // namespace attn::gui
