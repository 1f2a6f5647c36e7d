// SPDX-License-Identifier: GPL-3.0-or-later
// That the bundled model predicts the repetition of a sentence well, also without two random heads,
// but not without its two induction heads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/explore/next_token.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

// Mean log-probabilities of tokens, in nats, given the tokens before them.
struct Foreseen {
  double first = 0;  // tokens of a sentence when it comes for the first time
  double repeat = 0;
};

Foreseen foreseen_without(const std::vector<Intervention>& interventions) {
  const std::shared_ptr<Model> model = bundled_model();
  Foreseen mean;
  double firsts = 0, repeats = 0;
  for (const std::string sentence : {"Lily had a red kite and Tom had a green drum.",
                                     "The bird sang to the frog near the old gate.",
                                     "Max found seven shiny coins under the purple mat.",
                                     "Sue gave her blue hat to a sad bear today."}) {
    const auto once = static_cast<int64_t>(model->encode(sentence).size());
    const ExploredRun run = run_of(model, model->encode(sentence + " " + sentence), interventions);
    Pool pool;
    std::vector<PastToken> past;
    EXPECT_TRUE(
        past_tokens(*model, *run.residual, run.tokens, 0, run.num_tokens(), past, pool.execution));
    for (const PastToken& token : past) {
      if (token.position < once) mean.first += token.log_probability, ++firsts;
      if (token.position > once) mean.repeat += token.log_probability, ++repeats;
    }
  }
  return {mean.first / firsts, mean.repeat / repeats};
}

TEST(InductionHeads, WithoutThemARepeatIsNotForeseen) {
  const Foreseen whole = foreseen_without({}),
                 without = foreseen_without({head_off(4, 2), head_off(4, 3)});
  EXPECT_GT(whole.repeat, -0.3);
  EXPECT_LT(without.repeat, -2.5);
  EXPECT_NEAR(without.first, whole.first, 0.3);
  Rng rng(1);
  double least = 0, sum = 0;
  constexpr int kPairs = 10;
  for (int pair = 0; pair < kPairs; ++pair) {
    std::vector<Intervention> two;
    while (two.size() < 2) {
      const Intervention off =
          head_off(static_cast<int64_t>(rng.below(6)), static_cast<int64_t>(rng.below(6)));
      const bool is_induction = off.layer == 4 && (off.head == 2 || off.head == 3);
      if (!is_induction && std::ranges::find(two, off) == two.end()) two.push_back(off);
    }
    const double repeat = foreseen_without(two).repeat;
    EXPECT_GT(repeat, -1) << "without heads " << two[0].layer << "." << two[0].head << " and "
                          << two[1].layer << "." << two[1].head;
    least = std::min(least, repeat);
    sum += repeat;
  }
  RecordProperty(
      "figures",
      fmt::format("repeat {:.2f}, without 4.2 and 4.3 {:.2f}, without two others {:.2f} on "
                  "average, {:.2f} at worst; first time {:.2f} and {:.2f}",
                  whole.repeat, without.repeat, sum / kPairs, least, whole.first, without.first));
}

}  // namespace
}  // namespace attn
