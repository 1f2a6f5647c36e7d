// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and opens session files in a window, and waits for the end. The functions return false if
// that failed or took more than a minute.
#pragma once

#include <QtTest>

#include "tests/gui/window/window_fixture.h"

namespace attn::gui::test {

inline bool open_in(Workbench& w, const QString& file) {
  bool done = false, opened = false;
  QObject here;  // disconnects when this function returns
  QObject::connect(&w.window->session(), &WindowSession::opened, &here,
                   [&](const QString&, bool ok) {
                     done = true;
                     opened = ok;
                   });
  w.window->session().open(file);
  return QTest::qWaitFor([&] { return done; }, 60000) && opened;
}

inline bool save_from(Workbench& w, const QString& file) {
  bool done = false, saved = false;
  QObject here;
  QObject::connect(&w.window->session(), &WindowSession::saved, &here,
                   [&](const QString&, bool ok) {
                     done = true;
                     saved = ok;
                   });
  w.window->session().save(file);
  return QTest::qWaitFor([&] { return done; }, 60000) && saved;
}

}  // namespace attn::gui::test
