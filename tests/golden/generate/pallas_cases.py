# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden cases of JAX's Pallas TPU kernels, interpreted on the CPU.

    python pallas_cases.py --out ../pallas        (jax, ml_dtypes, numpy, safetensors: requirements-jax.txt; some minutes)

Each file is an input of `attn op` for backend pallas with the answer beside it, as in ../sdpa (see ../README.md). D is 128.
  flash_*    prefill, jax.experimental.pallas.ops.tpu.flash_attention, one call per sequence: rows padded with zeros to a
             multiple of 16 (128 beyond 128), causal, K/V heads repeated; blocks as large as that, at most 128
  paged_*    decode, ...tpu.paged_attention: cache [Hkv, pages, page, D], q scaled before the call, 16 pages per compute block,
             page indices filled up to a multiple of 16 with a page of zeros; `note_megacore` kv_head, batch or none
  ragged_*   prefix and mixed batches, ...tpu.ragged_paged_attention: K and V heads interleaved in one page [page, 2 Hkv, D]
The kernels never see NaN: what the file poisons is zero in their cache.
paged_attention rounds the pages it has fetched to bf16, whatever their type. Keys and values of the f32 files are therefore
numbers that bf16 holds, and the answer is that of f32.
The scaled q of paged_* is rounded to its type before the call, as the original backend does: with sharp scores in bf16 that
alone would pass the bound against f64, so that file has a scale that is a power of two.

How the kernels run without a TPU, by what jax 0.8.2 allows:
  flash and paged   pltpu.force_tpu_interpret_mode(): it simulates memories, copies and semaphores
  megacore          the same with InterpretParams(num_cores_or_threads_per_device=2); with one core a kv_head
                    call did not come back within eight minutes (jax 0.10.2)
  ragged            that mode cannot read through a reshaped reference and stops; so pl.pallas_call is called with
                    interpret=True (mock.patch around the call), the plain interpreter. jax 0.7.2 and 0.8.2 can do that;
                    0.10.2 raises in either mode, 0.6.2 in the plain one and has no other
Arithmetic is f32 as the interpreter does it: dots of bf16 operands are exact products summed in f32.

