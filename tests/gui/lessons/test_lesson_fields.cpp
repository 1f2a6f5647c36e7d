// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a lesson's answers, and the width of its panel.
#include <QFile>
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "lesson_forms.h"
#include "lesson_walker.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestLessonFields : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
    forms_ = folder_.filePath(QStringLiteral("forms.md"));
    QFile file(forms_);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(kForms) > 0);
  }
  void init() {
    fail_on_warnings();
    bench_ = std::make_unique<Workbench>(synthetic_scenario(24, 3));
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
  }
  void cleanup() {
    bench_.reset();
    Theme::instance().set_text_percent(100);
  }

  void the_panel_stays_readable_while_the_window_grows() {
    window().resize(1280, 720);
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    const QWidget& panel = window().lessons().panel();
    for (const QSize size : {QSize(1920, 1080), QSize(2560, 1440), QSize(1280, 720)}) {
      window().resize(size);
      QTest::qWait(50);  // panels are sized again in later turns of the event loop
      QCOMPARE(window().size(), size);
      QVERIFY2(panel.width() >= 320 && panel.width() <= 480,
               qPrintable(QString::number(panel.width())));
    }
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  QTemporaryDir folder_;
  QString forms_;
  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_lesson_fields, attn::gui::test::run<TestLessonFields>)
#include "test_lesson_fields.moc"
