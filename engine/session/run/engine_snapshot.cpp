// SPDX-License-Identifier: GPL-3.0-or-later
// Makes and publishes the snapshots of the engine.
#include <algorithm>
#include <span>
#include <utility>

#include "engine/model/model.h"
#include "engine/session/run/engine_impl.h"

namespace attn {
namespace {

// At full speed, publishing takes about 1/50 of the run's time at most.
constexpr int64_t kCostShare = 50;

}  // namespace

TokenView Engine::Impl::token_view(int32_t token) {
  const auto known = token_texts.find(token);
  return {token, known != token_texts.end()
                     ? known->second
                     : token_texts.emplace(token, source->token_text(token)).first->second};
}

RequestView Engine::Impl::view_of(const Request& request) {
  RequestView view;
  view.id = request.id;
  view.name = request.name;
  view.state = request.state;
  view.ignored_reason = request.ignored_reason;
  view.prompt_len = static_cast<int64_t>(request.prompt_ids.size());
  view.num_computed = request.num_computed;
  view.num_cached = request.num_cached;
  view.num_preemptions = request.num_preemptions;
  Labels& known = labels[request.id];
  if (!known.views || known.tokens != static_cast<size_t>(request.num_tokens())) {
    auto tokens = std::make_shared<std::vector<TokenView>>();
    if (known.views) *tokens = *known.views;
    tokens->reserve(static_cast<size_t>(request.num_tokens()));
    for (auto position = static_cast<int64_t>(tokens->size()); position < request.num_tokens();
         ++position)
      tokens->push_back(token_view(request.token(position)));
    known.tokens = tokens->size();
    known.views = std::move(tokens);
    update_texts(request, known);
  }
  view.tokens = known.views;
  if (request.has_encoder() && !known.encoder) {
    auto tokens = std::make_shared<std::vector<TokenView>>();
    for (const int32_t id : request.encoder_ids) tokens->push_back(token_view(id));
    known.encoder = std::move(tokens);
  }
  view.encoder_tokens = known.encoder;
  view.prompt_text = known.prompt;
  view.output_text = known.output;
  view.parent = request.parent;
  view.sample_index = request.sample_index;
  view.beam_rank = request.beam_rank;
  view.cumulative_logprob = request.cumulative_logprob;
  for (const TableKind kind : request.tables()) {
    const uint32_t id = table_id(request.id, kind);
    if (!manager.knows(id)) continue;
    const auto table = manager.blocks(id);
    std::vector<int32_t>& shown =
        manager.is_swapped(id) ? view.table(kind).swap_blocks : view.table(kind).blocks;
    shown.assign(table.begin(), table.end());
    std::fill_n(shown.begin(), manager.blocks_left_window(id), -1);
  }
  view.times = request.times;
  view.metrics = metrics_of(request.times, request.state);
  view.attention = records.own(request.id);
  const RequestExtras& of = extras.of(request.id);
  if (of.interventions) {
    view.interventions = of.interventions->list();
    view.changed_numbers.assign(of.interventions->changed().begin(),
                                of.interventions->changed().end());
  }
  view.residual = of.residual;
  view.sampling = request.sampling;
  view.beam_width = request.beam_width;
  set_encoder(view, records.num_encoder_layers(), records.encoder(request.id));
  return view;
}

void Engine::Impl::update_texts(const Request& request, Labels& texts) const {
  if (!texts.prompt)
    texts.prompt = std::make_shared<const std::string>(
        request.prompt.empty() ? source->decode(request.prompt_ids) : request.prompt);
  texts.output = std::make_shared<const std::string>(
      output_text(*source, request.token_ids(), request.prompt_ids.size()));
}

// Lists the prefix nodes on the paths to all blocks that can be found. Made again only when the
// index has changed.
void Engine::Impl::update_prefixes() {
  const PrefixIndex& index = manager.prefix_index();
  if (!manager.config().prefix_caching || (prefixes && prefixes_version == index.version())) return;
  const std::span<const PrefixIndex::Node> nodes = index.nodes();
  std::vector<PrefixIndex::NodeId> order;
  std::vector<int32_t> place(nodes.size(), -1);  // index in the list
  constexpr int32_t kWanted = -2;
  for (const PrefixIndex::Node& found : nodes) {
    if (found.block < 0) continue;
    auto id = static_cast<PrefixIndex::NodeId>(&found - nodes.data());
    for (; id != PrefixIndex::kRoot && place[static_cast<size_t>(id)] != kWanted;
         id = index.node(id).parent) {
      place[static_cast<size_t>(id)] = kWanted;
      order.push_back(id);
    }
  }
  std::sort(order.begin(), order.end(), [&](PrefixIndex::NodeId a, PrefixIndex::NodeId b) {
    const PrefixIndex::Node &x = index.node(a), &y = index.node(b);
    return std::pair(x.depth, x.serial) < std::pair(y.depth, y.serial);
  });
  auto list = std::make_shared<std::vector<PrefixView>>();
  list->reserve(order.size());
  prefix_tokens.resize(nodes.size());
  for (const PrefixIndex::NodeId id : order) {
    const PrefixIndex::Node& node = index.node(id);
    PrefixTokens& known = prefix_tokens[static_cast<size_t>(id)];
    if (!known.views || known.serial != node.serial) {
      auto views = std::make_shared<std::vector<TokenView>>();
      for (const int32_t token : node.tokens) views->push_back(token_view(token));
      known = {.serial = node.serial, .views = std::move(views)};
    }
    place[static_cast<size_t>(id)] = static_cast<int32_t>(list->size());
    list->push_back(
        {.parent = node.parent == PrefixIndex::kRoot ? -1 : place[static_cast<size_t>(node.parent)],
         .block = node.block,
         .depth = static_cast<int32_t>(node.depth),
         .tokens = known.views});
  }
  prefixes = std::move(list);
  prefixes_version = index.version();
}

EngineSnapshot Engine::Impl::snapshot(EnginePhase phase) {
  EngineSnapshot shot;
  shot.run = options.run;
  shot.phase = phase;
  shot.scenario = scenario;
  shot.source = source->shape();
  shot.residual_width = residual_width(*source);
  shot.backend_name = backend.display_name();
  shot.rules = rules;
  shot.step = step;
  shot.layer = layer;
  shot.block_size = scenario->engine.block_size;
  shot.cache_bytes = KvStorage::bytes_needed(cache->spec());
  shot.cache_head_size = cache->spec().head_size;
  const DeviceModel* device = groups.front().device.get();
  shot.modelled_device = device ? device->name() : "";
  for (const auto& request : scheduler->requests()) shot.requests.push_back(view_of(*request));
  shot.blocks = blocks.device();
  shot.swap_blocks = blocks.swap();
  shot.has_null_block = manager.pool(PoolKind::kDevice).has_null_block();
  update_prefixes();
  shot.prefixes = prefixes;
  shot.free_blocks = manager.num_available();
  shot.generated_tokens = trace.generated_tokens();
  if (!published_steps || published_steps->size() != steps.size())
    published_steps = std::make_shared<const std::vector<StepRecord>>(steps);
  shot.steps = published_steps;
  shot.history = history;
  shot.tokens_per_s = recent_tokens_per_s(*shot.steps, shot.requests);
  shot.plan = plan;
  shot.num_lanes = 1 + pool.num_workers();
  shot.modelled_time = clock.is_virtual();
  has_waited = has_waited || (options.gate && options.gate->has_waited());
  shot.slowed_or_paused = has_waited;
  shot.rounding = rounding.published();
  shot.model = std::dynamic_pointer_cast<const Model>(source);
  return shot;
}

void Engine::Impl::publish(EnginePhase phase, bool always) {
  if (!options.snapshots) return;
  const auto begin = std::chrono::steady_clock::now();
  if (!always && begin - last_publish < kCostShare * publish_cost) return;
  options.snapshots->publish(std::make_shared<const EngineSnapshot>(snapshot(phase)));
  last_publish = std::chrono::steady_clock::now();
  publish_cost = last_publish - begin;
}

}  // namespace attn
