// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/find_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "engine/model/load_model.h"
#include "tests/engine/model/families/llama_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

struct Folder : ScratchFolder {
  void file(const char* name, std::string_view text = "") const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  void model(const char* name) const {
    file((std::string(name) + "/config.json").c_str(), R"({"model_type": "gpt2"})");
  }
  fs::path at(const char* name) const { return path / name; }
};

// Sets a variable of the environment, or removes it if `value` is null, while the object lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(FindModels, ParametersAreRoundedForPeople) {
  const auto is = [](int64_t count, double value, int decimals, CountUnit unit) {
    const RoundedCount rounded = rounded_parameters(count);
    return std::abs(rounded.value - value) < 1e-9 && rounded.decimals == decimals &&
           rounded.unit == unit;
  };
  EXPECT_TRUE(is(1'100'000'000, 1.1, 2, CountUnit::kBillions));
  EXPECT_TRUE(is(15'200'000, 15.2, 1, CountUnit::kMillions));
  EXPECT_TRUE(is(999'999, 999'999, 0, CountUnit::kOne));
}

TEST(FindModels, FoldersWithATypeAndGgufFilesAreModels) {
  const Folder folder;
  folder.model("b");
  folder.model("deep/er/a");
  folder.file("c.gguf");
  folder.file("d/notes.txt");
  folder.file("d/config.json", R"({"pooling_mode": "mean"})");
  const FoundModels found = find_models(folder.path);
  EXPECT_THAT(found.models,
              ElementsAre(folder.at("b"), folder.at("c.gguf"), folder.at("deep/er/a")));
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.closed_folders, 0);
}

TEST(FindModels, AFolderThatIsAModelIsFoundItself) {
  const Folder folder;
  folder.file("config.json", R"({"model_type": "bert"})");
  folder.file("weights.gguf");
  folder.model("1_Pooling");
  EXPECT_THAT(find_models(folder.path).models, ElementsAre(folder.path, folder.at("weights.gguf")));
}

TEST(FindModels, ABrokenConfigIsListed) {
  const Folder folder;
  folder.file("a/config.json", "{");
  EXPECT_THAT(find_models(folder.path).models, ElementsAre(folder.at("a")));
}

TEST(FindModels, OfASplitModelTheFirstFileCounts) {
  const Folder folder;
  folder.file("big-00001-of-00003.gguf");
  folder.file("big-00002-of-00003.gguf");
  folder.file("big-00003-of-00003.gguf");
  EXPECT_THAT(find_models(folder.path).models, ElementsAre(folder.at("big-00001-of-00003.gguf")));
}

TEST(FindModels, AFolderIsNoGgufFile) {
  const Folder folder;
  folder.file("blobs/1234");
  folder.file("converted.gguf/inner.gguf");
  fs::create_symlink("blobs/1234", folder.at("linked.gguf"));
  EXPECT_THAT(find_models(folder.path).models,
              ElementsAre(folder.at("converted.gguf/inner.gguf"), folder.at("linked.gguf")));
}

TEST(FindModels, LinkedAndHiddenFoldersAreNotEntered) {
  const Folder folder;
  folder.model("real");
  folder.model(".hidden");
  fs::create_directory_symlink(folder.path, folder.at("circle"));
  fs::create_symlink(folder.at("nowhere"), folder.at("dangling"));
  ASSERT_EQ(::mkfifo(folder.at("pipe").c_str(), 0600), 0);
  EXPECT_THAT(find_models(folder.path).models, ElementsAre(folder.at("real")));
}

