// SPDX-License-Identifier: GPL-3.0-or-later
// KnockOutView: the answer with heads, edges or sinks switched off, or heads replaced. The changed
// request can join the run. GUI thread.
#pragma once

#include <QComboBox>
#include <QPushButton>

#include "gui/views/explore/explore_view.h"
#include "gui/views/explore/knock_out/knock_out_picture.h"

namespace attn::gui {

class KnockOutView : public ExploreView {
  Q_OBJECT
 public:
  explicit KnockOutView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("knock_out"); }
  void throw_if_refused() const override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  const KnockOutData* data() const { return data_.get(); }
  const KnockOutBars* bars() const { return bars_.get(); }
  WhatIfList& list() { return inside().what_if(); }
  const WhatIfList& list() const { return const_cast<KnockOutView*>(this)->list(); }
  QComboBox* with_box() const { return with_; }
  // Why there is no result for the interventions; empty: nothing is wrong.
  QString list_trouble() const { return list_trouble_; }
  void add_to_run();

 protected:
  bool is_current() const override;
  QStringList tried() const override;
  void ask() override;
  std::shared_ptr<const ExplorePicture> make_picture() const override;
  void spot_chosen(const Spot& spot) override;
  void spot_opened(const Spot& spot) override;
  void spot_clicked(const Spot& spot) override;
  void spot_double_clicked(const Spot&) override {}
  bool take_key(int key) override;
  std::vector<KeyHelp> own_keys() const override;
  void add_stops(Tour& tour, int64_t rows) const override;

 private:
  // A head without a sink whose sink was to be taken out, in the run with this number.
  struct Sinkless {
    uint64_t run = 0;
    int64_t layer = 0, head = 0;
  };

  std::vector<Intervention> further_changes() const;
  bool has_sink(int64_t layer, int64_t head) const;
  QString sinkless_note() const;  // empty: sinkless_ is not the head that is shown now
  void refresh_box();
  int64_t row_shown() const;
  void ask_bars(int64_t row);
  void toggle_head(int64_t layer, int64_t head);
  void toggle_first_token();
  void toggle_sink();
  void cut_selected_cell();

  QComboBox* with_;
  QPushButton* join_;
  std::shared_ptr<const InsideRequest> of_;  // of the last ask() that ended, also if it failed
  std::vector<Intervention> of_list_;        // the list at that ask()
  std::shared_ptr<const KnockOutData> data_;
  std::shared_ptr<const KnockOutBars> bars_;
  QString list_trouble_;
  std::optional<Sinkless> sinkless_;
};

ViewEntry knock_out_entry();

}  // namespace attn::gui
