// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/scheduler/scheduler_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "engine/core/rng.h"
#include "tests/engine/scheduler/plan_rules.h"
#include "tests/engine/scheduler/scheduler_oracle.h"
#include "tests/support/shrink.h"

namespace attn::testing {
namespace {

constexpr uint32_t kFirstForkId = 1'000'000;
constexpr int kMostDrainSteps = 100'000;

class World {
 public:
  explicit World(const WorldSetup& setup)
      : setup_(setup),
        manager_(setup.blocks, [this](const BlockChange& change) { on_change(change); }),
        scheduler_(setup.config, manager_, events()),
        rules_(setup.config, scheduler_) {
    limits_ = {setup.config, setup.blocks.block_size, manager_.num_usable(), 0};
    limits_.watermark_blocks = static_cast<int64_t>(
        setup.blocks.watermark * static_cast<double>(limits_.usable_blocks) + 1e-6);
    const auto slots = [&](int64_t blocks) {
      return std::vector<uint64_t>(static_cast<size_t>(blocks * setup.blocks.block_size), 0);
    };
    device_ = slots(setup.blocks.num_blocks);
    swap_ = slots(setup.blocks.num_swap_blocks);
  }

  void apply(const Op& op) {
    ++stats.operations;
    now_ns_ += op.elapsed_ns;
    switch (op.kind) {
      case OpKind::kAdd:
        add(op.request);
        break;
      case OpKind::kAbort:
        abort(op);
        break;
      case OpKind::kWait:
        break;
      case OpKind::kStep:
      case OpKind::kCancelledStep:
      case OpKind::kAbortInStep:
        step(op);
    }
    check();
  }

  void drain() {
    for (int i = 0; scheduler_.has_work(); ++i) {
      expect(i < kMostDrainSteps, "no end in sight");
      now_ns_ += 10;
      step({});
      check();
    }
    expect(!scheduler_.next_arrival_ns(), "an arrival of nobody");
    for (const PoolKind kind : {PoolKind::kDevice, PoolKind::kSwap})
      expect(manager_.num_available(kind) == manager_.num_usable(kind),
             "B19: blocks are left over");
    for (const Request& asked : asked_) check_ending(asked);
    expect(finished_.size() == scheduler_.requests().size(), "somebody has not ended");
    stats.evicted += manager_.prefix_stats().evicted_blocks;
  }

  std::string state() const {
    std::string text;
    std::map<int32_t, size_t> names[2];
    for (const auto& request : scheduler_.requests()) {
      text += fmt::format("{}:{},{},{},{},{},{},{};", request->id, static_cast<int>(request->state),
                          arrived_.contains(request->id), request->num_computed,
                          request->num_cached, request->prefill_end, request->output_ids.size(),
                          request->is_beam() ? content_of(0, request->output_ids) : 0);
      if (!manager_.knows(request->id)) continue;
      auto& known = names[manager_.is_swapped(request->id)];
      text += fmt::format("{}:", manager_.num_tokens(request->id));
      for (const int32_t block : manager_.blocks(request->id))
        text += fmt::format("{},", known.emplace(block, known.size()).first->second);
    }
    std::vector<uint64_t> hashes;
    for (const auto& node : manager_.prefix_nodes()) hashes.push_back(node.hash);
    std::sort(hashes.begin(), hashes.end());
    for (const uint64_t hash : hashes) text += fmt::format("#{}", hash);
    return text;
  }

  WorldStats stats;

 private:
  SchedulerEvents events() {
    SchedulerEvents events;
    events.arrived = [this](const Request& request) {
      expect(request.arrival_ns <= now_ns_, "somebody came before his time");
      expect(arrived_.insert(request.id).second, "somebody arrived twice");
    };
    events.before_free = [this](const Request& request) {
      note_victim(request);
      expect(!manager_.is_swapped(request.id), "before_free of a swapped request");
      check_contents(request, request.num_computed, request.num_computed);
    };
    events.finished = [this](const Request& request) {
      expect(is_finished(request.state), "finished and not finished");
      expect(finished_.insert(request.id).second, "a request ended twice");
      expect(!manager_.knows(request.id), "B19: an ended request holds blocks");
    };
    events.forked = [this](const Request& parent, const Request& child) {
      ++stats.forks;
      expect(child.id >= kFirstForkId, "a fork took somebody's id");
      expect(child.output_ids == parent.output_ids, "a fork does not begin as its parent");
      expect(std::ranges::equal(manager_.blocks(child.id), manager_.blocks(parent.id)),
             "B6: a fork took blocks");
    };
    return events;
  }

