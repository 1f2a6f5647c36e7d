// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_view.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "engine/attention/backend.h"
#include "gui/models/run_control.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

// Whether all columns that ran are one backend with different values of its options.
bool compares_one_backend(const CompareResult& result) {
  std::set<std::string> names;
  for (const CompareColumn& column : result.columns)
    if (column.ran()) names.insert(column.name.substr(0, column.name.find('/')));
  return names.size() == 1;
}

// Leaves out `view`, which makes no difference to a comparison.
std::string hash_of_work(Scenario scenario) {
  scenario.view = {};
  return scenario_hash(scenario);
}

}  // namespace

CompareView::CompareView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      job_(*context.bridge),
      header_(new PanelHeader(tr("Compare"), this)),
      choose_(new QToolButton(this)),
      start_(new QPushButton(this)),
      with_changes_(new QPushButton(tr("Compare with changes"), this)),
      menu_(new QMenu(this)),
      what_(new QComboBox(this)),
      against_(new QComboBox(this)),
      map_(new QComboBox(this)),
      progress_(new QProgressBar(this)),
      pages_(new QStackedWidget(this)),
      canvas_(new CompareCanvas(model_, this)),
      cache_canvas_(new CompareCacheCanvas(cache_model_, this)) {
  workers_.setMaxThreadCount(1);
  pages_->addWidget(add_page(canvas_));
  pages_->addWidget(add_page(cache_canvas_));
  stack(header_, pages_, canvas_);
  build_header();

  connect(&job_, &CompareJob::progressed, this, &CompareView::refresh_state);
  connect(&job_, &CompareJob::finished, this, [this] {
    if (job_.trouble().isEmpty()) show_result();
    refresh_state();
    emit exports_changed();
  });
  connect(canvas_, &CompareCanvas::cell_chosen, this, &CompareView::select_cell);
  const auto step = [this](int heads, int layers) {
    if (!has_result()) return;
    const SourceShape& shape =
        what() == What::kCache ? cache_model_.result()->shape : model_.result()->shape;
    selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                          shape.num_layers, shape.num_heads);
  };
  connect(canvas_, &CompareCanvas::head_step_asked, this, [step](int by) { step(by, 0); });
  connect(canvas_, &CompareCanvas::layer_step_asked, this, [step](int by) { step(0, by); });
  connect(cache_canvas_, &Canvas::layer_step_asked, this, [step](int by) { step(0, by); });
  connect(&selection(), &Selection::shown_changed, this, [this] {
    make_maps();
    cache_canvas_->show_request(selection().shown_request(), selection().shown_layer());
  });
  connect(&bridge(), &EngineBridge::run_started, this, &CompareView::refresh_state);
  if (context.cursor)
    connect(context.cursor, &TimeCursor::moved, this, &CompareView::refresh_state);
  connect(&bridge(), &EngineBridge::snapshot_changed, this, &CompareView::look_at_run);
  if (context.control)
    connect(context.control, &RunControl::scenario_changed, this, &CompareView::refresh_state);
  choose_backends();
  refresh_backends();
  refresh_state();
}

CompareView::~CompareView() {
  workers_.waitForDone();
}

QScrollArea* CompareView::add_page(Canvas* canvas) {
  auto* scroll = new QScrollArea(pages_);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(canvas);
  scroll->viewport()->installEventFilter(this);
  return scroll;
}

