// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/attention_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace attn {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

void check_length(int64_t length, size_t sequence) {
  if (length < 0)
    throw_bad_input({"a sequence length is negative", fmt::format("sequence {}", sequence),
                     fmt::format("{}", length), "0 or more", ""});
}

int64_t checked_window(int64_t window) {
  if (window < 1)
    throw_bad_input({"the local window is too small", "attention bias", fmt::format("{}", window),
                     "at least 1 key", ""});
  return window;
}

SeqLenInfo one(int64_t length) {
  check_length(length, 0);
  return {{0}, {length}, length};
}

DiagonalRule two_sided(int64_t left, int64_t right) {
  if (left < 0 || right < 0)
    throw_bad_input({"the local window is too small", "attention bias",
                     fmt::format("{} before, {} after", left, right), "0 or more", ""});
  return {false, true, left, right};
}

constexpr DiagonalRule kAll{};
constexpr DiagonalRule kTopLeft{true, false, std::nullopt, std::nullopt};
constexpr DiagonalRule kBottomRight{true, true, std::nullopt, std::nullopt};

}  // namespace

SeqLenInfo SeqLenInfo::from_seqlens(std::span<const int32_t> lens) {
  SeqLenInfo info;
  for (size_t s = 0; s < lens.size(); ++s) {
    check_length(lens[s], s);
    info.starts.push_back(info.total);
    info.lens.push_back(lens[s]);
    info.total += lens[s];
  }
  return info;
}

SeqLenInfo SeqLenInfo::padded(std::span<const int32_t> lens, int64_t padding) {
  SeqLenInfo info;
  for (size_t s = 0; s < lens.size(); ++s) {
    check_length(lens[s], s);
    if (lens[s] > padding)
      throw_bad_input({"a sequence is longer than its padded length", fmt::format("sequence {}", s),
                       fmt::format("{}", lens[s]), fmt::format("at most {}", padding), ""});
    info.starts.push_back(static_cast<int64_t>(s) * padding);
    info.lens.push_back(lens[s]);
  }
  info.total = static_cast<int64_t>(lens.size()) * padding;
  return info;
}

SeqLenInfo SeqLenInfo::gappy(std::span<const int32_t> starts, std::span<const int32_t> lens,
                             int64_t total) {
  if (starts.size() != lens.size())
    throw_bad_input({"the number of starts and the number of lengths differ", "attention bias",
                     fmt::format("{} starts, {} lengths", starts.size(), lens.size()),
                     "one start and one length per sequence", ""});
  SeqLenInfo info;
  info.total = total;
  for (size_t s = 0; s < lens.size(); ++s) {
    check_length(lens[s], s);
    if (starts[s] < 0 || int64_t{starts[s]} + lens[s] > total)
      throw_bad_input({"a sequence's keys lie outside the key tensor",
                       fmt::format("sequence {}", s),
                       fmt::format("keys {} to {}", starts[s], int64_t{starts[s]} + lens[s] - 1),
                       fmt::format("0 to {}", total - 1), ""});
    info.starts.push_back(starts[s]);
    info.lens.push_back(lens[s]);
  }
  return info;
}

Tensor AttentionBias::materialize() const {
  Tensor result(DType::kF32, {num_heads(), num_queries(), num_keys()});
  auto cells = result.span<float>();
  std::fill(cells.begin(), cells.end(), kMasked);
  for (int64_t head = 0; head < num_heads(); ++head)
    for (int64_t query = 0; query < num_queries(); ++query) {
      float* row = result.data<float>() + (head * num_queries() + query) * num_keys();
      const KeySpan keys = visible(query);
      for (int64_t key = keys.begin; key < keys.end; ++key) row[key] = value(head, query, key);
    }
  return result;
}

// --- Block-diagonal masks
BlockDiagonalRule::BlockDiagonalRule(std::string_view name, SeqLenInfo queries, SeqLenInfo keys,
                                     DiagonalRule rule)
    : name_(name), queries_(std::move(queries)), keys_(std::move(keys)), rule_(rule) {
  if (queries_.num_seqs() != keys_.num_seqs())
    throw_bad_input(
        {"the numbers of query lengths and key lengths differ", std::string(name_),
         fmt::format("{} query lengths, {} key lengths", queries_.num_seqs(), keys_.num_seqs()),
         "one query length and one key length per sequence", ""});
}

