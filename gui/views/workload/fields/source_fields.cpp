// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/source_fields.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>

#include "engine/model/find_models.h"
#include "gui/models/plain_tooltip.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/workload/fields/attention_fields.h"
#include "gui/views/workload/fields/model_change.h"

namespace attn::gui {
namespace {

constexpr const char* kOtherModels = "other models";  // stands for no model

// The model as the field calls it. A model that comes with the program has one entry, also where
// the scenario has its absolute path.
std::string model_in_field(const Scenario& scenario) {
  const std::filesystem::path model = scenario.source.model;
  const std::string name = model.is_absolute() ? shipped_model_at(model) : std::string();
  return name.empty() ? scenario.source.model : name;
}

bool is_synthetic(const Scenario& s, const ScenarioRequest&) {
  return s.source.synthetic.has_value();
}
bool is_tensors(const Scenario& s, const ScenarioRequest&) {
  return s.source.tensors.has_value();
}
template <SyntheticKind... kinds>
bool is_kind(const Scenario& s, const ScenarioRequest&) {
  return s.source.synthetic && ((s.source.synthetic->kind == kinds) || ...);
}

FieldSpec pattern_field() {
  FieldSpec spec{
      .name = tr("Pattern"),
      .unit = {},
      .meaning = tr(
          "What a query reads most. Random: no pattern. Local: keys shortly before it. Induction: "
          "the token that followed the same token earlier. Needle: one fixed key. Alignment (cross "
          "attention): in heads 0, 4, 8 and so on the word of the encoder that is being "
          "translated. Alternating: no pattern, but every other layer has a sliding window. "
          "Encoder_decoder: no pattern, and every layer has self attention and then cross "
          "attention."),
      .path = "$.source.synthetic.kind"};
  for (const SyntheticKind kind : kSyntheticKinds)
    spec.options.emplace_back(text_of(name_of(kind)), std::string(name_of(kind)));
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.source.synthetic ? name_of(s.source.synthetic->kind)
                                          : std::string_view("random"));
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    if (const auto kind = synthetic_kind_from_name(v); kind && s.source.synthetic)
      s.source.synthetic->kind = *kind;
    if (s.source.synthetic && s.source.synthetic->kind != SyntheticKind::kEncoderDecoder)
      s.source.synthetic->num_encoder_layers = 0;
    if (s.source.synthetic && (s.source.synthetic->kind == SyntheticKind::kAlignment ||
                               s.source.synthetic->kind == SyntheticKind::kEncoderDecoder))
      set_attention_type(s, AttentionType::kEncoderDecoder);
    if (s.source.synthetic && s.source.synthetic->kind == SyntheticKind::kAlternating) {
      set_attention_type(s, AttentionType::kDecoder);
      s.attention.sliding_window = 0;
    }
  };
  spec.matters = is_synthetic;
  return spec;
}

template <class Value>
FieldSpec synthetic_number(const QString& name, const QString& unit, const QString& meaning,
                           const char* path, Value SyntheticSpec::*member,
                           bool (*matters)(const Scenario&,
                                           const ScenarioRequest&) = is_synthetic) {
  FieldSpec spec{.name = name,
                 .unit = unit,
                 .meaning = meaning,
                 .path = path,
                 .whole = std::is_same_v<Value, int64_t>};
  spec.number = [member](const Scenario& s, const ScenarioRequest&) {
    return static_cast<double>(s.source.synthetic.value_or(SyntheticSpec{}).*member);
  };
  spec.set_number = [member](Scenario& s, ScenarioRequest&, double v) {
    if (s.source.synthetic) (*s.source.synthetic).*member = static_cast<Value>(v);
  };
  spec.matters = matters;
  return spec;
}

