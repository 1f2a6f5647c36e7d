// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/head_lines_view.h"

#include <QJsonArray>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/session/record/head_reader.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/cell_quantity.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/row_cut.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {

namespace {

void set_quietly(QSpinBox* box, int64_t value, int64_t maximum) {
  const QSignalBlocker blocker(box);
  box->setMaximum(static_cast<int>(std::max<int64_t>(0, maximum)));
  box->setValue(static_cast<int>(value));
}

}  // namespace

HeadLinesView::HeadLinesView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      header_(new PanelHeader(tr("Lines"), this)),
      request_box_(new RequestBox(bridge(), selection())),
      layer_box_(new QSpinBox),
      head_box_(new QSpinBox),
      quantity_box_(new QuantityBox(QStringLiteral("W"), [this](Quantity q) { set_quantity(q); })),
      filter_box_(new QComboBox),
      value_box_(new QDoubleSpinBox),
      first_button_(new QToolButton),
      chips_(new HeadChips),
      canvas_(new HeadLinesCanvas) {
  auto* body = new QWidget(this);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(chips_);
  column->addWidget(canvas_, 1);
  stack(header_, body, canvas_);
  add_interventions_line(*this, bridge(), selection());
  setAccessibleName(title());
  build_header();
  connect(&bridge(), &EngineBridge::run_started, this, &HeadLinesView::run_started);
  on_shown([this] { changed(); });
  connect(&bridge(), &EngineBridge::attention_changed, this, &HeadLinesView::changed);
  connect(&bridge(), &EngineBridge::gate_changed, this, &HeadLinesView::changed);
  connect(&selection(), &Selection::shown_changed, this, &HeadLinesView::changed);
  connect(&selection(), &Selection::changed, this, &HeadLinesView::changed);
  connect(&rows_, &LineRows::arrived, this, [this] {
    canvas_->set_data(rows_.shared_data());
    describe();
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    measured_.reset();
    fit_controls();
    changed();
  });
  connect(chips_, &HeadChips::toggled, this, &HeadLinesView::toggle_head);
  connect(canvas_, &HeadLinesCanvas::run_asked, &bridge(), &EngineBridge::run);
  connect(canvas_, &HeadLinesCanvas::window_changed, this, &HeadLinesView::want_rows);
  connect(canvas_, &HeadLinesCanvas::token_chosen, this, &HeadLinesView::select_token);
  connect(canvas_, &HeadLinesCanvas::pointed_changed, this, &HeadLinesView::tell_pointed);
  connect(&selection(), &Selection::pointed_changed, this, &HeadLinesView::read_pointed);
  connect(canvas_, &HeadLinesCanvas::cleared, this, [this] {
    if (scene().locked) selection().clear();
  });
  connect(canvas_, &HeadLinesCanvas::head_toggled, this,
          [this](int head) { toggle_head(head, std::ranges::find(heads_, head) == heads_.end()); });
  connect(canvas_, &HeadLinesCanvas::all_heads_asked, this, [this] {
    std::vector<int64_t> all(static_cast<size_t>(scene().num_heads));
    std::iota(all.begin(), all.end(), 0);
    set_heads(heads_ == all ? std::vector{scene().base.head} : all);
  });
  connect(canvas_, &HeadLinesCanvas::first_token_asked, first_button_, &QToolButton::toggle);
  connect(canvas_, &HeadLinesCanvas::quantity_asked, this,
          [this] { set_quantity(quantity_box_->next()); });
  connect(canvas_, &HeadLinesCanvas::head_step_asked, this,
          [this](int step) { step_head(0, step); });
  connect(canvas_, &HeadLinesCanvas::layer_step_asked, this,
          [this](int step) { step_head(step, 0); });
}

