// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/written.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace attn {
namespace {

using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The columns of W_O that belong to a head, [C, D].
MatrixD output_part(const Network& network, int64_t layer, int64_t head) {
  const Linear& out = *network.layers[static_cast<size_t>(layer)].out;
  const int64_t size = network.heads.size;
  MatrixD part(network.width, size);
  for (int64_t c = 0; c < network.width; ++c)
    for (int64_t d = 0; d < size; ++d)
      part(c, d) = static_cast<double>(out.weight(c, head * size + d));
  return part;
}

MatrixD values_of(const AttentionRecord& record, int64_t layer, int64_t head, int64_t first,
                  int64_t count) {
  MatrixF values(count, record.shape().head_size);
  if (!record.values(layer, head, first, count, values.data()))
    throw_bad_input({"the values of these keys are not kept", "what is written",
                     fmt::format("layer {}, keys {} to {}", layer, first, first + count - 1),
                     "keys that were computed, in a run or a file that has values", ""});
  return values.cast<double>();
}

// What attention adds to the stream. sum: W_O z with the bias, before a norm after attention and
// the scale.
Eigen::VectorXd added_by(const Network& network, int64_t layer, Eigen::VectorXd sum) {
  if (const Norm* norm = network.layers[static_cast<size_t>(layer)].after_attention) {
    const Eigen::VectorXf row = sum.cast<float>();
    const NormStatistics at = norm->statistics(row.data());
    for (int64_t c = 0; c < network.width; ++c)
      sum[c] = (sum[c] - static_cast<double>(at.mean)) * static_cast<double>(at.factor) *
                   static_cast<double>(norm->gain(c)) +
               static_cast<double>(norm->bias(c));
  }
  return sum * static_cast<double>(network.residual_scale);
}

}  // namespace

HeadLengths::HeadLengths(const Network* network, int64_t layer, int64_t head)
    : layer_(layer), head_(head) {
  if (!network) return;
  const MatrixD part = output_part(*network, layer, head);
  const MatrixD gram = part.transpose() * part;
  gram_.assign(gram.data(), gram.data() + gram.size());
}

std::vector<double> HeadLengths::of(const AttentionRecord& record, int64_t first,
                                    int64_t count) const {
  const MatrixD values = values_of(record, layer_, head_, first, count);
  std::vector<double> lengths(static_cast<size_t>(count));
  Eigen::Map<Eigen::VectorXd> to(lengths.data(), count);
  if (gram_.empty()) {
    to = values.rowwise().norm();
    return lengths;
  }
  // |W v|^2 = v' (W' W) v.
  const Eigen::Map<const MatrixD> gram(gram_.data(), values.cols(), values.cols());
  to = (values * gram).cwiseProduct(values).rowwise().sum().cwiseMax(0.0).cwiseSqrt();
  return lengths;
}

std::string written_refusal(const Network* network, int64_t layer, Written what) {
  if (what != Written::kWeightTimesOutput) return {};
  if (!network)
    return "What a head writes needs the output matrix of a model, which this source or saved run "
           "does not have.";
  if (layer >= static_cast<int64_t>(network->layers.size()) ||
      !network->layers[static_cast<size_t>(layer)].out)
    return "This layer has no output matrix.";
  return {};
}

std::vector<double> value_lengths(const AttentionRecord& record, int64_t layer, int64_t head,
                                  int64_t first, int64_t count) {
  return HeadLengths(nullptr, layer, head).of(record, first, count);
}

std::vector<double> output_lengths(const Network& network, const AttentionRecord& record,
                                   int64_t layer, int64_t head, int64_t first, int64_t count) {
  return HeadLengths(&network, layer, head).of(record, first, count);
}

std::vector<float> written(const Network& network, const AttentionRecord& record, int64_t layer,
                           int64_t head, Written what, int64_t q_begin, int64_t q_count,
                           int64_t k_begin, int64_t k_count) {
  std::vector<float> cells(static_cast<size_t>(q_count * k_count));
  record.weights(layer, head, q_begin, q_count, k_begin, k_count, cells.data());
  if (what == Written::kWeight) return cells;
  const std::vector<double> lengths =
      what == Written::kWeightTimesValue
          ? value_lengths(record, layer, head, k_begin, k_count)
          : output_lengths(network, record, layer, head, k_begin, k_count);
  for (size_t i = 0; i < cells.size(); ++i)
    cells[i] = static_cast<float>(static_cast<double>(cells[i]) *
                                  lengths[i % static_cast<size_t>(k_count)]);
  return cells;
}

