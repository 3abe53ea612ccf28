// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures the time from a program's source text to the end of its first launch. build-cold.<program> builds a new
// program, build-warm.<program> one that was built before; the programs are those of other benchmarks. The small launch
// is included because many platforms generate code only then.
#include "../benchmark.h"

#include <algorithm>
#include <bit>
#include <chrono>

namespace bench {

namespace {

constexpr size_t kElements = 4096; // elements of each buffer

// A kernel argument: a number of 32 bits, or a buffer whose elements all have that value.
struct Argument {
  uint32_t word;
  bool is_buffer;
};
template <class T> constexpr Argument number(T value) {
  return {std::bit_cast<uint32_t>(value), false};
}
template <class T> constexpr Argument buffer(T value) {
  return {std::bit_cast<uint32_t>(value), true};
}

// A program and its launch. The launch makes the first `results` elements of the buffer that is argument number
// `output` equal to `expected`.
struct Source {
  const char *name;
  std::string text, options, kernel;
  std::vector<Argument> arguments;
  cl::NDRange global, local;
  cl_uint output;
  size_t results;
  Argument expected;
};

constexpr uint32_t kPixel = 0x80ff4001;     // a picture of one color, which the filter does not change
constexpr uint32_t kBfloat16s = 0x3f803f80; // two ones as bfloat16

std::vector<Source> sources() {
  const auto own = [](const char *file) { return readKernelFile(ownKernels(), file); };
  const auto example = [](const char *name) { return readKernelFile(exampleKernels(name), name + std::string(".cl")); };
  using cl::NDRange;
  return {
      {"saxpy",
       own("saxpy.cl"),
       "",
       "saxpy",
       {number(2.0f), buffer(3.0f), buffer(1.0f)},
       NDRange(256),
       NDRange(64),
       2,
       256,
       buffer(7.0f)},
      {"mandelbrot",
       own("mandelbrot.cl"),
       "",
       "mandelbrot",
       {buffer(0), number(0.0f), number(0.0f), number(0.0f), number(100)},
       NDRange(16, 16),
       NDRange(16, 1),
       0,
       256,
       buffer(100)},
      {"sgemm",
       example("sgemm"),
       "-DTILE_ROWS=6 -DTILE_COLUMNS=4",
       "sgemm",
       {buffer(1.0f), buffer(1.0f), buffer(0.0f), number(16), number(64), number(64), number(64)},
       NDRange(16),
       NDRange(16),
       2,
       6 * 64,
       buffer(16.0f)},
      {"sgemm-local",
       own("sgemm_local.cl"),
       "-DTILE=16",
       "sgemm_local",
       {buffer(1.0f), buffer(1.0f), buffer(0.0f), number(16), number(32)},
       NDRange(16, 16),
       NDRange(16, 16),
       2,
       256,
       buffer(32.0f)},
      {"plain-bf16",
       own("matrix_mad.cl"),
       "-DTILE_ROWS=1 -DTILE_COLUMNS=4",
       "bf16_elements",
       {buffer(kBfloat16s), buffer(kBfloat16s), buffer(0.0f), number(64), number(64)},
       NDRange(16),
       NDRange(16),
       2,
       8 * 64,
       buffer(64.0f)},
      {"gaussian",
       example("gaussian_filter"),
       "",
       "gaussian_filter",
       {buffer(kPixel), buffer(0), number(16), number(48), number(16)},
       NDRange(16, 16),
       NDRange(16, 1),
       1,
       256,
       buffer(kPixel)},
      {"reduction",
       example("reduction_scan"),
       "",
       "reduce",
       {buffer(1.0f), number(1000), number(1000), buffer(0.0f)},
       NDRange(16),
       NDRange(16),
       3,
       1,
       buffer(1000.0f)},
      {"small-launches", own("launch.cl"), "", "increment", {buffer(41)}, NDRange(64), NDRange(64), 0, 64, buffer(42)},
      // The kernel has four values, which start at 1 to 4; each becomes 5 x + 16 x.
      {"subgroups",
       own("subgroups.cl"),
       "-DWIDTH=16",
       "reduce",
       {buffer(1), buffer(0), number(1)},
       NDRange(64),
       NDRange(64),
       1,
       64,
       buffer(21 ^ 42 ^ 63 ^ 84)}};
}

class OnDevice : public Case {
public:
  OnDevice(const Device &device, const Source &source, bool cold) : device(device), source(source), cold(cold) {
    for (const Argument &argument : source.arguments)
      if (argument.is_buffer)
        buffers.emplace_back(device.context, CL_MEM_READ_WRITE, kElements * sizeof(uint32_t));
    fill();
  }
  void run() override {
    if (cold)
      makeUnique();
    cl::Program program(device.context, prefix + source.text);
    program.build(std::vector<cl::Device>{device.device}, ("-cl-std=CL3.0 " + source.options).c_str());
    cl::Kernel kernel(program, source.kernel.c_str());
    size_t next_buffer = 0;
    for (cl_uint i = 0; i < source.arguments.size(); ++i)
      if (source.arguments[i].is_buffer)
        kernel.setArg(i, buffers[next_buffer++]);
      else
        kernel.setArg(i, source.arguments[i].word);
    device.launch(kernel, source.global, source.local);
    device.queue.finish();
  }
  // Launches again and checks the result. The buffers are filled anew first, because kernels may change them.
  void verify() override {
    fill();
    run();
    std::vector<uint32_t> results(source.results);
    device.read(outputBuffer(), results);
    if (std::any_of(results.begin(), results.end(), [&](uint32_t word) { return word != source.expected.word; }))
      throw Mismatch("the first launch computed something else");
  }

private:
  // Makes the program unknown to every cache, whether the cache's key is the text, the options or the kernel's code:
  // ids are taken modulo a large number that no other run uses.
  void makeUnique() {
    const auto now = std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    prefix = "#define get_group_id(d) (get_group_id(d) % " + now + "ul)\n" +
             "#define get_global_id(d) (get_global_id(d) % " + now + "ul)\n";
  }

  void fill() {
    size_t next_buffer = 0;
    for (const Argument &argument : source.arguments)
      if (argument.is_buffer)
        device.queue.enqueueFillBuffer(buffers[next_buffer++], argument.word, 0, kElements * sizeof(uint32_t));
    device.queue.finish();
  }

  const cl::Buffer &outputBuffer() const {
    const auto begin = source.arguments.begin();
    return buffers[size_t(std::count_if(begin, begin + source.output, [](const Argument &a) { return a.is_buffer; }))];
  }

  const Device &device;
  const Source source;
  const bool cold;
  std::string prefix;
  std::vector<cl::Buffer> buffers; // one for each argument that is a buffer, in order
};

std::vector<std::string> needsOf(const Source &source) {
  return source.text.find("sub_group") == std::string::npos ? std::vector<std::string>() : kSubGroups;
}

} // namespace

std::vector<Benchmark> builds() {
  std::vector<Benchmark> benchmarks;
  for (const bool cold : {true, false})
    for (const Source &source : sources())
      benchmarks.push_back({std::string(cold ? "build-cold." : "build-warm.") + source.name,
                            cold ? "a new program, from its text to the end of its first launch"
                                 : "the same with a program that was built before",
                            1,
                            0,
                            "",
                            [=](const Device &device) { return std::make_unique<OnDevice>(device, source, cold); },
                            {},
                            needsOf(source)});
  return benchmarks;
}

} // namespace bench
