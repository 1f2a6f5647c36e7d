// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/words/words_view.h"

#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

bool lacks_blanks(const RequestView& request) {
  if (!request.tokens || request.tokens->size() < 2 || !request.prompt_text) return false;
  const std::string &first = (*request.tokens)[0].text, &second = (*request.tokens)[1].text;
  if (request.prompt_text->starts_with(first + " " + second)) return true;
  const auto has_blank = [](const std::string& text) {
    return text.find_first_of(" \t\n") != std::string::npos;
  };
  const auto have_blanks = [&](const Tokens& tokens) {
    return tokens && std::ranges::any_of(*tokens, has_blank, &TokenView::text);
  };
  return has_blank(*request.prompt_text) && !have_blanks(request.tokens) &&
         !have_blanks(request.encoder_tokens);
}

}  // namespace

WordsView::WordsView(const ViewContext& context, QWidget* parent)
    : HeadView(context, tr("Words"), parent),
      tokens_(new QToolButton),
      weights_(new QToolButton),
      canvas_(new WordsCanvas) {
  build_header();
  follow(canvas_, {tokens_, weights_}, {tokens_, weights_});
  add_interventions_line(*this, bridge(), selection());
  connect_canvas();
  connect(&selection(), &Selection::pointed_changed, this,
          [this] { canvas_->set_pointed(pointed_here()); });
}

bool WordsView::waits_for_rows() const {
  return scene().query.token >= 0 && !scene().weights;
}

void WordsView::build_header() {
  set_up_switch(tokens_, tr("Tokens"), tr("Tell the tokens apart"),
                tr("Show where one token ends and the next begins (T)"));
  set_up_switch(weights_, tr("Weights"), tr("Weights of the selected token"),
                tr("Shade the other tokens by how much the selected one reads of them, if its row "
                   "in the shown head is computed (W)"));
  for (QToolButton* button : {tokens_, weights_})
    connect(button, &QToolButton::toggled, this, &WordsView::changed);
}

void WordsView::connect_canvas() {
  connect(canvas_, &WordsCanvas::pointed, this, [this](bool of_encoder, qint64 token) {
    if (token < 0) return selection().point({});
    const bool is_key = of_encoder && !scene().in_encoder;
    selection().point({.request = scene().request,
                       .query = is_key ? -1 : token,
                       .key = is_key ? token : -1,
                       .of_encoder = is_key,
                       .query_of_encoder = of_encoder && !is_key});
  });
  connect(canvas_, &WordsCanvas::chosen, this, [this](bool of_encoder, qint64 token) {
    select({of_encoder, token});
  });
  connect(canvas_, &WordsCanvas::key_chosen, this, [this](bool of_encoder, qint64 token) {
    select_key({of_encoder, token});
  });
  connect(canvas_, &WordsCanvas::cleared, &selection(), &Selection::clear);
  connect(canvas_, &WordsCanvas::tokens_toggled, tokens_, &QToolButton::toggle);
  connect(canvas_, &WordsCanvas::weights_toggled, weights_, &QToolButton::toggle);
}

PointedState WordsView::pointed_here() const {
  const PointedState& pointed = selection().pointed();
  const bool ours = scene().request >= 0 && pointed.request == scene().request;
  return ours ? pointed : PointedState();
}

void WordsView::read_selection(WordsScene& scene, const RequestView& request) const {
  const SelectionState& state = selection().state();
  const auto known = [&scene](const WordPlace& place) {
    return scene.token(place) ? place : WordPlace();
  };
  if (state.kind == SelectionKind::kBlock) {
    const int64_t size = shown()->block_size;
    for (const TableKind kind : kTableKinds) {
      const BlockTableView& table = request.table(kind);
      const auto& blocks = state.in_host_pool ? table.swap_blocks : table.blocks;
      const auto at = std::ranges::find(blocks, static_cast<int32_t>(state.block));
      if (at == blocks.end() || size <= 0) continue;
      const bool of_encoder = kind == TableKind::kCross;
      const int64_t first = (at - blocks.begin()) * size;
      const int64_t last = std::min(first + size, scene.count(of_encoder)) - 1;
      if (first > last) return;
      scene.first = {of_encoder, first};
      scene.last = {of_encoder, last};
      return;
    }
  }
  const bool token = state.kind == SelectionKind::kToken, cell = state.kind == SelectionKind::kCell;
  if ((!token && !cell) || state.request != scene.request) return;
  const bool in_encoder = cell && state.layer >= 0 && state.layer < request.num_encoder_layers;
  scene.query = known({in_encoder, state.query});
  if (cell)
    scene.key = known(
        {in_encoder || (request.attention && request.attention->is_cross(state.layer)), state.key});
}

