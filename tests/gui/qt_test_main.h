// SPDX-License-Identifier: GPL-3.0-or-later
// Frame of the GUI tests: ATTN_QT_TEST_MAIN(Class) runs the test class under the program's own
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

}  // namespace attn::gui::test

#define ATTN_QT_TEST_MAIN(Class)                    \
  int main(int argc, char** argv) {                 \
    return attn::gui::test::run<Class>(argc, argv); \
  }
