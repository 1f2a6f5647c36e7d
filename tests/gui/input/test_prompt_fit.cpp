// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts that do not fit: what the window says, what makes them fit, and what the engine does.
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "backends/register_all.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/models/run/prompt_fit.h"
#include "gui/models/words/run_words.h"
#include "gui/views/blocks/blocks_scene.h"
#include "gui/views/blocks/blocks_view.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario first_look_scenario() {
  Scenario scenario = load_scenario(find_scenario("first-look"));
  scenario.view.pace_tiles_per_s = 0;
  scenario.engine.threads = 1;
  return scenario;
}

// `count` words of one token each. The prompt has one token more, at its beginning.
QString words(int count) {
  return QStringList(count, QStringLiteral("a")).join(QLatin1Char(' '));
}

struct PromptForm {
  explicit PromptForm(Workbench& w) : window(*w.window) {}
  FitNote& note() { return *window.workload()->form()->fit_note(); }
  QPlainTextEdit& prompt() { return *window.workload()->form()->prompt(); }
  void type(const QString& text) {
    prompt().setFocus();
    prompt().selectAll();
    QTest::keyClicks(&prompt(), text);
  }
  MainWindow& window;
};

const RequestView& first_request(Workbench& w) {
  return w.bridge.snapshot()->requests.front();
}

}  // namespace

