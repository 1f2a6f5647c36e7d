// SPDX-License-Identifier: GPL-3.0-or-later
// SnapshotParts: the views of requests, prefixes and steps in snapshots. Unchanged labels, prefixes
// and steps are shared between snapshots. Engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/model/source.h"
#include "engine/scheduler/request.h"
#include "engine/session/run/parts/run_extras.h"
#include "engine/session/run/parts/run_records.h"
#include "engine/session/run/snapshot.h"

namespace attn {

class SnapshotParts {
 public:
  SnapshotParts(const Source& source, const BlockManager& manager)
      : source_(source), manager_(manager) {}

  RequestView request(const Request& request, const RunRecords& records, const RunExtras& extras);
  // The prefix nodes on the paths to all blocks that can be found; null without prefix caching.
  std::shared_ptr<const std::vector<PrefixView>> prefixes();
  std::shared_ptr<const std::vector<StepRecord>> steps(const std::vector<StepRecord>& steps);

 private:
  struct Labels {
    size_t tokens = 0;
    std::shared_ptr<const std::vector<TokenView>> views, encoder;
    std::shared_ptr<const std::string> prompt, output;
  };
  struct PrefixTokens {
    uint64_t serial = 0;
    std::shared_ptr<const std::vector<TokenView>> views;
  };

  TokenView token(int32_t id);
  Labels& labels_of(const Request& request);
  void list_prefixes(const PrefixIndex& index);

  const Source& source_;
  const BlockManager& manager_;
  std::unordered_map<uint32_t, Labels> labels_;          // key: request id
  std::unordered_map<int32_t, SharedText> token_texts_;  // key: token id
  std::vector<PrefixTokens> prefix_tokens_;              // index: NodeId
  std::shared_ptr<const std::vector<PrefixView>> prefixes_;
  uint64_t prefixes_version_ = 0;
  std::shared_ptr<const std::vector<StepRecord>> steps_;
};

}  // namespace attn
