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
      page_(new QComboBox(this)),
      measure_(new QPushButton(tr("Measure"), this)),
      axis_(new QComboBox(this)),
      fit_(new QToolButton(this)),
      pages_(new QStackedWidget(this)),
      scroll_(new QScrollArea(pages_)),
      canvas_(new MetricsCanvas),
      machine_(new MachinePage(context.bridge, context.cursor, pages_)) {
  scroll_->setWidget(canvas_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->viewport()->installEventFilter(this);
  pages_->addWidget(scroll_);
  pages_->addWidget(machine_);
  stack(header_, pages_, canvas_);
  build_header();
  connect(canvas_, &MetricsCanvas::step_chosen, this, &MetricsView::step_chosen);
  connect(canvas_, &MetricsCanvas::cursor_cleared, this, &MetricsView::cursor_cleared);
  connect(canvas_, &MetricsCanvas::refreshed, this, &MetricsView::arrange_header);
  connect(&Theme::instance(), &Theme::changed, this, &MetricsView::arrange_header);

  show_page();

  if (!context.bridge) return;
  EngineBridge* engine = context.bridge;
  connect(engine, &EngineBridge::run_started, canvas_, [this] { canvas_->set_snapshot(nullptr); });
  on_shown([this] {
    canvas_->set_snapshot(shown());
    if (past_step()) canvas_->model();  // also drops later steps
  });
  if (TimeCursor* cursor = context.cursor) {
    connect(canvas_, &MetricsCanvas::step_chosen, cursor, &TimeCursor::go_to);
    connect(canvas_, &MetricsCanvas::cursor_cleared, cursor, &TimeCursor::go_live);
    connect(cursor, &TimeCursor::moved, this, [this] { canvas_->set_cursor(past_step()); });
  }
  connect(canvas_, &MetricsCanvas::run_asked, engine, &EngineBridge::run);
  connect(machine_, &MachinePage::event_chosen, this, [this](qint64 event) {
    const TraceEvent& call = bridge().events()[static_cast<size_t>(event)];
    selection().select({.kind = SelectionKind::kSpan,
                        .layer = call.layer == kNoLayer ? -1 : int64_t{call.layer},
                        .event = event});
  });
  if (shown()) canvas_->set_snapshot(shown());
}

void MetricsView::build_header() {
  page_->addItem(tr("Whole run"));
  page_->addItem(tr("This machine"));
  page_->setToolTip(
      tr("What is shown: the course of the run, or its kernels beside the limits of this machine"));
  page_->setAccessibleName(tr("What the metrics show"));
  axis_->addItem(tr("over steps"));
  axis_->addItem(tr("over time"));
  axis_->setToolTip(tr(
      "The horizontal axis of the charts over the run: engine steps, or time on the run's clock"));
  axis_->setAccessibleName(tr("Horizontal axis"));
  set_up_tool(fit_, Icon::kFit, tr("Show all steps"), tr("Show all steps (Home)"));
  measure_->setToolTip(
      tr("Measure how fast this machine multiplies and adds, reads from caches and from memory, "
         "and copies in memory. A run waits meanwhile."));
  for (QWidget* control : std::initializer_list<QWidget*>{page_, axis_, fit_, measure_})
    header_->add_control(control);
  header_->set_leaving({page_});  // commands() offers the pages too
  connect(page_, &QComboBox::currentIndexChanged, this, &MetricsView::show_page);
  connect(axis_, &QComboBox::currentIndexChanged, canvas_,
          [this](int index) { canvas_->set_by_time(index == 1); });
  connect(fit_, &QToolButton::clicked, canvas_, &MetricsCanvas::fit);
  connect(measure_, &QPushButton::clicked, machine_, &MachinePage::toggle);
  connect(machine_, &MachinePage::changed, this,
          [this] { measure_->setText(machine_->is_measuring() ? tr("Stop") : tr("Measure")); });
}

void MetricsView::show_page() {
  const bool machine = shown_page() == Page::kMachine;
  pages_->setCurrentIndex(page_->currentIndex());
  for (QWidget* control : std::initializer_list<QWidget*>{axis_, fit_})
    control->setVisible(!machine);
  measure_->setVisible(machine);
  setFocusProxy(machine ? static_cast<QWidget*>(&machine_->canvas()) : canvas_);
  arrange_header();
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
  const bool machine = shown_page() == Page::kMachine;
  if (machine) full = brief = {};  // the page says more itself
  const int controls =
      machine ? measure_->sizeHint().width() : axis_->sizeHint().width() + fit_->sizeHint().width();
  const int room =
      width() - page_->sizeHint().width() - controls -
      QFontMetrics(theme.font(TextRole::kBody, QFont::DemiBold)).horizontalAdvance(title()) -
      theme.px(64);
  const QFontMetrics metrics(theme.font(TextRole::kSmall));
  const QString whole = full.join(QStringLiteral(" · "));
  QString text = whole;
  if (metrics.horizontalAdvance(text) > room) text = brief.join(QStringLiteral(" · "));
  if (metrics.horizontalAdvance(text) > room) text.clear();  // the tooltip says most of it
  header_->set_detail(text);
  header_->setToolTip(machine ? QString() : words.isEmpty() ? whole : words);
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
      {tr("Ctrl+wheel, +, -"), tr("Zoom in and out")},
      {tr("Shift+wheel"), tr("Pan")},
      {tr("Double-click, F, Home"), tr("Show all steps")},
      {tr("Arrows, Enter"),
       tr("This machine: go from kernel to kernel; select its longest call on the timeline")}};
}

