// SPDX-License-Identifier: GPL-3.0-or-later
// The fields and the rows of requests of the workload panel.
#include <QComboBox>

#include "backends/register_all.h"
#include "engine/attention/backend.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/views/workload/setting_differences.h"
#include "gui/views/workload/workload_panel.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct Form {
  QWidget& root;

  Field* at(const char* path) const {
    for (Field* field : root.findChildren<Field*>())
      if (field->path() == path) return field;
    return nullptr;
  }
  bool offers(const char* path) const {
    const Field* field = at(path);
    return field && field->isVisibleTo(field->parentWidget());
  }
  void type(const char* path, const char* text) const {
    auto* edit = qobject_cast<NumberEdit*>(at(path)->editor());
    edit->setText(QLatin1String(text));
    emit edit->value_edited();
  }
  void choose(const char* path, const char* value) const {
    auto* box = qobject_cast<QComboBox*>(at(path)->editor());
    box->setCurrentIndex(box->findData(QLatin1String(value)));
    QVERIFY2(box->currentIndex() >= 0, value);
    emit box->activated(box->currentIndex());
  }
  MoreSection* section(const char* path) const {
    for (QWidget* widget = at(path); widget; widget = widget->parentWidget())
      if (auto* found = qobject_cast<MoreSection*>(widget)) return found;
    return nullptr;
  }
};

struct Panel {
  explicit Panel(const Scenario& scenario) : control(bridge) {
    control.edit(scenario);
    widget = std::make_unique<WorkloadPanel>(control, selection);
    widget->resize(320, 700);
    widget->show();
  }
  EngineBridge bridge;
  Selection selection;
  RunControl control;
  std::unique_ptr<WorkloadPanel> widget;
  Form form() { return {*widget}; }
  const Scenario& now() { return control.scenario(); }
};

}  // namespace

