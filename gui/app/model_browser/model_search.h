// SPDX-License-Identifier: GPL-3.0-or-later
// ModelSearch: finds models in folders and checks each, in a thread of its own. Signals arrive on
// the GUI thread, to which the object belongs.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

#include "engine/model/find_models.h"
#include "engine/model/load_model.h"

namespace attn::gui {

// What the thread calls.
struct ModelReaders {
  std::function<FoundModels(const std::filesystem::path& folder,
                            const std::function<bool()>& go_on)>
      find = find_models;
  std::function<ModelCheck(const std::filesystem::path& path, int64_t available)> check =
      check_model;
};

class ModelSearch : public QObject {
  Q_OBJECT
 public:
  explicit ModelSearch(const ModelReaders& readers = {}, QObject* parent = nullptr);
  // Waits for the model that is just being checked.
  ~ModelSearch() override;

  // Finds the models in `folders`, in their order, then checks `models` and those that were found,
  // each once. All paths are absolute. Begins when the earlier searches have ended.
  void search(const QStringList& models, const QStringList& folders);
  // Ends the searches. The model that is just being checked is not waited for.
  void cancel();
  bool is_going_on() const { return searches_ > 0; }

 signals:
  void found(const QString& folder, const attn::FoundModels& models);
  void checked(const QString& path, const attn::ModelCheck& check);
  void ended();  // no search is left

 private:
  using Cancelled = std::shared_ptr<std::atomic<bool>>;
  void run(const QStringList& models, const QStringList& folders, const Cancelled& cancelled);
  FoundModels find(const QString& folder, const Cancelled& cancelled) const;
  ModelCheck check(const QString& path) const;

  const ModelReaders readers_;
  QThreadPool thread_;
  Cancelled cancelled_;  // of the searches since the last cancel()
  int searches_ = 0;
};

}  // namespace attn::gui
