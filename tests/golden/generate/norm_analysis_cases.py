# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden data of what heads write, by the program of G. Kobayashi and others (2020), for a tiny BERT.

BERT is case bert_1 of family_cases.py. It runs in the authors' own BertModel, whose attention gives the lengths of
f(x) and of weight * f(x). Of a checkout of gorokoba560/norm-analysis-of-transformer only
modeling_bert.py and what it imports are loaded, so that its old transformers need no old tokenizers. f32, CPU; see
../README.md for names and shapes.
    python norm_analysis_cases.py --source CHECKOUT/emnlp2020/transformers/src/transformers --out ../explore
"""

import argparse
import importlib
import json
import pathlib
import sys
import types

import numpy as np
import torch

import family_cases
import golden_io

CASE = "bert_1"
COMMIT = "5dc8fb3b541f696288dec46fbd610d97a1a1ade2"


def authors_bert(source: pathlib.Path) -> types.ModuleType:
    package = types.ModuleType("norm_analysis")  # without its __init__.py, which imports every model
    package.__path__ = [str(source)]
    package.__version__ = "3.0.0"  # of these transformers
    sys.modules[package.__name__] = package
    return importlib.import_module("norm_analysis.modeling_bert")


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    families = pathlib.Path(__file__).resolve().parent.parent / "families"
    family, metadata = golden_io.read(families / f"{CASE}.safetensors")
    config = json.loads(metadata["config"])
    ids = torch.from_numpy(family["prompt_ids"].astype(np.int64))

    bert = authors_bert(options.source)
    model = bert.BertModel(bert.BertConfig(**config)).eval()
    weights = {}
    for name, shape, center, spread in json.loads(metadata["tensors"]):
        if name.startswith("bert."):
            values = family_cases.hashed(CASE, name, shape, center, spread)
            weights[name[len("bert."):]] = torch.as_tensor(np.asarray(values))
    missing, unexpected = model.load_state_dict(weights, strict=False)
    if unexpected or any("pooler" not in name and "position_ids" not in name for name in missing):
        raise SystemExit(f"missing {missing}, unexpected {unexpected}")
    attentions, norms = model(ids[None], output_attentions=True, output_norms=True)[-2:]

    tensors = {"ids": ids.to(torch.int32)}
    for layer, (weights_of, (of_values, of_heads, _of_sum)) in enumerate(zip(attentions, norms)):
        tensors[f"transformed.{layer}"] = of_values[0]
        tensors[f"written.{layer}"] = of_heads[0]
        rows = torch.from_numpy(family["weight_rows"].astype(np.int64))
        difference = (weights_of[0][:, rows] - torch.from_numpy(family[f"weights.{layer}"].copy())).abs().max()
        print(f"weights of layer {layer}: differ by {difference:.1e} from transformers")
        if difference > 1e-5:
            raise SystemExit("the models are not the same")
    golden_io.save(options.out / "bert-toy.norm_analysis.safetensors", tensors, {
        "generator": "norm_analysis_cases.py",
        "case": CASE,
        "norm_analysis_commit": COMMIT,
        "torch_version": torch.__version__.split("+")[0],
    })


if __name__ == "__main__":
    main()
