# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish():
    """Launches a kernel that breaks a rule after the last test."""
    if os.environ.get("SHIFT_BEHIND_THE_LAST_TEST"):
        import kernels
        import numpy
        kernels.Kernels().run("shift", numpy.int32(1))
