// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/intervene/intervention.h"

#include <fmt/format.h>

#include <utility>

#include "engine/core/error.h"

namespace attn {

std::string_view name_of(InterventionKind kind) {
  switch (kind) {
    case InterventionKind::kHead:
      return "head";
    case InterventionKind::kEdge:
      return "edge";
    case InterventionKind::kSink:
      return "sink";
    case InterventionKind::kResidual:
      return "residual";
  }
  return "";
}

std::string_view name_of(Replacement with) {
  switch (with) {
    case Replacement::kZero:
      return "zero";
    case Replacement::kMean:
      return "mean";
    case Replacement::kRequest:
      return "request";
  }
  return "";
}

std::string_view name_of(ResidualSite site) {
  switch (site) {
    case ResidualSite::kEmbed:
      return "embed";
    case ResidualSite::kMid:
      return "mid";
    case ResidualSite::kPost:
      return "post";
  }
  return "";
}

std::string text_of(const Intervention& what) {
  const std::string head = fmt::format("{}.{}", what.layer, what.head);
  const auto changed = [&](std::string subject) {
    switch (what.with) {
      case Replacement::kZero:
        subject += " off";
        break;
      case Replacement::kMean:
        subject += " at its mean";
        break;
      case Replacement::kRequest:
        subject += fmt::format(" of request {}", what.request);
        break;
    }
    if (what.position >= 0) subject += fmt::format(", position {}", what.position);
    if (what.from_layer >= 0 || what.from_position >= 0) subject += ", from";
    if (what.from_layer >= 0) subject += fmt::format(" layer {}", what.from_layer);
    if (what.from_position >= 0)
      subject += fmt::format("{} position {}", what.from_layer >= 0 ? "," : "", what.from_position);
    return subject;
  };
  switch (what.kind) {
    case InterventionKind::kHead:
      return changed("head " + head);
    case InterventionKind::kEdge:
      return what.query < 0 ? fmt::format("edge {}: no later query reads key {}", head, what.key)
                            : fmt::format("edge {}: query {} does not read key {}", head,
                                          what.query, what.key);
    case InterventionKind::kSink:
      return fmt::format("sink of head {} off", head);
    case InterventionKind::kResidual:
      return changed(what.site == ResidualSite::kEmbed
                         ? "residual stream after the embedding"
                         : fmt::format("residual stream after {}layer {}",
                                       what.site == ResidualSite::kMid ? "the attention of " : "",
                                       what.layer));
  }
  return "";
}

void check_intervention(const Intervention& what, const InterventionLimits& limits,
                        const std::string& where) {
  const SourceShape& shape = *limits.shape;
  const auto refuse = [&](const char* key, std::string sentence, int64_t found,
                          std::string allowed) {
    throw_bad_input({std::move(sentence), fmt::format("{}.{}", where, key),
                     fmt::format("{}", found), std::move(allowed), ""});
  };
  const auto check = [&](const char* key, int64_t index, int64_t count) {
    if (index < 0 || index >= count)
      refuse(key, fmt::format("the source has no such {}", key), index,
             fmt::format("0 to {} in {}", count - 1, shape.name));
  };
  check("layer", what.layer, shape.num_layers);
  if (what.kind == InterventionKind::kResidual) {
    if (limits.width == 0)
      throw_bad_input({"the source shows no residual stream", where + ".kind", shape.name,
                       "head or edge", "Use a model as the source."});
    if (what.with == Replacement::kMean)
      throw_bad_input({"a residual stream cannot be replaced by its mean", where + ".with", "mean",
                       "zero or request", ""});
  } else {
    check("head", what.head, shape.num_heads);
  }
  const bool of_stream =
      what.kind == InterventionKind::kResidual && what.with == Replacement::kRequest;
  for (const auto& [key, from] :
       {std::pair("from_layer", what.from_layer), std::pair("from_position", what.from_position)})
    if (from >= 0 && !of_stream)
      refuse(
          key,
          "only the residual stream of another request can be taken from another layer or position",
          from, "-1 in an entry of this kind");
  if (what.from_layer >= 0) {
    check("from_layer", what.from_layer, shape.num_layers);
    if (shape.is_encoder(what.from_layer))
      refuse("from_layer", "the stream of an encoder is not that of the request's tokens",
             what.from_layer,
             fmt::format("{} to {}, the layers of the decoder", shape.num_encoder_layers(),
                         shape.num_layers - 1));
  }
  if (what.from_position >= 0 && what.position < 0)
    refuse("from_position", "one position cannot be put in the place of all", what.from_position,
           "-1, or an entry with a position");
  if (what.with == Replacement::kRequest) {
    if (what.request < 0 || what.request >= limits.requests)
      refuse("request", "there is no such request", what.request,
             fmt::format("0 to {}", limits.requests - 1));
    if (what.request == limits.own)
      refuse("request", "a request cannot take a value from itself", what.request,
             "the number of another request");
  }
  const bool of_embedding =
      what.kind == InterventionKind::kResidual && what.site == ResidualSite::kEmbed;
  if (shape.is_encoder(what.layer) && !of_embedding) {
    if (what.kind != InterventionKind::kHead || what.with != Replacement::kZero)
      throw_bad_input(
          {"in a layer of the encoder only the output of a head can be replaced, and only by zero, "
           "because its rows are the encoder's tokens and not those of the request",
           where + ".layer", fmt::format("{}", what.layer),
           fmt::format("{} to {}, the layers of the decoder", shape.num_encoder_layers(),
                       shape.num_layers - 1),
           "Switch a head of the encoder off, or choose a layer of the decoder."});
    if (what.position >= limits.encoder_tokens)
      refuse("position", "the encoder has no such token", what.position,
             fmt::format("-1 to {}", limits.encoder_tokens - 1));
  }
  if (what.kind != InterventionKind::kEdge) return;
  const bool cross = shape.is_cross(what.layer, limits.attention);
  if (cross && what.query < 0)
    refuse("query", "in cross attention the query of an edge must be named", what.query,
           "a position of the request's own tokens");
  if (cross && what.key >= limits.encoder_tokens)
    refuse("key", "the encoder has no such token", what.key,
           fmt::format("0 to {}", limits.encoder_tokens - 1));
  if (!cross && limits.attention != AttentionType::kEncoderOnly && what.query >= 0 &&
      what.key > what.query)
    refuse("key", "a query sees no later key, so there is no such edge", what.key,
           fmt::format("0 to {}, the query", what.query));
}

}  // namespace attn
