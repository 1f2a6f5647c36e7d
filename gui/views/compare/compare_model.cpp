// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_model.h"

#include <QLocale>
#include <QPointF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

const KernelCost* cost_of(const CompareColumn& column, KernelId kernel) {
  for (const KernelCost& cost : column.kernels)
    if (cost.kernel == kernel) return &cost;
  return nullptr;
}

}  // namespace

QString CompareModel::difference_text(double value) {
  if (value == 0) return QStringLiteral("0");
  if (std::isinf(value)) return QStringLiteral("∞");
  return QLocale().toString(value, 'e', 3);
}

QString CompareModel::why_digits_differ() const {
  QStringList causes;
  if (result_->dtype != "f32") causes << tr("a narrower type");
  // Queries, keys and values have the type of the cache; UNIFIED rounds weights for bf16 only.
  const auto rounds = [](const CompareColumn& column) {
    return column.name == "unified/fast" && column.ran();
  };
  if (result_->dtype == "bf16" && std::ranges::any_of(result_->columns, rounds))
    causes << tr("weights rounded to bf16 (UNIFIED fast)");
  causes << tr("an option that a backend ignores");
  return tr("Last digits can differ because backends add in other orders or precisions, and sums "
            "are rounded. Larger differences have other causes, such as %1.")
      .arg(causes.join(tr(" or ")));
}

QString CompareModel::times_text() const {
  if (result_->modelled_time) return tr("Times are modelled, not measured.");
  if (result_->repetitions > 1)
    return tr("Times are medians of %1 measured runs; the line through the end of a bar goes from "
              "the least to the most%2.")
        .arg(result_->repetitions)
        .arg(spread_is_cut_ ? tr(", with an arrow where it goes on beyond the bars") : QString());
  return tr("Times were measured once and can differ much in another run.");
}

void CompareModel::set_result(std::shared_ptr<const CompareResult> result) {
  beginResetModel();
  result_ = std::move(result);
  longest_ns_ = longest_modelled_ns_ = 0;
  spread_is_cut_ = false;
  if (result_) {
    constexpr double kBeyondMedian = 1.5;
    for (const CompareColumn& column : result_->columns) {
      const auto median = static_cast<double>(column.total.ns),
                 most = static_cast<double>(column.total.most_ns);
      longest_ns_ = std::max(longest_ns_, std::min(most, kBeyondMedian * median));
      longest_modelled_ns_ = std::max(longest_modelled_ns_, column.modelled_device_ns);
    }
    for (const CompareColumn& column : result_->columns)
      spread_is_cut_ |= static_cast<double>(column.total.most_ns) > longest_ns_;
  }
  make_rows();
  endResetModel();
}

