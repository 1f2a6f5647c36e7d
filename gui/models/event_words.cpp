// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/event_words.h"

#include <QLocale>
#include <charconv>

#include "engine/scheduler/request.h"
#include "engine/trace/bias_event.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

constexpr const char* kBetween = " · ";

EventFact about(FactValue value, int64_t number) {
  constexpr const char* kNames[] = {QT_TRANSLATE_NOOP("Events", "step"),
                                    QT_TRANSLATE_NOOP("Events", "request"),
                                    QT_TRANSLATE_NOOP("Events", "block")};
  return {kNames[static_cast<size_t>(value)], value, number, 0, {}};
}
EventFact step(uint32_t number) {
  return about(FactValue::kStep, number);
}
EventFact request(uint32_t id) {
  return about(FactValue::kRequest, id);
}
EventFact count(const char* name, int64_t number) {
  return {name, FactValue::kCount, number, 0, {}};
}
EventFact number(const char* name, uint32_t value) {
  return {name, FactValue::kNumber, value, 0, {}};
}
EventFact range(const char* name, int64_t first, int64_t how_many) {
  return {name, FactValue::kRange, first, how_many, {}};
}
EventFact kernel(uint32_t id) {
  return {QT_TRANSLATE_NOOP("Events", "kernel"), FactValue::kKernel, id, 0, {}};
}

void add_tile(EventFacts& facts, const TraceEvent& event) {
  const TileEvent tile = unpack_tile(event);
  facts.add(kernel(static_cast<uint32_t>(tile.kernel)));
  facts.add(request(tile.request));
  facts.add(tile.heads > 1 ? range(QT_TRANSLATE_NOOP("Events", "heads"), tile.head, tile.heads)
                           : number(QT_TRANSLATE_NOOP("Events", "head"), tile.head));
  facts.add(range(QT_TRANSLATE_NOOP("Events", "queries"), tile.q_begin, tile.q_count));
  facts.add(range(QT_TRANSLATE_NOOP("Events", "keys"), tile.k_begin, tile.k_count));
}

void add_block(EventFacts& facts, const TraceEvent& event) {
  facts.add(about(FactValue::kBlock, event.a));
  if (event.b != kNoNumber) facts.add(request(event.b));
  if (event.c != kNoNumber)
    facts.add(number(is_in_cross_table(event.c)
                         ? QT_TRANSLATE_NOOP("Events", "logical block of the encoder")
                         : QT_TRANSLATE_NOOP("Events", "logical block"),
                     logical_block_of(event.c)));
  switch (event.kind) {
    case EventKind::kBlockCopied:
      return facts.add(number(QT_TRANSLATE_NOOP("Events", "copied from block"), event.d));
    case EventKind::kBlockSwappedOut:
    case EventKind::kBlockSwappedIn:
      return facts.add(number(QT_TRANSLATE_NOOP("Events", "block of the swap pool"), event.d));
    case EventKind::kBlockShared:
    case EventKind::kBlockReleased:
    case EventKind::kBlockHashed:
    case EventKind::kBlockLeftWindow:
      return facts.add(count(QT_TRANSLATE_NOOP("Events", "tables that hold it"), event.d));
    default:
      return facts.add(count(QT_TRANSLATE_NOOP("Events", "free or cached after"), event.d));
  }
}

// Adds the facts of an event about a request. If the event is of another kind, adds nothing and
// returns false.
bool add_request_event(EventFacts& facts, const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kRequestQueued:
      facts.add(request(event.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "prompt tokens"), event.b));
      return true;
    case EventKind::kRequestScheduled:
    case EventKind::kRequestResumed:
      facts.add(request(event.a));
      facts.add(step(event.b));
      return true;
    case EventKind::kTokenSampled:
      facts.add(request(event.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "position"), event.b));
      facts.add(number(QT_TRANSLATE_NOOP("Events", "token id"), event.c));
      facts.add(step(event.d));
      return true;
    case EventKind::kRequestPreempted:
      facts.add(request(event.a));
      facts.add(step(event.b));
      facts.add(count(event.d == 1 ? QT_TRANSLATE_NOOP("Events", "computed tokens swapped out")
                                   : QT_TRANSLATE_NOOP("Events", "computed tokens given up"),
                      event.c));
      return true;
    case EventKind::kRequestForked:
      facts.add(request(event.a));
      facts.add(
          {QT_TRANSLATE_NOOP("Events", "goes on from"), FactValue::kOtherRequest, event.b, 0, {}});
      facts.add(step(event.c));
      return true;
    case EventKind::kPrefixHit:
      facts.add(request(event.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "cached tokens"), event.b));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "all tokens"), event.c));
      facts.add(step(event.d));
      return true;
    case EventKind::kRequestFinished:
      facts.add(request(event.a));
      facts.add({QT_TRANSLATE_NOOP("Events", "state"), FactValue::kText, event.b, 0,
                 name_of(static_cast<RequestState>(event.b))});
      facts.add(count(QT_TRANSLATE_NOOP("Events", "tokens"), event.c));
      return true;
    default:
      return false;
  }
}

