// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/convert.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/cli/commands.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/memory.h"
#include "engine/core/program/standard_streams.h"
#include "engine/session/scenario/model_files.h"
#include "engine/session/scenario/scenario.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

CommandSpec convert_spec() {
  return {"attn convert",
          "Writes a model in another form: a GGUF file, or a folder of safetensors.",
          {{"FROM", "a GGUF file, a model folder, or the name of a bundled model"},
           {"TO", "a file that ends with .gguf, or a folder that does not exist"}},
          {{"--type", "f32|f16|bf16|q8_0|q4_0",
            "element type of the matrices; a folder takes the first three; default f16"}},
          "Vectors stay f32 in a GGUF file. Folders that can be written as GGUF: llama, mistral, "
          "qwen2, qwen3, t5.\nThe result is opened again and compared with the source, number by "
          "number."};
}

}  // namespace

int command_convert(const Words& words) {
  const Options options(convert_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(convert_spec()));
    return 0;
  }
  const fs::path from = find_model(options.required_text("FROM")), to = options.required_text("TO");
  const std::string name = options.choice("--type", "f16", {"f32", "f16", "bf16", "q8_0", "q4_0"});
  const WrittenType type = written_type(name);
  std::error_code failure;
  const bool to_file = to.extension() == ".gguf", from_folder = fs::is_directory(from, failure);
  if (!to_file && from_folder)
    throw_bad_input({"a folder cannot be converted to a folder", "TO", to.string(),
                     "a file that ends with .gguf", ""});
  if (!to_file && !type.type->dtype)
    throw_bad_input({"a folder has no quantised weights", "--type", name, "f32, f16, bf16", ""});
  Converted result;
  if (to_file) {
    check_output_place("TO", to);
    refuse_inputs("TO", to, files_of_model(from));
    result = convert_to_gguf(from, to, type);
  } else {
    result = convert_to_folder(from, to, type);
  }
  print_out("{}: {}, {}\n", to.string(), counted(result.num_tensors, "tensor", "tensors"),
            bytes_text(static_cast<double>(result.bytes)));
  if (result.worst_tensor.empty())
    print_out("  compared with the source: all numbers are equal\n");
  else
    print_out("  compared with the source: the largest difference is {:.3g}, in {}\n", result.worst,
              result.worst_tensor);
  for (const std::string& note : result.notes) print_out("  - {}\n", note);
  return 0;
}

}  // namespace attn::cli
