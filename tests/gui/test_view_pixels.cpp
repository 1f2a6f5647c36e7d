// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views, light and dark, compared with the committed ones (pictures/) at a
// QT_SCALE_FACTOR of 1, 1.5 or 2. ATTN_UPDATE_PICTURES=1 writes the committed pictures anew. With
// another Qt or other fonts the comparison is coarser (picture_match.h).
#include <QDir>
#include <QFontInfo>
#include <QImageReader>
#include <QImageWriter>
#include <QRawFont>

#include "backends/register_all.h"
#include "engine/session/compare/compare.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/compare/compare_canvas.h"
#include "gui/views/events/events_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "gui/views/step/step_view.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/words/words_view.h"
#include "picture_match.h"
#include "qt_test_main.h"
#include "view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QString folder_of_pictures() {
  return QStringLiteral(ATTN_SOURCE_DIR "/tests/gui/pictures");
}

// Versions on which the look of letters depends: Qt (major and minor), and the fonts.
QByteArray letters_of_this_machine() {
  QByteArray text = "Qt " + QByteArray(qVersion()).split('.').mid(0, 2).join('.');
  for (const char* family : {"Inter", "JetBrains Mono"}) {
    const QByteArray head = QRawFont::fromFont(QFont(QLatin1String(family))).fontTable("head");
    const double revision =
        head.size() < 8 ? 0 : qFromBigEndian<qint32>(head.constData() + 4) / 65536.0;
    text += QByteArray(", ") + family + ' ' + QByteArray::number(revision, 'f', 3);
  }
  return text + '\n';
}

CompareResult comparison(const Scenario& scenario) {
  CompareSpec spec;
  spec.scenario = scenario;
  spec.backends = {"reference", "torch_sdpa"};
  CompareResult result = run_compare(spec);
  double part = 1;
  for (CompareColumn& column : result.columns) {
    if (column.is_baseline) continue;
    column.out.unequal = column.out.compared / 3;
    column.out.max_abs = 4.768e-7 * part;
    column.out.max_rel = 3.5e-7 * part;
    column.lse.max_abs = 9.537e-7 * part;
    column.out.abs_at = column.out.rel_at =
        column.lse.abs_at = {.step = 1, .request = 0, .layer = 2, .head = 3, .query = 9, .d = -1};
    part /= 2;
  }
  return result;
}

std::vector<DifferenceMap> maps_of(const CompareResult& result) {
  std::vector<DifferenceMap> maps;
  for (size_t i = 0; i < result.columns.size(); ++i) {
    DifferenceMap& map = maps.emplace_back();
    if (result.columns[i].is_baseline) continue;
    map = weight_differences(result, i, 0, 2, 0);
    map.max_abs = 0;
    for (int64_t row = 0; row < map.rows; ++row)
      for (int64_t key = 0; key < map.columns; ++key) {
        if (map.masked(row, key)) continue;
        const auto value = static_cast<float>(static_cast<double>(key % 5 - 2) * 5e-8);
        map.values[static_cast<size_t>(row * map.columns + key)] = value;
        if (std::abs(value) > map.max_abs) {
          map.max_abs = std::abs(value);
          map.max_row = row, map.max_column = key;
        }
      }
  }
  return maps;
}

}  // namespace

