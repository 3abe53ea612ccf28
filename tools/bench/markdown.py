#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the figures of a file that `lanecl-bench --json` has written as a table in Markdown.

    markdown.py FIGURES [--group GROUP]...
    markdown.py FIGURES --scaling

The first contestant's time, and that time divided by each other one's: below 1 the first one is faster. A group ends
with its geometric means. With --scaling, the first contestant's times against the size instead: of benchmarks named
scaling.SUBJECT.KIND.SIZE, a table for each subject, with a line for each size and a column for each kind.
Needs nothing beside Python.
"""
import argparse
import json
import math
import pathlib


def seconds_of(row, contestant):
    return row["results"].get(contestant, {}).get("seconds")


def time_text(seconds):
    rounded = float(f"{seconds:.3g}")
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if rounded >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-12:.3g} ps"


def ratio_of(row, ours, other):
    mine, theirs = seconds_of(row, ours), seconds_of(row, other)
    return mine / theirs if mine and theirs else None


def ratio_text(ratio):
    return "–" if ratio is None else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def geometric_mean(ratios):
    ratios = [ratio for ratio in ratios if ratio]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def table_of(rows, ours, others):
    """Yields the lines of the table."""
    yield f"| | {ours} | " + " | ".join(others) + " |"
    yield "|---|---|" + "---|" * len(others)
    for group in dict.fromkeys(row["group"] for row in rows):
        members = [row for row in rows if row["group"] == group and seconds_of(row, ours)]
        for row in members:
            ratios = [ratio_text(ratio_of(row, ours, other)) for other in others]
            yield f"| `{row['name']}` | {time_text(seconds_of(row, ours))} | " + " | ".join(ratios) + " |"
        means = [ratio_text(geometric_mean([ratio_of(row, ours, other) for row in members])) for other in others]
        yield f"| **{group}: mean** | | " + " | ".join(means) + " |"


def scaling_cell(row, ours):
    """Returns the time of an operation, and the time of an item if an operation has several."""
    seconds = seconds_of(row, ours) if row else None
    if not seconds:
        return "–"
    items = row.get("amount", 0) * 1e9 if row.get("unit") == "Gitem" else 0
    return time_text(seconds) + (f", {time_text(seconds / items)} an item" if items > 1 else "")


def scaling_tables(rows, ours):
    """Yields the lines of the tables."""
    cells = {tuple(row["name"].split(".")[1:]): row for row in rows if row["group"] == "scaling"}
    for subject in dict.fromkeys(key[0] for key in cells):
        kinds = list(dict.fromkeys(key[1] for key in cells if key[0] == subject))
        sizes = sorted({int(key[2]) for key in cells if key[0] == subject})
        yield f"| {subject} | " + " | ".join(kinds) + " |"
        yield "|---:|" + "---:|" * len(kinds)
        for size in sizes:
            times = [scaling_cell(cells.get((subject, kind, str(size))), ours) for kind in kinds]
            yield f"| {size:,} | " + " | ".join(times) + " |"
        yield ""


def parser_of(description):
    """Returns a parser of the arguments that say which figures are meant."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("figures", type=pathlib.Path, help="a file that lanecl-bench --json has written")
    parser.add_argument("--group", action="append", help="only this group of benchmarks; may be repeated")
    return parser


def read(parser):
    """Returns the arguments, the figures, the first contestant, the others, and the rows of the groups."""
    options = parser.parse_args()
    figures = json.loads(options.figures.read_text())
    ours, *others = [contestant["name"] for contestant in figures["contestants"]]
    rows = [row for row in figures["benchmarks"] if not options.group or row["group"] in options.group]
    return options, figures, ours, others, rows


def main():
    parser = parser_of("Prints lanecl-bench's figures as a table in Markdown.")
    parser.add_argument("--scaling", action="store_true", help="print times by size")
    options, _, ours, others, rows = read(parser)
    print("\n".join(scaling_tables(rows, ours) if options.scaling else table_of(rows, ours, others)))


if __name__ == "__main__":
    main()
