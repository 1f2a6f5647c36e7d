# SPDX-License-Identifier: GPL-3.0-or-later
"""Greedy answers of the bundled model dates-encdec, by transformers in f32 with eager attention.

Writes dates/NAME.safetensors with the tensors of families/ (README.md), but with all rows: P = 1 token
with which the decoder begins, N new ones, E tokens of the encoder. The answer is also written step by
step with the library's cache, and must be the same.

usage: python dates_cases.py --model ../../../assets/models/dates-encdec --out ../dates
"""

import argparse
import pathlib

import tokenizers
import torch
import transformers
from transformers import T5ForConditionalGeneration

import golden_io

TEXTS = {
    "third": ("the third of March 2021", "2021-03-03"),
    "weekday": ("Mittwoch, der 23. Juni 1965", "1965-06-23"),
    "words": ("der einundzwanzigste Dezember neunzehnhundertvierundachtzig", "1984-12-21"),
    "number": ("two hundred and seven", "207"),
}
END = 1


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="Hugging Face folder")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    args = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = tokenizers.Tokenizer.from_file(str(args.model / "tokenizer.json"))
    model = T5ForConditionalGeneration.from_pretrained(args.model, dtype=torch.float32, attn_implementation="eager",
                                                       local_files_only=True).eval()
    start = model.config.decoder_start_token_id
    for name, (text, answer) in TEXTS.items():
        encoder_ids = tokenizer.encode(text).ids
        source = torch.tensor([encoder_ids])
        fed = [start]
        while fed[-1] != END:
            output = model(input_ids=source, decoder_input_ids=torch.tensor([fed]), output_attentions=True)
            fed.append(int(output.logits[0, -1].argmax()))
        ids = fed[1:]
        written = tokenizer.decode(ids)
        if written != answer:
            raise SystemExit(f"{name}: {text!r} -> {written!r}, expected {answer!r}")
        stepped = model.generate(input_ids=source, max_new_tokens=20, do_sample=False, num_beams=1)[0].tolist()
        if stepped != fed:
            raise SystemExit(f"{name}: generate() writes {stepped}, full forwards {fed}")
        decoder = [w for pair in zip(output.decoder_attentions, output.cross_attentions) for w in pair]
        weights = [w[0] for w in (*output.encoder_attentions, *decoder)]
        rows, logits = len(ids), output.logits[0]
        tensors = {
            "prompt_ids": torch.tensor([start], dtype=torch.int32),
            "generated_ids": torch.tensor(ids, dtype=torch.int32),
            "encoder_ids": torch.tensor(encoder_ids, dtype=torch.int32),
            "logits_rows": torch.arange(rows, dtype=torch.int32),
            "logits": logits,
            "weight_rows": torch.arange(rows, dtype=torch.int32),
            "encoder_weight_rows": torch.arange(len(encoder_ids), dtype=torch.int32),
        }
        tensors |= {f"weights.{layer}": w for layer, w in enumerate(weights)}
        if not all(torch.isfinite(t).all() for t in tensors.values()):
            raise SystemExit(f"{name}: not finite")
        top = logits.topk(2).values
        golden_io.save(args.out / f"{name}.safetensors", tensors, {
            "name": name,
            "prompt": text,
            "generated_text": written,
            "generator": "tests/golden/generate/dates_cases.py",
            "torch_version": torch.__version__.split("+")[0],
            "transformers_version": transformers.__version__,
            "tokenizers_version": tokenizers.__version__,
        })
        print(f"{name}: E {len(encoder_ids)} N {rows} {text!r} -> {written!r}, "
              f"smallest margin {float((top[:, 0] - top[:, 1]).min()):.3f}")
        print("  heaviest keys of head 0 in the last cross attention:",
              *(tokenizer.id_to_token(encoder_ids[k]) for k in weights[-1][0].argmax(-1).tolist()))


if __name__ == "__main__":
    main()