  void on_change(const BlockChange& change) {
    if (change.kind != BlockChangeKind::kAllocated || change.pool != PoolKind::kDevice) return;
    new_blocks_.insert(change.block);
    ++taken_since_victim_;
  }

  // Notes how many blocks are available before a preemption; of a search, before that of its first
  // beam.
  void note_victim(const Request& request) {
    if (is_finished(request.state)) return;
    const uint32_t root = request.parent.value_or(request.id);
    if (request.is_beam() && last_victim_ == root) return;
    last_victim_ = request.is_beam() ? root : request.id;
    available_before_victim_ = manager_.num_available();
    taken_since_victim_ = 0;
  }

  // The last preemption must have been needed: the blocks available before it are fewer than the
  // step took after it or, if it took none, than the request has beams (1 without a search).
  void check_need(const BatchPlan& plan) {
    if (plan.preempted.empty()) return;
    const Request& last = *scheduler_.find(plan.preempted.back().request);
    const int64_t beams = last.is_beam() ? last.beam_width : 1;
    expect(taken_since_victim_ > available_before_victim_ ||
               (taken_since_victim_ == 0 && available_before_victim_ < beams),
           "somebody was preempted and there was room");
  }

  void add(Request request) {
    if (scheduler_.find(request.id)) return;  // happens only in hand-written lists
    request.arrival_ns += now_ns_;
    asked_.push_back(request);
    rules_.will_arrive(request);
    scheduler_.add(std::move(request));
  }

  const Request* named(const Op& op) const {
    if (op.sample == 0) return scheduler_.find(op.target);
    for (const auto& request : scheduler_.requests())
      if (request->parent == op.target && request->sample_index == op.sample) return request.get();
    return nullptr;
  }

