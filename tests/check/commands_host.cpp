// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// check_commands_host CASE right|wrong: enqueues commands that access the same memory. They are ordered if the case
// runs `right`, and unordered if it runs `wrong`.
#include "support/command_buffers.hpp"
#include "support/exit_status.hpp"
#include "support/extension.hpp"
#include "support/session.hpp"

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr size_t kBytes = 1024;
constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

// The kernels write one integer for each of 16 work-items, or count in one place.
constexpr const char *kKernels = R"(
void put(global int *to, int value) { to[get_global_id(0)] = value; }
kernel void set(global int *to) { global int *p = to + 0; put(p, 1); }
kernel void add(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)] + 1; }
kernel void count(global int *to) { atomic_inc(to); }
kernel void paint(write_only image2d_t to) { write_imageui(to, (int2)(0, 0), (uint4)(1)); }
)";

// The queues, buffers and kernels of a case.
struct Bench {
  explicit Bench(bool is_right) : right(is_right), program(cl.build(kKernels, "-cl-std=CL3.0")) {}

  const bool right;
  Session cl;
  CommandQueue other = makeQueue(cl.context), free_order = makeQueue(cl.context, kOutOfOrder);
  Program program;
  Memory a = cl.bytes(kBytes), b = cl.bytes(kBytes), c = cl.bytes(kBytes);
  std::array<char, 4 * kBytes> host{};
  const Event none{};

  template <class... Args>
  Event launch(const CommandQueue &queue, const char *name, const Event &after, const Args &...arguments) {
    const Kernel kernel = cl.kernel(program, name);
    cl.setArguments(kernel, arguments...);
    return launch(queue, kernel, after);
  }
  Event launch(const CommandQueue &queue, const Kernel &kernel, const Event &after) {
    const size_t global = 16;
    Event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, after.get() ? 1 : 0,
                                 after.get() ? after.address() : nullptr, event.out()),
          "clEnqueueNDRangeKernel");
    return event;
  }
  Event read(const CommandQueue &queue, const Memory &memory, size_t at, const Event &after = {}) {
    Event event;
    check(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, kBytes, host.data() + at, after.get() ? 1 : 0,
                              after.get() ? after.address() : nullptr, event.out()),
          "clEnqueueReadBuffer");
    return event;
  }
  Memory part(size_t begin, size_t bytes) {
    const cl_buffer_region region{begin, bytes};
    cl_int code = CL_SUCCESS;
    Memory memory(clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    check(code, "clCreateSubBuffer");
    return memory;
  }
  void wait(const Event &event) { check(clWaitForEvents(1, event.address()), "clWaitForEvents"); }
  void finishAll() {
    for (const CommandQueue *queue : {&cl.queue, &other, &free_order})
      check(clFinish(*queue), "clFinish");
  }
};

// Two queues, ordered by an event.
void twoQueues(Bench &t) {
  const Event first = t.launch(t.cl.queue, "set", t.none, t.a);
  t.launch(t.other, "set", t.right ? first : t.none, t.a);
}

// The host waits for the first queue before it enqueues to the second one.
void finish(Bench &t) {
  t.launch(t.cl.queue, "set", t.none, t.a);
  if (t.right)
    check(clFinish(t.cl.queue), "clFinish");
  t.launch(t.other, "add", t.none, t.a, t.b);
}

// A command of another queue waits for the writer, and the host waits for that command.
void chain(Bench &t) {
  const Event first = t.launch(t.cl.queue, "set", t.none, t.a);
  const Event middle = t.launch(t.other, "set", t.right ? first : t.none, t.b);
  t.wait(middle);
  t.read(t.free_order, t.a, 0);
}

