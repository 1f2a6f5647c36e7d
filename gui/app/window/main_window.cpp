// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/bars/teach_line.h"
#include "gui/app/commands/export_menu.h"
#include "gui/app/commands/key_list.h"
#include "gui/app/commands/language_menu.h"
#include "gui/app/commands/layout_menu.h"
#include "gui/app/commands/tile_steps.h"
#include "gui/app/commands/view_menu.h"
#include "gui/app/view_registry.h"
#include "gui/app/window/checked_settings.h"
#include "gui/app/window/window_commands.h"
#include "gui/bridge/log.h"
#include "gui/models/explore/inside.h"
#include "gui/theme/icons.h"
#include "gui/theme/panel_header.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr qsizetype kRecentCommands = 12;
constexpr qsizetype kLongestCommand = 200;  // characters

}  // namespace

MainWindow::MainWindow(EngineBridge& bridge, RunControl& control, Selection& selection,
                       bool keep_settings)
    : bridge_(bridge),
      control_(control),
      selection_(selection),
      cursor_(bridge),
      inside_(std::make_unique<Inside>(bridge, selection, &cursor_)),
      notes_(bridge),
      edits_(control),
      keep_settings_(keep_settings),
      actions_(this),
      panels_menu_(new QMenu(this)),
      export_menu_(new QMenu(this)),
      lessons_menu_(new QMenu(this)),
      help_menu_(new QMenu(this)),
      recent_menu_(new RecentMenu(control, keep_settings, this)) {
  name_window();
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setDocumentMode(true);

  bar_ = new RunBar(control, actions_, panels_menu_, export_menu_, recent_menu_, lessons_menu_,
                    help_menu_, this);
  auto* top = new QWidget(this);
  auto* column = new QVBoxLayout(top);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  setMenuWidget(top);
  status_ = new StatusLine(control, cursor_, notes_, *actions_.stop, this);
  setStatusBar(status_);
  messages_ = new MessageBar(this, *status_);
  exports_ =
      std::make_unique<WindowExports>(control_, selection_, cursor_, notes_, *messages_, *this);
  build_panels();
  messages_->spare_below(*attention_dock_);
  messages_->spare_control(*workload_->start_button());
  layouts_ = std::make_unique<WindowLayouts>(
      *this, Panels{attention_dock_, workload_dock_, inspector_dock_, below_dock_, bottom_dock_},
      keep_settings_);
  history_ = std::make_unique<WindowHistory>(bridge_, selection_, cursor_, *attention_, all_views_);
  session_ = std::make_unique<WindowSession>(
      SessionTargets{control_,
                     selection_,
                     cursor_,
                     notes_,
                     *messages_,
                     *layouts_,
                     *attention_,
                     all_views_,
                     {workload_dock_, inspector_dock_, below_dock_, bottom_dock_},
                     this});
  window_notes_ = std::make_unique<WindowNotes>(
      NoteTargets{notes_, edits_, control_, cursor_, *session_, *messages_, actions_, this});
  models_ = std::make_unique<WindowModels>(control_, bridge_, *workload_, keep_settings_, *this);
  beside_ = std::make_unique<WindowBeside>(
      BesideTargets{control_, *session_, *messages_, *attention_, *beside_panel_, actions_, *this});
  help_ = std::make_unique<Help>(*help_menu_, actions_, control_, all_views_, *this);
  lessons_ = std::make_unique<WindowLessons>(
      LessonTargets{control_, selection_, cursor_, *session_, *layouts_, *messages_, actions_,
                    *attention_, all_views_, *lessons_menu_, *this, keep_settings_});
  tours_ = std::make_unique<WindowTours>(bridge_, *messages_, *this);
  recovery_ = std::make_unique<Recovery>(RecoveryTargets{control_, cursor_, notes_, *session_,
                                                         *messages_, *recent_menu_,
                                                         [this] { return lessons_->is_open(); }});
  build_menus();
  connect_actions();
  connect_views();
  connect_places();
  resize(1280, 720);
  reset_layout();
  if (keep_settings_) read_settings();
  qApp->installEventFilter(this);
}

