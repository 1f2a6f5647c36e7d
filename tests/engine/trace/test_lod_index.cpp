// SPDX-License-Identifier: GPL-3.0-or-later
// LodIndex: the pieces that are drawn for many spans, statistics, and hit tests. Most answers are
// compared with brute force over all spans.
#include "engine/trace/lod_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace attn {
namespace {

using Spans = std::vector<LodSpan>;

// Spans as on a real lane: one after another with gaps. shuffle: in any order, overlapping and
// nested.
Spans random_spans(uint32_t seed, size_t count, bool shuffle) {
  std::mt19937 rng(seed);
  Spans spans;
  uint64_t now = rng() % 1000;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t gap = rng() % 4 == 0 ? rng() % 5000 : rng() % 3;
    const uint64_t duration = rng() % 20 == 0 ? 0 : rng() % (rng() % 50 == 0 ? 40000 : 300);
    const uint64_t begin = shuffle ? rng() % 200000 : now + gap;
    now = begin + duration;
    spans.push_back({begin, now, static_cast<uint32_t>(3 * i), static_cast<uint8_t>(rng() % 8)});
  }
  return spans;
}

bool touches(const LodSpan& s, uint64_t begin, uint64_t end) {
  if (s.begin_ns == s.end_ns) return s.begin_ns >= begin && s.begin_ns < end;
  return s.begin_ns < end && s.end_ns > begin;
}

uint64_t inside(const LodSpan& s, uint64_t begin, uint64_t end) {
  const uint64_t from = std::max(s.begin_ns, begin), to = std::min(s.end_ns, end);
  return to > from ? to - from : 0;
}

// The answer of LodIndex::pieces() if no summary is split, computed by looking at every span.
std::vector<LodPiece> brute_pieces(const Spans& spans, uint64_t begin, uint64_t end, int columns) {
  std::vector<LodPiece> pieces;
  const double own = 2.0 * static_cast<double>(end - begin) / columns;
  for (const LodSpan& s : spans) {
    const uint64_t duration = s.end_ns - s.begin_ns;
    if (touches(s, begin, end) && duration > 0 && static_cast<double>(duration) >= own)
      pieces.push_back({s.begin_ns, s.end_ns, s.event, 1, -1, s.span_class, 1.0f});
  }
  for (int c = 0; c < columns; ++c) {
    const uint64_t from = LodIndex::column_begin(begin, end, columns, c);
    const uint64_t to = LodIndex::column_begin(begin, end, columns, c + 1);
    LodPiece piece{from, to, LodIndex::kManyEvents, 0, c, 0, 0};
    std::array<uint64_t, 8> class_ns{};
    bool touched = false;
    for (const LodSpan& s : spans) {
      const uint64_t duration = s.end_ns - s.begin_ns;
      if (!touches(s, begin, end) || (duration > 0 && static_cast<double>(duration) >= own))
        continue;
      const uint64_t first = std::max(s.begin_ns, begin);
      if (first >= from && first < to) ++piece.count;
      if (!(inside(s, from, to) > 0 || (first >= from && first < to))) continue;
      if (!touched) piece.span_class = s.span_class;
      touched = true;
      class_ns[s.span_class] += inside(s, from, to);
    }
    if (!touched) continue;
    uint64_t covered = 0;
    for (uint64_t ns : class_ns) covered += ns;
    if (covered > 0)
      piece.span_class = static_cast<uint8_t>(std::max_element(class_ns.begin(), class_ns.end()) -
                                              class_ns.begin());
    piece.coverage = static_cast<float>(std::min(
        1.0, static_cast<double>(covered) / static_cast<double>(std::max<uint64_t>(1, to - from))));
    pieces.push_back(piece);
  }
  return pieces;
}

enum class Compare { kExact, kSplit };  // kSplit: summaries may be split at column edges

