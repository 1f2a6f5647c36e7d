// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/knock_out/knock_out_view.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/next_token.h"
#include "gui/models/run_control.h"
#include "gui/models/text.h"
#include "gui/widgets/text/token_label.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr size_t kBestTokens = 5;  // likeliest tokens that are taken from each distribution

Tokens token_views(const InsideRequest& inside, const std::vector<int32_t>& ids) {
  auto tokens = std::make_shared<std::vector<TokenView>>();
  for (const int32_t id : ids) tokens->push_back({id, inside.run.source->token_text(id)});
  return tokens;
}

Tokens first_of(const Tokens& tokens, int64_t count) {
  if (std::ssize(*tokens) <= count) return tokens;
  return std::make_shared<const std::vector<TokenView>>(tokens->begin(), tokens->begin() + count);
}

// Puts into `result` the likeliest tokens of its row before and after the change, with both of
// their probabilities. False: it was cancelled.
bool compute_bars(const InsideRequest& inside, const ExploredRun& changed, KnockOutBars& result,
                  const Execution& execution) {
  SamplingParams plain;
  plain.temperature = 1;
  std::map<int32_t, size_t> place;
  for (const bool is_after : {false, true}) {
    const ResidualRecord& record = is_after ? *changed.residual : *inside.run.residual;
    Tensor logits;
    if (!own_logits(inside.model(), record, result.row, 1, logits, execution)) return false;
    const NextToken next = next_token(logits.span<float>(), plain, result.row + 1, logits.dim(1));
    for (size_t i = 0; i < std::min(kBestTokens, next.choices.size()); ++i)
      if (const int32_t token = next.choices[i].token; !place.contains(token)) {
        place[token] = result.bars.size();
        result.bars.push_back({token, quoted_text(inside, token), 0, 0});
      }
    for (const TokenChoice& choice : next.choices)
      if (is_after && place.contains(choice.token))
        result.bars[place[choice.token]].after = choice.plain;
  }
  Tensor logits;
  if (!own_logits(inside.model(), *inside.run.residual, result.row, 1, logits, execution))
    return false;
  for (const TokenChoice& choice :
       next_token(logits.span<float>(), plain, result.row + 1, logits.dim(1)).choices)
    if (place.contains(choice.token)) result.bars[place[choice.token]].before = choice.plain;
  std::ranges::stable_sort(result.bars, std::ranges::greater(), &KnockOutBar::before);
  return true;
}

}  // namespace

KnockOutView::KnockOutView(const ViewContext& context, QWidget* parent)
    : ExploreView(context, tr("Knock-out"), tr("The request with some of its heads switched off"),
                  parent),
      with_(new QComboBox),
      join_(new QPushButton(tr("Add to the run"))) {
  with_->setAccessibleName(tr("What is put in place of a head"));
  with_->setToolTip(
      tr("What is put in place of the output of a head: zero, its mean over the "
         "prompt, or what another request has at the same position"));
  with_->addItem(tr("zero"), -2);
  with_->addItem(tr("its mean"), -1);
  join_->setToolTip(
      tr("Add the changed request to the run, so that the other views can show it (J)"));
  header().add_control(with_);
  header().add_control(join_);
  header().set_leaving({with_, join_});
  connect(join_, &QPushButton::clicked, this, &KnockOutView::add_to_run);
  connect(&inside().what_if(), &WhatIfList::changed, this, [this] {
    list_trouble_.clear();
    sinkless_.reset();
    refresh_box();
    refresh();
  });
  connect(&inside(), &Inside::changed, this, &KnockOutView::refresh_box);
  refresh_box();
}

// The changes of the list that the shown request does not have already. A request that was added to
// the run has changes of its own.
std::vector<Intervention> KnockOutView::further_changes() const {
  std::vector<Intervention> further = list().list();
  if (const InsideRequest* now = inside_now())
    std::erase_if(further, [now](const Intervention& what) {
      return std::ranges::find(now->request.interventions, what) !=
             now->request.interventions.end();
    });
  return further;
}

