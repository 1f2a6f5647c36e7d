// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a class in the window: results of learners are dropped, by files and by folder, and
// the wrong answers are counted; what is no result is not taken for one.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include "backends/register_all.h"
#include "engine/core/files/whole_file.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// The results of one learner with one answer.
QString write_result(const QTemporaryDir& folder, const char* learner, const char* predicted,
                     bool correct) {
  lesson::ResultRecord answer;
  answer.record_type = lesson::RecordType::kPrediction;
  answer.participant = learner;
  answer.lesson = "the-sink";
  answer.lesson_version = 1;
  answer.step = 1;
  answer.task = "step1-predict";
  answer.quantity = "share(key=0)";
  answer.predicted = predicted;
  answer.actual = "40 %";
  answer.correct = correct;
  answer.tries = 1;
  lesson::ResultRecord who = answer;
  who.record_type = lesson::RecordType::kParticipant;
  who.hash = lesson::results_hash({answer});
  const QString file = folder.filePath(QString::fromLatin1(learner) + QStringLiteral(".csv"));
  write_file_atomically(file.toStdString(), lesson::results_csv({who, answer}));
  return file;
}

void drop(QWidget& at, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files) urls.append(QUrl::fromLocalFile(file));
  data.setUrls(urls);
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&at, &enter);
  QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&at, &event);
}

}  // namespace

class TestClassDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { register_all_backends(); }

  void dropped_results_become_the_table_of_the_class() {
    const QTemporaryDir first, second;
    write_result(first, "Anna", "10 %", false);
    write_result(first, "Ben", "10 %", false);
    const QString carla = write_result(second, "Carla", "40 %", true);
    Workbench w(synthetic_scenario(8, 2));
    drop(*w.window, {first.path()});
    ClassDialog* dialog = w.window->lessons().class_dialog();
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(dialog->tasks()->rowCount(), 1);
    QCOMPARE(dialog->tasks()->item(0, 4)->text(), QStringLiteral("0 of 2"));
    QCOMPARE(dialog->tasks()->item(0, 5)->text(), QStringLiteral("2 × 10 %"));
    drop(*dialog, {carla, carla});
    QCOMPARE(dialog->tasks()->item(0, 4)->text(), QStringLiteral("1 of 3"));

    QVERIFY(!dialog->write_csv(carla).isEmpty());  // a result of a learner is not overwritten
    const QString csv = second.filePath(QStringLiteral("class.csv"));
    QCOMPARE(dialog->write_csv(csv), QString());
    QVERIFY(QFile::exists(csv));
    QVERIFY(!dialog->write_csv(second.filePath(QStringLiteral("none/class.csv"))).isEmpty());
  }

  void what_is_no_result_is_told_and_a_model_is_not_taken_for_one() {
    const QTemporaryDir folder;
    const QString bad = folder.filePath(QStringLiteral("bad.csv"));
    write_file_atomically(bad.toStdString(), "a,b\n1,2\n");
    Workbench w(synthetic_scenario(8, 2));
    drop(*w.window, {bad});
    QVERIFY(!w.window->lessons().class_dialog());
    QVERIFY(!w.window->message_bar()->text().isEmpty());
    write_file_atomically(folder.filePath(QStringLiteral("config.json")).toStdString(), "{}");
    QVERIFY(!ClassDialog::are_results({folder.path()}));
    QVERIFY(!ClassDialog::are_results({}));
  }
};

ATTN_QT_TEST(test_class_dialog, attn::gui::test::run<TestClassDialog>)
#include "test_class_dialog.moc"
