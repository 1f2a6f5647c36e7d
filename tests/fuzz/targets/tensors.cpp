// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz targets `safetensors`, `weight_index` (the index of several such files) and `npy` (NumPy
// arrays).
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/model/files/npy.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/files/tensor_reader.h"
#include "engine/model/files/weight_files.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

void read_all(const WeightFiles& files) {
  for (const std::string& name : files.names()) {
    files.file_of(name);
    const TensorEntry* entry = files.find(name);
    if (!entry) throw std::logic_error("a listed tensor is not found");
    try {
      const Tensor tensor = files.read(name);
      if (tensor.shape() != entry->shape) throw std::logic_error("a tensor has another shape");
      const DType type = tensor.dtype();
      if (type == DType::kF32 || type == DType::kF16 || type == DType::kBF16) f32_values(tensor);
    } catch (const Error&) {
    }
  }
}

// Opens the files of a folder as a model does, with a list of wanted tensors. `is_cancelled`: the
// user stops it after a while.
void open_folder(const std::filesystem::path& folder, bool is_cancelled) {
  const WeightFiles files = WeightFiles::open(folder);
  read_all(files);
  TensorReader reader(files);
  std::vector<float> weight;
  reader.layers("layers.", {"num_hidden_layers", 2});
  reader.take("layers.0.a", {{"width", 2}, {"inner", 3}}, weight);
  reader.take_matrix("layers.1.a", {{"width", 2}, {"inner", 3}},
                     [](const StoredMatrix& matrix) { WeightMatrix{matrix}; });
  Problems problems;
  reader.check(problems);
  reader.unused();
  if (!problems.empty()) return;
  reader.needed_bytes();
  reader.read([&](double share) { return !is_cancelled || share < 0.5; }, 1);
}

bool run_safetensors(std::string_view bytes) {
  static const std::filesystem::path folder = [] {
    const auto path = scratch_folder() / "safetensors";
    std::filesystem::create_directories(path);
    return path;
  }();
  static ScratchFile input(folder / "model.safetensors");
  input.put(bytes);
  const std::filesystem::path& file = input.path();
  // The tensors of the file need not be those of a model.
  try {
    open_folder(folder, is_one_of(bytes, 3));
  } catch (const Error&) {
  }
  try {
    const SafetensorsFile first = SafetensorsFile::open(file);
    std::vector<Tensor> tensors;
    std::vector<NamedTensor> named;
    for (const TensorEntry& entry : first.tensors()) {
      if (!entry.dtype) return true;
      tensors.push_back(first.read(entry));
    }
    for (size_t i = 0; i < tensors.size(); ++i)
      named.push_back({first.tensors()[i].name, &tensors[i]});
    // What was read can be written, and the new file has the same metadata and as many tensors.
    if (!is_one_of(bytes, 4)) return true;
    const std::filesystem::path again = scratch_folder() / "again.safetensors";
    write_safetensors(again, named, first.metadata());
    const SafetensorsFile second = SafetensorsFile::open(again);
    if (second.metadata() != first.metadata() || second.tensors().size() != tensors.size())
      throw std::logic_error("a safetensors file changes when it is written again");
    return true;
  } catch (const Error&) {
    return false;
  }
}

Tensor small_tensor(DType type, Shape shape) {
  return Tensor(type, std::move(shape));
}

using Tensors = std::vector<std::pair<std::string, Tensor>>;

std::string written(const Tensors& tensors, const std::map<std::string, std::string>& metadata) {
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  const std::filesystem::path file = scratch_folder() / "seed.safetensors";
  write_safetensors(file, named, metadata);
  return test::read_bytes(file);
}

// Types that only the format knows; the last one has half a byte for a number.
std::string other_types() {
  const std::string header = R"~({"a":{"dtype":"F8_E8M0","shape":[3],"data_offsets":[0,3]},)~"
                             R"~("b":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[3,6]},)~"
                             R"~("c":{"dtype":"F4","shape":[2,3],"data_offsets":[6,9]}})~";
  std::string bytes(8, '\0');
  test::set_number(bytes, 0, header.size(), 8);
  return bytes + header + std::string(9, '\0');
}

std::vector<Seed> safetensors_seeds() {
  Tensors wanted, types, integers;
  wanted.emplace_back("layers.0.a", small_tensor(DType::kF32, {2, 3}));
  wanted.emplace_back("layers.1.a", small_tensor(DType::kBF16, {2, 3}));
  for (const DType type :
       {DType::kF32, DType::kF16, DType::kBF16, DType::kI8, DType::kI32, DType::kI64, DType::kU8})
    types.emplace_back("tensor " + std::to_string(types.size()), small_tensor(type, {2, 1, 2}));
  integers.emplace_back("layers.0.a", small_tensor(DType::kI32, {2, 3}));
  integers.emplace_back("layers.1.a", small_tensor(DType::kI32, {2, 3}));
  types.emplace_back("empty", small_tensor(DType::kF32, {0, 4}));
  types.emplace_back("scalar", small_tensor(DType::kF32, {}));
  return {{"wanted", written(wanted, {{"format", "pt"}})},
          {"types", written(types, {{"a", "b"}, {"c", ""}})},
          {"none", written({}, {})},
          {"integers", written(integers, {})},
          {"other-types", other_types()}};
}

