// SPDX-License-Identifier: GPL-3.0-or-later
// HeadView: a view of one head of the shown request, with boxes for request, layer and head in its
// header. While visible it follows the run. GUI thread.
#pragma once

#include <QSpinBox>

#include "gui/widgets/canvas.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class HeadView : public View {
  Q_OBJECT
 public:
  // title: of the header.
  HeadView(const ViewContext& context, const QString& title, QWidget* parent);

  QSpinBox* layer_box() const { return layer_box_; }
  QSpinBox* head_box() const { return head_box_; }
  void choose(const ViewChoices& choices) override;

 protected:
  struct Head {
    const RequestView* request = nullptr;  // null: there is nothing to show
    std::shared_ptr<const AttentionRecord> record;
    int64_t layer = 0, head = 0;
    int64_t rows = 0;  // rows_known() at the time cursor
  };
  Head shown_head() const;
  // The engine's model; for a recorded run, if the engine has none, the one that Inside loaded.
  // Null: there is none.
  std::shared_ptr<const Model> model() const;
  PanelHeader& header() { return *header_; }
  // Lays the view out with this canvas and begins to follow the run. controls: further controls of
  // the header. leaving: those of `controls` that the header hides while it is too narrow for them.
  // It can hide the boxes, too.
  void follow(Canvas* canvas, const std::vector<QWidget*>& controls = {},
              std::vector<QWidget*> leaving = {});
  void changed();  // calls refresh() if the view is visible; can emit exports_changed()
  // Whether newly computed rows of attention change what is shown.
  virtual bool waits_for_rows() const { return true; }
  virtual bool needs_model() const { return false; }
  // Shows the run as it is now, or as it was at a shown past step, and the selection.
  virtual void refresh() = 0;
  void refresh_boxes();
  void step_head(int layers, int heads);
  void showEvent(QShowEvent* event) override;

 private:
  void size_boxes();

  std::optional<QString> told_;  // nothing_to_export() at the last exports_changed()
  PanelHeader* header_;
  RequestBox* request_box_;
  QSpinBox *layer_box_, *head_box_;
};

}  // namespace attn::gui