void CompareModel::make_rows() {
  rows_.clear();
  if (!result_) return;
  const auto add = [this](Quantity quantity, const QString& name, const QString& explanation) {
    rows_.push_back({quantity, {}, name, explanation});
  };
  const QString modelled = result_->modelled_time ? tr(" (modelled)") : QString();
  add(Quantity::kOutAbs, tr("Output: largest difference"),
      tr("The largest |value − value of the baseline| of all outputs, and its place. %1")
          .arg(why_digits_differ()));
  add(Quantity::kOutRel, tr("Output: relative"),
      tr("The largest of all outputs' |difference| ÷ (largest |value| of the same row in the "
         "baseline), and its place."));
  add(Quantity::kLse, tr("Log-sum-exp: largest difference"),
      tr("The log-sum-exp of a row is ln Σ exp(score); a sink adds exp(sink) to the sum."));
  add(Quantity::kWeights, tr("Weights: largest difference"),
      tr("The largest |weight − weight of the baseline| of all requests, layers and heads, and its "
         "place. The weights are recomputed from the queries, and from the keys and log-sum-exps "
         "of each backend. They are not compared if this takes more than %1 multiplications, or if "
         "no request is small enough for maps.")
          .arg(QLocale().toString(kMostWeightProducts, 'g', 1)));
  add(Quantity::kUnequal, tr("Outputs with other bits"),
      tr("How many outputs differ from the baseline in at least one bit."));
  add(Quantity::kOutside, tr("Outside the tolerance"),
      tr("Outputs that differ from the baseline by more than %1 + %2 × |value of the baseline|.")
          .arg(QLocale().toString(result_->tolerance_abs),
               QLocale().toString(result_->tolerance_rel)));
  add(Quantity::kTime, tr("Attention time") + modelled,
      tr("Time of all attention calls of this backend together, on the clock of the comparison. %1")
          .arg(times_text()));
  std::vector<KernelId> kernels;
  for (const CompareColumn& column : result_->columns)
    for (const KernelCost& cost : column.kernels)
      if (std::find(kernels.begin(), kernels.end(), cost.kernel) == kernels.end())
        kernels.push_back(cost.kernel);
  for (const KernelId kernel : kernels) {
    const std::string_view name = name_of(kernel);
    rows_.push_back(
        {Quantity::kKernel, kernel,
         QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
         tr("Time of all calls of this kernel together%1, and their number.").arg(modelled)});
  }
  add(Quantity::kOutsideKernels, tr("outside kernels"),
      tr("What is left of the attention time without its kernels, such as the time to prepare a "
         "call, its masks and tables."));
  for (const std::string& device : modelled_devices(*result_))
    add(Quantity::kDevice, tr("%1 (modelled)").arg(text_of(device)),
        tr("Modelled time of all attention calls on this device in bf16, from published figures; "
           "it is not measured."));
  add(Quantity::kCache, tr("KV cache"),
      tr("Memory of this backend's KV cache, in its own layout, in all layers."));
  add(Quantity::kWorkspace, tr("Workspace"),
      tr("Aligned memory that the backend keeps between calls, without the KV cache."));
  add(Quantity::kTiles, tr("Tiles"),
      tr("Number of tiles that the attention kernels of this backend computed in all calls."));
  add(Quantity::kPairs, tr("Pairs visited"),
      tr("Number of query-key pairs that the tiles of this backend cover, divided by the number of "
         "visible pairs."));
  add(Quantity::kPadding, tr("Padding rows"),
      tr("Query rows that were computed past the end of a sequence, counted in one layer and one "
         "head."));
  const auto any = [this](auto member) {
    return std::any_of(result_->columns.begin(), result_->columns.end(),
                       [member](const CompareColumn& column) { return column.*member > 0; });
  };
  if (any(&CompareColumn::page_fetches))
    add(Quantity::kFetches, tr("Page fetches"),
        tr("How often a kernel copied pages into its own buffer, and how many pages."));
  if (any(&CompareColumn::splits))
    add(Quantity::kSplits, tr("Partial calls"),
        tr("Calls for one part of a batch that the backend split into several calls."));
}

int CompareModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !result_ ? 0 : static_cast<int>(result_->columns.size());
}

