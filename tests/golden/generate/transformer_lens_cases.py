# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden data of engine/explore by TransformerLens: lens, attribution and patching of the Llama of explore_cases.py.

The weights are those of ../explore/llama-toy.safetensors, put into a HookedTransformer by TransformerLens's own
conversion. f32, CPU; see ../README.md for names and shapes.
    python transformer_lens_cases.py --toy ../explore/llama-toy.safetensors --out ../explore
"""

import argparse
import importlib.metadata
import json
import pathlib
import warnings

import numpy as np
import torch
import transformers
from transformer_lens import ActivationCache, HookedTransformer, HookedTransformerConfig, patching
from transformer_lens.pretrained.weight_conversions import convert_llama_weights

import golden_io

LENS_VERSION = "3.9.0" # has HookedTransformer, which is used here


def hooked(config: dict, weights: dict[str, np.ndarray]) -> HookedTransformer:
    """The toy as TransformerLens has it: gains of norms are folded into the matrices behind them."""
    llama = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(**{k: v for k, v in config.items() if k != "model_type"})).eval()
    llama.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    cfg = HookedTransformerConfig(
        d_model=config["hidden_size"],
        d_head=config["head_dim"],
        n_heads=config["num_attention_heads"],
        n_key_value_heads=config["num_key_value_heads"],
        n_layers=config["num_hidden_layers"],
        d_mlp=config["intermediate_size"],
        d_vocab=config["vocab_size"],
        n_ctx=config["max_position_embeddings"],
        act_fn=config["hidden_act"],
        eps=config["rms_norm_eps"],
        normalization_type="RMS",
        final_rms=True,
        gated_mlp=True,
        positional_embedding_type="rotary",
        rotary_adjacent_pairs=False,
        rotary_dim=config["head_dim"],
        rotary_base=config["rope_theta"],
        original_architecture="LlamaForCausalLM",
    )
    model = HookedTransformer(cfg)
    model.load_and_process_state_dict(
        convert_llama_weights(llama, cfg), fold_ln=True, center_writing_weights=False, center_unembed=False)
    return model.eval()


def attribution(model: HookedTransformer, cache: ActivationCache, pair: tuple[int, int]) -> dict[str, torch.Tensor]:
    """At the last position. logit_attrs takes no gain of the final norm: it must be folded into the output matrix."""
    layers, heads = model.cfg.n_layers, model.cfg.n_heads

    def shares(stack: torch.Tensor) -> torch.Tensor:
        return cache.logit_attrs(stack[:, :, -1:], pos_slice=-1, tokens=pair[0], incorrect_tokens=pair[1]).flatten()

    mlps, labels = cache.decompose_resid(mode="mlp", return_labels=True)
    if labels != ["embed"] + [f"{layer}_mlp_out" for layer in range(layers)]:
        raise SystemExit(f"parts of the stream: {labels}")
    of_mlps = shares(mlps)
    return {
        "attribution": shares(cache.stack_head_results()).reshape(layers, heads),
        "attribution.mlp": of_mlps[1:],
        "attribution.embed": of_mlps[:1],
    }


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--toy", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    version = importlib.metadata.version("transformer_lens")
    if version != LENS_VERSION:
        raise SystemExit(f"TransformerLens {version} is installed, {LENS_VERSION} is needed")
    torch.set_num_threads(1)
    toy, metadata = golden_io.read(options.toy)
    config = json.loads(metadata["config"])
    pair = tuple(int(token) for token in metadata["pair"].split(","))
    model = hooked(config, {name[len("weights."):]: a for name, a in toy.items() if name.startswith("weights.")})
    ids, other = (torch.from_numpy(toy[name].astype(np.int64))[None] for name in ("ids", "other_ids"))
    logits, cache = model.run_with_cache(ids)

    stream, labels = cache.accumulated_resid(incl_mid=True, apply_ln=True, return_labels=True)
    layers = config["num_hidden_layers"]
    if labels != [f"{layer}_{site}" for layer in range(layers) for site in ("pre", "mid")] + ["final_post"]:
        raise SystemExit(f"sites of the stream: {labels}")
    lens = torch.stack([model.unembed(x)[0] for x in stream])

    def difference(of: torch.Tensor) -> torch.Tensor:
        return of[0, -1, pair[0]] - of[0, -1, pair[1]]

    tensors = {"logits": logits[0], "lens": lens, **attribution(model, cache, pair)}
    grids = {
        "patch.pre": patching.get_act_patch_resid_pre,
        "patch.mid": patching.get_act_patch_resid_mid,
        "patch.heads": patching.get_act_patch_attn_head_out_all_pos,
    }
    for name, grid in grids.items():
        tensors[name] = grid(model, other, cache, difference)

    total = sum(tensors[name].sum() for name in ("attribution", "attribution.mlp", "attribution.embed"))
    if abs(total - difference(logits)) > 1e-4:
        raise SystemExit(f"attribution {total} is not the difference {difference(logits)}")
    for name in ("logits", "attribution", "attribution.mlp", "attribution.embed", "patch.mid", "patch.heads"):
        print(f"{name}: differs by {np.abs(tensors[name].numpy() - toy[name]).max():.1e} from the forward hooks")
    # The lens of the last site is the model's own answer, whatever statistics the norm takes.
    if not torch.equal(lens[-1], logits[0]):
        raise SystemExit(f"the last lens differs by {(lens[-1] - logits[0]).abs().max()} from the logits")
    golden_io.save(options.out / "llama-toy.transformer_lens.safetensors", tensors, {
        "generator": "transformer_lens_cases.py",
        "torch_version": torch.__version__.split("+")[0],
        "transformers_version": transformers.__version__,
        "transformer_lens_version": version,
        "pair": metadata["pair"],
    })


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