  void abort(const Op& op) {
    const Request* request = named(op);
    if (!request) {
      scheduler_.abort(op.target + 77'777, now_ns_);  // an unknown id
      return;
    }
    const bool was_running = !is_finished(request->state);
    scheduler_.abort(request->id, now_ns_);
    expect(is_finished(request->state), "B19: an aborted request goes on");
    expect(!was_running || request->state == RequestState::kFinishedAborted, "abort left a state");
    for (const auto& other : scheduler_.requests()) {
      const bool is_fork = other->parent == request->id;
      const bool same_search =
          request->is_beam() && other->parent == request->parent.value_or(request->id);
      expect(!(is_fork || same_search) || is_finished(other->state), "B19: a fork goes on");
    }
    ++stats.aborted;
  }

  void step(const Op& op) {
    const auto before = rules_.look(now_ns_);
    new_blocks_.clear();
    last_victim_.reset();
    plan_ = scheduler_.schedule(++step_, now_ns_);
    rules_.check(plan_, before, now_ns_);
    check_need(plan_);
    note(plan_);
    move_blocks(plan_);
    check();
    if (plan_.empty()) {
      if (const auto next = scheduler_.next_arrival_ns()) {
        expect(*next > now_ns_, "somebody is here and cannot be planned");
        now_ns_ = *next;
        ++stats.idle;
      }
      return;
    }
    if (op.kind == OpKind::kAbortInStep) abort(op);
    if (op.kind == OpKind::kCancelledStep) {
      ++stats.cancelled;
      compute(plan_, plan_.sequences.size() / 2);
      scheduler_.discard(plan_);
      return;
    }
    compute(plan_, plan_.sequences.size());
    const std::vector<SampledToken> sampled = sample(plan_);
    now_ns_ += 3;
    scheduler_.update(plan_, sampled, now_ns_);
    ++stats.steps;
  }

  void note(const BatchPlan& plan) {
    for (const PlannedSequence& planned : plan.sequences) {
      stats.tokens += planned.query_len;
      stats.chunks += planned.is_prefill && planned.num_samples == 0;
      stats.replays += !planned.is_prefill && planned.num_samples == 0;
    }
    for (const uint32_t id : plan.admitted) stats.cached_tokens += scheduler_.find(id)->num_cached;
    const auto out = static_cast<int64_t>(plan.swapped_out().size());
    stats.swapped_out += out;
    stats.recomputed += static_cast<int64_t>(plan.preempted.size()) - out;
    stats.swapped_in += static_cast<int64_t>(plan.swapped_in.size());
    stats.copies += static_cast<int64_t>(plan.copies.size());
    for (const Preemption& p : plan.preempted)
      stats.searches_preempted += scheduler_.find(p.request)->is_beam();
  }

  // Carries out the plan's moves in the order that batch_plan.h gives, and clears the other new
  // blocks.
  void move_blocks(const BatchPlan& plan) {
    std::set<int32_t> targets;
    for (const auto* moves : {&plan.swap_in_moves, &plan.copies})
      for (const BlockMove& move : *moves) targets.insert(move.to);
    for (const BlockMove& move : plan.swap_out_moves) move_block(device_, swap_, move);
    for (const int32_t block : new_blocks_)
      if (!targets.contains(block))
        for (int64_t i = 0; i < limits_.block_size; ++i)
          device_[static_cast<size_t>(block * limits_.block_size + i)] = 0;
    for (const BlockMove& move : plan.swap_in_moves) move_block(swap_, device_, move);
    for (const BlockMove& move : plan.copies) move_block(device_, device_, move);
  }

  void move_block(const std::vector<uint64_t>& from, std::vector<uint64_t>& to,
                  const BlockMove& move) {
    for (int64_t i = 0; i < limits_.block_size; ++i)
      to.at(static_cast<size_t>(move.to * limits_.block_size + i)) =
          from.at(static_cast<size_t>(move.from * limits_.block_size + i));
  }

  void compute(const BatchPlan& plan, size_t sequences) {
    std::map<int64_t, uint32_t> written;
    for (size_t i = 0; i < sequences; ++i) {
      const PlannedSequence& planned = plan.sequences[i];
      const Request& request = *scheduler_.find(planned.request);
      if (is_finished(request.state)) continue;
      const int64_t end = planned.context_len + planned.query_len;
      expect(manager_.num_tokens(request.id) >= end, "B20: tokens without a slot");
      const std::vector<int32_t> ids = request.token_ids();
      for (int64_t position = planned.context_len; position < end; ++position) {
        const int64_t slot = manager_.slot(request.id, position);
        expect(written.emplace(slot, request.id).second, "B20: a slot is written twice");
        device_.at(static_cast<size_t>(slot)) =
            content_of(request.cache_key, std::span(ids).first(static_cast<size_t>(position + 1)));
      }
      check_contents(request, end, end - 1);
    }
  }

  // Checks that the first `tokens` tokens lie where the table says, as far as a query at `query`
  // sees them.
  void check_contents(const Request& request, int64_t tokens, int64_t query) {
    const auto window = setup_.blocks.sliding_window;
    const int64_t first = window ? std::max<int64_t>(0, query - *window + 1) : 0;
    uint64_t content = first_content(request.cache_key);
    for (int64_t position = 0; position < tokens; ++position) {
      content = next_content(content, request.token(position));
      if (position < first) continue;
      const auto slot = static_cast<size_t>(manager_.slot(request.id, position));
      expect(device_.at(slot) == content,
             fmt::format("request {} reads another token at {}", request.id, position));
    }
  }

  std::vector<SampledToken> sample(const BatchPlan& plan) const {
    std::vector<SampledToken> sampled;
    for (const PlannedSequence& planned : plan.sequences) {
      const Request& request = *scheduler_.find(planned.request);
      const uint64_t content = content_of(request.cache_key, request.token_ids());
      if (request.is_beam() && planned.num_samples > 0) {
        const auto best = fake_candidates(content, planned.num_samples);
        sampled.insert(sampled.end(), best.begin(), best.end());
        continue;
      }
      for (int64_t i = 0; i < planned.num_samples; ++i)
        sampled.push_back({.token = fake_token(sampling_of(request, i).seed, content)});
    }
    return sampled;
  }

  void check() {
    scheduler_.check_invariants();
    std::map<int32_t, int32_t> holders[2];
    for (const auto& request : scheduler_.requests()) {
      if (!manager_.knows(request->id)) continue;
      const bool swapped = manager_.is_swapped(request->id);
      const auto table = manager_.blocks(request->id);
      for (auto i = static_cast<size_t>(manager_.blocks_left_window(request->id)); i < table.size();
           ++i)
        ++holders[swapped][table[i]];
    }
    for (const PoolKind kind : {PoolKind::kDevice, PoolKind::kSwap}) {
      const auto& held = holders[kind == PoolKind::kSwap];
      expect(manager_.num_available(kind) + static_cast<int64_t>(held.size()) ==
                 manager_.num_usable(kind),
             "B1: blocks are neither held nor available");
      for (const auto& [block, count] : held)
        expect(manager_.pool(kind).ref_count(block) == count, "B8: a reference count is wrong");
    }
  }

  void check_ending(const Request& asked) {
    const Request& request = *scheduler_.find(asked.id);
    const std::string who = fmt::format("request {}", asked.id);
    if (request.state == RequestState::kFinishedAborted) return check_times(request);
    expect((request.state == RequestState::kFinishedIgnored) == is_ignored(asked, limits_),
           who + " is ignored or not against the rules");
    expect((request.state == RequestState::kFinishedIgnored) <= !request.ignored_reason.empty(),
           who + " is ignored without a reason");
    if (request.state == RequestState::kFinishedIgnored) return;
    if (asked.is_beam()) return check_search(asked);
    for (const auto& other : scheduler_.requests())
      if (other.get() == &request || other->parent == asked.id) check_sample(asked, *other);
    int64_t samples = 0;
    for (const auto& other : scheduler_.requests())
      samples += other.get() == &request || other->parent == asked.id;
    expect(samples == asked.n, who + " has too few samples");
  }

  void check_sample(const Request& asked, const Request& sample) {
    const Ending expected = expected_sample(asked, sample.sample_index, limits_);
    const std::string who = fmt::format("sample {} of request {}", sample.sample_index, asked.id);
    const bool aborted = sample.state == RequestState::kFinishedAborted;
    expect(sample.output_ids.size() <= expected.outputs.size() &&
               std::equal(sample.output_ids.begin(), sample.output_ids.end(),
                          expected.outputs.begin()),
           "B17: " + who + " wrote another text");
    expect(aborted || sample.output_ids.size() == expected.outputs.size(),
           "B17: " + who + " ended early");
    expect(aborted || sample.state == expected.state, who + " ended in another state");
    const bool all = static_cast<int64_t>(sample.output_ids.size()) == asked.max_tokens;
    expect(aborted || sample.ignored_reason.empty() ==
                          (all || sample.state == RequestState::kFinishedStopped),
           who + " does not say why it ended");
    check_times(sample);
  }

  void check_search(const Request& asked) {
    const std::string who = fmt::format("the search of request {}", asked.id);
    const bool aborted = std::ranges::any_of(scheduler_.requests(), [&](const auto& request) {
      return (request->id == asked.id || request->parent == asked.id) &&
             request->state == RequestState::kFinishedAborted;
    });
    std::map<int64_t, const Request*> found;
    for (const auto& request : scheduler_.requests()) {
      if (request->id != asked.id && request->parent != asked.id) continue;
      check_times(*request);
      if (aborted) continue;
      const bool dropped = request->ignored_reason.starts_with("Dropped: ");
      expect(dropped != request->beam_rank.has_value(),
             who + " has a beam with and without a rank");
      if (request->beam_rank)
        expect(found.emplace(*request->beam_rank, request.get()).second, who + " has a rank twice");
    }
    if (aborted) return;  // aborted as a whole
    const std::vector<Ending> expected = expected_search(asked, limits_);
    expect(found.size() == expected.size(), who + " found another number of beams");
    for (size_t i = 0; i < expected.size(); ++i) {
      const Request* beam = found[static_cast<int64_t>(i)];
      expect(beam && beam->output_ids == expected[i].outputs && beam->state == expected[i].state &&
                 beam->cumulative_logprob == expected[i].cumulative_logprob,
             "B17: " + who + fmt::format(" found another beam {}", i));
    }
    ++stats.searches_done;
  }

  void check_times(const Request& request) {
    const RequestTimes& times = request.times;
    expect(times.token_ns.size() == request.output_ids.size(), "a token without a time");
    expect(std::is_sorted(times.token_ns.begin(), times.token_ns.end()), "tokens out of order");
    expect(times.finished_ns.has_value(), "an end without a time");
    const uint64_t queued = scheduler_.find(request.parent.value_or(request.id))->arrival_ns;
    expect(times.queued_ns == queued, "queued at another time than it arrived");
    expect(!times.first_token_ns || (times.scheduled_ns && *times.scheduled_ns >= queued &&
                                     *times.first_token_ns > *times.scheduled_ns &&
                                     *times.first_token_ns == times.token_ns.front()),
           "the first token at an impossible time");
    uint64_t last = times.scheduled_ns.value_or(queued);
    for (const Pause& pause : times.pauses) {
      expect(pause.begin_ns >= last, "pauses out of order");
      last = pause.end_ns.value_or(pause.begin_ns);
      expect(last >= pause.begin_ns, "a pause ends before it begins");
    }
    for (size_t i = 0; i + 1 < times.pauses.size(); ++i)
      expect(times.pauses[i].end_ns.has_value(), "a pause does not end");
  }

  WorldSetup setup_;
  Limits limits_;
  BlockManager manager_;
  Scheduler scheduler_;
  PlanRules rules_;
  std::vector<Request> asked_;
  std::vector<uint64_t> device_, swap_;  // [slot] content of the slot
  std::set<int32_t> new_blocks_;
  std::set<uint32_t> arrived_, finished_;
  std::optional<uint32_t> last_victim_;
  int64_t available_before_victim_ = 0, taken_since_victim_ = 0;
  BatchPlan plan_;
  uint32_t step_ = 0;
  uint64_t now_ns_ = 0;
};

Op random_add(Rng& rng, uint32_t id) {
  Op op{.kind = OpKind::kAdd};
  Request& request = op.request;
  request.id = id;
  const uint64_t longest = rng.below(12) == 0 ? 60 : 14;
  const uint64_t family = rng.below(3);
  const auto length = static_cast<int64_t>(rng.below(longest + 1));
  const auto differs = static_cast<int64_t>(rng.below(16));
  for (int64_t i = 0; i < length; ++i)
    request.prompt_ids.push_back(
        static_cast<int32_t>(100 * family + (i < differs ? 0 : 1 + rng.below(2))));
  request.max_tokens = static_cast<int64_t>(1 + rng.below(18));
  if (rng.below(2)) request.stop_tokens = {kStopToken};
  request.sampling.seed = rng.below(50);
  if (rng.below(3) == 0) request.priority = static_cast<int64_t>(rng.below(3)) - 1;
  if (rng.below(3) == 0) request.arrival_ns = rng.below(300);
  if (rng.below(8) == 0) request.cache_key = 1;
  if (rng.below(4) == 0) request.n = static_cast<int64_t>(1 + rng.below(4));
  if (rng.below(5) == 0) {
    request.n = 1;
    request.beam_width = static_cast<int64_t>(2 + rng.below(3));
    request.stop_tokens = {kStopToken};
    constexpr double kPenalties[] = {0, 1, 2, -1, 0.5};
    request.length_penalty = kPenalties[rng.below(5)];
    request.early_stopping = rng.below(3) == 0;
  }
  if (!request.stop_tokens.empty() && request.sampling.seed % 3 == 0)
    request.stop_tokens.insert(request.stop_tokens.begin(), kOtherStopToken);
  return op;
}

}  // namespace

std::string to_string(const Op& op) {
  static constexpr const char* kNames[] = {"add",           "abort", "step", "cancelled step",
                                           "abort in step", "wait"};
  std::string text =
      fmt::format("{} (after {} ns)", kNames[static_cast<size_t>(op.kind)], op.elapsed_ns);
  if (op.kind == OpKind::kAdd) {
    const Request& r = op.request;
    std::string prompt;
    for (const int32_t token : r.prompt_ids) prompt += fmt::format(" {}", token);
    text += fmt::format(
        " request {}: prompt [{} ], max_tokens {}, stops {}, seed {}, priority {}, arrives in {}, "
        "key {}, n {}, beams {} (penalty {}, early {})",
        r.id, prompt, r.max_tokens, r.stop_tokens.size(), r.sampling.seed, r.priority, r.arrival_ns,
        r.cache_key, r.n, r.beam_width, r.length_penalty, r.early_stopping);
  }
  if (op.kind == OpKind::kAbort || op.kind == OpKind::kAbortInStep)
    text += fmt::format(" of sample {} of request {}", op.sample, op.target);
  return text;
}

std::string to_string(const WorldSetup& setup) {
  const SchedulerConfig& c = setup.config;
  const BlockManagerConfig& b = setup.blocks;
  return fmt::format(
      "{}, {} tokens, {} sequences, model length {}, by {}; {} blocks of {}, {} swap blocks, "
      "prefix "
      "caching {}, watermark {}, window {}",
      name_of(c.policy), c.max_num_batched_tokens, c.max_num_seqs, c.max_model_len,
      name_of(c.preemption), b.num_blocks, b.block_size, b.num_swap_blocks, b.prefix_caching,
      b.watermark, b.sliding_window.value_or(0));
}

void WorldStats::add(const WorldStats& other) {
  const auto sum = [&](auto... field) { ((this->*field += other.*field), ...); };
  using S = WorldStats;
  sum(&S::operations, &S::steps, &S::tokens, &S::chunks, &S::replays, &S::cancelled, &S::aborted,
      &S::recomputed, &S::swapped_out, &S::swapped_in, &S::copies, &S::forks, &S::cached_tokens,
      &S::searches_done, &S::searches_preempted, &S::idle, &S::evicted);
}

std::string to_string(const WorldStats& s) {
  return fmt::format(
      "{} operations, {} steps, {} tokens; preempted {} by recomputation, {} by swap, {} brought "
      "back; {} searches preempted, {} done; {} forks, {} copies, {} cached tokens, {} evicted "
      "blocks; {} chunks, {} replayed tokens; {} cancelled steps, {} aborts, {} waits for arrivals",
      s.operations, s.steps, s.tokens, s.recomputed, s.swapped_out, s.swapped_in,
      s.searches_preempted, s.searches_done, s.forks, s.copies, s.cached_tokens, s.evicted,
      s.chunks, s.replays, s.cancelled, s.aborted, s.idle);
}

std::string run_world(const WorldSetup& setup, std::span<const Op> ops, WorldStats* stats,
                      const std::function<bool(const std::string&)>& goes_on) {
  std::string where = "at the beginning";
  try {
    World world(setup);
    for (size_t i = 0; i < ops.size(); ++i) {
      where = fmt::format("operation {}, {}", i, to_string(ops[i]));
      world.apply(ops[i]);
    }
    if (goes_on && !goes_on(world.state())) return "";
    where = "while all ran to their ends";
    world.drain();
    if (stats) stats->add(world.stats);
  } catch (const std::exception& error) {
    return fmt::format("{}: {}", where, error.what());
  }
  return "";
}

WorldSetup random_setup(uint64_t seed) {
  Rng rng(seed);
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng.below(static_cast<uint64_t>(high - low + 1)));
  };
  WorldSetup setup;
  setup.blocks.block_size = between(1, 6);
  setup.blocks.num_blocks = between(2, 26);
  if (rng.below(2)) setup.blocks.num_swap_blocks = between(1, 26);
  setup.blocks.prefix_caching = rng.below(2);
  if (rng.below(3) == 0) setup.blocks.watermark = 0.1 * static_cast<double>(between(1, 5));
  if (rng.below(4) == 0) setup.blocks.sliding_window = between(1, 20);
  setup.config.max_num_batched_tokens = between(1, 40);
  setup.config.max_num_seqs = between(1, 8);
  setup.config.max_model_len = between(2, 60);
  setup.config.policy =
      rng.below(2) ? SchedulingPolicy::kChunkedPrefill : SchedulingPolicy::kPrefillFirst;
  setup.config.preemption = rng.below(2) ? PreemptionMode::kSwap : PreemptionMode::kRecompute;
  setup.config.first_fork_id = kFirstForkId;
  return setup;
}

