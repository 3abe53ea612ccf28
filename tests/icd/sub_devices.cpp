// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-devices: how they are created, and that they may be used in every way in which the root device may be used.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <sched.h>
#include <set>
#include <thread>

using namespace lanecl::test;

namespace {

using Property = cl_device_partition_property;
using Properties = std::vector<Property>;
using SubDevice = Handle<cl_device_id, clRetainDevice, clReleaseDevice>;

template <class T> T value(cl_device_id device, cl_device_info name) {
  T result{};
  REQUIRE(clGetDeviceInfo(device, name, sizeof result, &result, nullptr) == CL_SUCCESS);
  return result;
}

Properties list(cl_device_id device, cl_device_info name) {
  size_t size = 0;
  REQUIRE(clGetDeviceInfo(device, name, 0, nullptr, &size) == CL_SUCCESS);
  Properties result(size / sizeof(Property));
  REQUIRE(clGetDeviceInfo(device, name, size, result.data(), nullptr) == CL_SUCCESS);
  return result;
}

cl_uint units(cl_device_id device) {
  return value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
}

// A machine with one processor has no sub-devices. The tests therefore also run with LANECL_THREADS=4.
bool isPartitionable() {
  return units(laneclDevice()) >= 2;
}

std::vector<SubDevice> partition(cl_device_id device, const Properties &properties) {
  cl_uint count = 0;
  check(clCreateSubDevices(device, properties.data(), 0, nullptr, &count), "clCreateSubDevices");
  std::vector<cl_device_id> handles(count);
  check(clCreateSubDevices(device, properties.data(), count, handles.data(), nullptr), "clCreateSubDevices");
  return {handles.begin(), handles.end()};
}

std::vector<SubDevice> singles(cl_device_id device = laneclDevice()) {
  return partition(device, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
}

Context contextOf(std::vector<cl_device_id> devices) {
  cl_int code = CL_SUCCESS;
  Context context(clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, &code));
  check(code, "clCreateContext");
  return context;
}

Program sourceIn(const Context &context, const char *text) {
  cl_int code = CL_SUCCESS;
  Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  return program;
}

cl_int build(const Program &program, std::vector<cl_device_id> devices, const char *options = "") {
  return clBuildProgram(program, cl_uint(devices.size()), devices.empty() ? nullptr : devices.data(), options, nullptr,
                        nullptr);
}

cl_build_status buildStatus(const Program &program, cl_device_id device) {
  cl_build_status status = 1;
  REQUIRE(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr) ==
          CL_SUCCESS);
  return status;
}

Kernel kernelOf(const Program &program, const char *name, cl_int expected = CL_SUCCESS) {
  cl_int code = 1;
  Kernel kernel(clCreateKernel(program, name, &code));
  CHECK(code == expected);
  return kernel;
}

Memory numbers(const Context &context, size_t count) {
  cl_int code = CL_SUCCESS;
  std::vector<int> zeros(count);
  Memory memory(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof(int), zeros.data(), &code));
  check(code, "clCreateBuffer");
  return memory;
}

// Runs a kernel whose only argument is `memory`, and reads the memory into `result`.
cl_int run(const Context &context, cl_device_id device, const Kernel &kernel, const Memory &memory,
           std::vector<int> &result) {
  CommandQueue queue = makeQueue(context, 0, device);
  REQUIRE(clSetKernelArg(kernel, 0, sizeof(cl_mem), memory.address()) == CL_SUCCESS);
  const size_t size = result.size();
  if (cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr))
    return code;
  return clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size * sizeof(int), result.data(), 0, nullptr, nullptr);
}

constexpr const char *kAdd = "#ifndef STEP\n#define STEP 1\n#endif\n"
                             "kernel void add(global int *p) { p[get_global_id(0)] += STEP; }";

} // namespace

