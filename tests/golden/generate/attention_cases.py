# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden cases of what attention can do beyond a plain causal batch, answers by torch on the CPU.

    python attention_cases.py --out ../attention

Each file is an input of `attn op` with the answer beside it, as in ../sdpa (see ../README.md). Kinds, the first word of a name:
encoder, encoder_only   bidirectional, no cache: `slot_mapping` is -1 everywhere
cross          queries against encoder keys; those of prefill sequences come in `key`, `value` and go to `cross_slot_mapping`,
               those of decoding ones are in the cache; all are found by `cross_block_tables` and `encoder_seq_lens`
prefix         prefill of sequences that have cached tokens, causal from the bottom right; `mixed`: decodes behind them
f16            plain prefill and decode in f16
alibi, window  bias slope_h * (key - query position); key visible iff query - w < key <= query
bias           `attn_bias` f32 [H or 1, T, longest sequence]: row = row of the batch, column = key position; -inf masks
softcap        cap * tanh(scale * q.k / cap), before any bias
sinks          `sinks` f32 [H]: one logit more in each row's sum, which has no value; `expected.lse` includes it

Answers: torch.nn.functional.scaled_dot_product_attention with the bias as `attn_mask`, in the file's dtype, widened to f32; for
bf16 and f16 also `expected.output_f64`, the same rounded operands in f64. softcap and sinks, which that function does not
have: written out with torch operations in f64 (`expected.output` is then that). `expected.lse` always in f64.
Metadata `expect_backends`: names of the backends that should agree. Every slot that is no sequence's context is NaN.
Each file is read back and compared with a loop over (row, head) in numpy f64 that builds masks and biases on its own.
"""

import argparse
import dataclasses
import math
import pathlib
import zlib

import numpy as np
import torch
import torch.nn.functional as F

import golden_io

TORCH_DTYPE = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
BOUND = {"f32": (1e-5, 5e-6), "bf16": (4e-3, 8e-3), "f16": (1e-3, 1e-3)}
ALL = "reference,torch_sdpa,xformers,unified"


@dataclasses.dataclass(frozen=True)
class Case:
    kind: str
    dtype: str
    head_size: int
    num_heads: int
    num_kv_heads: int
    context: tuple[int, ...]  # tokens in the cache, per sequence
    query: tuple[int, ...]  # new tokens
    tag: str = ""
    block_size: int = 8
    num_decodes: int = 0  # the last sequences decode
    encoder: tuple[int, ...] = ()  # encoder tokens per sequence (cross)
    attn_type: str = "DECODER"
    alibi: bool = False
    window: int | None = None
    bias: str = ""  # "heads", "shared"
    soft_cap: float | None = None
    sinks: bool = False
    q_factor: float = 1.0
    backends: str = ALL

    @property
    def name(self) -> str:
        parts = [self.kind, "decode" if self.num_decodes == len(self.query) else "prefill", f"d{self.head_size}"]
        parts += [f"h{self.num_heads}kv{self.num_kv_heads}", f"b{self.block_size}", self.dtype]
        return "_".join(parts + ([self.tag] if self.tag else []))

    @property
    def cached(self) -> bool:
        return self.attn_type in ("DECODER", "ENCODER_DECODER")

    @property
    def cross(self) -> bool:
        return self.attn_type == "ENCODER_DECODER"

    @property
    def seq_lens(self) -> list[int]:
        return [c + q for c, q in zip(self.context, self.query)]

    @property
    def kv_lens(self) -> list[int]:
        return list(self.encoder) if self.cross else self.seq_lens


def cases() -> list[Case]:
    out = []

    def prefill(kind, dtype, d, h, kv, query, tag="", context=None, **more):
        out.append(Case(kind, dtype, d, h, kv, tuple(context or [0] * len(query)), tuple(query), tag, **more))

    def decode(kind, dtype, d, h, kv, lens, tag="", **more):
        out.append(Case(kind, dtype, d, h, kv, tuple(n - 1 for n in lens), (1,) * len(lens), tag,
                        num_decodes=len(lens), **more))

    encoder = {"attn_type": "ENCODER"}
    prefill("encoder", "f32", 64, 2, 1, (9, 1, 18), **encoder)
    prefill("encoder", "bf16", 64, 4, 4, (12, 5), **encoder)
    prefill("encoder", "f16", 32, 4, 2, (5, 40), **encoder)
    prefill("encoder", "bf16", 32, 2, 1, (107,), "long", **encoder)
    prefill("encoder", "f32", 32, 4, 2, (19, 8), "bias", bias="heads", **encoder)
    prefill("encoder_only", "f32", 128, 2, 1, (13, 7), attn_type="ENCODER_ONLY")
    prefill("encoder_only", "bf16", 96, 3, 3, (5, 11), "sharp", attn_type="ENCODER_ONLY", q_factor=4.0)

    cross = {"attn_type": "ENCODER_DECODER"}
    prefill("cross", "f32", 32, 4, 2, (5, 1, 9), encoder=(20, 17, 3), block_size=16, **cross)
    prefill("cross", "bf16", 64, 4, 1, (7, 3), encoder=(16, 40), block_size=16, **cross)
    prefill("cross", "f16", 128, 2, 1, (3, 12), encoder=(21, 5), **cross)
    prefill("cross", "f32", 32, 4, 4, (40,), "more_queries", encoder=(7,), **cross)
    decode("cross", "f32", 32, 6, 3, (4, 19, 1), encoder=(18, 9, 5), block_size=16, **cross)
    decode("cross", "bf16", 32, 8, 2, (9, 3), encoder=(50, 16), block_size=16, **cross)
    decode("cross", "f16", 80, 2, 1, (6,), encoder=(47,), **cross)
    out.append(Case("cross", "f32", 32, 4, 2, (0, 0, 8, 20), (6, 11, 1, 1), "mixed", num_decodes=2,
                    encoder=(13, 32, 9, 24), **cross))

    prefill("prefix", "f32", 64, 2, 1, (7, 13, 1), context=(20, 1, 33))
    prefill("prefix", "bf16", 128, 4, 1, (6, 3), context=(16, 17), block_size=16)
    prefill("prefix", "f16", 32, 4, 2, (20, 5), context=(12, 40))
    prefill("prefix", "bf16", 32, 2, 2, (33, 20), "some_without", context=(31, 0), q_factor=4.0)
    prefill("prefix", "bf16", 80, 2, 1, (3,), "long_context", context=(190,), block_size=32)
    out.append(Case("prefix", "f32", 32, 4, 2, (18, 0, 24, 0), (6, 9, 1, 1), "mixed", num_decodes=2))
    out.append(Case("prefix", "bf16", 32, 6, 3, (5, 40, 15), (12, 1, 1), "mixed", num_decodes=2, block_size=16))
    no_sdpa = {"backends": "reference,xformers,unified"}
    prefill("prefix", "f32", 32, 4, 2, (12, 7), "alibi", context=(21, 4), alibi=True, **no_sdpa)
    prefill("prefix", "f32", 32, 2, 1, (12, 20), "window5", context=(21, 4), window=5, **no_sdpa)
    prefill("prefix", "bf16", 32, 4, 1, (30, 7), "alibi_window20", context=(6, 33), alibi=True, window=20, **no_sdpa)

    prefill("f16", "f16", 64, 4, 2, (17, 1))
    prefill("f16", "f16", 256, 2, 1, (7,), "sharp", q_factor=4.0, block_size=16)
    prefill("f16", "f16", 112, 2, 2, (9, 7))
    decode("f16", "f16", 64, 8, 2, (17, 33, 1), block_size=16)
    decode("f16", "f16", 128, 4, 1, (12, 3), "sharp", q_factor=4.0)
    decode("f16", "f16", 32, 4, 1, (530, 40), "v2", block_size=32)

    for h, dtype in ((4, "f32"), (8, "bf16"), (12, "f32"), (8, "f16")):
        prefill("alibi", dtype, 32, h, h // 4, (13, 1) if h > 4 else (17, 1, 8), alibi=True)
        decode("alibi", dtype, 32, h, h // 4, (21, 18, 5), alibi=True, block_size=16)
    decode("alibi", "f16", 32, 4, 1, (520,), "v2", alibi=True)
    decode("alibi", "f32", 32, 40, 4, (21,), "h40", alibi=True)
    prefill("alibi", "f32", 32, 4, 2, (29,), "window7", alibi=True, window=7)

    for w in (1, 3, 16, 256):
        prefill("window", "f32", 32, 2, 1, (29, 5), f"w{w}", window=w)
        decode("window", "f32", 32, 2, 1, (29, 17, 5), f"w{w}", window=w)
    prefill("window", "bf16", 32, 2, 1, (65, 20), "w16", window=16)
    decode("window", "f16", 80, 2, 1, (44, 20), "w43", window=43)

    plain = {"backends": "reference,torch_sdpa,unified"}
    prefill("bias", "f32", 32, 4, 2, (19, 8), "heads", bias="heads", **plain)
    prefill("bias", "f32", 32, 4, 1, (33, 1), "shared", bias="shared", **plain)
    prefill("bias", "bf16", 64, 2, 1, (11, 8), "heads", bias="heads", **plain)
    prefill("bias", "f32", 32, 4, 2, (9, 4), "prefix", context=(14, 30), bias="heads", backends="reference,unified")
    decode("bias", "f32", 32, 4, 2, (19, 40), "heads", bias="heads", backends="reference,unified")

    few = {"backends": "reference,unified"}
    for cap in (1.0, 20.0):
        prefill("softcap", "f32", 32, 4, 2, (17, 9), f"c{cap:g}", soft_cap=cap, q_factor=4.0, **few)
        decode("softcap", "f32", 32, 4, 2, (23, 18), f"c{cap:g}", soft_cap=cap, q_factor=4.0, **few)
    prefill("softcap", "bf16", 32, 4, 1, (12, 9), "prefix", context=(10, 23), soft_cap=5.0, q_factor=4.0, **few)
    prefill("softcap", "f32", 32, 4, 2, (25,), "alibi_window9", soft_cap=3.0, q_factor=4.0, alibi=True, window=9, **few)
    prefill("sinks", "f32", 32, 4, 2, (17, 1, 9), sinks=True, **few)
    decode("sinks", "f32", 32, 4, 2, (33, 18, 1), sinks=True, **few)
    prefill("sinks", "bf16", 64, 8, 1, (9, 5), "window4", sinks=True, window=4, context=(7, 0), **few)
    decode("sinks", "f16", 32, 4, 2, (40, 21), "softcap", sinks=True, soft_cap=10.0, q_factor=4.0, **few)
    return out


def standard_slopes(heads: int) -> np.ndarray:
    """Press et al. 2022: powers of two, then every other slope of twice as many heads."""
    power = 2 ** int(math.log2(heads))
    slopes = [2.0 ** (-8.0 * i / power) for i in range(1, power + 1)]
    slopes += [2.0 ** (-4.0 * i / power) for i in range(1, 2 * (heads - power), 2)]
    return np.array(slopes, np.float32)


def place(lens: list[int], block_size: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Tables [S, longest + 1] and num_blocks; unused entries name a block that nobody has."""
    need = [-(-n // block_size) for n in lens]
    num_blocks = sum(need) + 1
    for _ in range(1000):
        order, at = rng.permutation(num_blocks), 0
        tables = np.full((len(need), max(need) + 1), order[-1], np.int32)
        for s, n in enumerate(need):
            tables[s, :n] = order[at : at + n]
            at += n
        if all(np.all(np.diff(tables[s, :n]) != 1) for s, n in enumerate(need)) or num_blocks < 5:
            break
    return tables, num_blocks


def slots_of(table: np.ndarray, n: int, block_size: int) -> np.ndarray:
    position = np.arange(n)
    return table[position // block_size].astype(np.int64) * block_size + position % block_size


def build(c: Case) -> tuple[dict[str, torch.Tensor], list[tuple[torch.Tensor, torch.Tensor]]]:
    """Tensors of the file, and K and V [kv_len, Hkv, D] of every sequence in order of position."""
    rng = np.random.default_rng(zlib.crc32(c.name.encode()))
    dtype, kv, d = TORCH_DTYPE[c.dtype], c.num_kv_heads, c.head_size

    def normal(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).to(dtype)

    operands = [(normal(n, kv, d), normal(n, kv, d)) for n in c.kv_lens]
    rows, prefills = sum(c.query), len(c.query) - c.num_decodes
    t = {"query": (normal(rows, c.num_heads, d).float() * c.q_factor).to(dtype),
         "seq_lens": torch.tensor(c.seq_lens, dtype=torch.int32), "query_lens": torch.tensor(c.query, dtype=torch.int32),
         "slot_mapping": torch.full((rows,), -1, dtype=torch.int64)}
    if c.cross:
        new = operands[:prefills]
        t["encoder_seq_lens"] = torch.tensor(c.encoder, dtype=torch.int32)
    else:
        new = [(k[n:], v[n:]) for n, (k, v) in zip(c.context, operands)]
        if c.attn_type == "ENCODER":
            t["encoder_seq_lens"] = t["seq_lens"].clone()
    if new:
        t["key"], t["value"] = (torch.cat([pair[i] for pair in new]) for i in (0, 1))
    if c.cached:
        tables, num_blocks = place(c.kv_lens, c.block_size, rng)
        slots = [slots_of(table, n, c.block_size) for table, n in zip(tables, c.kv_lens)]
        cache = torch.full((2, num_blocks * c.block_size, kv, d), math.nan, dtype=dtype)
        if c.cross:
            for s in range(prefills, len(slots)):
                cache[0, slots[s]], cache[1, slots[s]] = operands[s]
            written = np.concatenate([np.zeros(0, np.int64), *slots[:prefills]])
            t["cross_slot_mapping"] = torch.from_numpy(written)
            t["cross_block_tables"] = torch.from_numpy(tables)
            # These entries name a block that no sequence uses.
            unused = np.full((len(slots), -(-max(c.seq_lens) // c.block_size) + 1), tables[0, -1], np.int32)
            t["block_tables"] = torch.from_numpy(unused)
        else:
            for n, where, (k, v) in zip(c.context, slots, operands):
                cache[0, where[:n]], cache[1, where[:n]] = k[:n], v[:n]
            t["slot_mapping"] = torch.from_numpy(np.concatenate([s[n:] for n, s in zip(c.context, slots)]))
            t["block_tables"] = torch.from_numpy(tables)
        paged = cache.view(2, num_blocks, c.block_size, kv, d)
        t["key_cache"], t["value_cache"] = paged[0].clone(), paged[1].clone()
    if c.alibi:
        t["alibi_slopes"] = torch.from_numpy(standard_slopes(c.num_heads))
    if c.sinks:
        t["sinks"] = torch.from_numpy(rng.standard_normal(c.num_heads).astype(np.float32))
    if c.bias:
        bias = normal(c.num_heads if c.bias == "heads" else 1, rows, max(c.kv_lens)).float()
        hole = torch.from_numpy(rng.random(bias.shape) < 0.1)
        hole[:, :, 0] = False  # key 0 is visible to every row: no row is fully masked
        t["attn_bias"] = bias.masked_fill(hole, -math.inf)
    return t, operands


def torch_bias(c: Case, t: dict[str, torch.Tensor], s: int, row: int) -> torch.Tensor:
    """What is added to the scores of sequence s, f64 [H, n, L]."""
    n, length = c.query[s], c.kv_lens[s]
    position = torch.arange(n)[:, None] + (length - n)  # causal from the bottom right
    distance = torch.arange(length)[None, :] - position  # key - query
    bias = torch.zeros(c.num_heads, n, length, dtype=torch.float64)
    if c.alibi:
        bias += t["alibi_slopes"].double()[:, None, None] * distance
    if c.bias:
        bias = bias + t["attn_bias"][:, row : row + n, :length].double()
    if c.attn_type == "DECODER":
        bias = bias.masked_fill((distance > 0)[None], -math.inf)
    if c.window is not None:
        bias = bias.masked_fill((distance <= -c.window)[None], -math.inf)
    return bias


def expected(c: Case, t: dict[str, torch.Tensor], operands: list, scale: float) -> dict[str, torch.Tensor]:
    outputs, exact, lses, row = [], [], [], 0
    group, own = c.num_heads // c.num_kv_heads, c.soft_cap is not None or c.sinks
    for s, (n, (k, v)) in enumerate(zip(c.query, operands)):
        q = t["query"][row : row + n].movedim(0, 1)  # [H, n, D]
        k, v = (x.repeat_interleave(group, dim=1).movedim(0, 1) for x in (k, v))  # [H, L, D]
        bias = torch_bias(c, t, s, row)
        scores = torch.einsum("hnd,hld->hnl", q.double(), k.double()) * scale
        if c.soft_cap is not None:
            scores = c.soft_cap * torch.tanh(scores / c.soft_cap)
        scores = scores + bias
        if c.sinks:
            scores = torch.cat([scores, t["sinks"].double()[:, None, None].expand(-1, n, 1)], dim=-1)
        lses.append(torch.logsumexp(scores, dim=-1).movedim(0, 1).float())
        if own:
            exact.append((torch.softmax(scores, dim=-1)[:, :, : k.shape[1]] @ v.double()).movedim(0, 1).float())
            row += n
            continue

        def sdpa(dtype: torch.dtype) -> torch.Tensor:
            mask = bias.to(dtype)
            # The mask gets the operands' type. A case whose bias would be rounded to 16 bits is an error.
            assert dtype == torch.float32 or torch.equal(mask.double(), bias), c.name
            free = bool((bias == 0).all())
            answer = F.scaled_dot_product_attention(q[None].to(dtype), k[None].to(dtype), v[None].to(dtype),
                                                    attn_mask=None if free else mask[None], scale=scale)
            return answer[0].movedim(0, 1).float()

        outputs.append(sdpa(q.dtype))
        exact.append(sdpa(torch.float64))
        row += n
    answer = {"expected.output": torch.cat(exact if own else outputs), "expected.lse": torch.cat(lses)}
    if c.dtype != "f32" and not own:
        answer["expected.output_f64"] = torch.cat(exact)
    return answer


def metadata_of(c: Case, scale: float) -> dict[str, str]:
    meta = {"backend": c.backends.split(",")[1], "expect_backends": c.backends, "attn_type": c.attn_type,
            "num_kv_heads": str(c.num_kv_heads), "scale": repr(scale), "block_size": str(c.block_size),
            "num_prefills": str(len(c.query) - c.num_decodes), "kv_cache_dtype": "auto", "name": c.name,
            "generator": "tests/golden/generate/attention_cases.py",
            "torch_version": torch.__version__.split("+")[0], "numpy_version": np.__version__}
    if c.window is not None:
        meta["sliding_window"] = str(c.window)
    if c.soft_cap is not None:
        meta["logits_soft_cap"] = repr(c.soft_cap)
    return meta


def check_file(path: pathlib.Path, dtype: str) -> dict[str, float]:
    """Computes the answers of the written file once more, from its tensors and metadata alone."""
    t, meta = golden_io.read(path)
    kind, scale, block = meta["attn_type"], float(meta["scale"]), int(meta["block_size"])
    heads, kv = t["query"].shape[1], int(meta["num_kv_heads"])
    window, cap = int(meta.get("sliding_window", 0)), float(meta.get("logits_soft_cap", 0))
    cross, prefills = kind == "ENCODER_DECODER", int(meta["num_prefills"])
    tables = t.get("cross_block_tables" if cross else "block_tables")
    if tables is not None:
        caches = [t[x].reshape(-1, *t[x].shape[2:]).copy() for x in ("key_cache", "value_cache")]
        where = t["cross_slot_mapping" if cross else "slot_mapping"]
        assert all(np.isnan(x[where]).all() for x in caches), path
        if "key" in t:
            caches[0][where], caches[1][where] = t["key"], t["value"]
    exact, lse, row, key_row = np.zeros(t["query"].shape), np.zeros(t["query"].shape[:2]), 0, 0
    for s, n in enumerate(t["query_lens"]):
        length = t["encoder_seq_lens" if cross else "seq_lens"][s]
        if tables is not None:
            rows = [tables[s][p // block] * block + p % block for p in range(length)]
            keys, values = (x[rows].astype(np.float64) for x in caches)
        else:
            keys, values = (t[x][key_row : key_row + length].astype(np.float64) for x in ("key", "value"))
            key_row += length
        assert np.isfinite(keys).all() and np.isfinite(values).all(), path
        for i in range(n):
            at = t["seq_lens"][s] - n + i
            if kind == "DECODER":
                seen = np.arange(max(0, at - window + 1) if window else 0, at + 1)
            else:
                seen = np.arange(length)
            for h in range(heads):
                x = keys[seen, h * kv // heads] @ t["query"][row, h].astype(np.float64) * scale
                x = cap * np.tanh(x / cap) if cap else x
                x = x - t["alibi_slopes"][h].astype(np.float64) * (at - seen) if "alibi_slopes" in t else x
                x = x + t["attn_bias"][h % len(t["attn_bias"]), row, seen].astype(np.float64) if "attn_bias" in t else x
                sink = float(t["sinks"][h]) if "sinks" in t else -math.inf
                top = max(x.max(), sink)
                w = np.exp(x - top)
                total = w.sum() + math.exp(sink - top)
                exact[row, h], lse[row, h] = w @ values[seen, h * kv // heads] / total, top + math.log(total)
            row += 1
    own = cap or "sinks" in t
    absolute, relative = BOUND["f32" if own else dtype]
    error = np.abs(t["expected.output"] - exact)
    allowed = absolute + relative * np.abs(exact)
    assert np.isfinite(exact).all() and (error <= allowed).all(), (path, error.max())
    worst = {dtype: error.max(), "of_bound": (error / allowed).max(), "lse": np.abs(t["expected.lse"] - lse).max()}
    if "expected.output_f64" in t:
        worst["f64"] = np.abs(t["expected.output_f64"] - exact).max()
        assert worst["f64"] < 1e-6, path
    assert worst["lse"] < 5e-6, (path, worst)
    return {k: float(v) for k, v in worst.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    out = parser.parse_args().out
    torch.set_num_threads(1)
    assert len({c.name for c in cases()}) == len(cases())
    worst: dict[str, float] = {}
    total = 0
    for c in cases():
        scale = 1.0 / math.sqrt(c.head_size)
        tensors, operands = build(c)
        tensors |= expected(c, tensors, operands, scale)
        path = out / f"{c.name}.safetensors"
        golden_io.save(path, tensors, metadata_of(c, scale))
        found = check_file(path, c.dtype)
        size = path.stat().st_size
        assert size < 150_000, (c.name, size)
        total += size
        print(f"{size:8d}  {c.name}  " + "  ".join(f"{k} {v:.1e}" for k, v in found.items()))
        worst = {k: max(worst.get(k, 0.0), found.get(k, 0.0)) for k in worst.keys() | found.keys()}
    print(f"{len(cases())} files, {total} bytes; largest error against numpy f64: {dict(sorted(worst.items()))}")


if __name__ == "__main__":
    main()
