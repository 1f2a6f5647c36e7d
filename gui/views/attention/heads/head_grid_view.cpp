// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_grid_view.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/cell_quantity.h"
#include "gui/views/attention/weight_look.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {

namespace {

// Thumbnails of an export are for at least this many device pixels per px, up to kTileSide a side.
constexpr double kDrawingPixels = 2;

void choose_quietly(QComboBox* box, int index) {
  const QSignalBlocker blocker(box);
  box->setCurrentIndex(index);
}

int place_of(HeadScore score) {
  return static_cast<int>(std::ranges::find(kHeadScores, score) - kHeadScores.begin());
}

}  // namespace

HeadGridView::HeadGridView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      header_(new PanelHeader(tr("Heads"), this)),
      request_box_(new RequestBox(bridge(), selection())),
      order_box_(new QComboBox),
      score_box_(new QComboBox),
      across_box_(new QComboBox),
      entropy_box_(new QComboBox),
      scale_box_(new QComboBox),
      reduce_box_(new QComboBox),
      quantity_box_(new QuantityBox(QStringLiteral("W"), [this](Quantity q) { set_quantity(q); })),
      texts_(new HeadTexts(inside(), bridge(), this)),
      canvas_(new HeadGridCanvas(this)) {
  stack(header_, canvas_, canvas_);
  add_interventions_line(*this, bridge(), selection());
  setAccessibleName(title());
  build_header();
  connect(&bridge(), &EngineBridge::run_started, this, &HeadGridView::run_started);
  on_shown([this] { changed(); });
  connect(&bridge(), &EngineBridge::attention_changed, this, &HeadGridView::changed);
  connect(&bridge(), &EngineBridge::gate_changed, this, &HeadGridView::changed);
  connect(&selection(), &Selection::shown_changed, this, &HeadGridView::changed);
  connect(&stats_, &HeadStats::arrived, this, [this] {
    canvas_->set_summaries(stats_.summaries(), stats_.behind());
    describe();
  });
  connect(&Theme::instance(), &Theme::changed, this, &HeadGridView::fit_controls);
  connect(canvas_, &HeadGridCanvas::run_asked, &bridge(), &EngineBridge::run);
  connect(canvas_, &HeadGridCanvas::head_chosen, this, &HeadGridView::open_head);
  connect(canvas_, &HeadGridCanvas::cursor_moved, this, &HeadGridView::describe);
  connect(canvas_, &HeadGridCanvas::level_changed, this, &HeadGridView::changed,
          Qt::QueuedConnection);
  connect(canvas_, &HeadGridCanvas::choice_asked, this, &HeadGridView::choose_by_key);
  connect(canvas_, &HeadGridCanvas::cancel_asked, texts_, &HeadTexts::cancel);
  connect(texts_, &HeadTexts::changed, this, &HeadGridView::refresh);
  connect(canvas_, &HeadGridCanvas::head_step_asked, this,
          [this](int step) { step_head(0, step); });
  connect(canvas_, &HeadGridCanvas::layer_step_asked, this,
          [this](int step) { step_head(step, 0); });
}

