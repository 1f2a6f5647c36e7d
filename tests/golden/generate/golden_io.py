# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the golden generators: write safetensors with reproducible bytes, read them back without torch."""

import json
import pathlib
import struct

import numpy as np

_NUMPY_DTYPE = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "I32": "<i4", "I64": "<i8", "U8": "|u1"}


def _write(path: pathlib.Path, blob: bytes, metadata: dict[str, str]) -> None:
    """Put the header in a fixed order: the library keeps `__metadata__` in a hash map, so its own bytes differ from run
    to run."""
    (size,) = struct.unpack("<Q", blob[:8])
    header = json.loads(blob[8 : 8 + size])
    entries = {k: v for k, v in header.items() if k != "__metadata__"}
    entries = dict(sorted(entries.items(), key=lambda item: item[1]["data_offsets"]))
    ordered = {"__metadata__": dict(sorted(metadata.items())), **entries}
    text = json.dumps(ordered, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + blob[8 + size :])


def save(path: pathlib.Path, tensors: dict, metadata: dict[str, str]) -> None:
    """torch tensors, through the safetensors library."""
    import safetensors.torch  # here, so that generators without torch can use the rest
    import torch

    _write(path, safetensors.torch.save({k: v.contiguous() for k, v in tensors.items()}, metadata), metadata)
    reloaded = safetensors.torch.load_file(path)  # the library must accept what was written
    for name, tensor in tensors.items():
        if not torch.equal(reloaded[name].nan_to_num(7.0), tensor.nan_to_num(7.0)):
            raise SystemExit(f"{path.name}: {name} did not survive the round trip")


def save_arrays(path: pathlib.Path, arrays: dict[str, np.ndarray], metadata: dict[str, str]) -> None:
    """numpy arrays, bf16 as ml_dtypes has it, through the safetensors library."""
    import safetensors.numpy

    held = {k: np.ascontiguousarray(v) for k, v in arrays.items()}
    _write(path, safetensors.numpy.save(held, metadata), metadata)
    safetensors.deserialize(path.read_bytes())  # the library must accept what was written
    reloaded, _ = read(path)
    for name, array in arrays.items():
        if not np.array_equal(reloaded[name], array.astype(reloaded[name].dtype), equal_nan=array.dtype.kind not in "iu"):
            raise SystemExit(f"{path.name}: {name} did not survive the round trip")


def read(path: pathlib.Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Own reader, numpy only: bf16 comes back as the f32 with the same value."""
    blob = path.read_bytes()
    (size,) = struct.unpack("<Q", blob[:8])
    header = json.loads(blob[8 : 8 + size])
    metadata = header.pop("__metadata__", {})
    body = blob[8 + size :]
    out = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        raw = body[begin:end]
        if entry["dtype"] == "BF16":
            values = (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32)
        else:
            values = np.frombuffer(raw, _NUMPY_DTYPE[entry["dtype"]])
        out[name] = values.reshape(entry["shape"])
    return out, metadata
