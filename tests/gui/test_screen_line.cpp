// SPDX-License-Identifier: GPL-3.0-or-later
// draw_line() puts texts where QPainter::drawText() puts them. Also elided texts and tokens.
#include "gui/widgets/text/screen_line.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QSvgGenerator>
#include <thread>
#include <vector>

#include "gui/theme/theme.h"
#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/token_label.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"

using namespace attn::gui;
using attn::gui::test::DrawnText;
using attn::gui::test::TextRecorder;

namespace {

const QRectF kRoom(20, 10, 200, 30);

QImage picture(const std::function<void(QPainter&)>& draw, double ratio = 1) {
  QImage image(QSize(240, 50) * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setFont(Theme::instance().font());
  draw(painter);
  return image;
}

QRect ink(const QImage& image) {
  QRect all;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (qGray(image.pixel(x, y)) < 128) all |= QRect(x, y, 1, 1);
  return all;
}

bool near(const QRect& a, const QRect& b) {
  return std::abs(a.left() - b.left()) <= 1 && std::abs(a.right() - b.right()) <= 1 &&
         std::abs(a.top() - b.top()) <= 1 && std::abs(a.bottom() - b.bottom()) <= 1;
}

}  // namespace

class TestScreenLine : public QObject {
  Q_OBJECT
 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void stands_where_draw_text_puts_it_data() {
    QTest::addColumn<int>("align");
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 1.5, 2.0})
      for (const int across : {int{Qt::AlignLeft}, int{Qt::AlignHCenter}, int{Qt::AlignRight}})
        for (const int down : {int{Qt::AlignTop}, int{Qt::AlignVCenter}, int{Qt::AlignBottom}})
          QTest::addRow("%d %d %g", across, down, ratio) << (across | down) << ratio;
  }
  void stands_where_draw_text_puts_it() {
    QFETCH(int, align);
    QFETCH(double, ratio);
    const QString text = QStringLiteral("layer 3, head 17 · KV 2");
    const QImage expected = picture([&](QPainter& p) { p.drawText(kRoom, align, text); }, ratio);
    for (int again = 0; again < 2; ++again) {
      const QImage drawn = picture([&](QPainter& p) { draw_line(p, kRoom, align, text); }, ratio);
      QVERIFY(!ink(drawn).isEmpty());
      QVERIFY(near(ink(drawn), ink(expected)));
    }
  }

  void stands_on_its_baseline() {
    const QPointF base(20, 33);
    const QString text = QStringLiteral("tokens per second");
    const QImage expected = picture([&](QPainter& p) { p.drawText(base, text); });
    QVERIFY(near(ink(picture([&](QPainter& p) { draw_line(p, base, text); })), ink(expected)));
  }

  void what_does_not_fit_is_cut_as_by_draw_text() {
    const QRectF narrow(20, 10, 40, 30);
    const QString text = QStringLiteral("a text that is much too long for so little room");
    const QImage expected =
        picture([&](QPainter& p) { p.drawText(narrow, Qt::AlignLeft | Qt::AlignVCenter, text); });
    QCOMPARE(
        picture([&](QPainter& p) { draw_line(p, narrow, Qt::AlignLeft | Qt::AlignVCenter, text); }),
        expected);
  }

  void other_fonts_and_pens_are_drawn_in_theirs() {
    const QString text = QStringLiteral("16,384");
    const auto draw = [&](const QFont& font, const QColor& color) {
      return picture([&](QPainter& p) {
        p.setFont(font);
        p.setPen(color);
        draw_line(p, kRoom, Qt::AlignCenter, text);
      });
    };
    QFont large = Theme::instance().font();
    large.setPixelSize(26);
    const QImage small = draw(Theme::instance().font(), Qt::black);
    QVERIFY(ink(draw(large, Qt::black)).width() > ink(small).width() + 10);
    QCOMPARE(draw(Theme::instance().font(), Qt::black), small);
    QVERIFY(draw(Theme::instance().font(), Qt::red) != small);
  }

  void drawings_keep_text_as_text() {
    QBuffer file;
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    {
      QPainter painter(&svg);
      draw_line(painter, kRoom, Qt::AlignCenter, QStringLiteral("kept as text"));
    }
    QVERIFY(file.data().contains("kept as text"));
  }

  void elided_as_by_qt() {
    const QFont font = Theme::instance().font();
    const QString text = QStringLiteral("Difference of the attention weights");
    for (const double room : {0.0, 20.0, 90.0, 1000.0})
      QCOMPARE(elided_text(font, text, room),
               QFontMetricsF(font).elidedText(text, Qt::ElideRight, room));
  }

  // Exports draw on threads of their own while the window draws, too.
  void threads_do_not_share_what_they_remember() {
    const auto all_of_them = [](std::vector<QImage>& images, std::vector<double>& widths) {
      for (int i = 0; i < 300; ++i) {
        QFont font = Theme::instance().font();
        font.setPixelSize(9 + i % 12);  // more fonts than the cache keeps
        const QString text = QStringLiteral("token %1").arg(i);
        widths.push_back(text_width(font, text));
        const QImage image = picture([&](QPainter& p) {
          p.setFont(font);
          draw_line(p, kRoom, Qt::AlignLeft | Qt::AlignTop, text);
          NumberSigns::of(font).draw(p, kRoom, QString::number(i), Qt::AlignRight);
        });
        if (i % 25 == 0) images.push_back(image);
      }
    };
    std::vector<std::vector<QImage>> images(4);
    std::vector<std::vector<double>> widths(4);
    std::vector<std::thread> others;
    for (size_t i = 1; i < images.size(); ++i)
      others.emplace_back([&, i] { all_of_them(images[i], widths[i]); });
    all_of_them(images[0], widths[0]);
    for (std::thread& other : others) other.join();
    for (size_t i = 1; i < images.size(); ++i) {
      QVERIFY(widths[i] == widths[0]);
      QVERIFY(images[i] == images[0]);
    }
  }

  void a_token_without_room_for_a_letter_is_left_out() {
    const TokenLabelStyle style{Theme::instance().mono(), Qt::black, Qt::gray};
    const auto drawn = [&](double letters) {
      QString text;
      TextRecorder recorder(QSize(240, 50));
      QPainter painter(&recorder);
      const double width = letters * text_width(style.font, QStringLiteral("h"));
      paint_token(painter, QRectF(10, 10, width + 1, 20), token_text("hello"), style);
      painter.end();
      for (const DrawnText& piece : recorder.texts()) text += piece.text;
      return text;
    };
    QCOMPARE(drawn(1), QString());
    QCOMPARE(drawn(3), QStringLiteral("he\u2026"));
    QCOMPARE(drawn(5), QStringLiteral("hello"));
  }
};

ATTN_QT_TEST(test_screen_line, attn::gui::test::run<TestScreenLine>)
#include "test_screen_line.moc"
