// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/tables/further_tables.h"

#include <string_view>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"

namespace attn::gui {

std::vector<FurtherTable> further_tables_of(const View& view) {
  const auto* has = dynamic_cast<const FurtherTables*>(&view);
  return has ? has->further_tables() : std::vector<FurtherTable>();
}

ExportJob prepare_further_table(const FurtherTable& table, const FilePath& file) {
  return [write = table.table, file]() -> QString {
    const QByteArray bytes = write();
    try {
      write_file_atomically(file.path(),
                            std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
    } catch (const Error& error) {
      return QString::fromUtf8(error.what());
    }
    return {};
  };
}

}  // namespace attn::gui
