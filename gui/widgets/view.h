// SPDX-License-Identifier: GPL-3.0-or-later
// View: the base class of the views in view_registry(). A view can draw itself for a PNG, SVG or
// PDF file, write its numbers as CSV, and describe its keys. GUI thread.
#pragma once

#include <QImage>
#include <QJsonObject>
#include <QPainter>
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/file_path.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/models/view_point.h"
#include "gui/theme/panel_header.h"
#include "gui/widgets/tour.h"
#include "gui/widgets/view_choices.h"

namespace attn::gui {

class Inside;
class Notes;
class RunControl;

struct KeyHelp {
  QString keys;    // "Ctrl+wheel"
  QString action;  // "Zoom at the pointer"
};

// A choice of a view that the command palette offers.
struct ViewCommand {
  QString name;  // with the view: "Heatmap › Weight"
  QString meaning;
  bool is_on = false;  // this choice is the present one
  std::function<void()> run;
};

// What every view gets when it is made.
struct ViewContext {
  EngineBridge* bridge = nullptr;
  Selection* selection = nullptr;
  TimeCursor* cursor = nullptr;  // null: the view always shows the newest state
  const Notes* notes = nullptr;  // on steps of the run; null: the view shows none
  Inside* inside = nullptr;  // shared by the views that explain the model; null: each makes its own
  RunControl* control = nullptr;  // edits and starts the run; null: nobody edits it
};

class View : public QWidget {
  Q_OBJECT
 public:
  View(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {}

  // The stem of exported files: "heatmap", "blocks", "timeline".
  virtual QString export_name() const = 0;
  // The stem of the exported CSV file.
  virtual QString table_name() const { return export_name(); }
  virtual QString title() const = 0;  // "Attention heatmap"
  virtual std::vector<KeyHelp> key_help() const = 0;
  virtual std::vector<ViewCommand> commands() { return {}; }
  // Draws the view's content for a file into `bounds`: no scroll bars, no buttons; with axes,
  // labels, colour bar, legend.
  virtual void paint_content(QPainter& painter, const QRectF& bounds) = 0;
  // What the view shows now, as a function that any thread may call while the view goes on. Empty:
  // the view has only paint_content(), which needs the GUI thread. For views whose export takes
  // longer than a frame.
  virtual std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const {
    return {};
  }
  // The size at which an export shows everything, logical pixels; a view may limit it.
  virtual QSize export_size() const = 0;
  // export_size() for a picture that will be drawn this wide: the view may lay itself out in
  // another way, so that texts stay legible. Only the proportions of the size count.
  virtual QSize export_size_for(double /*width*/) const { return export_size(); }
  // How large exported pictures are, instead of export_size(); the drawing is scaled.
  void set_page(const PageSetup& page) { page_ = page; }
  const PageSetup& page() const { return page_; }
  // Writes the numbers that the view shows as an array to a .npy or .safetensors file; any thread
  // may call it while the view goes on. It throws Error. Empty: the view has no array.
  virtual std::function<void(const FilePath& file)> arrays() const { return {}; }
  virtual QByteArray csv() const = 0;
  // Whether the table is of the shown request; then a changed request is marked in it.
  virtual bool table_is_of_request() const { return true; }
  // csv() as a function that any thread may call while the view goes on. Empty: the view has only
  // csv(), which needs the GUI thread. For tables that take longer than a frame to write.
  virtual std::function<QByteArray()> table() const { return {}; }
  // Navigation that views have in common; key_help() tells what it does in a view, and by which
  // keys. In Compare neither function does anything, and zoom() does nothing in Events.
  virtual void fit() = 0;
  virtual void zoom(double factor) = 0;
  // Which part of its content the view shows, as numbers that only the view itself interprets; for
  // the window's back and forward. Empty: all of it, or the newest part, also while that grows.
  virtual std::vector<double> place() const { return {}; }
  virtual void go_to_place(const std::vector<double>& /*place*/) {}
  // The settings in the view's header that are not part of place(); for session files.
  // set_options() takes the values that are present and valid and leaves the other settings as they
  // are, because a file may contain anything.
  virtual QJsonObject options() const { return {}; }
  virtual void set_options(const QJsonObject& /*options*/) {}

  // What is drawn at a place of the view, pixels of the view. The default asks the canvas there.
  virtual ViewPoint point_at(const QPoint& position);
  // The place of what is selected or at the keyboard cursor, for a menu opened by a key; nothing:
  // it is not in sight.
  virtual std::optional<QPoint> place_of_selection();
  // Takes the view to what is selected, where it does not go there by itself.
  virtual void reveal_selection() {}

  // What the view says about what it shows at this moment, with the numbers of its run; "What am I
  // looking at?". It changes nothing, and is asked again several times a second.
  virtual Tour tour() const { return Tour(*this); }

  // True while some of what the view shows is still being read or computed in the background.
  virtual bool is_behind() const { return false; }
  // Why there is nothing to export, shown with the grey Export command; empty: there is something.
  virtual QString nothing_to_export() const { return {}; }
  // Whether a report has its table as a file of its own. False: its numbers stand in the report's
  // own tables.
  virtual bool has_own_table() const { return true; }

  // choose() and show_moment() are for pictures that are not of what the user sees: those of `run`,
  // of --screenshot, and of figures and reports of the window.

  // Takes the choices that concern this view and returns when the view shows them.
  virtual void choose(const ViewChoices& /*choices*/) {}
  // From now on pictures show this snapshot (null: the state that the view shows) with the caption
  // beside the title. For views that have nothing to show at the end of a run.
  virtual void show_moment(const std::shared_ptr<const EngineSnapshot>& /*snapshot*/,
                           const QString& /*caption*/) {}
  // Ends show_moment(): from now on pictures have what the view shows.
  virtual void leave_moment() {}

  // The view's own buttons that start a run are grey and say why; empty: they are not.
  virtual void refuse_runs(const QString& why);
  // The next two are for views that have work of their own, such as a comparison.
  // Starts the job (ViewEntry::job), or cancels it while it is running.
  virtual void toggle_job() {}
  // Does the whole job before it returns; the event loop runs meanwhile. asked_by: the command line
  // option that asked for the job. Throws Error.
  virtual void do_job(const std::string& /*asked_by*/) {}
  // Throws Error, nearly always kNotSupported, with the reasons why the view could not compute what
  // it was asked for; returns if it could compute a part of it. A report calls it after its files,
  // which show the reasons, are written; `--figure` before, so that there is no file without a
  // figure.
  virtual void throw_if_refused() const {}

 signals:
  void view_asked(const QString& name);  // asks the window to show this view (ViewEntry::name)
  void exports_changed();                // nothing_to_export() changed
  void menu_asked(const QPoint& at);     // asks the window for the context menu at this place

 protected:
  EngineBridge& bridge() const { return *context_.bridge; }
  Selection& selection() const { return *context_.selection; }
  RunControl* control() const { return context_.control; }  // may be null
  // What goes through the model; for the views that explain it.
  Inside& inside();
  // The state to be shown: that of the step at the time cursor, or the newest without a cursor.
  const std::shared_ptr<const EngineSnapshot>& shown() const {
    return context_.cursor ? context_.cursor->snapshot() : bridge().snapshot();
  }
  // The past step that is to be shown, or nothing while the view is live.
  std::optional<uint32_t> past_step() const {
    if (!context_.cursor || context_.cursor->is_live()) return std::nullopt;
    return context_.cursor->step();
  }
  // How many events of the bridge had been recorded by the end of what is shown.
  size_t events_shown() const {
    return context_.cursor ? context_.cursor->num_events() : bridge().events().size();
  }
  // Calls `show` whenever shown() changes.
  template <class Show>
  void on_shown(Show&& show) {
    if (context_.cursor) {
      connect(context_.cursor, &TimeCursor::changed, this, std::forward<Show>(show));
    } else {
      connect(&bridge(), &EngineBridge::snapshot_changed, this, std::forward<Show>(show));
    }
  }
  // Lays the view out: the header on top, the content in the rest of the area. Keyboard focus goes
  // to `focus`.
  void stack(PanelHeader* header, QWidget* content, QWidget* focus);

  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  ViewContext context_;
  PageSetup page_;
};

// Write the view to a file. PNG: scale 1..4, at most 16384 px a side, marked as 300 dpi or as the
// page says. SVG and PDF (one page of the view's size at 96 dpi) keep text as text. A file appears
// as a whole or not at all (whole_file.h). They return an empty string, or on failure a sentence
// with path and reason.
QString export_png(View& view, const FilePath& file, double scale);
QString export_svg(View& view, const FilePath& file);
QString export_pdf(View& view, const FilePath& file);
QString export_csv(View& view, const FilePath& file);

// Exports in two parts: prepare_*() takes what it needs from the view on the GUI thread; the job
// that it returns draws (if the view has a drawing()), encodes and writes on any thread and returns
// the string of export_*(). The job throws Error(kBadInput) for an SVG or PDF that would be too
// large.
using ExportJob = std::function<QString()>;
ExportJob prepare_png(View& view, const FilePath& file, double scale);
ExportJob prepare_svg(View& view, const FilePath& file);
ExportJob prepare_pdf(View& view, const FilePath& file);
ExportJob prepare_csv(View& view, const FilePath& file);
ExportJob prepare_array(View& view, const FilePath& file);  // the view has arrays()

// For a table() with a row for each of so many events: throws Error(kBadInput) if it does not fit
// in memory.
void ask_for_table(uint64_t events);

// What `job` returns; if it throws, the message of the exception.
QString trouble_of(const std::function<QString()>& job);

// For the clipboard, in two parts like prepare_*(): the picture as in a PNG (null: no memory for
// it), and the table.
// scale: pixels of the picture for a pixel of the view, unless the page of the view says its dpi.
std::function<QImage()> prepare_image(View& view, double scale = 1);
std::function<QByteArray()> prepare_table(View& view);

}  // namespace attn::gui
