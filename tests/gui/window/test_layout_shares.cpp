// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and places of panels in layouts, at many sizes of window and text, and the line of Teach.
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <map>

#include "backends/register_all.h"
#include "gui/app/bars/teach_line.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/workload/workload_panel.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario whole_first_look() {
  Scenario scenario = load_scenario(find_scenario("first-look"));
  scenario.engine.threads = 1;
  scenario.view.pace_tiles_per_s = 0;
  return scenario;
}

QDockWidget* panel_named(const MainWindow& window, const char* name) {
  return window.findChild<QDockWidget*>(QLatin1String(name));
}

bool panel_is_seen(const QDockWidget* dock) {
  return dock->isVisible() && !dock->visibleRegion().isEmpty();
}

std::map<QString, QRect> panel_places(const MainWindow& window) {
  std::map<QString, QRect> seen;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    if (panel_is_seen(dock)) seen[dock->objectName()] = dock->geometry();
  return seen;
}

QString places_text(const std::map<QString, QRect>& places) {
  QStringList all;
  for (const auto& [name, r] : places)
    all += QStringLiteral("%1 %2,%3 %4x%5")
               .arg(name)
               .arg(r.x())
               .arg(r.y())
               .arg(r.width())
               .arg(r.height());
  return all.join(QStringLiteral("; "));
}

QStringList names_of(const std::map<QString, QRect>& places) {
  QStringList names;
  for (const auto& [name, place] : places) names.append(name);
  return names;
}

double share_of_cells(const MainWindow& window) {
  const HeatmapView& heatmap = *window.view<HeatmapView>();
  const CanvasTransform& t = heatmap.transform();
  const QRectF cells(0, 0, t.x.to_pixel(t.x.end), t.y.to_pixel(t.y.end));
  const QRectF seen = cells.intersected({{0, 0}, heatmap.canvas_layout().cells.size()});
  return seen.width() * seen.height() / (window.width() * window.height());
}

void settle_window(int ms = 60) {
  QTest::qWait(ms);
}

}  // namespace

