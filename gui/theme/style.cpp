// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/style.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QPlainTextEdit>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <algorithm>
#include <cstdint>

#include "gui/theme/box_manners.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr qreal kRadius = 6;

const ThemeColors& colors() {
  return Theme::instance().colors();
}

// A rounded rectangle with a border of `width` px inside `rect`. Invalid colours: no fill, no
// border.
void draw_box(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& edge,
              qreal width = 1, qreal radius = kRadius) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(edge.isValid() ? QPen(edge, width) : QPen(Qt::NoPen));
  painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  const qreal inset = width / 2;
  painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
  painter->restore();
}

void draw_icon(QPainter* painter, Icon which, const QRect& rect, int side, const QColor& color) {
  const QPixmap pixmap = icon_pixmap(which, side, color, painter->device()->devicePixelRatioF());
  painter->drawPixmap(rect.center().x() - side / 2, rect.center().y() - side / 2, pixmap);
}

QColor button_fill(QStyle::State state, bool primary) {
  const ThemeColors& c = colors();
  const bool on = state & (QStyle::State_Sunken | QStyle::State_On);
  const bool hover = (state & QStyle::State_MouseOver) && (state & QStyle::State_Enabled);
  if (primary && (state & QStyle::State_Enabled))
    return mix(c.accent, c.background, on ? 0.2 : hover ? 0.08 : 0.0);
  if (state & QStyle::State_On) return mix(c.raised, c.accent, hover ? 0.26 : 0.2);
  return mix(c.raised, c.text, on ? 0.12 : hover ? 0.06 : 0.0);
}

constexpr int kFusionMarks = 22;  // px; see CT_MenuItem

bool has_menu_mark(const QStyleOptionToolButton& button) {
  return (button.features & QStyleOptionToolButton::HasMenu) &&
         button.toolButtonStyle != Qt::ToolButtonIconOnly;
}

class Style : public QProxyStyle {
 public:
  Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

  using QProxyStyle::polish;
  void polish(QWidget* widget) override {
    QProxyStyle::polish(widget);
    manners_.teach(*widget);
  }

  QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                     const QWidget* widget) const override {
    switch (which) {
      case SP_LineEditClearButton:
      case SP_DockWidgetCloseButton:
      case SP_TitleBarCloseButton:
        return icon(Icon::kClose);
      case SP_TitleBarNormalButton:
        return icon(Icon::kFloat);
      case SP_ToolBarHorizontalExtensionButton:
        return icon(Icon::kChevronRight);
      default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
  }

  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override {
    const Theme& theme = Theme::instance();
    switch (metric) {
      case PM_DefaultFrameWidth:
        return qobject_cast<const QPlainTextEdit*>(widget) ? 6 : 1;
      case PM_ComboBoxFrameWidth:
      case PM_SpinBoxFrameWidth:
        return 1;
      case PM_ButtonShiftHorizontal:
      case PM_ButtonShiftVertical:
      case PM_ToolBarFrameWidth:
      case PM_ToolBarHandleExtent:
        return 0;
      case PM_ToolBarItemMargin:
        return 4;
      case PM_ToolBarItemSpacing:
        return 4;
      case PM_ToolBarSeparatorExtent:
        return 9;
      case PM_ToolBarExtensionExtent:
        return theme.px(20);
      case PM_DockWidgetSeparatorExtent:
      case PM_SplitterWidth:
        return 5;
      case PM_DockWidgetFrameWidth:
        return 0;
      case PM_ScrollBarExtent:
        return theme.px(10);
      case PM_ScrollBarSliderMin:
        return 24;
      case PM_SliderThickness:
      case PM_SliderControlThickness:
        return theme.px(20);
      case PM_SliderLength:
        return theme.px(14);
      case PM_IndicatorWidth:
      case PM_IndicatorHeight:
      case PM_ExclusiveIndicatorWidth:
      case PM_ExclusiveIndicatorHeight:
        return theme.px(16);
      case PM_SmallIconSize:
      case PM_ButtonIconSize:
      case PM_ToolBarIconSize:
        return theme.px(16);
      case PM_LayoutHorizontalSpacing:
      case PM_LayoutVerticalSpacing:
        return 8;
      case PM_LayoutLeftMargin:
      case PM_LayoutRightMargin:
      case PM_LayoutTopMargin:
      case PM_LayoutBottomMargin:
        return 12;
      case PM_MenuHMargin:
      case PM_MenuVMargin:
        return 4;
      case PM_TabBarTabHSpace:
        return 24;
      case PM_TabBarTabVSpace:
        return 12;
      case PM_TabBarTabShiftVertical:
      case PM_TabBarTabShiftHorizontal:
      case PM_TabBarBaseOverlap:
        return 0;
      default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
  }

  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    switch (hint) {
      case SH_EtchDisabledText:
      case SH_DitherDisabledText:
      case SH_ComboBox_Popup:
        return 0;
      case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
      case SH_ToolTipLabel_Opacity:
        return 255;
      case SH_Table_GridLineColor:
        return static_cast<int>(colors().line.rgba());
      case SH_TabBar_PreferNoArrows:
        return 1;
      case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;  // icons of the platform may have other colours than the theme
      default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
  }

  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const int height = Theme::instance().px(28);
    switch (type) {
      case CT_ComboBox:
        result = {size.width() + 40,
                  std::max(height, size.height() + 8)};  // room for the text, margins and chevron
        break;
      case CT_PushButton:
      case CT_LineEdit:
      case CT_SpinBox:
        result.setHeight(std::max(height, size.height() + 8));
        break;
      case CT_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
          result = size + QSize(has_menu_mark(*button) ? 24 : 8, 8);
        if (!(option->state & State_AutoRaise)) result.rwidth() += 8;
        result = result.expandedTo({height, height});
        break;
      case CT_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            item && item->menuItemType != QStyleOptionMenuItem::Separator) {
          result.setHeight(std::max(result.height(), height));
          // Fusion draws marks in a column of at least 0.79 times the height of the item. Its width
          // of the item is taken to leave kFusionMarks px for that column.
          result.rwidth() += std::max(0, result.height() * 79 / 100 - kFusionMarks);
        }
        break;
      default:
        break;
    }
    return result;
  }

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                          QPainter* painter, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                       const QWidget* widget) const override;

 private:
  void draw_combo_box(const QStyleOptionComboBox& option, QPainter* painter) const;
  void draw_spin_box(const QStyleOptionSpinBox& option, QPainter* painter,
                     const QWidget* widget) const;
  void draw_slider(const QStyleOptionSlider& option, QPainter* painter,
                   const QWidget* widget) const;
  void draw_scroll_bar(const QStyleOptionSlider& option, QPainter* painter,
                       const QWidget* widget) const;
  void draw_tab(const QStyleOptionTab& option, QPainter* painter) const;
  void draw_menu_button(const QStyleOptionToolButton& option, QPainter* painter,
                        const QWidget* widget) const;
  void draw_indicator(const QStyleOption& option, QPainter* painter, bool round) const;

  BoxManners manners_;
};