// The host asks for the writer's status until the writer is complete.
void poll(Bench &t) {
  const Event first = t.launch(t.cl.queue, "set", t.none, t.a);
  check(clFlush(t.cl.queue), "clFlush");
  for (cl_int status = CL_QUEUED; t.right && status != CL_COMPLETE;)
    check(clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  t.read(t.other, t.a, 0);
}

// A barrier orders the commands of an out-of-order queue.
void barrier(Bench &t) {
  t.launch(t.free_order, "set", t.none, t.a);
  if (t.right)
    check(clEnqueueBarrierWithWaitList(t.free_order, 0, nullptr, nullptr), "clEnqueueBarrierWithWaitList");
  t.read(t.free_order, t.a, 0);
}

// A marker's event orders the commands of an out-of-order queue.
void marker(Bench &t) {
  t.launch(t.free_order, "set", t.none, t.a);
  Event marked;
  check(clEnqueueMarkerWithWaitList(t.free_order, 0, nullptr, marked.out()), "clEnqueueMarkerWithWaitList");
  t.read(t.free_order, t.a, 0, t.right ? marked : t.none);
}

// A command buffer comes after the writer and before the reader. It runs on both of their queues, or on only one of
// them.
void commandBuffer(Bench &t) {
  Recorder recorder(makeCommandBuffer(t.right ? std::vector<cl_command_queue>{t.cl.queue, t.other}
                                              : std::vector<cl_command_queue>{t.other, t.free_order}));
  recorder.finalize();
  t.launch(t.cl.queue, "set", t.none, t.a);
  recorder.enqueue();
  t.read(t.other, t.a, 0);
}

// Both commands read one buffer. They write to different buffers or to the same one.
void readers(Bench &t) {
  t.launch(t.cl.queue, "add", t.none, t.a, t.b);
  t.launch(t.other, "add", t.none, t.a, t.right ? t.c : t.b);
}

// Two kernels update one integer atomically, or one of them writes it.
void atomics(Bench &t) {
  t.launch(t.cl.queue, "count", t.none, t.a);
  t.launch(t.other, t.right ? "count" : "set", t.none, t.a);
}

// Two sub-buffers are apart or overlap.
void subBuffers(Bench &t) {
  t.launch(t.cl.queue, "set", t.none, t.part(0, 512));
  t.launch(t.other, "set", t.none, t.right ? t.part(512, 512) : t.part(256, 512));
}

// Two reads go to memory of the host that is apart or overlaps.
void destination(Bench &t) {
  t.read(t.cl.queue, t.a, 0);
  t.read(t.other, t.b, t.right ? kBytes : kBytes / 2);
}

// Two columns of one picture in the host's memory, which overlap in the wrong case.
void rect(Bench &t) {
  const size_t zero[] = {0, 0, 0}, region[] = {16, 4, 1};
  for (int i = 0; i < 2; ++i) {
    const size_t to[] = {size_t(i) * (t.right ? 16 : 8), 0, 0};
    check(clEnqueueReadBufferRect(i == 0 ? t.cl.queue : t.other, t.a, CL_FALSE, zero, to, region, 16, 64, 32, 128,
                                  t.host.data(), 0, nullptr, nullptr),
          "clEnqueueReadBufferRect");
  }
}

Memory makeImage(Bench &t) {
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  cl_int code = CL_SUCCESS;
  Memory image(clCreateImage(t.cl.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
  check(code, "clCreateImage");
  return image;
}

// Two kernels write one image, ordered by an event.
void painted(Bench &t) {
  const Memory image = makeImage(t);
  const Event first = t.launch(t.cl.queue, "paint", t.none, image);
  t.launch(t.other, "paint", t.right ? first : t.none, image);
}

// Two fills write parts of an image that are apart or overlap.
void image(Bench &t) {
  const Memory image = makeImage(t);
  const size_t top[] = {0, 0, 0}, left[] = {0, 2, 0}, right[] = {4, 2, 0}, region[] = {4, 4, 1};
  const cl_uint color[4] = {};
  check(clEnqueueFillImage(t.cl.queue, image, color, top, region, 0, nullptr, nullptr), "clEnqueueFillImage");
  check(clEnqueueFillImage(t.other, image, color, t.right ? right : left, region, 0, nullptr, nullptr),
        "clEnqueueFillImage");
}

// A copy waits for the kernel that writes the SVM allocation.
void svm(Bench &t) {
  void *const memory = clSVMAlloc(t.cl.context, CL_MEM_READ_WRITE, kBytes, 0);
  const Kernel kernel = t.cl.kernel(t.program, "set");
  check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
  const Event first = t.launch(t.cl.queue, kernel, t.none);
  const cl_uint count = t.right ? 1 : 0;
  check(clEnqueueSVMMemcpy(t.other, CL_FALSE, t.host.data(), memory, kBytes, count, count ? first.address() : nullptr,
                           nullptr),
        "clEnqueueSVMMemcpy");
  t.finishAll();
  clSVMFree(t.cl.context, memory);
}

// Two kernels access different halves of an allocation, or both the first half. A copy reads a part of the first half
// meanwhile.
void svmParts(Bench &t) {
  std::byte *const memory = static_cast<std::byte *>(clSVMAlloc(t.cl.context, CL_MEM_READ_WRITE, kBytes, 0));
  const Kernel kernel = t.cl.kernel(t.program, "set");
  check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
  t.launch(t.cl.queue, kernel, t.none);
  check(clSetKernelArgSVMPointer(kernel, 0, memory + (t.right ? kBytes / 2 : 0)), "clSetKernelArgSVMPointer");
  t.launch(t.other, kernel, t.none);
  check(clEnqueueSVMMemcpy(t.free_order, CL_FALSE, t.host.data(), memory + kBytes / 4, kBytes / 4, 0, nullptr, nullptr),
        "clEnqueueSVMMemcpy");
  t.finishAll();
  clSVMFree(t.cl.context, memory);
}

// Commands name the memory by pointers only, without a memory object.
void svmCopies(Bench &t) {
  std::byte *const memory = static_cast<std::byte *>(clSVMAlloc(t.cl.context, CL_MEM_READ_WRITE, kBytes, 0));
  const int three = 3;
  check(clEnqueueSVMMemFill(t.cl.queue, memory, &three, sizeof three, kBytes / 2, 0, nullptr, nullptr),
        "clEnqueueSVMMemFill");
  check(clEnqueueSVMMemcpy(t.other, CL_FALSE, t.host.data(), memory + (t.right ? kBytes / 2 : 0), kBytes / 4, 0,
                           nullptr, nullptr),
        "clEnqueueSVMMemcpy");
  t.finishAll();
  clSVMFree(t.cl.context, memory);
}

// The allocation is freed by a command after the kernel, or by the host at once.
void svmFree(Bench &t) {
  void *const memory = clSVMAlloc(t.cl.context, CL_MEM_READ_WRITE, kBytes, 0);
  const Kernel kernel = t.cl.kernel(t.program, "set");
  check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
  t.launch(t.cl.queue, kernel, t.none);
  if (t.right)
    check(clEnqueueSVMFree(t.cl.queue, 1, const_cast<void **>(&memory), nullptr, nullptr, 0, nullptr, nullptr),
          "clEnqueueSVMFree");
  else
    clSVMFree(t.cl.context, memory);
}

// A buffer is kept alive by its commands, so a buffer that is created afterwards is another one.
void release(Bench &t) {
  for (int i = 0; i < 8; ++i) {
    const Memory memory = t.cl.bytes(kBytes);
    t.launch(i % 2 == 0 ? t.cl.queue : t.other, "set", t.none, t.right ? memory : t.a);
  }
}

// The host waits for one command before it allows the other one to start, or it does not wait.
void userEvent(Bench &t) {
  cl_int code = CL_SUCCESS;
  const Event gate(clCreateUserEvent(t.cl.context, &code));
  check(code, "clCreateUserEvent");
  t.launch(t.cl.queue, "set", gate, t.a);
  const Event before = t.launch(t.other, "set", t.none, t.a);
  if (t.right)
    t.wait(before);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
}

void *map(Bench &t, cl_map_flags flags) {
  cl_int code = CL_SUCCESS;
  void *const mapped = clEnqueueMapBuffer(t.cl.queue, t.a, CL_TRUE, flags, 0, kBytes, 0, nullptr, nullptr, &code);
  check(code, "clEnqueueMapBuffer");
  return mapped;
}

void unmap(Bench &t, void *mapped) {
  check(clEnqueueUnmapMemObject(t.cl.queue, t.a, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
}

// A kernel uses a buffer after it has been unmapped, or while it is mapped.
void mapped(Bench &t) {
  void *const memory = map(t, CL_MAP_WRITE);
  if (t.right)
    unmap(t, memory);
  t.launch(t.cl.queue, "add", t.none, t.a, t.b);
  if (!t.right)
    unmap(t, memory);
}

// A kernel may read memory that is mapped for reading but may not write to it.
void mappedForReading(Bench &t) {
  void *const memory = map(t, CL_MAP_READ);
  if (t.right)
    t.launch(t.cl.queue, "add", t.none, t.a, t.b);
  else
    t.launch(t.cl.queue, "set", t.none, t.a);
  unmap(t, memory);
}

// The host's side of a transfer may be the mapped memory of another object.
void mappedPointer(Bench &t) {
  void *const memory = map(t, t.right ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ);
  const size_t origin[] = {0, 0, 0}, box[] = {kBytes / 2, 2, 1};
  check(clEnqueueWriteBuffer(t.cl.queue, t.b, CL_FALSE, 0, kBytes, memory, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  check(
      clEnqueueWriteBufferRect(t.cl.queue, t.b, CL_FALSE, origin, origin, box, 0, 0, 0, 0, memory, 0, nullptr, nullptr),
      "clEnqueueWriteBufferRect");
  check(clEnqueueReadBuffer(t.cl.queue, t.b, CL_TRUE, 0, kBytes, memory, 0, nullptr, nullptr), "clEnqueueReadBuffer");
  unmap(t, memory);
}

// A memory object may not be used while it is mapped, whether through the mapped pointer or not.
void mappedObject(Bench &t) {
  void *const memory = map(t, CL_MAP_WRITE);
  check(clEnqueueWriteBuffer(t.cl.queue, t.right ? t.b : t.a, CL_TRUE, 0, kBytes / 2,
                             static_cast<char *>(memory) + kBytes / 2, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  unmap(t, memory);
}

// A mapping ends when its memory object is released.
void mappedAndReleased(Bench &t) {
  cl_int code = CL_SUCCESS;
  const auto make = [&] {
    Memory memory(clCreateBuffer(t.cl.context, CL_MEM_USE_HOST_PTR, kBytes, t.host.data(), &code));
    check(code, "clCreateBuffer");
    return memory;
  };
  Memory first = make();
  clEnqueueMapBuffer(t.cl.queue, first, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, nullptr, nullptr, &code);
  check(code, "clEnqueueMapBuffer");
  if (t.right)
    first = Memory();
  const Memory second = make();
  t.launch(t.cl.queue, "set", t.none, second);
  t.finishAll();
}

// In the wrong case the mapping is on another queue than the kernel and does not wait for it.
void mappedWhileUsed(Bench &t) {
  t.launch(t.right ? t.cl.queue : t.other, "set", t.none, t.a);
  unmap(t, map(t, CL_MAP_READ));
}

// The second unmap of one mapping is refused.
void unmapTwice(Bench &t) {
  void *const memory = map(t, CL_MAP_READ);
  unmap(t, memory);
  if (!t.right && clEnqueueUnmapMemObject(t.cl.queue, t.a, memory, 0, nullptr, nullptr) != CL_INVALID_VALUE)
    throw std::runtime_error("a pointer that is not mapped was unmapped");
}

// A semaphore with the functions of its extension.
class Semaphore {
public:
  // Makes a semaphore or, with the handle of another one, a second semaphore that shares its signals.
  explicit Semaphore(const Session &cl, int handle = -1) {
    const auto create = extensionFunction<clCreateSemaphoreWithPropertiesKHR_fn>("clCreateSemaphoreWithPropertiesKHR");
    std::vector<cl_semaphore_properties_khr> properties = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
    if (handle < 0)
      properties.insert(properties.end(), {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                           CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR});
    else
      properties.insert(properties.end(), {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, cl_semaphore_properties_khr(handle)});
    properties.push_back(0);
    cl_int code = CL_SUCCESS;
    object = create(cl.context, properties.data(), &code);
    check(code, "clCreateSemaphoreWithPropertiesKHR");
  }
  Semaphore(const Semaphore &) = delete;
  Semaphore &operator=(const Semaphore &) = delete;
  ~Semaphore() { extensionFunction<clReleaseSemaphoreKHR_fn>("clReleaseSemaphoreKHR")(object); }

  void signal(const CommandQueue &queue) const {
    const auto signal = extensionFunction<clEnqueueSignalSemaphoresKHR_fn>("clEnqueueSignalSemaphoresKHR");
    check(signal(queue, 1, &object, nullptr, 0, nullptr, nullptr), "clEnqueueSignalSemaphoresKHR");
  }
  void wait(const CommandQueue &queue) const {
    const auto wait = extensionFunction<clEnqueueWaitSemaphoresKHR_fn>("clEnqueueWaitSemaphoresKHR");
    check(wait(queue, 1, &object, nullptr, 0, nullptr, nullptr), "clEnqueueWaitSemaphoresKHR");
  }
  bool isSignaled() const {
    const auto ask = extensionFunction<clGetSemaphoreInfoKHR_fn>("clGetSemaphoreInfoKHR");
    cl_semaphore_payload_khr payload = 0;
    check(ask(object, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, nullptr), "clGetSemaphoreInfoKHR");
    return payload != 0;
  }

  // Returns a handle, which belongs to the caller.
  int handle(const Session &cl) const {
    const auto get = extensionFunction<clGetSemaphoreHandleForTypeKHR_fn>("clGetSemaphoreHandleForTypeKHR");
    int descriptor = -1;
    check(get(object, cl.device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof descriptor, &descriptor, nullptr),
          "clGetSemaphoreHandleForTypeKHR");
    return descriptor;
  }

private:
  cl_semaphore_khr object = nullptr;
};

// A thread enqueues the waiting for a semaphore as soon as it is signaled, while this thread may still be in the call
// that enqueues the signaling. In the wrong case the second kernel does not come after the waiting.
void semaphore(Bench &t) {
  const int rounds = t.right ? 50 : 1;
  for (int i = 0; i < rounds; ++i) {
    const Semaphore semaphore(t.cl);
    std::thread waiting([&] {
      while (!semaphore.isSignaled())
        std::this_thread::yield();
      semaphore.wait(t.right ? t.other : t.free_order);
    });
    t.launch(t.cl.queue, "set", t.none, t.a);
    semaphore.signal(t.cl.queue);
    waiting.join();
    t.launch(t.other, "set", t.none, t.a);
    t.finishAll();
  }
}

// The waiting for a semaphore is enqueued before the signaling. In the wrong case the semaphore is signaled before the
// kernel that the other one has to come after.
void semaphoreAwaited(Bench &t) {
  const Semaphore semaphore(t.cl);
  for (int i = 0; i < 2; ++i) {
    semaphore.wait(t.other);
    t.launch(t.other, "add", t.none, t.a, t.b);
    if (!t.right)
      semaphore.signal(t.cl.queue);
    t.launch(t.cl.queue, "set", t.none, t.a);
    if (t.right)
      semaphore.signal(t.cl.queue);
    t.finishAll();
  }
}

// As above, but the semaphore that is signaled was made from the handle of the one that is waited for.
void semaphoreImported(Bench &t) {
  const Semaphore semaphore(t.cl), imported(t.cl, semaphore.handle(t.cl));
  semaphore.wait(t.other);
  t.launch(t.other, "add", t.none, t.a, t.b);
  if (!t.right)
    imported.signal(t.cl.queue);
  t.launch(t.cl.queue, "set", t.none, t.a);
  if (t.right)
    imported.signal(t.cl.queue);
  t.finishAll();
}

// The first waiting for a semaphore gets a signal that no command gives, as another process might. The second one gets
// that of the command, which in the wrong case comes before the kernel that the other one has to come after.
void semaphoreSignaledOutside(Bench &t) {
  const Semaphore semaphore(t.cl);
  const int handle = semaphore.handle(t.cl);
  semaphore.wait(t.other);
  const uint64_t one = 1;
  if (write(handle, &one, sizeof one) != sizeof one || close(handle) != 0)
    throw std::runtime_error("the handle of a semaphore cannot be written");
  t.finishAll();
  if (!t.right)
    semaphore.signal(t.cl.queue);
  t.launch(t.cl.queue, "set", t.none, t.a);
  if (t.right)
    semaphore.signal(t.cl.queue);
  semaphore.wait(t.other);
  t.launch(t.other, "add", t.none, t.a, t.b);
  t.finishAll();
}

// The cases by the names that the command line and commands_test.py use.
const std::map<std::string, std::function<void(Bench &)>> kCases = {
    {"two_queues", twoQueues},
    {"finish", finish},
    {"chain", chain},
    {"poll", poll},
    {"barrier", barrier},
    {"marker", marker},
    {"command_buffer", commandBuffer},
    {"readers", readers},
    {"atomics", atomics},
    {"sub_buffers", subBuffers},
    {"destination", destination},
    {"rect", rect},
    {"image", image},
    {"painted", painted},
    {"svm", svm},
    {"svm_parts", svmParts},
    {"svm_copies", svmCopies},
    {"svm_free", svmFree},
    {"release", release},
    {"user_event", userEvent},
    {"mapped", mapped},
    {"mapped_for_reading", mappedForReading},
    {"mapped_pointer", mappedPointer},
    {"mapped_object", mappedObject},
    {"mapped_and_released", mappedAndReleased},
    {"mapped_while_used", mappedWhileUsed},
    {"unmap_twice", unmapTwice},
    {"semaphore", semaphore},
    {"semaphore_awaited", semaphoreAwaited},
    {"semaphore_imported", semaphoreImported},
    {"semaphore_signaled_outside", semaphoreSignaledOutside},
};

} // namespace

int main(int, char **arguments) {
  return lanecl::test::exitStatusOf([&] {
    Bench bench(std::string(arguments[2]) == "right");
    kCases.at(arguments[1])(bench);
    bench.finishAll();
  });
}
