// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/scenario_form.h"

#include <QKeyEvent>
#include <QRegularExpression>
#include <algorithm>
#include <map>
#include <utility>

#include "engine/attention/backend.h"
#include "engine/core/limits.h"
#include "gui/models/problem_words.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

int64_t whole(double value) {
  return static_cast<int64_t>(value);
}

// Turns "$.requests[2].max_tokens" into "$.requests[].max_tokens".
std::string without_index(const std::string& path) {
  std::string result;
  bool inside = false;
  for (char c : path) {
    if (c == ']') inside = false;
    if (!inside) result += c;
    if (c == '[') inside = true;
  }
  return result;
}

bool has_option(std::string_view backend, std::string_view option) {
  for (const AttentionBackend* one : registered_backends())
    if (one->name() == backend)
      return std::ranges::any_of(one->options(),
                                 [&](const BackendOption& own) { return own.name == option; });
  return false;
}

}  // namespace

void set_attention_type(Scenario& scenario, AttentionType type) {
  if (scenario.attention.type == type) return;
  const bool decoded = scenario.attention.type != AttentionType::kEncoderOnly;
  const bool decodes = type != AttentionType::kEncoderOnly;
  const bool cross = type == AttentionType::kEncoderDecoder;
  scenario.attention.type = type;
  for (ScenarioRequest& request : scenario.requests) {
    if (decodes != decoded) request.max_tokens = decodes ? ScenarioRequest{}.max_tokens : 1;
    const bool counts = cross && !scenario.source.reads_text();
    request.encoder_tokens = counts ? std::max<int64_t>(1, request.prompt_tokens) : 0;
    if (!cross) request.decoder_prompt.clear();
  }
  if (auto& tensors = scenario.source.tensors; tensors && !cross) tensors->key_tokens.clear();
  if (auto& synthetic = scenario.source.synthetic) {
    const bool fits = synthetic->kind == SyntheticKind::kAlignment ||
                              synthetic->kind == SyntheticKind::kEncoderDecoder
                          ? cross
                      : synthetic->kind == SyntheticKind::kAlternating ? decodes && !cross
                                                                       : true;
    if (!fits) synthetic->kind = SyntheticKind::kRandom;
    if (!cross) synthetic->num_encoder_layers = 0;
  }
}

