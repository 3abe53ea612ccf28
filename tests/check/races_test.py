#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""races_test.py LANECL CHECK_HOST: races with atomic operations, and how a report describes the two accesses."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LANECL, HOST = sys.argv[1:3]

# The reported line has the comment `here` at its end, the line of the other access `other`. In a kernel without `here`
# nothing is found.
KERNELS = {
    "own atomic behind the own write": """
  local int s;
  if (l == 0)
    s = 0; // other
  atomic_add(&s, 1); // here
  barrier(CLK_LOCAL_MEM_FENCE);
  p[g] = s;""",
    "with a barrier between": """
  local int s;
  if (l == 0)
    s = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&s, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  p[g] = s;""",
    "the last one reads what all have increased": """
  local int s;
  if (l == 0)
    s = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&s); // other
  if (l == 31)
    p[g] = s; // here""",
    "one alone increases and reads": """
  local int s;
  if (l == 31) {
    s = 0;
    atomic_inc(&s);
    p[g] = s;
  }""",
    "all read atomically": """
  local int s;
  if (l == 0)
    s = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&s);
  p[g] = atomic_or(&s, 0);""",
    "a plain write behind the atomics of all": """
  local int s;
  if (l == 0)
    s = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&s); // other
  if (l == 31)
    s = 1; // here""",
    "a plain read beside an exchange that fails": """
  local int s;
  if (l == 0)
    s = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_cmpxchg(&s, 5, 1);
  p[g] = s;""",
    "a plain read beside an exchange that succeeds": """
  local int s;
  if (l == 0)
    s = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 3)
    atomic_cmpxchg(&s, 0, 1); // other
  p[g] = s; // here""",
    "an exchange that fails, behind a plain write": """
  local int s;
  if (l == 0)
    s = 0; // other
  atomic_cmpxchg(&s, 5, 1); // here""",
    "a relaxed exchange orders nothing": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int zero = 0;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  if (atomic_compare_exchange_strong_explicit(t, &zero, 1, memory_order_relaxed, memory_order_relaxed))
    s = 5; // other
  if (l == 31)
    p[g] = s; // here""",
    "a weak one with a scope neither": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int zero = 0;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  if (atomic_compare_exchange_weak_explicit(t, &zero, 1, memory_order_relaxed, memory_order_relaxed,
                                            memory_scope_work_group))
    s = 5; // other
  if (l == 31)
    p[g] = s; // here""",
    "one that acquires and releases does": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int zero = 0;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  if (atomic_compare_exchange_strong_explicit(t, &zero, 1, memory_order_acq_rel, memory_order_relaxed))
    s = 5;
  if (l == 31)
    p[g] = s;""",
    "and one without orders": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int zero = 0;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  if (atomic_compare_exchange_strong(t, &zero, 1))
    s = 5;
  if (l == 31)
    p[g] = s;""",
    "but not while it fails": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int seven = 7;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  atomic_compare_exchange_strong_explicit(t, &seven, 1, memory_order_acq_rel, memory_order_relaxed);
  if (l == 3)
    s = 5; // other
  if (l == 31)
    p[g] = s; // here""",
    "unless it acquires then, too": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int seven = 7;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  atomic_compare_exchange_strong_explicit(t, &seven, 1, memory_order_acq_rel, memory_order_acquire);
  if (l == 3)
    s = 5;
  if (l == 31)
    p[g] = s;""",
    "a relaxed one before one that acquires": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int zero = 0, one = 1;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  atomic_compare_exchange_strong_explicit(t, &zero, 1, memory_order_relaxed, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(t, &one, 2, memory_order_acquire, memory_order_acquire);
  if (l == 3)
    s = 5;
  if (l == 31)
    p[g] = s;""",
    "an order that only the launch knows": """
  local int s, turn;
  if (l == 0)
    s = turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int zero = 0;
  volatile local atomic_int *t = (volatile local atomic_int *)&turn;
  memory_order order = get_global_size(0) == 32 ? memory_order_acq_rel : memory_order_relaxed;
  atomic_compare_exchange_strong_explicit(t, &zero, 1, order, memory_order_relaxed);
  if (l == 3)
    s = 5;
  if (l == 31)
    p[g] = s;""",
    "a lock of relaxed exchanges": """
  local int s, lock;
  if (l == 0)
    s = lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local atomic_int *t = (volatile local atomic_int *)&lock;
  for (bool done = false; !done;) {
    int zero = 0;
    if (atomic_compare_exchange_strong_explicit(t, &zero, 1, memory_order_relaxed, memory_order_relaxed)) {
      s += l; // here other
      atomic_store_explicit(t, 0, memory_order_relaxed);
      done = true;
    }
  }""",
    "a lock of exchanges with orders": """
  local int s, lock;
  if (l == 0)
    s = lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local atomic_int *t = (volatile local atomic_int *)&lock;
  for (bool done = false; !done;) {
    int zero = 0;
    if (atomic_compare_exchange_strong_explicit(t, &zero, 1, memory_order_acquire, memory_order_relaxed)) {
      s += l;
      atomic_store_explicit(t, 0, memory_order_release);
      done = true;
    }
  }""",
    "a lock of relaxed exchanges with fences": """
  local int s, lock;
  if (l == 0)
    s = lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local atomic_int *t = (volatile local atomic_int *)&lock;
  for (bool done = false; !done;) {
    int zero = 0;
    if (atomic_compare_exchange_strong_explicit(t, &zero, 1, memory_order_relaxed, memory_order_relaxed)) {
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
      s += l;
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
      atomic_store_explicit(t, 0, memory_order_relaxed);
      done = true;
    }
  }""",
    "a lock of OpenCL 1.x with fences": """
  local int s, lock;
  if (l == 0)
    s = lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (bool done = false; !done;) {
    if (atomic_cmpxchg(&lock, 0, 1) == 0) {
      s += l;
      mem_fence(CLK_LOCAL_MEM_FENCE);
      atomic_xchg(&lock, 0);
      done = true;
    }
  }""",
}


