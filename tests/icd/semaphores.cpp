// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_semaphore, cl_khr_external_semaphore and cl_khr_external_semaphore_opaque_fd.
#include "support/extension.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

using namespace lanecl::test;

namespace {

// The distribution's headers are older than the extension.
using Property = cl_semaphore_properties_khr;
using Properties = std::vector<Property>; // with the terminating 0
constexpr Property kType = CL_SEMAPHORE_TYPE_KHR, kBinary = CL_SEMAPHORE_TYPE_BINARY_KHR, kDevices = 0x2053,
                   kExports = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, kDescriptor = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
constexpr cl_semaphore_info_khr kDeviceList = 0x2053, kExportable = 0x2054;

struct Functions {
#define FUNCTION(member, name) name##_fn member = extensionFunction<name##_fn>(#name)
  FUNCTION(create, clCreateSemaphoreWithPropertiesKHR);
  FUNCTION(retain, clRetainSemaphoreKHR);
  FUNCTION(release, clReleaseSemaphoreKHR);
  FUNCTION(info, clGetSemaphoreInfoKHR);
  FUNCTION(wait, clEnqueueWaitSemaphoresKHR);
  FUNCTION(signal, clEnqueueSignalSemaphoresKHR);
  FUNCTION(handle, clGetSemaphoreHandleForTypeKHR);
#undef FUNCTION
};

const Functions &cl_khr() {
  static const Functions functions;
  return functions;
}

class Semaphore {
public:
  explicit Semaphore(cl_semaphore_khr object) : object(object) {}
  Semaphore(const Semaphore &) = delete;
  Semaphore &operator=(const Semaphore &) = delete;
  ~Semaphore() {
    if (object)
      cl_khr().release(object);
  }

  template <class T> T get(cl_semaphore_info_khr name) const {
    T value{};
    check(cl_khr().info(object, name, sizeof value, &value, nullptr), "clGetSemaphoreInfoKHR");
    return value;
  }
  template <class T> std::vector<T> list(cl_semaphore_info_khr name) const {
    size_t bytes = 1;
    check(cl_khr().info(object, name, 0, nullptr, &bytes), "clGetSemaphoreInfoKHR");
    std::vector<T> values(bytes / sizeof(T));
    check(cl_khr().info(object, name, bytes, values.data(), nullptr), "clGetSemaphoreInfoKHR");
    return values;
  }
  cl_semaphore_payload_khr payload() const { return get<cl_semaphore_payload_khr>(CL_SEMAPHORE_PAYLOAD_KHR); }
  int handle() const {
    int descriptor = -1;
    size_t bytes = 0;
    check(cl_khr().handle(object, laneclDevice(), kDescriptor, sizeof descriptor, &descriptor, &bytes),
          "clGetSemaphoreHandleForTypeKHR");
    CHECK(bytes == sizeof descriptor);
    return descriptor;
  }

  const cl_semaphore_khr object;
};

cl_semaphore_khr create(const Context &context, const Properties &properties, cl_int &code) {
  code = 1;
  return cl_khr().create(context, properties.data(), &code);
}

Semaphore make(const Context &context, const Properties &properties = {kType, kBinary, 0}) {
  cl_int code = 1;
  const cl_semaphore_khr object = create(context, properties, code);
  check(code, "clCreateSemaphoreWithPropertiesKHR");
  return Semaphore(object);
}

Semaphore makeExportable(const Context &context) {
  return make(context, {kType, kBinary, kExports, kDescriptor, 0, 0});
}

Semaphore import(const Context &context, int handle) {
  return make(context, {kType, kBinary, kDescriptor, Property(handle), 0});
}

cl_int codeOf(const Context &context, const Properties &properties) {
  cl_int code = 1;
  const Semaphore semaphore(create(context, properties, code));
  CHECK((semaphore.object != nullptr) == (code == CL_SUCCESS));
  return code;
}

void signal(const CommandQueue &queue, const Semaphore &semaphore) {
  check(cl_khr().signal(queue, 1, &semaphore.object, nullptr, 0, nullptr, nullptr), "clEnqueueSignalSemaphoresKHR");
  check(clFlush(queue), "clFlush");
}

Event wait(const CommandQueue &queue, const Semaphore &semaphore) {
  Event event;
  check(cl_khr().wait(queue, 1, &semaphore.object, nullptr, 0, nullptr, event.out()), "clEnqueueWaitSemaphoresKHR");
  check(clFlush(queue), "clFlush");
  return event;
}

cl_int statusOf(const Event &event) {
  cl_int status = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  return status;
}

void sleep() {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

} // namespace

TEST_CASE("a command waits for a signal of another queue", "[semaphores]") {
  const Session cl;
  const CommandQueue other = makeQueue(cl.context);
  const Semaphore semaphore = make(cl.context);
  Memory data = cl.buffer(std::vector<int>{1});
  const Program program = cl.build("kernel void add(global int *p, int x) { *p = *p * 10 + x; }");
  const Kernel add = cl.kernel(program, "add");
  for (int round = 0; round < 3; ++round) {
    cl.write(data, std::vector<int>{1});
    const Event waits = wait(cl.queue, semaphore);
    Event last = cl.enqueue(add, {1}, {}, data, 3);
    check(clFlush(cl.queue), "clFlush");
    sleep();
    CHECK(statusOf(waits) > CL_COMPLETE);
    cl.setArguments(add, data, 2);
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(other, add, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), "launch");
    signal(other, semaphore);
    check(clWaitForEvents(1, last.address()), "clWaitForEvents");
    CHECK(cl.read<int>(data)[0] == 123);
    CHECK(semaphore.payload() == 0);
  }
}

