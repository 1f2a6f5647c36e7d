// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/linear.h"

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
#include "engine/model/layers/rows.h"

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

// panel [in, width], with row stride `stride`, becomes a part of weight [in, whole].
template <class T>
void copy_columns(const T* weight, int64_t whole, int64_t width, int64_t in, float* panel,
                  int64_t stride) {
  for (int64_t k = 0; k < in; ++k)
    for (int64_t n = 0; n < width; ++n) panel[k * stride + n] = to_f32(weight[k * whole + n]);
}

// Calls use(data) with the elements of a tensor that is f32, f16 or bf16.
template <class Use>
void with_elements(const Tensor& tensor, Use&& use) {
  if (tensor.dtype() == DType::kF32)
    use(tensor.data<float>());
  else if (tensor.dtype() == DType::kF16)
    use(tensor.data<Float16>());
  else if (tensor.dtype() == DType::kBF16)
    use(tensor.data<BFloat16>());
  else
    throw_bad_input({"weights have no floating-point type", "linear layer",
                     std::string(name_of(tensor.dtype())), "f32, f16, bf16", ""});
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

void Linear::take(TensorReader& reader, const Axis& in, const std::vector<LinearPart>& parts,
                  const LinearOptions& options) {
  int64_t out = 0, first = 0;
  for (const LinearPart& part : parts) out += part.out.size;
  for (const LinearPart& part : parts) {
    const WeightOrder order = options.order;
    const std::vector<Axis> out_in{part.out, in}, in_out{in, part.out};
    reader.take(part.name + ".weight", order == WeightOrder::kOutIn ? out_in : in_out, Keep::kF32,
                [this, width = in.size, out, first, order, runs = part.runs](const Tensor& weight) {
                  if (first == 0) *this = Linear(width, out);
                  if (runs.empty()) set_weight(first, weight, order);
                  for (const OutputRun& run : runs)
                    set_weight({run.from, first + run.to, run.count}, weight, order);
                });
    if (options.has_bias)
      reader.take(part.name + ".bias", {part.out}, Keep::kF32,
                  [this, first, runs = part.runs](const Tensor& bias) {
                    if (runs.empty()) set_bias(first, bias);
                    for (const OutputRun& run : runs)
                      set_bias({run.from, first + run.to, run.count}, bias);
                  });
    first += part.out.size;
  }
}

void Linear::set_weight(int64_t first_output, const Tensor& weight, WeightOrder order) {
  set_weight({0, first_output, weight.dim(order == WeightOrder::kOutIn ? 0 : 1)}, weight, order);
}

void Linear::set_weight(const OutputRun& run, const Tensor& weight, WeightOrder order) {
  const bool out_first = order == WeightOrder::kOutIn;
  const int64_t whole = weight.dim(out_first ? 0 : 1), end = run.to + run.count;
  for (int64_t begin = run.to; begin < end;) {
    const int64_t panel = begin / kPanel, width = panel_width(panel);
    const int64_t stop = std::min(end, panel * kPanel + width);
    float* to = panels_.data<float>() + panel * kPanel * in_ + (begin - panel * kPanel);
    with_elements(weight, [&](const auto* elements) {
      const int64_t from = run.from + begin - run.to;
      if (out_first)
        transpose(elements + from * in_, stop - begin, in_, to, width);
      else
        copy_columns(elements + from, whole, stop - begin, in_, to, width);
    });
    begin = stop;
  }
}

void Linear::set_bias(int64_t first_output, const Tensor& bias) {
  set_bias({0, first_output, bias.size()}, bias);
}

void Linear::set_bias(const OutputRun& run, const Tensor& bias) {
  bias_.resize(static_cast<size_t>(out_));
  with_elements(bias, [&](const auto* elements) {
    for (int64_t n = 0; n < run.count; ++n)
      bias_[static_cast<size_t>(run.to + n)] = to_f32(elements[run.from + n]);
  });
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
        const ConstRowMap product = row_of(from, width);
        if (add)
          row_of(to, width) += product;
        else
          row_of(to, width) = product;
        if (!bias_.empty()) row_of(to, width) += row_of(bias_.data() + panel * kPanel, width);
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