void CompareView::build_header() {
  what_->addItems({tr("Backends"), tr("With and without a cache")});
  what_->setToolTip(
      tr("What is compared: several backends on the same work, or this run with and without its KV "
         "cache"));
  what_->setAccessibleName(tr("What is compared"));
  choose_->setText(tr("Backends"));
  choose_->setPopupMode(QToolButton::InstantPopup);
  choose_->setMenu(menu_);
  choose_->setAutoRaise(true);
  choose_->setToolTip(
      tr("The two to four backends to compare; “UNIFIED fast” is the backend UNIFIED with the "
         "value “fast” of one option"));
  choose_->setAccessibleName(tr("Backends to compare"));
  against_->addItems({tr("against the first"), tr("against reference")});
  against_->setToolTip(
      tr("The baseline that all backends are compared with: the first one that can run, or the "
         "fp64 reference"));
  against_->setAccessibleName(tr("Baseline"));
  map_->addItems({tr("weights"), tr("outputs")});
  map_->setToolTip(
      tr("What the maps compare: attention weights [query, key] of one head, or outputs [row, "
         "head] of one layer"));
  map_->setAccessibleName(tr("Map of differences"));
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(Theme::instance().px(96));
  progress_->setAccessibleName(tr("Progress of the comparison"));
  progress_->hide();
  start_->setAccessibleName(tr("Compare"));
  with_changes_->setToolTip(
      tr("Start the run with the settings that were changed in Workload, and compare it"));
  with_changes_->hide();
  connect(with_changes_, &QPushButton::clicked, this, &CompareView::compare_with_changes);
  for (QWidget* control : std::initializer_list<QWidget*>{progress_, what_, map_, against_, choose_,
                                                          with_changes_, start_})
    header_->add_control(control);
  header_->set_leaving({map_, against_, choose_, what_});
  connect(what_, &QComboBox::currentIndexChanged, this, &CompareView::show_what);
  connect(start_, &QPushButton::clicked, this, &CompareView::toggle_job);
  connect(map_, &QComboBox::currentIndexChanged, this, &CompareView::make_maps);
  connect(map_, &QComboBox::activated, this, [this] { map_chosen_ = true; });
  for (const ComparedBackend& one : all_compared_backends()) {
    if (one.option && !menu_->actions().back()->data().toString().contains(u'/'))
      menu_->addSeparator();
    const QString name = text_of(one.name());
    QAction* action = menu_->addAction(text_of(one.display_name()));
    action->setData(name);
    action->setCheckable(true);
    action->setToolTip(one.option
                           ? tr("Computes with this value of the option “%1” in place of the "
                                "run's. %2")
                                 .arg(text_of(one.option->title), text_of(one.option->meaning))
                           : text_of(one.backend->description()));
    connect(action, &QAction::toggled, this, [this, name](bool on) { backend_toggled(name, on); });
    if (backends_.size() < kMaxCompared) backends_.push_back(one.name());
  }
  menu_->setToolTipsVisible(true);
  menu_->installEventFilter(this);
}

void CompareView::show_what() {
  const bool cache = what() == What::kCache;
  header_->set_leaving(cache ? std::vector<QWidget*>{what_}
                             : std::vector<QWidget*>{map_, against_, choose_, what_});
  if (cache)
    for (QWidget* control : std::initializer_list<QWidget*>{map_, against_, choose_})
      control->hide();
  pages_->setCurrentIndex(what_->currentIndex());
  setFocusProxy(cache ? static_cast<QWidget*>(cache_canvas_) : canvas_);
  refresh_state();
  emit exports_changed();
}

void CompareView::show_result() {
  compared_hash_[static_cast<size_t>(asked_)] = asked_hash_;
  if (asked_ == What::kBackends) {
    model_.set_result(job_.result());
    if (!map_chosen_) {
      const QSignalBlocker quiet(map_);
      map_->setCurrentIndex(compares_one_backend(*job_.result()) ? 1 : 0);
    }
    make_maps();
  } else {
    cache_model_.set_result(job_.cache_result());
    cache_canvas_->show_request(selection().shown_request(), selection().shown_layer());
  }
}

bool CompareView::has_result() const {
  return what() == What::kCache ? cache_model_.result() != nullptr : model_.result() != nullptr;
}

ComparePicture CompareView::picture() const {
  return what() == What::kCache ? ComparePicture(cache_canvas_->scene())
                                : ComparePicture(canvas_->scene());
}

void CompareView::paint_content(QPainter& painter, const QRectF& bounds) {
  if (what() != What::kCache) wait_for_maps();
  picture().paint(painter, bounds);
}

QByteArray CompareView::csv() const {
  if (!has_result()) return {};
  return QByteArray::fromStdString(what() == What::kCache
                                       ? compare_cache_csv(*cache_model_.result())
                                       : compare_csv(*model_.result()));
}

QString CompareView::nothing_to_export() const {
  if (has_result()) return {};
  return job_.trouble().isEmpty() ? tr("nothing has been compared (Ctrl+R)")
                                  : tr("the comparison has no result");
}

bool CompareView::can_start() const {
  const auto& snapshot = bridge().snapshot();
  return snapshot && snapshot->scenario && refusal_.isEmpty() &&
         (what() == What::kCache || backends_.size() >= kMinCompared);
}

// Takes the default backends, once for each run, as soon as its source is known. Backends that were
// chosen before stay.
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
  dropped_.clear();
  backends_ = std::move(names);
  refresh_backends();
  refresh_state();
}

