// SPDX-License-Identifier: GPL-3.0-or-later
// Cells in SVG and PDF files, as rectangles or as pixels of an image, and enlarged on the screen.
#include <QBuffer>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <random>

#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/view.h"
#include "tests/gui/qt_test_main.h"

using namespace attn::gui;
using namespace attn::gui::test;

namespace {

const QRectF kArea(10.25, 20.5, 331.7, 331.7);

QImage random_cells(int side) {
  std::mt19937 random(7);
  QImage cells(side, side, QImage::Format_ARGB32_Premultiplied);
  QRgb color = qRgb(1, 2, 3);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      if (random() % 3 > 0) color = 0xff000000 | (random() & 0xffffff);
      cells.setPixel(x, y, x > y ? 0 : color);
    }
  return cells;
}

class CellView : public attn::gui::View {
 public:
  explicit CellView(QImage cells) : attn::gui::View({}, nullptr), cells_(std::move(cells)) {}
  QString export_name() const override { return QStringLiteral("cells"); }
  QString title() const override { return QStringLiteral("Cells"); }
  std::vector<KeyHelp> key_help() const override { return {}; }
  void paint_content(QPainter& painter, const QRectF&) override {
    paint_cells(painter, kArea, cells_);
    painter.drawText(QPointF(10, 370), QStringLiteral("image-rendering=\"optimizeSpeed\""));
  }
  QSize export_size() const override { return {360, 380}; }
  QByteArray csv() const override { return {}; }
  void fit() override {}
  void zoom(double) override {}

 private:
  QImage cells_;
};

QPointF middle(int x, int y, int side) {
  return kArea.topLeft() +
         QPointF((x + 0.5) * kArea.width() / side, (y + 0.5) * kArea.height() / side);
}

// The compressed streams of a PDF with `word` in their dictionary; each pair: dictionary, decoded
// bytes.
std::vector<std::pair<QByteArray, QByteArray>> streams(const QByteArray& pdf,
                                                       const QByteArray& word) {
  std::vector<std::pair<QByteArray, QByteArray>> found;
  for (qsizetype at = 0; (at = pdf.indexOf(">>\nstream\n", at)) >= 0; ++at) {
    const qsizetype object = pdf.lastIndexOf(" obj\n", at);
    const QByteArray dictionary = pdf.mid(object, at - object);
    if (!dictionary.contains(word) || !dictionary.contains("/FlateDecode")) continue;
    const qsizetype begin = at + 10;
    // qUncompress() expects the length before the data; too small a value is allowed.
    const QByteArray bytes = qUncompress(QByteArray("\0\0\x10\0", 4) +
                                         pdf.mid(begin, pdf.indexOf("endstream", begin) - begin));
    found.emplace_back(dictionary, bytes);
  }
  return found;
}

int number_of(const QByteArray& dictionary, const char* name) {
  const QRegularExpression number(QStringLiteral("/%1 (\\d+)").arg(QLatin1String(name)));
  return number.match(QString::fromLatin1(dictionary)).captured(1).toInt();
}

}  // namespace

