// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/structure/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace attn::structure {
namespace {

using Arrows = std::map<std::string, std::set<std::string>, std::less<>>;

// For each part of engine, backends and gui: the other parts that it may include and link. row_of()
// gives the row of a part; arrow_allowed() forbids some more.
const Arrows& arrows() {
  static const Arrows table = [] {
    const std::set<std::string> attention{"engine/core", "engine/trace"};
    const std::set<std::string> kernels{"engine/attention", "engine/core", "engine/trace"};
    const std::set<std::string> backend{"engine/attention", "engine/core", "engine/trace",
                                        "engine/kernels"};
    const std::set<std::string> engine{"engine/core",    "engine/trace",   "engine/attention",
                                       "engine/kernels", "engine/cache",   "engine/scheduler",
                                       "engine/model",   "engine/session", "engine/lesson",
                                       "engine/explore", "engine/machine"};
    const auto with = [](std::set<std::string> parts, std::initializer_list<const char*> more) {
      parts.insert(more.begin(), more.end());
      return parts;
    };
    Arrows result;
    result["engine/core"] = {};
    result["engine/command_line"] = {"engine/core"};
    result["engine/trace"] = {"engine/core"};
    result["engine/attention"] = attention;
    result["engine/kernels"] = kernels;
    result["engine/machine"] = backend;
    result["engine/cache"] = kernels;
    result["engine/scheduler"] = with(kernels, {"engine/cache"});
    result["engine/model"] = kernels;
    result["engine/session"] = with(backend, {"engine/cache", "engine/scheduler", "engine/model"});
    result["engine/lesson"] =
        with(backend, {"engine/cache", "engine/scheduler", "engine/model", "engine/session"});
    result["engine/explore"] = result["engine/lesson"];
    result["engine/cli"] = with(engine, {"backends", "bench", "engine/command_line"});
    result["backends/<name>"] = backend;
    result["backends"] = with(backend, {"backends/<name>"});
    result["gui/bridge"] = engine;
    result["gui/models"] = with(engine, {"gui/bridge"});
    result["gui/theme"] = {};
    result["gui/translations"] = {};  // this part has no sources
    result["gui/widgets"] = with(engine, {"gui/bridge", "gui/models", "gui/theme"});
    result["gui/views"] =
        with(engine, {"engine/explore", "gui/bridge", "gui/models", "gui/theme", "gui/widgets"});
    result["gui/app"] = with(engine, {"backends", "engine/command_line", "gui/bridge", "gui/models",
                                      "gui/theme", "gui/widgets", "gui/views"});
    return result;
  }();
  return table;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
bool is_cpp(std::string_view path) {
  return ends_with(path, ".h") || ends_with(path, ".cpp");
}

// The row of the table for a part: "gui/views/blocks" has the row "gui/views".
std::string_view row_of(std::string_view part) {
  if (starts_with(part, "backends/")) return "backends/<name>";
  return starts_with(part, "gui/views/") ? "gui/views" : part;
}

bool is_ours(std::string_view part) {
  const std::string_view top = part.substr(0, part.find('/'));
  return top == "engine" || top == "backends" || top == "gui" || top == "tests" || top == "bench";
}

bool without_qt(std::string_view part) {
  return starts_with(part, "engine") || starts_with(part, "backends");
}
bool without_widgets(std::string_view part) {
  return part == "gui/models" || part == "gui/bridge";
}

// Qt's headers: <QString>, <QtCore/qglobal.h>, <qglobal.h>.
bool is_qt_header(std::string_view header) {
  static const std::regex pattern("(Q[A-Z][A-Za-z0-9]*|Qt[A-Z][A-Za-z0-9]*(/.*)?|q[a-z0-9_]+\\.h)");
  return std::regex_match(header.begin(), header.end(), pattern);
}

bool is_widgets_header(std::string_view header) {
  if (starts_with(header, "QtWidgets") || starts_with(header, "QtCharts") ||
      starts_with(header, "QtPrintSupport")) {
    return true;
  }
  static const std::regex pattern(
      "Q(Application|Widget|Label|Frame|Abstract(Button|ItemView|ItemDelegate|ScrollArea|Slider|"
      "SpinBox)|"
      "(Push|Tool|Radio|CommandLink)Button|ButtonGroup|CheckBox|ComboBox|(Double)?SpinBox|Slider|"
      "Dial|ScrollBar|"
      "(Line|Text|PlainText)Edit|TextBrowser|KeySequenceEdit|ScrollArea|Splitter|ProgressBar|"
      "(H|V|)BoxLayout|(Grid|Form|Stacked|)Layout|Menu|MenuBar|MainWindow|DockWidget|StatusBar|"
      "Tool(Bar|Tip|Box)|"
      "(Tree|List|Table|Header|Column)View|(Tree|List|Table|Tab|Stacked)Widget|TabBar|(Styled)?"
      "ItemDelegate|"
      "(Proxy|Common)?Style|Style(Factory|Option.*|Painter)|GroupBox|(Message|File|Color|Font|"
      "Input|Progress|Error|)Dialog|"
      "MessageBox|DialogButtonBox|Graphics(View|Scene|Item|Widget)|Completer|SizePolicy|"
      "SystemTrayIcon|WhatsThis|"
      "Chart|ChartView|Printer|PrintDialog|SvgWidget)");
  return std::regex_match(header.begin(), header.end(), pattern);
}

// The only header outside of tests that may include <Eigen/Core>.
constexpr std::string_view kEigenHeader = "engine/model/layers/rows.h";
bool may_use_eigen(std::string_view part, std::string_view path) {
  if (starts_with(part, "backends/")) return ends_with(path, "/impl.cpp");
  static const std::set<std::string, std::less<>> parts{"engine/attention", "engine/explore",
                                                        "engine/model", "engine/session", "tests"};
  return parts.contains(part);
}

int line_number(std::string_view text, size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(),
                                         text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::string at(std::string_view path, int line, const std::string& what) {
  return std::string(path) + ":" + std::to_string(line) + ": " + what;
}

void find_all(std::string_view path, std::string_view text, const std::regex& pattern,
              const std::string& what, Problems& problems) {
  const std::string copy(text);
  for (std::sregex_iterator it(copy.begin(), copy.end(), pattern), end; it != end; ++it) {
    problems.push_back(at(path, line_number(text, static_cast<size_t>(it->position())),
                          what + ": '" + it->str() + "'"));
  }
}

}  // namespace

std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> result;
  int line = 0;
  while (!source.empty()) {
    ++line;
    const size_t end = std::min(source.find('\n'), source.size());
    std::string_view text = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    const auto skip_spaces = [&] {
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    skip_spaces();
    if (!starts_with(text, "#")) continue;
    text.remove_prefix(1);
    skip_spaces();
    if (!starts_with(text, "include")) continue;
    text.remove_prefix(7);
    skip_spaces();
    if (text.empty() || (text[0] != '<' && text[0] != '"')) continue;
    const bool angled = text[0] == '<';
    text.remove_prefix(1);
    const size_t close = text.find(angled ? '>' : '"');
    if (close == std::string_view::npos) continue;
    result.push_back({std::string(text.substr(0, close)), angled, line});
  }
  return result;
}

std::string part_of(std::string_view path) {
  const size_t first = path.find('/');
  if (first == std::string_view::npos) return "";
  const std::string top(path.substr(0, first));
  if (top != "engine" && top != "backends" && top != "gui") return top;
  const size_t second = path.find('/', first + 1);
  if (second == std::string_view::npos) return top;
  const std::string part(path.substr(0, second));
  if (part != "gui/views") return part;
  const size_t third = path.find('/', second + 1);
  return third == std::string_view::npos ? part : std::string(path.substr(0, third));
}

bool has_arrows(std::string_view part) {
  return arrows().contains(row_of(part));
}

bool arrow_allowed(std::string_view from, std::string_view to) {
  if (from == to) return true;
  const auto row = arrows().find(row_of(from));
  if (row == arrows().end()) return true;
  for (const char* apart : {"gui/views/", "backends/"})
    if (starts_with(from, apart) && starts_with(to, apart)) return false;
  // gui/app knows a view by its ViewEntry only. The three folders hold panels, not views of the
  // registry.
  if (from == "gui/app" && starts_with(to, "gui/views/"))
    return to == "gui/views/inspector" || to == "gui/views/lessons" || to == "gui/views/workload";
  return row->second.contains(std::string(row_of(to)));
}

Problems check_includes(std::string_view path, std::string_view source) {
  Problems problems;
  if (!is_cpp(path)) return problems;
  const std::string part = part_of(path);
  for (const Include& include : includes_of(source)) {
    if (without_qt(part) && is_qt_header(include.path)) {
      problems.push_back(
          at(path, include.line, "no Qt under engine and backends: " + include.path));
    }
    if (without_widgets(part) && is_widgets_header(include.path)) {
      problems.push_back(at(path, include.line, "no Widgets under " + part + ": " + include.path));
    }
    if (starts_with(include.path, "Eigen/")) {
      if (!may_use_eigen(part, path))
        problems.push_back(at(path, include.line, part + " must not use Eigen"));
      else if (!(include.path == "Eigen/Core" || (include.path == "Eigen/Eigenvalues" &&
                                                  (part == "engine/explore" || part == "tests"))) ||
               (part != "tests" && !ends_with(path, ".cpp") && path != kEigenHeader))
        problems.push_back(
            at(path, include.line,
               "of Eigen only <Eigen/Core>, and in .cpp files, because it takes long "
               "to compile: " +
                   include.path));
    }
    if (include.angled) continue;
    if (include.path.find("..") != std::string::npos) {
      problems.push_back(at(path, include.line,
                            "include from the project's root, not with '..': " + include.path));
      continue;
    }
    const std::string target = part_of(include.path);
    if (has_arrows(part) && is_ours(target) && !arrow_allowed(part, target)) {
      problems.push_back(
          at(path, include.line, part + " must not include " + target + ": " + include.path));
    }
  }
  return problems;
}

namespace {

// The part that a CMake target belongs to; for all targets of views "gui/views".
std::string part_of_target(std::string_view target) {
  if (target == "attn_backends") return "backends";
  if (starts_with(target, "attn_backend_")) return "backends/" + std::string(target.substr(13));
  if (starts_with(target, "attn_gui_view")) return "gui/views";
  if (starts_with(target, "attn_gui_")) return "gui/" + std::string(target.substr(9));
  if (starts_with(target, "attn_")) return "engine/" + std::string(target.substr(5));
  return "";
}

}  // namespace

Problems check_links(std::string_view path, std::string_view cmake) {
  Problems problems;
  if (!ends_with(path, "CMakeLists.txt")) return problems;
  const std::string part = part_of(path);
  if (!has_arrows(part)) return problems;
  const std::string text(cmake);
  static const std::regex word("(#[^\\n]*)|(Qt6::[A-Za-z]+)|(attn_[a-z0-9_]+)");
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
    const int line = line_number(cmake, static_cast<size_t>(it->position()));
    if ((*it)[2].matched) {
      const std::string module = (*it)[2];
      if (without_qt(part)) problems.push_back(at(path, line, part + " must not link " + module));
      if (without_widgets(part) && module != "Qt6::Core" && module != "Qt6::Gui") {
        problems.push_back(at(path, line, part + " links Core and Gui only, not " + module));
      }
    } else if ((*it)[3].matched) {
      const std::string target = part_of_target((*it)[3].str());
      if (!has_arrows(target) || target == part || row_of(part) == target) continue;
      if (!arrow_allowed(part, target)) {
        problems.push_back(at(path, line, part + " must not link " + target));
      }
    }
  }
  return problems;
}

Problems check_spdx(std::string_view path, std::string_view text) {
  const std::string_view name =
      path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  static const std::set<std::string, std::less<>> kinds{
      ".h",  ".cpp", ".cmake",   ".sh",           ".py",
      ".in", ".xml", ".desktop", ".clang-format", ".clang-tidy"};
  const size_t dot = name.rfind('.');
  const bool by_kind = dot != std::string_view::npos && kinds.contains(name.substr(dot));
  const bool script = starts_with(text, "#!");
  if (!by_kind && !script && name != "CMakeLists.txt") return {};
  std::string_view rest = text;
  if (script || starts_with(text, "<?xml"))
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.find("SPDX-License-Identifier: GPL-3.0-or-later") != std::string_view::npos) return {};
  return {at(path, 1, "no SPDX-License-Identifier: GPL-3.0-or-later on the first line")};
}