// The weights of the selected row in the shown layer and head; null: there are none.
std::shared_ptr<const RowWeights> WordsView::row_weights(const WordsScene& scene,
                                                         const RequestView& now) const {
  const AttentionRecord& record = *now.attention;
  const AttentionRecord::Shape& shape = record.shape();
  RowWeights row;
  row.layer = std::clamp<int64_t>(selection().shown_layer(), 0, shape.num_layers - 1);
  row.head = std::clamp<int64_t>(selection().shown_head(), 0, shape.num_heads - 1);
  row.query = scene.query.token;
  row.of_encoder = shape.of_encoder || record.is_cross(row.layer);
  if (row.query >= rows_shown(now, scene.past_step ? shown().get() : nullptr) ||
      row.query >= record.num_rows() || !record.row_done(row.layer, row.head, row.query))
    return nullptr;
  int64_t keys = std::min(scene.count(row.of_encoder), record.num_keys(row.layer));
  // A decoder's own attention reads no later tokens.
  if (!row.of_encoder && !shape.keeps_keys) keys = std::min(keys, row.query + 1);
  if (keys <= 0) return nullptr;
  if (read_ && read_of_.lock().get() == &record && read_->layer == row.layer &&
      read_->head == row.head && read_->query == row.query &&
      static_cast<int64_t>(read_->of.size()) == keys)
    return read_;
  row.of.resize(static_cast<size_t>(keys));
  record.weights(row.layer, row.head, row.query, 1, 0, keys, row.of.data());
  for (const float weight : row.of)
    if (std::isfinite(weight)) row.largest = std::max(row.largest, weight);
  read_ = std::make_shared<const RowWeights>(std::move(row));
  read_of_ = now.attention;
  return read_;
}

WordsScene WordsView::make_scene() const {
  WordsScene scene;
  scene.look = PictureLook::read();
  scene.font = Theme::instance().mono(TextRole::kTitle);
  scene.told_apart = tokens_->isChecked();
  scene.past_step = past_step();
  const RequestView* now = shown_request(bridge(), selection());
  const RequestView* view = now && shown() ? request_by_id(*shown(), now->id) : nullptr;
  if (!view) return scene;
  scene.request = view->id;
  scene.request_name = QString::fromStdString(view->name);
  scene.tokens = view->tokens;
  scene.encoder_tokens = view->encoder_tokens;
  scene.prompt_len = view->prompt_len;
  scene.spaced = lacks_blanks(*view);
  scene.writing = !scene.past_step && !is_finished(view->state);
  scene.in_encoder = now->attention && now->attention->shape().of_encoder;
  read_selection(scene, *view);
  // In a layer of the encoder only its tokens are queries, in other layers only those of the
  // request.
  if (weights_->isChecked() && scene.query.token >= 0 && now->attention &&
      scene.query.of_encoder == scene.in_encoder)
    scene.weights = row_weights(scene, *now);
  return scene;
}

void WordsView::refresh() {
  refresh_boxes();
  const auto& snapshot = bridge().snapshot();
  const bool paused = bridge().gate_state() == RunGate::State::kPaused;
  WordsScene scene = make_scene();
  canvas_->set_waiting(tr("No words yet"),
                       scene.past_step
                           ? tr("At step %1 this request had not arrived.").arg(*scene.past_step)
                           : tr("The text of the shown request appears here."),
                       paused && !scene.past_step);
  canvas_->set_scene(std::move(scene), snapshot ? snapshot->run : 0);
  canvas_->set_pointed(pointed_here());
  if (!(revealed_ == selection().state())) {
    // The selection is new, so the view scrolls to it.
    revealed_ = selection().state();
    const WordsScene& now = canvas_->scene();
    for (const WordPlace& place : {now.first, now.key, now.query}) canvas_->reveal(place);
  }
  describe();
}

void WordsView::select(const WordPlace& place) {
  if (place.of_encoder && scene().in_encoder) {
    // A token of the encoder is selected as the query of a cell.
    const bool keeps = scene().query.of_encoder && scene().key.token >= 0;
    return select_cell(place.token, keeps ? scene().key.token : place.token);
  }
  if (place.of_encoder) return select_key(place);
  selection().select(
      {.kind = SelectionKind::kToken, .request = scene().request, .query = place.token});
}

void WordsView::select_key(const WordPlace& place) {
  const RequestView* view = shown_request(bridge(), selection());
  const WordPlace& query = scene().query;
  if (!view || !view->attention || query.token < 0 || query.of_encoder != scene().in_encoder)
    return;
  const int64_t last = view->attention->shape().num_layers - 1;
  const int64_t layer = std::clamp<int64_t>(selection().shown_layer(), 0, last);
  if ((scene().in_encoder || view->attention->is_cross(layer)) != place.of_encoder) return;
  select_cell(query.token, place.token);
}