int64_t BlockDiagonalRule::sequence_of(int64_t query) const {
  const auto after = std::upper_bound(queries_.starts.begin(), queries_.starts.end(), query);
  // An empty sequence may begin where the next one does, so go back over empty ones.
  for (auto s = after - queries_.starts.begin() - 1; s >= 0; --s) {
    const auto i = static_cast<size_t>(s);
    if (query < queries_.starts[i] + queries_.lens[i]) return s;
    if (queries_.lens[i] > 0) return -1;
  }
  return -1;
}

int64_t BlockDiagonalRule::diagonal(int64_t query) const {
  const int64_t sequence = sequence_of(query);
  if (sequence < 0) return 0;
  const auto s = static_cast<size_t>(sequence);
  const int64_t shift = rule_.from_bottom_right ? keys_.lens[s] - queries_.lens[s] : 0;
  return keys_.starts[s] + query - queries_.starts[s] + shift;
}

KeySpan BlockDiagonalRule::visible(int64_t query) const {
  const int64_t sequence = sequence_of(query);
  if (sequence < 0) return {};
  const auto s = static_cast<size_t>(sequence);
  const int64_t first = keys_.starts[s], last = first + keys_.lens[s], center = diagonal(query);
  KeySpan span{first, last};
  if (rule_.before) span.begin = std::max(span.begin, center - *rule_.before);
  if (rule_.causal) span.end = std::min(span.end, center + 1);
  if (rule_.after) span.end = std::min(span.end, center + *rule_.after + 1);
  return span.empty() ? KeySpan{} : span;
}

float BlockDiagonalRule::value(int64_t /*head*/, int64_t query, int64_t key) const {
  const KeySpan span = visible(query);
  return key >= span.begin && key < span.end ? 0.0f : kMasked;
}

size_t BlockDiagonalRule::bytes() const {
  return sizeof *this +
         (queries_.starts.size() + queries_.lens.size() + keys_.starts.size() + keys_.lens.size()) *
             sizeof(int64_t);
}

LowerTriangularMask::LowerTriangularMask(int64_t num_queries, int64_t num_keys)
    : BlockDiagonalRule("LowerTriangularMask", one(num_queries), one(num_keys), kTopLeft) {}

LowerTriangularFromBottomRightMask::LowerTriangularFromBottomRightMask(int64_t num_queries,
                                                                       int64_t num_keys)
    : BlockDiagonalRule("LowerTriangularFromBottomRightMask", one(num_queries), one(num_keys),
                        kBottomRight) {}

LowerTriangularFromBottomRightLocalAttentionMask::LowerTriangularFromBottomRightLocalAttentionMask(
    int64_t num_queries, int64_t num_keys, int64_t window)
    : BlockDiagonalRule("LowerTriangularFromBottomRightLocalAttentionMask", one(num_queries),
                        one(num_keys), DiagonalRule::window(checked_window(window), true)) {}

LocalAttentionFromBottomRightMask::LocalAttentionFromBottomRightMask(int64_t num_queries,
                                                                     int64_t num_keys,
                                                                     int64_t window_left,
                                                                     int64_t window_right)
    : BlockDiagonalRule("LocalAttentionFromBottomRightMask", one(num_queries), one(num_keys),
                        two_sided(window_left, window_right)) {}

NoMask::NoMask(int64_t num_queries, int64_t num_keys)
    : BlockDiagonalRule("NoMask", one(num_queries), one(num_keys), kAll) {}

BlockDiagonalMask::BlockDiagonalMask(std::span<const int32_t> q_seqlens,
                                     std::span<const int32_t> kv_seqlens)
    : BlockDiagonalRule("BlockDiagonalMask", SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::from_seqlens(kv_seqlens), kAll) {}

