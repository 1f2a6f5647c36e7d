// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/paths.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/files/working_folder.h"
#include "engine/core/memory.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/files/weight_files.h"
#include "engine/model/gguf/folder_metadata.h"
#include "engine/model/gguf/gguf_config.h"
#include "engine/model/gguf/gguf_tokenizer.h"
#include "engine/model/gguf/gguf_weights.h"
#include "engine/model/gguf/gguf_writer.h"
#include "engine/model/gguf/vocabulary_writer.h"
#include "engine/model/load_model.h"
#include "engine/model/not_finite.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// How far a number may be from what it was: `share` times the largest magnitude in its run of 32
// numbers, plus `least`, for numbers near zero.
struct Tolerance {
  const char* type;
  double share, least;
};
constexpr std::array<Tolerance, 5> kTolerances = {{{"F32", 0, 0},
                                                   {"F16", 0x1p-11, 0x1p-24},
                                                   {"BF16", 0x1p-8, 0x1p-126},
                                                   {"Q8_0", 1.0 / 254 + 0x1p-10, 4e-6},
                                                   {"Q4_0", 1.0 / 8 + 0x1p-9, 4e-6}}};

WrittenType type_for(const Shape& shape, const WrittenType& wanted) {
  if (shape.size() < 2) return written_type("f32");
  return shape.back() % wanted.type->block == 0 ? wanted : written_type("f16");
}

class Comparison {
 public:
  explicit Comparison(Converted& result) : result_(result) {}

  void compare(const std::string& name, const Tensor& before, const Tensor& after,
               const char* type) {
    if (const int64_t at = first_not_finite(before); at >= 0)
      throw_bad_input({"a weight is NaN or infinite", name, fmt::format("number {}", at),
                       "finite weights", ""});
    const Tensor was = convert(before, DType::kF32), is = convert(after, DType::kF32);
    const auto* const tolerance = std::ranges::find_if(
        kTolerances, [&](const Tolerance& one) { return one.type == std::string_view(type); });
    const float *a = was.data<float>(), *b = is.data<float>();
    const bool same_shape = was.shape() == is.shape();
    for (int64_t first = 0; same_shape && first < was.size(); first += 32) {
      const int64_t end = std::min(first + 32, was.size());
      double most = 0, worst = 0;
      for (int64_t i = first; i < end; ++i) {
        most = std::max(most, std::abs(double{a[i]}));
        worst = std::max(worst, std::isfinite(b[i]) ? std::abs(double{a[i]} - b[i])
                                                    : std::numeric_limits<double>::infinity());
      }
      if (worst > tolerance->share * most + tolerance->least)
        throw Error(
            ErrorCode::kFailed,
            {"a weight of the result differs too much", name,
             fmt::format("a difference of {:.3g}", worst),
             fmt::format("at most {:.3g} in {}", tolerance->share * most + tolerance->least, type),
             std::isfinite(worst) ? "" : "Choose a type with a larger range"});
      if (worst > result_.worst) {
        result_.worst = worst;
        result_.worst_tensor = name;
      }
    }
    if (!same_shape)
      throw Error(ErrorCode::kFailed, {"a tensor of the result has another shape", name,
                                       to_string(is.shape()), to_string(was.shape()), ""});
  }

 private:
  Converted& result_;
};

// Maps the share of one half of the work to `progress`: the first begins at 0, the check at 0.5.
ConvertProgress half_of(const ConvertProgress& progress, double begin) {
  return [progress, begin](double share) { return !progress || progress(begin + share / 2); };
}
void check_progress(const ConvertProgress& progress, size_t done, size_t all) {
  if (!progress(static_cast<double>(done) / static_cast<double>(std::max<size_t>(1, all))))
    throw Error(ErrorCode::kCancelled, {"the conversion was cancelled", "", "", "", ""});
}

int64_t file_type_of(const WrittenType& type) {
  // Numbers of general.file_type for files whose matrices are mostly of this type.
  const std::string_view name = type.type->name;
  return name == "F16" ? 1 : name == "Q4_0" ? 2 : name == "Q8_0" ? 7 : name == "BF16" ? 32 : 0;
}

// --- GGUF to GGUF ---

