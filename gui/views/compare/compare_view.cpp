// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_view.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <algorithm>
#include <cmath>

#include "engine/attention/backend.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
CompareView::CompareView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      job_(*context.bridge),
      header_(new PanelHeader(tr("Compare"), this)),
      choose_(new QToolButton(this)),
      start_(new QPushButton(this)),
      menu_(new QMenu(this)),
      against_(new QComboBox(this)),
      map_(new QComboBox(this)),
      progress_(new QProgressBar(this)),
      scroll_(new QScrollArea(this)),
      canvas_(new CompareCanvas(model_, this)) {
  workers_.setMaxThreadCount(1);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(canvas_);
  scroll_->viewport()->installEventFilter(this);
  stack(header_, scroll_, canvas_);
  build_header();

  connect(&job_, &CompareJob::progressed, this, &CompareView::refresh_state);
  connect(&job_, &CompareJob::finished, this, [this] {
    if (job_.result() && job_.trouble().isEmpty()) {
      compared_hash_ = asked_hash_;
      model_.set_result(job_.result());
      make_maps();
    }
    refresh_state();
    emit exports_changed();
  });
  connect(canvas_, &CompareCanvas::cell_chosen, this, &CompareView::select_cell);
  const auto step = [this](int heads, int layers) {
    if (!model_.result()) return;
    const SourceShape& shape = model_.result()->shape;
    selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                          shape.num_layers, shape.num_heads);
  };
  connect(canvas_, &CompareCanvas::head_step_asked, this, [step](int by) { step(by, 0); });
  connect(canvas_, &CompareCanvas::layer_step_asked, this, [step](int by) { step(0, by); });
  connect(&selection(), &Selection::shown_changed, this, &CompareView::make_maps);
  connect(&bridge(), &EngineBridge::run_started, this, &CompareView::refresh_state);
  if (context.cursor)
    connect(context.cursor, &TimeCursor::moved, this, &CompareView::refresh_state);
  connect(&bridge(), &EngineBridge::snapshot_changed, this, [this] {
    choose_backends();
    if (job_.state() == CompareJob::State::kIdle) refresh_state();
  });
  choose_backends();
  refresh_backends();
  refresh_state();
}

CompareView::~CompareView() {
  workers_.waitForDone();
}