std::vector<FieldSpec> synthetic_fields() {
  return {
      pattern_field(),
      synthetic_number(tr("Layers"), {},
                       tr("Number of layers, which are computed one after another. With the "
                          "pattern encoder_decoder each of them is two attention layers."),
                       "$.source.synthetic.num_layers", &SyntheticSpec::num_layers),
      synthetic_number(tr("Encoder layers"), {},
                       tr("Number of layers of the encoder, which are computed before the others "
                          "in the step of a prompt. With 0 no encoder is computed: the generator "
                          "makes its keys and values directly."),
                       "$.source.synthetic.num_encoder_layers", &SyntheticSpec::num_encoder_layers,
                       is_kind<SyntheticKind::kEncoderDecoder>),
      synthetic_number(tr("Query heads"), {},
                       tr("Number of query heads. Each head computes its own attention over the "
                          "same tokens."),
                       "$.source.synthetic.num_heads", &SyntheticSpec::num_heads),
      synthetic_number(tr("KV heads"), {},
                       tr("Number of heads with keys and values. Several query heads can share "
                          "one KV head."),
                       "$.source.synthetic.num_kv_heads", &SyntheticSpec::num_kv_heads),
      synthetic_number(tr("Head size"), tr("values"),
                       tr("Number of elements in the query, key and value vectors of one head."),
                       "$.source.synthetic.head_size", &SyntheticSpec::head_size),
      synthetic_number(tr("Longest"), tr("tokens"),
                       tr("The greatest length of a sequence: prompt and generated tokens."),
                       "$.source.synthetic.max_model_len", &SyntheticSpec::max_model_len),
      synthetic_number(tr("Period"), tr("tokens"),
                       tr("Induction: length of the segment that repeats. Local: width of the "
                          "band. Alignment: number of words within which the order changes. "
                          "Alternating: the window of every other layer."),
                       "$.source.synthetic.period", &SyntheticSpec::period,
                       is_kind<SyntheticKind::kLocal, SyntheticKind::kInduction,
                               SyntheticKind::kAlignment, SyntheticKind::kAlternating>),
      synthetic_number(tr("Needle at"), tr("token"),
                       tr("The position that later tokens read most."),
                       "$.source.synthetic.needle_position", &SyntheticSpec::needle_position,
                       is_kind<SyntheticKind::kNeedle>),
      synthetic_number(tr("Sharpness"), {},
                       tr("How strongly the weights differ. With 0 all keys have the same q·k."),
                       "$.source.synthetic.sharpness", &SyntheticSpec::sharpness)};
}

std::vector<FieldSpec> tensor_fields() {
  FieldSpec axes{
      .name = tr("Axes"),
      .unit = {},
      .meaning = tr("The order of the axes of the tensors. H: heads, L: tokens, D: head size. "
                    "Tensors for PyTorch's scaled_dot_product_attention have heads before tokens."),
      .path = "$.source.tensors.layout"};
  axes.options = {{tr("[H, L, D]"), "heads_first"}, {tr("[L, H, D]"), "tokens_first"}};
  axes.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(name_of(s.source.tensors.value_or(TensorSpec{}).layout));
  };
  axes.set_word = [](Scenario& s, ScenarioRequest&, const std::string& v) {
    if (s.source.tensors)
      s.source.tensors->layout =
          v == "tokens_first" ? TensorLayout::kTokensFirst : TensorLayout::kHeadsFirst;
  };
  axes.matters = is_tensors;
  FieldSpec scale{.name = tr("Scale"),
                  .unit = tr("0: 1/√d"),
                  .meaning = tr("The factor by which q·k is multiplied. 0 means 1 ÷ √(head size)."),
                  .path = "$.source.tensors.scale",
                  .whole = false};
  scale.number = [](const Scenario& s, const ScenarioRequest&) {
    return s.source.tensors.value_or(TensorSpec{}).scale;
  };
  scale.set_number = [](Scenario& s, ScenarioRequest&, double v) {
    if (s.source.tensors) s.source.tensors->scale = v;
  };
  scale.matters = is_tensors;
  return {axes, scale};
}

FieldSpec kind_spec() {
  FieldSpec spec{
      .name = tr("Source"),
      .unit = {},
      .meaning = tr("Where queries, keys and values come from: a trained model, a generator with a "
                    "known pattern, or your own tensors."),
      .path = "$.source"};
  spec.options = {
      {tr("Model"), "model"}, {tr("Synthetic"), "synthetic"}, {tr("Tensors…"), "tensors"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.source.synthetic ? "synthetic" : s.source.tensors ? "tensors" : "model");
  };
  return spec;
}

FieldSpec model_spec() {
  FieldSpec spec{.name = tr("Model"),
                 .unit = {},
                 .meaning = tr("The model: its folder with weights, configuration and tokenizer, "
                               "or its GGUF file."),
                 .path = "$.source.model"};
  spec.label = [](const std::string& model) {
    const std::string label = model_label(model);  // empty after a slash at the end
    return text_of(label.empty() ? model : label);
  };
  spec.word = [](const Scenario& s, const ScenarioRequest&) { return model_in_field(s); };
  spec.matters = [](const Scenario& s, const ScenarioRequest&) { return s.source.reads_text(); };
  return spec;
}

}  // namespace