void append_number(std::string& out, int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

bool is_about(const EventFact& fact) {
  return fact.value <= FactValue::kBlock;
}

}  // namespace

EventGroup group_of(EventKind kind) {
  switch (kind) {
    case EventKind::kStep:
    case EventKind::kSchedule:
    case EventKind::kPlanCaptured:
    case EventKind::kPlanReplayed:
      return EventGroup::kScheduler;
    case EventKind::kRequestQueued:
    case EventKind::kRequestScheduled:
    case EventKind::kTokenSampled:
    case EventKind::kRequestPreempted:
    case EventKind::kRequestResumed:
    case EventKind::kRequestForked:
    case EventKind::kPrefixHit:
    case EventKind::kRequestFinished:
      return EventGroup::kRequests;
    case EventKind::kWarning:
      return EventGroup::kWarnings;
    default:
      return is_block_event(kind) ? EventGroup::kBlocks : EventGroup::kKernels;
  }
}

QString group_words(EventGroup group) {
  switch (group) {
    case EventGroup::kKernels:
      return tr("Kernels and tiles");
    case EventGroup::kRequests:
      return tr("Requests");
    case EventGroup::kBlocks:
      return tr("Blocks");
    case EventGroup::kScheduler:
      return tr("Scheduler");
    case EventGroup::kWarnings:
      break;
  }
  return tr("Warnings");
}

QString kind_words(EventKind kind) {
  switch (kind) {
    case EventKind::kStep:
      return tr("Engine step");
    case EventKind::kSchedule:
      return tr("Scheduling");
    case EventKind::kKernel:
      return tr("Kernel");
    case EventKind::kTile:
      return tr("Attention tile");
    case EventKind::kTask:
      return tr("Task of a kernel");
    case EventKind::kRequestQueued:
      return tr("Request queued");
    case EventKind::kRequestScheduled:
      return tr("Request scheduled");
    case EventKind::kTokenSampled:
      return tr("Token sampled");
    case EventKind::kRequestPreempted:
      return tr("Request preempted");
    case EventKind::kRequestResumed:
      return tr("Request swapped in");
    case EventKind::kRequestForked:
      return tr("Request forked");
    case EventKind::kPrefixHit:
      return tr("Prefix found in the cache");
    case EventKind::kRequestFinished:
      return tr("Request finished");
    case EventKind::kBlockAllocated:
      return tr("Block taken");
    case EventKind::kBlockFreed:
      return tr("Block freed");
    case EventKind::kBlockShared:
      return tr("Block shared");
    case EventKind::kBlockReleased:
      return tr("Shared block released");
    case EventKind::kBlockCached:
      return tr("Block kept for its prefix");
    case EventKind::kBlockEvicted:
      return tr("Block evicted");
    case EventKind::kBlockHashed:
      return tr("Full block hashed");
    case EventKind::kBlockCopied:
      return tr("Block copied before a write");
    case EventKind::kBlockLeftWindow:
      return tr("Block left the window");
    case EventKind::kBlockSwappedOut:
      return tr("Block swapped out");
    case EventKind::kBlockSwappedIn:
      return tr("Block swapped in");
    case EventKind::kWarning:
      return tr("Warning");
    case EventKind::kPageFetch:
      return tr("Page fetch");
    case EventKind::kCallSplit:
      return tr("Batch split into calls");
    case EventKind::kBiasBuilt:
      return tr("Mask or bias built");
    case EventKind::kPlanCaptured:
      return tr("Plan captured");
    case EventKind::kPlanReplayed:
      return tr("Plan replayed");
    case EventKind::kPadding:
      return tr("Padding");
    case EventKind::kCount:
      break;
  }
  return text_of(name_of(kind));
}

