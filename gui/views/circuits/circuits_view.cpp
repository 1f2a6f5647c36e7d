// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/circuits/circuits_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/core/error.h"
#include "engine/model/model.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr int kMostDistance = 4096;  // tokens

bool has_circuits(const Model& model) {
  return model.shape().type_of_model() != AttentionType::kEncoderDecoder;
}

}  // namespace

CircuitsView::CircuitsView(const ViewContext& context, QWidget* parent)
    : HeadView(context, tr("Circuits"), parent),
      distance_box_(new QSpinBox),
      canvas_(new CircuitsCanvas),
      last_ov_(std::make_shared<LastCircuits<OvData>>(ov_data)),
      last_qk_(std::make_shared<LastCircuits<QkData>>(qk_data)),
      ov_(this, std::bind_front(&LastCircuits<OvData>::of, last_ov_), [this] { changed(); }),
      qk_(this, std::bind_front(&LastCircuits<QkData>::of, last_qk_), [this] { changed(); }) {
  distance_box_->setRange(0, kMostDistance);
  distance_box_->setValue(1);
  distance_box_->setPrefix(tr("distance "));
  distance_box_->setAccessibleName(tr("Distance from the query back to the key, in tokens"));
  distance_box_->setToolTip(
      tr("How many tokens the query stands after the key in QK, for rotary positions ([ and ])"));
  connect(distance_box_, &QSpinBox::valueChanged, this, &CircuitsView::changed);
  connect(canvas_, &CircuitsCanvas::distance_step_asked, this, [this](int step) {
    if (distance_box_->isEnabled()) distance_box_->setValue(distance_box_->value() + step);
  });
  connect(canvas_, &CircuitsCanvas::head_chosen, this, [this](qint64 layer, qint64 head) {
    const auto number = circuits_explanation(scene(), layer, head);
    selection().show(selection().shown_request(), layer, head);
    selection().explain(number);
  });
  connect(canvas_, &CircuitsCanvas::cursor_moved, this, &CircuitsView::describe);
  follow(canvas_, {distance_box_}, {distance_box_});
}

std::optional<CircuitsWish> CircuitsView::wish(bool qk) const {
  const std::shared_ptr<const Model> model = this->model();
  if (!model || !has_circuits(*model)) return std::nullopt;
  const Network network = model->network();
  const auto layers = static_cast<int64_t>(network.layers.size());
  const int64_t layer = std::clamp<int64_t>(selection().shown_layer(), 0, layers - 1);
  const bool turns = network.layers[static_cast<size_t>(layer)].rotary != nullptr;
  return CircuitsWish{
      .model = model,
      .layer = layer,
      .head = std::clamp<int64_t>(selection().shown_head(), 0, network.heads.heads - 1),
      .distance = qk && turns ? distance_box_->value() : 0};
}

QString CircuitsView::refusal() const {
  const std::shared_ptr<const Model> model = this->model();
  if (!model)
    return bridge().session()
               ? tr("A saved run has no weights at first. If it is of a model, press Look inside "
                    "in a view such as Logit lens, or run the scenario again.")
               : tr("Circuits are computed from the weights of a model; this run has none.");
  if (!has_circuits(*model))
    return tr(
        "Circuits need a model of one stack of layers; this one has an encoder and a decoder.");
  return {};
}

CircuitsScene CircuitsView::make_scene() const {
  CircuitsScene scene;
  scene.look = PictureLook::read();
  scene.refusal = refusal();
  if (!scene.refusal.isEmpty()) return scene;
  const std::shared_ptr<const Model> model = this->model();
  const Network network = model->network();
  const CircuitsWish ov = *wish(false), qk = *wish(true);
  scene.model_name = QString::fromStdString(model->shape().name);
  scene.layer = ov.layer;
  scene.head = ov.head;
  scene.num_heads = network.heads.heads;
  scene.vocab_size = network.vocab_size;
  if (network.layers[static_cast<size_t>(ov.layer)].rotary) scene.distance = qk.distance;
  scene.before_cap = network.logit_soft_cap > 0;
  if (ov_.is_known(ov)) scene.ov = ov_.result();
  if (qk_.is_known(qk)) scene.qk = qk_.result();
  return scene;
}

void CircuitsView::refresh() {
  refresh_boxes();
  if (const auto ov = wish(false)) {
    ov_.want(*ov);
    qk_.want(*wish(true));
  } else {
    ov_.clear();
    qk_.clear();
  }
  CircuitsScene next = make_scene();
  const bool refused = !next.refusal.isEmpty();
  distance_box_->setEnabled(next.distance.has_value());
  const bool no_run = !bridge().snapshot();
  canvas_->set_waiting(
      refused ? tr("No circuits")
              : tr("Computing the circuits of layer %1, head %2").arg(next.layer).arg(next.head),
      refused && no_run ? tr("No run has begun. Circuits need a model of one stack of layers.")
      : refused
          ? next.refusal
          : tr("Pairs of %1 tokens are compared, and %2 heads of earlier layers.")
                .arg(format_count(next.vocab_size), format_count(next.layer * next.num_heads)),
      false);
  canvas_->set_scene(std::move(next));
  describe();
}

