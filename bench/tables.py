#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benches behind docs/measurements.md and prints its tables.

    bench/tables.py [--build build/release] [--threads N] [--peer-python PYTHON] [--wrap COMMAND]
                    [--keep FOLDER] [--only GROUP,GROUP] [--print-only]

--wrap: a command put before every run, for example one that stops other work of the machine meanwhile.
--keep: the folder for the JSON of every group; --print-only makes the tables from the JSON in that folder.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Name of a group: the program, and a regular expression for the rows of the group. Each group is one run of its program.
GROUPS = {
    "prefill-1": ("attn", r"^prefill/(unified(-fast)?|peer_\w+)/(?!.*/H1/).*/T1$"),
    "prefill-n": ("attn", r"^prefill/(unified(-fast)?|peer_\w+)/.*/T([2-9]|\d\d+)$"),
    "backends-1": ("attn", r"^prefill/(torch_sdpa|xformers|pallas).*/T1$"),
    "backends-n": ("attn", r"^prefill/(torch_sdpa|xformers|pallas).*/T([2-9]|\d\d+)$"),
    "decode-1": ("attn", r"^decode/(unified(-fast)?|peer_\w+)/(f32|f16)/C(?!.*B4/H4).*/T1$"),
    "growth": ("attn", r"^(decode/unified/.*/B4/H4/|prefill/unified/f32/causal/S\d+/H1/)"),
    "decode-n": ("attn", r"^decode/(unified(-fast)?|peer_\w+)/(f32|f16)/C.*/T([2-9]|\d\d+)$"),
    "ragged": ("attn", r"^decode/(unified(-fast)?|peer_\w+)/f32/ragged"),
    "caches-1": ("attn", r"^decode/(unified(-fast)?|peer_\w+)/(bf16|fp8_\w+|int8)/(?!.*B4/H4).*/T1$"),
    "caches-n": ("attn", r"^decode/(unified(-fast)?|peer_\w+)/(bf16|fp8_\w+|int8)/.*/T([2-9]|\d\d+)$"),
    "paged": ("attn", r"^decode/(torch_sdpa|xformers|pallas)"),
    "other": ("attn", r"^(cache_write|copy_blocks|swap_blocks|linear|weights|looking)"),
    "engine": ("attn", r"^(engine|call)"),
    "views": ("attention-workbench", r"^view/(heatmap|timeline|blocks)"),
    "window": ("attention-workbench", r"^view/window"),
}

# The first pattern that matches a row (written without its thread count) gives its target for limit_ratio.
TARGETS = [
    (r"^prefill/unified/f32/.*/S(2048|8192)/.*/D128", 0.90),
    (r"^prefill/unified/f32/.*/S2048/.*/D64", 0.82),
    (r"^prefill/unified/f32/.*/S512/.*/D64", 0.75),
    (r"^prefill/unified/f32/.*ragged", 0.65),
    (r"^prefill/unified/bf16/.*/S2048/.*/D128", 0.70),
    (r"^decode/unified/(f32|bf16)/C(4096|8192|16384|32768)/", 0.90),
]


def command_of(options, program):
    command = [os.path.join(options.build, "bin", program)]
    if program != "attn":
        return command + ["bench-views"]
    command += ["bench", "--threads", str(options.threads)]
    return command + (["--peer-python", options.peer_python] if options.peer_python else [])


