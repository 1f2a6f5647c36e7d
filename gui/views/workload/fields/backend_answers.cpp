// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/backend_answers.h"

#include <QStringList>
#include <array>
#include <vector>

#include "engine/attention/cache_type/cache_dtype.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

constexpr int64_t kBlockSize = 16;  // tokens
constexpr std::array<int32_t, 2> kBlocks{0, 1};

AttentionConfig plain_layer(bool extended) {
  AttentionConfig config;
  config.num_heads = config.num_kv_heads = 1;
  config.head_size = 128;
  config.scale = 1;
  config.dtype = DType::kF32;
  config.extended = extended;
  return config;
}

bool refuses(const AttentionBackend& backend, const Feature& feature, bool extended) {
  AttentionConfig config = plain_layer(extended);
  const size_t reasons = backend.not_supported_reasons(config).size();
  feature(config);
  return backend.not_supported_reasons(config).size() > reasons;
}

bool refuses(const AttentionBackend& backend, const std::vector<SequenceSlice>& slices,
             bool extended) {
  const auto metadata = backend.make_metadata();
  build_metadata(slices, kBlockSize, *metadata);
  return !batch_not_supported_reasons(backend, plain_layer(extended), *metadata).empty();
}

SequenceSlice prompt(int64_t context_len) {
  SequenceSlice slice;
  slice.context_len = context_len;
  slice.query_len = kBlockSize;
  slice.is_prefill = true;
  slice.block_table = kBlocks;
  return slice;
}

SequenceSlice decode() {
  SequenceSlice slice;
  slice.context_len = kBlockSize;
  slice.query_len = 1;
  slice.block_table = kBlocks;
  return slice;
}

// Whether the option Extended, and only it, makes the backend compute this.
template <class Asked>
bool needs_extended(const AttentionBackend& backend, const Asked& asked) {
  return refuses(backend, asked, false) && !refuses(backend, asked, true);
}

template <class Asked>
QStringList backends_that_need_extended(const Asked& asked) {
  QStringList names;
  for (const AttentionBackend* backend : registered_backends())
    if (needs_extended(*backend, asked)) names.push_back(text_of(backend->name()));
  return names;
}

// The names with the cache types: "torch_sdpa (bf16, fp8_e4m3)".
QStringList backends_that_need_extended_for_caches() {
  QStringList names;
  for (const AttentionBackend* backend : registered_backends()) {
    QStringList types;
    for (const std::string& name : cache_dtype_names()) {
      const auto dtype = cache_dtype_from_name(name);
      // "auto" and second names of a type are skipped.
      if (!dtype || cache_dtype_name(*dtype) != name) continue;
      const DType model = dtype == DType::kF32 ? DType::kBF16 : DType::kF32;
      if (needs_extended(*backend, Feature([&](AttentionConfig& config) {
            set_cache_dtype(config, name, model, "kv_cache_dtype");
          })))
        types.push_back(text_of(name));
    }
    if (!types.isEmpty())
      names.push_back(QStringLiteral("%1 (%2)").arg(text_of(backend->name()),
                                                    types.join(QStringLiteral(", "))));
  }
  return names;
}

// text: a sentence with %1 for the names.
void add_sentence(QStringList& sentences, const QString& text, const QStringList& names) {
  if (!names.isEmpty()) sentences.push_back(text.arg(names.join(QStringLiteral(", "))));
}

}  // namespace

QString words_on(const Feature& feature, bool BackendCapabilities::*ignored) {
  QStringList compute, extended, ignore, refuse;
  for (const AttentionBackend* backend : registered_backends()) {
    QStringList& group = !refuses(*backend, feature, false)            ? compute
                         : !needs_extended(*backend, feature)          ? refuse
                         : ignored && backend->capabilities().*ignored ? ignore
                                                                       : extended;
    group.push_back(text_of(backend->name()));
  }
  QStringList sentences;
  add_sentence(sentences, tr("Backends that compute it: %1."), compute);
  add_sentence(sentences, tr("Backends that refuse it unless Extended is on: %1."), extended);
  add_sentence(sentences, tr("Backends that refuse it, or ignore it if Extended is on: %1."),
               ignore);
  add_sentence(sentences, tr("Backends that refuse it: %1."), refuse);
  return sentences.join(u' ');
}

QString words_on_extended() {
  QStringList sentences;
  add_sentence(sentences, tr("Chunks of prompts: %1."),
               backends_that_need_extended(
                   Feature([](AttentionConfig& config) { config.chunked_prefill = true; })));
  add_sentence(sentences, tr("Prompts with cached tokens: %1."),
               backends_that_need_extended(std::vector{prompt(kBlockSize)}));
  add_sentence(sentences, tr("Mixed batches: %1."),
               backends_that_need_extended(std::vector{prompt(0), decode()}));
  add_sentence(sentences, tr("Cache types other than auto: %1."),
               backends_that_need_extended_for_caches());
  QStringList ignore_cap;
  for (const AttentionBackend* backend : registered_backends())
    if (backend->capabilities().ignores_soft_cap) ignore_cap.push_back(text_of(backend->name()));
  add_sentence(sentences, tr("A soft cap, which is ignored with a warning: %1."), ignore_cap);
  return sentences.join(u' ');
}

}  // namespace attn::gui
