// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/snapshot_parts.h"

#include <algorithm>
#include <span>
#include <utility>

namespace attn {

TokenView SnapshotParts::token(int32_t id) {
  const auto known = token_texts_.find(id);
  return {id, known != token_texts_.end()
                  ? known->second
                  : token_texts_.emplace(id, source_.token_text(id)).first->second};
}

SnapshotParts::Labels& SnapshotParts::labels_of(const Request& request) {
  Labels& known = labels_[request.id];
  if (!known.views || known.tokens != static_cast<size_t>(request.num_tokens())) {
    auto tokens = std::make_shared<std::vector<TokenView>>();
    if (known.views) *tokens = *known.views;
    tokens->reserve(static_cast<size_t>(request.num_tokens()));
    for (auto position = static_cast<int64_t>(tokens->size()); position < request.num_tokens();
         ++position)
      tokens->push_back(token(request.token(position)));
    known.tokens = tokens->size();
    known.views = std::move(tokens);
    if (!known.prompt)
      known.prompt = std::make_shared<const std::string>(
          request.prompt.empty() ? source_.decode(request.prompt_ids) : request.prompt);
    known.output = std::make_shared<const std::string>(
        output_text(source_, request.token_ids(), request.prompt_ids.size()));
  }
  if (request.has_encoder() && !known.encoder) {
    auto tokens = std::make_shared<std::vector<TokenView>>();
    for (const int32_t id : request.encoder_ids) tokens->push_back(token(id));
    known.encoder = std::move(tokens);
  }
  return known;
}

RequestView SnapshotParts::request(const Request& request, const RunRecords& records,
                                   const RunExtras& extras) {
  RequestView view;
  view.id = request.id;
  view.name = request.name;
  view.state = request.state;
  view.ignored_reason = request.ignored_reason;
  view.prompt_len = static_cast<int64_t>(request.prompt_ids.size());
  view.num_computed = request.num_computed;
  view.num_cached = request.num_cached;
  view.num_preemptions = request.num_preemptions;
  const Labels& labels = labels_of(request);
  view.tokens = labels.views;
  view.encoder_tokens = labels.encoder;
  view.prompt_text = labels.prompt;
  view.output_text = labels.output;
  view.parent = request.parent;
  view.sample_index = request.sample_index;
  view.beam_rank = request.beam_rank;
  view.cumulative_logprob = request.cumulative_logprob;
  for (const TableKind kind : request.tables()) {
    const uint32_t id = table_id(request.id, kind);
    if (!manager_.knows(id)) continue;
    const auto table = manager_.blocks(id);
    std::vector<int32_t>& shown =
        manager_.is_swapped(id) ? view.table(kind).swap_blocks : view.table(kind).blocks;
    shown.assign(table.begin(), table.end());
    std::fill_n(shown.begin(), manager_.blocks_left_window(id), -1);
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

std::shared_ptr<const std::vector<PrefixView>> SnapshotParts::prefixes() {
  const PrefixIndex& index = manager_.prefix_index();
  if (manager_.config().prefix_caching && !(prefixes_ && prefixes_version_ == index.version()))
    list_prefixes(index);
  return prefixes_;
}

void SnapshotParts::list_prefixes(const PrefixIndex& index) {
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
  prefix_tokens_.resize(nodes.size());
  for (const PrefixIndex::NodeId id : order) {
    const PrefixIndex::Node& node = index.node(id);
    PrefixTokens& known = prefix_tokens_[static_cast<size_t>(id)];
    if (!known.views || known.serial != node.serial) {
      auto views = std::make_shared<std::vector<TokenView>>();
      for (const int32_t id_of_token : node.tokens) views->push_back(token(id_of_token));
      known = {.serial = node.serial, .views = std::move(views)};
    }
    place[static_cast<size_t>(id)] = static_cast<int32_t>(list->size());
    list->push_back(
        {.parent = node.parent == PrefixIndex::kRoot ? -1 : place[static_cast<size_t>(node.parent)],
         .block = node.block,
         .depth = static_cast<int32_t>(node.depth),
         .tokens = known.views});
  }
  prefixes_ = std::move(list);
  prefixes_version_ = index.version();
}

std::shared_ptr<const std::vector<StepRecord>> SnapshotParts::steps(
    const std::vector<StepRecord>& steps) {
  if (!steps_ || steps_->size() != steps.size())
    steps_ = std::make_shared<const std::vector<StepRecord>>(steps);
  return steps_;
}

}  // namespace attn
