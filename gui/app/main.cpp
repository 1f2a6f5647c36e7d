// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QSocketNotifier>
#include <QTimer>
#include <chrono>
#include <cstdlib>

#include "backends/register_all.h"
#include "engine/core/bench_program.h"
#include "engine/core/error.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/core/program/stop_signal.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/session/scenario/scenario.h"
#include "gui/app/command_line.h"
#include "gui/app/frame_times.h"
#include "gui/app/headless/headless.h"
#include "gui/app/language.h"
#include "gui/app/lessons/handout.h"
#include "gui/app/one_heap.h"
#include "gui/app/program.h"
#include "gui/app/startup_trace.h"
#include "gui/app/window/fit_to_screen.h"
#include "gui/app/window/main_window.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr std::chrono::milliseconds kLateFrame{300};
constexpr std::chrono::milliseconds kLatePicture{500};

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

// Without QT_QPA_PLATFORM: a window needs a display, the other modes use the offscreen platform.
void choose_platform(const CommandLine& line) {
  if (set("QT_QPA_PLATFORM")) return;
  if (line.mode != CommandLine::Mode::kWindow) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  } else if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) {
    throw Error(
        ErrorCode::kFailed,
        {.what = "there is no display on which a window can open",
         .where = "DISPLAY",
         .found = "nothing",
         .allowed = "an X11 or Wayland session",
         .advice = "Without a display use `attention-workbench run first-look --export out`"});
  }
}

ThemeMode theme_mode(const CommandLine& line) {
  if (line.theme == "dark") return ThemeMode::kDark;
  if (line.theme == "light" || line.mode == CommandLine::Mode::kRun) return ThemeMode::kLight;
  return ThemeMode::kSystem;
}

// SIGINT and SIGTERM close the window without a question, because nobody may be there to answer.
void close_on_signal(QObject& owner, RunControl& control) {
  catch_stop_signals();
  auto* signal = new QSocketNotifier(stop_signal_descriptor(), QSocketNotifier::Read, &owner);
  QObject::connect(signal, &QSocketNotifier::activated, &owner, [signal, &control] {
    signal->setEnabled(false);
    control.ask_before_leaving([] { return true; });
    QApplication::closeAllWindows();  // dialogs, too
    QApplication::quit();
  });
}

int open_window(const CommandLine& line) {
  if (std::error_code failure;
      !std::filesystem::exists(line.scenario, failure) && !is_shipped_model(line.scenario))
    find_scenario(line.scenario);  // throws for an unknown name
  if (!line.lesson.empty()) lesson::find_lesson(line.lesson);
  EngineBridge bridge;
  Selection selection;
  RunControl control(bridge);
  follow_runs(bridge, selection);
  bridge.hold(true);
  // The engine thread loads the model while the window is made.
  const bool opened = control.open(QString::fromStdString(line.scenario));
  if (opened && line.lesson.empty()) control.start();
  MainWindow window(bridge, control, selection, line.settings);
  if (!line.theme.empty()) Theme::instance().set_mode(theme_mode(line));
  if (line.text_percent) Theme::instance().set_text_percent(*line.text_percent);
  resize_window(window, line);
  if (!line.layout.empty()) window.layouts().apply(QString::fromStdString(line.layout));
  if (set("ATTN_FRAME_TIMES")) show_frame_times(window.all_views());
  if (set("ATTN_STARTUP_TRACE")) trace_startup(window, bridge, selection);
  // Called after the window was first painted or a while after show(), so as not to delay that.
  const auto go_on = [&bridge] {
    bridge.hold(false);
    if (QApplication::windowIcon().isNull()) QApplication::setWindowIcon(application_icon());
  };
  QObject::connect(&window, &MainWindow::first_shown, &window, [&window, go_on] {
    go_on();
    fit_to_screen(window);
    QTimer::singleShot(kLateFrame, &window, [&window] { fit_to_screen(window); });
  });
  window.show();
  // A minimised window is not painted, so first_shown() may not come.
  QTimer::singleShot(kLatePicture, &bridge, go_on);
  if (line.settings) window.recovery().begin(Recovery::usual_folder());
  close_on_signal(window, control);
  if (!line.lesson.empty())
    open_lesson(window, line);
  else
    QObject::connect(&window, &MainWindow::first_shown, &window,
                     [&window] { window.lessons().offer_start(); });
  if (const QString trouble = missing_fonts(); !trouble.isEmpty())
    window.message_bar()->show_message(MessageKind::kError, trouble);
  if (is_session_file(line.scenario)) {
    QObject::connect(&window.session(), &WindowSession::opened, &window,
                     [&](const QString&, bool done) {
                       if (!done && !bridge.snapshot() &&
                           control.open(QString::fromStdString(CommandLine{}.scenario)))
                         control.start();
                     });
    control.open(QString::fromStdString(line.scenario));
    return QApplication::exec();
  }
  if (!opened)
    control.run_instead(QString::fromStdString(line.scenario),
                        QString::fromStdString(CommandLine{}.scenario));
  return QApplication::exec();
}

int start(const CommandLine& line, int argc, char** argv) {
  choose_platform(line);
  require_threads();
  if (line.mode != CommandLine::Mode::kWindow) leave_out_platform_notes();
  QApplication app(argc, argv);
  name_program(app);
  add_shipped_fonts();
  use_one_number_format();
  // Outside the window the default is English, so that files do not depend on the system.
  use_language(app, line.mode == CommandLine::Mode::kWindow
                        ? chosen_language(line.language, line.settings)
                        : chosen_language(line.language.empty() ? "en" : line.language, false));
  Theme::instance().set_mode(theme_mode(line));
  if (line.text_percent) Theme::instance().set_text_percent(*line.text_percent);
  Theme::instance().install(app);
  // After Theme::install(): missing_fonts() reads the application's font.
  if (const QString trouble = missing_fonts(); !trouble.isEmpty())
    std::fprintf(stderr, "attention-workbench: %s\n", qPrintable(trouble));
  switch (line.mode) {
    case CommandLine::Mode::kRun:
      return run_and_export(line);
    case CommandLine::Mode::kScreenshot:
      take_screenshot(line);
      return 0;
    case CommandLine::Mode::kHandout:
      write_handout({.lesson = line.lesson,
                     .out = line.handout,
                     .teacher = line.teacher,
                     .language = line.language});
      return 0;
    default:
      return open_window(line);
  }
}

int run_program(int argc, char** argv) {
  attn::register_all_backends();
  const CommandLine line = parse_command_line({argv + 1, argv + argc});
  if (line.mode == CommandLine::Mode::kHelp) {
    print_text(help_text());
    return 0;
  }
  if (line.mode == CommandLine::Mode::kVersion) {
    print_text("attention-workbench " ATTN_VERSION "\n");
    return 0;
  }
  if (line.mode == CommandLine::Mode::kBenchViews)
    attn::run_bench_program("attention-workbench-bench", line.bench_words,
                            "attention-workbench bench-views");
  return start(line, argc, argv);
}

}  // namespace
}  // namespace attn::gui

int main(int argc, char** argv) {
  attn::gui::use_one_heap();
  attn::prepare_standard_streams();
  int code = 1;
  try {
    code = attn::gui::run_program(argc, argv);
  } catch (const attn::Error& error) {
    attn::print_error("attention-workbench: {}\n", error.what());
    code = error.exit_code();
  } catch (const std::exception& error) {
    attn::print_error_line("attention-workbench", attn::message_of(error));
  }
  return attn::finish_standard_output("attention-workbench", code);
}
