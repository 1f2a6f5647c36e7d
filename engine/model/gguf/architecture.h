// SPDX-License-Identifier: GPL-3.0-or-later
// How GGUF files store most families of engine/model/families: the names of their keys and tensors,
// and what the writers of such files change in tensors. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/layers/heads.h"

namespace attn {

// What the writers of GGUF files change in a tensor of the family.
enum class Stored {
  kAsIs,
  // Rows of a head are reordered so that the two elements of a rotary pair are neighbours, 2i and
  // 2i + 1, where the family has them at i and i + D/2.
  kQueryPairs,
  kKeyPairs,
  kTransposed,  // a Conv1D of GPT-2, [in, out], is stored as [out, in]
  kPlusOne,     // weights of a norm that the family adds 1 to are stored with the 1
  // The rows are stored as all queries, all keys, all values. The family has them KV head by KV
  // head: the queries that read this head, its key, its value.
  kByKind,
};

// A layer of weights by its name in GGUF and in the family, both without ".weight" and ".bias". In
// the family's name {} is the number of an expert; the tensors of all experts are one tensor in the
// file.
struct TensorName {
  const char* gguf;
  const char* family;
  Stored stored = Stored::kAsIs;
};

// A stack of layers: the decoder's, or the encoder's. `gguf` and `family` are what the names of its
// tensors begin with; the number of the layer follows in both.
struct StackNames {
  std::string gguf, family;  // "blk.", "model.layers."
  std::vector<TensorName> names;
};

struct GgufArchitecture {
  const char* name;        // value of general.architecture
  const char* model_type;  // in config.json; a llama may become a mistral or mixtral
  // Keys of config.json that differ between families; "": the family has no such key.
  const char* positions = "max_position_embeddings";
  const char* inner = "intermediate_size";
  const char* kv_heads = "num_key_value_heads";
  const char* norm_epsilon = "rms_norm_eps";
  bool has_rotary = true;
  bool has_head_size = true;           // whether config.json has a key for it
  std::vector<TensorName> names = {};  // of the tensors outside of the layers
  std::vector<StackNames> stacks = {};
};

// `count` rows of a tensor of the file, from row `from` on.
struct TensorRows {
  int64_t from = 0, count = 0;
};
// The rows [first, first + count) of a tensor of the file, in the order in which the family has
// them. The order stays as it is where `count` is not the number of rows that the heads give, or a
// head whose pairs were reordered has an odd size.
std::vector<TensorRows> family_rows(Stored stored, const HeadShape& heads, int64_t first,
                                    int64_t count);

struct GgufName {
  std::string name;
  Stored stored = Stored::kAsIs;
};
// The name in GGUF of a tensor of the family; nullopt: `architecture` has no name for it.
std::optional<GgufName> gguf_name_of(const GgufArchitecture& architecture, std::string_view family);

// The architecture of this name; null where the program does not know it.
const GgufArchitecture* architecture_named(std::string_view name);
// The names of all architectures, for messages: "llama", "qwen2", ...
std::string known_architectures();

}  // namespace attn
