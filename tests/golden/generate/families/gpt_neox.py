# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of GPT-NeoX."""

from small_model import SmallModel, gpt_like

KEYS = ("hidden_size", "num_hidden_layers", "num_attention_heads")


def gpt_neox(name, seed, **more):
    return SmallModel(name, gpt_like(seed, "gpt_neox", KEYS, **more))


def cases():
    yield gpt_neox("gpt_neox_1", 141, hidden_size=48, num_attention_heads=3, intermediate_size=60,
                   rotary_pct=0.25)
    yield gpt_neox("gpt_neox_2", 142, intermediate_size=72, rotary_pct=0.5,
                   use_parallel_residual=False, rotary_emb_base=2000)
    yield gpt_neox("gpt_neox_3", 143, intermediate_size=50, rotary_pct=1.0, attention_bias=False,
                   tie_word_embeddings=True, rope_scaling={"type": "linear", "factor": 2.0})
