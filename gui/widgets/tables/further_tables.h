// SPDX-License-Identifier: GPL-3.0-or-later
// FurtherTables: for a View with more tables than csv(). GUI thread.
#pragma once

#include <QString>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

struct FurtherTable {
  QString name;                       // "step_calls"
  QString title;                      // "Kernel calls of a step"
  std::function<QByteArray()> table;  // for any thread
};

class FurtherTables {
 public:
  virtual ~FurtherTables() = default;
  virtual std::vector<FurtherTable> further_tables() const = 0;
};

// Empty: it has none.
std::vector<FurtherTable> further_tables_of(const View& view);
// The job writes the table to the file, on any thread.
ExportJob prepare_further_table(const FurtherTable& table, const FilePath& file);

}  // namespace attn::gui
