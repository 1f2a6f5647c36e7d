// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/program/stop_signal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace attn {
namespace {

TEST(StopSignal, AnIgnoredSignalStaysIgnoredAfterAStop) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    catch_stop_signals();
    for (const int number : {SIGINT, SIGTERM, SIGINT}) {
      std::raise(number);
      if (stop_signal() == SIGINT) _exit(1);
    }
    if (stop_signal() != SIGTERM) _exit(2);
    std::raise(SIGTERM);
    _exit(3);  // the second SIGTERM did not end the process
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

}  // namespace
}  // namespace attn
