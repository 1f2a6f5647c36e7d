// SPDX-License-Identifier: GPL-3.0-or-later
// View: the base class of the views in view_registry(), and functions that export a view as a
// picture, a CSV table or an array. GUI thread, unless a comment says that it is any thread.
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
#include "gui/widgets/figure/figure_look.h"
#include "gui/widgets/tour.h"
#include "gui/widgets/view_choices.h"

namespace attn::gui {

class Inside;
class Notes;
class RunControl;

// The width (px at 100%) and the greatest height (px) of an exported picture that grows with its
// content.
inline constexpr double kExportedWidth = 960, kMostExportedHeight = 16000;

struct KeyHelp {
  QString keys;    // "Ctrl+wheel"
  QString action;  // "Zoom at the pointer"
};

// A choice or an action of a view that the command palette offers.
struct ViewCommand {
  QString name;  // "Heatmap › Weight"
  QString meaning;
  bool is_on = false;  // the present choice
  std::function<void()> run;
};

struct ViewContext {
  EngineBridge* bridge = nullptr;
  Selection* selection = nullptr;
  TimeCursor* cursor = nullptr;   // null: the view always shows the newest state
  const Notes* notes = nullptr;   // null: the view shows no notes
  Inside* inside = nullptr;       // null: the view makes its own
  RunControl* control = nullptr;  // null: the view cannot edit the scenario
};

class View : public QWidget {
  Q_OBJECT
 public:
  View(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {}

  // What the help says about the view. Whoever makes the view sets it.
  struct About {
    QString look_at;   // one or two sentences
    QString document;  // the file in docs/ that describes the view
  };
  void set_about(const About& about) { about_ = about; }
  const About& about() const { return about_; }

  // The stem of exported files: "heatmap", "timeline"; that of a table is table_name().
  virtual QString export_name() const = 0;
  virtual QString table_name() const { return export_name(); }
  virtual QString title() const = 0;  // "Attention heatmap"
  virtual std::vector<KeyHelp> key_help() const = 0;
  virtual std::vector<ViewCommand> commands() { return {}; }
  // Draws the content for an exported picture, without scroll bars and buttons.
  virtual void paint_content(QPainter& painter, const QRectF& bounds) = 0;
  // What the view shows now, as a function for any thread. Empty: the view has only
  // paint_content(), which needs the GUI thread.
  virtual std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const {
    return {};
  }
  // The size at which an export shows everything, logical pixels; a view may limit it.
  virtual QSize export_size() const = 0;
  // export_size() for a picture that is this wide (logical pixels): the view may arrange its
  // content in another way. The drawing is scaled to that width.
  virtual QSize export_size_for(double /*width*/) const { return export_size(); }
  // The size and dpi of exported pictures. The drawing is scaled to that size.
  void set_page(const PageSetup& page) { page_ = page; }
  const PageSetup& page() const { return page_; }
  // What exported pictures show. The views whose entry has the option --no-title know `title` and
  // `own_title`, which SVG and PDF files also have as the title of the document. The views with
  // figure_positions() know `positions`, only the heatmap knows the rest.
  void set_figure(const FigureLook& look) { figure_ = look; }
  const FigureLook& figure() const { return figure_; }
  // The number of positions of the text from which FigureLook::positions may choose; 0: the view
  // always draws all.
  virtual int64_t figure_positions() const { return 0; }
  // Writes the numbers of the view as an array to a .npy or .safetensors file, on any thread.
  // Throws Error. Empty: there is no array.
  virtual std::function<void(const FilePath& file)> arrays() const { return {}; }
  // The automatic title of a figure of this request (RequestView::at(layer)), layer and head.
  // Empty: the view has no figures, or does not know it.
  virtual QString figure_title(const RequestView& /*request*/, int64_t /*layer*/, int64_t /*head*/,
                               const FigureLook& /*look*/) const {
    return {};
  }
  // The width (logical pixels) for which a figure of this request, layer and look is laid out if it
  // shall be `width` wide; the drawing is then scaled to `width`. 0: the view has no figures.
  virtual double figure_width(const RequestView& /*request*/, int64_t /*layer*/,
                              const FigureLook& /*look*/, double /*width*/) const {
    return 0;
  }
  // Which layers an array of all layers has if this layer is chosen, as a sentence; empty: all, or
  // there is nothing to write.
  virtual QString left_out_of_arrays(int64_t /*layer*/) const { return {}; }
  virtual QByteArray csv() const = 0;
  // False: the table is not about the shown request, so the exported table gets no column with the
  // request's interventions.
  virtual bool table_is_of_request() const { return true; }
  // csv() as a function for any thread. Empty: the view has only csv(), which needs the GUI thread.
  virtual std::function<QByteArray()> table() const { return {}; }
  // Show everything, and zoom; key_help() tells what they do in a view. In some views they do
  // nothing.
  virtual void fit() = 0;
  virtual void zoom(double factor) = 0;
  // Which part of its content the view shows, as numbers that only this view understands. Empty:
  // all of it, its usual or newest part, or the view does not tell.
  virtual std::vector<double> place() const { return {}; }
  virtual void go_to_place(const std::vector<double>& /*place*/) {}
  // What the user has set in the view, for session files. set_options() ignores missing and invalid
  // values.
  virtual QJsonObject options() const { return {}; }
  virtual void set_options(const QJsonObject& /*options*/) {}

  // What is at this position, in pixels of the view. The default asks the canvas there.
  virtual ViewPoint point_at(const QPoint& position);
  // A point of what is selected, shown or at the keyboard cursor; nullopt: none is in sight.
  virtual std::optional<QPoint> place_of_selection();
  // The row that is selected or shown, with its label, or the label alone; nullopt: there is none
  // or none in sight.
  virtual std::optional<QRect> row_of_selection();
  // Brings the selection into sight, in a view that does not do so by itself.
  virtual void reveal_selection() {}

  // The tour: what the view says about what it shows now. May be called often.
  virtual Tour tour() const { return Tour(*this); }

  // True while the view knows of unfinished work in the background.
  virtual bool is_behind() const { return false; }
  // Why there is nothing to export; empty: there is something, or the view does not tell.
  virtual QString nothing_to_export() const { return {}; }
  // False: there is something to export that is still to be computed, because the view was not
  // visible. complete() computes it and then calls `done` on this thread; if there is nothing to
  // compute, at once. trouble: why that failed; empty: it did not.
  virtual bool is_complete() const { return true; }
  virtual void complete(const std::function<void(const QString& trouble)>& done) { done({}); }
  // Whether an export has something to show without a call of complete().
  bool has_export() const { return is_complete() && nothing_to_export().isEmpty(); }
  // Whether a report gets a file with csv(). If not, it may have these numbers in another file.
  virtual bool has_own_table() const { return true; }
  // Says what a report lacks.
  struct LeftOut {
    std::string note;  // for the report
    QString message;   // for the window
  };
  // Set if a report of the shown run cannot have this view.
  virtual std::optional<LeftOut> left_out_of_report() const { return {}; }
  // Set if a table that is written now has only a part of its rows, as with a filter.
  virtual std::optional<LeftOut> left_out_of_table() const { return {}; }

  // choose() and show_moment() are for pictures of something else than what the user sees, as in
  // the command `run`.

  // Takes the choices that concern the view, and does the work for them except a ViewEntry::job.
  // Throws Error.
  virtual void choose(const ViewChoices& /*choices*/) {}
  // In views that can, makes exported pictures show this snapshot; null: what the view shows.
  // caption: for their titles, if they have any.
  virtual void show_moment(const std::shared_ptr<const EngineSnapshot>& /*snapshot*/,
                           const QString& /*caption*/) {}
  // Ends show_moment().
  virtual void leave_moment() {}

  // Which part of the window lies under a message, in coordinates of the window; empty: none.
  void set_covered(const QRect& of_window);

  // Refuses runs that the view starts, as by its Run button, and says why; empty: allows them.
  virtual void refuse_runs(const QString& why);
  // For views with a job (ViewEntry::job): starts the job, or cancels it while it runs.
  virtual void toggle_job() {}
  // Does the whole job before it returns; the event loop runs meanwhile. Throws Error. asked_by:
  // the option that asked for the job, for the error.
  virtual void do_job(const std::string& /*asked_by*/) {}
  // Takes choices.compare, then starts the job, unless it runs, cannot start, or has a result for
  // this choice and the work of the shown run.
  virtual void refresh_job(const ViewChoices& /*choices*/) {}
  // Throws Error if the view has nothing to show of what was asked of it.
  virtual void throw_if_refused() const {}

 signals:
  void view_asked(const QString& name);  // ViewEntry::name, to be shown
  void exports_changed();                // nothing_to_export() may have changed
  void menu_asked(const QPoint& at);     // the context menu, at this position of the view

 protected:
  EngineBridge& bridge() const { return *context_.bridge; }
  Selection& selection() const { return *context_.selection; }
  RunControl* control() const { return context_.control; }  // may be null
  // What goes through the model for the shown request.
  Inside& inside();
  // The state to be shown: that of the time cursor; without a cursor, the newest.
  const std::shared_ptr<const EngineSnapshot>& shown() const {
    return context_.cursor ? context_.cursor->snapshot() : bridge().snapshot();
  }
  // The past step to be shown; nullopt: the view is live.
  std::optional<uint32_t> past_step() const {
    if (!context_.cursor || context_.cursor->is_live()) return std::nullopt;
    return context_.cursor->step();
  }
  size_t events_shown() const {
    return context_.cursor ? context_.cursor->num_events() : bridge().events().size();
  }
  template <class Show>
  void on_shown(Show&& show) {
    if (context_.cursor) {
      connect(context_.cursor, &TimeCursor::changed, this, std::forward<Show>(show));
    } else {
      connect(&bridge(), &EngineBridge::snapshot_changed, this, std::forward<Show>(show));
    }
  }
  void stack(PanelHeader* header, QWidget* content, QWidget* focus);
  // How much of the view's lower edge lies under a message, px.
  int covered_below() const;
  virtual void covered_changed() {}

  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  ViewContext context_;
  About about_;
  PageSetup page_;
  FigureLook figure_;
  QRect covered_;
};

// The view that this widget is, or in which it lies; null: none. widget: may be null.
View* view_around(QWidget* widget);

// Write the view to a file. PNG: scale 1..4 (or the dpi of the page, if set), at most 16384 px a
// side, marked with its pixels per inch. A file appears as a whole or not at all. They return an
// empty string, or on failure a sentence with the reason.
QString export_png(View& view, const FilePath& file, double scale);
QString export_svg(View& view, const FilePath& file);
QString export_pdf(View& view, const FilePath& file);
QString export_csv(View& view, const FilePath& file);

// prepare_*() takes what it needs from the view on the GUI thread. The job that it returns writes
// the file on any thread and returns the same string as export_*(). The job can also throw Error,
// for example if a picture would be too large.
using ExportJob = std::function<QString()>;
ExportJob prepare_png(View& view, const FilePath& file, double scale);
ExportJob prepare_svg(View& view, const FilePath& file);
ExportJob prepare_pdf(View& view, const FilePath& file);
ExportJob prepare_csv(View& view, const FilePath& file);
ExportJob prepare_array(View& view, const FilePath& file);  // the view has arrays()

// Throws Error if a table() with a row per event does not fit in memory. Any thread.
void ask_for_table(uint64_t events);

// What `job` returns, or the message of the exception that it throws. Any thread.
QString trouble_of(const std::function<QString()>& job);

// Without a file: take what they need on the GUI thread, and return a function for any thread
// that returns the picture (null: not enough memory) or the table as CSV. scale: as for a PNG; it
// does not count if the page has a dpi.
std::function<QImage()> prepare_image(View& view, double scale = 1);
std::function<QByteArray()> prepare_table(View& view);

}  // namespace attn::gui
