// SPDX-License-Identifier: GPL-3.0-or-later
// The view Step.
#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include "backends/pallas/pallas_calls.h"
#include "backends/register_all.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/step/step_view.h"
#include "gui/views/words/words_view.h"
#include "tests/engine/session/batch/recording_backend.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

using StepKind = StepPlace::Kind;

struct StepBench {
  explicit StepBench(const Scenario& scenario, QSize size = {760, 420}) : stage(scenario) {
    view = &stage.add<StepView>("step", size);
    words = &stage.add<WordsView>("words", {600, 200});
    blocks = &stage.add<BlocksView>("blocks", {600, 300});
  }
  StepCanvas& canvas() { return view->canvas(); }
  const StepScene& scene() const { return view->scene(); }
  QPoint middle(const StepPlace& place) {
    canvas().reveal(place);
    return canvas().rect_of(place).center().toPoint();
  }
  void point_at(const StepPlace& place) {
    const QPoint at = middle(place);
    QMouseEvent move(QEvent::MouseMove, at, canvas().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&canvas(), &move);
  }
  void click(const StepPlace& place) {
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middle(place));
  }

  Stage stage;
  StepView* view = nullptr;
  WordsView* words = nullptr;
  BlocksView* blocks = nullptr;
};

// The metadata of the calls in layer 0. The engine thread adds them; read them after the run.
struct Calls {
  Calls() {
    attn::test::RecordingBackend::heard() = [this](int layer, const AttentionMetadata& metadata) {
      const std::scoped_lock lock(mutex);
      if (layer == 0) by_step.push_back(metadata);
    };
  }
  ~Calls() { attn::test::RecordingBackend::heard() = nullptr; }
  std::mutex mutex;
  std::vector<AttentionMetadata> by_step;
};

QList<QByteArrayList> csv_rows(const QByteArray& csv) {
  QList<QByteArrayList> rows(1);
  QByteArray cell;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ',' || c == '\n')) {
      rows.back().append(std::exchange(cell, {}));
      if (c == '\n') rows.append(QByteArrayList());
    } else {
      cell += c;
    }
  }
  return rows.mid(1, rows.size() - 2);
}

QString drawn_texts(StepCanvas& canvas) {
  TextRecorder recorder(canvas.size());
  canvas.render(&recorder);
  QStringList all;
  for (const DrawnText& text : recorder.texts()) all += text.text;
  return all.join(QLatin1Char('\n'));
}

StepScene scene_with(
    const std::vector<PlannedSequence>& sequences, int64_t block_size,
    const std::function<std::vector<PlannedCall>(const AttentionMetadata&)>& calls = {}) {
  StepScene scene;
  scene.look = PictureLook::read();
  scene.block_size = block_size;
  scene.backend = QStringLiteral("A");
  auto facts = std::make_shared<StepFacts>();
  std::vector<std::vector<int32_t>> tables;
  std::vector<SequenceSlice> slices;
  facts->batch.sequences = sequences;
  for (const PlannedSequence& planned : sequences)
    tables.emplace_back(
        static_cast<size_t>((planned.context_len + planned.query_len + block_size - 1) /
                            block_size),
        static_cast<int32_t>(planned.request));
  for (size_t s = 0; s < tables.size(); ++s) {
    const PlannedSequence& planned = facts->batch.sequences[s];
    SequenceSlice slice;
    slice.request = planned.request;
    slice.context_len = planned.context_len;
    slice.query_len = planned.query_len;
    slice.is_prefill = planned.is_prefill;
    slice.block_table = tables[s];
    slices.push_back(slice);
    scene.sequences.push_back({static_cast<int64_t>(s), QStringLiteral("r%1").arg(s), {}, {}, 0});
  }
  facts->metadata = std::make_shared<const AttentionMetadata>(build_metadata(slices, block_size));
  facts->layers.emplace_back();
  if (calls) facts->layers.back().calls = calls(*facts->metadata);
  scene.facts = facts;
  return scene;
}

PlannedSequence decode_of(uint32_t request, int64_t context_len) {
  PlannedSequence planned;
  planned.request = request;
  planned.query_len = 1;
  planned.context_len = context_len;
  return planned;
}

