// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/words/run_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "gui/models/run/prompt_fit.h"

namespace attn::gui {
namespace {

struct RunWords {
  Q_DECLARE_TR_FUNCTIONS(RunWords)
};

}  // namespace

int percent_done(const StepProgress::State& at) {
  using Stage = StepProgress::Stage;
  if (at.stage == Stage::kAfterAttention || at.stage == Stage::kAfterLayers) return 100;
  if (at.stage != Stage::kAttention || at.rows <= 0) return 0;
  return static_cast<int>(std::clamp<int64_t>(100 * at.rows_done / at.rows, 0, 100));
}

QString progress_words(const StepProgress::State& at) {
  const QString layer = RunWords::tr("layer %1 (0..%2)").arg(at.layer).arg(at.num_layers - 1);
  switch (at.stage) {
    case StepProgress::Stage::kPlan:
      return RunWords::tr("planning");
    case StepProgress::Stage::kBeforeLayers:
      return RunWords::tr("before layer 0");
    case StepProgress::Stage::kBeforeAttention:
      return RunWords::tr("%1, before attention").arg(layer);
    case StepProgress::Stage::kAttention:
      return RunWords::tr("%1, attention %2%").arg(layer).arg(percent_done(at));
    case StepProgress::Stage::kAfterAttention:
      return RunWords::tr("%1, after attention").arg(layer);
    case StepProgress::Stage::kAfterLayers:
      break;
  }
  return RunWords::tr("after the last layer");
}

QString stopped_words(const StepProgress::State& at, size_t ended_steps) {
  const QLocale locale;
  const QString kept = ended_steps == 0 ? RunWords::tr("No step had ended before.")
                       : ended_steps == 1
                           ? RunWords::tr("Step 1 is kept.")
                           : RunWords::tr("Steps 1 to %1 are kept.")
                                 .arg(locale.toString(static_cast<qulonglong>(ended_steps)));
  if (!at.in_step)
    return RunWords::tr(
               "The run was stopped, but not inside a step. %1 Press Space to start it from the "
               "beginning.")
        .arg(kept);
  return RunWords::tr(
             "The run was stopped in step %1, %2; what this step had computed is dropped. "
             "%3 To get further, take a shorter prompt or another backend and run again.")
      .arg(locale.toString(at.step), progress_words(at), kept);
}

QString news_words(const EngineSnapshot& snapshot, size_t& count) {
  count = 0;
  size_t more = 0;  // further requests with news, without forks
  const RequestView* first = nullptr;
  for (const RequestView& request : snapshot.requests) {
    if (!request.has_news()) continue;
    ++count;
    if (!first)
      first = &request;
    else if (!request.parent)
      ++more;
  }
  if (!first) return {};
  QString text = QStringLiteral("%1: %2").arg(QString::fromStdString(first->name),
                                              reason_of(snapshot, *first));
  if (more == 1)
    text += RunWords::tr(
        " One more request was refused or ended early. Point at its row in Workload to read why.");
  if (more > 1)
    text += RunWords::tr(
                " %1 more requests were refused or ended early. Point at their rows in Workload to "
                "read why.")
                .arg(more);
  return text;
}

}  // namespace attn::gui