void HeadLinesView::build_header() {
  header_->add_control(request_box_);
  const auto spin = [this](QSpinBox* box, const QString& prefix, const QString& name,
                           const QString& tip) {
    box->setPrefix(prefix);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    header_->add_control(box);
  };
  spin(layer_box_, tr("layer "), tr("Layer"), tr("Attention layer ([ and ])"));
  spin(head_box_, tr("head "), tr("Head"), tr("Attention head (Left and Right)"));
  connect(layer_box_, &QSpinBox::valueChanged, this,
          [this](int layer) { step_head(layer - scene().base.layer, 0); });
  connect(head_box_, &QSpinBox::valueChanged, this,
          [this](int head) { step_head(0, head - scene().base.head); });
  header_->add_control(quantity_box_);
  filter_box_->addItems({tr("weights ≥"), tr("top share")});
  filter_box_->setAccessibleName(tr("Which lines"));
  filter_box_->setToolTip(
      tr("Draw the lines whose numbers reach a threshold, or of each row the largest ones that "
         "make up a share of the sum"));
  value_box_->setAccessibleName(tr("Threshold"));
  first_button_->setAccessibleName(tr("Lines to the first token"));
  set_up_switch(first_button_, tr("First token"), tr("Lines to the first token"),
                tr("Show or hide the lines to the first token (T)"));
  for (QWidget* control : std::initializer_list<QWidget*>{filter_box_, value_box_, first_button_})
    header_->add_control(control);
  connect(filter_box_, &QComboBox::activated, this, [this](int i) {
    LineFilter filter = filter_;
    filter.kind = static_cast<LineFilter::Kind>(i);
    filter.value = filter.kind == LineFilter::Kind::kAtLeast ? least_weight_ : top_mass_;
    set_filter(filter);
  });
  connect(value_box_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    LineFilter filter = filter_;
    filter.value = filter.kind == LineFilter::Kind::kAtLeast ? value : value / 100;
    set_filter(filter);
  });
  connect(first_button_, &QToolButton::toggled, this, [this](bool on) {
    LineFilter filter = filter_;
    filter.without_first = !on;
    set_filter(filter);
  });
  show_filter();
  fit_controls();
}

void HeadLinesView::show_filter() {
  const QSignalBlocker quiet_filter(filter_box_), quiet_value(value_box_),
      quiet_first(first_button_);
  const bool least = filter_.kind == LineFilter::Kind::kAtLeast;
  filter_box_->setCurrentIndex(static_cast<int>(filter_.kind));
  value_box_->setDecimals(least ? 3 : 0);
  value_box_->setRange(least ? 0 : 1, least ? 1 : 100);
  value_box_->setSingleStep(least ? 0.01 : 5);
  value_box_->setSuffix(least ? QString() : QStringLiteral(" %"));
  value_box_->setValue(least ? filter_.value : 100 * filter_.value);
  first_button_->setChecked(!filter_.without_first);
}

void HeadLinesView::fit_controls() {
  const QFontMetrics metrics(Theme::instance().font());
  const int frame = Theme::instance().px(44);
  for (QSpinBox* box : {layer_box_, head_box_})
    box->setFixedWidth(metrics.horizontalAdvance(box->prefix() + QStringLiteral("00")) + frame);
  value_box_->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("0.0000")) + frame);
  fit_to_items(*filter_box_);
  fit_to_items(*quantity_box_);
  const std::initializer_list<QWidget*> leaving{request_box_, first_button_, quantity_box_,
                                                head_box_, layer_box_};
  for (QWidget* control : leaving) control->show();
  for (QWidget* control : leaving) {
    header_->layout()->activate();
    if (header_->layout()->sizeHint().width() <= width()) return;
    control->hide();
  }
}

void HeadLinesView::run_started() {
  rows_.clear();
  heads_.clear();
  lengths_.clear();
  measured_.reset();
  canvas_->set_scene(make_scene());
  changed();
}

void HeadLinesView::changed() {
  if (isVisible()) refresh();
}

