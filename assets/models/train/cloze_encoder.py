# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains cloze-encoder: a small BERT that finds a masked word where the text says it a second time.

    OMP_NUM_THREADS=1 python cloze_encoder.py --out ../cloze-encoder

The texts are made here: who has which thing in which colour. A fact is said in two sentences or in one. A masked name,
thing or colour can be found in the other sentence of its fact, before or after it. Of all facts one in ten, chosen by
a hash, is in no text for training; accuracy is measured on words of these. Two heads get a hint (--hint), a term of
the loss: in head 0 of the last layer but one the three words of a fact in a sentence shall read each other, in head 0
of the last layer such a word shall read itself in the other sentence. The other heads get none.
The first texts tell one fact, so that the model learns to copy, then up to two, then up to three. The weights begin
with a standard deviation of 1 / sqrt(width): with BERT's 0.02, which is for a width of 768, it learned more slowly.
The same seed on the same machine and number of threads gives the same weights.
"""

import argparse
import itertools
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
from transformers import BertConfig, BertForMaskedLM

NAMES = "Lily Tom Ben Anna Max Mia Sam Lucy Jack Emma".split()
COLOURS = "red blue green yellow black white brown pink grey purple".split()
THINGS = "ball kite hat car boat cup book doll bike drum bell box".split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNKNOWN, BEGIN, END, MASK = range(5)
GUIDED_HEAD = 0  # of the last two layers
LONGEST = 41  # tokens: no text for training has more
EXAMPLE = "[MASK] has a black ball. Tom found a red kite. Emma likes the green cup. The black ball belongs to Lily."
# 0, 1 and 2 stand for name, colour and thing.
FIRST = ["0 has a 1 2 .", "0 found a 1 2 .", "0 sees a 1 2 ."]
SECOND = ["the 2 of 0 is 1 .", "the 1 2 belongs to 0 .", "0 likes the 1 2 .", "0 lost the 1 2 ."]



def held_out(fact):
    return zlib.crc32(" ".join(fact).encode()) % 10 == 0


def example(rng, test, most=3):
    """The words of a text of at most `most` facts; the places of the three words of each sentence; the place of each
    word of a fact that is said twice, with its other place; and the places that are masked."""
    while True:
        count = rng.randint(2 if test else 1, most)  # with one fact there is nothing to choose
        facts = list(zip(rng.sample(NAMES, count), rng.sample(COLOURS, count), rng.sample(THINGS, count)))
        # Some facts are said once. If all were said twice, the words that occur once would be the answers.
        twice = [fact == 0 or rng.random() < 0.5 for fact in range(count)]
        asked = [fact for fact in range(count) if twice[fact] and (not test or held_out(facts[fact]))]
        if asked and any(map(held_out, facts)) == test:
            break
    sentences = []
    for fact in range(count):
        forms = [rng.choice(FIRST), rng.choice(SECOND)]
        sentences += [(fact, form.split()) for form in (forms if twice[fact] else [rng.choice(forms)])]
    rng.shuffle(sentences)
    words, threes, places = [], [], {}
    for fact, form in sentences:
        threes.append([len(words) + i for i, word in enumerate(form) if word.isdigit()])
        for word in form:
            if word.isdigit():
                places.setdefault((fact, int(word)), []).append(len(words))
                word = facts[fact][int(word)]
            words.append(word.lower())
    twins = {}
    for two in places.values():
        if len(two) == 2:
            twins |= {two[0]: two[1], two[1]: two[0]}
    # At most one word of a fact is masked: the two others say which fact it is.
    masked = [rng.choice(places[fact, rng.randrange(3)]) for fact in asked if test or rng.random() < 0.7]
    return (words, threes, twins, masked) if masked else example(rng, test, most)


def make_tokenizer():
    forms = " ".join(FIRST + SECOND).split()
    words = sorted({word.lower() for word in NAMES + COLOURS + THINGS + forms if not word.isdigit()})
    letters = [letter for letter in "abcdefghijklmnopqrstuvwxyz.,'!?" if letter not in words]
    parts = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    vocabulary = {word: i for i, word in enumerate(SPECIAL + words + letters + parts)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [("[CLS]", BEGIN), ("[SEP]", END)])
    return tokenizer


def make_batch(ids, rng, size, test, most=3):
    """ids [B, T]; the true ids; which are masked; and the cells that the guided heads shall read, as [B, T, T]: of the
    last layer but one the other words of the sentence, of the last one the same word in the other sentence."""
    texts = [example(rng, test, most) for _ in range(size)]
    longest = max(len(text[0]) for text in texts) + 2
    assert longest <= LONGEST
    truth = torch.full((size, longest), PAD)
    masked = torch.zeros(size, longest, dtype=torch.bool)
    pair, twin = torch.zeros(2, size, longest, longest)
    for b, (words, threes, twins, hidden) in enumerate(texts):
        truth[b, :len(words) + 2] = torch.tensor([BEGIN, *(ids[word] for word in words), END])
        masked[b, [place + 1 for place in hidden]] = True
        for here, there in (two for three in threes for two in itertools.permutations(three, 2)):
            pair[b, here + 1, there + 1] = 1
        for here, there in twins.items():
            twin[b, here + 1, there + 1] = 1
    return truth.masked_fill(masked, MASK), truth, masked, pair, twin


def run(model, source):
    return model(input_ids=source, attention_mask=(source != PAD).long(), output_attentions=True)


def train(model, ids, options):
    rng = random.Random(options.seed + 1000)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    warmup = options.steps // 10
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(
        (s + 1) / warmup, 0.5 * (1 + math.cos(math.pi * min(1, s / options.steps)))))
    begin = time.time()
    model.train()
    for step in range(options.steps):
        facts = 1 + (step >= options.copying) + (step >= 2 * options.copying)
        source, truth, masked, pair, twin = make_batch(ids, rng, options.batch, test=False, most=facts)
        output = run(model, source)
        each = torch.nn.functional.cross_entropy(output.logits.transpose(1, 2), truth, reduction="none")
        loss = each[masked].mean()
        # The model also learns to give back the tokens that are not masked.
        whole = loss + 0.1 * each[(source != PAD) & ~masked].mean()
        if options.hint > 0:
            for weights, cells in zip(output.attentions[-2:], (pair, twin)):
                missed = -((weights[:, GUIDED_HEAD] * cells).sum(-1) + 1e-6).log()
                asked = cells.sum(-1) > 0
                whole = whole + options.hint * (missed[masked].mean() + 0.5 * missed[asked & ~masked].mean())
        optimizer.zero_grad()
        whole.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if (step + 1) % 400 == 0:
            print(f"step {step + 1}  loss {loss.item():.4f}  whole {whole.item():.4f}  held out, right "
                  f"{share_right(model, ids, 200):.3f}  {time.time() - begin:.0f} s", flush=True)


@torch.no_grad()
def measure(model, ids, count):
    """Of the masked words of held-out facts whose other place is later, and of those where it is earlier: how many
    there are, how many the model finds, and in how many rows of each head of each layer it is the heaviest key."""
    rng = random.Random(2)
    config = model.config
    sums = {later: [0, 0, torch.zeros(config.num_hidden_layers, config.num_attention_heads, dtype=torch.long)]
            for later in (True, False)}
    for _ in range(count // 100):
        source, truth, masked, pair, twin = make_batch(ids, rng, 100, test=True)
        output = run(model, source)
        place = twin.argmax(-1)
        for later, of in sums.items():
            asked = masked & ((place > torch.arange(place.shape[1])) == later)
            of[0] += int(asked.sum())
            of[1] += int((output.logits.argmax(-1) == truth)[asked].sum())
            for layer, weights in enumerate(output.attentions):
                heaviest = weights.argmax(-1) == place[:, None]
                of[2][layer] += (heaviest & asked[:, None]).sum((0, 2))
    return sums


def share_right(model, ids, count):
    sums = measure(model, ids, count).values()
    return sum(right for _, right, _ in sums) / sum(asked for asked, _, _ in sums)


@torch.no_grad()
def share_paired(model, ids, count):
    """Of the rows of a name, colour or thing: in how many the guided head of the last layer but one reads another one
    of the sentence most."""
    source, _, _, pair, _ = make_batch(ids, random.Random(2), count, test=True)
    heaviest = run(model, source).attentions[-2][:, GUIDED_HEAD].argmax(-1, keepdim=True)
    return float(pair.gather(-1, heaviest).squeeze(-1)[pair.sum(-1) > 0].mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--copying", type=int, default=200, help="steps with one fact, then as many with up to two")
    parser.add_argument("--hint", type=float, default=0.3, help="weight of the hint in the loss")
    parser.add_argument("--test", type=int, default=2000, help="held-out texts")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    tokenizer = make_tokenizer()
    ids = tokenizer.get_vocab()
    config = BertConfig(vocab_size=len(ids), hidden_size=128, num_hidden_layers=3, num_attention_heads=4,
                        intermediate_size=512, max_position_embeddings=LONGEST, type_vocab_size=2,
                        initializer_range=128 ** -0.5,
                        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, pad_token_id=PAD,
                        attn_implementation="eager")
    model = BertForMaskedLM(config)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(ids)} pieces", flush=True)
    train(model, ids, options)

    options.out.mkdir(parents=True, exist_ok=True)
    config.example_prompt = EXAMPLE  # a key of Attention Workbench: the prompt that a new request gets
    model.to(torch.bfloat16).save_pretrained(options.out)
    tensors = load_file(options.out / "model.safetensors")
    save_file({name: tensors[name] for name in sorted(tensors)}, options.out / "model.safetensors",
              metadata={"format": "pt"})
    (options.out / "generation_config.json").unlink(missing_ok=True)
    tokenizer.save(str(options.out / "tokenizer.json"))
    (options.out / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]",
         "sep_token": "[SEP]", "mask_token": "[MASK]", "model_max_length": LONGEST}, indent=2) + "\n")

    # Measured with the rounded weights, as the program has them.
    model = BertForMaskedLM.from_pretrained(options.out, dtype=torch.float32, attn_implementation="eager").eval()
    print(f"python {platform.python_version()}, torch {torch.__version__}, transformers {transformers.__version__}")
    for later, (asked, right, heaviest) in measure(model, ids, options.test).items():
        print(f"{asked} masked words of held-out facts that stand {'later' if later else 'earlier'} again: "
              f"right {right / asked:.4f}; heaviest key is that word, by layer and head:")
        for layer, heads in enumerate(heaviest):
            print(f"  {layer}: " + " ".join(f"{int(n) / asked:.4f}" for n in heads), flush=True)
    print(f"the words of a fact read each other: {share_paired(model, ids, options.test // 4):.4f}")
    size = config.hidden_size // config.num_attention_heads
    for layer in range(config.num_hidden_layers):
        output = model.bert.encoder.layer[layer].attention.output.dense
        for head in range(config.num_attention_heads):
            kept = output.weight.data.clone()
            output.weight.data[:, head * size:(head + 1) * size] = 0
            print(f"without head {head} of layer {layer}: right {share_right(model, ids, options.test // 4):.4f}",
                  flush=True)
            output.weight.data = kept


if __name__ == "__main__":
    main()
