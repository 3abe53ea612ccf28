# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of OpenCV on matrices of the device (UMat), compared with the same on the host. Prints a line for each:
passed, failed or wrong, its name and the largest difference."""
import cv2
import numpy as np

rng = np.random.default_rng(1)
HEIGHT, WIDTH = 237, 315

assert cv2.ocl.haveOpenCL(), "OpenCV does not see OpenCL"
cv2.ocl.setUseOpenCL(True)
assert cv2.ocl.useOpenCL(), "OpenCV does not use the device"


def picture(channels, kind=np.uint8):
    """Smooth shapes with some noise."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [127 + 80 * np.sin(x / (9 + 3 * c)) * np.cos(y / (14 - 2 * c)) + rng.uniform(-20, 20, x.shape)
              for c in range(channels)]
    stacked = np.stack(planes, axis=-1) if channels > 1 else planes[0]
    return (stacked / 255).astype(kind) if kind is np.float32 else np.clip(stacked, 0, 255).astype(kind)


def arrays_of(result):
    results = result if isinstance(result, (tuple, list)) else [result]
    return [np.asarray(each.get() if isinstance(each, cv2.UMat) else each) for each in results]


def check(name, function, *matrices, tolerance=1.0, outside=0.0):
    """Elements may differ by the tolerance, the share `outside` of them by more."""
    try:
        expected = arrays_of(function(*matrices))
        got = arrays_of(function(*[cv2.UMat(matrix) for matrix in matrices]))
    except cv2.error as error:
        print("failed", name, " ".join(str(error).split())[:200], flush=True)
        return
    most = share = 0.0
    for a, b in zip(got, expected):
        if a.shape != b.shape or len(got) != len(expected):
            print("wrong", name, f"shape {a.shape} instead of {b.shape}", flush=True)
            return
        difference = np.abs(a.astype(np.float64) - b.astype(np.float64))
        most = max(most, float(difference.max()))
        share = max(share, float((difference > tolerance).mean()))
    print("passed" if share <= outside else "wrong", name, f"at most {most:.2g}", flush=True)


def filters(label, image, tolerance):
    check(f"blur-{label}", lambda m: cv2.blur(m, (5, 7)), image, tolerance=tolerance)
    check(f"boxFilter-{label}", lambda m: cv2.boxFilter(m, -1, (3, 3)), image, tolerance=tolerance)
    check(f"GaussianBlur-{label}", lambda m: cv2.GaussianBlur(m, (7, 7), 1.5), image, tolerance=tolerance)
    check(f"Sobel-{label}", lambda m: cv2.Sobel(m, cv2.CV_32F, 1, 0), image, tolerance=4 * tolerance)
    check(f"Scharr-{label}", lambda m: cv2.Scharr(m, cv2.CV_32F, 0, 1), image, tolerance=4 * tolerance)
    check(f"Laplacian-{label}", lambda m: cv2.Laplacian(m, cv2.CV_32F), image, tolerance=4 * tolerance)
    kernel = np.float32([[1, 2, 0], [2, -3, 1], [0, 1, 1]]) / 5
    check(f"filter2D-{label}", lambda m: cv2.filter2D(m, -1, kernel), image, tolerance=tolerance)
    check(f"sepFilter2D-{label}", lambda m: cv2.sepFilter2D(m, -1, np.float32([1, 2, 1]) / 4, np.float32([1, 1, 1]) / 3),
          image, tolerance=tolerance)
    check(f"erode-{label}", lambda m: cv2.erode(m, np.ones((5, 3), np.uint8)), image, tolerance=0)
    check(f"dilate-{label}", lambda m: cv2.dilate(m, np.ones((5, 3), np.uint8)), image, tolerance=0)
    check(f"morphologyEx-{label}", lambda m: cv2.morphologyEx(m, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), image,
          tolerance=tolerance)


def geometry(label, image, tolerance):
    for name, flag in (("nearest", cv2.INTER_NEAREST), ("linear", cv2.INTER_LINEAR), ("area", cv2.INTER_AREA)):
        check(f"resize-{name}-{label}", lambda m, flag=flag: cv2.resize(m, (203, 151), interpolation=flag), image,
              tolerance=tolerance)
    turn = cv2.getRotationMatrix2D((150, 110), 23, 0.9)
    # The host takes 5 bits of the positions, the device all.
    check(f"warpAffine-{label}", lambda m: cv2.warpAffine(m, turn, (300, 220)), image, tolerance=4 * tolerance, outside=0.01)
    tilt = np.float64([[1, 0.1, 3], [0.05, 0.9, 4], [0.0002, 0.0001, 1]])
    check(f"warpPerspective-{label}", lambda m: cv2.warpPerspective(m, tilt, (300, 220)), image, tolerance=4 * tolerance,
          outside=0.01)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    to_x, to_y = x + 4 * np.sin(y / 20), y + 4 * np.sin(x / 20)
    check(f"remap-{label}", lambda m: cv2.remap(m, to_x, to_y, cv2.INTER_LINEAR), image, tolerance=4 * tolerance, outside=0.01)
    check(f"flip-{label}", lambda m: cv2.flip(m, -1), image, tolerance=0)
    check(f"transpose-{label}", cv2.transpose, image, tolerance=0)
    check(f"pyrDown-{label}", cv2.pyrDown, image, tolerance=tolerance)
    check(f"pyrUp-{label}", cv2.pyrUp, image, tolerance=tolerance)
    check(f"copyMakeBorder-{label}", lambda m: cv2.copyMakeBorder(m, 5, 6, 7, 8, cv2.BORDER_REFLECT), image, tolerance=0)


