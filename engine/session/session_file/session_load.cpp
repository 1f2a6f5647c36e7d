// SPDX-License-Identifier: GPL-3.0-or-later
// Loads a session file. Lengths are checked against the bytes of the file before memory is taken,
// and indices against what they point into.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>

#include "engine/attention/attention_state.h"
#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/session/history/step_history.h"
#include "engine/session/intervene/applied.h"
#include "engine/session/session_file/session_chunks.h"
#include "engine/session/session_file/session_events.h"
#include "engine/session/session_file/session_fields.h"
#include "engine/session/session_file/session_file.h"

namespace attn {
namespace {

constexpr uint32_t kRingEvents = 1u << 12;  // size of the ring of a lane

using TokenTexts = std::map<int32_t, SharedText>;

// The output texts at earlier steps: kept in the file, or joined from tokens.
class SavedTexts final : public PastTexts {
 public:
  enum class Rule { kKept, kSpaces, kNone };  // kSpaces, kNone: what joins the tokens
  struct Text {
    int64_t tokens = 0;
    size_t same = 0;  // the text begins with so many bytes of the final text
    std::string rest;
  };
  Rule rule = Rule::kKept;
  std::map<uint32_t, std::vector<Text>> kept;  // by request; ascending in tokens

  std::string output_text(const RequestView& request, int64_t num_tokens) const override {
    if (rule != Rule::kKept) return joined(request, num_tokens);
    const auto of_request = kept.find(request.id);
    if (of_request == kept.end()) return {};
    const auto text = std::ranges::lower_bound(of_request->second, num_tokens, {}, &Text::tokens);
    if (text == of_request->second.end() || text->tokens != num_tokens) return {};
    return request.output_text->substr(0, text->same) + text->rest;
  }

 private:
  std::string joined(const RequestView& request, int64_t num_tokens) const {
    return joined_output(request, num_tokens, rule == Rule::kSpaces);
  }
};

class SessionLoader {
 public:
  SessionLoader(const std::filesystem::path& file, const SessionProgress& progress)
      : reader_(file, progress), shot_(std::make_shared<EngineSnapshot>()) {
    session_.file = file;
  }

  Session load() {
    load_scenario();
    load_view();
    in(ChunkKind::kRun, [this](TakeBytes& in) { load_run(in); });
    in(ChunkKind::kTokens, [this](TakeBytes& in) { load_tokens(in); });
    in(ChunkKind::kSteps, [this](TakeBytes& in) { load_steps(in); });
    in(ChunkKind::kBlocks, [this](TakeBytes& in) { load_pool_sizes(in); });
    in(ChunkKind::kRequests, [this](TakeBytes& in) { load_requests(in); });
    in(ChunkKind::kBlocks, [this](TakeBytes& in) { load_blocks(in); });
    in(ChunkKind::kTexts, [this](TakeBytes& in) { load_texts(in); });
    in(ChunkKind::kHistory, [this](TakeBytes& in) { load_history(in); });
    in(ChunkKind::kMessages, [this](TakeBytes& in) { load_messages(in); });
    load_events();
    load_row_states();
    if (reader_.version() >= kFirstNotesVersion)
      in(ChunkKind::kNotes, [this](TakeBytes& in) { load_notes(in); });
    load_records();
    session_.snapshot = std::move(shot_);
    return std::move(session_);
  }

 private:
  // Reads a chunk and calls `take`, which must use all its bytes.
  template <class Take>
  void in(ChunkKind kind, Take&& take, size_t index = 0) {
    if (kind != ChunkKind::kAttention) ask_for_numbers(kind);
    const std::string bytes = reader_.read(kind, index);
    TakeBytes from = reader_.take(kind, bytes, index);
    take(from);
    from.expect_end();
  }
  // Refuses a chunk whose values do not fit in memory. A token takes 24 bytes in memory and may
  // take one byte in the file, and lists are copied as they grow. Records have their own check.
  void ask_for_numbers(ChunkKind kind) const {
    constexpr uint64_t kBytesPerByte = 72;
    const uint64_t size = reader_.entry(kind).size;
    ask_memory({.bytes = static_cast<double>(size) * static_cast<double>(kBytesPerByte),
                .what = "session does not fit in memory",
                .where = where(kind),
                .found = fmt::format("{} bytes of numbers x {}", size, kBytesPerByte),
                .advice = "Close other programs"});
  }
  std::string where(ChunkKind kind) const {
    return fmt::format("{} ({})", reader_.name(), name_of(kind));
  }