ScenarioForm::ScenarioForm(const QStringList& models, QWidget* parent)
    : QWidget(parent), models_(models), request_part_(new QWidget), engine_part_(new QWidget) {
  for (auto [part, build] : {std::pair{request_part_, &ScenarioForm::build_request},
                             std::pair{engine_part_, &ScenarioForm::build_source}}) {
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    (this->*build)(layout);
    if (part == engine_part_) {
      build_attention(layout);
      build_engine(layout);
    }
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(request_part_);
  layout->addWidget(engine_part_);
  const auto restyle = [this] {
    const Theme& theme = Theme::instance();
    prompt_->setFont(theme.font());
    prompt_->setFixedHeight(theme.px(76));
    for (QLabel* label : headings_) label->setFont(theme.font(TextRole::kBody, QFont::DemiBold));
  };
  connect(&Theme::instance(), &Theme::changed, this, restyle);
  restyle();
}

QLabel* ScenarioForm::heading(QVBoxLayout* layout, const QString& text) {
  auto* label = new QLabel(text);
  label->setContentsMargins(0, 8, 0, 0);
  headings_.push_back(label);
  layout->addWidget(label);
  return label;
}

Field* ScenarioForm::number(QVBoxLayout* layout, const QString& name, const QString& unit,
                            const QString& meaning, const char* path, bool is_whole, Get get,
                            Set set) {
  auto* edit = new NumberEdit(is_whole);
  auto* field = new Field(name, unit, meaning, path, edit, layout->parentWidget());
  connect(edit, &NumberEdit::value_edited, this, &ScenarioForm::take);
  layout->addWidget(field);
  numbers_.push_back({field, edit, std::move(get), std::move(set), 0});
  fields_.push_back(field);
  return field;
}

Field* ScenarioForm::choice(QVBoxLayout* layout, const QString& name, const QString& meaning,
                            const char* path,
                            const std::vector<std::pair<QString, std::string>>& options,
                            std::function<std::string(const Scenario&)> get,
                            std::function<void(Scenario&, const std::string&)> set) {
  auto* box = new QComboBox;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(6);
  for (const auto& [label, value] : options) box->addItem(label, QString::fromStdString(value));
  auto* field = new Field(name, {}, meaning, path, box, layout->parentWidget());
  connect(box, &QComboBox::activated, this, &ScenarioForm::take);
  layout->addWidget(field);
  choices_.push_back({field, box, std::move(get), std::move(set)});
  fields_.push_back(field);
  return field;
}

const ScenarioRequest* ScenarioForm::request(const Scenario& scenario) const {
  return index_ >= 0 && index_ < static_cast<int>(scenario.requests.size())
             ? &scenario.requests[static_cast<size_t>(index_)]
             : nullptr;
}

ScenarioRequest* ScenarioForm::request(Scenario& scenario) const {
  return const_cast<ScenarioRequest*>(request(std::as_const(scenario)));
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
  layout->addWidget(decoder_prompt_);
  fields_.push_back(decoder_prompt_);

  const auto of = [this](const Scenario& s) -> ScenarioRequest {
    const ScenarioRequest* r = request(s);
    return r ? *r : ScenarioRequest{};
  };
  const auto put = [this](auto change) {
    return [this, change](Scenario& s, double v) {
      if (ScenarioRequest* r = request(s)) change(*r, v);
    };
  };
  no_text_only_.push_back(number(
      layout, tr("Prompt length"), tr("tokens"), tr("Number of tokens of the prompt."),
      "$.requests[].prompt_tokens", true,
      [of](const Scenario& s) { return double(of(s).prompt_tokens); },
      put([](ScenarioRequest& r, double v) { r.prompt_tokens = whole(v); })));
  encoder_tokens_ = number(
      layout, tr("Encoder length"), tr("tokens"),
      tr("Number of tokens of the encoder. In cross attention the tokens of the request read the "
         "keys of these tokens."),
      "$.requests[].encoder_tokens", true,
      [of](const Scenario& s) { return double(of(s).encoder_tokens); },
      put([](ScenarioRequest& r, double v) { r.encoder_tokens = whole(v); }));
  max_tokens_ = number(
      layout, tr("Max new tokens"), tr("tokens"),
      tr("The request ends at the latest after this many generated tokens."),
      "$.requests[].max_tokens", true, [of](const Scenario& s) { return double(of(s).max_tokens); },
      put([](ScenarioRequest& r, double v) { r.max_tokens = whole(v); }));
  not_tensors_.push_back(number(
      layout, tr("Temperature"), tr("0 greedy"),
      tr("At 0 the most likely token is taken; the higher the temperature, the more often a less "
         "likely token is sampled."),
      "$.requests[].temperature", false,
      [of](const Scenario& s) { return of(s).sampling.temperature; },
      put([](ScenarioRequest& r, double v) { r.sampling.temperature = v; })));
  sampled_only_.push_back(number(
      layout, tr("Top-k"), tr("0 all"),
      tr("Only the k most likely tokens can be sampled. 0 means all tokens."), "$.requests[].top_k",
      true, [of](const Scenario& s) { return double(of(s).sampling.top_k); },
      put([](ScenarioRequest& r, double v) { r.sampling.top_k = whole(v); })));
  sampled_only_.push_back(number(
      layout, tr("Top-p"), {},
      tr("Only the most likely tokens can be sampled: as few as together have at least this "
         "probability."),
      "$.requests[].top_p", false, [of](const Scenario& s) { return of(s).sampling.top_p; },
      put([](ScenarioRequest& r, double v) { r.sampling.top_p = v; })));
  sampled_only_.push_back(number(
      layout, tr("Seed"), {}, tr("The seed of the random numbers that sample the tokens."),
      "$.requests[].seed", true, [of](const Scenario& s) { return double(of(s).sampling.seed); },
      put([](ScenarioRequest& r, double v) { r.sampling.seed = static_cast<uint64_t>(v); })));
  numbers_.back().edit->set_least(0);
  add_fields(layout, request_fields(), tr("More about the request"));
}

MoreSection* ScenarioForm::add_fields(QVBoxLayout* layout, const std::vector<FieldSpec>& specs,
                                      const QString& more_about) {
  auto* section = new MoreSection(more_about);
  for (const FieldSpec& spec : specs) add_field(spec.rare ? section->fields() : layout, spec);
  layout->addWidget(section);
  sections_.push_back(section);
  return section;
}

void ScenarioForm::add_field(QVBoxLayout* layout, const FieldSpec& spec) {
  const auto shown = [this](const Scenario& s) {
    const ScenarioRequest* r = request(s);
    return r ? *r : ScenarioRequest{};
  };
  // Without a shown request, a change of the request is dropped.
  const auto with_request = [this](Scenario& s, auto&& change) {
    ScenarioRequest nobody;
    ScenarioRequest* r = request(s);
    change(s, r ? *r : nobody);
  };
  Field* field = nullptr;
  if (spec.options.empty()) {
    field = number(
        layout, spec.name, spec.unit, spec.meaning, spec.path, spec.whole,
        [spec, shown](const Scenario& s) { return spec.number(s, shown(s)); },
        [spec, with_request](Scenario& s, double v) {
          with_request(s, [&](Scenario& all, ScenarioRequest& r) { spec.set_number(all, r, v); });
        });
    // A scenario cannot hold a negative seed.
    if (std::string_view(spec.path) == "$.seed") numbers_.back().edit->set_least(0);
  } else {
    field = choice(
        layout, spec.name, spec.meaning, spec.path, spec.options,
        [spec, shown](const Scenario& s) { return spec.word(s, shown(s)); },
        [spec, with_request](Scenario& s, const std::string& v) {
          with_request(s, [&](Scenario& all, ScenarioRequest& r) { spec.set_word(all, r, v); });
        });
  }
  field->setVisible(true);
  if (spec.matters) conditional_.push_back({field, spec.matters});
}

void ScenarioForm::build_engine(QVBoxLayout* layout) {
  heading(layout, tr("Scheduling"));
  add_fields(layout, scheduling_fields(), tr("More about scheduling"));
  heading(layout, tr("Engine and cache"));
  const auto engine = [&](const QString& name, const QString& unit, const QString& meaning,
                          const char* path, int64_t ScenarioEngine::*member) {
    number(
        layout, name, unit, meaning, path, true,
        [member](const Scenario& s) { return double(s.engine.*member); },
        [member](Scenario& s, double v) { s.engine.*member = whole(v); });
  };
  engine(tr("Block size"), tr("tokens"),
         tr("A block is a piece of cache memory for the keys and values of this many tokens."),
         "$.engine.block_size", &ScenarioEngine::block_size);
  engine(tr("Blocks"), {}, tr("Number of blocks of the whole cache."), "$.engine.num_blocks",
         &ScenarioEngine::num_blocks);
  engine(
      tr("Batch budget"), tr("tokens"),
      tr("The largest number of tokens that one engine step may compute (max_num_batched_tokens)."),
      "$.engine.max_num_batched_tokens", &ScenarioEngine::max_num_batched_tokens);
  engine(tr("Max sequences"), {},
         tr("The largest number of sequences that may run at the same time (max_num_seqs)."),
         "$.engine.max_num_seqs", &ScenarioEngine::max_num_seqs);
  engine(tr("Threads"), tr("0 all"),
         tr("Number of worker threads. 0 means one for each hardware thread, or 2 with the virtual "
            "clock."),
         "$.engine.threads", &ScenarioEngine::threads);
  build_cache(layout);
  build_backend_options(layout, BackendOption::About::kKernel);
  build_switches(layout);
}

void ScenarioForm::build_switches(QVBoxLayout* layout) {
  const auto boolean = [&](const QString& name, const QString& meaning, const char* path,
                           const QString& off, const QString& on, bool ScenarioEngine::*member) {
    choice(
        layout, name, meaning, path, {{off, "off"}, {on, "on"}},
        [member](const Scenario& s) { return std::string(s.engine.*member ? "on" : "off"); },
        [member](Scenario& s, const std::string& v) { s.engine.*member = v == "on"; });
  };
  boolean(tr("Head padding"),
          tr("Where the backend does not support the head size: pads the heads with zeros to the "
             "next size that it supports (pad_head_size). The KV cache becomes larger."),
          "$.engine.pad_head_size", tr("off"), tr("zeros"), &ScenarioEngine::pad_head_size);
  boolean(tr("Decode plans"),
          tr("Captured: a decode step writes its lengths, slots and block tables into a plan that "
             "was made before, if one fits."),
          "$.engine.use_captured_plan", tr("computed each step"), tr("captured"),
          &ScenarioEngine::use_captured_plan);
  build_backend_options(layout, BackendOption::About::kDevice);
}

void ScenarioForm::build_backend_options(QVBoxLayout* layout, BackendOption::About about) {
  for (const BackendOption& option : backend_options()) {
    if (option.about != about) continue;
    std::vector<std::pair<QString, std::string>> values;
    for (const std::string& value : option.values) values.emplace_back(text_of(value), value);
    Field* field = choice(
        layout, text_of(option.title), text_of(option.meaning), ("$.engine." + option.name).c_str(),
        values,
        [option](const Scenario& s) {
          return std::string(value_of(s.engine.backend_options, option));
        },
        [option](Scenario& s, const std::string& v) {
          choose(s.engine.backend_options, option, v);
        });
    if (about == BackendOption::About::kDevice)
      conditional_.push_back({field, [name = option.name](const Scenario& s, const auto&) {
                                return has_option(s.engine.backend, name);
                              }});
  }
}

void ScenarioForm::show_scenario(const Scenario& scenario, int index) {
  showing_ = true;
  scenario_ = scenario;
  index_ = index;
  const ScenarioRequest* shown = request(std::as_const(scenario_));
  const QString text = shown ? text_of(shown->prompt) : QString();
  if (prompt_->toPlainText() != text) prompt_->setPlainText(text);
  const QString begin = shown ? text_of(shown->decoder_prompt) : QString();
  if (decoder_text_->text() != begin) decoder_text_->setText(begin);
  const bool other = shown_title_ != scenario.title || shown_index_ != index;
  for (Number& number : numbers_) {
    const double value = number.get(scenario_);
    if (!other && !number.edit->value() && value == number.shown) continue;
    number.shown = value;
    number.edit->set_value(value);
  }
  for (const Choice& choice : choices_) {
    const QString value = QString::fromStdString(choice.get(scenario_));
    int at = choice.box->findData(value);
    if (at < 0 && !value.isEmpty()) {  // an unlisted value
      choice.box->addItem(value, value);
      at = choice.box->count() - 1;
    }
    choice.box->setCurrentIndex(at);
  }
  show_relevant();
  open_sections();
  showing_ = false;
}

// When another scenario or request is shown, opens the sections with unusual values and closes the
// others.
void ScenarioForm::open_sections() {
  if (shown_title_ == scenario_.title && shown_index_ == index_) return;
  shown_title_ = scenario_.title;
  shown_index_ = index_;
  Scenario plain;
  plain.requests.resize(scenario_.requests.size());
  for (MoreSection* section : sections_) {
    const auto inside = [&](const Field* field) {
      return section->isAncestorOf(field) && field->isVisibleTo(field->parentWidget());
    };
    bool unusual = false;
    for (const Number& number : numbers_)
      unusual |= inside(number.field) && number.get(scenario_) != number.get(plain);
    for (const Choice& choice : choices_)
      unusual |= inside(choice.field) && choice.get(scenario_) != choice.get(plain);
    section->set_open(unusual);
  }
}

void ScenarioForm::show_relevant() {
  const bool synthetic = scenario_.source.synthetic.has_value(),
             model = scenario_.source.reads_text(), tensors = scenario_.source.tensors.has_value();
  const ScenarioRequest* shown = request(std::as_const(scenario_));
  prompt_->setVisible(model);
  prompt_->setEnabled(shown != nullptr);
  for (Field* field : synthetic_only_) field->setVisible(synthetic);
  for (Field* field : no_text_only_) field->setVisible(!model);
  for (Field* field : model_only_) field->setVisible(model);
  for (Field* field : tensors_only_) field->setVisible(tensors);
  for (Field* field : not_tensors_) field->setVisible(!tensors);
  show_tensor_files();
  sink_->setVisible(!scenario_.attention.sinks.empty());
  // An encoder's request has one new token; the number cannot be chosen.
  max_tokens_->setVisible(scenario_.attention.type != AttentionType::kEncoderOnly);
  const bool cross = scenario_.attention.type == AttentionType::kEncoderDecoder;
  encoder_tokens_->setVisible(cross && !model);
  decoder_prompt_->setVisible(cross && model);
  prompt_->setToolTip(
      cross || scenario_.attention.type == AttentionType::kEncoderOnly
          ? tr("The prompt is the text that the encoder reads. Ctrl+Enter starts the run.")
          : tr("The prompt is the text that the model continues. Ctrl+Enter starts the run."));
  for (Field* field : sampled_only_) field->setVisible(shown && shown->sampling.temperature > 0);
  const ScenarioRequest some = shown ? *shown : ScenarioRequest{};
  for (const Conditional& one : conditional_) one.field->setVisible(one.matters(scenario_, some));
  show_cache_note();
  if (!synthetic) return;
  const SyntheticKind kind = scenario_.source.synthetic->kind;
  period_->setVisible(kind == SyntheticKind::kLocal || kind == SyntheticKind::kInduction ||
                      kind == SyntheticKind::kAlignment || kind == SyntheticKind::kAlternating);
  needle_->setVisible(kind == SyntheticKind::kNeedle);
  encoder_layers_->setVisible(kind == SyntheticKind::kEncoderDecoder);
}

void ScenarioForm::take() {
  if (showing_) return;
  const Scenario before = scenario_;
  for (const Choice& choice : choices_) {
    const std::string value = choice.box->currentData().toString().toStdString();
    if (!value.empty() && value != choice.get(scenario_)) choice.set(scenario_, value);
    // The other fields still have values of the former kind of run.
    if (!same_kind_of_run(scenario_, before)) {
      emit edited();
      return;
    }
  }
  // Only numbers that the user changed are set: a choice above may have changed others.
  for (const Number& number : numbers_)
    if (const auto value = number.edit->value(); value && *value != number.get(before))
      number.set(scenario_, *value);
  if (ScenarioRequest* shown = request(scenario_); shown && scenario_.source.reads_text())
    shown->prompt = prompt_->toPlainText().toStdString();
  if (ScenarioRequest* shown = request(scenario_);
      shown && decoder_text_->isModified() && !decoder_prompt_->isHidden())
    shown->decoder_prompt = decoder_text_->text().toStdString();
  emit edited();
}

// Puts the names of fields in place of keys of the file: "Max sequences" for max_num_seqs.
QString ScenarioForm::with_names(const Field& at, QString sentence) const {
  const auto key_of = [](const Field& field) {
    QString key = QString::fromStdString(field.path()).section(QLatin1Char('.'), -1);
    return key.remove(QStringLiteral("[]"));
  };
  if (const QString own = key_of(at) + QLatin1Char(' ');
      sentence.startsWith(own, Qt::CaseInsensitive))
    sentence.replace(0, own.size() - 1, at.name());
  // block_size is the engine's, not that of block-sparse attention.
  for (const Field* field : fields_)
    if (const QString key = key_of(*field);
        key.contains(QLatin1Char('_')) && !field->path().starts_with("$.attention.blocksparse."))
      sentence.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(key),
                                          QRegularExpression::CaseInsensitiveOption),
                       field->name());
  return sentence;
}

