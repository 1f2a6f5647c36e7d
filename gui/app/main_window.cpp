// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/app/key_list.h"
#include "gui/app/run_report.h"
#include "gui/theme/icons.h"
#include "gui/theme/panel_header.h"
#include "gui/theme/save_dialog.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/heatmap_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/views/timeline/timeline_view.h"

namespace attn::gui {
namespace {

// Raised when docks or their names change: an older layout is then not restored.
constexpr int kLayoutVersion = 1;

}  // namespace

MainWindow::MainWindow(EngineBridge& bridge, RunControl& control, Selection& selection,
                       bool keep_settings)
    : bridge_(bridge),
      control_(control),
      selection_(selection),
      cursor_(bridge),
      keep_settings_(keep_settings),
      actions_(this),
      panels_menu_(new QMenu(this)),
      export_menu_(new QMenu(this)) {
  exports_.setMaxThreadCount(1);  // one after another; the cores belong to the engine
  setWindowTitle(tr("Attention Workbench"));
  setWindowIcon(application_icon());
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setDocumentMode(true);

  bar_ = new RunBar(control, actions_, panels_menu_, export_menu_, this);
  messages_ = new MessageBar;
  auto* top = new QWidget(this);
  auto* column = new QVBoxLayout(top);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  column->addWidget(messages_);
  setMenuWidget(top);
  status_ = new StatusLine(control, cursor_, this);
  setStatusBar(status_);

  build_panels();
  build_menus();
  connect_actions();
  resize(1280, 720);
  reset_layout();
  if (keep_settings_) read_settings();
  qApp->installEventFilter(this);
}

MainWindow::~MainWindow() {
  exports_.waitForDone();
}

// A panel whose content has a header of its own gives it to the dock as title bar.
QDockWidget* MainWindow::add_panel(QWidget* content, const char* name, const QString& title) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QLatin1String(name));
  auto* header = content->findChild<PanelHeader*>(QString(), Qt::FindDirectChildrenOnly);
  if (!header) header = new PanelHeader(title);
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::kClose));
  close->setAutoRaise(true);
  close->setToolTip(tr("Hide this panel. View brings it back."));
  close->setAccessibleName(tr("Hide %1").arg(title));
  connect(close, &QToolButton::clicked, dock, &QDockWidget::hide);
  header->add_control(close);
  dock->setWidget(content);
  dock->setTitleBarWidget(header);
  header->show();
  return dock;
}

void MainWindow::build_panels() {
  const ViewContext context{&bridge_, &selection_, &cursor_};
  workload_ = new WorkloadPanel(control_, selection_);
  heatmap_ = make_heatmap_view(context, nullptr);
  tiles_ = make_tiles_view(context, nullptr);
  compare_ = new CompareView(context, nullptr);
  lines_ = new HeadLinesView(context);
  heads_ = new HeadGridView(context);
  blocks_ = make_blocks_view(context, nullptr);
  timeline_ = make_timeline_view(context, nullptr);
  metrics_ = make_metrics_view(context, nullptr);
  events_ = make_events_view(context, nullptr);
  inspector_ = make_inspector_view(context, nullptr);

  // Attention is the middle of the window: it stays, the others move around it. Views of attention
  // are its tabs.
  attention_ = new QTabWidget;
  attention_->setDocumentMode(true);
  attention_->addTab(heatmap_, tr("Heatmap"));
  attention_->addTab(lines_, tr("Lines"));
  attention_->addTab(heads_, tr("Heads"));
  attention_->addTab(tiles_, tr("Tiles"));
  attention_->addTab(compare_, tr("Compare"));
  attention_->addTab(metrics_, tr("Metrics"));
  attention_->addTab(events_, tr("Events"));
  attention_->tabBar()->setAccessibleName(tr("Views of attention"));
  attention_dock_ = new QDockWidget(tr("Attention"), this);
  attention_dock_->setObjectName(QStringLiteral("attention"));
  attention_dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  attention_dock_->setTitleBarWidget(new QWidget);
  attention_dock_->setWidget(attention_);

  workload_dock_ = add_panel(workload_, "workload", tr("Workload"));
  inspector_dock_ = add_panel(inspector_, "inspector", tr("Inspector"));
  blocks_dock_ = add_panel(blocks_, "blocks", tr("Blocks"));
  timeline_dock_ = add_panel(timeline_, "timeline", tr("Timeline"));
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
}

