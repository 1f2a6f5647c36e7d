// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/help/help.h"

#include <QCursor>

#include "gui/app/help/control_words.h"
#include "gui/app/help/help_texts.h"
#include "gui/app/view_registry.h"
#include "gui/models/words/scenario_words.h"

namespace attn::gui {

Help::Help(QMenu& menu, const Actions& actions, RunControl& control,
           const std::vector<View*>& views, QWidget& window)
    : control_(control), views_(views), window_(window) {
  build(menu, actions);
}

void Help::build(QMenu& menu, const Actions& actions) {
  const auto add = [this](QMenu& to, const QString& text, const QString& meaning, auto&& show) {
    QAction* action = to.addAction(text, this, show);
    action->setWhatsThis(meaning);
    action->setToolTip(meaning);
  };
  menu.addAction(actions.help);
  connect(actions.help, &QAction::triggered, this, &Help::show_window);
  add(menu, tr("This scenario"), tr("What this scenario shows, and the shipped scenarios"),
      [this] { show_scenarios(); });
  menu.addAction(actions.tour);
  menu.addAction(actions.what_is_here);
  connect(actions.what_is_here, &QAction::triggered, this, [this] { show_place(QCursor::pos()); });
  menu.addAction(actions.what_is_this);
  QMenu* views = menu.addMenu(tr("Views"));
  for (size_t i = 0; i < views_.size(); ++i)
    add(*views, view_registry()[i].title, view_registry()[i].look_at,
        [this, view = views_[i]] { show_view(*view); });
  menu.addAction(actions.keys);
  menu.addSeparator();
  QMenu* documents = menu.addMenu(tr("Documents"));
  for (const HelpDocument& document : help_documents())
    add(*documents, document.title, tr("Read %1").arg(document.file),
        [this, file = document.file] { show_document(file); });
  if (documents->isEmpty()) refuse(*documents->menuAction(), tr("the documents are not installed"));
  menu.addSeparator();
  add(menu, tr("About Attention Workbench"), tr("Version and licence"), [this] { show_program(); });
}

HelpPage& Help::open_page() {
  if (!page_) {
    page_ = new HelpPage(&window_);
    connect(page_, &HelpPage::followed, this, &Help::follow);
  }
  return *page_;
}

void Help::show_html(const QString& title, const QString& html) {
  open_page().show_page(title, [html](QTextDocument& page) { page.setHtml(html); });
}

void Help::show_window() {
  show_html(tr("What is this window"), help_of_window());
}

void Help::show_view(const View& view, const QString& here) {
  show_html(view.title(), help_of_view(view, here));
}

void Help::show_place(const QPoint& global) {
  QWidget* at = window_.childAt(window_.mapFromGlobal(global));
  std::optional<ControlWords> control;
  for (; at && at != &window_; at = at->parentWidget()) {
    if (!control) control = words_of_control(*at, at->mapFromGlobal(global));
    auto* view = qobject_cast<View*>(at);
    if (!view) continue;
    if (control) return show_html(control->name, help_of_control(*control, view));
    return show_view(*view, view->point_at(view->mapFromGlobal(global)).text);
  }
  if (!control) return show_window();
  show_html(control->name, help_of_control(*control, nullptr));
}

void Help::show_scenarios() {
  const Scenario& scenario = control_.scenario();
  show_html(tr("Scenarios"), help_of_scenarios(title_of(scenario), description_of(scenario)));
}

void Help::show_document(const QString& file) {
  const QString text = text_of_document(file);
  if (text.isEmpty()) return;
  open_page().show_page(file, [text](QTextDocument& page) { page.setMarkdown(text); });
}

void Help::show_program() {
  show_html(tr("About Attention Workbench"), help_of_program());
}

// Follows a link to a view, a scenario or a document. Other links are file names of documents.
void Help::follow(const QString& link) {
  const auto after = [&](const char* scheme) {
    const QString begin = QLatin1String(scheme);
    return link.startsWith(begin) ? link.mid(begin.size()) : QString();
  };
  if (const QString name = after("view:"); !name.isEmpty()) {
    if (const View* view = window_.findChild<View*>(name)) show_view(*view);
  } else if (const QString scenario = after("scenario:"); !scenario.isEmpty()) {
    if (control_.open(scenario)) control_.start();
  } else {
    const QString document = after("doc:");
    QString file = document.isEmpty() ? link : document;
    file = file.section(QLatin1Char('#'), 0, 0).section(QLatin1Char('/'), -1);
    show_document(file);
  }
}

}  // namespace attn::gui

#include "moc_help.cpp"