// Enables or disables the button, and lists in the box the requests that a head may take its output
// from.
void KnockOutView::refresh_box() {
  const InsideRequest* now = inside_now();
  join_->setEnabled(now && !further_changes().empty() && !bridge().session());
  const auto& snapshot = bridge().snapshot();
  QStringList names;
  std::vector<int64_t> ids;
  if (snapshot && now)
    for (const RequestView& request : snapshot->requests)
      if (request.id != now->request.id && !request.parent) {
        names += tr("from %1").arg(QString::fromStdString(request.name));
        ids.push_back(request.id);
      }
  bool same = with_->count() == 2 + names.size();
  for (int i = 0; same && i < names.size(); ++i) same = with_->itemText(2 + i) == names[i];
  if (same) return;
  const int kept = with_->currentIndex();
  while (with_->count() > 2) with_->removeItem(2);
  for (int i = 0; i < names.size(); ++i)
    with_->addItem(names[i], static_cast<qlonglong>(ids[static_cast<size_t>(i)]));
  with_->setCurrentIndex(std::min(kept, with_->count() - 1));
}

QStringList KnockOutView::tried() const {
  QStringList texts;
  for (const Intervention& what : const_cast<KnockOutView*>(this)->list().list())
    texts += QString::fromStdString(text_of(what));
  return texts;
}

int64_t KnockOutView::row_shown() const {
  const InsideRequest* now = inside_now();
  if (!now || !data_ || data_->result.rows.empty()) return -1;
  auto* self = const_cast<KnockOutView*>(this);
  const int64_t last = std::min(std::ssize(data_->result.rows), self->inside().rows_shown()) - 1;
  const SelectionState& state = selection().state();
  const bool token = state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell;
  if (token && state.request == now->request.id && state.query >= 0)
    return std::min(state.query, last);
  return std::min(is_encoder(*now) ? hidden_place(*now) : now->request.prompt_len - 1, last);
}

bool KnockOutView::is_current() const {
  auto* self = const_cast<KnockOutView*>(this);
  return of_ && of_ == self->inside().now() && of_list_ == self->list().list() &&
         (!data_ || (bars_ && bars_->row == row_shown()));
}

void KnockOutView::ask() {
  const auto of = inside().now();
  const std::vector<Intervention> wanted = list().list();
  if (of_ == of && of_list_ == wanted && data_) return ask_bars(row_shown());
  const auto data = std::make_shared<KnockOutData>();
  data->list = further_changes();
  if (data->list.empty()) {
    of_ = of;
    of_list_ = wanted;
    data_ = nullptr;
    bars_ = nullptr;
    list_trouble_.clear();
    QMetaObject::invokeMethod(
        this, [this] { computed({}); }, Qt::QueuedConnection);
    return;
  }
  inside().compute(
      this,
      [data](const InsideRequest& now, const Execution& execution) {
        auto result = what_if(*now.moment, now.request, now.run, data->list, execution);
        if (!result) return false;
        data->result = std::move(*result);
        data->answer_before = token_views(now, data->result.answer_before);
        data->answer_after = token_views(now, data->result.answer_after);
        for (const WhatIfRow& row : data->result.rows)
          data->texts.push_back({plain_text(now, row.next), plain_text(now, row.best_before),
                                 plain_text(now, row.best_after)});
        return true;
      },
      [this, of, wanted, data](const QString& trouble) {
        of_ = of;
        of_list_ = wanted;
        list_trouble_ = trouble;
        data_ = trouble.isEmpty() ? data : nullptr;
        bars_ = nullptr;
        refresh_box();
        computed({});
      });
}

void KnockOutView::ask_bars(int64_t row) {
  const auto bars = std::make_shared<KnockOutBars>();
  bars->row = row;
  inside().compute(
      this,
      [bars, data = data_](const InsideRequest& now, const Execution& execution) {
        return compute_bars(now, data->result.after, *bars, execution);
      },
      [this, bars](const QString& trouble) {
        bars_ = bars;
        computed(trouble);
      });
}

