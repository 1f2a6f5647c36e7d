// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/cli/commands.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/paths.h"
#include "engine/core/memory.h"
#include "engine/core/program/standard_streams.h"
#include "engine/model/find_models.h"
#include "engine/model/load_model.h"
#include "engine/session/scenario/scenario.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

CommandSpec models_spec() {
  return {"attn models",
          "Lists the models in folders, and says of each whether it can run here.",
          {{"FOLDER",
            "folders to look into, with the folders below them; without one: the bundled models "
            "and the\ncaches of Hugging Face, llama.cpp and LM Studio",
            false, true}},
          {},
          "Reads configs, tokenizers and headers, no weights. Model folders (config.json) and GGUF "
          "files are\nlisted. The exit code is 0 also where no model can run; 2 where a folder "
          "does not exist, 1\nwhere it cannot be read."};
}

// "1.10 B": billions; "15.2 M": millions.
std::string parameters_text(int64_t count) {
  const RoundedCount rounded = rounded_parameters(count);
  const char* const unit = rounded.unit == CountUnit::kBillions   ? " B"
                           : rounded.unit == CountUnit::kMillions ? " M"
                                                                  : "";
  return fmt::format("{:.{}f}{}", rounded.value, rounded.decimals, unit);
}

// Checks a model. An exception becomes a problem of the model, so that it does not end the list.
ModelCheck checked(const fs::path& path, int64_t available) {
  try {
    return check_model(path, available);
  } catch (const std::exception& error) {  // such as too little memory for a tokenizer
    ModelCheck check;
    check.problems.add({ErrorCode::kFailed, {message_of(error), path.string(), "", "", ""}});
    return check;
  }
}

void print_model(const fs::path& path, int64_t available) {
  const ModelCheck model = checked(path, available);
  const bool fits = model.num_parameters > 0;
  print_out("{}\n  {}\n", text_for_output(model_label(path)), text_for_output(path.string()));
  if (fits)
    print_out("  {}, {} parameters, {} of {} weights, {} of memory to load it\n",
              escape_unprintable(model.type), parameters_text(model.num_parameters),
              bytes_text(static_cast<double>(model.stored_bytes)),
              fmt::join(model.element_types, " and "),
              bytes_text(static_cast<double>(model.needed_bytes)));
  if (model.problems.empty())
    print_out("  can run\n");
  else
    for (const std::string& sentence : model.problems.sentences())
      print_out("  cannot run: {}\n", text_for_output(sentence));
}

void print_folder(const std::string& title, const std::vector<fs::path>& models) {
  print_out("{}: {}\n", title, counted(models.size(), "model", "models"));
  const int64_t available = available_memory_bytes();
  for (const fs::path& path : models) print_model(path, available);
}

void look_into(const fs::path& folder) {
  const FoundModels found = find_models(folder);
  print_folder(text_for_output(folder.string()), found.models);
  if (found.closed_folders > 0)
    print_out("{} could not be read.\n", counted(found.closed_folders, "folder", "folders"));
  if (!found.all)
    print_out(
        "The search ended early: it takes at most {} models, {} files and folders, and folders {} "
        "levels deep.\n",
        kMostFoundModels, kMostFoundNames, kMostFoundDepth);
}

}  // namespace

int command_models(const Words& words) {
  const Options options(models_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(models_spec()));
    return 0;
  }
  const std::vector<std::string> folders = options.texts("FOLDER");
  for (const fs::path folder : folders)
    if (const std::string found = why_no_folder(folder); !found.empty())
      throw Error(is_forbidden(folder) ? ErrorCode::kFailed : ErrorCode::kBadInput,
                  {"there is no folder to look into", folder.string(), found, "a folder",
                   "For one file use `attn inspect`"});
  for (const fs::path folder : folders) look_into(folder);
  if (!folders.empty()) return 0;
  std::vector<fs::path> bundled;
  for (const std::string& name : shipped_models()) bundled.push_back(find_model(name));
  print_folder("bundled", bundled);
  for (const fs::path& place : model_places()) look_into(place);
  return 0;
}

}  // namespace attn::cli
