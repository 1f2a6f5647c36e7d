# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of Phi-1 and Phi-2, StableLM and StarCoder2."""

from small_model import SmallModel, gpt_like

KEYS = ("hidden_size", "num_hidden_layers", "num_attention_heads")


def phi(name, seed, kind, **more):
    return SmallModel(name, gpt_like(seed, kind, KEYS, **more))


def cases():
    yield phi("phi_1", 281, "phi", intermediate_size=60, partial_rotary_factor=0.5,
              max_position_embeddings=128)
    yield phi("phi_2", 282, "phi", hidden_size=80, num_attention_heads=4, num_key_value_heads=2,
              intermediate_size=52, partial_rotary_factor=0.4, max_position_embeddings=128,
              tie_word_embeddings=True)
    yield phi("phi_3", 283, "phi", intermediate_size=44, max_position_embeddings=96,
              hidden_act="gelu")
    yield phi("stablelm_1", 291, "stablelm", hidden_size=48, num_attention_heads=3,
              num_key_value_heads=1, intermediate_size=40, max_position_embeddings=128)
    yield phi("stablelm_2", 292, "stablelm", intermediate_size=44, use_qkv_bias=True,
              partial_rotary_factor=0.5, use_parallel_residual=True, hidden_size=36,
              num_attention_heads=3, num_key_value_heads=3, max_position_embeddings=128)
    yield phi("stablelm_3", 293, "stablelm", intermediate_size=56, rope_theta=500.0, hidden_size=32,
              num_attention_heads=4, num_key_value_heads=2, partial_rotary_factor=1.0,
              max_position_embeddings=100, tie_word_embeddings=True)
    yield phi("starcoder2_1", 301, "starcoder2", hidden_size=48, num_attention_heads=4,
              num_key_value_heads=2, intermediate_size=60, max_position_embeddings=128)
    yield phi("starcoder2_2", 302, "starcoder2", intermediate_size=44, num_key_value_heads=1,
              sliding_window=18, max_position_embeddings=128, norm_epsilon=1e-3)
    yield phi("starcoder2_3", 303, "starcoder2", intermediate_size=52, num_key_value_heads=1,
              use_bias=False, hidden_act="gelu", max_position_embeddings=96,
              tie_word_embeddings=False)
    yield phi("starcoder2_4", 304, "starcoder2", hidden_size=30, num_attention_heads=4,
              num_key_value_heads=2, head_dim=12, intermediate_size=52, max_position_embeddings=96)
