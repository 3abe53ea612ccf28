// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Errors that many functions have in common: handles of another kind, objects of another context, invalid wait lists,
// query results that do not fit, and failed events.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <functional>

using namespace lanecl::test;

namespace {

// Returns a valid object of another kind.
template <class Handle> Handle wrong(const Session &cl) {
  if constexpr (std::is_same_v<Handle, cl_context>)
    return reinterpret_cast<cl_context>(cl.queue.get());
  else
    return reinterpret_cast<Handle>(cl.context.get());
}

struct Events {
  cl_uint count;
  const cl_event *list;
};
using Enqueue = std::function<cl_int(cl_command_queue, Events)>;

// Each enqueueing function, with valid arguments except for the queue and the wait list.
class Enqueues {
public:
  explicit Enqueues(const Session &session)
      : cl(session), source(cl.bytes(256)), target(cl.bytes(256)),
        kernel(cl.kernel(cl.build("kernel void k(global int *out) { out[get_global_id(0)] = 1; }"), "k")),
        svm(static_cast<char *>(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 512, 0))) {
    cl.setArguments(kernel, target);
  }
  ~Enqueues() { clSVMFree(cl.context, svm); }
  Enqueues(const Enqueues &) = delete;

  // The functions that block, or can block.
  std::vector<std::pair<std::string, Enqueue>> blocking() {
    return {
        {"read",
         [this](cl_command_queue q, Events e) {
           return clEnqueueReadBuffer(q, source, CL_TRUE, 0, 64, host, e.count, e.list, nullptr);
         }},
        {"write",
         [this](cl_command_queue q, Events e) {
           return clEnqueueWriteBuffer(q, source, CL_TRUE, 0, 64, host, e.count, e.list, nullptr);
         }},
        {"read rect",
         [this](cl_command_queue q, Events e) {
           return clEnqueueReadBufferRect(q, source, CL_TRUE, origin, origin, region, 0, 0, 0, 0, host, e.count, e.list,
                                          nullptr);
         }},
        {"write rect",
         [this](cl_command_queue q, Events e) {
           return clEnqueueWriteBufferRect(q, source, CL_TRUE, origin, origin, region, 0, 0, 0, 0, host, e.count,
                                           e.list, nullptr);
         }},
        {"map",
         [this](cl_command_queue q, Events e) {
           cl_int code = 1;
           clEnqueueMapBuffer(q, source, CL_TRUE, CL_MAP_READ, 0, 64, e.count, e.list, nullptr, &code);
           return code;
         }},
        {"svm copy",
         [this](cl_command_queue q, Events e) {
           return clEnqueueSVMMemcpy(q, CL_TRUE, svm, svm + 256, 256, e.count, e.list, nullptr);
         }},
        {"svm map",
         [this](cl_command_queue q, Events e) {
           return clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, svm, 64, e.count, e.list, nullptr);
         }},
    };
  }

  std::vector<std::pair<std::string, Enqueue>> all() {
    auto list = blocking();
    const auto add = [&](const char *name, Enqueue enqueue) { list.emplace_back(name, std::move(enqueue)); };
    add("copy", [this](cl_command_queue q, Events e) {
      return clEnqueueCopyBuffer(q, source, target, 0, 0, 64, e.count, e.list, nullptr);
    });
    add("copy rect", [this](cl_command_queue q, Events e) {
      return clEnqueueCopyBufferRect(q, source, target, origin, origin, region, 0, 0, 0, 0, e.count, e.list, nullptr);
    });
    add("fill", [this](cl_command_queue q, Events e) {
      return clEnqueueFillBuffer(q, source, host, 4, 0, 64, e.count, e.list, nullptr);
    });
    add("migrate", [this](cl_command_queue q, Events e) {
      return clEnqueueMigrateMemObjects(q, 1, source.address(), 0, e.count, e.list, nullptr);
    });
    add("launch", [this](cl_command_queue q, Events e) {
      return clEnqueueNDRangeKernel(q, kernel, 1, nullptr, region, nullptr, e.count, e.list, nullptr);
    });
    add("task", [this](cl_command_queue q, Events e) { return clEnqueueTask(q, kernel, e.count, e.list, nullptr); });
    add("native kernel", [](cl_command_queue q, Events e) {
      return clEnqueueNativeKernel(q, [](void *) {}, nullptr, 0, 0, nullptr, nullptr, e.count, e.list, nullptr);
    });
    add("marker",
        [](cl_command_queue q, Events e) { return clEnqueueMarkerWithWaitList(q, e.count, e.list, nullptr); });
    add("barrier",
        [](cl_command_queue q, Events e) { return clEnqueueBarrierWithWaitList(q, e.count, e.list, nullptr); });
    add("svm fill", [this](cl_command_queue q, Events e) {
      return clEnqueueSVMMemFill(q, svm, host, 4, 64, e.count, e.list, nullptr);
    });
    add("svm unmap",
        [this](cl_command_queue q, Events e) { return clEnqueueSVMUnmap(q, svm, e.count, e.list, nullptr); });
    add("svm migrate", [this](cl_command_queue q, Events e) {
      const void *pointers[] = {svm};
      return clEnqueueSVMMigrateMem(q, 1, pointers, nullptr, 0, e.count, e.list, nullptr);
    });
    add("svm free", [](cl_command_queue q, Events e) {
      return clEnqueueSVMFree(q, 0, nullptr, nullptr, nullptr, e.count, e.list, nullptr);
    });
    return list;
  }

  const Session &cl;
  Memory source, target;
  Kernel kernel;
  char *svm;
  char host[256] = {};
  const size_t origin[3] = {0, 0, 0}, region[3] = {8, 2, 2};
};

} // namespace

