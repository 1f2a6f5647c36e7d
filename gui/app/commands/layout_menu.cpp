// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/layout_menu.h"

#include <QInputDialog>
#include <utility>

namespace attn::gui {

LayoutMenu::LayoutMenu(WindowLayouts& layouts, const Actions& actions, MessageBar& messages,
                       QWidget* window)
    : QMenu(tr("Layout"), window), layouts_(layouts), messages_(messages), window_(window) {
  built_in_ = {{actions.layout_explore, QStringLiteral("explore")},
               {actions.layout_teach, QStringLiteral("teach")},
               {actions.layout_systems, QStringLiteral("systems")}};
  for (const auto& [action, name] : built_in_) {
    addAction(action);
    connect(action, &QAction::triggered, this, [this, name = name] {
      layouts_.apply(name);
      refresh();
    });
  }
  addSeparator();
  before_user_ = addSeparator();
  addAction(actions.save_layout);
  connect(actions.save_layout, &QAction::triggered, this, &LayoutMenu::ask_name);
  delete_menu_ = addMenu(tr("Delete layout"));
  addAction(actions.reset_layout);
  connect(actions.reset_layout, &QAction::triggered, &layouts_, &WindowLayouts::reset);
  connect(&layouts_, &WindowLayouts::changed, this, &LayoutMenu::refresh);
  refresh();
}

void LayoutMenu::refresh() {
  for (const auto& [action, name] : built_in_) action->setChecked(name == layouts_.current());
  for (QAction* action : std::exchange(user_, {})) action->deleteLater();
  delete_menu_->clear();
  for (const QString& name : layouts_.user_names()) {
    // An ampersand in a name is doubled, because a single one would mark a letter as a key.
    const QString text = QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"));
    auto* action = new QAction(text, this);
    action->setCheckable(true);
    action->setChecked(name == layouts_.current());
    action->setWhatsThis(tr("A layout that you saved"));
    connect(action, &QAction::triggered, this, [this, name] {
      layouts_.apply(name);
      refresh();
    });
    insertAction(before_user_, action);
    user_.push_back(action);
    delete_menu_->addAction(text, this, [this, name] {
      layouts_.remove(name);
      messages_.show_message(MessageKind::kInfo, tr("Deleted the layout %1.").arg(name));
    });
  }
  refuse(*delete_menu_->menuAction(), user_.empty() ? tr("there is no saved layout") : QString());
}

void LayoutMenu::ask_name() {
  bool accepted = false;
  const QString name =
      QInputDialog::getText(window_, tr("Save layout"),
                            tr("Name of the layout. A saved layout with this name is replaced."),
                            QLineEdit::Normal, QString(), &accepted);
  if (!accepted) return;
  const QString trouble = layouts_.save_as(name);
  messages_.show_message(
      trouble.isEmpty() ? MessageKind::kInfo : MessageKind::kError,
      trouble.isEmpty()
          ? tr("Saved the layout %1. View > Layout brings it back.").arg(layouts_.current())
          : trouble,
      QStringLiteral("layout"));
}

}  // namespace attn::gui

#include "moc_layout_menu.cpp"
