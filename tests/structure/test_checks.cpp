// SPDX-License-Identifier: GPL-3.0-or-later
// Tries the rules of checks.h on samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/structure/checks.h"

namespace attn::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Includes, FindsBothFormsAndTheirLines) {
  const auto includes = includes_of(
      "// x\n#include <QString>\n  #  include \"engine/core/error.h\"\n#include MACRO\n#in\n");
  ASSERT_THAT(includes, SizeIs(2));
  EXPECT_EQ(includes[0].path, "QString");
  EXPECT_TRUE(includes[0].angled);
  EXPECT_EQ(includes[0].line, 2);
  EXPECT_EQ(includes[1].path, "engine/core/error.h");
  EXPECT_FALSE(includes[1].angled);
  EXPECT_EQ(includes[1].line, 3);
}

TEST(Includes, AnUnclosedLineIsNoInclude) {
  EXPECT_THAT(includes_of("#include <QString\n#include \"a"), IsEmpty());
}

TEST(Parts, AreFoldersOfTheArchitecture) {
  EXPECT_EQ(part_of("engine/core/error.h"), "engine/core");
  EXPECT_EQ(part_of("backends/torch_sdpa/backend.cpp"), "backends/torch_sdpa");
  EXPECT_EQ(part_of("backends/register_all.h"), "backends");
  EXPECT_EQ(part_of("gui/views/blocks/grid.h"), "gui/views/blocks");
  EXPECT_EQ(part_of("gui/app/main.cpp"), "gui/app");
  EXPECT_EQ(part_of("tests/structure/checks.h"), "tests");
  EXPECT_EQ(part_of("gmock.h"), "");
}

TEST(Qt, IsRefusedUnderEngineAndBackends) {
  for (const char* header : {"QString", "QtCore/QString", "QtGlobal", "qglobal.h", "QObject"}) {
    const std::string source = "#include <" + std::string(header) + ">\n";
    EXPECT_THAT(check_includes("engine/core/a.h", source), SizeIs(1)) << header;
    EXPECT_THAT(check_includes("backends/reference/a.cpp", source), SizeIs(1)) << header;
    EXPECT_THAT(check_includes("gui/app/main.cpp", source), IsEmpty()) << header;
  }
  EXPECT_THAT(check_includes("engine/core/a.h", "#include <queue>\n#include <hwy/base.h>\n"),
              IsEmpty());
}

TEST(Eigen, StaysOutOfKernelsAndHeaders) {
  const char* const core = "#include <Eigen/Core>\n";
  for (const char* file : {"engine/kernels/a.cpp", "engine/kernels/decode/a.cpp",
                           "backends/xformers/prefill.cpp", "engine/core/a.cpp", "gui/app/a.cpp"})
    EXPECT_THAT(check_includes(file, core), ElementsAre(HasSubstr("must not use Eigen"))) << file;
  EXPECT_THAT(check_includes("engine/session/a.h", core), SizeIs(1));
  EXPECT_THAT(check_includes("engine/session/a.cpp", "#include <Eigen/Dense>\n"), SizeIs(1));
  for (const char* file : {"engine/attention/a.cpp", "engine/model/layers/a.cpp",
                           "backends/reference/impl.cpp", "tests/engine/model/a.h"})
    EXPECT_THAT(check_includes(file, core), IsEmpty()) << file;
}

TEST(Widgets, AreRefusedInModelsAndBridge) {
  for (const char* header : {"QWidget", "QApplication", "QLabel", "QtWidgets", "QtWidgets/QLabel",
                             "QTreeView", "QVBoxLayout", "QChartView", "QStyleOptionViewItem"}) {
    const std::string source = "#include <" + std::string(header) + ">\n";
    EXPECT_THAT(check_includes("gui/models/a.h", source), SizeIs(1)) << header;
    EXPECT_THAT(check_includes("gui/bridge/a.cpp", source), SizeIs(1)) << header;
    EXPECT_THAT(check_includes("gui/widgets/a.h", source), IsEmpty()) << header;
  }
  EXPECT_THAT(
      check_includes("gui/models/a.h",
                     "#include <QObject>\n#include <QAbstractTableModel>\n#include <QColor>\n"
                     "#include <QAction>\n#include <QPainter>\n"),
      IsEmpty());
}

