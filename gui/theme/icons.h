// SPDX-License-Identifier: GPL-3.0-or-later
// Icons: the project's own SVG drawings on a 16 x 16 grid in assets/icons. They are coloured each
// time they are painted, so the same QIcon follows a change of the theme. GUI thread.
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
// One icon in a colour of the caller's choice. side: logical pixels.
QPixmap icon_pixmap(Icon which, int side, const QColor& color, qreal device_pixel_ratio = 1);
QIcon application_icon();  // a query row lighting up its keys

}  // namespace attn::gui
