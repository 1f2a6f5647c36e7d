// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/linear.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "engine/model/layers/rows.h"
#include "engine/model/weights/panel_product.h"

namespace attn {
namespace {

// Most rows of a task.
constexpr int64_t kTaskRows = 132;

// [count]: for each output of a part, the number of the tensor's output that the runs put there.
std::vector<int64_t> rows_by_runs(int64_t count, const std::vector<OutputRun>& runs) {
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  for (const OutputRun& run : runs)
    std::iota(rows.begin() + run.to, rows.begin() + run.to + run.count, run.from);
  return rows;
}

}  // namespace

void Linear::take(TensorReader& reader, const Axis& in, const std::vector<LinearPart>& parts,
                  const LinearOptions& options) {
  int64_t first = 0;
  for (const LinearPart& part : parts) {
    const WeightOrder order = options.order;
    const std::vector<Axis> out_in{part.out, in}, in_out{in, part.out};
    reader.take_matrix(
        part.name + ".weight", order == WeightOrder::kOutIn ? out_in : in_out,
        [this, order, runs = part.runs](const StoredMatrix& weights) { add(weights, order, runs); },
        "", /*is_whole=*/order == WeightOrder::kInOut);
    if (options.has_bias)
      reader.take(part.name + ".bias", {part.out},
                  [this, first, runs = part.runs](const Tensor& bias) {
                    const std::vector<int64_t> rows = rows_by_runs(bias.size(), runs);
                    const std::vector<float> stored = f32_values(bias);
                    Tensor ordered(DType::kF32, bias.shape());
                    for (size_t i = 0; i < rows.size(); ++i)
                      ordered.span<float>()[i] = stored[static_cast<size_t>(rows[i])];
                    set_bias(first, ordered);
                  });
    first += part.out.size;
  }
}

void Linear::add(std::shared_ptr<const WeightMatrix> weights) {
  for (int64_t panel = 0; panel < weights->num_panels(); ++panel) {
    const int64_t first = panel * kPanelRows;
    slices_.push_back(
        {weights->panel(panel), out_ + first, std::min(kPanelRows, weights->rows() - first)});
  }
  parts_.push_back({out_, weights});
  in_ = weights->columns();
  out_ += weights->rows();
}

void Linear::add(const StoredMatrix& weights, WeightOrder order,
                 const std::vector<OutputRun>& runs) {
  const bool out_first = (order == WeightOrder::kOutIn) != weights.is_transposed;
  const int64_t out = weights.shape[out_first ? 0 : 1], in = weights.shape[out_first ? 1 : 0];
  const std::vector<int64_t> rows = rows_by_runs(out, runs);
  const int64_t row = row_bytes(weights.type, in);
  // Outputs whose rows follow one another in the file are read with one call.
  const auto read_outputs = [&](int64_t first, int64_t count, std::byte* to) {
    for (int64_t end = first + count; first < end;) {
      const int64_t from = rows[static_cast<size_t>(first)];
      int64_t run = 1;
      while (first + run < end && rows[static_cast<size_t>(first + run)] == from + run) ++run;
      weights.read(from, run, to);
      to += run * row;
      first += run;
    }
  };
  if (out_first)
    return add(std::make_shared<WeightMatrix>(weights.type, out, in, read_outputs, weights.pool));
  // The weights of an output are a column of the stored rows, so all rows are read first.
  const int64_t size = row / in;
  Tensor columns(DType::kU8, {in, out * size});
  auto* const bytes = static_cast<std::byte*>(columns.raw());
  for (int64_t k = 0; k < in; k += kPanelRows)
    weights.read(k, std::min(kPanelRows, in - k), bytes + k * out * size);
  const auto gather_outputs = [&](int64_t first, int64_t count, std::byte* to) {
    for (int64_t i = first; i < first + count; ++i)
      for (int64_t k = 0; k < in; ++k, to += size)
        std::memcpy(to, bytes + (k * out + rows[static_cast<size_t>(i)]) * size,
                    static_cast<size_t>(size));
  };
  add(std::make_shared<WeightMatrix>(weights.type, out, in, gather_outputs, weights.pool));
}

void Linear::set_bias(int64_t first_output, const Tensor& bias) {
  bias_.resize(static_cast<size_t>(out_));
  std::ranges::copy(f32_values(bias), bias_.begin() + first_output);
}

float Linear::weight(int64_t out, int64_t in) const {
  const auto after = std::ranges::upper_bound(parts_, out, {}, &Part::first_output);
  const Part& part = *std::prev(after);
  return part.weights->at(out - part.first_output, in);
}

bool Linear::forward(const float* x, int64_t rows, float* y, bool add, KernelId kernel,
                     const Execution& execution) const {
  if (rows == 0 || out_ == 0) return true;
  const int64_t groups = (rows + kTaskRows - 1) / kTaskRows, group = (rows + groups - 1) / groups;
  const auto work = [&](int64_t task, int /*worker*/) {
    const Slice& slice = slices_[static_cast<size_t>(task / groups)];
    const int64_t begin = task % groups * group, end = std::min(rows, begin + group);
    alignas(64) std::array<float, kTaskRows * kPanelRows> products;
    panel_product(slice.weights, x + begin * in_, end - begin, products.data());
    for (int64_t row = begin; row < end; ++row) {
      float* const to = y + row * out_ + slice.first_output;
      const float* const from = products.data() + (row - begin) * kPanelRows;
      const ConstRowMap product = row_of(from, slice.count);
      if (add)
        row_of(to, slice.count) += product;
      else
        row_of(to, slice.count) = product;
      if (!bias_.empty())
        row_of(to, slice.count) += row_of(bias_.data() + slice.first_output, slice.count);
    }
  };
  const auto tasks = static_cast<int64_t>(slices_.size()) * groups;
  const double task_rows = static_cast<double>(rows) / static_cast<double>(groups);
  const double task_width = static_cast<double>(out_) / static_cast<double>(slices_.size());
  const double depth = static_cast<double>(in_);
  double weight_bytes = 0;
  for (const Part& part : parts_)
    weight_bytes += static_cast<double>(
        WeightMatrix::bytes(part.weights->type(), part.weights->rows(), part.weights->columns()));
  return traced_parallel_for(
      execution, kernel, tasks, rows, 2 * task_rows * task_width * depth,
      weight_bytes / static_cast<double>(slices_.size()) + 4 * task_rows * (depth + task_width),
      work);
}

}  // namespace attn