std::string_view kernel_stem(uint32_t id) {
  return id < static_cast<uint32_t>(KernelId::kCount) ? name_of(static_cast<KernelId>(id))
                                                      : "unknown";
}

QString kernel_words(uint32_t id) {
  return id < static_cast<uint32_t>(KernelId::kCount) ? text_of(kernel_stem(id))
                                                      : QString::number(id);
}

QString head_words(uint32_t head, uint32_t heads) {
  return heads > 1 ? tr("heads %1–%2").arg(head).arg(head + heads - 1) : tr("head %1").arg(head);
}

QString lane_words(uint8_t lane) {
  return lane == kEngineLane ? tr("engine") : tr("worker %1").arg(lane - 1);
}

int64_t request_of(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kTile:
    case EventKind::kPageFetch:
      return event.a & kRequestBits;
    case EventKind::kRequestQueued:
    case EventKind::kRequestScheduled:
    case EventKind::kTokenSampled:
    case EventKind::kRequestPreempted:
    case EventKind::kRequestResumed:
    case EventKind::kRequestForked:
    case EventKind::kPrefixHit:
    case EventKind::kRequestFinished:
      return event.a;
    default:
      return is_block_event(event.kind) && event.b != kNoNumber ? int64_t{event.b} : -1;
  }
}

int64_t block_of(const TraceEvent& event) {
  return is_block_event(event.kind) ? int64_t{event.a} : -1;
}

int64_t step_of(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kStep:
    case EventKind::kSchedule:
    case EventKind::kBiasBuilt:
      return event.a;
    case EventKind::kKernel:
    case EventKind::kTask:
    case EventKind::kRequestScheduled:
    case EventKind::kRequestPreempted:
    case EventKind::kRequestResumed:
    case EventKind::kWarning:
      return event.b;
    case EventKind::kRequestForked:
      return event.c;
    case EventKind::kTokenSampled:
    case EventKind::kPrefixHit:
      return event.d;
    default:
      return -1;
  }
}

bool names_block(const TraceEvent& event, int64_t block, bool in_host_pool) {
  if (!is_block_event(event.kind)) return false;
  const bool moved =
      event.kind == EventKind::kBlockSwappedOut || event.kind == EventKind::kBlockSwappedIn;
  if (in_host_pool) return moved && event.d == block;
  return event.a == block || (event.kind == EventKind::kBlockCopied && event.d == block);
}

EventFacts facts_of(const TraceEvent& e) {
  EventFacts facts;
  if (add_request_event(facts, e)) return facts;
  switch (e.kind) {
    case EventKind::kStep:
      facts.add(step(e.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "prefill tokens"), e.b));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "decode tokens"), e.c));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "sequences"), e.d));
      break;
    case EventKind::kSchedule:
      facts.add(step(e.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "waiting"), e.b));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "running"), e.c));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "free blocks"), e.d));
      break;
    case EventKind::kKernel:
      facts.add(kernel(e.a));
      facts.add(step(e.b));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "tasks"), e.c));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "tokens"), e.d));
      break;
    case EventKind::kTile:
      add_tile(facts, e);
      break;
    case EventKind::kTask:
      facts.add(kernel(e.a));
      facts.add(step(e.b));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "task"), e.c));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "rows"), e.d));
      break;
    case EventKind::kWarning:
      facts.add({QT_TRANSLATE_NOOP("Events", "message"), FactValue::kMessage, e.a, 0, {}});
      facts.add(step(e.b));
      break;
    case EventKind::kPageFetch:
      facts.add(kernel(e.a >> 24));
      facts.add(request(e.a & kRequestBits));
      facts.add(range(QT_TRANSLATE_NOOP("Events", "pages"), e.b, e.c));
      facts.add(number(QT_TRANSLATE_NOOP("Events", "KV head"), e.d));
      break;
    case EventKind::kCallSplit:
      facts.add(kernel(e.a));
      facts.add({QT_TRANSLATE_NOOP("Events", "call"), FactValue::kPart, int64_t{e.b} + 1, e.c, {}});
      facts.add(count(QT_TRANSLATE_NOOP("Events", "sequences"), e.d));
      break;
    case EventKind::kBiasBuilt: {
      const BiasEvent bias = unpack_bias(e);
      facts.add(step(bias.step));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "query rows"), bias.rows));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "keys"), bias.keys));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "bytes"), static_cast<int64_t>(bias.bytes)));
      break;
    }
    case EventKind::kPlanCaptured:
      facts.add(count(QT_TRANSLATE_NOOP("Events", "batch size"), e.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "bytes kept"), e.b));
      break;
    case EventKind::kPlanReplayed:
      facts.add(count(QT_TRANSLATE_NOOP("Events", "batch size"), e.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "padding rows"), e.b));
      break;
    case EventKind::kPadding:
      facts.add(kernel(e.a));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "rows"), e.b));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "padding rows"), e.c));
      facts.add(count(QT_TRANSLATE_NOOP("Events", "sequences"), e.d));
      break;
    default:
      if (is_block_event(e.kind)) add_block(facts, e);
      break;
  }
  return facts;
}

