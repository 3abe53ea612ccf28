# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel with sub-group functions on LaneCL through pyopencl, compared with numpy. Takes the device as it is found."""
import sys
import time

import numpy as np
import pyopencl as cl

start = time.time()
SOURCE = """
__attribute__((intel_reqd_sub_group_size(16)))
kernel void rows(global const float *in, global float *sums, global float *reversed) {
  size_t i = get_global_id(0);
  float x = in[i];
  reversed[i] = intel_sub_group_shuffle(x, 15 - get_sub_group_local_id());
  float sum = sub_group_reduce_add(x);
  if (get_sub_group_local_id() == 0)
    sums[i / 16] = sum;
}
"""
devices = [d for p in cl.get_platforms() for d in p.get_devices() if d.name.startswith("LaneCL")]
if len(devices) != 1:
    sys.exit(f"FAILED: platforms {cl.get_platforms()}")
context = cl.Context(devices)
queue = cl.CommandQueue(context)
numbers = np.random.default_rng(1).integers(-1000, 1000, 4096).astype(np.float32)
given = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
sums, backwards = np.empty(256, np.float32), np.empty(4096, np.float32)
outputs = [cl.Buffer(context, cl.mem_flags.WRITE_ONLY, array.nbytes) for array in (sums, backwards)]
cl.Program(context, SOURCE).build(options=["-cl-std=CL3.0"]).rows(queue, (4096,), (64,), given, *outputs)
cl.enqueue_copy(queue, sums, outputs[0])
cl.enqueue_copy(queue, backwards, outputs[1])
queue.finish()
rows = numbers.reshape(256, 16)
if not (np.array_equal(sums, rows.sum(axis=1)) and np.array_equal(backwards.reshape(256, 16), rows[:, ::-1])):
    sys.exit("FAILED: other values than numpy's")
print(f"verified: 256 rows on {devices[0].name}, {time.time() - start:.2f} s")
