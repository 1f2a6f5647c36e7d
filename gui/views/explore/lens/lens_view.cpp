// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/lens/lens_view.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/error.h"
#include "gui/widgets/text/token_label.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr int64_t kLensBars = 6;
// Of a longer text the last positions are shown, unless others were chosen.
constexpr int64_t kMostPositions = 512;

using ChosenPositions = std::optional<std::pair<int64_t, int64_t>>;

bool compute(const InsideRequest& inside, bool with_mid, const ChosenPositions& only,
             LensData& data, const Execution& execution) {
  std::vector<int32_t> tokens;
  for (const TokenView& token : *inside.request.tokens) tokens.push_back(token.id);
  int64_t count = std::min(inside.rows(), kMostPositions), first = inside.rows() - count;
  if (only) {
    first = only->first;
    count = only->second + 1 - first;
  }
  LogitLens& lens = data.lens;
  if (!logit_lens(inside.model(), *inside.run.residual, tokens, first, count, with_mid, lens,
                  execution))
    return false;
  for (const LensCell& cell : lens.cells) {
    data.best.push_back(marked_text(inside, cell.best));
    data.plain_best.push_back(plain_text(inside, cell.best));
  }
  for (int64_t i = 0; i < count; ++i) {
    const int32_t follows = lens.wanted[static_cast<size_t>(i)],
                  read = tokens[static_cast<size_t>(lens.first + i)];
    data.wanted.push_back(marked_text(inside, follows));
    data.tokens.push_back(marked_text(inside, read));
    data.plain_wanted.push_back(plain_text(inside, follows));
    data.plain_tokens.push_back(plain_text(inside, read));
    data.token_ids.push_back(read);
  }
  Tensor logits;
  if (!own_logits(inside.model(), *inside.run.residual, inside.rows() - 1, 1, logits, execution))
    return false;
  const auto own = inside.run.logits.span<float>(), seen = std::as_const(logits).span<float>();
  for (size_t i = 0; i < seen.size(); ++i) {
    if (std::bit_cast<uint32_t>(seen[i]) == std::bit_cast<uint32_t>(own[i])) continue;
    const double apart = std::abs(static_cast<double>(seen[i]) - own[i]);
    // A NaN stays the residue.
    if (std::isnan(apart) || apart > data.residue) data.residue = apart;
  }
  return true;
}

// `computed`: the number of computed positions of the request.
void check_positions(int64_t first, int64_t last, int64_t computed) {
  if (last < computed && last - first < kMostPositions) return;
  throw_bad_input({"the logit lens cannot show these positions", "--positions",
                   std::to_string(first) + ".." + std::to_string(last),
                   "positions from 0 to " + std::to_string(computed - 1) + ", at most " +
                       std::to_string(kMostPositions) + " of them",
                   ""});
}

}  // namespace

LensView::LensView(const ViewContext& context, QWidget* parent)
    : ExploreView(context, tr("Logit lens"), tr("What the model would say after each layer"),
                  parent),
      color_(new QComboBox),
      mid_(new QToolButton) {
  color_->addItems({tr("probability"), tr("logit"), tr("rank"), tr("divergence")});
  color_->setAccessibleName(tr("What the colours show"));
  color_->setToolTip(
      tr("Colours: probability, logit or rank of the token that follows, or the Kullback-Leibler "
         "divergence from the model's own answer (C)"));
  set_up_switch(mid_, tr("Attention"), tr("Also after attention"),
                tr("Also show each layer between its attention and its MLP (A)"));
  header().add_control(mid_);
  header().add_control(color_);
  header().set_leaving({mid_, color_});
  connect(color_, &QComboBox::currentIndexChanged, this, &LensView::refresh);
  connect(mid_, &QToolButton::toggled, this, &LensView::refresh);
}

QString LensView::refusal() const {
  const InsideRequest* now = inside_now();
  if (!now) return {};
  try {
    require_sum(now->model(), "The logit lens");
  } catch (const Error& error) {
    return QString::fromStdString(error.what());
  }
  return {};
}

bool LensView::is_current() const {
  auto* self = const_cast<LensView*>(this);
  return data_ && of_ == self->inside().now() && with_mid_ == mid_->isChecked() &&
         of_only_ == only_;
}

void LensView::ask() {
  const auto of = inside().now();
  const auto data = std::make_shared<LensData>();
  const bool with_mid = mid_->isChecked();
  inside().compute(
      this,
      [data, with_mid, only = only_](const InsideRequest& now, const Execution& execution) {
        return compute(now, with_mid, only, *data, execution);
      },
      [this, of, data, with_mid, only = only_](const QString& trouble) {
        if (trouble.isEmpty()) {
          of_ = of;
          of_only_ = only;
          data_ = data;
          with_mid_ = with_mid;
          bars_ = nullptr;
        }
        computed(trouble);
      });
}