def run_groups(options, folder):
    names = {}
    for group, (program, rows) in GROUPS.items():
        if options.only and group not in options.only.split(","):
            continue
        command = command_of(options, program)
        if program not in names:
            names[program] = subprocess.run(command + ["--list"], stdout=subprocess.PIPE, check=True,
                                            text=True).stdout.split()
        wanted = [re.escape(name).replace("\\-", "-") for name in names[program] if re.search(rows, name)]
        if not wanted:
            print(f"{group}: no row", file=sys.stderr)
            continue
        command += ["--filter", "^(" + "|".join(wanted) + ")$", "--json", os.path.join(folder, group + ".json")]
        print("running", group, file=sys.stderr, flush=True)
        done = subprocess.run(shlex.split(options.wrap) + command, stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            print(f"{group} ended with {done.returncode}", file=sys.stderr)


def read_rows(folder):
    rows = {}
    for group in GROUPS:
        path = os.path.join(folder, group + ".json")
        if not os.path.exists(path):
            continue
        try:
            with open(path, encoding="utf-8") as file:
                for row in json.load(file)["benchmarks"]:
                    if "error_message" not in row and not row.get("skipped"):
                        rows[row["name"]] = row
        except ValueError:
            print(f"{path} is not complete", file=sys.stderr)
    return rows


def without_threads(name):
    return re.sub(r"/T\d+$", "", name)


class Rows:
    def __init__(self, rows, threads):
        self.rows = rows
        self.threads = [1] if threads == 1 else [1, threads]

        limits = {}
        for row in rows.values():
            if "limit" in row:
                limits.setdefault((row["label"], row["threads"]), []).append(row["limit"])
        self.usual = {kind: sorted(found)[len(found) // 2] for kind, found in limits.items()}

    def get(self, name, threads):
        return self.rows.get(f"{name}/T{threads}")

    def rate(self, name, threads):
        row = self.get(name, threads)
        if row is None:
            return ""
        achieved = row.get("achieved_gflops", row.get("achieved_gbps"))
        text = f"{achieved:.3g} of {row['limit']:.3g}: {row['limit_ratio']:.2f}"
        if row["limit"] < 0.85 * self.usual[row["label"], row["threads"]]:
            text += " (disturbed)"
        return text

    def names(self, pattern):
        seen = dict.fromkeys(without_threads(name) for name in self.rows if "peer_" not in name)
        return [name for name in seen if re.search(pattern, name)]


def print_table(title, head, lines):
    if not lines:
        return
    print(f"\n{title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")


def target_of(name):
    return next((f"{target:.2f}" for pattern, target in TARGETS if re.search(pattern, name)), "")


def print_rates(rows, title, pattern):
    lines = []
    for name in rows.names(pattern):
        line = [name, target_of(name)] + [rows.rate(name, t) for t in rows.threads]
        peers = [rows.get(name, t) for t in rows.threads]
        line.append(" ".join(f"{row['ratio_to_peer']:.2f}" for row in peers if row and "ratio_to_peer" in row))
        scaling = ""
        if len(peers) > 1 and all(peers):
            scaling = f"{peers[0]['real_time'] / peers[1]['real_time']:.2f}"
        lines.append(line + [scaling])
    head = ["row", "target"] + [f"T{t}" for t in rows.threads] + ["best peer's time over ours", "T1 over Tn"]
    print_table(title, head, lines)


# Time per unit of work, relative to that of the smallest size.
def print_growth(rows):
    lines = []
    for title, pattern, unit in [
            ("prefill, time over pairs", r"^prefill/unified/f32/causal/S\d+/H1/KV1/D128$", "ns_per_pair"),
            ("decode f32, time over context", r"^decode/unified/f32/C\d+/B4/H4/KV4", "ns_per_key"),
            ("decode bf16, time over context", r"^decode/unified/bf16/C\d+/B4/H4/KV4", "ns_per_key"),
            ("decode f32, time over batch", r"^decode/unified/f32/C4096/B\d+/H8/KV8/D128/BS16$", "ns_per_key")]:
        size = re.compile(r"/B(\d+)/" if "batch" in title else r"/[SC](\d+)/")
        found = {int(size.search(name).group(1)): rows.get(name, 1) for name in rows.names(pattern)}
        found = {length: row for length, row in sorted(found.items()) if row}
        if not found:
            continue
        first = next(iter(found.values()))[unit]
        lines.append([title, ", ".join(f"{length}: {row[unit] / first:.2f}" for length, row in found.items())])
    print_table("Growth of work, against the smallest; target 0.90 to 1.10.", ["what", "relative time"], lines)


def print_blocks(rows):
    lines = []
    for dtype in ("f32", "bf16"):
        for t in rows.threads:
            name = f"decode/unified/{dtype}/C4096/B8/H8/KV8/D128/BS"
            base = rows.get(name + "16", t)
            if not base:
                continue
            sizes = [(size, rows.get(f"{name}{size}", t)) for size in (8, 16, 32, 64, 128, 256)]
            lines.append([f"{dtype}, T{t}", ", ".join(
                f"{size}: {base['real_time'] / row['real_time']:.2f}" for size, row in sizes if row)])
    print_table("Speed by block size, against blocks of 16; target 0.95 to 1.05.", ["cache", "speed"], lines)
    lines = []
    for t in rows.threads:
        pairs = []
        for size in (8, 16, 256):
            name = f"decode/unified/f32/C4096/B8/H8/KV8/D128/BS{size}"
            mixed, plain = rows.get(name, t), rows.get(name + "/contiguous", t)
            if mixed and plain:
                pairs.append(f"{size}: {plain['real_time'] / mixed['real_time']:.2f}")
        if pairs:
            lines.append([f"T{t}", ", ".join(pairs)])
    print_table("Speed of shuffled against contiguous blocks, by block size; target 0.95.", ["threads", "speed"], lines)


def print_caches(rows):
    lines = []
    for shape in ("C4096/B8/H8/KV8/D128/BS16", "C4096/B8/H32/KV8/D128/BS16", "C8192/B8/H8/KV1/D128/BS16"):
        for t in rows.threads:
            base = rows.get("decode/unified/bf16/" + shape, t)
            if not base:
                continue
            line = [f"{shape}/T{t}", f"{base['tokens_per_s']:.0f}"]
            for cache in ("f32", "f16", "fp8_e4m3", "fp8_e5m2", "int8"):
                row = rows.get(f"decode/unified/{cache}/{shape}", t)
                line.append(f"{row['tokens_per_s'] / base['tokens_per_s']:.2f}" if row else "")
            lines.append(line)
    print_table("Tokens/s by type of the cache, against bf16; target for 8 bits 1.80.",
                ["shape", "bf16, tokens/s", "f32", "f16", "e4m3", "e5m2", "int8"], lines)


def print_looking(rows):
    lines = []
    for name, row in rows.rows.items():
        if name.startswith("looking/") or name.startswith("engine/generate"):
            lines.append([name, f"{100 * (row['ratio_to_off'] - 1):+.1f}% time against not looking"])
        elif name.startswith("call/"):
            lines.append([name, f"p50 {row['call_p50_us']:.1f} us, p90 {row['call_p90_us']:.1f} us; "
                                f"its work alone {row['work_p50_us']:.1f} us"])
        elif name.startswith("engine/"):
            lines.append([name, f"p50 {row['p50_ms']:.2f} ms, worst {row['worst_ms']:.2f} ms"])
        elif "frame_p99_ms" in row:
            more = f", {row['lost']:.0f} events lost" if "lost" in row else ""
            lines.append([name, f"p50 {row['frame_p50_ms']:.1f} ms, p99 {row['frame_p99_ms']:.1f} ms{more}"])
        elif "picture_ms" in row:
            lines.append([name, f"{row['picture_ms']:.0f} ms, {row['extra_mib']:.0f} MiB more"])
        elif "export_ms" in row:
            lines.append([name, f"{row['export_ms']:.0f} ms"])
        elif "ratio_to_closed" in row:
            lines.append([name, f"{100 * (row['ratio_to_closed'] - 1):+.1f}% time against no window, longest stall "
                                f"{row['stall_worst_ms']:.0f} ms, {row['lost']:.0f} events lost"])
        elif "cpu_percent" in row:
            lines.append([name, f"{row['cpu_percent']:.3f}% of a core"])
    print_table("Looking.", ["row", "result"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--peer-python", default="")
    parser.add_argument("--wrap", default="")
    parser.add_argument("--keep", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--print-only", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        if not options.print_only:
            run_groups(options, folder)
        rows = Rows(read_rows(folder), options.threads)
    print_rates(rows, "Prefill, GFLOP/s.", r"^prefill/unified/(?!f32/causal/S\d+/H1/)")
    print_rates(rows, "Prefill of the others, GFLOP/s.", r"^prefill/(torch_sdpa|xformers|pallas)")
    print_rates(rows, "Decode, GB/s.", r"^decode/unified/(?!.*(contiguous|BS8$|BS32|BS64|BS128|BS256|B4/H4))")
    print_rates(rows, "Decode of the others, GB/s.", r"^decode/(torch_sdpa|xformers|pallas)")
    print_caches(rows)
    print_blocks(rows)
    print_growth(rows)
    print_rates(rows, "Cache and linear layers, GB/s or GFLOP/s.",
                r"^(cache_write|copy_blocks|swap_blocks|linear|weights)")
    print_looking(rows)


if __name__ == "__main__":
    main()
