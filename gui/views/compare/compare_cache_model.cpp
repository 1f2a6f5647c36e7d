// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_cache_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/views/compare/compare_model.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

using CacheQuantity = CompareCacheModel::Quantity;

bool is_time(CacheQuantity quantity) {
  return quantity == CacheQuantity::kTime || quantity == CacheQuantity::kStepTime ||
         quantity == CacheQuantity::kAttention;
}

// Whether the numbers with and without a cache are compared by a bar and a factor.
bool is_measured(CacheQuantity quantity) {
  return quantity != CacheQuantity::kAnswer && quantity != CacheQuantity::kLogits &&
         quantity != CacheQuantity::kKvBytes;
}

// The answer whose logits differ most; null: no logits were compared.
const CacheCompareAnswer* most_different(const CacheCompareResult& result) {
  const CacheCompareAnswer* found = nullptr;
  for (const CacheCompareAnswer& answer : result.answers)
    if (answer.compared_rows > 0 && (!found || answer.max_difference > found->max_difference))
      found = &answer;
  return found;
}

}  // namespace

QString pairs_text(double pairs) {
  return pairs == std::floor(pairs) ? format_count(static_cast<int64_t>(pairs))
                                    : QLocale().toString(pairs, 'f', 1);
}

void CompareCacheModel::set_result(std::shared_ptr<const CacheCompareResult> result) {
  beginResetModel();
  result_ = std::move(result);
  make_rows();
  endResetModel();
}

void CompareCacheModel::make_rows() {
  rows_.clear();
  if (!result_) return;
  const QString modelled = result_->modelled_time ? tr(" (modelled)") : QString();
  const bool equal = result_->equal_heads();
  rows_ = {
      {Quantity::kPairs,
       equal ? tr("Query-key pairs, one layer and head")
             : tr("Query-key pairs, mean of layers and heads"),
       tr("Visible pairs of a query and a key that the kernels computed in all steps, for one head "
          "or the mean of all heads.")},
      {Quantity::kAllPairs, tr("Query-key pairs, all layers and heads"),
       tr("How many visible pairs of a query and a key the kernels computed in all steps, summed "
          "over all layers and heads.")},
      {Quantity::kTilePairs, tr("with masked pairs in tiles"),
       tr("All pairs that the tiles of the kernels cover, also those that the mask hides.")},
      {Quantity::kTokens, tr("Tokens through the model"),
       tr("Rows that went through all layers of the model, in all steps.")},
      {Quantity::kTime, tr("Time of all steps") + modelled,
       tr("Time from the beginning of a step to its end, summed, on the clock of the comparison.")},
      {Quantity::kAttention, tr("attention in them") + modelled,
       tr("Time of all attention calls together.")},
      {Quantity::kStepTime, tr("Time of a step, mean") + modelled,
       tr("The time of all steps divided by their number.")},
      {Quantity::kKvBytes, tr("Keys and values, most"),
       tr("With a cache: memory of the blocks in use, in all layers, in the step that uses most. "
          "Without: keys and values of the largest step in one layer.")},
      {Quantity::kAnswer, tr("Answer"), tr("Each run sampled its own tokens.")},
      {Quantity::kLogits, tr("Logits: largest difference"),
       tr("The largest |logit with a cache − logit without| of the rows that tokens were sampled "
          "from, as long as the tokens before them are the same.")}};
}

int CompareCacheModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CompareCacheModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !result_ ? 0 : 2;
}

QVariant CompareCacheModel::number_of(Quantity quantity, int column) const {
  const CacheCompareRun& of = run(column);
  const auto whole = [](auto value) { return QVariant(static_cast<double>(value)); };
  switch (quantity) {
    case Quantity::kPairs:
      return static_cast<double>(of.pairs) /
             static_cast<double>(std::max<int64_t>(1, result_->heads()));
    case Quantity::kAllPairs:
      return whole(of.pairs);
    case Quantity::kTilePairs:
      return whole(of.tile_pairs);
    case Quantity::kTokens:
      return whole(of.tokens);
    case Quantity::kTime:
      return whole(of.ns);
    case Quantity::kStepTime:
      return of.steps.empty()
                 ? QVariant()
                 : QVariant(static_cast<double>(of.ns) / static_cast<double>(of.steps.size()));
    case Quantity::kAttention:
      return whole(of.attention_ns);
    case Quantity::kKvBytes:
      return whole(of.most_kv_bytes);
    case Quantity::kAnswer: {
      size_t tokens = 0;
      for (const CacheCompareAnswer& answer : result_->answers)
        tokens += (column == 0 ? answer.with_cache : answer.without_cache).size();
      return whole(tokens);
    }
    case Quantity::kLogits:
      return column == 1 && most_different(*result_) ? QVariant(result_->max_difference())
                                                     : QVariant();
  }
  return {};
}

