// SPDX-License-Identifier: GPL-3.0-or-later
// ExploreView: what views of the inside of a model have in common. GUI thread; functions about
// tokens of an InsideRequest: any thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gui/models/explore/inside.h"
#include "gui/theme/panel_header.h"
#include "gui/views/explore/explore_canvas.h"
#include "gui/widgets/request/inside_switch.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/text/word_flow.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class ExploreView : public View {
  Q_OBJECT
 public:
  // `what` names the picture in the waiting text, such as "The bars of the next token".
  ExploreView(const ViewContext& context, const QString& title, const QString& what,
              QWidget* parent);

  QString title() const override { return title_; }
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
  bool is_complete() const override;
  void complete(const std::function<void(const QString& trouble)>& done) override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  bool is_behind() const override;
  Tour tour() const override;
  void throw_if_refused() const override;
  void choose(const ViewChoices& choices) override;

  ExploreCanvas& canvas() const { return *canvas_; }
  InsideSwitch& inside_switch() { return *switch_; }

 protected:
  void showEvent(QShowEvent* event) override;

  PanelHeader& header() { return *header_; }
  // Whether the last result is of what is shown now. Called when inside_now() is not null.
  virtual bool is_current() const = 0;
  // Starts to compute what is shown now. computed() is called later, unless that is cancelled.
  virtual void ask() = 0;
  // The picture of what was computed; null: there is none.
  virtual std::shared_ptr<const ExplorePicture> make_picture() const = 0;
  // Called when the picture of what is shown now is on the canvas. `rows`: how many tokens of the
  // request it may show (Inside::rows_shown()), at least one.
  virtual void add_stops(Tour& tour, int64_t rows) const = 0;
  // A text for each intervention of the list that this view tries.
  virtual QStringList tried() const { return {}; }
  // Why nothing can be shown although inside_now() is not null; empty: no such reason.
  virtual QString refusal() const { return {}; }
  // A key moved the cursor to the spot (spot_chosen), or Enter was pressed there (spot_opened).
  // Clicks call these, too, unless a view overrides spot_clicked() or spot_double_clicked().
  virtual void spot_chosen(const Spot&) {}
  virtual void spot_opened(const Spot&) {}
  virtual void spot_clicked(const Spot& spot) { spot_chosen(spot); }
  virtual void spot_double_clicked(const Spot& spot) { spot_opened(spot); }
  virtual bool take_key(int) { return false; }
  virtual std::vector<KeyHelp> own_keys() const = 0;

  void computed(const QString& trouble);
  void refresh();
  // A frame with fonts at the zoom of the canvas, the title and the marks of interventions.
  PictureFrame frame(const QStringList& checks) const;
  const InsideRequest* inside_now() const;  // null: there is none, or none of its rows is shown

 private:
  void show_picture();
  void go_on_completing();
  std::shared_ptr<const ExplorePicture> file_picture() const;
  QString why_refused() const;  // empty: nothing is refused and nothing failed
  QString waiting_text() const;
  std::shared_ptr<const Explanation> explanation_of(const Spot& spot) const;

  QString title_, what_, trouble_;
  std::vector<std::function<void(const QString& trouble)>> completing_;  // of complete()
  QString told_;                  // nothing_to_export() as it was last told
  mutable bool in_file_ = false;  // true: the frames that are made now are for a file
  PanelHeader* header_;
  RequestBox* request_box_;
  InsideSwitch* switch_;
  ExploreCanvas* canvas_;
};

// A frame with fonts at the zoom of a canvas, but without texts.
PictureFrame plain_frame(double zoom);
// Whether the model is only an encoder: its logits at a place are about the token in this place.
bool is_encoder(const InsideRequest& inside);
// The place of the first mask token, which stands for a hidden token; 0 if there is none.
int64_t hidden_place(const InsideRequest& inside);
// The first inside.rows() tokens of `then`.
Tokens tokens_of_encoder(const InsideRequest& inside, const RequestView& then);
// The text of the token in quotes, with marks for blanks.
QString quoted_text(const InsideRequest& inside, int32_t token);
// The text of the token, for tables: Source::token_text(), without quotes and marks for blanks.
std::string plain_text(const InsideRequest& inside, int32_t token);
// The text of the token with marks for blanks, without quotes.
QString marked_text(const InsideRequest& inside, int32_t token);
// Such as "residue 2.0e-07".
QString residue_text(double residue);

}  // namespace attn::gui
