# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of tinygrad on its OpenCL backend, compared with NumPy. Prints a line for each: passed, failed or wrong,
its name and the largest difference."""
import numpy as np
from tinygrad import Context, Device, Tensor, dtypes, nn

rng = np.random.default_rng(1)
assert Device.DEFAULT == "CL", Device.DEFAULT


def values(*shape, low=-2.0, high=2.0):
    return rng.uniform(low, high, shape).astype(np.float32)


def check(name, device, expected, tolerance=1e-5):
    """Compares, relative to the largest value."""
    try:
        got = device().numpy()
    except Exception as error:  # whatever the program says
        print("failed", name, " ".join(str(error).split())[:200], flush=True)
        return
    expected = np.asarray(expected)
    if got.shape != expected.shape:
        print("wrong", name, f"shape {got.shape} instead of {expected.shape}", flush=True)
        return
    scale = max(1.0, float(np.abs(expected).max())) if expected.size else 1.0
    difference = float(np.abs(got.astype(np.float64) - expected.astype(np.float64)).max()) / scale
    same = difference <= tolerance and bool((np.isnan(got) == np.isnan(expected)).all())
    print("passed" if same else "wrong", name, f"{difference:.1e}", flush=True)


def elementwise():
    x, positive = values(65, 33), values(65, 33, low=0.1)
    for name, function in {"exp": np.exp, "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "abs": np.abs, "neg": np.negative,
                           "square": np.square, "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
                           "exp2": np.exp2}.items():
        check(name, lambda name=name: getattr(Tensor(x), name)(), function(x))
    for name, function in {"log": np.log, "log2": np.log2, "sqrt": np.sqrt, "reciprocal": np.reciprocal}.items():
        check(name, lambda name=name: getattr(Tensor(positive), name)(), function(positive))
    check("relu", lambda: Tensor(x).relu(), np.maximum(x, 0))
    check("sigmoid", lambda: Tensor(x).sigmoid(), 1 / (1 + np.exp(-x)))
    y = values(65, 33)
    for name, function in {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum,
                           "minimum": np.minimum}.items():
        check(name, lambda name=name: getattr(Tensor(x), name)(Tensor(y)), function(x, y))
    check("div", lambda: Tensor(x) / Tensor(positive), x / positive)
    check("pow", lambda: Tensor(positive) ** Tensor(y), positive**y)
    check("where", lambda: (Tensor(x) > 0).where(Tensor(y), 3.0), np.where(x > 0, y, np.float32(3)))
    half = x.astype(np.float16)
    check("half-mul-add", lambda: (Tensor(half) * Tensor(half) + Tensor(half)).float(),
          (half * half + half).astype(np.float32), 2e-3)


def integers():
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        bounds = np.iinfo(kind)
        a = rng.integers(bounds.min, bounds.max, 1001, dtype=kind, endpoint=True)
        b = rng.integers(1, 100, 1001, dtype=kind)
        check(f"{kind}-add", lambda a=a, b=b: Tensor(a) + Tensor(b), a + b, 0)
        check(f"{kind}-mul", lambda a=a, b=b: Tensor(a) * Tensor(b), a * b, 0)
        check(f"{kind}-xor", lambda a=a, b=b: Tensor(a) ^ Tensor(b), a ^ b, 0)
        check(f"{kind}-max", lambda a=a: Tensor(a).max(), a.max(), 0)
        check(f"{kind}-floor-division", lambda a=a, b=b: Tensor(a) // Tensor(b), a // b, 0)
        check(f"{kind}-modulo", lambda a=a, b=b: Tensor(a) % Tensor(b), a % b, 0)
    x = values(1000, low=-100, high=100)
    for kind in ("int8", "int16", "int32", "int64", "float16", "float64"):
        check(f"cast-{kind}", lambda kind=kind: Tensor(x).cast(getattr(dtypes, kind)), x.astype(kind), 1e-3)


def reductions():
    x = values(37, 65, 19)
    for axis in (None, 0, 1, 2, (0, 2)):
        check(f"sum-{axis}", lambda axis=axis: Tensor(x).sum(axis=axis), x.sum(axis=axis), 1e-5)
        check(f"max-{axis}", lambda axis=axis: Tensor(x).max(axis=axis), x.max(axis=axis), 0)
        check(f"mean-{axis}", lambda axis=axis: Tensor(x).mean(axis=axis), x.mean(axis=axis), 1e-5)
    check("argmax", lambda: Tensor(x).argmax(axis=1), x.argmax(axis=1), 0)
    check("cumsum", lambda: Tensor(x).cumsum(axis=1), x.cumsum(axis=1), 1e-5)
    check("std", lambda: Tensor(x).std(axis=1), x.std(axis=1, ddof=1), 1e-5)
    e = np.exp(x - x.max(axis=2, keepdims=True))
    check("softmax", lambda: Tensor(x).softmax(axis=2), e / e.sum(axis=2, keepdims=True), 1e-5)
    check("sort", lambda: Tensor(x[0]).sort(dim=0)[0], np.sort(x[0], axis=0), 0)


def movement():
    x = values(12, 15, 7)
    check("transpose", lambda: Tensor(x).permute(2, 0, 1).contiguous(), x.transpose(2, 0, 1), 0)
    check("flip", lambda: Tensor(x).flip(1).contiguous(), x[:, ::-1], 0)
    check("pad", lambda: Tensor(x).pad(((1, 2), (0, 3), (2, 0))).contiguous(), np.pad(x, ((1, 2), (0, 3), (2, 0))), 0)
    check("slice", lambda: Tensor(x)[2:9:2, 1:, ::3].contiguous(), x[2:9:2, 1:, ::3], 0)
    check("cat", lambda: Tensor(x).cat(Tensor(x), dim=1), np.concatenate([x, x], axis=1), 0)
    index = rng.integers(0, 12, 40)
    check("gather", lambda: Tensor(x)[Tensor(index.astype(np.int32))], x[index], 0)


def products():
    for m, n, k in ((1, 1, 1), (3, 5, 7), (64, 64, 64), (127, 65, 130), (256, 192, 320)):
        a, b = values(m, k), values(k, n)
        check(f"matmul-{m}x{n}x{k}", lambda a=a, b=b: Tensor(a) @ Tensor(b), a @ b, 1e-5)
        c, d = a.astype(np.float16), b.astype(np.float16)
        check(f"matmul-half-{m}x{n}x{k}", lambda c=c, d=d: (Tensor(c) @ Tensor(d)).float(),
              c.astype(np.float32) @ d.astype(np.float32), 2e-3)
    a, b = values(5, 33, 20), values(5, 20, 17)
    check("matmul-batched", lambda: Tensor(a) @ Tensor(b), a @ b, 1e-5)
    for stride, padding, groups in ((1, 0, 1), (2, 1, 1), (1, 2, 4)):
        image, weights = values(2, 8, 21, 19), values(12, 8 // groups, 3, 3)
        check(f"conv2d-stride-{stride}-padding-{padding}-groups-{groups}",
              lambda i=image, w=weights, s=stride, p=padding, g=groups: Tensor(i).conv2d(Tensor(w), stride=s, padding=p, groups=g),
              convolve(image, weights, stride, padding, groups), 1e-5)
    image = values(2, 3, 16, 16)
    blocks = image.reshape(2, 3, 8, 2, 8, 2)
    check("max_pool2d", lambda: Tensor(image).max_pool2d(), blocks.max(axis=(3, 5)), 0)
    check("avg_pool2d", lambda: Tensor(image).avg_pool2d(), blocks.mean(axis=(3, 5)), 1e-5)


def convolve(image, weights, stride, padding, groups):
    """A plain convolution."""
    padded = np.pad(image, ((0, 0), (0, 0), (padding, padding), (padding, padding))).astype(np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(padded, weights.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    parts = [np.einsum("bchwij,ocij->bohw", w, k) for w, k in
             zip(np.split(windows, groups, axis=1), np.split(weights, groups, axis=0))]
    return np.concatenate(parts, axis=1)


def training():
    """The gradients of a small network, and what an optimizer makes of them: a loss that falls."""
    x, w1, w2 = values(32, 20), values(20, 16), values(16, 4)
    hidden = x @ w1
    grad_out = 2 * (np.maximum(hidden, 0) @ w2)
    expected_w2 = np.maximum(hidden, 0).T @ grad_out
    expected_w1 = x.T @ ((grad_out @ w2.T) * (hidden > 0))
    first, second = Tensor(w1), Tensor(w2)
    gradients = ((Tensor(x) @ first).relu() @ second).square().sum().gradient(first, second)
    check("gradient-1", lambda: gradients[0], expected_w1, 1e-4)
    check("gradient-2", lambda: gradients[1], expected_w2, 1e-4)
    Tensor.manual_seed(3)
    layers = [nn.Linear(20, 32), Tensor.relu, nn.Linear(32, 3)]
    labels = Tensor((x[:, :3].argmax(axis=1)).astype(np.int32))
    optimizer = nn.optim.Adam(nn.state.get_parameters(layers), lr=0.02)
    losses = []
    with Context(TRAINING=1):
        for _ in range(30):
            optimizer.zero_grad()
            loss = Tensor(x).sequential(layers).sparse_categorical_crossentropy(labels).backward()
            optimizer.step()
            losses.append(loss.item())
    print("passed" if losses[-1] < losses[0] / 3 else "wrong", "training", f"loss {losses[0]:.3f}, then {losses[-1]:.3f}")


for group in (elementwise, integers, reductions, movement, products, training):
    group()
