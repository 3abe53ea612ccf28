# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results in JUnit files as `run` counts them: KIND TEST DETAIL, one a line."""
import sys
from xml.etree import ElementTree


def kind_of(case):
    """The kind of result, and the first line of what was said."""
    for child in case:
        said = " ".join((child.get("message") or child.text or "").split())[:200]
        if child.tag == "skipped":
            return "skipped", said
        if child.tag == "failure":
            return ("wrong" if said.startswith(("AssertionError", "assert ")) else "failed"), said
        if child.tag == "error":
            return "failed", said
    return "passed", ""


for path in sys.argv[1:]:
    for case in ElementTree.parse(path).iter("testcase"):
        if not case.get("name"):  # the one that was running when pytest was interrupted
            continue
        kind, said = kind_of(case)
        name = f"{case.get('classname', '')}.{case.get('name', '')}".replace(" ", "_")
        print(kind, name, said)