TEST_CASE("waiting commands occupy no thread of the device", "[semaphores]") {
  const Session cl;
  cl_uint units = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
  const size_t count = 4 * units + 4;
  const Semaphore semaphore = make(cl.context);
  std::vector<CommandQueue> queues;
  std::vector<Event> waits;
  for (size_t i = 0; i < count; ++i) {
    queues.push_back(makeQueue(cl.context));
    waits.push_back(wait(queues.back(), semaphore));
  }
  Memory data = cl.buffer(std::vector<int>(1000, 21));
  cl.run(cl.kernel(cl.build("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }"), "twice"), {1000}, {},
         data);
  CHECK(cl.read<int>(data) == std::vector<int>(1000, 42));
  for (size_t i = 0; i < count; ++i)
    CHECK(statusOf(waits[i]) > CL_COMPLETE);
  for (size_t i = 0; i < count; ++i)
    signal(cl.queue, semaphore);
  for (Event &event : waits)
    check(clWaitForEvents(1, event.address()), "clWaitForEvents");
  CHECK(semaphore.payload() == 0);
}

TEST_CASE("commands wait for all of several semaphores", "[semaphores]") {
  const Session cl;
  const CommandQueue other = makeQueue(cl.context);
  const Semaphore a = make(cl.context), b = make(cl.context), c = make(cl.context);
  const cl_semaphore_khr all[] = {a.object, b.object, c.object};
  Event event;
  check(cl_khr().wait(cl.queue, 3, all, nullptr, 0, nullptr, event.out()), "clEnqueueWaitSemaphoresKHR");
  signal(other, b);
  signal(other, a);
  check(clFinish(other), "clFinish");
  sleep();
  CHECK(statusOf(event) > CL_COMPLETE);
  signal(other, c);
  check(clWaitForEvents(1, event.address()), "clWaitForEvents");
  check(cl_khr().signal(cl.queue, 3, all, nullptr, 0, nullptr, nullptr), "clEnqueueSignalSemaphoresKHR");
  check(clFinish(cl.queue), "clFinish");
  CHECK(a.payload() + b.payload() + c.payload() == 3);
}

TEST_CASE("a semaphore is signaled again while a command waits for the previous signal", "[semaphores]") {
  const Session cl;
  const CommandQueue other = makeQueue(cl.context);
  const Semaphore semaphore = make(cl.context);
  cl_int code = 1;
  Event gate(clCreateUserEvent(cl.context, &code));
  check(code, "clCreateUserEvent");
  signal(other, semaphore);
  check(clFinish(other), "clFinish");
  CHECK(semaphore.payload() == 1);
  Event first;
  check(cl_khr().wait(cl.queue, 1, &semaphore.object, nullptr, 1, gate.address(), first.out()),
        "clEnqueueWaitSemaphoresKHR");
  signal(other, semaphore); // the command waits for the gate
  Event second = wait(cl.queue, semaphore);
  check(clFinish(other), "clFinish");
  CHECK(statusOf(first) > CL_COMPLETE);
  CHECK(semaphore.payload() == 1);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, second.address()), "clWaitForEvents");
  CHECK(statusOf(first) == CL_COMPLETE);
  CHECK(semaphore.payload() == 0);
}