  void load_scenario() {
    const std::string json = reader_.read(ChunkKind::kScenario);
    scenario_ = parse_scenario(json, where(ChunkKind::kScenario));
  }

  void load_view() {
    session_.view = reader_.read(ChunkKind::kView);
    check_session_view(session_.view, where(ChunkKind::kView));
  }

  void load_run(TakeBytes& in) {
    std::string version;
    in.text(version, "version of the program");
    in.text(scenario_.origin.file, "file of the scenario");
    EngineSnapshot& shot = *shot_;
    shot.scenario = std::make_shared<const Scenario>(scenario_);
    archive_shape(in, shot);
    if (scenario_.view.layer >= shot.source.num_layers ||
        scenario_.view.head >= shot.source.num_heads)
      in.refuse("the source does not have the head that the scenario shows first", "layers",
                fmt::format("layer {}, head {}", scenario_.view.layer, scenario_.view.head),
                fmt::format("layers to {}, heads to {}", shot.source.num_layers - 1,
                            shot.source.num_heads - 1));
    shot.rules = std::make_shared<const LayerRules>(load_rules(in));
    archive_figures(in, shot);
    bool has_rounding = false;
    if (reader_.version() >= kFirstRoundingVersion) in.flag(has_rounding, "has counts of rounding");
    if (has_rounding) {
      HeadRounding rounding(shot.source.num_layers, shot.source.num_kv_heads);
      archive_rounding(in, rounding);
      shot.rounding = std::make_shared<const HeadRounding>(std::move(rounding));
    }
    shot.block_size = scenario_.engine.block_size;
    // A run that was saved in the middle does not go on, so it is shown as cancelled.
    if (shot.phase == EnginePhase::kRunning || shot.phase == EnginePhase::kPaused ||
        shot.phase == EnginePhase::kLoading || shot.phase == EnginePhase::kIdle)
      shot.phase = EnginePhase::kCancelled;
    limits_.block_size = shot.block_size;
    limits_.num_blocks = scenario_.engine.num_blocks;
    limits_.num_layers = shot.source.num_layers;
    limits_.num_heads = shot.source.num_heads;
    limits_.num_kv_heads = shot.source.num_kv_heads;
    limits_.head_size = shot.source.head_size;
    limits_.num_lanes = shot.num_lanes;
    set_tables(limits_, shot.source, scenario_);
  }

  LayerRules load_rules(TakeBytes& in) {
    SourceShape& source = shot_->source;
    bool each_layer = reader_.version() == 2;
    if (reader_.version() > 2) in.flag(each_layer, "says what each layer does");
    if (each_layer) {
      source.calls.resize(static_cast<size_t>(source.num_layers));
      for (AttentionCall& call : source.calls) {
        archive_call(in, call, source.num_heads, reader_.version() > 2);
        if (call.type) check_type(in, *call.type);
      }
      const int64_t of_encoder = source.num_encoder_layers();
      if (of_encoder == source.num_layers ||
          std::ranges::count(source.calls, AttentionType::kEncoder, &AttentionCall::type) !=
              of_encoder)
        in.refuse("the layers of an encoder are not before those of its decoder", "type of a layer",
                  "ENCODER after another type, or in all layers",
                  "ENCODER in the first layers only");
    }
    std::vector<WeightRule> rules(std::max<size_t>(1, source.calls.size()));
    for (size_t layer = 0; layer < rules.size(); ++layer) {
      archive_rule(in, rules[layer], source.num_heads,
                   reader_.version() >= kFirstRelativeBiasVersion);
      if (each_layer) source.calls[layer].relative_bias = rules[layer].relative_bias;
      rules[layer].cross = source.is_cross(static_cast<int64_t>(layer), scenario_.attention.type);
      rules[layer].encoder = source.is_encoder(static_cast<int64_t>(layer));
    }
    return LayerRules(std::move(rules));
  }

