// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_command_buffer_multi_device: command buffers with several queues, on one device or on several.
#include "support/command_buffers.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

using namespace lanecl::test;
using lanecl::command_buffer::DispatchConfig;

namespace {

constexpr cl_command_queue_properties kInOrder = 0, kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                      kProfiling = CL_QUEUE_PROFILING_ENABLE;

using SubDevice = Handle<cl_device_id, clRetainDevice, clReleaseDevice>;
using Handles = std::vector<cl_command_queue>;

Handles handlesOf(const std::vector<CommandQueue> &queues) {
  return {queues.begin(), queues.end()};
}

// A context with the root device and sub-devices of one compute unit each. It has only the root device if that has a
// single compute unit.
struct Devices : Session {
  explicit Devices(size_t most = 3) {
    cl_uint units = 0;
    check(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    std::vector<cl_device_id> made(units);
    if (units > 1 && clCreateSubDevices(device, equally, units, made.data(), nullptr) == CL_SUCCESS)
      parts = std::vector<SubDevice>(made.begin(), made.end());
    if (parts.size() >= most)
      parts.resize(most - 1);
    all.push_back(device);
    all.insert(all.end(), parts.begin(), parts.end());
    cl_int code = CL_SUCCESS;
    queue.reset();
    context = Context(clCreateContext(nullptr, cl_uint(all.size()), all.data(), nullptr, nullptr, &code));
    check(code, "clCreateContext");
    queue = makeQueue(context, 0, device);
  }

  Program buildForAll(const std::string &text, const std::string &options = "") const {
    Program program = source(text);
    check(clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr), "clBuildProgram");
    return program;
  }
  CommandQueue onPart(size_t part, cl_command_queue_properties properties = kInOrder) const {
    return makeQueue(context, properties, all[part % all.size()]);
  }

  std::vector<SubDevice> parts;
  std::vector<cl_device_id> all;
};

CommandBuffer create(const Handles &queues, cl_command_buffer_flags_khr flags = 0, cl_int expected = CL_SUCCESS) {
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
  cl_int code = 1;
  CommandBuffer buffer(CommandBufferFunctions::get().clCreateCommandBufferKHR(cl_uint(queues.size()), queues.data(),
                                                                              flags ? properties : nullptr, &code));
  CHECK(code == expected);
  CHECK((buffer.get() != nullptr) == (expected == CL_SUCCESS));
  return buffer;
}

CommandBuffer remap(const CommandBuffer &buffer, bool automatic, const Handles &queues, cl_int expected = CL_SUCCESS,
                    const std::vector<cl_mutable_command_khr> &handles = {}, cl_mutable_command_khr *copies = nullptr) {
  cl_int code = 1;
  CommandBuffer copy(CommandBufferFunctions::get().clRemapCommandBufferKHR(
      buffer, automatic, cl_uint(queues.size()), queues.data(), cl_uint(handles.size()),
      handles.empty() ? nullptr : handles.data(), copies, &code));
  CHECK(code == expected);
  CHECK((copy.get() != nullptr) == (expected == CL_SUCCESS));
  return copy;
}

struct QueueRecorder : Recorder {
  explicit QueueRecorder(CommandBuffer made) : Recorder(std::move(made)) {}
  explicit QueueRecorder(const Handles &queues, cl_command_buffer_flags_khr flags = 0)
      : Recorder(create(queues, flags)) {}

  cl_sync_point_khr kernelTo(cl_command_queue queue, const Kernel &kernel, size_t size, const SyncPoints &after = {},
                             cl_mutable_command_khr *handle = nullptr,
                             const lanecl::command_buffer::CommandProperties *properties = nullptr) const {
    cl_sync_point_khr point = 0;
    check(clCommandNDRangeKernelKHR(buffer, queue, properties, kernel, 1, nullptr, &size, nullptr,
                                    cl_uint(after.size()), after.empty() ? nullptr : after.data(), &point, handle),
          "clCommandNDRangeKernelKHR");
    return point;
  }
  cl_sync_point_khr fillTo(cl_command_queue queue, const Memory &memory, int value, size_t bytes,
                           const SyncPoints &after = {}) const {
    cl_sync_point_khr point = 0;
    check(clCommandFillBufferKHR(buffer, queue, nullptr, memory, &value, sizeof value, 0, bytes, cl_uint(after.size()),
                                 after.empty() ? nullptr : after.data(), &point, nullptr),
          "clCommandFillBufferKHR");
    return point;
  }
  cl_sync_point_khr barrierTo(cl_command_queue queue, const SyncPoints &after = {}) const {
    cl_sync_point_khr point = 0;
    check(clCommandBarrierWithWaitListKHR(buffer, queue, nullptr, cl_uint(after.size()),
                                          after.empty() ? nullptr : after.data(), &point, nullptr),
          "clCommandBarrierWithWaitListKHR");
    return point;
  }
  cl_int tryEnqueue(Handles queues, Event *event = nullptr) const {
    return clEnqueueCommandBufferKHR(cl_uint(queues.size()), queues.empty() ? nullptr : queues.data(), buffer, 0,
                                     nullptr, event ? event->out() : nullptr);
  }
  cl_int tryUpdate(const DispatchConfig &config) const {
    const lanecl::command_buffer::UpdateType type = lanecl::command_buffer::kDispatchConfig;
    const void *configs[] = {&config};
    return clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
  }
};

template <class T> T eventInfo(const Event &event, cl_event_info name) {
  T value{};
  check(clGetEventInfo(event, name, sizeof value, &value, nullptr), "clGetEventInfo");
  return value;
}

// Random commands, each of which checks whether the commands that must precede it are done.
class Graph {
public:
  Graph(const Devices &devices, const Handles &queues, unsigned seed)
      : cl(devices), random(seed), to(queues), last(queues.size()) {
    kernel = cl.kernel(cl.buildForAll(kSource), "step");
    done = cl.bytes(kMost * sizeof(int));
    sizes = cl.bytes(kMost * sizeof(int));
    before = cl.bytes(kMost * kMost * sizeof(int));
    wrong = cl.buffer(std::vector<int>(1, 0));
  }