StepScene large_scene() {
  std::vector<PlannedSequence> sequences;
  for (uint32_t s = 0; s < 256; ++s) sequences.push_back(decode_of(s, 300 + s));
  sequences[0].is_prefill = true;
  sequences[0].query_len = 8192 - 255;
  sequences[0].context_len = 0;
  return scene_with(sequences, 16);
}

}  // namespace

class TestStep : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    attn::test::recorded_backends();
  }
  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_text_percent(100);
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  void shows_what_the_backend_was_called_with() {
    Scenario scenario = deterministic("chunked-prefill", 6);
    scenario.engine.backend = attn::test::RecordingBackend::name_for(scenario.engine.backend);
    Calls calls;
    StepBench b(scenario);
    QVERIFY(b.stage.run_to_end());
    size_t at = 0, mixed = 0;
    for (uint32_t step = 1; step <= b.stage.bridge.snapshot()->step; ++step) {
      b.stage.cursor.go_to(step);
      if (b.scene().is_empty()) continue;
      QVERIFY(at < calls.by_step.size());
      const AttentionMetadata& called = calls.by_step[at++];
      const AttentionMetadata& shown = b.scene().metadata();
      QCOMPARE(b.scene().facts->batch.step, step);
      QCOMPARE(shown.slot_mapping, called.slot_mapping);
      QCOMPARE(shown.query_start_loc, called.query_start_loc);
      QCOMPARE(shown.block_tables, called.block_tables);
      mixed += called.num_prefills > 0 && called.num_decode_tokens > 0;
      const auto rows = csv_rows(b.view->csv());
      QCOMPARE(rows.size(), called.num_tokens());
      for (int i = 0; i < rows.size(); ++i) {
        QCOMPARE(rows[i].front().toUInt(), step);
        QCOMPARE(rows[i][15].toLongLong(), called.slot_mapping[static_cast<size_t>(i)]);
      }
    }
    QCOMPARE(at, calls.by_step.size());
    QVERIFY(mixed > 0);
    b.stage.cursor.go_to(1);
    const QString texts = drawn_texts(b.canvas());
    for (const int64_t slot : {0, 1, 2})
      QVERIFY(texts.contains(
          QString::number(b.scene().metadata().slot_mapping[static_cast<size_t>(slot)])));
    QVERIFY(texts.contains(QStringLiteral("query_start_loc[0] = 0")));
  }

  void a_step_under_way_is_shown() {
    StepBench b(deterministic("first-look", 4));
    QVERIFY(b.stage.stand_at_start());
    QVERIFY(b.scene().is_empty());
    b.stage.bridge.step(Granularity::kLayer);
    QVERIFY(wait_until_stands(b.stage.bridge));
    b.stage.bridge.step(Granularity::kLayer);
    QVERIFY(wait_until_stands(b.stage.bridge));
    QVERIFY(!b.scene().is_empty());
    QVERIFY(b.scene().under_way);
    QCOMPARE(b.scene().metadata().num_prefills, 1);
    QCOMPARE(b.scene().metadata().num_tokens(), b.scene().query_len(0));
  }

  void links_to_the_other_views() {
    StepBench b(deterministic("many-users", 8));
    QVERIFY(b.stage.run_until(20));
    const StepScene& scene = b.scene();
    QVERIFY(scene.num_sequences() > 2);
    const StepPlace token{StepKind::kToken, 1, 0};
    const int64_t request = scene.sequences[1].request, position = scene.context_len(1);
    b.point_at(token);
    QCOMPARE(b.stage.selection.pointed().request, request);
    QCOMPARE(b.stage.selection.pointed().query, position);
    const StepPlace block{StepKind::kBlock, 1, position / scene.block_size};
    QVERIFY(scene.is_pointed(token) && scene.is_pointed(block));
    QVERIFY(!scene.is_pointed({StepKind::kToken, 0, 0}));
    QCOMPARE(scene.block(token), scene.block(block));
    b.click(token);
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kToken);
    QCOMPARE(b.stage.selection.state().query, position);
    QVERIFY(scene.is_selected(token));
    b.click(token);
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kNothing);
    b.click(block);
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kBlock);
    QCOMPARE(b.stage.selection.state().block, int64_t{scene.block(block)});
    QVERIFY(scene.is_selected(token) && scene.is_selected(block));
    b.stage.selection.clear();
    b.stage.selection.point({.request = scene.sequences[2].request, .query = scene.context_len(2)});
    QVERIFY(scene.is_pointed({StepKind::kToken, 2, 0}));
    b.canvas().setFocus();
    QTest::keyClick(&b.canvas(), Qt::Key_Right);
    QTest::keyClick(&b.canvas(), Qt::Key_Right);
    QVERIFY(scene.is_selected({StepKind::kToken, 1, 0}));
    const QString words = step_tooltip(scene, token);
    QVERIFY2(words.contains(QStringLiteral("slot_mapping[1] = %1 = block %2 × %3 + offset %4")
                                .arg(scene.slot(token))
                                .arg(scene.block(token))
                                .arg(scene.block_size)
                                .arg(scene.slot(token) % scene.block_size)),
             qPrintable(words));
  }

  void cross_attention() {
    StepBench b(deterministic("encoder-decoder", 3));
    QVERIFY(b.stage.run_to_end());
    b.stage.cursor.go_to(1);
    const StepScene& scene = b.scene();
    QVERIFY(scene.encoder_tokens(0) > 0);
    const StepPlace last{StepKind::kEncoderToken, 0, scene.encoder_tokens(0) - 1};
    b.point_at(last);
    QVERIFY(b.stage.selection.pointed().of_encoder);
    QCOMPARE(b.stage.selection.pointed().key, last.index);
    QCOMPARE(scene.slot(last),
             (*scene.metadata().cross_slot_mapping)[static_cast<size_t>(last.index)]);
    QVERIFY(scene.is_pointed({StepKind::kCrossBlock, 0, last.index / scene.block_size}));
    QCOMPARE(csv_rows(b.view->csv()).size(),
             scene.metadata().num_tokens() + *scene.metadata().num_encoder_tokens);
  }

  void a_cell_of_an_encoders_layer_has_its_place_in_the_encoders_table() {
    StepBench b(deterministic("encoder-layers", 2), {760, 160});
    QVERIFY(b.stage.run_to_end());
    b.stage.cursor.go_to(1);
    const StepScene& scene = b.scene();
    QVERIFY(scene.cache);
    SelectionState cell{
        .kind = SelectionKind::kCell, .request = 1, .head = 0, .query = 3, .key = 0};
    cell.layer = 0;
    b.stage.selection.select(cell);
    QCOMPARE(scene.element.slot, scene.cross_slot(1, 3));
    const QRectF box = b.canvas().rect_of({StepKind::kEncoderToken, 1, 3});
    QVERIFY(QRectF(b.canvas().rect()).contains(box.center()));
    cell.layer = 2;
    b.stage.selection.select(cell);
    QCOMPARE(scene.element.slot, scene.slot({StepKind::kToken, 1, 3}));
  }

  void texts_do_not_overlap_data() {
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<int>("percent");
    for (const char* name : {"many-users", "pallas-padded", "encoder-decoder", "sliding-window"})
      for (const int percent : {100, 200})
        QTest::addRow("%s %d", name, percent) << QString::fromLatin1(name) << percent;
  }
  void texts_do_not_overlap() {
    QFETCH(QString, scenario);
    QFETCH(int, percent);
    Theme::instance().set_text_percent(percent);
    StepBench b(deterministic(scenario.toLatin1().constData(), 4), {520, 400});
    QVERIFY(b.stage.run_to_end());
    for (const uint32_t step : {1u, 3u}) {
      b.stage.cursor.go_to(step);
      for (int top = 0;; top += b.canvas().height() / 2) {
        b.canvas().bar().setValue(top);
        TextRecorder recorder(b.canvas().size());
        b.canvas().render(&recorder);
        QVERIFY(recorder.texts().size() > 4 || !b.canvas().step_layout().masks().empty());
        QCOMPARE(recorder.overlaps().join(QLatin1Char('\n')), QString());
        QCOMPARE(recorder.cut().join(QLatin1Char('\n')), QString());
        if (top >= b.canvas().bar().maximum()) break;
      }
    }
  }

  void masks() {
    StepBench b(deterministic("xformers-packed", 2), {760, 700});
    QVERIFY(b.stage.run_to_end());
    b.stage.cursor.go_to(1);
    b.canvas().setFocus();
    QTest::keyClick(&b.canvas(), Qt::Key_M);
    const QString texts = drawn_texts(b.canvas());
    for (const char* words :
         {"BlockDiagonalCausalMask (per tile", "sequences 0–3, packed: 847 × 847"})
      QVERIFY2(texts.contains(QString::fromUtf8(words)), qPrintable(texts));
    QCOMPARE(b.canvas().step_layout().masks().size(), 1u);
    const QRectF box = b.canvas().step_layout().masks().front().box;
    const auto at = [&](double query, double key) {
      return box.topLeft() + QPointF(box.width() * key / 847, box.height() * query / 847);
    };
    const StepScene& scene = b.scene();
    const StepPlace place = b.canvas().step_layout().at(scene, at(502.5, 500.5));
    QCOMPARE(place.kind, StepKind::kToken);
    QCOMPARE(place.sequence, 1);
    QCOMPARE(place.index, 2);
    const QString words = step_tooltip(scene, place);
    QVERIFY2(words.contains(QStringLiteral("it sees keys 500 to 502")) &&
                 words.contains(QStringLiteral("key 500: 0 is added to its score")),
             qPrintable(words));
    QVERIFY(step_tooltip(scene, b.canvas().step_layout().at(scene, at(502.5, 100)))
                .contains(QStringLiteral("in no tile that the kernel visits")));
    const QPoint point = (at(502.5, 500.5) + QPointF(0, -b.canvas().bar().value()) +
                          QPointF(b.canvas().rect_of(place).topLeft() -
                                  (b.canvas().step_layout().rect_of(scene, place).topLeft() -
                                   QPointF(0, b.canvas().bar().value()))))
                             .toPoint();
    QMouseEvent move(QEvent::MouseMove, point, b.canvas().mapToGlobal(point), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&b.canvas(), &move);
    QCOMPARE(b.stage.selection.pointed().request, scene.sequences[1].request);
    const int top = b.canvas().bar().value();
    QTest::mouseClick(&b.canvas(), Qt::LeftButton, {}, point);
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kToken);
    QCOMPARE(b.canvas().bar().value(), top);
    b.stage.selection.select(
        {.kind = SelectionKind::kToken, .request = scene.sequences[0].request, .query = 3});
    QVERIFY(b.canvas().bar().value() < top);
    const auto rows = csv_rows(b.view->csv());
    QCOMPARE(rows.size(), 847);
    QCOMPARE(rows[502].mid(19),
             (QByteArrayList{"BlockDiagonalCausalMask", "per tile",
                             QByteArray::number(qlonglong(scene.facts->layers[0].masks[0].bytes)),
                             "0", "3", "0", "70"}));
    b.stage.cursor.go_to(2);
    QVERIFY(b.canvas().step_layout().masks().empty());
    QCOMPARE(csv_rows(b.view->csv())[0].mid(19), QByteArrayList(7));
  }

  void tables_of_calls_and_cache() {
    Scenario scenario = deterministic("pallas-pages", 2);
    scenario.engine.threads = 2;
    StepBench b(scenario, {760, 700});
    QVERIFY(b.stage.run_to_end());
    b.stage.cursor.go_to(1);
    const std::vector<FurtherTable> tables = b.view->further_tables();
    QCOMPARE(tables.size(), size_t{2});
    QCOMPARE(tables[0].name, QStringLiteral("step_calls"));
    const auto calls = csv_rows(tables[0].table());
    QCOMPARE(calls.size(), 2);  // a flash call for each prompt
    QCOMPARE(calls[0].first(9),
             (QByteArrayList{"1", "DECODER", "0", "0", "pallas_flash", "0", "1", "768", "8"}));
    QVERIFY(calls[1][9].contains("150 rows are padded"));
    QCOMPARE(tables[1].name, QStringLiteral("step_cache"));
    const auto cache = csv_rows(tables[1].table());
    QCOMPARE(cache.size(), 2 * (760 + 150));
    const StepScene& scene = b.scene();
    const CacheMap& map = *scene.cache;
    const int64_t slot = scene.slot({StepKind::kToken, 1, 3});
    const QByteArrayList& value = cache[2 * (760 + 3) + 1];
    QCOMPARE(value[6].toLongLong(), slot);
    QCOMPARE(value[10], QByteArray("value"));
    QCOMPARE(value[11].toLongLong(), map.byte_of(CacheHalf::kValue, {slot, scene.element.head, 0}));
    QCOMPARE(value[15].toLongLong(), 128 * 4);  // [Hkv, blocks, block size, D] in f32
    // The reason for a decode's call says who copies its pages.
    b.stage.cursor.go_to(2);
    const auto decodes = csv_rows(b.view->further_tables()[0].table());
    QCOMPARE(decodes.size(), 1);
    QVERIFY2(decodes[0][9].contains("another one copies the pages"), decodes[0][9].constData());
  }

  void masks_of_all_forms() {
    for (const char* name : {"alibi", "sliding-window", "xformers-alibi", "pallas-padded",
                             "xformers-cached-prompt", "encoder", "cross-attention"}) {
      StepBench b(deterministic(name, 2), {760, 900});
      QVERIFY(b.stage.run_to_end());
      for (const uint32_t step : {1u, 2u}) {
        b.stage.cursor.go_to(step);
        if (b.scene().is_empty()) continue;
        b.canvas().show_section(3);
        QImage image(b.canvas().size(), QImage::Format_RGB32);
        b.canvas().render(&image);
        QCOMPARE(b.canvas().step_layout().masks().empty(), b.scene().metadata().num_prefills == 0);
        for (const StepMaskPicture& picture : b.canvas().step_layout().masks())
          QVERIFY(
              !step_tooltip(b.scene(), b.canvas().step_layout().at(b.scene(), picture.box.center()))
                   .isEmpty());
      }
    }
  }

  void shades_of_alibi() {
    for (const int32_t len : {16, 600}) {
      PlannedSequence prompt = decode_of(0, 0);
      prompt.is_prefill = true;
      prompt.query_len = len;
      StepScene scene = scene_with({prompt}, 16);
      auto facts = std::make_shared<StepFacts>(*scene.facts);
      AttentionConfig config;
      config.num_heads = config.num_kv_heads = 1;
      config.alibi_slopes = std::vector<float>{0.5f};
      facts->layers.back().layers = {0};
      facts->layers.back().masks = {rule_mask(config, *facts->metadata, 0, 1)};
      scene.facts = facts;
      QImage image(240, 240, QImage::Format_RGB32);
      {
        QPainter painter(&image);
        paint_mask(painter, scene, {0, {}, QRectF(0, 0, 240, 240)});
      }
      const double cell = 240.0 / len;
      const auto color = [&](int64_t query, int64_t key) {
        return image.pixel(static_cast<int>((static_cast<double>(key) + 0.5) * cell),
                           static_cast<int>((static_cast<double>(query) + 0.5) * cell));
      };
      if (len == 16) {
        std::map<QRgb, int64_t> distance_of;
        for (int64_t query = 0; query < len; ++query)
          for (int64_t key = 0; key <= query; ++key)
            QCOMPARE(distance_of.try_emplace(color(query, key), query - key).first->second,
                     query - key);
        QCOMPARE(distance_of.size(), 16u);
        continue;
      }
      for (int back = 4; back < 90; ++back)
        QCOMPARE(image.pixel(100 - back, 100), image.pixel(230 - back, 230));
      QVERIFY(image.pixel(226, 230) != image.pixel(140, 230));
    }
  }

  void visited_tiles_are_those_of_the_backend() {
    for (const char* backend : {"unified", "reference"}) {
      Scenario scenario = deterministic("sliding-window", 2);
      scenario.engine.backend = backend;
      StepBench b(scenario, {760, 900});
      QVERIFY(b.stage.run_to_end());
      b.stage.cursor.go_to(1);
      b.canvas().show_section(3);
      const bool says = b.scene().facts->layers[0].masks[0].tiles.size() > 0;
      QCOMPARE(says, backend == std::string_view("unified"));
      const QString texts = drawn_texts(b.canvas()).simplified();
      QCOMPARE(texts.contains(QStringLiteral("Hatched: in no such tile")), says);
      QCOMPARE(texts.contains(QStringLiteral("Plain: masked. This backend has no tiles")), !says);
      const StepMaskPicture& picture = b.canvas().step_layout().masks().front();
      const QString masked = step_tooltip(
          b.scene(),
          b.canvas().step_layout().at(b.scene(), picture.box.topRight() + QPointF(-1, 1)));
      QVERIFY2(masked.contains(QStringLiteral("has no tiles")) != says, qPrintable(masked));
    }
  }

  void a_large_batch_costs_what_is_in_sight() {
    StepCanvas canvas;
    canvas.resize(800, 500);
    canvas.set_scene(large_scene());
    const double rows = 8192.0 / static_cast<double>(canvas.step_layout().columns());
    QVERIFY(canvas.step_layout().height() > 2 * rows * canvas.step_layout().line());
    for (const double part : {0.0, 0.5, 1.0}) {
      canvas.bar().setValue(static_cast<int>(part * canvas.bar().maximum()));
      TextRecorder recorder(canvas.size());
      canvas.render(&recorder);
      QVERIFY(recorder.texts().size() > 10 && recorder.texts().size() < 1000);
    }
    for (const StepPlace& place :
         {StepPlace{StepKind::kToken, 0, 7000}, StepPlace{StepKind::kBlock, 0, 90},
          StepPlace{StepKind::kToken, 255, 0}, StepPlace{StepKind::kContext, 9, 0}})
      QVERIFY(canvas.step_layout().at(
                  canvas.scene(), canvas.step_layout().rect_of(canvas.scene(), place).center()) ==
              place);
  }

  void what_decides_the_calls_is_seen_above_long_tables() {
    const auto shown = [](uint32_t count, int64_t tokens) {
      std::vector<PlannedSequence> sequences;
      for (uint32_t s = 0; s < count; ++s) sequences.push_back(decode_of(s, tokens - 1));
      AttentionConfig config;
      config.num_heads = config.num_kv_heads = 2;
      config.head_size = 128;
      StepCanvas canvas;
      canvas.resize(800, 500);
      canvas.set_scene(scene_with(sequences, 1, [&](const AttentionMetadata& batch) {
        return backends::pallas::planned_calls(config, batch, {.block_size = 1});
      }));
      QStringList texts;
      for (const StepText& text : canvas.step_layout().texts()) texts += text.text;
      return std::pair(drawn_texts(canvas), texts.join(QLatin1Char(' ')));
    };
    const QString sum =
        QStringLiteral("Block table in scalar memory: 64 sequences x 2082 blocks x 4 bytes");
    const auto [seen, all] = shown(64, 2082);
    QVERIFY2(seen.contains(sum), qPrintable(seen));
    QVERIFY(seen.contains(QStringLiteral("pallas_paged_decode: sequences 0–61")));
    QCOMPARE(all.count(sum), 3);
    QCOMPARE(shown(1, 20).second.count(QStringLiteral("Block table in scalar memory")), 1);
  }

  void sections_and_places() {
    StepBench b(deterministic("first-look", 4), {520, 240});
    QVERIFY(b.stage.run_to_end());
    b.canvas().setFocus();
    QTest::keyClick(&b.canvas(), Qt::Key_C);
    QVERIFY(b.canvas().bar().value() > 0);
    QVERIFY(drawn_texts(b.canvas()).contains(QStringLiteral("Key of slot")));
    const std::vector<double> place = b.view->place();
    b.view->fit();
    QVERIFY(b.view->place().empty());
    b.view->go_to_place(place);
    QCOMPARE(b.view->place(), place);
    b.view->zoom(1.5);
    QVERIFY(b.view->place()[1] == 1.5);
    for (const ViewCommand& command : b.view->commands()) command.run();
    const QSize size = b.view->export_size();
    QVERIFY(size.height() > 300 && size.height() < 4000);
  }
};

ATTN_QT_TEST(test_step, attn::gui::test::run<TestStep>)
#include "test_step.moc"