  void check_type(TakeBytes& in, AttentionType type) const {
    const bool has_encoder = scenario_.attention.type == AttentionType::kEncoderDecoder;
    if (type == AttentionType::kDecoder ||
        (has_encoder && type == AttentionType::kEncoderDecoder) ||
        (has_encoder && type == AttentionType::kEncoder))
      return;
    in.refuse("a layer has a type that the run cannot have", "type of a layer",
              std::string(name_of(type)),
              has_encoder ? "DECODER, ENCODER or ENCODER_DECODER" : "DECODER");
  }

  void load_tokens(TakeBytes& in) {
    const uint64_t count = in.length(kMostCount, "tokens");
    int64_t before = -1;
    for (uint64_t i = 0; i < count; ++i) {
      int32_t id = 0;
      in.number(id, 0, std::numeric_limits<int32_t>::max(), "token");
      if (id <= before)
        in.refuse("token appears twice, or out of order", "token", fmt::format("{}", id),
                  fmt::format("more than {}", before));
      before = id;
      std::string text;
      in.text(text, "text of a token");
      tokens_.emplace_hint(tokens_.end(), id, std::move(text));
    }
  }

  void take_tokens(TakeBytes& in, std::vector<TokenView>& tokens) const {
    in.list(tokens, kMostId, "tokens", [&](TokenView& token) {
      in.number(token.id, 0, std::numeric_limits<int32_t>::max(), "token");
      const auto text = tokens_.find(token.id);
      if (text == tokens_.end())
        in.refuse("token has no text", "token", fmt::format("{}", token.id),
                  "a token of the table of texts");
      token.text = text->second;
    });
  }

  void load_steps(TakeBytes& in) {
    auto steps = std::make_shared<std::vector<StepRecord>>();
    uint64_t before = 0;
    in.list(*steps, kMostStep, "steps", [&](StepRecord& record) {
      record.step = static_cast<uint32_t>(steps->size());
      archive_step_record(in, record, before);
      check_captured_rows(in, record);
    });
    limits_.num_steps = static_cast<int64_t>(steps->size());
    if (int64_t{shot_->step} > limits_.num_steps + 1)
      in.refuse("the file has fewer steps than the run has done", "steps",
                fmt::format("{}", limits_.num_steps), fmt::format("{} or more", shot_->step - 1));
    shot_->steps = std::move(steps);
  }

  static void check_captured_rows(TakeBytes& in, const StepRecord& record) {
    const int64_t rows = AttentionState::padded_batch(record.decode_tokens);
    if (record.captured_rows == 0 || record.captured_rows == rows) return;
    in.refuse("captured plan does not fit its step", "captured rows",
              fmt::format("{}", record.captured_rows),
              fmt::format("0, or {} for the decode tokens of the step", rows));
  }

  // Block tables point into the pools, and blocks point to requests, so the size of the swap pool
  // is read before both.
  void load_pool_sizes(TakeBytes& in) {
    limits_.num_swap_blocks = static_cast<int64_t>(
        in.length(static_cast<uint64_t>(scenario_.engine.num_swap_blocks), "swap blocks"));
    in.raw(in.remaining(), "blocks");
  }