TEST_CASE("a command that fails before a wait consumes no signal", "[semaphores]") {
  const Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Semaphore semaphore = make(cl.context);
  cl_int code = 1;
  Event gate(clCreateUserEvent(cl.context, &code));
  Event waits, signals;
  check(cl_khr().wait(cl.queue, 1, &semaphore.object, nullptr, 1, gate.address(), waits.out()),
        "clEnqueueWaitSemaphoresKHR");
  check(cl_khr().signal(cl.queue, 1, &semaphore.object, nullptr, 0, nullptr, signals.out()),
        "clEnqueueSignalSemaphoresKHR");
  check(clWaitForEvents(1, signals.address()), "clWaitForEvents");
  check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
  CHECK(clWaitForEvents(1, waits.address()) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(statusOf(waits) < 0);
  CHECK(semaphore.payload() == 1);
}

TEST_CASE("semaphores live until the commands that use them are done", "[semaphores]") {
  const Session cl;
  const CommandQueue other = makeQueue(cl.context);
  Event event;
  {
    const Semaphore semaphore = makeExportable(cl.context);
    const Semaphore same = import(cl.context, semaphore.handle());
    event = wait(cl.queue, semaphore);
    signal(other, same);
  }
  check(clWaitForEvents(1, event.address()), "clWaitForEvents");
}

TEST_CASE("semaphores are queried", "[semaphores]") {
  const Session cl;
  const Properties given{kExports, kDescriptor, 0, kType, kBinary, kDevices, reinterpret_cast<Property>(cl.device), 0,
                         0};
  const Semaphore semaphore = make(cl.context, given), plain = make(cl.context);
  CHECK(semaphore.get<cl_context>(CL_SEMAPHORE_CONTEXT_KHR) == cl.context.get());
  CHECK(semaphore.get<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_KHR) == CL_SEMAPHORE_TYPE_BINARY_KHR);
  CHECK(semaphore.list<Property>(CL_SEMAPHORE_PROPERTIES_KHR) == given);
  for (const Semaphore *each : {&semaphore, &plain})
    CHECK(each->list<cl_device_id>(kDeviceList) == std::vector<cl_device_id>{cl.device});
  CHECK(semaphore.list<cl_external_semaphore_handle_type_khr>(kExports) ==
        std::vector<cl_external_semaphore_handle_type_khr>{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR});
  CHECK(plain.list<cl_external_semaphore_handle_type_khr>(kExports).empty());
  CHECK(semaphore.get<cl_bool>(kExportable) == CL_TRUE);
  CHECK(plain.get<cl_bool>(kExportable) == CL_FALSE);
  CHECK(plain.payload() == 0);
  CHECK(plain.get<cl_uint>(CL_SEMAPHORE_REFERENCE_COUNT_KHR) == 1);
  CHECK(cl_khr().retain(plain.object) == CL_SUCCESS);
  CHECK(plain.get<cl_uint>(CL_SEMAPHORE_REFERENCE_COUNT_KHR) == 2);
  CHECK(cl_khr().release(plain.object) == CL_SUCCESS);
  cl_uint value = 0;
  CHECK(cl_khr().info(plain.object, 0, sizeof value, &value, nullptr) == CL_INVALID_VALUE);
  CHECK(cl_khr().info(plain.object, CL_SEMAPHORE_TYPE_KHR, 1, &value, nullptr) == CL_INVALID_VALUE);
  CHECK(cl_khr().info(nullptr, CL_SEMAPHORE_TYPE_KHR, sizeof value, &value, nullptr) == CL_INVALID_SEMAPHORE_KHR);
  CHECK(cl_khr().retain(nullptr) == CL_INVALID_SEMAPHORE_KHR);
  CHECK(cl_khr().release(nullptr) == CL_INVALID_SEMAPHORE_KHR);
}

