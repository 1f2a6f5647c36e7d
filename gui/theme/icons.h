// SPDX-License-Identifier: GPL-3.0-or-later
// Icons: SVG drawings from assets/icons, all but the application's in one colour. GUI thread.
#pragma once

#include <QIcon>

namespace attn::gui {

enum class Icon {
  kRun,
  kPause,
  kRestart,
  kStepTile,
  kStepKernel,
  kStepLayer,
  kStep,
  kExport,
  kOpen,
  kSave,
  kAdd,
  kRemove,
  kTheme,
  kClose,
  kFloat,
  kFit,
  kMore,
  kHelp,
  kWarning,
  kError,
  kInfo,
  kPanels,
  kChevronDown,
  kChevronUp,
  kChevronRight,
  kChevronLeft,
  kCheck,
  kBack,
  kForward,
  kLessons,
  kCount
};

// An icon in the text colour; muted while disabled, in the accent colour while checked.
QIcon icon(Icon which);
// One icon in this colour. side: logical pixels.
QPixmap icon_pixmap(Icon which, int side, const QColor& color, qreal device_pixel_ratio = 1);
QIcon application_icon();

}  // namespace attn::gui
