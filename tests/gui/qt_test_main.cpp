// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_main.h"

#include <cstdio>
#include <map>
#include <string>

namespace attn::gui::test {
namespace {

std::map<std::string, TestFunction>& tests() {
  static std::map<std::string, TestFunction> all;
  return all;
}

}  // namespace

bool add_test(const char* name, TestFunction function) {
  return tests().emplace(name, function).second;
}

}  // namespace attn::gui::test

int main(int argc, char** argv) {
  const auto& tests = attn::gui::test::tests();
  const auto found = argc > 1 ? tests.find(argv[1]) : tests.end();
  if (found == tests.end()) {
    std::fprintf(stderr, "%s NAME [OPTION...], where NAME is one of\n", argv[0]);
    for (const auto& [name, function] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  argv[1] = argv[0];
  return found->second(argc - 1, argv + 1);
}
