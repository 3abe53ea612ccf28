# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of Csmith as kernels. random_programs.py COUNT

Csmith writes C++ without undefined behavior: pointers to pointers, unions, records, jumps, nested loops. A program
becomes a struct whose members are its variables and functions. Each work-item has one of its own in private memory, adds
its number to the variables, so that work-items go different ways, runs it and writes a hash of all variables. The same
text, compiled for the host, says what that must be. Prints a line for each program: passed, failed, skipped or wrong."""
import pathlib
import re
import subprocess
import sys

import numpy
import pyopencl

HERE = pathlib.Path(__file__).parent
SAFE_MATH = pathlib.Path("/usr/include/csmith/safe_math.h")
ITEMS = 60
LOCAL_SIZES = (12, 20, 60)  # full and partial sub-groups
BUILDS = ((8, ""), (16, ""), (32, ""), (16, "-cl-opt-disable"), (8, "-g"))

HASH = """
  uint64_t hash;
  void mix(uint64_t value) {
    hash = (hash ^ value) * 0x100000001b3UL;
    hash ^= hash >> 29;
  }
"""
NATIVE = """
#include <stdio.h>
int main() {
  for (int number = 0; number < ITEMS; ++number) {
    Program *program = new Program();
    printf("%lu\\n", (unsigned long)program->run(number));
    delete program;
  }
}
"""
KERNEL = """
__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void k(global ulong *out) {
  Program program;
  out[get_global_id(0)] = program.run((int)get_global_id(0));
}
"""


def safe_math():
    """Its functions for integers; those for floats, the last ones, need the C library."""
    text = SAFE_MATH.read_text()
    lines = text[: text.index("#ifdef __STDC__")].splitlines()
    return "\n".join(line for line in lines if not re.match(r"\s*#\s*include|.*SAFE_MATH_H", line)) + "\n"


def random_program(seed):
    """A struct Program with `uint64_t run(int number)`."""
    options = ["--lang-cpp", "--cpp11", "--no-argc", "--no-bitfields", "--no-packed-struct", "--no-volatiles", "--quiet",
               "--concise", "--max-funcs", str(2 + seed % 5), "--max-array-len-per-dim", "6"]
    text = subprocess.run(["csmith", "--seed", str(seed), *options], capture_output=True, text=True, timeout=60,
                          check=True).stdout
    text = text[text.index("static long __undefined;\n") + len("static long __undefined;\n"):]
    text = re.sub(r"(?<=[0-9A-Fa-f])(U?)LL\b", r"\1L", text)
    body, main = text.split("int main (void)")
    type_definition = re.compile(r"^(?:(?:struct|union) [SU]\d+ \{.*?^\};|#pragma[^\n]*)\n", re.M | re.S)
    types = "".join(type_definition.findall(body))
    members = re.sub(r"^static ", "", type_definition.sub("", body), flags=re.M)
    members = re.sub(r"^\w[^=;{}\n]*\bfunc_\d+\([^;{}\n]*\);\n", "", members, flags=re.M)  # the declarations
    variables = re.findall(r"^u?int\d+_t (g_\d+) = ", members, re.M)
    changes = "".join(f"  {name} += number * {place % 5};\n" for place, name in enumerate(variables))
    main = main[main.index("{") + 1: main.rindex("}")]
    main = re.sub(r"^\s*(platform_main_\w+|crc32_gentab|return|int print_hash_value)\b.*;\n", "", main, flags=re.M)
    main = re.sub(r"if \(print_hash_value\) printf\(.*\);", "", main)
    main = re.sub(r'transparent_crc\((.*), "[^"]*", print_hash_value\);', r"mix(\1);", main)
    return (f"{types}\nstruct Program {{\n{members}{HASH}\nuint64_t run(int number) {{\n  hash = 1469598103934665603UL;\n"
            f"{changes}{main}\n  return hash;\n}}\n}};\n")


def run_natively(text, seed):
    """What work-items must write; None for a program that takes long, which many of Csmith's do without an end."""
    source, program = pathlib.Path(f"{seed}.cpp"), pathlib.Path(f"{seed}.exe")
    source.write_text(text + NATIVE.replace("ITEMS", str(ITEMS)))
    # As kernels are compiled: loops without an end stay, integers wrap, and any type may be read through any pointer.
    subprocess.run(["clang++-22", "-std=c++17", "-O1", "-w", "-Wno-c++11-narrowing", "-fno-finite-loops", "-fwrapv",
                    "-fno-strict-aliasing", source, "-o", program], check=True, capture_output=True, text=True)
    try:
        output = subprocess.run([program.resolve()], capture_output=True, text=True, timeout=2, check=True).stdout
        return numpy.array([int(line) for line in output.split()], numpy.uint64)
    except subprocess.TimeoutExpired:
        return None
    finally:
        source.unlink()
        program.unlink()


def differences(context, queue, text, expected):
    """The builds and local sizes whose results differ."""
    wrong = []
    for width, options in BUILDS:
        source = text + KERNEL.replace("WIDTH", str(width))
        kernel = pyopencl.Program(context, source).build(f"-cl-std=CLC++2021 -w -Wno-c++11-narrowing {options}").k
        for local in LOCAL_SIZES:
            got = numpy.zeros(ITEMS, numpy.uint64)
            out = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=got)
            kernel(queue, (ITEMS,), (local,), out)
            pyopencl.enqueue_copy(queue, got, out)
            if (got != expected).any():
                wrong.append(f"sub-groups of {width}, {options or 'optimized'}, local size {local}")
    return wrong


def check(context, queue, prelude, seed):
    text = prelude + random_program(seed)
    expected = run_natively(text, seed)
    if expected is None:
        return "skipped", "takes long natively"
    wrong = differences(context, queue, text, expected)
    if wrong:
        pathlib.Path(f"wrong-{seed}.clcpp").write_text(text)
    return ("wrong", "; ".join(wrong)) if wrong else ("passed", "")


def main(count):
    context = pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]])
    queue = pyopencl.CommandQueue(context)
    prelude = (HERE / "prelude.h").read_text() + safe_math()
    for seed in range(1, count + 1):
        try:
            result, detail = check(context, queue, prelude, seed)
        except Exception as error:  # whatever a compiler says
            result, detail = "failed", " ".join(str(getattr(error, "stderr", None) or error).split())[:300]
        print(result, f"program-{seed}", detail, flush=True)


main(int(sys.argv[1]))
