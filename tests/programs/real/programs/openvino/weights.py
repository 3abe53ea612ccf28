# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights and activations in the number formats that networks are shipped in."""
import numpy as np
import openvino as ov
from openvino import opset13 as op

FORMATS = ["f32", "f16", "int8", "int4"]
GROUP = 32  # weights that share a scale, in 4 bits


class Format:
    """Makes weights, always the same ones, in a format; and says where activations are quantized."""

    def __init__(self, name, seed=1):
        self.name = name
        self.random = np.random.default_rng(seed)
        self.has_weights = False

    def weights(self, *shape, scale=None, outer=1):
        """Weights of a matrix or convolution. The first `outer` dimensions are of outputs; products keep the variance."""
        values = self.values(shape, scale or 1.0 / np.sqrt(np.prod(shape[outer:])))
        return quantized(values, outer) if self.name == "int8" else self.stored(values)

    def compressed(self, *shape):
        """The same where both plugins want weights that are widened to float before they are used."""
        values = self.values(shape, 1.0 / np.sqrt(shape[1]))
        return eight_bits(values) if self.name == "int8" else self.stored(values)

    def values(self, shape, scale):
        self.has_weights = True
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def stored(self, values):
        return four_bits(values) if self.name == "int4" else self.constant(values)

    def constant(self, values):
        """Biases, scales and other small tensors."""
        values = np.asarray(values, dtype=np.float32)
        if self.name == "f32":
            return op.constant(values)
        return op.convert(op.constant(values.astype(np.float16)), "f32")

    def vector(self, *shape, around=0.0, spread=0.1):
        return self.constant(around + spread * self.random.standard_normal(shape))

    def activation(self, x, low=-4.0, high=4.0):
        """What goes into a matrix or convolution."""
        if self.name != "int8":
            return x
        ends = [np.float32(low), np.float32(high)]
        return op.fake_quantize(x, *ends, *ends, 256)


def quantized(values, outer):
    """In 8 bits, with a scale for each output."""
    axes = tuple(range(outer, values.ndim))
    end = np.abs(values).max(axis=axes, keepdims=True)
    return op.fake_quantize(values, -end, end, -end, end, 255)


def eight_bits(values):
    """In 8 bits, to be multiplied with a scale for each output."""
    scale = (np.abs(values).max(axis=1, keepdims=True) / 127.0).astype(np.float32)
    return op.multiply(op.convert(op.constant(np.round(values / scale).astype(np.int8)), "f32"), op.constant(scale))


def four_bits(values):
    """In 4 bits, unsigned, with a scale and a zero point for each group of a row, as large language models have it."""
    rows = values.reshape(values.shape[0], -1)
    group = next(size for size in (GROUP, rows.shape[1]) if rows.shape[1] % size == 0)
    groups = rows.reshape(rows.shape[0], -1, group)
    low, high = groups.min(axis=2, keepdims=True), groups.max(axis=2, keepdims=True)
    scale = ((high - low) / 15.0).astype(np.float16)
    zero = np.clip(np.round(-low / scale), 0, 15).astype(np.uint8)
    numbers = np.clip(np.round(groups / scale) + zero, 0, 15).astype(np.uint8)
    centered = op.subtract(op.convert(packed(numbers), "f16"), op.convert(packed(zero), "f16"))
    scaled = op.multiply(centered, op.constant(scale))
    return op.convert(op.reshape(scaled, np.array(values.shape, dtype=np.int64), False), "f32")


def packed(numbers):
    """A constant of type u4, two numbers a byte."""
    flat = numbers.ravel()
    flat = np.concatenate([flat, np.zeros(flat.size % 2, dtype=np.uint8)])
    data = (flat[0::2] | (flat[1::2] << 4)).astype(np.uint8)
    return op.constant(ov.Tensor(data, list(numbers.shape), ov.Type.u4), shared_memory=False)
