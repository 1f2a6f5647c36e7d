# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden cases of padding in the batch, as the TPU backend of vLLM 0.6.4 does it.

    python pallas_padding_cases.py --out ../pallas_padding      (jax 0.10.2; ml_dtypes, numpy, safetensors: requirements-jax.txt)

Prompts without cached tokens, in the form of ../pallas. Each prompt is padded to a multiple of 16; the rows of padding hold
zeros and have a slot outside the cache. `expected.key_cache`, `expected.value_cache` [num_blocks, block_size, Hkv, D] are the cache
after jax wrote all rows, those of padding too: jnp.ndarray.at[slots].set(rows, mode="drop"). `expected.output`, `expected.output_f64`
and `expected.lse`: as in ../pallas, by jax.experimental.pallas.ops.tpu.flash_attention in interpret mode on the padded rows, cut
off afterwards. Slots of the cache that no token is written to are NaN, before and after.
"""

import argparse
import os
import pathlib
import zlib

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.experimental.pallas import tpu as pltpu

import golden_io
import pallas_cases

D, PAGE, OUTSIDE = 128, 8, 1_000_000_000


def build(dtype, heads: int, kv_heads: int, lens: list[int], seed: int):
    rng = np.random.default_rng(seed)
    rows = sum(lens)

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32).astype(dtype)

    pages = [-(-n // PAGE) for n in lens]
    order = rng.permutation(sum(pages) + 1)
    tables, at = np.full((len(lens), max(pages) + 1), order[-1], np.int32), 0
    for s, n in enumerate(pages):
        tables[s, :n] = order[at : at + n]
        at += n
    slots = [pallas_cases.slots_of(table, n, PAGE) for table, n in zip(tables, lens)]
    cache = np.full((len(order), PAGE, kv_heads, D), np.nan, dtype)
    return {"query": normal(rows, heads, D), "key": normal(rows, kv_heads, D), "value": normal(rows, kv_heads, D),
            "slot_mapping": np.concatenate(slots), "block_tables": tables, "seq_lens": np.array(lens, np.int32),
            "query_lens": np.array(lens, np.int32), "key_cache": cache, "value_cache": cache.copy()}


def written(t: dict[str, np.ndarray], lens: list[int]) -> dict[str, np.ndarray]:
    found = {}
    for name in ("key", "value"):
        rows, slots, row = [], [], 0
        for n in lens:
            padding = -n % 16
            rows += [t[name][row : row + n], np.zeros((padding, *t[name].shape[1:]), t[name].dtype)]
            slots += [t["slot_mapping"][row : row + n], np.full(padding, OUTSIDE, np.int64)]
            row += n
        cache = jnp.asarray(t[f"{name}_cache"].reshape(-1, *t[name].shape[1:]))
        after = cache.at[jnp.asarray(np.concatenate(slots))].set(jnp.asarray(np.concatenate(rows)), mode="drop")
        found[f"expected.{name}_cache"] = np.asarray(after).reshape(t[f"{name}_cache"].shape)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    for dtype_name, heads, kv_heads, lens in (("f32", 2, 1, [3, 17]), ("bf16", 2, 2, [16, 3])):
        dtype = pallas_cases.DTYPE[dtype_name]
        name = f"padding_h{heads}kv{kv_heads}_{dtype_name}"
        t = build(dtype, heads, kv_heads, lens, zlib.crc32(name.encode()))
        case = pallas_cases.Case("flash", dtype_name, heads, kv_heads, (0,) * len(lens), tuple(lens))
        with pltpu.force_tpu_interpret_mode():
            answer = pallas_cases.run_flash(case, t)
        notes = {"name": name, "attn_type": "DECODER", "num_kv_heads": str(kv_heads), "scale": repr(case.scale),
                 "block_size": str(PAGE), "num_prefills": str(len(lens)), "expect_backends": "reference,pallas",
                 "generator": "pallas_padding_cases.py", "jax_version": jax.__version__,
                 "ml_dtypes_version": ml_dtypes.__version__, "numpy_version": np.__version__}
        path = out / f"{name}.safetensors"
        golden_io.save_arrays(path, t, notes)
        exact, lse = pallas_cases.exact(path)
        absolute, relative = pallas_cases.BOUND[dtype_name]
        worst = (np.abs(answer.astype(np.float64) - exact) / (absolute + relative * np.abs(exact))).max()
        print(f"{name}: {worst:.2f} of the bound")
        if worst > 1:
            raise SystemExit("too far")
        t["expected.output"], t["expected.lse"] = answer.astype(np.float32), lse.astype(np.float32)
        if dtype_name == "bf16":
            t["expected.output_f64"] = exact.astype(np.float32)
        golden_io.save_arrays(path, t | written(t, lens), notes)


if __name__ == "__main__":
    main()
