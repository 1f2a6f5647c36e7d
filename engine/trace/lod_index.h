// SPDX-License-Identifier: GPL-3.0-or-later
// LodIndex: the spans of one lane with a pyramid of summaries (of 8 spans, 64, 512, ...), to draw
// many spans on few pixels. pieces() uses a summary in place of its spans only where the summary
// lies in one pixel column or is much narrower than a column. Statistics and hit tests are exact
// for spans in any order, and fast for spans nearly in time order. Times: ns on the run's clock.
// One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace attn {

struct LodSpan {
  uint64_t begin_ns = 0, end_ns = 0;  // [begin, end); equal: an instant
  uint32_t event = 0;                 // index of the event in the run; grows within a lane
  uint8_t span_class = 0;             // decides the colour; < LodIndex::kClasses
};

// A thing to draw: one span that is wide enough, or all narrower spans of one pixel column merged.
struct LodPiece {
  uint64_t begin_ns = 0, end_ns = 0;  // one span: its own times, not clipped; merged: the column
  // One span: its event. Merged: the event of a span in the column, or kManyEvents if several spans
  // begin in it or a split summary has a part in it.
  uint32_t event = 0;
  // Merged: spans whose visible part begins in the column. Those of a summary that is split between
  // two columns all count in the first.
  uint32_t count = 0;
  int32_t column = -1;  // merged: the column; one span: -1
  // One span: its own. Merged: the class with the most time; without any time, that of one span.
  uint8_t span_class = 0;
  float coverage = 0;  // merged: times of its spans in it / column time, at most 1; one span: 1
};

struct LodStatistics {
  static constexpr int kClasses = 11;
  uint64_t count = 0;                            // spans that touch the range
  uint64_t total_ns = 0;                         // sum of their parts inside the range
  std::array<uint64_t, kClasses> class_ns{};     // the same by class
  std::array<uint64_t, kClasses> class_count{};  // count by class
};

// Array that grows at its end and does not move its elements then.
template <class T, unsigned kShift = 12>
class ChunkedArray {
 public:
  const T& operator[](uint64_t i) const { return chunks_[i >> kShift][i & kMask]; }
  T& operator[](uint64_t i) { return chunks_[i >> kShift][i & kMask]; }
  uint64_t size() const { return size_; }
  // After this the next push_back() takes no memory.
  void make_room() {
    if (size_ >> kShift == chunks_.size())
      chunks_.push_back(std::make_unique<T[]>(size_t{1} << kShift));
  }
  void push_back(const T& value) {
    make_room();
    chunks_.back()[size_ & kMask] = value;
    ++size_;
  }
  void clear() {
    chunks_.clear();
    size_ = 0;
  }

 private:
  static constexpr uint64_t kMask = (uint64_t{1} << kShift) - 1;
  std::vector<std::unique_ptr<T[]>> chunks_;
  uint64_t size_ = 0;
};

class LodIndex {
 public:
  static constexpr int kClasses = LodStatistics::kClasses;
  static constexpr uint32_t kManyEvents = 0xffffffff;

  // A span that ends before it begins is taken as an instant at its begin. If an allocation fails,
  // the index holds the same spans as before.
  void append(const LodSpan& span);
  void clear();

  uint64_t size() const { return spans_.size(); }
  bool empty() const { return spans_.size() == 0; }
  const LodSpan& span(uint64_t i) const { return spans_[i]; }
  uint64_t begin_ns() const { return begin_ns_; }  // earliest begin, 0 when empty
  uint64_t end_ns() const { return end_ns_; }      // latest end

  // Appends to `out` what to draw for [begin_ns, end_ns) on `columns` pixel columns: first spans of
  // at least kOwnColumns columns, one piece each, in order of arrival, then the merged columns from
  // left to right. A summary that lies across the edge between two columns and is at most
  // 1 / kSplitParts of a column wide is split in proportion, so coverage is approximate there.
  void pieces(uint64_t begin_ns, uint64_t end_ns, int columns, std::vector<LodPiece>& out) const;
  static constexpr uint64_t kOwnColumns = 2;
  static constexpr uint64_t kSplitParts = 8;
  static uint64_t column_begin(uint64_t begin_ns, uint64_t end_ns, int columns, int column) {
    // (end_ns - begin_ns) * column / columns without the product, which need not fit 64 bits.
    const uint64_t all = end_ns - begin_ns, of = static_cast<uint64_t>(columns),
                   at = static_cast<uint64_t>(column);
    return begin_ns + all / of * at + all % of * at / of;
  }

  LodStatistics statistics(uint64_t begin_ns, uint64_t end_ns) const;

  // The span at a time: the nearest one within slack_ns, and among equally near ones the shortest.
  // Returns its position in this lane; nullopt: none is that near.
  std::optional<uint64_t> at(uint64_t time_ns, uint64_t slack_ns = 0) const;
  // The position of the span of an event. Events must have been appended in growing order, as they
  // are in lanes.
  std::optional<uint64_t> find_event(uint32_t event) const;

 private:
  static constexpr unsigned kFanShift = 3;  // 8 children a node
  // The parts of a node are stored apart: a walk reads the Hull of each node that it visits, the
  // Summary of those that it uses, and the Counts only for statistics.
  struct Hull {
    uint64_t min_begin_ns = 0, max_end_ns = 0;
  };
  struct Summary {
    std::array<uint64_t, kClasses> class_ns{};
    uint32_t count = 0;
    uint32_t first_event = 0;
    uint8_t first_class = 0;
  };
  using Counts = std::array<uint32_t, kClasses>;
  struct Level {  // node i of levels_[l] sums spans [i * 8^(l+1), (i + 1) * 8^(l+1))
    ChunkedArray<Hull> hulls;
    ChunkedArray<Summary, 9> summaries;
    ChunkedArray<Counts, 9> class_counts;
  };
  struct Query;

  void make_room();
  template <class OnNode, class OnSpan>
  void visit(size_t level, uint64_t i, const OnNode& on_node, const OnSpan& on_span) const;
  template <class OnNode, class OnSpan>
  void visit_all(const OnNode& on_node, const OnSpan& on_span) const;

  ChunkedArray<LodSpan> spans_;
  std::vector<Level> levels_;
  uint64_t begin_ns_ = 0, end_ns_ = 0;
};

}  // namespace attn
