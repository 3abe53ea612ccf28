# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a network for Leela Zero with random weights: 32 filters, 2 residual blocks."""
import math
import random

FILTERS, BLOCKS, PLANES, BOARD = 32, 2, 18, 361
random.seed(1)


def numbers(count, spread):
    print(" ".join(f"{random.gauss(0, spread):.6f}" for _ in range(count)))


def ones(count):
    print(" ".join("1" for _ in range(count)))


def convolution(outputs, inputs, size):
    """Weights, biases, and means and variances of the normalization."""
    numbers(outputs * inputs * size * size, math.sqrt(2 / (inputs * size * size)))
    numbers(outputs, 0.1)
    numbers(outputs, 0.1)
    ones(outputs)


def connected(outputs, inputs, share=1.0):
    numbers(outputs * inputs, share * math.sqrt(2 / inputs))
    numbers(outputs, 0.1)


print(1)
convolution(FILTERS, PLANES, 3)
for _ in range(2 * BLOCKS):
    convolution(FILTERS, FILTERS, 3)
convolution(2, FILTERS, 1)
connected(BOARD + 1, 2 * BOARD)
convolution(1, FILTERS, 1)
connected(256, BOARD)
connected(1, 256, 0.1)  # so that nothing is certain
