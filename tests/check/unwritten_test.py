#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unwritten_test.py LANECL CHECK_UNWRITTEN_HOST: which memory counts as initialized, by the way in which it got its
contents."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from check_test import runs_here


def ranges(*pairs):
    return [item for first, last in pairs for item in range(first, last + 1)]


# The ways whose kernels decide by uninitialized memory, with those of the first 32 work-items that do.
ALL = ranges((0, 31))
FOUND = {
    "never": ALL, "second_half": ALL, "copied_half": ALL, "half_rows": ranges((0, 3), (8, 11), (16, 19), (24, 27)),
    "moved_half_rows": ranges((4, 7), (12, 15), (20, 23), (28, 31)), "mapped_for_reading": ALL, "unwritten_image": ALL,
    "kernel_of_unwritten": ALL, "svm": ALL, "svm_copied": ALL, "svm_device": ALL, "usm_device": ALL,
    "usm_from_device": ALL, "tile": ranges((8, 11), (24, 27)),
}
# The uninitialized bytes that the host receives: the function, how many bytes, the first of them, and the size of the memory.
HANDED = [
    ("clEnqueueReadBuffer", 28, 100, 256), ("clEnqueueReadBuffer", 16, 136, 256), ("clEnqueueReadBuffer", 256, 0, 256),
    ("clEnqueueReadBuffer", 4, 252, 256), ("clEnqueueReadBuffer", 8, 20, 256), ("clEnqueueReadBufferRect", 12, 36, 256),
    ("clEnqueueMapBuffer", 32, 16, 256), ("clEnqueueSVMMap", 12, 0, 256), ("clEnqueueSVMMemcpy", 40, 20, 256),
    ("clEnqueueMapBuffer", 256, 0, 256),
]
HANDED_OF_USM = [("clEnqueueMemcpyINTEL", 24, 0, 256)]
SAYS = re.compile(r"(\w+) returns to the host (\d+) bytes? .*; the first is byte (\d+) of (\d+); called by ")
LAUNCHES = 40


def first_found(items, width):
    """Returns the first sub-group that contains some of the work-items, and their lanes as the report writes them."""
    sub_group = items[0] // width
    lanes = [item % width for item in items if item // width == sub_group]
    begins = [lane for lane in lanes if lane - 1 not in lanes]
    ends = [lane for lane in lanes if lane + 1 not in lanes]
    return sub_group, ",".join("%d-%d" % pair for pair in zip(begins, ends))


def problems(lanecl, host, device, width):
    os.environ["LANECL_DEVICE"] = device
    os.environ["LANECL_SUB_GROUP_SIZE"] = str(width)
    expected = {kernel: first_found(items, width) for kernel, items in FOUND.items()
                if device == "gpu" or not kernel.startswith("usm")}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        done = subprocess.run([lanecl, "check", "--checks", "initialization", "--json", str(path), host],
                              stderr=subprocess.PIPE, text=True, check=False, timeout=200)
        report = json.loads(path.read_text())
    of_kernels = [finding for finding in report["findings"] if finding["rule"] == "uninitialized-read"]
    found = {finding["kernel"]: (finding["sub_group"], finding["lanes"]) for finding in of_kernels}
    of_host = [SAYS.match(finding["message"]) for finding in report["findings"] if finding not in of_kernels]
    handed = [(said[1], *map(int, said.groups()[1:])) for said in of_host if said]
    all_handed = HANDED + (HANDED_OF_USM if device == "gpu" else [])
    if (found == expected and sorted(handed) == sorted(all_handed) and len(handed) == len(of_host) and
            done.returncode == 86 and report["launches"] == LAUNCHES):
        return []
    return ["%s, width %d: missing: %s, too many: %s; handed %s; %d launches\n%s" %
            (device, width, set(expected.items()) - set(found.items()), set(found.items()) - set(expected.items()), handed,
             report["launches"], done.stderr)]


def main(lanecl, host):
    if not runs_here():
        return 77
    wrong = [problem for device, width in (("gpu", 8), ("gpu", 16), ("gpu", 32), ("cpu", 32))
             for problem in problems(lanecl, host, device, width)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
