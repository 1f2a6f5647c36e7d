// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/place_input.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

using lesson::Place;
using lesson::PlaceKind;

QString how_to_point(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::kCell:
      return PlaceInput::tr("Click the cell, or give its query and key:");
    case PlaceKind::kHead:
      return PlaceInput::tr("Choose the head in a view, or give its layer and number:");
    case PlaceKind::kRequest:
      return PlaceInput::tr("Choose the request in a view, or give its number:");
    case PlaceKind::kStep:
      return PlaceInput::tr("Go to the step, or give its number:");
    case PlaceKind::kRow:
    case PlaceKind::kToken:
    case PlaceKind::kBlock:
      break;
  }
  return PlaceInput::tr("Click the answer, or give its number:");
}

// The largest number of a field, until a snapshot tells the real limit.
constexpr int64_t kMostUnknown = 99;

// Views show a place of these kinds from the start. It counts as an answer only after a change.
bool is_always_shown(PlaceKind kind) {
  return kind == PlaceKind::kHead || kind == PlaceKind::kRequest || kind == PlaceKind::kStep;
}

}  // namespace

PlaceInput::PlaceInput(PlaceKind kind, EngineBridge& bridge, Selection& selection,
                       TimeCursor& cursor, QWidget* parent)
    : QWidget(parent),
      kind_(kind),
      bridge_(bridge),
      selection_(selection),
      cursor_(cursor),
      how_(new QLabel(how_to_point(kind))),
      meant_(new QLabel),
      refusal_(new RefusalLabel) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(1, 1);
  for (QLabel* label : {how_, meant_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
  }
  grid->addWidget(how_, 0, 0, 1, 2);
  build_fields();
  grid->addWidget(refusal_, 9, 0, 1, 2);
  grid->addWidget(meant_, 10, 0, 1, 2);
  connect(&selection, &Selection::changed, this, &PlaceInput::take_selection);
  if (is_always_shown(kind)) {
    connect(&selection, &Selection::shown_changed, this, &PlaceInput::take_selection);
    connect(&cursor, &TimeCursor::moved, this, &PlaceInput::take_selection);
  }
  connect(&bridge, &EngineBridge::snapshot_changed, this, &PlaceInput::build_fields);
  connect(&Theme::instance(), &Theme::changed, this, &PlaceInput::restyle);
  if (!is_always_shown(kind)) take_selection();
  restyle();
  fill();
}

// A new snapshot may know more limits.
void PlaceInput::build_fields() {
  if (!open_) return;
  const std::vector<PlaceField> wanted = fields_of(kind_, bridge_.snapshot().get(), selection_);
  auto* grid = static_cast<QGridLayout*>(layout());
  for (size_t i = fields_.size(); i < wanted.size(); ++i) {
    const QString name = QCoreApplication::translate("LessonPlaces", wanted[i].name);
    Field field{new QLabel(name, this), new AnswerField(this), kMostUnknown, wanted[i].field};
    field.box->setAccessibleName(tr("Number of the %1").arg(name));
    field.box->setDecimals(0);
    field.box->set_answers(0, kMostUnknown);
    grid->addWidget(field.name, 1 + static_cast<int>(i), 0);
    grid->addWidget(field.box, 1 + static_cast<int>(i), 1, Qt::AlignLeft);
    field.name->show();
    field.box->show();
    connect(field.box, &AnswerField::valueChanged, this, [this] {
      if (!filling_) take_numbers();
    });
    fields_.push_back(field);
    setFocusProxy(fields_.front().box);
    restyle();
  }
  filling_ = true;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Field& field = fields_[i];
    if (wanted[i].most < 0 || wanted[i].most == field.most) continue;
    field.most = wanted[i].most;
    const std::optional<double> typed = field.box->is_empty() || field.box->is_unreadable()
                                            ? std::nullopt
                                            : std::optional(field.box->value());
    field.box->set_answers(0, static_cast<double>(field.most));
    if (typed) field.box->setValue(*typed);
  }
  filling_ = false;
}