QString CompareModel::cell_text(const Row& row, const CompareColumn& column) const {
  if (!column.ran()) return tr("cannot run");
  const bool same = column.is_baseline;
  switch (row.quantity) {
    case Quantity::kOutAbs:
      return same ? tr("baseline") : difference_text(column.out.max_abs);
    case Quantity::kOutRel:
      return same ? QStringLiteral("–") : difference_text(column.out.max_rel);
    case Quantity::kLse:
      return same ? QStringLiteral("–") : difference_text(column.lse.max_abs);
    case Quantity::kWeights:
      if (same) return QStringLiteral("–");
      return column.weights.why.empty() ? difference_text(column.weights.max_abs)
                                        : tr("not compared");
    case Quantity::kUnequal:
      return same ? QStringLiteral("–")
                  : tr("%1 of %2")
                        .arg(format_count(column.out.unequal), format_count(column.out.compared));
    case Quantity::kOutside:
      return same ? QStringLiteral("–")
                  : tr("%1 of %2")
                        .arg(format_count(column.out.outside), format_count(column.out.compared));
    case Quantity::kTime:
      return format_duration_ns(static_cast<double>(column.total.ns));
    case Quantity::kOutsideKernels: {
      const RepeatedTime* time = time_of(row, column);
      return time ? format_duration_ns(static_cast<double>(time->ns)) : QStringLiteral("–");
    }
    case Quantity::kKernel: {
      const KernelCost* cost = cost_of(column, row.kernel);
      return cost ? tr("%1, %2").arg(format_duration_ns(static_cast<double>(cost->time.ns)),
                                     counted(cost->calls, tr("1 call"), tr("%1 calls")))
                  : QStringLiteral("–");
    }
    case Quantity::kDevice:
      return column.modelled_device_ns > 0 ? format_duration_ns(column.modelled_device_ns)
                                           : QStringLiteral("–");
    case Quantity::kCache:
      return format_bytes(static_cast<double>(column.cache_bytes));
    case Quantity::kWorkspace:
      return format_bytes(static_cast<double>(column.workspace_bytes));
    case Quantity::kTiles:
      return format_count(column.tiles);
    case Quantity::kPairs:
      return tr("%1 × needed")
          .arg(QLocale().toString(column.pairs / std::max(1.0, result_->needed_pairs), 'f', 2));
    case Quantity::kPadding:
      return format_count(column.padding_rows);
    case Quantity::kFetches:
      return tr("%1 (%2 pages)").arg(format_count(column.page_fetches), format_count(column.pages));
    case Quantity::kSplits:
      return format_count(column.splits);
  }
  return {};
}

QString CompareModel::place_words(const CompareResult& result, const ComparePlace& place) {
  if (place.layer < 0) return {};
  const auto request = std::ranges::find(result.requests, place.request, &CompareRequest::id);
  const QString name = request == result.requests.end() ? tr("request %1").arg(place.request)
                                                        : QString::fromStdString(request->name);
  const QString text = tr("%1, layer %2, head %3, row %4")
                           .arg(name, QString::number(place.layer), QString::number(place.head),
                                QString::number(place.query));
  return place.d >= 0 ? QStringLiteral("%1, d %2").arg(text).arg(place.d) : text;
}

QString CompareModel::detail_of(const Row& row, const CompareColumn& column) const {
  const auto place = [this](const ComparePlace& at) { return place_words(*result_, at); };
  if (!column.ran()) return {};
  if (row.quantity == Quantity::kTime) return spread_text(row, column);
  if (column.is_baseline) return {};
  if (row.quantity == Quantity::kOutAbs) return place(column.out.abs_at);
  if (row.quantity == Quantity::kOutRel) return place(column.out.rel_at);
  if (row.quantity == Quantity::kLse) return place(column.lse.abs_at);
  if (row.quantity == Quantity::kWeights) {
    if (column.weights.at.layer < 0) return {};
    return tr("%1, key %2").arg(place(column.weights.at)).arg(column.weights.key);
  }
  if (row.quantity == Quantity::kOutside)
    return column.out.outside == 0 ? tr("agrees") : tr("differs");
  return {};
}

const RepeatedTime* CompareModel::time_of(const Row& row, const CompareColumn& column) const {
  if (row.quantity == Quantity::kTime) return &column.total;
  if (row.quantity == Quantity::kOutsideKernels) return &column.outside_kernels;
  const KernelCost* cost =
      row.quantity == Quantity::kKernel ? cost_of(column, row.kernel) : nullptr;
  return cost ? &cost->time : nullptr;
}

QString CompareModel::spread_text(const Row& row, const CompareColumn& column) const {
  const RepeatedTime* time = result_->repetitions > 1 ? time_of(row, column) : nullptr;
  return time ? tr("%1 to %2")
                    .arg(format_duration_ns(static_cast<double>(time->least_ns)),
                         format_duration_ns(static_cast<double>(time->most_ns)))
              : QString();
}

