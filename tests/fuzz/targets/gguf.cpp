// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `gguf`: a GGUF file, or the two parts of a split one, is read as a container and,
// where no problem is found, loaded as a model whose tokenizer is used.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/model/files/gguf.h"
#include "engine/model/gguf/gguf_tokenizer.h"
#include "engine/model/load_model.h"
#include "engine/model/quants/ggml_type.h"
#include "engine/model/tokenizer/tokenizer_parse.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/gguf_parts.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/fuzz/targets/tokenizer_seeds.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

constexpr int64_t kMostModelMemory = int64_t{64} << 20;  // bytes
// Stands between the two parts of a split model.
constexpr std::string_view kNextPart = "\nthe next part\n";

bool use_gguf(const std::filesystem::path& file) {
  const GgufFile gguf = GgufFile::open(file);
  GgufFile::part_files(file);
  for (const GgufValue& value : gguf.metadata().values()) GgufMetadata::shown(value);
  for (const GgufTensor& tensor : gguf.tensors())
    if (tensor.type->is_read()) gguf.read(tensor);
  const ModelCheck check = check_model(file, kMostModelMemory);
  if (!check.problems.empty()) {
    check.problems.error();
    return true;  // the container is good
  }
  const std::unique_ptr<Model> model = load_model(file, {}, {}, 1);
  const std::vector<int32_t> ids = model->encode("ab a");
  model->decode(ids);
  use_tokenizer(model->tokenizer());
  // A folder that the file is converted to has the vocabulary as a tokenizer.json.
  const nlohmann::json document = tokenizer_json_of(gguf.metadata());
  use_tokenizer(tokenizer_from_json(document, "tokenizer.json"));
  return true;
}

// A file without the ending .gguf is known by its first letters.
bool run_gguf(std::string_view bytes) {
  static ScratchFile single(scratch_folder() / "input"),
      first(scratch_folder() / "input-00001-of-00002.gguf"),
      second(scratch_folder() / "input-00002-of-00002.gguf");
  const size_t end = bytes.find(kNextPart);
  const bool is_split = end != bytes.npos;
  (is_split ? first : single).put(bytes.substr(0, end));
  if (is_split) second.put(bytes.substr(end + kNextPart.size()));
  try {
    return use_gguf((is_split ? first : single).path());
  } catch (const Error&) {
    return false;
  }
}

using enum GgufType;
using Keys = std::vector<GgufKey>;

GgufKey u32(const char* name, double number) {
  return number_key_of(name, kU32, number);
}

// A vocabulary of the given kind, with the scores that some kinds need.
Keys vocabulary(const char* model, std::vector<std::string> tokens,
                const std::vector<double>& kinds) {
  std::vector<double> scores;
  while (scores.size() < tokens.size()) scores.push_back(-static_cast<double>(scores.size()) / 2);
  Keys keys = {text_key_of("tokenizer.ggml.model", model),
               texts_key_of("tokenizer.ggml.tokens", std::move(tokens)),
               numbers_key_of("tokenizer.ggml.scores", kF32, scores),
               u32("tokenizer.ggml.bos_token_id", 1), u32("tokenizer.ggml.eos_token_id", 2)};
  if (!kinds.empty()) keys.push_back(numbers_key_of("tokenizer.ggml.token_type", kI32, kinds));
  return keys;
}

Keys byte_pairs(const char* rule) {
  Keys keys = vocabulary("gpt2", {"a", "<s>", "</s>", "b", "ab", "\u0120", "\u0120ab", "<x>"},
                         {1, 3, 3, 1, 1, 1, 1, 4});
  keys.push_back(text_key_of("tokenizer.ggml.pre", rule));
  keys.push_back(texts_key_of("tokenizer.ggml.merges", {"a b", "\u0120 ab"}));
  keys.push_back(number_key_of("tokenizer.ggml.add_space_prefix", kBool, 1));
  keys.push_back(number_key_of("tokenizer.ggml.add_eos_token", kBool, 1));
  return keys;
}

Keys word_pieces() {
  Keys keys = vocabulary(
      "bert", {"[UNK]", "[CLS]", "[SEP]", "\u2581a", "b", "\u2581ab", "\u2581b", "a"}, {});
  keys.push_back(u32("tokenizer.ggml.unknown_token_id", 0));
  keys.push_back(u32("tokenizer.ggml.cls_token_id", 1));
  keys.push_back(u32("tokenizer.ggml.seperator_token_id", 2));
  return keys;
}

Keys unigram() {
  Keys keys = vocabulary("t5", {"<pad>", "</s>", "<unk>", "\u2581", "a", "b", "ab", "<x>"},
                         {3, 3, 2, 1, 1, 1, 1, 4});
  keys.push_back(number_key_of("tokenizer.ggml.add_space_prefix", kBool, 0));
  keys.push_back(number_key_of("tokenizer.ggml.remove_extra_whitespaces", kBool, 0));
  GgufKey table = numbers_key_of("tokenizer.ggml.precompiled_charsmap", kU8, {});
  for (const char byte : small_charsmap()) table.values.emplace_back(1, byte);
  keys.push_back(std::move(table));
  return keys;
}

