#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes SPIR-V modules of OpenCL C: FOLDER/clang-O0.spv by Clang's SPIR-V target and, of that, FOLDER/translator-1.1-O0.spv
and FOLDER/translator-1.4-O0.spv by llvm-spirv; the same with -O2.
"""
import argparse
import pathlib
import re
import subprocess


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def without_null_integers(module, tools):
    """llvm-spirv of LLVM 15 knows no OpConstantNull of an integer type, which Clang writes for 0."""
    text = run(tools / "spirv-dis", "--raw-id", module, capture_output=True, text=True).stdout
    integers = set(re.findall(r"(%\d+) = OpTypeInt", text))
    text = re.sub(r"OpConstantNull (%\d+)",
                  lambda null: f"OpConstant {null[1]} 0" if null[1] in integers else null[0], text)
    plain = module.with_suffix(".plain.spv")
    run(tools / "spirv-as", "--target-env", "spv1.4", "-", "-o", plain, input=text, text=True)
    return plain


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("clang", "translator", "tools", "source", "folder"):
        parser.add_argument(name, type=pathlib.Path)
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    for level in ("-O0", "-O2"):
        module, bitcode = given.folder / f"clang{level}.spv", given.folder / f"translated{level}.bc"
        run(given.clang, "--target=spirv64-unknown-unknown", "-cl-std=CL3.0", level, "-Xclang",
            "-finclude-default-header", "-c", given.source, "-o", module)
        run(given.translator, "-r", without_null_integers(module, given.tools), "-o", bitcode)
        for version in ("1.1", "1.4"):
            run(given.translator, bitcode, f"--spirv-max-version={version}", "-o",
                given.folder / f"translator-{version}{level}.spv")


main()
