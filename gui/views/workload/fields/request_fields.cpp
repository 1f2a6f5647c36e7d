// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/request_fields.h"

#include "gui/models/text.h"

namespace attn::gui {
namespace {

bool searches_beams(const Scenario&, const ScenarioRequest& r) {
  return r.beam_width > 1;
}
bool samples_tokens(const Scenario&, const ScenarioRequest& r) {
  return r.sampling.temperature > 0;
}

FieldSpec prompt_length_field() {
  FieldSpec spec =
      number_field(tr("Prompt length"), tr("tokens"), tr("Number of tokens of the prompt."),
                   "$.requests[].prompt_tokens", &ScenarioRequest::prompt_tokens);
  spec.matters = [](const Scenario& s, const ScenarioRequest&) { return !s.source.reads_text(); };
  return spec;
}

FieldSpec encoder_length_field() {
  FieldSpec spec =
      number_field(tr("Encoder length"), tr("tokens"),
                   tr("Number of tokens of the encoder. In cross attention the tokens of the "
                      "request read the keys of these tokens."),
                   "$.requests[].encoder_tokens", &ScenarioRequest::encoder_tokens);
  spec.matters = [](const Scenario& s, const ScenarioRequest&) {
    return s.attention.type == AttentionType::kEncoderDecoder && !s.source.reads_text();
  };
  return spec;
}

FieldSpec max_tokens_field() {
  FieldSpec spec =
      number_field(tr("Max new tokens"), tr("tokens"),
                   tr("The request ends at the latest after this many generated tokens."),
                   "$.requests[].max_tokens", &ScenarioRequest::max_tokens);
  // An encoder's request has one new token; the number cannot be chosen.
  spec.matters = decodes;
  return spec;
}

std::vector<FieldSpec> sampling_fields() {
  FieldSpec temperature =
      number_field(tr("Temperature"), tr("0 greedy"),
                   tr("At 0 the most likely token is taken; the higher the temperature, the more "
                      "often a less likely token is sampled."),
                   "$.requests[].temperature", &SamplingParams::temperature);
  temperature.matters = [](const Scenario& s, const ScenarioRequest&) { return !s.source.tensors; };
  FieldSpec top_k =
      number_field(tr("Top-k"), tr("0 all"),
                   tr("Only the k most likely tokens can be sampled. 0 means all tokens."),
                   "$.requests[].top_k", &SamplingParams::top_k);
  FieldSpec top_p =
      number_field(tr("Top-p"), {},
                   tr("Only the most likely tokens can be sampled: as few as together have at "
                      "least this probability."),
                   "$.requests[].top_p", &SamplingParams::top_p);
  FieldSpec seed =
      number_field(tr("Seed"), {}, tr("The seed of the random numbers that sample the tokens."),
                   "$.requests[].seed", &SamplingParams::seed);
  seed.least = 0;
  for (FieldSpec* spec : {&top_k, &top_p, &seed}) spec->matters = samples_tokens;
  return {temperature, top_k, top_p, seed};
}

FieldSpec arrival_field() {
  FieldSpec spec = number_field(
      tr("Arrives after"), tr("s"),
      tr("The request arrives this many seconds after the run begins, on the run's clock."),
      "$.requests[].arrival_s", &ScenarioRequest::arrival_s);
  spec.matters = [](const Scenario& s, const ScenarioRequest&) {
    return s.arrivals.kind == ArrivalKind::kListed;
  };
  return spec;
}

FieldSpec early_stopping_field() {
  FieldSpec spec{
      .name = tr("Early stopping"),
      .unit = {},
      .meaning = tr("On: the search ends at the latest when it has as many finished texts as "
                    "beams. Off: it can go on while a better text may still be found."),
      .path = "$.requests[].early_stopping"};
  spec.options = {{tr("off"), "off"}, {tr("on"), "on"}};
  spec.word = [](const Scenario&, const ScenarioRequest& r) {
    return std::string(r.early_stopping ? "on" : "off");
  };
  spec.set_word = [](Scenario&, ScenarioRequest& r, const std::string& value) {
    r.early_stopping = value == "on";
  };
  spec.matters = searches_beams;
  return spec;
}

// Fields of requests that write several texts from one prompt.
std::vector<FieldSpec> search_fields() {
  FieldSpec samples =
      number_field(tr("Samples"), {},
                   tr("Number of texts that are sampled from this prompt (n). They share the "
                      "blocks of the prompt. Text i (from 0) is sampled with seed + i."),
                   "$.requests[].n", &ScenarioRequest::n);
  FieldSpec beams =
      number_field(tr("Beams"), tr("1 none"),
                   tr("Beam search continues this many texts, the most likely ones, and drops the "
                      "others. It does not sample, so the temperature must be 0."),
                   "$.requests[].beam_width", &ScenarioRequest::beam_width);
  FieldSpec penalty =
      number_field(tr("Length penalty"), {},
                   tr("The score of a finished beam is its log-probability ÷ (number of new "
                      "tokens)^penalty. A penalty above 0 favours longer texts."),
                   "$.requests[].length_penalty", &ScenarioRequest::length_penalty);
  for (FieldSpec* spec : {&samples, &beams}) spec->matters = decodes;
  penalty.matters = searches_beams;
  return {samples, beams, penalty, early_stopping_field()};
}

FieldSpec priority_field() {
  return number_field(tr("Priority"), tr("low first"),
                      tr("Requests with a smaller number are admitted first and preempted last. "
                         "Requests with equal numbers are ordered by arrival."),
                      "$.requests[].priority", &ScenarioRequest::priority);
}

}  // namespace

std::vector<FieldSpec> request_fields() {
  std::vector<FieldSpec> all{prompt_length_field(), encoder_length_field(), max_tokens_field()};
  for (FieldSpec& spec : sampling_fields()) all.push_back(std::move(spec));
  all.push_back(arrival_field());
  for (FieldSpec& spec : search_fields()) all.push_back(rare(std::move(spec)));
  all.push_back(rare(priority_field()));
  return all;
}

}  // namespace attn::gui
