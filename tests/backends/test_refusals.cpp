// SPDX-License-Identifier: GPL-3.0-or-later
// What a backend cannot do, it says in a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Refusals : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
  const AttentionBackend& sdpa_ = backend_named("torch_sdpa");
};

TEST_F(Refusals, HeadSizeNotOnTheList) {
  const AttentionConfig config = make_config(6, 6, 48);
  EXPECT_THAT(sdpa_.not_supported_reasons(config), ElementsAre(HasSubstr("head sizes 32, 64, 80")));
  try {
    sdpa_.make_impl(config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_EQ(error.exit_code(), 3);
    EXPECT_EQ(error.sentences(), sdpa_.not_supported_reasons(config));
  }
}

TEST_F(Refusals, EveryReasonIsListed) {
  AttentionConfig config = make_config(6, 6, 48);
  config.blocksparse = BlockSparse{};
  config.kv_cache_dtype_name = "fp8_e4m3";
  config.attn_type = AttentionType::kEncoder;
  EXPECT_EQ(sdpa_.not_supported_reasons(config).size(), 4u);
}

TEST_F(Refusals, CacheDtypesNobodyKnows) {
  for (const AttentionBackend* backend : {&backend_named("reference"), &sdpa_}) {
    AttentionConfig config = make_config(2, 1, 64);
    for (const char* name : {"int8", "f16", "banana", "fp8_e5m2"}) {
      config.kv_cache_dtype_name = name;
      EXPECT_THAT(backend->not_supported_reasons(config),
                  ElementsAre(HasSubstr(name[0] == 'f' && name[1] == 'p' ? "fp8" : name)))
          << backend->name();
    }
    for (const char* name : {"auto", "f32", "bf16"}) {
      config.kv_cache_dtype_name = name;
      EXPECT_THAT(backend->not_supported_reasons(config), IsEmpty()) << backend->name();
    }
  }
}

TEST_F(Refusals, SoftCapIsIgnoredWithAWarning) {
  AttentionConfig config = make_config(2, 1, 64);
  EXPECT_THAT(sdpa_.make_impl(config)->warnings(), IsEmpty());
  config.logits_soft_cap = 30.0f;
  EXPECT_THAT(sdpa_.not_supported_reasons(config), IsEmpty());
  EXPECT_THAT(sdpa_.make_impl(config)->warnings(), ElementsAre(HasSubstr("soft cap")));
}

TEST_F(Refusals, WhatNoBackendAcceptsIsBadInput) {
  for (const auto& broken :
       {make_config(0, 1, 64), make_config(6, 4, 64), make_config(300, 1, 64)}) {
    for (const AttentionBackend* backend : registered_backends()) {
      try {
        backend->make_impl(broken);
        FAIL() << backend->name();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      }
    }
  }
}

TEST_F(Refusals, UnknownBackendNamesTheNearest) {
  try {
    backend_named("torch_spda");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Did you mean `torch_sdpa`"));
  }
}

}  // namespace
}  // namespace attn::testing
