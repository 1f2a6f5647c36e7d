# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden token ids of folders as transformers reads them, and of tokenizer.json files with options that the bundled
model does not use; see ../README.md for the fields.

    python tokenizer_folder_cases.py --model path/to/tinystories-gqa --out ../tokenizer
"""

import argparse
import json
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
import tokenizers
import transformers
from tokenizer_cases import STORY, TEXTS, random_texts

# Texts where added tokens meet white space, other tokens and the ends.
ADDED_TEXTS = [
    "<a>", "x<a>y", "x <a> y", " <a> ", "  <a>", "<a>  ", "x<a>  <b>y", "x<a>   <b>y", "<a>  <b>", "<a><a>  <b>  z", "<a> <b> <c> <d>",
    "x<a>\n\n\ny", "<a>\n \ny", "<c>\n<c> \n<c>", "one <c>\ttwo", "\u3000<a>\u2003<b>\u00a0<c>", "x <d> <d>  <d> y", "<b><c>", "<bc>", "<b",
    "<s>", "<s> Hello", "Hello<s>", "Hello <s> Hello", " <s> Hello", "<s></s><unk>", "Hello</s> Hello", "a<pad>b", "a <pad> b", "<far> x",
]


def added(content: str, index: int, **flags: bool) -> dict:
    return {"id": 4672 + index, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
            "special": True} | flags


def metaspace(**options) -> dict:
    return {"type": "Metaspace", "replacement": "\u2581"} | options


def variants(document: dict) -> list[dict]:
    """`patch` is a JSON merge patch (RFC 7396) of tokenizer.json; `files` are further files of the folder, which stand for a
    variant that transformers reads. The others are read by the tokenizers library alone. `same_as` names the variant whose
    answers these are too."""
    listed = {str(token["id"]): {k: v for k, v in token.items() if k != "id"} for token in document["added_tokens"]}
    plain = document["added_tokens"]

    def folder(name: str, patch: dict | None = None, **files: dict) -> dict:
        return {"name": name, "patch": patch or {}, "files": {f"{k}.json": v for k, v in files.items()}}

    def llama(name: str, patch: dict | None = None, **options) -> dict:
        return folder(name, patch, tokenizer_config={"tokenizer_class": "LlamaTokenizer"} | options)

    def file(name: str, **patch) -> dict:
        return {"name": name, "patch": patch}

    def spaces(name: str, **options) -> dict:
        return file(name, normalizer=None, pre_tokenizer=metaspace(**options), decoder=metaspace(**options))

    def with_added(name: str, *tokens: dict, **patch) -> dict:
        return file(name, added_tokens=plain + list(tokens), **patch)

    return [
        llama("llama"),
        folder("llama_fast", tokenizer_config={"tokenizer_class": "LlamaTokenizerFast", "legacy": None, "add_prefix_space": None}),
        llama("llama_legacy", legacy=True),
        llama("llama_no_prefix", add_prefix_space=False),
        folder("llama_in_config", config={"tokenizer_class": "LlamaTokenizer"}),
        folder("no_class", tokenizer_config={"legacy": True}),
        folder("other_class", tokenizer_config={"tokenizer_class": "PreTrainedTokenizerFast"}),
        llama("llama_flags_are_not_asked", add_bos_token=False, add_eos_token=True),
        llama("llama_no_template", {"post_processor": None}, add_bos_token=True),
        llama("llama_own_model", {"model": {"fuse_unk": False, "byte_fallback": False, "unk_token": "<unk>"}}),
        llama("llama_named_tokens", eos_token="<a>", pad_token="<pad>", extra_special_tokens=["<b>", "<c>"]),
        llama("llama_listed_tokens",
              added_tokens_decoder=listed | {"4680": added("<far>", 0, lstrip=True, rstrip=True, special=False), "4675": added("<a>", 0)},
              pad_token={"__type": "AddedToken", "content": "<pad>", "lstrip": True, "rstrip": False, "normalized": False, "single_word": False},
              bos_token="<s>", eos_token="</s>", unk_token="<unk>", additional_special_tokens=["<b>"]),
        llama("llama_file_tokens", {"added_tokens": plain + [added("<a>", 0, rstrip=True), added("<b>", 1, normalized=True, special=False)]}),
        folder("llama_older_files", tokenizer_config={"tokenizer_class": "LlamaTokenizer", "pad_token": "<no>"},
               special_tokens_map={"pad_token": {"content": "<pad>", "lstrip": False, "normalized": False, "rstrip": True, "single_word": False},
                                   "additional_special_tokens": ["<a>", "<d>"]},
               added_tokens={"<a>": 4672, "<c>": 4673}),
        spaces("metaspace"),
        spaces("metaspace_old", add_prefix_space=True, str_rep="\u2581"),
        spaces("metaspace_first", prepend_scheme="first"),
        spaces("metaspace_never", prepend_scheme="never", add_prefix_space=False),
        spaces("metaspace_first_whole", prepend_scheme="first", split=False),
        spaces("metaspace_underline", replacement="_"),
        file("metaspace_and_prepend", pre_tokenizer=metaspace(prepend_scheme="always")),
        with_added("strip_both", added("<a>", 0, lstrip=True, rstrip=True), added("<b>", 1, lstrip=True), added("<c>", 2, rstrip=True)),
        with_added("overlap_spaces", added("<a>", 0, rstrip=True), added("  <b>", 1), added("<c>", 2, rstrip=True, lstrip=True)),
        with_added("overlap_newline", added("<a>", 0, rstrip=True), added("\n", 1), added("<c>", 2, rstrip=True)),
        with_added("overlap_itself", added("<d>", 0, lstrip=True, rstrip=True), added(" <d>", 1), added("<b", 2), added("<bc>", 3)),
        with_added("overlap_normalized", added("<a>", 0, rstrip=True, normalized=True, special=False),
                   added(" <b>", 1, normalized=True, special=False), added("<c>", 2, rstrip=True)),
        with_added("overlap_metaspace", added("<a>", 0, rstrip=True), added("  <b>", 1, normalized=True, special=False),
                   normalizer=None, pre_tokenizer=metaspace(prepend_scheme="first", split=False)),
    ]


def merge(target, patch):
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merge(target.get(key), value)
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="Hugging Face folder with tokenizer.json")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .json file")
    args = parser.parse_args()
    document = json.loads((args.model / "tokenizer.json").read_text(encoding="utf-8"))
    config = json.loads((args.model / "config.json").read_text(encoding="utf-8"))
    corpus = list(TEXTS.values()) + list(random_texts(8).values())
    texts = [text for text in corpus if len(text) < 200] + [STORY[:400]] + ADDED_TEXTS  # long ones: tinystories-gqa.json

    cases: list[dict] = []
    for variant in variants(document):
        patched = merge(document, variant["patch"])
        if "files" in variant:
            with tempfile.TemporaryDirectory() as folder:
                files = {"config.json": config, "tokenizer.json": patched}
                for name, content in variant["files"].items():
                    files[name] = merge(files.get(name, {}), content)
                for name, content in files.items():
                    (pathlib.Path(folder) / name).write_text(json.dumps(content), encoding="utf-8")
                tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
                variant["class"] = type(tokenizer).__name__
                ids = [tokenizer(text).input_ids for text in texts]
        else:
            tokenizer = tokenizers.Tokenizer.from_str(json.dumps(patched))
            ids = [tokenizer.encode(text).ids for text in texts]
        answer = {"ids": ids, "decoded": [tokenizer.decode(i, skip_special_tokens=False) for i in ids]}
        known = next((case["name"] for case in cases if "ids" in case and all(case[k] == answer[k] for k in answer)), None)
        cases.append(variant | ({"same_as": known} if known else answer))

    path = args.out / "folders.json"
    lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    path.write_text(f'{{"texts": {json.dumps(texts, ensure_ascii=True)},\n"variants": [\n{lines}\n]}}\n', encoding="ascii", newline="\n")
    print(f"{path.name}: {len(cases)} variants of {len(texts)} texts, {path.stat().st_size} bytes")
    for case in cases:
        print(f"  {case['name']}: {case.get('class', 'file')}, {case.get('same_as') or sum(map(len, case['ids']))}")


if __name__ == "__main__":
    main()
