# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small networks with the structure of well-known ones and random weights."""
import numpy as np
from layers import ints, recurrent
from openvino import opset13 as op

NETWORKS = {}


def network(*shapes, integers=None, dynamic=None):
    """As layers' `layer`; `dynamic` names the dimensions, by parameter, that the model leaves open."""

    def add(function):
        NETWORKS[function.__name__] = (function, shapes, integers or {}, dynamic or {})
        return function

    return add


def convolve(f, x, outputs, size=3, stride=1, groups=1):
    inputs = x.shape[1]
    ends = [size // 2] * 2
    arguments = [[stride] * 2, ends, ends, [1, 1]]
    if groups == 1:
        y = op.convolution(f.activation(x), f.weights(outputs, inputs, size, size), *arguments)
    else:
        weights = f.weights(groups, outputs // groups, inputs // groups, size, size, outer=2)
        y = op.group_convolution(f.activation(x), weights, *arguments)
    return op.add(y, f.vector(1, outputs, 1, 1))


def normalize_batch(f, x):
    channels = x.shape[1]
    scale, shift = f.vector(channels, around=1.0), f.vector(channels)
    mean, variance = f.vector(channels), f.constant(0.5 + f.random.random(channels))
    return op.batch_norm_inference(x, scale, shift, mean, variance, 1e-5)


def last_of(x):
    """The size of the last dimension."""
    return op.result(x).get_output_partial_shape(0)[-1].get_length()


def connect(f, x, outputs, bias=True):
    y = op.matmul(f.activation(x), f.weights(outputs, last_of(x)), False, True)
    return op.add(y, f.vector(outputs)) if bias else y


def pool_all(x):
    return op.reshape(op.reduce_mean(x, ints(2, 3), True), ints(0, -1), True)


@network((1, 3, 64, 64))
def resnet(f, x):
    x = op.relu(normalize_batch(f, convolve(f, x, 32, 7, 2)))
    x = op.max_pool(x, [2, 2], [1, 1], [1, 1], [1, 1], [3, 3], "floor", "explicit").output(0)
    x = op.relu(x)
    for outputs, stride in [(32, 1), (64, 2), (128, 2), (128, 1)]:
        short = x if stride == 1 and x.shape[1] == outputs else convolve(f, x, outputs, 1, stride)
        y = op.relu(normalize_batch(f, convolve(f, x, outputs, 3, stride)))
        x = op.relu(op.add(normalize_batch(f, convolve(f, y, outputs)), short))
    return op.softmax(connect(f, pool_all(x), 100), 1)


@network((1, 3, 64, 64))
def mobilenet(f, x):
    x = op.clamp(convolve(f, x, 16, 3, 2), 0.0, 6.0)
    for outputs, stride in [(16, 1), (24, 2), (24, 1), (32, 2), (32, 1)]:
        wide = op.clamp(convolve(f, x, 4 * x.shape[1], 1), 0.0, 6.0)
        deep = op.clamp(convolve(f, wide, wide.shape[1], 3, stride, wide.shape[1]), 0.0, 6.0)
        y = convolve(f, deep, outputs, 1)
        x = op.add(x, y) if x.shape == y.shape else y
    return connect(f, pool_all(op.clamp(convolve(f, x, 128, 1), 0.0, 6.0)), 100)


def normalize_layer(f, x, size):
    y = op.mvn(x, ints(-1), True, 1e-5, "inside_sqrt")
    return op.add(op.multiply(y, f.vector(size, around=1.0)), f.vector(size))


def heads_of(x, heads, size):
    return op.transpose(op.reshape(x, ints(0, 0, heads, size // heads), True), ints(0, 2, 1, 3))


def joined(x, size):
    return op.reshape(op.transpose(x, ints(0, 2, 1, 3)), ints(0, 0, size), True)


@network((1, 24), integers={0: 200})
def bert(f, words):
    size, heads = 64, 4
    x = op.gather(f.weights(200, size, scale=1.0), op.convert(words, "i32"), ints(0))
    x = normalize_layer(f, op.add(x, f.vector(1, 24, size, spread=1.0)), size)
    for _ in range(2):
        query, key, value = [heads_of(connect(f, x, size), heads, size) for _ in range(3)]
        scores = op.multiply(op.matmul(query, key, False, True), np.float32((size // heads) ** -0.5))
        y = joined(op.matmul(op.softmax(scores, 3), value, False, False), size)
        x = normalize_layer(f, op.add(x, connect(f, y, size)), size)
        y = connect(f, op.gelu(connect(f, x, 4 * size), "erf"), size)
        x = normalize_layer(f, op.add(x, y), size)
    return connect(f, x, 50)


@network((2, 20), integers={0: 100})
def lstm_network(f, words):
    x = op.gather(f.compressed(100, 32), op.convert(words, "i32"), ints(0))
    for _ in range(2):
        x = op.squeeze(recurrent(f, x, op.lstm_sequence, gates=4, states=2, size=64), ints(1))
    return op.add(op.matmul(x, f.compressed(30, 64), False, True), f.vector(30))


@network((1, 3, 48, 48))
def unet(f, x):
    kept = []
    for channels in [16, 32, 64]:
        x = op.relu(convolve(f, op.relu(convolve(f, x, channels)), channels))
        kept.append(x)
        x = op.max_pool(x, [2, 2], [1, 1], [0, 0], [0, 0], [2, 2], "floor", "explicit").output(0)
    x = op.relu(convolve(f, op.relu(x), 128))
    for channels, short in zip([64, 32, 16], reversed(kept)):
        weights = f.weights(x.shape[1], channels, 2, 2)
        x = op.convolution_backprop_data(f.activation(x), weights, [2, 2], None, [0, 0], [0, 0], [1, 1])
        x = op.relu(convolve(f, op.concat([x, short], 1), channels))
    return op.sigmoid(convolve(f, x, 2, 1))


def normalize_rms(f, x, size):
    mean = op.reduce_mean(op.power(x, np.float32(2.0)), ints(-1), True)
    inverse = op.divide(np.float32(1.0), op.sqrt(op.add(mean, np.float32(1e-5))))
    return op.multiply(op.multiply(x, inverse), f.vector(size, around=1.0))


def rotated(x, positions, width):
    """Rotary embedding: pairs of the lower and the upper half turn by an angle that grows with the position."""
    frequencies = 1.0 / 10000.0 ** (np.arange(0, width, 2, dtype=np.float32) / width)
    angles = op.multiply(op.unsqueeze(positions, ints(1)), frequencies.reshape(1, -1))
    angles = op.concat([angles, angles], 1)
    low, high = op.split(x, op.constant(np.int64(3)), 2).outputs()
    turned = op.concat([op.negative(high), low], 3)
    return op.add(op.multiply(x, op.cos(angles)), op.multiply(turned, op.sin(angles)))


@network((1, 19), integers={0: 200}, dynamic={0: [1]})
def gpt(f, words):
    size, heads = 64, 4
    x = op.gather(f.weights(200, size, scale=1.0), op.convert(words, "i32"), ints(0))
    length = op.squeeze(op.gather(op.shape_of(words, "i32"), ints(1), ints(0)), ints(0))
    positions = op.range(op.constant(np.int32(0)), length, op.constant(np.int32(1)), "f32")
    for _ in range(2):
        y = normalize_rms(f, x, size)
        query, key, value = [heads_of(connect(f, y, size, bias=False), heads, size) for _ in range(3)]
        query, key = [rotated(each, positions, size // heads) for each in (query, key)]
        y = joined(op.scaled_dot_product_attention(query, key, value, causal=True), size)
        x = op.add(x, connect(f, y, size, bias=False))
        y = normalize_rms(f, x, size)
        gate = op.swish(connect(f, y, 3 * size, bias=False))
        x = op.add(x, connect(f, op.multiply(gate, connect(f, y, 3 * size, bias=False)), size, bias=False))
    return connect(f, normalize_rms(f, x, size), 200, bias=False)


@network((1, 3, 64, 64))
def yolo(f, x):
    def block(x, outputs, size=3, stride=1):
        return op.swish(convolve(f, x, outputs, size, stride))

    x = block(x, 16, 3, 2)
    fine = block(x, 32, 3, 2)
    left, right = op.split(block(fine, 64, 1), op.constant(np.int64(1)), 2).outputs()
    x = block(op.concat([left, block(block(right, 32), 32)], 1), 64, 3, 2)
    pools = [op.max_pool(x, [1, 1], [1, 1], [k // 2] * 2, [k // 2] * 2, [k, k], "floor", "explicit").output(0)
             for k in (5, 9)]
    x = block(op.concat([x, *pools], 1), 64, 1)
    up = op.interpolate(x, np.array([2.0, 2.0], dtype=np.float32), "nearest", "scales", [0, 0], [0, 0], "asymmetric",
                        "floor", False, -0.75, ints(2, 3))
    heads = [convolve(f, block(op.concat([up, fine], 1), 32), 18, 1), convolve(f, x, 18, 1)]
    return op.concat([op.reshape(op.sigmoid(head), ints(0, 18, -1), True) for head in heads], 2)


@network((1, 3, 32, 32))
def vision_transformer(f, x):
    size, heads = 64, 4
    x = op.convolution(f.activation(x), f.weights(size, 3, 8, 8), [8, 8], [0, 0], [0, 0], [1, 1])
    x = op.transpose(op.reshape(x, ints(0, 0, -1), True), ints(0, 2, 1))
    x = op.add(op.concat([f.vector(1, 1, size), x], 1), f.vector(1, 17, size, spread=0.5))
    for _ in range(2):
        y = normalize_layer(f, x, size)
        query, key, value = [heads_of(connect(f, y, size), heads, size) for _ in range(3)]
        y = joined(op.scaled_dot_product_attention(query, key, value, causal=False), size)
        x = op.add(x, connect(f, y, size))
        y = normalize_layer(f, x, size)
        x = op.add(x, connect(f, op.gelu(connect(f, y, 2 * size), "tanh"), size))
    first = op.squeeze(op.gather(normalize_layer(f, x, size), ints(0), ints(1)), ints(1))
    return connect(f, first, 100)