Converted rewrite(const fs::path& from, const fs::path& to, const WrittenType& type,
                  const ConvertProgress& progress) {
  const GgufFile file = GgufFile::open(from);
  GgufWriter writer;
  for (const GgufValue& value : file.metadata().values())
    if (!value.key.starts_with("split.") && value.key != "general.file_type" &&
        value.key != "general.quantization_version" && value.key != "general.alignment")
      writer.add(value);
  writer.u32("general.file_type", file_type_of(type));
  writer.u32("general.quantization_version", 2);
  for (const GgufTensor& tensor : file.tensors())
    writer.tensor(tensor.name, tensor.shape, type_for(tensor.shape, type),
                  [&file, &tensor] { return file.read(tensor); });
  writer.write(to, half_of(progress, 0));
  const GgufFile again = GgufFile::open(to);
  Converted result;
  Comparison comparison(result);
  const ConvertProgress checking = half_of(progress, 0.5);
  for (const GgufTensor& tensor : file.tensors()) {
    check_progress(checking, static_cast<size_t>(result.num_tensors++), file.tensors().size());
    const GgufTensor& written = *again.find(tensor.name);
    comparison.compare(tensor.name, file.read(tensor), again.read(written), written.type->name);
    result.bytes += written.bytes;
  }
  return result;
}

// --- folder to GGUF ---

// A tensor of the model's folder, with its rows in the order in which the GGUF file has them.
Tensor stored_order(const Tensor& tensor, Stored stored, const HeadShape& heads) {
  const std::vector<TensorRows> rows = family_rows(stored, heads, 0, tensor.dim(0));
  Tensor result(tensor.dtype(), tensor.shape());
  const size_t row = tensor.bytes() / static_cast<size_t>(std::max<int64_t>(1, tensor.dim(0)));
  const auto* from = static_cast<const std::byte*>(tensor.raw());
  for (const TensorRows& part : rows) {
    const size_t bytes = static_cast<size_t>(part.count) * row;
    std::copy_n(from, bytes,
                static_cast<std::byte*>(result.raw()) + static_cast<size_t>(part.from) * row);
    from += bytes;
  }
  return result;
}

void check_same_model(const ModelCheck& before, const ModelCheck& after) {
  const auto same = [&](bool is_same, const char* what, const char* allowed) {
    if (!is_same)
      throw Error(ErrorCode::kNotSupported,
                  {"the model cannot be written as GGUF", before.shape.name, what, allowed, ""});
  };
  same(before.shape.calls == after.shape.calls, "other windows or soft caps in some layers",
       "the same in all layers");
  same(std::ranges::is_permutation(before.stop_tokens, after.stop_tokens),
       "other tokens that end a text", "the same tokens");
}

Converted from_folder(const fs::path& from, const fs::path& to, const WrittenType& type,
                      const ConvertProgress& progress) {
  const ModelCheck check = check_model(from, std::numeric_limits<int64_t>::max());
  check.problems.throw_if_any();
  const WeightFiles files = WeightFiles::open(from);
  GgufWriter writer;
  const GgufArchitecture& architecture = write_folder_metadata(from, check, writer);
  writer.u32("general.file_type", file_type_of(type));
  writer.u32("general.quantization_version", 2);
  const HeadShape heads{check.shape.num_heads, check.shape.num_kv_heads, check.shape.head_size};
  Converted result;
  if (!check.suppressed_tokens.empty())
    result.notes.push_back(
        fmt::format("The folder says that tokens such as {} are never generated, which GGUF cannot "
                    "say.",
                    check.suppressed_tokens.front()));
  std::vector<std::pair<std::string, std::string>> names;  // name in the family, name in the file
  for (const std::string& name : files.names()) {
    const std::optional<GgufName> stored = gguf_name_of(architecture, name);
    if (!stored) {
      result.notes.push_back(
          fmt::format("{} is not part of the model and is left out.", quote_text(name)));
      continue;
    }
    names.emplace_back(name, stored->name);
    const TensorEntry& entry = *files.find(name);
    writer.tensor(stored->name, entry.shape, type_for(entry.shape, type),
                  [&files, &heads, name, order = stored->stored] {
                    return stored_order(files.read(name), order, heads);
                  });
  }
  writer.write(to, half_of(progress, 0));
  const ModelCheck written_check = check_model(to, std::numeric_limits<int64_t>::max());
  written_check.problems.throw_if_any();
  check_same_model(check, written_check);
  check_same_tokens(load_tokenizer(from), load_tokenizer(to), from.filename().string());
  const GgufFile again = GgufFile::open(to);
  const GgufWeights weights(again, architecture, heads);
  Comparison comparison(result);
  const ConvertProgress checking = half_of(progress, 0.5);
  for (const auto& [family, stored] : names) {
    check_progress(checking, static_cast<size_t>(result.num_tensors++), names.size());
    const GgufTensor& tensor = *again.find(stored);
    comparison.compare(family, files.read(family), weights.read(family), tensor.type->name);
    result.bytes += tensor.bytes;
  }
  return result;
}

