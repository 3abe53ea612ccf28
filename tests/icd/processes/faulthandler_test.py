#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel crashes in a Python program whose faulthandler was enabled before the first launch, or later: the fault is
described, the traceback is there, and the signal is what the process dies of."""
import ctypes
import faulthandler
import signal
import subprocess
import sys

SOURCE = b"kernel void far(global int *p, long by) { p[get_global_id(0) + by] = 1; }"


class OpenCL:
    """Functions by name, with errors as exceptions. Handles and pointers are integers."""

    def __init__(self):
        self.library = ctypes.CDLL("libOpenCL.so.1")

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise RuntimeError("%s: %d" % (name, code))

    def make(self, name, *arguments):
        function = getattr(self.library, name)
        function.restype = ctypes.c_void_p
        code = ctypes.c_int()
        made = function(*arguments, ctypes.byref(code))
        if code.value != 0:
            raise RuntimeError("%s: %d" % (name, code.value))
        return ctypes.c_void_p(made)


def launch(cl, queue, kernel, by):
    offset = ctypes.c_int64(by)
    cl.call("clSetKernelArg", kernel, 1, ctypes.c_size_t(8), ctypes.byref(offset))
    size = ctypes.c_size_t(64)
    cl.call("clEnqueueNDRangeKernel", queue, kernel, 1, None, ctypes.byref(size), None, 0, None, None)
    cl.call("clFinish", queue)


def crash(when):
    if when == "before":
        faulthandler.enable()
    cl = OpenCL()
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    cl.call("clGetPlatformIDs", 1, ctypes.byref(platform), None)
    every_device = ctypes.c_uint64(0xFFFFFFFF)
    cl.call("clGetDeviceIDs", platform, every_device, 1, ctypes.byref(device), None)
    context = cl.make("clCreateContext", None, 1, ctypes.byref(device), None, None)
    queue = cl.make("clCreateCommandQueueWithProperties", context, device, None)
    text = ctypes.c_char_p(SOURCE)
    program = cl.make("clCreateProgramWithSource", context, 1, ctypes.byref(text), None)
    cl.call("clBuildProgram", program, 1, ctypes.byref(device), None, None, None)
    kernel = cl.make("clCreateKernel", program, ctypes.c_char_p(b"far"))
    buffer = cl.make("clCreateBuffer", context, ctypes.c_uint64(1), ctypes.c_size_t(256), None)
    cl.call("clSetKernelArg", kernel, 0, ctypes.c_size_t(8), ctypes.byref(buffer))
    launch(cl, queue, kernel, 0)
    if when == "later":
        faulthandler.enable()
    launch(cl, queue, kernel, 1 << 40)


def main(when):
    child = subprocess.run([sys.executable, __file__, "crash", when], stderr=subprocess.PIPE, text=True, check=False)
    problems = []
    if child.returncode != -signal.SIGSEGV:
        problems.append("it ended with %d" % child.returncode)
    for part in ["SIGSEGV in kernel 'far'", "Fatal Python error: Segmentation fault", "in launch"]:
        if child.stderr.count(part) != 1:
            problems.append("not once: %s" % part)
    if problems:
        sys.exit("\n".join(problems) + "\n" + child.stderr)


if __name__ == "__main__":
    if sys.argv[1] == "crash":
        crash(sys.argv[2])
    else:
        main(sys.argv[1])