std::vector<ViewCommand> MetricsView::commands() {
  const QString meanings[] = {
      tr("Show speed, requests, cache use and waiting times over the run"),
      tr("Show attention kernels of the run on the roofline of this machine")};
  std::vector<ViewCommand> commands;
  for (int i = 0; i < page_->count(); ++i)
    commands.push_back({.name = tr("Metrics › %1").arg(page_->itemText(i)),
                        .meaning = meanings[i],
                        .is_on = page_->currentIndex() == i,
                        .run = [this, i] {
                          page_->setCurrentIndex(i);
                          emit view_asked(QStringLiteral("metrics"));
                        }});
  return commands;
}

std::optional<QPoint> MetricsView::place_of_selection() {
  Canvas* canvas =
      shown_page() == Page::kMachine ? static_cast<Canvas*>(&machine_->canvas()) : canvas_;
  const std::optional<QPointF> place = canvas->place_of_selection();
  if (!place) return std::nullopt;
  const QPoint here = canvas->mapTo(this, place->toPoint());
  return childAt(here) == canvas ? std::optional(here) : std::nullopt;
}

QSize MetricsView::export_size() const {
  if (shown_page() == Page::kRun) return canvas_->full_size();
  const PictureLook look = PictureLook::read();
  return {look.px(1280), look.px(640)};
}

void MetricsView::paint_content(QPainter& painter, const QRectF& bounds) {
  if (shown_page() == Page::kRun) return canvas_->paint_all(painter, bounds);
  drawing()(painter, bounds);
}

std::function<void(QPainter&, const QRectF&)> MetricsView::drawing() const {
  if (shown_page() == Page::kMachine) {
    RooflineScene scene = machine_->canvas().scene();
    scene.chosen = -1;
    scene.look = PictureLook::read();
    return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
      paint_roofline(painter, scene, roofline_parts(scene, bounds, true));
    };
  }
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
  if (shown_page() == Page::kMachine)
    return [scene = machine_->canvas().scene()] { return roofline_csv(scene); };
  return [model = canvas_->model()] { return QByteArray::fromStdString(model.csv()); };
}

void MetricsView::choose(const ViewChoices& choices) {
  const auto word = std::ranges::find(kMetricsWords, choices.metrics);
  if (word == kMetricsWords.end()) return;
  set_shown_page(static_cast<Page>(word - kMetricsWords.begin()));
  if (shown_page() == Page::kMachine) do_job("--metrics machine");
}

ViewEntry metrics_entry() {
  return {.name = "metrics",
          .title = MetricsView::tr("Metrics"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_6),
          .meaning = MetricsView::tr(
              "Show metrics of the run, such as speed, cache use and waiting times"),
          .look_at = MetricsView::tr("Click where a curve changes to go to that step; on “This "
                                     "machine” click a kernel for its longest call."),
          .document = "metrics.md",
          .at_start = AtStart::kNothing,
          .in_every_run = true,
          .run_order = 4,
          .options = {{"--metrics"}},
          .make = make_view<MetricsView>};
}

QJsonObject MetricsView::options() const {
  return {{QStringLiteral("axis"), axis_->currentIndex()},
          {QStringLiteral("page"), page_->currentIndex()}};
}

void MetricsView::set_options(const QJsonObject& options) {
  if (const auto axis = whole_option(options, "axis", 0, axis_->count() - 1))
    axis_->setCurrentIndex(*axis);
  if (const auto page = whole_option(options, "page", 0, page_->count() - 1))
    page_->setCurrentIndex(*page);
}

}  // namespace attn::gui

#include "moc_metrics_view.cpp"
