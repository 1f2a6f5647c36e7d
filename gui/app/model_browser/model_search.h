// SPDX-License-Identifier: GPL-3.0-or-later
// ModelSearch: finds models in folders and checks each, in a thread of its own. Signals arrive on
// the GUI thread, to which the object belongs.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <atomic>
#include <memory>

#include "engine/model/find_models.h"
#include "engine/model/load_model.h"

namespace attn::gui {

class ModelSearch : public QObject {
  Q_OBJECT
 public:
  explicit ModelSearch(QObject* parent);
  // Waits for the model that is just being checked.
  ~ModelSearch() override;

  // Ends an earlier search. Finds the models in `folders`, in their order, then checks `models` and
  // those that were found. All paths are absolute.
  void begin(const QStringList& models, const QStringList& folders);
  bool is_going_on() const { return going_on_; }

 signals:
  void found(const QString& folder, const attn::FoundModels& models);
  void checked(const QString& path, const attn::ModelCheck& check);
  void ended();

 private:
  using Cancelled = std::shared_ptr<std::atomic<bool>>;
  void run(const QStringList& models, const QStringList& folders, const Cancelled& cancelled);

  QThreadPool thread_;
  Cancelled cancelled_;  // of the latest search; null before the first
  bool going_on_ = false;
};

}  // namespace attn::gui
