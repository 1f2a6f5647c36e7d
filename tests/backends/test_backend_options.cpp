// SPDX-License-Identifier: GPL-3.0-or-later
// The options that backends declare: their texts, their values, the sentences about values that are
// refused or change nothing, and the devices that the option `tpu` models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/attention/layer_warnings.h"
#include "engine/core/error.h"
#include "tests/support/backend_test.h"

namespace attn::testing {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class BackendOptionsTest : public BackendTest {
 protected:
  // A config that every backend can run.
  const AttentionConfig config_ = make_config(2, 1, 128);

  AttentionConfig with(const BackendOption& option, const std::string& value) const {
    AttentionConfig config = config_;
    choose(config.backend_options, option, value);
    return config;
  }
};

TEST_F(BackendOptionsTest, SayWhatTheyAre) {
  ASSERT_FALSE(backend_options().empty());
  for (const BackendOption& option : backend_options()) {
    SCOPED_TRACE(option.name);
    EXPECT_THAT(option.values, Contains(option.default_value));
    EXPECT_FALSE(option.noun.empty() || option.title.empty());
    EXPECT_THAT(option.meaning, EndsWith("."));
  }
}

TEST_F(BackendOptionsTest, EveryOfferedValueRuns) {
  for (const AttentionBackend* backend : registered_backends())
    for (const BackendOption& option : backend->options())
      for (const std::string& value : option.values)
        EXPECT_NO_THROW(backend->make_impl(with(option, value))) << option.name << ' ' << value;
}

TEST_F(BackendOptionsTest, RefusedValuesAreAnsweredBySentences) {
  for (const AttentionBackend* backend : registered_backends())
    for (const BackendOption& option : backend->options())
      for (const std::string& value : option.refused) {
        SCOPED_TRACE(option.name + ' ' + value);
        EXPECT_THAT(backend->not_supported_reasons(with(option, value)),
                    Contains(HasSubstr(value)));
        EXPECT_THAT(option.values, Not(Contains(value)));
      }
}

TEST_F(BackendOptionsTest, UnknownValuesAreBadInput) {
  for (const AttentionBackend* backend : registered_backends())
    for (const BackendOption& option : backend->options()) {
      SCOPED_TRACE(option.name);
      try {
        backend->make_impl(with(option, "nonsense"));
        FAIL() << "accepted";
      } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_EQ(error.parts().found, "`nonsense`");
        EXPECT_THAT(error.parts().allowed, HasSubstr(option.default_value));
      }
    }
}

TEST_F(BackendOptionsTest, ABackendSaysThatItLacksAChosenOption) {
  AttentionConfig config = config_;
  config.backend_options["exactness"] = "fast";
  for (const AttentionBackend* backend : registered_backends()) {
    const auto sentence = HasSubstr("has no option exactness: fast changes nothing here.");
    const std::vector<std::string> warnings =
        warnings_of(*backend, config, *backend->make_impl(config));
    EXPECT_EQ(
        std::ranges::count_if(
            warnings, [&](const std::string& one) { return ::testing::Matches(sentence)(one); }),
        backend->name() == "unified" ? 0 : 1)
        << backend->name();
  }
}

TEST_F(BackendOptionsTest, ADefaultThatIsChosenIsNoEntry) {
  const BackendOption option = backend_options().front();
  BackendOptions chosen;
  choose(chosen, option, option.values.back());
  EXPECT_EQ(value_of(chosen, option), option.values.back());
  choose(chosen, option, option.default_value);
  EXPECT_EQ(value_of(chosen, option), option.default_value);
  EXPECT_TRUE(chosen.empty());
}

TEST_F(BackendOptionsTest, ModelledDevicesHaveTheNamesOfTheExports) {
  EXPECT_EQ(modelled_time_name("TPU v5e"), "modelled_tpu_v5e_us");
  AttentionConfig config = config_;
  config.backend_options["tpu"] = "v5e";
  EXPECT_EQ(backend_named("pallas").device_model(config)->name(), "TPU v5e");
  config.backend_options["tpu"] = "v3";
  EXPECT_EQ(backend_named("pallas").device_model(config), nullptr);
  EXPECT_EQ(backend_named("reference").device_model(config), nullptr);
}

}  // namespace
}  // namespace attn::testing