class TestPromptFit : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void the_cache_grows_with_own_text() {
    Workbench w(first_look_scenario());
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    PromptForm form(w);
    QVERIFY2(form.note().text().isEmpty(), qPrintable(form.note().text()));
    form.type(words(80));
    const ScenarioEngine& engine = w.control.scenario().engine;
    QVERIFY2(form.note().text().isEmpty(), qPrintable(form.note().text()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(first_request(w).prompt_len, int64_t{81});
    QVERIFY(first_request(w).state != RequestState::kFinishedIgnored);
    QVERIFY(!first_request(w).has_news());
    // The prompt and all 32 new tokens; the last one needs no slot.
    QCOMPARE(engine.num_blocks, int64_t{(81 + 32 - 1) / 4});
    form.type(words(3));
    QCOMPARE(engine.num_blocks, int64_t{16});
    Scenario chosen = w.control.scenario();
    chosen.engine.num_blocks = 12;
    w.control.edit(chosen);
    form.type(words(60));
    QVERIFY(w.control.scenario().engine.num_blocks >= 12);
  }

  // If the click gave the button the focus, Space would start the run once more.
  void space_pauses_after_a_click_on_start() {
    Scenario slow = first_look_scenario();
    slow.view.pace_tiles_per_s = 20;
    Workbench w(slow);
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    PromptForm form(w);
    form.type(words(6));
    QPushButton* start = nullptr;
    for (auto* button : w.window->workload()->findChildren<QPushButton*>())
      if (button->isDefault()) start = button;
    QVERIFY(start);
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kRunning));
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus != start && focus != &form.prompt());
    const auto run = w.bridge.snapshot()->scenario;
    QTest::keyClick(focus ? focus : w.window.get(), Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return w.bridge.gate_state() == RunGate::State::kPaused; }));
    QCOMPARE(w.bridge.snapshot()->scenario, run);
    QCOMPARE(form.prompt().toPlainText(), words(6));
  }

  void too_few_blocks_are_told_before_the_run() {
    Workbench w(first_look_scenario());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    PromptForm form(w);
    Scenario scenario = w.control.scenario();
    scenario.requests.front().prompt = words(80).toStdString();
    scenario.engine.num_blocks = 15;
    w.control.edit(scenario);
    scenario.engine.num_blocks = 16;
    w.control.edit(scenario);
    const QString told = form.note().text();
    for (const char* word : {"81 tokens", "21 blocks of 4 tokens", "Blocks is 16"})
      QVERIFY2(told.contains(QLatin1String(word)), qPrintable(told));
    QVERIFY(form.note().button()->isVisibleTo(form.window.workload()));

    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(first_request(w).state, RequestState::kFinishedIgnored);
    QVERIFY2(w.window->message_bar()->text().contains(QStringLiteral("Blocks is 16")),
             qPrintable(w.window->message_bar()->text()));
    const QString state = w.window->workload()
                              ->table()
                              ->model()
                              ->index(0, RequestModel::kState)
                              .data(Qt::ToolTipRole)
                              .toString();
    QVERIFY2(state.contains(QStringLiteral("Blocks is 16")), qPrintable(state));
    QCOMPARE(why_no_blocks(first_request(w)), QStringLiteral("refused, it never held a block"));

    QTest::mouseClick(form.note().button(), Qt::LeftButton);
    QVERIFY2(form.note().text().isEmpty(), qPrintable(form.note().text()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(!first_request(w).has_news());
    QVERIFY(w.window->message_bar()->text().isEmpty());
  }

  void a_batch_budget_is_called_by_the_name_of_its_field() {
    Scenario scenario = synthetic_scenario(8192, 1);
    scenario.source.synthetic->max_model_len = 16384;
    scenario.engine.num_blocks = 1024;
    Workbench w(scenario);
    PromptForm form(w);
    scenario.requests.front().max_tokens = 2;  // an edit, so that the fit is counted without a run
    w.control.edit(scenario);
    const QString told = form.note().text();
    QVERIFY2(told.contains(QStringLiteral("8,192 tokens")) &&
                 told.contains(QStringLiteral("Batch budget is 2,048")),
             qPrintable(told));
    QVERIFY(!told.contains(QStringLiteral("max_num_batched_tokens")));
    QTest::mouseClick(form.note().button(), Qt::LeftButton);
    QVERIFY2(form.note().text().isEmpty(), qPrintable(form.note().text()));
    QCOMPARE(w.control.scenario().engine.max_num_batched_tokens, int64_t{8192});
    QCOMPARE(w.control.scenario().engine.num_blocks, int64_t{1024});
  }

  void an_early_end_says_why() {
    Workbench w(first_look_scenario());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    PromptForm form(w);
    Scenario scenario = w.control.scenario();
    scenario.requests.front().prompt = words(49).toStdString();
    scenario.engine.num_blocks = 15;
    w.control.edit(scenario);
    scenario.engine.num_blocks = 16;
    w.control.edit(scenario);
    QVERIFY2(form.note().text().contains(QStringLiteral("room for 15 of the 32")),
             qPrintable(form.note().text()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(first_request(w).prompt_len, int64_t{50});
    QCOMPARE(w.bridge.snapshot()->generated_tokens, int64_t{15});
    const QString told = w.window->message_bar()->text();
    QVERIFY2(told.contains(QStringLiteral("15 of 32")) && told.contains(QStringLiteral("Blocks")),
             qPrintable(told));
  }

  void an_early_end_does_not_count_the_null_block() {
    EngineSnapshot snapshot;
    snapshot.scenario = std::make_shared<const Scenario>(first_look_scenario());
    snapshot.source.max_model_len = 512;
    snapshot.block_size = 4;
    snapshot.blocks.resize(16);
    RequestView& request = snapshot.requests.emplace_back();
    request.state = RequestState::kFinishedLengthCapped;
    request.ignored_reason = "No room.";
    QVERIFY(reason_of(snapshot, request).contains(QStringLiteral("16 blocks of 4 tokens")));
    snapshot.has_null_block = true;
    QVERIFY(reason_of(snapshot, request).contains(QStringLiteral("15 blocks of 4 tokens")));
  }

  void the_news_count_rows_of_workload() {
    EngineSnapshot snapshot;
    const auto refuse = [&snapshot](const char* name, std::optional<uint32_t> parent) {
      RequestView& request = snapshot.requests.emplace_back();
      request.name = name;
      request.parent = parent;
      request.state = RequestState::kFinishedIgnored;
      request.ignored_reason = "No room.";
    };
    size_t count = 0;
    refuse("A", {});
    refuse("A (2)", 0);
    QCOMPARE(news_words(snapshot, count), QStringLiteral("A: No room."));
    QCOMPARE(count, size_t{2});
    refuse("B", {});
    QVERIFY(news_words(snapshot, count).contains(QStringLiteral("One more request was refused")));
    refuse("C", {});
    QVERIFY(news_words(snapshot, count).contains(QStringLiteral("2 more requests were refused")));
  }

  void a_prompt_longer_than_the_model_is_cut() {
    Workbench w(first_look_scenario());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    PromptForm form(w);
    Scenario scenario = w.control.scenario();
    scenario.requests.front().prompt = words(600).toStdString();
    w.control.edit(scenario);
    QVERIFY2(form.note().text().contains(QStringLiteral("the model reads at most 512")),
             qPrintable(form.note().text()));
    QTest::mouseClick(form.note().button(), Qt::LeftButton);
    QVERIFY2(form.note().text().isEmpty(), qPrintable(form.note().text()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(first_request(w).prompt_len, int64_t{480});
    QCOMPARE(w.control.scenario().requests.front().max_tokens, int64_t{32});
    QVERIFY(!first_request(w).has_news());
  }

  void the_encoder_reads_the_prompt() {
    const FamilyCase t5("t5_1");  // texts of up to 128 tokens
    Scenario scenario = attn::model_scenario(t5.write());
    scenario.requests.front().prompt = "abba";
    scenario.requests.front().max_tokens = 3;
    scenario.engine.block_size = 4;
    scenario.engine.num_blocks = 1;
    scenario.engine.threads = 1;
    scenario.view.pace_tiles_per_s = 0;
    Workbench w(scenario);
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    PromptForm form(w);
    const auto field = [&](const char* path) {
      for (Field* one : w.window->findChildren<Field*>())
        if (one->path() == path) return one;
      return static_cast<Field*>(nullptr);
    };
    QVERIFY(field("$.requests[].encoder_tokens")->isHidden());
    QVERIFY(!field("$.requests[].decoder_prompt")->isHidden());
    QVERIFY2(form.note().text().contains(QStringLiteral("The encoder has 3 tokens")),
             qPrintable(form.note().text()));
    QTest::mouseClick(form.note().button(), Qt::LeftButton);
    QVERIFY2(form.note().text().isEmpty(), qPrintable(form.note().text()));
    QCOMPARE(w.control.scenario().engine.num_blocks, int64_t{2});
    auto* begin = field("$.requests[].decoder_prompt")->findChild<QLineEdit*>();
    QVERIFY(begin);
    begin->setFocus();
    QTest::keyClicks(begin, QStringLiteral("ab"));
    QCOMPARE(w.control.scenario().requests.front().decoder_prompt, std::string("ab"));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(first_request(w).prompt_len, int64_t{2});
    QCOMPARE(first_request(w).encoder_tokens->size(), size_t{3});
    QCOMPARE(first_request(w).tokens->size(), size_t{5});

    Scenario longer = w.control.scenario();
    longer.requests.front().prompt = QString(2 * 129, QLatin1Char('b')).toStdString();
    longer.engine.num_blocks = 200;
    w.control.edit(longer);
    QVERIFY2(form.note().text().contains(QStringLiteral("it can read 128")),
             qPrintable(form.note().text()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(first_request(w).state, RequestState::kFinishedIgnored);
  }

  void what_is_told_is_what_the_engine_does() {
    PromptMeter meter;
    int refused = 0, short_of_tokens = 0;
    for (const int64_t prompt : {1, 16, 17, 100})
      for (const int64_t blocks : {1, 2, 8})
        for (const int64_t budget : {4, 64})
          for (const int64_t longest : {32, 128})
            for (const int kind : {0, 1, 2, 3}) {
              Scenario scenario = synthetic_scenario(prompt, 20);
              scenario.source.synthetic->num_layers = 1;
              scenario.source.synthetic->max_model_len = longest;
              scenario.engine.num_blocks = blocks;
              scenario.engine.max_num_batched_tokens = budget;
              scenario.engine.max_num_seqs = 2;
              scenario.engine.extended = true;  // chunks on torch_sdpa
              if (kind == 1) scenario.requests.front().beam_width = 3;
              if (kind == 2) scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
              if (kind == 3) scenario.engine.watermark = 0.3;
              const PromptFit fit = meter.fit(scenario, 0);
              const auto [state, tokens] = end_of(scenario);
              QCOMPARE(!fit.runs, state == RequestState::kFinishedIgnored);
              if (fit.runs) {
                QCOMPARE(fit.sentence.isEmpty(), tokens == 20);
                if (tokens < 20)
                  QVERIFY2(fit.sentence.contains(QStringLiteral("room for %1 of").arg(tokens)),
                           qPrintable(fit.sentence));
              }
              refused += !fit.runs;
              short_of_tokens += fit.runs && tokens < 20;
              meter.make_it_fit(scenario, 0);
              QVERIFY(meter.fit(scenario, 0).sentence.isEmpty());
              QCOMPARE(end_of(scenario).second, int64_t{20});
            }
    QVERIFY(refused > 20 && short_of_tokens > 5);
  }

 private:
  static std::pair<RequestState, int64_t> end_of(const Scenario& scenario) {
    Engine engine(scenario, {});
    engine.run_to_end();
    int64_t longest = 0;
    for (const auto& request : engine.scheduler().requests())
      longest = std::max(longest, static_cast<int64_t>(request->output_ids.size()));
    return {engine.scheduler().requests().front()->state, longest};
  }
};

ATTN_QT_TEST(test_prompt_fit, attn::gui::test::run<TestPromptFit>)
#include "test_prompt_fit.moc"
