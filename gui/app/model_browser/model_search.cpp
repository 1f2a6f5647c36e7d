// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/model_browser/model_search.h"

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "gui/models/file_path.h"

namespace attn::gui {

ModelSearch::ModelSearch(const ModelReaders& readers, QObject* parent)
    : QObject(parent), readers_(readers), cancelled_(std::make_shared<std::atomic<bool>>(false)) {
  thread_.setMaxThreadCount(1);
}

ModelSearch::~ModelSearch() {
  *cancelled_ = true;
  thread_.waitForDone();
}

void ModelSearch::search(const QStringList& models, const QStringList& folders) {
  ++searches_;
  thread_.start(
      [this, models, folders, cancelled = cancelled_] { run(models, folders, cancelled); });
}

void ModelSearch::cancel() {
  *cancelled_ = true;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  searches_ = 0;
}

void ModelSearch::run(const QStringList& models, const QStringList& folders,
                      const Cancelled& cancelled) {
  // Results of a cancelled search are dropped on the GUI thread.
  const auto tell = [this, &cancelled](auto&& what) {
    QMetaObject::invokeMethod(
        this,
        [what, cancelled] {
          if (!*cancelled) what();
        },
        Qt::QueuedConnection);
  };
  QStringList all = models;
  for (const QString& folder : folders) {
    if (*cancelled) return;
    const FoundModels models_there = find(folder, cancelled);
    for (const std::filesystem::path& path : models_there.models)
      all.append(FilePath(path).shown());
    tell([this, folder, models_there] { emit found(folder, models_there); });
  }
  all.removeDuplicates();  // a model that was run before can be in a folder, too
  for (const QString& path : all) {
    if (*cancelled) return;
    tell([this, path, model = check(path)] { emit checked(path, model); });
  }
  tell([this] {
    if (--searches_ == 0) emit ended();
  });
}

FoundModels ModelSearch::find(const QString& folder, const Cancelled& cancelled) const {
  try {
    return readers_.find(FilePath(folder).path(), [&] { return !cancelled->load(); });
  } catch (const std::exception&) {  // for example, there is too little memory
    FoundModels none;
    none.closed_folders = 1;
    return none;
  }
}

ModelCheck ModelSearch::check(const QString& path) const {
  try {
    return readers_.check(FilePath(path).path(), available_memory_bytes());
  } catch (const std::exception& error) {  // for example, no memory for a tokenizer
    ModelCheck model;
    model.problems.add({ErrorCode::kFailed, {message_of(error), path.toStdString(), "", "", ""}});
    return model;
  }
}

}  // namespace attn::gui

#include "moc_model_search.cpp"
