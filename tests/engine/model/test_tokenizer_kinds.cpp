// SPDX-License-Identifier: GPL-3.0-or-later
// That tokenizers of several kinds give the ids and texts of the `tokenizers` library
// (tests/golden/tokenizer/kinds). Also Pattern, the expressions that cut texts: what they match,
// that this takes linear time, and which ones are refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/model/tokenizer/pattern/pattern.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"
#include "engine/model/tokenizer/tokenizer_parse.h"
#include "tests/engine/model/expect_error.h"

namespace attn {
namespace {

using KindJson = nlohmann::json;
const std::filesystem::path kKinds =
    std::filesystem::path(ATTN_SOURCE_DIR) / "tests/golden/tokenizer/kinds";

KindJson read_kind(const std::string& name) {
  return KindJson::parse(read_text_file(kKinds / (name + ".json"), 1 << 24));
}

Tokenizer tokenizer_of(const KindJson& kind) {
  return parse_tokenizer(kind["tokenizer"].dump(), "tokenizer.json");
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kKinds))
    if (entry.path().stem() != "texts") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class TokenizerKinds : public testing::TestWithParam<std::string> {};

TEST_P(TokenizerKinds, EncodesAndDecodesAsTheLibrary) {
  const KindJson kind = read_kind(GetParam()), texts = read_kind("texts");
  const Tokenizer tokenizer = tokenizer_of(kind);
  ASSERT_EQ(kind["ids"].size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto text = texts[i].get<std::string>();
    const auto ids = kind["ids"][i].get<std::vector<int32_t>>();
    EXPECT_EQ(tokenizer.encode(text), ids) << i << ": " << texts[i];
    const KindJson &decoded = kind["decoded"][i], &without = kind["without_special"][i];
    const std::string whole = decoded.is_null() ? text : decoded.get<std::string>();
    EXPECT_EQ(tokenizer.decode(ids, false), whole) << i << ": " << texts[i];
    EXPECT_EQ(tokenizer.decode(ids, true), without.is_null() ? whole : without.get<std::string>())
        << i << ": " << texts[i];
  }
}

TEST_P(TokenizerKinds, LabelsAndBytesThatAreNotUtf8) {
  const Tokenizer tokenizer = tokenizer_of(read_kind(GetParam()));
  for (int32_t token = -1; token <= tokenizer.vocab_size(); ++token) tokenizer.token_text(token);
  for (const int32_t id : tokenizer.encode("a\xff\xc3 b\xe4\xbb")) {
    EXPECT_GE(id, 0);
    EXPECT_LT(id, tokenizer.vocab_size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, TokenizerKinds, testing::ValuesIn(kind_names()),
                         [](const auto& test) { return test.param; });

// An algorithm of quadratic time would make this test very slow.
TEST(TokenizerLongRuns, AreEncodedAtAll) {
  for (const char* name : {"gpt2", "llama3", "o200k", "deepseek", "bert", "t5"}) {
    const Tokenizer tokenizer = tokenizer_of(read_kind(name));
    for (const char* unit : {"a", " ", "1", "\n", "A"}) {
      std::string text;
      while (text.size() < 50'000) text += unit;
      EXPECT_GT(tokenizer.encode(text).size(), 0u) << name << " " << unit;
    }
  }
}

std::vector<std::string> matches_of(const char* pattern, std::string_view text) {
  const Pattern compiled{std::string_view(pattern)};
  PatternMatches matches(compiled, text);
  std::vector<std::string> found;
  for (size_t begin = 0, end = 0; matches.next(begin, end);)
    found.emplace_back(text.substr(begin, end - begin));
  return found;
}

TEST(Pattern, MatchesAsOniguruma) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(matches_of("a|ab|abc", "abc"), (Texts{"a"}));
  EXPECT_EQ(matches_of("(?:ab|a)(?:bc|c)?", "abcabbc"), (Texts{"abc", "abbc"}));
  EXPECT_EQ(matches_of("(?>a+)ab", "aaab"), (Texts{}));
  EXPECT_EQ(matches_of("a*+a|b", "aab"), (Texts{"b"}));
  EXPECT_EQ(matches_of("\\d{1,3}+", "12345 1"), (Texts{"12345", "1"}));  // a repeated repetition
  EXPECT_EQ(matches_of("(?<=a)b|(?<!a)c", "abbcac"), (Texts{"b", "c"}));
  EXPECT_EQ(matches_of("(?i:'S)", "'s'S'\u017f"), (Texts{"'s", "'S", "'\u017f"}));
  EXPECT_EQ(matches_of("[a-c&&[^b]]+", "abca"), (Texts{"a", "ca"}));
  EXPECT_EQ(matches_of("[^(\\s|[.,])]+", "a(b.c d"), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(matches_of("\\w+", "a\u00b2 _\u0301"), (Texts{"a\u00b2", "_\u0301"}));
  EXPECT_EQ(matches_of("[\\w]+", "a\u00b2"), (Texts{"a"}));
  EXPECT_EQ(matches_of("(?=(\\d{3})+(?!\\d))", "12345"), (Texts{""}));
  EXPECT_EQ(matches_of("\\s+(?!\\S)|\\s+", "a   b "), (Texts{"  ", " ", " "}));
  EXPECT_EQ(matches_of("[^a]", "\xff"), (Texts{"\xff"}));
}

// A matcher that only backtracks takes exponential or quadratic time here.
TEST(Pattern, TakesLinearTime) {
  const std::string run(50'000, 'a'), digits(50'000, '1');
  EXPECT_EQ(matches_of("(?:a+)+b|a", run).size(), run.size());
  EXPECT_EQ(matches_of("(?:a|aa)+b|a", run).size(), run.size());
  EXPECT_EQ(matches_of("(?=a*b)|a", run).size(), run.size());
  EXPECT_EQ(matches_of("(?=(\\d{3})+(?!\\d))", digits).size(), digits.size() / 3);
  expect_refused({kBad, "takes too many steps", "tokenizer", "50000 bytes", ""},
                 [&] { matches_of("(?>a+)b|a", run); });
}

TEST(Pattern, RefusesWhatItDoesNotKnow) {
  const auto problem = [](const char* pattern) -> std::string {
    try {
      const Pattern compiled{std::string_view(pattern)};
    } catch (const PatternError& error) {
      return (error.is_broken() ? "broken: " : "") + std::string(error.what()) + " at " +
             std::to_string(error.at());
    }
    return "";
  };
  EXPECT_EQ(problem("ab("), "broken: a bracket is not closed at 2");
  EXPECT_EQ(problem("a)"), "broken: a bracket is closed that is not open at 1");
  EXPECT_EQ(problem("[a"), "broken: a set is not closed at 1");
  EXPECT_EQ(problem("*"), "broken: nothing stands before a repetition at 0");
  EXPECT_EQ(problem("[b-a]"), "broken: a range of characters ends before it begins at 1");
  EXPECT_EQ(problem("a\\"), "broken: the pattern ends too early at 2");
  EXPECT_EQ(problem("(a)\\1"), "\\1 at 4");
  EXPECT_EQ(problem("\\p{Nothing}"), "the property \\p{Nothing} at 2");
  EXPECT_EQ(problem("(?<name>a)"), "a group of this kind at 0");
  EXPECT_EQ(problem("(a?)*"), "a repetition of what may be empty at 4");
  EXPECT_EQ(problem("(?<=a+)b"), "looking behind over a number of characters that varies at 4");
  EXPECT_EQ(problem("a{1001}"), "more than 1000 repetitions at 2");
  EXPECT_EQ(problem("(?:(?:a{100}){100}){100}"), "more than 10000 steps at 6");
  EXPECT_EQ(problem(std::string(100, '(').c_str()), "more than 32 nested groups at 33");
  EXPECT_EQ(problem(std::string(100, '[').c_str()), "more than 32 nested sets at 33");
}

}  // namespace
}  // namespace attn
