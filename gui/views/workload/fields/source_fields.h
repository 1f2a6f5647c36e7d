// SPDX-License-Identifier: GPL-3.0-or-later
// SourceFields: the fields of the source of queries, keys and values. Keeps the model and prompts
// that a switch to a synthetic source removes, for a switch to a model. GUI thread.
#pragma once

#include <QPushButton>
#include <QStringList>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/views/workload/fields/field_list.h"

namespace attn::gui {

// The same fields for reading only: some lack a `set_word`, and the tensor files are left out.
std::vector<FieldSpec> fields_of_source();

class SourceFields : public QObject {
  Q_OBJECT
 public:
  // models: names of the models that are always offered.
  SourceFields(const QStringList& models, QObject* parent);
  // The fields call this object: it must outlive their use.
  void add_to(FieldList& fields, QVBoxLayout* layout);
  void show(const Scenario& scenario);

 signals:
  void tensors_wanted();
  void models_wanted();

 private:
  struct Kept {
    std::string title, model;
    std::vector<std::pair<std::string, std::string>> prompts;  // name of the request, prompt
  };

  FieldSpec kind_field();
  FieldSpec model_field();
  void use_model(Scenario& scenario) const;
  void use_generator(Scenario& scenario);
  std::optional<std::string> kept_prompt(const std::string& title,
                                         const std::string& request) const;

  QStringList models_;
  Kept kept_;
  QPushButton* tensor_files_;
  Field* tensors_ = nullptr;
};

}  // namespace attn::gui
