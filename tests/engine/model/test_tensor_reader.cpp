// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/tensor_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/model/layers/embedding.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TensorReaderTest : public testing::Test {
 protected:
  void add(const std::string& name, DType dtype, Shape shape) {
    Tensor tensor(DType::kF32, shape);
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.data<float>()[i] = static_cast<float>(i) + 0.5f;
    tensors_.emplace_back(name,
                          dtype == DType::kI32 ? Tensor(dtype, shape) : convert(tensor, dtype));
  }
  WeightFiles files() const {
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors_) named.push_back({name, &tensor});
    write_safetensors(folder_.path / "model.safetensors", named, {});
    return WeightFiles::open(folder_.path);
  }
  static std::vector<std::string> problems_of(const TensorReader& reader) {
    Problems problems;
    reader.check(problems);
    return problems.sentences();
  }

  ScratchFolder folder_;
  std::vector<std::pair<std::string, Tensor>> tensors_;
};

const Axis kRowAxis{"rows", 2}, kColumnAxis{"columns", 3};

TEST_F(TensorReaderTest, HandsOverWhatWasTakenInTheOrderOfTheCalls) {
  add("a", DType::kBF16, {2, 3});
  add("b", DType::kF64, {3});
  add("c", DType::kF32, {2});
  const WeightFiles weights = files();
  TensorReader reader(weights);
  EXPECT_TRUE(reader.has("a"));
  EXPECT_FALSE(reader.has("d"));
  std::vector<std::string> order;
  std::vector<float> numbers;
  reader.take("b", {kColumnAxis}, [&](const Tensor& tensor) {
    order.push_back("b");
    EXPECT_EQ(tensor.dtype(), DType::kF32);  // the file has f64
  });
  reader.take_matrix("a", {kRowAxis, kColumnAxis}, [&](const StoredMatrix& matrix) {
    order.push_back("a");
    EXPECT_EQ(matrix.type, WeightType::kBF16);
  });
  reader.take("c", {kRowAxis}, numbers);
  EXPECT_THAT(problems_of(reader), IsEmpty());
  EXPECT_THAT(order, IsEmpty());  // no function is called before read()
  EXPECT_EQ(reader.unused(), "");
  EXPECT_EQ(reader.num_parameters(), 6 + 3 + 2);
  EXPECT_EQ(reader.stored_bytes(), 6 * 2 + 3 * 8 + 2 * 4);
  // b: 3 f32 numbers. a: a panel of 64 rows with 4 bf16 numbers. c: 2 f32 numbers. And a second
  // panel of `a` while `a` is read.
  EXPECT_EQ(reader.needed_bytes(), 3 * 4 + 64 * 4 * 2 + 2 * 4 + 64 * 4 * 2);
  std::vector<double> shares;
  reader.read([&](double share) {
    shares.push_back(share);
    return true;
  });
  EXPECT_THAT(order, ElementsAre("b", "a"));
  EXPECT_THAT(numbers, ElementsAre(0.5f, 1.5f));
  EXPECT_THAT(shares, ElementsAre(0, 24.0 / 44, 36.0 / 44));
}

TEST_F(TensorReaderTest, TellsWhatIsMissingOrDoesNotFitOnceForEachKind) {
  add("top", DType::kF32, {2, 4});
  for (int layer = 0; layer < 2; ++layer) {
    add(fmt::format("h.{}.w", layer), DType::kF32, {2});
    add(fmt::format("h.{}.i", layer), DType::kI32, {2});
  }
  const WeightFiles weights = files();
  TensorReader reader(weights);
  reader.layers("h.", {"n_layer", 4});
  std::vector<float> to;
  reader.take("top", {kRowAxis, kColumnAxis}, to);
  for (int layer = 0; layer < 4; ++layer) {
    reader.take(fmt::format("h.{}.w", layer), {kColumnAxis}, to);
    reader.take(fmt::format("h.{}.i", layer), {kRowAxis}, to);
    reader.take(fmt::format("h.{}.b", layer), {kRowAxis}, to);
  }
  const std::string file = "model.safetensors";
  EXPECT_THAT(problems_of(reader),
              ElementsAre(testing::AllOf(HasSubstr("no h.0.b; and 1 more tensor like it"),
                                         HasSubstr(file), HasSubstr("h.0.b of shape [2]")),
                          testing::AllOf(HasSubstr("no h.2.w; and 5 more tensors like it"),
                                         HasSubstr("4 layers, by n_layer of config.json"),
                                         HasSubstr("The files have 2 of them")),
                          testing::AllOf(HasSubstr("model.safetensors, top"), HasSubstr("[2, 4]"),
                                         HasSubstr("[2, 3]"),
                                         HasSubstr("Shape by config.json: [rows, columns]; "
                                                   "and 2 more tensors where columns does")),
                          testing::AllOf(HasSubstr("h.0.i"), HasSubstr("I32 in 2 tensors"))));
}

