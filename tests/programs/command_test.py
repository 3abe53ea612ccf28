#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""command_test.py LANECL SPIRV_AS: what `lanecl compile` writes, and `lanecl report PROGRAM`."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LANECL, SPIRV_AS = sys.argv[1:3]
MODULE = pathlib.Path(__file__).resolve().parent.parent / "packages" / "add.spvasm"

KERNELS = """kernel void small(global int *p) {
  p[get_global_id(0)] += 1;
}
kernel void large(global int *p, int turns) {
  int sum = 0;
  for (int i = 0; i < turns; ++i)
    sum += p[p[(i + get_global_id(0)) & 63] & 63];
  p[get_global_id(0) & 63] = sum;
}
"""

# Takes a binary or the source, and launches kernels: NAME=TIMES.
HOST = """
import sys, numpy, pyopencl
path, *launches = sys.argv[1:]
context = pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]])
queue = pyopencl.CommandQueue(context)
if path.endswith(".cl"):
    program = pyopencl.Program(context, open(path).read()).build(["-DUNUSED=1"])
else:
    program = pyopencl.Program(context, context.devices, [open(path, "rb").read()]).build()
data = numpy.arange(64, dtype=numpy.int32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=data)
for launch in launches:
    name, times = launch.split("=")
    for _ in range(int(times)):
        kernel = getattr(program, name)
        kernel.set_arg(0, buffer)
        if name == "large":
            kernel.set_arg(1, numpy.int32(100000))
        pyopencl.enqueue_nd_range_kernel(queue, kernel, (64,), (16,))
pyopencl.enqueue_copy(queue, data, buffer)
print(list(data))
"""


