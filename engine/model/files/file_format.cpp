// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/file_format.h"

namespace attn {
namespace {

constexpr FileFormat kZip{"a zip archive (.npz, or PyTorch .pt or .bin)",
                          "Unpack an .npz, convert a .pt or .bin to safetensors; the pickles that "
                          "such an archive can hold can run code and are never opened"};
constexpr FileFormat kPickle{
    "a Python pickle (PyTorch .pt or .bin)",
    "Convert it to safetensors; pickles can run code and are never opened"};
constexpr FileFormat kGguf{"GGUF", "Open the file itself as the model, without a folder around it"};
constexpr FileFormat kNpy{"NumPy .npy",
                          "Open an array of queries, keys or values through a scenario with "
                          "tensors; a model's weights must be safetensors"};
constexpr FileFormat kHdf5{"HDF5", "Convert it to safetensors; HDF5 is not read"};
constexpr FileFormat kGzip{"gzip", "Unpack it first"};
constexpr FileFormat kPointer{"a Git LFS pointer, not the file itself",
                              "Fetch the file, for example with `git lfs pull`"};

}  // namespace

const FileFormat* format_of(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv)) return &kZip;
  if (head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) return &kPickle;
  if (head.starts_with("GGUF"sv)) return &kGguf;
  if (head.starts_with("\x93NUMPY"sv)) return &kNpy;
  if (head.starts_with("\x89HDF"sv)) return &kHdf5;
  if (head.starts_with("\x1f\x8b"sv)) return &kGzip;
  if (head.starts_with("version https://git-lfs"sv)) return &kPointer;
  return nullptr;
}

}  // namespace attn