BlockDiagonalCausalMask::BlockDiagonalCausalMask(std::span<const int32_t> q_seqlens,
                                                 std::span<const int32_t> kv_seqlens)
    : BlockDiagonalRule("BlockDiagonalCausalMask", SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::from_seqlens(kv_seqlens), kTopLeft) {}

BlockDiagonalCausalFromBottomRightMask::BlockDiagonalCausalFromBottomRightMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens)
    : BlockDiagonalRule("BlockDiagonalCausalFromBottomRightMask",
                        SeqLenInfo::from_seqlens(q_seqlens), SeqLenInfo::from_seqlens(kv_seqlens),
                        kBottomRight) {
  for (size_t s = 0; s < q_seqlens.size(); ++s)
    if (q_seqlens[s] > kv_seqlens[s])
      throw_bad_input(
          {"a sequence has more queries than keys", fmt::format("sequence {}", s),
           fmt::format("{} queries, {} keys", q_seqlens[s], kv_seqlens[s]),
           "no more queries than keys, because the last query has the position of the last key",
           ""});
}

BlockDiagonalCausalLocalAttentionMask::BlockDiagonalCausalLocalAttentionMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens, int64_t window)
    : BlockDiagonalRule("BlockDiagonalCausalLocalAttentionMask",
                        SeqLenInfo::from_seqlens(q_seqlens), SeqLenInfo::from_seqlens(kv_seqlens),
                        DiagonalRule::window(checked_window(window), false)) {}

BlockDiagonalCausalLocalAttentionFromBottomRightMask::
    BlockDiagonalCausalLocalAttentionFromBottomRightMask(std::span<const int32_t> q_seqlens,
                                                         std::span<const int32_t> kv_seqlens,
                                                         int64_t window)
    : BlockDiagonalRule("BlockDiagonalCausalLocalAttentionFromBottomRightMask",
                        SeqLenInfo::from_seqlens(q_seqlens), SeqLenInfo::from_seqlens(kv_seqlens),
                        DiagonalRule::window(checked_window(window), true)) {}

BlockDiagonalPaddedKeysMask::BlockDiagonalPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                                         std::span<const int32_t> kv_seqlens,
                                                         int64_t kv_padding)
    : BlockDiagonalRule("BlockDiagonalPaddedKeysMask", SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::padded(kv_seqlens, kv_padding), kAll) {}

BlockDiagonalCausalWithOffsetPaddedKeysMask::BlockDiagonalCausalWithOffsetPaddedKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens, int64_t kv_padding)
    : BlockDiagonalRule("BlockDiagonalCausalWithOffsetPaddedKeysMask",
                        SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::padded(kv_seqlens, kv_padding), kBottomRight) {}

BlockDiagonalCausalLocalAttentionPaddedKeysMask::BlockDiagonalCausalLocalAttentionPaddedKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens, int64_t kv_padding,
    int64_t window)
    : BlockDiagonalRule("BlockDiagonalCausalLocalAttentionPaddedKeysMask",
                        SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::padded(kv_seqlens, kv_padding),
                        DiagonalRule::window(checked_window(window), true)) {}

BlockDiagonalLocalAttentionPaddedKeysMask::BlockDiagonalLocalAttentionPaddedKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens, int64_t kv_padding,
    int64_t window_left, int64_t window_right)
    : BlockDiagonalRule(
          "BlockDiagonalLocalAttentionPaddedKeysMask", SeqLenInfo::from_seqlens(q_seqlens),
          SeqLenInfo::padded(kv_seqlens, kv_padding), two_sided(window_left, window_right)) {}

BlockDiagonalGappyKeysMask::BlockDiagonalGappyKeysMask(std::span<const int32_t> q_seqlens,
                                                       std::span<const int32_t> kv_starts,
                                                       std::span<const int32_t> kv_seqlens,
                                                       int64_t num_keys)
    : BlockDiagonalRule("BlockDiagonalGappyKeysMask", SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::gappy(kv_starts, kv_seqlens, num_keys), kAll) {}

