// SPDX-License-Identifier: GPL-3.0-or-later
// The two norms of transformers, row by row in f32; sums, and the root of LayerNorm, are f64.
//   RmsNorm    x / sqrt(mean(x^2) + epsilon) * (w + offset)            B. Zhang, R. Sennrich, 2019
//   LayerNorm  (x - mean(x)) / sqrt(var(x) + epsilon) * w + b          J. Ba and others, 2016
// var is the mean of (x - mean(x))^2. The offset is 1 in models that store weights around 0
// (Gemma), else 0. One thread, except where said.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/model/files/tensor_reader.h"
#include "engine/trace/probe.h"

namespace attn {

// With these, a norm makes (x[i] - mean) * factor * gain(i) + bias(i) of element i of a row.
struct NormStatistics {
  float mean = 0;    // 0: RmsNorm
  float factor = 1;  // 1 / sqrt(...)
};

class Norm {
 public:
  virtual ~Norm() = default;
  // Tells `reader` to read NAME.weight [width] and, for a norm with a bias, NAME.bias. A LayerNorm
  // may have other names in old files.
  virtual void take(TensorReader& reader, const std::string& name, const Axis& width) = 0;
  // Makes row i of `to` [rows, width] from row i of x. Both forward() return false when the gate
  // cancelled the run.
  bool forward(const float* x, int64_t rows, float* to, const Execution& execution) const;
  // Makes row i of `to` [rows.size(), width] from row rows[i] of x.
  bool forward(const float* x, std::span<const int64_t> rows, float* to,
               const Execution& execution) const;
  // Makes one row; `to` may be x. Any thread.
  virtual void normalize(const float* x, float* to) const = 0;

  // The mean and the factor with which normalize() changes row x [width]. Any thread.
  virtual NormStatistics statistics(const float* x) const = 0;
  virtual bool centres() const { return false; }
  float gain(int64_t i) const { return weight_[static_cast<size_t>(i)]; }
  virtual float bias(int64_t /*i*/) const { return 0; }

 protected:
  explicit Norm(float epsilon) : epsilon_(epsilon) {}

  float epsilon_;
  std::vector<float> weight_;  // [width]

 private:
  template <class Pick>
  bool normalize_rows(const float* x, int64_t rows, float* to, const Execution& execution,
                      Pick&& pick) const;
};

class RmsNorm : public Norm {
 public:
  explicit RmsNorm(float epsilon = 1e-6f, float offset = 0) : Norm(epsilon), offset_(offset) {}
  void set(std::vector<float> weight);
  void take(TensorReader& reader, const std::string& name, const Axis& width) override;
  NormStatistics statistics(const float* x) const override;
  void normalize(const float* x, float* to) const override;

 private:
  float offset_;
};

class LayerNorm : public Norm {
 public:
  explicit LayerNorm(float epsilon = 1e-5f, bool has_bias = true)
      : Norm(epsilon), has_bias_(has_bias) {}
  // An empty bias is zero.
  void set(std::vector<float> weight, std::vector<float> bias);
  // Tells `reader` to read NAME.weight and, where the model has one, NAME.bias [width]. Old files
  // call them NAME.gamma and NAME.beta.
  void take(TensorReader& reader, const std::string& name, const Axis& width) override;
  NormStatistics statistics(const float* x) const override;
  bool centres() const override { return true; }
  float bias(int64_t i) const override { return bias_.empty() ? 0 : bias_[static_cast<size_t>(i)]; }
  void normalize(const float* x, float* to) const override;

 private:
  bool has_bias_;
  std::vector<float> bias_;  // [width]; empty: zero
};

}  // namespace attn
