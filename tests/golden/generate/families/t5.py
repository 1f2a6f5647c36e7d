# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of T5."""

import random

from small_model import SmallModel, VOCABULARY


def t5(name, seed, more_tensors=None, **more):
    r = random.Random(seed)
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
    return SmallModel(name, config, network="encoder_decoder", more_tensors=more_tensors or {})


def cases():
    own_head = {"lm_head.weight": "shared.weight"}  # T5 1.1 has an output layer of its own
    yield t5("t5_1", 221)
    yield t5("t5_2", 222, own_head, feed_forward_proj="gated-gelu",
             tie_word_embeddings=False, relative_attention_num_buckets=12,
             relative_attention_max_distance=20)
    yield t5("t5_3", 223, feed_forward_proj="gated-silu", num_decoder_layers=3,
             relative_attention_num_buckets=8, relative_attention_max_distance=50,
             decoder_start_token_id=3, layer_norm_epsilon=1e-5)
    # GGUF files can hold this gate and the usual greatest distance of 128 (gguf_t5.py).
    yield t5("t5_4", 224, own_head, feed_forward_proj="gated-gelu",
             tie_word_embeddings=False, num_decoder_layers=3, relative_attention_num_buckets=16,
             decoder_start_token_id=2)
