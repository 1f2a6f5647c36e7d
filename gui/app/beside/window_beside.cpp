// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/beside/window_beside.h"

#include <QFileInfo>
#include <system_error>

#include "gui/app/view_registry.h"
#include "gui/models/text.h"
#include "gui/theme/file_dialogs.h"

namespace attn::gui {

WindowBeside::WindowBeside(const BesideTargets& targets) : targets_(targets) {
  const Actions& actions = targets_.actions;
  connect(actions.earlier_beside, &QAction::triggered, this, &WindowBeside::toggle_earlier);
  connect(actions.session_beside, &QAction::triggered, this, &WindowBeside::ask_session);
  connect(actions.pair_beside, &QAction::triggered, this, &WindowBeside::show_pair);
  connect(&targets_.panel, &BesidePanel::close_asked, this, &WindowBeside::close);
  connect(&targets_.session, &WindowSession::read, this,
          [this](const QString& file, const std::shared_ptr<const Session>& session) {
            show(session, QFileInfo(file).fileName());
          });
  connect(&targets_.control.bridge(), &EngineBridge::run_started, this,
          &WindowBeside::main_run_changed);
  connect(&targets_.attention, &QTabWidget::currentChanged, this, &WindowBeside::show_same_view);
}

void WindowBeside::show_same_view() {
  if (const QWidget* now = targets_.attention.currentWidget())
    targets_.panel.show_view(now->objectName().toStdString());
}

void WindowBeside::toggle_earlier() {
  if (targets_.panel.run()) return close();
  const std::shared_ptr<const Session> earlier = targets_.control.bridge().runner().earlier();
  if (!earlier)
    return targets_.messages.show_message(
        MessageKind::kInfo,
        tr("There is no earlier run to show beside this one. Session beside… shows a saved one."),
        QStringLiteral("beside"));
  show_earlier(earlier);
}

void WindowBeside::show_pair() {
  if (!targets_.panel.run()) toggle_earlier();
  targets_.panel.show_pair();
}

void WindowBeside::show_earlier(const std::shared_ptr<const Session>& earlier) {
  const bool is_newer = targets_.control.undo_place() == RunControl::UndoPlace::kEarlier;
  show(earlier, is_newer ? tr("the newer run") : tr("the run before"));
  if (targets_.panel.run()) earlier_ = earlier;
}

// A column with the run before goes on to the run that was just replaced, in the same tab and
// width. It is closed if that run was not kept.
void WindowBeside::main_run_changed() {
  if (!earlier_) return;
  EngineBridge& bridge = targets_.control.bridge();
  const auto other = bridge.runner().earlier();
  if (!other) {
    close();
    targets_.messages.show_message(
        MessageKind::kInfo,
        tr("The column was closed, because the run before this one was not kept."),
        QStringLiteral("beside"));
    return;
  }
  if (other == earlier_) return;
  const QString tab = targets_.panel.tabs()->currentWidget()->objectName();
  const QList<int> widths = columns() ? columns()->sizes() : QList<int>();
  show_earlier(other);
  if (!targets_.panel.run()) return;
  if (tab.isEmpty())
    targets_.panel.tabs()->setCurrentWidget(targets_.panel.numbers());
  else
    targets_.panel.show_view(tab.toStdString());
  if (columns()) columns()->setSizes(widths);
}

QSplitter* WindowBeside::columns() const {
  return qobject_cast<QSplitter*>(targets_.panel.parentWidget());
}

void WindowBeside::ask_session() {
  const QString suffix = text_of(kSessionSuffix);
  const QString file =
      ask_open_file(&targets_.window, tr("Show a session beside this run"), FileKind::kSession,
                    tr("Sessions (*.%1);;All files (*)").arg(suffix));
  if (!file.isEmpty()) targets_.session.read_beside(file);
}

void WindowBeside::show(const std::shared_ptr<const Session>& session, const QString& title) {
  earlier_ = nullptr;
  try {
    targets_.panel.show_run(session, title);
  } catch (const std::system_error& error) {
    targets_.messages.show_message(
        MessageKind::kError,
        tr("The run cannot be shown beside this one: the system gives no thread (%1).")
            .arg(QString::fromUtf8(error.what())),
        QStringLiteral("beside"));
    return close();
  }
  show_same_view();
  if (columns()) columns()->setSizes({1, 1});
  targets_.actions.earlier_beside->setChecked(true);
  targets_.messages.withdraw(QStringLiteral("beside"));
}

void WindowBeside::close() {
  earlier_ = nullptr;
  targets_.panel.close_run();
  targets_.actions.earlier_beside->setChecked(false);
  if (QWidget* view = targets_.attention.currentWidget()) view->setFocus();
}

}  // namespace attn::gui

#include "moc_window_beside.cpp"
