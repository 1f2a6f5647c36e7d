#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the kernels beside the limits of this machine and other libraries, and writes a page with bars.

    bench/report.py --page FILE.html [--build build/release] [--threads N] [--peer-python PYTHON]
                    [--wrap COMMAND] [--json FILE] [--print-only] [--min-time SECONDS] [--only REGEX]

The page is one file without scripts that loads nothing. A row measures its limit by turns with its runs, and the other
libraries are asked in the same run; what was not measured, and why, stands in the page.

--wrap: a command put before the run, for example one that stops other work of the machine meanwhile.
--json: the file for the rows; facts about the run go to FILE.about. --print-only makes the page from these two files.
--only: measures only the rows of the page whose names the expression fits.
"""
import argparse
import datetime
import html
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Title, regular expression of the rows (without their thread count), least part of the limit, least speed as a multiple
# of the best other library's. None: no target.
SECTIONS = [
    ("Prefill f32, S2048 and S8192, heads of 128", r"^prefill/unified/f32/causal/S(2048/H8/KV8|8192/H2/KV2)/D128$", 0.85, 1.3),
    ("Prefill f32, S2048, heads of 64", r"^prefill/unified/f32/causal/S2048/H8/KV8/D64$", 0.80, 1.3),
    ("Prefill f32, S512, heads of 64", r"^prefill/unified/f32/causal/S512/H8/KV8/D64$", 0.72, 1.3),
    ("Prefill f32, 32 prompts of 17 to 577 tokens", r"^prefill/unified/f32/causal/ragged", 0.65, 1.3),
    ("Prefill bf16, S2048, heads of 128, fast", r"^prefill/unified-fast/bf16/causal/S2048/H8/KV8/D128$", None, 1.0),
    ("Prefill bf16, S2048, heads of 128, invariant", r"^prefill/unified/bf16/causal/S2048/H8/KV8/D128$", None, 0.65),
    ("Decode f32 and bf16, one head per KV head", r"^decode/unified/(f32|bf16)/C4096/B[18]/H8/KV8/D128/BS16$", 0.90, 1.0),
    ("Decode f32, groups of 4 and 8 heads", r"^decode/unified/f32/(C4096/B8/H32/KV8|C8192/B8/H8/KV1)/D128/BS16$", 0.85, None),
    ("Decode bf16, groups of 4 and 8 heads", r"^decode/unified/bf16/(C4096/B8/H32/KV8|C8192/B8/H8/KV1)/D128/BS16$", 0.80, None),
    ("Decode of 8-bit caches", r"^decode/unified/(int8|fp8_\w+)/(C4096/B8/H(8|32)/KV8|C8192/B8/H8/KV1)/D128/BS16$", None, None),
    ("Decode of the backends modelled on vLLM's", r"^decode/(torch_sdpa-v2|xformers-v2|pallas)/(f32|bf16)/C4096/B8/H8/KV8/D128/BS16$",
     0.60, None),
    ("Writing, copying and swapping the cache", r"^(cache_write|copy_blocks|swap_blocks)/", 0.80, None),
]
NARROW_TARGET = 1.7
CALL_ROWS = r"^call/"
# The libraries that attention_peer.py knows, and what the page says of one that it does not know.
PEERS = ["torch", "onnxruntime"]
NOT_ASKED = ("ggml (llama.cpp) was not asked: its <code>test-backend-ops perf</code> has shapes of its own, compiled into "
             "it, so none of its rows is the same work as one here.")

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --muted: #59636e; --line: #d1d9e0; --ground: #ffffff; --ours: #0b6bcb;
  --peer: #8a8f98; --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --muted: #9198a1; --line: #3d444d; --ground: #0d1117;
  --ours: #4aa3ff; --peer: #6e7681; --good: #3fb950; --bad: #ff7b72; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--ground); max-width: 72rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
p, dd { color: var(--muted); margin: .2rem 0; } dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dd { margin: 0; } dt { font-weight: 600; }
.row { display: grid; grid-template-columns: minmax(16rem, 26rem) 1fr; gap: .2rem 1rem; padding: .35rem 0;
  border-top: 1px solid var(--line); }
.name { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.bar { margin: .1rem 0 .35rem; } .track { position: relative; display: block; height: .8rem; background: color-mix(in srgb, var(--line) 45%, transparent); }
.fill { position: absolute; left: 0; top: 0; bottom: 0; background: var(--ours); }
.peer .fill { background: var(--peer); }
.target { position: absolute; top: -.2rem; bottom: -.2rem; width: 2px; background: var(--text); }
.words { font-size: 13px; } .peer .words { color: var(--muted); }
.good { color: var(--good); } .bad { color: var(--bad); }
@media (max-width: 60rem) { .row { grid-template-columns: 1fr; } }
"""


