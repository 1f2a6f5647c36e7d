// SPDX-License-Identifier: GPL-3.0-or-later
// From a run that has begun to "which head attends to the previous token", with picture and table
// on disk, once by mouse and once by keyboard, each in at most 60 s of simulated use. The times are
// those of the keystroke-level model (Card, Moran and Newell, Communications of the ACM 23, 1980);
// the time in which the program answers does not count.
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>

#include "backends/register_all.h"
#include "engine/session/record/head_reader.h"
#include "gui/app/commands/command_palette.h"
#include "gui/app/view_registry.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr double kPointS = 1.1, kClickS = 0.2, kKeyS = 0.28, kThinkS = 1.35;
constexpr double kMostS = 60;

class Hand {
 public:
  void think() {
    simulated_ += kThinkS;
    QTest::qWait(200);  // lets the window show what the user would look at
  }

  void click(QWidget* widget, const QPoint& at) {
    simulated_ += kPointS + kClickS;
    ++clicks_;
    QTest::mouseMove(widget, at);
    QTest::mouseClick(widget, Qt::LeftButton, {}, at);
    QTest::qWait(20);
  }
  void click(QWidget* widget) { click(widget, widget->rect().center()); }

  void drag(QWidget* widget, const QPoint& from, const QPoint& to) {
    simulated_ += 2 * kPointS + kClickS;
    ++clicks_;
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    QTest::mouseMove(widget, (from + to) / 2);
    // QTest::mouseMove() sends no pressed button, so the events are sent by hand.
    for (const QPoint& at : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                       Qt::NoModifier);
      QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
    QTest::qWait(20);
  }

  void key(Qt::Key which, Qt::KeyboardModifiers modifiers = {}) {
    simulated_ += kKeyS * (modifiers == Qt::NoModifier ? 1 : 2);
    ++keys_;
    QTRY_VERIFY(QApplication::activePopupWidget() || QApplication::focusWidget());
    QWidget* at = QApplication::activePopupWidget();
    if (!at) at = QApplication::focusWidget();
    QTest::keyClick(at, which, modifiers);
    QTest::qWait(20);
  }
  void type(const QString& text) {
    simulated_ += kKeyS * static_cast<double>(text.size());
    keys_ += static_cast<int>(text.size());
    QTest::keyClicks(QApplication::focusWidget(), text);
    QTest::qWait(20);
  }

  double seconds() const { return simulated_; }
  QString report() const {
    return QStringLiteral("%1 s of a hand with %2 clicks and %3 keys")
        .arg(simulated_, 0, 'f', 1)
        .arg(clicks_)
        .arg(keys_);
  }

 private:
  double simulated_ = 0;
  int clicks_ = 0, keys_ = 0;
};

template <class Answer>
void when_asked(QObject* context, Answer answer) {
  auto* timer = new QTimer(context);
  timer->setInterval(20);
  QObject::connect(timer, &QTimer::timeout, context, [timer, answer] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (!dialog || !dialog->isAncestorOf(QApplication::focusWidget())) return;
    timer->stop();
    timer->deleteLater();
    answer(*dialog);
  });
  timer->start();
}

QAction* entry_of(const QMenu& menu, const QString& text) {
  for (QAction* action : menu.actions())
    if (action->text() == text) return action;
  return nullptr;
}

struct FoundHead {
  int64_t layer = -1, head = -1;
  double score = -1;
};

FoundHead best_previous(const RequestView& request) {
  const AttentionRecord& record = *request.attention;
  const RepeatedTokens repeated = repeated_tokens_of(request);
  FoundHead best;
  for (int64_t layer = 0; layer < record.shape().num_layers; ++layer)
    for (int64_t head = 0; head < record.shape().num_heads; ++head) {
      HeadReading reading;
      read_head(
          record, layer, head, record.num_rows(), repeated, [] { return false; }, reading);
      const double score = reading.scores.previous.value_or(-1);
      if (score > best.score) best = {layer, head, score};
    }
  return best;
}

QList<QByteArray> cells_of(const QByteArray& line) {
  QList<QByteArray> cells{QByteArray()};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.append(QByteArray());
    } else {
      cells.back().append(c);
    }
  }
  return cells;
}

}  // namespace

