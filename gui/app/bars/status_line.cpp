// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/status_line.h"

#include <QLocale>
#include <QPainter>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

QString sentence_case(const std::string& text) {
  QString result = QString::fromStdString(text);
  if (!result.isEmpty()) result[0] = result[0].toUpper();
  return result;
}

QString phase_text(const EngineSnapshot* snapshot, RunGate::State gate, const Session* recorded,
                   bool is_newer) {
  if (!snapshot) return StatusLine::tr("Starting");
  if (recorded && !recorded->file.empty()) return StatusLine::tr("Saved run");
  if (recorded) return is_newer ? StatusLine::tr("Newer run") : StatusLine::tr("Earlier run");
  switch (snapshot->phase) {
    case EnginePhase::kLoading:
      return snapshot->phase_detail.empty() ? StatusLine::tr("Loading")
                                            : sentence_case(snapshot->phase_detail);
    case EnginePhase::kIdle:
      return StatusLine::tr("Idle");
    case EnginePhase::kFinished:
      return StatusLine::tr("Finished");
    case EnginePhase::kCancelled:
      return StatusLine::tr("Cancelled");
    case EnginePhase::kFailed:
      return StatusLine::tr("Failed");
    case EnginePhase::kRunning:
    case EnginePhase::kPaused:
      break;
  }
  if (gate == RunGate::State::kPaused) return StatusLine::tr("Paused");
  if (gate == RunGate::State::kStepping) return StatusLine::tr("Stepping");
  return StatusLine::tr("Running");
}

void set_text(QLabel* label, const QString& text) {
  if (label->text() != text) label->setText(text);
}

}  // namespace

StatusLine::StatusLine(RunControl& control, TimeCursor& cursor, const Notes& notes, QAction& stop,
                       QWidget* parent)
    : QStatusBar(parent),
      control_(control),
      cursor_(cursor),
      notes_(notes),
      time_(new TimeBar(cursor)),
      progress_(new StepProgressBar(control, stop)) {
  setSizeGripEnabled(false);
  setContentsMargins(8, 0, 8, 0);
  phase_ = cell(tr("The state of the run."), false);
  note_ = cell({}, false);
  layer_ = cell(tr("The step under way, and the layer that it has reached."), true);
  rate_ = cell(
      tr("Generated tokens per second over at most the last 32 steps, on the run's clock; time "
         "without a request is left out."),
      true);
  cache_ = cell(tr("Blocks of the KV cache in use at the step that is shown."), true);
  backend_ = cell(tr("The attention backend is the code that computes attention."), false);
  modelled_ = cell(tr("This run uses the virtual clock: its times come from a cost model."), false);
  events_ = cell(tr("Trace events that were recorded, and those that were lost because a ring "
                    "buffer was full."),
                 true);
  events_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  for (QLabel* label : cells_) {
    addWidget(label, label == events_ ? 1 : 0);
    if (label == phase_) {
      addWidget(time_);
      addWidget(progress_);
      progress_->hide();  // addWidget() has shown it
    }
  }
  connect(progress_, &StepProgressBar::shown_changed, this, &StatusLine::refresh);
  later_.setSingleShot(true);
  later_.setInterval(100);
  connect(&later_, &QTimer::timeout, this, &StatusLine::refresh);
  EngineBridge& bridge = control.bridge();
  connect(&cursor, &TimeCursor::changed, this, &StatusLine::soon);
  connect(&cursor, &TimeCursor::moved, this, &StatusLine::refresh);
  connect(&notes, &Notes::changed, this, &StatusLine::soon);
  connect(&bridge, &EngineBridge::events_appended, this, &StatusLine::soon);
  connect(&bridge, &EngineBridge::gate_changed, this, &StatusLine::soon);
  connect(&Theme::instance(), &Theme::changed, this, &StatusLine::restyle);
  // The time bar names the step that has ended at this signal, so the step under way must not wait.
  connect(&cursor, &TimeCursor::range_changed, this, &StatusLine::show_layer);
  restyle();
  refresh();
}

QLabel* StatusLine::cell(const QString& meaning, bool numbers) {
  auto* label = new QLabel;
  label->setToolTip(meaning);
  label->setMinimumWidth(1);  // a long text does not widen the window
  cells_.push_back(label);
  if (numbers) number_cells_.push_back(label);
  return label;
}

void StatusLine::restyle() {
  const Theme& theme = Theme::instance();
  for (QLabel* label : cells_) {
    label->setFont(theme.font(TextRole::kSmall));
    label->setContentsMargins(4, 0, 12, 0);
  }
  for (QLabel* label : number_cells_) label->setFont(theme.mono(TextRole::kSmall));
  QPalette palette = phase_->palette();
  palette.setColor(QPalette::WindowText, theme.colors().warning);
  modelled_->setPalette(palette);
  setFixedHeight(theme.px(28));
  refresh();
}

