// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/lesson/lesson_places.h"

#include <QtGlobal>
#include <algorithm>

namespace attn::gui {
namespace {

using lesson::Place;
using lesson::PlaceKind;

int64_t span_of_step(const EngineBridge& bridge, int64_t step) {
  const std::vector<TraceEvent>& events = bridge.events();
  const auto at = std::ranges::find_if(events, [&](const TraceEvent& event) {
    return event.kind == EventKind::kStep && int64_t{event.a} == step;
  });
  return at == events.end() ? -1 : at - events.begin();
}

}  // namespace

void show_place(const Place& place, const EngineBridge& bridge, Selection& selection) {
  const int64_t request = place.request >= 0 ? place.request : selection.shown_request();
  const int64_t layer = place.layer >= 0 ? place.layer : selection.shown_layer();
  const int64_t head = place.head >= 0 ? place.head : selection.shown_head();
  SelectionState state{.request = request, .layer = layer, .head = head};
  switch (place.kind) {
    case PlaceKind::kCell:
      state.kind = SelectionKind::kCell;
      state.query = place.query;
      state.key = place.key;
      break;
    case PlaceKind::kRow:
      state.kind = SelectionKind::kToken;
      state.query = place.query;
      break;
    case PlaceKind::kToken:
      state.kind = SelectionKind::kToken;
      state.query = place.token;
      break;
    case PlaceKind::kBlock:
      state = {.kind = SelectionKind::kBlock, .block = place.block};
      break;
    case PlaceKind::kStep:
      state = {.kind = SelectionKind::kSpan, .event = span_of_step(bridge, place.step)};
      if (state.event < 0) state = {};
      break;
    case PlaceKind::kHead:
    case PlaceKind::kRequest:
      selection.clear();
      return selection.show(request, layer, head);
  }
  selection.select(state);
}

std::optional<Place> place_of_selection(PlaceKind kind, const Selection& selection,
                                        const TimeCursor& cursor) {
  const SelectionState& state = selection.state();
  Place place{.kind = kind};
  place.request = state.request >= 0 ? state.request : selection.shown_request();
  place.layer = state.layer >= 0 ? state.layer : selection.shown_layer();
  place.head = state.head >= 0 ? state.head : selection.shown_head();
  switch (kind) {
    case PlaceKind::kCell:
      if (state.kind != SelectionKind::kCell) return std::nullopt;
      place.query = state.query;
      place.key = state.key;
      return place;
    case PlaceKind::kRow:
      if (state.query < 0) return std::nullopt;
      place.query = state.query;
      return place;
    case PlaceKind::kToken:
      if (state.kind != SelectionKind::kToken) return std::nullopt;
      place.layer = place.head = -1;
      place.token = state.query;
      return place;
    case PlaceKind::kBlock:
      if (state.kind != SelectionKind::kBlock || state.in_host_pool) return std::nullopt;
      return Place{.kind = kind, .block = state.block};
    case PlaceKind::kHead:
      return place;
    case PlaceKind::kRequest:
      place.layer = place.head = -1;
      return place;
    case PlaceKind::kStep:
      return Place{.kind = kind, .step = int64_t{cursor.step()}};
  }
  return std::nullopt;
}

std::vector<PlaceField> fields_of(PlaceKind kind, const EngineSnapshot* snapshot,
                                  const Selection& selection) {
  if (!snapshot) return {};
  const RequestView* request = request_by_id(*snapshot, selection.shown_request());
  const int64_t tokens =
      request && request->tokens ? static_cast<int64_t>(request->tokens->size()) : 0;
  const int64_t keys = request && request->encoder_tokens
                           ? std::max(tokens, static_cast<int64_t>(request->encoder_tokens->size()))
                           : tokens;
  const PlaceField query{&Place::query, QT_TRANSLATE_NOOP("LessonPlaces", "query"), tokens - 1};
  const PlaceField layer{&Place::layer, QT_TRANSLATE_NOOP("LessonPlaces", "layer"),
                         int64_t{snapshot->source.num_layers} - 1};
  const PlaceField head{&Place::head, QT_TRANSLATE_NOOP("LessonPlaces", "head"),
                        int64_t{snapshot->source.num_heads} - 1};
  switch (kind) {
    case PlaceKind::kCell:
      return {query, {&Place::key, QT_TRANSLATE_NOOP("LessonPlaces", "key"), keys - 1}};
    case PlaceKind::kRow:
      return {query};
    case PlaceKind::kToken:
      return {{&Place::token, QT_TRANSLATE_NOOP("LessonPlaces", "token"), tokens - 1}};
    case PlaceKind::kBlock:
      return {{&Place::block, QT_TRANSLATE_NOOP("LessonPlaces", "block"),
               static_cast<int64_t>(snapshot->blocks.size()) - 1}};
    case PlaceKind::kHead:
      return {layer, head};
    case PlaceKind::kRequest:
      return {{&Place::request, QT_TRANSLATE_NOOP("LessonPlaces", "request"),
               static_cast<int64_t>(snapshot->requests.size()) - 1}};
    case PlaceKind::kStep:
      return {{&Place::step, QT_TRANSLATE_NOOP("LessonPlaces", "step"),
               snapshot->steps ? static_cast<int64_t>(snapshot->steps->size()) : 0}};
  }
  return {};
}

}  // namespace attn::gui
