// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/color_map.h"

#include <QImage>
#include <QPainter>
#include <cmath>

#include "gui/widgets/color_bar.h"
#include "gui/widgets/text/token_label.h"
#include "tests/gui/qt_test_main.h"

using namespace attn::gui;

class TestColorMap : public QObject {
  Q_OBJECT
 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void luminance_grows_data() {
    QTest::addColumn<int>("map");
    for (ColorMapId map : kColorMaps)
      QTest::addRow("%s", qPrintable(name_of(map))) << static_cast<int>(map);
  }
  void luminance_grows() {
    QFETCH(int, map);
    const ColorTable& table = color_table(static_cast<ColorMapId>(map));
    for (size_t i = 1; i < table.size(); ++i) {
      QVERIFY2(relative_luminance(table[i]) >= relative_luminance(table[i - 1]) - 2e-3,
               qPrintable(QString::number(i)));
      if (i >= 8)
        QVERIFY2(relative_luminance(table[i]) > relative_luminance(table[i - 8]),
                 qPrintable(QString::number(i)));
      QCOMPARE(qAlpha(table[i]), 255);
      QVERIFY(std::abs(qRed(table[i]) - qRed(table[i - 1])) <= 8);
      QVERIFY(std::abs(qGreen(table[i]) - qGreen(table[i - 1])) <= 8);
      QVERIFY(std::abs(qBlue(table[i]) - qBlue(table[i - 1])) <= 8);
    }
  }

  // Entries of the published maps in bytes, rounded down as in matplotlib.
  void published_colors_are_met_data() {
    QTest::addColumn<int>("map");
    QTest::addColumn<int>("entry");
    QTest::addColumn<QColor>("color");
    const int cividis = static_cast<int>(ColorMapId::kCividis),
              magma = static_cast<int>(ColorMapId::kMagma);
    QTest::newRow("cividis 0") << cividis << 0 << QColor(0x00, 0x22, 0x4d);
    QTest::newRow("cividis 8") << cividis << 8 << QColor(0x00, 0x28, 0x5b);
    QTest::newRow("cividis 24") << cividis << 24 << QColor(0x04, 0x32, 0x70);
    QTest::newRow("cividis 32") << cividis << 32 << QColor(0x1a, 0x38, 0x6f);
    QTest::newRow("cividis 255") << cividis << 255 << QColor(0xfd, 0xe7, 0x37);
    QTest::newRow("viridis 0") << static_cast<int>(ColorMapId::kViridis) << 0
                               << QColor(0x44, 0x01, 0x54);
    QTest::newRow("viridis 85") << static_cast<int>(ColorMapId::kViridis) << 85
                                << QColor(0x30, 0x67, 0x8d);
    QTest::newRow("viridis 170") << static_cast<int>(ColorMapId::kViridis) << 170
                                 << QColor(0x35, 0xb7, 0x78);
    QTest::newRow("magma 64") << magma << 64 << QColor(80, 18, 123);
    QTest::newRow("magma 128") << magma << 128 << QColor(182, 54, 121);
    QTest::newRow("magma 242") << magma << 242 << QColor(252, 229, 166);
  }
  void published_colors_are_met() {
    QFETCH(int, map);
    QFETCH(int, entry);
    QFETCH(QColor, color);
    const QRgb ours = color_table(static_cast<ColorMapId>(map))[static_cast<size_t>(entry)];
    QCOMPARE(QColor(ours).name(), color.name());
  }

  void names_round_trip() {
    for (ColorMapId map : kColorMaps)
      QCOMPARE(color_map_from_name(name_of(map).toStdString()), std::optional(map));
    QVERIFY(!color_map_from_name("jet"));
    QCOMPARE(color_scale_from_name("log"), std::optional(ColorScale::Kind::kLog));
    QVERIFY(!color_scale_from_name(""));
  }

