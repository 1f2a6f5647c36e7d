# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of BART, Marian, mBART and M2M-100."""

import random

from small_model import SmallModel, VOCABULARY


def bart(name, seed, kind, suppresses=False, **more):
    r = random.Random(seed)
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
    # These networks multiply the embeddings of tokens by sqrt(width).
    spread = 0.3 if config.get("scale_embedding") else None
    return SmallModel(name, config, network="encoder_decoder", embedding_spread=spread,
                      suppresses=suppresses)


def cases():
    yield bart("bart_1", 231, "bart")
    yield bart("bart_2", 232, "bart", scale_embedding=True, encoder_layers=3)
    yield bart("bart_3", 233, "bart", activation_function="relu", decoder_layers=3)
    yield bart("marian_1", 244, "marian", suppresses=True, activation_function="swish",
               scale_embedding=True)
    yield bart("marian_2", 242, "marian", activation_function="swish", encoder_layers=1)
    yield bart("marian_3", 243, "marian", activation_function="relu", decoder_layers=1)
    yield bart("mbart_1", 251, "mbart", scale_embedding=True)
    yield bart("mbart_2", 252, "mbart", encoder_layers=3, activation_function="relu")
    yield bart("mbart_3", 253, "mbart", decoder_layers=3, decoder_start_token_id=7)
    yield bart("m2m_100_1", 261, "m2m_100", scale_embedding=True)
    yield bart("m2m_100_2", 262, "m2m_100", encoder_layers=1, pad_token_id=3,
               activation_function="gelu")
    yield bart("m2m_100_3", 263, "m2m_100", decoder_layers=3, scale_embedding=True)
