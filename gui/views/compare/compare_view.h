// SPDX-License-Identifier: GPL-3.0-or-later
// The compare view: the scenario of the run through two to four backends side by side, or with and
// without a cache. GUI thread.
#pragma once

#include <QComboBox>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QThreadPool>
#include <QToolButton>
#include <array>
#include <optional>

#include "gui/theme/panel_header.h"
#include "gui/views/compare/compare_cache_canvas.h"
#include "gui/views/compare/compare_canvas.h"
#include "gui/views/compare/compare_job.h"
#include "gui/views/compare/export/compare_picture.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class CompareView : public View {
  Q_OBJECT
 public:
  explicit CompareView(const ViewContext& context, QWidget* parent = nullptr);
  ~CompareView() override;

  // The values are indices into what_box().
  enum class What { kBackends, kCache };

  QString export_name() const override { return QStringLiteral("compare"); }
  QString table_name() const override {
    return what() == What::kCache ? QStringLiteral("compare_cache") : export_name();
  }
  QString title() const override { return tr("Compare"); }
  std::vector<KeyHelp> key_help() const override;
  std::vector<ViewCommand> commands() override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  QSize export_size() const override { return picture().size(); }
  QSize export_size_for(double width) const override { return picture().size_for(width); }
  QByteArray csv() const override;
  void fit() override {}
  void zoom(double) override {}
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  QString nothing_to_export() const override;
  // Whether the work of the shown comparison differs from that of the shown run.
  bool is_of_other_run() const;
  std::optional<LeftOut> left_out_of_report() const override;
  Tour tour() const override;
  void choose(const ViewChoices& choices) override;
  std::optional<QPoint> place_of_selection() override;
  std::optional<QRect> row_of_selection() override;
  // Cancels the comparison that is running or, if none is, starts one of the shown run if it can.
  void toggle_job() override;
  // Calls toggle_job() and waits for the end and for the maps. Throws the error of the comparison.
  void do_job(const std::string& asked_by) override;
  void refresh_job(const ViewChoices& choices) override;
  void refuse_runs(const QString& why) override;
  void throw_if_refused() const override;

  What what() const { return static_cast<What>(what_->currentIndex()); }
  void set_what(What what) { what_->setCurrentIndex(static_cast<int>(what)); }
  // Switches to this comparison and, if it can, starts it when its result is missing or of other
  // work.
  void compare(What what);
  CompareCanvas& canvas() { return *canvas_; }
  const CompareModel& model() const { return model_; }
  CompareCacheCanvas& cache_canvas() { return *cache_canvas_; }
  const CompareCacheModel& cache_model() const { return cache_model_; }
  CompareJob& job() { return job_; }
  QPushButton* start_button() const { return start_; }
  // Starts the changed scenario and compares it.
  QPushButton* changes_button() const { return with_changes_; }
  QComboBox* what_box() const { return what_; }
  QComboBox* map_box() const { return map_; }
  std::vector<std::string> backends() const { return backends_; }
  void set_backends(std::vector<std::string> names);
  // Blocks until the maps that are being made are shown.
  void wait_for_maps();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_header();
  void backend_toggled(const QString& name, bool on);
  QScrollArea* add_page(Canvas* canvas);
  void show_what();
  void show_result();
  void start_job(const Scenario& scenario);
  void compare_with_changes();
  void look_at_run();
  bool has_result() const;
  void add_backend_stops(Tour& tour) const;
  void add_cache_stops(Tour& tour) const;
  bool can_start() const;
  QString refusal_;  // why no comparison may start; empty: it may
  bool has_changes() const;
  QStringList remarks(bool busy) const;  // on what is or would be compared
  QString shown_name(const QString& backend) const;
  QString waiting_text(const QString& detail) const;
  void refresh_state();
  void refresh_note();
  void refresh_backends();
  void make_maps();
  void select_cell(const CompareScene::Cell& cell);
  void choose_backends();
  ComparePicture picture() const;
  size_t shown_request() const;  // index into the result's requests

  CompareModel model_;
  CompareCacheModel cache_model_;
  CompareJob job_;
  std::vector<std::string> backends_;
  QString dropped_;          // the sentence on a backend that the newest choice unticked, if any
  bool chosen_ = false;      // true: backends_ was set by a choice, not by choose_backends()
  uint64_t chosen_for_ = 0;  // the run that choose_backends() looked at
  PanelHeader* header_;
  QToolButton* choose_;
  QPushButton *start_, *with_changes_;
  QMenu* menu_;
  QComboBox *what_, *against_, *map_;
  bool map_chosen_ = false;  // true: the user chose the map, and results do not change it
  QProgressBar* progress_;
  QStackedWidget* pages_;  // in the order of What
  CompareCanvas* canvas_;
  CompareCacheCanvas* cache_canvas_;
  // hash_of_work() of each result, in the order of What.
  std::array<std::string, 2> compared_hash_;
  std::string asked_hash_;
  // Set by compare_with_changes() to the run that ends; the next run is then compared. nullopt: not
  // waiting for a run.
  std::optional<uint64_t> compare_after_;
  What asked_ = What::kBackends;  // the comparison that was started last
  uint64_t wanted_maps_ = 0;      // number of the newest request for maps
  QThreadPool workers_;           // last member, so destroyed first: it waits for its work
};

ViewEntry compare_entry();

}  // namespace attn::gui