void HeadGridView::build_header() {
  order_box_->addItem(tr("by layer"));
  for (const HeadScore score : kHeadScores) {
    order_box_->addItem(tr("by %1").arg(name_of(score)));
    score_box_->addItem(name_of(score));
    across_box_->addItem(tr("→ %1").arg(name_of(score)));
  }
  order_box_->addItem(tr("as points"));
  entropy_box_->addItems({tr("entropy in nats"), tr("entropy ÷ ln n")});
  for (const ColorScale::Kind kind : {ColorScale::Kind::kLinear, ColorScale::Kind::kLog})
    scale_box_->addItem(name_of(kind));
  reduce_box_->addItems({tr("max"), tr("mean")});
  const auto add = [this](QComboBox* box, const QString& name, const QString& tip, auto&& act) {
    box->setAccessibleName(name);
    box->setToolTip(tip);
    connect(box, &QComboBox::activated, this, act);
    header_->add_control(box);
  };
  header_->add_control(request_box_);
  add(order_box_, tr("Arrangement"),
      tr("Arrange the heads by layer, rank them by a score, or show them as points over two scores "
         "(O)"),
      [this](int i) { choose_order(i); });
  add(score_box_, tr("Score"),
      tr("Choose the score that stands below the heads or in bold beside them, or sets the "
         "height of the points (S)"),
      [this](int i) { set_score(kHeadScores[static_cast<size_t>(i)]); });
  add(across_box_, tr("Score to the right"),
      tr("Points: the more to the right, the larger this score (A)"),
      [this](int i) { set_points(kHeadScores[static_cast<size_t>(i)]); });
  add(entropy_box_, tr("Entropy"),
      tr("Entropy in nats, or divided by the largest possible entropy of the row, ln(visible keys) "
         "(E)"),
      [this](int i) { set_relative(i == 1); });
  add(scale_box_, tr("Scale"),
      tr("Scale of the colours (L). A log scale makes small numbers visible"),
      [this](int i) { set_scale(static_cast<ColorScale::Kind>(i)); });
  add(reduce_box_, tr("Block value"),
      tr("The value of a dot that stands for several cells: their maximum or their mean (M)"),
      [this](int i) { set_reduce(static_cast<Reduce>(i)); });
  header_->add_control(quantity_box_);
  header_->add_control(texts_->button());
  choose_quietly(score_box_, place_of(score_));
  fit_controls();
}

void HeadGridView::fit_controls() {
  for (QComboBox* box :
       {order_box_, score_box_, across_box_, entropy_box_, scale_box_, reduce_box_})
    fit_to_items(*box);
  fit_to_items(*quantity_box_);
  quantity_box_->show();
  texts_->button()->show();
  across_box_->setVisible(across_.has_value());
  reduce_box_->setVisible(canvas_->level() > 0);
  score_box_->setVisible(!order_);
  for (QComboBox* box : {entropy_box_, scale_box_}) box->show();
  for (QWidget* control :
       std::initializer_list<QWidget*>{reduce_box_, scale_box_, entropy_box_, quantity_box_,
                                       texts_->button(), across_box_, score_box_}) {
    header_->layout()->activate();
    if (header_->layout()->sizeHint().width() <= width()) return;
    control->hide();
  }
}

void HeadGridView::run_started() {
  stats_.clear();
  lengths_.clear();
  canvas_->set_scene(make_scene());
  changed();
}

void HeadGridView::changed() {
  if (isVisible()) refresh();
}

namespace {

QString word_of_change(const Intervention& what) {
  if (what.kind == InterventionKind::kEdge) return HeadGridView::tr("edge cut");
  if (what.kind == InterventionKind::kSink) return HeadGridView::tr("no sink");
  if (what.with == Replacement::kZero) return HeadGridView::tr("off");
  return what.with == Replacement::kMean ? HeadGridView::tr("mean") : HeadGridView::tr("replaced");
}

// The changed heads by layer * heads + head. If a head has several interventions, its word is that
// of the first one that replaces its output, or if none does, that of the first one.
std::map<int64_t, ChangedHead> changed_heads(const RequestView& request, int64_t heads) {
  std::map<int64_t, ChangedHead> changed;
  for (const Intervention& what : request.interventions) {
    if (what.kind == InterventionKind::kResidual) continue;
    ChangedHead& head = changed[what.layer * heads + what.head];
    const bool output = what.kind == InterventionKind::kHead;
    if (head.word.isEmpty() || (output && !head.output)) head.word = word_of_change(what);
    head.output = head.output || output;
    if (!head.text.isEmpty()) head.text += QLatin1Char('\n');
    head.text += QString::fromStdString(text_of(what));
  }
  return changed;
}

}  // namespace