// Changes the first bytes, such as the length of the header, or cuts the file off.
std::string change_start(std::string_view bytes, Random& random) {
  static constexpr std::string_view kOthers[] = {
      "{\"a\": 1, \"b\": [2, 3], \"c\": \"some text\"}", "GGUF\3\0\0\0",
      "some words of text, more than a header has", "\x93NUMPY\1", "PK\3\4"};
  std::string changed(bytes);
  switch (below(random, 4)) {
    case 0:
      changed.resize(below(random, std::min<size_t>(changed.size(), 40)));
      break;
    case 1:
      return std::string(kOthers[below(random, std::size(kOthers))]) + changed;
    case 2:
      test::set_number(changed, 0, static_cast<uint64_t>(odd_number(random, 100)), 8);
      break;
    default:
      changed[below(random, std::min<size_t>(changed.size(), 16))] = static_cast<char>(random());
  }
  return changed;
}

// The JSON header is changed and its length is made to fit; sometimes up to 63
// zero bytes follow the tensors.
std::string change_safetensors(std::string_view bytes, Random& random) {
  if (bytes.size() < 8) return std::string(bytes);
  const uint64_t header = test::number_in(bytes, 0, 8);
  if (header > bytes.size() - 8) return std::string(bytes);
  const std::string_view old = bytes.substr(8, header);
  std::string text =
      below(random, 4) == 0 ? change_text(old, random) : change_json(old, random).text;
  static constexpr std::string_view kShape = "\"shape\":[";
  if (const size_t at = text.find(kShape); at != text.npos && below(random, 20) == 0)
    text.insert(at + kShape.size(), below(random, 2) == 0 ? "9007199254740991,9007199254740991,"
                                                          : "9007199254740991,170,");
  if (below(random, 100) == 0) {  // a long header
    constexpr size_t kLong = 600'000;
    text += below(random, 2) == 0 ? "\"\\n\"" : "";
    text += std::string(kLong, below(random, 2) == 0 ? ' ' : '{');
  }
  std::string changed(8, '\0');
  test::set_number(changed, 0, text.size(), 8);
  if (below(random, 8) == 0) return change_start(bytes, random);
  changed += text;
  const size_t data = changed.size();
  changed += bytes.substr(8 + header);
  constexpr uint64_t kNotANumber = 0x7fc0'7fc0;
  if (changed.size() >= data + 4 && below(random, 3) == 0)
    test::set_number(changed, data + below(random, (changed.size() - data) / 4) * 4, kNotANumber,
                     4);
  if (below(random, 6) == 0) changed.resize(changed.size() + below(random, 64));
  return changed;
}

