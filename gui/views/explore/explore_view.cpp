// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/explore_view.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/model/tokenizer/mask_token.h"
#include "gui/theme/theme.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
ExploreView::ExploreView(const ViewContext& context, const QString& title, const QString& what,
                         QWidget* parent)
    : View(context, parent),
      title_(title),
      what_(what),
      header_(new PanelHeader(title, this)),
      request_box_(new RequestBox(bridge(), selection())),
      switch_(new InsideSwitch(inside())),
      canvas_(new ExploreCanvas(title, title)) {
  stack(header_, canvas_, canvas_);
  setAccessibleName(title);
  header_->add_control(request_box_);
  header_->add_control(switch_);
  connect(&inside(), &Inside::changed, this, &ExploreView::refresh);
  connect(&inside(), &Inside::switched, this, [this] { trouble_.clear(); });
  connect(&bridge(), &EngineBridge::run_started, this, [this] { trouble_.clear(); });
  connect(&selection(), &Selection::shown_changed, this, &ExploreView::refresh);
  connect(&selection(), &Selection::changed, this, [this] {
    trouble_.clear();
    refresh();
  });
  connect(&Theme::instance(), &Theme::changed, this, &ExploreView::refresh);
  connect(canvas_, &ExploreCanvas::zoomed, this, &ExploreView::refresh);
  connect(canvas_, &ExploreCanvas::chosen, this, [this](const Spot& spot) {
    const auto number = explanation_of(spot);
    spot_chosen(spot);
    selection().explain(number);
  });
  connect(canvas_, &ExploreCanvas::opened, this, [this](const Spot& spot) { spot_opened(spot); });
  connect(canvas_, &ExploreCanvas::clicked, this, [this](const Spot& spot) {
    const auto number = explanation_of(spot);
    spot_clicked(spot);
    selection().explain(number);
  });
  connect(canvas_, &ExploreCanvas::double_clicked, this,
          [this](const Spot& spot) { spot_double_clicked(spot); });
  connect(canvas_, &ExploreCanvas::switch_asked, &inside(), [this] { inside().set_on(true); });
  connect(canvas_, &ExploreCanvas::cleared, &selection(), &Selection::clear);
  connect(canvas_, &ExploreCanvas::key_asked, this, [this](int key) {
    if (!take_key(key) && key == Qt::Key_I && switch_->isEnabled()) switch_->toggle();
  });
  const auto step = [this](int heads, int layers) {
    if (const auto& snapshot = bridge().snapshot())
      selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                            snapshot->source.num_layers, snapshot->source.num_heads);
  };
  connect(canvas_, &Canvas::head_step_asked, this, [step](int by) { step(by, 0); });
  connect(canvas_, &Canvas::layer_step_asked, this, [step](int by) { step(0, by); });
}

// Call this before answering a click: the answer may change the picture.
std::shared_ptr<const Explanation> ExploreView::explanation_of(const Spot& spot) const {
  return canvas_->picture() ? canvas_->picture()->explain(spot) : nullptr;
}

void ExploreView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

const InsideRequest* ExploreView::inside_now() const {
  Inside& inside = const_cast<ExploreView*>(this)->inside();
  return inside.now() && inside.rows_shown() > 0 ? inside.now().get() : nullptr;
}

void ExploreView::refresh() {
  if (isVisible()) {
    request_box_->refresh(shown().get());
    show_picture();
  } else if (!inside_now() || !is_current()) {
    canvas_->set_picture(nullptr);  // a picture is made when the view is shown
  }
  if (!completing_.empty()) go_on_completing();
  const QString why = nothing_to_export();
  if (why == told_) return;
  told_ = why;
  emit exports_changed();
}

QString ExploreView::waiting_text() const {
  QString text = inside_waiting_text(const_cast<ExploreView*>(this)->inside(), what_);
  const RequestView* request = shown_request(bridge(), selection());
  const QStringList changes = request ? interventions_of(*request) : QStringList();
  if (!changes.isEmpty())
    text += QStringLiteral("\n\n") +
            tr("This request is changed: %1.").arg(changes.join(QStringLiteral("; ")));
  if (const QStringList tries = tried(); !tries.isEmpty())
    text += QStringLiteral("\n\n") +
            tr("Switched in this view: %1.").arg(tries.join(QStringLiteral("; ")));
  return text;
}