void CompareView::build_header() {
  choose_->setText(tr("Backends"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setMenu(menu_);
  choose_->setAutoRaise(true);
  choose_->setToolTip(tr("The backends to compare: two to four"));
  choose_->setAccessibleName(tr("Backends to compare"));
  against_->addItems({tr("against the first"), tr("against reference")});
  against_->setToolTip(
      tr("The baseline that all backends are compared with: the first one that can run, or the "
         "fp64 reference"));
  against_->setAccessibleName(tr("Baseline"));
  map_->addItems({tr("weights"), tr("outputs")});
  map_->setToolTip(
      tr("What the map under each column compares: attention weights [query, key] of the shown "
         "head, or outputs [row, head] of the shown layer"));
  map_->setAccessibleName(tr("Map of differences"));
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(Theme::instance().px(96));
  progress_->setAccessibleName(tr("Progress of the comparison"));
  progress_->hide();
  start_->setAccessibleName(tr("Compare"));
  for (QWidget* control :
       std::initializer_list<QWidget*>{progress_, map_, against_, choose_, start_})
    header_->add_control(control);
  header_->set_leaving({map_, against_, choose_});
  connect(start_, &QPushButton::clicked, this, &CompareView::toggle_job);
  connect(map_, &QComboBox::currentIndexChanged, this, &CompareView::make_maps);
  for (const AttentionBackend* backend : registered_backends()) {
    const QString name = text_of(backend->name());
    QAction* action = menu_->addAction(text_of(backend->display_name()));
    action->setData(name);
    action->setCheckable(true);
    action->setToolTip(text_of(backend->description()));
    connect(action, &QAction::toggled, this, [this, name](bool on) { backend_toggled(name, on); });
    if (backends_.size() < kMaxCompared) backends_.emplace_back(backend->name());
  }
  menu_->setToolTipsVisible(true);
}

// Once for each run, as soon as its source is known.
void CompareView::choose_backends() {
  const auto& snapshot = bridge().snapshot();
  if (chosen_ || !snapshot || !snapshot->scenario || snapshot->source.num_heads == 0 ||
      snapshot->run == chosen_for_)
    return;
  chosen_for_ = snapshot->run;
  backends_ = default_backends(*snapshot->scenario, snapshot->source);
  refresh_backends();
  refresh_state();
}

void CompareView::set_backends(std::vector<std::string> names) {
  chosen_ = true;
  backends_ = std::move(names);
  refresh_backends();
  refresh_state();
}

// With more than kMaxCompared backends, the one chosen first is dropped.
void CompareView::backend_toggled(const QString& name, bool on) {
  chosen_ = true;
  const std::string wanted = name.toStdString();
  std::erase(backends_, wanted);
  if (on) backends_.push_back(wanted);
  if (backends_.size() > kMaxCompared) backends_.erase(backends_.begin());
  refresh_backends();
  refresh_state();
}

void CompareView::refresh_backends() {
  for (QAction* action : menu_->actions()) {
    const QSignalBlocker quiet(action);
    action->setChecked(std::find(backends_.begin(), backends_.end(),
                                 action->data().toString().toStdString()) != backends_.end());
  }
  choose_->setText(tr("%1 backends").arg(backends_.size()));
}

void CompareView::toggle_job() {
  if (job_.state() != CompareJob::State::kIdle) {
    job_.cancel();
    return;
  }
  const auto& snapshot = bridge().snapshot();
  if (!snapshot || !snapshot->scenario || backends_.size() < kMinCompared) return;
  CompareSpec spec;
  spec.scenario = *snapshot->scenario;
  spec.backends = backends_;
  spec.against_reference = against_->currentIndex() == 1;
  asked_hash_ = scenario_hash(spec.scenario);
  job_.start(std::move(spec));
}

void CompareView::refresh_state() {
  const bool busy = job_.state() != CompareJob::State::kIdle;
  const auto& snapshot = bridge().snapshot();
  const bool ready = snapshot && snapshot->scenario && backends_.size() >= kMinCompared;
  start_->setText(busy ? tr("Cancel") : tr("Compare"));
  start_->setToolTip(busy ? tr("Stop the comparison")
                          : tr("Run the same work through the chosen backends (Ctrl+R)"));
  start_->setEnabled(busy || ready);
  progress_->setVisible(busy);
  progress_->setValue(static_cast<int>(std::lround(1000 * job_.fraction())));
  QString detail;
  if (job_.state() == CompareJob::State::kWaiting)
    detail = tr("waiting until the run has finished its step");
  else if (busy)
    detail = job_.doing();
  else if (!job_.trouble().isEmpty())
    detail = job_.trouble();
  else if (const std::optional<uint32_t> step = past_step())
    detail = tr("a separate run over all steps, not only step %1").arg(*step);
  const int room = width() - header_->sizeHint().width() + 200;
  header_->set_detail(QFontMetrics(Theme::instance().font(TextRole::kSmall))
                          .elidedText(detail, Qt::ElideRight, std::max(80, room)));
  header_->setToolTip(detail);
  const std::string shown_hash =
      model_.result() && snapshot && snapshot->scenario ? scenario_hash(*snapshot->scenario) : "";
  const bool changed = !shown_hash.empty() && shown_hash != compared_hash_;
  canvas_->set_note(
      !changed ? QString()
      : busy && asked_hash_ == shown_hash
          ? tr("This comparison belongs to another run than the one shown. The comparison of the "
               "run that is shown goes on.")
      : busy
          ? tr("This comparison belongs to another run than the one shown, and so does the one "
               "that goes on.")
          : tr("This comparison belongs to another run than the one shown. Press Compare again."));
  if (model_.result()) return;
  canvas_->set_waiting(
      busy ? tr("Running the same work through %1 backends: %2").arg(backends_.size()).arg(detail)
      : !job_.trouble().isEmpty() ? job_.trouble()
      : backends_.size() < kMinCompared
          ? tr("Choose two to four backends, then press Compare.")
          : tr("Compare runs the scenario of this run again, through %1 backends at once. Each "
               "backend gets the same queries, keys and values. The result shows how much their "
               "outputs differ and where, their times and memory, and why a backend refuses.")
                .arg(backends_.size()));
}

size_t CompareView::shown_request() const {
  const CompareResult& result = *model_.result();
  for (size_t i = 0; i < result.requests.size(); ++i)
    if (result.requests[i].id == selection().shown_request()) return i;
  return 0;
}

// Millions of cells take longer than a frame, so maps come from another thread; only those asked
// for last are shown.
void CompareView::make_maps() {
  const auto result = job_.result();
  if (!result || !model_.result() || result->requests.empty()) return;
  const size_t request = shown_request();
  const bool weights = map_->currentIndex() == 0;
  const int64_t layer = result->layer >= 0 ? result->layer
                                           : std::clamp<int64_t>(selection().shown_layer(), 0,
                                                                 result->shape.num_layers - 1);
  const int64_t head =
      std::clamp<int64_t>(selection().shown_head(), 0, result->shape.num_heads - 1);
  const QString name = QString::fromStdString(result->requests[request].name);
  const QString title =
      weights ? tr("Difference of the attention weights: %1, layer %2, head %3")
                    .arg(name)
                    .arg(layer)
                    .arg(head)
              : tr("Difference of the outputs: %1, layer %2, all heads").arg(name).arg(layer);
  const uint64_t ticket = ++wanted_maps_;
  workers_.start([this, result, request, weights, layer, head, title, ticket] {
    std::vector<DifferenceMap> maps;
    for (size_t column = 0; column < result->columns.size(); ++column) {
      if (result->columns[column].is_baseline || !result->columns[column].ran())
        maps.emplace_back();
      else
        maps.push_back(weights ? weight_differences(*result, column, request, layer, head)
                               : output_differences(*result, column, request, layer));
    }
    // The view waits for this thread before it is destroyed.
    QMetaObject::invokeMethod(
        this,
        [this, ticket, title, maps = std::move(maps)]() mutable {
          if (ticket == wanted_maps_) canvas_->set_maps(std::move(maps), title);
        },
        Qt::QueuedConnection);
  });
}

void CompareView::wait_for_maps() {
  workers_.waitForDone();
  QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void CompareView::select_cell(const CompareScene::Cell& cell) {
  const DifferenceMap& map = canvas_->scene().maps[static_cast<size_t>(cell.column)];
  const CompareRequest& request = model_.result()->requests[shown_request()];
  const bool weights = map.kind == DifferenceMap::Kind::kWeights;
  if (weights && cell.key > cell.row) return;
  selection().select({.kind = weights ? SelectionKind::kCell : SelectionKind::kToken,
                      .request = request.id,
                      .layer = selection().shown_layer(),
                      .head = weights ? selection().shown_head() : cell.key,
                      .query = cell.row,
                      .key = weights ? cell.key : -1});
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == scroll_->viewport() && event->type() == QEvent::Resize)
    canvas_->set_viewport_height(scroll_->viewport()->height());
  return View::eventFilter(watched, event);
}

void CompareView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  refresh_state();
}

std::vector<KeyHelp> CompareView::key_help() const {
  return {{tr("Ctrl+R"), tr("Compare, or stop comparing")},
          {tr("Arrows"), tr("Move from number to number")},
          {tr(". and ,"), tr("Maps of the next and previous head; with Shift: layer")},
          {tr("Click a cell of a map"),
           tr("Select this cell, or in a map of outputs this token, in all views")}};
}

void CompareView::paint_content(QPainter& painter, const QRectF& bounds) {
  wait_for_maps();
  const PictureLook look = PictureLook::read();
  CompareScene scene = canvas_->scene();
  scene.focused = false;
  scene.cell = {};
  paint_compare(painter, scene, lay_out(scene, bounds, look), look);
}

QSize CompareView::export_size() const {
  const PictureLook look = PictureLook::read();
  const int columns = std::max(2, model_.columnCount());
  const int width = look.px(234 + 300 * columns);
  const CompareLayout layout = lay_out(canvas_->scene(), QRectF(0, 0, width, look.px(720)), look);
  return {width, static_cast<int>(std::ceil(layout.height))};
}

QByteArray CompareView::csv() const {
  return model_.result() ? QByteArray::fromStdString(compare_csv(*model_.result())) : QByteArray();
}

QString CompareView::nothing_to_export() const {
  if (model_.result()) return {};
  return job_.trouble().isEmpty() ? tr("no backends have been compared (Ctrl+R)")
                                  : tr("the comparison has no result");
}

void CompareView::choose(const ViewChoices& choices) {
  if (!choices.backends.empty()) set_backends(choices.backends);
}

void CompareView::do_job(const std::string& asked_by) {
  toggle_job();
  while (job_.state() != CompareJob::State::kIdle) {
    bridge().tick();
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
  if (!job_.trouble().isEmpty())
    throw Error(job_.trouble_code(), {.what = job_.trouble().toStdString(),
                                      .where = asked_by,
                                      .found = "",
                                      .allowed = "",
                                      .advice = ""});
  wait_for_maps();
}

void CompareView::throw_if_refused() const {
  const CompareResult* result = model_.result();
  if (!result || !result->baseline.empty()) return;
  std::vector<std::string> sentences{"No backend could run the comparison:"};
  for (const CompareColumn& column : result->columns)
    sentences.insert(sentences.end(), column.refusals.begin(), column.refusals.end());
  throw Error::not_supported(std::move(sentences));
}

ViewEntry compare_entry() {
  return {
      .name = "compare",
      .title = CompareView::tr("Compare"),
      .keys = QKeySequence(Qt::CTRL | Qt::Key_5),
      .meaning = CompareView::tr("Show the comparison of backends"),
      .look_at = CompareView::tr(
          "One column per backend: see whether the results differ, and what each backend costs."),
      .follows_selection = false,
      .run_order = 6,
      .job = ViewJob{CompareView::tr("Compare backends"), QKeySequence(Qt::CTRL | Qt::Key_R),
                     CompareView::tr("Compare backends on this scenario, or stop comparing")},
      .make = make_view<CompareView>};
}

QJsonObject CompareView::options() const {
  QJsonArray names;
  for (const std::string& name : backends_) names.append(QString::fromStdString(name));
  return {{QStringLiteral("backends"), names}};
}

void CompareView::set_options(const QJsonObject& options) {
  std::vector<std::string> names;
  for (const QJsonValue& value : options.value(QLatin1String("backends")).toArray()) {
    const std::string name = value.toString().toStdString();
    const bool known = std::ranges::any_of(
        registered_backends(),
        [&name](const AttentionBackend* backend) { return backend->name() == name; });
    if (known && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.size() >= kMinCompared && names.size() <= kMaxCompared) set_backends(std::move(names));
}

}  // namespace attn::gui

#include "moc_compare_view.cpp"