QString fact_words(const EventFact& fact) {
  return tr(fact.name);
}

QString details_words(const TraceEvent& event, std::span<const std::string> messages,
                      const RequestNames& names) {
  const QLocale locale;
  const auto counted = [&](int64_t value) {
    return locale.toString(static_cast<qlonglong>(value));
  };
  QString out;
  for (const EventFact& fact : facts_of(event)) {
    if (is_about(fact)) continue;
    if (!out.isEmpty()) out += QString::fromUtf8(kBetween);
    const QString name = fact_words(fact) + QLatin1Char(' ');
    switch (fact.value) {
      case FactValue::kKernel:
        out += kernel_words(static_cast<uint32_t>(fact.number));
        break;
      case FactValue::kText:
        out += text_of(fact.text);
        break;
      case FactValue::kMessage:
        if (static_cast<size_t>(fact.number) < messages.size())
          out += QString::fromStdString(messages[static_cast<size_t>(fact.number)]);
        else
          out += name + QString::number(fact.number);
        break;
      case FactValue::kRange:
        out += name +
               (fact.count == 1 ? QString::number(fact.number)
                : fact.count == 0
                    ? tr("none")
                    : QStringLiteral("%1..%2").arg(fact.number).arg(fact.number + fact.count - 1));
        break;
      case FactValue::kPart:
        out += name + tr("%1 of %2").arg(fact.number).arg(fact.count);
        break;
      case FactValue::kOtherRequest:
        out += name + (names ? names(fact.number) : tr("request %1").arg(fact.number));
        break;
      case FactValue::kNumber:
        out += name + QString::number(fact.number);
        break;
      default:
        out += name + counted(fact.number);
    }
  }
  return out;
}

void append_details(std::string& out, const TraceEvent& event,
                    std::span<const std::string> messages) {
  bool first = true;
  for (const EventFact& fact : facts_of(event)) {
    if (is_about(fact)) continue;
    if (!first) out += kBetween;
    first = false;
    switch (fact.value) {
      case FactValue::kKernel:
        if (fact.number < static_cast<int64_t>(KernelId::kCount))
          out += kernel_stem(static_cast<uint32_t>(fact.number));
        else
          append_number(out, fact.number);
        continue;
      case FactValue::kText:
        out += fact.text;
        continue;
      case FactValue::kMessage:
        if (static_cast<size_t>(fact.number) < messages.size()) {
          out += messages[static_cast<size_t>(fact.number)];
          continue;
        }
        break;
      default:
        break;
    }
    (out += fact.name) += ' ';
    if (fact.value == FactValue::kOtherRequest) out += "request ";
    if (fact.value == FactValue::kRange && fact.count == 0) {
      out += "none";
      continue;
    }
    append_number(out, fact.number);
    if (fact.value == FactValue::kRange && fact.count > 1)
      append_number(out += "..", fact.number + fact.count - 1);
    if (fact.value == FactValue::kPart) append_number(out += " of ", fact.count);
  }
}

}  // namespace attn::gui