void StatusLine::soon() {
  if (!later_.isActive()) later_.start();
}

void StatusLine::refresh() {
  const QLocale locale;
  EngineBridge& bridge = control_.bridge();
  const EngineSnapshot* snapshot = cursor_.snapshot().get();
  set_text(phase_, phase_text(bridge.snapshot().get(), bridge.gate_state(), bridge.session().get(),
                              control_.undo_place() == RunControl::UndoPlace::kNewer));
  const TraceCounts counts = bridge.trace_counts();
  show_layer();
  if (snapshot && snapshot->block_size > 0) {
    set_text(rate_, tr("%1 tokens/s").arg(locale.toString(snapshot->tokens_per_s, 'f', 1)));
    const auto all = static_cast<qint64>(usable_blocks(*snapshot));
    set_text(cache_, tr("KV used %1 / %2 blocks")
                         .arg(locale.toString(static_cast<qint64>(used_blocks(*snapshot))),
                              locale.toString(all)));
    set_text(backend_, QString::fromStdString(snapshot->backend_name));
  } else {  // no snapshot, or one from before the engine was made
    for (QLabel* cell : {rate_, cache_, backend_}) set_text(cell, QString());
  }
  show_note();
  modelled_->setVisible(snapshot && snapshot->modelled_time);
  set_text(modelled_, tr("times modelled"));
  // The counts are those of the whole run, so they are not shown at a past step.
  set_text(events_, cursor_.is_live()
                        ? tr("events %1 · dropped %2")
                              .arg(locale.toString(static_cast<qulonglong>(counts.recorded)),
                                   locale.toString(static_cast<qulonglong>(counts.dropped)))
                        : QString());
  QPalette palette = events_->palette();
  const ThemeColors& c = Theme::instance().colors();
  palette.setColor(QPalette::WindowText, counts.dropped > 0 ? c.bad : c.text);
  if (palette != events_->palette()) events_->setPalette(palette);
  fit();
}

void StatusLine::show_layer() {
  const EngineSnapshot* snapshot = cursor_.snapshot().get();
  has_layer_ = snapshot && snapshot->block_size > 0 && snapshot->layer >= 0 &&
               progress_->isHidden();  // progress_ names the layer, too
  if (!has_layer_) return set_text(layer_, QString());
  const SourceShape& source = snapshot->source;
  // The step under way is not the one that the time bar names, which has ended.
  const size_t ended = snapshot->steps ? snapshot->steps->size() : 0;
  const QString layer = source.is_encoder(snapshot->layer) ? tr("step %1: encoder layer %2 (0..%3)")
                                                           : tr("step %1: layer %2 (0..%3)");
  set_text(layer_, layer.arg(QLocale().toString(static_cast<qulonglong>(ended + 1)))
                       .arg(snapshot->layer)
                       .arg(source.num_layers - 1));
}

void StatusLine::show_note() {
  constexpr qsizetype kLineLength = 40;  // characters
  const QString note = notes_.text(cursor_.step());
  QString line = note.section(QLatin1Char('\n'), 0, 0);
  if (line.size() > kLineLength || line.size() < note.size())
    line = line.left(kLineLength - 1) + QChar(0x2026);
  set_text(note_, note.isEmpty() ? QString() : tr("Note: %1").arg(line));
  note_->setToolTip(plain_tooltip(note));
}

// If the line is too narrow, hides cells. It never hides phase_, modelled_, the time bar and the
// progress of a step.
void StatusLine::fit() {
  const auto width_of = [](const QWidget* cell) { return cell->sizeHint().width() + 6; };
  int needed = width_of(time_) + (progress_->isHidden() ? 0 : width_of(progress_)) + 24;
  for (const QLabel* label : cells_)
    if (!label->text().isEmpty() && (label != layer_ || has_layer_) &&
        (label != modelled_ || !modelled_->isHidden()))
      needed += width_of(label);
  for (QLabel* label : {backend_, layer_, rate_, cache_, events_, note_}) {
    const bool wanted = !label->text().isEmpty() && (label != layer_ || has_layer_);
    const bool stays = wanted && needed <= width();
    if (wanted && !stays) needed -= width_of(label);
    if (label->isHidden() == stays) label->setVisible(stays);
  }
}

void StatusLine::resizeEvent(QResizeEvent* event) {
  QStatusBar::resizeEvent(event);
  fit();
}

QString StatusLine::text() const {
  QStringList parts{time_->text()};
  if (!progress_->isHidden()) parts.append(progress_->text());
  for (const QLabel* label : cells_)
    if (!label->text().isEmpty() && !label->isHidden()) parts.append(label->text());
  return parts.join(QStringLiteral(" | "));
}

void StatusLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColors& c = Theme::instance().colors();
  painter.fillRect(rect(), c.surface);
  painter.fillRect(0, 0, width(), 1, c.line);
}

}  // namespace attn::gui

#include "moc_status_line.cpp"
