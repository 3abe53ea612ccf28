#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""commands_test.py LANECL CHECK_COMMANDS_HOST: what `lanecl check` says of commands that use the same memory."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

LANECL, HOST = sys.argv[1:3]
A, B = r"clEnqueueNDRangeKernel of 'set' writes argument 0 'to'", r"clEnqueueReadBuffer reads its buffer"
MADE = r"both use a memory object of \d+ bytes \(created by .*check_commands_host.*\); called by .*check_commands_host"
# For each case, the rule that is broken and a pattern of the message.
CASES = {
    "two_queues": ("unordered-commands", "^%s and %s, and nothing orders them: %s" % (A, A, MADE)),
    "finish": ("unordered-commands", "^%s and clEnqueueNDRangeKernel of 'add' reads argument 0 'from', and" % A),
    "chain": ("unordered-commands", "^%s and %s, and nothing" % (A, B)),
    "poll": ("unordered-commands", "^%s and %s, and nothing" % (A, B)),
    "barrier": ("unordered-commands", "^%s and %s, and nothing" % (A, B)),
    "marker": ("unordered-commands", "^%s and %s, and nothing" % (A, B)),
    "command_buffer": ("unordered-commands", "^%s and %s, and nothing" % (A, B)),
    "readers": ("unordered-commands", "'add' writes argument 1 'to' and clEnqueueNDRangeKernel of 'add' writes"),
    "atomics": ("unordered-commands", "'count' updates argument 0 'to' and %s" % A),
    "sub_buffers": ("unordered-commands", "a memory object of 1024 bytes"),
    "destination": ("unordered-commands", "clEnqueueReadBuffer writes its destination.*both use host memory;"),
    "rect": ("unordered-commands", "clEnqueueReadBufferRect writes its destination.*both use host memory;"),
    "image": ("unordered-commands", "clEnqueueFillImage writes its image and clEnqueueFillImage writes its image"),
    "painted": ("unordered-commands", "'paint' writes argument 0 'to' and clEnqueueNDRangeKernel of 'paint' writes"),
    "svm": ("unordered-pointers", "clEnqueueSVMMemcpy reads its source.*an allocation of 1024 bytes"),
    "svm_parts": ("unordered-pointers", "^%s and %s, and nothing orders them: both use an allocation of 1024" % (A, A)),
    "svm_copies": ("unordered-commands", "^clEnqueueSVMMemFill writes its destination and clEnqueueSVMMemcpy reads "
                                         "its source, and nothing orders them: both use an allocation of 1024"),
    "svm_free": ("freed-while-used", "^clSVMFree of an allocation of 1024 bytes .* while clEnqueueNDRangeKernel of "
                                     "'set' may still use it as argument 0 'to'; the program has not waited"),
    "release": ("unordered-commands", A),
    "user_event": ("unordered-commands", "^%s and %s" % (A, A)),
    "mapped": ("used-while-mapped", "^clEnqueueNDRangeKernel of 'add' reads argument 0 'from' and is not ordered after "
                                    "the unmapping of a memory object of .*, which is mapped for writing"),
    "mapped_for_reading": ("used-while-mapped", "^%s and is not .*, which is mapped for reading" % A),
    "mapped_pointer": ("used-while-mapped", "^clEnqueueReadBuffer writes its destination and is not ordered after the "
                                            "unmapping of a memory object of .*, which is mapped for reading"),
    "mapped_object": ("used-while-mapped", "^clEnqueueWriteBuffer writes its buffer and is not ordered after the "
                                           "unmapping of a memory object of .*, which is mapped for writing"),
    "mapped_and_released": ("used-while-mapped", "^%s and is not .*, which is mapped for reading" % A),
    "mapped_while_used": ("unordered-commands", "^%s and the host reads the mapped memory, and nothing" % A),
    "semaphore": ("unordered-commands", "^%s and %s, and nothing orders them" % (A, A)),
    "semaphore_awaited": ("unordered-commands", "'add' reads argument 0 'from' and %s, and nothing orders them" % A),
    "semaphore_imported": ("unordered-commands", "'add' reads argument 0 'from' and %s, and nothing orders them" % A),
    "semaphore_signaled_outside": ("unordered-commands", "^%s and .*'add' reads argument 0 'from', and nothing" % A),
    "unmap_twice": ("unmapped-too-often", "^clEnqueueUnmapMemObject: 0x[0-9a-f]+ is not mapped, or was already "
                                          "unmapped"),
}


class Commands(unittest.TestCase):
    def check(self, case, how, groups="all,commands"):
        with tempfile.TemporaryDirectory() as name:
            report = pathlib.Path(name) / "report.json"
            self.done = subprocess.run([LANECL, "check", "--checks", groups, "--json", str(report), HOST, case, how],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                       timeout=120)
            return json.loads(report.read_text())["findings"]

    def test_wrong(self):
        for case, (rule, message) in CASES.items():
            with self.subTest(case):
                findings = self.check(case, "wrong", "commands")
                self.assertEqual({finding["rule"] for finding in findings}, {rule})
                self.assertRegex(findings[0]["message"], message)
                self.assertEqual(self.done.returncode, 0 if rule == "unordered-pointers" else 86, self.done.stderr)

    def test_right(self):
        for case in CASES:
            with self.subTest(case):
                self.assertEqual(self.check(case, "right"), [])
                self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_groups(self):
        self.assertEqual(len(self.check("two_queues", "wrong", "all,races,commands")), 1)
        self.check("two_queues", "wrong", "commands")
        self.assertIn("checked: commands\n", self.done.stderr)
        self.assertEqual(self.check("two_queues", "wrong", "all"), [])

    def test_commands_that_are_not_compared_at_other_widths(self):
        self.assertEqual(self.check("painted", "right", "widths"), [])
        self.assertIn("  2 launches ran only with the kernel's own sub-group size, because what it writes cannot be "
                      "restored\n",
                      self.done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
