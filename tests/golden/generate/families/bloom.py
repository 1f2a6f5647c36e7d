# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of BLOOM."""

from small_model import SmallModel, gpt_like

KEYS = ("hidden_size", "n_layer", "n_head")


def bloom(name, seed, **more):
    return SmallModel(name, gpt_like(seed, "bloom", KEYS, **more))


def cases():
    yield bloom("bloom_1", 161, hidden_size=48, n_head=4)
    yield bloom("bloom_2", 162, hidden_size=48, n_head=6)
    yield bloom("bloom_3", 163, hidden_size=40, n_head=5, n_layer=4)
