# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the golden generators: write safetensors with reproducible bytes, read them back without torch."""

import json
import pathlib
import struct

import numpy as np
import safetensors.torch
import torch

_NUMPY_DTYPE = {"F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}


def save(path: pathlib.Path, tensors: dict[str, torch.Tensor], metadata: dict[str, str]) -> None:
    """Write through the safetensors library, then put the header in a fixed order.

    The library keeps `__metadata__` in a hash map, so its own bytes differ from run to run.
    """
    blob = safetensors.torch.save({k: v.contiguous() for k, v in tensors.items()}, metadata)
    (size,) = struct.unpack("<Q", blob[:8])
    header = json.loads(blob[8 : 8 + size])
    entries = {k: v for k, v in header.items() if k != "__metadata__"}
    entries = dict(sorted(entries.items(), key=lambda item: item[1]["data_offsets"]))
    ordered = {"__metadata__": dict(sorted(metadata.items())), **entries}
    text = json.dumps(ordered, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + blob[8 + size :])
    reloaded = safetensors.torch.load_file(path)  # the library must accept what was written
    for name, tensor in tensors.items():
        if not torch.equal(reloaded[name].nan_to_num(7.0), tensor.nan_to_num(7.0)):
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
