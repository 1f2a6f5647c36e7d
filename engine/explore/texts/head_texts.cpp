// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/texts/head_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/input_file.h"
#include "engine/core/utf8.h"
#include "engine/explore/explored_run.h"
#include "engine/session/record/head_reader.h"

namespace attn {
namespace {

constexpr uint64_t kMostBytes = uint64_t{16} << 20;  // of a file of texts

Scenario alone(const Scenario& settings) {
  Scenario scenario = settings;
  scenario.engine.enable_prefix_caching = false;
  scenario.engine.num_swap_blocks = 0;
  scenario.engine.preemption = PreemptionMode::kRecompute;
  scenario.engine.policy = SchedulingPolicy::kPrefillFirst;
  scenario.engine.clock = ClockKind::kReal;
  scenario.engine.watermark = 0;
  scenario.engine.use_captured_plan = false;
  scenario.arrivals = {};
  ScenarioRequest one;
  one.prompt = "-";  // the tokens are given
  one.max_tokens = 1;
  scenario.requests = {one};
  return scenario;
}

class HeadTotal {
 public:
  void add(const HeadReading& reading) {
    const HeadScores& of = reading.scores;
    entropy_.add(of.entropy_nats, of.rows);
    relative_.add(of.relative_entropy, of.relative_rows);
    first_.add(of.first_share, of.first_rows);
    previous_.add(of.previous, of.previous_rows);
    induction_.add(of.induction, of.induction_rows);
    duplicate_.add(of.duplicate, of.duplicate_rows);
    // The distance is a mean over all weights, not over rows.
    has_distance_ |= of.distance_tokens.has_value();
    for (size_t row = 0; row < reading.rows.size(); ++row) {
      if (!reading.read[row]) continue;
      mass_ += reading.rows[row].mass;
      distance_ += reading.rows[row].distance_tokens;
      squared_ += reading.rows[row].squared_distance;
    }
  }
  HeadScores scores() const {
    HeadScores scores;
    scores.rows = entropy_.rows;
    scores.relative_rows = relative_.rows;
    scores.first_rows = first_.rows;
    scores.previous_rows = previous_.rows;
    scores.induction_rows = induction_.rows;
    scores.duplicate_rows = duplicate_.rows;
    scores.entropy_nats = entropy_.mean();
    scores.relative_entropy = relative_.mean();
    scores.first_share = first_.mean();
    scores.previous = previous_.mean();
    scores.induction = induction_.mean();
    scores.duplicate = duplicate_.mean();
    // As in HeadScoreSum: a NaN stays, and only a sum of 0 gives no mean.
    if (has_distance_ && mass_ != 0) {
      const double distance = distance_ / mass_;
      const double variance = squared_ / mass_ - distance * distance;
      scores.distance_tokens = distance;
      scores.distance_variance = variance < 0 ? 0 : variance;
    }
    return scores;
  }

 private:
  struct Mean {
    double sum = 0;
    int64_t rows = 0;
    void add(const std::optional<double>& of_text, int64_t count) {
      if (!of_text) return;
      sum += *of_text * static_cast<double>(count);
      rows += count;
    }
    std::optional<double> mean() const {
      return rows > 0 ? std::optional(sum / static_cast<double>(rows)) : std::nullopt;
    }
  };
  Mean entropy_, relative_, first_, previous_, induction_, duplicate_;
  bool has_distance_ = false;
  double mass_ = 0, distance_ = 0, squared_ = 0;
};

}  // namespace

std::filesystem::path shipped_texts() {
  return assets_folder() / "texts/stories.txt";
}

std::vector<std::string> read_texts(const std::filesystem::path& file) {
  const InputFile input = InputFile::open(file, "a text file");
  const auto refuse = [&](const char* what, std::string found, std::string allowed) {
    throw_bad_input({what, file.string(), std::move(found), std::move(allowed),
                     "Each line of the file is a text"});
  };
  if (input.size() > kMostBytes)
    refuse("the file of texts is too large", fmt::format("{} bytes", input.size()),
           fmt::format("at most {}", kMostBytes));
  std::string all(input.size(), '\0');
  input.read(0, all.data(), all.size());
  if (!is_utf8(all) || all.find('\0') != std::string::npos)
    refuse("this is not a text file", "bytes that are not text", "UTF-8");
  std::vector<std::string> texts;
  int64_t number = 0;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find('\n', begin), all.size());
    std::string line = all.substr(begin, end - begin);
    ++number;
    if (std::ssize(line) > kMostTextBytes)
      refuse("a text is too long", fmt::format("line {} has {} bytes", number, line.size()),
             fmt::format("at most {} bytes in a line", kMostTextBytes));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) texts.push_back(std::move(line));
    begin = end + 1;
  }
  if (texts.empty()) refuse("the file has no text", "only empty lines", "a text on each line");
  if (std::ssize(texts) > kMostTexts)
    refuse("there are too many texts", fmt::format("{}", texts.size()),
           fmt::format("at most {}", kMostTexts));
  return texts;
}

std::optional<TextScores> score_texts(const Scenario& settings,
                                      const std::shared_ptr<Source>& source,
                                      const std::vector<std::string>& texts,
                                      const std::function<void(double)>& progress, RunGate* gate) {
  const SourceShape& shape = source->shape();
  if (shape.num_encoder_layers() > 0)
    throw Error::not_supported(
        {"a model with an encoder and a decoder reads two texts, but a line of the file is one "
         "text; "
         "scores over texts need a model that reads one"});
  const Scenario scenario = alone(settings);
  std::vector<HeadTotal> totals(static_cast<size_t>(shape.num_layers * shape.num_heads));
  TextScores result;
  const auto cancelled = [gate] { return gate && gate->cancelled(); };
  const int64_t most = std::max<int64_t>(1, std::min(kMostTextTokens, shape.max_model_len - 1));
  result.longest = most;
  for (size_t i = 0; i < texts.size(); ++i) {
    std::vector<int32_t> ids = source->encode(texts[i]);
    if (ids.empty())
      throw_bad_input({.what = "the model's tokenizer makes no token of a text",
                       .where = fmt::format("text {} of {}", i + 1, texts.size()),
                       .found = fmt::format("{} bytes, no token", texts[i].size()),
                       .allowed = "a text with at least one token",
                       .advice = "Take this line out of the file"});
    const auto kept = std::min(ids.size(), static_cast<size_t>(most));
    if (kept < ids.size()) ++result.cut;
    ids.resize(kept);
    const auto run = explore(scenario, source, {{ids, {}}}, gate);
    if (!run || cancelled()) return std::nullopt;
    const RepeatedTokens repeated = repeated_tokens(run->tokens);
    for (size_t head = 0; head < totals.size(); ++head) {
      HeadReading reading;
      const auto at = static_cast<int64_t>(head);
      if (!read_head(
              *run->attention, at / shape.num_heads, at % shape.num_heads, run->num_tokens(),
              repeated, [&] { return cancelled(); }, reading))
        return std::nullopt;
      totals[head].add(reading);
    }
    ++result.texts;
    result.tokens += run->num_tokens();
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(texts.size()));
  }
  for (const HeadTotal& total : totals) result.heads.push_back(total.scores());
  return result;
}

}  // namespace attn
