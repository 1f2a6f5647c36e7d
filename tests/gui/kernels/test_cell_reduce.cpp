// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/cell_reduce.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/core/rng.h"
#include "tests/gui/qt_test_main.h"

namespace attn::gui {

class TestCellReduce : public QObject {
  Q_OBJECT

 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void reductions_are_the_plain_rule() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Rng rng(8);
    for (int64_t count = 0; count <= 70; ++count) {
      std::vector<float> cells;
      for (int64_t i = 0; i < count; ++i) cells.push_back(rng.normal());
      for (const float so_far : {0.0f, 0.5f, -9.0f}) {
        float most = so_far;
        for (const float cell : cells)
          if (std::abs(cell) > std::abs(most)) most = cell;
        QCOMPARE(largest_magnitude(cells.data(), count, so_far), most);
      }
      for (int64_t i = 0; i < count; ++i) {  // the largest in each place
        const float was = std::exchange(cells[static_cast<size_t>(i)], -8.0f);
        QCOMPARE(largest_magnitude(cells.data(), count, 0), -8.0f);
        QCOMPARE(largest_magnitude(cells.data(), count, 8), 8.0f);
        cells[static_cast<size_t>(i)] = nan;
        QVERIFY(std::isnan(largest_magnitude(cells.data(), count, 9)));
        cells[static_cast<size_t>(i)] = was;
      }
      QVERIFY(std::isnan(largest_magnitude(cells.data(), count, nan)));
      std::vector<double> sums(static_cast<size_t>(count) + 1, 0.25), wanted = sums;
      add_cells(cells.data(), count, sums.data());
      for (int64_t i = 0; i < count; ++i)
        wanted[static_cast<size_t>(i)] += static_cast<double>(cells[static_cast<size_t>(i)]);
      QVERIFY(sums == wanted);
    }
  }

  void of_equal_magnitudes_the_positive_one_counts() {
    for (const size_t count : {1u, 5u, 64u}) {
      std::vector<float> cells(count, -2.0f);
      cells[count / 2] = 2.0f;
      QCOMPARE(largest_magnitude(cells.data(), static_cast<int64_t>(count), 0), 2.0f);
      QCOMPARE(largest_magnitude(cells.data(), static_cast<int64_t>(count), -2), 2.0f);
    }
  }
};

}  // namespace attn::gui

ATTN_QT_TEST(test_cell_reduce, attn::gui::test::run<attn::gui::TestCellReduce>)
#include "test_cell_reduce.moc"
