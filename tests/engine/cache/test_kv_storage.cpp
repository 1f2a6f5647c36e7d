// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/kv_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace attn {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// A backend that consists of a cache layout only: [2, blocks, block_size * heads * head_size +
// padding].
class LayoutBackend : public AttentionBackend {
 public:
  explicit LayoutBackend(int64_t padding = 0) : padding_(padding) {}
  std::string_view name() const override { return "layout"; }
  std::string_view display_name() const override { return "LAYOUT"; }
  std::string_view description() const override { return "A cache layout for tests."; }
  std::vector<int64_t> supported_head_sizes() const override { return {}; }
  BackendCapabilities capabilities() const override { return {}; }
  std::vector<std::string> not_supported_reasons(const AttentionConfig&) const override {
    return {};
  }
  std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig&) const override {
    return nullptr;
  }
  Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                       int64_t head_size) const override {
    return {2, num_blocks, block_size * num_kv_heads * head_size + padding_};
  }
  void swap_blocks(const KvCacheView&, const KvCacheView&,
                   std::span<const BlockPair>) const override {}
  void copy_blocks(std::span<const KvCacheView>, std::span<const BlockPair>) const override {}
  void read_keys(const KvCacheView&, std::span<const int64_t>, float*) const override {}
  void read_values(const KvCacheView&, std::span<const int64_t>, float*) const override {}
  void write_rows(const KvCacheView&, std::span<const int64_t>, const float*,
                  const float*) const override {}

 private:
  int64_t padding_;
};

KvStorageSpec small_spec() {
  return {.num_layers = 3,
          .num_blocks = 5,
          .block_size = 4,
          .num_kv_heads = 2,
          .head_size = 8,
          .dtype = DType::kBF16};
}

int64_t status_kib(const std::string& key) {
  std::ifstream in("/proc/self/status");
  std::string word;
  while (in >> word) {
    int64_t value = 0;
    if (word == key + ":" && in >> value) return value;
  }
  return -1;
}

TEST(KvStorage, BytesFollowTheElementType) {
  const LayoutBackend backend;
  for (const auto& [dtype, bytes] : {std::pair{DType::kF32, size_t{4}},
                                     {DType::kF16, size_t{2}},
                                     {DType::kBF16, size_t{2}},
                                     {DType::kF8E4M3, size_t{1}},
                                     {DType::kF8E5M2, size_t{1}},
                                     {DType::kI8, size_t{1}}}) {
    KvStorageSpec spec = small_spec();
    spec.dtype = dtype;
    EXPECT_EQ(KvStorage::bytes_needed(spec), static_cast<int64_t>(3 * 2 * 5 * 4 * 2 * 8 * bytes));
    const KvStorage storage(backend, spec);
    EXPECT_EQ(storage.layer(2).storage->dtype(), dtype);
    EXPECT_EQ(storage.layer(2).storage->bytes(), 2 * 5 * 4 * 2 * 8 * bytes);
  }
}

TEST(KvStorage, OneTensorPerLayerInTheBackendsLayout) {
  const LayoutBackend backend;
  const KvStorage storage(backend, small_spec());
  for (int64_t layer = 0; layer < 3; ++layer) {
    const KvCacheView view = storage.layer(layer);
    ASSERT_FALSE(view.empty());
    EXPECT_EQ(view.storage->shape(), (Shape{2, 5, 64}));
    EXPECT_EQ(view.storage->dtype(), DType::kBF16);
    EXPECT_EQ(view.num_blocks, 5);
    EXPECT_EQ(view.block_size, 4);
    EXPECT_EQ(view.num_kv_heads, 2);
    EXPECT_EQ(view.head_size, 8);
  }
  EXPECT_NE(storage.layer(0).storage, storage.layer(1).storage);
  EXPECT_EQ(&storage.backend(), &backend);
  EXPECT_THROW(storage.layer(3), std::logic_error);
  EXPECT_THROW(storage.layer(-1), std::logic_error);
}

TEST(KvStorage, BytesAreTheProductOfTheAxes) {
  EXPECT_EQ(KvStorage::bytes_needed(small_spec()), 3 * 5 * 4 * 2 * 8 * 2 * 2);
  KvStorageSpec spec = small_spec();
  spec.dtype = DType::kF32;
  EXPECT_EQ(KvStorage::bytes_needed(spec), 3 * 5 * 4 * 2 * 8 * 2 * 4);
}

