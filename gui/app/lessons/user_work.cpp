// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/user_work.h"

#include <QJsonDocument>

#include "engine/core/memory.h"

namespace attn::gui {
namespace {

// Limit of can_be_kept(): 1/8 of the available memory.
constexpr int64_t kLeastPart = 8;

}  // namespace

UserWork::UserWork(RunControl& control, WindowSession& session)
    : control_(control),
      session_(session),
      scenario_(control.scenario()),
      file_(control.file()),
      in_file_(control.in_file()),
      pace_(control.bridge().pace()),
      view_(session.view_state()),
      recorder_(control.bridge().snapshot() ? control.bridge().recorder() : nullptr),
      kept_(control.bridge().session()),
      was_running_(recorder_ && !control.has_ended()) {
  connect(&control.bridge(), &EngineBridge::run_started, this, &UserWork::keep);
}

bool UserWork::can_be_kept() const {
  const auto& snapshot = control_.bridge().snapshot();
  if (kept_ || !snapshot || !recorder_ || snapshot->requests.empty()) return true;
  const int64_t bytes =
      snapshot->cache_bytes + static_cast<int64_t>(recorder_->size() * sizeof(TraceEvent));
  return bytes <= available_memory_bytes() / kLeastPart;
}

// Called when a run begins. At the first run of the lesson, earlier() is the run from before the
// lesson, if that could be kept.
void UserWork::keep() {
  if (kept_ || !recorder_) return;
  const std::shared_ptr<const Session> earlier = control_.bridge().runner().earlier();
  if (earlier && earlier->recorder == recorder_) kept_ = earlier;
}

void UserWork::give_back() {
  if (!kept_) {
    control_.show_scenario(scenario_, file_);
    control_.set_in_file(in_file_);
    control_.start();
    emit given_back(false);
    return;
  }
  auto session = std::make_shared<Session>(*kept_);
  session->view = QJsonDocument(view_).toJson(QJsonDocument::Compact).toStdString();
  shown_ = session;
  // Queued, so that other listeners take the run before the state of the window is set.
  connect(&control_.bridge(), &EngineBridge::run_started, this, &UserWork::show_view,
          Qt::QueuedConnection);
  control_.show_session(shown_, file_);
  control_.set_in_file(in_file_);
  control_.set_pace(pace_);
}

void UserWork::show_view() {
  if (!shown_ || control_.bridge().session() != shown_) return;
  control_.bridge().catch_up();
  session_.show_view_state(view_);
  shown_ = nullptr;
  emit given_back(was_running_);
}

}  // namespace attn::gui

#include "moc_user_work.cpp"
