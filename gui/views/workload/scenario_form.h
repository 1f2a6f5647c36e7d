// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioForm: values of a scenario, and of one of its requests, as fields. A mistake that
// validate() finds in a visible field, or a text that is no valid number, is told at the field. GUI
// thread.
#pragma once

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <QWidget>

#include "engine/session/scenario/scenario.h"
#include "gui/views/workload/cache_note.h"
#include "gui/views/workload/fields/field_list.h"
#include "gui/views/workload/fields/source_fields.h"
#include "gui/views/workload/fit_note.h"

namespace attn::gui {

class ScenarioForm : public QWidget {
  Q_OBJECT
 public:
  ScenarioForm(const QStringList& models, QWidget* parent = nullptr);

  void show_scenario(const Scenario& scenario, int index);
  // The shown scenario with what the user chose and typed, without text that is no valid number.
  const Scenario& scenario() const { return scenario_; }
  int request_index() const { return index_; }
  QWidget* request_part() const { return request_part_; }
  QWidget* engine_part() const { return engine_part_; }
  QPlainTextEdit* prompt() const { return prompt_; }
  FitNote* fit_note() const { return fit_note_; }
  QLabel* cache_note() const { return cache_note_; }
  // See FieldList.
  std::vector<Field*> fields() const { return fields_->relevant(); }
  void open_section_of(const Field& field) { fields_->open_section_of(field); }
  bool mark_problems(const Scenario& valid);
  QString unreadable() const { return fields_->unreadable(); }

 signals:
  void edited();
  void run_wanted();  // Ctrl+Enter in the prompt
  void tensors_wanted();
  void models_wanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_request(QVBoxLayout* layout);
  void build_engine(QVBoxLayout* layout);
  void show_texts();
  void take();
  void take_texts(const Scenario& before);

  Scenario scenario_;
  int index_ = 0;
  bool showing_ = false;
  QWidget *request_part_, *engine_part_;
  FieldList* fields_;
  SourceFields* source_;
  QPlainTextEdit* prompt_ = nullptr;
  FitNote* fit_note_ = nullptr;
  QLineEdit* decoder_text_ = nullptr;
  Field* decoder_prompt_ = nullptr;
  CacheNote* cache_note_ = nullptr;
};

}  // namespace attn::gui
