// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/logit_lens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/error.h"
#include "engine/explore/explored_run.h"

namespace attn {
namespace {

constexpr int64_t kRowsAtOnce = 32;  // bounds the logits' memory

double log_sum(std::span<const float> logits, float largest) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit - largest));
  return static_cast<double>(largest) + std::log(sum);
}

// The model's own answer at a position. The divergence of a site is measured from it.
struct OwnAnswer {
  std::span<const float> logits;
  std::span<double> probabilities;
  double sum = 0;  // log_sum() of the logits

  void set_probabilities() {
    sum = log_sum(logits, *std::ranges::max_element(logits));
    for (size_t i = 0; i < logits.size(); ++i)
      probabilities[i] = std::exp(static_cast<double>(logits[i]) - sum);
  }
};

LensCell cell_of(std::span<const float> logits, const OwnAnswer& own, int32_t wanted) {
  LensCell cell;
  const auto best = std::ranges::max_element(logits);
  cell.best = static_cast<int32_t>(best - logits.begin());
  cell.best_logit = *best;
  const double sum = log_sum(logits, *best);
  cell.best_probability = std::exp(static_cast<double>(*best) - sum);
  cell.logit = logits[static_cast<size_t>(wanted)];
  cell.probability = std::exp(static_cast<double>(cell.logit) - sum);
  for (size_t i = 0; i < logits.size(); ++i)
    cell.rank +=
        logits[i] > cell.logit || (logits[i] == cell.logit && i < static_cast<size_t>(wanted));
  if (own.logits.data() == logits.data()) return cell;
  for (size_t i = 0; i < logits.size(); ++i)
    cell.divergence += own.probabilities[i] * ((static_cast<double>(own.logits[i]) - own.sum) -
                                               (static_cast<double>(logits[i]) - sum));
  return cell;
}

bool logits_at(Model& model, const ResidualRecord& record, LensSite at, int64_t first,
               int64_t count, Tensor& logits, const Execution& execution) {
  std::vector<float> x(static_cast<size_t>(count * record.shape().width));
  if (!record.read(at.site, at.layer, first, count, x.data()))
    throw_bad_input({"the residual stream of these tokens is not kept", "residual stream",
                     fmt::format("positions {} to {}", first, first + count - 1),
                     fmt::format("computed positions from {} to {}", record.shape().first,
                                 record.shape().end() - 1),
                     ""});
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  return model.read_out(x.data(), rows, logits, execution);
}

}  // namespace

std::vector<LensSite> lens_sites(const Model& model, bool with_mid) {
  const Network network = model.network();
  std::vector<LensSite> sites{{ResidualSite::kEmbed, 0}};
  for (int64_t layer = model.shape().num_encoder_layers(); layer < std::ssize(network.layers);
       ++layer) {
    if (with_mid) sites.push_back({ResidualSite::kMid, layer});
    if (network.layers[static_cast<size_t>(layer)].has_mlp)
      sites.push_back({ResidualSite::kPost, layer});
  }
  return sites;
}

bool own_logits(Model& model, const ResidualRecord& record, int64_t first, int64_t count,
                Tensor& logits, const Execution& execution) {
  if (const Linear* head = model.network().head; !head || head->out() == 0)
    throw Error::not_supported({fmt::format(
        "The files of the model {} have no output layer for tokens, so there are no logits.",
        model.shape().name)});
  const LensSite last{ResidualSite::kPost, record.shape().num_layers - 1};
  return logits_at(model, record, last, first, count, logits, execution);
}

bool lens_logits(Model& model, const ResidualRecord& record, LensSite at, int64_t first,
                 int64_t count, Tensor& logits, const Execution& execution) {
  require_sum(model, "The logit lens");
  return logits_at(model, record, at, first, count, logits, execution);
}

bool logit_lens(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                int64_t first, int64_t count, bool with_mid, LogitLens& lens,
                const Execution& execution) {
  lens.first = first;
  lens.count = count;
  lens.sites = lens_sites(model, with_mid);
  lens.wanted.resize(static_cast<size_t>(count));
  lens.cells.resize(lens.sites.size() * static_cast<size_t>(count));
  Tensor final, logits;
  std::vector<double> probabilities;
  std::vector<OwnAnswer> own(static_cast<size_t>(std::min(kRowsAtOnce, count)));
  for (int64_t begin = 0; begin < count; begin += kRowsAtOnce) {
    const int64_t rows = std::min(kRowsAtOnce, count - begin);
    if (!lens_logits(model, record, lens.sites.back(), first + begin, rows, final, execution))
      return false;
    const int64_t vocab = final.dim(1);
    const auto row_of = [&](const Tensor& of, int64_t row) {
      return std::span<const float>(of.data<float>() + row * vocab, static_cast<size_t>(vocab));
    };
    const auto for_rows = [&](auto&& work) {
      return traced_parallel_for(
          execution, KernelId::kLogits, rows, rows, 20.0 * static_cast<double>(vocab),
          8.0 * static_cast<double>(vocab), [&](int64_t row, int /*worker*/) { work(row); });
    };
    probabilities.resize(static_cast<size_t>(rows * vocab));
    if (!for_rows([&](int64_t row) {
          OwnAnswer& answer = own[static_cast<size_t>(row)];
          answer.logits = row_of(final, row);
          answer.probabilities =
              std::span(probabilities)
                  .subspan(static_cast<size_t>(row * vocab), answer.logits.size());
          answer.set_probabilities();
          const auto next = static_cast<size_t>(first + begin + row + 1);
          lens.wanted[static_cast<size_t>(begin + row)] =
              next < tokens.size() ? tokens[next]
                                   : static_cast<int32_t>(std::ranges::max_element(answer.logits) -
                                                          answer.logits.begin());
        }))
      return false;
    for (size_t site = 0; site < lens.sites.size(); ++site) {
      const bool is_last = site + 1 == lens.sites.size();
      if (!is_last &&
          !lens_logits(model, record, lens.sites[site], first + begin, rows, logits, execution))
        return false;
      const Tensor& shown = is_last ? final : logits;
      if (!for_rows([&](int64_t row) {
            lens.cells[site * static_cast<size_t>(count) + static_cast<size_t>(begin + row)] =
                cell_of(row_of(shown, row), own[static_cast<size_t>(row)],
                        lens.wanted[static_cast<size_t>(begin + row)]);
          }))
        return false;
    }
  }
  return true;
}

}  // namespace attn
