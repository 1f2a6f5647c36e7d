// SPDX-License-Identifier: GPL-3.0-or-later
// Files of queries, keys and values in the window: dropped, run, shown in the form, or refused.
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <cmath>
#include <limits>

#include "backends/register_all.h"
#include "engine/model/files/safetensors.h"
#include "gui/app/report/fullest_step.h"
#include "gui/models/words/request_words.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/step/step_view.h"
#include "gui/views/timeline/timeline_text.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"
#include "tests/support/dense.h"
#include "tests/support/tensor_files.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;
using attn::test::random_tensor;
using attn::test::write_npy;

namespace {

constexpr int64_t kHeads = 4, kKvHeads = 2, kTokens = 24, kSize = 32;

void drop(Workbench& w, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(w.window.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(w.window.get(), &event);
  QVERIFY(w.control.is_opening());
  QTRY_VERIFY_WITH_TIMEOUT(!w.control.is_opening(), 60000);
}

Scenario first_look() {
  Scenario scenario = load_scenario(find_scenario("first-look"));
  scenario.view.pace_tiles_per_s = 0;
  return scenario;
}

}  // namespace

class TestUserTensors : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    query_ = random_tensor({kHeads, kTokens, kSize}, 1);
    key_ = random_tensor({kKvHeads, kTokens, kSize}, 2);
    write_npy(path("q.npy").toStdString(), query_);
    write_npy(path("k.npy").toStdString(), key_);
    write_npy(path("v.npy").toStdString(), random_tensor({kKvHeads, kTokens, kSize}, 3));
  }
  void init() { fail_on_warnings(); }

  void dropped_files_are_run_and_shown() {
    for (const QStringList& files : {QStringList{path("q.npy"), path("k.npy"), path("v.npy")},
                                     QStringList{path("k.npy")}, QStringList{folder_.path()}}) {
      Workbench w(first_look());
      QSignalSpy begun(&w.bridge, &EngineBridge::run_started);
      drop(w, files);
      QVERIFY2(w.window->message_bar()->text().isEmpty(),
               qPrintable(w.window->message_bar()->text()));
      QTRY_VERIFY_WITH_TIMEOUT(!begun.isEmpty(), 60000);
      QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
      QVERIFY(w.control.scenario().source.tensors.has_value());
      expect_weights(*w.bridge.snapshot());
    }
  }

  void a_scenario_after_tensors_marks_the_shown_request() {
    Workbench w(first_look());
    drop(w, {path("q.npy"), path("k.npy"), path("v.npy")});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(w.control.open(QStringLiteral("full-house")));
    QSignalSpy begun(&w.bridge, &EngineBridge::run_started);
    QVERIFY(w.control.start(true));
    QVERIFY(begun.count() > 0 || begun.wait(60000));
    QVERIFY(QTest::qWaitFor([&] { return w.selection.shown_request() >= 0; }, 60000));
    QTest::qWait(50);
    const QTableView* table = w.window->workload()->findChild<QTableView*>();
    const auto& requests = w.bridge.snapshot()->requests;
    const auto shown = std::ranges::find(requests, w.selection.shown_request(), &RequestView::id);
    QVERIFY(shown != requests.end());
    QCOMPARE(table->currentIndex().siblingAtColumn(0).data().toString(),
             QString::fromStdString(shown->name));
    QCOMPARE(shown->name, std::string("Lily"));
  }

  void columns_of_requests_are_as_wide_as_their_text() {
    Workbench w(synthetic_scenario(8, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const QTableView* table = w.window->workload()->findChild<QTableView*>();
    for (const int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      QTest::qWait(10);
      for (int column = 1; column < table->model()->columnCount(); ++column)
        QVERIFY2(table->columnWidth(column) >=
                     table->sizeHintForIndex(table->model()->index(0, column)).width(),
                 qPrintable(QStringLiteral("column %1 at %2%").arg(column).arg(percent)));
    }
    Theme::instance().set_text_percent(100);
  }

  void the_form_shows_files_axes_and_scale() {
    Workbench w(first_look());
    drop(w, {path("q.npy"), path("k.npy"), path("v.npy")});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    auto* panel = w.window->workload();
    QPushButton* files = nullptr;
    for (QPushButton* button : panel->findChildren<QPushButton*>())
      if (button->accessibleName().startsWith(QStringLiteral("Tensor files"))) files = button;
    QVERIFY(files);
    QVERIFY(files->isVisibleTo(panel));
    QCOMPARE(files->accessibleName(), QStringLiteral("Tensor files: q.npy, k.npy, v.npy"));
    QVERIFY(!panel->findChild<QPlainTextEdit*>()->isVisibleTo(panel));

    Scenario scenario = w.control.scenario();
    scenario.requests[0].prompt_tokens = 7;
    scenario.requests[0].max_tokens = 100;
    w.control.edit(scenario);
    QSignalSpy begun(&w.bridge, &EngineBridge::run_started);
    QVERIFY(w.control.start());
    QVERIFY(begun.wait(60000));
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(w.bridge.snapshot()->steps->size() > 10);
    expect_weights(*w.bridge.snapshot());
  }

  // [12, 8, 32] is 12 heads of 8 tokens or 8 heads of 12 tokens.
  void an_order_of_axes_that_is_not_clear_is_asked() {
    QTemporaryDir folder;
    for (const char* name : {"q.npy", "k.npy", "v.npy"})
      write_npy(folder.filePath(QLatin1String(name)).toStdString(), random_tensor({12, 8, 32}, 1));
    Workbench w(first_look());
    drop(w, {folder.filePath(QStringLiteral("q.npy"))});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(w.bridge.snapshot()->source.num_heads, int64_t{12});
    MessageBar& bar = *w.window->message_bar();
    QVERIFY2(bar.text().contains(QStringLiteral("12 heads of 8 tokens")) &&
                 bar.text().contains(QStringLiteral("8 heads of 12 tokens")),
             qPrintable(bar.text()));
    QSignalSpy begun(&w.bridge, &EngineBridge::run_started);
    QTest::mouseClick(bar.offered(), Qt::LeftButton);
    QVERIFY(begun.count() > 0 || begun.wait(60000));
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(w.bridge.snapshot()->source.num_heads, int64_t{8});
    QCOMPARE(w.bridge.snapshot()->requests.front().prompt_len, int64_t{12});
    QVERIFY2(!bar.text().contains(QStringLiteral("axis")), qPrintable(bar.text()));
    drop(w, {path("q.npy"), path("k.npy"), path("v.npy")});
    QVERIFY2(!bar.text().contains(QStringLiteral("axis")), qPrintable(bar.text()));
  }

  // A single query is taken for that of the last token. The window offers cross attention instead.
  void one_query_is_a_decode_step() {
    constexpr int64_t kKeys = 40;
    QTemporaryDir folder;
    const Tensor query = random_tensor({4, 1, kSize}, 1), key = random_tensor({2, kKeys, kSize}, 2);
    write_npy(folder.filePath(QStringLiteral("q.npy")).toStdString(), query);
    write_npy(folder.filePath(QStringLiteral("k.npy")).toStdString(), key);
    write_npy(folder.filePath(QStringLiteral("v.npy")).toStdString(),
              random_tensor({2, kKeys, kSize}, 3));
    Workbench w(first_look());
    drop(w, {folder.filePath(QStringLiteral("q.npy"))});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const std::vector<StepRecord>& steps = *w.bridge.snapshot()->steps;
    QCOMPARE(steps.size(), size_t{2});
    QCOMPARE(steps[0].prefill_tokens, kKeys - 1);
    QCOMPARE(steps[1].decode_tokens, int64_t{1});
    const AttentionRecord& record = *w.bridge.snapshot()->requests.front().attention;
    for (int64_t head = 0; head < 4; ++head) {
      for (int64_t row = 0; row < kKeys - 1; ++row) QVERIFY(!record.row_done(0, head, row));
      QVERIFY(record.row_done(0, head, kKeys - 1));
      std::vector<float> weights(kKeys);
      record.weights(0, head, kKeys - 1, 1, 0, kKeys, weights.data());
      double sum = 0;
      std::vector<double> expected(kKeys);
      for (int64_t k = 0; k < kKeys; ++k) {
        double dot = 0;
        for (int64_t i = 0; i < kSize; ++i)
          dot += double{query.data<float>()[head * kSize + i]} *
                 key.data<float>()[(head / 2 * kKeys + k) * kSize + i];
        sum += expected[static_cast<size_t>(k)] = std::exp(dot / std::sqrt(double{kSize}));
      }
      for (size_t k = 0; k < expected.size(); ++k)
        QVERIFY(std::abs(weights[k] - expected[k] / sum) < 1e-5);
    }
    expect_marks_of_tokens_without_query(w, kKeys - 1);
    MessageBar& bar = *w.window->message_bar();
    QVERIFY2(bar.text().contains(QStringLiteral("one query and 40 keys")), qPrintable(bar.text()));
    QSignalSpy begun(&w.bridge, &EngineBridge::run_started);
    QTest::mouseClick(bar.offered(), Qt::LeftButton);
    QVERIFY(begun.count() > 0 || begun.wait(60000));
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(w.bridge.snapshot()->scenario->attention.type, AttentionType::kEncoderDecoder);
    QCOMPARE(w.bridge.snapshot()->requests.front().prompt_len, int64_t{1});
    QVERIFY(w.bridge.snapshot()->requests.front().attention->row_done(0, 0, 0));
  }

  void a_run_of_one_step_shows_its_blocks() {
    Workbench w(first_look());
    drop(w, {path("q.npy")});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(w.bridge.snapshot()->steps->size(), size_t{1});
    w.window->cursor().go_to(1);
    const EngineSnapshot& then = *w.window->cursor().snapshot();
    const int64_t blocks = (kTokens + then.block_size - 1) / then.block_size;
    QCOMPARE(static_cast<int64_t>(then.requests.front().own_table.blocks.size()), blocks);
    int64_t used = 0;
    for (const BlockView& block : then.blocks) used += block.ref_count > 0;
    QCOMPARE(used, blocks);
    QCOMPARE(static_cast<int64_t>(then.blocks.size()) - then.free_blocks, blocks);
    w.window->cursor().go_live();
    const FullestStep fullest = fullest_step(*w.bridge.snapshot());
    QVERIFY(fullest.snapshot);
    QCOMPARE(fullest.used, blocks);
  }

  void names_of_transformers_are_read() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("qkv.safetensors"));
    const Tensor tensor = random_tensor({2, 8, 32}, 1);
    write_safetensors(
        file.toStdString(),
        {{"query_states", &tensor}, {"key_states", &tensor}, {"value_states", &tensor}}, {});
    Workbench w(first_look());
    drop(w, {file});
    QVERIFY2(!w.window->message_bar()->text().contains(QStringLiteral("missing")),
             qPrintable(w.window->message_bar()->text()));
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(w.control.scenario().source.tensors.has_value());
  }

  void an_old_error_leaves_when_something_opens() {
    QTemporaryDir folder;
    Tensor bad = random_tensor({2, 8, 32}, 1);
    bad.data<float>()[5] = std::numeric_limits<float>::quiet_NaN();
    for (const char* name : {"q.npy", "k.npy"})
      write_npy(folder.filePath(QLatin1String(name)).toStdString(), bad);
    Workbench w(first_look());
    MessageBar& bar = *w.window->message_bar();
    drop(w, {folder.filePath(QStringLiteral("q.npy"))});
    QVERIFY(bar.text().contains(QStringLiteral("missing")));
    write_npy(folder.filePath(QStringLiteral("v.npy")).toStdString(), random_tensor({2, 8, 32}, 2));
    drop(w, {folder.filePath(QStringLiteral("q.npy"))});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY2(!bar.text().contains(QStringLiteral("missing")), qPrintable(bar.text()));
    while (bar.text().contains(QStringLiteral("axis"))) bar.close_shown();
    QVERIFY2(bar.text().contains(QStringLiteral("NaN")), qPrintable(bar.text()));
    drop(w, {path("q.npy")});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    while (bar.count() > 0) {
      QVERIFY2(!bar.text().contains(QStringLiteral("NaN")), qPrintable(bar.text()));
      bar.close_shown();
    }
  }

  void back_to_the_model() {
    Workbench w(first_look());
    drop(w, {path("q.npy"), path("k.npy"), path("v.npy")});
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QComboBox* source = nullptr;
    for (QComboBox* box : w.window->workload()->findChildren<QComboBox*>())
      if (box->findData(QStringLiteral("tensors")) >= 0) source = box;
    QVERIFY(source);
    QCOMPARE(source->currentData().toString(), QStringLiteral("tensors"));
    choose(source, QStringLiteral("synthetic"));
    QVERIFY(w.control.scenario().source.synthetic.has_value());
    QVERIFY(!w.control.scenario().source.tensors.has_value());
    QCOMPARE(w.control.problem(), QString());
    choose(source, QStringLiteral("model"));
    QVERIFY(w.control.scenario().source.reads_text());
    QCOMPARE(w.control.problem(), QString());
  }

  void bad_files_are_told_and_change_nothing() {
    Workbench w(first_look());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const uint64_t run = w.bridge.snapshot()->run;
    QTemporaryDir bad;
    const auto file = [&](const char* name) { return bad.filePath(QLatin1String(name)); };
    for (const char* name : {"q.npy", "k.npy"})
      write_npy(file(name).toStdString(), random_tensor({2, 8, 32}, 1));
    write_npy(file("v.npy").toStdString(), random_tensor({2, 9, 32}, 1));
    drop(w, {file("q.npy"), file("k.npy"), file("v.npy")});
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("tokens do not fit")));
    drop(w, {file("q.npy"), file("k.npy")});
    QVERIFY(
        w.window->message_bar()->text().contains(QStringLiteral("query, key or value is missing")));
    const int told = w.window->message_bar()->count();
    drop(w, {file("q.npy"), path("nothing.json")});
    QCOMPARE(w.window->message_bar()->count(), told + 1);
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("tokens do not fit")));
    w.bridge.tick();
    QCOMPARE(w.bridge.snapshot()->run, run);
    QVERIFY(w.control.scenario().source.reads_text());
  }

 private:
  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

  static void choose(QComboBox* box, const QString& data) {
    box->setCurrentIndex(box->findData(data));
    emit box->activated(box->currentIndex());
  }

  // Rows that were never computed are not shown as if they had been.
  static void expect_marks_of_tokens_without_query(Workbench& w, int64_t count) {
    EngineSnapshot now = *w.bridge.snapshot();
    QCOMPARE(tokens_without_query(now, now.requests.front()), count);
    now.source.first_query = 0;  // as in a saved run
    QCOMPARE(tokens_without_query(now, now.requests.front()), count);
    TimelineLane lane;
    lane.kind = LaneKind::kRequest;
    lane.id = now.requests.front().id;
    QCOMPARE(span_labels(lane, {}, SpanClass::kPrefill, &now).first(),
             QStringLiteral("PREFILL OF TOKENS WITHOUT A QUERY"));
    const auto* heatmap = w.window->view<HeatmapView>();
    QVERIFY(heatmap->cell_text(5, 2).contains(given_words()));
    QVERIFY(!heatmap->cell_text(count, 2).contains(given_words()));
    w.window->cursor().go_to(1);
    auto* step = w.window->view<StepView>();
    w.window->show_attention(step);
    QTRY_VERIFY(!step->scene().is_empty());
    QCOMPARE(step->scene().given_rows(), count);
    QVERIFY(step->scene().is_given({StepPlace::Kind::kToken, 0, count - 1}));
    QVERIFY(step_sentence(step->scene())
                .contains(QString::number(count) + QStringLiteral(" rows are of tokens without")));
    w.window->cursor().go_live();
  }

  void expect_weights(const EngineSnapshot& shot) const {
    const AttentionRecord& record = *shot.requests.front().attention;
    QVERIFY(record.num_rows() >= kTokens);
    for (int64_t head = 0; head < kHeads; ++head) {
      std::vector<float> weights(kTokens * kTokens);
      record.weights(0, head, 0, kTokens, 0, kTokens, weights.data());
      for (int64_t q = 0; q < kTokens; ++q) {
        std::vector<double> expected;
        double sum = 0;
        for (int64_t k = 0; k <= q; ++k) {
          const double dot =
              attn::test::dot({query_.data<float>() + (head * kTokens + q) * kSize, kSize},
                              {key_.data<float>() + (head / 2 * kTokens + k) * kSize, kSize});
          expected.push_back(std::exp(dot / std::sqrt(double{kSize})));
          sum += expected.back();
        }
        for (int64_t k = 0; k <= q; ++k)
          QVERIFY(std::abs(weights[static_cast<size_t>(q * kTokens + k)] -
                           expected[static_cast<size_t>(k)] / sum) < 3e-6);
      }
    }
  }

  QTemporaryDir folder_;
  Tensor query_, key_;
};

ATTN_QT_TEST(test_user_tensors, attn::gui::test::run<TestUserTensors>)
#include "test_user_tensors.moc"
