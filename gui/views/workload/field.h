// SPDX-License-Identifier: GPL-3.0-or-later
// Field: a labelled value of the workload panel: name, editor, unit, tooltip, and a sentence about
// a mistake. NumberEdit: an editor for a number. GUI thread.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <optional>
#include <string>

namespace attn::gui {

class Field : public QWidget {
  Q_OBJECT
 public:
  // path: the JSON path of the value in a scenario, without indices ("$.requests[].n").
  Field(const QString& name, const QString& unit, const QString& meaning, std::string path,
        QWidget* editor, QWidget* parent);
  const std::string& path() const { return path_; }
  QString name() const { return name_->text(); }
  QWidget* editor() const { return editor_; }
  void set_problem(const QString& sentence);  // empty: none
  bool has_problem() const { return problem_ && !problem_->text().isEmpty(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();
  bool is_narrow() const;
  void arrange(bool stacked);
  std::string path_;
  QWidget* editor_;
  QLabel *name_, *unit_;
  QLabel* problem_ = nullptr;  // made for the first problem
  bool stacked_ = false;
};

// An editor for a number. Any text can be typed; trouble() says what is wrong with it.
class NumberEdit : public QLineEdit {
  Q_OBJECT
 public:
  NumberEdit(bool whole, QWidget* parent = nullptr);
  void set_value(double value);
  void set_least(double least) { least_ = least; }
  // nullopt: trouble() says why.
  std::optional<double> value() const;
  QString trouble() const;  // empty if value() is set

 signals:
  void value_edited();

 protected:
  void keyPressEvent(QKeyEvent* event) override;  // keys Up, Down: steps of 1; fractions: 0.1
  void wheelEvent(QWheelEvent* event) override;

 private:
  void step(int direction);
  bool whole_;
  std::optional<double> least_;
};

}  // namespace attn::gui
