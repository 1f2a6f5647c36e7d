// SPDX-License-Identifier: GPL-3.0-or-later
// What `attn` writes: no output replaces an input, text that stdout does not take is an error, and
// after a first signal what was computed is kept.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "engine/core/files/whole_file.h"
#include "engine/session/report/report_folder.h"
#include "engine/session/session_file/session_file.h"
#include "tests/engine/session/attn_program.h"

namespace attn {
namespace {

using test::attn_program;
using test::read_file;
using test::TemporaryFolder;
using testing::HasSubstr;
using Result = test::ProgramResult;
using Kind = ReportPlace::Kind;

std::string small_scenario(int64_t tokens = 2) {
  Scenario scenario = test::synthetic_scenario({8}, tokens);
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.num_blocks = 512;
  return to_json(scenario);
}

class CliOutputs : public ::testing::Test {
 protected:
  std::string in(const std::string& name) const { return folder_.path() / name; }
  std::string written(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(in(name)).parent_path());
    write_file_atomically(in(name), bytes);
    return in(name);
  }
  // The program must refuse its arguments, print no results, and leave `file` unchanged.
  void expect_refused(const std::vector<std::string>& words, const std::string& says,
                      const std::string& file) {
    const std::string before = read_file(file);
    const Result result = attn_program(words);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_EQ(read_file(file), before);
  }

