# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of GPT-2, GPT-Neo and GPT-J."""

from small_model import SmallModel, gpt_like

GPT2 = ("n_embd", "n_layer", "n_head")  # also of GPT-J
NEO = ("hidden_size", "num_layers", "num_heads")


def gpt(name, seed, kind, keys, **more):
    return SmallModel(name, gpt_like(seed, kind, keys, **more),
                      transposed=".c_" if kind == "gpt2" else None)


def cases():
    yield gpt("gpt2_1", 111, "gpt2", GPT2, n_positions=128)
    yield gpt("gpt2_2", 112, "gpt2", GPT2, n_positions=100, n_inner=50,
              scale_attn_by_inverse_layer_idx=True, activation_function="relu")
    yield gpt("gpt2_3", 113, "gpt2", GPT2, n_positions=128, scale_attn_weights=False,
              activation_function="quick_gelu", tie_word_embeddings=False)
    yield gpt("gpt_neo_1", 121, "gpt_neo", NEO, num_layers=2, window_size=12,
              max_position_embeddings=128, attention_types=[[["global", "local"], 1]])
    yield gpt("gpt_neo_2", 122, "gpt_neo", NEO, num_layers=3, window_size=30,
              max_position_embeddings=96, intermediate_size=44,
              attention_types=[[["local"], 2], [["global"], 1]])
    yield gpt("gpt_neo_3", 123, "gpt_neo", NEO, num_layers=2, max_position_embeddings=100,
              attention_types=[[["global"], 2]], activation_function="gelu")
    yield gpt("gptj_1", 131, "gptj", GPT2, n_positions=128, rotary_dim=4)
    yield gpt("gptj_2", 132, "gptj", GPT2, n_positions=128, rotary_dim=8, n_inner=60)
    yield gpt("gptj_3", 133, "gptj", GPT2, n_positions=128, rotary_dim=6)