class TestViewPixels : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    for (const char* family : {"Inter", "JetBrains Mono"})
      QVERIFY2(QFontInfo(QFont(QLatin1String(family))).family() == QLatin1String(family),
               qPrintable(QStringLiteral("The font %1 is not installed; ./workbench build does so.")
                              .arg(QLatin1String(family))));
    QVERIFY2(scale() == 1 || scale() == 1.5 || scale() == 2,
             "There are no pictures of this scale.");
    QFile letters(QDir(folder_of_pictures()).filePath(QStringLiteral("letters.txt")));
    if (qEnvironmentVariableIsSet("ATTN_UPDATE_PICTURES")) {
      QVERIFY(letters.open(QIODevice::WriteOnly));
      letters.write(letters_of_this_machine());
      letters.close();
    }
    QVERIFY(letters.open(QIODevice::ReadOnly));
    same_letters_ = letters.readAll() == letters_of_this_machine();
    if (!same_letters_)
      qInfo("Other letters than those of the pictures: %s", letters_of_this_machine().constData());
    register_all_backends();
    Theme::instance().set_reduce_motion(true);
    make_attention();
    make_tiles();
    make_systems();
    make_comparison();
  }
  void init() { fail_on_warnings(); }
  void cleanup() { Theme::instance().set_mode(ThemeMode::kDark); }

  void is_as_committed_data() {
    QTest::addColumn<Subject>("subject");
    QTest::addColumn<bool>("dark");
    for (const Subject& subject : subjects_)
      for (const bool dark : {true, false})
        QTest::addRow("%s %s", subject.name, dark ? "dark" : "light") << subject << dark;
  }
  void is_as_committed() {
    QFETCH(Subject, subject);
    QFETCH(bool, dark);
    const QString name = name_of(subject, dark);
    const QImage actual = drawn(subject, dark);
    if (qEnvironmentVariableIsSet("ATTN_UPDATE_PICTURES"))
      QVERIFY(write(committed_form(actual), folder_of_pictures(), name));
    const QImage expected(QDir(folder_of_pictures()).filePath(name));
    const PictureMatch match = same_letters_
                                   ? match_pictures(actual, expected, scale(), subject.digits)
                                   : match_shapes(actual, expected, scale(), subject.text);
    if (match.trouble.isEmpty()) return;
    const QString folder = QDir(QDir::tempPath()).filePath(QStringLiteral("attn-view-pixels"));
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(write(actual, folder, QStringLiteral("actual-") + name));
    if (!expected.isNull()) QVERIFY(write(expected, folder, QStringLiteral("expected-") + name));
    if (!match.difference.isNull())
      QVERIFY(write(match.difference, folder, QStringLiteral("difference-") + name));
    QFAIL(qPrintable(QStringLiteral("%1: %2. See actual-, expected- and difference-%1 in %3.")
                         .arg(name, match.trouble, folder)));
  }

  void the_same_is_accepted() {
    const QImage picture = drawn(heatmap(), true);
    QCOMPARE(drawn(heatmap(), true), picture);
    const PictureMatch match = match_pictures(picture, committed_form(picture), scale());
    QVERIFY2(match.trouble.isEmpty(), qPrintable(match.trouble));
    QCOMPARE(match.strays, int64_t{0});
    QVERIFY(match.largest <= kChannelStep);
    // What another processor may change: channels a little off, and another digit.
    QImage noisy = picture.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < noisy.height(); ++y)
      for (int x = 0; x < noisy.width(); ++x) {
        const auto off = [&](int value, int by) { return std::clamp(value + by, 0, 255); };
        const QRgb old = noisy.pixel(x, y);
        const int by = (x * 5 + y * 3) % 9 - 4;
        noisy.setPixel(x, y, qRgb(off(qRed(old), by), off(qGreen(old), -by), off(qBlue(old), by)));
      }
    for (int i = 0; i < 20; ++i) noisy.setPixel(20 + i % 5, 60 + i / 5, qRgb(255, 255, 255));
    QVERIFY(match_pictures(noisy, committed_form(picture), scale()).trouble.isEmpty());
  }

  void what_is_wrong_is_refused_data() {
    QTest::addColumn<bool>("by_shapes");
    QTest::newRow("with the same letters") << false;
    QTest::newRow("with other letters") << true;
  }
  void what_is_wrong_is_refused() {
    QFETCH(bool, by_shapes);
    const QImage picture = drawn(heatmap(), true);
    const QImage committed =
        by_shapes ? QImage(QDir(folder_of_pictures()).filePath(name_of(heatmap(), true)))
                  : committed_form(picture);
    const auto refused = [&](const QImage& other) {
      return !(by_shapes ? match_shapes(other, committed, scale())
                         : match_pictures(other, committed, scale()))
                  .trouble.isEmpty();
    };
    QVERIFY(!refused(picture));
    const int moved = by_shapes ? static_cast<int>(8 * scale()) : 1;  // pixels
    auto& view = *qobject_cast<HeatmapView*>(heatmap().widget);
    const auto filled = [&](const QRectF& where, const QColor& color) {
      QImage other = picture;
      other.setDevicePixelRatio(scale());
      QPainter(&other).fillRect(where, color);
      return other;
    };
    QVERIFY(refused(picture.copy(moved, 0, picture.width(), picture.height())));
    QVERIFY(refused(picture.copy(0, moved, picture.width(), picture.height())));
    QVERIFY(refused(picture.copy(0, 0, picture.width() - 1, picture.height())));  // another size
    QVERIFY(refused(drawn(heatmap(), false)));                                    // another theme
    QVERIFY(refused(QImage()));
    const QColor ground = Theme::instance().colors().surface;
    const QRectF row = view.rect_of(4, 0);
    const QRectF labels = view.canvas_layout().row_labels;
    QVERIFY(
        refused(filled(QRectF(labels.left(), row.top(), labels.width(), row.height()), ground)));
    const QRectF cells =
        by_shapes ? view.rect_of(12, 3) | view.rect_of(12, 4) : view.rect_of(12, 3);
    QVERIFY(refused(filled(cells, QColor(0xD0, 0xC0, 0x30))));
    const QRectF matrix = view.rect_of(0, 0) | view.rect_of(33, 33);
    const QRectF legend(matrix.right() + 60, matrix.bottom() - 48, picture.width() / scale(), 32);
    QVERIFY(refused(filled(legend, ground)));
    QImage other = picture;
    QPainter(&other).drawImage(QPointF(matrix.left() + 8, matrix.top()) * scale(), picture,
                               QRectF(matrix.topLeft() * scale(), matrix.size() * scale()));
    QVERIFY(refused(other));
    view.set_color_map(ColorMapId::kViridis);
    QVERIFY(refused(drawn(heatmap(), true)));
    view.set_color_map(ColorMapId::kCividis);
    QVERIFY(!refused(drawn(heatmap(), true)));
    SelectionState state = attention_->selection.state();
    state.key += 1;
    attention_->selection.select(state);
    QVERIFY(refused(drawn(heatmap(), true)));
    state.key -= 1;
    attention_->selection.select(state);
    QVERIFY(!refused(drawn(heatmap(), true)));
  }

  void the_folder_holds_these_pictures() {
    QSet<QString> expected;
    for (const Subject& subject : subjects_)
      for (const char* mode : {"dark", "light"})
        for (const char* factor : {"1", "1.5", "2"})
          expected.insert(
              QStringLiteral("%1-%2-%3x.png")
                  .arg(QLatin1String(subject.name), QLatin1String(mode), QLatin1String(factor)));
    const QStringList found =
        QDir(folder_of_pictures()).entryList({QStringLiteral("*.png")}, QDir::Files);
    if (qEnvironmentVariableIsSet("ATTN_UPDATE_PICTURES"))
      QSKIP("The pictures of the other scales may still have to be made.");
    QCOMPARE(QSet<QString>(found.begin(), found.end()), expected);
  }

 private:
  static double scale() { return qApp->devicePixelRatio(); }
  const Subject& heatmap() const { return subjects_.front(); }
  static QString name_of(const Subject& subject, bool dark) {
    return QStringLiteral("%1-%2-%3x.png")
        .arg(QLatin1String(subject.name), dark ? QStringLiteral("dark") : QStringLiteral("light"),
             QString::number(scale()));
  }

  static bool write(const QImage& picture, const QString& folder, const QString& name) {
    QImageWriter writer(QDir(folder).filePath(name), "png");
    writer.setCompression(100);
    return writer.write(picture);
  }

  QImage drawn(const Subject& subject, bool dark) const {
    Theme::instance().set_mode(dark ? ThemeMode::kDark : ThemeMode::kLight);
    QTest::qWait(30);  // headers adapt to a theme in later turns of the event loop
    settle();
    QImage picture = subject.widget->grab().toImage().convertToFormat(QImage::Format_RGB32);
    picture.setDevicePixelRatio(1);
    return picture;
  }

  void settle() const {
    for (const auto& subject : subjects_) {
      if (auto* heatmap = qobject_cast<HeatmapView*>(subject.widget))
        QVERIFY(QTest::qWaitFor([&] { return !heatmap->tiles().busy(); }, 60000));
      if (auto* lines = qobject_cast<HeadLinesView*>(subject.widget))
        QVERIFY(QTest::qWaitFor([&] { return !lines->line_rows().busy(); }, 60000));
      if (auto* heads = qobject_cast<HeadGridView*>(subject.widget))
        QVERIFY(QTest::qWaitFor([&] { return !heads->stats().busy(); }, 60000));
      if (auto* events = qobject_cast<EventsView*>(subject.widget))
        QVERIFY(QTest::qWaitFor([&] { return events->rows().complete(); }, 60000));
    }
  }
  void take(const Stage& stage) {
    subjects_.insert(subjects_.end(), stage.subjects.begin(), stage.subjects.end());
  }

  void make_attention() {
    attention_ = std::make_unique<Stage>(deterministic("first-look", 20));
    Stage& stage = *attention_;
    stage.add<HeatmapView>("heatmap", {560, 400}, 1);
    auto& lines = stage.add<HeadLinesView>("lines", {480, 340}, 1);
    stage.add<HeadGridView>("heads", {560, 400}, 1);
    // Most numbers of the inspector have seven digits, so their last digits depend on the
    // processor.
    stage.add<InspectorView>("inspector", {300, 640}, 48);
    stage.add<WordsView>("words", {560, 240}, 1);
    QVERIFY(stage.run_to_end());
    stage.selection.select({.kind = SelectionKind::kCell,
                            .request = 0,
                            .layer = 2,
                            .head = 0,
                            .query = 24,
                            .key = 23});
    lines.set_heads({0, 3});
    take(stage);
  }

  void make_tiles() {
    tiles_ = std::make_unique<Stage>(deterministic("long-prompt", 3));
    tiles_->add<TilesView>("tiles", {640, 320}, 4);
    QVERIFY(tiles_->run_to_end());
    tiles_->selection.select({.kind = SelectionKind::kCell,
                              .request = 0,
                              .layer = tiles_->selection.shown_layer(),
                              .head = tiles_->selection.shown_head(),
                              .query = 300,
                              .key = 40});
    take(*tiles_);
  }

  void make_systems() {
    systems_ = std::make_unique<Stage>(deterministic("shared-prompt", 24));
    Stage& stage = *systems_;
    stage.add<BlocksView>("blocks", {560, 260}, 1);
    auto& tree = stage.add<BlocksView>("prefix-tree", {560, 260}, 1);
    auto& timeline = stage.add<TimelineView>("timeline", {640, 320}, 1);
    stage.add<MetricsView>("metrics", {640, 400}, 1);
    auto& events = stage.add<EventsView>("events", {640, 280}, 1);
    events.rows().set_order({EventColumn::kTime, false});
    stage.add<StepView>("step", {640, 360}, 1, 1.5);
    QVERIFY(stage.run_until(60));
    for (const char* part : {"Prefixes", "Grid", "Tables"})
      for (auto* button : tree.findChildren<QToolButton*>())
        if (button->text() == QLatin1String(part)) button->click();
    timeline.canvas().fit_all();
    QVERIFY(
        events.set_filter(QStringLiteral("kind:request,token,block_allocated,kernel")).isEmpty());
    take(stage);
  }

  void make_comparison() {
    const CompareResult result = comparison(deterministic("first-look", 5));
    const std::vector<DifferenceMap> maps = maps_of(result);
    compared_.set_result(std::make_shared<const CompareResult>(result));
    compare_ = std::make_unique<CompareCanvas>(compared_);
    compare_->setFocusPolicy(Qt::NoFocus);
    compare_->resize(620, 400);  // wide enough for the same line breaks with other letters
    compare_->set_maps(maps, QStringLiteral("Difference of the attention weights: Lily, layer 2, "
                                            "head 0"));
    compare_->set_viewport_height(400);
    compare_->move(2000, 40);
    compare_->show();
    subjects_.push_back({"compare", compare_.get(), 1});
  }

  std::unique_ptr<Stage> attention_, tiles_, systems_;
  bool same_letters_ = true;  // Qt and the fonts are those of the committed pictures
  CompareModel compared_;
  std::unique_ptr<CompareCanvas> compare_;
  std::vector<Subject> subjects_;
};

namespace {
int run_pixels(int argc, char** argv) {
  qputenv("FONTCONFIG_FILE", ATTN_SOURCE_DIR "/tests/gui/pictures/fonts.conf");
  if (!qEnvironmentVariableIsSet("QT_SCALE_FACTOR")) qputenv("QT_SCALE_FACTOR", "1");
  // The digits in the pictures are those of a machine without a bf16 unit.
  qputenv("ATTN_BF16_UNIT", "off");
  return attn::gui::test::run<TestViewPixels>(argc, argv);
}
}  // namespace
ATTN_QT_TEST(test_view_pixels, run_pixels)
#include "test_view_pixels.moc"
