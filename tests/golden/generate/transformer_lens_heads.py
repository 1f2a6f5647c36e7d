# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden data of a small GPT-2 by TransformerLens: scores of heads by its head_detector, lens and attribution.

The model is the case gpt2_1 of family_cases.py, whose weights follow from their names, put into a HookedTransformer by
TransformerLens's own conversion. f32, CPU; see ../README.md for names and shapes.
    python transformer_lens_heads.py --out ../explore
"""

import argparse
import importlib.metadata
import json
import pathlib
import warnings

import numpy as np
import torch
import transformers
from transformer_lens import HookedTransformer, HookedTransformerConfig
from transformer_lens.head_detector import HEAD_NAMES, detect_head
from transformer_lens.pretrained.weight_conversions import convert_gpt2_weights

import family_cases
import golden_io
from transformer_lens_cases import LENS_VERSION

CASE = "gpt2_1"
PAIR = (11, 42)  # tokens whose logits are compared
TOKENS = 36


def hooked(config: dict, tensors: list) -> HookedTransformer:
    """Gains and biases of norms are folded into the matrices behind them. Biases of values stay with their heads."""
    gpt2 = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(**{k: v for k, v in config.items() if k != "model_type"})).eval()
    weights = {name: torch.from_numpy(family_cases.hashed(CASE, name, shape, center, spread).copy())
               for name, shape, center, spread in tensors}
    missing, unexpected = gpt2.load_state_dict(weights, strict=False)
    if unexpected or [name for name in missing if name != "lm_head.weight"]:
        raise SystemExit(f"missing {missing}, unexpected {unexpected}")
    gpt2.tie_weights()
    cfg = HookedTransformerConfig(
        d_model=config["n_embd"],
        d_head=config["n_embd"] // config["n_head"],
        n_heads=config["n_head"],
        n_layers=config["n_layer"],
        d_mlp=4 * config["n_embd"],
        d_vocab=config["vocab_size"],
        n_ctx=config["n_positions"],
        act_fn="gelu_new",
        eps=1e-5,
        normalization_type="LN",
        original_architecture="GPT2LMHeadModel",
    )
    model = HookedTransformer(cfg)
    model.load_and_process_state_dict(
        convert_gpt2_weights(gpt2, cfg), fold_ln=True, center_writing_weights=False, center_unembed=False,
        fold_value_biases=False)
    return model.eval()


def repeated_ids(vocabulary: int) -> torch.Tensor:
    """Each token of the first third comes again, some in another place; no token follows itself."""
    generator = torch.Generator().manual_seed(22)
    first = torch.randperm(vocabulary, generator=generator)[: TOKENS // 3]
    ids = torch.cat([first, first, first[torch.randperm(len(first), generator=generator)]])
    if bool((ids[1:] == ids[:-1]).any()):
        raise SystemExit("a token follows itself: other programs count it differently")
    return ids[None]


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out_folder = parser.parse_args().out
    version = importlib.metadata.version("transformer_lens")
    if version != LENS_VERSION:
        raise SystemExit(f"TransformerLens {version} is installed, {LENS_VERSION} is needed")
    torch.set_num_threads(1)
    _, metadata = golden_io.read(out_folder.parent / "families" / f"{CASE}.safetensors")
    config = json.loads(metadata["config"])
    model = hooked(config, json.loads(metadata["tensors"]))
    ids = repeated_ids(config["vocab_size"])
    logits, cache = model.run_with_cache(ids)
    tensors = {"ids": ids[0].to(torch.int32), "logits": logits[0]}

    model.to_tokens = lambda tokens: tokens  # head_detector begins with a text; there is no tokenizer
    for name in HEAD_NAMES:
        tensors[name] = detect_head(model, ids, name)

    stream, labels = cache.accumulated_resid(incl_mid=True, apply_ln=True, return_labels=True)
    layers = config["n_layer"]
    if labels != [f"{layer}_{site}" for layer in range(layers) for site in ("pre", "mid")] + ["final_post"]:
        raise SystemExit(f"sites of the stream: {labels}")
    tensors["lens"] = torch.stack([model.unembed(x)[0] for x in stream])

    def shares(stack: torch.Tensor) -> torch.Tensor:
        return cache.logit_attrs(stack[:, :, -1:], pos_slice=-1, tokens=PAIR[0], incorrect_tokens=PAIR[1]).flatten()

    parts, labels = cache.decompose_resid(mode="mlp", return_labels=True)
    if labels != ["embed", "pos_embed"] + [f"{layer}_mlp_out" for layer in range(layers)]:
        raise SystemExit(f"parts of the stream: {labels}")
    of_parts = shares(parts)
    tensors["attribution"] = shares(cache.stack_head_results()).reshape(layers, config["n_head"])
    tensors["attribution.mlp"] = of_parts[2:]
    tensors["attribution.embed"] = of_parts[:2].sum()[None]
    golden_io.save(out_folder / "gpt2-toy.transformer_lens.safetensors", tensors, {
        "generator": "transformer_lens_heads.py",
        "torch_version": torch.__version__.split("+")[0],
        "transformers_version": transformers.__version__,
        "transformer_lens_version": version,
        "case": CASE,
        "pair": f"{PAIR[0]},{PAIR[1]}",
    })
    for name, tensor in tensors.items():
        print(name, tuple(tensor.shape), np.round(tensor.flatten()[:4].numpy(), 4))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
