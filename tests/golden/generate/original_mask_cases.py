# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden cases of the masks that the backends modelled on vLLM 0.6.4 give to their operators.

    python original_mask_cases.py --out ../original_masks     (needs torch, xformers 0.0.28.post3, numpy, safetensors)

Of xformers only the module attn_bias is used, as in mask_cases.py: install it with --no-deps.

Each file is a batch of prompts without cached tokens, in the form of ../attention (see ../README.md). NAME = `KIND_hHkvK_DTYPE`:
causal, encoder   no mask for scaled_dot_product_attention (a flag); a packed mask for xformers
alibi             slopes x (key - query), worked out in the type of the query
window            0 or -inf
encoder-alibi, encoder-window   the same for ENCODER attention: the masks are those of a decoder, so later tokens are not seen.
                  xFormers has no such masks, and no tensors here
Tensors beside the operands, s is a prompt, L its length, T the rows of all prompts:
  sdpa_mask.<s>     [H or 1, L, L] in the type of the query; only alibi and window, with encoder- or without
  packed_mask       [T, T] f32, what the class in `packed_class` materialises; only causal, encoder and window
  tensor_bias.<s>   [H, L, L] f32, LowerTriangularMaskWithTensorBias.materialize() of a bias whose rows are padded to a multiple of
                    8; only alibi
  expected.output, expected.math   [T, H, D] f32, widened: scaled_dot_product_attention with that mask, by its kernels flash and math.
                    (A window's mask has three axes in the original. flash takes two or four, so there math computes; here
                    it gets a fourth axis.)
  expected.output_f64, expected.lse   the same rounded operands and the same rounded mask, in f64