class Command(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.source = self.folder / "k.cl"
        self.source.write_text(KERNELS)
        (self.folder / "host.py").write_text(HOST)
        self.host = [sys.executable, str(self.folder / "host.py")]

    def lanecl(self, *words):
        return subprocess.run([LANECL, *map(str, words)], check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder, timeout=120)

    def compile(self, *words):
        return self.lanecl("compile", *words)

    def test_a_binary(self):
        done = self.compile(self.source, "-o", "k.bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("kernel small: ", done.stdout)
        ran = self.lanecl(*self.host, "k.bin", "small=2")
        self.assertEqual(ran.stdout, f"{list(range(2, 66))}\n", ran.stderr)

    def test_a_binary_of_another_device(self):
        self.assertEqual(self.lanecl("--device", "dg2", "compile", self.source, "-o", "k.bin").returncode, 0)
        self.assertEqual(self.lanecl("--device", "dg2", *self.host, "k.bin", "small=1").returncode, 0)
        self.assertIn("INVALID_BINARY", self.lanecl(*self.host, "k.bin", "small=1").stderr)

    def test_a_binary_with_debug_information_has_its_text(self):
        for options, is_there in ([], False), (["--", "-g"], True):
            self.assertEqual(self.compile(self.source, "-o", "k.bin", *options).returncode, 0)
            self.assertEqual(KERNELS.encode() in (self.folder / "k.bin").read_bytes(), is_there)

    def test_no_binary_of_what_is_wrong(self):
        self.source.write_text("kernel void k(global int *p) { *p = nothing; }\n")
        done = self.compile(self.source, "-o", "k.bin")
        self.assertEqual((done.returncode, (self.folder / "k.bin").exists()), (1, False))
        self.source.write_text(KERNELS)
        done = self.compile(self.source, "-o", "no-such-folder/k.bin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write no-such-folder/k.bin: No such file or directory", done.stderr)

    def test_a_program_without_kernels(self):
        self.source.write_text("int one() { return 1; }\n")
        self.assertEqual(self.compile(self.source, "-o", "k.bin").returncode, 0)
        self.assertTrue((self.folder / "k.bin").exists())
        self.assertIn("has no kernel", self.compile(self.source).stderr)

    def test_spirv(self):
        subprocess.run([SPIRV_AS, "--target-env", "spv1.0", "-o", str(self.folder / "module"), str(MODULE)], check=True)
        done = self.compile("module", "--spirv", "-o", "k.bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("kernel add: ", done.stdout)
        self.assertTrue((self.folder / "k.bin").exists())
        self.assertNotEqual(self.compile("module").returncode, 0)

    def test_options_with_quotes(self):
        self.source.write_text("constant char text[] = TEXT; constant int size[sizeof text == SIZE ? 1 : -1] = {0};\n"
                               "kernel void k(global int *p) { *p = text[1] + size[0]; }\n")
        for text, size in (('"a b"', 4), ('"ab"', 3), (r'"\\\" "', 4), ("(\"it's\")", 5)):
            done = self.compile(self.source, "--", f"-DTEXT={text}", f"-DSIZE={size}")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_file_with_quotes_in_its_name(self):
        source = self.folder / 'a "b" c.cl'
        source.write_text("kernel void k(global int *p) { *p = wrong; }\n")
        self.assertIn(f"{source}:1:37: error", self.compile(source).stderr)

    def test_the_options_of_a_debugger(self):
        """What a debugger gets: words behind the program are the program's, whatever they are."""
        for name in ("gdb", "lldb"):
            path = self.folder / name
            path.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n')
            path.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}

        def words(*arguments):
            done = subprocess.run([LANECL, *arguments], env=environment, text=True, stdout=subprocess.PIPE, check=True)
            return re.fullmatch("(?:<-q><-iex><source [^>]*>|<-O><settings [^>]*>)(.*)", done.stdout).group(1)

        self.assertEqual(words("gdb", "./app", "64"), "<--args><./app><64>")
        self.assertEqual(words("gdb", "./app", "--", "x"), "<--args><./app><--><x>")
        self.assertEqual(words("gdb", "--check", "./app", "--", "x"), "<--args><./app><--><x>")
        self.assertEqual(words("gdb", "-batch", "-x", "file", "--", "./app", "--", "x"),
                         "<-batch><-x><file><--args><./app><--><x>")
        self.assertEqual(words("gdb", "--", "./app", "--"), "<--args><./app><-->")
        self.assertEqual(words("lldb", "--batch", "--", "./app", "--", "x"), "<--batch><--><./app><--><x>")

    def test_the_report_as_json(self):
        for options in ["--json"], ["--json", "--report"]:
            done = self.compile(self.source, *options)
            report = json.loads(done.stdout)
            self.assertEqual([kernel["kernel"] for kernel in report["kernels"]], ["small", "large"])
        text = self.compile(self.source, "--report").stdout
        for kernel in report["kernels"]:
            self.assertIn(f"kernel {kernel['kernel']}: {kernel['lanes']} lanes, {kernel['isa']} ({kernel['cpu']}), "
                          f"local "
                          f"size {kernel['local_size']}, {kernel['local_bytes']} bytes of local memory, "
                          f"{kernel['spill_bytes']} bytes spilled\n", text)
            for line in kernel["lines"]:
                self.assertRegex(text, re.escape(f"{line['file']}:{line['line']}:{line['column']}") + " +" + line["kind"] +
                                 " +" + re.escape(line["text"]))
        self.assertEqual({line["line"] for line in report["kernels"][1]["lines"] if line["kind"] == "gather"}, {7})
        self.assertNotEqual(self.compile(self.source, "--json", "--asm").returncode, 0)

    def test_what_costs_most_comes_first(self):
        self.source.write_text("""kernel void k(global int *p, int n) {
  int sum = p[get_global_id(0)];
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + p[i];

  for (int i = 0;
       i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (p[j] > sum)
        sum += p[sum & 63];
    }
  p[get_global_id(0)] = sum;
}
""")
        for cpu in "x86-64-v3", "x86-64-v4":
            report = json.loads(self.compile(self.source, "--json", "--cpu", cpu).stdout)
            loops = [line for line in report["kernels"][0]["lines"] if line["kind"] == "loop"]
            self.assertEqual([loop["line"] for loop in loops], [8, 3], cpu)
            self.assertGreater(loops[0]["cost"], loops[1]["cost"])
            self.assertEqual(report["kernels"][0]["lines"][:2], loops)

    def report(self, *words):
        done = self.lanecl("report", "--json", "report.json", *words)
        done.kernels = json.loads((self.folder / "report.json").read_text())["kernels"]
        return done

    def test_what_a_program_launched(self):
        done = self.report(*self.host, "k.cl", "small=3", "large=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        large, small = done.kernels  # the longest first
        self.assertEqual([(kernel["kernel"], kernel["launches"]) for kernel in (large, small)], [("large", 2), ("small", 3)])
        self.assertGreater(large["nanoseconds"], small["nanoseconds"])
        self.assertGreater(small["nanoseconds"], 0)
        self.assertIn("-DUNUSED=1", large["options"])
        self.assertRegex(done.stderr, r"kernel large: [^\n]*\n  launched 2 times, about [0-9.]+ ms of processor time; "
                                      r"options ")
        self.assertRegex(done.stderr, r"program.cl:7:\d+ +gather ")
        self.assertLess(done.stderr.index("kernel large: "), done.stderr.index("kernel small: "))
        # It was compiled for what the program did.
        self.assertIn(large["local_size"], ("16x1x1", "free"))

    def test_several_processes(self):
        done = self.report("sh", "-c", '"$@"; "$@"', "sh", *self.host, "k.cl", "small=3")
        self.assertEqual([(kernel["kernel"], kernel["launches"]) for kernel in done.kernels], [("small", 6)])

    def test_a_part_of_the_report(self):
        done = self.report("--kernel", "small", "--brief", *self.host, "k.cl", "small=1", "large=1")
        self.assertEqual([kernel["kernel"] for kernel in done.kernels], ["small"])
        self.assertNotIn("program.cl:", done.stderr)

    def test_the_status_is_the_program_s(self):
        for script, status in ("exit 3", 3), ("kill -KILL $$", 128 + 9):
            done = self.report("sh", "-c", script)
            self.assertEqual((done.returncode, done.kernels), (status, []))
            self.assertEqual(done.stderr, "LaneCL report: no kernel was launched on this device\n")
        self.assertEqual(self.lanecl("report").returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
