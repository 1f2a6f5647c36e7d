// SPDX-License-Identifier: GPL-3.0-or-later
// Texts for trace events: names of kinds, groups, kernels, lanes and heads; which request, block
// and step an event names; what its numbers mean. A QString is in the language of the program. Any
// thread. No Widgets.
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/trace/event.h"
#include "gui/models/words/request_words.h"

namespace attn::gui {

inline constexpr size_t kEventKinds = static_cast<size_t>(EventKind::kCount);

enum class EventGroup { kKernels, kRequests, kBlocks, kScheduler, kWarnings };
inline constexpr size_t kEventGroups = 5;
EventGroup group_of(EventKind kind);
QString group_words(EventGroup group);  // "Kernels and tiles"

QString kind_words(EventKind kind);     // "Attention tile"
QString kernel_words(uint32_t kernel);  // "flash_prefill"; the number if there is no such kernel
QString lane_words(uint8_t lane);       // "engine", "worker 0"
QString head_words(uint32_t head, uint32_t heads);  // "head 4"; of several "heads 4–7"
std::string_view kernel_stem(uint32_t kernel);      // "flash_prefill"; "unknown": no such kernel

// The number of the request, block or step that the event names; -1: it names none.
int64_t request_of(const TraceEvent& event);
int64_t block_of(const TraceEvent& event);  // block of the device pool
int64_t step_of(const TraceEvent& event);
// Whether the event names this block, also as the block that was copied. in_host_pool: true if
// `block` is a block of the swap pool, false if it is one of the device pool.
bool names_block(const TraceEvent& event, int64_t block, bool in_host_pool);

enum class FactValue {
  kStep,
  kRequest,
  kBlock,
  kKernel,        // number: KernelId
  kCount,         // a quantity
  kNumber,        // an identifier: written without thousands separators
  kOtherRequest,  // number: request id
  kRange,         // number: first element of the range, count: its length
  kPart,          // shown as "NUMBER of COUNT"; number counts from 1
  kText,          // the value is EventFact::text
  kMessage,       // number: index into Recorder::messages()
};
struct EventFact {
  const char* name = "";  // such as "prefill tokens"; fact_words() translates it
  FactValue value = FactValue::kCount;
  int64_t number = 0, count = 0;
  std::string_view text;
};
// At most eight facts, in the order in which they are shown.
class EventFacts {
 public:
  const EventFact* begin() const { return facts_.data(); }
  const EventFact* end() const { return facts_.data() + size_; }
  void add(const EventFact& fact) { facts_[size_++] = fact; }

 private:
  std::array<EventFact, 8> facts_;
  size_t size_ = 0;
};
EventFacts facts_of(const TraceEvent& event);
QString fact_words(const EventFact& fact);  // the fact's name, translated

// The facts except step, request and block, in one line: "flash_prefill · head 0 · queries 0..3 ·
// keys 0..15". messages: Recorder::messages(). names: gives the names of other requests; if it is
// empty, they are written as "request 3".
QString details_words(const TraceEvent& event, std::span<const std::string> messages,
                      const RequestNames& names = {});
// Appends the same facts in English, with numbers without thousands separators, for files and
// filters.
void append_details(std::string& out, const TraceEvent& event,
                    std::span<const std::string> messages);

}  // namespace attn::gui
