// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/lod_index.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

enum class Walk { kSkip, kDescend };

// A span touches [begin, end) if some of its time lies inside; an instant, if its time does.
bool touches(const LodSpan& span, uint64_t begin_ns, uint64_t end_ns) {
  if (span.begin_ns >= end_ns) return false;
  return span.end_ns > begin_ns || (span.begin_ns == span.end_ns && span.begin_ns >= begin_ns);
}

uint8_t dominant(const std::array<uint64_t, LodIndex::kClasses>& class_ns, uint8_t if_no_time) {
  const auto most = std::max_element(class_ns.begin(), class_ns.end());
  return *most == 0 ? if_no_time : static_cast<uint8_t>(most - class_ns.begin());
}

}  // namespace

// Takes all memory that the next span needs. A level is added once the level below gets its second
// node.
void LodIndex::make_room() {
  spans_.make_room();
  if (levels_.empty()) levels_.emplace_back();
  for (size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    const uint64_t nodes = level.hulls.size();
    if (size() >> (kFanShift * (l + 1)) < nodes) return;  // the next span joins the last node
    level.hulls.make_room();
    level.summaries.make_room();
    level.class_counts.make_room();
    if (l + 1 < levels_.size() || nodes != 1) continue;
    Level above;
    above.hulls.push_back(level.hulls[0]);
    above.summaries.push_back(level.summaries[0]);
    above.class_counts.push_back(level.class_counts[0]);
    levels_.push_back(std::move(above));
  }
}

void LodIndex::append(const LodSpan& given) {
  make_room();
  LodSpan span = given;
  span.end_ns = std::max(span.begin_ns, span.end_ns);
  span.span_class = std::min<uint8_t>(span.span_class, kClasses - 1);
  begin_ns_ = empty() ? span.begin_ns : std::min(begin_ns_, span.begin_ns);
  end_ns_ = std::max(end_ns_, span.end_ns);
  const uint64_t position = spans_.size();
  spans_.push_back(span);
  for (size_t l = 0; l < levels_.size(); ++l) {
    const uint64_t i = position >> (kFanShift * (l + 1));
    Level& level = levels_[l];
    if (i == level.hulls.size()) {
      level.hulls.push_back({span.begin_ns, span.end_ns});
      level.summaries.push_back({{}, 0, span.event, span.span_class});
      level.class_counts.push_back({});
    }
    Hull& hull = level.hulls[i];
    hull.min_begin_ns = std::min(hull.min_begin_ns, span.begin_ns);
    hull.max_end_ns = std::max(hull.max_end_ns, span.end_ns);
    Summary& summary = level.summaries[i];
    summary.class_ns[span.span_class] += span.end_ns - span.begin_ns;
    ++summary.count;
    ++level.class_counts[i][span.span_class];
  }
}

void LodIndex::clear() {
  spans_.clear();
  levels_.clear();
  begin_ns_ = end_ns_ = 0;
}

// on_node(level, i) says whether to visit the children of the level's node i; on_span(span,
// position) gets the spans below these nodes.
template <class OnNode, class OnSpan>
void LodIndex::visit(size_t l, uint64_t i, const OnNode& on_node, const OnSpan& on_span) const {
  if (on_node(levels_[l], i) == Walk::kSkip) return;
  const uint64_t first = i << kFanShift;
  const uint64_t available = l == 0 ? spans_.size() : levels_[l - 1].hulls.size();
  const uint64_t last = std::min(first + (uint64_t{1} << kFanShift), available);
  for (uint64_t child = first; child < last; ++child) {
    if (l == 0) {
      on_span(spans_[child], child);
    } else {
      visit(l - 1, child, on_node, on_span);
    }
  }
}

template <class OnNode, class OnSpan>
void LodIndex::visit_all(const OnNode& on_node, const OnSpan& on_span) const {
  if (levels_.empty()) return;
  for (uint64_t i = 0; i < levels_.back().hulls.size(); ++i)
    visit(levels_.size() - 1, i, on_node, on_span);
}

// Accumulates the spans that are narrower than kOwnColumns columns, column by column.
struct LodIndex::Query {
  struct Column {
    std::array<uint64_t, kClasses> class_ns{};
    uint32_t count = 0;
    uint32_t event = kManyEvents;
    uint8_t any_class = 0;
    bool touched = false;
  };
  uint64_t begin, end;
  int columns;
  double columns_per_ns;
  std::vector<uint64_t> edges;  // [columns + 1]
  std::vector<Column> cells;

