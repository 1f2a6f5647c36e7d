# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of MPT."""

from small_model import SmallModel, gpt_like

KEYS = ("d_model", "n_layers", "n_heads")


def mpt(name, seed, **more):
    return SmallModel(name, gpt_like(seed, "mpt", KEYS, **more))


def cases():
    yield mpt("mpt_1", 171, d_model=48, n_heads=4, max_seq_len=128)
    yield mpt("mpt_2", 172, d_model=48, n_heads=6, max_seq_len=100, attn_config={"clip_qkv": 1.5})
    yield mpt("mpt_3", 173, d_model=36, n_heads=3, max_seq_len=128,
              attn_config={"softmax_scale": 0.2})