def without_threads(name):
    return re.sub(r"/T\d+$", "", name)


def is_wanted(name):
    plain = without_threads(name)
    return re.search(CALL_ROWS, name) or any(re.search(pattern, plain) for _, pattern, _, _ in SECTIONS)


def peer_of(name, peer):
    """The row of a library for the same work: "prefill/unified/..." becomes "prefill/peer_torch/..."."""
    return re.sub(r"^(prefill|decode)/[^/]+/", rf"\1/peer_{peer}/", name.replace("/BS16", ""))


# `attn bench` takes a filter of up to 5000 characters.
LONGEST_FILTER = 4500


def filters(wanted, names):
    """Expressions for --filter, which together ask for the wanted rows. A row and the same work of other libraries are in
    one, because what is compared is measured in the same run."""
    part = []
    for name in wanted:
        works = [name] + [other for other in names if any(other == peer_of(name, peer) for peer in PEERS)]
        words = [re.escape(work).replace("\\-", "-") for work in works]
        if part and len("|".join(part + words)) > LONGEST_FILTER:
            yield "^(" + "|".join(dict.fromkeys(part)) + ")$"
            part = []
        part += words
    if part:
        yield "^(" + "|".join(dict.fromkeys(part)) + ")$"


def run(options, path):
    """Measures the rows of the page. Returns what the program said of other libraries."""
    command = [os.path.join(options.build, "bin", "attn"), "bench", "--threads", str(options.threads)]
    if options.peer_python:
        command += ["--peer-python", options.peer_python]
    names = subprocess.run(command + ["--list"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                           text=True).stdout.split()
    wanted = [name for name in names if is_wanted(name) and re.search(options.only, name)]
    if not wanted:
        sys.exit(f"--only {options.only}: no row of the page fits")
    print(f"measuring {len(wanted)} rows", file=sys.stderr, flush=True)
    rows, peers = [], {}
    for filter_of_part in filters(wanted, names):
        part = command + ["--filter", filter_of_part, "--json", path, "--min-time", str(options.min_time)]
        done = subprocess.run(shlex.split(options.wrap) + part, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              check=False, text=True)
        sys.stderr.write(done.stderr)
        if done.returncode != 0:
            sys.exit(f"attn bench ended with {done.returncode}")
        with open(path, encoding="utf-8") as file:
            rows += json.load(file)["benchmarks"]
        peers.update(re.findall(r"^peer (\w+): (\S+)$", done.stderr, re.MULTILINE))
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": rows}, file)
    return peers


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE).group(1)
    except (OSError, AttributeError):
        return "unknown"


def about_run(options, peers):
    return {"processor": processor(), "threads": f"1 and {options.threads}", "peers": peers, "asked": bool(options.peer_python),
            "date": datetime.datetime.now().astimezone().isoformat(timespec="minutes"),
            "command": shlex.join(["bench/report.py"] + sys.argv[1:])}


def verdict(value, target):
    if target is None:
        return ""
    kind, word = ("good", "reached") if value >= target else ("bad", "short of it")
    return f' <span class="{kind}">target {target:.2f}: {word}</span>'


def bar(share, words, target=None, kind=""):
    mark = f'<span class="target" style="left:{100 * target:.1f}%"></span>' if target else ""
    width = 100 * min(1, max(0, share))
    return (f'<div class="bar {kind}"><span class="track"><span class="fill" style="width:{width:.1f}%"></span>{mark}</span>'
            f'<span class="words">{words}</span></div>')


def rate_of(row):
    return (row["achieved_gflops"], "GFLOP/s") if "achieved_gflops" in row else (row["achieved_gbps"], "GB/s")