Problems check_size(std::string_view path, std::string_view text) {
  if (!is_cpp(path)) return {};
  const auto lines = std::count(text.begin(), text.end(), '\n');
  if (lines <= kMaxLines) return {};
  return {std::string(path) + ": " + std::to_string(lines) + " lines, at most " +
          std::to_string(kMaxLines)};
}

Problems check_rooms(const std::vector<std::string>& paths) {
  std::map<std::string, int> sources;
  for (const std::string& path : paths)
    if (is_ours(path) && is_cpp(path)) ++sources[path.substr(0, path.rfind('/'))];
  Problems problems;
  for (const auto& [folder, count] : sources)
    if (count > kMostSources)
      problems.push_back(folder + ": " + std::to_string(count) + " sources, at most " +
                         std::to_string(kMostSources) + "; divide it into folders");
  return problems;
}

Problems check_dangling(std::string_view path, std::string_view text) {
  Problems problems;
  if (!is_cpp(path)) return problems;
  static const std::regex reference(R"(&\s+\w+\s*=\s*[^;]*\]\.(json|text)\(\))");
  int number = 0;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool may_fit = line.find("].json()") != line.npos || line.find("].text()") != line.npos;
    if (may_fit && std::regex_search(line, reference))
      problems.push_back(
          fmt::format("{}:{}: a reference to a part of a temporary JsonAt; keep the "
                      "JsonAt or copy the value",
                      path, number));
  }
  return problems;
}

