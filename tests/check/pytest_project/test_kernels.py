# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Without --lanecl-check all of these tests pass, except for the one that fails by itself. Their names say what becomes
of them with it, which pytest_test.py compares."""
import os
import subprocess
import sys

import kernels
import numpy
import pytest


def shift(distance):
    kernels.Kernels().run("shift", numpy.int32(distance))


def swap(lane):
    kernels.Kernels().run("swap", numpy.uint32(lane))


@pytest.fixture
def shifted():
    shift(2)
    yield
    shift(3)


@pytest.fixture(scope="module")
def shared():
    own = kernels.Kernels()
    yield own


def test_passes():
    shift(0)


def test_fails():
    shift(1)


def test_fails_at_the_same_place():
    shift(4)


def test_passes_behind_them():
    shift(0)


@pytest.mark.parametrize("distance", [0, 5, 0, 6], ids=["passes", "fails", "passes_too", "fails_too"])
def test_parametrized(distance):
    shift(distance)


@pytest.mark.parametrize("distance", [0, 7], ids=["passes", "fails"])
def test_shared(shared, distance):
    shared.run("shift", numpy.int32(distance))


def test_passes_with_a_warning():
    swap(40)


def test_has_errors_of_its_fixture(shifted):
    shift(0)


@pytest.mark.xfail
def test_fails_as_expected():
    shift(8)


def test_fails_instead_of_being_skipped():
    shift(9)
    pytest.skip("it has no more to do")


def test_is_skipped():
    pytest.skip("it has nothing to do")


def test_fails_by_itself():
    shift(10)
    assert not "found"


class TestClass:
    def test_fails_in_a_class(self):
        shift(11)


def test_fails_in_a_child():
    subprocess.run([sys.executable, "-c", "import test_kernels; test_kernels.shift(12)"], check=True,
                   cwd=os.path.dirname(__file__))


def test_passes_in_a_child():
    subprocess.run([sys.executable, "-c", "import test_kernels; test_kernels.shift(0)"], check=True,
                   cwd=os.path.dirname(__file__))
