// SPDX-License-Identifier: GPL-3.0-or-later
// ModelSearch: finds models in folders and checks each of them, on a thread of its own. The object
// belongs to the GUI thread, on which its signals arrive.
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

// The functions that the thread calls.
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
  // Waits for the thread: the model that is just being checked is checked to the end.
  ~ModelSearch() override;

  // Finds the models in `folders`, one folder after the other, then checks `models` and the models
  // that were found, each once. All paths are absolute. Begins when the earlier searches have
  // ended.
  void search(const QStringList& models, const QStringList& folders);
  // Ends all searches. Does not wait for the model that is just being checked.
  void cancel();
  bool is_going_on() const { return searches_ > 0; }

 signals:
  void found(const QString& folder, const attn::FoundModels& models);
  void checked(const QString& path, const attn::ModelCheck& check);
  void ended();  // no search is left; not emitted by cancel()

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
