// SPDX-License-Identifier: GPL-3.0-or-later
// ViewEntry: what the program knows about a kind of view before a view is made. view_registry()
// (gui/app/view_registry.h) lists the entries. Any thread; ViewEntry::make: GUI thread.
#pragma once

#include <QKeySequence>
#include <QString>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

// Where a view stands in the window.
enum class ViewPlace {
  kTab,    // a tab of the attention panel
  kBelow,  // the panel below the attention: one view
  kBottom  // the panel at the window's bottom: one view
};

// Work that a view does on request (View::toggle_job()).
struct ViewJob {
  QString text;  // name of the command
  QKeySequence keys;
  QString meaning;
};

// What a view shows of a run before its first unit of work.
enum class AtStart {
  kNothing,
  kSomething,
  kPrompt  // the prompt; hand-outs draw this view if the view of a step shows nothing
};

// An option of the command line that is for this view.
struct ViewOption {
  const char* name;  // "--combine"
  // Whether a value is of the option's form; null: this entry does not check it. If views share an
  // option, it is enough that one of them sets this.
  bool (*fits)(const std::string& value) = nullptr;
  const char* allowed = "";  // the form in words, for the error about a value that does not fit
  // Whether this view uses the value; null: it uses every value.
  bool (*uses)(const std::string& value) = nullptr;
};

// For ViewOption::fits: whether from_word() can read the value.
template <auto from_word>
bool can_read(const std::string& value) {
  return from_word(value).has_value();
}

// The file that the menu Export offers with View::arrays() of all heads and of several layers.
struct ArraysExport {
  QString command;  // its name in the menu
  QString title;    // title of the dialog that asks for the file
  QString stem;     // proposed name of the file, without suffix
};

// What a view exports beside the pictures and tables that every View has.
struct ViewExports {
  QString figure = {};  // the menu's name for a figure (FigureDialog); empty: it has no figure
  std::optional<ArraysExport> arrays = {};
};

// Makes a view, and says what the program has to know about the class of the view.
struct ViewMaker {
  View* (*make)(const ViewContext& context, QWidget* parent) = nullptr;
  bool follows_width = false;  // the class or a base of it overrides View::export_size_for()
  View* operator()(const ViewContext& context, QWidget* parent) const {
    return make(context, parent);
  }
};

// For ViewEntry::make.
template <class ViewType>
inline constexpr ViewMaker make_view{
    [](const ViewContext& context, QWidget* parent) -> View* {
      return new ViewType(context, parent);
    },
    !std::is_same_v<decltype(&ViewType::export_size_for), decltype(&View::export_size_for)>};

// Where the menu Export has the view.
enum class ViewGroup { kRun, kAttention, kInside };

struct ViewEntry {
  std::string name;   // for --views and --show
  QString title;      // of its tab or panel
  QKeySequence keys;  // show the view; empty for a panel
  ViewGroup group = ViewGroup::kRun;
  QString meaning = {};  // what the keys do; empty for a panel
  // What to look at: one or two sentences beside the title.
  QString look_at = {};
  // The file in docs/ that describes the view.
  const char* document = "window.md";
  // False: the menu "Open in" of other views leaves this view out.
  bool follows_selection = true;
  AtStart at_start = AtStart::kSomething;
  ViewPlace place = ViewPlace::kTab;
  bool in_every_run = false;  // `run` draws this view into its folder if there is no --views
  // The place of the view in the list of views for --views. Those with in_every_run come first.
  // Equal numbers keep the order of the registry.
  int run_order = std::numeric_limits<int>::max();
  std::string other_name = {};  // another word for `name` on the command line; empty: none
  std::vector<ViewOption> options = {};
  // Throws Error, which names the option, for choices that the view cannot show in any run. Called
  // before the run.
  void (*check)(const ViewChoices& choices) = nullptr;
  std::optional<ViewJob> job = {};
  bool chooses_fork = false;  // the other token of a fork is chosen in this view
  ViewExports exports = {};
  ViewMaker make = {};
};

}  // namespace attn::gui
