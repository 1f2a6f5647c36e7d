// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/head_lines_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_tooltip.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

constexpr double kWheelStep = 60;  // px per notch

}  // namespace

HeadLinesCanvas::HeadLinesCanvas(QWidget* parent)
    : ScrollCanvas(tr("Lines from tokens to the tokens they read"), parent) {
  scene_.look = PictureLook::read();
}

void HeadLinesCanvas::set_scene(HeadLinesScene scene) {
  const bool other = scene.base.record != scene_.base.record;
  scene.pointed = scene_.pointed;
  if (other || (scene.pointed && scene.pointed->position >= std::max(scene.rows(), scene.keys())))
    scene.pointed.reset();
  if (other) placed_ = false;
  scene_ = std::move(scene);
  shown_.reset();
  relayout();
}

void HeadLinesCanvas::set_data(std::shared_ptr<const LineData> read) {
  scene_.data = std::move(read);
  shown_.reset();
  update();
}

// Painting, tooltip and description use the same lines, so they are computed once.
const LinesShown& HeadLinesCanvas::shown() const {
  const LineWindow now = window();
  if (!shown_ || shown_window_ != now) shown_ = lines_of(scene_, now);
  shown_window_ = now;
  return *shown_;
}

void HeadLinesCanvas::set_can_run(bool can_run) {
  can_run_ = can_run;
  show_run_button(can_run_ && scene_.rows() == 0);
}

void HeadLinesCanvas::relayout() {
  // If the locked token was visible, it stays visible when the panel gets less high or the text
  // larger.
  const auto& lock = scene_.locked;
  const bool seen = lock && placed_ && tokens_.offset < static_cast<double>(lock->position + 1) &&
                    static_cast<double>(lock->position) < tokens_.visible_end();
  layout_ = layout_lines(scene_, QRectF(rect()));
  show_run_button(can_run_ && scene_.rows() == 0);
  if (scene_.rows() > 0) {
    const auto tokens = static_cast<double>(scene_.length());
    if (!placed_) {
      tokens_ = lines_axis(scene_.length(), layout_.lines.height(), scene_.look);
      placed_ = true;
    } else {
      // If the last token was visible, it stays visible. As long as all tokens are visible, new
      // tokens make them less high, down to a readable height.
      const double scale = tokens_.scale;
      const bool was_fit = tokens_.is_fit();
      const bool at_end = tokens_.visible_end() >= tokens_.end - 0.5;
      if (tokens_.end != tokens) tokens_.set_content(0, tokens);
      tokens_.set_pixels(std::max(1.0, layout_.lines.height()));
      const double first = lines_axis(scene_.length(), tokens_.pixels, scene_.look).scale;
      tokens_.scale = std::max(tokens_.fit_scale(), was_fit ? std::min(scale, first) : scale);
      tokens_.clamp();
      if (at_end) tokens_.reveal(tokens - 1, tokens);
      if (seen)
        tokens_.reveal(static_cast<double>(lock->position),
                       static_cast<double>(lock->position + 1));
    }
  }
  moved();
}

void HeadLinesCanvas::moved() {
  update();
  emit window_changed();
}

void HeadLinesCanvas::fit() {
  tokens_.fit();
  moved();
}

void HeadLinesCanvas::zoom(double factor) {
  tokens_.zoom_at(tokens_.pixels / 2, factor);
  moved();
}

void HeadLinesCanvas::scroll_by(double pixels) {
  tokens_.pan(-pixels);
  moved();
}

std::vector<double> HeadLinesCanvas::place() const {
  if (tokens_.is_fit()) return {};
  return {tokens_.offset, tokens_.scale};
}

void HeadLinesCanvas::go_to_place(const std::vector<double>& place) {
  if (place.size() != 2) return fit();
  tokens_.go(place[0], place[1]);
  moved();
}

void HeadLinesCanvas::show_positions(int64_t first, int64_t last) {
  tokens_.show(static_cast<double>(first), static_cast<double>(last + 1));
  moved();
}

void HeadLinesCanvas::set_pointed(std::optional<LineToken> token, bool reveal) {
  if (token == scene_.pointed && !reveal) return;
  scene_.pointed = token;
  shown_.reset();
  if (token && reveal) return this->reveal(*token);
  moved();
}

void HeadLinesCanvas::point(std::optional<LineToken> token, bool reveal) {
  set_pointed(token, reveal);
  emit pointed_changed();
}

