// SPDX-License-Identifier: GPL-3.0-or-later
// StepView: the metadata with which a step calls its backend, at the time cursor. GUI thread.
#pragma once

#include "gui/views/step/step_canvas.h"
#include "gui/widgets/tables/further_tables.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class StepView : public View, public FurtherTables {
  Q_OBJECT
 public:
  explicit StepView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("step"); }
  QString title() const override { return tr("Metadata of a step"); }
  std::vector<KeyHelp> key_help() const override;
  std::vector<ViewCommand> commands() override;
  void paint_content(QPainter& painter, const QRectF& bounds) override {
    drawing()(painter, bounds);
  }
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  std::vector<FurtherTable> further_tables() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;
  void show_moment(const std::shared_ptr<const EngineSnapshot>& snapshot,
                   const QString& caption) override;
  void leave_moment() override;

  StepCanvas& canvas() { return *canvas_; }
  const StepScene& scene() const { return canvas_->scene(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void connect_canvas();
  int64_t key_of_mask(const StepPlace& place) const;
  void changed();  // refreshes the view if it is visible
  void refresh();
  StepScene make_scene() const;
  void read_facts(const EngineSnapshot& snapshot) const;
  CacheElement shown_element(const StepScene& scene, const EngineSnapshot& snapshot) const;
  void step_head(int layers, int heads);
  void describe();

  PanelHeader* header_;
  StepCanvas* canvas_;
  SelectionState revealed_;  // the selection that the view took notice of last
  std::shared_ptr<const EngineSnapshot> moment_;
  // What was read last. facts_run_: the run of facts_; cache_of_: the scenario of cache_.
  mutable uint64_t facts_run_ = 0;
  mutable std::shared_ptr<const StepFacts> facts_;
  mutable std::shared_ptr<const Scenario> cache_of_;
  mutable std::shared_ptr<const CacheMap> cache_;
};

ViewEntry step_entry();

}  // namespace attn::gui