void expect_same_pieces(const LodIndex& index, const Spans& spans, uint64_t begin, uint64_t end,
                        int columns, Compare compare) {
  std::vector<LodPiece> got;
  index.pieces(begin, end, columns, got);
  const std::vector<LodPiece> want = brute_pieces(spans, begin, end, columns);
  ASSERT_EQ(got.size(), want.size()) << "[" << begin << ", " << end << ") on " << columns;
  uint64_t got_count = 0, want_count = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(got[i].begin_ns, want[i].begin_ns);
    ASSERT_EQ(got[i].end_ns, want[i].end_ns);
    ASSERT_EQ(got[i].column, want[i].column);
    got_count += got[i].count;
    want_count += want[i].count;
    if (got[i].column < 0) {
      ASSERT_EQ(got[i].event, want[i].event);
    }
    if (compare == Compare::kExact) {
      ASSERT_EQ(got[i].count, want[i].count);
      ASSERT_EQ(got[i].coverage, want[i].coverage);
      if (got[i].coverage > 0) {
        ASSERT_EQ(got[i].span_class, want[i].span_class);
      }
    } else {
      ASSERT_NEAR(got[i].coverage, want[i].coverage, 2.0 / LodIndex::kSplitParts);
    }
  }
  ASSERT_EQ(got_count, want_count);
}

LodIndex index_of(const Spans& spans) {
  LodIndex index;
  for (const LodSpan& span : spans) index.append(span);
  return index;
}

TEST(LodIndex, EmptyAnswersNothing) {
  LodIndex index;
  std::vector<LodPiece> pieces;
  index.pieces(0, 1000, 10, pieces);
  EXPECT_TRUE(pieces.empty());
  EXPECT_EQ(index.statistics(0, 1000).count, 0u);
  EXPECT_FALSE(index.at(5, 100).has_value());
  EXPECT_FALSE(index.find_event(0).has_value());
}

TEST(LodIndex, WideSpansAreThemselvesAndNarrowOnesMerge) {
  LodIndex index;
  index.append({0, 100, 7, 2});    // 10 columns wide
  index.append({200, 202, 8, 1});  // a fifth of a column
  index.append({203, 206, 9, 3});
  std::vector<LodPiece> pieces;
  index.pieces(0, 1000, 100, pieces);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].event, 7u);
  EXPECT_EQ(pieces[0].column, -1);
  EXPECT_EQ(pieces[1].column, 20);
  EXPECT_EQ(pieces[1].count, 2u);
  EXPECT_EQ(pieces[1].event, LodIndex::kManyEvents);
  EXPECT_EQ(pieces[1].span_class, 3);
  EXPECT_FLOAT_EQ(pieces[1].coverage, 0.5f);
}

TEST(LodIndex, ASingleSpanInAColumnKeepsItsEvent) {
  LodIndex index;
  for (uint32_t i = 0; i < 64; ++i) index.append({i * 1000u, i * 1000u + 1, i, 0});
  std::vector<LodPiece> pieces;
  index.pieces(0, 64000, 64, pieces);
  ASSERT_EQ(pieces.size(), 64u);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(pieces[i].event, i);
}

TEST(LodIndex, ASpanBesideASplitSummaryDoesNotStandForTheColumn) {
  // The first eight spans are one summary across the edge at 1000 ns; the ninth begins behind it.
  LodIndex index;
  for (uint32_t i = 0; i < 8; ++i) index.append({996 + i, 997 + i, i, 0});
  for (uint32_t i = 8; i < 16; ++i)
    index.append({1500 + 1000u * (i - 8), 1501 + 1000u * (i - 8), i, 0});
  std::vector<LodPiece> pieces;
  index.pieces(0, 10000, 10, pieces);
  ASSERT_GE(pieces.size(), 3u);
  EXPECT_EQ(pieces[1].event, LodIndex::kManyEvents);
  EXPECT_EQ(pieces[1].count, 1u);  // the summary counts in the column in which it begins
  EXPECT_EQ(pieces[2].event, 9u);
}

