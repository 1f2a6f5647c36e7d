// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog with the table of a class: dropped results, other files, and limits of the table.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include "backends/register_all.h"
#include "engine/core/files/whole_file.h"
#include "engine/lesson/format/parse_lesson.h"
#include "gui/theme/theme.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QString write_result(const QTemporaryDir& folder, const char* learner, const char* predicted,
                     bool correct, int tries = 1) {
  lesson::ResultRecord answer;
  answer.record_type = tries > 1 ? lesson::RecordType::kChange : lesson::RecordType::kPrediction;
  answer.participant = learner;
  answer.lesson = "the-sink";
  answer.lesson_version = 1;
  answer.step = 1;
  answer.task = "step1-predict";
  answer.quantity = "share(key=0)";
  answer.predicted = predicted;
  answer.actual = "40 %";
  answer.correct = correct;
  answer.tries = tries;
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
    const auto shown = [&] {
      const ClassDialog* made = w.window->lessons().class_dialog();
      return made && made->isVisible();
    };
    QTRY_VERIFY(shown());
    ClassDialog* dialog = w.window->lessons().class_dialog();
    QCOMPARE(dialog->tasks()->rowCount(), 1);
    QCOMPARE(dialog->tasks()->item(0, 4)->text(), QStringLiteral("0 of 2"));
    // The results name a shipped lesson and one of its tasks.
    const lesson::ParsedLesson parsed = lesson::read_lesson(lesson::find_lesson("6"));
    QCOMPARE(dialog->tasks()->item(0, 0)->text(),
             QString::fromStdString(parsed.lesson->about.title));
    QVERIFY(dialog->tasks()->item(0, 2)->text().startsWith(QStringLiteral("In layer 5, head 0")));
    QVERIFY(dialog->tasks()->item(0, 2)->toolTip().startsWith(QStringLiteral("step1-predict")));
    QCOMPARE(dialog->tasks()->item(0, 6)->text(), QStringLiteral("2 × 10 %"));
    drop(*dialog, {carla, carla});
    QTRY_COMPARE(dialog->tasks()->item(0, 4)->text(), QStringLiteral("1 of 3"));
    drop(*dialog, {write_result(second, "Dora", "40 %", true, 2)});
    QTRY_COMPARE(dialog->tasks()->item(0, 5)->text(), QStringLiteral("2 of 4"));
    QCOMPARE(dialog->tasks()->item(0, 4)->text(), QStringLiteral("1 of 4"));

    QVERIFY(!dialog->write_csv(carla).isEmpty());
    const QString csv = second.filePath(QStringLiteral("class.csv"));
    QCOMPARE(dialog->write_csv(csv), QString());
    QFile table(csv);
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QString saved = QString::fromUtf8(table.readAll());
    for (const QString& words :
         {QStringLiteral("wrong_3_count,title,question\n"),
          QStringLiteral("the-sink,1,step1-predict,"), dialog->tasks()->item(0, 0)->text(),
          QStringLiteral("In layer 5, head 0")})
      QVERIFY2(saved.contains(words), qPrintable(saved));
    QVERIFY(!dialog->write_csv(second.filePath(QStringLiteral("none/class.csv"))).isEmpty());
  }

  void the_dialog_is_no_wider_than_the_window() {
    const QTemporaryDir folder;
    const QString file = write_result(folder, "Anna", "10 %", false);
    Theme::instance().set_text_percent(150);
    Workbench w(synthetic_scenario(8, 2));
    w.window->resize(1200, 700);
    drop(*w.window, {file});
    QTRY_VERIFY(w.window->lessons().class_dialog());
    QTRY_VERIFY(w.window->lessons().class_dialog()->isVisible());
    const QSize size = w.window->lessons().class_dialog()->size();
    const QSize window = w.window->size();
    Theme::instance().set_text_percent(100);
    QVERIFY(size.width() <= window.width());
    QVERIFY(size.height() <= window.height());
  }

  void what_is_no_result_is_told_and_a_model_is_not_taken_for_one() {
    const QTemporaryDir folder;
    const QString bad = folder.filePath(QStringLiteral("bad.csv"));
    write_file_atomically(bad.toStdString(), "a,b\n1,2\n");
    Workbench w(synthetic_scenario(8, 2));
    drop(*w.window, {bad});
    QTRY_VERIFY(w.window->message_bar()->text().contains(QStringLiteral("bad.csv")));
    QVERIFY(!w.window->lessons().class_dialog());
    QVERIFY(lesson::may_be_results(folder.path().toStdString()));
    write_file_atomically(folder.filePath(QStringLiteral("config.json")).toStdString(), "{}");
    QVERIFY(!lesson::may_be_results(folder.path().toStdString()));
    QVERIFY(!lesson::may_be_results(folder.filePath(QStringLiteral("config.json")).toStdString()));
  }

  void a_table_of_very_many_tasks_is_cut_off() {
    std::vector<lesson::ResultRecord> records(8001);
    for (size_t i = 1; i < records.size(); ++i) {
      records[i].record_type = lesson::RecordType::kPrediction;
      records[i].task = std::to_string(i) + std::string(330, 't');
    }
    records[0].hash = lesson::results_hash({records.begin() + 1, records.end()});
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("many.csv"));
    write_file_atomically(file.toStdString(), lesson::results_csv(records));
    Workbench w(synthetic_scenario(8, 2));
    drop(*w.window, {file});
    QTRY_VERIFY(w.window->lessons().class_dialog());
    QTRY_VERIFY_WITH_TIMEOUT(w.window->lessons().class_dialog()->isVisible(), 60000);
    const ClassDialog& dialog = *w.window->lessons().class_dialog();
    QCOMPARE(dialog.table().tasks.size(), size_t{8000});
    QCOMPARE(dialog.tasks()->rowCount(), 1000);
    QCOMPARE(dialog.tasks()->item(0, 2)->text().size(), qsizetype{301});
    QVERIFY(dialog.notes().contains(QStringLiteral("1000 of 8000")));
  }

  // The dialog is deleted while it reads; what is dropped next is still opened.
  void a_dialog_that_is_closed_while_it_reads_keeps_nothing_waiting() {
    const QTemporaryDir folder;
    QStringList files;
    for (int i = 0; i < 40; ++i)
      files << write_result(folder, qPrintable(QStringLiteral("Learner%1").arg(i)), "1 %", false);
    const QString scenario = folder.filePath(QStringLiteral("scenario.json"));
    write_file_atomically(scenario.toStdString(), to_json(synthetic_scenario(8, 2)));
    Workbench w(synthetic_scenario(8, 2));
    drop(*w.window, files.mid(0, 20));
    QTRY_VERIFY(w.window->lessons().class_dialog());
    QTRY_VERIFY(!w.window->lessons().class_dialog()->is_empty());
    w.window->lessons().take_results(files.mid(20));
    delete w.window->lessons().class_dialog();
    drop(*w.window, files.mid(30) + QStringList{scenario});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTRY_VERIFY(!w.control.is_opening());
    QCOMPARE(w.control.file(), scenario);
    QTRY_VERIFY(w.window->lessons().class_dialog());
    QTRY_COMPARE(w.window->lessons().class_dialog()->table().learners.size(), size_t{10});
  }
};

ATTN_QT_TEST(test_class_dialog, attn::gui::test::run<TestClassDialog>)
#include "test_class_dialog.moc"
