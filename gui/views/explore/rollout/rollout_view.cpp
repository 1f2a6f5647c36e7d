// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/rollout/rollout_view.h"

#include <algorithm>

#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

// Of a longer text only the first rows are computed. Where no row reads a later token, they equal
// those of the whole text.
constexpr int64_t kMostRows = 512;

}  // namespace

RolloutView::RolloutView(const ViewContext& context, QWidget* parent)
    : ExploreView(context, tr("Rollout"), tr("The weights of all layers, multiplied"), parent),
      without_(new QToolButton) {
  set_up_switch(without_, tr("Without first"), tr("Without the first token"),
                tr("Leave out what is read of the first token, and scale the rest of a row to a "
                   "sum of 1 (W)"));
  without_->setChecked(false);
  header().add_control(without_);
  header().set_leaving({without_});
  connect(without_, &QToolButton::toggled, this, &RolloutView::refresh);
}

QString RolloutView::refusal() const {
  const InsideRequest* now = inside_now();
  if (!now) return {};
  const AttentionRecord& record = *now->run.attention;
  for (int64_t layer = 0; layer < record.shape().num_layers; ++layer)
    if (record.is_cross(layer))
      return tr(
          "Rollout is not defined for cross attention: its keys are other tokens than its "
          "queries.");
  for (int64_t layer = 0; layer < record.shape().num_layers; ++layer)
    if (now->rows() > kMostRows && record.shape().rules.of(layer).sees(0, kMostRows - 1, kMostRows))
      return tr("Here tokens read later ones, so the rollout needs the whole text; at most %1 "
                "tokens are computed.")
          .arg(kMostRows);
  return {};
}

bool RolloutView::is_current() const {
  auto* self = const_cast<RolloutView*>(this);
  return data_ && of_ == self->inside().now() && data_->without_first == without_->isChecked();
}

void RolloutView::ask() {
  const auto of = inside().now();
  const auto data = std::make_shared<RolloutData>();
  data->without_first = without_->isChecked();
  inside().compute(
      this,
      [data](const InsideRequest& now, const Execution& execution) {
        const int64_t rows = std::min(now.rows(), kMostRows);
        data->rollout = rollout(*now.run.attention, rows, data->without_first,
                                [&] { return !execution.gate || !execution.gate->cancelled(); });
        const AttentionRecord::Shape& shape = now.run.attention->shape();
        data->causal = true;
        for (int64_t layer = 0; layer < shape.num_layers; ++layer)
          data->causal = data->causal && shape.rules.of(layer).causal;
        for (int64_t i = 0; i < rows; ++i) {
          const int32_t token = now.run.tokens[static_cast<size_t>(i)];
          data->tokens.push_back(marked_text(now, token));
          data->plain_tokens.push_back(plain_text(now, token));
        }
        return true;
      },
      [this, of, data](const QString& trouble) {
        if (trouble.isEmpty()) {
          of_ = of;
          data_ = data;
        }
        computed(trouble);
      });
}

std::shared_ptr<const ExplorePicture> RolloutView::make_picture() const {
  const InsideRequest* now = inside_now();
  if (!now || !data_) return nullptr;
  RolloutScene scene;
  scene.data = data_;
  scene.layer =
      std::clamp<int64_t>(selection().shown_layer(), 0, std::ssize(data_->rollout.layers) - 1);
  scene.rows = std::min(const_cast<RolloutView*>(this)->inside().rows_shown(), data_->rollout.rows);
  const SelectionState& state = selection().state();
  if ((state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell) &&
      state.request == now->request.id)
    scene.selected_query = state.query;
  QStringList checks{tr("Check: every row of every layer adds up to 1: %1.")
                         .arg(residue_text(data_->rollout.residue()))};
  if (data_->rollout.rows < now->rows())
    checks +=
        tr("The first %1 of %2 positions are shown.").arg(data_->rollout.rows).arg(now->rows());
  return std::make_shared<RolloutPicture>(frame(checks), std::move(scene));
}

void RolloutView::spot_chosen(const Spot& spot) {
  const InsideRequest* now = inside_now();
  if (!now) return;
  if (spot.part == RolloutPicture::kLayers)
    return selection().show(selection().shown_request(), spot.row, selection().shown_head());
  selection().select(
      {.kind = SelectionKind::kToken, .request = now->request.id, .query = spot.row});
}

bool RolloutView::take_key(int key) {
  if (key == Qt::Key_W) without_->toggle();
  return key == Qt::Key_W;
}

std::vector<KeyHelp> RolloutView::own_keys() const {
  return {{tr("Click a cell, arrow keys"), tr("Select the token of this row")},
          {tr("Click a small picture"), tr("Show the rollout up to this layer")},
          {tr("W"), tr("Without the first token, or with it")}};
}

std::vector<ViewCommand> RolloutView::commands() {
  return {{.name = tr("Rollout › Without the first token"),
           .meaning = tr("Leave out what is read of the first token"),
           .is_on = without_->isChecked(),
           .run = [this] {
             without_->toggle();
             emit view_asked(QStringLiteral("rollout"));
           }}};
}

QJsonObject RolloutView::options() const {
  return {{QStringLiteral("without_first"), without_->isChecked()}};
}

void RolloutView::set_options(const QJsonObject& options) {
  if (const auto without = flag_option(options, "without_first")) without_->setChecked(*without);
}

ViewEntry rollout_entry() {
  return {.name = "rollout",
          .title = RolloutView::tr("Rollout"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_8),
          .group = ViewGroup::kInside,
          .meaning = RolloutView::tr("Show the weights of all layers multiplied"),
          .look_at = RolloutView::tr("See how much ends at the first token, and what is left "
                                     "without it."),
          .document = "explore.md",
          .options = {{"--title"}, {"--no-title"}},
          .make = make_view<RolloutView>};
}

}  // namespace attn::gui

#include "moc_rollout_view.cpp"
