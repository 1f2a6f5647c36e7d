// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/prompt_fit.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/model/load_model.h"
#include "engine/scheduler/request_needs.h"
#include "engine/session/run/layer_configs.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

constexpr size_t kMostCountedBytes = size_t{8} << 20;  // of texts whose token counts are kept

QString number(int64_t value) {
  return QLocale().toString(static_cast<qlonglong>(value));
}

struct CacheUse {
  bool own = true;
  bool null_block = false;  // one block is set aside to stand for blocks that left a window
};

CacheUse cache_use(const Scenario& scenario, const SourceShape& shape) {
  try {
    if (shape.num_layers < 1) return {.null_block = scenario.attention.sliding_window > 0};
    const LayerConfigs configs = layer_configs(scenario, shape);
    return {.own = configs.cache_own(), .null_block = window_of_all(configs).has_value()};
  } catch (const Error&) {
    return {};
  }
}

RequestSize size_of(const ScenarioRequest& request, int64_t prompt_tokens, const CacheUse& use) {
  return {.prompt_tokens = prompt_tokens,
          .encoder_tokens = request.encoder_tokens,
          .caches_own = use.own,
          .n = request.n,
          .beam_width = request.beam_width};
}

int64_t usable_blocks(int64_t blocks, const CacheUse& use) {
  return blocks - (use.null_block ? 1 : 0);
}

int64_t watermark_blocks(const ScenarioEngine& engine, int64_t usable) {
  return static_cast<int64_t>(std::floor(engine.watermark * static_cast<double>(usable) + 1e-6));
}

// The fewest blocks of which `needed` can be used, besides the null block and the blocks that the
// watermark keeps free. The search for them ends at kMostBlocks.
int64_t blocks_for(int64_t needed, const ScenarioEngine& engine, const CacheUse& use) {
  int64_t blocks = needed + (use.null_block ? 1 : 0);
  while (blocks < kMostBlocks &&
         needed + watermark_blocks(engine, usable_blocks(blocks, use)) > usable_blocks(blocks, use))
    ++blocks;
  return blocks;
}

QString block_count(int64_t blocks, int64_t block_size) {
  return blocks == 1 ? tr("1 block of %1 tokens").arg(number(block_size))
                     : tr("%1 blocks of %2 tokens").arg(number(blocks), number(block_size));
}

// admits: whether the sentence also names the blocks that the watermark keeps free.
QString blocks_there(const ScenarioEngine& engine, const CacheUse& use, bool admits) {
  const int64_t kept = admits ? watermark_blocks(engine, usable_blocks(engine.num_blocks, use)) : 0;
  QStringList less;
  if (use.null_block) less << tr("one stays empty");
  if (kept > 0) less << tr("Watermark keeps %1 free").arg(number(kept));
  const QString text = tr("Blocks is %1").arg(number(engine.num_blocks));
  return less.isEmpty() ? text : text + tr(", of which ") + less.join(tr(" and "));
}

QString model_limit(const Scenario& scenario, int64_t max_model_len) {
  const QString most = number(max_model_len);
  return scenario.source.synthetic ? tr("Longest is %1").arg(most)
         : scenario.source.tensors ? tr("the tensors allow at most %1").arg(most)
                                   : tr("the model reads at most %1").arg(most);
}

