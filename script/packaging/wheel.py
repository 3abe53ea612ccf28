#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py TREE VERSION FOLDER: makes a wheel of a portable tree (script/package) and prints its path.

The platform's tag is computed: the highest version of glibc that any file asks for, and nothing from outside but what
every distribution of that time has (the list of PEP 600's policies).
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
OUTSIDE = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"}
# For each version of glibc, the newest symbol versions that other libraries had in distributions of that time. These
# are auditwheel's policies.
POLICIES = {
    (2, 34): {"GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (11, 0, 0)},
    (2, 35): {"GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)},
    (2, 36): {"GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)},
}

METADATA = """\
Metadata-Version: 2.1
Name: lanecl
Version: {version}
Summary: OpenCL 3.1 on the CPU with Intel's sub-groups as vector lanes
License: Apache-2.0 WITH LLVM-exception
Keywords: OpenCL,sub-groups,CPU
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.8
Provides-Extra: pyopencl
Requires-Dist: pyopencl; extra == "pyopencl"
Description-Content-Type: text/markdown

An OpenCL 3.1 device made of the processor (x86-64): a sub-group of 8, 16 or 32 work-items is 8, 16 or 32 lanes of AVX2
or AVX-512 registers. For developing sub-group kernels without an Intel GPU, and for testing them in continuous
integration.

    pip install lanecl pyopencl

is all that pyopencl needs to find it. `lanecl PROGRAM` runs any other OpenCL program on the device, `lanecl info` shows
it, `lanecl compile FILE.cl --report` shows what becomes of a kernel. With `pytest --lanecl-check` tests fail whose kernels
break rules that a GPU does not forgive. `lanecl.path()` is what OCL_ICD_VENDORS takes.

SPIR-V is read by llvm-spirv of LLVM 15, which this package does not bring: install Debian's `llvm-spirv-15`, or name
another one in LANECL_SPIRV_TRANSLATOR.
"""


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def platform_tag(binaries):
    """Returns the tag of all files. Fails if one needs a library that is neither in the wheel nor everywhere."""
    own = {binary.name for binary in binaries}
    needs = {name: (0,) for name in ("GLIBC", "GLIBCXX", "CXXABI", "GCC")}
    for binary in binaries:
        for library in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", str(binary))):
            if library not in own | OUTSIDE:
                sys.exit(f"error: {binary} needs {library}, which is not in the tree")
        for name, version in re.findall(r"\b(GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)", output("objdump", "-T", str(binary))):
            needs[name] = max(needs[name], tuple(map(int, version.split("."))))
    for glibc, newest in sorted(POLICIES.items()):
        if needs["GLIBC"] <= glibc and all(needs[name] <= version for name, version in newest.items()):
            break
    else:
        sys.exit(f"error: no platform tag is known for {needs}")
    return f"manylinux_{glibc[0]}_{glibc[1]}_x86_64"


class Wheel:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.record = []

    def add(self, name, content, executable=False):
        info = zipfile.ZipInfo(name)  # dated 1980: the same tree gives the same wheel
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")

    def close(self, info):
        self.zip.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join(self.record) + f"{info}/RECORD,,\n")
        self.zip.close()


def main():
    tree, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    binaries = [path for path in tree.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    tag = f"py3-none-{platform_tag(binaries)}"
    path = folder / f"lanecl-{version}-{tag}.whl"
    info, data = f"lanecl-{version}.dist-info", f"lanecl-{version}.data/data"
    wheel = Wheel(path)
    wheel.add("lanecl/__init__.py", (HERE / "python/lanecl.py").read_text().replace("@VERSION@", version).encode())
    wheel.add("lanecl/pytest_plugin.py", (HERE.parents[1] / "tools/pytest/pytest_plugin.py").read_bytes())
    wheel.add("lanecl/__main__.py", b"from lanecl import main\n\nmain()\n")
    # pyopencl's loader looks beside itself. $ORIGIN is its own folder, as it is the one that loads the library.
    wheel.add("pyopencl/.libs/lanecl.icd", b"$ORIGIN/../../lanecl/lib/lanecl/liblanecl.so\n")
    for file in sorted(path for path in tree.rglob("*") if path.is_file()):
        name = file.relative_to(tree).as_posix()
        if name.startswith("etc/"):
            continue
        if name.startswith("share/doc/lanecl/"):
            target = f"{info}/licenses/{name[len('share/doc/lanecl/'):]}"
        elif name.startswith(("share/man/", "share/bash-completion/")):
            target = f"{data}/{name}"
        else:
            target = f"lanecl/{name}"
        wheel.add(target, file.read_bytes(), executable=name.startswith("bin/"))
    wheel.add(f"{info}/METADATA", METADATA.format(version=version).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: lanecl\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\nlanecl = lanecl:main\n\n[pytest11]\nlanecl = lanecl.pytest_plugin\n")
    wheel.add(f"{info}/top_level.txt", b"lanecl\n")
    wheel.close(info)
    print(path)


main()
