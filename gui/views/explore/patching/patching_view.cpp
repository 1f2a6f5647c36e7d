// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/patching/patching_view.h"

#include <fmt/format.h>

#include <QVBoxLayout>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "engine/core/error.h"
#include "gui/theme/theme.h"
#include "gui/views/explore/explore_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// Up to this number of parameters times tokens of all runs, the grids are computed without being
// asked for.
constexpr double kCheapPatching = 3e11;
constexpr int kTakeMs = 50;   // between two looks at what is computed
constexpr int kKeepMs = 200;  // ms for which the old picture stays while a new one begins

}  // namespace

// Written on the engine thread, read on the GUI thread.
struct PatchingView::Shared {
  std::mutex mutex;
  std::shared_ptr<const PatchingData> latest;
  std::atomic<double> progress{0};
};

PatchingView::PatchingView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      header_(new PanelHeader(tr("Patching"), this)),
      job_(new QToolButton),
      prompts_(new PatchingPrompts),
      canvas_(new PatchingCanvas(tr("Patching"), tr("Patching"))) {
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(prompts_);
  column->addWidget(canvas_, 1);
  stack(header_, content, canvas_);
  setAccessibleName(tr("Patching"));
  job_->setAutoRaise(true);
  job_->setAccessibleName(tr("Compute the grids, or cancel"));
  header_->add_control(job_);
  // Tab enters the view at the canvas, so the fields come after it.
  const std::initializer_list<QWidget*> stops{canvas_,
                                              prompts_->clean_field(),
                                              prompts_->corrupted_field(),
                                              prompts_->right_field(),
                                              prompts_->wrong_field(),
                                              job_};
  for (auto stop = stops.begin(); stop + 1 != stops.end(); ++stop) setTabOrder(stop[0], stop[1]);
  typed_ = prompts_->wish();
  timer_.setInterval(kTakeMs);
  connect(&timer_, &QTimer::timeout, this, &PatchingView::take);
  const auto begin = [this](bool wanted) {
    trouble_.clear();
    cancelled_.reset();
    wanted_ = wanted;
    typed_ = prompts_->wish();
    refresh();
  };
  const auto again = [begin] { begin(true); };
  connect(prompts_, &PatchingPrompts::edited, this, [this, again] {
    // The field may have been left unchanged.
    if (!(typed_ == prompts_->wish())) again();
  });
  connect(prompts_, &PatchingPrompts::typed, this, [this] {
    trouble_.clear();  // it is about other texts
    refresh();
  });
  connect(job_, &QToolButton::clicked, this,
          [this, again] { is_computing() ? cancel() : again(); });
  connect(&inside(), &Inside::changed, this, &PatchingView::refresh);
  connect(&bridge(), &EngineBridge::run_started, this, [begin] { begin(false); });
  connect(&Theme::instance(), &Theme::changed, this, &PatchingView::refresh);
  connect(canvas_, &ExploreCanvas::zoomed, this, &PatchingView::refresh);
  connect(canvas_, &ExploreCanvas::clicked, this, &PatchingView::open);
  connect(canvas_, &ExploreCanvas::opened, this, &PatchingView::open);
  connect(canvas_, &PatchingCanvas::dropped, this, &PatchingView::patch_from);
  connect(canvas_, &ExploreCanvas::pointed, this, [this](const Spot& spot) {
    if (spot == pointed_) return;
    pointed_ = spot;
    refresh();
  });
  connect(canvas_, &ExploreCanvas::cleared, this, [this] {
    if (is_computing()) return cancel();
    marked_ = {};
    forget_patch();
  });
  connect(canvas_, &ExploreCanvas::key_asked, this, &PatchingView::take_key);
  const auto step = [this](int heads, int layers) {
    if (const auto& snapshot = bridge().snapshot())
      selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                            snapshot->source.num_layers, snapshot->source.num_heads);
  };
  connect(canvas_, &Canvas::head_step_asked, this, [step](int by) { step(by, 0); });
  connect(canvas_, &Canvas::layer_step_asked, this, [step](int by) { step(0, by); });
}

PatchingView::~PatchingView() = default;

QString PatchingView::refusal() const {
  const auto& snapshot = bridge().snapshot();
  if (!snapshot || !snapshot->scenario)
    return tr(
        "No run has begun. Patching needs the run of a model in which each position reads itself "
        "and those before it.");
  if (!snapshot->scenario->source.reads_text())
    return tr("Patching changes states of a model; this run has no model.");
  if (snapshot->scenario->attention.type != AttentionType::kDecoder)
    return tr(
        "Patching needs a model in which each position reads itself and those before it. "
        "This run has attention of another type.");
  return {};
}

