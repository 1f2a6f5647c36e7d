// SPDX-License-Identifier: GPL-3.0-or-later
// The widget style: Fusion with flat surfaces, 1 px lines, radius 6 and a visible focus ring, in
// theme colours.
#pragma once

class QStyle;

namespace attn::gui {

QStyle* make_style();  // the application takes ownership

}  // namespace attn::gui
