// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: accessible names, Tab, cut or overlapping texts, contrast. ATTN_ALL_LOOKS=1:
// more sizes, only light; ATTN_LOOK_PICTURES=FOLDER keeps pictures; ATTN_TELL=1 prints the order of
// Tab.
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QCheckBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QScreen>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QStyleOptionToolButton>
#include <QTabBar>
#include <QTextDocument>

#include "backends/register_all.h"
#include "gui/app/language.h"
#include "gui/models/explore/inside.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/lessons/lesson_list.h"
#include "gui/widgets/canvas.h"
#include "gui/widgets/scroll/scroll_canvas.h"
#include "gui/widgets/text/shortened_text.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QString words(const QWidget& widget) {
  QString name = widget.accessibleName();
  if (name.isEmpty()) name = widget.objectName();
  if (name.isEmpty())
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) name = button->text();
  if (name.isEmpty())
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) name = label->text();
  return QStringLiteral("%1 \"%2\" in %3")
      .arg(QLatin1String(widget.metaObject()->className()), name,
           widget.parentWidget() ? QLatin1String(widget.parentWidget()->metaObject()->className())
                                 : QLatin1String("nothing"));
}

bool is_painted(const QWidget& widget) {
  return qobject_cast<const Canvas*>(&widget) || qobject_cast<const HeatmapView*>(&widget);
}

// Qt calls some controls visible although their panel is hidden.
bool can_be_seen(const QWidget& widget) {
  return widget.isVisible() && widget.isVisibleTo(widget.window()) &&
         !widget.visibleRegion().isEmpty();
}

std::vector<QWidget*> seen_widgets(const QWidget& window) {
  std::vector<QWidget*> seen;
  for (QWidget* widget : window.findChildren<QWidget*>())
    if (can_be_seen(*widget)) seen.push_back(widget);
  return seen;
}

bool takes_tab(const QWidget& widget) {
  return (widget.focusPolicy() & Qt::TabFocus) && widget.isEnabled() && !widget.focusProxy();
}

struct Look {
  ThemeMode mode;
  int percent;
  const char* layout;
  QSize size{1280, 720};
};

}  // namespace

