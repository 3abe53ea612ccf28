#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the ratios of a file that `lanecl-bench --json` has written, as PNG and SVG.

    plot.py FIGURES OUTPUT [--group GROUP]... [--vs NAME]...

A bar is the time of the first contestant divided by that of another one, on a logarithmic axis: bars to the left are
where the first one is faster. OUTPUT gets the endings .png and .svg. Needs Debian's python3-matplotlib.
"""
import pathlib

import matplotlib

from markdown import geometric_mean, parser_of, ratio_of, read

matplotlib.use("Agg")
# Avoids random identifiers, so that the same figures give the same file.
matplotlib.rcParams.update({"svg.hashsalt": "lanecl-bench", "font.family": "sans-serif", "font.size": 9})
import matplotlib.patches  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

COLORS = ["#3b6fb6", "#e08a1e", "#4f9d69", "#a45fb0", "#7a7a7a"]
INCHES_OF_BAR, INCHES_BETWEEN, INCHES_OF_MARGIN = 0.085, 0.08, 0.9
FONT_OF_VALUES = 6


def lines_of(rows, ours, others):
    """Returns pairs of a label and a ratio for each other contestant, from top to bottom: each group followed by its
    mean."""
    lines = []
    for group in dict.fromkeys(row["group"] for row in rows):
        members = [(row["name"], [ratio_of(row, ours, other) for other in others])
                   for row in rows if row["group"] == group]
        members = [member for member in members if any(member[1])]
        means = [geometric_mean(column) for column in zip(*(values for _, values in members))]
        if members:
            lines += [*members, (f"mean: {group}", means)]
    return lines


def text_of(ratio):
    return f"{ratio:.2f}" if 0.1 <= ratio < 10 else f"{ratio:.2g}"


def draw_line(axes, y, label, values, height):
    """Draws the bars of one benchmark around `y`, without gaps for contestants that have no time."""
    present = [(column, value) for column, value in enumerate(values) if value]
    for place, (column, value) in enumerate(present):
        bar_y = y + (place - (len(present) - 1) / 2) * height
        # Bars start at 1, so that their side tells who is faster.
        axes.barh(bar_y, value - 1, height * 0.9, left=1, color=COLORS[column % len(COLORS)],
                  edgecolor="black" if label.startswith("mean: ") else "none", linewidth=0.8)
        side = -1 if value < 1 else 1
        axes.annotate(text_of(value), (value, bar_y), ha="right" if side < 0 else "left", va="center_baseline",
                      xytext=(3 * side, 0), textcoords="offset points", fontsize=FONT_OF_VALUES, color="#444444")


def draw(axes, lines, others, ours):
    for line, (label, values) in enumerate(lines):
        if line % 2 == 0:
            axes.axhspan(line - 0.5, line + 0.5, color="#f4f4f4", linewidth=0, zorder=0)
        draw_line(axes, line, label, values, 0.84 / len(others))
    handles = [matplotlib.patches.Patch(color=COLORS[i % len(COLORS)], label=other) for i, other in enumerate(others)]
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(others), frameon=False,
                borderaxespad=0.1)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low / 1.4, high * 1.4)
    axes.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.axvline(1, color="black", linewidth=1)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(lines)), [label for label, _ in lines])
    for label in axes.get_yticklabels():
        if label.get_text().startswith("mean: "):
            label.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel(f"time of {ours} / time of the other  (left of 1: {ours} is faster)")


def main():
    parser = parser_of("Draws the ratios of lanecl-bench's figures.")
    parser.add_argument("output", type=pathlib.Path, help="the picture's path without .png and .svg")
    parser.add_argument("--vs", action="append", help="only this other contestant; may be repeated")
    options, figures, ours, others, rows = read(parser)
    others = options.vs or others
    lines = lines_of(rows, ours, others)
    if not lines:
        raise SystemExit("no benchmark has the times of two contestants")

    inches = INCHES_OF_MARGIN + len(lines) * (INCHES_BETWEEN + INCHES_OF_BAR * len(others))
    figure, axes = plt.subplots(figsize=(8, inches), layout="constrained")
    draw(axes, lines, others, ours)
    machine = figures["machine"]
    axes.set_title(f"{machine['processor']}, {machine['cores']} cores, {machine['isa']}", fontsize=9, loc="left")
    for ending in (".png", ".svg"):
        path = options.output.with_name(options.output.name + ending)
        figure.savefig(path, dpi=130, metadata={"Date": None} if ending == ".svg" else None)
        print(path)


if __name__ == "__main__":
    main()
