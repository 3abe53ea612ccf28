# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of one layer each. A function makes one; its parameter is the format of weights and activations."""
import numpy as np
from openvino import opset13 as op

LAYERS = {}


def layer(*shapes, integers=None):
    """The function gets a parameter for each shape. Those that `integers` names hold integers below its limit."""

    def add(function):
        LAYERS[function.__name__] = (function, shapes, integers or {})
        return function

    return add


def ints(*values):
    return op.constant(np.array(values, dtype=np.int64))


@layer((1, 16, 20, 20))
def convolution(f, x):
    y = op.convolution(f.activation(x), f.weights(24, 16, 3, 3), [1, 1], [1, 1], [1, 1], [1, 1])
    return op.add(y, f.vector(1, 24, 1, 1))


@layer((2, 3, 33, 35))
def convolution_strided(f, x):
    return op.convolution(f.activation(x), f.weights(32, 3, 7, 7), [2, 2], [3, 3], [3, 3], [1, 1])


@layer((1, 64, 14, 14))
def convolution_1x1(f, x):
    return op.convolution(f.activation(x), f.weights(48, 64, 1, 1), [1, 1], [0, 0], [0, 0], [1, 1])


@layer((1, 32, 15, 15))
def convolution_depthwise(f, x):
    return op.group_convolution(f.activation(x), f.weights(32, 1, 1, 3, 3, outer=2), [1, 1], [1, 1], [1, 1], [1, 1])


@layer((1, 32, 12, 12))
def convolution_grouped(f, x):
    return op.group_convolution(f.activation(x), f.weights(4, 16, 8, 3, 3, outer=2), [2, 2], [1, 1], [1, 1], [1, 1])


@layer((1, 4, 6, 10, 12))
def convolution_3d(f, x):
    return op.convolution(f.activation(x), f.weights(16, 4, 3, 3, 3), [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1])


@layer((1, 16, 9, 9))
def deconvolution(f, x):
    return op.convolution_backprop_data(f.activation(x), f.weights(16, 8, 4, 4), [2, 2], None, [1, 1], [1, 1], [1, 1])


@layer((5, 96))
def fully_connected(f, x):
    y = op.matmul(f.activation(x), f.weights(80, 96), False, True)
    return op.add(y, f.vector(1, 80))


@layer((1, 128))
def matrix_times_vector(f, x):
    return op.matmul(f.activation(x), f.weights(256, 128), False, True)


@layer((2, 3, 24, 32), (2, 3, 32, 40))
def matrix_product(f, a, b):
    return op.matmul(f.activation(a), f.activation(b), False, False)


@layer((2, 10, 16))
def lstm(f, x):
    return recurrent(f, x, op.lstm_sequence, gates=4, states=2)


@layer((2, 10, 16))
def gru(f, x):
    return recurrent(f, x, op.gru_sequence, gates=3, states=1)


def recurrent(f, x, sequence, gates, states, size=32):
    batch, steps, inputs = x.shape
    start = [op.constant(np.zeros((batch, 1, size), dtype=np.float32)) for _ in range(states)]
    length = op.constant(np.full(batch, steps, dtype=np.int64))
    weights = op.unsqueeze(f.compressed(gates * size, inputs), ints(0))
    recurrence = op.unsqueeze(f.compressed(gates * size, size), ints(0))
    bias = f.vector(1, gates * size)
    return sequence(x, *start, length, weights, recurrence, bias, size, "forward").output(0)


@layer((2, 4, 20, 16), (2, 4, 20, 16), (2, 4, 20, 16))
def attention(_, query, key, value):
    return op.scaled_dot_product_attention(query, key, value, causal=True)


@layer((1, 16, 17, 17))
def max_pool(f, x):
    return op.max_pool(f.activation(x), [2, 2], [1, 1], [1, 1], [1, 1], [3, 3], "floor", "explicit").output(0)


@layer((1, 16, 17, 17))
def average_pool(f, x):
    return op.avg_pool(f.activation(x), [2, 2], [1, 1], [1, 1], [3, 3], True, "floor", "explicit")


