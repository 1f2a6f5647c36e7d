// SPDX-License-Identifier: GPL-3.0-or-later
// Frame of the GUI tests. They share one program, which is linked once for all of them:
// `test_gui NAME [OPTION...]` runs the test that ATTN_QT_TEST gave that name, with QtTest's
// options; without a name it lists them. run<Class>() runs a test class under the program's own
// theme, dark, at 100%. Every test class calls fail_on_warnings() in its init(): a Qt warning is a
// failure.
#pragma once

#include <QApplication>
#include <QRegularExpression>
#include <QtTest>

#include "gui/theme/theme.h"

namespace attn::gui::test {

// The offscreen platform says of windows that it cannot limit their size, raise them or grab the
// keyboard for them: that is about the platform, not about us.
inline void fail_on_warnings() {
  QTest::failOnWarning(QRegularExpression(
      QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise|grabbing)).*")));
}

template <class Test>
int run(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("attention-workbench-tests"));
  Theme::instance().set_mode(ThemeMode::kDark);
  Theme::instance().install(app);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

using TestFunction = int (*)(int argc, char** argv);
// In qt_test_main.cpp. Returns true.
bool add_test(const char* name, TestFunction function);

}  // namespace attn::gui::test

#define ATTN_QT_TEST(name, function) \
  [[maybe_unused]] static const bool name##_is_added = attn::gui::test::add_test(#name, function);
