// SPDX-License-Identifier: GPL-3.0-or-later
// by_font<Entry>(font): what one thread remembers of a font, for the few fonts asked for last. The
// window draws on the GUI thread, exports on threads of their own: none sees another's, so nothing
// is locked, and no raw font moves between threads.
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QThread>
#include <algorithm>
#include <list>

namespace attn::gui {

// Entry: made from a QFont, which it keeps as `font`. The reference is good until some other font
// is asked for.
template <class Entry>
Entry& by_font(const QFont& font) {
  constexpr size_t kMostFonts = 8;
  // The GUI thread's is never destroyed: a font must not outlive the application.
  static auto& of_window = *new std::list<Entry>;
  static thread_local std::list<Entry> of_thread;
  const QCoreApplication* app = QCoreApplication::instance();
  std::list<Entry>& known =
      app && QThread::currentThread() == app->thread() ? of_window : of_thread;
  // The last used first.
  if (!known.empty() && known.front().font.isCopyOf(font)) return known.front();  // cheap
  const auto found = std::ranges::find(known, font, &Entry::font);
  if (found == known.end()) {
    if (known.size() >= kMostFonts) known.pop_back();
    return known.emplace_front(font);
  }
  known.splice(known.begin(), known, found);
  known.front().font = font;
  return known.front();
}

}  // namespace attn::gui