class TestWorkloadFields : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void every_setting_that_differs_is_told() {
    const Scenario plain = load_scenario(find_scenario("many-users"));
    const std::pair<const char*, void (*)(Scenario&)> changes[] = {
        {"Backend", [](Scenario& s) { s.engine.backend = "xformers"; }},
        {"Block size", [](Scenario& s) { ++s.engine.block_size; }},
        {"Blocks", [](Scenario& s) { ++s.engine.num_blocks; }},
        {"Batch budget", [](Scenario& s) { ++s.engine.max_num_batched_tokens; }},
        {"Max sequences", [](Scenario& s) { ++s.engine.max_num_seqs; }},
        {"Swap pool", [](Scenario& s) { ++s.engine.num_swap_blocks; }},
        {"Prefix caching",
         [](Scenario& s) { s.engine.enable_prefix_caching = !s.engine.enable_prefix_caching; }},
        {"Watermark", [](Scenario& s) { s.engine.watermark = 0.0625; }},
        {"Cache dtype", [](Scenario& s) { s.engine.kv_cache_dtype = "int8"; }},
        {"k_head_scales",
         [](Scenario& s) {
           s.engine.k_head_scales = {0.5, 2};
         }},
        {"Head padding", [](Scenario& s) { s.engine.pad_head_size = !s.engine.pad_head_size; }},
        {"Decode plans",
         [](Scenario& s) { s.engine.use_captured_plan = !s.engine.use_captured_plan; }},
        {"Threads", [](Scenario& s) { ++s.engine.threads; }},
        {"Clock",
         [](Scenario& s) {
           s.engine.clock =
               s.engine.clock == ClockKind::kReal ? ClockKind::kVirtual : ClockKind::kReal;
         }},
        {"Extended", [](Scenario& s) { s.engine.extended = !s.engine.extended; }},
        {"seed", [](Scenario& s) { ++s.seed; }},
        {"Window", [](Scenario& s) { ++s.attention.sliding_window; }},
        {"Temperature", [](Scenario& s) { s.requests[1].sampling.temperature += 0.5; }}};
    QVERIFY(setting_differences(plain, 1, plain, 1).empty());
    for (const auto& [name, change] : changes) {
      Scenario changed = plain;
      change(changed);
      const auto differences = setting_differences(plain, 1, changed, 1);
      QStringList names;
      for (const SettingDifference& one : differences) {
        names << one.name;
        QVERIFY(one.first != one.second && !one.meaning.isEmpty());
      }
      QVERIFY2(names == QStringList{QString::fromLatin1(name)},
               qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(name), names.join(u", "))));
    }
    // Settings that no request shown has are left out, and so are those without effect.
    Scenario other = plain;
    other.requests[0].sampling.temperature += 0.5;
    other.title = "Other";
    other.view.head = 1;
    QVERIFY(setting_differences(plain, 1, other, 1).empty());
    QVERIFY(setting_differences(plain, -1, other, 0).empty());
  }

  void typed_values_are_in_the_scenario() {
    Panel panel(load_scenario(find_scenario("many-users")));
    const Form form = panel.form();
    Scenario expected = panel.now();
    ScenarioRequest& request = expected.requests[0];
    form.type("$.requests[].n", "3");
    request.n = 3;
    form.type("$.requests[].priority", "-4");
    request.priority = -4;
    form.choose("$.engine.policy", "chunked_prefill");
    expected.engine.policy = SchedulingPolicy::kChunkedPrefill;
    form.choose("$.engine.enable_prefix_caching", "on");
    expected.engine.enable_prefix_caching = true;
    form.type("$.engine.watermark", "0.25");
    expected.engine.watermark = 0.25;
    QVERIFY(panel.now() == expected);
    form.type("$.requests[].n", "1");
    request.n = 1;
    form.type("$.requests[].beam_width", "2");
    request.beam_width = 2;
    form.type("$.requests[].length_penalty", "0.5");
    request.length_penalty = 0.5;
    form.choose("$.requests[].early_stopping", "on");
    request.early_stopping = true;
    QVERIFY(panel.now() == expected);
    validate(panel.now());
    QVERIFY(panel.control.problem().isEmpty());
  }

  void the_type_of_attention_follows_the_model() {
    const FamilyCase t5("t5_1");
    Scenario before = attn::model_scenario(t5.write());
    before.requests[0].prompt = "abba";
    before.requests[0].decoder_prompt = "ab";
    const std::string folder = before.source.model;
    Panel panel(before);
    const Form form = panel.form();
    const auto is = [&](AttentionType type) {
      validate(panel.now());
      QVERIFY2(panel.control.problem().isEmpty(), qPrintable(panel.control.problem()));
      QCOMPARE(panel.now().attention.type, type);
    };
    form.choose("$.source", "synthetic");
    is(AttentionType::kEncoderDecoder);
    QVERIFY(panel.now().requests[0].encoder_tokens > 0);
    form.choose("$.attention.type", "decoder");
    form.choose("$.source", "model");
    is(AttentionType::kEncoderDecoder);
    QCOMPARE(panel.now().source.model, folder);
    QCOMPARE(panel.now().requests[0].prompt, std::string("abba"));
    form.choose("$.source.model", "tinystories-gqa");
    is(AttentionType::kDecoder);
    Scenario other = panel.now();
    other.engine.backend = "torch_sdpa";
    panel.control.edit(other);
    form.choose("$.source.model", folder.c_str());
    is(AttentionType::kEncoderDecoder);
    QCOMPARE(panel.now().engine.backend, std::string("unified"));
  }

  void the_example_prompt_follows_the_model() {
    FamilyCase bert("bert_1");
    bert.config["example_prompt"] = "aba";
    Panel panel(attn::model_scenario(bert.write()));
    QCOMPARE(panel.now().requests[0].prompt, std::string("aba"));
    const std::string folder = panel.now().source.model;
    const Form form = panel.form();
    form.choose("$.source.model", "dates-encdec");
    QCOMPARE(panel.now().requests[0].prompt, std::string("the third of March 2021"));
    QCOMPARE(panel.widget->form()->prompt()->toPlainText(),
             QStringLiteral("the third of March 2021"));
    panel.widget->form()->prompt()->setPlainText(QStringLiteral("4 May 1999"));
    form.choose("$.source.model", folder.c_str());
    QCOMPARE(panel.now().requests[0].prompt, std::string("4 May 1999"));
  }

  void reasons_of_backends_are_those_of_their_source() {
    Scenario scenario = synthetic_scenario(8, 1);
    scenario.source.synthetic->head_size = 20;
    scenario.engine.pad_head_size = true;
    Panel panel(scenario);
    const auto pads = [&] {
      return std::ranges::any_of(panel.control.backend_choices(), &BackendChoice::pads);
    };
    QVERIFY(panel.control.start());
    QVERIFY(wait_until_phase(panel.bridge, EnginePhase::kFinished));
    scenario.engine.pad_head_size = false;
    panel.control.edit(scenario);
    QVERIFY(pads());
    panel.control.edit(load_scenario(find_scenario("first-look")));
    QVERIFY(!pads());
  }

  // The engine's check reports one mistake at a time, the fields show all.
  void every_wrong_field_is_marked() {
    Panel panel(load_scenario(find_scenario("many-users")));
    const Form form = panel.form();
    form.type("$.requests[].n", "0");
    form.type("$.engine.block_size", "0");
    form.type("$.engine.watermark", "7");
    for (const char* path : {"$.requests[].n", "$.engine.block_size", "$.engine.watermark"})
      QVERIFY2(form.at(path)->has_problem(), path);
    QVERIFY(!form.at("$.engine.num_blocks")->has_problem());
    form.type("$.engine.block_size", "4");
    QVERIFY(!form.at("$.engine.block_size")->has_problem());
    QVERIFY(form.at("$.requests[].n")->has_problem());
    QVERIFY(form.at("$.engine.watermark")->has_problem());
  }

  void text_that_is_no_number_marks_no_other_field() {
    Panel panel(synthetic_scenario(8, 2));
    const Form form = panel.form();
    const char *heads = "$.source.synthetic.num_heads", *kv = "$.source.synthetic.num_kv_heads";
    form.type(heads, "1");
    QVERIFY(form.at(kv)->has_problem());
    for (const char* text : {"1e", "1e2"}) {
      form.type(heads, text);
      QVERIFY2(form.at(heads)->has_problem() && !form.at(kv)->has_problem(), text);
    }
  }

  void an_own_prompt_has_a_name_of_its_own() {
    EngineBridge bridge;
    RunControl control(bridge);
    Selection selection;
    QVERIFY(control.open(QStringLiteral("first-look")));
    WorkloadPanel widget(control, selection);
    const std::string name = control.scenario().requests[0].name;
    const QString before = widget.form()->prompt()->toPlainText();
    widget.form()->prompt()->setPlainText(QStringLiteral("The cat sat."));
    QCOMPARE(control.scenario().requests[0].name, std::string("Own prompt"));
    widget.form()->prompt()->setPlainText(before);
    QCOMPARE(control.scenario().requests[0].name, name);
  }

  void a_request_that_is_only_in_the_run_has_a_row() {
    Panel panel(synthetic_scenario(24, 6));
    TimeCursor cursor(panel.bridge);
    panel.widget->follow(cursor);
    QVERIFY(panel.control.start(true));
    QVERIFY(wait_until_stands(panel.bridge));
    panel.bridge.step(Granularity::kStep);
    QVERIFY(wait_until_stands(panel.bridge));
    const Scenario before = panel.now();
    QTableView& table = *panel.widget->table();
    const auto cell = [&](int row, int column) {
      return table.model()->index(row, column).data().toString();
    };
    ScenarioRequest wanted = before.requests.front();
    wanted.name = "fork";
    panel.control.add_to_run(wanted, {});
    QCOMPARE(table.model()->rowCount(), 2);
    QCOMPARE(cell(1, RequestModel::kName), QStringLiteral("+ fork"));
    QCOMPARE(cell(1, RequestModel::kState), QStringLiteral("Next step"));
    panel.bridge.run();
    QVERIFY(wait_until_phase(panel.bridge, EnginePhase::kFinished));
    QTRY_COMPARE(cell(1, RequestModel::kState), state_words(panel.bridge.snapshot()->requests[1]));
    QCOMPARE(cell(1, RequestModel::kGenerated), QStringLiteral("6"));

    // Nothing of a request that was added to the run can be edited.
    const QWidget& fields = *panel.widget->form()->request_part();
    const QLabel& note = *panel.widget->addition_note();
    QVERIFY(fields.isVisible() && !note.isVisible());
    table.setCurrentIndex(table.model()->index(1, 0));
    QVERIFY(!fields.isVisible() && note.isVisible());
    QVERIFY2(note.text().contains(QStringLiteral("was added to the run")), qPrintable(note.text()));
    QCOMPARE(panel.selection.shown_request(), int64_t{1});
    QVERIFY(panel.now() == before && !panel.control.has_changes());
    panel.selection.show(0, 0, 0);
    QCOMPARE(table.currentIndex().row(), 0);
    QVERIFY(fields.isVisible() && !note.isVisible());
    panel.selection.show(1, 0, 0);
    QCOMPARE(table.currentIndex().row(), 1);
    panel.widget->edit_prompt();
    QCOMPARE(table.currentIndex().row(), 0);

    cursor.go_to(1);
    QCOMPARE(cell(1, RequestModel::kState), QStringLiteral("Later"));
    cursor.go_live();

    // When the run comes back, so does the row of the added request.
    QVERIFY(panel.control.start());
    QCOMPARE(table.model()->rowCount(), 1);
    QVERIFY(wait_until_phase(panel.bridge, EnginePhase::kFinished));
    panel.control.go_back();
    QTRY_COMPARE(table.model()->rowCount(), 2);
    QCOMPARE(cell(1, RequestModel::kName), QStringLiteral("+ fork"));
    QVERIFY(panel.now() == before);
  }

  void a_request_that_is_taken_back_has_no_row() {
    Panel panel(synthetic_scenario(24, 6));
    QVERIFY(panel.control.start(true));
    QVERIFY(wait_until_stands(panel.bridge));
    QAbstractItemModel& rows = *panel.widget->table()->model();
    ScenarioRequest wanted = panel.now().requests.front();
    wanted.name = "fork";
    panel.control.add_to_run(wanted, {});
    panel.control.add_to_run(wanted, {});
    QCOMPARE(rows.rowCount(), 3);
    QCOMPARE(rows.index(2, 0).data().toString(), QStringLiteral("+ fork 2"));
    panel.control.undo_addition();
    QCOMPARE(rows.rowCount(), 2);
    panel.bridge.step(Granularity::kStep);
    QTRY_VERIFY(panel.bridge.snapshot()->requests.size() == 3);
    QCOMPARE(rows.rowCount(), 2);
    // A request added to the scenario comes before those of the run alone, and is chosen.
    panel.widget->table()->setCurrentIndex(rows.index(1, 0));
    QVERIFY(panel.widget->addition_note()->isVisible());
    wanted.name = "planned";
    QVERIFY(panel.control.add_request(wanted));
    QCOMPARE(rows.index(1, 0).data().toString(), QStringLiteral("planned"));
    QCOMPARE(rows.index(2, 0).data().toString(), QStringLiteral("+ fork"));
    QVERIFY(!panel.widget->addition_note()->isVisible());
    QCOMPARE(panel.widget->form()->request_index(), panel.widget->table()->currentIndex().row());
    panel.control.undo_addition();
    panel.control.undo_addition();
    QCOMPARE(rows.rowCount(), 1);
    panel.bridge.run();
    QVERIFY(wait_until_phase(panel.bridge, EnginePhase::kFinished));
    QCOMPARE(rows.rowCount(), 1);
    // A request that has ended stays in the run, so its row stays, too.
    panel.control.add_to_run(wanted, {});
    QTRY_VERIFY(panel.bridge.snapshot()->requests.size() == 5 &&
                is_finished(panel.bridge.snapshot()->requests.back().state));
    panel.control.undo_addition();
    QCOMPARE(rows.rowCount(), 2);
  }

  void arrivals() {
    Panel panel(load_scenario(find_scenario("many-users")));
    const Form form = panel.form();
    Scenario expected = panel.now();
    QVERIFY(!form.offers("$.requests[].arrival_s"));
    QVERIFY(!form.offers("$.arrivals.rate_per_s"));
    QVERIFY(!form.offers("$.seed"));
    form.choose("$.arrivals.kind", "listed");
    QVERIFY(form.offers("$.requests[].arrival_s"));
    panel.widget->choose_request(1);
    form.type("$.requests[].arrival_s", "1.5");
    expected.arrivals.kind = ArrivalKind::kListed;
    expected.requests[1].arrival_s = 1.5;
    QVERIFY(panel.now() == expected);
    validate(panel.now());
    form.choose("$.arrivals.kind", "poisson");
    QVERIFY(!form.offers("$.requests[].arrival_s"));
    form.type("$.arrivals.rate_per_s", "12.5");
    form.type("$.seed", "9");
    expected.arrivals = {ArrivalKind::kPoisson, 12.5};
    expected.requests[1].arrival_s = 0;
    expected.seed = 9;
    QVERIFY(panel.now() == expected);
    validate(panel.now());
  }

  void swapping_gets_a_pool() {
    Panel panel(load_scenario(find_scenario("full-house")));
    const Form form = panel.form();
    Scenario expected = panel.now();
    QVERIFY(!form.offers("$.engine.num_swap_blocks"));
    form.choose("$.engine.preemption", "swap");
    expected.engine.preemption = PreemptionMode::kSwap;
    expected.engine.num_swap_blocks = expected.engine.num_blocks;
    QVERIFY(panel.now() == expected);
    QVERIFY(form.offers("$.engine.num_swap_blocks"));
    form.type("$.engine.num_swap_blocks", "0");
    QVERIFY(form.at("$.engine.num_swap_blocks")->has_problem());
    QVERIFY(panel.control.problem().contains(QStringLiteral("swap pool")));
    form.type("$.engine.num_swap_blocks", "17");
    expected.engine.num_swap_blocks = 17;
    QVERIFY(panel.now() == expected);
    QVERIFY(!form.at("$.engine.num_swap_blocks")->has_problem());
  }

  void refused_values_open_the_section_and_say_so() {
    Panel panel(load_scenario(find_scenario("many-users")));
    const Form form = panel.form();
    QVERIFY(QTest::qWaitForWindowExposed(panel.widget.get()));
    MoreSection* section = form.section("$.requests[].n");
    QVERIFY(section);
    QVERIFY(!section->is_open());
    QVERIFY(!form.at("$.requests[].n")->isVisible());
    form.type("$.requests[].n", "99");
    QVERIFY(section->is_open());
    QVERIFY(form.at("$.requests[].n")->isVisible());
    QVERIFY(form.at("$.requests[].n")->has_problem());
    form.type("$.requests[].n", "2");
    QVERIFY(!form.at("$.requests[].n")->has_problem());
    section->set_open(false);
    form.type("$.requests[].priority", "first");
    const auto can_start = [&] {
      for (const QPushButton* button : panel.widget->findChildren<QPushButton*>())
        if (button->isDefault()) return button->isEnabled();
      return false;
    };
    QVERIFY(!can_start());
    const std::string blocks = std::to_string(panel.now().engine.num_blocks);
    for (const auto& [typed, why] : {std::pair{"first", "is not a number"},
                                     {"1.5", "is not a whole number"},
                                     {"1e30", "is too large"},
                                     {"-1e30", "is too small"},
                                     {"99999999999999999999", "is too large"},
                                     {"nan", "not a number"}}) {
      form.type("$.engine.num_blocks", typed);
      const QString told =
          qobject_cast<NumberEdit*>(form.at("$.engine.num_blocks")->editor())->trouble();
      QVERIFY2(told.contains(QLatin1String(why)), qPrintable(told));
    }
    form.type("$.engine.num_blocks", blocks.c_str());
    form.type("$.requests[].priority", "-");
    QCOMPARE(qobject_cast<NumberEdit*>(form.at("$.requests[].priority")->editor())->text(),
             QStringLiteral("-"));
    form.type("$.requests[].priority", "-1");
    QVERIFY(can_start());
    QCOMPARE(panel.now().requests[0].priority, int64_t{-1});
    form.type("$.engine.watermark", "1.5");
    QVERIFY(form.section("$.engine.watermark")->is_open());
    QVERIFY(form.at("$.engine.watermark")->has_problem());
  }

  void sections_open_where_something_is_set() {
    Panel panel(load_scenario(find_scenario("beam-search")));
    const Form form = panel.form();
    QVERIFY(form.section("$.requests[].beam_width")->is_open());
    QVERIFY(form.offers("$.requests[].length_penalty"));
    QVERIFY(!form.section("$.engine.watermark")->is_open());
    form.type("$.requests[].beam_width", "1");
    QVERIFY(!form.offers("$.requests[].length_penalty"));
    QVERIFY(form.section("$.requests[].beam_width")->is_open());
    QVERIFY(panel.control.open(QStringLiteral("full-house-swap")));
    QVERIFY(form.section("$.engine.num_swap_blocks")->is_open());
    QVERIFY(!form.section("$.requests[].beam_width")->is_open());
  }

  void ctrl_enter_in_a_field_starts_the_run() {
    Panel panel(synthetic_scenario(24, 3));
    const Form form = panel.form();
    QWidget* editor = form.at("$.requests[].max_tokens")->editor();
    form.type("$.requests[].max_tokens", "two");
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(!panel.control.has_begun());
    form.type("$.requests[].max_tokens", "2");
    QTest::keyClick(editor, Qt::Key_Return);
    QVERIFY(!panel.control.has_begun());
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(panel.control.has_begun());
    QVERIFY(wait_until_phase(panel.bridge, EnginePhase::kFinished));
    QCOMPARE(panel.bridge.snapshot()->scenario->requests.front().max_tokens, 2);
  }

  void a_mistake_that_is_gone_is_not_told_any_more() {
    Panel panel(synthetic_scenario(24, 3));
    QSignalSpy told(&panel.control, &RunControl::message);
    QSignalSpy settled(&panel.control, &RunControl::settled);
    Scenario scenario = panel.now();
    scenario.requests.front().prompt_tokens = 0;
    panel.control.edit(scenario);
    QVERIFY(!panel.control.start());
    QCOMPARE(told.count(), 1);
    scenario.seed = 8;
    panel.control.edit(scenario);
    QCOMPARE(settled.count(), 0);
    scenario.requests.front().prompt_tokens = 24;
    panel.control.edit(scenario);
    QCOMPARE(settled.count(), 1);
    QVERIFY(told.front().at(2).toString().startsWith(settled.front().front().toString()));
  }

  void an_encoder_offers_nothing_that_decodes() {
    Panel panel(load_scenario(find_scenario("encoder")));
    const Form form = panel.form();
    for (const char* path :
         {"$.requests[].n", "$.requests[].beam_width", "$.engine.enable_prefix_caching"})
      QVERIFY2(!form.offers(path), path);
  }

  void tooltips_say_what_backends_answer() {
    Panel panel(load_scenario(find_scenario("first-look")));
    const Form form = panel.form();
    const auto says = [&](const char* path, const char* words) {
      const QString tip = form.at(path)->toolTip();
      QVERIFY2(tip.contains(QString::fromUtf8(words)), qPrintable(tip));
    };
    says("$.attention.logits_soft_cap",
         "Backends that refuse it, or ignore it if Extended is on: torch_sdpa, xformers. Backends "
         "that refuse it: pallas.");
    says("$.attention.blocksparse", "Backends that refuse it: torch_sdpa, xformers, pallas.");
    for (const AttentionBackend* backend : registered_backends())
      for (const char* path : {"$.attention.logits_soft_cap", "$.attention.blocksparse"})
        says(path, std::string(backend->name()).c_str());
    for (const char* words :
         {"Chunks of prompts: torch_sdpa, pallas.", "Prompts with cached tokens: torch_sdpa.",
          "Mixed batches: torch_sdpa, pallas.",
          "Cache types other than auto: torch_sdpa (f32, bf16, f16, fp8_e4m3, fp8_e5m2).",
          "A soft cap, which is ignored with a warning: torch_sdpa, xformers."})
      says("$.engine.extended", words);
  }

  void quantised_caches_have_scales() {
    Panel panel(load_scenario(find_scenario("first-look")));
    const Form form = panel.form();
    const auto* scenario_form = panel.widget->findChild<ScenarioForm*>();
    QVERIFY(scenario_form);
    QVERIFY(!form.offers("$.engine.k_scale") && scenario_form->cache_note()->isHidden());
    form.choose("$.engine.kv_cache_dtype", "fp8_e4m3");
    QVERIFY(form.offers("$.engine.k_scale") && form.offers("$.engine.v_scale"));
    form.type("$.engine.k_scale", "0.5");
    QCOMPARE(panel.now().engine.kv_cache_dtype, "fp8_e4m3");
    QCOMPARE(panel.now().engine.k_scale, 0.5);
    const QString note = scenario_form->cache_note()->text();
    QVERIFY2(note.contains(QStringLiteral("448 × 0.5 = 224")) &&
                 note.contains(QStringLiteral("448 × 1 = 448")),
             qPrintable(note));
    form.choose("$.engine.kv_cache_dtype", "bf16");  // a cache in bf16 has no scales
    QCOMPARE(panel.now().engine.k_scale, 1.0);
    QVERIFY(!form.offers("$.engine.k_scale") && scenario_form->cache_note()->isHidden());
    form.choose("$.engine.kv_cache_dtype", "int8");
    QVERIFY(scenario_form->cache_note()->text().contains(QStringLiteral("127 × 1 = 127")));
    Scenario by_head = panel.now();
    by_head.engine.k_head_scales = {0.5};
    panel.control.edit(by_head);
    QVERIFY(scenario_form->cache_note()->text().contains(QStringLiteral("KV heads have scales")));
    form.choose("$.engine.kv_cache_dtype", "fp8_e5m2");
    QVERIFY(panel.now().engine.k_head_scales.empty());
    form.choose("$.engine.extended", "on");
    QVERIFY(panel.now().engine.extended);
    Scenario short_name = panel.now();
    short_name.engine.kv_cache_dtype = "fp8";
    panel.control.edit(short_name);
    form.choose("$.engine.extended", "off");
    QCOMPARE(panel.now().engine.kv_cache_dtype, "fp8");
  }

  void every_key_has_a_field() {
    Panel panel(load_scenario(find_scenario("first-look")));
    const Form form = panel.form();
    for (const char* path :
         {"$.requests[].n", "$.requests[].beam_width", "$.requests[].length_penalty",
          "$.requests[].early_stopping", "$.requests[].priority", "$.requests[].arrival_s",
          "$.arrivals.kind", "$.arrivals.rate_per_s", "$.seed", "$.engine.policy",
          "$.engine.preemption", "$.engine.num_swap_blocks", "$.engine.enable_prefix_caching",
          "$.engine.watermark", "$.engine.kv_cache_dtype", "$.engine.k_scale", "$.engine.v_scale",
          "$.engine.extended"}) {
      const Field* field = form.at(path);
      QVERIFY2(field, path);
      QVERIFY2(field->toolTip().endsWith(QLatin1Char('.')), path);
      QVERIFY2(!field->editor()->accessibleName().isEmpty(), path);
    }
  }
};

ATTN_QT_TEST(test_workload_fields, attn::gui::test::run<TestWorkloadFields>)
#include "test_workload_fields.moc"