void WordsView::select_cell(int64_t query, int64_t key) {
  const RequestView* view = shown_request(bridge(), selection());
  if (!view || !view->attention) return;
  const AttentionRecord::Shape& shape = view->attention->shape();
  const int64_t layer = std::clamp<int64_t>(selection().shown_layer(), 0, shape.num_layers - 1);
  selection().select({.kind = SelectionKind::kCell,
                      .request = scene().request,
                      .layer = layer,
                      .head = std::clamp<int64_t>(selection().shown_head(), 0, shape.num_heads - 1),
                      .query = query,
                      .key = key});
}

void WordsView::describe() {
  const WordsScene& now = canvas_->scene();
  QString text = tr("No words yet");
  if (!now.is_empty()) {
    text = tr("%1: %2.").arg(now.request_name, words_sentence(now));
    const WordPlace& chosen = now.key.token >= 0 ? now.key : now.query;
    if (chosen.token >= 0)
      text += QLatin1Char(' ') +
              word_tooltip(now, chosen).replace(QLatin1Char('\n'), QStringLiteral(", ")) +
              QLatin1Char('.');
  }
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> WordsView::key_help() const {
  return {
      {tr("Point at a token"), tr("Mark it in other views; tooltip: position, id, text")},
      {tr("Click"), tr("Select the token; again: clear the selection")},
      {tr("Shift+click"), tr("Select the token as a key of the selected one")},
      {tr("Left, Right, Up, Down"), tr("Select the token before, after, above, below")},
      {tr("Esc"), tr("Clear the selection")},
      {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
      {tr("T, W"), tr("Tell the tokens apart, or not; show weights, or not")},
      {tr("Wheel, Page up, Page down, middle drag"), tr("Scroll")},
      {tr("Home"), tr("Go to the beginning")},
      {tr("End, L"), tr("Follow the newest token")},
      {tr("Ctrl+wheel, + and −"), tr("Larger and smaller text")},
      {tr("Double-click beside the words, F"), tr("Text in its usual size, at the newest token")}};
}

std::function<void(QPainter&, const QRectF&)> WordsView::drawing() const {
  WordsScene scene = make_scene();
  scene.caption = true;
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
    if (scene.is_empty()) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("There are no words yet."));
      return;
    }
    const WordsParts parts = parts_of(scene, bounds);
    WordsLayout layout;
    layout.arrange(scene, 0, parts.text.width());
    // If the text is too long for one picture, its last whole lines are drawn.
    const double line = layout.line_height();
    const double hidden = std::max(0.0, layout.height() - parts.text.height());
    paint_words(painter, scene, layout, parts, std::ceil(hidden / line - 1e-6) * line);
  };
}

QSize WordsView::export_size() const {
  return export_size_for(Theme::instance().px(kExportedWidth));
}

QSize WordsView::export_size_for(double width) const {
  WordsScene scene = make_scene();
  scene.caption = true;
  const int wide = static_cast<int>(std::lround(std::max(width, 240.0)));
  // Title and legend have the same heights in any picture with room for a legend.
  const QRectF sheet(0, 0, wide, kMostExportedHeight);
  const WordsParts parts = parts_of(scene, sheet);
  WordsLayout layout;
  layout.arrange(scene, 0, parts.text.width());
  const double text = std::max(layout.height(), 4 * layout.line_height());
  const double high = sheet.height() - parts.text.height() + text;
  return {wide, static_cast<int>(std::ceil(std::min(high, kMostExportedHeight)))};
}

std::function<QByteArray()> WordsView::table() const {
  return [scene = make_scene()] { return QByteArray::fromStdString(words_csv(scene)); };
}

QJsonObject WordsView::options() const {
  return {{QStringLiteral("told_apart"), tokens_->isChecked()},
          {QStringLiteral("weights"), weights_->isChecked()}};
}

void WordsView::set_options(const QJsonObject& options) {
  if (const auto apart = flag_option(options, "told_apart")) tokens_->setChecked(*apart);
  if (const auto weights = flag_option(options, "weights")) weights_->setChecked(*weights);
}

ViewEntry words_entry() {
  return {.name = "words",
          .title = WordsView::tr("Words"),
          .keys = QKeySequence(Qt::CTRL | Qt::Key_8),
          .group = ViewGroup::kAttention,
          .meaning = WordsView::tr("Show prompt and answer as text"),
          .look_at = WordsView::tr("With Weights on, click a token: if its row is computed, the "
                                   "tokens that it reads are shaded."),
          .at_start = AtStart::kPrompt,
          .run_order = 10,
          .make = make_view<WordsView>};
}

}  // namespace attn::gui

#include "moc_words_view.cpp"
