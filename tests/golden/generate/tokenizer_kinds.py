# SPDX-License-Identifier: GPL-3.0-or-later
"""Small tokenizers of every kind, trained here on the licence of this project and on the lines below, and what the
`tokenizers` library makes of a mixed corpus with them; see ../README.md for the fields.

    python tokenizer_kinds.py --licence ../../../LICENSE --out ../tokenizer/kinds
    python tokenizer_kinds.py --licence ../../../LICENSE --out FOLDER --texts 10000      # more texts, to compare by hand
"""

import argparse
import json
import pathlib
import random
import struct
import unicodedata

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LINES = [
    "The quick brown fox jumps over the lazy dog. ", "don't can't I'll we've they're I'm he'd\n", "int main() { return x[i++] + 42; }\n",
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440! \u041a\u0430\u043a \u0434\u0435\u043b\u0430? ", "\u4f60\u597d\uff0c\u4e16\u754c\u3002", "\u3053\u308c\u306f\u65e5\u672c\u8a9e\u3067\u3059\u3002",
    "\uc548\ub155\ud558\uc138\uc694 \uc138\uacc4 ", "na\u00efve caf\u00e9 \u00dcber Stra\u00dfe ", "\U0001f600 \U0001f415 ", "\u0645\u0631\u062d\u0628\u0627 ", "\u0928\u092e\u0938\u094d\u0924\u0947 ", "1234567890 3.14159 2024-12-31 ",
] * 8
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + REST
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
O200K = (rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{CONTRACTIONS}?|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{CONTRACTIONS}?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = ("[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
            "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+")


def charsmap() -> bytes:
    """A small table in the format of SentencePiece: size of the double array, the array, the texts."""
    pairs = {"\ufb01": "fi", "\uff21": "A", "\u2460": "1", "\u00bd": "1\u20442", "\u00a0": " ", "\u3000": " ", "\t": " ", "\n": " ", "\r": " ",
             "\u200b": "", "\x07": "", "e\u0301": "\u00e9", "\u0308": "", "\u304c": "\u304b\u309b", "\u2122": "TM", "\u2026": "..."}
    texts, places = b"", {}
    for text in pairs.values():
        if text not in places:
            places[text] = len(texts)
            texts += text.encode() + b"\0"
    tree: dict = {}
    for key, text in pairs.items():
        node = tree
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node["value"] = places[text]
    units, used = [0] * 1024, [True] + [False] * 1023

    def place(node: dict, at: int) -> None:
        labels = [byte for byte in node if byte != "value"]
        wanted = labels + [0] * ("value" in node)
        offset = next(o for o in range(1, 1024) if all((at ^ o ^ b) < 1024 and not used[at ^ o ^ b] for b in wanted))
        for byte in wanted:
            used[at ^ offset ^ byte] = True
        units[at] |= offset << 10 | 0x100 * ("value" in node)
        if "value" in node:
            units[at ^ offset] = 0x80000000 | node["value"]
        for byte in labels:
            units[at ^ offset ^ byte] |= byte
            place(node[byte], at ^ offset ^ byte)

    place(tree, 0)
    array = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(array)) + array + texts


def template(single: str, *special: str):
    return lambda t: processors.TemplateProcessing(single=single, pair=None, special_tokens=[(s, t.token_to_id(s)) for s in special])


def sequence(*steps):
    return pre_tokenizers.Sequence(list(steps))


