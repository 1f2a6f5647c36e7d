// SPDX-License-Identifier: GPL-3.0-or-later
// ModelBrowser: the models on this machine, with what each is and whether it can run. Has those
// that come with the program, those that were run before, and those in the caches of other programs
// and in folders that the user chose. GUI thread.
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
  // places: folders that are looked into besides those of `opened`, such as model_places().
  // control: says whether the scenario has a model, which another one can replace.
  ModelBrowser(const RunControl& control, OpenedModels& opened, QStringList places,
               QWidget* parent);

  // Reads the lists and searches anew.
  void refresh();
  bool is_searching() const { return search_.is_going_on(); }

 signals:
  // path: the name of a model that comes with the program, or an absolute path.
  void open_wanted(const QString& path);
  // As open_wanted(), for the scenario that is edited.
  void use_wanted(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QTreeWidgetItem* add_group(const QString& title, const QString& folder);
  void add_model(QTreeWidgetItem* group, const QString& path, const QString& opens);
  void take_found(const QString& folder, const FoundModels& found);
  void take_check(const QString& path, const ModelCheck& check);
  void end_search();
  void filter();
  void show_details();
  QString current() const;  // what opens the chosen model; empty: none is chosen
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
  QHash<QString, QTreeWidgetItem*> groups_;      // by folder
  QMultiHash<QString, QTreeWidgetItem*> lines_;  // by path
  QHash<QString, ModelCheck> checks_;            // by path
  ModelSearch search_;  // the last member: ends before what its signals use
};

}  // namespace attn::gui
