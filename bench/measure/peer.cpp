// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/peer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "bench/measure/measure.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/print_error.h"

namespace attn::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Peers {
  std::string python;
  double timeout_s = 0;
  pid_t process = -1;
  int to = -1, from = -1;
  std::string unread;
  std::string ended;  // why the process was given up; empty: it was not
  std::vector<std::string> names;
  std::map<std::string, PeerAnswer> known;  // answers by request
};

Peers& peers() {
  static Peers all;
  return all;
}

[[noreturn]] void refuse(const std::string& python, const std::string& found) {
  throw_bad_input({"this Python cannot run the peers", "--peer-python",
                   fmt::format("`{}`: {}", python, found), "a Python with torch or onnxruntime",
                   "Leave --peer-python out to measure without peers"});
}

bool is_executable_file(const std::string& file) {
  std::error_code failed;
  return std::filesystem::is_regular_file(file, failed) && access(file.c_str(), X_OK) == 0;
}

void end_process(Peers& all, bool kill_it) {
  if (all.process < 0) return;
  kill(-all.process, SIGCONT);
  if (kill_it) kill(-all.process, SIGKILL);
  close(all.to);
  close(all.from);
  constexpr int kPolls = 300;
  for (int i = 0; waitpid(all.process, nullptr, WNOHANG) == 0; ++i) {
    if (i == kPolls) kill(-all.process, SIGKILL);
    usleep(10000);
  }
  all.process = -1;
}

enum class Read { kLine, kEnded, kTimeout };

// Reads a line that the script writes; waits up to `seconds`.
Read read_line(Peers& all, double seconds, std::string& line) {
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (const size_t end = all.unread.find('\n'); end != std::string::npos) {
      line = all.unread.substr(0, end);
      all.unread.erase(0, end + 1);
      return Read::kLine;
    }
    const double left = std::chrono::duration<double>(until - Clock::now()).count();
    if (left <= 0) return Read::kTimeout;
    pollfd wait{all.from, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min(left, 3600.0) * 1000) + 1);
    if (ready < 0 && errno != EINTR) return Read::kEnded;
    if (ready <= 0) continue;
    char bytes[4096];
    const ssize_t count = read(all.from, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Read::kEnded;
    all.unread.append(bytes, static_cast<size_t>(count));
  }
}