void Style::draw_indicator(const QStyleOption& option, QPainter* painter, bool round) const {
  const ThemeColors& c = colors();
  const bool enabled = option.state & State_Enabled;
  const bool on = option.state & (State_On | State_NoChange);
  const QRect box = option.rect;
  const QColor fill = on && enabled ? c.accent : c.surface;
  draw_box(painter, box, fill,
           option.state & State_HasFocus ? c.text
           : on && enabled               ? c.accent
                                         : c.muted,
           1, round ? box.height() / 2.0 : 4);
  if (!on) return;
  const QColor mark = option.palette.color(QPalette::HighlightedText);
  if (round)
    draw_box(painter, box.adjusted(5, 5, -5, -5), enabled ? mark : c.muted, QColor(), 0,
             box.height() / 2.0);
  else
    draw_icon(painter, option.state & State_On ? Icon::kCheck : Icon::kRemove, box, box.width() - 2,
              enabled ? mark : c.muted);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const ThemeColors& c = colors();
  const QRect r = option->rect;
  switch (element) {
    case PE_PanelButtonCommand: {
      const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
      const bool primary = button && (button->features & QStyleOptionButton::DefaultButton);
      draw_box(painter, r, button_fill(option->state, primary), primary ? QColor() : c.line);
      return;
    }
    case PE_PanelButtonTool: {
      if (option->state & (State_On | State_Sunken | State_MouseOver))
        draw_box(painter, r, button_fill(option->state, false),
                 option->state & State_On ? mix(c.raised, c.accent, 0.6) : QColor());
      return;
    }
    case PE_FrameFocusRect:
      draw_box(painter, r, QColor(), c.accent, 2);
      return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit: {
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
          frame && frame->lineWidth <= 0)
        return;
      const bool focus = option->state & State_HasFocus;
      draw_box(painter, r, element == PE_PanelLineEdit ? c.surface : QColor(),
               focus ? c.accent : c.line);
      return;
    }
    case PE_Frame: {
      const bool focus = option->state & State_HasFocus;
      if (qobject_cast<const QPlainTextEdit*>(widget))
        draw_box(painter, r, c.surface, focus ? c.accent : c.line);
      else
        draw_box(painter, r, QColor(), c.line, 1, 0);
      return;
    }
    case PE_FrameMenu:
    case PE_PanelMenu:
      draw_box(painter, r, c.raised, c.line, 1, 0);
      return;
    case PE_PanelTipLabel:
      draw_box(painter, r, c.raised, c.line, 1, 0);
      return;
    case PE_FrameTabBarBase:
      painter->fillRect(r.x(), r.bottom(), r.width(), 1, c.line);
      return;
    case PE_IndicatorCheckBox:
      draw_indicator(*option, painter, false);
      return;
    case PE_IndicatorRadioButton:
      draw_indicator(*option, painter, true);
      return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowRight:
    case PE_IndicatorArrowLeft: {
      const Icon which = element == PE_IndicatorArrowDown    ? Icon::kChevronDown
                         : element == PE_IndicatorArrowUp    ? Icon::kChevronUp
                         : element == PE_IndicatorArrowRight ? Icon::kChevronRight
                                                             : Icon::kChevronLeft;
      draw_icon(painter, which, r, Theme::instance().px(12),
                option->state & State_Enabled ? c.text : c.muted);
      return;
    }
    case PE_IndicatorToolBarSeparator:
      painter->fillRect(r.center().x(), r.y() + 6, 1, r.height() - 12, c.line);
      return;
    case PE_IndicatorDockWidgetResizeHandle: {
      painter->fillRect(r, c.background);
      if (option->state & State_MouseOver) painter->fillRect(r, c.accent);
      return;
    }
    case PE_FrameDefaultButton:
    case PE_IndicatorToolBarHandle:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
    case PE_FrameDockWidget:
    case PE_FrameTabWidget:
      return;
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void Style::draw_tab(const QStyleOptionTab& option, QPainter* painter) const {
  const ThemeColors& c = colors();
  const bool selected = option.state & State_Selected;
  if (!selected && (option.state & State_MouseOver))
    draw_box(painter, option.rect.adjusted(2, 4, -2, -4), mix(c.surface, c.text, 0.06), QColor());
  const QRect r = option.rect;
  if (selected) painter->fillRect(r.x() + 8, r.bottom() - 1, r.width() - 16, 2, c.accent);
  if (option.state & State_HasFocus)
    draw_box(painter, r.adjusted(3, 3, -3, -3), QColor(), c.accent, 1);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const ThemeColors& c = colors();
  const QRect r = option->rect;
  switch (element) {
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
          button && (button->features & QStyleOptionButton::DefaultButton) &&
          (option->state & State_Enabled)) {
        QStyleOptionButton copy(*button);
        copy.palette.setColor(QPalette::ButtonText, copy.palette.color(QPalette::HighlightedText));
        return QProxyStyle::drawControl(element, &copy, painter, widget);
      }
      break;
    case CE_ComboBoxLabel:
      if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
          box && !box->editable) {
        QStyleOptionComboBox copy(*box);
        const QRect room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget);
        copy.currentText =
            box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room.width() - 2);
        return QProxyStyle::drawControl(element, &copy, painter, widget);
      }
      break;
    case CE_ToolBar:
      painter->fillRect(r, c.surface);
      painter->fillRect(r.x(), r.bottom(), r.width(), 1, c.line);
      return;
    case CE_MenuBarEmptyArea:
      painter->fillRect(r, c.surface);
      return;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        painter->fillRect(r, c.surface);
        if (option->state & (State_Selected | State_Sunken))
          draw_box(painter, r.adjusted(0, 2, 0, -2), mix(c.surface, c.text, 0.1), QColor());
        drawItemText(painter, r, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                     item->palette, option->state & State_Enabled, item->text,
                     QPalette::WindowText);
        return;
      }
      break;
    case CE_TabBarTabShape:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
        return draw_tab(*tab, painter);
      break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      painter->fillRect(r, c.surface);
      painter->fillRect(r.x(), r.bottom(), r.width(), 1, c.line);
      return;
    case CE_Splitter:
      painter->fillRect(r, option->state & State_MouseOver ? c.accent : c.background);
      return;
    case CE_ProgressBarGroove:
      draw_box(painter, r, c.line, QColor(), 0, 3);
      return;
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
        const double range = std::max(1, bar->maximum - bar->minimum);
        const int width = static_cast<int>(r.width() * (bar->progress - bar->minimum) / range);
        if (width > 0)
          draw_box(painter, QRect(r.x(), r.y(), width, r.height()), c.accent, QColor(), 0, 3);
        return;
      }
      break;
    case CE_SizeGrip:
      return;
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::draw_combo_box(const QStyleOptionComboBox& option, QPainter* painter) const {
  const ThemeColors& c = colors();
  draw_box(painter, option.rect, button_fill(option.state & ~State_On, false),
           option.state & State_HasFocus ? c.accent : c.line);
  const QRect arrow(option.rect.right() - 22, option.rect.y(), 20, option.rect.height());
  draw_icon(painter, Icon::kChevronDown, arrow, Theme::instance().px(12),
            option.state & State_Enabled ? c.text : c.muted);
}

