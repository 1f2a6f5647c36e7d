// SPDX-License-Identifier: GPL-3.0-or-later
// Views as PNG, SVG, PDF and CSV files, and files that are not written because they are too large.
#include <QFileInfo>
#include <QHashSeed>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <thread>

#include "gui/app/report/run_report.h"
#include "gui/theme/theme.h"
#include "gui/widgets/figure/picture_bytes.h"
#include "gui/widgets/view.h"
#include "qt_test_main.h"
#include "tests/support/address_limit.h"

using namespace attn::gui;
using namespace attn::gui::test;

class PlainView : public attn::gui::View {
 public:
  PlainView() : attn::gui::View({}, nullptr) {}
  QString export_name() const override { return QStringLiteral("plain"); }
  QString title() const override { return QStringLiteral("Plain"); }
  std::vector<KeyHelp> key_help() const override { return {}; }
  void paint_content(QPainter&, const QRectF&) override {}
  std::function<void(QPainter&, const QRectF&)> drawing() const override {
    return [](QPainter& painter, const QRectF& bounds) {
      painter.fillRect(QRectF(bounds.center(), QSizeF(8, 8)), painter.pen().color());
      QImage hatch(8, 8, QImage::Format_RGB32);
      hatch.fill(painter.pen().color());
      painter.fillRect(QRectF(bounds.bottomRight() - QPointF(16, 16), QSizeF(16, 16)),
                       QBrush(hatch));
    };
  }
  QSize export_size() const override { return {100, 80}; }
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override {
    return [this] {
      table_thread_ = QThread::currentThread();
      return QByteArrayLiteral("a,b\n1,2\n");
    };
  }
  void fit() override {}
  void zoom(double) override {}

  mutable QThread* table_thread_ = nullptr;
};

class ShapesView : public PlainView {
 public:
  explicit ShapesView(int count) : count_(count) {}
  std::function<void(QPainter&, const QRectF&)> drawing() const override {
    return [count = count_](QPainter& painter, const QRectF& bounds) {
      for (int i = 0; i < count; ++i) {
        const double x = bounds.left() + i % 97, y = bounds.top() + i % 71;
        painter.fillRect(QRectF(x, y, 2.5, 1.25), QColor::fromRgb(0xff000000u | unsigned(i)));
        painter.drawLine(QPointF(x, y), QPointF(x + 1, y));
        if (i % 8 == 0) painter.drawText(QPointF(x, y), QStringLiteral("word"));
      }
    };
  }

 private:
  int count_;
};

class LargeView : public PlainView {
 public:
  QSize export_size() const override { return {16384, 16384}; }
};

