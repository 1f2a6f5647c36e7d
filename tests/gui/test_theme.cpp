// SPDX-License-Identifier: GPL-3.0-or-later
// The theme: contrast and colours, type sizes, digits, patterns, icons, and the height of headers.
#include <QComboBox>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTextLayout>

#include "gui/theme/icons.h"
#include "gui/theme/panel_header.h"
#include "qt_test_main.h"

using namespace attn::gui;

class TestTheme : public QObject {
  Q_OBJECT
 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
  }

  void contrast_data() {
    QTest::addColumn<ThemeMode>("mode");
    QTest::newRow("light") << ThemeMode::kLight;
    QTest::newRow("dark") << ThemeMode::kDark;
  }
  void contrast() {
    QFETCH(ThemeMode, mode);
    Theme& theme = Theme::instance();
    theme.set_mode(mode);
    const ThemeColors& c = theme.colors();
    const auto check = [](const char* what, const QColor& a, const QColor& b, double least) {
      const double ratio = Theme::contrast(a, b);
      QVERIFY2(ratio >= least, qPrintable(QStringLiteral("%1: %2 on %3 is %4:1, at least %5:1")
                                              .arg(QLatin1String(what), a.name(), b.name())
                                              .arg(ratio, 0, 'f', 2)
                                              .arg(least)));
    };
    for (const QColor& ground : {c.background, c.surface, c.raised}) {
      check("text", c.text, ground, 4.5);
      check("muted", c.muted, ground, 4.5);
      check("accent", c.accent, ground, 4.5);
      check("good", c.good, ground, 4.5);
      check("warning", c.warning, ground, 4.5);
      check("bad", c.bad, ground, 4.5);
      check("prefill", c.prefill, ground, 3.0);
      check("decode", c.decode, ground, 3.0);
      check("not a number", c.not_a_number, ground, 3.0);
    }
    check("hatch", c.hatch, c.surface, 3.0);
    check("selection", qApp->palette().color(QPalette::HighlightedText),
          qApp->palette().color(QPalette::Highlight), 4.5);
    for (const QColor& fill : {c.prefill, c.decode, c.accent, c.good, c.warning, c.bad})
      check("text on a fill", theme.text_on(fill), fill, 4.5);
    for (int i = 0; i < 16; ++i) {
      check("text on a category", theme.text_on(theme.category(i)), theme.category(i), 4.5);
      check("category edge", theme.category_edge(i), c.surface, 3.0);
    }
  }

  void contrast_formula_known_values() {
    QCOMPARE(Theme::contrast(Qt::black, Qt::white), 21.0);
    QCOMPARE(Theme::contrast(Qt::white, Qt::white), 1.0);
    QVERIFY(std::abs(Theme::contrast(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.01);
  }

  void colours_are_those_of_the_design() {
    Theme& theme = Theme::instance();
    theme.set_mode(ThemeMode::kDark);
    QCOMPARE(theme.colors().background, QColor(0x14, 0x17, 0x1C));
    QCOMPARE(theme.colors().accent, QColor(0x5B, 0xB8, 0xFF));
    theme.set_mode(ThemeMode::kLight);
    QCOMPARE(theme.colors().background, QColor(0xF6, 0xF7, 0xF9));
    QCOMPARE(theme.colors().accent, QColor(0x0B, 0x67, 0xC2));
  }

  void type_scales() {
    Theme& theme = Theme::instance();
    QCOMPARE(theme.font(TextRole::kSmall).pixelSize(), 11);
    QCOMPARE(theme.font(TextRole::kDisplay).pixelSize(), 28);
    QSignalSpy spy(&theme, &Theme::changed);
    theme.set_text_percent(200);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(theme.font(TextRole::kBody).pixelSize(), 26);
    QCOMPARE(theme.px(4), 8);
    theme.set_text_percent(500);
    QCOMPARE(theme.text_percent(), 200);
  }

  void figures_are_tabular() {
    const QFontMetricsF metrics(Theme::instance().mono());
    const double one = metrics.horizontalAdvance(QLatin1Char('1'));
    for (char digit : {'0', '2', '3', '4', '5', '6', '7', '8', '9'})
      QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), one);
  }

  void tokens_have_no_ligatures() {
    const auto glyphs = [](const QString& text) {
      QTextLayout layout(text, Theme::instance().mono());
      layout.beginLayout();
      layout.createLine();
      layout.endLayout();
      QList<quint32> found;
      for (const QGlyphRun& run : layout.glyphRuns()) found += run.glyphIndexes();
      return found;
    };
    for (const char* word : {"++", "+++", "+ +", "!=", "->", "==", "www", "<=>", "/*", "..."}) {
      QList<quint32> single;
      for (const char* c = word; *c; ++c) single += glyphs(QString(QLatin1Char(*c)));
      QVERIFY2(glyphs(QLatin1String(word)) == single, word);
    }
  }

  void categories_repeat_with_a_pattern() {
    const Theme& theme = Theme::instance();
    QCOMPARE(theme.category(0), theme.category(8));
    QCOMPARE(theme.category_brush(0).style(), Qt::SolidPattern);
    QCOMPARE(theme.category_brush(8).style(), Qt::TexturePattern);
    for (int i = 0; i < 8; ++i)
      for (int j = i + 1; j < 8; ++j) QVERIFY(theme.category(i) != theme.category(j));
  }

  void every_icon_draws_and_follows_the_theme() {
    for (int i = 0; i < static_cast<int>(Icon::kCount); ++i) {
      const QImage dark = icon(static_cast<Icon>(i)).pixmap(16, 16).toImage();
      Theme::instance().set_mode(ThemeMode::kLight);
      const QImage light = icon(static_cast<Icon>(i)).pixmap(16, 16).toImage();
      Theme::instance().set_mode(ThemeMode::kDark);
      int marked = 0;
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) marked += qAlpha(dark.pixel(x, y)) > 40;
      QVERIFY2(marked > 6, qPrintable(QString::number(i)));
      QVERIFY2(dark != light, qPrintable(QString::number(i)));
    }
  }

  void application_icon_draws_in_all_sizes() {
    QCOMPARE(application_icon().availableSizes().size(), 7);
    for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
      const QImage drawn = application_icon().pixmap(side, side).toImage();
      QCOMPARE(drawn.size(), QSize(side, side));
      const QColor ground = drawn.pixelColor(side / 2, side / 40),
                   lit = drawn.pixelColor(side / 4 + side / 16, side * 7 / 8);
      QCOMPARE(ground.alpha(), 255);
      QVERIFY2(lit.red() > 150 && lit.red() > lit.blue() + 60, qPrintable(lit.name()));
    }
  }

  void header_is_32_px() {
    PanelHeader header(QStringLiteral("Blocks"));
    QCOMPARE(header.height(), 32);
    QCOMPARE(header.title(), QStringLiteral("Blocks"));
  }
};

ATTN_QT_TEST(test_theme, attn::gui::test::run<TestTheme>)
#include "test_theme.moc"
