// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of any view with a width, a title and a part of the text: the options of `run`, and the
// dialog "Figure with a width…".
#include <QCheckBox>
#include <QComboBox>
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
#include <algorithm>
#include <cmath>
#include <functional>

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

// What the error says; empty: none was thrown.
template <class Call>
QByteArray error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// The heights at which the lines end on the side of the keys.
std::vector<double> line_ends(const QByteArray& svg) {
  static const QRegularExpression kCurve(
      QStringLiteral("d=\"M\\S+ C\\S+ \\S+ [0-9.]+,([0-9.]+) \""));
  std::vector<double> ends;
  for (auto at = kCurve.globalMatch(QString::fromUtf8(svg)); at.hasNext();)
    ends.push_back(at.next().captured(1).toDouble());
  return ends;
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
      const QByteArray said = error_of([&] { lines({"--positions", wrong}); });
      QVERIFY2(said.contains("--positions") && said.contains(wrong), said.constData());
    }
  }

  void options_choose_which_lines_are_drawn() {
    const std::vector<double> all = line_ends(lines({}));
    QVERIFY(!all.empty());
    const std::vector<double> large = line_ends(lines({"--keep", "0.5"}));
    QVERIFY(!large.empty() && large.size() < all.size());
    const QByteArray most = lines({"--keep", "90%"});
    QVERIFY(line_ends(lines({"--keep", "40%"})).size() < line_ends(most).size());
    // Query 0 reads only key 0, so with it the first line of the picture ends at key 0. The page
    // has about 20 px for each key.
    const double first_key = std::ranges::min(all);
    QVERIFY(std::abs(std::ranges::min(line_ends(most)) - first_key) < 5);
    const QByteArray without = lines({"--keep", "90%", "--no-first-token"});
    QVERIFY(!line_ends(without).empty());
    QVERIFY(std::ranges::min(line_ends(without)) > first_key + 10);
    QVERIFY(error_of([&] { lines({"--keep", "nonsense"}); }).contains("--keep"));
  }

  // Lines keeps a part of any number, the heatmap only of weights.
  void the_kept_part_of_another_quantity_is_only_for_lines() {
    QVERIFY(!line_ends(lines({"--quantity", "written_value", "--keep", "40%"})).empty());
    const auto said = [](std::vector<std::string> more) {
      std::vector<std::string> all{"run", "first-look", "--export", "out"};
      all.insert(all.end(), more.begin(), more.end());
      return error_of([&] { parse_command_line(all); });
    };
    const std::vector<std::string> both{"--quantity", "written_value", "--keep", "40%"};
    QVERIFY(said(both).contains("--quantity and --keep"));
    auto with_heatmap = both, of_lines = both;
    with_heatmap.insert(with_heatmap.end(), {"--views", "lines,heatmap"});
    QVERIFY(said(with_heatmap).contains("--quantity and --keep"));
    of_lines.insert(of_lines.end(), {"--views", "lines"});
    QCOMPARE(said(of_lines), QByteArray());
    QVERIFY(
        said({"--quantity", "score", "--combine", "mean"}).contains("--quantity and --combine"));
    QVERIFY(said({"--views", "heatmap", "--no-first-token"}).contains("--views lines"));
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

  void a_file_has_no_scroll_bar() {
    const QByteArray part = lines({"--width", "85", "--positions", "20..33"});
    const QRectF page(QPointF(), page_of(part));
    QVERIFY(!page.isEmpty());
    QVERIFY(!part.contains(Theme::instance().colors().accent.name().toUtf8()));
  }

  // Also with the largest text: fields that do not fit are scrolled to, the buttons are in sight.
  void the_dialog_fits_the_screen() {
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    for (const int percent : {100, 200}) {
      Theme::instance().set_text_percent(percent);
      FigureDialog dialog(*w.bridge.snapshot(), {}, w.window.get());
      dialog.show();
      QVERIFY(QTest::qWaitForWindowExposed(&dialog));
      QVERIFY(dialog.height() <= dialog.screen()->availableSize().height());
      const QWidget* buttons = dialog.findChild<QDialogButtonBox*>();
      QVERIFY(dialog.rect().contains(QRect(buttons->mapTo(&dialog, QPoint()), buttons->size())));
    }
    Theme::instance().set_text_percent(100);
  }

  // The title stays for "all heads" while the same head is shown.
  void an_own_title_stays_while_the_same_is_shown() {
    Workbench w(synthetic_scenario(12, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    w.selection.show(0, 1, 2);
    QAction* command = nullptr;
    for (const QMenu* menu : w.window->findChildren<QMenu*>())
      for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("Figure of the heatmap…")) command = action;
    QVERIFY(command);
    QString title;
    const auto ask = [&](const std::function<void(QLineEdit & title, QComboBox & head)>& change) {
      QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        QLineEdit* own = nullptr;
        QComboBox* head = nullptr;
        for (auto* field : dialog->findChildren<QLineEdit*>())
          if (field->accessibleName() == QLatin1String("Own title")) own = field;
        for (auto* box : dialog->findChildren<QComboBox*>())
          if (box->accessibleName() == QLatin1String("Head")) head = box;
        title = own ? own->text() : QString();
        if (own && head) change(*own, *head);
        QTimer::singleShot(0, this, [] {
          if (auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget()))
            files->reject();
        });
        dialog->accept();
      });
      command->trigger();
    };
    ask([](QLineEdit& own, QComboBox& head) {
      head.setCurrentIndex(head.count() - 1);
      own.setText(QStringLiteral("All of them"));
    });
    ask([](QLineEdit&, QComboBox&) {});
    QCOMPARE(title, QStringLiteral("All of them"));
    w.selection.show(0, 0, 0);
    ask([](QLineEdit&, QComboBox&) {});
    QCOMPARE(title, QString());
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
