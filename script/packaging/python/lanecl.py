# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LaneCL: OpenCL 3.1 on the CPU with Intel's sub-groups as vector lanes.

pyopencl of the package index finds the device by itself. Programs and loaders of the system are told of it:

    lanecl ./program                            the command of this package runs any program on the device
    subprocess.run(..., env=lanecl.environment())    the same from Python
    os.environ["OCL_ICD_VENDORS"] = lanecl.path()    before OpenCL is first used in this process
"""
import os
import pathlib
import sys

__version__ = "@VERSION@"

_HERE = pathlib.Path(__file__).resolve().parent
_LIBRARY = _HERE / "lib" / "lanecl" / "liblanecl.so"


def path():
    """What OCL_ICD_VENDORS (of ocl-icd) and OCL_ICD_FILENAMES (of Khronos' loader) take: the path of the library.

    Both take a library in place of an .icd file. For a folder of .icd files, see write_icd().
    """
    return str(_LIBRARY)


def command():
    """The path of the program lanecl, for subprocess."""
    return str(_HERE / "bin" / "lanecl")


def write_icd(folder):
    """Writes lanecl.icd into a folder, beside those of other platforms for example, and returns the folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lanecl.icd").write_text(f"{_LIBRARY}\n")
    return str(folder)


def environment():
    """A copy of the environment in which a program sees this device and no other."""
    return {**os.environ, "OCL_ICD_VENDORS": path(), "OCL_ICD_FILENAMES": path()}


def main():
    """The command lanecl."""
    os.execv(command(), ["lanecl", *sys.argv[1:]])