TEST_CASE("the device and the platform report which semaphores they support", "[semaphores]") {
  using Types = std::vector<cl_uint>;
  CHECK(deviceList<cl_uint>(CL_DEVICE_SEMAPHORE_TYPES_KHR) == Types{CL_SEMAPHORE_TYPE_BINARY_KHR});
  CHECK(deviceList<cl_uint>(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR) == Types{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR});
  CHECK(deviceList<cl_uint>(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) == Types{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR});
  const auto told = [](cl_platform_info name) {
    cl_uint type = 0;
    size_t bytes = 0;
    check(clGetPlatformInfo(laneclPlatform(), name, sizeof type, &type, &bytes), "clGetPlatformInfo");
    CHECK(bytes == sizeof type);
    return type;
  };
  CHECK(told(CL_PLATFORM_SEMAPHORE_TYPES_KHR) == CL_SEMAPHORE_TYPE_BINARY_KHR);
  CHECK(told(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR) == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
  CHECK(told(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
}

TEST_CASE("properties of semaphores are checked", "[semaphores]") {
  const Session cl;
  const Context &context = cl.context;
  const auto device = reinterpret_cast<Property>(cl.device);
  cl_int code = 1;
  CHECK(cl_khr().create(context, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(cl_khr().create(nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(codeOf(context, {0}) == CL_INVALID_VALUE);
  CHECK(codeOf(context, {kExports, kDescriptor, 0, 0}) == CL_INVALID_VALUE);
  CHECK(codeOf(context, {kType, 2, 0}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(context, {kType, kBinary, kType, kBinary, 0}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(context, {kType, kBinary, 0x1234, 0, 0}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(context, {kType, kBinary, kDevices, 0, 0}) == CL_INVALID_DEVICE);
  CHECK(codeOf(context, {kType, kBinary, kDevices, device, device, 0, 0}) == CL_INVALID_DEVICE);
  CHECK(codeOf(context, {kType, kBinary, kDevices, 16, 0, 0}) == CL_INVALID_DEVICE);
  CHECK(codeOf(context, {kType, kBinary, kDevices, device, 0, kDevices, device, 0, 0}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(context, {kType, kBinary, kExports, kDescriptor, kDescriptor, 0, 0}) == CL_INVALID_VALUE);
  CHECK(codeOf(context, {kType, kBinary, kExports, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0, 0}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(context, {kType, kBinary, kExports, kDescriptor, 0, kExports, kDescriptor, 0, 0}) ==
        CL_INVALID_PROPERTY);
  const int handle = makeExportable(context).handle();
  CHECK(codeOf(context, {kType, kBinary, kDescriptor, Property(handle), kExports, kDescriptor, 0, 0}) ==
        CL_INVALID_OPERATION);
  CHECK(codeOf(context, {kType, kBinary, kDescriptor, Property(handle), kDescriptor, Property(handle), 0}) ==
        CL_INVALID_PROPERTY);
  CHECK(fcntl(handle, F_GETFD) >= 0); // no call has taken it
  close(handle);
  // Descriptors that are not valid handles.
  const int blocking = eventfd(0, EFD_SEMAPHORE), null = open("/dev/null", O_RDWR | O_NONBLOCK);
  for (const int wrong : {-1, handle, blocking, null})
    CHECK(codeOf(context, {kType, kBinary, kDescriptor, Property(wrong), 0}) == CL_INVALID_PROPERTY);
  close(blocking);
  close(null);
}

TEST_CASE("semaphore commands are checked", "[semaphores]") {
  const Session cl, other;
  const Semaphore semaphore = make(cl.context), foreign = make(other.context);
  for (auto *function : {cl_khr().wait, cl_khr().signal}) {
    const auto code = [&](cl_command_queue queue, cl_uint count, const cl_semaphore_khr *list, cl_uint events = 0,
                          const cl_event *event = nullptr) {
      return function(queue, count, list, nullptr, events, event, nullptr);
    };
    const cl_semaphore_khr two[] = {semaphore.object, nullptr};
    const cl_event none = nullptr;
    CHECK(code(nullptr, 1, two) == CL_INVALID_COMMAND_QUEUE);
    CHECK(code(cl.queue, 0, two) == CL_INVALID_VALUE);
    CHECK(code(cl.queue, 1, nullptr) == CL_INVALID_VALUE);
    CHECK(code(cl.queue, 2, two) == CL_INVALID_SEMAPHORE_KHR);
    CHECK(code(cl.queue, 1, &foreign.object) == CL_INVALID_CONTEXT);
    CHECK(code(cl.queue, 1, two, 1) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(code(cl.queue, 1, two, 1, &none) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(code(cl.queue, 1, two, 0, &none) == CL_INVALID_EVENT_WAIT_LIST);
    const Event failed(clCreateUserEvent(cl.context, nullptr));
    check(clSetUserEventStatus(failed, -5), "clSetUserEventStatus");
    const cl_event failed_event = failed;
    CHECK(code(cl.queue, 1, two, 1, &failed_event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(semaphore.payload() == 0);
  }
  Event waits = wait(cl.queue, semaphore), signals;
  const CommandQueue queue = makeQueue(cl.context);
  check(cl_khr().signal(queue, 1, &semaphore.object, nullptr, 0, nullptr, signals.out()), "signal");
  check(clWaitForEvents(1, waits.address()), "clWaitForEvents");
  const auto type = [](const Event &event) {
    cl_command_type value = 0;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof value, &value, nullptr), "clGetEventInfo");
    return value;
  };
  CHECK(type(waits) == CL_COMMAND_SEMAPHORE_WAIT_KHR);
  CHECK(type(signals) == CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
}

TEST_CASE("in a context with several devices a semaphore belongs to one device", "[semaphores]") {
  const Session whole;
  cl_uint units = 0;
  check(clGetDeviceInfo(whole.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
  if (units < 2)
    return;
  const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id devices[2] = {};
  check(clCreateSubDevices(whole.device, by, 2, devices, nullptr), "clCreateSubDevices");
  cl_int code = 1;
  {
    const Context context(clCreateContext(nullptr, 2, devices, nullptr, nullptr, &code));
    check(code, "clCreateContext");
    CHECK(codeOf(context, {kType, kBinary, 0}) == CL_INVALID_PROPERTY);
    const Semaphore semaphore = make(
        context, {kType, kBinary, kDevices, reinterpret_cast<Property>(devices[1]), 0, kExports, kDescriptor, 0, 0});
    const CommandQueue first = makeQueue(context, 0, devices[0]), second = makeQueue(context, 0, devices[1]);
    for (auto *function : {cl_khr().signal, cl_khr().wait}) {
      CHECK(function(first, 1, &semaphore.object, nullptr, 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
      CHECK(function(second, 1, &semaphore.object, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    }
    check(clFinish(second), "clFinish");
    int handle = -1;
    CHECK(cl_khr().handle(semaphore.object, devices[0], kDescriptor, sizeof handle, &handle, nullptr) ==
          CL_INVALID_DEVICE);
    CHECK(cl_khr().handle(semaphore.object, devices[1], kDescriptor, sizeof handle, &handle, nullptr) == CL_SUCCESS);
    close(handle);
  }
  for (cl_device_id device : devices)
    clReleaseDevice(device);
}

TEST_CASE("a semaphore made from a handle shares its state with the exporting semaphore", "[semaphores]") {
  const Session cl, other;
  const Semaphore semaphore = makeExportable(cl.context);
  const int given = semaphore.handle();
  const Semaphore same = import(cl.context, given), foreign = import(other.context, semaphore.handle());
  CHECK(semaphore.get<cl_bool>(kExportable) == CL_TRUE);
  CHECK(same.get<cl_bool>(kExportable) == CL_FALSE);
  signal(cl.queue, semaphore);
  check(clFinish(cl.queue), "clFinish");
  CHECK(same.payload() == 1);
  CHECK(foreign.payload() == 1);
  Event first = wait(other.queue, foreign);
  check(clWaitForEvents(1, first.address()), "clWaitForEvents");
  CHECK(semaphore.payload() == 0);
  Event second = wait(other.queue, foreign);
  sleep();
  signal(cl.queue, same);
  check(clWaitForEvents(1, second.address()), "clWaitForEvents");
  CHECK(same.payload() == 0);
}

TEST_CASE("exporting handles is checked", "[semaphores]") {
  const Session cl;
  const Semaphore semaphore = makeExportable(cl.context), plain = make(cl.context);
  const auto code = [&](cl_semaphore_khr object, cl_device_id device, cl_uint type, size_t bytes) {
    int handle = -1;
    const cl_int result = cl_khr().handle(object, device, type, bytes, &handle, nullptr);
    CHECK((handle >= 0) == (result == CL_SUCCESS));
    if (handle >= 0)
      close(handle);
    return result;
  };
  CHECK(code(semaphore.object, cl.device, kDescriptor, sizeof(int)) == CL_SUCCESS);
  CHECK(code(nullptr, cl.device, kDescriptor, sizeof(int)) == CL_INVALID_SEMAPHORE_KHR);
  CHECK(code(semaphore.object, nullptr, kDescriptor, sizeof(int)) == CL_INVALID_DEVICE);
  CHECK(code(semaphore.object, cl.device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof(int)) == CL_INVALID_VALUE);
  CHECK(code(plain.object, cl.device, kDescriptor, sizeof(int)) == CL_INVALID_VALUE);
  CHECK(code(semaphore.object, cl.device, kDescriptor, 1) == CL_INVALID_VALUE);
  size_t bytes = 0;
  CHECK(cl_khr().handle(semaphore.object, cl.device, kDescriptor, 0, nullptr, &bytes) == CL_SUCCESS);
  CHECK(bytes == sizeof(int));
}
