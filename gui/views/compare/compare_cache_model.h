// SPDX-License-Identifier: GPL-3.0-or-later
// CompareCacheModel: the numbers of a comparison with and without a cache as a table, one row per
// quantity, column 0 with a cache, column 1 without. GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "engine/session/compare/compare_cache.h"

namespace attn::gui {

class CompareCacheModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    // A detail, such as "12.3 times that with a cache"; may be empty.
    kDetailRole = Qt::UserRole + 1,
    kNumberRole,    // double; invalid where there is none
    kShareRole,     // length of the bar: number / larger of the two, [0, 1]; invalid: no bar
    kModelledRole,  // bool: a modelled time
    kVerdictRole,   // bool: the answers are the same; invalid: no verdict
  };
  enum class Quantity {
    kPairs,      // pairs per layer and head; a mean if they differ
    kAllPairs,   // pairs of all layers and heads
    kTilePairs,  // as kAllPairs, with masked pairs
    kTokens,
    kTime,
    kAttention,  // time of attention in all steps
    kStepTime,   // mean time of a step
    kKvBytes,
    kAnswer,
    kLogits
  };
  struct Row {
    Quantity quantity = Quantity::kPairs;
    QString name, explanation;
  };

  using QAbstractTableModel::QAbstractTableModel;
  void set_result(std::shared_ptr<const CacheCompareResult> result);  // null: empty
  const CacheCompareResult* result() const { return result_.get(); }
  const std::vector<Row>& rows() const { return rows_; }
  const CacheCompareRun& run(int column) const {
    return column == 0 ? result_->with_cache : result_->without_cache;
  }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

 private:
  void make_rows();
  QVariant number_of(Quantity quantity, int column) const;
  QString cell_text(Quantity quantity, int column) const;
  QString detail_of(Quantity quantity, int column) const;
  QString answer_verdict() const;

  std::shared_ptr<const CacheCompareResult> result_;
  std::vector<Row> rows_;
};

// Grouped digits, with one decimal if `pairs` is not whole.
QString pairs_text(double pairs);

}  // namespace attn::gui
