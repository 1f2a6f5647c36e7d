// SPDX-License-Identifier: GPL-3.0-or-later
// Newest: computes results on another thread, each for the wish that want() got last. A wish that
// was replaced before its turn came is not computed. GUI thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace attn::gui {

// Wish: what is to be computed; it is copied to the other thread and has operator==. Result: what
// the work returns a pointer to.
template <class Wish, class Result>
class Newest {
 public:
  // The work may return null once quit is true. It runs on the other thread; if now() calls it, it
  // runs on the thread of the caller.
  using Work =
      std::function<std::shared_ptr<const Result>(const Wish&, const std::atomic<bool>& quit)>;

  // owner: the object whose thread calls `arrived`; must outlive this object.
  Newest(QObject* owner, Work work, std::function<void()> arrived)
      : owner_(owner), work_(std::move(work)), arrived_(std::move(arrived)) {
    pool_.setMaxThreadCount(1);
  }
  ~Newest() {
    quit_ = true;
    pool_.waitForDone();
  }
  Newest(const Newest&) = delete;
  Newest& operator=(const Newest&) = delete;

  void want(const Wish& wish) {
    wish_ = wish;
    if (running_ && !(*running_ == wish)) quit_ = true;
    if (!running_ && !is_known(wish)) start();
  }
  void clear() {
    wish_.reset();
    known_.reset();
    result_.reset();
    if (running_) quit_ = true;
  }
  bool is_behind() const { return running_.has_value(); }
  const std::shared_ptr<const Result>& result() const { return result_; }
  bool is_known(const Wish& wish) const { return known_ && *known_ == wish; }
  std::shared_ptr<const Result> now(const Wish& wish) const {
    static const std::atomic<bool> go_on{false};
    return is_known(wish) ? result_ : work_(wish, go_on);
  }

 private:
  void start() {
    running_ = wish_;
    quit_ = false;
    pool_.start([this, wish = *wish_] {
      auto result = work_(wish, quit_);
      QMetaObject::invokeMethod(
          owner_, [this, wish, result = std::move(result)] { take(wish, result); },
          Qt::QueuedConnection);
    });
  }
  void take(const Wish& wish, const std::shared_ptr<const Result>& result) {
    running_.reset();
    if (wish_ && *wish_ == wish && !quit_) {
      known_ = wish;
      result_ = result;
    } else if (wish_ && !is_known(*wish_)) {
      start();
    }
    arrived_();
  }

  QObject* owner_;
  Work work_;
  std::function<void()> arrived_;
  std::optional<Wish> wish_, running_, known_;
  std::shared_ptr<const Result> result_;
  std::atomic<bool> quit_{false};
  QThreadPool pool_;  // last member, destroyed first: its work uses the members above
};

}  // namespace attn::gui
