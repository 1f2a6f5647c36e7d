// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/machine/machine_page.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/core/thread_pool.h"
#include "gui/models/words/scenario_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr size_t kAtOnce = 20000;  // events that are read at a time

bool computes_in_bf16(const EngineSnapshot& snapshot) {
  return snapshot.scenario &&
         cache_dtype_from_name(snapshot.scenario->engine.kv_cache_dtype) == DType::kBF16;
}

}  // namespace

MachinePage::MachinePage(EngineBridge* bridge, TimeCursor* cursor, QWidget* parent)
    : QScrollArea(parent), bridge_(bridge), cursor_(cursor), canvas_(new RooflineCanvas) {
  setWidget(canvas_);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  counting_.setInterval(0);
  refreshing_.setSingleShot(true);
  connect(&counting_, &QTimer::timeout, this, &MachinePage::look);
  connect(&refreshing_, &QTimer::timeout, this, &MachinePage::refresh);
  if (!bridge) return;
  job_ = std::make_unique<MachineJob>(*bridge);
  connect(job_.get(), &EngineJob::progressed, this, [this] {
    refresh();
    emit changed();
  });
  connect(bridge, &EngineBridge::run_started, this, &MachinePage::forget);
  connect(bridge, &EngineBridge::events_appended, this, [this] {
    if (isVisible()) counting_.start();
  });
  connect(bridge, &EngineBridge::snapshot_changed, this, [this] {
    if (isVisible()) counting_.start();
  });
  if (cursor) connect(cursor, &TimeCursor::moved, this, &MachinePage::refresh);
  connect(canvas_, &RooflineCanvas::chosen, this, [this](const WorkSum& sum) {
    if (sum.longest < work_.calls().size())
      emit event_chosen(static_cast<qint64>(work_.calls()[sum.longest].event));
  });
}

void MachinePage::toggle() {
  if (!job_) return;
  if (is_measuring()) return job_->cancel();
  const auto& snapshot = bridge_->snapshot();
  const int workers = snapshot ? snapshot->num_lanes - 1 : 0;
  job_->start(workers > 0 ? workers : ThreadPool::hardware_workers());
}

void MachinePage::measure_now(const std::string& asked_by) {
  if (!job_) return;
  if (!is_measuring()) toggle();
  while (is_measuring()) {
    bridge_->tick();
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
  if (!job_->trouble().isEmpty())
    throw Error(job_->trouble_code(), {.what = job_->trouble().toStdString(),
                                       .where = asked_by,
                                       .found = "",
                                       .allowed = "",
                                       .advice = ""});
  const auto& snapshot = bridge_->snapshot();
  if (snapshot && snapshot->rules)
    while (!work_.take(*snapshot, bridge_->events(), kAtOnce)) {
    }
  refresh();
}

bool MachinePage::is_behind() const {
  return bridge_ && isVisible() && (is_measuring() || work_.taken() < bridge_->events().size());
}

void MachinePage::forget() {
  work_.clear();
  refresh();
}

void MachinePage::look() {
  const auto& snapshot = bridge_->snapshot();
  if (!isVisible() || !snapshot || work_.take(*snapshot, bridge_->events(), kAtOnce) ||
      !snapshot->rules)
    counting_.stop();
  if (!refreshing_.isActive()) refreshing_.start(kRefreshMs);
}

QString MachinePage::state_words() const {
  if (!job_) return {};
  if (job_->state() == EngineJob::State::kWaiting)
    return tr("Waiting for the end of the step; then the limits are measured.");
  if (job_->state() == EngineJob::State::kRunning)
    return tr("Measuring the limits of this machine: %1 %")
        .arg(format_number(100 * job_->fraction(), 2));
  if (!job_->trouble().isEmpty()) return job_->trouble();
  if (!job_->limits())
    return tr(
        "The limits of this machine are not measured yet. Press Measure in the header; a run waits "
        "meanwhile.");
  return {};
}

void MachinePage::refresh() {
  RooflineScene scene;
  if (job_) scene.limits = job_->limits();
  scene.state = state_words();
  if (const auto& snapshot = bridge_ ? bridge_->snapshot() : nullptr; snapshot) {
    if (cursor_ && !cursor_->is_live()) scene.until = cursor_->step();
    const uint32_t last = scene.until.value_or(std::numeric_limits<uint32_t>::max());
    scene.kernels = work_.by_kernel(last);
    scene.steps = work_.by_step(last);
    for (std::vector<KernelSum>* sums : {&scene.kernels, &scene.steps})
      std::erase_if(*sums, [](const KernelSum& one) { return !(one.sum.ns > 0); });
    if (snapshot->scenario) scene.title = title_of(*snapshot->scenario);
    scene.threads = std::max(0, snapshot->num_lanes - 1);
    scene.bf16 = computes_in_bf16(*snapshot);
    scene.modelled = snapshot->modelled_time;
    scene.saved = bridge_->session() != nullptr;
    scene.slowed = snapshot->slowed_or_paused;
  }
  canvas_->set_scene(std::move(scene));
}

void MachinePage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  if (!bridge_) return;
  refresh();
  counting_.start();
}

void MachinePage::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  canvas_->set_viewport_height(viewport()->height());
}

}  // namespace attn::gui

#include "moc_machine_page.cpp"
