// SPDX-License-Identifier: GPL-3.0-or-later
// FurtherTables: a base class for views that have more tables than csv(), and functions that list
// and write these tables. GUI thread.
#pragma once

#include <QString>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

struct FurtherTable {
  QString name;                       // "step_calls"
  QString title;                      // "Kernel calls of a step"
  std::function<QByteArray()> table;  // makes the table as CSV; may be called on any thread
};

class FurtherTables {
 public:
  virtual ~FurtherTables() = default;
  virtual std::vector<FurtherTable> further_tables() const = 0;
};

// Empty: the view has no further tables.
std::vector<FurtherTable> further_tables_of(const View& view);
// The job writes the table to the file, on any thread.
ExportJob prepare_further_table(const FurtherTable& table, const FilePath& file);

}  // namespace attn::gui
