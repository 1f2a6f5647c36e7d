// SPDX-License-Identifier: GPL-3.0-or-later
// report_figures(): the names of the picture files that a report has of these views. GUI thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gui/app/report/run_report.h"
#include "gui/widgets/view.h"

namespace attn::gui {

inline std::set<std::string> report_figures(const std::vector<View*>& views) {
  std::set<std::string> figures;
  for (const View* view : views)
    for (const char* format : kPictureFormats)
      figures.insert(view->export_name().toStdString() + "." + format);
  return figures;
}

}  // namespace attn::gui
