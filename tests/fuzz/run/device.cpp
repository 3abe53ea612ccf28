// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/device.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace lanecl::fuzz {

using test::check;

std::string nameOf(Verdict verdict) {
  constexpr const char *kNames[] = {"passed",  "wrong", "build-failed",  "launch-failed",
                                    "crashed", "hung",  "not-translated"};
  return kNames[unsigned(verdict)];
}

namespace {

std::string platformName(cl_platform_id platform) {
  char name[256] = {};
  check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr), "clGetPlatformInfo");
  return name;
}

cl_device_id findDevice(const std::string &wanted) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (platformName(platform).find(wanted) != std::string::npos &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  throw std::runtime_error("no OpenCL platform has '" + wanted +
                           "' in its name; OCL_ICD_VENDORS says where the loader looks for platforms");
}

// Prints what the runtime says about commands that fail.
void CL_CALLBACK report(const char *text, const void *, size_t, void *) {
  std::fprintf(stderr, "%s\n", text);
}

std::vector<unsigned char> packed(Type type, const std::vector<uint64_t> &values) {
  const size_t size = bitsOf(type.base) / 8;
  std::vector<unsigned char> bytes(values.size() * size);
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&bytes[i * size], &values[i], size);
  return bytes;
}

cl_image_format formatOf(const ImageShape &image) {
  constexpr cl_channel_order kOrders[] = {CL_R, CL_RG, CL_RGBA, CL_RGBA};
  constexpr cl_channel_type kTypes[] = {CL_SIGNED_INT8,    CL_UNSIGNED_INT8, CL_SIGNED_INT16,
                                        CL_UNSIGNED_INT16, CL_SIGNED_INT32,  CL_UNSIGNED_INT32};
  return {kOrders[image.channels - 1], kTypes[unsigned(image.base)]};
}

test::Memory makeImage(cl_context context, const Argument &argument, std::vector<unsigned char> &bytes) {
  constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D};
  const ImageShape &image = argument.image;
  const cl_image_format format = formatOf(image);
  cl_image_desc desc{};
  desc.image_type = kTypes[image.dims - 1];
  desc.image_width = image.width;
  desc.image_height = image.dims > 1 ? image.height : 0;
  desc.image_depth = image.dims > 2 ? image.depth : 0;
  cl_int code = CL_SUCCESS;
  test::Memory result(
      clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes.data(), &code));
  check(code, "clCreateImage");
  return result;
}

test::Memory makeBuffer(cl_context context, const std::vector<unsigned char> &bytes, const GuardedMemory &memory) {
  std::memcpy(memory.start(), bytes.data(), bytes.size());
  cl_int code = CL_SUCCESS;
  test::Memory result(
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes.size(), memory.start(), &code));
  check(code, "clCreateBuffer");
  return result;
}

// Puts the buffers of a launch one after the other into one buffer.
std::vector<test::Memory> makeParts(cl_context context, const CaseLaunch &launch, size_t align,
                                    std::vector<GuardedMemory> &memory) {
  std::vector<std::vector<unsigned char>> contents;
  std::vector<cl_buffer_region> regions;
  size_t end = 0;
  for (const Argument &argument : launch.arguments) {
    const bool is_buffer = argument.kind == Argument::Kind::Buffer;
    contents.push_back(is_buffer ? packed(argument.type, argument.values) : std::vector<unsigned char>());
    regions.push_back({end, contents.back().size()});
    end += (contents.back().size() + align - 1) / align * align;
  }
  std::vector<unsigned char> bytes(end);
  for (size_t i = 0; i < regions.size(); ++i)
    std::copy(contents[i].begin(), contents[i].end(), bytes.begin() + ptrdiff_t(regions[i].origin));
  std::vector<test::Memory> buffers(launch.arguments.size());
  const test::Memory whole = makeBuffer(context, bytes, memory.emplace_back(end));
  for (size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].size == 0)
      continue;
    cl_int code = CL_SUCCESS;
    buffers[i] =
        test::Memory(clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &regions[i], &code));
    check(code, "clCreateSubBuffer");
  }
  return buffers;
}