// Starts the script. Returns 0, or the errno of what failed.
int start_process(Peers& all, const std::string& script) {
  int to[2], from[2], failed[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
    return errno;
  signal(SIGPIPE, SIG_IGN);
  all.process = fork();
  if (all.process < 0) return errno;
  if (all.process == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(all.python.c_str(), all.python.c_str(), script.c_str(), static_cast<char*>(nullptr));
    const int code = errno;
    if (write(failed[1], &code, sizeof code) < 0) _exit(126);
    _exit(127);
  }
  setpgid(all.process, all.process);
  close(to[0]);
  close(from[1]);
  close(failed[1]);
  all.to = to[1];
  all.from = from[0];
  int code = 0;
  if (read(failed[0], &code, sizeof code) <= 0) code = 0;
  close(failed[0]);
  return code;
}

bool write_all(int to, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = write(to, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

PeerAnswer give_up(Peers& all, const std::string& why) {
  end_process(all, true);
  all.ended = why;
  print_error("peers: {}\n", why);
  return {std::nullopt, why};
}

// The process is stopped between questions: threads of its libraries that go on spinning would
// disturb the rows.
PeerAnswer ask(const std::string& peer, const std::string& request) {
  Peers& all = peers();
  if (all.process < 0) return {std::nullopt, all.ended};
  const double limit_s = all.timeout_s + min_time_s();
  kill(-all.process, SIGCONT);
  std::string line;
  const Read found =
      write_all(all.to, request + "\n") ? read_line(all, limit_s, line) : Read::kEnded;
  if (found == Read::kTimeout)
    return give_up(
        all, fmt::format("{} gave no answer within {:g} s; the peers were stopped", peer, limit_s));
  if (found == Read::kEnded)
    return give_up(all, fmt::format("the script of the peers ended while {} was asked", peer));
  kill(-all.process, SIGSTOP);
  try {
    const nlohmann::json answer = parse_json(line, "answer of the peers");
    if (answer.contains("seconds")) return {answer["seconds"].get<double>(), ""};
    return {std::nullopt, "the peer does not run this"};
  } catch (const std::exception& error) {
    return give_up(all, error.what());
  }
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code failed;
    if (!std::filesystem::exists(name, failed)) refuse(name, "no such file");
    if (std::filesystem::is_directory(name, failed)) refuse(name, "a folder");
    if (!is_executable_file(name)) refuse(name, "a file that cannot be executed");
    return name;
  }
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/bin:/bin";
  for (size_t from = 0; from <= folders.size();) {
    const size_t end = std::min(folders.find(':', from), folders.size());
    const std::string file =
        (end > from ? folders.substr(from, end - from) : std::string(".")) + "/" + name;
    if (is_executable_file(file)) return file;
    from = end + 1;
  }
  refuse(name, "no such program in PATH");
}

std::string find_script(const std::string& named) {
  std::error_code failed;
  std::string script = named;
  if (script.empty()) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed)
      throw_bad_input({"the script of the peers cannot be found", "--peer-script",
                       "/proc/self/exe: " + failed.message(), "",
                       "Name it with --peer-script FILE"});
    script = (program.parent_path() / "peers/attention_peer.py").string();
  }
  if (!std::filesystem::is_regular_file(script, failed))
    throw_bad_input({"the script of the peers is missing", "--peer-script", script,
                     "attention_peer.py of this project", "Name it with --peer-script FILE"});
  return script;
}

void start_peers(const std::string& python, const std::string& script_name, double timeout_s) {
  Peers& all = peers();
  all.python = find_program(python);
  all.timeout_s = timeout_s;
  const std::string script = find_script(script_name);
  if (const int failed = start_process(all, script); failed != 0) {
    end_process(all, true);
    refuse(python, std::strerror(failed));
  }
  std::string line;
  const Read found = read_line(all, timeout_s, line);
  if (found != Read::kLine) {
    end_process(all, true);
    refuse(python, found == Read::kTimeout
                       ? fmt::format("no answer within {:g} s (--peer-timeout)", timeout_s)
                       : std::string("a program that ended without an answer"));
  }
  try {
    const nlohmann::json libraries = parse_json(line, "answer of the peers");
    for (const auto& [name, version] : libraries.items()) {
      print_error("peer {}: {}\n", name, version.get<std::string>());
      all.names.push_back(name);
    }
  } catch (const std::exception&) {
    end_process(all, true);
    refuse(python, "a program that does not run attention_peer.py");
  }
  kill(-all.process, SIGSTOP);
  if (all.names.empty()) print_error("peers: none; this Python has no torch and no onnxruntime\n");
}

void stop_peers() {
  end_process(peers(), false);
  peers() = Peers{};
}

const std::vector<std::string>& peer_names() {
  return peers().names;
}

const PeerAnswer& ask_peer(const std::string& peer, const PeerCase& peer_case) {
  const nlohmann::json request = {{"peer", peer},
                                  {"is_prefill", peer_case.is_prefill},
                                  {"query_lens", peer_case.query_lens},
                                  {"context_lens", peer_case.context_lens},
                                  {"num_heads", peer_case.num_heads},
                                  {"num_kv_heads", peer_case.num_kv_heads},
                                  {"head_size", peer_case.head_size},
                                  {"dtype", std::string(name_of(peer_case.dtype))},
                                  {"threads", peer_case.threads},
                                  {"min_time_s", min_time_s()}};
  const std::string text = request.dump();
  const auto [entry, is_new] = peers().known.try_emplace(text);
  if (is_new) entry->second = ask(peer, text);
  return entry->second;
}

}  // namespace attn::bench
