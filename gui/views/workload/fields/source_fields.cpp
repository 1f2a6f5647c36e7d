// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the form about the source of queries, keys and values.
#include <QComboBox>
#include <QFileInfo>
#include <QSignalBlocker>
#include <optional>

#include "engine/core/memory.h"
#include "engine/model/load_model.h"
#include "engine/session/scenario/model_scenario.h"
#include "engine/session/scenario/prompts/example_prompt.h"
#include "gui/models/plain_tooltip.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/workload/scenario_form.h"

namespace attn::gui {
namespace {

struct ModelOfForm {
  SourceShape shape;
  std::string example = "Once upon a time";  // a prompt to begin with
};
// What cannot be read of the model keeps its default.
ModelOfForm model_of(const Scenario& scenario) {
  ModelOfForm model;
  try {
    const std::filesystem::path path = model_folder(scenario);
    model.shape = check_model(path, available_memory_bytes()).shape;
    model.example = example_prompt(path, model.shape);
  } catch (const std::exception&) {
  }
  return model;
}

void follow_model(Scenario& scenario, const SourceShape& shape) {
  set_attention_type(scenario, shape.type_of_model());
  fit_to_model(scenario, shape);
}

}  // namespace

std::optional<std::string> ScenarioForm::kept_prompt(const std::string& title,
                                                     const std::string& request) const {
  if (title == kept_.title)
    for (const auto& [name, prompt] : kept_.prompts)
      if (name == request && !prompt.empty()) return prompt;
  return std::nullopt;
}

void ScenarioForm::show_prompt(const Scenario& scenario) {
  const QSignalBlocker quiet(prompt_);
  if (const ScenarioRequest* shown = request(scenario))
    prompt_->setPlainText(text_of(shown->prompt));
}

void ScenarioForm::build_source(QVBoxLayout* layout) {
  heading(layout, tr("Source of Q, K, V"));
  choice(
      layout, tr("Source"),
      tr("Where queries, keys and values come from: a trained model, a generator with a known "
         "pattern, or your own tensors."),
      "$.source",
      {{tr("Model"), "model"}, {tr("Synthetic"), "synthetic"}, {tr("Tensors…"), "tensors"}},
      [](const Scenario& s) {
        return std::string(s.source.synthetic ? "synthetic"
                           : s.source.tensors ? "tensors"
                                              : "model");
      },
      [this](Scenario& s, const std::string& v) {
        if (v == "tensors") {
          emit tensors_wanted();
        } else if (v == "model") {
          s.source.synthetic.reset();
          s.source.tensors.reset();
          set_attention_type(s, AttentionType::kDecoder);
          s.attention.alibi = false;
          if (s.attention.sinks.size() > 1) s.attention.sinks.clear();
          if (s.source.model.empty() && !models_.isEmpty())
            s.source.model = models_.front().toStdString();
          if (!kept_.model.empty() && kept_.title == s.title) s.source.model = kept_.model;
          const ModelOfForm model = model_of(s);
          for (ScenarioRequest& r : s.requests) {
            r.prompt_tokens = 0;
            r.prompt = kept_prompt(s.title, r.name).value_or(model.example);
          }
          follow_model(s, model.shape);
          show_prompt(s);
        } else if (!s.source.synthetic) {
          kept_ = {s.title, s.source.model, {}};
          s.source.synthetic.emplace();
          s.source.model.clear();
          s.source.tensors.reset();
          for (ScenarioRequest& r : s.requests) {
            kept_.prompts.emplace_back(r.name, r.prompt);
            r.prompt.clear();
            r.prompt_tokens = std::max<int64_t>(r.prompt_tokens, 64);
          }
          if (s.attention.type == AttentionType::kEncoderDecoder) {
            // Sets the type anew, to give the requests encoder_tokens in place of texts.
            set_attention_type(s, AttentionType::kDecoder);
            set_attention_type(s, AttentionType::kEncoderDecoder);
          }
        }
      });
  std::vector<std::pair<QString, std::string>> models;
  for (const QString& name : models_) models.emplace_back(name, name.toStdString());
  model_only_.push_back(choice(
      layout, tr("Model"),
      tr("The model: its folder with weights, configuration and tokenizer, or its GGUF file."),
      "$.source.model", models, [](const Scenario& s) { return s.source.model; },
      [this](Scenario& s, const std::string& v) {
        if (!s.source.reads_text()) return;
        const std::string example = model_of(s).example;
        s.source.model = v;
        const ModelOfForm model = model_of(s);
        for (ScenarioRequest& r : s.requests)
          if (r.prompt == example) r.prompt = model.example;  // nobody typed it
        follow_model(s, model.shape);
        show_prompt(s);
      }));

  std::vector<std::pair<QString, std::string>> kinds;
  for (const SyntheticKind kind : kSyntheticKinds)
    kinds.emplace_back(text_of(name_of(kind)), std::string(name_of(kind)));
  synthetic_only_.push_back(choice(
      layout, tr("Pattern"),
      tr("What a query reads most. Random: no pattern. Local: keys shortly before it. Induction: "
         "the token that followed the same token earlier. Needle: one fixed key. Alignment (cross "
         "attention): in heads 0, 4, 8 and so on the word of the encoder that is being translated. "
         "Alternating: no pattern, but every other layer has a sliding window. Encoder_decoder: no "
         "pattern, and every layer has self attention and then cross attention."),
      "$.source.synthetic.kind", kinds,
      [](const Scenario& s) {
        return std::string(s.source.synthetic ? name_of(s.source.synthetic->kind)
                                              : std::string_view("random"));
      },
      [](Scenario& s, const std::string& v) {
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
      }));
  const auto synthetic = [&](const QString& name, const QString& unit, const QString& meaning,
                             const char* path, auto member) {
    Field* field = number(
        layout, name, unit, meaning, path,
        std::is_same_v<decltype(member), int64_t SyntheticSpec::*>,
        [member](const Scenario& s) {
          return double(s.source.synthetic.value_or(SyntheticSpec{}).*member);
        },
        [member](Scenario& s, double v) {
          using Value = std::remove_reference_t<decltype(std::declval<SyntheticSpec>().*member)>;
          if (s.source.synthetic) (*s.source.synthetic).*member = static_cast<Value>(v);
        });
    synthetic_only_.push_back(field);
    return field;
  };
  synthetic(tr("Layers"), {},
            tr("Number of layers, which are computed one after another. With the pattern "
               "encoder_decoder each of them is two attention layers."),
            "$.source.synthetic.num_layers", &SyntheticSpec::num_layers);
  encoder_layers_ =
      synthetic(tr("Encoder layers"), {},
                tr("Number of layers of the encoder, which are computed before the others in the "
                   "step of a prompt. With 0 no encoder is computed: the generator makes its keys "
                   "and values directly."),
                "$.source.synthetic.num_encoder_layers", &SyntheticSpec::num_encoder_layers);
  synthetic(tr("Query heads"), {},
            tr("Number of query heads. Each head computes its own attention over the same tokens."),
            "$.source.synthetic.num_heads", &SyntheticSpec::num_heads);
  synthetic(tr("KV heads"), {},
            tr("Number of heads with keys and values. Several query heads can share one KV head."),
            "$.source.synthetic.num_kv_heads", &SyntheticSpec::num_kv_heads);
  synthetic(tr("Head size"), tr("values"),
            tr("Number of elements in the query, key and value vectors of one head."),
            "$.source.synthetic.head_size", &SyntheticSpec::head_size);
  synthetic(tr("Longest"), tr("tokens"),
            tr("The greatest length of a sequence: prompt and generated tokens."),
            "$.source.synthetic.max_model_len", &SyntheticSpec::max_model_len);
  period_ = synthetic(tr("Period"), tr("tokens"),
                      tr("Induction: length of the segment that repeats. Local: width of the band. "
                         "Alignment: number of words within which the order changes. Alternating: "
                         "the window of every other layer."),
                      "$.source.synthetic.period", &SyntheticSpec::period);
  needle_ = synthetic(tr("Needle at"), tr("token"), tr("The position that later tokens read most."),
                      "$.source.synthetic.needle_position", &SyntheticSpec::needle_position);
  synthetic(tr("Sharpness"), {},
            tr("How strongly the weights differ. With 0 all keys have the same q·k."),
            "$.source.synthetic.sharpness", &SyntheticSpec::sharpness);
  build_tensors(layout);
}

void ScenarioForm::build_tensors(QVBoxLayout* layout) {
  tensor_files_ = new QPushButton;
  tensor_files_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  connect(tensor_files_, &QPushButton::clicked, this, &ScenarioForm::tensors_wanted);
  auto* files =
      new Field(tr("Files"), {}, tr("The files from which queries, keys and values are read."),
                "$.source.tensors", tensor_files_, this);
  layout->addWidget(files);
  fields_.push_back(files);
  tensors_only_.push_back(files);
  tensors_only_.push_back(choice(
      layout, tr("Axes"),
      tr("The order of the axes of the tensors. H: heads, L: tokens, D: head size. Tensors for "
         "PyTorch's scaled_dot_product_attention have heads before tokens."),
      "$.source.tensors.layout",
      {{tr("[H, L, D]"), "heads_first"}, {tr("[L, H, D]"), "tokens_first"}},
      [](const Scenario& s) {
        return std::string(name_of(s.source.tensors.value_or(TensorSpec{}).layout));
      },
      [](Scenario& s, const std::string& v) {
        if (s.source.tensors)
          s.source.tensors->layout =
              v == "tokens_first" ? TensorLayout::kTokensFirst : TensorLayout::kHeadsFirst;
      }));
  tensors_only_.push_back(number(
      layout, tr("Scale"), tr("0: 1/√d"),
      tr("The factor by which q·k is multiplied. 0 means 1 ÷ √(head size)."),
      "$.source.tensors.scale", false,
      [](const Scenario& s) { return s.source.tensors.value_or(TensorSpec{}).scale; },
      [](Scenario& s, double v) {
        if (s.source.tensors) s.source.tensors->scale = v;
      }));
}

void ScenarioForm::show_tensor_files() {
  if (!scenario_.source.tensors) return;
  const TensorSpec& spec = *scenario_.source.tensors;
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
