// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/attention_groups.h"

#include <utility>

#include "engine/attention/layer_warnings.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"

namespace attn {

AttentionGroups::AttentionGroups(const AttentionBackend& backend, LayerConfigs configs)
    : backend_(backend), configs_(std::move(configs)) {
  for (const AttentionConfig& config : configs_.distinct)
    groups_.push_back({.config = config,
                       .impl = backend.make_impl(config),
                       .state = backend.make_state(),
                       .device = backend.device_model(padded_config(backend, config)),
                       .batch = backend.make_metadata()});
}

std::string AttentionGroups::modelled_device() const {
  const DeviceModel* device = groups_.front().device.get();
  return device ? device->name() : "";
}

int64_t AttentionGroups::first_layer_of(TableKind kind, int64_t first) const {
  while (first < configs_.num_layers() &&
         (configs_.of(first).attn_type == AttentionType::kEncoderDecoder) !=
             (kind == TableKind::kCross))
    ++first;
  return first;
}

std::vector<std::string> AttentionGroups::warnings() const {
  std::vector<std::string> all;
  for (const AttentionGroup& group : groups_)
    add_new(warnings_of(backend_, group.config, *group.impl), all);
  return all;
}

void AttentionGroups::check_batches() const {
  for (const AttentionGroup& group : groups_) {
    if (group.batch->num_seqs() == 0) continue;
    auto reasons = batch_not_supported_reasons(backend_, group.config, *group.batch);
    if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
  }
}

double AttentionGroups::device_ns(int64_t block_size) const {
  double total = 0;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const AttentionGroup& group = groups_[i];
    if (!group.device || group.batch->num_seqs() == 0) continue;
    total += group.device->forward_ns(*group.batch, block_size) *
             static_cast<double>(configs_.count_of(i));
  }
  return total;
}

}  // namespace attn
