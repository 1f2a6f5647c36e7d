// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/quantity/place.h"

#include <fmt/format.h>

#include "engine/lesson/quantity/lesson_language.h"

namespace attn::lesson {
namespace {

constexpr PlaceKind kKinds[] = {PlaceKind::kCell,  PlaceKind::kRow,  PlaceKind::kToken,
                                PlaceKind::kBlock, PlaceKind::kHead, PlaceKind::kRequest,
                                PlaceKind::kStep};

}  // namespace

std::string_view name_of(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::kCell:
      return "cell";
    case PlaceKind::kRow:
      return "row";
    case PlaceKind::kToken:
      return "token";
    case PlaceKind::kBlock:
      return "block";
    case PlaceKind::kHead:
      return "head";
    case PlaceKind::kRequest:
      return "request";
    case PlaceKind::kStep:
      return "step";
  }
  return "";
}

std::optional<PlaceKind> place_kind_named(std::string_view name) {
  for (const PlaceKind kind : kKinds)
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

std::string to_string(const Place& place, bool with_request, std::string_view language) {
  const auto named = [&](std::string_view word, int64_t number) {
    return fmt::format("{} {}", in_language(word, language), number);
  };
  std::string text;
  switch (place.kind) {
    case PlaceKind::kCell:
      text = fmt::format("{}, {}, {}, {}", named("layer", place.layer), named("head", place.head),
                         named("query", place.query), named("key", place.key));
      break;
    case PlaceKind::kRow:
      text = fmt::format("{}, {}, {}", named("layer", place.layer), named("head", place.head),
                         named("query", place.query));
      break;
    case PlaceKind::kToken:
      text = named("token", place.token);
      break;
    case PlaceKind::kBlock:
      return named("block", place.block);
    case PlaceKind::kHead:
      text = fmt::format("{}, {}", named("layer", place.layer), named("head", place.head));
      break;
    case PlaceKind::kRequest:
      return named("request", place.request);
    case PlaceKind::kStep:
      return named("step", place.step);
  }
  return with_request && place.request >= 0
             ? fmt::format("{}, {}", named("request", place.request), text)
             : text;
}

bool is_at(const Place& clicked, const Place& target) {
  const bool same_head = clicked.request == target.request && clicked.layer == target.layer &&
                         clicked.head == target.head;
  switch (target.kind) {
    case PlaceKind::kCell:
      return clicked.kind == PlaceKind::kCell && same_head && clicked.query == target.query &&
             clicked.key == target.key;
    case PlaceKind::kRow:
      return (clicked.kind == PlaceKind::kRow || clicked.kind == PlaceKind::kCell) && same_head &&
             clicked.query == target.query;
    case PlaceKind::kHead:
      return (clicked.kind == PlaceKind::kHead || clicked.kind == PlaceKind::kRow ||
              clicked.kind == PlaceKind::kCell) &&
             same_head;
    case PlaceKind::kToken:
      return clicked.kind == target.kind && clicked.request == target.request &&
             clicked.token == target.token;
    case PlaceKind::kBlock:
      return clicked.kind == target.kind && clicked.block == target.block;
    case PlaceKind::kRequest:
      return clicked.kind == target.kind && clicked.request == target.request;
    case PlaceKind::kStep:
      return clicked.kind == target.kind && clicked.step == target.step;
  }
  return false;
}

}  // namespace attn::lesson