// Above kMaxCompared the earliest choice is dropped, but not the first of the list or the
// reference.
void CompareView::backend_toggled(const QString& name, bool on) {
  chosen_ = true;
  const std::string wanted = name.toStdString();
  std::erase(backends_, wanted);
  if (on) backends_.push_back(wanted);
  dropped_.clear();
  if (backends_.size() > kMaxCompared) {
    const auto dropped = std::find_if(backends_.begin() + 1, backends_.end(),
                                      [](const std::string& one) { return one != "reference"; });
    dropped_ = tr("%1 has taken the place of %2: at most %3 backends are compared.")
                   .arg(shown_name(name), shown_name(QString::fromStdString(*dropped)))
                   .arg(kMaxCompared);
    backends_.erase(dropped);
  }
  refresh_backends();
  refresh_state();
}

QString CompareView::shown_name(const QString& name) const {
  for (const QAction* action : menu_->actions())
    if (action->data().toString() == name) return action->text();
  return name;
}

void CompareView::refresh_backends() {
  for (QAction* action : menu_->actions()) {
    const QSignalBlocker quiet(action);
    action->setChecked(std::find(backends_.begin(), backends_.end(),
                                 action->data().toString().toStdString()) != backends_.end());
  }
  choose_->setText(tr("%1 backends").arg(backends_.size()));
}

void CompareView::refuse_runs(const QString& why) {
  View::refuse_runs(why);
  if (refusal_ == why) return;
  refusal_ = why;
  refresh_state();
}

void CompareView::toggle_job() {
  if (job_.state() != CompareJob::State::kIdle) {
    job_.cancel();
    return;
  }
  if (can_start()) start_job(*bridge().snapshot()->scenario);
}

void CompareView::compare(What what) {
  set_what(what);
  if (job_.state() != CompareJob::State::kIdle || !can_start()) return;
  const Scenario& scenario = *bridge().snapshot()->scenario;
  if (!has_result() || compared_hash_[static_cast<size_t>(what)] != hash_of_work(scenario))
    start_job(scenario);
}

void CompareView::refresh_job(const ViewChoices& choices) {
  compare(choices.compare == kCompareWords[static_cast<size_t>(What::kCache)] ? What::kCache
                                                                              : What::kBackends);
}

// The changed scenario becomes the run of the window. look_at_run() then compares it.
void CompareView::compare_with_changes() {
  const auto& snapshot = bridge().snapshot();
  compare_after_ = snapshot ? snapshot->run : 0;
  if (!control()->start()) compare_after_.reset();
}

void CompareView::look_at_run() {
  choose_backends();
  const auto& snapshot = bridge().snapshot();
  if (compare_after_ && snapshot && snapshot->run != *compare_after_ && snapshot->scenario) {
    compare_after_.reset();
    if (can_start()) start_job(*snapshot->scenario);
  }
  if (job_.state() == CompareJob::State::kIdle) refresh_state();
}

void CompareView::start_job(const Scenario& scenario) {
  asked_ = what();
  asked_hash_ = hash_of_work(scenario);
  if (asked_ == What::kCache) return job_.start(CacheCompareSpec{.scenario = scenario});
  CompareSpec spec;
  spec.scenario = scenario;
  spec.backends = backends_;
  spec.against_reference = against_->currentIndex() == 1;
  spec.repetitions = kRepetitions;
  job_.start(std::move(spec));
}

void CompareView::refresh_state() {
  const bool busy = job_.state() != CompareJob::State::kIdle;
  start_->setText(busy ? tr("Cancel") : tr("Compare"));
  start_->setToolTip(busy                  ? tr("Stop the comparison")
                     : !refusal_.isEmpty() ? refusal_
                     : what() == What::kCache
                         ? tr("Run the same work with and without a cache (Ctrl+R)")
                         : tr("Run the same work through the chosen backends (Ctrl+R)"));
  start_->setEnabled(busy || can_start());
  progress_->setVisible(busy);
  progress_->setValue(static_cast<int>(std::lround(1000 * job_.fraction())));
  QString detail;
  if (job_.state() == CompareJob::State::kWaiting)
    detail = tr("waiting until the run has finished its step");
  else if (busy)
    detail = job_.doing();
  else if (!job_.trouble().isEmpty() && asked_ == what())
    detail = job_.trouble();
  else if (const std::optional<uint32_t> step = past_step())
    detail = tr("the comparison is a separate run over all steps, not only step %1").arg(*step);
  const int room = width() - header_->sizeHint().width() + 200;
  header_->set_detail(QFontMetrics(Theme::instance().font(TextRole::kSmall))
                          .elidedText(detail, Qt::ElideRight, std::max(80, room)));
  header_->setToolTip(detail);
  with_changes_->setVisible(!busy && can_start() && has_changes());
  refresh_note();
  if (has_result()) return;
  QString waiting = waiting_text(detail);
  for (const QString& line : remarks(busy)) waiting += QStringLiteral("\n\n") + line;
  if (what() == What::kCache)
    cache_canvas_->set_waiting(waiting);
  else
    canvas_->set_waiting(waiting);
}

