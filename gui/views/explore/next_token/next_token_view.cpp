// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/next_token/next_token_view.h"

#include <algorithm>

#include "engine/explore/logit_lens.h"
#include "engine/model/tokenizer/mask_token.h"
#include "gui/models/run_control.h"
#include "gui/widgets/text/token_label.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr int64_t kNextTokenBars = 10;

std::vector<int32_t> ids_of(const std::vector<TokenView>& tokens) {
  std::vector<int32_t> ids;
  for (const TokenView& token : tokens) ids.push_back(token.id);
  return ids;
}

bool compute(const InsideRequest& inside, int64_t position, NextTokenData& data,
             const Execution& execution) {
  Model& model = inside.model();
  const ResidualRecord& record = *inside.run.residual;
  const RequestView& request = inside.request;
  const std::vector<int32_t> tokens = ids_of(*request.tokens);
  data.position = position;
  const bool in_place = is_encoder(inside);
  if (!(in_place ? tokens_in_place : past_tokens)(model, record, tokens, 0, inside.rows(),
                                                  data.past, execution))
    return false;
  Tensor logits;
  if (!own_logits(model, record, in_place ? position : position - 1, 1, logits, execution))
    return false;
  // A beam search takes its best tokens without a temperature, and an encoder draws none.
  const bool is_beam = request.beam_width > 1;
  SamplingParams sampling = request.sampling;
  if (is_beam) sampling.temperature = 1;
  if (in_place) {
    sampling = {};
    sampling.temperature = 1;
  }
  data.next = next_token(logits.span<float>(), sampling, position, kNextTokenBars,
                         in_place ? std::vector<int32_t>{} : model.suppressed_tokens());
  for (const TokenChoice& choice : data.next.choices) {
    data.texts.push_back(quoted_text(inside, choice.token));
    data.plain_texts.push_back(plain_text(inside, choice.token));
  }
  data.drawn_text = quoted_text(inside, data.next.token);
  if (is_beam || in_place) return true;
  data.drawn_before = std::max<int64_t>(0, std::ssize(tokens) - request.prompt_len);
  return draw_again(model, record, tokens, request.prompt_len, data.drawn_before, request.sampling,
                    data.redrawn, execution);
}

}  // namespace

NextTokenView::NextTokenView(const ViewContext& context, QWidget* parent)
    : ExploreView(context, tr("Next token"), tr("The distribution of the next token"), parent),
      rank_(new QToolButton),
      go_on_(new QAction(tr("New request with this token in this place"), this)) {
  addAction(go_on_);  // an entry of the context menu
  connect(go_on_, &QAction::triggered, this, [this] {
    if (token_at_ >= 0) go_on_with(token_at_);
  });
  set_up_switch(
      rank_, tr("Rank"), tr("Colour the text by rank"),
      tr("Colour the tokens of the text by their ranks instead of their log-probabilities (C)"));
  rank_->setChecked(false);
  connect(rank_, &QToolButton::toggled, this, &NextTokenView::refresh);
  connect(&bridge(), &EngineBridge::snapshot_changed, this, &NextTokenView::follow_new_request);
  connect(&bridge(), &EngineBridge::run_started, this, [this] { newest_.reset(); });
  header().add_control(rank_);
}

// The position to explain: that of the selected token of this request (1 for token 0), else the one
// after the last shown row. Of an encoder: that of the selected token, else the one that
// hidden_place() gives.
int64_t NextTokenView::position_shown() const {
  auto* self = const_cast<NextTokenView*>(this);
  const int64_t rows = self->inside().rows_shown();
  const SelectionState& state = selection().state();
  const bool token = state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell;
  const InsideRequest* now = inside_now();
  if (now && is_encoder(*now)) {
    if (token && state.request == now->request.id && state.query >= 0 && state.query < rows)
      return state.query;
    return std::min(hidden_place(*now), rows - 1);
  }
  if (!token || !now || state.request != now->request.id || state.query < 0 || state.query > rows)
    return rows;
  return std::max<int64_t>(1, state.query);
}

bool NextTokenView::is_current() const {
  auto* self = const_cast<NextTokenView*>(this);
  return data_ && of_ == self->inside().now() && data_->position == position_shown();
}

void NextTokenView::ask() {
  const auto of = inside().now();
  const auto data = std::make_shared<NextTokenData>();
  inside().compute(
      this,
      [data, position = position_shown()](const InsideRequest& now, const Execution& execution) {
        return compute(now, position, *data, execution);
      },
      [this, of, data](const QString& trouble) {
        if (trouble.isEmpty()) {
          of_ = of;
          data_ = data;
        }
        computed(trouble);
      });
}

std::shared_ptr<const ExplorePicture> NextTokenView::make_picture() const {
  const InsideRequest* now = inside_now();
  const RequestView* then = const_cast<NextTokenView*>(this)->inside().request_then();
  if (!now || !data_ || !then) return nullptr;
  NextTokenScene scene;
  scene.data = data_;
  scene.tokens = then->tokens;
  scene.prompt_len = then->prompt_len;
  scene.is_beam = now->request.beam_width > 1;
  scene.is_encoder = is_encoder(*now);
  scene.temperature = now->request.sampling.temperature;
  scene.top_k = now->request.sampling.top_k;
  scene.top_p = now->request.sampling.top_p;
  scene.color = rank_->isChecked() ? PastColor::kRank : PastColor::kLogProbability;
  const SelectionState& state = selection().state();
  scene.of_selection =
      (state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell) &&
      state.request == now->request.id && state.query == data_->position;
  if (data_->position < std::ssize(*scene.tokens))
    scene.actual = (*scene.tokens)[static_cast<size_t>(data_->position)].id;
  if (scene.is_encoder) {
    scene.is_masked = scene.actual == mask_token(now->model().tokenizer());
    scene.tokens = tokens_of_encoder(*now, *then);
  }
  QString check = tr("Check: each column of probabilities sums to 1 (%1).")
                      .arg(residue_text(data_->next.residue));
  if (data_->drawn_before > 0 && !past_step())
    check += tr(" Drawn again by the sampler, %1 of the %2 tokens of the answer are the same.")
                 .arg(data_->redrawn)
                 .arg(data_->drawn_before);
  return std::make_shared<NextTokenPicture>(frame({check}), std::move(scene));
}