QStringList refusals(const Scenario& scenario, const RequestNeeds& needs, const RequestSize& size,
                     const SourceShape& shape, const CacheUse& use) {
  const int64_t prompt_tokens = size.prompt_tokens;
  const ScenarioEngine& engine = scenario.engine;
  QStringList sentences;
  if (shape.max_model_len > 0 && needs.model_len > shape.max_model_len)
    sentences << tr("The prompt has %1 tokens, and with one new token it has %2; %3.")
                     .arg(number(prompt_tokens), number(needs.model_len),
                          model_limit(scenario, shape.max_model_len));
  if (shape.max_encoder_len > 0 && size.encoder_tokens > shape.max_encoder_len)
    sentences << tr("The encoder would read %1 tokens; it can read %2.")
                     .arg(number(size.encoder_tokens), number(shape.max_encoder_len));
  if (engine.policy == SchedulingPolicy::kPrefillFirst &&
      prompt_tokens > engine.max_num_batched_tokens)
    sentences << tr("The prompt has %1 tokens. With the policy prefill first one step computes all "
                    "of them, but Batch budget is %2.")
                     .arg(number(prompt_tokens), number(engine.max_num_batched_tokens));
  if (needs.sequences > 1 && needs.sequences > engine.max_num_seqs)
    sentences << tr("%1 sequences run at the same time, but Max sequences is %2.")
                     .arg(number(needs.sequences), number(engine.max_num_seqs));
  if (needs.sequences > 1 && needs.sequences > engine.max_num_batched_tokens)
    sentences << tr("%1 sequences decode in one step, but Batch budget is %2.")
                     .arg(number(needs.sequences), number(engine.max_num_batched_tokens));
  const int64_t usable = usable_blocks(engine.num_blocks, use);
  const int64_t alone = needs.blocks / needs.copies;
  if (needs.blocks > usable || alone + watermark_blocks(engine, usable) > usable)
    sentences
        << (size.encoder_tokens > 0
                ? tr("The encoder has %1 tokens; with it the request needs %2%3, but %4.")
                      .arg(number(size.encoder_tokens))
                : tr("The prompt has %1 tokens and needs %2%3, but %4.").arg(number(prompt_tokens)))
               .arg(block_count(needs.blocks, engine.block_size),
                    needs.copies > 1 ? tr(" for %1 beams").arg(number(needs.copies)) : QString(),
                    blocks_there(engine, use, true));
  return sentences;
}

