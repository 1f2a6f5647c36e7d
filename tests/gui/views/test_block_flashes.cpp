// SPDX-License-Identifier: GPL-3.0-or-later
// Flashes of blocks, the order of the slots inside a block, and the legend.
#include "gui/theme/theme.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/blocks/drawing/block_painter.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int64_t kBlockSize = 8;

std::shared_ptr<EngineSnapshot> snapshot_of(size_t num_blocks, size_t used, int32_t last_filled,
                                            EnginePhase phase = EnginePhase::kRunning) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->phase = phase;
  shot->block_size = kBlockSize;
  shot->step = 9;
  shot->blocks.resize(num_blocks);
  RequestView request;
  request.state = RequestState::kRunning;
  auto tokens = std::make_shared<std::vector<TokenView>>();
  for (size_t i = 0; i < used; ++i) {
    request.own_table.blocks.push_back(static_cast<int32_t>(i));
    shot->blocks[i] = {.owner = 0,
                       .ref_count = 1,
                       .logical = static_cast<int32_t>(i),
                       .filled = i + 1 == used ? last_filled : static_cast<int32_t>(kBlockSize),
                       .allocated_step = 1};
    for (int32_t slot = 0; slot < shot->blocks[i].filled; ++slot) tokens->push_back({0, "to"});
  }
  request.tokens = tokens;
  shot->requests.push_back(request);
  return shot;
}

int distance(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
         std::abs(a.blue() - b.blue());
}

QImage exported_picture(BlocksView& view) {
  QImage image(view.export_size(), QImage::Format_RGB32);
  QPainter painter(&image);
  view.paint_content(painter, QRectF(QPointF(0, 0), QSizeF(image.size())));
  return image;
}

}  // namespace

