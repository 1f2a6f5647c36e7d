// SPDX-License-Identifier: GPL-3.0-or-later
// What all GUI tests use. A test program, called as `test_gui NAME [OPTION...]`, runs that test
// with QtTest's options; without a name it prints the names.
#pragma once

#include <QApplication>
#include <QRegularExpression>
#include <QtTest>

#include "gui/theme/theme.h"

namespace attn::gui::test {

// Makes a warning fail the test, unless it is about what the offscreen platform cannot do.
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
// Registers a test. Returns false if the name is taken.
bool add_test(const char* name, TestFunction function);

}  // namespace attn::gui::test

// Qt's five seconds can be too short on a loaded machine.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60000)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, 60000)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60000)

#define ATTN_QT_TEST(name, function) \
  [[maybe_unused]] static const bool name##_is_added = attn::gui::test::add_test(#name, function);
