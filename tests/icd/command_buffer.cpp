// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_command_buffer.
#include "support/command_buffers.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <functional>

using namespace lanecl::test;

namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

template <class T> T deviceInfo(const Session &cl, cl_device_info name) {
  T value{};
  check(clGetDeviceInfo(cl.device, name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

Kernel addKernel(const Session &cl) {
  return cl.kernel(cl.build("kernel void add(global int *p, int v) { p[get_global_id(0)] += v; }"), "add");
}

} // namespace

TEST_CASE("the device reports what command buffers can do", "[command_buffer]") {
  Session cl;
  CHECK(deviceInfo<cl_device_command_buffer_capabilities_khr>(cl, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR) ==
        (CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
         CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR));
  CHECK(deviceInfo<cl_command_queue_properties>(cl, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR) == 0);
  CHECK(deviceInfo<cl_command_queue_properties>(cl, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR) ==
        (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
}

TEST_CASE("a command buffer does the same again and again, with what is in memory each time", "[command_buffer]") {
  Session cl;
  constexpr size_t kCount = 1000;
  Kernel add = addKernel(cl);
  Memory data = cl.bytes(kCount * sizeof(int)), copy = cl.bytes(kCount * sizeof(int));
  cl.setArguments(add, data, 3);
  Recorder recorder(cl.queue);
  recorder.kernel(add, kCount);
  recorder.copy(data, copy, 0, 0, kCount * sizeof(int));
  recorder.fill(data, 100, 0, sizeof(int));
  CHECK(recorder.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
  recorder.finalize();
  CHECK(recorder.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  std::vector<int> expected(kCount);
  for (size_t i = 0; i < kCount; ++i)
    expected[i] = int(7 * i);
  cl.write(data, expected);
  for (int run = 0; run < 10; ++run) {
    recorder.run();
    for (int &value : expected)
      value += 3;
    CHECK(cl.read<int>(copy) == expected);
    expected[0] = 100;
    CHECK(cl.read<int>(data) == expected);
  }
}

TEST_CASE("recorded commands stay as they were recorded", "[command_buffer]") {
  Session cl;
  Memory data = cl.buffer(std::vector<int>(16, 0));
  Recorder recorder(cl.queue);
  {
    Kernel add = addKernel(cl);
    cl.setArguments(add, data, 1);
    recorder.kernel(add, 16);
    cl.setArguments(add, data, 10);
    recorder.kernel(add, 8);
    cl.setArguments(add, data, 100);
    Memory pattern_source = cl.buffer(std::vector<int>(4, 1000));
    recorder.copy(pattern_source, data, 0, 12 * sizeof(int), 4 * sizeof(int));
  } // the application releases the kernel, the program and a buffer
  recorder.finalize();
  recorder.run();
  std::vector<int> expected(16, 1);
  std::fill_n(expected.begin(), 8, 11);
  std::fill_n(expected.begin() + 12, 4, 1000);
  CHECK(cl.read<int>(data) == expected);
}

TEST_CASE("sync points order the commands of an out-of-order queue", "[command_buffer]") {
  Session cl(kOutOfOrder);
  // The steps do not commute, so the final value shows their order.
  Kernel step = cl.kernel(
      cl.build("kernel void k(global uint *p, uint v) { size_t i = get_global_id(0); p[i] = p[i] * 3 + v; }"), "k");
  constexpr size_t kCount = 20000;
  constexpr unsigned kSteps = 12;
  Memory data = cl.bytes(kCount * sizeof(unsigned)), other = cl.bytes(kCount * sizeof(unsigned));
  Recorder recorder(cl.queue);
  cl_sync_point_khr last = recorder.fill(data, 1, 0, kCount * sizeof(unsigned));
  recorder.fill(other, 5, 0, kCount * sizeof(unsigned)); // unrelated to the other commands
  unsigned expected = 1;
  for (unsigned i = 0; i < kSteps; ++i) {
    cl.setArguments(step, data, i);
    last = recorder.kernel(step, kCount, {last});
    expected = expected * 3 + i;
  }
  recorder.finalize();
  for (int run = 0; run < 20; ++run) {
    recorder.run();
    REQUIRE(cl.read<unsigned>(data) == std::vector<unsigned>(kCount, expected));
  }
  CHECK(cl.read<unsigned>(other) == std::vector<unsigned>(kCount, 5));
}

TEST_CASE("barriers order the commands of an out-of-order queue", "[command_buffer]") {
  Session cl(kOutOfOrder);
  constexpr size_t kBytes = 400000;
  Memory a = cl.bytes(kBytes), b = cl.bytes(kBytes), c = cl.bytes(kBytes);
  const bool with_list = GENERATE(false, true);
  Recorder recorder(cl.queue);
  const cl_sync_point_khr filled = recorder.fill(a, 1, 0, kBytes);
  const cl_sync_point_khr first = recorder.barrier(with_list ? Recorder::SyncPoints{filled} : Recorder::SyncPoints());
  recorder.copy(a, b, 0, 0, kBytes);
  recorder.barrier();
  const cl_sync_point_khr again = recorder.fill(a, 2, 0, kBytes, {first});
  const cl_sync_point_khr second = recorder.barrier({again});
  recorder.copy(b, c, 0, 0, kBytes / 2, {second});
  recorder.copy(a, c, kBytes / 2, kBytes / 2, kBytes / 2);
  recorder.finalize();
  std::vector<int> halves(kBytes / 4, 1);
  std::fill(halves.begin() + kBytes / 8, halves.end(), 2);
  for (int run = 0; run < 20; ++run) {
    recorder.run();
    REQUIRE(cl.read<int>(b) == std::vector<int>(kBytes / 4, 1));
    REQUIRE(cl.read<int>(c) == halves);
  }
}

TEST_CASE("an in-order queue orders the commands by itself", "[command_buffer]") {
  Session cl;
  constexpr size_t kSixth = 20000, kBytes = 6 * kSixth * sizeof(int);
  Memory a = cl.bytes(kBytes), b = cl.bytes(kBytes);
  Recorder recorder(cl.queue);
  for (int i = 0; i < 6; ++i) {
    recorder.fill(a, i, 0, kBytes);
    recorder.copy(a, b, 0, 0, kSixth * size_t(6 - i) * sizeof(int));
  }
  recorder.finalize();
  recorder.run();
  std::vector<int> expected(6 * kSixth);
  for (int i = 0; i < 6; ++i)
    std::fill_n(expected.begin(), kSixth * size_t(6 - i), i);
  CHECK(cl.read<int>(b) == expected);
}

TEST_CASE("enqueues of one command buffer in a row without waiting", "[command_buffer]") {
  const cl_command_queue_properties order = GENERATE(cl_command_queue_properties(0), kOutOfOrder);
  Session cl(order);
  Kernel count = cl.kernel(cl.build("kernel void k(global int *p) { atomic_add(p + get_global_id(0) % 7, 1); }"), "k");
  Memory data = cl.buffer(std::vector<int>(7, 0));
  cl.setArguments(count, data);
  Recorder recorder(cl.queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  recorder.kernel(count, 7000);
  recorder.kernel(count, 7);
  recorder.finalize();
  for (int i = 0; i < 50; ++i)
    recorder.enqueue();
  recorder.buffer.reset(); // what was enqueued runs all the same
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(cl.read<int>(data) == std::vector<int>(7, 50 * 1001));
}

TEST_CASE("kernels with barriers, local memory and edges are recorded", "[command_buffer]") {
  Session cl;
  Kernel sum = cl.kernel(cl.build("kernel void k(global const int *in, global int *out, local int *scratch) {\n"
                                  "  local int extra;\n"
                                  "  size_t l = get_local_id(0), g = get_group_id(0);\n"
                                  "  if (l == 0) extra = 5;\n"
                                  "  scratch[l] = in[get_global_id(0)];\n"
                                  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "  if (l == 0) {\n"
                                  "    int s = extra;\n"
                                  "    for (size_t i = 0; i < get_local_size(0); ++i) s += scratch[i];\n"
                                  "    out[g] = s;\n"
                                  "  }\n"
                                  "}",
                                  "-cl-std=CL3.0"),
                         "k");
  // The last work-group is smaller.
  constexpr size_t kItems = 1000, kLocal = 64, kGroups = (kItems + kLocal - 1) / kLocal;
  Memory in = cl.buffer(std::vector<int>(kItems, 2)), out = cl.bytes(kGroups * sizeof(int));
  cl.setArguments(sum, in, out, Local{kLocal * sizeof(int)});
  Recorder recorder(cl.queue);
  REQUIRE(recorder.clCommandNDRangeKernelKHR(recorder.buffer, nullptr, nullptr, sum, 1, nullptr, &kItems, &kLocal, 0,
                                             nullptr, nullptr, nullptr) == CL_SUCCESS);
  recorder.finalize();
  std::vector<int> expected(kGroups, 2 * kLocal + 5);
  expected.back() = 2 * (kItems % kLocal) + 5;
  for (int run = 0; run < 3; ++run) {
    recorder.run();
    CHECK(cl.read<int>(out) == expected);
  }
}

TEST_CASE("a kernel without work-items, and a command buffer without commands", "[command_buffer]") {
  Session cl;
  Memory data = cl.buffer(std::vector<int>(4, 1));
  Kernel add = addKernel(cl);
  cl.setArguments(add, data, 1);
  Recorder recorder(cl.queue), empty(cl.queue);
  recorder.kernel(add, 0);
  recorder.finalize();
  empty.finalize();
  recorder.run();
  empty.run();
  CHECK(cl.read<int>(data) == std::vector<int>(4, 1));
}

TEST_CASE("rectangles are copied", "[command_buffer]") {
  Session cl;
  std::vector<int> numbers(64);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int(i);
  Memory from = cl.buffer(numbers), to = cl.buffer(std::vector<int>(64, -1));
  Recorder recorder(cl.queue);
  const std::array<size_t, 3> from_origin{2 * sizeof(int), 1, 0}, to_origin{0, 4, 0}, region{3 * sizeof(int), 2, 1};
  REQUIRE(recorder.clCommandCopyBufferRectKHR(recorder.buffer, nullptr, nullptr, from, to, from_origin.data(),
                                              to_origin.data(), region.data(), 32, 0, 32, 0, 0, nullptr, nullptr,
                                              nullptr) == CL_SUCCESS);
  recorder.finalize();
  recorder.run();
  std::vector<int> expected(64, -1);
  for (size_t row = 0; row < 2; ++row)
    for (size_t column = 0; column < 3; ++column)
      expected[(row + 4) * 8 + column] = numbers[(row + 1) * 8 + column + 2];
  CHECK(cl.read<int>(to) == expected);
}

TEST_CASE("images are copied and filled", "[command_buffer]") {
  Session cl;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  const Extent extent{8, 4, 1};
  std::vector<unsigned> elements(32);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = unsigned(0x01020304 * i);
  Memory from = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D, extent, elements);
  Memory to = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D, extent, std::vector<unsigned>(32, 0));
  Memory third = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D, extent, std::vector<unsigned>(32, 0));
  Memory buffer = cl.buffer(std::vector<unsigned>(40, 0));
  Recorder recorder(cl.queue);
  const std::array<size_t, 3> origin{0, 0, 0}, corner{4, 2, 0}, quarter{4, 2, 1};
  const cl_uint color[] = {1, 2, 3, 4};
  REQUIRE(recorder.clCommandCopyImageKHR(recorder.buffer, nullptr, nullptr, from, to, origin.data(), corner.data(),
                                         quarter.data(), 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(recorder.clCommandFillImageKHR(recorder.buffer, nullptr, nullptr, to, color, origin.data(), quarter.data(), 0,
                                         nullptr, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(recorder.clCommandCopyImageToBufferKHR(recorder.buffer, nullptr, nullptr, to, buffer, origin.data(),
                                                 extent.data(), 8 * sizeof(unsigned), 0, nullptr, nullptr,
                                                 nullptr) == CL_SUCCESS);
  REQUIRE(recorder.clCommandCopyBufferToImageKHR(recorder.buffer, nullptr, nullptr, buffer, third, 8 * sizeof(unsigned),
                                                 origin.data(), extent.data(), 0, nullptr, nullptr,
                                                 nullptr) == CL_SUCCESS);
  recorder.finalize();
  recorder.run();
  std::vector<unsigned> expected(32, 0);
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 4; ++x) {
      expected[y * 8 + x] = 0x04030201;
      expected[(y + 2) * 8 + x + 4] = elements[y * 8 + x];
    }
  CHECK(readImage<unsigned>(cl, to, extent) == expected);
  CHECK(readImage<unsigned>(cl, third, extent) == expected);
}

TEST_CASE("shared memory is copied and filled", "[command_buffer]") {
  Session cl;
  constexpr size_t kCount = (size_t(5) << 20) / 4; // more than one thread's share
  int *const data = static_cast<int *>(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, kCount * sizeof(int), 0));
  std::vector<int> copy(kCount, 0);
  Recorder recorder(cl.queue);
  int pattern[] = {1, 2};
  REQUIRE(recorder.clCommandSVMMemFillKHR(recorder.buffer, nullptr, nullptr, data, pattern, sizeof pattern,
                                          kCount * sizeof(int), 0, nullptr, nullptr, nullptr) == CL_SUCCESS);
  pattern[0] = 7; // the pattern was copied
  REQUIRE(recorder.clCommandSVMMemcpyKHR(recorder.buffer, nullptr, nullptr, copy.data(), data, kCount * sizeof(int), 0,
                                         nullptr, nullptr, nullptr) == CL_SUCCESS);
  recorder.finalize();
  recorder.run();
  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i)
    wrong += copy[i] != int(1 + i % 2);
  CHECK(wrong == 0);
  clSVMFree(cl.context, data);
}

TEST_CASE("an enqueue waits for its events and returns one with profiling times", "[command_buffer]") {
  Session cl(CL_QUEUE_PROFILING_ENABLE);
  Memory data = cl.buffer(std::vector<int>(64, 0));
  Recorder recorder(cl.queue);
  recorder.fill(data, 4, 0, 256);
  recorder.finalize();
  Event gate = userEvent(cl.context), event;
  REQUIRE(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 1, gate.address(), event.out()) ==
          CL_SUCCESS);
  cl_int status = 0;
  cl_command_type type = 0;
  cl_command_queue queue = nullptr;
  REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS);
  CHECK(status == CL_QUEUED);
  REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr) == CL_SUCCESS);
  CHECK(type == CL_COMMAND_COMMAND_BUFFER_KHR);
  REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr) == CL_SUCCESS);
  CHECK(queue == cl.queue.get());
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  CHECK(cl.read<int>(data) == std::vector<int>(64, 4));
  cl_ulong last = 0;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END}) {
    cl_ulong time = 0;
    REQUIRE(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr) == CL_SUCCESS);
    CHECK(time != 0);
    CHECK(time >= last);
    last = time;
  }

  CHECK_NOTHROW(recorder.enqueueBehindFailure(cl));
}

