// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioForm: the values of a scenario, and of one of its requests, as fields. The engine's check
// decides whether a value is allowed, and its sentence is shown at the field. GUI thread.
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "engine/session/scenario/scenario.h"
#include "gui/views/workload/field.h"
#include "gui/views/workload/fit_note.h"
#include "gui/views/workload/more_section.h"
#include "gui/views/workload/scheduling_fields.h"

namespace attn::gui {

// Also changes requests and source to fit the type.
void set_attention_type(Scenario& scenario, AttentionType type);

class ScenarioForm : public QWidget {
  Q_OBJECT
 public:
  ScenarioForm(const QStringList& models, QWidget* parent = nullptr);

  void show_scenario(const Scenario& scenario, int index);
  // With what the user typed.
  const Scenario& scenario() const { return scenario_; }
  int request_index() const { return index_; }
  QWidget* request_part() const { return request_part_; }
  QWidget* engine_part() const { return engine_part_; }
  QPlainTextEdit* prompt() const { return prompt_; }
  FitNote* fit_note() const { return fit_note_; }
  QLabel* cache_note() const { return cache_note_; }
  // Marks the fields whose text is no valid number or whose value the check refuses. The check
  // tells one mistake at a time: the values of `valid`, a scenario without mistakes, replace
  // refused ones. False: the first mistake of the check is in no visible field.
  bool mark_problems(const Scenario& valid);
  // The sentence about the first visible field whose text is no valid number; empty: all are valid.
  QString unreadable() const;

 signals:
  void edited();
  void run_wanted();  // Ctrl+Enter in the prompt
  void tensors_wanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QString with_names(const Field& at, QString sentence) const;
  Field* field_at(const std::string& where) const;  // null: none
  void put_back(const Field& field, const Scenario& valid, Scenario& scenario) const;
  using Get = std::function<double(const Scenario&)>;
  using Set = std::function<void(Scenario&, double)>;
  struct Number {
    Field* field;
    NumberEdit* edit;
    Get get;
    Set set;
    double shown = 0;  // last shown in edit
  };
  struct Choice {
    Field* field;
    QComboBox* box;
    std::function<std::string(const Scenario&)> get;
    std::function<void(Scenario&, const std::string&)> set;
  };

  void build_request(QVBoxLayout* layout);
  void build_source(QVBoxLayout* layout);
  void build_tensors(QVBoxLayout* layout);
  void show_tensor_files();
  void build_attention(QVBoxLayout* layout);
  void build_blocksparse(QVBoxLayout* layout);
  void build_engine(QVBoxLayout* layout);
  void build_cache(QVBoxLayout* layout);
  void show_cache_note();
  void build_switches(QVBoxLayout* layout);
  void build_backend_options(QVBoxLayout* layout, BackendOption::About about);
  // Rare fields go into the returned section.
  MoreSection* add_fields(QVBoxLayout* layout, const std::vector<FieldSpec>& specs,
                          const QString& more_about);
  void add_field(QVBoxLayout* layout, const FieldSpec& spec);
  void open_sections();
  Field* number(QVBoxLayout* layout, const QString& name, const QString& unit,
                const QString& meaning, const char* path, bool whole, Get get, Set set);
  Field* choice(QVBoxLayout* layout, const QString& name, const QString& meaning, const char* path,
                const std::vector<std::pair<QString, std::string>>& options,
                std::function<std::string(const Scenario&)> get,
                std::function<void(Scenario&, const std::string&)> set);
  QLabel* heading(QVBoxLayout* layout, const QString& text);
  void show_relevant();
  void take();
  ScenarioRequest* request(Scenario& scenario) const;
  const ScenarioRequest* request(const Scenario& scenario) const;

  struct Conditional {
    Field* field;
    std::function<bool(const Scenario&, const ScenarioRequest&)> matters;
  };

  // What switching to a synthetic source removes, kept for switching back.
  struct Kept {
    std::string title, model;
    std::vector<std::pair<std::string, std::string>> prompts;  // name of the request, prompt
  };
  std::optional<std::string> kept_prompt(const std::string& title,
                                         const std::string& request) const;
  void show_prompt(const Scenario& scenario);

  QStringList models_;
  Kept kept_;
  Scenario scenario_;
  int index_ = 0;
  bool showing_ = false;
  QWidget *request_part_, *engine_part_;
  QPlainTextEdit* prompt_ = nullptr;
  FitNote* fit_note_ = nullptr;
  QLineEdit* decoder_text_ = nullptr;
  QLabel* cache_note_ = nullptr;  // limits of a quantised cache
  std::vector<Number> numbers_;
  std::vector<Choice> choices_;
  std::vector<Field*> fields_;
  std::vector<QLabel*> headings_;
  std::vector<Conditional> conditional_;
  std::vector<MoreSection*> sections_;
  std::string shown_title_;
  int shown_index_ = -1;
  std::vector<Field*> synthetic_only_, model_only_, tensors_only_, sampled_only_;
  std::vector<Field*> no_text_only_, not_tensors_;  // of several sources
  QPushButton* tensor_files_ = nullptr;
  Field *decoder_prompt_ = nullptr, *encoder_tokens_ = nullptr, *max_tokens_ = nullptr,
        *period_ = nullptr, *needle_ = nullptr, *encoder_layers_ = nullptr, *sink_ = nullptr;
};

}  // namespace attn::gui
