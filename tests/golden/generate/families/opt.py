# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of OPT."""

from small_model import SmallModel, gpt_like

KEYS = ("hidden_size", "num_hidden_layers", "num_attention_heads")


def opt(name, seed, **more):
    return SmallModel(name, gpt_like(seed, "opt", KEYS, **more))


def cases():
    yield opt("opt_1", 151, ffn_dim=56, max_position_embeddings=100)
    yield opt("opt_2", 152, ffn_dim=48, max_position_embeddings=128, do_layer_norm_before=False,
              word_embed_proj_dim=20)
    yield opt("opt_3", 153, ffn_dim=64, max_position_embeddings=96, enable_bias=False,
              activation_function="gelu", _remove_final_layer_norm=True)
