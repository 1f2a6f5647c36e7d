// SPDX-License-Identifier: GPL-3.0-or-later
// The line that says what is changed inside the model for a request: "head 4.2 off; edge 3.1: query
// 7 does not read key 0". Views that show what the model computes have it above their picture of
// such a request, in the window and in files, because its numbers are not those of the model as it
// is. The widget: GUI thread; the rest: any thread.
#pragma once

#include <QStringList>
#include <QWidget>

#include "engine/session/run/snapshot.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

QStringList interventions_of(const RequestView& request);  // a text for each, as text_of()

// The table with a last column `interventions` that has the texts in every row. Without
// interventions, and where the table begins with such a column, it stays as it is.
QByteArray with_interventions(const QByteArray& csv, const QStringList& interventions);

// Height of the line, px.
int interventions_height(const PictureLook& look);
// Paints the interventions into `line`. Those for which there is no room are counted: "head 4.2
// off; and 3 more".
void paint_interventions(QPainter& painter, const QRectF& line, const QStringList& interventions,
                         const PictureLook& look);

// The line in the window, of the request that views show; hidden while it has no interventions.
// Where a view has one as its direct child, its pictures in files have it, too.
class InterventionsLine : public QWidget {
  Q_OBJECT
 public:
  InterventionsLine(const EngineBridge& bridge, const Selection& selection, QWidget* parent);
  const QStringList& interventions() const { return interventions_; }

 signals:
  void resized();  // it was shown, hidden, or has another height

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();
  void restyle();

  const EngineBridge& bridge_;
  const Selection& selection_;
  QStringList interventions_;
};

// Puts an InterventionsLine below the header of a view that is laid out, its header being on top.
InterventionsLine* add_interventions_line(QWidget& view, const EngineBridge& bridge,
                                          const Selection& selection);
// The height, px, that the line of a view takes now; 0: none.
int interventions_line_height(const QWidget& view);

}  // namespace attn::gui
