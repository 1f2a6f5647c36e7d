// SPDX-License-Identifier: GPL-3.0-or-later
// BesidePanel: shows a second run beside the run of the window. It has a table with numbers of both
// runs, the views that compare both runs (pair_list.inc), and views of the second run. GUI thread.
#pragma once

#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/app/beside/run_beside.h"
#include "gui/theme/panel_header.h"
#include "gui/views/workload/setting_differences.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class BesidePanel : public QWidget {
  Q_OBJECT
 public:
  explicit BesidePanel(const RunContext& main, QWidget* parent = nullptr);
  ~BesidePanel() override;

  // Shows this run in place of the one shown before. title: names the run in the header.
  void show_run(const std::shared_ptr<const Session>& session, const QString& title);
  void close_run();
  RunBeside* run() const { return run_.get(); }
  // Brings the tab of the view with this ViewEntry::name to the front, if there is one.
  void show_view(std::string_view name);
  View* view(std::string_view name) const;
  // Brings the first tab that compares the two runs to the front.
  void show_pair();
  // What the context menu of a view acts on: the run beside or, for a view that compares the two
  // runs, the run of the window. Only while there is a run beside.
  RunContext context_of(const View& view);
  // Null before the first call of show_run().
  QTableWidget* numbers() const { return numbers_; }
  QTabWidget* tabs() const { return tabs_; }
  QString numbers_text() const;

 signals:
  void close_asked();
  void menu_asked(View* view, const QPoint& at);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void add_view(View* view, const std::string& name, const QString& title,
                const View::About& about);
  void restyle();
  void refresh();
  void fit_title();
  void fit_columns();
  void set_heading(int column, const QString& text, const QString& tip);
  QString line_of_run() const;
  // The prompts of the shown request in the window and beside, each in one line, if they differ;
  // else two empty texts.
  std::pair<QString, QString> different_prompts() const;
  // Its values are texts, of which the cells may have parts.
  void set_texts(int row, const QString& name, const QString& tip, const QString& here,
                 const QString& beside);
  void set_cell(int row, int column, const QString& text, const QString& tip,
                const QString& whole = {});
  std::vector<SettingDifference> different_settings() const;

  RunContext main_;
  QString title_;
  PanelHeader* header_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  QTableWidget* numbers_ = nullptr;
  QTimer later_;
  std::unique_ptr<RunBeside> run_;
  std::vector<View*> views_;  // children of tabs_, deleted before run_
  std::vector<View*> pairs_;  // those of them that compare the two runs
};

}  // namespace attn::gui
