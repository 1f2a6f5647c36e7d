# SPDX-License-Identifier: GPL-3.0-or-later
"""Small model files of SentencePiece in folders as they are published, trained here on the licence of this project and the lines of
tokenizer_kinds.py, and what the libraries make of a mixed corpus with them; see ../README.md for the fields.

    python sentence_piece_cases.py --licence ../../../LICENSE --texts ../tokenizer/kinds/texts.json --out ../sentence_piece
    python sentence_piece_cases.py --licence ../../../LICENSE --count 10000 --out FOLDER      # more texts, to compare by hand
"""

import argparse
import io
import json
import pathlib
import re

import sentencepiece
import transformers
from sentencepiece import sentencepiece_model_pb2
from transformers import MarianTokenizer
from tokenizer_kinds import LINES, corpus

RULES = {"\ufb01": "fi", "\uff21": "A", "\u2460": "1", "\u00bd": "1\u20442", "\u00a0": " ", "\u3000": " ", "\t": " ", "\n": " ", "\r": " ", "\u200b": "",
         "\x07": "", "e\u0301": "\u00e9", "e\u0301\u0308": "E", "\u2122": "TM", "\u2026": "...", "\u3300": "  \u30a2  "}
MORE = [">>de<< Hello", ">>xx<< Hello", ">>de<<", ">>de", "a >>de<< b", "Hello</s> the dog <unk>x<pad> y", "  two  spaces  ", "<extra_id_0> a <extra_id_99>b",
        "<extra_id_100>", "\u2581a \u2581", "<sep>the<sep> <sep>", "the<mask>dog", "e\u0301\u0308 e\u0301", "\u3300\u3300", "<0x41>", "\u041f\u0440\u0438\u0432\u0435\u0442\u00a7\u00b6 x\u00a7"]
SPECIAL = "<unk>", "<s>", "</s>", "<pad>"
MARKED = "<sep>", "<mask>", "ing "  # user-defined pieces


def train(lines, **options) -> sentencepiece_model_pb2.ModelProto:
    rules = options.pop("rules", None)
    if rules:
        path = pathlib.Path("/tmp/sentence_piece_rules.tsv")
        codes = lambda text: " ".join(f"{ord(c):X}" for c in text)
        path.write_text("".join(f"{codes(a)}\t{codes(b)}\n" for a, b in rules.items()))
        options["normalization_rule_tsv"] = str(path)
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=out, num_threads=1, minloglevel=2, **options)
    proto = sentencepiece_model_pb2.ModelProto.FromString(out.getvalue())
    proto.normalizer_spec.normalization_rule_tsv = ""  # it would hold a path
    return proto


def make_unused(proto, share: int) -> None:
    for number, piece in enumerate(proto.pieces):
        if piece.type == 1 and len(piece.piece) > 1 and number % share == 0:
            piece.type = 5


def numbered(folder: pathlib.Path, name: str, proto, family: str, before, after, extra=()) -> callable:
    """A folder in which the number of a piece is its id. Special tokens in a text are cut out first, as transformers does it."""
    (folder / name).write_bytes(proto.SerializeToString())
    (folder / "config.json").write_text(json.dumps({"model_type": family}) + "\n")
    processor = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
    ids = {p.piece: i for i, p in enumerate(proto.pieces) if p.type in (2, 3)}
    ids.update({token: len(proto.pieces) + i for i, token in enumerate(extra)})
    around = re.compile("(" + "|".join(map(re.escape, sorted(ids, key=len, reverse=True))) + ")")

    def encode(text: str) -> list[int]:
        found = [[ids[part]] if part in ids else processor.encode(part) for part in around.split(text) if part]
        return before + sum(found, []) + after

    def decode(tokens: list[int]) -> str:
        special = set(ids.values())
        return processor.decode([t for t in tokens if t not in special])
    return encode, decode