class TestViewExport : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void a_picture_has_the_theme_of_the_moment() {
    Theme& theme = Theme::instance();
    theme.set_mode(ThemeMode::kLight);
    const QColor surface = theme.colors().surface, text = theme.colors().text;
    PlainView view;
    const QString file = folder_.filePath(QStringLiteral("plain.png"));
    const ExportJob job = prepare_png(view, file, 2);
    theme.set_mode(ThemeMode::kDark);
    QVERIFY(theme.colors().surface != surface);
    QCOMPARE(on_another_thread(job), QString());
    const QImage image(file);
    QCOMPARE(image.size(), QSize(200, 160));
    QCOMPARE(image.pixelColor(2, 2), surface);
    QCOMPARE(image.pixelColor(104, 84), text);
    theme.set_mode(ThemeMode::kLight);
  }

  void a_table_is_written_by_the_thread_that_saves_it() {
    PlainView view;
    const QString file = folder_.filePath(QStringLiteral("plain.csv"));
    const ExportJob job = prepare_csv(view, file);
    QVERIFY(!view.table_thread_);
    QCOMPARE(on_another_thread(job), QString());
    QVERIFY(view.table_thread_ && view.table_thread_ != QThread::currentThread());
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    QCOMPARE(in.readAll(), QByteArrayLiteral("a,b\n1,2\n"));
  }

  // The files are written more than a second apart, so that a time stamp in them would differ.
  void two_documents_are_the_same_bytes() {
    PlainView view;
    QByteArray pdf[2], svg[2];
    const auto written = [this](const char* name,
                                QString (*write)(attn::gui::View&, const FilePath&),
                                attn::gui::View& of) {
      QFile file(folder_.filePath(QLatin1String(name)));
      return write(of, file.fileName()).isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll()
                                                                                    : QByteArray();
    };
    for (const int i : {0, 1}) {
      pdf[i] = written("plain.pdf", export_pdf, view);
      svg[i] = written("plain.svg", export_svg, view);
      if (i == 0) QTest::qSleep(1100);
    }
    QVERIFY(pdf[0].startsWith("%PDF-"));
    QVERIFY(pdf[0] == pdf[1]);
    QVERIFY(svg[0].contains("<svg"));
    QVERIFY(svg[0] == svg[1]);
  }

  // Qt orders the fonts of a PDF by hashes, whose seed is another number in each process.
  void the_fonts_of_a_document_have_one_order() {
    class FontsView : public PlainView {
     public:
      std::function<void(QPainter&, const QRectF&)> drawing() const override {
        const Theme& theme = Theme::instance();
        return
            [fonts = std::vector<QFont>{theme.font(), theme.font(TextRole::kBody, QFont::DemiBold),
                                        theme.mono()}](QPainter& painter, const QRectF& bounds) {
              double y = bounds.top() + 20;
              for (const QFont& font : fonts) {
                painter.setFont(font);
                painter.drawText(QPointF(bounds.left(), y), QStringLiteral("word"));
                y += 20;
              }
            };
      }
    } view;
    const auto written = [&](const char* name,
                             QString (*write)(attn::gui::View&, const FilePath&)) {
      QFile file(folder_.filePath(QLatin1String(name)));
      return write(view, file.fileName()).isEmpty() && file.open(QIODevice::ReadOnly)
                 ? file.readAll()
                 : QByteArray();
    };
    const QByteArray pdf = written("fonts.pdf", export_pdf), svg = written("fonts.svg", export_svg);
    QVERIFY(pdf.startsWith("%PDF-") && svg.contains("<svg"));
    for (int i = 0; i < 20; ++i) {
      QHashSeed::resetRandomGlobalSeed();
      QVERIFY(written("fonts.pdf", export_pdf) == pdf);
      QHashSeed::resetRandomGlobalSeed();
      QVERIFY(written("fonts.svg", export_svg) == svg);
    }
  }

  // A reader's machine may lack Inter and JetBrains Mono.
  void the_texts_of_an_svg_name_other_fonts() {
    class WordsView : public PlainView {
     public:
      std::function<void(QPainter&, const QRectF&)> drawing() const override {
        return [text = Theme::instance().font(), mono = Theme::instance().mono()](
                   QPainter& painter, const QRectF& bounds) {
          for (const QFont& font : {text, mono}) {
            painter.setFont(font);
            painter.drawText(bounds, QStringLiteral("a font-family=\"Inter\" of words"));
          }
        };
      }
    } view;
    QFile file(folder_.filePath(QStringLiteral("families.svg")));
    QCOMPARE(export_svg(view, file.fileName()), QString());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(file.readAll());
    QVERIFY(svg.contains(QStringLiteral("font-family=\"Inter, 'Helvetica Neue', Arial, ")));
    QVERIFY(svg.contains(QStringLiteral("font-family=\"'JetBrains Mono', 'DejaVu Sans Mono', ")));
    QVERIFY(svg.contains(QStringLiteral(">family=&quot;Inter&quot; of</text>")));  // wrapped
    const qsizetype all = svg.count(QStringLiteral("font-family=\""));
    const QRegularExpression lists(
        QStringLiteral("font-family=\"[^\"]*, (sans-serif|monospace)\""));
    QCOMPARE(svg.count(lists), all);
  }

  void a_document_names_its_title() {
    PlainView view;
    const auto written = [&](const char* name,
                             QString (*write)(attn::gui::View&, const FilePath&)) {
      QFile file(folder_.filePath(QLatin1String(name)));
      return write(view, file.fileName()).isEmpty() && file.open(QIODevice::ReadOnly)
                 ? file.readAll()
                 : QByteArray();
    };
    // The text of a PDF's title is in UTF-16.
    const auto utf16 = [](const char* text) {
      QByteArray bytes("/Title (\xfe\xff");
      for (const char* c = text; *c; ++c) bytes += QByteArray(1, '\0') + *c;
      return bytes;
    };
    QVERIFY(written("title.svg", export_svg).contains("<title>Plain</title>"));
    QVERIFY(written("title.pdf", export_pdf).contains(utf16("Plain")));
    view.set_figure({.own_title = QStringLiteral("a<b & c")});
    const QByteArray svg = written("title.svg", export_svg);
    QVERIFY(svg.contains("<title>a&lt;b &amp; c</title>") && svg.contains("<desc>Attention W"));
    QVERIFY(written("title.pdf", export_pdf).contains(utf16("a<b & c")));
    QVERIFY(written("title.svg", export_svg) == svg);
  }

  // Beside digits Inter has other glyphs for minus and parentheses, which cannot be copied as text.
  void text_of_a_pdf_can_be_copied() {
    class FontView : public PlainView {
     public:
      std::function<void(QPainter&, const QRectF&)> drawing() const override {
        return [this, font = Theme::instance().font()](QPainter& painter, const QRectF& bounds) {
          fonts_ = {font, Theme::instance().font()};
          painter.setFont(font);
          painter.drawText(bounds, QStringLiteral("(\u22127.7)"));
        };
      }
      mutable std::vector<QFont> fonts_;
    } view;
    const QFont usual = Theme::instance().font();
    const QString file = folder_.filePath(QStringLiteral("words.pdf"));
    QCOMPARE(export_png(view, folder_.filePath(QStringLiteral("words.png")), 1), QString());
    QVERIFY(view.fonts_ == std::vector<QFont>({usual, usual}));
    QCOMPARE(export_pdf(view, file), QString());
    for (const QFont& font : view.fonts_) QVERIFY(font != usual);
    QVERIFY(Theme::instance().font() == usual);
    const QString reader = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
    if (reader.isEmpty()) return;
    QProcess program;
    program.start(reader, {file, QStringLiteral("-")});
    QVERIFY(program.waitForFinished());
    const QString text = QString::fromUtf8(program.readAllStandardOutput());
    QVERIFY2(text.contains(QStringLiteral("(\u22127.7)")), qPrintable(text));
  }

  void the_length_of_an_svg_is_known_before() {
    ShapesView view(1000);
    const QString file = folder_.filePath(QStringLiteral("shapes.svg"));
    QCOMPARE(export_svg(view, file), QString());
    const auto bytes = static_cast<double>(QFileInfo(file).size());
    const double told =
        svg_bytes([&view](QPainter& painter) { view.drawing()(painter, QRectF(0, 0, 100, 80)); },
                  QSize(100, 80));
    QVERIFY2(told > bytes / 2 && told < bytes * 2,
             qPrintable(QStringLiteral("%1 told, %2 written").arg(told).arg(bytes)));
  }

  void a_document_that_would_be_too_large_is_not_made() {
    ShapesView view(400'000);
    const QString svg = folder_.filePath(QStringLiteral("large.svg")),
                  pdf = folder_.filePath(QStringLiteral("large.pdf"));
    QVERIFY(export_svg(view, svg).contains(QStringLiteral("too large for SVG and PDF")));
    QVERIFY(export_pdf(view, pdf).contains(QStringLiteral("allowed 256.00 MiB")));
    QVERIFY(!QFile::exists(svg) && !QFile::exists(pdf));
    std::vector<std::string> notes;
    QVERIFY(QDir(folder_.path()).mkdir(QStringLiteral("report")));
    const std::vector<std::string> files =
        write_pictures({&view}, folder_.filePath(QStringLiteral("report")), 1, notes);
    QCOMPARE(files, std::vector<std::string>{"plain.png"});
    QCOMPARE(notes.size(), size_t{2});
    QVERIFY(QString::fromStdString(notes.front())
                .startsWith(QStringLiteral("plain.svg was not written: ")));
  }

  void a_picture_that_does_not_fit_in_memory_is_left_out() {
    LargeView view;
    const QString folder = folder_.filePath(QStringLiteral("little")),
                  alone = folder_.filePath(QStringLiteral("alone.png"));
    QVERIFY(QDir(folder_.path()).mkdir(QStringLiteral("little")));
    std::vector<std::string> notes, files;
    QString trouble;
    {
      const attn::test::AddressLimit limit(int64_t{1} << 30);  // the picture needs 2 GiB
      trouble = export_png(view, alone, 1);
      files = write_pictures({&view}, folder, 1, notes);
    }
    QCOMPARE(trouble, QStringLiteral("there is not enough memory for this picture at %1. Choose "
                                     "SVG or PDF, or on the command line a smaller --scale.")
                          .arg(alone));
    QCOMPARE(files, (std::vector<std::string>{"plain.svg", "plain.pdf"}));
    QCOMPARE(notes.size(), size_t{1});
    QVERIFY(QString::fromStdString(notes.front())
                .startsWith(QStringLiteral(
                    "plain.png was not written: there is not enough memory for this picture")));
  }

 private:
  static QString on_another_thread(const ExportJob& job) {
    QString trouble;
    std::thread([&] { trouble = job(); }).join();
    return trouble;
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_view_export, attn::gui::test::run<TestViewExport>)
#include "test_view_export.moc"
