# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has darktable export a picture with two presets of each module, and a raw photograph with what it applies by itself,
with OpenCL and on the host, and compares. Prints a line for each: passed, failed, skipped or wrong, its name, and the
largest and the mean difference of a range from 0 to 1."""
import os
import re
import sqlite3
import struct
import subprocess

import numpy as np

WIDTH, HEIGHT = 480, 360
PRESETS = 2  # of each module
PLAIN = ("input color profile", "output color profile")  # what each picture goes through
HISTORY = """<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5"
    darktable:auto_presets_applied="1" darktable:history_end="1">
   <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="{operation}" darktable:enabled="1"
     darktable:modversion="{version}" darktable:params="{params}" darktable:multi_name="" darktable:multi_priority="0"
     darktable:blendop_version="{blend_version}" darktable:blendop_params="{blend_params}"/></rdf:Seq></darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
"""


def picture():
    """Ramps, edges, waves and some noise, from 0 to 1."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    colors = np.stack([x / WIDTH, y / HEIGHT, 0.5 + 0.5 * np.sin(x / 17) * np.cos(y / 23)], -1)
    colors *= (0.2 + 0.8 * ((x // 40 + y // 40) % 2))[..., None]
    noise = np.random.default_rng(1).normal(0, 0.02, colors.shape)
    return np.clip(colors + noise, 0, 1).astype("<f4")


def write_picture(path):
    with open(path, "wb") as file:
        file.write(b"PF\n%d %d\n-1.0\n" % (WIDTH, HEIGHT) + picture()[::-1].tobytes())


def read_picture(path):
    with open(path, "rb") as file:
        kind, width, height = file.readline(), *map(int, file.readline().split())
        file.readline()
        return np.frombuffer(file.read(), "<f4").reshape(height, width, 3 if kind[1:2] == b"F" else 1)


def write_raw(path):
    """A digital negative whose pixels have a color each, in rows of red and green, and of green and blue."""
    colors, mosaic = picture(), np.empty((HEIGHT, WIDTH), "<u2")
    for row, column, color in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        mosaic[row::2, column::2] = 256 + 15000 * colors[row::2, column::2, color]
    data, camera = mosaic.tobytes(), b"LaneCL picture\0"
    identity = [(1, 1) if i % 4 == 0 else (0, 1) for i in range(9)]
    entries = [(254, 4, [0]), (256, 4, [WIDTH]), (257, 4, [HEIGHT]), (258, 3, [16]), (259, 3, [1]), (262, 3, [32803]),
               (271, 2, b"LaneCL\0"), (272, 2, b"picture\0"), (273, 4, [0]), (274, 3, [1]), (277, 3, [1]),
               (278, 4, [HEIGHT]), (279, 4, [len(data)]), (284, 3, [1]), (33421, 3, [2, 2]),
               (33422, 1, bytes([0, 1, 1, 2])), (50706, 1, bytes([1, 4, 0, 0])), (50708, 2, camera), (50714, 3, [256]),
               (50717, 4, [15256]), (50721, 10, identity), (50728, 5, [(1, 1)] * 3), (50778, 3, [21])]
    formats = {1: "B", 2: "B", 3: "H", 4: "I", 5: "II", 10: "ii"}
    start = 8 + 2 + 12 * len(entries) + 4
    directory, values = struct.pack("<H", len(entries)), b""
    sizes = {tag: struct.pack(f"<{len(v)}B", *v) if kind < 3 else
             b"".join(struct.pack(f"<{formats[kind]}", *(n if isinstance(n, tuple) else (n,))) for n in v)
             for tag, kind, v in entries}
    after = start + sum(len(s) + len(s) % 2 for s in sizes.values() if len(s) > 4)
    sizes[273] = struct.pack("<I", after)
    for tag, kind, value in entries:
        packed = sizes[tag]
        if len(packed) > 4:
            directory += struct.pack("<HHII", tag, kind, len(value), start + len(values))
            values += packed + b"\0" * (len(packed) % 2)
        else:
            directory += struct.pack("<HHI", tag, kind, len(value)) + packed.ljust(4, b"\0")
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, 8) + directory + b"\0" * 4 + values + data)


def export(source, history, target, options):
    """What darktable says; the target, opencl.pfm or host.pfm, is a new picture. Each has settings of its own, because
    darktable remembers that it had to do without OpenCL."""
    where = target.removesuffix(".pfm")
    if os.path.exists(target):
        os.remove(target)
    options = ["--disable-opencl", *options] if where == "host" else options
    done = subprocess.run(["darktable-cli", source, *([history] if history else []), target, "--core", "--configdir",
                           f"config-{where}", "--cachedir", "cache", "--library", ":memory:", "-d", "perf", "-d", "opencl",
                           *options], capture_output=True, text=True, errors="replace", timeout=600)
    said = done.stdout + done.stderr
    if done.returncode or not os.path.exists(target):
        raise RuntimeError(f"status {done.returncode}: {' '.join(said.split())[-200:]}")
    return said


def enable_device():
    """darktable notes each device that it sees, and uses processors only when it is told to. The next time it measures
    whether the device is faster than its code for the host, and remembers if not, which beside other load is chance."""
    export("picture.pfm", None, "opencl.pfm", [])
    with open("config-opencl/darktablerc", encoding="utf-8") as file:
        lines = file.read().splitlines()
    with open("config-opencl/darktablerc", "w", encoding="utf-8") as file:
        for line in lines:
            key, _, value = line.partition("=")
            if re.fullmatch(r"cldevice_v\d_[a-z0-9]*", key):
                numbers = value.split()
                numbers[7] = "0"  # not disabled
                line = f"{key}={' '.join(numbers)}"
            print("opencl=TRUE" if key == "opencl" else line, file=file)


def on_gpu(said):
    return re.findall(r"processed `([^']*)' on GPU", said)


def compare(name, source, history=None, options=()):
    """With OpenCL, on the host, and what differs. A module that has no code for OpenCL shows nothing."""
    try:
        said = export(source, history, "opencl.pfm", options)
        export(source, history, "host.pfm", options)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print("failed", name, error, flush=True)
        return
    if not on_gpu(said):
        print("failed", name, "nothing was processed with OpenCL", flush=True)
        return
    if history and len(on_gpu(said)) <= len(PLAIN):
        print("skipped", name, "no code for OpenCL", flush=True)
        return
    os.replace("opencl.pfm", f"exports/{name}.pfm")  # to compare implementations
    got, expected = read_picture(f"exports/{name}.pfm"), read_picture("host.pfm")
    if got.shape != expected.shape:
        print("wrong", name, f"{got.shape} instead of {expected.shape}", flush=True)
        return
    difference = np.abs(got - expected)
    most, mean = float(difference.max()), float(difference.mean())
    same = np.isfinite(difference).all() and most <= 0.02 and mean <= 0.001
    print("passed" if same else "wrong", name, f"{most:.1e} {mean:.1e}", flush=True)


def write_history(path, preset):
    operation, version, params, blend_params, blend_version = preset
    with open(path, "w", encoding="utf-8") as file:
        file.write(HISTORY.format(operation=operation, version=version, params=params.hex(), blend_version=blend_version,
                                  blend_params=blend_params.hex()))


write_picture("picture.pfm")
write_raw("raw.dng")
export("picture.pfm", None, "host.pfm", [])  # which writes down the presets
for _ in range(2):
    enable_device()
os.makedirs("exports", exist_ok=True)
presets = sqlite3.connect("config-host/data.db").execute(
    "SELECT operation, op_version, op_params, blendop_params, blendop_version FROM presets ORDER BY operation, rowid")
compare("plain", "picture.pfm")
for name, workflow in (("raw", "none"), ("raw-filmic", "scene-referred (filmic)")):
    compare(name, "raw.dng", None, ["--conf", f"plugins/darkroom/workflow={workflow}"])
numbers = {}
for preset in presets.fetchall():
    number = numbers[preset[0]] = numbers.get(preset[0], 0) + 1
    if number <= PRESETS:
        write_history("history.xmp", preset)
        compare(f"{preset[0]}-{number}", "picture.pfm", "history.xmp")
