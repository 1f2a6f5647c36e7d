# SPDX-License-Identifier: GPL-3.0-or-later
"""fp8 tables by ml_dtypes: every code of float8_e4m3fn and float8_e5m2 decoded, and f32 values encoded.

    python fp8_tables.py --out ../fp8          (needs numpy, ml_dtypes, safetensors)

`decoded` [256] f32: the value of code 0..255, NaN where the code is NaN.
`input` [N] f32: every representable value and its two f32 neighbours; every midpoint between representable values (the
ties) and its two f32 neighbours; f32 and fp8 subnormals; around and far beyond the largest value, infinities and NaN; random
values spread evenly over the exponents, and random bit patterns.
`encoded` [N] u8: round to nearest even with saturation: ml_dtypes gives NaN (e4m3fn) or infinity (e5m2) for what is too
large; here that becomes the largest finite value of the same sign, as in a cache. `saturated` [N] u8 is 1 where that was done.
Codes of NaN: e5m2 has three per sign; a reader should ask for NaN only, not for a certain one.

Every row is checked by a second way in f64 that does not use ml_dtypes' rounding: values from the definition of the
format, and the nearest of them by distance, ties to the even code.
"""

import argparse
import pathlib

import ml_dtypes
import numpy as np

import golden_io

FORMATS = {  # dtype, mantissa bits, exponent bias, largest finite value
    "e4m3fn": (ml_dtypes.float8_e4m3fn, 3, 7, 448.0),
    "e5m2": (ml_dtypes.float8_e5m2, 2, 15, 57344.0),
}


def by_definition(mantissa: int, bias: int, has_infinity: bool) -> np.ndarray:
    """Values of the codes 0..127 in f64, from the definition."""
    code = np.arange(128)
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    normal = (1 + fraction / (1 << mantissa)) * 2.0 ** (exponent - bias)
    value = np.where(exponent == 0, fraction / (1 << mantissa) * 2.0 ** (1 - bias), normal)
    top = exponent == exponent.max()
    if has_infinity:
        return np.where(top, np.where(fraction == 0, np.inf, np.nan), value)
    return np.where(code == 127, np.nan, value)


def inputs(values: np.ndarray, largest: float, rng: np.random.Generator) -> np.ndarray:
    finite = values[np.isfinite(values)]
    step = finite[-1] - finite[-2]
    edges = np.append(finite, largest + step)  # the value that the format no longer has
    ties = (edges[:-1] + edges[1:]) / 2
    exact = np.concatenate([edges, ties]).astype(np.float32)
    assert (exact.astype(np.float64) == np.concatenate([edges, ties])).all()
    near = [exact, np.nextafter(exact, np.float32(np.inf)), np.nextafter(exact, np.float32(-np.inf))]
    low, high = np.log2(finite[1]) - 3, np.log2(largest) + 2
    spread = 2.0 ** rng.uniform(low, high, 1500)
    tiny = np.array([1, 2, 3, 0x7FFFFF, 0x800000, 0x800001], np.uint32).view(np.float32)  # f32 subnormals and smallest normals
    far = np.array([1e6, 1e20, np.finfo(np.float32).max, np.inf], np.float32)
    positive = np.concatenate([*near, spread.astype(np.float32), tiny, far])
    bits = rng.integers(0, 2**32, 1500, dtype=np.uint64).astype(np.uint32).view(np.float32)
    nans = np.array([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF], np.uint32).view(np.float32)
    return np.concatenate([positive, -positive, bits, nans])


def encode(x: np.ndarray, dtype: type, largest: float) -> tuple[np.ndarray, np.ndarray]:
    plain = x.astype(dtype)
    saturated = ~np.isfinite(plain.astype(np.float32)) & ~np.isnan(x)
    held = np.where(saturated, np.copysign(np.float32(largest), x), x)
    return held.astype(dtype).view(np.uint8), saturated.astype(np.uint8)


def check(name: str, t: dict[str, np.ndarray]) -> None:
    _, mantissa, bias, largest = FORMATS[name]
    values = by_definition(mantissa, bias, has_infinity=name == "e5m2")
    assert np.array_equal(t["decoded"], np.concatenate([values, -values]), equal_nan=True), name
    finite = values[np.isfinite(values)]
    assert finite[-1] == largest
    with np.errstate(invalid="ignore"):  # signalling NaN
        wide = t["input"].astype(np.float64)
    for x, code, flag in zip(wide, t["encoded"], t["saturated"]):
        if np.isnan(x):
            assert np.isnan(t["decoded"][code]) and not flag
            continue
        distance = np.abs(finite - min(abs(x), 2 * largest))
        nearest = np.flatnonzero(distance == distance.min())
        best = int(nearest[0]) if len(nearest) == 1 else int(nearest[nearest % 2 == 0][0])
        step = finite[-1] - finite[-2]
        # Half a step beyond the largest value is a tie with the value the format no longer has.
        beyond = abs(x) > largest + step / 2 or (abs(x) == largest + step / 2 and len(finite) % 2 == 0)
        assert code == (best | (0x80 if np.signbit(x) else 0)), (name, x, code, best)
        assert flag == beyond, (name, x, flag)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    out = parser.parse_args().out
    for name, (dtype, mantissa, bias, largest) in FORMATS.items():
        decoded = np.arange(256, dtype=np.uint8).view(dtype).astype(np.float32)
        values = by_definition(mantissa, bias, has_infinity=name == "e5m2")
        with np.errstate(all="ignore"):
            x = inputs(values, largest, np.random.default_rng(20250801 + mantissa))
            encoded, saturated = encode(x, dtype, largest)
        tables = {"decoded": decoded, "input": x, "encoded": encoded, "saturated": saturated}
        path = out / f"{name}.safetensors"
        golden_io.save_arrays(path, tables, {
            "name": name, "generator": "tests/golden/generate/fp8_tables.py",
            "ml_dtypes_version": ml_dtypes.__version__, "numpy_version": np.__version__})
        check(name, golden_io.read(path)[0])
        print(f"{path.stat().st_size:8d}  {name}: {len(x)} inputs, {int(saturated.sum())} saturated")


if __name__ == "__main__":
    main()