class TestLayoutShares : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
    bench_ = std::make_unique<Workbench>(whole_first_look());
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    QCOMPARE(bench_->window->view<HeatmapView>()->rows(), int64_t{46});
  }
  void init() {
    fail_on_warnings();
    QSettings().clear();
  }
  void cleanup() {
    Theme::instance().set_text_percent(100);
    if (!bench_) return;
    window().message_bar()->close_shown();
    window().layouts().apply(QStringLiteral("explore"));
    window().resize(1280, 720);
    settle_window();
  }
  void cleanupTestCase() { bench_.reset(); }

  void cells_cover_their_share_data() {
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("least");
    const auto row = [](const char* layout, QSize size, double least) {
      QTest::addRow("%s %dx%d", layout, size.width(), size.height())
          << QString::fromLatin1(layout) << size << least;
    };
    row("explore", {1024, 600}, 0.12);
    row("explore", {1280, 720}, 0.18);
    row("explore", {1280, 690}, 0.18);  // a screen of 1280x720 less a title bar
    row("explore", {1920, 1080}, 0.25);
    row("explore", {2560, 1440}, 0.25);
    row("explore", {3840, 2160}, 0.25);
    row("teach", {1024, 600}, 0.20);
    row("teach", {1280, 720}, 0.30);
    row("teach", {1280, 690}, 0.30);
    row("teach", {1920, 1080}, 0.40);
    row("teach", {2560, 1440}, 0.40);
    row("teach", {3840, 2160}, 0.40);
  }
  void cells_cover_their_share() {
    QFETCH(QString, layout);
    QFETCH(QSize, size);
    QFETCH(double, least);
    window().resize(size);
    window().layouts().apply(layout);
    settle_window(300);
    QCOMPARE(window().size(), size);
    const auto at_first = panel_places(window());
    const double share = share_of_cells(window());
    QVERIFY2(share >= least,
             qPrintable(QStringLiteral("%1, %2").arg(share).arg(places_text(at_first))));
    for (const QSize& before : {QSize(1280, 720), QSize(1024, 600), QSize(1920, 1080)}) {
      window().resize(before);
      settle_window();
      window().resize(size);
      QTRY_COMPARE(places_text(panel_places(window())), places_text(at_first));
      QTRY_COMPARE(share_of_cells(window()), share);
    }
  }

  void maximised_and_back() {
    for (const char* layout : {"explore", "teach"}) {
      window().layouts().apply(QLatin1String(layout));
      settle_window();
      const auto before = panel_places(window());
      window().showMaximized();
      QTRY_VERIFY(window().size() != QSize(1280, 720));
      QTest::qWait(200);
      const int room =
          window().height() - window().menuWidget()->height() - window().status_line()->height();
      const auto large = panel_places(window());
      QVERIFY2(large.at(QStringLiteral("attention")).height() * 100 >= room * 66,
               qPrintable(places_text(large)));
      window().showNormal();
      QTRY_COMPARE(window().size(), QSize(1280, 720));
      QTest::qWait(200);
      QCOMPARE(places_text(panel_places(window())), places_text(before));
    }
  }

  void every_size_has_room_at_every_size_of_text() {
    for (const char* layout : {"explore", "teach", "systems"})
      for (const int percent : {100, 150, 200})
        for (const QSize& size :
             {QSize(1024, 600), QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160)}) {
          Theme::instance().set_text_percent(percent);
          window().layouts().apply(QLatin1String(layout));
          window().resize(size);
          QTest::qWait(100);
          const QString where = QStringLiteral("%1 %2%").arg(QLatin1String(layout)).arg(percent);
          QVERIFY2(window().size() == size, qPrintable(QStringLiteral("%1: %2x%3 became %4x%5")
                                                           .arg(where)
                                                           .arg(size.width())
                                                           .arg(size.height())
                                                           .arg(window().width())
                                                           .arg(window().height())));
          const auto seen = panel_places(window());
          qint64 area = 0;
          for (const auto& [name, place] : seen) {
            QVERIFY2(window().rect().contains(place), qPrintable(where + places_text(seen)));
            area += qint64{place.width()} * place.height();
            for (const auto& [other, there] : seen)
              QVERIFY2(name == other || !place.intersects(there),
                       qPrintable(where + places_text(seen)));
          }
          const int bars = window().menuWidget()->height() + window().status_line()->height();
          for (const QTabBar* tabs :
               window().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            if (tabs->isVisible()) area += qint64{tabs->width()} * tabs->height();
          const qint64 room = qint64{size.width()} * (size.height() - bars);
          QVERIFY2(area * 100 >= room * 92, qPrintable(where + places_text(seen)));
        }
  }

  void panels_fold_and_unfold() {
    const auto seen = [this](int width, int height) {
      window().resize(width, height);
      settle_window();
      return names_of(panel_places(window()));
    };
    const auto list = [](const char* names) {
      return QString::fromLatin1(names).split(QLatin1Char(' '));
    };
    window().layouts().apply(QStringLiteral("explore"));
    QCOMPARE(seen(1920, 1080), list("attention blocks inspector timeline workload"));
    QCOMPARE(seen(1280, 720), list("attention blocks timeline workload"));
    QVERIFY(window().layouts().inspector_is_tab());
    QCOMPARE(seen(1024, 600), list("attention blocks workload"));
    QCOMPARE(seen(1920, 1080), list("attention blocks inspector timeline workload"));
    settle_window(300);
    const int before = panel_named(window(), "attention")->width();
    panel_named(window(), "inspector")->hide();
    settle_window();
    const int after = panel_named(window(), "attention")->width();
    QVERIFY2(after >= before + 300,
             qPrintable(QStringLiteral("%1, then %2").arg(before).arg(after)));
    QCOMPARE(seen(1280, 720), list("attention blocks timeline workload"));
    QCOMPARE(seen(1920, 1080), list("attention blocks timeline workload"));

    window().layouts().apply(QStringLiteral("teach"));
    settle_window();
    QCOMPARE(seen(1280, 720), list("attention"));
    QToolButton* button = nullptr;
    for (QToolButton* one : window().findChild<TeachLine*>()->findChildren<QToolButton*>())
      if (one->text() == QStringLiteral("Inspector")) button = one;
    QVERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(seen(1280, 720), list("attention inspector"));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(seen(1280, 720), list("attention"));
    QCOMPARE(seen(2560, 1440), list("attention blocks inspector"));
    QCOMPARE(seen(1920, 1080), list("attention"));
  }

  void a_message_hides_no_low_panel() {
    window().layouts().apply(QStringLiteral("explore"));
    window().resize(800, 600);
    settle_window();
    window().message_bar()->show_message(MessageKind::kWarning, QStringLiteral("a warning"));
    settle_window();
    const auto places = panel_places(window());
    bool seen = false;
    for (const char* name : {"blocks", "timeline"}) {
      const auto at = places.find(QLatin1String(name));
      if (at == places.end()) continue;
      seen = true;
      QVERIFY2(!at->second.intersects(window().message_bar()->geometry()), name);
    }
    QVERIFY(seen);
    window().message_bar()->close_shown();
  }

  // Without the panels below, Workload reaches down to the status line; in a narrow window it is
  // as wide as the window.
  void a_message_leaves_the_start_button_free() {
    const auto* workload = window().findChild<WorkloadPanel*>();
    for (const QSize size : {QSize(1280, 720), QSize(640, 480)}) {
      window().layouts().apply(QStringLiteral("explore"));
      window().resize(size);
      settle_window();
      for (const char* name : {"below", "bottom"})
        if (auto* dock = window().findChild<QDockWidget*>(QLatin1String(name))) dock->hide();
      for (const char* view : {"blocks", "timeline"})
        if (auto* dock = qobject_cast<QDockWidget*>(window().view(view)->parentWidget()))
          dock->hide();
      for (auto* dock : window().findChildren<QDockWidget*>())
        if (dock->isAncestorOf(workload)) dock->raise();
      window().message_bar()->show_message(MessageKind::kWarning, QStringLiteral("a warning"));
      settle_window();
      const QPushButton* start = workload->start_button();
      const QRect place(start->mapTo(&window(), QPoint()), start->size());
      QVERIFY(start->isVisible());
      QVERIFY(window().message_bar()->width() > 200);
      QVERIFY(!place.intersects(window().message_bar()->geometry()));
      window().message_bar()->close_shown();
    }
    window().layouts().apply(QStringLiteral("explore"));
    window().resize(1280, 720);
    settle_window();
  }

  void a_message_moves_no_panel() {
    for (const char* layout : {"explore", "teach", "systems"}) {
      window().layouts().apply(QLatin1String(layout));
      settle_window();
      const auto before = panel_places(window());
      window().message_bar()->show_message(MessageKind::kWarning, QStringLiteral("a warning"));
      settle_window();
      const auto meanwhile = panel_places(window());
      QCOMPARE(places_text(meanwhile), places_text(before));
      const MessageBar& bar = *window().message_bar();
      QVERIFY(bar.isVisible() && bar.height() > 20);
      QCOMPARE(bar.geometry().bottom() + 1, window().status_line()->geometry().top());
      QCOMPARE(bar.width(), window().width());
      window().message_bar()->close_shown();
      settle_window();
      QCOMPARE(places_text(panel_places(window())), places_text(before));
    }
  }

  void a_message_leaves_the_newest_row_of_the_heatmap_in_reach() {
    window().layouts().apply(QStringLiteral("teach"));
    auto* heatmap = window().view<HeatmapView>();
    window().show_attention(heatmap);
    settle_window(300);
    const auto end = [&] {
      const QPointF corner = heatmap->rect_of(heatmap->rows() - 1, 0).bottomLeft();
      return heatmap->mapTo(&window(), corner.toPoint()).y();
    };
    const int before = end();
    for (const char* text : {"a warning", "another warning"})
      window().message_bar()->show_message(MessageKind::kWarning, QLatin1String(text));
    settle_window();
    const MessageBar& bar = *window().message_bar();
    QVERIFY(bar.isVisible() && bar.geometry().top() < before);
    QCOMPARE(end(), before);
    heatmap->fit();
    QVERIFY2(end() <= bar.geometry().top() + 1, qPrintable(QString::number(end())));
    for (int i = 0; i < 2; ++i) window().message_bar()->close_shown();
    heatmap->fit();
    QCOMPARE(end(), before);
  }

  void shares_of_the_user_are_kept() {
    {
      Workbench w(synthetic_scenario(40, 4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      settle_window();
      const int width = panel_named(*w.window, "workload")->width();
      drag_separator(*w.window, 160);
      QVERIFY(std::abs(panel_named(*w.window, "workload")->width() - width - 160) <= 8);
      const double share = 1.0 * panel_named(*w.window, "workload")->width() / 1280;
      for (const QSize& size : {QSize(1460, 900), QSize(1200, 800)}) {
        w.window->resize(size);
        settle_window();
        const double now = 1.0 * panel_named(*w.window, "workload")->width() / size.width();
        QVERIFY2(std::abs(now - share) < 0.01, qPrintable(QString::number(now)));
      }
      w.window->resize(1280, 720);
      settle_window();
      w.window->close();
    }
    const auto wide = [](const MainWindow& window) {
      return panel_named(window, "workload")->width() > 400;
    };
    {
      Workbench w(synthetic_scenario(40, 4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      settle_window();
      QVERIFY(wide(*w.window));
      w.window->reset_layout();
      settle_window();
      QVERIFY(!wide(*w.window));
      w.window->close();
    }
    Workbench w(synthetic_scenario(40, 4), true);
    settle_window();
    QVERIFY(!wide(*w.window));
  }

  void a_restart_keeps_the_shares() {
    std::map<int, QString> first;
    for (const QSize& size : {QSize(1920, 1080), QSize(1280, 720), QSize(1920, 1080),
                              QSize(1024, 600), QSize(1280, 720)}) {
      Workbench w(synthetic_scenario(40, 4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      w.window->resize(size);
      QString now, last;
      do {
        last = now;
        settle_window();
        QTest::qWait(100);
        now = places_text(panel_places(*w.window));
      } while (now != last);
      const auto [before, is_new] = first.emplace(size.width(), now);
      if (!is_new) QCOMPARE(now, before->second);
      w.window->close();
    }
  }

  void teach_has_title_prompt_and_answer() {
    window().layouts().apply(QStringLiteral("teach"));
    settle_window();
    const auto* line = window().findChild<TeachLine*>();
    QVERIFY(line && line->isVisible() && line->height() >= 30);
    const RequestView& lily = bench_->bridge.snapshot()->requests.front();
    const QString answer = QString::fromStdString(*lily.output_text).simplified();
    QVERIFY(answer.size() > 60);
    QTRY_COMPARE(line->text(),
                 QStringLiteral("First look: Once upon a time, there was a little girl named Lily. "
                                "→ ") +
                     answer);
    window().cursor().go_to(8);
    QTRY_VERIFY(line->text().size() < 140);
    const QString then =
        QString::fromStdString(*window().cursor().snapshot()->requests.front().output_text)
            .simplified();
    QVERIFY(!then.isEmpty() && answer.startsWith(then) && then.size() < answer.size());
    QVERIFY(line->text().endsWith(QStringLiteral("→ ") + then));
    window().cursor().go_live();
    QTRY_VERIFY(line->text().endsWith(answer));
    window().layouts().apply(QStringLiteral("explore"));
    settle_window();
    QVERIFY(!line->isVisible());
  }

 private:
  MainWindow& window() { return *bench_->window; }

  static void drag_separator(MainWindow& window, int by) {
    const QRect left = panel_named(window, "workload")->geometry();
    const QPoint at(left.right() + 2, left.center().y());
    QVERIFY(window.isSeparator(at));
    QTest::mousePress(&window, Qt::LeftButton, {}, at);
    for (int i = 1; i <= 4; ++i) {
      QTest::mouseMove(&window, at + QPoint(by * i / 4, 0));
      QTest::qWait(20);
    }
    QTest::mouseRelease(&window, Qt::LeftButton, {}, at + QPoint(by, 0));
    settle_window();
  }

  QTemporaryDir folder_;
  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_layout_shares, attn::gui::test::run<TestLayoutShares>)
#include "test_layout_shares.moc"