def marian(folder: pathlib.Path, source, target) -> callable:
    (folder / "source.spm").write_bytes(source.SerializeToString())
    (folder / "target.spm").write_bytes(target.SerializeToString())
    pieces = {p.piece for proto in (source, target) for p in proto.pieces if p.type in (1, 4, 6)}
    # The last piece of each file is left out, so that a known piece has no id.
    pieces -= {source.pieces[-1].piece, target.pieces[-1].piece}
    names = ["</s>", "<unk>"] + sorted(pieces, key=lambda p: (len(p), p)) + [">>de<<", ">>fr<<", "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate(names)}, indent=0) + "\n", encoding="ascii")
    (folder / "config.json").write_text(json.dumps({"model_type": "marian"}) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"source_lang": "en", "target_lang": "de"}) + "\n")
    tokenizer = MarianTokenizer.from_pretrained(folder)

    def decode(tokens: list[int]) -> str:
        return tokenizer.decode(tokens, skip_special_tokens=True, use_source_tokenizer=False)
    return tokenizer.encode, decode


def cases(out: pathlib.Path, lines):
    def folder(name):
        (out / name).mkdir(parents=True, exist_ok=True)
        return out / name

    unigram = {"model_type": "unigram", "vocab_size": 400, "character_coverage": 0.99}
    bpe = {"model_type": "bpe", "vocab_size": 400, "character_coverage": 0.99}
    upper = [line.upper() for line in lines]
    yield "marian", marian(folder("marian"), train(lines, normalization_rule_name="nmt_nfkc", **unigram), train(upper, rules=RULES, **unigram))
    yield "marian_bpe", marian(folder("marian_bpe"), train(lines, rules=RULES, **bpe),
                               train(upper, rules=RULES, byte_fallback=True, **{**unigram, "vocab_size": 640}))
    t5 = train(lines, rules=RULES, pad_id=0, eos_id=1, unk_id=2, bos_id=-1, user_defined_symbols=list(MARKED), **unigram)
    yield "t5", numbered(folder("t5"), "spiece.model", t5, "t5", [], [1], [f"<extra_id_{i}>" for i in range(99, -1, -1)])
    llama = train(lines, normalization_rule_name="identity", remove_extra_whitespaces=False, byte_fallback=True, **{**bpe, "vocab_size": 640})
    yield "llama", numbered(folder("llama"), "tokenizer.model", llama, "llama", [1], [])
    marked = train(lines, rules=RULES, user_defined_symbols=list(MARKED), add_dummy_prefix=False, remove_extra_whitespaces=False, **bpe)
    make_unused(marked, 7)
    yield "bpe_marked", numbered(folder("bpe_marked"), "tokenizer.model", marked, "gemma", [1], [])
    suffix = train(lines, rules=RULES, treat_whitespace_as_suffix=True, byte_fallback=True, **{**unigram, "vocab_size": 640})
    make_unused(suffix, 5)
    yield "suffix", numbered(folder("suffix"), "spiece.model", suffix, "gemma", [1], [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--licence", type=pathlib.Path, required=True, help="the text to train on")
    parser.add_argument("--texts", type=pathlib.Path, help="texts.json of tokenizer_kinds.py")
    parser.add_argument("--count", type=int, default=0, help="texts that are made instead and written beside the answers")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    lines = [line.strip("\n") for line in args.licence.read_text(encoding="utf-8").splitlines() + LINES if line.strip()]
    texts = (corpus(args.count, lines) if args.count else json.loads(args.texts.read_text())) + MORE
    for name, (encode, decode) in cases(args.out, lines):
        ids = [encode(text) for text in texts]
        answer = {"sentencepiece": sentencepiece.__version__, "transformers": transformers.__version__, "more": MORE, "ids": ids,
                  "decoded": [decode(i) for i in ids]}
        if args.count:
            answer["texts"] = texts
        (args.out / name / "answers.json").write_text(json.dumps(answer, separators=(",", ":")) + "\n", encoding="ascii", newline="\n")
        print(name, sum(map(len, ids)), "ids", flush=True)


if __name__ == "__main__":
    main()
