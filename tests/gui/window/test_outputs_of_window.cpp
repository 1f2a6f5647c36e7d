// SPDX-License-Identifier: GPL-3.0-or-later
// What the window and the program write or refuse to write, and what they do on SIGTERM.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QAction>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <csignal>
#include <fstream>

#include "backends/register_all.h"
#include "engine/core/files/whole_file.h"
#include "engine/session/report/report.h"
#include "engine/session/report/report_folder.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

using Kind = ReportPlace::Kind;

QByteArray bytes_of(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

struct ProgramRun {
  int code = -1;
  QString out, err;
};

ProgramRun workbench(const QStringList& words, const QString& redirection = {},
                     const QString& before = {}) {
  QProcess process;
  QStringList quoted;
  for (QString word : QStringList{QStringLiteral(ATTN_WORKBENCH)} + words)
    quoted << QLatin1Char('\'') + word.replace(QLatin1Char('\''), QLatin1String("'\\''")) +
                  QLatin1Char('\'');
  process.start(QStringLiteral("/bin/sh"),
                {QStringLiteral("-c"), before + quoted.join(QLatin1Char(' ')) + redirection});
  process.waitForFinished(-1);
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

}  // namespace

class TestOutputsOfWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() {
    fail_on_warnings();
    folder_ = std::make_unique<QTemporaryDir>();
  }

  // --- the window ---

  void the_window_replaces_nothing_that_it_reads() {
    const QString scenario = in("a.json"), model = in("model");
    std::filesystem::copy(find_model("tinystories-gqa"), model.toStdString());
    Scenario reads = synthetic_scenario(8, 2);
    reads.source.synthetic.reset();
    reads.source.model = "./model";
    reads.requests[0].prompt_tokens = 0;
    reads.requests[0].prompt = "One day";
    write_file_atomically(scenario.toStdString(), to_json(reads));
    Workbench w(synthetic_scenario(8, 2));
    QVERIFY(w.control.open(scenario));
    finish(w);
    const QString weights = model + QStringLiteral("/model.safetensors");
    const QByteArray before = bytes_of(weights), before_scenario = bytes_of(scenario);
    QSignalSpy saved(&w.window->session(), &WindowSession::saved);
    QSignalSpy exported(w.window.get(), &MainWindow::export_finished);
    for (const QString& input : {weights, scenario}) {
      w.window->export_view(*w.window->view("heatmap"), QStringLiteral("png"), input);
      QVERIFY(!exported.takeFirst().at(1).toBool());
      QVERIFY(told(w).contains(QStringLiteral("the run reads this file")));
      w.window->session().save(input);
      QVERIFY(!saved.takeFirst().at(1).toBool());
      QVERIFY(told(w).contains(QStringLiteral("the run reads this file")));
    }
    QVERIFY(!w.control.save(weights));
    QVERIFY(!report(w, model));
    QVERIFY(told(w).contains(QStringLiteral("could replace an input file")));
    QVERIFY(w.control.save(scenario));
    QVERIFY(bytes_of(weights) == before);
    QVERIFY(bytes_of(scenario) == before_scenario);
  }

  void a_saved_session_may_be_saved_again_and_not_be_exported_to() {
    Workbench w(synthetic_scenario(8, 2));
    finish(w);
    const QString file = in("a.attn-session");
    QVERIFY(save(w, file));
    QCOMPARE(::chmod(file.toUtf8().constData(), 0600), 0);
    QSignalSpy opened(&w.window->session(), &WindowSession::opened);
    w.window->session().open(file);
    QVERIFY(opened.count() > 0 || opened.wait(60000));
    QVERIFY(save(w, file));
    struct stat info {};
    QCOMPARE(::stat(file.toUtf8().constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, 0600u);
    const QByteArray before = bytes_of(file);
    QSignalSpy exported(w.window.get(), &MainWindow::export_finished);
    w.window->export_view(*w.window->view("heatmap"), QStringLiteral("csv"), file);
    QVERIFY(!exported.takeFirst().at(1).toBool());
    QVERIFY(bytes_of(file) == before);
  }

  void a_report_is_put_in_place_as_a_whole() {
    Workbench w(synthetic_scenario(8, 2));
    finish(w);
    const QString out = in("out");
    QVERIFY(report(w, out));
    QCOMPARE(kind_of(out), Kind::kReport);
    QVERIFY(report(w, out));
    QCOMPARE(kind_of(out), Kind::kReport);
    const QByteArray before = bytes_of(out + QStringLiteral("/index.html"));
    std::ofstream((out + QStringLiteral("/notes.txt")).toStdString()) << "mine";
    QVERIFY(!report(w, out));
    QVERIFY(told(w).contains(QStringLiteral("holds something else")));
    QVERIFY(bytes_of(out + QStringLiteral("/index.html")) == before);
    QVERIFY(!told(w).contains(QStringLiteral("--force")));  // an option of the command line
    QCOMPARE(bytes_of(out + QStringLiteral("/notes.txt")), QByteArray("mine"));
    QCOMPARE(kind_of(out), Kind::kOthers);
    QCOMPARE(
        QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList{QStringLiteral("out")});
  }

  void a_report_does_not_replace_another_one() {
    Workbench w(synthetic_scenario(8, 2));
    finish(w);
    const QString out = in("out"), refusal = QStringLiteral("the folder holds another report");
    Scenario other = synthetic_scenario(8, 2);
    const auto put = [&](const std::string& title, const char* figure) {
      other.title = title;
      Engine engine(other, {});
      engine.run_to_end();
      const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
      ReportInputs inputs;
      inputs.snapshot = &shot;
      std::filesystem::create_directories(out.toStdString());
      std::ofstream(std::filesystem::path(out.toStdString()) / figure) << "x";
      inputs.pictures = {figure};
      attn::write_report(out.toStdString(), std::move(inputs));
    };
    put("Another run", "heatmap.png");
    const QByteArray manifest = bytes_of(out + QStringLiteral("/manifest.json"));
    QVERIFY(manifest.contains("Another run"));
    QVERIFY(!report(w, out));
    QVERIFY2(told(w).contains(refusal) && told(w).contains(QStringLiteral("`Another run`")),
             qPrintable(told(w)));
    QVERIFY(!told(w).contains(QStringLiteral("--force")));
    QVERIFY(!told(w).contains(QStringLiteral("the report /")));
    QVERIFY(told(w).contains(QStringLiteral("delete this one first")));
    QVERIFY(bytes_of(out + QStringLiteral("/manifest.json")) == manifest);
    QVERIFY(QDir(out).removeRecursively());
    put(w.control.scenario().title, "heatmap.npy");
    QVERIFY(!report(w, out));
    QVERIFY2(told(w).contains(refusal) && told(w).contains(QStringLiteral("heatmap.npy")),
             qPrintable(told(w)));
    QVERIFY(QFile::remove(out + QStringLiteral("/heatmap.npy")));
    QVERIFY2(report(w, out), qPrintable(told(w)));
    QVERIFY(QDir(out).removeRecursively());
    put(w.control.scenario().title, "compare.png");
    QVERIFY(!report(w, out));
    QVERIFY2(told(w).contains(QStringLiteral("compare this run again first")), qPrintable(told(w)));
    QVERIFY(QFile::remove(out + QStringLiteral("/compare.png")));
    QVERIFY2(report(w, out), qPrintable(told(w)));
    QCOMPARE(kind_of(out), Kind::kReport);
  }

  void a_report_asks_for_a_new_folder() {
    Workbench w(synthetic_scenario(8, 2));
    finish(w);
    w.selection.show(0, 0, 1);
    QAction* command = nullptr;
    for (QAction* action : w.window->findChildren<QAction*>())
      if (action->text() == QStringLiteral("Whole report…")) command = action;
    QVERIFY(command);
    QVERIFY(QDir(folder_->path()).mkdir(QStringLiteral("attention-report")));
    for (const QString& typed : {QString(), QStringLiteral("mine")}) {
      QSignalSpy reported(w.window.get(), &MainWindow::report_finished);
      QString proposed;
      QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        dialog->setDirectory(folder_->path());
        emit dialog->directoryEntered(folder_->path());
        proposed = QFileInfo(dialog->selectedFiles().value(0)).fileName();
        if (!typed.isEmpty()) dialog->selectFile(typed);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                          Qt::LeftButton);
      });
      command->trigger();
      QCOMPARE(proposed, QStringLiteral("attention-report-2"));
      QVERIFY(reported.count() > 0 || reported.wait(60000));
      QVERIFY(reported.front().front().toBool());
      const QString out = in(qPrintable(typed.isEmpty() ? proposed : typed));
      QCOMPARE(kind_of(out), Kind::kReport);
      QVERIFY(QFile::exists(out + QStringLiteral("/heatmap-request0-layer0-head1.csv")));
      if (typed.isEmpty()) QVERIFY(QDir(out).removeRecursively());
    }
  }

  void a_name_that_cannot_be_kept_is_refused() {
    Workbench w(synthetic_scenario(8, 2));
    finish(w);
    // Qt gives a name with this character if a byte is not UTF-8.
    const QString name = in("b") + QChar(QChar::ReplacementCharacter);
    QVERIFY(!report(w, name));
    QVERIFY(told(w).contains(QStringLiteral("bytes that are not UTF-8")));
    QVERIFY(!save(w, name + QStringLiteral(".attn-session")));
    QVERIFY(!w.control.save(name));
    QVERIFY(QDir(folder_->path()).isEmpty());
  }

  // --- the program ---

  void the_program_replaces_no_input() {
    const QString scenario = written("d/trace.json");
    const QByteArray before = bytes_of(scenario);
    for (const QStringList& words :
         {QStringList{QStringLiteral("run"), scenario, QStringLiteral("--export"), in("d")},
          QStringList{QStringLiteral("run"), scenario, QStringLiteral("--export"), in("d"),
                      QStringLiteral("--force")}}) {
      const ProgramRun run = workbench(words);
      QCOMPARE(run.code, 2);
      QVERIFY2(run.err.contains(QStringLiteral("--export could replace an input file")),
               qPrintable(run.err));
      QVERIFY(bytes_of(scenario) == before);
    }
    const QString picture = in("d/link.png");
    QVERIFY(QFile::link(scenario, picture));
    const ProgramRun shot = workbench({QStringLiteral("--screenshot"), picture, scenario});
    QCOMPARE(shot.code, 2);
    QVERIFY2(shot.err.contains(QStringLiteral("--screenshot would replace an input file")),
             qPrintable(shot.err));
    const QString session = in("d/a.attn-session");
    QVERIFY(QFile::link(scenario, session));
    const ProgramRun saved =
        workbench({QStringLiteral("run"), scenario, QStringLiteral("--session"), session});
    QCOMPARE(saved.code, 2);
    QVERIFY(bytes_of(scenario) == before);
  }

  void the_program_writes_to_the_very_bytes_of_a_name() {
    const QString scenario = written("s.json");
    const std::filesystem::path out = folder_->path().toStdString() + "/b\xff";
    const ProgramRun run =
        workbench({QStringLiteral("run"), scenario, QStringLiteral("--export")},
                  QStringLiteral(" \"$(printf '%1/b\\377')\"").arg(folder_->path()));
    QVERIFY2(run.code == 0, qPrintable(run.err));
    QVERIFY(look_at_report_place(out).kind == Kind::kReport);
    QVERIFY(std::filesystem::exists(out / "heatmap.png"));
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_->path().toStdString()))
      entries += entry.exists();
    QCOMPARE(entries, 2);
    std::filesystem::remove_all(out);  // QTemporaryDir cannot remove it
  }

  void the_program_tells_what_it_cannot_write() {
    const QString scenario = written("s.json"), out = in("out"), a = QString(300, QLatin1Char('a'));
    const QStringList run = {QStringLiteral("run"), scenario, QStringLiteral("--export"), out};
    for (const auto& [redirection, reason] :
         {std::pair{" >/dev/full", "No space left on device"}, {" >&-", "Bad file descriptor"}})
      for (const QStringList& words : {run, QStringList{QStringLiteral("--help")}}) {
        const ProgramRun result = workbench(words, QLatin1String(redirection));
        QCOMPARE(result.code, 1);
        QVERIFY2(
            result.err.contains(QStringLiteral("attention-workbench: cannot write the output: ") +
                                QLatin1String(reason)),
            qPrintable(result.err));
      }
    QCOMPARE(kind_of(out), Kind::kReport);
    for (const QStringList& words :
         {QStringList{QStringLiteral("run"), scenario, QStringLiteral("--export"), in("x") + a},
          QStringList{QStringLiteral("run"), scenario, QStringLiteral("--session"),
                      in("x") + a + QStringLiteral(".attn-session")},
          QStringList{QStringLiteral("--screenshot"), in("x") + a + QStringLiteral(".png"),
                      scenario}}) {
      const ProgramRun result = workbench(words);
      QCOMPARE(result.code, 2);
      QVERIFY2(result.err.contains(QStringLiteral("the name of an output is too long")),
               qPrintable(result.err));
    }
    // A limit on the size of files acts like a full disk.
    const ProgramRun full =
        workbench({QStringLiteral("run"), scenario, QStringLiteral("--export"), out},
                  QStringLiteral(""), QStringLiteral("ulimit -f 8; "));
    QCOMPARE(full.code, 1);
    QVERIFY2(full.err.contains(QStringLiteral("cannot write the file at ") + out) &&
                 full.err.contains(QStringLiteral("File too large")),
             qPrintable(full.err));
    QCOMPARE(kind_of(out), Kind::kReport);
  }

  void every_refused_view_is_named_and_has_no_file() {
    const QString scenario = written("s.json"), out = in("out");
    const ProgramRun run = workbench({QStringLiteral("run"), scenario, QStringLiteral("--views"),
                                      QStringLiteral("heatmap,lens,rollout,circuits,patching"),
                                      QStringLiteral("--export"), out});
    QCOMPARE(run.code, 3);
    const QDir folder(out);
    QVERIFY(folder.exists(QStringLiteral("heatmap.png")));
    const QByteArray index = bytes_of(in("out/index.html"));
    for (const char* name : {"lens", "rollout", "circuits", "patching"}) {
      const QString said = QLatin1String(name) + QStringLiteral(" is left out: ");
      QVERIFY2(run.err.count(said) == 1, qPrintable(run.err));
      QVERIFY2(index.contains(said.toUtf8()), name);
      QCOMPARE(folder.entryList({QLatin1String(name) + QStringLiteral("*")}), QStringList());
    }
  }

  void a_lesson_that_cannot_be_shown_has_no_picture() {
    const QString faulty = in("faulty.md"), picture = in("lesson.png");
    write_file_atomically(faulty.toStdString(), "no lesson\n");
    for (const QString& lesson : {in("missing.md"), faulty}) {
      const ProgramRun shot =
          workbench({QStringLiteral("--screenshot"), picture, QStringLiteral("--lesson"), lesson});
      QCOMPARE(shot.code, 2);
      QVERIFY2(shot.err.contains(QFileInfo(lesson).fileName()), qPrintable(shot.err));
      QVERIFY(!QFile::exists(picture));
    }
  }

  void a_signal_keeps_the_run_so_far() {
    Scenario endless = synthetic_scenario(8, 900);
    const QString scenario = in("s.json");
    write_file_atomically(scenario.toStdString(), to_json(endless));
    for (int turn = 0; turn < 20; ++turn) {
      QProcess process;
      process.start(QStringLiteral(ATTN_WORKBENCH),
                    {QStringLiteral("run"), scenario, QStringLiteral("--export"), in("out"),
                     QStringLiteral("--session"), in("a.attn-session")});
      QVERIFY(process.waitForStarted(-1));
      if (wait_until_noted(process.processId())) ::kill(pid_t(process.processId()), SIGTERM);
      QVERIFY(process.waitForFinished(-1));
      const QString err = QString::fromUtf8(process.readAllStandardError());
      // On a busy machine the signal may come too late, or before the first step.
      if (process.exitCode() == 0 || err.contains(QStringLiteral("after 900 steps")) ||
          err.contains(QStringLiteral("before the run began")))
        continue;
      QCOMPARE(process.exitCode(), 128 + SIGTERM);
      QVERIFY2(err.contains(QStringLiteral("stopped by SIGTERM after ")), qPrintable(err));
      QCOMPARE(kind_of(in("out")), Kind::kReport);
      QVERIFY(bytes_of(in("out/manifest.json")).contains("\"state\": \"cancelled\""));
      const Session kept = load_session(in("a.attn-session").toStdString());
      QVERIFY(kept.snapshot->phase == EnginePhase::kCancelled);
      return;
    }
    QFAIL("never stopped in time");
  }

  void the_window_closes_on_a_signal() {
    QProcess process;
    process.start(QStringLiteral(ATTN_WORKBENCH),
                  {QStringLiteral("first-look"), QStringLiteral("--no-settings")});
    QVERIFY(process.waitForStarted(-1));
    QVERIFY(wait_until_noted(process.processId()));
    ::kill(pid_t(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(-1));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 0);
  }

 private:
  QString in(const char* name) const { return folder_->filePath(QLatin1String(name)); }
  QString written(const char* name) const {
    const std::filesystem::path file = in(name).toStdString();
    std::filesystem::create_directories(file.parent_path());
    write_file_atomically(file, to_json(synthetic_scenario(8, 2)));
    return in(name);
  }
  static QString told(const Workbench& w) { return w.window->message_bar()->text(); }
  static Kind kind_of(const QString& folder) {
    return look_at_report_place(folder.toStdString()).kind;
  }
  static void finish(Workbench& w) {
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::qWait(50);
  }
  static bool save(Workbench& w, const QString& file) {
    QSignalSpy saved(&w.window->session(), &WindowSession::saved);
    w.window->session().save(file);
    return (saved.count() > 0 || saved.wait(60000)) && saved.front().at(1).toBool();
  }
  static bool report(Workbench& w, const QString& folder) {
    QSignalSpy reported(w.window.get(), &MainWindow::report_finished);
    w.window->export_report(folder);
    return (reported.count() > 0 || reported.wait(60000)) && reported.front().front().toBool();
  }
  // Waits until the program has a handler for SIGTERM; false: it has ended.
  static bool wait_until_noted(qint64 process) {
    for (;;) {
      std::ifstream status("/proc/" + std::to_string(process) + "/status");
      uint64_t caught = 0;
      bool ended = !status;
      for (std::string line; std::getline(status, line);) {
        ended = ended || (line.starts_with("State:") && line.find('Z') != std::string::npos);
        if (line.starts_with("SigCgt:")) caught = std::stoull(line.substr(7), nullptr, 16);
      }
      if (ended) return false;
      if ((caught >> (SIGTERM - 1) & 1) != 0) return true;
      QTest::qSleep(1);
    }
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

ATTN_QT_TEST(test_outputs_of_window, attn::gui::test::run<TestOutputsOfWindow>)
#include "test_outputs_of_window.moc"
