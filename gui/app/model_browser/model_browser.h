// SPDX-License-Identifier: GPL-3.0-or-later
// ModelBrowser: a list of the models on this machine; it says what each is and whether it can run.
// It has the models that come with the program, those that were run before, and those in the caches
// of other programs and in folders that the user chose. A model that is in several of these places
// is shown in the first of them. GUI thread.
#pragma once

#include <QDialog>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

#include "gui/app/model_browser/model_search.h"
#include "gui/app/model_browser/opened_models.h"
#include "gui/models/run_control.h"

namespace attn::gui {

class ModelBrowser : public QDialog {
  Q_OBJECT
 public:
  // places: folders that are searched besides those of `opened`, such as model_places(). control:
  // tells whether the source of the scenario is a model, which another model can replace. search:
  // outlives the dialog, so that the dialog need not wait for a check when it is closed.
  ModelBrowser(const RunControl& control, OpenedModels& opened, ModelSearch& search,
               QStringList places, QWidget* parent);
  ~ModelBrowser() override;

  // Lists the models in the folder, and adds it to the folders of OpenedModels.
  void look_into(const QString& folder);
  bool is_searching() const { return search_.is_going_on(); }

 signals:
  void open_wanted(const QString& path);  // an absolute path
  // The scenario that is edited shall use this model: the name of a model that comes with the
  // program, or an absolute path.
  void use_wanted(const QString& model);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  QTreeWidgetItem* add_group(int at, const QString& title);
  QTreeWidgetItem* add_folder(int at, const QString& folder);
  void add_model(QTreeWidgetItem* group, const QString& path, const QString& model);
  void remove_lines(QTreeWidgetItem* group);
  void remove(QTreeWidgetItem* item);
  void take_found(const QString& folder, const FoundModels& found);
  void take_check(const QString& path, const ModelCheck& check);
  void show_check(QTreeWidgetItem* line, const ModelCheck& check);
  void end_search();
  void filter();
  void show_use();
  void show_details();
  QString current(int role) const;  // data of the chosen model; empty: no model is chosen
  void open_current();
  void forget_current();
  void ask_folder();
  void tell_progress();

  const RunControl& control_;
  OpenedModels& opened_;
  const QStringList places_;
  QLineEdit* filter_;
  QTreeWidget* list_;
  QPlainTextEdit* details_;
  QLabel* progress_;
  QPushButton *open_, *use_, *forget_;
  QTreeWidgetItem* before_ = nullptr;        // group of the models that were run before; null: none
  QHash<QString, QTreeWidgetItem*> groups_;  // by folder
  QMultiHash<QString, QTreeWidgetItem*> lines_;  // by path
  QHash<QString, ModelCheck> checks_;            // by path
  ModelSearch& search_;
};

}  // namespace attn::gui
