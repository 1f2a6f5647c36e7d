// SPDX-License-Identifier: GPL-3.0-or-later
// The view Next token beside Knock-out and the inspector, and in a narrow column.
#include <QRegularExpression>
#include <algorithm>

#include "backends/register_all.h"
#include "gui/views/explore/knock_out/knock_out_view.h"
#include "gui/views/explore/next_token/next_token_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestNextToken : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    Scenario scenario = deterministic("first-look", 4);
    scenario.requests.resize(1);
    scenario.requests[0].sampling.temperature = 0.8;
    scenario.requests.push_back(scenario.requests[0]);
    scenario.requests[1].name = "other";
    stage_ = std::make_unique<Stage>(scenario);
    next_ = &stage_->add<NextTokenView>("next_token", {800, 560});
    knock_ = &stage_->add<KnockOutView>("knock_out", {800, 560});
    inspector_ = &stage_->add<InspectorView>("inspector", {300, 500});
    QVERIFY(stage_->run_to_end());
    next_->choose({});
    knock_->choose({});
    QTRY_VERIFY(!next_->is_behind() && next_->data() && !knock_->is_behind());
  }
  void init() { fail_on_warnings(); }
  void cleanupTestCase() { stage_.reset(); }

  // Both views name the same place by the same position, that of the token that follows.
  void a_place_has_one_number() {
    const int64_t follows = stage_->bridge.snapshot()->requests.front().prompt_len;
    knock_->list().set({Intervention{.layer = 4, .head = 2}});
    QTRY_VERIFY(!knock_->is_behind() && knock_->bars() && knock_->bars()->row == follows - 1);
    const QString changed = place_in(*knock_);
    QVERIFY2(changed.endsWith(QStringLiteral(" %1").arg(follows)), qPrintable(changed));
    const auto number =
        knock_->canvas().picture()->explain({KnockOutPicture::kText, follows - 1, 0});
    QVERIFY(number && number->title.endsWith(QStringLiteral("for position %1").arg(follows)));
    knock_->list().clear();
    stage_->selection.select({.kind = SelectionKind::kToken, .request = 0, .query = follows});
    QTRY_VERIFY(!next_->is_behind() && next_->data()->position == follows);
    QCOMPARE(place_in(*next_), changed);
    stage_->selection.clear();
    QTRY_VERIFY(!next_->is_behind() && !knock_->is_behind());
  }

  void an_explanation_goes_with_its_request() {
    const int64_t first = stage_->bridge.snapshot()->requests[0].id,
                  other = stage_->bridge.snapshot()->requests[1].id;
    QCOMPARE(stage_->selection.shown_request(), first);
    ExploreCanvas& canvas = next_->canvas();
    canvas.set_cursor({NextTokenPicture::kBars, 0, 0});
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.place_of_selection()->toPoint());
    const auto number = stage_->selection.explained();
    QVERIFY(number);
    stage_->selection.show(first, 1, 2);
    QVERIFY(inspector_->content().to_text().contains(number->title));
    stage_->selection.show(other, 1, 2);
    QVERIFY(!stage_->selection.explained());
    QVERIFY(!inspector_->content().to_text().contains(number->title));
    stage_->selection.show(first, 1, 2);
    QVERIFY(!stage_->selection.explained());
    QTRY_VERIFY(!next_->is_behind() && next_->canvas().picture());
  }

  // In the narrow column beside, the longest bar stays long enough to be compared with others.
  void bars_of_a_narrow_view_have_some_width() {
    const auto picture = next_->canvas().picture();
    const QColor surface = picture->frame().look.colors.surface;
    for (const int width : {340, 400, 470, 560, 800}) {
      QImage image(width, 900, QImage::Format_RGB32);
      image.fill(surface);
      QPainter painter(&image);
      picture->paint(painter, image.rect(), false, {});
      painter.end();
      const int y =
          static_cast<int>(picture->box_of({NextTokenPicture::kBars, 0, 0}, width).center().y());
      int longest = 0, run = 0;
      for (int x = 1; x < width; ++x) {
        const QRgb pixel = image.pixel(x, y);
        run = pixel != surface.rgb() && pixel == image.pixel(x - 1, y) ? run + 1 : 0;
        longest = std::max(longest, run);
      }
      QVERIFY2(longest >= 70, qPrintable(QStringLiteral("%1: %2 px").arg(width).arg(longest)));
    }
  }

 private:
  // The token before the place and the position of the place, as the title of the bars has them.
  static QString place_in(gui::View& view) {
    TextRecorder device(view.export_size());
    QPainter painter(&device);
    view.paint_content(painter, device.bounds());
    painter.end();
    QStringList texts;
    for (const DrawnText& text : device.texts()) texts << text.text;
    static const QRegularExpression kTitle(
        QStringLiteral("What follow(?:s|ed) (.*?)\\? Token (\\d+)"));
    const auto found = kTitle.match(texts.join(QLatin1Char(' ')));
    return found.captured(1) + QLatin1Char(' ') + found.captured(2);
  }

  std::unique_ptr<Stage> stage_;
  NextTokenView* next_ = nullptr;
  KnockOutView* knock_ = nullptr;
  InspectorView* inspector_ = nullptr;
};

ATTN_QT_TEST(test_next_token, attn::gui::test::run<TestNextToken>)
#include "test_next_token.moc"