class TestWindowAccess : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    use_language(*qApp, qEnvironmentVariable("ATTN_LANGUAGE"));
    register_all_backends();
    Scenario scenario = load_scenario(find_scenario("first-look"));
    scenario.requests.front().max_tokens = 12;
    scenario.engine.threads = 1;
    scenario.view.pace_tiles_per_s = 0;
    bench_ = std::make_unique<Workbench>(scenario);
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    bench_->selection.select({.kind = SelectionKind::kCell,
                              .request = bench_->selection.shown_request(),
                              .layer = 0,
                              .head = 1,
                              .query = 12,
                              .key = 3});
    bench_->window->show_attention(bench_->window->view<CompareView>());
    bench_->window->view<CompareView>()->toggle_job();
    QVERIFY(QTest::qWaitFor(
        [&] { return bench_->window->view<CompareView>()->model().result() != nullptr; }, 60000));
    bench_->window->inside().set_on(true);
    QVERIFY(QTest::qWaitFor([&] { return !bench_->window->inside().is_behind(); }, 60000));
  }
  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
    bench_->window->layouts().apply(QStringLiteral("explore"));
    bench_->window->resize(1280, 720);
  }
  void cleanupTestCase() { bench_.reset(); }

  void everything_that_takes_the_keyboard_has_a_name() {
    QStringList wrong;
    for (gui::View* view : attention_views()) {
      bench_->window->show_attention(view);
      QTest::qWait(30);
      QVERIFY(QTest::qWaitFor([view] { return !view->is_behind(); }, 60000));
      for (QWidget* widget : seen_widgets(*bench_->window)) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy()) continue;
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        if (!spoken || spoken->text(QAccessible::Name).trimmed().isEmpty())
          wrong.append(QStringLiteral("no name: ") + words(*widget));
        if (is_painted(*widget) && spoken &&
            spoken->text(QAccessible::Description).trimmed().isEmpty() &&
            spoken->text(QAccessible::Value).trimmed().isEmpty())
          wrong.append(QStringLiteral("no description: ") + words(*widget));
      }
    }
    wrong.removeDuplicates();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
  }

  void tab_reaches_everything() {
    MainWindow& window = *bench_->window;
    for (gui::View* view : attention_views()) {
      window.show_attention(view);
      QTest::qWait(30);
      QSet<const QWidget*> reached;
      std::vector<const QWidget*> order;
      QWidget* at = window.focusWidget();
      for (int i = 0; i < 400 && at && !reached.contains(at); ++i) {
        reached.insert(at);
        order.push_back(at);
        QTest::keyClick(at, Qt::Key_Tab);
        at = window.focusWidget();
      }
      if (qEnvironmentVariableIsSet("ATTN_TELL"))
        for (const QWidget* one : order) qInfo("%s", qPrintable(words(*one)));
      QStringList missed;
      for (const QWidget* widget : seen_widgets(window)) {
        if (!takes_tab(*widget) || reached.contains(widget)) continue;
        // Of exclusive buttons only the checked one is a Tab stop: arrow keys reach the others.
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button && button->group() && button->group()->exclusive() && !button->isChecked())
          continue;
        missed.append(words(*widget));
      }
      QVERIFY2(missed.isEmpty(),
               qPrintable(view->title() + QLatin1Char('\n') + missed.join(QLatin1Char('\n'))));
      QVERIFY(reached.size() > 20);
    }
  }

  void menus_have_room_in_larger_text() {
    QStringList wrong;
    QList<int> widths;  // of the menu View
    // Some menus are filled when they open.
    for (QMenu* menu : bench_->window->findChildren<QMenu*>()) emit menu->aboutToShow();
    const QString lesson = shipped_lesson_entries(program_language()).front().title;
    bool has_lesson = false;
    for (const int percent : {100, 125, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      QCoreApplication::processEvents();
      for (QMenu* menu : bench_->window->findChildren<QMenu*>()) {
        if (menu->actions().isEmpty()) continue;
        menu->resize(menu->sizeHint());
        TextRecorder recorder(menu->size());
        menu->render(&recorder);
        for (const DrawnText& text : recorder.texts()) {
          has_lesson = has_lesson || text.text.contains(lesson);
          if (text.text.contains(QChar(0x2026)) && !text.text.endsWith(QChar(0x2026)))
            wrong.append(QStringLiteral("%1%: %2").arg(percent).arg(text.text));
        }
        if (percent > 150 || !menu->actions().contains(bench_->window->actions().palette)) continue;
        QVERIFY(!recorder.texts().empty());
        QList<QMenu*> view_menus{menu};
        for (const QAction* action : menu->actions())
          if (action->menu()) view_menus.append(action->menu());
        widths.append(menu->sizeHint().width());
        for (const QMenu* part : view_menus)
          if (part->sizeHint().width() > part->screen()->size().width())
            wrong.append(QStringLiteral("%1%: menu %2 of %3 px")
                             .arg(percent)
                             .arg(part->title())
                             .arg(part->sizeHint().width()));
      }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    QVERIFY(has_lesson);
    QCOMPARE(widths.size(), 3);
    QVERIFY(widths[0] < widths[1] && widths[1] < widths[2]);  // each text size has its own layout
  }

  void controls_without_room_in_the_toolbar_are_in_its_menu() {
    MainWindow& window = *bench_->window;
    RunBar& bar = *window.run_bar();
    QVERIFY(!can_be_seen(*bar.more_button()));
    Theme::instance().set_text_percent(200);
    QTRY_VERIFY(can_be_seen(*bar.more_button()));  // in later turns of the event loop
    QVERIFY(bar.rect().contains(bar.more_button()->geometry()));
    QMenu* menu = bar.more_button()->menu();
    emit menu->aboutToShow();
    QList<QAction*> expected;
    bool has_backends = false;
    for (QAction* place : bar.actions()) {
      if (place->isVisible()) continue;
      const QWidget* control = bar.widgetForAction(place);
      has_backends = has_backends || control == bar.backend_box();
      if (const auto* button = qobject_cast<const QToolButton*>(control))
        expected.append(button->defaultAction() ? button->defaultAction()
                                                : button->menu()->menuAction());
    }
    const qsizetype hidden = expected.size() + (has_backends ? 1 : 0);
    QVERIFY(hidden >= 2);
    for (QAction* action : expected) {
      QVERIFY(menu->actions().contains(action));
      QVERIFY(!action->text().isEmpty());
    }
    QCOMPARE(menu->actions().size(), hidden);
    if (has_backends) {
      const QMenu* backends = menu->findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
      QVERIFY(backends);
      QCOMPARE(static_cast<int>(backends->actions().size()), bar.backend_box()->count());
      for (int row = 0; row < bar.backend_box()->count(); ++row)
        QCOMPARE(backends->actions()[row]->isChecked(), row == bar.backend_box()->currentIndex());
    }
    Theme::instance().set_text_percent(100);
    QTRY_VERIFY(!can_be_seen(*bar.more_button()));
  }

  void looks_data() {
    QTest::addColumn<Look>("look");
    const auto row = [](const Look& look) {
      QTest::addRow("%s %d%% %dx%d %s", look.layout, look.percent, look.size.width(),
                    look.size.height(), look.mode == ThemeMode::kDark ? "dark" : "light")
          << look;
    };
    const auto light = [&](const char* layout, int percent, const QSize& size) {
      row({ThemeMode::kLight, percent, layout, size});
    };
    if (qEnvironmentVariableIsSet("ATTN_ALL_LOOKS")) {
      for (const char* layout : {"explore", "teach", "systems"})
        for (const int percent : {100, 150, 200})
          // 1280x690: a screen of 1280x720 less a title bar.
          for (const QSize& size : {QSize(1024, 600), QSize(1280, 690), QSize(1280, 720),
                                    QSize(1920, 1080), QSize(3840, 2160)})
            light(layout, percent, size);
      return;
    }
    const QSize usual(1280, 720);
    for (const char* layout : {"explore", "teach", "systems"}) {
      row({ThemeMode::kDark, 100, layout, usual});
      light(layout, 150, usual);
    }
    light("explore", 100, {1024, 600});
    light("explore", 200, usual);
    light("systems", 200, {1024, 600});
    light("explore", 200, {1920, 1080});
    light("teach", 200, {1920, 1080});
    light("explore", 200, {3840, 2160});
  }
  void looks() {
    QFETCH(Look, look);
    MainWindow& window = *bench_->window;
    Theme::instance().set_mode(look.mode);
    Theme::instance().set_text_percent(look.percent);
    window.resize(look.size);
    window.layouts().apply(QLatin1String(look.layout));
    QTest::qWait(400);  // headers and toolbar adapt in later turns of the event loop
    QStringList wrong;
    const QString pictures = qEnvironmentVariable("ATTN_LOOK_PICTURES");
    const auto keep_picture = [&](const QString& name) {
      if (!pictures.isEmpty())
        window.grab().save(
            QDir(pictures).filePath(QString::fromLatin1(QTest::currentDataTag())
                                        .replace(QLatin1Char(' '), QLatin1Char('-')) +
                                    QLatin1Char('-') + name + QStringLiteral(".png")));
    };
    for (gui::View* view : attention_views()) {
      window.show_attention(view);
      QTest::qWait(120);
      QVERIFY(QTest::qWaitFor([view] { return !view->is_behind(); }, 60000));
      window.grab();
      if (window.size() != look.size) {
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
          qInfo("%s: at least %d x %d", qPrintable(dock->objectName()),
                dock->minimumSizeHint().width(), dock->minimumSizeHint().height());
        window.resize(look.size);
        wrong.append(QStringLiteral("%1: the window grew").arg(view->title()));
      }
      keep_picture(view->objectName());
      troubles(window, view->title() + QStringLiteral(": "), wrong);
      if (auto* heads = qobject_cast<HeadGridView*>(view)) {
        heads->set_points(HeadScore::kDistance);
        window.grab();
        keep_picture(QStringLiteral("points-of-heads"));
        troubles(window, view->title() + QStringLiteral(", points: "), wrong);
        heads->set_order(std::nullopt);
      }
    }
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
      if (dock->isHidden() || can_be_seen(*dock->widget())) continue;
      dock->raise();
      QTest::qWait(120);
      keep_picture(dock->objectName());
      troubles(window, dock->windowTitle() + QStringLiteral(": "), wrong);
    }
    wrong.removeDuplicates();
    for (const QString& one : wrong) qInfo("%s", qPrintable(one));
    QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1 troubles").arg(wrong.size())));
  }

 private:
  std::vector<gui::View*> attention_views() const {
    std::vector<gui::View*> views;
    const QTabWidget* tabs = bench_->window->attention_tabs();
    for (int i = 0; i < tabs->count(); ++i)
      if (auto* view = qobject_cast<gui::View*>(tabs->widget(i))) views.push_back(view);
    return views;
  }

  static void troubles(const QWidget& window, const QString& where, QStringList& wrong) {
    for (QWidget* widget : seen_widgets(window)) {
      for (const QString& trouble : {cut_text(*widget), low_contrast(*widget)})
        if (!trouble.isEmpty()) wrong.append(where + words(*widget) + QLatin1Char(' ') + trouble);
      if (is_painted(*widget)) painted(*widget, where, wrong);
    }
    overlaps(window, where, wrong);
  }

  static QString cut_text(const QWidget& widget) {
    const auto lacks = [&](int needed, int room) {
      return needed > room + 1 ? QStringLiteral("needs %1 px, has %2").arg(needed).arg(room)
                               : QString();
    };
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      if (label->text().isEmpty()) return {};
      const QRect room = label->contentsRect();
      const bool is_rich =
          label->textFormat() == Qt::RichText ||
          (label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text()));
      if (is_rich) {
        QTextDocument document;
        document.setDefaultFont(label->font());
        document.setDocumentMargin(0);
        document.setHtml(label->text());
        if (label->wordWrap()) document.setTextWidth(room.width());
        const QString width = lacks(static_cast<int>(document.idealWidth()), room.width());
        return width.isEmpty() ? lacks(static_cast<int>(document.size().height()), room.height())
                               : width;
      }
      if (label->text().endsWith(QChar(0x2026)) && label->toolTip().isEmpty())
        return QStringLiteral("is shortened and has no tooltip");
      if (!label->wordWrap()) {
        const QString width =
            lacks(label->fontMetrics().horizontalAdvance(label->text()), room.width());
        return width.isEmpty() ? lacks(label->fontMetrics().height(), room.height()) : width;
      }
      return lacks(
          label->fontMetrics()
              .boundingRect(QRect(0, 0, room.width(), 100000), Qt::TextWordWrap, label->text())
              .height(),
          room.height());
    }
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
      QStyleOptionComboBox option;
      option.initFrom(box);
      const QRect field = box->style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                       QStyle::SC_ComboBoxEditField, box);
      const QString width =
          lacks(box->fontMetrics().horizontalAdvance(box->currentText()), field.width());
      return width.isEmpty() ? lacks(box->fontMetrics().height(), box->height()) : width;
    }
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) {
      const auto* line = spin->findChild<QLineEdit*>();
      return lacks(spin->fontMetrics().horizontalAdvance(spin->text()), line ? line->width() : 0);
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
      const auto* tool = qobject_cast<const QToolButton*>(button);
      if (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
        return lacks(std::min(tool->iconSize().width(), tool->sizeHint().width()), tool->width());
      if (button->text().isEmpty()) return {};
      int room = button->width();
      if (qobject_cast<const QCheckBox*>(button) || qobject_cast<const QRadioButton*>(button))
        room -= button->style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, button) +
                button->style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing, nullptr, button);
      const QString width =
          lacks(button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width(), room);
      return width.isEmpty() ? lacks(button->fontMetrics().height(), button->height()) : width;
    }
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
      for (int i = 0; i < tabs->count(); ++i) {
        const QString width = lacks(tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)),
                                    tabs->tabRect(i).width());
        if (!width.isEmpty()) return tabs->tabText(i) + QLatin1Char(' ') + width;
      }
    }
    if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) {
      for (int i = 0; i < header->count(); ++i) {
        const QString name = header->model()->headerData(i, header->orientation()).toString();
        if (header->isSectionHidden(i) || header->orientation() == Qt::Vertical) continue;
        const QString width =
            lacks(header->fontMetrics().horizontalAdvance(name), header->sectionSize(i));
        if (!width.isEmpty() && header->model()
                                    ->headerData(i, header->orientation(), Qt::ToolTipRole)
                                    .toString()
                                    .isEmpty())
          return name + QLatin1Char(' ') + width;
      }
    }
    return {};
  }

  static QString low_contrast(const QWidget& widget) {
    QPalette::ColorRole text = QPalette::WindowText, ground = QPalette::Window;
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      if (label->text().isEmpty()) return {};
    } else if (qobject_cast<const QLineEdit*>(&widget) ||
               qobject_cast<const QPlainTextEdit*>(&widget) ||
               qobject_cast<const QAbstractItemView*>(&widget)) {
      text = QPalette::Text, ground = QPalette::Base;
    } else if (qobject_cast<const QAbstractButton*>(&widget) ||
               qobject_cast<const QComboBox*>(&widget)) {
      text = QPalette::ButtonText, ground = QPalette::Button;
    } else {
      return {};
    }
    const QPalette& palette = widget.palette();
    const double ratio = Theme::contrast(palette.color(text), palette.color(ground));
    const double on_surface =
        Theme::contrast(palette.color(text), Theme::instance().colors().surface);
    if (std::min(ratio, on_surface) >= 4.5) return {};
    return QStringLiteral("has text %1 on %2, %3:1")
        .arg(palette.color(text).name(), palette.color(ground).name())
        .arg(std::min(ratio, on_surface), 0, 'f', 2);
  }

  static void painted(QWidget& widget, const QString& where, QStringList& wrong) {
    TextRecorder recorder(widget.size());
    widget.render(&recorder, {}, {}, QWidget::DrawWindowBackground);
    const QString what = where + words(widget) + QLatin1Char(' ');
    for (const QString& one : recorder.overlaps()) wrong.append(what + one);
    const bool scrolls = qobject_cast<BarCanvas*>(&widget) != nullptr;
    for (const DrawnText& text : recorder.texts())
      if (const double lost = text.turned ? text.ink.height() - text.visible.height()
                                          : text.ink.width() - text.visible.width();
          lost > 2 && !(text.turned && scrolls))
        wrong.append(what + QStringLiteral("cut ") + text.text);
    // The heatmap draws a label at its edge whole or not at all, so none may be cut across.
    if (qobject_cast<HeatmapView*>(&widget))
      for (const DrawnText& text : recorder.texts())
        if (text.ink.height() - text.visible.height() > 2)
          wrong.append(what + QStringLiteral("cut across: ") + text.text);
    auto* canvas = qobject_cast<Canvas*>(&widget);
    for (const DrawnText& text : recorder.texts()) {
      if (canvas && text.text.endsWith(QChar(0x2026)) && text.text.size() > 1 &&
          canvas->tooltip_at(text.visible.center()).isEmpty() &&
          whole_text_at(*canvas, text.visible.center()).isEmpty())
        wrong.append(what + QStringLiteral("shortened without a tooltip: ") + text.text);
      if (!text.ground) continue;
      const Theme& theme = Theme::instance();
      if (text.color == theme.text_on(Qt::white) || text.color == theme.text_on(Qt::black))
        continue;
      QColor color = text.color;
      const double ratio = Theme::contrast(color, *text.ground);
      if (color.alpha() == 255 && ratio < 4.5)
        wrong.append(what + QStringLiteral("\"%1\" is %2 on %3, %4:1")
                                .arg(text.text, color.name(), text.ground->name())
                                .arg(ratio, 0, 'f', 2));
    }
  }

  static void overlaps(const QWidget& window, const QString& where, QStringList& wrong) {
    for (const QWidget* parent : window.findChildren<QWidget*>()) {
      if (!can_be_seen(*parent) || qobject_cast<const QTabBar*>(parent) ||
          qobject_cast<const QAbstractSpinBox*>(parent))
        continue;
      std::vector<const QWidget*> children;
      for (const QObject* child : parent->children()) {
        const auto* widget = qobject_cast<const QWidget*>(child);
        if (widget && !widget->isWindow() && can_be_seen(*widget) &&
            !widget->testAttribute(Qt::WA_TransparentForMouseEvents))
          children.push_back(widget);
      }
      for (size_t i = 0; i < children.size(); ++i)
        for (size_t j = i + 1; j < children.size(); ++j) {
          const QRect both = children[i]->geometry() & children[j]->geometry();
          if (both.width() > 1 && both.height() > 1)
            wrong.append(where + QStringLiteral("%1 lies on %2 by %3x%4")
                                     .arg(words(*children[i]), words(*children[j]))
                                     .arg(both.width())
                                     .arg(both.height()));
        }
    }
  }

  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_window_access, attn::gui::test::run<TestWindowAccess>)
#include "test_window_access.moc"
