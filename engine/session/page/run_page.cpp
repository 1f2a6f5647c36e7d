// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/page/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "engine/core/error.h"
#include "engine/core/files/json_writer.h"
#include "engine/session/history/step_history.h"
#include "engine/session/page/color_map_tables.h"
#include "engine/session/report/report.h"

namespace attn {
namespace {

constexpr float kMaskedCell = -1;  // in the place of a masked weight

std::string base64(const std::vector<float>& values) {
  static_assert(std::endian::native == std::endian::little);
  constexpr char kSigns[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) group = group << 8 | (j < left ? bytes[i + j] : 0);
    for (size_t j = 0; j < 4; ++j) text += j <= left ? kSigns[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

// A row has a cell for each key; in causal self attention, for each key up to its own position.
int64_t cells_in_row(const AttentionRecord& record, int64_t layer, int64_t query) {
  const int64_t keys = record.num_keys(layer);
  const WeightRule& rule = record.shape().rules.of(layer);
  return rule.causal && !rule.cross ? std::min(query + 1, keys) : keys;
}

int64_t cells_of(const AttentionRecord& record, int64_t layer) {
  int64_t cells = 0;
  for (int64_t query = 0; query < record.num_rows(); ++query)
    cells += cells_in_row(record, layer, query);
  return cells;
}

std::string weights_of(const AttentionRecord& record, int64_t layer, int64_t head) {
  const WeightRule& rule = record.shape().rules.of(layer);
  std::vector<float> all, row;
  for (int64_t query = 0; query < record.num_rows(); ++query) {
    const int64_t cells = cells_in_row(record, layer, query);
    row.resize(static_cast<size_t>(cells));
    record.weights(layer, head, query, 1, 0, cells, row.data());
    for (int64_t key = 0; key < cells; ++key)
      if (!rule.sees(head, query, key)) row[static_cast<size_t>(key)] = kMaskedCell;
    all.insert(all.end(), row.begin(), row.end());
  }
  return base64(all);
}

class PageWriter {
 public:
  explicit PageWriter(const RunPage& page) : page_(page), run_(*page.snapshot) {}

  std::string write() {
    if (!run_.steps || run_.steps->empty())
      throw_bad_input({"a page shows a run that has computed something", "the run", "no step",
                       "one step or more", "Run it first."});
    const Scenario* scenario = run_.scenario.get();
    data_.begin_object();
    data_.put("title", scenario && !scenario->title.empty() ? scenario->title : "A run");
    data_.put("backend", run_.backend_name);
    data_.put("modelled", run_.modelled_time);
    data_.put("blockSize", run_.block_size);
    put_colors(scenario ? scenario->view : ScenarioView{});
    data_.put("encoderLayers", run_.source.num_encoder_layers());
    put_requests();
    put_steps();
    put_events();
    data_.key("shown").begin_object();
    data_.put("view", page_.view).put("request", place_of_request());
    data_.put("layer", page_.layer).put("head", page_.head).put("step", page_.step);
    data_.end_object();
    put_notes();
    data_.end_object();
    return std::move(data_).take();
  }

 private:
  struct Note {
    std::string_view text;  // one of page_notes
    std::vector<int64_t> numbers;
  };

  // [text, its numbers ...]: the script translates the text.
  void put_notes() {
    data_.key("notes").begin_array();
    for (const Note& note : notes_) {
      data_.begin_array().value(note.text);
      for (const int64_t number : note.numbers) data_.value(number);
      data_.end_array();
    }
    data_.end_array();
  }
  size_t place_of_request() const {
    for (size_t i = 0; i < run_.requests.size(); ++i)
      if (int64_t{run_.requests[i].id} == page_.request) return i;
    return 0;
  }
  void put_texts(const char* key, const std::shared_ptr<const std::vector<TokenView>>& tokens) {
    data_.key(key).begin_array();
    if (tokens)
      for (const TokenView& token : *tokens) data_.value(token.text.str());
    data_.end_array();
  }
  void put_colors(const ScenarioView& view) {
    std::string table;
    for (const uint32_t color : color_map_table(view.color_map))
      table += fmt::format("{:06x}", color);
    data_.key("colors").begin_object();
    data_.put("map", view.color_map).put("scale", view.scale);
    data_.put("low", view.scale == "log" ? kLeastLogWeight : 0.0).put("high", 1.0);
    data_.put("table", table).end_object();
  }
  // Puts the weights of all heads if they fit; otherwise those of the shown layer; otherwise those
  // of the shown head.
  void put_requests() {
    int64_t all = 0, layer_cells = 0, largest = 0;
    for (const RequestView& request : run_.requests) {
      if (!request.attention) continue;
      const int64_t heads = request.attention->shape().num_heads;
      for (int64_t layer = 0; layer < request.attention->shape().num_layers; ++layer) {
        const AttentionRecord* record = request.at(layer).attention.get();
        const int64_t cells = record ? cells_of(*record, layer) : 0;
        all += cells * heads;
        if (layer != page_.layer) continue;
        layer_cells += cells * heads;
        largest += cells;
      }
    }
    const bool all_layers = all <= kMostPageCells, all_heads = layer_cells <= kMostPageCells;
    if (largest > kMostPageCells)
      throw_bad_input({"the weights of this run are too many for a page",
                       "one head of all requests", fmt::format("{} weights", largest),
                       fmt::format("up to {}", kMostPageCells),
                       "Export a picture or a table of the heatmap instead."});
    if (!all_layers)
      notes_.push_back(all_heads ? Note{page_notes::kOneLayer, {page_.layer}}
                                 : Note{page_notes::kOneHead, {page_.layer, page_.head}});
    data_.key("requests").begin_array();
    for (const RequestView& request : run_.requests) {
      data_.begin_object();
      data_.put("id", request.id).put("name", request.name).put("prompt", request.prompt_len);
      put_texts("tokens", request.tokens);
      if (request.encoder_tokens) put_texts("encoder", request.encoder_tokens);
      if (request.attention) {
        data_.key("layers").begin_array();
        for (int64_t layer = 0; layer < request.attention->shape().num_layers; ++layer)
          put_layer(request, layer, [&](int64_t head) {
            return all_layers || (layer == page_.layer && (all_heads || head == page_.head));
          });
        data_.end_array();
      }
      data_.end_object();
    }
    data_.end_array();
  }
  template <class Keeps>
  void put_layer(const RequestView& request, int64_t layer, const Keeps& keeps) {
    const AttentionRecord* record = request.at(layer).attention.get();
    const AttentionRecord::Shape& shape = request.attention->shape();
    const WeightRule& rule = shape.rules.of(layer);
    data_.begin_object();
    data_.put("rows", record ? record->num_rows() : 0);
    data_.put("keys", record ? record->num_keys(layer) : 0);
    data_.put("cross", rule.cross).put("triangle", rule.causal && !rule.cross);
    data_.key("heads").begin_array();
    for (int64_t head = 0; head < shape.num_heads; ++head)
      if (record && keeps(head))
        data_.value(weights_of(*record, layer, head));
      else
        data_.null();
    data_.end_array().end_object();
  }
  void put_steps() {
    StepHistory::Range range;
    if (run_.history) range = run_.history->range();
    if (!range.empty() && range.last - range.first >= kMostPageSteps) {
      range.first = range.last - static_cast<uint32_t>(kMostPageSteps) + 1;
      notes_.push_back({page_notes::kLastSteps, {kMostPageSteps}});
    }
    std::vector<BlockView> before(run_.blocks.size());
    bool any = false;
    const auto put = [&](const EngineSnapshot& then, const StepRecord& record) {
      any = true;
      data_.begin_object();
      data_.put("n", record.step).put("begin", record.begin_ns).put("end", record.end_ns);
      data_.put("prefill", record.prefill_tokens).put("decode", record.decode_tokens);
      data_.put("used", record.used_blocks);
      data_.key("computed").begin_array();
      for (const RequestView& request : then.requests) data_.value(request.num_computed);
      data_.end_array().key("blocks").begin_array();
      for (size_t i = 0; i < then.blocks.size(); ++i) {
        const BlockView &now = then.blocks[i], &old = before[i];
        if (now.owner == old.owner && now.filled == old.filled && now.logical == old.logical &&
            now.ref_count == old.ref_count && now.is_cached() == old.is_cached())
          continue;
        data_.begin_array().value(i).value(now.owner).value(now.filled).value(now.logical);
        data_.value(now.ref_count).value(now.is_cached() ? 1 : 0).end_array();
      }
      data_.end_array().end_object();
      before = then.blocks;
    };
    data_.put("numBlocks", run_.blocks.size()).key("steps").begin_array();
    for (uint32_t step = range.first; step <= range.last; ++step)
      if (const auto then = run_.history ? run_.history->restore(run_, step) : nullptr;
          then && step <= run_.steps->size())
        put(*then, (*run_.steps)[step - 1]);
    if (!any) put(run_, run_.steps->back());
    data_.end_array();
  }
  // Spans as [lane, begin, duration, label, layer]. If there are too many, only those of the
  // engine's lane are written, at most kMostPageEvents.
  void put_events() {
    std::map<std::string, size_t, std::less<>> places;
    std::vector<std::string> labels;
    const auto spans = [this](bool with_tiles) {
      return !page_.events ? 0 : std::ranges::count_if(*page_.events, [&](const TraceEvent& event) {
        return is_span(event.kind) && (with_tiles || event.lane == kEngineLane);
      });
    };
    const bool with_tiles = spans(true) <= kMostPageEvents;
    if (!with_tiles) notes_.push_back({page_notes::kNoTiles, {}});
    int64_t put = 0;
    data_.key("events").begin_array();
    if (page_.events)
      for (const TraceEvent& event : *page_.events) {
        if (!is_span(event.kind) || (!with_tiles && event.lane != kEngineLane)) continue;
        if (put++ == kMostPageEvents) {
          notes_.push_back({page_notes::kFirstSpans, {kMostPageEvents}});
          break;
        }
        const auto [at, is_new] = places.try_emplace(label_of(event), labels.size());
        if (is_new) labels.push_back(at->first);
        data_.begin_array().value(event.lane).value(event.begin_ns);
        data_.value(uint64_t{event.duration_ns}).value(at->second);
        data_.value(event.layer == kNoLayer ? -1 : int{event.layer}).end_array();
      }
    data_.end_array().put("labels", labels);
  }

  const RunPage& page_;
  const EngineSnapshot& run_;
  JsonWriter data_;
  std::vector<Note> notes_;
};

}  // namespace

const std::vector<std::string>& page_views() {
  static const std::vector<std::string> views{"heatmap", "lines", "blocks", "timeline"};
  return views;
}

std::string html_escaped(std::string_view text) {
  std::string html;
  for (const char c : text)
    html += c == '<'   ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '&' ? "&amp;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  return html;
}

// Escapes each "<", because "</script>" or "<!--" would end the script or begin a comment.
std::string script_json(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

std::string run_page_data(const RunPage& page) {
  return script_json(PageWriter(page).write());
}

std::string run_page_html(const RunPage& page) {
  const Scenario* scenario = page.snapshot->scenario.get();
  const std::string title =
      html_escaped(scenario && !scenario->title.empty() ? scenario->title : "A run");
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<div id=\"run\"></div>\n"
      "<noscript><p>This page draws with a script, which the browser does not run.</p></noscript>\n"
      "<script>{2}\nshowRun(document.getElementById('run'), {3}, true);\n</script>\n"
      "</body>\n</html>\n",
      title, page_style(), page_script(), run_page_data(page));
}

}  // namespace attn
