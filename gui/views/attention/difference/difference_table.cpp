// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "engine/session/report/report.h"
#include "gui/views/attention/cell_numbers.h"
#include "gui/views/attention/row_cut.h"

namespace attn::gui {
namespace {

// The weights of kSumRows rows of one run.
class PairRows {
 public:
  explicit PairRows(const PairSide& side)
      : side_(side), numbers_(side.head), columns_(side.head.columns()) {}

  void read(int64_t first) {
    first_ = first;
    const int64_t count = std::clamp<int64_t>(side_.head.rows - first, 0, kSumRows);
    done_.assign(static_cast<size_t>(count), false);
    if (count == 0 || columns_ == 0) return;
    for (int64_t row = 0; row < count; ++row)
      done_[static_cast<size_t>(row)] = side_.row_done(first + row);
    weights_.resize(static_cast<size_t>(count * columns_));
    numbers_.cells(first, count, 0, columns_, weights_.data());
  }
  std::optional<float> at(int64_t query, int64_t key) const {
    const int64_t row = query - first_;
    if (row >= std::ssize(done_) || key >= columns_ || !done_[static_cast<size_t>(row)] ||
        !side_.head.sees(query, key))
      return std::nullopt;
    return weights_[static_cast<size_t>(row * columns_ + key)];
  }

 private:
  const PairSide& side_;
  CellNumbers numbers_;
  int64_t columns_, first_ = 0;
  std::vector<bool> done_;
  std::vector<float> weights_;
};

std::string token_cell(const PairTokens& tokens, int64_t position) {
  const TokenView* token = token_in(tokens, position);
  return token ? csv_cell(token->text) : std::string();
}

std::string number_cell(const std::optional<float>& number) {
  return number ? format_float(*number) : std::string();
}

}  // namespace

QByteArray difference_csv(const RunPair& pair) {
  std::string csv =
      "request,layer,head,query,key,query_token,key_token,other_query_token,other_key_token,weight,"
      "other_weight,difference\n";
  if (pair.is_empty()) return QByteArray::fromStdString(csv);
  const int64_t rows = pair.rows(), columns = pair.columns();
  const bool whole = std::max(rows, columns) <= kMostListedSide;
  RowCut cut;
  if (!whole) cut.least = kLeastListed;
  std::vector<std::string> keys, other_keys;
  for (int64_t key = 0; key < columns; ++key) {
    keys.push_back(token_cell(pair.here.key_tokens, key));
    other_keys.push_back(token_cell(pair.beside.key_tokens, key));
  }
  PairRows here(pair.here), beside(pair.beside);
  for (int64_t query = 0; query < rows; ++query) {
    if (query % kSumRows == 0) {
      here.read(query);
      beside.read(query);
    }
    const std::string token = token_cell(pair.here.tokens, query),
                      other_token = token_cell(pair.beside.tokens, query);
    for (int64_t key = 0; key < columns; ++key) {
      const std::optional<float> a = here.at(query, key), b = beside.at(query, key);
      std::optional<float> difference;
      if (a && b) difference = *a - *b;
      const bool listed =
          difference ? cut.keeps(*difference, key) : whole && (a.has_value() || b.has_value());
      if (!listed) continue;
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{},{},{}\n", pair.request,
                     pair.layer(), pair.head(), query, key, token, keys[static_cast<size_t>(key)],
                     other_token, other_keys[static_cast<size_t>(key)], number_cell(a),
                     number_cell(b), number_cell(difference));
    }
  }
  return QByteArray::fromStdString(csv);
}

}  // namespace attn::gui
