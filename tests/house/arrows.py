#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of which room and sub-room includes which, and fails where an include is against the order.

The order of the rooms is icd, frontend, vectorizer. The scheduler and the built-ins include, of the vectorizer, only
the contract of generated code. Within a room, a sub-room includes only those that come before it in its list.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = {
    "icd": ["frontend", "vectorizer", "scheduler"],
    "frontend": ["vectorizer"],
    "vectorizer": [],
    "scheduler": ["vectorizer"],
    "builtins": ["vectorizer"],
}
CONTRACT_ONLY = ["scheduler", "builtins"]
SUB_ROOMS = {
    "icd": ["profiles", "settings", "api", "device", "context", "semaphores", "memory", "faults", "check", "report",
            "program", "commands", "command_buffer"],
    "frontend": ["cache", "clang_access", "clang_module", "program", "opencl_c", "spirv"],
    "vectorizer": ["pass_support", "analysis", "defined", "check", "lanes", "codegen", "control_flow", "kernel", "functions", "debug",
                   "optimize", "widen", "work_group", "pipeline"],
    "scheduler": ["threads", "printf", "memory", "core", "ndrange", "queue"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in {".cpp", ".h", ".def", ".cl"})


def main():
    wrong = []
    rooms = collections.Counter()
    subs = {room: collections.Counter() for room in SUB_ROOMS}
    for room, may in ROOMS.items():
        order = SUB_ROOMS.get(room, [])
        for path in sources(ROOT / room):
            parts = path.relative_to(ROOT / room).parts
            here = parts[1] if parts[0] == "src" and len(parts) > 2 else None
            for name in INCLUDE.findall(path.read_text()):
                there = name.split("/")[0]
                if there in ROOMS and there != room and (ROOT / there / "include" / name).is_file():
                    rooms[room, there] += 1
                    if there not in may or (room in CONTRACT_ONLY and not name.startswith("vectorizer/contract/")):
                        wrong.append(f"{path.relative_to(ROOT)} includes {name}")
                elif here and there in order and there != here and (ROOT / room / "src" / name).is_file():
                    subs[room][here, there] += 1
                    if here in order and order.index(there) > order.index(here):
                        wrong.append(f"{path.relative_to(ROOT)} includes {name}: {there} comes after {here}")
        for folder in {path.parent for path in sources(ROOT / room / "src")}:
            top = folder.relative_to(ROOT / room / "src").parts
            if order and top and top[0] not in order:
                wrong.append(f"{folder.relative_to(ROOT)} has no place in the order of {room}'s sub-rooms")
    for title, arrows in [("rooms", rooms)] + list(subs.items()):
        print(f"{title}:")
        for (here, there), count in sorted(arrows.items()):
            print(f"  {here} -> {there}: {count}")
    for line in wrong:
        print(line, file=sys.stderr)
    return bool(wrong)


sys.exit(main())
