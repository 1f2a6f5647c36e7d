// SPDX-License-Identifier: GPL-3.0-or-later
// load_model(): that it chooses the family by the model_type, and that it can be cancelled. What a
// folder of a family may hold is tested with the family.
#include "engine/model/load_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/model/families/family.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/llama_folder.h"

namespace attn {
namespace {

TEST(LoadModel, AnUnknownFamilyIsNamedWithThoseThatAreKnown) {
  LlamaFolder folder;
  folder.config["model_type"] = "mamba";
  folder.write();
  const ModelCheck check = check_model(folder.path(), int64_t{1} << 40);
  ASSERT_EQ(check.problems.sentences().size(), 1u);
  const std::string sentence = check.problems.sentences().front();
  EXPECT_THAT(sentence, testing::HasSubstr("\"mamba\""));
  for (const Family& family : families())
    for (const std::string& type : family.model_types)
      EXPECT_THAT(sentence, testing::HasSubstr('"' + type + '"'));
  expect_refused({kNot, "model family is not supported", "config.json, $.model_type", "mamba", ""},
                 [&] { load_model(folder.path()); });
}

TEST(LoadModel, AConfigWithoutATypeIsALlama) {
  LlamaFolder folder;
  folder.config.erase("model_type");
  folder.write();
  const auto model = load_model(folder.path());
  EXPECT_EQ(model->shape().num_layers, 1);
  EXPECT_EQ(model->tokenizer().model_vocab_size(), 4);
}

TEST(LoadModel, NoTypeBelongsToTwoFamilies) {
  std::set<std::string> seen;
  for (const Family& family : families())
    for (const std::string& type : family.model_types)
      EXPECT_TRUE(seen.insert(type).second) << type;
}

TEST(LoadModel, EndsWhereItIsCancelled) {
  LlamaFolder folder;
  folder.write();
  double last = -1;
  expect_refused({ErrorCode::kCancelled, "cancelled", "", "", ""}, [&] {
    load_model(folder.path(), [&](double share) {
      EXPECT_GT(share, last);
      last = share;
      return share < 0.5;
    });
  });
  EXPECT_GE(last, 0.5);
  EXPECT_LT(last, 1);
}

}  // namespace
}  // namespace attn
