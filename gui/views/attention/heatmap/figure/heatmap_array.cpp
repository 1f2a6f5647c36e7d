// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/figure/heatmap_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/memory.h"
#include "engine/model/files/npy.h"
#include "engine/model/files/safetensors.h"
#include "engine/session/report/report.h"
#include "gui/views/attention/cell_numbers.h"
#include "gui/views/attention/heatmap/figure/heads_figure.h"
#include "gui/widgets/request/interventions_line.h"

namespace attn::gui {
namespace {

std::string json_list(const std::shared_ptr<const std::vector<TokenView>>& tokens, int64_t count) {
  QJsonArray list;
  for (size_t i = 0; tokens && i < tokens->size() && static_cast<int64_t>(i) < count; ++i)
    list.append(QString::fromStdString((*tokens)[i].text));
  return QJsonDocument(list).toJson(QJsonDocument::Compact).toStdString();
}

std::vector<int64_t> layers_of(const HeatmapScene& scene) {
  return scene.figure.all_layers ? layers_alike(scene) : std::vector{scene.head.layer};
}

std::string layers_text(const HeatmapScene& scene) {
  return fmt::format("{}", fmt::join(layers_of(scene), ", "));
}

Tensor numbers_of(const HeatmapScene& scene) {
  const AttentionRecord& record = *scene.head.record;
  const int64_t rows = scene.rows(), keys = scene.columns();
  const FigureLook& look = scene.figure;
  const int64_t heads = look.all_heads ? record.shape().num_heads : 1;
  const std::vector<int64_t> layers = layers_of(scene);
  const int64_t count = std::ssize(layers) * heads;
  // Memory for the array and, once more, for the bytes of its file.
  const int64_t bytes = 2 * 4 * count * rows * keys, available = available_memory_bytes();
  if (bytes > allowed_memory_bytes(available))
    throw Error(ErrorCode::kBadInput,
                {.what = "the array needs more memory than is allowed",
                 .where = "export",
                 .found = bytes_text(static_cast<double>(bytes)),
                 .allowed = allowed_memory_text(available),
                 .advice = count > 1 ? "Export one layer or one head instead of all." : ""});
  Shape shape{rows, keys};
  if (look.all_heads) shape.insert(shape.begin(), heads);
  if (look.all_layers) shape.insert(shape.begin(), std::ssize(layers));
  Tensor array(DType::kF32, shape);
  float* to = array.data<float>();
  for (int64_t i = 0; i < count; ++i) {
    HeadRef shown = scene.head;
    shown.layer = layers[static_cast<size_t>(i / heads)];
    if (look.all_heads) shown.head = i % heads;
    if (look.all_heads || look.all_layers) {
      shown.combine = {};
      shown.quantity = Quantity::kWeight;
    }
    CellNumbers numbers(shown);
    for (int64_t q = 0; q < rows; ++q, to += keys) {
      constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
      if (q >= record.num_rows() || scene.came_later(q) || !numbers.row_done(q)) {
        std::fill(to, to + keys, kNothing);
        continue;
      }
      numbers.cells(q, 1, 0, keys, to);
      for (int64_t k = 0; k < keys && shown.quantity != Quantity::kWeight; ++k)
        if (!shown.sees(q, k)) to[k] = kNothing;
    }
  }
  return array;
}

}  // namespace

std::function<void(const FilePath&)> heatmap_array(const RequestView* request,
                                                   const HeatmapScene& scene) {
  if (!request || !scene.head.record || scene.rows() <= 0) return {};
  return [scene, name = request->name, id = request->id,
          changes = interventions_of(*request)](const FilePath& file) {
    const std::filesystem::path& path = file.path();
    // A reader of the file must see that the numbers are those of a changed request.
    if (path.extension() == ".npy" && !changes.isEmpty())
      throw Error(ErrorCode::kBadInput,
                  {.what = "a .npy file has no room to say what is changed in the request",
                   .where = path.string(),
                   .found = changes.join(QStringLiteral("; ")).toStdString(),
                   .allowed = "a .safetensors file, whose metadata say it",
                   .advice = ""});
    const Tensor array = numbers_of(scene);
    if (path.extension() == ".npy") return write_file_atomically(path, npy_bytes(array));
    const FigureLook& look = scene.figure;
    const bool all = look.all_heads || look.all_layers;
    const bool weights = all || scene.shows_weights();
    const std::string name_of_array = weights ? "weights"
                                      : scene.quantity() == Quantity::kScore
                                          ? "scores"
                                          : std::string(word_of(scene.quantity()));
    std::map<std::string, std::string> metadata{
        {"axes", std::string(look.all_layers ? "layer, " : "") + (look.all_heads ? "head, " : "") +
                     "query, key"},
        {"request", std::to_string(id)},
        {"name", name},
        {"layer", layers_text(scene)},
        {"head", look.all_heads ? "all" : std::to_string(scene.head.head)},
        {"shown", all ? "weights" : column_of(scene.head)},
        {"query_tokens", json_list(scene.tokens, scene.rows())},
        {"key_tokens", json_list(scene.keys_are_tokens() ? scene.tokens : scene.encoder_tokens,
                                 scene.columns())}};
    if (!changes.isEmpty())
      metadata.emplace("interventions", QJsonDocument(QJsonArray::fromStringList(changes))
                                            .toJson(QJsonDocument::Compact)
                                            .toStdString());
    write_safetensors(path, {{name_of_array, &array}}, metadata);
  };
}

}  // namespace attn::gui