HeadGridScene HeadGridView::make_scene() const {
  HeadGridScene scene;
  scene.look = PictureLook::read();
  scene.order = order_;
  scene.across = across_;
  scene.score = score_;
  scene.relative = relative_;
  scene.thumb = {canvas_->level(), reduce_};
  scene.map = map_;
  scene.scale = scale_;
  scene.texts = texts_->shown();
  scene.state_line = texts_->state_line();
  const RequestView* view = own_request();
  if (!view || !view->attention) return scene;
  const AttentionRecord::Shape& shape = view->attention->shape();
  scene.request_name = QString::fromStdString(view->name);
  scene.num_layers = shape.num_layers;
  scene.num_heads = shape.num_heads;
  scene.num_kv_heads = shape.num_kv_heads;
  scene.changed = changed_heads(*view, shape.num_heads);
  scene.shown =
      std::clamp<int64_t>(selection().shown_layer(), 0, shape.num_layers - 1) * shape.num_heads +
      std::clamp<int64_t>(selection().shown_head(), 0, shape.num_heads - 1);
  if (!repeated_ || repeated_of_ != view->tokens) {
    repeated_ = std::make_shared<const RepeatedTokens>(repeated_tokens_of(*view));
    repeated_of_ = view->tokens;
  }
  scene.past_step = past_step();
  const EngineSnapshot* past = scene.past_step ? shown().get() : nullptr;
  scene.heads = {view->attention, rows_known(*view, past), repeated_};
  if (const RequestView* encoder = view->encoder.get(); encoder && encoder->attention) {
    if (!encoder_repeated_ || encoder_repeated_of_ != encoder->tokens) {
      encoder_repeated_ = std::make_shared<const RepeatedTokens>(repeated_tokens_of(*encoder));
      encoder_repeated_of_ = encoder->tokens;
    }
    scene.heads.encoder = encoder->attention;
    scene.heads.encoder_rows = rows_known(*encoder, past);
    scene.heads.encoder_repeated = encoder_repeated_;
  }
  if (quantity_ == Quantity::kWeight || !refusal_of(quantity_).isEmpty()) return scene;
  scene.heads.quantity = scene.thumb.quantity = quantity_;
  std::vector<std::shared_ptr<KeyLengths>> lengths;
  for (int64_t index = 0; index < scene.heads.count(); ++index)
    lengths.push_back(lengths_.of(scene.heads.head(index), bridge().snapshot().get()));
  scene.heads.lengths = std::move(lengths);
  return scene;
}

// The request itself, not as one layer sees it, because the view shows all layers.
const RequestView* HeadGridView::own_request() const {
  const RequestView* view = shown_request(bridge(), selection());
  return view ? request_by_id(*bridge().snapshot(), view->id) : nullptr;
}

void HeadGridView::refresh() {
  const auto& snapshot = bridge().snapshot();
  if (snapshot && snapshot->scenario && snapshot->run != seen_run_) {
    seen_run_ = snapshot->run;
    const ScenarioView& view = snapshot->scenario->view;
    if (const auto map = color_map_from_name(view.color_map)) map_ = *map;
    if (const auto kind = color_scale_from_name(view.scale)) scale_ = weight_scale(*kind);
    choose_quietly(scale_box_, static_cast<int>(scale_.kind));
  }
  request_box_->refresh(shown().get());
  HeadGridScene scene = make_scene();
  const HeadsRef& before = canvas_->scene().heads;
  if (scene.heads.record == before.record && scene.heads.rows >= before.rows &&
      scene.heads.encoder == before.encoder && scene.heads.encoder_rows >= before.encoder_rows) {
    scene.summaries = canvas_->scene().summaries;
    scene.behind = canvas_->scene().behind;
  }
  canvas_->set_can_run(bridge().gate_state() == RunGate::State::kPaused);
  canvas_->set_scene(std::move(scene));
  if (isVisible()) {
    stats_.want(canvas_->scene().heads, canvas_->scene().thumb);
    canvas_->set_summaries(stats_.summaries(), stats_.behind());
  }
  quantity_box_->show_choice(canvas_->scene().heads.quantity,
                             [this](Quantity quantity) { return refusal_of(quantity); });
  texts_->refresh();
  fit_controls();
  describe();
}

