# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden masks: every class of xFormers' attention biases through materialize().

    python mask_cases.py --out ../masks          (needs torch, xformers, numpy, safetensors)

Only xformers.ops.fmha.attn_bias is used, which is plain torch: install xformers with --no-deps; its warning that the compiled
extensions do not fit this torch does not matter here.

Each file holds `mask` f32 [q, kv], or [heads, q, kv] where there is a tensor bias: 0 or the bias where the key is visible,
-inf elsewhere; rows with no visible key are kept. q is the packed query rows of all blocks, kv the packed keys as the class
lays them out: one block after another; padded: `kv_padding` keys per block; gappy: blocks begin at `kv_seqstarts`, whose last
entry is the length of the axis; paged: physical pages, kv = (largest page in the table + 1) * page_size.
Metadata (strings, lists with commas): `class`, `q_seqlen`, `kv_seqlen` and, by class, `window_size`, `window_left`,
`window_right`, `kv_padding`, `kv_seqstarts`, `page_size`. Tensors: `bias` f32 [heads, q, kv], `block_tables` i32 [blocks,
max_pages]. Unused table entries name a page that no block uses: materialize() copies those pages too, so an entry that
named a used page would hide it.
Paged gappy masks are made from the unpaged class by make_paged(notional_padding = kv_padding), with `kv_seqstarts` of the
unpaged class: in this version their own from_seqlens() asks for starts as long as, and one longer than, the lengths, and so
always raises.

