// SPDX-License-Identifier: GPL-3.0-or-later
// RolloutView: the weights of the shown request, multiplied layer by layer from the first: in large
// up to the shown layer, in small pictures up to each layer. GUI thread.
#pragma once

#include "gui/views/explore/explore_view.h"
#include "gui/views/explore/rollout/rollout_picture.h"

namespace attn::gui {

class RolloutView : public ExploreView {
  Q_OBJECT
 public:
  explicit RolloutView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("rollout"); }
  std::vector<ViewCommand> commands() override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  const RolloutData* data() const { return data_.get(); }
  QToolButton* without_button() const { return without_; }

 protected:
  bool is_current() const override;
  void ask() override;
  std::shared_ptr<const ExplorePicture> make_picture() const override;
  QString refusal() const override;
  void spot_chosen(const Spot& spot) override;
  bool take_key(int key) override;
  std::vector<KeyHelp> own_keys() const override;
  void add_stops(Tour& tour, int64_t rows) const override;

 private:
  QToolButton* without_;
  std::shared_ptr<const InsideRequest> of_;  // the request for which data_ was computed
  std::shared_ptr<const RolloutData> data_;
};

ViewEntry rollout_entry();

}  // namespace attn::gui
