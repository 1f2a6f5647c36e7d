// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar: shows errors, warnings and information above the panels: an icon, the sentence, how
// many more messages wait, and buttons to copy and to close it. Information is shown first and
// disappears after a while; then errors, then warnings with a button of their own, then the others,
// the newest of a kind first, each until it is closed or replaced. GUI thread.
#pragma once

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "gui/models/run_control.h"

namespace attn::gui {

class MessageBar : public QWidget {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  // action: a name for what the message reports on, such as a file. The message replaces an older
  // one with the same action, and an equal one; information replaces all older information.
  void show_message(MessageKind kind, const QString& text, const QString& action = {});
  // A message with a button that does what `button` does.
  void offer(MessageKind kind, const QString& text, QAction& button, const QString& action);
  // Takes away all messages whose action begins like this.
  void withdraw(const QString& action);
  QToolButton* offered() const { return offered_; }
  QString text() const { return isHidden() ? QString() : text_->text(); }
  int count() const { return static_cast<int>(messages_.size()); }  // shown and waiting

 public slots:
  void close_shown();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Message {
    MessageKind kind;
    QString text, action;
    QPointer<QAction> offered = {};
  };
  void add(Message message);
  void restyle();
  void show_first();
  std::vector<Message> messages_;  // in the order they are shown
  MessageKind kind_ = MessageKind::kInfo;
  QLabel *icon_, *text_, *more_;
  QToolButton *offered_, *copy_, *close_;
  QTimer leave_;
};

}  // namespace attn::gui
