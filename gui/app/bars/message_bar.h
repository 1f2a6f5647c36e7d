// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar: shows errors, warnings and information over the lower edge of the panels, one below
// the other, so that no panel moves: each with an icon, the sentence, and buttons to copy and to
// close it. Information comes first and disappears after a while; then errors, then what asks
// something with a button of its own, then the other warnings, the newest of a kind first, each
// until it is closed, replaced or withdrawn. Information that offers what cannot be had so easily
// again (Leaves::kWhenAnswered) stays like a warning. Esc closes an error that stands first. What
// has no room waits, and the last row says how many messages do. GUI thread.
#pragma once

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QPointer>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "gui/models/run_control.h"

namespace attn::gui {

// One message of the bar. GUI thread.
class MessageRow : public QWidget {
  Q_OBJECT
 public:
  explicit MessageRow(QWidget* parent = nullptr);
  // offered: the action that the row's button stands for; null: there is no button. waiting: the
  // number in "N more" at the end of the row; 0: nothing stands there.
  void show_message(MessageKind kind, const QString& text, const QAction* offered, size_t waiting);
  QString text() const { return text_->text(); }
  QToolButton* offered() const { return offered_; }

 signals:
  void offer_taken();
  void closed();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void restyle();
  MessageKind kind_ = MessageKind::kInfo;
  QLabel *icon_, *text_, *more_;
  QToolButton *offered_, *copy_, *close_;
};

// When information leaves the bar.
enum class Leaves { kByItself, kWhenAnswered };

class MessageBar : public QWidget {
  Q_OBJECT
 public:
  static constexpr size_t kMostShown = 2;  // messages at once: they hide what lies below them

  // The bar lies over `window`, just above `status`, which is the status line of that window.
  MessageBar(QWidget* window, QWidget& status);
  // action: a name for what the message reports on, such as a file. The message replaces an older
  // one with the same action, and an equal one; information that leaves by itself replaces all
  // older information that does.
  void show_message(MessageKind kind, const QString& text, const QString& action = {});
  // Shows a message with a button that triggers the action `button`.
  void offer(MessageKind kind, const QString& text, QAction& button, const QString& action,
             Leaves leaves = Leaves::kByItself);
  // Takes away all messages whose action begins with this text.
  void withdraw(const QString& action);
  // The first message and its button; what is shown below it is in texts().
  QString text() const { return messages_.empty() ? QString() : rows_.front()->text(); }
  QToolButton* offered() const { return rows_.front()->offered(); }
  QStringList texts() const;                                        // of all rows, from the top
  int count() const { return static_cast<int>(messages_.size()); }  // shown and waiting

 public slots:
  void close_shown();  // closes the first message

 signals:
  // The message on this action was closed with its button, so what it offered was not taken.
  void refused(const QString& action);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Message {
    MessageKind kind;
    QString text, action;
    QPointer<QAction> offered = {};
    Leaves leaves = Leaves::kByItself;
    // Only information leaves by itself: warnings and errors stay until they are closed or
    // replaced.
    bool leaves_by_itself() const {
      return kind == MessageKind::kInfo && leaves == Leaves::kByItself;
    }
  };
  void add(Message message);
  void close(size_t at);
  void show_all();
  void lie_down();
  bool closes_error(QObject* watched, const QKeyEvent& event) const;
  size_t rows_with_room() const;
  std::vector<Message> messages_;  // in the order they are shown
  std::vector<MessageRow*> rows_;  // kMostShown
  QTimer leave_{this};
  QWidget& status_;
};

}  // namespace attn::gui