void HeadLinesCanvas::reveal(const LineToken& token) {
  const bool is_seen = token.side == LineSide::kQuery && queries().is_fit();
  if (!is_seen)
    tokens_.reveal(static_cast<double>(token.position), static_cast<double>(token.position + 1),
                   tokens_.scale);
  moved();
}

std::optional<LineToken> HeadLinesCanvas::token_at(const QPointF& position) const {
  if (scene_.rows() == 0) return std::nullopt;
  if (position.y() < layout_.lines.top() || position.y() >= layout_.lines.bottom())
    return std::nullopt;
  // A token is hit at its label, at the numbers beside it and at the ends of its lines.
  const double reach = std::min(scene_.look.px(28) * 1.0, layout_.lines.width() / 3);
  LineToken token;
  if (position.x() >= layout_.left_values.left() && position.x() <= layout_.lines.left() + reach) {
    token.side = LineSide::kQuery;
  } else if (position.x() >= layout_.lines.right() - reach &&
             position.x() <= layout_.right_values.right()) {
    token.side = LineSide::kKey;
  } else {
    return std::nullopt;
  }
  const CanvasAxis axis = token.side == LineSide::kQuery ? queries() : keys();
  token.position =
      static_cast<int64_t>(std::floor(axis.to_content(position.y() - layout_.lines.top())));
  const int64_t count = token.side == LineSide::kQuery ? scene_.rows() : scene_.keys();
  if (token.position < 0 || token.position >= count) return std::nullopt;
  return token;
}

QRectF HeadLinesCanvas::rect_of(const LineToken& token) const {
  const CanvasAxis axis = token.side == LineSide::kQuery ? queries() : keys();
  const QRectF& column =
      token.side == LineSide::kQuery ? layout_.left_labels : layout_.right_labels;
  return {column.left(), layout_.lines.top() + axis.to_pixel(static_cast<double>(token.position)),
          column.width(), axis.scale};
}

bool HeadLinesCanvas::is_empty() const {
  return scene_.rows() == 0;
}

void HeadLinesCanvas::paint_waiting(QPainter& painter) {
  paint_empty(painter, tr("No lines yet"),
              tr("Lines from tokens to the tokens they read appear here."));
}

void HeadLinesCanvas::paint_content(QPainter& painter) {
  scene_.focus = hasFocus();
  const CanvasAxis queries_now = queries(), keys_now = keys();
  paint_head_lines(painter, {scene_, layout_, queries_now, keys_now, shown()});
}

double HeadLinesCanvas::wheel_step() const {
  return kWheelStep;
}

void HeadLinesCanvas::zoom_at(const QPointF& position, double factor) {
  tokens_.zoom_at(position.y() - layout_.lines.top(), factor);
  moved();
}

void HeadLinesCanvas::hover(const std::optional<QPointF>& position) {
  const auto token = position ? token_at(*position) : std::nullopt;
  setCursor(token ? Qt::PointingHandCursor : Qt::ArrowCursor);
  point(token, false);
}

void HeadLinesCanvas::click(const QMouseEvent& event) {
  const auto token = token_at(event.position());
  if (!token || token == scene_.locked) {
    emit cleared();
  } else {
    emit token_chosen(static_cast<int>(token->side), token->position);
  }
}

void HeadLinesCanvas::double_click(const QPointF& position) {
  if (!token_at(position)) fit();
}

void HeadLinesCanvas::move_token(int64_t step) {
  if (scene_.rows() == 0) return;
  std::optional<LineToken> from = scene_.pointed ? scene_.pointed : scene_.locked;
  LineToken token;
  if (from) {
    token = *from;
    const int64_t count = token.side == LineSide::kQuery ? scene_.rows() : scene_.keys();
    token.position = std::clamp<int64_t>(token.position + step, 0, count - 1);
  } else {
    token.position = std::max<int64_t>(0, window().q_end - 1);
  }
  point(token, true);
  if (scene_.locked) emit token_chosen(static_cast<int>(token.side), token.position);
}