std::shared_ptr<const ExplorePicture> KnockOutView::make_picture() const {
  const InsideRequest* now = inside_now();
  auto* self = const_cast<KnockOutView*>(this);
  const RequestView* then = self->inside().request_then();
  if (!now || !then) return nullptr;
  KnockOutScene scene;
  scene.layers = now->model().shape().num_layers;
  scene.heads = now->model().shape().num_heads;
  scene.list = self->list().list();
  scene.note = sinkless_note();
  scene.is_encoder = is_encoder(*now);
  const std::vector<Intervention> further = further_changes();
  scene.is_in_request = further.empty() && !scene.list.empty();
  if (of_list_ == scene.list) {
    scene.data = data_;
    scene.bars = bars_;
    scene.trouble = list_trouble_;
  }
  if (scene.data && !scene.is_encoder) {
    const int64_t written = std::ssize(*then->tokens) - then->prompt_len;
    scene.answer_before = first_of(scene.data->answer_before, written);
    scene.answer_after = first_of(scene.data->answer_after, std::max<int64_t>(1, written));
  }
  scene.tokens = scene.is_encoder ? tokens_of_encoder(*now, *then) : then->tokens;
  scene.prompt_len = then->prompt_len;
  scene.rows = self->inside().rows_shown();
  const SelectionState& state = selection().state();
  scene.of_selection =
      (state.kind == SelectionKind::kToken || state.kind == SelectionKind::kCell) &&
      state.request == now->request.id && scene.bars && state.query == scene.bars->row;
  QStringList checks;
  if (scene.data)
    checks +=
        tr("Check: each entry of the list changes at least one number; one that changes none "
           "would be refused.");
  if (scene.data && scene.data->result.stream_rows > 0)
    checks += tr("Check: in layer %1, the first that changes, the stream changes by what its heads "
                 "write now minus what they wrote before, by %2 at most: %3.")
                  .arg(scene.data->result.stream_layer)
                  .arg(QString::number(scene.data->result.stream_largest, 'g', 3),
                       residue_text(scene.data->result.stream_residue));
  if (scene.data && scene.data->result.cut_rows > 0)
    checks += tr("Check: in rows in which only an edge is cut (%1 were checked) the other weights "
                 "are multiplied by 1 ÷ (1 − weight of the edge): %2.")
                  .arg(scene.data->result.cut_rows)
                  .arg(residue_text(scene.data->result.cut_residue));
  PictureFrame framed = frame(checks);
  for (const Intervention& what : further) framed.marks += QString::fromStdString(text_of(what));
  return std::make_shared<KnockOutPicture>(std::move(framed), std::move(scene));
}

void KnockOutView::toggle_head(int64_t layer, int64_t head) {
  Intervention what;
  what.layer = layer;
  what.head = head;
  const auto chosen = with_->currentData().toLongLong();
  what.with = chosen == -2   ? Replacement::kZero
              : chosen == -1 ? Replacement::kMean
                             : Replacement::kRequest;
  if (chosen >= 0) what.request = chosen;
  list().toggle(what);
}

// Cuts the edges of the shown head to the first token, or restores them.
void KnockOutView::toggle_first_token() {
  Intervention what;
  what.kind = InterventionKind::kEdge;
  what.layer = selection().shown_layer();
  what.head = selection().shown_head();
  what.query = -1;
  what.key = 0;
  list().toggle(what);
}

void KnockOutView::toggle_sink() {
  Intervention what;
  what.kind = InterventionKind::kSink;
  what.layer = selection().shown_layer();
  what.head = selection().shown_head();
  if (list().at_place_of(what) || has_sink(what.layer, what.head)) return list().toggle(what);
  // In the list it would refuse the other changes, too.
  sinkless_ = {bridge().snapshot()->run, what.layer, what.head};
  refresh();
}