  CommandBuffer record() {
    QueueRecorder recorder(to);
    for (size_t i = 0; i < kMost; ++i)
      add(recorder);
    recorder.finalize();
    cl.write(sizes, size_of);
    cl.write(before, waits_for);
    return recorder.buffer;
  }

  // Runs the command buffer several times. Returns how often a command came too early, or -1 if a result is wrong.
  int run(const CommandBuffer &buffer) const {
    const QueueRecorder recorder(buffer);
    for (int i = 0; i < 5; ++i) {
      cl.write(done, std::vector<int>(kMost, 0));
      recorder.run();
      if (cl.read<int>(done) != size_of)
        return -1;
    }
    return cl.read<int>(wrong)[0];
  }

private:
  using Set = std::vector<bool>; // by kernel: whether it is done
  static constexpr size_t kMost = 40;
  static constexpr const char *kSource =
      "kernel void step(global int *done, global const int *sizes, global const int *before, int count, int self,\n"
      "                 global int *wrong) {\n"
      "  for (int i = 0; i < count; ++i) {\n"
      "    int other = before[self * 40 + i];\n"
      "    if (atomic_or(done + other, 0) != sizes[other]) atomic_inc(wrong);\n"
      "  }\n"
      "  volatile int x = 0;\n"
      "  for (int i = 0; i < 100; ++i) x += i;\n"
      "  atomic_inc(done + self);\n"
      "}";

  size_t choose(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); }
  bool isInOrder(size_t queue) const {
    cl_command_queue_properties properties = 0;
    check(clGetCommandQueueInfo(to[queue], CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr), "queue");
    return (properties & kOutOfOrder) == 0;
  }
  static void join(Set &set, const Set &other) {
    for (size_t i = 0; i < kMost; ++i)
      set[i] = set[i] || other[i];
  }

  void add(const QueueRecorder &recorder) {
    const size_t queue = choose(to.size()), self = commands.size();
    const bool is_barrier = choose(8) == 0;
    Recorder::SyncPoints after;
    for (size_t i = choose(3); i != 0 && self != 0; --i)
      after.push_back(cl_sync_point_khr(1 + choose(self)));
    Set waits(kMost, false);
    join(waits, barrier);
    if (is_barrier && after.empty())
      for (const Set &other : commands)
        join(waits, other);
    for (cl_sync_point_khr point : after)
      join(waits, commands[point - 1]);
    if (isInOrder(queue) && last[queue] != 0)
      join(waits, commands[last[queue] - 1]);
    if (is_barrier) {
      barrier = waits;
      last[queue] = recorder.barrierTo(to[queue], after);
    } else {
      last[queue] = addKernel(recorder, queue, after, waits);
      waits[self] = true;
    }
    commands.push_back(waits);
  }

  cl_sync_point_khr addKernel(const QueueRecorder &recorder, size_t queue, const Recorder::SyncPoints &after,
                              const Set &waits) {
    const size_t self = commands.size();
    int count = 0;
    for (size_t i = 0; i < kMost; ++i)
      if (waits[i])
        waits_for[self * kMost + size_t(count++)] = int(i);
    size_of[self] = int(1 + choose(600));
    cl.setArguments(kernel, done, sizes, before, count, int(self), wrong);
    return recorder.kernelTo(to[queue], kernel, size_t(size_of[self]), after);
  }

  const Devices &cl;
  std::mt19937 random;
  Handles to;
  Kernel kernel;
  Memory done, sizes, before, wrong;
  std::vector<int> size_of = std::vector<int>(kMost, 0), waits_for = std::vector<int>(kMost * kMost, 0);
  std::vector<Set> commands; // by command: which kernels are done when it is done
  Set barrier = Set(kMost, false);
  std::vector<cl_sync_point_khr> last;
};

constexpr const char *kAdd = "kernel void add(global int *p, int v) { p[get_global_id(0)] += v; }";
// Each device has its own instance of the variable.
constexpr const char *kCount = "global int runs;\n"
                               "kernel void run() { ++runs; }\n"
                               "kernel void get(global int *p) { *p = runs; }";

