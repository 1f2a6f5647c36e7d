# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of BERT, RoBERTa and DistilBERT."""

from small_model import SmallModel, gpt_like

BERT = ("hidden_size", "num_hidden_layers", "num_attention_heads")  # also of RoBERTa
DISTIL = ("dim", "n_layers", "n_heads")


def encoder(name, seed, kind, keys, **more):
    return SmallModel(name, gpt_like(seed, kind, keys, **more), network="encoder")


def cases():
    yield encoder("bert_1", 191, "bert", BERT, intermediate_size=56, max_position_embeddings=64)
    yield encoder("bert_2", 192, "bert", BERT, intermediate_size=40, hidden_act="gelu_new",
                  max_position_embeddings=48, type_vocab_size=3)
    yield encoder("bert_3", 193, "bert", BERT, intermediate_size=64, hidden_act="relu",
                  max_position_embeddings=64, layer_norm_eps=1e-5)
    yield encoder("roberta_1", 201, "roberta", BERT, intermediate_size=56, type_vocab_size=1,
                  max_position_embeddings=66)
    yield encoder("roberta_2", 202, "roberta", BERT, intermediate_size=40, type_vocab_size=1,
                  max_position_embeddings=70, layer_norm_eps=1e-5)
    yield encoder("roberta_3", 203, "roberta", BERT, intermediate_size=48,
                  max_position_embeddings=50, hidden_act="gelu_new")
    yield encoder("distilbert_1", 211, "distilbert", DISTIL, hidden_dim=56,
                  max_position_embeddings=64)
    yield encoder("distilbert_2", 212, "distilbert", DISTIL, hidden_dim=40, activation="relu",
                  max_position_embeddings=64)
    yield encoder("distilbert_3", 213, "distilbert", DISTIL, hidden_dim=72,
                  max_position_embeddings=44)