`expected.output` is the kernel's answer widened to f32 (type of the query), `expected.output_f64` (bf16 files) and
`expected.lse` the same operands by numpy in f64: none of the kernels returns an lse. Every answer is checked against that.
"""

import argparse
import contextlib
import dataclasses
import functools
import math
import os
import pathlib
import zlib
from unittest import mock

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas.ops.tpu import flash_attention as flash
from jax.experimental.pallas.ops.tpu.paged_attention import paged_attention
from jax.experimental.pallas.ops.tpu.ragged_paged_attention import kernel as ragged

import golden_io

D, PAGES_PER_BLOCK = 128, 16
DTYPE = {"f32": np.float32, "bf16": ml_dtypes.bfloat16}
BOUND = {"f32": (1e-5, 5e-6), "bf16": (4e-3, 8e-3)}


@dataclasses.dataclass(frozen=True)
class Case:
    kernel: str  # flash, paged, ragged
    dtype: str
    num_heads: int
    num_kv_heads: int
    context: tuple[int, ...]
    query: tuple[int, ...]
    tag: str = ""
    page: int = 16
    num_decodes: int = 0
    megacore: str | None = None
    cache: bool = True  # False: no cache, and the output kept in the type of the query, to keep the file small
    q_factor: float = 1.0
    scale: float = 1.0 / math.sqrt(D)

    @property
    def name(self) -> str:
        parts = [self.kernel, f"h{self.num_heads}kv{self.num_kv_heads}", f"b{self.page}", self.dtype]
        return "_".join(parts + ([self.tag] if self.tag else []))

    @property
    def seq_lens(self) -> list[int]:
        return [c + q for c, q in zip(self.context, self.query)]


def cases() -> list[Case]:
    def prefill(dtype, h, kv, query, tag="", **more):
        return Case("flash", dtype, h, kv, (0,) * len(query), tuple(query), tag, **more)

    def decode(dtype, h, kv, lens, tag="", **more):
        return Case("paged", dtype, h, kv, tuple(n - 1 for n in lens), (1,) * len(lens), tag, num_decodes=len(lens), **more)

    return [
        prefill("f32", 2, 2, (12,)),
        prefill("f32", 2, 1, (17, 1)),
        prefill("bf16", 2, 1, (25, 5)),
        prefill("bf16", 2, 1, (14, 3), "sharp", q_factor=4.0),
        prefill("bf16", 1, 1, (131,), "blocks", cache=False),  # two blocks of 128 rows and columns
        decode("f32", 2, 2, (15, 5)),
        decode("f32", 4, 1, (33, 16, 1)),
        decode("bf16", 8, 1, (40, 9)),  # eight query heads for a KV head: the kernel's other layout
        decode("bf16", 4, 2, (20, 30, 2), "sharp", q_factor=4.0, scale=0.125),
        decode("bf16", 2, 1, (140, 5), "blocks", page=8),  # two compute blocks of 16 pages
        decode("bf16", 6, 2, (30, 9), "page8", page=8),
        decode("bf16", 4, 1, (50, 7), "page32", page=32),
        decode("f32", 4, 2, (7, 9), "kv_head", page=8, megacore="kv_head"),
        decode("f32", 2, 1, (12, 18), "batch", megacore="batch"),
        Case("ragged", "f32", 2, 1, (12, 5), (5, 9), "prefix"),
        Case("ragged", "bf16", 4, 2, (14, 0), (4, 6), "prefix"),
        Case("ragged", "bf16", 4, 1, (130,), (9,), "long_context"),
        Case("ragged", "f32", 2, 1, (9, 19, 0), (6, 1, 1), "mixed", num_decodes=2),
        Case("ragged", "bf16", 4, 1, (0, 33, 15), (10, 1, 1), "mixed", num_decodes=2),
    ]


def slots_of(table: np.ndarray, n: int, page: int) -> np.ndarray:
    position = np.arange(n)
    return table[position // page].astype(np.int64) * page + position % page


def build(c: Case) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(zlib.crc32(c.name.encode()))
    dtype, kv = DTYPE[c.dtype], c.num_kv_heads

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32).astype(dtype)

    def keys(*shape: int) -> np.ndarray:  # see the top: paged_attention reads pages as bf16
        return normal(*shape).astype(ml_dtypes.bfloat16).astype(dtype)

    need = [-(-n // c.page) for n in c.seq_lens]
    order, at = rng.permutation(sum(need) + 1), 0
    tables = np.full((len(need), max(need) + 1), order[-1], np.int32)  # unused entries: a page that nobody has
    for s, n in enumerate(need):
        tables[s, :n] = order[at : at + n]
        at += n
    cache = np.full((2, (sum(need) + 1) * c.page, kv, D), np.nan, dtype)
    slots = [slots_of(table, n, c.page) for table, n in zip(tables, c.seq_lens)]
    for n, where in zip(c.context, slots):
        cache[:, where[:n]] = keys(2, n, kv, D)
    rows = sum(c.query)
    paged = cache.reshape(2, -1, c.page, kv, D)
    tensors = {
        "query": (normal(rows, c.num_heads, D).astype(np.float32) * c.q_factor).astype(dtype),
        "key": keys(rows, kv, D),
        "value": keys(rows, kv, D),
        "slot_mapping": np.concatenate([s[n:] for n, s in zip(c.context, slots)]),
        "block_tables": tables,
        "seq_lens": np.array(c.seq_lens, np.int32),
        "query_lens": np.array(c.query, np.int32),
        "key_cache": paged[0],
        "value_cache": paged[1],
    }
    if not c.cache:
        tensors["slot_mapping"] = np.full(rows, -1, np.int64)
        for name in ("key_cache", "value_cache", "block_tables"):
            del tensors[name]
    return tensors


def written_cache(t: dict[str, np.ndarray]) -> list[np.ndarray]:
    """K and V [slots, Hkv, D] after the new tokens were written; poison is zero."""
    caches = [t[x].reshape(-1, *t[x].shape[2:]).copy() for x in ("key_cache", "value_cache")]
    for cache, new in zip(caches, ("key", "value")):
        cache[np.isnan(cache.astype(np.float32))] = 0
        cache[t["slot_mapping"]] = t[new]
    return caches


def scaled(q: np.ndarray, scale: float) -> jax.Array:
    return jnp.asarray((q.astype(np.float32) * np.float32(scale)).astype(q.dtype))


def run_flash(c: Case, t: dict[str, np.ndarray]) -> np.ndarray:
    out, row = [], 0
    for n in c.query:
        padded = -(-n // 16) * 16 if n <= 128 else -(-n // 128) * 128
        block = min(padded, 128)

        def rows_of(x: np.ndarray, repeat: int) -> jax.Array:  # -> [1, H, padded, D]
            whole = np.zeros((padded, *x.shape[1:]), x.dtype)
            whole[:n] = x[row : row + n]
            return jnp.asarray(np.repeat(whole, repeat, axis=1).swapaxes(0, 1)[None])

        group = c.num_heads // c.num_kv_heads
        answer = flash.flash_attention(
            rows_of(t["query"], 1), rows_of(t["key"], group), rows_of(t["value"], group), causal=True, sm_scale=c.scale,
            block_sizes=flash.BlockSizes(block_q=block, block_k_major=block, block_k=block, block_b=1))
        out.append(np.asarray(answer)[0].swapaxes(0, 1)[:n])
        row += n
    return np.concatenate(out)


def run_paged(c: Case, t: dict[str, np.ndarray]) -> np.ndarray:
    pages = [jnp.asarray(x.reshape(-1, c.page, c.num_kv_heads, D).transpose(2, 0, 1, 3)) for x in written_cache(t)]
    tables = t["block_tables"]
    width = -(-tables.shape[1] // PAGES_PER_BLOCK) * PAGES_PER_BLOCK
    filled = np.full((len(tables), width), tables[0, -1], np.int32)
    filled[:, : tables.shape[1]] = tables
    return np.asarray(paged_attention(
        scaled(t["query"], c.scale), *pages, jnp.asarray(t["seq_lens"]), jnp.asarray(filled),
        pages_per_compute_block=PAGES_PER_BLOCK, megacore_mode=c.megacore))


def run_ragged(c: Case, t: dict[str, np.ndarray]) -> np.ndarray:
    k, v = written_cache(t)
    pages = np.stack([k, v], axis=2).reshape(-1, c.page, 2 * c.num_kv_heads, D)  # k0, v0, k1, v1, ...
    starts = np.concatenate([[0], np.cumsum(c.query)]).astype(np.int32)
    with mock.patch.object(ragged.pl, "pallas_call", functools.partial(ragged.pl.pallas_call, interpret=True)):
        return np.asarray(ragged.ragged_paged_attention(
            jnp.asarray(t["query"]), jnp.asarray(pages), jnp.asarray(t["seq_lens"]), jnp.asarray(t["block_tables"]),
            jnp.asarray(starts), jnp.array([len(c.query)], jnp.int32), sm_scale=c.scale,
            num_kv_pages_per_block=t["block_tables"].shape[1], num_queries_per_block=8))


def exact(path: pathlib.Path) -> tuple[np.ndarray, np.ndarray]:
    """Output and lse by numpy f64 from the file as written, one row and head at a time."""
    t, meta = golden_io.read(path)
    page, scale, kv = int(meta["block_size"]), float(meta["scale"]), int(meta["num_kv_heads"])
    caches, tables = [t["key"], t["value"]], np.arange(len(t["key"]) // page + 1)[None]  # without cache: one sequence
    if "key_cache" in t:
        caches, tables = [t[x].reshape(-1, kv, D).copy() for x in ("key_cache", "value_cache")], t["block_tables"]
        assert all(np.isnan(x[t["slot_mapping"]]).all() for x in caches)
        caches[0][t["slot_mapping"]], caches[1][t["slot_mapping"]] = t["key"], t["value"]
    heads = t["query"].shape[1]
    out, lse, row = np.zeros(t["query"].shape), np.zeros(t["query"].shape[:2]), 0
    for table, length, n in zip(tables, t["seq_lens"], t["query_lens"]):
        for i in range(n):
            seen = [table[p // page] * page + p % page for p in range(length - n + i + 1)]
            for h in range(heads):
                k, v = (x[seen, h * kv // heads].astype(np.float64) for x in caches)
                x = k @ t["query"][row, h].astype(np.float64) * scale
                w = np.exp(x - x.max())
                out[row, h], lse[row, h] = w @ v / w.sum(), x.max() + math.log(w.sum())
            row += 1
    return out, lse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    parser.add_argument("--only", default="", help="names that contain this text")
    args = parser.parse_args()
    total, worst = 0, {}
    chosen = [c for c in cases() if args.only in c.name]
    assert len({c.name for c in cases()}) == len(cases())
    for c in chosen:
        tensors = build(c)
        cores = {"num_cores_or_threads_per_device": 2} if c.megacore else {}
        mode = pltpu.force_tpu_interpret_mode(pltpu.InterpretParams(**cores))
        with mode if c.kernel != "ragged" else contextlib.nullcontext():
            found = {"flash": run_flash, "paged": run_paged, "ragged": run_ragged}[c.kernel](c, tensors)
        meta = {"backend": "pallas", "expect_backends": "reference,pallas", "attn_type": "DECODER",
                "num_kv_heads": str(c.num_kv_heads), "scale": repr(c.scale), "block_size": str(c.page),
                "num_prefills": str(len(c.query) - c.num_decodes), "kv_cache_dtype": "auto", "name": c.name,
                "note_kernel": c.kernel, "generator": "tests/golden/generate/pallas_cases.py",
                "jax_version": jax.__version__, "numpy_version": np.__version__, "ml_dtypes_version": ml_dtypes.__version__}
        if c.kernel == "paged":
            meta["note_megacore"] = c.megacore or "none"
        path = args.out / f"{c.name}.safetensors"
        golden_io.save_arrays(path, tensors, meta)
        out, lse = exact(path)
        assert found.dtype == DTYPE[c.dtype] and np.isfinite(found.astype(np.float32)).all(), c.name
        error = np.abs(found.astype(np.float64) - out)
        absolute, relative = BOUND[c.dtype]
        of_bound = float((error / (absolute + relative * np.abs(out))).max())
        print(f"{c.name}: {c.dtype} {error.max():.1e} of_bound {of_bound:.2f}", flush=True)
        if of_bound > 1:
            raise SystemExit(f"{c.name}: the kernel is not what numpy finds")
        worst[c.dtype] = max(worst.get(c.dtype, 0.0), float(error.max()))
        tensors |= {"expected.output": found.astype(np.float32) if c.cache else found, "expected.lse": lse.astype(np.float32)}
        if c.dtype != "f32" and c.cache:
            tensors["expected.output_f64"] = out.astype(np.float32)
        golden_io.save_arrays(path, tensors, meta)
        size = path.stat().st_size
        assert size < 150_000, (c.name, size)
        total += size
    print(f"{len(chosen)} files, {total} bytes; largest error against numpy f64: {worst}")


if __name__ == "__main__":
    main()
