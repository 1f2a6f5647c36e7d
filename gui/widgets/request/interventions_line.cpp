// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/request/interventions_line.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/session/intervene/intervention.h"
#include "engine/session/report/report.h"
#include "gui/models/plain_tooltip.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"

namespace attn::gui {
namespace {

QString shortened_interventions(const QStringList& texts, const QFont& font, double room) {
  const QString between = QStringLiteral("; ");
  QString some = texts.value(0), shown;
  for (qsizetype n = 1; n <= texts.size(); ++n) {
    if (n > 1) some += between + texts[n - 1];
    if (n > 1 && text_width(font, some) > room) break;
    const qsizetype more = texts.size() - n;
    const QString whole =
        more == 0 ? some : some + between + InterventionsLine::tr("and %1 more").arg(more);
    if (n == 1 || text_width(font, whole) <= room) shown = whole;
  }
  return elided_text(font, shown, room);
}

}  // namespace

QStringList interventions_of(const RequestView& request) {
  QStringList texts;
  for (const Intervention& what : request.interventions)
    texts += QString::fromStdString(text_of(what));
  return texts;
}

QByteArray with_interventions(const QByteArray& csv, const QStringList& interventions) {
  if (interventions.isEmpty() || csv.startsWith("interventions,")) return csv;
  const QByteArray cell =
      ',' +
      QByteArray::fromStdString(csv_cell(interventions.join(QStringLiteral("; ")).toStdString()));
  QByteArray table;
  bool quoted = false, header = true;
  for (const char c : csv) {
    quoted ^= c == '"';  // a quote within a quoted cell is doubled
    if (c == '\n' && !quoted) {
      table += header ? QByteArrayLiteral(",interventions") : cell;
      header = false;
    }
    table += c;
  }
  return table;
}

int interventions_height(const PictureLook& look) {
  return look.px(24);
}

void paint_interventions(QPainter& painter, const QRectF& line, const QStringList& interventions,
                         const PictureLook& look) {
  const double pad = look.px(8);
  const QString text =
      shortened_interventions(interventions, look.small_bold, line.width() - 2 * pad);
  const QRectF box(line.left(), line.top() + 2,
                   std::min(line.width(), text_width(look.small_bold, text) + 2 * pad),
                   line.height() - 6);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(look.small_bold);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.colors.warning);
  painter.drawRoundedRect(box, 3, 3);
  painter.setPen(look.text_on(look.colors.warning));
  draw_line(painter, box.adjusted(pad, 0, -pad, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
  painter.restore();
}

InterventionsLine::InterventionsLine(const EngineBridge& bridge, const Selection& selection,
                                     QWidget* parent)
    : QWidget(parent), bridge_(bridge), selection_(selection) {
  hide();
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  connect(&bridge, &EngineBridge::run_started, this, &InterventionsLine::refresh);
  connect(&bridge, &EngineBridge::snapshot_changed, this, &InterventionsLine::refresh);
  connect(&selection, &Selection::shown_changed, this, &InterventionsLine::refresh);
  connect(&Theme::instance(), &Theme::changed, this, &InterventionsLine::restyle);
  restyle();
  refresh();
}

void InterventionsLine::restyle() {
  setFixedHeight(interventions_height(PictureLook::read()) + Theme::instance().px(4));
  update();
  emit resized();
}

void InterventionsLine::refresh() {
  const RequestView* request = shown_request(bridge_, selection_);
  const QStringList now = request ? interventions_of(*request) : QStringList();
  if (now == interventions_) return;
  interventions_ = now;
  const QString all = now.isEmpty()
                          ? QString()
                          : tr("Changed inside the model: %1").arg(now.join(QStringLiteral("; ")));
  setAccessibleName(all);
  setToolTip(all.isEmpty() ? all : plain_tooltip(all));
  setVisible(!now.isEmpty());
  update();
  emit resized();
}

void InterventionsLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PictureLook look = PictureLook::read();
  painter.fillRect(rect(), look.colors.surface);
  paint_interventions(
      painter,
      QRectF(look.px(12), look.px(2), width() - 2 * look.px(12), interventions_height(look)),
      interventions_, look);
}

InterventionsLine* add_interventions_line(QWidget& view, const EngineBridge& bridge,
                                          const Selection& selection) {
  auto* line = new InterventionsLine(bridge, selection, &view);
  static_cast<QVBoxLayout*>(view.layout())->insertWidget(1, line);
  return line;
}

int interventions_line_height(const QWidget& view) {
  const auto* line = view.findChild<InterventionsLine*>({}, Qt::FindDirectChildrenOnly);
  return line && !line->isHidden() ? line->height() : 0;
}

}  // namespace attn::gui

#include "moc_interventions_line.cpp"