class TestBlockFlashes : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }
  void cleanup() { Theme::instance().set_reduce_motion(false); }

  // Owners give way, so that the marks at the end of the legend have room.
  void the_legend_names_all_marks() {
    auto shot = std::make_shared<EngineSnapshot>(*snapshot_of(16, 2, 4));
    shot->requests[0].name = "Lily";
    for (const char* name : {"Tom", "Mia", "Benjamin", "Sue", "Max"}) {
      RequestView more = shot->requests[0];
      more.id = static_cast<uint32_t>(shot->requests.size());
      more.name = name;
      shot->requests.push_back(more);
    }
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.show_snapshot(shot);
    for (const QSize size : {QSize(494, 140), QSize(520, 160), QSize(640, 160), QSize(320, 500)}) {
      view.resize(size);
      view.grab();
      TextRecorder recorder(view.canvas().size());
      QPainter painter(&recorder);
      BlockPainter().paint(painter, view.canvas().scene());
      painter.end();
      QStringList texts;
      for (const DrawnText& text : recorder.texts()) texts.append(text.text);
      for (const char* mark : {"free", "taken in this step", "read", "written"})
        QVERIFY2(texts.contains(QLatin1String(mark)),
                 qPrintable(texts.join(QLatin1Char('|')) + QString::number(size.width())));
      for (const DrawnText& text : recorder.texts())
        if (view.canvas().scene().legend.contains(text.ink.center()))
          QVERIFY2(text.visible == text.ink, qPrintable(text.text));
    }
  }

  void changes_are_taken_and_freed_blocks() {
    const auto before = snapshot_of(8, 3, 2), after = snapshot_of(8, 3, 2);
    after->blocks[0] = {};  // block 0 was freed
    after->blocks[1].allocated_step = 9;
    after->blocks[1].owner = 4;
    after->blocks[2].filled = 3;  // block 2 was only written to
    after->blocks[6] = {.owner = 2, .ref_count = 1, .logical = 0, .filled = 1, .allocated_step = 9};
    BlockFlashes flashes;
    flashes.add_changes(*before, *after, 1000);
    const std::vector<BlockFlash> expected = {
        {0, false, 0, 1000, 1}, {1, true, 4, 1000, 1}, {6, true, 2, 1000, 1}};
    QVERIFY(flashes.all() == expected);
    flashes.add_changes(*after, *before, 1100);
    QCOMPARE(flashes.all().size(), size_t{3});
    QCOMPARE(flashes.all().back().block, int64_t{6});
    QVERIFY(!flashes.all().back().taken);
    double last = 1;
    for (int64_t now = 1100; now < 1100 + BlockFlashes::kLength_ms; now += 40) {
      flashes.advance(now);
      QCOMPARE(flashes.all().size(), size_t{3});
      QVERIFY(flashes.all().front().strength <= last);
      last = flashes.all().front().strength;
    }
    flashes.advance(1100 + BlockFlashes::kLength_ms);
    QVERIFY(flashes.empty());
    auto other = std::make_shared<EngineSnapshot>(*after);
    other->run = 1;
    flashes.add_changes(*before, *other, 0);
    QVERIFY(flashes.empty());
    flashes.add_changes(*before, *snapshot_of(9, 4, 1), 0);
    QVERIFY(flashes.empty());
    flashes.add_changes(*snapshot_of(4096, 0, 0), *snapshot_of(4096, 4096, 1), 0);
    QVERIFY(flashes.empty());
  }

  void a_taken_block_fades_on_the_screen_and_not_in_exports() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show();
    BlocksCanvas& canvas = view.canvas();
    view.show_snapshot(snapshot_of(32, 4, 3));
    view.show_snapshot(snapshot_of(32, 6, 3));
    QCOMPARE(canvas.scene().flashes.size(), size_t{2});
    const QImage during = canvas.grab().toImage(), file = exported_picture(view);
    QTRY_VERIFY(canvas.scene().flashes.empty());
    const QImage after = canvas.grab().toImage();
    const QPoint taken = canvas.scene().grid.rect_of(4).center().toPoint();
    const QColor good = Theme::instance().colors().good;
    if (const QString folder = qEnvironmentVariable("ATTN_KEEP_PICTURES"); !folder.isEmpty())
      during.save(folder + QStringLiteral("/block-flash.png"));
    QVERIFY(distance(during.pixelColor(taken), good) < distance(after.pixelColor(taken), good));
    QCOMPARE(exported_picture(view), file);
    view.show_snapshot(snapshot_of(32, 4, 3));  // two blocks are freed
    QCOMPARE(canvas.scene().flashes.size(), size_t{2});
    QVERIFY(!canvas.scene().flashes.front().taken);
  }

  void nothing_fades_while_it_stands_or_where_motion_is_not_wanted() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.show();
    view.show_snapshot(snapshot_of(32, 4, 3));
    view.show_snapshot(snapshot_of(32, 6, 3, EnginePhase::kPaused));
    QVERIFY(view.canvas().scene().flashes.empty());
    Theme::instance().set_reduce_motion(true);
    view.show_snapshot(snapshot_of(32, 8, 3));
    QVERIFY(view.canvas().scene().flashes.empty());
    Theme::instance().set_reduce_motion(false);
    view.show_snapshot(snapshot_of(32, 9, 3));
    QCOMPARE(view.canvas().scene().flashes.size(), size_t{1});
    view.show_snapshot(snapshot_of(32, 9, 3, EnginePhase::kPaused));
    QVERIFY(view.canvas().scene().flashes.empty());
  }

  // 8 slots in a small cell have 3 columns, so the fourth slot begins the second row.
  void small_cells_fill_row_by_row() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 300);
    view.show();
    view.canvas().set_parts(true, false);
    view.show_snapshot(snapshot_of(1024, 2, 4));
    const BlockGrid& grid = view.canvas().scene().grid;
    QVERIFY2(grid.cell() >= BlockPainter::kOwnCell && grid.cell() < BlockPainter::kNumberCell,
             qPrintable(QString::number(grid.cell())));
    const QImage picture = view.canvas().grab().toImage();
    const QRectF cell = grid.rect_of(1);
    const QColor owner = Theme::instance().category(0);
    const auto is_filled = [&](double x, double y) {
      const QPointF at = cell.topLeft() + QPointF(x * cell.width(), y * cell.height());
      return distance(picture.pixelColor(at.toPoint()), owner) < 24;
    };
    QVERIFY(is_filled(0.2, 0.2) && is_filled(0.8, 0.2));
    QVERIFY(is_filled(0.2, 0.5) && !is_filled(0.7, 0.5));
    QVERIFY(!is_filled(0.2, 0.8));
  }

  void tokens_stand_in_reading_order() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 600);
    view.show();
    view.show_snapshot(snapshot_of(32, 2, 3));
    view.canvas().select_block(1);
    view.canvas().fit();
    const QRectF cell = view.canvas().scene().grid.rect_of(1);
    const QImage picture = view.canvas().grab().toImage();
    const QColor empty = Theme::instance().colors().surface;
    const auto tint = [&](double x, double y) {
      const QPointF at = cell.topLeft() + QPointF(x * cell.width(), y * cell.height());
      return distance(picture.pixelColor(at.toPoint()), empty);
    };
    const int filled = tint(0.06, 0.5), below = tint(0.06, 0.9);
    if (const QString folder = qEnvironmentVariable("ATTN_KEEP_PICTURES"); !folder.isEmpty())
      picture.save(folder + QStringLiteral("/block-tokens.png"));
    QVERIFY2(filled != below, qPrintable(QStringLiteral("%1 %2").arg(filled).arg(below)));
    QCOMPARE(tint(0.6, 0.5), filled);
  }
};

ATTN_QT_TEST(test_block_flashes, attn::gui::test::run<TestBlockFlashes>)
#include "test_block_flashes.moc"