std::vector<Op> random_ops(uint64_t seed, int64_t count) {
  Rng rng(seed ^ 0x5eed);
  std::vector<Op> ops;
  uint32_t last_id = 0;
  for (int64_t i = 0; i < count; ++i) {
    Op op;
    switch (rng.below(16)) {
      case 0:
      case 1:
        op = random_add(rng, ++last_id);
        break;
      case 2:
        if (rng.below(3)) {
          op = random_add(rng, ++last_id);
          break;
        }
        op.kind = OpKind::kAbort;
        break;
      case 3:
        op.kind = OpKind::kCancelledStep;
        break;
      case 4:
        op.kind = rng.below(4) ? OpKind::kStep : OpKind::kAbortInStep;
        break;
      case 5:
        op.kind = OpKind::kWait;
        op.elapsed_ns = rng.below(100);
        break;
      default:
        op.elapsed_ns = rng.below(20);
    }
    op.target = static_cast<uint32_t>(1 + rng.below(last_id + 1));
    op.sample = rng.below(3) ? 0 : static_cast<int64_t>(rng.below(5));
    ops.push_back(std::move(op));
  }
  return ops;
}

std::string shortest_failure(const WorldSetup& setup, const std::vector<Op>& ops) {
  const std::vector<Op> fewest =
      shrink(ops, [&](const std::vector<Op>& part) { return !run_world(setup, part).empty(); });
  std::string text = to_string(setup) + "\n";
  for (size_t i = 0; i < fewest.size(); ++i)
    text += fmt::format("  {}: {}\n", i, to_string(fewest[i]));
  return text + run_world(setup, fewest);
}

}  // namespace attn::testing