  const TemporaryFolder folder_;
};

TEST_F(CliOutputs, AReportReplacesNoInput) {
  const std::string trace = written("d/trace.json", small_scenario());
  for (const char* force : {"--export", "--force"}) {
    std::vector<std::string> words = {"run", trace, "--export", in("d")};
    if (force == std::string("--force")) words.emplace_back(force);
    expect_refused(words, "--export could replace an input file", trace);
  }
  const std::string scenario = written("s.json", small_scenario());
  ASSERT_EQ(attn_program({"run", scenario, "--export", in("r")}).code, 0);
  expect_refused({"run", in("r/scenario.json"), "--export", in("r")},
                 "--export could replace an input file", in("r/scenario.json"));
  const std::string session = in("d/a.attn-session");
  ASSERT_EQ(attn_program({"run", scenario, "--session", session}).code, 0);
  expect_refused({"run", session, "--export", in("d"), "--force"},
                 "--export could replace an input file", session);
}

TEST_F(CliOutputs, AModelIsNotReplaced) {
  const std::filesystem::path model = in("model");
  std::filesystem::copy(std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa", model);
  Scenario scenario = test::model_scenario({"One day"}, 1);
  scenario.source.model = "./model";
  const std::string file = written("s.json", to_json(scenario));
  for (const char* name : {"model.safetensors", "tokenizer.json", "config.json"}) {
    expect_refused({"generate", "--model", model, "--prompt", "x", "--dump", model / name},
                   "--dump would replace an input file", model / name);
    expect_refused({"compare", file, "--backends", "reference,unified", "--csv", model / name},
                   "--csv would replace an input file", model / name);
  }
  expect_refused({"run", file, "--export", model, "--force"},
                 "--export could replace an input file", model / "config.json");
  std::filesystem::create_symlink(model / "config.json", in("a.attn-session"));
  expect_refused({"run", file, "--session", in("a.attn-session")},
                 "--session would replace an input file", model / "config.json");
}

TEST_F(CliOutputs, AGgufFileIsNotReplaced) {
  const std::filesystem::path golden = std::string(ATTN_SOURCE_DIR) + "/tests/golden/gguf";
  const std::string model = in("d/model.gguf"), second = in("d/a-00002-of-00002.gguf");
  std::filesystem::create_directory(in("d"));
  std::filesystem::copy(golden / "llama.gguf", model);
  std::filesystem::copy(golden / "llama.gguf", in("d/a-00001-of-00002.gguf"));
  std::filesystem::copy(golden / "llama.gguf", second);
  Scenario scenario = test::model_scenario({"One day"}, 1);
  scenario.source.model = model;
  const std::string file = written("s.json", to_json(scenario));
  expect_refused({"generate", "--model", model, "--prompt", "x", "--dump", model},
                 "--dump would replace an input file", model);
  expect_refused({"compare", file, "--backends", "reference,unified", "--csv", model},
                 "--csv would replace an input file", model);
  expect_refused({"run", file, "--page", model}, "--page would replace an input file", model);
  expect_refused({"run", file, "--export", in("d"), "--force"},
                 "--export could replace an input file", model);
  std::filesystem::create_symlink(model, in("a.attn-session"));
  expect_refused({"run", file, "--session", in("a.attn-session")},
                 "--session would replace an input file", model);
  expect_refused({"convert", model, model}, "TO would replace an input file", model);
  expect_refused({"convert", in("d/a-00001-of-00002.gguf"), second},
                 "TO would replace an input file", second);
  const std::filesystem::path folder = in("model");
  std::filesystem::copy(std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa", folder);
  std::filesystem::create_symlink(folder / "model.safetensors", in("link.gguf"));
  expect_refused({"convert", folder, in("link.gguf")}, "TO would replace an input file",
                 folder / "model.safetensors");
}

TEST_F(CliOutputs, AFolderOfSomebodyElseNeedsForce) {
  const std::string scenario = written("s.json", small_scenario()),
                    notes = written("out/notes.txt", "mine");
  expect_refused({"run", scenario, "--export", in("out")},
                 "the folder for the report holds something else at --export", notes);
  const Result result = attn_program({"run", scenario, "--export", in("out"), "--force"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(read_file(notes), "mine");
  EXPECT_GT(look_at_report_place(in("out")).ours.size(), 8u);
  expect_refused({"run", scenario, "--force"}, "this option needs another one at --force", notes);
  expect_refused({"run", scenario, "--export", in("new"), "--session", in("new/a.attn-session")},
                 "--session lies in the folder of --export", notes);
}

TEST_F(CliOutputs, NamesThatAreTooLongAreToldBeforeTheRun) {
  const std::string scenario = written("s.json", small_scenario()),
                    name = in(std::string(300, 'n'));
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"run", scenario, "--export", name},
           {"run", scenario, "--export", name + "/out"},
           {"run", scenario, "--session", name + ".attn-session"},
           {"compare", scenario, "--backends", "reference,unified", "--csv", name},
           {"generate", "--model", "tinystories-gqa", "--prompt", "x", "--dump", name},
           {"op", "--in", scenario, "--out", name}})
    expect_refused(words, "the name of an output is too long at --", scenario);
}

TEST_F(CliOutputs, AStdoutThatTakesNothingIsTold) {
  const std::string scenario = written("s.json", small_scenario());
  const std::vector<std::vector<std::string>> commands = {
      {"--help"},
      {"run", "--help"},
      {"backends"},
      {"inspect", scenario},
      {"compare", scenario, "--backends", "reference,unified"},
      {"generate", "--model", "tinystories-gqa", "--prompt", "x", "--max-tokens", "1"},
      {"run", scenario, "--export", in("out"), "--session", in("a.attn-session")}};
  for (const auto& [redirection, reason] :
       {std::pair<const char*, const char*>{">/dev/full", "No space left on device"},
        {">&-", "Bad file descriptor"}})
    for (const auto& words : commands) {
      const Result result = attn_program(words, redirection);
      EXPECT_EQ(result.code, 1) << words[0] << redirection;
      EXPECT_THAT(result.err, HasSubstr(std::string("attn: cannot write the output: ") + reason));
      if (words.size() < 6 || words[0] != "run") continue;
      EXPECT_EQ(look_at_report_place(in("out")).kind, Kind::kReport);
      EXPECT_NO_THROW(load_session(in("a.attn-session")));
    }
}

// --- a process of its own ---

struct Process {
  pid_t id = -1;
  std::string err;  // name of the file of its stderr
};

// stdout_fd: descriptor for stdout; -1: stdout goes to the file of stderr.
Process start(const std::filesystem::path& folder, const std::vector<std::string>& words,
              int stdout_fd = -1) {
  Process process;
  process.err = folder / "err";
  std::vector<std::string> all = {ATTN_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  process.id = fork();
  if (process.id != 0) return process;
  setenv("ATTN_ASSETS", ATTN_SOURCE_DIR "/assets", 1);
  const int err = ::open(process.err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(err, STDERR_FILENO);
  ::dup2(stdout_fd >= 0 ? stdout_fd : err, STDOUT_FILENO);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) std::signal(number, SIG_DFL);
  ::execv(argv[0], argv.data());
  _exit(127);
}

// Waits until the program has a handler for the signal; false: the program has ended.
bool wait_until_noted(pid_t process, int number) {
  for (;;) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    uint64_t caught = 0;
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("State:") && line.find('Z') != std::string::npos) return false;
      if (line.starts_with("SigCgt:")) caught = std::stoull(line.substr(7), nullptr, 16);
    }
    if ((caught >> (number - 1) & 1) != 0) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

int status_of(pid_t process) {
  int status = 0;
  return waitpid(process, &status, 0) == process ? status : -1;
}

// Starts the program, sends it the signal, and returns its exit code, or -1 if the signal killed
// it. Tries again if the signal comes too late, as it may on a busy machine. Returns 0 after 20
// late signals.
int stopped(const std::filesystem::path& folder, const std::vector<std::string>& words, int number,
            std::string& err) {
  for (int turn = 0; turn < 20; ++turn) {
    const Process process = start(folder, words);
    if (wait_until_noted(process.id, number)) kill(process.id, number);
    const int status = status_of(process.id);
    err = read_file(process.err);
    if (err.find("when the run had ended") == std::string::npos && status != 0)
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  return 0;
}

TEST_F(CliOutputs, AReaderThatHasGoneIsTold) {
  const std::string scenario = written("s.json", small_scenario());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const Process process = start(folder_.path(), {"run", scenario, "--export", in("out")}, ends[1]);
  ::close(ends[1]);
  const int status = status_of(process.id);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(read_file(process.err), HasSubstr("attn: cannot write the output: Broken pipe"));
  EXPECT_EQ(look_at_report_place(in("out")).kind, Kind::kReport);
}

TEST_F(CliOutputs, ASignalKeepsTheRunSoFar) {
  const std::string scenario = written("s.json", small_scenario(4000)),
                    session = in("a.attn-session");
  for (const int number : {SIGINT, SIGTERM}) {
    std::string err;
    EXPECT_EQ(stopped(folder_.path(),
                      {"run", scenario, "--export", in("out"), "--session", session}, number, err),
              128 + number);
    EXPECT_THAT(err, HasSubstr(number == SIGINT ? "attn: stopped by SIGINT after "
                                                : "attn: stopped by SIGTERM after "));
    EXPECT_THAT(err, HasSubstr("the report and the session hold what was computed until then"));
    EXPECT_EQ(look_at_report_place(in("out")).kind, Kind::kReport);
    EXPECT_THAT(read_file(in("out/manifest.json")), HasSubstr("\"state\": \"cancelled\""));
    const Session kept = load_session(session);
    EXPECT_EQ(kept.snapshot->phase, EnginePhase::kCancelled);
    EXPECT_LT(kept.snapshot->generated_tokens, 4000);
  }
}

TEST_F(CliOutputs, ASignalKeepsTheTextSoFar) {
  std::string err;
  EXPECT_EQ(stopped(folder_.path(),
                    {"generate", "--model", "tinystories-gqa", "--prompt", "One day",
                     "--max-tokens", "400", "--dump", in("dump")},
                    SIGINT, err),
            128 + SIGINT);
  EXPECT_THAT(err, HasSubstr("One day"));
  EXPECT_THAT(err, HasSubstr("the dump holds what was computed until then"));
  EXPECT_EQ(attn_program({"inspect", in("dump")}).code, 0);
}

// Both signals come while the process is stopped, so that it gets them right after each other.
TEST_F(CliOutputs, ASecondSignalEndsAtOnce) {
  const std::string scenario = written("s.json", small_scenario(4000));
  const Process process = start(folder_.path(), {"run", scenario, "--export", in("out")});
  ASSERT_TRUE(wait_until_noted(process.id, SIGTERM));
  for (const int number : {SIGSTOP, SIGINT, SIGTERM, SIGCONT}) kill(process.id, number);
  const int status = status_of(process.id);
  ASSERT_TRUE(WIFSIGNALED(status)) << status << read_file(process.err);
  EXPECT_TRUE(WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGINT) << status;
  EXPECT_EQ(look_at_report_place(in("out")).kind, Kind::kNothing);
}

TEST_F(CliOutputs, APageIsAnHtmlFileBesideTheReport) {
  const std::string file = written("s.json", small_scenario());
  const auto refused = [&](const std::string& page) {
    expect_refused({"run", file, "--export", in("r"), "--page", page}, "--page", file);
    EXPECT_FALSE(std::filesystem::exists(in("r")));
    return attn_program({"run", file, "--export", in("r"), "--page", page}).err;
  };
  EXPECT_THAT(refused(in("r")), HasSubstr("--page and --export are the same"));
  EXPECT_THAT(refused(in("./r/")), HasSubstr("--page and --export are the same"));
  EXPECT_THAT(refused(in("r/x.html")), HasSubstr("--page lies in the folder of --export"));
  EXPECT_THAT(refused(in("x.txt")), HasSubstr("a name that ends in .html or .htm"));
}

TEST_F(CliOutputs, AFolderIsCalledWhatItIs) {
  const std::string file = written("s.json", small_scenario());
  ASSERT_EQ(attn_program({"run", file, "--export", in("r")}).code, 0);
  const Result report = attn_program({"inspect", in("r")});
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(report.out, testing::StartsWith("r: report of a run\n"));
  EXPECT_THAT(report.out, HasSubstr("title: \"test\""));
  EXPECT_THAT(report.out, HasSubstr("`attn run scenario.json` in this folder"));
  std::filesystem::remove(in("r/scenario.json"));
  EXPECT_THAT(attn_program({"inspect", in("r")}).out, testing::Not(HasSubstr("attn run")));
  // Other programs have manifests, too.
  for (const char* manifest : {R"({"name": "An app", "start_url": "."})", "[1]", "{"}) {
    written("r/manifest.json", manifest);
    EXPECT_THAT(attn_program({"inspect", in("r")}).out, testing::StartsWith("r: folder\n"));
  }
  std::filesystem::create_directory(in("empty"));
  EXPECT_THAT(attn_program({"inspect", in("empty")}).out, testing::StartsWith("empty: folder\n"));
}

}  // namespace
}  // namespace attn