Every mask is compared with a plain loop over (query, key) written from the words of the classes.
"""

import argparse
import pathlib
import zlib

import numpy as np
import torch
import xformers
from xformers.ops.fmha import attn_bias as ab

import golden_io

INF = float("inf")


def single(name: str, shapes: list[tuple[int, int]], **options) -> list[dict]:
    return [{"class": name, "q": [q], "kv": [kv], **options} for q, kv in shapes]


def cases() -> list[dict]:
    shapes = [(1, 1), (7, 7), (3, 9), (9, 3), (1, 12)]
    down = [(1, 1), (7, 7), (3, 9), (1, 12)]  # for masks from the bottom right: q <= kv
    lists = [([4], [4]), ([3, 1, 5], [3, 1, 5]), ([2, 4, 1], [5, 4, 9])]
    more_queries = ([4, 2], [2, 6])
    out = single("LowerTriangularMask", shapes)
    out += single("LowerTriangularFromBottomRightMask", down + [(9, 3)])
    for w in (1, 3, 16):
        out += single("LowerTriangularFromBottomRightLocalAttentionMask", down, window_size=w)
    for left, right in ((0, 0), (1, 2), (3, 0), (0, 4), (20, 20)):
        out += single("LocalAttentionFromBottomRightMask", [(4, 4), (4, 7), (7, 4)], window_left=left, window_right=right)
    out += [{"class": "LowerTriangularMaskWithTensorBias", "q": [q], "kv": [kv], "heads": h}
            for h, q, kv in ((1, 5, 5), (3, 8, 8), (2, 3, 7))]
    for q, kv in lists + [more_queries]:
        out += [{"class": name, "q": q, "kv": kv} for name in ("BlockDiagonalMask", "BlockDiagonalCausalMask")]
    out += [{"class": "BlockDiagonalCausalFromBottomRightMask", "q": q, "kv": kv} for q, kv in lists]
    for w in (1, 2, 16):
        for q, kv in lists:
            out.append({"class": "BlockDiagonalCausalLocalAttentionMask", "q": q, "kv": kv, "window_size": w})
            out.append({"class": "BlockDiagonalCausalLocalAttentionFromBottomRightMask", "q": q, "kv": kv, "window_size": w})
    out.append({"class": "BlockDiagonalCausalLocalAttentionMask", "q": [5, 2], "kv": [3, 2], "window_size": 3})
    padded = [([1, 1, 1], [3, 1, 8], 8), ([2, 3, 1], [2, 7, 4], 8), ([4, 2], [2, 5], 6)]  # in the last: q > kv
    for q, kv, pad in padded:
        base = {"q": q, "kv": kv, "kv_padding": pad}
        out.append({"class": "BlockDiagonalPaddedKeysMask", **base})
        out.append({"class": "BlockDiagonalCausalWithOffsetPaddedKeysMask", **base})
        for w in (1, 3):
            out.append({"class": "BlockDiagonalCausalLocalAttentionPaddedKeysMask", **base, "window_size": w})
        for left, right in ((1, 1), (2, 0), (0, 9)):
            out.append({"class": "BlockDiagonalLocalAttentionPaddedKeysMask", **base,
                        "window_left": left, "window_right": right})
    paged = [([1, 1, 1], [3, 1, 8], 2, [[5, 6, 8, 8], [3, 8, 8, 8], [0, 4, 1, 7]]),
             ([2, 3, 1], [6, 7, 4], 4, [[1, 3, 6], [1, 0, 6], [5, 6, 6]]),  # the first page is shared by two blocks
             ([17], [33], 16, [[2, 0, 4, 5]])]
    for q, kv, page, table in paged:
        for name in ("PagedBlockDiagonalPaddedKeysMask", "PagedBlockDiagonalCausalWithOffsetPaddedKeysMask"):
            out.append({"class": name, "q": q, "kv": kv, "page_size": page, "block_tables": table})
    gappy = [([4, 3, 1], [6, 3, 1], [0, 7, 12, 14]), ([1, 2], [5, 2], [2, 9, 16]), ([3, 1], [2, 4], [1, 4, 8])]
    for q, kv, starts in gappy:
        for name in ("BlockDiagonalGappyKeysMask", "BlockDiagonalCausalWithOffsetGappyKeysMask"):
            out.append({"class": name, "q": q, "kv": kv, "kv_seqstarts": starts})
    paged_gappy = [([1, 2], [3, 5], [1, 8, 16], 8, 2, [[3, 0, 8, 8], [5, 1, 2, 8]]),
                   ([3, 1], [4, 2], [2, 13, 16], 8, 4, [[2, 0], [4, 1]])]
    for q, kv, starts, pad, page, table in paged_gappy:
        for name in ("PagedBlockDiagonalGappyKeysMask", "PagedBlockDiagonalCausalWithOffsetGappyKeysMask"):
            out.append({"class": name, "q": q, "kv": kv, "kv_seqstarts": starts, "kv_padding": pad, "page_size": page,
                        "block_tables": table})
    return out


def by_library(c: dict, bias: torch.Tensor | None) -> torch.Tensor:
    kind, name, q, kv = getattr(ab, c["class"]), c["class"], c["q"], c["kv"]
    rows, columns = sum(q), sum(kv)
    if name == "LowerTriangularMaskWithTensorBias":
        return kind(bias).materialize(tuple(bias.shape))
    if not name.startswith(("BlockDiagonal", "Paged")):
        windows = [c[w] for w in ("window_size", "window_left", "window_right") if w in c]
        return kind(*windows).materialize((rows, columns))
    table = torch.tensor(c.get("block_tables", [[0]]), dtype=torch.int32)
    if name.startswith("Paged"):
        page, shape = c["page_size"], (rows, table.numel() * c["page_size"])
        if "Gappy" in name:
            plain = kind._UNPAGED_TYPE.from_seqlens(q, c["kv_seqstarts"], kv)
            return plain.make_paged(table, page, c["kv_padding"], kind).materialize(shape)
        return kind.from_seqlens(q, kv, table, page).materialize(shape)
    if "kv_seqstarts" in c:
        return kind.from_seqlens(q, c["kv_seqstarts"], kv).materialize((rows, c["kv_seqstarts"][-1]))
    if "kv_padding" in c:
        shape, pad = (rows, len(kv) * c["kv_padding"]), c["kv_padding"]
        windows = {w: c[w] for w in ("window_size", "window_left", "window_right") if w in c}
        if windows:
            return kind.from_seqlens_local(q, pad, kv, **windows).materialize(shape)
        return kind.from_seqlens(q, pad, kv).materialize(shape)
    plain = ab.BlockDiagonalMask.from_seqlens(q, kv)
    made = {
        "BlockDiagonalMask": lambda: plain,
        "BlockDiagonalCausalMask": plain.make_causal,
        "BlockDiagonalCausalFromBottomRightMask": plain.make_causal_from_bottomright,
        "BlockDiagonalCausalLocalAttentionMask": lambda: plain.make_local_attention(c["window_size"]),
        "BlockDiagonalCausalLocalAttentionFromBottomRightMask":
            lambda: plain.make_local_attention_from_bottomright(c["window_size"]),
    }[name]()
    assert type(made) is kind, name
    return made.materialize((rows, columns))


def visible(c: dict, i: int, j: int, q: int, kv: int) -> bool:
    """Query i of q against key j of kv, within one block."""
    name = c["class"]
    from_end = "BottomRight" in name or "Offset" in name or "Padded" in name
    at = i + (kv - q if from_end else 0)  # the key position this query stands at
    if "window_left" in c:
        return at - c["window_left"] <= j <= at + c["window_right"]
    causal = "Causal" in name or "LowerTriangular" in name
    return (j <= at if causal else True) and (j > at - c["window_size"] if "window_size" in c else True)


def by_loop(c: dict, bias: np.ndarray | None) -> np.ndarray:
    columns = {"kv_seqstarts": lambda: c["kv_seqstarts"][-1], "kv_padding": lambda: len(c["kv"]) * c["kv_padding"]}
    width = next((columns[k]() for k in columns if k in c), sum(c["kv"]))
    if "block_tables" in c:
        width = (max(max(r) for r in c["block_tables"]) + 1) * c["page_size"]
    mask = np.full((sum(c["q"]), width), -INF)
    row = 0
    for b, (q, kv) in enumerate(zip(c["q"], c["kv"])):
        first = c["kv_seqstarts"][b] if "kv_seqstarts" in c else b * c.get("kv_padding", 0) or sum(c["kv"][:b])
        for i in range(q):
            for j in range(kv):
                if not visible(c, i, j, q, kv):
                    continue
                place = first + j
                if "block_tables" in c:
                    logical = j + (first - b * c["kv_padding"] if "kv_seqstarts" in c else 0)
                    place = c["block_tables"][b][logical // c["page_size"]] * c["page_size"] + logical % c["page_size"]
                mask[row, place] = 0
            row += 1
    return mask if bias is None else mask[None] + bias


def name_of(c: dict) -> str:
    short = {"window_size": "w", "window_left": "l", "window_right": "r", "kv_padding": "pad", "page_size": "page", "heads": "h"}
    parts = [c["class"], "q" + "_".join(map(str, c["q"])), "kv" + "_".join(map(str, c["kv"]))]
    return "-".join(parts + [f"{s}{c[k]}" for k, s in short.items() if k in c])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    out = parser.parse_args().out
    torch.set_num_threads(1)
    names, total = set(), 0
    for c in cases():
        name = name_of(c)
        assert name not in names, name
        names.add(name)
        tensors, bias = {}, None
        if "heads" in c:
            rng = np.random.default_rng(zlib.crc32(name.encode()))
            bias = rng.standard_normal((c["heads"], c["q"][0], c["kv"][0])).astype(np.float32)
            tensors["bias"] = torch.from_numpy(bias)
        if "block_tables" in c:
            tensors["block_tables"] = torch.tensor(c["block_tables"], dtype=torch.int32)
        mask = by_library(c, tensors.get("bias"))
        assert mask.dtype == torch.float32
        if not np.array_equal(mask.numpy().astype(np.float64), by_loop(c, bias)):
            raise SystemExit(f"{name}: the loop finds another mask\n{mask.exp().int()}\n{np.exp(by_loop(c, bias)).astype(int)}")
        tensors["mask"] = mask.clone()
        meta = {k: ",".join(map(str, v)) if isinstance(v, list) else str(v)
                for k, v in c.items() if k not in ("q", "kv", "heads", "block_tables")}
        meta |= {"name": name, "q_seqlen": ",".join(map(str, c["q"])), "kv_seqlen": ",".join(map(str, c["kv"])),
                 "generator": "tests/golden/generate/mask_cases.py", "torch_version": torch.__version__.split("+")[0],
                 "xformers_version": xformers.__version__}
        golden_io.save(out / f"{name}.safetensors", tensors, meta)
        total += (out / f"{name}.safetensors").stat().st_size
    known = {n for n, t in vars(ab).items() if isinstance(t, type) and issubclass(t, ab.AttentionBias)} - {"AttentionBias"}
    assert {c["class"] for c in cases()} == known, known ^ {c["class"] for c in cases()}
    print(f"{len(names)} files of {len(known)} classes, {total} bytes")


if __name__ == "__main__":
    main()
