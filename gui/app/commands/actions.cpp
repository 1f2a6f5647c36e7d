// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/actions.h"

#include <QWidget>

#include "gui/app/view_registry.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {

Actions::Actions(QWidget* owner) {
  const auto add = [&](const QString& text, const QList<QKeySequence>& sequences,
                       const QString& meaning) {
    auto* action = new QAction(text, owner);
    action->setShortcuts(sequences);
    action->setToolTip(sequences.isEmpty()
                           ? meaning
                           : QStringLiteral("%1 (%2)").arg(
                                 meaning, sequences.front().toString(QKeySequence::NativeText)));
    action->setWhatsThis(meaning);  // a status tip would cover the status line
    owner->addAction(action);
    all.push_back(action);
    return action;
  };
  const auto tr = [](const char* text) { return QObject::tr(text); };
  const QString& first_view = view_registry().front().title;
  run = add(tr("Run"), {Qt::Key_Space}, tr("Run or pause"));
  step = add(tr("Next"), {Qt::Key_N},
             tr("Compute one unit (tile of the shown head, kernel, layer or step), then pause"));
  step->setIcon(icon(Icon::kStep));
  stop = add(tr("Stop"), {QKeySequence(Qt::CTRL | Qt::Key_Period)},
             tr("Stop the run; a step under way is dropped"));
  stop->setIcon(icon(Icon::kClose));
  clear = add(tr("Clear selection"), {Qt::Key_Escape}, tr("Clear the selection"));
  open = add(tr("Open…"), {QKeySequence(Qt::CTRL | Qt::Key_O)},
             tr("Open a scenario, a model, tensors, a saved session or a lesson"));
  open_recent = add(tr("Open recent…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
                    tr("Open a file that was opened or saved before"));
  models = add(tr("Models…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
               tr("List the models on this machine, and open one"));
  save = add(tr("Save…"), {QKeySequence(Qt::CTRL | Qt::Key_S)}, tr("Save the scenario"));
  save_session = add(tr("Save session…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                     tr("Save the run and its notes in a file"));
  undo = add(tr("Undo"), {QKeySequence(Qt::CTRL | Qt::Key_Z)},
             tr("Take back the last edit of the scenario, change of a note or added request, or go "
                "back to the run before"));
  redo = add(tr("Redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)},
             tr("Make an edit or a change of a note again, after Undo"));
  export_menu = add(tr("Export"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                    tr("Export pictures, numbers or a report"));
  export_menu->setIcon(icon(Icon::kExport));
  copy_picture =
      add(tr("Copy the picture"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
          tr("Copy the picture of the view that has the keyboard focus, or else of the view %1")
              .arg(first_view));
  theme = add(tr("Light or dark"), {QKeySequence(Qt::CTRL | Qt::Key_T)},
              tr("Switch between light and dark"));
  theme->setIcon(icon(Icon::kTheme));
  // On a keyboard that has + as Shift and =, Qt can take Ctrl and + for Ctrl++, Ctrl+Shift++ and
  // Ctrl+Shift+=. Two of these as shortcuts could be ambiguous.
  larger = add(tr("Larger text"),
               {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
               tr("Larger text, up to 200%"));
  smaller =
      add(tr("Smaller text"),
          {QKeySequence(Qt::CTRL | Qt::Key_Minus), QKeySequence(Qt::CTRL | Qt::Key_Underscore)},
          tr("Smaller text, down to 100%"));
  usual_text =
      add(tr("Usual text size"), {QKeySequence(Qt::CTRL | Qt::Key_0)},
          tr("Text in its usual size: 100%, for a projector %1%").arg(Theme::kProjectorPercent));
  layout_explore = add(tr("Explore"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_1)},
                       tr("Layout Explore: every panel"));
  layout_teach = add(tr("Teach"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_2)},
                     tr("Layout Teach: large text and at most three panels, for a projector"));
  layout_systems = add(tr("Systems"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_3)},
                       tr("Layout Systems: the panels Blocks and Timeline are large"));
  for (QAction* layout : {layout_explore, layout_teach, layout_systems}) layout->setCheckable(true);
  save_layout =
      add(tr("Save layout as…"), {}, tr("Save the arrangement of the panels under a name"));
  reset_layout =
      add(tr("Reset layout"), {}, tr("Put the panels of this layout back in their places"));
  back = add(tr("Back"), {QKeySequence(Qt::ALT | Qt::Key_Left)},
             tr("Go back to what the window showed before"));
  back->setIcon(icon(Icon::kBack));
  forward = add(tr("Forward"), {QKeySequence(Qt::ALT | Qt::Key_Right)},
                tr("Go forward again, after Back"));
  forward->setIcon(icon(Icon::kForward));
  palette =
      add(tr("All commands…"), {QKeySequence(Qt::CTRL | Qt::Key_K)},
          tr("Find a command by its name, or go to a step, block, request, token, layer or head"));
  step_back =
      add(tr("Step back"), {QKeySequence(Qt::CTRL | Qt::Key_Left)}, tr("Show the previous step"));
  step_forward =
      add(tr("Step forward"), {QKeySequence(Qt::CTRL | Qt::Key_Right)}, tr("Show the next step"));
  first_step = add(tr("First step"), {QKeySequence(Qt::CTRL | Qt::Key_Home)},
                   tr("Show the oldest step of the history"));
  live = add(tr("Live"), {QKeySequence(Qt::CTRL | Qt::Key_End)},
             tr("Show the newest step and follow the run"));
  for (const ViewEntry& view : view_registry())
    if (view.place == ViewPlace::kTab)
      show_tabs.push_back({view.name, add(view.title, {view.keys}, view.meaning)});
  for (const ViewEntry& view : view_registry())
    if (view.job)
      jobs.push_back({view.name, add(view.job->text, {view.job->keys}, view.job->meaning)});
  wide = add(tr("Attention only"), {Qt::Key_F10},
             tr("Hide the panels around Attention, or show them again"));
  earlier_beside = add(tr("The run before, beside"), {QKeySequence(Qt::CTRL | Qt::Key_B)},
                       tr("Show the run before this one in a second column, or close that column"));
  earlier_beside->setCheckable(true);
  session_beside = add(tr("Session beside…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)},
                       tr("Show a saved session in a second column beside this run"));
  pair_beside = add(tr("Difference of weights, beside"), {},
                    tr("Show how the attention weights of this run and of the run beside differ; "
                       "opens the run before if no run is beside"));
  note = add(tr("Note on this step…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)},
             tr("Write, change or remove the note on the shown step"));
  next_note = add(tr("Next note"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right)},
                  tr("Show the next step that has a note"));
  previous_note = add(tr("Previous note"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left)},
                      tr("Show the previous step that has a note"));
  lessons = add(tr("All lessons…"), {QKeySequence(Qt::CTRL | Qt::Key_L)},
                tr("Show the list of lessons, or go to the lesson that is open"));
  full_screen = add(tr("Full screen"), {Qt::Key_F11}, tr("Full screen"));
  keys = add(tr("Keys"), {QKeySequence(QStringLiteral("?"))}, tr("Show all keys"));
  help = add(tr("What is this window"), {}, tr("Explain the window and its panels"));
  what_is_here = add(tr("What is under the pointer"), {QKeySequence(Qt::Key_F1)},
                     tr("Explain what is under the mouse pointer"));
  what_is_this =
      add(tr("What is this view"), {QKeySequence(Qt::SHIFT | Qt::Key_F1)},
          tr("Explain the view that has the keyboard focus, or else the view %1").arg(first_view));
  tour = add(tr("What am I looking at?"), {QKeySequence(Qt::CTRL | Qt::Key_F1)},
             tr("Begin a tour of the view that has the keyboard focus, or else of the view %1")
                 .arg(first_view));
  view_menu = add(tr("Menu of the view"),
                  {QKeySequence(Qt::Key_Menu), QKeySequence(Qt::SHIFT | Qt::Key_F10)},
                  tr("Open the context menu of what has the keyboard focus"));
  quit = add(tr("Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, tr("Quit"));
}

void refuse(QAction& action, const QString& why) {
  action.setProperty("refusal", why);
  action.setEnabled(why.isEmpty());
}

QString refusal_of(const QAction& action) {
  return action.property("refusal").toString();
}

QString without_mnemonic(QString text) {
  const QString both = QStringLiteral("&&"), kept(QChar(0xFFFC));
  return text.replace(both, kept).remove(QLatin1Char('&')).replace(kept, QStringLiteral("&"));
}

std::vector<KeyHelp> Actions::key_help() const {
  std::vector<KeyHelp> rows;
  for (const QAction* action : all)
    if (!action->shortcut().isEmpty())
      rows.push_back({QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)
                          .replace(QStringLiteral("; "), QStringLiteral(", ")),
                      action->whatsThis()});
  return rows;
}

}  // namespace attn::gui
