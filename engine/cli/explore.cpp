// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "engine/cli/commands.h"
#include "engine/cli/model/one_model.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/output_file.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/core/program/standard_streams.h"
#include "engine/core/utf8.h"
#include "engine/explore/attribution.h"
#include "engine/explore/explored_run.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/texts/token_pair.h"
#include "engine/explore/written.h"
#include "engine/model/files/safetensors.h"
#include "engine/session/run/engine.h"

namespace attn::cli {
namespace {

CommandSpec explore_spec() {
  return {
      "attn explore",
      "Runs a prompt through a model and writes what each part contributes, and what happens "
      "without it.",
      {},
      {{"--model", "DIR", "model folder or the name of a bundled model"},
       {"--prompt", "TEXT", "the prompt"},
       {"--max-tokens", "N", "number of new tokens, always the most likely one; default 1"},
       {"--knock-out", "L.H[=0|mean|sink]",
        "replace the output of head H of layer L by zero, or by its mean over the prompt; sink: "
        "its\nlearned sink leaves its softmax. May be given several times",
        true},
       {"--cut", "L.H.q.k",
        "head H of layer L: the query at position q does not see the key at position k; may be "
        "given several times",
        true},
       {"--pair", "A,B",
        "the two tokens whose logits are compared at the last position, each as its id or its "
        "text\n(\" dog, cat\"); default: the two most likely ones"},
       {"--backend", "NAME", "attention backend; default torch_sdpa"},
       {"--pad-head-size", "",
        "if the backend lacks the head size: pad with zeros to the next that it has"},
       {"--threads", "N", "worker threads; default: one for each hardware thread"},
       {"--dump", "FILE", "the safetensors file that is written"}},
      "The file has, for N new tokens, T computed tokens (the prompt and all new ones but the "
      "last), "
      "V tokens of the vocabulary and residual width d: logits [N, V]; residual.embed, "
      "residual.<l>.mid, residual.<l>.post [T, d]; lens.<l> [T, V]; head_out.<l> [H, T, d]; "
      "attribution [L, H], attribution.mlp [L], attribution.embed [1]; written.<l> [H, q, k]. "
      "See docs/explore.md."};
}

// The `count` whole numbers of a text such as "2.0.7.3", each 0 or more.
std::vector<int64_t> numbers_of(const std::string& text, size_t count, const char* option,
                                const char* form) {
  std::vector<int64_t> numbers;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('.', begin), text.size());
    const auto number = whole_number(text.substr(begin, end - begin));
    if (!number || *number < 0) break;
    numbers.push_back(*number);
    if (end == text.size() && numbers.size() == count) return numbers;
    begin = end + 1;
  }
  throw_bad_input({"the value cannot be read", fmt::format("attn explore {}", option),
                   quote_text(text), fmt::format("{}, whole numbers from 0", form), ""});
}

std::vector<Intervention> interventions_of(const Options& options) {
  std::vector<Intervention> list;
  for (std::string text : options.texts("--knock-out")) {
    Intervention what;
    if (const size_t equal = text.find('='); equal != std::string::npos) {
      const std::string with = text.substr(equal + 1);
      if (with != "0" && with != "mean" && with != "sink")
        throw_bad_input({"a head cannot be replaced by this", "attn explore --knock-out",
                         quote_text(with), "0, mean, sink", ""});
      if (with == "mean") what.with = Replacement::kMean;
      if (with == "sink") what.kind = InterventionKind::kSink;
      text.resize(equal);
    }
    // Accepts a head as L4H2 too.
    if (const size_t h = text.find('H'); text.starts_with('L') && h != std::string::npos) {
      text[h] = '.';
      text.erase(0, 1);
    }
    const auto at = numbers_of(text, 2, "--knock-out", "L.H, L.H=0, L.H=mean or L.H=sink");
    what.layer = at[0];
    what.head = at[1];
    for (const Intervention& other : list)
      if (other.layer == what.layer && other.head == what.head)
        throw_bad_input({"a head is named twice", "attn explore --knock-out",
                         fmt::format("{} and {}", text_of(other), text_of(what)), "each head once",
                         ""});
    list.push_back(what);
  }
  for (const std::string& text : options.texts("--cut")) {
    const auto at = numbers_of(text, 4, "--cut", "L.H.q.k");
    Intervention what;
    what.kind = InterventionKind::kEdge;
    what.layer = at[0];
    what.head = at[1];
    what.query = at[2];
    what.key = at[3];
    if (std::ranges::find(list, what) != list.end())
      throw_bad_input(
          {"an edge is named twice", "attn explore --cut", quote_text(text), "each edge once", ""});
    list.push_back(what);
  }
  return list;
}