  Query(uint64_t begin_ns, uint64_t end_ns, int num_columns)
      : begin(begin_ns),
        end(end_ns),
        columns(num_columns),
        columns_per_ns(static_cast<double>(num_columns) / static_cast<double>(end_ns - begin_ns)),
        edges(static_cast<size_t>(num_columns) + 1),
        cells(static_cast<size_t>(num_columns)) {
    for (int c = 0; c <= columns; ++c)
      edges[static_cast<size_t>(c)] = column_begin(begin, end, columns, c);
  }

  uint64_t edge(int column) const { return edges[static_cast<size_t>(column)]; }
  // The column that holds a time of [begin, end). The product is only a guess, which edge()
  // corrects.
  int column_of(uint64_t time_ns) const {
    int column = std::min(columns - 1,
                          static_cast<int>(static_cast<double>(time_ns - begin) * columns_per_ns));
    while (column > 0 && edge(column) > time_ns) --column;
    while (column + 1 < columns && edge(column + 1) <= time_ns) ++column;
    return column;
  }
  void touch(Column& cell, uint8_t span_class) {
    if (!cell.touched) cell.any_class = span_class;
    cell.touched = true;
  }
  // Adds `spans` to the number of spans that begin in the column. The column may already have a
  // part of a split node, whose spans are counted in another column.
  static void count(Column& cell, uint32_t spans, uint32_t event) {
    const bool is_first = cell.count == 0 && !(cell.touched && cell.event == kManyEvents);
    cell.event = is_first && spans == 1 ? event : kManyEvents;
    cell.count += spans;
  }
  void add_node(const Summary& node, int column) {
    Column& cell = cells[static_cast<size_t>(column)];
    count(cell, node.count, node.first_event);
    touch(cell, node.first_class);
    for (size_t c = 0; c < kClasses; ++c) cell.class_ns[c] += node.class_ns[c];
  }
  // Adds a node of which the part `left`, in [0, 1], lies in this column and the rest in the next.
  void add_split_node(const Summary& node, int column, double left) {
    Column& cell = cells[static_cast<size_t>(column)];
    Column& next = cells[static_cast<size_t>(column) + 1];
    touch(cell, node.first_class);
    touch(next, node.first_class);
    cell.event = next.event = kManyEvents;
    cell.count += node.count;
    for (size_t c = 0; c < kClasses; ++c) {
      const auto part = static_cast<uint64_t>(left * static_cast<double>(node.class_ns[c]));
      cell.class_ns[c] += part;
      next.class_ns[c] += node.class_ns[c] - part;
    }
  }
  void add_span(const LodSpan& span) {
    uint64_t from = std::max(span.begin_ns, begin);
    const uint64_t to = std::min(span.end_ns, end);
    int column = column_of(from);
    Column& first = cells[static_cast<size_t>(column)];
    count(first, 1, span.event);
    touch(first, span.span_class);
    while (from < to) {
      Column& cell = cells[static_cast<size_t>(column)];
      if (&cell != &first && !cell.touched) cell.event = span.event;
      touch(cell, span.span_class);
      const uint64_t stop = std::min(to, edge(column + 1));
      cell.class_ns[span.span_class] += stop - from;
      from = stop;
      ++column;
    }
  }
};

