// SPDX-License-Identifier: GPL-3.0-or-later
// RunGate: steps, pause, pace, cancel, and standing still. Most tests drive it as the engine does:
// steps of 2 layers of 2 kernels of 3 tiles.
#include "engine/trace/run_gate.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace attn {
namespace {

using std::chrono::milliseconds;

class DrivenRun {
 public:
  explicit DrivenRun(RunGate& gate) : gate_(gate), thread_([this] { loop(); }) {}
  ~DrivenRun() {
    gate_.cancel();
    thread_.join();
  }
  int passed(Granularity unit) const { return passed_[static_cast<size_t>(unit)].load(); }
  bool stands() const {
    while (gate_.state() != RunGate::State::kPaused || gate_.held() != 1)
      std::this_thread::sleep_for(milliseconds(1));
    return true;
  }
  bool finished() const { return finished_.load(); }

 private:
  bool pass(Granularity unit) {
    if (!gate_.checkpoint(unit)) return false;
    passed_[static_cast<size_t>(unit)].fetch_add(1);
    return true;
  }
  void loop() {
    while (one_step()) {
    }
    finished_.store(true);
  }
  bool one_step() {
    if (!pass(Granularity::kStep)) return false;
    for (int layer = 0; layer < 2; ++layer) {
      if (!pass(Granularity::kLayer)) return false;
      for (int kernel = 0; kernel < 2; ++kernel) {
        if (!pass(Granularity::kKernel)) return false;
        for (int tile = 0; tile < 3; ++tile)
          if (!pass(Granularity::kTile)) return false;
      }
    }
    return true;
  }
  RunGate& gate_;
  std::array<std::atomic<int>, 4> passed_{};
  std::atomic<bool> finished_{false};
  std::thread thread_;
};

class Gate : public ::testing::Test {
 protected:
  Gate() { gate_.reset(RunGate::State::kPaused); }
  RunGate gate_;
};

TEST_F(Gate, StepByTileMovesExactlyOneTile) {
  DrivenRun run(gate_);
  ASSERT_TRUE(run.stands());
  EXPECT_EQ(run.passed(Granularity::kStep), 0);
  for (int i = 1; i <= 20; ++i) {
    gate_.step(Granularity::kTile);
    ASSERT_TRUE(run.stands());
    EXPECT_EQ(run.passed(Granularity::kTile), i);
  }
}

TEST_F(Gate, StepByKernelLayerAndStepEndAtTheNextBoundary) {
  DrivenRun run(gate_);
  ASSERT_TRUE(run.stands());
  gate_.step(Granularity::kKernel);
  ASSERT_TRUE(run.stands());
  EXPECT_EQ(run.passed(Granularity::kTile), 3);
  gate_.step(Granularity::kTile);
  ASSERT_TRUE(run.stands());
  gate_.step(Granularity::kKernel);
  ASSERT_TRUE(run.stands());
  EXPECT_EQ(run.passed(Granularity::kTile), 6);
  gate_.step(Granularity::kLayer);
  ASSERT_TRUE(run.stands());
  EXPECT_EQ(run.passed(Granularity::kTile), 12);
  EXPECT_EQ(run.passed(Granularity::kStep), 1);
  gate_.step(Granularity::kStep);
  ASSERT_TRUE(run.stands());
  EXPECT_EQ(run.passed(Granularity::kTile), 24);
  EXPECT_EQ(run.passed(Granularity::kStep), 2);
}

TEST_F(Gate, PauseStopsARunAtOnce) {
  gate_.reset(RunGate::State::kRunning);
  DrivenRun run(gate_);
  while (run.passed(Granularity::kTile) < 1) std::this_thread::sleep_for(milliseconds(1));
  gate_.pause();
  ASSERT_TRUE(run.stands());
  const int tiles = run.passed(Granularity::kTile);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(run.passed(Granularity::kTile), tiles);
}

TEST_F(Gate, PaceSpacesTheTiles) {
  gate_.set_pace(200);
  gate_.reset(RunGate::State::kRunning);
  const auto begin = std::chrono::steady_clock::now();
  DrivenRun run(gate_);
  while (run.passed(Granularity::kTile) < 40) std::this_thread::sleep_for(milliseconds(1));
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  // 39 intervals of 5 ms, less one as a margin; a busy machine may take longer.
  EXPECT_GE(elapsed, milliseconds(39 * 5 - 5));
}

TEST_F(Gate, ASlowPaceIsInterruptedByEveryCommand) {
  gate_.set_pace(0.01);  // a tile every 100 s
  gate_.reset(RunGate::State::kRunning);
  DrivenRun run(gate_);
  while (run.passed(Granularity::kTile) < 1) std::this_thread::sleep_for(milliseconds(1));
  gate_.set_pace(0);
  while (run.passed(Granularity::kTile) < 1000) std::this_thread::sleep_for(milliseconds(1));
  gate_.set_pace(0.01);
  gate_.cancel();
  while (!run.finished()) std::this_thread::sleep_for(milliseconds(1));
}

TEST_F(Gate, WorkWithoutTilesWaitsWhilePausedAndIsNoUnit) {
  std::atomic<int> passed{0};
  std::thread work([&] {
    if (gate_.wait_while_paused()) passed.store(1);
  });
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(passed.load(), 0);
  gate_.step(Granularity::kTile);
  work.join();
  EXPECT_EQ(passed.load(), 1);
  EXPECT_EQ(gate_.state(), RunGate::State::kStepping);
  gate_.cancel();
  EXPECT_FALSE(gate_.wait_while_paused());
}

TEST_F(Gate, CancelHoldsUntilReset) {
  gate_.cancel();
  gate_.run();
  gate_.step(Granularity::kTile);
  EXPECT_FALSE(gate_.checkpoint(Granularity::kTile));
  gate_.reset();
  EXPECT_TRUE(gate_.checkpoint(Granularity::kTile));
}

TEST_F(Gate, WaitingBeforeTheFirstUnitIsNoStandstill) {
  DrivenRun run(gate_);
  ASSERT_TRUE(run.stands());
  EXPECT_FALSE(gate_.has_waited());
  gate_.step(Granularity::kTile);
  ASSERT_TRUE(run.stands());
  while (!gate_.has_waited()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(RunGate, APauseIsAStandstillAlsoWhereTheRunBeganWithoutWaiting) {
  RunGate gate;
  gate.reset(RunGate::State::kPaused);
  gate.run();
  EXPECT_TRUE(gate.checkpoint(Granularity::kTile));
  EXPECT_FALSE(gate.has_waited());
  gate.pause();
  std::thread run([&] { gate.checkpoint(Granularity::kTile); });
  while (gate.held() == 0) std::this_thread::sleep_for(milliseconds(1));
  gate.run();
  run.join();
  EXPECT_TRUE(gate.has_waited());
}

TEST(RunGate, AnInterruptEndsAPausedWaitWithoutPassing) {
  RunGate gate;
  EXPECT_EQ(gate.checkpoint_or_interrupt(Granularity::kStep), RunGate::Passed::kYes);
  EXPECT_FALSE(gate.has_waited());
  gate.pause();
  std::atomic<int> result{-1};
  std::thread run(
      [&] { result.store(static_cast<int>(gate.checkpoint_or_interrupt(Granularity::kStep))); });
  while (gate.held() == 0 || !gate.has_waited()) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(result.load(), -1);
  gate.interrupt(true);
  run.join();
  EXPECT_EQ(result.load(), static_cast<int>(RunGate::Passed::kInterrupted));
  EXPECT_EQ(gate.held(), 0);
  EXPECT_EQ(gate.checkpoint_or_interrupt(Granularity::kStep), RunGate::Passed::kInterrupted);
  gate.run();
  EXPECT_EQ(gate.checkpoint_or_interrupt(Granularity::kStep), RunGate::Passed::kYes);
  gate.interrupt(false);
  gate.cancel();
  EXPECT_EQ(gate.checkpoint_or_interrupt(Granularity::kStep), RunGate::Passed::kCancelled);
  gate.reset();
  EXPECT_FALSE(gate.has_waited());
}

}  // namespace
}  // namespace attn