bool PatchingView::is_cheap() const {
  const auto& snapshot = bridge().snapshot();
  const std::shared_ptr<const Model> model = snapshot ? snapshot->model.lock() : nullptr;
  if (!model) return false;
  const PatchingWish wanted = prompts_->wish();
  const double tokens =
      static_cast<double>(std::max(wanted.clean.size(), wanted.corrupted.size())) / 3 + 1;
  const double runs = 2.0 * static_cast<double>(model->shape().num_layers) *
                      (tokens + static_cast<double>(model->shape().num_heads));
  return runs * tokens * static_cast<double>(model->num_parameters()) <= kCheapPatching;
}

bool PatchingView::is_current() const {
  const auto& snapshot = bridge().snapshot();
  return data_ && of_ && snapshot && snapshot->scenario && data_->wish == prompts_->wish() &&
         same_settings(*of_, *snapshot->scenario);
}

bool PatchingView::is_computing() const {
  return const_cast<PatchingView*>(this)->inside().is_computing(this);
}

bool PatchingView::is_behind() const {
  return is_computing() || const_cast<PatchingView*>(this)->inside().is_computing(canvas_);
}

void PatchingView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

// May ask for the grids, if they are wanted or cheap, and shows what there is. Texts that are still
// being typed are not asked for.
void PatchingView::refresh() {
  const PatchingWish wanted = prompts_->wish();
  const bool known = is_current() && data_->is_complete(), refused = !refusal().isEmpty();
  const bool typing = !(typed_ == wanted);
  if (is_computing() && !(asked_ == wanted)) inside().cancel(this);
  if (isVisible() && !refused && !known && !typing && !is_computing() && trouble_.isEmpty() &&
      !(cancelled_ == wanted) && (wanted_ || is_cheap()))
    ask();
  const bool computing = is_computing();
  job_->setText(computing ? tr("Cancel") : tr("Compute"));
  job_->setToolTip(computing ? tr("Cancel the runs that are left (Esc)")
                             : tr("Compute the grids of these prompts (C)"));
  job_->setEnabled(computing || (!refused && !known));
  canvas_->set_takes_escape(computing || marked_.is_somewhere() || patch_ ||
                            !patch_trouble_.isEmpty());
  prompts_->setEnabled(!refused);
  if (is_current()) {
    canvas_->set_picture(make_picture(false));
  } else if (!computing || !canvas_->picture() || asked_at_.elapsed() > kKeepMs) {
    const QString text =
        refused  ? refusal()
        : typing ? tr("The prompts or the pair were changed. Press Enter, or Compute above.")
        : !trouble_.isEmpty() ? trouble_
        : computing ? tr("The runs for the cells begin between two steps of the engine; a run that "
                         "is paused inside a step has to end it first.")
        : cancelled_ == wanted
            ? tr("Cancelled. Press C, or Compute above, to begin again.")
            : tr("Each cell of the grids takes a run of the whole model, and the run of the "
                 "scenario waits meanwhile. Press C, or Compute above, to begin.");
    canvas_->set_waiting_text(text, false);
    canvas_->set_picture(nullptr);
  }
  const QString why = nothing_to_export();
  if (why == told_) return;
  told_ = why;
  emit exports_changed();
}

void PatchingView::ask() {
  asked_ = prompts_->wish();
  asked_at_.start();
  shared_ = std::make_shared<Shared>();
  of_asked_ = bridge().snapshot()->scenario;
  marked_ = {};
  patch_.reset();
  patch_trouble_.clear();
  inside().compute_alone(
      this,
      [wanted = *asked_, settings = of_asked_, shared = shared_](
          const std::shared_ptr<Source>& source, const Execution& execution) {
        return compute_patching(
            wanted, *settings, source,
            [&shared](std::shared_ptr<const PatchingData> data) {
              const std::lock_guard lock(shared->mutex);
              shared->latest = std::move(data);
            },
            [&shared](double share) { shared->progress = share; }, execution.gate);
      },
      [this](const QString& trouble) {
        trouble_ = trouble;
        take();
      });
  timer_.start();
}

void PatchingView::take() {
  if (shared_) {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->latest && shared_->latest != data_) {
      data_ = shared_->latest;
      of_ = of_asked_;
    }
  }
  if (!is_computing()) timer_.stop();
  refresh();
}

void PatchingView::cancel() {
  cancelled_ = prompts_->wish();
  inside().cancel(this);
  refresh();
}