Problems check_portable(std::string_view path, std::string_view text) {
  Problems problems;
  // The patterns are written in pieces, so that this file does not match them.
  static const std::regex machine_path(
      "(^|[^A-Za-z0-9_.)}/-])/(work|farm|roo"
      "t|Users)/[A-Za-z0-9_.]|/home/[a-z]+/");
  static const std::regex registry_host(
      "(deb|security|snapshot|ftp[a-z.]*)\\.debian"
      "\\.org|(files\\.)?pythonhosted"
      "\\.org|pypi"
      "\\.org|"
      "registry\\.npmjs"
      "\\.org|(static\\.|index\\.)?crates"
      "\\.io|(archive|security)\\.ubuntu"
      "\\.com|repo[0-9]*\\.maven");
  find_all(path, text, machine_path, "a path of one machine", problems);
  find_all(path, text, registry_host, "the host of a package registry", problems);
  return problems;
}

Problems check_sources(std::string_view path, std::string_view cmake) {
  Problems problems;
  if (!ends_with(path, "CMakeLists.txt")) return problems;
  std::set<std::string> seen;
  std::string word;
  for (const char c : cmake) {
    const bool ends = c == '(' || c == ')' || std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!ends) {
      word += c;
      continue;
    }
    if (ends_with(word, ".cpp") && !seen.insert(word).second)
      problems.push_back(fmt::format("{}: names {} twice", path, word));
    word.clear();
    if (c == '(') seen.clear();
  }
  return problems;
}