// --- GGUF to folder ---

WorkingFolder working_folder(const fs::path& place) {
  const fs::path parent = folder_of(place);
  std::error_code failure;
  fs::create_directories(parent, failure);
  if (failure)
    throw Error(ErrorCode::kFailed,
                {"folder cannot be made", parent.string(), failure.message(), "", ""});
  WorkingFolder made = WorkingFolder::beside(place);
  if (!made) throw_write_error(place, errno);
  return made;
}

Converted to_folder(const fs::path& from, const fs::path& to, const WrittenType& type,
                    const ConvertProgress& progress) {
  const ModelCheck check = check_model(from, std::numeric_limits<int64_t>::max());
  check.problems.throw_if_any();
  const GgufFile file = GgufFile::open(from);
  const GgufArchitecture& architecture = architecture_of(file);
  Problems problems;
  GgufConfig config = config_of(file, architecture, problems);
  const TakenApart apart(config.json);
  problems.throw_if_any();
  if (!config.stop_tokens.empty()) config.json["eos_token_id"] = config.stop_tokens;
  const GgufWeights weights(file, architecture, config.heads);
  const DType dtype = type.type->dtype.value();
  double bytes = 0;
  for (const std::string& name : weights.names())
    bytes += static_cast<double>(element_count(weights.find(name)->shape)) *
             static_cast<double>(size_of(dtype));
  ask_memory({.bytes = bytes,
              .what = "the model does not fit in memory",
              .where = from.filename().string(),
              .found = fmt::format("{} of {}", bytes_text(bytes), type.type->name),
              .advice = ""});
  Converted result;
  std::vector<std::pair<std::string, Tensor>> tensors;
  const std::vector<std::string> names = weights.names();
  for (const std::string& name : names) {
    check_progress(half_of(progress, 0), tensors.size(), names.size());
    tensors.emplace_back(name, convert(weights.read(name), dtype));
  }
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  // The folder is written and checked under another name, so that a program that ends too early
  // leaves no half of a model at `place`.
  const fs::path place = to.filename().empty() ? to.parent_path() : to;
  WorkingFolder made = working_folder(place);
  const fs::path& folder = made.path();
  write_safetensors(folder / "model.safetensors", named, {{"format", "pt"}});
  nlohmann::json tokenizer = tokenizer_json_of(file.metadata());
  const TakenApart tokenizer_apart(tokenizer);
  write_file_atomically(folder / "tokenizer.json", tokenizer.dump(1) + "\n");
  write_file_atomically(folder / "config.json", config.json.dump(1) + "\n");
  const ModelCheck written_check = check_model(folder, std::numeric_limits<int64_t>::max());
  written_check.problems.throw_if_any();
  const WeightFiles again = WeightFiles::open(folder);
  Comparison comparison(result);
  for (const std::string& name : names) {
    check_progress(half_of(progress, 0.5), static_cast<size_t>(result.num_tensors++), names.size());
    const TensorEntry& entry = *again.find(name);
    comparison.compare(name, weights.read(name), again.read(name), type.type->name);
    result.bytes += entry.end - entry.begin;
  }
  if (!made.sync() || !made.take_name(place)) throw_write_error(place, errno);
  sync_folder(folder_of(place));
  return result;
}

}  // namespace

Converted convert_to_gguf(const fs::path& from, const fs::path& to, const WrittenType& type,
                          const ConvertProgress& progress) {
  const ConvertProgress watched = [&](double share) { return !progress || progress(share); };
  // The file is written and checked in a folder of its own: a file that has not passed the check
  // must not be taken for a good one, nor replace one.
  const fs::path place = output_file(to);
  const WorkingFolder made = WorkingFolder::beside(place);
  if (!made) throw_write_error(to, errno);
  const fs::path file = made.path() / place.filename();
  std::error_code failure;
  Converted result = fs::is_directory(from, failure) ? from_folder(from, file, type, watched)
                                                     : rewrite(from, file, type, watched);
  if (const fs::file_status old = fs::status(place, failure); fs::exists(old))
    fs::permissions(file, old.permissions(), failure);
  fs::rename(file, place, failure);
  if (failure) throw_write_error(to, failure.value());
  sync_folder(folder_of(place));
  return result;
}

Converted convert_to_folder(const fs::path& from, const fs::path& to, const WrittenType& type,
                            const ConvertProgress& progress) {
  if (has_entry(to))
    throw_bad_input({"there is a file or folder with this name already", to.string(), found_at(to),
                     "a name that is free, for a new folder", ""});
  return to_folder(from, to, type, progress);
}

}  // namespace attn
