// SPDX-License-Identifier: GPL-3.0-or-later
// GgufWeights: the tensors of a GGUF file with the names, shapes, order of rows and numbers that
// the family expects (see Stored). read() gives quantised tensors as f32. read_matrix() gives a
// matrix in its own type, if that is a WeightType; Q5_0 and IQ4_NL as Q8_0 with the same numbers,
// and other types as f32. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/model/files/gguf.h"
#include "engine/model/files/weight_source.h"
#include "engine/model/gguf/architecture.h"
#include "engine/model/layers/heads.h"

namespace attn {

class GgufWeights : public WeightSource {
 public:
  // `file` and `architecture` must outlive the object. `heads`: equal in all layers.
  GgufWeights(const GgufFile& file, const GgufArchitecture& architecture, const HeadShape& heads);

  std::vector<std::string> names() const override;
  const TensorEntry* find(std::string_view name) const override;
  bool has_any(std::string_view beginning) const override;
  Tensor read(std::string_view name) const override;
  StoredMatrix read_matrix(std::string_view name) const override;
  std::string file_of(std::string_view name) const override;
  std::string stored_name(std::string_view name) const override;
  std::string description() const override { return "the metadata"; }
  std::string element_types() const override { return read_ggml_types(); }

 private:
  // A tensor of the family: some or all rows of a tensor in the file.
  struct Mapped {
    TensorEntry entry;
    const GgufTensor* tensor = nullptr;
    int64_t first = 0, count = 0;  // its rows in the file; a row of a vector is one number
    Stored stored = Stored::kAsIs;
  };
  const Mapped& mapped_of(std::string_view name) const;
  void read_rows_as(const GgufTensor& tensor, WeightType type, int64_t first, int64_t count,
                    std::byte* to) const;
  void add(const GgufTensor& tensor, const std::string& name, const TensorName& rule);
  void add_mapped(const GgufTensor& tensor, std::string name, Stored stored, int64_t first,
                  int64_t count, Shape shape);

  const GgufFile& file_;
  const GgufArchitecture& architecture_;
  HeadShape heads_;
  std::map<std::string, Mapped, std::less<>> mapped_;  // name in the family -> place in the file
};

}  // namespace attn
