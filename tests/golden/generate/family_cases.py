# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random models of every family, by transformers in f32 with eager attention.

Writes families/NAME.safetensors: the config.json, the names and shapes of the tensors as
transformers saves them, and what the model answers. The weights are not written. They follow from
the name of the case and of the tensor, by a formula that tests/engine/model/families/hash_weights.h
repeats:

    seed  = FNV-1a (64 bits) of the bytes of "CASE/TENSOR"
    z     = splitmix64 of seed + (i + 1) * 0x9E3779B97F4A7C15, modulo 2^64, for element i
    u     = (z >> 40) * 2^-23 - 1, in [-1, 1)
    value = f32(center + spread * u), computed in f64

usage: python family_cases.py --out ../families [NAME ...]
"""

import argparse
import json
import pathlib
import random
import tempfile

import numpy as np
import torch
import transformers
from safetensors import safe_open
from safetensors.numpy import save_file
from transformers import (AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM,
                          AutoModelForSeq2SeqLM, GenerationConfig)

VOCABULARY = 96
NEW_TOKENS = 64
ENCODERS = ("bert", "roberta", "distilbert")
ENCODER_DECODERS = ("t5", "bart", "marian", "mbart", "m2m_100")


# --- configurations ---


def llama_like(r, kind, **more):
    heads = r.choice([2, 4, 6])
    config = dict(
        model_type=kind,
        vocab_size=VOCABULARY,
        hidden_size=r.choice([24, 36, 48]),
        intermediate_size=r.choice([40, 56, 72]),
        num_hidden_layers=r.choice([2, 3]),
        num_attention_heads=heads,
        num_key_value_heads=r.choice([k for k in (1, 2, 3, 6) if heads % k == 0]),
        head_dim=r.choice([8, 12, 16]),
        max_position_embeddings=128,
        rms_norm_eps=1e-5,
        rope_theta=r.choice([1000.0, 10000.0]),
    )
    config.update(more)
    return config


def gpt_like(r, kind, keys, **more):
    """`keys`: names of width, layers and heads."""
    heads = r.choice([2, 3, 4])
    size = r.choice([8, 12, 16])
    width, layers, count = keys
    config = {"model_type": kind, "vocab_size": VOCABULARY, width: heads * size,
              layers: r.choice([2, 3]), count: heads}
    config.update(more)
    return {key: value for key, value in config.items() if value is not None}


def t5_like(r, **more):
    config = dict(
        model_type="t5",
        vocab_size=VOCABULARY,
        d_model=r.choice([24, 36, 48]),
        d_ff=r.choice([40, 56]),
        num_layers=2,
        num_heads=r.choice([2, 3, 4]),
        d_kv=r.choice([8, 12]),
        n_positions=128,
        decoder_start_token_id=0,
    )
    config.update(more)
    return config


def bart_like(r, kind, **more):
    heads = r.choice([2, 3, 4])
    config = dict(
        model_type=kind,
        vocab_size=VOCABULARY,
        d_model=heads * r.choice([8, 12]),
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=r.choice([40, 56]),
        decoder_ffn_dim=r.choice([40, 56]),
        max_position_embeddings=128,
        decoder_start_token_id=2,
        pad_token_id=1,
    )
    config.update(more)
    return config


def cases():
    def r(seed):
        return random.Random(seed)

    llama3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
              "original_max_position_embeddings": 32}
    yarn = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
    yield "llama_1", llama_like(r(1), "llama", attention_bias=True, mlp_bias=True)
    yield "llama_2", llama_like(r(2), "llama", rope_scaling=llama3, tie_word_embeddings=True)
    yield "llama_3", llama_like(r(3), "llama", rope_scaling=yarn)
    yield "llama_4", llama_like(r(4), "llama", rope_scaling={"type": "linear", "factor": 3.0},
                                hidden_act="gelu")
    yield "llama_5", llama_like(r(5), "llama", rope_scaling={"type": "dynamic", "factor": 2.0})
    longrope = {"rope_type": "longrope", "factor": 4.0, "short_factor": [1.0, 1.1, 1.3, 1.7],
                "long_factor": [2.0, 3.0, 4.0, 5.0], "original_max_position_embeddings": 100}
    yield "llama_6", llama_like(r(6), "llama", head_dim=8, rope_scaling=longrope)
    yield "mistral_1", llama_like(r(11), "mistral", sliding_window=16)
    yield "mistral_2", llama_like(r(12), "mistral", sliding_window=None)
    yield "mistral_3", llama_like(r(13), "mistral", sliding_window=48, tie_word_embeddings=True)
    yield "qwen2_1", llama_like(r(21), "qwen2", head_dim=12)
    yield "qwen2_2", llama_like(r(22), "qwen2", head_dim=8, use_sliding_window=True,
                                sliding_window=12, max_window_layers=1, num_hidden_layers=3)
    yield "qwen2_3", llama_like(r(23), "qwen2", hidden_size=48, num_attention_heads=4,
                                num_key_value_heads=2, head_dim=12, tie_word_embeddings=True,
                                num_hidden_layers=2, use_sliding_window=True, sliding_window=20,
                                layer_types=["sliding_attention", "full_attention"])
    yield "qwen3_1", llama_like(r(31), "qwen3")
    yield "qwen3_2", llama_like(r(32), "qwen3", attention_bias=True, tie_word_embeddings=True)
    yield "qwen3_3", llama_like(r(33), "qwen3", use_sliding_window=True, sliding_window=10,
                                max_window_layers=1, rope_scaling=yarn)
    yield "gemma_1", llama_like(r(41), "gemma", hidden_act="gelu")
    yield "gemma_2", llama_like(r(42), "gemma", hidden_act="gelu_pytorch_tanh",
                                attention_bias=True)
    yield "gemma_3", llama_like(r(43), "gemma", head_dim=20, hidden_act="gelu_pytorch_tanh",
                                tie_word_embeddings=False)
    yield "gemma2_1", llama_like(r(51), "gemma2", hidden_size=48, num_attention_heads=4,
                                 num_key_value_heads=2, num_hidden_layers=4, sliding_window=16,
                                 query_pre_attn_scalar=20, attn_logit_softcapping=3.0,
                                 final_logit_softcapping=8.0)
    yield "gemma2_2", llama_like(r(52), "gemma2", hidden_size=24, num_attention_heads=6,
                                 num_key_value_heads=3, num_hidden_layers=3, sliding_window=24,
                                 query_pre_attn_scalar=12, attn_logit_softcapping=None,
                                 final_logit_softcapping=None,
                                 layer_types=["full_attention", "sliding_attention",
                                              "full_attention"])
    yield "gemma2_3", llama_like(r(53), "gemma2", hidden_size=36, num_attention_heads=2,
                                 num_key_value_heads=1, sliding_window=8)
    # The older form of config.json, as the files of Gemma 3 have it: layers 0 and 1 of every three
    # have the window and turn by rope_local_base_freq, layer 2 is full and scaled.
    yield "gemma3_1", llama_like(r(54), "gemma3_text", hidden_size=48, num_attention_heads=4,
                                 num_key_value_heads=2, num_hidden_layers=7, sliding_window=12,
                                 sliding_window_pattern=3, query_pre_attn_scalar=20,
                                 rope_theta=5000.0, rope_local_base_freq=200.0,
                                 rope_scaling={"rope_type": "linear", "factor": 3.0})
    yield "gemma3_2", llama_like(r(55), "gemma3_text", hidden_size=24, num_attention_heads=6,
                                 num_key_value_heads=3, num_hidden_layers=3, sliding_window=24,
                                 query_pre_attn_scalar=12, rope_theta=None,
                                 rope_parameters={
                                     "full_attention": {"rope_type": "default",
                                                        "rope_theta": 20000.0},
                                     "sliding_attention": {"rope_type": "default",
                                                           "rope_theta": 500.0}},
                                 attn_logit_softcapping=4.0, final_logit_softcapping=6.0,
                                 layer_types=["full_attention", "sliding_attention",
                                              "full_attention"])
    # A window that hides nothing: the layers still turn differently.
    yield "gemma3_3", llama_like(r(56), "gemma3_text", hidden_size=36, num_attention_heads=2,
                                 num_key_value_heads=1, num_hidden_layers=2, sliding_window=500,
                                 sliding_window_pattern=2, tie_word_embeddings=False)
    # Every sixth layer is full. "rope_scaling" without a rope_type has no effect.
    yield "gemma3_4", llama_like(r(57), "gemma3_text", hidden_size=24, num_attention_heads=2,
                                 num_key_value_heads=1, num_hidden_layers=7, sliding_window=9,
                                 rope_scaling={"type": "linear", "factor": 8.0})
    phi_longrope = {"type": "longrope", "short_factor": [1.0, 1.1, 1.3],
                    "long_factor": [2.0, 3.0, 4.0]}
    yield "phi3_1", llama_like(r(61), "phi3", pad_token_id=0, hidden_size=48, num_attention_heads=4, head_dim=12,
                               num_key_value_heads=2, partial_rotary_factor=0.5,
                               max_position_embeddings=400, original_max_position_embeddings=100,
                               rope_scaling=phi_longrope)
    yield "phi3_2", llama_like(r(62), "phi3", pad_token_id=0, hidden_size=48, num_attention_heads=6, head_dim=8,
                               num_key_value_heads=3, sliding_window=30)
    yield "phi3_3", llama_like(r(63), "phi3", pad_token_id=0, hidden_size=32, num_attention_heads=2, head_dim=16,
                               num_key_value_heads=1, partial_rotary_factor=0.75)
    yield "olmo2_1", llama_like(r(71), "olmo2")
    yield "olmo2_2", llama_like(r(72), "olmo2", attention_bias=True, num_attention_heads=4,
                                num_key_value_heads=4)
    yield "olmo2_3", llama_like(r(73), "olmo2", tie_word_embeddings=True)
    yield "granite_1", llama_like(r(81), "granite", embedding_multiplier=3.0, logits_scaling=2.0,
                                  residual_multiplier=0.5, attention_multiplier=0.2)
    yield "granite_2", llama_like(r(82), "granite", embedding_multiplier=0.7, mlp_bias=True,
                                  attention_bias=True, residual_multiplier=0.22,
                                  attention_multiplier=0.1, logits_scaling=0.5)
    yield "granite_3", llama_like(r(83), "granite", tie_word_embeddings=True,
                                  attention_multiplier=0.3)
    yield "smollm3_1", llama_like(r(271), "smollm3", num_hidden_layers=5, pad_token_id=0)
    yield "smollm3_2", llama_like(r(272), "smollm3", num_hidden_layers=4, pad_token_id=0,
                                  no_rope_layers=[0, 1, 1, 0], use_sliding_window=True,
                                  sliding_window=14, tie_word_embeddings=False)
    yield "smollm3_3", llama_like(r(273), "smollm3", num_hidden_layers=3, pad_token_id=0,
                                  no_rope_layer_interval=2, attention_bias=True, mlp_bias=True)
    # The window is in the layers that layer_types names, also without use_sliding_window.
    yield "smollm3_4", llama_like(r(274), "smollm3", num_hidden_layers=3, pad_token_id=0,
                                  sliding_window=11, layer_types=["sliding_attention",
                                                                  "full_attention",
                                                                  "sliding_attention"])
    yield "mixtral_1", llama_like(r(91), "mixtral", num_local_experts=4, num_experts_per_tok=2)
    yield "mixtral_2", llama_like(r(92), "mixtral", num_local_experts=3, num_experts_per_tok=1,
                                  sliding_window=20)
    yield "mixtral_3", llama_like(r(93), "mixtral", num_local_experts=8, num_experts_per_tok=3)
    yield "qwen3_moe_1", llama_like(r(101), "qwen3_moe", num_experts=6, num_experts_per_tok=2,
                                    moe_intermediate_size=20, norm_topk_prob=True)
    yield "qwen3_moe_2", llama_like(r(102), "qwen3_moe", num_experts=4, num_experts_per_tok=3,
                                    moe_intermediate_size=24, num_hidden_layers=4,
                                    decoder_sparse_step=2, attention_bias=True)
    yield "qwen3_moe_3", llama_like(r(103), "qwen3_moe", num_experts=5, num_experts_per_tok=2,
                                    moe_intermediate_size=16, num_hidden_layers=3,
                                    mlp_only_layers=[1], norm_topk_prob=True,
                                    use_sliding_window=True, sliding_window=18)

    gpt2 = ("n_embd", "n_layer", "n_head")
    yield "gpt2_1", gpt_like(r(111), "gpt2", gpt2, n_positions=128)
    yield "gpt2_2", gpt_like(r(112), "gpt2", gpt2, n_positions=100, n_inner=50,
                             scale_attn_by_inverse_layer_idx=True, activation_function="relu")
    yield "gpt2_3", gpt_like(r(113), "gpt2", gpt2, n_positions=128, scale_attn_weights=False,
                             activation_function="quick_gelu", tie_word_embeddings=False)
    neo = ("hidden_size", "num_layers", "num_heads")
    yield "gpt_neo_1", gpt_like(r(121), "gpt_neo", neo, num_layers=2, window_size=12,
                                max_position_embeddings=128,
                                attention_types=[[["global", "local"], 1]])
    yield "gpt_neo_2", gpt_like(r(122), "gpt_neo", neo, num_layers=3, window_size=30,
                                max_position_embeddings=96, intermediate_size=44,
                                attention_types=[[["local"], 2], [["global"], 1]])
    yield "gpt_neo_3", gpt_like(r(123), "gpt_neo", neo, num_layers=2, max_position_embeddings=100,
                                attention_types=[[["global"], 2]], activation_function="gelu")
    gptj = ("n_embd", "n_layer", "n_head")
    yield "gptj_1", gpt_like(r(131), "gptj", gptj, n_positions=128, rotary_dim=4)
    yield "gptj_2", gpt_like(r(132), "gptj", gptj, n_positions=128, rotary_dim=8, n_inner=60)
    yield "gptj_3", gpt_like(r(133), "gptj", gptj, n_positions=128, rotary_dim=6)
    neox = ("hidden_size", "num_hidden_layers", "num_attention_heads")
    yield "gpt_neox_1", gpt_like(r(141), "gpt_neox", neox, hidden_size=48, num_attention_heads=3,
                                 intermediate_size=60, rotary_pct=0.25)
    yield "gpt_neox_2", gpt_like(r(142), "gpt_neox", neox, intermediate_size=72, rotary_pct=0.5,
                                 use_parallel_residual=False, rotary_emb_base=2000)
    yield "gpt_neox_3", gpt_like(r(143), "gpt_neox", neox, intermediate_size=50, rotary_pct=1.0,
                                 attention_bias=False, tie_word_embeddings=True,
                                 rope_scaling={"type": "linear", "factor": 2.0})
    yield "phi_1", gpt_like(r(281), "phi", neox, intermediate_size=60, partial_rotary_factor=0.5,
                            max_position_embeddings=128)
    yield "phi_2", gpt_like(r(282), "phi", neox, hidden_size=80, num_attention_heads=4,
                            num_key_value_heads=2, intermediate_size=52, partial_rotary_factor=0.4,
                            max_position_embeddings=128, tie_word_embeddings=True)
    yield "phi_3", gpt_like(r(283), "phi", neox, intermediate_size=44, max_position_embeddings=96,
                            hidden_act="gelu")
    yield "stablelm_1", gpt_like(r(291), "stablelm", neox, hidden_size=48, num_attention_heads=3,
                                 num_key_value_heads=1, intermediate_size=40,
                                 max_position_embeddings=128)
    yield "stablelm_2", gpt_like(r(292), "stablelm", neox, intermediate_size=44, use_qkv_bias=True,
                                 partial_rotary_factor=0.5, use_parallel_residual=True,
                                 hidden_size=36, num_attention_heads=3, num_key_value_heads=3,
                                 max_position_embeddings=128)
    yield "stablelm_3", gpt_like(r(293), "stablelm", neox, intermediate_size=56, rope_theta=500.0,
                                 hidden_size=32, num_attention_heads=4, num_key_value_heads=2,
                                 partial_rotary_factor=1.0, max_position_embeddings=100,
                                 tie_word_embeddings=True)
    yield "starcoder2_1", gpt_like(r(301), "starcoder2", neox, hidden_size=48,
                                   num_attention_heads=4, num_key_value_heads=2,
                                   intermediate_size=60, max_position_embeddings=128)
    yield "starcoder2_2", gpt_like(r(302), "starcoder2", neox, intermediate_size=44,
                                   num_key_value_heads=1, sliding_window=18,
                                   max_position_embeddings=128, norm_epsilon=1e-3)
    yield "starcoder2_3", gpt_like(r(303), "starcoder2", neox, intermediate_size=52,
                                   num_key_value_heads=1, use_bias=False, hidden_act="gelu",
                                   max_position_embeddings=96, tie_word_embeddings=False)
    yield "starcoder2_4", gpt_like(r(304), "starcoder2", neox, hidden_size=30,
                                   num_attention_heads=4, num_key_value_heads=2, head_dim=12,
                                   intermediate_size=52, max_position_embeddings=96)
    opt = ("hidden_size", "num_hidden_layers", "num_attention_heads")
    yield "opt_1", gpt_like(r(151), "opt", opt, ffn_dim=56, max_position_embeddings=100)
    yield "opt_2", gpt_like(r(152), "opt", opt, ffn_dim=48, max_position_embeddings=128,
                            do_layer_norm_before=False, word_embed_proj_dim=20)
    yield "opt_3", gpt_like(r(153), "opt", opt, ffn_dim=64, max_position_embeddings=96,
                            enable_bias=False, activation_function="gelu",
                            _remove_final_layer_norm=True)
    bloom = ("hidden_size", "n_layer", "n_head")
    yield "bloom_1", gpt_like(r(161), "bloom", bloom, hidden_size=48, n_head=4)
    yield "bloom_2", gpt_like(r(162), "bloom", bloom, hidden_size=48, n_head=6)
    yield "bloom_3", gpt_like(r(163), "bloom", bloom, hidden_size=40, n_head=5, n_layer=4)
    mpt = ("d_model", "n_layers", "n_heads")
    yield "mpt_1", gpt_like(r(171), "mpt", mpt, d_model=48, n_heads=4, max_seq_len=128)
    yield "mpt_2", gpt_like(r(172), "mpt", mpt, d_model=48, n_heads=6, max_seq_len=100,
                            attn_config={"clip_qkv": 1.5})
    yield "mpt_3", gpt_like(r(173), "mpt", mpt, d_model=36, n_heads=3, max_seq_len=128,
                            attn_config={"softmax_scale": 0.2})
    falcon = ("hidden_size", "num_hidden_layers", "num_attention_heads")
    yield "falcon_1", gpt_like(r(181), "falcon", falcon, bias=False)
    yield "falcon_2", gpt_like(r(182), "falcon", falcon, hidden_size=48, num_attention_heads=6,
                               num_kv_heads=2, new_decoder_architecture=True)
    yield "falcon_3", gpt_like(r(183), "falcon", falcon, hidden_size=48, num_attention_heads=4,
                               alibi=True, multi_query=False, parallel_attn=False, bias=True)
    yield "falcon_4", gpt_like(r(184), "falcon", falcon, hidden_size=48, num_attention_heads=4,
                               num_kv_heads=2, new_decoder_architecture=True,
                               num_ln_in_parallel_attn=1, ffn_hidden_size=50)
    yield "falcon_5", gpt_like(r(185), "falcon", falcon, multi_query=False, bias=True)

    bert = ("hidden_size", "num_hidden_layers", "num_attention_heads")
    yield "bert_1", gpt_like(r(191), "bert", bert, intermediate_size=56,
                             max_position_embeddings=64)
    yield "bert_2", gpt_like(r(192), "bert", bert, intermediate_size=40, hidden_act="gelu_new",
                             max_position_embeddings=48, type_vocab_size=3)
    yield "bert_3", gpt_like(r(193), "bert", bert, intermediate_size=64, hidden_act="relu",
                             max_position_embeddings=64, layer_norm_eps=1e-5)
    yield "roberta_1", gpt_like(r(201), "roberta", bert, intermediate_size=56, type_vocab_size=1,
                                max_position_embeddings=66)
    yield "roberta_2", gpt_like(r(202), "roberta", bert, intermediate_size=40, type_vocab_size=1,
                                max_position_embeddings=70, layer_norm_eps=1e-5)
    yield "roberta_3", gpt_like(r(203), "roberta", bert, intermediate_size=48,
                                max_position_embeddings=50, hidden_act="gelu_new")
    distil = ("dim", "n_layers", "n_heads")
    yield "distilbert_1", gpt_like(r(211), "distilbert", distil, hidden_dim=56,
                                   max_position_embeddings=64)
    yield "distilbert_2", gpt_like(r(212), "distilbert", distil, hidden_dim=40, activation="relu",
                                   max_position_embeddings=64)
    yield "distilbert_3", gpt_like(r(213), "distilbert", distil, hidden_dim=72,
                                   max_position_embeddings=44)


    yield "t5_1", t5_like(r(221))
    yield "t5_2", t5_like(r(222), feed_forward_proj="gated-gelu", tie_word_embeddings=False,
                          relative_attention_num_buckets=12, relative_attention_max_distance=20)
    yield "t5_3", t5_like(r(223), feed_forward_proj="gated-silu", num_decoder_layers=3,
                          relative_attention_num_buckets=8, relative_attention_max_distance=50,
                          decoder_start_token_id=3, layer_norm_epsilon=1e-5)
    # GGUF files can hold this gate and the usual greatest distance of 128 (gguf_t5.py).
    yield "t5_4", t5_like(r(224), feed_forward_proj="gated-gelu", tie_word_embeddings=False,
                          num_decoder_layers=3, relative_attention_num_buckets=16,
                          decoder_start_token_id=2)
    yield "bart_1", bart_like(r(231), "bart")
    yield "bart_2", bart_like(r(232), "bart", scale_embedding=True, encoder_layers=3)
    yield "bart_3", bart_like(r(233), "bart", activation_function="relu", decoder_layers=3)
    yield "marian_1", bart_like(r(244), "marian", activation_function="swish",
                                scale_embedding=True)
    yield "marian_2", bart_like(r(242), "marian", activation_function="swish", encoder_layers=1)
    yield "marian_3", bart_like(r(243), "marian", activation_function="relu", decoder_layers=1)
    yield "mbart_1", bart_like(r(251), "mbart", scale_embedding=True)
    yield "mbart_2", bart_like(r(252), "mbart", encoder_layers=3, activation_function="relu")
    yield "mbart_3", bart_like(r(253), "mbart", decoder_layers=3, decoder_start_token_id=7)
    yield "m2m_100_1", bart_like(r(261), "m2m_100", scale_embedding=True)
    yield "m2m_100_2", bart_like(r(262), "m2m_100", encoder_layers=1, pad_token_id=3,
                                 activation_function="gelu")
    yield "m2m_100_3", bart_like(r(263), "m2m_100", decoder_layers=3, scale_embedding=True)


# T5 1.1 has an output layer of its own.
OWN_HEADS = ("t5_2", "t5_4")

# transformers adds the biases of ALiBi twice where Falcon runs eagerly: to the scores and in the
# mask. scaled_dot_product_attention adds them once; it gives no weights.
WITHOUT_WEIGHTS = ("falcon_3",)


# --- weights ---


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def hashed(case, name, shape, center, spread):
    count = int(np.prod(shape))
    with np.errstate(over="ignore"):
        z = np.uint64(fnv1a(f"{case}/{name}"))
        z = z + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    u = (z >> np.uint64(40)).astype(np.float64) * 2.0**-23 - 1
    return (center + spread * u).astype(np.float32).reshape(shape)


def center_and_spread(config, name, shape):
    """Around what and how widely the numbers of a tensor lie. Short decimals."""
    kind = config["model_type"]
    if name.endswith("bias"):
        return 0, 0.25
    if len(shape) == 1:
        return (0 if kind.startswith("gemma") else 1), 0.25
    if "embed" in name or "shared" in name or name.endswith(("wte.weight", "wpe.weight")):
        # These networks multiply the embeddings of tokens by sqrt(width).
        if kind.startswith("gemma") or config.get("scale_embedding"):
            return 0, 0.15 if kind.startswith("gemma") else 0.3
        return 0, 0.5 if "position" in name or "wpe" in name else 1.0
    fan_in = shape[0] if kind == "gpt2" and ".c_" in name else shape[-1]
    gain = 2.5
    if name.endswith((".q.weight", ".k.weight")):  # T5 does not scale its scores
        gain = 1.2
    if any(part in name for part in ("q_proj", "k_proj", "query", "key", "c_attn", "qkv", "q_lin",
                                     "k_lin")):
        gain = 2.5 if kind in ENCODER_DECODERS else 4.0
    return 0, round(gain / fan_in**0.5, 3)


# --- answers ---


def saved_shapes(model, folder):
    model.save_pretrained(folder)
    with safe_open(folder / "model.safetensors", "np") as file:
        return [(name, list(file.get_slice(name).get_shape())) for name in sorted(file.keys())]


def load(case, config, folder):
    """The model with its hashed weights, and the list of its tensors."""
    encoder = config["model_type"] in ENCODERS
    auto = AutoModelForMaskedLM if encoder else AutoModelForCausalLM
    if config["model_type"] in ENCODER_DECODERS:
        auto = AutoModelForSeq2SeqLM
    (folder / "config.json").write_text(json.dumps(config))
    read = AutoConfig.from_pretrained(folder)
    tensors = []
    values = {}
    shapes = saved_shapes(auto.from_config(read), folder)
    if case in OWN_HEADS:
        shapes.append(("lm_head.weight", dict(shapes)["shared.weight"]))
    for name, shape in shapes:
        center, spread = center_and_spread(config, name, shape)
        tensors.append([name, shape, center, spread])
        values[name] = hashed(case, name, shape, center, spread)
    save_file(values, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config))
    how = "sdpa" if case in WITHOUT_WEIGHTS else "eager"
    model, info = auto.from_pretrained(folder, attn_implementation=how, dtype=torch.float32,
                                       output_loading_info=True)
    problems = {key: value for key, value in info.items() if value and key != "tied_keys"}
    assert not problems, (case, problems)
    return model.eval(), tensors


def run(model, ids, encoder_ids=None, **more):
    if encoder_ids is None:
        return model(torch.tensor([ids]), **more)
    return model(input_ids=torch.tensor([encoder_ids]), decoder_input_ids=torch.tensor([ids]),
                 **more)


def greedy(model, prompt, encoder_ids=None):
    """The prompt with the new tokens, and the smallest distance of a chosen one to the next."""
    ids, margin = list(prompt), 1e9
    for _ in range(NEW_TOKENS):
        logits = run(model, ids, encoder_ids, use_cache=False).logits[0, -1]
        best = torch.topk(logits, 2).values
        margin = min(margin, float(best[0] - best[1]))
        ids.append(int(logits.argmax()))
    return ids, margin


def suppressed_answers(model, ids, prompt, encoder_ids):
    """What generate() writes where the three tokens that come most often are bad words, as Marian has its padding."""
    written = ids[len(prompt):]
    tokens = sorted(sorted(set(written), key=lambda token: (-written.count(token), token))[:3])

    model.generation_config = GenerationConfig()  # no token ends a text

    def generated(**more):
        how = GenerationConfig(bad_words_ids=[[token] for token in tokens], max_new_tokens=NEW_TOKENS, do_sample=False,
                               decoder_start_token_id=prompt[0], pad_token_id=model.config.pad_token_id, **more)
        return np.array(model.generate(torch.tensor([encoder_ids]), generation_config=how)[0, len(prompt):].numpy(), np.int32)

    return {"suppressed": np.array(tokens, np.int32), "suppressed_ids": generated(),
            "suppressed_beam_ids": generated(num_beams=3)}


def answer(case, config):
    encoder = config["model_type"] in ENCODERS
    both = config["model_type"] in ENCODER_DECODERS
    with tempfile.TemporaryDirectory() as name, torch.no_grad():
        model, tensors = load(case, config, pathlib.Path(name))
        for attempt in range(200):
            r = random.Random(f"{case} {attempt}")
            prompt = [r.randrange(4, VOCABULARY) for _ in range(40 if encoder else 24)]
            encoder_ids = None
            if both:  # the second case goes on from a text of its own
                encoder_ids = prompt
                prompt = [config["decoder_start_token_id"]]
                if case.endswith("_2"):
                    prompt += [r.randrange(4, VOCABULARY) for _ in range(5)]
            if encoder:
                ids, margin = prompt, 1e9
                break
            ids, margin = greedy(model, prompt, encoder_ids)
            different = len(set(ids[len(prompt):]))
            if margin > 3e-3 and different > (5 if attempt < 20 else 1):
                break
        else:
            raise SystemExit(f"{case}: no prompt with a clear choice of every token")
        fed = ids if encoder else ids[:-1]
        more = {} if encoder else {"use_cache": False}
        has_weights = case not in WITHOUT_WEIGHTS
        out = run(model, fed, encoder_ids, output_attentions=has_weights, **more)
        logits = out.logits[0]
        if both:  # in the order of the program's layers
            weights = [*out.encoder_attentions]
            for pair in zip(out.decoder_attentions, out.cross_attentions):
                weights += pair
        else:
            weights = out.attentions if has_weights else []
    last = len(fed) - 1
    rows = [0, last // 2, last] if encoder else [len(prompt) - 1, last // 2, last]
    result = {
        "prompt_ids": np.array(prompt, np.int32),
        "generated_ids": np.array(ids[len(prompt):], np.int32),
        "logits_rows": np.array(rows, np.int32),
        "logits": logits[rows].numpy(),
        "weight_rows": np.array(rows[1:], np.int32),
    }
    if both:
        result["encoder_ids"] = np.array(encoder_ids, np.int32)
        result["encoder_weight_rows"] = np.array([0, len(encoder_ids) - 1], np.int32)
    if case == "marian_1":
        result.update(suppressed_answers(model, ids, prompt, encoder_ids))
    for layer, weight in enumerate(weights):
        of_encoder = both and layer < len(out.encoder_attentions)
        shown = [0, len(encoder_ids) - 1] if of_encoder else rows[1:]
        result[f"weights.{layer}"] = weight[0][:, shown].numpy()
    metadata = {
        "name": case,
        "config": json.dumps(config),
        "tensors": json.dumps(tensors),
        "generator": "family_cases.py",
        "torch_version": torch.__version__.split("+")[0],
        "transformers_version": transformers.__version__,
    }
    print(f"{case:15} margin {margin:.3g}, prompt {attempt}, {len(tensors)} tensors, "
          f"logits up to {float(logits.abs().max()):.3g}")
    return result, metadata


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for case, config in cases():
        if arguments.names and not case.startswith(tuple(arguments.names)):
            continue
        result, metadata = answer(case, config)
        result = {key: np.ascontiguousarray(value) for key, value in result.items() if value.size}
        save_file(result, arguments.out / f"{case}.safetensors", metadata=metadata)


if __name__ == "__main__":
    main()
