// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/peer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <map>

#include "bench/measure.h"
#include "engine/core/error.h"
#include "engine/core/json.h"

namespace attn::bench {
namespace {

struct Peers {
  pid_t process = -1;
  FILE* to = nullptr;
  FILE* from = nullptr;
  std::vector<std::string> names;
  std::map<std::string, std::optional<double>> known;  // by request
};

Peers& peers() {
  static Peers all;
  return all;
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kFailed, {what, "--peer-python", "", "a Python with torch or onnxruntime",
                                   "Leave --peer-python out to measure without peers"});
}

std::string read_line() {
  std::string line;
  for (int c = 0; (c = std::fgetc(peers().from)) != EOF && c != '\n';) line += static_cast<char>(c);
  if (line.empty()) fail("the script of the peers ended");
  return line;
}

// The threads of the libraries go on spinning for a while after a call: between questions the
// process stands still, or it would take the cores from what is measured here.
nlohmann::json ask(const nlohmann::json& request) {
  kill(peers().process, SIGCONT);
  std::fputs((request.dump() + "\n").c_str(), peers().to);
  std::fflush(peers().to);
  nlohmann::json answer = parse_json(read_line(), "answer of the peers");
  kill(peers().process, SIGSTOP);
  return answer;
}

}  // namespace

void start_peers(const std::string& python) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) fail("no pipe could be made");
  const std::string script = std::string(ATTN_SOURCE_DIR) + "/bench/peers/attention_peer.py";
  Peers& all = peers();
  all.process = fork();
  if (all.process < 0) fail("no process could be started");
  if (all.process == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execlp(python.c_str(), python.c_str(), script.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  all.to = fdopen(to[1], "w");
  all.from = fdopen(from[0], "r");
  const nlohmann::json found = parse_json(read_line(), "answer of the peers");
  kill(all.process, SIGSTOP);
  for (const auto& [name, version] : found.items()) {
    all.names.push_back(name);
    fmt::print(stderr, "peer {}: {}\n", name, version.get<std::string>());
  }
  if (all.names.empty())
    fmt::print(stderr, "peers: none; this Python has no torch and no onnxruntime\n");
}

void stop_peers() {
  Peers& all = peers();
  if (all.process < 0) return;
  kill(all.process, SIGCONT);
  std::fclose(all.to);  // the script ends where its input does
  std::fclose(all.from);
  waitpid(all.process, nullptr, 0);
  all = Peers{};
}

const std::vector<std::string>& peer_names() {
  return peers().names;
}

std::optional<double> peer_seconds(const std::string& peer, const PeerCase& peer_case) {
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
  const auto [entry, is_new] = peers().known.try_emplace(request.dump());
  if (!is_new) return entry->second;
  const nlohmann::json answer = ask(request);
  if (answer.contains("seconds")) entry->second = answer["seconds"].get<double>();
  return entry->second;
}

}  // namespace attn::bench
