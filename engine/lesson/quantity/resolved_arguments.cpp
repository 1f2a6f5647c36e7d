// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/quantity/resolved_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/lesson/format/words.h"

namespace attn::lesson {

const ArgumentValue* ResolvedArguments::find(std::string_view name) const {
  const auto at = call_.arguments.find(name);
  return at == call_.arguments.end() ? nullptr : &at->second;
}

void ResolvedArguments::refuse(std::string_view what, std::string found,
                               std::string allowed) const {
  throw_bad_input(
      {std::string(what), '`' + call_.text + '`', std::move(found), std::move(allowed), ""});
}

int64_t ResolvedArguments::integer(std::string_view name, int64_t if_absent, int64_t min,
                                   int64_t max) const {
  const ArgumentValue* value = find(name);
  const int64_t number = value ? value->integer : if_absent;
  if (number < min || number > max)
    refuse(fmt::format("the run has no such {}", name), fmt::format("{}", number),
           max < min ? "none" : fmt::format("{} to {}", min, max));
  return number;
}

std::string ResolvedArguments::word(std::string_view name, std::string_view if_absent) const {
  const ArgumentValue* value = find(name);
  return value ? value->text : std::string(if_absent);
}

const RequestView& ResolvedArguments::request() const {
  return request_in(run_.end());
}

const RequestView& ResolvedArguments::request_in(const EngineSnapshot& snapshot) const {
  const ArgumentValue* value = find("request");
  const auto& requests = snapshot.requests;
  if (value && value->kind == ArgumentValue::Kind::kText) {
    const auto at = std::ranges::find(requests, value->text, &RequestView::name);
    if (at != requests.end()) return *at;
    std::vector<std::string> names;
    for (const RequestView& each : requests) names.push_back(each.name);
    refuse("the run has no such request", quote_text(value->text),
           fmt::format("{}", fmt::join(names, ", ")));
  }
  const int64_t id = value ? value->integer : 0;
  if (const RequestView* found = request_by_id(snapshot, id)) return *found;
  refuse("the run has no such request", fmt::format("{}", id),
         fmt::format("0 to {}", static_cast<int64_t>(requests.size()) - 1));
}

const AttentionRecord& ResolvedArguments::record() const {
  const RequestView& of = request().at(layer());
  if (!of.attention) refuse("the request was never computed", of.name, "one that ran");
  return *of.attention;
}

int64_t ResolvedArguments::layer() const {
  const int64_t layers = run_.end().source.num_layers;
  const ArgumentValue* value = find("layer");
  if (value && value->kind == ArgumentValue::Kind::kWord) return layers - 1;  // last
  return integer("layer", run_.scenario().view.layer, 0, layers - 1);
}

int64_t ResolvedArguments::head() const {
  return integer("head", run_.scenario().view.head, 0, run_.end().source.num_heads - 1);
}

int64_t ResolvedArguments::kv_head() const {
  return integer("kv_head", 0, 0, run_.end().source.num_kv_heads - 1);
}

// The position that an argument means. A text means the first token with this text, without regard
// to blanks at its ends; "word#2" means the second such token.
int64_t ResolvedArguments::position(std::string_view name, const std::vector<TokenView>& tokens,
                                    int64_t count, int64_t if_absent) const {
  const ArgumentValue* value = find(name);
  if (!value || value->kind != ArgumentValue::Kind::kText)
    return integer(name, if_absent, 0, count - 1);
  std::string_view text = value->text;
  int64_t nth = 1;
  if (const size_t mark = text.rfind('#'); mark != std::string_view::npos && mark > 0) {
    const auto [end, trouble] =
        std::from_chars(text.data() + mark + 1, text.data() + text.size(), nth);
    if (trouble == std::errc{} && end == text.data() + text.size())
      text = text.substr(0, mark);
    else
      nth = 1;
  }
  const auto most = static_cast<size_t>(std::max<int64_t>(count, 0));
  for (size_t at = 0; at < std::min(tokens.size(), most); ++at)
    if (trimmed_view(tokens[at].text.str()) == trimmed_view(text) && --nth <= 0)
      return static_cast<int64_t>(at);
  std::string all;
  for (size_t at = 0; at < std::min<size_t>(tokens.size(), 12); ++at)
    all += (at ? ", " : "") + quote_text(trimmed_view(tokens[at].text.str()), 20);
  refuse("the run has no such token there", quote_text(value->text), all + ", ...");
}

int64_t ResolvedArguments::query() const {
  const AttentionRecord& of = record();
  const int64_t at_layer = layer(), at_head = head();
  int64_t last = of.num_rows() - 1;
  while (last >= 0 && !of.row_done(at_layer, at_head, last)) --last;
  const ArgumentValue* value = find("query");
  int64_t query = last;
  if (value && value->text == "last_prompt" && value->kind == ArgumentValue::Kind::kWord)
    query = request().at(at_layer).prompt_len - 1;
  else if (value && value->kind != ArgumentValue::Kind::kWord)
    query = position("query", *request().at(at_layer).tokens, last + 1, last);
  if (query < 0 || !of.row_done(at_layer, at_head, query))
    refuse("this row was not computed", fmt::format("query {}", query),
           fmt::format("a row up to {} that was not found in the cache", last));
  return query;
}

int64_t ResolvedArguments::key(std::string_view name, int64_t if_absent) const {
  const AttentionRecord& of = record();
  const int64_t at_layer = layer();
  const int64_t count = of.num_keys(at_layer);
  const ArgumentValue* value = find(name);
  if (!value && if_absent >= 0) return if_absent;
  if (!value)
    refuse(fmt::format("the argument `{}` is missing", name), call_.text, values_of_argument(name));
  if (value->kind == ArgumentValue::Kind::kWord)
    return value->text == "self" ? query() : of.is_cross(at_layer) ? count - 1 : query();
  const RequestView& seen = request().at(at_layer);
  const auto& tokens = of.is_cross(at_layer) ? seen.encoder_tokens : seen.tokens;
  return position(name, tokens ? *tokens : std::vector<TokenView>{}, count, 0);
}

int64_t ResolvedArguments::token() const {
  const RequestView& of = request();
  const auto count = static_cast<int64_t>(of.tokens->size());
  const ArgumentValue* value = find("token");
  if (value && value->kind == ArgumentValue::Kind::kWord)
    return value->text == "last_prompt" ? of.prompt_len - 1 : count - 1;
  return position("token", *of.tokens, count, count - 1);
}

int64_t ResolvedArguments::step() const {
  const std::vector<StepRecord>& steps = *run_.end().steps;
  const ArgumentValue* value = find("step");
  const auto count = static_cast<int64_t>(steps.size());
  if (count == 0) refuse("the run has no steps", "0", "a run that computes something");
  if (value && value->kind == ArgumentValue::Kind::kInteger) return integer("step", 1, 1, count);
  if (value && value->text == "last") return count;
  if (value && value->text == "fullest") return run_.peak().step_to_show;
  // The default is not the last step, because requests give their blocks back at the end.
  return run_.peak().step;
}

bool ResolvedArguments::is_at_peak() const {
  const ArgumentValue* value = find("step");
  return !value || value->text == "peak";
}

int64_t ResolvedArguments::step_to_show() const {
  return is_at_peak() ? run_.peak().step_to_show : step();
}

int64_t ResolvedArguments::step_to_show_block() const {
  if (!is_at_peak()) return step();
  const auto block_number = static_cast<int32_t>(block());
  const auto holds = [&](const RequestView& of) {
    const auto in = [&](const BlockTableView& table) {
      return std::ranges::find(table.blocks, block_number) != table.blocks.end();
    };
    return in(of.own_table) || in(of.cross_table);
  };
  std::vector<int64_t> holders;
  const auto at_peak = snapshot();
  for (const RequestView& of : at_peak->requests)
    if (holds(of) && (has("block") || of.id == request().id)) holders.push_back(of.id);
  if (holders.empty()) return step_to_show();
  const int64_t peak = step();
  for (const int64_t shown : {peak, peak - 1}) {
    if (shown < 1) break;
    const auto shot = run_.after(shown);
    for (const int64_t id : holders)
      if (const RequestView* of = request_by_id(*shot, id); of && holds(*of)) return shown;
  }
  return 0;
}

const StepRecord& ResolvedArguments::step_record() const {
  const int64_t number = step();
  for (const StepRecord& each : *run_.end().steps)
    if (each.step == number) return each;
  refuse("the run has no such step", fmt::format("{}", number), "a step of the run");
}

std::shared_ptr<const EngineSnapshot> ResolvedArguments::snapshot() const {
  return is_at_peak() ? run_.held_in(step()) : run_.after(step());
}

int64_t ResolvedArguments::block() const {
  const auto blocks = static_cast<int64_t>(run_.end().blocks.size());
  if (has("block")) return integer("block", 0, 0, blocks - 1);
  const auto shot = snapshot();
  const RequestView& of = request_in(*shot);
  const BlockTableView& table =
      of.table(of.own_table.blocks.empty() && !of.cross_table.blocks.empty() ? TableKind::kCross
                                                                             : TableKind::kOwn);
  const int64_t logical = token() / std::max<int64_t>(1, run_.end().block_size);
  if (logical >= static_cast<int64_t>(table.blocks.size()) ||
      table.blocks[static_cast<size_t>(logical)] < 0)
    refuse("no block holds this token after the step",
           fmt::format("logical block {} of {}", logical, table.blocks.size()),
           "a step at which the request runs");
  return table.blocks[static_cast<size_t>(logical)];
}

AttentionRow ResolvedArguments::row() const {
  const int64_t at_query = query();
  auto row = attention_row(record(), layer(), head(), at_query);
  if (!row) refuse("this row sees no key", fmt::format("query {}", at_query), "another row");
  return std::move(*row);
}

Place ResolvedArguments::place(PlaceKind kind) const {
  Place place;
  place.kind = kind;
  place.request = request().id;
  if (kind == PlaceKind::kCell || kind == PlaceKind::kRow || kind == PlaceKind::kHead) {
    place.layer = layer();
    place.head = head();
  }
  if (kind == PlaceKind::kCell || kind == PlaceKind::kRow) place.query = query();
  return place;
}

}  // namespace attn::lesson
