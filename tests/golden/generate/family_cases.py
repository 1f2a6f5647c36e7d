# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random models of every family, by transformers in f32 with eager attention.

The models are those of the folder families here, which has a file for each pair of files in
engine/model/families. Writes ../families/NAME.safetensors: the config.json, the names and shapes of
the tensors as transformers saves them, and what the model answers. The weights are not written.
They follow from the name of the case and of the tensor, by a formula that
tests/engine/model/families/hash_weights.h repeats:

    seed  = FNV-1a (64 bits) of the bytes of "CASE/TENSOR"
    z     = splitmix64 of seed + (i + 1) * 0x9E3779B97F4A7C15, modulo 2^64, for element i
    u     = (z >> 40) * 2^-23 - 1, in [-1, 1)
    value = f32(center + spread * u), computed in f64

usage: python family_cases.py --out ../families [NAME ...]
"""

import argparse
import importlib
import json
import pathlib
import random
import tempfile

import numpy as np
import torch
import transformers
from safetensors import safe_open
from safetensors.numpy import save_file
from transformers import (AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText,
                          AutoModelForMaskedLM, AutoModelForSeq2SeqLM, GenerationConfig)

import golden_io
from small_model import VOCABULARY

NEW_TOKENS = 64
AUTO = {"decoder": AutoModelForCausalLM, "encoder": AutoModelForMaskedLM,
        "encoder_decoder": AutoModelForSeq2SeqLM, "pictures": AutoModelForImageTextToText}


def cases():
    """The cases of all files of the folder families, by their names."""
    folder = pathlib.Path(__file__).resolve().parent / "families"
    models = [model for file in folder.glob("*.py")
              for model in importlib.import_module(f"families.{file.stem}").cases()]
    return sorted(models, key=lambda model: model.name)


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


def center_and_spread(small, name, shape):
    """The center and the spread of the numbers of a tensor, as short decimals."""
    if name.endswith("bias"):
        return 0, 0.25
    if len(shape) == 1:
        return small.norm_center, 0.25
    if "embed" in name or "shared" in name or name.endswith(("wte.weight", "wpe.weight")):
        if small.embedding_spread is not None:
            return 0, small.embedding_spread
        return 0, 0.5 if "position" in name or "wpe" in name else 1.0
    is_transposed = small.transposed is not None and small.transposed in name
    fan_in = shape[0] if is_transposed else shape[-1]
    gain = 2.5
    if name.endswith((".q.weight", ".k.weight")):  # T5 does not scale its scores
        gain = 1.2
    if any(part in name for part in ("q_proj", "k_proj", "query", "key", "c_attn", "qkv", "q_lin",
                                     "k_lin")):
        gain = 2.5 if small.network == "encoder_decoder" else 4.0
    return 0, round(gain / fan_in**0.5, 3)


# --- answers ---


def saved_shapes(model, folder):
    model.save_pretrained(folder)
    with safe_open(folder / "model.safetensors", "np") as file:
        return [(name, list(file.get_slice(name).get_shape())) for name in sorted(file.keys())]


def load(small, folder):
    """The model with its hashed weights, and the list of its tensors."""
    auto = AUTO[small.network]
    (folder / "config.json").write_text(json.dumps(small.config))
    read = AutoConfig.from_pretrained(folder)
    tensors = []
    values = {}
    shapes = saved_shapes(auto.from_config(read), folder)
    shapes += [(name, dict(shapes)[like]) for name, like in small.more_tensors.items()]
    for name, shape in shapes:
        center, spread = center_and_spread(small, name, shape)
        tensors.append([name, shape, center, spread])
        values[name] = hashed(small.name, name, shape, center, spread)
    save_file(values, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(small.config))
    how = "eager" if small.has_weights else "sdpa"
    model, info = auto.from_pretrained(folder, attn_implementation=how, dtype=torch.float32,
                                       output_loading_info=True)
    problems = {key: value for key, value in info.items() if value and key != "tied_keys"}
    assert not problems, (small.name, problems)
    return model.eval(), tensors


def run(model, ids, encoder_ids=None, **more):
    if encoder_ids is None:
        return model(torch.tensor([ids]), **more)
    return model(input_ids=torch.tensor([encoder_ids]), decoder_input_ids=torch.tensor([ids]),
                 **more)


def greedy(model, prompt, encoder_ids=None):
    """The prompt with the new tokens, and the smallest lead of a chosen token's logit over the second best logit."""
    ids, margin = list(prompt), 1e9
    for _ in range(NEW_TOKENS):
        logits = run(model, ids, encoder_ids, use_cache=False).logits[0, -1]
        best = torch.topk(logits, 2).values
        margin = min(margin, float(best[0] - best[1]))
        ids.append(int(logits.argmax()))
    return ids, margin


def suppressed_answers(model, ids, prompt, encoder_ids):
    """What generate() writes if the three most frequent new tokens are bad words. Marian forbids its padding in this way."""
    written = ids[len(prompt):]
    tokens = sorted(sorted(set(written), key=lambda token: (-written.count(token), token))[:3])

    model.generation_config = GenerationConfig()  # no token ends a text

    def generated(**more):
        how = GenerationConfig(bad_words_ids=[[token] for token in tokens], max_new_tokens=NEW_TOKENS, do_sample=False,
                               decoder_start_token_id=prompt[0], pad_token_id=model.config.pad_token_id, **more)
        return np.array(model.generate(torch.tensor([encoder_ids]), generation_config=how)[0, len(prompt):].numpy(), np.int32)

    return {"suppressed": np.array(tokens, np.int32), "suppressed_ids": generated(),
            "suppressed_beam_ids": generated(num_beams=3)}


def answer(small):
    case, config = small.name, small.config
    encoder, both = small.network == "encoder", small.network == "encoder_decoder"
    with tempfile.TemporaryDirectory() as name, torch.no_grad():
        model, tensors = load(small, pathlib.Path(name))
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
        out = run(model, fed, encoder_ids, output_attentions=small.has_weights, **more)
        logits = out.logits[0]
        if both:  # in the order of the program's layers
            weights = [*out.encoder_attentions]
            for pair in zip(out.decoder_attentions, out.cross_attentions):
                weights += pair
        else:
            weights = out.attentions if small.has_weights else []
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
    if small.suppresses:
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
    for small in cases():
        if arguments.names and not small.name.startswith(tuple(arguments.names)):
            continue
        result, metadata = answer(small)
        result = {key: value for key, value in result.items() if value.size}
        golden_io.save_arrays(arguments.out / f"{small.name}.safetensors", result, metadata)


if __name__ == "__main__":
    main()
