// SPDX-License-Identifier: GPL-3.0-or-later
// CompareModel: the numbers of a comparison as a table, one column per backend (or per value of one
// of its options), one row per quantity; times have a row per kernel and per modelled device, too.
// GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "engine/session/compare/compare.h"

namespace attn::gui {

class CompareModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    kDetailRole = Qt::UserRole + 1,  // a place, the spread of a time, or a verdict; may be empty
    kNumberRole,                     // double; invalid where there is none
    // Length of the bar: the time divided by the time at which bars end. Modelled times of a device
    // have an end of their own. Invalid: no bar.
    kShareRole,
    // QPointF(least, most) of a repeated time, in the units of kShareRole; may be above 1. Invalid:
    // there is none.
    kSpreadRole,
    kModelledRole,  // bool: the bar is of a modelled time
    kVerdictRole,   // bool: inside the tolerance; invalid: no verdict
  };
  enum class Quantity {
    kOutAbs,
    kOutRel,
    kLse,
    kWeights,
    kUnequal,
    kOutside,
    kTime,
    kKernel,
    kOutsideKernels,
    kDevice,  // modelled time of a device
    kCache,
    kWorkspace,
    kTiles,
    kPairs,
    kPadding,
    kFetches,
    kSplits
  };
  struct Row {
    Quantity quantity = Quantity::kOutAbs;
    KernelId kernel = {};
    QString name, explanation;
  };

  using QAbstractTableModel::QAbstractTableModel;
  void set_result(std::shared_ptr<const CompareResult> result);  // null: empty
  const CompareResult* result() const { return result_.get(); }
  const std::vector<Row>& rows() const { return rows_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;
  // Such as "1.907e-06", "0" or "∞".
  static QString difference_text(double value);
  static QString place_words(const CompareResult& result, const ComparePlace& place);
  // result() must not be null. Names only causes that the compared run can have.
  QString why_digits_differ() const;
  QString times_text() const;

 private:
  void make_rows();
  QString cell_text(const Row& row, const CompareColumn& column) const;
  QString detail_of(const Row& row, const CompareColumn& column) const;
  QVariant number_of(const Row& row, const CompareColumn& column) const;
  // The RepeatedTime that the cell shows. Null: `row` shows none, or the backend did not call this
  // kernel.
  const RepeatedTime* time_of(const Row& row, const CompareColumn& column) const;
  // The least and the most of a repeated time; empty: there is none.
  QString spread_text(const Row& row, const CompareColumn& column) const;

  std::shared_ptr<const CompareResult> result_;
  std::vector<Row> rows_;
  // The times at which the bars end: of times on the clock of the comparison, and of modelled times
  // of a device. The longest run of a column counts as at most 1.5 times its median, so that one
  // slow run does not make all bars much shorter.
  double longest_ns_ = 0, longest_modelled_ns_ = 0;
  bool spread_is_cut_ = false;  // the longest run of some column took more than longest_ns_
};

}  // namespace attn::gui