// Shows the picture, or why there is none. Asks for missing numbers; meanwhile an old picture
// stays.
void ExploreView::show_picture() {
  std::shared_ptr<const ExplorePicture> picture;
  QString waiting = waiting_text();
  if (inside_now()) {
    waiting = refusal().isEmpty() ? trouble_ : refusal();
    if (waiting.isEmpty()) {
      if (!is_current() && !inside().is_computing(this)) ask();
      if (is_current())
        picture = make_picture();
      else if (canvas_->picture())
        return;
    }
  }
  canvas_->set_waiting_text(waiting, switch_->isEnabled() && !inside().is_on());
  canvas_->set_picture(std::move(picture));
}

void ExploreView::computed(const QString& trouble) {
  trouble_ = trouble;
  refresh();
}

Tour ExploreView::tour() const {
  Tour tour(*this);
  Inside& inside = const_cast<ExploreView*>(this)->inside();
  if (canvas_->picture() && inside_now() && is_current()) {
    add_stops(tour, inside.rows_shown());
    tour.stop(*switch_, tr("Inside"),
              tr("The views with this switch use numbers from inside the model; those of this "
                 "request take %1 of memory. Switching Inside off frees the memory, unless the "
                 "run itself keeps these numbers.")
                  .arg(inside_bytes_text(inside.bytes())));
  } else if (!inside.is_on() && inside.refusal().isEmpty()) {
    tour.nothing(
        tr("Inside is off, so this view has no numbers from inside the model. Press the button in "
           "the middle, or the key I in the view; then the tour goes on."));
  } else if (!inside.refusal().isEmpty()) {
    tour.nothing(
        tr("%1 Run a scenario with a trained model, such as “First look”, and choose one of "
           "its requests in the header.")
            .arg(inside.refusal()));
  } else {
    tour.nothing(
        canvas_->picture()
            ? tr("What this view shows is being computed. The tour begins when it is there.")
            : canvas_->waiting_text());
  }
  return tour;
}

bool ExploreView::is_behind() const {
  return const_cast<ExploreView*>(this)->inside().is_behind();
}

// Computes what is shown and waits for it, also in a view that is not visible.
void ExploreView::choose(const ViewChoices& /*choices*/) {
  inside().show_all();
  while (inside_now() && refusal().isEmpty() && trouble_.isEmpty() && !is_current()) {
    if (!inside().is_computing(this)) ask();
    inside().show_all();
  }
  const QString why = inside_now() ? (refusal().isEmpty() ? trouble_ : refusal()) : waiting_text();
  canvas_->set_waiting_text(why, false);
  if (inside_now() && is_current()) canvas_->set_picture(make_picture());
}

QString ExploreView::why_refused() const {
  const Inside& inside = const_cast<ExploreView*>(this)->inside();
  for (const QString& why : {inside.refusal(), inside.trouble(), refusal()})
    if (!why.isEmpty()) return why;
  return trouble_;
}

void ExploreView::throw_if_refused() const {
  if (const QString why = why_refused(); !why.isEmpty())
    throw Error::not_supported({why.toStdString()});
}

