// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is saved and read back is the same run: snapshots, events, log-sum-exps and a sample
// of the weights, to the bit. A finished run that is saved again gives the same file. Also saves
// that fail, and files of earlier versions.
#include "engine/session/session_file/session_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>

#include "engine/session/report/report.h"
#include "engine/session/run/engine_runner.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "tests/engine/session/session_file/round_trip.h"
#include "tests/engine/session/session_file/session_file_support.h"
#include "tests/support/tensor_files.h"

namespace attn {
namespace {

using test::all_events;
using test::expect_same;
using test::expect_same_events;
using test::expect_same_run;
using test::round_trip;
using test::SavedRun;
using test::shipped_virtual;
using test::TemporaryFolder;

TEST(SessionFile, PrefillAndDecode) {
  const SavedRun run(shipped_virtual("first-look"));
  EXPECT_GT(run.row_states.size(), 0u);
  round_trip(run);
}

TEST(SessionFile, PreemptionBySwapAndByRecomputation) {
  const SavedRun swap(shipped_virtual("full-house-swap"));
  EXPECT_TRUE(std::ranges::any_of(
      *swap.snapshot->steps, [](const StepRecord& step) { return step.swapped_out_blocks > 0; }));
  round_trip(swap);
  round_trip(SavedRun(shipped_virtual("full-house")));
}

TEST(SessionFile, SharedPrefixes) {
  const SavedRun run(shipped_virtual("shared-prompt"));
  ASSERT_TRUE(run.snapshot->prefixes);
  EXPECT_FALSE(run.snapshot->prefixes->empty());
  round_trip(run);
}

TEST(SessionFile, SamplesAndBeams) {
  round_trip(SavedRun(shipped_virtual("samples")));
  round_trip(SavedRun(shipped_virtual("beam-search")));
}

TEST(SessionFile, WindowsEncodersChunksAndOtherRules) {
  for (const char* name : {"sliding-window", "encoder", "cross-attention", "chunked-prefill",
                           "alibi", "alternating-layers", "encoder-decoder", "encoder-layers"}) {
    SCOPED_TRACE(name);
    round_trip(SavedRun(shipped_virtual(name)));
  }
  // With ALiBi, torch_sdpa ignores a window in prompts.
  Scenario ignores_window = shipped_virtual("alibi");
  ignores_window.attention.sliding_window = 5;
  ignores_window.engine.backend = "torch_sdpa";
  round_trip(SavedRun(ignores_window));
}

TEST(SessionFile, LayersAndTablesThatArePreemptedSwappedAndShared) {
  for (const auto& [name, blocks] :
       {std::pair{"alternating-layers", 12}, std::pair{"encoder-decoder", 14}}) {
    SCOPED_TRACE(name);
    const auto sum = [](const SavedRun& run, int64_t StepRecord::*field) {
      int64_t total = 0;
      for (const StepRecord& step : *run.snapshot->steps) total += step.*field;
      return total;
    };
    Scenario crowded = shipped_virtual(name);
    crowded.engine.num_blocks = blocks;
    const SavedRun again(crowded);
    EXPECT_GT(sum(again, &StepRecord::preemptions), 0);
    round_trip(again);
    crowded.engine.preemption = PreemptionMode::kSwap;
    crowded.engine.num_swap_blocks = 24;
    const SavedRun swapped(crowded);
    EXPECT_GT(sum(swapped, &StepRecord::swapped_out_blocks), 0);
    round_trip(swapped);
    Scenario shared = shipped_virtual(name);
    shared.engine.backend = "unified";
    shared.engine.extended = shared.engine.enable_prefix_caching = true;
    shared.engine.num_blocks = 64;
    shared.engine.max_num_seqs = 1;
    shared.requests.push_back(shared.requests.front());
    const SavedRun hit(shared);
    EXPECT_GT(sum(hit, &StepRecord::hit_tokens), 0);
    round_trip(hit);
  }
}

TEST(SessionFile, ARunThatIsNotOver) {
  for (const int steps : {0, 1, 3, 9, 14}) {
    SCOPED_TRACE(steps);
    const SavedRun run(shipped_virtual("full-house-swap"), steps);
    ASSERT_TRUE(run.engine->has_work());
    round_trip(run);
  }
}

TEST(SessionFile, TheRealClockKeepsTheOrderOfRecording) {
  Scenario scenario = shipped_virtual("many-users");
  scenario.engine.clock = ClockKind::kReal;
  round_trip(SavedRun(scenario));
}

TEST(SessionFile, TensorsOfTheUser) {
  const TemporaryFolder folder;
  std::mt19937 random(2);
  std::vector<std::filesystem::path> files;
  for (const auto& [name, heads] : {std::pair("q.npy", 4), {"k.npy", 2}, {"v.npy", 2}}) {
    Tensor tensor(DType::kF32, {3, heads, 40, 32});  // sequences, heads, tokens, elements
    for (float& x : tensor.span<float>()) x = static_cast<float>(random() % 2001) * 1e-3f - 1;
    files.push_back(folder.path() / name);
    test::write_npy(files.back(), tensor);
  }
  register_all_backends();
  Scenario scenario = tensor_scenario(files);
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 2;
  const SavedRun run(scenario);
  EXPECT_EQ(run.snapshot->requests.size(), 3u);
  round_trip(run);
}

TEST(SessionFile, NarrowAndPaddedCaches) {
  for (const auto& [backend, dtype] :
       {std::pair("torch_sdpa", "bf16"), {"torch_sdpa", "fp8_e4m3"}, {"unified", "int8"}}) {
    SCOPED_TRACE(dtype);
    Scenario scenario = test::synthetic_scenario({20, 9}, 6);
    scenario.source.synthetic->head_size = 40;
    scenario.engine.pad_head_size = true;
    scenario.engine.extended = true;
    scenario.engine.backend = backend;
    scenario.engine.kv_cache_dtype = dtype;
    scenario.engine.k_scale = scenario.engine.v_scale = 0.05;
    if (std::string(dtype) == "bf16") scenario.engine.k_scale = scenario.engine.v_scale = 1;
    scenario.engine.clock = ClockKind::kVirtual;
    const SavedRun half(scenario, 4);
    if (std::string(backend) == "torch_sdpa") {
      EXPECT_GT(half.snapshot->cache_head_size, half.snapshot->source.head_size);
    }
    round_trip(half);
    round_trip(SavedRun(scenario));
  }
}

TEST(SessionFile, TwoRunsOfTheVirtualClockGiveTheSameBytes) {
  const TemporaryFolder folder;
  const auto one = folder.path() / "1.attn-session", two = folder.path() / "2.attn-session";
  for (const char* name : {"first-look", "full-house-swap"}) {
    SavedRun(shipped_virtual(name)).save(one);
    SavedRun(shipped_virtual(name)).save(two);
    EXPECT_TRUE(test::read_bytes(one) == test::read_bytes(two)) << name;
  }
}

TEST(SessionFile, ARunnerShowsItAndSavesItAgain) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session", again = folder.path() / "b.attn-session";
  const SavedRun run(shipped_virtual("full-house-swap"));
  run.save(file);
  auto session = std::make_shared<const Session>(load_session(file));
  EngineRunner runner;
  runner.start(test::synthetic_scenario({2000}, 50));
  runner.show(session);
  ASSERT_TRUE(runner.wait_finished(std::chrono::seconds(30)));
  const auto shown = runner.snapshot();
  EXPECT_EQ(runner.recorder(), session->recorder);
  EXPECT_GT(shown->run, 0u);
  EXPECT_EQ(shown->phase, EnginePhase::kFinished);
  expect_same(*shown, *run.snapshot);
  EXPECT_EQ(runner.row_states().size(), run.row_states.size());
  std::exception_ptr trouble;
  bool done = false;
  runner.save(again, session->view, {}, {}, [&](std::exception_ptr what) {
    trouble = what;
    done = true;
  });
  ASSERT_TRUE(runner.wait_finished(std::chrono::seconds(30)));
  ASSERT_TRUE(done);
  EXPECT_FALSE(trouble);
  EXPECT_TRUE(test::read_bytes(file) == test::read_bytes(again));
  runner.add_request({});  // does nothing: there is no engine
  Scenario next = shipped_virtual("first-look");
  next.view.pace_tiles_per_s = 0;
  runner.start(next);
  ASSERT_TRUE(runner.wait_finished(std::chrono::seconds(60)));
  EXPECT_EQ(runner.snapshot()->phase, EnginePhase::kFinished);
  EXPECT_NE(runner.recorder(), session->recorder);
  EXPECT_EQ(runner.snapshot()->scenario->title, shipped_virtual("first-look").title);
}

TEST(SessionFile, FilesOfEarlierVersionsAreRead) {
  register_all_backends();
  const TemporaryFolder folder;
  const auto again = folder.path() / "again.attn-session";
  for (const uint32_t version : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    const Session session =
        load_session(std::string(ATTN_SOURCE_DIR) + "/tests/golden/session/version" +
                     std::to_string(version) + ".attn-session");
    const EngineSnapshot& shot = *session.snapshot;
    EXPECT_EQ(shot.steps->size(), 3u);
    EXPECT_EQ(shot.generated_tokens, 6);
    EXPECT_TRUE(session.notes.empty());
    EXPECT_EQ(shot.source.calls.size(), version == 1 ? 0u : 2u);
    EXPECT_EQ(shot.rules->of(0).sliding_window, version == 1 ? 0 : 4);
    save_session(again, {session.snapshot, session.recorder.get(), nullptr, session.view});
    EXPECT_EQ(test::number_in(test::read_bytes(again), 8, 4), kSessionVersion);
    const Session saved = load_session(again);
    expect_same(*saved.snapshot, shot);
    expect_same_events(all_events(*saved.recorder), all_events(*session.recorder), shot);
  }
}

TEST(SessionFile, OpensWithoutTheModel) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  const auto model = folder.path() / "model";
  std::filesystem::copy(std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa", model);
  Scenario scenario = test::model_scenario({"Once upon a time"}, 5);
  scenario.source.model = model.string();
  scenario.engine.clock = ClockKind::kVirtual;
  const SavedRun run(scenario);
  run.save(file);
  std::filesystem::remove_all(model);
  const Session session = load_session(file);
  expect_same_run(session, run);
  EXPECT_EQ(session.snapshot->scenario->source.model, model.string());
}

TEST(SessionFile, CancelLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  test::write_bytes(file, "old");
  const SavedRun run(shipped_virtual("first-look"));
  int calls = 0;
  try {
    save_session(file, run.inputs(), [&](double) { return ++calls < 6; });
    FAIL() << "it was cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
  EXPECT_EQ(test::read_bytes(file), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  double last = 0;
  save_session(file, run.inputs(), [&](double part) {
    EXPECT_GE(part, 0);
    EXPECT_LE(part, 1);
    last = part;
    return true;
  });
  EXPECT_EQ(last, 1);
  try {
    load_session(file, [](double part) { return part < 0.5; });
    FAIL() << "it was cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST(SessionFile, BeforeThereIsARunNothingIsSaved) {
  const TemporaryFolder folder;
  Recorder recorder(1);
  EXPECT_THROW(save_session(folder.path() / "a.attn-session", {nullptr, &recorder, nullptr, "{}"}),
               Error);
  auto bare = std::make_shared<EngineSnapshot>();
  EXPECT_THROW(save_session(folder.path() / "a.attn-session", {bare, &recorder, nullptr, "{}"}),
               Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SessionFile, NothingIsWrittenThatCouldNotBeRead) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  SavedRun run(test::tiny_scenario());
  for (const char* view : {"", "[]", "{", "{\"a\":1,\"a\":2}"}) {
    run.view = view;
    EXPECT_THROW(run.save(file), Error) << view;
  }
  run.view = "{}";
  EngineSnapshot strange = *run.snapshot;
  strange.tokens_per_s = std::numeric_limits<double>::infinity();
  run.snapshot = std::make_shared<const EngineSnapshot>(strange);
  EXPECT_THROW(run.save(file), std::logic_error);
  strange.tokens_per_s = 1;
  strange.requests[0].cumulative_logprob = -std::numeric_limits<double>::infinity();
  run.snapshot = std::make_shared<const EngineSnapshot>(strange);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  run.save(file);
  EXPECT_EQ(load_session(file).snapshot->requests[0].cumulative_logprob,
            strange.requests[0].cumulative_logprob);
}

// --- the disk ---

std::string refusal_of_save(const std::filesystem::path& file, const SavedRun& run,
                            ErrorCode code = ErrorCode::kFailed) {
  try {
    run.save(file);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "saved to " << file;
  return {};
}

TEST(SessionFile, FoldersThatCannotBeWrittenAreNamed) {
  const TemporaryFolder folder;
  const SavedRun run(test::tiny_scenario());
  refusal_of_save(folder.path() / "no" / "such" / "a.attn-session", run);
  refusal_of_save("/proc/a.attn-session", run);
  // /dev/full is refused because it is not a regular file.
  refusal_of_save("/dev/full", run, ErrorCode::kBadInput);
  std::filesystem::create_directory(folder.path() / "b.attn-session");
  refusal_of_save(folder.path() / "b.attn-session", run);
  // A folder without write permission; root may write there all the same.
  const auto closed = folder.path() / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(
      closed, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (geteuid() != 0) refusal_of_save(closed / "a.attn-session", run);
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
}

// A limit on the file size acts like a full disk.
TEST(SessionFile, ADiskThatIsFullLeavesTheOldFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  const SavedRun run(test::tiny_scenario());
  run.save(file);
  const std::string old = test::read_bytes(file);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (size_t most = 0; most < old.size(); most += 300) {
    const rlimit limit{most, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::string refusal;
    try {
      run.save(file);
    } catch (const Error& error) {
      refusal = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    ASSERT_NE(refusal.find(file.string()), std::string::npos) << most;
    ASSERT_NE(refusal.find(std::strerror(EFBIG)), std::string::npos) << refusal;
    ASSERT_TRUE(test::read_bytes(file) == old) << most;
    ASSERT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
  std::signal(SIGXFSZ, handler);
}

TEST(SessionFile, KilledWhileItSavesThereIsNeverAPart) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  const SavedRun small(test::tiny_scenario());
  const SavedRun large(shipped_virtual("first-look"));
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  large.save(file);
  const auto save_us =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count();
  const std::string new_bytes = test::read_bytes(file);
  small.save(file);
  const std::string old_bytes = test::read_bytes(file);
  std::mt19937 random(11);
  int old_files = 0, new_files = 0;
  constexpr int kKills = 60;
  for (int i = 0; i < kKills; ++i) {
    test::write_bytes(file, old_bytes);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (;;) large.save(file);
    }
    const auto patience = Clock::now() + std::chrono::minutes(1);
    while (i % 2 == 1 && Clock::now() < patience &&
           std::filesystem::file_size(file) != new_bytes.size())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(
        std::chrono::microseconds(i == 0 ? 0 : random() % static_cast<uint64_t>(save_us + 1)));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::string bytes = test::read_bytes(file);
    ASSERT_TRUE(bytes == old_bytes || bytes == new_bytes) << i << ": " << bytes.size();
    (bytes == old_bytes ? old_files : new_files)++;
    ASSERT_NO_THROW(load_session(file));
  }
  // Otherwise all kills came too early or too late.
  EXPECT_GT(old_files, 0);
  EXPECT_GT(new_files, 0);
  small.save(file);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(SessionFile, WhatKilledWritersLeftGoesAndNothingElse) {
  const TemporaryFolder folder;
  const auto in_folder = [&](const std::string& name) { return folder.path() / name; };
  const SavedRun run(test::tiny_scenario());
  const std::vector<std::string> others = {"a.attn-session.backup",
                                           "a.attn-session.unfinished-abc12",    // too short
                                           "a.attn-session.unfinished-abc1234",  // too long
                                           "a.attn-session.unfinished-backup",   // of someone else
                                           "b.attn-session.unfinished-abcnef",   // of another file
                                           "aa.attn-session.unfinished-abceyr"};
  for (const std::string& name : others) test::write_bytes(in_folder(name), "x");
  std::filesystem::create_directory(in_folder("a.attn-session.unfinished-abexcp"));
  const auto alive = in_folder("a.attn-session.unfinished-abd1jp"),
             left = in_folder("a.attn-session.unfinished-abc95n");
  test::write_bytes(alive, "x");
  test::write_bytes(left, "x");
  const int writer = open(alive.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(writer, LOCK_EX | LOCK_NB), 0);
  run.save(in_folder("a.attn-session"));
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(alive));
  EXPECT_TRUE(std::filesystem::exists(in_folder("a.attn-session.unfinished-abexcp")));
  for (const std::string& name : others)
    EXPECT_TRUE(std::filesystem::exists(in_folder(name))) << name;
  close(writer);
  run.save(in_folder("a.attn-session"));
  EXPECT_FALSE(std::filesystem::exists(alive));
}

}  // namespace
}  // namespace attn