bool run_weight_index(std::string_view bytes) {
  static const std::filesystem::path folder = [] {
    const auto path = scratch_folder() / "shards";
    std::filesystem::create_directories(path);
    for (const std::string part : {"0", "1"}) {
      Tensors tensors;
      tensors.emplace_back("layers." + part + ".a", small_tensor(DType::kF32, {2, 3}));
      test::write_bytes(path / ("model-" + part + ".safetensors"), written(tensors, {}));
    }
    std::filesystem::create_symlink("..", path / "out");
    std::filesystem::create_symlink("round", path / "round");
    test::write_bytes(scratch_folder() / "model-0.safetensors", written({}, {}));
    test::write_bytes(path / "pytorch_model.bin", "");
    return path;
  }();
  static ScratchFile input(folder / "model.safetensors.index.json");
  if (bytes.empty())  // the folder has pickles only
    input.remove();
  else
    input.put(bytes);
  try {
    open_folder(folder, false);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<Seed> weight_index_seeds() {
  const nlohmann::json index = {
      {"metadata", {{"total_size", 48}}},
      {"weight_map",
       {{"layers.0.a", "model-0.safetensors"}, {"layers.1.a", "model-1.safetensors"}}}};
  return {{"two-shards", index.dump()}};
}

std::string change_index(std::string_view bytes, Random& random) {
  static const char* const kShards[] = {"model-0.safetensors",
                                        "model-1.safetensors",
                                        "out/model-0.safetensors",
                                        "round",
                                        "a\\b",
                                        "../model-0.safetensors",
                                        "/model-0",
                                        "",
                                        "out"};
  if (below(random, 40) == 0) return "";
  if (below(random, 3) == 0) {
    nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
    if (json.is_object() && json["weight_map"].is_object() && !json["weight_map"].empty()) {
      nlohmann::json& map = json["weight_map"];
      const auto item_of_map = [&]() -> nlohmann::json& {
        return *std::next(map.begin(), static_cast<ptrdiff_t>(below(random, map.size())));
      };
      if (below(random, 4) == 0)
        std::swap(item_of_map(), item_of_map());
      else
        item_of_map() = kShards[below(random, std::size(kShards))];
      return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
  }
  return below(random, 4) == 0 ? change_text(bytes, random) : change_json(bytes, random).text;
}

// An array that was read can be written, and its bytes stay the same.
void write_again(const Tensor& tensor) {
  static ScratchFile again(scratch_folder() / "again.npy");
  again.put(npy_bytes(tensor));
  const Tensor second = NpyFile::open(again.path()).read();
  if (second.shape() != tensor.shape() ||
      std::memcmp(second.data<float>(), tensor.data<float>(), tensor.bytes()) != 0)
    throw std::logic_error("an array changes when it is written again");
}

bool run_npy(std::string_view bytes) {
  static ScratchFile input(scratch_folder() / "input.npy");
  input.put(bytes);
  try {
    const NpyFile array = NpyFile::open(input.path());
    const Tensor tensor = array.read();
    if (tensor.shape() != array.shape()) throw std::logic_error("an array has another shape");
    if (tensor.dtype() == DType::kF32 && is_one_of(bytes, 4)) write_again(tensor);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The header is as long as numpy makes it: a multiple of 64 bytes with everything before it.
std::string npy(int version, std::string dictionary, size_t data) {
  const size_t length = version == 1 ? 2 : 4;
  while ((8 + length + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string bytes("\x93NUMPY");
  bytes += {static_cast<char>(version), '\0'};
  bytes.resize(8 + length);
  test::set_number(bytes, 8, dictionary.size(), length);
  return bytes + dictionary + std::string(data, '\1');
}

std::vector<Seed> npy_seeds() {
  return {{"f4", npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24)},
          {"big-endian", npy(2, "{'descr': '>f8', 'fortran_order': True, 'shape': (3, 2), }", 48)},
          {"bool", npy(3, "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }", 5)},
          {"scalar", npy(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 8)},
          {"empty", npy(1, "{'descr': '<f2', 'fortran_order': True, 'shape': (0, 7), }", 0)}};
}

std::string change_npy(std::string_view bytes, Random& random) {
  if (bytes.size() > 12 && below(random, 3) == 0) {
    if (below(random, 3) == 0) return change_start(bytes, random);
    // The dictionary, whose length is made to fit.
    const size_t length = bytes[6] == 1 ? 2 : 4;
    const size_t end =
        std::min<size_t>(bytes.size(), 8 + length + test::number_in(bytes, 8, length));
    std::string changed(bytes.substr(0, 8 + length));
    changed += change_text(bytes.substr(8 + length, end - 8 - length), random);
    test::set_number(changed, 8, changed.size() - 8 - length, length);
    return changed + std::string(bytes.substr(end));
  }
  static const char* const kTypes[] = {"f8", "f4", "f2",  "i8", "i4", "i2", "i1", "u1", "b1",
                                       "c8", "U4", "f16", "u4", "O",  "S3", "V2", "M8"};
  static const char* const kAxes[] = {"99999999999999999999", "9223372036854775807", "-1", "3L",
                                      "x"};
  static const char kOrders[] = {'<', '>', '|', '='};
  const char* type = kTypes[below(random, std::size(kTypes))];
  std::string shape;
  double elements = 1;
  const size_t axes = below(random, 20) == 0 ? below(random, 40) : below(random, 5);
  for (size_t i = 0; i < axes; ++i) {
    const int64_t axis =
        below(random, 12) == 0 ? odd_number(random, 3) : static_cast<int64_t>(below(random, 5));
    shape += below(random, 20) == 0 ? kAxes[below(random, std::size(kAxes))] : std::to_string(axis);
    if (axes != 1 || below(random, 8) != 0) shape += (i + 1 < axes ? ", " : axes == 1 ? "," : "");
    elements *= static_cast<double>(axis);
  }
  size_t data = below(random, 100);
  if (std::abs(elements) < 4096 && below(random, 8) != 0)
    data = static_cast<size_t>(std::abs(elements)) * static_cast<size_t>(std::atoi(type + 1));
  std::string description = std::string("'") + kOrders[below(random, 4)] + type + "'";
  if (below(random, 20) == 0) description = "[('a', " + description + ")]";
  const size_t spaces = below(random, 200) == 0 ? size_t{1} << 20 : 0;
  return npy(1 + static_cast<int>(below(random, 3)),
             "{'descr': " + description +
                 ", 'fortran_order': " + (below(random, 2) ? "True" : "False") + ", 'shape': (" +
                 shape + "), }" + std::string(spaces, ' '),
             data);
}

}  // namespace

const Target kSafetensorsTarget = {"safetensors", run_safetensors, change_safetensors,
                                   safetensors_seeds};
const Target kWeightIndexTarget = {"weight_index", run_weight_index, change_index,
                                   weight_index_seeds};
const Target kNpyTarget = {"npy", run_npy, change_npy, npy_seeds};

}  // namespace attn::fuzz