MainWindow::~MainWindow() = default;

QDockWidget* MainWindow::add_panel(QWidget* content, const char* name, const QString& title) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QLatin1String(name));
  auto* header = content->findChild<PanelHeader*>(QString(), Qt::FindDirectChildrenOnly);
  if (!header) header = new PanelHeader(title);
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::kClose));
  close->setAutoRaise(true);
  close->setToolTip(tr("Hide this panel. The menu View brings it back."));
  close->setAccessibleName(tr("Hide %1").arg(title));
  connect(close, &QToolButton::clicked, dock, &QDockWidget::hide);
  // A panel that becomes a tab of another one would stay behind it.
  connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
    if (shown) dock->raise();
  });
  header->add_control(close);
  dock->setWidget(content);
  dock->setTitleBarWidget(header);
  header->show();
  return dock;
}

void MainWindow::build_panels() {
  const ViewContext context{&bridge_, &selection_, &cursor_, &notes_, inside_.get(), &control_};
  workload_ = new WorkloadPanel(control_, selection_);
  workload_->follow(cursor_);
  for (const ViewEntry& entry : view_registry()) {
    View* view = entry.make(context, nullptr);
    view->setObjectName(QString::fromStdString(entry.name));
    view->set_about({entry.look_at, QString::fromLatin1(entry.document)});
    if (auto* header = view->findChild<PanelHeader*>(QString(), Qt::FindDirectChildrenOnly))
      header->set_hint(entry.look_at);
    all_views_.push_back(view);
  }
  inspector_ = new InspectorView(context, nullptr);

  // The views with ViewPlace::kTab are the tabs of Attention.
  attention_ = new QTabWidget;
  attention_->setDocumentMode(true);
  // The tabs scroll, so their titles do not limit the width of the panel.
  attention_->setUsesScrollButtons(true);
  for (const ViewEntry& entry : view_registry())
    if (entry.place == ViewPlace::kTab)
      attention_->setTabToolTip(attention_->addTab(view(entry.name), entry.title), entry.look_at);
  attention_->tabBar()->setAccessibleName(tr("Views of attention"));
  attention_dock_ = new QDockWidget(tr("Attention"), this);
  attention_dock_->setObjectName(QStringLiteral("attention"));
  attention_dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  beside_panel_ = new BesidePanel({bridge_, selection_, cursor_});
  auto* columns = new QSplitter(Qt::Horizontal);
  columns->setChildrenCollapsible(false);
  columns->addWidget(attention_);
  columns->addWidget(beside_panel_);
  for (int column : {0, 1}) columns->setStretchFactor(column, 1);
  attention_dock_->setWidget(columns);

  workload_dock_ = add_panel(workload_, "workload", tr("Workload"));
  inspector_dock_ = add_panel(inspector_, "inspector", tr("Inspector"));
  for (const ViewEntry& entry : view_registry())
    if (entry.place != ViewPlace::kTab)
      (entry.place == ViewPlace::kBelow ? below_dock_ : bottom_dock_) =
          add_panel(view(entry.name), entry.name.c_str(), entry.title);
  auto* teach_line = new TeachLine(
      selection_, cursor_, {inspector_dock_->toggleViewAction(), below_dock_->toggleViewAction()});
  connect(teach_line, &TeachLine::prompt_wanted, this, [this] {
    workload_dock_->show();
    workload_dock_->raise();
    workload_->edit_prompt();
  });
  attention_dock_->setTitleBarWidget(teach_line);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
}

void MainWindow::show_attention(View* view) {
  attention_->setCurrentWidget(view);
  attention_dock_->raise();
  view->setFocus();
}

void MainWindow::show_view(View* view) {
  if (attention_->indexOf(view) >= 0) return show_attention(view);
  auto* dock = qobject_cast<QDockWidget*>(view->parentWidget());
  if (!dock) return;
  dock->show();
  dock->raise();
  view->setFocus();
}

