# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes folders as GPT-2 and BERT have them, small and with random weights, for pictures of make_images.sh.

usage: python3 random_models.py FOLDER     # makes FOLDER/gpt2 and FOLDER/bert
"""

import json
import pathlib
import random
import struct
import sys

WIDTH, LAYERS, HEADS, POSITIONS = 64, 4, 2, 256
SPREAD = 0.2


def write(folder, config, tokenizer, shapes):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, indent=1) + "\n")
    rng, header, data = random.Random(1), {"__metadata__": {"format": "pt"}}, b""
    for name, shape in shapes.items():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        is_gain = "weight" in name and len(shape) == 1
        numbers = struct.pack(f"<{count}f", *(1.0 if is_gain else rng.gauss(0, SPREAD) for _ in range(count)))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def special(token, identifier):
    return {"id": identifier, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True}


def linear(name, rows, columns, outputs):
    return {f"{name}.weight": [rows, columns], f"{name}.bias": [outputs]}


def norm(name):
    return {f"{name}.weight": [WIDTH], f"{name}.bias": [WIDTH]}


def gpt2(folder):
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = [chr(byte) for byte in plain] + [chr(256 + i) for i in range(256 - len(plain))]
    end = "<|endoftext|>"
    vocabulary = {letter: i for i, letter in enumerate([*letters, end])}
    config = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": len(vocabulary),
              "n_positions": POSITIONS, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS,
              "eos_token_id": vocabulary[end]}
    tokenizer = {
        "added_tokens": [special(end, vocabulary[end])],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
    }
    shapes = {"wte.weight": [len(vocabulary), WIDTH], "wpe.weight": [POSITIONS, WIDTH]} | norm("ln_f")
    for layer in range(LAYERS):
        at = f"h.{layer}."
        shapes |= norm(at + "ln_1") | norm(at + "ln_2")
        for name, rows, columns in (("attn.c_attn", WIDTH, 3 * WIDTH), ("attn.c_proj", WIDTH, WIDTH),
                                    ("mlp.c_fc", WIDTH, 4 * WIDTH), ("mlp.c_proj", 4 * WIDTH, WIDTH)):
            shapes |= linear(at + name, rows, columns, columns)
    write(folder, config, tokenizer, shapes)


def bert(folder):
    words = ("[PAD] [UNK] [CLS] [SEP] [MASK] paris berlin rome is the capital city king of france germany "
             "italy .").split()
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = {word: i for i, word in enumerate([*words, *letters, *(f"##{letter}" for letter in letters)])}
    config = {"architectures": ["BertForMaskedLM"], "model_type": "bert", "vocab_size": len(vocabulary),
              "hidden_size": WIDTH, "intermediate_size": 4 * WIDTH, "num_hidden_layers": LAYERS,
              "num_attention_heads": HEADS, "max_position_embeddings": POSITIONS, "type_vocab_size": 2}
    ends = {token: {"id": token, "ids": [vocabulary[token]], "tokens": [token]} for token in ("[CLS]", "[SEP]")}
    tokenizer = {
        "added_tokens": [special(token, i) for i, token in enumerate(words[:5])],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "pair": [], "special_tokens": ends, "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary},
    }
    at = "bert.embeddings."
    shapes = {at + "word_embeddings.weight": [len(vocabulary), WIDTH],
              at + "position_embeddings.weight": [POSITIONS, WIDTH],
              at + "token_type_embeddings.weight": [2, WIDTH]} | norm(at + "LayerNorm")
    for layer in range(LAYERS):
        at = f"bert.encoder.layer.{layer}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= linear(at + name, WIDTH, WIDTH, WIDTH)
        shapes |= norm(at + "attention.output.LayerNorm") | norm(at + "output.LayerNorm")
        shapes |= linear(at + "intermediate.dense", 4 * WIDTH, WIDTH, 4 * WIDTH)
        shapes |= linear(at + "output.dense", WIDTH, 4 * WIDTH, WIDTH)
    at = "cls.predictions."
    shapes |= linear(at + "transform.dense", WIDTH, WIDTH, WIDTH) | norm(at + "transform.LayerNorm")
    write(folder, config, tokenizer, shapes | {at + "bias": [len(vocabulary)]})


def main():
    folder = pathlib.Path(sys.argv[1])
    gpt2(folder / "gpt2")
    bert(folder / "bert")


if __name__ == "__main__":
    main()
