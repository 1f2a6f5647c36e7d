// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders: BERT, RoBERTa and DistilBERT. Every token sees all tokens of its text. The norms follow
// the residual sums. The logits come from the head for masked tokens, where the files have one. J.
// Devlin and others, 2018. Keys and names as in models/bert, roberta and distilbert of the
// `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family bert_family();

}  // namespace attn
