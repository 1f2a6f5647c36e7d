// SPDX-License-Identifier: GPL-3.0-or-later
// Fixture for tests of the pallas backend and its kernels: pallas() is the backend.
#pragma once

#include "tests/support/backend_test.h"

namespace attn::testing {

class Pallas : public BackendTest {
 protected:
  static const AttentionBackend& pallas() { return backend_named("pallas"); }
};

}  // namespace attn::testing
