#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LANECL_PROFILE=perf writes a file from which `perf inject --jit` learns a kernel's name, code and lines.
LANECL_PROFILE=vtune tells VTune's collector the same."""
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

from gdb_session import environment, program
import model

LOAD, DEBUG_INFO = 0, 2
LAUNCH = model.Launch(16, (64,), (32,), 20)


def text_at(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


class JitDump:
    """A file in the format of linux/tools/perf/Documentation/jitdump-specification.txt."""

    def __init__(self, data):
        magic, _, header_size = struct.unpack_from("<III", data)
        assert magic == 0x4A695444
        self.code = {}   # name: address and size
        self.lines = {}  # address of the code: pairs of address and line
        at = header_size
        while at < len(data):
            kind, size, _ = struct.unpack_from("<IIQ", data, at)
            if kind == LOAD:
                _, _, _, address, code_size, _ = struct.unpack_from("<IIQQQQ", data, at + 16)
                name, _ = text_at(data, at + 56)
                self.code[name] = (address, code_size)
            elif kind == DEBUG_INFO:
                address, count = struct.unpack_from("<QQ", data, at + 16)
                entry, found = at + 32, []
                for _ in range(count):
                    place, line, _ = struct.unpack_from("<Qii", data, entry)
                    file, entry = text_at(data, entry + 16)
                    found.append((place, pathlib.Path(file).name, line))
                self.lines[address] = found
            at += size


class Perf(unittest.TestCase):
    def dump(self, options, **settings):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(program("branches", LAUNCH, options), check=True, stdout=subprocess.DEVNULL,
                           env=dict(environment(), LANECL_PROFILE="perf", JITDUMPDIR=folder, **settings))
            files = list(pathlib.Path(folder).rglob("jit-*.dump"))
            self.assertEqual(len(files), 1, os.listdir(folder))
            return JitDump(files[0].read_bytes())

    def test_optimized(self):
        dump = self.dump("")
        address, size = dump.code["branches.w16.row.x"]
        lines = {line for place, file, line in dump.lines[address]
                 if address <= place < address + size and file == "lanes.cl"}
        self.assertIn(model.line("int x = in"), lines)
        self.assertIn(model.line("out[id] = y"), lines)

    def test_debugged(self):
        dump = self.dump("-g")
        self.assertIn("branches.w16.32x1x1", dump.code)
        address, _ = next(place for name, place in dump.code.items() if name.startswith("branches.lanes"))
        self.assertIn(model.line("y = y * 7"), {line for _, _, line in dump.lines[address]})


    def test_functions_that_stay(self):
        for options in "", "-g":
            dump = self.dump(options, LANECL_KEEP_FUNCTIONS="1")
            address, _ = dump.code["square"]
            self.assertIn(model.line("return s + 1"), {line for _, _, line in dump.lines[address]})


class VTune(unittest.TestCase):
    def collected(self, options):
        with tempfile.NamedTemporaryFile("r") as file:
            subprocess.run(program("branches", LAUNCH, options), check=True, stdout=subprocess.DEVNULL,
                           env=dict(environment(), LANECL_PROFILE="vtune", COLLECTED=file.name,
                                    INTEL_JIT_PROFILER64=os.environ["COLLECTOR"]))
            return [line.split() for line in file.read().splitlines()]

    def check(self, options, name, expected):
        events = self.collected(options)
        loaded = {words[2]: words[1:] for words in events if words[0] == "load"}
        number, _, _, size, source, module = loaded[next(known for known in loaded if known.startswith(name))]
        self.assertEqual((source, module), (str(model.SOURCE), "LaneCL"))
        lines = [(int(end), int(line)) for kind, of, end, line in filter(lambda words: len(words) == 4, events)
                 if kind == "line" and of == number]
        ends = [end for end, _ in lines]
        self.assertEqual(ends, sorted(set(ends)))
        self.assertEqual(ends[-1], int(size))
        self.assertLessEqual({model.line(text) for text in expected}, {line for _, line in lines})
        self.assertEqual({words[1] for words in events if words[0] == "unload"},
                         {words[1] for words in events if words[0] == "load"})

    def test_optimized(self):
        self.check("", "branches.w16.row.x", ["int x = in", "out[id] = y"])

    def test_debugged(self):
        self.check("-g", "branches.lanes", ["y = y * 7", "out[id] = y"])

    def test_not_started_by_vtune(self):
        done = subprocess.run(program("branches", LAUNCH, ""), check=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, env=dict(environment(), LANECL_PROFILE="vtune"))
        self.assertIn("LANECL_PROFILE=vtune is ignored: VTune did not start this program", done.stderr)


if __name__ == "__main__":
    unittest.main()
