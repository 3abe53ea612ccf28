// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two copies of oneTBB in one process, loaded in either order: the copy of a program's library, and LaneCL's.
//   lanecl_icd_two_tbbs LIBRARY before|after COPIES
// COPIES is the number of oneTBB files that the process must have at the end: one if both have the same name.
#include "support/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>

using namespace lanecl::test;

namespace {

void require(bool condition, const std::string &what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what.c_str());
  _exit(1);
}

using Sum = long (*)(int);

Sum load(const char *library) {
  void *const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr)
    require(false, dlerror());
  void *const address = dlsym(loaded, "sumInParallel");
  require(address != nullptr, "no sumInParallel");
  Sum sum;
  std::memcpy(&sum, &address, sizeof sum);
  return sum;
}

void useKernels() {
  const Session cl;
  const Program program = cl.build("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }");
  const Memory data = cl.buffer(std::vector<int>(100'000, 21));
  const Event event = cl.enqueue(cl.kernel(program, "twice"), {100'000}, {}, data);
  check(clFlush(cl.queue), "clFlush");
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE) { // no thread of the program helps
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  }
  require(cl.read<int>(data) == std::vector<int>(100'000, 42), "a wrong result");
}

void useBoth(Sum sum) {
  std::thread loops([&] {
    for (int i = 0; i < 200; ++i)
      require(sum(1000) == 499500, "a wrong sum");
  });
  for (int i = 0; i < 20; ++i)
    useKernels();
  loops.join();
}

size_t copiesOfOneTbb() {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("/libtbb.so.") != std::string::npos || line.find("/libtbx.so.") != std::string::npos)
      files.insert(line.substr(line.find('/')));
  for (const std::string &file : files)
    std::puts(file.c_str());
  return files.size();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    return 1;
  alarm(100);
  try {
    if (std::strcmp(argv[2], "after") == 0)
      useKernels();
    useBoth(load(argv[1]));
  } catch (const std::exception &problem) {
    require(false, problem.what());
  }
  require(copiesOfOneTbb() == size_t(std::atoi(argv[3])), "another number of copies");
}
