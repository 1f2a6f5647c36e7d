// SPDX-License-Identifier: GPL-3.0-or-later
// Which changes stay in the list of Knock-out when another run is shown, and which never come in.
// Pictures of Knock-out and Rollout made by hand.
#include <QSignalSpy>

#include "backends/register_all.h"
#include "gui/models/explore/inside.h"
#include "gui/views/explore/knock_out/knock_out_view.h"
#include "gui/views/explore/rollout/rollout_picture.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestKnockOutList : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void changes_that_fit_a_new_run_stay_in_the_list() {
    Scenario scenario = deterministic("first-look", 6);
    scenario.requests.resize(1);
    Stage stage(scenario);
    auto& view = stage.add<KnockOutView>("knock_out", {800, 560});
    view.inside_switch().setChecked(true);
    QVERIFY(stage.run_to_end());
    const Intervention head{.layer = 4, .head = 2},
        mean{.layer = 4, .head = 3, .with = Replacement::kMean},
        first_token{.kind = InterventionKind::kEdge, .layer = 1, .head = 0},
        edge{.kind = InterventionKind::kEdge, .layer = 1, .head = 1, .query = 5, .key = 3},
        at_token{.layer = 2, .head = 0, .position = 2};
    const std::vector<Intervention> all{head, mean, first_token, edge, at_token};
    const Inside& inside = *view.findChild<Inside*>();
    QSignalSpy removed(&inside, &Inside::changes_removed);
    const auto run = [&](const Scenario& next) {
      stage.bridge.start(next);
      return wait_until_phase(stage.bridge, EnginePhase::kFinished);
    };
    view.list().set(all);
    scenario.engine.block_size = 8;
    QVERIFY(run(scenario));
    QTRY_COMPARE(view.list().list(), all);
    QTRY_VERIFY(view.data() && !view.is_behind());
    QCOMPARE(removed.size(), 0);
    scenario.requests[0].prompt = "Tim and Sue went to the park.";
    QVERIFY(run(scenario));
    QTRY_COMPARE(view.list().list(), (std::vector<Intervention>{head, mean, first_token}));
    QCOMPARE(removed.size(), 1);
    const QString text = removed.takeFirst().constFirst().toString();
    QVERIFY2(text.contains(QString::fromStdString(text_of(edge))) &&
                 text.contains(QString::fromStdString(text_of(at_token))) &&
                 !text.contains(QString::fromStdString(text_of(head))),
             qPrintable(text));
    const std::shared_ptr<const Session> earlier = stage.bridge.runner().earlier();
    QVERIFY(earlier && earlier->view.empty());
    stage.bridge.show(earlier);
    QTRY_COMPARE(stage.bridge.session(), earlier);
    QVERIFY(wait_until_phase(stage.bridge, EnginePhase::kFinished));
    QCOMPARE(view.list().list(), (std::vector<Intervention>{head, mean, first_token}));
    auto saved = std::make_shared<Session>(*earlier);
    saved->view = "{}";
    QVERIFY(run(scenario));
    QCOMPARE(view.list().list(), (std::vector<Intervention>{head, mean, first_token}));
    stage.bridge.show(saved);
    QTRY_COMPARE(stage.bridge.session(), std::shared_ptr<const Session>(saved));
    QTRY_VERIFY(view.list().list().empty());
    view.list().set({head});
    QVERIFY(run(synthetic_scenario(12, 2)));
    QTRY_VERIFY(view.list().list().empty());
    QCOMPARE(removed.size(), 1);
    QVERIFY(removed.takeFirst().constFirst().toString().contains(QStringLiteral("another model")));
  }

  void a_head_keeps_its_number_and_small_probabilities_are_not_zero() {
    PictureFrame frame;
    frame.look = PictureLook::read();
    frame.words = frame.look.small;
    auto data = std::make_shared<KnockOutData>();
    data->result.rows.resize(1);
    auto bars = std::make_shared<KnockOutBars>();
    bars->bars.push_back({.text = QStringLiteral("cat"), .before = 0.5, .after = 0.00002});
    KnockOutScene scene;
    scene.layers = 1;
    scene.heads = 4;
    scene.list = {Intervention{.layer = 0, .head = 2},
                  Intervention{.layer = 0, .head = 3, .with = Replacement::kMean}};
    data->list = scene.list;
    scene.data = data;
    scene.bars = bars;
    auto tokens = std::make_shared<std::vector<TokenView>>(1);
    tokens->front().text = "word";
    scene.tokens = tokens;
    scene.rows = 1;
    scene.is_encoder = true;
    const KnockOutPicture picture(frame, scene);
    TextRecorder device({800, 560});
    QPainter painter(&device);
    picture.paint(painter, device.bounds(), false, {});
    painter.end();
    QStringList signs;
    for (const DrawnText& text : device.texts())
      if (text.text.size() == 1) signs << text.text;
    QCOMPARE(signs.join(u' '), QStringLiteral("0 0 1 2 3"));  // the layer, then its heads
    QCOMPARE(picture.words({KnockOutPicture::kBars, 0, 0}),
             QStringLiteral("cat: was 50.0%, is now <0.01%"));
  }

  void rollout_labels_have_positions_and_later_keys_are_masked() {
    PictureFrame frame;
    frame.look = PictureLook::read();
    auto data = std::make_shared<RolloutData>();
    data->rollout.rows = 2;
    data->rollout.layers = {{1, 0, 0.25, 0.75}};
    data->causal = true;
    data->tokens = {QStringLiteral("The"), QStringLiteral("cat")};
    const RolloutPicture picture(frame, {.data = data, .layer = 0, .rows = 2});
    TextRecorder device({800, 560});
    QPainter painter(&device);
    picture.paint(painter, device.bounds(), false, {});
    painter.end();
    QStringList texts;
    for (const DrawnText& text : device.texts()) texts << text.text;
    for (const char* label : {"The 0", "0 The", "cat 1", "1 cat"})
      QVERIFY2(texts.contains(QLatin1String(label)), qPrintable(texts.join(u'\n')));
    const Spot masked{RolloutPicture::kMap, 0, 1}, seen{RolloutPicture::kMap, 1, 0};
    QVERIFY(picture.words(masked).contains(QStringLiteral("masked: position 1 cat comes later")));
    QVERIFY(picture.explain(masked)->meaning.startsWith(QStringLiteral("Masked: ")));
    QVERIFY(picture.explain(masked)->numbers.empty() && picture.numbers(masked).empty());
    QVERIFY(picture.words(seen).contains(QStringLiteral("0.25")));
  }

  void a_head_without_a_sink_leaves_the_list_as_it_is() {
    Scenario scenario = deterministic("first-look", 2);
    scenario.requests.resize(1);
    Stage stage(scenario);
    auto& view = stage.add<KnockOutView>("knock_out", {800, 560});
    view.inside_switch().setChecked(true);
    QVERIFY(stage.run_to_end());
    stage.selection.show(0, 2, 1);
    const std::vector<Intervention> off{Intervention{.layer = 4, .head = 2}};
    view.list().set(off);
    QTRY_VERIFY(view.data() && !view.is_behind() && view.canvas().picture());
    QTest::keyClick(&view.canvas(), Qt::Key_L);
    QCOMPARE(view.list().list(), off);
    QVERIFY(view.data() && view.list_trouble().isEmpty());
    const auto says_so = [&view] {
      return view.canvas().picture()->sentence().contains(QStringLiteral("Head 2.1 has no sink"));
    };
    QVERIFY(says_so());
    stage.selection.show(0, 2, 0);
    QTRY_VERIFY(!says_so());
  }
};

ATTN_QT_TEST(test_knock_out_list, attn::gui::test::run<TestKnockOutList>)
#include "test_knock_out_list.moc"