void MainWindow::open_menu_of(View& view, const QPoint& at, const RunContext& run,
                              std::function<void(const ViewEntry&)> open) {
  auto* menu = new ViewMenu(
      {run.selection, run.cursor,
       [this, &view](const QString& here) { help_->show_view(view, here); }, std::move(open),
       [this, &view](QMenu& to) { return exports_->add_menu(to, view.title(), view); },
       [this, &view] { tours_->begin(view); },
       &run.selection == &selection_ ? inside_.get() : nullptr},
      view, at, this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(view.mapToGlobal(at));
}

void MainWindow::open_menu_by_key() {
  QWidget* at = focusWidget();
  if (!at || QApplication::activePopupWidget()) return;
  const QPoint middle = at->rect().center();
  QContextMenuEvent event(QContextMenuEvent::Keyboard, middle, at->mapToGlobal(middle));
  QApplication::sendEvent(at, &event);
}

void MainWindow::build_menus() {
  for (QDockWidget* dock : {workload_dock_, below_dock_, inspector_dock_, bottom_dock_})
    panels_menu_->addAction(dock->toggleViewAction());
  panels_menu_->addSeparator();
  auto* tabs = panels_menu_->addMenu(tr("Views of attention"));
  for (const auto* list : {&actions_.show_tabs, &actions_.jobs})
    for (const Actions::OfView& of : *list) tabs->addAction(of.action);
  for (QAction* action : {actions_.wide, actions_.earlier_beside, actions_.session_beside})
    panels_menu_->addAction(action);
  panels_menu_->addSeparator();
  for (QAction* action : {actions_.back, actions_.forward}) panels_menu_->addAction(action);
  panels_menu_->addMenu(window_notes_->menu());
  panels_menu_->addSeparator();
  panels_menu_->addMenu(new LayoutMenu(*layouts_, actions_, *messages_, this));
  auto* appearance = panels_menu_->addMenu(tr("Appearance"));
  const std::pair<QString, ThemeMode> modes[] = {{tr("Light"), ThemeMode::kLight},
                                                 {tr("Dark"), ThemeMode::kDark},
                                                 {tr("As the system"), ThemeMode::kSystem}};
  for (const auto& [text, mode] : modes) {
    QAction* action = appearance->addAction(text, this, [this, mode = mode] {
      Theme::instance().set_mode(mode);
      appearance_changed();
    });
    action->setCheckable(true);
    modes_.emplace_back(action, mode);
  }
  less_motion_ = appearance->addAction(tr("Less motion"));
  less_motion_->setCheckable(true);
  less_motion_->setToolTip(tr("Show changes at once, without animation"));
  connect(less_motion_, &QAction::toggled, this,
          [](bool less) { Theme::instance().set_reduce_motion(less); });
  QMenu* sizes = text_sizes_menu_ = panels_menu_->addMenu(tr("Text size"));
  sizes->setToolTipsVisible(true);
  for (const int percent : Theme::kTextPercents) {
    QAction* size = sizes->addAction(tr("%1%").arg(percent), this, [this, percent] {
      Theme::instance().set_text_percent(percent);
      appearance_changed();
    });
    size->setCheckable(true);
    text_sizes_.push_back(size);
  }
  sizes->addSeparator();
  sizes->addAction(actions_.larger);
  sizes->addAction(actions_.smaller);
  sizes->addAction(actions_.usual_text);
  auto* languages = new LanguageMenu(*messages_, this);
  panels_menu_->addMenu(languages);
  refuse(*languages->menuAction(),
         keep_settings_ ? QString() : tr("settings are not kept in this window"));
  panels_menu_->addAction(actions_.full_screen);
  panels_menu_->addSeparator();
  panels_menu_->addAction(actions_.palette);
  panels_menu_->addAction(actions_.quit);
  fill_export_menu(*export_menu_, *exports_, all_views_, selection_, *actions_.save_session,
                   [this] { exports_->ask_report(views()); });
}

View* MainWindow::view(std::string_view name) const {
  for (size_t i = 0; i < all_views_.size(); ++i)
    if (view_registry()[i].name == name) return all_views_[i];
  return nullptr;
}

std::vector<View*> MainWindow::views() const {
  std::vector<View*> shown = all_views_;
  std::erase_if(shown, [](const View* view) { return !view->has_export(); });
  return shown;
}

void MainWindow::connect_actions() {
  connect(actions_.run, &QAction::triggered, &control_, &RunControl::toggle);
  auto* steps = new TileSteps(control_, selection_, this);
  connect(actions_.step, &QAction::triggered, this, [this, steps] {
    cursor_.go_live();
    steps->next(bar_->unit());
  });
  connect(actions_.run, &QAction::triggered, steps, &TileSteps::stop);
  connect(actions_.stop, &QAction::triggered, &control_, &RunControl::stop);
  const auto offer_stop = [this] {
    refuse(*actions_.stop, control_.has_ended() ? tr("no run is going on") : QString());
  };
  connect(&control_, &RunControl::state_changed, this, offer_stop);
  offer_stop();
  connect(actions_.step_back, &QAction::triggered, this, [this] { cursor_.move(-1); });
  connect(actions_.step_forward, &QAction::triggered, this, [this] { cursor_.move(1); });
  connect(actions_.first_step, &QAction::triggered, this, [this] { cursor_.go_to(0); });
  connect(actions_.live, &QAction::triggered, &cursor_, &TimeCursor::go_live);
  connect(actions_.clear, &QAction::triggered, &selection_, &Selection::clear);
  connect(actions_.open, &QAction::triggered, workload_, &WorkloadPanel::open_file);
  connect(actions_.models, &QAction::triggered, models_.get(), &WindowModels::show);
  connect(actions_.save, &QAction::triggered, workload_, &WorkloadPanel::save_file);
  connect(actions_.save_session, &QAction::triggered, session_.get(), &WindowSession::ask_save);
  connect(&control_, &RunControl::session_asked, session_.get(), &WindowSession::open);
  connect(session_.get(), &WindowSession::opened, &control_, &RunControl::asked_ended);
  connect(&bridge_, &EngineBridge::run_started, this, &MainWindow::name_window);
  connect(session_.get(), &WindowSession::opened, history_.get(), &WindowHistory::begin);
  const auto remember = [this](const QString& file, bool done) {
    if (done) recent_menu_->add(file);
  };
  connect(session_.get(), &WindowSession::opened, this, remember);
  connect(session_.get(), &WindowSession::saved, this, remember);
  // The scenario of the command line was opened before this window was made.
  if (QFileInfo(control_.file()).isFile()) recent_menu_->add(control_.file());
  connect(actions_.open_recent, &QAction::triggered, bar_, &RunBar::open_recent_menu);
  connect(actions_.export_menu, &QAction::triggered, bar_, &RunBar::open_export_menu);
  connect(actions_.copy_picture, &QAction::triggered, this,
          [this] { copy_picture(view_at_hand()); });
  connect(actions_.theme, &QAction::triggered, this, &MainWindow::toggle_theme);
  Theme& theme = Theme::instance();
  connect(actions_.larger, &QAction::triggered, this, [this] { set_text_size(1); });
  connect(actions_.smaller, &QAction::triggered, this, [this] { set_text_size(-1); });
  connect(actions_.usual_text, &QAction::triggered, &theme,
          [&theme] { theme.set_text_percent(Theme::kTextPercents[0]); });
  connect(actions_.full_screen, &QAction::triggered, this,
          [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  connect(actions_.keys, &QAction::triggered, this, &MainWindow::show_keys);
  connect(actions_.palette, &QAction::triggered, this, &MainWindow::show_palette);
  connect(actions_.view_menu, &QAction::triggered, this, &MainWindow::open_menu_by_key);
  connect(actions_.what_is_this, &QAction::triggered, this, [this] {
    View& view = view_at_hand();
    const auto place = view.place_of_selection();
    help_->show_view(view, place ? view.point_at(*place).text : QString());
  });
  connect(actions_.tour, &QAction::triggered, this, [this] {
    View& view = view_at_hand();
    show_view(&view);
    tours_->begin(view);
  });
  connect(actions_.wide, &QAction::triggered, this, [this] { set_wide(!is_wide()); });
  connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
  connect(&control_, &RunControl::message, messages_, &MessageBar::show_message);
  connect(&control_, &RunControl::settled, messages_, &MessageBar::withdraw);
  // This button is not the action Undo, which first takes back edits, notes and added requests.
  auto* run_before = new QAction(actions_.undo->text(), this);
  run_before->setToolTip(tr("Go back to the run that was shown before this one"));
  connect(run_before, &QAction::triggered, &control_, &RunControl::go_back);
  connect(&control_, &RunControl::run_replaced, this, [this, run_before](const QString& text) {
    messages_->offer(MessageKind::kInfo, text, *run_before, QStringLiteral("run replaced"));
  });
  connect(inside_.get(), &Inside::changes_removed, this,
          [this](const QString& text) { messages_->show_message(MessageKind::kInfo, text); });
  auto* other_layout = new QAction(this);
  connect(other_layout, &QAction::triggered, &control_, &RunControl::use_other_layout);
  connect(&control_, &RunControl::layout_asked, this,
          [this, other_layout](const QString& text, const QString& other) {
            other_layout->setText(other);
            messages_->offer(MessageKind::kWarning, text, *other_layout, QStringLiteral("axes"));
          });
  connect(&theme, &Theme::changed, this, &MainWindow::appearance_changed);
  connect(exports_.get(), &WindowExports::written, this, &MainWindow::export_finished);
  connect(exports_.get(), &WindowExports::report_finished, this, &MainWindow::report_finished);
  connect(exports_.get(), &WindowExports::copied, this, &MainWindow::copied);
  connect(&selection_, &Selection::changed, this, [this] {
    if (selection_.state().kind != SelectionKind::kNothing && layouts_->inspector_is_tab())
      inspector_dock_->raise();
  });
  appearance_changed();
}

void MainWindow::connect_views() {
  for (const auto& [name, action] : actions_.show_tabs)
    connect(action, &QAction::triggered, this,
            [this, shown = view(name)] { show_attention(shown); });
  for (const auto& [name, action] : actions_.jobs)
    connect(action, &QAction::triggered, this, [this, asked = view(name)] {
      show_attention(asked);
      asked->toggle_job();
    });
  for (View* view : all_views_)
    connect(view, &View::menu_asked, this, [this, view](const QPoint& at) {
      open_menu_of(*view, at, {bridge_, selection_, cursor_}, [this](const ViewEntry& entry) {
        show_view(this->view(entry.name));
        this->view(entry.name)->reveal_selection();
      });
    });
  connect(beside_panel_, &BesidePanel::menu_asked, this, [this](View* view, const QPoint& at) {
    const RunContext context = beside_panel_->context_of(*view);
    const bool here = &context.selection == &selection_;
    open_menu_of(*view, at, context, [this, here](const ViewEntry& entry) {
      View* opened = here ? this->view(entry.name) : beside_panel_->view(entry.name);
      here ? show_view(opened) : beside_panel_->show_view(entry.name);
      if (opened) opened->reveal_selection();
    });
  });
  for (const View* view : all_views_)
    connect(view, &View::view_asked, this, [this](const QString& name) {
      if (View* asked = this->view(name.toStdString())) show_attention(asked);
    });
}

void MainWindow::connect_places() {
  connect(actions_.back, &QAction::triggered, history_.get(), &WindowHistory::back);
  connect(actions_.forward, &QAction::triggered, history_.get(), &WindowHistory::forward);
  const auto refresh = [this] {
    refuse(*actions_.back, history_->can_go_back()
                               ? QString()
                               : tr("this is the oldest place that the window remembers"));
    refuse(*actions_.forward,
           history_->can_go_forward() ? QString() : tr("this is the newest place"));
  };
  connect(history_.get(), &WindowHistory::changed, this, refresh);
  refresh();
}

void MainWindow::set_text_size(int direction) {
  Theme& theme = Theme::instance();
  const auto& sizes = Theme::kTextPercents;
  const int now = theme.text_percent();
  if (direction > 0) {
    theme.set_text_percent(*std::ranges::find_if(sizes, [now](int size) { return size > now; }));
  } else {
    int next = sizes[0];
    for (const int size : sizes)
      if (size < now) next = size;
    theme.set_text_percent(next);
  }
}

void MainWindow::appearance_changed() {
  const Theme& theme = Theme::instance();
  for (const auto& [action, mode] : modes_) action->setChecked(mode == theme.mode());
  const int now = theme.text_percent();
  const bool listed =
      std::ranges::find(Theme::kTextPercents, now) != std::end(Theme::kTextPercents);
  text_sizes_menu_->setTitle(listed ? tr("Text size") : tr("Text size: %1%").arg(now));
  const int least = theme.is_projector() ? Theme::kProjectorPercent : Theme::kTextPercents[0];
  refuse(*actions_.larger, now < 200 ? QString() : tr("the text has its largest size, 200%"));
  refuse(*actions_.smaller,
         now > least ? QString()
         : theme.is_projector()
             ? tr("this layout does not allow text below %1%").arg(Theme::kProjectorPercent)
             : tr("the text has its smallest size, 100%"));
  for (size_t i = 0; i < text_sizes_.size(); ++i) {
    const int size = Theme::kTextPercents[i];
    text_sizes_[i]->setChecked(size == now);
    refuse(*text_sizes_[i],
           size >= least
               ? QString()
               : tr("this layout does not allow text below %1%").arg(Theme::kProjectorPercent));
  }
}

void MainWindow::toggle_theme() {
  Theme& theme = Theme::instance();
  theme.set_mode(theme.is_dark() ? ThemeMode::kLight : ThemeMode::kDark);
}

void MainWindow::name_window() {
  const auto saved = bridge_.session();
  const bool is_file = saved && !saved->file.empty();
  setWindowTitle(is_file ? tr("%1 – Attention Workbench")
                               .arg(QString::fromStdString(saved->file.filename().string()))
                         : tr("Attention Workbench"));
}

void MainWindow::show_keys() {
  std::vector<KeySection> sections{{tr("Window"), actions_.key_help()}};
  for (View* view : all_views_) sections.push_back({view->title(), view->key_help()});
  sections.push_back({tr("Workload"), workload_key_help()});
  sections.push_back({tr("Inspector"), inspector_key_help()});
  sections.push_back({tr("Lessons"), lesson_key_help()});
  new KeyList(std::move(sections), this);
}

void MainWindow::show_palette() {
  recent_menu_->refresh();
  lessons_->refresh_menu();
  const CommandTargets targets{actions_,       *panels_menu_, *export_menu_, *recent_menu_,
                               *lessons_menu_, *help_menu_,   *bar_,         control_,
                               selection_,     cursor_,       all_views_,    *workload_};
  auto* palette = new CommandPalette(palette_content(targets, recent_commands_), this);
  connect(&cursor_, &TimeCursor::changed, palette, &CommandPalette::refresh_soon);
  connect(&cursor_, &TimeCursor::range_changed, palette, &CommandPalette::refresh_soon);
  connect(&control_, &RunControl::state_changed, palette, &CommandPalette::refresh_soon);
  connect(palette, &CommandPalette::chosen, this, [this](const QString& name) {
    recent_commands_.removeAll(name);
    recent_commands_.prepend(name);
    recent_commands_.resize(std::min(recent_commands_.size(), kRecentCommands));
  });
}

View& MainWindow::view_at_hand() const {
  View* const view = view_around(focusWidget());
  return view ? *view : *all_views_.front();
}

void MainWindow::read_settings() {
  read_checked([this](QSettings& settings) { take_settings(settings); });
}

void MainWindow::take_settings(QSettings& settings) {
  settings.beginGroup(QStringLiteral("window"));
  if (const int version = settings.value(QStringLiteral("version")).toInt();
      version != WindowLayouts::kVersion) {
    qCDebug(log_window) << "settings of another version are not read:" << version;
    return;
  }
  Theme::instance().set_mode(
      static_cast<ThemeMode>(std::clamp(settings.value(QStringLiteral("theme")).toInt(), 0, 2)));
  Theme::instance().set_text_percent(settings.value(QStringLiteral("text_percent"), 100).toInt());
  less_motion_->setChecked(settings.value(QStringLiteral("reduce_motion")).toBool());
  bar_->read(settings);
  recent_commands_ = checked_list(settings.value(QStringLiteral("recent_commands")).toStringList(),
                                  kRecentCommands, kLongestCommand);
  read_last_folders(settings);
  // The panels are restored before the geometry: the other order can crash in Qt.
  if (!layouts_->restore(
          settings.value(QStringLiteral("layout"), QStringLiteral("explore")).toString(),
          unsealed(settings.value(QStringLiteral("docks")).toByteArray()))) {
    qCDebug(log_window) << "the saved panels cannot be restored";
    reset_layout();
  }
  restoreGeometry(unsealed(settings.value(QStringLiteral("geometry")).toByteArray()));
}

void MainWindow::write_settings() const {
  QSettings settings;
  settings.beginGroup(QStringLiteral("window"));
  settings.setValue(QStringLiteral("version"), WindowLayouts::kVersion);
  settings.setValue(QStringLiteral("theme"), static_cast<int>(Theme::instance().mode()));
  settings.setValue(QStringLiteral("text_percent"), Theme::instance().chosen_text_percent());
  settings.setValue(QStringLiteral("reduce_motion"), Theme::instance().reduce_motion());
  settings.setValue(QStringLiteral("recent_commands"), recent_commands_);
  bar_->write(settings);
  write_last_folders(settings);
  settings.setValue(QStringLiteral("geometry"), sealed(saveGeometry()));
  settings.setValue(QStringLiteral("layout"), layouts_->current());
  settings.setValue(QStringLiteral("docks"), sealed(layouts_->state()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!control_.may_leave_run()) return event->ignore();
  if (keep_settings_) write_settings();
  exports_->finish();
  session_->settle();
  recovery_->end();
  bridge_.cancel();
  QMainWindow::closeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!shown_) all_views_.front()->setFocus();
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
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  control_.open_later(files);
}

// Space on a focused button presses it. The side buttons of a mouse go back and forward. Before
// other input the history looks at what the window shows.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::ShortcutOverride:
      if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space &&
          qobject_cast<QAbstractButton*>(watched)) {
        event->accept();
        return true;
      }
      history_->hand_moves();
      break;
    case QEvent::KeyPress:
    case QEvent::Wheel:
    case QEvent::MouseButtonDblClick:
      history_->hand_moves();
      break;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
      if (take_mouse_button(watched, *static_cast<QMouseEvent*>(event))) return true;
      history_->hand_moves();
      break;
    default:
      break;
  }
  return QMainWindow::eventFilter(watched, event);
}

bool MainWindow::take_mouse_button(QObject* watched, const QMouseEvent& event) {
  const bool back = event.button() == Qt::BackButton;
  if (!back && event.button() != Qt::ForwardButton) return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget || widget->window() != this) return false;
  if (event.type() == QEvent::MouseButtonPress)
    (back ? actions_.back : actions_.forward)->trigger();
  return true;
}

}  // namespace attn::gui

#include "moc_main_window.cpp"
