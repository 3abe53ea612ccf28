#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if anything in the source tree has been created, changed or removed since ctest started: tests write only below
the build folder. CTest runs this test after all others.

    written_files.py SOURCES BUILD            since the parent process, ctest, started
    written_files.py SOURCES BUILD SECONDS    since this time, in seconds of the Unix epoch
"""
import os
import pathlib
import sys
import tempfile
import time

# Folders at the top of the source tree that others write to meanwhile: builds, git, and editors.
LEFT_OUT = {"build", ".git", ".cache", ".idea", ".vscode"}


def start_of(process):
    """Returns when a process started, in seconds of the Unix epoch."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    booted = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    return booted + int(fields[19]) / os.sysconf("SC_CLK_TCK")


def written(sources, build, since):
    """Returns files and folders of a source tree that have changed since then. A folder changes with its list of files."""
    found = []
    for place, folders, files in os.walk(sources):
        folders[:] = [name for name in folders if not os.path.samefile(os.path.join(place, name), build) and
                      not (place == str(sources) and name in LEFT_OUT)]
        for path in [place] + [os.path.join(place, name) for name in files]:
            if os.lstat(path).st_mtime > since:
                found.append(os.path.relpath(path, sources))
    return sorted(found)


def is_blind(build):
    """Returns whether changes of a small tree are not found, or others are."""
    with tempfile.TemporaryDirectory(dir=build) as name:
        tree = pathlib.Path(name)
        for path in ("old", "changed", "room/removed", "room/inner/old", "out/written", "build/written"):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).touch()
        for path in [tree, *tree.rglob("*")]:
            os.utime(path, (1000, 1000))
        (tree / "changed").write_text("twice", encoding="utf-8")
        (tree / "room/removed").unlink()
        for path in ("room/inner/__pycache__/new", "out/written", "build/written"):
            (tree / path).parent.mkdir(exist_ok=True)
            (tree / path).write_text("new", encoding="utf-8")
        expected = ["changed", "room", "room/inner", "room/inner/__pycache__", "room/inner/__pycache__/new"]
        return written(tree, tree / "out", 2000) != expected


def main(sources, build, since=None):
    if is_blind(build):
        print("changes of a tree that is made for this test are not found")
        return 1
    # Files that were written just before ctest started may have a time a little later than that of its process.
    found = written(pathlib.Path(sources), build, float(since) if since else start_of(os.getppid()) + 0.1)
    for path in found:
        print(f"{path}: changed while the tests ran, by a test or by somebody who edits the sources")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