QVariant CompareModel::number_of(const Row& row, const CompareColumn& column) const {
  if (!column.ran()) return {};
  switch (row.quantity) {
    case Quantity::kOutAbs:
      return column.out.max_abs;
    case Quantity::kOutRel:
      return column.out.max_rel;
    case Quantity::kLse:
      return column.lse.max_abs;
    case Quantity::kWeights:
      return column.weights.why.empty() ? QVariant(column.weights.max_abs) : QVariant();
    case Quantity::kUnequal:
      return static_cast<double>(column.out.unequal);
    case Quantity::kOutside:
      return static_cast<double>(column.out.outside);
    case Quantity::kTime:
    case Quantity::kKernel:
    case Quantity::kOutsideKernels: {
      const RepeatedTime* time = time_of(row, column);
      return time ? QVariant(static_cast<double>(time->ns)) : QVariant();
    }
    case Quantity::kDevice:
      return column.modelled_device_ns > 0 ? QVariant(column.modelled_device_ns) : QVariant();
    case Quantity::kCache:
      return static_cast<double>(column.cache_bytes);
    case Quantity::kWorkspace:
      return static_cast<double>(column.workspace_bytes);
    case Quantity::kTiles:
      return static_cast<double>(column.tiles);
    case Quantity::kPairs:
      return column.pairs;
    case Quantity::kPadding:
      return static_cast<double>(column.padding_rows);
    case Quantity::kFetches:
      return static_cast<double>(column.page_fetches);
    case Quantity::kSplits:
      return static_cast<double>(column.splits);
  }
  return {};
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
  if (!result_ || !checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  const CompareColumn& column = result_->columns[static_cast<size_t>(index.column())];
  const bool part = row.quantity == Quantity::kKernel || row.quantity == Quantity::kOutsideKernels;
  const bool time = row.quantity == Quantity::kTime || part;
  switch (role) {
    case Qt::DisplayRole:
      return cell_text(row, column);
    case Qt::ToolTipRole: {
      const QString detail =
          part && column.ran() ? spread_text(row, column) : detail_of(row, column);
      return detail.isEmpty() ? row.explanation
                              : QStringLiteral("%1\n%2").arg(row.explanation, detail);
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case kDetailRole:
      return detail_of(row, column);
    case kNumberRole:
      return number_of(row, column);
    case kModelledRole:
      return row.quantity == Quantity::kDevice || (time && result_->modelled_time);
    case kShareRole: {
      const QVariant number = number_of(row, column);
      if (row.quantity == Quantity::kDevice)
        return number.isValid() ? QVariant(number.toDouble() / longest_modelled_ns_) : QVariant();
      return time && number.isValid() && longest_ns_ > 0 ? QVariant(number.toDouble() / longest_ns_)
                                                         : QVariant();
    }
    case kSpreadRole: {
      const RepeatedTime* measured =
          column.ran() && result_->repetitions > 1 ? time_of(row, column) : nullptr;
      return measured && longest_ns_ > 0
                 ? QVariant(QPointF(static_cast<double>(measured->least_ns) / longest_ns_,
                                    static_cast<double>(measured->most_ns) / longest_ns_))
                 : QVariant();
    }
    case kVerdictRole:
      return row.quantity == Quantity::kOutside && column.ran() && !column.is_baseline
                 ? QVariant(column.out.outside == 0)
                 : QVariant();
    default:
      return {};
  }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (!result_ || section < 0) return {};
  if (orientation == Qt::Horizontal) {
    if (section >= static_cast<int>(result_->columns.size())) return {};
    const CompareColumn& column = result_->columns[static_cast<size_t>(section)];
    if (role == Qt::DisplayRole) return QString::fromStdString(column.display_name);
    return {};
  }
  if (section >= static_cast<int>(rows_.size())) return {};
  if (role == Qt::DisplayRole) return rows_[static_cast<size_t>(section)].name;
  if (role == Qt::ToolTipRole) return rows_[static_cast<size_t>(section)].explanation;
  return {};
}

}  // namespace attn::gui

#include "moc_compare_model.cpp"
