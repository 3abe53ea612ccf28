# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products, decompositions, transforms and random numbers of oneMKL through dpnp, compared with NumPy.

products.py [PREFIX…]: only tests whose names begin with one of these. Prints KIND TEST DETAIL, one a line. oneMKL chooses
its kernels by the device's architecture.
"""
import itertools
import sys

import dpctl
import dpnp
import numpy as np

SHAPES = [(1, 1, 1), (7, 5, 3), (16, 16, 16), (33, 65, 17), (64, 64, 64), (128, 96, 200), (255, 1, 129), (1, 300, 77),
          (512, 512, 512)]
TYPES = [np.float32, np.float64, np.complex64, np.complex128, np.float16, np.int32]


def values(random, shape, dtype):
    if np.issubdtype(dtype, np.integer):
        return random.integers(-9, 9, shape).astype(dtype)
    made = random.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        made = made + 1j * random.standard_normal(shape)
    return made.astype(dtype)


def tolerance(dtype, length):
    if np.issubdtype(dtype, np.integer):
        return 0
    return 4 * np.finfo(dtype).eps * max(length, 8) ** 0.5


def report(name, function, expected, limit):
    if not name.startswith(tuple(sys.argv[1:]) or ""):
        return
    try:
        got = dpnp.asnumpy(function())
    except Exception as error:  # whatever the library throws
        kind = "skipped" if "implementation is available for the specified data type" in str(error) else "failed"
        print(kind, name, " ".join(str(error).split())[:200], flush=True)
        return
    scale = max(np.abs(expected).max(), 1e-30)
    differs = np.abs(got.astype(expected.dtype) - expected).max() / scale
    print("passed" if differs <= limit else "wrong", name, f"differs by {differs:.2g}", flush=True)


def exact(dtype):
    """In which NumPy computes what is expected."""
    if np.issubdtype(dtype, np.integer):
        return np.int64
    return np.complex128 if np.issubdtype(dtype, np.complexfloating) else np.float64


def products(random, dtype):
    name = np.dtype(dtype).name
    for (m, n, k), turned in itertools.product(SHAPES, [(False, False), (True, False), (False, True)]):
        a = values(random, (k, m) if turned[0] else (m, k), dtype)
        b = values(random, (n, k) if turned[1] else (k, n), dtype)
        on_device = [dpnp.asarray(each).T if turn else dpnp.asarray(each) for each, turn in zip((a, b), turned)]
        on_host = [(each.T if turn else each).astype(exact(dtype)) for each, turn in zip((a, b), turned)]
        letters = "".join("t" if turn else "n" for turn in turned)
        report(f"gemm-{name}-{m}x{n}x{k}-{letters}", lambda: dpnp.matmul(*on_device), on_host[0] @ on_host[1],
               tolerance(dtype, k))
    a, b, x = values(random, (5, 40, 30), dtype), values(random, (5, 30, 20), dtype), values(random, (30,), dtype)
    wide = [each.astype(exact(dtype)) for each in (a, b, x)]
    report(f"gemm_batch-{name}", lambda: dpnp.matmul(dpnp.asarray(a), dpnp.asarray(b)), wide[0] @ wide[1],
           tolerance(dtype, 30))
    report(f"gemv-{name}", lambda: dpnp.matmul(dpnp.asarray(a[0]), dpnp.asarray(x)), wide[0][0] @ wide[2],
           tolerance(dtype, 30))
    report(f"dot-{name}", lambda: dpnp.dot(dpnp.asarray(x), dpnp.asarray(x)), np.array(wide[2] @ wide[2]),
           16 * tolerance(dtype, 30))


def decompositions(random, dtype):
    name = np.dtype(dtype).name
    a = values(random, (48, 48), dtype)
    b = values(random, (48, 3), dtype)
    square = a @ a.conj().T + 48 * np.eye(48, dtype=dtype)
    wide = square.astype(exact(dtype))
    limit = 200 * np.finfo(dtype).eps
    report(f"gesv-{name}", lambda: dpnp.linalg.solve(dpnp.asarray(square), dpnp.asarray(b)),
           np.linalg.solve(wide, b.astype(exact(dtype))), limit)
    report(f"potrf-{name}", lambda: dpnp.linalg.cholesky(dpnp.asarray(square)), np.linalg.cholesky(wide), limit)
    report(f"getri-{name}", lambda: dpnp.linalg.inv(dpnp.asarray(square)), np.linalg.inv(wide), limit)
    report(f"heevd-{name}", lambda: dpnp.linalg.eigvalsh(dpnp.asarray(square)), np.linalg.eigvalsh(wide), limit)
    report(f"gesvd-{name}", lambda: dpnp.linalg.svd(dpnp.asarray(a), compute_uv=False),
           np.linalg.svd(a.astype(exact(dtype)), compute_uv=False), limit)

    def multiplied():
        q, r = dpnp.linalg.qr(dpnp.asarray(a))
        return q @ r

    report(f"geqrf-{name}", multiplied, a.astype(exact(dtype)), limit)


def transforms(random, dtype):
    for length in (8, 15, 17, 64, 1000, 4096):
        a = values(random, (3, length), dtype)
        report(f"dft-{np.dtype(dtype).name}-{length}", lambda: dpnp.fft.fft(dpnp.asarray(a)),
               np.fft.fft(a.astype(np.complex128)), 30 * np.finfo(dtype).eps)


def main():
    has_double = dpctl.select_default_device().has_aspect_fp64
    random = np.random.default_rng(3)
    for dtype in TYPES:
        if has_double or dtype not in (np.float64, np.complex128):
            products(random, dtype)
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        if has_double or dtype in (np.float32, np.complex64):
            decompositions(random, dtype)
            transforms(random, dtype)
    sample = dpnp.asnumpy(dpnp.random.RandomState(1).normal(size=20000))
    report("rng-normal", lambda: dpnp.asarray([sample.mean(), sample.std()]), np.array([0.0, 1.0]), 0.03)


main()