std::vector<std::string> view_names_in(std::string_view source) {
  static const std::regex entry(R"re(\{\s*\.name = "(\w+)",\s*\.title = )re");
  std::vector<std::string> names;
  using Matches = std::regex_iterator<std::string_view::const_iterator>;
  for (Matches at(source.begin(), source.end(), entry), end; at != end; ++at)
    names.push_back(at->str(1));
  return names;
}

Problems check_views_unnamed(std::string_view path, std::string_view source,
                             const std::vector<std::string>& names) {
  // parse_lesson.cpp knows which view is empty at the end of a run, and index_html.cpp which view
  // has a table of another name.
  static const std::set<std::string, std::less<>> exceptions{
      "engine/lesson/format/parse_lesson.cpp", "engine/session/report/index_html.cpp"};
  const bool is_general = starts_with(path, "engine/") ||
                          (starts_with(path, "gui/") && !starts_with(path, "gui/views/"));
  if (!is_cpp(path) || !is_general || exceptions.contains(path)) return {};
  Problems problems;
  const std::regex comparison(fmt::format(
      R"re([=!]=\s*(\w+\()?"({0})"|\b(find_)?view\((\w+\()?"({0})")re", fmt::join(names, "|")));
  find_all(path, source, comparison, "general code names a view", problems);
  return problems;
}

