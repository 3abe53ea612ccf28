# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --lanecl-check: a test fails when a kernel that it launched breaks a rule of `lanecl check`.

pytest finds this module by itself where the package lanecl is installed. The options are those of `lanecl check` and
`lanecl --device`. The module runs that command once, to have the options checked and to learn which variables they set.
"""
import collections
import ctypes
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

import pytest

import lanecl

_FOLDER = "LANECL_CHECK_REPORT"
_PREFIX = "lanecl-pytest-"  # of the folders that this module makes


class _Option:
    def __init__(self, name, help, **how):
        self.name, self.help, self.how = name, help, how
        self.field = "lanecl_" + name.replace("-", "_")


# The options that are passed to `lanecl check` unchanged.
_PASSED_ON = [
    _Option("checks", "groups of checks, separated by commas, such as all,races", metavar="GROUPS"),
    _Option("sources", "folder with the kernels' sources", metavar="FOLDER"),
    _Option("suppressions", "file that lists findings not to report", metavar="FILE"),
    _Option("error", "rule whose violation is an error", metavar="RULE", action="append"),
    _Option("warning", "rule whose violation is a warning", metavar="RULE", action="append"),
    _Option("ignore", "rule whose violations are not reported", metavar="RULE", action="append"),
]


def pytest_addoption(parser):
    group = parser.getgroup("lanecl", "LaneCL: OpenCL on the CPU, with checks of kernels")
    group.addoption("--lanecl-device", metavar="NAME",
                    help="run kernels on this device; `lanecl devices` lists the names")
    group.addoption("--lanecl-check", action="store_true",
                    help="let tests fail whose kernels break rules that a GPU does not forgive, as `lanecl check` "
                         "finds them")
    group.addoption("--lanecl-fail-on", choices=("error", "warning"), default="error",
                    help="with --lanecl-check: what makes a test fail; by default errors")
    group.addoption("--lanecl-require-launch", action="store_true",
                    help="with --lanecl-check: fail if no kernel was launched on this device")
    for option in _PASSED_ON:
        group.addoption("--lanecl-" + option.name, dest=option.field, help="with --lanecl-check: " + option.help,
                        **option.how)


def _counted(count, noun):
    """Returns the number and the noun, which has a regular plural: 1 error, 2 launches."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith('ch') else 's'}"


def _words(options):
    """Returns the words of the `lanecl` command line that has the same effect."""
    words = ["--device", options.lanecl_device] if options.lanecl_device else []
    if not options.lanecl_check:
        return words
    words.append("check")
    for option in _PASSED_ON:
        given = getattr(options, option.field)
        for value in given if isinstance(given, list) else [given] if given else []:
            words += ["--" + option.name, value]
    return words


def _environment(options):
    """Returns the variables that the command sets. Raises a usage error with the command's message when an option is
    wrong."""
    words = _words(options)
    command = [lanecl.command(), *words, "env", "-0"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env={name: value for name, value in os.environ.items() if name != _FOLDER})
    if done.returncode != 0:
        raise pytest.UsageError(f"lanecl {shlex.join(words)}: {done.stderr.strip()}")
    variables = dict(entry.split("=", 1) for entry in done.stdout.split("\0") if entry)
    return {name: value for name, value in variables.items()
            if name.startswith(("LANECL_", "OCL_ICD_")) and name != _FOLDER}


# Runs before conftest.py, which may ask OpenCL for its platforms.
@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    options = early_config.known_args_namespace
    if options.lanecl_check or options.lanecl_device:
        os.environ.update(_environment(options))
    if options.lanecl_check:
        early_config.pluginmanager.register(_Checker(options), "lanecl_checker")


