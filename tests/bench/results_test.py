#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lanecl-bench makes of its figures: peers, the table, JSON, comparisons, exit statuses.

    results_test.py LANECL_BENCH KERNELS LIBRARY    KERNELS: the folder of its kernel files; LIBRARY: our driver
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH, KERNELS, LIBRARY = sys.argv[1:4]
PLOT = pathlib.Path(KERNELS).parent / "plot.py"
TABLE = pathlib.Path(KERNELS).parent / "markdown.py"


def run(*arguments):
    return subprocess.run([BENCH, *map(str, arguments)], check=False, capture_output=True, text=True)


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.figures = self.folder / "figures.json"

    def measure(self, *arguments):
        done = run("--quick", "--json", self.figures, *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout, json.loads(self.figures.read_text())

    def scale_times(self, factor):
        """Rewrites the file of figures as a machine that takes `factor` as long would have."""
        figures = json.loads(self.figures.read_text())
        for row in figures["benchmarks"]:
            for score in row["results"].values():
                score["seconds"] *= factor
        self.figures.write_text(json.dumps(figures))

    def test_json_has_the_machine_the_contestants_and_all_figures(self):
        _, figures = self.measure("transpose", "empty-launch")
        self.assertEqual(figures["format"], 1)
        self.assertEqual(set(figures["machine"]), {"processor", "cores", "isa"})
        self.assertGreater(figures["machine"]["cores"], 0)
        self.assertEqual([c["name"] for c in figures["contestants"]], ["LaneCL", "native"])
        self.assertEqual(figures["contestants"][0]["platform"], "LaneCL")
        transpose, launch = figures["benchmarks"]
        self.assertEqual((transpose["name"], transpose["unit"]), ("transpose", "GB"))
        for contestant in ("LaneCL", "native"):
            score = transpose["results"][contestant]
            self.assertEqual(score["samples"], 1)
            self.assertGreaterEqual(score["seconds"], score["fastest"])
            self.assertGreater(score["fastest"], 0)
        self.assertEqual((launch["group"], set(launch["results"])), ("launches", {"LaneCL"}))

    def test_several_peers_each_with_a_column_of_ratios(self):
        icd = self.folder / "peer.icd"
        icd.write_text(LIBRARY + "\n")
        text, figures = self.measure("transpose", "--vs", f"library={LIBRARY}", "--vs", f"icd={icd}", "--no-native")
        for ratio in ("LaneCL/library", "LaneCL/icd"):
            self.assertIn(ratio, text)
        self.assertIn("geometric mean", text)
        self.assertEqual(set(figures["benchmarks"][0]["results"]), {"LaneCL", "library", "icd"})

    def test_the_order_of_the_table_is_that_of_the_list_and_names_are_taken_once(self):
        _, figures = self.measure("spmv", "md5", "md5.scalar.64", "--no-native")
        self.assertEqual([row["name"] for row in figures["benchmarks"]],
                         ["md5.scalar.1", "md5.scalar.64", "md5.vector.1", "md5.vector.64", "spmv"])

    def test_slower_than_before_is_said_and_fails_on_request(self):
        self.measure("transpose", "spmv", "--no-native")
        self.scale_times(0.001)
        compare = ("--quick", "--no-native", "transpose", "spmv", "--compare", self.figures)
        done = run(*compare)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"transpose .* -> .* times slower")
        self.assertIn("2 of 2 benchmarks.", done.stdout)
        self.assertEqual(run(*compare, "--fail-when-slower").returncode, 1)
        self.assertEqual(run(*compare, "--fail-when-slower", "--tolerance", "1e6").returncode, 0)

    def test_faster_than_before_is_no_failure(self):
        self.measure("transpose", "--no-native")
        self.scale_times(1000)
        done = run("--quick", "--no-native", "transpose", "--compare", self.figures, "--fail-when-slower")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"transpose .* times faster")

    def test_a_comparison_with_another_machine_says_so(self):
        _, figures = self.measure("transpose", "--no-native")
        figures["machine"]["processor"] = "Abacus"
        self.figures.write_text(json.dumps(figures))
        done = run("--quick", "--no-native", "transpose", "--compare", self.figures)
        self.assertIn("another machine: Abacus", done.stdout)

    def test_a_wrong_result_fails(self):
        for file, right, wrong in [("saxpy.cl", "a * x[i] +", "a * x[i] -"),
                                   ("transpose.cl", "= tile[x][y]", "= tile[y][x]"),
                                   ("images.cl", "+ 0.5f", "+ 0.6f")]:
            text = (pathlib.Path(KERNELS) / file).read_text()
            self.assertIn(right, text)
            (self.folder / file).write_text(text.replace(right, wrong))
        for name in ("saxpy", "transpose", "image.scale"):
            done = run("--quick", "--no-native", name, "--kernels", self.folder, "--json", self.figures)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("LaneCL FAILED: ", done.stdout)
            score = json.loads(self.figures.read_text())["benchmarks"][0]["results"]["LaneCL"]
            self.assertEqual(set(score), {"failure"})

    def test_a_kernel_that_does_not_build_fails_with_the_compiler_s_message(self):
        (self.folder / "spmv.cl").write_text("kernel void spmv() { undeclared = 1; }")
        done = run("--quick", "spmv", "--kernels", self.folder, "--no-native")
        self.assertEqual(done.returncode, 1)
        self.assertIn("undeclared identifier", done.stdout)

    def test_what_cannot_be_run_is_refused(self):
        garbage = self.folder / "garbage.json"
        garbage.write_text("{]")
        for arguments, message in [
                (("no-such-benchmark",), "unknown benchmark"),
                (("spmv", "--vs", "No Such Platform"), "no platform with a device has a name that contains"),
                (("spmv", "--vs", "peer=/no/such/driver.so"), "cannot load a driver"),
                (("spmv", "--vs", f"peer={self.folder}/no.icd"), "cannot read the name of a library"),
                (("spmv", "--vs", f"native={LIBRARY}"), "cannot be the name of a contestant"),
                (("spmv", "--vs", f"one={LIBRARY}", "--vs", f"one={LIBRARY}"), "cannot be the name of a contestant"),
                (("spmv", "--compare", "/no/such/file"), "cannot read"),
                (("spmv", "--compare", garbage), "was not written by --json"),
                (("spmv", "--json", "/no/such/folder/file"), "cannot write")]:
            done = run("--quick", "--no-native", *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(message, done.stderr, arguments)

    def test_the_table_has_the_ratios_of_the_figures(self):
        self.measure("transpose", "spmv", "--vs", f"twin={LIBRARY}")
        figures = json.loads(self.figures.read_text())
        done = subprocess.run([sys.executable, TABLE, self.figures], check=True, capture_output=True, text=True)
        head, _, *lines = done.stdout.splitlines()
        self.assertEqual(head, "| | LaneCL | twin | native |")
        rows = {line.split(" | ")[0].strip("| `*"): line.strip("| ").split(" | ")[2:] for line in lines}
        for row in figures["benchmarks"]:
            seconds = {name: score["seconds"] for name, score in row["results"].items()}
            for name, text in zip(("twin", "native"), rows[row["name"]]):
                self.assertAlmostEqual(float(text), seconds["LaneCL"] / seconds[name], delta=0.006)
        self.assertIn("kernels: mean", rows)

    def test_times_against_sizes_have_a_table_for_each_subject(self):
        self.measure("scaling.flight", "scaling.local.each", "scaling.threads", "--no-native")
        figures = json.loads(self.figures.read_text())
        done = subprocess.run([sys.executable, TABLE, self.figures, "--scaling"], check=True, capture_output=True,
                              text=True)
        local, flight, threads, _ = [part.splitlines() for part in done.stdout.split("\n\n")]
        self.assertEqual(flight[0], "| flight | in-order | out-of-order |")
        self.assertEqual([line.split(" | ")[0] for line in flight[2:]], ["| 1", "| 10", "| 100", "| 1,000", "| 10,000"])
        self.assertEqual(threads[0], "| threads | arithmetic | memory |")
        self.assertEqual(len(local), 2 + 11)
        first = next(row for row in figures["benchmarks"] if row["name"] == "scaling.local.each.1")
        seconds = first["results"]["LaneCL"]["seconds"]
        self.assertRegex(local[2], r"\| 1 \| [0-9.e+]+ [mµ]s, [0-9.]+ [np]s an item \|")
        picoseconds = {"ns": 1e3, "ps": 1}
        value, unit = local[2].split(", ")[1].split(" ")[:2]
        self.assertAlmostEqual(float(value) * picoseconds[unit] / (seconds / 2**20 * 1e12), 1, delta=0.01)

    def test_a_device_of_fewer_threads_has_no_figures_for_more(self):
        self.measure("scaling.threads.memory", "--no-native")
        most = json.loads(self.figures.read_text())["benchmarks"][-1]["name"]
        if most.endswith(".1"):
            self.skipTest("there is one processor")
        done = subprocess.run([BENCH, "--quick", "--no-native", most, "--json", self.figures], check=True,
                              capture_output=True, text=True, env={**os.environ, "LANECL_THREADS": "1"})
        score = json.loads(self.figures.read_text())["benchmarks"][0]["results"]["LaneCL"]
        self.assertEqual(set(score), {"missing"}, done.stdout)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no matplotlib")
    def test_the_plot_has_the_benchmarks_and_the_other_contestants(self):
        self.measure("transpose", "spmv", "--vs", f"twin={LIBRARY}")
        picture = self.folder / "picture.v1"
        subprocess.run([sys.executable, PLOT, self.figures, picture], check=True, capture_output=True)
        self.assertTrue((self.folder / "picture.v1.png").read_bytes().startswith(b"\x89PNG"))
        svg = (self.folder / "picture.v1.svg").read_text()
        for text in ("transpose", "spmv", "mean: kernels", "twin", "native"):
            self.assertIn(f"<!-- {text} -->", svg)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no matplotlib")
    def test_nothing_is_plotted_where_nothing_is_compared(self):
        self.measure("transpose", "--no-native")
        done = subprocess.run([sys.executable, PLOT, self.figures, self.folder / "picture"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no benchmark has the times of two contestants", done.stderr)


unittest.main(argv=sys.argv[:1])