void NextTokenView::spot_chosen(const Spot& spot) {
  const InsideRequest* now = inside_now();
  if (!now || spot.part != NextTokenPicture::kText) return;
  selection().select(
      {.kind = SelectionKind::kToken, .request = now->request.id, .query = spot.row});
}

void NextTokenView::spot_opened(const Spot& spot) {
  if (spot.part == NextTokenPicture::kBars && data_)
    go_on_with(data_->next.choices[static_cast<size_t>(spot.row)].token);
}

void NextTokenView::go_on_with(int32_t token) {
  const InsideRequest* now = inside_now();
  if (!now || !data_) return;
  const RequestView& request = now->request;
  std::vector<int32_t> prompt = ids_of(*request.tokens);
  if (is_encoder(*now)) {
    prompt.resize(static_cast<size_t>(now->rows()));
    prompt[static_cast<size_t>(data_->position)] = token;
  } else {
    prompt.resize(static_cast<size_t>(data_->position));
    prompt.push_back(token);
  }
  ScenarioRequest next;
  next.name = tr("%1, %2 at %3")
                  .arg(QString::fromStdString(request.name), quoted_text(*now, token))
                  .arg(data_->position)
                  .toStdString();
  next.prompt = now->run.source->decode(prompt);
  const auto& asked = now->moment->scenario->requests;
  const uint32_t root = request.parent.value_or(request.id);
  if (root < asked.size()) next.max_tokens = asked[root].max_tokens;
  next.sampling = request.sampling;
  next.interventions = request.interventions;
  const auto& snapshot = bridge().snapshot();
  newest_ = snapshot->requests.empty() ? -1 : static_cast<int64_t>(snapshot->requests.back().id);
  if (RunControl* run = control())
    run->add_to_run(next, std::move(prompt));
  else
    bridge().add_request(next, std::move(prompt));
}

void NextTokenView::follow_new_request() {
  const auto& snapshot = bridge().snapshot();
  if (!newest_ || past_step() || !snapshot || snapshot->requests.empty()) return;
  const auto id = static_cast<int64_t>(snapshot->requests.back().id);
  if (id <= *newest_) return;
  newest_.reset();
  selection().clear();
  selection().show(id, selection().shown_layer(), selection().shown_head());
}

ViewPoint NextTokenView::point_at(const QPoint& position) {
  const auto spot = canvas().spot_at(canvas().mapFrom(this, position));
  const bool is_bar = spot && spot->part == NextTokenPicture::kBars && data_;
  token_at_ = is_bar ? data_->next.choices[static_cast<size_t>(spot->row)].token : -1;
  go_on_->setVisible(is_bar);
  return ExploreView::point_at(position);
}

bool NextTokenView::take_key(int key) {
  if (key != Qt::Key_C) return false;
  rank_->toggle();
  return true;
}

std::vector<KeyHelp> NextTokenView::own_keys() const {
  return {
      {tr("Click a token, Left, Right"),
       tr("Explain this token, or the token before or after it; a decoder begins with token 1")},
      {tr("Click a bar, Up, Down"), tr("Move along the bars")},
      {tr("Double-click a bar, Enter"),
       tr("Begin a new request with this token in this place (not in a recorded run)")},
      {tr("C"), tr("Colour the text by log-probability or by rank")}};
}

std::vector<ViewCommand> NextTokenView::commands() {
  const auto command = [this](const QString& name, const QString& meaning, bool ranks) {
    return ViewCommand{.name = name,
                       .meaning = meaning,
                       .is_on = rank_->isChecked() == ranks,
                       .run = [this, ranks] {
                         rank_->setChecked(ranks);
                         emit view_asked(QStringLiteral("next_token"));
                       }};
  };
  return {command(tr("Next token › Log-probability"),
                  tr("Colour the tokens by their log-probabilities"), false),
          command(tr("Next token › Rank"), tr("Colour the tokens by their ranks"), true),
          {.name = tr("Next token › Fork the request…"),
           .meaning =
               tr("Choose a bar and press Enter for a new request with that token in this place"),
           .run = [this] {
             inside().set_on(true);
             emit view_asked(QStringLiteral("next_token"));
           }}};
}

QJsonObject NextTokenView::options() const {
  return {{QStringLiteral("rank"), rank_->isChecked()}};
}

void NextTokenView::set_options(const QJsonObject& options) {
  if (const auto rank = flag_option(options, "rank")) rank_->setChecked(*rank);
}

ViewEntry next_token_entry() {
  return {.name = "next_token",
          .title = NextTokenView::tr("Next token"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_1),
          .group = ViewGroup::kInside,
          .meaning = NextTokenView::tr("Show how likely tokens are in a place of the text"),
          .look_at = NextTokenView::tr("Compare the longest bar with the token of the text: the "
                                       "likeliest one is not always drawn."),
          .document = "explore.md",
          .options = {{"--title"}, {"--no-title"}},
          .chooses_fork = true,
          .make = make_view<NextTokenView>};
}

}  // namespace attn::gui

#include "moc_next_token_view.cpp"
