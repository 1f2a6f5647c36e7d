// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of texts of about a million bytes with the tokenizer of the bundled model.
#include <fmt/format.h>

#include <vector>

#include "bench/attention_bench.h"
#include "engine/model/tokenizer/tokenizer.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "engine/session/scenario/scenario.h"

namespace attn::bench {
namespace {

constexpr size_t kBytes = 1'000'000;

void encode(benchmark::State& state, const std::string& unit) {
  const Tokenizer tokenizer = tokenizer_of_folder(find_model("tinystories-gqa"));
  std::string text;
  while (text.size() < kBytes) text += unit;
  size_t tokens = 0;
  Work work;
  work.counter = "achieved_gbps";
  work.limit = Limit::kRead;
  work.amount = 1e-9 * static_cast<double>(text.size());
  const double seconds = measure(
      state, [&] { tokens = tokenizer.encode(text).size(); }, work);
  state.counters["encode_ms"] = seconds * 1e3;
  state.counters["text_tokens"] = static_cast<double>(tokens);
}

}  // namespace

void register_tokenizer() {
  for (const auto& [name, unit] :
       {std::pair{"a", "a"},
        {"spaces", " "},
        {"words", " a"},
        {"emoji", "\U0001f600"},
        {"story", "Once upon a time there was a little girl called Lily. "}})
    add_row(fmt::format("tokenizer/encode/{}/B{}", name, kBytes),
            [unit = std::string(unit)](benchmark::State& state) { encode(state, unit); });
}

}  // namespace attn::bench