int runsOf(const Devices &cl, const Program &program, size_t part) {
  Kernel get = cl.kernel(program, "get");
  Memory result = cl.buffer(std::vector<int>(1, -1));
  cl.setArguments(get, result);
  CommandQueue queue = cl.onPart(part);
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(queue, get, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  return cl.read<int>(result)[0];
}

} // namespace

TEST_CASE("platform and devices report that all devices synchronize", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  lanecl::command_buffer::PlatformCapabilities capabilities = 0;
  REQUIRE(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof capabilities,
                            &capabilities, nullptr) == CL_SUCCESS);
  CHECK(capabilities == (CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                         CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR));
  for (cl_device_id device : cl.all) {
    cl_uint count = 0;
    cl_device_id root = nullptr;
    size_t size = 0;
    cl_device_command_buffer_capabilities_khr can = 0;
    REQUIRE(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, sizeof count, &count, &size) ==
            CL_SUCCESS);
    CHECK(count == 1);
    CHECK(size == sizeof count);
    REQUIRE(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, sizeof root, &root, &size) ==
            CL_SUCCESS);
    CHECK(root == cl.device);
    CHECK(size == sizeof root);
    REQUIRE(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof can, &can, nullptr) ==
            CL_SUCCESS);
    CHECK((can & CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR) != 0);
  }
}

TEST_CASE("command buffers are made for several queues", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const CommandQueue second = cl.onPart(1, kOutOfOrder), third = cl.onPart(2, kProfiling);
  const Handles queues{cl.queue, second, third};
  CommandBuffer buffer = create(queues, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
  const auto &f = CommandBufferFunctions::get();
  cl_uint count = 0;
  size_t size = 0;
  REQUIRE(f.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof count, &count, nullptr) ==
          CL_SUCCESS);
  CHECK(count == 3);
  Handles list(3);
  REQUIRE(f.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, 3 * sizeof(cl_command_queue), list.data(),
                                      &size) == CL_SUCCESS);
  CHECK(size == 3 * sizeof(cl_command_queue));
  CHECK(list == queues);
  create({cl.queue, cl.queue}); // the same queue twice
  create({cl.queue}, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR);

  Session foreign;
  create({}, 0, CL_INVALID_VALUE);
  create({cl.queue, nullptr}, 0, CL_INVALID_COMMAND_QUEUE);
  create({cl.queue, foreign.queue}, 0, CL_INVALID_CONTEXT);
  create({cl.queue, second}, 1 << 10, CL_INVALID_VALUE);
  cl_int code = CL_SUCCESS;
  CHECK(f.clCreateCommandBufferKHR(2, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("sync points order commands of several queues", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  Kernel step = cl.kernel(
      cl.buildForAll("kernel void k(global uint *p, uint v) { size_t i = get_global_id(0); p[i] = p[i] * 3 + v; }"),
      "k");
  const bool one_device = GENERATE(true, false);
  const cl_command_queue_properties order = GENERATE(cl_command_queue_properties(0), kOutOfOrder);
  std::vector<CommandQueue> made;
  for (size_t i = 0; i < 3; ++i)
    made.push_back(one_device ? makeQueue(cl.context, order) : cl.onPart(i, order));
  const Handles queues = handlesOf(made);
  constexpr size_t kCount = 5000;
  constexpr unsigned kSteps = 12;
  Memory data = cl.bytes(kCount * sizeof(unsigned));
  QueueRecorder recorder(queues);
  cl_sync_point_khr last = recorder.fillTo(queues[0], data, 1, kCount * sizeof(unsigned));
  unsigned expected = 1;
  for (unsigned i = 0; i < kSteps; ++i) {
    cl.setArguments(step, data, i);
    last = recorder.kernelTo(queues[i % 3], step, kCount, {last});
    expected = expected * 3 + i;
  }
  recorder.finalize();
  for (int run = 0; run < 20; ++run) {
    recorder.run();
    REQUIRE(cl.read<unsigned>(data) == std::vector<unsigned>(kCount, expected));
  }
}

TEST_CASE("any commands of any queues come after those that they wait for", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const auto orders = GENERATE(std::vector<cl_command_queue_properties>{kInOrder, kInOrder},
                               std::vector<cl_command_queue_properties>{kOutOfOrder, kOutOfOrder, kOutOfOrder},
                               std::vector<cl_command_queue_properties>{kInOrder, kOutOfOrder, kOutOfOrder, kInOrder});
  const size_t devices = GENERATE(1, 2, 3);
  const unsigned seed = GENERATE(range(1u, 5u));
  CAPTURE(orders.size(), devices, seed);
  std::vector<CommandQueue> made, others;
  for (size_t i = 0; i < orders.size(); ++i) {
    made.push_back(cl.onPart(i % devices, orders[i]));
    others.push_back(cl.onPart((i + 1) % devices, kOutOfOrder));
  }
  Graph graph(cl, handlesOf(made), seed);
  CommandBuffer buffer = graph.record();
  CHECK(graph.run(buffer) == 0);
  CommandBuffer moved = remap(buffer, false, handlesOf(others)), joined = remap(buffer, true, {cl.queue});
  CommandBuffer again = remap(joined, true, handlesOf(made));
  buffer.reset();
  CHECK(graph.run(moved) == 0);
  CHECK(graph.run(joined) == 0);
  CHECK(graph.run(again) == 0);
}

TEST_CASE("the event of an enqueue to several queues covers all parts", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const bool one_device = GENERATE(true, false);
  const cl_command_queue_properties first_properties = GENERATE(cl_command_queue_properties(0), kProfiling);
  const cl_command_queue_properties second_properties =
      GENERATE(cl_command_queue_properties(0), kProfiling | kOutOfOrder);
  const CommandQueue first = makeQueue(cl.context, first_properties),
                     second = cl.onPart(one_device ? 0 : 1, second_properties);
  Memory a = cl.buffer(std::vector<int>(64, 0)), b = cl.buffer(std::vector<int>(64, 0));
  QueueRecorder recorder(Handles{first, second});
  recorder.fillTo(first, a, 4, 256);
  recorder.fillTo(second, b, 5, 256);
  recorder.finalize();
  Event gate = userEvent(cl.context), event;
  REQUIRE(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 1, gate.address(), event.out()) ==
          CL_SUCCESS);
  CHECK(eventInfo<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE) == nullptr);
  CHECK(eventInfo<cl_command_type>(event, CL_EVENT_COMMAND_TYPE) == CL_COMMAND_COMMAND_BUFFER_KHR);
  CHECK(eventInfo<cl_context>(event, CL_EVENT_CONTEXT) == cl.context.get());
  CHECK(eventInfo<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS) == CL_QUEUED);
  std::array<std::atomic<int>, 3> calls{};
  for (cl_int when : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
    REQUIRE(clSetEventCallback(
                event, when,
                [](cl_event, cl_int status, void *counts) { ++static_cast<std::atomic<int> *>(counts)[status]; },
                calls.data()) == CL_SUCCESS);
  CHECK(calls[CL_SUBMITTED] == 0);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  CHECK(eventInfo<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS) == CL_COMPLETE);
  CHECK(cl.read<int>(a) == std::vector<int>(64, 4));
  CHECK(cl.read<int>(b) == std::vector<int>(64, 5));
  for (int waits = 0; waits < 2000 && (calls[0] == 0 || calls[1] == 0 || calls[2] == 0); ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (const std::atomic<int> &count : calls)
    CHECK(count == 1);
  const bool is_timed = ((first_properties | second_properties) & kProfiling) != 0;
  cl_ulong last = 0;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = 0;
    CHECK(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr) ==
          (is_timed ? CL_SUCCESS : CL_PROFILING_INFO_NOT_AVAILABLE));
    CHECK((time != 0) == is_timed);
    CHECK(time >= last);
    last = time;
  }

  CHECK(eventInfo<cl_int>(recorder.enqueueBehindFailure(cl), CL_EVENT_COMMAND_EXECUTION_STATUS) < 0);
}

