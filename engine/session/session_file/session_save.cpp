// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a run as a session file. The small chunks are made in memory first, so that the size of the
// file is known before it is written. Also is_session_file() and session_chunks().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <tuple>

#include "engine/core/error.h"
#include "engine/session/history/step_history.h"
#include "engine/session/session_file/session_chunks.h"
#include "engine/session/session_file/session_events.h"
#include "engine/session/session_file/session_fields.h"
#include "engine/session/session_file/session_file.h"

namespace attn {
namespace {

constexpr size_t kEventsAtOnce = size_t{1} << 15;

SessionLimits limits_of(const EngineSnapshot& shot) {
  SessionLimits limits;
  limits.num_blocks = static_cast<int64_t>(shot.blocks.size());
  limits.num_swap_blocks = static_cast<int64_t>(shot.swap_blocks.size());
  limits.block_size = shot.block_size;
  limits.num_steps = static_cast<int64_t>(shot.steps->size());
  set_tables(limits, shot.source, *shot.scenario);
  limits.has_prefixes = shot.prefixes != nullptr;
  for (const RequestView& request : shot.requests) {
    limits.request_ids.push_back(request.id);
    limits.request_tokens.push_back(static_cast<int64_t>(request.tokens->size()));
    limits.prompt_tokens.push_back(request.prompt_len);
  }
  return limits;
}

// Refuses a run that lacks parts, for example one that is still being loaded.
void check_there_is_a_run(const std::filesystem::path& file, const SessionInputs& inputs) {
  const EngineSnapshot* shot = inputs.snapshot.get();
  if (shot && shot->scenario && shot->rules && shot->steps && shot->source.num_layers > 0 &&
      inputs.recorder)
    return;
  throw_bad_input({"there is no run to save yet", file.string(),
                   shot ? fmt::format("a run that is {}", name_of(shot->phase)) : "nothing",
                   "a run that has begun", "Start the run first."});
}

std::string tokens_chunk(const EngineSnapshot& shot) {
  std::map<int32_t, const std::string*> texts;
  const auto add = [&](const std::vector<TokenView>& tokens) {
    for (const TokenView& token : tokens) texts.emplace(token.id, &token.text.str());
  };
  for (const RequestView& request : shot.requests) {
    add(*request.tokens);
    if (request.encoder_tokens) add(*request.encoder_tokens);
  }
  if (shot.prefixes)
    for (const PrefixView& prefix : *shot.prefixes) add(*prefix.tokens);
  PutBytes out;
  out.natural(texts.size());
  for (const auto& [id, text] : texts) {
    out.number(id, 0, std::numeric_limits<int32_t>::max(), "token");
    out.text(*text, "text of a token");
  }
  return std::move(out.bytes);
}

void put_tokens(const std::vector<TokenView>& tokens, PutBytes& out) {
  out.list(tokens, kMostCount, "tokens", [&](const TokenView& token) {
    out.number(token.id, 0, std::numeric_limits<int32_t>::max(), "token");
  });
}

std::string run_chunk(const EngineSnapshot& shot) {
  PutBytes out;
  out.text(ATTN_VERSION, "version of the program");
  out.text(shot.scenario->origin.file, "file of the scenario");
  archive_shape(out, shot);
  // A source that says nothing of its layers has one rule for all of them.
  const bool each_layer = !shot.source.calls.empty();
  out.flag(each_layer, "says what each layer does");
  for (const AttentionCall& call : shot.source.calls)
    archive_call(out, call, shot.source.num_heads, true);
  for (int64_t layer = 0; layer < (each_layer ? shot.source.num_layers : 1); ++layer)
    archive_rule(out, shot.rules->of(layer), shot.source.num_heads, true);
  archive_figures(out, shot);
  out.flag(shot.rounding != nullptr, "has counts of rounding");
  if (shot.rounding) archive_rounding(out, *shot.rounding);
  return std::move(out.bytes);
}

std::string requests_chunk(const EngineSnapshot& shot, const SessionLimits& limits) {
  PutBytes out;
  // The ids and tokens come first, because other parts refer to them.
  out.list(shot.requests, kMostCount, "requests", [&](const RequestView& request) {
    out.number(request.id, 0, kMostId, "request");
    out.number(request.prompt_len, 0, kMostId, "prompt tokens");
    put_tokens(*request.tokens, out);
    if (limits.has_encoder) put_tokens(*request.encoder_tokens, out);
    out.flag(request.attention != nullptr, "has been computed");
  });
  for (const RequestView& request : shot.requests) {
    archive_request(out, request, limits);
    out.text(request.prompt_text ? *request.prompt_text : "", "prompt");
    out.text(request.output_text ? *request.output_text : "", "output");
    if (was_added(request, *shot.scenario)) archive_added(out, request);
  }
  archive_plan(out, shot.plan, limits);
  return std::move(out.bytes);
}

std::string steps_chunk(const EngineSnapshot& shot) {
  PutBytes out;
  uint64_t before = 0;
  out.list(*shot.steps, kMostStep, "steps",
           [&](const StepRecord& record) { archive_step_record(out, record, before); });
  return std::move(out.bytes);
}

std::string blocks_chunk(const EngineSnapshot& shot, const SessionLimits& limits) {
  PutBytes out;
  out.natural(shot.swap_blocks.size());
  for (const auto* pool : {&shot.blocks, &shot.swap_blocks})
    for (const BlockView& block : *pool) archive_block_view(out, block, limits);
  out.flag(shot.prefixes != nullptr, "has a prefix tree");
  if (shot.prefixes)
    out.list(*shot.prefixes, kMostCount, "prefixes", [&](const PrefixView& prefix) {
      out.number(prefix.parent, -1, kMostStep, "parent");
      out.number(prefix.block, -1, limits.num_blocks - 1, "block");
      out.number(prefix.depth, 0, kMostId, "depth");
      put_tokens(*prefix.tokens, out);
    });
  return std::move(out.bytes);
}

std::string history_chunk(const EngineSnapshot& shot, const SessionLimits& limits) {
  PutBytes out;
  out.flag(shot.history != nullptr, "has a history");
  if (shot.history) shot.history->save(out, limits);
  return std::move(out.bytes);
}

// Output texts at earlier steps: joined from tokens if the source reads no text and this gives the
// final ones, else kept as the length of the common beginning with the final text, and the rest.
class TextsChunk {
 public:
  explicit TextsChunk(const EngineSnapshot& shot) : shot_(shot) {}

