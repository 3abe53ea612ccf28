// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_external_memory and cl_khr_external_memory_opaque_fd: buffers and images in memory that file descriptors name.
#include "support/extension.hpp"
#include "support/images.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace lanecl::test;

namespace {

// The distribution's headers are older than the extension.
constexpr cl_mem_properties kDescriptor = 0x2060, kDevices = 0x2051, kDevicesEnd = 0, kAddress = 0x5000;
constexpr cl_device_info kLinearTypes = 0x2052;
constexpr cl_mem_flags kImmutable = 1 << 6;

using Properties = std::vector<cl_mem_properties>; // without the 0 at the end

struct Functions {
  clEnqueueAcquireExternalMemObjectsKHR_fn acquire =
      extensionFunction<clEnqueueAcquireExternalMemObjectsKHR_fn>("clEnqueueAcquireExternalMemObjectsKHR");
  clEnqueueReleaseExternalMemObjectsKHR_fn release =
      extensionFunction<clEnqueueReleaseExternalMemObjectsKHR_fn>("clEnqueueReleaseExternalMemObjectsKHR");
};

// Shared memory that the test itself has mapped.
class Shared {
public:
  explicit Shared(size_t size) : bytes(size), descriptor(memfd_create("shared", MFD_CLOEXEC)) {
    REQUIRE(ftruncate(descriptor, off_t(bytes)) == 0);
    void *const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    REQUIRE(mapped != MAP_FAILED);
    data = static_cast<int *>(mapped);
  }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  ~Shared() {
    munmap(data, bytes);
    close(descriptor);
  }

  // Returns a descriptor to give away.
  int handle() const { return dup(descriptor); }

