// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/other_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/files/input_file.h"
#include "engine/core/files/json.h"
#include "engine/model/files/safetensors.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCanBeOpened =
    "a scenario (.json), a saved session (.attn-session), a model (.gguf, or a folder with "
    "config.json), tensors (.safetensors, .npy), or a lesson (.md)";

constexpr uint64_t kSeen = 1024;  // bytes of the beginning that are looked at

std::string beginning_of(const fs::path& file) {
  const InputFile input = InputFile::open(file, "a file");
  std::string bytes(std::min<uint64_t>(input.size(), kSeen), '\0');
  input.read(0, bytes.data(), bytes.size());
  return bytes;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

struct Kind {
  std::string name;  // empty: none of these
  std::string advice;
};

// The kind of a file that is known by its first bytes.
Kind kind_of_bytes(std::string_view bytes) {
  const std::string picture =
      "A picture does not contain the run. Open the scenario it was made from, or save the run as "
      "a session (Save session) to show it again.";
  struct Start {
    std::string_view bytes;
    const char* name;
    bool is_picture;
  };
  using namespace std::string_view_literals;
  static constexpr Start kStarts[] = {{"\x89PNG"sv, "a PNG picture", true},
                                      {"\xff\xd8\xff"sv, "a JPEG picture", true},
                                      {"GIF8"sv, "a GIF picture", true},
                                      {"%PDF-"sv, "a PDF document", true},
                                      {"<svg"sv, "an SVG drawing", true},
                                      {"<?xml"sv, "an XML file", false},
                                      {"<!doctype"sv, "a web page", false},
                                      {"<html"sv, "a web page", false},
                                      {"PK\x03\x04"sv, "a ZIP archive", false},
                                      {"\x1f\x8b"sv, "a gzip archive", false},
                                      {"\x7f"
                                       "ELF"sv,
                                       "a program", false}};
  const std::string small = lower_case(std::string(bytes));
  if (small.starts_with("<?xml") && small.find("<svg") != std::string::npos)
    return {"an SVG drawing", picture};
  for (const Start& start : kStarts)
    if (bytes.starts_with(start.bytes) || small.starts_with(start.bytes))
      return {start.name, start.is_picture ? picture : ""};
  return {};
}

bool is_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
}

// A trace for viewers of Chrome's trace format: an object with `traceEvents`, as a report has it
// (trace.json), or a list of events.
bool is_chrome_trace(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (text[first] == '[')
    return text.find("\"ph\"") != std::string_view::npos &&
           text.find("\"pid\"") != std::string_view::npos;
  // A key, not a title of this name.
  constexpr std::string_view kKey = "\"traceEvents\"";
  const size_t key = text.find(kKey);
  if (text[first] != '{' || key == std::string_view::npos) return false;
  const size_t after = text.find_first_not_of(" \t\r\n", key + kKey.size());
  return after != std::string_view::npos && text[after] == ':';
}

const Kind& kind_of_trace() {
  static const Kind kind{
      "a trace of a run for viewers such as Perfetto",
      "Open it at ui.perfetto.dev or in another viewer of Chrome traces. To see the run here, open "
      "its saved session (.attn-session), or the scenario.json that lies beside the trace in a "
      "report. The index.html of the report shows the run in a browser."};
  return kind;
}

// A table or another text. Empty: the parser reports the mistake.
Kind kind_of_text(const fs::path& file, const std::string& bytes) {
  const std::string ending = lower_case(file.extension().string());
  if (ending == ".csv" || ending == ".tsv") {
    const std::string columns = bytes.substr(0, bytes.find_first_of("\r\n"));
    return {fmt::format("a table with the columns {}", quote_text(columns)),
            "Tables of a report are for spreadsheets and other programs. To show the run again, "
            "open the scenario.json that lies beside them in the report, or save the run as a "
            "session (Save session)."};
  }
  if (is_chrome_trace(bytes)) return kind_of_trace();
  if (ending == ".json" || bytes.find_first_not_of(" \t\r\n") == std::string::npos ||
      bytes[bytes.find_first_not_of(" \t\r\n")] == '{')
    return {};  // the parser reports the mistake
  return {"a text", "To use a text as a prompt, paste it into the prompt in the panel Workload."};
}

// Recognises the operands and the result of `attn op`, which are not queries, keys and values of
// whole sequences.
Kind kind_of_tensors(const SafetensorsFile& file) {
  const auto has = [&](std::string_view name) { return file.find(name) != nullptr; };
  const bool is_call = has("seq_lens") || has("query_lens") || has("slot_mapping") ||
                       has("block_tables") || has("key_cache");
  if (has("query") && is_call)
    return {
        "one attention call, as `attn op` reads it: a batch with its lengths, slots or block "
        "tables",
        "`attn op --in FILE --out RESULT --weights` runs it and writes its weights. To see "
        "tensors in the window, give the query, key and value of whole sequences alone."};
  if (has("output") && has("lse") && !has("query"))
    return {"the result of `attn op`",
            "`attn inspect FILE` lists its tensors. To see tensors in the window, give the query, "
            "key and value of whole sequences."};
  return {};
}

Kind kind_of(const fs::path& file) {
  if (lower_case(file.extension().string()) == ".safetensors")
    return kind_of_tensors(SafetensorsFile::open(file));
  if (lower_case(file.extension().string()) == ".perfetto-trace") return kind_of_trace();
  const std::string bytes = beginning_of(file);
  Kind kind = kind_of_bytes(bytes);
  if (kind.name.empty() && is_text(bytes)) kind = kind_of_text(file, bytes);
  return kind;
}

}  // namespace

void refuse_other_file(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) return;
  Kind kind;
  try {
    kind = kind_of(file);
  } catch (const Error&) {
    return;  // opening it gives the error
  }
  if (kind.name.empty()) return;
  throw_bad_input(
      {"this file cannot be opened", file.string(), kind.name, kCanBeOpened, kind.advice});
}

}  // namespace attn