std::shared_ptr<const PatchingPicture> PatchingView::make_picture(bool exported) const {
  if (!is_current()) return nullptr;
  PatchingScene scene;
  scene.data = data_;
  scene.is_dark = Theme::instance().is_dark();
  scene.patch = patch_;
  scene.trouble = patch_trouble_;
  if (!exported) {
    scene.marked = marked_;
    scene.pointed = pointed_;
    if (is_computing() && shared_) scene.progress = shared_->progress;
  }
  PictureFrame frame = plain_frame(canvas_->picture_zoom());
  frame.title = tr("Patching in %1").arg(QString::fromStdString(bridge().snapshot()->source.name));
  frame.checks = patching_checks(*data_);
  frame.in_file = exported;
  frame.title = figure().title_or(frame.title);
  if (!exported && data_->trouble.isEmpty() && data_->is_complete())
    frame.checks += tr("%1 runs of %2 tokens in %3.")
                        .arg(format_count(data_->runs()))
                        .arg(data_->tokens())
                        .arg(format_duration_ns(data_->seconds * 1e9, 2));
  return std::make_shared<PatchingPicture>(std::move(frame), std::move(scene));
}

void PatchingView::forget_patch() {
  inside().cancel(canvas_);
  patch_.reset();
  patch_trouble_.clear();
  refresh();
}

void PatchingView::patch_from(const Spot& from, const Spot& to) {
  const bool same = from.row == to.row && from.column == to.column;
  marked_ = {};
  forget_patch();
  if (is_of_heads(from.part) != is_of_heads(to.part))
    patch_trouble_ =
        tr("The state of a position and the output of a head cannot take each other's "
           "place. Drag to a cell of the same kind in the other run.");
  else if (from.part == to.part)
    patch_trouble_ = tr("Both cells are of one run. Drag to a cell of the other run.");
  else if (is_of_heads(to.part) && !same)
    patch_trouble_ = tr("The output of a head is only put in the place of the same head.");
  if (!patch_trouble_.isEmpty()) return refresh();
  patch({to.part, {from.row, from.column, to.row, to.column}});
}

void PatchingView::patch(const PatchingMove& move) {
  if (!is_current() || data_->right.empty()) return;
  const auto result = std::make_shared<PatchedAnswer>();
  result->move = move;
  inside().compute_alone(
      canvas_,
      [result, data = data_, settings = of_](const std::shared_ptr<Source>& source,
                                             const Execution& execution) {
        const PatchingMove& of = result->move;
        const auto answer = patch_once(*settings, source, patching_plan(*data, of.part), data->ends,
                                       of.cells, execution.gate);
        if (!answer) return false;
        result->answer = *answer;
        result->best = source->token_text(answer->best);
        return true;
      },
      [this, result, data = data_](const QString& trouble) {
        if (data != data_ && !(is_current() && data->wish == data_->wish)) return;
        patch_trouble_ = trouble;
        if (trouble.isEmpty()) patch_ = *result;
        refresh();
      });
}

// Explains this cell, and puts the marked cell, or without a mark the same cell of the other run,
// into it.
void PatchingView::open(const Spot& spot) {
  selection().explain(canvas_->picture() ? canvas_->picture()->explain(spot) : nullptr);
  if (is_of_heads(spot.part)) selection().show(selection().shown_request(), spot.row, spot.column);
  patch_from(marked_.is_somewhere() ? marked_ : Spot{other_run(spot.part), spot.row, spot.column},
             spot);
}

bool PatchingView::take_key(int key) {
  switch (key) {
    case Qt::Key_C:
      if (job_->isEnabled()) job_->click();
      return true;
    case Qt::Key_M:
      forget_patch();
      marked_ = canvas_->cursor();
      refresh();
      return true;
    default:
      return false;
  }
}

void PatchingView::choose(const ViewChoices& choices) {
  if (!choices.clean.empty())
    prompts_->set_wish({.clean = QString::fromStdString(choices.clean),
                        .corrupted = QString::fromStdString(choices.corrupted),
                        .right = {},
                        .wrong = {}});
  typed_ = prompts_->wish();
  while (refusal().isEmpty() && trouble_.isEmpty() && !(is_current() && data_->is_complete())) {
    const auto before = data_;
    ask();
    inside().wait_for(this);
    take();
    if (data_ == before) break;  // cancelled
  }
  refresh();
}

void PatchingView::throw_if_refused() const {
  const QString sentence = !refusal().isEmpty()  ? refusal()
                           : !trouble_.isEmpty() ? trouble_
                           : is_current()        ? data_->trouble
                                                 : QString();
  if (!sentence.isEmpty()) throw Error::not_supported({sentence.toStdString()});
}