def arithmetic(label, a, b, tolerance):
    for name in ("add", "subtract", "absdiff", "max", "min", "multiply"):
        check(f"{name}-{label}", getattr(cv2, name), a, b, tolerance=tolerance if name == "multiply" else 0)
    check(f"addWeighted-{label}", lambda m, n: cv2.addWeighted(m, 0.3, n, 0.6, 4), a, b, tolerance=tolerance)
    check(f"compare-{label}", lambda m, n: cv2.compare(m, n, cv2.CMP_GT), a, b, tolerance=0)
    check(f"split-merge-{label}", lambda m: cv2.merge(cv2.split(m)[::-1]), a, tolerance=0)
    check(f"norm-{label}", lambda m, n: cv2.norm(m, n, cv2.NORM_L1) / m_size(a), a, b, tolerance=1e-3)
    check(f"sum-{label}", lambda m: np.array(cv2.sumElems(m)) / m_size(a), a, tolerance=1e-3)
    check(f"mean-deviation-{label}", cv2.meanStdDev, a, tolerance=1e-3)


def m_size(matrix):
    return matrix.shape[0] * matrix.shape[1]


def colors(image):
    for name in ("BGR2GRAY", "BGR2HSV", "BGR2YUV", "BGR2YCrCb", "BGR2Lab", "BGR2Luv", "BGR2XYZ", "BGR2HLS", "BGR2RGBA"):
        check(f"cvtColor-{name}", lambda m, name=name: cv2.cvtColor(m, getattr(cv2, "COLOR_" + name)), image, tolerance=2,
              outside=0.001)


def gray(image):
    check("equalizeHist", cv2.equalizeHist, image, tolerance=1)
    check("calcHist", lambda m: cv2.calcHist([m], [0], None, [64], [0, 256]), image, tolerance=0)
    check("threshold", lambda m: cv2.threshold(m, 120, 255, cv2.THRESH_BINARY)[1], image, tolerance=0)
    check("adaptiveThreshold", lambda m: cv2.adaptiveThreshold(m, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 7, 2),
          image, tolerance=0, outside=0.001)
    check("Canny", lambda m: cv2.Canny(m, 60, 120), image, tolerance=0, outside=0.001)
    check("integral", cv2.integral, image, tolerance=0)
    check("medianBlur", lambda m: cv2.medianBlur(m, 5), image, tolerance=0)
    check("cornerHarris", lambda m: cv2.cornerHarris(m, 3, 3, 0.04), image, tolerance=1e-4)
    check("matchTemplate", lambda m: cv2.matchTemplate(m, image[40:70, 50:90], cv2.TM_CCOEFF_NORMED), image, tolerance=1e-3)
    check("bilateralFilter", lambda m: cv2.bilateralFilter(m, 7, 30, 5), image, tolerance=1)
    check("fastNlMeansDenoising", lambda m: cv2.fastNlMeansDenoising(m, None, 8, 5, 11), image, tolerance=1)
    check("LUT", lambda m: cv2.LUT(m, np.arange(255, -1, -1, dtype=np.uint8)), image, tolerance=0)
    check("CLAHE", lambda m: cv2.createCLAHE(3.0, (8, 8)).apply(m), image, tolerance=1)


def matrices():
    a, b = rng.uniform(-1, 1, (130, 75)).astype(np.float32), rng.uniform(-1, 1, (75, 93)).astype(np.float32)
    check("gemm", lambda m, n: cv2.gemm(m, n, 1.0, None, 0.0), a, b, tolerance=1e-4)
    waves = rng.uniform(-1, 1, (128, 96)).astype(np.float32)
    check("dft", lambda m: cv2.dft(m, flags=cv2.DFT_COMPLEX_OUTPUT), waves, tolerance=1e-2)
    positive = rng.uniform(0.1, 4, (60, 70)).astype(np.float32)
    for name in ("exp", "log", "sqrt"):
        check(name, getattr(cv2, name), positive, tolerance=1e-4)
    check("pow", lambda m: cv2.pow(m, 2.5), positive, tolerance=1e-3)
    check("cartToPolar", cv2.cartToPolar, positive, positive[::-1].copy(), tolerance=0.01)  # as near as the host is
    check("magnitude", cv2.magnitude, positive, positive[::-1].copy(), tolerance=1e-4)
    check("normalize", lambda m: cv2.normalize(m, None, 0, 1, cv2.NORM_MINMAX), positive, tolerance=1e-5)


def motion():
    first = cv2.GaussianBlur(picture(1), (9, 9), 2)
    second = np.roll(first, (2, 3), axis=(0, 1))
    check("calcOpticalFlowFarneback",
          lambda m, n: cv2.calcOpticalFlowFarneback(m, n, None, 0.5, 3, 15, 3, 5, 1.2, 0), first, second, tolerance=0.1,
          outside=0.02)
    points = cv2.goodFeaturesToTrack(first, 50, 0.01, 10)
    check("calcOpticalFlowPyrLK", lambda m, n: cv2.calcOpticalFlowPyrLK(m, n, points, None)[0], first, second,
          tolerance=0.1, outside=0.05)


for number_type, limit in ((np.uint8, 1.0), (np.float32, 1e-4)):
    for count in (1, 3, 4):
        text = f"{np.dtype(number_type).name}x{count}"
        filters(text, picture(count, number_type), limit)
        geometry(text, picture(count, number_type), limit)
        arithmetic(text, picture(count, number_type), picture(count, number_type)[::-1].copy(), limit)
colors(picture(3))
gray(picture(1))
matrices()
motion()
