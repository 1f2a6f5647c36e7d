// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/bert.h"
#include "engine/model/families/decoder/bloom.h"
#include "engine/model/families/decoder/falcon.h"
#include "engine/model/families/decoder/gpt.h"
#include "engine/model/families/decoder/gpt_neox.h"
#include "engine/model/families/decoder/llama.h"
#include "engine/model/families/decoder/mpt.h"
#include "engine/model/families/decoder/opt.h"
#include "engine/model/families/decoder/phi.h"
#include "engine/model/families/encoder_decoder/bart.h"
#include "engine/model/families/encoder_decoder/t5.h"
#include "engine/model/families/family.h"

namespace attn {

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      llama_family(), gpt2_family(),  gpt_neo_family(), gptj_family(),   gpt_neox_family(),
      opt_family(),   bloom_family(), mpt_family(),     falcon_family(), phi_family(),
      bert_family(),  t5_family(),    bart_family(),
  };
  return all;
}

}  // namespace attn
