// SPDX-License-Identifier: GPL-3.0-or-later
// The prefix tree of the blocks view.
#include <QToolButton>
#include <QWheelEvent>
#include <set>

#include "block_run.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/blocks/drawing/prefix_painter.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

std::shared_ptr<const std::vector<TokenView>> words(const std::string& text) {
  return std::make_shared<std::vector<TokenView>>(std::vector<TokenView>{{1, text}, {2, " "}});
}

std::shared_ptr<EngineSnapshot> tree_snapshot() {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->phase = EnginePhase::kPaused;
  shot->block_size = 2;
  shot->step = 3;
  shot->blocks.resize(12);
  shot->prefixes =
      std::make_shared<std::vector<PrefixView>>(std::vector<PrefixView>{{-1, 0, 0, words("once")},
                                                                        {-1, 6, 0, words("Tom")},
                                                                        {0, 1, 1, words("upon")},
                                                                        {0, -1, 1, words("gone")},
                                                                        {2, 2, 2, words("a")},
                                                                        {2, 4, 2, words("the")},
                                                                        {3, 5, 2, words("kept")}});
  for (const int block : {0, 1, 2, 4})
    shot->blocks[static_cast<size_t>(block)] = {
        .owner = 0, .ref_count = 1, .filled = 2, .allocated_step = 1, .hashed = true};
  for (const int block : {5, 6})
    shot->blocks[static_cast<size_t>(block)] = {.filled = 2, .hashed = true};
  shot->blocks[0].ref_count = shot->blocks[1].ref_count = 2;
  RequestView a, b;
  a.id = 0;
  a.name = "Lily";
  a.own_table.blocks = {0, 1, 2, 9};
  b.id = 1;
  b.name = "Mia";
  b.own_table.blocks = {0, 1, 4};
  shot->requests = {a, b};
  return shot;
}

std::vector<int32_t> ids_of(const std::vector<TokenView>& tokens) {
  std::vector<int32_t> ids;
  for (const TokenView& token : tokens) ids.push_back(token.id);
  return ids;
}

}  // namespace