class TestClickPath : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    before_ = QDir::currentPath();
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
  }
  void init() {
    fail_on_warnings();
    // Dialogs remember the folder of the test before, so all tests use one folder, which is emptied
    // here.
    QDir::setCurrent(folder_->path());
    for (const QString& file : QDir().entryList(QDir::Files)) QVERIFY(QFile::remove(file));
  }
  void cleanup() { QDir::setCurrent(before_); }

  void with_the_mouse() {
    Hand hand;
    Workbench w(load_scenario(find_scenario("first-look")));
    MainWindow& window = *w.window;
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(w.control.start());

    hand.think();
    QSlider* pace = window.run_bar()->pace_slider();
    const int middle = pace->height() / 2;
    const int handle = QStyle::sliderPositionFromValue(pace->minimum(), pace->maximum(),
                                                       pace->value(), pace->width() - 14);
    hand.drag(pace, {handle + 7, middle}, {pace->width() + 20, middle});
    QCOMPARE(w.bridge.pace(), 0.0);

    hand.think();
    QTabBar* tabs = window.attention_tabs()->tabBar();
    hand.click(
        tabs,
        tabs->tabRect(window.attention_tabs()->indexOf(window.view<HeadGridView>())).center());
    QVERIFY(window.view<HeadGridView>()->isVisible());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    hand.think();
    QComboBox* order = window.view<HeadGridView>()->order_box();
    QVERIFY(order->isVisible());
    hand.click(order);
    QTest::qWait(QApplication::doubleClickInterval() + 50);
    const int row = order->findText(QStringLiteral("by previous"));
    QVERIFY(row > 0);
    QAbstractItemView* choices = order->view();
    QVERIFY(choices->isVisible());
    hand.click(choices->viewport(), choices->visualRect(choices->model()->index(row, 0)).center());
    QCOMPARE(order->currentIndex(), row);
    QVERIFY(window.view<HeadGridView>()->stats().wait(std::chrono::seconds(20)));
    QTest::qWait(50);

    hand.think();
    HeadGridCanvas& grid = window.view<HeadGridView>()->canvas();
    const int64_t first = grid.canvas_layout().cells.front().index;
    hand.click(&grid, grid.rect_of(first).center().toPoint());
    check_shown(w);

    for (const char* format : {"PNG…", "CSV…"}) {
      hand.think();
      save_with_the_mouse(w, hand, QString::fromUtf8(format));
      if (QTest::currentTestFailed()) return;
    }
    qInfo("mouse: %s", qPrintable(hand.report()));
    check_files(w);
    QVERIFY2(hand.seconds() <= kMostS, qPrintable(hand.report()));
  }

  void with_the_keyboard() {
    Hand hand;
    Workbench w(load_scenario(find_scenario("first-look")));
    MainWindow& window = *w.window;
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(w.control.start());

    hand.think();
    hand.key(Qt::Key_K, Qt::ControlModifier);
    hand.type(QStringLiteral("full speed"));
    hand.key(Qt::Key_Return);
    QCOMPARE(w.bridge.pace(), 0.0);

    hand.think();
    hand.key(Qt::Key_3, Qt::ControlModifier);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    hand.think();
    for (int i = 0; i < 8 && window.view<HeadGridView>()->order_box()->currentText() !=
                                 QStringLiteral("by previous");
         ++i)
      hand.key(Qt::Key_O);
    QCOMPARE(window.view<HeadGridView>()->order_box()->currentText(),
             QStringLiteral("by previous"));
    QVERIFY(window.view<HeadGridView>()->stats().wait(std::chrono::seconds(20)));
    QTest::qWait(50);

    hand.think();
    hand.key(Qt::Key_Down);
    hand.key(Qt::Key_Return);
    check_shown(w);

    for (const char* format : {"png", "csv"}) {
      hand.think();
      // On the offscreen platform the window does not get the keyboard back when a dialog closes.
      window.activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(&window));
      QSignalSpy written(&window, &MainWindow::export_finished);
      when_asked(&window, [&hand](QFileDialog&) {
        hand.think();
        hand.key(Qt::Key_Return);  // accepts the proposed name
      });
      hand.key(Qt::Key_K, Qt::ControlModifier);
      hand.type(QStringLiteral("heatmap ") + QLatin1String(format));
      hand.key(Qt::Key_Return);
      QVERIFY(written.count() > 0 || written.wait(60000));
      QVERIFY(written.front().at(1).toBool());
    }
    qInfo("keyboard: %s", qPrintable(hand.report()));
    check_files(w);
    QVERIFY2(hand.seconds() <= kMostS, qPrintable(hand.report()));
  }

 private:
  void save_with_the_mouse(Workbench& w, Hand& hand, const QString& format) {
    MainWindow& window = *w.window;
    QToolButton* exports = nullptr;
    for (QToolButton* button : window.run_bar()->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Export")) exports = button;
    QVERIFY(exports);
    QSignalSpy written(&window, &MainWindow::export_finished);
    // The menu runs an event loop of its own, so the clicks inside it come from a timer.
    QTimer::singleShot(50, &window, [&hand, format, &window] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu);
      QAction* group = entry_of(*menu, QStringLiteral("Attention"));
      QVERIFY(group);
      hand.click(menu, menu->actionGeometry(group).center());
      QMenu* views = group->menu();
      QTRY_VERIFY(views->isVisible());
      QAction* view =
          entry_of(*views, std::ranges::find(view_registry(), "heatmap", &ViewEntry::name)->title);
      QVERIFY(view);
      hand.click(views, views->actionGeometry(view).center());
      QMenu* formats = view->menu();
      QTRY_VERIFY(formats->isVisible());
      QAction* entry = entry_of(*formats, format);
      QVERIFY(entry);
      when_asked(&window, [&hand](QFileDialog& dialog) {
        hand.think();
        auto* buttons = dialog.findChild<QDialogButtonBox*>();
        QVERIFY(buttons);
        hand.click(buttons->button(QDialogButtonBox::Save));
      });
      hand.click(formats, formats->actionGeometry(entry).center());
    });
    hand.click(exports);
    QVERIFY(written.count() > 0 || written.wait(60000));
    QVERIFY(written.front().at(1).toBool());
  }

  static void check_shown(Workbench& w) {
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("heatmap"));
    const FoundHead best = best_previous(w.bridge.snapshot()->requests.front());
    QVERIFY(best.score > 0.3);
    QCOMPARE(w.selection.shown_layer(), best.layer);
    QCOMPARE(w.selection.shown_head(), best.head);
  }

  void check_files(Workbench& w) {
    const QImage picture(folder_->filePath(QStringLiteral("heatmap.png")));
    QCOMPARE(picture.size(), w.window->view("heatmap")->export_size() * 2);
    QFile file(folder_->filePath(QStringLiteral("heatmap.csv")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    const QList<QByteArray> names = cells_of(lines.front());
    const qsizetype first_key = names.indexOf("weight_key_0");
    QVERIFY(first_key > 0);
    const FoundHead best = best_previous(w.bridge.snapshot()->requests.front());
    const AttentionRecord& record = *w.bridge.snapshot()->requests.front().attention;
    QCOMPARE(int64_t{names.size() - first_key}, record.num_keys(best.layer));
    double sum = 0;
    int64_t rows = 0;
    for (qsizetype i = 1; i < lines.size(); ++i) {
      const QList<QByteArray> cells = cells_of(lines[i]);
      QCOMPARE(cells.size(), names.size());
      const int64_t query = cells.front().toLongLong();
      if (!record.row_done(best.layer, best.head, query)) continue;
      for (int64_t key = 0; key < record.num_keys(best.layer); ++key) {
        float engine = 0;
        record.weights(best.layer, best.head, query, 1, key, 1, &engine);
        QCOMPARE(cells[first_key + key].toFloat(), engine);
      }
      if (query == 0) continue;
      sum += cells[first_key + query - 1].toDouble();
      ++rows;
    }
    QVERIFY(rows > 20);
    const double score = sum / static_cast<double>(rows);
    QVERIFY2(std::abs(score - best.score) < 1e-6,
             qPrintable(QStringLiteral("%1, %2").arg(score).arg(best.score)));
  }

  QString before_;
  std::unique_ptr<QTemporaryDir> folder_;
};

ATTN_QT_TEST(test_click_path, attn::gui::test::run<TestClickPath>)
#include "test_click_path.moc"
