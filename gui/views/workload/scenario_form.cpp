// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/scenario_form.h"

#include <QKeyEvent>
#include <utility>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/workload/fields/attention_fields.h"
#include "gui/views/workload/fields/backend_fields.h"
#include "gui/views/workload/fields/engine_fields.h"
#include "gui/views/workload/fields/request_fields.h"
#include "gui/views/workload/fields/scheduling_fields.h"

namespace attn::gui {

ScenarioForm::ScenarioForm(const QStringList& models, QWidget* parent)
    : QWidget(parent),
      request_part_(new QWidget),
      engine_part_(new QWidget),
      fields_(new FieldList(this)),
      source_(new SourceFields(models, this)) {
  for (auto [part, build] : {std::pair{request_part_, &ScenarioForm::build_request},
                             std::pair{engine_part_, &ScenarioForm::build_engine}}) {
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    (this->*build)(layout);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(request_part_);
  layout->addWidget(engine_part_);
  connect(fields_, &FieldList::edited, this, &ScenarioForm::take);
  connect(source_, &SourceFields::tensors_wanted, this, &ScenarioForm::tensors_wanted);
  connect(source_, &SourceFields::models_wanted, this, &ScenarioForm::models_wanted);
  const auto restyle = [this] {
    const Theme& theme = Theme::instance();
    prompt_->setFont(theme.font());
    prompt_->setFixedHeight(theme.px(76));
  };
  connect(&Theme::instance(), &Theme::changed, this, restyle);
  restyle();
}

void ScenarioForm::build_request(QVBoxLayout* layout) {
  prompt_ = new QPlainTextEdit;
  prompt_->setPlaceholderText(tr("Type a sentence. Ctrl+Enter runs it."));
  prompt_->setAccessibleName(tr("Prompt"));
  prompt_->setTabChangesFocus(true);
  prompt_->installEventFilter(this);
  connect(prompt_, &QPlainTextEdit::textChanged, this, &ScenarioForm::take);
  layout->addWidget(prompt_);
  fit_note_ = new FitNote;
  layout->addWidget(fit_note_);
  decoder_text_ = new QLineEdit;
  connect(decoder_text_, &QLineEdit::textEdited, this, &ScenarioForm::take);
  decoder_prompt_ = new Field(
      tr("Decoder prompt"), {},
      tr("Text with which the decoder begins after its first token. Empty: it begins with that "
         "token alone."),
      "$.requests[].decoder_prompt", decoder_text_, this);
  fields_->add(layout, decoder_prompt_);
  fields_->add(layout, request_fields(), tr("More about the request"));
}

void ScenarioForm::build_engine(QVBoxLayout* layout) {
  fields_->add_heading(layout, tr("Source of Q, K, V"));
  source_->add_to(*fields_, layout);
  fields_->add_heading(layout, tr("Attention"));
  fields_->add(layout, attention_fields());
  fields_->add_heading(layout, tr("Scheduling"));
  fields_->add(layout, scheduling_fields(), tr("More about scheduling"));
  fields_->add_heading(layout, tr("Engine and cache"));
  fields_->add(layout, engine_fields());
  cache_note_ = new CacheNote;
  layout->addWidget(cache_note_);
  fields_->add(layout, backend_fields());
}

void ScenarioForm::show_scenario(const Scenario& scenario, int index) {
  showing_ = true;
  scenario_ = scenario;
  index_ = index;
  show_texts();
  fields_->show(scenario_, index_);
  source_->show(scenario_);
  cache_note_->show_limits(scenario_);
  showing_ = false;
}

void ScenarioForm::show_texts() {
  const ScenarioRequest* shown = request_at(std::as_const(scenario_), index_);
  const QString text = shown ? text_of(shown->prompt) : QString();
  if (prompt_->toPlainText() != text) prompt_->setPlainText(text);
  const QString begin = shown ? text_of(shown->decoder_prompt) : QString();
  if (decoder_text_->text() != begin) decoder_text_->setText(begin);
  const bool model = scenario_.source.reads_text();
  const bool cross = scenario_.attention.type == AttentionType::kEncoderDecoder;
  prompt_->setVisible(model);
  prompt_->setEnabled(shown != nullptr);
  prompt_->setToolTip(
      cross || scenario_.attention.type == AttentionType::kEncoderOnly
          ? tr("The prompt is the text that the encoder reads. Ctrl+Enter starts the run.")
          : tr("The prompt is the text that the model continues. Ctrl+Enter starts the run."));
  decoder_prompt_->setVisible(cross && model);
}

void ScenarioForm::take() {
  if (showing_) return;
  const Scenario before = scenario_;
  if (fields_->take(scenario_, index_)) take_texts(before);
  emit edited();
}

void ScenarioForm::take_texts(const Scenario& before) {
  ScenarioRequest* shown = request_at(scenario_, index_);
  if (!shown) return;
  // A choice of another model may have replaced the prompt.
  const bool same_prompt = shown->prompt == request_at(before, index_)->prompt;
  if (scenario_.source.reads_text() && same_prompt)
    shown->prompt = prompt_->toPlainText().toStdString();
  if (decoder_text_->isModified() && !decoder_prompt_->isHidden())
    shown->decoder_prompt = decoder_text_->text().toStdString();
}

bool ScenarioForm::mark_problems(const Scenario& valid) {
  return fields_->mark_problems(scenario_, valid, index_);
}

bool ScenarioForm::eventFilter(QObject* watched, QEvent* event) {
  if (watched == prompt_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
        (key->modifiers() & Qt::ControlModifier)) {
      emit run_wanted();
      return true;
    }
  }
  // What the prompt cannot undo or redo is left to the window. After the window's Undo the prompt
  // redoes nothing, because Redo must then begin with what the window took back.
  if (watched == prompt_ && event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    QTextDocument& text = *prompt_->document();
    const bool undoes = key->matches(QKeySequence::Undo) && !text.isUndoAvailable();
    if (undoes) text.clearUndoRedoStacks(QTextDocument::RedoStack);
    if (undoes || (key->matches(QKeySequence::Redo) && !text.isRedoAvailable())) {
      event->ignore();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace attn::gui

#include "moc_scenario_form.cpp"