TEST(Arrows, BackendsDoNotKnowEachOther) {
  EXPECT_THAT(
      check_includes("backends/reference/a.cpp", "#include \"backends/torch_sdpa/layout.h\"\n"),
      ElementsAre(HasSubstr("backends/reference must not include backends/torch_sdpa")));
  EXPECT_THAT(check_includes("backends/reference/a.cpp", "#include \"backends/reference/b.h\"\n"),
              IsEmpty());
  EXPECT_THAT(check_includes("backends/register_all.cpp", "#include \"backends/reference/b.h\"\n"),
              IsEmpty());
}

TEST(Arrows, TheEngineGoesOneWay) {
  struct Case {
    const char *file, *header;
    size_t problems;
  };
  const Case cases[] = {
      {"engine/core/a.h", "engine/trace/probe.h", 1},
      {"engine/trace/a.h", "engine/core/error.h", 0},
      {"engine/trace/a.h", "engine/attention/types.h", 1},
      {"engine/kernels/a.h", "engine/cache/block_pool.h", 1},
      {"engine/cache/a.h", "engine/kernels/a.h", 1},
      {"engine/cache/a.h", "engine/attention/backend.h", 0},
      {"engine/scheduler/a.h", "engine/cache/a.h", 0},
      {"engine/scheduler/a.h", "engine/model/source.h", 1},
      {"engine/model/a.h", "engine/session/run/engine.h", 1},
      {"engine/session/a.h", "engine/model/source.h", 0},
      {"engine/session/a.h", "backends/register_all.h", 1},
      {"engine/cli/main.cpp", "backends/register_all.h", 0},
      {"engine/session/a.h", "gui/bridge/engine_bridge.h", 1},
      {"backends/reference/a.h", "engine/session/run/engine.h", 1},
      {"tests/engine/core/a.cpp", "gui/app/window/main_window.h", 0},
      {"engine/kernels/a.h", "hwy/highway.h", 0},
      {"engine/kernels/a.h", "tests/guarded_buffer.h", 1},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(check_includes(c.file, "#include \"" + std::string(c.header) + "\"\n"),
                SizeIs(c.problems))
        << c.file << " -> " << c.header;
  }
}

TEST(Arrows, ViewsKnowNeitherTheAppNorEachOtherNorTheAppThem) {
  EXPECT_THAT(
      check_includes("gui/views/blocks/a.cpp", "#include \"gui/app/window/main_window.h\"\n"),
      SizeIs(1));
  EXPECT_THAT(check_includes("gui/views/blocks/a.cpp", "#include \"gui/views/timeline/lanes.h\"\n"),
              SizeIs(1));
  EXPECT_THAT(check_includes("gui/views/blocks/a.cpp", "#include \"gui/views/blocks/b.h\"\n"),
              IsEmpty());
  EXPECT_THAT(check_includes("gui/views/blocks/a.cpp", "#include \"gui/widgets/view.h\"\n"),
              IsEmpty());
  EXPECT_THAT(check_includes("gui/app/main.cpp", "#include \"gui/views/timeline/lanes.h\"\n"),
              SizeIs(1));
  EXPECT_THAT(check_includes("gui/app/main.cpp", "#include \"gui/views/workload/panel.h\"\n"),
              IsEmpty());
  EXPECT_THAT(check_includes("gui/views/blocks/a.cpp", "#include \"backends/register_all.h\"\n"),
              SizeIs(1));
  EXPECT_THAT(check_includes("gui/theme/a.cpp", "#include \"gui/widgets/view.h\"\n"), SizeIs(1));
}

TEST(Arrows, NoWayAroundByRelativePaths) {
  EXPECT_THAT(check_includes("engine/core/a.cpp", "#include \"../session/engine.h\"\n"), SizeIs(1));
}

TEST(Links, FollowTheArrowsToo) {
  EXPECT_THAT(check_links("engine/core/CMakeLists.txt",
                          "attn_library(attn_core SOURCES a.cpp LINK fmt::fmt)"),
              IsEmpty());
  EXPECT_THAT(check_links("engine/core/CMakeLists.txt",
                          "attn_library(attn_core SOURCES a.cpp LINK attn_session)"),
              ElementsAre(HasSubstr("engine/core must not link engine/session")));
  EXPECT_THAT(
      check_links("engine/core/CMakeLists.txt", "target_link_libraries(attn_core Qt6::Core)"),
      SizeIs(1));
  EXPECT_THAT(check_links("backends/reference/CMakeLists.txt", "LINK attn_backend_torch_sdpa"),
              SizeIs(1));
  EXPECT_THAT(check_links("gui/models/CMakeLists.txt", "LINK Qt6::Gui attn_gui_bridge"), IsEmpty());
  EXPECT_THAT(check_links("gui/models/CMakeLists.txt", "LINK Qt6::Widgets"), SizeIs(1));
  EXPECT_THAT(check_links("gui/views/blocks/CMakeLists.txt", "LINK attn_gui_app"), SizeIs(1));
  EXPECT_THAT(
      check_links("gui/views/blocks/CMakeLists.txt", "# not attn_gui_app\nLINK attn_gui_widgets"),
      IsEmpty());
  EXPECT_THAT(check_links("tests/gui/CMakeLists.txt", "LINK attn_gui_app Qt6::Test"), IsEmpty());
}