bool CompareView::is_of_other_run() const {
  const auto& snapshot = bridge().snapshot();
  return has_result() && snapshot && snapshot->scenario &&
         hash_of_work(*snapshot->scenario) != compared_hash_[static_cast<size_t>(what())];
}

std::optional<View::LeftOut> CompareView::left_out_of_report() const {
  if (!is_of_other_run()) return {};
  return LeftOut{"compare is left out: the comparison belongs to another run",
                 tr("The report has no comparison, because the one that is shown belongs to "
                    "another run.")};
}

void CompareView::refresh_note() {
  const bool busy = job_.state() != CompareJob::State::kIdle;
  const auto& snapshot = bridge().snapshot();
  QString note =
      !is_of_other_run() ? QString()
      : busy && asked_hash_ == hash_of_work(*snapshot->scenario)
          ? tr("This comparison belongs to another run than the one shown. The comparison of the "
               "run that is shown goes on.")
      : busy
          ? tr("This comparison belongs to another run than the one shown, and so does the "
               "comparison that is being computed.")
          : tr("This comparison belongs to another run than the one shown. Press Compare again.");
  for (const QString& line : remarks(busy))
    note += (note.isEmpty() ? QString() : QStringLiteral("\n")) + line;
  if (what() == What::kCache)
    cache_canvas_->set_note(note);
  else
    canvas_->set_note(note);
}

bool CompareView::has_changes() const {
  return control() && control()->has_changes();
}

QStringList CompareView::remarks(bool busy) const {
  QStringList lines;
  if (what() == What::kBackends && !dropped_.isEmpty()) lines << dropped_;
  if (!busy && has_changes())
    lines << tr(
        "The settings that were changed in Workload are not used yet: Compare takes those "
        "of the run that is shown. “Compare with changes” starts a run with them first.");
  return lines;
}

QString CompareView::waiting_text(const QString& detail) const {
  const bool cache = what() == What::kCache;
  if (job_.state() != CompareJob::State::kIdle)
    return asked_ == What::kCache
               ? tr("Running the same work with and without a cache: %1").arg(detail)
               : tr("Running the same work through %1 backends: %2")
                     .arg(backends_.size())
                     .arg(detail);
  if (!job_.trouble().isEmpty() && asked_ == what()) return job_.trouble();
  if (cache)
    return tr(
        "Compare runs the scenario of this run twice, with and without a KV cache, and shows what "
        "the cache saves and whether the answer is the same.");
  return backends_.size() < kMinCompared
             ? tr("Choose two to four backends, then press Compare.")
             : tr("Compare runs the scenario of this run again through %1 backends with the same "
                  "queries, keys and values, and shows how their outputs, times and memory differ.")
                   .arg(backends_.size());
}

size_t CompareView::shown_request() const {
  const CompareResult& result = *model_.result();
  for (size_t i = 0; i < result.requests.size(); ++i)
    if (result.requests[i].id == selection().shown_request()) return i;
  return 0;
}

// Maps are made on another thread. Only those of the newest request are shown.
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
  const QString title = weights
                            ? tr("Difference of the attention weights: %1, layer %2, head %3")
                                  .arg(name, layer_words(layer, result->shape.is_encoder(layer)))
                                  .arg(head)
                            : tr("Difference of the outputs: %1, layer %2, all heads")
                                  .arg(name, layer_words(layer, result->shape.is_encoder(layer)));
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
  if (map.masked(cell.row, cell.key)) return;
  // A row of the encoder's layers is not a token of the request.
  if (!weights && model_.result()->shape.is_encoder(selection().shown_layer())) return;
  selection().select({.kind = weights ? SelectionKind::kCell : SelectionKind::kToken,
                      .request = request.id,
                      .layer = selection().shown_layer(),
                      .head = weights ? selection().shown_head() : cell.key,
                      .query = cell.row,
                      .key = weights ? cell.key : -1});
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize)
    for (int i = 0; i < pages_->count(); ++i) {
      const QWidget* viewport = static_cast<QScrollArea*>(pages_->widget(i))->viewport();
      if (watched != viewport) continue;
      if (static_cast<What>(i) == What::kCache)
        cache_canvas_->set_viewport_height(viewport->height());
      else
        canvas_->set_viewport_height(viewport->height());
    }
  // A click ticks or unticks a backend and leaves the menu open for the next one.
  if (watched == menu_ && event->type() == QEvent::MouseButtonRelease) {
    QAction* action = menu_->actionAt(static_cast<QMouseEvent*>(event)->position().toPoint());
    if (action && action->isCheckable() && action->isEnabled()) {
      action->trigger();
      return true;
    }
  }
  return View::eventFilter(watched, event);
}

