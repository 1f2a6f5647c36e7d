# SPDX-License-Identifier: GPL-3.0-or-later
"""A small model with random weights, and the configurations that several families share."""

import dataclasses
import random

VOCABULARY = 96


@dataclasses.dataclass
class SmallModel:
    """One case of family_cases.py. Its name and config decide the weights."""

    name: str
    config: dict  # the config.json
    network: str = "decoder"  # or "encoder", "encoder_decoder", or "pictures": a decoder that also reads pictures
    norm_center: int = 1  # the weights of norms lie around it
    # Spread of the weights of embeddings; None: it follows from their names.
    embedding_spread: float | None = None
    transposed: str | None = None  # matrices with this in their names are stored transposed
    # Names of tensors besides those that transformers saves, each with the name of a tensor of the
    # same shape.
    more_tensors: dict = dataclasses.field(default_factory=dict)
    has_weights: bool = True  # the golden data have attention weights
    suppresses: bool = False  # the golden data also have answers with some tokens forbidden


def gpt_like(seed, kind, keys, **more):
    """A config. `keys`: names of width, layers and heads."""
    r = random.Random(seed)
    heads = r.choice([2, 3, 4])
    size = r.choice([8, 12, 16])
    width, layers, count = keys
    config = {"model_type": kind, "vocab_size": VOCABULARY, width: heads * size,
              layers: r.choice([2, 3]), count: heads}
    config.update(more)
    return {key: value for key, value in config.items() if value is not None}
