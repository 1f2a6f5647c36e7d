// SPDX-License-Identifier: GPL-3.0-or-later
// ShownTexts: the texts of a widget and of the widgets in it, also tooltips and accessible texts.
#pragma once

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <functional>
#include <vector>

#include "gui/widgets/canvas.h"
#include "tests/gui/text_recorder.h"

namespace attn::gui::test {

struct ShownText {
  QString where;  // for example "timeline, tooltip"
  QString text;
};

inline QString without_tags(QString text) {
  if (!text.contains(QLatin1Char('<'))) return text;
  text.replace(QRegularExpression(QStringLiteral("<[^>]*>")), QStringLiteral(" "));
  return text.simplified();
}

class ShownTexts {
 public:
  explicit ShownTexts(QRandomGenerator& random) : random_(random) {}

  void read(QWidget& widget, const std::function<bool(const QWidget&)>& leaves_out) {
    if (leaves_out(widget)) return;
    const QString name = name_of(widget);
    add(name + QStringLiteral(", tooltip"), widget.toolTip());
    add(name + QStringLiteral(", name"), widget.accessibleName());
    add(name + QStringLiteral(", description"), widget.accessibleDescription());
    add(name + QStringLiteral(", title"), widget.windowTitle());
    if (auto* label = qobject_cast<QLabel*>(&widget)) add(name, label->text());
    if (auto* button = qobject_cast<QAbstractButton*>(&widget)) add(name, button->text());
    if (auto* line = qobject_cast<QLineEdit*>(&widget)) add(name, line->text());
    if (auto* box = qobject_cast<QComboBox*>(&widget))
      for (int i = 0; i < box->count(); ++i) add(name, box->itemText(i));
    if (auto* list = qobject_cast<QAbstractItemView*>(&widget); list && list->model())
      read_model(name, *list->model());
    if (auto* canvas = qobject_cast<Canvas*>(&widget)) read_tooltips(name, *canvas);
    for (const QAction* action : widget.actions()) {
      add(name + QStringLiteral(", command"), action->text());
      add(name + QStringLiteral(", command"), action->toolTip());
    }
    for (QObject* child : widget.children())
      if (child->isWidgetType()) read(*static_cast<QWidget*>(child), leaves_out);
  }
  void read_painted(const QString& name, QWidget& widget) {
    if (widget.size().isEmpty()) return;
    TextRecorder recorder(widget.size());
    widget.render(&recorder);
    for (const DrawnText& drawn : recorder.texts())
      add(name + QStringLiteral(", painted"), drawn.text);
  }
  void add(const QString& where, const QString& text) {
    if (!text.isEmpty()) texts_.push_back({where, without_tags(text)});
  }
  const std::vector<ShownText>& all() const { return texts_; }

 private:
  static QString name_of(const QWidget& widget) {
    return widget.objectName().isEmpty() ? QLatin1String(widget.metaObject()->className())
                                         : widget.objectName();
  }
  void read_model(const QString& name, const QAbstractItemModel& model) {
    constexpr int kMostRows = 200;
    const int rows = std::min(kMostRows, model.rowCount()), columns = model.columnCount();
    for (int column = 0; column < columns; ++column) {
      const QString title = model.headerData(column, Qt::Horizontal).toString();
      add(name, title);
      for (int row = 0; row < rows; ++row) {
        const QModelIndex cell = model.index(row, column);
        // The title says what the number in the cell is.
        add(name + QStringLiteral(", cell"), title + QLatin1Char(' ') + cell.data().toString());
        add(name + QStringLiteral(", cell"), cell.data(Qt::ToolTipRole).toString());
        add(name + QStringLiteral(", cell"), cell.data(Qt::AccessibleTextRole).toString());
      }
    }
  }
  void read_tooltips(const QString& name, Canvas& canvas) {
    constexpr int kPlaces = 12;
    for (int i = 0; i < kPlaces; ++i)
      add(name + QStringLiteral(", tooltip"),
          canvas.tooltip_at(
              {random_.bounded(1.0) * canvas.width(), random_.bounded(1.0) * canvas.height()}));
  }

  QRandomGenerator& random_;
  std::vector<ShownText> texts_;
};

}  // namespace attn::gui::test