TEST(KvStorage, EmptyAxesAndOverflowAreBadInput) {
  const LayoutBackend backend;
  const auto expect_bad = [&](KvStorageSpec spec, const std::string& where) {
    try {
      const KvStorage storage(backend, spec);
      ADD_FAILURE() << where << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_EQ(error.parts().where, where);
    }
  };
  KvStorageSpec spec = small_spec();
  spec.num_layers = 0;
  expect_bad(spec, "num_layers");
  spec = small_spec();
  spec.head_size = -8;
  expect_bad(spec, "head_size");
  spec = small_spec();
  spec.num_blocks = int64_t{1} << 60;
  expect_bad(spec, "num_blocks");
  spec = {.num_layers = 1 << 16,
          .num_blocks = 1 << 16,
          .block_size = 1 << 16,
          .num_kv_heads = 1 << 16,
          .head_size = 1};
  expect_bad(spec, "num_blocks");
}

TEST(KvStorage, RefusesWhatDoesNotFitWithTheArithmeticAndAllocatesNothing) {
  const LayoutBackend backend;
  const int64_t available = available_memory_bytes();
  ASSERT_LT(available, std::numeric_limits<int64_t>::max() / 4);
  // About 90% of the available memory in 64 layers: the first layers alone would fit.
  KvStorageSpec spec{
      .num_layers = 64, .num_blocks = 0, .block_size = 16, .num_kv_heads = 8, .head_size = 128};
  const int64_t per_block = 64 * 16 * 8 * 128 * 2 * 4;
  spec.num_blocks = available / 10 * 9 / per_block;
  const int64_t before = status_kib("VmSize");
  std::string message;
  try {
    const KvStorage storage(backend, spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_EQ(error.parts().where, "num_blocks");
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("64 layers x " + std::to_string(spec.num_blocks) +
                                 " blocks x 16 tokens per block x "
                                 "8 KV heads x 128 (head size) x 2 (K and V) x 4 bytes (f32) = " +
                                 std::to_string(spec.num_blocks * per_block) + " bytes"));
  EXPECT_THAT(message, HasSubstr("70% of the"));
  EXPECT_THAT(message, HasSubstr("Use at most"));
  // VmPeak also counts memory that was released again, so not even one layer was allocated.
  EXPECT_LT(status_kib("VmPeak") - std::max(before, int64_t{0}), available / 1024 / 64 / 2);
}

TEST(KvStorage, PaddingOfTheLayoutCounts) {
  const LayoutBackend padded(int64_t{1} << 50);
  try {
    const KvStorage storage(padded, small_spec());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().where, "num_blocks");
    EXPECT_THAT(
        error.parts().found,
        HasSubstr(" = 3840 bytes, padded by the backend's layout to 67553994410561280 bytes"));
  }
}

TEST(CheckMemory, SeventyPercentIsTheLimit) {
  const KvStorageSpec spec = small_spec();
  EXPECT_NO_THROW(check_memory(spec, 70, 100));
  EXPECT_THROW(check_memory(spec, 71, 100), Error);
  EXPECT_NO_THROW(check_memory(spec, 6, 9));
  EXPECT_THROW(check_memory(spec, 7, 9), Error);
  EXPECT_THROW(check_memory(spec, 1, 0), Error);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_NO_THROW(check_memory(spec, kMost / 10 * 7, kMost));
  EXPECT_THROW(check_memory(spec, kMost, kMost), Error);
  try {
    check_memory(spec, 5 * 1000, 1000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().advice, "Use smaller blocks, a smaller model, or close other programs");
  }
  try {
    check_memory(spec, 5 * 1000, 5000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().advice, "Use at most 3 blocks of this size");
  }
}

class AvailableMemory : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("attn-memory-" + std::to_string(getpid()));
    fs::remove_all(root_);
    write("proc/meminfo", "MemTotal:  2000 kB\nMemFree:  10 kB\nMemAvailable:   1000 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  int64_t bytes() const { return available_memory_bytes(root_); }

  fs::path root_;
};

TEST_F(AvailableMemory, IsTheMachinesWithoutControlGroups) {
  EXPECT_EQ(bytes(), 1000 * 1024);
}