  const size_t bytes;
  const int descriptor;
  int *data = nullptr;
};

bool isOpen(int descriptor) {
  return fcntl(descriptor, F_GETFD) >= 0;
}

Memory createBuffer(const Session &cl, Properties properties, size_t bytes, cl_int &code, cl_mem_flags flags = 0,
                    void *host = nullptr) {
  properties.push_back(0);
  code = 1;
  return Memory(clCreateBufferWithProperties(cl.context, properties.data(), flags, bytes, host, &code));
}

cl_int codeOf(const Session &cl, const Properties &properties, size_t bytes = 64, cl_mem_flags flags = 0,
              void *host = nullptr) {
  cl_int code = 1;
  const Memory memory = createBuffer(cl, properties, bytes, code, flags, host);
  CHECK((memory.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

Memory import(const Session &cl, const Shared &shared, cl_mem_flags flags = 0) {
  cl_int code = 1;
  Memory memory = createBuffer(cl, {kDescriptor, cl_mem_properties(shared.handle())}, shared.bytes, code, flags);
  check(code, "clCreateBufferWithProperties");
  return memory;
}

cl_mem_properties handleOf(cl_device_id device) {
  return reinterpret_cast<cl_mem_properties>(device);
}

std::vector<cl_device_id> halves(cl_device_id device) {
  cl_uint units = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
  if (units < 2)
    return {};
  const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  std::vector<cl_device_id> parts(2);
  check(clCreateSubDevices(device, by, 2, parts.data(), nullptr), "clCreateSubDevices");
  return parts;
}

} // namespace

TEST_CASE("the device and the platform report what external memory they import", "[external_memory]") {
  using Types = std::vector<cl_external_memory_handle_type_khr>;
  CHECK(deviceList<cl_external_memory_handle_type_khr>(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR) ==
        Types{0x2060});
  CHECK(deviceList<cl_external_memory_handle_type_khr>(kLinearTypes) == Types{0x2060});
  cl_external_memory_handle_type_khr type = 0;
  size_t size = 0;
  check(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, sizeof type, &type,
                          &size),
        "clGetPlatformInfo");
  CHECK(size == sizeof type);
  CHECK(type == 0x2060);
}

TEST_CASE("a buffer in external memory uses that memory", "[external_memory]") {
  const Session cl;
  const Functions functions;
  const Shared shared(1000 * sizeof(int));
  for (int i = 0; i < 1000; ++i)
    shared.data[i] = i;
  Memory memory = import(cl, shared);
  const Kernel twice = cl.kernel(cl.build("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }"), "twice");
  Event acquired, released;
  CHECK(functions.acquire(cl.queue, 1, memory.address(), 0, nullptr, acquired.out()) == CL_SUCCESS);
  cl.setArguments(twice, memory);
  const size_t global = 1000;
  check(clEnqueueNDRangeKernel(cl.queue, twice, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), "launch");
  CHECK(functions.release(cl.queue, 1, memory.address(), 1, acquired.address(), released.out()) == CL_SUCCESS);
  check(clWaitForEvents(1, released.address()), "clWaitForEvents");
  for (int i = 0; i < 1000; ++i)
    REQUIRE(shared.data[i] == 2 * i);
  shared.data[5] = 77;
  CHECK(cl.read<int>(memory)[5] == 77);
  cl_command_type type = 0;
  check(clGetEventInfo(acquired, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "clGetEventInfo");
  CHECK(type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
  check(clGetEventInfo(released, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "clGetEventInfo");
  CHECK(type == CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
}

TEST_CASE("several objects, also sub-buffers and maps, share external memory", "[external_memory]") {
  const Session cl;
  const Shared shared(8192);
  const Memory one = import(cl, shared), two = import(cl, shared);
  cl.write(one, std::vector<int>(2048, 3));
  CHECK(cl.read<int>(two) == std::vector<int>(2048, 3));
  const cl_buffer_region region{4096, 4096};
  cl_int code = 1;
  Memory part(clCreateSubBuffer(two, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, "clCreateSubBuffer");
  cl.write(part, std::vector<int>(1024, 4));
  CHECK(shared.data[1023] == 3);
  CHECK(shared.data[1024] == 4);
  auto *mapped =
      static_cast<int *>(clEnqueueMapBuffer(cl.queue, one, CL_TRUE, CL_MAP_READ, 4096, 64, 0, nullptr, nullptr, &code));
  check(code, "clEnqueueMapBuffer");
  CHECK(mapped[0] == 4);
  check(clEnqueueUnmapMemObject(cl.queue, one, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  check(clFinish(cl.queue), "clFinish");
  // The sub-buffer was not made from a handle.
  CHECK(Functions().acquire(cl.queue, 1, part.address(), 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("the memory object takes the descriptor, and the memory lives on", "[external_memory]") {
  const Session cl;
  cl_int code = 1;
  int *data = nullptr;
  Memory memory;
  {
    const Shared shared(4096);
    const int handle = shared.handle();
    memory = createBuffer(cl, {kDescriptor, cl_mem_properties(handle)}, 4096, code);
    CHECK(code == CL_SUCCESS);
    CHECK_FALSE(isOpen(handle));
    shared.data[0] = 5;
    data = shared.data;
    const int refused = shared.handle();
    CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(refused)}, 4097) == CL_INVALID_BUFFER_SIZE);
    CHECK(isOpen(refused));
    close(refused);
  }
  CHECK(data != nullptr);
  CHECK(cl.read<int>(memory)[0] == 5);
}

TEST_CASE("memory objects return the properties that they were made with", "[external_memory]") {
  const Session cl;
  const Shared shared(4096);
  const Properties given{
      kDevices, handleOf(cl.device), kDevicesEnd, kDescriptor, cl_mem_properties(shared.handle()), kAddress, CL_TRUE};
  cl_int code = 1;
  const Memory memory = createBuffer(cl, given, 4096, code);
  check(code, "clCreateBufferWithProperties");
  std::vector<cl_mem_properties> told(given.size() + 1, 1);
  size_t bytes = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_PROPERTIES, told.size() * sizeof told[0], told.data(), &bytes),
        "clGetMemObjectInfo");
  CHECK(bytes == told.size() * sizeof told[0]);
  Properties expected = given;
  expected.push_back(0);
  CHECK(told == expected);
}

TEST_CASE("properties of external memory are checked", "[external_memory]") {
  const Session cl;
  const Shared shared(4096);
  const cl_mem_properties handle = cl_mem_properties(shared.descriptor), device = handleOf(cl.device);
  // No descriptor, a closed one, one that is not memory, and one that must not be written.
  CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(-1)}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(1) << 40 | handle}) == CL_INVALID_PROPERTY);
  const int closed = dup(shared.descriptor);
  close(closed);
  CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(closed)}) == CL_INVALID_PROPERTY);
  const int event = eventfd(0, 0);
  CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(event)}) == CL_INVALID_PROPERTY);
  close(event);
  const int readable = open(("/proc/self/fd/" + std::to_string(shared.descriptor)).c_str(), O_RDONLY);
  REQUIRE(readable >= 0);
  CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(readable)}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(cl, {kDescriptor, cl_mem_properties(readable)}, 64, kImmutable) == CL_SUCCESS);
  // The same property twice, and lists of devices.
  CHECK(codeOf(cl, {kDescriptor, handle, kDescriptor, handle}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(cl, {kDevices, device, kDevicesEnd}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(cl, {kDescriptor, handle, kDevices, kDevicesEnd}) == CL_INVALID_PROPERTY);
  CHECK(codeOf(cl, {kDescriptor, handle, kDevices, device, kDevicesEnd, kDevices, device, kDevicesEnd}) ==
        CL_INVALID_PROPERTY);
  CHECK(codeOf(cl, {kDescriptor, handle, kDevices, handleOf(nullptr) + 16, kDevicesEnd}) == CL_INVALID_DEVICE);
  CHECK(codeOf(cl, {kDescriptor, handle, 0x2061, 0}) == CL_INVALID_PROPERTY); // a handle of Windows
  for (cl_device_id other : halves(cl.device)) {
    CHECK(codeOf(cl, {kDescriptor, handle, kDevices, handleOf(other), kDevicesEnd}) == CL_INVALID_DEVICE);
    clReleaseDevice(other);
  }
  // Flags, pointers and sizes.
  int value[16] = {};
  for (cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    CHECK(codeOf(cl, {kDescriptor, handle}, 64, flag, value) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, {kDescriptor, handle}, 64, CL_MEM_ALLOC_HOST_PTR) == CL_INVALID_VALUE);
  CHECK(codeOf(cl, {kDescriptor, handle}, 64, 0, value) == CL_INVALID_HOST_PTR);
  CHECK(codeOf(cl, {kDescriptor, handle}, 0) == CL_INVALID_BUFFER_SIZE);
  CHECK(codeOf(cl, {kDescriptor, handle}, SIZE_MAX) == CL_INVALID_BUFFER_SIZE);
  CHECK(isOpen(shared.descriptor)); // none of the calls took the descriptor
}

TEST_CASE("acquiring and releasing is checked", "[external_memory]") {
  const Session cl;
  const Functions functions;
  const Shared shared(4096);
  Memory memory = import(cl, shared), plain = cl.bytes(64);
  for (auto *function : {functions.acquire, functions.release}) {
    CHECK(function(cl.queue, 0, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(function(cl.queue, 1, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(function(cl.queue, 0, memory.address(), 0, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(function(nullptr, 1, memory.address(), 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
    CHECK(function(cl.queue, 1, plain.address(), 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
    const cl_mem none = nullptr;
    CHECK(function(cl.queue, 1, &none, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
    CHECK(function(cl.queue, 1, memory.address(), 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    const cl_event no_event = nullptr;
    CHECK(function(cl.queue, 1, memory.address(), 1, &no_event, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(function(cl.queue, 1, memory.address(), 0, &no_event, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
    const Event failed(clCreateUserEvent(cl.context, nullptr));
    check(clSetUserEventStatus(failed, -5), "clSetUserEventStatus");
    const cl_event event = failed;
    CHECK(function(cl.queue, 1, memory.address(), 1, &event, nullptr) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  check(clFinish(cl.queue), "clFinish");
}

TEST_CASE("memory for one device is acquired only on its queues", "[external_memory]") {
  const std::vector<cl_device_id> devices = halves(laneclDevice());
  if (devices.empty())
    return;
  const Functions functions;
  const Shared shared(4096);
  cl_int code = 1;
  const Context context(clCreateContext(nullptr, 2, devices.data(), nullptr, nullptr, &code));
  check(code, "clCreateContext");
  const Properties properties{
      kDescriptor, cl_mem_properties(shared.handle()), kDevices, handleOf(devices[1]), kDevicesEnd, 0};
  Memory memory(clCreateBufferWithProperties(context, properties.data(), 0, 4096, nullptr, &code));
  check(code, "clCreateBufferWithProperties");
  const CommandQueue first = makeQueue(context, 0, devices[0]), second = makeQueue(context, 0, devices[1]);
  CHECK(functions.acquire(first, 1, memory.address(), 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(functions.acquire(second, 1, memory.address(), 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(functions.release(first, 1, memory.address(), 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
  CHECK(functions.release(second, 1, memory.address(), 0, nullptr, nullptr) == CL_SUCCESS);
  check(clFinish(second), "clFinish");
  // A context without the queue's device.
  const Session whole;
  CHECK(functions.acquire(whole.queue, 1, memory.address(), 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
  for (cl_device_id device : devices)
    clReleaseDevice(device);
}

TEST_CASE("images are in external memory row by row", "[external_memory]") {
  const Session cl;
  const Functions functions;
  const size_t width = 10, height = 6, pitch = 64;
  const Shared shared(pitch * height);
  cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  description.image_row_pitch = pitch;
  const auto create = [&](const Properties &properties, const cl_image_desc &what, cl_int &code,
                          cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
    code = 1;
    return Memory(clCreateImageWithProperties(cl.context, properties.data(), flags, &format, &what, host, &code));
  };
  cl_int code = 1;
  Memory image = create({kDescriptor, cl_mem_properties(shared.handle()), 0}, description, code);
  check(code, "clCreateImageWithProperties");
  CHECK(functions.acquire(cl.queue, 1, image.address(), 0, nullptr, nullptr) == CL_SUCCESS);
  cl.run(cl.kernel(cl.build("kernel void k(write_only image2d_t i) { int2 at = (int2)(get_global_id(0), "
                            "get_global_id(1)); write_imagei(i, at, (int4)(at.x + 100 * at.y)); }"),
                   "k"),
         {width, height}, {}, image);
  CHECK(functions.release(cl.queue, 1, image.address(), 0, nullptr, nullptr) == CL_SUCCESS);
  check(clFinish(cl.queue), "clFinish");
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      CHECK(shared.data[y * pitch / sizeof(int) + x] == int(x + 100 * y));
  // Memory that is too small, flags, pointers, and properties of buffers.
  const cl_mem_properties handle = cl_mem_properties(shared.descriptor);
  cl_image_desc higher = description;
  higher.image_height = height + 1;
  CHECK_FALSE(create({kDescriptor, handle, 0}, higher, code));
  CHECK(code == CL_INVALID_IMAGE_SIZE);
  CHECK_FALSE(create({kDescriptor, handle, 0}, description, code, CL_MEM_ALLOC_HOST_PTR));
  CHECK(code == CL_INVALID_VALUE);
  CHECK_FALSE(create({kDescriptor, handle, 0}, description, code, CL_MEM_READ_WRITE, shared.data));
  CHECK(code == CL_INVALID_HOST_PTR);
  CHECK_FALSE(create({kDescriptor, cl_mem_properties(-1), 0}, description, code));
  CHECK(code == CL_INVALID_PROPERTY);
  CHECK_FALSE(create({kAddress, CL_TRUE, 0}, description, code));
  CHECK(code == CL_INVALID_PROPERTY);
  CHECK_FALSE(create({kDevices, handleOf(cl.device), kDevicesEnd, 0}, description, code));
  CHECK(code == CL_INVALID_PROPERTY);
  Memory buffer = cl.bytes(pitch * height);
  cl_image_desc derived = description;
  derived.mem_object = buffer;
  CHECK_FALSE(create({kDescriptor, handle, 0}, derived, code));
  CHECK(code == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(isOpen(shared.descriptor));
}
