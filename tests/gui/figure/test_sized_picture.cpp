// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of any view with a width, a title and a part of the text: the options of `run`, and the
// dialog "Figure with a width…".
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <cmath>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "gui/app/headless/headless.h"
#include "gui/app/window/figure_dialog.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QSizeF page_of(const QByteArray& svg) {
  static const QRegularExpression kSize(
      QStringLiteral("width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\""));
  const auto match = kSize.match(QString::fromUtf8(svg));
  return {match.captured(1).toDouble(), match.captured(2).toDouble()};
}

// The numbers of the positions that stand beside the tokens.
QSet<int> numbers_of(const QByteArray& svg) {
  static const QRegularExpression kNumber(QStringLiteral(">([0-9]+)</text>"));
  QSet<int> numbers;
  for (auto at = kNumber.globalMatch(QString::fromUtf8(svg)); at.hasNext();)
    numbers += at.next().captured(1).toInt();
  return numbers;
}

}  // namespace

class TestSizedPicture : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    Theme::instance().set_mode(ThemeMode::kLight);
    QFile file(path("one.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(to_json(synthetic_scenario(40, 2))));
  }
  void init() { fail_on_warnings(); }

  void lines_have_a_title_and_some_positions() {
    const QByteArray whole = lines({"--width", "85"});
    QVERIFY(whole.contains("layer 0, head 0"));
    const QByteArray titled = lines({"--width", "85", "--title", "What the cat reads"});
    QVERIFY(titled.contains("What the cat reads") && !titled.contains("layer 0, head 0"));
    const QByteArray bare = lines({"--width", "85", "--no-title"});
    QVERIFY(!bare.contains("layer 0, head 0"));
    QVERIFY(page_of(bare).height() < page_of(whole).height());
    QCOMPARE(page_of(bare).width(), 85.0);
    const QByteArray part = lines({"--width", "85", "--positions", "20..33"});
    QVERIFY(part.contains("positions 20 to 33"));
    QVERIFY(page_of(part).height() < 0.6 * page_of(whole).height());
    QSet<int> wanted;
    for (int position = 20; position <= 33; ++position) wanted += position;
    const QSet<int> numbers = numbers_of(part);
    QVERIFY(numbers.contains(20) && numbers.contains(33));
    QVERIFY(wanted.contains(numbers));
  }

  void positions_that_are_not_there_are_refused() {
    for (const char* wrong : {"30..99", "9..3"}) {
      QByteArray said;
      try {
        lines({"--positions", wrong});
      } catch (const Error& error) {
        said = error.what();
      }
      QVERIFY2(said.contains("--positions") && said.contains(wrong), said.constData());
    }
  }

  void the_dialog_has_the_fields_of_the_view() {
    Workbench w(synthetic_scenario(40, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    auto& view = static_cast<HeadLinesView&>(*w.window->view("lines"));
    const int64_t rows = view.figure_positions();
    QVERIFY(rows >= 40);
    FigureSpec spec;
    spec.request = w.selection.shown_request();
    FigureDialog dialog(*w.bridge.snapshot(), spec, w.window.get(), {},
                        [&](const FigureSpec& now) { return size_of_picture(view, now); },
                        {.cells = false, .title = true, .positions = rows});
    dialog.show();
    QSpinBox *first = nullptr, *last = nullptr, *layer = nullptr;
    for (auto* box : dialog.findChildren<QSpinBox*>()) {
      if (box->accessibleName() == QLatin1String("First position")) first = box;
      if (box->accessibleName() == QLatin1String("Last position")) last = box;
      if (box->accessibleName() == QLatin1String("Layer")) layer = box;
    }
    QVERIFY(first && last && layer && first->isVisible() && !layer->isVisible());
    QVERIFY(!dialog.spec().look.positions);
    const QString of_all = dialog.points_text();
    QVERIFY2(of_all.contains(QStringLiteral("height: ")), qPrintable(of_all));
    last->setValue(15);
    first->setValue(6);
    QVERIFY(dialog.spec().look.positions == std::pair(int64_t{6}, int64_t{15}));
    QVERIFY(dialog.points_text() != of_all);
    for (auto* field : dialog.findChildren<QLineEdit*>())
      if (field->accessibleName() == QLatin1String("Own title"))
        field->setText(QStringLiteral("Lines of one head"));
    spec = dialog.spec();
    spec.format = QStringLiteral("svg");
    QCOMPARE(prepare_sized_picture(view, spec, path("dialog.svg"))(), QString());
    const QByteArray svg = read("dialog.svg");
    QVERIFY(svg.contains("Lines of one head"));
    QCOMPARE(page_of(svg).width(), spec.width_mm);
    const FigureDialog::Size said = size_of_picture(view, spec);
    QVERIFY(std::abs(said.height_mm - page_of(svg).height()) < 0.01);
    QVERIFY(view.figure() == FigureLook{} && !view.page().width_mm);
  }

  void a_view_without_a_title_has_no_field_for_it() {
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    FigureDialog dialog(*w.bridge.snapshot(), {}, w.window.get(), {}, {},
                        {.cells = false, .title = false});
    dialog.show();
    for (auto* box : dialog.findChildren<QCheckBox*>()) QVERIFY(!box->isVisible());
    for (auto* field : dialog.findChildren<QLineEdit*>())
      QVERIFY(field->accessibleName() != QLatin1String("Own title") || !field->isVisible());
  }

  // Chooses the command in the menu of every view, as a user does.
  void every_view_has_it_in_its_menu() {
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    int found = 0;
    for (QMenu* menu : w.window->findChildren<QMenu*>())
      for (QAction* action : menu->actions()) {
        if (action->text() != QStringLiteral("Figure with a width…")) continue;
        ++found;
        if (menu->title() != QStringLiteral("Blocks")) continue;
        QSignalSpy written(w.window.get(), &MainWindow::export_finished);
        QTimer::singleShot(0, this, [this] {
          auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
          if (!dialog) return;
          dialog->findChild<QDoubleSpinBox*>()->setValue(120);
          QTimer::singleShot(0, this, [this] {
            auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!files) return;
            files->setDirectory(folder_.path());
            files->selectFile(QStringLiteral("blocks.pdf"));
            QTest::mouseClick(files->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                              Qt::LeftButton);
          });
          dialog->accept();
        });
        action->trigger();
        QVERIFY(written.count() > 0 || written.wait(60000));
        QVERIFY(read("blocks.pdf").startsWith("%PDF"));
      }
    QVERIFY(found >= 10);
  }

 private:
  QByteArray lines(const std::vector<std::string>& more) {
    std::vector<std::string> all{"run",      path("one.json").toStdString(), "--views", "lines",
                                 "--figure", path("lines.svg").toStdString()};
    all.insert(all.end(), more.begin(), more.end());
    run_and_export(parse_command_line(all));
    return read("lines.svg");
  }
  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  QByteArray read(const char* name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_sized_picture, attn::gui::test::run<TestSizedPicture>)
#include "test_sized_picture.moc"
