# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of Llama and the model types that vary it."""

import random

from small_model import SmallModel, VOCABULARY


def llama(name, seed, kind, **more):
    r = random.Random(seed)
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
    if kind.startswith("gemma"):
        return SmallModel(name, config, norm_center=0, embedding_spread=0.15)
    return SmallModel(name, config)


def cases():
    llama3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
              "original_max_position_embeddings": 32}
    yarn = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
    longrope = {"rope_type": "longrope", "factor": 4.0, "short_factor": [1.0, 1.1, 1.3, 1.7],
                "long_factor": [2.0, 3.0, 4.0, 5.0], "original_max_position_embeddings": 100}
    phi_longrope = {"type": "longrope", "short_factor": [1.0, 1.1, 1.3],
                    "long_factor": [2.0, 3.0, 4.0]}
    yield llama("llama_1", 1, "llama", attention_bias=True, mlp_bias=True)
    yield llama("llama_2", 2, "llama", rope_scaling=llama3, tie_word_embeddings=True)
    yield llama("llama_3", 3, "llama", rope_scaling=yarn)
    yield llama("llama_4", 4, "llama", rope_scaling={"type": "linear", "factor": 3.0},
                hidden_act="gelu")
    yield llama("llama_5", 5, "llama", rope_scaling={"type": "dynamic", "factor": 2.0})
    yield llama("llama_6", 6, "llama", head_dim=8, rope_scaling=longrope)
    yield llama("mistral_1", 11, "mistral", sliding_window=16)
    yield llama("mistral_2", 12, "mistral", sliding_window=None)
    yield llama("mistral_3", 13, "mistral", sliding_window=48, tie_word_embeddings=True)
    yield llama("qwen2_1", 21, "qwen2", head_dim=12)
    yield llama("qwen2_2", 22, "qwen2", head_dim=8, use_sliding_window=True, sliding_window=12,
                max_window_layers=1, num_hidden_layers=3)
    yield llama("qwen2_3", 23, "qwen2", hidden_size=48, num_attention_heads=4,
                num_key_value_heads=2, head_dim=12, tie_word_embeddings=True, num_hidden_layers=2,
                use_sliding_window=True, sliding_window=20,
                layer_types=["sliding_attention", "full_attention"])
    yield llama("qwen3_1", 31, "qwen3")
    yield llama("qwen3_2", 32, "qwen3", attention_bias=True, tie_word_embeddings=True)
    yield llama("qwen3_3", 33, "qwen3", use_sliding_window=True, sliding_window=10,
                max_window_layers=1, rope_scaling=yarn)
    yield llama("gemma_1", 41, "gemma", hidden_act="gelu")
    yield llama("gemma_2", 42, "gemma", hidden_act="gelu_pytorch_tanh", attention_bias=True)
    yield llama("gemma_3", 43, "gemma", head_dim=20, hidden_act="gelu_pytorch_tanh",
                tie_word_embeddings=False)
    yield llama("gemma2_1", 51, "gemma2", hidden_size=48, num_attention_heads=4,
                num_key_value_heads=2, num_hidden_layers=4, sliding_window=16,
                query_pre_attn_scalar=20, attn_logit_softcapping=3.0, final_logit_softcapping=8.0)
    yield llama("gemma2_2", 52, "gemma2", hidden_size=24, num_attention_heads=6,
                num_key_value_heads=3, num_hidden_layers=3, sliding_window=24,
                query_pre_attn_scalar=12, attn_logit_softcapping=None, final_logit_softcapping=None,
                layer_types=["full_attention", "sliding_attention", "full_attention"])
    yield llama("gemma2_3", 53, "gemma2", hidden_size=36, num_attention_heads=2,
                num_key_value_heads=1, sliding_window=8)
    # The older form of config.json, as the files of Gemma 3 have it: layers 0 and 1 of every three
    # have the window and turn by rope_local_base_freq, layer 2 is full and scaled.
    yield llama("gemma3_1", 54, "gemma3_text", hidden_size=48, num_attention_heads=4,
                num_key_value_heads=2, num_hidden_layers=7, sliding_window=12,
                sliding_window_pattern=3, query_pre_attn_scalar=20, rope_theta=5000.0,
                rope_local_base_freq=200.0, rope_scaling={"rope_type": "linear", "factor": 3.0})
    yield llama("gemma3_2", 55, "gemma3_text", hidden_size=24, num_attention_heads=6,
                num_key_value_heads=3, num_hidden_layers=3, sliding_window=24,
                query_pre_attn_scalar=12, rope_theta=None,
                rope_parameters={
                    "full_attention": {"rope_type": "default", "rope_theta": 20000.0},
                    "sliding_attention": {"rope_type": "default", "rope_theta": 500.0}},
                attn_logit_softcapping=4.0, final_logit_softcapping=6.0,
                layer_types=["full_attention", "sliding_attention", "full_attention"])
    # A window that hides nothing: the layers still turn differently.
    yield llama("gemma3_3", 56, "gemma3_text", hidden_size=36, num_attention_heads=2,
                num_key_value_heads=1, num_hidden_layers=2, sliding_window=500,
                sliding_window_pattern=2, tie_word_embeddings=False)
    # Every sixth layer is full. "rope_scaling" without a rope_type has no effect.
    yield llama("gemma3_4", 57, "gemma3_text", hidden_size=24, num_attention_heads=2,
                num_key_value_heads=1, num_hidden_layers=7, sliding_window=9,
                rope_scaling={"type": "linear", "factor": 8.0})
    yield llama("phi3_1", 61, "phi3", pad_token_id=0, hidden_size=48, num_attention_heads=4,
                head_dim=12, num_key_value_heads=2, partial_rotary_factor=0.5,
                max_position_embeddings=400, original_max_position_embeddings=100,
                rope_scaling=phi_longrope)
    yield llama("phi3_2", 62, "phi3", pad_token_id=0, hidden_size=48, num_attention_heads=6,
                head_dim=8, num_key_value_heads=3, sliding_window=30)
    yield llama("phi3_3", 63, "phi3", pad_token_id=0, hidden_size=32, num_attention_heads=2,
                head_dim=16, num_key_value_heads=1, partial_rotary_factor=0.75)
    yield llama("olmo2_1", 71, "olmo2")
    yield llama("olmo2_2", 72, "olmo2", attention_bias=True, num_attention_heads=4,
                num_key_value_heads=4)
    yield llama("olmo2_3", 73, "olmo2", tie_word_embeddings=True)
    yield llama("granite_1", 81, "granite", embedding_multiplier=3.0, logits_scaling=2.0,
                residual_multiplier=0.5, attention_multiplier=0.2)
    yield llama("granite_2", 82, "granite", embedding_multiplier=0.7, mlp_bias=True,
                attention_bias=True, residual_multiplier=0.22, attention_multiplier=0.1,
                logits_scaling=0.5)
    yield llama("granite_3", 83, "granite", tie_word_embeddings=True, attention_multiplier=0.3)
    yield llama("smollm3_1", 271, "smollm3", num_hidden_layers=5, pad_token_id=0)
    yield llama("smollm3_2", 272, "smollm3", num_hidden_layers=4, pad_token_id=0,
                no_rope_layers=[0, 1, 1, 0], use_sliding_window=True, sliding_window=14,
                tie_word_embeddings=False)
    yield llama("smollm3_3", 273, "smollm3", num_hidden_layers=3, pad_token_id=0,
                no_rope_layer_interval=2, attention_bias=True, mlp_bias=True)
    # The window is in the layers that layer_types names, also without use_sliding_window.
    yield llama("smollm3_4", 274, "smollm3", num_hidden_layers=3, pad_token_id=0, sliding_window=11,
                layer_types=["sliding_attention", "full_attention", "sliding_attention"])
    yield llama("mixtral_1", 91, "mixtral", num_local_experts=4, num_experts_per_tok=2)
    yield llama("mixtral_2", 92, "mixtral", num_local_experts=3, num_experts_per_tok=1,
                sliding_window=20)
    yield llama("mixtral_3", 93, "mixtral", num_local_experts=8, num_experts_per_tok=3)
    yield llama("qwen3_moe_1", 101, "qwen3_moe", num_experts=6, num_experts_per_tok=2,
                moe_intermediate_size=20, norm_topk_prob=True)
    yield llama("qwen3_moe_2", 102, "qwen3_moe", num_experts=4, num_experts_per_tok=3,
                moe_intermediate_size=24, num_hidden_layers=4, decoder_sparse_step=2,
                attention_bias=True)
    yield llama("qwen3_moe_3", 103, "qwen3_moe", num_experts=5, num_experts_per_tok=2,
                moe_intermediate_size=16, num_hidden_layers=3, mlp_only_layers=[1],
                norm_topk_prob=True, use_sliding_window=True, sliding_window=18)
