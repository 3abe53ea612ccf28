// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jobs.h"

namespace lanecl::test::soak {

void makeMistakes(Shared &shared, Random &random) {
  CommandQueue queue = makeQueue(shared.context, 0, shared.device);
  cl_int code = CL_SUCCESS;
  Memory memory(clCreateBuffer(shared.context, CL_MEM_READ_WRITE, 256, nullptr, &code));
  check(code, "clCreateBuffer");
  Kernel kernel(clCreateKernel(shared.program, "add", &code));
  check(code, "clCreateKernel");
  const size_t one = 1;
  const cl_int value = 0;

  switch (below(random, 8)) {
  case 0:
    clCreateBuffer(shared.context, CL_MEM_READ_WRITE, 0, nullptr, &code);
    expectCode(CL_INVALID_BUFFER_SIZE, code, "clCreateBuffer");
    break;
  case 1:
    expectCode(CL_INVALID_KERNEL_ARGS,
               clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               "clEnqueueNDRangeKernel");
    break;
  case 2:
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), memory.address()), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof value, &value), "clSetKernelArg");
    expectCode(CL_INVALID_WORK_DIMENSION,
               clEnqueueNDRangeKernel(queue, kernel, 4, nullptr, &one, nullptr, 0, nullptr, nullptr),
               "clEnqueueNDRangeKernel");
    break;
  case 3: expectCode(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 1, &value), "clSetKernelArg"); break;
  case 4:
    expectCode(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, memory, CL_TRUE, 255, 2, &code, 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
    break;
  case 5:
    clCreateKernel(shared.program, "no such kernel", &code);
    expectCode(CL_INVALID_KERNEL_NAME, code, "clCreateKernel");
    break;
  case 6:
    expectCode(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, nullptr, &value, 4, 0, 4, 0, nullptr, nullptr),
               "clEnqueueFillBuffer");
    break;
  case 7:
    expectCode(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, nullptr, nullptr),
               "clEnqueueMarkerWithWaitList");
  }
  ++shared.tally.refusals;
}

} // namespace lanecl::test::soak