TEST(LodIndex, PiecesEqualBruteForce) {
  for (uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const Spans spans = random_spans(seed, 1 + seed * 53 % 700, seed % 3 == 2);
    const LodIndex index = index_of(spans);
    ASSERT_EQ(index.size(), spans.size());
    std::mt19937 rng(seed + 1000);
    for (int round = 0; round < 12; ++round) {
      const uint64_t begin = rng() % (index.end_ns() + 1);
      const uint64_t end = begin + 1 + rng() % (index.end_ns() + 500);
      expect_same_pieces(index, spans, begin, end, 1 + static_cast<int>(rng() % 90),
                         Compare::kSplit);
    }
    expect_same_pieces(index, spans, 0, index.end_ns() + 1, 100, Compare::kSplit);
    // With columns of a few ns no summary is split, so the coverage is exact.
    expect_same_pieces(index, spans, 0, 3000, 1500, Compare::kExact);
    expect_same_pieces(index, spans, index.begin_ns(), index.begin_ns() + 1, 5, Compare::kExact);
  }
}

TEST(LodIndex, LiveAppendsStayExact) {
  const Spans spans = random_spans(99, 600, false);
  LodIndex index;
  Spans so_far;
  for (const LodSpan& span : spans) {
    index.append(span);
    so_far.push_back(span);
    if (so_far.size() < 80 || so_far.size() % 37 == 0 ||
        (so_far.size() >= 510 && so_far.size() <= 514)) {
      expect_same_pieces(index, so_far, 0, index.end_ns() + 1, 40, Compare::kSplit);
      const uint64_t begin = index.end_ns() > 4000 ? index.end_ns() - 4000 : 0;
      expect_same_pieces(index, so_far, begin, begin + 4001, 2000, Compare::kExact);
    }
  }
}

TEST(LodIndex, CoveredTimeIsConserved) {
  LodIndex index;
  uint64_t now = 0, total = 0;
  std::mt19937 rng(3);
  for (uint32_t i = 0; i < 50000; ++i) {
    const uint64_t duration = 1 + rng() % 50;
    index.append({now, now + duration, i, static_cast<uint8_t>(i % 8)});
    total += duration;
    now += duration + rng() % 50;
  }
  std::vector<LodPiece> pieces;
  index.pieces(0, now, 100, pieces);
  ASSERT_EQ(pieces.size(), 100u);
  double covered = 0;
  for (const LodPiece& piece : pieces)
    covered +=
        static_cast<double>(piece.coverage) * static_cast<double>(piece.end_ns - piece.begin_ns);
  EXPECT_NEAR(covered / static_cast<double>(total), 1.0, 1e-5);
}

TEST(LodIndex, StatisticsAreExact) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const Spans spans = random_spans(seed, 400, seed % 2 == 1);
    const LodIndex index = index_of(spans);
    std::mt19937 rng(seed);
    for (int round = 0; round < 20; ++round) {
      const uint64_t begin = rng() % (index.end_ns() + 1);
      const uint64_t end = begin + rng() % (index.end_ns() + 1);
      LodStatistics want;
      for (const LodSpan& s : spans) {
        if (end <= begin || !touches(s, begin, end)) continue;
        ++want.count;
        want.total_ns += inside(s, begin, end);
        want.class_ns[s.span_class] += inside(s, begin, end);
        ++want.class_count[s.span_class];
      }
      const LodStatistics got = index.statistics(begin, end);
      ASSERT_EQ(got.count, want.count) << begin << ".." << end;
      ASSERT_EQ(got.total_ns, want.total_ns);
      ASSERT_EQ(got.class_ns, want.class_ns);
      ASSERT_EQ(got.class_count, want.class_count);
    }
  }
}