// True also if it is not known.
bool KnockOutView::has_sink(int64_t layer, int64_t head) const {
  const auto& snapshot = bridge().snapshot();
  return !snapshot || !snapshot->rules || layer >= snapshot->source.num_layers ||
         std::isfinite(snapshot->rules->of(layer).sink(head));
}

QString KnockOutView::sinkless_note() const {
  const auto& snapshot = bridge().snapshot();
  const bool is_shown = sinkless_ && snapshot && sinkless_->run == snapshot->run &&
                        sinkless_->layer == selection().shown_layer() &&
                        sinkless_->head == selection().shown_head();
  return is_shown ? tr("Head %1.%2 has no sink that could be taken out.")
                        .arg(sinkless_->layer)
                        .arg(sinkless_->head)
                  : QString();
}

void KnockOutView::cut_selected_cell() {
  const SelectionState& state = selection().state();
  if (state.kind != SelectionKind::kCell) return;
  Intervention what;
  what.kind = InterventionKind::kEdge;
  what.layer = state.layer;
  what.head = state.head;
  what.query = state.query;
  what.key = state.key;
  list().toggle(what);
}

void KnockOutView::spot_chosen(const Spot& spot) {
  const InsideRequest* now = inside_now();
  if (!now || spot.part != KnockOutPicture::kText) return;
  selection().select(
      {.kind = SelectionKind::kToken, .request = now->request.id, .query = spot.row});
}

void KnockOutView::spot_opened(const Spot& spot) {
  if (spot.part == KnockOutPicture::kHeads) toggle_head(spot.row, spot.column);
  if (spot.part == KnockOutPicture::kList && spot.row < std::ssize(list().list()))
    list().toggle(list().list()[static_cast<size_t>(spot.row)]);
}

void KnockOutView::spot_clicked(const Spot& spot) {
  if (spot.part == KnockOutPicture::kText)
    spot_chosen(spot);
  else
    spot_opened(spot);
}

void KnockOutView::add_to_run() {
  const InsideRequest* now = inside_now();
  const std::vector<Intervention> further = further_changes();
  if (!now || further.empty() || bridge().session()) return;
  const RequestView& request = now->request;
  std::vector<int32_t> prompt;
  for (int64_t i = 0; i < request.prompt_len; ++i)
    prompt.push_back((*request.tokens)[static_cast<size_t>(i)].id);
  ScenarioRequest changed;
  changed.name = request.name;
  changed.prompt = *request.prompt_text;
  changed.sampling = request.sampling;
  const auto& asked = now->moment->scenario->requests;
  const uint32_t root = request.parent.value_or(request.id);
  if (root < asked.size()) changed.max_tokens = asked[root].max_tokens;
  changed.interventions = request.interventions;
  changed.interventions.insert(changed.interventions.end(), further.begin(), further.end());
  QStringList marks;
  for (const Intervention& what : changed.interventions)
    marks += QString::fromStdString(text_of(what));
  changed.name = tr("%1 (%2)")
                     .arg(QString::fromStdString(request.name), marks.join(QStringLiteral("; ")))
                     .toStdString();
  if (RunControl* run = control())
    run->add_to_run(changed, std::move(prompt));
  else
    bridge().add_request(changed, std::move(prompt));
}

void KnockOutView::throw_if_refused() const {
  ExploreView::throw_if_refused();
  if (!list_trouble_.isEmpty())
    throw Error(ErrorCode::kFailed, {list_trouble_.toStdString(), "", "", "", ""});
}

// Kinds and replacements have the names that they have in scenario files.
QJsonObject KnockOutView::options() const {
  QJsonArray entries;
  for (const Intervention& what : const_cast<KnockOutView*>(this)->list().list())
    entries.append(QJsonObject{{QStringLiteral("kind"), text_of(name_of(what.kind))},
                               {QStringLiteral("layer"), static_cast<qint64>(what.layer)},
                               {QStringLiteral("head"), static_cast<qint64>(what.head)},
                               {QStringLiteral("with"), text_of(name_of(what.with))},
                               {QStringLiteral("request"), static_cast<qint64>(what.request)},
                               {QStringLiteral("query"), static_cast<qint64>(what.query)},
                               {QStringLiteral("key"), static_cast<qint64>(what.key)}});
  return {{QStringLiteral("changes"), entries}};
}