  void load_requests(TakeBytes& in) {
    std::vector<RequestView>& requests = shot_->requests;
    in.list(requests, kMostId, "requests", [&](RequestView& request) {
      in.number(request.id, 0, kMostId, "request");
      limits_.request_ids.push_back(request.id);
      in.number(request.prompt_len, 0, kMostId, "prompt tokens");
      auto tokens = std::make_shared<std::vector<TokenView>>();
      take_tokens(in, *tokens);
      if (request.prompt_len > static_cast<int64_t>(tokens->size()))
        in.refuse("prompt is longer than its request", "prompt tokens",
                  fmt::format("{}", request.prompt_len), fmt::format("at most {}", tokens->size()));
      limits_.prompt_tokens.push_back(request.prompt_len);
      limits_.request_tokens.push_back(static_cast<int64_t>(tokens->size()));
      request.tokens = std::move(tokens);
      if (limits_.has_encoder) {
        auto read = std::make_shared<std::vector<TokenView>>();
        take_tokens(in, *read);
        request.encoder_tokens = std::move(read);
      }
      bool computed = false;
      in.flag(computed, "has been computed");
      if (computed) recorded_.push_back(limits_.request_ids.size() - 1);
    });
    std::ranges::sort(limits_.request_ids);
    if (const auto twice = std::ranges::adjacent_find(limits_.request_ids);
        twice != limits_.request_ids.end())
      in.refuse("two requests have the same number", "request", fmt::format("{}", *twice),
                "each number once");
    for (RequestView& request : requests) {
      archive_request(in, request, limits_);
      std::string prompt, output;
      in.text(prompt, "prompt");
      in.text(output, "output");
      request.prompt_text = std::make_shared<const std::string>(std::move(prompt));
      request.output_text = std::make_shared<const std::string>(std::move(output));
      request.metrics = metrics_of(request.times, request.state);
      if (was_added(request, scenario_)) {
        // Files before kFirstAddedVersion do not have these fields.
        if (reader_.version() >= kFirstAddedVersion) {
          archive_added(in, request);
          check_added(request);
        }
      } else {
        const ScenarioRequest& asked = scenario_.requests[request.parent.value_or(request.id)];
        request.interventions = asked.interventions;
        request.sampling = asked.sampling;
        request.sampling.seed += static_cast<uint64_t>(request.sample_index);
        request.beam_width = asked.beam_width;
      }
    }
    archive_plan(in, shot_->plan, limits_);
    const size_t records = recorded_.size() * (shot_->source.num_encoder_layers() > 0 ? 2 : 1);
    if (reader_.count(ChunkKind::kAttention) != records)
      in.refuse("requests that were computed and records differ in number", "has been computed",
                fmt::format("{} records", reader_.count(ChunkKind::kAttention)),
                fmt::format("{}", records));
  }

  void check_added(const RequestView& request) const {
    for (const Intervention& what : request.interventions)
      check_intervention(what, limits_of(request),
                         fmt::format("request {} of the session", request.id));
  }

  void load_blocks(TakeBytes& in) {
    in.length(kMostCount, "swap blocks");
    const auto pool = [&](std::vector<BlockView>& blocks, int64_t count) {
      blocks.resize(static_cast<size_t>(count));
      for (BlockView& block : blocks) archive_block_view(in, block, limits_);
    };
    if (in.remaining() < static_cast<uint64_t>(limits_.num_blocks))
      in.refuse("chunk has fewer blocks than the cache", "blocks",
                fmt::format("{} bytes", in.remaining()),
                fmt::format("{} blocks", limits_.num_blocks));
    pool(shot_->blocks, limits_.num_blocks);
    pool(shot_->swap_blocks, limits_.num_swap_blocks);
    bool has_prefixes = false;
    in.flag(has_prefixes, "has a prefix tree");
    limits_.has_prefixes = has_prefixes;
    if (!has_prefixes) return;
    auto prefixes = std::make_shared<std::vector<PrefixView>>();
    in.list(*prefixes, kMostCount, "prefixes", [&](PrefixView& prefix) {
      const auto place = static_cast<int64_t>(prefixes->size()) - 1;
      in.number(prefix.parent, -1, place - 1, "parent");
      in.number(prefix.block, -1, limits_.num_blocks - 1, "block");
      in.number(prefix.depth, 0, kMostId, "depth");
      const int64_t above =
          prefix.parent < 0 ? -1 : (*prefixes)[static_cast<size_t>(prefix.parent)].depth;
      if (prefix.depth != above + 1)
        in.refuse("prefix is not one block deeper than its parent", "depth",
                  fmt::format("{}", prefix.depth), fmt::format("{}", above + 1));
      auto tokens = std::make_shared<std::vector<TokenView>>();
      take_tokens(in, *tokens);
      prefix.tokens = std::move(tokens);
    });
    shot_->prefixes = std::move(prefixes);
  }

