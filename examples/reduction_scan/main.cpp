// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes the sum and the inclusive prefix sums of many floats with sub-group reductions and scans.
//
//   example_reduction_scan --count 16777216
#include "common/example.hpp"

#include <cmath>
#include <random>

namespace {

constexpr size_t kWidth = 16;        // the sub-group size that the kernels require
constexpr size_t kChunk = 16 * 1024; // values that one work-group takes

size_t divideUp(size_t value, size_t by) {
  return (value + by - 1) / by;
}

// The sum of values from 0 to 1, added one after the other, has a relative error of at most half an epsilon for each
// addition: those of one lane in a chunk, those over the chunks, and the few of the tree inside a sub-group.
double relativeTolerance(size_t chunks) {
  return (kChunk / kWidth + chunks + 16) * 0x1p-24;
}

struct Arrays {
  std::vector<float> values, prefix_sums;
  float sum = 0;
};

bool verify(const Arrays &arrays) {
  const double tolerance = relativeTolerance(divideUp(arrays.values.size(), kChunk));
  double sum = 0;
  for (size_t i = 0; i < arrays.values.size(); ++i) {
    sum += arrays.values[i];
    if (!(std::abs(arrays.prefix_sums[i] - sum) <= tolerance * sum)) {
      std::printf("MISMATCH in prefix sum %zu: %.9g, expected %.9g\n", i, arrays.prefix_sums[i], sum);
      return false;
    }
  }
  std::printf("Sum       %.9g, in double precision %.9g\n", arrays.sum, sum);
  return std::abs(arrays.sum - sum) <= tolerance * sum;
}

bool run(int argc, char **argv) {
  const example::Options options(argc, argv, {{"count", "16777216"}});
  const size_t count = options.number("count", 1, size_t(1) << 28);
  const size_t chunks = divideUp(count, kChunk);
  Arrays arrays{std::vector<float>(count), std::vector<float>(count)};
  std::mt19937 random(1);
  for (float &value : arrays.values)
    value = float(random() >> 8) * 0x1p-24f;

  const cl::Device device =
      example::chooseDevice(options.text("platform"), {"cl_intel_subgroups", "cl_intel_required_subgroup_size"});
  example::printDevice(device);
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program = example::buildProgram(context, device, EXAMPLE_DIRECTORY, "reduction_scan.cl", "");
  cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer> reduce(program, "reduce");
  cl::KernelFunctor<cl::Buffer, cl_uint> scan_sums(program, "scan_sums");
  cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer, cl::Buffer> scan_chunks(program, "scan_chunks");

  const size_t bytes = count * sizeof(float);
  const cl::Buffer values(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, arrays.values.data());
  const cl::Buffer result(context, CL_MEM_WRITE_ONLY, bytes);
  const cl::Buffer sums(context, CL_MEM_READ_WRITE, chunks * sizeof(float));
  const cl::Buffer sum(context, CL_MEM_READ_WRITE, sizeof(float));
  const cl::NDRange local(kWidth);
  const cl::EnqueueArgs all_chunks(queue, cl::NDRange(chunks * kWidth), local), one(queue, local, local);

  const double reduction = example::fastestMilliseconds(5, [&] {
    reduce(all_chunks, values, cl_uint(count), cl_uint(kChunk), sums);
    reduce(one, sums, cl_uint(chunks), cl_uint(chunks), sum);
    queue.finish();
  });
  const double scan = example::fastestMilliseconds(5, [&] {
    reduce(all_chunks, values, cl_uint(count), cl_uint(kChunk), sums);
    scan_sums(one, sums, cl_uint(chunks));
    scan_chunks(all_chunks, values, cl_uint(count), cl_uint(kChunk), sums, result);
    queue.finish();
  });
  queue.enqueueReadBuffer(sum, CL_TRUE, 0, sizeof(float), &arrays.sum);
  queue.enqueueReadBuffer(result, CL_TRUE, 0, bytes, arrays.prefix_sums.data());

  std::printf("Width     %zu work-items per sub-group\n", example::subGroupWidth(reduce.getKernel(), device, local));
  std::printf("Reduction %.2f ms for %zu floats, %.1f GB/s\n", reduction, count, 1e-6 * bytes / reduction);
  std::printf("Scan      %.2f ms, %.1f GB/s read and written\n", scan, 3e-6 * bytes / scan);
  const bool right = verify(arrays);
  std::printf("%s\n", right ? "Verified: the sum and every prefix sum are within rounding of the host's" : "FAILED");
  return right;
}

} // namespace

int main(int argc, char **argv) {
  return example::guarded([&] { return run(argc, argv); });
}
