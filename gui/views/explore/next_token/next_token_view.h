// SPDX-License-Identifier: GPL-3.0-or-later
// NextTokenView: the distribution of one token, and how likely the tokens of the text were. A new
// request can go on with another token. GUI thread.
#pragma once

#include "gui/views/explore/explore_view.h"
#include "gui/views/explore/next_token/next_token_picture.h"

namespace attn::gui {

class NextTokenView : public ExploreView {
  Q_OBJECT
 public:
  explicit NextTokenView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("next_token"); }
  std::vector<ViewCommand> commands() override;
  QJsonObject options() const override;
  ViewPoint point_at(const QPoint& position) override;
  void set_options(const QJsonObject& options) override;
  const NextTokenData* data() const { return data_.get(); }
  QToolButton* rank_button() const { return rank_; }
  // Adds a request with this token at the explained position.
  void go_on_with(int32_t token);

 protected:
  bool is_current() const override;
  void ask() override;
  std::shared_ptr<const ExplorePicture> make_picture() const override;
  void spot_chosen(const Spot& spot) override;
  void spot_opened(const Spot& spot) override;
  bool take_key(int key) override;
  std::vector<KeyHelp> own_keys() const override;
  void add_stops(Tour& tour, int64_t rows) const override;

 private:
  int64_t position_shown() const;
  void follow_new_request();

  QToolButton* rank_;
  QAction* go_on_;
  int32_t token_at_ = -1;  // token of the bar under the context menu; -1: none
  // The newest request when go_on_with() asked for one (-1: there was none); a newer request is
  // then shown. nullopt: no new request is awaited.
  std::optional<int64_t> newest_;
  std::shared_ptr<const InsideRequest> of_;  // the request for which data_ was computed
  std::shared_ptr<const NextTokenData> data_;
};

ViewEntry next_token_entry();

}  // namespace attn::gui
