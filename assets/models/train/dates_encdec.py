# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains dates-encdec: a small T5 that writes dates and numbers in a fixed form.

    OMP_NUM_THREADS=1 python dates_encdec.py --out ../dates-encdec

The data are made here (dates_texts.py). Of all dates and numbers one in ten, chosen by a hash of the
answer, is never trained on; accuracy is measured on these. Head 0 of the last cross attention gets a
hint (--hint): while it writes a character it shall read a piece of the text that says this character,
as in guided alignment training. The other heads get none. The same seed on the same machine and number
of threads gives the same weights.
"""

import argparse
import json
import math
import pathlib
import platform
import random
import time
import zlib

import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import T5Config, T5ForConditionalGeneration

import dates_texts

PAD, END, UNKNOWN = 0, 1, 2
GUIDED_HEAD = 0
EXAMPLE = "the third of March 2021"
MARK = "\u2581"
OTHER_LETTERS = "abcdefghijklmnopqrstuvwxyzäöüß0123456789.,-/:;!?'\"()&"


def held_out(answer):
    return zlib.crc32(answer.encode()) % 10 == 0


def examples(seed, test, **which):
    rng = random.Random(seed)
    while True:
        pieces, answer = dates_texts.example(rng, **which)
        if held_out(answer) == test:
            yield pieces, answer


def cut(pieces):
    """The tokens that the tokenizer makes of the text, with what they say: a space goes to the next one."""
    tokens, mark = [], MARK
    for text, places in pieces:
        if text == dates_texts.SPACE:
            mark = MARK
            continue
        tokens.append((mark + text.lower(), places))
        mark = ""
    return tokens


def make_tokenizer():
    """Unigram: one piece for every word of the data, with and without a space, and letters for other words."""
    counts = {}
    source = examples(1, test=False)
    for _ in range(100_000):
        pieces, answer = next(source)
        for token in [token for token, _ in cut(pieces)] + [MARK + answer[0], *answer[1:]]:
            counts[token] = counts.get(token, 0) + 1
    total = sum(counts.values())
    vocabulary = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    vocabulary += sorted(((token, round(math.log(n / total), 4)) for token, n in counts.items()),
                         key=lambda entry: (-entry[1], entry[0]))
    letters = [letter for letter in MARK + OTHER_LETTERS if letter not in counts]
    # Letters get so low a score that they are used only where no other piece fits.
    vocabulary += [(letter, round(-30 - 0.01 * i, 4)) for i, letter in enumerate(letters)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=UNKNOWN))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>"])
    tokenizer.post_processor = processors.TemplateProcessing("$A </s>", "$A </s> $B </s>", [("</s>", END)])
    return tokenizer


class Batches:
    """Batches of ids, answers and, for the guided head, which cells are the alignment."""

    def __init__(self, tokenizer, batch_size, source):
        self.ids = tokenizer.get_vocab()
        self.batch_size, self.source = batch_size, source

    def __iter__(self):
        while True:
            yield self.make([next(self.source) for _ in range(self.batch_size)])

    def make(self, batch):
        rows = []
        for pieces, answer in batch:
            tokens = cut(pieces)
            source = [self.ids[token] for token, _ in tokens] + [END]
            target = [self.ids[MARK + answer[0]], *(self.ids[letter] for letter in answer[1:]), END]
            # A "-" is aligned as the character before it, and the end of the answer with the end of the text.
            says = [{i for i, (_, places) in enumerate(tokens) if place in places}
                    for place in range(len(answer))] + [{len(tokens)}]
            for place in range(1, len(answer)):
                if answer[place] == "-":
                    says[place] = says[place - 1]
            rows.append((source, target, says))
        longest, most = max(len(r[0]) for r in rows), max(len(r[1]) for r in rows)
        source = torch.full((len(rows), longest), PAD)
        target = torch.full((len(rows), most), -100)
        aligned = torch.zeros(len(rows), most, longest)
        for b, (ids, answer, says) in enumerate(rows):
            source[b, :len(ids)] = torch.tensor(ids)
            target[b, :len(answer)] = torch.tensor(answer)
            for t, keys in enumerate(says):
                aligned[b, t, list(keys)] = 1
        return source, target, aligned


def make_model(tokenizer):
    config = T5Config(vocab_size=tokenizer.get_vocab_size(), d_model=128, d_kv=32, d_ff=256, num_layers=2,
                      num_decoder_layers=2, num_heads=4, relative_attention_num_buckets=32,
                      relative_attention_max_distance=64, dropout_rate=0.0, feed_forward_proj="relu",
                      pad_token_id=PAD, eos_token_id=END, decoder_start_token_id=PAD, n_positions=128,
                      attn_implementation="eager")
    return T5ForConditionalGeneration(config)


def guided_weights(output):
    return output.cross_attentions[-1][:, GUIDED_HEAD]


def train(model, batches, steps, hint, rate):
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, betas=(0.9, 0.98))
    warmup = min(300, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / warmup, 0.5 * (1 + math.cos(math.pi * min(1, s / steps)))))
    begin = time.time()
    model.train()
    for step, (source, target, aligned) in zip(range(steps), batches):
        output = model(input_ids=source, attention_mask=(source != PAD).long(), labels=target, output_attentions=True)
        loss = output.loss
        if hint > 0:
            guided = aligned.sum(-1) > 0
            mass = (guided_weights(output) * aligned).sum(-1)[guided]
            loss = loss + hint * -(mass + 1e-6).log().mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if (step + 1) % 200 == 0:
            print(f"step {step + 1}  loss {output.loss.item():.4f}  with hint {loss.item():.4f}  "
                  f"{time.time() - begin:.0f} s", flush=True)


@torch.no_grad()
def measure(model, tokenizer, count, **which):
    """Share of answers that are right, and of rows whose heaviest key is a piece that says the next character."""
    source = examples(2, test=True, **which)
    batches = Batches(tokenizer, 1, source)
    right = rows = aligned_rows = 0
    mass = 0.0
    for _ in range(count // 100):
        batch = [next(source) for _ in range(100)]
        ids, target, aligned = batches.make(batch)
        mask = (ids != PAD).long()
        written = model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=16, do_sample=False, num_beams=1)
        for row, (_, answer) in zip(written, batch):
            right += tokenizer.decode(row.tolist()) == answer
        output = model(input_ids=ids, attention_mask=mask, labels=target, output_attentions=True)
        weights = guided_weights(output)
        said = aligned.sum(-1) > 0
        rows += int(said.sum())
        aligned_rows += int(aligned.gather(-1, weights.argmax(-1, keepdim=True)).squeeze(-1)[said].sum())
        mass += float((weights * aligned).sum(-1)[said].sum())
    return right / count, aligned_rows / rows, mass / rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--hint", type=float, default=0.2, help="weight of the alignment in the loss")
    parser.add_argument("--test", type=int, default=2000, help="held-out texts of each kind")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)

    tokenizer = make_tokenizer()
    source = examples(options.seed + 1000, test=False)
    for pieces, _ in (next(source) for _ in range(2000)):  # the tokenizer cuts as the data are made
        text = "".join(text for text, _ in pieces)
        assert tokenizer.encode(text).tokens[:-1] == [token for token, _ in cut(pieces)], text
    model = make_model(tokenizer)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {tokenizer.get_vocab_size()} pieces", flush=True)
    train(model, Batches(tokenizer, options.batch, source), options.steps, options.hint, options.rate)

    options.out.mkdir(parents=True, exist_ok=True)
    model.config.example_prompt = EXAMPLE  # a key of Attention Workbench: the prompt that a new request gets
    model.to(torch.bfloat16).save_pretrained(options.out)
    # Sorted names give the same bytes each time.
    tensors = load_file(options.out / "model.safetensors")
    save_file({name: tensors[name] for name in sorted(tensors)}, options.out / "model.safetensors",
              metadata={"format": "pt"})
    (options.out / "generation_config.json").unlink(missing_ok=True)
    tokenizer.save(str(options.out / "tokenizer.json"))
    (options.out / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "<pad>", "eos_token": "</s>",
         "unk_token": "<unk>", "model_max_length": 128}, indent=2) + "\n")

    # Measured with the rounded weights, as the program has them.
    model = T5ForConditionalGeneration.from_pretrained(options.out, dtype=torch.float32, attn_implementation="eager")
    model.eval()
    print(f"python {platform.python_version()}, torch {torch.__version__}, transformers {transformers.__version__}")
    kinds = {f"{'dates' if is_date else 'numbers'}, {'German' if is_german else 'English'}":
             dict(is_date=is_date, is_german=is_german) for is_date in (True, False) for is_german in (False, True)}
    for name, which in kinds.items():
        right, top, mass = measure(model, tokenizer, options.test, **which)
        print(f"{name}: right {right:.4f}, heaviest key says the next character {top:.4f}, mass on such keys {mass:.4f}",
              flush=True)
    # Which heads of the last cross attention the answer needs: the output of one head at a time is set to 0.
    attention = model.decoder.block[-1].layer[1].EncDecAttention
    size = model.config.d_kv
    for head in range(model.config.num_heads):
        kept = attention.o.weight.data.clone()
        attention.o.weight.data[:, head * size:(head + 1) * size] = 0
        rights = [measure(model, tokenizer, options.test // 4, **which)[0] for which in kinds.values()]
        attention.o.weight.data = kept
        print(f"without head {head} of the last cross attention: right {sum(rights) / len(rights):.4f}", flush=True)


if __name__ == "__main__":
    main()
