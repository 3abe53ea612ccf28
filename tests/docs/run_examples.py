#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of a document and compares what they print with what the document says.

usage: run_examples.py DOCUMENT.md --path FOLDER… [--needs gdb]

Three kinds of fenced code blocks are examples; all others are left alone:

  ```c file=NAME             is saved as NAME in an empty folder, in which everything below runs
  ```c run global=N local=N  is a kernel file with one kernel of one argument, `global TYPE *out`. run_kernel runs it;
                             the next block, ```text output, is what it prints
  ```console                 lines that begin with `$ ` are commands (a line that ends in `\\` goes on in the next one),
                             the lines below each are what it prints, stderr included

A console block with `needs=gdb`, or with `needs=MODULE` of Python, is left out where that is missing.

In what is expected, a line `...` stands for any number of lines, and `…` for any text within a line.
Exits with 77 when gdb is needed and may not trace here.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)(.*)$")


def blocks(document):
    """Each fenced block as (line number, language, rest of the opening line, text)."""
    lines = document.read_text().splitlines()
    i = 0
    while i < len(lines):
        opening = FENCE.match(lines[i])
        i += 1
        if not opening:
            continue
        begin = i
        while lines[i] != "```":
            i += 1
        yield begin, opening[1], opening[2].strip(), "\n".join(lines[begin:i]) + "\n"
        i += 1


def matches(expected, got):
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += re.escape(line.rstrip()).replace("…", ".*") + r"[ ]*\n"
    return re.fullmatch(pattern, got.rstrip("\n") + "\n") is not None


class Runner:
    def __init__(self, document, folder):
        self.document, self.folder = document, folder
        self.examples, self.failures = 0, 0

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
        return done.stdout.decode()

    def compare(self, line, what, expected, got):
        self.examples += 1
        if not matches(expected, got):
            self.failures += 1
            print(f"{self.document}:{line}: {what}\n--- expected\n{expected}--- printed\n{got}", file=sys.stderr)

    def console(self, line, text):
        """Splits a transcript into commands and what each is expected to print."""
        steps = []
        continues = False
        for number, row in enumerate(text.splitlines(), line + 1):
            if continues:
                steps[-1][1] += "\n" + row
            elif row.startswith("$ "):
                steps.append([number, row[2:], ""])
            elif steps:
                steps[-1][2] += row + "\n"
            continues = (continues or row.startswith("$ ")) and row.endswith("\\")
        for number, command, expected in steps:
            self.compare(number, command, expected, self.run(command))

    def document_blocks(self):
        kernel = None  # waits for the block that says what it prints
        for line, language, rest, text in blocks(self.document):
            words = dict(word.split("=", 1) for word in rest.split() if "=" in word)
            if kernel and rest != "output":
                self.compare(line, "a kernel that no output follows", "output\n", rest + "\n")
                kernel = None
            if language == "console":
                if "needs" not in words or is_there(words["needs"]):
                    self.console(line, text)
            elif "file" in words:
                (self.folder / words["file"]).write_text(text)
            elif rest.startswith("run "):
                kernel = text, words["global"], words["local"]
            elif rest == "output":
                (self.folder / "example.cl").write_text(kernel[0])
                got = self.run(f"lanecl run_kernel example.cl {kernel[1]} {kernel[2]}")
                self.compare(line, "the kernel above", text, got)
                kernel = None


def may_trace():
    try:
        done = subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "/bin/true"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        return False
    return b"exited normally" in done.stdout


def is_there(tool):
    return may_trace() if tool == "gdb" else importlib.util.find_spec(tool) is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--path", nargs="+", default=[])
    parser.add_argument("--needs", choices=["gdb"])
    arguments = parser.parse_args()
    if arguments.needs == "gdb" and not may_trace():
        print("skipped: there is no gdb, or it may not trace processes here")
        return 77
    for name in [name for name in os.environ if name.startswith("LANECL_")]:
        del os.environ[name]  # the examples set what they need
    os.environ["PATH"] = os.pathsep.join([os.path.abspath(p) for p in arguments.path] + [os.environ["PATH"]])
    with tempfile.TemporaryDirectory(prefix="lanecl-docs-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder + "/.cache"
        runner = Runner(arguments.document, pathlib.Path(folder))
        runner.document_blocks()
    print(f"{arguments.document.name}: {runner.examples} examples, {runner.failures} of them wrong")
    return runner.failures > 0 or runner.examples == 0


if __name__ == "__main__":
    sys.exit(main())
