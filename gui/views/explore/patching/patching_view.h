// SPDX-License-Identifier: GPL-3.0-or-later
// PatchingView: which states inside the model carry an answer: two prompts, and grids of runs in
// which one cell comes from the other run. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QToolButton>

#include "gui/models/explore/inside.h"
#include "gui/theme/panel_header.h"
#include "gui/views/explore/patching/patching_canvas.h"
#include "gui/views/explore/patching/patching_picture.h"
#include "gui/views/explore/patching/patching_prompts.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class PatchingView : public View {
  Q_OBJECT
 public:
  explicit PatchingView(const ViewContext& context, QWidget* parent = nullptr);
  ~PatchingView() override;

  QString export_name() const override { return QStringLiteral("patching"); }
  QString title() const override { return tr("Patching"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override {
    drawing()(painter, bounds);
  }
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  QString nothing_to_export() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  bool is_behind() const override;
  Tour tour() const override;
  void throw_if_refused() const override;
  void choose(const ViewChoices& choices) override;

  PatchingCanvas& canvas() { return *canvas_; }
  PatchingPrompts& prompts() { return *prompts_; }
  QToolButton* job_button() const { return job_; }
  // Null: nothing was computed for what is asked for now.
  const PatchingData* data() const { return is_current() ? data_.get() : nullptr; }
  const std::optional<PatchedAnswer>& patch() const { return patch_; }
  const Spot& marked() const { return marked_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Shared;
  QString refusal() const;  // why nothing can be computed; empty: nothing is wrong
  bool is_cheap() const;
  bool is_current() const;
  bool is_computing() const;
  void refresh();
  void ask();
  void cancel();
  void take();  // takes what the engine thread has published
  void patch(const PatchingMove& move);
  void patch_from(const Spot& from, const Spot& to);
  void open(const Spot& spot);
  void forget_patch();
  bool take_key(int key);
  std::shared_ptr<const PatchingPicture> make_picture(bool exported) const;

  PanelHeader* header_;
  QToolButton* job_;
  PatchingPrompts* prompts_;
  PatchingCanvas* canvas_;
  QTimer timer_;  // runs while grids are computed
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<const PatchingData> data_;
  std::shared_ptr<const Scenario> of_;  // the scenario with which data_ was computed
  std::optional<PatchingWish> asked_;   // what was asked for last
  std::shared_ptr<const Scenario> of_asked_;
  QElapsedTimer asked_at_;
  PatchingWish typed_;                     // what was last taken from the fields
  bool wanted_ = false;                    // a person has asked for grids of this run
  std::optional<PatchingWish> cancelled_;  // what was asked for when it was cancelled
  QString trouble_;
  std::optional<PatchedAnswer> patch_;
  QString patch_trouble_;
  Spot marked_, pointed_;
  QString told_;  // nothing_to_export() as it was last told
};

ViewEntry patching_entry();

}  // namespace attn::gui