class Dump {
 public:
  Tensor& add(std::string name, const Shape& shape) {
    names_.push_back(std::move(name));
    return *tensors_.emplace_back(std::make_unique<Tensor>(DType::kF32, shape));
  }
  void add(std::string name, const Shape& shape, const auto& values) {
    float* to = add(std::move(name), shape).template data<float>();
    for (const auto value : values) *to++ = static_cast<float>(value);
  }
  void write(const std::string& file, const std::map<std::string, std::string>& about) const {
    std::vector<NamedTensor> named;
    for (size_t i = 0; i < names_.size(); ++i) named.push_back({names_[i], tensors_[i].get()});
    write_safetensors(file, named, about);
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<Tensor>> tensors_;
};

// Checks that memory suffices for what --dump writes. keys: the most keys of a query.
void ask_dump_memory(const SourceShape& shape, int64_t width, int64_t tokens, int64_t keys,
                     int64_t new_tokens) {
  const auto number = [](int64_t x) { return static_cast<double>(x); };
  const double t = number(tokens), layers = number(shape.num_layers - shape.num_encoder_layers()),
               heads = number(shape.num_heads);
  const double floats = number(new_tokens) * number(shape.vocab_size) +
                        t * ((1 + 2 * layers) * number(width) + layers * number(shape.vocab_size) +
                             layers * heads * (number(width) + number(keys)));
  ask_memory({.bytes = 4 * floats,
              .what = "the file of --dump does not fit in memory",
              .where = "attn explore",
              .found = fmt::format(
                  "{} for {} tokens, {} layers, {} heads, residual width {} and {} "
                  "tokens of the vocabulary",
                  bytes_text(4 * floats), tokens, shape.num_layers - shape.num_encoder_layers(),
                  shape.num_heads, width, shape.vocab_size),
              .advice = "Use a shorter prompt or fewer new tokens"});
}

void add_residual(const ExploredRun& run, Dump& dump) {
  const ResidualRecord& record = *run.residual;
  const int64_t tokens = run.num_tokens();
  const auto add = [&](std::string name, ResidualSite site, int64_t layer) {
    Tensor& rows = dump.add(std::move(name), {tokens, record.shape().width});
    record.read(site, layer, 0, tokens, rows.data<float>());
  };
  add("residual.embed", ResidualSite::kEmbed, 0);
  for (int64_t layer = record.shape().first_layer; layer < record.shape().num_layers; ++layer) {
    add(fmt::format("residual.{}.mid", layer), ResidualSite::kMid, layer);
    add(fmt::format("residual.{}.post", layer), ResidualSite::kPost, layer);
  }
}

void add_layers(const ExploredRun& run, Dump& dump, const Execution& execution) {
  Model& model = run.model();
  const Network network = model.network();
  const SourceShape& shape = model.shape();
  const int64_t tokens = run.num_tokens();
  for (int64_t layer = shape.num_encoder_layers(); layer < shape.num_layers; ++layer) {
    const int64_t keys = run.attention->key_columns(layer, tokens);
    Tensor& lens = dump.add(fmt::format("lens.{}", layer), {tokens, shape.vocab_size});
    lens_logits(model, *run.residual, {ResidualSite::kPost, layer}, 0, tokens, lens, execution);
    dump.add(fmt::format("head_out.{}", layer), {shape.num_heads, tokens, network.width},
             head_outputs(network, *run.residual, layer, 0, tokens));
    float* to =
        dump.add(fmt::format("written.{}", layer), {shape.num_heads, tokens, keys}).data<float>();
    for (int64_t head = 0; head < shape.num_heads; ++head)
      to = std::ranges::copy(written(network, *run.attention, layer, head,
                                     Written::kWeightTimesOutput, 0, tokens, 0, keys),
                             to)
               .out;
  }
}

}  // namespace

