// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/metrics_view.h"

#include <QEvent>
#include <QFontMetrics>
#include <algorithm>

#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {

MetricsView::MetricsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      header_(new PanelHeader(tr("Metrics"), this)),
      axis_(new QComboBox(this)),
      fit_(new QToolButton(this)),
      scroll_(new QScrollArea(this)),
      canvas_(new MetricsCanvas) {
  scroll_->setWidget(canvas_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->viewport()->installEventFilter(this);
  stack(header_, scroll_, canvas_);

  axis_->addItem(tr("over steps"));
  axis_->addItem(tr("over time"));
  axis_->setToolTip(tr(
      "The horizontal axis of the charts over the run: engine steps, or time on the run's clock"));
  axis_->setAccessibleName(tr("Horizontal axis"));
  set_up_tool(fit_, Icon::kFit, tr("Show all steps"), tr("Show all steps (Home)"));
  header_->add_control(axis_);
  header_->add_control(fit_);
  connect(axis_, &QComboBox::currentIndexChanged, canvas_,
          [this](int index) { canvas_->set_by_time(index == 1); });
  connect(fit_, &QToolButton::clicked, canvas_, &MetricsCanvas::fit);
  connect(canvas_, &MetricsCanvas::step_chosen, this, &MetricsView::step_chosen);
  connect(canvas_, &MetricsCanvas::cursor_cleared, this, &MetricsView::cursor_cleared);
  connect(canvas_, &MetricsCanvas::refreshed, this, &MetricsView::arrange_header);
  connect(&Theme::instance(), &Theme::changed, this, &MetricsView::arrange_header);

  if (!context.bridge) return;
  EngineBridge* engine = context.bridge;
  connect(engine, &EngineBridge::run_started, canvas_, [this] { canvas_->set_snapshot(nullptr); });
  on_shown([this] {
    canvas_->set_snapshot(shown());
    if (past_step()) canvas_->model();  // nothing later stays, not even in a hidden view
  });
  if (TimeCursor* cursor = context.cursor) {
    connect(canvas_, &MetricsCanvas::step_chosen, cursor, &TimeCursor::go_to);
    connect(canvas_, &MetricsCanvas::cursor_cleared, cursor, &TimeCursor::go_live);
    connect(cursor, &TimeCursor::moved, this, [this] { canvas_->set_cursor(past_step()); });
  }
  connect(canvas_, &MetricsCanvas::run_asked, engine, &EngineBridge::run);
  if (shown()) canvas_->set_snapshot(shown());
}

void MetricsView::show_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  canvas_->set_snapshot(std::move(snapshot));
}

void MetricsView::arrange_header() {
  const MetricsModel& model = canvas_->model();
  const QString words = time_words(model);
  QStringList full, brief;
  if (!model.empty())
    full << counted(static_cast<int64_t>(model.size()), tr("1 step"), tr("%1 steps"));
  brief = full;
  if (!words.isEmpty()) full << words;
  if (model.modelled()) brief << tr("modelled");
  if (model.slowed()) brief << tr("without waiting");
  const Theme& theme = Theme::instance();
  const int room =
      width() - axis_->sizeHint().width() - fit_->sizeHint().width() -
      QFontMetrics(theme.font(TextRole::kBody, QFont::DemiBold)).horizontalAdvance(title()) -
      theme.px(64);
  const QFontMetrics metrics(theme.font(TextRole::kSmall));
  QString text = full.join(QStringLiteral(" · "));
  if (metrics.horizontalAdvance(text) > room) text = brief.join(QStringLiteral(" · "));
  header_->set_detail(metrics.elidedText(text, Qt::ElideRight, std::max(0, room)));
  header_->setToolTip(words);
}

bool MetricsView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == scroll_->viewport() && event->type() == QEvent::Resize)
    canvas_->set_viewport_height(scroll_->viewport()->height());
  return View::eventFilter(watched, event);
}

void MetricsView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  arrange_header();
}

std::vector<KeyHelp> MetricsView::key_help() const {
  return {
      {tr("Left, Right"), tr("The numbers of the step before and after")},
      {tr("Click, Enter"),
       tr("Set the time cursor to the step; a click beside the plots returns to the newest step")},
      {tr("Ctrl+wheel, +, -"), tr("Zoom at the pointer, in and out")},
      {tr("Shift+wheel"), tr("Pan")},
      {tr("Double-click, F, Home"), tr("Show all steps")}};
}

void MetricsView::paint_content(QPainter& painter, const QRectF& bounds) {
  canvas_->paint_all(painter, bounds);
}

std::function<void(QPainter&, const QRectF&)> MetricsView::drawing() const {
  return [picture = canvas_->recorded(), page = QSizeF(export_size())](QPainter& painter,
                                                                       const QRectF& bounds) {
    painter.save();
    painter.translate(bounds.topLeft());
    painter.scale(bounds.width() / page.width(), bounds.height() / page.height());
    painter.drawPicture(0, 0, *picture);
    painter.restore();
  };
}

std::function<QByteArray()> MetricsView::table() const {
  return [model = canvas_->model()] { return QByteArray::fromStdString(model.csv()); };
}

ViewEntry metrics_entry() {
  return {.name = "metrics",
          .title = MetricsView::tr("Metrics"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_6),
          .meaning = MetricsView::tr(
              "Show the metrics of the run: speed, requests, cache use, waiting times"),
          .look_at = MetricsView::tr("Click where a curve changes to go to that step."),
          .document = "metrics.md",
          .in_every_run = true,
          .run_order = 4,
          .make = make_view<MetricsView>};
}

QJsonObject MetricsView::options() const {
  return {{QStringLiteral("axis"), axis_->currentIndex()}};
}

void MetricsView::set_options(const QJsonObject& options) {
  if (const auto axis = whole_option(options, "axis", 0, axis_->count() - 1))
    axis_->setCurrentIndex(*axis);
}

}  // namespace attn::gui

#include "moc_metrics_view.cpp"