// Ensures that the head that the other views show is among those drawn.
void HeadLinesView::read_heads() const {
  const RequestView* view = shown_request(bridge(), selection());
  if (!view || !view->attention) return;
  const int64_t last = view->attention->shape().num_heads - 1;
  const int64_t shown = std::clamp<int64_t>(selection().shown_head(), 0, last);
  std::erase_if(heads_, [&](int64_t head) { return head > last; });
  if (std::ranges::find(heads_, shown) == heads_.end()) heads_ = {shown};
}

void HeadLinesView::read_tokens(const RequestView& request) const {
  if (measured_ != request.attention) {
    measured_ = request.attention;
    measured_tokens_ = 0;
    widest_ = 0;
    if (request.encoder_tokens) {
      std::vector<TokenText> keys;
      for (const TokenView& token : *request.encoder_tokens) keys.push_back(token_text(token.text));
      widest_ = widest_token(keys, PictureLook::read().mono);
    }
  }
  if (!request.tokens) return;
  std::vector<TokenText> fresh;
  for (; measured_tokens_ < request.tokens->size(); ++measured_tokens_)
    fresh.push_back(token_text((*request.tokens)[measured_tokens_].text));
  if (!fresh.empty()) widest_ = std::max(widest_, widest_token(fresh, PictureLook::read().mono));
}

void HeadLinesView::read_selection(HeadLinesScene& scene, const RequestView& request) const {
  const SelectionState& state = selection().state();
  const bool token = state.kind == SelectionKind::kToken, cell = state.kind == SelectionKind::kCell;
  if ((!token && !cell) || state.request != static_cast<int64_t>(request.id)) return;
  if (token && scene.base.is_encoder()) return;  // the rows are the encoder's tokens
  if (state.query < 0 || state.query >= scene.rows()) return;
  LineToken locked{LineSide::kQuery, state.query};
  if (token && last_chosen_.position == state.query && last_chosen_.position < scene.keys())
    locked.side = last_chosen_.side;
  scene.locked = locked;
  if (cell) scene.marked_key = state.key;
}

HeadLinesScene HeadLinesView::make_scene() const {
  HeadLinesScene scene;
  scene.look = PictureLook::read();
  scene.filter = filter_;
  const RequestView* view = shown_request(bridge(), selection());
  if (!view || !view->attention) return scene;
  read_heads();
  read_tokens(*view);
  const AttentionRecord::Shape& shape = view->attention->shape();
  scene.base.record = view->attention;
  scene.base.layer = std::clamp<int64_t>(selection().shown_layer(), 0, shape.num_layers - 1);
  scene.base.head = std::clamp<int64_t>(selection().shown_head(), 0, shape.num_heads - 1);
  scene.past_step = past_step();
  scene.base.rows = rows_shown(*view, scene.past_step ? shown().get() : nullptr);
  scene.heads = heads_;
  if (quantity_ != Quantity::kWeight && refusal_of(quantity_).isEmpty()) {
    scene.base.quantity = quantity_;
    for (const int64_t head : heads_) {
      HeadRef one = scene.base;
      one.head = head;
      scene.lengths.push_back(lengths_.of(one, bridge().snapshot().get()));
    }
  }
  for (int64_t head = 0; head < shape.num_heads; ++head)
    scene.head_colors.push_back(Theme::instance().category_edge(head));
  scene.request_name = QString::fromStdString(view->name);
  scene.num_layers = shape.num_layers;
  scene.num_heads = shape.num_heads;
  scene.num_kv_heads = shape.num_kv_heads;
  scene.prompt_len = view->prompt_len;
  scene.without_query = tokens_without_query(*bridge().snapshot(), *view);
  scene.tokens = view->tokens;
  scene.encoder_tokens = view->encoder_tokens;
  scene.widest_label = widest_;
  read_selection(scene, *view);
  return scene;
}