void MainWindow::show_attention(View* view) {
  attention_->setCurrentWidget(view);
  view->setFocus();
}

void MainWindow::set_wide(bool wide) {
  if (wide == is_wide()) return;
  if (!wide) {
    restoreState(std::exchange(narrow_state_, {}), kLayoutVersion);
    return;
  }
  narrow_state_ = saveState(kLayoutVersion);
  for (QDockWidget* dock : {workload_dock_, inspector_dock_, blocks_dock_, timeline_dock_})
    dock->hide();
}

void MainWindow::reset_layout() {
  narrow_state_.clear();
  // There is no central widget: all panels lie in the left area, the timeline below all of it.
  for (QDockWidget* dock :
       {attention_dock_, workload_dock_, inspector_dock_, blocks_dock_, timeline_dock_}) {
    dock->setFloating(false);
    removeDockWidget(dock);
  }
  addDockWidget(Qt::LeftDockWidgetArea, workload_dock_);
  splitDockWidget(workload_dock_, attention_dock_, Qt::Horizontal);
  place_inspector();
  splitDockWidget(attention_dock_, blocks_dock_, Qt::Vertical);
  addDockWidget(Qt::BottomDockWidgetArea, timeline_dock_);
  for (QDockWidget* dock :
       {attention_dock_, workload_dock_, inspector_dock_, blocks_dock_, timeline_dock_})
    dock->show();
  const Theme& theme = Theme::instance();
  const int side = std::min(theme.px(304), width() * 2 / 5);
  if (tight_) {
    resizeDocks({workload_dock_, attention_dock_}, {side, width() - side}, Qt::Horizontal);
    workload_dock_->raise();
  } else {
    resizeDocks({workload_dock_, attention_dock_, inspector_dock_},
                {side, width() - 2 * side, side}, Qt::Horizontal);
  }
  const int body = height() - theme.px(40) - theme.px(28);
  resizeDocks({attention_dock_, blocks_dock_}, {body * 46 / 100, body * 24 / 100}, Qt::Vertical);
  resizeDocks({timeline_dock_}, {body * 28 / 100}, Qt::Vertical);
  heatmap_->setFocus();
}

// Where text is too large for three panels side by side, the inspector is a tab of the workload.
bool MainWindow::is_tight() const {
  return width() < Theme::instance().px(1000);
}

void MainWindow::place_inspector() {
  tight_ = is_tight();
  if (tight_) {
    tabifyDockWidget(workload_dock_, inspector_dock_);
  } else {
    splitDockWidget(attention_dock_, inspector_dock_, Qt::Horizontal);
  }
}

void MainWindow::fit_panels() {
  update();
  if (is_tight() == tight_) return;
  if (inspector_dock_->isFloating() || workload_dock_->isFloating()) return;
  place_inspector();
  if (tight_) workload_dock_->raise();
}

void MainWindow::build_menus() {
  for (QDockWidget* dock : {workload_dock_, blocks_dock_, inspector_dock_, timeline_dock_})
    panels_menu_->addAction(dock->toggleViewAction());
  panels_menu_->addSeparator();
  for (QAction* action : {actions_.show_heatmap, actions_.show_lines, actions_.show_heads,
                          actions_.show_tiles, actions_.show_compare, actions_.show_metrics,
                          actions_.show_events, actions_.compare, actions_.wide})
    panels_menu_->addAction(action);
  panels_menu_->addSeparator();
  panels_menu_->addAction(actions_.reset_layout);
  panels_menu_->addSeparator();
  auto* appearance = panels_menu_->addMenu(tr("Appearance"));
  const std::pair<QString, ThemeMode> modes[] = {{tr("Light"), ThemeMode::kLight},
                                                 {tr("Dark"), ThemeMode::kDark},
                                                 {tr("As the system"), ThemeMode::kSystem}};
  for (const auto& [text, mode] : modes)
    appearance->addAction(text, this, [mode = mode] { Theme::instance().set_mode(mode); });
  less_motion_ = appearance->addAction(tr("Less motion"));
  less_motion_->setCheckable(true);
  less_motion_->setToolTip(tr("Blocks that are taken or freed do not fade"));
  connect(less_motion_, &QAction::toggled, this,
          [](bool less) { Theme::instance().set_reduce_motion(less); });
  panels_menu_->addAction(actions_.larger);
  panels_menu_->addAction(actions_.smaller);
  panels_menu_->addAction(actions_.full_screen);
  panels_menu_->addSeparator();
  panels_menu_->addAction(actions_.keys);
  panels_menu_->addAction(actions_.quit);
  build_export_menu();
}

