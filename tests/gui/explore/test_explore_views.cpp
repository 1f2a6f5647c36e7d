// SPDX-License-Identifier: GPL-3.0-or-later
// The views Next token, Logit lens, Knock-out, "Who said it" and Rollout, and changed requests.
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "backends/register_all.h"
#include "engine/model/files/safetensors.h"
#include "engine/session/report/report.h"
#include "engine/session/scenario/model_scenario.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/explore/attribution/attribution_view.h"
#include "gui/views/explore/knock_out/knock_out_view.h"
#include "gui/views/explore/lens/lens_view.h"
#include "gui/views/explore/next_token/next_token_view.h"
#include "gui/views/explore/rollout/rollout_view.h"
#include "gui/views/inspector/inspector_content.h"
#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/text/ticks.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario explore_scenario() {
  Scenario scenario = deterministic("first-look", 6);
  scenario.requests.resize(1);
  scenario.requests[0].sampling.temperature = 0.8;
  scenario.requests[0].sampling.top_k = 20;
  scenario.requests[0].sampling.top_p = 0.9;
  scenario.requests[0].sampling.seed = 7;
  return scenario;
}

QString texts_of(gui::View& view) {
  TextRecorder device(view.export_size());
  QPainter painter(&device);
  view.paint_content(painter, device.bounds());
  painter.end();
  QStringList texts;
  for (const DrawnText& text : device.texts()) texts << text.text;
  return texts.join(QLatin1Char(' '));
}

}  // namespace

class TestExploreViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    stage_ = std::make_unique<Stage>(explore_scenario());
    next_ = &stage_->add<NextTokenView>("next_token", {800, 560});
    lens_ = &stage_->add<LensView>("lens", {800, 560});
    knock_ = &stage_->add<KnockOutView>("knock_out", {800, 560});
    who_ = &stage_->add<AttributionView>("attribution", {800, 560});
    rollout_ = &stage_->add<RolloutView>("rollout", {800, 560});
    heatmap_ = &stage_->add<HeatmapView>("heatmap", {800, 400});
    heads_ = &stage_->add<HeadGridView>("heads", {800, 400});
    QVERIFY(stage_->run_to_end());
  }
  void init() { fail_on_warnings(); }
  void cleanupTestCase() { stage_.reset(); }

  void off_until_switched_on() {
    for (ExploreView* view : all()) {
      QVERIFY(!view->canvas().picture());
      QVERIFY(view->canvas().waiting_text().contains(QStringLiteral("KiB")) ||
              view->canvas().waiting_text().contains(QStringLiteral("MiB")));
      QVERIFY(!view->nothing_to_export().isEmpty());
      QVERIFY(view->canvas().on_button()->isVisible());
    }
    QTest::mouseClick(lens_->canvas().on_button(), Qt::LeftButton);
    QTRY_VERIFY(lens_->canvas().picture() && !lens_->is_behind());
    QVERIFY(!lens_->canvas().on_button()->isVisible());
    QVERIFY(lens_->canvas().hasFocus());
    for (ExploreView* view : all()) {
      view->choose({});
      QVERIFY(view->canvas().picture());
      QVERIFY(view->nothing_to_export().isEmpty());
      QVERIFY(!view->csv().isEmpty());
      QVERIFY(view->canvas().accessibleDescription().size() > 15);
      // Knock-out has no checks while nothing is knocked out.
      QCOMPARE(view->canvas().picture()->frame().checks.isEmpty(), view == knock_);
      QVERIFY(view->export_size().height() > 100);
    }
  }

  void a_place_has_words_and_numbers() {
    for (ExploreView* view : all()) {
      ExploreCanvas& canvas = view->canvas();
      canvas.set_cursor(canvas.picture()->moved({}, 0, 1));
      const auto place = canvas.place_of_selection();
      QVERIFY(place);
      const ViewPoint point = canvas.point_at(*place);
      QVERIFY(!point.text.isEmpty());
      QVERIFY(!point.numbers.empty() || view == knock_);  // its heads are switches without numbers
      QVERIFY(!canvas.tooltip_at(*place).isEmpty());
      canvas.set_cursor({});
    }
  }

  void the_sampler_draws_the_run_again() {
    const NextTokenData& data = *next_->data();
    QCOMPARE(data.drawn_before, 6);
    QCOMPARE(data.redrawn, 6);
    QVERIFY(data.next.residue < 1e-9);
    QCOMPARE(data.next.token, request().tokens->back().id);
    QCOMPARE(std::ssize(data.past), std::ssize(*request().tokens) - 1);
    QVERIFY(data.next.candidates <= 20 && data.next.cut_by_top_k > 0);
  }

  void the_keyboard_goes_from_token_to_token() {
    const int64_t last = next_->data()->position;
    next_->canvas().setFocus();
    QTest::keyClick(&next_->canvas(), Qt::Key_Left);
    QTRY_VERIFY(!next_->is_behind() && next_->data()->position == last - 1);
    QCOMPARE(stage_->selection.state().query, last - 1);
    QTest::keyClick(&next_->canvas(), Qt::Key_C);
    QVERIFY(next_->rank_button()->isChecked());
    QTest::keyClick(&next_->canvas(), Qt::Key_Escape);
    QTRY_VERIFY(!next_->is_behind() && next_->data()->position == last);
  }

  void the_last_row_of_the_lens_has_the_bits_of_the_logits() {
    const LensData& data = *lens_->data();
    QCOMPARE(data.residue, 0.0);
    QCOMPARE(data.lens.count, std::ssize(*request().tokens) - 1);
    QCOMPARE(data.lens.sites.size(), size_t(1 + 2 * 6));
    QVERIFY(lens_->canvas().picture()->sentence().contains(
        QStringLiteral("probability of the token that follows")));
    lens_->canvas().setFocus();
    QTest::keyClick(&lens_->canvas(), Qt::Key_Down);
    QTRY_VERIFY(lens_->bars());
    const LensCell& cell = data.lens.cell(lens_->bars()->site, lens_->bars()->position);
    QCOMPARE(lens_->bars()->next.choices.front().token, cell.best);
    stage_->selection.clear();
  }

  // The lens shows only the end of a long text: its first column is not position 0.
  void a_lens_of_the_end_of_a_text_has_the_positions_of_the_text() {
    auto data = std::make_shared<LensData>();
    data->lens.first = 40;
    data->lens.count = 1;
    data->lens.sites = {LensSite{}};
    data->lens.cells = {LensCell{}};
    data->lens.wanted = {5};
    data->best = data->wanted = data->tokens = {QStringLiteral("word")};
    data->plain_best = data->plain_wanted = data->plain_tokens = {" word"};
    data->token_ids = {7};
    const LensPicture picture(plain_frame(1), {.data = data, .bars = {}, .request = 0, .rows = 1});
    const Spot spot{LensPicture::kGrid, 0, 0};
    QVERIFY(picture.csv().find("\nembedding,40, word,") != std::string::npos);
    QCOMPARE(picture.things(spot).front().query, int64_t{40});
    QVERIFY(picture.words(spot).contains(QStringLiteral("position 40")));
  }

  void a_table_of_shares_names_its_two_tokens() {
    QTRY_VERIFY(!who_->is_behind());
    const Attribution& shares = who_->data()->shares;
    const auto& tokens = *request().tokens;
    const QList<QByteArray> lines = who_->csv().trimmed().split('\n');
    QCOMPARE(lines.front(), QByteArray("part,layer,head,share,position,after_text,token_a,text_a,"
                                       "token_b,text_b"));
    for (const QByteArray& line : lines.mid(1)) {
      QCOMPARE(line.split(',')[4].toLongLong(), shares.position);
      QCOMPARE(line.split(',')[6].toInt(), shares.token_a);
      QCOMPARE(line.split(',')[8].toInt(), shares.token_b);
      QVERIFY(line.contains(
          QByteArray::fromStdString(tokens[static_cast<size_t>(shares.position)].text.str())));
    }
  }

  void tables_spell_tokens_alike() {
    knock_->list().set({Intervention{.layer = 4, .head = 2}});
    QTRY_VERIFY(!knock_->is_behind() && knock_->data());
    const QByteArray text = csv_cell((*request().tokens)[1].text.str()).c_str();
    QVERIFY2(text.startsWith(' '), text.constData());
    QVERIFY(lens_->csv().contains(',' + QByteArray::number((*request().tokens)[0].id) + ','));
    for (ExploreView* view : all()) {
      if (view == who_) continue;
      QVERIFY2(view->csv().contains(',' + text + ','), qPrintable(view->export_name()));
      QVERIFY2(!view->csv().contains("\xc2\xb7"), qPrintable(view->export_name()));
      QVERIFY2(!view->csv().contains("\xe2\x80\x9c"), qPrintable(view->export_name()));
    }
    QVERIFY(knock_->csv().contains(",next_text,best_before_text,best_after_text\nhead 4.2 off,"));
    knock_->list().clear();
    QTRY_VERIFY(!knock_->is_behind());
  }

  void ranks_count_from_0() {
    QVERIFY(lens_->csv().left(200).contains(",rank_from_0,"));
    QVERIFY(next_->csv().left(200).contains(",rank_from_0\n"));
    const LensData& data = *lens_->data();
    const size_t top = data.lens.sites.size() - 1;
    const auto of =
        lens_->canvas().picture()->explain({LensPicture::kGrid, static_cast<int64_t>(top), 2});
    const auto rank = std::ranges::find_if(of->numbers, [](const auto& number) {
      return number.first.startsWith(QStringLiteral("rank of"));
    });
    QVERIFY(rank != of->numbers.end());
    QCOMPARE(rank->second, QString::number(data.lens.cell(top, data.lens.first + 2).rank));
  }

  void a_selected_token_is_told_in_the_title() {
    knock_->list().set({Intervention{.layer = 4, .head = 2}});
    stage_->selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 4});
    QTRY_VERIFY(!next_->is_behind() && next_->data()->position == 4);
    QVERIFY2(texts_of(*next_).contains(QStringLiteral("Token 4, the selected one, is ")),
             qPrintable(texts_of(*next_)));
    QTRY_VERIFY(!knock_->is_behind() && knock_->bars() && knock_->bars()->row == 4);
    QVERIFY2(texts_of(*knock_).contains(QStringLiteral(", the selected token 4? Token 5")),
             qPrintable(texts_of(*knock_)));
    stage_->selection.clear();
    knock_->list().clear();
    QTRY_VERIFY(!knock_->is_behind() && !next_->is_behind());
  }

  // With all heads at their mean the changed request writes another answer.
  void a_grey_tail_is_explained() {
    const QString grey = QStringLiteral("Grey tokens are not compared");
    Intervention what{.layer = 4, .head = 2};
    knock_->list().set({what});
    QTRY_VERIFY(knock_->data() && !knock_->is_behind());
    QVERIFY(!texts_of(*knock_).contains(grey));
    what.with = Replacement::kMean;
    std::vector<Intervention> all;
    for (what.layer = 0; what.layer < 6; ++what.layer)
      for (what.head = 0; what.head < 6; ++what.head) all.push_back(what);
    knock_->list().set(all);
    QTRY_VERIFY(knock_->data() && !knock_->is_behind());
    const int64_t rows = std::ssize(knock_->data()->result.rows);
    QVERIFY(rows < std::ssize(*request().tokens) - 1);
    QVERIFY2(texts_of(*knock_).contains(grey), qPrintable(texts_of(*knock_)));
    QVERIFY(knock_->canvas().picture()->words({KnockOutPicture::kText, rows, 0}).contains(grey));
    knock_->list().clear();
    QTRY_VERIFY(!knock_->is_behind());
  }

  void an_encoder_says_what_belongs_in_a_place() {
    const FamilyCase bert("bert_1");
    const auto folder = bert.write();
    std::ofstream(folder / "tokenizer.json")
        << R"({"added_tokens": [{"id": 4, "content": "[MASK]", "special": true}],
               "model": {"type": "BPE", "vocab": {"<unk>": 0, "a": 1, "b": 2, "ab": 3},
                         "merges": ["a b"]}})";
    Scenario scenario = attn::model_scenario(folder);
    QCOMPARE(scenario.requests[0].prompt, std::string("Paris is the [MASK] of France."));
    scenario.requests[0].prompt = "ab[MASK]a";
    scenario.engine.clock = ClockKind::kVirtual;
    scenario.engine.threads = 1;
    scenario.view.pace_tiles_per_s = 0;
    Stage stage(scenario);
    auto& view = stage.add<NextTokenView>("next_token", {800, 560});
    auto& knock = stage.add<KnockOutView>("knock_out", {800, 560});
    view.inside_switch().setChecked(true);
    QVERIFY(stage.run_to_end());
    QTRY_VERIFY(!view.is_behind() && view.canvas().picture());
    knock.choose({});
    QVERIFY(texts_of(knock).contains(QStringLiteral("in the place of each token changes")));
    knock.list().set({Intervention{.layer = 0, .head = 0}});
    QTRY_VERIFY(knock.data() && !knock.is_behind() && knock.bars());
    QVERIFY2(texts_of(knock).contains(QStringLiteral("What belongs in the place of token 1")) &&
                 !texts_of(knock).contains(QStringLiteral("answer")),
             qPrintable(texts_of(knock)));
    QCOMPARE(knock.data()->result.rows.size(), size_t{3});
    knock.list().clear();
    QCOMPARE(view.data()->position, 1);
    QCOMPARE(view.data()->past.size(), size_t{3});
    QCOMPARE(view.data()->past.front().position, 0);
    QString texts = texts_of(view);
    QVERIFY2(texts.contains(QStringLiteral("What belongs at token 1?")) &&
                 texts.contains(QStringLiteral("This token is hidden")) &&
                 !texts.contains(QStringLiteral("random number")),
             qPrintable(texts));
    view.go_on_with(3);
    QTRY_COMPARE(stage.bridge.snapshot()->requests.size(), size_t{2});
    QVERIFY(wait_until_phase(stage.bridge, EnginePhase::kFinished));
    const auto& filled = *stage.bridge.snapshot()->requests[1].tokens;
    QCOMPARE(filled[0].id, 3);
    QCOMPARE(filled[1].id, 3);
    QCOMPARE(filled[2].id, 1);
    stage.selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 2});
    QTRY_VERIFY(!view.is_behind() && view.data()->position == 2);
    texts = texts_of(view);
    QVERIFY2(texts.contains(QStringLiteral("token 2, the selected one?")) &&
                 texts.contains(QStringLiteral("it has read this token")),
             qPrintable(texts));
  }

  void the_shares_add_up() {
    QTRY_VERIFY(!who_->is_behind());
    QVERIFY(std::abs(who_->data()->shares.residue()) < 1e-4);
    QVERIFY(std::abs(who_->data()->logit_a - who_->data()->logit_b -
                     who_->data()->shares.difference) < 1e-4);
  }

  void the_rollout_is_that_of_the_engine() {
    QTRY_VERIFY(!rollout_->is_behind());
    const Rollout shown = rollout_->data()->rollout;
    const AttentionRecord& record = *stage_->bridge.snapshot()->requests.front().attention;
    const Rollout of_run = rollout(record, shown.rows);
    QCOMPARE(shown.layers.size(), of_run.layers.size());
    for (size_t i = 0; i < of_run.layers.back().size(); ++i)
      QVERIFY(std::abs(shown.layers.back()[i] - of_run.layers.back()[i]) < 1e-5);
    QVERIFY(shown.residue() < 1e-9);
    ExploreCanvas& canvas = rollout_->canvas();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_W);
    QTRY_VERIFY(!rollout_->is_behind() && rollout_->data()->without_first);
    for (int64_t row = 1; row < shown.rows; ++row)
      QCOMPARE(rollout_->data()->rollout.layers.back()[static_cast<size_t>(row * shown.rows)], 0.0);
    QVERIFY(canvas.picture()->sentence().contains(QStringLiteral("without the first token")));
    QVERIFY(rollout_->options()[QLatin1String("without_first")].toBool());
    canvas.set_cursor({RolloutPicture::kLayers, 3, 0});
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.place_of_selection()->toPoint());
    QCOMPARE(stage_->selection.shown_layer(), 3);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QTest::keyClick(&canvas, Qt::Key_W);
    QTRY_VERIFY(!rollout_->is_behind() && !rollout_->data()->without_first);
  }

  void a_head_that_is_off_changes_the_distributions() {
    Intervention what;
    what.layer = 4;
    what.head = 2;
    knock_->list().toggle(what);
    QTRY_VERIFY(knock_->data() && !knock_->is_behind());
    const WhatIf& result = knock_->data()->result;
    QVERIFY(result.changed_numbers.at(0) > 0);
    QVERIFY(std::ranges::all_of(result.rows,
                                [](const WhatIfRow& row) { return row.divergence > -1e-9; }));
    QVERIFY(std::ranges::any_of(result.rows,
                                [](const WhatIfRow& row) { return row.divergence > 1e-6; }));
    QVERIFY(knock_->canvas().picture()->frame().marks.join(u' ').contains(
        QStringLiteral("head 4.2 off")));
    QVERIFY(knock_->csv().contains("head 4.2 off"));
    double sum = 0;
    for (const KnockOutBar& bar : knock_->bars()->bars) sum += bar.before;
    QVERIFY(sum > 0 && sum <= 1 + 1e-9);
  }

  void only_a_change_can_be_added_to_the_run() {
    const auto buttons = knock_->findChildren<QPushButton*>();
    const auto add =
        std::ranges::find(buttons, QStringLiteral("Add to the run"), &QPushButton::text);
    QVERIFY(add != buttons.end());
    knock_->list().clear();
    QVERIFY(!(*add)->isEnabled());
    Intervention what;
    what.layer = 4;
    what.head = 2;
    knock_->list().toggle(what);
    QVERIFY((*add)->isEnabled());
    QTRY_VERIFY(knock_->data() && !knock_->is_behind());
    QVERIFY((*add)->isEnabled());
    knock_->list().toggle(what);
    QVERIFY(!(*add)->isEnabled());
    QTRY_VERIFY(!knock_->data() && !knock_->is_behind());
    QVERIFY(!(*add)->isEnabled());
  }

  void a_sink_is_taken_out() {
    stage_->selection.show(0, 2, 1);
    knock_->list().clear();
    knock_->list().set({Intervention{.kind = InterventionKind::kSink, .layer = 2, .head = 1}});
    QTRY_VERIFY(!knock_->list_trouble().isEmpty());
    QVERIFY2(knock_->list_trouble().contains(QStringLiteral("no sink")),
             qPrintable(knock_->list_trouble()));
    knock_->list().clear();
    Scenario scenario = deterministic("first-look", 2);
    scenario.attention.sinks = {2};
    scenario.engine.backend = "unified";
    Stage stage(scenario);
    auto& view = stage.add<KnockOutView>("knock_out", {800, 560});
    view.inside_switch().setChecked(true);
    QVERIFY(stage.run_to_end());
    QTRY_VERIFY(!view.is_behind() && view.canvas().picture());
    stage.selection.show(0, 2, 1);
    QTest::keyClick(&view.canvas(), Qt::Key_L);
    QTRY_VERIFY(view.data() && !view.is_behind());
    QVERIFY(view.data()->result.changed_numbers.at(0) > 0);
    QVERIFY(view.csv().contains("\nsink of head 2.1 off,0,"));
    QCOMPARE(view.csv().count("interventions"), 1);
    view.add_to_run();
    QTRY_COMPARE(stage.bridge.snapshot()->requests.size(), size_t{2});
    QVERIFY(wait_until_phase(stage.bridge, EnginePhase::kFinished));
    const std::vector<Intervention> list = view.list().list();
    stage.selection.show(stage.bridge.snapshot()->requests.back().id, 2, 1);
    QTRY_VERIFY(view.canvas().picture() && view.canvas().picture()->sentence().contains(
                                               QStringLiteral("has these changes already")));
    QVERIFY2(view.list_trouble().isEmpty(), qPrintable(view.list_trouble()));
    view.throw_if_refused();
    view.list().clear();
    QTRY_VERIFY(view.canvas().picture() && view.canvas().picture()->frame().marks.contains(
                                               QStringLiteral("sink of head 2.1 off")));
    const InterventionsLine line(stage.bridge, stage.selection, nullptr);
    QCOMPARE(line.interventions(), QStringList{QStringLiteral("sink of head 2.1 off")});
    const auto words = knock_out_from_word("4.2,2.1=sink");
    QVERIFY(words && words->size() == 2 && (*words)[1] == list.front());
    QVERIFY(knock_out_from_word("L4H2,L2H1=sink") == words);
    for (const char* wrong : {"2.1=sinks", "L2.1", "2H1", "L2H", "l2h1", "L2H1,2.1"})
      QVERIFY2(!knock_out_from_word(wrong), wrong);
  }

  void one_that_changes_nothing_is_refused() {
    Intervention beyond;
    beyond.layer = 1;
    beyond.head = 1;
    beyond.position = 100000;
    knock_->list().set({beyond});
    QTRY_VERIFY(!knock_->list_trouble().isEmpty());
    QVERIFY2(knock_->list_trouble().contains(QStringLiteral("changed nothing")) ||
                 knock_->list_trouble().contains(QStringLiteral("position")),
             qPrintable(knock_->list_trouble()));
    QVERIFY(!knock_->data());
    knock_->list().clear();
    QTRY_VERIFY(!knock_->is_behind());
  }

  void a_clicked_number_is_explained() {
    const auto explained = [&](ExploreView& view, const Spot& spot) {
      view.canvas().set_cursor(spot);
      QTest::mouseClick(&view.canvas(), Qt::LeftButton, {},
                        view.canvas().place_of_selection()->toPoint());
      return stage_->selection.explained();
    };
    const auto lens = explained(*lens_, {LensPicture::kGrid, 3, 2});
    QVERIFY(lens);
    const LensCell& cell = lens_->data()->lens.cell(3, lens_->data()->lens.first + 2);
    QVERIFY(lens->title.contains(QStringLiteral("position 2")));
    QCOMPARE(lens->numbers[2].second, format_number(cell.probability, 7));
    QVERIFY2(
        lens->formulas[2].endsWith(QStringLiteral("= ") + format_number(cell.probability, 5)) ||
            std::abs(lens->formulas[2].section(QLatin1Char(' '), -1).toDouble() / cell.probability -
                     1) < 1e-4,
        qPrintable(lens->formulas[2]));
    InspectorInput input;
    input.snapshot = stage_->bridge.snapshot().get();
    input.selection = stage_->selection.state();
    input.explained = lens.get();
    const InspectorContent content = inspect(input);
    QCOMPARE(content.title, lens->title);
    const QString text = content.to_text();
    for (const QString& formula : lens->formulas) QVERIFY(text.contains(formula));
    QVERIFY(text.contains(lens->origin));
    QVERIFY(!content.empty &&
            text.contains(
                inspect({.snapshot = input.snapshot, .events = {}, .selection = input.selection})
                    .title));
    QTRY_VERIFY(!who_->is_behind() && who_->canvas().picture());
    const auto who = explained(*who_, {AttributionPicture::kGrid, 4, 2});
    QVERIFY(who && who->title.contains(QStringLiteral("head 4.2")));
    const Attribution& shares = who_->data()->shares;
    QVERIFY(who->numbers[1].second.endsWith(
        QLocale().toString(100 * shares.head(4, 2) / shares.difference, 'f', 1) +
        QLatin1Char('%')));
    QVERIFY2(std::abs(who->formulas[2].section(QLatin1Char(' '), -1).toDouble() -
                      shares.difference) < 1e-3,
             qPrintable(who->formulas[2]));
    const auto flow = explained(*rollout_, {RolloutPicture::kMap, 5, 0});
    QVERIFY(flow && flow->meaning.contains(QStringLiteral("position 5")));
    const auto& matrices = rollout_->data()->rollout.layers;
    const auto layer = static_cast<size_t>(stage_->selection.shown_layer());
    const auto at = static_cast<size_t>(5 * rollout_->data()->rollout.rows);
    QCOMPARE(flow->numbers[0].second, format_number(matrices[layer][at], 7));
    if (layer > 0) QCOMPARE(flow->numbers[1].second, format_number(matrices[layer - 1][at], 7));
    QTRY_VERIFY(!next_->is_behind() && next_->canvas().picture());
    const auto next = explained(*next_, {NextTokenPicture::kBars, 1, 0});
    QVERIFY(next && next->formulas.size() >= 2);
    QCOMPARE(next->numbers[1].second, format_number(next_->data()->next.choices[1].plain, 7));
    stage_->selection.clear();
    QVERIFY(!stage_->selection.explained());
    QTRY_VERIFY(!lens_->is_behind() && !next_->is_behind() && !who_->is_behind());
  }

  void the_written_sum_is_checked() {
    QTRY_VERIFY(!who_->is_behind() && who_->data());
    const auto& written = who_->data()->written;
    QVERIFY(written && written->largest > 0);
    QCOMPARE(written->heads, int64_t{36});
    QVERIFY(written->residue > 0 && written->residue < 1e-5 * written->largest);
    QVERIFY2(who_->canvas().picture()->frame().checks.at(1).contains(
                 QStringLiteral("stored outputs of 36 heads: residue ")),
             qPrintable(who_->canvas().picture()->frame().checks.join(QLatin1Char('|'))));
  }

  void a_past_step_shows_no_later_row() {
    stage_->cursor.go_to(2);
    QTRY_VERIFY(!next_->is_behind() && !lens_->is_behind());
    const int64_t then = std::ssize(*stage_->cursor.snapshot()->requests.front().tokens);
    QVERIFY(
        !rollout_->csv().contains('\n' + QByteArray::number(0) + ',' + QByteArray::number(then)));
    QVERIFY(next_->data()->position <= then);
    QCOMPARE(lens_->csv().count('\n'), 1 + 13 * (then - 1));
    stage_->cursor.go_live();
    QTRY_VERIFY(!next_->is_behind() && !lens_->is_behind());
  }

  void a_request_goes_on_with_another_token() {
    const int64_t position = next_->data()->position;
    const int32_t other = next_->data()->next.choices[1].token;
    ExploreCanvas& canvas = next_->canvas();
    canvas.set_cursor({NextTokenPicture::kBars, 1, 0});
    const auto bar = canvas.place_of_selection();
    QVERIFY(bar);
    QAction* go_on = next_->actions().front();
    next_->point_at(QPoint(1, 1));
    QVERIFY(!go_on->isVisible());
    next_->point_at(canvas.mapTo(next_, bar->toPoint()));
    QVERIFY(go_on->isVisible());
    go_on->trigger();
    QTRY_VERIFY(stage_->bridge.snapshot()->requests.size() == 2);
    QVERIFY(wait_until_phase(stage_->bridge, EnginePhase::kFinished));
    const RequestView& forked = stage_->bridge.snapshot()->requests.back();
    QCOMPARE(forked.prompt_len, position + 1);
    QCOMPARE((*forked.tokens)[static_cast<size_t>(position)].id, other);
    QTRY_COMPARE(stage_->selection.shown_request(), int64_t{forked.id});  // the view follows it
  }

  void the_changed_request_joins_the_run() {
    stage_->selection.show(0, 0, 0);
    Intervention what;
    what.layer = 4;
    what.head = 3;
    what.with = Replacement::kMean;
    knock_->list().set({what});
    QTRY_VERIFY(knock_->data() && !knock_->is_behind());
    knock_->add_to_run();
    QTRY_VERIFY(stage_->bridge.snapshot()->requests.size() == 3);
    QVERIFY(wait_until_phase(stage_->bridge, EnginePhase::kFinished));
    const RequestView& joined = stage_->bridge.snapshot()->requests.back();
    QVERIFY(QString::fromStdString(joined.name).contains(QStringLiteral("head 4.3 at its mean")));
    QCOMPARE(joined.interventions, knock_->list().list());
    const auto& answer = knock_->data()->result.answer_after;
    QVERIFY(std::ranges::equal(
        answer, std::span(*joined.tokens).subspan(static_cast<size_t>(joined.prompt_len)), {}, {},
        &TokenView::id));
    knock_->list().clear();
    stage_->selection.show(joined.id, 0, 0);
    QTRY_VERIFY(!next_->is_behind() && next_->canvas().picture());
    const QByteArray table = next_->csv();
    QVERIFY(table.left(table.indexOf('\n')).endsWith(",interventions"));
    QVERIFY(table.trimmed().endsWith(",head 4.3 at its mean"));
    QVERIFY(next_->canvas().picture()->frame().marks.join(u' ').contains(
        QStringLiteral("at its mean")));
    QCOMPARE(next_->data()->redrawn, next_->data()->drawn_before);
    const auto line_of = [](const QWidget& view) {
      return view.findChild<InterventionsLine*>()->interventions();
    };
    QCOMPARE(line_of(*heatmap_), QStringList{QStringLiteral("head 4.3 at its mean")});
    QCOMPARE(line_of(*heads_), line_of(*heatmap_));
    QCOMPARE(interventions_line_height(*heads_) > 0, true);
    for (gui::View* view : std::initializer_list<gui::View*>{heatmap_, heads_}) {
      const QByteArray cells = prepare_table(*view)();
      QVERIFY(cells.left(cells.indexOf('\n')).endsWith(",interventions"));
      QCOMPARE(cells.count(",head 4.3 at its mean\n"), cells.count('\n') - 1);
    }
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("heatmap.safetensors"));
    heatmap_->arrays()(file);
    QCOMPARE(SafetensorsFile::open(FilePath(file).path()).metadata().at("interventions"),
             std::string(R"(["head 4.3 at its mean"])"));
    InspectorInput input;
    input.snapshot = stage_->bridge.snapshot().get();
    input.selection = {.kind = SelectionKind::kCell,
                       .request = joined.id,
                       .layer = 2,
                       .head = 1,
                       .query = 3,
                       .key = 2};
    QVERIFY(inspect(input).items.front().text.contains(QStringLiteral("head 4.3 at its mean")));
    // A .npy file has no place for the intervention's name.
    const QString bare = folder.filePath(QStringLiteral("heatmap.npy"));
    QVERIFY_THROWS_EXCEPTION(Error, heatmap_->arrays()(bare));
    QVERIFY(!QFile::exists(bare));
    const int changed = prepare_image(*heads_, 1)().height();
    const auto& grid = heads_->findChild<HeadGridCanvas*>()->scene();
    QCOMPARE(grid.changed.at(4 * grid.num_heads + 3).word, QStringLiteral("mean"));
    QVERIFY(grid.sentence(4 * grid.num_heads + 3).contains(QStringLiteral("is replaced")));
    QVERIFY(heads_->findChild<RequestBox*>()->toolTip().contains(QStringLiteral("at its mean")));
    stage_->selection.show(0, 0, 0);
    QCOMPARE(interventions_line_height(*heads_), 0);
    QVERIFY(prepare_image(*heads_, 1)().height() < changed);
    QVERIFY(line_of(*heatmap_).isEmpty());
    QVERIFY(!prepare_table(*heatmap_)().contains("interventions"));
    heatmap_->arrays()(bare);
    QVERIFY(QFile::exists(bare));
  }

  void without_an_inside_the_changes_are_told() {
    stage_->selection.show(stage_->bridge.snapshot()->requests.back().id, 0, 0);
    knock_->list().set({Intervention{.layer = 1, .head = 2}});
    knock_->inside_switch().setChecked(false);
    QTRY_VERIFY(!lens_->canvas().picture() && !knock_->canvas().picture());
    QVERIFY2(lens_->canvas().waiting_text().contains(QStringLiteral("head 4.3 at its mean")),
             qPrintable(lens_->canvas().waiting_text()));
    QVERIFY2(knock_->canvas().waiting_text().contains(QStringLiteral("head 1.2 off")),
             qPrintable(knock_->canvas().waiting_text()));
    QVERIFY(knock_->canvas().on_button()->isVisible());
    knock_->list().clear();
    stage_->selection.show(0, 0, 0);
    QVERIFY(!lens_->canvas().waiting_text().contains(QStringLiteral("at its mean")));
    lens_->inside_switch().setChecked(true);
    QTRY_VERIFY(!lens_->is_behind());
  }

  void a_source_without_a_model_is_refused() {
    stage_->bridge.start(synthetic_scenario(12, 2));
    QVERIFY(wait_until_phase(stage_->bridge, EnginePhase::kFinished));
    for (ExploreView* view : all()) {
      QTRY_VERIFY(!view->is_behind());
      QVERIFY(!view->canvas().picture());
      QVERIFY(view->canvas().waiting_text().contains(QStringLiteral("no model")));
    }
  }

 private:
  std::vector<ExploreView*> all() const { return {next_, lens_, knock_, who_, rollout_}; }
  const RequestView& request() const { return stage_->bridge.snapshot()->requests.front(); }

  std::unique_ptr<Stage> stage_;
  NextTokenView* next_ = nullptr;
  LensView* lens_ = nullptr;
  KnockOutView* knock_ = nullptr;
  AttributionView* who_ = nullptr;
  RolloutView* rollout_ = nullptr;
  HeatmapView* heatmap_ = nullptr;
  HeadGridView* heads_ = nullptr;
};

ATTN_QT_TEST(test_explore_views, attn::gui::test::run<TestExploreViews>)
#include "test_explore_views.moc"