void HeadLinesView::refresh() {
  request_box_->refresh(shown().get());
  HeadLinesScene scene = make_scene();
  const std::optional<LineToken> locked = scene.locked;
  layer_box_->setPrefix(scene.base.is_encoder() ? tr("encoder layer ") : tr("layer "));
  set_quietly(layer_box_, std::max<int64_t>(0, scene.base.layer), scene.num_layers - 1);
  set_quietly(head_box_, std::max<int64_t>(0, scene.base.head), scene.num_heads - 1);
  if (scene.num_heads > 0)
    chips_->set_heads(scene.num_heads, scene.num_heads / std::max<int64_t>(1, scene.num_kv_heads),
                      scene.head_colors, scene.heads);
  chips_->setVisible(scene.num_heads > 1);
  // If weight × length is shown, the threshold is a share of the number that a line of full width
  // has (LineData::full).
  filter_box_->setItemText(0, scene.shows_weights() ? tr("weights ≥") : tr("share ≥"));
  quantity_box_->show_choice(scene.base.quantity,
                             [this](Quantity quantity) { return refusal_of(quantity); });
  const LineData& read = rows_.data();
  if (read.record == scene.base.record && read.layer == scene.base.layer &&
      read.quantity == scene.base.quantity)
    scene.data = rows_.shared_data();
  canvas_->set_can_run(bridge().gate_state() == RunGate::State::kPaused);
  canvas_->set_scene(std::move(scene));
  if (!(revealed_ == selection().state())) {
    revealed_ = selection().state();
    if (locked) canvas_->set_pointed(std::nullopt, false);
    if (locked) canvas_->reveal(*locked);
    // If all queries are visible anyway, the view scrolls to the key of a selected cell.
    if (revealed_.kind == SelectionKind::kCell && canvas_->queries().is_fit())
      canvas_->reveal({LineSide::kKey, revealed_.key});
  }
  want_rows();
  describe();
}

void HeadLinesView::want_rows() {
  if (!isVisible() || !scene().base.record) return;
  LinesWish wish;
  wish.base = scene().base;
  wish.base.head = 0;
  wish.heads = scene().heads;
  wish.lengths = scene().lengths;
  const LineWindow window = canvas_->window();
  wish.q_begin = window.q_begin;
  wish.q_end = window.q_end;
  if (const auto chosen = scene().chosen())
    (chosen->side == LineSide::kQuery ? wish.row : wish.column) = chosen->position;
  if (wish.column >= scene().keys()) wish.column = -1;
  wish.filter = filter_;
  rows_.want(wish);
}

void HeadLinesView::set_heads(std::vector<int64_t> heads) {
  std::ranges::sort(heads);
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  if (heads.empty()) return refresh();  // the last head cannot be switched off
  heads_ = std::move(heads);
  if (std::ranges::find(heads_, selection().shown_head()) == heads_.end())
    selection().show(selection().shown_request(), selection().shown_layer(), heads_.front());
  refresh();
}

void HeadLinesView::toggle_head(int64_t head, bool on) {
  if (head < 0 || head >= scene().num_heads) return;
  std::vector<int64_t> heads = heads_;
  std::erase(heads, head);
  if (on) heads.push_back(head);
  set_heads(std::move(heads));
}

void HeadLinesView::set_filter(const LineFilter& filter) {
  filter_ = filter;
  (filter.kind == LineFilter::Kind::kAtLeast ? least_weight_ : top_mass_) = filter.value;
  show_filter();
  refresh();
}

QString HeadLinesView::refusal_of(Quantity quantity) const {
  return refusal_of_quantity(quantity, selection().shown_layer(), bridge().snapshot().get());
}

void HeadLinesView::set_quantity(Quantity quantity) {
  quantity_ = quantity;
  refresh();
}

