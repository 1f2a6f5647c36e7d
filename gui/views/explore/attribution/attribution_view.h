// SPDX-License-Identifier: GPL-3.0-or-later
// AttributionView: which parts of the model made the logit of one token larger than that of
// another. GUI thread.
#pragma once

#include <QLineEdit>

#include "gui/views/explore/attribution/attribution_picture.h"
#include "gui/views/explore/explore_view.h"

namespace attn::gui {

class AttributionView : public ExploreView {
  Q_OBJECT
 public:
  explicit AttributionView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("attribution"); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  // If inside_now(): throws Error(kBadInput) naming --pair if it is no pair of tokens of the model,
  // or --position if the position is not computed at the shown step.
  void choose(const ViewChoices& choices) override;
  const AttributionData* data() const { return data_.get(); }
  QLineEdit* against_field() const { return against_; }

 protected:
  bool is_current() const override;
  void ask() override;
  std::shared_ptr<const ExplorePicture> make_picture() const override;
  QString refusal() const override;
  void spot_chosen(const Spot& spot) override;
  std::vector<KeyHelp> own_keys() const override;
  void add_stops(Tour& tour, int64_t rows) const override;

 private:
  int64_t row_shown() const;

  QLineEdit* against_;  // without pair_: the token to compare with; empty: the second likeliest
  std::shared_ptr<const InsideRequest> of_;  // the request for which data_ was computed
  QString of_against_;
  // From the command line: the two tokens to compare (pair_), and the position.
  // of_pair_: the value of pair_ with which data_ was computed.
  std::optional<std::pair<int32_t, int32_t>> pair_, of_pair_;
  std::optional<int64_t> position_;
  std::shared_ptr<const AttributionData> data_;
};

ViewEntry attribution_entry();

}  // namespace attn::gui