void PlaceInput::take_selection() {
  if (!open_ || filling_) return;
  const std::optional<Place> now = place_of_selection(kind_, selection_, cursor_);
  if (!now || now == place_) return;
  place_ = now;
  fill();
  emit changed();
}

void PlaceInput::take_numbers() {
  Place place{.kind = kind_};
  place.request = selection_.shown_request();
  place.layer = selection_.shown_layer();
  place.head = selection_.shown_head();
  for (const Field& field : fields_) {
    if (!field.box->holds_answer()) {
      place_.reset();
      fill();
      return emit changed();
    }
    place.*field.field = std::llround(field.box->value());
  }
  filling_ = true;
  if (kind_ == PlaceKind::kStep)
    cursor_.go_to(static_cast<uint32_t>(place.step));
  else
    show_place(place, bridge_, selection_);
  filling_ = false;
  place_ = kind_ == PlaceKind::kStep ? std::optional(place)
                                     : place_of_selection(kind_, selection_, cursor_);
  if (!place_) place_ = place;
  fill();
  emit changed();
}

void PlaceInput::fill() {
  filling_ = true;
  for (const Field& field : fields_)
    if (place_ && std::llround(field.box->value()) != (*place_).*field.field)
      field.box->setValue(static_cast<double>((*place_).*field.field));
  filling_ = false;
  QString refusal;
  for (const Field& field : fields_)
    if (refusal.isEmpty()) refusal = field.box->refusal({});
  refusal_->tell(refusal);
  const QString said = words();
  meant_->setText(said.isEmpty() ? tr("Nothing is chosen yet.") : tr("You mean: %1").arg(said));
}

QString PlaceInput::words() const {
  if (!place_) return {};
  const EngineSnapshot* snapshot = bridge_.snapshot().get();
  const RequestView* request =
      snapshot ? request_by_id(*snapshot, selection_.shown_request()) : nullptr;
  const auto token = [&](int64_t position) {
    if (!request || !request->tokens || position < 0 ||
        position >= static_cast<int64_t>(request->tokens->size()))
      return QString::number(position);
    return QStringLiteral("%1 %2").arg(
        QString::number(position),
        quoted_token((*request->tokens)[static_cast<size_t>(position)].text));
  };
  switch (kind_) {
    case PlaceKind::kCell:
      return tr("query %1, key %2").arg(token(place_->query), token(place_->key));
    case PlaceKind::kRow:
      return tr("row %1").arg(token(place_->query));
    case PlaceKind::kToken:
      return tr("token %1").arg(token(place_->token));
    case PlaceKind::kHead:
      return tr("layer %1, head %2").arg(place_->layer).arg(place_->head);
    case PlaceKind::kBlock:
      return tr("block %1").arg(place_->block);
    case PlaceKind::kRequest:
      if (const RequestView* meant = snapshot ? request_by_id(*snapshot, place_->request) : nullptr)
        return tr("request %1, “%2”").arg(place_->request).arg(QString::fromStdString(meant->name));
      return tr("request %1").arg(place_->request);
    case PlaceKind::kStep:
      return tr("step %1").arg(place_->step);
  }
  return {};
}

void PlaceInput::close() {
  open_ = false;
  for (const Field& field : fields_) field.box->setEnabled(false);
  how_->hide();
}

void PlaceInput::begin() {
  if (fields_.empty()) return setFocus();
  fields_.front().box->setFocus();
  fields_.front().box->selectAll();
}

void PlaceInput::restyle() {
  const Theme& theme = Theme::instance();
  how_->setFont(theme.font());
  meant_->setFont(theme.font(TextRole::kBody, QFont::DemiBold));
  for (const Field& field : fields_) {
    field.name->setFont(theme.font());
    field.box->setFont(theme.mono());
    field.box->setMinimumWidth(theme.px(80));
  }
}

}  // namespace attn::gui

#include "moc_place_input.cpp"
