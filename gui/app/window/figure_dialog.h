// SPDX-License-Identifier: GPL-3.0-or-later
// FigureDialog: asks what a figure of a view shows, its format, size and parts. prepare_figure()
// and prepare_sized_picture() prepare the export of a figure and then restore what the view showed.
// GUI thread.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <functional>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/models/selection.h"
#include "gui/widgets/view.h"

namespace attn::gui {

struct FigureSpec {
  int64_t request = -1, layer = 0, head = 0;
  QString colormap;                        // name of one of kColorMaps
  QString format = QStringLiteral("pdf");  // pdf, svg, png, npy, safetensors
  double width_mm = 85;                    // about the width of a journal's column
  int dpi = 300;                           // of a PNG file
  int text_percent = 100;                  // size of the text; 100: small text has 11 px
  bool dark = false;
  FigureLook look{.selection = false};
};

// Which fields the dialog has beside format, width, text size, resolution, and light or dark.
struct FigureFields {
  bool cells = true;  // request, layer, head, colours, arrays and the parts of a heatmap
  bool title = true;
  int64_t positions = 0;  // FigureLook::positions is chosen from so many; 0: there is no field
};

class FigureDialog : public QDialog {
  Q_OBJECT
 public:
  using AutomaticTitle = std::function<QString(const FigureSpec& spec)>;
  struct Size {
    double points = 0;     // pt, of the smallest text; 0: unknown
    double height_mm = 0;  // 0: unknown
  };
  using SizeOf = std::function<Size(const FigureSpec& spec)>;
  // The snapshot must have a request. spec: what the fields have at first. automatic: the title of
  // a figure without an own one, which the empty field shows. size: for the words beside the text
  // size; without it there are none.
  FigureDialog(const EngineSnapshot& snapshot, const FigureSpec& spec, QWidget* parent,
               AutomaticTitle automatic = {}, SizeOf size = {}, const FigureFields& fields = {});
  FigureSpec spec() const;
  // The size of the smallest text and the height of the picture, and a warning if the text is
  // small; empty: there is nothing to say.
  QString points_text() const { return points_->text(); }
  QString warning_text() const { return warning_->text(); }

 private:
  void fit_format();
  void fit_npy();
  void fit_size(const FigureSpec& now);

  FigureFields fields_;
  AutomaticTitle automatic_;
  SizeOf size_;
  std::vector<bool> changed_;  // whether a request has interventions
  QComboBox *request_, *head_, *map_, *theme_, *format_, *text_;
  QSpinBox *layer_, *dpi_, *first_, *last_;
  QDoubleSpinBox* width_;
  QLineEdit* own_title_;
  QLabel *points_, *warning_;
  QCheckBox *all_layers_, *title_, *legend_, *sums_, *selection_;
};

// The proposed name of the file without suffix, such as "heatmap-layer2-head3".
QString figure_stem(const View& view, const FigureSpec& spec);
// The size in points of the smallest text of a picture of this request. 0: the view does not know.
double smallest_points(const View& view, const RequestView& request, const FigureSpec& spec);
// The size of a picture of what the view shows. A view with a fixed size is drawn smaller or
// larger.
FigureDialog::Size size_of_picture(View& view, const FigureSpec& spec);
// A picture of what the view shows, with spec.look in the views that know it.
ExportJob prepare_sized_picture(View& view, const FigureSpec& spec, const QString& file);
// For views with View::figure_title(): a figure of spec.request, layer and head, or an array.
ExportJob prepare_figure(View& view, Selection& selection, const FigureSpec& spec,
                         const QString& file);

}  // namespace attn::gui
