// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/linear.h"

#include <dlfcn.h>
#include <dnnl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/rng.h"

namespace attn {
namespace {

constexpr int64_t kMaxTile = 16;
constexpr int64_t kTilesPerTask = 8;

// Sets OpenMP's thread count of the calling thread to 1; otherwise oneDNN would start an OpenMP
// team beside our pool. The function is looked up at run time and not linked, so that it is the one
// of the OpenMP library that oneDNN was built with, even where the compiler brings another. A
// oneDNN without OpenMP needs nothing.
void stay_on_this_thread() {
  using SetThreads = void (*)(int);
  static const auto set_threads =
      reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (set_threads) set_threads(1);
}

// c [rows, width] = x [rows, depth] w [depth, width]; c has row stride `c_stride`. Returns false
// when oneDNN fails, which can only be for lack of memory.
bool sgemm(int64_t rows, int64_t width, int64_t depth, const float* x, const float* w, float* c,
           int64_t c_stride) {
  static thread_local const bool is_single = (stay_on_this_thread(), true);
  (void)is_single;
  return dnnl_sgemm('N', 'N', rows, width, depth, 1.0f, x, depth, w, width, 0.0f, c, c_stride) ==
         dnnl_success;
}

// True when a row gives the same bits at every place among `tile` rows, whatever the other rows
// hold.
bool is_row_invariant(int64_t tile) {
  constexpr int64_t kDepth = 160, kWidth = 96;
  Rng rng(1);
  std::vector<float> w(kDepth * kWidth), row(kDepth), other(kDepth), first;
  for (auto* values : {&w, &row, &other})
    for (float& value : *values) value = rng.normal();
  for (int64_t place = 0; place < tile; ++place) {
    for (const bool with_others : {false, true}) {
      std::vector<float> x(static_cast<size_t>(tile * kDepth)),
          c(static_cast<size_t>(tile * kWidth));
      for (int64_t r = 0; r < tile; ++r)
        if (r == place || with_others)
          std::copy_n((r == place ? row : other).data(), kDepth, x.data() + r * kDepth);
      if (!sgemm(tile, kWidth, kDepth, x.data(), w.data(), c.data(), kWidth)) return false;
      const std::vector<float> got(c.begin() + place * kWidth, c.begin() + (place + 1) * kWidth);
      if (first.empty()) first = got;
      if (std::memcmp(first.data(), got.data(), got.size() * sizeof(float)) != 0) return false;
    }
  }
  return true;
}

// panel [in, width], with row stride `stride`, becomes weight [width, in] transposed, in squares
// that fit in the L1 cache.
template <class T>
void transpose(const T* weight, int64_t width, int64_t in, float* panel, int64_t stride) {
  constexpr int64_t kSquare = 32;
  for (int64_t k0 = 0; k0 < in; k0 += kSquare)
    for (int64_t n0 = 0; n0 < width; n0 += kSquare)
      for (int64_t k = k0; k < std::min(in, k0 + kSquare); ++k)
        for (int64_t n = n0; n < std::min(width, n0 + kSquare); ++n)
          panel[k * stride + n] = to_f32(weight[n * in + k]);
}

}  // namespace

int64_t choose_row_tile(const std::function<bool(int64_t rows)>& is_invariant) {
  for (const int64_t candidate : {8, 12, 16, 4})
    if (is_invariant(candidate)) return candidate;
  return 1;
}

int64_t row_tile() {
  static const int64_t tile = choose_row_tile(is_row_invariant);
  return tile;
}

Linear::Linear(int64_t in, int64_t out) : in_(in), out_(out), panels_(DType::kF32, {out, in}) {
  row_tile();  // runs the trial now, while loading, and not inside the first step of a run
}

void Linear::set_weight(int64_t first_output, const Tensor& weight) {
  const int64_t end = first_output + weight.dim(0);
  for (int64_t begin = first_output; begin < end;) {
    const int64_t panel = begin / kPanel, width = panel_width(panel);
    const int64_t stop = std::min(end, panel * kPanel + width);
    float* to = panels_.data<float>() + panel * kPanel * in_ + (begin - panel * kPanel);
    const int64_t from = (begin - first_output) * in_;
    switch (weight.dtype()) {
      case DType::kF32:
        transpose(weight.data<float>() + from, stop - begin, in_, to, width);
        break;
      case DType::kF16:
        transpose(weight.data<Float16>() + from, stop - begin, in_, to, width);
        break;
      case DType::kBF16:
        transpose(weight.data<BFloat16>() + from, stop - begin, in_, to, width);
        break;
      default:
        throw_bad_input({"weights have no floating-point type", "linear layer",
                         std::string(name_of(weight.dtype())), "f32, f16, bf16", ""});
    }
    begin = stop;
  }
}

bool Linear::forward(const float* x, int64_t rows, float* y, bool add, KernelId kernel,
                     const Execution& execution) const {
  if (rows == 0) return true;
  const int64_t tile = row_tile();
  const int64_t group = tile * kTilesPerTask, groups = (rows + group - 1) / group;
  // The last tile may have fewer rows than a call takes: they are copied and padded with zeros.
  const int64_t whole = rows / tile * tile;
  std::vector<float> tail;
  if (whole < rows) {
    tail.resize(static_cast<size_t>(tile * in_));
    std::copy_n(x + whole * in_, (rows - whole) * in_, tail.data());
  }
  std::atomic<bool> failed{false};
  auto work = [&](int64_t task, int /*worker*/) {
    const int64_t panel = task / groups, width = panel_width(panel);
    const float* weights = panels_.data<float>() + panel * kPanel * in_;
    const int64_t begin = task % groups * group, end = std::min(rows, begin + group);
    alignas(64) std::array<float, kMaxTile * kPanel> out;
    for (int64_t row = begin; row < end; row += tile) {
      if (!sgemm(tile, width, in_, row < whole ? x + row * in_ : tail.data(), weights, out.data(),
                 kPanel))
        failed.store(true, std::memory_order_relaxed);
      for (int64_t r = 0; r < std::min(tile, end - row); ++r) {
        float* to = y + (row + r) * out_ + panel * kPanel;
        const float* from = out.data() + r * kPanel;
        if (add)
          for (int64_t n = 0; n < width; ++n) to[n] += from[n];
        else
          std::copy_n(from, width, to);
      }
    }
  };
  const double task_rows = static_cast<double>(rows) / static_cast<double>(groups);
  const double task_width = static_cast<double>(out_) / static_cast<double>(num_panels());
  const double depth = static_cast<double>(in_);
  const bool finished = traced_parallel_for(
      execution, kernel, num_panels() * groups, rows, 2 * task_rows * task_width * depth,
      4 * (task_width * depth + task_rows * (depth + task_width)), std::move(work));
  if (failed)
    throw Error(ErrorCode::kFailed,
                {"out of memory", "linear layer (oneDNN)", "", "", "Use shorter prompts"});
  return finished;
}

}  // namespace attn