int command_explore(const Words& words) try {
  const Options options(explore_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(explore_spec()));
    return 0;
  }
  const std::string dump_file = options.required_text("--dump");
  check_output_place("--dump", dump_file);
  Scenario scenario;
  scenario.title = "attn explore";
  scenario.source.model = options.required_text("--model");
  ScenarioRequest request;
  request.prompt = options.required_text("--prompt");
  if (!is_utf8(request.prompt))
    throw_bad_input(
        {"the prompt is not valid UTF-8", "--prompt", quote_text(request.prompt), "UTF-8", ""});
  request.max_tokens = options.integer("--max-tokens", 1, 1, kMostTokens);
  request.interventions = interventions_of(options);
  scenario.requests = {request};
  scenario.engine.backend = options.text("--backend").value_or("torch_sdpa");
  scenario.engine.pad_head_size = options.has("--pad-head-size");
  scenario.engine.threads = options.integer("--threads", 0, 1, kMostWorkers);
  refuse_inputs("--dump", dump_file, input_files(scenario));
  backend_named(scenario.engine.backend);  // throws for an unknown name, before the model is read
  const std::shared_ptr<Source> source =
      load_source(scenario, [&](Scenario& fitting, const SourceShape& shape) {
        fit_to_text("attn explore", fitting, shape);
        if (const auto backend = options.text("--backend")) fitting.engine.backend = *backend;
      });
  const SourceShape& shape = source->shape();
  std::optional<std::pair<int32_t, int32_t>> pair;
  if (const auto text = options.text("--pair"))
    pair = token_pair(*source, *text, "attn explore --pair");
  const auto text_tokens = static_cast<int64_t>(source->encode(request.prompt).size());
  // Where an encoder reads the text, the decoder begins with one token.
  const int64_t prompt_tokens =
      shape.type_of_model() == AttentionType::kEncoderDecoder ? 1 : text_tokens;
  const int64_t new_tokens =
      std::clamp<int64_t>(shape.max_model_len - prompt_tokens, 1, request.max_tokens);
  const int64_t tokens = prompt_tokens + new_tokens - 1;
  ask_dump_memory(shape, residual_width(*source), tokens, std::max(tokens, text_tokens),
                  new_tokens);
  require_sum(dynamic_cast<Model&>(*source), "The logit lens");

  const ExploredRun run = *explore(scenario, source);
  ThreadPool pool(num_workers(scenario));
  Execution execution;
  execution.pool = &pool;
  const int64_t last = run.num_tokens() - 1;
  const auto [a, b] =
      pair ? *pair : two_best(run.logits.span<float>().last(static_cast<size_t>(shape.vocab_size)));
  const Attribution shares = *attribute(run.model(), *run.residual, last, a, b, execution);

  Dump dump;
  dump.add("logits", run.logits.shape(), run.logits.span<float>());
  add_residual(run, dump);
  add_layers(run, dump, execution);
  dump.add("attribution", {shape.num_layers, shape.num_heads}, shares.heads);
  dump.add("attribution.mlp", {shape.num_layers}, shares.mlps);
  dump.add("attribution.embed", {1}, std::vector{shares.embed});
  double biases = shares.norm_bias + shares.output_bias;
  for (const double bias : shares.attention_biases) biases += bias;
  std::vector<std::string> changed;
  for (const Intervention& what : request.interventions) changed.push_back(text_of(what));
  dump.write(dump_file, {{"program", fmt::format("Attention Workbench {}", ATTN_VERSION)},
                         {"model", shape.name},
                         {"backend", std::string(backend_named(scenario.engine.backend).name())},
                         {"prompt", request.prompt},
                         {"tokens", fmt::format("{}", fmt::join(run.tokens, " "))},
                         {"generated", fmt::format("{}", fmt::join(run.generated, " "))},
                         {"interventions", fmt::format("{}", fmt::join(changed, "; "))},
                         {"pair", fmt::format("{},{}", a, b)},
                         {"attribution.biases", fmt::format("{}", biases)},
                         {"attribution.difference", fmt::format("{}", shares.difference)}});
  for (const std::string& what : changed) print_out("changed: {}\n", what);
  print_out("{}\n", text_for_output(source->decode(run.generated)));
  print_out("logit of {} - logit of {}{}: {:.6f}; sum of parts {:.6f}, residue {:.1e}\n",
            quote_text(source->token_text(a)), quote_text(source->token_text(b)),
            shares.before_cap ? ", before the soft cap" : "", shares.difference, shares.sum(),
            shares.residue());
  print_out("{} in {}\n", counted(run.tokens.size(), "computed token", "computed tokens"),
            dump_file);
  if (run.num_tokens() + 1 >= shape.max_model_len && std::ssize(run.generated) < request.max_tokens)
    print_error("Stopped after {} of {} tokens: the context of this model has at most {} tokens.\n",
                run.generated.size(), request.max_tokens, shape.max_model_len);
  return 0;
} catch (const Error& error) {
  throw with_head_size_options(error);
}

}  // namespace attn::cli