std::vector<FieldSpec> fields_of_source() {
  std::vector<FieldSpec> all{kind_spec(), model_spec()};
  for (const auto& some : {synthetic_fields(), tensor_fields()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

SourceFields::SourceFields(const QStringList& models, QObject* parent)
    : QObject(parent), models_(models), tensor_files_(new QPushButton) {
  tensor_files_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  connect(tensor_files_, &QPushButton::clicked, this, &SourceFields::tensors_wanted);
}

void SourceFields::add_to(FieldList& fields, QVBoxLayout* layout) {
  fields.add(layout, {kind_field(), model_field()});
  fields.add(layout, synthetic_fields());
  tensors_ =
      new Field(tr("Files"), {}, tr("The files from which queries, keys and values are read."),
                "$.source.tensors", tensor_files_, layout->parentWidget());
  fields.add(layout, tensors_);
  fields.add(layout, tensor_fields());
}

FieldSpec SourceFields::kind_field() {
  FieldSpec spec = kind_spec();
  spec.set_word = [this](Scenario& s, ScenarioRequest&, const std::string& v) {
    if (v == "tensors")
      emit tensors_wanted();
    else if (v == "model")
      use_model(s);
    else if (!s.source.synthetic)
      use_generator(s);
  };
  return spec;
}

FieldSpec SourceFields::model_field() {
  FieldSpec spec = model_spec();
  for (const QString& name : models_) spec.options.emplace_back(name, name.toStdString());
  spec.last_option = {tr("Other models…"), kOtherModels};
  spec.set_word = [this](Scenario& s, ScenarioRequest&, const std::string& v) {
    if (v == kOtherModels)
      emit models_wanted();
    else
      change_model(s, read_model_change(s, v));
  };
  return spec;
}

void SourceFields::use_model(Scenario& scenario) const {
  scenario.source.synthetic.reset();
  scenario.source.tensors.reset();
  set_attention_type(scenario, AttentionType::kDecoder);
  scenario.attention.alibi = false;
  if (scenario.attention.sinks.size() > 1) scenario.attention.sinks.clear();
  if (scenario.source.model.empty() && !models_.isEmpty())
    scenario.source.model = models_.front().toStdString();
  if (!kept_.model.empty() && kept_.title == scenario.title) scenario.source.model = kept_.model;
  const ModelOfForm model = model_of(scenario);
  for (ScenarioRequest& request : scenario.requests) {
    request.prompt_tokens = 0;
    request.prompt = kept_prompt(scenario.title, request.name).value_or(model.example);
  }
  follow_model(scenario, model.shape);
}

void SourceFields::use_generator(Scenario& scenario) {
  kept_ = {scenario.title, scenario.source.model, {}};
  scenario.source.synthetic.emplace();
  scenario.source.model.clear();
  scenario.source.tensors.reset();
  for (ScenarioRequest& request : scenario.requests) {
    kept_.prompts.emplace_back(request.name, request.prompt);
    request.prompt.clear();
    request.prompt_tokens = std::max<int64_t>(request.prompt_tokens, 64);
  }
  if (scenario.attention.type == AttentionType::kEncoderDecoder) {
    // Sets the type anew, to give the requests encoder_tokens in place of texts.
    set_attention_type(scenario, AttentionType::kDecoder);
    set_attention_type(scenario, AttentionType::kEncoderDecoder);
  }
}

std::optional<std::string> SourceFields::kept_prompt(const std::string& title,
                                                     const std::string& request) const {
  if (title == kept_.title)
    for (const auto& [name, prompt] : kept_.prompts)
      if (name == request && !prompt.empty()) return prompt;
  return std::nullopt;
}

void SourceFields::show(const Scenario& scenario) {
  tensors_->setVisible(scenario.source.tensors.has_value());
  if (!scenario.source.tensors) return;
  const TensorSpec& spec = *scenario.source.tensors;
  QStringList names, paths;
  for (const std::string* file : {&spec.file, &spec.query, &spec.key, &spec.value}) {
    if (file->empty()) continue;
    paths << QString::fromStdString(*file);
    names << QFileInfo(paths.back()).fileName();
  }
  const QString text = names.join(QStringLiteral(", "));
  const QString shown = names.size() == 1 ? text : tr("%1 files").arg(names.size());
  tensor_files_->setText(
      tensor_files_->fontMetrics().elidedText(shown, Qt::ElideMiddle, Theme::instance().px(88)));
  tensor_files_->setToolTip(
      plain_tooltip(tr("%1. Click to choose others.").arg(paths.join(u'\n'))));
  tensor_files_->setAccessibleName(tr("Tensor files: %1").arg(text));
}

}  // namespace attn::gui

#include "moc_source_fields.cpp"