  void scales_data() {
    QTest::addColumn<bool>("log");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("position");
    QTest::newRow("linear low") << false << 0.0 << 0.0;
    QTest::newRow("linear quarter") << false << 0.25 << 0.25;
    QTest::newRow("linear above") << false << 1.5 << 1.0;
    QTest::newRow("linear NaN") << false << std::nan("") << 0.0;
    QTest::newRow("log low") << true << 1e-4 << 0.0;
    QTest::newRow("log below") << true << 0.0 << 0.0;
    QTest::newRow("log middle") << true << 1e-2 << 0.5;
    QTest::newRow("log high") << true << 1.0 << 1.0;
  }
  void scales() {
    QFETCH(bool, log);
    QFETCH(double, value);
    QFETCH(double, position);
    const ColorScale scale = weight_scale(log ? ColorScale::Kind::kLog : ColorScale::Kind::kLinear);
    QVERIFY(std::abs(scale.position(value) - position) < 1e-12);
    QCOMPARE(scale.index(value), static_cast<int>(position * 255 + 0.5));
    if (position > 0 && position < 1) QVERIFY(std::abs(scale.value_at(position) - value) < 1e-12);
  }

  void the_bar_shows_its_map_from_low_to_high() {
    for (ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
      Theme::instance().set_mode(mode);
      for (ColorMapId map : kColorMaps) {
        QImage image(110, 220, QImage::Format_RGB32);
        image.fill(Theme::instance().colors().surface);
        QPainter painter(&image);
        paint_color_bar(
            painter, image.rect(),
            {map, weight_scale(ColorScale::Kind::kLinear), QStringLiteral("weight"), {}, -1},
            PictureLook::read());
        painter.end();
        std::vector<QRgb> colors;
        for (int y = 0; y < image.height(); ++y) colors.push_back(image.pixel(7, y));
        const ColorTable& table = color_table(map);
        const auto closest = [&](QRgb wanted) {
          return std::any_of(colors.begin(), colors.end(), [&](QRgb c) {
            return std::abs(qRed(c) - qRed(wanted)) + std::abs(qGreen(c) - qGreen(wanted)) +
                       std::abs(qBlue(c) - qBlue(wanted)) <=
                   12;
          });
        };
        QVERIFY(closest(table[250]) && closest(table[5]) && closest(table[128]));
        const ColorBar bar{
            map, weight_scale(ColorScale::Kind::kLog), QStringLiteral("weight"), {}, -1};
        QVERIFY(describe(bar).contains(name_of(map)) &&
                describe(bar).contains(QStringLiteral("log")));
      }
    }
  }

  void blanks_in_tokens_are_marks() {
    const TokenText text = token_text(" Li\nly\t");
    QCOMPARE(text.shown, QStringLiteral("·Li↵ly→"));
    QCOMPARE(text.faint, (std::vector<bool>{true, false, false, true, false, false, true}));
    QCOMPARE(token_text("").shown, QStringLiteral("∅"));
    QCOMPARE(token_text("<0x0A>").shown, QStringLiteral("<0x0A>"));
    QCOMPARE(token_text("\x01").shown, QStringLiteral("\uFFFD"));
    QCOMPARE(token_text("a·b").faint, (std::vector<bool>{false, false, false}));
  }

  void long_tokens_stay_in_their_box() {
    const QFont font = Theme::instance().mono(TextRole::kSmall);
    for (bool turned : {false, true}) {
      QImage image(120, 120, QImage::Format_RGB32);
      image.fill(Qt::black);
      QPainter painter(&image);
      const QRectF box(40, 40, turned ? 16 : 40, turned ? 40 : 16);
      paint_token(painter, box, token_text("extraordinarily"),
                  {font, Qt::white, Qt::gray, Qt::AlignLeft, turned});
      painter.end();
      int inside = 0, outside = 0;
      for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 120; ++x)
          if (qGray(image.pixel(x, y)) > 60)
            (box.adjusted(-1, -1, 1, 1).contains(x, y) ? inside : outside)++;
      QVERIFY(inside > 20);
      QCOMPARE(outside, 0);
    }
  }
};

ATTN_QT_TEST(test_color_map, attn::gui::test::run<TestColorMap>)
#include "test_color_map.moc"
