// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/headless/figure_file.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/core/program/standard_streams.h"

namespace attn::gui {

void write_figure(View& view, const CommandLine& line) {
  const FilePath file(std::filesystem::path(line.figure_file));
  const std::string kind = figure_kind(line.figure_file);
  const bool array = kind == "npy" || kind == "safetensors";
  if (array && !view.arrays())
    throw Error::not_supported({"The shown request has no weights: nothing of it was computed."});
  const ExportJob job = array           ? prepare_array(view, file)
                        : kind == "png" ? prepare_png(view, file, line.scale)
                        : kind == "svg" ? prepare_svg(view, file)
                        : kind == "pdf" ? prepare_pdf(view, file)
                                        : prepare_csv(view, file);
  if (const QString trouble = job(); !trouble.isEmpty())
    throw Error(ErrorCode::kFailed, {trouble.toStdString(), "", "", "", ""});
  print_out("wrote {}\n", line.figure_file);
}

}  // namespace attn::gui
