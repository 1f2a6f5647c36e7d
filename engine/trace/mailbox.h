// SPDX-License-Identifier: GPL-3.0-or-later
// Mailbox<T>: passes the newest immutable value from writers to readers, and counts the values that
// were replaced before a reader took them. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

namespace attn {

template <class T>
class Mailbox {
 public:
  void publish(std::shared_ptr<const T> value) {
    std::lock_guard lock(mutex_);
    if (value_ && taken_ != published_) ++replaced_;
    value_ = std::move(value);
    ++published_;
  }
  std::shared_ptr<const T> latest() const {
    std::lock_guard lock(mutex_);
    taken_ = published_;
    return value_;
  }
  uint64_t version() const {  // grows with every publish; 0 before the first
    std::lock_guard lock(mutex_);
    return published_;
  }
  uint64_t replaced() const {
    std::lock_guard lock(mutex_);
    return replaced_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
  uint64_t published_ = 0;
  mutable uint64_t taken_ = 0;
  uint64_t replaced_ = 0;
};

}  // namespace attn
