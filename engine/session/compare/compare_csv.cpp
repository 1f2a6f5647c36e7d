// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a comparison as CSV. Also its modelled devices, and text on how its times were measured
// and where a difference lies.
#include <fmt/format.h>

#include <algorithm>

#include "engine/session/compare/compare.h"
#include "engine/session/report/report.h"

namespace attn {
namespace {

std::string index(int64_t value) {
  return value < 0 ? std::string() : fmt::format("{}", value);
}

class Lines {
 public:
  explicit Lines(const CompareResult& result) : result_(result) {
    text_ =
        "backend,baseline,quantity,kernel,value,unit,step,request,layer,head,query_row,d,"
        "found,expected\n";
  }
  void number(const CompareColumn& column, std::string_view quantity, std::string_view kernel,
              const std::string& value, std::string_view unit) {
    line(column, quantity, kernel, value, unit, ",,,,,,,");
  }
  void placed(const CompareColumn& column, std::string_view quantity, double value,
              std::string_view unit, const ComparePlace& place) {
    if (place.layer < 0) return number(column, quantity, "", format_double(value), unit);
    line(column, quantity, "", format_double(value), unit,
         fmt::format("{},{},{},{},{},{},{},{}", place.step > 0 ? index(place.step) : std::string(),
                     place.request, place.layer, place.head, place.query, index(place.d),
                     format_float(place.value), format_float(place.baseline)));
  }
  std::string take() { return std::move(text_); }

 private:
  void line(const CompareColumn& column, std::string_view quantity, std::string_view kernel,
            const std::string& value, std::string_view unit, const std::string& place) {
    text_ += fmt::format("{},{},{},{},{},{},{}\n", column.name, csv_cell(result_.baseline),
                         quantity, kernel, value, unit, place);
  }
  const CompareResult& result_;
  std::string text_;
};

void add_time(Lines& lines, const CompareColumn& column, const std::string& what,
              std::string_view kernel, const RepeatedTime& time, std::string_view unit) {
  lines.number(column, what, kernel, fmt::format("{}", time.ns), unit);
  lines.number(column, what + "_least", kernel, fmt::format("{}", time.least_ns), unit);
  lines.number(column, what + "_most", kernel, fmt::format("{}", time.most_ns), unit);
}

void add_difference(Lines& lines, const CompareColumn& column, const std::string& what,
                    const Difference& difference) {
  lines.placed(column, what + "_max_abs", difference.max_abs, "", difference.abs_at);
  lines.placed(column, what + "_max_rel", difference.max_rel, "", difference.rel_at);
  lines.number(column, what + "_compared", "", fmt::format("{}", difference.compared), "elements");
  lines.number(column, what + "_unequal", "", fmt::format("{}", difference.unequal), "elements");
  lines.number(column, what + "_outside_tolerance", "", fmt::format("{}", difference.outside),
               "elements");
}

void add_weights(Lines& lines, const CompareColumn& column) {
  if (!column.weights.why.empty()) return;
  lines.placed(column, "weight_max_abs", column.weights.max_abs, "", column.weights.at);
  if (column.weights.key >= 0)
    lines.number(column, "weight_max_abs_key", "", fmt::format("{}", column.weights.key),
                 "position");
}

}  // namespace

std::vector<std::string> modelled_devices(const CompareResult& result) {
  std::vector<std::string> devices;
  for (const CompareColumn& column : result.columns)
    if (column.modelled_device_ns > 0 &&
        std::ranges::find(devices, column.modelled_device) == devices.end())
      devices.push_back(column.modelled_device);
  return devices;
}

std::string compare_csv(const CompareResult& result) {
  Lines lines(result);
  const std::string_view ns = result.modelled_time ? "ns modelled" : "ns";
  for (const CompareColumn& column : result.columns) {
    lines.number(column, "attention", "", csv_cell(result.attention), "");
    for (const std::string& sentence : column.refusals)
      lines.number(column, "refusal", "", csv_cell(sentence), "");
    for (const std::string& sentence : column.warnings)
      lines.number(column, "warning", "", csv_cell(sentence), "");
    if (!column.ran()) continue;
    if (!column.is_baseline) {
      add_difference(lines, column, "output", column.out);
      add_difference(lines, column, "lse", column.lse);
      add_weights(lines, column);
    }
    lines.number(column, "repetitions", "", fmt::format("{}", result.repetitions), "repetitions");
    add_time(lines, column, "attention_time", "", column.total, ns);
    for (const KernelCost& cost : column.kernels) {
      add_time(lines, column, "kernel_time", name_of(cost.kernel), cost.time, ns);
      lines.number(column, "kernel_calls", name_of(cost.kernel), fmt::format("{}", cost.calls),
                   "calls");
    }
    add_time(lines, column, "outside_kernels_time", "", column.outside_kernels, ns);
    if (column.modelled_device_ns > 0)
      lines.number(column, modelled_time_name(column.modelled_device), "",
                   format_double(1e-3 * column.modelled_device_ns), "us modelled");
    lines.number(column, "attention_calls", "", fmt::format("{}", column.calls), "calls");
    lines.number(column, "tiles", "", fmt::format("{}", column.tiles), "tiles");
    lines.number(column, "pairs_visited", "", format_double(column.pairs), "query-key pairs");
    lines.number(column, "pairs_needed", "", format_double(result.needed_pairs), "query-key pairs");
    lines.number(column, "padding_rows", "", fmt::format("{}", column.padding_rows), "rows");
    lines.number(column, "page_fetches", "", fmt::format("{}", column.page_fetches), "fetches");
    lines.number(column, "pages_fetched", "", fmt::format("{}", column.pages), "pages");
    lines.number(column, "calls_split", "", fmt::format("{}", column.splits), "calls");
    lines.number(column, "cache", "", fmt::format("{}", column.cache_bytes), "bytes");
    lines.number(column, "workspace", "", fmt::format("{}", column.workspace_bytes), "bytes");
  }
  return lines.take();
}

std::string times_text(const CompareResult& result) {
  if (result.baseline.empty()) return {};
  if (result.modelled_time) return "Times are modelled, so they are the same in every run.";
  const std::string turns =
      "the backends take turns at every attention call, each with its own empty cache";
  if (result.repetitions > 1)
    return fmt::format(
        "Times are medians of {} measured runs of the whole work, with the least and the most; {}. "
        "In "
        "each run the kernels and the time outside of kernels add up to the attention time; their "
        "medians need not.",
        result.repetitions, turns);
  return fmt::format(
      "Times were measured once{}, and can be a multiple in another run; {}.",
      result.wanted_repetitions > 1 ? ", because a second run would have taken too long" : "",
      turns);
}

std::string place_text(const CompareResult& result, const ComparePlace& place) {
  if (place.layer < 0) return {};
  std::string name = fmt::format("request {}", place.request);
  for (const CompareRequest& request : result.requests)
    if (request.id == place.request) name = request.name;
  std::string text =
      fmt::format("{}, layer {}, head {}, row {}", name, place.layer, place.head, place.query);
  if (place.d >= 0) text += fmt::format(", d {}", place.d);
  return text;
}

}  // namespace attn
