// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Callbacks of every kind of command, for every status, that end the process, end their thread, or throw.
//   lanecl_icd_callbacks exit|throw|end_thread
// `exit` starts a process for each kind and status, which is this program again: lanecl_icd_callbacks exit KIND STATUS
#include "support/session.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr int kGood = 7; // an exit code that no process has by chance
constexpr cl_int kStatuses[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};

void require(bool condition, const std::string &what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what.c_str());
  _exit(1);
}

// The objects that the commands work on.
class Commands {
public:
  Commands()
      : program(cl.build("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }")), a(cl.bytes(kBytes)),
        b(cl.bytes(kBytes)), svm(clSVMAlloc(cl.context, CL_MEM_READ_WRITE, kBytes, 0)) {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = 8;
    cl_int code = CL_SUCCESS;
    image = Memory(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &code));
    check(code, "clCreateImage");
  }
  Commands(const Commands &) = delete;
  Commands &operator=(const Commands &) = delete;
  ~Commands() { clSVMFree(cl.context, svm); }

  // Enqueues a command that waits for `gate`, so that callbacks can be set before it is submitted.
  void enqueue(const std::string &kind, const cl_event *gate, Event &event) {
    const size_t origin[3] = {}, region[3] = {8, 8, 1}, bytes[3] = {16, 4, 1}, items = 64;
    const cl_uint color[4] = {1, 2, 3, 4};
    const int value = 1;
    cl_command_queue queue = cl.queue;
    cl_event *out = event.out();
    cl_int code = CL_INVALID_VALUE;
    const cl_mem first = a;
    if (kind == "kernel") {
      const Kernel kernel = cl.kernel(program, "twice");
      cl.setArguments(kernel, a);
      code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 1, gate, out);
    } else if (kind == "native_kernel")
      code = clEnqueueNativeKernel(queue, [](void *) {}, nullptr, 0, 0, nullptr, nullptr, 1, gate, out);
    else if (kind == "read")
      code = clEnqueueReadBuffer(queue, a, CL_FALSE, 0, kBytes, host, 1, gate, out);
    else if (kind == "write")
      code = clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, kBytes, host, 1, gate, out);
    else if (kind == "copy")
      code = clEnqueueCopyBuffer(queue, a, b, 0, 0, kBytes, 1, gate, out);
    else if (kind == "copy_rect")
      code = clEnqueueCopyBufferRect(queue, a, b, origin, origin, bytes, 0, 0, 0, 0, 1, gate, out);
    else if (kind == "fill")
      code = clEnqueueFillBuffer(queue, a, &value, sizeof value, 0, kBytes, 1, gate, out);
    else if (kind == "map")
      clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ, 0, kBytes, 1, gate, out, &code);
    else if (kind == "read_image")
      code = clEnqueueReadImage(queue, image, CL_FALSE, origin, region, 0, 0, host, 1, gate, out);
    else if (kind == "fill_image")
      code = clEnqueueFillImage(queue, image, color, origin, region, 1, gate, out);
    else if (kind == "copy_image_to_buffer")
      code = clEnqueueCopyImageToBuffer(queue, image, a, origin, region, 0, 1, gate, out);
    else if (kind == "svm_copy")
      code = clEnqueueSVMMemcpy(queue, CL_FALSE, host, svm, kBytes, 1, gate, out);
    else if (kind == "svm_fill")
      code = clEnqueueSVMMemFill(queue, svm, &value, sizeof value, kBytes, 1, gate, out);
    else if (kind == "svm_map")
      code = clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, svm, kBytes, 1, gate, out);
    else if (kind == "migrate")
      code = clEnqueueMigrateMemObjects(queue, 1, &first, 0, 1, gate, out);
    else if (kind == "marker")
      code = clEnqueueMarkerWithWaitList(queue, 1, gate, out);
    else if (kind == "barrier")
      code = clEnqueueBarrierWithWaitList(queue, 1, gate, out);
    check(code, kind.c_str());
  }

  static constexpr size_t kBytes = 1024;
  Session cl;

private:
  Program program;
  Memory a, b, image;
  void *svm;
  char host[kBytes]{};
};

const char *const kKinds[] = {"kernel",
                              "native_kernel",
                              "read",
                              "write",
                              "copy",
                              "copy_rect",
                              "fill",
                              "map",
                              "read_image",
                              "fill_image",
                              "copy_image_to_buffer",
                              "svm_copy",
                              "svm_fill",
                              "svm_map",
                              "migrate",
                              "marker",
                              "barrier"};

using Callback = void(CL_CALLBACK *)(cl_event, cl_int, void *);

// Enqueues the command, sets the callback for those statuses, and lets the command start.
void begin(Commands &commands, const std::string &kind, std::initializer_list<cl_int> statuses, Callback callback,
           void *data) {
  const Event gate = userEvent(commands.cl.context);
  const cl_event waited = gate;
  Event event;
  commands.enqueue(kind, &waited, event);
  for (cl_int status : statuses)
    check(clSetEventCallback(event, status, callback, data), "clSetEventCallback");
  check(clFlush(commands.cl.queue), "clFlush");
  // A command opens the gate, because a thread of the program itself would call at once what is due.
  const CommandQueue other = makeQueue(commands.cl.context);
  cl_event opens = gate;
  check(clRetainEvent(opens), "clRetainEvent");
  const auto open = [](void *event) {
    clSetUserEventStatus(*static_cast<cl_event *>(event), CL_COMPLETE);
    clReleaseEvent(*static_cast<cl_event *>(event));
  };
  check(clEnqueueNativeKernel(other, open, &opens, sizeof opens, 0, nullptr, nullptr, 0, nullptr, nullptr),
        "clEnqueueNativeKernel");
  check(clFlush(other), "clFlush");
}

void exitIn(const std::string &kind, cl_int status) {
  auto *const commands = new Commands;
  begin(*commands, kind, {status}, [](cl_event, cl_int, void *) { std::exit(kGood); }, nullptr);
  pause();
}

void exitInEach(const char *program) {
  for (const char *kind : kKinds)
    for (cl_int status : kStatuses) {
      const std::string number = std::to_string(status);
      const pid_t child = fork();
      if (child == 0) {
        alarm(30);
        execl("/proc/self/exe", program, "exit", kind, number.c_str(), nullptr);
        _exit(1);
      }
      int how = 0;
      require(waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == kGood,
              std::string(kind) + ", status " + number + ": the process did not exit as it should");
    }
}

std::atomic<int> calls{0};

// Whatever the callbacks do, each of them is called, and the device goes on.
void callEach(Callback callback) {
  Commands commands;
  int expected = 0;
  for (const char *kind : kKinds) {
    begin(commands, kind, {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}, callback, nullptr);
    expected += int(std::size(kStatuses));
    for (int tries = 0; calls != expected && tries < 10'000; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    require(calls == expected, std::string(kind) + ": not every callback was called");
  }
  check(clFinish(commands.cl.queue), "clFinish");
}

} // namespace

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "exit" && argc == 4)
      exitIn(argv[2], std::atoi(argv[3]));
    else if (what == "exit")
      exitInEach(argv[0]);
    else if (what == "throw")
      callEach([](cl_event, cl_int, void *) {
        ++calls;
        throw std::runtime_error("of a callback");
      });
    else if (what == "end_thread")
      callEach([](cl_event, cl_int, void *) {
        ++calls;
        pthread_exit(nullptr);
      });
    else
      return 1;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