constexpr std::string_view kSpdx = "// SPDX-License-Identifier: GPL-3.0-or-later\n";

TEST(Spdx, IsTheFirstLine) {
  const std::string line(kSpdx);
  const std::string hash = "# SPDX-License-Identifier: GPL-3.0-or-later\n";
  EXPECT_THAT(check_spdx("a.cpp", line + "int x;\n"), IsEmpty());
  EXPECT_THAT(check_spdx("a.cpp", "int x;\n" + line), SizeIs(1));
  EXPECT_THAT(check_spdx("a.h", ""), SizeIs(1));
  EXPECT_THAT(check_spdx("engine/CMakeLists.txt", "project(x)\n"), SizeIs(1));
  EXPECT_THAT(check_spdx("a.sh", "#!/bin/sh\n" + hash), IsEmpty());
  EXPECT_THAT(check_spdx("workbench", "#!/bin/sh\n" + hash), IsEmpty());
  EXPECT_THAT(check_spdx("workbench", "#!/bin/sh\necho\n" + hash), SizeIs(1));
  EXPECT_THAT(check_spdx("workbench", "#!/bin/sh"), SizeIs(1));
  EXPECT_THAT(check_spdx("a.py", "# SPDX-License-Identifier: MIT\n"), SizeIs(1));
  EXPECT_THAT(
      check_spdx("a.xml",
                 "<?xml version=\"1.0\"?>\n<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"),
      IsEmpty());
  EXPECT_THAT(check_spdx("model.safetensors", "\x08"), IsEmpty());
  EXPECT_THAT(check_spdx("README.md", "# Title\n"), IsEmpty());
}

TEST(Size, HasALimit) {
  EXPECT_THAT(check_size("a.cpp", std::string(kMaxLines, '\n')), IsEmpty());
  EXPECT_THAT(check_size("a.cpp", std::string(kMaxLines + 1, '\n')), SizeIs(1));
  EXPECT_THAT(check_size("a.json", std::string(10000, '\n')), IsEmpty());
}

TEST(Rooms, HoldTwentySources) {
  std::vector<std::string> paths;
  for (int i = 0; i < kMostSources; ++i)
    paths.push_back("gui/a/b/s" + std::to_string(i) + (i % 2 ? ".h" : ".cpp"));
  paths.insert(paths.end(),
               {"gui/a/b/CMakeLists.txt", "gui/a/b/c/x.cpp", "gui/a/y.cpp", "docs/z.h"});
  EXPECT_THAT(check_rooms(paths), IsEmpty());
  paths.push_back("gui/a/b/one_more.h");
  EXPECT_THAT(check_rooms(paths), ElementsAre(HasSubstr("gui/a/b: 21 sources")));
}

TEST(Dangling, FindsReferencesToPartsOfATemporary) {
  EXPECT_THAT(check_dangling("a.cpp",
                             "\n  const std::string& text = root[key]"
                             ".text();\n"),
              ElementsAre(HasSubstr("a.cpp:2: ")));
  EXPECT_THAT(check_dangling("a.cpp", "  const std::string text = root[key].text();\n"), IsEmpty());
  EXPECT_THAT(check_dangling("a.cpp", "  const Json& entry = all.json()[i];\n"), IsEmpty());
}

TEST(Portable, RefusesMachinePathsAndRegistryHosts) {
  const std::string slash = "/";
  EXPECT_THAT(check_portable("a.md", "see " + slash + "work/main/a\n"), SizeIs(1));
  EXPECT_THAT(check_portable("a.cpp", "x = \"" + slash + "root/models\";\n"), SizeIs(1));
  EXPECT_THAT(check_portable("a.sh", slash + "home/anna/models\n"), SizeIs(1));
  EXPECT_THAT(check_portable("a.sh", "http:" + slash + slash + "deb.debian" + ".org/debian\n"),
              SizeIs(1));
  EXPECT_THAT(check_portable("a.txt", "\n\nfiles.pythonhosted" + std::string(".org\n")),
              ElementsAre(HasSubstr("a.txt:3: ")));
  EXPECT_THAT(
      check_portable(
          "a.md",
          "Does the/work/ stay in engine/work/x or \"$root/work/x\"? ~/models, /usr/share\n"),
      IsEmpty());
}