TEST(LodIndex, HitTestFindsTheNearestAndShortest) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Spans spans = random_spans(seed, 300, seed % 2 == 1);
    const LodIndex index = index_of(spans);
    std::mt19937 rng(seed);
    for (int round = 0; round < 60; ++round) {
      const uint64_t time = rng() % (index.end_ns() + 100), slack = rng() % 200;
      uint64_t best_away = slack + 1, best_duration = 0;
      for (const LodSpan& s : spans) {
        const uint64_t last = s.end_ns > s.begin_ns ? s.end_ns - 1 : s.begin_ns;
        const uint64_t away = time < s.begin_ns ? s.begin_ns - time : time > last ? time - last : 0;
        const uint64_t duration = s.end_ns - s.begin_ns;
        if (away < best_away || (away == best_away && away <= slack && duration < best_duration)) {
          best_away = away;
          best_duration = duration;
        }
      }
      const auto got = index.at(time, slack);
      ASSERT_EQ(got.has_value(), best_away <= slack);
      if (!got) continue;
      const LodSpan& s = index.span(*got);
      EXPECT_EQ(s.end_ns - s.begin_ns, best_duration);
    }
  }
}

TEST(LodIndex, FindsTheSpanOfAnEvent) {
  const Spans spans = random_spans(5, 200, false);
  const LodIndex index = index_of(spans);
  for (uint64_t i = 0; i < spans.size(); ++i) EXPECT_EQ(index.find_event(spans[i].event), i);
  EXPECT_FALSE(index.find_event(1).has_value());
  EXPECT_FALSE(index.find_event(600).has_value());
}

TEST(LodIndex, TakesAnEndBeforeTheBeginAsAnInstantAndAnyClass) {
  LodIndex index;
  index.append({100, 40, 0, 200});
  EXPECT_EQ(index.span(0).end_ns, 100u);
  EXPECT_EQ(index.span(0).span_class, LodIndex::kClasses - 1);
  EXPECT_EQ(index.statistics(0, 1000).count, 1u);
  EXPECT_EQ(index.statistics(0, 100).count, 0u);
}

TEST(LodIndex, AMillionSpansGiveNoMorePiecesThanColumns) {
  LodIndex index;
  uint64_t now = 0;
  for (uint32_t i = 0; i < 1000000; ++i) {
    index.append({now, now + 700, i, static_cast<uint8_t>(i % 8)});
    now += 1000;
  }
  std::vector<LodPiece> pieces;
  index.pieces(0, now, 1920, pieces);
  EXPECT_EQ(pieces.size(), 1920u);
  uint64_t count = 0;
  for (const LodPiece& piece : pieces) count += piece.count;
  EXPECT_EQ(count, 1000000u);
  EXPECT_EQ(index.statistics(0, now).total_ns, uint64_t{700} * 1000000);
}

// At these times the product of a time and a column can exceed 64 bits.
TEST(LodIndex, SpansAreDrawnInTheirColumnsAtAnyTime) {
  for (const uint64_t late : {uint64_t{1} << 53, uint64_t{1} << 54, uint64_t{1} << 62,
                              ~uint64_t{0} - (uint64_t{1} << 40)}) {
    SCOPED_TRACE(late);
    LodIndex index;
    index.append({0, 10, 1, 2});
    index.append({late, late + 1000, 2, 3});
    for (const int columns : {1, 3, 640, 4096}) {
      const uint64_t end = index.end_ns();
      uint64_t edge = 0;
      for (int column = 0; column <= columns; ++column) {
        const uint64_t next = LodIndex::column_begin(0, end, columns, column);
        ASSERT_GE(next, edge) << column;
        edge = next;
      }
      EXPECT_EQ(edge, end);
      std::vector<LodPiece> pieces;
      index.pieces(0, end, columns, pieces);
      ASSERT_EQ(pieces.size(), columns == 1 ? 1u : 2u);
      EXPECT_EQ(pieces.front().column, 0);
      EXPECT_EQ(pieces.back().column, columns - 1);
      EXPECT_EQ(pieces.back().event, columns == 1 ? LodIndex::kManyEvents : 2u);
      pieces.clear();
      index.pieces(late + 250, late + 500, columns, pieces);  // the span fills the plot
      ASSERT_EQ(pieces.size(), 1u);
      EXPECT_EQ(pieces[0].begin_ns, late);
      EXPECT_EQ(pieces[0].end_ns, late + 1000);
    }
  }
}

}  // namespace
}  // namespace attn