void CircuitsView::describe() {
  QString text =
      scene().refusal.isEmpty() ? tr("The circuits are being computed") : scene().refusal;
  if (!scene().is_empty()) {
    text = circuits_sentence(scene()) + QLatin1Char('.');
    for (const QString& fact : circuits_facts(scene())) text += QLatin1Char(' ') + fact;
    if (scene().cursor >= 0)
      text +=
          QLatin1Char(' ') + earlier_text(scene().earlier()[static_cast<size_t>(scene().cursor)])
                                 .replace(QLatin1Char('\n'), QStringLiteral(", "));
  }
  if (text != canvas_->accessibleDescription()) canvas_->setAccessibleDescription(text);
}

std::vector<KeyHelp> CircuitsView::key_help() const {
  return {{tr("Point at an eigenvalue, a pair, a head"), tr("Tooltip: its numbers")},
          {tr("Left, Right, Up, Down"), tr("Go through the earlier heads")},
          {tr("Click an earlier head, Enter"), tr("Show this head")},
          {tr("[ and ], wheel"),
           tr("In QK, move the key one token nearer to the query, or farther away")},
          {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
          {tr("Ctrl+wheel, + and −"), tr("Zoom into the planes")},
          {tr("Double-click, F, Home"), tr("Show all eigenvalues")},
          {tr("Esc"), tr("Remove the cursor from the earlier heads")}};
}

std::function<CircuitsScene()> CircuitsView::exported() const {
  CircuitsScene known = make_scene();
  known.zoom = canvas_->scene().zoom;
  known.exported = true;
  known.title = figure().title;
  known.own_title = figure().own_title;
  return [known = std::move(known), ov = wish(false), qk = wish(true), last_ov = last_ov_,
          last_qk = last_qk_] {
    static const std::atomic<bool> quit{false};
    CircuitsScene scene = known;
    if (ov && !scene.ov) scene.ov = last_ov->of(*ov, quit);
    if (qk && !scene.qk) scene.qk = last_qk->of(*qk, quit);
    return scene;
  };
}

std::function<void(QPainter&, const QRectF&)> CircuitsView::drawing() const {
  return [exported = exported()](QPainter& painter, const QRectF& bounds) {
    const CircuitsScene scene = exported();
    if (scene.is_empty()) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(
          bounds, Qt::AlignCenter | Qt::TextWordWrap,
          scene.refusal.isEmpty() ? tr("There are no circuits to show.") : scene.refusal);
      return;
    }
    paint_circuits(painter, scene, circuits_parts(scene, bounds));
  };
}

QSize CircuitsView::export_size() const {
  const Theme& theme = Theme::instance();
  return {theme.px(1120), theme.px(620)};
}

QSize CircuitsView::export_size_for(double width) const {
  return {static_cast<int>(std::ceil(std::max<double>(width, Theme::instance().px(680)))),
          export_size().height()};
}

std::function<QByteArray()> CircuitsView::table() const {
  return [exported = exported()] { return QByteArray::fromStdString(circuits_csv(exported())); };
}

void CircuitsView::throw_if_refused() const {
  if (const QString why = refusal(); !why.isEmpty())
    throw Error::not_supported({why.toStdString()});
}

std::vector<double> CircuitsView::place() const {
  return scene().zoom == 1 ? std::vector<double>() : std::vector<double>{scene().zoom};
}

void CircuitsView::go_to_place(const std::vector<double>& place) {
  canvas_->set_zoom(place.size() == 1 ? place[0] : 1);
}

QJsonObject CircuitsView::options() const {
  return {{QStringLiteral("distance"), distance_box_->value()}};
}

void CircuitsView::set_options(const QJsonObject& options) {
  if (const auto distance = whole_option(options, "distance", 0, kMostDistance))
    distance_box_->setValue(*distance);
}

ViewEntry circuits_entry() {
  return {
      .name = "circuits",
      .title = CircuitsView::tr("Circuits"),
      .keys = QKeySequence(Qt::ALT | Qt::Key_7),
      .group = ViewGroup::kInside,
      .meaning = CircuitsView::tr("Show what the weights of the shown head do with any text"),
      .look_at = CircuitsView::tr("OV eigenvalues at the right: the head makes likelier what it "
                                  "reads; at the left: less likely."),
      .document = "explore.md",
      .run_order = 22,
      .options = {{"--title"}, {"--no-title"}},
      .make = make_view<CircuitsView>};
}

}  // namespace attn::gui

#include "moc_circuits_view.cpp"