QString CompareCacheModel::cell_text(Quantity quantity, int column) const {
  const QVariant number = number_of(quantity, column);
  if (!number.isValid()) return QStringLiteral("–");
  const double value = number.toDouble();
  if (is_time(quantity)) return format_duration_ns(value);
  switch (quantity) {
    case Quantity::kPairs:
      return pairs_text(value);
    case Quantity::kKvBytes:
      return format_bytes(value);
    case Quantity::kAnswer:
      return counted(static_cast<int64_t>(value), tr("1 token"), tr("%1 tokens"));
    case Quantity::kLogits:
      return CompareModel::difference_text(value);
    default:
      return format_count(static_cast<int64_t>(value));
  }
}

QString CompareCacheModel::answer_verdict() const {
  for (const CacheCompareAnswer& answer : result_->answers)
    if (!answer.same_tokens())
      return tr("differs from answer token %1 of %2 on")
          .arg(answer.first_difference + 1)
          .arg(QString::fromStdString(answer.name));
  return tr("the same tokens");
}

QString CompareCacheModel::detail_of(Quantity quantity, int column) const {
  if (column == 0) return {};
  if (quantity == Quantity::kAnswer) return answer_verdict();
  if (quantity == Quantity::kLogits) {
    const CacheCompareAnswer* most = most_different(*result_);
    if (most && most->max_difference == 0)
      return tr("the largest |logit| is %1").arg(format_number(most->largest_logit));
    return most ? tr("answer token %1 of %2; the largest |logit| is %3")
                      .arg(most->max_at + 1)
                      .arg(QString::fromStdString(most->name), format_number(most->largest_logit))
                : QString();
  }
  const double with = number_of(quantity, 0).toDouble(),
               without = number_of(quantity, 1).toDouble();
  if (!is_measured(quantity) || with <= 0) return {};
  return tr("%1 times that with a cache").arg(format_number(without / with, 3));
}

QVariant CompareCacheModel::data(const QModelIndex& index, int role) const {
  if (!result_ || !checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return cell_text(row.quantity, column);
    case Qt::ToolTipRole: {
      const QString detail = detail_of(row.quantity, column);
      return detail.isEmpty() ? row.explanation
                              : QStringLiteral("%1\n%2").arg(row.explanation, detail);
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case kDetailRole:
      return detail_of(row.quantity, column);
    case kNumberRole:
      return number_of(row.quantity, column);
    case kModelledRole:
      return is_time(row.quantity) && result_->modelled_time;
    case kShareRole: {
      if (!is_measured(row.quantity)) return {};
      const double most =
          std::max(number_of(row.quantity, 0).toDouble(), number_of(row.quantity, 1).toDouble());
      return most > 0 ? QVariant(number_of(row.quantity, column).toDouble() / most) : QVariant();
    }
    case kVerdictRole:
      return row.quantity == Quantity::kAnswer && column == 1 ? QVariant(result_->same_answers())
                                                              : QVariant();
    default:
      return {};
  }
}

QVariant CompareCacheModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (!result_ || section < 0) return {};
  if (orientation == Qt::Horizontal) {
    if (role != Qt::DisplayRole || section >= 2) return {};
    return section == 0 ? tr("With a cache") : tr("Without a cache");
  }
  if (section >= static_cast<int>(rows_.size())) return {};
  if (role == Qt::DisplayRole) return rows_[static_cast<size_t>(section)].name;
  if (role == Qt::ToolTipRole) return rows_[static_cast<size_t>(section)].explanation;
  return {};
}

}  // namespace attn::gui

#include "moc_compare_cache_model.cpp"
