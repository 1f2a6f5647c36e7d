// SPDX-License-Identifier: GPL-3.0-or-later
// MoreSection: rarely needed fields of a group, which can be folded away. GUI thread.
#pragma once

#include <QToolButton>
#include <QVBoxLayout>

namespace attn::gui {

class MoreSection : public QWidget {
  Q_OBJECT
 public:
  // about: the accessible name ("More about the request").
  explicit MoreSection(const QString& about, QWidget* parent = nullptr);
  QVBoxLayout* fields() const { return fields_; }
  void set_open(bool open) { button_->setChecked(open); }
  bool is_open() const { return button_->isChecked(); }

 private:
  void toggle(bool open);
  QToolButton* button_;
  QWidget* body_;
  QVBoxLayout* fields_;
};

}  // namespace attn::gui