QString PatchingView::nothing_to_export() const {
  if (is_current()) return {};
  const QString refused = refusal();
  return refused.isEmpty() ? tr("there is no picture yet: the runs have not been computed")
                           : refused;
}

std::function<void(QPainter&, const QRectF&)> PatchingView::drawing() const {
  return [picture = make_picture(true), look = PictureLook::read(), text = canvas_->waiting_text()](
             QPainter& painter, const QRectF& bounds) {
    if (picture) return picture->paint(painter, bounds, true, {});
    painter.setPen(look.colors.muted);
    painter.setFont(look.title);
    painter.drawText(bounds.adjusted(32, 0, -32, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
  };
}

QSize PatchingView::export_size() const {
  return export_size_for(PictureLook::read().px(kExportedWidth));
}

QSize PatchingView::export_size_for(double width) const {
  const auto picture = make_picture(true);
  const double high = picture ? picture->height(width, true) : PictureLook::read().px(240);
  return {static_cast<int>(std::ceil(width)), static_cast<int>(std::ceil(high))};
}

std::function<QByteArray()> PatchingView::table() const {
  return [picture = make_picture(true)] {
    return picture ? QByteArray::fromStdString(picture->csv()) : QByteArray();
  };
}

std::vector<KeyHelp> PatchingView::key_help() const {
  return {
      {tr("Click a cell, arrow keys and Enter"),
       tr("Put the same cell of the other run in the place of this one")},
      {tr("Drag a cell to one of the other run"),
       tr("Put the first cell in the place of the second")},
      {tr("M, then Enter at another cell"), tr("The same by keyboard: mark, move, patch")},
      {tr("Point at a cell"), tr("The share of the cell; for the state of a position also what "
                                 "this state can change")},
      {tr("C"), tr("Compute the grids, or cancel")},
      {tr("Tab"), tr("Go to the prompts and the pair of tokens; Enter after a change computes")},
      {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
      {tr("Wheel, Page up, Page down, Home, End, middle drag"), tr("Scroll")},
      {tr("Ctrl+wheel, + and −"), tr("Larger and smaller text")},
      {tr("Double-click beside the picture, F"), tr("Text in its usual size, from the beginning")},
      {tr("Esc"), tr("Cancel the runs; if none go on, remove mark and patch")}};
}

QJsonObject PatchingView::options() const {
  const PatchingWish now = prompts_->wish();
  return {{QStringLiteral("clean"), now.clean},
          {QStringLiteral("corrupted"), now.corrupted},
          {QStringLiteral("right"), now.right},
          {QStringLiteral("wrong"), now.wrong}};
}

void PatchingView::set_options(const QJsonObject& options) {
  PatchingWish read = prompts_->wish();
  for (const auto& [key, to] : {std::pair("clean", &read.clean),
                                {"corrupted", &read.corrupted},
                                {"right", &read.right},
                                {"wrong", &read.wrong}}) {
    const QJsonValue value = options.value(QLatin1String(key));
    if (value.isString() && value.toString().size() <= kMostPromptLength) *to = value.toString();
  }
  prompts_->set_wish(read);
  typed_ = prompts_->wish();
  refresh();
}

namespace {

void check_prompts(const ViewChoices& choices) {
  if (choices.clean.empty() != choices.corrupted.empty())
    throw_bad_input({"the view patching compares two prompts, and one is given",
                     choices.clean.empty() ? "--corrupted" : "--prompt",
                     choices.clean.empty() ? "no --prompt" : "no --corrupted",
                     "both: --prompt TEXT --corrupted TEXT, of as many tokens", ""});
  for (const auto& [option, text] :
       {std::pair("--prompt", &choices.clean), {"--corrupted", &choices.corrupted}})
    if (text->size() > size_t{kMostPromptLength})
      throw_bad_input({"a prompt of the view patching is too long", option,
                       fmt::format("{} bytes", text->size()),
                       fmt::format("up to {}", kMostPromptLength), ""});
}

}  // namespace

ViewEntry patching_entry() {
  return {.name = "patching",
          .title = PatchingView::tr("Patching"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_9),
          .group = ViewGroup::kInside,
          .meaning = PatchingView::tr("Put states of one prompt into the run of another"),
          .look_at = PatchingView::tr(
              "In the lower left grid follow the orange cells from the word that differs to the "
              "last position."),
          .document = "explore.md",
          .options = {{"--corrupted"}, {"--title"}, {"--no-title"}},
          .check = check_prompts,
          .make = make_view<PatchingView>};
}

}  // namespace attn::gui

#include "moc_patching_view.cpp"