std::vector<float> head_outputs(const Network& network, const ResidualRecord& record, int64_t layer,
                                int64_t first, int64_t count) {
  const int64_t heads = network.heads.heads, size = network.heads.size, width = network.width;
  const NetworkLayer& of = network.layers[static_cast<size_t>(layer)];
  MatrixF kept(count, heads * size);
  if (!record.read_heads(layer, first, count, kept.data()))
    throw_bad_input({"the outputs of the heads are not kept", "head outputs",
                     fmt::format("positions {} to {}", first, first + count - 1),
                     fmt::format("computed positions from {} to {}", record.shape().first,
                                 record.shape().end() - 1),
                     ""});
  const MatrixD z = kept.cast<double>();
  std::vector<MatrixD> parts;  // [H] of [count, C]
  for (int64_t head = 0; head < heads; ++head)
    parts.push_back(z.middleCols(head * size, size) *
                    output_part(network, layer, head).transpose());
  const double scale = static_cast<double>(network.residual_scale);
  for (int64_t row = 0; row < count; ++row) {
    if (!of.after_attention) {
      for (MatrixD& part : parts) part.row(row) *= scale;
      continue;
    }
    Eigen::VectorXf all(width);
    for (int64_t c = 0; c < width; ++c) {
      double sum = static_cast<double>(of.out->bias(c));
      for (const MatrixD& part : parts) sum += part(row, c);
      all[c] = static_cast<float>(sum);
    }
    const double factor = static_cast<double>(of.after_attention->statistics(all.data()).factor);
    for (MatrixD& part : parts) {
      const double mean = of.after_attention->centres() ? part.row(row).mean() : 0;
      for (int64_t c = 0; c < width; ++c)
        part(row, c) = (part(row, c) - mean) * factor *
                       static_cast<double>(of.after_attention->gain(c)) * scale;
    }
  }
  std::vector<float> result;
  result.reserve(static_cast<size_t>(heads * count * width));
  for (const MatrixD& part : parts)
    for (int64_t i = 0; i < count * width; ++i)
      result.push_back(static_cast<float>(part.data()[i]));
  return result;
}

std::optional<WrittenCheck> check_written(const Network& network, const AttentionRecord& record,
                                          const ResidualRecord& kept, int64_t position,
                                          std::span<const Intervention> changed,
                                          const Execution& execution) {
  const int64_t heads = network.heads.heads, size = network.heads.size;
  const auto is_replaced = [&](int64_t layer, int64_t head) {
    return std::ranges::any_of(changed, [&](const Intervention& what) {
      return what.kind == InterventionKind::kHead && what.layer == layer && what.head == head;
    });
  };
  const auto is_stream_replaced = [&](int64_t layer) {
    return std::ranges::any_of(changed, [&](const Intervention& what) {
      return what.kind == InterventionKind::kResidual && what.site == ResidualSite::kMid &&
             what.layer == layer;
    });
  };
  WrittenCheck check;
  std::vector<float> all(static_cast<size_t>(heads * size));
  Eigen::VectorXf before(network.width), after(network.width);
  for (int64_t layer = kept.shape().first_layer; layer < std::ssize(network.layers); ++layer) {
    if (execution.gate && execution.gate->cancelled()) return std::nullopt;
    if (!network.layers[static_cast<size_t>(layer)].out) continue;
    if (!kept.read_heads(layer, position, 1, all.data())) return std::nullopt;
    const int64_t keys = record.key_columns(layer, position + 1);
    MatrixF weights(1, keys), values(keys, size);
    Eigen::VectorXd sum(network.width);  // heads' outputs and bias
    for (int64_t c = 0; c < network.width; ++c)
      sum[c] = static_cast<double>(network.layers[static_cast<size_t>(layer)].out->bias(c));
    for (int64_t head = 0; head < heads; ++head) {
      const MatrixD part = output_part(network, layer, head);
      const Eigen::Map<const Eigen::VectorXf> z(all.data() + head * size, size);
      const Eigen::VectorXd stored = part * z.cast<double>();
      sum += stored;
      if (is_replaced(layer, head)) continue;
      if (!record.row_done(layer, head, position) ||
          !record.values(layer, head, 0, keys, values.data()))
        return std::nullopt;
      record.weights(layer, head, position, 1, 0, keys, weights.data());
      const Eigen::VectorXd summed =
          part * (weights.cast<double>() * values.cast<double>()).transpose();
      ++check.heads;
      check.residue = std::max(check.residue, (summed - stored).cwiseAbs().maxCoeff());
      check.largest = std::max(check.largest, stored.cwiseAbs().maxCoeff());
    }
    if (is_stream_replaced(layer)) continue;
    if (layer == kept.shape().first_layer)
      kept.read(ResidualSite::kEmbed, 0, position, 1, before.data());
    else
      kept.read(ResidualSite::kPost, layer - 1, position, 1, before.data());
    kept.read(ResidualSite::kMid, layer, position, 1, after.data());
    const Eigen::VectorXd added = after.cast<double>() - before.cast<double>();
    sum = added_by(network, layer, sum);
    ++check.layers;
    check.residue_of_sum = std::max(check.residue_of_sum, (sum - added).cwiseAbs().maxCoeff());
    check.largest_sum = std::max(check.largest_sum, added.cwiseAbs().maxCoeff());
  }
  return check;
}

}  // namespace attn
