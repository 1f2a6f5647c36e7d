// SPDX-License-Identifier: GPL-3.0-or-later
// HelpPage: a separate window that shows pages of the help, with a button Back. GUI thread.
#pragma once

#include <QDialog>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QToolButton>
#include <functional>

namespace attn::gui {

class HelpPage : public QDialog {
  Q_OBJECT
 public:
  // The page deletes itself when it is closed.
  explicit HelpPage(QWidget* window);
  void show_page(const QString& title, std::function<void(QTextDocument& page)> fill);
  QTextBrowser* text() const;
  QToolButton* back_button() const { return back_; }

 signals:
  void followed(const QString& link);

 private:
  struct Page {
    QString title;
    std::function<void(QTextDocument& page)> fill;
  };
  class Browser;
  void resizeEvent(QResizeEvent* event) override;
  void refresh();
  void restyle();
  Browser* text_;
  QTextDocument* document_ = nullptr;  // the document that text_ shows
  QToolButton* back_;
  std::vector<Page> pages_;  // the last one is shown
  QTimer resized_;           // at its end, pictures are made again for the new width
};

}  // namespace attn::gui