bool HeadLinesCanvas::token_key(int key) {
  const LineWindow seen = window();
  const bool of_keys = scene_.pointed && scene_.pointed->side == LineSide::kKey;
  const auto page =
      std::max<int64_t>(1, (of_keys ? seen.k_end - seen.k_begin : seen.q_end - seen.q_begin) - 1);
  switch (key) {
    case Qt::Key_Up:
      return move_token(-1), true;
    case Qt::Key_Down:
      return move_token(1), true;
    case Qt::Key_PageUp:
      return move_token(-page), true;
    case Qt::Key_PageDown:
      return move_token(page), true;
    case Qt::Key_S: {
      LineToken token = scene_.pointed.value_or(scene_.locked.value_or(LineToken{}));
      token.side = token.side == LineSide::kQuery ? LineSide::kKey : LineSide::kQuery;
      const int64_t count = token.side == LineSide::kQuery ? scene_.rows() : scene_.keys();
      token.position = std::clamp<int64_t>(token.position, 0, std::max<int64_t>(0, count - 1));
      point(token, true);
      return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (scene_.pointed && scene_.pointed == scene_.locked) {
        emit cleared();
      } else if (scene_.pointed) {
        emit token_chosen(static_cast<int>(scene_.pointed->side), scene_.pointed->position);
      }
      return true;
    case Qt::Key_Escape:
      point(std::nullopt, false);
      emit cleared();
      return true;
    default:
      return false;
  }
}

bool HeadLinesCanvas::head_key(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Left:
      emit head_step_asked(-1);
      return true;
    case Qt::Key_Right:
      emit head_step_asked(1);
      return true;
    case Qt::Key_BracketLeft:
      emit layer_step_asked(-1);
      return true;
    case Qt::Key_BracketRight:
      emit layer_step_asked(1);
      return true;
    case Qt::Key_A:
      emit all_heads_asked();
      return true;
    case Qt::Key_T:
      emit first_token_asked();
      return true;
    case Qt::Key_W:
      emit quantity_asked();
      return true;
    default:
      break;
  }
  if (event.key() >= Qt::Key_0 && event.key() <= Qt::Key_9) {
    emit head_toggled(event.key() - Qt::Key_0);
    return true;
  }
  return take_head_key(event);
}

void HeadLinesCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
    return Canvas::keyPressEvent(event);
  if (token_key(event->key()) || head_key(*event)) return;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kKeyZoom);
    case Qt::Key_Minus:
      return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
      return fit();
    default:
      Canvas::keyPressEvent(event);
  }
}

QString HeadLinesCanvas::tooltip_at(const QPointF& position) {
  const auto token = token_at(position);
  if (!token) return {};
  const TokenView* view = scene_.token_at(token->side, token->position);
  const QString text = view ? quoted_token(view->text) : QString();
  QString tip = (token->side == LineSide::kQuery ? tr("query %1 %2") : tr("key %1 %2"))
                    .arg(token->position)
                    .arg(text);
  if (scene_.chosen() == token) tip += QLatin1Char('\n') + lines_sentence(scene_, shown());
  return plain_tooltip(tip);
}

// The numbers are those of the drawn lines between the token at `position` and the chosen token; if
// there is no such line, the position of the token.
ViewPoint HeadLinesCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const auto token = token_at(position);
  if (!token) return point;
  if (!scene_.base.is_encoder() && (token->side == LineSide::kQuery || scene_.keys_are_tokens()))
    point.things.push_back({.kind = SelectionKind::kToken, .query = token->position});
  const auto chosen = scene_.chosen();
  if (chosen && chosen->side != token->side) {
    const int64_t query = (token->side == LineSide::kQuery ? *token : *chosen).position;
    const int64_t key = (token->side == LineSide::kQuery ? *chosen : *token).position;
    for (const HeadLine& line : shown().lines)
      if (line.query == query && line.key == key)
        point.numbers.push_back(
            {scene_.shows_weights()
                 ? tr("weight, head %1").arg(line.head)
                 : tr("%1, head %2").arg(short_name_of(scene_.base.quantity)).arg(line.head),
             exact_number(line.weight)});
  }
  if (point.numbers.empty())
    point.numbers.push_back({tr("position"), QString::number(token->position)});
  return point;
}

std::optional<QPointF> HeadLinesCanvas::place_of_selection() {
  const auto token = scene_.locked ? scene_.locked : scene_.pointed;
  return token ? std::optional(rect_of(*token).center()) : std::nullopt;
}

// The rectangle of the label alone, because the lines of a token go to many rows.
std::optional<QRectF> HeadLinesCanvas::row_of_selection() {
  const auto token = scene_.locked ? scene_.locked : scene_.pointed;
  if (!token) return std::nullopt;
  const QRectF row = rect_of(*token);
  if (row.center().y() < layout_.lines.top() || row.center().y() > layout_.lines.bottom())
    return std::nullopt;
  const QFontMetricsF label(PictureLook::read().mono);
  const double more = std::max(0.0, label.ascent() + label.descent() - row.height()) / 2;
  return row.adjusted(0, -more, 0, more);
}

}  // namespace attn::gui

#include "moc_head_lines_canvas.cpp"
