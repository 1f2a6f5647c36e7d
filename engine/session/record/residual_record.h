// SPDX-License-Identifier: GPL-3.0-or-later
// ResidualRecord: for one request and a window of its tokens, the residual stream after the
// embedding, after the attention and after the MLP of the kept layers, and the output of each head
// before W_O. The engine thread writes; any thread reads.
#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "engine/model/residual.h"

namespace attn {

class ResidualRecord {
 public:
  struct Shape {
    int64_t num_layers = 0;
    // Layers before it are those of an encoder and are not kept.
    int64_t first_layer = 0;
    int64_t width = 0;  // C; 0: only heads are kept
    int64_t num_heads = 0, head_size = 0;
    int64_t first = 0, tokens = 0;  // the window: positions [first, first + tokens)
    int64_t end() const { return first + tokens; }
    int64_t kept_layers() const { return num_layers - first_layer; }
  };
  static double bytes_needed(const Shape& shape);

  explicit ResidualRecord(const Shape& shape);
  const Shape& shape() const { return shape_; }

  // --- engine thread ---
  // Keeps rows of positions [position, position + count) that are in the window: of the residual
  // stream [count, C], of a layer's head outputs [count, H, D].
  void keep(ResidualSite site, int64_t layer, int64_t position, int64_t count, const float* x);
  void keep_heads(int64_t layer, int64_t position, int64_t count, const float* heads);
  // Call it when the rows of positions [first, end) are complete at all sites.
  void publish(int64_t first, int64_t end);
  void forget_rows(int64_t first);
  // A record for a forked request, with everything that this record has now.
  std::shared_ptr<ResidualRecord> fork() const;

  // --- any thread ---
  // Whether the position is in the window and was computed. A token from the prefix cache was not.
  bool has(int64_t position) const;
  // How many positions from shape().first on were computed without a gap.
  int64_t num_rows() const;
  // Copies rows of positions [position, position + count): [count, C], [count, H, D]. False: not
  // all of them are kept.
  bool read(ResidualSite site, int64_t layer, int64_t position, int64_t count, float* x) const;
  bool read_heads(int64_t layer, int64_t position, int64_t count, float* heads) const;

 private:
  // The layer must be kept.
  std::vector<float>& rows_of(ResidualSite site, int64_t layer);
  const std::vector<float>& rows_of(ResidualSite site, int64_t layer) const;
  void keep_rows(std::vector<float>& rows, int64_t row, int64_t position, int64_t count,
                 const float* from);
  bool read_rows(const std::vector<float>& rows, int64_t row, int64_t position, int64_t count,
                 float* to) const;

  Shape shape_;
  mutable std::shared_mutex mutex_;           // exclusive to write
  std::vector<bool> there_;                   // [tokens]
  std::vector<std::vector<float>> residual_;  // [1 + 2 * kept_layers()] of [tokens, C]
  std::vector<std::vector<float>> heads_;     // [kept_layers()] of [tokens, H, D]
};

}  // namespace attn
