// SPDX-License-Identifier: GPL-3.0-or-later
// by_font<Entry>(font): gives an Entry that is made from the font. Each thread has a cache of the
// entries of the eight fonts that it used last. No locking.
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QThread>
#include <algorithm>
#include <list>

namespace attn::gui {

// Entry: constructible from a QFont, which it keeps as its member `font`. The returned reference is
// valid until this thread calls by_font<Entry>() with another font.
template <class Entry>
Entry& by_font(const QFont& font) {
  constexpr size_t kMostFonts = 8;
  // The list of the GUI thread is never destroyed: its fonts would be destroyed after the
  // application object.
  static auto& of_window = *new std::list<Entry>;
  static thread_local std::list<Entry> of_thread;
  const QCoreApplication* app = QCoreApplication::instance();
  std::list<Entry>& known =
      app && QThread::currentThread() == app->thread() ? of_window : of_thread;
  // The entry used last is first; isCopyOf() is a cheap test.
  if (!known.empty() && known.front().font.isCopyOf(font)) return known.front();
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
