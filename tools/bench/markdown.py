#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the figures of a file that `lanecl-bench --json` has written as a table in Markdown.

    markdown.py FIGURES [--group GROUP]...

The first contestant's time, and that time divided by each other one's: below 1 the first one is faster. A group ends
with its geometric means. Needs nothing beside Python.
"""
import argparse
import json
import math
import pathlib


def seconds_of(row, contestant):
    return row["results"].get(contestant, {}).get("seconds")


def time_text(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def ratio_of(row, ours, other):
    mine, theirs = seconds_of(row, ours), seconds_of(row, other)
    return mine / theirs if mine and theirs else None


def ratio_text(ratio):
    return "–" if ratio is None else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def geometric_mean(ratios):
    ratios = [ratio for ratio in ratios if ratio]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def table_of(rows, ours, others):
    """The lines of the table."""
    yield f"| | {ours} | " + " | ".join(others) + " |"
    yield "|---|---|" + "---|" * len(others)
    for group in dict.fromkeys(row["group"] for row in rows):
        members = [row for row in rows if row["group"] == group and seconds_of(row, ours)]
        for row in members:
            ratios = [ratio_text(ratio_of(row, ours, other)) for other in others]
            yield f"| `{row['name']}` | {time_text(seconds_of(row, ours))} | " + " | ".join(ratios) + " |"
        means = [ratio_text(geometric_mean([ratio_of(row, ours, other) for row in members])) for other in others]
        yield f"| **{group}: mean** | | " + " | ".join(means) + " |"


def main():
    parser = argparse.ArgumentParser(description="Prints lanecl-bench's figures as a table in Markdown.")
    parser.add_argument("figures", type=pathlib.Path, help="a file that lanecl-bench --json has written")
    parser.add_argument("--group", action="append", help="only this group of benchmarks; may be repeated")
    options = parser.parse_args()
    figures = json.loads(options.figures.read_text())
    ours, *others = [contestant["name"] for contestant in figures["contestants"]]
    rows = [row for row in figures["benchmarks"] if not options.group or row["group"] in options.group]
    print("\n".join(table_of(rows, ours, others)))


if __name__ == "__main__":
    main()