Field* ScenarioForm::field_at(const std::string& where) const {
  // A file name may stand before the path: "first-look.json $.engine.block_size".
  const std::string wanted = without_index(where.substr(std::min(where.find('$'), where.size())));
  const auto at = std::ranges::find_if(fields_, [&](const Field* field) {
    return field->isVisibleTo(field->parentWidget()) && field->path() == wanted;
  });
  return at == fields_.end() ? nullptr : *at;
}

void ScenarioForm::put_back(const Field& field, const Scenario& valid, Scenario& scenario) const {
  for (const Number& number : numbers_)
    if (number.field == &field) number.set(scenario, number.get(valid));
  for (const Choice& choice : choices_)
    if (choice.field == &field) choice.set(scenario, choice.get(valid));
}

bool ScenarioForm::mark_problems(const Scenario& valid) {
  std::map<const Field*, QString> problems;
  bool placed = true;
  for (Scenario rest = scenario_;;) {
    try {
      validate(rest);
      break;
    } catch (const Error& error) {
      const Field* field = field_at(error.parts().where);
      if (problems.empty()) placed = field != nullptr;
      if (!field || problems.contains(field)) break;
      problems[field] = with_names(*field, words_at_field(error.parts()));
      put_back(*field, valid, rest);
    }
  }
  for (Field* field : fields_) {
    const auto problem = problems.find(field);
    const auto* edit = qobject_cast<NumberEdit*>(field->editor());
    field->set_problem(problem != problems.end() ? problem->second
                       : edit                    ? edit->trouble()
                                                 : QString());
    for (MoreSection* section : sections_)
      if (problem != problems.end() && section->isAncestorOf(field)) section->set_open(true);
  }
  return placed;
}

QString ScenarioForm::unreadable() const {
  for (const Number& number : numbers_)
    if (number.field->isVisibleTo(number.field->parentWidget()) && !number.edit->value())
      return number.edit->trouble();
  return {};
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
  return QWidget::eventFilter(watched, event);
}

}  // namespace attn::gui

#include "moc_scenario_form.cpp"