void HeadLinesView::select_token(int side, int64_t position) {
  const RequestView* view = shown_request(bridge(), selection());
  if (!view) return;
  last_chosen_ = {static_cast<LineSide>(side), position};
  // In cross attention a key is not a token of the sequence.
  if (last_chosen_.side == LineSide::kKey && !scene().keys_are_tokens()) return;
  if (scene().base.is_encoder()) {
    // In an encoder's layer a token is not one of the request, so it is selected as the query or
    // the key of a cell.
    const bool is_key = last_chosen_.side == LineSide::kKey;
    if (is_key && !scene().locked) return;
    const int64_t key = scene().marked_key >= 0 ? scene().marked_key : position;
    return selection().select({.kind = SelectionKind::kCell,
                               .request = view->id,
                               .layer = scene().base.layer,
                               .head = scene().base.head,
                               .query = is_key ? scene().locked->position : position,
                               .key = is_key ? position : key});
  }
  SelectionState state;
  state.kind = SelectionKind::kToken;
  state.request = view->id;
  state.query = position;
  revealed_ = state;
  if (selection().state() == state) return refresh();  // the same token, maybe in the other column
  selection().select(state);
}

void HeadLinesView::tell_pointed() {
  const RequestView* view = shown_request(bridge(), selection());
  const std::optional<LineToken>& token = scene().pointed;
  if (!view || !token) return selection().point({});
  const bool is_key = token->side == LineSide::kKey;
  const bool of_encoder = scene().base.is_encoder();
  selection().point({.request = view->id,
                     .query = is_key ? -1 : token->position,
                     .key = is_key ? token->position : -1,
                     .of_encoder = is_key && (of_encoder || !scene().keys_are_tokens()),
                     .query_of_encoder = !is_key && of_encoder});
}

void HeadLinesView::read_pointed() {
  if (!isVisible()) return;
  const PointedState& state = selection().pointed();
  const RequestView* view = shown_request(bridge(), selection());
  const bool ours = view && state.request == static_cast<int64_t>(view->id);
  std::optional<LineToken> token;
  const bool of_encoder = scene().base.is_encoder();
  if (ours && state.query >= 0 && state.query < scene().rows() &&
      state.query_of_encoder == of_encoder)
    token = {LineSide::kQuery, state.query};
  else if (ours && state.key >= 0 && state.key < scene().keys() &&
           state.of_encoder == (of_encoder || !scene().keys_are_tokens()))
    token = {LineSide::kKey, state.key};
  canvas_->set_pointed(token, false);
}

void HeadLinesView::step_head(int64_t layers, int64_t heads) {
  selection().show_head(scene().base.layer + layers, scene().base.head + heads, scene().num_layers,
                        scene().num_heads);
}

void HeadLinesView::describe() {
  QString text = tr("Nothing computed yet");
  if (scene().rows() > 0) {
    text = tr("%1, layer %2, head %3, %4. ")
               .arg(scene().request_name)
               .arg(layer_words(scene().base.layer, scene().base.is_encoder()))
               .arg(scene().base.head)
               .arg(counted(scene().rows(), tr("1 token"), tr("%1 tokens")));
    text += lines_sentence(scene(), canvas_->shown());
  }
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> HeadLinesView::key_help() const {
  return {{tr("Point at a token"), tr("Show only the lines of this token, with their numbers")},
          {tr("Click, Enter"),
           tr("Lock and select the token (in cross attention only a query); again: unlock it")},
          {tr("Esc"), tr("Unlock the token")},
          {tr("Up, Down, Page up, Page down"), tr("Previous and next token")},
          {tr("S"), tr("Go to the same position on the other side")},
          {tr("Left, Right, . and ,"), tr("Previous and next head")},
          {tr("[ and ]"), tr("Previous and next layer")},
          {tr("0 to 9, A"),
           tr("Add or remove the lines of a head (number); all heads, or only the shown one (A)")},
          {tr("T"), tr("Show or hide the lines to the first token")},
          {tr("W"),
           tr("Show the next number that can be shown: weight, weight × |v| or weight × |W_O v|")},
          {tr("Ctrl+wheel, + and −"), tr("Zoom at the pointer (wheel), at the middle (keys)")},
          {tr("Wheel, middle drag"), tr("Scroll")},
          {tr("Double-click beside the tokens, F, Home"), tr("Show everything")}};
}

void HeadLinesView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

void HeadLinesView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  fit_controls();
}