// A Llama with 8 tokens, 1 layer of 4 heads, and matrices of the given types, one after another.
GgufParts small_llama(Keys keys, const std::vector<uint32_t>& types, bool is_fused) {
  constexpr uint64_t kVocabulary = 8, kWidth = 32;
  GgufParts parts{.keys = std::move(keys)};
  for (GgufKey& key : Keys{
           text_key_of("general.architecture", "llama"), u32("llama.embedding_length", kWidth),
           numbers_key_of("llama.feed_forward_length", kI32, {kWidth}), u32("llama.block_count", 1),
           number_key_of("llama.context_length", kU64, 64), u32("llama.attention.head_count", 4),
           number_key_of("llama.attention.head_count_kv", kU8, 2),
           u32("llama.rope.dimension_count", 8), text_key_of("llama.rope.scaling.type", "none"),
           number_key_of("llama.attention.layer_norm_rms_epsilon", kF64, 1e-5)})
    parts.keys.push_back(std::move(key));
  size_t next = 0;
  const auto matrix = [&](const char* name, uint64_t rows) {
    parts.tensors.push_back(tensor_of(name, {kWidth, rows}, types[next++ % types.size()]));
  };
  matrix("token_embd.weight", kVocabulary);
  matrix("output.weight", kVocabulary);
  if (is_fused) {
    matrix("blk.0.attn_qkv.weight", 2 * kWidth);
  } else {
    matrix("blk.0.attn_q.weight", kWidth);
    matrix("blk.0.attn_k.weight", kWidth / 2);
    matrix("blk.0.attn_v.weight", kWidth / 2);
  }
  for (const char* name : {"attn_output", "ffn_gate", "ffn_up", "ffn_down"})
    matrix(("blk.0." + std::string(name) + ".weight").c_str(), kWidth);
  for (const char* name : {"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"})
    parts.tensors.push_back(tensor_of(name, {kWidth}));
  return parts;
}

// A GPT-2 whose matrices have f64 numbers.
GgufParts small_gpt2() {
  constexpr uint64_t kVocabulary = 8, kWidth = 4;
  constexpr uint32_t kF64Type = 28;
  GgufParts parts{.keys = byte_pairs("default")};
  for (GgufKey& key :
       Keys{text_key_of("general.architecture", "gpt2"), u32("gpt2.embedding_length", kWidth),
            u32("gpt2.feed_forward_length", 8), u32("gpt2.block_count", 1),
            u32("gpt2.context_length", 16), u32("gpt2.attention.head_count", 2),
            number_key_of("gpt2.attention.layer_norm_epsilon", kF32, 1e-5)})
    parts.keys.push_back(std::move(key));
  const auto matrix = [&](const std::string& name, uint64_t columns, uint64_t rows) {
    parts.tensors.push_back(tensor_of(name + ".weight", {columns, rows}, kF64Type));
    if (name.starts_with("blk.")) parts.tensors.push_back(tensor_of(name + ".bias", {rows}));
  };
  matrix("token_embd", kWidth, kVocabulary);
  matrix("position_embd", kWidth, 16);
  matrix("blk.0.attn_qkv", kWidth, 3 * kWidth);
  matrix("blk.0.attn_output", kWidth, kWidth);
  matrix("blk.0.ffn_up", kWidth, 8);
  matrix("blk.0.ffn_down", 8, kWidth);
  for (const std::string name : {"output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"})
    for (const char* ending : {".weight", ".bias"})
      parts.tensors.push_back(tensor_of(name + ending, {kWidth}));
  return parts;
}

// All types of values and of tensors, and another alignment than usual.
GgufParts all_types() {
  GgufParts parts{.keys = {u32("general.alignment", 64)}};
  for (const GgufType type : {kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kU64, kI64, kF64}) {
    const std::string name = name_of(type);
    parts.keys.push_back(number_key_of("one." + name, type, 1));
    parts.keys.push_back(numbers_key_of("some." + name, type, {0, 1, 1}));
  }
  for (uint32_t type = 0; type <= 41; ++type)
    if (ggml_type(type))
      parts.tensors.push_back(tensor_of("tensor." + std::to_string(type), {256}, type));
  return parts;
}

