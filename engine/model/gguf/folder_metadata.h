// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the metadata of a GGUF file, made from the JSON files and the tokenizer of a folder. Any
// thread.
#pragma once

#include <filesystem>

#include "engine/model/gguf/architecture.h"
#include "engine/model/gguf/gguf_writer.h"
#include "engine/model/load_model.h"

namespace attn {

// Writes the metadata of a model that check_model() accepts, except general.file_type and
// general.quantization_version. Throws Error(kNotSupported) for what cannot be written.
const GgufArchitecture& write_folder_metadata(const std::filesystem::path& folder,
                                              const ModelCheck& check, GgufWriter& writer);

}  // namespace attn
