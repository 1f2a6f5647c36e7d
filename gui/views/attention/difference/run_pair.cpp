// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/run_pair.h"

#include <algorithm>

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/views/attention/cell_numbers.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

struct PairPartner {
  const RequestView* request = nullptr;  // null: there is none
  bool by_name = false;
  size_t place = 0;  // of the request in the window, in its list
};

PairPartner partner_of(const EngineSnapshot& here, const RequestView& request,
                       const EngineSnapshot& beside) {
  PairPartner partner;
  size_t named = 0;  // requests of this name before this one
  for (const RequestView& one : here.requests) {
    if (one.id == request.id) break;
    ++partner.place;
    if (one.name == request.name) ++named;
  }
  for (const RequestView& one : beside.requests) {
    if (one.name != request.name) continue;
    if (named == 0) {
      partner.request = &one;
      partner.by_name = true;
      return partner;
    }
    --named;
  }
  if (partner.place < beside.requests.size()) partner.request = &beside.requests[partner.place];
  return partner;
}

PairSide side_of(const ShownRun& run, const RequestView& own, int64_t layer, int64_t head) {
  const RequestView& view = own.at(layer);
  PairSide side;
  side.rows = rows_shown(view, run.past_step ? run.shown.get() : nullptr);
  side.head.record = view.attention;
  side.head.layer = layer;
  side.head.head = head;
  side.head.rows = view.attention ? std::min(side.rows, view.attention->num_rows()) : 0;
  side.head.expected = run.newest->rules;
  side.head.expected_keys =
      view.encoder_tokens ? static_cast<int64_t>(view.encoder_tokens->size()) : 0;
  side.tokens = view.tokens;
  side.key_tokens = side.head.keys_are_tokens() ? view.tokens : view.encoder_tokens;
  side.past_step = run.past_step;
  side.run = run.name;
  side.request = request_name(*run.newest, own.id);
  side.changes = interventions_of(own);
  return side;
}

bool has_requests(const ShownRun& run) {
  return run.newest && run.shown && !run.newest->requests.empty();
}

}  // namespace

bool RunPair::same_heads(const RunPair& other) const {
  const auto same = [](const HeadRef& a, const HeadRef& b) {
    return a.record == b.record && a.layer == b.layer && a.head == b.head;
  };
  return same(here.head, other.here.head) && same(beside.head, other.beside.head);
}

RunPair pair_runs(const ShownRun& here, const ShownRun& beside, int64_t request, int64_t layer,
                  int64_t head) {
  RunPair pair;
  if (!has_requests(here)) {
    pair.refusal = tr("The run in the window has no request yet.");
    return pair;
  }
  if (!has_requests(beside)) {
    pair.refusal = tr("The run beside is being opened, or it has no request.");
    return pair;
  }
  const RequestView* own = request_by_id(*here.newest, request);
  if (!own) own = &here.newest->requests.front();
  pair.request = own->id;
  const PairPartner partner = partner_of(*here.newest, *own, *beside.newest);
  if (!partner.request) {
    pair.refusal =
        tr("The run beside has no request “%1”, and its list of requests has no place "
           "%2. Choose another request in the window.")
            .arg(request_name(*here.newest, own->id), QString::number(partner.place + 1));
    return pair;
  }
  pair.by_name = partner.by_name;
  const auto last = [](int64_t count) { return std::max<int64_t>(0, count - 1); };
  layer = std::clamp<int64_t>(layer, 0, last(here.newest->source.num_layers));
  head = std::clamp<int64_t>(head, 0, last(here.newest->source.num_heads));
  const int64_t layers = beside.newest->source.num_layers, heads = beside.newest->source.num_heads;
  if (layer >= layers || head >= heads) {
    pair.refusal = tr("The run beside has no layer %1 with a head %2: it has %3, and in each %4. "
                      "Choose another layer or head in the window.")
                       .arg(layer)
                       .arg(head)
                       .arg(counted(layers, tr("1 layer"), tr("%1 layers")),
                            counted(heads, tr("1 head"), tr("%1 heads")));
    return pair;
  }
  pair.here = side_of(here, *own, layer, head);
  pair.beside = side_of(beside, *partner.request, layer, head);
  for (const PairSide* side : {&pair.here, &pair.beside})
    if (side->head.rows <= 0) {
      pair.refusal =
          (side == &pair.here
               ? tr("No row of request “%1” is computed in the window at this step.")
               : tr("No row of request “%1” is computed in the run beside at this step."))
              .arg(side->request);
      return pair;
    }
  if (pair.here.head.is_encoder() != pair.beside.head.is_encoder() ||
      pair.here.head.keys_are_tokens() != pair.beside.head.keys_are_tokens())
    pair.refusal =
        tr("In layer %1 the two runs read different kinds of tokens, such as those of an "
           "encoder and those of a decoder, so positions cannot be compared.")
            .arg(layer);
  return pair;
}

std::optional<float> weight_in(const PairSide& side, int64_t query, int64_t key) {
  const bool there = query >= 0 && key >= 0 && side.has(query, key) && side.row_done(query) &&
                     side.head.sees(query, key);
  if (!there || key >= side.head.columns()) return std::nullopt;
  float weight = 0;
  CellNumbers(side.head).cells(query, 1, key, 1, &weight);
  return weight;
}

const TokenView* token_in(const PairTokens& tokens, int64_t position) {
  if (!tokens || position < 0 || position >= static_cast<int64_t>(tokens->size())) return nullptr;
  return &(*tokens)[static_cast<size_t>(position)];
}

}  // namespace attn::gui
