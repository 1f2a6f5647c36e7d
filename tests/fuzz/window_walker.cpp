// SPDX-License-Identifier: GPL-3.0-or-later
// The walker (walk.h) that opens each session file in the window, and draws the views at some steps
// of the run and the timeline at many zooms.
#include <QApplication>
#include <QPixmap>
#include <QtTest>

#include "gui/app/window/window_session.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "tests/fuzz/walk.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

namespace attn::gui {
namespace {

bool open_in(test::Workbench& workbench, const std::filesystem::path& file) {
  bool done = false, opened = false;
  QObject here;  // disconnects when this function returns
  QObject::connect(&workbench.window->session(), &WindowSession::opened, &here,
                   [&](const QString&, bool ok) {
                     done = true;
                     opened = ok;
                   });
  workbench.window->session().open(QString::fromStdString(file.string()));
  if (!QTest::qWaitFor([&] { return done; }, 60000))
    throw std::logic_error("the window neither opens nor refuses the file");
  return opened;
}

void draw(const std::vector<View*>& views) {
  for (View* view : views) {
    prepare_image(*view, 1)();
    prepare_table (*view)();
  }
}

void zoom_timeline(TimelineCanvas& canvas) {
  canvas.fit_all();
  for (const double factor : {8.0, 1 / 64.0}) {
    for (int turn = 0; turn < 24; ++turn) {
      canvas.zoom(factor);
      canvas.select_neighbour(turn % 2 == 0 ? 1 : -1);
      QPixmap picture(canvas.size());
      canvas.render(&picture);
      canvas.tooltip_at(QPointF(canvas.width() * 0.5, canvas.height() * 0.4));
    }
  }
  canvas.fit_all();
}

void use_window(test::Workbench& workbench) {
  MainWindow& window = *workbench.window;
  workbench.bridge.catch_up();
  const EngineSnapshot& shot = *workbench.bridge.snapshot();
  draw(window.views());
  for (auto* canvas : window.findChildren<TimelineCanvas*>()) zoom_timeline(*canvas);
  for (const RequestView& request : shot.requests) {
    const int64_t last = request.attention ? request.attention->num_rows() - 1 : 0;
    workbench.selection.select({.kind = SelectionKind::kCell,
                                .request = request.id,
                                .layer = shot.source.num_layers - 1,
                                .head = shot.source.num_heads - 1,
                                .query = last,
                                .key = last / 2});
    QApplication::processEvents();
  }
  const auto range = window.cursor().range();
  if (!range.empty()) {
    for (const uint32_t step : {range.first, (range.first + range.last) / 2}) {
      window.cursor().go_to(step);
      QApplication::processEvents();
      draw(window.views());
    }
    window.cursor().go_live();
  }
  QPixmap picture(window.size());
  window.render(&picture);
  QApplication::processEvents();
}

}  // namespace
}  // namespace attn::gui

int main(int argc, char** argv) {
  using namespace attn;
  QApplication app(argc, argv);
  gui::Theme::instance().install(app);
  gui::test::Workbench workbench(gui::test::synthetic_scenario(4, 1));
  return fuzz::walk(argc, argv, [&](const std::filesystem::path& file) {
    if (!gui::open_in(workbench, file)) return false;
    gui::use_window(workbench);
    return true;
  });
}