void Style::draw_spin_box(const QStyleOptionSpinBox& option, QPainter* painter,
                          const QWidget* widget) const {
  const ThemeColors& c = colors();
  draw_box(painter, option.rect, c.surface, option.state & State_HasFocus ? c.accent : c.line);
  const auto arrow = [&](SubControl sub, Icon which, QAbstractSpinBox::StepEnabledFlag flag) {
    if (!(option.subControls & sub)) return;
    const bool enabled = (option.state & State_Enabled) && (option.stepEnabled & flag);
    const bool hover = option.activeSubControls == sub && (option.state & State_MouseOver);
    draw_icon(painter, which, subControlRect(CC_SpinBox, &option, sub, widget),
              Theme::instance().px(10),
              !enabled ? c.line
              : hover  ? c.accent
                       : c.muted);
  };
  arrow(SC_SpinBoxUp, Icon::kChevronUp, QAbstractSpinBox::StepUpEnabled);
  arrow(SC_SpinBoxDown, Icon::kChevronDown, QAbstractSpinBox::StepDownEnabled);
}

void Style::draw_slider(const QStyleOptionSlider& option, QPainter* painter,
                        const QWidget* widget) const {
  const ThemeColors& c = colors();
  const QRect handle = subControlRect(CC_Slider, &option, SC_SliderHandle, widget);
  const bool flat = option.orientation == Qt::Horizontal;
  const QPoint centre = handle.center();
  QRect groove = option.rect, done = option.rect;
  if (flat) {
    groove = QRect(option.rect.x() + 2, centre.y() - 2, option.rect.width() - 4, 4);
    done = QRect(groove.x(), groove.y(), std::max(0, centre.x() - groove.x()), 4);
  } else {
    groove = QRect(centre.x() - 2, option.rect.y() + 2, 4, option.rect.height() - 4);
    done = QRect(groove.x(), centre.y(), 4, std::max(0, groove.bottom() - centre.y()));
  }
  const bool enabled = option.state & State_Enabled, has_value = !(option.state & State_NoChange);
  const QColor ink = enabled && has_value ? c.accent : c.muted;
  draw_box(painter, groove, c.line, QColor(), 0, 2);
  if (has_value) draw_box(painter, done, ink, QColor(), 0, 2);
  const int side = Theme::instance().px(14);
  const QRect knob(centre.x() - side / 2, centre.y() - side / 2, side, side);
  draw_box(painter, knob, has_value ? ink : c.surface, has_value ? c.surface : ink, 2, side / 2.0);
  if (option.state & State_HasFocus)
    draw_box(painter, knob.adjusted(-3, -3, 3, 3), QColor(), c.accent, 1.5, side / 2.0 + 3);
}