  void load_texts(TakeBytes& in) {
    texts_ = std::make_shared<SavedTexts>();
    in.number(texts_->rule, 0, 2, "rule of the texts");
    if (texts_->rule != SavedTexts::Rule::kKept) {
      check_joined(in);
      return;
    }
    const uint64_t count = in.length(shot_->requests.size(), "requests");
    if (count != shot_->requests.size())
      in.refuse("texts of some requests are missing", "requests", fmt::format("{}", count),
                fmt::format("{}", shot_->requests.size()));
    for (const RequestView& request : shot_->requests) {
      int64_t before = -1;
      std::vector<SavedTexts::Text>& kept = texts_->kept[request.id];
      in.list(kept, kMostId, "texts", [&](SavedTexts::Text& text) {
        in.number(text.tokens, 0, kMostId, "tokens");
        if (text.tokens <= before)
          in.refuse("text appears twice, or out of order", "tokens", fmt::format("{}", text.tokens),
                    fmt::format("more than {}", before));
        before = text.tokens;
        in.number(text.same, 0, static_cast<int64_t>(request.output_text->size()),
                  "bytes kept of the final text");
        in.text(text.rest, "text");
      });
    }
  }

  // Checks the length of each final text against its tokens. Otherwise a small file could make very
  // long texts of earlier steps.
  void check_joined(const TakeBytes& in) const {
    for (const RequestView& request : shot_->requests) {
      uint64_t bytes = 0;
      const std::vector<TokenView>& tokens = *request.tokens;
      for (size_t i = static_cast<size_t>(request.prompt_len); i < tokens.size(); ++i)
        bytes += tokens[i].text.str().size() +
                 (texts_->rule == SavedTexts::Rule::kSpaces && i > 0 ? 1 : 0);
      const uint64_t found = request.output_text->size();
      // No space follows tokens without text at the beginning.
      const uint64_t fewest = bytes - std::min<uint64_t>(bytes, tokens.size());
      if (found > bytes || found < fewest)
        in.refuse("output of a request is not the text of its tokens", "rule of the texts",
                  fmt::format("request {} with {} bytes", request.id, found),
                  fmt::format("{} bytes", bytes));
    }
  }

  void load_history(TakeBytes& in) {
    bool there = false;
    in.flag(there, "has a history");
    if (there) shot_->history = StepHistory::load(in, limits_, texts_);
  }

  void load_messages(TakeBytes& in) {
    std::vector<std::string> messages;
    in.list(messages, kMostCount, "messages",
            [&](std::string& message) { in.text(message, "message"); });
    num_messages_ = static_cast<uint32_t>(messages.size());
    session_.recorder = std::make_shared<Recorder>(shot_->num_lanes - 1, kRingEvents);
    for (std::string& message : messages) session_.recorder->add_message(std::move(message));
  }

  // Keeps the order of the file: the recorder is drained before an event of another lane is pushed.
  void load_events() {
    Recorder& recorder = *session_.recorder;
    int lane = -1;
    reader_.read_pieces(ChunkKind::kEvents, kEventBytes,
                        [&](std::string_view piece, uint64_t offset) {
                          TakeBytes in(piece, reader_.name(), "events", offset);
                          while (in.remaining() > 0) {
                            const TraceEvent event = take_event(in, limits_, num_messages_);
                            if (event.lane != lane) recorder.drain();
                            lane = event.lane;
                            recorder.push(event);
                          }
                        });
    recorder.drain();
  }

  void load_row_states() {
    const uint64_t bytes = reader_.entry(ChunkKind::kRowStates).size;
    if (bytes > RowStateLog::kMost * kEventBytes)
      throw_bad_input({"there are more row states than a run keeps", where(ChunkKind::kRowStates),
                       fmt::format("{} bytes", bytes),
                       fmt::format("at most {}", RowStateLog::kMost * kEventBytes), ""});
    reader_.read_pieces(ChunkKind::kRowStates, kEventBytes,
                        [&](std::string_view piece, uint64_t offset) {
                          TakeBytes in(piece, reader_.name(), "rowstate", offset);
                          while (in.remaining() > 0)
                            session_.row_states.push_back(take_row_state(in, limits_));
                        });
  }