std::vector<View*> MainWindow::views() const {
  std::vector<View*> shown = all_views();
  if (!compare_->model().result()) std::erase(shown, compare_);
  return shown;
}

void MainWindow::build_export_menu() {
  for (View* view : all_views()) {
    QMenu* menu = export_menu_->addMenu(view->title());
    if (view == compare_) {
      menu->setEnabled(false);
      connect(&compare_->job(), &CompareJob::finished, menu,
              [this, menu] { menu->setEnabled(compare_->model().result() != nullptr); });
    }
    for (const QString& format : {QStringLiteral("png"), QStringLiteral("svg"),
                                  QStringLiteral("pdf"), QStringLiteral("csv")})
      menu->addAction(format.toUpper() + QStringLiteral("…"), this,
                      [this, view, format] { ask_export(*view, format); });
    menu->addSeparator();
    menu->addAction(tr("Copy the picture"), this, [this, view] { copy_picture(*view); });
    menu->addAction(tr("Copy the table"), this, [this, view] { copy_table(*view); });
  }
  export_menu_->addSeparator();
  export_menu_->addAction(tr("Whole report…"), this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the report"));
    if (!folder.isEmpty()) export_report(folder);
  });
}

void MainWindow::connect_actions() {
  connect(actions_.run, &QAction::triggered, &control_, &RunControl::toggle);
  connect(actions_.step, &QAction::triggered, this, [this] { control_.step(bar_->unit()); });
  connect(actions_.step_back, &QAction::triggered, this, [this] { cursor_.move(-1); });
  connect(actions_.step_forward, &QAction::triggered, this, [this] { cursor_.move(1); });
  connect(actions_.first_step, &QAction::triggered, this, [this] { cursor_.go_to(0); });
  connect(actions_.live, &QAction::triggered, &cursor_, &TimeCursor::go_live);
  connect(actions_.clear, &QAction::triggered, &selection_, &Selection::clear);
  connect(actions_.open, &QAction::triggered, workload_, &WorkloadPanel::open_file);
  connect(actions_.save, &QAction::triggered, workload_, &WorkloadPanel::save_file);
  connect(actions_.export_menu, &QAction::triggered, bar_, &RunBar::open_export_menu);
  connect(actions_.copy_picture, &QAction::triggered, this,
          [this] { copy_picture(view_at_hand()); });
  connect(actions_.theme, &QAction::triggered, this, &MainWindow::toggle_theme);
  Theme& theme = Theme::instance();
  connect(actions_.larger, &QAction::triggered, &theme,
          [&theme] { theme.set_text_percent(theme.text_percent() + 25); });
  connect(actions_.smaller, &QAction::triggered, &theme,
          [&theme] { theme.set_text_percent(theme.text_percent() - 25); });
  connect(actions_.reset_layout, &QAction::triggered, this, &MainWindow::reset_layout);
  connect(actions_.full_screen, &QAction::triggered, this,
          [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  connect(actions_.keys, &QAction::triggered, this, &MainWindow::show_keys);
  connect(actions_.show_heatmap, &QAction::triggered, this, [this] { show_attention(heatmap_); });
  connect(actions_.show_tiles, &QAction::triggered, this, [this] { show_attention(tiles_); });
  connect(actions_.show_compare, &QAction::triggered, this, [this] { show_attention(compare_); });
  connect(actions_.show_metrics, &QAction::triggered, this, [this] { show_attention(metrics_); });
  connect(actions_.show_events, &QAction::triggered, this, [this] { show_attention(events_); });
  connect(actions_.show_lines, &QAction::triggered, this, [this] { show_attention(lines_); });
  connect(actions_.show_heads, &QAction::triggered, this, [this] { show_attention(heads_); });
  connect(heads_, &HeadGridView::head_opened, this, [this] { show_attention(heatmap_); });
  connect(actions_.compare, &QAction::triggered, this, [this] {
    show_attention(compare_);
    compare_->toggle();
  });
  connect(actions_.wide, &QAction::triggered, this, [this] { set_wide(!is_wide()); });
  connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
  connect(&control_, &RunControl::message, messages_, &MessageBar::show_message);
  connect(&theme, &Theme::changed, this, &MainWindow::fit_panels);
  connect(&selection_, &Selection::changed, this, [this] {
    if (tight_ && selection_.state().kind != SelectionKind::kNothing) inspector_dock_->raise();
  });
}

void MainWindow::toggle_theme() {
  Theme& theme = Theme::instance();
  theme.set_mode(theme.is_dark() ? ThemeMode::kLight : ThemeMode::kDark);
}

void MainWindow::show_keys() {
  std::vector<KeySection> sections{{tr("Window"), actions_.key_help()}};
  for (View* view : all_views()) sections.push_back({view->title(), view->key_help()});
  sections.push_back({tr("Workload"),
                      {{tr("Ctrl+Enter"), tr("In the prompt: run it")},
                       {tr("Up, Down"), tr("In the requests: choose; in a number: one more, less")},
                       {tr("Tab"), tr("Next field")}}});
  sections.push_back({tr("Inspector"), inspector_key_help()});
  new KeyList(std::move(sections), this);
}

// The view gives what it shows; drawing, encoding and writing take longer than a frame and go on
// beside the window.
void MainWindow::export_view(View& view, const QString& format, const QString& file) {
  const ExportJob job = format == QLatin1String("png")   ? prepare_png(view, file, 2)
                        : format == QLatin1String("svg") ? prepare_svg(view, file)
                        : format == QLatin1String("pdf") ? prepare_pdf(view, file)
                                                         : prepare_csv(view, file);
  messages_->show_message(MessageKind::kInfo, tr("Writing %1 …").arg(file), file);
  in_background([job] { return job(); },
                [this, file](const QString& trouble) {
                  messages_->show_message(
                      trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
                      trouble.isEmpty() ? tr("Wrote %1.").arg(file) : trouble, file);
                  emit export_finished(file, trouble.isEmpty());
                });
}

void MainWindow::in_background(std::function<QString()> work,
                               std::function<void(const QString&)> done) {
  exports_.start([this, work = std::move(work), done = std::move(done)] {
    const QString trouble = work();
    QMetaObject::invokeMethod(
        this, [done, trouble] { done(trouble); }, Qt::QueuedConnection);
  });
}

void MainWindow::copy_picture(View& view) {
  auto image = std::make_shared<QImage>();
  in_background(
      [draw = prepare_image(view, 2), image] {
        *image = draw();
        return image->isNull() ? tr("There is no memory for this picture. Zoom out, or export it "
                                    "as SVG or PDF.")
                               : QString();
      },
      [this, image, title = view.title()](const QString& trouble) {
        if (trouble.isEmpty()) QGuiApplication::clipboard()->setImage(*image);
        tell_copied(tr("the picture of %1").arg(title), trouble);
      });
}

void MainWindow::copy_table(View& view) {
  auto table = std::make_shared<QByteArray>();
  in_background(
      [write = prepare_table(view), table] {
        *table = write();
        return QString();
      },
      [this, table, title = view.title()](const QString& trouble) {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(*table));
        tell_copied(tr("the table of %1").arg(title), trouble);
      });
}

void MainWindow::tell_copied(const QString& what, const QString& trouble) {
  messages_->show_message(trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
                          trouble.isEmpty() ? tr("Copied %1.").arg(what) : trouble);
  emit copied(trouble.isEmpty());
}

View& MainWindow::view_at_hand() const {
  for (View* view : all_views())
    if (view->isAncestorOf(focusWidget()) || view->hasFocus()) return *view;
  return *heatmap_;
}

void MainWindow::ask_export(View& view, const QString& format) {
  const QString stem = format == QLatin1String("csv") ? view.table_name() : view.export_name();
  const QString file = ask_save_file(this, tr("Export %1").arg(view.title()), stem, format);
  if (!file.isEmpty()) export_view(view, format, file);
}

void MainWindow::export_report(const QString& folder) {
  prepare_rest_of_report();  // of one that was asked for just before
  try {
    auto work = std::make_unique<ReportWork>();
    work->folder = folder;
    work->report = collect_report(bridge_);
    prepare_pictures({}, folder, 2);  // a folder that cannot be made is told at once
    work->views = views();
    report_work_ = std::move(work);
    messages_->show_message(MessageKind::kInfo, tr("Writing the report to %1 …").arg(folder),
                            folder);
    QTimer::singleShot(0, this, &MainWindow::prepare_report);
  } catch (const std::exception& error) {
    messages_->show_message(MessageKind::kError, QString::fromUtf8(error.what()), folder);
    emit report_finished(false);
  }
}

// One view per turn of the event loop: recording all of them at once would hold up the window.
void MainWindow::prepare_report() {
  if (!report_work_) return;
  ReportWork& work = *report_work_;
  if (work.views.empty()) return write_prepared_report();
  View* view = work.views.back();
  work.views.pop_back();
  for (auto& job : prepare_pictures({view}, work.folder, 2)) work.pictures.push_back(job);
  if (view == lines_ || view == heads_)
    for (auto& job : prepare_tables({view}, work.folder)) work.tables.push_back(job);
  QTimer::singleShot(0, this, &MainWindow::prepare_report);
}

void MainWindow::prepare_rest_of_report() {
  while (report_work_) prepare_report();
}

void MainWindow::write_prepared_report() {
  const std::shared_ptr<ReportWork> work = std::exchange(report_work_, nullptr);
  const auto write = [work] {
    try {
      run_pictures(work->tables);
      work->report.pictures = index_pictures(run_pictures(work->pictures));
      // In the order of the window, whatever order they were prepared in.
      std::ranges::reverse(work->report.pictures);
      write_numbers(work->report, work->folder);
      return QString();
    } catch (const std::exception& error) {
      return QString::fromUtf8(error.what());
    }
  };
  in_background(write, [this, folder = work->folder](const QString& trouble) {
    messages_->show_message(
        trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
        trouble.isEmpty() ? tr("The report is in %1: open index.html.").arg(folder) : trouble,
        folder);
    emit report_finished(trouble.isEmpty());
  });
}

void MainWindow::read_settings() {
  QSettings settings;
  settings.beginGroup(QStringLiteral("window"));
  if (settings.value(QStringLiteral("version")).toInt() != kLayoutVersion) return;
  Theme::instance().set_mode(
      static_cast<ThemeMode>(std::clamp(settings.value(QStringLiteral("theme")).toInt(), 0, 2)));
  Theme::instance().set_text_percent(settings.value(QStringLiteral("text_percent"), 100).toInt());
  less_motion_->setChecked(settings.value(QStringLiteral("reduce_motion")).toBool());
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  if (!restoreState(settings.value(QStringLiteral("docks")).toByteArray(), kLayoutVersion))
    reset_layout();
}

void MainWindow::write_settings() const {
  // The panels as they were before the attention views took the window.
  const QByteArray docks = is_wide() ? narrow_state_ : saveState(kLayoutVersion);
  QSettings settings;
  settings.beginGroup(QStringLiteral("window"));
  settings.setValue(QStringLiteral("version"), kLayoutVersion);
  settings.setValue(QStringLiteral("theme"), static_cast<int>(Theme::instance().mode()));
  settings.setValue(QStringLiteral("text_percent"), Theme::instance().text_percent());
  settings.setValue(QStringLiteral("reduce_motion"), Theme::instance().reduce_motion());
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("docks"), docks);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (keep_settings_) write_settings();
  prepare_rest_of_report();
  exports_.waitForDone();  // what is being written is written
  bridge_.cancel();
  QMainWindow::closeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!shown_) heatmap_->setFocus();
}

void MainWindow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::instance().colors().background);
  if (shown_) return;
  shown_ = true;
  QMetaObject::invokeMethod(this, &MainWindow::first_shown, Qt::QueuedConnection);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls()) files << url.toLocalFile();
  const bool opened =
      files.size() == 1 ? control_.open(files.front()) : control_.open_tensors(files);
  if (opened) control_.start();
}

// Space presses a button and opens a choice that was reached by keyboard; everywhere else it runs
// or pauses.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space &&
      (qobject_cast<QAbstractButton*>(watched) || qobject_cast<QComboBox*>(watched))) {
    event->accept();
    return true;
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace attn::gui
