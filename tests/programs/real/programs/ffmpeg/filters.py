# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FFmpeg's OpenCL filters on the only OpenCL device, compared with the filter of the same name that runs on the host,
or with what it should compute. Prints a line for each: passed, failed or wrong, its name and how much differs."""
import os
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = f"source={HERE}/kernels.cl"
WIDTH, HEIGHT, FRAMES = 318, 230, 5
A = f"testsrc2=s={WIDTH}x{HEIGHT}:d=2:r=10"
B = f"mandelbrot=s={WIDTH}x{HEIGHT}:r=10,trim=duration=2"
NOISE = A + ",noise=alls=40:allf=t:all_seed=7"


def ffmpeg(sources, graph, pixels, device):
    """The frames that a graph makes, as bytes."""
    command = ["ffmpeg", "-nostdin", "-v", "error"]
    if device:
        command += ["-init_hw_device", "opencl=d", "-filter_hw_device", "d"]
    for source in sources:
        command += ["-f", "lavfi", "-i", source]
    command += ["-filter_complex", graph, "-pix_fmt", pixels, "-frames:v", str(FRAMES), "-f", "rawvideo", "-"]
    done = subprocess.run(command, capture_output=True, timeout=600)
    if done.returncode or not done.stdout:
        raise RuntimeError(" ".join(done.stderr.decode(errors="replace").split())[-200:] or f"status {done.returncode}")
    return done.stdout


def inputs_of(formats, upload=""):
    """The part of a filter graph that makes its inputs, and their names."""
    graph = "".join(f"[{i}:v]format={each}{upload}[i{i}];" for i, each in enumerate(formats))
    return graph + "".join(f"[i{i}]" for i in range(len(formats)))


def on_device(sources, pixels, chain, more=()):
    """A filter of OpenCL; `more` are the pixel formats of further inputs."""
    inputs = inputs_of([pixels, *more], ",hwupload") if sources else ""
    return ffmpeg(sources, f"{inputs}{chain},hwdownload,format={pixels}", pixels, True)


def on_host(sources, pixels, chain, more=()):
    return ffmpeg(sources, inputs_of([pixels, *more]) + chain, pixels, False)


def report(name, ok, detail):
    print("passed" if ok else "wrong", name, detail, flush=True)


def planes_of(frames, pixels):
    """The planes of all frames, as arrays of frame, row, column and byte of a pixel."""
    half = (WIDTH // 2, HEIGHT // 2)
    shapes = {"gray": [(WIDTH, HEIGHT, 1)], "rgba": [(WIDTH, HEIGHT, 4)], "bgra": [(WIDTH, HEIGHT, 4)],
              "yuv420p": [(WIDTH, HEIGHT, 1), (*half, 1), (*half, 1)], "nv12": [(WIDTH, HEIGHT, 1), (*half, 2)]}[pixels]
    size = sum(width * height * bytes_each for width, height, bytes_each in shapes)
    whole = numpy.frombuffer(frames, numpy.uint8).reshape(-1, size).astype(int)
    at, planes = 0, []
    for width, height, bytes_each in shapes:
        planes.append(whole[:, at:at + width * height * bytes_each].reshape(-1, height, width, bytes_each))
        at += width * height * bytes_each
    return planes


def compare(name, got, expected, tolerance, outside=0.0, border=0, pixels=None):
    """Bytes may differ by the tolerance; the share `outside` of them by more. What is nearer to the edge of its plane
    than `border`, where filters differ in what they take for outside, is not compared."""
    if len(got) != len(expected):
        report(name, False, f"{len(got)} bytes instead of {len(expected)}")
        return
    if border:
        inner = [numpy.abs(a - b)[:, border:-border, border:-border].ravel()
                 for a, b in zip(planes_of(got, pixels), planes_of(expected, pixels))]
        difference = numpy.concatenate(inner)
    else:
        difference = numpy.abs(numpy.frombuffer(got, numpy.uint8).astype(int) - numpy.frombuffer(expected, numpy.uint8))
    share = (difference > tolerance).mean()
    report(name, share <= outside,
           f"{100 * share:.4f} % differ by more than {tolerance}, at most by {difference.max()}")


def same(name, sources, pixels, device_chain, host_chain, tolerance=1, outside=0.0, border=0, more=()):
    """The filter on the device gives what the one on the host gives."""
    try:
        compare(name, on_device(sources, pixels, device_chain, more), on_host(sources, pixels, host_chain, more),
                tolerance, outside, border, pixels)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print("failed", name, error, flush=True)


def named(filter_name, options, **keywords):
    """A filter whose options are the same on the host."""
    label = keywords.pop("label", "")
    pixels = keywords.pop("pixels", "yuv420p")
    name = f"{filter_name}{label}-{pixels}"
    same(name, keywords.pop("sources", [A]), pixels, f"{filter_name}_opencl={options}",
         f"{filter_name}={keywords.pop('host', options)}", **keywords)


def local_filters():
    for pixels in ("yuv420p", "gray", "bgra"):
        named("avgblur", "sizeX=5", pixels=pixels, border=5)
        named("boxblur", "luma_radius=3:luma_power=2", pixels=pixels, border=6)
    named("avgblur", "sizeX=3:sizeY=9", label="-3x9", border=9)
    named("convolution", "0m='1 2 1 2 4 2 1 2 1':0rdiv=1/16", label="-blur", border=1)
    named("convolution", "0m='-2 -1 0 -1 1 1 0 1 2':1m='-2 -1 0 -1 1 1 0 1 2':2m='-2 -1 0 -1 1 1 0 1 2'",
          label="-emboss", border=1)
    named("convolution", f"0m='{'1 ' * 25}':0rdiv=1/25", label="-5x5", border=2)
    for name in ("sobel", "prewitt", "roberts"):
        named(name, "planes=15:scale=2:delta=10", border=1)
        named(name, "planes=1", pixels="gray", border=1)
    for name in ("erosion", "dilation"):
        named(name, "", border=1)
        named(name, "threshold0=30:coordinates=231", label="-threshold", border=1)
    named("unsharp", "lx=7:ly=7:la=1.5:cx=5:cy=5:ca=0.5", border=4)
    named("unsharp", "lx=3:ly=13:la=-1", label="-blur", border=7)
    named("nlmeans", "s=3:p=7:r=9", sources=[NOISE], tolerance=2, border=12)


def geometry():
    for direction in ("cclock_flip", "clock", "cclock", "clock_flip"):
        named("transpose", f"dir={direction}", label=f"-{direction}", tolerance=0)
    named("pad", "w=400:h=300:x=20:y=40:color=red", pixels="rgba", tolerance=0)
    maps = [f"nullsrc=s={WIDTH}x{HEIGHT}:d=2:r=10,format=gray16le,geq=lum='X+8*sin(Y/9)'",
            f"nullsrc=s={WIDTH}x{HEIGHT}:d=2:r=10,format=gray16le,geq=lum='Y+8*sin(X/9)'"]
    same("remap-nearest", [A, *maps], "gray", "remap_opencl=interp=near", "remap", 0, more=("gray16le", "gray16le"))


def colors():
    named("colorkey", "color=0x00ff00:similarity=0.3:blend=0.1", pixels="rgba", tolerance=1)
    named("colorkey", "color=red:similarity=0.2:blend=0", pixels="rgba", label="-sharp")
    named("overlay", "x=31:y=17", sources=[A, f"testsrc=s=100x80:r=10:d=2"], more=("yuv420p",), label="-opaque")
    translucent = "testsrc=s=100x80:r=10:d=2,format=yuva420p,colorchannelmixer=aa=0.5"
    named("overlay", "x=30:y=16", sources=[A, translucent], more=("yuva420p",), tolerance=3, label="-alpha")
    for transition in ("fade", "wipeleft", "wiperight", "wipeup", "wipedown", "slideleft", "slideright", "slideup",
                       "slidedown"):
        named("xfade", f"transition={transition}:offset=0.1:duration=0.4", sources=[A, B], more=("yuv420p",),
              label=f"-{transition}", tolerance=1, outside=0.02)


def programs():
    same("program-mirror", [A], "yuv420p", f"program_opencl={KERNELS}:kernel=mirror", "hflip", 0)
    same("program-average", [A, B], "yuv420p", f"program_opencl={KERNELS}:kernel=average:inputs=2",
         "blend=all_mode=average", 1, more=("yuv420p",))
    try:
        got = ffmpeg([], f"openclsrc={KERNELS}:kernel=pattern:format=gray:s={WIDTH}x{HEIGHT},hwdownload,format=gray",
                     "gray", True)
        expected = bytes((x * 3 + y * 5 + i * 7) % 256
                         for i in range(FRAMES) for y in range(HEIGHT) for x in range(WIDTH))
        compare("openclsrc", got, expected, 0, 0.0)
        got = on_device([A, B], "gray", f"xfade_opencl=transition=custom:{KERNELS}:kernel=columns:offset=0:duration=1",
                        ("gray",))
        a, b = (ffmpeg([source], "format=gray", "gray", False) for source in (A, B))
        expected = bytes((a if i % WIDTH % 2 else b)[i] for i in range(len(a)))
        compare("xfade-custom", got, expected, 0, 0.0)
    except RuntimeError as error:
        print("failed", "openclsrc-or-xfade-custom", error, flush=True)


def whole(name, source, chain, pixels, width=WIDTH, height=HEIGHT):
    """Filters without a like on the host: all frames come, and they show something."""
    try:
        got = ffmpeg([source], f"{chain},hwdownload,format={pixels}", pixels, True)
        shown = numpy.frombuffer(got, numpy.uint8).reshape(FRAMES, -1).std(axis=1)
        size = FRAMES * width * height * 3 // 2
        report(name, len(got) == size and shown.min() > 5, f"not compared; spread of the bytes {shown.min():.1f} or more")
    except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
        print("failed", name, error, flush=True)


def alone():
    # deshake writes past the end of its buffer when a side is not a multiple of 8: it is as large as the frame, and indexed in rows
    # of the work-items, which are rounded up.
    width, height = 320, 240
    shaking = (f"mandelbrot=s=400x300:r=10:start_scale=0.3:end_scale=0.3,trim=duration=1,loop=20:1:0,"
               f"crop={width}:{height}:x='40+6*sin(n*2)':y='35+5*cos(n*3)'")
    whole("deshake", shaking, "format=yuv420p,hwupload,deshake_opencl", "yuv420p", width, height)
    bright = "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084:range=tv,format=p010"
    for curve in ("none", "linear", "gamma", "clip", "reinhard", "hable", "mobius"):
        whole(f"tonemap-{curve}", A, f"{bright},hwupload,tonemap_opencl=tonemap={curve}:format=nv12:p=bt709:t=bt709:"
              "m=bt709:r=tv", "nv12")


GROUPS = {"local": local_filters, "geometry": geometry, "colors": colors, "programs": programs, "alone": alone}
for group in sys.argv[1:] or GROUPS:
    GROUPS[group]()