class TestPrefixTree : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void shape() {
    PrefixTree tree;
    tree.set_snapshot(tree_snapshot());
    QCOMPARE(tree.nodes().size(), size_t{7});
    QCOMPARE(tree.num_columns(), int64_t{3});
    QCOMPARE(tree.num_rows(), int64_t{4});
    const std::vector<std::pair<int, int>> places = {{0, 0}, {0, 3}, {1, 0}, {1, 2},
                                                     {2, 0}, {2, 1}, {2, 2}};  // column, row
    for (size_t i = 0; i < places.size(); ++i) {
      QCOMPARE(tree.nodes()[i].depth, places[i].first);
      QCOMPARE(tree.nodes()[i].row, places[i].second);
    }
    QCOMPARE(tree.nodes()[0].rows, 3);
    QCOMPARE(tree.nodes()[2].holders, (std::vector<uint32_t>{0, 1}));
    QCOMPARE(tree.nodes()[4].holders, std::vector<uint32_t>{0});
    QVERIFY(tree.nodes()[6].holders.empty());
    QCOMPARE(tree.node_of(4), 5);
    QCOMPARE(tree.node_of(9), -1);
    QCOMPARE(tree.neighbour(5, -1, 0), 2);
    QCOMPARE(tree.neighbour(2, 1, 0), 4);
    QCOMPARE(tree.neighbour(4, 0, 1), 5);
    QCOMPARE(tree.neighbour(4, 0, -1), -1);
    QCOMPARE(tree.neighbour(0, 0, 1), 1);
    tree.set_snapshot(nullptr);
    QVERIFY(tree.nodes().empty());
  }

  void layout_shows_all_and_hits_what_it_draws() {
    PrefixTree tree;
    tree.set_snapshot(tree_snapshot());
    for (const QSizeF size : {QSizeF(200, 90), QSizeF(700, 300), QSizeF(120, 600)}) {
      PrefixLayout layout;
      layout.set_area(QRectF(QPointF(300, 8), size));
      layout.set_size(tree.num_columns(), tree.num_rows());
      QVERIFY(layout.is_fit());
      for (size_t i = 0; i < tree.nodes().size(); ++i) {
        const QRectF rect = layout.rect_of(tree.nodes()[i]);
        QVERIFY(layout.area().adjusted(-0.1, -0.1, 0.1, 0.1).contains(rect));
        QCOMPARE(layout.node_at(tree, rect.center()), static_cast<int>(i));
        for (size_t j = 0; j < i; ++j) QVERIFY(!rect.intersects(layout.rect_of(tree.nodes()[j])));
      }
      layout.fit_node(tree.nodes()[4]);
      QVERIFY(layout.area().contains(layout.rect_of(tree.nodes()[4]).center()));
      layout.fit();
      QVERIFY(layout.is_fit());
    }
  }

  void nodes_are_those_of_the_index() {
    Scenario scenario = attn::test::shipped_virtual("shared-prompt");
    scenario.engine.num_blocks = 20;  // so that some blocks are evicted
    BlockRun run(scenario);
    PrefixTree tree;
    size_t most = 0, most_shared = 0;
    while (run.step()) {
      const EngineSnapshot& shot = *run.shot();
      tree.set_snapshot(run.shot());
      const BlockManager& manager = run.engine().scheduler().manager();
      const PrefixIndex& index = manager.prefix_index();
      size_t with_block = 0;
      for (const PrefixIndex::Node& known : index.nodes()) {
        if (known.block < 0) continue;
        ++with_block;
        const int at = tree.node_of(known.block);
        QVERIFY(at >= 0);
        const PrefixNode& node = tree.nodes()[static_cast<size_t>(at)];
        QCOMPARE(node.depth, static_cast<int32_t>(known.depth));
        QCOMPARE(ids_of(*node.tokens), known.tokens);
        QCOMPARE(node.parent < 0, known.parent == PrefixIndex::kRoot);
        if (node.parent >= 0) {
          const PrefixNode& parent = tree.nodes()[static_cast<size_t>(node.parent)];
          QCOMPARE(ids_of(*parent.tokens), index.node(known.parent).tokens);
          QCOMPARE(parent.block, index.node(known.parent).block);
        }
        std::vector<uint32_t> holders;
        for (const RequestView& request : shot.requests)
          if (manager.knows(request.id))
            for (const int32_t block : manager.blocks(request.id))
              if (block == known.block) holders.push_back(request.id);
        QCOMPARE(node.holders, holders);
        QCOMPARE(static_cast<int32_t>(holders.size()),
                 shot.blocks[static_cast<size_t>(known.block)].ref_count);
        most_shared = std::max(most_shared, holders.size());
      }
      QCOMPARE(
          std::ranges::count_if(tree.nodes(), [](const PrefixNode& n) { return n.block >= 0; }),
          static_cast<std::ptrdiff_t>(with_block));
      most = std::max(most, with_block);
      std::set<std::pair<int, int>> places;
      for (const PrefixNode& node : tree.nodes())
        QVERIFY(places.emplace(node.depth, node.row).second);
    }
    QVERIFY(most >= 10);
    QCOMPARE(most_shared, size_t{2});
  }

  void pointer_selects_the_block_everywhere() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(1300, 300);
    view.grab();
    view.show_snapshot(tree_snapshot());
    BlocksCanvas& canvas = view.canvas();
    const BlocksScene& scene = canvas.scene();
    QVERIFY(scene.tree_shown());
    QVERIFY(!scene.prefixes.area().intersects(scene.tables.area));
    const auto center = [&](int node) {
      return scene.prefixes.rect_of(scene.tree.nodes()[static_cast<size_t>(node)]).center();
    };
    const QImage before = canvas.grab().toImage();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, center(5).toPoint());
    QCOMPARE(selection.state().block, int64_t{4});
    QCOMPARE(canvas.highlight().blocks, std::vector<int32_t>{4});
    const QImage after = canvas.grab().toImage();
    QVERIFY(after.copy(scene.grid.rect_of(4).toRect()) !=
            before.copy(scene.grid.rect_of(4).toRect()));
    const QRect node = scene.prefixes.rect_of(scene.tree.nodes()[4]).toRect();
    canvas.select_block(2);
    QVERIFY(canvas.grab().toImage().copy(node) != after.copy(node));
    QCOMPARE(canvas.block_at(center(3)), int64_t{-1});
    QVERIFY(canvas.tooltip_at(center(3)).contains(QStringLiteral("Evicted block")));
    const QString cached = canvas.tooltip_at(center(6));
    QVERIFY(cached.contains(QStringLiteral("Block 5: cached")));
    QVERIFY(cached.contains(QStringLiteral("kept")));
    QVERIFY(canvas.tooltip_at(center(2)).contains(QStringLiteral("Lily, Mia")) ||
            canvas.tooltip_at(center(2)).contains(QStringLiteral("Shared by")));
  }

  void keys_follow_the_edges() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(1300, 300);
    view.grab();
    view.show_snapshot(tree_snapshot());
    BlocksCanvas& canvas = view.canvas();
    const BlocksScene& scene = canvas.scene();
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      scene.prefixes.rect_of(scene.tree.nodes()[0]).center().toPoint());
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), int64_t{1});
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), int64_t{2});
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.cursor(), int64_t{4});
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.cursor(), int64_t{5});
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.cursor(), int64_t{0});
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.cursor(), int64_t{0});
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(selection.state().block, int64_t{0});
    const double width = scene.prefixes.rect_of(scene.tree.nodes()[0]).width();
    for (QToolButton* button : view.findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Prefixes")) button->click(), button->click();
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      scene.prefixes.rect_of(scene.tree.nodes()[0]).center().toPoint());
    view.resize(500, 160);
    view.grab();
    const QRectF small = scene.prefixes.rect_of(scene.tree.nodes()[0]);
    QVERIFY(small.width() < width);
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(scene.prefixes.rect_of(scene.tree.nodes()[0]).width() > small.width());
    QVERIFY(scene.grid.is_fit());
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(scene.prefixes.rect_of(scene.tree.nodes()[0]).width(), small.width());
    const QPointF at = small.center();
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, {0, 2 * 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    QVERIFY(!scene.prefixes.is_fit());
  }

  void looks() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(1300, 320);
    view.grab();
    view.canvas().set_parts(false, false, true);
    view.show_snapshot(tree_snapshot());
    const QImage picture = view.canvas().grab().toImage();
    const BlocksScene& scene = view.canvas().scene();
    const auto drawn = [&](int node, bool edge) {
      const QRect body =
          scene.prefixes.rect_of(scene.tree.nodes()[static_cast<size_t>(node)]).toRect();
      const QColor surface = Theme::instance().colors().surface;
      int count = 0;
      const int y = edge ? body.top() : body.top() + body.height() / 2;
      for (int x = body.left() + body.width() / 2; x < body.right() - 2; ++x)
        count += picture.pixelColor(x, y) != surface;
      return 200 * count / body.width();
    };
    QVERIFY(drawn(4, false) > 90);                         // held: tinted
    QVERIFY(drawn(6, false) > 5 && drawn(6, false) < 70);  // cached: hatched
    QVERIFY(drawn(3, true) > 20 && drawn(3, true) < 90);   // evicted: dashed
    QVERIFY(drawn(4, true) > 90 && drawn(6, true) > 90);
  }

  void switch_says_when_there_is_no_tree() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(1300, 300);
    view.grab();
    QToolButton* prefixes = nullptr;
    for (QToolButton* button : view.findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Prefixes")) prefixes = button;
    QVERIFY(prefixes && !prefixes->accessibleName().isEmpty());
    auto without = tree_snapshot();
    without->prefixes = nullptr;
    view.show_snapshot(without);
    QVERIFY(!prefixes->isEnabled());
    QVERIFY(prefixes->toolTip().contains(QStringLiteral("enable_prefix_caching")));
    QVERIFY(!view.canvas().scene().tree_shown());
    view.show_snapshot(tree_snapshot());
    QVERIFY(prefixes->isEnabled());
    const double narrow = view.canvas().scene().tables.area.right();
    QVERIFY(view.canvas().scene().tree_shown());
    view.resize(640, 220);
    view.grab();
    QVERIFY(prefixes->isEnabled() && !prefixes->isChecked());
    QVERIFY(!view.canvas().scene().tree_shown());
    prefixes->click();
    QVERIFY(view.canvas().scene().tree_shown());
    view.resize(1300, 300);
    view.grab();
    QVERIFY(view.canvas().scene().tree_shown());
    prefixes->click();
    QVERIFY(!view.canvas().scene().tree_shown());
    QVERIFY(view.canvas().scene().tables.area.right() > narrow);
  }

  void empty_tree_and_small_sizes() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    auto empty = tree_snapshot();
    empty->prefixes = std::make_shared<std::vector<PrefixView>>();
    for (const QSize size : {QSize(220, 80), QSize(500, 420), QSize(1300, 200)}) {
      view.resize(size);
      view.show_snapshot(empty);
      view.grab();
      view.show_snapshot(tree_snapshot());
      view.grab();
    }
  }
};

ATTN_QT_TEST(test_prefix_tree, attn::gui::test::run<TestPrefixTree>)
#include "test_prefix_tree.moc"
