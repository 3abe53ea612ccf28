#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders small scenes with LuxCore's path tracer on OpenCL and on the host.

    pictures.py                    compares the pictures and prints "passed NAME" or "wrong NAME" with the difference
    pictures.py --first-samples    prints the processor time until the first scene has samples

Both use the same algorithm with other random numbers. So the mean of a picture, and those of its quarters, may differ
by the noise that is left after the samples that are taken.
"""
import argparse
import array
import os
import resource
import sys
import time

import numpy as np
import pyluxcore

SIZE = 64
SAMPLES = 400
MOST_DIFFERENCE = 0.01  # of the means
LAMP = "scene.materials.lamp.type = matte\nscene.materials.lamp.kd = 0 0 0\nscene.materials.lamp.emission = 20 20 20\n"
MATERIALS = {
    "matte": "type = matte\nkd = 0.7 0.6 0.5",
    "glossy": "type = glossy2\nkd = 0.3 0.5 0.2\nks = 0.1 0.1 0.1\nuroughness = 0.2\nvroughness = 0.2",
    "metal": "type = metal2\nn = 1.2 0.9 0.6\nk = 7 6 5\nuroughness = 0.3\nvroughness = 0.3",
    "checkerboard": "type = matte\nkd = board",
    "noise": "type = matte\nkd = clouds",
}
TEXTURES = """
scene.textures.board.type = checkerboard3d
scene.textures.board.texture1 = 0.9 0.1 0.1
scene.textures.board.texture2 = 0.1 0.1 0.9
scene.textures.board.mapping.type = globalmapping3d
scene.textures.board.mapping.transformation = 3 0 0 0  0 3 0 0  0 0 3 0  0.1 0.1 0.1 1
scene.textures.clouds.type = fbm
scene.textures.clouds.octaves = 4
scene.textures.clouds.mapping.type = globalmapping3d
"""
CORNERS = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6),
           (1, 3, 5), (3, 7, 5)]


def properties(text):
    result = pyluxcore.Properties()
    result.SetFromString(text)
    return result


def scene_with(material):
    """Returns a box of the material under a lamp, on a floor."""
    scene = pyluxcore.Scene()
    text = "scene.camera.type = perspective\nscene.camera.lookat.orig = 2 -6 2\nscene.camera.lookat.target = 0 0 0.5\n"
    text += LAMP + TEXTURES + "scene.materials.floor.type = matte\nscene.materials.floor.kd = 0.5 0.5 0.5\n"
    text += "".join(f"scene.materials.box.{line}\n" for line in MATERIALS[material].split("\n"))
    scene.Parse(properties(text))
    box = [(x, y, z) for z in (0, 1) for y in (-1, 1) for x in (-1, 1)]
    lamp = [(-1, -1, 3), (1, -1, 3), (1, 1, 3), (-1, 1, 3)]
    floor = [(4 * x, 4 * y, 0) for x, y, _ in lamp]
    scene.DefineMesh("box", box, CORNERS, None, None, None, None)
    scene.DefineMesh("lamp", lamp, [(0, 2, 1), (0, 3, 2)], None, None, None, None)
    scene.DefineMesh("floor", floor, [(0, 1, 2), (0, 2, 3)], None, None, None, None)
    scene.Parse(properties("".join(f"scene.objects.{name}.shape = {name}\nscene.objects.{name}.material = {name}\n"
                                   for name in ("box", "lamp", "floor"))))
    return scene


def render(material, engine, samples, is_done=lambda _: False):
    """Returns the picture after so many samples a pixel, or before if is_done() says so."""
    config = pyluxcore.RenderConfig(properties(f"""
renderengine.type = {engine}
opencl.cpu.use = 1
opencl.gpu.use = 1
opencl.native.threads.count = 0
opencl.kernelcache = NONE
film.width = {SIZE}
film.height = {SIZE}
opencl.task.count = 4096
film.imagepipeline.0.type = NOP
film.outputs.0.type = RGB
film.outputs.0.filename = unused.exr
"""), scene_with(material))
    session = pyluxcore.RenderSession(config)
    session.Start()
    while True:
        time.sleep(0.05)
        session.UpdateStats()
        taken = session.GetStats().Get("stats.renderengine.pass").GetInt()
        if taken >= samples or is_done(taken):
            break
    session.Stop()
    values = array.array("f", [0] * (SIZE * SIZE * 3))
    session.GetFilm().GetOutputFloat(pyluxcore.FilmOutputType.RGB, values, 0)
    return np.array(values).reshape(SIZE, SIZE, 3)


def means(picture):
    """Returns the mean of the picture and those of its quarters."""
    half = SIZE // 2
    return np.array([picture.mean()] + [picture[y:y + half, x:x + half].mean() for y in (0, half) for x in (0, half)])


def compare(material):
    want = means(render(material, "PATHCPU", SAMPLES))
    got = means(render(material, "PATHOCL", SAMPLES))
    difference = np.abs(got - want).max() / want.max()
    print("passed" if difference < MOST_DIFFERENCE else "wrong", material, f"{difference:.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first-samples", action="store_true")
    options = parser.parse_args()
    pyluxcore.Init(lambda _: None)
    if options.first_samples:
        render("matte", "PATHOCL", 1)
        usage = resource.getrusage(resource.RUSAGE_SELF)
        print("seconds", f"{usage.ru_utime + usage.ru_stime:.1f}", "megabytes", usage.ru_maxrss >> 10)
        return
    for material in MATERIALS:
        compare(material)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # pyluxcore deletes a Python object after the interpreter has ended, which crashes