std::vector<Seed> small_seeds() {
  constexpr uint32_t kF32Type = 0;
  const auto llama = [](Keys keys) { return small_llama(std::move(keys), {kF32Type}, false); };
  GgufParts window = llama(byte_pairs("qwen2"));
  window.keys.push_back(u32("llama.attention.sliding_window", 8));
  GgufParts first = llama(word_pieces()), second;
  for (GgufParts* part : {&first, &second}) {
    part->keys.push_back(number_key_of("split.count", kU16, 2));
    part->keys.push_back(number_key_of("split.no", kU16, part == &second ? 1 : 0));
  }
  first.keys.push_back(
      number_key_of("split.tensors.count", kI32, static_cast<double>(first.tensors.size())));
  while (first.tensors.size() > 4) {
    second.tensors.push_back(std::move(first.tensors.back()));
    first.tensors.pop_back();
  }
  return {{"byte-pairs", llama(byte_pairs("llama-bpe")).bytes()},
          {"gpt2-f64", small_gpt2().bytes()},
          {"quantised", small_llama(unigram(), {2, 6, 8, 20, 3, 7, 30, 1, 28}, true).bytes()},
          {"split", first.bytes() + std::string(kNextPart) + second.bytes()},
          {"types", all_types().bytes()},
          {"window", window.bytes()},
          {"word-pieces", llama(word_pieces()).bytes()}};
}

// What a file has in addition to its golden one.
void add_rare(const std::string& name, GgufParts& parts) {
  if (name == "mpt") parts.keys.push_back(number_key_of("mpt.attention.clamp_kqv", kF32, 3));
  if (name == "gemma3") parts.keys.push_back(u32("gemma3.attention.sliding_window_pattern", 2));
  if (name != "phi3") return;
  parts.keys.push_back(text_key_of("phi3.rope.scaling.type", "longrope"));
  parts.keys.push_back(u32("phi3.rope.scaling.original_context_length", 16));
  parts.keys.push_back(number_key_of("phi3.rope.scaling.attn_factor", kF32, 1));
  const auto number = [&](const char* key) {
    return static_cast<unsigned char>(parts.find(key)->values[0][0]);  // small ones
  };
  const uint64_t pairs = number("phi3.embedding_length") / number("phi3.attention.head_count") / 2;
  for (const char* kind : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
    parts.tensors.push_back(tensor_of(kind, {pairs}));
    for (size_t i = 0; i < parts.tensors.back().data.size(); i += 4)
      parts.tensors.back().data.replace(i, 4, "\0\0\x80\x3f", 4);  // 1.0
  }
}

// The files that gguf-py wrote, some with more keys, and small ones.
std::vector<Seed> gguf_seeds() {
  std::vector<Seed> seeds = small_seeds();
  const auto folder = std::filesystem::path(ATTN_SOURCE_DIR) / "tests/golden/gguf";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".gguf") continue;
    const std::string name = entry.path().stem().string(), bytes = test::read_bytes(entry.path());
    std::optional<GgufParts> parts = gguf_parts(bytes);
    if (parts) add_rare(name, *parts);
    seeds.push_back({name, parts ? parts->bytes() : bytes});
  }
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

// Changes begin within the first kHeaderBytes bytes: in most seeds, most bytes after them are
// weights.
std::string change_gguf_bytes(std::string_view bytes, Random& random) {
  std::string changed(bytes);
  if (changed.empty()) return changed;
  constexpr size_t kHeaderBytes = 3000;
  const size_t at = below(random, std::min(changed.size(), kHeaderBytes));
  constexpr uint64_t kNumbers[] = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, ~uint64_t{0}, ~uint64_t{0} / 2};
  switch (below(random, 8)) {
    case 0:
      changed.resize(at);
      return changed;
    case 1:
    case 2:
    case 3:
      changed[at] = static_cast<char>(below(random, 256));
      return changed;
    default:
      break;
  }
  const uint64_t number = kNumbers[below(random, std::size(kNumbers))];
  const size_t size = below(random, 2) == 0 ? 4 : 8;
  for (size_t i = 0; i < size && at + i < changed.size(); ++i)
    changed[at + i] = static_cast<char>(number >> (8 * i));
  return changed;
}

std::string change_gguf_part(std::string_view bytes, Random& random) {
  if (below(random, 4) == 0) return change_gguf_bytes(bytes, random);
  std::optional<GgufParts> parts = gguf_parts(bytes);
  if (!parts) return change_gguf_bytes(bytes, random);
  for (size_t times = 1 + below(random, 2); times > 0; --times) change_parts(*parts, random);
  return parts->bytes();
}

std::string change_gguf(std::string_view bytes, Random& random) {
  const size_t end = bytes.find(kNextPart);
  if (end == bytes.npos) return change_gguf_part(bytes, random);
  std::string parts[] = {std::string(bytes.substr(0, end)),
                         std::string(bytes.substr(end + kNextPart.size()))};
  std::string& part = parts[below(random, 2)];
  part = below(random, 20) == 0 ? "GGU" : change_gguf_part(part, random);
  if (below(random, 20) == 0) return part;
  return parts[0] + std::string(kNextPart) + parts[1];
}

}  // namespace

const Target kGgufTarget = {"gguf", run_gguf, change_gguf, gguf_seeds};

}  // namespace attn::fuzz