  void load_notes(TakeBytes& in) {
    int64_t before = 0;
    in.list(session_.notes, kMostNotes, "notes", [&](StepNote& note) {
      const auto refuse_if = [&in](const std::optional<NoteFault>& fault, const char* name) {
        if (fault) in.refuse(fault->what, name, fault->found, fault->allowed);
      };
      in.number(note.step, 0, kMostStep, "step of a note");
      refuse_if(fault_of_step(note.step, before, limits_.num_steps), "step of a note");
      before = note.step;
      in.text(note.text, "note");
      refuse_if(fault_of_text(note.text), "note");
    });
  }

  // width 1: changes of a residual stream are allowed; whether there is one is not checked here.
  InterventionLimits limits_of(const RequestView& request) const {
    return {.shape = &shot_->source,
            .attention = scenario_.attention.type,
            .width = 1,
            .requests = std::max(static_cast<int64_t>(scenario_.requests.size()),
                                 int64_t{limits_.request_ids.back()} + 1),
            .own = request.parent.value_or(request.id),
            .encoder_tokens =
                request.encoder_tokens ? static_cast<int64_t>(request.encoder_tokens->size()) : 0};
  }

  void load_records() {
    const SourceShape& source = shot_->source;
    AttentionRecord::Shape shape{source.num_layers,
                                 source.num_heads,
                                 source.num_kv_heads,
                                 source.head_size,
                                 source.scale,
                                 *shot_->rules,
                                 0,
                                 false};
    const int64_t encoder_layers = source.num_encoder_layers();
    size_t chunk = 0;
    for (const size_t recorded : recorded_) {
      RequestView& request = shot_->requests[recorded];
      for (const Intervention& what : request.interventions)
        check_intervention(what, limits_of(request), "the scenario of the session");
      shape.rules =
          rules_with(request.interventions, source, *shot_->rules, "the scenario of the session");
      const auto encoder_tokens =
          request.encoder_tokens ? static_cast<int64_t>(request.encoder_tokens->size()) : 0;
      shape.of_encoder = false;
      request.attention = load_record(request.id, shape, encoder_tokens, chunk++);
      if (encoder_layers == 0) continue;
      shape.of_encoder = true;
      set_encoder(request, encoder_layers, load_record(request.id, shape, 0, chunk++));
    }
    for (RequestView& request : shot_->requests)
      if (!request.encoder) set_encoder(request, encoder_layers, nullptr);
  }

  // encoder_keys: encoder keys that the record must have.
  std::shared_ptr<const AttentionRecord> load_record(uint32_t request,
                                                     const AttentionRecord::Shape& shape,
                                                     int64_t encoder_keys, size_t chunk) {
    std::shared_ptr<const AttentionRecord> record;
    in(
        ChunkKind::kAttention,
        [&](TakeBytes& from) {
          record = AttentionRecord::load(
              request, shape, limits_.block_size, limits_.num_blocks,
              {.values = reader_.version() >= kFirstValuesVersion,
               .rows_without_window = reader_.version() >= kFirstRoundingVersion},
              from);
          if (const int64_t found = record->shape().encoder_keys; found != encoder_keys)
            from.refuse("the record has other keys than its request", "encoder keys",
                        fmt::format("{}", found), fmt::format("{}", encoder_keys));
        },
        chunk);
    return record;
  }

  ChunkReader reader_;
  Session session_;
  Scenario scenario_;
  std::shared_ptr<EngineSnapshot> shot_;
  SessionLimits limits_;
  TokenTexts tokens_;
  std::vector<size_t> recorded_;  // indices of recorded requests
  std::shared_ptr<SavedTexts> texts_;
  uint32_t num_messages_ = 0;
};

}  // namespace

Session load_session(const std::filesystem::path& file, const SessionProgress& progress) {
  try {
    return SessionLoader(file, progress).load();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kFailed, {"there is not enough memory for the session", file.string(),
                                     "", "", "Close other programs."});
  }
}

}  // namespace attn