// Returns the options for clBuildProgram. For a SPIR-V module, Clang has used the other options already when it made
// the module.
std::string buildOptions(const Case &test) {
  if (test.block_order == 0)
    return test.options;
  return test.options.find("-cl-opt-disable") != std::string::npos ? "-cl-opt-disable" : "";
}

std::string shown(Base base, uint64_t bits) {
  return isSigned(base) ? std::to_string(extended(base, bits)) : std::to_string(bits);
}

} // namespace

Device::Device(const std::string &platform) : device(findDevice(platform)) {
  cl_int code = CL_SUCCESS;
  context = test::Context(clCreateContext(nullptr, 1, &device, report, nullptr, &code));
  check(code, "clCreateContext");
  queue = test::CommandQueue(clCreateCommandQueueWithProperties(context, device, nullptr, &code));
  check(code, "clCreateCommandQueueWithProperties");
}

std::string Device::name() const {
  char text[256] = {};
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, nullptr), "clGetDeviceInfo");
  return text;
}

test::Program Device::create(const std::string &source) const {
  const char *text = source.c_str();
  cl_int code = CL_SUCCESS;
  test::Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  return program;
}

// Returns the build log if the build fails.
std::optional<std::string> Device::build(const test::Program &program, const std::string &options) const {
  const cl_int code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
  if (code == CL_SUCCESS)
    return std::nullopt;
  size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return "clBuildProgram returned " + std::to_string(code) + "\n" + log.c_str();
}

// Returns 0 if the device does not tell.
unsigned Device::subGroupSize(cl_kernel kernel, const NDRange &range) const {
  size_t size = 0;
  if (clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                              range.local.size() * sizeof(size_t), range.local.data(), sizeof size, &size,
                              nullptr) != CL_SUCCESS)
    return 0;
  return unsigned(size);
}

// Reads all bytes of an argument after the launch.
void Device::fetch(const Argument &argument, const test::Memory &memory, std::vector<unsigned char> &bytes) const {
  if (argument.kind != Argument::Kind::Image) {
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return;
  }
  const ImageShape &image = argument.image;
  const size_t origin[3] = {}, region[3] = {image.width, image.height, image.depth};
  check(clEnqueueReadImage(queue, memory, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
}

std::string Device::differences(const CaseLaunch &launch, unsigned width,
                                const std::vector<test::Memory> &buffers) const {
  std::ostringstream text;
  bool compared = launch.expectations.empty();
  for (const Expectation &e : launch.expectations) {
    if (e.width != 0 && e.width != width)
      continue;
    compared = true;
    const Base base = launch.arguments[e.argument].type.base;
    const std::vector<unsigned char> want = packed({base, 1}, e.values);
    std::vector<unsigned char> got(want.size());
    const auto differs = [&](size_t i, uint64_t found) {
      return ((found ^ e.values[i]) & ~(e.open.empty() ? 0 : e.open[i])) != 0;
    };
    fetch(launch.arguments[e.argument], buffers[e.argument], got);
    unsigned shown_values = 0;
    for (size_t i = 0, size = bitsOf(base) / 8; got != want && i < e.values.size(); ++i) {
      uint64_t found = 0;
      std::memcpy(&found, &got[i * size], size);
      if (differs(i, found) && shown_values++ < 8)
        text << "argument " << e.argument << "[" << i << "]: expected " << shown(base, e.values[i]) << ", found "
             << shown(base, found) << "\n";
    }
    if (shown_values > 8)
      text << "argument " << e.argument << ": " << shown_values << " values of " << e.values.size() << " are wrong\n";
  }
  if (!compared)
    throw std::runtime_error("the device has sub-groups of " + std::to_string(width) +
                             " here, for which nothing is expected");
  return text.str();
}

void Device::setArgument(cl_kernel kernel, cl_uint i, const Argument &argument, std::vector<GuardedMemory> &memory,
                         std::vector<test::Memory> &buffers) const {
  using Kind = Argument::Kind;
  if (argument.kind == Kind::Local)
    return check(clSetKernelArg(kernel, i, argument.bytes, nullptr), "clSetKernelArg");
  if (argument.kind == Kind::Same)
    return check(clSetKernelArg(kernel, i, sizeof(cl_mem), buffers[argument.values[0]].address()), "clSetKernelArg");
  std::vector<unsigned char> bytes = packed(argument.type, argument.values);
  if (argument.kind == Kind::Scalar)
    return check(clSetKernelArg(kernel, i, bytes.size(), bytes.data()), "clSetKernelArg");
  if (argument.kind == Kind::Image)
    buffers[i] = makeImage(context, argument, bytes);
  else if (!buffers[i].get())
    buffers[i] = makeBuffer(context, bytes, memory.emplace_back(bytes.size()));
  check(clSetKernelArg(kernel, i, sizeof(cl_mem), buffers[i].address()), "clSetKernelArg");
}

// Returns the alignment of sub-buffers in bytes.
size_t Device::alignment() const {
  cl_uint bits = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, nullptr), "clGetDeviceInfo");
  return bits / 8;
}