// Refuses the quantity for all heads if one layer does not have it.
QString HeadGridView::refusal_of(Quantity quantity) const {
  const auto& run = bridge().snapshot();
  const int64_t layers = quantity == Quantity::kWrittenOutput && run ? run->source.num_layers : 1;
  for (int64_t layer = 0; layer < layers; ++layer)
    if (QString refusal = refusal_of_quantity(quantity, layer, run.get()); !refusal.isEmpty())
      return refusal;
  return {};
}

void HeadGridView::set_quantity(Quantity quantity) {
  quantity_ = quantity;
  refresh();
}

void HeadGridView::go_to_place(const std::vector<double>& place) {
  if (place.size() != 2) return fit();
  canvas_->set_zoom(place[0]);
  canvas_->scroll_to(place[1]);
}

void HeadGridView::set_order(std::optional<HeadScore> order) {
  order_ = order;
  across_.reset();
  if (order) score_ = *order;
  choose_quietly(order_box_, order ? place_of(*order) + 1 : 0);
  choose_quietly(score_box_, place_of(score_));
  canvas_->scroll_to(0);
  refresh();
}

void HeadGridView::set_score(HeadScore score) {
  if (order_) return set_order(score);
  score_ = score;
  choose_quietly(score_box_, place_of(score_));
  refresh();
}

void HeadGridView::set_points(HeadScore across) {
  order_.reset();
  across_ = across;
  choose_quietly(order_box_, order_box_->count() - 1);
  choose_quietly(across_box_, place_of(across));
  refresh();
}

void HeadGridView::choose_order(int index) {
  if (index == order_box_->count() - 1)
    set_points(HeadScore::kPrevious);
  else
    set_order(index == 0 ? std::nullopt
                         : std::optional(kHeadScores[static_cast<size_t>(index - 1)]));
}

void HeadGridView::set_relative(bool relative) {
  relative_ = relative;
  choose_quietly(entropy_box_, relative ? 1 : 0);
  refresh();
}

void HeadGridView::set_reduce(Reduce reduce) {
  reduce_ = reduce;
  choose_quietly(reduce_box_, static_cast<int>(reduce));
  refresh();
}

void HeadGridView::set_color_map(ColorMapId map) {
  map_ = map;
  refresh();
}

void HeadGridView::set_scale(ColorScale::Kind kind) {
  scale_ = weight_scale(kind);
  choose_quietly(scale_box_, static_cast<int>(kind));
  refresh();
}

void HeadGridView::choose_by_key(int key) {
  const auto next = [](QComboBox* box) { return (box->currentIndex() + 1) % box->count(); };
  switch (key) {
    case Qt::Key_O:
      return choose_order(next(order_box_));
    case Qt::Key_A:
      if (across_) set_points(kHeadScores[static_cast<size_t>(next(across_box_))]);
      return;
    case Qt::Key_S:
      return set_score(kHeadScores[static_cast<size_t>(next(score_box_))]);
    case Qt::Key_E:
      return set_relative(!relative_);
    case Qt::Key_L:
      return set_scale(static_cast<ColorScale::Kind>(next(scale_box_)));
    case Qt::Key_W:
      return set_quantity(quantity_box_->next());
    case Qt::Key_T:
      return texts_->open_menu();
    case Qt::Key_M:
      return set_reduce(static_cast<Reduce>(next(reduce_box_)));
    case Qt::Key_C: {
      const auto at = std::ranges::find(kColorMaps, map_) - kColorMaps.begin();
      return set_color_map(kColorMaps[static_cast<size_t>(at + 1) % kColorMaps.size()]);
    }
    default:
      return;
  }
}

void HeadGridView::open_head(int64_t index) {
  const RequestView* view = shown_request(bridge(), selection());
  if (!view) return;
  selection().show(view->id, scene().layer_of(index), scene().head_of(index));
  emit view_asked(QStringLiteral("heatmap"));
}

void HeadGridView::step_head(int64_t layers, int64_t heads) {
  selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                        scene().num_layers, scene().num_heads);
}