// The most new tokens that fit, from 1 to max_tokens.
int64_t room_for_new(const Scenario& scenario, const ScenarioRequest& request,
                     const RequestSize& size, const SourceShape& shape, const CacheUse& use) {
  const int64_t usable = usable_blocks(scenario.engine.num_blocks, use);
  const auto fits = [&](int64_t tokens) {
    const RequestNeeds needs =
        needs_of(size, tokens, scenario.engine.policy, scenario.engine.block_size);
    return needs.blocks <= usable &&
           (shape.max_model_len < 1 || needs.model_len <= shape.max_model_len);
  };
  int64_t low = 1, high = request.max_tokens;  // binary search: the needs grow with the tokens
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (fits(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

struct Fitting {
  int64_t max_tokens, num_blocks, batched_tokens, sequences, longest;
  int64_t prompt_tokens;
  bool shorten_prompt;
};

Fitting fitting(const Scenario& scenario, const ScenarioRequest& request, int64_t prompt_tokens,
                const SourceShape& shape, const CacheUse& use) {
  const ScenarioEngine& engine = scenario.engine;
  Fitting fit{request.max_tokens,
              engine.num_blocks,
              engine.max_num_batched_tokens,
              engine.max_num_seqs,
              shape.max_model_len,
              prompt_tokens,
              false};
  if (scenario.source.synthetic) {
    fit.longest = std::max(fit.longest, prompt_tokens + fit.max_tokens);
  } else if (fit.longest > 0) {
    fit.shorten_prompt = prompt_tokens + 1 > fit.longest;
    // A prompt that is cut leaves room for the new tokens, but at most half of what the model
    // reads.
    if (fit.shorten_prompt)
      prompt_tokens = fit.longest - std::clamp<int64_t>(fit.max_tokens, 1, (fit.longest + 1) / 2);
    fit.prompt_tokens = prompt_tokens;
    fit.max_tokens = std::min(fit.max_tokens, fit.longest - prompt_tokens);
  }
  const RequestNeeds needs = needs_of(size_of(request, prompt_tokens, use), fit.max_tokens,
                                      engine.policy, engine.block_size);
  fit.num_blocks = std::max(fit.num_blocks, blocks_for(needs.blocks, engine, use));
  fit.batched_tokens = std::max(fit.batched_tokens, needs.batched_tokens);
  if (needs.sequences > 1) fit.sequences = std::max(fit.sequences, needs.sequences);
  return fit;
}

QString words_of(const Fitting& fit, const Scenario& scenario, const ScenarioRequest& request,
                 const SourceShape& shape) {
  QStringList words;
  if (fit.shorten_prompt) words << tr("the prompt cut to %1 tokens").arg(number(fit.prompt_tokens));
  const auto changed = [&](const QString& field, int64_t now, int64_t then) {
    if (now != then) words << QStringLiteral("%1 %2").arg(field, number(then));
  };
  changed(tr("Max new tokens"), request.max_tokens, fit.max_tokens);
  changed(tr("Blocks"), scenario.engine.num_blocks, fit.num_blocks);
  changed(tr("Batch budget"), scenario.engine.max_num_batched_tokens, fit.batched_tokens);
  changed(tr("Max sequences"), scenario.engine.max_num_seqs, fit.sequences);
  if (scenario.source.synthetic) changed(tr("Longest"), shape.max_model_len, fit.longest);
  return words.join(QStringLiteral(", "));
}

}  // namespace

PromptFit fit_of(const Scenario& scenario, const ScenarioRequest& request, int64_t prompt_tokens,
                 const SourceShape& shape) {
  PromptFit fit{.tokens = prompt_tokens};
  const ScenarioEngine& engine = scenario.engine;
  if (prompt_tokens < 1 || request.max_tokens < 1 || request.n < 1 || request.beam_width < 1 ||
      engine.block_size < 1 || engine.num_blocks < 1 || engine.watermark < 0 ||
      engine.watermark >= 1)
    return fit;
  const CacheUse use = cache_use(scenario, shape);
  const RequestSize size = size_of(request, prompt_tokens, use);
  const RequestNeeds needs = needs_of(size, 1, engine.policy, engine.block_size);
  QStringList sentences = refusals(scenario, needs, size, shape, use);
  fit.runs = sentences.isEmpty();
  if (fit.runs) {
    const int64_t room = room_for_new(scenario, request, size, shape, use);
    if (room >= request.max_tokens) return fit;
    const RequestNeeds all = needs_of(size, request.max_tokens, engine.policy, engine.block_size);
    const bool by_model = shape.max_model_len > 0 && all.model_len > shape.max_model_len &&
                          room == shape.max_model_len - prompt_tokens;
    const bool of_decoder = scenario.source.reads_text() && request.encoder_tokens > 0;
    sentences << (by_model && of_decoder
                      ? tr("There is room for %1 of the %2 new tokens: the decoder begins with "
                           "%3 tokens, and %4.")
                            .arg(number(room), number(request.max_tokens), number(prompt_tokens),
                                 model_limit(scenario, shape.max_model_len))
                  : by_model
                      ? tr("There is room for %1 of the %2 new tokens: the prompt has %3 tokens, "
                           "and %4.")
                            .arg(number(room), number(request.max_tokens), number(prompt_tokens),
                                 model_limit(scenario, shape.max_model_len))
                      : tr("There is room for %1 of the %2 new tokens: with all of them the "
                           "request needs %3, but %4.")
                            .arg(number(room), number(request.max_tokens),
                                 block_count(all.blocks, engine.block_size),
                                 blocks_there(engine, use, false)));
  }
  fit.sentence = sentences.join(QLatin1Char(' '));
  const bool encoder_fits =
      shape.max_encoder_len < 1 || request.encoder_tokens <= shape.max_encoder_len;
  if (encoder_fits && (!scenario.source.tensors || shape.max_model_len < 1 ||
                       needs.model_len <= shape.max_model_len))
    fit.fix =
        words_of(fitting(scenario, request, prompt_tokens, shape, use), scenario, request, shape);
  return fit;
}

QString reason_of(const EngineSnapshot& snapshot, const RequestView& request) {
  if (!request.has_news()) return {};
  const Scenario* scenario = snapshot.scenario.get();
  const auto generated =
      (request.tokens ? static_cast<int64_t>(request.tokens->size()) : 0) - request.prompt_len;
  if (scenario && request.id < scenario->requests.size()) {
    ScenarioRequest asked = scenario->requests[request.id];
    if (request.encoder_tokens) asked.encoder_tokens = std::ssize(*request.encoder_tokens);
    if (request.state == RequestState::kFinishedIgnored) {
      const PromptFit fit = fit_of(*scenario, asked, request.prompt_len, snapshot.source);
      if (!fit.runs) return fit.sentence;
    }
    if (request.state == RequestState::kFinishedLengthCapped &&
        request.prompt_len + generated >= snapshot.source.max_model_len) {
      // With an encoder, prompt_len is the number of tokens with which the decoder begins.
      const bool of_decoder = scenario->source.reads_text() && request.encoder_tokens;
      return (of_decoder
                  ? tr("The request stopped after %1 of %2 new tokens: the decoder begins with %3 "
                       "tokens, and %4.")
                  : tr("The request stopped after %1 of %2 new tokens: the prompt has %3 tokens, "
                       "and %4."))
          .arg(number(generated), number(asked.max_tokens), number(request.prompt_len),
               model_limit(*scenario, snapshot.source.max_model_len));
    }
    if (request.state == RequestState::kFinishedLengthCapped)
      return tr("The request stopped after %1 of %2 new tokens, because more tokens might not fit "
                "in "
                "the cache, which has %3 blocks of %4 tokens. With more Blocks the request can get "
                "further.")
          .arg(number(generated), number(asked.max_tokens), number(usable_blocks(snapshot)),
               number(snapshot.block_size));
  }
  return QString::fromStdString(request.ignored_reason);
}

void PromptMeter::set_run(const std::shared_ptr<const EngineSnapshot>& snapshot) {
  if (snapshot && snapshot->source.num_layers > 0) run_ = snapshot;
}

PromptMeter::Known* PromptMeter::known_of(const Scenario& scenario) {
  if (!scenario.source.reads_text()) return nullptr;
  try {
    const std::filesystem::path folder = model_folder(scenario);
    const auto [place, added] = models_.try_emplace(folder.string());
    if (added) {
      Known known{.tokenizer = load_tokenizer(folder), .shape = {}, .counts = {}};
      const bool runs = run_ && run_->scenario && run_->scenario->source == scenario.source;
      known.shape = runs ? run_->source : check_model(folder, available_memory_bytes()).shape;
      place->second = std::move(known);
    }
    return place->second ? &*place->second : nullptr;
  } catch (const std::exception&) {
    return nullptr;  // the start of a run reports what is wrong with the model
  }
}

SourceShape PromptMeter::shape_of(const Scenario& scenario) {
  SourceShape shape;
  if (run_ && run_->scenario && run_->scenario->source == scenario.source) return run_->source;
  if (const Known* known = known_of(scenario)) return known->shape;
  if (const auto& synthetic = scenario.source.synthetic) {
    shape.max_model_len = synthetic->max_model_len;
    // In encoder_decoder and alternating the layers differ, so the shape of layers and heads is
    // left unknown.
    if (synthetic->kind != SyntheticKind::kEncoderDecoder &&
        synthetic->kind != SyntheticKind::kAlternating) {
      shape.num_layers = synthetic->num_layers;
      shape.num_heads = synthetic->num_heads;
      shape.num_kv_heads = synthetic->num_kv_heads;
      shape.head_size = synthetic->head_size;
    }
  }
  return shape;
}

int64_t PromptMeter::tokens_of(const Scenario& scenario, const ScenarioRequest& request) {
  if (!scenario.source.reads_text()) return request.prompt_tokens;
  if (scenario.attention.type == AttentionType::kEncoderDecoder) {
    if (request.decoder_prompt.empty()) return 1;
    const int64_t rest = count_of(scenario, request.decoder_prompt, false);
    return rest < 0 ? rest : 1 + rest;
  }
  return count_of(scenario, request.prompt, true);
}

ScenarioRequest PromptMeter::with_encoder(const Scenario& scenario,
                                          const ScenarioRequest& request) {
  ScenarioRequest counted = request;
  if (scenario.source.reads_text() && scenario.attention.type == AttentionType::kEncoderDecoder)
    counted.encoder_tokens = std::max<int64_t>(0, count_of(scenario, request.prompt, true));
  return counted;
}

int64_t PromptMeter::count_of(const Scenario& scenario, const std::string& text, bool whole) {
  if (whole && run_ && run_->scenario && run_->scenario->source == scenario.source)
    for (const RequestView& counted : run_->requests)
      if (counted.prompt_text && *counted.prompt_text == text)
        return counted.encoder_tokens ? std::ssize(*counted.encoder_tokens) : counted.prompt_len;
  Known* known = known_of(scenario);
  if (!known) return -1;
  const auto [place, added] = known->counts.try_emplace({whole, text}, 0);
  if (!added) return place->second;
  int64_t count = -1;
  try {
    count = std::ssize(known->tokenizer.encode(text, whole));
  } catch (const std::exception&) {
    // The start of a run reports what is wrong with the text.
  }
  place->second = count;
  known->bytes += text.size();
  if (known->bytes > kMostCountedBytes) {
    known->counts.clear();
    known->bytes = 0;
  }
  return count;
}

PromptFit PromptMeter::fit(const Scenario& scenario, size_t index) {
  if (index >= scenario.requests.size()) return {};
  const ScenarioRequest request = with_encoder(scenario, scenario.requests[index]);
  const int64_t tokens = tokens_of(scenario, request);
  return tokens < 0 ? PromptFit{} : fit_of(scenario, request, tokens, shape_of(scenario));
}

void PromptMeter::make_it_fit(Scenario& scenario, size_t index) {
  if (index >= scenario.requests.size()) return;
  ScenarioRequest& request = scenario.requests[index];
  const SourceShape shape = shape_of(scenario);
  const int64_t tokens = tokens_of(scenario, request);
  const PromptFit now = fit(scenario, index);
  if (now.fix.isEmpty()) return;
  const Fitting fits =
      fitting(scenario, with_encoder(scenario, request), tokens, shape, cache_use(scenario, shape));
  if (Known* known = known_of(scenario); known && fits.shorten_prompt) {
    const bool of_decoder = scenario.attention.type == AttentionType::kEncoderDecoder;
    std::string& shortened = of_decoder ? request.decoder_prompt : request.prompt;
    const QString text = QString::fromStdString(shortened);
    qsizetype low = 0, high = text.size();
    while (low < high) {
      const qsizetype middle = low + (high - low + 1) / 2;
      const std::string part = text.left(middle).toStdString();
      if (std::ssize(known->tokenizer.encode(part, !of_decoder)) + (of_decoder ? 1 : 0) <=
          fits.prompt_tokens)
        low = middle;
      else
        high = middle - 1;
    }
    if (low > 0 && text[low - 1].isHighSurrogate()) --low;
    shortened = text.left(low).toStdString();
  }
  request.max_tokens = fits.max_tokens;
  scenario.engine.num_blocks = fits.num_blocks;
  scenario.engine.max_num_batched_tokens = fits.batched_tokens;
  scenario.engine.max_num_seqs = fits.sequences;
  if (scenario.source.synthetic) scenario.source.synthetic->max_model_len = fits.longest;
}

// blocks_for() all requests at the same time, with as many of their tokens as the model allows;
// nullopt: not known.
std::optional<int64_t> PromptMeter::blocks_at_once(const Scenario& scenario) {
  const SourceShape shape = shape_of(scenario);
  const CacheUse use = cache_use(scenario, shape);
  int64_t needed = 0;
  for (const ScenarioRequest& one : scenario.requests) {
    const ScenarioRequest request = with_encoder(scenario, one);
    const int64_t tokens = tokens_of(scenario, request);
    if (tokens < 1 || request.max_tokens < 1) return std::nullopt;
    const int64_t most = shape.max_model_len > 0 ? std::clamp<int64_t>(shape.max_model_len - tokens,
                                                                       1, request.max_tokens)
                                                 : request.max_tokens;
    const RequestNeeds needs = needs_of(size_of(request, tokens, use), most, scenario.engine.policy,
                                        scenario.engine.block_size);
    needed += needs.blocks / needs.copies * std::max(request.n, request.beam_width);
  }
  return blocks_for(needed, scenario.engine, use);
}

void PromptMeter::grow_cache(const Scenario& before, Scenario& edited, int64_t least) {
  if (!edited.source.reads_text() || !(edited.source == before.source) ||
      edited.requests == before.requests || edited.engine.block_size != before.engine.block_size ||
      edited.engine.block_size < 1 || edited.engine.num_blocks != before.engine.num_blocks)
    return;
  if (!(edited.engine.watermark >= 0 && edited.engine.watermark < 1)) return;
  const auto fitted = blocks_at_once(before), needed = blocks_at_once(edited);
  if (!fitted || !needed || *fitted > before.engine.num_blocks) return;
  edited.engine.num_blocks = std::min(std::max(least, *needed), kMostBlocks);
}

}  // namespace attn::gui
