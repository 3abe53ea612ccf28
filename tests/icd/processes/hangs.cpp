// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that wait in vain: the messages about them, and that they go on when the program writes what they wait for.
#include "support/session.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <unistd.h>

using namespace lanecl::test;

namespace {

std::mutex mutex;
std::string said;

void CL_CALLBACK hear(const char *text, const void *, size_t, void *) {
  const std::lock_guard lock(mutex);
  said += text;
}

void require(bool condition, const std::string &what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what.c_str());
  _exit(1);
}

// Waits until the callback has reported a text that contains `part`.
void mustHear(const std::string &part) {
  for (int i = 0; i < 600; ++i) {
    {
      const std::lock_guard lock(mutex);
      if (said.find(part) != std::string::npos)
        return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  require(false, "no '" + part + "' in: " + said);
}

struct Program {
  explicit Program(const char *text) : device(laneclDevice()) {
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, hear, nullptr, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    check(code, "clCreateCommandQueueWithProperties");
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
    kernel = clCreateKernel(program, "k", &code);
    check(code, "clCreateKernel");
    flag = static_cast<std::atomic<int> *>(
        clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(int), 0));
    *flag = 0;
    check(clSetKernelArgSVMPointer(kernel, 0, flag), "clSetKernelArgSVMPointer");
  }
  void launch(size_t global, size_t local) {
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch");
    check(clFlush(queue), "clFlush");
  }

  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_kernel kernel;
  std::atomic<int> *flag;
};

void written_by_the_host() {
  Program program("kernel void k(global atomic_int *flag) {\n"
                  "  if (get_local_id(0) == 5)\n"
                  "    while (atomic_load(flag) == 0) {}\n"
                  "  atomic_fetch_add(flag, 1);\n"
                  "}\n");
  program.launch(64, 32);
  mustHear("kernel 'k' has waited for 1 s");
  mustHear(":3,");
  *program.flag = 1;
  check(clFinish(program.queue), "clFinish");
  require(*program.flag == 65, "the kernel has not gone on");
}

void lanes_of_one_sub_group() {
  Program program("kernel void k(volatile global int *lock) {\n"
                  "  while (atomic_cmpxchg(lock, 0, 1) != 0) {}\n"
                  "  atomic_xchg(lock, 0);\n"
                  "}\n");
  program.launch(16, 16);
  mustHear("waits in the loop at ");
  mustHear(":2,");
  mustHear("A work-item cannot wait for another of its sub-group that has already left the loop");
}

} // namespace

int main(int argc, char **argv) {
  setenv("LANECL_HANG_SECONDS", "1", 1);
  const std::string scenario = argc > 1 ? argv[1] : "";
  if (scenario == "written_by_the_host")
    written_by_the_host();
  else if (scenario == "lanes_of_one_sub_group")
    lanes_of_one_sub_group();
  else
    require(false, "no such scenario");
  _exit(0); // although a kernel is still waiting
}