// In the cache of Hugging Face the files of a snapshot are links to blobs.
TEST(FindModels, ASnapshotHasTheNameOfItsRepository) {
  const Folder folder;
  const char* const snapshot = "models--openai-community--gpt2/snapshots/607a30d7";
  folder.file("models--openai-community--gpt2/blobs/4f5c", R"({"model_type": "gpt2"})");
  fs::create_directories(folder.at(snapshot));
  fs::create_symlink("../../blobs/4f5c", folder.at(snapshot) / "config.json");
  EXPECT_THAT(find_models(folder.path).models, ElementsAre(folder.at(snapshot)));
  EXPECT_EQ(model_label(folder.at(snapshot)), "openai-community/gpt2");
  EXPECT_EQ(model_label("/cache/models--bert--base--v2/snapshots/1"), "bert/base--v2");
  EXPECT_EQ(model_label("/shelf/gpt2"), "gpt2");
  EXPECT_EQ(model_label("gpt2"), "gpt2");
}

TEST(FindModels, AModelInTheCacheIsNamedByItsRepository) {
  const LlamaFolder llama;
  llama.write();
  const Folder cache;
  const fs::path snapshot = cache.at("models--owner--small/snapshots/1234");
  fs::create_directories(snapshot.parent_path());
  fs::rename(llama.path(), snapshot);
  const ModelCheck check = check_model(snapshot, int64_t{1} << 40);
  EXPECT_THAT(check.problems.sentences(), IsEmpty());
  EXPECT_EQ(check.shape.name, "small");
  EXPECT_EQ(check.type, "llama");
  EXPECT_EQ(check.num_parameters, load_model(snapshot)->num_parameters());
  EXPECT_THAT(check.element_types, ElementsAre("F32"));
}

TEST(FindModels, TheSearchEndsAtItsLimitsAndOnRequest) {
  const Folder folder;
  folder.model("0/1/2/3/4/5/6/7");    // 8 levels below the folder
  folder.model("0/1/2/3/4/5/6/8/9");  // 9 levels
  const FoundModels found = find_models(folder.path);
  EXPECT_THAT(found.models, ElementsAre(folder.at("0/1/2/3/4/5/6/7")));
  EXPECT_FALSE(found.all);
  int calls = 0;
  const FoundModels stopped = find_models(folder.path, [&] { return ++calls < 3; });
  EXPECT_THAT(stopped.models, IsEmpty());
  EXPECT_FALSE(stopped.all);
  EXPECT_EQ(calls, 3);
  for (size_t i = 0; i <= kMostFoundModels; ++i)
    folder.file(("many/" + std::to_string(i) + ".gguf").c_str());
  const FoundModels many = find_models(folder.at("many"));
  EXPECT_EQ(many.models.size(), kMostFoundModels);
  EXPECT_FALSE(many.all);
}

TEST(FindModels, AFolderThatIsGoneIsCounted) {
  const FoundModels found = find_models("/nowhere/at/all");
  EXPECT_THAT(found.models, IsEmpty());
  EXPECT_EQ(found.closed_folders, 1);
}

TEST(FindModels, ThePlacesAreTheCachesThatExist) {
  const Folder home;
  const Variable a("HOME", home.path.c_str()), b("XDG_CACHE_HOME", nullptr), c("HF_HOME", nullptr),
      d("HF_HUB_CACHE", nullptr), e("LLAMA_CACHE", nullptr);
  EXPECT_THAT(model_places(), IsEmpty());
  fs::create_directories(home.at(".cache/huggingface/hub"));
  fs::create_directories(home.at(".cache/llama.cpp"));
  fs::create_directories(home.at(".lmstudio/models"));
  EXPECT_THAT(model_places(),
              ElementsAre(home.at(".cache/huggingface/hub"), home.at(".cache/llama.cpp"),
                          home.at(".lmstudio/models")));
  fs::create_directories(home.at("hf/hub"));
  const Variable hf("HF_HOME", home.at("hf").c_str());
  EXPECT_EQ(model_places().front(), home.at("hf/hub"));
  // A relative path is not taken, although its folder exists: it depends on the current folder.
  const fs::path from_here = fs::relative(home.at("hf/hub"));
  ASSERT_TRUE(from_here.is_relative() && fs::is_directory(from_here));
  const Variable relative("HF_HUB_CACHE", from_here.c_str());
  EXPECT_EQ(model_places().front(), home.at("hf/hub"));
}

}  // namespace
}  // namespace attn
