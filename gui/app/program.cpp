// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/program.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QLocale>
#include <clocale>
#include <cstdio>
#include <future>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"

namespace attn::gui {
namespace {

// Threads besides the workers of the engine: the engine thread and those of views, exports and Qt.
constexpr int kOtherThreads = 20;

// Prints Qt's messages except those about the offscreen platform and standard paths.
void print_others(QtMsgType, const QMessageLogContext&, const QString& text) {
  if (text.startsWith(QLatin1String("This plugin does not support")) ||
      text.startsWith(QLatin1String("QStandardPaths:")))
    return;
  std::fprintf(stderr, "%s\n", qPrintable(text));
}

}  // namespace

void leave_out_platform_notes() {
  qInstallMessageHandler(print_others);
}

void name_program(QApplication& app) {
  app.setApplicationName(QStringLiteral("attention-workbench"));
  app.setApplicationDisplayName(QStringLiteral("Attention Workbench"));
  app.setOrganizationName(QStringLiteral("attention-workbench"));
  app.setApplicationVersion(QStringLiteral(ATTN_VERSION));
  app.setDesktopFileName(QStringLiteral("org.attention_workbench.AttentionWorkbench"));
}

void add_shipped_fonts() {
  const QDir folder(QCoreApplication::applicationDirPath() +
                    QStringLiteral("/../share/attention-workbench/fonts"));
  for (const QFileInfo& file : folder.entryInfoList(QDir::Files))
    QFontDatabase::addApplicationFont(file.filePath());
}

void use_one_number_format() {
  QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  std::setlocale(LC_NUMERIC, "C");  // QApplication has set that of the user
}

int startable_threads(int wanted) {
  std::promise<void> end;
  const std::shared_future<void> ended(end.get_future());
  std::vector<std::thread> threads;
  try {
    for (int i = 0; i < wanted; ++i) threads.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error&) {
    // The number of threads started so far is the answer.
  }
  end.set_value();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

void require_threads() {
  const int needed = ThreadPool::hardware_workers() + kOtherThreads;
  const int found = startable_threads(needed);
  if (found == needed) return;
  throw Error(ErrorCode::kFailed,
              {.what = "the system does not let this program start enough threads",
               .where = "threads",
               .found = std::to_string(found),
               .allowed = std::to_string(needed) + " or more",
               .advice = "Raise the limit of processes (ulimit -u, prlimit --nproc), that of the "
                         "container or service (pids.max, TasksMax), or that of memory"});
}

QString missing_fonts() {
  // Without fonts Qt still lists families, but the font has no letters.
  if (QFontMetrics(QGuiApplication::font()).inFont(QLatin1Char('a'))) return {};
  return QCoreApplication::translate(
      "Program",
      "No fonts are installed, so every letter is drawn as a box. Install the packages fonts-inter "
      "and fonts-jetbrains-mono.");
}

}  // namespace attn::gui
