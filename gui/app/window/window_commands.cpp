// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/window_commands.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QLocale>
#include <QRegularExpression>
#include <QSet>

#include "gui/app/bars/pace.h"
#include "gui/app/commands/export_menu.h"
#include "gui/views/workload/scenario_list.h"
#include "gui/widgets/request/request_box.h"

namespace attn::gui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(WindowCommands)
};

QString way(const QString& group, const QString& name) {
  return QStringLiteral("%1 › %2").arg(group, name);
}

class Collector {
 public:
  explicit Collector(const CommandTargets& targets) : targets_(targets) {}

  void add(QAction* action, const QString& group, const QString& refusal = {}) {
    if (action->isSeparator() || taken_.contains(action)) return;
    taken_.insert(action);
    Command command;
    command.name = way(group, without_mnemonic(action->text()));
    command.keys = action->shortcut().toString(QKeySequence::NativeText);
    command.meaning = action->whatsThis();
    command.words = action->property("words").toString();
    command.refusal = !refusal.isEmpty() ? refusal : refusal_of(*action);
    if (command.refusal.isEmpty() && !action->isEnabled())
      command.refusal = Words::tr("there is nothing to which this command could be applied");
    command.is_on = action->isCheckable() && action->isChecked();
    command.run = [action] { action->trigger(); };
    list.push_back(std::move(command));
  }

  void add_menu(const QMenu& menu, const QString& group, const QString& refusal = {}) {
    for (QAction* action : menu.actions()) {
      if (const QMenu* inner = action->menu()) {
        add_menu(*inner,
                 is_export_group(*action) ? group : way(group, without_mnemonic(action->text())),
                 refusal.isEmpty() ? refusal_of(*action) : refusal);
      } else {
        add(action, group, refusal);
      }
    }
  }

  void add(const QString& name, const QString& meaning, std::function<void()> run,
           const QString& refusal = {}, bool is_on = false) {
    list.push_back({.name = name,
                    .keys = {},
                    .meaning = meaning,
                    .refusal = refusal,
                    .words = {},
                    .is_content = false,
                    .is_on = is_on,
                    .run = std::move(run)});
  }

  void are_content(size_t first) {
    for (; first < list.size(); ++first) list[first].is_content = true;
  }

  void add_run() {
    RunControl& control = targets_.control;
    RunBar& bar = targets_.bar;
    add(way(Words::tr("Run"), Words::tr("Start again")),
        Words::tr("Run the scenario from the beginning, with all changes"),
        [&control] { control.start(); });
    list.back().words = Words::tr("restart, rerun, from the beginning");
    for (const StepUnit& unit : bar.units())
      add(
          way(Words::tr("Step by"), unit.name), unit.meaning,
          [&bar, unit] { bar.set_unit(unit.unit); }, {}, bar.unit() == unit.unit);
    for (const double pace : {1.0, 10.0, 100.0, 1000.0, kFastestPace, 0.0})
      add(
          way(Words::tr("Pace"), pace_text(pace)),
          Words::tr("The most attention tiles that all workers together compute per second"),
          [&control, pace] { control.set_pace(pace); }, {}, control.bridge().pace() == pace);
    for (const BackendChoice& backend : control.backend_choices())
      add(
          way(Words::tr("Backend"), backend.display_name), backend.description,
          [&control, name = backend.name] { control.set_backend(name); },
          backend.refusals.join(QLatin1Char(' ')),
          QString::fromStdString(control.scenario().engine.backend) == backend.name);
  }

  void add_scenarios() {
    RunControl& control = targets_.control;
    try {
      for (const std::string& shipped : shipped_scenarios()) {
        const QString name = QString::fromStdString(shipped);
        add(way(Words::tr("Scenario"), words_of_scenario(name)), about_scenario(name).description,
            [&control, name] {
              if (control.open(name)) control.start();
            });
        // The scenario is also found by its English name, such as many-users or many users.
        list.back().words =
            name + QStringLiteral(", ") + QString(name).replace(QLatin1Char('-'), QLatin1Char(' '));
      }
    } catch (const std::exception&) {
      // If the shipped scenarios cannot be listed, none is offered.
    }
  }

  void add_requests() {
    const auto& snapshot = targets_.cursor.snapshot();
    if (!snapshot) return;
    Selection& selection = targets_.selection;
    for (const RequestView& request : snapshot->requests) {
      const int64_t id = request.id;
      add(
          way(Words::tr("Request"),
              QStringLiteral("%1 (%2)").arg(QString::fromStdString(request.name)).arg(id)),
          Words::tr("Show this request in the views that show one request"),
          [&selection, id] { selection.show(id, selection.shown_layer(), selection.shown_head()); },
          {}, selection.shown_request() == id);
    }
  }

  // A field of the panel Workload is also found by its key in the scenario file.
  void add_fields() {
    WorkloadPanel& workload = targets_.workload;
    for (const Field* field : workload.form()->fields()) {
      add(way(Words::tr("Workload"), field->name()),
          field->editor()->accessibleDescription().section(QLatin1Char('\n'), 0, 0),
          [&workload, field] {
            if (auto* panel = qobject_cast<QDockWidget*>(workload.parentWidget())) {
              panel->show();
              panel->raise();
            }
            workload.edit_field(*field);
          });
      list.back().words = QString::fromStdString(field->path()).section(QLatin1Char('.'), -1);
    }
  }

  void add_views() {
    for (View* view : targets_.views)
      for (ViewCommand& command : view->commands())
        add(command.name, command.meaning, std::move(command.run), {}, command.is_on);
  }

  std::vector<Command> list;

 private:
  const CommandTargets& targets_;
  QSet<QAction*> taken_;
};

