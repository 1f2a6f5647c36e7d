// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar: errors, warnings and information in at most two rows over the lower part of the
// window. MessageRow: one of these rows, with its buttons. GUI thread.
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

class MessageRow : public QWidget {
  Q_OBJECT
 public:
  explicit MessageRow(QWidget* parent = nullptr);
  // offered: the action of the row's button; null: no button. waiting: how many messages have no
  // row; the row shows it as "N more". 0: the row does not show it.
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

enum class Leaves { kByItself, kWhenAnswered };

class MessageBar : public QWidget {
  Q_OBJECT
 public:
  static constexpr size_t kMostShown = 2;

  // The bar lies over `window`, just above its status line `status`.
  MessageBar(QWidget* window, QWidget& status);
  // If the bar would hide more than a quarter of the height below `panel`, it lies over the lower
  // edge of `panel` instead. The views in `panel` are told what the bar covers.
  void spare_below(QWidget& panel);
  // While `panel`, at the right edge of the window, is visible, the bar stays left of it.
  void keep_free(QWidget& panel);
  // The bar does not lie over `control`, a control at the lower edge of a panel: it begins beside
  // the panel or, if the panel is wide, ends above the control.
  void spare_control(QWidget& control);
  // action: a name for what the message reports on, such as a file; empty: no name. A message with
  // a name replaces older ones with the same name.
  void show_message(MessageKind kind, const QString& text, const QString& action = {});
  void offer(MessageKind kind, const QString& text, QAction& button, const QString& action,
             Leaves leaves = Leaves::kByItself);
  // Removes the messages whose name begins with `action`.
  void withdraw(const QString& action);
  QString text() const { return messages_.empty() ? QString() : rows_.front()->text(); }
  QToolButton* offered() const { return rows_.front()->offered(); }
  QStringList texts() const;
  int count() const { return static_cast<int>(messages_.size()); }  // with those that have no row

 public slots:
  void close_shown();

 signals:
  // The user closed the message with the name `action` by its close button.
  void refused(const QString& action);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Message {
    MessageKind kind;
    QString text, action;
    QPointer<QAction> offered = {};
    Leaves leaves = Leaves::kByItself;
    // Warnings and errors do not leave by themselves.
    bool leaves_by_itself() const {
      return kind == MessageKind::kInfo && leaves == Leaves::kByItself;
    }
  };
  void add(Message message);
  void close(size_t at);
  void show_all();
  void lie_down();
  bool spare(QRect& place) const;
  void tell_views(const QRect& covered);
  int height_below() const;
  bool closes_error(QObject* watched, const QKeyEvent& event) const;
  size_t rows_with_room() const;
  std::vector<Message> messages_;
  std::vector<MessageRow*> rows_;  // [kMostShown]
  QTimer leave_{this};
  QWidget& status_;
  QPointer<QWidget> free_;     // panel of keep_free()
  QPointer<QWidget> middle_;   // panel of spare_below()
  QPointer<QWidget> control_;  // of spare_control()
};

}  // namespace attn::gui
