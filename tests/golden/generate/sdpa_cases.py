# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden cases of paged causal attention, answers by torch.nn.functional.scaled_dot_product_attention on the CPU.

Each file is an input of `attn op` and holds the expected answer beside it; see ../README.md for names and shapes.
    python sdpa_cases.py --out ../sdpa
"""

import argparse
import dataclasses
import itertools
import math
import pathlib
import zlib

import numpy as np
import torch
import torch.nn.functional as F

import golden_io

PARTITION = 512  # tokens per partition of paged attention v2
HEAD_SIZES = (32, 64, 80, 96, 112, 120, 128, 192, 256)
RATIOS = (1, 2, 4, 8)
BLOCKS = (8, 16, 32)
DTYPES = ("f32", "bf16")
TORCH_DTYPE = {"f32": torch.float32, "bf16": torch.bfloat16}


@dataclasses.dataclass(frozen=True)
class Case:
    phase: str  # "prefill" or "decode", never mixed
    dtype: str
    head_size: int
    num_heads: int
    num_kv_heads: int
    block_size: int
    seq_lens: tuple[int, ...]  # decode: the new token included
    q_factor: float = 1.0  # 4: sharp scores
    scale: float | None = None  # None: 1 / sqrt(head_size)
    shared_prefix: bool = False  # decode: one context, its full blocks shared by all sequences
    tag: str = ""

    @property
    def name(self) -> str:
        parts = [self.phase, f"d{self.head_size}", f"h{self.num_heads}kv{self.num_kv_heads}"]
        parts += [f"b{self.block_size}", self.dtype]
        parts += ["sharp"] if self.q_factor != 1.0 else []
        return "_".join(parts + ([self.tag] if self.tag else []))


def grid() -> list[Case]:
    """Every head size in both phases and both dtypes; ratio, block size and sharpness rotate so that pairs are met.

    Lengths shrink as heads grow, to keep each file near 60 kB; the larger shapes are among the special cases.
    """
    cells = [("prefill", "f32"), ("decode", "bf16"), ("prefill", "bf16"), ("decode", "f32")]
    prefill_lens = {32: (17, 1), 64: (9, 1), 80: (9, 1), 192: (4,), 256: (3,)}
    decode_lens = {32: (33, 16), 64: (33, 9), 80: (18, 9), 96: (25,), 112: (17, 8), 120: (26,), 128: (18,)}
    cases = []
    for (i, d), (j, (phase, dtype)) in itertools.product(enumerate(HEAD_SIZES), enumerate(cells)):
        # Heads of 192 and more: ratio 8 in decode only, to keep the files small.
        ratio = RATIOS[(i + j) % 4] if d < 192 else (2, 8, 1, 4)[j]
        # Two KV heads where the file stays small: one would hide a wrong map from query heads to KV heads.
        kv = 2 if d * ratio <= 160 or d == 32 else 1
        lens = prefill_lens.get(d, (9,)) if phase == "prefill" else decode_lens.get(d, (18,))
        if phase == "prefill" and ratio == 8 and d > 32:
            lens = (5,)
        # Heads of 80 and more meet block 32 in bf16 only.
        block = BLOCKS[(i + j) % 3] if d < 80 else ((8, 32, 16, 8), (8, 16, 32, 16))[i % 2][j]
        cases.append(Case(phase, dtype, d, ratio * kv, kv, block, lens, q_factor=4.0 if (i + j // 2) % 2 else 1.0))
    return cases


def special() -> list[Case]:
    ragged = (1, 7, 16, 17, 53, 130)
    c = Case
    return [
        c("prefill", "f32", 32, 1, 1, 16, (1,), tag="one_token"),
        c("prefill", "f32", 32, 2, 1, 32, (65,), tag="single"),
        c("prefill", "f32", 64, 6, 3, 16, (17,), tag="model_shape"),
        c("prefill", "f32", 32, 2, 1, 16, ragged, tag="ragged"),
        c("prefill", "bf16", 32, 2, 1, 8, (53, 17, 1, 16, 7), q_factor=4.0, tag="ragged"),
        c("prefill", "f32", 32, 4, 2, 8, (8, 16), scale=0.4, tag="scale"),
        c("decode", "f32", 64, 6, 3, 16, (17, 14), tag="model_shape"),
        c("decode", "f32", 32, 4, 2, 8, (1, 2, 8, 9, 16, 17, 5, 24, 7, 3, 12, 1), tag="batch12"),
        c("decode", "bf16", 32, 4, 2, 32, (20, 47), scale=0.4, tag="scale"),
        c("decode", "bf16", 32, 4, 1, 16, (512, 3), tag="v1_full_partition"),
        c("decode", "f32", 32, 4, 1, 16, (512, 513, 1024, 1025, 1100), shared_prefix=True, tag="v2_shared"),
        c("decode", "bf16", 32, 8, 2, 32, (530, 16), tag="v2"),
        c("decode", "bf16", 32, 2, 1, 8, (1030, 513), q_factor=4.0, shared_prefix=True, tag="v2_shared"),
        # two partitions long, yet v1: num_seqs * num_heads > 512
        c("decode", "bf16", 32, 32, 1, 8, (514,) * 17, shared_prefix=True, tag="v1_many"),
    ]


def blocks_of(length: int, block_size: int) -> int:
    return -(-length // block_size)


def build_tables(case: Case, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """block_tables [S, max_blocks] and num_blocks. Unused entries name a real block that holds only poison."""
    need = [blocks_of(n, case.block_size) for n in case.seq_lens]
    shared = [0] * len(need)
    if case.shared_prefix:  # the block the new token is written to is never shared
        shared = [(n - 1) // case.block_size for n in case.seq_lens]
    total = max(shared) + sum(n - s for n, s in zip(need, shared))
    num_blocks = total + 1
    for _ in range(10000):
        order = rng.permutation(num_blocks)
        tables = np.full((len(need), max(need) + 1), order[-1], np.int32)
        at = max(shared)
        for s, (n, common) in enumerate(zip(need, shared)):
            tables[s, :common] = order[:common]
            tables[s, common:n] = order[at : at + n - common]
            at += n - common
        if all(np.all(np.diff(tables[s, :n]) != 1) for s, n in enumerate(need)):
            return tables, num_blocks  # no two neighbours of a sequence are neighbours in memory
    raise SystemExit(f"{case.name}: no scattered block order found")


def slots_of(case: Case, table: np.ndarray, length: int) -> np.ndarray:
    position = np.arange(length)
    return table[position // case.block_size].astype(np.int64) * case.block_size + position % case.block_size


def build_inputs(case: Case) -> dict[str, torch.Tensor]:
    rng = np.random.default_rng(zlib.crc32(case.name.encode()))
    dtype, d, kv = TORCH_DTYPE[case.dtype], case.head_size, case.num_kv_heads
    prefill = case.phase == "prefill"
    query_lens = np.array(case.seq_lens if prefill else [1] * len(case.seq_lens), np.int32)
    num_tokens = int(query_lens.sum())

    def normal(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32))

    tables, num_blocks = build_tables(case, rng)
    cache = torch.full((2, num_blocks * case.block_size, kv, d), math.nan, dtype=dtype)
    if case.shared_prefix:
        context = normal(2, max(case.seq_lens) - 1, kv, d).to(dtype)
    slot_mapping = []
    for table, length in zip(tables, case.seq_lens):
        slots = slots_of(case, table, length)
        if prefill:
            slot_mapping.extend(slots)
            continue
        slot_mapping.append(slots[-1])
        known = context[:, : length - 1] if case.shared_prefix else normal(2, length - 1, kv, d).to(dtype)
        cache[:, torch.from_numpy(slots[:-1])] = known
    paged = cache.view(2, num_blocks, case.block_size, kv, d)
    return {
        "query": (normal(num_tokens, case.num_heads, d) * case.q_factor).to(dtype),
        "key": normal(num_tokens, kv, d).to(dtype),
        "value": normal(num_tokens, kv, d).to(dtype),
        "slot_mapping": torch.tensor(slot_mapping, dtype=torch.int64),
        "block_tables": torch.from_numpy(tables),
        "seq_lens": torch.tensor(case.seq_lens, dtype=torch.int32),
        "query_lens": torch.from_numpy(query_lens),
        "key_cache": paged[0].clone(),
        "value_cache": paged[1].clone(),
    }


def sdpa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool, scale: float) -> torch.Tensor:
    """q [n, H, D], k and v [L, H, D] with the KV heads already repeated -> [n, H, D]."""
    q, k, v = (x.movedim(0, 1)[None] for x in (q, k, v))  # [1, H, rows, D]
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)[0].movedim(0, 1)


def expected(case: Case, t: dict[str, torch.Tensor], scale: float) -> dict[str, torch.Tensor]:
    cache = [t[name].flatten(0, 1).clone() for name in ("key_cache", "value_cache")]  # [slots, Hkv, D]
    cache[0][t["slot_mapping"]] = t["key"]
    cache[1][t["slot_mapping"]] = t["value"]
    causal, group = case.phase == "prefill", case.num_heads // case.num_kv_heads
    outputs, outputs_f64, lses, row = [], [], [], 0
    for table, length, n in zip(t["block_tables"].numpy(), case.seq_lens, t["query_lens"].tolist()):
        slots = torch.from_numpy(slots_of(case, table, length))
        q = t["query"][row : row + n]
        k, v = (c[slots].repeat_interleave(group, dim=1) for c in cache)
        outputs.append(sdpa(q, k, v, causal, scale).float())
        outputs_f64.append(sdpa(q.double(), k.double(), v.double(), causal, scale).float())
        scores = torch.einsum("nhd,lhd->nhl", q.double(), k.double()) * scale
        if causal:
            hidden = torch.ones(n, length, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(hidden[:, None, :], -math.inf)
        lses.append(torch.logsumexp(scores, dim=-1).float())
        row += n
    answer = {"expected.output": torch.cat(outputs), "expected.lse": torch.cat(lses)}
    if case.dtype == "bf16":
        answer["expected.output_f64"] = torch.cat(outputs_f64)
    return answer


def metadata_of(case: Case, scale: float) -> dict[str, str]:
    meta = {
        "attn_type": "DECODER",
        "num_kv_heads": str(case.num_kv_heads),
        "scale": repr(scale),
        "block_size": str(case.block_size),
        "num_prefills": str(len(case.seq_lens) if case.phase == "prefill" else 0),
        "kv_cache_dtype": "auto",
        "name": case.name,
        "generator": "tests/golden/generate/sdpa_cases.py",
        "torch_version": torch.__version__.split("+")[0],
        "numpy_version": np.__version__,
    }
    if case.phase == "decode":
        partitions = blocks_of(max(case.seq_lens), PARTITION)
        v1 = partitions == 1 or len(case.seq_lens) * case.num_heads > 512
        meta["expect_kernel"] = "v1" if v1 else "v2"
        meta["expect_partitions"] = "1" if v1 else str(partitions)
    return meta


def check_file(path: pathlib.Path) -> dict[str, float]:
    """Computes the answers of the written file once more: in numpy f64, by row and head, with slots from the tables."""
    t, meta = golden_io.read(path)
    block_size, scale, kv = int(meta["block_size"]), float(meta["scale"]), int(meta["num_kv_heads"])
    group = t["query"].shape[1] // kv
    caches = [t[n].reshape(-1, kv, t["query"].shape[2]).copy() for n in ("key_cache", "value_cache")]
    slots = [[int(b[p // block_size]) * block_size + p % block_size for p in range(n)]
             for b, n in zip(t["block_tables"], t["seq_lens"])]
    context = {x for s, n in zip(slots, t["query_lens"]) for x in s[: len(s) - n]}
    poison = np.array([x not in context for x in range(len(caches[0]))])
    assert all(np.all(np.isnan(c[poison])) and np.all(np.isfinite(c[~poison])) for c in caches), path
    assert poison[t["slot_mapping"]].all() and len(set(t["slot_mapping"])) == len(t["slot_mapping"]), path
    caches[0][t["slot_mapping"]], caches[1][t["slot_mapping"]] = t["key"], t["value"]
    exact, lse, row = np.zeros(t["query"].shape), np.zeros(t["query"].shape[:2]), 0
    for s, n in zip(slots, t["query_lens"]):
        for i in range(n):
            seen = s[: len(s) - n + i + 1]
            for h in range(t["query"].shape[1]):
                k, v = (c[seen, h // group].astype(np.float64) for c in caches)
                x = k @ t["query"][row, h].astype(np.float64) * scale
                w = np.exp(x - x.max())
                exact[row, h], lse[row, h] = w @ v / w.sum(), x.max() + math.log(w.sum())
            row += 1
    assert all(np.isfinite(a).all() for n, a in t.items() if not n.endswith("_cache")), path
    error = np.abs(t["expected.output"] - exact)
    bf16 = "expected.output_f64" in t
    allowed = 4e-3 + 8e-3 * np.abs(exact) if bf16 else 1e-5 + 5e-6 * np.abs(exact)
    assert (error <= allowed).all(), (path, error.max())
    worst = {"bf16" if bf16 else "f32": error.max(), "of_bound": (error / allowed).max(),
             "lse": np.abs(t["expected.lse"] - lse).max()}
    if bf16:
        worst["bf16_f64"] = np.abs(t["expected.output_f64"] - exact).max()
        assert worst["bf16_f64"] < 1e-6, path
    assert worst["lse"] < 5e-6, path
    return {k: float(v) for k, v in worst.items()}


def print_coverage(cases: list[Case]) -> None:
    axes = {
        "phase": lambda c: c.phase,
        "dtype": lambda c: c.dtype,
        "head_size": lambda c: c.head_size,
        "ratio": lambda c: c.num_heads // c.num_kv_heads,
        "block": lambda c: c.block_size,
        "sharp": lambda c: c.q_factor != 1.0,
    }
    allowed = {"ratio": RATIOS, "block": BLOCKS, "head_size": HEAD_SIZES, "phase": ("prefill", "decode"),
               "dtype": DTYPES, "sharp": (False, True)}
    for a, b in itertools.combinations(axes, 2):
        missing = set(itertools.product(allowed[a], allowed[b])) - {(axes[a](c), axes[b](c)) for c in cases}
        if missing:
            print(f"pairs not met, {a} x {b}: {sorted(missing)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    out = parser.parse_args().out
    torch.set_num_threads(1)
    cases = grid() + special()
    assert len({c.name for c in cases}) == len(cases)
    worst: dict[str, float] = {}
    total = 0
    for case in cases:
        scale = case.scale if case.scale is not None else 1.0 / math.sqrt(case.head_size)
        tensors = build_inputs(case)
        tensors |= expected(case, tensors, scale)
        path = out / f"{case.name}.safetensors"
        golden_io.save(path, tensors, metadata_of(case, scale))
        size = path.stat().st_size
        total += size
        found = check_file(path)
        print(f"{size:8d}  {case.name}  " + "  ".join(f"{k} {v:.1e}" for k, v in found.items()))
        worst = {k: max(worst.get(k, 0.0), found.get(k, 0.0)) for k in worst.keys() | found.keys()}
    print_coverage(cases)
    print(f"{len(cases)} files, {total} bytes; largest error against numpy f64: {dict(sorted(worst.items()))}")


if __name__ == "__main__":
    main()