TEST_CASE("a command buffer is a command of each of its queues", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const bool one_device = GENERATE(true, false);
  const CommandQueue first = makeQueue(cl.context), second = cl.onPart(one_device ? 0 : 1),
                     third = cl.onPart(one_device ? 0 : 2, kOutOfOrder);
  Memory a = cl.buffer(std::vector<int>(64, 0)), b = cl.buffer(std::vector<int>(64, 0));
  QueueRecorder recorder(Handles{first, second, third});
  recorder.fillTo(first, a, 4, 256);
  recorder.finalize();
  // Before the command buffer: it waits for earlier commands of an in-order queue, but not for those of an out-of-order
  // queue.
  Event gate = userEvent(cl.context), never = userEvent(cl.context), event;
  const int one = 1;
  REQUIRE(clEnqueueFillBuffer(third, b, &one, sizeof one, 0, 256, 1, never.address(), nullptr) == CL_SUCCESS);
  REQUIRE(clEnqueueFillBuffer(second, a, &one, sizeof one, 0, 256, 1, gate.address(), nullptr) == CL_SUCCESS);
  REQUIRE(recorder.tryEnqueue({}, &event) == CL_SUCCESS);
  // After the command buffer: later commands of an in-order queue, and commands that wait for a whole queue.
  std::vector<int> seen(64, 0);
  REQUIRE(clEnqueueReadBuffer(second, a, CL_FALSE, 0, 256, seen.data(), 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(eventInfo<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS) == CL_QUEUED);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  REQUIRE(clFinish(second) == CL_SUCCESS);
  CHECK(seen == std::vector<int>(64, 4));
  CHECK(cl.read<int>(b) == std::vector<int>(64, 0));
  REQUIRE(clSetUserEventStatus(never, CL_COMPLETE) == CL_SUCCESS);

  REQUIRE(clFinish(third) == CL_SUCCESS);
  Event later = userEvent(cl.context), marker, again;
  REQUIRE(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 1, later.address(), again.out()) ==
          CL_SUCCESS);
  REQUIRE(clEnqueueMarkerWithWaitList(third, 0, nullptr, marker.out()) == CL_SUCCESS);
  CHECK(eventInfo<cl_int>(marker, CL_EVENT_COMMAND_EXECUTION_STATUS) > CL_COMPLETE);
  REQUIRE(clSetUserEventStatus(later, CL_COMPLETE) == CL_SUCCESS);
  REQUIRE(clFinish(third) == CL_SUCCESS);
  CHECK(eventInfo<cl_int>(again, CL_EVENT_COMMAND_EXECUTION_STATUS) == CL_COMPLETE);
}