class TestCellImage : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void rectangles_and_images_have_the_colours_of_the_cells_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<bool>("image");
    QTest::newRow("rectangles") << 40 << false;
    QTest::newRow("image") << 256 << true;
  }

  void rectangles_and_images_have_the_colours_of_the_cells() {
    QFETCH(const int, side);
    QFETCH(const bool, image);
    const QImage cells = random_cells(side);
    CellView view(cells);
    const QByteArray svg = written(export_svg, view), pdf = written(export_pdf, view);
    QCOMPARE(svg.count("<image") == 1, image);
    QCOMPARE(svg.count("image-rendering:pixelated"), image ? 1 : 0);
    QVERIFY(svg.count("<rect") <= kMostRects + 1);
    QVERIFY(!pdf.contains("/DCTDecode"));
    if (image) {
      check_image(png_of(svg), cells, true);
      check_image(image_of(pdf), cells, false);
    } else {
      check_drawn_svg(svg, cells);
      check_rectangles(pdf, cells);
    }
  }

  // A viewer that smooths edges would show the ground between cells that only touch.
  void no_ground_shines_through_between_rectangles() {
    QImage cells(30, 30, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 30; ++x) cells.setPixel(x, y, qRgb(0, 0, (x + y) % 2 ? 90 : 100));
    CellView view(cells);
    const QImage drawn = render(written(export_svg, view), 1.37);
    const QRect inside =
        QRectF(kArea.topLeft() * 1.37, kArea.size() * 1.37).adjusted(2, 2, -2, -2).toRect();
    for (int y = inside.top(); y <= inside.bottom(); ++y)
      for (int x = inside.left(); x <= inside.right(); ++x)
        QVERIFY2(qRed(drawn.pixel(x, y)) == 0, qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
  }

  void an_image_keeps_its_cells_sharp_on_a_screen() {
    const QImage cells = random_cells(20);
    QImage screen(700, 760, QImage::Format_RGB32);
    screen.fill(Qt::white);
    QPainter painter(&screen);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.scale(2, 2);
    paint_cells(painter, kArea, cells);
    painter.end();
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x <= y; ++x)
        QCOMPARE(screen.pixel((middle(x, y, 20) * 2).toPoint()), cells.pixel(x, y));
  }

 private:
  QByteArray written(QString (*write)(attn::gui::View&, const FilePath&), attn::gui::View& view) {
    QFile file(folder_.filePath(QStringLiteral("cells")));
    return write(view, file.fileName()).isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll()
                                                                                    : QByteArray();
  }

  static QImage render(const QByteArray& svg, double scale) {
    QSvgRenderer renderer(svg);
    QImage drawn(QSize(360, 380) * scale, QImage::Format_RGB32);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    renderer.render(&painter, QRectF(0, 0, 360, 380));
    return drawn;
  }

  static void check_drawn_svg(const QByteArray& svg, const QImage& cells) {
    const QImage drawn = render(svg, 3);
    for (int y = 0; y < cells.height(); ++y)
      for (int x = 0; x <= y; ++x)
        QCOMPARE(drawn.pixel((middle(x, y, cells.width()) * 3).toPoint()), cells.pixel(x, y));
  }

  static void check_rectangles(const QByteArray& pdf, const QImage& cells) {
    struct Filled {
      QRectF rect;
      QColor color;
    };
    std::vector<Filled> filled;
    const QRegularExpression fill(QStringLiteral(
        R"(([\d.]+) ([\d.]+) ([\d.]+) (?:scn|rg)\s+(?:/\w+ gs\s+)?([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\s+f)"));
    for (const auto& [dictionary, bytes] : streams(pdf, "/Length"))
      for (auto found = fill.globalMatch(QString::fromLatin1(bytes)); found.hasNext();) {
        const auto match = found.next();
        const auto number = [&match](int i) { return match.captured(i).toDouble(); };
        filled.push_back(
            {QRectF(number(4), number(5), number(6), number(7)),
             QColor::fromRgbF(static_cast<float>(number(1)), static_cast<float>(number(2)),
                              static_cast<float>(number(3)))});
      }
    QVERIFY(filled.size() > 100);
    for (int y = 0; y < cells.height(); ++y)
      for (int x = 0; x < cells.width(); ++x) {
        QColor last;
        for (const Filled& one : filled)
          if (one.rect.contains(middle(x, y, cells.width()))) last = one.color;
        const QRgb expected =
            x > y ? QColor(Theme::instance().colors().surface).rgb() : cells.pixel(x, y);
        QCOMPARE(last.rgb(), expected);
      }
  }

  static QImage png_of(const QByteArray& svg) {
    const QByteArray mark("base64,");
    const qsizetype begin = svg.indexOf(mark) + mark.size();
    return QImage::fromData(QByteArray::fromBase64(svg.mid(begin, svg.indexOf('"', begin) - begin)),
                            "PNG");
  }

  static QImage image_of(const QByteArray& pdf) {
    for (const auto& [dictionary, bytes] : streams(pdf, "/Subtype /Image")) {
      const QSize size(number_of(dictionary, "Width"), number_of(dictionary, "Height"));
      QImage read(size, QImage::Format_ARGB32);
      if (bytes.size() != 3 * size.width() * size.height()) continue;  // the mask of an image
      for (qsizetype i = 0; i < bytes.size(); i += 3) {
        const auto at = static_cast<int>(i / 3);
        read.setPixel(at % size.width(), at / size.width(),
                      qRgb(static_cast<uchar>(bytes[i]), static_cast<uchar>(bytes[i + 1]),
                           static_cast<uchar>(bytes[i + 2])));
      }
      return read;
    }
    return {};
  }

  static void check_image(const QImage& image, const QImage& cells, bool has_mask) {
    QVERIFY(!image.isNull());
    const int per_cell = image.width() / cells.width();
    QVERIFY(per_cell >= 4);
    QCOMPARE(image.size(), cells.size() * per_cell);
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QRgb wanted = cells.pixel(x / per_cell, y / per_cell);
        const QRgb found = image.pixel(x, y);
        if (qAlpha(wanted) == 0 ? has_mask && qAlpha(found) != 0 : found != wanted)
          QFAIL(qPrintable(QStringLiteral("pixel %1, %2").arg(x).arg(y)));
      }
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_cell_image, attn::gui::test::run<TestCellImage>)
#include "test_cell_image.moc"
