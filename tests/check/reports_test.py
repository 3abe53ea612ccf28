#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reports_test.py LANECL CHECK_HOST: the formats of the report, and the files and lines in which findings are
placed."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import structure

LANECL, HOST = sys.argv[1:3]

KERNEL = """int put(global int *p, int i) {
  p[i + 4] = i; /* ü */ p[i + 3] = 1;
  return 1;
}
kernel void k(global int *p) {
  int i = get_global_id(0);
#ifdef WARNING
  p[i] = intel_sub_group_shuffle(i, 40);
#elif !defined(CORRECT)
  put(p, i);
#endif
}
"""
FORMS = {"json": "--json", "sarif": "--sarif", "junit": "--junit", "quality": "--code-quality"}


def column(result):
    return result["locations"][0]["physicalLocation"]["region"]["startColumn"]


class Done:
    """A run with its reports."""

    def __init__(self, folder, program, options=()):
        paths = {form: folder / ("report." + form) for form in FORMS}
        words = [LANECL, "check"] + list(options)
        for form, option in FORMS.items():
            words += [option, str(paths[form])]
        words += [str(word) for word in program]
        self.done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                   timeout=120)
        self.json = json.loads(paths["json"].read_text())
        self.sarif = json.loads(paths["sarif"].read_text())
        self.results = self.sarif["runs"][0]["results"]
        self.junit = xml.etree.ElementTree.parse(paths["junit"]).getroot()
        self.quality = json.loads(paths["quality"].read_text())
        self.lines = self.done.stdout.splitlines()

    def problems(self):
        return (structure.sarif_problems(self.sarif) + structure.junit_problems(self.junit) +
                structure.problems(self.quality, structure.CODE_QUALITY))

    def places(self):
        """Returns the places of the findings, which must be the same in all reports that have places."""
        of_json = {(finding["file"], finding["line"]) for finding in self.json["findings"]}
        physical = [result["locations"][0]["physicalLocation"] for result in self.results]
        of_sarif = {(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in physical}
        of_quality = {(issue["location"]["path"], issue["location"]["lines"]["begin"]) for issue in self.quality}
        of_junit = {(case.get("file"), int(case.get("line"))) for case in self.junit.iter("testcase") if case.get("file")}
        assert of_json == of_sarif == of_quality == of_junit, (of_json, of_sarif, of_quality, of_junit)
        return of_json


class Bench(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.sources = self.folder / "sources"
        self.sources.mkdir()

    def program(self, options="", text=KERNEL):
        source = self.folder / "read.cl"
        source.write_text(text)
        return [HOST, source, "buffer", "64", "32", "-cl-std=CL3.0 " + options]

    def run_checked(self, program, options=()):
        done = Done(self.folder, program, options)
        self.assertEqual(done.problems(), [])
        return done


class Reports(Bench):
    def test_findings(self):
        done = self.run_checked(self.program())
        self.assertEqual(done.done.returncode, 86)
        self.assertEqual(len(done.results), 2)
        self.assertEqual(done.places(), {("program.cl", 2)})
        first, second = sorted(done.results, key=column)
        place = first["locations"][0]
        self.assertEqual((first["ruleId"], first["level"]), ("out-of-bounds", "error"))
        self.assertEqual(place["physicalLocation"]["region"]["snippet"]["text"], KERNEL.splitlines()[1])
        # Columns count characters. The letter ü is one character, but two for the compiler.
        line = KERNEL.splitlines()[1]
        self.assertEqual([column(first), column(second)], [line.index("=") + 1, line.rindex("=") + 1])
        self.assertEqual(place["logicalLocations"], [{"name": "k", "kind": "function"}])
        related = first["relatedLocations"][0]
        self.assertEqual(related["message"]["text"], "called from k")
        self.assertEqual(related["physicalLocation"]["region"]["startLine"], 10)
        self.assertNotEqual(first["partialFingerprints"], second["partialFingerprints"])
        self.assertEqual(first["properties"]["lanes"], "28-31")
        self.assertEqual(done.json["findings"][0]["calls"], [{"function": "k", "file": "program.cl", "line": 10}])
        self.assertEqual(done.sarif["runs"][0]["invocations"][0]["exitCode"], 0)
        names = [case.get("classname") for case in done.junit.iter("testcase")]
        groups = ["sub-groups", "work-groups", "races", "initialization", "api", "program"]
        self.assertEqual(names, ["lanecl-check.out-of-bounds"] * 2 + ["lanecl-check." + group for group in groups])
        for rule in done.sarif["runs"][0]["tool"]["driver"]["rules"]:
            self.assertGreater(len(rule["help"]["text"]), 100)

    def test_of_a_long_line_a_part_is_shown(self):
        comment = "/* %s */ " % ("ü" * 200)
        for before, behind in ((comment, ""), ("", comment), (comment, comment)):
            with self.subTest(before=len(before), behind=len(behind)):
                line = "%s p[i + 4] = i; %s" % (before, behind)
                run = self.run_checked(self.program(
                    text="kernel void k(global int *p) { int i = get_global_id(0);\n%s\n}" % line))
                lines = run.done.stderr.splitlines()
                at = next(number for number, text in enumerate(lines) if "p[i + 4] = i;" in text)
                self.assertLess(len(lines[at]), 180)
                self.assertEqual((lines[at].startswith("    ..."), lines[at].endswith("...")),
                                 (before != "", behind != ""))
                self.assertEqual(lines[at][lines[at + 1].index("^")], "=")
                self.assertEqual(run.json["findings"][0]["source"], line)

    def test_a_warning_fails_nothing(self):
        done = self.run_checked(self.program("-DWARNING"))
        self.assertEqual(done.done.returncode, 0)
        self.assertEqual([result["level"] for result in done.results], ["warning"])
        self.assertEqual(done.junit.get("failures"), "0")
        self.assertEqual(len(done.junit.findall(".//system-out")), 1)

    def test_nothing_found(self):
        done = self.run_checked(self.program("-DCORRECT"))
        self.assertEqual((done.done.returncode, done.results, done.quality), (0, [], []))
        self.assertEqual([case.get("classname") for case in done.junit.iter("testcase")],
                         ["lanecl-check.memory", "lanecl-check.sub-groups", "lanecl-check.work-groups",
                          "lanecl-check.races", "lanecl-check.initialization", "lanecl-check.api", "lanecl-check.program"])

    def test_the_fingerprint_stays_when_lines_move(self):
        before = self.run_checked(self.program()).results
        after = self.run_checked(self.program(text="// a\n// b\n" + KERNEL)).results
        prints = [sorted(result["partialFingerprints"]["laneclFinding/v1"] for result in results)
                  for results in (before, after)]
        self.assertEqual(prints[0], prints[1])

    def test_a_killed_program(self):
        program = ["sh", "-c", '"$@"; kill -9 $$', "sh"] + self.program()
        done = self.run_checked(program)
        self.assertEqual(done.done.returncode, 137)
        self.assertEqual(len(done.results), 2)
        self.assertEqual(done.json["launches"], 1)
        invocation = done.sarif["runs"][0]["invocations"][0]
        self.assertEqual((invocation["executionSuccessful"], invocation["exitSignalNumber"]), (False, 9))
        self.assertEqual(done.junit.find(".//error").get("message"), "killed by signal 9")

    def test_the_command_itself_is_ended(self):
        report = self.folder / "report"
        program = ["sh", "-c", '"$@"; exec sleep 60', "sh"] + self.program()
        running = subprocess.Popen([LANECL, "check", "--sarif", str(report)] + [str(word) for word in program],
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(2):
            while "[out-of-bounds]" not in running.stderr.readline():
                pass
        time.sleep(0.5)
        running.send_signal(signal.SIGTERM)
        self.assertIn("2 errors", running.communicate(timeout=60)[1])
        self.assertEqual(running.returncode, 128 + signal.SIGTERM)
        self.assertEqual(len(json.loads(report.read_text())["runs"][0]["results"]), 2)

    def test_the_command_is_ended_after_the_program(self):
        """Once the program has ended, a signal is for the command: here it waits for its stderr to be read."""
        running = subprocess.Popen([LANECL, "check", "sh", "-c", "head -c 65536 /dev/zero >&2"], stderr=subprocess.PIPE)
        self.addCleanup(running.stderr.close)
        children = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children")
        for is_running in (True, False):
            end = time.monotonic() + 30
            while bool(children.read_text()) != is_running and time.monotonic() < end:
                time.sleep(0.001)
        time.sleep(0.3)
        self.assertIsNone(running.poll())
        running.send_signal(signal.SIGTERM)
        try:
            self.assertEqual(running.wait(timeout=10), -signal.SIGTERM)
        finally:
            running.kill()

    def test_arguments_that_are_no_text(self):
        done = self.run_checked(["sh", "-c", "exit 0", "\udcff\udcfe<café>"])
        self.assertIn("sh -c exit 0 \ufffd\ufffd<café>", [case.get("name") for case in done.junit.iter("testcase")])

    def test_what_processes_have_in_common(self):
        program = ["sh", "-c", '"$@"; "$@"', "sh"] + self.program()
        done = self.run_checked(program)
        self.assertEqual(len(done.results), 2)
        self.assertEqual(done.done.stderr.count("[out-of-bounds]"), 2)
        self.assertEqual([(finding["processes"], finding["sub_groups"]) for finding in done.json["findings"]], [(2, 2)] * 2)
        self.assertEqual((done.json["processes"], done.json["launches"]), (2, 2))

    def test_files_that_cannot_be_written(self):
        for option in FORMS.values():
            done = subprocess.run([LANECL, "check", option, "/no-such-folder/x", "echo", "begun"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("cannot write the report /no-such-folder/x", done.stderr)

    def test_annotations(self):
        forms = {"github": r"::error file=program\.cl,line=2,col=12,title=LaneCL check%3A out-of-bounds::"
                           r"out-of-bounds write of 4 bytes: .*",
                 "azure": r"##vso\[task\.logissue type=error;sourcepath=program\.cl;linenumber=2;columnnumber=12;"
                          r"code=out-of-bounds\]out-of-bounds write of 4 bytes: .*",
                 "gcc": r"program\.cl:2:12: error: out-of-bounds write of 4 bytes: .*\[out-of-bounds\]"}
        for form, pattern in forms.items():
            lines = self.run_checked(self.program(), ["--annotations", form]).lines
            self.assertEqual(len(lines), 2)
            self.assertTrue(any(re.fullmatch(pattern, line) for line in lines), lines)
        lines = self.run_checked(self.program("-DWARNING"), ["--annotations", "github"]).lines
        self.assertRegex(lines[0], r"^::warning file=program\.cl,line=8,")

    def test_names_that_a_format_has_to_escape(self):
        name = "a,b:c %;ü].cl"
        (self.sources / name).write_text(KERNEL)
        done = Done(self.folder, self.program(), ["--sources", str(self.sources), "--annotations", "github"])
        self.assertEqual(done.problems(), [])
        self.assertIn("file=a%2Cb%3Ac %25;ü].cl,line=2", done.lines[0])
        self.assertEqual(done.results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                         "a,b%3Ac%20%25;%C3%BC%5D.cl")
        self.assertEqual(done.junit.find(".//testcase").get("file"), name)
        done = Done(self.folder, self.program(), ["--sources", str(self.sources), "--annotations", "azure"])
        self.assertIn("sourcepath=a,b:c %AZP25%3Bü%5D.cl;", done.lines[0])


class Sources(Bench):
    """Tests which file a program's text is found in."""

    def placed(self, name, text, program=KERNEL):
        path = self.sources / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        done = self.run_checked(self.program(text=program), ["--sources", str(self.sources)])
        return done.places()

    def test_a_file(self):
        self.assertEqual(self.placed("kernels/k.cl", KERNEL), {("kernels/k.cl", 2)})

    def test_a_file_behind_other_lines(self):
        self.assertEqual(self.placed("k.cl", KERNEL, "#define A 1\n\n#define B 2\n" + KERNEL), {("k.cl", 2)})

    def test_a_literal(self):
        self.assertEqual(self.placed("host.cpp", '#include <x>\n\nconst char *text = R"(' + KERNEL + ')";\n'),
                         {("host.cpp", 4)})
        self.assertEqual(self.placed("host.py", 'import x\ntext = """' + KERNEL[:-1] + '"""\n'), {("host.cpp", 4)})
        (self.sources / "host.cpp").unlink()
        self.assertEqual(self.placed("host.py", 'import x\ntext = """' + KERNEL[:-1] + '"""\n'), {("host.py", 3)})

    def test_a_file_with_other_line_ends(self):
        self.assertEqual(self.placed("k.cl", KERNEL.replace("\n", "\r\n")), {("k.cl", 2)})

    def test_the_calls_are_placed_too(self):
        (self.sources / "k.cl").write_text("// one more\n" + KERNEL)
        done = self.run_checked(self.program(), ["--sources", str(self.sources)])
        self.assertEqual(done.json["findings"][0]["calls"], [{"function": "k", "file": "k.cl", "line": 11}])
        self.assertEqual(done.sarif["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"],
                         "file://%s/" % self.sources.resolve())

    def test_the_most_alike_of_several(self):
        (self.sources / "other.cl").write_text(KERNEL.replace("return 1", "return 2"))
        self.assertEqual(self.placed("k.cl", KERNEL), {("k.cl", 2)})

    def test_a_single_line_is_not_enough(self):
        self.assertEqual(self.placed("k.cl", KERNEL.splitlines()[1] + "\n"), {("program.cl", 2)})

    def test_a_header(self):
        helper, rest = KERNEL[:KERNEL.index("kernel")], KERNEL[KERNEL.index("kernel"):]
        (self.sources / "put.h").write_text("\n" + helper)
        program = self.program("-I " + str(self.sources), '#include "put.h"\n' + rest)
        done = self.run_checked(program, ["--sources", str(self.sources)])
        self.assertEqual(done.places(), {("put.h", 3)})
        self.assertEqual(done.json["findings"][0]["source"], KERNEL.splitlines()[1])

    def test_with_debug_information(self):
        (self.sources / "k.cl").write_text(KERNEL)
        done = self.run_checked(self.program("-g"), ["--sources", str(self.sources)])
        self.assertEqual(done.places(), {("k.cl", 2)})

    def test_linked_programs(self):
        # Both programs are called `program.cl`, and both have findings in the same line.
        helper = "\nvoid put(global int *p, int i) {\n  p[i + 4] = i;\n}\n"
        kernel = ("void put(global int *p, int i);\nkernel void k(global int *p) {\n"
                  "  int i = get_global_id(0); put(p, i); p[i + 3] = 1;\n}\n")
        text = "//: program\n" + helper + "//: program\n" + kernel
        (self.sources / "put.cl").write_text("// one more\n" + helper)
        done = self.run_checked(self.program(text=text), ["--sources", str(self.sources)])
        found = {(finding["file"], finding["line"]): finding["source"] for finding in done.json["findings"]}
        lines = {("put.cl", 4): helper.splitlines()[2], ("program.cl", 3): kernel.splitlines()[2]}
        self.assertEqual(found, lines)
        done = Done(self.folder, self.program("-g", text), ["--sources", str(self.sources)])
        self.assertEqual({finding["source"] for finding in done.json["findings"]}, set(lines.values()))

    def test_a_header_that_is_a_program(self):
        helper, rest = KERNEL[:KERNEL.index("kernel")], KERNEL[KERNEL.index("kernel"):]
        text = "//: header put.h\n" + helper + "//: program\n#include \"put.h\"\n" + rest
        done = self.run_checked(self.program(text=text))
        self.assertEqual(done.places(), {("put.h", 2)})
        self.assertEqual({finding["source"] for finding in done.json["findings"]}, {KERNEL.splitlines()[1]})

    def test_no_such_folder(self):
        done = subprocess.run([LANECL, "check", "--sources", "/no-such-folder", "echo", "begun"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no such folder: /no-such-folder", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
