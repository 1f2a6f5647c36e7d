// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and pictures of the window by the command line: options, files, refusals and exit codes.
#include <unistd.h>
#include <xxhash.h>

#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTemporaryFile>

#include <algorithm>
#include <functional>
#include <vector>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/explore/texts/head_texts.h"
#include "engine/session/report/report.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/app/command_line.h"
#include "gui/app/headless/headless.h"
#include "gui/app/view_registry.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

void export_run(const CommandLine& line) {
  run_and_export(line);
}

// A column of numbers of a CSV table that has no quotes.
std::vector<int> numbers_of_column(const QByteArray& csv, const char* name) {
  std::vector<int> numbers;
  const QList<QByteArray> rows = csv.trimmed().split('\n');
  const qsizetype at = rows[0].split(',').indexOf(name);
  for (qsizetype row = 1; row < rows.size(); ++row)
    numbers.push_back(rows[row].split(',').value(at).toInt());
  return numbers;
}

}  // namespace

class TestHeadless : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void run_and_export_shows_the_fullest_step() {
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = "many-users";
    line.clock = ClockKind::kVirtual;
    line.scale = 1;
    QByteArray tables[2];
    for (int i = 0; i < 2; ++i) {
      line.export_folder = folder_.filePath(QStringLiteral("export%1").arg(i)).toStdString();
      run_and_export(line);
      QFile file(QDir(QString::fromStdString(line.export_folder))
                     .filePath(QStringLiteral("block_table.csv")));
      QVERIFY(file.open(QIODevice::ReadOnly));
      tables[i] = file.readAll();
    }
    QCOMPARE(tables[0], tables[1]);
    const QDir folder(QString::fromStdString(line.export_folder));
    Scenario asked = load_scenario(find_scenario(line.scenario));
    QFile steps(folder.filePath(QStringLiteral("steps.csv")));
    QVERIFY(steps.open(QIODevice::ReadOnly));
    const std::vector<int> used = numbers_of_column(steps.readAll(), "used_blocks"),
                           held = numbers_of_column(tables[0], "ref_count");
    QCOMPARE(std::ssize(held), asked.engine.num_blocks);
    QVERIFY(std::ranges::max(used) > used.back());  // so it is not the end of the run
    QCOMPARE(std::ranges::count_if(held, [](int references) { return references > 0; }),
             std::ptrdiff_t{std::ranges::max(used)});
    asked.engine.clock = ClockKind::kVirtual;
    QVERIFY(asked.view.pace_tiles_per_s > 0);
    QVERIFY(load_scenario(folder.filePath(QStringLiteral("scenario.json")).toStdString()) == asked);
    QFile manifest(folder.filePath(QStringLiteral("manifest.json")));
    QVERIFY(manifest.open(QIODevice::ReadOnly));
    QSet<QString> seen;
    for (const QJsonValue& entry :
         QJsonDocument::fromJson(manifest.readAll()).object()[QStringLiteral("files")].toArray()) {
      const QString name = entry[QStringLiteral("name")].toString();
      QVERIFY2(!seen.contains(name), qPrintable(name));
      seen.insert(name);
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray bytes = file.readAll();
      QCOMPARE(entry[QStringLiteral("xxh64")].toString(),
               QStringLiteral("%1").arg(XXH64(bytes.constData(), size_t(bytes.size()), 0), 16, 16,
                                        QLatin1Char('0')));
    }
    QVERIFY(seen.contains(QStringLiteral("blocks.png")));
    QVERIFY(seen.contains(QStringLiteral("blocks.csv")));
  }

  void events_of_two_runs_are_the_same_files() {
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = "samples";
    line.clock = ClockKind::kVirtual;
    line.scale = 1;
    line.views = {"events"};
    line.filter = "kind:tile,block_copied step:1..3";
    QByteArray files[2][2];
    for (int i = 0; i < 2; ++i) {
      line.export_folder = folder_.filePath(QStringLiteral("events%1").arg(i)).toStdString();
      run_and_export(line);
      for (int k = 0; k < 2; ++k) {
        QFile file(
            QDir(QString::fromStdString(line.export_folder))
                .filePath(k == 0 ? QStringLiteral("events.csv") : QStringLiteral("events.png")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        files[i][k] = file.readAll();
      }
    }
    QVERIFY(files[0][0].count('\n') > 10);
    QVERIFY(files[0][0].contains(",block_copied,") && !files[0][0].contains(",step,0,"));
    QVERIFY(files[0][0] == files[1][0]);
    QVERIFY(files[0][1] == files[1][1]);
  }

  void size_is_the_largest_of_every_picture() {
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = small_scenario();
    line.scale = 1;
    line.size = {720, 400};
    line.views = run_view_names();
    std::erase_if(line.views, [](const std::string& name) {
      return find_view(name)->job || find_view(name)->document == std::string_view("explore.md");
    });
    line.export_folder = folder_.filePath(QStringLiteral("sized")).toStdString();
    run_and_export(line);
    const QDir folder(QString::fromStdString(line.export_folder));
    const QStringList pictures = folder.entryList({QStringLiteral("*.png")});
    QCOMPARE(pictures.size(), qsizetype(line.views.size()));
    for (const QString& name : pictures) {
      const QImage picture(folder.filePath(name));
      QVERIFY2(picture.width() == 720 || picture.height() == 400, qPrintable(name));
      QVERIFY2(picture.width() <= 720 && picture.height() <= 400, qPrintable(name));
      const QRgb corner = picture.pixel(0, 0);
      int drawn = 0;
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) drawn += picture.pixel(x, y) != corner;
      QVERIFY2(drawn > 1000, qPrintable(name));
      QFile drawing(folder.filePath(QFileInfo(name).completeBaseName() + QStringLiteral(".svg")));
      QVERIFY(drawing.open(QIODevice::ReadOnly));
      const QByteArray svg = drawing.readAll();
      QVERIFY2(svg.contains("width=\"190.500mm\"") || svg.contains("height=\"105.833mm\""),
               qPrintable(name));
    }
  }

  void options_are_checked_before_the_run_data() {
    QTest::addColumn<QString>("combine");
    QTest::addColumn<int>("head");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* combine, int head, const char* where,
                        const char* what) {
      QTest::newRow(name) << QString::fromLatin1(combine) << head << QString::fromLatin1(where)
                          << QString::fromLatin1(what);
    };
    row("head of lines", "", 4, "--heads", "no such head");
    row("layer", "minus:2,0", -1, "--combine", "no such layer");
    row("head", "minus:0,4", -1, "--combine", "no such head");
    row("layer of a mean", "minus-layer:2", -1, "--combine", "no such layer");
    row("itself", "minus:1,2", -1, "--combine", "minus itself");
    row("layer itself", "minus-layer:1", -1, "--combine", "minus itself");
    row("layer to knock out", "", -1, "--knock-out", "no such layer");
  }
  void options_are_checked_before_the_run() {
    QFETCH(QString, combine);
    QFETCH(int, head);
    QFETCH(QString, where);
    QFETCH(QString, what);
    CommandLine line;
    line.scenario = long_scenario();
    line.combine = combine.toStdString();
    if (head >= 0) line.heads = {head};
    if (where == QLatin1String("--knock-out")) line.knock_out = "2.0";
    line.views = {"heatmap", "lines", "events"};
    line.export_folder = folder_.filePath(QStringLiteral("refused-option")).toStdString();
    line.picture = folder_.filePath(QStringLiteral("refused.png")).toStdString();
    line.tokens = 20'000;
    for (const auto& act : {export_run, take_screenshot}) {
      line.mode = act == export_run ? CommandLine::Mode::kRun : CommandLine::Mode::kScreenshot;
      try {
        act(line);
        QFAIL("accepted");
      } catch (const Error& error) {
        QCOMPARE(error.exit_code(), 2);
        QCOMPARE(QString::fromStdString(error.parts().where), where);
        QVERIFY2(QString::fromUtf8(error.what()).contains(what), error.what());
      }
    }
    QVERIFY(!QFileInfo::exists(QString::fromStdString(line.picture)));
  }

  void scores_over_texts_data() {
    QTest::addColumn<QString>("texts");
    QTest::addColumn<bool>("model");
    QTest::addColumn<QString>("what");  // empty: accepted
    QTest::newRow("no such file") << folder_.filePath(QStringLiteral("none.txt")) << true
                                  << QStringLiteral("none.txt");
    QTest::newRow("no model") << QStringLiteral("stories") << false
                              << QStringLiteral("reads no text");
    QTest::newRow("shipped") << QStringLiteral("stories") << true << QString();
  }
  void scores_over_texts() {
    QFETCH(QString, texts);
    QFETCH(bool, model);
    QFETCH(QString, what);
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = model ? "first-look" : long_scenario();
    line.clock = ClockKind::kVirtual;
    line.scale = 1;
    line.views = {"heads"};
    line.texts = texts.toStdString();
    const QDir folder(folder_.filePath(QStringLiteral("texts")));
    line.export_folder = folder.path().toStdString();
    try {
      run_and_export(line);
      QVERIFY(what.isEmpty());
    } catch (const Error& error) {
      QCOMPARE(error.exit_code(), 2);
      QVERIFY(error.parts().where.starts_with("--texts"));
      QVERIFY2(!what.isEmpty() && QString::fromUtf8(error.what()).contains(what), error.what());
      QVERIFY(!folder.exists());
      return;
    }
    QFile table(folder.filePath(QStringLiteral("heads.csv"))),
        drawing(folder.filePath(QStringLiteral("heads.svg")));
    QVERIFY(table.open(QIODevice::ReadOnly) && drawing.open(QIODevice::ReadOnly));
    const auto set = read_texts(shipped_texts());
    const QString count = QString::number(set.size());
    QVERIFY(table.readAll().contains(QStringLiteral(",stories,%1,").arg(count).toUtf8()));
    QVERIFY(drawing.readAll().contains(
        QStringLiteral("Scores over %1 texts of “stories” with ").arg(count).toUtf8()));
  }

  void scores_over_texts_of_an_encoder_decoder_are_refused() {
    const FamilyCase t5("t5_1");
    const QString file = folder_.filePath(QStringLiteral("two-texts.json"));
    write_file_atomically(file.toStdString(), to_json([&] {
                            Scenario scenario = attn::model_scenario(t5.write());
                            scenario.requests.front().prompt = "abba";
                            return scenario;
                          }()));
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = file.toStdString();
    line.views = {"heads"};
    line.texts = "stories";
    line.export_folder = folder_.filePath(QStringLiteral("two-texts")).toStdString();
    try {
      run_and_export(line);
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(error.exit_code(), 3);
      QVERIFY2(QString::fromUtf8(error.what()).contains(QStringLiteral("reads two texts")),
               error.what());
    }
  }

  void run_refused_by_the_backend_says_so() {
    Scenario scenario = synthetic_scenario(8, 2);
    scenario.engine.kv_cache_dtype = "fp8";
    scenario.source.synthetic->head_size = 20;
    const QString file = folder_.filePath(QStringLiteral("refused.json"));
    write_file_atomically(file.toStdString(), to_json(scenario));
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = file.toStdString();
    line.export_folder = folder_.filePath(QStringLiteral("refused")).toStdString();
    int code = 0;
    try {
      run_and_export(line);
    } catch (const Error& error) {
      code = error.exit_code();
      qInfo("%s", error.what());
    }
    QCOMPARE(code, 3);
  }

  void what_cannot_be_written_is_said_before_the_run() {
    const QString taken = folder_.filePath(QStringLiteral("taken"));
    write_file_atomically(taken.toStdString(), "x");
    const QString large = folder_.filePath(QStringLiteral("too large.json"));
    Scenario scenario = synthetic_scenario(8, 2);
    scenario.source.synthetic->num_layers = 64;
    scenario.engine.num_blocks = 1048576;
    write_file_atomically(large.toStdString(), to_json(scenario));
    CommandLine line;
    line.scenario = large.toStdString();
    line.export_folder = (taken + QStringLiteral("/report")).toStdString();
    line.picture = (taken + QStringLiteral("/a.png")).toStdString();
    for (const auto& act : {export_run, take_screenshot}) {
      try {
        act(line);
        QFAIL("accepted");
      } catch (const Error& error) {
        QCOMPARE(error.exit_code(), 1);
        QVERIFY2(QString::fromUtf8(error.what()).contains(taken), error.what());
      }
    }
  }

  void a_scenario_that_does_not_fit_is_bad_input() {
    Scenario scenario = synthetic_scenario(8, 2);
    scenario.source.synthetic->num_layers = 64;
    scenario.source.synthetic->head_size = 256;
    scenario.source.synthetic->num_heads = scenario.source.synthetic->num_kv_heads = 64;
    scenario.engine.num_blocks = 1048576;
    const QString file = folder_.filePath(QStringLiteral("large.json"));
    write_file_atomically(file.toStdString(), to_json(scenario));
    CommandLine line;
    line.scenario = file.toStdString();
    line.export_folder = folder_.filePath(QStringLiteral("large")).toStdString();
    try {
      run_and_export(line);
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(error.exit_code(), 2);
      QVERIFY2(QByteArray(error.what()).contains("does not fit in memory"), error.what());
    }
  }

  void a_selected_cell_must_lie_in_the_run() {
    Scenario scenario = synthetic_scenario(8, 4);
    const QString file = folder_.filePath(QStringLiteral("small.json"));
    write_file_atomically(file.toStdString(), to_json(scenario));
    CommandLine line;
    line.scenario = file.toStdString();
    line.picture = folder_.filePath(QStringLiteral("small.png")).toStdString();
    line.tokens = 2;
    line.scale = 1;
    line.cell = {8, 3};
    take_screenshot(line);
    QVERIFY(!QImage(QString::fromStdString(line.picture)).isNull());
    for (const std::pair<int, int>& beyond : {std::pair{9, 3}, std::pair{3, 9}}) {
      line.cell = beyond;
      try {
        take_screenshot(line);
        QFAIL("accepted");
      } catch (const Error& error) {
        QCOMPARE(error.exit_code(), 2);
        QCOMPARE(error.parts().where, std::string("--select"));
        QVERIFY2(QByteArray(error.what()).contains("from 0 to 8"), error.what());
      }
    }
  }

  void a_cell_of_a_run_of_one_step() {
    CommandLine line;
    line.scenario = "encoder";
    line.picture = folder_.filePath(QStringLiteral("encoder.png")).toStdString();
    line.tokens = 1;
    line.scale = 1;
    line.cell = {12, 25};
    take_screenshot(line);
    QVERIFY(!QImage(QString::fromStdString(line.picture)).isNull());
  }

  static std::pair<int, QByteArray> outcome(const std::function<void()>& act) {
    QTemporaryFile told;
    int code = -1;
    if (!told.open()) return {code, {}};
    std::fflush(stderr);
    const int before = dup(STDERR_FILENO);
    dup2(told.handle(), STDERR_FILENO);
    QByteArray message;
    try {
      act();
      code = 0;
    } catch (const Error& error) {
      code = error.exit_code();
      message = error.what();
    }
    std::fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    told.seek(0);
    return {code, told.readAll() + message};
  }

  void a_folder_is_no_place_for_an_output() {
    CommandLine line;
    line.session_file = folder_.filePath(QStringLiteral("taken.attn-session")).toStdString();
    line.picture = line.session_file;
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("taken.attn-session")));
    for (const auto& act : {export_run, take_screenshot}) {
      const auto [code, told] = outcome([&] { act(line); });
      QCOMPARE(code, 2);
      QVERIFY2(told.contains("found a folder"), told.constData());
    }
  }

  void a_refused_place_is_named_as_it_was_given() {
    for (const char* file : {"/proc/x.attn-session", "/proc/none/x.attn-session"}) {
      CommandLine line;
      line.session_file = file;
      line.picture = file;
      for (const auto& act : {export_run, take_screenshot}) {
        const auto [code, told] = outcome([&] { act(line); });
        QCOMPARE(code, 1);
        QVERIFY2(told.contains(QByteArray("at ") + file), told.constData());
      }
    }
  }

  CommandLine run_line(const Scenario& scenario, const QString& name) {
    const QString file = folder_.filePath(name + QStringLiteral(".json"));
    write_file_atomically(file.toStdString(), to_json(scenario));
    CommandLine line;
    line.mode = CommandLine::Mode::kRun;
    line.scenario = file.toStdString();
    line.scale = 1;
    line.export_folder = folder_.filePath(name).toStdString();
    return line;
  }

  void notes_of_a_run_are_told_once() {
    Scenario scenario = synthetic_scenario(8, 4);
    scenario.engine.backend = "xformers";
    scenario.source.synthetic->head_size = 40;
    scenario.engine.pad_head_size = true;
    scenario.requests.push_back(scenario.requests[0]);
    scenario.requests[1].name = "too long";
    scenario.requests[1].prompt_tokens = 1024;
    CommandLine line = run_line(scenario, QStringLiteral("notes"));
    line.views = {"heatmap"};
    const auto [code, told] = outcome([&] { run_and_export(line); });
    QCOMPARE(code, 0);
    for (const char* words : {"attention-workbench: note: Heads are padded with zeros to 64",
                              "to be done. The KV cache is 1.6 times as large", "note: too long: "})
      QVERIFY2(told.count(words) == 1, told.constData());
  }

  void a_comparison_that_none_can_run_is_not_supported() {
    Scenario scenario = synthetic_scenario(8, 2);
    scenario.engine.backend = "reference";
    scenario.engine.kv_cache_dtype = "int8";
    CommandLine line = run_line(scenario, QStringLiteral("none"));
    line.views = {"compare"};
    line.backends = {"torch_sdpa", "xformers"};
    const auto [code, told] = outcome([&] { run_and_export(line); });
    QCOMPARE(code, 3);
    QVERIFY2(told.contains("TORCH_SDPA does not support an int8 cache"), told.constData());
    QVERIFY2(told.contains("XFORMERS"), told.constData());
    const QDir folder(QString::fromStdString(line.export_folder));
    QVERIFY(folder.exists(QStringLiteral("compare.png")));
    QVERIFY(folder.exists(QStringLiteral("index.html")));
    line.backends = {"torch_sdpa", "unified"};
    QCOMPARE(outcome([&] { run_and_export(line); }).first, 0);
    line.mode = CommandLine::Mode::kScreenshot;
    line.picture = folder.filePath(QStringLiteral("window.png")).toStdString();
    line.show = "compare";
    line.backends = {"torch_sdpa", "xformers"};
    QCOMPARE(outcome([&] { take_screenshot(line); }).first, 3);
    QVERIFY(folder.exists(QStringLiteral("window.png")));
  }

  void a_window_is_not_made_larger_than_asked() {
    CommandLine line = run_line(synthetic_scenario(8, 2), QStringLiteral("size"));
    line.mode = CommandLine::Mode::kScreenshot;
    line.picture = folder_.filePath(QStringLiteral("size.png")).toStdString();
    line.tokens = 1;
    line.size = {320, 320};
    const auto [code, told] = outcome([&] { take_screenshot(line); });
    QCOMPARE(code, 2);
    const QRegularExpression words(
        QStringLiteral("at --size: found 320x320, allowed (\\d+)x(\\d+) to 8192x8192"));
    const auto match = words.match(QString::fromUtf8(told));
    QVERIFY2(match.hasMatch(), told.constData());
    QVERIFY(!QFile::exists(QString::fromStdString(line.picture)));
    line.size = {match.captured(1).toInt(), match.captured(2).toInt()};
    QCOMPARE(outcome([&] { take_screenshot(line); }).first, 0);
    QCOMPARE(QImage(QString::fromStdString(line.picture)).size(),
             QSize(line.size->first, line.size->second));
  }

  void options_of_another_mode_are_refused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("mode");
    const auto row = [](const char* arguments, const char* option, const char* mode) {
      QTest::newRow(arguments) << QString::fromLatin1(arguments).split(QLatin1Char(' '))
                               << QString::fromLatin1(option) << QString::fromLatin1(mode);
    };
    row("run x --export out --select 1,2", "--select", "--screenshot");
    row("run x --export out --tokens 3", "--tokens", "--screenshot");
    row("run x --export out --show tiles", "--show", "--screenshot");
    row("run x --export out --screenshot a.png", "--screenshot", "--screenshot");
    row("--export out --screenshot a.png", "--export", "run SCENARIO");
    row("--screenshot a.png --export out", "--export", "run SCENARIO");
    row("--screenshot a.png --views tiles", "--views", "run SCENARIO");
    row("first-look --export out", "--export", "run SCENARIO");
    row("--select 1,2", "--select", "--screenshot");
    row("--scale 2", "--scale", "run SCENARIO --export DIR` or `--screenshot");
    row("--clock real", "--clock", "run SCENARIO");
    row("--backend pallas", "--backend", "run SCENARIO");
    row("run a.attn-session --export out --backend pallas", "--backend", "needs a new run");
    row("--backends torch_sdpa,pallas", "--backends", "run SCENARIO");
    row("run x --export out --backends torch_sdpa,pallas", "--backends", "--views compare");
    row("--screenshot a.png --backends torch_sdpa,pallas", "--backends", "--show compare");
    row("run x --export out --views heads --heads 1", "--heads", "--views lines");
    row("--screenshot a.png --show lines --rank entropy", "--rank", "--show heads");
    row("--rank entropy", "--rank", "run SCENARIO");
    row("run x --export out --views lines --texts stories", "--texts", "--views heads");
    row("run x --export out --views knock_out --knock-out 0.1,0.1=mean", "--knock-out",
        "each head once");
    row("run x --export out --theme system", "--theme", "light, dark");
    row("run a.attn-session --export out --prompt Hi", "--prompt", "needs a new run");
    row("a.attn-session --screenshot a.png --tokens 3", "--tokens", "needs a new run");
    row("run x --export out --lesson 1", "--lesson", "the window");
    row("--lesson-step 2", "--lesson-step", "--lesson NAME");
    row("first-look --lesson 1", "--lesson", "SCENARIO");
    row("--screenshot a.png --lesson 1 --tokens 3", "--lesson", "--tokens");
    row("handout 1 --teacher", "attention-workbench handout", "--out");
    row("handout 1 --out h.txt", "--out", "ends in .pdf");
  }
  void options_of_another_mode_are_refused() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, option);
    QFETCH(QString, mode);
    std::vector<std::string> list;
    for (const QString& argument : arguments) list.push_back(argument.toStdString());
    try {
      parse_command_line(list);
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(error.exit_code(), 2);
      QCOMPARE(QString::fromStdString(error.parts().where), option);
      QVERIFY2(QString::fromUtf8(error.what()).contains(mode), error.what());
    }
  }

  void command_line_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const QStringList& arguments, const char* names = "") {
      QTest::newRow(name) << arguments << QString::fromLatin1(names);
    };
    row("nothing", {});
    row("scenario", {QStringLiteral("many-users")});
    row("run", {QStringLiteral("run"), QStringLiteral("first-look"), QStringLiteral("--export"),
                QStringLiteral("out")});
    row("equals", {QStringLiteral("run"), QStringLiteral("x"), QStringLiteral("--export=out"),
                   QStringLiteral("--views=heatmap,timeline")});
    row("no folder", {QStringLiteral("run"), QStringLiteral("first-look")}, "--export");
    row("no scenario", {QStringLiteral("run"), QStringLiteral("--export"), QStringLiteral("out")},
        "scenario");
    row("typo", {QStringLiteral("--exprot"), QStringLiteral("out")}, "--export");
    row("size", {QStringLiteral("--size"), QStringLiteral("big")}, "--size");
    row("scale", {QStringLiteral("--scale"), QStringLiteral("9")}, "1 to 4");
    row("view",
        {QStringLiteral("run"), QStringLiteral("x"), QStringLiteral("--views"),
         QStringLiteral("heatmaps")},
        "heatmap");
    row("picture", {QStringLiteral("--screenshot"), QStringLiteral("a.PNG")});
    row("no png", {QStringLiteral("--screenshot"), QStringLiteral("a.jpg")}, "ends in .png");
    row("no suffix", {QStringLiteral("--screenshot=a")}, "ends in .png");
    row("clock", {QStringLiteral("--clock"), QStringLiteral("sun")}, "real, virtual");
    row("filter of a picture",
        {QStringLiteral("--screenshot=a.png"), QStringLiteral("--show=events"),
         QStringLiteral("--filter=step:x")},
        "the filter has a mistake at --filter");
    row("filter of a run",
        {QStringLiteral("run"), QStringLiteral("x"), QStringLiteral("--export=out"),
         QStringLiteral("--views=events"), QStringLiteral("--filter=step:x")},
        "the filter has a mistake at --filter");
    row("backend", {QStringLiteral("run"), QStringLiteral("x"), QStringLiteral("--export=out"),
                    QStringLiteral("--backend=XFORMERS")});
    row("no backend", {QStringLiteral("--screenshot=a.png"), QStringLiteral("--backend=xfomers")},
        "xformers");
    row("no value", {QStringLiteral("--theme")}, "--theme");
    row("two", {QStringLiteral("a"), QStringLiteral("b")}, "`b`");
    row("empty value", {QStringLiteral("--theme="), QStringLiteral("b")},
        "the value is empty at --theme");
    row("twice", {QStringLiteral("--theme=dark"), QStringLiteral("--theme=light")}, "given twice");
    const auto compare = [&](const char* name, const char* backends, const char* names) {
      row(name,
          {QStringLiteral("run"), QStringLiteral("x"), QStringLiteral("--export=out"),
           QStringLiteral("--views=compare"), QStringLiteral("--backends"),
           QString::fromLatin1(backends)},
          names);
    };
    compare("backends", "torch_sdpa,REFERENCE", "");
    std::string all;
    for (const AttentionBackend* backend : registered_backends())
      all += (all.empty() ? "" : ", ") + std::string(backend->name());
    const std::string unknown =
        "at --backends: found `palas`, allowed " + all + ". Did you mean `pallas`?";
    compare("no such backend", "torch_sdpa,palas", unknown.c_str());
    compare("one backend", "pallas", "2 to 4 names");
    compare("a backend twice", "pallas,PALLAS", "named twice");
  }
  void command_line() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, names);
    std::vector<std::string> list;
    for (const QString& argument : arguments) list.push_back(argument.toStdString());
    QString message;
    try {
      parse_command_line(list);
    } catch (const Error& error) {
      message = QString::fromUtf8(error.what());
      QCOMPARE(error.exit_code(), 2);
    }
    QCOMPARE(message.isEmpty(), names.isEmpty());
    QVERIFY2(message.contains(names), qPrintable(message));
  }

 private:
  std::string written(const char* name, const Scenario& scenario) {
    const std::string file = folder_.filePath(QString::fromLatin1(name)).toStdString();
    write_file_atomically(file, to_json(scenario));
    return file;
  }
  std::string small_scenario() { return written("small.json", synthetic_scenario(24, 3)); }
  std::string long_scenario() {
    Scenario scenario = synthetic_scenario(1000, 1);
    scenario.source.synthetic->max_model_len = 32768;
    scenario.requests[0].max_tokens = 20'000;
    scenario.engine.num_blocks = 1400;
    scenario.view.layer = 1;
    scenario.view.head = 2;
    return written("long.json", scenario);
  }
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_headless, attn::gui::test::run<TestHeadless>)
#include "test_headless.moc"
