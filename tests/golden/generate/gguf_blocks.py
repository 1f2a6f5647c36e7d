# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of the quantised types of GGUF, and what gguf-py makes of them.

    python gguf_blocks.py --out ../gguf          (needs gguf, safetensors)

tests/golden/README.md describes the tensors.
"""

import argparse
import pathlib

import gguf
import numpy as np
from gguf.quants import dequantize, quantize

import golden_io

SEED = 2718
TYPES = ["Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS"]
# Where the f16 numbers of a block are: byte offsets. All other bytes may be any.
SCALES = {"Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0]}
NUMBERS = 1024  # of each type
WRITTEN = ["Q8_0", "Q4_0", "BF16", "F16"]  # types that are written, too
ROWS, LENGTH = 24, 64


def blocks(rng: np.random.Generator, name: str) -> np.ndarray:
    size, size_bytes = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[name]]
    data = rng.integers(0, 256, (NUMBERS // size, size_bytes), dtype=np.uint8)
    # Scales of many sizes; the first two are -0 and a subnormal number.
    for place in SCALES[name]:
        scale = (rng.standard_normal(len(data)) * 10.0 ** rng.uniform(-7, 2, len(data))).astype("<f2")
        scale[: 2] = [np.float16(-0.0), np.float16(6e-8)]
        data[:, place : place + 2] = scale.view(np.uint8).reshape(-1, 2)
    return data


def numbers(rng: np.random.Generator) -> np.ndarray:
    """Rows for which rounding is hard: ties, zeros, equal greatest magnitudes of both signs, tiny and large ones."""
    values = (rng.standard_normal((ROWS, LENGTH)) * 10.0 ** rng.uniform(-4, 3, (ROWS, 1))).astype(np.float32)
    values[0] = 0
    values[1] = -0.0
    values[2] = np.arange(LENGTH) - 31.5
    values[3, :32] = np.linspace(-127, 127, 32)
    values[4] = np.where(np.arange(LENGTH) % 2 == 0, 3.0, -3.0)
    values[5] = np.where(np.arange(LENGTH) % 2 == 0, -3.0, 3.0)
    values[6] = np.round(values[6] * 4) / 4
    values[7] *= np.float32(1e-30)
    values[8] = (np.arange(LENGTH) - 32) / 8
    return values


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    rng = np.random.default_rng(SEED)
    arrays = {}
    for name in TYPES:
        data = blocks(rng, name)
        arrays[f"{name}.blocks"] = data
        arrays[f"{name}.values"] = dequantize(data, gguf.GGMLQuantizationType[name]).reshape(-1)
        if not np.isfinite(arrays[f"{name}.values"]).all():
            raise SystemExit(f"{name} has numbers that are not finite")
    arrays["numbers"] = numbers(rng)
    for name in WRITTEN:
        arrays[f"{name}.written"] = np.ascontiguousarray(
            quantize(arrays["numbers"], gguf.GGMLQuantizationType[name])).view(np.uint8).reshape(ROWS, -1)
    from importlib.metadata import version

    golden_io.save_arrays(parser.parse_args().out / "blocks.safetensors", arrays,
                          {"generator": "gguf_blocks.py", "gguf_version": version("gguf"),
                           "numpy_version": np.__version__})


if __name__ == "__main__":
    main()