BlockDiagonalCausalWithOffsetGappyKeysMask::BlockDiagonalCausalWithOffsetGappyKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_starts,
    std::span<const int32_t> kv_seqlens, int64_t num_keys)
    : BlockDiagonalRule("BlockDiagonalCausalWithOffsetGappyKeysMask",
                        SeqLenInfo::from_seqlens(q_seqlens),
                        SeqLenInfo::gappy(kv_starts, kv_seqlens, num_keys), kBottomRight) {}

// --- Paged masks
PagedMask::PagedMask(std::string_view name, std::shared_ptr<const BlockDiagonalRule> logical,
                     std::span<const int32_t> block_tables, int64_t max_blocks_per_seq,
                     int64_t page_size)
    : name_(name),
      logical_(std::move(logical)),
      block_tables_(block_tables.begin(), block_tables.end()),
      max_blocks_per_seq_(max_blocks_per_seq),
      page_size_(page_size) {
  const int64_t wanted = logical_->keys().num_seqs() * max_blocks_per_seq;
  if (static_cast<int64_t>(block_tables.size()) != wanted || page_size < 1)
    throw_bad_input({"block tables do not fit the sequences", std::string(name),
                     fmt::format("{} entries, pages of {}", block_tables.size(), page_size),
                     fmt::format("{} entries, pages of 1 or more", wanted), ""});
  int32_t last = -1;
  for (const int32_t block : block_tables_) last = std::max(last, block);
  num_slots_ = (int64_t{last} + 1) * page_size_;
}

int64_t PagedMask::slot_of(int64_t sequence, int64_t key) const {
  const int32_t block =
      block_tables_[static_cast<size_t>(sequence * max_blocks_per_seq_ + key / page_size_)];
  return block < 0 ? -1 : int64_t{block} * page_size_ + key % page_size_;
}

KeySpan PagedMask::visible(int64_t query) const {
  const int64_t sequence = logical_->sequence_of(query);
  const KeySpan keys = logical_->visible(query);
  if (sequence < 0 || keys.empty()) return {};
  const int64_t start = logical_->keys().starts[static_cast<size_t>(sequence)];
  KeySpan slots{num_slots_, 0};
  for (int64_t key = keys.begin; key < keys.end; ++key) {
    const int64_t slot = slot_of(sequence, key - start);
    if (slot < 0) continue;
    slots.begin = std::min(slots.begin, slot);
    slots.end = std::max(slots.end, slot + 1);
  }
  return slots.empty() ? KeySpan{} : slots;
}

float PagedMask::value(int64_t head, int64_t query, int64_t slot) const {
  const int64_t sequence = logical_->sequence_of(query);
  if (sequence < 0) return kMasked;
  const int64_t start = logical_->keys().starts[static_cast<size_t>(sequence)];
  for (int64_t page = 0; page < max_blocks_per_seq_; ++page) {
    if (slot_of(sequence, page * page_size_) != slot / page_size_ * page_size_) continue;
    const float found = logical_->value(head, query, start + page * page_size_ + slot % page_size_);
    if (found != kMasked) return found;
  }
  return kMasked;
}

size_t PagedMask::bytes() const {
  return sizeof *this + logical_->bytes() + block_tables_.size() * sizeof(int32_t);
}

PagedBlockDiagonalPaddedKeysMask::PagedBlockDiagonalPaddedKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens,
    std::span<const int32_t> block_tables, int64_t max_blocks_per_seq, int64_t page_size)
    : PagedMask("PagedBlockDiagonalPaddedKeysMask",
                std::make_shared<BlockDiagonalPaddedKeysMask>(q_seqlens, kv_seqlens,
                                                              max_blocks_per_seq * page_size),
                block_tables, max_blocks_per_seq, page_size) {}

PagedBlockDiagonalCausalWithOffsetPaddedKeysMask::PagedBlockDiagonalCausalWithOffsetPaddedKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens,
    std::span<const int32_t> block_tables, int64_t max_blocks_per_seq, int64_t page_size)
    : PagedMask("PagedBlockDiagonalCausalWithOffsetPaddedKeysMask",
                std::make_shared<BlockDiagonalCausalWithOffsetPaddedKeysMask>(
                    q_seqlens, kv_seqlens, max_blocks_per_seq * page_size),
                block_tables, max_blocks_per_seq, page_size) {}

