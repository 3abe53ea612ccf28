# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that JSON or XML has the structure that a format demands.

A structure is one of these: a type; a set of values; a predicate; a list with the structure of its items; or a
dictionary of members. In a dictionary a member "name?" may be absent, and members that it does not name are refused.
"""
import re


def problems(value, structure, at="$"):
    """Returns what is wrong, each with its place."""
    if isinstance(structure, dict):
        return problems_of_object(value, structure, at)
    if isinstance(structure, list):
        if not isinstance(value, list):
            return ["%s is no list" % at]
        return [text for i, item in enumerate(value) for text in problems(item, structure[0], "%s[%d]" % (at, i))]
    if isinstance(structure, type):
        good = isinstance(value, structure) and not (structure is int and isinstance(value, bool))
    elif isinstance(structure, (set, frozenset)):
        good = value in structure
    else:
        good = structure(value)
    return [] if good else ["%s is %r" % (at, value)]


def problems_of_object(value, structure, at):
    if not isinstance(value, dict):
        return ["%s is no object" % at]
    found = []
    known = {name.rstrip("?"): inner for name, inner in structure.items()}
    for name in structure:
        if not name.endswith("?") and name not in value:
            found.append("%s.%s is missing" % (at, name))
    for name, member in value.items():
        if name in known:
            found += problems(member, known[name], "%s.%s" % (at, name))
        else:
            found.append("%s.%s is not known" % (at, name))
    return found


def matching(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def positive(value):
    return isinstance(value, int) and value > 0


TIME = matching(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
URI = matching(r"[-\w.~:/?#\[\]@!$&'()*+,;=%]+")
TEXT = {"text": str, "markdown?": str}
ARTIFACT = {"uri": URI, "uriBaseId?": {"%SRCROOT%"}}
PHYSICAL = {"artifactLocation": ARTIFACT,
            "region?": {"startLine": positive, "startColumn?": positive, "snippet?": TEXT}}
LOCATION = {"id?": positive, "physicalLocation?": PHYSICAL,
            "logicalLocations?": [{"name": str, "kind": {"function"}}], "message?": TEXT}
RULE = {"id": matching("[a-z-]+"), "name": matching("[A-Za-z]+"), "shortDescription": TEXT, "fullDescription": TEXT,
        "help": TEXT, "defaultConfiguration": {"level": {"error", "warning"}},
        "properties": {"tags": [str], "precision": {"very-high", "high"}, "problem.severity": {"error", "warning"}}}
RESULT = {"ruleId": str, "ruleIndex": int, "level": {"error", "warning"}, "message": TEXT, "locations?": [LOCATION],
          "relatedLocations?": [LOCATION], "partialFingerprints": {"laneclFinding/v1": matching("[0-9a-f]{16}")},
          "properties": dict}
INVOCATION = {"commandLine": str, "executionSuccessful": bool, "startTimeUtc": TIME, "endTimeUtc": TIME,
              "exitCode?": int, "exitSignalNumber?": positive}
RUN = {"tool": {"driver": {"name": str, "version": str, "rules": [RULE]}}, "invocations": [INVOCATION],
       "columnKind": {"utf16CodeUnits"}, "results": [RESULT],
       "originalUriBaseIds?": {"%SRCROOT%": {"uri": matching("file:///.*/")}}}
SARIF = {"$schema": URI, "version": {"2.1.0"}, "runs": [RUN]}

CODE_QUALITY = [{"description": str, "check_name": str, "fingerprint": matching("[0-9a-f]{16}"),
                 "severity": {"info", "minor", "major", "critical", "blocker"},
                 "location": {"path": matching("[^/].*"), "lines": {"begin": positive}}}]


def sarif_problems(report):
    found = problems(report, SARIF)
    if found:
        return found
    for run in report["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if len(rules) != len(set(rules)):
            found.append("a rule has two descriptions")
        for result in run["results"]:
            if rules[result["ruleIndex"]] != result["ruleId"]:
                found.append("the index of %s is another rule's" % result["ruleId"])
            links = set(re.findall(r"\]\((\d+)\)", result["message"]["text"]))
            if links != {str(place["id"]) for place in result.get("relatedLocations", [])}:
                found.append("the message links to %s" % links)
    return found


def junit_problems(root):
    """Returns what is wrong with a JUnit report, which is an element of xml.etree. Its numbers must be those of the
    test cases."""
    found = []
    if root.tag != "testsuites" or [child.tag for child in root] != ["testsuite"]:
        return ["no test suite in test suites"]
    for suite in [root, root[0]]:
        counts = {"tests": len(root[0]), "failures": len(root.findall(".//failure")), "errors": len(root.findall(".//error"))}
        for name, count in counts.items():
            if suite.get(name) != str(count):
                found.append("%s is %s, not %d" % (name, suite.get(name), count))
        float(suite.get("time"))
    for case in root[0]:
        if case.tag != "testcase" or not case.get("name") or not case.get("classname"):
            found.append("a test case without a name")
        for inner in case:
            if inner.tag not in ("failure", "error", "system-out"):
                found.append(inner.tag)
            if inner.tag in ("failure", "error") and not (inner.get("type") and inner.get("message")):
                found.append("a failure without type or message")
    return found
