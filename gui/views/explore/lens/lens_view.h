// SPDX-License-Identifier: GPL-3.0-or-later
// LensView: the logit lens of the shown request, a grid of layers by positions of the text. GUI
// thread.
#pragma once

#include <QComboBox>

#include "gui/views/explore/explore_view.h"
#include "gui/views/explore/lens/lens_picture.h"

namespace attn::gui {

class LensView : public ExploreView {
  Q_OBJECT
 public:
  explicit LensView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("lens"); }
  // If the page has a given size (--size), tries several widths and chooses the one with which the
  // picture is largest on that page.
  QSize export_size() const override;
  std::vector<ViewCommand> commands() override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  // If inside_now(): throws Error(kBadInput) naming --positions if the positions are not computed
  // at the shown step, or if they are too many.
  void choose(const ViewChoices& choices) override;
  const LensData* data() const { return data_.get(); }
  const LensBars* bars() const { return bars_.get(); }
  QComboBox* color_box() const { return color_; }
  QToolButton* mid_button() const { return mid_; }

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
  QComboBox* color_;
  QToolButton* mid_;
  std::shared_ptr<const InsideRequest> of_;  // the request for which data_ was computed
  // The first and the last position of --positions; nullopt: the last positions of the text.
  std::optional<std::pair<int64_t, int64_t>> only_;
  std::optional<std::pair<int64_t, int64_t>> of_only_;  // only_ when data_ was computed
  bool with_mid_ = true;  // whether mid_ was checked when data_ was computed
  std::shared_ptr<const LensData> data_;
  std::shared_ptr<const LensBars> bars_;
};

ViewEntry lens_entry();

}  // namespace attn::gui
