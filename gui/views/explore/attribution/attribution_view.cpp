// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/attribution/attribution_view.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/texts/token_pair.h"
#include "gui/theme/theme.h"
#include "gui/views/explore/token_of.h"

namespace attn::gui {
namespace {

using ChosenPair = std::optional<std::pair<int32_t, int32_t>>;

bool attribute_row(const InsideRequest& inside, int64_t row, const ChosenPair& pair,
                   const QString& against, AttributionData& data, const Execution& execution) {
  Model& model = inside.model();
  const ResidualRecord& record = *inside.run.residual;
  Tensor logits;
  if (!own_logits(model, record, row, 1, logits, execution)) return false;
  auto [a, b] = pair ? *pair : two_best(logits.span<float>());
  if (!pair && !against.isEmpty()) {
    const auto other = token_of(model, against, a);
    if (!other)
      throw_bad_input({"the model has no token of this text", "who said it",
                       "`" + against.toStdString() + "`", "a word that is one token",
                       "Leave the field empty to compare the two likeliest tokens"});
    b = *other;
  }
  const auto shares = attribute(model, record, row, a, b, execution);
  if (!shares) return false;
  data.shares = *shares;
  data.written = check_written(model.network(), *inside.run.attention, record, row,
                               inside.request.interventions, execution);
  data.text_a = quoted_text(inside, a);
  data.text_b = quoted_text(inside, b);
  data.after = quoted_text(inside, inside.run.tokens[static_cast<size_t>(row)]);
  data.plain_a = plain_text(inside, a);
  data.plain_b = plain_text(inside, b);
  data.plain_after = plain_text(inside, inside.run.tokens[static_cast<size_t>(row)]);
  data.logit_a = static_cast<double>(logits.span<float>()[static_cast<size_t>(a)]);
  data.logit_b = static_cast<double>(logits.span<float>()[static_cast<size_t>(b)]);
  return true;
}

}  // namespace

AttributionView::AttributionView(const ViewContext& context, QWidget* parent)
    : ExploreView(context, tr("Who said it"), tr("The share of every head and MLP"), parent),
      against_(new QLineEdit) {
  against_->setPlaceholderText(tr("against: second best"));
  against_->setAccessibleName(tr("Token to compare with"));
  against_->setToolTip(
      tr("The token whose logit is compared with that of the likeliest one; empty: the second "
         "likeliest"));
  against_->setFixedWidth(Theme::instance().px(140));
  header().add_control(against_);
  header().set_leaving({against_});
  connect(against_, &QLineEdit::editingFinished, this, [this] { computed({}); });
}

QString AttributionView::refusal() const {
  const InsideRequest* now = inside_now();
  if (!now) return {};
  try {
    require_sum(now->model(), "Attribution");
  } catch (const Error& error) {
    return QString::fromStdString(error.what());
  }
  return {};
}

// Row of --position, else the row before the selected token (or row 0); else, or if that is not
// shown, the last shown row.
int64_t AttributionView::row_shown() const {
  const InsideRequest* now = inside_now();
  auto* self = const_cast<AttributionView*>(this);
  const int64_t rows = self->inside().rows_shown();
  if (position_) return std::min(*position_, rows - 1);
  const SelectionState& state = selection().state();
  const bool token = state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell;
  if (!token || !now || state.request != now->request.id || state.query < 0 || state.query > rows)
    return rows - 1;
  return std::clamp<int64_t>(state.query - 1, 0, rows - 1);
}

bool AttributionView::is_current() const {
  auto* self = const_cast<AttributionView*>(this);
  return data_ && of_ == self->inside().now() && data_->shares.position == row_shown() &&
         of_against_ == against_->text().trimmed() && of_pair_ == pair_;
}

void AttributionView::ask() {
  const auto of = inside().now();
  const auto data = std::make_shared<AttributionData>();
  const QString against = against_->text().trimmed();
  inside().compute(
      this,
      [data, against, pair = pair_, row = row_shown()](const InsideRequest& now,
                                                       const Execution& execution) {
        return attribute_row(now, row, pair, against, *data, execution);
      },
      [this, of, data, against, pair = pair_](const QString& trouble) {
        if (trouble.isEmpty()) {
          of_ = of;
          of_pair_ = pair;
          of_against_ = against;
          data_ = data;
        }
        computed(trouble);
      });
}

void AttributionView::choose(const ViewChoices& choices) {
  inside().show_all();
  if (const InsideRequest* now = inside_now()) {
    if (!choices.pair.empty()) pair_ = token_pair(now->model(), choices.pair, "--pair");
    const int64_t rows = inside().rows_shown();
    if (choices.position && *choices.position >= rows)
      throw_bad_input({"the request has no such computed position", "--position",
                       std::to_string(*choices.position), "0 to " + std::to_string(rows - 1), ""});
    position_ = choices.position;
  }
  ExploreView::choose(choices);
}

std::shared_ptr<const ExplorePicture> AttributionView::make_picture() const {
  if (!inside_now() || !data_) return nullptr;
  AttributionScene scene;
  scene.data = data_;
  scene.is_dark = Theme::instance().is_dark();
  const Attribution& shares = data_->shares;
  QStringList checks{tr("Check: sum of the parts %1, difference of the logits %2, %3.")
                         .arg(QString::number(shares.sum(), 'f', 5),
                              QString::number(shares.difference, 'f', 5),
                              residue_text(shares.residue()))};
  if (const auto& written = data_->written; written && written->heads > 0)
    checks += tr("Check: Σ weight × W_O v and the stored outputs of %1 heads: %2, where the "
                 "largest number is %3.")
                  .arg(written->heads)
                  .arg(residue_text(written->residue), format_number(written->largest, 3));
  if (const auto& written = data_->written; written && written->layers > 0)
    checks +=
        tr("Check: the outputs of the heads with the bias, and what attention adds to the "
           "stream in %1 layers: %2, where the largest number is %3.")
            .arg(written->layers)
            .arg(residue_text(written->residue_of_sum), format_number(written->largest_sum, 3));
  return std::make_shared<AttributionPicture>(frame(checks), std::move(scene));
}

void AttributionView::spot_chosen(const Spot& spot) {
  if (!data_ || spot.part != AttributionPicture::kGrid || spot.column >= data_->shares.num_heads)
    return;
  selection().show(selection().shown_request(), spot.row, spot.column);
}

std::vector<KeyHelp> AttributionView::own_keys() const {
  return {{tr("Click a head, arrow keys"), tr("Show this head in the other views")}};
}

QJsonObject AttributionView::options() const {
  return {{QStringLiteral("against"), against_->text()}};
}

void AttributionView::set_options(const QJsonObject& options) {
  constexpr qsizetype kLongest = 200;
  const QJsonValue against = options.value(QLatin1String("against"));
  if (against.isString() && against.toString().size() <= kLongest)
    against_->setText(against.toString());
}

ViewEntry attribution_entry() {
  return {.name = "attribution",
          .title = AttributionView::tr("Who said it"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_4),
          .group = ViewGroup::kInside,
          .meaning = AttributionView::tr("Show which heads and MLPs made the answer"),
          .look_at = AttributionView::tr("The parts add up to the difference of two logits: see "
                                         "which heads speak for the answer, and which against it."),
          .document = "explore.md",
          .other_name = "who",
          .options = {{"--pair"}, {"--position"}, {"--title"}, {"--no-title"}},
          .make = make_view<AttributionView>};
}

}  // namespace attn::gui

#include "moc_attribution_view.cpp"
