// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the GUI tests. They share one program, so that it is linked only once: `test_gui
// NAME [OPTION...]` runs the test that ATTN_QT_TEST registered under that name, with QtTest's
// options; without a name it lists the tests. run<Class>() runs a test class with the program's
// dark theme at 100%. Every test class calls fail_on_warnings() in its init(), which makes a Qt
// warning a failure.
#pragma once

#include <QApplication>
#include <QRegularExpression>
#include <QtTest>

#include "gui/theme/theme.h"

namespace attn::gui::test {

// The offscreen platform warns that it cannot limit the size of windows, raise them or grab the
// keyboard for them. These warnings are about the platform, so they are allowed.
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
// Registers a test; defined in qt_test_main.cpp. Returns false if the name is taken already.
bool add_test(const char* name, TestFunction function);

}  // namespace attn::gui::test

// Qt waits for five seconds, which can be too short on a loaded machine. These wait for a minute.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60000)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, 60000)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60000)

#define ATTN_QT_TEST(name, function) \
  [[maybe_unused]] static const bool name##_is_added = attn::gui::test::add_test(#name, function);
