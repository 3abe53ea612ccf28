// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs a plan on a device, and lends its arrays to the reference in C++.
#include "benchmark.h"

namespace bench {

namespace {

cl::Memory allocate(const Device &device, const Plan::Storage &storage) {
  const cl_mem_flags flags = (storage.is_written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY) | CL_MEM_COPY_HOST_PTR;
  auto *initial = const_cast<std::byte *>(storage.initial.data());
  if (const auto &image = storage.image)
    return cl::Image2D(device.context, flags, image->format, image->width, image->height, 0, initial);
  return cl::Buffer(device.context, flags, storage.initial.size(), initial);
}

} // namespace

OnDevice::OnDevice(Device given, PlanPointer shared, bool is_built)
    : device(std::move(given)), plan(std::move(shared)) {
  for (const Plan::Storage &storage : plan->arrays)
    memories.push_back(allocate(device, storage));
  if (is_built)
    build();
}

void OnDevice::build(const std::string &prefix) {
  cl::Program program(device.context, prefix + readKernelFile(plan->file));
  program.build(std::vector<cl::Device>{device.device}, ("-cl-std=CL3.0 " + plan->options).c_str());
  kernels.clear();
  for (const auto &step : plan->steps)
    if (const auto *launch = std::get_if<Plan::Launch>(&step))
      kernels.push_back(kernelOf(program, *launch));
}

void OnDevice::run() {
  size_t next_kernel = 0;
  for (const auto &step : plan->steps)
    if (const auto *launch = std::get_if<Plan::Launch>(&step))
      enqueue(kernels[next_kernel++], *launch);
    else if (const auto *zero = std::get_if<Plan::Zero>(&step))
      device.queue.enqueueFillBuffer(buffer(zero->array), cl_uchar(0), 0, size(zero->array));
    else if (const auto *copy = std::get_if<Plan::Copy>(&step))
      device.queue.enqueueCopyBuffer(buffer(copy->from), buffer(copy->to), 0, 0, size(copy->from));
  device.queue.finish();
}

void OnDevice::enqueue(const cl::Kernel &kernel, const Plan::Launch &launch) const {
  for (size_t i = 0; i < launch.times; ++i) {
    const cl::NDRange first = launch.shifted ? cl::NDRange(i * launch.global[0]) : cl::NullRange;
    device.queue.enqueueNDRangeKernel(kernel, first, launch.global, launch.local);
    if (launch.waits)
      device.queue.finish();
  }
}

void OnDevice::verify() {
  for (const auto &[array, check] : plan->checks) {
    std::vector<std::byte> result(size(array));
    if (const auto &image = plan->arrays[array.index].image)
      device.queue.enqueueReadImage(cl::Image2D(memories[array.index](), true), CL_TRUE, {0, 0, 0},
                                    {image->width, image->height, 1}, 0, 0, result.data());
    else
      device.queue.enqueueReadBuffer(buffer(array), CL_TRUE, 0, result.size(), result.data());
    check(result);
  }
}

cl::Kernel OnDevice::kernelOf(const cl::Program &program, const Plan::Launch &launch) const {
  cl::Kernel kernel(program, launch.kernel.c_str());
  for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
    const Argument &argument = launch.arguments[i];
    if (const auto *array = std::get_if<Array>(&argument))
      kernel.setArg(i, memories[array->index]);
    else if (const auto *local = std::get_if<LocalBytes>(&argument))
      kernel.setArg(i, local->count, nullptr);
    else
      kernel.setArg(i, std::get<Number>(argument).size, std::get<Number>(argument).bytes.data());
  }
  return kernel;
}

HostArrays::HostArrays(const Plan &plan) : written(plan.arrays.size()) {
  for (size_t i = 0; i < plan.arrays.size(); ++i) {
    if (plan.arrays[i].is_written)
      written[i] = plan.arrays[i].initial;
    places.push_back(plan.arrays[i].is_written ? written[i].data() : plan.arrays[i].initial.data());
    sizes.push_back(plan.arrays[i].initial.size());
  }
}

} // namespace bench