void Style::draw_scroll_bar(const QStyleOptionSlider& option, QPainter* painter,
                            const QWidget* widget) const {
  const ThemeColors& c = colors();
  painter->fillRect(option.rect, c.surface);
  if (option.maximum <= option.minimum) return;
  const QRect thumb =
      subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, widget).adjusted(2, 2, -2, -2);
  const bool hot = option.state & (State_MouseOver | State_Sunken);
  draw_box(painter, thumb, mix(c.line, c.text, hot ? 0.4 : 0.2), QColor(), 0,
           std::min(thumb.width(), thumb.height()) / 2.0);
}

void Style::draw_menu_button(const QStyleOptionToolButton& option, QPainter* painter,
                             const QWidget* widget) const {
  if (option.state & (State_MouseOver | State_Sunken))
    draw_box(painter, option.rect, button_fill(option.state, false), QColor());
  QStyleOptionToolButton label(option);
  label.features &= ~QStyleOptionToolButton::HasMenu;
  if (has_menu_mark(option)) label.rect = option.rect.adjusted(4, 0, -20, 0);
  drawControl(CE_ToolButtonLabel, &label, painter, widget);
  const QRect mark(option.rect.right() - 19, option.rect.y(), 16, option.rect.height());
  if (has_menu_mark(option))
    draw_icon(painter, Icon::kChevronDown, mark, Theme::instance().px(10), colors().muted);
  if (option.state & State_HasFocus) draw_box(painter, option.rect, QColor(), colors().accent, 2);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl sub, const QWidget* widget) const {
  const QRect r = option->rect;
  if (control == CC_ComboBox && sub == SC_ComboBoxEditField) return r.adjusted(8, 1, -24, -1);
  if (control == CC_ComboBox && sub == SC_ComboBoxArrow)
    return QRect(r.right() - 22, r.y(), 22, r.height());
  if (control == CC_SpinBox) {
    const int half = r.height() / 2;
    switch (sub) {
      case SC_SpinBoxUp:
        return QRect(r.right() - 20, r.y() + 2, 18, half - 2);
      case SC_SpinBoxDown:
        return QRect(r.right() - 20, r.y() + half, 18, half - 2);
      case SC_SpinBoxEditField:
        return r.adjusted(6, 1, -21, -1);
      default:
        break;
    }
  }
  if (control == CC_ScrollBar) {  // no arrow buttons: the groove is the whole bar
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (bar) {
      const bool flat = bar->orientation == Qt::Horizontal;
      const int length = flat ? r.width() : r.height();
      const int64_t range = int64_t{bar->maximum} - bar->minimum;
      const int64_t span = range + bar->pageStep;
      const int thumb = range <= 0 ? length
                                   : std::clamp(static_cast<int>(int64_t{length} * bar->pageStep /
                                                                 std::max<int64_t>(1, span)),
                                                std::min(24, length), length);
      const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                length - thumb, bar->upsideDown);
      const auto part = [&](int from, int size) {
        return flat ? QRect(r.x() + from, r.y(), size, r.height())
                    : QRect(r.x(), r.y() + from, r.width(), size);
      };
      switch (sub) {
        case SC_ScrollBarGroove:
          return r;
        case SC_ScrollBarSlider:
          return part(start, thumb);
        case SC_ScrollBarSubPage:
          return part(0, start);
        case SC_ScrollBarAddPage:
          return part(start + thumb, length - start - thumb);
        case SC_ScrollBarAddLine:
        case SC_ScrollBarSubLine:
          return {};
        default:
          break;
      }
    }
  }
  return QProxyStyle::subControlRect(control, option, sub, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                               QPainter* painter, const QWidget* widget) const {
  switch (control) {
    case CC_ComboBox:
      if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option))
        return draw_combo_box(*box, painter);
      break;
    case CC_SpinBox:
      if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
        return draw_spin_box(*box, painter, widget);
      break;
    case CC_Slider:
      if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
          slider && slider->tickPosition == QSlider::NoTicks)
        return draw_slider(*slider, painter, widget);
      break;
    case CC_ToolButton:
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
          button && (button->features & QStyleOptionToolButton::HasMenu))
        return draw_menu_button(*button, painter, widget);
      break;
    case CC_ScrollBar:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
        return draw_scroll_bar(*bar, painter, widget);
      break;
    default:
      break;
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace

QStyle* make_style() {
  return new Style;
}

}  // namespace attn::gui
