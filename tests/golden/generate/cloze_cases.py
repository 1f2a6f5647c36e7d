# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of the bundled model cloze-encoder, by transformers in f32 with eager attention.

Writes cloze/NAME.safetensors with the tensors of families/ (README.md), but with all rows and no new tokens, and
cloze/held_out.safetensors: texts of facts that were in no text for training, made as the training script makes them.

usage: python cloze_cases.py --model ../../../assets/models/cloze-encoder --out ../cloze
"""

import argparse
import pathlib
import random
import sys

import tokenizers
import torch
import transformers
from transformers import BertForMaskedLM

import golden_io

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "assets/models/train"))
import cloze_encoder  # noqa: E402

TEXTS = {
    "name": (cloze_encoder.EXAMPLE, "lily"),
    "colour": ("The book of Tom is pink. Emma sees a grey drum. Emma lost the grey drum. Tom has a [MASK] book.",
               "pink"),
    "thing": ("Lily found a grey [MASK]. Max has a blue kite. Tom sees a red ball. Lily lost the grey box.", "box"),
    "unknown": ("Where is [MASK], Zoë?", None),
}
HELD_OUT = 100


def without_guided_head(model, ids):
    """The logits with the output of the guided head of the last layer at zero."""
    weight = model.bert.encoder.layer[-1].attention.output.dense.weight
    size = model.config.hidden_size // model.config.num_attention_heads
    columns = weight[:, cloze_encoder.GUIDED_HEAD * size:(cloze_encoder.GUIDED_HEAD + 1) * size]
    kept = columns.clone()
    columns.zero_()
    logits = model(input_ids=torch.tensor([ids])).logits[0]
    columns.copy_(kept)
    return logits


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="Hugging Face folder")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    args = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = tokenizers.Tokenizer.from_file(str(args.model / "tokenizer.json"))
    model = BertForMaskedLM.from_pretrained(args.model, dtype=torch.float32, attn_implementation="eager",
                                            local_files_only=True).eval()
    facts = {
        "generator": "tests/golden/generate/cloze_cases.py",
        "torch_version": torch.__version__.split("+")[0],
        "transformers_version": transformers.__version__,
        "tokenizers_version": tokenizers.__version__,
    }
    for name, (text, answer) in TEXTS.items():
        ids = tokenizer.encode(text).ids
        output = model(input_ids=torch.tensor([ids]), output_attentions=True)
        place = ids.index(cloze_encoder.MASK)
        top = output.logits[0, place].topk(2)
        said = tokenizer.id_to_token(int(top.indices[0]))
        if answer not in (None, said):
            raise SystemExit(f"{name}: {text!r} -> {said!r}, expected {answer!r}")
        rows = torch.arange(len(ids), dtype=torch.int32)
        tensors = {"prompt_ids": torch.tensor(ids, dtype=torch.int32), "logits_rows": rows,
                   "logits": output.logits[0], "weight_rows": rows.clone()}
        tensors |= {f"weights.{layer}": w[0] for layer, w in enumerate(output.attentions)}
        if name == "name":
            tensors["logits_without"] = without_guided_head(model, ids)
        if not all(torch.isfinite(t).all() for t in tensors.values()):
            raise SystemExit(f"{name}: not finite")
        golden_io.save(args.out / f"{name}.safetensors", tensors,
                       facts | {"name": name, "prompt": text, "answer": said})
        heaviest = output.attentions[-1][0, cloze_encoder.GUIDED_HEAD, place].argmax()
        print(f"{name}: {len(ids)} tokens, {text!r} -> {said!r}, margin {float(top.values[0] - top.values[1]):.3f}, "
              f"heaviest key {int(heaviest)} {tokenizer.id_to_token(ids[int(heaviest)])!r}")

    rng, vocabulary = random.Random(3), tokenizer.get_vocab()
    ids, lengths, places = torch.full((HELD_OUT, cloze_encoder.LONGEST), cloze_encoder.PAD, dtype=torch.int32), [], []
    right = found = 0
    for row in range(HELD_OUT):
        words = None
        while words is None or len(words) + 2 >= cloze_encoder.LONGEST:  # a run wants one place more
            words, _, twins, masked = cloze_encoder.example(rng, test=True)
        here = masked[0]  # one masked word, so that the others stay
        there = twins[here]
        text = [cloze_encoder.BEGIN, *(vocabulary[word] for word in words), cloze_encoder.END]
        answer = text[here + 1]
        text[here + 1] = cloze_encoder.MASK
        output = model(input_ids=torch.tensor([text]), output_attentions=True)
        right += int(output.logits[0, here + 1].argmax()) == answer
        found += int(output.attentions[-1][0, cloze_encoder.GUIDED_HEAD, here + 1].argmax()) == there + 1
        ids[row, :len(text)] = torch.tensor(text, dtype=torch.int32)
        lengths.append(len(text))
        places.append([here + 1, there + 1, answer])
    golden_io.save(args.out / "held_out.safetensors", {
        "ids": ids,
        "lengths": torch.tensor(lengths, dtype=torch.int32),
        "places": torch.tensor(places, dtype=torch.int32),
    }, facts | {"right": str(right), "found": str(found)})
    print(f"held out: of {HELD_OUT} masked words {right} right, the heaviest key is the other place of {found}")


if __name__ == "__main__":
    main()
