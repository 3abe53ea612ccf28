// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs a plan on a device, and lends its arrays to the reference in C++.
#include "workload.h"

namespace bench {

namespace {

using PlanPointer = std::shared_ptr<const Plan>;

cl::Memory allocate(const Device &device, const Plan::Storage &storage) {
  const cl_mem_flags flags = (storage.is_written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY) | CL_MEM_COPY_HOST_PTR;
  auto *initial = const_cast<std::byte *>(storage.initial.data());
  if (const auto &image = storage.image)
    return cl::Image2D(device.context, flags, image->format, image->width, image->height, 0, initial);
  return cl::Buffer(device.context, flags, storage.initial.size(), initial);
}

// A plan on one device: each array is a buffer or an image, and each launch has its kernel with the arguments set.
class OnDevice : public Case {
public:
  OnDevice(const Device &device, PlanPointer shared) : device(device), plan(std::move(shared)) {
    for (const Plan::Storage &storage : plan->arrays)
      memories.push_back(allocate(device, storage));
    const cl::Program program = device.build(ownKernels(), plan->file, plan->options);
    for (const auto &step : plan->steps)
      if (const auto *launch = std::get_if<Plan::Launch>(&step))
        kernels.push_back(kernelOf(program, *launch));
  }

  void run() override {
    size_t next_kernel = 0;
    for (const auto &step : plan->steps)
      if (const auto *launch = std::get_if<Plan::Launch>(&step))
        device.launch(kernels[next_kernel++], launch->global, launch->local);
      else if (const auto *zero = std::get_if<Plan::Zero>(&step))
        device.queue.enqueueFillBuffer(buffer(zero->array), cl_uchar(0), 0, size(zero->array));
      else if (const auto *copy = std::get_if<Plan::Copy>(&step))
        device.queue.enqueueCopyBuffer(buffer(copy->from), buffer(copy->to), 0, 0, size(copy->from));
    device.queue.finish();
  }

  void verify() override {
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

private:
  cl::Kernel kernelOf(const cl::Program &program, const Plan::Launch &launch) const {
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
  cl::Buffer buffer(Array array) const { return cl::Buffer(memories[array.index](), true); }
  size_t size(Array array) const { return plan->arrays[array.index].initial.size(); }

  const Device &device;
  const PlanPointer plan;
  std::vector<cl::Memory> memories;
  std::vector<cl::Kernel> kernels; // one for each launch of the plan, in order
};

// A plan for the reference in C++.
class Native : public Case {
public:
  Native(PlanPointer shared, const std::function<void(HostArrays &)> &work)
      : plan(std::move(shared)), arrays(*plan), work(work) {}
  void run() override { work(arrays); }
  void verify() override {
    for (const auto &[array, check] : plan->checks)
      check({arrays.in<std::byte>(array.index), plan->arrays[array.index].initial.size()});
  }

private:
  const PlanPointer plan;
  HostArrays arrays;
  const std::function<void(HostArrays &)> work;
};

// Returns a function that makes the plan when the first contestant asks for it and shares it with the others. The plan
// is destroyed with the last of them, because the data of all benchmarks together would fill the memory.
std::function<PlanPointer()> sharedPlan(const std::function<void(Plan &)> &describe) {
  return [describe, shared = std::make_shared<std::weak_ptr<const Plan>>()] {
    if (PlanPointer existing = shared->lock())
      return existing;
    const auto made = std::make_shared<Plan>();
    describe(*made);
    *shared = made;
    return PlanPointer(made);
  };
}

} // namespace

void Plan::program(std::string kernel_file, std::string build_options) {
  file = std::move(kernel_file);
  options = std::move(build_options);
}

void Plan::launch(std::string kernel, std::vector<Argument> arguments, const cl::NDRange &global,
                  const cl::NDRange &local) {
  steps.push_back(Launch{std::move(kernel), std::move(arguments), global, local});
}

void Plan::zero(Array array) {
  steps.push_back(Zero{array});
}

void Plan::copy(Array from, Array to) {
  steps.push_back(Copy{from, to});
}

HostArrays::HostArrays(const Plan &plan) : written(plan.arrays.size()) {
  for (size_t i = 0; i < plan.arrays.size(); ++i) {
    if (plan.arrays[i].is_written)
      written[i] = plan.arrays[i].initial;
    places.push_back(plan.arrays[i].is_written ? written[i].data() : plan.arrays[i].initial.data());
  }
}

Benchmark benchmarkOf(Workload workload) {
  const auto plan = sharedPlan(workload.plan);
  Benchmark benchmark;
  benchmark.name = std::move(workload.name);
  benchmark.description = std::move(workload.description);
  benchmark.amount = workload.amount;
  benchmark.unit = std::move(workload.unit);
  benchmark.needs = std::move(workload.needs);
  benchmark.on_device = [plan](const Device &device) { return std::make_unique<OnDevice>(device, plan()); };
  if (workload.native)
    benchmark.native = [plan, work = std::move(workload.native)] { return std::make_unique<Native>(plan(), work); };
  return benchmark;
}

} // namespace bench
