// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "engine/attention/layer_warnings.h"
#include "engine/cli/backend_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/model/hidden_words.h"
#include "engine/cli/model/one_model.h"
#include "engine/cli/run_until_stopped.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/output_file.h"
#include "engine/core/limits.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/core/utf8.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/model_scenario.h"
#include "engine/session/scenario/prompts/request_tokens.h"

namespace attn::cli {
namespace {

CommandSpec generate_spec() {
  CommandSpec spec{
      "attn generate",
      "Generates text with a model folder (config.json, model.safetensors, tokenizer.json) or a "
      "GGUF file. An encoder writes no text: it says which words are hidden by the mask in the "
      "prompt.",
      {},
      {{"--model", "PATH", "model folder, GGUF file, or the name of a bundled model"},
       {"--prompt", "TEXT",
        "the prompt; of a model with an encoder and a decoder: the text that its encoder reads"},
       {"--prompt-file", "FILE",
        "read the prompt from a file of at most 1 MiB; its text is used unchanged"},
       {"--decoder-prompt", "TEXT",
        "text with which the decoder of such a model begins; default: its first token alone"},
       {"--max-tokens", "N", "largest number of new tokens; default 64"},
       {"--greedy", "",
        "always take the most likely token; the default without temperature, top-k and top-p"},
       {"--temperature", "T",
        "sample at this temperature, 0 (greedy) to 100; default 1 with --top-k or --top-p"},
       {"--top-k", "K", "sample only from the K most likely tokens; 0: all"},
       {"--top-p", "P",
        "sample only from the fewest tokens that together have this probability, 1e-06 to 1"},
       {"--seed", "S", "seed of the sampling; default 0"},
       {"--backend", "NAME",
        "attention backend; default torch_sdpa, with a relative position bias unified"},
       {"--kv-cache-dtype", "auto|f32|bf16", "element type of the cache; default auto"},
       {"--block-size", "N", "tokens per cache block; default 16"},
       {"--pad-head-size", "",
        "if the backend lacks the head size: pad with zeros to the next that it has"},
       {"--threads", "N", "worker threads; default: one for each hardware thread"},
       {"--ids", "", "print token ids instead of text"},
       {"--dump", "FILE", "write logits, token ids and attention weights as safetensors"}},
      "The file of --dump has logits [new tokens, vocab], prompt_ids, generated_ids, "
      "weights.<layer> [head, query, key]. Of a model with an encoder and a decoder it has "
      "encoder_ids too, and prompt_ids are what its decoder begins with."};
  add_backend_options(spec);
  return spec;
}

std::string checked_prompt(std::string text, const char* where) {
  if (text.empty())
    throw_bad_input(
        {"the prompt is empty", where, "", "", "Give the text that the model continues"});
  if (!is_utf8(text))
    throw_bad_input({"the prompt is not valid UTF-8", where, quote_text(text), "UTF-8", ""});
  return text;
}

constexpr uint64_t kMostPromptBytes = uint64_t{1} << 20;

std::string read_prompt(const Options& options) {
  if (options.has("--prompt") == options.has("--prompt-file"))
    throw_bad_input({"exactly one prompt is needed", "attn generate",
                     options.has("--prompt") ? "two" : "none",
                     "--prompt TEXT or --prompt-file FILE", ""});
  if (const auto text = options.text("--prompt")) return checked_prompt(*text, "--prompt");
  return checked_prompt(read_text_file(*options.text("--prompt-file"), kMostPromptBytes),
                        "--prompt-file");
}

SamplingParams sampling(const Options& options) {
  SamplingParams params;
  const bool greedy = options.has("--greedy");
  for (const char* name : {"--temperature", "--top-k", "--top-p", "--seed"})
    if (greedy && options.has(name))
      throw_bad_input({"two options exclude each other", "attn generate",
                       fmt::format("--greedy with {}", name), "one of them", ""});
  const bool samples =
      options.has("--temperature") || options.has("--top-k") || options.has("--top-p");
  params.temperature = options.number("--temperature", samples ? 1.0 : 0.0, 0, 100);
  params.top_k = options.integer("--top-k", 0, 0, std::numeric_limits<int64_t>::max(),
                                 "a whole number from 0 to the size of the model's vocabulary");
  params.top_p = options.number("--top-p", 1, 1e-6, 1);
  params.seed = options.seed("--seed", 0);
  return params;
}

Scenario scenario_of(const Options& options) {
  Scenario scenario;
  scenario.title = "attn generate";
  scenario.source.model = options.required_text("--model");
  ScenarioRequest request;
  request.prompt = read_prompt(options);
  if (const auto text = options.text("--decoder-prompt"))
    request.decoder_prompt = checked_prompt(*text, "--decoder-prompt");
  request.max_tokens = options.integer("--max-tokens", 64, 1, kMostTokens);
  request.sampling = sampling(options);
  scenario.requests.push_back(request);
  scenario.engine.backend = options.text("--backend").value_or("torch_sdpa");
  scenario.engine.backend_options = chosen_backend_options(options, OptionValues::kThatRun);
  scenario.engine.kv_cache_dtype =
      options.choice("--kv-cache-dtype", "auto", {"auto", "f32", "bf16"});
  scenario.engine.block_size = options.integer("--block-size", 16, 1, kMostBlockSize);
  scenario.engine.pad_head_size = options.has("--pad-head-size");
  scenario.engine.threads = options.integer("--threads", 0, 1, kMostWorkers);
  return scenario;
}

Tensor ids_tensor(const std::vector<int32_t>& ids) {
  Tensor tensor(DType::kI32, {static_cast<int64_t>(ids.size())});
  std::ranges::copy(ids, tensor.data<int32_t>());
  return tensor;
}

void write_dump(const std::string& file, const Engine& engine, const Request& request,
                const std::vector<float>& logits) {
  const SourceShape& shape = engine.source().shape();
  std::vector<std::string> names;
  std::vector<Tensor> tensors;
  Tensor logit_rows(DType::kF32,
                    {static_cast<int64_t>(logits.size()) / shape.vocab_size, shape.vocab_size});
  std::ranges::copy(logits, logit_rows.data<float>());
  names.emplace_back("logits");
  tensors.push_back(std::move(logit_rows));
  names.emplace_back("prompt_ids");
  tensors.push_back(ids_tensor(request.prompt_ids));
  names.emplace_back("generated_ids");
  tensors.push_back(ids_tensor(request.output_ids));
  if (request.has_encoder()) {
    names.emplace_back("encoder_ids");
    tensors.push_back(ids_tensor(request.encoder_ids));
  }
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
    const auto& record = shot.requests.front().at(layer).attention;
    const int64_t rows = record ? record->num_rows() : 0,
                  keys = record ? record->key_columns(layer, rows) : 0;
    Tensor weights(DType::kF32, {shape.num_heads, rows, keys});
    for (int64_t head = 0; record && head < shape.num_heads; ++head)
      record->weights(layer, head, 0, rows, 0, keys, weights.data<float>() + head * rows * keys);
    names.push_back(fmt::format("weights.{}", layer));
    tensors.push_back(std::move(weights));
  }
  std::vector<NamedTensor> named;
  for (size_t i = 0; i < names.size(); ++i) named.push_back({names[i], &tensors[i]});
  write_safetensors(
      file, named,
      {{"program", fmt::format("Attention Workbench {}", ATTN_VERSION)},
       {"model", shape.name},
       {"backend", std::string(backend_named(engine.scenario().engine.backend).name())},
       {"prompt", request.prompt}});
}

void refuse_for_encoder(const Options& options) {
  for (const char* name : {"--decoder-prompt", "--max-tokens", "--temperature", "--top-k",
                           "--top-p", "--seed", "--ids", "--dump"})
    if (options.has(name))
      throw_bad_input({"an encoder writes no text, so the option has no meaning", "attn generate",
                       name, "--prompt or --prompt-file, --backend, --threads", ""});
}

void print_notes(const Scenario& scenario, const Source& source) {
  std::vector<std::string> notes = source.notes();
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  for (const AttentionConfig& config : layer_configs(scenario, source.shape()).distinct)
    add_new(warnings_of(backend, config, *backend.make_impl(config)), notes);
  for (const std::string& note : notes) print_error("attn: note: {}\n", note);
}

}  // namespace

