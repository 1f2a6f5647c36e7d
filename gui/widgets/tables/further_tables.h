// SPDX-License-Identifier: GPL-3.0-or-later
// FurtherTables: for a View that has more tables than csv(). A report has them as files of their
// own beside that one, and the menu Export has a command for each. GUI thread.
#pragma once

#include <QString>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

struct FurtherTable {
  QString name;                       // the stem of its file: "step_calls"
  QString title;                      // in the menu Export: "Kernel calls of a step"
  std::function<QByteArray()> table;  // any thread may call it while the view goes on
};

class FurtherTables {
 public:
  virtual ~FurtherTables() = default;
  virtual std::vector<FurtherTable> further_tables() const = 0;
};

// The further tables of a view; empty: it has none.
std::vector<FurtherTable> further_tables_of(const View& view);
// The job that writes the table to the file, on any thread; as prepare_csv() for a view.
ExportJob prepare_further_table(const FurtherTable& table, const FilePath& file);

}  // namespace attn::gui
