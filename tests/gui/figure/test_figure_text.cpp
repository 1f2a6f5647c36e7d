// SPDX-License-Identifier: GPL-3.0-or-later
// How large the letters of a figure are, and what the dialog says of it.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "backends/register_all.h"
#include "gui/app/window/figure_dialog.h"
#include "gui/theme/theme.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestFigureText : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void the_points_are_those_of_the_file() {
    Workbench w(synthetic_scenario(20, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    gui::View& heatmap = *w.window->view("heatmap");
    FigureSpec spec;
    spec.request = w.bridge.snapshot()->requests[0].id;
    spec.colormap = QStringLiteral("viridis");
    spec.format = QStringLiteral("svg");
    for (const bool all_heads : {false, true})
      for (const bool legend : {false, true})
        for (const int percent : {100, 200})
          for (const double width : {40.0, 85.0, 300.0}) {
            spec.look.all_heads = spec.look.all_layers = all_heads;
            spec.look.legend = spec.look.sums = legend;
            spec.text_percent = percent;
            spec.width_mm = width;
            const double said = smallest_points(heatmap, w.bridge.snapshot()->requests[0], spec);
            QCOMPARE(prepare_figure(heatmap, w.selection, spec, file())(), QString());
            const double written = smallest_points_written(width);
            QVERIFY2(std::abs(said - written) < 0.05,
                     qPrintable(QStringLiteral("%1 said, %2 written").arg(said).arg(written)));
          }
  }

  void the_dialog_says_the_points_and_warns() {
    Workbench w(synthetic_scenario(20, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const gui::View& heatmap = *w.window->view("heatmap");
    const RequestView& request = w.bridge.snapshot()->requests[0];
    FigureSpec spec;
    spec.request = request.id;
    FigureDialog dialog(*w.bridge.snapshot(), spec, w.window.get(), {}, [&](const FigureSpec& now) {
      return FigureDialog::Size{.points = smallest_points(heatmap, request, now)};
    });
    dialog.show();
    auto* width = dialog.findChild<QDoubleSpinBox*>();
    QComboBox *text = nullptr, *format = nullptr;
    for (auto* box : dialog.findChildren<QComboBox*>()) {
      if (box->accessibleName() == QLatin1String("Text size")) text = box;
      if (box->accessibleName() == QLatin1String("Format")) format = box;
    }
    QVERIFY(width && text && format);
    width->setValue(85);
    QCOMPARE(dialog.points_text(), QStringLiteral("smallest text: 5.5 pt"));
    QCOMPARE(dialog.warning_text(), QString());
    width->setValue(40);
    QCOMPARE(dialog.points_text(), QStringLiteral("smallest text: 2.6 pt"));
    QVERIFY(dialog.warning_text().contains(QStringLiteral("less than 5 pt")));
    text->setCurrentIndex(text->findData(200));
    QCOMPARE(dialog.points_text(), QStringLiteral("smallest text: 3.9 pt"));
    width->setValue(300);
    QCOMPARE(dialog.points_text(), QStringLiteral("smallest text: 16.5 pt"));
    QCOMPARE(dialog.warning_text(), QString());
    width->setValue(40);
    QVERIFY(!dialog.warning_text().isEmpty());
    format->setCurrentIndex(format->findData(QStringLiteral("npy")));
    QCOMPARE(dialog.points_text(), QString());
    QCOMPARE(dialog.warning_text(), QString());
    FigureDialog silent(*w.bridge.snapshot(), spec, w.window.get());
    QCOMPARE(silent.points_text(), QString());
  }

 private:
  QString file() const { return folder_.filePath(QStringLiteral("figure.svg")); }
  // Of the texts of the file, in points on a page of this width.
  double smallest_points_written(double width_mm) const {
    QFile in(file());
    if (!in.open(QIODevice::ReadOnly)) return 0;
    const QString svg = QString::fromUtf8(in.readAll());
    static const QRegularExpression kBox(QStringLiteral("viewBox=\"0 0 ([0-9.]+) ")),
        kText(QStringLiteral("<text [^>]*font-size=\"([0-9.]+)\""));
    const double across = kBox.match(svg).captured(1).toDouble();
    double least = 1e9;
    for (auto at = kText.globalMatch(svg); at.hasNext();)
      least = std::min(least, at.next().captured(1).toDouble());
    return across > 0 ? least * width_mm / 25.4 * 72 / across : 0;
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_figure_text, attn::gui::test::run<TestFigureText>)
#include "test_figure_text.moc"
