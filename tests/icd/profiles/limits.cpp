// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Limits of a GPU's profile, and what its driver accepts or refuses. CTest runs this once for each profile, with
// LANECL_DEVICE.
#include "expected.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr const char *kFill = "kernel void fill(global uint *p, uint value) { p[get_global_id(0) + get_global_size(0) "
                              "* get_global_id(1)] = value; }"
                              "kernel void scratch(global uint *p, local uint *l)"
                              "{ l[get_local_id(0)] = 5; p[get_global_id(0)] = l[get_local_id(0)]; }";

void CL_CALLBACK remember(const char *text, const void *, size_t, void *messages) {
  static_cast<std::string *>(messages)->append(text);
}

cl_int launch(const Session &cl, const Kernel &kernel, const std::vector<size_t> &local) {
  return clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(local.size()), nullptr, local.data(), local.data(), 0,
                                nullptr, nullptr);
}

cl_int queueCode(const Session &cl, cl_queue_properties throttle) {
  const cl_queue_properties list[] = {CL_QUEUE_THROTTLE_KHR, throttle, 0};
  cl_int code = 1;
  const CommandQueue queue(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &code));
  return code;
}

void CL_CALLBACK nothing(void *) {}

} // namespace

TEST_CASE("work-groups are as large as on the GPU", "[.profile]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build(kFill), "fill");
  const size_t most = expected().work_group_size;
  const Memory out = cl.buffer(std::vector<cl_uint>(4 * most, 0));
  cl.setArguments(kernel, out, cl_uint(3));
  CHECK(launch(cl, kernel, {most}) == CL_SUCCESS);
  CHECK(launch(cl, kernel, {2, most / 2}) == CL_SUCCESS);
  CHECK(launch(cl, kernel, {2, most}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launch(cl, kernel, {2 * most}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(cl.read<cl_uint>(out)[most - 1] == 3);
}

TEST_CASE("a kernel may not require a larger work-group", "[.profile]") {
  Session cl;
  const std::string size = std::to_string(2 * expected().work_group_size);
  const Kernel kernel =
      cl.kernel(cl.build("__attribute__((reqd_work_group_size(" + size + ", 1, 1))) kernel void k() {}"), "k");
  const size_t global = 2 * expected().work_group_size;
  CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("local memory is as large as on the GPU", "[.profile]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build(kFill), "scratch");
  const Memory out = cl.buffer(std::vector<cl_uint>(16, 0));
  cl.setArguments(kernel, out, Local{expected().local_kibibytes << 10});
  CHECK(launch(cl, kernel, {16}) == CL_SUCCESS);
  CHECK(cl.read<cl_uint>(out) == std::vector<cl_uint>(16, 5));
  cl.setArguments(kernel, out, Local{(expected().local_kibibytes << 10) + 64});
  CHECK(launch(cl, kernel, {16}) == CL_OUT_OF_RESOURCES);
}

TEST_CASE("local arguments are rounded up to whole kibibytes", "[.profile]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build("kernel void k(global uint *p, local uint *l) { local uint own[4];"
                                           "  own[get_local_id(0) & 3] = 5; l[get_local_id(0)] = 1;"
                                           "  barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = own[0] + l[3]; }"),
                                  "k");
  const Memory out = cl.buffer(std::vector<cl_uint>(16, 0));
  const size_t limit = expected().local_kibibytes << 10;
  cl.setArguments(kernel, out, Local{limit - 1024});
  CHECK(launch(cl, kernel, {16}) == CL_SUCCESS);
  CHECK(cl.read<cl_uint>(out) == std::vector<cl_uint>(16, 6));
  cl.setArguments(kernel, out, Local{limit - 1023});
  CHECK(launch(cl, kernel, {16}) == CL_OUT_OF_RESOURCES);
  cl.setArguments(kernel, out, Local{100});
  cl_ulong bytes = 0;
  check(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr),
        "clGetKernelWorkGroupInfo");
  CHECK(bytes == 16 + 1024);
}

TEST_CASE("a program with more local memory than the GPU has is refused by the build", "[.profile]") {
  Session cl;
  const size_t words = (expected().local_kibibytes << 10) / 4;
  const auto source = [](size_t count) {
    return "kernel void k(global int *p) { local int l[" + std::to_string(count) +
           "]; l[get_local_id(0)] = p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = l[get_local_id(0) ^ 1]; "
           "}";
  };
  const Memory out = cl.buffer(std::vector<cl_uint>(16, 7));
  const Kernel kernel = cl.kernel(cl.build(source(words)), "k");
  cl.setArguments(kernel, out);
  CHECK(launch(cl, kernel, {16}) == CL_SUCCESS);
  CHECK(cl.read<cl_uint>(out) == std::vector<cl_uint>(16, 7));
  const Program program = cl.source(source(words + 1));
  CHECK(clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr) == CL_OUT_OF_RESOURCES);
  const std::string sizes = std::to_string(4 * words + 4) + " bytes of local memory, but the device has only ";
  CHECK_THAT(buildLog(program), Catch::Contains("kernel k needs " + sizes + std::to_string(4 * words)));
  CHECK(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  const cl_program object = program;
  cl_int code = 1;
  const Program linked(clLinkProgram(cl.context, 0, nullptr, "", 1, &object, nullptr, nullptr, &code));
  CHECK(code == CL_OUT_OF_RESOURCES);
  CHECK_THAT(buildLog(linked), Catch::Contains(sizes));
}

TEST_CASE("an allocation may not exceed the GPU's limit", "[.profile]") {
  Session cl;
  cl_int code = 1;
  const size_t most = answer<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const Memory buffer(clCreateBuffer(cl.context, CL_MEM_READ_WRITE, most + 1, nullptr, &code));
  CHECK(code == CL_INVALID_BUFFER_SIZE);
  void *const coarse = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
  CHECK(coarse != nullptr);
  clSVMFree(cl.context, coarse);
  void *const fine = clSVMAlloc(cl.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
  CHECK((fine != nullptr) == expected().has_fine_grain_svm);
  clSVMFree(cl.context, fine);
}

TEST_CASE("a value may be given with more bytes than its type has", "[.profile]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build(kFill), "fill");
  const Memory out = cl.buffer(std::vector<cl_uint>(16, 0));
  cl.setArguments(kernel, out, cl_uint(0));
  const cl_ulong value = 0x100000007;
  CHECK(clSetKernelArg(kernel, 1, sizeof value, &value) == CL_SUCCESS);
  CHECK(launch(cl, kernel, {16}) == CL_SUCCESS);
  CHECK(cl.read<cl_uint>(out) == std::vector<cl_uint>(16, 7));
  CHECK(clSetKernelArg(kernel, 1, 2, &value) == CL_INVALID_ARG_SIZE);
}

TEST_CASE("a driver of OpenCL 3.0 refuses features of 3.1", "[.profile]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build("kernel void k(local int *p) {}"), "k");
  CHECK(clSetKernelArg(kernel, 0, 0, nullptr) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(kernel, 0, 4, nullptr) == CL_SUCCESS);
  CHECK_THROWS_AS(cl.build("kernel void k() {}", "-cl-std=CL3.1"), BuildError);
}

TEST_CASE("kernels do not use system memory if the GPU cannot", "[.profile]") {
  Session cl;
  const Kernel kernel = cl.kernel(cl.build("kernel void k() {}"), "k");
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  const auto set = [&](size_t size, const cl_bool *value) {
    return clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, size, value);
  };
  CHECK(set(sizeof yes, &yes) == CL_INVALID_OPERATION);
  CHECK(set(sizeof no, &no) == CL_SUCCESS);
  CHECK(set(1, &no) == CL_INVALID_VALUE);
}

TEST_CASE("queues accept hints about energy", "[.profile]") {
  Session cl;
  for (cl_queue_properties hint : {CL_QUEUE_THROTTLE_HIGH_KHR, CL_QUEUE_THROTTLE_MED_KHR, CL_QUEUE_THROTTLE_LOW_KHR})
    CHECK(queueCode(cl, hint) == CL_SUCCESS);
  CHECK(queueCode(cl, 64) == CL_INVALID_VALUE);
}

TEST_CASE("any memory of the program is forced into host memory", "[.profile][.profile-gpu]") {
  const Session cl;
  std::vector<int> memory(64, 5);
  cl_int code = 1;
  const Memory buffer(
      clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR | CL_MEM_FORCE_HOST_MEMORY_INTEL, 12, memory.data() + 1, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(cl.read<int>(buffer) == std::vector<int>(3, 5));
}

TEST_CASE("features that only CPUs have are refused", "[.profile]") {
  Session cl;
  CHECK(answer<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) == CL_EXEC_KERNEL);
  CHECK(clEnqueueNativeKernel(cl.queue, nothing, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr) ==
        CL_OUT_OF_HOST_MEMORY);
  CHECK(answer<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0);
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  CHECK(clCreateSubDevices(cl.device, properties, 0, nullptr, nullptr) == CL_DEVICE_PARTITION_FAILED);
  cl_int code = 1;
  const Memory pipe(clCreatePipe(cl.context, 0, 4, 16, nullptr, &code));
  CHECK(code == (expected().has_pipes ? CL_SUCCESS : CL_INVALID_OPERATION));
}

TEST_CASE("a GPU's machine code is refused, and the context says what to do", "[.profile]") {
  std::string messages;
  Session cl;
  cl_int code = 1, status = 1;
  cl.context = Context(clCreateContext(nullptr, 1, &cl.device, remember, &messages, &code));
  const std::string elf = std::string("\177ELF\2\1\1", 7) + std::string(57, '\0');
  const auto *bytes = reinterpret_cast<const unsigned char *>(elf.data());
  const size_t size = elf.size();
  const Program program(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &bytes, &status, &code));
  CHECK(code == CL_INVALID_BINARY);
  CHECK(status == CL_INVALID_BINARY);
  // For newer devices, the message recommends LANECL_DEVICE=gen9.
  const bool is_older = expected().ip_version >> 22 <= 11;
  CHECK(messages.find(is_older ? "pass OpenCL C or SPIR-V" : "LANECL_DEVICE=gen9") != std::string::npos);
}

TEST_CASE("a program binary belongs to its profile", "[.profile]") {
  Session cl;
  const Program program = cl.build(kFill);
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "clGetProgramInfo");
  std::vector<unsigned char> binary(size);
  unsigned char *target = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof target, &target, nullptr), "clGetProgramInfo");
  const auto load = [&] {
    const unsigned char *bytes = binary.data();
    cl_int code = 1;
    const Program loaded(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &bytes, nullptr, &code));
    return code;
  };
  CHECK(load() == CL_SUCCESS);
  binary.back() ^= 1; // the name of another device
  CHECK(load() == CL_INVALID_BINARY);
}
