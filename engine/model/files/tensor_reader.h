// SPDX-License-Identifier: GPL-3.0-or-later
// TensorReader: the tensors that a model wants from its files. A model first takes all of them by
// name and shape, which reads nothing. Then check() reports those that are missing or do not fit,
// needed_bytes() tells the memory, and read() reads all and hands each to the function that the
// model gave with it. One thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files/problems.h"
#include "engine/model/files/weight_source.h"

namespace attn {

// One axis of a shape, with its name in terms of config.json: {"hidden_size", 288}.
struct Axis {
  std::string name;
  int64_t size = 0;
};

// The numbers of an f32, f16, bf16 or f64 tensor, as f32.
std::vector<float> f32_values(const Tensor& tensor);

class TensorReader {
 public:
  // Function that is given a tensor in the element type of the file, but f64 and quantised numbers
  // as f32. It may throw Error.
  using Taker = std::function<void(Tensor)>;
  // The same for a matrix, which the function reads in the type StoredMatrix::type.
  using MatrixTaker = std::function<void(const StoredMatrix&)>;

  // `files` must outlive the reader.
  explicit TensorReader(const WeightSource& files) : files_(files) {}

  // --- what the model wants; to be called before check() and what follows it ---

  // Names of tensors of layer i begin with `prefix`, i and a point: "model.layers.7.". `count`: how
  // many layers there are, and by which key.
  void layers(std::string prefix, Axis count);
  // A tensor of which the model keeps f32 numbers. `taker` is called by read(), in the order of the
  // calls of take() and take_matrix().
  void take(std::string name, std::vector<Axis> axes, Taker taker);
  // The same, with a taker that puts the numbers into `to`, which must stay where it is until
  // read() has returned.
  void take(std::string name, std::vector<Axis> axes, std::vector<float>& to);
  // A tensor of two axes that the model keeps as a WeightMatrix. `taker` reads each of its rows
  // once. `advice` ends the message of a missing tensor, unless its layer is missing as a whole;
  // "": it ends with what requires the tensor. is_whole: the taker may hold all bytes of the tensor
  // in memory before it makes the matrix.
  void take_matrix(std::string name, std::vector<Axis> axes, MatrixTaker taker,
                   std::string advice = "", bool is_whole = false);
  // unused() does not name tensors whose names have this ending.
  void ignore(std::string ending) { ignored_.push_back(std::move(ending)); }
  bool has(std::string_view name) const { return files_.find(name) != nullptr; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  const std::vector<std::string>& notes() const { return notes_; }

  // --- what is in the files ---

  // Adds to `problems` one entry for every kind of missing tensor, one for every combination of
  // axes that do not fit, and one for every element type that is not read as f64, f32, f16 or bf16.
  void check(Problems& problems) const;
  // A sentence about the tensors of the files that are neither taken nor ignored; "" where there
  // are none.
  std::string unused() const;
  // Bytes of the wanted tensors in the files; missing ones count 0.
  int64_t stored_bytes() const;
  // Estimate of the most bytes of memory while read() runs: what the model keeps, and the most that
  // reading one tensor needs beside it. check() must have found nothing.
  int64_t needed_bytes() const;
  // Elements of all wanted tensors.
  int64_t num_parameters() const;
  // The types of the wanted tensors as in the files; first the one with the most bytes.
  std::vector<std::string> element_types() const;

  // Reads all tensors, with a pool of at most `most_threads` threads where this is more than 0.
  // check() must have found nothing. `progress` is called on this thread before every tensor, and
  // now and then within a matrix, with the share of stored_bytes() that has been read. Errors:
  // kCancelled when it returns false; kBadInput and kFailed from the files or a taker. Returns a
  // note about weights that are NaN or infinite; "" where all are finite.
  std::string read(const std::function<bool(double)>& progress, int64_t most_threads = 0) const;

 private:
  struct Wanted {
    std::string name;
    std::vector<Axis> axes;
    Taker taker;
    MatrixTaker matrix_taker;  // either this or `taker` is set
    std::string advice;
    bool is_whole = false;
    Shape shape() const;
  };
  struct Layers {
    std::string prefix;
    Axis count;
  };
  // The layers to which a tensor belongs by its name; null: to none.
  const Layers* layers_of(std::string_view name) const;
  std::string layer_of(std::string_view name) const;

  const WeightSource& files_;
  std::vector<Wanted> wanted_;
  std::vector<Layers> layers_;
  std::vector<std::string> ignored_, notes_;
};

}  // namespace attn
