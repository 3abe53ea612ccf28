# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the project. `shift` writes `distance` elements past the place of each work-item. `swap` takes the
value of another lane, which may not exist."""
import pyopencl

SOURCE = """
kernel void shift(global int *out, int distance) {
  size_t i = get_global_id(0);
  out[i + distance] = i;
}
kernel void swap(global int *out, uint lane) {
  out[get_global_id(0)] = intel_sub_group_shuffle(1, lane);
}
"""


class Kernels:
    def __init__(self):
        device = pyopencl.get_platforms()[0].get_devices()[0]
        self.context = pyopencl.Context([device])
        self.queue = pyopencl.CommandQueue(self.context)
        self.program = pyopencl.Program(self.context, SOURCE).build()

    def run(self, name, argument):
        # The buffer is a sub-buffer, so that writes past its end do no harm.
        out = pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE, 4 * 128).get_sub_region(0, 4 * 64)
        kernel = getattr(self.program, name)
        kernel.set_arg(0, out)
        kernel.set_arg(1, argument)
        pyopencl.enqueue_nd_range_kernel(self.queue, kernel, (64,), (32,))
        self.queue.finish()
