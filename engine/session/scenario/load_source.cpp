// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/model/load_model.h"
#include "engine/model/synthetic/synthetic.h"
#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/run/engine.h"

namespace attn {
namespace {

std::shared_ptr<Source> load_tensors(const Scenario& scenario, const LoadProgress& progress) {
  const TensorSpec& spec = *scenario.source.tensors;
  const std::filesystem::path folder =
      std::filesystem::path(scenario.origin.file).parent_path();  // empty: the current folder
  const std::string where = place_in(scenario, "$.source.tensors");
  const bool is_cross = scenario.attention.type == AttentionType::kEncoderDecoder;
  const TensorShapes shapes = read_tensor_shapes(spec, folder, where, is_cross);
  if (scenario.attention.type == AttentionType::kEncoderOnly && shapes.queries < shapes.tokens)
    throw_bad_input({"an encoder needs the query of every token", where,
                     fmt::format("1 query, {} keys", shapes.tokens), "as many queries as keys",
                     ""});
  const int64_t need = shapes.bytes;
  ask_memory({.bytes = static_cast<double>(need),
              .what = "the tensors do not fit in memory",
              .where = where,
              .found = bytes_text(static_cast<double>(need)) + " as 32-bit floats",
              .advice = "Save fewer layers, heads or tokens"});
  return load_tensor_source(spec, folder, where, is_cross, [&](double fraction) {
    return !progress ||
           progress(fraction,
                    "loading " + std::filesystem::path(spec.file.empty() ? spec.query : spec.file)
                                     .filename()
                                     .string());
  });
}

}  // namespace

std::shared_ptr<Source> load_source(Scenario& scenario,
                                    const std::function<void(Scenario&, const SourceShape&)>& fit) {
  return load_model(
      model_folder(scenario), {},
      [&](const Model& model, int64_t bytes) {
        fit(scenario, model.shape());
        check_run_memory(run_memory(scenario, model, {}, static_cast<double>(bytes)),
                         available_memory_bytes());
      },
      scenario.engine.threads);
}

std::shared_ptr<Source> load_source(const Scenario& scenario, const LoadProgress& progress,
                                    const RunKeeps& keeps) {
  if (scenario.source.synthetic)
    return make_synthetic_source(*scenario.source.synthetic, scenario.seed);
  if (scenario.source.tensors) return load_tensors(scenario, progress);
  const std::filesystem::path folder = model_folder(scenario);
  return load_model(
      folder,
      [&](double fraction) {
        return !progress || progress(fraction, "loading " + folder.filename().string());
      },
      [&](const Model& model, int64_t bytes) {
        check_run_memory(run_memory(scenario, model, keeps, static_cast<double>(bytes)),
                         available_memory_bytes());
      },
      scenario.engine.threads);
}

}  // namespace attn