TEST_CASE("a command buffer without commands, and one with commands for one queue of several",
          "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const CommandQueue second = cl.onPart(1), third = cl.onPart(2);
  QueueRecorder empty(Handles{cl.queue, second, third}), barriers(Handles{cl.queue, second}),
      one(Handles{cl.queue, second, third});
  empty.finalize();
  empty.run();
  barriers.barrierTo(second, {barriers.barrierTo(cl.queue)});
  barriers.finalize();
  barriers.run();
  Memory data = cl.buffer(std::vector<int>(64, 0));
  one.fillTo(third, data, 7, 256);
  one.finalize();
  one.run();
  CHECK(cl.read<int>(data) == std::vector<int>(64, 7));
}

TEST_CASE("other queues of the same devices may run the command buffer", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  Session foreign;
  const CommandQueue second = cl.onPart(1), other = makeQueue(cl.context, kOutOfOrder | kProfiling),
                     other_second = cl.onPart(1, kProfiling);
  Memory a = cl.buffer(std::vector<int>(64, 0)), b = cl.buffer(std::vector<int>(64, 0));
  QueueRecorder recorder(Handles{cl.queue, second});
  const cl_sync_point_khr first = recorder.fillTo(cl.queue, a, 4, 256);
  REQUIRE(recorder.clCommandCopyBufferKHR(recorder.buffer, second, nullptr, a, b, 0, 0, 256, 1, &first, nullptr,
                                          nullptr) == CL_SUCCESS);
  CHECK(recorder.tryEnqueue({}) == CL_INVALID_OPERATION);
  recorder.finalize();
  Event event;
  REQUIRE(recorder.tryEnqueue({other, other_second}, &event) == CL_SUCCESS);
  REQUIRE(clFinish(other_second) == CL_SUCCESS);
  CHECK(cl.read<int>(b) == std::vector<int>(64, 4));
  cl_ulong time = 0;
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr) == CL_SUCCESS);

  CHECK(recorder.tryEnqueue({other}) == CL_INVALID_VALUE);
  CHECK(recorder.tryEnqueue({other, second, second}) == CL_INVALID_VALUE);
  CHECK(recorder.tryEnqueue({other, nullptr}) == CL_INVALID_COMMAND_QUEUE);
  CHECK(recorder.tryEnqueue({foreign.queue, second}) == CL_INVALID_CONTEXT);
  if (!cl.parts.empty()) {
    CHECK(recorder.tryEnqueue({second, other}) == CL_INVALID_DEVICE);
    CHECK(recorder.tryEnqueue({cl.queue, other}) == CL_INVALID_DEVICE);
  }
  Handles queues{other, other_second};
  CHECK(recorder.clEnqueueCommandBufferKHR(0, queues.data(), recorder.buffer, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(recorder.clEnqueueCommandBufferKHR(2, nullptr, recorder.buffer, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  Event foreign_event = userEvent(foreign.context);
  CHECK(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 1, foreign_event.address(), nullptr) ==
        CL_INVALID_CONTEXT);
  CHECK(recorder.clEnqueueCommandBufferKHR(0, nullptr, recorder.buffer, 1, nullptr, nullptr) ==
        CL_INVALID_EVENT_WAIT_LIST);
}

TEST_CASE("kernels run on the devices of their queues", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const Program program = cl.buildForAll(kCount, "-cl-std=CL3.0");
  Kernel run = cl.kernel(program, "run");
  std::vector<CommandQueue> made;
  for (size_t part = 0; part < cl.all.size(); ++part)
    made.push_back(cl.onPart(part));
  const Handles queues = handlesOf(made);
  QueueRecorder recorder(queues);
  for (size_t part = 0; part < queues.size(); ++part)
    for (size_t i = 0; i <= part; ++i)
      recorder.kernelTo(queues[part], run, 1);
  recorder.finalize();
  recorder.run();
  recorder.run();
  for (size_t part = 0; part < queues.size(); ++part)
    CHECK(runsOf(cl, program, part) == int(2 * (part + 1)));
  if (cl.parts.empty())
    return;
  // Remaps first to other devices explicitly, and then to any device.
  QueueRecorder turned(remap(recorder.buffer, false, Handles(queues.rbegin(), queues.rend())));
  turned.run();
  CHECK(runsOf(cl, program, 0) == int(2 + queues.size()));
  CHECK(runsOf(cl, program, queues.size() - 1) == int(2 * queues.size() + 1));
  QueueRecorder joined(remap(recorder.buffer, true, {queues[1]}));
  const int before = runsOf(cl, program, 1);
  joined.run();
  CHECK(runsOf(cl, program, 1) == before + int(queues.size() * (queues.size() + 1) / 2));
}

TEST_CASE("a kernel that is not built for a device is not recorded for it, and is moved only to where it can run",
          "[command_buffer][command_buffer_queues]") {
  Devices cl;
  if (cl.parts.empty())
    return;
  const CommandQueue part = cl.onPart(1), other_part = cl.onPart(1);
  // A build for the parent would serve its sub-devices, too.
  const Program program = cl.source(kAdd);
  REQUIRE(clBuildProgram(program, 1, &cl.all[1], nullptr, nullptr, nullptr) == CL_SUCCESS);
  Kernel add = cl.kernel(program, "add");
  Memory data = cl.buffer(std::vector<int>(16, 0));
  cl.setArguments(add, data, 1);
  QueueRecorder recorder(Handles{cl.queue, part});
  const size_t size = 16;
  CHECK(recorder.clCommandNDRangeKernelKHR(recorder.buffer, cl.queue, nullptr, add, 1, nullptr, &size, nullptr, 0,
                                           nullptr, nullptr, nullptr) == CL_INVALID_PROGRAM_EXECUTABLE);
  recorder.kernelTo(part, add, size);
  recorder.finalize();
  remap(recorder.buffer, false, {part, cl.queue}, CL_INVALID_PROGRAM_EXECUTABLE);
  remap(recorder.buffer, true, {cl.queue}, CL_INVALID_PROGRAM_EXECUTABLE);
  QueueRecorder moved(remap(recorder.buffer, true, {cl.queue, other_part}));
  moved.run();
  CHECK(cl.read<int>(data) == std::vector<int>(16, 1));
}

TEST_CASE("a moved kernel is the one of its new device, with the recorded arguments",
          "[command_buffer][command_buffer_queues]") {
  Devices cl;
  if (cl.parts.empty())
    return;
  const CommandQueue part = cl.onPart(1);
  const Program program = cl.source("kernel void k(global int *p, int v) { p[get_global_id(0)] = v * STEP; }");
  REQUIRE(clBuildProgram(program, 1, &cl.all[0], "-DSTEP=2", nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clBuildProgram(program, 1, &cl.all[1], "-DSTEP=3", nullptr, nullptr) == CL_SUCCESS);
  Kernel kernel = cl.kernel(program, "k");
  Memory data = cl.buffer(std::vector<int>(16, 0));
  cl.setArguments(kernel, data, 5);
  QueueRecorder recorder(Handles{cl.queue});
  recorder.kernelTo(nullptr, kernel, 16);
  cl.setArguments(kernel, data, 100);
  recorder.finalize();
  QueueRecorder moved(remap(recorder.buffer, false, {part}));
  moved.run();
  CHECK(cl.read<int>(data) == std::vector<int>(16, 15));
  recorder.run();
  CHECK(cl.read<int>(data) == std::vector<int>(16, 10));
}

TEST_CASE("a remapped command buffer is independent", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const bool one_device = GENERATE(true, false);
  const CommandQueue other = cl.onPart(one_device ? 0 : 1), second = makeQueue(cl.context);
  Kernel add = cl.kernel(cl.buildForAll(kAdd), "add");
  Memory a = cl.buffer(std::vector<int>(16, 0)), b = cl.buffer(std::vector<int>(16, 0));
  cl.setArguments(add, a, 1);
  QueueRecorder original(Handles{cl.queue}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr handles[2] = {}, copies[3] = {};
  original.kernelTo(nullptr, add, 16, {}, &handles[0]);
  original.kernelTo(cl.queue, add, 8, {}, &handles[1]);
  original.kernelTo(nullptr, add, 4);
  cl.setArguments(add, a, 100); // has no effect on recorded commands
  CommandBuffer copied =
      remap(original.buffer, false, {other}, CL_SUCCESS, {handles[1], handles[0], handles[1]}, copies);
  QueueRecorder copy(std::move(copied));
  CHECK(copies[0] == copies[2]);
  CHECK(copies[0] != handles[1]);
  CHECK(copies[1] != handles[0]);
  // Both are still in the recording state.
  CHECK(copy.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
  cl_command_queue queue = nullptr;
  REQUIRE(copy.clGetMutableCommandInfoKHR(copies[0], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue,
                                          nullptr) == CL_SUCCESS);
  CHECK(queue == other.get());
  cl_command_buffer_khr of = nullptr;
  REQUIRE(copy.clGetMutableCommandInfoKHR(copies[0], CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof of, &of, nullptr) ==
          CL_SUCCESS);
  CHECK(of == copy.buffer.get());
  cl.setArguments(add, b, 5);
  copy.kernelTo(other, add, 16);
  original.finalize();
  copy.finalize();
  CHECK(copy.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  // Updates of one do not change the other.
  const int hundred = 100, thousand = 1000;
  const cl_mutable_dispatch_arg_khr to_hundred{1, sizeof(int), &hundred}, to_thousand{1, sizeof(int), &thousand};
  CHECK(original.tryUpdate({.command = copies[0], .num_args = 1, .arg_list = &to_hundred}) ==
        CL_INVALID_MUTABLE_COMMAND_KHR);
  REQUIRE(original.tryUpdate({.command = handles[0], .num_args = 1, .arg_list = &to_hundred}) == CL_SUCCESS);
  REQUIRE(copy.tryUpdate({.command = copies[0], .num_args = 1, .arg_list = &to_thousand}) == CL_SUCCESS);
  copy.run();
  std::vector<int> expected(16, 1);
  std::fill_n(expected.begin(), 8, 1001);
  std::fill_n(expected.begin(), 4, 1002);
  CHECK(cl.read<int>(a) == expected);
  CHECK(cl.read<int>(b) == std::vector<int>(16, 5));
  // A copy has the updates that were made before it.
  QueueRecorder updated(remap(original.buffer, true, {second}));
  original.buffer.reset();
  CHECK(updated.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  cl.write(a, std::vector<int>(16, 0));
  updated.run();
  expected.assign(16, 100);
  std::fill_n(expected.begin(), 8, 101);
  std::fill_n(expected.begin(), 4, 102);
  CHECK(cl.read<int>(a) == expected);
}

TEST_CASE("a command with missing arguments is remapped, too", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const CommandQueue part = cl.onPart(1);
  Kernel add = cl.kernel(cl.buildForAll(kAdd), "add");
  Memory data = cl.buffer(std::vector<int>(16, 0));
  QueueRecorder original(Handles{cl.queue}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const lanecl::command_buffer::CommandProperties deferred[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                                CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
  cl_mutable_command_khr handle = nullptr, copied = nullptr;
  original.kernelTo(nullptr, add, 16, {}, &handle, deferred);
  original.finalize();
  CHECK(original.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
  QueueRecorder copy(remap(original.buffer, false, {part}, CL_SUCCESS, {handle}, &copied));
  CHECK(copy.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
  CHECK(copy.tryEnqueue({}) == CL_INVALID_OPERATION);
  const int seven = 7;
  const cl_mutable_dispatch_arg_khr arguments[] = {{0, sizeof(cl_mem), data.address()}, {1, sizeof(int), &seven}};
  REQUIRE(copy.tryUpdate({.command = copied, .num_args = 2, .arg_list = arguments}) == CL_SUCCESS);
  CHECK(copy.state() == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  CHECK(original.state() == CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
  copy.run();
  CHECK(cl.read<int>(data) == std::vector<int>(16, 7));
}

TEST_CASE("commands recorded to a copy come after what its in-order queue already has",
          "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const CommandQueue free = cl.onPart(0, kOutOfOrder), part = cl.onPart(1);
  constexpr size_t kBytes = 400000;
  Memory a = cl.bytes(kBytes), b = cl.bytes(kBytes), c = cl.bytes(kBytes), d = cl.bytes(16);
  QueueRecorder original(Handles{free, part});
  original.fillTo(free, a, 1, kBytes);
  const cl_sync_point_khr point = original.fillTo(part, b, 2, kBytes);
  original.fillTo(free, d, 3, 16);
  QueueRecorder copy(remap(original.buffer, true, {cl.queue}));
  REQUIRE(copy.clCommandCopyBufferKHR(copy.buffer, nullptr, nullptr, a, c, 0, 0, kBytes / 2, 0, nullptr, nullptr,
                                      nullptr) == CL_SUCCESS);
  REQUIRE(copy.clCommandCopyBufferKHR(copy.buffer, nullptr, nullptr, b, c, kBytes / 2, kBytes / 2, kBytes / 2, 1,
                                      &point, nullptr, nullptr) == CL_SUCCESS);
  copy.finalize();
  std::vector<int> expected(kBytes / 4, 1);
  std::fill(expected.begin() + kBytes / 8, expected.end(), 2);
  for (int run = 0; run < 20; ++run) {
    for (const Memory *memory : {&a, &b, &c})
      cl.write(*memory, std::vector<int>(kBytes / 4, 0));
    copy.run();
    REQUIRE(cl.read<int>(c) == expected);
  }
}

TEST_CASE("kernels of several queues are updated", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const CommandQueue part = cl.onPart(1);
  Kernel add = cl.kernel(cl.buildForAll(kAdd), "add");
  Memory a = cl.buffer(std::vector<int>(16, 0)), b = cl.buffer(std::vector<int>(16, 0));
  QueueRecorder recorder(Handles{cl.queue, part}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr handle = nullptr;
  cl.setArguments(add, a, 1);
  const cl_sync_point_khr first = recorder.kernelTo(cl.queue, add, 16);
  recorder.kernelTo(part, add, 16, {first}, &handle);
  recorder.finalize();
  recorder.run();
  CHECK(cl.read<int>(a) == std::vector<int>(16, 2));
  const size_t half = 8;
  const cl_mutable_dispatch_arg_khr to_b{0, sizeof(cl_mem), b.address()};
  REQUIRE(recorder.tryUpdate({.command = handle, .num_args = 1, .arg_list = &to_b, .global_work_size = &half}) ==
          CL_SUCCESS);
  recorder.run();
  std::vector<int> expected(16, 0);
  std::fill_n(expected.begin(), 8, 1);
  CHECK(cl.read<int>(a) == std::vector<int>(16, 3));
  CHECK(cl.read<int>(b) == expected);
  cl_command_queue queue = nullptr;
  REQUIRE(recorder.clGetMutableCommandInfoKHR(handle, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue,
                                              nullptr) == CL_SUCCESS);
  CHECK(queue == part.get());
}

TEST_CASE("remapping is refused as the extension specifies", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  Session foreign;
  const auto &f = CommandBufferFunctions::get();
  Kernel add = cl.kernel(cl.buildForAll(kAdd), "add");
  Memory data = cl.buffer(std::vector<int>(16, 0));
  cl.setArguments(add, data, 1);
  const CommandQueue second = cl.onPart(1);
  QueueRecorder recorder(Handles{cl.queue, second}), other(Handles{cl.queue});
  cl_mutable_command_khr handle = nullptr, of_other = nullptr, copy = nullptr;
  recorder.kernelTo(second, add, 16, {}, &handle);
  other.kernelTo(nullptr, add, 16, {}, &of_other);
  const Handles queues{cl.queue, second}, one{cl.queue}, none{nullptr, cl.queue}, far{cl.queue, foreign.queue},
      all_far{foreign.queue, foreign.queue};
  struct Request {
    cl_command_buffer_khr buffer;
    cl_bool automatic = CL_FALSE;
    cl_uint num_queues = 2;
    const cl_command_queue *queues;
    cl_uint num_handles = 0;
    const cl_mutable_command_khr *handles = nullptr;
    cl_mutable_command_khr *copies = nullptr;
  };
  const auto refusal = [&](const Request &r) {
    cl_int code = CL_SUCCESS;
    CHECK(f.clRemapCommandBufferKHR(r.buffer, r.automatic, r.num_queues, r.queues, r.num_handles, r.handles, r.copies,
                                    &code) == nullptr);
    CHECK(copy == nullptr);
    return code;
  };
  const cl_command_buffer_khr buffer = recorder.buffer;
  CHECK(refusal({.buffer = nullptr, .queues = queues.data()}) == CL_INVALID_COMMAND_BUFFER_KHR);
  CHECK(refusal({.buffer = buffer, .num_queues = 0, .queues = queues.data()}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .automatic = CL_TRUE, .num_queues = 0, .queues = queues.data()}) ==
        CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = nullptr}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .num_queues = 1, .queues = one.data()}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = queues.data(), .num_handles = 1, .copies = &copy}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = queues.data(), .num_handles = 1, .handles = &handle}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = queues.data(), .handles = &handle}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = queues.data(), .copies = &copy}) == CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = queues.data(), .num_handles = 1, .handles = &of_other, .copies = &copy}) ==
        CL_INVALID_VALUE);
  const cl_mutable_command_khr no_handle = nullptr;
  CHECK(
      refusal({.buffer = buffer, .queues = queues.data(), .num_handles = 1, .handles = &no_handle, .copies = &copy}) ==
      CL_INVALID_VALUE);
  CHECK(refusal({.buffer = buffer, .queues = none.data()}) == CL_INVALID_COMMAND_QUEUE);
  CHECK(refusal({.buffer = buffer, .queues = far.data()}) == CL_INVALID_CONTEXT);
  CHECK(refusal({.buffer = buffer, .queues = all_far.data()}) == CL_INVALID_CONTEXT);
  CHECK(refusal({.buffer = buffer, .automatic = CL_TRUE, .num_queues = 1, .queues = all_far.data()}) ==
        CL_INVALID_CONTEXT);
  cl_command_buffer_khr made = f.clRemapCommandBufferKHR(buffer, CL_TRUE, 1, one.data(), 1, &handle, &copy, nullptr);
  CHECK(made != nullptr);
  CHECK(copy != nullptr);
  CHECK(f.clReleaseCommandBufferKHR(made) == CL_SUCCESS);
}

TEST_CASE("threads enqueue command buffers of the same queues", "[command_buffer][command_buffer_queues]") {
  Devices cl;
  const cl_command_queue_properties order = GENERATE(cl_command_queue_properties(0), kOutOfOrder);
  const CommandQueue first = makeQueue(cl.context, order), second = cl.onPart(1, order);
  Kernel count =
      cl.kernel(cl.buildForAll("kernel void k(global int *p) { atomic_inc(p + get_global_id(0) % 4); }"), "k");
  Memory data = cl.buffer(std::vector<int>(4, 0));
  cl.setArguments(count, data);
  std::vector<QueueRecorder> recorders;
  for (const Handles &queues : {Handles{first, second}, Handles{second, first}}) {
    recorders.emplace_back(queues, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    const cl_sync_point_khr point = recorders.back().kernelTo(first, count, 40);
    recorders.back().kernelTo(second, count, 40, {point});
    recorders.back().kernelTo(first, count, 40);
    recorders.back().finalize();
  }
  std::vector<std::thread> threads;
  for (const QueueRecorder &recorder : recorders)
    threads.emplace_back([&recorder] {
      for (int i = 0; i < 50; ++i)
        recorder.enqueue();
    });
  for (std::thread &thread : threads)
    thread.join();
  REQUIRE(clFinish(first) == CL_SUCCESS);
  REQUIRE(clFinish(second) == CL_SUCCESS);
  CHECK(cl.read<int>(data) == std::vector<int>(4, 2 * 50 * 30));
}
