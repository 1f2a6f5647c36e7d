// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for each view of the registry, in the window, on the command line and in documents.
#include <QFile>
#include <QSet>
#include <QTemporaryDir>

#include <set>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/lesson/format/lesson.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/app/command_line.h"
#include "gui/app/view_registry.h"
#include "gui/widgets/view_choices.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/session_files.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestViewRegistry : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    bench_ = std::make_unique<Workbench>(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
  }
  void init() { fail_on_warnings(); }
  void cleanupTestCase() {
    other_.reset();
    bench_.reset();
  }

  void entries_are_whole() {
    std::set<std::string> names;
    std::set<QString> titles, files;
    for (const ViewEntry& entry : view_registry()) {
      QVERIFY2(!entry.name.empty() && names.insert(entry.name).second, entry.name.c_str());
      QVERIFY2(!entry.title.isEmpty() && titles.insert(entry.title).second, entry.name.c_str());
      QCOMPARE(find_view(entry.name), &entry);
      QCOMPARE(entry.keys.isEmpty(), entry.place != ViewPlace::kTab);
      QCOMPARE(entry.meaning.isEmpty(), entry.place != ViewPlace::kTab);
      const gui::View* view = window().view(entry.name);
      QVERIFY2(view && files.insert(view->export_name()).second, entry.name.c_str());
      QVERIFY2(!view->title().isEmpty() && !view->key_help().empty(), entry.name.c_str());
    }
    for (const ViewPlace place : {ViewPlace::kBelow, ViewPlace::kBottom})
      QCOMPARE(std::ranges::count(view_registry(), place, &ViewEntry::place), 1);
    for (const std::string& name : lesson::view_names()) QVERIFY2(find_view(name), name.c_str());
    QVERIFY(!find_view("no such view"));
    QVERIFY(!window().view("no such view"));
  }

  // A key of two commands would do nothing.
  void keys_belong_to_one_command() {
    std::set<QKeySequence> keys;
    for (const QAction* action : window().actions().all)
      for (const QKeySequence& key : action->shortcuts())
        QVERIFY2(keys.insert(key).second, qPrintable(key.toString()));
  }

  void tabs_open_by_key_and_by_command() {
    const auto shown = [&](const ViewEntry& entry) {
      gui::View* view = window().view(entry.name);
      return window().attention_tabs()->currentWidget() == view && view->isVisible() &&
             (view->hasFocus() || view->isAncestorOf(window().focusWidget()));
    };
    int at = 0;
    for (const ViewEntry& entry : view_registry()) {
      if (entry.place != ViewPlace::kTab) continue;
      QCOMPARE(window().attention_tabs()->tabText(at), entry.title);
      QTest::keySequence(&window(), entry.keys);
      QVERIFY2(shown(entry), entry.name.c_str());
      window().show_attention(window().view(at == 0 ? "tiles" : "heatmap"));
      QVERIFY(!shown(entry));
      const Actions::OfView& command = window().actions().show_tabs[static_cast<size_t>(at++)];
      QCOMPARE(command.view, entry.name);
      command.action->trigger();
      QVERIFY2(shown(entry), entry.name.c_str());
    }
    QCOMPARE(window().attention_tabs()->count(), at);
  }

  void panels_have_their_place_in_every_layout() {
    for (const ViewEntry& entry : view_registry()) {
      if (entry.place == ViewPlace::kTab) continue;
      auto* dock = window().findChild<QDockWidget*>(QString::fromStdString(entry.name));
      QVERIFY2(dock && dock->widget() == window().view(entry.name), entry.name.c_str());
      QCOMPARE(dock->windowTitle(), entry.title);
      for (const std::string_view layout : kLayoutWords) {
        window().layouts().apply(QLatin1String(layout.data()));
        dock->show();
        QTRY_VERIFY2(dock->isVisible() && !dock->isFloating(), entry.name.c_str());
      }
    }
    window().layouts().apply(QStringLiteral("explore"));
  }

  void every_view_draws_a_run_or_says_why_not_data() {
    QTest::addColumn<QString>("source");  // scenario or case of a family; empty: the first run
    QTest::addColumn<int>("blocks");
    QTest::addColumn<QStringList>("refusing");  // views
    const auto words = [](const char* names) {
      return QString::fromLatin1(names).split(QLatin1Char(' '));
    };
    const QStringList of_models =
        words("next_token lens knock_out attribution rotary circuits rollout patching");
    QTest::newRow("induction") << QString() << 0 << of_models;
    QTest::newRow("alternating layers") << QStringLiteral("alternating-layers") << 12 << of_models;
    QTest::newRow("encoder and decoder") << QStringLiteral("encoder-decoder") << 14 << of_models;
    QTest::newRow("model with alternating layers")
        << QStringLiteral("gemma2_1") << 10 << QStringList();
    QTest::newRow("model with encoder and decoder")
        << QStringLiteral("t5_1") << 10 << words("rotary circuits rollout patching");
    QTest::newRow("the same, with norms after the sums")
        << QStringLiteral("bart_1") << 10
        << words("rotary circuits rollout patching lens attribution");
  }
  void every_view_draws_a_run_or_says_why_not() {
    QFETCH(const QString, source);
    QFETCH(const int, blocks);
    QFETCH(const QStringList, refusing);
    const bool has_model = source.contains(QLatin1Char('_'));
    if (!source.isEmpty()) {
      Scenario scenario = has_model ? random_model(source.toStdString())
                                    : load_scenario(find_scenario(source.toStdString()));
      scenario.engine.clock = ClockKind::kVirtual;
      scenario.view.pace_tiles_per_s = 0;  // full speed: the shipped scenarios are slowed
      if (!has_model) {
        // The third request finds the blocks of the first one.
        scenario.requests.push_back(scenario.requests.front());
        scenario.engine.max_num_seqs = 2;
        scenario.engine.enable_prefix_caching = scenario.engine.extended = true;
      }
      scenario.engine.num_blocks = blocks;
      scenario.engine.preemption = PreemptionMode::kSwap;
      scenario.engine.num_swap_blocks = 24;
      bench_->control.edit(scenario);
      QVERIFY(bench_->control.start());
      QVERIFY2(wait_until_phase(bench_->bridge, EnginePhase::kFinished),
               bench_->bridge.snapshot()->phase_detail.c_str());
      bench_->bridge.catch_up();
      const std::vector<StepRecord>& steps = *bench_->bridge.snapshot()->steps;
      const auto any = [&](int64_t StepRecord::*count) {
        return std::ranges::any_of(steps, [&](const StepRecord& step) { return step.*count > 0; });
      };
      QVERIFY(any(&StepRecord::swapped_in_blocks));
      // The decoders of t5 and bart begin with one token, which fills no block.
      QCOMPARE(any(&StepRecord::hit_tokens), !has_model || source == QLatin1String("gemma2_1"));
    }
    ViewChoices choices;
    choices.for_files = true;  // events by time, not as threads recorded them
    if (has_model) {
      choices.clean = "abba";
      choices.corrupted = "abaa";
    }
    QStringList refused;
    for (const ViewEntry& entry : view_registry()) {
      gui::View& view = *window().view(entry.name);
      view.choose(choices);
      if (entry.job) view.do_job("--views " + entry.name);
      QTRY_VERIFY2(!view.is_behind(), entry.name.c_str());
      const QImage picture = prepare_image(view, 1)();
      QCOMPARE(picture.size(), view.export_size());
      QVERIFY2(has_two_colors(picture), entry.name.c_str());
      if (const QString why = view.nothing_to_export(); !why.isEmpty()) {
        refused += QString::fromStdString(entry.name);
        QVERIFY2(has_model || why.contains(QStringLiteral("model")), entry.name.c_str());
        says_why_not(view, entry.name.c_str(), why);
        if (QTest::currentTestFailed()) return;
        continue;
      }
      view.throw_if_refused();
      QVERIFY2(prepare_table(view)().endsWith('\n'), entry.name.c_str());
    }
    QCOMPARE(QSet<QString>(refused.begin(), refused.end()),
             QSet<QString>(refusing.begin(), refusing.end()));
    std::vector<gui::View*> drawn = window().all_views();
    std::erase_if(drawn,
                  [](const gui::View* view) { return !view->nothing_to_export().isEmpty(); });
    QCOMPARE(window().views(), drawn);
    // The times of the first run are not the same twice, so Compare would have other numbers.
    if (!source.isEmpty()) a_saved_run_shows_the_same(choices, has_model);
  }

  void the_command_line_knows_every_view() {
    const std::string help = help_text();
    for (const ViewEntry& entry : view_registry()) {
      QVERIFY2(help.find(entry.name) != std::string::npos, entry.name.c_str());
      const CommandLine run =
          parse_command_line({"run", "samples", "--export", "out", "--views", entry.name});
      QCOMPARE(run.views, std::vector<std::string>{entry.name});
      const std::vector<std::string> show{"--screenshot", "a.png", "--show", entry.name};
      if (entry.place == ViewPlace::kTab) {
        QCOMPARE(parse_command_line(show).show, entry.name);
      } else {
        QVERIFY_THROWS_EXCEPTION(Error, parse_command_line(show));
      }
    }
    QCOMPARE(run_view_names().size(), view_registry().size());
    for (size_t i = 0; i < view_registry().size(); ++i)
      QCOMPARE(find_view(run_view_names()[i])->in_every_run, i < count_in_every_run());
  }

  void the_documents_name_every_view() {
    QFile file(QStringLiteral(ATTN_SOURCE_DIR "/docs/window.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    for (const ViewEntry& entry : view_registry()) {
      const QString row =
          QStringLiteral("| %1 | %2 | `%3` |")
              .arg(entry.title,
                   entry.keys.isEmpty() ? QStringLiteral("a panel") : entry.keys.toString(),
                   QString::fromStdString(entry.name));
      QVERIFY2(text.contains(row), qPrintable(row));
    }
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  // Requests for a random model of a family (tests/golden/families), whose tokens are a, b and ab.
  Scenario random_model(const std::string& family) {
    model_ = std::make_unique<FamilyCase>(family);
    Scenario scenario = attn::model_scenario(model_->write());
    scenario.engine.backend = "unified";
    scenario.engine.block_size = 4;
    scenario.engine.max_num_seqs = 2;
    scenario.engine.threads = 1;
    scenario.engine.enable_prefix_caching = true;
    ScenarioRequest request = scenario.requests.front();
    scenario.requests.clear();
    request.max_tokens = 16;
    request.sampling.temperature = 1;
    for (const char* prompt : {"abbaababba", "babaabba", "abbaababab"}) {
      request.name = request.prompt = prompt;
      request.sampling.seed++;
      scenario.requests.push_back(request);
    }
    return scenario;
  }

  // Saves the shown run and opens it in another window. A view draws there what it draws here, or
  // says that it needs the model.
  void a_saved_run_shows_the_same(const ViewChoices& choices, bool has_model) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("run.attn-session"));
    QVERIFY(save_from(*bench_, file));
    if (!other_) {
      other_ = std::make_unique<Workbench>(synthetic_scenario(12, 2));
      QVERIFY(QTest::qWaitForWindowExposed(other_->window.get()));
    }
    QVERIFY(open_in(*other_, file));
    QStringList refused, other_tables, other_pictures;
    for (const ViewEntry& entry : view_registry()) {
      gui::View &here = *window().view(entry.name), &there = *other_->window->view(entry.name);
      if (!here.nothing_to_export().isEmpty()) continue;
      there.choose(choices);
      if (entry.job) there.do_job("--views " + entry.name);
      QTRY_VERIFY2(!there.is_behind(), entry.name.c_str());
      const QString name = QString::fromStdString(entry.name);
      if (const QString why = there.nothing_to_export(); !why.isEmpty()) {
        QVERIFY2(why.contains(QStringLiteral("model")), qPrintable(name + why));
        refused += name;
        continue;
      }
      const QByteArray table = prepare_table(here)();
      if (!QTest::qWaitFor([&] { return prepare_table(there)() == table; }, 30000))
        other_tables += name;
      else if (prepare_image(there, 1)() != prepare_image(here, 1)())
        other_pictures += name;
    }
    QVERIFY2(other_tables.isEmpty(), qPrintable(other_tables.join(QStringLiteral(", "))));
    QVERIFY2(other_pictures.isEmpty(), qPrintable(other_pictures.join(QStringLiteral(", "))));
    if (!has_model) QCOMPARE(refused, QStringList());
  }

  // The reason stands in the window and in a picture, and throw_if_refused() throws it.
  void says_why_not(gui::View& view, const char* name, const QString& why) {
    const auto has_reason = [&](const TextRecorder& recorder) {
      QString texts;
      for (const DrawnText& drawn : recorder.texts()) texts += drawn.text;
      const auto whole = [](QString text) { return text.remove(QLatin1Char(' ')); };
      return whole(texts).contains(whole(why));
    };
    TextRecorder picture(view.export_size());
    {
      QPainter painter(&picture);
      view.paint_content(painter, picture.bounds());
    }
    QVERIFY2(has_reason(picture), name);
    window().show_attention(&view);
    QCoreApplication::processEvents();
    TextRecorder shown(view.size());
    view.render(&shown);
    QVERIFY2(has_reason(shown), name);
    try {
      view.throw_if_refused();
      QFAIL(name);
    } catch (const Error& error) {
      QCOMPARE(QString::fromUtf8(error.what()), why);
    }
  }

  static bool has_two_colors(const QImage& picture) {
    const QRgb first = picture.pixel(0, 0);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        if (picture.pixel(x, y) != first) return true;
    return false;
  }

  std::unique_ptr<FamilyCase> model_;
  std::unique_ptr<Workbench> bench_;
  std::unique_ptr<Workbench> other_;  // opens saved runs
};

ATTN_QT_TEST(test_view_registry, attn::gui::test::run<TestViewRegistry>)
#include "test_view_registry.moc"