PagedBlockDiagonalCausalLocalPaddedKeysMask::PagedBlockDiagonalCausalLocalPaddedKeysMask(
    std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens,
    std::span<const int32_t> block_tables, int64_t max_blocks_per_seq, int64_t page_size,
    int64_t window)
    : PagedMask("PagedBlockDiagonalCausalLocalPaddedKeysMask",
                std::make_shared<BlockDiagonalCausalLocalAttentionPaddedKeysMask>(
                    q_seqlens, kv_seqlens, max_blocks_per_seq * page_size, window),
                block_tables, max_blocks_per_seq, page_size) {}

// --- Biases
AlibiBias::AlibiBias(BiasPtr mask, std::span<const float> slopes)
    : mask_(std::move(mask)), slopes_(slopes.begin(), slopes.end()) {}

float AlibiBias::value(int64_t head, int64_t query, int64_t key) const {
  const float masked = mask_->value(0, query, key);
  return masked +
         slopes_[static_cast<size_t>(head)] * static_cast<float>(key - mask_->diagonal(query));
}

TensorBias::TensorBias(BiasPtr mask, std::shared_ptr<const Tensor> bias)
    : mask_(std::move(mask)), bias_(std::move(bias)) {
  const DType dtype = bias_->dtype();
  const bool typed = dtype == DType::kF32 || dtype == DType::kBF16 || dtype == DType::kF16;
  if (!typed || bias_->rank() != 3 || bias_->dim(1) != mask_->num_queries() ||
      bias_->dim(2) < mask_->num_keys())
    throw_bad_input({"the bias tensor does not fit its mask", "attention bias",
                     fmt::format("{} {}", name_of(bias_->dtype()), to_string(bias_->shape())),
                     fmt::format("f32, bf16 or f16 [heads or 1, {}, {} or more]",
                                 mask_->num_queries(), mask_->num_keys()),
                     ""});
}

float TensorBias::value(int64_t head, int64_t query, int64_t key) const {
  return mask_->value(0, query, key) + element(*bias_, head, query, key);
}

namespace {

BiasPtr triangle_of(const Tensor& bias, std::optional<int64_t> num_keys = std::nullopt) {
  if (bias.rank() != 3)
    throw_bad_input({"the bias tensor has the wrong rank", "attention bias",
                     to_string(bias.shape()), "[heads or 1, queries, keys]", ""});
  return std::make_shared<LowerTriangularMask>(bias.dim(1), num_keys.value_or(bias.dim(2)));
}

}  // namespace

LowerTriangularMaskWithTensorBias::LowerTriangularMaskWithTensorBias(
    std::shared_ptr<const Tensor> bias)
    : TensorBias(triangle_of(*bias), bias) {}

LowerTriangularMaskWithTensorBias::LowerTriangularMaskWithTensorBias(
    std::shared_ptr<const Tensor> bias, int64_t num_keys)
    : TensorBias(triangle_of(*bias, num_keys), bias) {}

double SoftCap::operator()(double score) const {
  return cap > 0 ? cap * std::tanh(score / cap) : score;
}

std::vector<float> standard_alibi_slopes(int64_t num_heads) {
  if (num_heads < 1)
    throw_bad_input(
        {"there are no heads", "ALiBi slopes", fmt::format("{}", num_heads), "1 or more", ""});
  int64_t power = 1;
  while (power * 2 <= num_heads) power *= 2;
  std::vector<float> slopes;
  const auto slope = [](int64_t i, int64_t heads) {
    return static_cast<float>(
        std::exp2(-8.0 * static_cast<double>(i) / static_cast<double>(heads)));
  };
  for (int64_t i = 1; i <= power; ++i) slopes.push_back(slope(i, power));
  for (int64_t i = 1; static_cast<int64_t>(slopes.size()) < num_heads; i += 2)
    slopes.push_back(slope(i, 2 * power));
  return slopes;
}

