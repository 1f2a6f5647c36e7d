// SPDX-License-Identifier: GPL-3.0-or-later
// The view Words.
#include <QSignalSpy>
#include <algorithm>
#include <cmath>

#include "backends/register_all.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/views/words/words_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int64_t kWordsPrompt = 40, kWordsNew = 12;

Tokens tokens_with(const std::vector<std::string>& texts) {
  auto tokens = std::make_shared<std::vector<TokenView>>();
  for (size_t i = 0; i < texts.size(); ++i) tokens->push_back({static_cast<int32_t>(i), texts[i]});
  return tokens;
}

Tokens many_words(int64_t count) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < count; ++i)
    texts.push_back(i % 50 == 49 ? std::string("\n")
                                 : ' ' + std::string(static_cast<size_t>(1 + i * 7 % 9), 'a'));
  return tokens_with(texts);
}

WordsScene words_scene_of(const Tokens& tokens, int64_t prompt_len) {
  WordsScene scene;
  scene.look = PictureLook::read();
  scene.request = 0;
  scene.request_name = QStringLiteral("A");
  scene.tokens = tokens;
  scene.prompt_len = prompt_len;
  return scene;
}

struct WordsBench {
  explicit WordsBench(const Scenario& scenario) : stage(scenario) {
    view = &stage.add<WordsView>("words", {600, 300});
    heatmap = &stage.add<HeatmapView>("heatmap", {600, 400});
    lines = &stage.add<HeadLinesView>("lines", {600, 400});
    blocks = &stage.add<BlocksView>("blocks", {600, 300});
  }
  WordsCanvas& canvas() { return view->canvas(); }
  const WordsScene& scene() const { return view->scene(); }
  QPoint middle(int64_t token, bool of_encoder = false) {
    canvas().reveal({of_encoder, token});
    return canvas().rect_of({of_encoder, token}).center().toPoint();
  }
  void click(int64_t token, Qt::KeyboardModifiers modifiers = {}, bool of_encoder = false) {
    QTest::mouseClick(&canvas(), Qt::LeftButton, modifiers, middle(token, of_encoder));
  }
  void point_at(QWidget& widget, const QPoint& at) {
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&widget, &move);
  }
  void leave(QWidget& widget) {
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&widget, &leave);
  }

  Stage stage;
  WordsView* view = nullptr;
  HeatmapView* heatmap = nullptr;
  HeadLinesView* lines = nullptr;
  BlocksView* blocks = nullptr;
};

QString words_drawn(WordsCanvas& canvas) {
  TextRecorder recorder(canvas.size());
  canvas.render(&recorder);
  QString all;
  for (const DrawnText& text : recorder.texts()) all += text.text;
  return all;
}

}  // namespace