def split(pattern: str, behavior: str = "isolated", invert: bool = False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def finish(tokenizer, lines, trainer, post=None):
    tokenizer.train_from_iterator(lines, trainer)
    if post:
        tokenizer.post_processor = post(tokenizer)
    return tokenizer


def byte_level(lines, pre, normalizer=None, post=None, special=("<|endoftext|>",), ignore_merges=False):
    t = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    t.pre_tokenizer, t.decoder = pre, decoders.ByteLevel()
    if normalizer:
        t.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return finish(t, lines, trainers.BpeTrainer(vocab_size=380, special_tokens=list(special), initial_alphabet=alphabet, show_progress=False), post)


def sentence_piece(lines, normalizer, pre, decoder, special, post):
    t = Tokenizer(models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    t.normalizer, t.decoder = normalizer, decoder
    if pre:
        t.pre_tokenizer = pre
    all_bytes = [f"<0x{i:02X}>" for i in range(256)]
    finish(t, lines, trainers.BpeTrainer(vocab_size=500, special_tokens=list(special) + all_bytes, max_token_length=12, limit_alphabet=100,
                                         show_progress=False))
    file = json.loads(t.to_str())
    file["added_tokens"] = [a for a in file["added_tokens"] if a["content"] not in all_bytes]
    t = Tokenizer.from_str(json.dumps(file))
    t.post_processor = post(t)
    return t


def word_piece(lines, normalizer, pre, decoder, **options):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]", **options))
    t.normalizer, t.pre_tokenizer, t.decoder = normalizer, pre, decoder
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=400, special_tokens=special, show_progress=False)
    return finish(t, lines, trainer, template("[CLS] $A [SEP]", "[CLS]", "[SEP]"))


def unigram(lines, normalizer, pre, decoder, special, post, byte_fallback=False):
    t = Tokenizer(models.Unigram())
    t.normalizer, t.pre_tokenizer, t.decoder = normalizer, pre, decoder
    finish(t, lines, trainers.UnigramTrainer(vocab_size=300, special_tokens=list(special), unk_token="<unk>", max_piece_length=10,
                                             show_progress=False))
    if byte_fallback:
        file = json.loads(t.to_str())
        file["model"]["byte_fallback"] = True
        file["model"]["vocab"] += [[f"<0x{i:02X}>", -20.0] for i in range(256)]
        t = Tokenizer.from_str(json.dumps(file))
    t.post_processor = post(t)
    return t