void HeadGridView::describe() {
  const int64_t head = scene().cursor >= 0 ? scene().cursor : scene().shown;
  const QString text =
      head >= 0 && scene().count() > 0 ? scene().sentence(head) : tr("Nothing computed yet");
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> HeadGridView::key_help() const {
  return {{tr("Click, Enter"), tr("Show the head in the heatmap and the other views")},
          {tr("Arrows"), tr("Move over the heads")},
          {tr("O"), tr("Arrange by layer, rank by the next score, or show points")},
          {tr("A"), tr("Points: the next score for the axis to the right")},
          {tr("S"),
           tr("Choose the next score: for the labels, the ranking or the height of the points")},
          {tr("E"), tr("Entropy in nats, or as a share of the largest possible entropy")},
          {tr("W"),
           tr("Show the next number that can be shown: weight, weight × |v| or weight × |W_O v|")},
          {tr("T"), tr("Scores of this request, or over many texts; Esc cancels")},
          {tr("C, L, M"),
           tr("Next colour map; linear or log scale; max or mean of the cells of a dot")},
          {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
          {tr("Ctrl+wheel, + and −"), tr("Larger and smaller thumbnails")},
          {tr("Wheel, Page up, Page down"), tr("Scroll")},
          {tr("F, Home"), tr("Thumbnails in their usual size")}};
}

void HeadGridView::paint_content(QPainter& painter, const QRectF& bounds) {
  drawing()(painter, bounds);
}

// The scene holds the record and what has been read of it, so any thread can read the rest and
// paint.
std::function<void(QPainter&, const QRectF&)> HeadGridView::drawing() const {
  HeadGridScene scene = make_scene();
  scene.caption = figure().title;
  scene.own_title = figure().own_title;
  scene.state_line.clear();
  if (stats_.heads().record == scene.heads.record && stats_.heads().rows <= scene.heads.rows &&
      stats_.heads().encoder == scene.heads.encoder &&
      stats_.heads().encoder_rows <= scene.heads.encoder_rows)
    scene.summaries = stats_.summaries();
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) mutable {
    if (scene.count() == 0) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("No attention has been computed."));
      return;
    }
    const double pixels =
        std::max(kDrawingPixels, painter.device()->devicePixelRatioF() * painter.transform().m11());
    const double side = layout_heads(scene, bounds, 1).thumb_side;
    scene.thumb.level = thumb_level(
        std::max({int64_t{1}, scene.heads.rows, scene.heads.most_columns()}), side * pixels);
    scene.summaries = read_all(scene.heads, scene.thumb, std::move(scene.summaries));
    HeadThumbs thumbs;
    paint_head_grid(painter, scene, layout_heads(scene, bounds, 1), 0, thumbs);
  };
}

QSize HeadGridView::export_size() const {
  const Theme& theme = Theme::instance();
  HeadGridScene scene = make_scene();
  scene.own_title = figure().own_title;
  const auto heads = static_cast<double>(std::max<int64_t>(4, scene.num_heads)),
             layers = static_cast<double>(std::max<int64_t>(3, scene.num_layers));
  QSize size(theme.px(std::min(16000.0, 190 + 240 * heads)),
             theme.px(std::min(16000.0, 130 + 104 * layers)));
  if (scene.across) size = {theme.px(960), theme.px(640)};
  if (scene.order) {
    const double rows = std::ceil(heads * layers / 4);
    size = {theme.px(1280), theme.px(std::min(16000.0, 120 + 60 * rows))};
  }
  if (figure().title) size.rheight() += static_cast<int>(further_height(scene, size.width()));
  return size;
}

std::function<QByteArray()> HeadGridView::table() const {
  const RequestView* view = own_request();
  if (!view) return [] { return QByteArray(); };
  if (const auto texts = texts_->shown())
    return [texts, record = view->attention] {
      const TextScores& of = texts->scores;
      const ScoredTexts set{texts->name.toStdString(), of.texts, of.tokens};
      return QByteArray::fromStdString(heads_csv(record->shape(), of.heads, &set));
    };
  const int64_t rows = rows_known(*view, past_step() ? shown().get() : nullptr);
  return [copy = *view, rows] { return QByteArray::fromStdString(heads_csv(copy, rows)); };
}

