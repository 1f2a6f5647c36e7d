// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/program/stop_signal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <iterator>

namespace attn {
namespace {

constexpr int kStopSignals[] = {SIGINT, SIGTERM};
constexpr size_t kStackBytes = size_t{64} << 10;

std::atomic<int> came{0};
std::atomic<int> descriptor{-1};
// Whether the signals of kStopSignals have the handler. One that was ignored when the program
// began, as SIGINT is in background jobs of a shell script, has none and stays ignored.
std::atomic<bool> caught[std::size(kStopSignals)];

// The signal handler. It may call async-signal-safe functions only.
void note(int number) {
  const int before = errno;
  const bool is_second = came.exchange(number, std::memory_order_acq_rel) != 0;
  for (size_t i = 0; i < std::size(kStopSignals); ++i)
    if (caught[i].load(std::memory_order_acquire)) std::signal(kStopSignals[i], SIG_DFL);
  // Two threads may take two signals before the default handling is back. The signal raised here
  // then ends the program when this handler returns.
  if (is_second) std::raise(number);
  const uint64_t one = 1;
  (void)!::write(descriptor.load(std::memory_order_acquire), &one, sizeof one);
  errno = before;
}

}  // namespace

void catch_stop_signals() {
  if (descriptor < 0) descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  // The handler gets a stack of its own, unless the calling thread has one. sigaltstack() sets it.
  alignas(64) static char stack[kStackBytes];
  const stack_t own{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
  stack_t now{};
  if (::sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0)
    ::sigaltstack(&own, nullptr);
  for (size_t i = 0; i < std::size(kStopSignals); ++i) {
    const int number = kStopSignals[i];
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    caught[i].store(true, std::memory_order_release);
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int other : kStopSignals) sigaddset(&action.sa_mask, other);
    ::sigaction(number, &action, nullptr);
  }
}

int stop_signal() {
  return came.load(std::memory_order_acquire);
}

int stop_signal_descriptor() {
  return descriptor;
}

int stop_exit_code() {
  return 128 + stop_signal();
}

std::string stop_signal_name() {
  return stop_signal() == SIGINT ? "SIGINT" : "SIGTERM";
}

}  // namespace attn
