// SPDX-License-Identifier: GPL-3.0-or-later
// FieldList: the fields of a form with values of a scenario: makes fields of FieldSpecs, fills,
// hides and reads them, and puts sentences about mistakes at all its fields. GUI thread.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>
#include <string>
#include <vector>

#include "gui/views/workload/field.h"
#include "gui/views/workload/fields/field_spec.h"
#include "gui/views/workload/more_section.h"

namespace attn::gui {

class FieldList : public QObject {
  Q_OBJECT
 public:
  explicit FieldList(QObject* parent);

  void add_heading(QVBoxLayout* layout, const QString& text);
  void add(QVBoxLayout* layout, const std::vector<FieldSpec>& specs);
  // Rare fields go into a section that can be folded away. more_about: its accessible name.
  void add(QVBoxLayout* layout, const std::vector<FieldSpec>& specs, const QString& more_about);
  // A field that its owner fills, reads and hides.
  void add(QVBoxLayout* layout, Field* field);

  // index: that of the shown request. Keeps what the user typed if it is the value, or if it is no
  // valid number and value, request and title are those shown last.
  void show(const Scenario& scenario, int index);
  // Puts what the user chose and typed into the scenario. False: a choice changed the kind of run,
  // so the remaining fields, whose values are those of the former kind, were not read.
  bool take(Scenario& scenario, int index) const;

  // Marks the fields whose text is no valid number or whose value validate() refuses. It tells one
  // mistake at a time: values of `valid`, a scenario without mistakes, replace refused ones, until
  // none is left or one is in no visible field. False: the first one is in no visible field.
  bool mark_problems(const Scenario& scenario, const Scenario& valid, int index);
  // The fields that matter, in order, also those in a closed section.
  std::vector<Field*> relevant() const;
  void open_section_of(const Field& field);  // if it is in one
  // The sentence about the first visible field whose text is no valid number; empty: there is none.
  QString unreadable() const;

 signals:
  void edited();

 private:
  struct Number {
    FieldSpec spec;
    Field* field;
    NumberEdit* edit;
    double shown = 0;  // last shown in edit
  };
  struct Choice {
    FieldSpec spec;
    Field* field;
    QComboBox* box;
  };

  void add_one(QVBoxLayout* layout, const FieldSpec& spec);
  void show_values(const Scenario& scenario, const ScenarioRequest& request, bool other);
  static int end_of_values(const Choice& choice);  // index in its box
  static void remove_unlisted(const Choice& choice);
  void open_sections(const Scenario& scenario, const ScenarioRequest& request);
  QString with_names(const Field& at, QString sentence) const;
  Field* field_at(const std::string& where) const;  // null: none
  void put_back(const Field& field, const Scenario& valid, Scenario& scenario, int index) const;
  void restyle();

  std::vector<Number> numbers_;
  std::vector<Choice> choices_;
  std::vector<Field*> fields_;  // all, in order
  std::vector<QLabel*> headings_;
  std::vector<MoreSection*> sections_;
  std::string shown_title_;
  int shown_index_ = -1;
};

// The shown request; null: the scenario has no request of this index.
const ScenarioRequest* request_at(const Scenario& scenario, int index);
ScenarioRequest* request_at(Scenario& scenario, int index);

}  // namespace attn::gui