TEST(Sources, AreNamedOnceInACommand) {
  EXPECT_THAT(check_sources("a/CMakeLists.txt", "f(x SOURCES a.cpp b.cpp\n  a.cpp)\n"), SizeIs(1));
  EXPECT_THAT(check_sources("a/CMakeLists.txt", "f(x SOURCES a.cpp b.cpp)\nf(y SOURCES a.cpp)\n"),
              IsEmpty());
}

TEST(Sources, AreThoseOfEachCommand) {
  EXPECT_THAT(sources_of_commands("f(x SOURCES a.cpp a.h\n  b/*.cpp LINK c)\ng(y d)\nf(z e.cpp)\n"),
              ElementsAre(ElementsAre("a.cpp", "b/*.cpp"), ElementsAre("e.cpp")));
}

TEST(Names, AreThoseOfUnnamedNamespaces) {
  const char* const source = R"(
namespace attn {
constexpr int kPublic = 1;
namespace {
constexpr double kOne = 1, kOther = 2;
const std::vector<int> kList{1, 2};
constexpr int kTable[] = {1};
struct Words {
  int kInside = 1;
};
class Known;
enum Column { kName };
enum class Kind {
  kPlain,
};
constexpr int twice(int x) {
  const int result = 2 * x;
  return result;
}
}  // namespace
struct Public {};
)";
  EXPECT_THAT(unnamed_names(source),
              ElementsAre("kOne", "kList", "kTable", "Words", "Column", "Kind"));
}

TEST(Names, OfOneTargetDiffer) {
  const std::string a = "namespace {\nconstexpr int kRows = 1;\n}  // namespace\n",
                    b = "namespace {\nstruct Rows {\n};\n}  // namespace\n";
  EXPECT_THAT(check_names("CMakeLists.txt", {{"a.cpp", a}, {"b.cpp", b}}), IsEmpty());
  EXPECT_THAT(check_names("CMakeLists.txt", {{"a.cpp", a}, {"b.cpp", b}, {"c.cpp", a}}),
              ElementsAre(HasSubstr("kRows")));
}

TEST(ViewNames, AreThoseOfTheEntries) {
  EXPECT_THAT(
      view_names_in("  return {.name = \"maps\",\n          .title = MapsView::tr(\"Maps\"),\n"
                    "          .options = {{.name = \"--keep\",\n .fits = f}},\n"),
      ElementsAre("maps"));
}

TEST(ViewNames, AreNotComparedInGeneralCode) {
  const std::vector<std::string> names{"maps", "rows"};
  for (const char* source : {"if (name == \"maps\") {", "return view != \"rows\";",
                             "if (word == QLatin1String(\"rows\")) {", "find_view(\"maps\")",
                             "show(*window.view(\"maps\"))"}) {
    EXPECT_THAT(check_views_unnamed("gui/app/a.cpp", source, names), SizeIs(1)) << source;
    EXPECT_THAT(check_views_unnamed("engine/lesson/a.cpp", source, names), SizeIs(1)) << source;
    EXPECT_THAT(check_views_unnamed("gui/views/maps/a.cpp", source, names), IsEmpty());
    EXPECT_THAT(check_views_unnamed("tests/a.cpp", source, names), IsEmpty());
  }
  for (const char* source : {"if (name == \"map\") {", "json.put(\"rows\", rows)", "view(name)"})
    EXPECT_THAT(check_views_unnamed("gui/app/a.cpp", source, names), IsEmpty()) << source;
}

TEST(QtModules, AreThoseOfEveryRequirement) {
  EXPECT_THAT(qt_modules_of("find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Svg)\n"
                            "find_package(Other COMPONENTS Core)\n"
                            "  find_package(Qt6 6.4 REQUIRED COMPONENTS\n    Test)\n"),
              ElementsAre("Widgets", "Svg", "Test"));
}

