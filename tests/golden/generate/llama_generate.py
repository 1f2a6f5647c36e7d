# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden greedy runs of a Llama folder by Hugging Face transformers: f32, eager attention, CPU.

Token ids, logits and attention weights; see ../README.md for names and shapes.
    python llama_generate.py --model path/to/tinystories-gqa --out ../llama
"""

import argparse
import pathlib

import tokenizers
import torch
import transformers

import golden_io

NEW_TOKENS = 40
LOGITS_ROWS = 12  # rows of logits kept whole
LONG_PROMPT_TOKENS = 400
WEIGHT_BOUND = 4e-6  # f32 rounding; the project asks 1e-5
PROMPTS = {
    "lily": "Once upon a time, there was a little girl named Lily.",
    "beach": "Tom and his dog went to the beach.",
}
STORY = """Once upon a time, there was a small boat that lived near a big blue lake. Every day, the boat waited for its friend
Ben. Ben was a kind boy who liked to sing. One morning, the sun was warm and the birds were happy. Ben ran to the
lake and said, "Good morning, little boat!" The boat moved up and down on the water. Ben put a red ball and some
bread in the boat. Then he sat down and pushed with a long stick. They went past the tall trees and the green grass.
A duck came near them. "Can I come too?" asked the duck. "Yes, you can," said Ben. The duck jumped in and sat next
to the ball. Soon they saw a tiny island. There was a big rock on the island, and behind the rock there was a box.
Ben wanted to open the box, but it was stuck. He pulled and pulled. The duck pulled too. At last, the box opened.
Inside the box, there was a map with a star on it. "It is a treasure map!" Ben said. They walked around the rock and
counted the steps. One, two, three, four, five. Ben started to dig in the sand. He dug and dug until he was tired.
Then he saw something shiny. It was a gold bell. Ben shook the bell and it made a pretty sound. All the birds came
to listen. The duck danced and Ben laughed. But then the sky turned dark and it started to rain. Ben was scared. "We
need to go home," he said. The little boat was not scared. The wind pushed it across the lake, faster and faster.
Soon they were back, and Ben saw his mom. She gave him a big hug and a warm towel. "I am glad you are safe," she
said. Ben showed her the bell. Mom smiled and put it next to the door. From that day on, every time the bell made a
sound, Ben and the duck ran to the lake to play with the little boat. One day, a girl named Sue came to the lake.
She was sad because she had lost her cat. Ben wanted to help her. He took the bell and they sat in the boat. The
duck looked in the grass, and Ben looked behind the trees."""


def long_prompt(tokenizer: tokenizers.Tokenizer) -> str:
    """The story cut to exactly LONG_PROMPT_TOKENS ids, <s> included, such that its text encodes to the same ids."""
    ids = tokenizer.encode(" ".join(STORY.split())).ids
    if len(ids) < LONG_PROMPT_TOKENS:
        raise SystemExit(f"the story has only {len(ids)} tokens")
    text = tokenizer.decode(ids[:LONG_PROMPT_TOKENS])
    if tokenizer.encode(text).ids != ids[:LONG_PROMPT_TOKENS]:
        raise SystemExit("the cut prompt does not encode to the same ids")
    return text


@torch.no_grad()
def generate(model: torch.nn.Module, prompt_ids: list[int], eos: int):
    """Greedy with the cache. Returns ids, logits [N, vocab], weights [layer][H, rows, columns], eos seen."""
    total = len(prompt_ids) + NEW_TOKENS - 1
    heads = model.config.num_attention_heads
    weights = [torch.zeros(heads, total, total) for _ in range(model.config.num_hidden_layers)]
    cache = transformers.DynamicCache(config=model.config)
    fed, row, ids, logits = prompt_ids, 0, [], []
    while True:
        out = model(input_ids=torch.tensor([fed]), past_key_values=cache, use_cache=True, output_attentions=True)
        for kept, new in zip(weights, out.attentions):  # new [1, H, len(fed), row + len(fed)]
            kept[:, row : row + len(fed), : row + len(fed)] = new[0]
        row += len(fed)
        logits.append(out.logits[0, -1])
        ids.append(int(logits[-1].argmax()))
        if ids[-1] == eos or len(ids) == NEW_TOKENS:
            return ids, torch.stack(logits), [w[:, :row, :row] for w in weights], ids[-1] == eos
        fed = ids[-1:]


@torch.no_grad()
def full_forward(model: torch.nn.Module, ids: list[int]):
    out = model(input_ids=torch.tensor([ids]), use_cache=False, output_attentions=True)
    return out.logits[0], [w[0] for w in out.attentions]


@torch.no_grad()
def exact_forward(model: torch.nn.Module, ids: list[int]):
    """The same network written out in f64. (The library in f64 still does norms, RoPE and softmax in f32.)"""
    c, p = model.config, {k: v.double() for k, v in model.state_dict().items()}
    n, d, group = len(ids), c.head_dim, c.num_attention_heads // c.num_key_value_heads

    def norm(x, name):
        return x / torch.sqrt((x * x).mean(-1, keepdim=True) + c.rms_norm_eps) * p[name]

    def heads(x):  # [n, heads * d] -> [heads, n, d]
        return x.view(n, -1, d).movedim(1, 0)

    frequency = c.rope_parameters["rope_theta"] ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    # The library rounds these angles to f32.
    angle = torch.outer(torch.arange(n, dtype=torch.float32), frequency.float()).double()

    def rope(x):  # the halves of a head are the two coordinates
        a, b = x.chunk(2, -1)
        return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)

    x, weights = p["model.embed_tokens.weight"][ids], []
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    for layer in range(c.num_hidden_layers):
        at = f"model.layers.{layer}."
        h = norm(x, at + "input_layernorm.weight")
        q, k, v = (heads(h @ p[f"{at}self_attn.{m}_proj.weight"].T) for m in "qkv")
        k, v = rope(k).repeat_interleave(group, 0), v.repeat_interleave(group, 0)
        scores = (rope(q) @ k.mT / d**0.5).masked_fill(hidden, -torch.inf)
        weights.append(scores.softmax(-1))
        x = x + (weights[-1] @ v).movedim(0, 1).reshape(n, -1) @ p[at + "self_attn.o_proj.weight"].T
        h = norm(x, at + "post_attention_layernorm.weight")
        gate, up = (h @ p[f"{at}mlp.{m}_proj.weight"].T for m in ("gate", "up"))
        x = x + (torch.nn.functional.silu(gate) * up) @ p[at + "mlp.down_proj.weight"].T
    return norm(x, "model.norm.weight") @ p["lm_head.weight"].T, weights


def largest(a, b) -> float:
    return max(float((x - y).abs().max()) for x, y in zip(a, b))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="Hugging Face folder")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    args = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = tokenizers.Tokenizer.from_file(str(args.model / "tokenizer.json"))
    model = transformers.AutoModelForCausalLM.from_pretrained(
        args.model, dtype=torch.float32, attn_implementation="eager", local_files_only=True).eval()
    eos = model.config.eos_token_id
    for name, text in (PROMPTS | {"long400": long_prompt(tokenizer)}).items():
        prompt_ids = tokenizer.encode(text).ids
        ids, logits, stepped, stopped = generate(model, prompt_ids, eos)
        fed = prompt_ids + ids[:-1]
        full_logits, weights = full_forward(model, fed)
        exact_logits, exact_weights = exact_forward(model, fed)
        first = len(prompt_ids) - 1  # the row whose logits gave the first new token
        off_weights, off_logits = largest(weights, stepped), largest([full_logits[first:]], [logits])
        # The full forward and the steps add the same numbers in another order, so in f32 they differ by rounding only.
        off = {"step/full": off_weights, "full/f64": largest(weights, exact_weights),
               "step/f64": largest(stepped, exact_weights)}
        if max(off.values()) > WEIGHT_BOUND:
            raise SystemExit(f"{name}: weights differ: {off}")
        if any(w.triu(1).any() for w in weights):
            raise SystemExit(f"{name}: weights above the diagonal")
        if full_logits[first:].argmax(-1).tolist() != ids or exact_logits[first:].argmax(-1).tolist() != ids:
            raise SystemExit(f"{name}: the full or the f64 forward chooses other tokens")
        top = logits.topk(2).values
        last = len(fed) - 1
        rows = list(range(len(fed)))
        if len(fed) > 100:
            rows = [0, 1, 15, 16, 63, 128, 255, first, (first + last) // 2, last]
        kept = list(range(min(LOGITS_ROWS, len(ids))))
        tensors = {
            "prompt_ids": torch.tensor(prompt_ids, dtype=torch.int32),
            "generated_ids": torch.tensor(ids, dtype=torch.int32),
            "logits": logits[kept],
            "logits_rows": torch.tensor(kept, dtype=torch.int32),
            "logits_max": top[:, 0],
            "logits_margin": top[:, 0] - top[:, 1],
            "logits_lse": logits.double().logsumexp(-1).float(),
            "weight_rows": torch.tensor(rows, dtype=torch.int32),
        }
        tensors |= {f"weights.{layer}": w[:, rows] for layer, w in enumerate(weights)}
        if not all(torch.isfinite(t).all() for t in tensors.values()):
            raise SystemExit(f"{name}: not finite")
        metadata = {
            "name": name,
            "prompt": text,
            "generated_text": tokenizer.decode(prompt_ids + ids)[len(text) :],
            "stopped_by_eos": "true" if stopped else "false",
            "eos_token_id": str(eos),
            "model": "tinystories-gqa",
            "dtype": "float32",
            "attn_implementation": "eager",
            "generator": "tests/golden/generate/llama_generate.py",
            "torch_version": torch.__version__.split("+")[0],
            "transformers_version": transformers.__version__,
            "tokenizers_version": tokenizers.__version__,
        }
        path = args.out / f"{name}.safetensors"
        golden_io.save(path, tensors, metadata)
        print(f"{path.stat().st_size} {name}: P {len(prompt_ids)} N {len(ids)} eos {stopped}")
        print("  weights " + "  ".join(f"{k} {v:.1e}" for k, v in off.items())
              + f"; logits step/full {off_logits:.1e} full/f64 {largest([full_logits], [exact_logits]):.1e}"
              f"; smallest margin {float((top[:, 0] - top[:, 1]).min()):.3f}")
        print(f"  ...{text[-60:]!r} -> {metadata['generated_text']!r}")


if __name__ == "__main__":
    main()
