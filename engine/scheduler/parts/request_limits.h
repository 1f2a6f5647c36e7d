// SPDX-License-Identifier: GPL-3.0-or-later
// RequestLimits: checks a request against the configuration and the cache (at its arrival, at its
// admission and after each token), and makes the keys under which prefixes are shared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/scheduler_config.h"

namespace attn {

class RequestLimits {
 public:
  // Both must outlive the limits.
  RequestLimits(const SchedulerConfig& config, const BlockManager& manager);

  // Why the request can never run; "" when it can.
  std::string never_fits(const Request& request);
  // Why the request must end. nullopt: it need not; "": it has generated max_tokens.
  std::optional<std::string> cap_reason(const Request& request) const;
  // Whether the request has room now, with these ids in its own table.
  Room room_for(const Request& request, std::span<const int32_t> own_ids);
  // The key under which the request shares prefixes of its own tokens.
  uint64_t prefix_key(const Request& request);
  // The number of blocks of all tables of the request, for its known tokens, if it shares none.
  int64_t blocks_of(const Request& request) const;
  int64_t capacity_tokens() const { return usable_blocks_ * block_size_; }

 private:
  int64_t copies_of(const Request& request) const;

  const SchedulerConfig& config_;
  const BlockManager& manager_;
  const int64_t block_size_, usable_blocks_;
  // (cache_key, encoder_ids) -> the key under which prefixes of own tokens are shared.
  std::map<std::pair<uint64_t, std::vector<int32_t>>, uint64_t> encoder_keys_;
};

}  // namespace attn
