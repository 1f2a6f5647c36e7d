// SPDX-License-Identifier: GPL-3.0-or-later
// The fixture of the tests of the pallas backend and of its kernels.
#pragma once

#include "tests/support/backend_test.h"

namespace attn::testing {

class Pallas : public BackendTest {
 protected:
  static const AttentionBackend& pallas() { return backend_named("pallas"); }
};

}  // namespace attn::testing