int command_generate(const Words& words) try {
  const Options options(generate_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(generate_spec()));
    return 0;
  }
  const auto dump = options.text("--dump");
  if (const auto prompt = options.text("--prompt-file"); dump && prompt)
    refuse_same_file("--dump", *dump, "--prompt-file", *prompt);
  if (dump) check_output_place("--dump", *dump);
  Scenario scenario = scenario_of(options);
  if (dump) refuse_inputs("--dump", *dump, input_files(scenario));
  backend_named(scenario.engine.backend);  // throws for an unknown name, before the model is read
  const std::shared_ptr<Source> source =
      load_source(scenario, [&](Scenario& fitting, const SourceShape& shape) {
        fit_to_model(fitting, shape);
        if (const auto backend = options.text("--backend")) fitting.engine.backend = *backend;
      });
  if (source->shape().type_of_model() == AttentionType::kEncoderOnly) {
    refuse_for_encoder(options);
    print_hidden_words(scenario, source);
    return 0;
  }
  if (options.has("--decoder-prompt") && !source->decoder_start())
    throw_bad_input({"only a model with an encoder and a decoder has a prompt of the decoder",
                     "--decoder-prompt", source->shape().name, "such a model", ""});
  const int64_t vocab = source->shape().vocab_size;
  if (scenario.requests[0].sampling.top_k > vocab)
    throw_bad_input(
        {"the value is not in range", "attn generate --top-k",
         fmt::format("`{}`", *options.text("--top-k")),
         fmt::format("a whole number from 0 to {}, the size of the model's vocabulary", vocab),
         ""});
  const RequestTokens tokens = tokens_of_texts(scenario.requests[0], *source);
  const int64_t prompt_tokens = std::ssize(tokens.own), block_size = scenario.engine.block_size;
  if (prompt_tokens >= source->shape().max_model_len)
    throw_bad_input({"the prompt is too long for this model",
                     !tokens.encoder.empty()   ? "--decoder-prompt"
                     : options.has("--prompt") ? "--prompt"
                                               : "--prompt-file",
                     counted(prompt_tokens, "token", "tokens"),
                     fmt::format("at most {}, so that one can follow",
                                 counted(source->shape().max_model_len - 1, "token", "tokens")),
                     "Shorten the prompt, or use a model with a longer context"});
  const int64_t longest =
      std::min(source->shape().max_model_len, prompt_tokens + scenario.requests[0].max_tokens);
  const auto blocks = [&](int64_t count) { return (count + block_size - 1) / block_size; };
  scenario.engine.num_blocks =
      std::max<int64_t>(1, blocks(longest) + blocks(std::ssize(tokens.encoder)));
  scenario.engine.max_num_batched_tokens =
      std::max(prompt_tokens, scenario.engine.max_num_batched_tokens);

  std::vector<float> logits;
  EngineOptions engine_options;
  engine_options.keep_attention = dump.has_value();
  if (dump)
    engine_options.on_logits = [&](const Tensor& rows, const std::vector<uint32_t>&) {
      logits.insert(logits.end(), rows.data<float>(), rows.data<float>() + rows.size());
    };
  Engine engine(scenario, source, engine_options);
  print_notes(scenario, *source);
  note_other_devices(options, backend_named(scenario.engine.backend));
  const auto begin = std::chrono::steady_clock::now();
  run_until_stopped(engine);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

  const Request& request = *engine.scheduler().requests().front();
  if (request.state == RequestState::kFinishedIgnored)
    throw_bad_input({"the prompt cannot run", "--prompt", request.ignored_reason, "", ""});
  if (options.has("--ids")) {
    print_out("{}\n", fmt::join(request.output_ids, " "));
  } else {
    std::vector<int32_t> all = request.prompt_ids;
    all.insert(all.end(), request.output_ids.begin(), request.output_ids.end());
    print_out("{}\n", text_for_output(source->decode(all)));
  }
  if (request.has_encoder())
    print_error("{}, ", counted(request.encoder_ids.size(), "token of the encoder",
                                "tokens of the encoder"));
  print_error("{}, {} in {:.3f} s, {:.1f} tokens/s\n",
              counted(request.prompt_ids.size(), "prompt token", "prompt tokens"),
              counted(request.output_ids.size(), "new token", "new tokens"), seconds.count(),
              static_cast<double>(request.output_ids.size()) / seconds.count());
  if (request.state == RequestState::kFinishedLengthCapped &&
      static_cast<int64_t>(request.output_ids.size()) < request.max_tokens)
    print_error("Stopped after {} of {} tokens: the context of this model has at most {} tokens.\n",
                request.output_ids.size(), request.max_tokens, source->shape().max_model_len);
  if (dump) write_dump(*dump, engine, request, logits);
  return exit_code_of_run(engine, dump ? "the dump holds" : "");
} catch (const Error& error) {
  throw with_head_size_options(error);
}

}  // namespace attn::cli
