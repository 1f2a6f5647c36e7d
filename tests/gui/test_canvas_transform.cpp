// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates, ticks and numbers of views that zoom, and ViewHistory (back and forward).
#include "gui/widgets/canvas_transform.h"

#include <QLocale>
#include <cmath>
#include <random>

#include "gui/widgets/text/ticks.h"
#include "gui/widgets/view_history.h"
#include "tests/gui/qt_test_main.h"

using namespace attn::gui;

namespace {

CanvasAxis axis(double begin, double end, double pixels, double max_scale = 64) {
  CanvasAxis a;
  a.begin = begin;
  a.end = end;
  a.pixels = pixels;
  a.max_scale = max_scale;
  a.fit();
  return a;
}

bool near(double a, double b, double tolerance = 1e-9) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

class TestCanvasTransform : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    attn::gui::test::fail_on_warnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }

  void fit_fills_the_viewport_data() {
    QTest::addColumn<double>("begin");
    QTest::addColumn<double>("end");
    QTest::addColumn<double>("pixels");
    QTest::addColumn<double>("scale");
    QTest::newRow("larger content") << 0.0 << 1000.0 << 500.0 << 0.5;
    QTest::newRow("same size") << 0.0 << 500.0 << 500.0 << 1.0;
    QTest::newRow("few cells stop at the largest scale") << 0.0 << 3.0 << 500.0 << 64.0;
    QTest::newRow("content that begins elsewhere") << 100.0 << 300.0 << 400.0 << 2.0;
    QTest::newRow("nothing") << 0.0 << 0.0 << 500.0 << 64.0;
  }
  void fit_fills_the_viewport() {
    QFETCH(double, begin);
    QFETCH(double, end);
    QFETCH(double, pixels);
    QFETCH(double, scale);
    const CanvasAxis a = axis(begin, end, pixels);
    QVERIFY(near(a.scale, scale));
    QVERIFY(near(a.offset, begin));
    QVERIFY(a.is_fit());
    QVERIFY(near(a.visible_begin(), begin));
    QVERIFY(near(a.visible_end(), end));
  }

  void zoom_keeps_the_point_under_the_pointer_data() {
    QTest::addColumn<double>("pixel");
    QTest::addColumn<double>("factor");
    for (double pixel : {1.0, 137.0, 250.0, 499.0})
      for (double factor : {1.1, 2.0, 7.5})
        QTest::addRow("%g px x %g", pixel, factor) << pixel << factor;
  }
  void zoom_keeps_the_point_under_the_pointer() {
    QFETCH(double, pixel);
    QFETCH(double, factor);
    CanvasAxis a = axis(0, 1000, 500);
    const double before = a.to_content(pixel);
    a.zoom_at(pixel, factor);
    QVERIFY(near(a.scale, std::min(64.0, 0.5 * factor)));
    QVERIFY(near(a.to_content(pixel), before));
    QVERIFY(near(a.to_pixel(before), pixel));
  }

  void zoom_out_stops_at_fit() {
    CanvasAxis a = axis(0, 1000, 500);
    a.zoom_at(200, 8);
    QVERIFY(!a.is_fit());
    a.zoom_at(490, 1e-6);
    QVERIFY(a.is_fit());
    QVERIFY(near(a.offset, 0));
    a.zoom_at(100, -1);
    a.zoom_at(100, std::nan(""));
    QVERIFY(a.is_fit());
  }

  void pan_stops_at_the_ends() {
    CanvasAxis a = axis(0, 1000, 500);
    a.zoom_at(0, 4);  // 250 units visible
    a.pan(-100);
    QVERIFY(near(a.offset, 50));
    a.pan(1e6);
    QVERIFY(near(a.offset, 0));
    a.pan(-1e6);
    QVERIFY(near(a.offset, 750));
    QVERIFY(near(a.visible_end(), 1000));
  }

  void content_can_be_moved_out_of_covered_pixels() {
    CanvasAxis a = axis(0, 1000, 500);
    a.covered = 100;
    QVERIFY(near(a.to_pixel(1000), 500));  // nothing moves by itself
    a.pan(-1e6);
    QVERIFY(near(a.to_pixel(1000), 400));
    a.pan(1e6);
    QVERIFY(near(a.offset, 0));
    a.reveal(999, 1000);
    QVERIFY(near(a.to_pixel(1000), 400));
    a.set_content(0, 2000);  // laid out anew, as it was fit
    QVERIFY(near(a.to_pixel(0), 0) && near(a.to_pixel(2000), 400));
    a.zoom_at(0, 4);
    a.reveal(1990, 2000);
    QVERIFY(near(a.to_pixel(2000), 400));
    a.covered = 0;
    QVERIFY(near(a.to_pixel(2000), 400));
    a.fit();
    QVERIFY(near(a.to_pixel(2000), 500));
  }

  void small_content_can_stand_in_the_middle() {
    CanvasAxis a = axis(0, 2, 500);
    QVERIFY(near(a.to_pixel(0), 0));
    a.centered = true;
    a.fit();
    QVERIFY(near(a.to_pixel(1), 250));
  }

  void show_and_reveal() {
    CanvasAxis a = axis(0, 1000, 500);
    a.show(200, 300);
    QVERIFY(near(a.offset, 200));
    QVERIFY(near(a.visible_end(), 300));
    a.reveal(250, 260);
    QVERIFY(near(a.offset, 200));
    a.reveal(400, 410);
    QVERIFY(near(a.visible_end(), 410));
    a.reveal(100, 101);
    QVERIFY(near(a.visible_begin(), 100));
  }

  void a_fit_axis_stays_fit_when_content_grows() {
    CanvasAxis a = axis(0, 100, 500);
    a.set_content(0, 200);
    QVERIFY(near(a.scale, 2.5));
    a.zoom_at(100, 2);
    const double scale = a.scale, offset = a.offset;
    a.set_content(0, 400);
    QVERIFY(near(a.scale, scale));
    QVERIFY(near(a.offset, offset));
  }

  void a_uniform_zoom_keeps_the_shape_of_cells_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<double>("aspect");
    QTest::addColumn<double>("expected");  // x.scale / y.scale at fit
    QTest::newRow("square") << 500.0 << 500.0 << 2.0 << 1.0;
    QTest::newRow("wide, square cells") << 900.0 << 300.0 << 1.0 << 1.0;
    QTest::newRow("wide, stretched") << 450.0 << 300.0 << 2.0 << 1.5;
    QTest::newRow("very wide, limited") << 1800.0 << 300.0 << 2.0 << 2.0;
    QTest::newRow("high, limited") << 200.0 << 800.0 << 2.0 << 0.5;
  }
  void a_uniform_zoom_keeps_the_shape_of_cells() {
    QFETCH(double, width);
    QFETCH(double, height);
    QFETCH(double, aspect);
    QFETCH(double, expected);
    CanvasTransform t;
    t.max_aspect = aspect;
    t.set_content(0, 100, 0, 100);
    t.set_viewport(width, height);
    t.fit();
    QVERIFY(t.is_fit());
    QVERIFY(near(t.x.scale / t.y.scale, expected));
    t.zoom_at(width / 3, height / 3, 3);
    QVERIFY(near(t.x.scale / t.y.scale, expected));
    t.zoom_center(1e-9);
    QVERIFY(t.is_fit());
    QVERIFY(near(t.x.scale / t.y.scale, expected));
  }

  void long_content_is_stretched_and_each_axis_zoomed_as_far_as_it_goes() {
    CanvasTransform t;
    t.max_aspect = 2;
    t.stretches = true;
    t.x.max_scale = t.y.max_scale = 72;
    t.set_content(0, 600, 0, 8);
    t.set_viewport(900, 500);
    t.fit();
    QVERIFY(t.is_fit());
    QVERIFY(near(t.x.scale, 1.5));
    QVERIFY(near(8 * t.y.scale, 900 / CanvasTransform::kLongest));
    const double at_fit = t.y.scale;
    t.zoom_at(450, 100, 1e6);
    QVERIFY(near(t.x.scale, 72));
    QVERIFY(near(t.y.scale, 72));
    t.fit();
    for (int i = 0; i < 4; ++i) t.zoom_at(450, 100, 1.5);
    for (int i = 0; i < 4; ++i) t.zoom_at(450, 100, 1 / 1.5);
    QVERIFY(near(t.x.scale, 1.5));
    QVERIFY(near(t.y.scale, at_fit));
    t.show(100, 110, 2, 4);
    QVERIFY(t.x.visible_begin() <= 100 + 1e-9 && t.x.visible_end() >= 110 - 1e-9);
    t.set_content(0, 4000, 0, 8);
    t.fit();
    QVERIFY(t.y.scale <= 2 * t.x.scale + 1e-9);
    t.set_content(0, 600, 0, 300);
    t.fit();
    QVERIFY(t.x.scale / t.y.scale <= 2 + 1e-9 && t.y.scale / t.x.scale <= 2 + 1e-9);
  }

  void a_shown_range_is_visible() {
    CanvasTransform t;
    t.set_content(0, 1000, 0, 1000);
    t.set_viewport(800, 400);
    t.fit();
    t.show(100, 140, 700, 705);
    QVERIFY(t.x.visible_begin() <= 100 + 1e-9 && t.x.visible_end() >= 140 - 1e-9);
    QVERIFY(t.y.visible_begin() <= 700 + 1e-9 && t.y.visible_end() >= 705 - 1e-9);
    QVERIFY(near(t.x.scale, 800.0 / 40.0));
  }

  void random_movements_never_leave_the_content() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0, 1);
    CanvasTransform t;
    t.max_aspect = 2;
    t.set_content(0, 16384, 0, 16384);
    t.set_viewport(900, 500);
    t.fit();
    for (int i = 0; i < 20000; ++i) {
      const double what = unit(random);
      if (what < 0.5)
        t.zoom_at(unit(random) * 900, unit(random) * 500, std::pow(2, unit(random) * 4 - 2));
      else if (what < 0.9)
        t.pan((unit(random) - 0.5) * 2000, (unit(random) - 0.5) * 2000);
      else
        t.set_viewport(100 + unit(random) * 1000, 100 + unit(random) * 800);
      for (const CanvasAxis* a : {&t.x, &t.y}) {
        QVERIFY(std::isfinite(a->offset) && a->scale > 0 && a->scale <= a->max_scale * (1 + 1e-9));
        const double shown = a->pixels / a->scale;
        if (shown < a->length() * (1 - 1e-9)) {
          QVERIFY(a->offset >= a->begin - 1e-6);
          QVERIFY(a->offset + shown <= a->end + 1e-6);
        } else {
          QVERIFY(near(a->offset, a->begin));
        }
      }
    }
  }

  void steps_are_nice_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("step");
    QTest::newRow("1") << 1.0 << 1.0;
    QTest::newRow("1.01") << 1.01 << 2.0;
    QTest::newRow("3") << 3.0 << 5.0;
    QTest::newRow("5.5") << 5.5 << 10.0;
    QTest::newRow("0.03") << 0.03 << 0.05;
    QTest::newRow("0.1") << 0.1 << 0.1;
    QTest::newRow("2e6") << 2e6 << 2e6;
    QTest::newRow("7e-9") << 7e-9 << 1e-8;
  }
  void steps_are_nice() {
    QFETCH(double, value);
    QFETCH(double, step);
    QVERIFY(near(nice_step(value), step, 1e-12) || std::abs(nice_step(value) / step - 1) < 1e-9);
  }

  void ticks_lie_in_their_range() {
    for (double low : {-3.0, 0.0, 0.25, 1e5}) {
      for (double span : {1e-6, 0.1, 1.0, 37.0, 1e9}) {
        for (int most : {2, 5, 9}) {
          const auto ticks = nice_ticks(low, low + span, most);
          QVERIFY(static_cast<int>(ticks.size()) <= most);
          for (double tick : ticks)
            QVERIFY(tick >= low - span * 1e-6 && tick <= low + span * (1 + 1e-6));
        }
      }
    }
    QCOMPARE(nice_ticks(0, 1, 6), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
    QVERIFY(nice_ticks(1, 0, 5).empty());
    QVERIFY(nice_ticks(0, std::nan(""), 5).empty());
    QCOMPARE(log_ticks(1e-4, 1, 6).size(), size_t{5});
    QCOMPARE(log_ticks(1e-8, 1, 5).size(), size_t{5});
    QVERIFY(log_ticks(0, 1, 5).empty());
  }

  void labels_keep_their_distance() {
    QCOMPARE(label_every(20, 14), int64_t{1});
    QCOMPARE(label_every(8, 14), int64_t{2});
    QCOMPARE(label_every(1, 14), int64_t{20});
    QCOMPARE(label_every(0.01, 14), int64_t{2000});
    const CanvasAxis a = axis(0, 3.3e6, 600);
    const auto ticks = ruler_ticks(a, 90, format_time_tick_ns);
    QVERIFY(ticks.size() >= 3);
    for (size_t i = 1; i < ticks.size(); ++i)
      QVERIFY(ticks[i].pixel - ticks[i - 1].pixel >= 90 - 1e-6);
    QCOMPARE(ticks[1].label, QStringLiteral("0.5 ms"));
  }

  void numbers_read_well_data() {
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("expected");
    QTest::newRow("tick") << format_tick(0.25, 0.05) << "0.25";
    QTest::newRow("second digit") << format_tick(0.15, 0.15) << "0.15";
    QTest::newRow("sum") << format_tick(0.1 + 0.2, 0.1 + 0.2) << "0.3";
    QTest::newRow("zero") << format_tick(-0.0, 0.1) << "0.0";
    QTest::newRow("count") << format_count(1234567) << "1,234,567";
    QTest::newRow("number") << format_number(0.0312345, 4) << "0.03123";
    QTest::newRow("whole") << format_number(12, 4) << "12";
    QTest::newRow("small") << format_number(1.25e-7, 3) << "1.25E-07";
    QTest::newRow("nan") << format_number(std::nan(""), 3) << "NaN";
    QTest::newRow("infinite") << format_number(-INFINITY, 3) << QStringLiteral("−∞");
    QTest::newRow("ns") << format_duration_ns(850) << "850 ns";
    QTest::newRow("us") << format_duration_ns(1250) << QStringLiteral("1.25 µs");
    QTest::newRow("s") << format_duration_ns(2e9) << "2 s";
    QTest::newRow("bytes") << format_bytes(1536) << "1.5 KiB";
  }
  void numbers_read_well() {
    QFETCH(QString, shown);
    QTEST(shown, "expected");
  }

  void history_goes_back_and_forward() {
    ViewHistory<int> history;
    QVERIFY(!history.back(0));
    history.leave(1);
    history.leave(2);
    QCOMPARE(*history.back(3), 2);
    QCOMPARE(*history.back(2), 1);
    QVERIFY(!history.back(1));
    QCOMPARE(*history.forward(1), 2);
    QCOMPARE(*history.forward(2), 3);
    QCOMPARE(*history.back(3), 2);
    history.leave(2);
    QVERIFY(!history.forward(9));
  }
};

ATTN_QT_TEST(test_canvas_transform, attn::gui::test::run<TestCanvasTransform>)
#include "test_canvas_transform.moc"
