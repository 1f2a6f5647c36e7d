// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/export_menu.h"

#include <algorithm>
#include <map>

#include "engine/session/page/run_page.h"
#include "gui/app/commands/actions.h"
#include "gui/app/commands/view_menu.h"
#include "gui/app/view_registry.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

constexpr char kGroup[] = "export group";

}  // namespace

void fill_export_menu(QMenu& menu, WindowExports& exports, const std::vector<View*>& views,
                      Selection& selection, QAction& save_session,
                      const std::function<void()>& ask_report) {
  tell_refusals(menu);
  const std::vector<ViewEntry>& entries = view_registry();
  for (size_t i = 0; i < views.size(); ++i)
    exports.add_own(menu, entries[i].exports, *views[i], selection);
  exports.add_query_key_value(menu);
  const auto of_page = std::ranges::find(entries, page_views().front(), &ViewEntry::name);
  exports.add_page(menu, *views[static_cast<size_t>(of_page - entries.begin())]);
  menu.addAction(tr("Whole report…"), &menu, ask_report);
  menu.addAction(&save_session);
  menu.addSeparator();
  std::map<ViewGroup, QMenu*> groups;
  for (const auto& [group, title] : {std::pair{ViewGroup::kAttention, tr("Attention")},
                                     {ViewGroup::kRun, tr("The run")},
                                     {ViewGroup::kInside, tr("Inside the model")}}) {
    groups[group] = menu.addMenu(title);
    groups[group]->menuAction()->setProperty(kGroup, true);
    tell_refusals(*groups[group]);
  }
  for (size_t i = 0; i < views.size(); ++i) {
    View* view = views[i];
    QMenu* of = exports.add_menu(*groups[entries[i].group], entries[i].title, *view);
    const auto offer = [view, of] { refuse(*of->menuAction(), view->nothing_to_export()); };
    QObject::connect(view, &View::exports_changed, of, offer);
    offer();
  }
}

bool is_export_group(const QAction& action) {
  return action.property(kGroup).toBool();
}

}  // namespace attn::gui
