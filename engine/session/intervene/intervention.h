// SPDX-License-Identifier: GPL-3.0-or-later
// Intervention: one thing that is changed inside a model while it computes a request, to see what
// depends on it. Plain data, part of a scenario's request. Any thread.
//
// Nothing is trained or approximated: the changed numbers go on through the rest of the model as
// its own would. The keys and values that a changed request writes are shared with its forks only,
// which have the same interventions.
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
  kSink,      // the head's learned sink is taken out of its softmax
  kResidual,  // the residual stream is replaced
};
// Replaced by what. kMean: the mean over the positions of the request's own prompt, without any
// intervention. kRequest: what another request has at the same position of its prompt, or at that
// of from_position, without any intervention; positions past its prompt stay as they are.
enum class Replacement { kZero, kMean, kRequest };

std::string_view name_of(InterventionKind kind);  // "head", "edge", "sink", "residual"
std::string_view name_of(Replacement with);       // "zero", "mean", "request"
std::string_view name_of(ResidualSite site);      // "embed", "mid", "post"

inline constexpr int64_t kMostInterventions = 4096;  // of one request

struct Intervention {
  InterventionKind kind = InterventionKind::kHead;
  int64_t layer = 0;  // attention layer; of a residual stream the layer of its site
  int64_t head = 0;   // query head; not of kResidual
  // kHead, kResidual:
  Replacement with = Replacement::kZero;
  int64_t request = 0;  // kRequest: the other request's number, from 0
  // Position of one token, in a layer of the encoder that of an encoder token; -1: all positions.
  int64_t position = -1;
  // kEdge: query -1 stands for every query after the key.
  int64_t query = -1, key = 0;
  // kResidual:
  ResidualSite site = ResidualSite::kPost;
  // kResidual with kRequest: the stream of the other request at this layer and this position is put
  // in. -1: at `layer`, and at the position that is replaced. from_position may be given only where
  // `position` is not -1.
  int64_t from_layer = -1, from_position = -1;
  bool operator==(const Intervention&) const = default;
};

// "head 4.2 off", "head 4.2 at its mean", "head 4.2 of request 1, position 5", "edge 4.2: query 7
// does not read key 3", "sink of head 4.2 off", "residual stream after layer 3 of request 1",
// "residual stream after layer 3 of request 1, position 5, from layer 2, position 4".
std::string text_of(const Intervention& intervention);

// What check_intervention() must know of the run. attention: the scenario's type, by which `shape`
// tells which layers are cross attention; width: of the residual stream, 0: the source has none;
// requests: how many there are; own: the number of the request that is changed.
struct InterventionLimits {
  const SourceShape* shape = nullptr;
  AttentionType attention = AttentionType::kDecoder;
  int64_t width = 0;
  int64_t requests = 0, own = 0;
  int64_t encoder_tokens = 0;
};
// Throws Error(kBadInput) for an intervention that is not possible in this run. `where` names the
// place of the intervention.
void check_intervention(const Intervention& intervention, const InterventionLimits& limits,
                        const std::string& where);

}  // namespace attn