class Page:
    def __init__(self, rows, about):
        self.rows = rows
        self.about = about  # as about_run() gives it
        self.out = []

    def is_disturbed(self, row):
        """Whether the row and its limit did not have the machine for themselves: no row can be faster than its limit, and
        the limit of a kind is the same in all rows."""
        limits = sorted(other["limit"] for other in self.rows.values()
                        if "limit" in other and (other["label"], other["threads"]) == (row["label"], row["threads"]))
        return row["limit_ratio"] > 1.05 or row["limit"] < 0.85 * limits[len(limits) // 2]

    def peer_bars(self, name, limit):
        found = False
        for peer in PEERS:
            row = self.rows.get(peer_of(name, peer))
            if row is None:
                continue
            found = True
            if "error_message" in row:
                self.out.append(bar(0, f"{peer}: {html.escape(row['error_message'])}", kind="peer"))
                continue
            rate, unit = rate_of(row)
            self.out.append(bar(rate / limit, f"{peer}: {rate:.3g} {unit}", kind="peer"))
        return found

    def bf16_ratio(self, name):
        wide = self.rows.get(re.sub(r"^decode/unified/\w+/", "decode/unified/bf16/", name))
        row = self.rows[name]
        if not re.search(r"^decode/unified/(int8|fp8)", name) or not wide or "tokens_per_s" not in wide:
            return ""
        ratio = row["tokens_per_s"] / wide["tokens_per_s"]
        return f"; {ratio:.2f}x the tokens/s of bf16" + verdict(ratio, NARROW_TARGET)

    def row(self, name, limit_target, peer_target):
        row = self.rows[name]
        self.out.append(f'<div class="row"><div class="name">{html.escape(name)}</div><div>')
        if "error_message" in row or "limit" not in row:
            self.out.append(f"<p>{html.escape(row.get('error_message', 'not measured'))}</p></div></div>")
            return
        rate, unit = rate_of(row)
        words = f"{row['limit_ratio']:.2f} {html.escape(row['label'])}: {rate:.3g} of {row['limit']:.3g} {unit}"
        if self.is_disturbed(row):
            words += ' <span class="bad">disturbed by other work: measure again</span>'
            limit_target = peer_target = None
        words += verdict(row["limit_ratio"], limit_target)
        if "ratio_to_peer" in row:
            words += f"; {row['ratio_to_peer']:.2f}x the best other" + verdict(row["ratio_to_peer"], peer_target)
        elif peer_target is not None:
            words += f"; no other library was measured (target {peer_target:.2f}x)"
        self.out.append(bar(row["limit_ratio"], words + self.bf16_ratio(name), limit_target))
        self.peer_bars(name, row["limit"])
        self.out.append("</div></div>")

    def section(self, title, pattern, limit_target, peer_target):
        self.out.append(f"<h2>{html.escape(title)}</h2>")
        names = [name for name in self.rows if re.search(pattern, without_threads(name))]
        if not names:
            self.out.append("<p>Not measured in this run.</p>")
        for name in names:
            self.row(name, limit_target, peer_target)

    def calls(self):
        self.out.append("<h2>Calls of some microseconds</h2><p>What a call takes beside its work alone; target: 12 us for "
                        "10 us of work.</p>")
        rows = [row for name, row in self.rows.items() if re.search(CALL_ROWS, name) and "call_p50_us" in row]
        longest = max((row["call_p50_us"] for row in rows), default=1)
        for row in rows:
            self.out.append(f'<div class="row"><div class="name">{html.escape(row["name"])}</div><div>')
            self.out.append(bar(row["call_p50_us"] / longest,
                                f"{row['call_p50_us']:.1f} us; its work alone {row['work_p50_us']:.1f} us"))
            self.out.append("</div></div>")
        if not rows:
            self.out.append("<p>Not measured in this run.</p>")

    def facts(self):
        about = self.about
        facts = [(name, html.escape(str(about[name.lower()]))) for name in ("Processor", "Threads", "Date")]
        facts.append(("Command", "<code>" + html.escape(about["command"]) + "</code>"))
        why = "that Python does not have it" if about["asked"] else "no Python was named (--peer-python)"
        for peer in PEERS:
            facts.append((peer, html.escape(about["peers"].get(peer, f"missing: {why}"))))
        facts.append(("ggml", NOT_ASKED))
        return "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)

    def text(self):
        for section in SECTIONS:
            self.section(*section)
        self.calls()
        return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Attention Workbench: kernels</title>'
                f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>\n'
                f"<h1>Kernels beside the limits of this machine</h1>\n<dl>{self.facts()}</dl>\n"
                "<p>A bar is the part of the limit that a row reached; the limit was measured by turns with the row. Grey bars "
                "are other libraries on the same work, against the same limit. A black line is the target.</p>\n"
                + "\n".join(self.out) + "\n</body></html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", required=True)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--peer-python", default="")
    parser.add_argument("--min-time", type=float, default=0.2)
    parser.add_argument("--only", default="")
    parser.add_argument("--wrap", default="")
    parser.add_argument("--json", default="")
    parser.add_argument("--print-only", action="store_true")
    options = parser.parse_args()
    if options.print_only and not options.json:
        parser.error("--print-only needs --json FILE, the rows of an earlier run")
    with tempfile.TemporaryDirectory() as scratch:
        path = options.json or os.path.join(scratch, "rows.json")
        if not options.print_only:
            about = about_run(options, run(options, path))
            with open(path + ".about", "w", encoding="utf-8") as file:
                json.dump(about, file)
        with open(path, encoding="utf-8") as file:
            rows = {row["name"]: row for row in json.load(file)["benchmarks"]}
        with open(path + ".about", encoding="utf-8") as file:
            about = json.load(file)
    text = Page(rows, about).text()
    unfinished = options.page + ".part"
    with open(unfinished, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(unfinished, options.page)
    print("wrote", options.page)


if __name__ == "__main__":
    main()