  std::string make(const SessionProgress& progress) {
    const auto counts =
        shot_.history ? shot_.history->token_counts() : std::vector<std::vector<int64_t>>{};
    for (const bool spaces : {true, false}) {
      if (shot_.scenario->source.reads_text()) break;
      if (!std::ranges::all_of(shot_.requests, [&](const RequestView& request) {
            const auto tokens = static_cast<int64_t>(request.tokens->size());
            return request.output_text &&
                   *request.output_text == joined_output(request, tokens, spaces);
          }))
        continue;
      out_.number(spaces ? 1 : 2, 0, 2, "rule of the texts");
      return std::move(out_.bytes);
    }
    out_.number(0, 0, 2, "rule of the texts");
    out_.natural(shot_.requests.size());
    for (size_t i = 0; i < shot_.requests.size(); ++i) {
      put(shot_.requests[i], i < counts.size() ? counts[i] : std::vector<int64_t>{});
      if (progress && !progress(0))
        throw Error(ErrorCode::kCancelled, {"cancelled", "session", "", "", ""});
    }
    return std::move(out_.bytes);
  }

 private:
  void put(const RequestView& request, const std::vector<int64_t>& counts) {
    std::vector<int64_t> shorter;
    for (const int64_t count : counts)
      if (count >= request.prompt_len && count < static_cast<int64_t>(request.tokens->size()))
        shorter.push_back(count);
    const std::string& now = *request.output_text;
    out_.natural(shorter.size());
    for (const int64_t count : shorter) {
      const std::string text = shot_.history->texts().output_text(request, count);
      const auto same = std::ranges::mismatch(text, now).in1 - text.begin();
      out_.number(count, 0, kMostId, "tokens");
      out_.natural(static_cast<uint64_t>(same));
      out_.text(text.substr(static_cast<size_t>(same)), "text");
    }
  }

