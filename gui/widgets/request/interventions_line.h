// SPDX-License-Identifier: GPL-3.0-or-later
// The line that says what a request changes inside the model ("head 4.2 off"), and the CSV column
// with the same texts. The widget and what takes a QWidget: GUI thread; the rest: any thread.
#pragma once

#include <QStringList>
#include <QWidget>

#include "engine/session/run/snapshot.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

QStringList interventions_of(const RequestView& request);  // a text for each intervention

// Adds a last column "interventions" with all the texts in every row. If there are no
// interventions, or if the first column has this name, the table stays as it is.
QByteArray with_interventions(const QByteArray& csv, const QStringList& interventions);

// Height of the painted line, px.
int interventions_height(const PictureLook& look);
// Paints the first text, further ones that fit, and the number of the rest: "head 4.2 off; and 3
// more".
void paint_interventions(QPainter& painter, const QRectF& line, const QStringList& interventions,
                         const PictureLook& look);

// The line in the window, for the shown request; hidden without interventions. A view that has an
// InterventionsLine as a direct child gets the line in exported pictures, too.
class InterventionsLine : public QWidget {
  Q_OBJECT
 public:
  InterventionsLine(const EngineBridge& bridge, const Selection& selection, QWidget* parent);
  const QStringList& interventions() const { return interventions_; }

 signals:
  void resized();  // the line was shown or hidden, or its text or height may have changed

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();
  void restyle();

  const EngineBridge& bridge_;
  const Selection& selection_;
  QStringList interventions_;
};

InterventionsLine* add_interventions_line(QWidget& view, const EngineBridge& bridge,
                                          const Selection& selection);
// The height of the view's line now, px; 0: the view has none, or it is hidden.
int interventions_line_height(const QWidget& view);

}  // namespace attn::gui