`alibi_..._long` is one prompt whose positions bf16 does not hold; of its mask only the rows from `first_row` on are kept.
"""

import argparse
import math
import pathlib
import zlib

import numpy as np
import torch
import torch.nn.functional as F
import xformers
from torch.nn.attention import SDPBackend, sdpa_kernel
from xformers.ops.fmha import attn_bias as ab

import golden_io

TORCH_DTYPE = {"f32": torch.float32, "bf16": torch.bfloat16}
BOUND = {"f32": (1e-5, 5e-6), "bf16": (4e-3, 8e-3)}
D = 32


def slopes_of(heads: int) -> torch.Tensor:
    """Press et al. 2022; for a number of heads that is no power of two, slopes that rounding changes."""
    power = 2 ** int(math.log2(heads))
    slopes = [2.0 ** (-8.0 * i / power) for i in range(1, power + 1)]
    slopes += [2.0 ** (-4.0 * i / power) for i in range(1, 2 * (heads - power), 2)]
    return torch.tensor(slopes, dtype=torch.float32)


def alibi(slopes: torch.Tensor, length: int, dtype: torch.dtype) -> torch.Tensor:
    """[H, L, L]: positions, their difference and the product each rounded to dtype; not causal."""
    position = torch.arange(length).to(dtype)
    difference = position[None, :] - position[:, None]
    return (difference[None] * slopes.to(torch.float32)[:, None, None]).to(dtype)


def above_diagonal(length: int) -> torch.Tensor:
    return torch.triu(torch.ones(length, length, dtype=torch.bool), 1)


def sdpa_mask(kind: str, slopes: torch.Tensor, window: int, length: int, dtype: torch.dtype) -> torch.Tensor | None:
    if kind == "alibi":
        return alibi(slopes, length, dtype).masked_fill(above_diagonal(length), -math.inf)
    if kind == "window":
        visible = torch.ones(1, length, length).tril().triu(1 - window)
        return torch.log(visible).to(dtype)
    return None


def build(kind: str, heads: int, kv_heads: int, name: str, lens: list[int], window: int, first_row: int):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    of_encoder = kind.startswith("encoder-")
    kind = kind.removeprefix("encoder-")
    dtype = TORCH_DTYPE[name.split("_")[2]]

    def normal(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).to(dtype)

    rows, slopes = sum(lens), slopes_of(heads)
    t = {"query": normal(rows, heads, D), "key": normal(rows, kv_heads, D), "value": normal(rows, kv_heads, D),
         "seq_lens": torch.tensor(lens, dtype=torch.int32), "query_lens": torch.tensor(lens, dtype=torch.int32),
         "slot_mapping": torch.full((rows,), -1, dtype=torch.int64)}
    notes = {"attn_type": "ENCODER_ONLY" if kind == "encoder" else "DECODER", "num_kv_heads": str(kv_heads),
             "scale": repr(1.0 / math.sqrt(D)), "block_size": "16", "num_prefills": str(len(lens)),
             "expect_backends": "torch_sdpa,xformers", "first_row": str(first_row)}
    if kind == "alibi":
        t["alibi_slopes"] = slopes
    if of_encoder:
        t["encoder_seq_lens"] = t["seq_lens"].clone()
        notes |= {"attn_type": "ENCODER", "expect_backends": "torch_sdpa"}
        if kind == "window":
            notes["sliding_window"] = str(window)
    elif kind != "alibi":
        packed = ab.BlockDiagonalMask.from_seqlens(lens) if kind == "encoder" else ab.BlockDiagonalCausalMask.from_seqlens(lens)
        if kind == "window":
            notes["sliding_window"] = str(window)
            packed = packed.make_local_attention(window)
        notes["packed_class"] = type(packed).__name__
        t["packed_mask"] = packed.materialize((rows, rows), dtype=torch.float32)
    answers = {"math": [], "output": [], "output_f64": [], "lse": []}
    row = 0
    for s, length in enumerate(lens):
        mask = sdpa_mask(kind, slopes, window, length, dtype)
        if mask is not None:
            t[f"sdpa_mask.{s}"] = mask[:, first_row:]
        if kind == "alibi" and not of_encoder:
            padded = torch.zeros(1, heads, length, -(-length // 8) * 8, dtype=dtype)[..., :length]
            padded.copy_(alibi(slopes, length, dtype))
            bias = ab.LowerTriangularMaskWithTensorBias(padded).materialize((1, heads, length, length), dtype=torch.float32)
            t[f"tensor_bias.{s}"] = bias[0, :, first_row:]
            if not torch.equal(bias[0], mask.float()):
                raise SystemExit(f"{name}: the two masks differ")
        q, k, v = (t[x][row : row + length].movedim(0, 1)[None] for x in ("query", "key", "value"))
        k, v = (x.repeat_interleave(heads // kv_heads, 1) for x in (k, v))
        causal = kind == "causal"
        for kernel, backend in (("math", SDPBackend.MATH), ("output", SDPBackend.FLASH_ATTENTION)):
            with sdpa_kernel([backend]):
                whole = None if mask is None else mask[None]
                out = F.scaled_dot_product_attention(q, k, v, attn_mask=whole, is_causal=causal)
            answers[kernel].append(out[0].movedim(1, 0).float())
        scores = q.double() @ k.double().mT / math.sqrt(D)
        if mask is not None:
            scores += mask.double()
        if causal:
            scores = scores.masked_fill(above_diagonal(length), -math.inf)
        answers["output_f64"].append((scores.softmax(-1) @ v.double())[0].movedim(1, 0).float())
        answers["lse"].append(scores.logsumexp(-1)[0].mT.float())
        row += length
    for what, parts in answers.items():
        t[f"expected.{what}"] = torch.cat(parts)
    return t, notes


def check(name: str, t: dict[str, torch.Tensor]) -> None:
    absolute, relative = BOUND[name.split("_")[2]]
    for what in ("math", "output"):
        exact, found = t["expected.output_f64"], t[f"expected.{what}"]
        worst = ((found - exact).abs() / (absolute + relative * exact.abs())).max().item()
        print(f"{name} {what}: {worst:.2f} of the bound")
        if worst > 1:
            raise SystemExit("too far")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    torch.set_num_threads(1)
    versions = {"generator": "original_mask_cases.py", "torch_version": torch.__version__.split("+")[0],
                "numpy_version": np.__version__, "xformers_version": xformers.__version__}
    for dtype in ("f32", "bf16"):
        for kind, heads, kv_heads, lens, tag, first_row in (
                ("causal", 2, 1, [17, 5], "", 0), ("encoder", 2, 1, [9, 12], "", 0), ("alibi", 4, 2, [17, 30, 5], "", 0),
                ("alibi", 6, 2, [19, 8], "", 0), ("window", 4, 2, [17, 30, 5], "", 0), ("alibi", 1, 1, [290], "_long", 270),
                ("encoder-alibi", 4, 2, [11, 6], "", 0), ("encoder-window", 2, 1, [13, 4], "", 0)):
            if tag and dtype == "f32":
                continue  # f32 holds these positions
            name = f"{kind}_h{heads}kv{kv_heads}_{dtype}{tag}"
            t, notes = build(kind, heads, kv_heads, name, lens, 6, first_row)
            check(name, t)
            golden_io.save(out / f"{name}.safetensors", t, {"name": name, **notes, **versions})


if __name__ == "__main__":
    main()
