// SPDX-License-Identifier: GPL-3.0-or-later
// WorkloadPanel: what is computed: scenario, requests with their live state, and the form. Start
// applies the changes and restarts the run. A request that is only in the run has a row, and a note
// in place of the fields of a request. GUI thread.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

#include "gui/models/request_model.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/views/workload/description.h"
#include "gui/views/workload/fields/model_change.h"
#include "gui/views/workload/scenario_form.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class WorkloadPanel : public QWidget {
  Q_OBJECT
 public:
  WorkloadPanel(RunControl& control, Selection& selection, QWidget* parent = nullptr);
  void follow(TimeCursor& cursor) { model_->follow(cursor); }
  QSize sizeHint() const override;
  void choose_request(int row);
  void edit_prompt();                   // focuses the prompt if it is visible
  void edit_field(const Field& field);  // focuses its editor, one of form()->fields()
  QTableView* table() const { return table_; }
  ScenarioForm* form() const { return form_; }
  Description* description() const { return description_; }
  // About the chosen request if it is only in the run, else hidden.
  QLabel* addition_note() const { return addition_note_; }
  QPushButton* start_button() const { return start_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;  // Ctrl+Enter in a field starts the run

 public slots:
  void open_file();
  void open_tensors();
  void save_file();
  void use_model(
      const attn::gui::ModelChange& change);  // an edit, if the scenario's source is a model

 signals:
  void models_wanted();

 private:
  void build_requests(QVBoxLayout* layout);
  void build_footer(QVBoxLayout* layout);
  void fill_scenarios();
  void show_scenario();
  void show_problem();
  void show_fit();
  bool shows_addition() const;
  void show_addition();
  void start();
  void take();
  void add_request();
  void restyle();
  void fit_table();
  void follow_shown();

  RunControl& control_;
  Selection& selection_;
  RequestModel* model_;
  ScenarioForm* form_;
  QScrollArea* scroll_;
  QComboBox* scenarios_ = nullptr;
  Description* description_ = nullptr;
  QTableView* table_ = nullptr;
  QToolButton *add_ = nullptr, *remove_ = nullptr;
  QLabel *addition_note_ = nullptr, *problem_ = nullptr;
  QPushButton* start_ = nullptr;
  bool taking_ = false;
  int64_t followed_ = -1;  // the shown request for which follow_shown() chose a row; -1: none
};

std::vector<KeyHelp> workload_key_help();

}  // namespace attn::gui
