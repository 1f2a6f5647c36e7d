// SPDX-License-Identifier: GPL-3.0-or-later
// index.html of a report: one page without scripts, for light and dark mode. Texts are escaped.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "engine/core/counted.h"
#include "engine/session/report/report.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --bg: #fbfbfa; --card: #ffffff; --ink: #1d1f23; --dim: #5a616b; --line: #dcdfe4;
        --accent: #1f6feb; --used: #2f7d5b; --grid: #e8eaee; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #15171a; --card: #1d2024; --ink: #e7e9ec; --dim: #a2a9b4; --line: #343940; --accent: #6cabff;
          --used: #65c79b; --grid: #2a2e34; } }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, "Noto Sans", sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.8rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p.lead { color: var(--dim); margin: 0 0 1.2rem; max-width: 48rem; }
.note { border-left: 4px solid var(--accent); background: var(--card); padding: .5rem .9rem; margin: .5rem 0; }
dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .6rem; margin: 0; }
dl.facts div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; }
dt { color: var(--dim); font-size: .85rem; } dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
tr:last-child td { border-bottom: 0; } th { color: var(--dim); font-weight: 600; font-size: .85rem; }
p.text { white-space: pre-wrap; }
th.text, td.text { text-align: left; white-space: normal; }
figure { margin: 0 0 1.4rem; } figcaption { color: var(--dim); margin-top: .3rem; }
figure img { max-width: 100%; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
svg { width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--line); }
svg .used { stroke: var(--used); stroke-width: 2; fill: none; }
svg text { fill: var(--dim); font-size: 12px; } a { color: var(--accent); }
ul.files { columns: 16rem; padding-left: 1.2rem; }
)css";

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// A file name for a link: every byte but plain name characters becomes %XX.
std::string link_to(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    if (plain) {
      out += c;
    } else {
      fmt::format_to(Out(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

void fact(std::string& out, std::string_view name, std::string_view value) {
  fmt::format_to(Out(out), "<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value));
}

std::string milliseconds(uint64_t ns) {
  return fmt::format("{:.3f}", 1e-6 * static_cast<double>(ns));
}

std::string ms_after(uint64_t from, const std::optional<uint64_t>& to) {
  return to && *to >= from ? milliseconds(*to - from) : "–";
}

void write_facts(std::string& out, const ReportInputs& inputs) {
  const EngineSnapshot& shot = *inputs.snapshot;
  const uint64_t end = shot.steps && !shot.steps->empty() ? shot.steps->back().end_ns : 0;
  out += "<h2>Run</h2>\n<dl class=\"facts\">\n";
  fact(out, "Source", shot.source.name);
  fact(out, "Backend", shot.backend_name);
  if (shot.scenario) fact(out, "Attention", attention_text(shot.scenario->attention, shot.source));
  std::vector<std::string> changed;
  for (const RequestView& request : shot.requests)
    for (const Intervention& what : request.interventions)
      changed.push_back(request.name + ", " + text_of(what));
  if (!changed.empty())
    fact(out, "Changed inside the model", fmt::format("{}", fmt::join(changed, "; ")));
  fact(out, "Layers × heads (KV heads)",
       fmt::format("{} × {} ({})", shot.source.num_layers, shot.source.num_heads,
                   shot.source.num_kv_heads));
  fact(out, "Head size", fmt::format("{}", shot.source.head_size));
  fact(out, "KV cache",
       fmt::format("{} of {}, {:.2f} MiB", counted(shot.blocks.size(), "block", "blocks"),
                   counted(shot.block_size, "token", "tokens"),
                   static_cast<double>(shot.cache_bytes) / (1 << 20)));
  fact(out, "Workers", fmt::format("{}", shot.num_lanes - 1));
  fact(out, "Engine steps", fmt::format("{}", shot.steps ? shot.steps->size() : 0));
  fact(out, "Generated tokens", generated_text(shot));
  fact(out, shot.modelled_time ? "Time (modelled)" : "Time", milliseconds(end) + " ms");
  fact(out, "State", name_of(shot.phase));
  fact(out, "Trace events",
       fmt::format("{} recorded, {} dropped", inputs.counts.recorded, inputs.counts.dropped));
  if (shot.scenario) fact(out, "Seed", fmt::format("{}", shot.scenario->seed));
  if (shot.scenario) fact(out, "Scenario hash", scenario_hash(*shot.scenario));
  out += "</dl>\n";
}

std::string state_text(RequestState state) {
  const auto word = [state] {
    switch (state) {
      case RequestState::kWaiting:
        return "Waiting";
      case RequestState::kRunning:
        return "Running";
      case RequestState::kSwapped:
        return "Swapped";
      case RequestState::kFinishedStopped:
        return "Finished";
      case RequestState::kFinishedLengthCapped:
        return "At limit";
      case RequestState::kFinishedAborted:
        return "Aborted";
      case RequestState::kFinishedIgnored:
        return "Ignored";
    }
    return "";
  }();
  return fmt::format("{} (<code>{}</code>)", word, name_of(state));
}

void write_requests(std::string& out, const EngineSnapshot& shot) {
  out +=
      "<h2>Requests</h2>\n<div class=\"wide\"><table><tr><th class=\"text\">Name</th><th "
      "class=\"text\">State</th>"
      "<th>Prompt tokens</th><th>New tokens</th><th>Queue ms</th><th>First token ms</th><th>End to "
      "end ms</th>"
      "<th>Preempted</th></tr>\n";
  for (const RequestView& request : shot.requests) {
    const RequestTimes& times = request.times;
    fmt::format_to(Out(out),
                   "<tr><td class=\"text\">{}</td><td "
                   "class=\"text\">{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                   "<td>{}</td><td>{}</td></tr>\n",
                   escape(request.name), state_text(request.state),
                   request.ignored_reason.empty() ? "" : ": " + escape(request.ignored_reason),
                   request.prompt_len, times.token_ns.size(),
                   ms_after(times.queued_ns, times.scheduled_ns),
                   ms_after(times.queued_ns, times.first_token_ns),
                   ms_after(times.queued_ns, times.finished_ns), request.num_preemptions);
  }
  out += "</table></div>\n";
}

void write_texts(std::string& out, const EngineSnapshot& shot) {
  if (!shot.scenario || !shot.scenario->source.reads_text()) return;
  out += "<h2>Texts</h2>\n";
  for (const RequestView& request : shot.requests) {
    if (!request.prompt_text || !request.output_text) continue;
    fmt::format_to(Out(out), "<p class=\"text\"><strong>{}.</strong> {}", escape(request.name),
                   escape(*request.prompt_text));
    if (!request.output_text->empty())
      fmt::format_to(Out(out), "<mark>{}</mark>", escape(*request.output_text));
    out += "</p>\n";
  }
  out += "<p class=\"lead\">Generated tokens are marked.</p>\n";
}

void write_kernels(std::string& out, const std::vector<TraceEvent>& events) {
  struct Sum {
    uint64_t calls = 0, total_ns = 0, longest_ns = 0;
  };
  std::map<uint32_t, Sum> kernels;
  uint64_t all_ns = 0;
  for (const TraceEvent& event : events) {
    if (event.kind != EventKind::kKernel) continue;
    Sum& sum = kernels[event.a];
    ++sum.calls;
    sum.total_ns += event.duration_ns;
    sum.longest_ns = std::max<uint64_t>(sum.longest_ns, event.duration_ns);
    all_ns += event.duration_ns;
  }
  if (kernels.empty()) return;
  std::vector<std::pair<uint32_t, Sum>> order(kernels.begin(), kernels.end());
  std::ranges::stable_sort(
      order, [](const auto& x, const auto& y) { return x.second.total_ns > y.second.total_ns; });
  out +=
      "<h2>Kernels</h2>\n<div class=\"wide\"><table><tr><th "
      "class=\"text\">Kernel</th><th>Calls</th><th>Total ms</th>"
      "<th>Mean µs</th><th>Longest µs</th><th>Share</th></tr>\n";
  for (const auto& [kernel, sum] : order)
    fmt::format_to(
        Out(out),
        "<tr><td "
        "class=\"text\">{}</td><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td><td>{:.1f} "
        "%</td></tr>\n",
        name_of(static_cast<KernelId>(kernel)), sum.calls, milliseconds(sum.total_ns),
        1e-3 * static_cast<double>(sum.total_ns) / static_cast<double>(sum.calls),
        1e-3 * static_cast<double>(sum.longest_ns),
        all_ns ? 100.0 * static_cast<double>(sum.total_ns) / static_cast<double>(all_ns) : 0.0);
  out += "</table></div>\n";
}

// Draws the KV blocks in use after each step as a step line. The top of the picture is a full
// cache, without the null block of a sliding window, which does not count as used. With more steps
// than columns, a column shows the largest number of its steps.
void write_cache_use(std::string& out, const EngineSnapshot& shot) {
  if (!shot.steps || shot.steps->size() < 2 || usable_blocks(shot) < 1) return;
  constexpr int kWidth = 860, kHeight = 130, kLeft = 60, kTop = 15;
  const std::vector<StepRecord>& steps = *shot.steps;
  const int64_t total = usable_blocks(shot);
  const size_t columns = std::min<size_t>(steps.size(), kWidth);
  std::string points;
  for (size_t c = 0; c < columns; ++c) {
    const size_t begin = c * steps.size() / columns,
                 end = std::max(begin + 1, (c + 1) * steps.size() / columns);
    int64_t used = 0;
    for (size_t i = begin; i < end; ++i) used = std::max(used, steps[i].used_blocks);
    const double x0 =
        kLeft + static_cast<double>(kWidth) * static_cast<double>(c) / static_cast<double>(columns);
    const double x1 = kLeft + static_cast<double>(kWidth) * static_cast<double>(c + 1) /
                                  static_cast<double>(columns);
    const double y = kTop + kHeight * (1 - static_cast<double>(used) / static_cast<double>(total));
    fmt::format_to(Out(points), "{:.1f},{:.1f} {:.1f},{:.1f} ", x0, y, x1, y);
  }
  fmt::format_to(Out(out),
                 "<h2>KV blocks in use after each step</h2>\n<svg viewBox=\"0 0 940 185\" "
                 "role=\"img\" aria-label=\"KV blocks in use\">"
                 "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" class=\"grid\"/>"
                 "<line x1=\"{0}\" y1=\"{3}\" x2=\"{2}\" y2=\"{3}\" class=\"axis\"/>"
                 "<text x=\"{4}\" y=\"{5}\" text-anchor=\"end\">{6}</text><text x=\"{4}\" "
                 "y=\"{7}\" text-anchor=\"end\">0</text>"
                 "<text x=\"{0}\" y=\"{8}\">step {9}</text><text x=\"{2}\" y=\"{8}\" "
                 "text-anchor=\"end\">step {10}</text>"
                 "<polyline class=\"used\" points=\"{11}\"/></svg>\n",
                 kLeft, kTop, kLeft + kWidth, kTop + kHeight, kLeft - 8, kTop + 4, total,
                 kTop + kHeight + 4, kTop + kHeight + 20, steps.front().step, steps.back().step,
                 points);
}

std::string caption_of(std::string_view file) {
  std::string caption(file.substr(0, file.rfind('.')));
  std::ranges::replace(caption, '-', ' ');
  std::ranges::replace(caption, '_', ' ');
  if (!caption.empty() && caption[0] >= 'a' && caption[0] <= 'z')
    caption[0] = static_cast<char>(caption[0] - 'a' + 'A');
  return caption;
}

// Writes a figure for each PNG, with links to its SVG, PDF and CSV if they are there.
void write_pictures(std::string& out, const std::vector<std::string>& files) {
  std::vector<std::string> pictures;
  for (const std::string& file : files)
    if (file.ends_with(".png") && std::ranges::find(pictures, file) == pictures.end())
      pictures.push_back(file);
  if (pictures.empty()) return;
  out += "<h2>Pictures</h2>\n";
  for (const std::string& picture : pictures) {
    const std::string link = link_to(picture), caption = escape(caption_of(picture));
    fmt::format_to(Out(out),
                   "<figure><a href=\"{0}\"><img src=\"{0}\" "
                   "alt=\"{1}\"></a><figcaption>{1}",
                   link, caption);
    const std::string stem = picture.substr(0, picture.size() - 4);
    const auto link_twin = [&](std::string_view label, const std::vector<std::string>& candidates) {
      for (const std::string& twin : candidates) {
        if (std::ranges::find(files, twin) == files.end()) continue;
        fmt::format_to(Out(out), " · <a href=\"{}\">{}</a>", link_to(twin), label);
        return;
      }
    };
    link_twin("SVG", {stem + ".svg"});
    link_twin("PDF", {stem + ".pdf"});
    link_twin("CSV", stem == "blocks"
                         ? std::vector<std::string>{"block_table-view.csv", "block_table.csv"}
                         : std::vector<std::string>{stem + "-view.csv", stem + ".csv"});
    out += "</figcaption></figure>\n";
  }
}

void write_notes(std::string& out, const std::vector<StepNote>& notes) {
  if (notes.empty()) return;
  out += "<h2>Notes</h2>\n";
  for (const StepNote& note : notes)
    fmt::format_to(Out(out), "<p class=\"text\"><strong>Step {}.</strong> {}</p>\n", note.step,
                   escape(note.text));
}

void write_files(std::string& out, const std::vector<std::string>& files) {
  out += "<h2>Files</h2>\n<ul class=\"files\">\n";
  for (const std::string& file : files)
    fmt::format_to(Out(out), "<li><a href=\"{}\">{}</a></li>\n", link_to(file), escape(file));
  out +=
      "</ul>\n<p class=\"lead\">trace.perfetto-trace opens in ui.perfetto.dev, trace.json there "
      "and in chrome://tracing.</p>\n";
}

}  // namespace

std::string index_html(const ReportInputs& inputs, const std::vector<std::string>& files) {
  const EngineSnapshot& shot = *inputs.snapshot;
  const std::string title =
      shot.scenario && !shot.scenario->title.empty() ? shot.scenario->title : "Run report";
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – "
      "Attention Workbench</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
      escape(title), kStyle, escape(title));
  if (shot.scenario && !shot.scenario->description.empty())
    fmt::format_to(Out(out), "<p class=\"lead\">{}</p>\n", escape(shot.scenario->description));
  if (shot.modelled_time)
    out +=
        "<p class=\"note\">All times are <em>modelled</em>: the run used the virtual clock, "
        "nothing was measured.</p>\n";
  if (shot.slowed_or_paused)
    fmt::format_to(Out(out), "<p class=\"note\">{}</p>\n",
                   shot.modelled_time ? kSmallerTilesNote : kWaitingNote);
  if (!shot.phase_detail.empty())
    fmt::format_to(Out(out), "<p class=\"note\">{}</p>\n", escape(shot.phase_detail));
  for (const std::string& message : inputs.messages)
    fmt::format_to(Out(out), "<p class=\"note\">{}</p>\n", escape(message));
  write_facts(out, inputs);
  write_notes(out, inputs.notes);
  write_pictures(out, inputs.pictures);
  write_requests(out, shot);
  write_texts(out, shot);
  write_cache_use(out, shot);
  write_kernels(out, inputs.events);
  write_files(out, files);
  fmt::format_to(Out(out),
                 "<p class=\"lead\">Attention Workbench {}</p>\n</main>\n</body>\n</html>\n",
                 ATTN_VERSION);
  return out;
}

}  // namespace attn
