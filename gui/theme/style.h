// SPDX-License-Identifier: GPL-3.0-or-later
// The widget style: Fusion in theme colours, with flat surfaces, thin lines and a visible focus
// ring.
#pragma once

class QStyle;

namespace attn::gui {

QStyle* make_style();  // the application takes ownership

}  // namespace attn::gui