def clip(lines):
    t = Tokenizer(models.BPE(end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    t.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    words = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    t.pre_tokenizer = sequence(split(words, "removed", True), pre_tokenizers.ByteLevel(add_prefix_space=False))
    t.decoder = decoders.BPEDecoder("</w>")
    trainer = trainers.BpeTrainer(vocab_size=700, special_tokens=["<|startoftext|>", "<|endoftext|>"], end_of_word_suffix="</w>",
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    return finish(t, lines, trainer, lambda t: processors.RobertaProcessing(("<|endoftext|>", 1), ("<|startoftext|>", 0), add_prefix_space=False))


def marked(lines):
    t = Tokenizer(models.BPE(unk_token="<unk>", continuing_subword_prefix="##", fuse_unk=True))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(strip_accents=True), pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece("##", False)
    return finish(t, lines, trainers.BpeTrainer(vocab_size=300, special_tokens=["<unk>"], continuing_subword_prefix="##", limit_alphabet=80,
                                                show_progress=False))


def word_level(lines):
    t = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    t.normalizer = normalizers.Sequence([normalizers.Strip(), normalizers.NFKC()])
    t.pre_tokenizer = sequence(pre_tokenizers.CharDelimiterSplit("|"), pre_tokenizers.Whitespace(),
                               pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Digits(True))
    return finish(t, lines, trainers.WordLevelTrainer(vocab_size=200, special_tokens=["[UNK]"], show_progress=False))


def added(lines):
    t = byte_level(lines, pre_tokenizers.ByteLevel(add_prefix_space=False), normalizers.NFD(), special=())
    t.add_special_tokens([AddedToken("<a>", lstrip=True), AddedToken("<b>", rstrip=True), AddedToken("<c>", single_word=True)])
    t.add_tokens([AddedToken("the", single_word=True, normalized=True), AddedToken("\u00c9", normalized=True),
                  AddedToken("<w>", normalized=False, lstrip=True, rstrip=True), AddedToken("ing", normalized=True)])
    return t


def kinds(lines):
    plain = pre_tokenizers.ByteLevel(add_prefix_space=False)
    last = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    n, p, d = normalizers, pre_tokenizers, decoders
    yield "gpt2", byte_level(lines, plain, post=lambda t: processors.ByteLevel(trim_offsets=False))
    yield "roberta", byte_level(lines, p.ByteLevel(add_prefix_space=True), special=("<s>", "<pad>", "</s>", "<unk>", "<mask>"),
                                post=lambda t: processors.RobertaProcessing(("</s>", 2), ("<s>", 0)))
    begin = template("<|begin_of_text|> $A", "<|begin_of_text|>")
    yield "llama3", byte_level(lines, sequence(split(LLAMA3), last), special=("<|begin_of_text|>", "<|eot_id|>"), ignore_merges=True,
                               post=lambda t: processors.Sequence([processors.ByteLevel(trim_offsets=False), begin(t)]))
    yield "qwen2", byte_level(lines, sequence(split(LLAMA3.replace("{1,3}", "")), last), n.NFC(), special=("<|im_start|>", "<|im_end|>"))
    yield "o200k", byte_level(lines, sequence(split(O200K), last))
    yield "deepseek", byte_level(lines, sequence(split(r"\p{N}{1,3}"), split("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"), split(DEEPSEEK), last))
    yield "deepseek_coder", byte_level(lines, sequence(split("[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"),
                                                       split("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"), p.Digits(True), last))
    yield "starcoder", byte_level(lines, sequence(p.Digits(True), plain))
    yield "falcon", byte_level(lines, sequence(p.Punctuation("contiguous"), plain, p.Digits(False), split("[0-9][0-9][0-9]")))
    yield "bloom", byte_level(lines, sequence(split(" ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+"), last))
    yield "gemma", sentence_piece(lines, n.Replace(" ", "\u2581"), p.Split(" ", "merged_with_previous"),
                                  d.Sequence([d.Replace("\u2581", " "), d.ByteFallback(), d.Fuse()]), ("<pad>", "<eos>", "<bos>", "<unk>"),
                                  template("<bos> $A", "<bos>"))
    yield "bert", word_piece(lines, n.BertNormalizer(), p.BertPreTokenizer(), d.WordPiece())
    yield "bert_cased", word_piece(lines, n.BertNormalizer(lowercase=False), p.BertPreTokenizer(), d.WordPiece(cleanup=False))
    yield "words", word_piece(lines, n.Sequence([n.NFD(), n.Lowercase(), n.StripAccents()]), p.Whitespace(), d.WordPiece(),
                              max_input_chars_per_word=20)
    table = charsmap()
    yield "t5", unigram(lines, n.Sequence([n.Precompiled(table), n.Strip(left=False, right=True), n.Replace(Regex(" {2,}"), "\u2581")]), p.Metaspace(),
                        d.Metaspace(), ("<pad>", "</s>", "<unk>"), template("$A </s>", "</s>"))
    yield "xlnet", unigram(lines, n.Sequence([n.Replace("``", '"'), n.NFKD(), n.StripAccents(), n.Lowercase(), n.Precompiled(table),
                                              n.Replace(Regex(" {2,}"), " ")]),
                           sequence(p.WhitespaceSplit(), p.Metaspace(prepend_scheme="first")), d.Metaspace(prepend_scheme="first"),
                           ("<pad>", "<sep>", "<unk>", "<cls>"), template("$A <sep> <cls>", "<sep>", "<cls>"))
    yield "unigram_bytes", unigram(lines, n.Sequence([n.NFKC(), n.Nmt()]), p.Metaspace(prepend_scheme="never"),
                                   d.Sequence([d.ByteFallback(), d.Metaspace(prepend_scheme="never")]), ("<s>", "</s>", "<unk>"),
                                   template("<s> $A </s>", "<s>", "</s>"), byte_fallback=True)
    yield "clip", clip(lines)
    yield "marked", marked(lines)
    yield "word_level", word_level(lines)
    yield "added", added(lines)


FIXED = [
    "", "a", " ", "  ", "\n", "\t", "a" * 120, " " * 90, "\n" * 60, "1" * 100, "\u00e9" * 60, "\U0001f600" * 30, "ab" * 80, "A" * 90, ".." * 50, " a" * 60,
    "\u0301" * 20, "e\u0301" * 30, "\x00", "a\x00b", "\ufeffa", "".join(map(chr, range(1, 160))), "don't can't I'll we've DON'T I'LL \u017f'\u017f",
    "<s><pad>[CLS] [MASK]</s> <|endoftext|> <|im_start|>", "\u1112\u1161\u11ab\uad6d\uc5b4 \u1100\u1161\u11a8", "\ufb01 \ufdfa \u2460 \u00bd \u2122 \uff21", "\u0130stanbul I\u0131 \u00df \u1e9e \u03a3\u03c2",
    "\u0915\u094d\u0937 \u0928\u093f", "\u200d\u200c", "\r\n\r\n a \r b", "if (x) {\n\t\treturn y[i++];\n}\n", "the <a>  the<b>  <c>x <c> breathe ing \u00c9 E\u0301 <w> y",
    "do not n't ' a .b ,c", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd \u2764\ufe0f",
]


def corpus(count: int, lines) -> list[str]:
    """Fixed texts, letters of every block of Unicode, and random mixtures of what meets different paths."""
    rng = random.Random(20261127)
    texts = list(FIXED)
    blocks: dict[int, list[str]] = {}
    for code in range(0xA0, 0x110000):
        if not 0xD800 <= code < 0xE000 and unicodedata.category(chr(code)) != "Cn":
            blocks.setdefault(code >> 8, []).append(chr(code))
    parts = ["".join(rng.sample(block, min(len(block), 3))) for block in blocks.values()]
    texts += [" ".join(parts[i:i + 8]) for i in range(0, len(parts), 8)]
    words = [w for line in lines[:400] for w in line.split()]
    letters = [c for block in blocks.values() for c in block]
    pools = [words, [" ", " ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u2003", "\u3000", "\u200b"], ["0", "7", "123", "4567"],
             list(".,!?'\"-:;()[]{}<>/\\|_@#$%^&*+=~`"), ["'s", "'LL", "n't"], list("\u00e9\u00fc\u00df\u0416\u4e00\u3042\uac00\u0915\u00c5"),
             ["\U0001f600", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f"], ["\u0301", "\u0308", "\u200d", "\ufe0f"], ["\u2581", "\u0120", "##", "</w>", "<0x41>", "``", "|"],
             ["<a>", "<b>", "<s>", "[SEP]", "<|endoftext|>", "the"], ["\x00", "\x07", "\x7f", "\x85", "\ufeff", "\ufffd", "\u2028"],
             ["\u01c5", "\u02b0", "\u00aa", "\u00b2", "\u2167", "\u0663"], ["aaaa", "AAAA", "----", "....", "====="]]
    weights = [12, 8, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1]
    while len(texts) < count:
        if rng.random() < 0.2:
            texts.append("".join(rng.choice(letters) for _ in range(rng.randint(1, 20))))
        else:
            texts.append("".join(rng.choice(rng.choices(pools, weights)[0]) + " " * (rng.random() < 0.3) for _ in range(rng.randint(1, 25))))
    return texts[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--licence", type=pathlib.Path, required=True, help="the text to train on")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for texts.json and one .json file for each kind")
    parser.add_argument("--texts", type=int, default=110)
    args = parser.parse_args()
    lines = args.licence.read_text(encoding="utf-8").splitlines(True) + LINES
    texts = corpus(args.texts, lines)
    args.out.mkdir(parents=True, exist_ok=True)

    def write(name: str, value: dict) -> None:
        (args.out / name).write_text(json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n", encoding="ascii", newline="\n")

    write("texts.json", texts)
    for name, tokenizer in kinds(lines):
        file = json.loads(tokenizer.to_str())
        tokenizer = Tokenizer.from_str(json.dumps(file))
        ids = [tokenizer.encode(text).ids for text in texts]
        whole = [tokenizer.decode(i, skip_special_tokens=False) for i in ids]
        short = [tokenizer.decode(i) for i in ids]
        write(f"{name}.json", {"tokenizers": tokenizers.__version__, "tokenizer": file, "ids": ids,
                               "decoded": [None if d == t else d for d, t in zip(whole, texts)],
                               "without_special": [None if d == w else d for d, w in zip(short, whole)]})
        print(f"{name}: {tokenizer.get_vocab_size()} tokens, {(args.out / f'{name}.json').stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