std::vector<KeyHelp> ExploreView::key_help() const {
  std::vector<KeyHelp> keys = own_keys();
  const std::vector<KeyHelp> common{
      {tr("I"), tr("Inside on or off: keep numbers from inside the model, or not")},
      {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
      {tr("Wheel, Page up, Page down, Home, End, middle drag"), tr("Scroll")},
      {tr("Ctrl+wheel, + and −"), tr("Larger and smaller text")},
      {tr("Double-click beside the picture, F"), tr("Text in its usual size, from the beginning")},
      {tr("Esc"), tr("Clear the selection")}};
  keys.insert(keys.end(), common.begin(), common.end());
  return keys;
}

std::shared_ptr<const ExplorePicture> ExploreView::file_picture() const {
  const QScopedValueRollback in_file(in_file_, true);
  return inside_now() && is_current() ? make_picture() : nullptr;
}

std::function<void(QPainter&, const QRectF&)> ExploreView::drawing() const {
  auto picture = file_picture();
  const PictureLook look = PictureLook::read();
  return [picture, look, text = canvas_->waiting_text()](QPainter& painter, const QRectF& bounds) {
    if (picture) return picture->paint(painter, bounds, true, {});
    painter.setPen(look.colors.muted);
    painter.setFont(look.title);
    painter.drawText(bounds.adjusted(32, 0, -32, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
  };
}

QSize ExploreView::export_size() const {
  return export_size_for(PictureLook::read().px(kExportedWidth));
}

QSize ExploreView::export_size_for(double width) const {
  const auto picture = file_picture();
  const double high = picture ? picture->height(width, true) : PictureLook::read().px(240);
  return {static_cast<int>(std::ceil(width)),
          static_cast<int>(std::ceil(std::min(high, kMostExportedHeight)))};
}

std::function<QByteArray()> ExploreView::table() const {
  auto picture = inside_now() && is_current() ? make_picture() : nullptr;
  return [picture] {
    return picture ? with_interventions(QByteArray::fromStdString(picture->csv()),
                                        picture->frame().marks)
                   : QByteArray();
  };
}

QString ExploreView::nothing_to_export() const {
  if (canvas_->picture()) return {};
  if (const QString why = why_refused(); !why.isEmpty()) return why;
  if (!const_cast<ExploreView*>(this)->inside().is_on())
    return tr("there is no picture yet: Inside is off");
  return is_complete() ? tr("there is no picture yet") : QString();
}

bool ExploreView::is_complete() const {
  return isVisible() || canvas_->picture() || !inside_now() || !why_refused().isEmpty();
}

void ExploreView::complete(const std::function<void(const QString& trouble)>& done) {
  if (is_complete()) return done({});
  completing_.push_back(done);
  go_on_completing();
}

// Computes the picture of a view that is not visible, for complete(). While inside_now() is null it
// is being computed, and refresh() calls this function again.
void ExploreView::go_on_completing() {
  QString trouble = why_refused();
  if (!inside().is_on()) trouble = tr("The picture was not computed, because Inside is off.");
  if (trouble.isEmpty()) {
    if (!inside_now()) return;
    if (!is_current()) {
      if (!inside().is_computing(this)) ask();
      return;
    }
    if (!canvas_->picture()) canvas_->set_picture(make_picture());
  }
  for (const auto& done : std::exchange(completing_, {})) done(trouble);
}

PictureFrame ExploreView::frame(const QStringList& checks) const {
  PictureFrame frame = plain_frame(canvas_->picture_zoom());
  frame.title = title_;
  if (const InsideRequest* now = inside_now()) {
    frame.title = tr("%1 of %2").arg(title_, QString::fromStdString(now->request.name));
    if (const auto step = past_step()) frame.title += tr(", at step %1").arg(*step);
    frame.marks = interventions_of(now->request);
  }
  frame.title = figure().title_or(frame.title);
  frame.in_file = in_file_;
  frame.marks_in_window = frame.marks.size();
  frame.checks = checks;
  return frame;
}

PictureFrame plain_frame(double zoom) {
  PictureFrame frame;
  frame.look = PictureLook::read();
  if (zoom != 1) {
    frame.look.text_percent = static_cast<int>(std::lround(zoom * frame.look.text_percent));
    for (QFont* font : {&frame.look.small, &frame.look.small_bold, &frame.look.title,
                        &frame.look.title_bold, &frame.look.mono})
      font->setPixelSize(std::max(1, static_cast<int>(std::lround(font->pixelSize() * zoom))));
  }
  frame.words = Theme::instance().mono(TextRole::kBody);
  frame.words.setPixelSize(
      std::max(1, static_cast<int>(std::lround(frame.words.pixelSize() * zoom))));
  return frame;
}

bool is_encoder(const InsideRequest& inside) {
  return inside.model().shape().type_of_model() == AttentionType::kEncoderOnly;
}

int64_t hidden_place(const InsideRequest& inside) {
  const auto& tokens = *inside.request.tokens;
  const auto mask = mask_token(inside.model().tokenizer());
  const auto hidden = std::ranges::find(tokens, mask.value_or(-1), &TokenView::id);
  return hidden == tokens.end() ? 0 : hidden - tokens.begin();
}

Tokens tokens_of_encoder(const InsideRequest& inside, const RequestView& then) {
  const auto begin = then.tokens->begin();
  return std::make_shared<const std::vector<TokenView>>(
      begin, begin + std::min(inside.rows(), std::ssize(*then.tokens)));
}

QString quoted_text(const InsideRequest& inside, int32_t token) {
  return quoted_token(inside.run.source->token_text(token));
}

std::string plain_text(const InsideRequest& inside, int32_t token) {
  return std::string(inside.run.source->token_text(token));
}

QString marked_text(const InsideRequest& inside, int32_t token) {
  return token_text(inside.run.source->token_text(token)).shown;
}

QString residue_text(double residue) {
  return ExploreView::tr("residue %1").arg(format_number(std::abs(residue), 2));
}

}  // namespace attn::gui

#include "moc_explore_view.cpp"
