// SPDX-License-Identifier: GPL-3.0-or-later
// View: what every panel of the window is. It can draw itself into any QPainter at any size
// (screen, PNG, SVG, PDF share the one routine), write its numbers as CSV, and says what its keys
// do. GUI thread.
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
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/theme/panel_header.h"

namespace attn::gui {

struct KeyHelp {
  QString keys;    // "Ctrl+wheel"
  QString action;  // "Zoom at the pointer"
};

// What every view is built with.
struct ViewContext {
  EngineBridge* bridge = nullptr;
  Selection* selection = nullptr;
  TimeCursor* cursor = nullptr;  // null: the view shows what is newest
};

class View : public QWidget {
  Q_OBJECT
 public:
  View(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {}

  virtual QString export_name()
      const = 0;  // "heatmap", "blocks", "timeline": the stem of exported files
  // The stem of its exported CSV.
  virtual QString table_name() const { return export_name(); }
  virtual QString title() const = 0;  // "Attention heatmap"
  virtual std::vector<KeyHelp> key_help() const = 0;
  // Draws the view's content (no scroll bars, no buttons; with axes, labels, colour bar, legend)
  // into `bounds`.
  virtual void paint_content(QPainter& painter, const QRectF& bounds) = 0;
  // What the view shows now, as a drawing that any thread may run while the view goes on. Empty:
  // only paint_content(), on the GUI thread. For views whose export takes longer than a frame.
  virtual std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const {
    return {};
  }
  // The size at which an export shows everything with nothing cut, logical pixels.
  virtual QSize export_size() const = 0;
  // Pictures in files have this size in place of export_size(): what is drawn keeps its layout and
  // its proportions, is made to fit and stands in the middle. Nothing: export_size().
  void set_page_size(std::optional<QSize> size) { page_size_ = size; }
  std::optional<QSize> page_size() const { return page_size_; }
  virtual QByteArray csv() const = 0;
  // The same as a job that any thread may run while the view goes on. Empty: only csv(), on the GUI
  // thread. For tables that take longer than a frame to write.
  virtual std::function<QByteArray()> table() const { return {}; }
  // Navigation shared by all views, also bound to keys: F / double-click, Home, +, -.
  virtual void fit() = 0;
  virtual void zoom(double factor) = 0;
  // Which part of its content the view shows, in numbers that mean something to the view alone; for
  // the history of the window. Empty: all of it, or what is newest. Only a hand changes it.
  virtual std::vector<double> place() const { return {}; }
  virtual void go_to_place(const std::vector<double>& /*place*/) {}
  // What was chosen in its header beside its place: for session files. set_options() takes what is
  // there and makes sense, and leaves the rest as it is: files come from anywhere.
  virtual QJsonObject options() const { return {}; }
  virtual void set_options(const QJsonObject& /*options*/) {}

 protected:
  EngineBridge& bridge() const { return *context_.bridge; }
  Selection& selection() const { return *context_.selection; }
  // What is to be shown: of the step under the time cursor.
  const std::shared_ptr<const EngineSnapshot>& shown() const {
    return context_.cursor ? context_.cursor->snapshot() : bridge().snapshot();
  }
  // The past step that is to be shown, or nothing while the view is live.
  std::optional<uint32_t> past_step() const {
    if (!context_.cursor || context_.cursor->is_live()) return std::nullopt;
    return context_.cursor->step();
  }
  // Calls `show` whenever shown() is another one.
  template <class Show>
  void on_shown(Show&& show) {
    if (context_.cursor) {
      connect(context_.cursor, &TimeCursor::changed, this, std::forward<Show>(show));
    } else {
      connect(&bridge(), &EngineBridge::snapshot_changed, this, std::forward<Show>(show));
    }
  }
  // Lays the view out: the header above the content, which takes the rest; keys go to `focus`.
  void stack(PanelHeader* header, QWidget* content, QWidget* focus);

 private:
  ViewContext context_;
  std::optional<QSize> page_size_;
};

// Writes the view. PNG: scale 1..4, at most 16384 px a side, 300 dpi tag. SVG and PDF (one page of
// the view's size at 96 dpi): text as text. Each through QSaveFile. On failure returns a sentence
// with path and reason; empty: fine.
QString export_png(View& view, const QString& file, double scale);
QString export_svg(View& view, const QString& file);
QString export_pdf(View& view, const QString& file);
QString export_csv(View& view, const QString& file);

// The same in two parts: prepare_*() takes what it needs from the view on the GUI thread; the job
// draws, encodes and writes on any thread and returns the sentence.
using ExportJob = std::function<QString()>;
ExportJob prepare_png(View& view, const QString& file, double scale);
ExportJob prepare_svg(View& view, const QString& file);
ExportJob prepare_pdf(View& view, const QString& file);
ExportJob prepare_csv(View& view, const QString& file);

// For the clipboard, in the same two parts: the picture as in a PNG (null: no memory for it), and
// the table.
std::function<QImage()> prepare_image(View& view, double scale);
std::function<QByteArray()> prepare_table(View& view);

}  // namespace attn::gui