void HeadGridView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

void HeadGridView::hideEvent(QHideEvent* event) {
  View::hideEvent(event);
  stats_.stop();
}

void HeadGridView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  fit_controls();
}

QJsonObject HeadGridView::options() const {
  QJsonObject options = look_options(map_, scale_.kind, reduce_);
  options.insert(QStringLiteral("order"), order_ ? static_cast<int>(*order_) : -1);
  options.insert(QStringLiteral("across"), across_ ? static_cast<int>(*across_) : -1);
  options.insert(QStringLiteral("score"), static_cast<int>(score_));
  options.insert(QStringLiteral("relative"), relative_);
  options.insert(QStringLiteral("quantity"),
                 QString::fromStdString(std::string(word_of(quantity_))));
  if (const QJsonObject texts = texts_->saved(); !texts.isEmpty())
    options.insert(QStringLiteral("texts"), texts);
  return options;
}

void HeadGridView::set_options(const QJsonObject& options) {
  const WeightLook look = look_of(options);
  if (look.map) set_color_map(*look.map);
  if (look.scale) set_scale(*look.scale);
  if (look.reduce) set_reduce(*look.reduce);
  constexpr int kLast = static_cast<int>(kHeadScores.size()) - 1;
  if (const auto order = whole_option(options, "order", -1, kLast))
    set_order(*order < 0 ? std::nullopt : std::optional(static_cast<HeadScore>(*order)));
  if (const auto across = whole_option(options, "across", -1, kLast); across && *across >= 0)
    set_points(static_cast<HeadScore>(*across));
  if (const auto score = whole_option(options, "score", 0, kLast))
    set_score(static_cast<HeadScore>(*score));
  if (const auto relative = flag_option(options, "relative")) set_relative(*relative);
  const auto quantity =
      quantity_from_word(options.value(QLatin1String("quantity")).toString().toStdString());
  if (quantity && (is_written(*quantity) || *quantity == Quantity::kWeight))
    set_quantity(*quantity);
  texts_->show_saved(options.value(QLatin1String("texts")).toObject());
}

void HeadGridView::choose(const ViewChoices& choices) {
  quantity_ = written_choice(choices.quantity, [this](Quantity q) {
                return refusal_of(q);
              }).value_or(quantity_);
  const auto word = std::ranges::find(kRankWords, choices.rank);
  if (word != kRankWords.end())
    choose_order(static_cast<int>(word - kRankWords.begin()) + 1);  // index 0 means "by layer"
  if (choices.texts.empty()) return;
  if (const QString refused = texts_->refusal(); !refused.isEmpty())
    throw Error::not_supported({refused.toStdString()});
  if (choices.texts == kShippedTexts)
    texts_->show_shipped();
  else
    texts_->show_file(std::filesystem::path(choices.texts));
  texts_->wait();
  if (!texts_->trouble().isEmpty())
    throw Error(texts_->refusal().isEmpty() ? ErrorCode::kBadInput : ErrorCode::kNotSupported,
                {texts_->trouble().toStdString(), "--texts", "", "", ""});
}

ViewEntry head_grid_entry() {
  return {.name = "heads",
          .title = HeadGridView::tr("Heads"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_3),
          .group = ViewGroup::kAttention,
          .meaning = HeadGridView::tr("Show the heads of all layers with their scores"),
          .look_at = HeadGridView::tr("A picture is one head. Rank the heads by “previous”: the "
                                      "first ones look most at the token before."),
          .document = "heads.md",
          .at_start = AtStart::kNothing,
          .run_order = 8,
          .options = {{"--rank"},
                      {"--texts"},
                      {.name = "--quantity", .uses = is_of_many_heads},
                      {"--title"},
                      {"--no-title"}},
          .make = make_view<HeadGridView>};
}

}  // namespace attn::gui

#include "moc_head_grid_view.cpp"