@layer((3, 7, 50))
def softmax(_, x):
    return op.softmax(x, 2)


@layer((4, 1000))
def activations(_, x):
    parts = [op.gelu(x, "erf"), op.gelu(x, "tanh"), op.swish(x), op.hswish(x), op.mish(x), op.softplus(x),
             op.elu(x, 0.5), op.hsigmoid(x), op.sigmoid(x), op.tanh(x)]
    return op.concat(parts, 1)


@layer((2, 6, 64))
def layer_normalization(f, x):
    y = op.mvn(x, ints(2), True, 1e-5, "inside_sqrt")
    return op.add(op.multiply(y, f.vector(64, around=1.0)), f.vector(64))


@layer((2, 6, 64))
def rms_normalization(f, x):
    mean = op.reduce_mean(op.power(x, np.float32(2.0)), ints(2), True)
    inverse = op.divide(np.float32(1.0), op.sqrt(op.add(mean, np.float32(1e-5))))
    return op.multiply(op.multiply(x, inverse), f.vector(64, around=1.0))


@layer((2, 16, 9, 9))
def group_normalization(f, x):
    return op.group_normalization(x, f.vector(16, around=1.0), f.vector(16), 4, 1e-5)


@layer((1, 8, 11, 13))
def interpolate_linear(_, x):
    return interpolate(x, "linear_onnx", "half_pixel")


@layer((1, 8, 11, 13))
def interpolate_cubic(_, x):
    return interpolate(x, "cubic", "half_pixel")


def interpolate(x, mode, transformation):
    return op.interpolate(x, ints(22, 30), mode, "sizes", [0, 0], [0, 0], transformation, "round_prefer_floor", False,
                          -0.75, ints(2, 3))


@layer((2, 5, 6, 7))
def transpose(f, x):
    return op.transpose(f.activation(x), ints(0, 3, 1, 2))


@layer((40, 24), (3, 9), integers={1: 40})
def embedding(f, _, index):
    return op.gather(f.weights(40, 24, scale=1.0), op.convert(index, "i32"), ints(0))


@layer((3, 100))
def top_k(_, x):
    return op.topk(x, op.constant(np.int32(10)), 1, "max", "value").output(0)


@layer((2, 8, 10, 12))
def reductions(_, x):
    functions = [op.reduce_mean, op.reduce_sum, op.reduce_max, op.reduce_min, op.reduce_l2]
    return op.concat([function(x, ints(2, 3), True) for function in functions], 3)


@layer((3, 40, 5))
def cumulative_sum(_, x):
    return op.cumsum(x, op.constant(np.int32(1)))


@layer((1, 4, 12, 14), (1, 10, 11, 2))
def grid_sample(_, x, grid):
    return op.grid_sample(x, op.tanh(grid), {"align_corners": True, "mode": "bilinear", "padding_mode": "border"})


@layer((4, 12, 10))
def scatter(_, x):
    updates = op.gather(x, ints(5, 4, 3, 2, 1, 0), ints(1))
    return op.scatter_update(x, ints(0, 2, 4, 11, 8, 6), updates, ints(1))


@layer((1, 30, 4), (1, 2, 30))
def non_max_suppression(_, boxes, scores):
    corner = op.abs(op.strided_slice(boxes, [0, 0, 0], [0, 0, 2], [1, 1, 1], [1, 1, 0], [1, 1, 0]))
    size = op.add(op.abs(op.strided_slice(boxes, [0, 0, 2], [0, 0, 4], [1, 1, 1], [1, 1, 0], [1, 1, 0])), np.float32(0.2))
    made = op.concat([corner, op.add(corner, size)], 2)
    found = op.non_max_suppression(made, scores, np.int64(8), np.float32(0.4), np.float32(0.1))
    rows = op.slice(found.output(0), ints(0), op.reshape(found.output(2), ints(1), False), ints(1), ints(0))
    return op.convert(rows, "f32")