TEST_CASE("every command refuses an invalid queue and invalid wait lists", "[refusals]") {
  Session cl, other;
  Enqueues enqueues(cl);
  Event gate = userEvent(cl.context), foreign = userEvent(other.context);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  const cl_event none = nullptr, no_event = wrong<cl_event>(cl);
  for (const auto &[name, enqueue] : enqueues.all()) {
    CAPTURE(name);
    CHECK(enqueue(nullptr, {0, nullptr}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(enqueue(wrong<cl_command_queue>(cl), {0, nullptr}) == CL_INVALID_COMMAND_QUEUE);
    CHECK(enqueue(cl.queue, {1, nullptr}) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(enqueue(cl.queue, {0, gate.address()}) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(enqueue(cl.queue, {1, &none}) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(enqueue(cl.queue, {1, &no_event}) == CL_INVALID_EVENT_WAIT_LIST);
    CHECK(enqueue(cl.queue, {1, foreign.address()}) == CL_INVALID_CONTEXT);
    CHECK(enqueue(cl.queue, {1, gate.address()}) == CL_SUCCESS);
    CHECK(clFinish(cl.queue) == CL_SUCCESS);
  }
}

TEST_CASE("commands refuse objects of another context", "[refusals]") {
  Session cl, other;
  Enqueues enqueues(cl);
  for (const char *name :
       {"read", "write", "read rect", "write rect", "map", "copy", "copy rect", "fill", "migrate", "launch", "task"}) {
    CAPTURE(name);
    for (const auto &[candidate, enqueue] : enqueues.all())
      if (candidate == name)
        CHECK(enqueue(other.queue, {0, nullptr}) == CL_INVALID_CONTEXT);
  }
  Memory foreign = other.bytes(64), own = cl.bytes(64);
  CHECK(clEnqueueCopyBuffer(cl.queue, own, foreign, 0, 0, 64, 0, nullptr, nullptr) == CL_INVALID_CONTEXT);
  CHECK(clEnqueueCopyBuffer(cl.queue, foreign, own, 0, 0, 64, 0, nullptr, nullptr) == CL_INVALID_CONTEXT);
  CHECK(clEnqueueUnmapMemObject(cl.queue, foreign, nullptr, 0, nullptr, nullptr) == CL_INVALID_CONTEXT);
}

TEST_CASE("blocking functions report that an event of their wait list has failed", "[refusals]") {
  Session cl;
  Enqueues enqueues(cl);
  Event failed = userEvent(cl.context);
  REQUIRE(clSetUserEventStatus(failed, -1) == CL_SUCCESS);
  for (const auto &[name, enqueue] : enqueues.blocking()) {
    CAPTURE(name);
    CHECK(enqueue(cl.queue, {1, failed.address()}) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    clFinish(cl.queue); // the queue is as good as new
    CHECK(enqueue(cl.queue, {0, nullptr}) == CL_SUCCESS);
  }
}

TEST_CASE("objects are retained and released only as what they are", "[refusals]") {
  Session cl;
  CHECK(clRetainContext(wrong<cl_context>(cl)) == CL_INVALID_CONTEXT);
  CHECK(clReleaseContext(wrong<cl_context>(cl)) == CL_INVALID_CONTEXT);
  CHECK(clRetainCommandQueue(wrong<cl_command_queue>(cl)) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clReleaseCommandQueue(wrong<cl_command_queue>(cl)) == CL_INVALID_COMMAND_QUEUE);
  CHECK(clRetainMemObject(wrong<cl_mem>(cl)) == CL_INVALID_MEM_OBJECT);
  CHECK(clReleaseMemObject(wrong<cl_mem>(cl)) == CL_INVALID_MEM_OBJECT);
  CHECK(clRetainProgram(wrong<cl_program>(cl)) == CL_INVALID_PROGRAM);
  CHECK(clReleaseProgram(wrong<cl_program>(cl)) == CL_INVALID_PROGRAM);
  CHECK(clRetainKernel(wrong<cl_kernel>(cl)) == CL_INVALID_KERNEL);
  CHECK(clReleaseKernel(wrong<cl_kernel>(cl)) == CL_INVALID_KERNEL);
  CHECK(clRetainEvent(wrong<cl_event>(cl)) == CL_INVALID_EVENT);
  CHECK(clReleaseEvent(wrong<cl_event>(cl)) == CL_INVALID_EVENT);
}

TEST_CASE("queries refuse other objects and results that do not fit", "[refusals]") {
  Session cl(CL_QUEUE_PROFILING_ENABLE);
  Program program = cl.build("kernel void k(global int *out) {}");
  Kernel kernel = cl.kernel(program, "k");
  Memory memory = cl.bytes(64);
  Event event;
  REQUIRE(clEnqueueMarkerWithWaitList(cl.queue, 0, nullptr, event.out()) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, event.address()) == CL_SUCCESS);
  char byte;
  CHECK(clGetCommandQueueInfo(wrong<cl_command_queue>(cl), CL_QUEUE_CONTEXT, 0, nullptr, nullptr) ==
        CL_INVALID_COMMAND_QUEUE);
  CHECK(clGetCommandQueueInfo(cl.queue, CL_QUEUE_CONTEXT, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetMemObjectInfo(wrong<cl_mem>(cl), CL_MEM_SIZE, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clGetMemObjectInfo(memory, CL_MEM_SIZE, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetMemObjectInfo(memory, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramInfo(wrong<cl_program>(cl), CL_PROGRAM_CONTEXT, 0, nullptr, nullptr) == CL_INVALID_PROGRAM);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramBuildInfo(wrong<cl_program>(cl), cl.device, CL_PROGRAM_BUILD_STATUS, 0, nullptr, nullptr) ==
        CL_INVALID_PROGRAM);
  CHECK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelInfo(wrong<cl_kernel>(cl), CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr) == CL_INVALID_KERNEL);
  CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelArgInfo(wrong<cl_kernel>(cl), 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_KERNEL);
  CHECK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_ARG_INDEX);
  CHECK(clGetKernelArgInfo(kernel, 0, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelWorkGroupInfo(wrong<cl_kernel>(cl), cl.device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL);
  CHECK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelWorkGroupInfo(kernel, cl.device, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  const size_t row = 16;
  CHECK(clGetKernelSubGroupInfo(wrong<cl_kernel>(cl), cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr,
                                nullptr) == CL_INVALID_KERNEL);
  CHECK(clGetKernelSubGroupInfo(kernel, wrong<cl_device_id>(cl), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr,
                                nullptr) == CL_INVALID_DEVICE);
  CHECK(clGetKernelSubGroupInfo(kernel, cl.device, 0x1, 0, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 1, &byte, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof row, nullptr, 0,
                                nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3, &row, 0, nullptr,
                                nullptr) == CL_INVALID_VALUE);
  CHECK(clGetEventInfo(wrong<cl_event>(cl), CL_EVENT_CONTEXT, 0, nullptr, nullptr) == CL_INVALID_EVENT);
  CHECK(clGetEventInfo(event, CL_EVENT_CONTEXT, 1, &byte, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetEventProfilingInfo(wrong<cl_event>(cl), CL_PROFILING_COMMAND_END, 0, nullptr, nullptr) ==
        CL_INVALID_EVENT);
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &byte, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("objects are not created from invalid objects", "[refusals]") {
  Session cl, other;
  cl_int code = 1;
  const auto refused = [&code](auto *object, cl_int expected) { return object == nullptr && code == expected; };
  const cl_context no_context = wrong<cl_context>(cl);
  CHECK(refused(clCreateCommandQueueWithProperties(no_context, cl.device, nullptr, &code), CL_INVALID_CONTEXT));
  CHECK(refused(clCreateCommandQueueWithProperties(cl.context, wrong<cl_device_id>(cl), nullptr, &code),
                CL_INVALID_DEVICE));
  CHECK(refused(clCreateCommandQueue(no_context, cl.device, 0, &code), CL_INVALID_CONTEXT));
  CHECK(refused(clCreateBuffer(no_context, 0, 4, nullptr, &code), CL_INVALID_CONTEXT));
  CHECK(refused(clCreateBufferWithProperties(no_context, nullptr, 0, 4, nullptr, &code), CL_INVALID_CONTEXT));
  const cl_buffer_region region{0, 4};
  CHECK(refused(clCreateSubBuffer(wrong<cl_mem>(cl), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code),
                CL_INVALID_MEM_OBJECT));
  CHECK(refused(clCreateUserEvent(no_context, &code), CL_INVALID_CONTEXT));
  CHECK(refused(clCloneKernel(wrong<cl_kernel>(cl), &code), CL_INVALID_KERNEL));

  const char *text = "kernel void k() {}", *none = nullptr;
  CHECK(refused(clCreateProgramWithSource(no_context, 1, &text, nullptr, &code), CL_INVALID_CONTEXT));
  CHECK(refused(clCreateProgramWithSource(cl.context, 0, &text, nullptr, &code), CL_INVALID_VALUE));
  CHECK(refused(clCreateProgramWithSource(cl.context, 1, nullptr, nullptr, &code), CL_INVALID_VALUE));
  CHECK(refused(clCreateProgramWithSource(cl.context, 1, &none, nullptr, &code), CL_INVALID_VALUE));

  const auto *bytes = reinterpret_cast<const unsigned char *>(text);
  const size_t length = 4;
  const cl_device_id no_device = wrong<cl_device_id>(cl);
  CHECK(refused(clCreateProgramWithBinary(no_context, 1, &cl.device, &length, &bytes, nullptr, &code),
                CL_INVALID_CONTEXT));
  CHECK(refused(clCreateProgramWithBinary(cl.context, 1, nullptr, &length, &bytes, nullptr, &code), CL_INVALID_VALUE));
  CHECK(
      refused(clCreateProgramWithBinary(cl.context, 1, &cl.device, nullptr, &bytes, nullptr, &code), CL_INVALID_VALUE));
  CHECK(refused(clCreateProgramWithBinary(cl.context, 1, &cl.device, &length, nullptr, nullptr, &code),
                CL_INVALID_VALUE));
  CHECK(refused(clCreateProgramWithBinary(cl.context, 1, &no_device, &length, &bytes, nullptr, &code),
                CL_INVALID_DEVICE));
}

TEST_CASE("programs are not built with invalid objects or with those of another context", "[refusals]") {
  Session cl, other;
  Program program = cl.source("kernel void k() {}"), foreign = other.source("");
  const cl_program foreign_header[] = {foreign}, no_header[] = {nullptr}, header[] = {program};
  const char *name[] = {"x.h"}, *no_name[] = {nullptr};
  const cl_device_id no_device = wrong<cl_device_id>(cl);
  const auto compile = [&](cl_program what, cl_uint devices, const cl_device_id *device, cl_uint headers,
                           const cl_program *list, const char **names, void *user_data = nullptr) {
    return clCompileProgram(what, devices, device, "", headers, list, names, nullptr, user_data);
  };
  CHECK(compile(wrong<cl_program>(cl), 0, nullptr, 0, nullptr, nullptr) == CL_INVALID_PROGRAM);
  CHECK(compile(program, 1, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(compile(program, 0, &cl.device, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(compile(program, 1, &no_device, 0, nullptr, nullptr) == CL_INVALID_DEVICE);
  CHECK(compile(program, 0, nullptr, 0, nullptr, nullptr, &cl) == CL_INVALID_VALUE);
  CHECK(compile(program, 0, nullptr, 1, foreign_header, name) == CL_INVALID_CONTEXT);
  CHECK(compile(program, 0, nullptr, 1, no_header, name) == CL_INVALID_PROGRAM);
  CHECK(compile(program, 0, nullptr, 1, header, no_name) == CL_INVALID_VALUE);
  CHECK(clCompileProgram(program, 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr, nullptr) ==
        CL_INVALID_COMPILER_OPTIONS);

  REQUIRE(clCompileProgram(foreign, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(compile(program, 0, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  cl_int code = 1;
  const auto link = [&](cl_context context, cl_uint devices, const cl_device_id *device, cl_uint count,
                        const cl_program *list, void *user_data = nullptr) {
    Program result(clLinkProgram(context, devices, device, "", count, list, nullptr, user_data, &code));
    CHECK((result.get() != nullptr) == (code == CL_SUCCESS));
    return code;
  };
  CHECK(link(wrong<cl_context>(cl), 0, nullptr, 1, header) == CL_INVALID_CONTEXT);
  CHECK(link(cl.context, 1, nullptr, 1, header) == CL_INVALID_VALUE);
  CHECK(link(cl.context, 0, &cl.device, 1, header) == CL_INVALID_VALUE);
  CHECK(link(cl.context, 1, &no_device, 1, header) == CL_INVALID_DEVICE);
  CHECK(link(cl.context, 0, nullptr, 0, header) == CL_INVALID_VALUE);
  CHECK(link(cl.context, 0, nullptr, 1, nullptr) == CL_INVALID_VALUE);
  CHECK(link(cl.context, 0, nullptr, 1, header, &cl) == CL_INVALID_VALUE);
  CHECK(link(cl.context, 0, nullptr, 1, foreign_header) == CL_INVALID_CONTEXT);
  CHECK(link(cl.context, 0, nullptr, 1, header) == CL_SUCCESS);

  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(wrong<cl_program>(cl), 0, nullptr, &count) == CL_INVALID_PROGRAM);
  // The program is only compiled.
  CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_INVALID_PROGRAM_EXECUTABLE);
  Program built = cl.build("kernel void a() {} kernel void b() {}");
  cl_kernel kernels[2];
  CHECK(clCreateKernelsInProgram(built, 1, kernels, &count) == CL_INVALID_VALUE);
}

TEST_CASE("sub-buffers do not extend the host's access to a buffer", "[refusals]") {
  Session cl;
  const auto refusal = [&](cl_mem_flags of_buffer, cl_mem_flags flags) {
    Memory memory = cl.bytes(256, of_buffer);
    const cl_buffer_region region{0, 64};
    cl_int code = 1;
    Memory part(clCreateSubBuffer(memory, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    return code;
  };
  CHECK(refusal(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE) == CL_INVALID_VALUE);
  CHECK(refusal(CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY) == CL_INVALID_VALUE);
  CHECK(refusal(CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY) == CL_SUCCESS);
  CHECK(refusal(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY) == CL_INVALID_VALUE);
  CHECK(refusal(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY) == CL_INVALID_VALUE);
  CHECK(refusal(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY) == CL_INVALID_VALUE);
  CHECK(refusal(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS) == CL_SUCCESS);
  CHECK(refusal(0, CL_MEM_USE_HOST_PTR) == CL_INVALID_VALUE);
  CHECK(refusal(0, CL_MEM_COPY_HOST_PTR) == CL_INVALID_VALUE);
}

TEST_CASE("other errors of kernels and events", "[refusals]") {
  Session cl;
  Kernel kernel = cl.kernel(cl.build("kernel void k(global int *out) {}"), "k");
  int value = 0;
  CHECK(clSetKernelArg(wrong<cl_kernel>(cl), 0, sizeof value, &value) == CL_INVALID_KERNEL);
  CHECK(clSetKernelArgSVMPointer(wrong<cl_kernel>(cl), 0, &value) == CL_INVALID_KERNEL);
  CHECK(clSetKernelExecInfo(wrong<cl_kernel>(cl), CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_INVALID_KERNEL);
  CHECK(clEnqueueNDRangeKernel(cl.queue, wrong<cl_kernel>(cl), 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL);
  CHECK(clEnqueueTask(cl.queue, kernel, 0, nullptr, nullptr) == CL_INVALID_KERNEL_ARGS);
  CHECK(clSetUserEventStatus(wrong<cl_event>(cl), CL_COMPLETE) == CL_INVALID_EVENT);
  const cl_event no_event = wrong<cl_event>(cl);
  CHECK(clWaitForEvents(1, &no_event) == CL_INVALID_EVENT);
  CHECK(clSetEventCallback(no_event, CL_COMPLETE, [](cl_event, cl_int, void *) {}, nullptr) == CL_INVALID_EVENT);
  CHECK(clSetMemObjectDestructorCallback(wrong<cl_mem>(cl), [](cl_mem, void *) {}, nullptr) == CL_INVALID_MEM_OBJECT);
  Event gate = userEvent(cl.context), failed = userEvent(cl.context);
  REQUIRE(clSetUserEventStatus(failed, -7) == CL_SUCCESS);
  REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  const cl_event both[] = {gate, failed};
  CHECK(clWaitForEvents(2, both) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}
