// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionGroups: the implementations, states, device models and batches of a run's attention
// layers. Engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/scheduler/request.h"
#include "engine/session/run/layer_configs.h"
#include "engine/trace/probe.h"

namespace attn {

// The attention layers of one configuration, which share an implementation. The metadata of a step
// keeps the biases of its layers, so every group has metadata of its own.
struct AttentionGroup {
  AttentionConfig config;
  std::unique_ptr<AttentionImpl> impl;
  std::unique_ptr<AttentionState> state;  // shared by its layers and all steps
  std::unique_ptr<DeviceModel> device;    // the device that the backend models; null: none
  // The batch of a step, of the backend's own type; its memory is reused from step to step.
  std::unique_ptr<AttentionMetadata> batch;
};

class AttentionGroups {
 public:
  AttentionGroups(const AttentionBackend& backend, LayerConfigs configs);

  const LayerConfigs& configs() const { return configs_; }
  DType cache_dtype() const { return groups_.front().config.kv_cache_dtype; }  // the same in all
  AttentionGroup& of(int64_t layer) { return groups_[configs_.index[static_cast<size_t>(layer)]]; }
  std::vector<AttentionGroup>& all() { return groups_; }
  const std::vector<AttentionGroup>& all() const { return groups_; }
  // The batch of the requests' own tokens, not that of an encoder before a decoder.
  const AttentionMetadata& own_batch() { return *of(configs_.num_layers() - 1).batch; }
  // The device that the backend models ("TPU v4"); empty: none.
  std::string modelled_device() const;
  // The first layer from `first` on with cross attention (kCross), or with another type (kOwn); the
  // number of layers if there is none.
  int64_t first_layer_of(TableKind kind, int64_t first) const;

  std::vector<std::string> warnings() const;
  // Throws Error::not_supported() for a batch of the step that the backend cannot compute.
  void check_batches() const;
  // The modelled device time of the attention in the step, ns; 0: no device is modelled.
  double device_ns(int64_t block_size) const;

 private:
  const AttentionBackend& backend_;
  const LayerConfigs configs_;
  std::vector<AttentionGroup> groups_;  // [configs_.distinct]
};

}  // namespace attn
