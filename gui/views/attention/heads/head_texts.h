// SPDX-License-Identifier: GPL-3.0-or-later
// HeadTexts: the texts over which the head grid shows scores, and the button that chooses them. The
// scores are computed on the engine thread between two steps of the run. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QTimer>
#include <QToolButton>
#include <memory>

#include "gui/models/explore/inside.h"
#include "gui/models/file_path.h"
#include "gui/views/attention/heads/head_grid_scene.h"

namespace attn::gui {

class HeadTexts : public QObject {
  Q_OBJECT
 public:
  HeadTexts(Inside& inside, EngineBridge& bridge, QWidget* view);
  ~HeadTexts() override;

  // The button must be added to a layout, which gives it a parent.
  QToolButton* button() const { return button_; }
  // Why scores over texts cannot be computed for this run, as a sentence; empty: they can.
  QString refusal() const;
  void show_request();
  void show_shipped();
  void show_file(const FilePath& file);
  void cancel();  // ends a computation; shown scores stay
  void wait();    // until the computation has ended
  bool is_computing() const { return inside_.is_computing(this); }
  // The scores over texts; null: the scores of the request are to be shown.
  std::shared_ptr<const HeadsOverTexts> shown() const;
  QString trouble() const { return trouble_; }
  // The progress of a computation, or what went wrong; empty: neither.
  QString state_line() const;
  // The shown scores over texts, for session files; empty: the scores of the request are shown.
  QJsonObject saved() const;
  void show_saved(const QJsonObject& texts);
  void open_menu();
  void refresh();  // updates the button

 signals:
  void changed();

 private:
  struct Shared;
  void show(const FilePath& file, const QString& name);
  void choose_file();
  void fill_menu();

  Inside& inside_;
  EngineBridge& bridge_;
  QWidget* view_;
  QToolButton* button_;
  QTimer timer_;  // runs while scores are computed
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<const HeadsOverTexts> known_;
  std::shared_ptr<const Scenario> of_;  // the scenario of known_
  std::filesystem::path file_;
  QString trouble_;
  int told_percent_ = -1;
};

}  // namespace attn::gui
