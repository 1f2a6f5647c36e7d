// SPDX-License-Identifier: GPL-3.0-or-later
// MetricsView: charts of the run over its steps and of waiting times. A second page shows the run's
// attention kernels beside the limits of this machine. GUI thread.
#pragma once

#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/metrics/machine/machine_page.h"
#include "gui/views/metrics/metrics_canvas.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class MetricsView : public View {
  Q_OBJECT
 public:
  // context.bridge may be null: data then comes by show_snapshot().
  explicit MetricsView(const ViewContext& context, QWidget* parent = nullptr);

  // The pages, in the order of the list in the header.
  enum class Page { kRun, kMachine };

  QString export_name() const override {
    return shown_page() == Page::kMachine ? QStringLiteral("machine") : QStringLiteral("metrics");
  }
  QString title() const override { return tr("Metrics"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  std::vector<ViewCommand> commands() override;
  std::optional<QPoint> place_of_selection() override;
  bool is_behind() const override { return machine_->is_behind(); }
  // Measures the limits of the machine, and returns when that is done. Throws Error.
  void do_job(const std::string& asked_by) override { machine_->measure_now(asked_by); }
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  // Shows the chosen page, if any. That of the machine then measures its limits. Throws Error.
  void choose(const ViewChoices& choices) override;
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;

  Page shown_page() const { return static_cast<Page>(page_->currentIndex()); }
  void set_shown_page(Page page) { page_->setCurrentIndex(static_cast<int>(page)); }
  MachinePage& machine() { return *machine_; }
  QPushButton* measure_button() const { return measure_; }
  MetricsCanvas& canvas() { return *canvas_; }
  void show_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  void set_cursor(std::optional<uint32_t> step) { canvas_->set_cursor(step); }

 signals:
  void step_chosen(uint32_t step);  // a step was chosen by a click or Enter
  void cursor_cleared();            // a click beside the plots

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_header();
  void arrange_header();
  void show_page();
  void add_machine_stops(Tour& tour) const;

  PanelHeader* header_;
  QComboBox* page_;
  QPushButton* measure_;
  QComboBox* axis_;
  QToolButton* fit_;
  QStackedWidget* pages_;  // in the order of Page
  QScrollArea* scroll_;
  MetricsCanvas* canvas_;
  MachinePage* machine_;
};

ViewEntry metrics_entry();

}  // namespace attn::gui
