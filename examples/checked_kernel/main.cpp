// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs kernels whose results are right although they break rules, for use with `lanecl check`:
//
//   lanecl check --sources examples example_checked_kernel
#include "common/example.hpp"

#include <cmath>

namespace {

constexpr size_t kCount = 96, kSize = 16;

// Return the result that the kernel has to compute for element i.
float smooth(const std::vector<float> &in, size_t i) {
  return (in[i == 0 ? 0 : i - 1] + in[i] + in[std::min(i + 1, kCount - 1)]) / 3;
}
float delta(const std::vector<float> &in, size_t i) {
  return i % kSize == 0 ? in[i] : in[i] - in[i - 1];
}
float twice(const std::vector<float> &in, size_t i) {
  return 2 * in[i];
}

// Runs one kernel on a buffer with `padding` more elements than needed, and compares its results.
bool test(const cl::Context &context, cl::CommandQueue &queue, const cl::Program &program, const char *name,
          size_t local, size_t padding, float (*expected)(const std::vector<float> &, size_t)) {
  std::vector<float> in(kCount + padding), out(kCount);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i * i % 23);
  const cl::Buffer from(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, in.size() * sizeof(float), in.data());
  const cl::Buffer to(context, CL_MEM_WRITE_ONLY, kCount * sizeof(float));
  cl::Kernel kernel(program, name);
  kernel.setArg(0, to);
  kernel.setArg(1, from);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kCount), cl::NDRange(local));
  queue.enqueueReadBuffer(to, CL_TRUE, 0, kCount * sizeof(float), out.data());
  for (size_t i = 0; i < kCount; ++i)
    if (std::abs(out[i] - expected(in, i)) > 1e-5f) {
      std::printf("MISMATCH: %s, element %zu is %g, expected %g\n", name, i, out[i], expected(in, i));
      return false;
    }
  std::printf("%s: all results are right\n", name);
  return true;
}

bool run(int argc, char **argv) {
  const example::Options options(argc, argv, {});
  const cl::Device device = example::chooseDevice(
      options.text("platform"), {"cl_intel_subgroups", "cl_intel_required_subgroup_size", "cl_khr_subgroup_shuffle"});
  example::printDevice(device);
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program = example::buildProgram(context, device, EXAMPLE_DIRECTORY, "checked_kernel.cl", "");
  const bool smoothed = test(context, queue, program, "smooth", 32, 0, smooth);
  const bool encoded = test(context, queue, program, "deltas", 32, 0, delta);
  const bool doubled = test(context, queue, program, "twice", 24, kSize, twice);
  return smoothed && encoded && doubled;
}

} // namespace

int main(int argc, char **argv) {
  return example::guarded([&] { return run(argc, argv); });
}