TEST(Kernels, HaveATestAndABenchOfTheirStem) {
  const std::string kernel = "engine/kernels/cache/turn.cpp", test = "tests/a/b/test_turn.cpp",
                    bench = "bench/kernels/bench_turn.cpp";
  EXPECT_THAT(check_kernels({kernel, test, bench}), IsEmpty());
  EXPECT_THAT(check_kernels({kernel, test}), ElementsAre(kernel + ": no " + bench));
  EXPECT_THAT(check_kernels({kernel, test, "bench/bench_turn.cpp"}), SizeIs(1));
  EXPECT_THAT(check_kernels({kernel, bench}),
              ElementsAre(kernel + ": no test_turn.cpp under tests"));
  EXPECT_THAT(check_kernels({bench}), ElementsAre(bench + ": no kernel has this stem"));
  const std::string of_view = "gui/views/attention/cell_reduce.cpp",
                    its_test = "tests/gui/kernels/test_cell_reduce.cpp",
                    its_bench = "bench/views/kernels/bench_cell_reduce.cpp";
  EXPECT_THAT(check_kernels({of_view, its_test, its_bench}), IsEmpty());
  EXPECT_THAT(check_kernels({of_view, its_test, "bench/kernels/bench_cell_reduce.cpp"}), SizeIs(2));
}

TEST(Kernels, AreAllSourcesForSeveralInstructionSets) {
  const char* source = "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"a.cpp\"\n";
  for (const char* path : {"gui/views/step/a.cpp", "engine/model/a.cpp"}) {
    EXPECT_THAT(check_vector_source(path, source), SizeIs(1));
    EXPECT_THAT(check_vector_source(path, "#include \"hwy/highway.h\"\n"), IsEmpty());
  }
  for (const char* path : {"engine/kernels/cache/a.cpp", "gui/views/attention/cell_reduce.cpp",
                           "engine/machine/limits.cpp", "tests/engine/kernels/a.cpp"})
    EXPECT_THAT(check_vector_source(path, source), IsEmpty());
}

TEST(Kernels, AreNotOnTheListOfExceptions) {
  EXPECT_TRUE(is_kernel("backends/pallas/pallas_flash.cpp"));
  EXPECT_TRUE(is_kernel("backends/some/padding/impl.cpp"));
  EXPECT_TRUE(is_kernel("engine/model/layers/linear.cpp"));
  EXPECT_FALSE(is_kernel("backends/some/impl.cpp"));
  EXPECT_FALSE(is_kernel("backends/pallas/pallas_flash.h"));
  EXPECT_FALSE(is_kernel("engine/kernels/tiles/bf16_unit.cpp"));
  EXPECT_FALSE(is_kernel("engine/model/layers/norm.cpp"));
  EXPECT_THAT(check_kernel_exceptions({}), Not(IsEmpty()));
}

TEST(Finished, RefusesMarks) {
  EXPECT_THAT(check_finished("a.cpp",
                             "// TO"
                             "DO: later\n"),
              SizeIs(1));
  EXPECT_THAT(check_finished("a.cpp", "// todo list of the scheduler\n"), IsEmpty());
}

TEST(TopLevel, HasAFixedList) {
  EXPECT_THAT(check_top_level("engine"), IsEmpty());
  EXPECT_THAT(check_top_level(".ci"), IsEmpty());
  EXPECT_THAT(check_top_level("build"), IsEmpty());
  EXPECT_THAT(check_top_level("scripts"), SizeIs(1));
  EXPECT_THAT(check_top_level("NOTES.md"), SizeIs(1));
}

TEST(Links, OfMarkdownAreFound) {
  EXPECT_THAT(local_links("![a](docs/images/a.png) [b](formats.md#csv) [c](https://x.org) [d](#e) "
                          "<img alt=\"f\" src=\"docs/images/f.png\" width=\"3\">"),
              ElementsAre("docs/images/a.png", "formats.md", "docs/images/f.png"));
}

TEST(Behaviours, AreTheRowsOfTheirTables) {
  const auto rows = behaviours_of(
      "| a | ours | code | seen in | test |\n|---|---|---|---|---|\n"
      "| one | yes | `a.h`, `b.cpp` | | `S.C`, `tests`: `kF` |\n"
      "| two | no | | | |\n\n"
      "| a | b | c | d | e |\n|---|---|---|---|---|\n| 1 | 2 | `3` | 4 | `5` |\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].code, ElementsAre("a.h", "b.cpp"));
  EXPECT_THAT(rows[0].tests, ElementsAre("S.C", "tests", "kF"));
  EXPECT_THAT(rows[1].tests, IsEmpty());
}

TEST(Behaviours, NameTestsAndFaults) {
  EXPECT_THAT(tests_in("TEST_F(Suite, Case) {\n}\n  TEST(No, Test)\n"),
              ElementsAre("Suite.Case", "Suite"));
  EXPECT_THAT(faults_in("  X(kOne) /* a */ \\\n  X(kTwo)\n"), ElementsAre("kOne", "kTwo"));
}

}  // namespace
}  // namespace attn::structure
