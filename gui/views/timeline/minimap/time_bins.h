// SPDX-License-Identifier: GPL-3.0-or-later
// TimeBins: sums over equally long pieces of the run's time. Their length doubles when the run
// outgrows kBins of them. Times: ns on the run's clock. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::gui {

// T: the type of a sum. T{} is an empty sum, and += adds to a sum.
template <class T>
class TimeBins {
 public:
  static constexpr uint64_t kBins = 4096;

  void clear() { *this = {}; }
  uint64_t bin_ns() const { return bin_ns_; }  // length of a bin
  size_t size() const { return bins_.size(); }
  // The sum of the bin that begins at bin * bin_ns().
  const T& operator[](size_t bin) const { return bins_[bin]; }

  // The bin of a time. A late time may double the length of all bins, more than once.
  T& at(uint64_t time_ns) {
    while (time_ns / bin_ns_ >= kBins) double_bins();
    const auto bin = static_cast<size_t>(time_ns / bin_ns_);
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    return bins_[bin];
  }

 private:
  void double_bins() {
    const size_t half = (bins_.size() + 1) / 2;
    for (size_t i = 0; i < half; ++i) {
      T sum = bins_[2 * i];
      if (2 * i + 1 < bins_.size()) sum += bins_[2 * i + 1];
      bins_[i] = sum;
    }
    bins_.resize(half);
    bin_ns_ *= 2;
  }

  std::vector<T> bins_;
  uint64_t bin_ns_ = 1024;
};

}  // namespace attn::gui
