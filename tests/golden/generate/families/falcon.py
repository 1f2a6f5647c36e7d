# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of Falcon."""

from small_model import SmallModel, gpt_like

KEYS = ("hidden_size", "num_hidden_layers", "num_attention_heads")


def falcon(name, seed, has_weights=True, **more):
    return SmallModel(name, gpt_like(seed, "falcon", KEYS, **more), has_weights=has_weights)


def cases():
    yield falcon("falcon_1", 181, bias=False)
    yield falcon("falcon_2", 182, hidden_size=48, num_attention_heads=6, num_kv_heads=2,
                 new_decoder_architecture=True)
    # transformers adds the biases of ALiBi twice where Falcon runs eagerly: to the scores and in
    # the mask. scaled_dot_product_attention adds them once; it gives no weights.
    yield falcon("falcon_3", 183, has_weights=False, hidden_size=48, num_attention_heads=4,
                 alibi=True, multi_query=False, parallel_attn=False, bias=True)
    yield falcon("falcon_4", 184, hidden_size=48, num_attention_heads=4, num_kv_heads=2,
                 new_decoder_architecture=True, num_ln_in_parallel_attn=1, ffn_hidden_size=50)
    yield falcon("falcon_5", 185, multi_query=False, bias=True)
