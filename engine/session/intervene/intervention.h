// SPDX-License-Identifier: GPL-3.0-or-later
// Intervention: one change inside a model while it computes a request. Plain data, part of a
// scenario's request. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/residual.h"
#include "engine/model/source.h"

namespace attn {

enum class InterventionKind {
  kHead,      // the output of a head, before W_O, is replaced
  kEdge,      // the score of a query and a key becomes -inf before the softmax
  kSink,      // the head's sink is taken out of its softmax
  kResidual,  // the residual stream is replaced
};
// What replaces the values. kMean: the mean over the request's own prompt in a run without
// interventions. kRequest: the values of another request's prompt in a run without interventions.
// Positions past that prompt stay as they are.
enum class Replacement { kZero, kMean, kRequest };

std::string_view name_of(InterventionKind kind);  // "head", "edge", "sink", "residual"
std::string_view name_of(Replacement with);       // "zero", "mean", "request"
std::string_view name_of(ResidualSite site);      // "embed", "mid", "post"

inline constexpr int64_t kMostInterventions = 4096;  // of one request

struct Intervention {
  InterventionKind kind = InterventionKind::kHead;
  int64_t layer = 0;  // attention layer; of a residual stream the layer of its site
  int64_t head = 0;   // query head; not used by kResidual
  // kHead, kResidual:
  Replacement with = Replacement::kZero;
  int64_t request = 0;  // kRequest: the other request's number, from 0
  // Position of one token; in a layer of the encoder, of an encoder token. -1: all positions.
  int64_t position = -1;
  // kEdge: query -1 stands for every query after the key.
  int64_t query = -1, key = 0;
  // kResidual:
  ResidualSite site = ResidualSite::kPost;
  // kResidual with kRequest: where the other request's stream is read. -1: at `layer`, at the
  // replaced position. from_position may be given only with a `position`.
  int64_t from_layer = -1, from_position = -1;
  bool operator==(const Intervention&) const = default;
};

// For example "head 4.2 off", "edge 4.2: query 7 does not read key 3" or "residual stream after
// layer 3 of request 1, position 5".
std::string text_of(const Intervention& intervention);

// What check_intervention() needs to know of the run. width: of the residual stream; 0: the source
// has none. own: the number of the changed request.
struct InterventionLimits {
  const SourceShape* shape = nullptr;
  AttentionType attention = AttentionType::kDecoder;
  int64_t width = 0;
  int64_t requests = 0, own = 0;
  int64_t encoder_tokens = 0;
};
// Throws Error(kBadInput) for an intervention that is not possible in this run; that a head has a
// sink is checked by rules_with(). where: its place, for errors.
void check_intervention(const Intervention& intervention, const InterventionLimits& limits,
                        const std::string& where);

}  // namespace attn