void CompareView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  refresh_state();
}

std::vector<KeyHelp> CompareView::key_help() const {
  return {
      {tr("Ctrl+R"), tr("Compare, or stop comparing")},
      {tr("Arrows"), tr("Move from number to number; with and without a cache: from row to row, "
                        "and from step to step")},
      {tr("Home, End"), tr("With and without a cache: the first and the last step")},
      {tr(". and ,"), tr("Maps of the next and previous head; with Shift: layer")},
      {tr("Click a cell of a map"),
       tr("Select this cell, or in a map of outputs this token, for the other views")},
      {tr("Click or drag in the steps"), tr("Show the pairs of this step")}};
}

std::vector<ViewCommand> CompareView::commands() {
  const QString meanings[] = {
      tr("Compare several backends on the same work"),
      tr("Compare the run with its KV cache and without one: what the cache saves")};
  std::vector<ViewCommand> commands;
  for (int i = 0; i < what_->count(); ++i)
    commands.push_back({.name = tr("Compare › %1").arg(what_->itemText(i)),
                        .meaning = meanings[i],
                        .is_on = what_->currentIndex() == i,
                        .run = [this, i] {
                          what_->setCurrentIndex(i);
                          emit view_asked(QStringLiteral("compare"));
                        }});
  return commands;
}

std::optional<QPoint> CompareView::place_of_selection() {
  Canvas* canvas = what() == What::kCache ? static_cast<Canvas*>(cache_canvas_) : canvas_;
  const std::optional<QPointF> place = canvas->place_of_selection();
  if (!place) return std::nullopt;
  const QPoint here = canvas->mapTo(this, place->toPoint());
  return childAt(here) == canvas ? std::optional(here) : std::nullopt;
}

std::optional<QRect> CompareView::row_of_selection() {
  const std::optional<QRectF> row =
      what() == What::kCache ? cache_canvas_->row_of_selection() : std::nullopt;
  if (!row) return std::nullopt;
  return row->translated(cache_canvas_->mapTo(this, QPoint())).toAlignedRect();
}

void CompareView::choose(const ViewChoices& choices) {
  if (!choices.backends.empty()) set_backends(choices.backends);
  if (!choices.compare.empty())
    set_what(choices.compare == kCompareWords[1] ? What::kCache : What::kBackends);
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
  if (what() == What::kCache || !result || !result->baseline.empty()) return;
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
      .meaning = CompareView::tr("Show the comparison of backends, or with and without a cache"),
      .look_at = CompareView::tr("A column is one way to do the same work: see whether results "
                                 "differ, and what each way costs."),
      .follows_selection = false,
      .run_order = 6,
      .options = {{"--backends"}, {"--compare"}},
      .job =
          ViewJob{CompareView::tr("Run the comparison"), QKeySequence(Qt::CTRL | Qt::Key_R),
                  CompareView::tr(
                      "Start the comparison that is chosen in the header of Compare, or stop it")},
      .make = make_view<CompareView>};
}

QJsonObject CompareView::options() const {
  QJsonArray names;
  for (const std::string& name : backends_) names.append(QString::fromStdString(name));
  return {{QStringLiteral("backends"), names},
          {QStringLiteral("what"), QLatin1String(kCompareWords[what_->currentIndex()])}};
}

void CompareView::set_options(const QJsonObject& options) {
  const QString word = options.value(QLatin1String("what")).toString();
  for (int i = 0; i < what_->count(); ++i)
    if (word == QLatin1String(kCompareWords[i])) what_->setCurrentIndex(i);
  std::vector<std::string> names;
  for (const QJsonValue& value : options.value(QLatin1String("backends")).toArray()) {
    const std::string name = value.toString().toStdString();
    const bool known =
        std::ranges::any_of(all_compared_backends(),
                            [&name](const ComparedBackend& one) { return one.name() == name; });
    if (known && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.size() >= kMinCompared && names.size() <= kMaxCompared) set_backends(std::move(names));
}

}  // namespace attn::gui

#include "moc_compare_view.cpp"