TEST_F(TensorReaderTest, TellsWeightsThatAreNotFinite) {
  add("a", DType::kBF16, {2, 3});
  add("b", DType::kF64, {2, 3});
  tensors_[0].second.data<BFloat16>()[4] = to_bf16(std::numeric_limits<float>::infinity());
  for (const int64_t at : {1, 2}) tensors_[1].second.data<double>()[at] = std::nan("");
  const auto sentence = [&](const std::vector<std::string>& names) {
    const WeightFiles weights = files();
    TensorReader reader(weights);
    std::vector<float> to;
    for (const std::string& name : names) reader.take(name, {kRowAxis, kColumnAxis}, to);
    return reader.read({});
  };
  EXPECT_EQ(sentence({"a", "b"}),
            "3 numbers of the weights, in 2 tensors, are NaN or infinite, the first one in a at "
            "[1, 1]. What is computed with them can be NaN or infinite too.");
  EXPECT_THAT(sentence({"b"}), HasSubstr("2 numbers of the weights, in 1 tensor, are"));
  tensors_[0].second.data<BFloat16>()[4] = to_bf16(1);
  EXPECT_EQ(sentence({"a"}), "");
}

TEST_F(TensorReaderTest, TellsWhatNobodyTakes) {
  add("a", DType::kF32, {2});
  add("a.inv_freq", DType::kF32, {2});
  add("b", DType::kF32, {2});
  const WeightFiles weights = files();
  TensorReader reader(weights);
  std::vector<float> to;
  reader.take("a", {kRowAxis}, to);
  reader.ignore(".inv_freq");
  EXPECT_EQ(reader.unused(),
            "1 tensor of the files is not part of this model and is ignored: \"b\".");
}

TEST_F(TensorReaderTest, EmbeddingsAreTiedWhereOnlyOneIsThere) {
  const auto taken = [&](bool tied, bool& two) {
    const WeightFiles weights = files();
    TensorReader reader(weights);
    Embedding input;
    Linear output;
    two = take_embeddings(reader, {"in", "out"}, kRowAxis, kColumnAxis, tied, input, output);
    const std::vector<std::string> problems = problems_of(reader);
    if (!problems.empty()) return problems.front();
    reader.read({});
    std::vector<float> row(3);
    input.look_up(1, row.data());
    return fmt::format("{} -> {}, {}", output.in(), output.out(), row[2]);
  };
  bool two = false;
  add("out.weight", DType::kBF16, {2, 3});
  EXPECT_EQ(taken(true, two), "3 -> 2, 5.5");
  EXPECT_FALSE(two);
  EXPECT_THAT(taken(false, two), HasSubstr("no in.weight"));
  tensors_.front().first = "in.weight";
  EXPECT_EQ(taken(true, two), "3 -> 2, 5.5");
  EXPECT_FALSE(two);
  EXPECT_THAT(taken(false, two), HasSubstr("\"tie_word_embeddings\": true"));
  add("out.weight", DType::kF32, {2, 3});
  EXPECT_EQ(taken(true, two), "3 -> 2, 5.5");
  EXPECT_TRUE(two);
}

}  // namespace
}  // namespace attn