std::shared_ptr<const ExplorePicture> LensView::make_picture() const {
  const InsideRequest* now = inside_now();
  if (!now || !data_) return nullptr;
  LensScene scene;
  scene.data = data_;
  scene.bars = bars_;
  scene.color = static_cast<LensColor>(color_->currentIndex());
  scene.request = now->request.id;
  scene.rows =
      std::max<int64_t>(0, const_cast<LensView*>(this)->inside().rows_shown() - data_->lens.first);
  QStringList checks{
      tr("Check: the row of the last layer and the logits of the model: %1.")
          .arg(data_->residue == 0 ? tr("all bits are equal") : residue_text(data_->residue))};
  if (only_)
    checks += tr("Positions %1 to %2 of %3 are shown.")
                  .arg(only_->first)
                  .arg(only_->second)
                  .arg(now->rows());
  else if (data_->lens.first > 0)
    checks += tr("The last %1 of %2 positions are shown.").arg(data_->lens.count).arg(now->rows());
  return std::make_shared<LensPicture>(frame(checks), std::move(scene));
}

// The positions are in blocks, one below the other, so a wider picture can be much lower.
QSize LensView::export_size() const {
  QSize best = ExploreView::export_size();
  if (!page().fits) return best;
  const QSizeF room = *page().fits;
  const auto scale = [&](const QSize& size) {
    return std::min(room.width() / size.width(), room.height() / size.height());
  };
  constexpr double kWidest = 4, kStep = 0.25;  // times the width of the page
  for (double times = 1; times <= kWidest; times += kStep)
    if (const QSize size = export_size_for(room.width() * times); scale(size) > scale(best))
      best = size;
  return best;
}

void LensView::choose(const ViewChoices& choices) {
  inside().show_all();
  if (choices.positions && inside_now()) {
    check_positions(choices.positions->first, choices.positions->second, inside().rows_shown());
    only_ = choices.positions;
  }
  ExploreView::choose(choices);
}

void LensView::spot_chosen(const Spot& spot) {
  const InsideRequest* now = inside_now();
  if (!now || !data_ || spot.row >= std::ssize(data_->lens.sites)) return;
  const int64_t position = data_->lens.first + spot.column;
  const auto bars = std::make_shared<LensBars>();
  bars->site = static_cast<size_t>(spot.row);
  bars->position = spot.column;
  inside().compute(
      this,
      [bars, position, site = data_->lens.sites[bars->site]](const InsideRequest& inside,
                                                             const Execution& execution) {
        Tensor logits;
        if (!lens_logits(inside.model(), *inside.run.residual, site, position, 1, logits,
                         execution))
          return false;
        SamplingParams plain;
        plain.temperature = 1;
        bars->next = next_token(logits.span<float>(), plain, position + 1, kLensBars);
        for (const TokenChoice& choice : bars->next.choices)
          bars->texts.push_back(quoted_text(inside, choice.token));
        return true;
      },
      [this, bars, of = of_](const QString& trouble) {
        if (!trouble.isEmpty() || of != of_) return;
        bars_ = bars;
        refresh();
      });
  selection().select(
      {.kind = SelectionKind::kToken, .request = now->request.id, .query = position});
}

bool LensView::take_key(int key) {
  if (key == Qt::Key_C) color_->setCurrentIndex((color_->currentIndex() + 1) % color_->count());
  if (key == Qt::Key_A) mid_->toggle();
  return key == Qt::Key_C || key == Qt::Key_A;
}

std::vector<KeyHelp> LensView::own_keys() const {
  return {{tr("Click a cell, arrow keys"), tr("Show the bars of this cell")},
          {tr("C"), tr("Colour by probability, logit, rank or divergence")},
          {tr("A"), tr("Also show each layer after its attention, or not")}};
}

std::vector<ViewCommand> LensView::commands() {
  std::vector<ViewCommand> commands;
  for (int i = 0; i < color_->count(); ++i)
    commands.push_back(
        {.name = tr("Logit lens › %1").arg(color_->itemText(i)),
         .meaning = tr("Colour the cells of the logit lens by %1").arg(color_->itemText(i)),
         .is_on = color_->currentIndex() == i,
         .run = [this, i] {
           color_->setCurrentIndex(i);
           emit view_asked(QStringLiteral("lens"));
         }});
  return commands;
}

QJsonObject LensView::options() const {
  return {{QStringLiteral("color"), color_->currentIndex()},
          {QStringLiteral("attention"), mid_->isChecked()}};
}

void LensView::set_options(const QJsonObject& options) {
  if (const auto color = whole_option(options, "color", 0, color_->count() - 1))
    color_->setCurrentIndex(*color);
  if (const auto mid = flag_option(options, "attention")) mid_->setChecked(*mid);
}

ViewEntry lens_entry() {
  return {.name = "lens",
          .title = LensView::tr("Logit lens"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_2),
          .group = ViewGroup::kInside,
          .meaning = LensView::tr("Show what the model would say after each layer"),
          .look_at = LensView::tr("Read a column upwards: see in which layer the answer appears."),
          .document = "explore.md",
          .options = {{"--positions"}, {"--title"}, {"--no-title"}},
          .make = make_view<LensView>};
}

}  // namespace attn::gui

#include "moc_lens_view.cpp"
