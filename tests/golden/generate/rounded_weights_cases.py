# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden cases for weights that are rounded to bf16: prompts of one block of keys, as torch computes them in bf16.

PyTorch's flash kernel for the CPU rounds weights, relative to the largest score of the row, to bf16 before it multiplies values. A kernel that does
the same gives the bits of most outputs; one with f32 weights gives fewer. Files as those of sdpa_cases.py.
    python rounded_weights_cases.py --out ../rounded_weights
"""

import argparse
import math
import pathlib

import torch

import golden_io
import sdpa_cases

# At most 256 tokens, so that torch and we take the maximum of the same keys.
CASES = [
    sdpa_cases.Case("prefill", "bf16", 32, 2, 1, 16, (200,), tag="rounded"),
    sdpa_cases.Case("prefill", "bf16", 64, 1, 1, 8, (97, 40), q_factor=4.0, tag="rounded"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors files")
    out = parser.parse_args().out
    torch.set_num_threads(1)
    for case in CASES:
        scale = 1.0 / math.sqrt(case.head_size)
        tensors = sdpa_cases.build_inputs(case)
        tensors |= sdpa_cases.expected(case, tensors, scale)
        metadata = sdpa_cases.metadata_of(case, scale) | {"generator": "tests/golden/generate/rounded_weights_cases.py"}
        path = out / f"{case.name}.safetensors"
        golden_io.save(path, tensors, metadata)
        print(f"{path.stat().st_size:8d}  {case.name}  {sdpa_cases.check_file(path)}")


if __name__ == "__main__":
    main()
