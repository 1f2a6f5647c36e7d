// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>

#include "gui/theme/theme.h"

namespace attn::gui {

namespace {

constexpr int kBetweenUpdates_ms = 100;

}  // namespace

InspectorView::InspectorView(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      header_(new PanelHeader(tr("Inspector"), this)),
      copy_button_(new QToolButton),
      scroll_(new QScrollArea(this)),
      page_(new InspectorPage) {
  copy_button_->setText(tr("Copy"));
  copy_button_->setToolTip(tr("Copy what is shown as text (Ctrl+C)"));
  copy_button_->setAccessibleName(tr("Copy as text"));
  header_->add_control(copy_button_);
  scroll_->setWidget(page_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::StrongFocus);
  scroll_->setAccessibleName(tr("Inspector"));
  scroll_->installEventFilter(this);
  setMinimumWidth(220);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);  // room for the focus frame
  column->setSpacing(0);
  column->addWidget(header_);
  column->addWidget(scroll_, 1);

  soon_.setSingleShot(true);
  soon_.setInterval(kBetweenUpdates_ms);
  connect(&soon_, &QTimer::timeout, this, &InspectorView::refresh);
  connect(copy_button_, &QToolButton::clicked, this, &InspectorView::copy);
  connect(context_.selection, &Selection::changed, this, [this] {
    refresh();
    scroll_->verticalScrollBar()->setValue(0);
  });
  connect(context_.selection, &Selection::shown_changed, this, &InspectorView::refresh);
  connect(context_.selection, &Selection::explained_changed, this, [this] {
    refresh();
    scroll_->verticalScrollBar()->setValue(0);
  });
  if (context_.cursor) {
    connect(context_.cursor, &TimeCursor::changed, this, &InspectorView::refresh_soon);
    connect(context_.cursor, &TimeCursor::moved, this, &InspectorView::refresh);
  } else {
    connect(context_.bridge, &EngineBridge::snapshot_changed, this, &InspectorView::refresh_soon);
  }
  connect(context_.bridge, &EngineBridge::attention_changed, this, &InspectorView::refresh_soon);
  connect(context_.bridge, &EngineBridge::run_started, this, &InspectorView::refresh_soon);
  refresh();
}

QSize InspectorView::sizeHint() const {
  return {Theme::instance().px(300), Theme::instance().px(480)};
}

void InspectorView::refresh_soon() {
  if (isVisible() && !soon_.isActive() &&
      context_.selection->state().kind != SelectionKind::kNothing)
    soon_.start();
}

void InspectorView::refresh() {
  InspectorInput input;
  input.snapshot =
      (context_.cursor ? context_.cursor->snapshot() : context_.bridge->snapshot()).get();
  const std::vector<TraceEvent>& events = context_.bridge->events();
  input.events = {events.data(), context_.cursor ? context_.cursor->num_events() : events.size()};
  input.selection = context_.selection->state();
  input.shown_request = context_.selection->shown_request();
  input.shown_layer = context_.selection->shown_layer();
  input.shown_head = context_.selection->shown_head();
  input.explained = context_.selection->explained().get();
  InspectorContent content = inspect(input);
  if (content.to_text() == page_->content().to_text() && content.empty == page_->content().empty)
    return;
  copy_button_->setEnabled(!content.empty);
  page_->set_content(std::move(content));
}

void InspectorView::copy() const {
  if (!page_->content().empty) QGuiApplication::clipboard()->setText(page_->content().to_text());
}

std::unique_ptr<QMenu> InspectorView::copy_menu(const QPoint& in_page) {
  auto menu = std::make_unique<QMenu>(this);
  if (page_->content().empty) return menu;
  menu->addAction(tr("Copy"), this, &InspectorView::copy);
  const InspectorItem* item = page_->item_at(in_page);
  if (item && item->kind != InspectorItem::Kind::kHeading)
    menu->addAction(item->kind == InspectorItem::Kind::kFormula ? tr("Copy this formula")
                                                                : tr("Copy this line"),
                    this,
                    [line = item->to_text()] { QGuiApplication::clipboard()->setText(line); });
  return menu;
}

void InspectorView::contextMenuEvent(QContextMenuEvent* event) {
  const auto menu = copy_menu(page_->mapFromGlobal(event->globalPos()));
  if (!menu->isEmpty()) menu->exec(event->globalPos());
}

void InspectorView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->key() == Qt::Key_Escape) return context_.selection->clear();
  QWidget::keyPressEvent(event);
}

void InspectorView::showEvent(QShowEvent*) {
  refresh();
}

bool InspectorView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == scroll_ && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
    update();
  return QWidget::eventFilter(watched, event);
}

// The frame shows keyboard focus.
void InspectorView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColors& colors = Theme::instance().colors();
  painter.fillRect(rect(), scroll_->hasFocus() ? colors.accent : colors.surface);
}

std::vector<KeyHelp> inspector_key_help() {
  return {{InspectorView::tr("Ctrl+C, right click"),
           InspectorView::tr(
               "Copy all of it as text (Ctrl+C); copy one line or formula (right click)")},
          {InspectorView::tr("Up, Down, Page up, Page down"), InspectorView::tr("Scroll")},
          {InspectorView::tr("Esc"), InspectorView::tr("Clear the selection")}};
}

}  // namespace attn::gui

#include "moc_inspector_view.cpp"
