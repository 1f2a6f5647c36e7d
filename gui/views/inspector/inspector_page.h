// SPDX-License-Identifier: GPL-3.0-or-later
// InspectorPage: paints InspectorContent. Its height follows from its width. GUI thread.
#pragma once

#include <QWidget>

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

class InspectorPage : public QWidget {
  Q_OBJECT
 public:
  explicit InspectorPage(QWidget* parent = nullptr);
  void set_content(InspectorContent content);
  const InspectorContent& content() const { return content_; }
  // The first item that ends below this position; null: none.
  const InspectorItem* item_at(const QPoint& position) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, heightForWidth(width())}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  InspectorContent content_;
};

}  // namespace attn::gui
