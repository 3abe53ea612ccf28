#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""workflows_test.py DOCUMENT.md LANECL: the workflow files in the document are YAML with what the services need, and their
commands use options that there are. Exits with 77 where Python cannot read YAML."""
import pathlib
import re
import subprocess
import sys

from run_examples import blocks

try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)

STEP = {"name", "uses", "run", "with", "env", "if"}


def github_problems(workflow):
    found = []
    # YAML 1.1 takes the word on for a truth value.
    triggers = workflow.get("on", workflow.get(True))
    if not isinstance(triggers, dict) or "pull_request" not in triggers:
        found.append("pull requests start nothing")
    if workflow["permissions"].get("security-events") != "write":
        found.append("results cannot be uploaded")
    for name, job in workflow["jobs"].items():
        if "runs-on" not in job:
            found.append("the job %s runs nowhere" % name)
        for step in job["steps"]:
            if ("uses" in step) == ("run" in step) or not set(step) <= STEP:
                found.append("a step of %s: %s" % (name, step))
        uses = [step["uses"] for step in job["steps"] if "uses" in step]
        for action in ("actions/checkout@", "actions/cache@", "github/codeql-action/upload-sarif@"):
            if not any(used.startswith(action) for used in uses):
                found.append("no step uses " + action)
        upload = next(step for step in job["steps"] if "upload-sarif" in step.get("uses", ""))
        commands = "\n".join(step["run"] for step in job["steps"] if "run" in step)
        if "--sarif %s " % upload["with"]["sarif_file"] not in commands:
            found.append("what is uploaded is not what is written")
        if not upload.get("if", "").startswith("always()"):
            found.append("nothing is uploaded where the tests fail")
    return found


def gitlab_problems(jobs):
    found = []
    for name, job in jobs.items():
        for key in ("image", "cache", "before_script", "script", "artifacts"):
            if key not in job:
                found.append("%s has no %s" % (name, key))
        for key in ("before_script", "script"):
            if not all(isinstance(line, str) for line in job[key]):
                found.append("a line of %s is no command" % key)
        commands = "\n".join(job["script"])
        reports = job["artifacts"]["reports"]
        if job["artifacts"]["when"] != "always":
            found.append("there is no report where the tests fail")
        for option, report in (("--junit", "junit"), ("--code-quality", "codequality")):
            if "%s %s" % (option, reports[report]) not in commands:
                found.append("the report %s is not what is written" % report)
        if not job["variables"]["LANECL_CACHE_DIR"].endswith(job["cache"]["paths"][0]):
            found.append("another folder is kept than that of the cache")
    return found


def unknown_options(text, known):
    used = set()
    for command in re.findall(r"lanecl check ((?:--[a-z-]+ \S+\s+)*)", text):
        used |= set(re.findall(r"--[a-z-]+", command))
    return ["lanecl check has no " + option for option in sorted(used - known)] + ([] if used else ["no lanecl check"])


def main(document, lanecl):
    help_text = subprocess.run([lanecl, "check", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    known = set(re.findall(r"--[a-z-]+", help_text))
    problems = []
    names = []
    for _, language, rest, text in blocks(pathlib.Path(document)):
        if language != "yaml":
            continue
        name = rest.partition("=")[2]
        names.append(name)
        content = yaml.safe_load(text)
        problems += github_problems(content) if name == "github.yml" else gitlab_problems(content)
        problems += unknown_options(text, known)
    if names != ["github.yml", "gitlab.yml"]:
        problems.append("the workflows are %s" % names)
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
