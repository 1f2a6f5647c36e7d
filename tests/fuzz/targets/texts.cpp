// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `texts`: a file of texts for the scores of heads, one a line.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/core/utf8.h"
#include "engine/explore/texts/head_texts.h"
#include "engine/explore/texts/token_pair.h"
#include "engine/model/load_model.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

// Takes pairs of tokens from the texts, and runs some of the texts on a small model.
void use_texts(const std::vector<std::string>& texts) {
  constexpr size_t kSome = 3;
  static const std::shared_ptr<Model> model = [] {
    register_all_backends();
    return load_model(FamilyCase("llama_1").write());
  }();
  Scenario scenario;
  scenario.engine.backend = "unified";
  scenario.engine.pad_head_size = true;
  scenario.engine.threads = 1;
  const std::vector<std::string> some(
      texts.begin(), texts.begin() + static_cast<ptrdiff_t>(std::min(texts.size(), kSome)));
  for (const std::string& text : some) try {
      const auto [a, b] = token_pair(*model, text + ",ab,1", "pair");
      if (a == b) throw std::logic_error("a pair has one token twice");
    } catch (const Error&) {
    }
  const auto scores = score_texts(scenario, model, some);
  const SourceShape& shape = model->shape();
  if (!scores || scores->texts != std::ssize(some) ||
      std::ssize(scores->heads) != shape.num_layers * shape.num_heads)
    throw std::logic_error("texts that ran have no scores");
}

bool run_texts(std::string_view bytes) {
  static ScratchFile input(scratch_folder() / "texts.txt");
  input.put(bytes);
  try {
    const std::vector<std::string> texts = read_texts(input.path());
    if (texts.empty() || std::ssize(texts) > kMostTexts)
      throw std::logic_error("a file of texts has none, or too many");
    for (const std::string& text : texts)
      if (text.empty() || std::ssize(text) > kMostTextBytes || !is_utf8(text))
        throw std::logic_error("a text is empty, too long, or not UTF-8");
    if (is_one_of(bytes, 16)) use_texts(texts);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string change_texts(std::string_view bytes, Random& random) {
  std::string text(bytes);
  if (text.empty()) return "a\n";
  const size_t at = below(random, text.size()),
               size = 1 + below(random, std::min<size_t>(text.size() - at, 40));
  const std::string part = text.substr(at, size);
  switch (below(random, 5)) {
    case 0:
      text.erase(at, size);
      break;
    case 1:
      text.insert(at, part);
      break;
    case 2:
      for (size_t times = below(random, 200); times > 0; --times) text += part;
      break;
    case 3:
      text.replace(at, 1, below(random, 2) ? "\n" : "\r\n");
      break;
    default:
      text[at] = static_cast<char>(random());
  }
  if (text.size() > 4096) text.resize(4096);
  return text;
}

std::vector<Seed> texts_seeds() {
  return {{"tokens", "ab\nab a\na, b\n"},
          {"two-lines", "One day a cat sat.\nThe dog ran.\n"},
          {"marks",
           "\xEF\xBB\xBF"
           "a\r\n\r\n \xc3\xa4\xe2\x96\x81\xf0\x9f\x98\x80\n\tb"},
          {"shipped", test::read_bytes(shipped_texts()).substr(0, 2000)}};
}

}  // namespace

const Target kTextsTarget = {"texts", run_texts, change_texts, texts_seeds};

}  // namespace attn::fuzz
