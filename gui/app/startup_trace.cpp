// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/startup_trace.h"

#include <time.h>
#include <unistd.h>

#include <QFile>
#include <cstdio>

namespace attn::gui {
namespace {

// At the first paint event of the view after row 0 of the shown head is computed, prints the name
// of the view and the time since the start of the process.
class FirstRow : public QObject {
 public:
  FirstRow(View* view, EngineBridge& bridge, Selection& selection)
      : QObject(view), bridge_(bridge), selection_(selection) {
    view->installEventFilter(this);
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Paint || !has_row()) return false;
    watched->removeEventFilter(this);
    // Printed after this paint event.
    QMetaObject::invokeMethod(
        this,
        [this] {
          std::printf("%s %.0f\n", qUtf8Printable(parent()->objectName()),
                      ms_since_process_start());
          std::fflush(stdout);
          deleteLater();
        },
        Qt::QueuedConnection);
    return false;
  }

 private:
  bool has_row() const {
    if (!bridge_.snapshot()) return false;
    const RequestView* shown = request_by_id(*bridge_.snapshot(), selection_.shown_request());
    return shown && shown->attention &&
           shown->attention->row_done(selection_.shown_layer(), selection_.shown_head(), 0);
  }
  EngineBridge& bridge_;
  Selection& selection_;
};

}  // namespace

double ms_since_process_start() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  QFile stat(QStringLiteral("/proc/self/stat"));
  if (!stat.open(QIODevice::ReadOnly)) return -1;
  // Field 22 is the start of the process in clock ticks since boot. Counting begins after the
  // program's name in brackets, which may contain spaces.
  const QByteArray line = stat.readAll();
  const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
  const double started = fields.value(19).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
  return (static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - started) *
         1e3;
}

void trace_startup(MainWindow& window, EngineBridge& bridge, Selection& selection) {
  QObject::connect(&window, &MainWindow::first_shown, &window, [] {
    std::printf("window %.0f\n", ms_since_process_start());
    std::fflush(stdout);
  });
  new FirstRow(window.all_views().front(), bridge, selection);
}

}  // namespace attn::gui
