#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of our gdb script: lanes, sub-groups, conditions for each lane, and stepping that follows the selected
lane."""
import os
import re
import subprocess
import tempfile
import unittest

from gdb_session import KEEPS_FUNCTIONS, PROGRAM, SCRIPT, Session, numbers, program, results
import model

LAUNCH = model.Launch(16, (64,), (32,), 20)
UNEVEN = model.Launch(16, (60,), (20,), 20)


def at(text, after=0):
    return "lanes.cl:%d" % model.line(text, after)


def stop_line(text):
    """Returns the last source line that gdb showed, or None."""
    shown = re.findall(r"^(\d+)\t", text, re.M)
    return int(shown[-1]) if shown else None


class Commands(unittest.TestCase):
    def run_gdb(self, commands, kernel="branches", launch=LAUNCH, options="-g", threads=1):
        """Returns the output of each command."""
        text = ""
        for i, command in enumerate(commands):
            # A wrong command would end a file of commands. Inside Python it does not.
            quoted = command.replace("\\", "\\\\").replace("'", "\\'")
            text += "echo @@%d\\n\n" % i
            text += ("python\ntry:\n  gdb.execute('%s')\nexcept gdb.error as error:\n  print('error: ' + "
                     "str(error))\nend\n"
                     % quoted)
        session = Session(text, program(kernel, launch, options), with_script=True, threads=threads)
        self.session = session
        return [part.strip("\n") for _, part in session.parts()]

    def test_lane_selection(self):
        out = self.run_gdb(["break " + at("y = y * 7"), "run", "info lanes", "lane", "lane 9", "print x", "lane 2",
                            "lane 16", "lane gid 31", "print x", "lane gid 3", "lane apply 4-5 14 print y",
                            "lane apply all -inactive print x", "print $_lane"])
        lanes = out[2].split("\n")
        self.assertRegex(lanes[1], r"^  0 +inactive +16$")
        self.assertRegex(lanes[5], r"^\* 4 +active +20$")
        self.assertIn("[Current lane is lane 4 of sub-group 1 of work-group 0, global id 20, active]", out[3])
        self.assertIn("[Switching to lane 9 of sub-group 1 of work-group 0, global id 25, active]", out[4])
        self.assertEqual(out[5], "$1 = 25")
        self.assertIn("lanes [4-15] do", out[6])
        self.assertIn("error: no lane 16: sub-group 1 of work-group 0 has lanes 0 to 15", out[7])
        self.assertIn("lane 15", out[8])
        self.assertEqual(out[9], "$2 = 31")
        self.assertIn("error: work-item 3 is not in sub-group 1 of work-group 0, which has 16 to 31", out[10])
        self.assertEqual(re.findall(r"^\$\d+ = (.*)$", out[11], re.M), ["15", "16", "25"])
        self.assertEqual(re.findall(r"^\$\d+ = (.*)$", out[12], re.M), ["16", "17", "18", "19"])
        self.assertTrue(out[13].endswith(" = 15"), out[13])

    def test_names_of_kernels_are_not_those_of_functions_in_cpp(self):
        # LLVM has methods `scale`, and this runtime has methods of some of the other names.
        for name in "scale", "release":
            out = self.run_gdb(["break clFinish", "run", "break " + name, "info breakpoints"])[3]
            places = re.findall(r"^2(?:\.\d+)? +(?:breakpoint +keep )?([yn]) .*?(\S*::.*|in .*)$", out, re.M)
            self.assertGreater(len(places), 1, out)
            self.assertEqual([place for place in places if place[0] == "y" and re.search("llvm::|lanecl/|icd/src", place[1])],
                             [], out)

    def test_a_place_that_was_left_out_can_be_enabled(self):
        out = self.run_gdb(["break clFinish", "run", "break scale", "enable 2.1", "info breakpoints"])[4]
        self.assertRegex(out, r"(?m)^2\.1 +y ")

    def test_work_items(self):
        launch = model.Launch(8, (12, 6, 2), (6, 3, 1), 20)
        names = ["get_global_id(%d)", "get_local_id(%d)", "get_group_id(%d)", "get_global_size(%d)", "get_local_size(%d)",
                 "get_num_groups(%d)", "get_global_offset(%d)", "get_enqueued_local_size(%d)"]
        # This is sub-group 1 of the work-group (1,1,1), and lane 3, which is item 11 of 18.
        expected = [(11, 4, 1), (5, 1, 0), (1, 1, 1), (12, 6, 2), (6, 3, 1), (2, 2, 2), (0, 0, 0), (6, 3, 1)]
        queries = [(name % d, value) for name, values in zip(names, expected)
                   for d, value in zip((0, 1, 2, 3), (*values, 1 if "size" in name or "num" in name else 0))]
        queries += [("get_work_dim()", 3), ("get_global_linear_id()", 11 + 12 * (4 + 6)), ("get_local_linear_id()", 11),
                    ("get_sub_group_local_id()", 3), ("get_sub_group_id()", 1), ("get_sub_group_size()", 8),
                    ("get_max_sub_group_size()", 8), ("get_num_sub_groups()", 3), ("get_global_id(0) + 1", 12)]
        condition = "get_global_id(0) == 11 && get_global_id(1) == 4 && get_global_id(2) == 1"
        out = self.run_gdb(["break %s if %s" % (at("int y"), condition), "run"] + ["print " + query for query, _ in queries] +
                           ["print get_global_id()", "print get_work_dim(1)", "lane 2", "print get_global_id(0)"],
                           launch=launch)
        for (query, value), text in zip(queries, out[2:]):
            self.assertRegex(text, r"^\$\d+ = %d$" % value, query)
        self.assertIn("get_global_id takes the dimension", out[2 + len(queries)])
        self.assertIn("get_work_dim takes no argument", out[3 + len(queries)])
        self.assertTrue(out[5 + len(queries)].endswith(" = 10"), out[5 + len(queries)])

    def test_locals(self):
        out = self.run_gdb(["break " + at("int sum"), "run", "info locals", "info locals ^y$", "info locals -t float4",
                            "info locals -q nothing", "info locals nothing", "show lanecl all-locals",
                            "set lanecl all-locals on", "info locals", "up", "up", "info locals -q"])
        own = dict(re.findall(r"^(\w+) = (.*)$", out[2], re.M))
        self.assertTrue({"id", "x", "y", "sum", "q", "v", "numbers", "pair"} <= set(own), out[2])
        self.assertEqual([name for name in own if "__" in name], [])
        self.assertRegex(out[3], r"^y = -?\d+$")
        self.assertRegex(out[4], r"^v = \{.*\}$")
        self.assertEqual(out[5:7], ["", "No matching locals."])
        self.assertEqual(out[7], "info locals shows the variables that LaneCL adds: off.")
        everything = dict(re.findall(r"^(\w+) = (.*)$", out[9], re.M))
        self.assertEqual({name: everything[name] for name in own}, own)
        self.assertTrue({"x__lanes", "__lanecl_frame", "__ocl_dbg_gid0"} <= set(everything), out[9])

    def test_the_thread_s_name_is_true(self):
        out = self.run_gdb(["break " + at("int sum"), "run", "python print(gdb.selected_thread().name)", "continue",
                            "python print(gdb.selected_thread().name)"])
        self.assertEqual((out[2], out[4]), ("0 sub-group 0", "0 sub-group 1"))
        self.assertNotIn("sub-group 0", re.search(r"^Thread .* hit", out[3], re.M).group(0))

    def test_functions(self):
        out = self.run_gdb(["break " + at("y = y * 7"), "run", "print $_workitem_global_id", "print/x $_lane_mask",
                            "print $_gid_active(18)", "print $_gid_active(21)", 'print $_all_lanes("x > 19")',
                            'print $_all_lanes("x > 20")', 'print $_any_lane("x == 31")', "print $_lane"])
        values = [re.search(r"= (.*)$", part).group(1) for part in out[2:]]
        self.assertEqual(values, ["{20, 0, 0}", "0xfff0", "0", "1", "1", "0", "1", "4"])

    def test_conditions(self):
        out = self.run_gdb(["break %s if x == 29 || x == 30" % at("y = y * 7"), "run", "print x", "info breakpoints",
                            "delete", "break %s if s == 100" % at("return s + 1"), "break square if v == 45",
                            "run", "print x", "continue", "print v"])
        self.assertIn("lanes [*13 14]; lane 13 is global id 29", out[1])
        self.assertEqual(out[2], "$1 = 29")
        self.assertIn("$_any_lane(", out[3])

    def test_incomplete(self):
        out = self.run_gdb(["break " + at("int q ="), "run", "continue", "info lanes", "lane 4", "lane apply all "
                                                                                                 "print x"],
                           launch=UNEVEN)
        lanes = out[3].split("\n")
        self.assertEqual([line.split()[-1 if len(line.split()) < 3 else -2] for line in lanes[2:6]], ["active"] * 3 + ["unused"])
        self.assertIn("error: no lane 4: sub-group 1 of work-group 0 has lanes 0 to 3", out[4])
        self.assertEqual(len(re.findall(r"^Lane", out[5], re.M)), 4)

    def test_stepping(self):
        """Lane 2 of sub-group 1 is below the limit: step does not stop in the other branch."""
        out = self.run_gdb(["break %s if __lanecl_frame.sub_group == 1" % at("if (x < limit)"), "run", "lane 2"] +
                           ["next"] * 4 + ["tbreak " + at("int q ="), "continue"] + ["step"] * 4 + ["next", "print v.y",
                                                                                            "lane 3", "print v"])
        stops = [stop_line(part) for part in out]
        self.assertEqual(stops[3:7], [model.line(text) for text in ("y = x * 2", "y = y + 3", "int sum", "for (int i")])
        self.assertEqual(stops[9:14], [model.line(text) for text in ("int s =", "return s + 1", "float4 v", "v.y *=",
                                                                     "for (int i = 0; i < 4")])
        self.assertEqual(out[14], "$1 = %d" % (2 * 19))
        self.assertEqual(out[16], "$2 = {19, 40, 21, 22}")

    def test_chosen_work_item(self):
        out = self.run_gdb(["set environment LANECL_DEBUG_GID 21", "break " + at("int q ="), "run", "print x", "continue",
                            "print x"])
        self.assertEqual(out[3], "$1 = 0")
        self.assertEqual(out[5], "$2 = 21")

    def test_finish(self):
        out = self.run_gdb(["break square", "run", "info args", "finish"])
        self.assertIn("v = 0", out[2])
        self.assertIn("int q" if KEEPS_FUNCTIONS else "float4 v", out[3])

    def test_barriers(self):
        behind = model.line("int left")
        commands = ["break " + at("int sum", behind), "run", "print left__lanes", "info sub-groups",
                    "sub-group 1 print x__lanes", "sub-group 1 bt", "sub-group 5", "delete", "lane 3"] + ["next"] * 5
        commands += ["print $_sub_group", "print $_lane", "print sum", "info work-groups"]
        out = self.run_gdb(commands, kernel="barriers")
        self.assertEqual(numbers(out[2].split("= ")[1]), [-1] + [3 * i for i in range(15)])
        self.assertRegex(out[3], r"\n\* 0 +16 +runs, lanes \[\*0 1-15\]\n  1 +16 +waits at the barrier, lanes.cl:%d"
                         % model.line("barrier(CLK"))
        self.assertEqual(numbers(out[4].split("= ")[1]), [3 * i for i in range(16, 32)])
        self.assertRegex(out[5], r"^#0 +barriers \(.*\) at .*lanes.cl:%d\n#1 " % model.line("barrier(CLK"))
        self.assertIn("error: no sub-group '5' can be shown here", out[6])
        stops = [stop_line(part) for part in out[9:14]]
        self.assertEqual(stops, [behind + i for i in range(2, 7)])
        self.assertEqual([part.split("= ")[1] for part in out[14:17]], ["0", "3", str(6 + 9)])
        self.assertRegex(out[17], r"\n\* \d+ +0 +0 +barriers")

    def test_watch(self):
        """Watches a work-item's variable, whose memory other work-items use before and after."""
        x = 22
        sums = [x, 3 * x, 6 * x, 10 * x, 10 * x + 1]
        for options, threads in (("-g", 1), ("-g -cl-opt-disable", 1), ("-g", 3)):
            commands = ["break %s if x == %d" % (at("if (i == 5)"), x), "run", "delete", "lane watch sum"]
            commands += ["continue", "print x", "print sum"] * len(sums)
            out = self.run_gdb(commands, options=options, threads=threads)
            self.assertIn("[sum of global id %d]" % x, out[3])
            shown = [text.partition(" = ")[2] for text in out]
            self.assertEqual(shown[5::3], [str(x)] * len(sums), self.session.output)
            self.assertEqual(shown[6::3], [str(value) for value in sums])

    def test_watch_refusals(self):
        out = self.run_gdb(["break " + at("pair.count ="), "lane watch x", "run", "lane watch numbers", "lane watch x "
                                                                                                        "+ 1",
                            "lane watch"])
        self.assertIn("error: this thread is not in a kernel that was built with -g", out[1])
        self.assertIn("error: 'numbers' is not in one place in memory", out[3])
        self.assertIn("error: 'x + 1' is not in one place in memory", out[4])
        self.assertIn("error: Usage: lane watch EXPRESSION", out[5])

    def test_up_to_the_host_program(self):
        """Runs the program as `lanecl gdb` does: the program's thread runs the kernel while it waits."""
        for _ in range(3):
            out = self.run_gdb(["set environment LANECL_DEBUG optimized", "break square", "run", "bt", "thread", "up 100"])
            self.assertRegex(out[3], r"(?s)#0 +square .*#1 +(0x\w+ in )?branches .* clWaitForEvents .* main \(")
            self.assertRegex(out[4], r"Current thread is 1 ")

    def test_forced(self):
        """LANECL_DEBUG needs no build options, and programs that keep binaries must not load binaries from runs without
        it."""
        stop = ["set environment LANECL_DEBUG optimized", "break square", "run", "print v", "delete", "continue"]
        out = self.run_gdb(stop, options="")
        self.assertEqual(out[3], "$1 = 0")
        self.assertRegex(self.session.output, r"(?m)^driver: [0-9.]+\+[0-9.]+ debug optimized$")
        self.run_gdb(["run"], options="")
        self.assertRegex(self.session.output, r"(?m)^driver: [0-9.]+\+[0-9.]+$")

    @unittest.skipIf("SANITIZER" in os.environ, "shadow memory makes the file terabytes long")
    def test_core_file(self):
        with tempfile.TemporaryDirectory() as folder:
            core = folder + "/core"
            self.run_gdb(["break " + at("y = y * 7"), "run", "generate-core-file " + core, "kill"])
            words = ["gdb", "-nx", "-q", "-batch", "-ex", "source " + SCRIPT, "-ex", "bt", "-ex", "print x__lanes",
                     "-ex", "info lanes", "-ex", "print x", "-ex", "lane 5", PROGRAM, core]
            out = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
        self.assertRegex(out, r"\n#0 +branches \(in=0x\w+, out=0x\w+, limit=20\) at .*lanes.cl:%d"
                         % model.line("y = y * 7"))
        self.assertIn("$1 = {%s}" % ", ".join(map(str, range(16, 32))), out)
        self.assertRegex(out, r"\n\* 4 +active +20\n")
        self.assertIn("$2 = 20", out)
        self.assertIn("print NAME__lanes[5] instead", out)

    def test_assignment(self):
        out = self.run_gdb(["break " + at("if (x < limit)"), "run", "set var x = 5"])
        self.assertIn("warning: this kernel is optimized", out[2])

    def test_without_debug_information(self):
        out = self.run_gdb(["info lanes", "break kernel_is_done", "run", "lane", "continue"], options="")
        self.assertIn("error: this thread is not in a kernel that was built with -g; build programs with '-g'", out[0])
        self.assertIn("error: this thread is not in a kernel", out[3])
        self.assertEqual(results(self.session.output), [model.branches(x, LAUNCH.limit)["out"] for x in range(64)])


if __name__ == "__main__":
    unittest.main()
