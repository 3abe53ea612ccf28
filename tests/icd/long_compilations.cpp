// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a program hears of a kernel that takes long to compile.
#include "support/long_kernel.hpp"
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <mutex>

using namespace lanecl::test;

namespace {

struct Heard {
  std::mutex mutex;
  std::vector<std::string> messages;

  std::vector<std::string> all() {
    const std::lock_guard lock(mutex);
    return messages;
  }
};

void CL_CALLBACK hear(const char *text, const void *, size_t, void *heard) {
  auto &all = *static_cast<Heard *>(heard);
  const std::lock_guard lock(all.mutex);
  all.messages.emplace_back(text);
}

} // namespace

TEST_CASE("A kernel that takes seconds to compile is reported once", "[icd][long_compilations]") {
  Heard heard;
  Session cl;
  cl_int code = CL_SUCCESS;
  cl.context = Context(clCreateContext(nullptr, 1, &cl.device, hear, &heard, &code));
  REQUIRE(code == CL_SUCCESS);
  cl.queue = makeQueue(cl.context);
  const std::vector<cl_uint> input(1000, 5);
  const Memory in = cl.buffer(input), out = cl.buffer(input);
  std::string name;
  Kernel kernel;
  // Machines differ in speed, so the kernel grows until one takes long enough. With incomplete work-groups two pieces
  // of code are compiled.
  for (unsigned terms = 250; heard.all().empty() && terms <= 32000; terms *= 2) {
    name = "sum" + std::to_string(terms);
    kernel = cl.kernel(cl.build(longKernel(name, terms), "-cl-std=CL3.0"), name);
    cl.run(kernel, {1000}, {64}, out, in);
  }
  const std::vector<std::string> messages = heard.all();
  REQUIRE(messages.size() == 1);
  INFO(messages[0]);
  CHECK(messages[0].find("still compiling kernel '" + name + "'") != std::string::npos);
  CHECK(messages[0].find(" instructions including all that it calls") != std::string::npos);
  CHECK(messages[0].find("docs/performance.md") != std::string::npos);
  cl.run(kernel, {1000}, {50}, out, in); // is compiled again
  CHECK(heard.all().size() == 1);
}