struct Numbered {
  QString word, meaning;
  int64_t first = 0, last = -1;  // last < first: there is no such thing
  std::function<void(int64_t)> go;
};

std::vector<Numbered> numbered_things(const CommandTargets& targets) {
  Selection& selection = targets.selection;
  TimeCursor& cursor = targets.cursor;
  std::vector<Numbered> things;
  const StepHistory::Range steps = cursor.range();
  things.push_back({Words::tr("step"), Words::tr("Show this step in most views"),
                    steps.empty() ? 0 : int64_t{steps.first},
                    steps.empty() ? -1 : int64_t{steps.last},
                    [&cursor](int64_t n) { cursor.go_to(static_cast<uint32_t>(n)); }});
  const EngineSnapshot* now = cursor.snapshot().get();
  things.push_back({Words::tr("block"), Words::tr("Select this block of the cache"), 0,
                    now ? static_cast<int64_t>(now->blocks.size()) - 1 : -1,
                    [&selection](int64_t n) {
                      SelectionState state;
                      state.kind = SelectionKind::kBlock;
                      state.block = n;
                      selection.select(state);
                    }});
  const bool any = now && !now->requests.empty();
  things.push_back({Words::tr("request"),
                    Words::tr("Show this request in the views that show one request"),
                    any ? int64_t{now->requests.front().id} : 0,
                    any ? int64_t{now->requests.back().id} : -1, [&selection](int64_t n) {
                      selection.show(n, selection.shown_layer(), selection.shown_head());
                    }});
  const RequestView* shown = now ? request_by_id(*now, selection.shown_request()) : nullptr;
  things.push_back({Words::tr("token"), Words::tr("Select this token of the shown request"), 0,
                    shown && shown->tokens ? static_cast<int64_t>(shown->tokens->size()) - 1 : -1,
                    [&selection, id = shown ? int64_t{shown->id} : -1](int64_t n) {
                      SelectionState state;
                      state.kind = SelectionKind::kToken;
                      state.request = id;
                      state.query = n;
                      selection.select(state);
                    }});
  things.push_back({Words::tr("layer"), Words::tr("Show this layer in the attention views"), 0,
                    now ? int64_t{now->source.num_layers} - 1 : -1, [&selection](int64_t n) {
                      selection.show(selection.shown_request(), n, selection.shown_head());
                    }});
  things.push_back({Words::tr("head"), Words::tr("Show this head in the attention views"), 0,
                    now ? int64_t{now->source.num_heads} - 1 : -1, [&selection](int64_t n) {
                      selection.show(selection.shown_request(), selection.shown_layer(), n);
                    }});
  return things;
}

}  // namespace

std::vector<Command> window_commands(const CommandTargets& targets) {
  const Actions& a = targets.actions;
  Collector all(targets);
  for (QAction* action : {a.run, a.step, a.stop, a.step_back, a.step_forward, a.first_step, a.live})
    all.add(action, Words::tr("Run"));
  for (QAction* action : {a.back, a.forward, a.clear}) all.add(action, Words::tr("Go"));
  all.add_menu(targets.panels, Words::tr("View"));
  all.add(a.theme, Words::tr("View"));
  for (QAction* action : {a.open, a.open_recent, a.models, a.save, a.save_session, a.undo, a.redo})
    all.add(action, Words::tr("Scenario"));
  const size_t first_file = all.list.size();
  all.add_menu(targets.recent, Words::tr("Open recent"));
  all.add_menu(targets.lessons, Words::tr("Lessons"));
  all.are_content(first_file);
  all.add(a.copy_picture, Words::tr("Export"));
  all.add_menu(targets.exports, Words::tr("Export"));
  all.add_menu(targets.help, Words::tr("Help"));
  all.add_run();
  const size_t first_scenario = all.list.size();
  all.add_scenarios();
  all.add_requests();
  all.are_content(first_scenario);
  all.add_views();
  all.add_fields();
  // The palette itself is open already, and the entries of the menu Export were added above.
  for (QAction* action : a.all)
    if (action != a.palette && action != a.export_menu) all.add(action, Words::tr("Window"));
  return std::move(all.list);
}

std::vector<Command> named_places(const CommandTargets& targets, const QString& typed) {
  static const QRegularExpression form(QStringLiteral("^(\\p{L}+) ?(\\d{0,9})$"));
  const QRegularExpressionMatch match = form.match(typed);
  if (!match.hasMatch()) return {};
  const QLocale locale;
  for (const Numbered& thing : numbered_things(targets)) {
    if (match.captured(1).compare(thing.word, Qt::CaseInsensitive) != 0) continue;
    Command command;
    command.name = Words::tr("Go to %1 %2").arg(thing.word, match.captured(2)).trimmed();
    command.meaning = thing.meaning;
    if (thing.last < thing.first) {
      command.refusal = Words::tr("the run has no %1 yet").arg(thing.word);
      return {command};
    }
    const QString range =
        Words::tr("%1 to %2").arg(locale.toString(thing.first), locale.toString(thing.last));
    const int64_t number = match.captured(2).toLongLong();
    if (match.captured(2).isEmpty()) {
      command.refusal = Words::tr("type the number of the %1: %2").arg(thing.word, range);
    } else if (number < thing.first || number > thing.last) {
      command.refusal = Words::tr("there is no %1 %2 to show; the numbers go from %3")
                            .arg(thing.word, locale.toString(number), range);
    } else {
      command.run = [go = thing.go, number] { go(number); };
    }
    return {command};
  }
  return {};
}

PaletteContent palette_content(const CommandTargets& targets, const QStringList& recent) {
  return {.commands = window_commands(targets),
          .read = [targets] { return window_commands(targets); },
          .places = [targets](const QString& typed) { return named_places(targets, typed); },
          .recent = recent};
}

}  // namespace attn::gui