  const EngineSnapshot& shot_;
  PutBytes out_;
};

std::string notes_chunk(const std::vector<StepNote>& notes) {
  PutBytes out;
  out.list(notes, kMostNotes, "notes", [&](const StepNote& note) {
    out.number(note.step, 0, kMostStep, "step of a note");
    out.text(note.text, "note");
  });
  return std::move(out.bytes);
}

std::string messages_chunk(const std::vector<std::string>& messages) {
  PutBytes out;
  out.list(messages, kMostCount, "messages",
           [&](const std::string& message) { out.text(message, "message"); });
  return std::move(out.bytes);
}

// The order in which workers report varies. On the virtual clock the states are sorted by row and
// first key, so two runs give the same file.
std::string row_states_chunk(const SessionInputs& inputs) {
  std::vector<RowStateEvent> states;
  if (inputs.row_states) inputs.row_states->read(0, states);
  if (inputs.snapshot->modelled_time)
    std::ranges::stable_sort(states, {}, [](const RowStateEvent& state) {
      return std::tuple(state.request, state.layer, state.head, state.query, state.k_begin);
    });
  PutBytes out;
  for (const RowStateEvent& state : states) put_row_state(state, out);
  return std::move(out.bytes);
}

// The events of all lanes, merged by their ends. At equal ends workers go before the engine's lane,
// because its events contain theirs.
std::vector<TraceEvent> by_end(const Recorder& recorder, int num_lanes) {
  std::vector<TraceEvent> events, merged;
  recorder.read(0, events);
  std::vector<std::vector<size_t>> lanes(static_cast<size_t>(num_lanes));
  for (size_t i = 0; i < events.size(); ++i) lanes[events[i].lane].push_back(i);
  using Next = std::tuple<uint64_t, size_t, size_t>;  // end, lane, index
  std::priority_queue<Next, std::vector<Next>, std::greater<>> heads;
  std::vector<size_t> taken(lanes.size());
  const auto offer = [&](size_t lane) {
    if (taken[lane] == lanes[lane].size()) return;
    const TraceEvent& event = events[lanes[lane][taken[lane]]];
    heads.emplace(event.begin_ns + event.duration_ns, lane == 0 ? lanes.size() : lane,
                  lanes[lane][taken[lane]]);
    ++taken[lane];
  };
  for (size_t lane = 0; lane < lanes.size(); ++lane) offer(lane);
  merged.reserve(events.size());
  while (!heads.empty()) {
    const size_t index = std::get<2>(heads.top());
    heads.pop();
    merged.push_back(events[index]);
    offer(events[index].lane);
  }
  return merged;
}

void write_events(const SessionInputs& inputs, uint64_t count, ChunkWriter& file) {
  PutBytes out;
  const auto write = [&](const std::vector<TraceEvent>& events) {
    for (const TraceEvent& event : events) put_event(event, out);
    file.write(out.bytes);
    out.bytes.clear();
  };
  if (inputs.snapshot->modelled_time) {
    write(by_end(*inputs.recorder, inputs.snapshot->num_lanes));
    return;
  }
  std::vector<TraceEvent> events;
  for (uint64_t at = 0; at < count;) {
    events.clear();
    at = inputs.recorder->read(at, events, std::min<uint64_t>(kEventsAtOnce, count - at));
    write(events);
  }
}

void write_record(const std::string& about, const AttentionRecord& record, ChunkWriter& file) {
  file.write(about);
  for (const auto save :
       {&AttentionRecord::save_rows, &AttentionRecord::save_keys, &AttentionRecord::save_values})
    for (int64_t layer = 0; layer < record.shape().num_layers; ++layer) {
      PutBytes out;
      (record.*save)(layer, out);
      file.write(out.bytes);
    }
}

}  // namespace

bool is_session_file(const std::filesystem::path& file) {
  return file.extension() == "." + std::string(kSessionSuffix);
}

void save_session(const std::filesystem::path& file, const SessionInputs& inputs,
                  const SessionProgress& progress) {
  check_there_is_a_run(file, inputs);
  const EngineSnapshot& shot = *inputs.snapshot;
  const SessionLimits limits = limits_of(shot);
  const uint64_t num_events = inputs.recorder->size();
  std::array<std::string, kSingleChunks> small;
  const auto chunk = [&](ChunkKind kind) -> std::string& {
    return small[static_cast<size_t>(kind)];
  };
  chunk(ChunkKind::kScenario) = to_json(*shot.scenario);
  chunk(ChunkKind::kView) = inputs.view;
  // The loader makes these checks, too.
  parse_scenario(chunk(ChunkKind::kScenario), file.string() + " (scenario)");
  check_session_view(inputs.view, file.string() + " (view)");
  check_notes(inputs.notes, limits.num_steps, file.string() + " (notes)");
  chunk(ChunkKind::kRun) = run_chunk(shot);
  chunk(ChunkKind::kTokens) = tokens_chunk(shot);
  chunk(ChunkKind::kRequests) = requests_chunk(shot, limits);
  chunk(ChunkKind::kSteps) = steps_chunk(shot);
  chunk(ChunkKind::kBlocks) = blocks_chunk(shot, limits);
  chunk(ChunkKind::kHistory) = history_chunk(shot, limits);
  chunk(ChunkKind::kTexts) = TextsChunk(shot).make(progress);
  chunk(ChunkKind::kMessages) = messages_chunk(inputs.recorder->messages());
  chunk(ChunkKind::kRowStates) = row_states_chunk(inputs);
  chunk(ChunkKind::kNotes) = notes_chunk(inputs.notes);

  std::vector<std::pair<ChunkKind, uint64_t>> sizes;
  for (size_t i = 0; i < kSingleChunks; ++i) {
    const auto kind = static_cast<ChunkKind>(i);
    sizes.emplace_back(kind,
                       kind == ChunkKind::kEvents ? num_events * kEventBytes : small[i].size());
  }
  std::vector<std::pair<std::string, std::shared_ptr<const AttentionRecord>>> records;
  for (const RequestView& request : shot.requests) {
    if (!request.attention) continue;
    for (const auto& record :
         {request.attention, request.encoder ? request.encoder->attention : nullptr}) {
      if (!record) continue;
      PutBytes about;
      record->save_about(about);
      sizes.emplace_back(ChunkKind::kAttention, about.bytes.size() + record->saved_bytes());
      records.emplace_back(std::move(about.bytes), record);
    }
  }

  ChunkWriter out(file, sizes, progress);
  for (size_t i = 0; i < kSingleChunks; ++i) {
    const auto kind = static_cast<ChunkKind>(i);
    out.begin(kind);
    if (kind == ChunkKind::kEvents)
      write_events(inputs, num_events, out);
    else
      out.write(small[i]);
    out.end();
  }
  for (const auto& [about, record] : records) {
    out.begin(ChunkKind::kAttention);
    write_record(about, *record, out);
    out.end();
  }
  out.finish();
}

std::vector<SessionChunk> session_chunks(const std::filesystem::path& file) {
  const ChunkReader reader(file, {});
  std::vector<SessionChunk> chunks;
  for (const ChunkReader::Entry& entry : reader.entries())
    chunks.push_back({std::string(name_of(entry.kind)), entry.offset, entry.size});
  return chunks;
}

}  // namespace attn