class Races(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, body, width, parameters="global int *p", memory="buffer", items=32, checks="all"):
        source, report = self.folder / "k.cl", self.folder / "report.json"
        text = (f"__attribute__((intel_reqd_sub_group_size({width}))) kernel void k({parameters}) {{\n"
                f"  int l = get_local_id(0), g = get_global_id(0);{body}\n}}\n")
        source.write_text(text)
        done = subprocess.run([LANECL, "check", "--checks", checks, "--json", str(report), HOST, str(source), memory,
                               str(items), "32", "-cl-std=CL3.0"],
                              check=False, stderr=subprocess.PIPE, text=True, timeout=60)
        done.findings = json.loads(report.read_text())["findings"]
        done.lines = text.splitlines()
        return done

    def line(self, done, mark):
        return next((number for number, line in enumerate(done.lines, 1)
                     if mark in line.partition("// ")[2].split()), None)

    def test_what_is_found_where(self):
        for name, body in KERNELS.items():
            for width in 8, 16, 32:
                with self.subTest(kernel=name, width=width):
                    done = self.check(body, width)
                    here, other = self.line(done, "here"), self.line(done, "other")
                    found = {finding["line"]: finding for finding in done.findings}
                    self.assertEqual(set(found), {here} if here else set(), done.stderr)
                    for finding in found.values():
                        self.assertEqual((finding["rule"], finding["other"]["line"]), ("data-race", other))
                        self.assertEqual(finding["other"]["source"], done.lines[other - 1])

    def test_memory_that_is_far_apart(self):
        far = {"parameters": "global int *p, global int *q", "memory": "far-apart", "items": 64, "checks": "races"}
        for width in 8, 16, 32:
            with self.subTest(width=width):
                # No work-item accesses what another one does; the same offsets are accessed by several.
                done = self.check("\n  p[g] = 1;\n  q[63 - g] = 2;", width, **far)
                self.assertEqual(done.findings, [], done.stderr)
                # The access of `q` must not hide that of `p`, in the same work-group and in another one.
                for item in 31, 63:
                    done = self.check(f"""
  if (g == 0)
    p[3] = 1; // other
  if (g == {item}) {{
    q[3] = 1;
    p[3] = 2; // here
  }}""", width, **far)
                    finding, = done.findings
                    self.assertEqual((finding["rule"], finding["line"], finding["other"]["line"]),
                                     ("data-race", self.line(done, "here"), self.line(done, "other")), done.stderr)

    def test_both_accesses_are_named(self):
        done = self.check(KERNELS["own atomic behind the own write"], 16)
        self.assertIn("error: write of 4 bytes that work-item 0 of the same work-group has written, with no barrier "
                      "for local memory in between: 's', 0 bytes into the work-group's local memory (4 bytes)", done.stderr)
        self.assertRegex(done.stderr, r"  program.cl:6:3 in kernel 'k'\n    *atomic_add\(&s, 1\); // here\n")
        self.assertRegex(done.stderr, r"\n  the other access: program.cl:5:7\n +s = 0; // other\n +\^\n")
        done = self.check(KERNELS["the last one reads what all have increased"], 16)
        self.assertIn("error: read of 4 bytes that several work-items of the same work-group have written", done.stderr)
        self.assertTrue(re.search(r"lanes 15; the first is global id \(31,0,0\)", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
