// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that are compiled at the same time: by one build, by builds of several threads, and by builds in callbacks.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

using namespace lanecl::test;

namespace {

constexpr int kKernels = 12;

// Kernels k0, k1 …, a line each, which add their number. Each third one prints a sampler, if asked for, which is an
// error that is found when kernels are checked.
std::string manyKernels(bool with_errors = false) {
  std::string text;
  for (int i = 0; i < kKernels; ++i) {
    const std::string number = std::to_string(i);
    const bool is_wrong = with_errors && i % 3 == 1;
    text += "kernel void k" + number + "(global int *p) { p[get_global_id(0)] += " + number + "; " +
            (is_wrong ? "const sampler_t s = 0; printf(\"%p\", s); " : "") + "}\n";
  }
  return text;
}

// Launches with incomplete work-groups, for which there is other code.
bool allKernelsAdd(const Session &cl, const Program &program) {
  const Memory data = cl.buffer(std::vector<int>(100, 1));
  for (int i = 0; i < kKernels; ++i)
    cl.run(cl.kernel(program, "k" + std::to_string(i)), {100}, {16}, data);
  return cl.read<int>(data) == std::vector<int>(100, 1 + kKernels * (kKernels - 1) / 2);
}

std::string failedLog(const Session &cl) {
  try {
    cl.build(manyKernels(true), "-cl-std=CL3.0");
  } catch (const BuildError &error) {
    return error.log;
  }
  return {};
}

void onThreads(int count, const std::function<void()> &work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
}

struct Inner {
  const Session &cl;
  std::atomic<int> done{0}, good{0};
};

void CL_CALLBACK buildAnother(cl_program, void *argument) {
  auto &inner = *static_cast<Inner *>(argument);
  inner.good += allKernelsAdd(inner.cl, inner.cl.build(manyKernels(), "-cl-std=CL3.0"));
  ++inner.done;
}

void CL_CALLBACK buildAfterEvent(cl_event, cl_int, void *argument) {
  buildAnother(nullptr, argument);
}

void waitFor(const std::atomic<int> &counter, int value) {
  while (counter < value)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace

TEST_CASE("The errors of a program's kernels are in their order", "[icd][compile_together]") {
  const Session cl;
  const std::string log = failedLog(cl);
  INFO(log);
  size_t last = 0;
  for (int i = 1; i < kKernels; i += 3) {
    const size_t at = log.find("error: printf cannot print", last);
    REQUIRE(at != std::string::npos);
    const size_t line = log.rfind("\n", at) + 1;
    CHECK(log.substr(line, at - line).find(":" + std::to_string(i + 1) + ":") != std::string::npos);
    last = at + 1;
  }
  for (int round = 0; round < 5; ++round)
    CHECK(failedLog(cl) == log);
}

TEST_CASE("Threads build and launch at the same time", "[icd][compile_together]") {
  const Session cl;
  const std::string log = failedLog(cl);
  std::atomic<int> good{0};
  onThreads(6, [&] {
    const Session own;
    if (allKernelsAdd(own, own.build(manyKernels(), "-cl-std=CL3.0")) && failedLog(own) == log)
      ++good;
  });
  CHECK(good == 6);
}

TEST_CASE("One program's kernels are launched by several threads at once", "[icd][compile_together]") {
  const Session cl;
  const Program program = cl.build(manyKernels(), "-cl-std=CL3.0");
  std::atomic<int> good{0};
  onThreads(4, [&] { good += allKernelsAdd(cl, program); });
  CHECK(good == 4);
}

TEST_CASE("Callbacks build and launch while others do", "[icd][compile_together]") {
  const Session cl;
  Inner inner{cl};
  std::vector<Program> programs;
  for (int i = 0; i < 4; ++i) {
    programs.push_back(cl.source(manyKernels()));
    const cl_int code = clBuildProgram(programs.back(), 1, &cl.device, "-cl-std=CL3.0", buildAnother, &inner);
    REQUIRE(code == CL_SUCCESS);
  }
  const Memory data = cl.buffer(std::vector<int>(16));
  const int zero = 0;
  Event event;
  REQUIRE(clEnqueueFillBuffer(cl.queue, data, &zero, 4, 0, 64, 0, nullptr, event.out()) == CL_SUCCESS);
  REQUIRE(clSetEventCallback(event, CL_COMPLETE, buildAfterEvent, &inner) == CL_SUCCESS);
  REQUIRE(clFlush(cl.queue) == CL_SUCCESS);
  waitFor(inner.done, 5);
  CHECK(inner.good == 5);
}