void LodIndex::pieces(uint64_t begin_ns, uint64_t end_ns, int columns,
                      std::vector<LodPiece>& out) const {
  if (columns < 1 || end_ns <= begin_ns || empty()) return;
  Query query(begin_ns, end_ns, columns);
  const uint64_t split_ns =
      (end_ns - begin_ns) / (static_cast<uint64_t>(columns) * LodIndex::kSplitParts);
  const double own_ns =
      static_cast<double>(kOwnColumns) * static_cast<double>(end_ns - begin_ns) / columns;
  visit_all(
      [&](const Level& level, uint64_t i) {
        const Hull& hull = level.hulls[i];
        if (hull.min_begin_ns >= end_ns || hull.max_end_ns < begin_ns) return Walk::kSkip;
        if (hull.min_begin_ns < begin_ns) return Walk::kDescend;
        if (static_cast<double>(hull.max_end_ns - hull.min_begin_ns) >= own_ns)
          return Walk::kDescend;
        const int column = query.column_of(hull.min_begin_ns);
        const uint64_t edge = query.edge(column + 1);
        if (hull.max_end_ns < edge) {
          query.add_node(level.summaries[i], column);
          return Walk::kSkip;
        }
        if (column + 1 == columns || hull.max_end_ns == edge ||
            hull.max_end_ns - hull.min_begin_ns > split_ns)
          return Walk::kDescend;
        query.add_split_node(level.summaries[i], column,
                             static_cast<double>(edge - hull.min_begin_ns) /
                                 static_cast<double>(hull.max_end_ns - hull.min_begin_ns));
        return Walk::kSkip;
      },
      [&](const LodSpan& span, uint64_t) {
        if (!touches(span, begin_ns, end_ns)) return;
        const uint64_t duration = span.end_ns - span.begin_ns;
        if (duration > 0 && static_cast<double>(duration) >= own_ns) {
          out.push_back({span.begin_ns, span.end_ns, span.event, 1, -1, span.span_class, 1.0f});
        } else {
          query.add_span(span);
        }
      });
  for (int c = 0; c < columns; ++c) {
    const Query::Column& cell = query.cells[static_cast<size_t>(c)];
    if (!cell.touched) continue;
    const uint64_t from = query.edge(c), to = query.edge(c + 1);
    uint64_t covered = 0;
    for (uint64_t ns : cell.class_ns) covered += ns;
    const double width = static_cast<double>(std::max<uint64_t>(1, to - from));
    out.push_back({from, to, cell.event, cell.count, c, dominant(cell.class_ns, cell.any_class),
                   static_cast<float>(std::min(1.0, static_cast<double>(covered) / width))});
  }
}

LodStatistics LodIndex::statistics(uint64_t begin_ns, uint64_t end_ns) const {
  LodStatistics sum;
  if (end_ns <= begin_ns) return sum;
  visit_all(
      [&](const Level& level, uint64_t i) {
        const Hull& hull = level.hulls[i];
        if (hull.min_begin_ns >= end_ns || hull.max_end_ns < begin_ns) return Walk::kSkip;
        // An instant at end_ns lies outside the range, so a summary counts whole only if it ends
        // before end_ns.
        if (hull.min_begin_ns < begin_ns || hull.max_end_ns >= end_ns) return Walk::kDescend;
        const Summary& summary = level.summaries[i];
        const Counts& counts = level.class_counts[i];
        sum.count += summary.count;
        for (size_t c = 0; c < kClasses; ++c) {
          sum.class_ns[c] += summary.class_ns[c];
          sum.class_count[c] += counts[c];
        }
        return Walk::kSkip;
      },
      [&](const LodSpan& span, uint64_t) {
        if (!touches(span, begin_ns, end_ns)) return;
        ++sum.count;
        ++sum.class_count[span.span_class];
        sum.class_ns[span.span_class] +=
            std::min(span.end_ns, end_ns) - std::max(span.begin_ns, begin_ns);
      });
  for (uint64_t ns : sum.class_ns) sum.total_ns += ns;
  return sum;
}

std::optional<uint64_t> LodIndex::at(uint64_t time_ns, uint64_t slack_ns) const {
  std::optional<uint64_t> best;
  uint64_t best_distance = slack_ns, best_duration = 0;
  const auto distance = [time_ns](const LodSpan& span) {
    if (time_ns < span.begin_ns) return span.begin_ns - time_ns;
    const uint64_t last = span.end_ns > span.begin_ns ? span.end_ns - 1 : span.begin_ns;
    return time_ns > last ? time_ns - last : 0;
  };
  visit_all(
      [&](const Level& level, uint64_t i) {
        const Hull& hull = level.hulls[i];
        const uint64_t away = time_ns < hull.min_begin_ns ? hull.min_begin_ns - time_ns
                              : time_ns > hull.max_end_ns ? time_ns - hull.max_end_ns
                                                          : 0;
        return away > best_distance ? Walk::kSkip : Walk::kDescend;
      },
      [&](const LodSpan& span, uint64_t position) {
        const uint64_t away = distance(span);
        const uint64_t duration = span.end_ns - span.begin_ns;
        if (away > best_distance) return;
        if (best && away == best_distance && duration >= best_duration) return;
        best = position;
        best_distance = away;
        best_duration = duration;
      });
  return best;
}

std::optional<uint64_t> LodIndex::find_event(uint32_t event) const {
  uint64_t low = 0, high = spans_.size();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (spans_[middle].event < event) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < spans_.size() && spans_[low].event == event) return low;
  return std::nullopt;
}

}  // namespace attn