TEST_F(AvailableMemory, UnlimitedGroupsChangeNothing) {
  write("proc/self/cgroup", "0::/user/shell\n");
  write("sys/fs/cgroup/user/shell/memory.max", "max\n");
  write("sys/fs/cgroup/user/shell/memory.current", "900000\n");
  EXPECT_EQ(bytes(), 1000 * 1024);
}

TEST_F(AvailableMemory, GroupLimitLessItsUseWhereLower) {
  write("proc/self/cgroup", "0::/user/shell\n");
  write("sys/fs/cgroup/user/shell/memory.max", "500000\n");
  write("sys/fs/cgroup/user/shell/memory.current", "200000\n");
  EXPECT_EQ(bytes(), 300000);
  write("sys/fs/cgroup/user/shell/memory.stat",
        "anon 100000\ninactive_file 50000\nactive_file 7\n");
  EXPECT_EQ(bytes(), 350000);
}

TEST_F(AvailableMemory, LimitOfAParentGroupCounts) {
  write("proc/self/cgroup", "0::/user/shell\n");
  write("sys/fs/cgroup/user/memory.max", "400000\n");
  write("sys/fs/cgroup/user/memory.current", "150000\n");
  write("sys/fs/cgroup/user/shell/memory.max", "max\n");
  EXPECT_EQ(bytes(), 250000);
}

TEST_F(AvailableMemory, GroupOfTheContainerItself) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "123456\n");
  write("sys/fs/cgroup/memory.current", "456\n");
  EXPECT_EQ(bytes(), 123000);
}

TEST_F(AvailableMemory, FullGroupHasNothingLeft) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(bytes(), 0);
}

TEST_F(AvailableMemory, VersionOneGroups) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "70000\n");
  write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "20000\n");
  write("sys/fs/cgroup/memory/a/memory.stat", "total_inactive_file 1000\n");
  EXPECT_EQ(bytes(), 51000);
}

TEST_F(AvailableMemory, UnreadableNumbersAreNoLimit) {
  write("proc/meminfo", "MemAvailable: many kB\n");
  write("proc/self/cgroup", "nonsense\n0::/../../x\n");
  write("sys/x/memory.max",
        "5\n");  // the path leads outside the mount point
  EXPECT_EQ(bytes(), std::numeric_limits<int64_t>::max());
}

TEST_F(AvailableMemory, LimitsOfTheProcessLessWhatItHas) {
  const std::string limits =
      "Limit                     Soft Limit           Hard Limit           Units     \n";
  write("proc/self/status", "Name:\tattn\nVmSize:\t     300 kB\nVmData:\t     100 kB\n");
  write("proc/self/limits", limits +
                                "Max data size             unlimited            unlimited         "
                                "   bytes     \n"
                                "Max address space         819200               unlimited         "
                                "   bytes     \n");
  EXPECT_EQ(bytes(), 819200 - 300 * 1024);
  write("proc/self/limits", limits +
                                "Max data size             204800               unlimited         "
                                "   bytes     \n"
                                "Max address space         819200               unlimited         "
                                "   bytes     \n");
  EXPECT_EQ(bytes(), 204800 - 100 * 1024);
  write("proc/self/limits", limits +
                                "Max data size             1                    unlimited         "
                                "   bytes     \n");
  EXPECT_EQ(bytes(), 0);
  write("proc/self/limits", "Max address space");
  EXPECT_EQ(bytes(), 1000 * 1024);
}

TEST(AskMemory, RefusesWithTheArithmetic) {
  const MemoryNeed need{.bytes = 71,
                        .what = "it does not fit in memory",
                        .where = "x.json",
                        .found = "71 values x 1 byte",
                        .advice = "Use fewer"};
  EXPECT_NO_THROW(ask_memory(need, 102));
  try {
    ask_memory(need, 100);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_STREQ(
        error.what(),
        "it does not fit in memory at x.json: found 71 values x 1 byte, allowed 70% of the "
        "100 bytes that are available = 70 bytes. Use fewer.");
  }
  EXPECT_NO_THROW(ask_memory(need));  // 71 bytes fit in any memory
  EXPECT_THROW(ask_memory({.bytes = 1e18, .what = "", .where = "", .found = "", .advice = ""}),
               Error);
}

TEST(AvailableMemoryHere, IsPositive) {
  EXPECT_GT(available_memory_bytes(), 0);
  EXPECT_LT(available_memory_bytes(), std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace attn