class _Checker:
    def __init__(self, options):
        self.least = options.lanecl_fail_on
        self.requires_launch = options.lanecl_require_launch
        # The folder of `lanecl check pytest`, whose report is to have every finding, or that of the pytest process
        # which has started this worker, or None.
        self.before = os.environ.get(_FOLDER)
        self.is_worker = self.before is not None and pathlib.Path(self.before).name.startswith(_PREFIX)
        self.is_own = self.before is None or self.is_worker
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self.before) if self.is_own else self.before)
        os.environ[_FOLDER] = str(self.folder)
        self.counts = collections.Counter()  # how often each finding of a child process has been taken
        self.reported = []  # pairs of a test and a finding

    def _take_own(self):
        """Returns what kernels of this process have broken since the last call."""
        try:
            library = ctypes.CDLL(lanecl.path(), mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        except OSError:  # the process has not used OpenCL so far
            return []
        found = []
        receiver = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: found.append(json.loads(text)))
        library.laneclTakeFindings(receiver)
        return found

    def _take_of_children(self):
        """Returns what kernels of a test's child processes have broken since the last call. Under `lanecl check` there
        is nothing to return, because that command reports these findings itself."""
        found = []
        for file in sorted(self.folder.glob("*.findings")) if self.is_own else []:
            if file.stem == str(os.getpid()):
                continue
            for line in file.read_text(errors="replace").splitlines():
                try:
                    finding = json.loads(line)
                except ValueError:  # the process was killed while it wrote the line
                    continue
                key = (file.name, *(finding[name] for name in ("rule", "kernel", "function", "file", "line", "column")))
                times, self.counts[key] = finding["sub_groups"] - self.counts[key], finding["sub_groups"]
                if times > 0 and finding["suppressed_by"] == 0 and finding["severity"] != "ignored":
                    found.append(finding)
        return found

    def _fails(self, finding):
        return finding["severity"] == "error" or self.least == "warning"

    # This wrapper is outside of pytest's own wrappers, which see the failure as if the test had raised it. Marks such
    # as xfail therefore work as usual.
    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        found = self._take_own() + self._take_of_children()
        text = "\n".join(finding["text"] for finding in found)
        if any(map(self._fails, found)) and (call.excinfo is None or call.excinfo.errisinstance(pytest.skip.Exception)):
            call.excinfo = _failure(text)
        elif found:
            item.add_report_section(call.when, "LaneCL check", text)
        outcome = yield
        outcome.get_result().lanecl_findings = found  # pytest-xdist passes it on to the main process

    def pytest_runtest_logreport(self, report):
        self.reported += [(report.nodeid, finding) for finding in getattr(report, "lanecl_findings", [])]

    def _launches(self):
        return sum(int.from_bytes(file.read_bytes(), "little") for file in self.folder.rglob("*.launches"))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        # These are findings of kernels that the last test has not waited for. A worker reports tests only, so they
        # count for its exit status.
        late = self._take_own() + self._take_of_children()
        self.reported += [("after the last test", finding) for finding in late]
        if any(map(self._fails, late)):
            exitstatus = session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self.requires_launch and not self.is_worker and self._launches() == 0 and exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        severities = collections.Counter(finding["severity"] for _, finding in self.reported)
        terminalreporter.section("LaneCL check")
        for test, finding in self.reported:
            place = f"{finding['file']}:{finding['line']}: " if finding["line"] else ""
            where = f" in kernel '{finding['kernel']}'" if finding["kernel"] else ""
            terminalreporter.line(f"{test}: {place}{finding['severity']}: {finding['rule']}{where}")
        terminalreporter.line(f"{_counted(severities['error'], 'error')}, "
                              f"{_counted(severities['warning'], 'warning')}; {_counted(self._launches(), 'launch')}")
        if self._launches() == 0:
            terminalreporter.line("no kernel was launched on this device" +
                                  (", which is an error (--lanecl-require-launch)" if self.requires_launch else ""))

    def pytest_unconfigure(self):
        if self.before is None:
            del os.environ[_FOLDER]
        else:
            os.environ[_FOLDER] = self.before
        if self.is_own and not self.is_worker:  # a worker's folder is counted by the main process at the end
            shutil.rmtree(self.folder, ignore_errors=True)


def _failure(text):
    try:
        pytest.fail(text, pytrace=False)
    except pytest.fail.Exception:
        return pytest.ExceptionInfo.from_current()
