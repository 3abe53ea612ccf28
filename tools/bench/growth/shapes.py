#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes OpenCL C kernels whose compilation grows with their size: shapes.py SHAPE N.

Each is `k(global uint *o, global const uint *a)`, for 64 work-items in a work-group and 4096 values to read.
"""
import random
import sys

HEAD = "kernel void k(global uint *o, global const uint *a) {\n  uint i = get_global_id(0), x = a[i], y = i;\n"
TAIL = "  o[i] = x ^ y;\n}\n"


def statements(n, choose):
    """Straight statements over 64 variables, every fiftieth in a branch."""
    lines = [f"  uint v{j} = a[i * 64 + {j}];\n" for j in range(64)]
    for j in range(n):
        to, left, right = (f"v{choose.randrange(64)}" for _ in range(3))
        line = choose.choice([f"{to} = {left} * 3u + {right};", f"{to} ^= {left} >> 5;",
                              f"{to} = {left} > {right} ? {left} - {to} : {right};"])
        lines.append(f"  if ({left} > {right}) {{ {line} }}\n" if j % 50 == 49 else f"  {line}\n")
    return HEAD + "".join(lines) + "  x = " + " ^ ".join(f"v{j}" for j in range(64)) + ";\n" + TAIL


def terms(n, choose):
    """One expression, of terms with conditions."""
    parts = [f"(x > {choose.randrange(1000)}u ? y * {choose.randrange(99)}u + {j}u : x ^ {choose.randrange(9999)}u)"
             for j in range(n)]
    return HEAD + "  x = " + " + ".join(parts) + ";\n" + TAIL


def accesses(n, _choose):
    """N values that are read, each from another address, and N that are written."""
    lines = [f"  x = x * 3u + a[i + {j}]; s[l + {j % 64 * 64}] = x ^ {j}u;\n" for j in range(n)]
    return HEAD + "  local uint s[4096];\n  uint l = get_local_id(0);\n" + "".join(lines) + "  y = s[l * 63];\n" + TAIL


def cases(numbers, choose):
    """A switch that each work-item takes its own way through."""
    lines = [f"  case {number}: y = x * {choose.randrange(1 << 30) | 1}u + {choose.randrange(999)}u; break;\n"
             for number in numbers]
    return HEAD + "  switch (x) {\n" + "".join(lines) + "  default: y = 1;\n  }\n" + TAIL


def dense(n, choose):
    """A switch over the numbers from 0 to N - 1."""
    return cases(range(n), choose)


def sparse(n, choose):
    """A switch over any N numbers."""
    return cases(choose.sample(range(1 << 31), n), choose)


def machine(n, choose):
    """A state machine of N states."""
    text = HEAD + f"  uint s = x % {n}u;\n  for (uint turn = 0; turn < 100; ++turn) switch (s) {{\n"
    for j in range(n):
        text += (f"  case {j}: x = x * {choose.randrange(1 << 30) | 1}u + y; y ^= {choose.randrange(999)}u;"
                 f" s = x & {1 << choose.randrange(20)}u ? {choose.randrange(n)}u : {choose.randrange(n)}u; break;\n")
    return text + "  }\n" + TAIL


def interpreter(n, choose):
    """A loop around a switch of N instructions, which differ between work-items."""
    forms = ["x += {0}u;", "x ^= {0}u;", "x = rotate(x, {1}u) * {0}u;", "y += x;", "t[{1} & 7] += x;",
             "if (x & {2}u) y = x + {0}u; else x += y;"]
    text = HEAD + "  uint t[8] = {0};\n  for (uint turn = 0; turn < 64; ++turn) switch (a[(x + turn) & 1023]) {\n"
    for j in range(n):
        line = choose.choice(forms).format(choose.randrange(1 << 30) | 1, choose.randrange(1, 31),
                                           1 << choose.randrange(31))
        text += f"  case {j}: {line} break;\n"
    return text + "  default: x = ~x;\n  }\n  x += t[y & 7];\n" + TAIL


def gotos(n, choose):
    """N labels, each with a jump to any other one."""
    lines = [f"L{j}: x = x * {2 * j + 3}u + y; if (++y > 4096u) goto end; if (x >> {j % 29} & 1) goto"
             f" L{choose.randrange(n)};\n" for j in range(n)]
    return HEAD + "".join(lines) + "end:;\n" + TAIL


def chain(n, _choose):
    """N functions, each of which calls the one before."""
    text = "uint f0(uint x) { return x * 2654435761u; }\n"
    for j in range(1, n + 1):
        text += f"uint f{j}(uint x) {{ return (f{j - 1}(x ^ {j}u) * {2 * j + 1}u) ^ (x >> {j % 30 + 1}); }}\n"
    return text + HEAD + f"  x = f{n}(x);\n" + TAIL


def doubling(n, _choose):
    """N functions, each of which calls the one before twice."""
    text = "uint f0(uint x, global const uint *t) { return (x * 2654435761u) ^ t[x & 63]; }\n"
    for j in range(1, n + 1):
        text += (f"uint f{j}(uint x, global const uint *t)"
                 f" {{ uint y = f{j - 1}(x, t); return f{j - 1}(y ^ {j}u, t) + y; }}\n")
    return text + HEAD + f"  x = f{n}(x, a);\n" + TAIL


def called(n, _choose):
    """A function of 120 statements that is called N times."""
    body = "".join(f"  if (x >> {j % 31} & 1) s += x * {2 * j + 1}u; else s ^= x >> {j % 13 + 1};\n"
                   f"  x = x * 1664525u + {j}u;\n" for j in range(60))
    calls = "".join(f"  x += f(x, {j}u);\n" for j in range(n))
    return "uint f(uint x, uint n) {\n  uint s = n;\n" + body + "  return s;\n}\n" + HEAD + calls + TAIL


def barriers(n, _choose):
    """N barriers, each between a write and a read of local memory."""
    lines = [f"  s[{j % 2}][l] = x + {j}u; barrier(CLK_LOCAL_MEM_FENCE);"
             f" x ^= s[{j % 2}][(l + {j * 7 % 61 + 1}u) & 63] * 3u;\n" for j in range(n)]
    return HEAD + "  local uint s[2][64];\n  uint l = get_local_id(0);\n" + "".join(lines) + TAIL


def table(n, choose):
    """A constant table of N numbers."""
    numbers = ",".join(str(choose.randrange(1 << 31)) for _ in range(n))
    return f"constant uint t[{n}] = {{{numbers}}};\n" + HEAD + f"  x = t[x % {n}u];\n" + TAIL


SHAPES = {shape.__name__: shape for shape in (statements, terms, accesses, dense, sparse, machine, interpreter, gotos,
                                              chain, doubling, called, barriers, table)}


def write(shape, n):
    return SHAPES[shape](n, random.Random(n))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES:
        sys.exit(__doc__ + "\n" + "\n".join(f"  {name:12} {shape.__doc__}" for name, shape in SHAPES.items()))
    print(write(sys.argv[1], int(sys.argv[2])), end="")
