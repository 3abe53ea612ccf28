#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how the time and the memory to compile a kernel grow with its size.

    growth.py --program lanecl-bench-compile --on NAME=ICD... [--json FILE] [--shape SHAPE]... [--seconds N]
    growth.py --table FILE        prints the figures of a file as Markdown
    growth.py --plot FILE OUTPUT  draws them, as PNG and SVG (Debian's python3-matplotlib)

Each kernel of shapes.py is built and launched once in a process of its own, without the platform's cache. NAME is what
the platform is called in the figures, ICD the folder of its .icd file. What takes longer than --seconds, or 10 GB, is
killed, and larger ones of the same shape are not tried.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

import shapes

SERIES = {
    "statements": (1000, 2000, 4000, 8000, 16000, 32000),
    "terms": (100, 300, 1000, 2000, 5000),
    "accesses": (100, 300, 1000, 2000, 4000),
    "dense": (10, 50, 200, 600, 2000, 5000),
    "sparse": (10, 50, 200, 600, 2000, 5000),
    "machine": (10, 50, 200, 600, 1000, 2000),
    "interpreter": (10, 50, 200, 600, 2000),
    "gotos": (10, 20, 50, 100, 200),
    "chain": (10, 30, 100, 300, 1000, 3000),
    "doubling": (4, 8, 10, 12, 14, 16),
    "called": (1, 5, 20, 50, 100, 200, 300),
    "barriers": (10, 30, 100, 200, 400, 1000, 2000),
    "table": (1000, 10000, 100000, 1000000),
}
MOST_BYTES = 10 << 30
COLORS = ["#3b6fb6", "#e08a1e", "#4f9d69", "#a45fb0"]


def limit(seconds):
    """Limits this process's memory and CPU time. Other load on the machine does not count."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def measure(program, source, icd, seconds):
    """Compiles once. Returns the CPU seconds, the megabytes and the kernel's result, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path, output = pathlib.Path(folder, "k.cl"), pathlib.Path(folder, "result")
        path.write_text(source)
        caches = {name: folder for name in ("LANECL_CACHE_DIR", "POCL_CACHE_DIR", "HOME", "TMPDIR")}
        environment = os.environ | caches | {"OCL_ICD_VENDORS": str(icd)}
        with output.open("w") as out:
            process = subprocess.Popen([program, path], env=environment, stdout=out, stderr=subprocess.DEVNULL,
                                       preexec_fn=lambda: limit(seconds))
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        row = {"seconds": round(usage.ru_utime + usage.ru_stime, 2), "mb": usage.ru_maxrss // 1024}
        if code != 0:
            row["failure"] = f"more than {seconds} s" if code in (-signal.SIGKILL, -signal.SIGXCPU) else f"exit code {code}"
        else:
            row["result"] = output.read_text().strip()
        return row


def contestants_of(options):
    return dict(one.split("=", 1) for one in options.on)


def run(options):
    figures = {"processor": processor(), "figures": []}
    for shape in options.shape or SERIES:
        failed = set()
        for n in SERIES[shape]:
            source = shapes.write(shape, n)
            row = {"shape": shape, "n": n, "bytes": len(source), "on": {}}
            for name, icd in contestants_of(options).items():
                if name in failed:
                    continue
                row["on"][name] = measure(options.program, source, icd, options.seconds)
                if "failure" in row["on"][name]:
                    failed.add(name)
            print(text_of(row), flush=True)
            figures["figures"].append(row)
            check_results(row)
            if options.json:
                options.json.write_text(json.dumps(figures, indent=1) + "\n")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def check_results(row):
    results = {figure["result"] for figure in row["on"].values() if "result" in figure}
    if len(results) > 1:
        raise SystemExit(f"the results of {row['shape']} {row['n']} differ: {row['on']}")


def cell(figure):
    if figure is None:
        return "–"
    if "failure" in figure:
        return f"{figure['failure']}, {figure['mb']} MB"
    return f"{figure['seconds']:.1f} / {figure['mb']}"


def text_of(row):
    return f"{row['shape']} {row['n']}: " + ", ".join(f"{name} {cell(f)}" for name, f in row["on"].items())


def names_of(figures):
    return list(dict.fromkeys(name for row in figures["figures"] for name in row["on"]))


def print_table(figures):
    names = names_of(figures)
    print(f"| Shape | Size | {' | '.join(names)} |")
    print("|---|--:|" + "--:|" * len(names))
    for row in figures["figures"]:
        print(f"| {row['shape']} | {row['n']} | " + " | ".join(cell(row["on"].get(name)) for name in names) + " |")


def draw(figures, output):
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "lanecl-bench", "font.family": "sans-serif", "font.size": 8})
    import matplotlib.pyplot as plt
    drawn = list(dict.fromkeys(row["shape"] for row in figures["figures"]))
    columns = 4
    figure, grid = plt.subplots(math.ceil(len(drawn) / columns), columns, figsize=(10, 2.2 * math.ceil(len(drawn) / 4)),
                                layout="constrained", squeeze=False)
    for axes in grid.flat[len(drawn):]:
        axes.axis("off")
    for shape, axes in zip(drawn, grid.flat):
        for place, name in enumerate(names_of(figures)):
            points = [(row["n"], row["on"][name]["seconds"]) for row in figures["figures"]
                      if row["shape"] == shape and "result" in row["on"].get(name, {})]
            axes.plot(*zip(*points), marker="o", markersize=3, color=COLORS[place], label=name)
        axes.set(xscale="log", yscale="log", title=shape)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    grid.flat[0].legend(frameon=False)
    figure.supxlabel("size of the kernel")
    figure.supylabel("CPU seconds to compile")
    for ending in (".png", ".svg"):
        path = output.with_name(output.name + ending)
        figure.savefig(path, dpi=130, metadata={"Date": None} if ending == ".svg" else None)
        print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, help="lanecl-bench-compile")
    parser.add_argument("--on", action="append", default=[], metavar="NAME=ICD", help="a platform; may be repeated")
    parser.add_argument("--shape", action="append", choices=SERIES, help="only this shape; may be repeated")
    parser.add_argument("--seconds", type=int, default=60, help="time limit of one compilation, in seconds")
    parser.add_argument("--json", type=pathlib.Path, help="where to write the figures")
    parser.add_argument("--table", type=pathlib.Path, metavar="FIGURES", help="print this file as Markdown")
    parser.add_argument("--plot", type=pathlib.Path, nargs=2, metavar=("FIGURES", "OUTPUT"), help="draw this file")
    options = parser.parse_args()
    if options.table:
        print_table(json.loads(options.table.read_text()))
    elif options.plot:
        draw(json.loads(options.plot[0].read_text()), options.plot[1])
    elif options.program and options.on:
        run(options)
    else:
        parser.error("nothing to do: give --program and --on, or --table, or --plot")


if __name__ == "__main__":
    main()