TEST_CASE("a device reports how it may be partitioned", "[sub_devices]") {
  const cl_device_id root = laneclDevice();
  CHECK(value<cl_device_id>(root, CL_DEVICE_PARENT_DEVICE) == nullptr);
  CHECK(list(root, CL_DEVICE_PARTITION_TYPE) == Properties{0});
  CHECK(value<cl_uint>(root, CL_DEVICE_REFERENCE_COUNT) == 1);
  CHECK(clRetainDevice(root) == CL_SUCCESS);
  CHECK(value<cl_uint>(root, CL_DEVICE_REFERENCE_COUNT) == 1);
  CHECK(clReleaseDevice(root) == CL_SUCCESS);
  CHECK(clReleaseDevice(root) == CL_SUCCESS); // the count does not change
  const auto domains = value<cl_device_affinity_domain>(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  const Properties schemes = list(root, CL_DEVICE_PARTITION_PROPERTIES);
  if (!isPartitionable()) {
    CHECK(schemes == Properties{0});
    CHECK(value<cl_uint>(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0);
    return;
  }
  CHECK(value<cl_uint>(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == units(root));
  Properties expected{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (domains != 0)
    expected.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  CHECK(schemes == expected);
}

TEST_CASE("sub-devices report their parent, their type and their compute units", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const cl_device_id root = laneclDevice();
  const Property all = units(root);
  const Properties equally{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const Properties counts{CL_DEVICE_PARTITION_BY_COUNTS, 1, all - 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  CHECK(partition(root, equally).size() == size_t(all));
  const auto uneven = partition(root, counts);
  REQUIRE(uneven.size() == 2);
  CHECK(units(uneven[0]) == 1);
  CHECK(units(uneven[1]) == cl_uint(all - 1));
  for (const SubDevice &device : uneven) {
    CHECK(value<cl_device_id>(device, CL_DEVICE_PARENT_DEVICE) == root);
    CHECK(list(device, CL_DEVICE_PARTITION_TYPE) == counts);
    CHECK(value<cl_uint>(device, CL_DEVICE_REFERENCE_COUNT) == 1);
    CHECK(value<cl_device_type>(device, CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU);
    cl_ulong device_time = 0, host_time = 0;
    CHECK(clGetDeviceAndHostTimer(device, &device_time, &host_time) == CL_SUCCESS);
  }
  // A device of one compute unit cannot be divided.
  CHECK(list(uneven[0], CL_DEVICE_PARTITION_PROPERTIES) == Properties{0});
  CHECK(value<cl_uint>(uneven[0], CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0);
  CHECK(clCreateSubDevices(uneven[0], equally.data(), 0, nullptr, nullptr) == CL_DEVICE_PARTITION_FAILED);
  // Sub-devices are not devices of the platform.
  cl_uint count = 0;
  CHECK(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 1);
}

TEST_CASE("every affinity domain that is offered makes sub-devices with all compute units", "[sub_devices]") {
  const cl_device_id root = laneclDevice();
  const auto offered = value<cl_device_affinity_domain>(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  Property outermost = 0;
  for (Property domain : {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
                          CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
                          CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE}) {
    const Properties properties{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain, 0};
    cl_uint count = 0;
    const cl_int code = clCreateSubDevices(root, properties.data(), 0, nullptr, &count);
    if ((offered & cl_device_affinity_domain(domain)) == 0) {
      CHECK(code == CL_INVALID_VALUE);
      continue;
    }
    REQUIRE(code == CL_SUCCESS);
    if (outermost == 0)
      outermost = domain;
    const auto parts = partition(root, properties);
    CHECK(parts.size() >= 2);
    CHECK(std::accumulate(parts.begin(), parts.end(), 0u,
                          [](cl_uint sum, const SubDevice &part) { return sum + units(part); }) == units(root));
    const Property found = domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE ? outermost : domain;
    for (const SubDevice &part : parts)
      CHECK(list(part, CL_DEVICE_PARTITION_TYPE) == Properties{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, found, 0});
  }
}

TEST_CASE("partitioning refuses what the specification refuses", "[sub_devices]") {
  const cl_device_id root = laneclDevice();
  const auto code = [&](Properties properties, cl_uint room = 0, cl_device_id *out = nullptr) {
    return clCreateSubDevices(root, properties.data(), room, out, nullptr);
  };
  const Properties equally{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  CHECK(clCreateSubDevices(nullptr, equally.data(), 0, nullptr, nullptr) == CL_INVALID_DEVICE);
  CHECK(clCreateSubDevices(root, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(code({0}) == CL_INVALID_VALUE);
  CHECK(code({0x1234, 1, 0}) == CL_INVALID_VALUE);
  CHECK(clRetainDevice(nullptr) == CL_INVALID_DEVICE);
  CHECK(clReleaseDevice(nullptr) == CL_INVALID_DEVICE);
  if (!isPartitionable())
    return;
  const Property all = units(root);
  cl_device_id too_few[1] = {};
  CHECK(code(equally, 1, too_few) == CL_INVALID_VALUE);
  CHECK(too_few[0] == nullptr);
  // The result would be the same device.
  CHECK(code({CL_DEVICE_PARTITION_EQUALLY, all, 0}) == CL_DEVICE_PARTITION_FAILED);
  CHECK(code({CL_DEVICE_PARTITION_EQUALLY, all + 1, 0}) == CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(code({CL_DEVICE_PARTITION_BY_COUNTS, all, 1, 0, 0}) == CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(code({CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0}) == CL_INVALID_DEVICE_PARTITION_COUNT);
}

TEST_CASE("a sub-device lives as long as what was made with it", "[sub_devices]") {
  if (!isPartitionable())
    return;
  auto devices = singles();
  SubDevice kept = devices[0];
  CHECK(value<cl_uint>(kept, CL_DEVICE_REFERENCE_COUNT) == 2);
  Context context = contextOf({kept});
  CommandQueue queue = makeQueue(context, 0, kept);
  const cl_device_id raw = kept;
  devices.clear();
  kept.reset();
  cl_device_id found = nullptr;
  REQUIRE(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof found, &found, nullptr) == CL_SUCCESS);
  CHECK(found == raw);
  Program program = sourceIn(context, kAdd);
  REQUIRE(build(program, {}) == CL_SUCCESS);
  std::vector<int> result(100);
  CHECK(run(context, raw, kernelOf(program, "add"), numbers(context, 100), result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(100, 1));
}

TEST_CASE("a context of sub-devices and their parent", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const auto subs = singles();
  const cl_device_id root = laneclDevice();
  const std::vector<cl_device_id> devices{subs[0], root, subs[1]}, listed{subs[0], root, subs[1], root};
  Context context = contextOf(listed); // one device is listed twice
  cl_uint count = 0;
  REQUIRE(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr) == CL_SUCCESS);
  CHECK(count == 3);
  std::vector<cl_device_id> found(3);
  REQUIRE(clGetContextInfo(context, CL_CONTEXT_DEVICES, 3 * sizeof(cl_device_id), found.data(), nullptr) == CL_SUCCESS);
  CHECK(found == devices);
  Context other = contextOf({subs[0]});
  cl_int code = 1;
  CHECK(clCreateCommandQueueWithProperties(other, subs[1], nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE);
  CHECK(clCreateCommandQueueWithProperties(other, root, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE);

  // Built only for the parent, whose build also serves its sub-devices.
  Program program = sourceIn(context, kAdd);
  CHECK(kernelOf(program, "add", CL_INVALID_PROGRAM_EXECUTABLE).get() == nullptr);
  REQUIRE(build(program, {root}) == CL_SUCCESS);
  Kernel kernel = kernelOf(program, "add");
  Memory memory = numbers(context, 1000);
  std::vector<int> result(1000);
  int expected = 0;
  for (cl_device_id device : devices) {
    CHECK(buildStatus(program, device) == CL_BUILD_SUCCESS);
    REQUIRE(run(context, device, kernel, memory, result) == CL_SUCCESS);
    CHECK(result == std::vector<int>(1000, ++expected));
  }
  // A query must say which of the devices it means.
  size_t size = 0;
  CHECK(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr) ==
        CL_INVALID_DEVICE);
  CHECK(clGetKernelWorkGroupInfo(kernel, subs[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr) ==
        CL_SUCCESS);
  const auto smaller = singles();
  CHECK(clGetKernelWorkGroupInfo(kernel, smaller[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr) ==
        CL_INVALID_DEVICE); // this device is not in the context
}

TEST_CASE("each device has its own build", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const auto subs = singles();
  Context context = contextOf({subs[0], subs[1]});
  Memory memory = numbers(context, 64);
  std::vector<int> result(64);
  Program program = sourceIn(context, kAdd);
  REQUIRE(build(program, {subs[0]}, "-DSTEP=3") == CL_SUCCESS);
  CHECK(buildStatus(program, subs[0]) == CL_BUILD_SUCCESS);
  CHECK(buildStatus(program, subs[1]) == CL_BUILD_NONE);
  {
    Kernel kernel = kernelOf(program, "add");
    REQUIRE(run(context, subs[0], kernel, memory, result) == CL_SUCCESS);
    CHECK(result == std::vector<int>(64, 3));
    CHECK(run(context, subs[1], kernel, memory, result) == CL_INVALID_PROGRAM_EXECUTABLE);
    size_t size = 0;
    CHECK(clGetKernelWorkGroupInfo(kernel, subs[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr) ==
          CL_INVALID_DEVICE);
    CHECK(build(program, {subs[1]}) == CL_INVALID_OPERATION); // a kernel is attached
  }
  REQUIRE(build(program, {subs[1]}, "-DSTEP=10") == CL_SUCCESS);
  Kernel kernel = kernelOf(program, "add");
  int expected = 3;
  for (int round = 0; round < 3; ++round)
    for (int which : {0, 1}) {
      REQUIRE(run(context, subs[which], kernel, memory, result) == CL_SUCCESS);
      expected += which == 0 ? 3 : 10;
      CHECK(result == std::vector<int>(64, expected));
    }
  CHECK(build(program, {laneclDevice()}) == CL_INVALID_DEVICE);

  Program broken = sourceIn(context, "#ifdef GOOD\nkernel void k(global int *p) { *p = 1; }\n#else\nnonsense\n#endif");
  CHECK(build(broken, {subs[0]}, "-DGOOD") == CL_SUCCESS);
  CHECK(build(broken, {subs[1]}) == CL_BUILD_PROGRAM_FAILURE);
  CHECK(buildStatus(broken, subs[0]) == CL_BUILD_SUCCESS);
  CHECK(buildStatus(broken, subs[1]) == CL_BUILD_ERROR);
  CHECK_FALSE(buildLog(broken, subs[1]).empty());
}

TEST_CASE("a kernel must be the same for all devices", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const auto subs = singles();
  Context context = contextOf({subs[0], subs[1]});
  Program program = sourceIn(context, "#ifdef LONG\n#define T long\nkernel void only(global T *p) { *p = 7; }\n"
                                      "#else\n#define T int\n#endif\n"
                                      "kernel void differs(global int *p, T v) { p[get_global_id(0)] = v; }\n"
                                      "kernel void same(global int *p) { p[get_global_id(0)] = sizeof(T); }");
  REQUIRE(build(program, {subs[0]}) == CL_SUCCESS);
  REQUIRE(build(program, {subs[1]}, "-DLONG") == CL_SUCCESS);
  kernelOf(program, "differs", CL_INVALID_KERNEL_DEFINITION);
  kernelOf(program, "none", CL_INVALID_KERNEL_NAME);
  size_t count = 0;
  REQUIRE(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr) == CL_SUCCESS);
  CHECK(count == 2);
  cl_kernel kernels[2] = {};
  cl_uint made = 0;
  REQUIRE(clCreateKernelsInProgram(program, 2, kernels, &made) == CL_SUCCESS);
  CHECK(made == 2);
  for (cl_kernel kernel : kernels)
    clReleaseKernel(kernel);
  Kernel same = kernelOf(program, "same"), only = kernelOf(program, "only");
  Memory memory = numbers(context, 8);
  std::vector<int> result(8);
  REQUIRE(run(context, subs[0], same, memory, result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(8, 4));
  REQUIRE(run(context, subs[1], same, memory, result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(8, 8));
  CHECK(run(context, subs[0], only, memory, result) == CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(run(context, subs[1], only, memory, result) == CL_SUCCESS);
  Kernel clone;
  cl_int code = 1;
  clone = Kernel(clCloneKernel(same, &code));
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(run(context, subs[0], clone, memory, result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(8, 4));
}

TEST_CASE("each device has its own program scope variables", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const auto subs = singles();
  const cl_device_id root = laneclDevice();
  Context context = contextOf({root, subs[0], subs[1]});
  Program program = sourceIn(context, "global int counter = 5; global int *place = &counter;\n"
                                      "kernel void count(global int *p) { *p = ++*place; }");
  REQUIRE(build(program, {root}, "-cl-std=CL3.0") == CL_SUCCESS);
  Kernel kernel = kernelOf(program, "count");
  Memory memory = numbers(context, 1);
  std::vector<int> result(1);
  for (int expected : {6, 7, 8})
    for (cl_device_id device : {root, subs[0].get(), subs[1].get()}) {
      REQUIRE(run(context, device, kernel, memory, result) == CL_SUCCESS);
      CHECK(result[0] == expected);
    }
}

TEST_CASE("programs are compiled, linked and saved for some of the devices", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const auto subs = singles();
  const cl_device_id a = subs[0], b = subs[1];
  Context context = contextOf({a, b});
  Program library = sourceIn(context, "int step(void) { return STEP; }");
  Program user =
      sourceIn(context, "int step(void);\nkernel void add(global int *p) { p[get_global_id(0)] += step(); }");
  const auto compile = [](const Program &program, cl_device_id device, const char *options) {
    return clCompileProgram(program, 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr);
  };
  const auto link = [&](cl_int &code) {
    const cl_program inputs[] = {library, user};
    return Program(clLinkProgram(context, 0, nullptr, nullptr, 2, inputs, nullptr, nullptr, &code));
  };
  cl_int code = 1;
  REQUIRE(compile(library, a, "-DSTEP=2") == CL_SUCCESS);
  REQUIRE(compile(user, a, "") == CL_SUCCESS);
  Memory memory = numbers(context, 16);
  std::vector<int> result(16);
  {
    Program linked = link(code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(buildStatus(linked, b) == CL_BUILD_NONE);
    Kernel kernel = kernelOf(linked, "add");
    CHECK(run(context, b, kernel, memory, result) == CL_INVALID_PROGRAM_EXECUTABLE);
    REQUIRE(run(context, a, kernel, memory, result) == CL_SUCCESS);
    CHECK(result == std::vector<int>(16, 2));
  }
  REQUIRE(compile(library, b, "-DSTEP=5") == CL_SUCCESS);
  CHECK(link(code).get() == nullptr); // only one half of it is there
  CHECK(code == CL_INVALID_OPERATION);
  REQUIRE(compile(user, b, "") == CL_SUCCESS);
  Program linked = link(code);
  REQUIRE(code == CL_SUCCESS);

  // The binaries differ, and are loaded for the devices that they belong to.
  size_t sizes[2] = {};
  REQUIRE(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr) == CL_SUCCESS);
  std::vector<unsigned char> first(sizes[0]), second(sizes[1]);
  unsigned char *targets[] = {first.data(), second.data()};
  unsigned char *only_one[] = {first.data()};
  CHECK(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof only_one, only_one, nullptr) == CL_INVALID_VALUE);
  REQUIRE(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof targets, targets, nullptr) == CL_SUCCESS);
  CHECK(first != second);
  const cl_device_id swapped[] = {b, a};
  const unsigned char *binaries[] = {second.data(), first.data()};
  const size_t lengths[] = {sizes[1], sizes[0]};
  cl_int statuses[2] = {1, 1};
  Program loaded(clCreateProgramWithBinary(context, 2, swapped, lengths, binaries, statuses, &code));
  REQUIRE(code == CL_SUCCESS);
  CHECK(statuses[0] == CL_SUCCESS);
  CHECK(statuses[1] == CL_SUCCESS);
  REQUIRE(build(loaded, {}) == CL_SUCCESS);
  Kernel kernel = kernelOf(loaded, "add");
  REQUIRE(run(context, a, kernel, memory, result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(16, 4));
  REQUIRE(run(context, b, kernel, memory, result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(16, 9));

  Program half(clCreateProgramWithBinary(context, 1, &b, lengths, binaries, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  cl_uint devices = 0;
  REQUIRE(clGetProgramInfo(half, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, nullptr) == CL_SUCCESS);
  CHECK(devices == 1);
  CHECK(build(half, {a}) == CL_INVALID_DEVICE);
  CHECK(build(half, {}) == CL_SUCCESS);
}

TEST_CASE("commands of several sub-devices wait for each other", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const auto subs = singles();
  const cl_device_id root = laneclDevice();
  Context context = contextOf({subs[0], subs[1], root});
  Program program = sourceIn(context, "kernel void step(global int *p) { size_t i = get_global_id(0);"
                                      " p[i] = p[i] * 3 + 1; }");
  REQUIRE(build(program, {}) == CL_SUCCESS);
  Kernel kernel = kernelOf(program, "step");
  std::vector<CommandQueue> queues;
  for (cl_device_id device : {subs[0].get(), subs[1].get(), root})
    queues.push_back(makeQueue(context, 0, device));
  Memory memory = numbers(context, 5000);
  REQUIRE(clSetKernelArg(kernel, 0, sizeof(cl_mem), memory.address()) == CL_SUCCESS);
  const size_t size = 5000;
  cl_int code = 1;
  Event last(clCreateUserEvent(context, &code));
  const Event gate = last;
  unsigned expected = 0;
  for (int i = 0; i < 60; ++i) {
    Event next;
    REQUIRE(clEnqueueNDRangeKernel(queues[i % 3], kernel, 1, nullptr, &size, nullptr, 1, last.address(), next.out()) ==
            CL_SUCCESS);
    last = next;
    expected = expected * 3 + 1;
  }
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, last.address()) == CL_SUCCESS);
  std::vector<unsigned> result(size);
  REQUIRE(clEnqueueReadBuffer(queues[0], memory, CL_TRUE, 0, 4 * size, result.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
  CHECK(result == std::vector<unsigned>(size, expected));
}

namespace {

// What native kernels see of the threads and processors that they run on.
struct Watch {
  std::atomic<int> running{0}, most{0}, calls{0};
  std::atomic<unsigned long> processors{0}; // of the first calls

  void enter() {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);)
      ;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (unsigned i = 0; i < 8 * sizeof(unsigned long); ++i)
      if (CPU_ISSET(i, &set))
        processors |= 1ul << i;
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    --running;
    ++calls;
  }
};

void CL_CALLBACK watchOnce(void *arguments) {
  (*static_cast<Watch **>(arguments))->enter();
}

void watch(const CommandQueue &queue, Watch &state, int calls) {
  Watch *pointer = &state;
  for (int i = 0; i < calls; ++i)
    check(clEnqueueNativeKernel(queue, watchOnce, &pointer, sizeof pointer, 0, nullptr, nullptr, 0, nullptr, nullptr),
          "clEnqueueNativeKernel");
  check(clFlush(queue), "clFlush");
}

} // namespace

TEST_CASE("a sub-device has exactly its number of threads, on processors of its own", "[sub_devices]") {
  if (!isPartitionable())
    return;
  const cl_device_id root = laneclDevice();
  const Property all = units(root);
  const auto subs = partition(root, {CL_DEVICE_PARTITION_BY_COUNTS, 1, all - 1, 0, 0});
  Context context = contextOf({subs[0], subs[1]});
  Watch one, rest;
  const CommandQueue queue_of_one = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, subs[0]);
  const CommandQueue queue_of_rest = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, subs[1]);
  watch(queue_of_one, one, 40);
  watch(queue_of_rest, rest, 40);
  REQUIRE(clFinish(queue_of_one) == CL_SUCCESS);
  REQUIRE(clFinish(queue_of_rest) == CL_SUCCESS);
  CHECK(one.calls == 40);
  CHECK(rest.calls == 40);
  CHECK(one.most == 1);
  CHECK(rest.most <= all - 1);
  // If compute units are processors, no processor serves two sub-devices.
  if (value<cl_device_affinity_domain>(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN) != 0) {
    CHECK((one.processors & rest.processors) == 0);
    CHECK(__builtin_popcountl(one.processors) == 1);
  }
}

TEST_CASE("sub-devices of sub-devices", "[sub_devices]") {
  const cl_device_id root = laneclDevice();
  if (units(root) < 4)
    return;
  const auto halves = partition(root, {CL_DEVICE_PARTITION_EQUALLY, 2, 0});
  const auto quarters = singles(halves[1]);
  REQUIRE(quarters.size() == 2);
  CHECK(value<cl_device_id>(quarters[0], CL_DEVICE_PARENT_DEVICE) == halves[1].get());
  // The grandparent's build serves the sub-device, too.
  Context context = contextOf({root, quarters[0]});
  Program program = sourceIn(context, kAdd);
  REQUIRE(build(program, {root}) == CL_SUCCESS);
  Memory memory = numbers(context, 10);
  std::vector<int> result(10);
  REQUIRE(run(context, quarters[0], kernelOf(program, "add"), memory, result) == CL_SUCCESS);
  CHECK(result == std::vector<int>(10, 1));
}