class TestWords : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }
  void cleanup() { Theme::instance().set_mode(ThemeMode::kDark); }

  void the_header_chooses_layer_and_head() {
    WordsBench b(deterministic("first-look", 4));
    QVERIFY(b.stage.run_to_end());
    b.stage.selection.show(0, 1, 2);
    QCOMPARE(b.view->layer_box()->value(), 1);
    QCOMPARE(b.view->head_box()->value(), 2);
    b.click(5);
    const RowWeights before = *b.scene().weights;
    b.view->layer_box()->setValue(3);
    b.view->head_box()->setValue(4);
    QCOMPARE(b.stage.selection.shown_layer(), 3);
    QCOMPARE(b.stage.selection.shown_head(), 4);
    QCOMPARE(b.scene().weights->layer, 3);
    QVERIFY(b.scene().weights->of != before.of);
  }

  void the_text_grows_while_it_is_written() {
    WordsBench b(deterministic("first-look", 10));
    QVERIFY(b.stage.run_until(3));
    const RequestView* request = &b.stage.bridge.snapshot()->requests.front();
    QCOMPARE(b.scene().generated(),
             static_cast<int64_t>(request->tokens->size()) - request->prompt_len);
    QVERIFY(b.scene().generated() >= 3 && b.scene().generated() < 10);
    QVERIFY(b.scene().writing);
    const int64_t before = b.scene().generated(), laid_out = b.scene().count(false);
    b.stage.bridge.step(Granularity::kStep);
    QVERIFY(wait_until_stands(b.stage.bridge));
    QCOMPARE(b.scene().generated(), before + 1);
    QCOMPARE(b.canvas().words_layout().flow(false).laid_out(), laid_out + 1);
    b.stage.bridge.run();
    QVERIFY(wait_until_phase(b.stage.bridge, EnginePhase::kFinished));
    request = &b.stage.bridge.snapshot()->requests.front();
    QVERIFY(!b.scene().writing);
    QCOMPARE(b.scene().count(false), static_cast<int64_t>(request->tokens->size()));
    QString expected;
    for (const TokenView& token : *request->tokens) expected += token_text(token.text).shown;
    QVERIFY2(words_drawn(b.canvas()).startsWith(expected), qPrintable(words_drawn(b.canvas())));
    for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
      Theme::instance().set_mode(mode);
      const QColor prompt = word_ground(b.scene(), {false, 0}),
                   answer = word_ground(b.scene(), {false, request->prompt_len});
      QVERIFY(prompt != answer && prompt != b.scene().look.colors.surface);
      for (const QColor& ground : {prompt, answer})
        QVERIFY(Theme::contrast(ground, b.scene().look.colors.text) >= 4.5);
    }
  }

  void a_past_step_shows_what_was_there() {
    WordsBench b(synthetic_scenario(kWordsPrompt, kWordsNew));
    QVERIFY(b.stage.run_to_end());
    QCOMPARE(b.scene().count(false), kWordsPrompt + kWordsNew);
    const QString whole = words_drawn(b.canvas());
    for (const uint32_t step : {4u, 1u, 9u}) {
      b.stage.cursor.go_to(step);
      QCOMPARE(b.scene().count(false), kWordsPrompt + static_cast<int64_t>(step));
      QVERIFY(!b.scene().writing);
      QVERIFY(words_drawn(b.canvas()) != whole);
      QVERIFY(!b.view->csv().contains(QByteArray(",generated,") +
                                      QByteArray::number(kWordsPrompt + static_cast<int>(step)) +
                                      ','));
      QCOMPARE(b.view->csv().count('\n'), kWordsPrompt + static_cast<int64_t>(step) + 1);
      b.stage.selection.select(
          {.kind = SelectionKind::kToken, .request = 0, .query = kWordsPrompt + step - 1});
      QVERIFY(!b.scene().weights);
      QVERIFY(b.scene().query.token >= 0);
      b.stage.selection.clear();
    }
    b.stage.cursor.go_live();
    QCOMPARE(words_drawn(b.canvas()), whole);
  }

  void a_click_selects_everywhere_and_the_selection_is_marked() {
    WordsBench b(synthetic_scenario(kWordsPrompt, kWordsNew));
    QVERIFY(b.stage.run_to_end());
    b.click(17);
    SelectionState expected{.kind = SelectionKind::kToken, .request = 0, .query = 17};
    QCOMPARE(b.stage.selection.state(), expected);
    QCOMPARE(b.scene().query, (WordPlace{false, 17}));
    QCOMPARE(b.heatmap->scene().mark.query, 17);
    QCOMPARE(b.lines->scene().locked->position, 17);
    const AttentionRecord& record = *b.stage.bridge.snapshot()->requests[0].attention;
    std::vector<float> row(18);
    record.weights(0, 0, 17, 1, 0, 18, row.data());
    QVERIFY(b.scene().weights);
    QVERIFY(b.scene().weights->of == row);
    QCOMPARE(b.scene().weights->largest, *std::ranges::max_element(row));
    const auto strongest = std::ranges::max_element(row) - row.begin();
    QVERIFY(word_ground(b.scene(), {false, strongest}) != b.scene().look.colors.surface);
    QCOMPARE(word_ground(b.scene(), {false, 18}), b.scene().look.colors.surface);
    b.stage.selection.show(0, 1, 2);
    record.weights(1, 2, 17, 1, 0, 18, row.data());
    QVERIFY(b.scene().weights->of == row);
    b.view->weights_button()->setChecked(false);
    QVERIFY(!b.scene().weights);
    b.view->weights_button()->setChecked(true);
    b.click(5, Qt::ShiftModifier);
    expected = {
        .kind = SelectionKind::kCell, .request = 0, .layer = 1, .head = 2, .query = 17, .key = 5};
    QCOMPARE(b.stage.selection.state(), expected);
    QCOMPARE(b.scene().key, (WordPlace{false, 5}));
    QCOMPARE(b.heatmap->scene().mark.key, 5);
    b.heatmap->select_cell({30, 11});
    QCOMPARE(b.scene().query, (WordPlace{false, 30}));
    QCOMPARE(b.scene().key, (WordPlace{false, 11}));
    const QImage picture = b.canvas().grab().toImage();
    const auto ground_at = [&](int64_t token) {
      const QRectF rect = b.canvas().rect_of({false, token});
      return picture.pixelColor((rect.center() + QPointF(0, rect.height() * 0.36)).toPoint() *
                                picture.devicePixelRatio());
    };
    QCOMPARE(ground_at(30), Theme::instance().colors().accent);
    QVERIFY(ground_at(11) != Theme::instance().colors().accent);
    b.click(3);
    b.click(3);
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kNothing);
    b.click(3);
    QTest::mouseClick(&b.canvas(), Qt::LeftButton, {}, QPoint(300, b.canvas().height() - 40));
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kNothing);
  }

  void pointing_is_linked_in_both_directions() {
    WordsBench b(synthetic_scenario(kWordsPrompt, kWordsNew));
    QVERIFY(b.stage.run_until(4));
    b.point_at(b.canvas(), b.middle(21));
    QCOMPARE(b.stage.selection.pointed(), (PointedState{.request = 0, .query = 21}));
    QCOMPARE(b.heatmap->scene().hover_query, 21);
    QCOMPARE(b.heatmap->scene().hover_key, -1);
    QCOMPARE(b.lines->scene().pointed, std::optional(LineToken{LineSide::kQuery, 21}));
    const EngineSnapshot& now = *b.stage.bridge.snapshot();
    const auto logical = static_cast<size_t>(21 / now.block_size);
    QCOMPARE(b.blocks->canvas().scene().hovered, now.requests[0].own_table.blocks[logical]);
    b.leave(b.canvas());
    QCOMPARE(b.heatmap->scene().hover_query, -1);
    QVERIFY(!b.lines->scene().pointed);
    QCOMPARE(b.blocks->canvas().scene().hovered, -1);
    b.point_at(*b.heatmap, b.heatmap->rect_of(12, 4).center().toPoint());
    QCOMPARE(b.scene().pointed, (PointedState{.request = 0, .query = 12, .key = 4}));
    const QImage pointed = b.canvas().grab().toImage();
    b.leave(*b.heatmap);
    QCOMPARE(b.scene().pointed, PointedState());
    QVERIFY(b.canvas().grab().toImage() != pointed);
    b.stage.selection.select({.kind = SelectionKind::kBlock,
                              .request = 0,
                              .block = now.requests[0].own_table.blocks[1]});
    QCOMPARE(b.scene().first, (WordPlace{false, now.block_size}));
    QCOMPARE(b.scene().last, (WordPlace{false, 2 * now.block_size - 1}));
    const LineToken key{LineSide::kKey, 7};
    b.point_at(b.lines->canvas(), b.lines->canvas().rect_of(key).center().toPoint());
    QCOMPARE(b.scene().pointed, (PointedState{.request = 0, .key = 7}));
    QCOMPARE(b.heatmap->scene().hover_key, 7);
    b.leave(b.lines->canvas());
    QCOMPARE(b.scene().pointed, PointedState());
  }

  void the_tooltip_has_position_id_text_and_weight() {
    WordsBench b(deterministic("first-look", 4));
    QVERIFY(b.stage.run_to_end());
    const RequestView& request = b.stage.bridge.snapshot()->requests.front();
    const TokenView& token = (*request.tokens)[2];
    QString tip = b.canvas().tooltip_at(b.middle(2));
    QVERIFY2(tip.contains(QStringLiteral("token 2, of the prompt")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("id %1, text ").arg(token.id) +
                          escaped_token(token.text).toHtmlEscaped()),
             qPrintable(tip));
    QVERIFY(!tip.contains(QStringLiteral("weight")));
    QVERIFY(
        b.canvas().tooltip_at(b.middle(request.prompt_len)).contains(QStringLiteral("generated")));
    b.click(3);
    tip = b.canvas().tooltip_at(b.middle(2));
    QVERIFY2(tip.contains(QStringLiteral("with which token 3 reads it (layer ")), qPrintable(tip));
    QVERIFY(b.canvas().tooltip_at(QPoint(1, 1)).isEmpty());
  }

  void keys_move_the_token() {
    WordsBench b(synthetic_scenario(kWordsPrompt, kWordsNew));
    QVERIFY(b.stage.run_to_end());
    const auto at = [&] { return b.stage.selection.state().query; };
    QTest::keyClick(&b.canvas(), Qt::Key_Left);
    QCOMPARE(at(), kWordsPrompt + kWordsNew - 1);
    QTest::keyClick(&b.canvas(), Qt::Key_Left);
    QCOMPARE(at(), kWordsPrompt + kWordsNew - 2);
    QTest::keyClick(&b.canvas(), Qt::Key_Right);
    QTest::keyClick(&b.canvas(), Qt::Key_Right);
    QCOMPARE(at(), kWordsPrompt + kWordsNew - 1);
    const QRectF low = b.canvas().rect_of({false, at()});
    QTest::keyClick(&b.canvas(), Qt::Key_Up);
    const QRectF high = b.canvas().rect_of({false, at()});
    QCOMPARE(low.top() - high.top(), b.canvas().words_layout().line_height());
    QVERIFY(high.left() <= low.center().x() && high.right() >= low.left());
    QTest::keyClick(&b.canvas(), Qt::Key_Down);
    QCOMPARE(b.canvas().rect_of({false, at()}).top(), low.top());
    QTest::keyClick(&b.canvas(), Qt::Key_Period);
    QCOMPARE(b.stage.selection.shown_head(), 1);
    QTest::keyClick(&b.canvas(), Qt::Key_T);
    QVERIFY(!b.scene().told_apart);
    b.click(5);
    QVERIFY(b.scene().weights);
    QTest::keyClick(&b.canvas(), Qt::Key_W);
    QVERIFY(!b.scene().weights);
    QTest::keyClick(&b.canvas(), Qt::Key_Escape);
    QCOMPARE(b.stage.selection.state().kind, SelectionKind::kNothing);
  }

  void lines_are_wrapped_at_tokens() {
    WordFlow flow;
    const QFont font = Theme::instance().mono(TextRole::kTitle);
    const double letter = QFontMetricsF(font).horizontalAdvance(QLatin1Char('a'));
    flow.begin(font, 10.5 * letter, 0);
    flow.show(tokens_with({"Once", " upon", " a", "aaaaaaaaaaaaa", "b", " c\n", "d", "\n", "\n"}));
    std::vector<std::vector<int64_t>> lines;
    for (int64_t line = 0; line < flow.lines(); ++line) {
      auto& tokens = lines.emplace_back();
      for (const WordPiece& piece : flow.line(line)) {
        tokens.push_back(piece.token);
        QVERIFY(piece.x + piece.width <= 10.5 * letter + 0.01);
      }
    }
    const std::vector<std::vector<int64_t>> expected{{0, 1}, {2}, {3}, {3, 4, 5}, {6, 7}, {8}};
    QVERIFY(lines == expected);
    QCOMPARE(flow.parts(3).size(), size_t{2});
    QCOMPARE(flow.end().first, flow.lines());
    const Tokens all = many_words(300);
    WordFlow grown, whole;
    for (WordFlow* one : {&grown, &whole}) one->begin(font, 40 * letter, 0);
    whole.show(all);
    for (const size_t count : {size_t{100}, size_t{299}, size_t{51}, size_t{0}, all->size()})
      grown.show(std::make_shared<std::vector<TokenView>>(
          all->begin(), all->begin() + static_cast<std::ptrdiff_t>(count)));
    QCOMPARE(grown.lines(), whole.lines());
    for (int64_t line = 0; line < whole.lines(); ++line) {
      QCOMPARE(grown.line(line).size(), whole.line(line).size());
      for (size_t i = 0; i < whole.line(line).size(); ++i) {
        QCOMPARE(grown.line(line)[i].token, whole.line(line)[i].token);
        QCOMPARE(grown.line(line)[i].x, whole.line(line)[i].x);
      }
    }
  }

  void there_is_a_gap_where_tokens_lack_blanks() {
    for (const auto& [name, spaced] : {std::pair{"masked-word", true},
                                       {"encoder-decoder", true},
                                       {"dates", false},
                                       {"first-look", false}}) {
      WordsBench b(deterministic(name, 1));
      QVERIFY(b.stage.run_to_end());
      QCOMPARE(b.scene().spaced, spaced);
      const bool of_encoder = b.scene().encoder_tokens != nullptr;
      const double gap =
          b.canvas().rect_of({of_encoder, 2}).left() - b.canvas().rect_of({of_encoder, 1}).right();
      QVERIFY2((gap > 1) == spaced, name);
    }
    WordFlow flow;
    flow.begin(Theme::instance().mono(TextRole::kTitle), 1000, 8);
    flow.show(tokens_with({"play", "##ing", "##s", "ball", "##"}));
    const auto gap_before = [&](int64_t token) {
      const WordPiece &before = flow.parts(token - 1)[0], &piece = flow.parts(token)[0];
      return piece.x - before.x - before.width;
    };
    const double expected[] = {0, 0, 8, 8};  // "##" alone is two signs of the text
    for (int64_t token = 1; token < 5; ++token)
      QVERIFY(std::abs(gap_before(token) - expected[token - 1]) < 0.01);
  }

  void it_fits_every_width() {
    WordsBench b(deterministic("first-look", 10));
    QVERIFY(b.stage.run_to_end());
    for (const int percent : {100, 200}) {
      Theme::instance().set_text_percent(percent);
      for (const int width : {1200, 500, 260, 200}) {
        b.view->resize(width, 320);
        TextRecorder recorder(b.canvas().size());
        b.canvas().render(&recorder);
        QCOMPARE(recorder.cut(), QStringList());
        QCOMPARE(recorder.overlaps(), QStringList());
        QVERIFY(b.canvas().scene().count(false) > 0);
      }
    }
    Theme::instance().set_text_percent(100);
  }

  void long_texts_cost_what_is_in_sight() {
    constexpr int64_t kMany = 16384;
    WordsCanvas canvas;
    canvas.resize(800, 400);
    canvas.show();
    const Tokens all = many_words(kMany);
    canvas.set_scene(
        words_scene_of(std::make_shared<std::vector<TokenView>>(all->begin(), all->end() - 1),
                       kMany / 2),
        1);
    canvas.set_scene(words_scene_of(all, kMany / 2), 1);
    QCOMPARE(canvas.words_layout().flow(false).laid_out(), kMany);
    QCOMPARE(canvas.bar().value(), canvas.bar().maximum());
    QVERIFY(canvas.bar().maximum() > 10000);
    const auto drawn = [&] {
      TextRecorder recorder(canvas.size());
      canvas.render(&recorder);
      return recorder.texts().size();
    };
    QVERIFY(drawn() > 50 && drawn() < 2000);
    QTest::keyClick(&canvas, Qt::Key_PageUp);
    QVERIFY(!canvas.follows());
    const int value = canvas.bar().value();
    canvas.set_scene(words_scene_of(many_words(kMany + 60), kMany / 2), 1);
    QCOMPARE(canvas.bar().value(), value);
    QTest::keyClick(&canvas, Qt::Key_End);
    QCOMPARE(canvas.bar().value(), canvas.bar().maximum());
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.bar().value(), 0);
    QVERIFY(drawn() < 2000);
    canvas.reveal({false, 9000});
    QVERIFY(QRectF(canvas.rect()).contains(canvas.rect_of({false, 9000})));
    canvas.zoom(1.25);
    const std::vector<double> place = canvas.place();
    canvas.fit();
    QVERIFY(canvas.place().empty());
    canvas.go_to_place(place);
    QCOMPARE(canvas.place(), place);
    for (const std::vector<double>& odd :
         {std::vector<double>{1e300, 0, 1, 0}, {NAN, NAN, NAN, 0}, {-5, 3, 900, 0}, {1, 2}})
      canvas.go_to_place(odd);
    QVERIFY(drawn() < 2000);
  }

  void odd_tokens_stay_readable() {
    QCOMPARE(escaped_token(" a\n\t\"\\"), QStringLiteral("\" a\\n\\t\\\"\\\\\""));
    QCOMPARE(escaped_token("\xE2\x80\x8B"), QStringLiteral("\"\\u{200b}\""));
    QCOMPARE(escaped_token("\xC2\xA0"), QStringLiteral("\"\\u{a0}\""));
    QCOMPARE(escaped_token("\xF0\x9F"), QStringLiteral("\"\\xf0\\x9f\""));
    QCOMPARE(escaped_token("\xF0\x9F\x98\x80"), QStringLiteral("\"\U0001F600\""));
    QVERIFY(escaped_token(std::string(100000, 'x')).size() < 300);
    QVERIFY(is_byte_token("<0xE2>") && !is_byte_token("<0xE2") && !is_byte_token("<0xG2>"));
    const Tokens odd = tokens_with({"<s>", " Lily", "\n", "", "<0xF0>", "<0x9F>", "\xF0\x9F",
                                    "\x01", "\t", "e\xCC\x81", std::string(100000, 'x'), "</s>"});
    WordsCanvas canvas;
    canvas.resize(500, 600);
    canvas.show();
    canvas.set_scene(words_scene_of(odd, 4), 1);
    QTest::keyClick(&canvas, Qt::Key_Home);
    const QString all = words_drawn(canvas);
    for (const char16_t* part :
         {u"<s>", u"Lily", u"\u21b5", u"\u2205", u"<0xF0>", u"\ufffd", u"</s>"})
      QVERIFY2(all.contains(QString::fromUtf16(part)), qPrintable(all));
    for (int64_t token = 0; token < canvas.scene().count(false); ++token) {
      canvas.reveal({false, token});
      const auto at = canvas.place_at(canvas.rect_of({false, token}).center());
      QCOMPARE(at, std::optional(WordPlace{false, token}));
      QVERIFY(!word_tooltip(canvas.scene(), *at).isEmpty());
    }
    QVERIFY(word_tooltip(canvas.scene(), {false, 4}).contains(QStringLiteral("one byte")));
  }

  // A computed row whose weights are NaN is not one without weights.
  void a_weight_that_is_no_number_is_told() {
    WordsScene scene = words_scene_of(tokens_with({"a", "b", "c"}), 3);
    scene.query = {false, 2};
    RowWeights row;
    row.query = 2;
    row.of = {NAN, 0, NAN};
    scene.weights = std::make_shared<const RowWeights>(row);
    QVERIFY(word_tooltip(scene, {false, 0}).contains(QStringLiteral("weight NaN, with which")));
    QVERIFY(word_tooltip(scene, {false, 1}).contains(QStringLiteral("weight 0, with which")));
    QCOMPARE(word_ground(scene, {false, 0}), scene.look.colors.not_a_number);
    QCOMPARE(word_ground(scene, {false, 1}), scene.look.colors.surface);
    WordsCanvas canvas;
    canvas.resize(700, 300);
    canvas.show();
    canvas.set_scene(scene, 1);
    const QString all = words_drawn(canvas);
    QVERIFY2(all.contains(QStringLiteral("weight NaN, layer 0, head 0")), qPrintable(all));
    QVERIFY2(!all.contains(QStringLiteral("weight 0 to")), qPrintable(all));
  }

  void an_encoder_has_a_text_of_its_own() {
    WordsBench b(deterministic("encoder-decoder", 6));
    QVERIFY(b.stage.run_to_end());
    const RequestView& request = b.stage.bridge.snapshot()->requests.front();
    QVERIFY(b.scene().encoder_tokens && b.scene().encoder_tokens == request.encoder_tokens);
    QVERIFY(b.canvas().rect_of({true, 0}).bottom() < b.canvas().rect_of({false, 0}).top());
    const LayerRules& rules = request.attention->shape().rules;
    for (int64_t layer = 0; layer < request.attention->shape().num_layers; ++layer) {
      b.stage.selection.select({.kind = SelectionKind::kCell,
                                .request = request.id,
                                .layer = layer,
                                .head = 0,
                                .query = 2,
                                .key = 1});
      const bool cross = rules.of(layer).cross;
      QCOMPARE(b.scene().key, (WordPlace{cross, 1}));
      QCOMPARE(b.scene().weights->of_encoder, cross);
      b.click(3, {}, true);
      QCOMPARE(b.stage.selection.state().key, cross ? 3 : 1);
      b.point_at(b.canvas(), b.middle(0, true));
      QCOMPARE(b.heatmap->scene().hover_key, cross ? 0 : -1);
      b.leave(b.canvas());
    }
    const QByteArray table = b.view->csv();
    QCOMPARE(table.count(",encoder,"), static_cast<qsizetype>(request.encoder_tokens->size()));
    QVERIFY(table.startsWith("request,name,part,position,token,text\n"));
  }

  void tokens_of_an_encoder_are_queries_and_keys() {
    WordsBench b(deterministic("encoder-layers", 3));
    QVERIFY(b.stage.run_to_end());
    const RequestView& request = b.stage.bridge.snapshot()->requests.front();
    QCOMPARE(request.num_encoder_layers, 2);
    b.stage.selection.show(request.id, 1, 0);
    QVERIFY(b.scene().in_encoder);
    b.click(4, {}, true);
    const SelectionState first = b.stage.selection.state();
    QCOMPARE(first.kind, SelectionKind::kCell);
    QCOMPARE(first.layer, 1);
    QCOMPARE(first.query, 4);
    QCOMPARE(first.key, 4);
    b.click(2, Qt::ShiftModifier, true);
    b.click(5, {}, true);
    QCOMPARE(b.scene().query, (WordPlace{true, 5}));
    QCOMPARE(b.scene().key, (WordPlace{true, 2}));
    QCOMPARE(b.heatmap->scene().mark.query, 5);
    QCOMPARE(b.heatmap->scene().mark.key, 2);
    QTest::keyClick(&b.canvas(), Qt::Key_Right);
    QCOMPARE(b.scene().query, (WordPlace{true, 6}));
    QVERIFY(b.scene().weights && b.scene().weights->of_encoder);
    QCOMPARE(static_cast<int64_t>(b.scene().weights->of.size()), b.scene().count(true));
    float weight = 0;
    request.encoder->attention->weights(1, 0, 6, 1, 7, 1, &weight);
    QVERIFY(weight > 0);
    QCOMPARE(*b.scene().weights->at({true, 7}), weight);
    QVERIFY(!b.scene().weights->at({false, 7}));
    const QString layer = QStringLiteral("layer 1 (encoder), head 0");
    QVERIFY(b.canvas().tooltip_at(b.middle(7, true)).contains(layer));
    QVERIFY(b.lines->canvas().accessibleDescription().contains(layer));
    HeadRef head = b.heatmap->scene().head;
    QCOMPARE(shown_words(head), layer);
    head.combine.kind = Combine::kMean;
    QCOMPARE(shown_words(head),
             QStringLiteral("mean of the 8 heads in the 2 layers of the encoder"));
    TraceEvent kernel{.kind = EventKind::kKernel, .layer = 1};
    kernel.a = static_cast<uint32_t>(KernelId::kMemoryEfficientPrefill);
    const EngineSnapshot* snapshot = b.stage.bridge.snapshot().get();
    QCOMPARE(span_labels({}, kernel, SpanClass::kPrefill, snapshot).front(),
             QStringLiteral("memory_efficient_prefill, layer 1 (encoder)"));
    kernel.layer = 2;
    QCOMPARE(span_labels({}, kernel, SpanClass::kPrefill, snapshot).front(),
             QStringLiteral("memory_efficient_prefill, layer 2"));
    const QImage chosen = b.canvas().grab().toImage();
    const QRectF query = b.canvas().rect_of({true, 6});
    QCOMPARE(chosen.pixelColor((query.center() + QPointF(0, query.height() * 0.36)).toPoint() *
                               chosen.devicePixelRatio()),
             Theme::instance().colors().accent);
    b.point_at(b.canvas(), b.middle(3, true));
    QCOMPARE(b.heatmap->scene().hover_query, 3);
    QCOMPARE(b.heatmap->scene().hover_key, -1);
    b.leave(b.canvas());
    const QImage plain = b.canvas().grab().toImage();
    b.stage.selection.point({.request = request.id,
                             .query = 1,
                             .key = 8,
                             .of_encoder = true,
                             .query_of_encoder = true});
    const QImage pointed = b.canvas().grab().toImage();
    const auto differs = [&](const WordPlace& place) {
      const QRect rect = b.canvas().rect_of(place).toRect();
      return plain.copy(rect) != pointed.copy(rect);
    };
    QVERIFY(differs({true, 1}) && differs({true, 8}));
    QVERIFY(!differs({false, 1}) && !differs({true, 3}));
    b.stage.selection.point({});
    const auto click_line = [&](const LineToken& token) {
      QTest::mouseClick(&b.lines->canvas(), Qt::LeftButton, {},
                        b.lines->canvas().rect_of(token).center().toPoint());
    };
    click_line({LineSide::kQuery, 3});
    QCOMPARE(b.scene().query, (WordPlace{true, 3}));
    QCOMPARE(b.scene().key, (WordPlace{true, 2}));
    click_line({LineSide::kKey, 7});
    QCOMPARE(b.scene().query, (WordPlace{true, 3}));
    QCOMPARE(b.scene().key, (WordPlace{true, 7}));
    b.click(1);
    QCOMPARE(b.scene().query, (WordPlace{false, 1}));
    QVERIFY(!b.scene().weights);
  }

  void each_request_has_its_own_words() {
    WordsBench b(deterministic("beam-search", 8));
    QVERIFY(b.stage.run_to_end());
    const auto requests = b.stage.bridge.snapshot()->requests;
    QVERIFY(requests.size() > 1);
    for (const RequestView& request : requests) {
      b.stage.selection.show(request.id, 0, 0);
      QCOMPARE(b.scene().request, static_cast<int64_t>(request.id));
      QCOMPARE(b.scene().tokens, request.tokens);
    }
  }

  void it_is_a_view_of_the_window() {
    Workbench w(synthetic_scenario(kWordsPrompt, kWordsNew));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    auto* view = qobject_cast<WordsView*>(w.window->view("words"));
    QVERIFY(view);
    w.window->show_attention(view);
    QCOMPARE(w.window->focusWidget(), &view->canvas());
    QCOMPARE(view->scene().count(false), kWordsPrompt + kWordsNew);
    const QJsonObject off{{QStringLiteral("told_apart"), false},
                          {QStringLiteral("weights"), false}};
    view->set_options(off);
    QCOMPARE(view->options(), off);
    QVERIFY(!view->scene().told_apart);
    QVERIFY(view->export_size_for(400).height() > view->export_size_for(1200).height());
    TextRecorder recorder(view->export_size());
    QPainter painter(&recorder);
    view->paint_content(painter, QRectF(QPointF(0, 0), QSizeF(view->export_size())));
    painter.end();
    QString all;
    for (const DrawnText& text : recorder.texts()) all += text.text;
    for (const TokenView& token : *view->scene().tokens)
      QVERIFY(all.contains(token_text(token.text).shown));
    QCOMPARE(recorder.cut(), QStringList());
  }
};

ATTN_QT_TEST(test_words, attn::gui::test::run<TestWords>)
#include "test_words.moc"