std::vector<std::string> qt_modules_of(std::string_view cmake) {
  static const std::regex required("find_package\\(Qt6 [^)]*COMPONENTS\\s([^)]*)\\)");
  std::vector<std::string> modules;
  using Matches = std::regex_iterator<std::string_view::const_iterator>;
  for (Matches at(cmake.begin(), cmake.end(), required), end; at != end; ++at) {
    std::istringstream words(at->str(1));
    for (std::string module; words >> module;) modules.push_back(module);
  }
  return modules;
}

Problems check_finished(std::string_view path, std::string_view text) {
  Problems problems;
  if (!is_cpp(path)) return problems;
  static const std::regex marks(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|HA"
      "CK)\\b");
  find_all(path, text, marks, "a mark of unfinished work", problems);
  return problems;
}

Problems check_top_level(std::string_view name) {
  static const std::set<std::string, std::less<>> allowed{
      "CMakeLists.txt", "gui",       "engine",   "backends", "assets",
      "tests",          "bench",     "docs",     "LICENSE",  "CMakePresets.json",
      "workbench",      "README.md", "packaging"};
  // Made by builds and programs.
  static const std::set<std::string, std::less<>> made{"build", "out", "compile_commands.json",
                                                       "__pycache__"};
  if (starts_with(name, ".") || allowed.contains(name) || made.contains(name) ||
      ends_with(name, ".user"))
    return {};
  return {"'" + std::string(name) + "' does not belong in the root folder"};
}

std::vector<std::string> local_links(std::string_view markdown) {
  std::vector<std::string> links;
  const std::string text(markdown);
  static const std::regex link(R"re(\]\(([^)\s]+)\)|<img[^>]*\ssrc="([^"]+)")re");
  for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
    std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
    target = target.substr(0, target.find('#'));
    if (target.empty() || target.find("://") != std::string::npos || starts_with(target, "mailto:"))
      continue;
    links.push_back(target);
  }
  return links;
}

namespace {

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> pieces(1);
  for (const char c : line) {
    if (c == separator)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> found;
  const std::vector<std::string> pieces = split(text, '`');
  for (size_t i = 1; i < pieces.size(); i += 2) found.push_back(pieces[i]);
  return found;
}

}  // namespace

std::vector<Behaviour> behaviours_of(std::string_view markdown) {
  std::vector<Behaviour> rows;
  bool in_table = false;
  for (const std::string& line : split(std::string(markdown), '\n')) {
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 7) {
      in_table = false;
    } else if (cells[3] == " code " && cells[5] == " test ") {
      in_table = true;
    } else if (in_table && !starts_with(line, "|---")) {
      rows.push_back({cells[1], quoted(cells[3]), quoted(cells[5])});
    }
  }
  return rows;
}

std::vector<std::string> tests_in(std::string_view source) {
  std::vector<std::string> tests;
  const std::string text(source);
  static const std::regex test(R"re((^|\n)TEST(_F|_P)?\(\s*(\w+),\s*(\w+)\))re");
  for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it) {
    tests.push_back((*it)[3].str() + "." + (*it)[4].str());
    tests.push_back((*it)[3]);
  }
  return tests;
}

std::vector<std::string> faults_in(std::string_view source) {
  std::vector<std::string> faults;
  const std::string text(source);
  static const std::regex fault(R"re(\bX\((k\w+)\))re");
  for (std::sregex_iterator it(text.begin(), text.end(), fault), none; it != none; ++it)
    faults.push_back((*it)[1]);
  return faults;
}

}  // namespace attn::structure