void KnockOutView::set_options(const QJsonObject& options) {
  constexpr int kMostNumber = static_cast<int>(kMostTokens) - 1;
  const QJsonValue changes = options.value(QLatin1String("changes"));
  if (!changes.isArray()) return;
  std::vector<Intervention> read;
  for (const QJsonValue& value : changes.toArray()) {
    const QJsonObject entry = value.toObject();
    Intervention what;
    bool is_valid = true;  // a change with an invalid value is left out
    const auto number = [&](const char* key, int low, int64_t& to) {
      if (!entry.contains(QLatin1String(key))) return;
      const auto found = whole_option(entry, key, low, kMostNumber);
      is_valid = is_valid && found.has_value();
      to = found.value_or(to);
    };
    number("layer", 0, what.layer);
    number("head", 0, what.head);
    number("request", 0, what.request);
    number("query", -1, what.query);
    number("key", 0, what.key);
    const QString kind = entry.value(QLatin1String("kind")).toString(),
                  with = entry.value(QLatin1String("with")).toString();
    bool has_kind = false, has_with = with.isEmpty();
    for (const auto each :
         {InterventionKind::kHead, InterventionKind::kEdge, InterventionKind::kSink})
      if (kind == text_of(name_of(each))) {
        what.kind = each;
        has_kind = true;
      }
    for (const auto each : {Replacement::kZero, Replacement::kMean, Replacement::kRequest})
      if (with == text_of(name_of(each))) {
        what.with = each;
        has_with = true;
      }
    if (!is_valid || !has_kind || !has_with) continue;
    if (std::ssize(read) < kMostInterventions) read.push_back(what);
  }
  list().set(std::move(read));
}

bool KnockOutView::take_key(int key) {
  switch (key) {
    case Qt::Key_J:
      add_to_run();
      return true;
    case Qt::Key_X:
      list().clear();
      return true;
    case Qt::Key_S:
      toggle_first_token();
      return true;
    case Qt::Key_L:
      toggle_sink();
      return true;
    case Qt::Key_E:
      cut_selected_cell();
      return true;
    default:
      return false;
  }
}

std::vector<KeyHelp> KnockOutView::own_keys() const {
  return {
      {tr("Click a head, arrow keys and Enter"), tr("Switch this head off, or on again")},
      {tr("Click an entry of the list"), tr("Take this change back")},
      {tr("Click a token"), tr("Show the bars of this token")},
      {tr("E"),
       tr("Cut the selected cell, so that its query does not read its key, or take that back")},
      {tr("S"), tr("Stop the shown head from reading the first token, or take that back")},
      {tr("L"), tr("Take the learned sink of the shown head out of its softmax, or put it back")},
      {tr("X"), tr("Take all changes back")},
      {tr("J"), tr("Add the changed request to the run")}};
}

ViewEntry knock_out_entry() {
  return {.name = "knock_out",
          .title = KnockOutView::tr("Knock-out"),
          .keys = QKeySequence(Qt::ALT | Qt::Key_3),
          .group = ViewGroup::kInside,
          .meaning = KnockOutView::tr("Switch heads off and see what changes"),
          .look_at = KnockOutView::tr(
              "Switch a head off and look at the tokens whose distribution changes most."),
          .document = "explore.md",
          .options = {{.name = "--knock-out",
                       .fits = can_read<knock_out_from_word>,
                       .allowed = "L.H, L.H=0, L.H=mean or L.H=sink, with commas between; each "
                                  "head once; L4H2 is 4.2"},
                      {"--title"},
                      {"--no-title"}},
          .make = make_view<KnockOutView>};
}

}  // namespace attn::gui

#include "moc_knock_out_view.cpp"
