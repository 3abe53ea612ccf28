# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import pyopencl


def test_the_device_is_the_one_that_was_asked_for():
    names = [device.name for platform in pyopencl.get_platforms() for device in platform.get_devices()]
    assert [os.environ["EXPECTED_DEVICE"] in name for name in names] == [True]