namespace {

template <class T>
float rounded_position(int64_t position) {
  return to_f32(from_f32<T>(static_cast<float>(position)));
}
// query, key: rounded positions.
template <class T>
T alibi_cell(float slope, float query, float key) {
  return from_f32<T>(slope * to_f32(from_f32<T>(key - query)));
}

template <class T>
void fill_alibi(std::span<const float> slopes, int64_t len, int64_t columns, T* to) {
  std::vector<float> positions;
  for (int64_t i = 0; i < len; ++i) positions.push_back(rounded_position<T>(i));
  for (const float slope : slopes)
    for (const float query : positions) {
      for (const float key : positions) *to++ = alibi_cell<T>(slope, query, key);
      to = std::fill_n(to, columns - len, from_f32<T>(0.0f));
    }
}

}  // namespace

Tensor alibi_tensor(std::span<const float> slopes, int64_t len, int64_t columns, DType dtype) {
  Tensor tensor(dtype, {static_cast<int64_t>(slopes.size()), len, columns});
  switch (dtype) {
    case DType::kF32:
      fill_alibi(slopes, len, columns, tensor.data<float>());
      break;
    case DType::kBF16:
      fill_alibi(slopes, len, columns, tensor.data<BFloat16>());
      break;
    case DType::kF16:
      fill_alibi(slopes, len, columns, tensor.data<Float16>());
      break;
    default:
      throw_bad_input({"ALiBi tensors have no such type", "attention bias",
                       std::string(name_of(dtype)), "f32, bf16 or f16", ""});
  }
  return tensor;
}

float alibi_element(float slope, int64_t query, int64_t key, DType dtype) {
  const auto cell = [&]<class T>(T) {
    return to_f32(alibi_cell<T>(slope, rounded_position<T>(query), rounded_position<T>(key)));
  };
  if (dtype == DType::kBF16) return cell(BFloat16{});
  if (dtype == DType::kF16) return cell(Float16{});
  return cell(float{});
}

float element(const Tensor& tensor, int64_t head, int64_t row, int64_t column) {
  const int64_t at = (head * tensor.dim(1) + row) * tensor.dim(2) + column;
  switch (tensor.dtype()) {
    case DType::kBF16:
      return to_f32(tensor.data<BFloat16>()[at]);
    case DType::kF16:
      return to_f32(tensor.data<Float16>()[at]);
    default:
      return tensor.data<float>()[at];
  }
}

bool sees_key(const BlockSparse& sparse, int64_t head, int64_t query, int64_t key) {
  const int64_t query_block = query / sparse.block_size, key_block = key / sparse.block_size;
  return key_block > query_block - sparse.local_blocks ||
         (key_block + head * sparse.head_sliding_step + 1) % sparse.vert_stride == 0;
}

namespace {

// A mask of one sequence, for rules that have no named type.
class SequenceMask final : public BlockDiagonalRule {
 public:
  SequenceMask(int64_t num_queries, int64_t num_keys, DiagonalRule rule)
      : BlockDiagonalRule("SequenceMask", one(num_queries), one(num_keys), rule) {}
};

BiasPtr sequence_mask(const AttentionConfig& config, int64_t query_len, int64_t kv_len) {
  if (config.attn_type == AttentionType::kDecoder) {
    if (config.sliding_window)
      return std::make_shared<LowerTriangularFromBottomRightLocalAttentionMask>(
          query_len, kv_len, *config.sliding_window);
    return std::make_shared<LowerTriangularFromBottomRightMask>(query_len, kv_len);
  }
  if (config.sliding_window)
    return std::make_shared<SequenceMask>(
        query_len, kv_len, DiagonalRule{false, false, *config.sliding_window - 1, std::nullopt});
  return std::make_shared<NoMask>(query_len, kv_len);
}

}  // namespace

BiasPtr make_sequence_bias(const AttentionConfig& config, int64_t query_len, int64_t kv_len) {
  BiasPtr mask = sequence_mask(config, query_len, kv_len);
  if (!config.alibi_slopes) return mask;
  return std::make_shared<AlibiBias>(std::move(mask), *config.alibi_slopes);
}

}  // namespace attn
