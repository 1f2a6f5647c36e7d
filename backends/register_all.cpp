// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/register_all.h"

#include "backends/pallas/backend.h"
#include "backends/reference/backend.h"
#include "backends/torch_sdpa/backend.h"
#include "backends/unified/backend.h"
#include "backends/xformers/backend.h"

namespace attn {

void register_all_backends() {
  register_backend(backends::reference::make_backend());
  register_backend(backends::torch_sdpa::make_backend());
  register_backend(backends::xformers::make_backend());
  register_backend(backends::pallas::make_backend());
  register_backend(backends::unified::make_backend());
}

}  // namespace attn
