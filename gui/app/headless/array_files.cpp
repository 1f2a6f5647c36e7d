// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/headless/array_files.h"

#include "engine/session/record/query_key_value_file.h"

namespace attn::gui {

std::vector<std::string> write_arrays(const std::vector<View*>& views,
                                      const std::vector<std::string>& formats,
                                      const FilePath& folder) {
  std::vector<std::string> names;
  for (const View* view : views) {
    const auto write = view->arrays();
    for (const std::string& format : formats) {
      if (!write) continue;
      const QString name =
          QStringLiteral("%1.%2").arg(view->export_name(), QString::fromStdString(format));
      write(folder.file(name));
      names.push_back(name.toStdString());
    }
  }
  return names;
}

std::optional<Error> write_qkv(const EngineBridge& bridge, const Selection& selection,
                               const std::filesystem::path& folder) {
  const EngineSnapshot& snapshot = *bridge.snapshot();
  const RequestView* shown = request_by_id(snapshot, selection.shown_request());
  try {
    write_query_key_value(folder / kQkvFile, shown ? *shown : snapshot.requests.front(),
                          selection.shown_layer());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotSupported) throw;
    return error;
  }
  return std::nullopt;
}

}  // namespace attn::gui