TEST_CASE("another queue may run the command buffer", "[command_buffer]") {
  Session cl;
  CommandQueue other = makeQueue(cl.context, kOutOfOrder | CL_QUEUE_PROFILING_ENABLE, cl.device);
  Memory data = cl.buffer(std::vector<int>(64, 0));
  Recorder recorder(cl.queue);
  recorder.fill(data, 4, 0, 256);
  recorder.finalize();
  Event event;
  cl_command_queue queues[] = {other};
  REQUIRE(recorder.clEnqueueCommandBufferKHR(1, queues, recorder.buffer, 0, nullptr, event.out()) == CL_SUCCESS);
  REQUIRE(clFinish(other) == CL_SUCCESS);
  CHECK(cl.read<int>(data) == std::vector<int>(64, 4));
  cl_command_queue queue = nullptr;
  REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr) == CL_SUCCESS);
  CHECK(queue == other.get());
}

TEST_CASE("a command buffer of a sub-device runs there, and nowhere else", "[command_buffer]") {
  const cl_device_id root = laneclDevice();
  const cl_device_partition_property one_unit[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_uint units = 0;
  check(clGetDeviceInfo(root, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
  if (units < 2)
    return; // a device of one compute unit has no parts
  cl_device_id part = nullptr;
  REQUIRE(clCreateSubDevices(root, one_unit, 1, &part, nullptr) == CL_SUCCESS);
  {
    const cl_device_id devices[] = {root, part};
    cl_int code = CL_SUCCESS;
    Context context(clCreateContext(nullptr, 2, devices, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CommandQueue on_root = makeQueue(context, 0, root), on_part = makeQueue(context, 0, part);
    std::vector<int> values(64, 0);
    Memory data(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, values.data(), &code));
    REQUIRE(code == CL_SUCCESS);
    Recorder recorder(on_part);
    recorder.fill(data, 4, 0, 256);
    recorder.finalize();
    cl_command_queue queues[] = {on_root};
    CHECK(recorder.clEnqueueCommandBufferKHR(1, queues, recorder.buffer, 0, nullptr, nullptr) == CL_INVALID_DEVICE);
    recorder.run();
    CHECK(values == std::vector<int>(64, 4));
  }
  CHECK(clReleaseDevice(part) == CL_SUCCESS);
}

TEST_CASE("queries of command buffers", "[command_buffer]") {
  Session cl;
  const auto &f = CommandBufferFunctions::get();
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR,
                                                         CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0};
  cl_int code = 1;
  CommandBuffer with(f.clCreateCommandBufferKHR(1, cl.queue.address(), properties, &code));
  REQUIRE(code == CL_SUCCESS);
  CommandBuffer without = makeCommandBuffer(cl.queue);
  size_t size = 0;
  cl_command_buffer_properties_khr list[5] = {};
  REQUIRE(f.clGetCommandBufferInfoKHR(with, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof list, list, &size) ==
          CL_SUCCESS);
  CHECK(size == sizeof properties);
  CHECK(std::equal(list, list + 5, properties));
  REQUIRE(f.clGetCommandBufferInfoKHR(without, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, nullptr, &size) ==
          CL_SUCCESS);
  CHECK(size == 0);
  cl_uint number = 0;
  REQUIRE(f.clGetCommandBufferInfoKHR(with, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof number, &number, &size) ==
          CL_SUCCESS);
  CHECK(number == 1);
  cl_command_queue queue = nullptr;
  REQUIRE(f.clGetCommandBufferInfoKHR(with, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof queue, &queue, &size) == CL_SUCCESS);
  CHECK(queue == cl.queue.get());
  cl_context context = nullptr;
  REQUIRE(f.clGetCommandBufferInfoKHR(with, CL_COMMAND_BUFFER_CONTEXT_KHR, sizeof context, &context, &size) ==
          CL_SUCCESS);
  CHECK(context == cl.context.get());
  REQUIRE(f.clRetainCommandBufferKHR(with) == CL_SUCCESS);
  REQUIRE(f.clGetCommandBufferInfoKHR(with, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof number, &number, nullptr) ==
          CL_SUCCESS);
  CHECK(number == 2);
  REQUIRE(f.clReleaseCommandBufferKHR(with) == CL_SUCCESS);
  CHECK(f.clGetCommandBufferInfoKHR(with, CL_COMMAND_BUFFER_QUEUES_KHR, 1, &queue, nullptr) == CL_INVALID_VALUE);
  CHECK(f.clGetCommandBufferInfoKHR(with, 0x1234, 0, nullptr, &size) == CL_INVALID_VALUE);
  CHECK(f.clGetCommandBufferInfoKHR(nullptr, CL_COMMAND_BUFFER_STATE_KHR, 0, nullptr, &size) ==
        CL_INVALID_COMMAND_BUFFER_KHR);
}

TEST_CASE("creating, finalizing and enqueueing are refused as the extension specifies", "[command_buffer]") {
  Session cl, foreign;
  const auto &f = CommandBufferFunctions::get();
  const auto refusal = [&](cl_uint count, const cl_command_queue *queues,
                           const std::vector<cl_command_buffer_properties_khr> &properties) {
    cl_int code = CL_SUCCESS;
    CHECK(f.clCreateCommandBufferKHR(count, queues, properties.data(), &code) == nullptr);
    return code;
  };
  const cl_command_queue none[] = {nullptr};
  CHECK(refusal(0, cl.queue.address(), {0}) == CL_INVALID_VALUE);
  CHECK(refusal(1, nullptr, {0}) == CL_INVALID_VALUE);
  CHECK(refusal(1, none, {0}) == CL_INVALID_COMMAND_QUEUE);
  CHECK(refusal(1, cl.queue.address(), {0x1234, 0, 0}) == CL_INVALID_VALUE);
  CHECK(refusal(1, cl.queue.address(), {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 10, 0}) == CL_INVALID_VALUE);
  CHECK(refusal(1, cl.queue.address(), {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}) ==
        CL_INVALID_VALUE);
  CHECK(refusal(1, cl.queue.address(), {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}) == CL_INVALID_VALUE);

  Recorder recorder(cl.queue);
  const auto enqueue = [&](cl_uint count, cl_command_queue *queues, cl_uint event_count = 0,
                           const cl_event *events = nullptr) {
    return f.clEnqueueCommandBufferKHR(count, queues, recorder.buffer, event_count, events, nullptr);
  };
  CHECK(enqueue(0, nullptr) == CL_INVALID_OPERATION);
  recorder.finalize();
  CHECK(f.clFinalizeCommandBufferKHR(recorder.buffer) == CL_INVALID_OPERATION);
  CHECK(f.clFinalizeCommandBufferKHR(nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
  CHECK(f.clRetainCommandBufferKHR(nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
  CHECK(f.clReleaseCommandBufferKHR(nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
  CHECK(f.clEnqueueCommandBufferKHR(0, nullptr, nullptr, 0, nullptr, nullptr) == CL_INVALID_COMMAND_BUFFER_KHR);
  cl_command_queue queues[] = {cl.queue, cl.queue}, no_queue[] = {nullptr}, foreign_queue[] = {foreign.queue};
  CHECK(enqueue(1, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(0, queues) == CL_INVALID_VALUE);
  CHECK(enqueue(2, queues) == CL_INVALID_VALUE);
  CHECK(enqueue(1, no_queue) == CL_INVALID_COMMAND_QUEUE);
  CHECK(enqueue(1, foreign_queue) == CL_INVALID_CONTEXT);
  Event foreign_event = userEvent(foreign.context);
  CHECK(enqueue(0, nullptr, 1, foreign_event.address()) == CL_INVALID_CONTEXT);
  CHECK(enqueue(0, nullptr, 1, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  CHECK(enqueue(0, nullptr, 0, foreign_event.address()) == CL_INVALID_EVENT_WAIT_LIST);
}

namespace {

// The arguments that all clCommand… functions have in common. The test provokes their errors with each function.
struct Common {
  cl_command_buffer_khr buffer;
  cl_command_queue queue = nullptr;
  const lanecl::command_buffer::CommandProperties *properties = nullptr;
  cl_uint count = 0;
  const cl_sync_point_khr *points = nullptr;
  cl_mutable_command_khr *handle = nullptr;
};

} // namespace

TEST_CASE("every command is refused if the command buffer does not allow it", "[command_buffer]") {
  Session cl, foreign;
  const auto &f = CommandBufferFunctions::get();
  Kernel add = addKernel(cl), foreign_add = addKernel(foreign);
  Memory a = cl.bytes(256), b = cl.bytes(256), foreign_memory = foreign.bytes(256);
  cl.setArguments(add, a, 1);
  foreign.setArguments(foreign_add, foreign_memory, 1);
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  const Extent extent{4, 4, 1};
  const auto image_of = [&](const Session &session) {
    return makeImage(session, format, describeImage(CL_MEM_OBJECT_IMAGE2D, extent));
  };
  Memory image = image_of(cl), other_image = image_of(cl), foreign_image = image_of(foreign);
  const std::array<size_t, 3> origin{0, 0, 0}, region{4, 4, 1};
  const cl_uint color[4] = {};
  const int pattern = 1;
  std::vector<int> host(8);
  const size_t size = 4;
  struct Command {
    const char *name;
    std::function<cl_int(const Common &)> here, there; // with objects of this context, and with those of another one
    bool has_handle = false;
  };
  const Command commands[] = {
      {"barrier",
       [&](const Common &c) {
         return f.clCommandBarrierWithWaitListKHR(c.buffer, c.queue, c.properties, c.count, c.points, nullptr,
                                                  c.handle);
       },
       nullptr},
      {"copy buffer",
       [&](const Common &c) {
         return f.clCommandCopyBufferKHR(c.buffer, c.queue, c.properties, a, b, 0, 0, 16, c.count, c.points, nullptr,
                                         c.handle);
       },
       [&](const Common &c) {
         return f.clCommandCopyBufferKHR(c.buffer, c.queue, c.properties, a, foreign_memory, 0, 0, 16, c.count,
                                         c.points, nullptr, c.handle);
       }},
      {"copy buffer rect",
       [&](const Common &c) {
         return f.clCommandCopyBufferRectKHR(c.buffer, c.queue, c.properties, a, b, origin.data(), origin.data(),
                                             region.data(), 0, 0, 0, 0, c.count, c.points, nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandCopyBufferRectKHR(c.buffer, c.queue, c.properties, foreign_memory, b, origin.data(),
                                             origin.data(), region.data(), 0, 0, 0, 0, c.count, c.points, nullptr,
                                             c.handle);
       }},
      {"copy buffer to image",
       [&](const Common &c) {
         return f.clCommandCopyBufferToImageKHR(c.buffer, c.queue, c.properties, a, image, 0, origin.data(),
                                                region.data(), c.count, c.points, nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandCopyBufferToImageKHR(c.buffer, c.queue, c.properties, a, foreign_image, 0, origin.data(),
                                                region.data(), c.count, c.points, nullptr, c.handle);
       }},
      {"copy image",
       [&](const Common &c) {
         return f.clCommandCopyImageKHR(c.buffer, c.queue, c.properties, image, other_image, origin.data(),
                                        origin.data(), region.data(), c.count, c.points, nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandCopyImageKHR(c.buffer, c.queue, c.properties, image, foreign_image, origin.data(),
                                        origin.data(), region.data(), c.count, c.points, nullptr, c.handle);
       }},
      {"copy image to buffer",
       [&](const Common &c) {
         return f.clCommandCopyImageToBufferKHR(c.buffer, c.queue, c.properties, image, a, origin.data(), region.data(),
                                                0, c.count, c.points, nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandCopyImageToBufferKHR(c.buffer, c.queue, c.properties, image, foreign_memory, origin.data(),
                                                region.data(), 0, c.count, c.points, nullptr, c.handle);
       }},
      {"fill buffer",
       [&](const Common &c) {
         return f.clCommandFillBufferKHR(c.buffer, c.queue, c.properties, a, &pattern, 4, 0, 16, c.count, c.points,
                                         nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandFillBufferKHR(c.buffer, c.queue, c.properties, foreign_memory, &pattern, 4, 0, 16, c.count,
                                         c.points, nullptr, c.handle);
       }},
      {"fill image",
       [&](const Common &c) {
         return f.clCommandFillImageKHR(c.buffer, c.queue, c.properties, image, color, origin.data(), region.data(),
                                        c.count, c.points, nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandFillImageKHR(c.buffer, c.queue, c.properties, foreign_image, color, origin.data(),
                                        region.data(), c.count, c.points, nullptr, c.handle);
       }},
      {"SVM copy",
       [&](const Common &c) {
         return f.clCommandSVMMemcpyKHR(c.buffer, c.queue, c.properties, host.data(), host.data() + 4, 16, c.count,
                                        c.points, nullptr, c.handle);
       },
       nullptr},
      {"SVM fill",
       [&](const Common &c) {
         return f.clCommandSVMMemFillKHR(c.buffer, c.queue, c.properties, host.data(), &pattern, 4, 16, c.count,
                                         c.points, nullptr, c.handle);
       },
       nullptr},
      {"kernel",
       [&](const Common &c) {
         return f.clCommandNDRangeKernelKHR(c.buffer, c.queue, c.properties, add, 1, nullptr, &size, nullptr, c.count,
                                            c.points, nullptr, c.handle);
       },
       [&](const Common &c) {
         return f.clCommandNDRangeKernelKHR(c.buffer, c.queue, c.properties, foreign_add, 1, nullptr, &size, nullptr,
                                            c.count, c.points, nullptr, c.handle);
       },
       true},
  };
  const CommandQueue second = makeQueue(cl.context, kOutOfOrder), third = makeQueue(cl.context);
  const auto no_queue = reinterpret_cast<cl_command_queue>(a.get());
  const lanecl::command_buffer::CommandProperties no_properties[] = {0}, unknown[] = {0x1234, 1, 0};
  const cl_sync_point_khr zero = 0, later = 1000;
  for (const Command &command : commands) {
    CAPTURE(command.name);
    Recorder recorder(cl.queue);
    const cl_command_buffer_khr buffer = recorder.buffer;
    cl_mutable_command_khr handle = nullptr;
    CHECK(command.here({.buffer = buffer}) == CL_SUCCESS);
    CHECK(command.here({.buffer = buffer, .properties = no_properties}) == CL_SUCCESS);
    CHECK(command.here({.buffer = buffer, .queue = cl.queue}) == CL_SUCCESS);
    CHECK(command.here({.buffer = buffer, .queue = second}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(command.here({.buffer = buffer, .queue = foreign.queue}) == CL_INVALID_CONTEXT);
    CHECK(command.here({.buffer = buffer, .queue = no_queue}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(command.here({.buffer = nullptr}) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(command.here({.buffer = nullptr, .queue = cl.queue}) == CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK(command.here({.buffer = buffer, .properties = unknown}) == CL_INVALID_VALUE);
    CHECK(command.here({.buffer = buffer, .handle = &handle}) == (command.has_handle ? CL_SUCCESS : CL_INVALID_VALUE));
    CHECK((handle != nullptr) == command.has_handle);
    CHECK(command.here({.buffer = buffer, .count = 1}) == CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(command.here({.buffer = buffer, .points = &zero}) == CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(command.here({.buffer = buffer, .count = 1, .points = &zero}) == CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK(command.here({.buffer = buffer, .count = 1, .points = &later}) == CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    if (command.there)
      CHECK(command.there({.buffer = buffer}) == CL_INVALID_CONTEXT);
    recorder.finalize();
    CHECK(command.here({.buffer = buffer}) == CL_INVALID_OPERATION);
    recorder.run(); // runs what was not refused

    Recorder several(makeCommandBuffer({cl.queue, second}));
    CHECK(command.here({.buffer = several.buffer}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(command.here({.buffer = several.buffer, .queue = third}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(command.here({.buffer = several.buffer, .queue = foreign.queue}) == CL_INVALID_CONTEXT);
    CHECK(command.here({.buffer = several.buffer, .queue = no_queue}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(command.here({.buffer = several.buffer, .queue = cl.queue}) == CL_SUCCESS);
    CHECK(command.here({.buffer = several.buffer, .queue = second}) == CL_SUCCESS);
    several.finalize();
    CHECK(command.here({.buffer = several.buffer, .queue = second}) == CL_INVALID_OPERATION);
    several.run();
  }
}

TEST_CASE("commands are refused as the corresponding clEnqueue… functions are", "[command_buffer]") {
  Session cl;
  Recorder recorder(cl.queue);
  const cl_command_buffer_khr buffer = recorder.buffer;
  Memory a = cl.bytes(64);
  const int pattern = 1;
  CHECK(recorder.clCommandCopyBufferKHR(buffer, nullptr, nullptr, a, a, 0, 8, 16, 0, nullptr, nullptr, nullptr) ==
        CL_MEM_COPY_OVERLAP);
  CHECK(recorder.clCommandCopyBufferKHR(buffer, nullptr, nullptr, a, nullptr, 0, 8, 16, 0, nullptr, nullptr, nullptr) ==
        CL_INVALID_MEM_OBJECT);
  CHECK(recorder.clCommandFillBufferKHR(buffer, nullptr, nullptr, a, &pattern, 4, 0, 65, 0, nullptr, nullptr,
                                        nullptr) == CL_INVALID_VALUE);
  CHECK(recorder.clCommandSVMMemcpyKHR(buffer, nullptr, nullptr, nullptr, &pattern, 4, 0, nullptr, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  Kernel add = addKernel(cl);
  const size_t size = 30, local = 8, too_large = 2000;
  const auto record = [&](cl_kernel kernel, cl_uint dimensions, const size_t *local_size) {
    return recorder.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, dimensions, nullptr, &size, local_size,
                                              0, nullptr, nullptr, nullptr);
  };
  CHECK(record(nullptr, 1, nullptr) == CL_INVALID_KERNEL);
  CHECK(record(add, 1, nullptr) == CL_INVALID_KERNEL_ARGS);
  cl.setArguments(add, a, 1);
  CHECK(record(add, 0, nullptr) == CL_INVALID_WORK_DIMENSION);
  CHECK(record(add, 4, nullptr) == CL_INVALID_WORK_DIMENSION);
  CHECK(record(add, 1, &local) == CL_INVALID_WORK_GROUP_SIZE); // work-groups are uniform in OpenCL C 1.2
  CHECK(record(add, 1, &too_large) == CL_INVALID_WORK_ITEM_SIZE);
}