// Runs a launch. Returns a description of the differences, empty if there are none.
std::string Device::launch(const test::Program &program, const CaseLaunch &launch) const {
  cl_int code = CL_SUCCESS;
  test::Kernel kernel(clCreateKernel(program, launch.kernel.c_str(), &code));
  check(code, "clCreateKernel");
  std::vector<GuardedMemory> memory; // lives longer than the buffers
  std::vector<test::Memory> buffers(launch.arguments.size());
  if (launch.shares_buffer)
    buffers = makeParts(context, launch, alignment(), memory);
  for (cl_uint i = 0; i < launch.arguments.size(); ++i)
    setArgument(kernel, i, launch.arguments[i], memory, buffers);
  const NDRange &range = launch.range;
  check(clEnqueueNDRangeKernel(queue, kernel, cl_uint(range.global.size()),
                               range.offset.empty() ? nullptr : range.offset.data(), range.global.data(),
                               range.open ? nullptr : range.local.data(), 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  return differences(launch, subGroupSize(kernel, range), buffers);
}

std::vector<Finding> Device::run(const Case &test) const {
  if (test.block_order == 0)
    return run(create(test.source), test);
  const std::optional<Words> module = compileToSpirv(test.source, test.options);
  if (!module)
    return {{Verdict::NotTranslated}};
  std::vector<Finding> findings = run(shuffleBlocks(*module, test.block_order), test);
  // Clang makes wrong SPIR-V from some functions, such as convert_char_sat of an int.
  if (!findings.empty() && !run(*module, test).empty())
    return {{Verdict::NotTranslated}};
  return findings;
}

std::vector<Finding> Device::run(const Words &module, const Case &test) const {
  cl_int code = CL_SUCCESS;
  const test::Program program(clCreateProgramWithIL(context, module.data(), module.size() * sizeof(uint32_t), &code));
  if (code != CL_SUCCESS)
    return {{Verdict::BuildFailed, "", "clCreateProgramWithIL returned " + std::to_string(code) + "\n"}};
  return run(program, test);
}

std::vector<Finding> Device::run(const test::Program &program, const Case &test) const {
  if (const std::optional<std::string> log = build(program, buildOptions(test)))
    return {{Verdict::BuildFailed, "", *log}};
  std::vector<Finding> findings;
  for (size_t i = 0; i < test.launches.size(); ++i) {
    const std::string where = "launch " + std::to_string(i) + " of " + test.launches[i].kernel + "\n";
    try {
      const std::string wrong = launch(program, test.launches[i]);
      if (!wrong.empty())
        findings.push_back({Verdict::Wrong, test.launches[i].kernel, where + wrong});
    } catch (const std::exception &failure) {
      findings.push_back({Verdict::LaunchFailed, test.launches[i].kernel, where + failure.what() + "\n"});
    }
  }
  return findings;
}

} // namespace lanecl::fuzz
