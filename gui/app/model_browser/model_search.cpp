// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/model_browser/model_search.h"

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "gui/models/file_path.h"

namespace attn::gui {

ModelSearch::ModelSearch(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(1);
}

ModelSearch::~ModelSearch() {
  if (cancelled_) *cancelled_ = true;
  thread_.waitForDone();
}

void ModelSearch::begin(const QStringList& models, const QStringList& folders) {
  if (cancelled_) *cancelled_ = true;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  going_on_ = true;
  thread_.start(
      [this, models, folders, cancelled = cancelled_] { run(models, folders, cancelled); });
}

void ModelSearch::run(const QStringList& models, const QStringList& folders,
                      const Cancelled& cancelled) {
  // What a cancelled search has to say is dropped on the GUI thread.
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
    const FoundModels models_there =
        find_models(FilePath(folder).path(), [&] { return !cancelled->load(); });
    for (const std::filesystem::path& path : models_there.models)
      all.append(FilePath(path).shown());
    tell([this, folder, models_there] { emit found(folder, models_there); });
  }
  const int64_t available = available_memory_bytes();
  for (const QString& path : all) {
    if (*cancelled) return;
    ModelCheck check;
    try {
      check = check_model(FilePath(path).path(), available);
    } catch (const std::exception& error) {  // such as too little memory for a tokenizer
      check.problems.add({ErrorCode::kFailed, {message_of(error), path.toStdString(), "", "", ""}});
    }
    tell([this, path, check] { emit checked(path, check); });
  }
  tell([this] {
    going_on_ = false;
    emit ended();
  });
}

}  // namespace attn::gui

#include "moc_model_search.cpp"
