# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden token ids of a mixed corpus by Hugging Face tokenizers; see ../README.md for the fields.

    python tokenizer_cases.py --model path/to/tinystories-gqa --out ../tokenizer
"""

import argparse
import json
import pathlib
import random

import tokenizers

TEXTS = {
    "empty": "",
    "one_letter": "a",
    "plain": "Once upon a time, there was a little girl named Lily.",
    "plain_2": "Tom and his dog went to the beach.",
    "quotes": '"Can I come too?" asked the duck. \u201cYes,\u201d said Ben. It\u2019s \u2018fine\u2019.',
    "punctuation": "Wait... what?! No - yes; (maybe): [ok] {x} <y> & | ~ ^ ` @ # $ % * + = / \\ _",
    "capitals": "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG. XyZ",
    "lower_pangram": "the quick brown fox jumps over the lazy dog",
    "space": " ",
    "two_spaces": "  ",
    "many_spaces": " " * 17,
    "leading_space": " Once upon a time",
    "leading_spaces": "   Once upon a time",
    "trailing_space": "Once upon a time ",
    "trailing_spaces": "Once upon a time    ",
    "inner_spaces": "Once  upon   a    time",
    "newline": "\n",
    "newlines": "Line one.\nLine two.\n\n\nLine three.\n",
    "crlf": "Line one.\r\nLine two.\r\n",
    "tabs": "\tone\ttwo\t\tthree",
    "odd_spaces": "a\u00a0b\u2003c\u3000d\u200be\u2028f\u2029g",
    "metaspace_in_text": "a\u2581b \u2581 c\u2581",
    "metaspace_leading": "\u2581Once",
    "control": "".join(chr(i) for i in range(1, 32)) + "\x7f" + "".join(chr(i) for i in range(0x80, 0xA0)),
    "nul": "a\x00b\x00",
    "bom": "\ufeffOnce",
    "replacement": "a\ufffdb",
    "noncharacters": "\ufffe\uffff\U0010ffff",
    "digits": "0123456789 3.14159 1,000,000 -7 007 2024-12-31 3333",
    "emoji": "I \u2764 you \U0001f600\U0001f415 and \U0001f30a!",
    "emoji_joined": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f44d\U0001f3fd "
                    "\U0001f1e9\U0001f1ea \u2764\ufe0f",
    "chinese": "\u4ece\u524d\u6709\u4e00\u4e2a\u5c0f\u5973\u5b69\uff0c\u5979\u53eb\u8389\u8389\u3002",
    "japanese": "\u3080\u304b\u3057\u3080\u304b\u3057\u3001\u30c8\u30e0\u3068\u72ac\u304c\u3044\u307e\u3057\u305f\u3002",
    "korean": "\uc61b\ub0a0 \uc61b\uc801\uc5d0 \uc18c\ub140\uac00 \uc788\uc5c8\uc5b4\uc694.",
    "korean_jamo": "\u110b\u1167\u11ba\u1102\u1161\u11af",
    "arabic": "\u0643\u0627\u0646 \u064a\u0627 \u0645\u0627 \u0643\u0627\u0646",
    "hebrew_marks": "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    "hindi": "\u090f\u0915 \u092c\u093e\u0930 \u0915\u0940 \u092c\u093e\u0924",
    "russian": "\u0416\u0438\u043b\u0430-\u0431\u044b\u043b\u0430 \u0434\u0435\u0432\u043e\u0447\u043a\u0430.",
    "accents_composed": "caf\u00e9 na\u00efve \u00fcber \u00c5ngstr\u00f6m \u0130stanbul stra\u00dfe",
    "accents_combining": "cafe\u0301 nai\u0308ve u\u0308ber A\u030angstro\u0308m",
    "marks_stacked": "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324a",
    "ligatures": "\ufb01nd \ufb02ow \u2460 \u00bd \u2122 \uff21\uff22\uff23",
    "math_letters": "\U0001d54b\U0001d560\U0001d55e \U00010348 \U0001d11e",
    "code_c": 'int main(void) {\n\tfor (int i = 0; i < 10; ++i) printf("%d\\n", i);\n\treturn 0;\n}\n',
    "code_python": "def f(x):\n    if x > 1:\n        return f(x - 1) * x  # loop\n    return 1\n",
    "json": '{"a": [1, 2.5e-3, null, true], "b": "\\u00e9\\n"}',
    "url": "https://example.org/a/b?c=d&e=f#g user@example.org",
    "bos_alone": "<s>",
    "bos_inside": "The end.<s>Once upon a time",
    "bos_inside_spaced": "The end. <s> Once upon a time",
    "bos_leading": "<s>Once upon a time",
    "bos_leading_spaced": "<s> Once upon a time",
    "bos_twice": "<s><s>Once",
    "eos_alone": "</s>",
    "eos_inside": "The end.</s>Once upon a time",
    "eos_trailing": "The end.</s>",
    "unk_inside": "a <unk> b<unk>",
    "almost_special": "<s <S> < s> <s/> </s <<s>> &lt;s&gt; <|endoftext|>",
    "byte_token_as_text": "<0x41><0x0A> <0xE2><0x96><0x81>",
    "inst_template": "<s>[INST] <<SYS>>\nBe kind.\n<</SYS>>\n\nHello [/INST]",
    "repeat_a": "a" * 1000,
    "repeat_the": "the" * 300,
    "repeat_space_word": " a" * 300,
    "repeat_dot": "." * 257,
    "long_word": "pneumonoultramicroscopicsilicovolcanoconiosis" * 12,
    "repeat_emoji": "\U0001f600" * 40,
    "mixed": " Lily\u2019s\tcat \u732b\n\n  said: \u201cna\u00efve!\u201d \U0001f431</s> 42 ",
}
STORY = (
    "Once upon a time, there was a small boat that lived near a big blue lake. Every day, the boat waited for its friend "
    "Ben. Ben was a kind boy who liked to sing. One morning, the sun was warm and the birds were happy. Ben ran to the "
    'lake and said, "Good morning, little boat!" The boat moved up and down on the water.\n\n'
)
# Ids that are only decoded, such as bytes of cut characters.
DECODE_IDS = {
    "empty": [],
    "bos_only": [1],
    "unk": [0],
    "all_bytes": list(range(3, 259)),
    "cut_three_byte": [3 + 0xE4, 3 + 0xBB],
    "cut_then_text": [3 + 0xE4, 3 + 0xBB, 3 + 0x41],
    "whole_then_cut": [3 + 0xC3, 3 + 0xA9, 3 + 0xC3],
    "overlong": [3 + 0xC0, 3 + 0x80],
    "surrogate": [3 + 0xED, 3 + 0xA0, 3 + 0x80],
    "above_unicode": [3 + 0xF4, 3 + 0x90, 3 + 0x80, 3 + 0x80],
    "bytes_split_by_bos": [3 + 0xC3, 1, 3 + 0xA9],
    "space_as_byte": [3 + 0x20, 3 + 0x41],
    "metaspace_as_bytes": [3 + 0xE2, 3 + 0x96, 3 + 0x81, 3 + 0x41],
}


def random_texts(count: int) -> dict[str, str]:
    """Characters drawn from classes that meet different paths of the tokenizer."""
    rng = random.Random(20240607)
    pools = [
        "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "     ", "0123456789", ".,!?'\"-:;", "\n\t\r",
        "\u00e9\u00fc\u00df\u0416\u05d0\u4e00\u3042\uac00", "\U0001f600\U0001f415\U0001d11e", "\u2581\u2019\u201c\u201d", "\u0301\u0308\u200d\ufe0f",
    ]
    weights = [12, 2, 2, 1, 2, 1, 1, 1, 1, 1]
    words = "the little girl was happy and said to her mom that she wanted a big red ball in the park".split()
    texts = {}
    for i in range(count):
        parts = []
        for _ in range(rng.randrange(5, 40)):
            pool = rng.choices(pools, weights)[0]
            parts.append(rng.choice(words) if pool is pools[0] and rng.random() < 0.5 else rng.choice(pool))
            parts.append(" " if rng.random() < 0.3 else "")
        texts[f"random_{i}"] = "".join(parts)
    return texts


def write(path: pathlib.Path, cases: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    path.write_text(f"[\n{lines}\n]\n", encoding="ascii", newline="\n")
    print(f"{path.name}: {len(json.loads(path.read_text(encoding='ascii')))} cases, {path.stat().st_size} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="Hugging Face folder with tokenizer.json")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .json files")
    args = parser.parse_args()
    tokenizer = tokenizers.Tokenizer.from_file(str(args.model / "tokenizer.json"))
    texts = TEXTS | {"story_2000": (STORY * 8)[:2000]} | random_texts(24)

    def decode(ids: list[int]) -> dict:
        return {
            "decoded": tokenizer.decode(ids, skip_special_tokens=True),
            "decoded_with_special": tokenizer.decode(ids, skip_special_tokens=False),
        }

    cases = []
    for name, text in texts.items():
        for special in (True, False):
            ids = tokenizer.encode(text, add_special_tokens=special).ids
            cases.append({"name": name, "text": text, "add_special_tokens": special, "ids": ids} | decode(ids))
    changed = [c["name"] for c in cases if not c["add_special_tokens"] and c["decoded_with_special"] != c["text"]]
    print("texts that do not come back unchanged:", changed)
    write(args.out / "tinystories-gqa.json", cases)
    write(args.out / "tinystories-gqa-decode.json",
          [{"name": n, "ids": ids, "tokens": [tokenizer.id_to_token(i) for i in ids]} | decode(ids)
           for n, ids in DECODE_IDS.items()])


if __name__ == "__main__":
    main()
