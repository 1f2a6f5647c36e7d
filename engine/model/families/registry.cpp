// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/family.h"
#include "engine/model/families/llama.h"

namespace attn {

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      llama_family(),
  };
  return all;
}

}  // namespace attn
