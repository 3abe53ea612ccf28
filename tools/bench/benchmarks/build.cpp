// From the source text to the end of the first launch, when the program is new and when it has been built before.
// The launch belongs to it because many platforms make their code no earlier.
#include "../benchmark.h"

#include <algorithm>
#include <chrono>

namespace bench {

namespace {

constexpr size_t kBlock = 16, kHeight = 16;
constexpr uint32_t kPixel = 0x80ff4001; // a picture of one colour stays as it is

class OnDevice : public Case {
public:
  OnDevice(const Device &device, bool cold) : device(device), cold(cold) {
    const std::vector<uint32_t> pixels(3 * kBlock * kHeight, kPixel);
    input = device.readOnly(pixels.data(), pixels.size() * sizeof(uint32_t));
    output = device.writeOnly(result.size() * sizeof(uint32_t));
  }
  void run() override {
    if (cold)
      makeUnique();
    cl::Program program(device.context, prefix + source);
    program.build(std::vector<cl::Device>{device.device}, "-cl-std=CL3.0");
    cl::Kernel kernel(program, "gaussian_filter");
    kernel.setArg(0, input);
    kernel.setArg(1, output);
    kernel.setArg(2, cl_int(kHeight));
    kernel.setArg(3, cl_int(3 * kBlock));
    kernel.setArg(4, cl_int(kBlock));
    device.launch(kernel, cl::NDRange(kBlock, kHeight), cl::NDRange(kBlock, 1));
    device.queue.finish();
  }
  void verify() override {
    device.read(output, result);
    if (std::any_of(result.begin(), result.end(), [](uint32_t pixel) { return pixel != kPixel; }))
      throw Mismatch("a picture of one colour changed");
  }

private:
  // A different program for every cache, whether it looks at the text, the options or the code of the kernel: the
  // group's number is taken modulo a number that no other run has and that is far above it.
  void makeUnique() {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    prefix = "#define get_group_id(d) (get_group_id(d) % " + std::to_string(now) + "ul)\n";
  }

  const Device &device;
  const bool cold;
  const std::string source = readKernelFile(exampleKernels("gaussian_filter"), "gaussian_filter.cl");
  std::string prefix;
  std::vector<uint32_t> result = std::vector<uint32_t>(kBlock * kHeight);
  cl::Buffer input, output;
};

Benchmark build(const char *name, const char *description, bool cold) {
  return {name, description, 1,
          0,    "",          [cold](const Device &device) { return std::make_unique<OnDevice>(device, cold); },
          {}};
}

} // namespace

Benchmark buildCold() {
  return build("build-cold", "a new program, from its text to the end of its first launch", true);
}

Benchmark buildWarm() {
  return build("build-warm", "the same with a program that was built before", false);
}

} // namespace bench
