// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "tests/structure/checks.h"

namespace attn::structure {
namespace {

struct Exception {
  std::string_view path;  // <name> stands for any backend
  std::string_view why;
};

// Sources of engine/kernels and backends, and Highway sources elsewhere, that are not kernels.
constexpr Exception kNotKernels[] = {
    {"engine/kernels/cache/cache_map.cpp", "tells where the numbers of a cache lie"},
    {"engine/kernels/cache/paged_layout.cpp", "a sentence about head sizes"},
    {"engine/kernels/decode/decode_plan.cpp", "integers of a decode"},
    {"engine/kernels/prefill/prefill_plan.cpp", "integers of a prefill"},
    {"engine/kernels/paged_backend.cpp", "what some backends are able to do"},
    {"engine/kernels/paged_impl.cpp", "calls kernels"},
    {"engine/kernels/planned_calls.cpp", "tells which calls a backend makes"},
    {"engine/kernels/planned_masks.cpp", "tells which keys rows see"},
    {"engine/kernels/tiles/bf16_unit.cpp", "finds the bf16 units of the processor"},
    {"engine/kernels/tiles/instruction_set.cpp", "names the instruction set"},
    {"engine/machine/limits.cpp", "measures rates itself"},
    {"backends/<name>/backend.cpp", "what the backend is able to do"},
    {"backends/<name>/impl.cpp", "calls kernels; that of reference is their fp64 oracle"},
    {"backends/pallas/pallas_calls.cpp", "tells which calls the backend makes"},
    {"backends/pallas/pallas_grid.cpp", "integers of the grid"},
    {"backends/pallas/padding/padded_prefills.cpp", "integers of the padding"},
    {"backends/pallas/padding/padded_rows.cpp", "copies rows to and from padded prompts"},
    {"backends/pallas/tpu/tpu_model.cpp", "models times"},
    {"backends/torch_sdpa/masks.cpp", "makes masks"},
    {"backends/xformers/biases.cpp", "makes masks"},
};

// Kernels in other folders.
constexpr std::string_view kKernelsElsewhere[] = {
    "engine/model/layers/linear.cpp", "engine/model/weights/panel_product.cpp",
    "gui/views/attention/cell_reduce.cpp", "gui/views/attention/lines/draw_curves.cpp"};

// The folder of a kernel's bench. attn-bench has no Qt, so kernels of views have their own.
std::string_view bench_folder(std::string_view kernel) {
  return kernel.starts_with("gui/") ? "bench/views/kernels/" : "bench/kernels/";
}

bool fits(std::string_view path, std::string_view exception) {
  const std::string_view any = "<name>";
  const size_t at = exception.find(any);
  if (at == std::string_view::npos) return path == exception;
  const std::string_view before = exception.substr(0, at),
                         after = exception.substr(at + any.size());
  return path.size() > before.size() + after.size() && path.starts_with(before) &&
         path.ends_with(after) &&
         std::count(path.begin(), path.end(), '/') ==
             std::count(exception.begin(), exception.end(), '/');
}

bool is_exception(std::string_view path) {
  return std::ranges::any_of(
      kNotKernels, [&](const Exception& exception) { return fits(path, exception.path); });
}

std::string stem_of(std::string_view path) {
  const size_t slash = path.rfind('/') + 1;
  return std::string(path.substr(slash, path.rfind('.') - slash));
}

}  // namespace

bool is_kernel(std::string_view path) {
  if (std::ranges::find(kKernelsElsewhere, path) != std::end(kKernelsElsewhere)) return true;
  return path.ends_with(".cpp") &&
         (path.starts_with("engine/kernels/") || path.starts_with("backends/")) &&
         !is_exception(path);
}

Problems check_vector_source(std::string_view path, std::string_view source) {
  const bool is_ours =
      path.starts_with("engine/") || path.starts_with("backends/") || path.starts_with("gui/");
  if (!is_ours || !path.ends_with(".cpp") ||
      source.find("#define HWY_TARGET_INCLUDE") == std::string_view::npos || is_kernel(path) ||
      is_exception(path))
    return {};
  return {std::string(path) + ": compiled for several instruction sets, but neither a kernel nor " +
          "an exception in tests/structure/kernels.cpp"};
}

Problems check_kernels(const std::vector<std::string>& paths) {
  std::set<std::string> tests, benches, kernels;  // tests: stems; the others: paths of benches
  for (const std::string& path : paths) {
    if (path.starts_with("tests/") && path.ends_with(".cpp")) tests.insert(stem_of(path));
    if ((path.starts_with("bench/kernels/") || path.starts_with("bench/views/kernels/")) &&
        path.ends_with(".cpp"))
      benches.insert(path);
  }
  Problems problems;
  for (const std::string& path : paths) {
    if (!is_kernel(path)) continue;
    const std::string stem = stem_of(path);
    const std::string bench = std::string(bench_folder(path)) + "bench_" + stem + ".cpp";
    kernels.insert(bench);
    if (!tests.contains("test_" + stem))
      problems.push_back(path + ": no test_" + stem + ".cpp under tests");
    if (!benches.contains(bench)) problems.push_back(path + ": no " + bench);
  }
  for (const std::string& bench : benches)
    if (!kernels.contains(bench)) problems.push_back(bench + ": no kernel has this stem");
  return problems;
}

Problems check_kernel_exceptions(const std::vector<std::string>& paths) {
  Problems problems;
  for (const Exception& exception : kNotKernels)
    if (std::ranges::none_of(paths,
                             [&](const std::string& path) { return fits(path, exception.path); }))
      problems.push_back("tests/structure/kernels.cpp: there is no " + std::string(exception.path) +
                         " (" + std::string(exception.why) + ")");
  return problems;
}

}  // namespace attn::structure
