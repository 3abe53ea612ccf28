# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models on OpenVINO's GPU plugin and compares with its CPU plugin in float.

compare.py [MODEL…]: by default all; each is NAME or NAME-FORMAT. Prints KIND MODEL DETAIL, one a line. Each model runs
in a process of its own, which may crash or not end.
"""
import os
import signal
import sys

import numpy as np
import openvino as ov
from layers import LAYERS
from networks import NETWORKS
from openvino import opset13 as op
from weights import FORMATS, Format

SECONDS = 600
# What the largest difference, as a part of the largest value, may be, and the root of their mean square.
TOLERANCES = {"f32": (2e-4, 2e-5), "f16": (2e-2, 5e-3), "int8": (2e-2, 1e-2), "int4": (2e-2, 5e-3)}


def make(name, format_name):
    """The model and inputs for it. None where a model has nothing that the format changes."""
    function, shapes, integers, *dynamic = {**LAYERS, **NETWORKS}[name]
    made_for = Format(format_name)
    parameters = []
    for at, shape in enumerate(shapes):
        open_dimensions = dynamic[0].get(at, []) if dynamic else []
        parameters.append(op.parameter([-1 if i in open_dimensions else n for i, n in enumerate(shape)], np.float32))
    result = function(made_for, *[parameter.output(0) for parameter in parameters])
    if format_name == "int4" and not made_for.has_weights:
        return None
    random = np.random.default_rng(7)
    inputs = [random.integers(0, integers[at], shape).astype(np.float32) if at in integers
              else random.standard_normal(shape).astype(np.float32) for at, shape in enumerate(shapes)]
    return ov.Model([result], parameters, name), inputs


def run(model, inputs, device, precision, **options):
    compiled = ov.Core().compile_model(model, device, {"INFERENCE_PRECISION_HINT": precision, **options})
    first = compiled(inputs)[0].copy()
    again = compiled(inputs)[0].copy()
    return first, again


def judge(got, again, expected, limits):
    """Kind and detail of the result."""
    if got.shape != expected.shape:
        return "wrong", f"shape {got.shape} instead of {expected.shape}"
    got, again, expected = [each.astype(np.float64) for each in (got, again, expected)]
    if not np.isfinite(expected).all():
        return "failed", "the reference is not finite"
    if not np.isfinite(got).all():
        return "wrong", f"{np.count_nonzero(~np.isfinite(got))} values are not finite"
    if not np.array_equal(got, again):
        return "wrong", f"another result the second time, by {np.abs(got - again).max():.2g}"
    largest, mean = differences(got, expected)
    right = largest <= limits[0] and mean <= limits[1]
    return "passed" if right else "wrong", f"differs by {largest:.2g} at most, {mean:.2g} on average"


def differences(got, expected):
    scale = max(np.abs(expected).max(), 1e-6)
    return np.abs(got - expected).max() / scale, np.sqrt(np.mean((got - expected) ** 2)) / scale


def compare(name, format_name):
    made = make(name, format_name)
    if made is None:
        return None
    expected, _ = run(*made, "CPU", "f32", LP_TRANSFORMS_MODE=False)
    limits = TOLERANCES[format_name]
    if format_name == "int8":
        limits = np.maximum(limits, 2 * np.array(of_quantization(name, *made, expected)))
    got, again = run(*made, "GPU", "f32" if format_name == "f32" else "f16")
    return judge(got, again, expected, limits)


def of_quantization(name, model, inputs, expected):
    """Differences that 8 bits make: of the CPU plugin's own 8-bit kernels, and of the network without quantization. A
    value that is rounded to the other neighbor makes as large ones."""
    kernels, _ = run(model, inputs, "CPU", "f32")
    full, _ = run(*make(name, "f32"), "CPU", "f32")
    pairs = [differences(got, expected) for got in (kernels, full) if got.shape == expected.shape]
    return np.max(pairs, axis=0)


def compare_apart(name, format_name):
    """As `compare`, in a process that may crash or hang."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            result = compare(name, format_name)
            said = "nothing" if result is None else " ".join(result)
        except Exception as error:  # whatever OpenVINO throws
            said = "failed " + " ".join(str(error).split())[:300]
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    said = b""
    while part := os.read(reading, 4096):
        said += part
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if status:
        return "failed ended by signal " + str(os.WTERMSIG(status))
    return said.decode()


def main():
    chosen = sys.argv[1:]
    for name in [*LAYERS, *NETWORKS]:
        for format_name in FORMATS:
            model = f"{name}-{format_name}"
            if chosen and name not in chosen and model not in chosen:
                continue
            said = compare_apart(name, format_name)
            if said != "nothing":
                kind, _, detail = said.partition(" ")
                print(kind, model, detail, flush=True)


main()
