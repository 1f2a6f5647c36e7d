// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_words.h"

#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

QString number(float least) {
  return format_number(static_cast<double>(least), 2);
}

}  // namespace

QString name_of(Combine kind) {
  switch (kind) {
    case Combine::kHead:
      return tr("One head");
    case Combine::kLayerMean:
      return tr("Mean of the layer's heads");
    case Combine::kMean:
      return tr("Mean over heads and layers");
    case Combine::kHeadDifference:
      return tr("Head − another head");
    case Combine::kLayerDifference:
      return tr("Layer's mean − another layer's mean");
  }
  return {};
}

QString name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kWeight:
      return tr("Weight");
    case Quantity::kScore:
      return tr("Score before the softmax");
    case Quantity::kExp:
      return tr("exp(score − max of the row)");
    case Quantity::kWrittenValue:
      return tr("Written: weight × |v|");
    case Quantity::kWrittenOutput:
      return tr("Written: weight × |W_O v|");
  }
  return {};
}

QString meaning_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kWeight:
      return tr(
          "Show the weights: exp(score) divided by the sum of exp(score) over the row and, if "
          "there is one, its sink");
    case Quantity::kScore:
      return tr(
          "Show the scores: scaled q·k, with soft cap, ALiBi or relative bias where there is one");
    case Quantity::kExp:
      return tr("Show exp(score − largest score of the row); the largest cell of a row is 1");
    case Quantity::kWrittenValue:
      return tr("Show the weight times |v|, the length of the key's value vector");
    case Quantity::kWrittenOutput:
      return tr(
          "Show the weight times |W_O v|: the length of the vector that the head adds for a key, "
          "before a norm or a scale that may follow");
  }
  return {};
}

QString short_name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kWeight:
      break;
    case Quantity::kScore:
      return tr("score");
    case Quantity::kExp:
      return tr("exp(score − max)");
    case Quantity::kWrittenValue:
      return tr("weight × |v|");
    case Quantity::kWrittenOutput:
      return tr("weight × |W_O v|");
  }
  return tr("weight");
}

QString quantity_of(const HeadRef& head) {
  if (head.combine.is_difference()) return tr("difference");
  return head.combine.kind == Combine::kHead ? short_name_of(head.quantity) : tr("mean weight");
}

QString quantities_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kWeight:
      break;
    case Quantity::kScore:
      return tr("attention scores");
    case Quantity::kExp:
      return tr("exp(score − max)");
    case Quantity::kWrittenValue:
      return tr("weight × |v|");
    case Quantity::kWrittenOutput:
      return tr("weight × |W_O v|");
  }
  return tr("attention weights");
}

QString range_words(Quantity quantity, const std::optional<ScoreRange>& range) {
  if (quantity == Quantity::kExp) return tr("the largest cell of a row is 1");
  if (is_written(quantity) && range)
    return tr("cells up to %1").arg(format_number(static_cast<double>(range->most), 4));
  if (quantity != Quantity::kScore || !range) return {};
  return tr("scores from %1 to %2")
      .arg(format_number(static_cast<double>(range->least), 4),
           format_number(static_cast<double>(range->most), 4));
}

QString sum_check(double off) {
  return std::isnan(off)
             ? QString()
             : tr("the weights of each row sum to 1 within %1").arg(format_number(off, 2));
}

QString shown_words(const HeadRef& head) {
  const HeadId& other = head.combine.other;
  const QString layer = layer_words(head.layer, head.is_encoder());
  const int64_t layers = head.record ? std::ssize(head.rules().layers_like(
                                           head.layer, head.record->shape().num_layers))
                                     : 0,
                heads = head.record ? head.record->shape().num_heads : 0;
  switch (head.combine.kind) {
    case Combine::kHead:
      break;
    case Combine::kLayerMean:
      if (!head.record) return tr("mean of layer %1").arg(layer);
      return tr("mean of layer %1, %2").arg(layer, counted(heads, tr("1 head"), tr("%1 heads")));
    case Combine::kMean:
      if (!head.record) return tr("mean of all heads");
      if (head.rules().mix_keys())
        return (head.is_encoder()        ? tr("mean of the %1 in the %2 of the encoder")
                : head.keys_are_tokens() ? tr("mean of the %1 in the %2 with self attention")
                                         : tr("mean of the %1 in the %2 with cross attention"))
            .arg(counted(layers * heads, tr("1 head"), tr("%1 heads")),
                 counted(layers, tr("1 layer"), tr("%1 layers")));
      return tr("mean of all %1 of %2")
          .arg(counted(layers * heads, tr("1 head"), tr("%1 heads")),
               counted(layers, tr("1 layer"), tr("%1 layers")));
    case Combine::kHeadDifference:
      return tr("weight(layer %1 head %2) − weight(layer %3 head %4)")
          .arg(layer)
          .arg(head.head)
          .arg(layer_words(other.layer, head.is_encoder()))
          .arg(other.head);
    case Combine::kLayerDifference:
      return tr("mean(layer %1) − mean(layer %2)")
          .arg(layer, layer_words(other.layer, head.is_encoder()));
  }
  return tr("layer %1, head %2").arg(layer).arg(head.head);
}

QString name_of(const Keep& keep) {
  switch (keep.kind) {
    case Keep::Kind::kAll:
      return tr("All cells");
    case Keep::Kind::kShare:
      return tr("The largest that make %1 % of each row").arg(keep.percent);
    case Keep::Kind::kAtLeast:
      return tr("At least %1").arg(number(keep.least));
  }
  return {};
}

QString keep_words(const Keep& keep, int level, bool on_screen) {
  switch (keep.kind) {
    case Keep::Kind::kAll:
      break;
    case Keep::Kind::kShare:
      if (level > 0 && !on_screen) return tr("all cells, because a dot stands for several");
      return level > 0 ? tr("all cells; zoom in to keep %1 % of each row").arg(keep.percent)
                       : tr("kept: the largest that make %1 % of each row").arg(keep.percent);
    case Keep::Kind::kAtLeast:
      return (level > 0 ? tr("kept: dots of at least %1") : tr("kept: cells of at least %1"))
          .arg(number(keep.least));
  }
  return {};
}

}  // namespace attn::gui