QJsonObject HeadLinesView::options() const {
  QJsonArray heads;
  for (const int64_t head : heads_) heads.append(static_cast<int>(head));
  return {{QStringLiteral("heads"), heads},
          {QStringLiteral("quantity"), QString::fromStdString(std::string(word_of(quantity_)))},
          {QStringLiteral("filter"), static_cast<int>(filter_.kind)},
          {QStringLiteral("least_weight"), least_weight_},
          {QStringLiteral("top_mass"), top_mass_},
          {QStringLiteral("without_first"), filter_.without_first}};
}

void HeadLinesView::set_options(const QJsonObject& options) {
  if (const auto least = real_option(options, "least_weight", 0, 1)) least_weight_ = *least;
  if (const auto mass = real_option(options, "top_mass", 0, 1)) top_mass_ = *mass;
  LineFilter filter = filter_;
  if (const auto kind = whole_option(options, "filter", 0, 1))
    filter.kind = static_cast<LineFilter::Kind>(*kind);
  filter.value = filter.kind == LineFilter::Kind::kAtLeast ? least_weight_ : top_mass_;
  if (const auto without = flag_option(options, "without_first")) filter.without_first = *without;
  const auto quantity =
      quantity_from_word(options.value(QLatin1String("quantity")).toString().toStdString());
  if (quantity && (is_written(*quantity) || *quantity == Quantity::kWeight)) quantity_ = *quantity;
  set_filter(filter);
  const auto& snapshot = bridge().snapshot();
  std::vector<int64_t> heads;
  for (const QJsonValue& value : options.value(QLatin1String("heads")).toArray()) {
    const int head = value.toInt(-1);
    if (snapshot && head >= 0 && head < snapshot->source.num_heads) heads.push_back(head);
  }
  // If the shown head is not among the saved heads, they are not used.
  if (std::ranges::find(heads, selection().shown_head()) != heads.end())
    set_heads(std::move(heads));
}

void HeadLinesView::choose(const ViewChoices& choices) {
  quantity_ = written_choice(choices.quantity, [this](Quantity q) {
                return refusal_of(q);
              }).value_or(quantity_);
  if (!choices.heads.empty()) set_heads({choices.heads.begin(), choices.heads.end()});
  LineFilter filter = filter_;
  if (const auto keep = keep_from_word(choices.keep)) {
    const bool share = keep->kind == Keep::Kind::kShare;
    filter.kind = share ? LineFilter::Kind::kTopMass : LineFilter::Kind::kAtLeast;
    filter.value = share ? keep->percent / 100.0 : static_cast<double>(keep->least);
  }
  if (choices.no_first_token) filter.without_first = true;
  if (filter != filter_) set_filter(filter);
  if (!choices.positions) return;
  const int64_t first = choices.positions->first, last = choices.positions->second;
  check_exported(first, last, figure_positions());
  FigureLook look = figure();
  look.positions = choices.positions;
  set_figure(look);
  // The canvas gets its size when the window is shown.
  QTimer::singleShot(0, canvas_, [this, first, last] { canvas_->show_positions(first, last); });
}

ViewEntry head_lines_entry() {
  return {.name = "lines",
          .title = HeadLinesView::tr("Lines"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_2),
          .group = ViewGroup::kAttention,
          .meaning = HeadLinesView::tr("Show the lines from tokens to the tokens they read"),
          .look_at = HeadLinesView::tr("Point at a token on the left: its lines lead to tokens "
                                       "that it reads, stronger for larger numbers."),
          .document = "heads.md",
          .at_start = AtStart::kNothing,
          .run_order = 7,
          .options = {{"--heads"},
                      {.name = "--quantity", .uses = is_of_many_heads},
                      {"--keep"},
                      {"--no-first-token"},
                      {"--positions"},
                      {"--title"},
                      {"--no-title"}},
          .make = make_view<HeadLinesView>};
}

}  // namespace attn::gui

#include "moc_head_lines_view.cpp"
