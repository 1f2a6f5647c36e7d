// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of sessions: scenarios of the bundled model and of synthetic sources, waiting, and a
// temporary folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "backends/register_all.h"
#include "engine/session/run/engine.h"

namespace attn::test {

inline Scenario model_scenario(const std::vector<std::string>& prompts, int64_t max_tokens) {
  register_all_backends();
  Scenario scenario;
  scenario.title = "test";
  scenario.source.model = std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa";
  for (const std::string& prompt : prompts) {
    ScenarioRequest request;
    request.prompt = prompt;
    request.max_tokens = max_tokens;
    scenario.requests.push_back(request);
  }
  scenario.engine.threads = 2;
  return scenario;
}

inline Scenario synthetic_scenario(const std::vector<int64_t>& prompt_tokens, int64_t max_tokens) {
  register_all_backends();
  Scenario scenario;
  scenario.title = "test";
  scenario.source.synthetic.emplace();
  scenario.source.synthetic->num_layers = 2;
  scenario.source.synthetic->num_heads = 4;
  scenario.source.synthetic->num_kv_heads = 2;
  scenario.source.synthetic->head_size = 32;
  for (const int64_t tokens : prompt_tokens) {
    ScenarioRequest request;
    request.prompt_tokens = tokens;
    request.max_tokens = max_tokens;
    scenario.requests.push_back(request);
  }
  scenario.engine.threads = 2;
  return scenario;
}

// Calls `done` until it returns true. Returns the milliseconds that this took, or -1 if it still
// returned false after `limit`.
template <class Done>
double wait_until(std::chrono::milliseconds limit, Done&& done) {
  const auto begin = std::chrono::steady_clock::now();
  while (!done()) {
    if (std::chrono::steady_clock::now() - begin > limit) return -1;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

// Some tests multiply sleeps and strides of loops by this factor, because a build with a sanitizer
// is slow.
#ifdef ATTN_SANITIZED
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif

// A new folder, removed by the destructor.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
    std::string name = (in / "attn-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace attn::test
